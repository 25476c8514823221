//! Pages that a project is to look like: what stands on them and how they look, written down as requirements for whoever builds
//! pages. Where pages come from is the caller's to know.

mod address;
mod look;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

pub use address::{follow, parts};
pub use look::Look;

use crate::languages::sights::{Outline, outline};

/// A page that was read.
#[derive(Clone, Debug)]
pub struct Page {
    pub address: String,
    pub outline: Outline,
    /// The file that shows the page, beside the document, where there is one.
    pub picture: Option<String>,
}

impl Page {
    pub fn read(address: String, text: &str) -> Page {
        Page { address, outline: outline(text), picture: None }
    }
}

/// Pages of one address that somebody named.
#[derive(Clone, Debug, Default)]
pub struct Site {
    pub address: String,
    pub pages: Vec<Page>,
    /// Stylesheets that the pages load.
    pub sheets: Vec<String>,
    /// What could not be read, and why.
    pub problems: Vec<String>,
}

/// Variables of stylesheets that are told; how many more there are is counted.
const MAX_VARIABLES: usize = 40;
/// Rows of a list that is told of a page; how many more there are is counted.
const MAX_ROWS: usize = 20;

/// `UI_REQUIREMENTS.md`. Where `with_parts` is false, only how the pages look is told, not what stands on them.
pub fn document(project: &str, sites: &[Site], with_parts: bool) -> String {
    let mut out = format!("# Pages of {}\n\n", inline(project));
    out.push_str("Pages are to look like those that were named as their reference: the same colours, type and distances, and parts like these.\n");
    for site in sites {
        let _ = write!(out, "\n## {}\n", inline(&site.address));
        if !site.pages.is_empty() {
            looks(&mut out, site);
        }
        for page in &site.pages {
            told(&mut out, page, with_parts);
        }
        if !site.problems.is_empty() {
            out.push_str("\n### Not read\n\n");
            rows(&mut out, site.problems.iter().map(|it| inline(it)));
        }
    }
    out
}

fn looks(out: &mut String, site: &Site) {
    let styles = site.pages.iter().flat_map(|it| &it.outline.styles).chain(&site.sheets);
    let look = Look::of(styles.map(String::as_str));
    out.push_str("\n### Look\n\n");
    let kinds = [
        ("Colours", &look.colours),
        ("Fonts", &look.fonts),
        ("Sizes of type", &look.sizes),
        ("Distances", &look.spacing),
        ("Corners", &look.corners),
        ("Shadows", &look.shadows),
    ];
    let known = kinds.iter().filter(|it| !it.1.is_empty());
    if known.clone().next().is_none() && look.variables.is_empty() {
        out.push_str("Stylesheets that could be read declare nothing of colours, type or distances.\n");
        return;
    }
    for (kind, values) in known {
        let values: Vec<String> = values.iter().map(|(value, count)| format!("{} ({count})", code(value))).collect();
        let _ = writeln!(out, "- **{kind}**, the most frequent first: {}", values.join(", "));
    }
    if !look.variables.is_empty() {
        out.push_str("\n| Variable | Value |\n|---|---|\n");
        for (name, value) in look.variables.iter().take(MAX_VARIABLES) {
            let _ = writeln!(out, "| {} | {} |", code(name), code(value));
        }
        more(out, look.variables.len(), MAX_VARIABLES);
    }
}

fn told(out: &mut String, page: &Page, with_parts: bool) {
    let it = &page.outline;
    let title = if it.title.is_empty() { "Page without a title" } else { &it.title };
    let _ = write!(out, "\n### {}\n\n{}\n", inline(title), inline(&page.address));
    if let Some(picture) = &page.picture {
        let _ = write!(out, "\n![{}]({picture})\n", inline(title));
    }
    if !with_parts {
        return;
    }
    out.push('\n');
    for (name, value) in it.meta.iter().filter(|it| matches!(it.0.as_str(), "description" | "theme-color" | "viewport"))
    {
        let _ = writeln!(out, "- {name}: {}", inline(value));
    }
    if !it.language.is_empty() {
        let _ = writeln!(out, "- language: {}", inline(&it.language));
    }
    let list = |out: &mut String, name: &str, values: Vec<String>| {
        if !values.is_empty() {
            let left = values.len().saturating_sub(MAX_ROWS);
            let left = if left > 0 { format!(", and {left} more") } else { String::new() };
            let shown: Vec<&str> = values.iter().take(MAX_ROWS).map(String::as_str).collect();
            let _ = writeln!(out, "- {name}: {}{left}", shown.join(", "));
        }
    };
    list(out, "regions", it.regions.clone());
    let mut links: Vec<String> = it.links.iter().map(|it| inline(&it.1)).filter(|it| !it.is_empty()).collect();
    links.dedup();
    list(out, "links", links);
    list(out, "buttons", it.buttons.iter().map(|it| inline(it)).collect());
    for table in &it.tables {
        list(out, "table with the columns", table.iter().map(|it| inline(it)).collect());
    }
    for form in &it.forms {
        let fields = form.fields.iter().map(|(name, kind)| format!("{} ({})", inline(name), inline(kind)));
        list(out, "form with", fields.collect());
        list(out, "which ends with", form.buttons.iter().map(|it| inline(it)).collect());
    }
    if !it.headings.is_empty() {
        out.push_str("\nHeadings:\n\n");
        for (level, text) in it.headings.iter().take(MAX_ROWS) {
            let _ = writeln!(out, "{}- {}", "  ".repeat(usize::from(level.saturating_sub(1))), inline(text));
        }
        more(out, it.headings.len(), MAX_ROWS);
    }
}

fn rows(out: &mut String, rows: impl Iterator<Item = String>) {
    rows.for_each(|it| {
        let _ = writeln!(out, "- {it}");
    });
}

fn more(out: &mut String, all: usize, most: usize) {
    if all > most {
        let _ = writeln!(out, "\n{} more are left out.", all - most);
    }
}

/// Text of a page inside of a line of Markdown: one line, and nothing in it is markup.
fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A value as code in a line or a cell.
fn code(value: &str) -> String {
    let value: String =
        value.chars().filter(|it| !it.is_control()).map(|it| if it == '`' { '\'' } else { it }).collect();
    format!("`{}`", value.replace('|', "\\|"))
}
