//! Where a handler answers: what it returns, and the chains of calls on its parameters (`res.status(201).json(user)`).

use super::settled::{Decided, ends};
use crate::model::program::{Arg, DictItem, Expr, ExprKind, Function, Stmt, StmtKind};
use crate::text::Span;

/// `root.a.b(x).c(y)`: the calls, in order.
pub struct Chain<'p> {
    pub links: Vec<Link<'p>>,
    pub span: Span,
    /// The expression as a whole.
    pub expr: &'p Expr,
    /// Which of the chains was a statement before it, on the way there: `res.status(201); res.json(user)`.
    pub before: Option<usize>,
    /// The functions inside of the handler that it stands in, outermost first.
    pub inside: Vec<Inside<'p>>,
}

/// A function inside of another one.
#[derive(Clone, Copy)]
pub struct Inside<'p> {
    pub function: &'p Function,
    /// The call that it is written as an argument of, and at which place.
    pub given_to: Option<(&'p Expr, usize)>,
}

/// A call that is given a name as an argument by itself: `sendUser(res, user)`.
pub struct Handed<'p> {
    pub callee: &'p Expr,
    pub args: &'p [Arg],
    pub span: Span,
    /// As of [`Chain::inside`].
    pub inside: Vec<Inside<'p>>,
}

/// What a function does with a name.
pub struct Uses<'p> {
    pub chains: Vec<Chain<'p>>,
    pub handed: Vec<Handed<'p>>,
}

#[derive(Clone, Copy)]
pub struct Link<'p> {
    pub name: &'p str,
    pub args: &'p [Arg],
    pub types: &'p [Expr],
    /// Called on the name or on what the call before gave, not on a member of it.
    pub direct: bool,
}

impl<'p> Chain<'p> {
    pub fn link(&self, name: &str) -> Option<&Link<'p>> {
        self.links.iter().find(|link| link.name == name)
    }
}

/// What a function itself returns, not the functions inside it; `None` stands for nothing.
pub fn returned(function: &Function) -> Vec<Option<&Expr>> {
    let mut found = Vec::new();
    returned_in(&function.body, &mut found);
    found
}

/// The same of a block.
pub(super) fn returned_in<'p>(block: &'p [Stmt], found: &mut Vec<Option<&'p Expr>>) {
    for statement in block {
        match &statement.kind {
            StmtKind::Return(value) => found.push(value.as_ref()),
            _ => inner_blocks(statement, &mut |block| returned_in(block, found)),
        }
    }
}

/// The same with the call that was made before on the way there on `root`, of one of these methods:
/// `reply.code(201); return user`. Of `a ? b : c`, both are returned.
pub fn returned_after<'p>(function: &'p Function, root: &str, methods: &[&str]) -> Vec<(Option<Link<'p>>, &'p Expr)> {
    let mut found = Vec::new();
    returns_after(&function.body, None, root, methods, &mut found);
    found
}

fn returns_after<'p>(
    block: &'p [Stmt],
    before: Option<Link<'p>>,
    root: &str,
    methods: &[&str],
    found: &mut Vec<(Option<Link<'p>>, &'p Expr)>,
) {
    let mut before = before;
    for statement in block {
        match &statement.kind {
            StmtKind::Return(Some(value)) => {
                let mut values = vec![value];
                while let Some(value) = values.pop() {
                    match &value.kind {
                        ExprKind::Conditional { then, otherwise, .. } => values.extend([&**otherwise, &**then]),
                        ExprKind::Await(inner) | ExprKind::Cast { value: inner, .. } if is_choice(inner) => {
                            values.push(inner);
                        }
                        // `return undefined`, `return void reply.send(user)`
                        ExprKind::None => {}
                        ExprKind::And(_, last) if matches!(last.kind, ExprKind::None) => {}
                        _ => found.push((before, value)),
                    }
                }
            }
            StmtKind::Expr(value) => {
                let links = links(value, root).unwrap_or_default();
                before = links.into_iter().rfind(|link| methods.contains(&link.name)).or(before);
            }
            _ => inner_blocks(statement, &mut |block| returns_after(block, before, root, methods, found)),
        }
    }
}

fn is_choice(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Conditional { .. })
}

/// Whether an expression is a name, or a chain of calls that begins with it.
pub fn begins_with(expr: &Expr, root: &str) -> bool {
    let mut expr = expr;
    loop {
        match &expr.kind {
            ExprKind::Call { callee: inner, .. }
            | ExprKind::Member { object: inner, .. }
            | ExprKind::Cast { value: inner, .. }
            | ExprKind::Await(inner) => expr = inner,
            ExprKind::Name(name) => return name == root,
            _ => return false,
        }
    }
}

fn inner_blocks<'p>(statement: &'p Stmt, visit: &mut dyn FnMut(&'p [Stmt])) {
    match &statement.kind {
        StmtKind::If { then, otherwise, .. } => {
            visit(then);
            visit(otherwise);
        }
        StmtKind::For { body, otherwise, .. } => {
            visit(body);
            visit(otherwise);
        }
        StmtKind::While { body, .. } | StmtKind::With { body, .. } => visit(body),
        StmtKind::Try { body, handlers, otherwise, finally } => {
            visit(body);
            handlers.iter().for_each(|handler| visit(handler));
            visit(otherwise);
            visit(finally);
        }
        StmtKind::Match { cases, .. } => cases.iter().for_each(|case| visit(&case.body)),
        _ => {}
    }
}

/// Every chain of calls that begins with a name, in the order of the source; those in functions inside (callbacks)
/// included, unless such a function has a parameter of that name.
pub fn chains<'p>(function: &'p Function, root: &str) -> Vec<Chain<'p>> {
    uses(function, root).chains
}

/// The same with the calls that are given the name.
pub fn uses<'p>(function: &'p Function, root: &str) -> Uses<'p> {
    uses_where(function, root, &Decided::default())
}

/// The same, of what is reached where conditions fall like this.
pub(super) fn uses_where<'p>(function: &'p Function, root: &str, decided: &Decided) -> Uses<'p> {
    let walk = Walk::through(function, root, decided);
    Uses { chains: walk.found, handed: walk.handed }
}

/// Every value that is assigned to a member of a name: `ctx.body = user`.
pub fn assignments<'p>(function: &'p Function, root: &str) -> Vec<(&'p str, &'p Expr)> {
    Walk::through(function, root, &Decided::default()).assigned
}

struct Walk<'r, 'p> {
    root: &'r str,
    found: Vec<Chain<'p>>,
    handed: Vec<Handed<'p>>,
    assigned: Vec<(&'p str, &'p Expr)>,
    inside: Vec<Inside<'p>>,
    /// The last statement that was a chain, in this block or one around it.
    last: Option<usize>,
    decided: &'r Decided,
}

impl<'r, 'p> Walk<'r, 'p> {
    fn through(function: &'p Function, root: &'r str, decided: &'r Decided) -> Self {
        let mut walk = Walk {
            root,
            found: Vec::new(),
            handed: Vec::new(),
            assigned: Vec::new(),
            inside: Vec::new(),
            last: None,
            decided,
        };
        walk.block(&function.body);
        walk
    }

    fn block(&mut self, block: &'p [Stmt]) {
        let outer = self.last;
        for statement in block {
            self.statement(statement);
            if let StmtKind::Expr(value) = &statement.kind
                && self.found.last().is_some_and(|chain| std::ptr::eq(chain.expr, value))
            {
                self.last = Some(self.found.len() - 1);
            }
            if ends(statement, self.decided) {
                break;
            }
        }
        self.last = outer;
    }

    fn statement(&mut self, statement: &'p Stmt) {
        if let StmtKind::If { test, then, otherwise } = &statement.kind
            && let Some(holds) = self.decided.get(&std::ptr::from_ref(test))
        {
            return self.block(if *holds { then } else { otherwise });
        }
        match &statement.kind {
            StmtKind::Expr(value) | StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    if let ExprKind::Member { object, name } = &target.kind
                        && is_name(object, self.root)
                    {
                        self.assigned.push((name, value));
                    }
                }
                self.expr(value);
            }
            StmtKind::Annotated { value: Some(value), .. } | StmtKind::Augmented { value, .. } => self.expr(value),
            StmtKind::Function(function) => self.function(function, None),
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => self.expr(test),
            StmtKind::For { iter, .. } => self.expr(iter),
            StmtKind::Match { subject, .. } => self.expr(subject),
            _ => {}
        }
        inner_blocks(statement, &mut |block| self.block(block));
    }

    fn function(&mut self, function: &'p Function, given_to: Option<(&'p Expr, usize)>) {
        if !function.parameters.iter().any(|parameter| parameter.name == self.root) {
            self.inside.push(Inside { function, given_to });
            self.block(&function.body);
            self.inside.pop();
        }
    }

    fn expr(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Call { callee, args, .. } => {
                if args.iter().any(|arg| is_name(arg.value(), self.root)) {
                    self.handed.push(Handed { callee, args, span: expr.span, inside: self.inside.clone() });
                }
                if let Some(links) = links(expr, self.root) {
                    for link in &links {
                        link.args.iter().for_each(|arg| self.expr(arg.value()));
                    }
                    let inside = self.inside.clone();
                    self.found.push(Chain { links, span: expr.span, expr, before: self.last, inside });
                    return;
                }
                self.expr(callee);
                for (at, arg) in args.iter().enumerate() {
                    match &arg.value().kind {
                        ExprKind::Lambda(function) => self.function(function, Some((callee, at))),
                        _ => self.expr(arg.value()),
                    }
                }
            }
            ExprKind::Member { object, .. } => self.expr(object),
            ExprKind::Lambda(function) => self.function(function, None),
            ExprKind::Await(inner)
            | ExprKind::Not(inner)
            | ExprKind::Spread(inner)
            | ExprKind::Yield(Some(inner))
            | ExprKind::Cast { value: inner, .. }
            | ExprKind::Named { value: inner, .. } => self.expr(inner),
            ExprKind::And(left, right) | ExprKind::Or(left, right) | ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional { test, then, otherwise } => {
                if let Some(holds) = self.decided.get(&std::ptr::from_ref::<Expr>(test)) {
                    return self.expr(if *holds { then } else { otherwise });
                }
                self.expr(test);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().for_each(|item| self.expr(item)),
            ExprKind::Record(items) | ExprKind::Dict(items) => items.iter().for_each(|item| match item {
                DictItem::Pair(_, value) | DictItem::Spread(value) => self.expr(value),
            }),
            _ => {}
        }
    }
}

/// The calls of a chain that begins with the name; members in between are skipped. None where it begins otherwise.
fn links<'p>(expr: &'p Expr, root: &str) -> Option<Vec<Link<'p>>> {
    let mut links = Vec::new();
    let mut expr = expr;
    loop {
        match &expr.kind {
            ExprKind::Call { callee, args, types } => {
                let ExprKind::Member { object, name } = &callee.kind else { return None };
                let direct = !matches!(&object.kind, ExprKind::Member { .. });
                links.push(Link { name, args, types, direct });
                expr = object;
            }
            ExprKind::Member { object, .. } => expr = object,
            ExprKind::Cast { value, .. } | ExprKind::Await(value) => expr = value,
            ExprKind::Name(name) if name == root && !links.is_empty() => {
                links.reverse();
                return Some(links);
            }
            _ => return None,
        }
    }
}

pub(super) fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(known) if known == name)
}
