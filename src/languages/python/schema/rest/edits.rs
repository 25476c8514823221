//! What a serializer does to its fields and to what it writes: `self.fields["x"] = …`, `del data["x"]`, `data["x"] = …`.

use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Value};
use crate::languages::Side;
use crate::languages::python::django::is_serializer;
use crate::model::program::{Arg, Expr, ExprKind, Stmt, StmtKind};
use crate::text::Span;

/// One change to the members of a serializer.
pub(super) enum Edit<'p> {
    /// A field that is added.
    Add(String, Value<'p>),
    /// A member that is written by hand.
    Write(String, Span),
    Remove(String),
    /// Something is changed that is not followed.
    Unclear(&'static str),
}

/// The changes that a class makes, in order; `None` where it writes or reads its objects in a way of its own.
pub(super) fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, side: Side) -> Option<Vec<Edit<'p>>> {
    let mut edits = Vec::new();
    for ancestor in evaluator.ancestry(class).iter().rev() {
        let Value::Class(ancestor) = ancestor else { continue };
        if !is_serializer(evaluator, ancestor) && !has_writer(ancestor) {
            continue;
        }
        let converts = match side {
            Side::Output => "to_representation",
            Side::Input => "to_internal_value",
        };
        for name in ["__init__", "get_fields", converts] {
            let Some(Value::Function(function)) = evaluator.own_member(ancestor, name) else { continue };
            let mut reader = Reader { evaluator, function: &function, edits: Vec::new(), calls_super: false, name };
            reader.block(&function.node.body, true);
            let (own, calls_super) = (reader.edits, reader.calls_super);
            if name != "__init__" && !calls_super {
                // What a class further down writes may go on from here, and from nothing that is known.
                return None;
            }
            // What is changed before it is read is still what the fields take.
            if name != "to_internal_value" {
                edits.extend(own);
            }
        }
        if side == Side::Input {
            continue;
        }
        for name in ["data", "to_dict"] {
            if let Some(Value::Function(_)) = evaluator.own_member(ancestor, name)
                && name == "data"
            {
                edits.push(Edit::Unclear("what the serializer gives is a property of its own"));
            }
        }
    }
    Some(edits)
}

fn has_writer(class: &ClassRef) -> bool {
    class.node.body.iter().any(|statement| match &statement.kind {
        StmtKind::Function(function) => matches!(function.name.as_str(), "to_representation" | "get_fields"),
        _ => false,
    })
}

struct Reader<'e, 'p> {
    evaluator: &'e mut Evaluator<'p>,
    function: &'e FunctionRef<'p>,
    edits: Vec<Edit<'p>>,
    /// The method of the class that it comes from is called.
    calls_super: bool,
    name: &'static str,
}

impl<'p> Reader<'_, 'p> {
    /// `always`: whether the block runs whatever happens.
    fn block(&mut self, block: &'p [Stmt], always: bool) {
        for statement in block {
            self.statement(statement, always);
        }
    }

    fn statement(&mut self, statement: &'p Stmt, always: bool) {
        match &statement.kind {
            StmtKind::Assign { targets, value } => {
                self.expr(value, always);
                for target in targets {
                    if let ExprKind::Index { object, index } = &target.kind {
                        self.put(object, index, value, target.span);
                    }
                }
            }
            StmtKind::Annotated { value: Some(value), .. } | StmtKind::Augmented { value, .. } => {
                self.expr(value, always);
            }
            StmtKind::Expr(value) => self.expr(value, always),
            StmtKind::Return(Some(value)) => {
                self.expr(value, always);
                // What is returned is something else than what was written.
                let plain = match &value.kind {
                    ExprKind::Name(_) | ExprKind::None => true,
                    ExprKind::Call { callee, .. } => is_super_call(callee),
                    _ => false,
                };
                if !plain && self.name != "__init__" {
                    self.edits.push(Edit::Unclear("what is written is changed in a way that is not followed"));
                }
            }
            StmtKind::If { test, then, otherwise } => {
                self.expr(test, false);
                self.block(then, false);
                self.block(otherwise, false);
            }
            StmtKind::For { body, otherwise, .. } => {
                self.block(body, false);
                self.block(otherwise, always);
            }
            StmtKind::While { body, .. } => self.block(body, false),
            StmtKind::With { body, .. } => self.block(body, always),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.block(body, false);
                handlers.iter().for_each(|handler| self.block(handler, false));
                self.block(otherwise, false);
                self.block(finally, always);
            }
            _ => {}
        }
    }

    /// `object[index] = value`
    fn put(&mut self, object: &'p Expr, index: &'p [Expr], value: &'p Expr, site: Span) {
        let fields = is_fields(object) || (self.name == "get_fields" && matches!(object.kind, ExprKind::Name(_)));
        let written = self.name == "to_representation" && matches!(object.kind, ExprKind::Name(_));
        if !fields && !written {
            return;
        }
        let [Expr { kind: ExprKind::Str { text: name, .. }, .. }] = index else {
            self.edits.push(Edit::Unclear("members of a name that is not known are written"));
            return;
        };
        let name = name.clone();
        if fields {
            let value = self.evaluator.evaluate(value, &self.function.scope);
            self.edits.push(Edit::Add(name, value));
        } else {
            self.edits.push(Edit::Write(name, site));
        }
    }

    fn expr(&mut self, expr: &'p Expr, always: bool) {
        let ExprKind::Call { callee, args, .. } = &expr.kind else { return };
        if is_super_call(callee) {
            self.calls_super = true;
        }
        let ExprKind::Member { object, name } = &callee.kind else {
            for arg in args {
                self.expr(arg.value(), always);
            }
            return;
        };
        let ours = is_fields(object)
            || (self.name != "__init__" && matches!(&object.kind, ExprKind::Name(name) if name != "self"));
        match (name.as_str(), args.as_slice()) {
            ("pop", [Arg::Positional(Expr { kind: ExprKind::Str { text, .. }, .. }), ..]) if ours && always => {
                self.edits.push(Edit::Remove(text.clone()));
            }
            ("update", _) if ours => {
                self.edits.push(Edit::Unclear("members are added that are not followed"));
            }
            _ => {}
        }
        for arg in args {
            self.expr(arg.value(), always);
        }
        self.expr(object, always);
    }
}

/// `self.fields`
fn is_fields(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Member { object, name }
        if name == "fields" && matches!(&object.kind, ExprKind::Name(name) if name == "self"))
}

/// `super().name` as what is called.
fn is_super_call(callee: &Expr) -> bool {
    let ExprKind::Member { object, .. } = &callee.kind else { return false };
    match &object.kind {
        ExprKind::Call { callee, .. } => matches!(&callee.kind, ExprKind::Name(name) if name == "super"),
        // `Base.to_representation(self, instance)`
        ExprKind::Name(name) => name.ends_with("Serializer"),
        ExprKind::Member { name, .. } => name.ends_with("Serializer"),
        _ => false,
    }
}
