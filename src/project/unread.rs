//! What the parts of a service that could not be read may serve.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::model::{Method, Operation, PathTemplate, Reach, UNKNOWN_PART, Unread};

/// The beginnings of all routes that were read.
#[derive(Debug, Default)]
pub struct Seen {
    beginnings: FxHashSet<String>,
}

impl Seen {
    pub fn new(routes: &[Operation]) -> Self {
        let mut beginnings = FxHashSet::default();
        for route in routes {
            let key = route.path.key().to_lowercase();
            let ends = key.match_indices('/').skip(1).map(|(at, _)| at).chain([key.len()]);
            for end in ends {
                if !beginnings.contains(&key[..end]) {
                    beginnings.insert(key[..end].to_owned());
                }
            }
        }
        Seen { beginnings }
    }

    /// Whether a route was read that is served there or below.
    pub(super) fn has(&self, beginning: &str) -> bool {
        self.beginnings.contains(&beginning.to_lowercase())
    }
}

/// Whether a part that could not be read may serve a path with a method. `shared` is the beginning that all paths have in
/// common: resources are told apart behind it.
pub fn may_serve(unread: &Unread, seen: &Seen, (method, key): (Option<Method>, &str), shared: &str) -> bool {
    if unread.method.zip(method).is_some_and(|(known, wanted)| known != wanted) {
        return false;
    }
    let pattern = PathTemplate::new(&unread.path).key();
    match unread.reach {
        Reach::Route if is_located(unread) || !pattern.contains(UNKNOWN_PART) => {
            // What is not known at all may be of several segments.
            let open = pattern.ends_with(&format!("/{UNKNOWN_PART}"));
            fits(key, &pattern, open)
        }
        Reach::Below if is_located(unread) => fits(key, &pattern, true),
        Reach::Anything => true,
        Reach::Documents => {
            method.is_none_or(|method| method == Method::Get)
                && (is_located(unread) && !seen.has(&pattern) && fits(key, &pattern, true) || tells_of_api(key))
        }
        _ => {
            let below = pattern.split_once(UNKNOWN_PART).map_or(pattern.as_str(), |(known, _)| known);
            let below = below.trim_end_matches('/');
            let shared = if shared.len() > below.len() { shared } else { below };
            is_below(key, below) && !seen.has(resource(key, shared))
        }
    }
}

/// Whether a path is one where documents of APIs are by custom: `/api/swagger.json`, `/apidocs/index.html`, `/docs`.
fn tells_of_api(key: &str) -> bool {
    const PARTS: &[&str] = &["swagger", "openapi", "apidocs", "api-docs", "apispec", "redoc", "oauth2-redirect"];
    let lower = key.to_lowercase();
    lower.split('/').any(|segment| segment == "docs" || PARTS.iter().any(|part| segment.starts_with(part)))
}

/// Whether something is known of the path of a part that could not be read.
pub(super) fn is_located(unread: &Unread) -> bool {
    last_literal(&PathTemplate::new(&unread.path).key()).is_some()
}

pub(super) fn last_literal(key: &str) -> Option<&str> {
    key.rsplit('/').find(|segment| is_literal(segment))
}

fn is_literal(segment: &str) -> bool {
    !segment.is_empty() && !segment.contains(['{', UNKNOWN_PART])
}

/// Whether a path key is a beginning, or goes on behind it.
fn is_below(key: &str, beginning: &str) -> bool {
    key.strip_prefix(beginning).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path key fits a pattern, segment by segment; with `open`, whether it begins so.
fn fits(key: &str, pattern: &str, open: bool) -> bool {
    let mut rest = key.split('/');
    for wanted in pattern.trim_end_matches('/').split('/') {
        let Some(segment) = rest.next() else { return false };
        let matches = match wanted.split_once(UNKNOWN_PART) {
            Some((start, end)) => {
                let end = end.rsplit(UNKNOWN_PART).next().unwrap_or(end);
                segment.starts_with(start) && segment.ends_with(end)
            }
            None => segment == wanted || wanted == "{}",
        };
        if !matches {
            return false;
        }
    }
    open || rest.all(str::is_empty)
}

/// The beginning of a path key up to the first segment behind `shared` that names something: what routes of one resource
/// have in common. The whole key where nothing is named there.
pub(super) fn resource<'k>(key: &'k str, shared: &str) -> &'k str {
    let mut end = if is_below(key, shared) { shared.len() } else { 0 };
    for segment in key[end..].split('/').skip(1) {
        end += 1 + segment.len();
        if is_literal(segment) {
            return &key[..end];
        }
    }
    key
}

/// Of so many operations, …
const ALL: usize = 5;
/// … so many make a beginning the shared one: a health check may stand beside it.
const NEARLY_ALL: usize = 4;

/// The beginning that the path keys of a contract share, all of them or nearly: no resource, since several begin behind it.
pub(super) fn shared_beginning(keys: &[String]) -> String {
    let (mut shared, mut longest) = (String::new(), String::new());
    loop {
        let mut next: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for key in keys.iter().filter(|key| is_below(key, &longest)) {
            let mut segments = key[longest.len()..].split('/').skip(1);
            let (Some(first), following) = (segments.next(), segments.next()) else { continue };
            if is_literal(first) {
                let entry = next.entry(first).or_default();
                entry.0 += usize::from(following.is_some());
                entry.1.extend(following.filter(|segment| is_literal(segment)));
            }
        }
        let Some((segment, (below, names))) = next.into_iter().max_by_key(|(_, (below, _))| *below) else { break };
        if below * ALL < keys.len() * NEARLY_ALL || below == 0 {
            break;
        }
        longest = format!("{longest}/{segment}");
        if names.len() > if below == keys.len() { 1 } else { 2 } {
            shared.clone_from(&longest);
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Reason;

    fn seen(keys: &[&str]) -> Seen {
        let beginnings = keys.iter().flat_map(|key| {
            let ends = key.match_indices('/').skip(1).map(|(at, _)| at).chain([key.len()]);
            ends.map(|end| key[..end].to_owned()).collect::<Vec<_>>()
        });
        Seen { beginnings: beginnings.collect() }
    }

    fn unread(path: &str, method: Option<Method>, reach: Reach) -> Unread {
        Unread { path: path.replace('?', "\u{fffc}"), method, reach, reason: Reason::new("a test says so", None) }
    }

    #[test]
    fn a_beginning_is_shared_by_all_or_nearly_all_and_is_no_resource() {
        let shared = |keys: &[&str]| shared_beginning(&keys.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(shared(&["/api/v1/users", "/api/v1/users/{}", "/api/v1/orders"]), "/api/v1");
        assert_eq!(shared(&["/users", "/users/{}", "/orders"]), "");
        assert_eq!(shared(&["/users", "/users/{}"]), "");
        assert_eq!(shared(&["/health", "/api/a", "/api/b", "/api/c", "/api/d"]), "/api");
        assert_eq!(shared(&["/health", "/api/a", "/api/b"]), "");
        assert_eq!(shared(&["/users/{}", "/users/{}/posts"]), "");
        assert_eq!(shared(&[]), "");
    }

    #[test]
    fn a_resource_is_named_by_the_first_word_behind_the_shared_beginning() {
        assert_eq!(resource("/api/users/{}/posts", "/api"), "/api/users");
        assert_eq!(resource("/{}/users/{}", ""), "/{}/users");
        assert_eq!(resource("/health", "/api"), "/health");
        assert_eq!(resource("/api", "/api"), "/api");
        assert_eq!(resource("/api/{}", "/api"), "/api/{}");
        assert_eq!(resource("/", ""), "/");
    }

    #[test]
    fn what_is_unread_below_a_prefix_may_serve_all_of_that_and_elsewhere_only_what_is_not_seen() {
        let seen = seen(&["/api/users/{}", "/api/known"]);
        let may = |unread: &Unread, key: &str| may_serve(unread, &seen, (Some(Method::Get), key), "/api");
        let below = unread("/api/users", None, Reach::Below);
        assert!(may(&below, "/api/users/{}/posts") && may(&below, "/api/users") && !may(&below, "/api/orders"));
        for anywhere in
            [unread("", None, Reach::Below), unread("/?", None, Reach::Below), unread("", None, Reach::Unseen)]
        {
            assert!(may(&anywhere, "/api/orders/{}") && !may(&anywhere, "/api/users") && may(&anywhere, "/health"));
        }
        let handed = unread("/api", None, Reach::Unseen);
        assert!(may(&handed, "/api/orders") && !may(&handed, "/api/users") && !may(&handed, "/health"));
        let mounted = unread("/api/users", None, Reach::Unseen);
        assert!(may(&mounted, "/api/users/search") && !may(&mounted, "/api/users/{}") && !may(&mounted, "/api/orders"));
    }

    #[test]
    fn one_route_fits_its_path_and_method() {
        let seen = seen(&["/users"]);
        let may = |unread: &Unread, method, key: &str| may_serve(unread, &seen, (Some(method), key), "");
        let route = unread("/dyn/?", Some(Method::Get), Reach::Route);
        assert!(may(&route, Method::Get, "/dyn/one") && may(&route, Method::Get, "/dyn/one/two"));
        assert!(!may(&route, Method::Post, "/dyn/one") && !may(&route, Method::Get, "/dyn"));
        let part = unread("/v?/users", Some(Method::Get), Reach::Route);
        assert!(may(&part, Method::Get, "/v1/users") && !may(&part, Method::Get, "/v1/users/{}"));
        let of_any_method = unread("/dyn/one", None, Reach::Route);
        assert!(may(&of_any_method, Method::Put, "/dyn/one") && !may(&of_any_method, Method::Put, "/dyn/one/two"));
        let unknown = unread("/?", Some(Method::Get), Reach::Route);
        assert!(may(&unknown, Method::Get, "/orders/{}") && !may(&unknown, Method::Get, "/users/{}"));
    }
}
