//! Parts of a path: joined, written as a template, and held against the patterns of routes without a global prefix.

use std::rc::Rc;

use crate::evaluate::{Value, last};
use crate::frameworks::colon::template_text;
use crate::frameworks::decorated::option;

/// `/a`, `b/` and `` as one: `/a/b`. One part that is not known makes the whole unknown, a pattern makes it a pattern.
pub(super) fn joined<'p>(parts: &[&Value<'p>]) -> Value<'p> {
    let mut out = String::new();
    let mut whole = true;
    for part in parts {
        let text = match part {
            Value::None => continue,
            Value::Str(text) => text,
            Value::Pattern(text) => {
                whole = false;
                text
            }
            other @ Value::Unknown(..) => return (*other).clone(),
            _ => return Value::Unknown("it is no text", None),
        };
        let text = text.trim_matches('/');
        if !text.is_empty() {
            out.push('/');
            out.push_str(text);
        }
    }
    if whole { Value::str(out) } else { Value::Pattern(Rc::from(out)) }
}

/// With parameters as `{name}`; the braces of optional parts (`/users{/:id}`) are left out.
pub(super) fn as_template<'p>(path: &Value<'p>) -> Value<'p> {
    let turned = |text: &str| {
        let mut depth = 0_u32;
        let kept: String = text
            .chars()
            .filter(|c| {
                match c {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth > 0 || !matches!(c, '{' | '}')
            })
            .collect();
        template_text(&kept)
    };
    match path {
        Value::Str(text) => Value::str(turned(text)),
        Value::Pattern(text) => Value::Pattern(Rc::from(turned(text))),
        other => other.clone(),
    }
}

/// What a decorator's path argument says: one path for each; none given is the empty one.
pub(super) fn paths_of<'p>(given: Option<&Value<'p>>) -> Vec<Value<'p>> {
    let path = match given {
        None | Some(Value::None) => Value::str(""),
        Some(Value::External(path)) if last(path) == "undefined" => Value::str(""),
        Some(path) => path.clone(),
    };
    match path.elements() {
        Some(paths) => paths,
        None => vec![path],
    }
}

/// Whether one of the patterns that `setGlobalPrefix(…, { exclude })` was given means a route.
pub(super) fn is_excluded(patterns: &[Value], path: &str, method: &str) -> bool {
    patterns.iter().any(|pattern| {
        let (pattern, methods) = match option(pattern, "path") {
            Some(path) => (path, option(pattern, "method")),
            None => (pattern.clone(), None),
        };
        let of_method = match methods {
            Some(Value::Int(number)) => {
                super::status::request_method(number).is_none_or(|name| name == "ALL" || name == method)
            }
            _ => true,
        };
        of_method && pattern.as_str().is_some_and(|pattern| fits(pattern, path))
    })
}

/// Whether a pattern means a path, segment by segment: `:name` stands for one, a wildcard for the rest.
fn fits(pattern: &str, path: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.replace(['{', '}'], "").split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let (pattern, path) = (parts(pattern), parts(path));
    let mut at = 0;
    for part in &pattern {
        if part.starts_with('*') || part.starts_with("(.*)") || part.contains("(.*)") {
            return true;
        }
        let Some(segment) = path.get(at) else { return part.starts_with(':') && part.ends_with('?') };
        let same = part.starts_with(':')
            || part == segment
            || part.strip_suffix('*').is_some_and(|start| segment.starts_with(start));
        if !same {
            return false;
        }
        at += 1;
    }
    at == path.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_excluded_by_path_wildcard_and_method() {
        let given = |path: &str, method: i64| {
            let entries = vec![(Value::str("path"), Value::str(path)), (Value::str("method"), Value::Int(method))];
            Value::dict(entries)
        };
        let patterns =
            [Value::str("health"), Value::str("cats/(.*)"), Value::str("/files/*path"), given("admin/:id", 1)];
        for (path, method, excluded) in [
            ("/health", "GET", true),
            ("/health/live", "GET", false),
            ("/cats/1/toys", "GET", true),
            ("/files/a/b", "GET", true),
            ("/admin/:user", "POST", true),
            ("/admin/:user", "GET", false),
            ("/", "GET", false),
        ] {
            assert_eq!(is_excluded(&patterns, path, method), excluded, "{method} {path}");
        }
    }

    #[test]
    fn parts_are_joined_by_one_slash() {
        let joined = |parts: &[&str]| {
            let parts: Vec<Value> = parts.iter().map(|part| Value::str(*part)).collect();
            joined(&parts.iter().collect::<Vec<_>>()).describe()
        };
        assert_eq!(joined(&["", "/a/", "b", "/"]), "\"/a/b\"");
        assert_eq!(joined(&["", "/"]), "\"\"");
        assert_eq!(as_template(&Value::str("/users{/:id}/*rest")).describe(), "\"/users/{id}/{rest:path}\"");
    }
}
