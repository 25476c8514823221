//! Which route answers which promise: operations of a contract paired with those of a service.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Link, Opaque, Pair, Service};
use crate::contracts::Declarations;
use crate::finding::{Problem, ProblemKind};
use crate::model::{Method, Operation, PathTemplate};
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

/// Pairs every claim. A contract that nothing is found of, and code that too little is understood of, are told as
/// problems.
pub fn link(
    services: &[Service],
    contracts: &[Declarations],
    claims: &[Claim],
    sources: &Sources,
) -> (Vec<Link>, Vec<Problem>) {
    let routes: Vec<Routes> = services.iter().map(Routes::new).collect();
    let mut links = Vec::new();
    let mut problems = Vec::new();
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
        doubt(&mut pairs, contract, claim, &fronts, &services[service].opaque);
        let expected = pairs.iter().filter(|pair| !pair.ignored).count();
        let code = &services[service];
        let unrelated = found == 0 && expected > 0 && !claim.named;
        let incomplete = found * 2 < expected && !(code.unknown.is_empty() && code.unsupported.is_empty());
        let path = sources.get(contract.file).path.clone();
        if unrelated {
            let message = format!("none of its {expected} operations is served by `{}`; it is not checked", code.name);
            problems.push(Problem::new(ProblemKind::UnusedContract, path.clone(), message).with_help(
                "name the service that it belongs to in `treaty.toml`, or pass it with `--contract` if this is the one",
            ));
        } else if incomplete {
            problems.push(incomplete_problem(code, sources, &path, found, expected));
        }
        let front = fronts.into_iter().next().unwrap_or_default();
        let ignored_routes = ignored_routes(&code.operations, claim, &front);
        links.push(Link {
            service,
            contract: claim.contract,
            pairs,
            front,
            ignored_routes,
            doubtful: incomplete,
            unrelated,
        });
    }
    (links, problems)
}

/// At most this many reasons are told.
const MAX_REASONS: usize = 5;

fn incomplete_problem(code: &Service, sources: &Sources, contract: &str, found: usize, expected: usize) -> Problem {
    let mut reasons: Vec<String> =
        code.unsupported.iter().map(|name| format!("{name} is not understood yet")).collect();
    reasons.extend(code.unknown.iter().take(MAX_REASONS).map(|reason| match reason.span {
        Some(span) => format!("{} ({})", reason.text, sources.place(span)),
        None => reason.text.clone(),
    }));
    let more = (code.unsupported.len() + code.unknown.len()).saturating_sub(reasons.len());
    if more > 0 {
        reasons.push(format!("{more} more"));
    }
    let message = format!(
        "only {found} of {expected} operations of {contract} were found in `{}`, whose routes could not all be read: {}",
        code.name,
        reasons.join("; ")
    );
    Problem::new(ProblemKind::ExtractionIncomplete, code.root.clone(), message)
        .with_help("missing operations are reported as info for this service")
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

fn last_literal(key: &str) -> Option<&str> {
    key.rsplit('/').find(|segment| !segment.is_empty() && !segment.contains(['{', UNKNOWN_PART]))
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

/// The prefix that a contract without a base path leaves out: nothing of it is served as it is written, and nearly all
/// of it behind one prefix, as where it was written for a part that is mounted there.
fn common_front(routes: &Routes, contract: &Declarations, fronts: &[String]) -> Option<String> {
    let total = contract.operations.len();
    let serves = |operation: &Operation, front: &str| {
        !routes.at(operation.method, &operation.path.under(front).key()).is_empty()
    };
    let any = contract.operations.iter().any(|operation| fronts.iter().any(|front| serves(operation, front)));
    if any || total < MIN_TELLING || contract.base_paths.iter().any(|base| !base.is_empty()) {
        return None;
    }
    // The longest paths are the least ambiguous.
    let told = contract.operations.iter().max_by_key(|operation| operation.path.key().len())?;
    let end = told.path.key();
    let mut candidates: Vec<&str> = routes
        .service
        .operations
        .iter()
        .filter(|route| route.method == told.method)
        .filter_map(|route| {
            route.path.text().strip_suffix(told.path.text()).or_else(|| prefix_of(route.path.text(), &end))
        })
        .filter(|front| !front.is_empty() && !front.contains('{'))
        .collect();
    candidates.sort_unstable();
    candidates.dedup();
    let mut telling = candidates.into_iter().filter(|front| {
        let served = contract.operations.iter().filter(|operation| serves(operation, front)).count();
        served * 10 >= total * 9
    });
    let front = telling.next()?;
    telling.next().is_none().then(|| front.to_owned())
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
            served: serving(routes, operation.method, &keys(operation, fronts, base)),
            ignored: operation.planned
                || claim.ignore.iter().any(|pattern| is_ignored(pattern, operation.method, &operation.path.key())),
            doubtful: false,
        })
        .collect();
    // A router without its prefix may be what is missing, unless what it serves is found elsewhere.
    let ending = |pair: &Pair| {
        let operation = &contract.operations[pair.declared];
        let keys = keys(operation, fronts, base);
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

/// Stands in [`Opaque::path`] for what is not known.
const UNKNOWN_PART: char = '\u{fffc}';

/// Marks the operations without a route that a part of the code which could not be read may serve: all below the prefix
/// of an unread router, those that fit a partly known path, and as many of a method as there are routes of it whose path
/// is not known at all.
fn doubt(pairs: &mut [Pair], contract: &Declarations, claim: &Claim, fronts: &[String], opaque: &[Opaque]) {
    if opaque.is_empty() {
        return;
    }
    let patterns: Vec<(&Opaque, String)> =
        opaque.iter().map(|entry| (entry, PathTemplate::new(&entry.path).key())).collect();
    for pair in pairs.iter_mut().filter(|pair| is_missing(pair)) {
        let operation = &contract.operations[pair.declared];
        let keys = keys(operation, fronts, claim.base_path.as_deref());
        // One without a literal segment says nothing.
        pair.doubtful =
            patterns.iter().filter(|(_, pattern)| last_literal(pattern).is_some()).any(|(entry, pattern)| {
                entry.method.is_none_or(|method| method == operation.method)
                    && keys.iter().any(|key| fits(key, pattern, entry.method.is_none()))
            });
    }
    // A router that could not be read and is mounted at the root may serve a whole resource of which nothing is found.
    let unread_router = |(entry, pattern): &(&Opaque, String)| {
        entry.method.is_none() && pattern.contains(UNKNOWN_PART) && last_literal(pattern).is_none()
    };
    if patterns.iter().any(unread_router) {
        let key_of = |pair: &Pair| contract.operations[pair.declared].path.key();
        let found: FxHashSet<String> = pairs
            .iter()
            .filter(|pair| !pair.served.is_empty())
            .flat_map(|pair| beginnings(&key_of(pair)).map(str::to_owned).collect::<Vec<_>>())
            .collect();
        for pair in pairs.iter_mut().filter(|pair| is_missing(pair)) {
            let key = key_of(pair);
            pair.doubtful |= beginnings(&key).any(|beginning| !found.contains(beginning));
        }
    }
    for method in Method::ALL {
        let nowhere =
            patterns.iter().filter(|(entry, pattern)| entry.method == Some(method) && last_literal(pattern).is_none());
        let unread = nowhere.count();
        let of_method =
            |pair: &Pair| is_missing(pair) && !pair.doubtful && contract.operations[pair.declared].method == method;
        if pairs.iter().filter(|pair| of_method(pair)).count() <= unread {
            pairs.iter_mut().filter(|pair| of_method(pair)).for_each(|pair| pair.doubtful = true);
        }
    }
}

/// Whether one of these unread parts of a service may serve an operation that is not found in it.
pub fn may_serve<'o>(unread: impl IntoIterator<Item = &'o Opaque>, operation: &Operation) -> bool {
    let key = operation.path.key();
    unread.into_iter().any(|entry| {
        let pattern = PathTemplate::new(&entry.path).key();
        // One without a literal segment may be anything.
        let anywhere = pattern.contains(UNKNOWN_PART) && last_literal(&pattern).is_none();
        entry.method.is_none_or(|method| method == operation.method)
            && (anywhere || fits(&key, &pattern, entry.method.is_none()))
    })
}

/// The first segment of a path key, and the first two, where they name something.
fn beginnings(key: &str) -> impl Iterator<Item = &str> {
    let ends = key.match_indices('/').skip(1).map(|(at, _)| at).chain(std::iter::once(key.len()));
    ends.take(2).map(|end| &key[..end]).filter(|beginning| beginning.len() > 1 && !beginning.ends_with('}'))
}

/// Whether a path key fits a pattern, segment by segment; with `open`, whether it begins so.
fn fits(key: &str, pattern: &str, open: bool) -> bool {
    let mut rest = key.split('/');
    for wanted in pattern.split('/') {
        let Some(segment) = rest.next() else { return false };
        let matches = match wanted.split_once(UNKNOWN_PART) {
            Some((start, end)) => {
                let end = end.rsplit(UNKNOWN_PART).next().unwrap_or(end);
                segment.starts_with(start) && segment.ends_with(end)
            }
            None => segment == wanted,
        };
        if !matches {
            return false;
        }
    }
    open || rest.next().is_none()
}

/// Whether a part of a service that could not be read may serve a path.
pub(super) fn may_take(key: &str, opaque: &str) -> bool {
    let pattern = PathTemplate::new(opaque).key();
    last_literal(&pattern).is_some() && fits(key, &pattern, true)
}

fn is_missing(pair: &Pair) -> bool {
    pair.served.is_empty() && !pair.ignored
}

/// Path keys that an operation may be served at: behind each of [`fronts`], then the same without the gateway's prefix.
fn keys(operation: &Operation, fronts: &[String], gateway: Option<&str>) -> Vec<String> {
    let mut keys: Vec<String> = fronts.iter().map(|front| operation.path.under(front).key()).collect();
    if let Some(gateway) = gateway {
        let stripped: Vec<String> =
            keys.iter().filter_map(|key| Some(under_root(key.strip_prefix(gateway)?))).collect();
        keys.extend(stripped);
    }
    keys
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
