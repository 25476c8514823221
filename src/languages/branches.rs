//! Chains of `if … else if … else …`, which have no bound in the source and one in the tree.

use crate::model::program::{Expr, Stmt, StmtKind};
use crate::text::Span;

/// Branches of one `if` that are nested into each other; the rest stand behind one another in the last `otherwise`.
pub(super) const MAX_NESTED_BRANCHES: usize = 60;

/// A test with what follows when it holds.
pub(super) struct Branch {
    pub(super) span: Span,
    pub(super) test: Expr,
    pub(super) then: Vec<Stmt>,
}

/// `if a … else if b … else …` as an `if` whose `otherwise` is an `if`, and so on.
pub(super) fn nest(first: Branch, mut more: Vec<Branch>, mut last: Vec<Stmt>) -> StmtKind {
    if more.len() > MAX_NESTED_BRANCHES {
        let rest = more.split_off(MAX_NESTED_BRANCHES);
        last = rest.into_iter().map(|branch| branch.into_stmt(Vec::new())).chain(last).collect();
    }
    while let Some(branch) = more.pop() {
        last = vec![branch.into_stmt(last)];
    }
    StmtKind::If { test: first.test, then: first.then, otherwise: last }
}

impl Branch {
    fn into_stmt(self, otherwise: Vec<Stmt>) -> Stmt {
        let Branch { span, test, then } = self;
        Stmt { span, kind: StmtKind::If { test, then, otherwise } }
    }
}
