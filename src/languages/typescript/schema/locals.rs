//! The local names of a function, with what each is declared to be.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::types::Type;
use crate::evaluate::Scope;
use crate::model::program::{Expr, ExprKind, Function, Param, Stmt, StmtKind};
use crate::text::Span;

/// The names of one function, and of the functions around it.
pub struct Locals<'p> {
    names: FxHashMap<&'p str, Vec<Declared<'p>>>,
    /// Types of parameters that the caller knows, by name.
    pub given: RefCell<FxHashMap<&'p str, Type<'p>>>,
    pub parent: Option<Rc<Locals<'p>>>,
    /// The call that is running, whose values may say more than types.
    pub frame: Option<Scope<'p>>,
    /// What `this` is.
    pub this: Option<Type<'p>>,
}

struct Declared<'p> {
    /// The block in which it can be seen.
    block: (u32, u32),
    local: Local<'p>,
}

/// What a local name is declared by.
#[derive(Clone, Copy)]
pub enum Local<'p> {
    Value(&'p Expr),
    Annotated(&'p Expr),
    /// The element of a sequence that a loop goes over.
    Element(&'p Expr),
    Param(&'p Param),
    Function(&'p Function),
    /// Declared without a value; the assignments to it say what it is.
    Late,
}

impl<'p> Locals<'p> {
    pub fn of(function: &'p Function, parent: Option<Rc<Locals<'p>>>, frame: Option<Scope<'p>>) -> Self {
        let mut names = FxHashMap::default();
        let whole = (function.span.start, function.span.end);
        for param in &function.parameters {
            declare(&mut names, &param.name, whole, Local::Param(param));
        }
        block(&function.body, whole, &mut names);
        Locals { names, given: RefCell::default(), parent, frame, this: None }
    }

    /// The declaration of a name that is visible at a place: the one of the smallest block around it.
    pub fn find(&self, name: &str, at: Span) -> Option<Local<'p>> {
        let visible = self.names.get(name)?.iter().filter(|known| known.block.0 <= at.start && at.start < known.block.1);
        visible.min_by_key(|known| known.block.1 - known.block.0).map(|known| known.local)
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
        None => known.push(Declared { block, local }),
    }
}

fn block<'p>(statements: &'p [Stmt], range: (u32, u32), names: &mut Names<'p>) {
    for statement in statements {
        let inner = (statement.span.start, statement.span.end);
        match &statement.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    if let ExprKind::Name(name) = &target.kind {
                        assign(names, name, range, statement, value);
                    }
                }
            }
            StmtKind::Annotated { target: Expr { kind: ExprKind::Name(name), .. }, annotation, .. } => {
                declare(names, name, range, Local::Annotated(annotation));
            }
            StmtKind::Function(function) => declare(names, &function.name, range, Local::Function(function)),
            StmtKind::If { then, otherwise, .. } => {
                block(then, span_of(then, inner), names);
                block(otherwise, span_of(otherwise, inner), names);
            }
            StmtKind::For { target, iter, body, otherwise } => {
                if let ExprKind::Name(name) = &target.kind {
                    declare(names, name, inner, Local::Element(iter));
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
        }
        return;
    }
    declare(names, name, range, if nothing { Local::Late } else { Local::Value(value) });
}

fn span_of(statements: &[Stmt], otherwise: (u32, u32)) -> (u32, u32) {
    match (statements.first(), statements.last()) {
        (Some(first), Some(last)) => (first.span.start, last.span.end.min(otherwise.1)),
        _ => otherwise,
    }
}
