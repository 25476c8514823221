//! The judge: which nouns of a text are things, which are members of which thing, which deeds are operations, and which things hang
//! together.
//!
//! Readings of tables, lists and sentences note what has a form of its own. Everything else that a text says of a noun, of a
//! list beside a thing, or of a verb and its object is counted here, and trees say how likely each is
//! meant. Notes of readings are judged with the rest; what has a type or an endpoint stays.

mod around;
mod deeds;
mod fields;
mod leads;
mod lexicon;
mod lists;
mod members;
mod mentions;
mod named;
mod owners;
mod pairs;
mod relations;
mod tags;
mod things;
mod trees;
mod units;

use serde_json::Value;

use super::document::Document;
use super::notes::Notes;
pub(super) use deeds::{is_meant, of_deed, of_features};
pub(super) use leads::had;
pub(super) use trees::Feature;

/// Texts with fewer words say everything once: counts tell little there, and what readings have noted needs less to stand.
pub(super) const SHORT: usize = 150;

/// What was judged and by which features, kept for whoever learns the trees.
#[derive(Clone, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "whoever learns from traces reads them"))]
pub(super) struct Traced {
    /// `thing`, `member`, `deed` or `relation`
    pub(super) model: &'static str,
    pub(super) about: Value,
    pub(super) chance: f32,
    pub(super) features: Vec<Feature>,
}

/// Judges the nouns of a document, members and deeds: notes what nothing else has noted, and drops notes that are unlikely.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    // Of asides and blocks of code members alone are read.
    let (units, texts) = units::of(document);
    let all = mentions::of(&units[..texts]);
    let around = around::Around::of(document, &units);
    things::judge(notes, &all, &around);
    let said = named::said_things(&units, notes);
    let headings = owners::Headings::of(document, &units[..texts], &said[..texts]);
    fields::judge(notes, &units, &said, &headings, &all, &around);
    deeds::note(notes, all.said, pairs::of(&units[..texts], &said[..texts], &headings));
    super::relations::read(document, notes);
    relations::judge(notes, &units[..texts], &said[..texts], &headings);
}
