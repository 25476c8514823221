//! Data as it is written in a program.

use std::fmt::Write as _;

use serde_json::Value;

use crate::registry::escaped;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Python,
    JavaScript,
}

/// What fits on a line stays on one.
const WIDTH: usize = 100;

/// A value as a literal: one line where it fits, else one line for each member.
pub(crate) fn literal(value: &Value, syntax: Syntax) -> String {
    let mut out = String::new();
    write_value(value, syntax, 0, &mut out);
    out
}

fn write_value(value: &Value, syntax: Syntax, depth: usize, out: &mut String) {
    let mut short = String::new();
    if is_short(value, &mut WIDTH.saturating_sub(depth * 2)) {
        write_short(value, syntax, &mut short);
        out.push_str(&short);
        return;
    }
    let line = |depth: usize, out: &mut String| {
        let _ = write!(out, "\n{:1$}", "", depth * 2);
    };
    match value {
        Value::Array(items) => {
            out.push('[');
            for item in items {
                line(depth + 1, out);
                write_value(item, syntax, depth + 1, out);
                out.push(',');
            }
            line(depth, out);
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (key, member) in members {
                line(depth + 1, out);
                write_text(key, out);
                out.push_str(": ");
                write_value(member, syntax, depth + 1, out);
                out.push(',');
            }
            line(depth, out);
            out.push('}');
        }
        _ => write_short(value, syntax, out),
    }
}

/// Whether a value fits into what is left of a line.
fn is_short(value: &Value, left: &mut usize) -> bool {
    let mut takes = |length: usize| {
        let fits = *left > length;
        *left = left.saturating_sub(length);
        fits
    };
    match value {
        Value::Null | Value::Bool(_) => takes(5),
        Value::Number(number) => takes(number.to_string().len()),
        Value::String(text) => takes(text.len() + 2),
        Value::Array(items) => items.iter().all(|item| is_short(item, left) && *left > 2),
        Value::Object(members) => members.iter().all(|(key, member)| {
            let fits = *left > key.len() + 6;
            *left = left.saturating_sub(key.len() + 6);
            fits && is_short(member, left)
        }),
    }
}

fn write_short(value: &Value, syntax: Syntax, out: &mut String) {
    let python = syntax == Syntax::Python;
    match value {
        Value::Null => out.push_str(if python { "None" } else { "null" }),
        Value::Bool(true) => out.push_str(if python { "True" } else { "true" }),
        Value::Bool(false) => out.push_str(if python { "False" } else { "false" }),
        Value::Number(number) => {
            let _ = write!(out, "{number}");
        }
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_short(item, syntax, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (at, (key, member)) in members.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                // A computed key is a member of any name, `__proto__` included.
                let is_special = !python && key == "__proto__";
                out.push_str(if is_special { "[" } else { "" });
                write_text(key, out);
                out.push_str(if is_special { "]: " } else { ": " });
                write_short(member, syntax, out);
            }
            out.push('}');
        }
    }
}

/// What no editor shows is escaped.
fn write_text(text: &str, out: &mut String) {
    let is_hidden = |c: char| c.is_control() || ('\u{200b}'..='\u{202f}').contains(&c) || c == '\u{feff}';
    escaped::write_text(text, |c| !is_hidden(c), out);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_stays_on_a_line() {
        let value = json!({"a": [true, null, 1.5], "b": "\"x\"\n"});
        assert_eq!(literal(&value, Syntax::Python), r#"{"a": [True, None, 1.5], "b": "\"x\"\n"}"#);
        assert_eq!(literal(&value, Syntax::JavaScript), r#"{"a": [true, null, 1.5], "b": "\"x\"\n"}"#);
        let long = json!({"a": "x".repeat(80), "b": ["y".repeat(98), 1]});
        assert!(literal(&long, Syntax::JavaScript).lines().count() > 4);
    }
}
