//! The names of one function and what they are bound to, what the function returns and which calls it makes.

use rustc_hash::FxHashMap;

use crate::model::program::{Arg, BinaryOp, Expr, ExprKind, Function, ImportWhat, Param, Stmt, StmtKind};

/// Calls that take a value and do not change it.
pub(super) const READERS: &[&str] = &[
    "jsonify",
    "dumps",
    "json_response",
    "len",
    "str",
    "repr",
    "print",
    "write",
    "finish",
    "info",
    "debug",
    "warning",
    "error",
    "exception",
    "isinstance",
    "sorted",
    "list",
    "dict",
    "tuple",
    "make_response",
    "get_paginated_response",
    "marshal",
    "render_template",
    "publish",
    "send",
    "send_and_wait",
    "send_message",
    "produce",
    "emit",
    "delay",
    "apply_async",
    "send_task",
    "xadd",
];

/// What a name of a function may stand for.
pub(super) enum Binding<'p> {
    Parameter(&'p Param),
    Values {
        values: Vec<&'p Expr>,
        /// `name[key] = value`, and whether it happens wherever the name has a value.
        put: Vec<(&'p Expr, &'p Expr, bool)>,
        /// `name.append(value)`
        added: Vec<&'p Expr>,
        /// Changed in a way that is not followed.
        changed: bool,
        /// The block of the first value.
        block: u32,
    },
    Other,
}

/// One function, without those inside it.
pub(super) struct Locals<'p> {
    pub(super) names: FxHashMap<&'p str, Binding<'p>>,
    pub(super) returns: Vec<&'p Expr>,
    /// Calls that stand as statements.
    pub(super) calls: Vec<&'p Expr>,
    /// `name.attribute = value`
    pub(super) attributes: Vec<(&'p str, &'p str, &'p Expr)>,
    /// Names whose value is in that of another, or is the same: `for item in items`, `first = items[0]`.
    part_of: FxHashMap<&'p str, &'p str>,
    /// Blocks so far that may not run.
    blocks: u32,
    /// Conditions that the process decides, with how they fall.
    decided: FxHashMap<*const Expr, bool>,
    /// Conditions of the function.
    pub(super) tests: Vec<&'p Expr>,
}

impl<'p> Locals<'p> {
    pub(super) fn of(function: &'p Function, decided: FxHashMap<*const Expr, bool>) -> Self {
        let mut locals = Locals {
            names: FxHashMap::default(),
            returns: Vec::new(),
            calls: Vec::new(),
            attributes: Vec::new(),
            part_of: FxHashMap::default(),
            blocks: 0,
            decided,
            tests: Vec::new(),
        };
        for parameter in &function.parameters {
            locals.names.insert(&parameter.name, Binding::Parameter(parameter));
        }
        locals.block(&function.body, 0);
        locals
    }

    fn block(&mut self, block: &'p [Stmt], place: u32) {
        for statement in block {
            self.statement(statement, place);
            if self.ends(statement) {
                break;
            }
        }
    }

    /// Whether nothing behind a statement runs, because of how the process decides a condition.
    fn ends(&self, statement: &Stmt) -> bool {
        let StmtKind::If { test, then, otherwise } = &statement.kind else { return false };
        let taken = match self.decided.get(&std::ptr::from_ref(test)) {
            Some(true) => then,
            Some(false) => otherwise,
            None => return false,
        };
        taken.last().is_some_and(|last| matches!(last.kind, StmtKind::Return(_) | StmtKind::Raise) || self.ends(last))
    }

    /// A block that may not run.
    fn inner(&mut self, block: &'p [Stmt]) {
        self.blocks += 1;
        self.block(block, self.blocks);
    }

    fn statement(&mut self, statement: &'p Stmt, place: u32) {
        match &statement.kind {
            StmtKind::Expr(value) => {
                let call = if let ExprKind::Await(inner) = &value.kind { inner } else { value };
                self.expression(value);
                if let ExprKind::Call { callee, args, .. } = &call.kind {
                    self.calls.push(call);
                    self.method(callee, args);
                }
            }
            StmtKind::Assign { targets, value } => {
                self.expression(value);
                targets.iter().for_each(|target| self.target(target, Some(value), place));
            }
            StmtKind::Annotated { target, value: Some(value), .. } => {
                self.expression(value);
                self.target(target, Some(value), place);
            }
            StmtKind::Annotated { .. } | StmtKind::Property(_) => {}
            StmtKind::Augmented { target, op, value } => {
                self.expression(value);
                if let ExprKind::Name(name) = &target.kind {
                    // What is added to a number or text is of its sort.
                    if matches!(op, BinaryOp::Add) {
                        self.target(target, Some(value), place);
                    }
                    self.change(name);
                }
            }
            StmtKind::Import(import) => match &import.what {
                ImportWhat::Name { alias, .. } | ImportWhat::ModuleAs(alias) | ImportWhat::Require(alias) => {
                    self.names.insert(alias, Binding::Other);
                }
                ImportWhat::Module => {
                    let name = import.module.split('.').next().unwrap_or("");
                    self.names.insert(name, Binding::Other);
                }
                ImportWhat::Star | ImportWhat::Static => {}
            },
            StmtKind::Function(function) => drop(self.names.insert(&function.name, Binding::Other)),
            StmtKind::Class(class) => drop(self.names.insert(&class.name, Binding::Other)),
            StmtKind::If { test, then, otherwise } => {
                self.expression(test);
                self.tests.push(test);
                match self.decided.get(&std::ptr::from_ref(test)) {
                    Some(true) => self.block(then, place),
                    Some(false) => self.block(otherwise, place),
                    None => {
                        self.inner(then);
                        self.inner(otherwise);
                    }
                }
            }
            StmtKind::For { target, iter, body, otherwise } => {
                self.expression(iter);
                self.part(target, iter);
                self.target(target, None, place);
                self.inner(body);
                self.inner(otherwise);
            }
            StmtKind::While { test, body } => {
                self.expression(test);
                self.inner(body);
            }
            StmtKind::With { items, body } => {
                for item in items {
                    self.expression(&item.value);
                    item.target.iter().for_each(|target| self.target(target, None, place));
                }
                self.block(body, place);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.block(body, place);
                handlers.iter().for_each(|handler| self.inner(handler));
                self.block(otherwise, place);
                self.block(finally, place);
            }
            StmtKind::Match { subject, cases } => {
                self.expression(subject);
                cases.iter().for_each(|case| self.inner(&case.body));
            }
            StmtKind::Return(Some(value)) => {
                self.expression(value);
                self.returns.push(value);
            }
            StmtKind::Return(None)
            | StmtKind::Raise
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::TypeAlias { .. }
            | StmtKind::Namespace { .. } => {}
        }
    }

    /// A name that gets a value which another name holds.
    fn part(&mut self, target: &'p Expr, value: &'p Expr) {
        let ExprKind::Name(name) = &target.kind else { return };
        let mut value = value;
        while let ExprKind::Index { object, .. } = &value.kind {
            value = object;
        }
        if let ExprKind::Name(whole) = &value.kind
            && whole != name
        {
            self.part_of.insert(name, whole);
        }
    }

    fn target(&mut self, target: &'p Expr, value: Option<&'p Expr>, place: u32) {
        match &target.kind {
            ExprKind::Name(name) => {
                let Some(value) = value else {
                    self.names.insert(name, Binding::Other);
                    return;
                };
                self.part(target, value);
                match self.names.get_mut(name.as_str()) {
                    Some(Binding::Values { values, .. }) => values.push(value),
                    Some(_) => drop(self.names.insert(name, Binding::Other)),
                    None => {
                        let (put, added) = (Vec::new(), Vec::new());
                        self.names.insert(
                            name,
                            Binding::Values { values: vec![value], put, added, changed: false, block: place },
                        );
                    }
                }
            }
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                targets.iter().for_each(|target| self.target(target, None, place));
            }
            ExprKind::Spread(inner) => self.target(inner, None, place),
            ExprKind::Index { object, index } => match (&object.kind, index.as_slice(), value) {
                (ExprKind::Name(name), [key], Some(value)) => {
                    if let Some(Binding::Values { put, block, .. }) = self.names.get_mut(name.as_str()) {
                        put.push((key, value, place == 0 || place == *block));
                    }
                    self.change_whole(name);
                }
                (ExprKind::Name(name), ..) => self.change(name),
                // `data["a"]["b"] = …`
                (ExprKind::Index { object, .. }, ..) => {
                    if let ExprKind::Name(name) = &object.kind {
                        self.change(name);
                    }
                }
                _ => {}
            },
            ExprKind::Member { object, name } => {
                if let (ExprKind::Name(object), Some(value)) = (&object.kind, value) {
                    self.attributes.push((object, name, value));
                }
            }
            _ => {}
        }
    }

    /// `name.append(value)`, `name.update(…)`
    fn method(&mut self, callee: &'p Expr, args: &'p [Arg]) {
        let ExprKind::Member { object, name: method } = &callee.kind else { return };
        let ExprKind::Name(name) = &object.kind else { return };
        match (method.as_str(), args) {
            ("append" | "add", [Arg::Positional(value)]) => {
                if let Some(Binding::Values { added, .. }) = self.names.get_mut(name.as_str()) {
                    added.push(value);
                }
                self.change_whole(name);
            }
            ("update" | "extend" | "insert" | "setdefault" | "pop" | "clear" | "remove" | "popitem", _) => {
                self.change(name);
            }
            _ => {}
        }
    }

    fn change(&mut self, name: &str) {
        if let Some(Binding::Values { changed, .. }) = self.names.get_mut(name) {
            *changed = true;
        }
        self.change_whole(name);
    }

    /// What holds the value of a name that is changed is changed as well.
    fn change_whole(&mut self, name: &str) {
        let mut name = name;
        for _ in 0..=self.part_of.len() {
            let Some(whole) = self.part_of.get(name).copied() else { return };
            if let Some(Binding::Values { changed, .. }) = self.names.get_mut(whole) {
                *changed = true;
            }
            name = whole;
        }
    }

    /// What an expression does to names: comprehensions and `:=` bind some, calls may change what they are given.
    fn expression(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Call { callee, args, .. } => {
                self.expression(callee);
                let reads = READERS.contains(&super::body::called_name(callee))
                    || super::body::called_name(callee).starts_with(char::is_uppercase);
                for arg in args {
                    let value = arg.value();
                    match &value.kind {
                        ExprKind::Name(name) if !reads => self.change(name),
                        _ => self.expression(value),
                    }
                }
            }
            ExprKind::Comprehension(comprehension) => {
                for clause in &comprehension.clauses {
                    self.expression(&clause.iter);
                    self.comprehended(&clause.target);
                }
                self.expression(&comprehension.element);
                comprehension.value.iter().for_each(|value| self.expression(value));
            }
            ExprKind::Named { name, value } => {
                self.expression(value);
                self.names.insert(name, Binding::Other);
            }
            ExprKind::Member { object, .. } => self.expression(object),
            ExprKind::Index { object, index } => {
                self.expression(object);
                index.iter().for_each(|index| self.expression(index));
            }
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) | ExprKind::Template(items) => {
                items.iter().for_each(|item| self.expression(item));
            }
            ExprKind::Dict(items) | ExprKind::Record(items) => {
                for item in items {
                    match item {
                        crate::model::program::DictItem::Pair(key, value) => {
                            self.expression(key);
                            self.expression(value);
                        }
                        crate::model::program::DictItem::Spread(value) => self.expression(value),
                    }
                }
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExprKind::Binary { left, right, .. } | ExprKind::Compare { left, right, .. } => {
                self.expression(left);
                self.expression(right);
            }
            ExprKind::Conditional { test, then, otherwise } => {
                self.expression(test);
                self.expression(then);
                self.expression(otherwise);
            }
            ExprKind::Await(inner) | ExprKind::Spread(inner) | ExprKind::Not(inner) => self.expression(inner),
            _ => {}
        }
    }

    /// The variable of a comprehension: what else has its name is not followed.
    fn comprehended(&mut self, target: &'p Expr) {
        match &target.kind {
            ExprKind::Name(name) => drop(self.names.insert(name, Binding::Other)),
            ExprKind::Tuple(targets) | ExprKind::List(targets) => {
                targets.iter().for_each(|target| self.comprehended(target));
            }
            _ => {}
        }
    }
}
