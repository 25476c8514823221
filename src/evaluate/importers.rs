//! Who has to do with files that were changed: those that import them.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::ProgramIndex;
use super::regions::imports;
use super::value::ModuleId;
use crate::model::program::{ImportStyle, Module, Stmt, StmtKind};
use crate::text::{FileId, Sources};

impl ProgramIndex {
    /// Files that import one of `changed`, as well by way of modules that only hand on what they import; where files name
    /// namespaces instead (C#), those that say the name of a type that one declares and belong to the same program. Without
    /// `changed`.
    pub fn importers(&self, program: &[Module], changed: &BTreeSet<FileId>, sources: &Sources) -> BTreeSet<FileId> {
        let files = changed.iter().filter_map(|file| self.module_of_file(*file));
        let changed_modules: BTreeSet<ModuleId> = files.collect();
        if changed_modules.is_empty() {
            return BTreeSet::new();
        }
        let mut importers: FxHashMap<ModuleId, Vec<ModuleId>> = FxHashMap::default();
        let imported: Vec<Vec<ModuleId>> =
            program.par_iter().enumerate().map(|(at, module)| imports(self, ModuleId(at as u32), module)).collect();
        for (at, targets) in imported.into_iter().enumerate() {
            targets.into_iter().for_each(|target| importers.entry(target).or_default().push(ModuleId(at as u32)));
        }
        let mut found: BTreeSet<ModuleId> = BTreeSet::new();
        let mut next: Vec<ModuleId> = changed_modules.iter().copied().collect();
        while let Some(module) = next.pop() {
            for importer in importers.get(&module).into_iter().flatten() {
                if found.insert(*importer) && hands_on(&program[importer.0 as usize]) {
                    next.push(*importer);
                }
            }
        }
        found.extend(self.users_of_types(program, &changed_modules, sources));
        found.difference(&changed_modules).map(|module| program[module.0 as usize].file).collect()
    }

    /// Modules that say the name of a type that one of these declares, where types need no import.
    fn users_of_types(
        &self,
        program: &[Module],
        changed: &BTreeSet<ModuleId>,
        sources: &Sources,
    ) -> BTreeSet<ModuleId> {
        let mut declared: FxHashMap<usize, FxHashSet<&str>> = FxHashMap::default();
        for id in changed {
            let module = &program[id.0 as usize];
            if module.imports == ImportStyle::Namespace {
                declared.entry(self.regions.of(*id)).or_default().extend(types(module));
            }
        }
        let of_regions = declared
            .iter()
            .flat_map(|(region, names)| self.regions.modules[*region].iter().map(move |module| (*module, names)));
        let says = |(id, names): &(ModuleId, &FxHashSet<&str>)| {
            let module = &program[id.0 as usize];
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            module.imports == ImportStyle::Namespace
                && sources.get(module.file).text.split(|c| !is_word(c)).any(|word| names.contains(word))
        };
        of_regions.filter(says).map(|(module, _)| module).collect()
    }
}

/// Whether a module only passes on what it imports: the file of a package, an index.
fn hands_on(module: &Module) -> bool {
    let passes = |statement: &Stmt| match &statement.kind {
        StmtKind::Import(_) | StmtKind::Expr(_) => true,
        // `__all__ = [...]`
        StmtKind::Assign { .. } => module.imports == ImportStyle::Dotted,
        _ => false,
    };
    let is_import = |statement: &Stmt| matches!(statement.kind, StmtKind::Import(_));
    module.body.iter().all(passes) && module.body.iter().any(is_import)
}

/// Names of the types that a module declares, whatever they stand in.
fn types(module: &Module) -> Vec<&str> {
    let mut found = Vec::new();
    let mut blocks: Vec<&[Stmt]> = vec![&module.body, &module.global];
    while let Some(block) = blocks.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Class(class) => {
                    found.push(class.name.as_str());
                    blocks.push(&class.body);
                }
                StmtKind::Namespace { body, .. } => blocks.push(body),
                StmtKind::TypeAlias { name, .. } => found.push(name),
                _ => {}
            }
        }
    }
    found
}
