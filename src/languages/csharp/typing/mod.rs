//! The static types of expressions, and where a handler answers. Declared types first, then what follows from how a value
//! is made; far less than a compiler: what is not understood is unknown, never guessed.
//!
//! A type is a [`Value`] as [`Evaluator::type_expression`] gives it. Beyond those, `new { a, b.C }` is a [`Value::Dynamic`]
//! without a name: its fields are the members in order, each with its type.

pub mod answers;
mod calls;
mod delegates;
mod followed;
mod generics;
mod handlers;
mod lambdas;
mod library;
mod locals;
mod made;
mod members;
mod names;
mod overloads;
mod results;
mod statuses;

pub(super) use statuses::status_code;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::evaluate::{ClassRef, DynamicClass, Evaluator, FunctionRef, Scope, Str, Value};
use crate::languages::walk;
use crate::model::program::{BinaryOp, DictItem, Expr, ExprKind, Function, MatchArm, Param, Stmt};
use crate::text::Span;
use generics::{Given, class_of, generic, is_nullable, named, same, substitute, with_null, without_null};
use library::kinds;
use locals::{Local, Locals, Table};

/// Expressions that are looked at for one handler; the types of others are unknown.
const MAX_STEPS: u32 = 60_000;
/// What one of them costs of the evaluator's budget.
const STEP: usize = 32;
/// Expressions within expressions; the type of a deeper one is unknown.
const MAX_DEPTH: u32 = 300;

/// Where an expression stands.
#[derive(Clone)]
pub struct Place<'p> {
    /// Where names of types are looked up.
    pub scope: Scope<'p>,
    /// The class whose code it is.
    pub class: Option<ClassRef<'p>>,
    /// The type of `this`, which may extend that class.
    pub this: Option<Value<'p>>,
    /// What type parameters stand for.
    pub given: Given<'p>,
    pub locals: Option<Rc<Locals<'p>>>,
}

/// Types expressions, for one question.
pub struct Typer<'e, 'p> {
    pub ev: &'e mut Evaluator<'p>,
    steps: u32,
    depth: u32,
    /// Expressions that are being typed: one may be defined in terms of itself.
    active: Vec<*const Expr>,
    tables: FxHashMap<*const Function, Rc<Table<'p>>>,
    /// Names around lambdas, by the function or statement that declares them.
    around: FxHashMap<*const (), Rc<Locals<'p>>>,
    /// Functions whose answers are being looked for.
    following: Vec<*const Function>,
}

/// A type and all that it extends, what they are given filled in.
pub fn supertypes<'p>(evaluator: &mut Evaluator<'p>, ty: &Value<'p>) -> Vec<Value<'p>> {
    Typer::new(evaluator).supertypes(ty)
}

/// The parameters of a function with their types. `receiver` is the type that it is called on, where that says more than
/// the class that declares it: of an inherited action, the controller.
pub fn parameters<'p>(
    evaluator: &mut Evaluator<'p>,
    function: &FunctionRef<'p>,
    receiver: Option<&Value<'p>>,
) -> Vec<(&'p Param, Value<'p>)> {
    let node: &'p Function = function.node;
    let mut typer = Typer::new(evaluator);
    let place = typer.place(function, receiver);
    let own = node.parameters.iter().filter(|parameter| parameter.name != "this");
    let unwritten = |parameter: &Param| Value::Unknown("parameter without a type", Some(parameter.span));
    own.map(|parameter| {
        let ty = parameter.annotation.as_ref().map(|written| typer.written(written, &place));
        (parameter, ty.unwrap_or_else(|| unwritten(parameter)))
    })
    .collect()
}

impl<'e, 'p> Typer<'e, 'p> {
    pub fn new(ev: &'e mut Evaluator<'p>) -> Self {
        Typer {
            ev,
            steps: 0,
            depth: 0,
            active: Vec::new(),
            tables: FxHashMap::default(),
            around: FxHashMap::default(),
            following: Vec::new(),
        }
    }

    /// Inside of a function. `receiver` is the type that it is called on, where that says more than its class.
    pub fn place(&mut self, function: &FunctionRef<'p>, receiver: Option<&Value<'p>>) -> Place<'p> {
        let this = receiver.cloned().or_else(|| function.class.as_ref().map(self_type));
        let given = match (&function.class, &this) {
            (Some(class), Some(this)) => self.given_above(this, class),
            _ => Rc::from([]),
        };
        let table = self.table(function.node);
        let locals = Some(Locals::new(table, Vec::new(), None));
        Place { scope: function.scope.clone(), class: function.class.clone(), this, given, locals }
    }

    /// In a call that ran.
    pub fn place_in(&mut self, scope: &Scope<'p>) -> Place<'p> {
        let mut class = None;
        let mut next = Some(scope);
        while let Some(here) = next {
            class = here.class().cloned();
            if class.is_some() {
                break;
            }
            next = here.parent();
        }
        let this = class.as_ref().map(self_type);
        Place { scope: scope.clone(), class, this, given: Rc::from([]), locals: None }
    }

    /// The names around a lambda: of the functions that it stands in, and of the statements around those.
    fn find_around(&mut self, name: &str, site: Span, scope: &Scope<'p>) -> Option<(Rc<Locals<'p>>, Local<'p>)> {
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            // A function that ran knows its names, so that few are looked through.
            if let Some(function) = here.function()
                && here.own(name).is_some()
            {
                let key = std::ptr::from_ref(function).cast();
                let table = self.table(function);
                let locals = self.around.entry(key).or_insert_with(|| Locals::new(table, Vec::new(), None)).clone();
                if let Some(local) = locals.table.find(name, site).cloned() {
                    return Some((locals, local));
                }
            }
            next = here.parent().cloned();
        }
        let statement: &'p Stmt = self.ev.binder(scope.module(), name)?;
        let key = std::ptr::from_ref(statement).cast();
        let around = self.around.entry(key).or_insert_with(|| {
            let table = Rc::new(Table::of_block(std::slice::from_ref(statement)));
            Locals::new(table, Vec::new(), None)
        });
        let locals = around.clone();
        let local = locals.table.find(name, site).cloned()?;
        Some((locals, local))
    }

    fn table(&mut self, function: &'p Function) -> Rc<Table<'p>> {
        let key = std::ptr::from_ref(function);
        if let Some(known) = self.tables.get(&key) {
            return known.clone();
        }
        let table = Rc::new(Table::of(function));
        self.tables.insert(key, table.clone());
        table
    }

    /// What the type parameters of a class stand for in a type that is or extends it.
    fn given_above(&mut self, ty: &Value<'p>, class: &ClassRef<'p>) -> Given<'p> {
        if class.node.type_parameters.is_empty() {
            return Rc::from([]);
        }
        let above = self
            .supertypes(ty)
            .into_iter()
            .find_map(|above| class_of(&above).filter(|(known, _)| Rc::ptr_eq(known, class)).map(|(_, given)| given));
        above.unwrap_or_else(|| Rc::from([]))
    }

    /// A type as it is written.
    fn written(&mut self, expr: &'p Expr, place: &Place<'p>) -> Value<'p> {
        let ty = self.ev.type_expression(expr, &place.scope);
        substitute(&ty, &place.given)
    }

    fn enter(&mut self) -> bool {
        self.steps += 1;
        // The budget of the route is the evaluator's.
        if self.depth >= MAX_DEPTH || self.steps > MAX_STEPS || !self.ev.afford(STEP) {
            return false;
        }
        self.depth += 1;
        true
    }

    fn too_deep(&self, site: Span) -> Value<'p> {
        let why = if self.steps > MAX_STEPS { "types of the handler take too long" } else { "types nested too deep" };
        Value::Unknown(why, Some(site))
    }

    /// The static type of an expression.
    pub fn type_of(&mut self, expr: &'p Expr, place: &Place<'p>) -> Value<'p> {
        let key = std::ptr::from_ref(expr);
        if let Some(locals) = &place.locals
            && let Some(known) = locals.known.borrow().get(&key)
        {
            return known.clone();
        }
        if !self.enter() {
            return self.too_deep(expr.span);
        }
        let ty = self.type_of_kind(expr, place);
        self.depth -= 1;
        if let Some(locals) = &place.locals {
            locals.known.borrow_mut().insert(key, ty.clone());
        }
        ty
    }

    fn type_of_kind(&mut self, expr: &'p Expr, place: &Place<'p>) -> Value<'p> {
        match &expr.kind {
            ExprKind::Str { .. } | ExprKind::Template(_) => named("string"),
            ExprKind::Int(_) => named("int"),
            ExprKind::Float(_) => named("double"),
            ExprKind::Bool(_) | ExprKind::Not(_) | ExprKind::Compare { .. } | ExprKind::And(..) => named("bool"),
            ExprKind::None => Value::None,
            ExprKind::TypeOf(_) => named("Type"),
            ExprKind::Negate(inner) | ExprKind::Named { value: inner, .. } => self.type_of(inner, place),
            ExprKind::Or(left, right) => self.of_choice(left, right, place),
            ExprKind::Conditional { then, otherwise, .. } => self.of_options(&[then, otherwise], expr.span, place),
            ExprKind::Match { arms, .. } => self.of_arms(arms, expr.span, place),
            ExprKind::Cast { kind, .. } => self.written(kind, place),
            ExprKind::Await(inner) => {
                let ty = self.type_of(inner, place);
                Self::awaited(&ty, expr.span)
            }
            ExprKind::New { class: Some(class), .. } => self.written(class, place),
            ExprKind::New { class: None, .. } => {
                Value::Unknown("`new` of a type that its place asks for", Some(expr.span))
            }
            ExprKind::With { value, .. } => self.type_of(value, place),
            ExprKind::List(items) => self.of_items(items, expr.span, place),
            ExprKind::Record(items) => self.of_record(items, expr.span, place),
            ExprKind::Tuple(items) => {
                let types = items.iter().map(|item| self.type_of(item, place)).collect();
                generic(&tuple(items), types)
            }
            ExprKind::Binary { op, left, right } => self.of_binary(*op, left, right, expr.span, place),
            ExprKind::Comprehension(query) => {
                let table = Rc::new(Table::of_query(query, expr.span));
                let locals = Some(Locals::new(table, Vec::new(), place.locals.clone()));
                let inside = Place { locals, ..place.clone() };
                let element = self.type_of(&query.element, &inside);
                generic("IQueryable", vec![element])
            }
            ExprKind::Name(_) | ExprKind::Member { .. } => self.of_path(expr, place),
            ExprKind::Index { object, index } => self.of_index(object, index, expr, place),
            ExprKind::Call { callee, types, args } => self.of_call(callee, types, args, expr, place),
            ExprKind::Lambda(_) => Value::Unknown("a function as a value", Some(expr.span)),
            ExprKind::Raise => Value::Unknown("nothing: it throws", Some(expr.span)),
            ExprKind::Other("increment") => named("int"),
            ExprKind::Other("large integer") => named("ulong"),
            ExprKind::Other(what) => Value::Unknown(what, Some(expr.span)),
            _ => Value::Unknown("expression that is not followed", Some(expr.span)),
        }
    }

    /// `a ?? b`, which stands as `a || b` does.
    fn of_choice(&mut self, left: &'p Expr, right: &'p Expr, place: &Place<'p>) -> Value<'p> {
        let first = self.type_of(left, place);
        if kinds::is(&first, "bool") {
            return first;
        }
        let first = without_null(&first);
        if matches!(right.kind, ExprKind::Raise) {
            return first;
        }
        let second = self.type_of(right, place);
        if kinds::is(&second, "bool") && (first.is_unknown() || kinds::is(&first, "bool")) {
            return second;
        }
        if !second.is_unknown() && !first.is_unknown() && self.converts(&without_null(&second), &first) == Some(true) {
            return if is_nullable(&second) { with_null(first) } else { first };
        }
        // What the place asks for is what is on the left.
        if matches!(&right.kind, ExprKind::New { class: None, .. } | ExprKind::List(_)) {
            return first;
        }
        self.join(first, second)
    }

    fn of_options(&mut self, options: &[&'p Expr], site: Span, place: &Place<'p>) -> Value<'p> {
        let mut types = Vec::new();
        for option in options {
            match &option.kind {
                ExprKind::Raise => {}
                ExprKind::New { class: None, .. } | ExprKind::Other("default value") => {}
                ExprKind::List(items) if items.is_empty() => {}
                _ => types.push(self.type_of(option, place)),
            }
        }
        self.join_all(types).unwrap_or(Value::Unknown("a choice of which no option is known", Some(site)))
    }

    fn of_arms(&mut self, arms: &'p [MatchArm], site: Span, place: &Place<'p>) -> Value<'p> {
        let options: Vec<&'p Expr> = arms.iter().map(|arm| &arm.value).collect();
        self.of_options(&options, site, place)
    }

    /// `new[] { a, b }`, `[a, ..b]`
    fn of_items(&mut self, items: &'p [Expr], site: Span, place: &Place<'p>) -> Value<'p> {
        let mut types = Vec::new();
        for item in items {
            let ty = match &item.kind {
                ExprKind::Spread(inner) => {
                    let inner = self.type_of(inner, place);
                    self.element(&inner).unwrap_or(Value::Unknown("items of an unknown sequence", Some(item.span)))
                }
                _ => self.type_of(item, place),
            };
            types.push(ty);
        }
        match self.join_all(types) {
            Some(Value::Unknown(why, at)) => Value::Unknown(why, at),
            Some(element) => generic("[]", vec![element]),
            None => Value::Unknown("an empty collection", Some(site)),
        }
    }

    /// `new { a, B = c }`
    fn of_record(&mut self, items: &'p [DictItem], site: Span, place: &Place<'p>) -> Value<'p> {
        let mut fields: Vec<(Str, Value<'p>)> = Vec::new();
        for item in items {
            let DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, value) = item else {
                return Value::Unknown("an object with a member of no name", Some(site));
            };
            let ty = self.type_of(value, place);
            fields.push((Rc::from(text.as_str()), ty));
        }
        Value::Dynamic(Rc::new(DynamicClass { name: Rc::from(""), bases: Vec::new(), fields, site }))
    }

    fn of_binary(&mut self, op: BinaryOp, left: &'p Expr, right: &'p Expr, site: Span, place: &Place<'p>) -> Value<'p> {
        let first = self.type_of(left, place);
        let second = self.type_of(right, place);
        if op == BinaryOp::Add && (kinds::is(&first, "string") || kinds::is(&second, "string")) {
            return named("string");
        }
        let nullable = is_nullable(&first) || is_nullable(&second);
        let (first, second) = (without_null(&first), without_null(&second));
        let both = match (&first, &second) {
            (Value::External(a), Value::External(b)) => library::calculated(a, b),
            // Flags of one enumeration.
            (Value::Class(a), Value::Class(b)) if Rc::ptr_eq(a, b) && self.ev.is_enum(a) => Some(first.clone()),
            (Value::Unknown(why, at), _) | (_, Value::Unknown(why, at)) => Some(Value::Unknown(why, *at)),
            _ => None,
        };
        match both {
            Some(ty) if nullable => with_null(ty),
            Some(ty) => ty,
            None => Value::Unknown("operator of a type", Some(site)),
        }
    }

    /// What waiting for a value gives.
    fn awaited(ty: &Value<'p>, site: Span) -> Value<'p> {
        match without_null(ty) {
            Value::Unknown(why, at) => Value::Unknown(why, at),
            Value::External(name) if kinds::is_task(&name) => named("void"),
            Value::Applied(base, args) if base.as_external().is_some_and(kinds::is_task) && args.len() == 1 => {
                args[0].clone()
            }
            _ => Value::Unknown("waits for what is no task", Some(site)),
        }
    }
}

/// The name of a tuple's type: its elements have the last names of their values.
fn tuple(items: &[Expr]) -> String {
    let name = |item: &Expr| match &item.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name.clone(),
        _ => String::new(),
    };
    format!("({}).ValueTuple", items.iter().map(name).collect::<Vec<_>>().join(","))
}

/// The type of `this` in a class.
fn self_type<'p>(class: &ClassRef<'p>) -> Value<'p> {
    let parameters = &class.node.type_parameters;
    if parameters.is_empty() {
        return Value::Class(class.clone());
    }
    let args = parameters
        .iter()
        .map(|parameter| class.scope.own(&parameter.name).unwrap_or_else(|| Value::external(parameter.name.as_str())));
    Value::applied(Value::Class(class.clone()), args.collect())
}
