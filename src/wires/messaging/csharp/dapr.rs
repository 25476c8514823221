//! Dapr: `client.PublishEventAsync("pubsub", "topic", data)`, `[Topic("pubsub", "topic")]` on actions and handlers of
//! endpoints, `MapPost(…).WithTopic("pubsub", "topic")`.

use super::super::super::{Use, Wire};
use super::super::message;
use super::{channel, message_in, method, sent};
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Item, Library, ModuleId, Noted, Scope, Value, last};
use crate::frameworks::{Schemas, said_of_endpoints};
use crate::languages::Language;
use crate::model::Action;
use crate::model::program::{ClassKind, Expr, Function, Param, StmtKind};
use crate::text::Span;

pub(in crate::wires) static DAPR: Wire = Wire { name: "Dapr", languages: &[Language::CSharp], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "Dapr",
    wire_packages: &["Dapr"],
    wire_words: &["PublishEventAsync", "PublishByteEventAsync"],
    chained: |path| path.ends_with("DaprClientBuilder"),
    call,
    class_defined,
    finished,
    ..Library::CSHARP
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match method(path)? {
        ("DaprClient" | "Build", "PublishEventAsync" | "PublishByteEventAsync") => {
            let data = message_in(args.get(2, "data"));
            evaluator.note_message(&LIBRARY, channel(args, 1, "topicName"), &data, args.clone(), site);
            Some(Value::Unknown("what a broker answers", Some(site)))
        }
        _ => None,
    }
}

/// Actions that topics lead to: `[Topic("pubsub", "orders")] public IActionResult Post(Order order)`.
fn class_defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, _: &[Value<'p>]) {
    let scope = evaluator.body_scope(class);
    for statement in evaluator.class_statements(class) {
        if let StmtKind::Function(function) = &statement.kind {
            of_attributes(evaluator, function, &scope);
        }
    }
}

/// Handlers of endpoints that topics lead to.
fn finished<'p>(evaluator: &mut Evaluator<'p>, _: &[ModuleId]) {
    let is_handler = |item: &Item<'p>| match item {
        Item::Route { handler: Value::Function(function) | Value::Bound(_, function), .. } => {
            (!function.node.decorators.is_empty()).then(|| function.clone())
        }
        _ => None,
    };
    let handlers: Vec<FunctionRef<'p>> =
        evaluator.nodes().iter().flat_map(|node| node.items.iter().filter_map(is_handler)).collect();
    for handler in handlers.iter().filter(|handler| handler.class.is_none() || handler.node.is_lambda) {
        of_attributes(evaluator, handler.node, &handler.scope);
    }
    for (said, handler) in said_of_endpoints(evaluator, "WithTopic") {
        let topic = channel(&said.args, 1, "name");
        match handler {
            Value::Function(handler) | Value::Bound(_, handler) => {
                receive(evaluator, topic, handler.node, &handler.scope, said.site);
            }
            _ => evaluator.note(&LIBRARY, "receive", topic, Args::default(), said.site),
        }
    }
}

fn of_attributes<'p>(evaluator: &mut Evaluator<'p>, function: &'p Function, scope: &Scope<'p>) {
    for attribute in evaluator.attributes(&function.decorators, scope) {
        if let Value::Made(made) = &attribute
            && matches!(last(&made.path), "Topic" | "TopicAttribute")
        {
            let topic = channel(&made.args, 1, "name");
            let site = if function.is_lambda { made.site } else { function.name_span };
            receive(evaluator, topic, function, scope, site);
        }
    }
}

/// A function takes the messages of a topic: its name, and the type of what the body of the request is bound to.
fn receive<'p>(evaluator: &mut Evaluator<'p>, topic: Value<'p>, function: &'p Function, scope: &Scope<'p>, site: Span) {
    let taken = body(evaluator, function, scope).map(|annotation| evaluator.type_expression(annotation, scope));
    let name = if function.name.is_empty() { Value::None } else { Value::str(function.name.as_str()) };
    let positional = [Some(name), taken].into_iter().flatten().collect();
    evaluator.note(&LIBRARY, "receive", topic, Args { positional, ..Args::default() }, site);
}

/// The type of the parameter that the body is bound to: one that says so, else the first that is of a class of the program
/// and comes from nowhere else.
fn body<'p>(evaluator: &mut Evaluator<'p>, function: &'p Function, scope: &Scope<'p>) -> Option<&'p Expr> {
    let mut found = None;
    for parameter in function.parameters.iter().filter(|parameter| parameter.name != "this") {
        let Some(annotation) = &parameter.annotation else { continue };
        match source(evaluator, parameter, scope) {
            Some(true) => return Some(annotation),
            Some(false) => {}
            None if found.is_none() => {
                let is_data = match evaluator.type_expression(annotation, scope) {
                    Value::Class(class) => class.node.kind == ClassKind::Class && !evaluator.is_enum(&class),
                    Value::Applied(base, _) => base.as_external().is_some_and(|path| last(path).contains("Dictionary")),
                    _ => false,
                };
                found = is_data.then_some(annotation);
            }
            None => {}
        }
    }
    found
}

/// Whether an attribute says that a parameter is the body, or something else.
fn source<'p>(evaluator: &mut Evaluator<'p>, parameter: &'p Param, scope: &Scope<'p>) -> Option<bool> {
    evaluator.attributes(&parameter.decorators, scope).iter().find_map(|attribute| match attribute {
        Value::Made(made) => {
            let name = last(&made.path);
            name.starts_with("From").then_some(name == "FromBody")
        }
        _ => None,
    })
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    if noted.what == "receive" {
        let taken = noted.args.positional.get(1);
        let shape = taken.map(|taken| schemas.csharp().shape_of(evaluator, taken, noted.site));
        let mut found = message("Dapr", noted, Action::Receive, shape);
        if let (Use::Message(found), Some(Value::Str(name))) = (&mut found, noted.args.positional.first()) {
            found.function = name.to_string();
        }
        return vec![found];
    }
    let shape = sent(evaluator, schemas, noted, 2, "data");
    vec![message("Dapr", noted, Action::Send, shape)]
}
