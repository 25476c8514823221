//! NestJS: handlers that decorators subscribe (`@EventPattern("orders.placed")`, `@OnEvent`, `@SubscribeMessage`,
//! `@RabbitSubscribe`, `@Processor`), and the clients that send to them (`ClientProxy.emit`, `.send`,
//! `AmqpConnection.publish`) (docs.nestjs.com/microservices/basics, /techniques/events, /techniques/queues).

use super::{message, read_of_parameter, sent};
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Library, Made, Noted, Value, last};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::program::{Expr, ExprKind, Param, StmtKind};
use crate::model::{Action, Kind, ShapeId};
use crate::text::Span;
use crate::wires::payload::Form;
use crate::wires::{Use, Wire};

pub(in crate::wires) static NESTJS: Wire =
    Wire { name: "@nestjs/microservices", languages: &[Language::TypeScript], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "nestjs messages",
    wire_packages: &[
        "@nestjs/microservices",
        "@nestjs/event-emitter",
        "@nestjs/websockets",
        "@nestjs/bull",
        "@nestjs/bullmq",
        "@golevelup/nestjs-rabbitmq",
    ],
    wire_words: &["emit", "send", "publish"],
    call,
    class_defined,
    ..Library::TYPESCRIPT
};

/// Decorators of methods, with the library that they are of.
const SUBSCRIBES: &[(&str, &str)] = &[
    ("EventPattern", "@nestjs/microservices"),
    ("MessagePattern", "@nestjs/microservices"),
    ("OnEvent", "@nestjs/event-emitter"),
    ("SubscribeMessage", "@nestjs/websockets"),
    ("RabbitSubscribe", "@golevelup/nestjs-rabbitmq"),
    ("RabbitRPC", "@golevelup/nestjs-rabbitmq"),
    ("Process", "@nestjs/bull"),
];

/// The members of a record of Kafka.
const RECORD: &[&str] = &["key", "value", "headers", "partition", "timestamp"];

/// Decorators of the parameter that is given the payload.
const PAYLOADS: &[&str] = &["Payload", "MessageBody", "RabbitPayload"];

fn call<'p>(ev: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (channel, what) = match (last(path), path) {
        ("emit", path) if path.starts_with("@nestjs/microservices.") => (args.positional.first().cloned(), "emit"),
        ("send", path) if path.starts_with("@nestjs/microservices.") => (args.positional.first().cloned(), "emit"),
        ("publish", path) if path.starts_with("@golevelup/nestjs-rabbitmq.") => {
            let key = args.positional.get(1).filter(|key| key.as_str() != Some(""));
            (key.or(args.positional.first()).cloned(), "publish")
        }
        _ => return None,
    };
    let channel = channel.unwrap_or(Value::Unknown("no channel is given", Some(site)));
    ev.note(&LIBRARY, what, pattern(channel, 0), args.clone(), site);
    Some(Value::Unknown("what a broker answers", Some(site)))
}

/// A pattern as text: `{ cmd: "sum" }` is `{"cmd":"sum"}`, its members sorted, as the framework has it.
fn pattern(value: Value<'_>, depth: u32) -> Value<'_> {
    let Value::Dict(dict) = &value else { return value };
    if depth > 4 || !dict.borrow().is_whole() {
        return Value::Unknown("pattern that is put together elsewhere", None);
    }
    let mut parts = Vec::new();
    for (key, member) in &dict.borrow().entries {
        let text = match pattern(member.clone(), depth + 1) {
            Value::Str(text) if matches!(member, Value::Dict(_)) => text.to_string(),
            Value::Str(text) => format!("\"{text}\""),
            Value::Int(number) => number.to_string(),
            Value::Bool(known) => known.to_string(),
            _ => return Value::Unknown("pattern that is put together elsewhere", None),
        };
        parts.push(format!("\"{}\":{text}", key.as_str().unwrap_or_default()));
    }
    parts.sort();
    Value::str(format!("{{{}}}", parts.join(",")))
}

/// Methods that decorators subscribe, and the queue that a whole class processes.
fn class_defined<'p>(ev: &mut Evaluator<'p>, class: &ClassRef<'p>, decorators: &[Value<'p>]) {
    let of_queue = decorators.iter().find_map(|decorator| match decorator {
        Value::Made(made) if last(&made.path) == "Processor" && made.path.starts_with("@nestjs/bull") => {
            made.args.positional.first().map(queue_name)
        }
        _ => None,
    });
    for statement in ev.class_statements(class) {
        let StmtKind::Function(method) = &statement.kind else { continue };
        let processes = of_queue.is_some() && method.name == "process";
        if !processes && method.decorators.is_empty() {
            continue;
        }
        for decorator in &method.decorators {
            let ExprKind::Call { callee, .. } = &decorator.kind else { continue };
            if !SUBSCRIBES.iter().any(|(name, _)| called(callee) == *name) {
                continue;
            }
            let scope = ev.body_scope(class);
            let Value::Made(made) = ev.evaluate(decorator, &scope) else { continue };
            let of = |(name, package): &(&str, &str)| last(&made.path) == *name && made.path.starts_with(package);
            if SUBSCRIBES.iter().any(of) {
                subscribed(ev, class, method.name.as_str(), &made, of_queue.as_ref());
            }
        }
        if processes && let (Some(queue), Some(function)) = (&of_queue, method_of(ev, class, "process")) {
            note(ev, &function, "job", queue.clone());
        }
    }
}

fn called(callee: &Expr) -> &str {
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name,
        _ => "",
    }
}

fn queue_name<'p>(value: &Value<'p>) -> Value<'p> {
    match value {
        Value::Dict(dict) => dict.borrow().get_str("name").cloned().unwrap_or_else(|| value.clone()),
        value => value.clone(),
    }
}

fn method_of<'p>(ev: &mut Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> Option<FunctionRef<'p>> {
    match ev.class_member(class, name)? {
        Value::Function(function) => Some(function),
        _ => None,
    }
}

fn subscribed<'p>(
    ev: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    method: &str,
    decorator: &Made<'p>,
    queue: Option<&Value<'p>>,
) {
    let Some(function) = method_of(ev, class, method) else { return };
    let first = decorator.args.positional.first().cloned();
    let channel = match last(&decorator.path) {
        "RabbitSubscribe" | "RabbitRPC" => match first {
            Some(Value::Dict(options)) => {
                let options = options.borrow();
                let named = |name: &str| options.get_str(name).cloned();
                let key = named("routingKey").filter(|key| key.as_str() != Some(""));
                key.or_else(|| named("queue")).or_else(|| named("exchange"))
            }
            _ => None,
        },
        "Process" => queue.cloned(),
        _ => first,
    };
    let channel = channel.unwrap_or(Value::Unknown("no channel is given", Some(decorator.site)));
    let what = if last(&decorator.path) == "Process" { "job" } else { "receive" };
    for channel in channel.elements().unwrap_or_else(|| vec![channel.clone()]) {
        note(ev, &function, what, pattern(channel, 0));
    }
}

fn note<'p>(ev: &mut Evaluator<'p>, function: &FunctionRef<'p>, what: &'static str, channel: Value<'p>) {
    let args = Args { positional: vec![Value::Function(function.clone())], ..Args::default() };
    ev.note(&LIBRARY, what, channel, args, function.node.name_span);
}

/// The parameter that is given the payload: the one that is decorated so, else the first that is not decorated.
fn payload_position(function: &FunctionRef) -> usize {
    let parameters = || function.node.parameters.iter().filter(|it| !matches!(it.name.as_str(), "self" | "this"));
    let decorated = |parameter: &Param, names: &[&str]| {
        parameter
            .decorators
            .iter()
            .any(|it| matches!(&it.kind, ExprKind::Call { callee, .. } if names.contains(&called(callee))))
    };
    let by_decorator = parameters().position(|parameter| decorated(parameter, PAYLOADS));
    by_decorator.or_else(|| parameters().position(|parameter| parameter.decorators.is_empty())).unwrap_or(0)
}

/// What a client for Kafka sends of `{ key, value, headers }`: the value
/// (docs.nestjs.com/microservices/kafka#outgoing).
fn value_of_record(schemas: &mut Schemas<'_>, sent: ShapeId) -> ShapeId {
    let view = schemas.typescript().table.view(sent);
    let Kind::Object(object) = &view.shape.kind else { return sent };
    let is_record = object.fields.iter().all(|field| RECORD.contains(&field.name.as_str()));
    let value = object.fields.iter().find(|field| field.name == "value");
    value.filter(|_| is_record && object.fields.len() > 1).map_or(sent, |field| field.shape)
}

fn read<'p>(ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let library = match noted.args.receiver.as_deref() {
        Some(Value::Made(made)) if made.path.starts_with("@golevelup/") => "@golevelup/nestjs-rabbitmq",
        _ => "nestjs",
    };
    let (action, payload) = match noted.what {
        "emit" => {
            let sent = sent(ev, schemas, noted, (1, ""), &[], Form::Json);
            (Action::Send, Some(value_of_record(schemas, sent)))
        }
        "publish" => (Action::Send, Some(sent(ev, schemas, noted, (2, ""), &[], Form::Json))),
        what => {
            let Some(Value::Function(function)) = noted.args.positional.first() else { return Vec::new() };
            let ways: &[&[&str]] = if what == "job" { &[&["data"]] } else { &[&[]] };
            (Action::Receive, read_of_parameter(ev, schemas, function, payload_position(function), ways))
        }
    };
    let mut found = message(library, noted, action, payload);
    if let (Use::Message(found), Some(Value::Function(function))) = (&mut found, noted.args.positional.first())
        && action == Action::Receive
    {
        found.function.clone_from(&function.node.name);
    }
    vec![found]
}
