//! Configuration of a model that changes what is serialised.

use std::rc::Rc;

use crate::evaluate::{ClassRef, Evaluator, Str, Value, last};
use crate::model::program::{Arg, Expr, ExprKind, StmtKind};

/// Model configuration that changes what is serialised.
#[derive(Default)]
pub(super) struct Settings<'p> {
    pub(super) alias_generator: Option<Value<'p>>,
    pub(super) defaults_required: bool,
    pub(super) float_durations: bool,
    pub(super) schema_extra: Option<Value<'p>>,
    /// pydantic 1: aliases by field, `fields = {"user_id": "userId", "other": {"alias": "x"}}`.
    pub(super) fields: Option<Value<'p>>,
    /// `extra`: `allow`, `ignore` or `forbid`.
    pub(super) extra: Option<Str>,
    /// Type of the further members that `extra="allow"` lets in.
    pub(super) extra_values: Option<Value<'p>>,
}

impl<'p> Settings<'p> {
    pub(super) fn alias_of(&self, name: &str) -> Option<Value<'p>> {
        let Some(Value::Dict(fields)) = &self.fields else { return None };
        match fields.borrow().get_str(name)? {
            Value::Dict(field) => field.borrow().get_str("alias").cloned(),
            alias => Some(alias.clone()),
        }
    }
}

/// Settings that `class Config` and class keywords give.
pub(super) const CONFIGURED: &[&str] = &[
    "alias_generator",
    "json_schema_extra",
    "schema_extra",
    "json_schema_serialization_defaults_required",
    "ser_json_timedelta",
    "fields",
    "extra",
];

/// `"allow"`, or `Extra.allow` as pydantic 1 has it.
pub(super) fn extra_policy(value: &Value) -> Option<Str> {
    match value {
        Value::Str(text) => Some(text.clone()),
        Value::External(path) => Some(Rc::from(last(path))),
        _ => None,
    }
}

/// `model_config`, `class Config` and class keywords, bases first.
pub(super) fn settings<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Settings<'p> {
    let mut settings = Settings::default();
    for ancestor in evaluator.ancestry(class).iter().rev() {
        let Value::Class(ancestor) = ancestor else { continue };
        let mut entries: Vec<(Str, Value<'p>)> = Vec::new();
        for name in ["model_config", "__pydantic_config__"] {
            entries.extend(evaluator.own_member(ancestor, name).iter().flat_map(given_by_name));
        }
        for decorator in &ancestor.node.decorators {
            // `@dataclass(config=ConfigDict(…))`
            if let ExprKind::Call { args, .. } = &decorator.kind
                && let Some(Arg::Keyword(_, config)) =
                    args.iter().find(|arg| matches!(arg, Arg::Keyword(name, _) if name == "config"))
            {
                entries.extend(given_by_name(&evaluator.evaluate(config, &ancestor.scope)));
            }
        }
        if let Some(Value::Class(config)) = evaluator.own_member(ancestor, "Config") {
            for &name in CONFIGURED {
                if let Some(value) = evaluator.class_member(&config, name) {
                    entries.push((Rc::from(name), value));
                }
            }
        }
        for (name, value) in &ancestor.node.keywords {
            if CONFIGURED.contains(&name.as_str()) {
                let value = evaluator.evaluate(value, &ancestor.scope);
                entries.push((Rc::from(name.as_str()), value));
            }
        }
        for statement in evaluator.class_statements(ancestor) {
            if let StmtKind::Annotated { target: Expr { kind: ExprKind::Name(name), .. }, annotation, .. } =
                &statement.kind
                && name == "__pydantic_extra__"
            {
                let scope = evaluator.body_scope(ancestor);
                settings.extra_values = match evaluator.type_expression(annotation, &scope) {
                    Value::Applied(_, args) => args.get(1).cloned(),
                    _ => None,
                };
            }
        }
        for (name, value) in entries {
            match &*name {
                "alias_generator" => settings.alias_generator = Some(value),
                "json_schema_serialization_defaults_required" => {
                    settings.defaults_required = matches!(value, Value::Bool(true));
                }
                "ser_json_timedelta" => settings.float_durations = value.as_str() == Some("float"),
                "json_schema_extra" | "schema_extra" => settings.schema_extra = Some(value),
                "fields" => settings.fields = Some(value),
                "extra" => settings.extra = extra_policy(&value),
                _ => {}
            }
        }
    }
    settings
}

/// The entries of `ConfigDict(…)` or of a dict.
pub(super) fn given_by_name<'p>(config: &Value<'p>) -> Vec<(Str, Value<'p>)> {
    match config {
        Value::Made(made) => made.args.named.clone(),
        Value::Dict(dict) => {
            let dict = dict.borrow();
            dict.entries.iter().filter_map(|(key, value)| Some((Rc::from(key.as_str()?), value.clone()))).collect()
        }
        _ => Vec::new(),
    }
}
