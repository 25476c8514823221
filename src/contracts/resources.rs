//! Schemas within a document that have an identifier of their own: references in them begin there, and others name them by
//! it (JSON Schema 2020-12, sections 8.2.1 and 9.3.1).

use rustc_hash::FxHashMap;

use super::reference;
use super::tree::{Node, Value, push_segment};

/// Pointers of such schemas by their absolute identifiers.
pub(super) struct Resources {
    by_id: FxHashMap<String, String>,
    /// `$id`, which draft-04 calls `id`.
    key: &'static str,
}

impl Resources {
    /// `None` where the document as a whole is the only one.
    pub(super) fn of(root: &Node) -> Option<Resources> {
        let is_old = root.get("$schema").and_then(Node::text).is_some_and(|text| text.contains("draft-04"));
        let key = if is_old { "id" } else { "$id" };
        let mut resources = Resources { by_id: FxHashMap::default(), key };
        resources.collect(root, "", &mut String::new());
        resources.by_id.values().any(|pointer| !pointer.is_empty()).then_some(resources)
    }

    fn collect(&mut self, node: &Node, base: &str, pointer: &mut String) {
        let own = self.identifier(node).map(|id| absolute(base, id));
        if let Some(own) = &own {
            self.by_id.entry(own.clone()).or_insert_with(|| pointer.clone());
        }
        let base = own.as_deref().unwrap_or(base);
        let length = pointer.len();
        for (at, item) in node.items().iter().enumerate().filter(|(_, item)| is_container(item)) {
            push_segment(pointer, &at.to_string());
            self.collect(item, base, pointer);
            pointer.truncate(length);
        }
        for (key, value) in node.entries().iter().filter(|(_, value)| is_container(value)) {
            // Data, which may look like a schema.
            if !matches!(key.text.as_str(), "enum" | "const" | "default" | "examples" | "example") {
                push_segment(pointer, &key.text);
                self.collect(value, base, pointer);
                pointer.truncate(length);
            }
        }
    }

    /// The pointer that a reference means which stands at `from`; `None` where it leads to no such schema, or to an anchor.
    pub(super) fn target(&self, root: &Node, from: &str, reference: &str) -> Option<String> {
        let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let fragment = reference::percent_decode(fragment);
        if !(fragment.is_empty() || fragment.starts_with('/')) {
            return None;
        }
        let (mut base, mut start) = (String::new(), String::new());
        let (mut node, mut pointer) = (Some(root), String::new());
        for segment in std::iter::once(None).chain(reference::segments(from)?.into_iter().map(Some)) {
            if let Some(segment) = &segment {
                node = node.and_then(|node| node.at([segment]));
                push_segment(&mut pointer, segment);
            }
            if let Some(id) = node.and_then(|node| self.identifier(node)) {
                base = absolute(&base, id);
                start.clone_from(&pointer);
            }
        }
        let start = if file.is_empty() { &start } else { self.by_id.get(&absolute(&base, file))? };
        Some(format!("{start}{fragment}"))
    }

    /// Up to draft-07 a fragment alone is an anchor.
    fn identifier<'n>(&self, node: &'n Node) -> Option<&'n str> {
        let text = node.get(self.key).and_then(Node::text)?;
        (!text.starts_with('#') && !text.is_empty()).then(|| text.trim_end_matches('#'))
    }
}

fn is_container(node: &Node) -> bool {
    matches!(node.value, Value::Array(_) | Value::Object(_))
}

/// A reference against the identifier that it stands below (RFC 3986, section 5.2, without dot segments).
pub(super) fn absolute(base: &str, file: &str) -> String {
    let authority = base.find("://").map_or(0, |at| at + 3);
    if file.contains("://") || file.starts_with("urn:") {
        return file.to_owned();
    }
    let root = base[authority..].find('/').map_or(base.len(), |at| authority + at);
    if file.starts_with('/') {
        return format!("{}{file}", &base[..root]);
    }
    let directory = base.rfind('/').filter(|at| *at >= root).map_or(root, |at| at + 1);
    format!("{}{}", &base[..directory], file.trim_start_matches("./"))
}
