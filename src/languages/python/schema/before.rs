//! What validators read before the types do: `@field_validator(mode="before")`, `@model_validator(mode="before")` and
//! their elders `@validator(pre=True)`, `@root_validator(pre=True)` (pydantic docs, "Validators"). What may be sent is
//! then what the validator takes: what it states (`json_schema_input_type`), else nobody knows.

use rustc_hash::FxHashSet;

use super::fields::{Fields, decorator};
use super::generics::{Substitution, substitute};
use crate::evaluate::{ClassRef, Evaluator, Scope, Value};
use crate::languages::walk::{blocks, expressions, inner};
use crate::model::program::{Arg, DictItem, Expr, ExprKind, Function, Stmt, StmtKind};

/// Why a member may be sent in other forms than its type has.
pub(super) const READ_FIRST: &str = "a validator reads what is sent before the type does";

/// Members that validators of a whole model may take in another form, or fill in.
#[derive(Default)]
pub(super) struct Touched {
    everything: bool,
    names: FxHashSet<String>,
}

impl Touched {
    pub(super) fn has(&self, declared: &str, wire: &str) -> bool {
        self.everything || self.names.contains(declared) || self.names.contains(wire)
    }

    /// Whether members are read that are none of the model's.
    pub(super) fn beyond(&self, is_member: impl Fn(&str) -> bool) -> bool {
        self.everything || self.names.iter().any(|name| !is_member(name))
    }
}

/// `@field_validator("a", "b", mode="before")` of a class and its bases: what its members are read as.
pub(super) fn field_validators<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    substitution: &Substitution<'p>,
    fields: &mut Fields<'p>,
) {
    for ancestor in evaluator.ancestry(class).iter().rev() {
        let Value::Class(ancestor) = ancestor else { continue };
        for statement in evaluator.class_statements(ancestor) {
            let StmtKind::Function(method) = &statement.kind else { continue };
            let scope = evaluator.body_scope(ancestor);
            field_validator(evaluator, method, &scope, substitution, fields);
        }
    }
}

fn field_validator<'p>(
    evaluator: &mut Evaluator<'p>,
    method: &'p Function,
    scope: &Scope<'p>,
    substitution: &Substitution<'p>,
    fields: &mut Fields<'p>,
) {
    let found = ["field_validator", "validator"].iter().find_map(|name| decorator(method, name));
    let Some(Expr { kind: ExprKind::Call { args, .. }, .. }) = found else { return };
    if !runs_first(args) {
        return;
    }
    let stated = keyword(args, "json_schema_input_type").map(|kind| evaluator.type_expression(kind, scope));
    let read_as = match stated {
        Some(kind) if !kind.is_unknown() => substitute(&kind, substitution),
        _ => Value::Unknown(READ_FIRST, Some(method.name_span)),
    };
    for arg in args {
        let Arg::Positional(target) = arg else { continue };
        let Value::Str(target) = evaluator.evaluate(target, scope) else { continue };
        for (_, declared) in fields.iter_mut().filter(|(name, _)| &*target == "*" || **name == *target) {
            declared.read_as = Some(read_as.clone());
        }
    }
}

/// What the validators of a model and its bases touch before its members are read.
pub(super) fn touched<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Touched {
    let mut touched = Touched::default();
    for ancestor in evaluator.ancestry(class).iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        for statement in evaluator.class_statements(ancestor) {
            let StmtKind::Function(method) = &statement.kind else { continue };
            let found = ["model_validator", "root_validator"].iter().find_map(|name| decorator(method, name));
            let Some(Expr { kind: ExprKind::Call { args, .. }, .. }) = found else { continue };
            if runs_first(args) {
                let data = method.parameters.iter().find(|parameter| !matches!(&*parameter.name, "cls" | "self"));
                match data {
                    Some(data) => Reading { data: &data.name, touched: &mut touched }.block(&method.body),
                    None => touched.everything = true,
                }
            }
        }
    }
    touched
}

fn keyword<'p>(args: &'p [Arg], wanted: &str) -> Option<&'p Expr> {
    args.iter().find_map(|arg| match arg {
        Arg::Keyword(name, value) if name == wanted => Some(value),
        _ => None,
    })
}

/// `mode="before"`, `"wrap"`, `"plain"`, or `pre=True`.
fn runs_first(args: &[Arg]) -> bool {
    let mode = keyword(args, "mode").is_some_and(
        |mode| matches!(&mode.kind, ExprKind::Str { text, .. } if matches!(&**text, "before" | "wrap" | "plain")),
    );
    mode || keyword(args, "pre").is_some_and(|pre| matches!(pre.kind, ExprKind::Bool(true)))
}

/// One validator's way through the data it is given: the names it says, and whether it does more with them than to look
/// single ones up.
struct Reading<'a> {
    data: &'a str,
    touched: &'a mut Touched,
}

impl Reading<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for statement in block {
            match &statement.kind {
                StmtKind::Return(Some(value)) if self.is_data(value) => {}
                _ => expressions(statement, &mut |value| self.expression(value)),
            }
            if let StmtKind::Assign { targets, .. } = &statement.kind {
                // `data["name"] = …`
                targets.iter().for_each(|target| self.expression_unless_data(target));
            }
            blocks(statement, &mut |block| self.block(block));
        }
    }

    fn is_data(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name) if name == self.data)
    }

    fn expression_unless_data(&mut self, expr: &Expr) {
        if !self.is_data(expr) {
            self.expression(expr);
        }
    }

    fn expression(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Str { text, .. } => {
                if text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
                    self.touched.names.insert(text.clone());
                }
            }
            ExprKind::Name(_) => self.touched.everything |= self.is_data(expr),
            // `data.get("name")`, `data["name"]`
            ExprKind::Call { callee, args, .. } => {
                let of_data = matches!(&callee.kind, ExprKind::Member { object, name }
                    if self.is_data(object) && matches!(&**name, "get" | "pop" | "setdefault" | "copy"));
                let looks_only = matches!(&callee.kind, ExprKind::Name(name) if matches!(&**name, "isinstance" | "dict" | "len" | "bool" | "type" | "hasattr" | "getattr" | "copy" | "deepcopy"));
                if of_data {
                    let literal = |arg: &Arg| matches!(arg.value().kind, ExprKind::Str { .. });
                    self.touched.everything |= args.first().is_some_and(|arg| !literal(arg));
                } else if !looks_only {
                    self.expression(callee);
                }
                for arg in args.iter().map(Arg::value) {
                    if looks_only { self.expression_unless_data(arg) } else { self.expression(arg) }
                }
            }
            ExprKind::Index { object, index } if self.is_data(object) => {
                let literal = |at: &Expr| matches!(at.kind, ExprKind::Str { .. });
                self.touched.everything |= !index.iter().all(literal);
                index.iter().for_each(|at| self.expression(at));
            }
            ExprKind::Compare { left, right, .. } => {
                self.expression_unless_data(left);
                self.expression_unless_data(right);
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                self.expression_unless_data(left);
                self.expression_unless_data(right);
            }
            ExprKind::Not(value) => self.expression_unless_data(value),
            ExprKind::Dict(items) => {
                for item in items {
                    match item {
                        DictItem::Pair(key, value) => {
                            self.expression(key);
                            self.expression(value);
                        }
                        DictItem::Spread(value) => self.expression_unless_data(value),
                    }
                }
            }
            _ => inner(expr, &mut |part| self.expression(part)),
        }
    }
}
