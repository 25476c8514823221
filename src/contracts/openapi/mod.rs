//! OpenAPI 2.0 (Swagger), 3.0, 3.1 and 3.2 to [`Declarations`]. The versions differ in spelling only: one reader with a
//! few questions to [`Dialect`].

mod cycles;
mod messages;
mod operations;
mod plain;
mod schema;
mod servers;
mod source;

use std::collections::BTreeMap;

use self::source::{Place, Reader};
use super::document::Document;
use super::reference;
use super::tree::Node;
use super::{Declarations, Issue, IssueKind};
use crate::finding::{Problem, ProblemKind};
use crate::model::{Kind, ShapeId, ShapeTable};
use crate::text::{FileId, Span};

/// Versions in as much as they are read differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dialect {
    V2,
    V30,
    V31,
    V32,
}

/// Keys of a path item that are operations.
const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

impl Dialect {
    /// By the version that a document states; `None` where it states none that is known.
    fn of(root: &Node) -> Option<Dialect> {
        let states = |key: &str| root.get(key).and_then(Node::scalar_text);
        if let Some(version) = states("openapi") {
            let mut numbers = version.split(['.', '-']).map(|part| part.trim().parse::<u32>().ok());
            return match (numbers.next().flatten(), numbers.next().flatten()) {
                (Some(3), Some(0)) => Some(Dialect::V30),
                (Some(3), Some(1)) => Some(Dialect::V31),
                (Some(3), Some(2)) => Some(Dialect::V32),
                _ => None,
            };
        }
        states("swagger")
            .filter(|version| version.trim() == "2" || version.trim().starts_with("2."))
            .map(|_| Dialect::V2)
    }
}

/// Reads the contract that starts at the document `entry`. Keys of `documents` are paths as [`super::join`] makes them;
/// documents that references lead to must be in the map, the unreadable and refused ones as [`Document::Absent`].
pub fn declare(documents: &BTreeMap<String, Document>, entry: &str) -> Declarations {
    let (path, parsed) = match documents.get_key_value(entry) {
        Some((path, Document::Read(parsed))) => (path, parsed),
        Some((path, Document::Absent { reason })) => {
            let mut reason = reason.clone();
            if reason.path.is_empty() {
                path.clone_into(&mut reason.path);
            }
            let file = reason.span.map_or(FileId(0), |span| span.file);
            return Declarations { problems: vec![reason], ..nothing(file) };
        }
        None => {
            let problem = Problem::new(ProblemKind::Unreadable, entry, format!("contract `{entry}` was not read"));
            return Declarations { problems: vec![problem], ..nothing(FileId(0)) };
        }
    };
    let mut reader = Reader::new(documents);
    let root_node = &parsed.tree.root;
    let dialect = Dialect::of(root_node);
    let source = reader.open(path, parsed, dialect.unwrap_or(Dialect::V32));
    let root = Place::root(source, root_node);
    check_version(&mut reader, &root, dialect);
    let mut declarations = nothing(parsed.file);
    declarations.paths = root.child("paths").map_or(root.span, |paths| paths.span);
    if dialect.is_some() || states_3(root_node) {
        check_root(&mut reader, &root);
        check_references(&mut reader, &root);
        let info = |key: &str| root_node.at(["info", key]).and_then(Node::scalar_text).unwrap_or("").to_owned();
        declarations.title = info("title");
        declarations.version = info("version");
        declarations.base_paths = servers::base_paths(&mut reader, &root);
        declarations.servers_vary = servers::vary(root.node);
        (declarations.operations, declarations.terms) = operations::read(&mut reader, &root);
        declarations.servers = servers::addresses(&root);
        declarations.components = components(&mut reader, &root);
        reader.lower_pending();
        cycles::cut(&mut reader);
    }
    let Reader { shapes, states_null, issues, problems, .. } = reader;
    let states_null_of_references = (0..shapes.len() as u32).any(|at| nullable_reference(&shapes, ShapeId(at)));
    Declarations { shapes, states_null, states_null_of_references, issues: sorted(issues), problems, ..declarations }
}

/// `allOf: [$ref]` with `nullable: true`, `anyOf: [$ref, null]`.
fn nullable_reference(shapes: &ShapeTable, id: ShapeId) -> bool {
    let shape = shapes.get(id);
    let refers = |part: &ShapeId| matches!(shapes.get(*part).kind, Kind::Ref(_)) || shapes.get(*part).name.is_some();
    let is_null = |part: &ShapeId| matches!(shapes.get(*part).kind, Kind::Null);
    match &shape.kind {
        Kind::Ref(_) => shape.nullable,
        Kind::All(parts) => shape.nullable && parts.iter().any(refers),
        Kind::Union(union) => (shape.nullable || union.options.iter().any(is_null)) && union.options.iter().any(refers),
        _ => false,
    }
}

fn nothing(file: FileId) -> Declarations {
    Declarations {
        file,
        title: String::new(),
        version: String::new(),
        base_paths: vec![String::new()],
        servers_vary: false,
        operations: Vec::new(),
        terms: Vec::new(),
        servers: Vec::new(),
        paths: Span::new(file, 0, 0),
        shapes: ShapeTable::default(),
        components: Vec::new(),
        states_null: false,
        states_null_of_references: false,
        issues: Vec::new(),
        problems: Vec::new(),
    }
}

/// By place; the same defect seen from two sides is reported once.
fn sorted(mut issues: Vec<Issue>) -> Vec<Issue> {
    issues.sort_by(|a, b| (a.span, a.kind, &a.message).cmp(&(b.span, b.kind, &b.message)));
    issues.dedup_by(|a, b| (a.span, a.kind, &a.message) == (b.span, b.kind, &b.message));
    issues
}

/// A later 3.x is read like the last one that is known.
fn states_3(root: &Node) -> bool {
    root.get("openapi").and_then(Node::scalar_text).is_some_and(|version| version.trim().starts_with("3."))
}

fn check_version<'d>(reader: &mut Reader<'d>, root: &Place<'d>, dialect: Option<Dialect>) {
    let tree = &reader.sources[root.source].parsed.tree;
    let unread = tree.syntax_error().is_some() || !tree.problems.is_empty();
    if dialect.is_some() {
        return;
    }
    let stated = root.child("openapi").or_else(|| root.child("swagger"));
    let help = "state `openapi: 3.1.0`, or the version that it is written in";
    if let Some(stated) = stated {
        let version = stated.node.scalar_text().unwrap_or(stated.node.type_name());
        let message = format!("version `{version}` of OpenAPI is not known");
        reader.issue(IssueKind::NotAContract, stated.span, &stated.pointer, message, Some(help));
    } else if !unread {
        let message = "not an OpenAPI document: it states no `openapi` or `swagger` version".to_owned();
        reader.issue(IssueKind::NotAContract, root.span, "", message, Some(help));
    }
}

/// `info` is required by every version; `paths` up to 3.0, later one of three.
fn check_root<'d>(reader: &mut Reader<'d>, root: &Place<'d>) {
    if root.node.cut {
        return;
    }
    let has = |key: &str| root.node.get(key).is_some();
    let span = root.child("openapi").or_else(|| root.child("swagger")).map_or(root.span, |version| version.span);
    if !has("info") {
        reader.issue(IssueKind::MissingField, span, "", "the document has no `info`".to_owned(), None);
    }
    if reader.dialect(root) <= Dialect::V30 {
        if !has("paths") {
            reader.issue(IssueKind::MissingField, span, "", "the document has no `paths`".to_owned(), None);
        }
    } else if !["paths", "components", "webhooks"].into_iter().any(has) {
        let message = "the document has none of `paths`, `components` and `webhooks`".to_owned();
        reader.issue(IssueKind::MissingField, span, "", message, None);
    }
}

/// Looks up every reference of the entry document, used by an operation or not.
fn check_references<'d>(reader: &mut Reader<'d>, root: &Place<'d>) {
    for found in reference::all(root.node) {
        reader.resolve(root.source, found.text, found.span, &found.pointer);
    }
}

fn components<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> Vec<(String, ShapeId)> {
    let schemas = match reader.dialect(root) {
        Dialect::V2 => root.child("definitions"),
        Dialect::V30 | Dialect::V31 | Dialect::V32 => root.child("components").and_then(|all| all.child("schemas")),
    };
    let Some(schemas) = schemas.and_then(|schemas| reader.follow(schemas)) else { return Vec::new() };
    let members: Vec<_> = schemas.members().filter(|(key, _)| !key.text.starts_with("x-")).collect();
    members.into_iter().map(|(key, place)| (key.text.clone(), reader.shape_at(place))).collect()
}

#[cfg(test)]
mod tests;
