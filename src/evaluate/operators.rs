//! Operators on values: sums, unions, slices, formats, comparisons.

use std::rc::Rc;

use super::value::{UNKNOWN_PART, Value};
use crate::model::program::{BinaryOp, CompareOp};
use crate::text::Span;

pub(super) fn union<'p>(left: Value<'p>, right: Value<'p>) -> Value<'p> {
    let mut options: Vec<Value<'p>> = Vec::new();
    for side in [left, right] {
        match side {
            Value::Union(inner) => options.extend(inner.iter().cloned()),
            other => options.push(other),
        }
    }
    Value::union(options)
}

pub(super) fn slice<'p>(
    value: &Value<'p>,
    lower: Option<Value<'p>>,
    upper: Option<Value<'p>>,
    site: Span,
) -> Value<'p> {
    let bound = |bound: Option<Value<'p>>, length: usize, otherwise: usize| match bound {
        None | Some(Value::None) => Some(otherwise),
        Some(Value::Int(at)) if at < 0 => Some(length.saturating_sub(at.unsigned_abs() as usize)),
        Some(Value::Int(at)) => Some((at as usize).min(length)),
        _ => None,
    };
    let unknown = Value::Unknown("bounds of a slice are not known", Some(site));
    if let Value::Str(text) = value {
        let chars: Vec<char> = text.chars().collect();
        let (Some(from), Some(to)) = (bound(lower, chars.len(), 0), bound(upper, chars.len(), chars.len())) else {
            return unknown;
        };
        return Value::str(chars.get(from..to.max(from)).unwrap_or_default().iter().collect::<String>());
    }
    let Some(items) = value.elements() else { return unknown };
    let (Some(from), Some(to)) = (bound(lower, items.len(), 0), bound(upper, items.len(), items.len())) else {
        return unknown;
    };
    Value::list(items.get(from..to.max(from)).unwrap_or_default().to_vec())
}

pub(super) fn binary<'p>(op: BinaryOp, left: Value<'p>, right: Value<'p>, site: Span) -> Value<'p> {
    match (op, &left, &right) {
        (BinaryOp::Add, Value::Str(a), Value::Str(b)) => Value::str(format!("{a}{b}")),
        (BinaryOp::Add, Value::Str(a) | Value::Pattern(a), Value::Str(b) | Value::Pattern(b)) => {
            Value::Pattern(Rc::from(format!("{a}{b}")))
        }
        (BinaryOp::Add, Value::Str(a) | Value::Pattern(a), _) => Value::Pattern(Rc::from(format!("{a}{UNKNOWN_PART}"))),
        (BinaryOp::Add, _, Value::Str(b) | Value::Pattern(b)) => Value::Pattern(Rc::from(format!("{UNKNOWN_PART}{b}"))),
        (BinaryOp::Add, Value::Tuple(a), Value::Tuple(b)) => {
            Value::Tuple(a.iter().chain(b.iter()).cloned().collect::<Vec<_>>().into())
        }
        (BinaryOp::Add, Value::List(_) | Value::Tuple(_), Value::List(_) | Value::Tuple(_)) => {
            let mut all = left.elements().unwrap_or_default();
            all.extend(right.elements().unwrap_or_default());
            Value::list(all)
        }
        // What is known of a sum of lists is kept.
        (BinaryOp::Add, Value::List(_), _) => left,
        (BinaryOp::Add, _, Value::List(_)) => right,
        (BinaryOp::BitOr, Value::Dict(a), Value::Dict(b)) => {
            let mut dict = a.borrow().clone();
            dict.merge(&b.borrow());
            Value::Dict(Rc::new(std::cell::RefCell::new(dict)))
        }
        (BinaryOp::BitOr, Value::Dict(_), Value::Unknown(..)) => left,
        (BinaryOp::BitOr, Value::Unknown(..), Value::Dict(_)) => right,
        (BinaryOp::BitOr, ..) => union(left, right),
        (BinaryOp::Modulo, Value::Str(format), _) => percent_format(format, &right, site),
        (_, Value::Int(a), Value::Int(b)) => {
            let result = match op {
                BinaryOp::Add => a.checked_add(*b),
                BinaryOp::Subtract => a.checked_sub(*b),
                BinaryOp::Multiply => a.checked_mul(*b),
                BinaryOp::Modulo => a.checked_rem_euclid(*b),
                BinaryOp::FloorDivide => a.checked_div_euclid(*b),
                BinaryOp::Power => u32::try_from(*b).ok().and_then(|b| a.checked_pow(b)),
                _ => None,
            };
            result.map_or(Value::Unknown("arithmetic", Some(site)), Value::Int)
        }
        (_, Value::Unknown(why, place), _) | (_, _, Value::Unknown(why, place)) => {
            Value::Unknown(why, place.or(Some(site)))
        }
        _ => Value::Unknown("operator on values that are not followed", Some(site)),
    }
}

/// `"…%s…" % values`, for `%s` and `%d` only.
pub(super) fn percent_format<'p>(format: &str, values: &Value<'p>, site: Span) -> Value<'p> {
    let mut values = match values {
        Value::Tuple(items) => items.to_vec(),
        other => vec![other.clone()],
    }
    .into_iter();
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let directive = rest[at + 1..].chars().next();
        match directive {
            Some('%') => out.push('%'),
            Some('s' | 'd') => match values.next() {
                Some(Value::Str(text)) => out.push_str(&text),
                Some(Value::Int(value)) => out.push_str(&value.to_string()),
                _ => return Value::Unknown("part of a string is not known", Some(site)),
            },
            _ => return Value::Unknown("format directive", Some(site)),
        }
        rest = &rest[at + 2..];
    }
    out.push_str(rest);
    Value::str(out)
}

pub(super) fn compare<'p>(op: CompareOp, left: &Value<'p>, right: &Value<'p>, site: Span) -> Value<'p> {
    let unknown = Value::made_of(&[left, right], "comparison of what is not known", site);
    if left.is_unknown() || right.is_unknown() {
        return unknown;
    }
    let plain = left.is_plain() && right.is_plain();
    let contains = || match (left, right) {
        (Value::Str(part), Value::Str(text)) => Some(text.contains(&**part)),
        (_, Value::Dict(dict)) if !dict.borrow().open => Some(dict.borrow().get(left).is_some()),
        _ => right.elements().map(|items| items.iter().any(|item| item.same(left))),
    };
    let answer = match op {
        CompareOp::Is | CompareOp::IsNot => {
            if matches!(left, Value::None) || matches!(right, Value::None) {
                Some(left.same(right) == (op == CompareOp::Is))
            } else {
                None
            }
        }
        CompareOp::Equal if plain => Some(left.same(right)),
        CompareOp::NotEqual if plain => Some(!left.same(right)),
        CompareOp::Less | CompareOp::LessEqual | CompareOp::Greater | CompareOp::GreaterEqual => match (left, right) {
            (Value::Int(left), Value::Int(right)) => Some(match op {
                CompareOp::Less => left < right,
                CompareOp::LessEqual => left <= right,
                CompareOp::Greater => left > right,
                _ => left >= right,
            }),
            _ => None,
        },
        CompareOp::In if plain => contains(),
        CompareOp::NotIn if plain => contains().map(|found| !found),
        _ => None,
    };
    answer.map_or(unknown, Value::Bool)
}
