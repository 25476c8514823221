//! URL rules as werkzeug writes them: `/users/<int:id>`.

use std::rc::Rc;

use crate::evaluate::Value;

/// A rule with its parameters as `{name}`, those that take the rest of a path as `{name:path}`; what is no text stays.
pub(in crate::frameworks) fn template<'p>(rule: &Value<'p>) -> Value<'p> {
    match rule {
        Value::Str(text) => Value::str(template_text(text)),
        Value::Pattern(text) => Value::Pattern(Rc::from(template_text(text))),
        other => other.clone(),
    }
}

fn template_text(rule: &str) -> String {
    let mut out = String::with_capacity(rule.len());
    let mut rest = rule;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let takes_rest = rest[at + 1..].starts_with("path:");
        let (parameter, after) = parameter(&rest[at + 1..]);
        let Some(after) = after else {
            out.push_str(&rest[at..]);
            return out;
        };
        out.push('{');
        out.push_str(parameter);
        out.push_str(if takes_rest { ":path}" } else { "}" });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The name of a parameter, after its converter and the converter's arguments, and what follows the parameter.
fn parameter(text: &str) -> (&str, Option<&str>) {
    let mut depth = 0_u32;
    let mut quote = None;
    let mut name = 0;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ':') if depth == 0 => name = at + 1,
            (None, '>') if depth == 0 => return (text[name..at].trim(), Some(&text[at + 1..])),
            _ => {}
        }
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::template_text;

    #[test]
    fn converters_and_their_arguments_are_left_out() {
        for (rule, template) in [
            ("/users/<int:id>", "/users/{id}"),
            ("/<a>/<path:b>/c", "/{a}/{b:path}/c"),
            ("/<any(x, y):kind>", "/{kind}"),
            ("/<regex('[a-z]{2}>:'):code>/x", "/{code}/x"),
            ("/<string(length=2):lang>", "/{lang}"),
            ("/plain", "/plain"),
            ("/broken/<int:id", "/broken/<int:id"),
        ] {
            assert_eq!(template_text(rule), template);
        }
    }
}
