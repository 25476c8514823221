//! Schemas of marshmallow as shapes: what `dump` writes. Follows marshmallow 3 and apispec's reading of it.

mod fields;

use std::cell::RefCell;
use std::rc::Rc;

use indexmap::IndexMap;

use super::{Schemas, models};
use crate::evaluate::{Args, ClassRef, Dict, Evaluator, Value, last};
use crate::languages::Side;
use crate::languages::python::marshmallow::{OF_DATACLASS, is_ours};
use crate::model::program::{Expr, ExprKind, Function, Stmt, StmtKind};
use crate::model::{Additional, Kind, Object, Shape, ShapeId};
use crate::text::Span;

/// Schemas and fields within others; a deeper one is unknown.
const MAX_DEPTH: u32 = 40;

/// Which members are written, by marshmallow's dotted names.
#[derive(Clone, Debug, Default)]
struct Choice {
    only: Option<Vec<String>>,
    exclude: Vec<String>,
}

/// Fields by declared name.
type Fields<'p> = IndexMap<String, (Value<'p>, Span), rustc_hash::FxBuildHasher>;

/// Whether a class is a schema of marshmallow.
pub fn is_marshmallow<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    evaluator.external_bases(class).iter().any(|path| is_ours(path) && last(path).ends_with("Schema"))
}

impl Choice {
    fn read<'p>(option: impl Fn(&str) -> Option<Value<'p>>) -> Self {
        let only = option("only").filter(|given| !matches!(given, Value::None));
        Choice {
            only: only.and_then(|given| names(&given)),
            exclude: option("exclude").and_then(|given| names(&given)).unwrap_or_default(),
        }
    }

    /// What is chosen by both: a schema's own choice, and that of the field that nests it.
    fn and(mut self, other: &Choice) -> Self {
        if other.only.is_some() {
            self.only.clone_from(&other.only);
        }
        self.exclude.extend(other.exclude.iter().cloned());
        self
    }

    fn takes(&self, name: &str) -> bool {
        let begins = |dotted: &String| dotted.split('.').next() == Some(name);
        self.only.as_ref().is_none_or(|only| only.iter().any(begins)) && !self.exclude.iter().any(|known| known == name)
    }

    /// The choice inside of a member.
    fn within(&self, name: &str) -> Choice {
        let inside = |names: &[String]| -> Vec<String> {
            names.iter().filter_map(|dotted| Some(dotted.strip_prefix(name)?.strip_prefix('.')?.to_owned())).collect()
        };
        let only = self.only.as_ref().filter(|only| !only.iter().any(|known| known == name));
        Choice { only: only.map(|only| inside(only)), exclude: inside(&self.exclude) }
    }
}

fn names(value: &Value) -> Option<Vec<String>> {
    Some(value.elements()?.iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect())
}

fn says(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Bool(true)))
}

impl Schemas {
    /// The shape of what a schema reads: a class, an instance, a dict of fields. `None` where it is none of marshmallow.
    pub fn taken_marshmallow<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        schema: &Value<'p>,
        site: Option<Span>,
    ) -> Option<ShapeId> {
        self.taking(|schemas| schemas.marshmallow(evaluator, schema, None, &Choice::default(), site, 0))
    }

    /// What a field says that is no part of this side.
    fn left_out(&self) -> &'static str {
        match self.side {
            Side::Output => "load_only",
            Side::Input => "dump_only",
        }
    }

    /// The shape of what a schema writes: a class, an instance, a dict of fields. `None` where it is none of marshmallow.
    pub fn shape_of_marshmallow<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        schema: &Value<'p>,
        site: Option<Span>,
    ) -> Option<ShapeId> {
        self.marshmallow(evaluator, schema, None, &Choice::default(), site, 0)
    }

    /// The same of `schema.dump(…, many=…)`, where the call may say whether it is many.
    pub fn shape_of_dump<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        schema: &Value<'p>,
        many: Option<bool>,
        site: Option<Span>,
    ) -> Option<ShapeId> {
        let Value::Instance(instance) = schema else { return None };
        if !is_marshmallow(evaluator, &instance.class) {
            return None;
        }
        let option = |name: &str| instance.attributes.borrow().get(name).cloned();
        let many = many.unwrap_or(says(option("many").as_ref()));
        let one = self.schema_class(evaluator, &instance.class, &Choice::read(option), site, 0);
        Some(if many { self.array(one) } else { one })
    }

    fn marshmallow<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        schema: &Value<'p>,
        outer: Option<&ClassRef<'p>>,
        choice: &Choice,
        site: Option<Span>,
        depth: u32,
    ) -> Option<ShapeId> {
        if depth > MAX_DEPTH {
            return Some(self.unknown("schema nested too deep", site));
        }
        match schema {
            Value::Class(class) if is_marshmallow(evaluator, class) => {
                Some(self.schema_class(evaluator, class, choice, site, depth + 1))
            }
            Value::Instance(instance) if is_marshmallow(evaluator, &instance.class) => {
                let option = |name: &str| instance.attributes.borrow().get(name).cloned();
                let choice = Choice::read(option).and(choice);
                let mut one = self.schema_class(evaluator, &instance.class, &choice, site, depth + 1);
                if self.side == Side::Input && says(option("partial").as_ref()) {
                    one = self.partial(one);
                }
                Some(if says(option("many").as_ref()) { self.array(one) } else { one })
            }
            Value::Dict(dict) => {
                let mut fields = Fields::default();
                for (name, value) in &dict.borrow().entries {
                    let span = if let Value::Made(made) = value { Some(made.site) } else { site };
                    if let (Some(name), Some(span)) = (name.as_str(), span) {
                        fields.insert(name.to_owned(), (value.clone(), span));
                    }
                }
                let object = self.members(evaluator, fields, outer, choice, &[], depth + 1);
                Some(self.table.add(Shape::new(Kind::Object(object)).at(site)))
            }
            Value::Made(made) if made.path.ends_with("Schema.from_dict") => {
                let fields = made.args.positional.first()?;
                self.marshmallow(evaluator, fields, outer, choice, site, depth + 1)
            }
            Value::Made(made) if made.path.ends_with("Schema.from_dict()") => {
                let schema = made.receiver.clone()?;
                let choice = Choice::read(|name| made.args.named(name).cloned()).and(choice);
                let one = self.marshmallow(evaluator, &schema, outer, &choice, site, depth + 1)?;
                Some(if says(made.args.named("many")) { self.array(one) } else { one })
            }
            Value::Made(made) if &*made.path == OF_DATACLASS => {
                Some(self.shape_of(evaluator, &made.receiver.clone()?, site))
            }
            Value::Made(made) if made.path.strip_suffix("()") == Some(OF_DATACLASS) => {
                let Value::Made(inner) = made.receiver.as_ref()? else { return None };
                let one = self.shape_of(evaluator, &inner.receiver.clone()?, site);
                Some(if says(made.args.named("many")) { self.array(one) } else { one })
            }
            Value::Function(function) if function.node.parameters.is_empty() => {
                let later = evaluator.call(schema, Args::default(), function.node.name_span);
                self.marshmallow(evaluator, &later, outer, choice, site, depth + 1)
            }
            // A class of the registry: one of the module, or of what it imports.
            Value::Str(name) => {
                let outer = outer?;
                let found = match &**name {
                    "self" => Some(Value::Class(outer.clone())),
                    name => evaluator.module_name(outer.scope.module(), last(name)),
                };
                let found = found.filter(|found| matches!(found, Value::Class(_)));
                Some(match found {
                    Some(class) => self
                        .marshmallow(evaluator, &class, Some(outer), choice, site, depth + 1)
                        .unwrap_or_else(|| self.unknown(format!("`{name}` is no schema"), site)),
                    None => self.unknown(format!("schema `{name}` is named as text"), site),
                })
            }
            _ => None,
        }
    }

    fn schema_class<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        choice: &Choice,
        site: Option<Span>,
        depth: u32,
    ) -> ShapeId {
        if depth > MAX_DEPTH {
            return self.unknown("schema nested too deep", site);
        }
        let place = class.name_span();
        let key = format!("marshmallow {} {} {choice:?}", place.file.0, place.start);
        self.declare_once(key, |schemas| schemas.declare_schema(evaluator, class, choice, depth))
    }

    fn declare_schema<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        choice: &Choice,
        depth: u32,
    ) -> Shape {
        let span = Some(class.name_span());
        let mut fields = Fields::default();
        let mut may_lack = false;
        for ancestor in evaluator.ancestry(class).iter().rev() {
            let Value::Class(ancestor) = ancestor else { continue };
            let scope = evaluator.body_scope(ancestor);
            for statement in evaluator.class_statements(ancestor) {
                let (target, value) = match &statement.kind {
                    StmtKind::Assign { targets, value } if targets.len() == 1 => (&targets[0], value),
                    StmtKind::Annotated { target, value: Some(value), .. } => (target, value),
                    StmtKind::Function(method)
                        if method.decorators.iter().any(|decorator| rewrites(decorator, self.side)) =>
                    {
                        if self.side == Side::Output && only_filters(method) {
                            may_lack = true;
                            continue;
                        }
                        let why = format!("`{}` may change what is written or read", method.name);
                        return Shape::unknown(why, Some(method.name_span)).named(class.name());
                    }
                    _ => continue,
                };
                let ExprKind::Name(name) = &target.kind else { continue };
                let value = evaluator.evaluate(value, &scope);
                if is_field(evaluator, &value) {
                    fields.insert(name.clone(), (value, target.span));
                }
            }
        }
        let meta = match evaluator.class_member(class, "Meta") {
            Some(Value::Class(meta)) => Some(meta),
            _ => None,
        };
        let left_out = self.left_out();
        let mut option =
            |name: &str| meta.as_ref().and_then(|meta| evaluator.class_member(meta, name)).and_then(|it| names(&it));
        let (listed, more) = (option("fields"), option("additional").unwrap_or_default());
        let (excluded, load_only) = (option("exclude").unwrap_or_default(), option(left_out).unwrap_or_default());
        let is_listed = listed.is_some();
        for name in listed.iter().flatten().chain(&more) {
            if !fields.contains_key(name) {
                let unknown = Value::Unknown("field that is named and not declared", span);
                fields.insert(name.clone(), (unknown, class.name_span()));
            }
        }
        fields.retain(|name, _| {
            let is_in = listed.as_ref().is_none_or(|listed| listed.contains(name) || more.contains(name));
            is_in && !excluded.contains(name)
        });
        if let Err(why) = rename(evaluator, class, &mut fields) {
            return Shape::unknown(why, span).named(class.name());
        }
        let mut object = self.members(evaluator, fields, Some(class), choice, &load_only, depth);
        if !is_listed && let Some(why) = open(evaluator, class) {
            object.additional = Additional::Of(self.unknown(why, span));
        }
        object.fields.iter_mut().for_each(|field| field.always &= !may_lack);
        Shape::new(Kind::Object(object)).named(class.name()).at(span)
    }

    fn members<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        fields: Fields<'p>,
        class: Option<&ClassRef<'p>>,
        choice: &Choice,
        load_only: &[String],
        depth: u32,
    ) -> Object {
        let mut object = Object { fields: Vec::new(), additional: Additional::Open };
        for (name, (value, span)) in fields {
            let args = arguments(&value);
            if !choice.takes(&name) || load_only.contains(&name) || says(args.named(self.left_out())) {
                continue;
            }
            let old_name = match self.side {
                Side::Output => "dump_to",
                Side::Input => "load_from",
            };
            let wire = args.named("data_key").or_else(|| args.named(old_name)).and_then(Value::as_str);
            let wire = wire.unwrap_or(&name).to_owned();
            let shape = self.field(evaluator, &value, class, &choice.within(&name), span, depth);
            let mut field = models::field(&wire, shape, says(args.named("required")));
            field.always = self.side == Side::Output || field.required;
            field.span = Some(span);
            field.declared = (wire != name).then_some(name);
            object.fields.push(field);
        }
        object
    }
}

/// `@post_dump`, with or without options; `@pre_load` where it is read.
fn rewrites(decorator: &Expr, side: Side) -> bool {
    let hook = match side {
        Side::Output => "post_dump",
        Side::Input => "pre_load",
    };
    let callee = if let ExprKind::Call { callee, .. } = &decorator.kind { callee } else { decorator };
    matches!(&callee.kind, ExprKind::Name(name) | ExprKind::Member { name, .. } if name == hook)
}

/// `return {key: value for key, value in data.items() if …}`: some members may be left out.
fn only_filters(method: &Function) -> bool {
    let is_text = |statement: &&Stmt| matches!(&statement.kind, StmtKind::Expr(value) if matches!(value.kind, ExprKind::Str { .. }));
    let mut rest = method.body.iter().skip_while(is_text);
    let (Some(Stmt { kind: StmtKind::Return(Some(value)), .. }), None) = (rest.next(), rest.next()) else {
        return false;
    };
    let ExprKind::Comprehension(comprehension) = &value.kind else { return false };
    let [clause] = comprehension.clauses.as_slice() else { return false };
    let name = |expr: &Expr| if let ExprKind::Name(name) = &expr.kind { Some(name.clone()) } else { None };
    let ExprKind::Tuple(pair) = &clause.target.kind else { return false };
    let [key, item] = pair.as_slice() else { return false };
    let same = name(key).is_some() && name(key) == name(&comprehension.element);
    let same_item =
        comprehension.value.as_ref().is_some_and(|value| name(value).is_some() && name(value) == name(item));
    let of_data = matches!(&clause.iter.kind, ExprKind::Call { callee, .. }
        if matches!(&callee.kind, ExprKind::Member { object, name: method } if method == "items" && name(object).is_some()));
    same && same_item && of_data
}

fn is_field<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> bool {
    match value {
        Value::Made(made) => is_ours(&made.path) && !made.name().ends_with("Schema") && made.name() != "OneOf",
        Value::Instance(instance) => evaluator
            .external_bases(&instance.class.clone())
            .iter()
            .any(|path| is_ours(path) && path.contains("fields")),
        _ => false,
    }
}

/// What a field is called with.
fn arguments<'p>(value: &Value<'p>) -> Args<'p> {
    match value {
        Value::Made(made) => made.args.clone(),
        Value::Instance(instance) => {
            let named =
                instance.attributes.borrow().iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            Args { named, ..Args::default() }
        }
        _ => Args::default(),
    }
}

/// Why a schema may write more than is declared.
fn open<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<String> {
    if evaluator.unknown_base(class) {
        return Some(format!("a base class of `{}` is not known", class.name()));
    }
    let external = evaluator.external_bases(class);
    let from_model = external.iter().find(|path| {
        matches!(last(path), "SQLAlchemyAutoSchema" | "ModelSchema" | "TableSchema" | "SQLAlchemyModelSchema")
    })?;
    Some(format!("`{}` writes columns that `{from_model}` adds", class.name()))
}

/// What `on_bind_field` makes of names: `field_obj.data_key = camelcase(field_name)`.
fn rename<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    fields: &mut Fields<'p>,
) -> Result<(), &'static str> {
    let Some(Value::Function(hook)) = evaluator.class_member(class, "on_bind_field") else { return Ok(()) };
    for (name, (value, span)) in fields.iter_mut() {
        let mut args = arguments(value);
        let given = args.named("data_key").cloned().unwrap_or(Value::None);
        let entries = vec![(Value::str("data_key"), given)];
        let field = Rc::new(RefCell::new(Dict { entries, record: true, ..Dict::default() }));
        let receiver = Value::Unknown("a schema", Some(*span));
        let positional = vec![receiver, Value::str(name.as_str()), Value::Dict(field.clone())];
        evaluator.call_function_always(&hook, Args { positional, ..Args::default() });
        let key = field.borrow().get_str("data_key").cloned();
        match key {
            Some(Value::None) | None => {}
            Some(key @ Value::Str(_)) => {
                args.set("data_key", key);
                let path = match value {
                    Value::Made(made) => made.path.clone(),
                    _ => return Err("names that `on_bind_field` makes are not known"),
                };
                let made = crate::evaluate::Made { path, receiver: None, args, site: *span };
                *value = Value::Made(Rc::new(made));
            }
            Some(_) => return Err("names that `on_bind_field` makes are not known"),
        }
    }
    Ok(())
}
