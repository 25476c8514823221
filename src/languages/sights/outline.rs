//! What stands on a page, for somebody who is to build one like it: headings, ways to other pages, forms, tables, stylesheets.

use std::cell::RefCell;

use tree_sitter::{Node, Parser};

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(super::parser(&tree_sitter_html::LANGUAGE.into()));
}

/// A page in short. Texts are those of the page, with white space folded and references to characters as they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub title: String,
    pub language: String,
    /// Contents of `<meta>` by name: `description`, `viewport`, `theme-color` …
    pub meta: Vec<(String, String)>,
    /// Level, from 1 to 6, and text.
    pub headings: Vec<(u8, String)>,
    /// Addresses and texts of links.
    pub links: Vec<(String, String)>,
    /// Texts of buttons.
    pub buttons: Vec<String>,
    pub forms: Vec<Form>,
    /// Columns of each table that names them.
    pub tables: Vec<Vec<String>>,
    /// Elements that part a page: `header`, `nav`, `main` …, each once, in their order.
    pub regions: Vec<String>,
    /// Addresses of stylesheets.
    pub stylesheets: Vec<String>,
    /// Styles in the page itself: whole sheets, and declarations of attributes as a sheet.
    pub styles: Vec<String>,
}

/// A form by what people fill in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Name and type of each field.
    pub fields: Vec<(String, String)>,
    /// Texts of its buttons.
    pub buttons: Vec<String>,
}

/// Elements that part a page.
const REGIONS: [&str; 7] = ["header", "nav", "main", "aside", "section", "article", "footer"];
/// Of a text on a page; what is longer is cut and ends in `…`.
const MAX_TEXT: usize = 200;

/// Reads a page. Never fails: what cannot be read is passed over.
pub fn outline(text: &str) -> Outline {
    let Some(tree) = PARSER.with_borrow_mut(|parser| parser.parse(text, None)) else { return Outline::default() };
    let mut out = Outline::default();
    // Ends of the forms and tables that are open, innermost last.
    let (mut forms, mut tables): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    super::each(tree.root_node(), &mut |node| {
        if node.kind() == "style_element" {
            let sheet = children(node).into_iter().find(|it| it.kind() == "raw_text");
            out.styles.extend(sheet.map(|it| text[it.byte_range()].to_owned()));
        }
        if node.kind() != "element" {
            return;
        }
        forms.retain(|end| *end > node.start_byte());
        tables.retain(|end| *end > node.start_byte());
        let Some(tag) = children(node).into_iter().find(|it| matches!(it.kind(), "start_tag" | "self_closing_tag"))
        else {
            return;
        };
        let Some(tag) = Tag::of(tag, text) else { return };
        if let Some(style) = tag.get("style") {
            out.styles.push(format!("a{{{style}}}"));
        }
        let said = || words(node, text);
        match tag.name.as_str() {
            "html" => out.language = tag.get("lang").unwrap_or_default().to_owned(),
            "title" if out.title.is_empty() => out.title = said(),
            "meta" => {
                let name = tag.get("name").or(tag.get("property"));
                out.meta.extend(name.zip(tag.get("content")).map(|(name, value)| (name.to_lowercase(), cut(value))));
            }
            "link" => {
                let is_sheet = tag.get("rel").is_some_and(|it| it.split_whitespace().any(|it| it == "stylesheet"));
                out.stylesheets.extend(tag.get("href").filter(|_| is_sheet).map(str::to_owned));
            }
            "a" => out.links.extend(tag.get("href").map(|to| (to.to_owned(), said()))),
            "form" => {
                forms.push(node.end_byte());
                out.forms.push(Form::default());
            }
            "table" => {
                tables.push(node.end_byte());
                out.tables.push(Vec::new());
            }
            "th" if !tables.is_empty() => {
                let said = said();
                if let Some(columns) = out.tables.last_mut().filter(|_| !said.is_empty()) {
                    columns.push(said);
                }
            }
            "input" | "select" | "textarea" | "button" => {
                let kind =
                    tag.get("type").unwrap_or(if tag.name == "input" { "text" } else { &tag.name }).to_lowercase();
                let form = out.forms.last_mut().filter(|_| !forms.is_empty());
                if tag.name == "button" || matches!(kind.as_str(), "submit" | "button" | "reset") {
                    let label = Some(said()).filter(|it| !it.is_empty()).or(tag.get("value").map(cut));
                    let buttons = form.map_or(&mut out.buttons, |it| &mut it.buttons);
                    buttons.extend(label.filter(|it| !buttons.contains(it)).into_iter().collect::<Vec<_>>());
                } else if kind != "hidden"
                    && let Some(form) = form
                {
                    let name = ["name", "id", "aria-label", "placeholder"].iter().find_map(|it| tag.get(it));
                    form.fields.push((cut(name.unwrap_or("without a name")), cut(&kind)));
                }
            }
            name => {
                if let Some(level) = name.strip_prefix('h').and_then(|it| it.parse::<u8>().ok()).filter(|it| *it <= 6) {
                    out.headings.push((level, said()));
                } else if REGIONS.contains(&name) && !out.regions.iter().any(|it| it == name) {
                    out.regions.push(name.to_owned());
                }
            }
        }
    });
    out.tables.retain(|it| !it.is_empty());
    out.headings.retain(|it| !it.1.is_empty());
    out
}

struct Tag<'t> {
    name: String,
    attributes: Vec<(String, &'t str)>,
}

impl<'t> Tag<'t> {
    fn of(node: Node<'_>, text: &'t str) -> Option<Tag<'t>> {
        let parts = children(node);
        let name = parts.iter().find(|it| it.kind() == "tag_name")?;
        let attributes = parts.iter().filter(|it| it.kind() == "attribute").filter_map(|it| {
            let parts = children(*it);
            let name = text[parts.first()?.byte_range()].to_ascii_lowercase();
            let value = parts.get(1).map_or("", |it| text[it.byte_range()].trim_matches(['"', '\'']));
            Some((name, value))
        });
        Some(Tag { name: text[name.byte_range()].to_ascii_lowercase(), attributes: attributes.collect() })
    }

    fn get(&self, name: &str) -> Option<&'t str> {
        self.attributes.iter().find(|it| it.0 == name).map(|it| it.1.trim()).filter(|it| !it.is_empty())
    }
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.named_children(&mut node.walk()).collect()
}

/// The words below an element.
fn words(node: Node<'_>, text: &str) -> String {
    let mut said = String::new();
    super::each(node, &mut |it| {
        if it.kind() == "text" && said.len() <= MAX_TEXT {
            said.push(' ');
            said.push_str(&text[it.byte_range()]);
        }
    });
    cut(&said)
}

fn cut(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.len() <= MAX_TEXT { text } else { format!("{}…", &text[..text.floor_char_boundary(MAX_TEXT)]) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_is_told_by_its_parts() {
        let page = r##"<!doctype html><html lang="en"><head><title> The
            shop </title><meta name="Theme-Color" content="#0a0"><link rel="stylesheet" href="/a.css"><style>b{color:red}</style></head>
            <body><header><h1>Shop <b>of</b> all</h1><nav><a href="/cart">Cart</a></nav></header>
            <main style="margin: 4px"><form><input name="mail" type="Email" required><input type=hidden name=t><textarea id="note"></textarea>
            <button>Send</button><input type="submit" value="Later"></form><button>Menu</button>
            <table><tr><th>Name</th><th>Price</th></tr><tr><td>a</td><td>1</td></tr></table></main></body></html>"##;
        let out = outline(page);
        assert_eq!((out.title.as_str(), out.language.as_str()), ("The shop", "en"));
        assert_eq!(out.meta, [("theme-color".to_owned(), "#0a0".to_owned())]);
        assert_eq!(out.headings, [(1, "Shop of all".to_owned())]);
        assert_eq!(out.links, [("/cart".to_owned(), "Cart".to_owned())]);
        let fields = [("mail", "email"), ("note", "textarea")].map(|it| (it.0.to_owned(), it.1.to_owned()));
        assert_eq!(out.forms, [Form { fields: fields.to_vec(), buttons: vec!["Send".to_owned(), "Later".to_owned()] }]);
        assert_eq!(out.buttons, ["Menu"]);
        assert_eq!(out.tables, [["Name", "Price"]]);
        assert_eq!(out.regions, ["header", "nav", "main"]);
        assert_eq!(out.stylesheets, ["/a.css"]);
        assert_eq!(out.styles, ["b{color:red}", "a{margin: 4px}"]);
    }

    proptest! {
        #[test]
        fn any_page_has_an_outline(text in "(<(h1|form|table|th|input|button|style|a href=b|/form|/table|é)( a=\"[^\"]{0,4})?>?|[a-zé<>\"]{0,6}){0,40}") {
            let _ = outline(&text);
        }
    }
}
