//! Classes as shapes: pydantic models (v1 and v2), dataclasses, typed dicts, enumerations, SQLModel, root models.

use std::rc::Rc;

use super::before::{self, Touched};
use super::collected::{dynamic_fields, fields_of};
use super::fields::{Declared, Fields, decorator, has_ellipsis, takes_none};
use super::generics::{MAX_ARGUMENT_PARTS, MAX_NESTED, Substitution, key_of, substitute, substitution_of};
use super::settings::{Settings, settings};
use super::sorts::{Sort, enumeration, is_scalar, open_base, sort_of};
use super::{DICTS, LISTS, Schemas, naming};
use crate::evaluate::{Args, ClassRef, DynamicClass, Evaluator, Value, last};
use crate::languages::Side;
use crate::model::program::StmtKind;
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

pub(super) fn field(name: &str, shape: ShapeId, required: bool) -> Field {
    Field { name: name.to_owned(), shape, required, always: true, span: None, declared: None }
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
        let place = class.name_span();
        let mut key = format!("{}:{} ", place.file.0, place.start);
        let whole = if args.is_empty() {
            Value::Class(class.clone())
        } else {
            Value::Applied(Rc::new(Value::Class(class.clone())), args.into())
        };
        key_of(&whole, &mut key);
        if self.float_durations {
            key.push_str(" float durations");
        }
        if let Some(id) = self.known_shape(evaluator, &key) {
            return id;
        }
        // `class A(Generic[T]): x: "A[list[T]]"` has no end.
        let nested = self.nested.get(&class.name_span()).copied().unwrap_or(0);
        let parts: usize = args.iter().map(|arg| arg.parts(MAX_ARGUMENT_PARTS)).sum();
        if !args.is_empty() && (nested >= MAX_NESTED || parts >= MAX_ARGUMENT_PARTS) {
            return self.unknown(format!("`{}` contains itself with ever larger arguments", class.name()), site);
        }
        let id = self.table.reserve();
        self.nested.insert(class.name_span(), nested + u32::from(!args.is_empty()));
        let shape = self
            .declare_in_world(evaluator, (key, id), |schemas, evaluator| schemas.declare(evaluator, class, args, site));
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
            // What a class says by itself how to read may be written in other forms than its own.
            _ if self.side == Side::Input && states_own_schema(evaluator, class) => {
                let why = format!("`{}` reads what is sent by itself", class.name());
                let own = self.table.add(shape);
                let either = self.or_unknown(own, &why, Some(class.name_span()));
                Shape::new(Kind::Ref(either)).at(Some(class.name_span()))
            }
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
            Sort::Scalar | Sort::Other if container_base(evaluator, class).is_some() => {
                let container = container_base(evaluator, class).unwrap_or(Value::Ellipsis);
                let container = substitute(&container, &substitution_of(evaluator, class, args));
                Shape::new(Kind::Ref(self.shape_of(evaluator, &container, span))).at(span)
            }
            Sort::Scalar => {
                let external = evaluator.external_bases(class);
                let scalar = external.iter().find(|path| is_scalar(path)).cloned().unwrap_or_else(|| Rc::from("Any"));
                let id = self.external(&scalar, span);
                self.table.get(id).clone().at(span)
            }
            Sort::NamedTuple => {
                let fields = fields_of(evaluator, class, &Substitution::default(), self.side, 0);
                let member = |declared: &Declared<'p>| self.shape_of(evaluator, &declared.kind, Some(declared.span));
                let prefix = fields.values().map(member).collect();
                Shape::new(Kind::Array { prefix, items: None }).named(name).at(span)
            }
            Sort::Other => {
                if let Some(serializer) = self.serializer_type(evaluator, class) {
                    return Shape::new(Kind::Ref(serializer));
                }
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
                let fields = fields_of(evaluator, class, &substitution, self.side, 0);
                if let Some(root) = fields.get("__root__") {
                    let target = self.shape_of(evaluator, &root.kind, span);
                    return Shape::new(Kind::Ref(target)).named(name).at(span);
                }
                if sort == Sort::Struct {
                    return self.struct_shape(evaluator, class, fields).named(name).at(span);
                }
                let settings = if sort == Sort::TypedDict { Settings::default() } else { settings(evaluator, class) };
                let touched = self.touched(evaluator, class);
                let mut shape = self.finish(evaluator, fields, &settings, &touched, class.name_span());
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
        if self.side == Side::Input || !matches!(sort, Sort::Model | Sort::Root | Sort::Dataclass) {
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
        let fields = fields_of(evaluator, class, substitution, self.side, 0);
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

    pub(super) fn dynamic<'p>(&mut self, evaluator: &mut Evaluator<'p>, class: &Rc<DynamicClass<'p>>) -> ShapeId {
        let mut key = String::new();
        key_of(&Value::Dynamic(class.clone()), &mut key);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.table.reserve();
        self.known.insert(key, id);
        let fields = dynamic_fields(evaluator, class, self.side, 0);
        let configured = class.bases.iter().find_map(|base| match base {
            Value::Class(base) => Some(base),
            _ => None,
        });
        let settings = configured.map_or_else(Settings::default, |base| settings(evaluator, base));
        let touched = configured.map_or_else(Touched::default, |base| self.touched(evaluator, base));
        let mut shape = self.finish(evaluator, fields, &settings, &touched, class.site);
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

    fn touched<'p>(&self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Touched {
        if self.side == Side::Input { before::touched(evaluator, class) } else { Touched::default() }
    }

    /// Wire names, exclusions, required flags.
    fn finish<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        fields: Fields<'p>,
        settings: &Settings<'p>,
        touched: &Touched,
        site: Span,
    ) -> Shape {
        let outer = std::mem::replace(&mut self.float_durations, settings.float_durations);
        let mut members: Vec<Field> = Vec::with_capacity(fields.len());
        let mut unknown_name = None;
        // Computed members follow the declared ones, those of bases included.
        let (computed, plain): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(_, declared)| declared.computed);
        for (name, declared) in plain.into_iter().chain(computed) {
            let argument = |key: &str| declared.info.as_ref().and_then(|info| info.args.named(key));
            let kept_back = self.side == Side::Output && matches!(argument("exclude"), Some(Value::Bool(true)));
            if kept_back || super::is_undocumented(&declared.kind) {
                continue;
            }
            let of_side = match self.side {
                Side::Output => "serialization_alias",
                Side::Input => "validation_alias",
            };
            let given = argument(of_side).or_else(|| argument("alias")).cloned();
            let given = given.or_else(|| settings.alias_of(&name)).or_else(|| match argument("metadata") {
                Some(Value::Dict(metadata)) => metadata.borrow().get_str("data_key").cloned(),
                _ => None,
            });
            let mut wire = given.as_ref().and_then(naming::first_alias);
            if wire.is_none()
                && let Some(generator) = &settings.alias_generator
            {
                match naming::alias(evaluator, generator, &name, self.side, declared.span) {
                    Ok(alias) => wire = alias,
                    Err(()) => unknown_name = Some(declared.span),
                }
            }
            let wire_name = wire.unwrap_or_else(|| name.clone());
            let is_touched = touched.has(&name, &wire_name);
            let mut shape = match &declared.read_as {
                Some(kind) if !kind.is_unknown() => self.shape_of(evaluator, kind, Some(declared.span)),
                _ => self.shape_of(evaluator, &declared.kind, Some(declared.span)),
            };
            if is_touched || declared.read_as.as_ref().is_some_and(Value::is_unknown) {
                shape = self.or_unknown(shape, before::READ_FIRST, Some(declared.span));
            }
            let optional = self.version_one && takes_none(&declared.kind) && !has_ellipsis(declared.info.as_deref());
            let has_default = declared.has_default || optional;
            let set_by_default = self.side == Side::Output && (declared.computed || settings.defaults_required);
            let required = !declared.may_lack && !is_touched && (!has_default || set_by_default);
            members.push(Field {
                declared: (wire_name != name).then_some(name),
                name: wire_name,
                shape,
                required,
                always: if self.side == Side::Output { !declared.may_lack } else { required },
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
        let is_member =
            |name: &str| members.iter().any(|field| field.name == name || field.declared.as_deref() == Some(name));
        let additional = match settings.extra.as_deref() {
            _ if touched.beyond(is_member) => Additional::Of(self.unknown(before::READ_FIRST, Some(site))),
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

/// Whether a class tells pydantic how it is read and written.
fn states_own_schema<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    let own_schema = ["__get_pydantic_core_schema__", "__get_validators__"];
    own_schema.iter().any(|name| evaluator.class_member(class, name).is_some())
}

/// `Dict[str, int]` as the base of a class that adds nothing to its values.
fn container_base<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Value<'p>> {
    let is_container = |base: &Value<'p>| match base {
        Value::Applied(of, _) => {
            of.as_external().map(last).is_some_and(|name| DICTS.contains(&name) || LISTS.contains(&name))
        }
        _ => false,
    };
    if states_own_schema(evaluator, class) {
        return None;
    }
    evaluator.bases(class).into_iter().find(is_container)
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
