//! Classes and interfaces as types: their properties and methods, what they extend, classes that functions make.

use std::rc::Rc;

use super::locals::Locals;
use super::members::widened;
use super::types::{Callable, Env, ObjectType, Prop, Type};
use super::typing::Place;
use super::{Schemas, Side};
use crate::evaluate::{ClassRef, Evaluator, Made, Str, Value, last};
use crate::model::program::{Class, ClassKind, Expr, ExprKind, Function, Property, Stmt, StmtKind};
use crate::text::Span;

impl<'p> Schemas<'p> {
    pub(super) fn class_properties(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Type<'p>],
    ) -> ObjectType<'p> {
        let mut object = ObjectType {
            props: Vec::new(),
            index: None,
            open: None,
            name: Some(Rc::from(class.name())),
            span: Some(class.name_span()),
        };
        for base in self.bases(ev, class, args) {
            let base = self.constructed_base(ev, class, args, base);
            match self.properties(ev, &base) {
                Some(base) => {
                    base.props.iter().for_each(|prop| put(&mut object.props, prop.clone()));
                    object.index = object.index.take().or_else(|| base.index.clone());
                    object.open = object.open.take().or_else(|| base.open.clone());
                }
                None => match self.force(ev, &base) {
                    Type::Unknown(why, place) => object.open = Some((why, place)),
                    Type::External(path, _) if !is_behaviour(&path) => {
                        object.open =
                            Some((Rc::from(format!("base `{path}` is not part of the scanned sources")), None));
                    }
                    _ => {}
                },
            }
        }
        let env = class_env(class, args);
        let this = Type::Class(class.clone(), args.into());
        for property in own_properties(ev, class) {
            if property.is_static || property.is_private || property.name.starts_with("[Symbol.") {
                continue;
            }
            let ty = self.property_type(ev, property, &env, &this);
            if property.name == "[index]" {
                object.index = Some(ty);
                continue;
            }
            if matches!(ty, Type::Function(_)) {
                continue;
            }
            let Some(name) = member_name(ev, &property.name, &env) else {
                object.open = Some((Rc::from("name of a member is computed"), Some(property.name_span)));
                continue;
            };
            let is_class = class.node.kind == ClassKind::Class;
            let decorators = is_class.then(|| (property.decorators.as_slice(), class.clone()));
            put(
                &mut object.props,
                Prop {
                    name,
                    ty,
                    // What is taken begins as what the class makes of it.
                    optional: property.optional || (self.side == Side::Input && property.value.is_some()),
                    loose: false,
                    span: Some(property.name_span),
                    decorators,
                },
            );
        }
        if class.node.kind == ClassKind::Class {
            self.constructed_properties(ev, class, args, &mut object);
        }
        if self.transforms && self.side == Side::Output {
            self.exposed_getters(ev, class, &env, &mut object);
        }
        object
    }

    /// Getters that class-transformer writes out like properties: `@Expose() get name() { … }`.
    pub(super) fn exposed_getters(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        env: &Env<'p>,
        object: &mut ObjectType<'p>,
    ) {
        for statement in ev.class_statements(class) {
            let statement: &'p Stmt = statement;
            let StmtKind::Function(function) = &statement.kind else { continue };
            let exposed = |decorator: &Expr| match &decorator.kind {
                ExprKind::Call { callee, .. } => matches!(&callee.kind, ExprKind::Name(name) if name == "Expose"),
                _ => false,
            };
            if !is_marked(function, "property") || !function.decorators.iter().any(exposed) {
                continue;
            }
            let this = Some(Type::class(class.clone()));
            let getter = Callable::Program { function, env: env.clone(), locals: None, this };
            let getter = Type::Function(Rc::new(getter));
            let ty = self.result_of(ev, &getter, &[], &[], None, function.name_span);
            let decorators = Some((function.decorators.as_slice(), class.clone()));
            let name = Rc::from(function.name.as_str());
            put(
                &mut object.props,
                Prop { name, ty, optional: false, loose: false, span: Some(function.name_span), decorators },
            );
        }
    }

    /// The declared type of a property, else that of its value, in which `this` may be named.
    pub(super) fn property_type(
        &mut self,
        ev: &mut Evaluator<'p>,
        property: &'p Property,
        env: &Env<'p>,
        this: &Type<'p>,
    ) -> Type<'p> {
        match (&property.annotation, &property.value) {
            (Some(annotation), _) if matches!(annotation.kind, ExprKind::FunctionType(_)) => {
                self.written(ev, annotation, env)
            }
            (Some(annotation), _) => Self::lazy(annotation, env),
            (None, Some(value)) => {
                let locals = Some(Rc::new(Locals::of_this(this.clone())));
                let ty = self.type_of(ev, value, &Place { env: env.clone(), locals });
                widened(ty)
            }
            (None, None) => Type::Any,
        }
    }

    /// What a class extends or an interface takes in, with their arguments.
    pub fn bases(&mut self, ev: &mut Evaluator<'p>, class: &ClassRef<'p>, args: &[Type<'p>]) -> Vec<Type<'p>> {
        let env = class_env(class, args);
        let node: &'p Class = class.node;
        let mut bases = Vec::new();
        for expr in ev.class_bases(class) {
            bases.push(if node.kind == ClassKind::Interface {
                Self::lazy(expr, &env)
            } else {
                self.class_base(ev, expr, &env)
            });
        }
        bases
    }

    pub(super) fn class_base(&mut self, ev: &mut Evaluator<'p>, expr: &'p Expr, env: &Env<'p>) -> Type<'p> {
        let (object, index): (&'p Expr, &'p [Expr]) = match &expr.kind {
            ExprKind::Index { object, index } => (object, index),
            _ => (expr, &[]),
        };
        let args: Vec<Type<'p>> = index.iter().map(|arg| Self::lazy(arg, env)).collect();
        let value = ev.evaluate(object, &env.scope);
        match &value {
            Value::Class(class) => {
                let bindings = Self::bind(&class.node.type_parameters, &args, &Env::of(&class.scope));
                Type::Class(class.clone(), bindings.into_iter().map(|(_, bound)| bound).collect())
            }
            other => self.instance_of(ev, other, expr.span),
        }
    }

    /// What an instance of a class value is; classes made by functions (`PartialType(User)`) included
    /// (docs.nestjs.com/openapi/mapped-types).
    pub fn instance_of(&mut self, ev: &mut Evaluator<'p>, value: &Value<'p>, span: Span) -> Type<'p> {
        match value {
            Value::Class(class) => Type::class(class.clone()),
            Value::Made(made) => self.mapped(ev, made, span),
            Value::External(path) => match last(path) {
                "String" => Type::Text,
                "Number" => Type::Number,
                "Boolean" => Type::Boolean,
                "Date" => Type::Date,
                "Object" => Type::Any,
                _ => Type::external(path.clone()),
            },
            Value::List(items) => match items.borrow().first() {
                Some(item) => Type::array(self.instance_of(ev, item, span)),
                None => Type::array(Type::Any),
            },
            Value::Unknown(why, place) => Type::unknown(*why, place.or(Some(span))),
            _ => Type::unknown("class is not known", Some(span)),
        }
    }

    pub(super) fn mapped(&mut self, ev: &mut Evaluator<'p>, made: &Rc<Made<'p>>, span: Span) -> Type<'p> {
        let first = made.args.positional.first().cloned();
        let Some(first) = first else { return Type::unknown("class is not known", Some(span)) };
        let from = self.instance_of(ev, &first, span);
        let names = || -> Option<Vec<String>> {
            let names = made.args.positional.get(1)?.elements()?;
            names.iter().map(|name| name.as_str().map(str::to_owned)).collect()
        };
        match made.name() {
            // Left out for good, whatever decorators of the original say.
            "PartialType" => self.changed(ev, &from, |prop| {
                prop.ty = Type::union(vec![prop.ty.clone(), Type::Undefined]);
                prop.optional = true;
            }),
            "PickType" | "OmitType" => match names() {
                Some(names) => self.select(ev, &from, made.name() == "PickType", &names),
                None => Type::unknown("members that a mapped type selects are not known", Some(span)),
            },
            "IntersectionType" => {
                let parts = made.args.positional.clone();
                Type::All(parts.iter().map(|part| self.instance_of(ev, part, span)).collect())
            }
            // Schemas as classes: `class UserDto extends createZodDto(UserSchema)`.
            name if name.contains("Dto") => match self.shape_of_side(ev, &first, self.side, Some(span)) {
                Some(shape) => Type::Schema(shape),
                None => Type::unknown("class is made by a library", Some(span)),
            },
            _ => Type::unknown("class is made by a library", Some(span)),
        }
    }

    /// A property or method of a class or of what it extends; `None` where there is none.
    pub(super) fn class_member(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Type<'p>],
        name: &str,
    ) -> Option<Type<'p>> {
        if !self.enter() {
            return None;
        }
        let this = Type::Class(class.clone(), args.into());
        let found = self.own_class_member(ev, class, args, name, &this);
        self.leave();
        found
    }

    pub(super) fn own_class_member(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Type<'p>],
        name: &str,
        this: &Type<'p>,
    ) -> Option<Type<'p>> {
        let env = class_env(class, args);
        for statement in ev.class_statements(class) {
            let statement: &'p Stmt = statement;
            match &statement.kind {
                StmtKind::Property(property) if property.name == name && !property.is_static => {
                    let ty = self.property_type(ev, property, &env, this);
                    return Some(if property.optional { Type::union(vec![ty, Type::Undefined]) } else { ty });
                }
                StmtKind::Function(function) if function.name == name && !is_marked(function, "staticmethod") => {
                    let method = Callable::Program { function, env, locals: None, this: Some(this.clone()) };
                    let method = Type::Function(Rc::new(method));
                    if is_marked(function, "property") {
                        return Some(self.result_of(ev, &method, &[], &[], None, function.name_span));
                    }
                    return Some(method);
                }
                _ => {}
            }
        }
        for base in self.bases(ev, class, args) {
            match self.force(ev, &base) {
                Type::Class(base, args) => {
                    // What is inherited is called on the class itself.
                    if !self.enter() {
                        return None;
                    }
                    let found = self.own_class_member(ev, &base, &args, name, this);
                    self.leave();
                    if found.is_some() {
                        return found;
                    }
                }
                other @ Type::External(..) => {
                    let found = self.member(ev, &other, name, None);
                    if !found.is_unknown() {
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        None
    }

    pub(super) fn static_member(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        name: &str,
    ) -> Option<Type<'p>> {
        let env = Env::of(&class.scope);
        for statement in ev.class_statements(class) {
            let statement: &'p Stmt = statement;
            match &statement.kind {
                StmtKind::Property(property) if property.name == name && property.is_static => {
                    let this = Type::Value(Value::Class(class.clone()));
                    return Some(self.property_type(ev, property, &env, &this));
                }
                StmtKind::Function(function) if function.name == name => {
                    let this = Some(Type::Value(Value::Class(class.clone())));
                    let method = Callable::Program { function, env, locals: None, this };
                    return Some(Type::Function(Rc::new(method)));
                }
                _ => {}
            }
        }
        None
    }
}

/// Where names inside a class are looked up, its parameters bound.
pub(super) fn class_env<'p>(class: &ClassRef<'p>, args: &[Type<'p>]) -> Env<'p> {
    let bindings = Schemas::bind(&class.node.type_parameters, args, &Env::of(&class.scope));
    Env::with(&class.scope, bindings)
}

fn own_properties<'p>(ev: &Evaluator<'p>, class: &ClassRef<'p>) -> Vec<&'p Property> {
    let statements = ev.class_statements(class).into_iter();
    statements
        .filter_map(|statement| match &statement.kind {
            StmtKind::Property(property) => Some(&**property),
            _ => None,
        })
        .collect()
}

pub(super) fn put<'p>(props: &mut Vec<Prop<'p>>, prop: Prop<'p>) {
    match props.iter_mut().find(|known| known.name == prop.name) {
        Some(known) => *known = prop,
        None => props.push(prop),
    }
}

/// Bases of libraries that add behaviour and no members to what is sent.
fn is_behaviour(path: &str) -> bool {
    matches!(last(path), "EventEmitter" | "BaseEntity" | "Error" | "Object")
}

fn is_marked(function: &Function, mark: &str) -> bool {
    function.decorators.iter().any(|decorator| matches!(&decorator.kind, ExprKind::Name(name) if name == mark))
}

/// The name of a member as it is written: `name`, `[Color.Red]`, `['name']`. `None` where a computed one is not known.
pub(super) fn member_name<'p>(ev: &mut Evaluator<'p>, written: &str, env: &Env<'p>) -> Option<Str> {
    let Some(computed) = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return Some(Rc::from(written));
    };
    let computed = computed.trim();
    let quoted = computed.strip_prefix(['\'', '"', '`']).and_then(|rest| rest.strip_suffix(['\'', '"', '`']));
    if let Some(quoted) = quoted {
        return Some(Rc::from(quoted));
    }
    let mut parts = computed.split('.').map(str::trim);
    let mut value = ev.module_name(env.scope.module(), parts.next()?)?;
    for part in parts {
        value = ev.member(&value, part, None);
    }
    match value {
        Value::Str(text) => Some(text),
        Value::Int(number) => Some(Rc::from(number.to_string())),
        _ => None,
    }
}
