//! What an endpoint answers: what it describes, and what its handler sends.

use super::definition::{PRODUCES, list};
use super::endpoints::extends_known;
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Value, last};
use crate::frameworks::answered::{self, Declared};
use crate::frameworks::{Route, Schemas};
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::typing::answers::{Answer, Body as Sent, answers};
use crate::languages::csharp::typing::{Place, Typer, supertypes};
use crate::model::program::{Arg, Expr, ExprKind, Stmt, StmtKind};
use crate::model::{Response, Status};
use crate::text::Span;

/// What an endpoint answers.
pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let declared = described(evaluator, route);
    let Value::Bound(class, function) = route.handler else {
        return answered::responses(evaluator, schemas, Serialiser::Endpoints, &declared, &[], site);
    };
    let Value::Class(class) = &**class else { return Vec::new() };
    let answer = answer_type(evaluator, class);
    let seen = if function.node.name == "ExecuteAsync" {
        answers(evaluator, function, Some(&Value::Class(class.clone())))
    } else {
        sent(evaluator, class, function, answer.as_ref())
    };
    // Without a word of a success, documents state what the library sends for a handler that only sets its response.
    let mut declared = declared;
    let says = |status: &Status| status.is_success();
    // What sends in a way that is not read may send anything.
    let unread = seen.iter().any(|answer| answer.status.is_none()) || (seen.is_empty() && answer.is_none());
    let known = extends_known(evaluator, class) && !unread;
    if known && function.node.name != "ExecuteAsync" && !declared.iter().any(|response| says(&response.status)) {
        let span = function.node.name_span;
        let (status, ty) = answer.map_or((204, None), |ty| (200, Some(ty)));
        declared.push(Declared { status: Status::Code(status), ty, media: None, span });
    }
    answered::responses(evaluator, schemas, Serialiser::Endpoints, &declared, &seen, site)
}

/// What the endpoint describes.
fn described<'p>(evaluator: &mut Evaluator<'p>, route: &Route<'_, 'p>) -> Vec<Declared<'p>> {
    let Some(Value::Node(id)) = route.draft.options.positional.first() else { return Vec::new() };
    let mut out = Vec::new();
    for value in list(evaluator, *id, PRODUCES) {
        let Value::Made(made) = value else { continue };
        let default = match last(&made.path) {
            "Produces" | "Response" => 200,
            "ProducesProblem" => 500,
            _ => 400,
        };
        let mut declared = answered::declared(evaluator, &made.args, default, made.site);
        // The type is that of the example.
        if let (None, Some(Value::Instance(example))) = (&declared.ty, made.args.get(2, "example")) {
            declared.ty = Some(Value::Class(example.class.clone()));
        }
        if default != 200 && declared.status.is_success() {
            declared.status = Status::Code(default);
        }
        out.push(declared);
    }
    out
}

/// The type of what an endpoint answers, as it tells its base class.
fn answer_type<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Value<'p>> {
    let above = supertypes(evaluator, &Value::Class(class.clone()));
    let found = above.into_iter().find_map(|base| {
        let Value::Applied(base, args) = base else { return None };
        let at = match (base.as_external()?, args.len()) {
            (path, 2..) if last(path) == "Endpoint" => 1,
            (path, _) if last(path) == "EndpointWithoutRequest" || last(path) == "Res" => 0,
            (path, 2..) if last(path) == "RefreshTokenService" => 1,
            _ => return None,
        };
        args.get(at).cloned()
    })?;
    // What says nothing is sent as nothing.
    let says = !found.as_external().is_some_and(|path| matches!(last(path), "object" | "EmptyResponse"));
    says.then_some(found)
}

/// What a handler sends, one for each call that does.
fn sent<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    function: &FunctionRef<'p>,
    answer: Option<&Value<'p>>,
) -> Vec<Answer<'p>> {
    let mut calls = Vec::new();
    let node: &'p crate::model::program::Function = function.node;
    collect(&node.body, &mut calls);
    let mut typer = Typer::new(evaluator);
    let place = typer.place(function, Some(&Value::Class(class.clone())));
    let mut out: Vec<Answer<'p>> = Vec::new();
    for (name, args, span) in calls {
        let (status, body) = sending(&mut typer, &place, name, args, answer, span);
        // Of several with one status, the one that has a body says most.
        match out.iter_mut().find(|known| known.status == status && status.is_some()) {
            Some(known) if matches!(known.body, Sent::Nothing) => known.body = body,
            Some(_) => {}
            None => out.push(Answer { status, body, span }),
        }
    }
    out
}

/// The status and body of `Send.{name}Async(…)`.
fn sending<'p>(
    typer: &mut Typer<'_, 'p>,
    place: &Place<'p>,
    name: &str,
    args: &'p [Arg],
    answer: Option<&Value<'p>>,
    span: Span,
) -> (Option<u16>, Sent<'p>) {
    let given: Vec<&'p Expr> = args.iter().filter(|arg| !is_cancellation(arg)).map(Arg::value).collect();
    let body = |typer: &mut Typer<'_, 'p>, at: usize| match (answer, given.get(at)) {
        (Some(ty), _) => Sent::Type(ty.clone()),
        (None, Some(value)) => match typer.type_of(value, place) {
            Value::Unknown(why, at) => Sent::Unknown(why, at),
            ty => Sent::Type(ty),
        },
        (None, None) => Sent::Nothing,
    };
    let named = |name: &str| {
        let named = args.iter().find_map(|arg| match arg {
            Arg::Keyword(known, value) if known == name => Some(value),
            _ => None,
        });
        named.or_else(|| given.get(1).copied())
    };
    match name {
        "Ok" if given.is_empty() => (Some(200), Sent::Nothing),
        "Ok" => (Some(200), body(typer, 0)),
        "" | "Response" | "Custom" => {
            let status = match named("statusCode") {
                None => Some(200),
                Some(code) => match typer.ev.evaluate(code, &place.scope) {
                    Value::Int(code) => u16::try_from(code).ok(),
                    _ => None,
                },
            };
            (status, body(typer, 0))
        }
        "CreatedAt" => (Some(201), body(typer, 1)),
        "AcceptedAt" => (Some(202), body(typer, 1)),
        "NoContent" => (Some(204), Sent::Nothing),
        "Headers" => (Some(200), Sent::Nothing),
        "String" => (Some(200), Sent::NotJson("text")),
        "Stream" | "File" | "Bytes" => (Some(200), Sent::NotJson("file")),
        "EventStream" => (Some(200), Sent::NotJson("stream of events")),
        "EmptyJsonObject" => (Some(200), Sent::Unknown("an object that is empty", Some(span))),
        "NotFound" => (Some(404), Sent::Nothing),
        "Forbidden" => (Some(403), Sent::Nothing),
        "Unauthorized" => (Some(401), Sent::Nothing),
        "NotModified" => (Some(304), Sent::Nothing),
        "Redirect" => (Some(302), Sent::Nothing),
        "Errors" => (Some(400), Sent::Nothing),
        "StatusCode" => match given.first().map(|code| typer.ev.evaluate(code, &place.scope)) {
            Some(Value::Int(code)) => (u16::try_from(code).ok(), Sent::Nothing),
            _ => (None, Sent::Nothing),
        },
        _ => (None, Sent::Unknown("answer of a kind that is not read", Some(span))),
    }
}

/// `ct`, `cancellation: ct`
fn is_cancellation(arg: &Arg) -> bool {
    match arg {
        Arg::Keyword(name, _) => name.starts_with("cancel"),
        Arg::Positional(Expr { kind: ExprKind::Name(name), .. }) => {
            matches!(name.as_str(), "ct" | "c" | "cancellation" | "cancellationToken" | "token")
        }
        _ => false,
    }
}

/// Stands for what is sent with what another function gives it.
const HANDED_ON: &str = "handed on";

type Sends<'p> = Vec<(&'p str, &'p [Arg], Span)>;

/// The calls in a block that send something; functions within it are looked at as well.
fn collect<'p>(block: &'p [Stmt], out: &mut Sends<'p>) {
    let mut blocks: Vec<&'p [Stmt]> = vec![block];
    while let Some(block) = blocks.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Expr(value) | StmtKind::Return(Some(value)) => of_expr(value, out),
                StmtKind::Assign { value, .. } | StmtKind::Annotated { value: Some(value), .. } => of_expr(value, out),
                StmtKind::If { then, otherwise, .. } => blocks.extend([then.as_slice(), otherwise]),
                StmtKind::For { body, otherwise, .. } => blocks.extend([body.as_slice(), otherwise]),
                StmtKind::While { body, .. } | StmtKind::With { body, .. } => blocks.push(body),
                StmtKind::Try { body, handlers, otherwise, finally } => {
                    blocks.extend([body.as_slice(), otherwise, finally]);
                    blocks.extend(handlers.iter().map(Vec::as_slice));
                }
                StmtKind::Match { cases, .. } => blocks.extend(cases.iter().map(|case| case.body.as_slice())),
                _ => {}
            }
        }
    }
}

fn of_expr<'p>(expr: &'p Expr, out: &mut Sends<'p>) {
    let mut next = expr;
    loop {
        next = match &next.kind {
            ExprKind::Await(inner) => inner,
            ExprKind::Conditional { then, otherwise, .. } => {
                of_expr(then, out);
                otherwise
            }
            ExprKind::Match { arms, .. } => {
                arms.iter().for_each(|arm| of_expr(&arm.value, out));
                return;
            }
            ExprKind::Call { callee, args, .. } => {
                if let Some(name) = send_name(callee) {
                    out.push((name, args, next.span));
                    return;
                }
                // `result.Match(found => Send.OkAsync(found), Send.ErrorsAsync)`
                for value in args.iter().map(Arg::value) {
                    match &value.kind {
                        ExprKind::Lambda(function) => collect(&function.body, out),
                        _ if send_name(value).is_some() => out.push((HANDED_ON, &[], value.span)),
                        _ => {}
                    }
                }
                match &callee.kind {
                    // `(await Find()).Match(…).Finally(…)`
                    ExprKind::Member { object, .. } => object,
                    _ => return,
                }
            }
            _ => return,
        };
    }
}

/// `Send.OkAsync`, `SendOkAsync`, `this.SendOkAsync`: `Ok`.
fn send_name(callee: &Expr) -> Option<&str> {
    let name = match &callee.kind {
        ExprKind::Name(name) => name.strip_prefix("Send")?,
        ExprKind::Member { object, name } => match &object.kind {
            ExprKind::Name(on) if on == "Send" => name,
            ExprKind::Member { name: on, .. } if on == "Send" => name,
            ExprKind::Name(on) if on == "this" => name.strip_prefix("Send")?,
            _ => return None,
        },
        _ => return None,
    };
    name.strip_suffix("Async")
}
