//! What a file declares, for whoever wants an overview of it.

use serde::Serialize;

use super::record::SymbolKind;
use super::view::View;
use super::{Index, IndexError};
use crate::scan::Progress;

/// A symbol of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outlined {
    /// `Class.member`
    pub symbol: String,
    pub kind: SymbolKind,
    pub line: u32,
    pub lines: [u32; 2],
    pub signature: String,
    pub exported: bool,
}

impl Index {
    /// The symbols of a file in the order of the source; those in functions are left out.
    ///
    /// # Errors
    /// Those of [`Index::refresh`]; a path outside of the project, or of no file in the index.
    pub fn symbols(&mut self, path: &str, progress: &dyn Progress) -> Result<Vec<Outlined>, IndexError> {
        let name = self.indexed(path, progress)?;
        let program = self.program();
        let view = View::new(self, program);
        let loaded = view.loaded(view.file(&name).unwrap_or_default());
        let record = &loaded.record;
        let is_inner = |parent: Option<u32>| {
            let parent = parent.and_then(|at| record.symbols.get(at as usize));
            parent.is_some_and(|it| matches!(it.kind, SymbolKind::Function | SymbolKind::Method))
        };
        let outer = record.symbols.iter().enumerate().filter(|(_, it)| !is_inner(it.parent));
        let mut found: Vec<Outlined> = outer
            .map(|(at, it)| Outlined {
                symbol: record.qualified(at as u32),
                kind: it.kind,
                line: it.line,
                lines: [it.lines.0, it.lines.1],
                signature: it.signature.clone(),
                exported: it.exported,
            })
            .collect();
        found.sort_by(|a, b| (a.line, &a.symbol).cmp(&(b.line, &b.symbol)));
        Ok(found)
    }
}
