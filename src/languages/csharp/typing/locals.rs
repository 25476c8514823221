//! The names of a function, and what each is declared by.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Place;
use super::walk::{blocks, expressions, inner};
use crate::evaluate::Value;
use crate::model::program::{CompareOp, Comprehension, Expr, ExprKind, Function, Param, Stmt, StmtKind};
use crate::text::Span;

/// What a name is declared by.
#[derive(Clone)]
pub(super) enum Local<'p> {
    Param(&'p Param),
    Value(&'p Expr),
    Annotated(&'p Expr, Option<&'p Expr>),
    /// What goes through a loop.
    Element(&'p Expr),
    /// One of the values that a value, or what goes through a loop, is taken apart into.
    Part(&'p Expr, bool, Rc<[usize]>),
    /// What a call gives through an argument: the call, which of its arguments, and the type where it is written.
    Out(&'p Expr, usize, Option<&'p Expr>),
    Function(&'p Function),
}

struct Declared<'p> {
    /// The block in which it can be seen.
    block: (u32, u32),
    local: Local<'p>,
}

/// The names that one function declares.
#[derive(Default)]
pub(super) struct Table<'p> {
    names: FxHashMap<&'p str, Vec<Declared<'p>>>,
    /// Names that the function asks whether they are null.
    tested: FxHashSet<&'p str>,
}

/// The names of one function as it is looked at, and of those around it.
pub struct Locals<'p> {
    pub(super) table: Rc<Table<'p>>,
    /// Types of parameters that whoever calls knows.
    pub(super) given: Vec<(&'p str, Value<'p>)>,
    /// What the call gives for parameters, and where that stands.
    pub(super) args: Vec<(&'p str, &'p Expr, Place<'p>)>,
    pub(super) parent: Option<Rc<Locals<'p>>>,
    /// Types of expressions that were asked for.
    pub(super) known: RefCell<FxHashMap<*const Expr, Value<'p>>>,
}

impl<'p> Locals<'p> {
    pub(super) fn new(
        table: Rc<Table<'p>>,
        given: Vec<(&'p str, Value<'p>)>,
        parent: Option<Rc<Locals<'p>>>,
    ) -> Rc<Self> {
        Rc::new(Locals { table, given, args: Vec::new(), parent, known: RefCell::default() })
    }

    /// What the call gives for a parameter.
    pub(super) fn arg(&self, name: &str) -> Option<(&'p Expr, Place<'p>)> {
        self.args.iter().find(|(known, ..)| *known == name).map(|(_, value, place)| (*value, place.clone()))
    }
}

impl<'p> Table<'p> {
    pub(super) fn of(function: &'p Function) -> Self {
        let mut table = Table::default();
        let whole = (function.span.start, function.span.end);
        for param in &function.parameters {
            table.declare(&param.name, whole, Local::Param(param));
        }
        table.block(&function.body, whole);
        table
    }

    /// The names of statements that stand in no function.
    pub(super) fn of_block(block: &'p [Stmt]) -> Self {
        let mut table = Table::default();
        table.block(block, (0, u32::MAX));
        table
    }

    pub(super) fn of_query(query: &'p Comprehension, span: Span) -> Self {
        let mut table = Table::default();
        for clause in &query.clauses {
            let whole = (span.start, span.end);
            // `let a = b` goes through a list of one.
            match (&clause.target.kind, &clause.iter.kind) {
                (ExprKind::Name(name), ExprKind::List(items)) if items.len() == 1 => {
                    table.declare(name, whole, Local::Value(&items[0]));
                }
                (ExprKind::Name(name), _) => table.declare(name, whole, Local::Element(&clause.iter)),
                _ => {}
            }
        }
        table
    }

    /// The declaration that can be seen from a place: C# does not let inner blocks declare a name again.
    pub(super) fn find(&self, name: &str, at: Span) -> Option<&Local<'p>> {
        let known = self.names.get(name)?;
        let visible = || known.iter().filter(|known| known.block.0 <= at.start && at.start < known.block.1);
        let declared = visible().find(|known| matches!(known.local, Local::Annotated(..)));
        let found = declared.or_else(|| visible().min_by_key(|known| std::cmp::Reverse(known.block.1 - known.block.0)));
        found.map(|known| &known.local)
    }

    /// Every value that a name is given in the block that declares it and in those inside of it.
    pub(super) fn values(&self, name: &str, at: Span) -> Vec<&'p Expr> {
        let Some(known) = self.names.get(name) else { return Vec::new() };
        let visible = known.iter().filter(|known| known.block.0 <= at.start && at.start < known.block.1);
        let Some(around) = visible.map(|known| known.block).min_by_key(|block| std::cmp::Reverse(block.1 - block.0))
        else {
            return Vec::new();
        };
        known
            .iter()
            .filter(|known| around.0 <= known.block.0 && known.block.1 <= around.1)
            .filter_map(|known| match known.local {
                Local::Value(value) | Local::Annotated(_, Some(value)) => Some(value),
                _ => None,
            })
            .collect()
    }

    pub(super) fn is_tested(&self, name: &str) -> bool {
        self.tested.contains(name)
    }

    fn declare(&mut self, name: &'p str, block: (u32, u32), local: Local<'p>) {
        self.names.entry(name).or_default().push(Declared { block, local });
    }

    fn block(&mut self, statements: &'p [Stmt], range: (u32, u32)) {
        let mut next = vec![(statements, range)];
        while let Some((statements, range)) = next.pop() {
            for statement in statements {
                self.statement(statement, range);
                expressions(statement, &mut |expr| self.expression(expr, range));
                let whole = (statement.span.start, statement.span.end);
                blocks(statement, &mut |block| next.push((block, span_of(block, whole))));
            }
        }
    }

    fn statement(&mut self, statement: &'p Stmt, range: (u32, u32)) {
        match &statement.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    match &target.kind {
                        ExprKind::Name(name) => self.declare(name, range, Local::Value(value)),
                        ExprKind::Tuple(parts) => self.parts(parts, range, value, false, &[]),
                        _ => {}
                    }
                }
            }
            StmtKind::Annotated { target: Expr { kind: ExprKind::Name(name), .. }, annotation, value } => {
                self.declare(name, range, Local::Annotated(annotation, value.as_ref()));
            }
            StmtKind::Function(function) => self.declare(&function.name, range, Local::Function(function)),
            StmtKind::For { target, iter, body, .. } => {
                let inside = span_of(body, (statement.span.start, statement.span.end));
                let inside = (inside.0.min(target.span.start), statement.span.end.max(inside.1));
                match &target.kind {
                    ExprKind::Name(name) => self.declare(name, inside, Local::Element(iter)),
                    ExprKind::Tuple(parts) => self.parts(parts, inside, iter, true, &[]),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// `var (a, (b, _)) = value`
    fn parts(&mut self, parts: &'p [Expr], range: (u32, u32), value: &'p Expr, element: bool, path: &[usize]) {
        for (at, part) in parts.iter().enumerate() {
            let path: Vec<usize> = path.iter().copied().chain([at]).collect();
            match &part.kind {
                ExprKind::Name(name) => self.declare(name, range, Local::Part(value, element, path.into())),
                ExprKind::Tuple(parts) if path.len() < 8 => self.parts(parts, range, value, element, &path),
                _ => {}
            }
        }
    }

    /// Names that are declared inside of an expression, functions left out.
    fn expression(&mut self, expr: &'p Expr, range: (u32, u32)) {
        let mut next = vec![expr];
        while let Some(expr) = next.pop() {
            match &expr.kind {
                ExprKind::Named { name, value } if !is_out(value) => {
                    self.declare(name, range, Local::Value(value));
                }
                ExprKind::Call { args, .. } => {
                    for (at, arg) in args.iter().enumerate() {
                        if let ExprKind::Named { name, value } = &arg.value().kind
                            && is_out(value)
                        {
                            self.declare(name, range, Local::Out(expr, at, written_type(value)));
                        }
                    }
                }
                ExprKind::Compare { op, left, right } => {
                    let null = matches!(right.kind, ExprKind::None);
                    let known = match op {
                        CompareOp::Is | CompareOp::IsNot => true,
                        CompareOp::Equal | CompareOp::NotEqual => null,
                        _ => false,
                    };
                    if known {
                        self.tested.extend(name_in(left));
                    }
                }
                ExprKind::Member { object, name } if name == "HasValue" => self.tested.extend(name_in(object)),
                ExprKind::Lambda(_) => continue,
                _ => {}
            }
            inner(expr, &mut |inner| next.push(inner));
        }
    }
}

/// Whether a value stands for what `out var a` or `out A a` gives.
fn is_out(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Other("`out` argument") => true,
        ExprKind::Cast { value, .. } => matches!(value.kind, ExprKind::Other("`out` argument")),
        _ => false,
    }
}

/// Of `out A a`, the type.
fn written_type(value: &Expr) -> Option<&Expr> {
    match &value.kind {
        ExprKind::Cast { kind, .. } => Some(kind),
        _ => None,
    }
}

/// The name that a test looks at.
fn name_in(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Named { value, .. } | ExprKind::Cast { value, .. } => name_in(value),
        _ => None,
    }
}

/// Functions stand first in their block, wherever they are written.
fn span_of(statements: &[Stmt], otherwise: (u32, u32)) -> (u32, u32) {
    let start = statements.iter().map(|statement| statement.span.start).min();
    let end = statements.iter().map(|statement| statement.span.end).max();
    (start.unwrap_or(otherwise.0), end.unwrap_or(otherwise.1))
}
