//! Paths with `:name` parameters, as `path-to-regexp` and its relatives write them.

use std::rc::Rc;

use crate::evaluate::Value;

/// A path (or prefix) with its parameters as `{name}`: `/users/:id(\\d+)?` is `/users/{id}`, and `*`, which takes the rest
/// of a path, `{wildcard:path}`. What is no text stays.
pub(super) fn template<'p>(path: &Value<'p>) -> Value<'p> {
    match path {
        Value::Str(text) => Value::str(template_text(text)),
        Value::Pattern(text) => Value::Pattern(Rc::from(template_text(text))),
        other => other.clone(),
    }
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
    use super::template_text;

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
