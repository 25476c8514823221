//! The body of a function as it is read: what its names stand for, what it returns, which functions it calls.

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::locals::{Binding, Locals};
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Role, Scope, Value};
use crate::languages::walk;
use crate::model::program::{Arg, Expr, ExprKind, Function, Param, ParamKind};

/// Functions within functions that are read for one answer; what is further away is unknown.
const MAX_CALLS: u32 = 6;
/// Expressions within expressions that are read; a deeper one is unknown.
pub(super) const MAX_DEPTH: u32 = 60;
/// Expressions that are read for one handler; further ones are unknown.
const MAX_EXPRESSIONS: u32 = 4_000;
/// What reading a function costs, in expressions.
const CALL: u32 = 10;

/// The body of a function that is read, with what its parameters were given.
pub struct Body<'p> {
    pub function: FunctionRef<'p>,
    /// The class whose method it is, as the class that is served has it.
    pub class: Option<ClassRef<'p>>,
    locals: Locals<'p>,
    given: Vec<(&'p str, &'p Expr, Rc<Body<'p>>)>,
    /// The object may be of a class that extends `class`, and run other methods.
    pub(super) is_below: bool,
    /// What its names stood for when it ran, if it did.
    run: Option<Scope<'p>>,
    calls: u32,
    left: Rc<Cell<u32>>,
}

impl<'p> Body<'p> {
    /// The body of a handler, whose parameters come from a request.
    pub fn new(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>, class: Option<&ClassRef<'p>>) -> Rc<Self> {
        Self::with(function, class, locals_of(evaluator, function))
    }

    fn with(function: &FunctionRef<'p>, class: Option<&ClassRef<'p>>, locals: Locals<'p>) -> Rc<Self> {
        Rc::new(Body {
            function: function.clone(),
            class: class.or(function.class.as_ref()).cloned(),
            locals,
            given: Vec::new(),
            is_below: false,
            run: None,
            calls: 0,
            left: Rc::new(Cell::new(MAX_EXPRESSIONS)),
        })
    }

    /// The body of the call that a scope is that of, with what its callers gave as they wrote it.
    pub fn of_call(scope: &Scope<'p>) -> Option<Rc<Self>> {
        Self::of_call_within(scope, 0)
    }

    fn of_call_within(scope: &Scope<'p>, depth: u32) -> Option<Rc<Self>> {
        let (function, written) = scope.call()?;
        if let Some((args, caller)) = written
            && depth < MAX_CALLS
            && let Some(outer) = Self::of_call_within(&caller, depth + 1)
            && let Some(called) = outer.called(None, &function, function.class.as_ref(), args)
        {
            return Some(called);
        }
        Some(Body::with(&function, function.class.as_ref(), Locals::of(function.node, FxHashMap::default())))
    }

    /// The same where the function ran with what stands for its parameters: what its names stood for counts.
    pub fn of_run(scope: &Scope<'p>) -> Option<Rc<Self>> {
        // Nobody else has it yet.
        let body = Rc::into_inner(Self::of_call(scope)?)?;
        Some(Rc::new(Body { run: Some(scope.clone()), ..body }))
    }

    /// The body of a function that is called in this one; `None` where calls are nested too deep.
    pub fn called(
        self: &Rc<Self>,
        evaluator: Option<&mut Evaluator<'p>>,
        function: &FunctionRef<'p>,
        class: Option<&ClassRef<'p>>,
        args: &'p [Arg],
    ) -> Option<Rc<Body<'p>>> {
        if self.calls >= MAX_CALLS || self.left.get() == 0 {
            return None;
        }
        self.left.set(self.left.get().saturating_sub(CALL));
        let is_method = class.is_some() && function.role != Role::Static;
        let node = function.node;
        let mut names = node.parameters.iter().filter(|parameter| parameter.kind == ParamKind::Positional);
        if is_method {
            names.next();
        }
        let mut given = Vec::new();
        for arg in args {
            match arg {
                Arg::Positional(value) => {
                    if let Some(parameter) = names.next() {
                        given.push((parameter.name.as_str(), value, self.clone()));
                    }
                }
                Arg::Keyword(name, value) => given.push((name.as_str(), value, self.clone())),
                // Which parameter takes what is not known from here on.
                Arg::Spread(_) | Arg::KeywordSpread(_) => break,
            }
        }
        Some(Rc::new(Body {
            function: function.clone(),
            class: class.or(function.class.as_ref()).cloned(),
            locals: match evaluator {
                Some(evaluator) => locals_of(evaluator, function),
                None => Locals::of(node, FxHashMap::default()),
            },
            given,
            is_below: self.is_below,
            run: None,
            calls: self.calls + 1,
            left: self.left.clone(),
        }))
    }

    /// What is returned, in order.
    pub fn returns(&self) -> &[&'p Expr] {
        &self.locals.returns
    }

    /// Calls that stand as statements or are awaited there, in order.
    pub fn statements(&self) -> &[&'p Expr] {
        &self.locals.calls
    }

    /// What `name.attribute = …` gives.
    pub fn attribute(&self, name: &str, attribute: &str) -> Option<&'p Expr> {
        let found = self.locals.attributes.iter().rev();
        found.clone().find(|(object, member, _)| *object == name && *member == attribute).map(|(_, _, value)| *value)
    }

    /// The expressions that a name may stand for, each with the body that it is written in; `None` where others may be.
    pub fn bound(self: &Rc<Self>, name: &str) -> Option<Vec<(&'p Expr, Rc<Body<'p>>)>> {
        match self.locals.names.get(name)? {
            Binding::Values { values, .. } => Some(values.iter().map(|value| (*value, self.clone())).collect()),
            Binding::Parameter(parameter) => {
                let given = self.given.iter().find(|(known, ..)| *known == name);
                match given {
                    Some((_, value, body)) => Some(vec![(*value, body.clone())]),
                    None if self.calls > 0 => parameter.default.as_ref().map(|value| vec![(value, self.clone())]),
                    None => None,
                }
            }
            Binding::Other => None,
        }
    }

    /// What a name stood for when the function ran.
    pub(super) fn stood(&self, name: &str) -> Option<Value<'p>> {
        self.run.as_ref()?.own(name)
    }

    /// The parameter that a name is, where nothing else has it.
    pub(super) fn parameter(&self, name: &str) -> Option<&'p Param> {
        match self.locals.names.get(name) {
            Some(Binding::Parameter(parameter)) => Some(*parameter),
            _ => None,
        }
    }

    /// What is done to the value of a name where it stands.
    pub(super) fn filled(&self, name: &str) -> Option<&Binding<'p>> {
        self.locals.names.get(name)
    }

    /// Whether a name belongs to the function.
    pub fn is_local(&self, name: &str) -> bool {
        self.locals.names.contains_key(name)
    }

    /// The value of an expression, as far as it does not depend on what the function does.
    pub fn value(self: &Rc<Self>, evaluator: &mut Evaluator<'p>, expr: &'p Expr) -> Value<'p> {
        self.value_at(evaluator, expr, 0)
    }

    fn value_at(self: &Rc<Self>, evaluator: &mut Evaluator<'p>, expr: &'p Expr, depth: u32) -> Value<'p> {
        let unknown = Value::Unknown("only running tells what it is", Some(expr.span));
        if depth > MAX_DEPTH {
            return unknown;
        }
        if let Some(run) = &self.run
            && self.is_settled(expr)
        {
            let value = evaluator.evaluate(expr, run);
            if !value.is_unknown() {
                return value;
            }
        }
        match &expr.kind {
            ExprKind::Name(name) if self.is_local(name) => match self.bound(name).as_deref() {
                Some([(value, body)]) => body.value_at(evaluator, value, depth + 1),
                _ => unknown,
            },
            ExprKind::Member { object, name } => {
                if let (ExprKind::Name(receiver), Some(class)) = (&object.kind, &self.class)
                    && self.is_receiver(receiver)
                {
                    return self.own_member(evaluator, class, name).unwrap_or(unknown);
                }
                let object = self.value_at(evaluator, object, depth + 1);
                if object.is_unknown() { unknown } else { evaluator.member(&object, name, Some(expr.span)) }
            }
            ExprKind::Name(_)
            | ExprKind::Str { .. }
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::None => {
                let scope = self.function.scope.clone();
                evaluator.evaluate(expr, &scope)
            }
            ExprKind::Await(inner) => self.value_at(evaluator, inner, depth + 1),
            ExprKind::Conditional { test, then, otherwise } => {
                if let Some(holds) = self.settled(evaluator, test) {
                    return self.value_at(evaluator, if holds { then } else { otherwise }, depth + 1);
                }
                let decided = self.value_at(evaluator, test, depth + 1);
                if decided.is_plain() {
                    let taken = if decided.truth() { then } else { otherwise };
                    return self.value_at(evaluator, taken, depth + 1);
                }
                let first = self.value_at(evaluator, then, depth + 1);
                let second = self.value_at(evaluator, otherwise, depth + 1);
                if first.is_plain() && first.same(&second) { first } else { unknown }
            }
            _ => unknown,
        }
    }

    /// How a condition falls that the process decides.
    pub fn settled(&self, evaluator: &mut Evaluator<'p>, test: &'p Expr) -> Option<bool> {
        settled(evaluator, test, &self.function, &self.locals)
    }

    /// Whether no name in an expression stands for several things while the function runs.
    fn is_settled(&self, expr: &'p Expr) -> bool {
        let mut next = vec![expr];
        while let Some(expr) = next.pop() {
            if let ExprKind::Name(name) = &expr.kind
                && let Some(binding) = self.locals.names.get(name.as_str())
                && !matches!(binding, Binding::Parameter(_))
                && !matches!(binding, Binding::Values { values, .. } if values.len() == 1)
            {
                return false;
            }
            walk::inner(expr, &mut |inner| next.push(inner));
        }
        true
    }

    /// Whether something is put into the value of a name, or may be.
    pub(super) fn is_filled(&self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else { return false };
        match self.locals.names.get(name.as_str()) {
            Some(Binding::Values { put, added, changed, .. }) => *changed || !put.is_empty() || !added.is_empty(),
            _ => false,
        }
    }

    /// The function that reading a member runs: a property of the program.
    pub fn property(
        self: &Rc<Self>,
        evaluator: &mut Evaluator<'p>,
        object: &'p Expr,
        name: &str,
    ) -> Option<Rc<Body<'p>>> {
        let class = match &object.kind {
            ExprKind::Name(receiver) if self.is_receiver(receiver) => self.class.clone()?,
            _ => match self.value(evaluator, object) {
                Value::Instance(instance) => instance.class.clone(),
                _ => return None,
            },
        };
        match self.own_member(evaluator, &class, name)? {
            Value::Function(function) if function.role == Role::Property => {
                self.called(Some(evaluator), &function, Some(&class), &[])
            }
            _ => None,
        }
    }

    /// Whether a name is the object (or class) whose method this is.
    pub fn is_receiver(&self, name: &str) -> bool {
        self.class.is_some()
            && self.function.role != Role::Static
            && self.function.node.parameters.first().is_some_and(|first| first.name == name)
    }

    /// The function of the program that is called, and the class through which.
    pub fn callee(
        self: &Rc<Self>,
        evaluator: &mut Evaluator<'p>,
        callee: &'p Expr,
    ) -> Option<(FunctionRef<'p>, Option<ClassRef<'p>>)> {
        match self.value(evaluator, callee) {
            Value::Function(function) => {
                let class = function.class.is_some().then(|| self.class.clone()).flatten();
                Some((function, class))
            }
            Value::Bound(receiver, function) => {
                let class = match &*receiver {
                    Value::Class(class) if function.role == Role::ClassMethod => Some(class.clone()),
                    Value::Instance(instance) => Some(instance.class.clone()),
                    _ => None,
                };
                Some((function, class))
            }
            _ => None,
        }
    }

    /// The same, of an object that may be of a class below.
    pub(super) fn below(self: Rc<Self>) -> Option<Rc<Self>> {
        let body = Rc::into_inner(self)?;
        Some(Rc::new(Body { is_below: true, ..body }))
    }

    /// Counts one expression; false when there are too many.
    pub(super) fn spend(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }
}

/// The names of a function, of which only that counts what is reached where the process decides conditions in it.
fn locals_of<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Locals<'p> {
    let locals = Locals::of(function.node, FxHashMap::default());
    let mut decided = FxHashMap::default();
    for test in &locals.tests {
        if let Some(holds) = settled(evaluator, test, function, &locals) {
            decided.insert(std::ptr::from_ref::<Expr>(test), holds);
        }
    }
    if decided.is_empty() { locals } else { Locals::of(function.node, decided) }
}

fn settled<'p>(
    evaluator: &mut Evaluator<'p>,
    test: &'p Expr,
    function: &FunctionRef<'p>,
    locals: &Locals<'p>,
) -> Option<bool> {
    if !evaluator.settles() {
        return None;
    }
    let mut next = vec![test];
    while let Some(expr) = next.pop() {
        if matches!(&expr.kind, ExprKind::Name(name) if locals.names.contains_key(name.as_str())) {
            return None;
        }
        walk::inner(expr, &mut |inner| next.push(inner));
    }
    evaluator.settled_test(test, &function.scope)
}

/// Whether the decorators of a function leave what it returns as it is.
pub fn is_plain(function: &Function) -> bool {
    let is_known = |decorator: &Expr| {
        matches!(&decorator.kind, ExprKind::Name(name) | ExprKind::Member { name, .. }
            if matches!(name.as_str(), "staticmethod" | "classmethod" | "property" | "cached_property" | "override"))
    };
    function.decorators.iter().all(is_known)
}

/// The name that is called: `jsonify` for `flask.jsonify(…)`.
pub fn called_name(callee: &Expr) -> &str {
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name,
        _ => "",
    }
}

/// Arguments of a call as values, those alone that are known.
pub fn known_arguments<'p>(evaluator: &mut Evaluator<'p>, args: &'p [Arg], body: &Rc<Body<'p>>) -> Args<'p> {
    let mut known = Args::default();
    for arg in args {
        match arg {
            Arg::Positional(value) => known.positional.push(body.value(evaluator, value)),
            Arg::Keyword(name, value) => known.set(name, body.value(evaluator, value)),
            Arg::Spread(_) | Arg::KeywordSpread(_) => known.open = true,
        }
    }
    known
}
