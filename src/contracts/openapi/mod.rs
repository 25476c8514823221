//! OpenAPI 2.0 (Swagger), 3.0, 3.1 and 3.2 to [`Declarations`]. The versions differ in spelling only: one reader with a
//! few questions to [`Dialect`].

mod messages;
mod objects;
mod operations;
mod rules;
mod security;
mod servers;
mod swagger;

use super::dialect::Dialect;
use super::form::{self, Edition};
use super::reader::{Place, Reader};
use super::tree::Node;
use super::{Declarations, IssueKind};
use crate::model::ShapeId;

/// Keys of a path item that are operations.
const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// Reads an OpenAPI document. `dialect` is none where it states a version that is not known.
pub(super) fn read<'d>(
    reader: &mut Reader<'d>,
    root: &Place<'d>,
    dialect: Option<Dialect>,
    declarations: &mut Declarations,
) {
    check_version(reader, root, dialect);
    if dialect.is_none() && !states_3(root.node) {
        return;
    }
    check_root(reader, root);
    reader.check_references(root);
    check_form(reader, root);
    declarations.base_paths = servers::base_paths(reader, root);
    declarations.servers_vary = servers::vary(root.node);
    (declarations.operations, declarations.terms, declarations.webhooks) = operations::read(reader, root);
    declarations.schemes = security::schemes(reader, root);
    declarations.servers = servers::addresses(root);
    declarations.keys = security::keys(reader, root);
    declarations.paths = root.child("paths").map_or(root.span, |paths| paths.span);
    declarations.components = components(reader, root);
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
    let is_empty = root.node.is_null() || (root.node.is_object() && root.node.entries().is_empty());
    if let Some(stated) = stated {
        let version = stated.node.scalar_text().unwrap_or(stated.node.type_name());
        let message = format!("version `{version}` of OpenAPI is not known");
        reader.issue(IssueKind::NotAContract, stated.span, &stated.pointer, message, Some(help));
    } else if !unread {
        let message = if is_empty {
            "not a contract: the document is empty"
        } else {
            "not a contract: it states no `openapi`, `swagger` or `asyncapi` version, and no `$schema`"
        };
        let message = message.to_owned();
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

/// Every object of the document, and those that its references lead to.
fn check_form<'d>(reader: &mut Reader<'d>, root: &Place<'d>) {
    let (major, minor, object) = match reader.dialect(root) {
        Dialect::V2 => (2, 0, &swagger::ROOT),
        Dialect::V30 => (3, 0, &objects::ROOT),
        Dialect::V31 => (3, 1, &objects::ROOT),
        _ => (3, 2, &objects::ROOT),
    };
    form::check(reader, Edition { format: "OpenAPI", major, minor }, object, root.clone());
}

fn components<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> Vec<(String, ShapeId)> {
    let schemas = match reader.dialect(root) {
        Dialect::V2 => root.child("definitions"),
        _ => root.child("components").and_then(|all| all.child("schemas")),
    };
    let Some(schemas) = schemas.and_then(|schemas| reader.follow(schemas)) else { return Vec::new() };
    let members: Vec<_> = schemas.members().filter(|(key, _)| !key.text.starts_with("x-")).collect();
    members.into_iter().map(|(key, place)| (key.text.clone(), reader.shape_at(place))).collect()
}

#[cfg(test)]
mod tests;
