//! From what an endpoint of C# answers to responses: what is declared of it, and what its code says where that says nothing.

use super::Schemas;
use crate::evaluate::{Args, Evaluator, Value, last};
use crate::finding::Reason;
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::typing::answers::{Answer, Body as Sent};
use crate::model::{Body, Response, Shape, Status};
use crate::text::Span;

const JSON: &str = "application/json";

/// A response that is declared.
#[derive(Clone)]
pub(super) struct Declared<'p> {
    pub(super) status: Status,
    /// `None` where no type is named.
    pub(super) ty: Option<Value<'p>>,
    /// Where it is named, and is no JSON.
    pub(super) media: Option<String>,
    pub(super) span: Span,
}

/// Reads `Produces<T>(200, "application/json")`, `ProducesResponseType(typeof(T), 200)`, `Response<T>(200, "…")`: whatever
/// is given a type, a status and media or a text, in any order.
pub(super) fn declared<'p>(evaluator: &mut Evaluator<'p>, args: &Args<'p>, default: u16, span: Span) -> Declared<'p> {
    let mut ty = None;
    let mut status = None;
    let mut media = Vec::new();
    if let Some((types, scope)) = &args.types
        && let Some(written) = types.first()
    {
        ty = Some(evaluator.type_expression(written, scope));
    }
    let named = ["Type", "type", "responseType", "StatusCode", "statusCode", "httpStatusCode", "contentType"];
    for value in args.positional.iter().chain(named.iter().filter_map(|name| args.named(name))) {
        match value {
            Value::Int(code) => status = u16::try_from(*code).ok().map(Status::Code),
            Value::Str(text) if text.contains('/') && !text.contains(' ') => media.push(text.to_string()),
            // A message, or an example.
            Value::Class(_) | Value::Applied(..) => ty = Some(value.clone()),
            Value::External(path) if is_type(path) => ty = Some(value.clone()),
            Value::Unknown(why, place) => {
                status.get_or_insert_with(|| Status::Unknown(Reason::new(*why, place.or(Some(span)))));
            }
            _ => {}
        }
    }
    let is_json = |media: &String| media.contains("json") || media.contains('*');
    let media = if media.iter().any(is_json) { None } else { media.into_iter().next() };
    Declared { status: status.unwrap_or(Status::Code(default)), ty, media, span }
}

/// `typeof(int)` and its like, which are names of a library; a constant of one is no type.
fn is_type(path: &str) -> bool {
    !matches!(path, "string.Empty" | "String.Empty") && !path.starts_with("StatusCodes.")
}

/// The successful responses: those that are declared, each with what the code says where the declaration names no type,
/// then what the code sends besides. One that is not known where there is nothing at all.
pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    serialiser: Serialiser,
    declared: &[Declared<'p>],
    seen: &[Answer<'p>],
    site: Span,
) -> Vec<Response> {
    let mut out: Vec<Response> = Vec::new();
    for response in declared.iter().filter(|response| response.status.is_success()) {
        if out.iter().any(|known| known.status == response.status) {
            continue;
        }
        let span = response.span;
        let mut bodies = match &response.ty {
            Some(ty) if carries_nothing(ty) => Vec::new(),
            Some(ty) if !says_nothing(ty) => vec![body(evaluator, schemas, serialiser, ty, span)],
            _ => of_code(evaluator, schemas, serialiser, seen, &response.status, span),
        };
        if let Some(media) = &response.media {
            bodies.iter_mut().for_each(|body| body.media.clone_from(media));
        }
        out.push(Response { status: response.status.clone(), bodies, span });
    }
    // A status that only running tells is an error as likely as not.
    for answer in seen {
        let success = answer.status.is_some_and(|status| (200..300).contains(&status));
        if !(success || (answer.status.is_none() && out.is_empty())) {
            continue;
        }
        let why = Reason::new("status that is known at run time", Some(answer.span));
        let status = answer.status.map_or(Status::Unknown(why), Status::Code);
        if !out.iter().any(|known| known.status == status) {
            let bodies = bodies(evaluator, schemas, serialiser, &answer.body, answer.span);
            out.push(Response { status, bodies, span: answer.span });
        }
    }
    if out.len() > 1 {
        out.retain(|response| !matches!(response.status, Status::Unknown(_)));
    }
    if out.is_empty() {
        out.push(unknown(schemas, "no answer of the handler is seen", site));
    }
    out
}

/// A response of which nothing is known.
pub(super) fn unknown(schemas: &mut Schemas, why: &str, site: Span) -> Response {
    let shape = schemas.csharp().table.add(Shape::unknown(why, Some(site)));
    let bodies = vec![Body { media: JSON.to_owned(), shape, span: site, required: true }];
    Response { status: Status::Unknown(Reason::new(why, Some(site))), bodies, span: site }
}

/// `typeof(void)`
fn carries_nothing(ty: &Value<'_>) -> bool {
    ty.as_external().is_some_and(|path| matches!(last(path), "void" | "Void"))
}

/// A type that only says that something is answered.
fn says_nothing(ty: &Value<'_>) -> bool {
    ty.as_external().is_some_and(|path| matches!(last(path), "IActionResult" | "ActionResult" | "IResult" | "object"))
}

/// What is written for a value of a type.
pub(super) fn body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    serialiser: Serialiser,
    ty: &Value<'p>,
    span: Span,
) -> Body {
    let shape = schemas.csharp().shape_by(serialiser, evaluator, ty, span);
    Body { media: JSON.to_owned(), shape, span, required: true }
}

/// What the code sends with a status that is declared without a type.
fn of_code<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    serialiser: Serialiser,
    seen: &[Answer<'p>],
    status: &Status,
    span: Span,
) -> Vec<Body> {
    let Status::Code(code) = status else { return Vec::new() };
    match seen.iter().find(|answer| answer.status == Some(*code)) {
        Some(answer) => bodies(evaluator, schemas, serialiser, &answer.body, span),
        None => Vec::new(),
    }
}

fn bodies<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    serialiser: Serialiser,
    sent: &Sent<'p>,
    span: Span,
) -> Vec<Body> {
    let shape = match sent {
        Sent::Nothing => return Vec::new(),
        Sent::Type(ty) => return vec![body(evaluator, schemas, serialiser, ty, span)],
        Sent::NotJson(what) => schemas.csharp().table.add(Shape::unknown(*what, Some(span))),
        Sent::Unknown(why, place) => schemas.csharp().table.add(Shape::unknown(*why, place.or(Some(span)))),
    };
    vec![Body { media: JSON.to_owned(), shape, span, required: true }]
}
