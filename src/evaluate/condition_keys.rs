//! By which text a condition is known again, so that it is one decision wherever it is asked.

use std::fmt::Write;
use std::rc::Rc;

use super::Evaluator;
use super::value::{Scope, Value};
use crate::model::program::{CompareOp, Expr, ExprKind};

/// Bytes of the text by which a condition is known again; a longer one is a decision of its own each time.
pub(super) const MAX_KEY: usize = 400;

impl<'p> Evaluator<'p> {
    /// A text that is the same wherever the same condition is asked again: made of what the environment and names of whole
    /// modules hold. `None` for what may differ from one time to the next.
    pub(super) fn condition_key(&mut self, test: &'p Expr, scope: &Scope<'p>) -> Option<String> {
        let mut key = String::new();
        self.key_part(test, scope, &mut key).then_some(key).filter(|key| key.len() < MAX_KEY)
    }

    pub(super) fn key_part(&mut self, expr: &'p Expr, scope: &Scope<'p>, key: &mut String) -> bool {
        if key.len() >= MAX_KEY {
            return false;
        }
        match &expr.kind {
            ExprKind::Str { text, .. } => {
                let _ = write!(key, "{text:?}");
            }
            ExprKind::Int(value) => key.push_str(&value.to_string()),
            ExprKind::Bool(value) => key.push_str(&value.to_string()),
            ExprKind::None => key.push_str("None"),
            ExprKind::Name(name) => {
                let Some(place) = self.bound_at_module(name, scope) else { return false };
                key.push_str(&place);
            }
            ExprKind::Member { object, name } => {
                let stable = self.key_part(object, scope, key);
                key.push('.');
                key.push_str(name);
                return stable;
            }
            ExprKind::Index { object, index } => {
                let [at] = index.as_slice() else { return false };
                let stable = self.key_part(object, scope, key);
                key.push('[');
                let stable = stable && self.key_part(at, scope, key);
                key.push(']');
                return stable;
            }
            ExprKind::Call { callee, args, .. } => {
                if !self.key_part(callee, scope, key) {
                    return false;
                }
                key.push('(');
                for arg in args {
                    let crate::model::program::Arg::Positional(arg) = arg else { return false };
                    if !self.key_part(arg, scope, key) {
                        return false;
                    }
                    key.push(',');
                }
                key.push(')');
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                key.push('[');
                for item in items {
                    if !self.key_part(item, scope, key) {
                        return false;
                    }
                    key.push(',');
                }
                key.push(']');
            }
            ExprKind::Not(inner) => {
                key.push('!');
                return self.key_part(inner, scope, key);
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let stable = self.key_part(left, scope, key);
                key.push_str(if matches!(expr.kind, ExprKind::And(..)) { "&&" } else { "||" });
                return stable && self.key_part(right, scope, key);
            }
            ExprKind::Compare { op, left, right } if !matches!(op, CompareOp::Is) => {
                let stable = self.key_part(left, scope, key);
                let _ = write!(key, "{op:?}");
                return stable && self.key_part(right, scope, key);
            }
            _ => return false,
        }
        true
    }

    /// Where a name is bound, if that is once and at the level of a module, by whatever names it is imported.
    fn bound_at_module(&mut self, name: &str, scope: &Scope<'p>) -> Option<String> {
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            if here.0.is_module {
                break;
            }
            if let Some(value) = here.own(name) {
                let value = self.projected(value);
                if self.settles && value.is_set_outside() {
                    return Some(format!("{name} of {:p}", Rc::as_ptr(&here.0)));
                }
                // A variable of a loop that is known: each value asks for something else.
                return value.is_plain().then(|| value.as_str().map(|text| format!("{text:?}"))).flatten();
            }
            if here.0.class.is_some() {
                return None;
            }
            next = here.0.parent.clone();
        }
        let module = scope.module();
        match self.module_name(module, name) {
            Some(Value::External(path)) => return Some(path.to_string()),
            Some(Value::Module(module)) => return Some(format!("module {}", module.0)),
            Some(Value::Function(function)) => {
                let span = function.node.span;
                return Some(format!("function {}:{}", span.file.0, span.start));
            }
            Some(Value::Instance(instance)) => return Some(format!("object {:p}", Rc::as_ptr(&instance))),
            Some(Value::Unknown(_, Some(place))) => return Some(format!("at {}:{}", place.file.0, place.start)),
            Some(Value::Str(text)) => return Some(format!("{text:?}")),
            _ => {}
        }
        let known = self.libraries.iter().find(|library| library.globals.contains(&name));
        if let Some(library) = known {
            return Some(format!("{}.{name}", library.name));
        }
        (self.state(module).binders.get(name).map(Vec::len) == Some(1)).then(|| format!("{}:{name}", module.0))
    }
}
