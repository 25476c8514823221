//! What goes in and out of an operation: parameters, request bodies, responses.

use rustc_hash::FxHashMap;

use crate::contracts::dialect::Dialect;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::schema::plain;
use crate::contracts::tree::Node;
use crate::contracts::{IssueKind, ParameterTerms};
use crate::finding::Reason;
use crate::model::{Additional, Body, Field, Kind, Object, Parameter, ParameterPlace, Response, Shape, Status};
use crate::text::Span;

/// Parameters and request bodies of an operation.
#[derive(Default)]
pub(super) struct Inputs {
    pub parameters: Vec<Parameter>,
    /// One for each of `parameters`.
    pub terms: Vec<ParameterTerms>,
    pub request: Vec<Body>,
    /// Whether a request body is required; `None` where there is none.
    pub body: Option<bool>,
    /// Names of path parameters, where each is listed, with its pointer.
    pub in_path: Vec<(String, Span, String)>,
    /// A parameter could not be followed or read: what is missing may be it.
    pub incomplete: bool,
    /// The whole query string is one value (OpenAPI 3.2).
    pub has_query_string: bool,
    /// There is a request body that could not be followed.
    pub body_unread: bool,
}

/// Reads parameters of the path items and of the operation, which overrides by name and place, and the request body.
pub(super) fn inputs<'d>(
    reader: &mut Reader<'d>,
    items: &[Place<'d>],
    operation: &Place<'d>,
    consumes: &[String],
) -> Inputs {
    let mut inputs = Inputs::default();
    let mut listed: Vec<Listed<'d>> = Vec::new();
    let mut index: FxHashMap<(&'d str, &'d str), usize> = FxHashMap::default();
    for level in items.iter().chain([operation]) {
        let Some(list) = level.child("parameters") else { continue };
        inputs.incomplete |= list.node.cut;
        for item in list.items() {
            let Some(found) = listed_parameter(reader, item) else {
                inputs.has_query_string = true;
                continue;
            };
            if let Some(known) = index.get(&(found.name, found.place_word)) {
                listed[*known] = found;
            } else {
                index.insert((found.name, found.place_word), listed.len());
                listed.push(found);
            }
        }
    }
    let mut form = Vec::new();
    for found in listed {
        let place = match found.place_word {
            "body" => {
                inputs.request.extend(body_of_2_0(reader, &found, consumes));
                continue;
            }
            "formData" => {
                form.push(found);
                continue;
            }
            // OpenAPI 3.2: the whole query string as one value.
            "querystring" => {
                inputs.has_query_string = true;
                continue;
            }
            other => {
                let Some(place) = ParameterPlace::parse(other) else { continue };
                place
            }
        };
        if place == ParameterPlace::Path {
            inputs.in_path.push((found.name.to_owned(), found.at.span, found.at.pointer.clone()));
        }
        let shape = parameter_shape(reader, &found.target);
        inputs.terms.push(parameter_terms(&found.target, place));
        let required = found.target.is_true("required") || place == ParameterPlace::Path;
        inputs.parameters.push(Parameter {
            name: found.name.to_owned(),
            place,
            required,
            shape,
            span: found.target.span,
        });
    }
    if !form.is_empty() {
        let bodies = form_of_2_0(reader, operation, &form, consumes);
        inputs.request.extend(bodies);
    }
    inputs.body = inputs.request.first().map(|body| body.required);
    let body = operation.child("requestBody");
    inputs.body_unread = body.is_some();
    if let Some(body) = body.and_then(|body| reader.follow(body)) {
        inputs.body_unread = body.node.cut;
        let required = body.is_true("required");
        inputs.body = Some(required);
        let bodies = content(reader, &body);
        inputs.request.extend(bodies.into_iter().map(|body| Body { required, ..body }));
    }
    inputs
}

/// A parameter as an operation lists it.
struct Listed<'d> {
    name: &'d str,
    place_word: &'d str,
    /// Where it is listed.
    at: Place<'d>,
    /// Where it is described: the same, or behind a `$ref`.
    target: Place<'d>,
}

fn listed_parameter<'d>(reader: &mut Reader<'d>, at: Place<'d>) -> Option<Listed<'d>> {
    let target = reader.follow(at.clone())?;
    if target.node.cut {
        return None;
    }
    let (name, place_word) = (target.text("name")?, target.text("in")?);
    Some(Listed { name, place_word, at, target })
}

fn parameter_terms(parameter: &Place<'_>, place: ParameterPlace) -> ParameterTerms {
    let says = |key: &str| parameter.node.get(key).and_then(Node::scalar_text);
    let style = if let Some(format) = says("collectionFormat") {
        format.to_owned()
    } else {
        let usual = if matches!(place, ParameterPlace::Query | ParameterPlace::Cookie) { "form" } else { "simple" };
        let style = says("style").unwrap_or(usual);
        let exploded = parameter.node.get("explode").map_or(style == "form", Node::is_true);
        format!("{style}{}", if exploded { ", exploded" } else { "" })
    };
    ParameterTerms { deprecated: parameter.is_true("deprecated"), sunset: says("x-sunset").map(str::to_owned), style }
}

fn parameter_shape<'d>(reader: &mut Reader<'d>, parameter: &Place<'d>) -> crate::model::ShapeId {
    if let Some(schema) = parameter.child("schema") {
        return reader.shape_at(schema);
    }
    let media = parameter.child("content").and_then(|content| content.members().next().map(|(_, media)| media));
    if let Some(schema) = media.and_then(|media| media.child("schema")) {
        return reader.shape_at(schema);
    }
    let shape = if reader.dialect(parameter) == Dialect::V2 {
        // 2.0 writes the type into the parameter itself, and `required` there is a flag.
        let mut shape = plain::lower(reader, parameter);
        reader.states_null |= shape.nullable;
        if let Kind::Object(object) = &mut shape.kind {
            object.fields.clear();
        }
        shape
    } else {
        Shape::new(Kind::Any)
    };
    reader.add_at(parameter, shape)
}

fn body_of_2_0<'d>(reader: &mut Reader<'d>, listed: &Listed<'d>, consumes: &[String]) -> Vec<Body> {
    let target = &listed.target;
    let shape = match target.child("schema") {
        Some(schema) => reader.shape_at(schema),
        None => reader.add_at(target, Shape::new(Kind::Any)),
    };
    let required = target.is_true("required");
    consumes.iter().map(|media| Body { media: media.clone(), shape, span: target.span, required }).collect()
}

/// `formData` parameters are one object.
fn form_of_2_0<'d>(
    reader: &mut Reader<'d>,
    operation: &Place<'d>,
    form: &[Listed<'d>],
    consumes: &[String],
) -> Vec<Body> {
    let mut fields = Vec::new();
    let mut has_file = false;
    for listed in form {
        let target = &listed.target;
        has_file |= target.text("type") == Some("file");
        let required = target.is_true("required");
        let shape = parameter_shape(reader, target);
        let name = listed.name.to_owned();
        fields.push(Field { name, shape, required, always: required, span: Some(target.span), declared: None });
    }
    let required = fields.iter().any(|field| field.required);
    let kind = Kind::Object(Object { fields, additional: Additional::Open });
    let shape = reader.add_at(operation, Shape::new(kind));
    let is_form = |media: &&String| media.starts_with("multipart/") || media.contains("form-urlencoded");
    let mut media: Vec<String> = consumes.iter().filter(is_form).cloned().collect();
    if media.is_empty() {
        let usual = if has_file { "multipart/form-data" } else { "application/x-www-form-urlencoded" };
        media.push(usual.to_owned());
    }
    let span = form[0].at.span;
    media.into_iter().map(|media| Body { media, shape, span, required }).collect()
}

/// Reads every response of an operation, and the headers of each.
pub(super) fn responses<'d>(
    reader: &mut Reader<'d>,
    operation: &Place<'d>,
    produces: &[String],
) -> (Vec<Response>, Vec<Vec<Parameter>>) {
    let Some(list) = operation.child("responses").and_then(|responses| reader.follow(responses)) else {
        return (Vec::new(), Vec::new());
    };
    let (mut responses, mut all_headers) = (Vec::new(), Vec::new());
    for (key, response) in list.members() {
        if key.text.starts_with("x-") {
            continue;
        }
        let Some(status) = status(&key.text) else {
            let message = format!("`{}` is no status of a response", key.text);
            let help = "write a status code such as `200`, a class such as `2XX`, or `default`";
            reader.issue(IssueKind::InvalidValue, key.span, &response.pointer, message, Some(help));
            continue;
        };
        let mut status = status;
        let mut own_headers = Vec::new();
        let bodies = match reader.follow(response.clone()) {
            Some(target) if !target.node.cut => {
                if status == Status::Code(200) && is_placeholder(&target) {
                    status = Status::Default;
                }
                own_headers = headers(reader, &target);
                bodies(reader, &target, produces)
            }
            _ => {
                let reason = Reason::new("the response cannot be read", Some(key.span));
                let shape = reader.add_at(&response, Shape::new(Kind::Unknown(reason)));
                vec![Body { media: "application/json".to_owned(), shape, span: key.span, required: false }]
            }
        };
        responses.push(Response { status, bodies, span: key.span });
        all_headers.push(own_headers);
    }
    (responses, all_headers)
}

fn headers<'d>(reader: &mut Reader<'d>, response: &Place<'d>) -> Vec<Parameter> {
    let Some(list) = response.child("headers").and_then(|headers| reader.follow(headers)) else { return Vec::new() };
    let mut headers = Vec::new();
    for (key, header) in list.members() {
        let Some(target) = reader.follow(header) else { continue };
        headers.push(Parameter {
            name: key.text.clone(),
            place: ParameterPlace::Header,
            required: target.is_true("required"),
            shape: parameter_shape(reader, &target),
            span: key.span,
        });
    }
    headers
}

/// What generators write under 200 where the code declares no response: it promises nothing.
fn is_placeholder(response: &Place<'_>) -> bool {
    let says = |name: &str| response.node.get(name);
    let description = says("description").and_then(Node::text);
    description == Some("Default Response") && says("content").is_none() && says("schema").is_none()
}

fn status(text: &str) -> Option<Status> {
    if text == "default" {
        return Some(Status::Default);
    }
    let bytes = text.as_bytes();
    let class = bytes.first().filter(|byte| (b'1'..=b'5').contains(byte))?;
    match bytes {
        [_, b'X' | b'x', b'X' | b'x'] => Some(Status::Range(class - b'0')),
        [_, b'0'..=b'9', b'0'..=b'9'] => text.parse().ok().map(Status::Code),
        _ => None,
    }
}

fn bodies<'d>(reader: &mut Reader<'d>, response: &Place<'d>, produces: &[String]) -> Vec<Body> {
    if reader.dialect(response) != Dialect::V2 {
        return content(reader, response);
    }
    let Some(schema) = response.child("schema") else { return Vec::new() };
    let span = schema.span;
    let shape = reader.shape_at(schema);
    produces.iter().map(|media| Body { media: media.clone(), shape, span, required: false }).collect()
}

/// `content` of 3.x: one body a media type.
fn content<'d>(reader: &mut Reader<'d>, holder: &Place<'d>) -> Vec<Body> {
    let Some(content) = holder.child("content").and_then(|content| reader.follow(content)) else { return Vec::new() };
    let mut bodies = Vec::new();
    for (key, media) in content.members() {
        if key.text.starts_with("x-") {
            continue;
        }
        let described = reader.follow(media.clone());
        let described = described.as_ref().unwrap_or(&media);
        let shape = if let Some(schema) = described.child("schema") {
            reader.shape_at(schema)
        } else if let Some(item) = described.child("itemSchema") {
            // OpenAPI 3.2: a stream of values.
            let items = Some(reader.shape_at(item));
            reader.add_at(described, Shape::new(Kind::Array { prefix: Vec::new(), items }))
        } else {
            reader.add_at(described, Shape::new(Kind::Any))
        };
        bodies.push(Body { media: key.text.clone(), shape, span: key.span, required: false });
    }
    bodies
}

/// `produces` or `consumes` of 2.0: the operation's, else the document's, else anything.
pub(super) fn media_types(root: &Node, operation: &Node, key: &str) -> Vec<String> {
    let list = operation.get(key).or_else(|| root.get(key)).map(Node::items).unwrap_or_default();
    let media: Vec<String> = list.iter().filter_map(Node::text).map(str::to_owned).collect();
    if media.is_empty() { vec!["*/*".to_owned()] } else { media }
}
