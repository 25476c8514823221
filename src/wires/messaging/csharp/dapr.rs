//! Dapr: `client.PublishEventAsync("pubsub", "topic", data)`, `[Topic("pubsub", "topic")]`.

use super::super::super::{Use, Wire};
use super::super::message;
use super::{channel, method, sent};
use crate::evaluate::{Args, ClassRef, Evaluator, Library, Noted, Value, last};
use crate::frameworks::Schemas;
use crate::model::Action;
use crate::model::program::StmtKind;
use crate::text::Span;

pub(in crate::wires) static DAPR: Wire = Wire { name: "Dapr", library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "Dapr",
    wire_packages: &["Dapr"],
    wire_words: &["PublishEventAsync", "WithTopic"],
    call,
    class_defined,
    ..Library::CSHARP
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match method(path)? {
        (of, "PublishEventAsync") if of == "DaprClient" || of == "Build" => {
            evaluator.note(&LIBRARY, "send", channel(args, 1, "topicName"), args.clone(), site);
            Some(Value::Unknown("what a broker answers", Some(site)))
        }
        (_, "WithTopic") => {
            evaluator.note(&LIBRARY, "receive", channel(args, 1, "topicName"), Args::default(), site);
            None
        }
        _ => None,
    }
}

/// Actions that topics lead to: `[Topic("pubsub", "orders")] public IActionResult Post(Order order)`.
fn class_defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, _: &[Value<'p>]) {
    let scope = evaluator.body_scope(class);
    for statement in evaluator.class_statements(class) {
        let StmtKind::Function(function) = &statement.kind else { continue };
        if function.decorators.is_empty() {
            continue;
        }
        for attribute in evaluator.attributes(&function.decorators, &scope) {
            let Value::Made(made) = &attribute else { continue };
            if last(&made.path) != "Topic" {
                continue;
            }
            let annotation = function.parameters.first().and_then(|parameter| parameter.annotation.as_ref());
            let taken = annotation.map(|annotation| evaluator.type_expression(annotation, &scope));
            let given = Args { positional: taken.into_iter().collect(), ..Args::default() };
            evaluator.note(&LIBRARY, "receive", channel(&made.args, 1, "name"), given, function.name_span);
        }
    }
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    if noted.what == "receive" {
        let taken = noted.args.positional.first();
        let shape = taken.map(|taken| schemas.csharp().shape_of(evaluator, taken, noted.site));
        return vec![message("Dapr", noted, Action::Receive, shape)];
    }
    let shape = sent(evaluator, schemas, noted, 2, "data");
    vec![message("Dapr", noted, Action::Send, shape)]
}
