//! Numbers.

use crate::model::program::ExprKind;

/// `1_000`, `0xff`, `0o17`, `0b1`, Python 2's `017` and `1L`; what 64 bits do not hold is `Other`.
pub(super) fn integer(text: &str) -> ExprKind {
    if text.is_empty() {
        return ExprKind::Other("unreadable syntax");
    }
    let digits: String = text.chars().filter(|char| *char != '_').collect();
    let digits = digits.trim_end_matches(['l', 'L']);
    if text.ends_with(['j', 'J']) {
        return ExprKind::Other("complex number");
    }
    let (radix, digits) = match digits.get(..2) {
        Some("0x" | "0X") => (16, &digits[2..]),
        Some("0o" | "0O") => (8, &digits[2..]),
        Some("0b" | "0B") => (2, &digits[2..]),
        _ if digits.len() > 1 && digits.starts_with('0') => (8, &digits[1..]),
        _ => (10, digits),
    };
    i64::from_str_radix(digits, radix).map_or(ExprKind::Other("large integer"), ExprKind::Int)
}

/// `1_0.5e3`; a complex number is `Other`.
pub(super) fn float(text: &str) -> ExprKind {
    if text.ends_with(['j', 'J']) {
        return ExprKind::Other("complex number");
    }
    let digits: String = text.chars().filter(|char| *char != '_').collect();
    digits.parse().map_or(ExprKind::Other("unreadable syntax"), ExprKind::Float)
}
