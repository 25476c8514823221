//! The judge: which nouns of a text are things, which are members of which thing, which deeds are operations, and which things hang
//! together.
//!
//! Readings of tables, lists and sentences note what has a form of its own. Everything else that a text says of a noun, of a
//! list beside a thing, or of a verb and its object is counted here, and trees say how likely each is
//! meant. Notes of readings are judged with the rest; what has a type or an endpoint stays.

mod around;
mod deeds;
mod fields;
mod frames;
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
mod thoughts;
mod trees;
mod units;

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::document::Document;
use super::events;
use super::notes::Notes;
pub(super) use deeds::{is_meant, of_deed, of_features};
pub(super) use leads::had;
pub(super) use lexicon::is_member_name;
use thoughts::Thoughts;
pub(super) use trees::Feature;

/// Texts with fewer words say everything once: counts tell little there, and what readings have noted needs less to stand.
pub(super) const SHORT: usize = 150;

/// From how many on the things that a text declares are most of what the text is about.
const SEVERAL: usize = 3;

/// What was judged and by which features, kept for whoever learns the trees.
#[derive(Clone, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "whoever learns from traces reads them"))]
pub(super) struct Traced {
    /// `thing`, `member`, `deed` or `relation`, behind `first` in the first reading
    pub(super) model: &'static str,
    pub(super) about: Value,
    pub(super) chance: f32,
    pub(super) features: Vec<Feature>,
}

/// Judges the nouns of a document, members and deeds: notes what nothing else has noted, and drops notes that are unlikely.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    notes.lists_events = events::are_listed(document);
    // Of asides and blocks of code members alone are read.
    let (mut units, texts) = units::of(document);
    units::name(&mut units, document, notes);
    let all = mentions::of(&units[..texts], &declaring(notes), &stating(notes));
    let around = around::Around::of(document, &units, notes);
    let frames = frames::of(&units);
    let text = fields::Text { units: &units, all: &all, around: &around, frames: &frames };
    let mut framed = frames::things(&frames[..texts]);
    framed.extend(frames::changed(&units[..texts]));
    let thoughts = first(document, notes, text, &framed, texts);
    things::judge(notes, &all, &around, &framed, Some(&thoughts));
    let said = named::said_things(&units, notes);
    let headings = owners::Headings::of(document, &units[..texts], &said[..texts]);
    let members = fields::weigh(notes, text, &said, &headings, Some(&thoughts));
    fields::note(notes, members);
    deeds::note(notes, &all.said, pairs::of(&units[..texts], &said[..texts], &headings));
    super::relations::read(document, notes);
    relations::judge(notes, &units[..texts], &said[..texts], &headings);
}

/// The lines that declare a thing, of a text that declares several.
fn declaring(notes: &Notes) -> FxHashSet<u32> {
    let lines: FxHashSet<u32> = notes.entities.iter().filter(|it| !it.in_passing).map(|it| it.line).collect();
    if lines.len() < SEVERAL { FxHashSet::default() } else { lines }
}

/// The lines that state a field and nothing else.
fn stating(notes: &Notes) -> FxHashSet<u32> {
    let things: FxHashSet<u32> = notes.entities.iter().map(|it| it.line).collect();
    let fields = notes.entities.iter().filter(|it| !it.in_passing).flat_map(|it| &it.fields).filter(|it| it.stated);
    fields.map(|it| it.line).filter(|it| !things.contains(it)).collect()
}

/// What a first reading takes things, members and deeds for. Nothing is noted but the traces.
fn first(
    document: &Document,
    notes: &mut Notes,
    text: fields::Text,
    framed: &FxHashSet<String>,
    texts: usize,
) -> Thoughts {
    let mut first = notes.clone();
    things::judge(&mut first, text.all, text.around, framed, None);
    let said = named::said_things(text.units, &first);
    let units = &text.units[..texts];
    let headings = owners::Headings::of(document, units, &said[..texts]);
    let members = fields::weigh(&mut first, text, &said, &headings, None).thoughts();
    deeds::note(&mut first, &text.all.said, pairs::of(units, &said[..texts], &headings));
    let deeds = deeds::weigh(&mut first);
    notes.traced = first.traced;
    let names = text.all.nouns.iter().map(|(key, it)| (key, it.name.as_slice()));
    Thoughts::of(names.filter(|(key, _)| first.chances.contains_key(*key)), &first.chances, members, &deeds)
}
