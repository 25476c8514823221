//! What a program tree leaves out and an index of names wants: every name of a file in the order of the source, those in
//! code that is not lowered too (`raise`, JSX, what could not be read), and the comments. Found in the syntax tree that the
//! file is lowered from, so that nothing is parsed twice.

use tree_sitter::{Node, TreeCursor};

/// The names and comments of one file.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// In the order of the source.
    pub names: Vec<Word>,
    /// Byte ranges of comments, in the order of the source.
    pub comments: Vec<(u32, u32)>,
}

/// A name where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Byte offset.
    pub start: u32,
    pub end: u32,
    pub role: WordRole,
    /// It is declared or listed in a statement that exports it.
    pub exported: bool,
}

/// What a name does where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordRole {
    /// It is looked up in the scopes around it.
    Name,
    /// It is looked up in what stands before the dot.
    Member,
    /// It names an argument, a property that is written, an attribute.
    Key,
    /// It is declared here.
    Declared,
    /// It is part of an import.
    Import,
}

/// Statements whose names are those of other modules.
const IMPORTS: &[&str] =
    &["import_statement", "import_from_statement", "future_import_statement", "using_directive", "import_alias"];

/// Collects the names and comments below a node.
pub(super) fn words(root: Node<'_>) -> Words {
    let mut found = Words::default();
    let mut cursor = root.walk();
    // Depths at which an import or an export began.
    let (mut import, mut export) = (None, None);
    let mut depth = 0_u32;
    loop {
        let node = cursor.node();
        let kind = node.kind();
        if node.child_count() == 0 {
            if kind.ends_with("comment") {
                found.comments.push((node.start_byte() as u32, node.end_byte() as u32));
            } else if kind.ends_with("identifier")
                || matches!(kind, "shorthand_property_identifier_pattern" | "this" | "this_expression")
            {
                let role = if import.is_some() { WordRole::Import } else { role(&cursor, node) };
                let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
                if start < end {
                    found.names.push(Word { start, end, role, exported: export.is_some_and(|at| depth <= at + 4) });
                }
            }
        } else if kind == "comment" {
            found.comments.push((node.start_byte() as u32, node.end_byte() as u32));
        } else if import.is_none() && (IMPORTS.contains(&kind) || is_passed_on(node)) {
            import = Some(depth);
        } else if export.is_none() && kind == "export_statement" {
            export = Some(depth);
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
            depth -= 1;
            import = import.filter(|at| *at < depth);
            export = export.filter(|at| *at < depth);
        }
        import = import.filter(|at| *at < depth);
        export = export.filter(|at| *at < depth);
    }
}

/// `export { a } from "m"`
fn is_passed_on(node: Node<'_>) -> bool {
    node.kind() == "export_statement" && node.child_by_field_name("source").is_some()
}

fn role(cursor: &TreeCursor<'_>, node: Node<'_>) -> WordRole {
    let parent = node.parent().map_or("", |parent| parent.kind());
    let before = node.prev_sibling().map_or("", |before| before.kind());
    if matches!(before, "." | "?." | "optional_chain" | "::" | "->") {
        return WordRole::Member;
    }
    let field = cursor.field_name().unwrap_or("");
    match (node.kind(), parent, field) {
        ("shorthand_property_identifier", ..) => WordRole::Name,
        ("shorthand_property_identifier_pattern", ..) => WordRole::Declared,
        ("property_identifier" | "private_property_identifier" | "statement_identifier", ..) => WordRole::Key,
        (_, "keyword_argument" | "name_colon" | "argument" | "attribute_argument", "name") => WordRole::Key,
        (_, "array_pattern" | "rest_pattern" | "object_assignment_pattern" | "parameters" | "lambda_parameters", _) => {
            WordRole::Declared
        }
        (_, "pair_pattern", "value") | (_, _, "pattern" | "alias") => WordRole::Declared,
        (_, parent, "name") if is_declaration(parent) => WordRole::Declared,
        (_, "typed_parameter" | "list_splat_pattern" | "dictionary_splat_pattern" | "type_parameter", "") => {
            WordRole::Declared
        }
        (_, "arrow_function", "parameter") => WordRole::Declared,
        _ => WordRole::Name,
    }
}

fn is_declaration(kind: &str) -> bool {
    ["declaration", "declarator", "definition", "signature", "parameter"].iter().any(|part| kind.contains(part))
        || matches!(kind, "class" | "function_expression" | "generator_function" | "enum_assignment" | "function")
}
