//! What names of Django, Django REST framework and their documentation generators mean: settings, classes that are named
//! by text, managers, and calls that are kept with their arguments.

mod absent;
mod models;
mod settings;

use std::rc::Rc;

use crate::evaluate::{Args, ClassRef, Evaluator, Library, Made, Value, last};
use crate::text::Span;

pub use absent::lacks;
pub use models::{is_model, model_named};
pub use settings::{NOT_NAMED, imported_string, setting, settings_module};

/// Django and what builds on it.
pub static DJANGO: Library = Library { name: "django", call, chained, member, value_method, ..Library::PYTHON };

/// Stands for what a manager of a model gives.
pub const MANAGER: &str = "django.db.models.Manager()";
/// Stands for `serializer.data`.
pub const DATA: &str = "rest_framework.serializers.data";

/// Decorators that are given something: what they are called with is kept, even where it is one class.
const KEPT: &[&str] = &[
    "extend_schema",
    "extend_schema_view",
    "extend_schema_field",
    "extend_schema_serializer",
    "inline_serializer",
    "swagger_auto_schema",
    "swagger_serializer_method",
    "method_decorator",
    "action",
    "api_view",
    "renderer_classes",
    "build_basic_type",
    "build_array_type",
    "build_object_type",
    "force_instance",
];
const PACKAGES: &[&str] = &["django", "rest_framework", "drf_spectacular", "drf_yasg", "rest_framework_nested"];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let name = last(path);
    let first = args.positional.first();
    let top = path.split('.').next().unwrap_or(path);
    match name {
        "import_string" if top == "django" => imported(evaluator, first?, site),
        "import_from_string" if top == "rest_framework" => imported(evaluator, first?, site),
        "get_user_model" if top == "django" => Some(models::user_model(evaluator)),
        "get_model" if top == "django" => {
            let label = match args.positional.as_slice() {
                [Value::Str(label), Value::Str(model), ..] => format!("{label}.{model}"),
                [Value::Str(whole)] => whole.to_string(),
                _ => return None,
            };
            model_named(evaluator, &label, None)
        }
        "gettext_lazy" | "gettext" | "ugettext_lazy" | "ugettext" | "pgettext_lazy" | "_" if top == "django" => {
            let translated = if name == "pgettext_lazy" { args.positional.get(1) } else { first };
            translated.cloned()
        }
        "get_object_or_404" | "get_list_or_404" if matches!(first, Some(Value::Class(_))) => {
            Some(made(path, args, site))
        }
        _ if path.ends_with("()") => None,
        _ if (PACKAGES.contains(&top) && (KEPT.contains(&name) || name.starts_with(char::is_uppercase)))
            || is_field(name) =>
        {
            Some(made(path, args, site))
        }
        _ => None,
    }
}

fn made<'p>(path: &str, args: &Args<'p>, site: Span) -> Value<'p> {
    Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site }))
}

/// Whether a name is one of a field, of a model or a serializer.
pub fn is_field(name: &str) -> bool {
    name.ends_with("Field") || name.ends_with("ForeignKey")
}

fn imported<'p>(evaluator: &mut Evaluator<'p>, name: &Value<'p>, site: Span) -> Option<Value<'p>> {
    let dotted = name.as_str()?.to_owned();
    let from = evaluator.module_of_file(site.file)?;
    Some(imported_string(evaluator, from, &dotted))
}

fn chained(path: &str) -> bool {
    path.starts_with(MANAGER) || matches!(last(path), "inline_serializer" | "extend_schema_serializer")
}

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    match value {
        Value::External(path) if &**path == "django.conf.settings" => {
            // Another environment may have another value.
            evaluator.mark_soft();
            setting(evaluator, name)
        }
        Value::Class(class) if matches!(name, "objects" | "_default_manager" | "_base_manager") => {
            is_model(evaluator, class).then(|| manager(value, class))
        }
        Value::Class(class) if matches!(name, "choices" | "values" | "labels") && evaluator.is_enum(class) => {
            let members = evaluator.enum_members(class);
            let entry = |value: &Value<'p>, label: &str| match name {
                "choices" => Value::Tuple(Rc::from([value.clone(), Value::str(label)])),
                "values" => value.clone(),
                _ => Value::str(label),
            };
            Some(Value::list(members.iter().map(|member| entry(&member.value, member.name)).collect()))
        }
        Value::Instance(instance) if name == "data" => {
            let class = instance.class.clone();
            is_serializer(evaluator, &class).then(|| {
                let site = class.name_span();
                let receiver = Some(value.clone());
                Value::Made(Rc::new(Made { path: Rc::from(DATA), receiver, args: Args::default(), site }))
            })
        }
        Value::Instance(_) if matches!(name, "is_valid" | "save") => {
            Some(Value::Native(Rc::new(value.clone()), Rc::from(name)))
        }
        _ => None,
    }
}

fn manager<'p>(model: &Value<'p>, class: &ClassRef<'p>) -> Value<'p> {
    let site = class.name_span();
    let receiver = Some(model.clone());
    Value::Made(Rc::new(Made { path: Rc::from(MANAGER), receiver, args: Args::default(), site }))
}

/// `super().__init__(required=False)` in a field or serializer of the program: the instance is made with it.
fn value_method<'p>(
    evaluator: &mut Evaluator<'p>,
    receiver: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    match receiver {
        Value::Super(_, inner) if name == "__init__" => {
            let Value::Instance(instance) = &**inner else { return None };
            let class = instance.class.clone();
            let external = evaluator.external_bases(&class);
            if !external.iter().any(|path| is_field(last(path)) || last(path).ends_with("Serializer")) {
                return None;
            }
            let mut attributes = instance.attributes.borrow_mut();
            for (name, value) in &args.named {
                attributes.insert(name.clone(), value.clone());
            }
            Some(Value::None)
        }
        _ => None,
    }
}

/// The class that a manager or a query set of it is about.
pub fn model_of_query<'p>(value: &Value<'p>) -> Option<Value<'p>> {
    let mut value = value.clone();
    for _ in 0..40 {
        match &value {
            Value::Class(_) | Value::External(_) => return Some(value),
            Value::Made(made) if made.path.starts_with(MANAGER) => {
                let next = made.receiver.clone()?;
                value = next;
            }
            _ => return None,
        }
    }
    None
}

/// Whether a class is a serializer of Django REST framework.
pub fn is_serializer<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    evaluator.external_bases(class).iter().any(|path| is_serializer_path(path))
}

/// The same of a name of a library.
pub fn is_serializer_path(path: &str) -> bool {
    last(path).ends_with("Serializer") && path.contains('.')
}
