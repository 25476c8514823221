//! One cause, one finding: what several operations get wrong in the same way is reported once, with all of them; and the
//! places and names that such findings show.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::shape::{Side, Step};
use crate::contracts::Declarations;
use crate::finding::{ContractPlace, Evidence, Sink};
use crate::model::{Kind, Operation, ShapeId};
use crate::project::Project;
use crate::text::Span;

/// What makes two disagreements the same cause: kind, type in code, member, schema.
pub(super) type Cause = (&'static str, Option<Span>, String, String, Option<Span>, String);

struct Report {
    evidence: Evidence,
    /// Contract and operation, so that operations come out in the contract's order.
    operations: BTreeSet<(usize, usize)>,
}

/// Causes in the order in which they were found.
#[derive(Default)]
pub(super) struct Causes {
    found: IndexMap<Cause, Report>,
}

impl Causes {
    /// Adds what the operation of a contract, both by index, gets wrong. The evidence of a cause that is known already is
    /// dropped.
    pub(super) fn add(&mut self, cause: Cause, evidence: Evidence, operation: (usize, usize)) {
        let report = self.found.entry(cause).or_insert_with(|| Report { evidence, operations: BTreeSet::new() });
        report.operations.insert(operation);
    }

    /// Hands every cause to the sink, with its operations and the gap `operation` filled in.
    pub(super) fn report(self, project: &Project, sink: &mut Sink<'_>) {
        for report in self.found.into_values() {
            let titles =
                report.operations.iter().map(|(contract, at)| project.contracts[*contract].operations[*at].title());
            let operations: Vec<String> = titles.collect();
            let mut evidence = report.evidence;
            let more = operations.len().saturating_sub(1);
            let title = operations.first().map_or("", String::as_str);
            let shown = if more == 0 { format!("`{title}`") } else { format!("`{title}` and {more} more") };
            evidence.values.push(("operation", shown));
            evidence.operations = operations;
            sink.report(evidence);
        }
    }
}

/// Who answers an operation, in words.
pub(super) fn handler(served: &Operation) -> String {
    match &served.implementation {
        // Described, where it has no name.
        Some(code) if code.handler.contains(' ') => "the handler".to_owned(),
        Some(code) => format!("`{}`", code.handler),
        None => "the route".to_owned(),
    }
}

/// Where a route says what it answers and takes; the handler, where the route is registered by code of another file, which
/// serves many.
pub(super) fn route_span(served: &Operation, stated: Span) -> Span {
    let handler = served.implementation.as_ref().and_then(|code| code.handler_span);
    handler.filter(|handler| handler.file != stated.file).unwrap_or(stated)
}

/// The place of a member in the contract: where its object declares it, else its schema, else what encloses it: the
/// `whole` that was compared, which stands there.
pub(super) fn contract_place(
    contract: &Declarations,
    (whole, span_of_whole): (ShapeId, Span),
    side: &Side,
    member: &[Step],
) -> ContractPlace {
    let shapes = &contract.shapes;
    let pointer_of = |id: ShapeId| Some(shapes.get(id).pointer.clone()).filter(|pointer| !pointer.is_empty());
    let declared = match (member, side.owner, side.shape) {
        ([Step::Field(name)], Some(owner), Some(_)) if matches!(shapes.get(owner).kind, Kind::Object(_)) => {
            pointer_of(owner).map(|pointer| format!("{pointer}/properties/{}", escaped(name)))
        }
        _ => None,
    };
    let around = side.owner.unwrap_or(whole);
    let pointer = declared.or_else(|| side.shape.and_then(pointer_of)).or_else(|| pointer_of(around));
    let span = side.span.or_else(|| side.shape.and_then(|id| shapes.get(id).span));
    let span = span.or_else(|| shapes.get(around).span).unwrap_or(span_of_whole);
    ContractPlace { span, pointer: pointer.unwrap_or_default() }
}

/// RFC 6901, section 3.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
