//! Statements: assignments, branches, loops, definitions.

use std::rc::Rc;

use super::branches::{End, Flow};
use super::modules::type_key;
use super::value::{Alias, Args, Function, Role, Scope, Value};
use super::{Evaluator, MAX_DEPTH};
use crate::model::program::{self, BinaryOp, ClassKind, Expr, ExprKind, Stmt, StmtKind};

impl<'p> Evaluator<'p> {
    pub(super) fn execute(&mut self, statement: &'p Stmt, scope: &Scope<'p>) -> Flow {
        let flow = self.run_statement(statement, scope);
        // What it called ended with an exception.
        let thrown = matches!(flow.end, End::Next | End::Return) && std::mem::take(&mut self.thrown);
        if thrown { Flow::ended(End::Raise) } else { flow }
    }

    fn run_statement(&mut self, statement: &'p Stmt, scope: &Scope<'p>) -> Flow {
        if !self.tick(statement.span.file) || self.depth > MAX_DEPTH {
            return Flow::NEXT;
        }
        match &statement.kind {
            StmtKind::Expr(value) => {
                if !matches!(value.kind, ExprKind::Str { .. } | ExprKind::Ellipsis) {
                    self.evaluate(value, scope);
                }
            }
            StmtKind::Assign { targets, value } => {
                let outer = std::mem::replace(&mut self.set_outside, false);
                let into_member = targets.iter().any(|target| matches!(target.kind, ExprKind::Member { .. }));
                let value = if into_member { self.taken_along(value, scope) } else { self.evaluate(value, scope) };
                for target in targets {
                    self.assign(target, value.clone(), scope);
                    if let (true, ExprKind::Name(name)) = (self.set_outside, &target.kind) {
                        self.bind_as_default(name, scope);
                    }
                }
                self.set_outside |= outer;
            }
            StmtKind::Annotated { target, annotation, value } => {
                if let Some(value) = value {
                    let alias = matches!(&annotation.kind,
                        ExprKind::Name(name) | ExprKind::Member { name, .. } if name == "TypeAlias");
                    let value = if alias { self.type_expression(value, scope) } else { self.evaluate(value, scope) };
                    self.assign(target, value, scope);
                }
            }
            StmtKind::Augmented { target, op, value } => {
                let value = self.evaluate(value, scope);
                if let (ExprKind::Member { object, name }, BinaryOp::Add) = (&target.kind, op)
                    && self.looks_for_wires()
                {
                    self.listen(object, name, &value, scope, target.span);
                }
                if let ExprKind::Name(name) = &target.kind
                    && let Some(known) = self.own_binding(name, scope)
                {
                    let known = self.projected(known);
                    if !self.afford_sum(&known, &value) {
                        return Flow::NEXT;
                    }
                    let sum = match (op, &known, &value) {
                        (BinaryOp::Add, Value::List(list), other) => {
                            let more = self.added(other);
                            list.borrow_mut().extend(more);
                            None
                        }
                        (BinaryOp::Add, Value::Choice(_), _)
                        | (BinaryOp::Add, Value::Str(_) | Value::Pattern(_), Value::Choice(_)) => {
                            Some(self.sum_of_each(known.clone(), value.clone(), target.span))
                        }
                        (BinaryOp::Add, Value::Str(_) | Value::Pattern(_) | Value::Int(_) | Value::Tuple(_), _) => {
                            Some(super::operators::binary(BinaryOp::Add, known.clone(), value.clone(), target.span))
                        }
                        (BinaryOp::BitOr, Value::Dict(a), Value::Dict(b)) if !Rc::ptr_eq(a, b) => {
                            a.borrow_mut().merge(&b.borrow());
                            None
                        }
                        _ => None,
                    };
                    if let Some(sum) = sum {
                        self.assign_name(name, sum, scope);
                    }
                }
            }
            StmtKind::Import(import) => self.execute_import(import, scope),
            StmtKind::Function(function) => self.define_function(function, scope),
            StmtKind::Class(class) => self.define_class(class, scope),
            StmtKind::TypeAlias { name, parameters, value } if self.names_types_apart(scope) => {
                let alias = Alias { name, parameters, value, scope: scope.clone() };
                self.assign_name(&type_key(name), Value::Alias(Rc::new(alias)), scope);
            }
            StmtKind::TypeAlias { name, parameters, value } => {
                let inner = self.with_type_parameters(parameters, scope);
                let value = self.type_expression(value, &inner);
                self.assign_name(name, value, scope);
            }
            StmtKind::If { test, then, otherwise } => return self.branch(test, then, otherwise, scope),
            StmtKind::For { target, iter, body, otherwise } => {
                return self.repeat(target, iter, (body, otherwise), scope);
            }
            StmtKind::While { test, body } => return self.may_repeat(test, body, scope),
            StmtKind::With { items, body } => {
                for item in items {
                    let value = self.evaluate(&item.value, scope);
                    if let Some(target) = &item.target {
                        self.assign(target, value, scope);
                    }
                }
                return self.block(body, scope);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                return self.attempt((body, handlers), (otherwise, finally), scope);
            }
            StmtKind::Match { subject, cases } => return self.choose(subject, cases, scope),
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(Value::None, |value| self.evaluate(value, scope));
                if let Some(frame) = super::expressions::frame_of(scope) {
                    let beyond = self.beyond(&frame);
                    frame
                        .0
                        .frame
                        .iter()
                        .for_each(|frame| frame.returns.borrow_mut().push((beyond.clone(), value.clone())));
                }
                return Flow::ended(End::Return);
            }
            // Members are read where their class is, names of a namespace where they are asked for.
            StmtKind::Property(_) | StmtKind::Namespace { .. } => {}
            StmtKind::Raise => return Flow::ended(End::Raise),
            StmtKind::Continue => return Flow::ended(End::Continue),
            StmtKind::Break => return Flow::ended(End::Break),
        }
        Flow::NEXT
    }

    /// What adding gives, for each alternative of both; lists are added to where they are.
    fn sum_of_each(&mut self, known: Value<'p>, value: Value<'p>, site: crate::text::Span) -> Value<'p> {
        self.each_two(known, value, &mut |evaluator, known, value| match &known {
            Value::List(list) => {
                let more = evaluator.added(&value);
                list.borrow_mut().extend(more);
                known
            }
            _ => super::operators::binary(BinaryOp::Add, known, value, site),
        })
    }

    /// Notes that the value of a name is only a default.
    fn bind_as_default(&mut self, name: &str, scope: &Scope<'p>) {
        if scope.0.is_module {
            self.state(scope.module()).defaults.insert(Rc::from(name));
        } else {
            scope.0.soft.borrow_mut().push(Rc::from(name));
        }
    }

    /// A name's value in exactly this scope, without looking further.
    pub(super) fn own_binding(&mut self, name: &str, scope: &Scope<'p>) -> Option<Value<'p>> {
        if scope.0.is_module {
            return self.bound_in_module(scope.module(), name);
        }
        scope.0.names.borrow().get(name).cloned()
    }

    pub(super) fn assign_name(&mut self, name: &str, value: Value<'p>, scope: &Scope<'p>) {
        // What stands around a loop is assigned to from within its passes.
        if scope.0.of_pass
            && scope.own(name).is_none()
            && let Some(outer) = self.binding_around(name, scope)
        {
            return self.assign_name(name, value, &outer);
        }
        let value = if self.guard.is_empty() {
            value
        } else {
            let old = self.own_binding(name, scope);
            self.written(&scope.0.guard, old, value)
        };
        if scope.0.is_module {
            self.bind_in_module(scope.module(), name, value);
        } else {
            if self.is_made_late(scope.module(), name, &value) {
                self.bind_in_module(scope.module(), name, value.clone());
            }
            scope.bind(name, value);
        }
    }

    /// The scope around the passes of loops that has a name already.
    fn binding_around(&mut self, name: &str, scope: &Scope<'p>) -> Option<Scope<'p>> {
        let mut next = scope.parent();
        while let Some(here) = next {
            if self.own_binding(name, here).is_some() {
                return Some(here.clone());
            }
            next = here.parent().filter(|_| here.0.of_pass);
        }
        None
    }

    pub(super) fn assign(&mut self, target: &'p Expr, value: Value<'p>, scope: &Scope<'p>) {
        match &target.kind {
            ExprKind::Name(name) => match self.assigned_member(name, scope) {
                Some(receiver) => self.set_member(&receiver, name, value),
                None => self.assign_name(name, value, scope),
            },
            ExprKind::Tuple(_) | ExprKind::List(_) if matches!(value, Value::Choice(_)) => {
                self.for_each(value, &mut |evaluator, value| evaluator.assign(target, value, scope));
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                let values = value.elements();
                let starred = targets.iter().position(|target| matches!(target.kind, ExprKind::Spread(_)));
                // How many values a starred target takes.
                let taken = values.as_ref().map_or(0, |values| (values.len() + 1).saturating_sub(targets.len()));
                for (at, target) in targets.iter().enumerate() {
                    let unknown = Value::Unknown("part of what is not known", Some(target.span));
                    if let ExprKind::Spread(inner) = &target.kind {
                        let rest = |values: &Vec<Value<'p>>| values.iter().skip(at).take(taken).cloned().collect();
                        self.assign(inner, values.as_ref().map_or(unknown, |values| Value::list(rest(values))), scope);
                        continue;
                    }
                    let after = starred.is_some_and(|starred| starred < at);
                    let place = if after { at + taken - 1 } else { at };
                    let value = values.as_ref().and_then(|values| values.get(place).cloned()).unwrap_or(unknown);
                    self.assign(target, value, scope);
                }
            }
            ExprKind::Member { object, name } => {
                let object = self.evaluate(object, scope);
                self.set_member(&object, name, value);
            }
            ExprKind::Index { object, index } => {
                if let (Value::Dict(dict), [at]) = (self.evaluate(object, scope), index.as_slice()) {
                    let key = self.evaluate(at, scope);
                    let old = if self.guard.is_empty() { None } else { dict.borrow().get(&key).cloned() };
                    let value = self.written(&[], old, value);
                    dict.borrow_mut().set(key, value);
                    self.wires.idle.changed += 1;
                }
            }
            _ => {}
        }
    }

    /// `object.name = value`
    pub fn set_member(&mut self, object: &Value<'p>, name: &str, value: Value<'p>) {
        if matches!(object, Value::Choice(_)) {
            return self.for_each(object.clone(), &mut |evaluator, object| {
                evaluator.set_member(&object, name, value.clone());
            });
        }
        let value = if self.guard.is_empty() {
            value
        } else {
            let old = match object {
                Value::Instance(instance) => instance.attributes.borrow().get(name).cloned(),
                Value::Node(id) if name == "prefix" => Some(self.node(*id).prefix.clone()),
                Value::Node(id) => self.node(*id).attributes.get(name).cloned(),
                Value::Class(class) => class.extra.borrow().get(name).cloned(),
                Value::Function(function) => function.attributes.borrow().get(name).cloned(),
                Value::Dict(dict) => dict.borrow().get_str(name).cloned(),
                _ => None,
            };
            self.written(&[], old, value)
        };
        self.wires.idle.changed += 1;
        match object {
            Value::Instance(instance) => {
                instance.attributes.borrow_mut().insert(Rc::from(name), value);
            }
            Value::Node(id) => {
                let node = self.node_mut(*id);
                if name == "prefix" {
                    node.set_prefix(value);
                } else {
                    node.attributes.insert(Rc::from(name), value);
                }
            }
            Value::Class(class) => {
                class.extra.borrow_mut().insert(Rc::from(name), value);
            }
            Value::Function(function) => {
                function.attributes.borrow_mut().insert(Rc::from(name), value);
            }
            Value::Dict(dict) if dict.borrow().record => dict.borrow_mut().set(Value::str(name), value),
            _ => {}
        }
    }

    fn define_function(&mut self, node: &'p program::Function, scope: &Scope<'p>) {
        let function = self.make_function(node, scope);
        self.assign_name(&node.name, Value::Function(function.clone()), scope);
        self.decorate(&node.decorators, &Value::Function(function), scope);
    }

    /// Applies decorators that register something; others leave the definition as it is.
    fn decorate(&mut self, decorators: &'p [Expr], handler: &Value<'p>, scope: &Scope<'p>) {
        for decorator in decorators.iter().rev() {
            let asks_wires = self.spoken.has_wires;
            let is_asked = match decorator.kind {
                ExprKind::Call { .. } | ExprKind::Name(_) => true,
                ExprKind::Member { .. } => asks_wires,
                _ => false,
            };
            if !is_asked {
                continue;
            }
            let decorator_value = self.evaluate(decorator, scope);
            self.for_each(decorator_value, &mut |evaluator, value| evaluator.decorate_with(value, handler, decorator));
        }
    }

    fn decorate_with(&mut self, decorating: Value<'p>, handler: &Value<'p>, decorator: &'p Expr) {
        let asks_wires = self.spoken.has_wires;
        {
            match decorating {
                Value::Route(draft) => self.register(&draft, handler.clone()),
                Value::Function(wrapper)
                    if self.is_relevant(wrapper.node)
                        || self.called.contains(&std::ptr::from_ref(wrapper.node))
                        || closes_over_route(&wrapper.scope) =>
                {
                    let args = Args { positional: vec![handler.clone()], ..Args::default() };
                    self.call_function_always(&wrapper, args);
                }
                value if asks_wires => self.decorate_at_wire(&value, handler, decorator.span),
                _ => {}
            }
        }
    }

    fn define_interface(&mut self, node: &'p program::Class, scope: &Scope<'p>) {
        let key = type_key(&node.name);
        if let Some(Value::Class(known)) = self.own_binding(&key, scope) {
            known.more.borrow_mut().push(node);
            return;
        }
        let class = self.make_class(node, scope);
        self.assign_name(&key, Value::Class(class), scope);
    }

    fn define_class(&mut self, node: &'p program::Class, scope: &Scope<'p>) {
        // Known by its full name, in every module.
        if self.names_in_namespaces(scope) {
            return;
        }
        if node.kind == ClassKind::Interface {
            return self.define_interface(node, scope);
        }
        let class = self.make_class(node, scope);
        self.assign_name(&node.name, Value::Class(class.clone()), scope);
        for statement in self.class_statements(&class) {
            if let StmtKind::Function(method) = &statement.kind
                && method.decorators.iter().any(|decorator| {
                    matches!(&decorator.kind,
                    ExprKind::Call { callee, .. } if matches!(callee.kind, ExprKind::Member { .. }))
                })
            {
                let body = self.body_scope(&class);
                let function = Function::new(method, class.scope.clone(), Some(class.clone()), Role::Plain);
                let handler = Value::Function(function);
                self.decorate(&method.decorators, &handler, &body);
            }
        }
        if self.names_types_apart(scope) {
            let decorators: Vec<Value<'p>> = node.decorators.iter().map(|item| self.evaluate(item, scope)).collect();
            for library in self.libraries {
                (library.class_defined)(self, &class, &decorators);
            }
            return;
        }
        self.decorate(&node.decorators, &Value::Class(class), scope);
    }
}

/// Whether the call in which an inner function was defined knows a router or a route that waits for its handler.
fn closes_over_route(scope: &Scope) -> bool {
    super::expressions::frame_of(scope).is_some_and(|scope| {
        scope.0.names.borrow().values().any(|value| matches!(value, Value::Route(_) | Value::Node(_)))
    })
}
