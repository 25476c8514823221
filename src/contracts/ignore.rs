//! `x-treaty-ignore`: what a contract says is not to be reported of an operation, a schema, or of all that it states.

use std::collections::BTreeSet;

use super::document::Document;
use super::reference::{has_names, is_data};
use super::tree::{Node, Value};
use crate::text::Span;

/// The extension's name.
pub const EXTENSION: &str = "x-treaty-ignore";

/// One `x-treaty-ignore`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignore {
    /// The object that has it, with its key; the extension holds for everything in it.
    pub within: Span,
    /// It is the document itself.
    pub is_document: bool,
    /// The extension's value.
    pub span: Span,
    /// Names of rules, as written; `None` where the value is neither a text nor a list of texts.
    pub names: Option<Vec<(String, Span)>>,
}

/// Every `x-treaty-ignore` of a document. Examples, defaults and other extensions are data; a property that is called so is
/// a property.
pub fn ignores(document: &Document) -> Vec<Ignore> {
    let Document::Read(parsed) = document else { return Vec::new() };
    let mut found = Found { ignores: Vec::new(), seen: BTreeSet::new() };
    found.object(&parsed.tree.root, parsed.tree.root.span, true);
    found.ignores
}

struct Found {
    ignores: Vec<Ignore>,
    /// Aliases lead to one place several times.
    seen: BTreeSet<Span>,
}

impl Found {
    /// Looks at an object whose keys are keywords.
    fn object(&mut self, node: &Node, within: Span, is_document: bool) {
        if matches!(node.value, Value::Object(_) | Value::Array(_)) && !self.seen.insert(node.span) {
            return;
        }
        node.items().iter().for_each(|item| self.object(item, item.span, false));
        for (key, value) in node.entries() {
            let place = Span { start: key.span.start, ..value.span };
            if key.text == EXTENSION {
                let names = names(value);
                self.ignores.push(Ignore { within, is_document, span: value.span, names });
            } else if is_data(&key.text) || key.text == "examples" {
            } else if has_names(&key.text) && value.is_object() {
                for (name, member) in value.entries() {
                    self.object(member, Span { start: name.span.start, ..member.span }, false);
                }
            } else {
                self.object(value, place, false);
            }
        }
    }
}

fn names(value: &Node) -> Option<Vec<(String, Span)>> {
    let one = |node: &Node| Some((node.text()?.trim().to_owned(), node.span));
    match &value.value {
        Value::Array(items) => items.iter().map(one).collect(),
        _ => one(value).map(|name| vec![name]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contracts::parse;
    use crate::text::FileId;

    fn told(text: &str) -> Vec<(String, bool, Option<Vec<String>>)> {
        let cut = |span: Span| text[span.start as usize..span.end as usize].to_owned();
        let ignores = ignores(&parse(FileId(0), text));
        let names = |it: &Ignore| it.names.as_ref().map(|all| all.iter().map(|(name, _)| name.clone()).collect());
        let first = |span: Span| cut(span).lines().next().unwrap_or("").trim().to_owned();
        ignores.iter().map(|it| (first(it.within), it.is_document, names(it))).collect()
    }

    #[test]
    fn it_holds_for_the_object_that_has_it() {
        let text = "openapi: 3.1.0\nx-treaty-ignore: CONTRACT-007\npaths:\n  /a:\n    get:\n      x-treaty-ignore: [CONTRACT-001, CONTRACT]\n      responses: {}\ncomponents:\n  schemas:\n    A:\n      properties:\n        b: {type: string, x-treaty-ignore: [A-1]}\n        x-treaty-ignore: {type: string}\n";
        let list = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            told(text),
            [
                ("openapi: 3.1.0".to_owned(), true, list(&["CONTRACT-007"])),
                ("get:".to_owned(), false, list(&["CONTRACT-001", "CONTRACT"])),
                ("b: {type: string, x-treaty-ignore: [A-1]}".to_owned(), false, list(&["A-1"])),
            ]
        );
    }

    #[test]
    fn data_is_no_statement() {
        for text in [
            "openapi: 3.1.0\ncomponents: {schemas: {A: {example: {x-treaty-ignore: [A]}}}}\n",
            "openapi: 3.1.0\ncomponents: {schemas: {A: {default: {x-treaty-ignore: [A]}, enum: [{x-treaty-ignore: [A]}]}}}\n",
            "openapi: 3.1.0\nx-other: {x-treaty-ignore: [A]}\n",
            "openapi: 3.1.0\ncomponents: {schemas: {x-treaty-ignore: {type: string}}}\n",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }

    #[test]
    fn other_values_name_nothing_and_aliases_cost_nothing() {
        assert_eq!(told("a: 1\nx-treaty-ignore: {a: 1}\n"), [("a: 1".to_owned(), true, None)]);
        assert_eq!(told("a: 1\nx-treaty-ignore: [1]\n"), [("a: 1".to_owned(), true, None)]);
        assert_eq!(told("a: &a\n  x-treaty-ignore: [A]\nb: *a\nc: *a\n").len(), 1);
    }
}
