//! What an action answers: what its attributes declare, else what its code says.

use super::attributes::{Attribute, of_value};
use crate::evaluate::{Evaluator, Value, last};
use crate::finding::Reason;
use crate::frameworks::{Route, Schemas};
use crate::languages::csharp::typing::answers::{self, Answer, Body as Sent};
use crate::model::{Body, Response, Shape, Status};
use crate::text::Span;

const JSON: &str = "application/json";

/// A response that an attribute declares.
struct Declared<'p> {
    status: Status,
    /// `None` where it names no type.
    ty: Option<Value<'p>>,
    span: Span,
}

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let Value::Bound(class, function) = route.handler else { return Vec::new() };
    let site = function.node.name_span;
    let of_action = attributes(evaluator, &route.draft.options.positional);
    let of_class: Vec<Attribute<'p>> =
        route.chain.first().map(|options| attributes(evaluator, &options.positional)).unwrap_or_default();
    let media = of_action.iter().chain(&of_class).find_map(produced);
    let mut declared: Vec<Declared<'p>> = Vec::new();
    for attribute in of_action.iter().chain(&of_class) {
        if let Some(response) = read(evaluator, attribute, site)
            && !declared.iter().any(|known| known.status == response.status)
        {
            declared.push(response);
        }
    }
    let seen = answers::answers(evaluator, function, Some(class));
    let mut out: Vec<Response> = Vec::new();
    for response in declared.iter().filter(|response| response.status.is_success()) {
        let bodies = match &response.ty {
            Some(ty) if carries_nothing(ty) => Vec::new(),
            Some(ty) if says_nothing(ty) => of_code(evaluator, schemas, &seen, &response.status, response.span),
            Some(ty) => vec![body(evaluator, schemas, ty, response.span)],
            None => of_code(evaluator, schemas, &seen, &response.status, response.span),
        };
        out.push(Response { status: response.status.clone(), bodies, span: response.span });
    }
    // What is declared as the result is documented with 200, whatever status the code gives it.
    if declared.is_empty()
        && let Some(result) = answers::declared(evaluator, function, Some(class))
    {
        let bodies = bodies(evaluator, schemas, &result, site);
        out.push(Response { status: Status::Code(200), bodies, span: site });
    }
    // What the code sends besides. A status that only running tells is an error as likely as not.
    for answer in &seen {
        let success = answer.status.is_some_and(|status| (200..300).contains(&status));
        if !(success || (answer.status.is_none() && out.is_empty())) {
            continue;
        }
        let why = Reason::new("status that is known at run time", Some(answer.span));
        let status = answer.status.map_or(Status::Unknown(why), Status::Code);
        if !out.iter().any(|known| known.status == status) {
            let bodies = bodies(evaluator, schemas, &answer.body, answer.span);
            out.push(Response { status, bodies, span: answer.span });
        }
    }
    if out.is_empty() {
        let why = "no answer of the action is seen";
        let shape = schemas.csharp().table.add(Shape::unknown(why, Some(site)));
        let bodies = vec![Body { media: JSON.to_owned(), shape, span: site, required: true }];
        out.push(Response { status: Status::Unknown(Reason::new(why, Some(site))), bodies, span: site });
    }
    if let Some(media) = media {
        out.iter_mut().flat_map(|response| &mut response.bodies).for_each(|body| body.media.clone_from(&media));
    }
    out
}

fn attributes<'p>(evaluator: &mut Evaluator<'p>, values: &[Value<'p>]) -> Vec<Attribute<'p>> {
    values.iter().filter_map(|value| of_value(evaluator, value)).collect()
}

/// `[ProducesResponseType(typeof(T), 200)]`, `[ProducesResponseType<T>(200)]`, `[SwaggerResponse(200, "…", typeof(T))]`,
/// `[Produces(typeof(T))]`.
fn read<'p>(evaluator: &mut Evaluator<'p>, attribute: &Attribute<'p>, site: Span) -> Option<Declared<'p>> {
    let is_default = attribute.is("ProducesDefaultResponseType");
    let produces = attribute.is("Produces");
    if !is_default && !produces && !attribute.is("ProducesResponseType") && !attribute.is("SwaggerResponse") {
        return None;
    }
    let span = match &attribute.value {
        Value::Made(made) => made.site,
        _ => site,
    };
    let mut ty = None;
    let mut status = None;
    if let Some((types, scope)) = &attribute.args.types
        && let Some(written) = types.first()
    {
        ty = Some(evaluator.type_expression(written, scope));
    }
    let named = ["Type", "type", "StatusCode", "statusCode", "httpStatusCode"];
    let given = attribute.args.positional.iter();
    for value in given.chain(named.iter().filter_map(|name| attribute.args.named(name))) {
        match value {
            Value::Int(code) => status = u16::try_from(*code).ok().map(Status::Code),
            // A message, or a medium.
            Value::Str(_) | Value::Pattern(_) | Value::None | Value::Bool(_) | Value::List(_) => {}
            Value::Unknown(why, place) => {
                status.get_or_insert_with(|| Status::Unknown(Reason::new(*why, place.or(Some(span)))));
            }
            // `MediaTypeNames.Application.Json`
            Value::External(path) if path.contains("MediaTypeNames.") => {}
            other => ty = Some(other.clone()),
        }
    }
    if produces && ty.is_none() {
        return None;
    }
    let status = if is_default { Status::Default } else { status.unwrap_or(Status::Code(200)) };
    Some(Declared { status, ty, span })
}

/// The medium of `[Produces("text/plain")]`, where none of those that it names is JSON.
fn produced(attribute: &Attribute<'_>) -> Option<String> {
    if !attribute.is("Produces") {
        return None;
    }
    let media: Vec<&str> = attribute.args.positional.iter().filter_map(Value::as_str).collect();
    let is_json = |media: &&str| media.contains("json") || media.contains('*');
    if media.iter().any(is_json) { None } else { media.first().map(|media| (*media).to_owned()) }
}

/// `typeof(void)`
fn carries_nothing(ty: &Value<'_>) -> bool {
    ty.as_external().is_some_and(|path| matches!(last(path), "void" | "Void"))
}

/// A type that only says that something is answered.
fn says_nothing(ty: &Value<'_>) -> bool {
    ty.as_external().is_some_and(|path| matches!(last(path), "IActionResult" | "ActionResult" | "IResult" | "object"))
}

fn body<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, ty: &Value<'p>, span: Span) -> Body {
    let shape = schemas.csharp().shape_of(evaluator, ty, span);
    Body { media: JSON.to_owned(), shape, span, required: true }
}

/// What the code sends with a status that is declared without a type.
fn of_code<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    seen: &[Answer<'p>],
    status: &Status,
    span: Span,
) -> Vec<Body> {
    let Status::Code(code) = status else { return Vec::new() };
    match seen.iter().find(|answer| answer.status == Some(*code)) {
        Some(answer) => bodies(evaluator, schemas, &answer.body, span),
        None => Vec::new(),
    }
}

fn bodies<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, sent: &Sent<'p>, span: Span) -> Vec<Body> {
    let shape = match sent {
        Sent::Nothing => return Vec::new(),
        Sent::Type(ty) => return vec![body(evaluator, schemas, ty, span)],
        Sent::NotJson(what) => schemas.csharp().table.add(Shape::unknown(*what, Some(span))),
        Sent::Unknown(why, place) => schemas.csharp().table.add(Shape::unknown(*why, place.or(Some(span)))),
    };
    vec![Body { media: JSON.to_owned(), shape, span, required: true }]
}
