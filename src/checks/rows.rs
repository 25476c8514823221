//! Engine `rows`: what is wrong with the rows of a requirements document.

use super::KindInfo;
use crate::contracts::RowIssueKind;
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::project::Project;

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rows {}

const GAPS: &[&str] = &["row", "problem"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind("malformed", Severity::Warning, "a row cannot be read"),
    kind("duplicate-id", Severity::Warning, "two rows have one id"),
    kind("duplicate-operation", Severity::Warning, "two rows are about one method and path"),
    kind("unknown-type", Severity::Info, "a row has a word for a type that is none"),
];

fn name(kind: RowIssueKind) -> &'static str {
    match kind {
        RowIssueKind::Malformed => "malformed",
        RowIssueKind::DuplicateId => "duplicate-id",
        RowIssueKind::DuplicateOperation => "duplicate-operation",
        RowIssueKind::UnknownType => "unknown-type",
    }
}

pub(super) fn judge(_: &Rows, project: &Project, sink: &mut Sink<'_>) {
    for table in project.contracts.iter().filter_map(|contract| contract.table.as_ref()) {
        for issue in &table.issues {
            let related = issue.related.map(|span| Label { span, text: "the first one".to_owned() });
            sink.report(Evidence {
                kind: name(issue.kind),
                span: issue.span,
                label: "here".to_owned(),
                related: related.into_iter().collect(),
                operations: Vec::new(),
                field: None,
                contract: Some(ContractPlace { span: issue.span, pointer: issue.row.clone() }),
                subject: format!("{} {}", issue.row, issue.message),
                values: vec![("row", format!("`{}`", issue.row)), ("problem", issue.message.clone())],
                at_most: None,
            });
        }
    }
}
