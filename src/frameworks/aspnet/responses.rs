//! What an action answers: what its attributes declare, else what its code says.

use super::attributes::{Attribute, of_value};
use crate::evaluate::{Evaluator, FunctionRef, Value, last};
use crate::finding::Reason;
use crate::frameworks::{Route, Schemas};
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
    let Value::Bound(_, function) = route.handler else { return Vec::new() };
    let site = function.node.name_span;
    let of_action = attributes(evaluator, &route.draft.options.positional, site);
    let of_class: Vec<Attribute<'p>> =
        route.chain.first().map(|options| attributes(evaluator, &options.positional, site)).unwrap_or_default();
    let media = of_action.iter().chain(&of_class).find_map(produced);
    let mut declared: Vec<Declared<'p>> = Vec::new();
    for attribute in of_action.iter().chain(&of_class) {
        if let Some(response) = read(evaluator, attribute, site)
            && !declared.iter().any(|known| known.status == response.status)
        {
            declared.push(response);
        }
    }
    let result = declared_result(evaluator, function);
    let mut out: Vec<Response> = Vec::new();
    for response in declared.iter().filter(|response| response.status.is_success()) {
        let bodies = match &response.ty {
            Some(ty) if carries_nothing(ty) => Vec::new(),
            Some(ty) if says_nothing(ty) => {
                result.iter().map(|ty| body(evaluator, schemas, ty, response.span)).collect()
            }
            Some(ty) => vec![body(evaluator, schemas, ty, response.span)],
            None => result.iter().map(|ty| body(evaluator, schemas, ty, response.span)).collect(),
        };
        out.push(Response { status: response.status.clone(), bodies, span: response.span });
    }
    if declared.is_empty()
        && let Some(ty) = &result
    {
        let bodies = if carries_nothing(ty) { Vec::new() } else { vec![body(evaluator, schemas, ty, site)] };
        out.push(Response { status: Status::Code(200), bodies, span: site });
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

/// The type of what an action says that it answers.
fn declared_result<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Option<Value<'p>> {
    let written = function.node.returns.as_ref()?;
    let mut ty = evaluator.type_expression(written, &function.scope);
    loop {
        let inner = match &ty {
            Value::Applied(base, args)
                if base
                    .as_external()
                    .is_some_and(|path| matches!(last(path), "Task" | "ValueTask" | "ActionResult")) =>
            {
                args.first().cloned()?
            }
            _ => break,
        };
        ty = inner;
    }
    let task = ty.as_external().is_some_and(|path| matches!(last(path), "Task" | "ValueTask"));
    if says_nothing(&ty) {
        None
    } else if task {
        Some(Value::external("void"))
    } else {
        Some(ty)
    }
}

fn attributes<'p>(evaluator: &mut Evaluator<'p>, values: &[Value<'p>], site: Span) -> Vec<Attribute<'p>> {
    values.iter().filter_map(|value| of_value(evaluator, value.clone(), site)).collect()
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
    if media.iter().any(|media| is_json(media)) { None } else { media.first().map(|media| (*media).to_owned()) }
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
