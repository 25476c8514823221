//! For whom a change breaks something: the requests, of other services and of this one, that ask for what changed.

use rustc_hash::FxHashMap;

use super::{Change, Touched};
use crate::checks::shape::{Step, render};
use crate::finding::{Label, Severity};
use crate::model::{Action, Additional, HttpCall, Kind, Operation, ShapeId, ShapeTable};
use crate::project::{Before, Project, Service, channel_name};

/// Alternatives within alternatives are opened this deep; of a deeper one it is not said who reads it.
const MAX_DEPTH: usize = 16;

/// Requests by the operation that they ask for, as an index into the operations of back then.
pub(super) struct Callers<'a> {
    by_operation: FxHashMap<usize, Vec<(&'a Service, &'a HttpCall)>>,
    /// Operations of both versions by how they are called.
    titles: FxHashMap<String, usize>,
    services: &'a [Service],
}

impl<'a> Callers<'a> {
    /// Who asks for the operations of the service of back then at `at`; `new` are those that it serves now.
    pub(super) fn of(before: &Before, at: usize, new: &[Operation], project: &'a Project) -> Self {
        let old = &before.services[at];
        let mut titles: FxHashMap<String, usize> = FxHashMap::default();
        let mut by_key = FxHashMap::default();
        for (at, operation) in old.operations.iter().enumerate() {
            titles.entry(operation.title()).or_insert(at);
            by_key.entry((operation.method, operation.path.key())).or_insert(at);
        }
        for operation in new {
            if let Some(at) = by_key.get(&(operation.method, operation.path.key())) {
                titles.entry(operation.title()).or_insert(*at);
            }
        }
        let mut by_operation: FxHashMap<usize, Vec<_>> = FxHashMap::default();
        for caller in before.callers.iter().filter(|caller| caller.asked == at) {
            let service = &project.services[caller.service];
            by_operation.entry(caller.operation).or_default().push((service, &service.calls[caller.call]));
        }
        Callers { by_operation, titles, services: &project.services }
    }

    /// The requests that a change breaks, each with what it does. What breaks nobody by its nature has none.
    pub(super) fn broken(&self, change: &Change, severity: Severity, operations: &[String]) -> Vec<Label> {
        if severity == Severity::Info {
            return Vec::new();
        }
        if let Touched::Message(action, channel, path) = &change.touched {
            return self.at_the_other_end(change, *action, channel, path);
        }
        let asked = operations.iter().filter_map(|title| self.by_operation.get(self.titles.get(title)?));
        let mut labels: Vec<Label> = asked
            .flatten()
            .filter_map(|(service, call)| {
                let does = does(change, call, &service.shapes)?;
                let who = if call.function.is_empty() { &service.name } else { &call.function };
                Some(Label { span: call.span, text: format!("breaks: `{who}` {does}") })
            })
            .collect();
        labels.sort();
        labels.dedup();
        labels
    }

    /// Who receives what is sent, or sends what is received.
    fn at_the_other_end(&self, change: &Change, action: Action, channel: &str, path: &[Step]) -> Vec<Label> {
        let services = self.services.iter();
        let uses = services.flat_map(|service| service.messages.iter().map(move |used| (service, used)));
        let others = uses.filter(|(_, used)| used.action != action && channel_name(used) == Some(channel));
        let must_have = must_have(change);
        let mut labels: Vec<Label> = others
            .filter_map(|(service, used)| {
                let member = || -> Option<bool> { has(&service.shapes, used.payload?, path, 0) };
                let does = match (action, path.is_empty()) {
                    (Action::Send, true) => "receives it".to_owned(),
                    (Action::Receive, true) => "sends it".to_owned(),
                    (Action::Send, false) => (member() == Some(true)).then(|| format!("reads `{}`", render(path)))?,
                    (Action::Receive, false) if must_have => {
                        (member() == Some(false)).then(|| format!("does not send `{}`", render(path)))?
                    }
                    (Action::Receive, false) => {
                        (member() == Some(true)).then(|| format!("sends `{}`", render(path)))?
                    }
                };
                let who = if used.function.is_empty() { &service.name } else { &used.function };
                Some(Label { span: used.span, text: format!("breaks: `{who}` {does}") })
            })
            .collect();
        labels.sort();
        labels.dedup();
        labels
    }
}

/// Whether a change breaks those who leave something out.
fn must_have(change: &Change) -> bool {
    matches!(
        change.kind,
        "parameter-required" | "request-became-required" | "request-field-required" | "request-body-required"
    )
}

/// What a request does that the change breaks, in words; `None` where it does nothing of the kind, or nobody knows.
fn does(change: &Change, call: &HttpCall, shapes: &ShapeTable) -> Option<String> {
    let must_have = must_have(change);
    match &change.touched {
        Touched::Nothing | Touched::Message(..) | Touched::Schema => None,
        Touched::Operation => Some("calls it".to_owned()),
        Touched::Answer(path) => {
            let answer = call.answer?;
            let has = path.is_empty() || has(shapes, answer, path, 0) == Some(true);
            has.then(
                || if path.is_empty() { "reads the answer".to_owned() } else { format!("reads `{}`", render(path)) },
            )
        }
        Touched::Parameter(place, name) => {
            let gives = call.parameters.iter().any(|known| {
                known.place == *place
                    && (known.name == *name || known.name.eq_ignore_ascii_case(name))
                    && (known.required || !must_have)
            });
            match (must_have, gives) {
                (true, false) if call.other_parameters.is_none() => Some(format!("does not give `{name}`")),
                (false, true) => Some(format!("gives `{name}`")),
                _ => None,
            }
        }
        Touched::Body(path) => {
            let Some(body) = &call.body else {
                return (must_have && path.is_empty()).then(|| "sends no body".to_owned());
            };
            if path.is_empty() {
                return (!must_have).then(|| "sends a body".to_owned());
            }
            match (must_have, has(shapes, body.shape, path, 0)?) {
                (true, false) => Some(format!("does not send `{}`", render(path))),
                (false, true) => Some(format!("sends `{}`", render(path))),
                _ => None,
            }
        }
    }
}

/// Whether a shape has a member; `None` where nobody knows.
fn has(shapes: &ShapeTable, id: ShapeId, path: &[Step], depth: usize) -> Option<bool> {
    let Some((step, rest)) = path.split_first() else { return Some(true) };
    let view = shapes.view(id);
    match (&view.shape.kind, step) {
        (Kind::Object(object), Step::Field(name)) => {
            match (object.fields.iter().find(|field| field.name == *name), &object.additional) {
                (Some(field), _) => has(shapes, field.shape, rest, depth),
                (None, Additional::Of(_)) => None,
                (None, _) => Some(false),
            }
        }
        (Kind::Object(object), Step::Values) => match object.additional {
            Additional::Of(value) => has(shapes, value, rest, depth),
            _ => None,
        },
        (Kind::Array { items: Some(items), .. }, Step::Items) => has(shapes, *items, rest, depth),
        (Kind::Union(union), _) if depth < MAX_DEPTH => any(shapes, &union.options, path, depth),
        (Kind::Either(options), _) if depth < MAX_DEPTH => any(shapes, options, path, depth),
        _ => None,
    }
}

fn any(shapes: &ShapeTable, options: &[ShapeId], path: &[Step], depth: usize) -> Option<bool> {
    let known: Vec<bool> = options.iter().filter_map(|option| has(shapes, *option, path, depth + 1)).collect();
    (!known.is_empty()).then(|| known.contains(&true))
}
