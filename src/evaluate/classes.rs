//! Classes: bases, method resolution order, members, enumerations.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::decisions::{ABSENT, Test};
use super::value::{Args, Class, ClassRef, Function, Role, Scope, Str, Value};
use super::{Evaluator, MAX_ANCESTRY, MAX_DEPTH};
use crate::model::program::{self, ClassKind, Expr, ExprKind, Stmt, StmtKind};
use crate::text::Span;

/// One member of an enumeration.
#[derive(Clone)]
pub struct EnumMember<'p> {
    pub name: &'p str,
    pub value: Value<'p>,
    /// Defined under a condition: it may not exist.
    pub conditional: bool,
}

impl<'p> Evaluator<'p> {
    pub(super) fn make_class(&mut self, node: &'p program::Class, scope: &Scope<'p>) -> ClassRef<'p> {
        Rc::new(Class {
            node,
            more: RefCell::default(),
            scope: self.with_type_parameters(&node.type_parameters, scope),
            bases: OnceCell::new(),
            bases_busy: Cell::new(false),
            mro: OnceCell::new(),
            mro_busy: Cell::new(false),
            members: RefCell::default(),
            enum_members: OnceCell::new(),
            extra: RefCell::default(),
            decided: RefCell::default(),
        })
    }

    /// The evaluated base classes, generic arguments included.
    pub fn bases(&mut self, class: &ClassRef<'p>) -> Vec<Value<'p>> {
        if let Some(bases) = class.bases.get() {
            return bases.clone();
        }
        if class.bases_busy.replace(true) {
            return Vec::new();
        }
        let touched = self.touched();
        let mut bases = Vec::new();
        for base in self.class_bases(class) {
            if let ExprKind::Spread(inner) = &base.kind {
                let value = self.evaluate(inner, &class.scope);
                bases.extend(value.elements().unwrap_or_else(|| vec![value]));
            } else if class.node.kind == ClassKind::Interface && !self.names_in_namespaces(&class.scope) {
                bases.push(self.interface_base(base, &class.scope));
            } else {
                bases.push(self.type_expression(base, &class.scope));
            }
        }
        if self.touched() == touched {
            let _ = class.bases.set(bases.clone());
        }
        class.bases_busy.set(false);
        bases
    }

    /// What an interface extends: a name of a type, its arguments left to whoever reads types.
    fn interface_base(&mut self, base: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        match &base.kind {
            ExprKind::Index { object, .. } => self.interface_base(object, scope),
            _ => self
                .look_type_path(base, scope)
                .unwrap_or(Value::Unknown("base is not defined in the program", Some(base.span))),
        }
    }

    /// The class, its bases and theirs, nearest first; external bases stand as `External`. A simplified order: the last
    /// of several occurrences counts, as in C3 for the hierarchies that occur. Where it is cut off, its last is unknown.
    pub fn ancestry(&mut self, class: &ClassRef<'p>) -> Rc<[Value<'p>]> {
        if let Some(known) = class.mro.get() {
            return known.clone();
        }
        if self.depth > MAX_DEPTH || class.mro_busy.replace(true) {
            return Rc::from([Value::Class(class.clone()), Value::Unknown("base classes lead in a circle", None)]);
        }
        let touched = self.touched();
        self.depth += 1;
        let order = self.ancestry_of(class);
        self.depth -= 1;
        class.mro_busy.set(false);
        if self.touched() == touched {
            let _ = class.mro.set(order.clone());
        }
        order
    }

    fn ancestry_of(&mut self, class: &ClassRef<'p>) -> Rc<[Value<'p>]> {
        let mut all: Vec<Value<'p>> = vec![Value::Class(class.clone())];
        for base in self.bases(class) {
            let base = match base {
                Value::Applied(base, _) => (*base).clone(),
                other => other,
            };
            match base {
                Value::Class(base) if !Rc::ptr_eq(&base, class) => {
                    let inherited = self.ancestry(&base);
                    if !self.afford(inherited.len()) || all.len() + inherited.len() > MAX_ANCESTRY * 4 {
                        all.push(Value::Unknown("too many base classes", None));
                        break;
                    }
                    all.extend(inherited.iter().cloned());
                }
                Value::External(_) | Value::Dynamic(_) | Value::Unknown(..) => all.push(base),
                _ => {}
            }
        }
        let mut seen = FxHashSet::default();
        let mut order: Vec<Value<'p>> = all.into_iter().rev().filter(|value| seen.insert(identity(value))).collect();
        order.reverse();
        if order.len() > MAX_ANCESTRY {
            order.truncate(MAX_ANCESTRY);
            order.push(Value::Unknown("too many base classes", None));
        }
        order.into()
    }

    /// Paths of the external classes that it comes from.
    pub fn external_bases(&mut self, class: &ClassRef<'p>) -> Vec<Str> {
        self.ancestry(class)
            .iter()
            .filter_map(|value| match value {
                Value::External(path) => Some(path.clone()),
                _ => None,
            })
            .collect()
    }

    /// Whether a base could not be resolved, so that members may be missing.
    pub fn unknown_base(&mut self, class: &ClassRef<'p>) -> bool {
        self.ancestry(class).iter().any(Value::is_unknown)
    }

    /// What a class extends, as it is written; of an interface, all its declarations.
    pub fn class_bases(&self, class: &ClassRef<'p>) -> Vec<&'p Expr> {
        let more = class.more.borrow().clone();
        class.node.bases.iter().chain(more.into_iter().flat_map(|node| &node.bases)).collect()
    }

    /// The scope of a class body.
    pub fn body_scope(&self, class: &ClassRef<'p>) -> Scope<'p> {
        class.scope.inner(Some(class.clone()), None)
    }

    /// The statements of a class body, those under conditions included.
    pub fn class_statements(&self, class: &ClassRef<'p>) -> Vec<&'p Stmt> {
        let mut flat = Vec::new();
        flatten(&class.node.body, &mut flat);
        class.more.borrow().iter().for_each(|node| flatten(&node.body, &mut flat));
        flat
    }

    /// Names that are annotated in the class and its bases, theirs first.
    pub(super) fn annotated_names(&mut self, class: &ClassRef<'p>) -> Vec<&'p str> {
        let mut names: Vec<&'p str> = Vec::new();
        for ancestor in self.ancestry(class).iter().rev() {
            let Value::Class(ancestor) = ancestor else { continue };
            for statement in self.class_statements(ancestor) {
                if let StmtKind::Annotated { target: Expr { kind: ExprKind::Name(name), .. }, .. } = &statement.kind
                    && !names.contains(&name.as_str())
                {
                    names.push(name);
                }
            }
        }
        names
    }

    /// An attribute that the class's own body defines.
    pub fn own_member(&mut self, class: &ClassRef<'p>, name: &str) -> Option<Value<'p>> {
        let set = class.extra.borrow().get(name).cloned();
        if let Some(value) = set {
            return Some(self.projected(value));
        }
        if let Some(known) = class.members.borrow().get(name) {
            return known.clone();
        }
        let touched = self.touched();
        let key: Str = Rc::from(name);
        class.members.borrow_mut().insert(key.clone(), Some(Value::Unknown("defined in terms of itself", None)));
        let mut value = None;
        for (tests, statement) in conditional_statements(class) {
            let found = match &statement.kind {
                StmtKind::Function(function) if function.name == name && self.names_in_namespaces(&class.scope) => {
                    // Of several, which one is meant is for the call to say.
                    Some(value.clone().unwrap_or_else(|| Value::Function(self.function_of(class, function))))
                }
                // `@name.setter` goes with the property that is there already.
                StmtKind::Function(function)
                    if function.name == name && value.is_some() && sets(&function.decorators) =>
                {
                    None
                }
                StmtKind::Function(function) if function.name == name => {
                    let (scope, role) = (class.scope.clone(), role(&function.decorators));
                    Some(Value::Function(Function::new(function, scope, Some(class.clone()), role)))
                }
                StmtKind::Class(inner) if inner.name == name => {
                    let scope = self.body_scope(class);
                    Some(Value::Class(self.make_class(inner, &scope)))
                }
                StmtKind::Assign { targets, value: given } if targets.iter().any(|target| is_name(target, name)) => {
                    let scope = self.body_scope(class);
                    Some(self.evaluate(given, &scope))
                }
                StmtKind::Annotated { target, value: Some(given), .. } if is_name(target, name) => {
                    let scope = self.body_scope(class);
                    Some(self.evaluate(given, &scope))
                }
                StmtKind::Property(property) if property.name == name && property.getter.is_some() => {
                    let Some(getter) = property.getter.as_deref() else { continue };
                    let scope = self.body_scope(class);
                    let getter = Function::new(getter, scope, Some(class.clone()), Role::Property);
                    Some(if property.is_static {
                        self.call_function(&getter, Args::default())
                    } else {
                        Value::Function(getter)
                    })
                }
                StmtKind::Property(property) if property.is_static && property.name == name => {
                    let scope = self.body_scope(class);
                    let annotation = property.annotation.as_ref();
                    let given = property.value.as_ref().map(|given| self.initial_value(given, annotation, &scope));
                    Some(given.unwrap_or(Value::None))
                }
                _ => None,
            };
            if let Some(found) = found {
                value = self.member_where(class, &tests, value, found);
            }
        }
        if self.touched() == touched {
            class.members.borrow_mut().insert(key, value.clone());
        } else {
            class.members.borrow_mut().remove(&key);
        }
        value
    }

    /// A member that a statement binds where the conditions around it hold.
    fn member_where(
        &mut self,
        class: &ClassRef<'p>,
        tests: &[(&'p Expr, bool)],
        before: Option<Value<'p>>,
        found: Value<'p>,
    ) -> Option<Value<'p>> {
        if tests.is_empty() {
            return Some(found);
        }
        let scope = self.body_scope(class);
        let mut guard = Vec::new();
        for (test, wanted) in tests {
            let known = class.decided.borrow().get(&test.span).copied();
            let asked = match known {
                Some((decision, sense)) => Test::Open(decision, sense),
                None => self.test(test, &scope),
            };
            match asked {
                Test::Known(truth) if truth != *wanted => return before,
                Test::Known(_) => {}
                Test::Open(decision, sense) => {
                    class.decided.borrow_mut().insert(test.span, (decision, sense));
                    guard.push((decision, sense == *wanted));
                }
            }
        }
        Some(self.put(&guard, before.unwrap_or(Value::Unknown(ABSENT, None)), found))
    }

    /// Whether the body of a class binds a name before a place in it.
    pub(super) fn binds_before(&self, class: &ClassRef<'p>, name: &str, site: Span) -> bool {
        let binds = |statement: &&Stmt| match &statement.kind {
            StmtKind::Assign { targets, .. } => targets.iter().any(|target| is_name(target, name)),
            StmtKind::Annotated { target, value: Some(_), .. } => is_name(target, name),
            _ => false,
        };
        let statements = self.class_statements(class);
        let mut binding = statements.iter().copied().filter(binds).peekable();
        // Functions, classes and properties are known all over the body.
        binding.peek().is_none()
            || binding.any(|statement| statement.span.file != site.file || statement.span.start < site.start)
    }

    /// An attribute of the class or of a base of the program.
    pub fn class_member(&mut self, class: &ClassRef<'p>, name: &str) -> Option<Value<'p>> {
        for ancestor in self.ancestry(class).iter() {
            if let Value::Class(ancestor) = ancestor
                && let Some(value) = self.own_member(ancestor, name)
            {
                return Some(value);
            }
        }
        None
    }

    /// What `auto()` stands for: the class's own `_generate_next_value_`, else the name in lower case (`StrEnum`), else
    /// a count from 1.
    fn next_enum_value(&mut self, class: &ClassRef<'p>, name: &str, before: usize, external: &[Str]) -> Value<'p> {
        if let Some(Value::Function(own)) = self.class_member(class, "_generate_next_value_") {
            let positional = vec![
                Value::str(name),
                Value::Int(1),
                Value::Int(before as i64),
                Value::Unknown("values of an enumeration so far", None),
            ];
            return self.call_function_always(&own, Args { positional, ..Args::default() });
        }
        if external.iter().any(|path| path.ends_with("StrEnum")) {
            return Value::str(name.to_lowercase());
        }
        let count = before as i64 + 1;
        if external.iter().any(|path| &**path == "builtins.str") {
            return Value::str(count.to_string());
        }
        Value::Int(count)
    }

    pub fn is_enum(&mut self, class: &ClassRef<'p>) -> bool {
        class.node.kind == ClassKind::Enum
            || self.external_bases(class).iter().any(|path| {
                path.starts_with("enum.")
                    || path.ends_with("StrEnum")
                    || path.ends_with("IntEnum")
                    || path.ends_with(".Enum")
                    || ["TextChoices", "IntegerChoices"].contains(&super::last(path))
            })
    }

    /// The members of an enumeration, in order.
    pub fn enum_members(&mut self, class: &ClassRef<'p>) -> Rc<[EnumMember<'p>]> {
        if let Some(known) = class.enum_members.get() {
            return known.clone();
        }
        let members: Rc<[EnumMember<'p>]> = self.evaluate_members(class).into();
        if !self.exhausted {
            let _ = class.enum_members.set(members.clone());
        }
        members
    }

    fn evaluate_members(&mut self, class: &ClassRef<'p>) -> Vec<EnumMember<'p>> {
        if class.node.kind == ClassKind::Enum {
            return self.counted_members(class);
        }
        let mut members: Vec<EnumMember<'p>> = Vec::new();
        let external = self.external_bases(class);
        let text = external
            .iter()
            .any(|path| path.ends_with("StrEnum") || path.ends_with("Choices") || &**path == "builtins.str");
        for ancestor in self.ancestry(class).iter().rev() {
            let Value::Class(ancestor) = ancestor else { continue };
            let scope = self.body_scope(ancestor);
            for statement in self.class_statements(ancestor) {
                let (target, value) = match &statement.kind {
                    StmtKind::Assign { targets, value } if targets.len() == 1 => (&targets[0], value),
                    StmtKind::Annotated { target, value: Some(value), .. } => (target, value),
                    _ => continue,
                };
                let ExprKind::Name(name) = &target.kind else { continue };
                if name.starts_with('_') {
                    continue;
                }
                let mut value = self.evaluate(value, &scope);
                if matches!(&value, Value::Made(made) if made.name() == "auto") {
                    value = self.next_enum_value(class, name, members.len(), &external);
                }
                // `NAME = (value, label)` with a `__new__` or `__init__` that unpacks it: the first part is the value.
                if let Value::Tuple(parts) = &value
                    && text
                    && let Some(first) = parts.first()
                {
                    value = first.clone();
                }
                let conditional = !ancestor.node.body.iter().any(|direct| std::ptr::eq(direct, statement));
                members.push(EnumMember { name, value, conditional });
            }
        }
        members
    }
}

impl<'p> Evaluator<'p> {
    /// Members of an `enum`: one without a value counts on from the one before.
    fn counted_members(&mut self, class: &ClassRef<'p>) -> Vec<EnumMember<'p>> {
        let scope = self.body_scope(class);
        let mut members: Vec<EnumMember<'p>> = Vec::new();
        let mut next = Some(0);
        for statement in self.class_statements(class) {
            let StmtKind::Property(property) = &statement.kind else { continue };
            let value = match &property.value {
                Some(value) => self.evaluate(value, &scope),
                None => next.map_or(Value::Unknown("member of an enumeration", Some(statement.span)), Value::Int),
            };
            next = match &value {
                Value::Int(number) => number.checked_add(1),
                _ => None,
            };
            // A member may name one before it.
            scope.bind(&property.name, value.clone());
            members.push(EnumMember { name: &property.name, value, conditional: false });
        }
        members
    }

    /// Gives a new instance the values that its class and the bases of that write at their properties.
    pub(super) fn initialise_properties(&mut self, class: &ClassRef<'p>, instance: &Value<'p>) {
        for ancestor in self.ancestry(class).iter().rev() {
            let Value::Class(ancestor) = ancestor else { continue };
            let scope = self.body_scope(ancestor);
            scope.bind("this", instance.clone());
            for statement in self.class_statements(ancestor) {
                if let StmtKind::Property(property) = &statement.kind
                    && let (false, Some(value)) = (property.is_static, &property.value)
                {
                    let value = self.evaluate(value, &scope);
                    self.set_member(instance, &property.name, value);
                }
            }
        }
    }
}

/// What tells one ancestor from another.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    Place(*const ()),
    Path(Str),
    Unknown(&'static str, Option<Span>),
}

fn identity(value: &Value<'_>) -> Identity {
    match value {
        Value::Class(class) => Identity::Place(Rc::as_ptr(class).cast()),
        Value::Dynamic(class) => Identity::Place(Rc::as_ptr(class).cast()),
        Value::External(path) => Identity::Path(path.clone()),
        Value::Unknown(why, place) => Identity::Unknown(why, *place),
        _ => Identity::Unknown("", None),
    }
}

fn is_name(target: &Expr, name: &str) -> bool {
    matches!(&target.kind, ExprKind::Name(known) if known == name)
}

fn flatten<'p>(block: &'p [Stmt], out: &mut Vec<&'p Stmt>) {
    for statement in block {
        out.push(statement);
        match &statement.kind {
            StmtKind::If { then, otherwise, .. } => {
                flatten(then, out);
                flatten(otherwise, out);
            }
            StmtKind::Try { body, .. } => flatten(body, out),
            _ => {}
        }
    }
}

/// The statements of a class, those of blocks included, each with the conditions under which it runs.
fn conditional_statements<'p>(class: &ClassRef<'p>) -> Vec<(Vec<(&'p Expr, bool)>, &'p Stmt)> {
    fn flatten<'p>(block: &'p [Stmt], tests: &[(&'p Expr, bool)], out: &mut Vec<(Vec<(&'p Expr, bool)>, &'p Stmt)>) {
        for statement in block {
            out.push((tests.to_vec(), statement));
            match &statement.kind {
                StmtKind::If { test, then, otherwise } => {
                    flatten(then, &[tests, &[(test, true)]].concat(), out);
                    flatten(otherwise, &[tests, &[(test, false)]].concat(), out);
                }
                StmtKind::Try { body, .. } => flatten(body, tests, out),
                _ => {}
            }
        }
    }
    let mut flat = Vec::new();
    flatten(&class.node.body, &[], &mut flat);
    class.more.borrow().iter().for_each(|node| flatten(&node.body, &[], &mut flat));
    flat
}

/// `@name.setter`, `@name.deleter`
fn sets(decorators: &[Expr]) -> bool {
    decorators.iter().any(|decorator| {
        matches!(&decorator.kind, ExprKind::Member { name, .. } if matches!(name.as_str(), "setter" | "deleter"))
    })
}

/// Reads `@staticmethod`, `@classmethod`, `@property`.
fn role(decorators: &[Expr]) -> Role {
    for decorator in decorators {
        let callee = match &decorator.kind {
            ExprKind::Call { callee, .. } => callee,
            _ => decorator,
        };
        let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &callee.kind else { continue };
        match name.as_str() {
            "staticmethod" => return Role::Static,
            "classmethod" => return Role::ClassMethod,
            "property" | "cached_property" => return Role::Property,
            _ => {}
        }
    }
    Role::Plain
}
