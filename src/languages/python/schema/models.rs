//! Classes as shapes: pydantic models (v1 and v2), dataclasses, typed dicts, enumerations, SQLModel, root models.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::{Schemas, kind_of_values, literal_value, naming};
use crate::evaluate::{Args, ClassRef, DynamicClass, Evaluator, MAX_ANCESTRY, Made, Scope, Str, Value, last};
use crate::model::program::{Arg, Expr, ExprKind, Function, StmtKind};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

type Substitution<'p> = FxHashMap<Str, Value<'p>>;

/// A field before its wire name is known.
#[derive(Clone)]
struct Declared<'p> {
    kind: Value<'p>,
    has_default: bool,
    /// The key may be absent (`NotRequired`, `total=False`).
    may_lack: bool,
    info: Option<Rc<Made<'p>>>,
    computed: bool,
    span: Span,
}

/// Arguments of one generic class: parts of all of them, and instances that are declared within each other.
const MAX_ARGUMENT_PARTS: usize = 300;
const MAX_NESTED: u32 = 6;

type Fields<'p> = IndexMap<String, Declared<'p>, rustc_hash::FxBuildHasher>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Enum,
    Root,
    TypedDict,
    Model,
    NamedTuple,
    Dataclass,
    /// A subclass of a built-in or library scalar.
    Scalar,
    Other,
}

/// External bases that bring no fields.
const FIELDLESS: &[&str] = &[
    "BaseModel",
    "SQLModel",
    "BaseSettings",
    "GenericModel",
    "RootModel",
    "Generic",
    "Protocol",
    "ABC",
    "ABCMeta",
    "object",
    "TypedDict",
    "Enum",
    "str",
    "int",
    "StrEnum",
    "IntEnum",
    "Representation",
    "DeclarativeBase",
    "NamedTuple",
    "Exception",
    "dict",
    "AsyncAttrs",
    "MappedAsDataclass",
];

pub(super) fn field(name: &str, shape: ShapeId, required: bool) -> Field {
    Field { name: name.to_owned(), shape, required, always: true, span: None, declared: None }
}

/// Replaces type variables.
pub(super) fn substitute<'p>(value: &Value<'p>, substitution: &Substitution<'p>) -> Value<'p> {
    if substitution.is_empty() {
        return value.clone();
    }
    match value {
        Value::TypeVar(variable) => substitution.get(&variable.name).cloned().unwrap_or_else(|| value.clone()),
        Value::Applied(base, args) => {
            let base = match &**base {
                generic @ (Value::Applied(..) | Value::Union(_) | Value::TypeVar(_)) => {
                    substitute(generic, substitution)
                }
                other => other.clone(),
            };
            Value::Applied(Rc::new(base), args.iter().map(|arg| substitute(arg, substitution)).collect())
        }
        Value::Union(options) => Value::Union(options.iter().map(|option| substitute(option, substitution)).collect()),
        _ => value.clone(),
    }
}

/// Names of the type variables of a type, in order of appearance.
pub(super) fn type_variables(value: &Value, out: &mut Vec<Str>) {
    match value {
        Value::TypeVar(variable) if !out.contains(&variable.name) => out.push(variable.name.clone()),
        Value::Applied(base, args) => {
            if matches!(**base, Value::Applied(..) | Value::Union(_)) {
                type_variables(base, out);
            }
            args.iter().for_each(|arg| type_variables(arg, out));
        }
        Value::Union(options) => options.iter().for_each(|option| type_variables(option, out)),
        _ => {}
    }
}

/// What tells one type from another, for declaring each once.
fn key_of(value: &Value, out: &mut String) {
    use std::fmt::Write as _;
    match value {
        Value::Class(class) => write!(out, "c{:p}", Rc::as_ptr(class)),
        Value::Dynamic(class) => write!(out, "d{:p}", Rc::as_ptr(class)),
        Value::Made(made) => write!(out, "m{:p}", Rc::as_ptr(made)),
        Value::Applied(base, args) => {
            key_of(base, out);
            out.push('[');
            for arg in args.iter() {
                key_of(arg, out);
                out.push(',');
            }
            write!(out, "]")
        }
        Value::Union(options) => {
            for option in options.iter() {
                key_of(option, out);
                out.push('|');
            }
            Ok(())
        }
        other => write!(out, "{}", other.describe()),
    }
    .expect("writing to a string does not fail");
}

impl Schemas {
    pub(super) fn class<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Value<'p>],
        site: Option<Span>,
    ) -> ShapeId {
        // In version 1 only generic models take arguments.
        let takes_arguments = !self.version_one
            || evaluator.external_bases(class).iter().any(|path| last(path) == "GenericModel")
            || !evaluator.external_bases(class).iter().any(|path| last(path) == "BaseModel");
        let args = if takes_arguments { args } else { &[] };
        let mut key = String::new();
        let whole = if args.is_empty() {
            Value::Class(class.clone())
        } else {
            Value::Applied(Rc::new(Value::Class(class.clone())), args.into())
        };
        key_of(&whole, &mut key);
        if self.float_durations {
            key.push_str(" float durations");
        }
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        // `class A(Generic[T]): x: "A[list[T]]"` has no end.
        let nested = self.nested.get(&class.name_span()).copied().unwrap_or(0);
        let parts: usize = args.iter().map(|arg| arg.parts(MAX_ARGUMENT_PARTS)).sum();
        if !args.is_empty() && (nested >= MAX_NESTED || parts >= MAX_ARGUMENT_PARTS) {
            return self.unknown(format!("`{}` contains itself with ever larger arguments", class.name()), site);
        }
        let id = self.table.reserve();
        self.known.insert(key, id);
        self.nested.insert(class.name_span(), nested + u32::from(!args.is_empty()));
        let shape = self.declare(evaluator, class, args, site);
        self.nested.insert(class.name_span(), nested);
        // What was found before the budget ran out may lack anything.
        let shape = if evaluator.is_exhausted() {
            Shape::unknown("evaluation budget of the file used up", Some(class.name_span()))
        } else {
            shape
        };
        let shape = match shape.kind {
            // A root model is what it wraps, under its own name.
            Kind::Ref(target) if target == id => Shape::unknown("type defined as itself", Some(class.name_span())),
            _ => shape,
        };
        self.table.set(id, shape);
        id
    }

    fn declare<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Value<'p>],
        site: Option<Span>,
    ) -> Shape {
        let name = if args.is_empty() {
            class.name().to_owned()
        } else {
            let args: Vec<String> = args.iter().map(Value::describe).collect();
            format!("{}[{}]", class.name(), args.join(", "))
        };
        let span = Some(class.name_span());
        match sort_of(evaluator, class) {
            Sort::Enum => enumeration(evaluator, class).named(name).at(span),
            Sort::Scalar => {
                let external = evaluator.external_bases(class);
                let scalar = external.iter().find(|path| is_scalar(path)).cloned().unwrap_or_else(|| Rc::from("Any"));
                let id = self.external(&scalar, span);
                self.table.get(id).clone().at(span)
            }
            Sort::NamedTuple => {
                let fields = self.fields(evaluator, class, &Substitution::default(), 0);
                let member = |declared: &Declared<'p>| self.shape_of(evaluator, &declared.kind, Some(declared.span));
                let prefix = fields.values().map(member).collect();
                Shape::new(Kind::Array { prefix, items: None }).named(name).at(span)
            }
            Sort::Other => {
                let why = if evaluator.unknown_base(class) {
                    format!("a base class of `{name}` is not known")
                } else {
                    format!("`{name}` is no class that is serialised by its fields")
                };
                Shape::unknown(why, site.or(span))
            }
            sort => {
                if let Some(shape) = self.custom_serializer(evaluator, class, args, sort) {
                    return shape.named(name).at(span);
                }
                let substitution = substitution_of(evaluator, class, args);
                if sort == Sort::Root {
                    return self.root(evaluator, class, &substitution).named(name).at(span);
                }
                let fields = self.fields(evaluator, class, &substitution, 0);
                if let Some(root) = fields.get("__root__") {
                    let target = self.shape_of(evaluator, &root.kind, span);
                    return Shape::new(Kind::Ref(target)).named(name).at(span);
                }
                let settings = if sort == Sort::TypedDict { Settings::default() } else { settings(evaluator, class) };
                let mut shape = self.finish(evaluator, fields, &settings, class.name_span());
                if let Some(why) = open_base(evaluator, class)
                    && let Kind::Object(object) = &mut shape.kind
                {
                    object.additional = Additional::Of(self.unknown(why, span));
                }
                shape.named(name).at(span)
            }
        }
    }

    /// A plain `@model_serializer` with a declared result replaces the fields.
    fn custom_serializer<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Value<'p>],
        sort: Sort,
    ) -> Option<Shape> {
        if !matches!(sort, Sort::Model | Sort::Root | Sort::Dataclass) {
            return None;
        }
        for ancestor in evaluator.ancestry(class).iter() {
            let Value::Class(ancestor) = ancestor else { continue };
            for statement in evaluator.class_statements(ancestor) {
                let StmtKind::Function(method) = &statement.kind else { continue };
                let Some(returns) = &method.returns else { continue };
                if decorator(method, "model_serializer").is_some() {
                    let scope = evaluator.body_scope(ancestor);
                    let declared = evaluator.type_expression(returns, &scope);
                    let substitution = substitution_of(evaluator, class, args);
                    let target = self.shape_of(evaluator, &substitute(&declared, &substitution), Some(returns.span));
                    return Some(Shape::new(Kind::Ref(target)));
                }
            }
        }
        None
    }

    fn root<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        substitution: &Substitution<'p>,
    ) -> Shape {
        let span = Some(class.name_span());
        let fields = self.fields(evaluator, class, substitution, 0);
        if let Some(root) = fields.get("root") {
            let target = self.shape_of(evaluator, &root.kind, span);
            return Shape::new(Kind::Ref(target));
        }
        for base in evaluator.bases(class) {
            let target = match &base {
                Value::Applied(inner, args) => match &**inner {
                    Value::External(path) if last(path) == "RootModel" => {
                        args.first().map(|arg| substitute(arg, substitution))
                    }
                    Value::Class(_) => Some(substitute(&base, substitution)),
                    _ => None,
                },
                Value::Class(_) => Some(base.clone()),
                _ => None,
            };
            if let Some(target) = target {
                let target = self.shape_of(evaluator, &target, span);
                return Shape::new(Kind::Ref(target));
            }
        }
        Shape::new(Kind::Any)
    }

    /// Fields of a class and its bases by declared name, in pydantic's order: bases first.
    fn fields<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        substitution: &Substitution<'p>,
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
                    let inherited = self.fields(evaluator, &base, &inner, depth + 1);
                    evaluator.afford(inherited.len());
                    fields.extend(inherited);
                }
                Value::Dynamic(base) => fields.extend(self.dynamic_fields(evaluator, &base, depth + 1)),
                _ => {}
            }
        }
        let scope = evaluator.body_scope(class);
        evaluator.afford(8);
        let total = class.node.keywords.iter().find(|(name, _)| name == "total");
        let partial = total.is_some_and(|(_, value)| matches!(value.kind, ExprKind::Bool(false)));
        for statement in evaluator.class_statements(class) {
            match &statement.kind {
                StmtKind::Annotated { target, annotation, value } => {
                    let ExprKind::Name(name) = &target.kind else { continue };
                    if (name.starts_with('_') && name != "__root__") || name == "model_config" {
                        continue;
                    }
                    match annotated_field(evaluator, annotation, value.as_ref(), &scope, partial, target.span) {
                        Some(mut declared) => {
                            declared.kind = substitute(&declared.kind, substitution);
                            fields.insert(name.clone(), declared);
                        }
                        None => {
                            fields.shift_remove(name);
                        }
                    }
                }
                StmtKind::Assign { targets, value } => {
                    let [Expr { kind: ExprKind::Name(name), .. }] = targets.as_slice() else { continue };
                    let Some(known) = fields.get_mut(name) else { continue };
                    let given = evaluator.evaluate(value, &scope);
                    match given {
                        Value::Made(made) if is_field_call(made.name()) => {
                            known.has_default = has_default(&made);
                            known.info = Some(made);
                        }
                        _ => known.has_default = true,
                    }
                }
                StmtKind::Function(method) => method_field(evaluator, method, &scope, substitution, &mut fields),
                _ => {}
            }
        }
        fields
    }

    pub(super) fn dynamic<'p>(&mut self, evaluator: &mut Evaluator<'p>, class: &Rc<DynamicClass<'p>>) -> ShapeId {
        let mut key = String::new();
        key_of(&Value::Dynamic(class.clone()), &mut key);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.table.reserve();
        self.known.insert(key, id);
        let fields = self.dynamic_fields(evaluator, class, 0);
        let configured = class.bases.iter().find_map(|base| match base {
            Value::Class(base) => Some(base),
            _ => None,
        });
        let settings = configured.map_or_else(Settings::default, |base| settings(evaluator, base));
        let mut shape = self.finish(evaluator, fields, &settings, class.site);
        for base in &class.bases {
            let why = match base {
                Value::Unknown(why, _) => Some((*why).to_owned()),
                Value::Class(base) => open_base(evaluator, base),
                _ => None,
            };
            if let (Some(why), Kind::Object(object)) = (why, &mut shape.kind) {
                object.additional = Additional::Of(self.unknown(why, Some(class.site)));
            }
        }
        self.table.set(id, shape.named(&*class.name).at(Some(class.site)));
        id
    }

    fn dynamic_fields<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &DynamicClass<'p>,
        depth: usize,
    ) -> Fields<'p> {
        let mut fields = Fields::default();
        for base in &class.bases {
            match base {
                Value::Class(base) => fields.extend(self.fields(evaluator, base, &Substitution::default(), depth + 1)),
                Value::Applied(inner, args) => {
                    if let Value::Class(base) = &**inner {
                        let substitution = substitution_of(evaluator, base, args);
                        fields.extend(self.fields(evaluator, base, &substitution, depth + 1));
                    }
                }
                Value::Dynamic(base) if depth < 40 => fields.extend(self.dynamic_fields(evaluator, base, depth + 1)),
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
            fields.insert(
                name.to_string(),
                Declared { kind, has_default, may_lack: false, info, computed: false, span: class.site },
            );
        }
        fields
    }

    /// Wire names, exclusions, required flags.
    fn finish<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        fields: Fields<'p>,
        settings: &Settings<'p>,
        site: Span,
    ) -> Shape {
        let outer = std::mem::replace(&mut self.float_durations, settings.float_durations);
        let mut members: Vec<Field> = Vec::with_capacity(fields.len());
        let mut unknown_name = None;
        // Computed members follow the declared ones, those of bases included.
        let (computed, plain): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(_, declared)| declared.computed);
        for (name, declared) in plain.into_iter().chain(computed) {
            let argument = |key: &str| declared.info.as_ref().and_then(|info| info.args.named(key));
            if matches!(argument("exclude"), Some(Value::Bool(true))) || super::is_undocumented(&declared.kind) {
                continue;
            }
            let given = argument("serialization_alias").or_else(|| argument("alias")).cloned();
            let given = given.or_else(|| settings.alias_of(&name));
            let mut wire = given.as_ref().and_then(Value::as_str).map(str::to_owned);
            if wire.is_none()
                && let Some(generator) = &settings.alias_generator
            {
                match naming::alias(evaluator, generator, &name, declared.span) {
                    Ok(alias) => wire = alias,
                    Err(()) => unknown_name = Some(declared.span),
                }
            }
            let shape = self.shape_of(evaluator, &declared.kind, Some(declared.span));
            let optional = self.version_one && takes_none(&declared.kind) && !has_ellipsis(declared.info.as_deref());
            let has_default = declared.has_default || optional;
            let required = !declared.may_lack && (!has_default || declared.computed || settings.defaults_required);
            let wire_name = wire.unwrap_or_else(|| name.clone());
            members.push(Field {
                declared: (wire_name != name).then_some(name),
                name: wire_name,
                shape,
                required,
                always: !declared.may_lack,
                span: Some(declared.span),
            });
        }
        self.float_durations = outer;
        if let Some(span) = unknown_name {
            return Shape::unknown("names on the wire come from an alias generator that is not followed", Some(span));
        }
        if let Some(extra) = &settings.schema_extra {
            apply_schema_extra(evaluator, extra, &mut members, site);
        }
        let additional = match settings.extra.as_deref() {
            Some("allow") => Additional::Of(match &settings.extra_values {
                Some(kind) => self.shape_of(evaluator, kind, Some(site)),
                None => self.plain(Kind::Any),
            }),
            Some("forbid") => Additional::Closed,
            _ => Additional::Open,
        };
        Shape::new(Kind::Object(Object { fields: members, additional }))
    }
}

/// A base whose fields are not known, so that the class may have more than is seen.
fn open_base<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<String> {
    if evaluator.unknown_base(class) {
        return Some(format!("a base class of `{}` is not known", class.name()));
    }
    let external = evaluator.external_bases(class);
    external
        .iter()
        .find(|path| !FIELDLESS.contains(&last(path)) && !is_scalar(path))
        .map(|path| format!("base class `{path}` of `{}` is not part of the scanned sources", class.name()))
}

/// `json_schema_extra`: a function or dict that edits the schema: required names and removed properties count.
fn apply_schema_extra<'p>(evaluator: &mut Evaluator<'p>, extra: &Value<'p>, members: &mut Vec<Field>, site: Span) {
    let required = match extra {
        Value::Function(_) | Value::Bound(..) | Value::Partial(..) => {
            let properties = Value::dict(
                members.iter().map(|field| (Value::str(field.name.as_str()), Value::dict(Vec::new()))).collect(),
            );
            let required = members.iter().filter(|field| field.required).map(|field| Value::str(field.name.as_str()));
            let schema = Value::dict(vec![
                (Value::str("type"), Value::str("object")),
                (Value::str("properties"), properties.clone()),
                (Value::str("required"), Value::list(required.collect())),
            ]);
            let args = Args { positional: vec![schema.clone()], ..Args::default() };
            evaluator.call(extra, args, site);
            if let Value::Dict(left) = &properties {
                let left = left.borrow();
                members.retain(|field| left.get_str(&field.name).is_some());
            }
            match &schema {
                Value::Dict(schema) => schema.borrow().get_str("required").cloned(),
                _ => None,
            }
        }
        Value::Dict(dict) => dict.borrow().get_str("required").cloned(),
        _ => None,
    };
    if let Some(names) = required.and_then(|names| names.elements()) {
        for field in members {
            field.required = names.iter().any(|name| name.as_str() == Some(&field.name));
        }
    }
}

/// A field from `name: annotation = value`; `None` for what is no field.
fn annotated_field<'p>(
    evaluator: &mut Evaluator<'p>,
    annotation: &'p Expr,
    value: Option<&'p Expr>,
    scope: &Scope<'p>,
    partial: bool,
    span: Span,
) -> Option<Declared<'p>> {
    let kind = evaluator.type_expression(annotation, scope);
    let head = match &kind {
        Value::Applied(base, _) => base.as_external().map(last),
        other => other.as_external().map(last),
    };
    if matches!(head, Some("ClassVar" | "InitVar")) {
        return None;
    }
    let mut declared =
        Declared { has_default: false, may_lack: partial, info: None, computed: false, span, kind: kind.clone() };
    if let Some(value) = value {
        match evaluator.evaluate(value, scope) {
            Value::Made(made) if matches!(made.name(), "Relationship" | "relationship" | "PrivateAttr") => return None,
            Value::Made(made) if is_field_call(made.name()) => {
                declared.has_default = has_default(&made);
                declared.info = Some(made);
            }
            _ => declared.has_default = !matches!(value.kind, ExprKind::Ellipsis),
        }
    }
    if let Value::Applied(base, args) = &kind {
        match base.as_external().map(last) {
            Some("Annotated") => {
                for item in args.iter().skip(1) {
                    if let Value::Made(made) = item
                        && is_field_call(made.name())
                    {
                        declared.has_default |= has_default(made);
                        declared.info = Some(match declared.info.take() {
                            Some(info) => merged(made, &info),
                            None => made.clone(),
                        });
                    }
                }
            }
            Some("NotRequired") => declared.may_lack = true,
            Some("Required") => declared.may_lack = false,
            _ => {}
        }
    }
    Some(declared)
}

/// `Annotated[…, Field(a)] = Field(b)`: the assignment wins.
fn merged<'p>(first: &Rc<Made<'p>>, second: &Rc<Made<'p>>) -> Rc<Made<'p>> {
    let mut args = first.args.clone();
    for (name, value) in &second.args.named {
        args.set(name, value.clone());
    }
    Rc::new(Made { path: first.path.clone(), args, site: second.site })
}

/// Whether `None` is one of the options of a type.
fn takes_none(kind: &Value) -> bool {
    match kind {
        Value::Union(options) => options.iter().any(|option| matches!(option, Value::None)),
        Value::Applied(base, args) => match base.as_external().map(last) {
            Some("Optional") => true,
            Some("Union") => args.iter().any(|option| matches!(option, Value::None)),
            _ => false,
        },
        _ => false,
    }
}

/// `Field(...)`: required whatever the type.
fn has_ellipsis(info: Option<&Made>) -> bool {
    info.is_some_and(|info| matches!(info.args.get(0, "default"), Some(Value::Ellipsis)))
}

fn is_field_call(name: &str) -> bool {
    matches!(name, "Field" | "field" | "FieldInfo" | "Query" | "Body" | "Path" | "Form" | "Header" | "mapped_column")
}

fn has_default(made: &Made) -> bool {
    let given = made.args.get(0, "default");
    // `Field(..., default_factory=f)` has a default all the same.
    given.is_some_and(|default| !matches!(default, Value::Ellipsis))
        || ["default_factory", "factory"].iter().any(|name| made.args.named(name).is_some())
}

/// `@computed_field` adds a field, `@field_serializer("x")` with a declared result changes its type.
fn method_field<'p>(
    evaluator: &mut Evaluator<'p>,
    method: &'p Function,
    scope: &Scope<'p>,
    substitution: &Substitution<'p>,
    fields: &mut Fields<'p>,
) {
    if let Some(found) = decorator(method, "computed_field") {
        let made = match evaluator.evaluate(found, scope) {
            Value::Made(made) => Some(made),
            _ => None,
        };
        let declared = made.as_ref().and_then(|made| made.args.named("return_type").cloned());
        let kind = match (declared, &method.returns) {
            (Some(kind), _) => kind,
            (None, Some(returns)) => evaluator.type_expression(returns, scope),
            (None, None) => Value::External(Rc::from("typing.Any")),
        };
        let declared = Declared {
            kind: substitute(&kind, substitution),
            has_default: false,
            may_lack: false,
            info: made,
            computed: true,
            span: method.name_span,
        };
        fields.insert(method.name.clone(), declared);
    }
    if let Some(Expr { kind: ExprKind::Call { args, .. }, .. }) = decorator(method, "field_serializer") {
        let declared = args.iter().find_map(|arg| match arg {
            Arg::Keyword(name, value) if name == "return_type" => Some(value),
            _ => None,
        });
        let Some(returns) = declared.or(method.returns.as_ref()) else { return };
        let kind = evaluator.type_expression(returns, scope);
        if kind.is_unknown() {
            return;
        }
        for arg in args {
            let Arg::Positional(target) = arg else { continue };
            let Value::Str(target) = evaluator.evaluate(target, scope) else { continue };
            for (name, declared) in fields.iter_mut() {
                if &*target == "*" || **name == *target {
                    declared.kind = substitute(&kind, substitution);
                }
            }
        }
    }
}

/// The decorator of that name, called or not.
fn decorator<'p>(method: &'p Function, wanted: &str) -> Option<&'p Expr> {
    method.decorators.iter().find(|decorator| {
        let callee = match &decorator.kind {
            ExprKind::Call { callee, .. } => callee,
            _ => *decorator,
        };
        matches!(&callee.kind, ExprKind::Name(name) | ExprKind::Member { name, .. } if name == wanted)
    })
}

/// Model configuration that changes what is serialised.
#[derive(Default)]
struct Settings<'p> {
    alias_generator: Option<Value<'p>>,
    defaults_required: bool,
    float_durations: bool,
    schema_extra: Option<Value<'p>>,
    /// pydantic 1: aliases by field, `fields = {"user_id": "userId", "other": {"alias": "x"}}`.
    fields: Option<Value<'p>>,
    /// `extra`: `allow`, `ignore` or `forbid`.
    extra: Option<Str>,
    /// Type of the further members that `extra="allow"` lets in.
    extra_values: Option<Value<'p>>,
}

impl<'p> Settings<'p> {
    fn alias_of(&self, name: &str) -> Option<Value<'p>> {
        let Some(Value::Dict(fields)) = &self.fields else { return None };
        match fields.borrow().get_str(name)? {
            Value::Dict(field) => field.borrow().get_str("alias").cloned(),
            alias => Some(alias.clone()),
        }
    }
}

/// Settings that `class Config` and class keywords give.
const CONFIGURED: &[&str] = &[
    "alias_generator",
    "json_schema_extra",
    "schema_extra",
    "json_schema_serialization_defaults_required",
    "ser_json_timedelta",
    "fields",
    "extra",
];

/// `"allow"`, or `Extra.allow` as pydantic 1 has it.
fn extra_policy(value: &Value) -> Option<Str> {
    match value {
        Value::Str(text) => Some(text.clone()),
        Value::External(path) => Some(Rc::from(last(path))),
        _ => None,
    }
}

/// `model_config`, `class Config` and class keywords, bases first.
fn settings<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Settings<'p> {
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
fn given_by_name<'p>(config: &Value<'p>) -> Vec<(Str, Value<'p>)> {
    match config {
        Value::Made(made) => made.args.named.clone(),
        Value::Dict(dict) => {
            let dict = dict.borrow();
            dict.entries.iter().filter_map(|(key, value)| Some((Rc::from(key.as_str()?), value.clone()))).collect()
        }
        _ => Vec::new(),
    }
}

/// Type parameters of a class with what was given for them.
fn substitution_of<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, args: &[Value<'p>]) -> Substitution<'p> {
    if args.is_empty() {
        return Substitution::default();
    }
    let mut names: Vec<Str> = Vec::new();
    if class.node.type_parameters.is_empty() {
        let mut declared: Option<Vec<Str>> = None;
        for base in evaluator.bases(class) {
            type_variables(&base, &mut names);
            if let Value::Applied(inner, _) = &base
                && matches!(inner.as_external().map(last), Some("Generic" | "Protocol"))
            {
                let mut own = Vec::new();
                type_variables(&base, &mut own);
                declared = Some(own);
            }
        }
        names = declared.unwrap_or(names);
    } else {
        names.extend(class.node.type_parameters.iter().map(|parameter| Rc::from(parameter.name.as_str())));
    }
    names.into_iter().zip(args.iter().cloned()).collect()
}

fn sort_of<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Sort {
    if evaluator.is_enum(class) {
        return Sort::Enum;
    }
    let external = evaluator.external_bases(class);
    let has = |names: &[&str]| external.iter().any(|path| names.contains(&last(path)));
    if has(&["RootModel"]) {
        return Sort::Root;
    }
    if has(&["TypedDict"]) {
        return Sort::TypedDict;
    }
    if has(&["BaseModel", "SQLModel", "BaseSettings", "GenericModel"]) {
        return Sort::Model;
    }
    if has(&["NamedTuple"]) {
        return Sort::NamedTuple;
    }
    for ancestor in evaluator.ancestry(class).iter() {
        if let Value::Class(ancestor) = ancestor
            && ancestor
                .node
                .decorators
                .iter()
                .any(|decorator| is_dataclass_decorator(evaluator, decorator, &ancestor.scope))
        {
            return Sort::Dataclass;
        }
    }
    if external.iter().any(|path| is_scalar(path)) {
        return Sort::Scalar;
    }
    let model_like = |path: &Str| {
        path.starts_with("pydantic")
            || path.starts_with("fastapi")
            || path.starts_with("sqlmodel")
            || (last(path).starts_with("Base") && !matches!(last(path), "BaseException"))
    };
    if external.iter().any(model_like) { Sort::Model } else { Sort::Other }
}

fn is_scalar(path: &str) -> bool {
    matches!(
        last(path),
        "str" | "int" | "float" | "bool" | "dict" | "list" | "UUID" | "datetime" | "SecretStr" | "AnyUrl" | "HttpUrl"
    )
}

fn is_dataclass_decorator<'p>(evaluator: &mut Evaluator<'p>, decorator: &'p Expr, scope: &Scope<'p>) -> bool {
    const NAMES: &[&str] = &["dataclass", "define", "attrs", "frozen", "mutable"];
    let callee = match &decorator.kind {
        ExprKind::Call { callee, .. } => callee,
        _ => decorator,
    };
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } if NAMES.contains(&name.as_str()) => true,
        ExprKind::Name(_) => {
            evaluator.evaluate(callee, scope).as_external().is_some_and(|path| NAMES.contains(&last(path)))
        }
        _ => false,
    }
}

fn enumeration<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Shape {
    // A member that may not exist is not said to be sent.
    let members = evaluator.enum_members(class);
    let members = members.iter().filter(|member| !member.conditional);
    let values: Option<Vec<_>> = members.map(|member| literal_value(&member.value)).collect();
    match values {
        Some(values) if !values.is_empty() => Shape::new(kind_of_values(&values)).with_values(values),
        _ => {
            let external = evaluator.external_bases(class);
            let based = |names: &[&str]| external.iter().any(|path| names.contains(&last(path)));
            if based(&["str", "StrEnum"]) {
                Shape::new(Kind::String)
            } else if based(&["int", "IntEnum"]) {
                Shape::new(Kind::Integer)
            } else {
                Shape::unknown("values of an enumeration are not known", Some(class.name_span()))
            }
        }
    }
}
