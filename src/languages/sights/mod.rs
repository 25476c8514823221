//! What the rules about deployment, assets and design look at in a file ([`Sight`]), seen in the syntax tree of the one
//! parse: code, templates of components, pages and stylesheets.

mod clients;
mod csharp;
mod markup;
mod outline;
mod python;
mod styles;
mod typescript;

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::{Node, Parser};

use super::Language;
use crate::model::{AssetUse, Seen, Sight};
use crate::text::{FileId, Span};

pub use markup::{comments as markup_comments, read as read_markup};
pub use outline::{Form, Outline, outline};
pub use styles::{comments as style_comments, read as read_styles};

/// Levels that are climbed from a place to what is done with it; beyond them, nothing is known of that.
const MAX_CLIMB: usize = 12;

/// What is seen in the code below a node.
pub(super) fn code(language: Language, file: FileId, text: &str, root: Node<'_>) -> Vec<Sight> {
    let visit: Visit = match language {
        Language::Python => python::visit,
        Language::CSharp => csharp::visit,
        Language::TypeScript | Language::Tsx | Language::JavaScript | Language::Component => typescript::visit,
    };
    let mut look = Look::new(file, text);
    look.walk(root, visit);
    look.finish()
}

type Visit = for<'t> fn(&mut Look<'t>, Node<'t>);

/// Every named node below one, itself included, in the order of the source.
fn each<'t>(root: Node<'t>, visit: &mut dyn FnMut(Node<'t>)) {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.is_named() {
            visit(node);
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

/// The state of looking at one file.
struct Look<'t> {
    file: FileId,
    text: &'t str,
    /// The nodes around the one that is visited, outermost first: a tree would have to be searched for them.
    up: Vec<Node<'t>>,
    found: Vec<Sight>,
    /// Names that the file asks for being there or not.
    tested: BTreeSet<String>,
    /// Variables that are read into a name: they are optional where the name is tested.
    kept: Vec<(usize, String)>,
    /// Numbers that constants of the file stand for.
    numbers: BTreeMap<String, u16>,
    /// Ports that are given by name.
    named_ports: Vec<(Span, String)>,
    /// Packages that are imported.
    imports: BTreeSet<String>,
    /// Where the last list of classes that was read ends.
    classed: usize,
    /// Hosts that options of a client name, if the file imports what the client is of.
    hosts: Vec<NamedHost>,
}

/// A host that an option of a client names.
struct NamedHost {
    span: Span,
    host: String,
    /// What is to be found there.
    to: &'static str,
    /// It counts if the file imports one of these.
    packages: &'static [&'static str],
}

/// A parser that a thread keeps: making one costs more than reading a small file with it.
type Parsing = std::thread::LocalKey<std::cell::RefCell<Parser>>;

fn parser(grammar: &tree_sitter::Language) -> Parser {
    let mut parser = Parser::new();
    parser.set_language(grammar).expect("the grammar was generated for this version of the parser");
    parser
}

fn read(parser: &'static Parsing, (file, text): (FileId, &str), visit: Visit) -> Vec<Sight> {
    let Some(tree) = parser.with_borrow_mut(|parser| parser.parse(text, None)) else { return Vec::new() };
    let mut look = Look::new(file, text);
    look.walk(tree.root_node(), visit);
    look.finish()
}

/// Byte ranges of comments, whatever the grammar calls them.
fn comments(parser: &'static Parsing, text: &str) -> Vec<(u32, u32)> {
    let Some(tree) = parser.with_borrow_mut(|parser| parser.parse(text, None)) else { return Vec::new() };
    super::words::words(tree.root_node()).comments
}

impl<'t> Look<'t> {
    fn new(file: FileId, text: &'t str) -> Self {
        Look {
            file,
            text,
            up: Vec::new(),
            found: Vec::new(),
            tested: BTreeSet::new(),
            kept: Vec::new(),
            numbers: BTreeMap::new(),
            named_ports: Vec::new(),
            imports: BTreeSet::new(),
            classed: 0,
            hosts: Vec::new(),
        }
    }

    /// Visits every named node below one, itself included, in the order of the source.
    fn walk(&mut self, root: Node<'t>, visit: Visit) {
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            if node.is_named() {
                visit(self, node);
            }
            if cursor.goto_first_child() {
                self.up.push(node);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.up.pop();
            }
        }
    }

    /// The nodes around one that is visited or around what is visited, each with the one inside of it, innermost first.
    fn ancestors(&self, node: Node<'t>) -> impl Iterator<Item = (Node<'t>, Node<'t>)> + use<'_, 't> {
        // Only what lies in `up` within the node's range may be the node.
        let (start, end) = (node.start_byte(), node.end_byte());
        let near = self.up.iter().enumerate().rev();
        let mut near = near.take_while(|(_, outer)| outer.start_byte() >= start && outer.end_byte() <= end);
        let end = near.find(|(_, outer)| outer.id() == node.id()).map_or(self.up.len(), |(at, _)| at);
        let inner = self.up[..end].iter().rev().copied();
        self.up[..end].iter().rev().copied().zip(std::iter::once(node).chain(inner))
    }

    /// The nearest node around a node whose kind is none of `past`, and that node's child on the way.
    fn around(&self, node: Node<'t>, past: &[&str]) -> Option<(Node<'t>, Node<'t>)> {
        self.ancestors(node).take(MAX_CLIMB).find(|(outer, _)| !past.contains(&outer.kind()))
    }

    fn of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    fn span(&self, node: Node<'_>) -> Span {
        Span::new(self.file, node.start_byte(), node.end_byte())
    }

    fn push(&mut self, node: Node<'_>, what: Seen) {
        let span = self.span(node);
        self.found.push(Sight { span, what });
    }

    fn field(&self, node: Node<'_>, name: &str) -> &'t str {
        node.child_by_field_name(name).map_or("", |child| self.of(child))
    }

    /// A variable that is read at a node, and the name that it is read into.
    fn variable(&mut self, node: Node<'_>, name: &str, optional: bool, kept: Option<&str>) {
        if !is_variable(name) {
            return;
        }
        if let Some(kept) = kept {
            self.kept.push((self.found.len(), kept.to_owned()));
        }
        self.push(node, Seen::Variable { name: name.to_owned(), optional });
    }

    fn port(&mut self, node: Node<'_>, guarded: bool) {
        let text = self.of(node);
        if let Some(port) = port(text) {
            self.push(node, Seen::Port { port, guarded });
        } else if node.kind() == "identifier" && !guarded {
            let span = self.span(node);
            self.named_ports.push((span, text.to_owned()));
        }
    }

    fn origin(&mut self, node: Node<'_>) {
        if let Some((origin, _)) = self.literal(node)
            && origin.starts_with("http://")
        {
            self.push(node, Seen::Origin(origin.to_owned()));
        }
    }

    fn asset(&mut self, node: Node<'_>, how: AssetUse) {
        if let Some((path, span)) = self.literal(node) {
            self.asset_at(path, span, how);
        }
    }

    fn asset_at(&mut self, path: &str, span: Span, how: AssetUse) {
        if is_asset(path) {
            self.found.push(Sight { span, what: Seen::Asset { path: path.trim().to_owned(), how } });
        }
    }

    /// The characters between the quotes of a string that holds no expression, with their place.
    fn literal(&self, node: Node<'_>) -> Option<(&'t str, Span)> {
        let is_string = matches!(
            node.kind(),
            "string" | "template_string" | "string_literal" | "verbatim_string_literal" | "raw_string_literal"
        );
        let (inner, start) = quoted(self.of(node)).filter(|_| is_string)?;
        let mut walk = node.walk();
        let holds = node
            .named_children(&mut walk)
            .any(|child| matches!(child.kind(), "interpolation" | "template_substitution"));
        let start = node.start_byte() + start;
        (!holds).then(|| (inner, Span::new(self.file, start, start + inner.len())))
    }

    fn finish(self) -> Vec<Sight> {
        let Look { mut found, tested, kept, numbers, named_ports, imports, hosts, .. } = self;
        for (at, name) in kept {
            if tested.contains(&name)
                && let Seen::Variable { optional, .. } = &mut found[at].what
            {
                *optional = true;
            }
        }
        for (span, name) in named_ports {
            if let Some(port) = numbers.get(&name) {
                found.push(Sight { span, what: Seen::Port { port: *port, guarded: false } });
            }
        }
        for NamedHost { span, host, to, packages } in hosts {
            if packages.iter().any(|package| imports.contains(*package)) {
                found.push(Sight { span, what: Seen::Host { host, to: to.to_owned() } });
            }
        }
        found.sort_by_key(|sight| (sight.span.start, sight.span.end));
        found.dedup();
        found
    }
}

/// What stands between the quotes of a literal, and where that begins.
fn quoted(text: &str) -> Option<(&str, usize)> {
    let start = text.find(['"', '\'', '`'])?;
    let rest = &text[start..];
    let quote = rest.chars().next()?;
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let width = if rest.len() >= 6 && rest.starts_with(&triple) { 3 } else { 1 };
    let inner = rest.get(width..rest.len().checked_sub(width)?)?;
    (rest.ends_with(quote) && rest.len() >= 2 * width).then_some((inner, start + width))
}

/// Letters, digits and underscores, as shells name variables (POSIX, 8.1).
fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn port(text: &str) -> Option<u16> {
    text.parse().ok().filter(|port| *port > 0)
}

/// Endings of files that pages show, play or load.
const ASSETS: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "bmp", "woff", "woff2", "ttf", "otf", "eot", "mp3",
    "mp4", "webm", "ogg", "wav", "mov", "pdf",
];

/// Whether a reference names a file of the project by its own path: no other site, no data, no gap to be filled, no alias.
fn is_asset(path: &str) -> bool {
    let path = path.trim();
    let plain = path.split(['?', '#']).next().unwrap_or("");
    let ending = plain.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    ending
        .is_some_and(|(stem, ending)| !stem.is_empty() && ASSETS.iter().any(|known| known.eq_ignore_ascii_case(ending)))
        && !path.starts_with("//")
        && !path.starts_with(['@', '~', '#', '$'])
        && !plain.contains([':', '{', '}', '<', '>', '$', '`', '\\', '*', '|', '(', ')', '+', '"', '\'', '%'])
}

fn is_field(outer: Node<'_>, name: &str, inner: Node<'_>) -> bool {
    outer.child_by_field_name(name).is_some_and(|child| child.id() == inner.id())
}

#[cfg(test)]
mod tests;
