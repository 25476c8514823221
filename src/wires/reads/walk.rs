//! The walk through statements and expressions that follows one value.

mod calls;

use super::taken::says_nothing;
use super::{Names, Reads, Subject, Taken, Visited};
use crate::evaluate::{Evaluator, FunctionRef, ModuleId, Scope};
use crate::model::program::{
    CompareOp, DictItem, Expr, ExprKind, Function, ImportStyle, Param, ParamKind, Stmt, StmtKind,
};
use crate::text::Span;

/// Expressions that are looked at for one value; that there are more is told.
const MAX_EXPRESSIONS: u32 = 20_000;
/// Expressions within expressions; that there are deeper ones is told.
const MAX_DEPTH: u32 = 200;

pub(super) struct Walk<'e, 'p, 's> {
    ev: &'e mut Evaluator<'p>,
    subject: Subject<'s>,
    reads: Reads<'p>,
    names: Names<'p>,
    /// Functions that are declared within the one that is walked.
    local: Vec<&'p Function>,
    /// The function of the program that is walked, innermost last.
    within: Vec<FunctionRef<'p>>,
    scope: Option<Scope<'p>>,
    /// Members of the own object that the value was put into.
    kept: Vec<(String, usize)>,
    visited: Visited<'p>,
    /// What the function that is walked returns, of the value.
    returned: Option<usize>,
    left: u32,
    depth: u32,
    calls: u32,
    /// Reading a member that is not there gives nothing, and no exception.
    lenient: bool,
}

impl<'e, 'p, 's> Walk<'e, 'p, 's> {
    pub(super) fn new(ev: &'e mut Evaluator<'p>, subject: Subject<'s>) -> Self {
        Walk {
            ev,
            subject,
            reads: Reads::new(),
            names: Names::default(),
            local: Vec::new(),
            within: Vec::new(),
            scope: None,
            kept: Vec::new(),
            visited: Visited::default(),
            returned: None,
            left: MAX_EXPRESSIONS,
            depth: 0,
            calls: 0,
            lenient: false,
        }
    }

    pub(super) fn finish(self) -> Reads<'p> {
        if self.reads.full {
            self.ev.cut_reading("members that code reads of one value, beyond the 2000th", None);
        }
        self.reads
    }

    /// Walks a function that is given the subject, then the methods of its class where it keeps the value.
    pub(super) fn function(&mut self, function: &FunctionRef<'p>, given: &[(&'p str, usize)]) {
        if let Subject::Name(name) = self.subject {
            self.names.insert(name.to_owned(), 0);
        }
        self.names.extend(given.iter().map(|(name, node)| ((*name).to_owned(), *node)));
        self.body_of(function);
        let kept = std::mem::take(&mut self.kept);
        let Some(class) = function.class.clone().filter(|_| !kept.is_empty()) else { return };
        self.scope = Some(function.scope.clone());
        self.lenient = self.ev.index.style(function.scope.module()) == ImportStyle::Path;
        for statement in self.ev.class_statements(&class) {
            let StmtKind::Function(node) = &statement.kind else { continue };
            if std::ptr::eq(&raw const **node, function.node) {
                continue;
            }
            self.names = kept.iter().cloned().collect();
            self.within.push(function.clone());
            self.inner(node, &[]);
            self.within.pop();
        }
    }

    /// Walks the statements of a module, then its functions, which may use what the statements keep under a name.
    pub(super) fn module(&mut self, module: ModuleId, statements: &'p [Stmt]) {
        self.lenient = self.ev.index.style(module) == ImportStyle::Path;
        self.scope = Some(self.ev.module_scope(module));
        let is_function = |statement: &&Stmt| matches!(statement.kind, StmtKind::Function(_));
        statements.iter().filter(|it| !is_function(it)).for_each(|statement| self.statement(statement));
        if !self.names.is_empty() {
            statements.iter().filter(is_function).for_each(|statement| self.statement(statement));
        }
    }

    fn body_of(&mut self, function: &FunctionRef<'p>) {
        let before = self.scope.replace(function.scope.clone());
        let lenient = self.lenient;
        self.lenient = self.ev.index.style(function.scope.module()) == ImportStyle::Path;
        self.within.push(function.clone());
        self.block(&function.node.body);
        self.within.pop();
        self.lenient = lenient;
        self.scope = before;
    }

    /// A function that stands within what is walked: its parameters hide what has their names.
    fn inner(&mut self, function: &'p Function, given: &[Option<usize>]) -> Option<usize> {
        let hidden: Vec<(String, Option<usize>)> =
            function.parameters.iter().map(|it| (it.name.clone(), self.names.remove(&it.name))).collect();
        for (parameter, node) in parameters(function).zip(given) {
            if let Some(node) = node {
                self.names.insert(parameter.name.clone(), *node);
                self.declared(parameter, *node);
            }
        }
        let before = self.returned.take();
        self.block(&function.body);
        let returned = std::mem::replace(&mut self.returned, before);
        for (name, node) in hidden {
            match node {
                Some(node) => drop(self.names.insert(name, node)),
                None => drop(self.names.remove(&name)),
            }
        }
        returned
    }

    /// A parameter that the value is given for is declared to be of a type.
    fn declared(&mut self, parameter: &'p Param, node: usize) {
        if let (Some(annotation), Some(scope)) = (&parameter.annotation, self.scope.clone()) {
            self.take_for(node, annotation, &scope);
        }
    }

    /// The value is that of a parameter of a function.
    pub(super) fn take_parameter(&mut self, parameter: &'p Param, function: &FunctionRef<'p>) {
        if let Some(annotation) = &parameter.annotation {
            self.take_for(0, annotation, &function.scope);
        }
    }

    fn take_for(&mut self, node: usize, annotation: &'p Expr, scope: &Scope<'p>) {
        if !says_nothing(annotation) {
            self.reads.take(node, Taken::Written(annotation, scope.clone()));
        }
    }

    fn block(&mut self, block: &'p [Stmt]) {
        let before = self.reads.choosers.len();
        for statement in block {
            self.statement(statement);
            // What comes after is for the rest of the values.
            if let StmtKind::If { test, then, .. } = &statement.kind
                && then.last().is_some_and(ends)
                && let Some(chooser) = self.chooser(test)
            {
                self.reads.choosers.push(chooser);
            }
        }
        self.reads.choosers.truncate(before);
    }

    /// A block that runs for some of the values only, where a part of the value chooses.
    fn chosen(&mut self, block: &'p [Stmt], chooser: Option<usize>) {
        let before = self.reads.choosers.len();
        self.reads.choosers.extend(chooser);
        self.block(block);
        self.reads.choosers.truncate(before);
    }

    /// The part that a condition asks which of several values this is: `event["type"] == "order.placed"`.
    fn chooser(&mut self, test: &'p Expr) -> Option<usize> {
        match &test.kind {
            ExprKind::Compare { op, left, right } if is_equality(*op) && !is_nothing(left) && !is_nothing(right) => {
                let names = |expr: &Expr| {
                    matches!(expr.kind, ExprKind::Str { .. } | ExprKind::Int(_) | ExprKind::Member { .. })
                        || matches!(expr.kind, ExprKind::Tuple(_) | ExprKind::List(_) | ExprKind::Set(_))
                };
                let chooser = if names(right) { self.visit(left, true) } else { None };
                chooser.or_else(|| if names(left) { self.visit(right, true) } else { None })
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.chooser(left).or_else(|| self.chooser(right))
            }
            ExprKind::Not(inner) => self.chooser(inner),
            _ => None,
        }
    }

    fn statement(&mut self, statement: &'p Stmt) {
        match &statement.kind {
            StmtKind::Expr(value) => _ = self.value(value),
            StmtKind::Assign { targets, value } => {
                let node = self.value(value);
                targets.iter().for_each(|target| self.bind(target, node));
            }
            StmtKind::Annotated { target, annotation, value } => {
                let node = value.as_ref().and_then(|value| self.value(value));
                if let (Some(node), Some(scope)) = (node, self.scope.clone()) {
                    self.take_for(node, annotation, &scope);
                }
                self.bind(target, node);
            }
            StmtKind::Augmented { value, .. } => _ = self.value(value),
            StmtKind::If { test, then, otherwise } => {
                self.test(test);
                let chooser = self.chooser(test);
                self.chosen(then, chooser);
                self.chosen(otherwise, chooser);
            }
            StmtKind::For { target, iter, body, otherwise } => {
                let node = self.value(iter).map(|node| self.reads.items(node));
                self.bind(target, node);
                self.block(body);
                self.block(otherwise);
            }
            StmtKind::While { test, body } => {
                self.test(test);
                self.block(body);
            }
            StmtKind::With { items, body } => {
                for item in items {
                    let node = self.value(&item.value);
                    item.target.iter().for_each(|target| self.bind(target, node));
                }
                self.block(body);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.block(body);
                handlers.iter().for_each(|handler| self.block(handler));
                self.block(otherwise);
                self.block(finally);
            }
            StmtKind::Match { subject, cases } => {
                let chooser = self.value(subject);
                cases.iter().for_each(|case| self.chosen(&case.body, chooser));
            }
            StmtKind::Return(Some(value)) => {
                let node = self.value(value);
                self.returned = self.returned.or(node);
            }
            StmtKind::Function(function) => {
                self.local.push(function);
                self.inner(function, &[]);
            }
            _ => {}
        }
    }

    fn bind(&mut self, target: &'p Expr, node: Option<usize>) {
        match &target.kind {
            ExprKind::Name(name) => match node {
                Some(node) => drop(self.names.insert(name.clone(), node)),
                None => drop(self.names.remove(name)),
            },
            ExprKind::Member { object, name } => {
                if let Some(key) = own_member(object, name) {
                    match node {
                        Some(node) => {
                            self.names.insert(key.clone(), node);
                            self.kept.push((key, node));
                        }
                        None => drop(self.names.remove(&key)),
                    }
                } else if let Some(object) = self.value(object) {
                    self.set(object, name, target.span);
                }
            }
            ExprKind::Index { object, index } => {
                if let (Some(object), [Expr { kind: ExprKind::Str { text, .. }, span }]) =
                    (self.value(object), index.as_slice())
                {
                    self.set(object, text, *span);
                }
            }
            ExprKind::Tuple(parts) | ExprKind::List(parts) => {
                let node = node.map(|node| self.reads.items(node));
                parts.iter().for_each(|part| self.bind(part, node));
            }
            _ => {}
        }
    }

    /// The value has a member that code sets: what is read of that name is its own.
    fn set(&mut self, node: usize, name: &'p str, span: Span) {
        let known = self.reads.nodes[node].members.iter().any(|member| member.name == name);
        self.reads.member(node, name, span, true);
        if !known && let Some(member) = self.reads.nodes[node].members.iter_mut().find(|member| member.name == name) {
            member.set = true;
        }
    }

    /// A condition: asking for what is not there is no reading of it.
    fn test(&mut self, expr: &'p Expr) -> Option<usize> {
        let lenient = self.lenient;
        self.visit(expr, lenient)
    }

    fn value(&mut self, expr: &'p Expr) -> Option<usize> {
        self.visit(expr, false)
    }

    fn all<'x>(&mut self, values: impl IntoIterator<Item = &'x Expr>)
    where
        'p: 'x,
        'x: 'p,
    {
        for value in values {
            self.value(value);
        }
    }

    /// The node of what an expression stands for; whatever is read within it is noted. `optional`: code does without it.
    fn visit(&mut self, expr: &'p Expr, optional: bool) -> Option<usize> {
        if self.left == 0 || self.depth > MAX_DEPTH {
            self.ev.cut_reading("code that reads one value that is received: there is too much", Some(expr.span));
            return None;
        }
        self.left -= 1;
        self.depth += 1;
        let node = self.visit_kind(expr, optional);
        self.depth -= 1;
        node
    }

    fn visit_kind(&mut self, expr: &'p Expr, optional: bool) -> Option<usize> {
        match &expr.kind {
            ExprKind::Name(name) => self.names.get(name).copied(),
            ExprKind::Member { object, name } => {
                if let Some(key) = own_member(object, name) {
                    return self.names.get(&key).copied();
                }
                let node = self.value(object)?;
                if name == "length" && self.lenient {
                    return None;
                }
                let mut span = expr.span;
                span.start = span.end.saturating_sub(name.len() as u32).max(span.start);
                Some(self.reads.member(node, name, span, optional))
            }
            ExprKind::Index { object, index } => {
                let node = self.value(object);
                match index.as_slice() {
                    [Expr { kind: ExprKind::Str { text, .. }, span }] => {
                        Some(self.reads.member(node?, text, *span, optional))
                    }
                    [Expr { kind: ExprKind::Slice { .. }, .. }] => node,
                    [Expr { kind: ExprKind::Int(_), .. }] => Some(self.reads.items(node?)),
                    // Which of its members only running tells.
                    other => {
                        self.all(other);
                        None
                    }
                }
            }
            ExprKind::Call { callee, args, types } => self.call(expr, callee, args, types),
            ExprKind::New { class, args } => {
                if self.is_subject(expr.span) {
                    return Some(0);
                }
                let nodes = self.given(args);
                if let Some(class) = class.as_ref().filter(|_| nodes.iter().any(Option::is_some)) {
                    self.hand_over(class, args, &nodes);
                }
                None
            }
            ExprKind::Await(inner) | ExprKind::Spread(inner) => self.visit(inner, optional),
            ExprKind::Named { name, value } => {
                let node = self.visit(value, optional);
                match node {
                    Some(node) => drop(self.names.insert(name.clone(), node)),
                    None => drop(self.names.remove(name)),
                }
                node
            }
            ExprKind::Without { value, .. } => self.value(value),
            ExprKind::Cast { value, kind } => {
                let node = self.visit(value, optional)?;
                if let Some(scope) = self.scope.clone() {
                    self.take_for(node, kind, &scope);
                }
                Some(node)
            }
            ExprKind::Or(left, right) => {
                let left = self.test(left);
                let right = self.visit(right, optional || left.is_some());
                left.or(right)
            }
            ExprKind::And(left, right) => {
                self.test(left);
                self.visit(right, optional)
            }
            ExprKind::Not(inner) => {
                self.test(inner);
                None
            }
            ExprKind::Conditional { test, then, otherwise } => {
                self.test(test);
                let then = self.visit(then, optional);
                let otherwise = self.visit(otherwise, optional);
                then.or(otherwise)
            }
            ExprKind::Compare { op, left, right } => {
                if let (CompareOp::In | CompareOp::NotIn, ExprKind::Str { text, .. }) = (op, &left.kind)
                    && let Some(node) = self.value(right)
                {
                    self.reads.member(node, text, left.span, true);
                    return None;
                }
                let to_nothing = is_nothing(left) || is_nothing(right);
                self.visit(left, to_nothing && self.lenient);
                self.visit(right, to_nothing && self.lenient);
                None
            }
            ExprKind::Binary { left, right, .. } => {
                self.all([&**left, right]);
                None
            }
            ExprKind::Negate(inner) | ExprKind::Yield(Some(inner)) => {
                self.value(inner);
                None
            }
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) | ExprKind::Template(items) => {
                self.all(items);
                None
            }
            ExprKind::Dict(items) | ExprKind::Record(items) => {
                for item in items {
                    match item {
                        DictItem::Pair(key, value) => self.all([key, value]),
                        DictItem::Spread(value) => _ = self.value(value),
                    }
                }
                None
            }
            ExprKind::With { value, with } => {
                self.all([&**value, with]);
                None
            }
            ExprKind::Lambda(function) => {
                self.inner(function, &[]);
                None
            }
            ExprKind::Match { subject, arms } => {
                self.value(subject);
                for arm in arms {
                    arm.test.iter().for_each(|test| _ = self.test(test));
                    self.value(&arm.value);
                }
                None
            }
            ExprKind::Comprehension(comprehension) => {
                let names = self.names.clone();
                for clause in &comprehension.clauses {
                    let node = self.value(&clause.iter).map(|node| self.reads.items(node));
                    self.bind(&clause.target, node);
                    clause.conditions.iter().for_each(|condition| _ = self.test(condition));
                }
                self.value(&comprehension.element);
                comprehension.value.iter().for_each(|value| _ = self.value(value));
                self.names = names;
                None
            }
            _ => None,
        }
    }

    fn is_subject(&self, span: Span) -> bool {
        matches!(self.subject, Subject::Calls(calls) if calls.last() == Some(&span))
    }
}

/// The parameters that a caller gives.
pub(super) fn parameters(function: &Function) -> impl Iterator<Item = &Param> {
    function.parameters.iter().filter(|parameter| {
        parameter.kind == ParamKind::Positional && !matches!(parameter.name.as_str(), "self" | "cls" | "this")
    })
}

/// `this.name`, `self.name`: the key that it has among names.
fn own_member(object: &Expr, name: &str) -> Option<String> {
    let own = matches!(&object.kind, ExprKind::Name(own) if own == "self" || own == "this");
    own.then(|| format!("this.{name}"))
}

fn is_nothing(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::None => true,
        ExprKind::Name(name) => name == "undefined",
        _ => false,
    }
}

fn is_equality(op: CompareOp) -> bool {
    matches!(op, CompareOp::Equal | CompareOp::NotEqual | CompareOp::In | CompareOp::NotIn | CompareOp::Is)
}

/// Whether nothing after a statement runs.
fn ends(statement: &Stmt) -> bool {
    matches!(statement.kind, StmtKind::Return(_) | StmtKind::Raise | StmtKind::Continue | StmtKind::Break)
}
