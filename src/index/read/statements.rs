//! Statements: what they assign, and the insides of functions and classes.

use super::{Reader, UNKNOWN};
use crate::index::record::{SymbolId, SymbolKind, Term, TermId};
use crate::model::program::{
    Class, Expr, ExprKind, Function, ImportStyle, Modifiers, Param, ParamKind, Property, Stmt, StmtKind,
};
use crate::text::Span;

impl Reader<'_> {
    pub(super) fn statements(&mut self, body: &[Stmt]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(value) => {
                self.expr(value);
            }
            StmtKind::Assign { targets, value } => {
                let term = self.assigned(targets.first(), value);
                targets.iter().for_each(|target| self.assign(target, term));
            }
            StmtKind::Annotated { target, annotation, value } => {
                let annotation = self.expr(annotation);
                let declared = self.term(Term::Value(annotation));
                let value = value.as_ref().map_or(UNKNOWN, |value| self.assigned(Some(target), value));
                // What is declared counts, unless it is nothing that is known here.
                self.assign(target, declared);
                self.assign(target, value);
            }
            StmtKind::Augmented { target, value, .. } => {
                self.expr(target);
                self.expr(value);
            }
            StmtKind::Property(property) => self.property(property),
            StmtKind::Function(function) => {
                let symbol = self.symbol_at(function.name_span);
                self.function(function, symbol);
            }
            StmtKind::Class(class) => self.class(class),
            StmtKind::Namespace { name, name_span, body } => self.namespace(name, *name_span, statement.span, body),
            StmtKind::If { test, then, otherwise } => {
                self.expr(test);
                self.statements(then);
                self.statements(otherwise);
            }
            StmtKind::For { target, iter, body, otherwise } => {
                let iter = self.expr(iter);
                let item = self.term(Term::Item(iter));
                self.assign(target, item);
                self.statements(body);
                self.statements(otherwise);
            }
            StmtKind::While { test, body } => {
                self.expr(test);
                self.statements(body);
            }
            StmtKind::With { items, body } => {
                for item in items {
                    let value = self.expr(&item.value);
                    if let Some(target) = &item.target {
                        self.assign(target, value);
                    }
                }
                self.statements(body);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.statements(body);
                handlers.iter().for_each(|handler| self.statements(handler));
                self.statements(otherwise);
                self.statements(finally);
            }
            StmtKind::Match { subject, cases } => {
                self.expr(subject);
                for case in cases {
                    case.values.iter().for_each(|value| {
                        self.expr(value);
                    });
                    self.statements(&case.body);
                }
            }
            StmtKind::Return(Some(value)) => {
                let value = self.expr(value);
                if let Some(returned) = self.returned.last_mut() {
                    returned.push(value);
                }
            }
            StmtKind::TypeAlias { name, value, .. } => {
                let value = self.expr(value);
                let symbol = self.binding(name).and_then(|at| self.record.bindings[at as usize].symbol);
                self.add_value(symbol, value);
            }
            StmtKind::Import(_) | StmtKind::Return(None) | StmtKind::Raise | StmtKind::Continue | StmtKind::Break => {}
        }
    }

    /// The symbol whose name stands at a place.
    pub(super) fn symbol_at(&self, place: Span) -> Option<SymbolId> {
        self.symbol_at.get(&place.start).copied()
    }

    pub(super) fn add_value(&mut self, symbol: Option<SymbolId>, value: TermId) {
        if value == UNKNOWN {
            return;
        }
        if let Some(symbol) = symbol.and_then(|at| self.record.symbols.get_mut(at as usize))
            && symbol.values.len() < super::MAX_CHOICES
            && !symbol.values.contains(&value)
        {
            symbol.values.push(value);
        }
    }

    /// What is assigned. A function is the inside of the name that it gets, and so are the members of an object.
    fn assigned(&mut self, target: Option<&Expr>, value: &Expr) -> TermId {
        let symbol = target.filter(|it| matches!(it.kind, ExprKind::Name(_))).and_then(|it| self.symbol_at(it.span));
        match (&value.kind, symbol) {
            (ExprKind::Lambda(function), Some(symbol)) => {
                self.function(function, Some(symbol));
                UNKNOWN
            }
            (ExprKind::Record(items), Some(symbol)) if self.record.symbols[symbol as usize].parent.is_none() => {
                self.object(items, symbol);
                UNKNOWN
            }
            _ => self.expr(value),
        }
    }

    pub(super) fn assign(&mut self, target: &Expr, value: TermId) {
        match &target.kind {
            ExprKind::Name(name) => {
                let term = self.look_up(name);
                self.note(target.span.start, name, term);
                if let Term::Bound(binding) = self.record.terms[term as usize] {
                    let it = &mut self.record.bindings[binding as usize];
                    let symbol = it.symbol;
                    let is_new = value != UNKNOWN && !it.values.contains(&value);
                    if symbol.is_some() {
                        self.add_value(symbol, value);
                    } else if is_new && it.values.len() < super::MAX_CHOICES {
                        it.values.push(value);
                    }
                }
            }
            ExprKind::Member { object, name } => {
                self.expr(target);
                if let ExprKind::Name(object) = &object.kind
                    && let Some(class) = self.class_of_self(object)
                {
                    self.attribute(class, name, target, value);
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                let item = self.term(Term::Item(value));
                let item = if value == UNKNOWN { UNKNOWN } else { item };
                items.iter().for_each(|target| self.assign(target, item));
            }
            ExprKind::Spread(inner) => self.assign(inner, UNKNOWN),
            _ => {
                self.expr(target);
            }
        }
    }

    fn class_of_self(&self, name: &str) -> Option<SymbolId> {
        let binding = self.binding(name)?;
        let values = &self.record.bindings[binding as usize].values;
        values.iter().find_map(|value| match self.record.terms[*value as usize] {
            Term::This(class) => Some(class),
            _ => None,
        })
    }

    /// `self.name = value`: an attribute that no statement of the class declares.
    fn attribute(&mut self, class: SymbolId, name: &str, target: &Expr, value: TermId) {
        let start = target.span.end.saturating_sub(name.len() as u32);
        let known = self.members.get(&(class, name.to_owned())).copied();
        let symbol = known.unwrap_or_else(|| {
            let place = Span { start, ..target.span };
            self.new_symbol(name, place, target.span, SymbolKind::Variable, Some(class))
        });
        if self.record.symbols[symbol as usize].kind == SymbolKind::Variable {
            self.add_value(Some(symbol), value);
        }
    }

    fn property(&mut self, property: &Property) {
        property.decorators.iter().for_each(|decorator| {
            self.expr(decorator);
        });
        let symbol = self.symbol_at(property.name_span);
        if let Some(annotation) = &property.annotation {
            let value = if let ExprKind::FunctionType(signature) = &annotation.kind {
                let mut hands = Vec::new();
                let parameters = signature.parameters.iter().filter(|it| it.name != "this");
                for (at, parameter) in parameters.enumerate() {
                    if let Some(types) = parameter.annotation.as_ref().and_then(|it| self.handed_on(it)) {
                        hands.push((at as u32, types));
                    }
                }
                if let Some(it) = symbol.and_then(|at| self.record.symbols.get_mut(at as usize)) {
                    it.hands = hands;
                }
                // A method that is only declared: what it gives is what matters.
                self.signature_types(signature)
            } else {
                let annotation = self.expr(annotation);
                self.term(Term::Value(annotation))
            };
            self.add_value(symbol, value);
        }
        match property.value.as_ref() {
            Some(Expr { kind: ExprKind::Lambda(function), .. }) => self.function(function, symbol),
            Some(value) => {
                let value = self.expr(value);
                self.add_value(symbol, value);
            }
            None => {}
        }
        if let Some(getter) = &property.getter {
            self.function(getter, symbol);
        }
    }

    fn namespace(&mut self, name: &str, name_span: Span, span: Span, body: &[Stmt]) {
        if self.style == ImportStyle::Namespace {
            self.statements(body);
            return;
        }
        let symbol = self.symbol_at(name_span);
        let before = self.enter((span.start, span.end), symbol, false);
        self.declare(body);
        self.statements(body);
        self.leave(before);
        let _ = name;
    }

    fn class(&mut self, class: &Class) {
        for decorator in &class.decorators {
            self.expr(decorator);
        }
        let mut bases: Vec<TermId> = class.bases.iter().map(|base| self.expr(base)).collect();
        for (keyword, value) in &class.keywords {
            let value = self.expr(value);
            if keyword == "implements" {
                bases.push(value);
            }
        }
        let symbol = self.symbol_at(class.name_span);
        if let Some(symbol) = symbol {
            let doc = self.doc_in(&class.body);
            let it = &mut self.record.symbols[symbol as usize];
            it.bases = bases.into_iter().filter(|base| *base != UNKNOWN).collect();
            if let Some(doc) = doc {
                it.doc = doc;
            }
        }
        let before = self.enter((class.span.start, class.span.end), symbol, true);
        for parameter in &class.type_parameters {
            let bound = parameter.bound.as_ref().map_or(UNKNOWN, |bound| self.expr(bound));
            let binding = self.bind_here(&parameter.name);
            self.record.bindings[binding as usize].values.push(bound);
        }
        self.declare(&class.body);
        self.statements(&class.body);
        self.leave(before);
    }

    pub(super) fn function(&mut self, function: &Function, symbol: Option<SymbolId>) {
        for decorator in &function.decorators {
            self.expr(decorator);
        }
        let handed = std::mem::take(&mut self.handed);
        let class = self.scopes[self.scope].is_class.then(|| self.class_around()).flatten();
        let before = self.enter((function.span.start, function.span.end), symbol, false);
        for parameter in &function.type_parameters {
            let bound = parameter.bound.as_ref().map_or(UNKNOWN, |bound| self.expr(bound));
            let binding = self.bind_here(&parameter.name);
            self.record.bindings[binding as usize].values.push(bound);
        }
        let marked = |name: &str| {
            function.decorators.iter().any(|it| matches!(&it.kind, ExprKind::Name(known) if known == name))
        };
        let mut hands = Vec::new();
        let is_static = marked("staticmethod") || function.modifiers.has(Modifiers::STATIC);
        for (at, parameter) in function.parameters.iter().enumerate() {
            let mut values = self.parameter(parameter);
            let is_self = at == 0 && !is_static && (self.style == ImportStyle::Dotted || parameter.name == "this");
            let given = at - usize::from(at > 0 && !is_static && class.is_some());
            if let Some(annotation) = parameter.annotation.as_ref().filter(|_| !is_self)
                && let Some(types) = self.handed_on(annotation)
            {
                hands.push((given as u32, types));
            }
            if let Some(class) = class.filter(|_| is_self) {
                let whole = marked("classmethod") || matches!(function.name.as_str(), "__new__" | "__init_subclass__");
                values = vec![self.term(if whole { Term::Class(class) } else { Term::This(class) })];
            } else if values.is_empty()
                && let Some(given) = handed.get(at)
            {
                values.push(*given);
            }
            let binding = self.bind_here(&parameter.name);
            self.record.bindings[binding as usize].values = values;
        }
        let declared = function.returns.as_ref().map(|returns| self.expr(returns));
        self.returned.push(Vec::new());
        self.declare(&function.body);
        self.statements(&function.body);
        let returned = self.returned.pop().unwrap_or_default();
        self.leave(before);
        let value = match declared {
            Some(declared) => self.term(Term::Value(declared)),
            None => self.either(returned),
        };
        let doc = self.doc_in(&function.body);
        if let Some(it) = symbol.and_then(|at| self.record.symbols.get_mut(at as usize)) {
            it.hands = hands;
            if let Some(doc) = doc {
                it.doc = doc;
            }
        }
        self.add_value(symbol, value);
    }

    /// What a function gets that is of a written type: `(tx: Store) => void`, `Func<Store, Task>`.
    pub(super) fn handed_on(&mut self, annotation: &Expr) -> Option<Vec<TermId>> {
        let types: Vec<Option<&Expr>> = match &annotation.kind {
            ExprKind::FunctionType(signature) => {
                signature.parameters.iter().map(|parameter| parameter.annotation.as_ref()).collect()
            }
            ExprKind::Index { object, index } if matches!(&object.kind, ExprKind::Name(name) if name == "Func" || name == "Action") => {
                index.iter().map(Some).collect()
            }
            _ => return None,
        };
        let terms = types.into_iter().map(|it| match it {
            Some(it) => {
                let term = self.expr(it);
                self.term(Term::Value(term))
            }
            None => UNKNOWN,
        });
        Some(terms.collect())
    }

    fn parameter(&mut self, parameter: &Param) -> Vec<TermId> {
        let mut values = Vec::new();
        for decorator in &parameter.decorators {
            self.expr(decorator);
        }
        if let Some(annotation) = &parameter.annotation {
            let annotation = self.expr(annotation);
            let value = self.term(Term::Value(annotation));
            let several =
                matches!(parameter.kind, ParamKind::Rest | ParamKind::KeywordRest) && self.style == ImportStyle::Dotted;
            values.push(if several { self.term(Term::List(value)) } else { value });
        }
        if let Some(default) = &parameter.default {
            let default = self.expr(default);
            if default != UNKNOWN {
                values.push(default);
            }
        }
        values
    }
}
