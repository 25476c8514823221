//! Clients of C#, and the base addresses that a program gives them where it sets up its services.

pub(in crate::wires) mod flurl;
pub(in crate::wires) mod http_client;
pub(in crate::wires) mod refit;
pub(in crate::wires) mod rest_sharp;

use std::rc::Rc;

use super::address::text_of;
use super::joined;
use crate::evaluate::{Args, Evaluator, Made, UNKNOWN_PART, Value, last};
use crate::finding::Reason;
use crate::model::Method;
use crate::text::Span;

/// Methods that set a client up: `services.AddHttpClient<Users>(client => client.BaseAddress = …)`.
const SET_UP: &[&str] = &["AddHttpClient", "AddRefitClient", "ConfigureHttpClient"];

/// What a client of the program is set up with is kept for whoever asks with it, by its type or name.
fn set_up<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let name = path.rsplit_once("().").map_or(path, |(_, name)| name);
    if !SET_UP.contains(&name) {
        return None;
    }
    let mut keys: Vec<Value<'p>> = Vec::new();
    // `AddHttpClient<Users>().ConfigureHttpClient(…)`
    if let Some(Value::Made(made)) = args.receiver.as_deref()
        && last(&made.path) == BUILDER
    {
        keys.extend(made.args.positional.iter().cloned());
    }
    if let Some((types, scope)) = &args.types {
        for written in *types {
            if let Value::Class(class) = evaluator.type_expression(written, scope) {
                keys.push(Value::str(evaluator.full_name(&class)));
            }
        }
    } else if let Some(Value::Str(name)) = args.positional.first() {
        keys.push(Value::str(named(name)));
    }
    let configure = args.positional.iter().find(|it| matches!(it, Value::Function(_) | Value::Bound(..))).cloned();
    if let Some(configure) = configure {
        let client = Value::record();
        // `(services, client) => …` has the client last.
        let parameters = match &configure {
            Value::Function(function) | Value::Bound(_, function) => function.node.parameters.len(),
            _ => 1,
        };
        let mut positional = vec![Value::Unknown("the services", Some(site)); parameters.saturating_sub(1)];
        positional.push(client.clone());
        evaluator.call_always(&configure, Args { positional, ..Args::default() }, site);
        let base = evaluator.member(&client, "BaseAddress", Some(site));
        if text_of(&base).is_some() {
            for key in &keys {
                if let Value::Str(key) = key {
                    evaluator.keep(key, base.clone());
                }
            }
        }
    }
    let args = Args { positional: keys, ..Args::default() };
    Some(Value::Made(Rc::new(Made { path: BUILDER.into(), receiver: None, args, site })))
}

/// What setting up a client gives.
const BUILDER: &str = "IHttpClientBuilder";

/// What a client that goes by a name is kept as.
fn named(name: &str) -> String {
    format!("\"{name}\"")
}

/// An address below what the program gives a client; without that, below something that is not known.
fn below<'p>(base: Option<Value<'p>>, url: &Value<'p>, at_root: bool) -> Value<'p> {
    let base = base.filter(|base| text_of(base).is_some());
    joined(Some(&base.unwrap_or(Value::Pattern(UNKNOWN_PART.to_string().into()))), url, at_root)
}

/// The method that the name of a function or attribute begins with.
fn method_of_name(name: &str) -> Option<Method> {
    const METHODS: &[(&str, Method)] = &[
        ("Get", Method::Get),
        ("Post", Method::Post),
        ("Put", Method::Put),
        ("Patch", Method::Patch),
        ("Delete", Method::Delete),
        ("Head", Method::Head),
        ("Options", Method::Options),
    ];
    METHODS.iter().find(|(start, _)| name.starts_with(start)).map(|(_, method)| *method)
}

/// Why there may be more in the query than is seen.
fn more() -> Reason {
    Reason::new("handlers of the client may add to the query", None)
}
