//! What a handler of JavaScript answers when it runs, with what stands for a request and a response that notes what is
//! sent.

use std::cell::RefCell;
use std::rc::Rc;

use super::Schemas;
use crate::evaluate::{Args, Dict, Evaluator, Made, ModuleId, NodeId, Value, last};
use crate::languages::typescript::schema::{Reply, ReplyBody};
use crate::model::program::{Arg, Expr, ExprKind};
use crate::text::Span;

/// Where a response keeps the status that was set, under Node's own name for it, and what was sent.
const STATUS: &str = "statusCode";
const SENT: &str = "sent";
/// What is sent where somebody is handed the response who is not followed.
const HANDED: &str = "handed on";

/// What is sent to a request of one method, refusals left out.
pub(super) fn run<'p>(
    evaluator: &mut Evaluator<'p>,
    response: &str,
    module: ModuleId,
    handler: &Value<'p>,
    method: &str,
    site: Span,
) -> Vec<Value<'p>> {
    evaluator.start(evaluator.file_of(module));
    let Some(response) = evaluator.make_node(response, Args::default(), None, site) else { return Vec::new() };
    let entries = vec![(Value::str("method"), Value::str(method))];
    let request = Value::Dict(Rc::new(RefCell::new(Dict { entries, open: true, record: true, ..Dict::default() })));
    let args = Args { positional: vec![request, Value::Node(response)], ..Args::default() };
    evaluator.set_member(&Value::Node(response), STATUS, Value::Int(200));
    if evaluator.serve(handler, args, response, site).is_none() {
        forget_handed(evaluator, response);
    }
    sent(evaluator, response)
}

fn sent<'p>(evaluator: &Evaluator<'p>, response: NodeId) -> Vec<Value<'p>> {
    evaluator.node(response).attributes.get(SENT).and_then(Value::elements).unwrap_or_default()
}

/// A method call on a response.
pub(super) fn response_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Value<'p> {
    let node = Value::Node(id);
    match name {
        "status" | "writeHead" => {
            let first = args.positional.first();
            let status = first.cloned().unwrap_or(Value::Unknown("status without a number", Some(site)));
            evaluator.set_member(&node, STATUS, status);
        }
        "json" | "send" | "end" | "redirect" | "write" => {
            let status = match name {
                "redirect" => Some(Value::Int(307)),
                _ => evaluator.node_attribute(id, STATUS),
            };
            send(evaluator, id, status, name, args, site);
            evaluator.set_member(&node, STATUS, Value::Int(200));
        }
        _ => {}
    }
    node
}

/// Whoever is handed the response may answer.
pub(super) fn handed(evaluator: &mut Evaluator, id: NodeId, site: Span) {
    if evaluator.node(id).kind == "response" {
        send(evaluator, id, None, HANDED, Args::default(), site);
    }
}

/// Notes what is sent, unless it is a refusal or comes of an exception. Of what is noted, the arguments are
/// the status and whether it is uncertain that it is sent.
pub(super) fn send<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    status: Option<Value<'p>>,
    name: &str,
    args: Args<'p>,
    site: Span,
) {
    if !evaluator.is_uncertain() && name != HANDED {
        forget_handed(evaluator, id);
    }
    if evaluator.is_rescuing() || matches!(status, Some(Value::Int(400..))) {
        return;
    }
    let status = status.unwrap_or(Value::Unknown("status of what is not followed", Some(site)));
    let positional = vec![status, Value::Bool(evaluator.is_uncertain())];
    let args = Args { positional, written: args.written, ..Args::default() };
    let mut all = sent(evaluator, id);
    let known = |value: &Value| matches!(value, Value::Made(made) if made.site == site);
    if !all.iter().any(known) {
        all.push(Value::Made(Rc::new(Made { path: Rc::from(name), receiver: None, args, site })));
        set_sent(evaluator, id, all);
    }
}

/// What is answered in any case was not answered by whoever was handed the response before: that is middleware.
fn forget_handed(evaluator: &mut Evaluator, id: NodeId) {
    let mut all = sent(evaluator, id);
    let is_certain = |made: &Made| !matches!(made.args.positional.get(1), Some(Value::Bool(true)));
    all.retain(|value| !matches!(value, Value::Made(made) if last(&made.path) == HANDED && is_certain(made)));
    set_sent(evaluator, id, all);
}

fn set_sent<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, all: Vec<Value<'p>>) {
    evaluator.node_mut(id).attributes.insert(Rc::from(SENT), Value::list(all));
}

/// What was sent, each with its status; no redirects.
pub(super) fn replies<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    sent: &[Value<'p>],
    site: Span,
) -> Vec<Reply<'p>> {
    let made = sent.iter().filter_map(|value| match value {
        Value::Made(made) => Some(made),
        _ => None,
    });
    made.filter_map(|made| reply(evaluator, schemas, made, site)).collect()
}

/// One place where something is sent; `None` for a redirect.
fn reply<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    sent: &Made<'p>,
    site: Span,
) -> Option<Reply<'p>> {
    // What is sent in another file is sent for this one.
    let span = if sent.site.file == site.file { sent.site } else { site };
    let (written, place) = match &sent.args.written {
        Some((args, scope)) => (args.first().map(Arg::value), Some(schemas.typescript().place_in(evaluator, scope))),
        None => (None, None),
    };
    let body = match (last(&sent.path), written, place) {
        ("redirect", ..) => return None,
        ("json" | "send", Some(value), Some(place)) => {
            ReplyBody::Value(schemas.typescript().type_of(evaluator, value, &place))
        }
        ("end", Some(value), Some(place)) => match stringified(value) {
            Some(value) => ReplyBody::Value(schemas.typescript().type_of(evaluator, value, &place)),
            None if matches!(value.kind, ExprKind::None) => ReplyBody::Nothing,
            None => ReplyBody::Other("text or bytes are sent"),
        },
        ("json" | "send" | "end", ..) => ReplyBody::Nothing,
        (HANDED, ..) => ReplyBody::Other("the response is handed to what is not followed"),
        _ => ReplyBody::Other("a stream is sent"),
    };
    Some(Reply { status: sent.args.positional.first().cloned(), body, span, written: sent.site })
}

/// `JSON.stringify(value)`
fn stringified(value: &Expr) -> Option<&Expr> {
    let ExprKind::Call { callee, args, .. } = &value.kind else { return None };
    match (&callee.kind, args.as_slice()) {
        (ExprKind::Member { name, .. }, [first, ..]) if name == "stringify" => Some(first.value()),
        _ => None,
    }
}
