//! Stylesheets, CSS and SCSS (one grammar reads both): declarations and the files that they load.

use std::cell::RefCell;

use tree_sitter::{Node, Parser};

use super::Look;
use crate::model::{AssetUse, Seen, Sight};
use crate::text::FileId;

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(super::parser(&tree_sitter_scss::language()));
}

/// What a stylesheet declares and loads, in the order of the text. Never fails: what cannot be read is passed over.
pub fn read(file: FileId, text: &str) -> Vec<Sight> {
    super::read(&PARSER, (file, text), visit)
}

/// What stands in the attribute `style`: declarations without a block.
pub(super) fn read_inline(file: FileId, text: &str) -> Vec<Sight> {
    const BEFORE: &str = "a{";
    let sheet = format!("{BEFORE}{text}}}");
    let mut found = read(file, &sheet);
    for sight in &mut found {
        sight.span.start = sight.span.start.saturating_sub(BEFORE.len() as u32);
        sight.span.end = sight.span.end.saturating_sub(BEFORE.len() as u32).min(text.len() as u32);
    }
    found
}

/// Byte ranges of comments.
pub fn comments(text: &str) -> Vec<(u32, u32)> {
    super::comments(&PARSER, text)
}

fn visit<'t>(look: &mut Look<'t>, node: Node<'t>) {
    match node.kind() {
        "declaration" => declaration(look, node),
        "call_expression" => {
            let mut walk = node.walk();
            let parts: Vec<Node<'_>> = node.named_children(&mut walk).collect();
            let [name, arguments] = parts.as_slice() else { return };
            if look.of(*name).eq_ignore_ascii_case("url") {
                url(look, *arguments);
            }
        }
        _ => {}
    }
}

/// `url(a.png)`, `url("a.png")`: with or without quotes, in brackets.
fn url(look: &mut Look<'_>, arguments: Node<'_>) {
    let text = look.of(arguments);
    let inner = text.trim_start_matches('(').trim_end_matches(')').trim().trim_matches(['"', '\'']);
    let Some(at) = text.find(inner).filter(|_| !inner.is_empty()) else { return };
    let mut span = look.span(arguments);
    span.start += at as u32;
    span.end = span.start + inner.len() as u32;
    // Variables and calls of SCSS.
    if !inner.contains(['$', '#', '+', ' ', ','])
        || inner.contains("#iefix")
        || inner.contains('#') && !inner.contains("#{")
    {
        look.asset_at(inner, span, AssetUse::Style);
    }
}

fn declaration<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let whole = look.of(node);
    let Some((name, rest)) = whole.split_once(':') else { return };
    let value = rest.trim_start();
    let start = node.start_byte() + whole.len() - value.len();
    let value = value.trim_end_matches(|c: char| c == ';' || c == '}' || c.is_whitespace());
    let property = name.trim().to_ascii_lowercase();
    // What a face is called asks for no font.
    let is_face =
        |outer: Node<'_>| look.of(outer).get(..10).is_some_and(|start| start.eq_ignore_ascii_case("@font-face"));
    if property == "font-family" && look.ancestors(node).any(|(outer, _)| is_face(outer)) {
        return;
    }
    if !value.is_empty() && !property.contains(char::is_whitespace) {
        let span = crate::text::Span::new(look.file, start, start + value.len());
        look.found.push(Sight { span, what: Seen::Style { property } });
    }
}
