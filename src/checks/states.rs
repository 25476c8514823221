//! Engine `states`: fields with a closed set of states against the registry of a requirements document, and enumerations
//! that are written as numbers where states are registered by name.

use std::collections::BTreeSet;

use super::KindInfo;
use crate::contracts::Registered;
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::model::{Kind, Literal, Shape, ShapeId, name_key};
use crate::project::{Project, Service};
use crate::text::Span;

/// It has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct States {}

/// Enumerations that one finding names; for the rest stands `…`.
const MAX_LISTED: usize = 6;

const UNREGISTERED: &str = "unregistered";
const MISSING_STATE: &str = "missing-state";
const UNKNOWN_STATE: &str = "unknown-state";
const TRANSITION: &str = "transition";
const NUMBERS: &str = "numbers";

const GAPS: &[&str] = &["field", "service", "states", "transition"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind(UNREGISTERED, Severity::Warning, "a field has states that the registry knows nothing of"),
    kind(MISSING_STATE, Severity::Error, "a field lacks states that the registry has"),
    kind(UNKNOWN_STATE, Severity::Error, "a field has states that the registry lacks"),
    kind(TRANSITION, Severity::Error, "a transition of the registry names a state that it lacks"),
    kind(NUMBERS, Severity::Error, "enumerations are written as numbers: no converter makes names of them"),
];

/// Names of fields that have states.
const FIELDS: [&str; 2] = ["status", "state"];

/// A field of a type with a closed set of values.
struct Field<'a> {
    service: &'a Service,
    /// `Order`
    model: &'a str,
    name: &'a str,
    span: Span,
    /// The type of its values, where that has a name.
    kind: Option<String>,
    values: Vec<Literal>,
}

pub(super) fn judge(_: &States, project: &Project, sink: &mut Sink<'_>) {
    let registry: Vec<&Registered> = project
        .contracts
        .iter()
        .filter_map(|contract| contract.table.as_ref())
        .flat_map(|table| &table.registry)
        .collect();
    let fields = fields(project);
    if !registry.is_empty() {
        for entry in &registry {
            transitions(entry, sink);
        }
        for field in &fields {
            let entry = registry.iter().find(|entry| is_of(entry, field));
            match entry {
                Some(entry) => compare(entry, field, sink),
                None => unregistered(field, &registry, sink),
            }
        }
    }
    numbers(project, &fields, !registry.is_empty(), sink);
}

fn is_of(entry: &Registered, field: &Field<'_>) -> bool {
    name_key(&entry.field) == name_key(field.name) && name_key(&entry.model) == name_key(field.model)
}

fn fields(project: &Project) -> Vec<Field<'_>> {
    let mut found = Vec::new();
    for service in &project.services {
        for model in &service.models {
            let view = service.shapes.view(model.shape);
            let Kind::Object(object) = &view.shape.kind else { continue };
            for field in &object.fields {
                let values = service.shapes.view(field.shape);
                let Some(closed) = values.shape.values.clone().filter(|values| values.len() > 1) else { continue };
                // The name in the service's own table of models lives as long as the service.
                let Some(name) = field_name(service, model.shape, &field.name) else { continue };
                found.push(Field {
                    service,
                    model: &model.name,
                    name,
                    span: field.span.unwrap_or(model.span),
                    kind: named(service, field.shape),
                    values: closed,
                });
            }
        }
    }
    found
}

/// The name of a member as the table of shapes keeps it.
fn field_name<'a>(service: &'a Service, id: ShapeId, name: &str) -> Option<&'a str> {
    let mut id = id;
    for _ in 0..64 {
        match &service.shapes.get(id).kind {
            Kind::Ref(target) => id = *target,
            Kind::Object(object) => {
                return object.fields.iter().find(|field| field.name == name).map(|field| field.name.as_str());
            }
            _ => return None,
        }
    }
    None
}

fn named(service: &Service, id: ShapeId) -> Option<String> {
    let view = service.shapes.view(id);
    view.shape.name.clone()
}

/// Values by themselves; nothing where one is no text.
fn texts(values: &[Literal]) -> Option<BTreeSet<&str>> {
    let mut found = BTreeSet::new();
    for value in values {
        match value {
            Literal::String(text) => found.insert(text.as_str()),
            Literal::Null => continue,
            _ => return None,
        };
    }
    Some(found)
}

fn quoted<'t>(names: impl Iterator<Item = &'t str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn report(sink: &mut Sink<'_>, kind: &'static str, field: &Field<'_>, entry: Option<&Registered>, states: String) {
    let shown = format!("{}.{}", field.model, field.name);
    sink.report(Evidence {
        kind,
        span: field.span,
        label: String::new(),
        related: entry
            .map(|entry| Label { span: entry.span, text: "registered here".to_owned() })
            .into_iter()
            .collect(),
        operations: Vec::new(),
        field: Some(field.name.to_owned()),
        contract: entry.map(|entry| ContractPlace { span: entry.span, pointer: String::new() }),
        subject: shown.clone(),
        values: vec![
            ("field", format!("`{shown}`")),
            ("service", format!("`{}`", field.service.name)),
            ("states", states),
        ],
        at_most: None,
    });
}

fn compare(entry: &Registered, field: &Field<'_>, sink: &mut Sink<'_>) {
    let Some(values) = texts(&field.values) else { return };
    let known: BTreeSet<&str> = entry.states.iter().map(String::as_str).collect();
    let unknown: Vec<&str> = values.difference(&known).copied().collect();
    let missing: Vec<&str> = known.difference(&values).copied().collect();
    if !unknown.is_empty() {
        report(sink, UNKNOWN_STATE, field, Some(entry), quoted(unknown.into_iter()));
    }
    if !missing.is_empty() {
        report(sink, MISSING_STATE, field, Some(entry), quoted(missing.into_iter()));
    }
}

fn unregistered(field: &Field<'_>, registry: &[&Registered], sink: &mut Sink<'_>) {
    let of_states = FIELDS.contains(&name_key(field.name).as_str())
        || field.kind.as_ref().is_some_and(|kind| FIELDS.iter().any(|end| name_key(kind).ends_with(end)));
    if !of_states {
        return;
    }
    // A copy of a registered one under another name, such as the body of a request.
    let same = registry.iter().find(|entry| {
        texts(&field.values).is_some_and(|values| {
            entry.states.len() == values.len() && entry.states.iter().all(|state| values.contains(state.as_str()))
        })
    });
    if same.is_none() {
        report(sink, UNREGISTERED, field, None, String::new());
    }
}

/// What the registry says of itself.
fn transitions(entry: &Registered, sink: &mut Sink<'_>) {
    for (from, to) in &entry.transitions {
        for state in [from, to] {
            if entry.states.contains(state) {
                continue;
            }
            let shown = format!("{}.{}", entry.model, entry.field);
            sink.report(Evidence {
                kind: TRANSITION,
                span: entry.span,
                label: String::new(),
                related: Vec::new(),
                operations: Vec::new(),
                field: Some(entry.field.clone()),
                contract: Some(ContractPlace { span: entry.span, pointer: String::new() }),
                subject: format!("{shown} {from} {to} {state}"),
                values: vec![
                    ("field", format!("`{shown}`")),
                    ("states", format!("`{state}`")),
                    ("transition", format!("`{from} -> {to}`")),
                ],
                at_most: None,
            });
        }
    }
}

/// Enumerations that the operations of a service take or answer as numbers, all of a service in one finding. What cannot
/// be told how it is written is no number.
fn numbers(project: &Project, fields: &[Field<'_>], registered: bool, sink: &mut Sink<'_>) {
    for service in &project.services {
        let of_operations = service.operations.iter().flat_map(|operation| {
            let sent = operation.responses.iter().flat_map(|response| &response.bodies);
            sent.chain(&operation.request.bodies).map(|body| body.shape)
        });
        let mut found: Vec<(Span, &str)> = Vec::new();
        for shape in reachable(service, of_operations.collect()) {
            let (Kind::Integer, Some(values), Some(name), Some(span)) =
                (&shape.kind, &shape.values, &shape.name, shape.span)
            else {
                continue;
            };
            let is_csharp = project.sources.path(span).rsplit('.').next() == Some("cs");
            if is_csharp && values.len() > 1 {
                found.push((span, name));
            }
        }
        found.sort_unstable();
        found.dedup();
        let Some((span, _)) = found.first() else { continue };
        let used = |name: &str| fields.iter().any(|field| field.kind.as_deref() == Some(name));
        let is_registered = registered && found.iter().any(|(_, name)| used(name));
        let mut names = quoted(found.iter().take(MAX_LISTED).map(|(_, name)| *name));
        if found.len() > MAX_LISTED {
            names.push_str(", …");
        }
        sink.report(Evidence {
            kind: NUMBERS,
            span: *span,
            label: String::new(),
            related: Vec::new(),
            operations: Vec::new(),
            field: None,
            contract: None,
            subject: service.name.clone(),
            values: vec![("field", names), ("service", format!("`{}`", service.name))],
            // Numbers are right where nobody says that there are names.
            at_most: (!is_registered).then_some(Severity::Info),
        });
    }
}

/// Every shape below these, each once.
fn reachable(service: &Service, roots: Vec<ShapeId>) -> Vec<&Shape> {
    let mut seen = vec![false; service.shapes.len()];
    let mut next = roots;
    let mut found = Vec::new();
    while let Some(id) = next.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let shape = service.shapes.get(id);
        found.push(shape);
        match &shape.kind {
            Kind::Array { prefix, items } => next.extend(prefix.iter().chain(items)),
            Kind::Object(object) => {
                next.extend(object.fields.iter().map(|field| field.shape));
                if let crate::model::Additional::Of(value) = &object.additional {
                    next.push(*value);
                }
            }
            Kind::Union(union) => next.extend(&union.options),
            Kind::Either(options) | Kind::All(options) => next.extend(options),
            Kind::Ref(target) => next.push(*target),
            _ => {}
        }
    }
    found.sort_by_key(|shape| shape.span);
    found
}
