//! Renderers: how what a view answers is written.

use super::actions;
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, ModuleId, Value, last};
use crate::languages::python::django::{NOT_NAMED, imported_string, setting, settings_module};

/// How names are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// As they are declared.
    Plain,
    CamelCase,
    /// One of both: the settings come from another library.
    Either,
    /// In a way that is not known.
    Unknown,
}

/// How the answers of a view are written.
pub(super) fn of_view<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Style {
    match evaluator.class_member(class, "renderer_classes") {
        Some(given) => style_of(evaluator, &given, class.scope.module()),
        None => of_settings(evaluator),
    }
}

/// How the answers of a function are written.
pub(super) fn of_function<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Style {
    for decorator in actions::decorators(evaluator, function) {
        if let Value::Made(made) = decorator
            && made.name() == "renderer_classes"
            && let Some(given) = made.args.positional.first()
        {
            return style_of(evaluator, &given.clone(), function.scope.module());
        }
    }
    of_settings(evaluator)
}

/// How they are written where nothing else is said.
pub(super) fn of_settings(evaluator: &mut Evaluator<'_>) -> Style {
    let from = match settings_module(evaluator) {
        Some(Value::Module(module)) => module,
        Some(Value::Class(class)) => class.scope.module(),
        _ => return Style::Plain,
    };
    let given = match setting(evaluator, "REST_FRAMEWORK") {
        Some(Value::Dict(settings)) => {
            let settings = settings.borrow();
            match settings.get_str("DEFAULT_RENDERER_CLASSES") {
                Some(given) => given.clone(),
                None if settings.open => return Style::Either,
                None => return Style::Plain,
            }
        }
        Some(Value::Unknown(why, _)) if why != NOT_NAMED => return Style::Either,
        _ => return Style::Plain,
    };
    style_of(evaluator, &given, from)
}

/// The style of the first renderer that writes JSON.
fn style_of<'p>(evaluator: &mut Evaluator<'p>, given: &Value<'p>, from: ModuleId) -> Style {
    let Some(renderers) = given.elements() else { return Style::Unknown };
    for renderer in renderers {
        let renderer = match &renderer {
            Value::Str(dotted) => imported_string(evaluator, from, dotted),
            other => other.clone(),
        };
        let paths = match &renderer {
            Value::External(path) => vec![path.clone()],
            Value::Class(class) => {
                let external = evaluator.external_bases(class);
                let writes_json = external.iter().any(|path| last(path).contains("JSON"));
                if writes_json && evaluator.class_member(class, "render").is_some() {
                    return Style::Unknown;
                }
                external
            }
            _ => return Style::Unknown,
        };
        let Some(path) = paths.iter().find(|path| last(path).contains("JSON")) else { continue };
        let top = path.split('.').next().unwrap_or(path);
        return match top {
            _ if last(path).starts_with("CamelCase") => Style::CamelCase,
            "rest_framework" | "drf_ujson" | "drf_orjson_renderer" | "drf_renderer_xlsx" | "vng_api_common" => {
                Style::Plain
            }
            _ if top.contains("camel_case") => Style::CamelCase,
            _ => Style::Unknown,
        };
    }
    Style::Plain
}
