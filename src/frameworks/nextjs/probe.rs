//! What a handler answers: it is run once for each method, with a request of that method and a response that notes what
//! is sent. A method is served where something is sent that is no refusal.

use std::cell::RefCell;
use std::rc::Rc;

use super::METHODS;
use crate::evaluate::{Args, Dict, Evaluator, Made, ModuleId, NodeId, Value, last};
use crate::model::Method;
use crate::text::Span;

/// Stands for `res`.
pub(super) const RESPONSE: &str = "next.response";
/// A method that no handler names: what is answered to it is answered to any.
const ANY: &str = "ANY";
/// Where a response keeps the status that was set, under Node's own name for it, and what was sent.
const STATUS: &str = "statusCode";
const SENT: &str = "sent";
/// What is sent where somebody is handed the response who is not followed.
pub(super) const HANDED: &str = "handed on";

/// A method that is answered.
pub(super) struct Answered<'p> {
    pub(super) method: Method,
    /// What is sent, each as what was called to send it.
    pub(super) sent: Vec<Value<'p>>,
    /// Nothing tells it from other methods, or it is not known whether it is answered.
    pub(super) any: bool,
}

/// The methods that a default export answers; none where it is no handler.
pub(super) fn methods<'p>(
    evaluator: &mut Evaluator<'p>,
    module: ModuleId,
    handler: &Value<'p>,
    site: Span,
) -> Vec<Answered<'p>> {
    let any = || METHODS.map(|method| Answered { method, sent: Vec::new(), any: true }).into();
    match handler {
        Value::Function(_) | Value::Bound(..) | Value::Partial(..) => {
            let other = told_apart(&run(evaluator, module, handler, ANY, site));
            let mut answered = Vec::new();
            for method in METHODS {
                let sent = run(evaluator, module, handler, method.name(), site);
                if !sent.is_empty() {
                    answered.push(Answered { method, any: told_apart(&sent) == other, sent });
                }
            }
            // Whatever is sent is sent where it is not seen.
            if answered.is_empty() { any() } else { answered }
        }
        // What a library makes of handlers.
        Value::Made(made) => {
            for value in made.args.values() {
                if let Value::Function(_) = value {
                    return methods(evaluator, module, value, site);
                }
                if let Some(verbs) = verbs(value) {
                    let each = |(method, handler): (Method, Value<'p>)| {
                        let sent = run(evaluator, module, &handler, method.name(), site);
                        Answered { method, sent, any: false }
                    };
                    return verbs.into_iter().map(each).collect();
                }
            }
            any()
        }
        Value::Unknown(..) | Value::External(_) | Value::Native(..) => any(),
        _ => Vec::new(),
    }
}

/// Handlers by method: `{ GET: …, POST: … }`.
fn verbs<'p>(value: &Value<'p>) -> Option<Vec<(Method, Value<'p>)>> {
    let Value::Dict(dict) = value else { return None };
    let dict = dict.borrow();
    if dict.open || dict.entries.is_empty() {
        return None;
    }
    dict.entries.iter().map(|(key, value)| Some((Method::parse(key.as_str()?)?, value.clone()))).collect()
}

/// What tells the answers to one method from those to another.
fn told_apart(sent: &[Value]) -> Vec<(u32, u32)> {
    let places = sent.iter().filter_map(|sent| match sent {
        Value::Made(made) => Some((made.site.file.0, made.site.start)),
        _ => None,
    });
    places.collect()
}

/// Whether a value stands for the request of a handler that runs.
pub(super) fn is_request(value: &Value) -> bool {
    let Value::Dict(dict) = value else { return false };
    let dict = dict.borrow();
    dict.open && matches!(dict.entries.as_slice(), [(Value::Str(name), Value::Str(_)), ..] if &**name == "method")
}

/// What is sent to a request of one method, refusals left out.
pub(super) fn run<'p>(
    evaluator: &mut Evaluator<'p>,
    module: ModuleId,
    handler: &Value<'p>,
    method: &str,
    site: Span,
) -> Vec<Value<'p>> {
    evaluator.start(evaluator.file_of(module));
    let Some(response) = evaluator.make_node(RESPONSE, Args::default(), None, site) else { return Vec::new() };
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

/// A response that is made: `Response.json(…)`, `new NextResponse(…)`.
pub(super) fn made<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) {
    let Some(response) = evaluator.served() else { return };
    let name = match path.strip_prefix("javascript.").or_else(|| path.strip_prefix("next/server.")) {
        Some("Response" | "NextResponse") => "end",
        Some("Response.json" | "NextResponse.json") => "json",
        Some("Response.redirect" | "NextResponse.redirect") => "redirect",
        _ => return,
    };
    let status = match (name, args.positional.get(1)) {
        ("redirect", _) => Some(Value::Int(307)),
        (_, Some(Value::Dict(options))) => match options.borrow().get_str("status") {
            None if options.borrow().open => Some(Value::Unknown("status without a number", Some(site))),
            status => status.cloned(),
        },
        (_, None) => None,
        (_, Some(_)) => Some(Value::Unknown("options of the response are not known", Some(site))),
    };
    send(evaluator, response, Some(status.unwrap_or(Value::Int(200))), name, args.clone(), site);
}

/// Whoever is handed the response may answer.
pub(super) fn handed(evaluator: &mut Evaluator, id: NodeId, site: Span) {
    if evaluator.node(id).kind == "response" {
        send(evaluator, id, None, HANDED, Args::default(), site);
    }
}

/// Notes what is sent, unless it is a refusal or comes of an exception. Of what is noted, the arguments are
/// the status and whether it is uncertain that it is sent.
fn send<'p>(
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
