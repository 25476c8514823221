//! Imports and exports, of both module systems.

use tree_sitter::Node;

use super::kinds::{Field, Kind, Lowering, Opened};
use crate::model::program::{Expr, ExprKind, Import, ImportWhat, Stmt, StmtKind};
use crate::text::Span;

/// A module, or a member of one, named in an expression: `require("m")`, `require("m").member`, `await import("m")`.
#[derive(Clone)]
pub(super) struct Reference {
    pub(super) module: String,
    pub(super) member: Option<String>,
    /// `import`, whose value is always the module's names.
    is_dynamic: bool,
}

impl Reference {
    pub(super) fn of(&self, member: &str) -> Reference {
        Reference { member: Some(member.to_owned()), ..self.clone() }
    }

    pub(super) fn import(&self, alias: String, span: Span) -> Stmt {
        let what = match &self.member {
            Some(name) => ImportWhat::Name { name: name.clone(), alias },
            None if self.is_dynamic => ImportWhat::ModuleAs(alias),
            None => ImportWhat::Require(alias),
        };
        import(self.module.clone(), what, span)
    }
}

fn import(module: String, what: ImportWhat, span: Span) -> Stmt {
    Stmt { span, kind: StmtKind::Import(Import { module, level: 0, what }) }
}

impl<'t> Lowering<'t> {
    pub(super) fn import_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let source = self.by_field(opened, Field::Source);
        let clause = self.by_kind(opened, Kind::ImportClause);
        let require = self.by_kind(opened, Kind::ImportRequireClause);
        let errors = self.by_kind(opened, Kind::Error);
        self.close(opened);
        if let Some(error) = errors {
            self.unreadable_into(error, out);
        }
        if let Some(require) = require {
            let opened = self.open(require);
            let [name] = self.parts(opened);
            let source = self.by_field(opened, Field::Source);
            self.close(opened);
            if let (Some(name), Some(source)) = (name, source) {
                let what = ImportWhat::Require(self.name(name));
                out.push(import(self.string_text(source), what, self.span(name)));
            }
            return;
        }
        let (Some(source), Some(clause)) = (source, clause) else { return };
        let module = self.string_text(source);
        let opened = self.open(clause);
        for index in opened {
            let child = self.child(index);
            let span = self.span(child.node);
            match child.kind {
                Kind::Identifier => {
                    let what = ImportWhat::Name { name: "default".to_owned(), alias: self.name(child.node) };
                    out.push(import(module.clone(), what, span));
                }
                Kind::NamespaceImport => {
                    if let Some(name) = self.first_part(child.node) {
                        out.push(import(module.clone(), ImportWhat::ModuleAs(self.name(name)), span));
                    }
                }
                Kind::NamedImports => self.named_imports(child.node, &module, out),
                _ => {}
            }
        }
        self.close(opened);
    }

    fn named_imports(&mut self, node: Node<'t>, module: &str, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::ImportSpecifier
                && let Some((name, alias)) = self.specifier(child.node)
            {
                out.push(import(module.to_owned(), ImportWhat::Name { name, alias }, self.span(child.node)));
            }
        }
        self.close(opened);
    }

    /// `name`, `name as alias`
    fn specifier(&mut self, node: Node<'t>) -> Option<(String, String)> {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name).or_else(|| self.by_token_name(opened));
        let alias = self.by_field(opened, Field::Alias);
        self.close(opened);
        let name = self.exported_name(name?);
        let alias = alias.map_or_else(|| name.clone(), |alias| self.exported_name(alias));
        Some((name, alias))
    }

    /// `default` is a keyword, not a name.
    fn by_token_name(&self, opened: Opened) -> Option<Node<'t>> {
        self.opened(opened)
            .iter()
            .find(|child| child.kind == Kind::Token && self.slice(child.node) == "default")
            .map(|child| child.node)
    }

    fn exported_name(&self, node: Node<'t>) -> String {
        if self.kind(node) == Kind::String { self.string_text(node) } else { self.name(node) }
    }

    /// `import A = B.C`
    pub(super) fn import_alias(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let [name, value] = self.parts(opened);
        self.close(opened);
        if let (Some(name), Some(value)) = (name, value) {
            let (target, value) = (self.expr(name), self.expr(value));
            out.push(Stmt { span: self.span(node), kind: StmtKind::Assign { targets: vec![target], value } });
        }
    }

    pub(super) fn export_statement(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let declaration = self.by_field(opened, Field::Declaration);
        let value = self.by_field(opened, Field::Value);
        let source = self.by_field(opened, Field::Source);
        let clause = self.by_kind(opened, Kind::ExportClause);
        let namespace = self.by_kind(opened, Kind::NamespaceExport);
        let is_default = self.has_token(opened, "default");
        let is_assigned = self.has_token(opened, "=");
        let [part] = self.parts(opened);
        let decorators = self.decorators_of(opened);
        for index in opened {
            let child = self.child(index);
            // `export type * from "m"`: the grammar knows it without `type`.
            if child.kind == Kind::Error && self.slice(child.node) != "type" {
                self.unreadable_into(child.node, out);
            }
        }
        self.close(opened);
        let span = self.span(node);
        let module = source.map(|source| self.string_text(source));
        if let Some(declaration) = declaration {
            self.exported_declaration(node, declaration, decorators, is_default, out);
        } else if let Some(clause) = clause {
            self.export_clause(clause, module.as_deref(), out);
        } else if let (Some(namespace), Some(module)) = (namespace, &module) {
            let name = self.last_part(namespace).or(Some(namespace));
            let alias = name.map_or_else(String::new, |name| self.exported_name(name));
            out.push(import(module.clone(), ImportWhat::ModuleAs(alias), self.span(namespace)));
        } else if let Some(module) = module {
            out.push(import(module, ImportWhat::Star, span));
        } else if let Some(value) = value.or(part.filter(|_| is_assigned)) {
            self.export_default(span, value, decorators, out);
        }
    }

    fn exported_declaration(
        &mut self,
        node: Node<'t>,
        declaration: Node<'t>,
        decorators: Vec<Expr>,
        is_default: bool,
        out: &mut Vec<Stmt>,
    ) {
        let start = out.len();
        self.declaration(declaration, decorators, out);
        // The statement is the whole export.
        if let [statement] = &mut out[start..] {
            statement.span = self.span(node);
        }
        if !is_default {
            return;
        }
        let name = out[start..].iter().find_map(|statement| match &statement.kind {
            StmtKind::Function(function) => Some((function.name.clone(), function.name_span)),
            StmtKind::Class(class) => Some((class.name.clone(), class.name_span)),
            _ => None,
        });
        if let Some((name, span)) = name {
            let value = Expr { span, kind: ExprKind::Name(name) };
            out.push(default_is(span, value));
        }
    }

    fn export_default(&mut self, span: Span, value: Node<'t>, decorators: Vec<Expr>, out: &mut Vec<Stmt>) {
        if self.kind(value) == Kind::Class {
            let mut class = self.class(value, decorators);
            let named = (!class.name.is_empty()).then(|| class.name.clone());
            if named.is_none() {
                "default".clone_into(&mut class.name);
            }
            let name_span = class.name_span;
            out.append(&mut self.extra.before);
            out.push(Stmt { span, kind: StmtKind::Class(Box::new(class)) });
            if let Some(name) = named {
                out.push(default_is(name_span, Expr { span: name_span, kind: ExprKind::Name(name) }));
            }
            return;
        }
        if let Some(reference) = self.module_reference(value) {
            out.push(reference.import("default".to_owned(), span));
            return;
        }
        let value = self.expr(value);
        out.append(&mut self.extra.before);
        out.push(Stmt { kind: default_is(value.span, value).kind, span });
    }

    /// `export { a, b as c }`, with `from "module"` or without.
    fn export_clause(&mut self, node: Node<'t>, module: Option<&str>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::ExportSpecifier {
                continue;
            }
            let span = self.span(child.node);
            let Some((name, alias)) = self.specifier(child.node) else { continue };
            match module {
                Some(module) => out.push(import(module.to_owned(), ImportWhat::Name { name, alias }, span)),
                None if name == alias => {}
                None => {
                    let target = Expr { span, kind: ExprKind::Name(alias) };
                    let value = Expr { span, kind: ExprKind::Name(name) };
                    out.push(Stmt { span, kind: StmtKind::Assign { targets: vec![target], value } });
                }
            }
        }
        self.close(opened);
    }

    /// Whether a value is a module or a member of one.
    pub(super) fn module_reference(&mut self, value: Node<'t>) -> Option<Reference> {
        let value = self.without_parentheses(value);
        let opened = self.open(value);
        let [first] = self.parts(opened);
        let function = self.by_field(opened, Field::Function);
        let arguments = self.by_field(opened, Field::Arguments);
        let object = self.by_field(opened, Field::Object);
        let property = self.by_field(opened, Field::Property);
        self.close(opened);
        match self.kind(value) {
            Kind::Call if function.is_some_and(|function| self.slice(function) == "require") => {
                let module = self.only_string(arguments?)?;
                Some(Reference { module, member: None, is_dynamic: false })
            }
            Kind::Await => {
                let value = self.without_parentheses(first?);
                if self.kind(value) != Kind::Call {
                    return None;
                }
                let opened = self.open(value);
                let function = self.by_field(opened, Field::Function);
                let arguments = self.by_field(opened, Field::Arguments);
                self.close(opened);
                let module = self.only_string(arguments?)?;
                let is_import = function.is_some_and(|function| self.kind(function) == Kind::Import);
                is_import.then_some(Reference { module, member: None, is_dynamic: true })
            }
            Kind::Member => {
                let object = self.without_parentheses(object?);
                // One member: what is below is a call or nothing of interest.
                if !matches!(self.kind(object), Kind::Call | Kind::Await) {
                    return None;
                }
                let reference = self.module_reference(object)?;
                Some(reference.of(self.slice(property?)))
            }
            _ => None,
        }
    }

    pub(super) fn without_parentheses(&mut self, node: Node<'t>) -> Node<'t> {
        let mut node = node;
        while matches!(self.kind(node), Kind::Parenthesized | Kind::NonNull | Kind::As) {
            let Some(inner) = self.first_part(node) else { break };
            node = inner;
        }
        node
    }

    fn only_string(&mut self, arguments: Node<'t>) -> Option<String> {
        let opened = self.open(arguments);
        let parts = self.parts(opened);
        self.close(opened);
        match parts {
            [Some(module), None] if self.kind(module) == Kind::String => Some(self.string_text(module)),
            _ => None,
        }
    }
}

fn default_is(span: Span, value: Expr) -> Stmt {
    let target = Expr { span, kind: ExprKind::Name("default".to_owned()) };
    Stmt { span, kind: StmtKind::Assign { targets: vec![target], value } }
}
