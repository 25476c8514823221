//! Addresses as Django writes them, as templates: `<int:pk>`, and regular expressions with named groups.

use crate::evaluate::Evaluator;
use crate::frameworks::patterns::{Paths, Reading, paths};
use crate::text::Span;

/// `users/<int:pk>/` is `users/{pk}/`.
pub(super) fn of_path(route: &str) -> String {
    let mut out = String::with_capacity(route.len());
    let mut rest = route;
    while let Some(at) = rest.find('<') {
        let Some(end) = rest[at..].find('>') else { break };
        let inside = &rest[at + 1..at + end];
        let name = inside.rsplit_once(':').map_or(inside, |(_, name)| name).trim();
        out.push_str(&rest[..at]);
        out.push('{');
        out.push_str(name);
        out.push('}');
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}

/// The templates of a regular expression: groups are parameters, what may be left out is there and is not.
pub(super) fn of_regex(evaluator: &mut Evaluator, regex: &str, site: Span) -> Vec<String> {
    templates(regex).noted(evaluator, site).into_iter().map(|path| path.template).collect()
}

fn templates(regex: &str) -> Paths {
    paths(regex, Reading { choices: false, closing_slash: true })
}

#[cfg(test)]
mod tests {
    use super::of_path;

    #[test]
    fn converters_become_parameters() {
        for (written, template) in [
            ("users/<int:pk>/", "users/{pk}/"),
            ("<slug>/x", "{slug}/x"),
            ("a/<path:rest>", "a/{rest}"),
            ("plain", "plain"),
            ("a<b", "a<b"),
        ] {
            assert_eq!(of_path(written), template);
        }
    }

    #[test]
    fn groups_become_parameters_and_what_may_be_left_out_is_both() {
        for (written, templates) in [
            (r"^users/(?P<pk>\d+)/$", vec!["users/{pk}/"]),
            (r"^sw\.js$", vec!["sw.js"]),
            (r"^logout/?$", vec!["logout/"]),
            (r"^(?P<a>[^/.]+)/(?P<b>(x|y))$", vec!["{a}/{b}"]),
            (r"^x(?:/(?P<id>[0-9]{4}))?$", vec!["x/{id}", "x"]),
            (r"^(?:a|b)/c", vec!["a/c", "b/c"]),
            (r"^f/(.*)$", vec!["f/{arg1}"]),
            (r"^", vec![""]),
            (r"^v\d+/(", vec!["v{wildcard}/{arg1}"]),
        ] {
            let found: Vec<String> = super::templates(written).list.into_iter().map(|path| path.template).collect();
            assert_eq!(found, templates, "{written}");
        }
    }
}
