//! Names of types at the level of modules, where those are apart from names of values, and what declares a name.

use std::rc::Rc;

use super::Evaluator;
use super::modules::{MAX_RE_EXPORTS, type_key};
use super::value::{Found, ModuleId, Str, Value};
use crate::model::program::{Expr, ExprKind, Import, ImportWhat, Stmt, StmtKind};

/// What a name of a module's level is.
#[derive(Clone)]
pub enum Declaration<'p> {
    Statement(ModuleId, &'p Stmt),
    Module(ModuleId),
    /// A name of a library.
    External(Str),
}

impl<'p> Evaluator<'p> {
    /// What a name means at the level of a module, where a type stands; `None` where it is no type.
    pub fn module_type(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        let key: Str = Rc::from(type_key(name));
        if let Some(known) = self.state(module).names.get(&key).cloned() {
            return Some(known);
        }
        if self.state(module).busy.contains(&key) {
            return None;
        }
        self.state(module).busy.push(key.clone());
        let value = self.find_type(module, name, &key);
        self.state(module).busy.pop();
        value
    }

    fn find_type(&mut self, module: ModuleId, name: &str, key: &Str) -> Option<Value<'p>> {
        if let Some(binders) = self.state(module).type_binders.get(name).cloned() {
            for statement in binders {
                self.force(module, statement);
            }
            return self.state(module).names.get(key).cloned();
        }
        let program = self.program;
        let body: &'p [Stmt] = &program[module.0 as usize].body;
        for at in self.state(module).binders.get(name).cloned().unwrap_or_default() {
            self.force(module, at);
            match &body[at].kind {
                // `export { Local as Name }`, `export default Name`
                StmtKind::Assign { value, .. } => {
                    if let Some(found) = self.type_of_path(value, module) {
                        return Some(found);
                    }
                }
                StmtKind::Import(import) => {
                    if let Some(found) = self.imported_type(module, import) {
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        if let Some(value) = self.state(module).names.get(name).cloned()
            && let value @ (Value::Class(_) | Value::External(_) | Value::Module(_)) = self.settle(value)
        {
            return Some(value);
        }
        for star in self.state(module).stars.clone() {
            if let Found::Module(from) = star
                && let Some(found) = self.module_type(from, name)
            {
                return Some(found);
            }
        }
        None
    }

    /// Where a name of a module's level is declared, imports and re-exports followed.
    pub fn declaration(&mut self, module: ModuleId, name: &str) -> Option<Declaration<'p>> {
        self.declaration_within(module, name, MAX_RE_EXPORTS)
    }

    fn declaration_within(&mut self, module: ModuleId, name: &str, left: u32) -> Option<Declaration<'p>> {
        let left = left.checked_sub(1)?;
        let program = self.program;
        let body: &'p [Stmt] = &program[module.0 as usize].body;
        let binders = self.state(module).binders.get(name).cloned().unwrap_or_default();
        for at in binders {
            let StmtKind::Import(import) = &body[at].kind else {
                return Some(Declaration::Statement(module, &body[at]));
            };
            let from = self.target(module, import);
            let found = match (&import.what, from) {
                (ImportWhat::Name { name, .. }, Found::Module(from)) => {
                    let found = self.declaration_within(from, name, left);
                    found.or_else(|| (name == "default").then_some(Declaration::Module(from)))
                }
                (ImportWhat::Name { name, .. }, Found::External(path)) => {
                    self.external_member(&path, name).as_external().map(|path| Declaration::External(Rc::from(path)))
                }
                (ImportWhat::Require(_), Found::Module(from)) => {
                    let found = self.declaration_within(from, "default", left);
                    found.or(Some(Declaration::Module(from)))
                }
                (_, Found::Module(from)) => Some(Declaration::Module(from)),
                (_, Found::External(path)) => Some(Declaration::External(path)),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        for star in self.state(module).stars.clone() {
            if let Found::Module(from) = star
                && let Some(found) = self.declaration_within(from, name, left)
            {
                return Some(found);
            }
        }
        None
    }

    /// `A`, `A.B` at the level of a module.
    fn type_of_path(&mut self, expr: &'p Expr, module: ModuleId) -> Option<Value<'p>> {
        match &expr.kind {
            ExprKind::Name(name) => self.module_type(module, name),
            ExprKind::Member { object, name } => {
                let outer = self.type_of_path(object, module)?;
                self.type_member(&outer, name)
            }
            _ => None,
        }
    }

    fn imported_type(&mut self, module: ModuleId, import: &'p Import) -> Option<Value<'p>> {
        let from = self.target(module, import);
        match (&import.what, from) {
            (ImportWhat::Name { name, .. }, Found::Module(from)) => self.module_type(from, name),
            (ImportWhat::Name { name, .. }, Found::External(path)) => Some(self.external_member(&path, name)),
            (ImportWhat::Require(_), Found::Module(from)) => {
                self.module_type(from, "default").or(Some(Value::Module(from)))
            }
            (ImportWhat::ModuleAs(_) | ImportWhat::Require(_), found) => Some(Value::from(found)),
            _ => None,
        }
    }
}
