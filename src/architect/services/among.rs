//! Services of a text that speaks of microservices, however it names them: in its headings, as labels, in a diagram, in a sentence.

use indexmap::IndexMap;

use super::names::among;
use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::Notes;
use crate::architect::topics;

/// Notes services that are named in a looser way than elsewhere, in a text that speaks of microservices and names several.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    if !speaks_of_them(document) {
        return;
    }
    // Names by their keys, each with its line.
    let mut found: IndexMap<String, u32> = IndexMap::new();
    let mut note = |name: Option<String>, line: u32| {
        if let Some(name) = name {
            found.entry(name).or_insert(line);
        }
    };
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if !topics::is_aside(document, at) && !document.is_heading_of_all(at) {
            note(among(&section.title.plain), section.line);
        }
    }
    for block in document.blocks.iter().filter(|it| !topics::is_aside(document, it.section)) {
        match &block.kind {
            Kind::Item(text, _) => {
                note(
                    text.codes().find(|it| ["api-gateway", "gateway"].contains(it)).map(|_| "API Gateway".to_owned()),
                    block.line,
                );
                note(text.label().and_then(|(label, _)| among(label)), block.line);
                note(among(&text.plain), block.line);
                said(text, |name| note(Some(name), block.line));
            }
            Kind::Paragraph(text) => {
                for line in text.plain.lines() {
                    note(among(line.trim_start_matches(['-', '*', '•', ' '])), block.line);
                }
                said(text, |name| note(Some(name), block.line));
            }
            // `subgraph Auth["Auth service"]`, `| Order Service |` in a drawing
            Kind::Code(language, code) if ["", "mermaid", "text", "txt", "plantuml"].contains(&language.as_str()) => {
                for (at, line) in code.lines().enumerate() {
                    let line_number = block.line + u32::try_from(at).unwrap_or(0);
                    for part in line.split(|c: char| !(c.is_alphanumeric() || " &".contains(c))) {
                        let part = part.trim();
                        note(among(part).filter(|_| part.contains(' ')), line_number);
                    }
                }
            }
            Kind::Table(..) | Kind::Code(..) => {}
        }
    }
    // A plural may mean the services of a kind; `**User Services**:` is one where its list names all so.
    let plural = |name: &str| name.ends_with(['s', 'S']);
    let plurals = found.keys().filter(|it| plural(it)).count();
    let singles = found.keys().filter(|it| !plural(it)).filter(|it| !it.ends_with("Gateway")).count();
    let all_plural = plurals >= 2 && singles == 0;
    found.retain(|name, _| all_plural || !plural(name));
    let one = |name: &str| name.strip_suffix("ervices").map_or_else(|| name.to_owned(), |it| format!("{it}ervice"));
    if notes.services.len() + found.keys().filter(|it| !it.ends_with("Gateway")).count() >= 2 {
        for (name, line) in &found {
            notes.service(&one(name), *line);
        }
        notes.services.sort_by_key(|it| it.line);
    }
}

fn speaks_of_them(document: &Document) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        ["microservice", "micro-service", "inter-service", "cross-service", "per-service", "per service"]
            .iter()
            .any(|it| text.contains(it))
    };
    document.sections.iter().any(|it| says(&it.title.plain))
        || document.blocks.iter().any(|it| match &it.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => says(&text.plain),
            _ => false,
        })
}

/// Names within sentences: `both the Student Service and the University Service`.
fn said(text: &Text, mut note: impl FnMut(String)) {
    let words: Vec<&str> = text.plain.split_whitespace().collect();
    let bare = |at: usize| words[at].trim_matches(|c: char| !c.is_alphanumeric());
    for at in 0..words.len() {
        if bare(at) != "Service" {
            continue;
        }
        let named = |it: &usize| {
            words[*it].starts_with(char::is_uppercase) && words[*it].chars().all(char::is_alphanumeric) && it + 4 > at
        };
        let first = (0..at).rev().take_while(named).last();
        // The first word of a sentence may be in capitals without being of the name.
        let sentence = |it: usize| it == 0 || words[it - 1].ends_with(['.', ':', '!', '?']);
        let Some(mut first) = first else { continue };
        if sentence(first)
            && at - first > 1
            && ["The", "Each", "Our", "Both", "A", "An", "If", "When", "Once"].contains(&words[first])
        {
            first += 1;
        }
        let name: Vec<&str> = (first..=at).map(bare).collect();
        if let Some(name) = among(&name.join(" ")) {
            note(name);
        }
    }
}
