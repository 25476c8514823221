//! Findings that have a place of their own and no contract: what engines about files hand to the sink.

use crate::finding::{Evidence, Label, Sink};
use crate::text::Span;

/// Reports a defect of a place; `subject` is what it is about however the file around it changes.
pub(super) fn report(
    sink: &mut Sink<'_>,
    kind: &'static str,
    (span, subject): (Span, &str),
    values: &[(&'static str, &str)],
    related: &[(Span, &str)],
) {
    sink.report(Evidence {
        kind,
        span,
        label: String::new(),
        related: related.iter().map(|(span, text)| Label { span: *span, text: (*text).to_owned() }).collect(),
        operations: Vec::new(),
        field: None,
        contract: None,
        subject: subject.to_owned(),
        values: values.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(),
        at_most: None,
    });
}

/// `a`, `b` and 3 more.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let shown: Vec<String> = names.iter().take(most).map(|name| format!("`{name}`")).collect();
    let rest = names.len().saturating_sub(most);
    match (shown.as_slice(), rest) {
        ([], _) => "none".to_owned(),
        ([one], 0) => one.clone(),
        ([init @ .., last], 0) => format!("{} and {last}", init.join(", ")),
        (some, rest) => format!("{} and {rest} more", some.join(", ")),
    }
}
