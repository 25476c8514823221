//! Which classes are models, and the models that are named by text.

use rustc_hash::FxHashMap;

use super::settings::setting;
use crate::evaluate::{ClassRef, Evaluator, ModuleId, Str, Value, last};
use crate::model::program::{ImportStyle, StmtKind};

/// Where the table of classes by name is kept.
const NOTE: &str = "django models";
/// The model of users that is used where no other is named.
const USER: &str = "django.contrib.auth.models.User";

/// Whether a class is a model, or an abstract one.
pub fn is_model<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    evaluator.external_bases(class).iter().any(|path| is_model_path(path))
}

fn is_model_path(path: &str) -> bool {
    let name = last(path);
    (name.ends_with("Model") && !path.starts_with("pydantic") && !path.starts_with("builtins"))
        || matches!(name, "AbstractUser" | "AbstractBaseUser" | "PermissionsMixin" | "Page" | "AbstractImage")
        || path.contains(".models.")
}

/// The model of users.
pub(super) fn user_model<'p>(evaluator: &mut Evaluator<'p>) -> Value<'p> {
    let Some(Value::Str(label)) = setting(evaluator, "AUTH_USER_MODEL") else { return Value::external(USER) };
    model_named(evaluator, &label, None).unwrap_or(Value::Unknown("model of users is not known", None))
}

/// The model of a name: `app.Model`, or `Model` next to what names it.
pub fn model_named<'p>(evaluator: &mut Evaluator<'p>, label: &str, beside: Option<&ClassRef<'p>>) -> Option<Value<'p>> {
    if label == "self" {
        return beside.map(|class| Value::Class(class.clone()));
    }
    let (application, name) = match label.rsplit_once('.') {
        Some((application, name)) => (Some(application), name),
        None => (None, label),
    };
    if application.is_none()
        && let Some(class) = beside
        && let Some(found @ Value::Class(_)) = evaluator.module_name(class.scope.module(), name)
    {
        return Some(found);
    }
    let mut candidates: Vec<(bool, ClassRef<'p>)> = Vec::new();
    for module in modules_with(evaluator, name) {
        let Some(Value::Class(class)) = evaluator.module_name(module, name) else { continue };
        // A library's own abstract model may have any name.
        let among_models = evaluator.index.dotted(module).split('.').any(|part| part == "models");
        if class.scope.module() != module || !(among_models || is_model(evaluator, &class)) {
            continue;
        }
        let dotted = evaluator.index.dotted(module);
        let wanted = match (application, beside) {
            (Some(label), _) => label.rsplit('.').next().unwrap_or(label).to_owned(),
            (None, Some(class)) => application_of(&evaluator.index.dotted(class.scope.module())),
            (None, None) => String::new(),
        };
        let says_so = match evaluator.class_member(&class, "Meta") {
            Some(Value::Class(meta)) => {
                matches!(evaluator.class_member(&meta, "app_label"), Some(Value::Str(label)) if *label == *wanted)
            }
            _ => false,
        };
        candidates.push((says_so || dotted.split('.').any(|part| part == wanted), class));
    }
    match candidates.as_slice() {
        [] => application
            .is_some_and(|label| label == "auth")
            .then(|| Value::external(format!("django.contrib.auth.models.{name}"))),
        [(_, only)] => Some(Value::Class(only.clone())),
        several => {
            let mut fitting = several.iter().filter(|(fits, _)| *fits);
            let first = fitting.next()?;
            fitting.next().is_none().then(|| Value::Class(first.1.clone()))
        }
    }
}

/// The application that a module of models belongs to: `shop.orders.models.lines` is of `orders`.
fn application_of(dotted: &str) -> String {
    let parts: Vec<&str> = dotted.split('.').collect();
    let at = parts.iter().position(|part| *part == "models").unwrap_or(parts.len().saturating_sub(1));
    at.checked_sub(1).map_or(String::new(), |before| parts[before].to_owned())
}

/// The modules that define a class of a name, in order.
fn modules_with(evaluator: &mut Evaluator<'_>, name: &str) -> Vec<ModuleId> {
    if !evaluator.notes.contains_key(NOTE) {
        let table = table(evaluator);
        evaluator.notes.insert(NOTE, table);
    }
    let Some(Value::Dict(table)) = evaluator.notes.get(NOTE) else { return Vec::new() };
    let modules = table.borrow().get_str(name).and_then(Value::elements).unwrap_or_default();
    let id = |value: &Value| if let Value::Module(module) = value { Some(*module) } else { None };
    modules.iter().filter_map(id).collect()
}

/// Classes with bases by name, each with the modules that define it.
fn table<'p>(evaluator: &mut Evaluator<'p>) -> Value<'p> {
    let mut order: Vec<Str> = Vec::new();
    let mut found: FxHashMap<Str, Vec<Value<'p>>> = FxHashMap::default();
    for module in evaluator.roots().to_vec() {
        if evaluator.index.style(module) != ImportStyle::Dotted {
            continue;
        }
        for statement in evaluator.statements(module) {
            let StmtKind::Class(class) = &statement.kind else { continue };
            if class.bases.is_empty() {
                continue;
            }
            let name: Str = Str::from(class.name.as_str());
            let modules = found.entry(name.clone()).or_insert_with(|| {
                order.push(name);
                Vec::new()
            });
            if !modules.iter().any(|known| matches!(known, Value::Module(known) if *known == module)) {
                modules.push(Value::Module(module));
            }
        }
    }
    let entries = order.into_iter().map(|name| {
        let modules = found.remove(&name).unwrap_or_default();
        (Value::Str(name), Value::list(modules))
    });
    Value::dict(entries.collect())
}
