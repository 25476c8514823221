//! Directories of sources as programs list them, to load whatever lies there: `fs.readdirSync(__dirname)`. The names are
//! those of the sources that are scanned; where those are compiled before they run, there may be others.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Library, Made, Value};
use crate::text::Span;

/// `fs` of the standard library.
pub static FILES: Library = Library { name: "fs", call, member, value_method, ..Library::TYPESCRIPT };

/// An entry of a directory, made of its name, its path and whether it is one itself.
const ENTRY: &str = "fs.Dirent";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let name = path.strip_prefix("fs.").or_else(|| path.strip_prefix("fs/"))?;
    let directory = match args.positional.first()?.as_str()?.trim_end_matches('/') {
        "" => ".",
        directory => directory.strip_prefix("./").unwrap_or(directory),
    };
    match name.strip_prefix("promises.").unwrap_or(name) {
        "readdirSync" | "readdir" => list(evaluator, directory, args.positional.get(1), site),
        "statSync" | "stat" | "lstatSync" | "lstat" => Some(entry(evaluator, directory, site)),
        "existsSync" => is_there(evaluator, directory).then_some(Value::Bool(true)),
        _ => None,
    }
}

/// The names in a directory, or its entries where those are asked for. `None` where no source lies below.
fn list<'p>(
    evaluator: &mut Evaluator<'p>,
    directory: &str,
    options: Option<&Value<'p>>,
    site: Span,
) -> Option<Value<'p>> {
    let asks = |option: &str| match options {
        Some(Value::Dict(options)) => matches!(options.borrow().get_str(option), Some(Value::Bool(true))),
        _ => false,
    };
    let below = evaluator.index.below(directory);
    if below.is_empty() || !evaluator.afford(below.len()) {
        return None;
    }
    let mut names: Vec<String> = below
        .into_iter()
        .map(|(_, path)| match path.split_once('/') {
            Some((first, _)) if !asks("recursive") => first.to_owned(),
            _ => path,
        })
        .collect();
    names.dedup();
    let whole = |name: &str| if directory == "." { name.to_owned() } else { format!("{directory}/{name}") };
    let values = names
        .into_iter()
        .map(|name| if asks("withFileTypes") { entry(evaluator, &whole(&name), site) } else { Value::str(name) });
    Some(Value::list(values.collect()))
}

fn entry<'p>(evaluator: &mut Evaluator<'p>, path: &str, site: Span) -> Value<'p> {
    let is_directory = evaluator.index.is_directory(path);
    let args = Args { positional: vec![Value::str(path), Value::Bool(is_directory)], ..Args::default() };
    Value::Made(Rc::new(Made { path: Rc::from(ENTRY), receiver: None, args, site }))
}

fn is_there(evaluator: &Evaluator, path: &str) -> bool {
    evaluator.index.is_directory(path) || evaluator.index.module_at(path).is_some()
}

/// `entry.name`, `entry.parentPath`
fn member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    if &*made.path != ENTRY {
        return None;
    }
    let path = made.args.positional.first()?.as_str()?;
    let (parent, own) = path.rsplit_once('/').unwrap_or((".", path));
    match name {
        "name" => Some(Value::str(own)),
        "path" | "parentPath" => Some(Value::str(parent)),
        "isDirectory" | "isFile" => Some(Value::Native(Rc::new(value.clone()), Rc::from(name))),
        _ => None,
    }
}

/// `entry.isDirectory()`
fn value_method<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str, _: &Args<'p>) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    if &*made.path != ENTRY {
        return None;
    }
    let Value::Bool(is_directory) = made.args.positional.get(1)? else { return None };
    match name {
        "isDirectory" => Some(Value::Bool(*is_directory)),
        "isFile" => Some(Value::Bool(!is_directory)),
        _ => None,
    }
}
