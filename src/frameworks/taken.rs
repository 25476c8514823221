//! What routes take, put together of what frameworks find of it: parameters by name, objects whose members are
//! parameters, bodies and the fields of forms.

mod read;

use crate::evaluate::Value;
use crate::finding::Reason;
use crate::model::{
    Additional, Body, Field, Kind, Object, Parameter, ParameterPlace, PathTemplate, Request, Shape, ShapeId, ShapeTable,
};
use crate::text::Span;

pub(super) use read::{Reading, read, reads_of};

pub(super) const JSON: &str = "application/json";
pub(super) const MULTIPART: &str = "multipart/form-data";
pub(super) const URLENCODED: &str = "application/x-www-form-urlencoded";

/// Whether two parameters of a place are the same: names of headers have no case.
fn is_same(place: ParameterPlace, one: &str, other: &str) -> bool {
    if place == ParameterPlace::Header { one.eq_ignore_ascii_case(other) } else { one == other }
}

/// Adds a parameter; of one that is known, what was said first holds.
pub(super) fn add(request: &mut Request, parameter: Parameter) {
    let same = |known: &Parameter| known.place == parameter.place && is_same(known.place, &known.name, &parameter.name);
    if !parameter.name.is_empty() && !request.parameters.iter().any(same) {
        request.parameters.push(parameter);
    }
}

/// Puts what is declared of a parameter in the place of what is known of it.
pub(super) fn declare(request: &mut Request, parameter: Parameter) {
    let same = |known: &Parameter| known.place == parameter.place && is_same(known.place, &known.name, &parameter.name);
    request.parameters.retain(|known| !same(known));
    add(request, parameter);
}

/// Takes every member of an object as a parameter. What is no object of known members may take others.
pub(super) fn members(request: &mut Request, table: &ShapeTable, shape: ShapeId, place: ParameterPlace, site: Span) {
    let mut open = None;
    for field in fields(table, shape, &mut open, 0) {
        let span = field.span.unwrap_or(site);
        let Field { name, shape, required, .. } = field;
        add(request, Parameter { name, place, required, shape, span });
    }
    if let Some(why) = open.filter(|_| place != ParameterPlace::Path) {
        let why = Reason { span: why.span.or(Some(site)), ..why };
        request.other_parameters.get_or_insert(why);
    }
}

/// Alternatives within alternatives are looked into this deep; names that are not known may be taken then.
const MAX_DEPTH: u32 = 12;

/// The members that a value may have, those of alternatives joined; why there may be others.
fn fields(table: &ShapeTable, shape: ShapeId, open: &mut Option<Reason>, depth: u32) -> Vec<Field> {
    let view = table.view(shape);
    let mut not_known = |why: &str| {
        open.get_or_insert_with(|| Reason::new(why, view.shape.span));
    };
    match &view.shape.kind {
        Kind::Object(object) => {
            match object.additional {
                Additional::Open | Additional::Closed => {}
                Additional::Of(values) => match &table.view(values).shape.kind {
                    Kind::Unknown(why) => {
                        open.get_or_insert_with(|| why.clone());
                    }
                    Kind::Never => {}
                    _ => not_known("names are whatever the caller gives"),
                },
            }
            object.fields.clone()
        }
        Kind::Union(crate::model::Union { options, .. }) | Kind::Either(options) if depth < MAX_DEPTH => {
            let all: Vec<Vec<Field>> = options
                .iter()
                .filter(|option| !matches!(table.view(**option).shape.kind, Kind::Null))
                .map(|option| fields(table, *option, open, depth + 1))
                .collect();
            let mut joined: Vec<Field> = Vec::new();
            let mut counts: rustc_hash::FxHashMap<String, (usize, usize, bool)> = rustc_hash::FxHashMap::default();
            for field in all.iter().flatten() {
                let next = joined.len();
                let (_, count, required) = counts.entry(field.name.clone()).or_insert((next, 0, true));
                *count += 1;
                *required &= field.required;
                if *count == 1 {
                    joined.push(field.clone());
                }
            }
            for field in &mut joined {
                if let Some((_, count, required)) = counts.get(&field.name) {
                    field.required = *required && *count == all.len();
                    field.always = field.required;
                }
            }
            joined
        }
        Kind::Unknown(why) => {
            open.get_or_insert_with(|| why.clone());
            Vec::new()
        }
        Kind::Null | Kind::Never => Vec::new(),
        _ => {
            not_known("names are whatever the caller gives");
            Vec::new()
        }
    }
}

/// Adds a body of one medium, required where it has a member that is.
pub(super) fn body(request: &mut Request, table: &ShapeTable, media: &str, shape: ShapeId, span: Span) {
    let mut open = None;
    let fields = fields(table, shape, &mut open, 0);
    let view = table.view(shape);
    let required = match &view.shape.kind {
        Kind::Object(_) | Kind::Union(_) | Kind::Either(_) => fields.iter().any(|field| field.required),
        Kind::Unknown(_) | Kind::Any | Kind::Null => false,
        _ => !view.nullable,
    };
    request.bodies.push(Body { media: media.to_owned(), shape, span, required });
}

/// An object of these members; `open` is why there may be others.
pub(super) fn object(table: &mut ShapeTable, fields: Vec<Field>, open: Option<Reason>, span: Span) -> ShapeId {
    let additional = match open {
        None => Additional::Open,
        Some(why) => Additional::Of(table.add(Shape::new(Kind::Unknown(why)).at(Some(span)))),
    };
    table.add(Shape::new(Kind::Object(Object { fields, additional })).at(Some(span)))
}

/// A member of such an object.
pub(super) fn field(name: &str, shape: ShapeId, required: bool, span: Span) -> Field {
    Field { name: name.to_owned(), shape, required, always: required, span: Some(span), declared: None }
}

/// A file in a form, or several of one name.
pub(super) fn file(table: &mut ShapeTable, several: bool, span: Span) -> ShapeId {
    let mut shape = Shape::new(Kind::String).at(Some(span));
    shape.format = Some("binary".to_owned());
    let file = table.add(shape);
    if several { table.add(Shape::new(Kind::Array { prefix: Vec::new(), items: Some(file) })) } else { file }
}

/// The members of a body and more; where it has none that are known, these beside it.
pub(super) fn with_fields(table: &mut ShapeTable, shape: ShapeId, more: Vec<Field>, span: Span) -> ShapeId {
    let more = more.into_iter();
    let known = match &table.view(shape).shape.kind {
        Kind::Object(object) => object.clone(),
        Kind::Unknown(why) => {
            let why = why.clone();
            return object(table, more.collect(), Some(why), span);
        }
        _ => {
            return object(
                table,
                more.collect(),
                Some(Reason::new("what else is taken is not known", Some(span))),
                span,
            );
        }
    };
    let mut joined = known;
    for field in more {
        if !joined.fields.iter().any(|known| known.name == field.name) {
            joined.fields.push(field);
        }
    }
    let whole = Shape { kind: Kind::Object(joined), ..table.view(shape).shape.into_owned() };
    table.add(Shape { name: None, ..whole })
}

/// The names in the path of a route.
pub(super) fn names_in_path(path: &Value) -> Vec<String> {
    let Some(path) = path.as_str() else { return Vec::new() };
    PathTemplate::new(path).parameters().map(str::to_owned).collect()
}
