//! What a name of a type means in its place.

use std::rc::Rc;

use super::index::joined;
use super::{Face, Space};
use crate::evaluate::operators::union;
use crate::evaluate::value::{ClassRef, Scope, Str, Value};
use crate::evaluate::{Evaluator, MAX_DEPTH};
use crate::model::program::{BinaryOp, Expr, ExprKind, Import, ImportWhat, Stmt, StmtKind};

impl<'p> Evaluator<'p> {
    /// What a name means where a type stands: a class, interface or enumeration ([`Value::Class`]), a type parameter, what
    /// an alias stands for, a delegate ([`Value::Alias`]). `None` where the program does not declare it.
    pub fn named_type(&mut self, name: &str, arity: usize, scope: &Scope<'p>) -> Option<Value<'p>> {
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            // What a type parameter is called with stands in its place.
            if arity == 0
                && let Some(variable @ (Value::TypeVar(_) | Value::Class(_) | Value::Applied(..))) =
                    here.0.names.borrow().get(name)
            {
                return Some(variable.clone());
            }
            if let Some(class) = here.0.class.clone()
                && let Some(inner) = self.inner_type(&class, name, arity)
            {
                return Some(inner);
            }
            if let Some(space) = here.0.space.clone() {
                return self.type_in_space(name, arity, &space);
            }
            next = here.0.parent.clone();
        }
        let space = self.module_space(scope.module());
        self.type_in_space(name, arity, &space)
    }

    /// A type that is declared in a class or in one that it extends.
    fn inner_type(&mut self, class: &ClassRef<'p>, name: &str, arity: usize) -> Option<Value<'p>> {
        if class.name() == name && class.node.type_parameters.len() == arity {
            return Some(Value::Class(class.clone()));
        }
        if class.bases_busy.get() && class.bases.get().is_none() {
            // What it extends is being looked up: only its own types are known.
            return self.own_inner_type(class, name, arity);
        }
        for ancestor in self.ancestry(class).iter() {
            if let Value::Class(ancestor) = ancestor
                && let Some(found) = self.own_inner_type(ancestor, name, arity)
            {
                return Some(found);
            }
        }
        None
    }

    fn own_inner_type(&mut self, class: &ClassRef<'p>, name: &str, arity: usize) -> Option<Value<'p>> {
        let declares = |statement: &&Stmt| match &statement.kind {
            StmtKind::Class(inner) => inner.name == name && inner.type_parameters.len() == arity,
            _ => false,
        };
        self.class_statements(class).iter().copied().find(declares)?;
        match self.own_member(class, name) {
            found @ Some(Value::Class(_)) => found,
            _ => None,
        }
    }

    fn type_in_space(&mut self, name: &str, arity: usize, space: &Rc<Space<'p>>) -> Option<Value<'p>> {
        let key: (Str, usize) = (Rc::from(name), arity);
        if let Some(known) = space.memo.borrow().get(&key) {
            return known.clone();
        }
        // An alias may name itself.
        space.memo.borrow_mut().insert(key.clone(), None);
        let found = self.find_in_space(name, arity, space);
        space.memo.borrow_mut().insert(key, found.clone());
        found
    }

    /// From the innermost namespace out: its own types, then what is imported there.
    fn find_in_space(&mut self, name: &str, arity: usize, space: &Rc<Space<'p>>) -> Option<Value<'p>> {
        let mut around = Some(space.name.as_str());
        while let Some(here) = around {
            if let Some(found) = self.declared_as(&joined(here, name), arity, space) {
                return Some(found);
            }
            for face in &space.faces {
                for (_, block) in face.blocks.iter().filter(|(block, _)| block == here && !here.is_empty()) {
                    if let Some(found) = self.imported_in(block, here, name, arity, space, face) {
                        return Some(found);
                    }
                }
            }
            around = if here.is_empty() { None } else { Some(here.rsplit_once('.').map_or("", |(outer, _)| outer)) };
        }
        for face in &space.faces {
            let (_, own) = face.blocks.first()?;
            if let Some(found) = self.imported_in(own, "", name, arity, space, face) {
                return Some(found);
            }
        }
        let index = self.index;
        for module in &index.namespaces.globals {
            if index.project_of(*module) == space.project {
                let block: &'p [Stmt] = &self.program[module.0 as usize].global;
                if let Some(found) = self.imported_in(block, "", name, arity, space, &space.faces[0]) {
                    return Some(found);
                }
            }
        }
        let imported = index.project_imports(&space.project).iter();
        let mut found = imported.filter_map(|import| self.declared_as(&joined(import, name), arity, space));
        found.next()
    }

    fn declared_as(&mut self, full: &str, arity: usize, space: &Space<'p>) -> Option<Value<'p>> {
        let index = self.index;
        let own = space.faces[0].module;
        let at = index.namespaces.find(full, arity, &space.project, |module| index.same_region(own, module))?;
        self.declared(at)
    }

    /// Aliases first, then the types of imported namespaces.
    fn imported_in(
        &mut self,
        block: &'p [Stmt],
        inside: &str,
        name: &str,
        arity: usize,
        space: &Rc<Space<'p>>,
        face: &Face<'p>,
    ) -> Option<Value<'p>> {
        // Imports and aliases stand at the start of their block.
        let heads = || block.iter().take_while(|s| matches!(s.kind, StmtKind::Import(_) | StmtKind::TypeAlias { .. }));
        for statement in heads() {
            if let StmtKind::TypeAlias { name: alias, value, .. } = &statement.kind
                && alias == name
                && arity == 0
                && !matches!(value.kind, ExprKind::FunctionType(_))
            {
                let scope = Scope::of_module(face.module).within(space.clone());
                let value = self.type_expression(value, &scope);
                if !value.is_unknown() {
                    return Some(value);
                }
            }
        }
        for statement in heads() {
            let StmtKind::Import(import) = &statement.kind else { continue };
            let found = match import.what {
                ImportWhat::Star => {
                    let full = self.namespace_from(&import.module, inside);
                    self.declared_as(&joined(&full, name), arity, space)
                }
                ImportWhat::Static => match self.static_import(import, inside, space) {
                    Some(class) => self.own_inner_type(&class, name, arity),
                    None => None,
                },
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The full name of a namespace as it is named inside another.
    fn namespace_from(&self, name: &str, inside: &str) -> String {
        let mut around = inside;
        while !around.is_empty() {
            let full = joined(around, name);
            if self.index.namespaces.is_namespace(&full) {
                return full;
            }
            around = around.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        name.to_owned()
    }

    /// The class of `using static A.B.C`.
    pub(super) fn static_import(
        &mut self,
        import: &Import,
        inside: &str,
        space: &Rc<Space<'p>>,
    ) -> Option<ClassRef<'p>> {
        let mut around = inside;
        loop {
            if let Some(Value::Class(class)) = self.declared_as(&joined(around, &import.module), 0, space) {
                return Some(class);
            }
            if around.is_empty() {
                return None;
            }
            around = around.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
    }

    /// The namespaces whose names are visible in a place: its own and those around it, and what is imported.
    pub(super) fn visible_namespaces(&mut self, space: &Rc<Space<'p>>) -> Vec<String> {
        if let Some(known) = space.visible.get() {
            return known.clone();
        }
        let mut visible = Vec::new();
        let mut around = Some(space.name.as_str());
        while let Some(here) = around {
            visible.push(here.to_owned());
            around = if here.is_empty() { None } else { Some(here.rsplit_once('.').map_or("", |(outer, _)| outer)) };
        }
        let index = self.index;
        let globals = index.namespaces.globals.iter().filter(|module| index.project_of(**module) == space.project);
        let global = globals.map(|module| ("", self.program[module.0 as usize].global.as_slice()));
        let own = space.faces.iter().flat_map(|face| face.blocks.iter().map(|(name, block)| (name.as_str(), *block)));
        for (inside, block) in own.chain(global) {
            for statement in block {
                match &statement.kind {
                    StmtKind::Import(Import { module, what: ImportWhat::Star, .. }) => {
                        visible.push(self.namespace_from(module, inside));
                    }
                    // The extensions that one class declares.
                    StmtKind::Import(Import { module, what: ImportWhat::Static, .. }) => visible.push(module.clone()),
                    StmtKind::TypeAlias { .. } => {}
                    _ => break,
                }
            }
        }
        visible.extend(index.project_imports(&space.project).iter().cloned());
        let _ = space.visible.set(visible.clone());
        visible
    }

    /// A type as it is written: `A<B>` is [`Value::Applied`], `A?` a [`Value::Union`] with `None`, `A[]` is
    /// `External("[]")` applied to `A`, a tuple `External("ValueTuple")` applied to its elements; where these have names,
    /// they stand in front: `(Id,Name).ValueTuple`. What the program does not
    /// declare is an external name as it is written, `int` and `List` as well.
    pub(in crate::evaluate) fn namespace_type(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        if self.depth > MAX_DEPTH || !self.tick(expr.span.file) {
            return Value::Unknown("nested too deep", Some(expr.span));
        }
        self.depth += 1;
        let value = self.namespace_type_kind(expr, scope);
        self.depth -= 1;
        value
    }

    fn namespace_type_kind(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Member { .. } => self.type_path(expr, 0, scope),
            ExprKind::Index { object, index } => {
                let base = self.type_path(object, index.len(), scope);
                let args = index.iter().map(|item| self.namespace_type(item, scope)).collect();
                Value::applied(base, args)
            }
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } => {
                let left = self.namespace_type(left, scope);
                let right = self.namespace_type(right, scope);
                union(left, right)
            }
            // What a type parameter has to be all at once.
            ExprKind::Binary { op: BinaryOp::BitAnd, left, right } => {
                let left = self.namespace_type(left, scope);
                let right = self.namespace_type(right, scope);
                Value::applied(Value::external("&"), vec![left, right])
            }
            ExprKind::Tuple(items) => {
                let args = items.iter().map(|item| self.namespace_type(item, scope)).collect();
                Value::applied(tuple(items), args)
            }
            ExprKind::Named { value, .. } => self.namespace_type(value, scope),
            ExprKind::TypeOf(inner) | ExprKind::Spread(inner) => self.namespace_type(inner, scope),
            ExprKind::None => Value::None,
            _ => Value::Unknown("a type of a kind that is not read", Some(expr.span)),
        }
    }

    /// `A`, `A.B`, `A<int>.B`; the last one takes `arity` types.
    fn type_path(&mut self, expr: &'p Expr, arity: usize, scope: &Scope<'p>) -> Value<'p> {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.named_type(name, arity, scope).unwrap_or_else(|| Value::external(name.as_str()))
            }
            ExprKind::Member { object, name } => {
                if let Some(dotted) = dotted(expr)
                    && let Some(found) = self.type_of_dotted(&dotted, arity, scope)
                {
                    return found;
                }
                match self.type_path(object, 0, scope) {
                    Value::Class(outer) => self
                        .inner_type(&outer, name, arity)
                        .unwrap_or(Value::Unknown("type is not declared in its class", Some(expr.span))),
                    Value::Applied(base, _) => match &*base {
                        Value::Class(outer) => self
                            .inner_type(outer, name, arity)
                            .unwrap_or(Value::Unknown("type is not declared in its class", Some(expr.span))),
                        other => Value::external(format!("{}.{name}", other.describe())),
                    },
                    Value::External(path) => Value::external(format!("{path}.{name}")),
                    other => other,
                }
            }
            _ => self.namespace_type(expr, scope),
        }
    }

    /// `A.B.C`, where `A` may be a namespace as it is named here, or an alias of one.
    pub(super) fn type_of_dotted(&mut self, dotted: &str, arity: usize, scope: &Scope<'p>) -> Option<Value<'p>> {
        let (first, rest) = dotted.split_once('.')?;
        let space = self.space_of(scope);
        let mut whole = dotted.to_owned();
        match self.named_type(first, 0, scope) {
            Some(Value::External(aliased)) => whole = format!("{aliased}.{rest}"),
            Some(_) => return None,
            None => {}
        }
        let mut around = Some(space.name.as_str());
        while let Some(here) = around {
            // The namespace, or a class in it with others inside.
            let (outer, mut inner): (String, Vec<String>) = (joined(here, &whole), Vec::new());
            let mut outer = outer.as_str();
            loop {
                let wanted = if inner.is_empty() { arity } else { 0 };
                if let Some(found) = self.declared_as(outer, wanted, &space) {
                    let mut found = Some(found);
                    for (left, name) in inner.iter().rev().enumerate() {
                        let wanted = if left + 1 == inner.len() { arity } else { 0 };
                        found = match found {
                            Some(Value::Class(class)) => self.inner_type(&class, name, wanted),
                            _ => None,
                        };
                    }
                    return found;
                }
                let Some((next, name)) = outer.rsplit_once('.') else { break };
                inner.push(name.to_owned());
                outer = next;
            }
            around = if here.is_empty() { None } else { Some(here.rsplit_once('.').map_or("", |(outer, _)| outer)) };
        }
        None
    }
}

/// The type that a tuple's elements are given to.
fn tuple<'p>(items: &[Expr]) -> Value<'p> {
    let name = |item: &Expr| match &item.kind {
        ExprKind::Named { name, .. } => name.clone(),
        _ => String::new(),
    };
    let names: Vec<String> = items.iter().map(name).collect();
    if names.iter().all(String::is_empty) {
        return Value::external("ValueTuple");
    }
    Value::external(format!("({}).ValueTuple", names.join(",")))
}

/// `A.B.C` as text.
pub(super) fn dotted(expr: &Expr) -> Option<String> {
    let mut parts = Vec::new();
    let mut next = expr;
    loop {
        match &next.kind {
            ExprKind::Member { object, name } => {
                parts.push(name.as_str());
                next = object;
            }
            ExprKind::Name(name) => {
                parts.push(name);
                break;
            }
            _ => return None,
        }
    }
    parts.reverse();
    Some(parts.join("."))
}
