//! Which files a file needs, and which need it.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::record::Taken;
use super::refresh::style;
use super::resolve::Thing;
use super::view::View;
use super::{Index, IndexError};
use crate::model::program::ImportStyle;
use crate::scan::Progress;

/// What a file depends on, by paths relative to the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Dependencies {
    /// Files that it imports itself.
    pub imports: Vec<String>,
    pub imported_by: Vec<String>,
    /// Files that it needs in whatever way, without those that it imports itself.
    pub transitive_deps: Vec<String>,
    /// Circles that it is part of, each from the least path on; at most twenty.
    pub circular_deps: Vec<Vec<String>>,
    /// Modules of libraries that it imports.
    pub external: Vec<String>,
}

/// The files that each file of a program imports, as the files were at the last question about imports.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// By the number of the file.
    files: Vec<Imports>,
    /// Paths of files that have been read anew since.
    changed: BTreeSet<String>,
}

/// The files that a file imports.
#[derive(Clone, Debug, Default)]
pub(super) struct Imports {
    pub(super) files: BTreeSet<u32>,
    /// Files whose records decide, with the file's own record and the paths of the program, which files are imported; `None` where
    /// any file of the same style of imports may.
    decided_by: Option<BTreeSet<u32>>,
}

impl Graph {
    /// Notes a file whose text has changed, so that the next question looks for the file's imports again.
    pub(super) fn note(&mut self, path: &str) {
        self.changed.insert(path.to_owned());
    }

    /// The files that a file imports; none for a number of no file.
    fn of(&self, file: u32) -> impl Iterator<Item = u32> + '_ {
        self.files.get(file as usize).into_iter().flat_map(|it| it.files.iter().copied())
    }

    /// Pairs of a file and a file that it imports.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0_u32..).zip(&self.files).flat_map(|(from, imports)| imports.files.iter().map(move |to| (from, *to)))
    }
}

/// More circles are left out, as the protocol says.
const MAX_CIRCLES: usize = 20;

impl Index {
    /// What a file imports, and who imports it.
    ///
    /// # Errors
    /// Those of [`Index::refresh`]; a path outside of the project, or of no file in the index.
    pub fn find_dependencies(&mut self, path: &str, progress: &dyn Progress) -> Result<Dependencies, IndexError> {
        let name = self.indexed(path, progress)?;
        let program = self.program();
        let known = self.graph.take();
        let view = View::new(self, program);
        let file = view.file(&name).unwrap_or_default();
        let graph = view.graph(known);
        let found = view.dependencies(file, &graph);
        let loaded = view.into_loaded();
        self.remember(loaded);
        self.graph = Some(graph);
        Ok(found)
    }
}

impl View<'_> {
    /// The files that a file imports, or whose types it names (C#).
    pub(super) fn imports_of(&self, file: u32) -> Imports {
        let loaded = self.loaded(file);
        let mut found = BTreeSet::new();
        let mut decided_by = Some(BTreeSet::new());
        let add = |found: &mut BTreeSet<u32>, things: &[Thing]| {
            for thing in things {
                match thing {
                    Thing::Symbol(at) => found.insert(at.file),
                    Thing::Module(module) => found.insert(*module),
                    _ => continue,
                };
            }
        };
        if style(self.language(file)) == ImportStyle::Namespace {
            decided_by = None;
            let terms: BTreeSet<u32> = loaded.record.uses.iter().map(|it| it.term).collect();
            let free = terms
                .into_iter()
                .filter(|term| matches!(loaded.record.terms.get(*term as usize), Some(super::record::Term::Free(..))));
            free.for_each(|term| add(&mut found, &self.things(file, term)));
        }
        for import in &loaded.record.imports {
            let target = self.target_of(file, import);
            found.extend(target.module);
            if let Some(known) = &mut decided_by {
                known.extend(target.asked);
            }
            if matches!(import.what, Taken::Name(_)) && target.module.is_none() {
                // The name is a folder below the module, unless a star import of the module binds the name; star imports may lead
                // to any file.
                decided_by = decided_by.filter(|_| target.asked.is_none());
                add(&mut found, &self.imported(file, import));
            }
        }
        found.remove(&file);
        Imports { files: found, decided_by }
    }

    /// The imports of all files, as the files are now. Where `known` is given, only imports of files that changed, or that a changed
    /// file decides, are found again.
    pub(super) fn graph(&self, known: Option<Graph>) -> Graph {
        let count = self.program.paths.len() as u32;
        let Some(mut graph) = known.filter(|graph| graph.files.len() == count as usize) else {
            let files = (0..count).map(|at| self.imports_of(at)).collect();
            return Graph { files, changed: BTreeSet::new() };
        };
        let changed: FxHashSet<u32> =
            std::mem::take(&mut graph.changed).iter().filter_map(|path| self.file(path)).collect();
        let style_of = |file: u32| style(self.language(file));
        for (at, imports) in (0_u32..).zip(&mut graph.files) {
            let is_decided_anew = match &imports.decided_by {
                Some(files) => files.iter().any(|file| changed.contains(file)),
                None => changed.iter().any(|file| style_of(*file) == style_of(at)),
            };
            if is_decided_anew || changed.contains(&at) {
                *imports = self.imports_of(at);
            }
        }
        graph
    }

    fn dependencies(&self, file: u32, imports: &Graph) -> Dependencies {
        let count = self.program.paths.len() as u32;
        let mut graph: DiGraph<u32, ()> = DiGraph::new();
        let nodes: Vec<NodeIndex> = (0..count).map(|at| graph.add_node(at)).collect();
        for (from, to) in imports.all() {
            graph.add_edge(nodes[from as usize], nodes[to as usize], ());
        }
        let paths = |files: &BTreeSet<u32>| {
            let mut paths: Vec<String> = files.iter().map(|it| self.path(*it).to_owned()).collect();
            paths.sort();
            paths
        };
        let own: BTreeSet<u32> = imports.of(file).collect();
        let by: BTreeSet<u32> = imports.all().filter(|it| it.1 == file).map(|it| it.0).collect();
        let mut reached = BTreeSet::new();
        let mut next: Vec<u32> = own.iter().copied().collect();
        while let Some(at) = next.pop() {
            if reached.insert(at) {
                next.extend(imports.of(at));
            }
        }
        let transitive: BTreeSet<u32> = reached.iter().copied().filter(|it| !own.contains(it) && *it != file).collect();
        let external: BTreeSet<String> = self.external(file);
        Dependencies {
            imports: paths(&own),
            imported_by: paths(&by),
            transitive_deps: paths(&transitive),
            circular_deps: self.circles(file, imports, &graph, &nodes),
            external: external.into_iter().collect(),
        }
    }

    fn external(&self, file: u32) -> BTreeSet<String> {
        let loaded = self.loaded(file);
        let is_external = |it: &&super::record::Imported| {
            self.module_of(file, it).is_none()
                && self.imported(file, it).iter().all(|thing| matches!(thing, Thing::Foreign | Thing::Namespace(_)))
        };
        loaded.record.imports.iter().filter(is_external).map(|it| it.module.clone()).collect()
    }

    /// The circles through a file: within what is strongly connected, the shortest way back from each file that it imports.
    fn circles(&self, file: u32, imports: &Graph, graph: &DiGraph<u32, ()>, nodes: &[NodeIndex]) -> Vec<Vec<String>> {
        let together = petgraph::algo::tarjan_scc(graph);
        let own = nodes[file as usize];
        let Some(group) = together.into_iter().find(|group| group.contains(&own)) else { return Vec::new() };
        let group: BTreeSet<u32> = group.into_iter().map(|node| graph[node]).collect();
        let mut circles = BTreeSet::new();
        for first in imports.of(file).filter(|it| group.contains(it)) {
            let Some(way) = way(first, file, imports, &group) else { continue };
            let mut circle: Vec<String> = way.into_iter().map(|it| self.path(it).to_owned()).collect();
            let least = circle.iter().enumerate().min_by_key(|it| it.1).map_or(0, |it| it.0);
            circle.rotate_left(least);
            circles.insert((circle.len(), circle));
        }
        circles.into_iter().map(|it| it.1).take(MAX_CIRCLES).collect()
    }
}

/// The shortest way from one file to another, both included; of several, the one that comes first.
fn way(from: u32, to: u32, imports: &Graph, within: &BTreeSet<u32>) -> Option<Vec<u32>> {
    let mut before: BTreeMap<u32, u32> = BTreeMap::new();
    let mut next = std::collections::VecDeque::from([from]);
    while let Some(at) = next.pop_front() {
        if at == to {
            let mut way = vec![at];
            while let Some(back) = before.get(way.last()?).filter(|_| way.last() != Some(&from)) {
                way.push(*back);
            }
            way.reverse();
            return Some(way);
        }
        for target in imports.of(at).filter(|it| within.contains(it)) {
            if target != from && !before.contains_key(&target) {
                before.insert(target, at);
                next.push_back(target);
            }
        }
    }
    None
}
