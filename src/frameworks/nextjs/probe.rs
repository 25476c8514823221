//! Which methods a handler answers: it is run once for each, with a request of that method and a response that notes
//! what is sent. A method is served where something is sent that is no refusal.

use std::cell::RefCell;
use std::rc::Rc;

use super::{METHODS, is_answer};
use crate::evaluate::{Args, Dict, Evaluator, ModuleId, NodeId, Value};
use crate::model::Method;
use crate::text::Span;

/// Stands for `res`.
pub(super) const RESPONSE: &str = "next.response";
/// A method that no handler names: what is answered to it is answered to any.
const ANY: &str = "ANY";
/// Where a response keeps the status that was set, as Node's own name for it, and what was sent.
const STATUS: &str = "statusCode";
const SENT: &str = "sent";

/// A method that is answered.
pub(super) struct Answered<'p> {
    pub(super) method: Method,
    /// The handler of this method alone, where it is known.
    pub(super) handler: Option<Value<'p>>,
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
    let any = |handler: Option<Value<'p>>| {
        METHODS.map(|method| Answered { method, handler: handler.clone(), any: true }).into()
    };
    match handler {
        Value::Function(_) | Value::Bound(..) | Value::Partial(..) => {
            let other = run(evaluator, module, handler, ANY, site);
            let answered: Vec<Answered<'p>> = METHODS
                .into_iter()
                .filter_map(|method| {
                    let sent = run(evaluator, module, handler, method.name(), site);
                    (!sent.is_empty()).then(|| Answered { method, handler: None, any: sent == other })
                })
                .collect();
            // Whatever is sent is sent where it is not seen.
            if answered.is_empty() { any(None) } else { answered }
        }
        Value::Made(made) => {
            // What a library makes of handlers.
            for value in made.args.values() {
                if let Value::Function(_) = value {
                    return methods(evaluator, module, &value.clone(), site);
                }
                if let Some(verbs) = verbs(value) {
                    return verbs;
                }
            }
            any(None)
        }
        Value::Unknown(..) | Value::External(_) | Value::Native(..) => any(None),
        _ => Vec::new(),
    }
}

/// Handlers by method: `{ GET: …, POST: … }`.
fn verbs<'p>(value: &Value<'p>) -> Option<Vec<Answered<'p>>> {
    let Value::Dict(dict) = value else { return None };
    let dict = dict.borrow();
    if dict.open || dict.entries.is_empty() {
        return None;
    }
    let verb = |(key, value): &(Value<'p>, Value<'p>)| {
        let method = Method::parse(key.as_str()?)?;
        Some(Answered { method, handler: Some(value.clone()), any: false })
    };
    dict.entries.iter().map(verb).collect()
}

/// What is sent to a request of one method, refusals left out: each as what tells it from others.
fn run<'p>(
    evaluator: &mut Evaluator<'p>,
    module: ModuleId,
    handler: &Value<'p>,
    method: &str,
    site: Span,
) -> Vec<String> {
    evaluator.start(evaluator.file_of(module));
    let Some(response) = evaluator.make_node(RESPONSE, Args::default(), None, site) else { return Vec::new() };
    let entries = vec![(Value::str("method"), Value::str(method))];
    let request = Value::Dict(Rc::new(RefCell::new(Dict { entries, open: true, record: true, ..Dict::default() })));
    let args = Args { positional: vec![request, Value::Node(response)], ..Args::default() };
    let returned = evaluator.serve(handler, args, site);
    if let Value::Made(made) = &returned
        && is_answer(&made.path)
    {
        let options = made.args.positional.get(1);
        let status = match options {
            Some(Value::Dict(options)) => options.borrow().get_str("status").cloned(),
            _ => None,
        };
        send(evaluator, response, status, made.site);
    }
    let sent = evaluator.node(response).attributes.get(SENT).and_then(Value::elements).unwrap_or_default();
    sent.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A method call on a response.
pub(super) fn response_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: &Args<'p>,
    site: Span,
) -> Value<'p> {
    let first = args.positional.first();
    match name {
        "status" | "writeHead" => {
            let status = first.cloned().unwrap_or(Value::Unknown("status without a number", Some(site)));
            evaluator.set_member(&Value::Node(id), STATUS, status);
        }
        "json" | "send" | "end" | "redirect" | "revalidate" | "write" | "rewrite" => {
            let status = match (name, first) {
                ("redirect", _) => Some(Value::Int(307)),
                _ => evaluator.node(id).attributes.get(STATUS).cloned(),
            };
            send(evaluator, id, status, site);
            evaluator.node_mut(id).attributes.remove(STATUS);
        }
        _ => {}
    }
    Value::Node(id)
}

/// Whoever is handed the response may answer.
pub(super) fn handed(evaluator: &mut Evaluator, id: NodeId, site: Span) {
    if evaluator.node(id).kind == "response" {
        send(evaluator, id, None, site);
    }
}

/// Notes what is sent, unless it is a refusal or comes of an exception.
fn send<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, status: Option<Value<'p>>, site: Span) {
    let code = match status {
        Some(Value::Int(code)) => Some(code),
        _ => None,
    };
    if evaluator.is_rescuing() || code.is_some_and(|code| code >= 400) {
        return;
    }
    let what = Value::str(format!("{}:{} {}", site.file.0, site.start, code.unwrap_or(200)));
    let mut sent = evaluator.node(id).attributes.get(SENT).and_then(Value::elements).unwrap_or_default();
    if !sent.iter().any(|known| known.same(&what)) {
        sent.push(what);
        evaluator.node_mut(id).attributes.insert(Rc::from(SENT), Value::list(sent));
    }
}
