//! Statements: assignments, branches, loops, definitions.

use std::rc::Rc;

use super::modules::type_key;
use super::value::{Alias, Args, Function, Role, Scope, Value, last};
use super::{Evaluator, MAX_DEPTH, MAX_ITERATIONS};
use crate::model::program::{self, BinaryOp, ClassKind, Expr, ExprKind, ImportWhat, MatchCase, Stmt, StmtKind};

/// How a block ended.
pub(super) enum Flow<'p> {
    Next,
    Return(Value<'p>),
    Continue,
    Break,
    /// An exception: the rest of the block does not run.
    Raise,
}

impl<'p> Evaluator<'p> {
    pub(super) fn block(&mut self, statements: &'p [Stmt], scope: &Scope<'p>) -> Flow<'p> {
        for statement in statements {
            match self.execute(statement, scope) {
                Flow::Next => {}
                other => return other,
            }
        }
        Flow::Next
    }

    /// A block that may not run: it never decides how the outer block ends.
    fn uncertain_block(&mut self, statements: &'p [Stmt], scope: &Scope<'p>) {
        self.uncertain += 1;
        self.block(statements, scope);
        self.uncertain -= 1;
        self.thrown = false;
    }

    pub(super) fn execute(&mut self, statement: &'p Stmt, scope: &Scope<'p>) -> Flow<'p> {
        match self.run_statement(statement, scope) {
            // What it called ended with an exception.
            Flow::Next | Flow::Return(_) if std::mem::take(&mut self.thrown) => Flow::Raise,
            flow => flow,
        }
    }

    fn run_statement(&mut self, statement: &'p Stmt, scope: &Scope<'p>) -> Flow<'p> {
        if !self.tick(statement.span.file) || self.depth > MAX_DEPTH {
            return Flow::Next;
        }
        match &statement.kind {
            StmtKind::Expr(value) => {
                if !matches!(value.kind, ExprKind::Str { .. } | ExprKind::Ellipsis) {
                    self.evaluate(value, scope);
                }
            }
            StmtKind::Assign { targets, value } => {
                let value = self.evaluate(value, scope);
                for target in targets {
                    self.assign(target, value.clone(), scope);
                }
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
                    if !self.afford_sum(&known, &value) {
                        return Flow::Next;
                    }
                    let sum = match (op, &known, &value) {
                        (BinaryOp::Add, Value::Str(a), Value::Str(b)) => Some(Value::str(format!("{a}{b}"))),
                        (BinaryOp::Add, Value::List(list), other) => {
                            if let Some(more) = other.elements() {
                                list.borrow_mut().extend(more);
                            }
                            None
                        }
                        (BinaryOp::Add, Value::Int(a), Value::Int(b)) => a.checked_add(*b).map(Value::Int),
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
                let iterable = self.evaluate(iter, scope);
                if let Some(items) = self.iterate(&iterable) {
                    let several = items.len() > 1;
                    for item in items.into_iter().take(MAX_ITERATIONS) {
                        self.assign(target, item, scope);
                        match self.block(body, scope) {
                            Flow::Next | Flow::Continue => {}
                            Flow::Break => break,
                            other => return other,
                        }
                    }
                    // Each pass has a variable of its own: the last one does not speak for functions made in the others.
                    if several && self.names_types_apart(scope) {
                        self.assign(target, Value::Unknown("variable of a loop", Some(target.span)), scope);
                    }
                } else {
                    self.assign(target, Value::Unknown("loop over what is not known", Some(iter.span)), scope);
                    self.uncertain_block(body, scope);
                }
                return self.block(otherwise, scope);
            }
            StmtKind::While { body, .. } => self.uncertain_block(body, scope),
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
                let mut flow = self.block(body, scope);
                let thrown = !self.serving.is_empty() && matches!(flow, Flow::Raise);
                for handler in handlers {
                    if thrown {
                        self.rescuing += 1;
                        flow = self.block(handler, scope);
                        self.rescuing -= 1;
                        continue;
                    }
                    let known: Vec<(String, Value<'p>)> = bound_names(handler)
                        .filter_map(|name| self.own_binding(name, scope).map(|value| (name.to_owned(), value)))
                        .collect();
                    self.rescuing += 1;
                    self.uncertain_block(handler, scope);
                    self.rescuing -= 1;
                    for (name, value) in known {
                        self.assign_name(&name, value, scope);
                    }
                }
                if !matches!(flow, Flow::Next | Flow::Raise) || (thrown && matches!(flow, Flow::Raise)) {
                    return flow;
                }
                match self.block(otherwise, scope) {
                    Flow::Next => return self.block(finally, scope),
                    other => return other,
                }
            }
            StmtKind::Match { subject, cases } => return self.choose(subject, cases, scope),
            StmtKind::Return(value) => {
                let value = value.as_ref().map_or(Value::None, |value| self.evaluate(value, scope));
                if self.uncertain == 0 {
                    return Flow::Return(value);
                }
                if let Some(frame) = super::expressions::frame_of(scope) {
                    frame.0.frame.iter().for_each(|frame| frame.returns.borrow_mut().push(value.clone()));
                }
                return Flow::Raise;
            }
            // Members are read where their class is, names of a namespace where they are asked for.
            StmtKind::Property(_) | StmtKind::Namespace { .. } => {}
            StmtKind::Raise => return Flow::Raise,
            StmtKind::Continue => return if self.uncertain == 0 { Flow::Continue } else { Flow::Raise },
            StmtKind::Break => return if self.uncertain == 0 { Flow::Break } else { Flow::Raise },
        }
        Flow::Next
    }

    /// The case that is chosen, or all that may be.
    fn choose(&mut self, subject: &'p Expr, cases: &'p [MatchCase], scope: &Scope<'p>) -> Flow<'p> {
        let outer = std::mem::replace(&mut self.soft, false);
        let subject = self.evaluate(subject, scope);
        let mut known = subject.is_plain();
        let mut chosen = None;
        for case in cases {
            for value in &case.values {
                let value = self.evaluate(value, scope);
                known &= value.is_plain();
                if chosen.is_none() && value.same(&subject) {
                    chosen = Some(case);
                }
            }
        }
        let soft = std::mem::replace(&mut self.soft, outer);
        // A pattern has no values and is no default.
        let defaults = cases.iter().filter(|case| case.values.is_empty()).count();
        if known && !soft && defaults <= 1 && cases.iter().any(|case| !case.values.is_empty()) {
            let chosen = chosen.or_else(|| cases.iter().find(|case| case.values.is_empty()));
            return match chosen.map_or(Flow::Next, |case| self.block(&case.body, scope)) {
                Flow::Break => Flow::Next,
                flow => flow,
            };
        }
        let bodies: Vec<&[Stmt]> = cases.iter().map(|case| case.body.as_slice()).collect();
        let mut before = self.bindings(&bodies, scope);
        let mut after = Vec::new();
        for case in cases {
            self.uncertain_block(&case.body, scope);
            after.extend((!ends(&case.body)).then(|| self.bindings(&[&case.body], scope)));
        }
        if defaults > 0 {
            before.clear();
        }
        self.bind_alternatives(&before, &after, scope);
        Flow::Next
    }

    /// What the names stand for that blocks bind, where wires are looked for.
    fn bindings(&self, blocks: &[&'p [Stmt]], scope: &Scope<'p>) -> Bindings<'p> {
        if !self.looks_for_wires() || scope.is_module() {
            return Vec::new();
        }
        let names = blocks.iter().flat_map(|block| bound_names(block));
        names.filter_map(|name| Some((name, scope.own(name)?))).collect()
    }

    fn branch(&mut self, test: &'p Expr, then: &'p [Stmt], otherwise: &'p [Stmt], scope: &Scope<'p>) -> Flow<'p> {
        if is_type_checking(test) {
            let flow = self.block(then, scope);
            let declared: Vec<(String, Value<'p>)> = bound_names(otherwise)
                .filter_map(|name| self.own_binding(name, scope).map(|value| (name.to_owned(), value)))
                .collect();
            self.uncertain_block(otherwise, scope);
            // What runs counts, where it is known and no object that stands for a late import; else what the author
            // tells type checkers.
            for (name, value) in declared {
                let stands_in =
                    |now: &Value| matches!(now, Value::None | Value::Unknown(..) | Value::Instance(_) | Value::Made(_));
                if self.own_binding(&name, scope).is_none_or(|now| stands_in(&now)) {
                    self.assign_name(&name, value, scope);
                }
            }
            return flow;
        }
        let outer = std::mem::replace(&mut self.soft, false);
        let decided = self.evaluate(test, scope);
        let soft = std::mem::replace(&mut self.soft, outer);
        if decided.is_plain() && !soft {
            return self.block(if decided.truth() { then } else { otherwise }, scope);
        }
        if self.gathering > 0 {
            self.either(then, otherwise, scope);
            return Flow::Next;
        }
        let before = self.bindings(&[then, otherwise], scope);
        self.uncertain_block(then, scope);
        let mut after: Vec<_> = (!ends(then)).then(|| self.bindings(&[then], scope)).into_iter().collect();
        let known: Vec<(String, Value<'p>)> = bound_names(otherwise)
            .filter_map(|name| self.own_binding(name, scope).map(|value| (name.to_owned(), value)))
            .collect();
        self.uncertain_block(otherwise, scope);
        // Of two possible values the one that says something is kept.
        for (name, value) in known {
            let empty = |value: &Value| matches!(value, Value::None | Value::Unknown(..));
            if !empty(&value) && self.own_binding(&name, scope).is_some_and(|now| empty(&now)) {
                self.assign_name(&name, value, scope);
            }
        }
        after.extend((!ends(otherwise)).then(|| self.bindings(&[otherwise], scope)));
        self.bind_alternatives(&before, &after, scope);
        Flow::Next
    }

    /// Two blocks of which one runs: what they bind differently is not known afterwards.
    fn either(&mut self, then: &'p [Stmt], otherwise: &'p [Stmt], scope: &Scope<'p>) {
        let names: Vec<String> = bound_names(then).chain(bound_names(otherwise)).map(str::to_owned).collect();
        let bindings = |evaluator: &mut Self| -> Vec<Option<Value<'p>>> {
            names.iter().map(|name| evaluator.own_binding(name, scope)).collect()
        };
        let before = bindings(self);
        self.uncertain_block(then, scope);
        let first = bindings(self);
        for (name, value) in names.iter().zip(&before) {
            let absent = Value::Unknown("bound in one branch only", None);
            self.assign_name(name, value.clone().unwrap_or(absent), scope);
        }
        self.uncertain_block(otherwise, scope);
        for ((name, first), before) in names.iter().zip(first).zip(before) {
            let second = self.own_binding(name, scope);
            let merged = match (first, second) {
                (Some(first), Some(second)) if first.same(&second) => first,
                // A branch that ends the function, or one that alone binds the name.
                (Some(first), Some(second)) if before.is_none() => match (ends(then), ends(otherwise)) {
                    (true, false) => second,
                    (false, true) => first,
                    _ if second.is_unknown() => first,
                    _ if first.is_unknown() => second,
                    _ => Value::Unknown("one of several values", None),
                },
                (Some(_), Some(second)) if ends(then) => second,
                (Some(first), _) if ends(otherwise) => first,
                _ => Value::Unknown("one of several values", None),
            };
            self.assign_name(name, merged, scope);
        }
    }

    /// A name's value in exactly this scope, without looking further.
    fn own_binding(&mut self, name: &str, scope: &Scope<'p>) -> Option<Value<'p>> {
        if scope.0.is_module {
            return self.bound_in_module(scope.module(), name);
        }
        scope.0.names.borrow().get(name).cloned()
    }

    pub(super) fn assign_name(&mut self, name: &str, value: Value<'p>, scope: &Scope<'p>) {
        if scope.0.is_module {
            self.bind_in_module(scope.module(), name, value);
        } else {
            if self.is_made_late(scope.module(), name, &value) {
                self.bind_in_module(scope.module(), name, value.clone());
            }
            scope.bind(name, value);
        }
    }

    pub(super) fn assign(&mut self, target: &'p Expr, value: Value<'p>, scope: &Scope<'p>) {
        match &target.kind {
            ExprKind::Name(name) => match self.assigned_member(name, scope) {
                Some(receiver) => self.set_member(&receiver, name, value),
                None => self.assign_name(name, value, scope),
            },
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
                    // What is put in under a condition may not be there.
                    let perhaps = self.gathering > 0
                        && self.uncertain > 0
                        && !dict.borrow().get(&key).is_some_and(|known| known.same(&value));
                    let value = if perhaps { Value::Unknown("one of several values", None) } else { value };
                    dict.borrow_mut().set(key, value);
                }
            }
            _ => {}
        }
    }

    /// `object.name = value`
    pub fn set_member(&mut self, object: &Value<'p>, name: &str, value: Value<'p>) {
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
            let asks_wires = self.index.relevance.has_wires;
            let is_asked = match decorator.kind {
                ExprKind::Call { .. } | ExprKind::Name(_) => true,
                ExprKind::Member { .. } => asks_wires,
                _ => false,
            };
            if !is_asked {
                continue;
            }
            match self.evaluate(decorator, scope) {
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

/// Whether a block ends the function, at its own level.
fn ends(block: &[Stmt]) -> bool {
    matches!(block.last().map(|last| &last.kind), Some(StmtKind::Return(_) | StmtKind::Raise))
}

fn is_type_checking(test: &Expr) -> bool {
    matches!(&test.kind, ExprKind::Name(name) | ExprKind::Member { name, .. } if last(name) == "TYPE_CHECKING")
}

/// Names with what they stand for.
pub(super) type Bindings<'p> = Vec<(&'p str, Value<'p>)>;

/// Names that the statements of a block bind at its top level.
fn bound_names(block: &[Stmt]) -> impl Iterator<Item = &str> {
    block.iter().filter_map(|statement| match &statement.kind {
        StmtKind::Assign { targets, .. } => match targets.first().map(|target| &target.kind) {
            Some(ExprKind::Name(name)) => Some(name.as_str()),
            _ => None,
        },
        StmtKind::Annotated { target: Expr { kind: ExprKind::Name(name), .. }, .. } => Some(name.as_str()),
        StmtKind::Import(import) => match &import.what {
            ImportWhat::Module => import.module.split('.').next(),
            ImportWhat::ModuleAs(alias) | ImportWhat::Require(alias) | ImportWhat::Name { alias, .. } => {
                Some(alias.as_str())
            }
            ImportWhat::Star | ImportWhat::Static => None,
        },
        StmtKind::Function(function) => Some(function.name.as_str()),
        StmtKind::Class(class) => Some(class.name.as_str()),
        _ => None,
    })
}
