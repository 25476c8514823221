//! The hash that tells one document from another, whatever the order of its keys.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use super::escaped;
use crate::store::digest;

/// SHA-256, in hexadecimal, of a document as Python's `json.dumps(spec, sort_keys=True)` writes it: `", "` and `": "` as
/// separators, everything but ASCII escaped. Clients that hash with Python get the same.
pub fn spec_hash(spec: &Value) -> String {
    let mut text = String::new();
    write_value(spec, &mut text);
    digest(&text)
}

/// As deep as the document is, which its reader has limited.
fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            // By code points, which is also the order of the bytes.
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, member)) in members.into_iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write_text(key, out);
                out.push_str(": ");
                write_value(member, out);
            }
            out.push('}');
        }
    }
}

/// Only ASCII that prints is written as it is.
fn write_text(text: &str, out: &mut String) {
    escaped::write_text(text, |c| matches!(c, ' '..='~'), out);
}

/// Python's `repr` of a float: the shortest digits that give it back, with an exponent below 1e-4 and from 1e16 on.
fn write_number(number: &Number, out: &mut String) {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else {
        let _ = write!(out, "{number}");
        return;
    };
    let shortest = format!("{float:e}");
    let (digits, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{float}");
        out.push_str(&plain);
        out.push_str(if plain.contains('.') { "" } else { ".0" });
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "{digits}e{sign}{:02}", exponent.abs());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What `json.dumps` wrote of the same values.
    #[test]
    fn a_document_is_written_as_python_writes_it() {
        let value = json!({
            "b": [1, 1.0, -0.0, 1e16, 1.5e-7, 0.0001, 123_456_789_012_345_680.0, 1e22, 0.1, 1e-5, -3],
            "a": {"ü": "€\u{1F600}\u{7f}\n\"\\/", "Z": null, "é": true},
        });
        let mut text = String::new();
        write_value(&value, &mut text);
        assert_eq!(
            text,
            "{\"a\": {\"Z\": null, \"\\u00e9\": true, \"\\u00fc\": \"\\u20ac\\ud83d\\ude00\\u007f\\n\\\"\\\\/\"}, \"b\": [1, 1.0, \
             -0.0, 1e+16, 1.5e-07, 0.0001, 1.2345678901234568e+17, 1e+22, 0.1, 1e-05, -3]}"
        );
    }

    #[test]
    fn the_order_of_keys_does_not_count() {
        assert_eq!(spec_hash(&json!({"a": 1, "b": 2})), spec_hash(&json!({"b": 2, "a": 1})));
        // hashlib.sha256(json.dumps({"a": 1, "b": 2}, sort_keys=True).encode()).hexdigest()
        assert_eq!(
            spec_hash(&json!({"b": 2, "a": 1})),
            "d8497d9d82770a70729261095aa98f7ef5154d7af499f8037b6ca250296785a6"
        );
    }
}
