//! Celery: functions that are tasks (`@app.task`, `@shared_task`) are waited for, `task.delay(…)`, `task.apply_async(…)` and
//! `app.send_task("name", …)` send them (docs.celeryq.dev/en/stable/userguide/calling.html). The channel is the name of the
//! task, the payload its arguments by name.

use super::message;
use crate::evaluate::{Args, Evaluator, FunctionRef, Library, Made, Noted, Value, last};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::program::{Arg, Expr, ExprKind, ParamKind};
use crate::model::{Action, Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;
use crate::wires::payload;
use crate::wires::{Use, Wire};

pub(in crate::wires) static CELERY: Wire =
    Wire { name: "celery", languages: &[Language::Python], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "celery",
    wire_packages: &["celery"],
    wire_words: &["delay", "apply_async", "send_task", "signature", "s", "si"],
    wire_methods: &["apply_async", "send_task"],
    call,
    ..Library::PYTHON
};

/// A task, as the library's name for it has it.
const TASK: &str = "celery.task";

fn call<'p>(ev: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match path {
        "function().delay" | "function().apply_async" | "function().s" | "function().si" | "function().signature" => {
            let Some(Value::Function(task) | Value::Bound(_, task)) = args.receiver.as_deref() else { return None };
            let name = known_task(task)?;
            ev.note(&LIBRARY, if path.ends_with("apply_async") { "apply" } else { "delay" }, name, args.clone(), site);
            Some(Value::Unknown("what a task gives", Some(site)))
        }
        "?().apply_async" => None,
        "?().send_task" => Some(send(ev, args, site)),
        _ if !path.starts_with("celery.") => None,
        _ => match last(path) {
            "send_task" => Some(send(ev, args, site)),
            // `@app.task` and `@app.task(name=…)`, which is called with the function as a decorator.
            "task" | "shared_task" | "task()" | "shared_task()" => {
                let [Value::Function(task)] = args.positional.as_slice() else {
                    let made = Made { path: path.into(), receiver: None, args: args.clone(), site };
                    return Some(Value::Made(std::rc::Rc::new(made)));
                };
                let task = task.clone();
                declare(ev, &task, args);
                Some(Value::Function(task))
            }
            _ => None,
        },
    }
}

fn send<'p>(ev: &mut Evaluator<'p>, args: &Args<'p>, site: Span) -> Value<'p> {
    let name = args.get(0, "name").cloned().unwrap_or(Value::Unknown("no task is named", Some(site)));
    ev.note(&LIBRARY, "send", name, args.clone(), site);
    Value::Unknown("what a task gives", Some(site))
}

/// A function is a task from here on.
fn declare<'p>(ev: &mut Evaluator<'p>, task: &FunctionRef<'p>, args: &Args<'p>) {
    let options = match args.receiver.as_deref() {
        Some(Value::Made(made)) => made.args.clone(),
        _ => Args::default(),
    };
    let name = if let Some(name) = options.named("name") {
        name.clone()
    } else {
        let module = ev.index.dotted(task.scope.module());
        let name = &task.node.name;
        Value::str(if module.is_empty() { name.clone() } else { format!("{module}.{name}") })
    };
    task.attributes.borrow_mut().insert(TASK.into(), name.clone());
    let bound = matches!(options.named("bind"), Some(Value::Bool(true)));
    let args = Args { positional: vec![Value::Function(task.clone()), Value::Bool(bound)], ..Args::default() };
    ev.note(&LIBRARY, "task", name, args, task.node.name_span);
}

/// The name of a function that is a task.
fn known_task<'p>(task: &FunctionRef<'p>) -> Option<Value<'p>> {
    task.attributes.borrow().get(TASK).cloned()
}

fn read<'p>(ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let action = if noted.what == "task" { Action::Receive } else { Action::Send };
    let payload = match noted.what {
        "task" => match noted.args.positional.as_slice() {
            [Value::Function(task), bound] => Some(parameters(ev, schemas, task, matches!(bound, Value::Bool(true)))),
            _ => None,
        },
        "send" => named_arguments(ev, schemas, noted, "kwargs", 2),
        "apply" => named_arguments(ev, schemas, noted, "kwargs", 1),
        _ => given(ev, schemas, noted),
    };
    let mut found = message("celery", noted, action, payload);
    if let (Use::Message(found), Some(Value::Function(task))) = (&mut found, noted.args.positional.first())
        && action == Action::Receive
    {
        found.function.clone_from(&task.node.name);
    }
    vec![found]
}

/// What a task takes, by its parameters.
fn parameters<'p>(ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, task: &FunctionRef<'p>, bound: bool) -> ShapeId {
    let mut fields = Vec::new();
    for parameter in task.node.parameters.iter().skip(usize::from(bound)) {
        if !matches!(parameter.kind, ParamKind::Positional | ParamKind::KeywordOnly) {
            continue;
        }
        let shape = match &parameter.annotation {
            Some(annotation) => {
                let declared = ev.type_expression(annotation, &task.scope);
                schemas.python().shape_of(ev, &declared, Some(annotation.span))
            }
            None => schemas.python().table.add(Shape::new(Kind::Any)),
        };
        let required = parameter.default.is_none();
        fields.push(Field {
            name: parameter.name.clone(),
            shape,
            required,
            always: required,
            span: Some(parameter.span),
            declared: None,
        });
    }
    let object = Object { fields, additional: Additional::Open };
    let shape = Shape::new(Kind::Object(object)).at(Some(task.node.name_span));
    schemas.python().table.add(shape)
}

/// `apply_async(kwargs={…})`
fn named_arguments<'p>(
    ev: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    noted: &Noted<'p>,
    name: &str,
    position: usize,
) -> Option<ShapeId> {
    let (expr, scope) = payload::written(&noted.args, position, name)?;
    let value = noted.args.get(position, name)?.clone();
    Some(payload::shape_of(ev, schemas, &value, Some((expr, scope)), noted.site))
}

/// `delay(a, b=c)`: by the parameters of the task.
fn given<'p>(ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Option<ShapeId> {
    let Some(Value::Function(task) | Value::Bound(_, task)) = noted.args.receiver.as_deref() else { return None };
    let (written, scope) = noted.args.written.as_ref()?;
    let bound = task.node.parameters.first().is_some_and(|first| first.name == "self");
    let mut names = task.node.parameters.iter().skip(usize::from(bound)).map(|parameter| parameter.name.as_str());
    let mut fields = Vec::new();
    for arg in *written {
        let (name, value): (&str, &'p Expr) = match arg {
            Arg::Positional(value) => (names.next()?, value),
            Arg::Keyword(name, value) => (name, value),
            Arg::Spread(_) | Arg::KeywordSpread(_) => return None,
        };
        let known = Value::Unknown("only running tells what it is", Some(value.span));
        let known = if matches!(value.kind, ExprKind::None) { Value::None } else { known };
        let shape = payload::shape_of(ev, schemas, &known, Some((value, scope.clone())), noted.site);
        fields.push(Field {
            name: name.to_owned(),
            shape,
            required: true,
            always: true,
            span: Some(value.span),
            declared: None,
        });
    }
    let object = Object { fields, additional: Additional::Open };
    Some(schemas.python().table.add(Shape::new(Kind::Object(object)).at(Some(noted.site))))
}
