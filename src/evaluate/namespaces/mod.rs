//! Names where modules add to namespaces (C#): what is declared under a full name in any file, `using`s, types within
//! types, parts of one class in several files. C# specification, sections 7.8 and 14.

mod dispatch;
mod index;
mod members;
mod names;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Evaluator;
use super::value::{ClassRef, ModuleId, Scope, Str, Value};
use crate::model::program::{Class, ClassKind, ImportStyle, Stmt, StmtKind};

pub(super) use dispatch::is_only_declared;
pub(super) use index::Namespaces;
pub(super) use index::joined;

/// Where the names of a place come from: its namespace, and the files that it stands in.
pub(super) struct Space<'p> {
    /// Empty for what stands in no namespace.
    name: String,
    project: String,
    faces: Vec<Face<'p>>,
    /// Names of types that were asked for, by arity.
    memo: RefCell<FxHashMap<(Str, usize), Option<Value<'p>>>>,
    visible: OnceCell<Vec<String>>,
}

/// One file in which a place is declared.
struct Face<'p> {
    module: ModuleId,
    /// The blocks around it, the module's own first, each with its namespace.
    blocks: Vec<(String, &'p [Stmt])>,
}

/// What an evaluator made of the types at the level of namespaces.
#[derive(Default)]
pub(super) struct Types<'p> {
    made: FxHashMap<u32, Value<'p>>,
    /// The space of each module's own level.
    modules: FxHashMap<ModuleId, Rc<Space<'p>>>,
}

impl<'p> Evaluator<'p> {
    /// Whether names are those of namespaces here.
    pub fn names_in_namespaces(&self, scope: &Scope<'p>) -> bool {
        self.index.style(scope.module()) == ImportStyle::Namespace
    }

    /// The types at the level of namespaces of these modules, in order, those within them after each; a type with several
    /// parts once, where its first part is.
    pub fn declared_classes(&mut self, modules: &[ModuleId]) -> Vec<ClassRef<'p>> {
        let index = self.index;
        let mut wanted: Vec<u32> =
            modules.iter().flat_map(|module| index.namespaces.declared_first_in(*module)).copied().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut found = Vec::new();
        for at in wanted {
            if let Some(Value::Class(class)) = self.declared(at) {
                self.with_inner(class, &mut found);
            }
        }
        found
    }

    fn with_inner(&mut self, class: ClassRef<'p>, found: &mut Vec<ClassRef<'p>>) {
        let mut next = vec![class];
        while let Some(class) = next.pop() {
            let inner = self.class_statements(&class).into_iter().filter_map(|statement| match &statement.kind {
                StmtKind::Class(inner) => Some(inner.name.as_str()),
                _ => None,
            });
            for name in inner.collect::<Vec<_>>().into_iter().rev() {
                if let Some(Value::Class(inner)) = self.own_member(&class, name) {
                    next.push(inner);
                }
            }
            found.push(class);
        }
    }

    /// The class of the program that a declaration at the level of a namespace belongs to.
    pub(super) fn class_of_node(&mut self, module: ModuleId, class: u32) -> Option<ClassRef<'p>> {
        let at = self.index.namespaces.of_class(module, class)?;
        match self.declared(at)? {
            Value::Class(class) => Some(class),
            _ => None,
        }
    }

    /// The class that a declaration in a module belongs to, given with those around it, the outermost first.
    pub fn class_within(&mut self, module: ModuleId, path: &[&'p Class]) -> Option<ClassRef<'p>> {
        let (outermost, within) = path.split_first()?;
        let mut class = self.class_of_node(module, outermost.index)?;
        for node in within {
            let Value::Class(inner) = self.own_member(&class, &node.name)? else { return None };
            class = inner;
        }
        Some(class)
    }

    /// The name of a class with its namespace and the classes around it.
    pub fn full_name(&self, class: &ClassRef<'p>) -> String {
        let mut name = class.name().to_owned();
        let mut next = Some(class.scope.clone());
        while let Some(here) = next {
            if let Some(outer) = &here.0.class {
                name = format!("{}.{name}", outer.name());
            }
            if let Some(space) = &here.0.space {
                return joined(&space.name, &name);
            }
            next = here.0.parent.clone();
        }
        name
    }

    /// A type at the level of a namespace.
    fn declared(&mut self, at: u32) -> Option<Value<'p>> {
        if let Some(known) = self.types.made.get(&at) {
            return Some(known.clone());
        }
        let index = self.index;
        let declared = &index.namespaces.types[at as usize];
        let first = declared.parts.first()?;
        let scope = self.space_scope(&declared.parts);
        let value = match &first.statement(self.program)?.kind {
            StmtKind::Class(node) => {
                let class = self.make_class(node, &scope);
                for part in &declared.parts[1..] {
                    if let Some(StmtKind::Class(more)) = part.statement(self.program).map(|statement| &statement.kind) {
                        class.more.borrow_mut().push(more);
                    }
                }
                Value::Class(class)
            }
            StmtKind::TypeAlias { name, parameters, value } => {
                Value::Alias(Rc::new(super::Alias { name, parameters, value, scope }))
            }
            _ => return None,
        };
        self.types.made.insert(at, value.clone());
        Some(value)
    }

    /// The scope of what stands at these places.
    fn space_scope(&mut self, places: &[index::Place]) -> Scope<'p> {
        let faces: Vec<Face<'p>> =
            places.iter().map(|place| Face { module: place.module, blocks: place.blocks(self.program) }).collect();
        let module = faces[0].module;
        // What stands alone in the level of its module shares that level's names.
        if let [only] = faces.as_slice()
            && only.blocks.len() == 1
        {
            return Scope::of_module(module).within(self.module_space(module));
        }
        let name = faces[0].blocks.last().map(|(name, _)| name.clone()).unwrap_or_default();
        Scope::of_module(module).within(self.space(name, faces))
    }

    fn space(&self, name: String, faces: Vec<Face<'p>>) -> Rc<Space<'p>> {
        let project = self.index.project_of(faces[0].module).to_owned();
        Rc::new(Space { name, project, faces, memo: RefCell::default(), visible: OnceCell::new() })
    }

    /// The names at the level of a module itself.
    fn module_space(&mut self, module: ModuleId) -> Rc<Space<'p>> {
        if let Some(known) = self.types.modules.get(&module) {
            return known.clone();
        }
        let body: &'p [Stmt] = &self.program[module.0 as usize].body;
        let faces = vec![Face { module, blocks: vec![(String::new(), body)] }];
        let space = self.space(String::new(), faces);
        self.types.modules.insert(module, space.clone());
        space
    }

    /// Where the names around a place come from.
    fn space_of(&mut self, scope: &Scope<'p>) -> Rc<Space<'p>> {
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            if let Some(space) = &here.0.space {
                return space.clone();
            }
            next = here.0.parent.clone();
        }
        self.module_space(scope.module())
    }

    /// Runs what is not declared but done at the level of a module, and tells the libraries of the classes.
    pub(super) fn run_declared(&mut self, roots: &[ModuleId]) {
        let roots: Vec<ModuleId> =
            roots.iter().copied().filter(|root| self.index.style(*root) == ImportStyle::Namespace).collect();
        for class in self.declared_classes(&roots) {
            // Interfaces say something to clients alone: a method of one may stand for a request.
            let is_interface = class.node.kind == ClassKind::Interface;
            if class.node.kind != ClassKind::Class && !(is_interface && self.spoken.has_wires) {
                continue;
            }
            self.start_within(class.node.span.file);
            let scope = class.scope.clone();
            let attributes = self.attributes(&class.node.decorators, &scope);
            for library in self.libraries.iter().filter(|it| !is_interface || !it.wire_packages.is_empty()) {
                (library.class_defined)(self, &class, &attributes);
            }
        }
    }
}
