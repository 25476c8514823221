//! Containers that make objects and hand them out (inversify, tsyringe, typedi): what is asked for by its class is an instance
//! of it.

use crate::evaluate::{Args, Evaluator, Library, Value};
use crate::text::Span;

/// Containers that are asked for what a program is made of.
pub static CONTAINERS: Library = Library { name: "containers", call, ..Library::TYPESCRIPT };

/// What a container is called in each package.
const NAMES: &[&str] = &["inversify.Container()", "tsyringe.container", "typedi.Container"];
/// Ask for one object.
const ASKING: &[&str] = &["get", "getAsync", "resolve", "resolveAsync"];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, _: Span) -> Option<Value<'p>> {
    let (container, method) = path.rsplit_once('.')?;
    if !NAMES.contains(&container) || !ASKING.contains(&method) {
        return None;
    }
    match args.positional.first()? {
        Value::Class(class) => Some(evaluator.standing(class)),
        _ => None,
    }
}
