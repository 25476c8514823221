//! Which route answers which promise: operations of a contract paired with those of a service.

use rustc_hash::{FxHashMap, FxHashSet};

use super::moved::{self, Moved};
use super::unread::{last_literal, resource};
use super::{Link, Pair, Service, missing};
use crate::contracts::Declarations;
use crate::finding::{Problem, ProblemKind};
use crate::model::{Method, Operation, PathTemplate, Unread};
use crate::text::{Sources, Span};

/// A contract with the services that it may speak for.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// Index into the contracts.
    pub contract: usize,
    /// Indices into the services, likeliest first; the one where most is found is taken.
    pub candidates: Vec<usize>,
    /// Further ones, for a contract that none of the candidates serves anything of: it must be found there for the most
    /// part.
    pub elsewhere: Vec<usize>,
    /// Named by the user: it is this service's contract even if nothing of it is found.
    pub named: bool,
    /// A prefix that callers use and the code does not know.
    pub base_path: Option<String>,
    /// `GET /metrics`, `* /admin/*`: not expected here.
    pub ignore: Vec<String>,
}

/// Pairs every claim. A contract that nothing is found of, and code that could not be read and may serve something, are
/// told as problems.
pub fn link(
    services: &[Service],
    contracts: &[Declarations],
    claims: &[Claim],
    sources: &Sources,
) -> (Vec<Link>, Vec<Problem>) {
    let routes: Vec<Routes> = services.iter().map(Routes::new).collect();
    let mut links = Vec::new();
    let mut problems = Vec::new();
    let mut blind: Vec<(usize, Problem)> = Vec::new();
    for claim in claims {
        let contract = &contracts[claim.contract];
        let mut best: Option<(usize, usize, Vec<Pair>, Vec<String>)> = None;
        for candidate in &claim.candidates {
            let fronts = fronts(&routes[*candidate], contract);
            let pairs = pair(&routes[*candidate], contract, claim, &fronts);
            let found = pairs.iter().filter(|pair| !pair.served.is_empty()).count();
            if best.as_ref().is_none_or(|(_, most, ..)| found > *most) {
                best = Some((*candidate, found, pairs, fronts));
            }
        }
        if best.as_ref().is_none_or(|(_, found, ..)| *found == 0) {
            for candidate in &claim.elsewhere {
                let fronts = fronts(&routes[*candidate], contract);
                let pairs = pair(&routes[*candidate], contract, claim, &fronts);
                let found = pairs.iter().filter(|pair| !pair.served.is_empty()).count();
                if found * 2 > pairs.len() && best.as_ref().is_none_or(|(_, most, ..)| found > *most) {
                    best = Some((*candidate, found, pairs, fronts));
                }
            }
        }
        let Some((service, found, mut pairs, fronts)) = best else { continue };
        let code = &services[service];
        let expected = pairs.iter().filter(|pair| !pair.ignored).count();
        let unrelated = found == 0 && expected > 0;
        let mut moved = None;
        if unrelated {
            moved = moved::moved(&code.operations, contract);
            let problem = nothing_found(code, contract, claim, (expected, moved.as_ref()), sources);
            // That much of it is served elsewhere is wrong, and no gap in the reading.
            let is_read =
                !code.unread.iter().any(Unread::is_gap) && code.unsupported.is_empty() && code.unknown.is_empty();
            moved = moved.filter(|_| claim.named && is_read);
            if moved.is_none() {
                blind.push((claim.contract, problem));
            }
        } else {
            let gateway = claim.base_path.as_deref();
            missing::look(&mut pairs, contract, (services, service), &|path| keys(path, &fronts, gateway));
        }
        let front = fronts.into_iter().next().unwrap_or_default();
        let ignored_routes = ignored_routes(&code.operations, claim, &front);
        let named = claim.named;
        links.push(Link { service, contract: claim.contract, pairs, front, ignored_routes, named, unrelated, moved });
    }
    // A contract may be kept by several services together.
    let is_kept = |contract: usize| links.iter().any(|link| link.contract == contract && !link.unrelated);
    problems.extend(blind.into_iter().filter(|(contract, _)| !is_kept(*contract)).map(|(_, problem)| problem));
    problems.extend(missing::problems(&links, services, contracts, sources));
    (links, problems)
}

/// Routes of a service by method and path key.
struct Routes<'s> {
    service: &'s Service,
    by_key: FxHashMap<(Method, String), Vec<usize>>,
    /// Routes that are found whatever the case of letters, by the path in lower case.
    folded: FxHashMap<(Method, String), Vec<usize>>,
    /// Routes whose path may lack a prefix, by the last literal segment.
    open_ended: FxHashMap<(Method, String), Vec<usize>>,
}

impl<'s> Routes<'s> {
    fn new(service: &'s Service) -> Self {
        let mut by_key: FxHashMap<(Method, String), Vec<usize>> = FxHashMap::default();
        let mut open_ended: FxHashMap<(Method, String), Vec<usize>> = FxHashMap::default();
        let mut folded: FxHashMap<(Method, String), Vec<usize>> = FxHashMap::default();
        for (at, operation) in service.operations.iter().enumerate() {
            let key = operation.path.key();
            if operation.implementation.as_ref().is_some_and(|code| code.any_case) {
                folded.entry((operation.method, key.to_lowercase())).or_default().push(at);
            }
            if lacks_prefix(operation)
                && let Some(segment) = last_literal(&key)
            {
                open_ended.entry((operation.method, segment.to_owned())).or_default().push(at);
            }
            by_key.entry((operation.method, key)).or_default().push(at);
        }
        Routes { service, by_key, folded, open_ended }
    }

    fn at(&self, method: Method, key: &str) -> &[usize] {
        let exact = self.by_key.get(&(method, key.to_owned()));
        let found = exact.or_else(|| {
            if self.folded.is_empty() {
                return None;
            }
            let lower = key.to_lowercase();
            let unversioned = || self.folded.get(&(method, any_version(&lower)?));
            self.folded.get(&(method, lower.clone())).or_else(unversioned)
        });
        found.map_or(&[], Vec::as_slice)
    }

    /// The router that a route was written on: where the innermost step of its mounts stands.
    fn router(&self, at: usize) -> Option<Span> {
        Some(self.service.operations[at].implementation.as_ref()?.mounts.last()?.span)
    }

    /// Routes without their full prefix whose path ends the wanted one.
    fn ending(&self, method: Method, key: &str) -> Vec<usize> {
        let Some(segment) = last_literal(key) else { return Vec::new() };
        let candidates = self.open_ended.get(&(method, segment.to_owned())).map_or(&[][..], Vec::as_slice);
        candidates.iter().copied().filter(|at| key.ends_with(&self.service.operations[*at].path.key())).collect()
    }
}

/// A path key with `v{}` where a version stands: `/v2/users`.
fn any_version(key: &str) -> Option<String> {
    let is_version = |segment: &str| {
        let digits = segment.strip_prefix('v').unwrap_or("");
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let version = key.split('/').find(|segment| is_version(segment))?;
    Some(key.replacen(&format!("/{version}"), "/v{}", 1))
}

fn lacks_prefix(operation: &Operation) -> bool {
    operation.implementation.as_ref().is_some_and(|code| !code.mounted || !code.unknown.is_empty())
}

/// What may stand in front of the contract's paths in code, likeliest first: a base path of the contract, nothing, or the
/// end of a base path, whose beginning is then added by what the service stands behind. The one that most is found
/// under comes first.
fn fronts(routes: &Routes, contract: &Declarations) -> Vec<String> {
    let mut fronts = contract.base_paths.clone();
    fronts.push(String::new());
    for base in &contract.base_paths {
        fronts.extend(base.match_indices('/').skip(1).map(|(at, _)| base[at..].to_owned()));
    }
    let mut seen: FxHashSet<String> = FxHashSet::default();
    fronts.retain(|front| seen.insert(front.clone()));
    if fronts.len() > 1 {
        let found = |front: &String| {
            let served =
                |operation: &&Operation| !routes.at(operation.method, &operation.path.under(front).key()).is_empty();
            contract.operations.iter().filter(served).count()
        };
        fronts.sort_by_cached_key(|front| std::cmp::Reverse(found(front)));
    }
    if let Some(front) = common_front(routes, contract, &fronts) {
        fronts.insert(0, front);
    }
    fronts
}

/// Operations that a contract needs for its paths to tell a prefix.
const MIN_TELLING: usize = 5;

/// The prefix that a contract without a base path leaves out: nothing of it is served as it is written, but for a health check
/// or the like, and most of it behind one prefix, as where it was written for a part that is mounted there.
fn common_front(routes: &Routes, contract: &Declarations, fronts: &[String]) -> Option<String> {
    let total = contract.operations.len();
    let serves = |operation: &Operation, front: &str| {
        !routes.at(operation.method, &operation.path.under(front).key()).is_empty()
    };
    let is_served = |operation: &&Operation| fronts.iter().any(|front| serves(operation, front));
    let as_written = contract.operations.iter().filter(is_served).count();
    if as_written * 10 > total || total < MIN_TELLING || contract.base_paths.iter().any(|base| !base.is_empty()) {
        return None;
    }
    // The longest paths are the least ambiguous, and one of them may be served nowhere.
    let mut telling: Vec<(&Operation, String)> =
        contract.operations.iter().map(|operation| (operation, operation.path.key())).collect();
    telling.sort_by_key(|(_, key)| std::cmp::Reverse(key.len()));
    telling.truncate(MIN_TELLING);
    let mut candidates: Vec<&str> = Vec::new();
    for (told, end) in &telling {
        let alike = routes.service.operations.iter().filter(|route| route.method == told.method);
        let fronts = alike.filter_map(|route| {
            route.path.text().strip_suffix(told.path.text()).or_else(|| prefix_of(route.path.text(), end))
        });
        candidates.extend(fronts.filter(|front| !front.is_empty() && !front.contains('{')));
    }
    candidates.sort_unstable();
    candidates.dedup();
    let mut fitting = candidates.into_iter().filter(|front| {
        let served = contract.operations.iter().filter(|operation| serves(operation, front)).count();
        served * 4 >= total * 3
    });
    let front = fitting.next()?;
    fitting.next().is_none().then(|| front.to_owned())
}

/// What stands in front of the segments of a path key in a path, whatever its parameters are named.
fn prefix_of<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let segments = key.matches('/').count();
    let (at, _) = text.trim_end_matches('/').rmatch_indices('/').nth(segments.checked_sub(1)?)?;
    (PathTemplate::new(&text[at..]).key() == key).then(|| &text[..at])
}

fn pair(routes: &Routes, contract: &Declarations, claim: &Claim, fronts: &[String]) -> Vec<Pair> {
    let base = claim.base_path.as_deref();
    let mut pairs: Vec<Pair> = contract
        .operations
        .iter()
        .enumerate()
        .map(|(declared, operation)| Pair {
            declared,
            served: serving(routes, operation.method, &keys(&operation.path, fronts, base)),
            ignored: operation.planned
                || claim.ignore.iter().any(|pattern| is_ignored(pattern, operation.method, &operation.path.key())),
            miss: None,
        })
        .collect();
    leave_lookalikes(&mut pairs, routes, contract, fronts, base);
    // A router without its prefix may be what is missing, unless what it serves is found elsewhere.
    let ending = |pair: &Pair| {
        let operation = &contract.operations[pair.declared];
        let keys = keys(&operation.path, fronts, base);
        keys.iter().map(|key| routes.ending(operation.method, key)).find(|found| !found.is_empty()).unwrap_or_default()
    };
    let elsewhere: FxHashSet<Option<Span>> = pairs
        .iter()
        .filter(|pair| !pair.served.is_empty())
        .flat_map(|pair| ending(pair).into_iter().filter(|at| !pair.served.contains(at)))
        .map(|at| routes.router(at))
        .collect();
    for pair in pairs.iter_mut().filter(|pair| pair.served.is_empty()) {
        pair.served = ending(pair).into_iter().filter(|at| !elsewhere.contains(&routes.router(*at))).collect();
    }
    pairs
}

/// A route that lies in front of no base path of the contract answers nothing where the resource is served behind the first
/// one: `/users` that shows a page beside `/api/users`. A health check may stand outside.
fn leave_lookalikes(
    pairs: &mut [Pair],
    routes: &Routes,
    contract: &Declarations,
    fronts: &[String],
    gateway: Option<&str>,
) {
    let Some(first) = fronts.first().filter(|_| fronts.len() > 1) else { return };
    let is_stated = |front: &&String| contract.base_paths.contains(front);
    let stated: Vec<String> = [first].into_iter().chain(fronts[1..].iter().filter(is_stated)).cloned().collect();
    if stated.len() == fronts.len() {
        return;
    }
    let answers = |pair: &Pair| {
        let operation = &contract.operations[pair.declared];
        serving(routes, operation.method, &keys(&operation.path, &stated, gateway))
    };
    let resource_of = |pair: &Pair| resource(&contract.operations[pair.declared].path.key(), "").to_owned();
    let behind: Vec<Vec<usize>> = pairs.iter().map(answers).collect();
    let seen: FxHashSet<String> =
        pairs.iter().zip(&behind).filter(|(_, found)| !found.is_empty()).map(|(pair, _)| resource_of(pair)).collect();
    // The root of what lies behind the first one has no name of its own.
    let is_seen = |pair: &Pair| {
        let key = contract.operations[pair.declared].path.key();
        seen.contains(&resource_of(pair)) || key.trim_matches('/').is_empty() && !seen.is_empty()
    };
    for (pair, behind) in pairs.iter_mut().zip(behind) {
        if !pair.served.is_empty() && behind.is_empty() && is_seen(pair) {
            pair.served.clear();
        }
    }
}

/// Path keys that an operation may be served at: behind each of [`fronts`], then the same without the gateway's prefix.
fn keys(path: &PathTemplate, fronts: &[String], gateway: Option<&str>) -> Vec<String> {
    let path = &in_braces(path);
    let mut keys: Vec<String> = fronts.iter().map(|front| path.under(front).key()).collect();
    if let Some(gateway) = gateway {
        let stripped: Vec<String> =
            keys.iter().filter_map(|key| Some(under_root(key.strip_prefix(gateway)?))).collect();
        keys.extend(stripped);
    }
    keys
}

/// A path whose parameters are written as in code, `/users/:id`, which documents made of comments say.
fn in_braces(path: &PathTemplate) -> PathTemplate {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let segment = |segment: &str| match segment.strip_prefix(':').filter(|name| is_name(name)) {
        Some(name) => format!("{{{name}}}"),
        None => segment.to_owned(),
    };
    if !path.text().contains("/:") {
        return path.clone();
    }
    PathTemplate::new(&path.text().split('/').map(segment).collect::<Vec<_>>().join("/"))
}

/// The routes at the first of these keys that has any.
fn serving(routes: &Routes, method: Method, keys: &[String]) -> Vec<usize> {
    keys.iter().map(|key| routes.at(method, key)).find(|found| !found.is_empty()).unwrap_or_default().to_vec()
}

fn under_root(rest: &str) -> String {
    PathTemplate::new(rest).key()
}

/// Routes that the configuration ignores, by their whole path or by what comes behind the contract's base path.
fn ignored_routes(routes: &[Operation], claim: &Claim, front: &str) -> Vec<usize> {
    let ignored = |route: &Operation| {
        let key = route.path.key();
        let behind = key.strip_prefix(front).map(|rest| PathTemplate::new(rest).key());
        let keys = [Some(key), behind];
        claim.ignore.iter().any(|pattern| keys.iter().flatten().any(|key| is_ignored(pattern, route.method, key)))
    };
    if claim.ignore.is_empty() {
        return Vec::new();
    }
    (0..routes.len()).filter(|at| ignored(&routes[*at])).collect()
}

/// `GET /metrics`, `* /admin/{x}`; a trailing `*` stands for any rest.
fn is_ignored(pattern: &str, method: Method, key: &str) -> bool {
    let Some((wanted, path)) = pattern.trim().split_once(char::is_whitespace) else { return false };
    if wanted != "*" && Method::parse(wanted) != Some(method) {
        return false;
    }
    let path = path.trim();
    match path.strip_suffix('*') {
        Some(start) => {
            let whole = PathTemplate::new(start).key();
            let rest = key.strip_prefix(whole.trim_end_matches('/'));
            // `/admin/*` is all below that segment, and `/admin*` all that begins so.
            rest.is_some_and(|rest| !start.ends_with('/') || rest.is_empty() || rest.starts_with('/'))
        }
        None => PathTemplate::new(path).key() == key,
    }
}

/// Reasons that are told.
const MAX_REASONS: usize = 3;

/// Nothing of a document is served: it is compared with nothing.
fn nothing_found(
    code: &Service,
    contract: &Declarations,
    claim: &Claim,
    (expected, moved): (usize, Option<&Moved>),
    sources: &Sources,
) -> Problem {
    let path = sources.get(contract.file).path.clone();
    let mut message = format!("none of its {expected} operations is served by `{}`; it is not checked", code.name);
    if let Some(Moved { from, to, fitting, .. }) = moved {
        let named = |prefix: &str| if prefix.is_empty() { "no prefix".to_owned() } else { format!("`{prefix}`") };
        message = format!("{message}: {fitting} would be found below {} instead of {}", named(to), named(from));
    }
    let unread: Vec<&crate::finding::Reason> =
        code.unread.iter().filter(|it| it.is_gap()).map(|it| &it.reason).chain(&code.unknown).collect();
    let mut reasons: Vec<String> = code.unsupported.iter().map(|name| format!("{name} is not read yet")).collect();
    reasons.retain(|whole| unread.iter().all(|reason| reason.text != *whole));
    reasons.extend(unread.iter().take(MAX_REASONS).map(|reason| match reason.span {
        Some(span) => format!("{} ({})", reason.text, sources.place(span)),
        None => reason.text.clone(),
    }));
    if !reasons.is_empty() {
        message = format!("{message}; not all routes of the service could be read: {}", reasons.join("; "));
    }
    let help = if claim.named {
        "compare the paths with those of `treaty extract`; a prefix that a gateway adds is `base-path` in `treaty.toml`"
    } else {
        "name the service that it belongs to in `treaty.toml`, or pass it with `--contract` if this is the one"
    };
    Problem::new(ProblemKind::UnusedContract, path, message).with_help(help)
}
