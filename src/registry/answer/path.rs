//! Paths that were asked for, and the templates that take them.

use std::cmp::Reverse;

/// How well a template fits a path: literal segments before those with parameters, the earlier ones first.
pub(super) type Fit = Vec<Reverse<u8>>;

/// How `template` (`/users/{id}`) takes `path` (`/users/42`); `None` where it does not. A template takes itself, too.
pub(super) fn fit(template: &str, path: &str) -> Option<Fit> {
    let wanted: Vec<&str> = template.split('/').collect();
    let given: Vec<&str> = path.split('/').collect();
    if wanted.len() != given.len() {
        return None;
    }
    wanted.iter().zip(&given).map(|(wanted, given)| segment(wanted, given).map(Reverse)).collect()
}

/// 2 for a literal, 1 for a part of one, 0 for a parameter.
fn segment(wanted: &str, given: &str) -> Option<u8> {
    if wanted == given {
        return Some(if wanted.contains('{') { 0 } else { 2 });
    }
    if !wanted.contains('{') {
        return None;
    }
    let mut literal = 0;
    let mut rest = given;
    // Whether a parameter stands open before what comes next: it takes at least one character.
    let mut open = false;
    let mut parts = wanted;
    while !parts.is_empty() {
        if let Some(behind) = parts.strip_prefix('{') {
            let (_, behind) = behind.split_once('}')?;
            open = true;
            parts = behind;
            continue;
        }
        let end = parts.find('{').unwrap_or(parts.len());
        let (text, behind) = parts.split_at(end);
        literal += text.len();
        rest = if open {
            let first = rest.chars().next()?.len_utf8();
            let found = if behind.is_empty() { rest[first..].rfind(text) } else { rest[first..].find(text) };
            &rest[first + found? + text.len()..]
        } else {
            rest.strip_prefix(text)?
        };
        open = false;
        parts = behind;
    }
    let ends = if open { !rest.is_empty() } else { rest.is_empty() };
    ends.then_some(u8::from(literal > 0))
}

/// The path of what was asked for: without scheme and host, query and fragment; with one leading slash.
pub(super) fn of_request(asked: &str) -> String {
    let asked = asked.trim();
    let asked = match asked.split_once("://") {
        Some((scheme, rest)) if !scheme.contains('/') => rest.find('/').map_or("", |at| &rest[at..]),
        _ => asked,
    };
    let path = asked.split(['?', '#']).next().unwrap_or("");
    format!("/{}", crate::contracts::percent_decode(path.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_takes_the_paths_that_it_stands_for() {
        for (template, path) in [
            ("/users/{id}", "/users/42"),
            ("/users/{id}", "/users/{id}"),
            ("/users/{id}", "/users/a-b.c~d"),
            ("/files/{name}.json", "/files/a.b.json"),
            ("/{a}-{b}", "/x-y-z"),
            ("/range({from},{to})", "/range(1,2)"),
            ("/", "/"),
        ] {
            assert!(fit(template, path).is_some(), "{template} {path}");
        }
        for (template, path) in [
            ("/users/{id}", "/users/"),
            ("/users/{id}", "/users/4/2"),
            ("/users/{id}", "/user/42"),
            ("/files/{name}.json", "/files/.json"),
            ("/files/{name}.json", "/files/a.jsonx"),
            ("/{a}-{b}", "/x-"),
            ("/{a", "/x"),
        ] {
            assert!(fit(template, path).is_none(), "{template} {path}");
        }
    }

    #[test]
    fn literal_segments_win_over_parameters_and_the_earlier_ones_first() {
        let best = |path: &str, templates: &[&'static str]| {
            templates.iter().copied().filter_map(|it| Some((fit(it, path)?, it))).min().map(|(_, it)| it)
        };
        assert_eq!(best("/users/me", &["/users/{id}", "/users/me"]), Some("/users/me"));
        assert_eq!(best("/a/b", &["/{x}/b", "/a/{y}"]), Some("/a/{y}"));
        assert_eq!(best("/f/a.json", &["/f/{x}", "/f/{x}.json"]), Some("/f/{x}.json"));
    }

    #[test]
    fn a_request_is_its_path() {
        for (asked, path) in [
            ("/users/42?x=/y#z", "/users/42"),
            ("users/42", "/users/42"),
            ("https://e.com/users/42", "/users/42"),
            ("https://e.com", "/"),
            ("/redirect?to=https://e.com/x", "/redirect"),
            ("/a%20b", "/a b"),
            ("", "/"),
        ] {
            assert_eq!(of_request(asked), path, "{asked}");
        }
    }

    proptest::proptest! {
        /// Whatever is written, a template takes what comes of putting a plain word for each parameter.
        #[test]
        fn a_template_takes_itself_filled_in(parts in proptest::collection::vec("[a-z.-]{1,4}|\\{[a-z]{1,3}\\}", 1..5)) {
            let template = format!("/{}", parts.join("/"));
            let filled: Vec<&str> = parts.iter().map(|part| if part.starts_with('{') { "42" } else { part }).collect();
            let path = format!("/{}", filled.join("/"));
            proptest::prop_assert!(fit(&template, &path).is_some());
        }

        #[test]
        fn no_path_ends_in_a_panic(template in "[a/{}ü.-]{0,12}", path in "[a/{}ü.-]{0,12}") {
            let _ = fit(&template, &path);
        }
    }
}
