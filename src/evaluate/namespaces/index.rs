//! Which types are declared under which full name, over all files of a program. Built once.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::value::ModuleId;
use crate::model::program::{Class, ImportStyle, Modifiers, Module, Stmt, StmtKind, TypeParameter};

#[derive(Debug, Default)]
pub(in crate::evaluate) struct Namespaces {
    pub(super) types: Vec<Declared>,
    /// By full name, arity left out: `A.B.List`.
    by_name: FxHashMap<String, Vec<u32>>,
    /// Every namespace, and those around it.
    names: FxHashSet<String>,
    /// Classes that declare a function of a name that is called like a method of its first parameter.
    extensions: FxHashMap<String, Vec<u32>>,
    /// The type that a class at the level of a namespace belongs to, by module and the index of the class there.
    by_class: FxHashMap<(ModuleId, u32), u32>,
    /// The types whose first part stands in a module.
    by_module: FxHashMap<ModuleId, Vec<u32>>,
    /// Modules with imports that hold for their whole project.
    pub(super) globals: Vec<ModuleId>,
}

/// A type at the level of a namespace, with all its parts.
#[derive(Debug)]
pub(super) struct Declared {
    /// With its namespace: `A.B.List`.
    pub(super) name: String,
    pub(super) arity: usize,
    /// Whether it says that it has several parts.
    partial: bool,
    project: String,
    pub(super) parts: Vec<Place>,
}

/// A statement: its module, and its index in each block from the module's down.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) module: ModuleId,
    pub(super) path: Vec<u32>,
}

impl Namespaces {
    /// `project_of`: the directory of the project that a path belongs to.
    pub(in crate::evaluate) fn new(program: &[Module], project_of: &dyn Fn(&str) -> String) -> Self {
        let mut found = Namespaces::default();
        for (at, module) in program.iter().enumerate() {
            if module.imports != ImportStyle::Namespace {
                continue;
            }
            let id = ModuleId(at as u32);
            if !module.global.is_empty() {
                found.globals.push(id);
            }
            let project = project_of(&module.path);
            let mut place = Place { module: id, path: Vec::new() };
            found.block(&module.body, "", &mut place, &project);
        }
        found
    }

    fn block(&mut self, block: &[Stmt], space: &str, place: &mut Place, project: &str) {
        for (at, statement) in block.iter().enumerate() {
            place.path.push(at as u32);
            match &statement.kind {
                StmtKind::Namespace { name, body, .. } => {
                    let name = joined(space, name);
                    let mut around = name.as_str();
                    while self.names.insert(around.to_owned()) {
                        let Some((outer, _)) = around.rsplit_once('.') else { break };
                        around = outer;
                    }
                    self.block(body, &name, place, project);
                }
                StmtKind::Class(class) => self.class(class, space, place, project),
                StmtKind::TypeAlias { name, parameters, value }
                    if matches!(value.kind, crate::model::program::ExprKind::FunctionType(_)) =>
                {
                    self.declare(joined(space, name), parameters, false, place, project);
                }
                _ => {}
            }
            place.path.pop();
        }
    }

    fn class(&mut self, class: &Class, space: &str, place: &Place, project: &str) {
        let partial = class.modifiers.has(Modifiers::PARTIAL);
        let at = self.declare(joined(space, &class.name), &class.type_parameters, partial, place, project);
        self.by_class.insert((place.module, class.index), at);
        for statement in &class.body {
            if let StmtKind::Function(function) = &statement.kind
                && function.modifiers.has(Modifiers::EXTENSION)
            {
                let classes = self.extensions.entry(function.name.clone()).or_default();
                if classes.last() != Some(&at) {
                    classes.push(at);
                }
            }
        }
    }

    fn declare(
        &mut self,
        name: String,
        parameters: &[TypeParameter],
        partial: bool,
        place: &Place,
        project: &str,
    ) -> u32 {
        let known = self.by_name.entry(name.clone()).or_default();
        let same = |at: &&u32| {
            let other = &self.types[**at as usize];
            partial && other.partial && other.arity == parameters.len() && other.project == project
        };
        if let Some(at) = known.iter().find(same).copied() {
            self.types[at as usize].parts.push(place.clone());
            return at;
        }
        let at = self.types.len() as u32;
        known.push(at);
        self.by_module.entry(place.module).or_default().push(at);
        let project = project.to_owned();
        self.types.push(Declared { name, arity: parameters.len(), partial, project, parts: vec![place.clone()] });
        at
    }

    pub(super) fn is_namespace(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The type of a full name; of several, the one in the project asked from, else one of its region, else the first.
    pub(super) fn find(
        &self,
        name: &str,
        arity: usize,
        project: &str,
        of_region: impl Fn(ModuleId) -> bool,
    ) -> Option<u32> {
        let known = self.by_name.get(name)?;
        let fits = |at: &&u32| self.types[**at as usize].arity == arity;
        let here = |at: &&u32| self.types[**at as usize].project == project;
        let near = |at: &&u32| self.types[**at as usize].parts.iter().any(|part| of_region(part.module));
        let fitting = || known.iter().filter(fits);
        fitting().find(here).or_else(|| fitting().find(near)).or_else(|| fitting().next()).copied()
    }

    pub(super) fn of_class(&self, module: ModuleId, class: u32) -> Option<u32> {
        self.by_class.get(&(module, class)).copied()
    }

    /// The types whose first part stands in a module.
    pub(super) fn declared_first_in(&self, module: ModuleId) -> &[u32] {
        self.by_module.get(&module).map(Vec::as_slice).unwrap_or_default()
    }

    /// The types that declare extensions of a name.
    pub(super) fn extending(&self, name: &str) -> &[u32] {
        self.extensions.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Place {
    /// The blocks around the statement, outermost (the module's) first, each with the name of its namespace.
    pub(super) fn blocks<'p>(&self, program: &'p [Module]) -> Vec<(String, &'p [Stmt])> {
        let mut block: &'p [Stmt] = &program[self.module.0 as usize].body;
        let mut name = String::new();
        let mut out = vec![(name.clone(), block)];
        for at in &self.path {
            if let Some(StmtKind::Namespace { name: inner, body, .. }) = block.get(*at as usize).map(|s| &s.kind) {
                name = joined(&name, inner);
                block = body;
                out.push((name.clone(), block));
            }
        }
        out
    }

    pub(super) fn statement<'p>(&self, program: &'p [Module]) -> Option<&'p Stmt> {
        let mut block: &'p [Stmt] = &program[self.module.0 as usize].body;
        let (last, around) = self.path.split_last()?;
        for at in around {
            let StmtKind::Namespace { body, .. } = &block.get(*at as usize)?.kind else { return None };
            block = body;
        }
        block.get(*last as usize)
    }
}

pub(in crate::evaluate) fn joined(space: &str, name: &str) -> String {
    if space.is_empty() { name.to_owned() } else { format!("{space}.{name}") }
}
