//! Python 3 (and what parses of Python 2) as a program tree: one walk over the syntax tree of one file.

mod brackets;
mod definitions;
pub mod django;
pub mod environs;
mod expressions;
pub mod files;
mod imports;
mod kinds;
mod literals;
pub mod marshmallow;
mod methods;
pub mod pydantic;
pub mod schema;
pub mod signature;
pub mod standard;
mod statements;
mod strings;
mod tree;
mod types;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::ops::ControlFlow;

pub(super) use kinds::grammar;
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::errors;
use crate::finding::Problem;
use crate::model::program::{Expr, ImportStyle, Module, StmtKind};
use crate::text::{FileId, Span};
use kinds::Kind;
use tree::{Lowering, Place};

thread_local! {
    /// Making a parser costs more than reading a small file with it.
    static PARSER: RefCell<Parser> = RefCell::new(parser());
}

/// Lowers one file. Never fails and never panics; see [`super::lower`].
///
/// Where something could not be read, the tree says so: an expression `Other("unreadable syntax")` stands as a statement
/// in the block, as `**` among arguments and dict items, as `*` among list items.
///
/// Spans: a statement's is its own (decorators included), [`Function::span`](crate::model::program::Function::span)
/// starts at `def` or `async def`, that of an imported name is the name's (with its alias), an expression in
/// parentheses has the span of what is inside, a tuple includes its parentheses.
pub fn lower(file: FileId, path: &str, text: &str) -> (Module, Vec<Problem>) {
    lower_looking(file, path, text, &mut |_| {})
}

/// The same; `look` sees the syntax tree, where there is one.
pub(super) fn lower_looking(
    file: FileId,
    path: &str,
    text: &str,
    look: &mut dyn FnMut(&super::Parsed<'_>),
) -> (Module, Vec<Problem>) {
    let mut module = Module::empty(file, path.to_owned(), ImportStyle::Dotted);
    let mut problems = Vec::new();
    let Some(tree) = parse(text) else {
        problems.push(errors::unparsed("Python", path));
        return (module, problems);
    };
    let root = tree.root_node();
    if root.has_error() {
        module.errors = errors::collect(kinds::tables(), file, root);
        problems.extend(errors::problem("Python", path, text, &module.errors));
    }
    look(&super::Parsed { tree: &tree, text, syntax: super::Syntax::Python });
    let mut lowering = Lowering::new(kinds::tables(), file, text, root, None, 0);
    module.body = lowering.block(root);
    module.types_are_texts = keeps_texts(root, text);
    module.functions = lowering.functions;
    module.classes = lowering.classes;
    problems.extend(lowering.too_deep.map(|span| errors::too_deep(path, text, span)));
    (module, problems)
}

/// `from __future__ import annotations`, which stands before all other statements but the docstring.
fn keeps_texts(root: Node<'_>, text: &str) -> bool {
    let mut walk = root.walk();
    let mut statements = root
        .named_children(&mut walk)
        .take_while(|node| matches!(node.kind(), "comment" | "expression_statement" | "future_import_statement"));
    statements.any(|node| {
        let mut walk = node.walk();
        node.kind() == "future_import_statement"
            && node.children_by_field_name("name", &mut walk).any(|name| &text[name.byte_range()] == "annotations")
    })
}

/// Reads a text as one expression in a place for types, so that strings inside are forward references. Every span in
/// it is `span`, the place of the string that says it. None where it is no expression or declares a function (whose
/// index would not be unique in its module).
pub fn parse_expression(file: FileId, span: Span, text: &str) -> Option<Expr> {
    parse_nested(file, span, text, 0)
}

fn parse_nested(file: FileId, span: Span, text: &str, depth: u32) -> Option<Expr> {
    // As `typing` does it: a reference may be indented, and may go over several lines.
    let text = text.trim();
    let wrapped;
    let text = if text.contains(['\n', '\r']) {
        wrapped = format!("({text})");
        &wrapped
    } else {
        text
    };
    let tree = parse(text)?;
    let root = tree.root_node();
    if root.has_error() {
        return None;
    }
    let mut lowering = Lowering::new(kinds::tables(), file, text, root, Some(span), depth);
    let opened = lowering.open(root);
    let [Some(statement), None] = lowering.parts(opened) else { return None };
    if lowering.kind(statement) != Kind::ExpressionStatement {
        return None;
    }
    let mut body = Vec::new();
    lowering.expression_statement_in(statement, Place::Type, &mut body);
    if lowering.functions > 0 || lowering.too_deep.is_some() {
        return None;
    }
    match body.pop()?.kind {
        StmtKind::Expr(expr) => Some(expr),
        _ => None,
    }
}

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&kinds::grammar()).expect("the grammar was generated for this version of the parser");
    parser
}

/// Looks of the parser at how far it is, each after the same number of steps, that it may take once it has met an error:
/// as many as ten thousand lines of valid source take. Recovering from errors is slow, and a text that is no source at
/// all would take minutes. Steps rather than time, so that the same text always reads the same.
const MAX_LOOKS_AFTER_ERROR: u32 = 3_000;
/// Lines in a row that end in a backslash. The parser looks through all of them again and again.
const MAX_CONTINUATIONS: usize = 500;

/// `None` where it was given up. Where the grammar could not read a text, line breaks between brackets are hidden from it,
/// and every place stays where it is.
fn parse(text: &str) -> Option<Tree> {
    let tree = parse_as_it_is(text)?;
    if tree.root_node().has_error()
        && let Some(joined) = brackets::joined(text)
        && let Some(better) = parse_as_it_is(&joined)
        && !better.root_node().has_error()
    {
        return Some(better);
    }
    Some(tree)
}

fn parse_as_it_is(text: &str) -> Option<Tree> {
    if continuations(text) > MAX_CONTINUATIONS {
        return None;
    }
    let bytes = text.as_bytes();
    let mut looks = 0;
    let mut look = |state: &ParseState| {
        looks += u32::from(state.has_error());
        if looks > MAX_LOOKS_AFTER_ERROR { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut look);
    PARSER.with(|parser| {
        let mut parser = parser.borrow_mut();
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        if tree.is_none() {
            // Otherwise the next text would be taken for the rest of this one.
            parser.reset();
        }
        tree
    })
}

/// The most lines in a row that end in a backslash, empty ones between them not counted.
fn continuations(text: &str) -> usize {
    let (mut longest, mut run) = (0, 0);
    if text.contains('\\') {
        for line in text.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
            run = if line.ends_with('\\') { run + 1 } else { 0 };
            longest = longest.max(run);
        }
    }
    longest
}
