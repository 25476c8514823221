//! Engine `contract-form`: what is wrong in a contract document that can be read.

use std::collections::BTreeSet;

use super::KindInfo;
use crate::contracts::IssueKind;
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::project::Project;

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractForm {}

const GAPS: &[&str] = &["problem", "advice", "pointer"];

const fn kind(issue: &'static str, about: &'static str) -> KindInfo {
    KindInfo { name: issue, severity: Severity::Error, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind("syntax", "the document is not well-formed YAML or JSON"),
    kind("not-a-contract", "the document is none of the contract formats"),
    kind("unresolved-reference", "a `$ref` leads nowhere"),
    kind("duplicate-key", "a key stands twice in one mapping"),
    kind("duplicate-operation", "two paths that differ in parameter names only have the same method"),
    kind("invalid-value", "a value is not what the specification allows there"),
    kind("missing-field", "a member that the specification requires is not there"),
    KindInfo {
        name: "doubtful-value",
        severity: Severity::Warning,
        about: "a value that most tools read as it was meant, and some refuse",
        gaps: GAPS,
    },
];

pub(super) fn judge(_: &ContractForm, project: &Project, sink: &mut Sink<'_>) {
    // A document that several contracts share says what is wrong with it once.
    let mut said: BTreeSet<(crate::text::Span, IssueKind, &str)> = BTreeSet::new();
    for contract in &project.contracts {
        for issue in &contract.issues {
            if !said.insert((issue.span, issue.kind, &issue.message)) {
                continue;
            }
            let related = issue.related.iter().map(|(span, text)| Label { span: *span, text: text.clone() });
            sink.report(Evidence {
                kind: issue.kind.name(),
                span: issue.span,
                label: "here".to_owned(),
                related: related.collect(),
                operations: Vec::new(),
                field: None,
                contract: Some(ContractPlace { span: issue.span, pointer: issue.pointer.clone() }),
                subject: issue.message.clone(),
                values: vec![
                    ("problem", issue.message.clone()),
                    ("advice", issue.help.clone().unwrap_or_default()),
                    ("pointer", format!("`{}`", issue.pointer)),
                ],
                at_most: None,
            });
        }
    }
}
