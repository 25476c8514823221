//! What findings of requests show.

use super::{NO_OPERATION, OTHER_METHOD, UNCALLED};
use crate::finding::{ContractPlace, Evidence, Label, Severity};
use crate::model::{HttpCall, Operation};
use crate::project::Project;

/// Who answers: a service, or a contract.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// Index of the service among those of the project, where the place is in one.
    pub(super) at: usize,
    /// Index of the contract among those of the project, where the promise is a contract's.
    pub(super) contract: Option<usize>,
    name: &'a str,
}

impl<'a> Place<'a> {
    pub(super) fn new(is_contract: bool, of: usize, project: &'a Project) -> Self {
        if is_contract {
            let name = super::contract_name(&project.contracts[of], project);
            Place { at: of, contract: Some(of), name }
        } else {
            Place { at: of, contract: None, name: &project.services[of].name }
        }
    }
}

/// `GET /users/{p1}`
pub(super) fn title(call: &HttpCall) -> String {
    let method = call.method.as_ref().map_or("?", |method| method.name());
    let path = call.url.as_ref().map_or("?", |url| url.path.text());
    format!("{method} {path}")
}

fn because(doubt: Option<&str>) -> String {
    doubt.map(|why| format!(" ({why})")).unwrap_or_default()
}

fn values(call: &HttpCall, operation: &str, place: Place<'_>, doubt: Option<&str>) -> Vec<(&'static str, String)> {
    vec![
        ("request", format!("`{}`", title(call))),
        ("operation", format!("`{operation}`")),
        ("provider", format!("`{}`", place.name)),
        ("reason", because(doubt)),
    ]
}

pub(super) fn no_operation(call: &HttpCall, place: Place<'_>, doubt: Option<&str>) -> Evidence {
    let title = title(call);
    Evidence {
        kind: NO_OPERATION,
        span: call.span,
        label: "asked here".to_owned(),
        related: Vec::new(),
        operations: vec![title.clone()],
        field: None,
        contract: None,
        subject: title.clone(),
        values: values(call, &title, place, doubt),
        at_most: doubt.map(|_| Severity::Info),
    }
}

pub(super) fn other_method(call: &HttpCall, operation: &Operation, place: Place<'_>, doubt: Option<&str>) -> Evidence {
    Evidence {
        kind: OTHER_METHOD,
        span: call.span,
        label: "asked here".to_owned(),
        related: vec![Label { span: operation.span, text: "the path with another method".to_owned() }],
        operations: vec![operation.title()],
        field: None,
        contract: contract_place(operation, place),
        subject: title(call),
        values: values(call, &operation.title(), place, doubt),
        at_most: doubt.map(|_| Severity::Info),
    }
}

fn contract_place(operation: &Operation, place: Place<'_>) -> Option<ContractPlace> {
    place.contract.map(|_| ContractPlace { span: operation.span, pointer: operation.pointer.clone() })
}

/// Something about what a request gives, or takes its answer for.
pub(super) struct Particular {
    pub(super) kind: &'static str,
    /// ``query parameter `page` ``
    pub(super) subject: String,
    pub(super) field: Option<String>,
    pub(super) expected: String,
    pub(super) actual: String,
    pub(super) label: String,
    pub(super) there: Label,
}

pub(super) fn particular(
    call: &HttpCall,
    operation: &Operation,
    place: Place<'_>,
    found: Particular,
    doubt: Option<&'static str>,
) -> Evidence {
    let mut values = values(call, &operation.title(), place, doubt);
    values.extend([("subject", found.subject.clone()), ("expected", found.expected), ("actual", found.actual)]);
    Evidence {
        kind: found.kind,
        span: call.span,
        label: found.label,
        related: vec![found.there],
        operations: vec![operation.title()],
        field: found.field,
        contract: contract_place(operation, place),
        subject: format!("{} {}", operation.title(), found.subject),
        values,
        at_most: doubt.map(|_| Severity::Info),
    }
}

/// Says why something may be no fault.
pub(super) fn tell(evidence: &mut Evidence, doubt: &str) {
    for (gap, value) in &mut evidence.values {
        if *gap == "reason" {
            *value = because(Some(doubt));
        }
    }
}

pub(super) fn uncalled(operation: &Operation, place: Place<'_>) -> Evidence {
    let title = operation.title();
    Evidence {
        kind: UNCALLED,
        span: operation.span,
        label: "served here".to_owned(),
        related: Vec::new(),
        operations: vec![title.clone()],
        field: None,
        contract: contract_place(operation, place),
        subject: title.clone(),
        values: vec![("operation", format!("`{title}`")), ("provider", format!("`{}`", place.name))],
        at_most: None,
    }
}
