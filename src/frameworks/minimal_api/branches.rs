//! Code that is handed an application to fill: `UseEndpoints(endpoints => …)`, `Map("/admin", branch => …)`.

use super::BRANCH_PATH;
use crate::evaluate::{Args, Evaluator, MountKind, NodeId, Value};
use crate::model::program::{Expr, ExprKind, Function, Stmt, StmtKind};
use crate::text::Span;

/// Runs the code among the arguments with what it is called on.
pub(super) fn run_with<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, args: &Args<'p>, site: Span) {
    for code in args.values().filter(|value| matches!(value, Value::Function(_) | Value::Bound(..))) {
        let positional = vec![Value::Node(id); parameters(code).max(1)];
        evaluator.call_always(code, Args { positional, ..Args::default() }, site);
    }
}

/// How many parameters code takes from whoever calls it.
pub(super) fn parameters(code: &Value) -> usize {
    match code {
        Value::Function(function) | Value::Bound(_, function) => {
            function.node.parameters.iter().filter(|parameter| parameter.name != "this").count()
        }
        _ => 0,
    }
}

/// A part of the application behind a path, or behind a condition.
pub(super) fn branch<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, prefix: Value<'p>, args: &Args<'p>, site: Span) {
    let Some(child) = evaluator.make_node(BRANCH_PATH, Args::default(), None, site) else { return };
    evaluator.add_mount(id, child, prefix, Args::default(), site, MountKind::Include);
    if let Some(code) = args.positional.last().or_else(|| args.named("configuration")) {
        evaluator.call_always(&code.clone(), Args { positional: vec![Value::Node(child)], ..Args::default() }, site);
    }
}

/// Whether `Map(path, code)` is given code that fills a branch, and no handler: it takes one thing that it uses and maps on.
pub(super) fn is_branch(args: &Args) -> bool {
    let Some(Value::Function(code) | Value::Bound(_, code)) = args.positional.last() else { return false };
    let parameters: Vec<_> = code.node.parameters.iter().filter(|parameter| parameter.name != "this").collect();
    let [only] = parameters.as_slice() else { return false };
    match only.annotation.as_ref().map(|annotation| &annotation.kind) {
        Some(ExprKind::Name(name) | ExprKind::Member { name, .. }) => name == "IApplicationBuilder",
        Some(_) => false,
        None => fills(code.node, &only.name),
    }
}

/// Whether a function calls `Use…`, `Run…` or `Map…` on its parameter.
fn fills(function: &Function, parameter: &str) -> bool {
    function.body.iter().any(|statement: &Stmt| match &statement.kind {
        StmtKind::Expr(value) | StmtKind::Return(Some(value)) => fills_by(value, parameter),
        _ => false,
    })
}

fn fills_by(expr: &Expr, parameter: &str) -> bool {
    let mut next = expr;
    loop {
        next = match &next.kind {
            ExprKind::Call { callee, .. } => callee,
            ExprKind::Member { object, name } => match &object.kind {
                ExprKind::Name(on) if on == parameter => {
                    return ["Use", "Run", "Map"].iter().any(|start| name.starts_with(start));
                }
                _ => object,
            },
            _ => return false,
        };
    }
}
