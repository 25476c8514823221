//! Paths with `:name` parameters, as `path-to-regexp` and its relatives write them, and paths that are regular expressions.

use std::rc::Rc;

use super::patterns::{self, Reading};
use crate::evaluate::{Evaluator, Value};
use crate::text::Span;

/// A path (or prefix) with its parameters as `{name}`: `/users/:id(\\d+)?` is `/users/{id}`, and `*`, which takes the rest
/// of a path, `{wildcard:path}`. What is no text stays.
pub(super) fn template<'p>(path: &Value<'p>) -> Value<'p> {
    match path {
        Value::Str(text) => Value::str(template_text(text)),
        Value::Pattern(text) => Value::Pattern(Rc::from(template_text(text))),
        other => other.clone(),
    }
}

/// What a route is registered with, a path or several, as templates.
pub(super) fn templates<'p>(evaluator: &mut Evaluator<'p>, path: &Value<'p>, site: Span) -> Vec<Value<'p>> {
    let paths = path.elements().unwrap_or_else(|| vec![path.clone()]);
    let each = paths.iter().flat_map(|path| match expression(path) {
        Some(expression) => of_expression(expression, |paths| paths.noted(evaluator, site)),
        None => vec![template(path)],
    });
    each.collect()
}

/// The text of a regular expression: `/^\/users/`, `new RegExp("^/users")`.
pub(super) fn expression<'v>(path: &'v Value<'_>) -> Option<&'v str> {
    match path {
        Value::Made(made) if &*made.path == "javascript.RegExp" => made.args.positional.first()?.as_str(),
        _ => None,
    }
}

/// What stands at the end of an expression that takes the rest of a path.
const RESTS: &[&str] = &["(.*)", "(.+)", "(?:.*)", "(?:.+)", ".*", ".+"];

/// The templates that an expression stands for. What may begin anywhere is whatever lies below the root, and what has no
/// end goes on.
fn of_expression<'p>(expression: &str, noted: impl FnOnce(patterns::Paths) -> Vec<patterns::Path>) -> Vec<Value<'p>> {
    let start = expression.trim_start_matches('^');
    let begins = start.starts_with(['/', '\\', '(', '[']) && !RESTS.iter().any(|rest| start.starts_with(rest));
    let closed = start.ends_with('$') && !start.ends_with(r"\$");
    let body = start.strip_suffix('$').filter(|_| closed).unwrap_or(start);
    let before_rest = RESTS.iter().find_map(|rest| body.strip_suffix(rest));
    if !begins {
        return vec![Value::str("/{wildcard:path}")];
    }
    let reading = Reading { choices: true, closing_slash: false };
    let paths = noted(patterns::paths(before_rest.unwrap_or(body), reading));
    let mut all = Vec::new();
    for path in paths {
        let path = path.template;
        if before_rest.is_none() {
            all.push(path.clone());
        }
        if before_rest.is_some() || !closed {
            all.push(format!("{}/{{wildcard:path}}", path.trim_end_matches('/')));
        }
    }
    all.into_iter().map(Value::str).collect()
}

/// The same of text.
pub(super) fn template_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    let mut chars = text.chars().peekable();
    let mut stars = 0;
    while let Some(c) = chars.next() {
        match c {
            ':' if chars.peek().is_some_and(|next| next.is_alphanumeric() || *next == '_') => {
                out.push('{');
                while let Some(next) = chars.next_if(|next| next.is_alphanumeric() || *next == '_') {
                    out.push(next);
                }
                out.push('}');
                skip_group(&mut chars);
                chars.next_if(|next| matches!(next, '?' | '+' | '*'));
            }
            // Express 5 and Hono: `*name`, `:name{pattern}`.
            '*' => {
                let mut name = String::new();
                while let Some(next) = chars.next_if(|next| next.is_alphanumeric() || *next == '_') {
                    name.push(next);
                }
                stars += 1;
                if name.is_empty() {
                    name = if stars == 1 { "wildcard".to_owned() } else { format!("wildcard{stars}") };
                }
                out.push('{');
                out.push_str(&name);
                out.push_str(":path}");
            }
            '\\' => out.extend(chars.next()),
            other => out.push(other),
        }
    }
    out
}

/// `(pattern)` or `{pattern}` after a parameter.
fn skip_group(chars: &mut std::iter::Peekable<std::str::Chars>) {
    let (open, close) = match chars.peek() {
        Some('(') => ('(', ')'),
        Some('{') => ('{', '}'),
        _ => return,
    };
    let mut depth = 0_u32;
    for c in chars.by_ref() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{of_expression, template_text};

    #[test]
    fn regular_expressions_are_paths_and_what_lies_below_them() {
        for (written, templates) in [
            (r"^\/users\/(\d+)$", &["/users/{arg1}"][..]),
            (r"^\/(start|stop)\/?$", &["/start", "/stop"]),
            (r"^\/(?!api).*", &["/{wildcard:path}"]),
            (r"^(?!\/api).*$", &["/{wildcard:path}"]),
            (r".*", &["/{wildcard:path}"]),
            (r"(.*)", &["/{wildcard:path}"]),
            (r"fly$", &["/{wildcard:path}"]),
            (r"^\/files\/.*", &["/files/{wildcard:path}"]),
            (r"^\/admin", &["/admin", "/admin/{wildcard:path}"]),
            (r"\/plain$", &["/plain"]),
            ("", &["/{wildcard:path}"]),
        ] {
            let found = of_expression(written, |paths| paths.list);
            let found: Vec<&str> = found.iter().filter_map(|path| path.as_str()).collect();
            assert_eq!(found, templates, "{written}");
        }
    }

    #[test]
    fn parameters_of_every_spelling_become_braces() {
        for (written, template) in [
            ("/users/:id", "/users/{id}"),
            (r"/users/:id(\d+)/x", "/users/{id}/x"),
            ("/:a/:b?", "/{a}/{b}"),
            ("/posts/:slug{[a-z]+}", "/posts/{slug}"),
            ("/files/*", "/files/{wildcard:path}"),
            ("/files/*path", "/files/{path:path}"),
            ("/plain", "/plain"),
            ("/a:b", "/a{b}"),
        ] {
            assert_eq!(template_text(written), template);
        }
    }
}
