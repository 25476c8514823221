//! Serializers of Django REST framework as shapes: declared fields, fields of models, what a class does to them.
//! Follows `rest_framework.serializers` (docs: "Serializers", "Serializer fields", "Serializer relations").

mod calls;
mod declared;
mod edits;
mod extensions;
mod fields;
mod hooks;
mod names;
mod tables;

use indexmap::IndexMap;

use super::Schemas;
use super::generics::key_of;
use crate::evaluate::{ClassRef, Dict, Evaluator, Value, last};
use crate::languages::Side;
use crate::languages::python::django::{is_serializer, is_serializer_path, lacks};
use crate::model::program::{ExprKind, StmtKind};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;
pub use hooks::lists_otherwise;
pub use names::has_underscores;

use edits::Edit;
use fields::Member;
use tables::{Table, table};

/// What a serializer is made of, as far as its fields ask for it.
pub(super) struct Owner<'p> {
    class: Option<ClassRef<'p>>,
    model: Option<Value<'p>>,
}

/// What `Meta` says.
struct Meta<'p> {
    model: Value<'p>,
    /// The names of `fields`; `None` for all.
    names: Option<Vec<String>>,
    exclude: Vec<String>,
    /// Why names are not known.
    unclear: Option<&'static str>,
    extra: Dict<'p>,
    /// Names of `read_only_fields`.
    read_only: Vec<String>,
    depth: i64,
}

impl Schemas {
    /// The shape of what a serializer writes for one object.
    pub fn serializer<'p>(&mut self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> ShapeId {
        let place = class.name_span();
        let mut key = format!("serializer {}:{} ", place.file.0, place.start);
        key_of(&Value::Class(class.clone()), &mut key);
        if let Some(id) = self.known_shape(evaluator, &key) {
            return id;
        }
        if self.depth > super::MAX_DEPTH || self.table.len() > super::MAX_SHAPES || evaluator.is_exhausted() {
            return self.unknown("serializers nested too deep", Some(class.name_span()));
        }
        let id = self.table.reserve();
        self.depth += 1;
        let shape = self
            .declare_in_world(evaluator, (key, id), |schemas, evaluator| schemas.serializer_shape(evaluator, class));
        self.depth -= 1;
        let shape = match shape.kind {
            Kind::Ref(target) if target == id => Shape::unknown("serializer of itself", Some(class.name_span())),
            _ => shape,
        };
        self.table.set(id, shape);
        id
    }

    /// The shape of what a serializer takes for one object.
    pub fn taken_serializer<'p>(&mut self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> ShapeId {
        self.taking(|schemas| schemas.serializer(evaluator, class))
    }

    /// The shape of what is taken where something is declared for the documentation.
    pub fn taken_declared<'p>(&mut self, evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Span) -> ShapeId {
        self.taking(|schemas| schemas.declared_shape(evaluator, value, site))
    }

    fn serializer_shape<'p>(&mut self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Shape {
        let span = Some(class.name_span());
        if let Some(declared) = self.declared_by_decorator(evaluator, class) {
            return Shape::new(Kind::Ref(declared)).at(span);
        }
        let external = evaluator.external_bases(class);
        if external.iter().any(|path| last(path) == "ListSerializer") {
            let items = match evaluator.class_member(class, "child") {
                Some(child) => self.declared_shape(evaluator, &child, class.name_span()),
                None => self.unknown("items of a list serializer are not known", span),
            };
            return Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) }).at(span);
        }
        if let Some(base) = hooks::foreign_base(evaluator, class) {
            return Shape::unknown(format!("`{base}` is not part of the scanned sources"), span);
        }
        let Some(changes) = edits::of_class(evaluator, class, self.side) else {
            return Shape::unknown(format!("`{}` handles its objects in a way of its own", class.name()), span);
        };
        let is_model = external.iter().any(|path| last(path).ends_with("ModelSerializer"));
        let mut open =
            evaluator.unknown_base(class).then(|| format!("a base class of `{}` is not known", class.name()));
        open = open.or_else(|| hooks::naming(evaluator, class));
        let mut members: IndexMap<String, Member> = IndexMap::new();
        let declared = declared_fields(evaluator, class);
        if is_model {
            match Self::meta(evaluator, class) {
                Some(meta) => {
                    if let Some(why) = self.model_members(evaluator, class, &declared, &meta, &mut members) {
                        open.get_or_insert(why);
                    }
                }
                None => return Shape::unknown(format!("model of `{}` is not known", class.name()), span),
            }
        } else {
            let owner = Owner { class: Some(class.clone()), model: None };
            for (name, value) in &declared {
                if let Some(member) = self.member(evaluator, &owner, name, value) {
                    members.insert(name.clone(), member);
                }
            }
        }
        let owner = Owner { class: Some(class.clone()), model: None };
        for change in changes {
            match change {
                Edit::Add(name, value) => {
                    if let Some(member) = self.member(evaluator, &owner, &name, &value) {
                        members.insert(name, member);
                    }
                }
                Edit::Write(name, span) => {
                    let shape = self.unknown("what is written by hand is not followed", Some(span));
                    members.insert(name, Member { shape, required: false, span: Some(span) });
                }
                Edit::Remove(name) => {
                    members.shift_remove(&name);
                }
                Edit::Unclear(why) => {
                    open.get_or_insert(why.to_owned());
                }
                Edit::Loosen(name) => {
                    let is_meant = |known: &str| name.as_deref().is_none_or(|name| name == known);
                    members
                        .iter_mut()
                        .filter(|(known, _)| self.side == Side::Input && is_meant(known))
                        .for_each(|(_, member)| member.required = false);
                }
                Edit::Rewrite(span) => {
                    for member in members.values_mut() {
                        member.shape =
                            self.unknown("what is written is changed in a way that is not followed", Some(span));
                    }
                }
            }
        }
        // What is not known to be a field is not known to be required.
        if open.is_some() && self.side == Side::Input {
            members.values_mut().for_each(|member| member.required = false);
        }
        self.object_of(members, open, class.name_span()).named(class.name()).at(span)
    }

    /// What a serializer writes that is made with `many=…`; one or several where that is not known.
    pub fn one_or_many(&mut self, one: ShapeId, many: Option<&Value>) -> ShapeId {
        match many {
            None | Some(Value::None | Value::Bool(false)) => one,
            Some(Value::Bool(true)) => self.array(one),
            Some(_) => {
                let several = self.array(one);
                self.table.add(Shape::new(Kind::Either(vec![one, several])))
            }
        }
    }

    /// The same of a class, which may write several objects in a way of its own.
    pub fn one_or_many_of<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        one: ShapeId,
        many: Option<&Value>,
    ) -> ShapeId {
        let is_one = matches!(many, None | Some(Value::None | Value::Bool(false)));
        if !is_one && self.side == Side::Output && hooks::lists_otherwise(evaluator, class) {
            return self.unknown("a list of objects is written in a way of its own", Some(class.name_span()));
        }
        self.one_or_many(one, many)
    }

    fn object_of(&mut self, members: IndexMap<String, Member>, open: Option<String>, site: crate::text::Span) -> Shape {
        let fields = members.into_iter().map(|(name, member)| Field {
            name,
            shape: member.shape,
            required: member.required,
            always: self.side == Side::Output || member.required,
            span: member.span.or(Some(site)),
            declared: None,
        });
        let fields: Vec<Field> = fields.collect();
        let additional = match open {
            Some(why) => Additional::Of(self.unknown(why, Some(site))),
            None => Additional::Open,
        };
        Shape::new(Kind::Object(Object { fields, additional }))
    }

    fn meta<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Meta<'p>> {
        let Some(Value::Class(meta)) = evaluator.class_member(class, "Meta") else { return None };
        let model = evaluator.class_member(&meta, "model")?;
        let model = match model {
            Value::Str(label) => crate::languages::python::django::model_named(evaluator, &label, None)?,
            other => other,
        };
        let mut unclear = None;
        let mut texts = |value: &Value<'p>| -> Vec<String> {
            let items = match value {
                Value::Str(text) => vec![Value::Str(text.clone())],
                other => other.elements().unwrap_or_else(|| {
                    unclear = Some("names of the fields of a serializer are not known");
                    Vec::new()
                }),
            };
            if items.iter().any(|item| item.as_str().is_none()) {
                unclear = Some("names of the fields of a serializer are not known");
            }
            items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let names = match evaluator.class_member(&meta, "fields") {
            Some(Value::Str(all)) if &*all == "__all__" => None,
            Some(Value::External(path)) if last(&path) == "ALL_FIELDS" => None,
            Some(Value::None) | None => None,
            Some(value) => Some(texts(&value)),
        };
        let exclude = match evaluator.class_member(&meta, "exclude") {
            Some(Value::None) | None => Vec::new(),
            Some(value) => texts(&value),
        };
        let extra = match evaluator.class_member(&meta, "extra_kwargs") {
            Some(Value::Dict(extra)) => extra.borrow().clone(),
            _ => Dict::default(),
        };
        let read_only = match evaluator.class_member(&meta, "read_only_fields") {
            Some(Value::None) | None => Vec::new(),
            Some(value) => texts(&value),
        };
        let depth = match evaluator.class_member(&meta, "depth") {
            Some(Value::Int(depth)) => depth.clamp(0, 10),
            _ => 0,
        };
        Some(Meta { model, names, exclude, unclear, extra, read_only, depth })
    }

    /// The members of a serializer of a model; why there may be more.
    fn model_members<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        declared: &IndexMap<String, Value<'p>>,
        meta: &Meta<'p>,
        members: &mut IndexMap<String, Member>,
    ) -> Option<String> {
        let table = table(evaluator, &meta.model);
        let mut open = meta.unclear.map(str::to_owned);
        let owner = Owner { class: Some(class.clone()), model: Some(meta.model.clone()) };
        let built = hooks::Built::of_class(evaluator, class);
        let names: Vec<String> = match &meta.names {
            Some(names) if meta.unclear.is_some() => {
                declared.keys().chain(names.iter().filter(|name| !declared.contains_key(*name))).cloned().collect()
            }
            Some(names) => names.clone(),
            None => {
                open = open.or_else(|| table.open.clone());
                let mut names = default_names(&table, declared);
                let external = evaluator.external_bases(class);
                if external.iter().any(|path| last(path).contains("Hyperlinked")) {
                    let key = tables::key_name(&table);
                    names.iter_mut().filter(|name| **name == key).for_each(|name| "url".clone_into(name));
                }
                names
            }
        };
        for name in names.iter().filter(|name| !meta.exclude.contains(name)) {
            if let Some(value) = declared.get(name) {
                if let Some(member) = self.member(evaluator, &owner, name, value) {
                    members.insert(name.clone(), member);
                }
                continue;
            }
            let extra = match meta.extra.get_str(name) {
                Some(Value::Dict(extra)) => extra.borrow().clone(),
                _ => Dict::default(),
            };
            let says = |word: &str| matches!(extra.get_str(word), Some(Value::Bool(true)));
            let is_left_out = match self.side {
                Side::Output => says("write_only"),
                Side::Input => says("read_only") || meta.read_only.contains(name),
            };
            if is_left_out {
                continue;
            }
            if let Some(mut member) = self.model_member(evaluator, class, meta, &table, name, &extra) {
                if built.has(table.columns.get(name)) {
                    let why = "a field is built in a way of the program's own";
                    member.shape = self.unknown(why, Some(class.name_span()));
                    member.required &= self.side == Side::Output;
                }
                members.insert(name.clone(), member);
            }
        }
        open
    }

    fn model_member<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        meta: &Meta<'p>,
        table: &Table<'p>,
        name: &str,
        extra: &Dict<'p>,
    ) -> Option<Member> {
        let is_taken = self.side == Side::Input;
        let site = class.name_span();
        let span = table.columns.get(name).map(|column| column.call.site);
        let external = evaluator.external_bases(class);
        let hyperlinked = external.iter().any(|path| last(path).contains("Hyperlinked"));
        if name == "url" && !table.columns.contains_key(name) {
            return (!is_taken).then(|| Member { shape: self.uri(), required: true, span });
        }
        let source = extra.get_str("source").and_then(Value::as_str).unwrap_or(name).to_owned();
        let says = |word: &str, what: bool| matches!(extra.get_str(word), Some(Value::Bool(said)) if *said == what);
        let is_relation = table.columns.get(&source).is_some_and(tables::Column::is_relation);
        if source != name && !(is_relation && hyperlinked) {
            let shape = self.at_source(evaluator, Some(&meta.model), &source, site);
            let required = !is_taken || says("required", true);
            return Some(Member { shape, required, span });
        }
        if let Some(column) = table.columns.get(&source).filter(|column| column.is_relation()) {
            let column = column.clone();
            let nullable = matches!(column.call.named("null"), Some(Value::Bool(true))) && !column.is_many();
            // What `depth` nests is only read.
            if is_taken && meta.depth > 0 {
                return None;
            }
            let inner = if meta.depth > 0 {
                let shape = match tables::related(evaluator, &column) {
                    Some(model) => self.nested_model(evaluator, &model, meta.depth - 1),
                    None => self.unknown("model of a relation is not known", Some(column.call.site)),
                };
                Some(shape)
            } else if hyperlinked {
                Some(self.uri())
            } else {
                None
            };
            if let Some(inner) = inner {
                let shape = if column.is_many() { self.array(inner) } else { inner };
                return Some(Member { shape: self.or_null(shape, nullable), required: true, span });
            }
        }
        // The framework refuses to build a field for a name that is nowhere: no answer holds it.
        if table.open.is_none() && !table.columns.contains_key(name) && lacks(evaluator, &meta.model, name) {
            return None;
        }
        let cell = self.cell(evaluator, &meta.model, table, name, site);
        if is_taken && cell.read_only {
            return None;
        }
        let shape = self.or_null(cell.shape, says("allow_null", true));
        let required = cell.read_only
            || says("read_only", true)
            || says("required", true)
            || (cell.required && !says("required", false) && extra.get_str("default").is_none());
        Some(Member { shape, required, span })
    }

    /// What `depth` makes of a related model: all of its fields.
    fn nested_model<'p>(&mut self, evaluator: &mut Evaluator<'p>, model: &Value<'p>, depth: i64) -> ShapeId {
        let mut key = format!("nested {depth} ");
        key_of(model, &mut key);
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let id = self.table.reserve();
        self.known.insert(key, id);
        let table = table(evaluator, model);
        let site = match model {
            Value::Class(class) => class.name_span(),
            _ => crate::text::Span { file: crate::text::FileId(0), start: 0, end: 0 },
        };
        let mut members = IndexMap::new();
        for name in default_names(&table, &IndexMap::new()) {
            let column = table.columns.get(&name).filter(|column| column.is_relation() && depth > 0).cloned();
            let shape = match column.and_then(|column| Some((tables::related(evaluator, &column)?, column))) {
                Some((related, column)) => {
                    let shape = self.nested_model(evaluator, &related, depth - 1);
                    let shape = if column.is_many() { self.array(shape) } else { shape };
                    let nullable = matches!(column.call.named("null"), Some(Value::Bool(true)));
                    self.or_null(shape, nullable && !column.is_many())
                }
                None => self.cell(evaluator, model, &table, &name, site).shape,
            };
            members.insert(name, Member { shape, required: true, span: None });
        }
        let shape = self.object_of(members, table.open, site);
        self.table.set(id, shape.at(Some(site)));
        id
    }

    pub(super) fn uri(&mut self) -> ShapeId {
        let mut shape = Shape::new(Kind::String);
        shape.format = Some("uri".to_owned());
        self.table.add(shape)
    }

    /// The same shape with null.
    pub(super) fn or_null(&mut self, shape: ShapeId, nullable: bool) -> ShapeId {
        if !nullable {
            return shape;
        }
        let known = self.table.get(shape);
        let with_null = match &known.kind {
            Kind::Object(_) | Kind::Ref(_) | Kind::Union(_) | Kind::Unknown(_) => Shape::new(Kind::Ref(shape)),
            _ => known.clone(),
        };
        self.table.add(with_null.nullable(true))
    }
}

/// The names that `ModelSerializer.get_default_field_names` gives.
fn default_names<'p>(table: &Table<'p>, declared: &IndexMap<String, Value<'p>>) -> Vec<String> {
    let key = tables::key_name(table);
    let mut names = vec![key.clone()];
    names.extend(declared.keys().cloned());
    for relations in [false, true] {
        let columns = table.columns.iter().filter(|(_, column)| column.is_relation() == relations);
        names.extend(columns.map(|(name, _)| name.clone()).filter(|name| *name != key));
    }
    let mut seen = rustc_hash::FxHashSet::default();
    names.retain(|name| seen.insert(name.clone()));
    names
}

/// Fields that the class and the serializers it comes from declare, in order.
fn declared_fields<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> IndexMap<String, Value<'p>> {
    let mut declared: IndexMap<String, Value<'p>> = IndexMap::new();
    for ancestor in evaluator.ancestry(class).iter().rev() {
        let Value::Class(ancestor) = ancestor else { continue };
        // A class beside the serializers gives them methods, and no fields.
        if !is_serializer(evaluator, ancestor) {
            continue;
        }
        for statement in evaluator.class_statements(ancestor) {
            let target = match &statement.kind {
                StmtKind::Assign { targets, .. } => targets.first(),
                StmtKind::Annotated { target, value: Some(_), .. } => Some(target),
                _ => continue,
            };
            let Some(ExprKind::Name(name)) = target.map(|target| &target.kind) else { continue };
            let Some(value) = evaluator.own_member(ancestor, name) else { continue };
            let may_be = match &value {
                Value::Instance(instance) => evaluator.unknown_base(&instance.class),
                _ => false,
            };
            if may_be || fields::is_field_value(evaluator, &value) {
                declared.insert(name.clone(), value);
            } else if matches!(value, Value::None) || declared.contains_key(name) {
                declared.shift_remove(name);
            } else if value.is_unknown() && name != "Meta" && !name.starts_with('_') && !name.ends_with("_class") {
                // Whatever makes it, it may be a field.
                declared.insert(name.clone(), value);
            }
        }
    }
    declared
}

/// Whether a value is a serializer: a class or an instance of one.
pub fn serializer_class<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<ClassRef<'p>> {
    let class = match value {
        Value::Class(class) => class.clone(),
        Value::Instance(instance) => instance.class.clone(),
        _ => return None,
    };
    is_serializer(evaluator, &class).then_some(class)
}

/// Whether a value is a serializer of a library.
fn is_library_serializer(value: &Value) -> bool {
    match value {
        Value::External(path) => is_serializer_path(path),
        Value::Made(made) => made.receiver.is_none() && is_serializer_path(&made.path),
        _ => false,
    }
}
