//! Which methods a handler answers: it is run once for each, with a request of that method. A method is served where
//! something is sent that is no refusal.

use super::METHODS;
use crate::evaluate::{Args, Evaluator, ModuleId, Value};
use crate::frameworks::served::{self, send};
use crate::model::Method;
use crate::text::Span;

/// Stands for `res`.
pub(super) const RESPONSE: &str = "next.response";
/// A method that no handler names: what is answered to it is answered to any.
const ANY: &str = "ANY";

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
    served::run(evaluator, RESPONSE, module, handler, method, site)
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
