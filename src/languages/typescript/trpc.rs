//! tRPC as values: procedures are kept as they are built, routers as what they were given. A caller is read like the
//! router that it calls, and a procedure of a caller says what it lets out.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, FunctionRef, Library, Made, Value, last};
use crate::text::Span;

/// tRPC, also where the module that makes its procedures is not among the sources.
pub static TRPC: Library = Library { name: "trpc", call, chained, member, ..Library::TYPESCRIPT };

/// A caller at some place of a router, and a procedure that is reached through one.
const CALLER: &str = "trpc.caller";
const PROCEDURE: &str = "trpc.procedure";
const FACTORY: &str = "createCallerFactory";
/// Routers within routers are looked through this deep; what is in a deeper one is unknown.
const MAX_MERGED: u32 = 30;

/// The builder of `@trpc/server`, and names that its documentation gives what is built with it.
fn chained(path: &str) -> bool {
    path.starts_with("@trpc/server.initTRPC")
        || path.starts_with("trpc.")
        || path.split(['.', '(', ')']).any(|part| is_builder(part) || part == FACTORY)
}

/// `publicProcedure`, `createScopedProcedure`: the names that the documentation gives what procedures are built with.
fn is_builder(name: &str) -> bool {
    name.ends_with("rocedure")
}

/// `authedProcedure.query(resolver)` of a module that is not here: a function alone is no decorated one.
fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let ([Value::Function(_)], false) = (args.positional.as_slice(), path.contains("()")) else { return None };
    let (builder, method) = path.rsplit_once('.')?;
    if !is_builder(last(builder)) || !(is_end(method) || method == "use") {
        return None;
    }
    Some(Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

fn is_end(method: &str) -> bool {
    matches!(method, "query" | "mutation" | "subscription")
}

fn derived<'p>(path: &str, receiver: &Value<'p>, like: &Made<'p>) -> Value<'p> {
    Value::Made(Rc::new(Made {
        path: Rc::from(path),
        receiver: Some(receiver.clone()),
        args: Args::default(),
        site: like.site,
    }))
}

fn member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    if let Some(router) = called_router(value) {
        let member = router_member(&router, name, MAX_MERGED)?;
        let path = if is_procedure(&member) { PROCEDURE } else { CALLER };
        return Some(derived(path, &member, made));
    }
    match name {
        "procedure" if made.path.starts_with("@trpc/server.initTRPC") => {
            Some(derived(&format!("{}().procedure", made.path), value, made))
        }
        "createCaller" if made.name() == "router" || made.name() == "mergeRouters" => {
            let args = Args { positional: vec![value.clone()], ..Args::default() };
            let path = Rc::from(format!("trpc.{FACTORY}"));
            Some(Value::Made(Rc::new(Made { path, receiver: None, args, site: made.site })))
        }
        _ => None,
    }
}

/// The router that a caller calls: `createCallerFactory(router)(context)`, or a part of one.
fn called_router<'p>(value: &Value<'p>) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    if &*made.path == CALLER {
        return made.receiver.clone();
    }
    let factory = made.path.strip_suffix("()").and(made.receiver.as_ref())?;
    router_of_factory(factory)
}

/// The router that `createCallerFactory(router)` makes callers of; it may be given in a call of its own.
fn router_of_factory<'p>(value: &Value<'p>) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    let plain = made.path.trim_end_matches("()");
    if last(plain) != FACTORY {
        return None;
    }
    if plain.len() < made.path.len() {
        let Some(Value::Made(outer)) = &made.receiver else { return None };
        if !outer.args.positional.is_empty() {
            return None;
        }
    }
    made.args.positional.first().cloned()
}

/// A member of a router: of the record that it was made of, or of one of the routers that it joins.
fn router_member<'p>(router: &Value<'p>, name: &str, left: u32) -> Option<Value<'p>> {
    let left = left.checked_sub(1)?;
    match router {
        Value::Dict(dict) => dict.borrow().get_str(name).cloned(),
        Value::Made(made) => made.args.positional.iter().find_map(|part| router_member(part, name, left)),
        _ => None,
    }
}

/// Whether a value ends in `query`, `mutation` or `subscription`.
fn is_procedure(value: &Value) -> bool {
    matches!(value, Value::Made(made) if is_end(made.name()))
}

/// What is known of the answer of a procedure.
pub enum Answer<'p> {
    /// The schema that is given to `.output()`.
    Schema(Value<'p>),
    /// What its resolver returns, given the schemas of `.input()`, last first.
    Resolver(FunctionRef<'p>, Vec<Value<'p>>),
}

/// What calling a procedure of a caller answers.
pub fn answer_of_call<'p>(value: &Value<'p>) -> Option<Answer<'p>> {
    let Value::Made(made) = value else { return None };
    if &*made.path != PROCEDURE {
        return None;
    }
    answer_of(made.receiver.as_ref()?)
}

fn answer_of<'p>(procedure: &Value<'p>) -> Option<Answer<'p>> {
    if !is_procedure(procedure) {
        return None;
    }
    let Value::Made(end) = procedure else { return None };
    let mut inputs = Vec::new();
    let mut next = end.receiver.as_ref();
    while let Some(Value::Made(made)) = next {
        match (made.name(), made.args.positional.first()) {
            ("output", Some(schema)) => return Some(Answer::Schema(schema.clone())),
            ("input", Some(schema)) => inputs.push(schema.clone()),
            _ => {}
        }
        next = made.receiver.as_ref();
    }
    match end.args.positional.first() {
        Some(Value::Function(resolver)) => Some(Answer::Resolver(resolver.clone(), inputs)),
        _ => None,
    }
}
