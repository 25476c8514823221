//! Which file the name of a module leads to.

use std::rc::Rc;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Library;
use super::implementers::{self, Extending};
use super::namespaces::Namespaces;
use super::regions::Regions;
use super::relevance::{self, Relevance, Spoken};
use super::specifiers::{Files, Package, Specifiers};
use super::value::{Found, ModuleId};
use crate::model::program::{Import, ImportStyle, ImportWhat, Module, StmtKind};
use crate::text::FileId;

/// Which module stands where. Built once for a program.
#[derive(Default)]
pub struct ProgramIndex {
    /// The parts of the program that know of each other.
    pub(super) regions: Regions,
    /// The same as [`Self::spoken`] of the whole program.
    pub(super) all: Spoken,
    /// Path without extension (`app/users`; a package by its directory) to module.
    by_key: FxHashMap<String, ModuleId>,
    by_file: FxHashMap<FileId, ModuleId>,
    /// Key of each module.
    keys: Vec<String>,
    is_package: Vec<bool>,
    /// Every directory that holds a module, directly or deeper.
    directories: FxHashSet<String>,
    /// Packages outside of the program that enclose parts of it.
    outer_packages: FxHashSet<String>,
    /// Directories that packages are imported from, in order.
    /// Directories with the script that runs a project: imports begin there, too, even where they are packages.
    script_roots: FxHashSet<String>,
    roots: Vec<String>,
    /// Modules that are named by path, and how.
    pub(super) files: Files,
    styles: Vec<ImportStyle>,
    /// What modules themselves say of null.
    strict: Vec<Option<bool>>,
    paths: Vec<String>,
    pub(super) relevance: Relevance,
    pub(super) namespaces: Namespaces,
    /// Projects, the directories of which enclose what belongs to them; innermost last.
    projects: Vec<Project>,
    /// The project of each module.
    of_module: Vec<Option<u32>>,
    /// Projects by their directories, and the modules of each.
    project_at: FxHashMap<String, u32>,
    of_project: FxHashMap<String, Vec<ModuleId>>,
    /// Of [`Self::roots`], those that hold something of a name, in the same order.
    roots_with: FxHashMap<String, Vec<u32>>,
    extending: OnceLock<Extending>,
}

/// What a project file says (C#).
#[derive(Clone, Debug, Default)]
pub struct Project {
    pub directory: String,
    /// Namespaces that every file imports.
    pub imports: Vec<String>,
    /// What it is built with: kits and packages by name.
    pub dependencies: Vec<String>,
    /// Whether types hold null only where they say so.
    pub strict_nulls: Option<bool>,
    /// Whether it is built for the web.
    pub serves: bool,
    /// Directories of the projects that it is built with.
    pub references: Vec<String>,
}

/// The script that runs a project from its own directory, which is thereby where imports begin.
const SCRIPT: &str = "manage";

impl ProgramIndex {
    /// `outer_packages`: directories above the program's that are packages, too. `services`: modules that belong together.
    pub fn new(
        program: &[Module],
        outer_packages: &[String],
        specifiers: Specifiers,
        libraries: &[&'static Library],
        services: &[&[ModuleId]],
    ) -> Self {
        let mut index = ProgramIndex {
            outer_packages: outer_packages.iter().cloned().collect(),
            projects: specifiers.projects.clone(),
            files: Files::new(specifiers),
            ..ProgramIndex::default()
        };
        for (at, module) in program.iter().enumerate() {
            index.styles.push(module.imports);
            index.strict.push(module.strict_nulls);
            index.paths.push(module.path.clone());
            if module.imports == ImportStyle::Namespace {
                index.by_file.insert(module.file, ModuleId(at as u32));
                index.keys.push(module.path.clone());
                index.is_package.push(false);
                continue;
            }
            if module.imports == ImportStyle::Path {
                index.files.add(&module.path, ModuleId(at as u32));
                index.by_file.insert(module.file, ModuleId(at as u32));
                index.keys.push(module.path.clone());
                index.is_package.push(false);
                continue;
            }
            let stem = module.path.rsplit_once('.').map_or(module.path.as_str(), |(stem, _)| stem);
            let package = stem.strip_suffix("/__init__").or((stem == "__init__").then_some(""));
            let key = package.unwrap_or(stem).to_owned();
            index.by_key.insert(key.clone(), ModuleId(at as u32));
            index.by_file.insert(module.file, ModuleId(at as u32));
            if key == SCRIPT || key.ends_with(&format!("/{SCRIPT}")) {
                index.script_roots.insert(parent(&key).to_owned());
            }
            index.keys.push(key);
            index.is_package.push(package.is_some());
            let mut directory = parent(&module.path);
            loop {
                if !index.directories.insert(directory.to_owned()) || directory.is_empty() {
                    break;
                }
                directory = parent(directory);
            }
        }
        index.place_in_projects(program);
        let mut roots: Vec<String> = index
            .keys
            .iter()
            .zip(&index.styles)
            .filter(|(_, style)| **style == ImportStyle::Dotted)
            .map(|(key, _)| index.import_root(parent(key)))
            // A plain folder within a package is part of it.
            .filter(|root| !index.is_within_package(root))
            .chain(index.script_roots.iter().map(String::as_str))
            .collect::<FxHashSet<_>>()
            .into_iter()
            .map(str::to_owned)
            .collect();
        roots.sort_by(|a, b| (a.matches('/').count(), a).cmp(&(b.matches('/').count(), b)));
        index.roots = roots;
        index.roots_with = index.roots_by_name();
        index.regions = Regions::new(program, &index, services);
        let used = super::imports::used_libraries(program, &index.regions, libraries);
        let is_used = |library: &&&'static Library| {
            used.iter().any(|used| used.iter().any(|known| std::ptr::eq(*known, **library)))
        };
        index.all = Spoken::of(libraries.iter().filter(is_used).copied().collect());
        index.relevance = relevance::of(program, &index.regions, used);
        index
    }

    /// What the region of a module asks and calls.
    pub(super) fn spoken(&self, module: ModuleId) -> &Spoken {
        &self.relevance.regions[self.regions.of(module)]
    }

    /// Whether two modules know of each other, or of what knows of both.
    pub(super) fn same_region(&self, one: ModuleId, other: ModuleId) -> bool {
        self.regions.of(one) == self.regions.of(other)
    }

    /// The classes of the program that it was made of, by what they extend and implement; looked for once.
    pub(super) fn extending(&self, program: &[Module]) -> &Extending {
        self.extending.get_or_init(|| implementers::extending(program))
    }

    /// The roots by the names of what they hold, which imports may begin with.
    fn roots_by_name(&self) -> FxHashMap<String, Vec<u32>> {
        let places: FxHashMap<&str, u32> =
            self.roots.iter().enumerate().map(|(at, root)| (root.as_str(), at as u32)).collect();
        let mut found: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for held in self.by_key.keys().chain(&self.directories).filter(|held| !held.is_empty()) {
            if let Some(root) = places.get(parent(held)) {
                found.entry(held.rsplit('/').next().unwrap_or(held).to_owned()).or_default().push(*root);
            }
        }
        // Each of them by itself: in which order does not show.
        #[allow(clippy::iter_over_hash_type)]
        for roots in found.values_mut() {
            roots.sort_unstable();
            roots.dedup();
        }
        found
    }

    fn place_in_projects(&mut self, program: &[Module]) {
        let directories: FxHashMap<&str, u32> =
            self.projects.iter().enumerate().map(|(at, project)| (project.directory.as_str(), at as u32)).collect();
        let enclosing = |path: &str| {
            let mut directory = parent(path);
            loop {
                if let Some(at) = directories.get(directory) {
                    return Some(*at);
                }
                if directory.is_empty() {
                    return None;
                }
                directory = parent(directory);
            }
        };
        self.of_module = self.paths.iter().map(|path| enclosing(path)).collect();
        self.project_at = directories.iter().map(|(directory, at)| ((*directory).to_owned(), *at)).collect();
        for (at, project) in self.of_module.iter().enumerate() {
            let directory = project.map_or("", |at| &self.projects[at as usize].directory);
            self.of_project.entry(directory.to_owned()).or_default().push(ModuleId(at as u32));
        }
        let projects = &self.projects;
        let name = |path: &str| enclosing(path).map_or(String::new(), |at| projects[at as usize].directory.clone());
        self.namespaces = Namespaces::new(program, &name);
    }

    /// The directory of the project that a module belongs to; empty where there is none.
    pub fn project_of(&self, module: ModuleId) -> &str {
        self.of_module[module.0 as usize].map_or("", |at| &self.projects[at as usize].directory)
    }

    fn project_in(&self, directory: &str) -> Option<&Project> {
        self.project_at.get(directory).map(|at| &self.projects[*at as usize])
    }

    /// The modules that belong to a project, in order; those of none for no directory.
    pub fn modules_of_project(&self, directory: &str) -> &[ModuleId] {
        self.of_project.get(directory).map(Vec::as_slice).unwrap_or_default()
    }

    /// The namespaces that all files of a project import, because its project file says so.
    pub(super) fn project_imports(&self, directory: &str) -> &[String] {
        self.project_in(directory).map(|project| project.imports.as_slice()).unwrap_or_default()
    }

    /// The directories of the projects that one is built with, directly or through others.
    pub fn referenced_projects(&self, directory: &str) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        let mut next = vec![directory];
        while let Some(directory) = next.pop() {
            for reference in self.project_in(directory).iter().flat_map(|project| &project.references) {
                if reference != directory && !found.contains(&reference.as_str()) {
                    found.push(reference);
                    next.push(reference);
                }
            }
        }
        found
    }

    /// Whether functions of a module do something at a wire.
    pub fn is_at_wire(&self, module: ModuleId) -> bool {
        !self.relevance.wires_in(module).is_empty()
    }

    /// Whether the project of a module is built for the web.
    pub fn project_serves(&self, module: ModuleId) -> bool {
        self.of_module[module.0 as usize].is_some_and(|at| self.projects[at as usize].serves)
    }

    /// What the project of a module is built with.
    pub fn dependencies(&self, module: ModuleId) -> &[String] {
        let project = self.of_module[module.0 as usize].map(|at| &self.projects[at as usize]);
        project.map(|project| project.dependencies.as_slice()).unwrap_or_default()
    }

    /// Whether types of a module hold null only where they say so, as it says itself, or its project file.
    pub fn strict_nulls(&self, module: ModuleId) -> Option<bool> {
        if let Some(own) = self.strict[module.0 as usize] {
            return Some(own);
        }
        self.projects[self.of_module[module.0 as usize]? as usize].strict_nulls
    }

    /// The nearest directory at or above this one that is no package itself.
    fn import_root<'a>(&self, directory: &'a str) -> &'a str {
        let mut directory = directory;
        while !directory.is_empty() && self.package_file(directory) {
            directory = parent(directory);
        }
        directory
    }

    fn is_within_package(&self, directory: &str) -> bool {
        let mut directory = directory;
        while !directory.is_empty() {
            directory = parent(directory);
            if self.package_file(directory) {
                return true;
            }
        }
        false
    }

    fn package_file(&self, directory: &str) -> bool {
        self.outer_packages.contains(directory)
            || self.by_key.get(directory).is_some_and(|module| self.is_package[module.0 as usize])
    }

    /// The name of the package whose file a module is, where that says nothing.
    pub(super) fn marked_package(&self, module: ModuleId, program: &[Module]) -> Option<&str> {
        let at = module.0 as usize;
        let is_empty = program.get(at)?.body.iter().all(|it| matches!(it.kind, StmtKind::Expr(_)));
        let key = &self.keys[at];
        (self.is_package[at] && is_empty).then(|| key.rsplit('/').next().unwrap_or(key))
    }

    /// Whether a module is the file of a package.
    pub(super) fn is_package(&self, module: ModuleId) -> bool {
        self.is_package[module.0 as usize]
    }

    pub(super) fn module_of_file(&self, file: FileId) -> Option<ModuleId> {
        self.by_file.get(&file).copied()
    }

    pub(super) fn at(&self, key: &str) -> Option<Found> {
        if let Some(module) = self.by_key.get(key) {
            return Some(Found::Module(*module));
        }
        self.directories.contains(key).then(|| Found::Package(Rc::from(key)))
    }

    /// Where an import leads, whichever way its module names others.
    pub fn imported(&self, from: ModuleId, import: &Import) -> Found {
        if self.style(from) == ImportStyle::Path {
            self.files.resolve(self.path(from), &import.module)
        } else if import.level == 0 {
            self.absolute(from, &import.module)
        } else {
            self.relative(from, import.level, &import.module)
        }
    }

    /// The module that an import leads to.
    pub(super) fn imported_module(&self, from: ModuleId, import: &Import) -> Option<ModuleId> {
        match self.imported(from, import) {
            Found::Module(found) => Some(found),
            // `from . import http`
            Found::Package(directory) => match &import.what {
                ImportWhat::Name { name, .. } => match self.inside(&directory, name) {
                    Some(Found::Module(found)) => Some(found),
                    _ => None,
                },
                _ => None,
            },
            Found::External(_) => None,
        }
    }

    /// Where an absolute dotted name leads, as seen from a module: its own import roots from the nearest up, then any
    /// other root of the program.
    pub fn absolute(&self, from: ModuleId, dotted: &str) -> Found {
        let path = dotted.replace('.', "/");
        let mut directory = parent(&self.keys[from.0 as usize]);
        loop {
            if (!self.package_file(directory) || self.script_roots.contains(directory))
                && let Some(found) = self.at(&join(directory, &path))
                && found != Found::Module(from)
            {
                return found;
            }
            if directory.is_empty() {
                break;
            }
            directory = parent(directory);
        }
        let first = path.split('/').next().unwrap_or(&path);
        for root in self.roots_with.get(first).into_iter().flatten().map(|at| &self.roots[*at as usize]) {
            if let Some(found @ Found::Module(_)) = self.at(&join(root, &path)) {
                return found;
            }
        }
        self.within_packages(from, &path).unwrap_or_else(|| Found::External(Rc::from(dotted)))
    }

    /// The same from the packages around a module: a runner's settings may make any directory a root. One segment alone
    /// may be a library's name as well.
    fn within_packages(&self, from: ModuleId, path: &str) -> Option<Found> {
        if !path.contains('/') {
            return None;
        }
        let mut directory = parent(&self.keys[from.0 as usize]);
        while !directory.is_empty() {
            if let Some(found @ Found::Module(_)) = self.at(&join(directory, path))
                && found != Found::Module(from)
            {
                return Some(found);
            }
            directory = parent(directory);
        }
        None
    }

    /// `from ..a import b`: level dots up from the module's package, then down `dotted`.
    pub(super) fn relative(&self, from: ModuleId, level: u32, dotted: &str) -> Found {
        let key = &self.keys[from.0 as usize];
        let mut directory = if self.is_package[from.0 as usize] { key.as_str() } else { parent(key) };
        for _ in 1..level {
            directory = parent(directory);
        }
        let path = if dotted.is_empty() { directory.to_owned() } else { join(directory, &dotted.replace('.', "/")) };
        self.at(&path).unwrap_or_else(|| Found::External(Rc::from(path.replace('/', ".").as_str())))
    }

    /// The module or package `name` inside a package.
    pub fn submodule(&self, package: ModuleId, name: &str) -> Option<Found> {
        let at = package.0 as usize;
        if !self.is_package[at] {
            return None;
        }
        self.at(&join(&self.keys[at], name))
    }

    pub(super) fn at_path(&self, path: &str) -> Option<Found> {
        self.at(path)
    }

    /// The module or package `name` in a directory.
    pub fn within(&self, directory: &str, name: &str) -> Option<Found> {
        self.inside(directory, name)
    }

    pub(super) fn inside(&self, directory: &str, name: &str) -> Option<Found> {
        self.at(&join(directory, name))
    }

    /// How a module names others.
    pub fn style(&self, module: ModuleId) -> ImportStyle {
        self.styles[module.0 as usize]
    }

    /// The package of the workspace that a module belongs to.
    pub fn package_of(&self, module: ModuleId) -> Option<&Package> {
        self.files.package_of(self.path(module))
    }

    /// The module at a path; its extension may be left out.
    pub fn module_at(&self, path: &str) -> Option<ModuleId> {
        self.files.file(path)
    }

    /// The modules in a directory, with their paths below it.
    pub fn modules_below(&self, directory: &str) -> Vec<(ModuleId, &str)> {
        let below = |path: &'_ str| -> Option<usize> {
            let rest = path.strip_prefix(directory)?;
            if directory.is_empty() {
                return Some(0);
            }
            rest.starts_with('/').then_some(directory.len() + 1)
        };
        let modules = self.paths.iter().enumerate();
        modules.filter_map(|(at, path)| Some((ModuleId(at as u32), &path[below(path)?..]))).collect()
    }

    /// The path of a module.
    pub fn path(&self, module: ModuleId) -> &str {
        &self.paths[module.0 as usize]
    }

    /// The modules that are named by path and lie below a directory, with their paths from there, in order.
    pub fn below(&self, directory: &str) -> Vec<(ModuleId, String)> {
        let below = |(at, path): (usize, &String)| {
            let rest = if directory == "." { path } else { path.strip_prefix(directory)?.strip_prefix('/')? };
            (self.styles[at] == ImportStyle::Path).then(|| (ModuleId(at as u32), rest.to_owned()))
        };
        let mut found: Vec<(ModuleId, String)> = self.paths.iter().enumerate().filter_map(below).collect();
        found.sort_by(|a, b| a.1.cmp(&b.1));
        found
    }

    /// Whether modules lie below a path.
    pub fn is_directory(&self, path: &str) -> bool {
        path == "." || self.directories.contains(path)
    }

    /// The dotted name of a module, from its import root.
    pub fn dotted(&self, module: ModuleId) -> String {
        let key = &self.keys[module.0 as usize];
        let root = self.import_root(parent(key));
        key[root.len()..].trim_start_matches('/').replace('/', ".")
    }

    pub(super) fn package_name(&self, module: ModuleId) -> String {
        let dotted = self.dotted(module);
        if self.is_package[module.0 as usize] {
            dotted
        } else {
            dotted.rsplit_once('.').map_or(String::new(), |(package, _)| package.to_owned())
        }
    }
}

pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn join(directory: &str, path: &str) -> String {
    if directory.is_empty() { path.to_owned() } else { format!("{directory}/{path}") }
}
