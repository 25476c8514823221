//! Which types of code a schema is about.

use std::collections::{BTreeMap, BTreeSet};

use super::sides::against_schema;
use super::versions::Version;
use super::{End, Place};
use crate::checks::Of;
use crate::contracts::Declarations;
use crate::finding::Severity;
use crate::model::{Action, Kind, Literal, Model, ShapeId, ShapeTable, name_key};
use crate::project::{Answer, Project, Service};

/// A schema that types of code are held against.
#[derive(Clone, Debug)]
pub(super) struct Schema<'a> {
    pub(super) end: End<'a>,
    pub(super) via: String,
    pub(super) states_null: bool,
    pub(super) at_most: Option<Severity>,
}

/// Every shared schema with each service's type of its name.
pub(super) fn of_schemas(project: &Project, of: Of) -> Vec<(Schema<'_>, End<'_>)> {
    let mut found = Vec::new();
    if of == Of::Tables {
        of_tables(project, &mut found);
        return found;
    }
    of_models(project, &mut found);
    for link in project.links.iter().filter(|link| !link.unrelated) {
        let contract = &project.contracts[link.contract];
        for (at, service) in project.services.iter().enumerate().filter(|(at, _)| *at != link.service) {
            let keeps = project.links.iter().any(|other| other.service == at && other.contract == link.contract);
            if keeps || !asks(project, at, link.contract) {
                continue;
            }
            for (name, shape) in &contract.components {
                let types: Vec<&Model> =
                    service.models.iter().filter(|declared| name_key(&declared.name) == name_key(name)).collect();
                if types.is_empty() {
                    continue;
                }
                let read =
                    service.calls.iter().filter_map(|call| call.answer).any(|answer| {
                        service.shapes.get(innermost(&service.shapes, answer)).name.as_deref() == Some(name)
                    });
                let at_most = if read { Severity::Warning } else { Severity::Info };
                let span = contract.shapes.get(*shape).span.unwrap_or(contract.paths);
                let schema = schema(project, contract, (name, *shape), span, Some(at_most));
                found.extend(nearest(service, &schema, types.into_iter()).map(|code| (schema.clone(), code)));
            }
        }
    }
    found
}

/// Shared models with each service's type of their name. Of versions of one document, and of a schema and what it defines
/// under its own name, code keeps the one that it comes nearest to.
fn of_models<'a>(project: &'a Project, found: &mut Vec<(Schema<'a>, End<'a>)>) {
    let mut by_name: BTreeMap<(String, String), Vec<Schema<'a>>> = BTreeMap::new();
    for contract in &project.contracts {
        let Some(models) = &contract.models else { continue };
        let family = Version::of(&project.sources.get(contract.file).path).family;
        for model in models {
            let name = model.names.first().map_or("", String::as_str);
            let schema = schema(project, contract, (name, model.shape), model.span, None);
            let keys: BTreeSet<String> = model.names.iter().map(|name| name_key(name)).collect();
            for key in keys {
                by_name.entry((key, family.clone())).or_default().push(schema.clone());
            }
        }
    }
    for service in &project.services {
        let mut types: BTreeMap<String, Vec<&Model>> = BTreeMap::new();
        for model in &service.models {
            types.entry(name_key(&model.name)).or_default().push(model);
        }
        for (key, types) in types {
            for ((_, _), schemas) in
                by_name.range((key.clone(), String::new())..).take_while(|((name, _), _)| *name == key)
            {
                pair(service, schemas, &types, found);
            }
        }
    }
}

/// The type of a name that comes nearest to one of the schemas that are one; every type that is known to be sent.
fn pair<'a>(service: &'a Service, schemas: &[Schema<'a>], types: &[&'a Model], found: &mut Vec<(Schema<'a>, End<'a>)>) {
    let kept = |model: &&'a Model| {
        let end = of_model(service, model);
        let fitting = schemas.iter().filter(|schema| resembles(&end, &schema.end));
        let nearest = fitting.map(|schema| (against_schema(schema, &end, &mut BTreeSet::new()).len(), schema));
        nearest
            .min_by_key(|(differences, _)| *differences)
            .map(|(differences, schema)| (differences, schema, end.clone()))
    };
    let mut rest = Vec::new();
    let mut sent = 0;
    for model in types {
        let Some(kept) = kept(model) else { continue };
        if is_sent(service, model) {
            found.push((kept.1.clone(), kept.2));
            sent += 1;
        } else {
            rest.push(kept);
        }
    }
    if sent == 0 {
        let nearest = rest.into_iter().min_by_key(|(differences, _, end)| (*differences, end.span));
        found.extend(nearest.map(|(_, schema, end)| (schema.clone(), end)));
    }
}

/// Whether the service sends messages of a type.
fn is_sent(service: &Service, model: &Model) -> bool {
    let shape = service.shapes.view(model.shape);
    let is_it = |payload: ShapeId| {
        let view = service.shapes.view(innermost(&service.shapes, payload));
        view.shape.name.is_some() && view.shape.name == shape.shape.name && view.shape.span == shape.shape.span
    };
    service.messages.iter().filter(|it| it.action == Action::Send).filter_map(|it| it.payload).any(is_it)
}

/// Whether a service calls operations of a contract.
fn asks(project: &Project, service: usize, contract: usize) -> bool {
    let found = |answer: &Answer| matches!(answer, Answer::Found { of, .. } if *of == contract);
    project.asked.iter().any(|asked| asked.service == service && found(&asked.contract))
}

/// Types that the rows of a table name, with those of its callers: services that ask for its rows, or that do
/// nothing that a server does.
fn of_tables<'a>(project: &'a Project, found: &mut Vec<(Schema<'a>, End<'a>)>) {
    for (at, contract) in project.contracts.iter().enumerate() {
        let Some(table) = &contract.table else { continue };
        for model in &table.types {
            let name = model.names.first().map_or("", String::as_str);
            let schema = schema(project, contract, (name, model.shape), model.span, None);
            for (service_at, service) in project.services.iter().enumerate() {
                let links = project.table_links.iter().filter(|link| link.contract == at && link.service == service_at);
                let serves = links.flat_map(|link| &link.pairs).any(|pair| !pair.served.is_empty());
                // What serves routes of its own, or handles messages, is no caller unless it is seen to call.
                let is_client = service.operations.is_empty() && service.messages.is_empty();
                if !serves && (is_client || asks(project, service_at, at)) {
                    let types = service.models.iter().filter(|declared| declared.name == name);
                    found.extend(nearest(service, &schema, types).map(|code| (schema.clone(), code)));
                }
            }
        }
    }
}

fn schema<'a>(
    project: &'a Project,
    contract: &'a Declarations,
    (name, shape): (&str, ShapeId),
    span: crate::text::Span,
    at_most: Option<Severity>,
) -> Schema<'a> {
    let path = &project.sources.get(contract.file).path;
    let end = End {
        shapes: &contract.shapes,
        shape,
        name: name.to_owned(),
        owner: format!("`{path}`"),
        span,
        document: true,
        place: Place::Shared,
    };
    Schema { end, via: format!("`{name}`"), states_null: contract.states_null, at_most }
}

/// The declaration behind lists.
fn innermost(shapes: &ShapeTable, id: ShapeId) -> ShapeId {
    let mut id = id;
    for _ in 0..8 {
        match &shapes.view(id).shape.kind {
            Kind::Array { items: Some(items), .. } => id = *items,
            _ => break,
        }
    }
    shapes.view(id).id
}

/// Of several types of one name, the one that differs least; none that has nothing in common with the schema.
fn nearest<'a>(service: &'a Service, schema: &Schema<'_>, types: impl Iterator<Item = &'a Model>) -> Option<End<'a>> {
    let ends = types.filter_map(|model| {
        let end = of_model(service, model);
        resembles(&end, &schema.end).then(|| (against_schema(schema, &end, &mut BTreeSet::new()).len(), end))
    });
    ends.min_by_key(|(differences, end)| (*differences, end.span)).map(|(_, end)| end)
}

/// Whether two objects have half of their members in common, of the one that has fewer, and two sets of values any, however
/// those are cased; what is neither does.
pub(super) fn resembles(one: &End<'_>, other: &End<'_>) -> bool {
    let texts = |end: &End<'_>| -> Option<BTreeSet<String>> {
        let view = end.shapes.view(end.shape);
        let values = view.shape.values.as_ref()?;
        let text = |value: &Literal| match value {
            Literal::String(text) => Some(name_key(text)),
            _ => None,
        };
        values.iter().filter(|value| !matches!(value, Literal::Null)).map(text).collect()
    };
    if let (Some(one), Some(other)) = (texts(one), texts(other))
        && !one.is_empty()
        && !other.is_empty()
    {
        return !one.is_disjoint(&other);
    }
    let names = |end: &End<'_>| -> Option<BTreeSet<String>> {
        match &end.shapes.view(end.shape).shape.kind {
            Kind::Object(object) if !object.fields.is_empty() => {
                Some(object.fields.iter().map(|field| name_key(&field.name)).collect())
            }
            _ => None,
        }
    };
    match (names(one), names(other)) {
        (Some(one), Some(other)) => one.intersection(&other).count() * 2 >= one.len().min(other.len()),
        _ => true,
    }
}

pub(super) fn of_model<'a>(service: &'a Service, model: &Model) -> End<'a> {
    End {
        shapes: &service.shapes,
        shape: model.shape,
        name: model.name.clone(),
        owner: format!("`{}`", service.name),
        span: model.span,
        document: false,
        place: Place::Service,
    }
}
