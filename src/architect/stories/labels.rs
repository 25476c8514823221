//! Deeds behind a label: what somebody does behind their name, what the buttons of a form do, what a use case is called.

use rustc_hash::FxHashMap;

use crate::architect::clauses::{self, Clauses};
use crate::architect::document::{Document, Kind, Text};
use crate::architect::{topics, words};

/// Labels of what can be done where they stand.
const DEEDS: &[&str] =
    &["actions", "action", "buttons", "button", "what", "possible actions", "user actions", "commands"];

/// Buttons that leave a form as it is.
const LEAVING: &[&str] = &["cancel", "back", "close", "discard", "reset", "clear", "next", "ok", "retake", "exit"];

/// How many blocks of each section begin with somebody, and how many with the deed of a use case.
#[derive(Default)]
struct Labelled {
    somebody: usize,
    deeds: usize,
}

pub(super) struct Labels {
    sections: FxHashMap<usize, Labelled>,
    /// Of each block, whether it is an item of a list whose items say what somebody does.
    steps: Vec<bool>,
}

impl Labels {
    pub(super) fn of(document: &Document) -> Self {
        let mut sections: FxHashMap<usize, Labelled> = FxHashMap::default();
        let mut steps = vec![false; document.blocks.len()];
        for (at, block) in document.blocks.iter().enumerate() {
            let (Kind::Paragraph(text) | Kind::Item(text, _)) = &block.kind else { continue };
            if let Some((label, _)) = labelled(text) {
                let known = sections.entry(block.section).or_default();
                known.somebody += usize::from(clauses::is_actor(label));
                known.deeds += usize::from(is_deed(label));
            }
            if document.begins_list(at) {
                let items = document.outer_items(at);
                let acts = |it: &&usize| matches!(&document.blocks[**it].kind, Kind::Item(text, _) if clauses::acts(&text.plain));
                let acting = items.iter().filter(acts).count();
                if acting >= 2 && acting * 2 >= items.len() {
                    items.iter().for_each(|it| steps[*it] = true);
                }
            }
        }
        Labels { sections, steps }
    }

    /// Reads what a block says is done behind its label, or that somebody does where the block is a step.
    pub(super) fn read(&self, document: &Document, at: usize, text: &Text, found: &mut Clauses) {
        let block = &document.blocks[at];
        if self.steps[at] && found.found.is_empty() {
            clauses::apart(&text.plain.replace('\n', " ")).iter().for_each(|it| found.somebody(it));
        }
        for line in text.plain.lines() {
            let Some((label, rest)) = line.split_once(':') else { continue };
            if DEEDS.contains(&label.trim().to_lowercase().as_str()) {
                let about =
                    document.around(block.section).find_map(|it| topics::thing_named(&document.sections[it].title));
                found.buttons_of(rest, about.as_deref(), LEAVING);
            }
        }
        let Some((label, rest)) = labelled(text) else { return };
        let Some(of_section) = self.sections.get(&block.section) else { return };
        if of_section.deeds >= 2 && is_deed(label) {
            return found.imperative(label, true);
        }
        if of_section.somebody >= 2 && found.found.is_empty() {
            label.clone_into(&mut found.role);
            found.does(&rest.replace('\n', " "), label);
        }
    }
}

/// A label in bold, and what stands behind the point, the colon or the dash after it.
fn labelled(text: &Text) -> Option<(&str, &str)> {
    let (label, rest) = text.label()?;
    let marks = |c: char| [':', '.', '–', '—', '-', ' '].contains(&c);
    let ended = label.trim_end().ends_with(['.', ':']) || rest.trim_start().starts_with([':', '.', '–', '—', '-']);
    let rest = rest.trim_start_matches(|c: char| marks(c) || c.is_whitespace());
    (ended && !rest.is_empty()).then_some((label.trim_matches(marks), rest))
}

/// Whether a label is what a use case is called: `Request a burial`.
fn is_deed(label: &str) -> bool {
    let mut said = label.split_whitespace();
    let first = said.next().unwrap_or("").to_ascii_lowercase();
    let determined = said.next().is_some_and(|it| words::is_determiner(it) && !words::is_quality(it));
    let verb = words::verb(&first).is_some_and(|(base, _)| base == first);
    verb && (determined || !words::is_noun_too(&first)) && (2..=6).contains(&label.split_whitespace().count())
}
