//! Lists of nothing but what things commonly have, below headings that name the things: `Company name`, `Position`,
//! `Duration` below `Experience`.

use rustc_hash::FxHashMap;

use super::leads::managed;
use super::{passing, thing};
use crate::architect::document::{Document, Kind};
use crate::architect::notes::Notes;
use crate::architect::topics::{self, Topic};
use crate::architect::{fields, words};

/// Of each section, how many sections right below it are nothing but lists of names.
pub(super) struct Alike(FxHashMap<usize, usize>);

/// Neighbours from which on lists of names are taken for several things of one kind.
const SEVERAL: usize = 3;

impl Alike {
    pub(super) fn of(document: &Document) -> Self {
        let mut plain = vec![None; document.sections.len()];
        for (at, block) in document.blocks.iter().enumerate() {
            let own = plain[block.section].get_or_insert(true);
            *own = *own && is_name(document, at);
        }
        let mut below = FxHashMap::default();
        for (section, _) in document.sections.iter().zip(&plain).skip(1).filter(|(_, it)| **it == Some(true)) {
            *below.entry(section.parent).or_default() += 1;
        }
        Alike(below)
    }
}

/// Whether a block is an item of few words that are no sentence.
pub(super) fn is_name(document: &Document, at: usize) -> bool {
    let Kind::Item(text, _) = &document.blocks[at].kind else { return false };
    let plain = text.plain.trim();
    let said: Vec<&str> = plain.split('(').next().unwrap_or(plain).split_whitespace().collect();
    (1..=3).contains(&said.len())
        && said.iter().all(|it| {
            it.chars().all(|c| c.is_alphanumeric() || c == '/')
                && (["used", "due"].contains(&it.to_ascii_lowercase().as_str()) || !words::ends_object(it))
        })
        && words::verb(said[0]).is_none_or(|(base, _)| {
            base != said[0].to_ascii_lowercase() || words::is_common(said[0]) || words::is_noun_too(base)
        })
}

pub(super) fn below(document: &Document, notes: &mut Notes, at: usize, inside: Option<Topic>, alike: &Alike) {
    let block = &document.blocks[at];
    if inside != Some(Topic::Features) || !document.begins_list(at) || document.lead(at).is_some() {
        return;
    }
    let items = document.outer_items(at);
    let Some(words) = managed(topics::without_number(document.title(block.section))) else { return };
    let names = items.len() >= 3 && items.iter().all(|it| is_name(document, *it) && document.children(*it).is_empty());
    let Some(found) = names.then(|| fields::of_items(document, &items, true)).flatten() else { return };
    // Where its neighbours are such lists, too, it is one of several things.
    let parent = document.sections[block.section].parent;
    let several = alike.0.get(&parent).is_some_and(|it| *it >= SEVERAL);
    let common = found.iter().filter(|it| words::is_common(&it.name)).count();
    let no_thing = !several
        && words
            .last()
            .is_none_or(|it| words::is_technical(it) || words::is_no_thing(&words::key(it)) && words.len() == 1);
    let name = thing(notes, &words).or_else(|| several.then(|| words.join(" ")));
    if let Some(name) = name.filter(|_| !no_thing && (common * 2 >= found.len() || several && common > 0)) {
        passing(notes, &name, block.line, found);
    }
}
