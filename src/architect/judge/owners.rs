//! Of which thing a list tells: the one before, the one that its heading names, the one that leads to the list.

use super::lists::List;
use super::members::{HAVING, said};
use super::named::Thing;
use super::tags::{Kind, Word};
use super::units::{Form, Unit};
use crate::architect::document::Document;
use crate::architect::resources::ENVELOPE;
use crate::architect::words;

/// What headings name.
pub(super) struct Headings<'d> {
    document: &'d Document,
    /// The name of the thing and its words, by section.
    named: Vec<Option<(String, Vec<String>)>>,
    /// The last thing that a heading names where the heading names several: `Profile (freelancer)`.
    last: Vec<Option<String>>,
    /// The thing that the story of a section is about: `I want to report a shelter`.
    stories: Vec<Option<String>>,
}

impl<'d> Headings<'d> {
    pub(super) fn of(document: &'d Document, units: &[Unit], things: &[Vec<Thing>]) -> Self {
        let mut named = vec![None; document.sections.len()];
        let mut last: Vec<Option<String>> = vec![None; document.sections.len()];
        for (unit, things) in units.iter().zip(things).filter(|(it, _)| it.form == Form::Heading) {
            let words = |it: &Thing| unit.words[it.from..it.end].iter().map(|it| it.text.clone()).collect();
            named[unit.section] = things.first().map(|it| (it.name.clone(), words(it)));
            last[unit.section] = things.last().filter(|_| things.len() > 1).map(|it| it.name.clone());
        }
        let mut stories: Vec<Option<String>> = vec![None; document.sections.len()];
        for (unit, things) in units.iter().zip(things) {
            let wants = |it: &[Word]| ["want", "wants", "like"].contains(&it[0].lower.as_str()) && it[1].lower == "to";
            let wanted = unit.words.windows(2).position(wants).filter(|_| stories[unit.section].is_none());
            let Some(at) = wanted else { continue };
            stories[unit.section] = things.iter().find(|it| it.from > at).map(|it| it.name.clone());
        }
        Self { document, named, last, stories }
    }

    /// The thing that the story of a section, or of the one around it, is about.
    fn story(&self, section: usize) -> Option<&str> {
        let parent = self.document.sections[section].parent;
        [section, parent].into_iter().find_map(|it| self.stories[it].as_deref())
    }

    /// The thing that the heading of a section or one around it names, its words, and how many headings lie between.
    pub(super) fn of_section(&self, mut section: usize) -> Option<(&str, &[String], usize)> {
        for up in 0..4 {
            if let Some(Some((name, words))) = self.named.get(section) {
                return Some((name, words, up));
            }
            let parent = self.document.sections[section].parent;
            if parent == section {
                break;
            }
            section = parent;
        }
        None
    }
}

/// The things that may have what a list names, each with how the thing stands to the list; one may stand in several ways.
pub(super) fn owners<'t>(
    units: &[Unit],
    things: &'t [Vec<Thing>],
    headings: &'t Headings,
    at: usize,
    list: &List,
) -> Vec<(&'t str, &'static str)> {
    let unit = &units[at];
    let words = &unit.words;
    let mut found: Vec<(&str, &'static str)> = Vec::new();
    // `member_id → members, due_date`: the key of another thing has no members here.
    let referred =
        |it: &&Thing| words[..it.from].last().is_some_and(|it| ["→", "->", "references"].contains(&it.lower.as_str()));
    let own: Vec<&Thing> = things[at].iter().filter(|it| !referred(it)).collect();
    if let Some(thing) = own.iter().rev().find(|it| it.end <= list.from) {
        let name = thing.name.as_str();
        found.push((name, "before"));
        if list.from - thing.end <= 2 {
            found.push((name, "just before"));
        }
        if words[thing.end..list.from].iter().any(|it| it.text == ":") {
            found.push((name, "label"));
        }
        if words.get(thing.end).is_some_and(|it| ["'s", "’s"].contains(&it.lower.as_str())) {
            found.push((name, "genitive"));
        }
    }
    if let Some(first) = own.first().filter(|it| it.end <= list.from) {
        found.push((&first.name, "first"));
        if words.get(first.end).is_some_and(|it| it.kind == Kind::Auxiliary) {
            found.push((&first.name, "subject"));
        }
    }
    if let Some(thing) = own.iter().find(|it| it.from >= list.end) {
        let near = thing.from <= list.end + 3;
        found.push((
            &thing.name,
            match words.get(list.end).map(|it| it.lower.as_str()) {
                Some("of") if near => "of",
                Some("for" | "about" | "per" | "in" | "on" | "to") if near => "for",
                _ => "after",
            },
        ));
    }
    let mut lead = unit.lead;
    let mut step = 0;
    while let Some(above) = lead.filter(|_| step < STEPS) {
        if let Some(thing) = things[above].last() {
            let name = thing.name.as_str();
            found.push((name, if step == 0 { "lead" } else { "lead above" }));
            if step == 0 && things[above].len() == 1 {
                found.push((name, "only of lead"));
            }
            if step == 0 && said(&units[above], HAVING) {
                found.push((name, "lead has"));
            }
            found.extend(made(&units[above], &things[above]).map(|it| (it, "lead makes")));
            break;
        }
        lead = units[above].lead;
        step += 1;
    }
    found.extend(made(unit, &things[at]).map(|it| (it, "makes")));
    found.extend(label(units, things, at).map(|it| (it, "item label")));
    found.extend(headings.story(unit.section).filter(|_| unit.form == Form::Item).map(|it| (it, "story")));
    if let Some((name, _, up)) = headings.of_section(unit.section).filter(|_| !is_within(units, things, at)) {
        found.push((name, if up == 0 { "heading" } else { "heading above" }));
    }
    found.extend(headings.last[unit.section].as_deref().map(|it| (it, "heading last")));
    // What the sentence before was about.
    if let Some(last) =
        at.checked_sub(1).filter(|it| units[*it].section == unit.section && units[*it].form == unit.form)
        && unit.form == Form::Paragraph
        && let Some(thing) = things[last].first()
    {
        found.push((&thing.name, "sentence before"));
    }
    if found.is_empty() {
        let same = |it: &usize| units[*it].section == unit.section && units[*it].form == unit.form;
        let last = (at.saturating_sub(FAR)..at).rev().take_while(same).find_map(|it| things[it].last());
        found.extend(last.map(|it| (it.name.as_str(), "far above")));
    }
    found
}

/// How many sentences further up a list may belong to a thing where nothing nearer names one.
const FAR: usize = 12;

/// How a sentence says that its speaker has what a list names: `update my phone number`, `sign up with an email and a password`.
pub(super) fn own(words: &[Word], list: &List) -> Option<&'static str> {
    const SIGNS: &[&str] = &[
        "signup",
        "sign-up",
        "signs",
        "sign",
        "login",
        "log",
        "register",
        "registers",
        "registration",
        "account",
        "authenticate",
        "authentication",
        "profile",
        "credentials",
    ];
    let before = &words[..list.from];
    let mine = |it: &&Word| ["my", "your", "their", "his"].contains(&it.lower.as_str());
    if before.iter().rev().take(3).any(|it| mine(&it)) {
        return Some("own");
    }
    words.iter().any(|it| SIGNS.contains(&it.lower.as_str())).then_some("of who signs in")
}

/// The things that other cells of a row name: the first one, and the one of its path: `POST | /orders | {total, note}`.
pub(super) fn in_row<'t>(units: &[Unit], things: &'t [Vec<Thing>], at: usize) -> Vec<(&'t str, &'static str)> {
    // What stands further back in a row is of something else.
    const CELLS: usize = 24;
    if units[at].cell.is_none() {
        return Vec::new();
    }
    let row = (0..at).rev().take(CELLS).take_while(|it| units[*it].line == units[at].line && units[*it].cell.is_some());
    let mut found = Vec::new();
    for place in row {
        let Some(thing) = things[place].last() else { continue };
        let is_path = units[place].words.first().is_some_and(|it| it.text == "/");
        if is_path {
            found.push((thing.name.as_str(), "path of row"));
        }
        if units[place].cell.as_ref().is_some_and(|it| it.column == 0) && units[place].first {
            found.push((things[place][0].name.as_str(), "first of row"));
        }
    }
    found
}

/// Whether a line of code belongs to an object within another one rather than to what the heading names: `bio` in
/// `profile: { bio: String }`.
fn is_within(units: &[Unit], things: &[Vec<Thing>], at: usize) -> bool {
    let mut at = at;
    for _ in 0..STEPS {
        let above = units[at].lead.filter(|it| units[at].form == Form::Code && units[*it].form == Form::Code);
        let Some(above) = above else { return false };
        let named = units[above].words.iter().find(|it| it.kind == Kind::Noun);
        if named.is_some_and(|it| !ENVELOPE.contains(&it.text.as_str())) {
            return things[above].is_empty();
        }
        at = above;
    }
    false
}

/// No list is led by more sentences, one after the other, and no label stands further before.
const STEPS: usize = 32;

/// The thing that the item or cell of a sentence begins with, before what explains the thing: `Variant: A size of a product. Has its
/// own price.`
fn label<'t>(units: &[Unit], things: &'t [Vec<Thing>], at: usize) -> Option<&'t str> {
    let block = |it: &usize| units[*it].line == units[at].line && units[*it].form == Form::Item;
    let first = (0..=at).rev().take(STEPS).take_while(block).find(|it| units[*it].first)?;
    let thing = things[first].first().filter(|it| it.from == 0)?;
    let next = units[first].words.get(thing.end)?;
    [":", "–", "—", "-"].contains(&next.text.as_str()).then_some(thing.name.as_str())
}

/// The thing that a sentence says is made: `proposal` in `Freelancers submit a proposal on a project`.
fn made<'t>(unit: &Unit, things: &'t [Thing]) -> Option<&'t str> {
    let words = &unit.words;
    let making = |it: &Thing| {
        let verb = words[..it.from].iter().rev().find(|it| !matches!(it.kind, Kind::Determiner | Kind::Adjective))?;
        matches!(words::verb(&verb.lower)?.1, words::Deed::Create | words::Deed::Manage).then_some(())
    };
    things.iter().find(|it| making(it).is_some()).map(|it| it.name.as_str())
}
