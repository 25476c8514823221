//! Import statements: one statement of the tree for each imported name.

use tree_sitter::Node;

use super::kinds::{Field, Kind};
use super::tree::Lowering;
use crate::model::program::{Import, ImportWhat, Stmt, StmtKind};

impl<'t> Lowering<'t> {
    /// `import a.b, c as d`
    pub(super) fn import_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.field != Field::Name {
                continue;
            }
            let (module, alias) = self.imported(child.kind, child.node);
            if module.is_empty() {
                continue;
            }
            let what = alias.map_or(ImportWhat::Module, ImportWhat::ModuleAs);
            let import = Import { module, level: 0, what };
            out.push(Stmt { span: self.span(child.node), kind: StmtKind::Import(import) });
        }
        self.close(opened);
    }

    /// `from ..a import b, c as d` and `from a import *`
    pub(super) fn import_from_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let (module, level) = match self.by_field(opened, Field::ModuleName) {
            Some(module) => self.module_and_level(module),
            None => (String::new(), 0),
        };
        for index in opened {
            let child = self.child(index);
            let what = match (child.field, child.kind) {
                (_, Kind::WildcardImport) => ImportWhat::Star,
                (Field::Name, _) => {
                    let (name, alias) = self.imported(child.kind, child.node);
                    ImportWhat::Name { alias: alias.unwrap_or_else(|| name.clone()), name }
                }
                _ => continue,
            };
            let unreadable = module.is_empty() && level == 0;
            if unreadable || matches!(&what, ImportWhat::Name { name, .. } if name.is_empty()) {
                continue;
            }
            let import = Import { module: module.clone(), level, what };
            out.push(Stmt { span: self.span(child.node), kind: StmtKind::Import(import) });
        }
        self.close(opened);
    }

    fn module_and_level(&mut self, node: Node<'t>) -> (String, u32) {
        if self.kind(node) != Kind::RelativeImport {
            return (self.dotted(node), 0);
        }
        let opened = self.open(node);
        let prefix = self.by_kind(opened, Kind::ImportPrefix);
        let level = prefix.map_or(0, |prefix| self.slice(prefix).bytes().filter(|byte| *byte == b'.').count() as u32);
        let name = self.by_kind(opened, Kind::DottedName);
        self.close(opened);
        (name.map_or_else(String::new, |name| self.dotted(name)), level)
    }

    /// Name and alias of one item of an import list.
    fn imported(&mut self, kind: Kind, node: Node<'t>) -> (String, Option<String>) {
        if kind != Kind::AliasedImport {
            return (self.dotted(node), None);
        }
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let alias = self.by_field(opened, Field::Alias).map(|alias| self.name(alias)).filter(|alias| !alias.is_empty());
        self.close(opened);
        (name.map_or_else(String::new, |name| self.dotted(name)), alias)
    }

    /// `a . b` is `a.b`.
    fn dotted(&self, node: Node<'t>) -> String {
        self.slice(node).chars().filter(|char| !char.is_whitespace() && *char != '\\').collect()
    }
}
