//! `express-openapi-validator` with `operationHandlers`: an operation names a file below a directory and a function that
//! it exports. Without it, routes are those of Express.

use super::{Framework, Route, Schemas, answers, is_join, is_of, no_methods};
use crate::evaluate::{Args, ContractRouting, Evaluator, Library, ModuleId, Value, normal_path};
use crate::model::{Naming, Response};
use crate::text::Span;

pub(in crate::frameworks) static OPENAPI_VALIDATOR: Framework = Framework {
    name: "express-openapi-validator",
    packages: &["express-openapi-validator"],
    library: &LIBRARY,
    methods: no_methods,
    responses,
    requests: crate::frameworks::requests::unread,
    application_kinds: &[],
};

static LIBRARY: Library =
    Library { name: "express-openapi-validator", words: &["OpenApiValidator"], call, ..Library::TYPESCRIPT };

const NAMES: &[&str] = &["middleware", "OpenApiValidator", "express-openapi-validator"];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if !is_of(path, "express-openapi-validator", NAMES) {
        return None;
    }
    let Value::Dict(options) = args.positional.first()? else { return None };
    let handlers = options.borrow().get_str("operationHandlers").cloned()?;
    let document = options.borrow().get_str("apiSpec").cloned().unwrap_or(Value::None);
    if evaluator.routings.iter().any(|routing| routing.site == site) {
        return None;
    }
    let directory = match &handlers {
        Value::None | Value::Bool(_) => return None,
        // A resolver of the program's own decides: which handlers it finds is not known.
        Value::Dict(own) if own.borrow().get_str("resolver").is_some() => None,
        Value::Dict(own) => own.borrow().get_str("basePath").and_then(|path| directory(evaluator, path, site)),
        path => directory(evaluator, path, site),
    };
    let mut routing = ContractRouting {
        library: &LIBRARY,
        document,
        base: Value::None,
        naming: Naming {
            places: &["x-eov-operation-handler"],
            names: &["x-eov-operation-id"],
            needs_place: true,
            ..Naming::default()
        },
        handlers: Vec::new(),
        open: directory.is_none(),
        site,
    };
    if let Some(directory) = directory {
        routing.handlers = handlers_below(evaluator, &directory);
    }
    evaluator.routings.push(routing);
    None
}

/// A function that may answer an operation, under the name that leads to it.
type Named<'p> = (String, Option<Value<'p>>, Span);

/// What the files below a directory export, as `file.function`.
pub(super) fn handlers_below<'p>(evaluator: &mut Evaluator<'p>, directory: &str) -> Vec<Named<'p>> {
    let files = evaluator.index.modules_below(directory).into_iter();
    let modules: Vec<(ModuleId, String)> =
        files.map(|(module, path)| (module, path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned())).collect();
    let mut handlers = Vec::new();
    for (module, place) in modules {
        exported(evaluator, module, &place, &mut handlers);
    }
    handlers
}

/// What a module exports, under the name that leads to it.
fn exported<'p>(evaluator: &mut Evaluator<'p>, module: ModuleId, place: &str, out: &mut Vec<Named<'p>>) {
    for (name, statement) in evaluator.bound_names(module) {
        let Some(value) = evaluator.module_name(module, name) else { continue };
        match &value {
            Value::Dict(dict) if name == "default" => {
                for (key, value) in &dict.borrow().entries {
                    if let Some(name) = key.as_str() {
                        out.push((format!("{place}.{name}"), Some(value.clone()), span_of(value, statement.span)));
                    }
                }
            }
            // The default export answers to every name.
            _ if name == "default" => {
                out.push((format!("{place}.*"), Some(value.clone()), span_of(&value, statement.span)));
            }
            _ => out.push((format!("{place}.{name}"), Some(value.clone()), span_of(&value, statement.span))),
        }
    }
}

fn span_of(value: &Value, otherwise: Span) -> Span {
    match value {
        Value::Function(function) | Value::Bound(_, function) => function.node.name_span,
        _ => otherwise,
    }
}

/// A directory as the code names it: `__dirname`, `path.join(__dirname, "api")`, `"./src/api"` from where the package is.
pub(super) fn directory(evaluator: &Evaluator, value: &Value, site: Span) -> Option<String> {
    let module = evaluator.module_of_file(site.file)?;
    let own = evaluator.index.path(module).rsplit_once('/').map_or("", |(parent, _)| parent);
    let is_here = |value: &Value| matches!(value.as_external(), Some("javascript.__dirname"));
    match value {
        _ if is_here(value) => Some(own.to_owned()),
        Value::Made(made) if is_join(&made.path) => {
            let (first, rest) = made.args.positional.split_first()?;
            let parts: Option<Vec<&str>> = rest.iter().map(Value::as_str).collect();
            is_here(first).then(|| joined(own, &parts?.join("/")).into())?
        }
        // Put together from where the file is, or as seen from where the package is.
        Value::Str(path) => {
            let whole = joined("", path);
            let whole = if path.starts_with('/') { format!("/{whole}") } else { whole };
            let package = evaluator.index.package_of(module).map(|package| joined(&package.directory, path));
            let holds = |directory: &String| !evaluator.index.modules_below(directory).is_empty();
            [Some(whole), package].into_iter().flatten().find(holds)
        }
        _ => None,
    }
}

/// A path below a directory, `.` and `..` resolved.
fn joined(directory: &str, path: &str) -> String {
    if directory.is_empty() { normal_path(path) } else { normal_path(&format!("{directory}/{path}")) }
}

fn responses<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, route: &Route<'_, 'p>) -> Vec<Response> {
    answers(evaluator, schemas, route, 1)
}
