//! Where names are looked up: a chain of tables, those of calls with what was called.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::decisions::Guard;
use super::value::{ClassRef, Function, FunctionRef, ModuleId, Role, Str, Value};
use crate::model::program;

/// Arguments as they are written, and where their names are looked up.
pub type WrittenArgs<'p> = (&'p [program::Arg], Scope<'p>);

/// A chain of name tables.
#[derive(Clone)]
pub struct Scope<'p>(pub(super) Rc<ScopeData<'p>>);

pub(super) struct ScopeData<'p> {
    pub(super) module: ModuleId,
    pub(super) parent: Option<Scope<'p>>,
    /// The scope of a class body.
    pub(super) class: Option<ClassRef<'p>>,
    /// The scope of a whole module: names are looked up in the module's table.
    pub(super) is_module: bool,
    pub(super) names: RefCell<FxHashMap<Str, Value<'p>>>,
    /// Names whose value is only a default.
    pub(super) soft: RefCell<Vec<Str>>,
    /// What held where it came into being: what is bound under no more than that is bound for good.
    pub(super) guard: Guard,
    /// The scope of one pass of a loop, which has names of its own.
    pub(super) of_pass: bool,
    /// The scope of a call.
    pub(super) frame: Option<Frame<'p>>,
    /// The scope of a namespace: where its names come from.
    pub(super) space: Option<Rc<super::namespaces::Space<'p>>>,
}

pub(super) struct Frame<'p> {
    pub(super) node: &'p program::Function,
    pub(super) role: Role,
    /// What it was called with, as it is written, where wires are looked for.
    pub(super) written: Option<(&'p [program::Arg], Scope<'p>)>,
    pub(super) class: Option<ClassRef<'p>>,
    pub(super) receiver: Value<'p>,
    /// Values returned, each under what holds beyond the guard of the call.
    pub(super) returns: RefCell<Vec<(Guard, Value<'p>)>>,
    pub(super) yields: RefCell<Vec<Value<'p>>>,
}

impl<'p> Scope<'p> {
    pub fn module(&self) -> ModuleId {
        self.0.module
    }

    pub(super) fn of_module(module: ModuleId) -> Self {
        Scope(Rc::new(ScopeData {
            module,
            parent: None,
            class: None,
            is_module: true,
            names: RefCell::default(),
            soft: RefCell::default(),
            guard: Guard::new(),
            of_pass: false,
            frame: None,
            space: None,
        }))
    }

    /// What a scope within this one begins with.
    fn below(&self) -> ScopeData<'p> {
        ScopeData {
            module: self.0.module,
            parent: Some(self.clone()),
            class: None,
            is_module: false,
            names: RefCell::default(),
            soft: RefCell::default(),
            guard: self.0.guard.clone(),
            of_pass: false,
            frame: None,
            space: None,
        }
    }

    /// The scope of a call, which came into being under `guard`.
    pub(super) fn of_call(&self, frame: Frame<'p>, guard: &Guard) -> Self {
        Scope(Rc::new(ScopeData { guard: guard.clone(), frame: Some(frame), ..self.below() }))
    }

    pub(super) fn inner(&self, class: Option<ClassRef<'p>>, frame: Option<Frame<'p>>) -> Self {
        Scope(Rc::new(ScopeData { class, frame, ..self.below() }))
    }

    /// The scope of one pass of a loop.
    pub(super) fn of_pass(&self) -> Self {
        Scope(Rc::new(ScopeData { of_pass: true, ..self.below() }))
    }

    /// What a name stands for in the call that this is part of, or in a pass of its loops.
    pub fn in_call(&self, name: &str) -> Option<Value<'p>> {
        let mut next = Some(self);
        while let Some(here) = next {
            if let Some(value) = here.own(name) {
                return Some(value);
            }
            next = here.parent().filter(|_| here.0.frame.is_none());
        }
        None
    }

    /// The scope of a namespace.
    pub(super) fn within(&self, space: Rc<super::namespaces::Space<'p>>) -> Self {
        Scope(Rc::new(ScopeData { space: Some(space), ..self.below() }))
    }

    /// Whether it is just that one.
    pub(super) fn is(&self, other: &Scope<'_>) -> bool {
        std::ptr::eq(Rc::as_ptr(&self.0).cast::<()>(), Rc::as_ptr(&other.0).cast::<()>())
    }

    /// The enclosing scope.
    pub fn parent(&self) -> Option<&Scope<'p>> {
        self.0.parent.as_ref()
    }

    /// Whether it is that of a whole module.
    pub fn is_module(&self) -> bool {
        self.0.is_module
    }

    /// The class whose body it is the scope of.
    pub fn class(&self) -> Option<&ClassRef<'p>> {
        self.0.class.as_ref()
    }

    /// The function whose call it belongs to.
    pub fn function(&self) -> Option<&'p program::Function> {
        self.0.frame.as_ref().map(|frame| frame.node)
    }

    /// The call that it stands in: the function, and what that was called with as it is written, where that is kept.
    pub fn call(&self) -> Option<(FunctionRef<'p>, Option<WrittenArgs<'p>>)> {
        let mut here = self;
        loop {
            match (&here.0.frame, &here.0.parent) {
                (Some(frame), Some(parent)) => {
                    let function = Function::new(frame.node, parent.clone(), frame.class.clone(), frame.role);
                    return Some((function, frame.written.clone()));
                }
                (None, Some(parent)) => here = parent,
                (_, None) => return None,
            }
        }
    }

    /// What a name is bound to in exactly this scope, which is no module's.
    pub fn own(&self, name: &str) -> Option<Value<'p>> {
        self.0.names.borrow().get(name).cloned()
    }

    pub fn bind(&self, name: &str, value: Value<'p>) {
        self.0.names.borrow_mut().insert(Rc::from(name), value);
    }
}
