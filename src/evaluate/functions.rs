//! Functions of the program that run: which are followed, what their parameters stand for, and what they return.

use std::cell::RefCell;
use std::rc::Rc;

use super::branches::End;
use super::decisions::alternatives;
use super::received::as_received;
use super::value::{Args, ClassRef, Frame, Function, FunctionRef, Instance, ModuleId, Scope, Value};
use super::{Evaluator, MAX_CALL_DEPTH, Role};
use crate::model::program::{self, Expr, ExprKind, Param, ParamKind, Stmt, StmtKind};

/// A function with at most this many statements is followed wherever it is called.
const SMALL: usize = 14;
/// The same function may be on the stack this often; what a further call gives is unknown.
const MAX_RECURSION: u8 = 2;

impl<'p> Evaluator<'p> {
    /// Whether what has nothing to do with the response of the handler that runs is followed still.
    fn goes_on(&self) -> bool {
        self.serving.is_empty() || self.all_steps < self.serving_until
    }

    pub(super) fn follows(&mut self, node: &'p program::Function, args: &Args<'p>) -> bool {
        if self.wires.running {
            return self.hands_on(node)
                || (node.is_lambda && self.is_of_wires(node))
                || args.values().any(|value| as_received(value).is_some())
                || (self.is_small(node) && self.wires.follows_again(node));
        }
        self.is_relevant(node)
            || self.is_small(node)
            || args.values().any(|value| carries_node(value) || (self.serving.is_empty() && holds_node(value)))
    }

    fn is_small(&mut self, node: &'p program::Function) -> bool {
        *self.small.entry(std::ptr::from_ref(node)).or_insert_with(|| count_statements(&node.body, SMALL + 1) <= SMALL)
    }

    /// Calls a function of the program if it is small, relevant, or handed a router.
    pub fn call_function(&mut self, function: &FunctionRef<'p>, args: Args<'p>) -> Value<'p> {
        let function = &self.overload(function, &args);
        // A function that is handed what answers is followed while a handler runs.
        let hands_on = !self.serving.is_empty() && args.values().any(carries_function);
        let goes_on = self.goes_on() || !function.scope.is_module() || args.values().any(carries_node);
        if !hands_on && (!goes_on || !self.follows(function.node, &args)) {
            self.note_unfollowed(&function.node.name, &args, function.node.name_span);
            return Value::Unknown("function that is not followed", Some(function.node.name_span));
        }
        if self.wires.running {
            return self.call_unless_idle(function, args);
        }
        self.call_function_always(function, args)
    }

    /// Calls a function of the program, within the bounds of depth and recursion.
    pub fn call_function_always(&mut self, function: &FunctionRef<'p>, args: Args<'p>) -> Value<'p> {
        let node = function.node;
        let key = std::ptr::from_ref(node);
        let active = self.active.get(&key).copied().unwrap_or(0);
        if self.call_depth > MAX_CALL_DEPTH || active >= MAX_RECURSION {
            self.hand_over(&args, node.name_span);
            self.note_unfollowed(&node.name, &args, node.name_span);
            if active < MAX_RECURSION && self.is_relevant(node) {
                self.cut("functions that take part in building an API, called more than 25 deep", Some(node.name_span));
            }
            return Value::Unknown("calls nested too deep", Some(node.name_span));
        }
        if !node.name.is_empty() {
            self.called.insert(key);
        }
        if self.wires.running {
            self.wires.ran.insert(key);
        }
        self.active.insert(key, active + 1);
        self.call_depth += 1;
        let uncertain = std::mem::replace(&mut self.uncertain, 0);
        self.uncertain_callers += uncertain;
        let value = self.run_body(function, args);
        self.uncertain_callers -= uncertain;
        self.uncertain = uncertain;
        self.call_depth -= 1;
        self.active.insert(key, active);
        value
    }

    /// Every value that a function of the program may return, those under conditions included; what of its bindings
    /// depends on a condition that is not known is not known.
    pub fn returned(&mut self, function: &FunctionRef<'p>, args: Args<'p>) -> Vec<Value<'p>> {
        let key = std::ptr::from_ref(function.node);
        let active = self.active.get(&key).copied().unwrap_or(0);
        if self.call_depth > MAX_CALL_DEPTH || active >= MAX_RECURSION {
            return vec![Value::Unknown("calls nested too deep", Some(function.node.name_span))];
        }
        self.active.insert(key, active + 1);
        self.call_depth += 1;
        self.gathering += 1;
        let uncertain = std::mem::replace(&mut self.uncertain, 0);
        let frame = Frame {
            node: function.node,
            role: function.role,
            written: args.written.clone(),
            class: function.class.clone(),
            receiver: args.positional.first().cloned().unwrap_or(Value::Unknown("no receiver", None)),
            returns: RefCell::default(),
            yields: RefCell::default(),
        };
        let scope = function.scope.of_call(frame, &self.guard);
        self.bind_parameters(function, args, &scope);
        let ended = self.block(&function.node.body, &scope);
        self.uncertain = uncertain;
        self.gathering -= 1;
        self.call_depth -= 1;
        self.active.insert(key, active);
        let returned = scope.0.frame.as_ref().map(|frame| frame.returns.take()).unwrap_or_default();
        let mut returns = Vec::new();
        let none = returned.is_empty() && ended.end < End::Return;
        returned.into_iter().for_each(|(_, value)| alternatives(value, &mut returns));
        if none {
            returns.push(Value::None);
        }
        returns
    }

    fn run_body(&mut self, function: &FunctionRef<'p>, args: Args<'p>) -> Value<'p> {
        let receiver = args.positional.first().cloned().unwrap_or(Value::Unknown("no receiver", None));
        let frame = Frame {
            node: function.node,
            role: function.role,
            written: args.written.clone().filter(|_| self.wires.running || self.gathering > 0),
            class: function.class.clone(),
            receiver,
            returns: RefCell::default(),
            yields: RefCell::default(),
        };
        let scope = function.scope.of_call(frame, &self.guard);
        self.bind_type_parameters(function, &args, &scope);
        self.bind_parameters(function, args, &scope);
        let ended = self.block(&function.node.body, &scope);
        let frame = scope.0.frame.as_ref().expect("the scope was made with a frame");
        let returns = frame.returns.take();
        self.thrown = !self.serving.is_empty() && ended.end == End::Raise && returns.is_empty();
        let yields = frame.yields.take();
        if !yields.is_empty() {
            return Value::list(yields);
        }
        self.result_of(returns, &ended)
    }

    /// What a generic function is called with, where the call says so and types are named like values.
    fn bind_type_parameters(&mut self, function: &FunctionRef<'p>, args: &Args<'p>, scope: &Scope<'p>) {
        let node: &'p program::Function = function.node;
        let Some((types, place)) = &args.types else { return };
        if node.type_parameters.len() != types.len() || !self.names_in_namespaces(scope) {
            return;
        }
        let types: &'p [Expr] = types;
        for (parameter, given) in node.type_parameters.iter().zip(types) {
            let given = self.type_expression(given, place);
            if matches!(given, Value::Class(_) | Value::Applied(..)) {
                self.keep_given_type(&given);
                scope.bind(&parameter.name, given);
            }
        }
    }

    fn bind_parameters(&mut self, function: &FunctionRef<'p>, args: Args<'p>, scope: &Scope<'p>) {
        let Args { positional, named, open, soft, .. } = args;
        let mut positional = positional.into_iter().enumerate();
        let mut named = named;
        let function_node: &'p program::Function = function.node;
        for parameter in &function_node.parameters {
            let take_named = |named: &mut Vec<(super::Str, Value<'p>)>| {
                let at = named.iter().position(|(name, _)| **name == *parameter.name)?;
                Some(named.remove(at).1)
            };
            let value = match parameter.kind {
                ParamKind::Rest => Value::Tuple(positional.by_ref().map(|(_, value)| value).collect::<Vec<_>>().into()),
                ParamKind::KeywordRest => {
                    let entries = named.drain(..).map(|(name, value)| (Value::Str(name), value)).collect::<Vec<_>>();
                    Value::Dict(Rc::new(RefCell::new(super::Dict { entries, open, ..super::Dict::default() })))
                }
                ParamKind::Positional | ParamKind::KeywordOnly => {
                    let given = if parameter.kind == ParamKind::Positional { positional.next() } else { None };
                    let given = given.map(|(at, value)| {
                        if at < 64 && soft >> at & 1 == 1 && value.is_plain() {
                            scope.0.soft.borrow_mut().push(Rc::from(parameter.name.as_str()));
                        }
                        value
                    });
                    match given.or_else(|| take_named(&mut named)) {
                        Some(value) => value,
                        None => match &parameter.default {
                            Some(default) => {
                                if self.decorating == 0 {
                                    scope.0.soft.borrow_mut().push(Rc::from(parameter.name.as_str()));
                                }
                                self.evaluate(default, &function.scope)
                            }
                            None if self.decorating > 0 => Value::None,
                            None => self.unknown_argument(parameter, function),
                        },
                    }
                }
            };
            scope.bind(&parameter.name, value);
        }
    }

    /// An argument that nobody gave: an instance of its declared class, a router of its declared kind, or unknown.
    fn unknown_argument(&mut self, parameter: &'p Param, function: &Function<'p>) -> Value<'p> {
        let unknown = Value::Unknown("parameter of a function that nothing calls", Some(parameter.span));
        let Some(annotation) = &parameter.annotation else { return unknown };
        if self.wires.running {
            let stand_in = self.stand_in(annotation, &function.scope, parameter.span).unwrap_or(unknown);
            return self.injected(stand_in, parameter, &function.scope);
        }
        match self.type_expression(annotation, &function.scope) {
            Value::Class(class) => {
                if let Some(path) = self.node_base(&class) {
                    let made = self.make_node(&path, Args::default(), Some(class), parameter.span);
                    return made.map_or(unknown, Value::Node);
                }
                if self.is_enum(&class) {
                    return unknown;
                }
                Value::Instance(Rc::new(Instance { class, attributes: RefCell::default() }))
            }
            Value::External(path) => {
                self.make_node(&path, Args::default(), None, parameter.span).map_or(unknown, Value::Node)
            }
            _ => unknown,
        }
    }

    /// The class of a declaration at the level of a module or namespace.
    pub(super) fn declaring_class(
        &mut self,
        module: ModuleId,
        declaring: &'p program::Class,
        scope: &Scope<'p>,
    ) -> Option<ClassRef<'p>> {
        if self.names_in_namespaces(scope) {
            return self.class_of_node(module, declaring.index).or_else(|| {
                let within = self.declared_classes(&[module]);
                within.into_iter().find(|class| std::ptr::eq(class.node, declaring))
            });
        }
        match self.module_name(module, &declaring.name) {
            Some(Value::Class(class)) => Some(class),
            _ => None,
        }
    }

    /// Calls a function that nothing has called, with unknown arguments; a method on an instance of its class.
    pub(super) fn run_factory(
        &mut self,
        module: ModuleId,
        node: &'p program::Function,
        class: Option<&'p program::Class>,
    ) {
        if self.called.contains(&std::ptr::from_ref(node)) {
            return;
        }
        let scope = self.module_scope(module);
        let Some(declaring) = class else {
            let function = self.make_function(node, &scope);
            self.call_function_always(&function, Args::default());
            return;
        };
        let Some(class) = self.declaring_class(module, declaring, &scope) else { return };
        if self.node_base(&class).is_some() {
            return;
        }
        let receiver = Value::Instance(Rc::new(Instance { class: class.clone(), attributes: RefCell::default() }));
        self.initialise_properties(&class, &receiver);
        let with_receiver = || Args { positional: vec![receiver.clone()], ..Args::default() };
        if let Some(Value::Function(init)) = self.class_member(&class, "__init__")
            && !std::ptr::eq(init.node, node)
        {
            self.call_function_always(&init, with_receiver());
        }
        if self.called.contains(&std::ptr::from_ref(node)) {
            return;
        }
        if self.names_in_namespaces(&scope) {
            let method = self.function_of(&class, node);
            let args = if method.role == Role::Static { Args::default() } else { with_receiver() };
            self.call_function_always(&method, args);
        } else if let Some(Value::Function(method)) = self.own_member(&class, &node.name) {
            let args = if method.role == Role::Static { Args::default() } else { with_receiver() };
            self.call_function_always(&method, args);
        }
    }
}

fn carries_node(value: &Value) -> bool {
    match value {
        Value::Node(_) | Value::Route(_) => true,
        Value::Instance(instance) => instance.attributes.borrow().values().any(|value| matches!(value, Value::Node(_))),
        _ => false,
    }
}

/// An object literal with a router among its members.
fn holds_node(value: &Value) -> bool {
    let Value::Dict(dict) = value else { return false };
    let dict = dict.borrow();
    dict.record && dict.entries.iter().any(|(_, value)| matches!(value, Value::Node(_)))
}

/// A function, or an object with one among its members.
fn carries_function(value: &Value) -> bool {
    match value {
        Value::Function(_) | Value::Bound(..) => true,
        Value::Dict(dict) => {
            let dict = dict.borrow();
            dict.record && dict.entries.iter().any(|(_, value)| matches!(value, Value::Function(_) | Value::Bound(..)))
        }
        _ => false,
    }
}

/// Statements of a block, inner ones included, counted up to a limit. How many names a value is taken apart into says
/// nothing of how much a function does.
fn count_statements(block: &[Stmt], limit: usize) -> usize {
    let mut count = 0;
    let mut stack = vec![block];
    while let Some(block) = stack.pop() {
        count += block.iter().filter(|statement| !takes_apart(statement)).count();
        if count > limit {
            return count;
        }
        for statement in block {
            match &statement.kind {
                StmtKind::If { then, otherwise, .. } => stack.extend([then.as_slice(), otherwise]),
                StmtKind::For { body, otherwise, .. } => stack.extend([body.as_slice(), otherwise]),
                StmtKind::While { body, .. } | StmtKind::With { body, .. } => stack.push(body),
                StmtKind::Try { body, handlers, otherwise, finally } => {
                    stack.extend([body.as_slice(), otherwise, finally]);
                    stack.extend(handlers.iter().map(Vec::as_slice));
                }
                StmtKind::Match { cases, .. } => stack.extend(cases.iter().map(|case| case.body.as_slice())),
                StmtKind::Function(function) => stack.push(&function.body),
                StmtKind::Class(class) => stack.push(&class.body),
                _ => {}
            }
        }
    }
    count
}

/// `name = value.member`, as each name is lowered that a pattern takes out of a value.
fn takes_apart(statement: &Stmt) -> bool {
    let StmtKind::Assign { targets, value } = &statement.kind else { return false };
    let value = match &value.kind {
        ExprKind::Or(value, default) if is_literal(default) => &**value,
        _ => value,
    };
    matches!(targets.as_slice(), [Expr { kind: ExprKind::Name(_), .. }])
        && matches!(&value.kind, ExprKind::Member { object, .. } if matches!(object.kind, ExprKind::Name(_)))
}

fn is_literal(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Str { .. }
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Name(_)
    )
}
