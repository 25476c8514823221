//! Endpoints whose method and path stand on lines of their own, or below headings of their own.

use super::{METHODS, template, without_host};
use crate::architect::document::{Document, Kind, Text};
use crate::architect::words;

/// The method and the path that lines of a section state apart: `Method: GET`, `Route: /orders`.
#[derive(Default)]
pub(super) struct Halves {
    pub(super) section: usize,
    pub(super) methods: Vec<String>,
    pub(super) path: Option<String>,
    /// The path that the heading sets as code: of the section, where no line states another.
    pub(super) titled: Option<String>,
}

/// Labels of lines and headings that state the method of an operation.
pub(super) const METHOD: &[&str] = &["method", "http method"];
/// Labels of lines and headings that state the path of an operation.
pub(super) const PATH: &[&str] = &["route", "path", "url", "endpoint", "uri"];

/// Notes the method or the path that a line states.
pub(super) fn half(line: &str, halves: &mut Halves) {
    let Some((label, said)) = line.split_once(':') else { return };
    let said = said.trim().trim_matches(['`', '*', ' ']);
    // `POST | DELETE (withdraw)`
    let several = said.split_whitespace().map(|it| it.trim_matches(['`', ',', '/', '|'])).filter(|it| !it.is_empty());
    let label = words::split(label).join(" ");
    if METHOD.contains(&label.as_str()) {
        halves.methods = METHODS.iter().filter(|it| said.eq_ignore_ascii_case(it)).map(|it| (*it).to_owned()).collect();
        if halves.methods.is_empty() {
            halves.methods = several
                .take_while(|it| !it.starts_with('('))
                .filter(|it| METHODS.contains(it))
                .map(str::to_owned)
                .collect();
        }
    } else if PATH.contains(&label.as_str())
        && without_host(said).starts_with('/')
        && !said.contains(char::is_whitespace)
    {
        halves.path = Some(template(said));
    }
}

/// Notes what the lines of a text state, a label and what it labels on lines of their own included: `URL`, `/orders`.
pub(super) fn halves_of(text: &str, halves: &mut Halves) {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    lines.iter().for_each(|it| half(it, halves));
    if let [label, said, ..] = lines.as_slice() {
        let name = label.trim_end_matches(':');
        if [METHOD, PATH].iter().any(|it| it.contains(&words::split(name).join(" ").as_str())) {
            half(&format!("{name}: {said}"), halves);
        }
    }
}

/// Whether a line of a block, or of those behind it in its section, states a path: `Path: /orders`.
pub(super) fn states_path(document: &Document, at: usize) -> bool {
    let section = document.blocks[at].section;
    let mut halves = Halves::default();
    for block in document.blocks[at..].iter().take_while(|it| it.section == section) {
        if let Kind::Item(text, _) | Kind::Paragraph(text) = &block.kind {
            text.plain.lines().for_each(|it| half(it, &mut halves));
        }
    }
    halves.path.is_some()
}

/// The path that a heading sets as code, unless the heading has several: ``Orders (`/api/orders`)``.
pub(super) fn path_of_title(title: &Text) -> Option<String> {
    let mut paths = title.codes().filter(|it| it.starts_with('/') && it.len() > 1 && !it.contains([' ', '.', '*']));
    let path = paths.next()?;
    paths.next().is_none().then(|| template(path))
}
