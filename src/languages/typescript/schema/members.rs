//! Members of types: properties, methods, elements, and what is left of a type once null is gone.

use std::rc::Rc;

use super::Schemas;
use super::types::{Callable, Env, ObjectType, Prop, Type};
use super::typing::Place;
use crate::evaluate::{Declaration, Evaluator, ModuleId, Value, last};
use crate::model::program::{ClassKind, Expr, ExprKind, Modifiers, Stmt, StmtKind};
use crate::model::{Additional, Kind, Literal, ShapeId};
use crate::text::Span;

/// Why a member of a type is not known that does not have one.
const NO_MEMBER: &str = "no such member";

impl<'p> Schemas<'p> {
    /// The members of an object type; `None` where it is no object of known members.
    pub fn properties(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Option<Rc<ObjectType<'p>>> {
        let forced = self.force(ev, ty);
        match &forced {
            Type::Object(object) => return Some(object.clone()),
            Type::Map(value) => {
                return Some(Rc::new(ObjectType {
                    props: Vec::new(),
                    index: Some((**value).clone()),
                    open: None,
                    name: None,
                    span: None,
                }));
            }
            Type::Class(class, _) if class.node.kind == ClassKind::Enum => return None,
            Type::Class(..) | Type::All(_) | Type::Schema(_) | Type::Value(Value::Dict(_)) => {}
            _ => return None,
        }
        let key = self.key_of(&forced);
        if let Some(known) = self.objects.get(&key) {
            return known.clone();
        }
        if !self.enter() {
            return None;
        }
        // A class that leads to itself while its members are listed has none there.
        self.objects.insert(key.clone(), None);
        let touched = ev.touched();
        let object = match &forced {
            Type::Class(class, args) => Some(self.class_properties(ev, class, args)),
            Type::All(parts) => self.joined_properties(ev, parts),
            Type::Schema(id) => self.schema_properties(*id),
            Type::Value(Value::Dict(dict)) => {
                let entries = dict.borrow().entries.clone();
                let open = dict.borrow().open.then(|| (Rc::from("members that are spread in"), None));
                let mut props = Vec::new();
                for (key, value) in entries {
                    let value = ev.projected(value);
                    if let (Some(name), false) = (key.as_str(), value.is_absent()) {
                        let ty = self.of_value_in_world(ev, &value, 0);
                        props.push(Prop {
                            name: Rc::from(name),
                            ty,
                            optional: false,
                            loose: false,
                            span: None,
                            decorators: None,
                        });
                    }
                }
                Some(ObjectType { props, index: None, open, name: None, span: None })
            }
            _ => None,
        };
        self.leave();
        let object = object.map(Rc::new);
        if ev.touched() == touched {
            self.objects.insert(key, object.clone());
        } else {
            self.objects.remove(&key);
        }
        object
    }

    fn joined_properties(&mut self, ev: &mut Evaluator<'p>, parts: &[Type<'p>]) -> Option<ObjectType<'p>> {
        let mut joined = ObjectType { props: Vec::new(), index: None, open: None, name: None, span: None };
        for part in parts {
            match self.properties(ev, part) {
                Some(object) => {
                    for prop in &object.props {
                        match joined.props.iter_mut().find(|known| known.name == prop.name) {
                            Some(known) => {
                                known.optional &= prop.optional;
                                let narrower = matches!(known.ty, Type::Any);
                                if narrower {
                                    known.ty = prop.ty.clone();
                                }
                            }
                            None => joined.props.push(prop.clone()),
                        }
                    }
                    joined.index = joined.index.take().or_else(|| object.index.clone());
                    joined.open = joined.open.take().or_else(|| object.open.clone());
                    joined.span = joined.span.or(object.span);
                }
                None => match self.force(ev, part) {
                    Type::Unknown(why, place) => joined.open = Some((why, place)),
                    Type::Any => joined.open = Some((Rc::from("`any` is part of it"), None)),
                    Type::External(path, _) => {
                        joined.open = Some((Rc::from(format!("`{path}` is not part of the scanned sources")), None));
                    }
                    // `string & { brand }`, a union that is narrowed: no object by itself.
                    _ => return None,
                },
            }
        }
        Some(joined)
    }

    fn schema_properties(&self, id: ShapeId) -> Option<ObjectType<'p>> {
        let view = self.table.view(id);
        let Kind::Object(object) = &view.shape.kind else { return None };
        let props = object.fields.iter().map(|field| Prop {
            name: Rc::from(field.name.as_str()),
            ty: Type::Schema(field.shape),
            optional: !field.required && !field.always,
            loose: false,
            span: field.span.or(view.shape.span),
            decorators: None,
        });
        let index = match object.additional {
            Additional::Of(value) => Some(Type::Schema(value)),
            Additional::Open | Additional::Closed => None,
        };
        let name = view.shape.name.as_deref().map(Rc::from);
        Some(ObjectType { props: props.collect(), index, open: None, name, span: view.shape.span })
    }

    /// `ty.name`
    pub fn member(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, name: &str, site: Option<Span>) -> Type<'p> {
        if !self.enter() {
            return Type::unknown("types nested too deep", site);
        }
        let found = self.member_of(ev, ty, name, site);
        self.leave();
        found
    }

    fn member_of(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, name: &str, site: Option<Span>) -> Type<'p> {
        let forced = self.force(ev, ty);
        match &forced {
            Type::Unknown(..) => forced,
            Type::Any => Type::unknown("member of a value of type `any`", site),
            Type::Union(options) => {
                let mut found = Vec::new();
                // Why it is not known: of an alternative that has it, where one does.
                let mut why: Option<Type<'p>> = None;
                for option in options.iter() {
                    let option = self.force(ev, option);
                    if option.is_nothing() {
                        continue;
                    }
                    match self.member(ev, &option, name, site) {
                        Type::Unknown(reason, _) if &*reason == NO_MEMBER && why.is_some() => {}
                        unknown @ Type::Unknown(..) => why = Some(unknown),
                        known => found.push(known),
                    }
                }
                if found.is_empty() {
                    return why.unwrap_or_else(|| Type::unknown("member of nothing", site));
                }
                Type::union(found)
            }
            Type::Class(class, args) if class.node.kind != ClassKind::Enum => {
                let found = self.class_member(ev, class, args, name);
                if found.is_none() && name == "constructor" {
                    return Type::Value(Value::Class(class.clone()));
                }
                found.unwrap_or_else(|| match self.properties(ev, &forced) {
                    Some(object) => property(&object, name, site),
                    None => Type::unknown(NO_MEMBER, site),
                })
            }
            Type::Array(_) | Type::Tuple(_) | Type::Text if name == "length" => Type::Number,
            Type::Function(_) if name == "name" => Type::Text,
            Type::Value(value) => self.value_member(ev, value, name, site),
            Type::External(path, args) => Self::library_member(path, args, name, site),
            _ => match self.properties(ev, &forced) {
                Some(object) => method_of(&forced, property(&object, name, site)),
                None => Type::unknown("member of what is no object", site),
            },
        }
    }

    fn value_member(&mut self, ev: &mut Evaluator<'p>, value: &Value<'p>, name: &str, site: Option<Span>) -> Type<'p> {
        match value {
            Value::Module(module) => match ev.declaration(*module, name) {
                Some(declared) => self.of_declaration(ev, &declared, name, site),
                None => match ev.module_name(*module, name) {
                    Some(value) => self.of_value(&value),
                    None => Type::unknown("name is not defined in its module", site),
                },
            },
            Value::Class(class) if class.node.kind != ClassKind::Enum => {
                for ancestor in ev.ancestry(class).iter() {
                    let Value::Class(ancestor) = ancestor else { continue };
                    if let Some(found) = self.static_member(ev, ancestor, name) {
                        return found;
                    }
                }
                if name == "name" { Type::Text } else { Type::unknown("no such static member", site) }
            }
            Value::External(path) => {
                let member = Value::external(format!("{path}.{name}"));
                self.of_value(&member)
            }
            _ => {
                let member = ev.member(value, name, site);
                self.of_value(&member)
            }
        }
    }

    /// The static type of a value that is known.
    pub fn of_value(&mut self, value: &Value<'p>) -> Type<'p> {
        match value {
            Value::Unknown(why, place) => Type::unknown(*why, *place),
            Value::None => Type::Null,
            Value::Bool(_) => Type::Boolean,
            Value::Int(_) | Value::Float(_) => Type::Number,
            Value::Str(text) => Type::Literal(Literal::String(text.to_string())),
            Value::Pattern(_) => Type::Text,
            Value::List(items) => {
                let items = items.borrow().clone();
                if items.len() > 200 {
                    return Type::unknown("array of too many values", None);
                }
                let items = items.iter().map(|item| widened(self.of_value(item))).collect();
                Type::array(Type::union(items))
            }
            Value::Instance(instance) => Type::class(instance.class.clone()),
            Value::Function(function) | Value::Bound(_, function) => {
                let callable = self.callable_of(function);
                Type::Function(Rc::new(callable))
            }
            Value::External(path) if &**path == "javascript.undefined" => Type::Undefined,
            Value::External(path) if super::values::is_never(path) => Type::Never,
            Value::External(path) if super::values::generated(path).is_some() => {
                let member = super::values::generated(path).unwrap_or_default();
                Type::Literal(Literal::String(member.to_owned()))
            }
            Value::Class(_) | Value::Dict(_) | Value::Made(_) | Value::Module(_) | Value::External(_) => {
                Type::Value(value.clone())
            }
            other => Type::unknown(other.describe(), None),
        }
    }

    /// The type of a name where it is declared.
    pub fn of_declaration(
        &mut self,
        ev: &mut Evaluator<'p>,
        declared: &Declaration<'p>,
        name: &str,
        site: Option<Span>,
    ) -> Type<'p> {
        match declared {
            Declaration::External(path) => Type::Value(Value::External(path.clone())),
            Declaration::Module(module) => Type::Value(Value::Module(*module)),
            Declaration::Statement(module, statement) => self.of_statement(ev, *module, statement, name, site),
        }
    }

    fn of_statement(
        &mut self,
        ev: &mut Evaluator<'p>,
        module: ModuleId,
        statement: &'p Stmt,
        name: &str,
        site: Option<Span>,
    ) -> Type<'p> {
        let env = Env::of(&ev.module_scope(module));
        match &statement.kind {
            StmtKind::Annotated { annotation, .. } => Self::lazy(annotation, &env),
            StmtKind::Function(function) => {
                Type::Function(Rc::new(Callable::Program { function, env, locals: None, this: None }))
            }
            StmtKind::Assign { value, .. } => {
                if !matches!(value.kind, ExprKind::Lambda(_) | ExprKind::Cast { .. })
                    && let Some(chosen) = self.of_chosen_in_module(ev, module, name)
                {
                    return chosen;
                }
                // Schemas, records and instances are known better by their value than by the expression that makes it.
                let known = match &value.kind {
                    ExprKind::Lambda(_) | ExprKind::Cast { .. } => None,
                    _ => ev.module_name(module, name),
                };
                if let Some(known @ (Value::Made(_) | Value::Class(_))) = &known
                    && (matches!(known, Value::Class(_)) || self.is_schema(ev, known))
                {
                    return Type::Value(known.clone());
                }
                let key = std::ptr::from_ref::<Expr>(value);
                if let Some(ty) = self.module_values.get(&key) {
                    return ty.clone();
                }
                self.module_values.insert(key, Type::unknown("defined in terms of itself", site));
                let touched = ev.touched();
                let mut ty = self.type_of(ev, value, &Place { env, locals: None });
                if ty.is_unknown()
                    && let Some(known) = &known
                    && !known.is_unknown()
                {
                    ty = self.of_value(known);
                }
                let scope = ev.module_scope(module);
                ty = self.one_chosen_of(ev, ty, name, known.as_ref(), &scope);
                if ev.touched() == touched {
                    self.module_values.insert(key, ty.clone());
                } else {
                    self.module_values.remove(&key);
                }
                ty
            }
            _ => match ev.module_name(module, name) {
                Some(value) => {
                    let scope = ev.module_scope(module);
                    let chosen = self.of_chosen(ev, name, &value, &scope);
                    chosen.unwrap_or_else(|| self.of_value(&value))
                }
                None => Type::unknown("name is declared in a way that is not followed", site),
            },
        }
    }

    /// Whether a value is a schema of a validation library.
    pub fn is_schema(&mut self, ev: &mut Evaluator<'p>, value: &Value<'p>) -> bool {
        matches!(value, Value::Made(_)) && self.shape_of_schema(ev, value, None).is_some()
    }

    /// The type of the elements of an array; unknown where it is none.
    pub fn element(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, site: Span) -> Type<'p> {
        self.items(ev, ty).unwrap_or_else(|| match self.force(ev, ty) {
            unknown @ Type::Unknown(..) => unknown,
            _ => Type::unknown("element of what is no array", Some(site)),
        })
    }

    /// The type of the elements of an array; `None` where it is none.
    pub fn items(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Option<Type<'p>> {
        match self.force(ev, ty) {
            Type::Array(items) => Some((*items).clone()),
            Type::Tuple(items) => Some(Type::union(items.to_vec())),
            Type::Schema(id) => match &self.table.view(id).shape.kind {
                Kind::Array { items: Some(items), .. } => Some(Type::Schema(*items)),
                _ => None,
            },
            Type::External(path, args) if last(&path) == "Set" => args.first().cloned(),
            Type::Union(options) => {
                let mut found = Vec::new();
                for option in options.iter() {
                    let option = self.force(ev, option);
                    if !option.is_nothing() {
                        found.push(self.items(ev, &option)?);
                    }
                }
                (!found.is_empty()).then(|| Type::union(found))
            }
            Type::All(parts) => parts.iter().find_map(|part| self.items(ev, part)),
            Type::Value(value @ Value::List(_)) => {
                let ty = self.of_value(&value);
                self.items(ev, &ty)
            }
            _ => None,
        }
    }

    /// The type without null and undefined.
    pub fn non_null(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Type<'p> {
        match self.force(ev, ty) {
            Type::Union(options) => {
                let mut kept = Vec::new();
                for option in options.iter() {
                    let forced = self.force(ev, option);
                    if !forced.is_nothing() {
                        kept.push(if matches!(forced, Type::Union(_)) {
                            self.non_null(ev, &forced)
                        } else {
                            option.clone()
                        });
                    }
                }
                Type::union(kept)
            }
            nothing if nothing.is_nothing() => Type::Never,
            Type::Schema(id) if self.table.get(id).nullable => {
                let shape = self.table.get(id).clone().nullable(false);
                Type::Schema(self.table.add(shape))
            }
            other => other,
        }
    }

    /// What `await` gives.
    pub fn awaited(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Type<'p> {
        match self.force(ev, ty) {
            Type::Promise(inner) => self.awaited(ev, &inner.clone()),
            Type::Union(options) => {
                let options = options.iter().map(|option| self.awaited(ev, option)).collect();
                Type::union(options)
            }
            other => other,
        }
    }
}

fn property<'p>(object: &ObjectType<'p>, name: &str, site: Option<Span>) -> Type<'p> {
    match object.props.iter().find(|prop| &*prop.name == name) {
        Some(prop) if prop.optional && !prop.loose => Type::union(vec![prop.ty.clone(), Type::Undefined]),
        Some(prop) => prop.ty.clone(),
        None => match (&object.index, &object.open) {
            (Some(index), _) => index.clone(),
            (None, Some((why, place))) => Type::Unknown(why.clone(), *place),
            (None, None) => Type::unknown(NO_MEMBER, site),
        },
    }
}

/// A method of an object literal knows the object that it is asked for of.
fn method_of<'p>(object: &Type<'p>, member: Type<'p>) -> Type<'p> {
    match &member {
        Type::Function(callable) => match &**callable {
            Callable::Program { function, env, locals, this: None } if function.modifiers.has(Modifiers::OWN_THIS) => {
                let (env, locals) = (env.clone(), locals.clone());
                Type::Function(Rc::new(Callable::Program { function, env, locals, this: Some(object.clone()) }))
            }
            _ => member,
        },
        _ => member,
    }
}

/// A literal as the type that a variable of it has.
pub(super) fn widened(ty: Type<'_>) -> Type<'_> {
    match ty {
        Type::Literal(Literal::String(_)) => Type::Text,
        Type::Literal(Literal::Number(_)) => Type::Number,
        Type::Literal(Literal::Boolean(_)) => Type::Boolean,
        other => other,
    }
}
