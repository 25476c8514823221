//! What handlers of Python answer, as far as it is written where they answer: bodies by status, then responses. Which
//! calls make an answer is for each framework to say.

use std::rc::Rc;

use super::Schemas;
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Value, last};
use crate::finding::Reason;
use crate::languages::python::schema::Body as Code;
use crate::model::program::{Expr, ExprKind, Function, Stmt, StmtKind};
use crate::model::{Body, Kind, Response, Shape, ShapeId, Status};
use crate::text::Span;

/// What one place of a handler sends.
pub(super) struct Answer<'p> {
    /// `None` where it does not say.
    pub(super) status: Option<Value<'p>>,
    pub(super) body: Sent,
    pub(super) span: Span,
}

#[derive(Clone)]
pub(super) enum Sent {
    Json(ShapeId),
    /// Something else than JSON.
    Media(&'static str),
    /// What is sent is not known.
    Unknown(String),
    Nothing,
}

const JSON: &str = "application/json";

/// Successful answers by status; `default` is sent where a handler says none.
pub(super) fn responses(schemas: &mut Schemas, answers: Vec<Answer>, default: u16, site: Span) -> Vec<Response> {
    let mut groups: Vec<(Status, Vec<Answer>)> = Vec::new();
    for answer in answers {
        let status = status_of(answer.status.as_ref(), default, answer.span);
        if !matches!(status, Status::Unknown(_)) && !status.is_success() {
            continue;
        }
        let same =
            |known: &Status| matches!((known, &status), (Status::Unknown(_), Status::Unknown(_))) || *known == status;
        match groups.iter_mut().find(|(known, _)| same(known)) {
            Some((_, group)) => group.push(answer),
            None => groups.push((status, vec![answer])),
        }
    }
    // What is sent with a status that only run time knows is an error as likely as not.
    if groups.iter().any(|(status, _)| status.is_success()) {
        groups.retain(|(status, _)| status.is_success());
    } else if let Some((Status::Unknown(reason), group)) = groups.first() {
        let place = group.first().map_or(site, |answer| answer.span);
        return vec![Response {
            status: Status::Unknown(reason.clone()),
            ..unknown(schemas, "status that is known at run time", place)
        }];
    }
    if groups.is_empty() {
        return vec![unknown(schemas, "no answer of the handler is seen", site)];
    }
    groups.into_iter().map(|(status, group)| one(schemas, status, group)).collect()
}

fn one(schemas: &mut Schemas, status: Status, group: Vec<Answer>) -> Response {
    let span = group[0].span;
    let schemas = schemas.python();
    let mut shapes = Vec::new();
    let mut media = None;
    for answer in group {
        match answer.body {
            Sent::Json(shape) => shapes.push(shape),
            Sent::Media(given) => media = media.or(Some(given)),
            Sent::Unknown(why) => shapes.push(schemas.table.add(Shape::unknown(why, Some(answer.span)))),
            Sent::Nothing => {}
        }
    }
    if matches!(status, Status::Code(204 | 205 | 304)) {
        return Response { status, bodies: Vec::new(), span };
    }
    let body = match (shapes.is_empty(), media) {
        (true, None) => None,
        (true, Some(media)) => Some((media, schemas.table.add(Shape::new(Kind::String)))),
        (false, _) => Some((JSON, schemas.one_of(shapes, Some(span)))),
    };
    let bodies = body.map(|(media, shape)| Body { media: media.to_owned(), shape, span, required: true });
    Response { status, bodies: bodies.into_iter().collect(), span }
}

/// A response of which nothing is known.
pub(super) fn unknown(schemas: &mut Schemas, why: &str, site: Span) -> Response {
    let shape = schemas.python().table.add(Shape::unknown(why, Some(site)));
    let body = Body { media: JSON.to_owned(), shape, span: site, required: true };
    Response { status: Status::Unknown(Reason::new(why, Some(site))), bodies: vec![body], span: site }
}

/// A response with a declared body.
pub(super) fn declared(status: Status, shape: ShapeId, span: Span) -> Response {
    let bodiless = matches!(status, Status::Code(204 | 205 | 304));
    let body = Body { media: JSON.to_owned(), shape, span, required: true };
    Response { status, bodies: if bodiless { Vec::new() } else { vec![body] }, span }
}

pub(super) fn status_of(value: Option<&Value>, default: u16, site: Span) -> Status {
    match value {
        None | Some(Value::None) => Status::Code(default),
        Some(Value::Int(code)) => match u16::try_from(*code) {
            Ok(code @ 100..=599) => Status::Code(code),
            _ => Status::Unknown(Reason::new("status code is no status", Some(site))),
        },
        // `"200"`, `"201 CREATED"`
        Some(Value::Str(text)) => match text.split(' ').next().and_then(|code| code.parse().ok()) {
            Some(code @ 100..=599) => Status::Code(code),
            _ => Status::Unknown(Reason::new("status code is no status", Some(site))),
        },
        Some(Value::Unknown(why, place)) => Status::Unknown(Reason::new(*why, place.or(Some(site)))),
        Some(other) => Status::Unknown(Reason::new(format!("status code is {}", other.describe()), Some(site))),
    }
}

/// The function that handles a route, and the class through which it is reached.
pub(super) fn function_of<'p>(
    evaluator: &mut Evaluator<'p>,
    handler: &Value<'p>,
) -> Option<(FunctionRef<'p>, Option<ClassRef<'p>>)> {
    match handler {
        Value::Function(function) => Some((function.clone(), None)),
        Value::Bound(receiver, function) => {
            let class = match &**receiver {
                Value::Class(class) => Some(class.clone()),
                Value::Instance(instance) => Some(instance.class.clone()),
                Value::Node(id) => evaluator.node(*id).class.clone(),
                _ => None,
            };
            Some((function.clone(), class))
        }
        Value::Partial(inner, _) => function_of(evaluator, inner),
        Value::Instance(instance) => match evaluator.class_member(&instance.class, "__call__") {
            Some(Value::Function(function)) => Some((function, Some(instance.class.clone()))),
            _ => None,
        },
        _ => None,
    }
}

/// The values of a function's decorators, outermost first.
pub(super) fn decorators<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Vec<Value<'p>> {
    let scope = match &function.class {
        Some(class) => evaluator.body_scope(class),
        None => function.scope.clone(),
    };
    function.node.decorators.iter().map(|decorator| evaluator.evaluate(decorator, &scope)).collect()
}

/// Whether a decorator of the program may change what a handler returns: nothing that it defines hands on just that.
pub(super) fn may_change<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> bool {
    let scope = match &function.class {
        Some(class) => evaluator.body_scope(class),
        None => function.scope.clone(),
    };
    function.node.decorators.iter().any(|decorator| {
        // What registers a route, or is a library's, leaves it as it is.
        let made = evaluator.evaluate(decorator, &scope);
        if !matches!(made, Value::Function(_) | Value::Bound(..) | Value::Unknown(..)) {
            return false;
        }
        let callee = if let ExprKind::Call { callee, .. } = &decorator.kind { callee } else { decorator };
        match evaluator.evaluate(callee, &scope) {
            Value::Function(wrapper) | Value::Bound(_, wrapper) => !hands_on(wrapper.node, &mut Vec::new()),
            _ => false,
        }
    })
}

/// Whether what a decorator makes of a function hands on what that returns.
pub(super) fn hands_on_given(decorator: &Function) -> bool {
    hands_on(decorator, &mut Vec::new())
}

/// Functions within functions that are looked at; a deeper one may change what is sent.
const MAX_NESTED: usize = 30;

/// Whether a function, or one that is defined in it, returns what calling something that it was given returns; `given`:
/// the parameters of the functions around it.
fn hands_on<'f>(function: &'f Function, given: &mut Vec<&'f str>) -> bool {
    if given.len() > MAX_NESTED {
        return false;
    }
    let outer = given.len();
    given.extend(function.parameters.iter().map(|parameter| parameter.name.as_str()));
    let found = returns_given(&function.body, given);
    given.truncate(outer);
    found
}

fn returns_given<'f>(body: &'f [Stmt], given: &mut Vec<&'f str>) -> bool {
    let awaited = |value: &'f Expr| if let ExprKind::Await(inner) = &value.kind { &**inner } else { value };
    let mut results: Vec<&str> = Vec::new();
    let mut stack: Vec<&'f Stmt> = body.iter().rev().collect();
    while let Some(statement) = stack.pop() {
        match &statement.kind {
            StmtKind::Return(Some(value)) => match &awaited(value).kind {
                ExprKind::Call { callee, .. } if is_given(callee, given) => return true,
                ExprKind::Name(name) if results.contains(&name.as_str()) || given.contains(&name.as_str()) => {
                    return true;
                }
                _ => {}
            },
            StmtKind::Assign { targets, value } => {
                if let (ExprKind::Call { callee, .. }, [Expr { kind: ExprKind::Name(name), .. }]) =
                    (&awaited(value).kind, targets.as_slice())
                    && is_given(callee, given)
                {
                    results.push(name);
                }
            }
            StmtKind::Function(inner) if hands_on(inner, given) => return true,
            StmtKind::If { then, otherwise, .. } => stack.extend(otherwise.iter().rev().chain(then.iter().rev())),
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::With { body, .. } => {
                stack.extend(body.iter().rev());
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                stack.extend(finally.iter().rev().chain(otherwise.iter().rev()));
                stack.extend(handlers.iter().flatten().rev().chain(body.iter().rev()));
            }
            _ => {}
        }
    }
    false
}

/// `fn(…)` of a parameter, also through what runs it: `current_app.ensure_sync(fn)(…)`.
fn is_given(callee: &Expr, given: &[&str]) -> bool {
    match &callee.kind {
        ExprKind::Name(name) => given.contains(&name.as_str()),
        ExprKind::Call { args, .. } => args.iter().any(|arg| is_given(arg.value(), given)),
        _ => false,
    }
}

/// The path of the library's function or class that is called, where it is none of the program.
pub(super) fn external_callee<'p>(
    evaluator: &mut Evaluator<'p>,
    callee: &'p Expr,
    code: &Rc<Code<'p>>,
) -> Option<Rc<str>> {
    match code.value(evaluator, callee) {
        Value::External(path) => Some(path),
        Value::Class(class) => {
            // A response class of the program is what it comes from.
            let external = evaluator.external_bases(&class);
            external.into_iter().find(|path| last(path).ends_with("Response"))
        }
        _ => None,
    }
}

/// The sort of media that a type names.
pub(super) fn simple_media(media: &str) -> &'static str {
    if media.starts_with("text/html") {
        "text/html"
    } else if media.starts_with("text/") {
        "text/plain"
    } else {
        "application/octet-stream"
    }
}
