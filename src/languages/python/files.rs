//! Directories of modules as programs list them, to import whatever lies there: `pkgutil.iter_modules(package.__path__)`,
//! `os.listdir(os.path.dirname(__file__))`. The names are those of the sources that are scanned.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Library, Value, last};
use crate::text::Span;

/// `pkgutil`, `glob`, and what `os` says of directories and paths.
pub static FILES: Library = Library { name: "pkgutil", call, member, ..Library::PYTHON };

/// What finds a module that is listed; it tells such a tuple from others.
const FINDER: &str = "pkgutil.finder";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, _: Span) -> Option<Value<'p>> {
    let first = args.positional.first();
    match path {
        "pkgutil.iter_modules" | "pkgutil.walk_packages" => {
            let prefix = args.get(1, "prefix").map_or(Some(""), Value::as_str)?.to_owned();
            let directories = args.get(0, "path")?.elements()?;
            let mut out = Vec::new();
            for directory in &directories {
                for (name, is_package) in modules(evaluator, directory.as_str()?)? {
                    let name = Value::str(format!("{prefix}{name}"));
                    out.push(Value::Tuple(Rc::from([Value::external(FINDER), name, Value::Bool(is_package)])));
                }
            }
            Some(Value::list(out))
        }
        "os.listdir" => {
            let directory = first.map_or(Some("."), Value::as_str)?.to_owned();
            let modules = modules(evaluator, &directory)?;
            let file = |(name, is_package): (String, bool)| if is_package { name } else { format!("{name}.py") };
            Some(Value::list(modules.into_iter().map(|module| Value::str(file(module))).collect()))
        }
        "glob.glob" | "glob.iglob" => {
            let pattern = first?.as_str()?.to_owned();
            let directory = pattern.strip_suffix("/*.py")?;
            let names = modules(evaluator, directory)?;
            let files = names.into_iter().filter(|(_, is_package)| !is_package);
            Some(Value::list(files.map(|(name, _)| Value::str(format!("{directory}/{name}.py"))).collect()))
        }
        "os.path.dirname" => {
            Some(Value::str(first?.as_str()?.rsplit_once('/').map_or(".", |(directory, _)| directory)))
        }
        "os.path.basename" => Some(Value::str(first?.as_str()?.rsplit('/').next()?)),
        "os.path.splitext" => {
            let path = first?.as_str()?;
            let name = path.rsplit('/').next()?;
            let end = name.rfind('.').filter(|at| *at > 0).map_or("", |at| &name[at..]);
            let stem = path.strip_suffix(end).unwrap_or(path);
            Some(Value::Tuple(Rc::from([Value::str(stem), Value::str(end)])))
        }
        "os.path.abspath" | "os.path.realpath" => first.cloned(),
        _ => None,
    }
}

/// The modules and packages right in a directory; `None` where no source lies below.
fn modules(evaluator: &mut Evaluator, directory: &str) -> Option<Vec<(String, bool)>> {
    let directory = match directory.trim_end_matches('/') {
        "." => "",
        directory => directory.strip_prefix("./").unwrap_or(directory),
    };
    let below = evaluator.index.modules_below(directory);
    let mut found: Vec<(String, bool)> = below
        .into_iter()
        .filter_map(|(_, path)| match path.split_once('/') {
            Some((package, "__init__.py")) => Some((package.to_owned(), true)),
            Some(_) => None,
            None => path.strip_suffix(".py").filter(|name| *name != "__init__").map(|name| (name.to_owned(), false)),
        })
        .collect();
    found.sort();
    (!found.is_empty() && evaluator.afford(found.len())).then_some(found)
}

/// `module.name`, `module.ispkg` of a module that is listed.
fn member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Tuple(parts) = value else { return None };
    match (&**parts, name) {
        ([Value::External(finder), found, is_package], _) if last(finder) == last(FINDER) => match name {
            "name" => Some(found.clone()),
            "ispkg" => Some(is_package.clone()),
            _ => None,
        },
        _ => None,
    }
}
