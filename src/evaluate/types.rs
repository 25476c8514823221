//! Expressions where types stand.

use super::modules::type_key;
use super::operators::union;
use std::rc::Rc;

use super::value::{Alias, ClassRef, Scope, Value, last};
use super::{Evaluator, MAX_DEPTH};
use crate::model::program::{BinaryOp, ClassKind, Expr, ExprKind, ImportStyle, StmtKind};

impl<'p> Evaluator<'p> {
    /// An expression where a type stands: strings are forward references, `|` makes unions.
    pub fn type_expression(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        if self.names_in_namespaces(scope) {
            return self.namespace_type(expr, scope);
        }
        if self.depth > MAX_DEPTH {
            return Value::Unknown("nested too deep", Some(expr.span));
        }
        self.depth += 1;
        let value = self.type_expression_kind(expr, scope);
        self.depth -= 1;
        value
    }

    fn type_expression_kind(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        match &expr.kind {
            ExprKind::Str { as_type: Some(inner), .. } => self.type_expression(inner, scope),
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } => {
                let left = self.type_expression(left, scope);
                let right = self.type_expression(right, scope);
                union(left, right)
            }
            ExprKind::Index { object, index } => {
                let base = self.type_expression(object, scope);
                let literal = base.as_external().is_some_and(|path| last(path) == "Literal");
                let annotated = base.as_external().is_some_and(|path| last(path) == "Annotated");
                if matches!(base, Value::List(_) | Value::Dict(_) | Value::Tuple(_) | Value::Str(_)) {
                    return self.evaluate(expr, scope);
                }
                let items: &'p [Expr] = match index.as_slice() {
                    [Expr { kind: ExprKind::Tuple(items), .. }] => items,
                    items => items,
                };
                let args: Vec<Value<'p>> = items
                    .iter()
                    .enumerate()
                    .map(|(at, item)| {
                        if literal || (annotated && at > 0) {
                            self.evaluate(item, scope)
                        } else {
                            self.type_expression(item, scope)
                        }
                    })
                    .collect();
                Value::applied(base, args)
            }
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.type_expression(item, scope)).collect();
                Value::list(items)
            }
            _ => self.evaluate(expr, scope),
        }
    }

    /// Whether names of types are apart from names of values here, and types are not evaluated.
    pub(super) fn names_types_apart(&self, scope: &Scope<'p>) -> bool {
        self.index.style(scope.module()) == ImportStyle::Path
    }

    /// What a name means where a type stands and names of types are apart: a class, interface or enumeration
    /// ([`Value::Class`]), an alias, a type parameter, a module, or a name of a library. `None` where it is no type of
    /// the program; then it may be one of the language's own.
    pub fn look_type(&mut self, name: &str, scope: &Scope<'p>) -> Option<Value<'p>> {
        let key = type_key(name);
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            if here.0.is_module {
                return self.module_type(here.0.module, name);
            }
            let known = here.0.names.borrow().get(key.as_str()).cloned();
            let known = known.or_else(|| {
                let value = here.0.names.borrow().get(name).cloned();
                value.filter(|value| matches!(value, Value::Class(_) | Value::TypeVar(_)))
            });
            if known.is_some() {
                return known;
            }
            if let Some(class) = &here.0.class
                && let Some(value) = self.class_type(class, name)
            {
                return Some(value);
            }
            next = here.0.parent.clone();
        }
        None
    }

    /// [`Evaluator::look_type`] of `A` or `A.B.C`.
    pub fn look_type_path(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Option<Value<'p>> {
        match &expr.kind {
            ExprKind::Name(name) => self.look_type(name, scope),
            ExprKind::Member { object, name } => {
                let outer = self.look_type_path(object, scope)?;
                self.type_member(&outer, name)
            }
            _ => None,
        }
    }

    /// `Outer.name` where a type stands.
    pub fn type_member(&mut self, outer: &Value<'p>, name: &str) -> Option<Value<'p>> {
        match outer {
            Value::Module(module) => self.module_type(*module, name),
            Value::External(path) => Some(self.external_member(path, name)),
            Value::Class(class) => self.class_type(class, name),
            _ => None,
        }
    }

    /// A type that is declared in a class body: namespaces are classes.
    fn class_type(&mut self, class: &ClassRef<'p>, name: &str) -> Option<Value<'p>> {
        let statement = self.class_statements(class).into_iter().find(|statement| match &statement.kind {
            StmtKind::TypeAlias { name: declared, .. } => declared == name,
            StmtKind::Class(inner) => inner.name == name,
            _ => false,
        })?;
        let scope = self.body_scope(class);
        match &statement.kind {
            StmtKind::TypeAlias { name, parameters, value } => {
                Some(Value::Alias(Rc::new(Alias { name, parameters, value, scope })))
            }
            StmtKind::Class(inner) if inner.kind == ClassKind::Interface => {
                let key = type_key(name);
                if let Some(known) = class.extra.borrow().get(key.as_str()) {
                    return Some(known.clone());
                }
                let made = Value::Class(self.make_class(inner, &scope));
                class.extra.borrow_mut().insert(Rc::from(key), made.clone());
                Some(made)
            }
            _ => self.own_member(class, name),
        }
    }
}
