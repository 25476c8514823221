//! `CONTRACTS.json`: how modules are wired (which exports a module has, which imports go from one to another, in which
//! order middlewares are registered), or contracts of services that it holds as they are. The documents of both are told
//! by their keys: `modules`, `wirings` and `middlewares`, or `contracts`.

use std::collections::BTreeMap;

use super::document::{Document, Parsed};
use super::reader::{Place, Reader};
use super::reference;
use super::tree::{Key, Node, Tree, Value};
use super::{Declarations, IssueKind};
use crate::text::Span;

/// How modules are to be wired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wiring {
    pub modules: Vec<WiredModule>,
    pub imports: Vec<WiredImport>,
    pub middlewares: Vec<WiredMiddlewares>,
}

/// A module and what it is to export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WiredModule {
    /// Beside the document, as shown to the user.
    pub path: String,
    pub span: Span,
    pub pointer: String,
    pub exports: Vec<WiredName>,
}

/// A name, and where the document has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WiredName {
    pub name: String,
    pub span: Span,
    pub pointer: String,
}

/// One module that is to import names from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WiredImport {
    pub source: String,
    pub target: String,
    pub names: Vec<WiredName>,
    pub span: Span,
}

/// A file, and the middlewares that it is to register, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WiredMiddlewares {
    pub entry: String,
    pub order: Vec<WiredName>,
    pub span: Span,
}

/// Whether a document is about wiring, or holds contracts that cannot be read.
pub(super) fn is_stated(root: &Node) -> bool {
    let has = |key: &&str| root.get(key).is_some();
    let is_other = ["openapi", "swagger", "asyncapi", "$schema"].iter().any(has);
    root.get("version").is_some()
        && !is_other
        && (["modules", "wirings", "middlewares"].iter().any(has) || !unreadable(root).is_empty())
}

/// Where a document holds contracts that are none, and what is wrong with each.
fn unreadable(root: &Node) -> Vec<(Span, String)> {
    let Some(contracts) = root.get("contracts") else { return Vec::new() };
    if !contracts.is_object() {
        return vec![(contracts.span, format!("`contracts` must be an object, found {}", contracts.type_name()))];
    }
    let wrong = |(key, entry): &(Key, Node)| match entry.get("spec") {
        _ if !entry.is_object() => {
            Some((entry.span, format!("contract `{}` must be an object, found {}", key.text, entry.type_name())))
        }
        Some(spec) if !spec.is_object() && !spec.is_null() => Some((
            spec.span,
            format!("`spec` of contract `{}` must be an object, found {}", key.text, spec.type_name()),
        )),
        _ => None,
    };
    contracts.entries().iter().filter_map(wrong).collect()
}

/// Whether a document that was read is about wiring.
pub fn is_about_wiring(document: &Document) -> bool {
    matches!(document, Document::Read(parsed) if is_stated(&parsed.tree.root))
}

/// Whether a document holds contracts of services, by their ids.
pub(super) fn holds_contracts(root: &Node) -> bool {
    let entries = root.get("contracts").map(Node::entries).unwrap_or_default();
    !entries.is_empty() && entries.iter().any(|(_, entry)| entry.get("spec").is_some())
}

/// A contract of a document that is marked there as implemented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub id: String,
    pub span: Span,
    /// JSON pointer.
    pub pointer: String,
    /// The key of the contract as a document of its own: `CONTRACTS.json#/contracts/users-api/spec`.
    pub document: String,
    /// What is named as evidence, as written; empty where nothing is.
    pub written: String,
    /// The same as a path beside the document; `None` where it leads out of what is scanned, or nothing is named.
    pub evidence: Option<String>,
}

/// What a document says is implemented.
pub fn marks(document: &Document, path: &str) -> Vec<Mark> {
    let Document::Read(parsed) = document else { return Vec::new() };
    let entries = parsed.tree.root.get("contracts").map(Node::entries).unwrap_or_default();
    let marked = entries.iter().filter_map(|(key, entry)| {
        let (implemented, _) = entry.entry("implemented").filter(|(_, value)| value.is_true())?;
        let mut segment = String::new();
        super::tree::push_segment(&mut segment, &key.text);
        let written = entry.get("evidence_path").and_then(Node::text).unwrap_or("").trim();
        let evidence = reference::join(path, written).filter(|_| !written.is_empty());
        Some(Mark {
            id: key.text.clone(),
            span: implemented.span,
            pointer: format!("/contracts{segment}/implemented"),
            document: format!("{path}#/contracts{segment}/spec"),
            written: written.to_owned(),
            evidence,
        })
    });
    marked.collect()
}

/// A contract that another document holds.
#[derive(Clone, Debug)]
struct Held {
    /// `CONTRACTS.json#/contracts/users-api`: the key of its document.
    path: String,
    document: Document,
    /// The service that keeps it.
    provider: Option<String>,
}

/// The contracts that a document holds, each as a document of its own: references are from its own beginning.
fn held(path: &str, document: &Document) -> Vec<Held> {
    let Document::Read(parsed) = document else { return Vec::new() };
    let root = &parsed.tree.root;
    if !holds_contracts(root) {
        return Vec::new();
    }
    let entries = root.get("contracts").map(Node::entries).unwrap_or_default();
    let held = entries.iter().filter_map(|(key, entry)| {
        let spec = entry.get("spec").filter(|spec| spec.is_object())?;
        let tree = Tree { root: spec.clone(), issues: Vec::new(), problems: Vec::new(), not_json: None };
        let mut pointer = String::new();
        super::tree::push_segment(&mut pointer, &key.text);
        Some(Held {
            path: format!("{path}#/contracts{pointer}/spec"),
            document: Document::Read(Parsed { file: parsed.file, tree }),
            provider: entry.get("provider_service").and_then(Node::text).map(str::to_owned),
        })
    });
    held.collect()
}

/// Reads what a document says of wiring into `declarations.wiring`.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &Place<'d>, declarations: &mut Declarations) {
    let path = reader.sources[root.source].path;
    let mut wiring = Wiring::default();
    for (span, message) in unreadable(root.node) {
        reader.issue(
            IssueKind::InvalidValue,
            span,
            "/contracts",
            message,
            Some("write the document itself as an object"),
        );
    }
    if let Some(modules) = root.child("modules").filter(|modules| !modules.node.is_object()) {
        let message = format!("`modules` must be an object, found {}", modules.node.type_name());
        let help = "its keys are the paths of modules, each with its `exports`";
        reader.issue(IssueKind::InvalidValue, modules.span, &modules.pointer, message, Some(help));
    }
    let modules: Vec<_> = root.child("modules").iter().flat_map(Place::members).collect();
    for (key, place) in modules {
        let Some(module) = beside(reader, path, &key.text, &place) else { continue };
        let exports = names(reader, place.child("exports").as_ref());
        wiring.modules.push(WiredModule { path: module, span: key.span, pointer: place.pointer.clone(), exports });
    }
    for place in list(reader, root, "wirings") {
        let (source, target) = (text(reader, &place, "source_module"), text(reader, &place, "target_module"));
        let (Some(source), Some(target)) = (source, target) else { continue };
        let (Some(source), Some(target)) = (beside(reader, path, source, &place), beside(reader, path, target, &place))
        else {
            continue;
        };
        let names = names(reader, place.child("imports").as_ref());
        wiring.imports.push(WiredImport { source, target, names, span: place.span });
    }
    for place in list(reader, root, "middlewares") {
        let Some(entry) = text(reader, &place, "entry_file") else { continue };
        let Some(entry) = beside(reader, path, entry, &place) else { continue };
        let order = names(reader, place.child("middleware_order").as_ref());
        wiring.middlewares.push(WiredMiddlewares { entry, order, span: place.span });
    }
    declarations.wiring = Some(wiring);
}

/// Elements of a list of objects; what is none of both is an issue.
fn list<'d>(reader: &mut Reader<'d>, root: &Place<'d>, key: &str) -> Vec<Place<'d>> {
    let Some(list) = root.child(key) else { return Vec::new() };
    if !matches!(list.node.value, Value::Array(_)) {
        let message = format!("`{key}` must be a list, found {}", list.node.type_name());
        reader.issue(IssueKind::InvalidValue, list.span, &list.pointer, message, None);
        return Vec::new();
    }
    let items: Vec<_> = list.items().collect();
    items
        .into_iter()
        .filter(|item| {
            if !item.node.is_object() {
                let message = format!("an element of `{key}` must be an object, found {}", item.node.type_name());
                reader.issue(IssueKind::InvalidValue, item.span, &item.pointer, message, None);
            }
            item.node.is_object()
        })
        .collect()
}

fn text<'d>(reader: &mut Reader<'d>, place: &Place<'d>, key: &str) -> Option<&'d str> {
    let found = place.text(key).filter(|text| !text.trim().is_empty());
    if found.is_none() {
        let message = format!("an element without `{key}`");
        reader.issue(IssueKind::MissingField, place.span, &place.pointer, message, None);
    }
    found
}

/// A list of names, each a text or an object with a `name`.
fn names<'d>(reader: &mut Reader<'d>, list: Option<&Place<'d>>) -> Vec<WiredName> {
    if let Some(other) = list.filter(|list| !matches!(list.node.value, Value::Array(_))) {
        let message = format!("this must be a list of names, found {}", other.node.type_name());
        reader.issue(IssueKind::InvalidValue, other.span, &other.pointer, message, None);
    }
    let items: Vec<_> = list.into_iter().flat_map(Place::items).collect();
    let mut names = Vec::new();
    for item in items {
        match item.node.text().or_else(|| item.text("name")) {
            Some(name) if !name.trim().is_empty() => {
                names.push(WiredName { name: name.trim().to_owned(), span: item.node.span, pointer: item.pointer });
            }
            _ => {
                let message = "a name must be a text".to_owned();
                reader.issue(IssueKind::InvalidValue, item.span, &item.pointer, message, None);
            }
        }
    }
    names
}

/// The path of a module that a document names from its own directory; never one outside of what is scanned.
fn beside<'d>(reader: &mut Reader<'d>, document: &str, module: &str, place: &Place<'d>) -> Option<String> {
    let joined = reference::join(document, module.trim()).filter(|_| !module.contains('#'));
    if joined.is_none() {
        let message = format!("`{module}` is no path beside the document");
        reader.issue(IssueKind::InvalidValue, place.span, &place.pointer, message, None);
    }
    joined
}

/// Whether the name of a file and its text look like such a document: `CONTRACTS.json` with one of its keys.
pub(super) fn sniff(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let keys = ["\"modules\"", "\"wirings\"", "\"middlewares\"", "\"contracts\""];
    name.eq_ignore_ascii_case("contracts.json") && keys.iter().any(|key| text.contains(key))
}

/// Documents by path, those that others hold added; with the paths of what was added and the services that keep it.
pub fn unfold(documents: &mut BTreeMap<String, Document>, path: &str) -> Vec<(String, Option<String>)> {
    let found = documents.get(path).map(|document| held(path, document)).unwrap_or_default();
    let mut added = Vec::new();
    for Held { path, document, provider } in found {
        documents.insert(path.clone(), document);
        added.push((path, provider));
    }
    added
}

#[cfg(test)]
mod tests {
    use super::super::{declare, parse};
    use super::*;
    use crate::text::FileId;

    #[test]
    fn modules_wirings_and_middlewares_are_read_with_their_places() {
        let text = r#"{"version": "1.0",
            "modules": {"src/a.ts": {"exports": [{"name": "load", "kind": "function", "signature": null}]}, "b.py": {}},
            "wirings": [{"source_module": "src/b.ts", "target_module": "src/a.ts", "imports": ["load"]}, 3, {}],
            "middlewares": [{"entry_file": "src/main.ts", "middleware_order": ["cors", "auth"]}]}"#;
        let documents = BTreeMap::from([("app/CONTRACTS.json".to_owned(), parse(FileId(0), text))]);
        let found = declare(&documents, "app/CONTRACTS.json");
        let wiring = found.wiring.expect("it is about wiring");
        assert_eq!(wiring.modules[0].path, "app/src/a.ts");
        assert_eq!(wiring.modules[0].exports[0].name, "load");
        assert_eq!(wiring.imports[0].target, "app/src/a.ts");
        assert_eq!(wiring.middlewares[0].order[1].name, "auth");
        assert_eq!(found.issues.len(), 3);
    }

    #[test]
    fn a_held_contract_is_read_from_its_own_beginning() {
        let text = r##"{"version": "1.0", "contracts": {"a/b": {"provider_service": "shop", "spec": {
            "openapi": "3.1.0", "info": {"title": "Shop", "version": "1"},
            "paths": {"/x": {"get": {"responses": {"200": {"description": "x", "content": {"application/json":
                {"schema": {"$ref": "#/components/schemas/X"}}}}}}}},
            "components": {"schemas": {"X": {"type": "object"}}}}}, "c": {"spec": "text"}, "d": 3}}"##;
        let mut documents = BTreeMap::from([("CONTRACTS.json".to_owned(), parse(FileId(0), text))]);
        let added = unfold(&mut documents, "CONTRACTS.json");
        assert_eq!(added, [("CONTRACTS.json#/contracts/a~1b/spec".to_owned(), Some("shop".to_owned()))]);
        let itself = declare(&documents, "CONTRACTS.json");
        let wrong: Vec<_> = itself.issues.iter().map(|issue| issue.message.as_str()).collect();
        assert_eq!(
            wrong,
            ["`spec` of contract `c` must be an object, found string", "contract `d` must be an object, found number"]
        );
        let found = declare(&documents, &added[0].0);
        assert_eq!(found.issues, Vec::new());
        assert_eq!(found.operations[0].title(), "GET /x");
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

        /// Whatever a document holds in whichever place, it is read, and every place lies in it.
        #[test]
        fn any_document_is_read(words in proptest::collection::vec(0..WORDS.len(), 1..40), cut in 0_usize..400) {
            let mut text: String = words.iter().map(|word| WORDS[*word]).collect();
            text.insert_str(0, "{\"version\": \"1.0\", \"modules\": {\"a.ts\": {\"exports\": [{\"name\": ");
            text.truncate(text.floor_char_boundary(text.len().saturating_sub(cut % 20)));
            let mut documents = BTreeMap::from([("CONTRACTS.json".to_owned(), parse(FileId(0), &text))]);
            let mut entries = vec!["CONTRACTS.json".to_owned()];
            entries.extend(unfold(&mut documents, "CONTRACTS.json").into_iter().map(|(path, _)| path));
            for entry in entries {
                for issue in declare(&documents, &entry).issues {
                    proptest::prop_assert!(text.get(issue.span.start as usize..issue.span.end as usize).is_some());
                }
            }
        }
    }

    /// What a `CONTRACTS.json` is made of, and what it should not be made of.
    const WORDS: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"\"",
        "\"name\": ",
        "\"ü\"",
        "3",
        "null",
        "true",
        "\"modules\": {",
        "\"wirings\": [",
        "\"middlewares\": [",
        "\"contracts\": {\"a\": ",
        "\"spec\": {",
        "\"openapi\": \"3.1.0\"",
        "\"paths\": {",
        "\"$ref\": \"#/contracts/a\"",
        "\"source_module\": \"../../x\",",
        "\"imports\": [",
        "\"middleware_order\": [",
        "\n",
    ];
}
