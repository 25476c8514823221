//! Files that are run as programs: what stands below `if __name__ == "__main__":`.

use super::Evaluator;
use super::value::last;
use crate::model::program::{CompareOp, Expr, ExprKind, Stmt};
use crate::model::walk;

impl Evaluator<'_> {
    /// Whether a condition asks whether the file is run by itself, where it then makes an application on the spot: nobody else
    /// has that one. What other files make there is made by them, too.
    pub(super) fn serves_by_itself(&self, test: &Expr, then: &[Stmt]) -> bool {
        let makes = |expr: &Expr| match &expr.kind {
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Name(name) | ExprKind::Member { name, .. } => {
                    self.libraries.iter().any(|library| library.application_words.contains(&last(name)))
                }
                _ => false,
            },
            _ => false,
        };
        if !asks_whether_run(test) {
            return false;
        }
        let mut is_made = false;
        walk::each_expression(then, &mut |expr| is_made |= makes(expr));
        is_made
    }
}

fn asks_whether_run(test: &Expr) -> bool {
    let ExprKind::Compare { op: CompareOp::Equal, left, right } = &test.kind else { return false };
    let is_name = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name == "__name__");
    let is_main = |expr: &Expr| matches!(&expr.kind, ExprKind::Str { text, .. } if text == "__main__");
    is_name(left) && is_main(right) || is_name(right) && is_main(left)
}
