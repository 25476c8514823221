//! Engine `undocumented`: a route that none of the contracts of its service has.
//!
//! A contract speaks for the applications that serve something of it, below the path that all it has there have in
//! common. What lies elsewhere, and what is left out of the documentation on purpose, is not its business.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{KindInfo, presence};
use crate::contracts::Declarations;
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::model::{Implementation, Method, Operation, Unread};
use crate::project::{Link, Project, Service};
use crate::text::Span;

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undocumented {}

const PATH: &str = "path";
const METHOD: &str = "method";
const GAPS: &[&str] = &["operation", "contract", "handler"];

pub(super) const KINDS: &[KindInfo] = &[
    KindInfo { name: PATH, severity: Severity::Warning, about: "no contract has the path", gaps: GAPS },
    KindInfo {
        name: METHOD,
        severity: Severity::Warning,
        about: "the contract has the path, and not this method",
        gaps: GAPS,
    },
];

pub(super) fn judge(_: &Undocumented, project: &Project, sink: &mut Sink<'_>) {
    let mut by_service: BTreeMap<usize, Vec<&Link>> = BTreeMap::new();
    for link in project.links.iter().filter(|link| !link.unrelated && !link.pairs.is_empty()) {
        by_service.entry(link.service).or_default().push(link);
    }
    // What was probably meant by an operation that nobody serves is told there.
    let misses = presence::misses(&project.links, project);
    let meant: FxHashSet<*const Operation> =
        misses.iter().filter_map(super::presence::Miss::meant).map(std::ptr::from_ref).collect();
    // One registration may be served by several services, each with a document of its own.
    let mut described: FxHashMap<Span, BTreeSet<usize>> = FxHashMap::default();
    for (index, links) in &by_service {
        for at in links.iter().flat_map(|link| &link.pairs).flat_map(|pair| &pair.served) {
            described.entry(project.services[*index].operations[*at].span).or_default().insert(*index);
        }
    }
    for (index, links) in by_service {
        let service = &project.services[index];
        let is_elsewhere = |route: &Operation| {
            described.get(&route.span).is_some_and(|services| services.iter().any(|it| *it != index))
        };
        let scope = Scope::new(project, service, &links);
        let mut found: BTreeMap<Registration, Vec<&Operation>> = BTreeMap::new();
        let mut order: Vec<Registration> = Vec::new();
        for (at, route) in service.operations.iter().enumerate() {
            let Some(code) = &route.implementation else { continue };
            let is_meant = meant.contains(&std::ptr::from_ref(route));
            if !is_meant && !is_elsewhere(route) && scope.expects((at, route), code) {
                let registration = (route.span, route.path.key());
                let routes = found.entry(registration.clone()).or_default();
                if routes.is_empty() {
                    order.push(registration);
                }
                routes.push(route);
            }
        }
        let mut told: FxHashSet<(Method, String)> = FxHashSet::default();
        for registration in order {
            let mut routes = found.remove(&registration).unwrap_or_default();
            routes.retain(|route| told.insert((route.method, route.path.key())));
            if !routes.is_empty()
                && let Some(evidence) = scope.evidence(project, &routes)
            {
                sink.report(evidence);
            }
        }
    }
}

/// One place in the code that registers one path.
type Registration = (Span, String);

/// Methods from which on a registration is one for every method.
const ANY_METHOD: usize = 5;
/// A function that more registrations lead to wraps handlers, and is no handler itself.
const MAX_SHARED: usize = 2;
/// Beginnings of paths with fewer continuations are no base path.
const MIN_CONTINUATIONS: usize = 3;

/// What the contracts of a service speak for.
struct Scope<'a> {
    service: &'a Service,
    links: Vec<LinkScope<'a>>,
    claimed: BTreeSet<usize>,
    ignored: BTreeSet<usize>,
    /// Contracted, by method and path.
    keys: FxHashSet<(Method, String)>,
    /// Handlers of what is contracted, each with one operation that it serves.
    handlers: FxHashMap<(Span, Method), usize>,
    /// Registrations for every method of which one is contracted.
    taken: FxHashSet<Registration>,
    /// Methods of each registration.
    methods: FxHashMap<Registration, usize>,
    /// Routes of each application: all that a contract speaks for, and those that one has.
    applications: FxHashMap<Span, (usize, usize)>,
}

/// What one contract speaks for.
struct LinkScope<'a> {
    link: &'a Link,
    /// Routes that it has lie below.
    base: String,
    /// Beginnings of its paths that end in a version.
    versions: BTreeSet<String>,
    /// Its own version, where code tells versions apart and has this one.
    version: Option<String>,
    applications: BTreeSet<Span>,
    /// What it has of each path.
    paths: FxHashMap<String, usize>,
}

impl<'a> Scope<'a> {
    fn new(project: &'a Project, service: &'a Service, links: &[&'a Link]) -> Self {
        let mut scope = Scope {
            service,
            links: links
                .iter()
                .map(|link| LinkScope::new((service, &project.contracts[link.contract]), link))
                .collect(),
            claimed: links.iter().flat_map(|link| &link.pairs).flat_map(|pair| pair.served.iter().copied()).collect(),
            ignored: links.iter().flat_map(|link| link.ignored_routes.iter().copied()).collect(),
            keys: FxHashSet::default(),
            handlers: FxHashMap::default(),
            taken: FxHashSet::default(),
            methods: FxHashMap::default(),
            applications: FxHashMap::default(),
        };
        for at in &scope.claimed {
            let route = &service.operations[*at];
            scope.keys.insert((route.method, key(route)));
            scope.taken.insert((route.span, route.path.key()));
            if let Some(handler) = route.implementation.as_ref().and_then(|code| code.handler_span) {
                scope.handlers.entry((handler, route.method)).or_insert(*at);
            }
        }
        let mut registrations: FxHashMap<Span, BTreeSet<Span>> = FxHashMap::default();
        for route in &service.operations {
            if let Some(handler) = route.implementation.as_ref().and_then(|code| code.handler_span) {
                registrations.entry(handler).or_default().insert(route.span);
            }
        }
        scope.handlers.retain(|(handler, _), _| registrations.get(handler).is_none_or(|it| it.len() <= MAX_SHARED));
        for (at, route) in service.operations.iter().enumerate() {
            *scope.methods.entry((route.span, route.path.key())).or_default() += 1;
            let Some(code) = route.implementation.as_ref().filter(|code| is_documentable(route, code)) else {
                continue;
            };
            let stands_alone = !matches!(route.method, Method::Head | Method::Options | Method::Trace);
            if !stands_alone || !scope.links.iter().any(|link| link.speaks_for(route, code)) {
                continue;
            }
            let counted = scope.applications.entry(application(code).unwrap_or(route.span)).or_default();
            counted.0 += 1;
            counted.1 += usize::from(scope.claimed.contains(&at));
        }
        scope
    }

    /// Whether a contract should have the route and none has.
    fn expects(&self, (at, route): (usize, &Operation), code: &Implementation) -> bool {
        let registration = (route.span, route.path.key());
        let for_any_method = self.methods.get(&registration).is_some_and(|methods| *methods >= ANY_METHOD);
        let comes_along = match route.method {
            Method::Options | Method::Trace => true,
            Method::Head => {
                self.service.operations.iter().any(|other| {
                    other.method == Method::Get && other.span == route.span && other.path.key() == route.path.key()
                }) || self.keys.contains(&(Method::Get, key(route)))
            }
            _ => false,
        };
        let is_known = self.claimed.contains(&at)
            || self.ignored.contains(&at)
            || self.keys.contains(&(route.method, key(route)))
            || (for_any_method && self.taken.contains(&registration));
        !is_known
            && !comes_along
            && is_documentable(route, code)
            && self.links.iter().any(|link| link.speaks_for(route, code))
    }

    /// What there is to say about routes of one registration.
    fn evidence(&self, project: &Project, routes: &[&Operation]) -> Option<Evidence> {
        let first = *routes.first()?;
        let code = first.implementation.as_ref()?;
        let scope = self.links.iter().find(|link| link.speaks_for(first, code))?;
        let contract = &project.contracts[scope.link.contract];
        let (all, contracted) = self.applications.get(&application(code)?).copied().unwrap_or_default();
        let twin = code.handler_span.and_then(|handler| self.handlers.get(&(handler, first.method)));
        let twin = twin.map(|at| &self.service.operations[*at]);
        let for_any_method = routes.len() >= ANY_METHOD;
        let doubtful = code.conditional
            || for_any_method
            || twin.is_some()
            || is_of_operation(first)
            || (self.service.unread.iter().any(Unread::is_gap)
                && self.links.iter().any(|link| link.link.is_mostly_missing()))
            || contracted * 2 < all;
        let declared = scope.paths.get(&key(first)).map(|at| &contract.operations[*at]);
        let place = match declared {
            Some(declared) => ContractPlace { span: declared.span, pointer: declared.pointer.clone() },
            None => ContractPlace { span: contract.paths, pointer: "/paths".to_owned() },
        };
        let label = match (declared, twin) {
            (Some(declared), _) => format!("has `{}`, and not this method", declared.title()),
            (None, _) => "described without it".to_owned(),
        };
        let mut related = vec![Label { span: place.span, text: label }];
        related.extend(twin.map(|twin| Label {
            span: twin.span,
            text: format!("the same handler as `{}`, which is described", twin.title()),
        }));
        let titles: Vec<String> = routes.iter().map(|route| route.title()).collect();
        let shown = if for_any_method {
            format!("`{}` of any method", first.path.text())
        } else {
            titles.iter().map(|title| format!("`{title}`")).collect::<Vec<_>>().join(", ")
        };
        Some(Evidence {
            kind: if declared.is_some() { METHOD } else { PATH },
            span: first.span,
            label: "served here".to_owned(),
            related,
            field: None,
            contract: Some(place),
            subject: titles.first().cloned().unwrap_or_default(),
            operations: titles,
            values: vec![
                ("operation", shown),
                ("contract", format!("`{}`", project.sources.get(contract.file).path)),
                ("handler", format!("`{}`", code.handler)),
            ],
            at_most: doubtful.then_some(Severity::Info),
        })
    }
}

impl<'a> LinkScope<'a> {
    fn new((service, contract): (&'a Service, &Declarations), link: &'a Link) -> Self {
        let claimed = link.pairs.iter().flat_map(|pair| &pair.served).map(|at| &service.operations[*at]);
        let keys: Vec<String> = claimed.clone().map(key).collect();
        let mut paths = FxHashMap::default();
        for pair in &link.pairs {
            for at in &pair.served {
                paths.entry(key(&service.operations[*at])).or_insert(pair.declared);
            }
        }
        let common = common_beginning(&keys);
        let front = link.front.trim_end_matches('/').to_owned();
        LinkScope {
            link,
            version: version_of(contract).filter(|own| {
                let mut codes = service.operations.iter().filter_map(|route| route.implementation.as_ref());
                codes.any(|code| code.versions.contains(own))
            }),
            base: if common.len() > front.len() { common } else { front },
            versions: keys.iter().filter_map(|key| up_to_version(key)).map(str::to_owned).collect(),
            applications: applications(service, link),
            paths,
        }
    }

    fn speaks_for(&self, route: &Operation, code: &Implementation) -> bool {
        let key = key(route);
        let below = key.strip_prefix(&self.base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let of_version =
            self.versions.is_empty() || up_to_version(&key).is_none_or(|version| self.versions.contains(version));
        // What is served in other versions alone is for their documents to have.
        let of_own = code.versions.is_empty() || self.version.as_ref().is_none_or(|own| code.versions.contains(own));
        below && of_version && of_own && application(code).is_some_and(|own| self.applications.contains(&own))
    }
}

/// The applications that a contract is about: those that serve something of it which none that serves more of it does.
fn applications(service: &Service, link: &Link) -> BTreeSet<Span> {
    let mut serving: BTreeMap<Span, usize> = BTreeMap::new();
    let of_pairs: Vec<BTreeSet<Span>> = link
        .pairs
        .iter()
        .map(|pair| {
            let routes = pair.served.iter().map(|at| &service.operations[*at]);
            routes.filter_map(|route| application(route.implementation.as_ref()?)).collect()
        })
        .collect();
    for span in of_pairs.iter().flatten() {
        *serving.entry(*span).or_default() += 1;
    }
    let most = |spans: BTreeSet<Span>| spans.into_iter().max_by_key(|span| (serving.get(span), Reverse(*span)));
    of_pairs.into_iter().filter_map(most).collect()
}

/// Whether a document that is made of the code would have the route, and its whole path is known.
fn is_documentable(route: &Operation, code: &Implementation) -> bool {
    !code.hidden && code.mounted && code.unknown.is_empty() && !is_page(route)
}

/// The version of a contract as code writes it: `1` of `1.0` and `v1`.
fn version_of(contract: &Declarations) -> Option<String> {
    let text = contract.version.trim();
    let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
    let text = text.strip_suffix(".0").unwrap_or(text);
    text.starts_with(|c: char| c.is_ascii_digit()).then(|| text.to_owned())
}

/// What those who run a service ask: mostly left undescribed on purpose.
pub(super) fn is_of_operation(route: &Operation) -> bool {
    const LAST: &[&str] = &[
        "favicon.ico",
        "health",
        "healthcheck",
        "healthz",
        "heartbeat",
        "live",
        "liveness",
        "livez",
        "metrics",
        "ping",
        "ready",
        "readiness",
        "readyz",
        "robots.txt",
        "startup",
    ];
    const AT_ROOT: &[&str] = &["", "docs", "openapi", "redoc", "status", "swagger", "version"];
    let path = route.path.text().to_ascii_lowercase();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let reads = matches!(route.method, Method::Get | Method::Head);
    let last = segments.last().copied().unwrap_or("");
    let is_document = ["openapi.json", "openapi.yaml", "openapi.yml", "swagger.json"].contains(&last);
    reads
        && (LAST.contains(&last)
            || is_document
            || segments.first() == Some(&".well-known")
            || (segments.len() <= 1 && AT_ROOT.contains(&last)))
}

/// What a browser shows is no part of an API.
pub(super) fn is_page(route: &Operation) -> bool {
    let mut bodies = route.responses.iter().filter(|response| response.status.is_success()).flat_map(|it| &it.bodies);
    let is_html = |media: &str| media.trim_start().to_ascii_lowercase().starts_with("text/html");
    bodies.next().is_some_and(|body| is_html(&body.media)) && bodies.all(|body| is_html(&body.media))
}

/// Where the innermost application around a route is made.
fn application(code: &Implementation) -> Option<Span> {
    let mounted = code.mounts.iter().rposition(|step| step.what == "mount").map_or(0, |at| at + 1);
    code.mounts.get(mounted).or(code.mounts.first()).map(|step| step.span)
}

/// The path of a route as it is looked up.
fn key(route: &Operation) -> String {
    let key = route.path.key();
    if route.implementation.as_ref().is_some_and(|code| code.any_case) { key.to_lowercase() } else { key }
}

/// The longest beginning that all paths have in common and that goes on in several ways, as a base path does.
fn common_beginning(keys: &[String]) -> String {
    let Some(first) = keys.first() else { return String::new() };
    let mut shared: Vec<&str> = first.split('/').skip(1).collect();
    for key in keys {
        let same = shared.iter().zip(key.split('/').skip(1)).take_while(|(mine, theirs)| **mine == *theirs).count();
        shared.truncate(same);
    }
    let base = shared.iter().fold(String::new(), |path, segment| path + "/" + segment);
    let next = |key: &'_ String| key[base.len()..].split('/').nth(1).map(str::to_owned);
    let continuations: BTreeSet<String> =
        keys.iter().filter_map(next).filter(|segment| !segment.starts_with('{')).collect();
    let is_base = continuations.len() >= MIN_CONTINUATIONS && !base.contains('{') && !keys.contains(&base);
    if is_base { base } else { String::new() }
}

/// A path up to its first segment that is a version: `/api/v1`.
fn up_to_version(key: &str) -> Option<&str> {
    let is_version = |segment: &str| {
        let rest = segment.strip_prefix(['v', 'V']).unwrap_or("");
        rest.starts_with(|c: char| c.is_ascii_digit()) && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
    };
    let at = key.split('/').position(is_version)?;
    let end = key.match_indices('/').nth(at).map_or(key.len(), |(end, _)| end);
    Some(&key[..end])
}
