//! The class whose method is called, where declared types alone say what the object is: a property, a parameter, a result.

use std::rc::Rc;

use super::body::{Body, MAX_DEPTH};
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Role, Scope, Value, last};
use crate::model::program::{Expr, ExprKind};

impl<'p> Body<'p> {
    /// The method that is called on an object of a declared type, and the class that declares the object; `None` where a
    /// class below that one has another method.
    pub(super) fn declared_callee(
        self: &Rc<Self>,
        evaluator: &mut Evaluator<'p>,
        callee: &'p Expr,
    ) -> Option<(FunctionRef<'p>, ClassRef<'p>)> {
        let ExprKind::Member { object, name } = &callee.kind else { return None };
        let class = self.declared_class(evaluator, object, 0)?;
        match evaluator.class_member(&class, name)? {
            Value::Function(function)
                if matches!(function.role, Role::Plain | Role::ClassMethod)
                    && !evaluator.is_overridden(&class, name) =>
            {
                Some((function, class))
            }
            _ => None,
        }
    }

    /// A member of the object, where no class below has another one.
    pub(super) fn own_member(
        &self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        name: &str,
    ) -> Option<Value<'p>> {
        if self.is_below && evaluator.is_overridden(class, name) {
            return None;
        }
        evaluator.class_member(class, name)
    }

    fn declared_class(
        self: &Rc<Self>,
        evaluator: &mut Evaluator<'p>,
        expr: &'p Expr,
        depth: u32,
    ) -> Option<ClassRef<'p>> {
        if depth > MAX_DEPTH {
            return None;
        }
        match &expr.kind {
            ExprKind::Name(name) if self.is_receiver(name) => self.class.clone(),
            ExprKind::Name(name) if self.is_local(name) => match self.bound(name).as_deref() {
                Some([(value, body)]) => body.declared_class(evaluator, value, depth + 1),
                Some(_) => None,
                None => {
                    let annotation = self.parameter(name)?.annotation.as_ref()?;
                    class_of(evaluator, annotation, &self.function.scope)
                }
            },
            ExprKind::Await(inner) => self.declared_class(evaluator, inner, depth + 1),
            ExprKind::Call { callee, .. } => {
                let (function, _) = self.callee(evaluator, callee)?;
                class_of(evaluator, function.node.returns.as_ref()?, &function.scope)
            }
            ExprKind::Member { object, name } => {
                let class = self.declared_class(evaluator, object, depth + 1)?;
                match evaluator.class_member(&class, name)? {
                    Value::Function(function) if function.role == Role::Property => {
                        class_of(evaluator, function.node.returns.as_ref()?, &function.scope)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The class that a written type means: `Store`, `Store | None`.
fn class_of<'p>(evaluator: &mut Evaluator<'p>, annotation: &'p Expr, scope: &Scope<'p>) -> Option<ClassRef<'p>> {
    let declared = evaluator.type_expression(annotation, scope);
    let declared = match &declared {
        Value::Union(options) => {
            let mut options = options.iter().filter(|option| !matches!(option, Value::None));
            let only = options.next()?;
            options.next().is_none().then_some(only)?
        }
        Value::Applied(base, args) if matches!(base.as_external().map(last), Some("Optional" | "Annotated")) => {
            args.first()?
        }
        declared => declared,
    };
    match declared {
        Value::Class(class) if !evaluator.is_enum(class) => Some(class.clone()),
        _ => None,
    }
}
