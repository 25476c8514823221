//! The codebase map: what there is, in a text for people and agents who are new to the project.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::dependencies::Graph;
use super::record::SymbolKind;
use super::view::View;
use super::{Index, IndexError};
use crate::scan::Progress;

/// Files, endpoints and names that are listed of one place; the rest is counted.
const MAX_FILES: usize = 400;
/// More are counted.
const MAX_ENDPOINTS: usize = 60;
/// More are counted.
const MAX_NAMES: usize = 12;
/// More are left out: the most used ones stay.
const MAX_CENTRAL: usize = 15;

impl Index {
    /// The map of the project as Markdown: its services with what they serve, send and receive, the files that most others
    /// need, and what each file declares for others.
    ///
    /// # Errors
    /// Those of [`Index::refresh`].
    pub fn map(&mut self, progress: &dyn Progress) -> Result<String, IndexError> {
        let state = self.refresh(progress)?;
        let services = self.services(progress)?;
        let program = self.program();
        let known = self.graph.take();
        let view = View::new(self, program);
        let graph = view.graph(known);
        let mut out = String::from("# Codebase map\n");
        let mut lines = 0;
        let mut languages: BTreeMap<&str, (usize, u32)> = BTreeMap::new();
        for (at, row) in view.index.files.values().enumerate() {
            let count = view.loaded(at as u32).record.lines;
            lines += count;
            let language = languages.entry(named(&row.language)).or_default();
            *language = (language.0 + 1, language.1 + count);
        }
        let languages: Vec<String> =
            languages.iter().map(|(name, (files, lines))| format!("{name} {files} files, {lines} lines")).collect();
        let _ = writeln!(out, "\n{} source files, {lines} lines ({}).", state.files, languages.join("; "));
        if !state.unreadable.is_empty() {
            let _ = writeln!(out, "{} files could not be read.", state.unreadable.len());
        }
        for service in services.iter() {
            let _ = writeln!(out, "\n## Service `{}`\n", service.service_name);
            let _ = writeln!(
                out,
                "{} endpoints, publishes {} events, consumes {}.",
                service.endpoints.len(),
                service.events_published.len(),
                service.events_consumed.len()
            );
            if !service.endpoints.is_empty() {
                out.push('\n');
            }
            for it in service.endpoints.iter().take(MAX_ENDPOINTS) {
                let _ = writeln!(out, "- `{} {}` {} ({}:{})", it.method, it.path, it.handler, it.file, it.line);
            }
            left_out(&mut out, service.endpoints.len(), MAX_ENDPOINTS, "treaty code interface lists them");
            for (verb, events) in [("publishes", &service.events_published), ("consumes", &service.events_consumed)] {
                for it in events {
                    let _ = writeln!(out, "- {verb} `{}` ({}:{})", it.event, it.file, it.line);
                }
            }
        }
        view.central(&graph, &mut out);
        view.files(&mut out);
        let loaded = view.into_loaded();
        self.remember(loaded);
        self.graph = Some(graph);
        Ok(out)
    }
}

impl View<'_> {
    /// The files that most others import.
    fn central(&self, graph: &Graph, out: &mut String) {
        let mut needed: BTreeMap<u32, usize> = BTreeMap::new();
        for (_, target) in graph.all().filter(|(file, _)| !self.is_test(*file)) {
            *needed.entry(target).or_default() += 1;
        }
        let mut needed: Vec<(usize, u32)> = needed.into_iter().map(|(file, count)| (count, file)).collect();
        needed.sort_by_key(|(count, file)| (std::cmp::Reverse(*count), *file));
        if needed.is_empty() {
            return;
        }
        out.push_str("\n## Files that most others need\n\n");
        for (count, file) in needed.iter().take(MAX_CENTRAL) {
            let _ = writeln!(out, "- `{}` ({count})", self.path(*file));
        }
    }

    /// What each file declares for others, by folder.
    fn files(&self, out: &mut String) {
        out.push_str("\n## Files\n");
        let mut folder = None;
        let listed: Vec<u32> = (0..self.program.paths.len() as u32).filter(|file| !self.is_test(*file)).collect();
        for file in listed.iter().take(MAX_FILES) {
            let path = self.path(*file);
            let (own, name) = path.rsplit_once('/').unwrap_or((".", path));
            if folder != Some(own) {
                let _ = writeln!(out, "\n### `{own}`\n");
                folder = Some(own);
            }
            let loaded = self.loaded(*file);
            let symbols = loaded.record.symbols.iter();
            let offered = symbols.filter(|it| it.parent.is_none() && it.exported && it.kind != SymbolKind::Variable);
            let names: BTreeSet<&str> = offered.map(|it| it.name.as_str()).collect();
            let shown: Vec<&str> = names.iter().take(MAX_NAMES).copied().collect();
            let rest = names.len().saturating_sub(shown.len());
            let more = if rest > 0 { format!(", … {rest} more") } else { String::new() };
            let says = if shown.is_empty() { String::new() } else { format!(": {}{more}", shown.join(", ")) };
            let _ = writeln!(out, "- `{name}` ({} lines){says}", loaded.record.lines);
        }
        left_out(out, listed.len(), MAX_FILES, "`treaty code map --root FOLDER` shows a part");
        let tests = self.program.paths.len() - listed.len();
        if tests > 0 {
            let _ = writeln!(out, "\n{tests} files of tests are not listed.");
        }
    }
}

fn left_out(out: &mut String, count: usize, most: usize, how: &str) {
    if count > most {
        let _ = writeln!(out, "- … and {} more: {how}", count - most);
    }
}

fn named(language: &str) -> &'static str {
    match language {
        "python" => "Python",
        "csharp" => "C#",
        "javascript" => "JavaScript",
        "component" => "Vue and Svelte",
        _ => "TypeScript",
    }
}
