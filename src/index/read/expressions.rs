//! Expressions: a term for each, and for every name in it.

use super::{Reader, UNKNOWN};
use crate::index::record::{Imported, SymbolId, SymbolKind, Taken, Term, TermId, UseKind};
use crate::model::program::{Arg, BinaryOp, Comprehension, DictItem, Expr, ExprKind, ImportStyle, Signature};
use crate::text::Span;

/// Methods of lists (and of what may be waited for) whose function argument gets what is in them.
const HANDING_ITEMS: &[&str] = &[
    "map",
    "filter",
    "forEach",
    "find",
    "findIndex",
    "findLast",
    "some",
    "every",
    "flatMap",
    "Select",
    "Where",
    "Any",
    "All",
    "First",
    "FirstOrDefault",
    "Single",
    "SingleOrDefault",
    "OrderBy",
    "OrderByDescending",
    "ForEach",
    "SelectMany",
    "Count",
    "Sum",
    "GroupBy",
    "ToDictionary",
];

/// More parameters of a function that is handed to another are not followed.
const MAX_HANDED: usize = 4;
/// More members of an object are not followed.
const MAX_MEMBERS: usize = 24;

impl Reader<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> TermId {
        match &expr.kind {
            ExprKind::Name(name) => {
                let term = self.look_up(name);
                self.note(expr.span.start, name, term);
                term
            }
            ExprKind::Member { object, name } => {
                let object = self.expr(object);
                let term = self.term(Term::Member(object, name.clone()));
                self.note(expr.span.end.saturating_sub(name.len() as u32), name, term);
                term
            }
            ExprKind::Call { callee, types, args } => self.call(callee, types, args),
            ExprKind::New { class, args } => {
                let class = class.as_ref().map(|class| (self.expr(class), class.span));
                if let Some((_, span)) = class {
                    self.mark_call(span);
                }
                self.arguments(args, UNKNOWN, UNKNOWN);
                match class {
                    Some((UNKNOWN, _)) | None => UNKNOWN,
                    Some((class, _)) => self.term(Term::Value(class)),
                }
            }
            ExprKind::With { value, with } => {
                let value = self.expr(value);
                self.expr(with);
                value
            }
            ExprKind::Index { object, index } => {
                let object = self.expr(object);
                let index: Vec<TermId> = index.iter().map(|index| self.expr(index)).collect();
                self.term(Term::Index(object, index))
            }
            ExprKind::List(items) | ExprKind::Set(items) | ExprKind::Tuple(items) => {
                let items: Vec<TermId> = items.iter().map(|item| self.expr(item)).collect();
                let item = self.either(items);
                self.listed_of(item)
            }
            ExprKind::Record(items) => self.record_of(items),
            ExprKind::Dict(items) => {
                let values: Vec<TermId> = items.iter().map(|item| self.item(item)).collect();
                let value = self.either(values);
                self.listed_of(value)
            }
            ExprKind::Cast { value, kind } => {
                self.expr(value);
                let kind = self.expr(kind);
                self.term(Term::Value(kind))
            }
            ExprKind::Binary { op, left, right } => {
                let (left, right) = (self.expr(left), self.expr(right));
                match op {
                    BinaryOp::BitOr | BinaryOp::BitAnd => self.either(vec![left, right]),
                    BinaryOp::Divide => left,
                    _ => UNKNOWN,
                }
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let both = vec![self.expr(left), self.expr(right)];
                self.either(both)
            }
            ExprKind::Conditional { test, then, otherwise } => {
                self.expr(test);
                let both = vec![self.expr(then), self.expr(otherwise)];
                self.either(both)
            }
            ExprKind::Match { subject, arms } => {
                self.expr(subject);
                let mut values = Vec::new();
                for arm in arms {
                    for part in arm.values.iter().chain(&arm.test) {
                        self.expr(part);
                    }
                    values.push(self.expr(&arm.value));
                }
                self.either(values)
            }
            ExprKind::Await(value) => {
                let value = self.expr(value);
                if value == UNKNOWN { UNKNOWN } else { self.term(Term::Awaited(value)) }
            }
            ExprKind::Named { name, value } => {
                let value = self.expr(value);
                let binding = self.bind_here(name);
                let it = &mut self.record.bindings[binding as usize];
                if value != UNKNOWN && it.symbol.is_none() && it.values.len() < super::MAX_CHOICES {
                    it.values.push(value);
                }
                value
            }
            ExprKind::Lambda(function) => {
                self.function(function, None);
                UNKNOWN
            }
            ExprKind::Comprehension(comprehension) => self.comprehension(expr.span, comprehension),
            ExprKind::Str { as_type: Some(inner), .. } => {
                let around = self.quoted.replace(expr.span);
                let term = self.expr(inner);
                self.quoted = around;
                term
            }
            ExprKind::ObjectType(properties) => {
                for property in properties {
                    if let Some(annotation) = &property.annotation {
                        self.expr(annotation);
                    }
                }
                UNKNOWN
            }
            ExprKind::FunctionType(signature) => {
                self.signature_types(signature);
                UNKNOWN
            }
            _ => self.others(expr),
        }
    }

    /// Expressions whose value no name decides.
    fn others(&mut self, expr: &Expr) -> TermId {
        match &expr.kind {
            ExprKind::Template(parts) => parts.iter().for_each(|part| {
                self.expr(part);
            }),
            ExprKind::Slice { lower, upper, step } => {
                for part in [lower, upper, step].into_iter().flatten() {
                    self.expr(part);
                }
            }
            ExprKind::Compare { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::TypeOf(value) | ExprKind::Without { value, .. } => return self.expr(value),
            ExprKind::Not(value) | ExprKind::Negate(value) | ExprKind::Yield(Some(value)) => {
                self.expr(value);
            }
            ExprKind::Spread(value) => {
                let value = self.expr(value);
                return self.term(Term::Item(value));
            }
            _ => {}
        }
        UNKNOWN
    }

    fn listed_of(&mut self, item: TermId) -> TermId {
        if item == UNKNOWN { UNKNOWN } else { self.term(Term::List(item)) }
    }

    fn item(&mut self, item: &DictItem) -> TermId {
        match item {
            DictItem::Pair(key, value) => {
                self.expr(key);
                self.expr(value)
            }
            DictItem::Spread(value) => {
                self.expr(value);
                UNKNOWN
            }
        }
    }

    /// An object that has no name: what its members are.
    fn record_of(&mut self, items: &[DictItem]) -> TermId {
        let mut members = Vec::new();
        for item in items {
            let value = self.item(item);
            if let DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, .. }, _) = item
                && value != UNKNOWN
                && members.len() < MAX_MEMBERS
            {
                members.push((text.clone(), value));
            }
        }
        if members.is_empty() { UNKNOWN } else { self.term(Term::Record(members)) }
    }

    /// The members of an object that a name of the file stands for.
    pub(super) fn object(&mut self, items: &[DictItem], owner: SymbolId) {
        for item in items {
            let DictItem::Pair(Expr { kind: ExprKind::Str { text, .. }, span }, value) = item else {
                self.item(item);
                continue;
            };
            let kind = match &value.kind {
                ExprKind::Lambda(_) => SymbolKind::Method,
                _ => SymbolKind::Variable,
            };
            // `{ a }` uses what it declares.
            let is_short = value.span == *span;
            let symbol = (!is_short && self.source.text.get(span.start as usize..span.end as usize) == Some(text))
                .then(|| {
                    let whole = crate::text::Span { end: value.span.end.max(span.end), ..*span };
                    self.new_symbol(text, *span, whole, kind, Some(owner))
                });
            if let ExprKind::Lambda(function) = &value.kind {
                self.function(function, symbol);
            } else {
                let value = self.expr(value);
                self.add_value(symbol, value);
            }
        }
    }

    fn call(&mut self, callee: &Expr, types: &[Expr], args: &[Arg]) -> TermId {
        if let ExprKind::Name(name) = &callee.kind
            && name == "super"
            && let Some(class) = self.class_around()
        {
            self.arguments(args, UNKNOWN, UNKNOWN);
            return self.term(Term::Super(class));
        }
        if let Some(module) = self.imported_by_call(callee, args) {
            return module;
        }
        let called = self.expr(callee);
        self.mark_call(callee.span);
        types.iter().for_each(|it| {
            self.expr(it);
        });
        let handed = match self.record.terms[called as usize].clone() {
            Term::Member(object, name) if object != UNKNOWN && HANDING_ITEMS.contains(&name.as_str()) => {
                self.term(Term::Item(object))
            }
            Term::Member(object, name) if object != UNKNOWN && name == "then" => self.term(Term::Awaited(object)),
            _ => UNKNOWN,
        };
        self.arguments(args, handed, called);
        if called == UNKNOWN { UNKNOWN } else { self.term(Term::Called(called)) }
    }

    /// The module that `import("./module")` gives, where the call is that and the module is written out.
    fn imported_by_call(&mut self, callee: &Expr, args: &[Arg]) -> Option<TermId> {
        let ExprKind::Name(name) = &callee.kind else { return None };
        let ExprKind::Str { text, .. } = &args.first()?.value().kind else { return None };
        if self.style != ImportStyle::Path || name != "import" || self.is_bound_here(name) {
            return None;
        }
        let line = self.source.position(callee.span.start).line;
        let import = self.record.imports.len() as u32;
        let module = text.clone();
        self.record.imports.push(Imported { module, level: 0, what: Taken::Whole, line });
        let binding = self.bind("");
        self.record.bindings[binding as usize].import = Some(import);
        Some(self.term(Term::Bound(binding)))
    }

    /// Arguments of a call; a function among them gets what is held by the object, or what the callee says.
    fn arguments(&mut self, args: &[Arg], held: TermId, called: TermId) {
        for (at, arg) in args.iter().enumerate() {
            let value = arg.value();
            if let ExprKind::Lambda(function) = &value.kind
                && called != UNKNOWN
            {
                let count = function.parameters.len().min(MAX_HANDED) as u32;
                let said = (0..count).map(|parameter| self.term(Term::Handed(called, at as u32, parameter)));
                let mut handed: Vec<TermId> = said.collect();
                if let Some(first) = handed.first_mut().filter(|_| held != UNKNOWN) {
                    *first = self.either(vec![held, *first]);
                }
                self.handed = handed;
            }
            self.expr(value);
            self.handed.clear();
        }
    }

    /// The name that a callee ends in is called.
    fn mark_call(&mut self, callee: Span) {
        let last = self.words.names.partition_point(|word| word.end <= callee.end).checked_sub(1);
        if let Some(word) = last.map(|at| self.words.names[at]).filter(|word| word.start >= callee.start)
            && (word.end == callee.end || self.is_followed_by_types(word.end))
            && let Some(found) = self.found.get_mut(&word.start)
        {
            found.1 = UseKind::Call;
        }
    }

    fn is_followed_by_types(&self, end: u32) -> bool {
        self.source.text.get(end as usize..).is_some_and(|rest| rest.starts_with(['<', '[']))
    }

    fn comprehension(&mut self, span: Span, comprehension: &Comprehension) -> TermId {
        let before = self.enter((span.start, span.end), None, false);
        for clause in &comprehension.clauses {
            let iter = self.expr(&clause.iter);
            let item = self.term(Term::Item(iter));
            self.bind_target(&clause.target);
            self.assign(&clause.target, item);
            for condition in &clause.conditions {
                self.expr(condition);
            }
        }
        let element = self.expr(&comprehension.element);
        let value = comprehension.value.as_ref().map(|value| self.expr(value));
        self.leave(before);
        self.listed_of(value.unwrap_or(element))
    }

    fn bind_target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => {
                self.bind_here(name);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.bind_target(item)),
            _ => {}
        }
    }

    /// The types of a signature; what it gives.
    pub(super) fn signature_types(&mut self, signature: &Signature) -> TermId {
        for parameter in &signature.parameters {
            if let Some(annotation) = &parameter.annotation {
                self.expr(annotation);
            }
        }
        match &signature.returns {
            Some(returns) => {
                let returns = self.expr(returns);
                self.term(Term::Value(returns))
            }
            None => UNKNOWN,
        }
    }
}
