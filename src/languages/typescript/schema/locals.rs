//! The local names of a function, with what each is declared to be.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::narrowing::{Absent, absences};
use super::types::Type;
use super::typing::Place;
use crate::evaluate::Scope;
use crate::model::program::{CompareOp, Expr, ExprKind, Function, Param, Stmt, StmtKind};
use crate::text::Span;

/// The names of one function, and of the functions around it.
pub struct Locals<'p> {
    names: FxHashMap<&'p str, Vec<Declared<'p>>>,
    /// Where a name or a member of one (`user.name`) is known not to be null.
    known: FxHashMap<String, Vec<(u32, u32)>>,
    /// Where one is known to count as false.
    pub(super) absent: Absent,
    /// Types of parameters that the caller knows, by name.
    pub given: RefCell<FxHashMap<&'p str, Type<'p>>>,
    /// What the caller gives for parameters, by name.
    pub args: RefCell<FxHashMap<&'p str, (&'p Expr, Place<'p>)>>,
    pub parent: Option<Rc<Locals<'p>>>,
    /// The call that is running, whose values may say more than types.
    pub frame: Option<Scope<'p>>,
    /// Where in that call: in one pass of its loops.
    pub(super) within: Option<Scope<'p>>,
    /// What `this` is.
    pub this: Option<Type<'p>>,
    /// The statements of the function.
    pub(super) body: Option<&'p [Stmt]>,
}

struct Declared<'p> {
    /// The block in which it can be seen.
    block: (u32, u32),
    local: Local<'p>,
    /// Declared without a value: one of several assignments gives it one.
    late: bool,
}

/// What a local name is declared by.
#[derive(Clone, Copy)]
pub enum Local<'p> {
    Value(&'p Expr),
    /// With the value that it begins with.
    Annotated(&'p Expr, Option<&'p Expr>),
    /// One of the values that a value is taken apart into.
    Part(&'p Expr, usize),
    /// The element of a sequence that a loop goes over.
    Element(&'p Expr),
    /// One of the values that such an element is taken apart into.
    ElementPart(&'p Expr, usize),
    Param(&'p Param),
    Function(&'p Function),
    /// Declared without a value; the assignments to it say what it is.
    Late,
}

impl<'p> Locals<'p> {
    /// The call that a parameter is of, where that ran.
    pub fn frame_of(&self, parameter: &Param) -> Option<Scope<'p>> {
        let mut next = Some(self);
        while let Some(here) = next {
            let function = here.frame.as_ref().and_then(Scope::function);
            if function.is_some_and(|it| it.parameters.iter().any(|known| std::ptr::eq(known, parameter))) {
                return here.frame.clone();
            }
            next = here.parent.as_deref();
        }
        None
    }

    pub fn of(function: &'p Function, parent: Option<Rc<Locals<'p>>>, frame: Option<Scope<'p>>) -> Self {
        let mut names = FxHashMap::default();
        let whole = (function.span.start, function.span.end);
        for param in &function.parameters {
            declare(&mut names, &param.name, whole, Local::Param(param));
        }
        block(&function.body, whole, &mut names);
        let mut known = FxHashMap::default();
        guards(&function.body, whole, &mut known);
        let mut absent = Absent::default();
        absences(&function.body, &mut absent);
        let body = Some(function.body.as_slice());
        Locals { names, known, absent, frame, body, ..Locals::nothing(parent) }
    }

    /// No name but `this`: where the value of a property stands.
    pub fn of_this(this: Type<'p>) -> Self {
        Locals { this: Some(this), ..Locals::nothing(None) }
    }

    fn nothing(parent: Option<Rc<Locals<'p>>>) -> Self {
        let (given, args) = (RefCell::default(), RefCell::default());
        let (names, known, absent) = (FxHashMap::default(), FxHashMap::default(), Absent::default());
        Locals { names, known, absent, given, args, parent, frame: None, within: None, this: None, body: None }
    }

    /// Where in a call that ran its names are looked up.
    pub(super) fn innermost_own(&self) -> Option<Scope<'p>> {
        self.within.clone().or_else(|| self.frame.clone())
    }

    /// The same of the functions around as well.
    pub(super) fn innermost(&self) -> Option<Scope<'p>> {
        let mut next = Some(self);
        while let Some(here) = next {
            if let Some(scope) = here.innermost_own() {
                return Some(scope);
            }
            next = here.parent.as_deref();
        }
        None
    }

    /// The same names where a condition holds, in what stands under it.
    pub fn under(parent: Option<Rc<Locals<'p>>>, test: &Expr, holds: bool, branch: &Expr) -> Option<Rc<Locals<'p>>> {
        let mut keys = Vec::new();
        if holds {
            truthy(test, &mut keys);
        } else {
            falsy(test, &mut keys);
        }
        if keys.is_empty() {
            return parent;
        }
        let range = (branch.span.start, branch.span.end);
        let known = keys.into_iter().map(|key| (key, vec![range])).collect();
        Some(Rc::new(Locals { known, ..Locals::nothing(parent) }))
    }

    /// Whether a name or member is known not to be null at its place.
    pub fn is_guarded(&self, expr: &Expr) -> bool {
        let mut next = Some(self);
        let mut key = None;
        while let Some(here) = next {
            if !here.known.is_empty() {
                let key = match &key {
                    Some(key) => key,
                    None => match path_of(expr) {
                        Some(path) => key.insert(path),
                        None => return false,
                    },
                };
                let at = expr.span.start;
                if here.known.get(key).is_some_and(|ranges| ranges.iter().any(|range| range.0 <= at && at < range.1)) {
                    return true;
                }
            }
            next = here.parent.as_deref();
        }
        false
    }

    /// The declaration of a name that is visible at a place: the one of the smallest block around it.
    pub fn find(&self, name: &str, at: Span) -> Option<Local<'p>> {
        let visible =
            self.names.get(name)?.iter().filter(|known| known.block.0 <= at.start && at.start < known.block.1);
        visible.min_by_key(|known| known.block.1 - known.block.0).map(|known| known.local)
    }

    /// Whether a name was declared without a value.
    pub(super) fn is_late(&self, name: &str, at: Span) -> bool {
        let Some(known) = self.names.get(name) else { return false };
        let visible = known.iter().filter(|known| known.block.0 <= at.start && at.start < known.block.1);
        visible.min_by_key(|known| known.block.1 - known.block.0).is_some_and(|known| known.late)
    }

    /// Every value that is assigned to a name in the block where it is declared.
    pub fn assigned(&self, name: &str, at: Span) -> Vec<&'p Expr> {
        let Some(known) = self.names.get(name) else { return Vec::new() };
        let visible = known.iter().filter(|known| known.block.0 <= at.start && at.start < known.block.1);
        visible
            .filter_map(|known| match known.local {
                Local::Value(value) if !matches!(value.kind, ExprKind::None) => Some(value),
                _ => None,
            })
            .collect()
    }
}

type Names<'p> = FxHashMap<&'p str, Vec<Declared<'p>>>;

fn declare<'p>(names: &mut Names<'p>, name: &'p str, block: (u32, u32), local: Local<'p>) {
    let known = names.entry(name).or_default();
    // Of several assignments in one block the first declares; a value is more than none.
    let same = known.iter_mut().find(|known| known.block == block);
    match same {
        Some(known) if matches!(known.local, Local::Late) => known.local = local,
        Some(_) => {}
        None => known.push(Declared { block, local, late: false }),
    }
}

fn block<'p>(statements: &'p [Stmt], range: (u32, u32), names: &mut Names<'p>) {
    for statement in statements {
        let inner = (statement.span.start, statement.span.end);
        match &statement.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    match &target.kind {
                        ExprKind::Name(name) => assign(names, name, range, statement, value),
                        ExprKind::Tuple(parts) | ExprKind::List(parts) => {
                            for (name, at) in part_names(parts) {
                                declare(names, name, range, Local::Part(value, at));
                            }
                        }
                        _ => {}
                    }
                }
            }
            StmtKind::Annotated { target: Expr { kind: ExprKind::Name(name), .. }, annotation, value } => {
                declare(names, name, range, Local::Annotated(annotation, value.as_ref()));
            }
            StmtKind::Function(function) => declare(names, &function.name, range, Local::Function(function)),
            StmtKind::If { then, otherwise, .. } => {
                block(then, span_of(then, inner), names);
                block(otherwise, span_of(otherwise, inner), names);
            }
            StmtKind::For { target, iter, body, otherwise } => {
                match &target.kind {
                    ExprKind::Name(name) => declare(names, name, inner, Local::Element(iter)),
                    ExprKind::Tuple(parts) | ExprKind::List(parts) => {
                        for (name, at) in part_names(parts) {
                            declare(names, name, inner, Local::ElementPart(iter, at));
                        }
                    }
                    _ => {}
                }
                block(body, inner, names);
                block(otherwise, inner, names);
            }
            StmtKind::While { body, .. } => block(body, inner, names),
            StmtKind::With { body, .. } => block(body, inner, names),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                block(body, span_of(body, inner), names);
                for handler in handlers {
                    block(handler, span_of(handler, inner), names);
                }
                block(otherwise, inner, names);
                block(finally, span_of(finally, inner), names);
            }
            StmtKind::Match { cases, .. } => {
                for case in cases {
                    block(&case.body, inner, names);
                }
            }
            _ => {}
        }
    }
}

/// The names among the targets of `[a, , b] = …`, each with its place.
fn part_names(parts: &[Expr]) -> impl Iterator<Item = (&str, usize)> {
    parts.iter().enumerate().filter_map(|(at, part)| match &part.kind {
        ExprKind::Name(name) => Some((name.as_str(), at)),
        _ => None,
    })
}

/// An assignment declares a name unless a block around it did.
fn assign<'p>(names: &mut Names<'p>, name: &'p str, range: (u32, u32), statement: &Stmt, value: &'p Expr) {
    // A declaration has the span of its declarator, a mere assignment that of the statement: neither tells which it is,
    // so a name that is known around the place is taken to be the same one where the outer has no value yet.
    let outer = names.get_mut(name).and_then(|known| {
        let around = |known: &&mut Declared<'p>| {
            known.block.0 <= statement.span.start && statement.span.start < known.block.1 && known.block != range
        };
        known.iter_mut().filter(around).min_by_key(|known| known.block.1 - known.block.0)
    });
    let nothing = matches!(value.kind, ExprKind::None);
    if let Some(outer) = outer
        && matches!(outer.local, Local::Late)
    {
        if !nothing {
            outer.local = Local::Value(value);
            outer.late = true;
        }
        return;
    }
    declare(names, name, range, if nothing { Local::Late } else { Local::Value(value) });
}

pub(super) fn span_of(statements: &[Stmt], otherwise: (u32, u32)) -> (u32, u32) {
    match (statements.first(), statements.last()) {
        (Some(first), Some(last)) => (first.span.start, last.span.end.min(otherwise.1)),
        _ => otherwise,
    }
}

/// Where conditions say that something is not null: in the branch that they lead to, and after one that ends the block.
fn guards(statements: &[Stmt], range: (u32, u32), known: &mut FxHashMap<String, Vec<(u32, u32)>>) {
    let mut add = |keys: Vec<String>, range: (u32, u32)| {
        for key in keys {
            known.entry(key).or_default().push(range);
        }
    };
    let mut inner: Vec<(&[Stmt], (u32, u32))> = Vec::new();
    for statement in statements {
        let whole = (statement.span.start, statement.span.end);
        match &statement.kind {
            StmtKind::If { test, then, otherwise } => {
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                truthy(test, &mut yes);
                falsy(test, &mut no);
                add(yes, span_of(then, whole));
                if ends(then) {
                    add(no, (whole.1, range.1));
                } else {
                    add(no, span_of(otherwise, (0, 0)));
                }
                inner.push((then, span_of(then, whole)));
                inner.push((otherwise, span_of(otherwise, whole)));
            }
            StmtKind::For { body, otherwise, .. } => inner.extend([(body.as_slice(), whole), (otherwise, whole)]),
            StmtKind::While { body, .. } | StmtKind::With { body, .. } => inner.push((body, whole)),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                inner.push((body, span_of(body, whole)));
                inner.extend(handlers.iter().map(|handler| (handler.as_slice(), span_of(handler, whole))));
                inner.extend([(otherwise.as_slice(), whole), (finally, span_of(finally, whole))]);
            }
            StmtKind::Match { cases, .. } => {
                inner.extend(cases.iter().map(|case| (case.body.as_slice(), span_of(&case.body, whole))));
            }
            _ => {}
        }
    }
    for (block, range) in inner {
        guards(block, range, known);
    }
}

/// Whether nothing after a block runs once it ran.
fn ends(block: &[Stmt]) -> bool {
    match block.last().map(|last| &last.kind) {
        Some(StmtKind::Return(_) | StmtKind::Raise | StmtKind::Continue | StmtKind::Break) => true,
        Some(StmtKind::If { then, otherwise, .. }) => ends(then) && ends(otherwise),
        _ => false,
    }
}

/// What is not null where a condition holds.
fn truthy(test: &Expr, keys: &mut Vec<String>) {
    match &test.kind {
        ExprKind::Name(_) | ExprKind::Member { .. } => {
            let mut next = Some(test);
            // `a?.b` holds only where there is an `a`.
            while let Some(expr) = next {
                keys.extend(path_of(expr));
                next = if let ExprKind::Member { object, .. } = &expr.kind { Some(object) } else { None };
            }
        }
        ExprKind::And(left, right) => {
            truthy(left, keys);
            truthy(right, keys);
        }
        ExprKind::Not(inner) => falsy(inner, keys),
        ExprKind::Compare { op: CompareOp::NotEqual | CompareOp::IsNot, left, right } if is_nothing(right) => {
            keys.extend(path_of(left));
        }
        _ => {}
    }
}

/// What is not null where a condition does not hold.
fn falsy(test: &Expr, keys: &mut Vec<String>) {
    match &test.kind {
        ExprKind::Not(inner) => truthy(inner, keys),
        ExprKind::Or(left, right) => {
            falsy(left, keys);
            falsy(right, keys);
        }
        ExprKind::Compare { op: CompareOp::Equal | CompareOp::Is, left, right } if is_nothing(right) => {
            keys.extend(path_of(left));
        }
        _ => {}
    }
}

fn is_nothing(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::None => true,
        ExprKind::Name(name) => name == "undefined",
        _ => false,
    }
}

/// `a`, `a.b.c`, as text.
pub(super) fn path_of(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Member { object, name } => Some(format!("{}.{name}", path_of(object)?)),
        _ => None,
    }
}
