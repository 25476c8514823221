//! Which parts of a program have to do with each other. Services that are scanned in one run may be strangers: where no
//! import leads from one to the other, what is called alike in both is not the same, and what one of them imports says
//! nothing of the other.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ProgramIndex;
use super::imports::for_each_import;
use super::namespaces::joined;
use super::value::ModuleId;
use crate::model::program::{Import, ImportStyle, ImportWhat, Module, Stmt, StmtKind};

/// The modules of a program, those together that know of each other.
#[derive(Debug, Default)]
pub(super) struct Regions {
    of_module: Vec<u32>,
    /// The modules of each, in order.
    pub(super) modules: Vec<Vec<ModuleId>>,
}

impl Regions {
    /// `services`: modules that belong together whatever they import.
    pub(super) fn new(program: &[Module], index: &ProgramIndex, services: &[&[ModuleId]]) -> Self {
        let mut joined = Joined((0..program.len() as u32).collect());
        for service in services {
            service.windows(2).for_each(|pair| joined.join(pair[0], pair[1]));
        }
        let imported: Vec<Vec<ModuleId>> =
            program.par_iter().enumerate().map(|(at, module)| imports(index, ModuleId(at as u32), module)).collect();
        for (at, imported) in imported.into_iter().enumerate() {
            imported.into_iter().for_each(|target| joined.join(ModuleId(at as u32), target));
        }
        join_projects(program, index, &mut joined);
        join_namespaces(program, &mut joined);
        let mut places: FxHashMap<u32, u32> = FxHashMap::default();
        let mut regions = Regions::default();
        for at in 0..program.len() as u32 {
            let region = *places.entry(joined.root(at)).or_insert_with(|| {
                regions.modules.push(Vec::new());
                regions.modules.len() as u32 - 1
            });
            regions.of_module.push(region);
            regions.modules[region as usize].push(ModuleId(at));
        }
        regions
    }

    pub(super) fn of(&self, module: ModuleId) -> usize {
        self.of_module[module.0 as usize] as usize
    }
}

/// The sets that modules were joined to, each known by its least module.
struct Joined(Vec<u32>);

impl Joined {
    fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let above = self.0[at as usize];
            self.0[at as usize] = self.0[above as usize];
            at = above;
        }
        at
    }

    fn join(&mut self, one: ModuleId, other: ModuleId) {
        let (one, other) = (self.root(one.0), self.root(other.0));
        self.0[one.max(other) as usize] = one.min(other);
    }
}

/// The modules that one imports, wherever in it.
pub(super) fn imports(index: &ProgramIndex, module: ModuleId, read: &Module) -> Vec<ModuleId> {
    if read.imports == ImportStyle::Namespace {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut last: Option<(u32, &str)> = None;
    for_each_import(read, &mut |import, required| match (import, required) {
        (Some(import), _) => {
            // `from a import b, c` is two imports of one module.
            let is_same = last == Some((import.level, import.module.as_str()));
            if !is_same || (read.imports == ImportStyle::Dotted && matches!(import.what, ImportWhat::Name { .. })) {
                found.extend(index.imported_module(module, import));
            }
            last = Some((import.level, &import.module));
        }
        (None, Some(specifier)) if read.imports == ImportStyle::Path => {
            let import = Import { module: specifier.to_owned(), level: 0, what: ImportWhat::Module };
            found.extend(index.imported_module(module, &import));
        }
        _ => {}
    });
    found
}

/// What a project of C# is built with belongs to it.
fn join_projects(program: &[Module], index: &ProgramIndex, joined: &mut Joined) {
    let mut done: FxHashSet<&str> = FxHashSet::default();
    for (at, module) in program.iter().enumerate() {
        let module_id = ModuleId(at as u32);
        let project = index.project_of(module_id);
        if module.imports != ImportStyle::Namespace || project.is_empty() || !done.insert(project) {
            continue;
        }
        for project in index.referenced_projects(project).into_iter().chain([project]) {
            index.modules_of_project(project).iter().for_each(|other| joined.join(module_id, *other));
        }
    }
}

/// Where no project says so, namespaces lead from one file to another: those that a file takes names of, unless what it is
/// built with adds to them.
fn join_namespaces(program: &[Module], joined: &mut Joined) {
    let mut declaring: FxHashMap<String, Vec<ModuleId>> = FxHashMap::default();
    let mut using: Vec<(ModuleId, Vec<String>)> = Vec::new();
    for (at, module) in program.iter().enumerate().filter(|(_, it)| it.imports == ImportStyle::Namespace) {
        let (declared, used) = namespaces(module);
        for name in declared {
            declaring.entry(name).or_default().push(ModuleId(at as u32));
        }
        using.push((ModuleId(at as u32), used));
    }
    for (module, names) in using {
        for modules in names.iter().filter_map(|name| declaring.get(name)) {
            let own = joined.root(module.0);
            if !modules.iter().any(|other| joined.root(other.0) == own) {
                modules.iter().for_each(|other| joined.join(module, *other));
            }
        }
    }
}

/// The namespaces that a module adds to, and those that it takes names of.
fn namespaces(module: &Module) -> (Vec<String>, Vec<String>) {
    let (mut declared, mut used) = (Vec::new(), Vec::new());
    let mut stack: Vec<(&[Stmt], String)> = vec![(&module.body, String::new()), (&module.global, String::new())];
    while let Some((block, around)) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Namespace { name, body, .. } => {
                    let name = joined(&around, name);
                    declared.push(name.clone());
                    stack.push((body, name));
                }
                StmtKind::Import(Import { module, .. }) => {
                    used.push(module.clone());
                    let mut outer = around.as_str();
                    while !outer.is_empty() {
                        used.push(joined(outer, module));
                        outer = outer.rsplit_once('.').map_or("", |(outer, _)| outer);
                    }
                }
                _ => {}
            }
        }
    }
    (declared, used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Specifiers;
    use crate::languages::{Language, lower};
    use crate::text::FileId;
    use crate::wires;

    /// The paths of each region of a program, with the libraries of wires that it asks.
    fn regions(files: &[(&str, &str)], services: &[&[u32]]) -> Vec<String> {
        let lower = |(at, (path, text)): (usize, &(&str, &str))| {
            let language = Language::by_path(path).expect("a language by its extension");
            lower(language, FileId(at as u32), path, text).0
        };
        let modules: Vec<Module> = files.iter().enumerate().map(lower).collect();
        let services: Vec<Vec<ModuleId>> =
            services.iter().map(|service| service.iter().copied().map(ModuleId).collect()).collect();
        let services: Vec<&[ModuleId]> = services.iter().map(Vec::as_slice).collect();
        let index = ProgramIndex::new(&modules, &[], Specifiers::default(), wires::libraries(), &services);
        let told = |modules: &Vec<ModuleId>| {
            let paths: Vec<&str> = modules.iter().map(|module| index.path(*module)).collect();
            let spoken = index.spoken(modules[0]);
            let asked = ["kafkajs", "celery"]
                .into_iter()
                .filter(|name| spoken.libraries.iter().any(|library| library.wire_packages.contains(name)));
            paths.into_iter().chain(asked).collect::<Vec<_>>().join(" ")
        };
        index.regions.modules.iter().map(told).collect()
    }

    #[test]
    fn what_a_stranger_imports_says_nothing_of_a_service() {
        let files = [
            ("a/main.py", "from celery import Celery\napp = Celery()\n"),
            ("a/tasks.py", "def run():\n    pass\n"),
            ("b/main.py", "import fastapi\n"),
            ("c/main.ts", "import { Kafka } from 'kafkajs';\n"),
            ("d/main.ts", "import express from 'express';\n"),
        ];
        let found = regions(&files, &[&[0, 1], &[2], &[3], &[4]]);
        assert_eq!(found, ["a/main.py a/tasks.py celery", "b/main.py", "c/main.ts kafkajs", "d/main.ts"]);
    }

    #[test]
    fn imports_lead_from_one_service_to_another() {
        let files = [
            ("a/main.ts", "import { send } from '../shared/send';\n"),
            ("b/main.ts", "const { send } = require('../shared/send');\n"),
            ("shared/send.ts", "import { Kafka } from 'kafkajs';\n"),
            ("p/main.py", "try:\n    import fast\nexcept ImportError:\n    from common import slow\n"),
            ("common/slow.py", "import celery\n"),
        ];
        let found = regions(&files, &[]);
        assert_eq!(found, ["a/main.ts b/main.ts shared/send.ts kafkajs", "p/main.py common/slow.py celery"]);
    }

    #[test]
    fn namespaces_lead_where_no_project_says_so() {
        let files = [
            ("A/Program.cs", "using Shop.Models;\nvar item = new Item();\n"),
            ("Models/Item.cs", "namespace Shop.Models;\npublic class Item {}\n"),
            ("B/Program.cs", "using Bank.Models;\n"),
        ];
        let found = regions(&files, &[&[0], &[1], &[2]]);
        assert_eq!(found, ["A/Program.cs Models/Item.cs", "B/Program.cs"]);
    }
}
