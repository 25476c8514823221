//! TypeScript and JavaScript, with and without JSX, as a program tree: one walk over the syntax tree of one file.

mod classes;
pub mod containers;
mod expressions;
pub mod files;
mod functions;
mod imported_types;
mod imports;
mod kinds;
mod literals;
mod objects;
pub mod paths;
mod patterns;
pub mod schema;
pub mod standard;
mod statements;
pub mod trpc;
pub mod typebox;
mod types;
pub mod valibot;
pub mod zod;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

pub(super) use kinds::grammar;
use tree_sitter::{Parser, Tree};

use super::errors;
use crate::finding::Problem;
use crate::model::program::{ImportStyle, Module};
use crate::text::FileId;
use kinds::Lowering;

/// Which grammar reads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    TypeScript,
    Tsx,
    JavaScript,
}

thread_local! {
    /// Making a parser costs more than reading a small file with it.
    static PARSERS: [RefCell<Parser>; 3] =
        [Dialect::TypeScript, Dialect::Tsx, Dialect::JavaScript].map(|dialect| RefCell::new(parser(dialect)));
}

/// Lowers one file. Never fails and never panics; see [`super::lower`].
///
/// What differs from the source:
/// - `export default x` and `module.exports = x` bind the name `default`; `exports.a = x` binds `a`.
/// - Function declarations stand at the start of their block, for they can be called before.
/// - Methods have `this` as their first parameter, or the decorator `staticmethod`; getters have `property` besides;
///   `constructor` is `__init__`; `super(…)` is `super().__init__(…)`. Setters are left out.
/// - Patterns are taken apart into one assignment for each name; a value that is used more than once has a name
///   `destructured@<offset>`. A default in a pattern is `or`, as is `??`.
/// - A class that is an expression is declared before the statement that it is in.
/// - A function that is only declared has one statement, `return <declared without a body>`.
///
/// Where something could not be read, the tree says so: an expression `Other("unreadable syntax")` stands as a statement
/// in the block, as a spread among arguments, items and members of objects.
///
/// Spans: a statement's is its own (decorators included), that of an imported name is the name's (with its alias), an
/// expression in parentheses has the span of what is inside.
pub fn lower(dialect: Dialect, file: FileId, path: &str, text: &str) -> (Module, Vec<Problem>) {
    lower_looking(dialect, file, path, text, &mut |_| {})
}

/// The same; `look` sees the syntax tree, where there is one.
pub(super) fn lower_looking(
    dialect: Dialect,
    file: FileId,
    path: &str,
    text: &str,
    look: &mut dyn FnMut(&super::Parsed<'_>),
) -> (Module, Vec<Problem>) {
    let mut module = Module::empty(file, path.to_owned(), ImportStyle::Path);
    let mut problems = Vec::new();
    let Some(tree) = parse(dialect, text) else {
        problems.push(errors::unparsed(dialect.name(), path));
        return (module, problems);
    };
    let root = tree.root_node();
    let tables = kinds::tables(dialect);
    if root.has_error() {
        module.errors = errors::collect(tables, file, root);
        module.errors.retain(|span| !is_type_export(text, span.start as usize, span.end as usize));
        problems.extend(errors::problem(dialect.name(), path, text, &module.errors));
    }
    look(&super::Parsed { tree: &tree, text, syntax: dialect.syntax() });
    let mut lowering = Lowering::new(tables, file, text, root, None, 0);
    module.body = lowering.block(root);
    module.functions = lowering.functions;
    module.classes = lowering.classes;
    problems.extend(lowering.too_deep.map(|span| errors::too_deep(path, text, span)));
    (module, problems)
}

/// `export type * from "m"`, which the grammar does not know, is unreadable at the word `type` alone.
fn is_type_export(text: &str, start: usize, end: usize) -> bool {
    let (Some(before), Some(place), Some(after)) = (text.get(..start), text.get(start..end), text.get(end..)) else {
        return false;
    };
    place == "type" && before.trim_end().ends_with("export") && after.trim_start().starts_with('*')
}

impl Dialect {
    fn syntax(self) -> super::Syntax {
        match self {
            Dialect::TypeScript => super::Syntax::TypeScript,
            Dialect::Tsx => super::Syntax::Tsx,
            Dialect::JavaScript => super::Syntax::JavaScript,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Dialect::TypeScript | Dialect::Tsx => "TypeScript",
            Dialect::JavaScript => "JavaScript",
        }
    }
}

fn parser(dialect: Dialect) -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&kinds::grammar(dialect)).expect("the grammar was generated for this version of the parser");
    parser
}

/// The syntax tree of a text. What the grammar does not know is hidden from it where it could not read the text, and every
/// place stays where it is.
fn parse(dialect: Dialect, text: &str) -> Option<Tree> {
    PARSERS.with(|parsers| {
        let mut parser = parsers[dialect as usize].borrow_mut();
        let tree = parser.parse(text, None)?;
        if tree.root_node().has_error()
            && dialect != Dialect::JavaScript
            && let Some(named) = imported_types::named(text)
            && let Some(better) = parser.parse(&named, None)
        {
            return Some(better);
        }
        Some(tree)
    })
}
