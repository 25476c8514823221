//! What code reads of the request by itself, beside what it is given.

use std::collections::VecDeque;

use super::Intake;
use crate::evaluate::{ClassRef, Evaluator, Value};
use crate::languages::csharp::expressions;
use crate::model::program::{Expr, ExprKind, Function};
use crate::text::Span;

/// Members of the context of a request, and of the request, that say nothing of what is sent as a parameter or body.
const OF_CONTEXT: &[&str] = &[
    "User",
    "RequestAborted",
    "RequestServices",
    "Response",
    "Items",
    "Connection",
    "Session",
    "TraceIdentifier",
    "Features",
    "SignInAsync",
    "SignOutAsync",
    "AuthenticateAsync",
    "ChallengeAsync",
    "GetTokenAsync",
    "GetEndpoint",
];
const OF_REQUEST: &[&str] =
    &["Path", "PathBase", "Host", "Scheme", "Method", "ContentType", "ContentLength", "Protocol", "IsHttps"];
/// Members that hold parameters, and those that hold the body.
const PARAMETERS: &[&str] = &["Query", "QueryString", "Headers", "Cookies", "GetTypedHeaders"];
const BODIES: &[&str] =
    &["Form", "Body", "BodyReader", "ReadFormAsync", "ReadFromJsonAsync", "EnableBuffering", "HasFormContentType"];

/// Functions of one class that are followed for one action; that there are more is told.
const MAX_FOLLOWED: usize = 200;

/// What the request is called in a function.
#[derive(Clone, Debug, Default)]
pub(in crate::frameworks) struct Names {
    pub(in crate::frameworks) context: Vec<String>,
    pub(in crate::frameworks) request: Vec<String>,
}

impl Names {
    /// As members of a controller or endpoint.
    pub(in crate::frameworks) fn of_controller() -> Self {
        Names { context: vec!["HttpContext".to_owned()], request: vec!["Request".to_owned()] }
    }
}

/// Where code reads what it likes.
#[derive(Clone, Copy, Debug, Default)]
struct Reads {
    parameters: Option<Span>,
    bodies: Option<Span>,
}

/// Notes what a function reads by itself, and the functions of its class that it calls.
pub(in crate::frameworks) fn note_reads<'p>(
    evaluator: &mut Evaluator<'p>,
    intake: &mut Intake,
    function: &'p Function,
    class: Option<&ClassRef<'p>>,
    names: &Names,
) {
    let mut reads = Reads::default();
    let mut left: VecDeque<&'p Function> = VecDeque::from([function]);
    let mut seen: Vec<*const Function> = vec![std::ptr::from_ref(function)];
    while let Some(function) = left.pop_front() {
        let called = look(function, names, &mut reads);
        let Some(class) = class else { continue };
        for name in called {
            let Some(Value::Function(inner)) = evaluator.class_member(class, name) else { continue };
            if seen.contains(&std::ptr::from_ref(inner.node)) {
                continue;
            }
            if seen.len() >= MAX_FOLLOWED {
                let what = "functions of its class that one action calls, beyond the 200th";
                evaluator.cut_reading(what, Some(inner.node.name_span));
            } else {
                seen.push(std::ptr::from_ref(inner.node));
                left.push_back(inner.node);
            }
        }
    }
    if let Some(span) = reads.parameters {
        intake.other_parameters("code reads of the request what it likes", span);
    }
    if let Some(span) = reads.bodies {
        intake.other_bodies("code reads the body by itself", span);
    }
}

/// Looks through one function; gives the functions that it calls by their names alone.
fn look<'p>(function: &'p Function, names: &Names, reads: &mut Reads) -> Vec<&'p str> {
    let is_named = |expr: &Expr, names: &[String]| matches!(&expr.kind, ExprKind::Name(name) if names.contains(name));
    let is_request = |expr: &Expr| {
        is_named(expr, &names.request)
            || matches!(&expr.kind, ExprKind::Member { object, name } if name == "Request" && is_named(object, &names.context))
    };
    let mut called = Vec::new();
    // Mentions of the request, and those of them that are understood; whatever else is done with it may read anything.
    let (mut mentioned, mut understood, mut first) = (0_usize, 0_usize, None);
    expressions(&function.body, &mut |inner| {
        if is_named(inner, &names.context) || is_request(inner) {
            mentioned += 1;
            first.get_or_insert(inner.span);
        }
        match &inner.kind {
            ExprKind::Member { object, name } => {
                let name = name.as_str();
                if is_named(object, &names.context) && (name == "Request" || OF_CONTEXT.contains(&name)) {
                    understood += 1;
                } else if is_request(object) {
                    let holds = |known: &[&str]| known.contains(&name);
                    understood += usize::from(holds(OF_REQUEST) || holds(PARAMETERS) || holds(BODIES));
                    if holds(PARAMETERS) {
                        reads.parameters.get_or_insert(inner.span);
                    } else if holds(BODIES) {
                        reads.bodies.get_or_insert(inner.span);
                    }
                }
            }
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Name(name) => called.push(name.as_str()),
                ExprKind::Member { object, name } if matches!(&object.kind, ExprKind::Name(on) if on == "this") => {
                    called.push(name.as_str());
                }
                _ => {}
            },
            _ => {}
        }
    });
    if let Some(span) = first.filter(|_| understood < mentioned) {
        reads.parameters.get_or_insert(span);
        reads.bodies.get_or_insert(span);
    }
    called
}
