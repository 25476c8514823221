//! The fields that a class has, those of its bases included, as they are declared, and the constructor that is made of
//! them.

use std::rc::Rc;

use super::before;
use super::fields::{Declared, Fields, Own, annotated_field, has_default, is_field_call, method_field};
use super::generics::{Substitution, substitute, substitution_of};
use super::naming;
use super::settings::settings;
use super::sorts::{Sort, is_attrs_decorator, sort_of};
use crate::evaluate::{ClassRef, DynamicClass, Evaluator, MAX_ANCESTRY, Value, last};
use crate::languages::Side;
use crate::languages::python::signature::Parameter;
use crate::model::program::{Expr, ExprKind, ParamKind, StmtKind};

/// Fields of a class and its bases by declared name, in pydantic's order: bases first.
pub(super) fn fields_of<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    substitution: &Substitution<'p>,
    side: Side,
    depth: usize,
) -> Fields<'p> {
    let mut fields = Fields::default();
    // Each level costs, and a hierarchy of diamonds has many: what runs out of budget is no shape at all.
    if depth > MAX_ANCESTRY || evaluator.is_exhausted() {
        return fields;
    }
    for base in evaluator.bases(class).into_iter().rev() {
        let (base, args) = match base {
            Value::Applied(base, args) => ((*base).clone(), args.to_vec()),
            other => (other, Vec::new()),
        };
        match base {
            Value::Class(base) if !Rc::ptr_eq(&base, class) => {
                let args: Vec<Value<'p>> = args.iter().map(|arg| substitute(arg, substitution)).collect();
                let inner = substitution_of(evaluator, &base, &args);
                let inherited = fields_of(evaluator, &base, &inner, side, depth + 1);
                evaluator.afford(inherited.len());
                fields.extend(inherited);
            }
            Value::Dynamic(base) => fields.extend(dynamic_fields(evaluator, &base, side, depth + 1)),
            _ => {}
        }
    }
    let scope = evaluator.body_scope(class);
    evaluator.afford(8);
    let total = class.node.keywords.iter().find(|(name, _)| name == "total");
    let partial = total.is_some_and(|(_, value)| matches!(value.kind, ExprKind::Bool(false)));
    let is_attrs = class.node.decorators.iter().any(|it| is_attrs_decorator(evaluator, it, &class.scope));
    for statement in evaluator.class_statements(class) {
        match &statement.kind {
            StmtKind::Annotated { target, annotation, value } => {
                let ExprKind::Name(name) = &target.kind else { continue };
                let Some(name) = field_name(name, is_attrs) else { continue };
                let own = Own { annotation, value: value.as_ref(), partial, span: target.span };
                match annotated_field(evaluator, &own, &scope, side) {
                    Some(mut declared) => {
                        declared.kind = substitute(&declared.kind, substitution);
                        fields.insert(name.to_owned(), declared);
                    }
                    None => {
                        fields.shift_remove(name);
                    }
                }
            }
            StmtKind::Assign { targets, value } => {
                let [Expr { kind: ExprKind::Name(name), .. }] = targets.as_slice() else { continue };
                let Some(name) = field_name(name, is_attrs) else { continue };
                if !fields.contains_key(name) && !is_attrs {
                    continue;
                }
                let given = evaluator.evaluate(value, &scope);
                // `id = attr.ib(type=int)`
                if is_attrs
                    && let Value::Made(made) = &given
                    && is_field_call(made.name())
                {
                    let kind = made.args.named("type").cloned();
                    let kind = kind.unwrap_or(Value::Unknown("a field without a type", Some(targets[0].span)));
                    fields.entry(name.to_owned()).or_insert_with(|| Declared {
                        kind,
                        read_as: None,
                        has_default: false,
                        given: None,
                        may_lack: false,
                        info: None,
                        computed: false,
                        span: targets[0].span,
                    });
                }
                let Some(known) = fields.get_mut(name) else { continue };
                known.given = Some(given.clone());
                match given {
                    Value::Made(made) if is_field_call(made.name()) => {
                        known.has_default = has_default(&made);
                        known.info = Some(made);
                    }
                    _ => known.has_default = true,
                }
            }
            StmtKind::Function(method) if side == Side::Output => {
                method_field(evaluator, method, &scope, substitution, &mut fields);
            }
            _ => {}
        }
    }
    if side == Side::Input {
        before::field_validators(evaluator, class, substitution, &mut fields);
    }
    fields
}

/// What a field is called before it has a name on the wire; `None` of what is no field. attrs takes and writes a private
/// attribute by its name without the underscore; elsewhere what is private is no field.
fn field_name(name: &str, is_attrs: bool) -> Option<&str> {
    match name.strip_prefix('_') {
        _ if name == "__root__" => Some(name),
        Some(rest) => (is_attrs && !rest.starts_with('_') && !rest.is_empty()).then_some(rest),
        None => (name != "model_config").then_some(name),
    }
}

pub(super) fn dynamic_fields<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &DynamicClass<'p>,
    side: Side,
    depth: usize,
) -> Fields<'p> {
    let mut fields = Fields::default();
    for base in &class.bases {
        match base {
            Value::Class(base) => fields.extend(fields_of(evaluator, base, &Substitution::default(), side, depth + 1)),
            Value::Applied(inner, args) => {
                if let Value::Class(base) = &**inner {
                    let substitution = substitution_of(evaluator, base, args);
                    fields.extend(fields_of(evaluator, base, &substitution, side, depth + 1));
                }
            }
            Value::Dynamic(base) if depth < MAX_ANCESTRY => {
                fields.extend(dynamic_fields(evaluator, base, side, depth + 1));
            }
            _ => {}
        }
    }
    for (name, given) in &class.fields {
        let (kind, has_default, info) = match given.elements().as_deref() {
            Some([kind, Value::Made(made)]) if is_field_call(made.name()) => {
                (kind.clone(), has_default(made), Some(made.clone()))
            }
            Some([kind, default]) => (kind.clone(), !matches!(default, Value::Ellipsis), None),
            _ => (given.clone(), false, None),
        };
        let may_lack = match &kind {
            Value::Applied(base, _) => base.as_external().is_some_and(|path| last(path) == "NotRequired"),
            _ => false,
        };
        let declared = Declared {
            kind,
            read_as: None,
            has_default,
            given: None,
            may_lack,
            info,
            computed: false,
            span: class.site,
        };
        fields.insert(name.to_string(), declared);
    }
    fields
}

/// The parameters of the constructor that a model or dataclass is given; `None` of what has none that is made of fields.
/// Follows `pydantic._internal._signature.generate_pydantic_signature`: a field goes by its alias where that is a name.
pub(in crate::languages::python) fn constructor_of<'p>(
    evaluator: &mut Evaluator<'p>,
    callable: &Value<'p>,
) -> Option<Vec<Parameter<'p>>> {
    let none = Substitution::default();
    let mut generator = None;
    let (fields, by_alias) = match callable {
        Value::Class(class) => {
            let sort = sort_of(evaluator, class);
            if !matches!(sort, Sort::Model | Sort::Dataclass) {
                return None;
            }
            let made = match evaluator.class_member(class, "__init__") {
                Some(Value::Function(init)) => {
                    init.node.parameters.iter().any(|parameter| parameter.kind == ParamKind::KeywordRest)
                }
                _ => true,
            };
            if sort == Sort::Model {
                generator = settings(evaluator, class).alias_generator;
            }
            (made.then(|| fields_of(evaluator, class, &none, Side::Input, 0))?, sort == Sort::Model)
        }
        Value::Dynamic(class) => (dynamic_fields(evaluator, class, Side::Input, 0), true),
        _ => return None,
    };
    let parameter = |(name, declared): (String, Declared<'p>)| {
        let info = declared.info.as_ref();
        let given = info.and_then(|info| info.args.named("alias").or_else(|| info.args.named("validation_alias")));
        let mut alias = given.and_then(Value::as_str).map(str::to_owned);
        if let (None, Some(generator)) = (given, &generator) {
            alias = naming::alias(evaluator, generator, &name, Side::Input, declared.span).ok().flatten();
        }
        let alias = alias.filter(|alias| by_alias && is_name(alias));
        // A model takes the field's own value away from what describes it; a dataclass leaves it.
        let default = match declared.given {
            Some(given) if !by_alias => Some(given),
            _ => declared.has_default.then(|| {
                let stated = info.and_then(|info| info.args.get(0, "default")).or(declared.given.as_ref());
                stated.cloned().unwrap_or(Value::Unknown("default of a field", Some(declared.span)))
            }),
        };
        let name = alias.unwrap_or(name);
        Parameter { name: Rc::from(name), annotation: Some(declared.kind), default, rest: false, span: declared.span }
    };
    Some(fields.into_iter().map(parameter).collect())
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
