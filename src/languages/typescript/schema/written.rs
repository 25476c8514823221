//! Types as they are written: names, generics, utility types, members of other types
//! (typescriptlang.org/docs/handbook/utility-types.html).

use std::rc::Rc;

use super::classes::member_name;
use super::types::{Callable, Env, ObjectType, Prop, Type, Written};
use super::typing::Place;
use super::{Schemas, Side};
use crate::evaluate::{Alias, Evaluator, Value, last};
use crate::model::Literal;
use crate::model::program::{BinaryOp, ClassKind, Expr, ExprKind, Property, TypeParameter};

/// Types that promise one value of what they hold.
const PROMISES: &[&str] = &["Promise", "PromiseLike", "Observable", "Awaited", "Awaitable", "MaybePromise"];
const LISTS: &[&str] = &["Array", "ReadonlyArray", "Iterable", "AsyncIterable", "IterableIterator", "Generator"];

impl<'p> Schemas<'p> {
    /// A written type, to be read when it is asked for.
    pub fn lazy(expr: &'p Expr, env: &Env<'p>) -> Type<'p> {
        Type::Written(Rc::new(Written { expr, env: env.clone(), name: None }))
    }

    /// What a type is once its name and everything that stands for it is followed: never [`Type::Written`].
    pub fn force(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Type<'p> {
        let mut ty = ty.clone();
        for _ in 0..40 {
            if let Type::Schema(id) = ty {
                return self.opened(id);
            }
            let Type::Written(written) = &ty else { return ty };
            let written = written.clone();
            if !self.enter() {
                return self.too_deep(written.expr.span);
            }
            ty = self.written(ev, written.expr, &written.env);
            self.leave();
            if let (Some(name), Type::Object(object)) = (written.name, &ty)
                && object.name.is_none()
            {
                ty = Type::Object(Rc::new(ObjectType {
                    props: object.props.clone(),
                    index: object.index.clone(),
                    open: object.open.clone(),
                    name: Some(Rc::from(name)),
                    span: object.span,
                }));
            }
        }
        Type::unknown("type is declared in terms of itself", None)
    }

    /// One step: the type that an expression stands for.
    pub fn written(&mut self, ev: &mut Evaluator<'p>, expr: &'p Expr, env: &Env<'p>) -> Type<'p> {
        match &expr.kind {
            ExprKind::Name(name) => self.named(ev, name, &[], expr, env),
            ExprKind::Member { .. } => match ev.look_type_path(expr, &env.scope) {
                Some(value) => self.reference(ev, &value, &[], expr, env),
                None => Type::unknown("type is not defined in the program", Some(expr.span)),
            },
            ExprKind::Index { object, index } => self.applied(ev, object, index, expr, env),
            ExprKind::Str { text, .. } => Type::Literal(Literal::String(text.clone())),
            ExprKind::Int(value) => Type::Literal(Literal::Number(value.to_string())),
            ExprKind::Float(value) => Type::Literal(Literal::Number(value.to_string())),
            ExprKind::Bool(value) => Type::Literal(Literal::Boolean(*value)),
            ExprKind::None => Type::Null,
            ExprKind::Negate(_) => Type::Number,
            ExprKind::Template(_) => Type::Text,
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } => {
                let options = vec![self.branch(ev, left, env), self.branch(ev, right, env)];
                Type::union(options)
            }
            ExprKind::Binary { op: BinaryOp::BitAnd, left, right } => {
                let parts = [Self::lazy(left, env), Self::lazy(right, env)];
                Type::All(Rc::new(parts))
            }
            ExprKind::Tuple(items) => {
                let items = items.iter().map(|item| match &item.kind {
                    ExprKind::Spread(inner) => Self::lazy(inner, env),
                    _ => Self::lazy(item, env),
                });
                Type::Tuple(items.collect())
            }
            ExprKind::ObjectType(members) => Self::object_type(ev, members, expr, env),
            ExprKind::FunctionType(signature) => {
                Type::Function(Rc::new(Callable::Signature { signature, env: env.clone() }))
            }
            ExprKind::TypeOf(value) => {
                let place = Place { env: env.clone(), locals: None };
                self.type_of(ev, value, &place)
            }
            ExprKind::Spread(inner) => self.written(ev, inner, env),
            ExprKind::Other("template literal type") => Type::Text,
            ExprKind::Other(what) => Type::unknown(*what, Some(expr.span)),
            _ => Type::unknown("type that is not followed", Some(expr.span)),
        }
    }

    /// A side of a union: unions within are opened, so that `null` and literals are seen; the rest stays as written.
    fn branch(&mut self, ev: &mut Evaluator<'p>, expr: &'p Expr, env: &Env<'p>) -> Type<'p> {
        match &expr.kind {
            ExprKind::Binary { op: BinaryOp::BitOr, .. } => {
                if !self.enter() {
                    return self.too_deep(expr.span);
                }
                let ty = self.written(ev, expr, env);
                self.leave();
                ty
            }
            ExprKind::Str { .. } | ExprKind::None | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Name(_) => {
                if let ExprKind::Name(name) = &expr.kind
                    && !matches!(
                        name.as_str(),
                        "undefined" | "void" | "never" | "null" | "string" | "number" | "boolean" | "any" | "unknown"
                    )
                {
                    return Self::lazy(expr, env);
                }
                self.written(ev, expr, env)
            }
            _ => Self::lazy(expr, env),
        }
    }

    fn object_type(ev: &mut Evaluator<'p>, members: &'p [Property], expr: &'p Expr, env: &Env<'p>) -> Type<'p> {
        let mut object = ObjectType { props: Vec::new(), index: None, open: None, name: None, span: Some(expr.span) };
        for member in members {
            let Some(annotation) = &member.annotation else { continue };
            if member.name == "[index]" {
                object.index = Some(Self::lazy(annotation, env));
                continue;
            }
            let Some(name) = member_name(ev, &member.name, env) else {
                object.open = Some((Rc::from("name of a member is computed"), Some(member.name_span)));
                continue;
            };
            object.props.push(Prop {
                name,
                ty: Self::lazy(annotation, env),
                optional: member.optional,
                loose: false,
                span: Some(member.name_span),
                decorators: None,
            });
        }
        if object.props.is_empty()
            && let Some(index) = object.index.take()
        {
            return Type::Map(Rc::new(index));
        }
        Type::Object(Rc::new(object))
    }

    /// `Name`, `Name<args>`
    fn named(
        &mut self,
        ev: &mut Evaluator<'p>,
        name: &'p str,
        args: &[Type<'p>],
        expr: &'p Expr,
        env: &Env<'p>,
    ) -> Type<'p> {
        if let Some(bound) = env.bound(name) {
            return bound.clone();
        }
        match name {
            "string" => return Type::Text,
            "number" => return Type::Number,
            "boolean" => return Type::Boolean,
            "any" | "unknown" | "object" => return Type::Any,
            "never" => return Type::Never,
            "void" | "undefined" => return Type::Undefined,
            "null" => return Type::Null,
            _ => {}
        }
        match ev.look_type(name, &env.scope) {
            Some(value) => self.reference(ev, &value, args, expr, env),
            None => self.global(ev, name, args, expr),
        }
    }

    /// A declared type with its arguments.
    fn reference(
        &mut self,
        ev: &mut Evaluator<'p>,
        value: &Value<'p>,
        args: &[Type<'p>],
        expr: &'p Expr,
        _env: &Env<'p>,
    ) -> Type<'p> {
        match value {
            Value::Class(class) => {
                let bindings = Self::bind(&class.node.type_parameters, args, &Env::of(&class.scope));
                Type::Class(class.clone(), bindings.into_iter().map(|(_, bound)| bound).collect())
            }
            Value::Alias(alias) => Self::alias(alias, args),
            Value::External(path) => self.library_type(ev, path, args, expr),
            Value::TypeVar(variable) => Type::unknown(format!("type parameter `{}`", variable.name), Some(expr.span)),
            _ => Type::unknown("type is not defined in the program", Some(expr.span)),
        }
    }

    fn alias(alias: &Rc<Alias<'p>>, args: &[Type<'p>]) -> Type<'p> {
        let outer = Env::of(&alias.scope);
        let bindings = Self::bind(alias.parameters, args, &outer);
        let env = Env::with(&alias.scope, bindings);
        Type::Written(Rc::new(Written { expr: alias.value, env, name: Some(alias.name) }))
    }

    /// Type parameters with what they stand for: the arguments, else the defaults, else what bounds them.
    pub fn bind(parameters: &'p [TypeParameter], args: &[Type<'p>], env: &Env<'p>) -> Vec<(&'p str, Type<'p>)> {
        let mut bindings: Vec<(&'p str, Type<'p>)> = Vec::new();
        for (at, parameter) in parameters.iter().enumerate() {
            let bound = match (args.get(at), &parameter.default) {
                (Some(arg), _) => arg.clone(),
                // What stands for anything, because the author left out the argument, says nothing.
                (None, Some(default)) if says_nothing(default) => {
                    Type::unknown(format!("type parameter `{}` that is left out", parameter.name), None)
                }
                (None, Some(default)) => Self::lazy(default, &Env::with(&env.scope, bindings.clone())),
                (None, None) => Type::unknown(format!("type parameter `{}`", parameter.name), None),
            };
            bindings.push((&parameter.name, bound));
        }
        bindings
    }

    /// `object<index>` and `object[index]`, which are written apart and mean different things.
    fn applied(
        &mut self,
        ev: &mut Evaluator<'p>,
        object: &'p Expr,
        index: &'p [Expr],
        expr: &'p Expr,
        env: &Env<'p>,
    ) -> Type<'p> {
        let args = || index.iter().map(|arg| Self::lazy(arg, env)).collect::<Vec<_>>();
        if let ExprKind::Name(name) = &object.kind
            && env.bound(name).is_none()
        {
            match ev.look_type(name, &env.scope) {
                None => return self.global(ev, name, &args(), expr),
                Some(value) if takes_arguments(&value) => return self.reference(ev, &value, &args(), expr, env),
                Some(_) => {}
            }
        } else if let ExprKind::Member { .. } = &object.kind
            && let Some(value) = ev.look_type_path(object, &env.scope)
            && takes_arguments(&value)
        {
            return self.reference(ev, &value, &args(), expr, env);
        }
        let [only] = index else { return Type::unknown("type that takes no arguments", Some(expr.span)) };
        if !self.enter() {
            return self.too_deep(expr.span);
        }
        let object = self.written(ev, object, env);
        let key = Self::lazy(only, env);
        let ty = self.lookup(ev, &object, &key, expr);
        self.leave();
        ty
    }

    /// `T[K]`
    fn lookup(&mut self, ev: &mut Evaluator<'p>, object: &Type<'p>, key: &Type<'p>, expr: &'p Expr) -> Type<'p> {
        let object = self.force(ev, object);
        match self.force(ev, key) {
            Type::Literal(Literal::String(name)) => self.member(ev, &object, &name, Some(expr.span)),
            Type::Literal(Literal::Number(_)) | Type::Number => self.element(ev, &object, expr.span),
            Type::Union(options) => {
                let options = options.iter().map(|option| self.lookup(ev, &object, option, expr)).collect();
                Type::union(options)
            }
            Type::Text => match self.properties(ev, &object) {
                Some(object) if object.index.is_some() => object.index.clone().unwrap_or(Type::Any),
                _ => Type::unknown("member that a type chooses", Some(expr.span)),
            },
            _ => Type::unknown("member that a type chooses", Some(expr.span)),
        }
    }

    /// A type of the language's own.
    fn global(&mut self, ev: &mut Evaluator<'p>, name: &str, args: &[Type<'p>], expr: &'p Expr) -> Type<'p> {
        let first = args.first();
        let inner = || first.cloned().unwrap_or(Type::Any);
        match name {
            _ if LISTS.contains(&name) => Type::array(inner()),
            "Set" | "ReadonlySet" | "Map" | "ReadonlyMap" | "WeakMap" => {
                Type::External(Rc::from(format!("javascript.{name}")), args.into())
            }
            "Awaited" => {
                let ty = self.force(ev, &inner());
                self.awaited(ev, &ty)
            }
            _ if PROMISES.contains(&name) => Type::promise(inner()),
            "Date" => Type::Date,
            "String" => Type::Text,
            "Number" => Type::Number,
            "Boolean" => Type::Boolean,
            "Object" | "Function" | "Symbol" => Type::Any,
            "Record" => self.record(ev, args, expr),
            "Partial" => self.changed(ev, &inner(), |prop| {
                prop.loose |= !prop.optional;
                prop.optional = true;
            }),
            "Required" => self.required(ev, &inner()),
            "Readonly" | "NoInfer" => inner(),
            "Pick" | "Omit" => self.selected(ev, name == "Pick", args),
            "NonNullable" => {
                let ty = self.force(ev, &inner());
                self.non_null(ev, &ty)
            }
            "Exclude" | "Extract" => self.filtered(ev, name == "Extract", args),
            "ReturnType" => {
                let function = self.force(ev, &inner());
                self.result_of(ev, &function, &[], &[], None, expr.span)
            }
            "InstanceType" => match self.force(ev, &inner()) {
                Type::Value(Value::Class(class)) => Type::class(class),
                _ => Type::unknown("instance of what is no class", Some(expr.span)),
            },
            "keyof" => {
                let ty = self.force(ev, &inner());
                match self.properties(ev, &ty) {
                    Some(object) if object.index.is_none() && object.open.is_none() => Type::union(
                        object.props.iter().map(|prop| Type::Literal(Literal::String(prop.name.to_string()))).collect(),
                    ),
                    _ => Type::Text,
                }
            }
            "Lowercase" | "Uppercase" | "Capitalize" | "Uncapitalize" | "bigint" => Type::Text,
            "this" => Type::unknown("`this` as a type", Some(expr.span)),
            _ => Type::unknown(format!("`{name}` is not part of the scanned sources"), Some(expr.span)),
        }
    }

    fn record(&mut self, ev: &mut Evaluator<'p>, args: &[Type<'p>], expr: &'p Expr) -> Type<'p> {
        let value = args.get(1).cloned().unwrap_or(Type::Any);
        let keys = match args.first() {
            Some(key) => self.force(ev, key),
            None => Type::Text,
        };
        let keys = match &keys {
            Type::Class(class, _) if class.node.kind == ClassKind::Enum => Self::enum_texts(ev, class),
            other => literal_texts(self, ev, other),
        };
        match keys {
            None => Type::Map(Rc::new(value)),
            Some(names) => Type::object(
                names
                    .into_iter()
                    .map(|name| Prop {
                        name: Rc::from(name),
                        ty: value.clone(),
                        optional: false,
                        loose: false,
                        span: Some(expr.span),
                        decorators: None,
                    })
                    .collect(),
            ),
        }
    }

    /// The texts that an enumeration's members stand for.
    fn enum_texts(ev: &mut Evaluator<'p>, class: &crate::evaluate::ClassRef<'p>) -> Option<Vec<String>> {
        ev.enum_members(class).iter().map(|member| member.value.as_str().map(str::to_owned)).collect()
    }

    /// An object type with every member changed.
    pub fn changed(
        &mut self,
        ev: &mut Evaluator<'p>,
        ty: &Type<'p>,
        change: impl Fn(&mut Prop<'p>) + Copy,
    ) -> Type<'p> {
        let forced = self.force(ev, ty);
        if let Type::Union(options) = &forced {
            let options = options.iter().map(|option| self.changed(ev, option, change)).collect();
            return Type::union(options);
        }
        match self.properties(ev, &forced) {
            Some(object) => {
                let mut props = object.props.clone();
                props.iter_mut().for_each(change);
                Type::Object(Rc::new(ObjectType {
                    props,
                    index: object.index.clone(),
                    open: object.open.clone(),
                    name: object.name.clone(),
                    span: object.span,
                }))
            }
            None => forced,
        }
    }

    pub(super) fn required(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Type<'p> {
        self.changed(ev, ty, |prop| {
            prop.optional = false;
            prop.loose = false;
        })
    }

    /// `Pick<T, K>`, `Omit<T, K>`
    pub(super) fn selected(&mut self, ev: &mut Evaluator<'p>, pick: bool, args: &[Type<'p>]) -> Type<'p> {
        let [from, keys] = args else { return Type::unknown("`Pick` or `Omit` of nothing", None) };
        let keys = self.force(ev, keys);
        let forced = self.force(ev, from);
        if let Type::Union(options) = &forced {
            let options =
                options.iter().map(|option| self.selected(ev, pick, &[option.clone(), keys.clone()])).collect();
            return Type::union(options);
        }
        let Some(names) = literal_texts(self, ev, &keys) else {
            return Type::unknown("members that `Pick` or `Omit` selects are not known", None);
        };
        self.select(ev, &forced, pick, &names)
    }

    /// The members of a type that are named, or all others.
    pub fn select(&mut self, ev: &mut Evaluator<'p>, from: &Type<'p>, pick: bool, names: &[String]) -> Type<'p> {
        match self.properties(ev, from) {
            Some(object) => {
                let props = object.props.iter().filter(|prop| names.iter().any(|name| **name == *prop.name) == pick);
                Type::Object(Rc::new(ObjectType {
                    props: props.cloned().collect(),
                    index: if pick { None } else { object.index.clone() },
                    open: object.open.clone(),
                    name: object.name.clone(),
                    span: object.span,
                }))
            }
            None => self.force(ev, from),
        }
    }

    /// `Exclude<T, U>`, `Extract<T, U>` of unions of literals and enumerations.
    fn filtered(&mut self, ev: &mut Evaluator<'p>, keep: bool, args: &[Type<'p>]) -> Type<'p> {
        let [from, other] = args else { return Type::unknown("`Exclude` or `Extract` of nothing", None) };
        let (from, other) = (self.force(ev, from), self.force(ev, other));
        let options = match &from {
            Type::Union(options) => options.to_vec(),
            one => vec![one.clone()],
        };
        let mut keys = Vec::new();
        match &other {
            Type::Union(others) => {
                for other in others.iter() {
                    keys.push(self.force(ev, other).key());
                }
            }
            one => keys.push(one.key()),
        }
        let mut kept = Vec::new();
        for option in options {
            let option = self.force(ev, &option);
            let simple = matches!(option, Type::Literal(_) | Type::Null | Type::Undefined | Type::Text | Type::Number);
            if !simple {
                return Type::unknown("a type that is chosen by another", None);
            }
            if keys.contains(&option.key()) == keep {
                kept.push(option);
            }
        }
        Type::union(kept)
    }

    /// A type of a library with its arguments.
    fn library_type(&mut self, ev: &mut Evaluator<'p>, path: &str, args: &[Type<'p>], expr: &'p Expr) -> Type<'p> {
        let name = last(path);
        let first = args.first().cloned();
        match name {
            _ if PROMISES.contains(&name) => Type::promise(first.unwrap_or(Type::Any)),
            // `z.infer<typeof schema>`, `Static<typeof Schema>`
            "infer" | "output" | "TypeOf" | "Infer" | "InferOutput" | "Static" | "InferType" => match first {
                Some(first) => {
                    let schema = self.force(ev, &first);
                    self.let_out(ev, &schema, expr)
                }
                None => Type::unknown("type of no schema", Some(expr.span)),
            },
            "input" | "InferInput" => match first.map(|first| self.force(ev, &first)) {
                Some(Type::Value(value)) => match self.shape_of_side(ev, &value, Side::Input, Some(expr.span)) {
                    Some(shape) => Type::Schema(shape),
                    None => Type::unknown("schema is not known", Some(expr.span)),
                },
                _ => Type::unknown("type of no schema", Some(expr.span)),
            },
            "Nullable" => Type::union(vec![first.unwrap_or(Type::Any), Type::Null]),
            _ => Type::External(Rc::from(path), args.into()),
        }
    }

    /// What a schema lets out, given `typeof schema`; where that is what is taken, what has to be sent for it.
    pub(super) fn let_out(&mut self, ev: &mut Evaluator<'p>, schema: &Type<'p>, expr: &'p Expr) -> Type<'p> {
        match schema {
            Type::Value(value) => match self.shape_of_side(ev, value, self.side, Some(expr.span)) {
                Some(shape) => Type::Schema(shape),
                None => Type::unknown("schema is not known", Some(expr.span)),
            },
            Type::Schema(_) | Type::Unknown(..) => schema.clone(),
            _ => Type::unknown("schema is not known", Some(expr.span)),
        }
    }
}

/// Whether what stands behind a name is generic: then what follows it in brackets are arguments.
fn takes_arguments(value: &Value) -> bool {
    match value {
        Value::Class(class) => !class.node.type_parameters.is_empty(),
        Value::Alias(alias) => !alias.parameters.is_empty(),
        Value::External(_) => true,
        _ => false,
    }
}

/// The texts of a union of string literals.
fn literal_texts<'p>(schemas: &mut Schemas<'p>, ev: &mut Evaluator<'p>, ty: &Type<'p>) -> Option<Vec<String>> {
    match schemas.force(ev, ty) {
        Type::Literal(Literal::String(text)) => Some(vec![text]),
        Type::Never => Some(Vec::new()),
        Type::Union(options) => {
            let mut texts = Vec::new();
            for option in options.iter() {
                texts.extend(literal_texts(schemas, ev, option)?);
            }
            Some(texts)
        }
        _ => None,
    }
}

/// `any`, `unknown`, `{}`, `{ [key: string]: unknown }`, `Record<string, any>`
fn says_nothing(written: &Expr) -> bool {
    match &written.kind {
        ExprKind::Name(name) => matches!(name.as_str(), "any" | "unknown" | "object"),
        ExprKind::ObjectType(members) => members
            .iter()
            .all(|member| member.name == "[index]" && member.annotation.as_ref().is_some_and(says_nothing)),
        ExprKind::Index { object, index } => {
            matches!(&object.kind, ExprKind::Name(name) if name == "Record") && index.get(1).is_some_and(says_nothing)
        }
        _ => false,
    }
}
