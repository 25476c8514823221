//! What the statements of a scope declare: bound before anything is looked up, for functions use what stands below them.

use super::Reader;
use crate::index::record::{BindingId, Imported, Symbol, SymbolId, SymbolKind, Taken};
use crate::languages::WordRole;
use crate::model::program::{
    Class, ClassKind, Expr, ExprKind, Function, Import, ImportStyle, ImportWhat, Modifiers, Module, Property, Stmt,
    StmtKind,
};
use crate::model::walk;
use crate::text::Span;

impl Reader<'_> {
    pub(super) fn declare(&mut self, body: &[Stmt]) {
        for statement in body {
            match &statement.kind {
                StmtKind::Import(import) => self.declare_import(import, statement.span),
                StmtKind::Function(function) => {
                    let at = self.source.position(statement.span.start).line;
                    self.declare_function(function, at, !function.decorators.is_empty());
                }
                StmtKind::Class(class) => self.declare_class(class, statement.span),
                StmtKind::Property(property) => self.declare_property(property, statement.span),
                StmtKind::TypeAlias { name, .. } => {
                    let place = self.named_in(statement.span, name);
                    self.declare_symbol(name, place, statement.span, SymbolKind::Type);
                }
                StmtKind::Assign { targets, value } => {
                    targets.iter().for_each(|target| self.declare_target(target, Some(value), statement.span));
                }
                StmtKind::Annotated { target, value, .. } => {
                    self.declare_target(target, value.as_ref(), statement.span);
                }
                StmtKind::For { target, .. } => self.declare_target(target, None, statement.span),
                StmtKind::With { items, .. } => {
                    let targets = items.iter().filter_map(|item| item.target.as_ref());
                    targets.for_each(|target| self.declare_target(target, None, statement.span));
                }
                StmtKind::Namespace { name, name_span, body } => self.declare_namespace(name, *name_span, body),
                _ => {}
            }
            let mut blocks = Vec::new();
            walk::blocks(statement, &mut |block| blocks.push(block));
            blocks.into_iter().for_each(|block| self.declare(block));
        }
    }

    /// In C# a part of the names of all files; elsewhere an object with members.
    fn declare_namespace(&mut self, name: &str, span: Span, body: &[Stmt]) {
        if self.style == ImportStyle::Namespace {
            let outer = self.namespace.clone();
            self.namespace = if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") };
            self.declare(body);
            self.namespace = outer;
        } else if span.start < span.end {
            self.declare_symbol(name, span, span, SymbolKind::Variable);
        }
    }

    fn declare_import(&mut self, import: &Import, span: Span) {
        let (taken, name) = match &import.what {
            ImportWhat::Module => {
                (Taken::Module, Some(import.module.split('.').next().unwrap_or(&import.module).to_owned()))
            }
            ImportWhat::ModuleAs(alias) => (Taken::Whole, Some(alias.clone())),
            ImportWhat::Name { name, alias } => (Taken::Name(name.clone()), Some(alias.clone())),
            ImportWhat::Star => (Taken::Star, None),
            ImportWhat::Static => (Taken::Static, None),
            ImportWhat::Require(alias) => (Taken::Require, Some(alias.clone())),
        };
        let line = self.source.position(span.start).line;
        let at = self.record.imports.len() as u32;
        self.record.imports.push(Imported { module: import.module.clone(), level: import.level, what: taken, line });
        if let Some(name) = name {
            let binding = self.bind_here(&name);
            let binding = &mut self.record.bindings[binding as usize];
            // `import a.b` and `import a.c` bind the same name; what is imported second, where the first fails, is another.
            if binding.import.is_none() && binding.symbol.is_none() {
                binding.import = Some(at);
            }
        }
    }

    pub(super) fn declare_function(&mut self, function: &Function, first: u32, decorated: bool) -> SymbolId {
        let parent = self.owner_of(self.scope);
        let of_class = self.scopes[self.scope].is_class;
        let kind = if of_class { SymbolKind::Method } else { SymbolKind::Function };
        let id = self.new_symbol(&function.name, function.name_span, function.span, kind, parent);
        let symbol = &mut self.record.symbols[id as usize];
        symbol.lines.0 = symbol.lines.0.min(first);
        symbol.decorated = decorated;
        symbol.overrides = function.modifiers.has(Modifiers::OVERRIDE);
        let marked = |it: &Expr| matches!(&it.kind, ExprKind::Name(name) if name == "staticmethod");
        symbol.is_static = function.modifiers.has(Modifiers::STATIC) || function.decorators.iter().any(marked);
        let is_named = |expr: &Expr, names: &[&str]| match &expr.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } => names.contains(&name.as_str()),
            _ => false,
        };
        symbol.getter =
            function.decorators.iter().any(|it| is_named(it, &["property", "cached_property", "hybrid_property"]));
        if self.style == ImportStyle::Namespace {
            symbol.exported = !function.modifiers.has(Modifiers::PRIVATE);
        }
        if !function.name.is_empty() {
            self.bind_symbol(&function.name, id);
        }
        id
    }

    /// A binding of the scope leads to a symbol; of several declarations that are one, to the first.
    fn bind_symbol(&mut self, name: &str, symbol: SymbolId) -> BindingId {
        let binding = self.bind_here(name);
        let it = &mut self.record.bindings[binding as usize];
        it.symbol = it.symbol.or(Some(symbol));
        binding
    }

    fn declare_class(&mut self, class: &Class, span: Span) {
        let kind = match class.kind {
            ClassKind::Class => SymbolKind::Class,
            ClassKind::Interface => SymbolKind::Interface,
            ClassKind::Enum => SymbolKind::Enum,
        };
        let parent = self.owner_of(self.scope);
        let id = self.new_symbol(&class.name, class.name_span, class.span, kind, parent);
        let first = self.source.position(span.start).line;
        let symbol = &mut self.record.symbols[id as usize];
        symbol.lines.0 = symbol.lines.0.min(first);
        symbol.decorated = !class.decorators.is_empty();
        if self.style == ImportStyle::Namespace {
            symbol.exported = !class.modifiers.has(Modifiers::PRIVATE);
        }
        self.bind_symbol(&class.name, id);
    }

    fn declare_property(&mut self, property: &Property, span: Span) {
        let is_function = |value: &Expr| matches!(value.kind, ExprKind::Lambda(_) | ExprKind::FunctionType(_));
        let called =
            property.annotation.as_ref().is_some_and(is_function) || property.value.as_ref().is_some_and(is_function);
        let kind = if called { SymbolKind::Method } else { SymbolKind::Variable };
        let id = self.declare_symbol(&property.name, property.name_span, span, kind);
        let symbol = &mut self.record.symbols[id as usize];
        symbol.getter = property.getter.is_some();
        symbol.decorated = !property.decorators.is_empty();
        symbol.exported = !property.is_private;
        symbol.is_static = property.is_static;
        symbol.overrides = property.modifiers.has(Modifiers::OVERRIDE);
    }

    /// A name that is assigned to. Variables of files and classes are symbols, those of functions are not.
    fn declare_target(&mut self, target: &Expr, value: Option<&Expr>, span: Span) {
        match &target.kind {
            ExprKind::Name(name) => {
                // Elsewhere than in Python, an assignment alone declares nothing.
                let elsewhere = !self.is_bound_here(name)
                    && self.style != ImportStyle::Dotted
                    && !self.is_declared_at(target.span.start)
                    && self.binding(name).is_some();
                if elsewhere {
                    return;
                }
                let scope = &self.scopes[self.scope];
                let is_local = scope.parent.is_some() && !scope.is_class;
                if is_local || self.is_bound_here(name) || name == "default" || name.contains('@') {
                    self.bind_here(name);
                    return;
                }
                let kind = match value.map(|value| &value.kind) {
                    Some(ExprKind::Lambda(_)) if scope.is_class => SymbolKind::Method,
                    Some(ExprKind::Lambda(_)) => SymbolKind::Function,
                    _ => SymbolKind::Variable,
                };
                self.declare_symbol(name, target.span, span, kind);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|item| self.declare_target(item, None, span));
            }
            ExprKind::Spread(inner) => self.declare_target(inner, None, span),
            _ => {}
        }
    }

    fn is_declared_at(&self, offset: u32) -> bool {
        let word = self.word_at.get(&offset).map(|at| self.words.names[*at]);
        word.is_none_or(|word| word.role == WordRole::Declared)
    }

    pub(super) fn declare_symbol(&mut self, name: &str, place: Span, span: Span, kind: SymbolKind) -> SymbolId {
        let parent = self.owner_of(self.scope);
        let id = self.new_symbol(name, place, span, kind, parent);
        self.bind_symbol(name, id);
        id
    }

    pub(super) fn new_symbol(
        &mut self,
        name: &str,
        place: Span,
        span: Span,
        kind: SymbolKind,
        parent: Option<SymbolId>,
    ) -> SymbolId {
        let at = self.source.position(place.start);
        let first = self.source.position(span.start).line;
        let last = self.source.position(span.end.saturating_sub(1).max(span.start)).line;
        let exported = match self.style {
            // `__init__` is called by whoever makes the object.
            ImportStyle::Dotted => !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__")),
            ImportStyle::Path if parent.is_none() => self.is_exported(place, name),
            ImportStyle::Path => !name.starts_with('#'),
            ImportStyle::Namespace => true,
        };
        let signature = self.signature(kind, place, span);
        let doc = self.doc_before(span.start);
        self.record.symbols.push(Symbol {
            name: name.to_owned(),
            kind,
            parent,
            line: at.line,
            column: at.column,
            lines: (first.min(at.line), last.max(at.line)),
            signature,
            doc,
            namespace: if parent.is_none() { self.namespace.clone() } else { String::new() },
            exported,
            getter: false,
            decorated: false,
            overrides: false,
            is_static: false,
            bases: Vec::new(),
            hands: Vec::new(),
            values: Vec::new(),
        });
        let id = self.record.symbols.len() as u32 - 1;
        self.symbol_at.insert(place.start, id);
        if let Some(parent) = parent {
            self.members.entry((parent, name.to_owned())).or_insert(id);
        }
        id
    }

    /// Whether a statement that exports holds the name: its declaration, or a list of names.
    fn is_exported(&self, place: Span, name: &str) -> bool {
        let marked = self.word_at.get(&place.start).is_some_and(|at| self.words.names[*at].exported);
        marked || self.listed.contains(name)
    }

    /// Names that the file says it exports, where it does: `__all__` of Python.
    pub(super) fn exported_names(&self, module: &Module) -> Option<Vec<String>> {
        if self.style != ImportStyle::Dotted {
            return None;
        }
        let is_all = |target: &Expr| matches!(&target.kind, ExprKind::Name(name) if name == "__all__");
        let lists = module.body.iter().filter_map(|statement| match &statement.kind {
            StmtKind::Assign { targets, value } if targets.iter().any(is_all) => Some(value),
            _ => None,
        });
        let mut names = Vec::new();
        for list in lists {
            let (ExprKind::List(items) | ExprKind::Tuple(items)) = &list.kind else { return None };
            for item in items {
                let ExprKind::Str { text, .. } = &item.kind else { return None };
                names.push(text.clone());
            }
        }
        (!names.is_empty()).then_some(names)
    }

    /// Where a name stands in a declaration.
    fn named_in(&self, span: Span, name: &str) -> Span {
        let text = self.source.text.get(span.start as usize..span.end as usize).unwrap_or("");
        let words = self.words.names.partition_point(|word| word.start < span.start);
        let words = self.words.names[words..].iter().take_while(|word| word.end <= span.end);
        let found =
            words.clone().find(|word| self.source.text.get(word.start as usize..word.end as usize) == Some(name));
        let found = found.map(|word| (word.start as usize, word.end as usize));
        let (start, end) = found
            .or_else(|| text.find(name).map(|at| (span.start as usize + at, span.start as usize + at + name.len())))
            .unwrap_or((span.start as usize, span.start as usize));
        Span::new(span.file, start, end)
    }
}
