//! Pages, and the templates of components: attributes, styles and the words between tags.

use std::cell::RefCell;

use tree_sitter::{Node, Parser};

use super::{Look, styles};
use crate::model::{AssetUse, Seen, Sight};
use crate::text::{FileId, Span};

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(super::parser(&tree_sitter_html::LANGUAGE.into()));
}

/// What a page or a template of a component shows, in the order of the text. Never fails: what cannot be read is passed over.
pub fn read(file: FileId, text: &str) -> Vec<Sight> {
    super::read(&PARSER, (file, text), visit)
}

/// Byte ranges of comments.
pub fn comments(text: &str) -> Vec<(u32, u32)> {
    super::comments(&PARSER, text)
}

fn visit<'t>(look: &mut Look<'t>, node: Node<'t>) {
    match node.kind() {
        "attribute" => attribute(look, node),
        "text" => look.push(node, Seen::Text),
        "raw_text" if look.up.last().is_some_and(|outer| outer.kind() == "style_element") => {
            embed(look, node.start_byte(), styles::read(look.file, look.of(node)));
        }
        _ => {}
    }
}

/// What was seen in a part of the text, at its place in the whole.
fn embed(look: &mut Look<'_>, start: usize, found: Vec<Sight>) {
    look.found.extend(found.into_iter().map(|Sight { span, what }| {
        let span = Span::new(span.file, span.start as usize + start, span.end as usize + start);
        Sight { span, what }
    }));
}

fn attribute<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let mut walk = node.walk();
    let parts: Vec<Node<'_>> = node.named_children(&mut walk).collect();
    let [name, value] = parts.as_slice() else { return };
    let value = if value.kind() == "quoted_attribute_value" { value.named_child(0) } else { Some(*value) };
    let Some(value) = value else { return };
    let (text, span) = (look.of(value), look.span(value));
    match look.of(*name).to_ascii_lowercase().as_str() {
        "src" | "href" | "poster" => look.asset_at(text, span, AssetUse::Link),
        "class" if !text.trim().is_empty() => look.found.push(Sight { span, what: Seen::Classes }),
        "style" => embed(look, value.start_byte(), styles::read_inline(look.file, text)),
        _ => {}
    }
}
