//! Engine `drift`: one model in several places (a shared schema and types of services, two services' own contracts for
//! one channel, a message that several services declare), and where those say different things.
//!
//! Only what is known to be the same model is compared: a declared name of a shared schema, one channel, one message.
//! Types that merely share a name are not.

mod pairs;
mod schemas;
mod sides;
mod versions;

use indexmap::IndexMap;

use super::{KindInfo, Of};
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::model::{Shape, ShapeId, ShapeTable};
use crate::project::Project;
use crate::text::Span;

/// `of = "tables"` for the tables of requirements documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    #[serde(default)]
    of: Of,
}

const MISSING_FIELD: &str = "missing-field";
const MISSING_OPTIONAL_FIELD: &str = "missing-optional-field";
const EXTRA_FIELD: &str = "extra-field";
const FORBIDDEN_FIELD: &str = "forbidden-field";
const SUBSET: &str = "subset";
const CASING: &str = "casing";
const TYPE: &str = "type";
const ENUM_VALUE: &str = "enum-value";
const OPEN_VALUES: &str = "open-values";
const OPTIONAL: &str = "optional";
const NULLABLE: &str = "nullable";

const GAPS: &[&str] = &["field", "type", "here", "there", "expected", "actual", "via"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind(MISSING_FIELD, Severity::Error, "one side requires a member that the other does not have"),
    kind(MISSING_OPTIONAL_FIELD, Severity::Warning, "one side declares a member that the other never sends"),
    kind(EXTRA_FIELD, Severity::Info, "a type has a member that the shared schema does not declare"),
    kind(FORBIDDEN_FIELD, Severity::Error, "a type has a member although the shared schema closes the object"),
    kind(SUBSET, Severity::Info, "one side leaves out members that the other has"),
    kind(CASING, Severity::Warning, "the two sides spell a member in different casings"),
    kind(TYPE, Severity::Error, "a member has different types"),
    kind(ENUM_VALUE, Severity::Error, "one side knows a value that the other's closed set lacks"),
    kind(OPEN_VALUES, Severity::Warning, "one side has a closed set of values where the other takes any"),
    kind(OPTIONAL, Severity::Warning, "a member that one side requires may be left out on the other"),
    kind(NULLABLE, Severity::Warning, "a member may be null on one side only"),
];

/// One declaration of a model.
#[derive(Clone, Debug)]
struct End<'a> {
    shapes: &'a ShapeTable,
    shape: ShapeId,
    /// `PaymentRequest`
    name: String,
    /// Who declares it, ready to stand in a sentence.
    owner: String,
    span: Span,
    /// A document says it, where what is required is stated, rather than a type in code.
    document: bool,
    place: Place,
}

/// Whose a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Service,
    /// A document that belongs to nobody in particular.
    Shared,
}

/// Two declarations that are known to be of one model.
#[derive(Clone, Debug)]
struct Twins<'a> {
    /// Who sends it, where that is known.
    sender: End<'a>,
    receiver: End<'a>,
    /// Which of the two sends it is known.
    directed: bool,
    /// Others send on the channel too, and what one of them lacks may be theirs.
    among: bool,
    /// What says that they are one: `` `ffc-pay` ``, ready to stand in a sentence.
    via: String,
    /// Never more severe than this.
    at_most: Option<Severity>,
}

/// One way in which a declaration differs from another, from the side that is at fault if one is.
#[derive(Clone, Debug)]
struct Found {
    kind: &'static str,
    at_most: Option<Severity>,
    /// Whether the sender is at fault.
    sender: bool,
    /// From the models.
    path: String,
    /// The innermost objects around the member: at fault, other.
    owners: (Option<ShapeId>, Option<ShapeId>),
    /// Where both declare the member: at fault, other.
    spans: (Option<Span>, Option<Span>),
    /// The member at both, as far as it has a shape.
    shapes: (Option<ShapeId>, Option<ShapeId>),
    /// From its owner.
    member: String,
    expected: String,
    actual: String,
}

/// What makes two differences one.
type Cause = (&'static str, Option<Span>, Option<Span>, String);

pub(super) fn judge(params: &Drift, project: &Project, sink: &mut Sink<'_>) {
    let mut causes: IndexMap<Cause, Evidence> = IndexMap::new();
    let mut cuts = sides::Cuts::new();
    for (schema, code) in schemas::of_schemas(project, params.of) {
        for found in sides::against_schema(&schema, &code, &mut cuts) {
            note(&found, &code, &schema.end, &schema.via, &mut causes);
        }
    }
    let twins = if params.of == Of::Documents { pairs::twins(project) } else { Vec::new() };
    for twins in twins {
        for found in sides::between(&twins, &mut cuts) {
            let (here, there) =
                if found.sender { (&twins.sender, &twins.receiver) } else { (&twins.receiver, &twins.sender) };
            note(&found, here, there, &twins.via, &mut causes);
        }
    }
    cuts.iter().for_each(|what| sink.cut(".", what));
    for evidence in causes.into_values() {
        sink.report(on_this_side(project, evidence));
    }
}

/// What is at fault may be known from facts only: then it is told where this run has the other end. A reader that leaves
/// members out is at no fault.
fn on_this_side(project: &Project, mut evidence: Evidence) -> Evidence {
    let is_elsewhere = |span: Span| project.sources.get(span.file).is_elsewhere();
    if evidence.kind != SUBSET
        && is_elsewhere(evidence.span)
        && let Some(other) = evidence.related.iter_mut().find(|other| !is_elsewhere(other.span))
    {
        std::mem::swap(&mut evidence.span, &mut other.span);
        std::mem::swap(&mut evidence.label, &mut other.text);
    }
    evidence
}

fn note(found: &Found, here: &End<'_>, there: &End<'_>, via: &str, causes: &mut IndexMap<Cause, Evidence>) {
    let shape = |end: &End<'_>, id: Option<ShapeId>| id.map(|id| end.shapes.get(id).clone());
    let (mine, theirs) = (shape(here, found.owners.0), shape(there, found.owners.1));
    let span_of = |shape: &Option<Shape>| shape.as_ref().and_then(|shape| shape.span);
    let own = span_of(&mine).unwrap_or(here.span);
    let other = span_of(&theirs).unwrap_or(there.span);
    let cause = (found.kind, Some(own), Some(other), found.member.clone());
    let named = |shape: &Option<Shape>| shape.as_ref().and_then(|shape| shape.name.clone().or(shape.title.clone()));
    let type_name = named(&mine).unwrap_or_else(|| owner_name(here, &found.path));
    let twin = named(&theirs).unwrap_or_else(|| owner_name(there, &found.path));
    let there_name = match there.place {
        Place::Service if twin != type_name => format!("`{twin}` of {}", there.owner),
        _ => there.owner.clone(),
    };
    let field = if found.member.is_empty() { "the value".to_owned() } else { format!("`{}`", found.member) };
    let field = if found.kind == SUBSET { found.expected.clone() } else { field };
    let place = |end: &End<'_>, spans: Option<Span>, owner: &Option<Shape>, member: Option<ShapeId>| {
        let pointer = member.map(|id| end.shapes.get(id).pointer.clone()).filter(|pointer| !pointer.is_empty());
        let pointer = pointer.or_else(|| owner.as_ref().map(|shape| shape.pointer.clone())).unwrap_or_default();
        ContractPlace { span: spans.or(span_of(owner)).unwrap_or(end.span), pointer }
    };
    let contract = if there.document {
        Some(place(there, found.spans.1, &theirs, found.shapes.1))
    } else {
        here.document.then(|| place(here, found.spans.0, &mine, found.shapes.0))
    };
    let evidence = Evidence {
        kind: found.kind,
        span: found.spans.0.unwrap_or(own),
        label: label(found),
        related: vec![Label { span: found.spans.1.unwrap_or(other), text: there_label(found, there) }],
        operations: Vec::new(),
        field: Some(found.path.clone()).filter(|path| !path.is_empty()),
        contract,
        subject: format!("{type_name}.{} {}", found.member, here.owner),
        values: vec![
            ("field", field),
            ("type", format!("`{type_name}`")),
            ("here", here.owner.clone()),
            ("there", there_name),
            ("expected", found.expected.clone()),
            ("actual", found.actual.clone()),
            ("via", via.to_owned()),
        ],
        at_most: found.at_most,
    };
    let known = causes.entry(cause).or_insert_with(|| evidence.clone());
    // The same of another pair that says more of who sends it.
    if known.at_most.is_some() && evidence.at_most.is_none_or(|most| known.at_most < Some(most)) {
        *known = evidence;
    }
}

/// `PaymentRequest.invoiceLines[]` for an object without a name of its own.
fn owner_name(end: &End<'_>, path: &str) -> String {
    match path.rsplit_once('.') {
        Some((around, _)) => format!("{}.{around}", end.name),
        None => end.name.clone(),
    }
}

fn label(found: &Found) -> String {
    match found.kind {
        MISSING_FIELD | MISSING_OPTIONAL_FIELD => format!("has no `{}`", found.member),
        SUBSET => format!("without {}", found.expected),
        EXTRA_FIELD | FORBIDDEN_FIELD => format!("has `{}`", found.member),
        OPTIONAL => "may be left out".to_owned(),
        NULLABLE => "may be null".to_owned(),
        _ => found.actual.clone(),
    }
}

fn there_label(found: &Found, there: &End<'_>) -> String {
    match found.kind {
        MISSING_FIELD | OPTIONAL => format!("`{}` is required here", found.member),
        MISSING_OPTIONAL_FIELD => format!("`{}` is declared here", found.member),
        SUBSET => format!("as {} declares it", there.owner),
        EXTRA_FIELD => format!("declared without `{}`", found.member),
        FORBIDDEN_FIELD => "no further members are allowed here".to_owned(),
        NULLABLE => "null is not allowed here".to_owned(),
        _ => found.expected.clone(),
    }
}
