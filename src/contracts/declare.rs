//! One contract from its entry document: which format it is, and what every format has in common.

use std::collections::BTreeMap;

use super::dialect::Dialect;
use super::document::Document;
use super::reader::{Place, Reader};
use super::schema::cycles;
use super::tree::Node;
use super::{Declarations, Issue, asyncapi, json_schema, openapi, wiring};
use crate::finding::{Problem, ProblemKind};
use crate::model::{Kind, ShapeId, ShapeTable};
use crate::text::FileId;

/// Reads the contract that starts at the document `entry`. Keys of `documents` are paths as [`super::join`] makes them;
/// documents that references lead to must be in the map, the unreadable and refused ones as [`Document::Absent`].
pub fn declare(documents: &BTreeMap<String, Document>, entry: &str) -> Declarations {
    read(documents, entry, false)
}

/// The same where the document is known to be a JSON Schema, whether it looks like one or not.
pub fn declare_schema(documents: &BTreeMap<String, Document>, entry: &str) -> Declarations {
    read(documents, entry, true)
}

fn read(documents: &BTreeMap<String, Document>, entry: &str, is_schema: bool) -> Declarations {
    let (path, parsed) = match documents.get_key_value(entry) {
        Some((path, Document::Read(parsed))) => (path, parsed),
        Some((_, Document::Declared(declarations))) => return (**declarations).clone(),
        Some((path, Document::Absent { reason })) => {
            let mut reason = reason.clone();
            if reason.path.is_empty() {
                path.clone_into(&mut reason.path);
            }
            let file = reason.span.map_or(FileId(0), |span| span.file);
            return Declarations { problems: vec![reason], ..Declarations::nothing(file) };
        }
        None => {
            let problem = Problem::new(ProblemKind::Unreadable, entry, format!("contract `{entry}` was not read"));
            return Declarations { problems: vec![problem], ..Declarations::nothing(FileId(0)) };
        }
    };
    let mut reader = Reader::new(documents);
    let root = &parsed.tree.root;
    let mut declarations = Declarations::nothing(parsed.file);
    let info = |key: &str| root.at(["info", key]).and_then(Node::scalar_text).unwrap_or("").to_owned();
    declarations.title = info("title");
    declarations.version = info("version");
    if !is_schema && asyncapi::is_stated(root) {
        let source = reader.open(path, parsed, Dialect::Draft07);
        asyncapi::read(&mut reader, &Place::root(source, root), &mut declarations);
    } else if !is_schema && wiring::is_stated(root) {
        let source = reader.open(path, parsed, Dialect::V31);
        wiring::read(&mut reader, &Place::root(source, root), &mut declarations);
    } else if is_schema || (Dialect::of(root).is_none() && (json_schema::is_stated(root) || json_schema::is_like(root)))
    {
        // Generators of OpenAPI documents write the `$schema` of their own configuration into the document, too.
        let dialect = json_schema::dialect(root).unwrap_or(Dialect::V31);
        let source = reader.open(path, parsed, dialect);
        json_schema::read(&mut reader, &Place::root(source, root), &mut declarations);
    } else {
        let dialect = Dialect::of(root);
        let source = reader.open(path, parsed, dialect.unwrap_or(Dialect::V32));
        openapi::read(&mut reader, &Place::root(source, root), dialect, &mut declarations);
    }
    reader.lower_pending();
    cycles::cut(&mut reader);
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

/// By place; the same defect seen from two sides is reported once.
fn sorted(mut issues: Vec<Issue>) -> Vec<Issue> {
    issues.sort_by(|a, b| (a.span, a.kind, &a.message).cmp(&(b.span, b.kind, &b.message)));
    issues.dedup_by(|a, b| (a.span, a.kind, &a.message) == (b.span, b.kind, &b.message));
    issues
}
