//! What calls of pydantic mean: models that are made by a call, and constrained types that are one.

use std::rc::Rc;

use crate::evaluate::{Args, DynamicClass, Evaluator, Library, Made, Value, last};
use crate::text::Span;

/// pydantic, either version, and what builds on it under the same names.
pub static PYDANTIC: Library = Library { name: "pydantic", call, member, ..Library::PYTHON };

fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    match last(path) {
        "model_json_schema" if path == SCHEMA => {
            let model = Made { path: Rc::from(path), receiver: None, args: args.clone(), site };
            Some(Value::Made(Rc::new(model)))
        }
        "create_model" => Some(created_model(args, site)),
        "conlist" => args.get(0, "item_type").map(|item| applied("typing.List", item)),
        "conset" | "confrozenset" => args.get(0, "item_type").map(|item| applied("typing.Set", item)),
        "constr" => Some(Value::external("builtins.str")),
        "conbytes" => Some(Value::external("builtins.bytes")),
        "conint" => Some(Value::external("builtins.int")),
        "confloat" => Some(Value::external("builtins.float")),
        "condecimal" => Some(Value::external("decimal.Decimal")),
        "condate" => Some(Value::external("datetime.date")),
        _ => None,
    }
}

/// The schema of a model as a value: of which model, is all that is kept.
pub const SCHEMA: &str = "pydantic.model_json_schema";

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let is_model = match value {
        Value::Class(class) => evaluator.external_bases(class).iter().any(|path| last(path) == "BaseModel"),
        Value::Dynamic(_) => true,
        _ => false,
    };
    (is_model && matches!(name, "model_json_schema" | "schema")).then(|| {
        let model = Args { positional: vec![value.clone()], ..Args::default() };
        Value::Partial(Rc::new(Value::external(SCHEMA)), Rc::new(model))
    })
}

fn applied<'p>(base: &str, item: &Value<'p>) -> Value<'p> {
    Value::Applied(Rc::new(Value::external(base)), Rc::from([item.clone()]))
}

/// `create_model("Name", __base__=Base, field=(type, default))`
fn created_model<'p>(args: &Args<'p>, site: Span) -> Value<'p> {
    let name = args.get(0, "model_name").and_then(Value::as_str).unwrap_or("Model");
    let mut bases = match args.named("__base__") {
        Some(Value::Tuple(bases)) => bases.to_vec(),
        Some(Value::None) | None => Vec::new(),
        Some(base) => vec![base.clone()],
    };
    if args.open {
        bases.push(Value::Unknown("members of a made model are not known", Some(site)));
    }
    let fields = args.named.iter().filter(|(name, _)| !name.starts_with("__")).cloned().collect();
    Value::Dynamic(Rc::new(DynamicClass { name: Rc::from(name), bases, fields, site }))
}
