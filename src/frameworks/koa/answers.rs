//! What a handler answers through its context: `ctx.body = user`, `ctx.status = 201`.

use crate::evaluate::{Evaluator, FunctionRef, Value};
use crate::languages::typescript::schema::Schemas;
use crate::languages::typescript::schema::{Place, Reply, ReplyBody};
use crate::model::program::{Expr, ExprKind, Param, Stmt, StmtKind};

/// Every answer that a handler gives, in source order. A body is sent with the status that is set in its own block, be it
/// before or after, else with the one of the blocks around it.
pub(super) fn replies<'p>(
    types: &mut Schemas<'p>,
    evaluator: &mut Evaluator<'p>,
    handler: &FunctionRef<'p>,
) -> Vec<Reply<'p>> {
    let own = |parameter: &&Param| parameter.name != "this";
    let Some(context) = handler.node.parameters.iter().find(own) else { return Vec::new() };
    let mut found = Found { context: &context.name, bodies: Vec::new() };
    found.block(&handler.node.body, None);
    let place = types.place_of(handler);
    let bodies = std::mem::take(&mut found.bodies);
    bodies.into_iter().map(|body| reply(types, evaluator, &body, &place)).collect()
}

fn reply<'p>(types: &mut Schemas<'p>, evaluator: &mut Evaluator<'p>, sent: &Sent<'p>, place: &Place<'p>) -> Reply<'p> {
    let status = sent.status.map(|status| types.constant(evaluator, status, place));
    let (status, body) = match sent.body {
        Some(value) if is_nothing(value) => (status.or(Some(Value::Int(204))), ReplyBody::Nothing),
        Some(value) => (status, ReplyBody::Value(types.type_of(evaluator, value, place))),
        None => (status, ReplyBody::Nothing),
    };
    Reply { status, body, span: sent.statement.span, written: sent.statement.span }
}

fn is_nothing(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::None => true,
        ExprKind::Name(name) => name == "undefined",
        _ => false,
    }
}

struct Sent<'p> {
    body: Option<&'p Expr>,
    status: Option<&'p Expr>,
    statement: &'p Stmt,
}

struct Found<'p> {
    context: &'p str,
    bodies: Vec<Sent<'p>>,
}

impl<'p> Found<'p> {
    fn block(&mut self, block: &'p [Stmt], around: Option<&'p Expr>) {
        let mut own = None;
        let mut bodies = Vec::new();
        for statement in block {
            match self.assigned(statement) {
                Some(("status", value)) => own = Some((value, statement)),
                Some(("body", value)) => bodies.push((value, statement)),
                _ => {}
            }
        }
        let status = own.map(|(value, _)| value).or(around);
        match (bodies.last(), own) {
            // Of several in one block the last is sent.
            (Some((body, statement)), _) => self.bodies.push(Sent { body: Some(body), status, statement }),
            (None, Some((status, statement))) if !self.answers_inside(block) => {
                self.bodies.push(Sent { body: None, status: Some(status), statement });
            }
            _ => {}
        }
        for statement in block {
            inner_blocks(statement, &mut |inner| self.block(inner, status));
        }
    }

    /// Whether a body is set in a block within.
    fn answers_inside(&self, block: &'p [Stmt]) -> bool {
        let mut stack = vec![block];
        while let Some(block) = stack.pop() {
            for statement in block {
                if matches!(self.assigned(statement), Some(("body", _))) {
                    return true;
                }
                inner_blocks(statement, &mut |inner| stack.push(inner));
            }
        }
        false
    }

    /// `ctx.body = …`, `ctx.response.status = …`
    fn assigned(&self, statement: &'p Stmt) -> Option<(&'p str, &'p Expr)> {
        let StmtKind::Assign { targets, value } = &statement.kind else { return None };
        targets.iter().find_map(|target| {
            let ExprKind::Member { object, name } = &target.kind else { return None };
            let object = match &object.kind {
                ExprKind::Member { object, name } if name == "response" => object,
                _ => object,
            };
            matches!(&object.kind, ExprKind::Name(known) if known == self.context).then_some((name.as_str(), value))
        })
    }
}

fn inner_blocks<'p>(statement: &'p Stmt, visit: &mut dyn FnMut(&'p [Stmt])) {
    match &statement.kind {
        StmtKind::If { then, otherwise, .. } => {
            visit(then);
            visit(otherwise);
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::With { body, .. } => visit(body),
        StmtKind::Try { body, finally, .. } => {
            visit(body);
            visit(finally);
        }
        StmtKind::Match { cases, .. } => cases.iter().for_each(|case| visit(&case.body)),
        _ => {}
    }
}
