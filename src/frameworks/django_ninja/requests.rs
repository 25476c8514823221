//! What an operation takes, by the types and defaults of its parameters. Follows `ninja.signature.details.ViewSignature`.

use super::responses::{Page, page_of};
use crate::evaluate::{Evaluator, Made, Value, last};
use crate::finding::Reason;
use crate::frameworks::{Route, Schemas, reads, returned, taken};
use crate::languages::python::schema::{self, Taken, is_model, taken_as};
use crate::languages::python::signature::{Parameter as Declared, signature};
use crate::model::{
    Additional, Body, Field, Kind, Method, Object, Parameter, ParameterPlace, PathTemplate, Request, Shape, ShapeId,
};
use crate::text::Span;

/// Whether a name is one of `Query`, `Path`, `Body` and the like, which say where a parameter is taken from.
pub(super) fn describes(name: &str) -> bool {
    place_of(name).is_some()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Parameter(ParameterPlace),
    Body,
    Form,
    File,
}

fn place_of(name: &str) -> Option<Place> {
    Some(match name {
        "Path" | "PathEx" => Place::Parameter(ParameterPlace::Path),
        "Query" | "QueryEx" => Place::Parameter(ParameterPlace::Query),
        "Header" | "HeaderEx" => Place::Parameter(ParameterPlace::Header),
        "Cookie" | "CookieEx" => Place::Parameter(ParameterPlace::Cookie),
        "Body" | "BodyEx" => Place::Body,
        "Form" | "FormEx" => Place::Form,
        "File" | "FileEx" => Place::File,
        _ => return None,
    })
}

/// A parameter in its place.
struct Part<'p> {
    place: Place,
    name: String,
    kind: Value<'p>,
    required: bool,
    span: Span,
}

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    _: Method,
) -> Request {
    let site = route.draft.site;
    let Ok(parameters) = signature(evaluator, route.handler) else {
        return Request::unknown(Reason::new("what an operation takes is not known", Some(site)));
    };
    let python = schemas.python();
    let mut request = Request::default();
    let unclear = |request: &mut Request, why: String, span: Span| {
        request.other_parameters.get_or_insert_with(|| Reason::new(why.clone(), Some(span)));
        request.other_bodies.get_or_insert_with(|| Reason::new(why, Some(span)));
    };
    let function = returned::function_of(evaluator, route.handler).map(|(function, _)| function);
    // A method of a controller is given the request only where it has a parameter of that name.
    let of_class = matches!(route.handler, Value::Bound(..));
    if let Some(function) = &function {
        let read = match function.node.parameters.first() {
            _ if of_class => reads::of_context(function.node),
            Some(first) => reads::of_request(function.node, &first.name),
            None => reads::Reads::default(),
        };
        let reason = || Reason::new("the request itself is read", Some(site));
        request.other_parameters = read.parameters.then(reason);
        request.other_bodies = read.body.then(reason);
        match page_of(evaluator, function) {
            None => {}
            Some(Page::Unknown) => unclear(&mut request, "how a list is divided into pages is not known".into(), site),
            Some(page) => {
                for name in if page == Page::Offset { ["limit", "offset"] } else { ["page", "page_size"] } {
                    let shape = python.table.add(Shape::new(Kind::Integer));
                    let (name, place) = (name.to_owned(), ParameterPlace::Query);
                    taken::add(&mut request, Parameter { name, place, required: false, shape, span: site });
                }
            }
        }
    }
    let in_path = PathTemplate::new(route.path);
    let mut parts: Vec<Part<'p>> = Vec::new();
    for (at, parameter) in parameters.into_iter().enumerate() {
        let (name, span) = (parameter.name.to_string(), parameter.span);
        // What it is called on, or the request.
        if at == 0 || (of_class && name == "request") {
            continue;
        }
        if parameter.rest {
            continue;
        }
        let by_path = in_path.parameters().any(|known| known == name);
        match part(evaluator, parameter, by_path) {
            Some(part) => parts.push(part),
            None => unclear(&mut request, format!("where `{name}` is taken from is not known"), span),
        }
    }
    for part in &parts {
        let Place::Parameter(place) = part.place else { continue };
        let shape = python.taken_shape(evaluator, &part.kind, Some(part.span));
        // Each member of a schema is a parameter.
        if is_model(evaluator, &part.kind) {
            taken::members(&mut request, &python.table, shape, place, part.span);
            continue;
        }
        // It may be a schema, each member of which is one.
        if place != ParameterPlace::Path && matches!(python.table.get(shape).kind, Kind::Unknown(_)) {
            unclear(&mut request, format!("of which type `{}` is, is not known", part.name), part.span);
            continue;
        }
        let (name, required, span) = (part.name.clone(), part.required, part.span);
        taken::add(&mut request, Parameter { name, place, required, shape, span });
    }
    body(evaluator, python, &parts, &mut request, site);
    request
}

/// Where a parameter is taken from: what its default or type says, its name in the path, its type.
fn part<'p>(evaluator: &mut Evaluator<'p>, parameter: Declared<'p>, by_path: bool) -> Option<Part<'p>> {
    let Declared { name, annotation, default, span, .. } = parameter;
    let annotation = annotation.unwrap_or_else(|| Value::external("typing.Any"));
    let ours = |path: &str| path.starts_with("ninja.");
    let mut said: Option<(Place, Option<&Made<'p>>)> = None;
    let mut kind = annotation.clone();
    // `Query[Filters]`, `Annotated[int, Query(ge=1)]`
    if let Value::Applied(base, args) = &annotation
        && let Some(path) = base.as_external()
    {
        if ours(path)
            && let Some(place) = place_of(last(path))
        {
            said = Some((place, None));
            kind = args.first().cloned()?;
        } else if last(path) == "Annotated" {
            kind = args.first().cloned()?;
            said = args.iter().skip(1).find_map(|item| match item {
                Value::Made(made) if ours(&made.path) => Some((place_of(made.name())?, Some(&**made))),
                _ => None,
            });
        }
    }
    let mut required = default.is_none();
    if let Some(Value::Made(made)) = &default
        && ours(&made.path)
        && let Some(place) = place_of(made.name())
    {
        required = !made.args.get(0, "default").is_some_and(|default| !matches!(default, Value::Ellipsis))
            && made.args.named("default_factory").is_none();
        said = Some((place, Some(&**made)));
    }
    let place = match said {
        _ if by_path => Place::Parameter(ParameterPlace::Path),
        Some((place, _)) => place,
        None => match taken_as(evaluator, &kind) {
            Some(Taken::Scalar) => Place::Parameter(ParameterPlace::Query),
            Some(Taken::Body) => Place::Body,
            Some(Taken::File) => Place::File,
            None if kind.as_external().is_some_and(|path| last(path) == "UploadedFile") => Place::File,
            None => return None,
        },
    };
    let alias = said.and_then(|(_, made)| made?.args.named("alias").cloned());
    let name = match alias {
        None | Some(Value::None) if place == Place::Parameter(ParameterPlace::Header) => name.replace('_', "-"),
        None | Some(Value::None) => name.to_string(),
        Some(Value::Str(alias)) => alias.to_string(),
        Some(_) => return None,
    };
    Some(Part { place, name, kind, required: required || by_path, span })
}

/// One part is the body itself, several are members of one object; members of schemas are fields of a form.
fn body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut schema::Schemas,
    parts: &[Part<'p>],
    request: &mut Request,
    site: Span,
) {
    let of_body: Vec<&Part<'p>> = parts.iter().filter(|part| !matches!(part.place, Place::Parameter(_))).collect();
    let Some(first) = of_body.first() else { return };
    let has = |place: Place| of_body.iter().any(|part| part.place == place);
    let media = match (has(Place::File), has(Place::Form)) {
        (true, _) => taken::MULTIPART,
        (_, true) => taken::URLENCODED,
        _ => taken::JSON,
    };
    let required = of_body.iter().any(|part| part.required);
    let is_form = media != taken::JSON;
    let shape = if of_body.len() == 1 && (!is_form || is_model(evaluator, &first.kind)) {
        schemas.taken_shape(evaluator, &first.kind, Some(first.span))
    } else {
        let mut object = Object { fields: Vec::new(), additional: Additional::Open };
        for part in of_body {
            let shape = match part.place {
                Place::File => file(schemas, &part.kind),
                _ => schemas.taken_shape(evaluator, &part.kind, Some(part.span)),
            };
            if part.place == Place::Form
                && is_model(evaluator, &part.kind)
                && let Kind::Object(members) = &schemas.table.view(shape).shape.kind
            {
                object.fields.extend(members.fields.iter().cloned());
                continue;
            }
            object.fields.push(Field {
                name: part.name.clone(),
                shape,
                required: part.required,
                always: part.required,
                span: Some(part.span),
                declared: None,
            });
        }
        schemas.table.add(Shape::new(Kind::Object(object)).at(Some(site)))
    };
    request.bodies.push(Body { media: media.to_owned(), shape, span: site, required });
}

/// One file, or several.
fn file(schemas: &mut schema::Schemas, kind: &Value) -> ShapeId {
    let mut one = Shape::new(Kind::String);
    one.format = Some("binary".to_owned());
    let one = schemas.table.add(one);
    match kind {
        Value::Applied(..) => schemas.table.add(Shape::new(Kind::Array { prefix: Vec::new(), items: Some(one) })),
        _ => one,
    }
}
