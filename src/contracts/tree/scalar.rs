//! Types of plain YAML scalars: the core schema of YAML 1.2, section 10.3.2. Dates, `yes` and `on` are strings.

use super::Value;

/// The value of an unquoted scalar.
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

/// The text of a number, rewritten only where it is no JSON number: `0x1F` is `31`, `+.5` is `0.5`.
pub(super) fn number(text: &str) -> Option<String> {
    let based = |digits: &str, base| u128::from_str_radix(digits, base).ok().map(|value| value.to_string());
    if let Some(digits) = text.strip_prefix("0x") {
        return digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| based(digits, 16)).flatten();
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return digits.bytes().all(|b| b.is_ascii_digit()).then(|| based(digits, 8)).flatten();
    }
    let (sign, unsigned) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits_only = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let exponent_fits = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && digits_only(digits)
    });
    if whole.len() + fraction.len() == 0 || !digits_only(whole) || !digits_only(fraction) || !exponent_fits {
        return None;
    }
    let trimmed = whole.trim_start_matches('0');
    let whole = if trimmed.is_empty() { "0" } else { trimmed };
    let mut out = format!("{sign}{whole}");
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        out.push_str(&unsigned[mantissa.len()..=mantissa.len()]);
        out.push_str(exponent);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        for text in ["2024-01-31", "yes", "on", "1_000", "1.2.3", "0xZZ", ".", "-", "1e", "e5", "12:30:45", "+", ".e3"]
        {
            assert!(matches!(plain(text), Value::String(ref kept) if kept == text), "{text}");
        }
        assert!(matches!(plain("~"), Value::Null));
        assert!(matches!(plain("True"), Value::Bool(true)));
    }

    #[test]
    fn numbers_become_json_numbers_and_keep_their_text_where_they_are() {
        let cases = [("3.10", "3.10"), ("-0", "-0"), ("1e5", "1e5"), ("1E+5", "1E+5"), ("0x1F", "31"), ("0o17", "15")];
        for (text, json) in cases.into_iter().chain([("+.5", "0.5"), ("5.", "5"), ("007", "7"), ("-.5e1", "-0.5e1")]) {
            assert_eq!(number(text).as_deref(), Some(json), "{text}");
        }
    }
}
