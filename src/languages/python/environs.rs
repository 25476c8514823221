//! Settings that come from the environment through a library: django-environ (`env("TOPIC", default="orders")`,
//! `env.bool(…)`), environs, python-decouple (`config("TOPIC", default="orders")`) and Starlette's `Config`. What a call
//! gives is its default: the rest only the environment knows.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Library, Made, Value, last};
use crate::text::Span;

pub static ENVIRONS: Library = Library { name: "environs", call, ..Library::PYTHON };

/// What reads the environment when it is called.
const READERS: &[&str] = &["environ.Env", "environ.FileAwareEnv", "environs.Env", "starlette.config.Config"];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if READERS.contains(&path) {
        return Some(Value::Made(Rc::new(Made { path: path.into(), receiver: None, args: args.clone(), site })));
    }
    let reads = path == "decouple.config"
        || READERS.iter().any(|reader| path.strip_prefix(reader).is_some_and(|rest| rest.starts_with("()")));
    let is_text =
        matches!(last(path), "config" | "str" | "bool" | "int" | "float" | "get_value") || path.ends_with("()");
    if !reads || !is_text || args.positional.first().is_none_or(|name| name.as_str().is_none()) {
        return None;
    }
    // A cast may make something else of it.
    let cast = args.named("cast").and_then(Value::as_external);
    if args.named("cast").is_some() && !matches!(cast.map(last), Some("str" | "bool" | "int" | "float")) {
        return None;
    }
    let default = args.named("default").or_else(|| args.positional.get(1).filter(|_| !path.starts_with("environ.")));
    let default = default.filter(|value| value.is_plain()).cloned()?;
    evaluator.mark_soft();
    Some(default)
}
