//! Reading: fields that sentences tell of, wherever they stand: `Each order shall include:` with a list, `a task has a title
//! and a due date`, `create books (title, author, price)`, ``an `orders` table (`id`, `total`)``.

mod attributes;
mod below;
mod captions;
mod coded;
mod given;
pub(super) mod leads;
mod names;
pub(super) mod sentences;

use super::document::{Document, Kind, Text};
use super::notes::{FieldNote, Notes};
use super::topics::{self, Topic};
use super::{fields, words};
use crate::architect::clauses::apart;
use attributes::FORMS;
pub(super) use attributes::read as read_lists;
use below::{Alike, below};
use coded::coded;
use given::given;
use leads::{inputs, listed, on_a_line};
use sentences::{bracketed, entered, has, leading, lines, possessed, recorded, stored, titled};

pub(super) fn read(document: &Document, notes: &mut Notes) {
    notes.headed = headed(document);
    notes.note_words(document.words());
    let alike = Alike::of(document);
    for (at, block) in document.blocks.iter().enumerate() {
        let inside = topics::topic(document, block.section);
        if document.asides[block.section] || matches!(inside, Some(Topic::Payload | Topic::Endpoints)) {
            continue;
        }
        match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                for (name, found) in tables(text, block.line).into_iter().chain(in_a_row(&text.plain, block.line)) {
                    if let Some(entity) = notes.entity(&name, block.line) {
                        found.into_iter().for_each(|field| entity.field(field));
                    }
                }
                coded(notes, text, block.line);
                listed(document, notes, at, text, inside);
                inputs(document, notes, at);
                below(document, notes, at, inside, &alike);
                if matches!(block.kind, Kind::Item(..)) {
                    titled(notes, &text.plain.replace('\n', " "), block.line);
                }
                if matches!(block.kind, Kind::Paragraph(_)) {
                    lines(notes, &text.plain, block.line);
                    let title = topics::without_number(document.title(block.section)).to_owned();
                    on_a_line(notes, &text.plain, &title, block.line);
                }
                said(notes, &text.plain, block.line);
                let title = topics::without_number(document.title(block.section)).to_owned();
                for sentence in apart(&text.plain.replace('\n', " ")) {
                    recorded(notes, sentence, &title, block.line);
                    if matches!(block.kind, Kind::Item(..)) {
                        entered(notes, sentence, &title, block.line);
                    }
                    possessed(notes, sentence, block.line);
                }
            }
            Kind::Table(_, rows) => {
                for row in rows {
                    for cell in &row.cells {
                        titled(notes, &cell.plain.replace('\n', " "), row.line);
                        said(notes, &cell.plain, row.line);
                    }
                }
            }
            Kind::Code(..) => {}
        }
    }
}

/// Keys of what headings name: `Module: Tables`, `Customer and organization management`, `4.2 Orders`.
fn headed(document: &Document) -> Vec<String> {
    const MORE: &[&str] = &[
        "management",
        "administration",
        "module",
        "modules",
        "feature",
        "features",
        "requirements",
        "requirement",
        "functionality",
        "processing",
        "handling",
        "tracking",
        "catalog",
        "catalogue",
        "maintenance",
        "and",
    ];
    let mut found = Vec::new();
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if document.asides[at] || document.is_heading_of_all(at) {
            continue;
        }
        let title = topics::without_number(section.title.plain.trim());
        let title = title.rsplit_once(':').map_or(title, |(_, rest)| rest);
        for part in title.split(" and ").flat_map(|it| it.split(" & ")).flat_map(|it| it.split('/')) {
            let mut words: Vec<&str> = part.split_whitespace().collect();
            while words.last().is_some_and(|it| MORE.contains(&it.to_ascii_lowercase().as_str())) {
                words.pop();
            }
            let product = matches!(words.as_slice(), [only] if ["system", "application", "app", "platform", "product", "user"]
                .contains(&only.to_ascii_lowercase().as_str()));
            if (1..=3).contains(&words.len()) && !product {
                found.push(words::key(&words.join(" ")));
            }
        }
    }
    found
}

fn said(notes: &mut Notes, text: &str, line: u32) {
    let plain = text.replace('\n', " ");
    for sentence in apart(&plain) {
        // What something is for has no fields.
        let sentence = attributes::before_why(sentence);
        bracketed(notes, sentence, line);
        has(notes, sentence, line);
        stored(notes, sentence, line);
        // `Fills in job title, description and salary`
        let lower = sentence.to_ascii_lowercase();
        let entered = ["fills in ", "fill in ", "enters ", "enter ", "provides ", "provide ", "inputs "];
        if let Some(at) = entered.iter().find_map(|it| lower.find(it).map(|at| at + it.len()).filter(|at| *at < 40)) {
            leading(notes, sentence.get(at..).unwrap_or(""), line);
        }
        given(notes, sentence, line);
    }
}

/// A thing by the words of its name, without those that only say how it is kept: a `restaurant profile` is a restaurant.
fn thing(notes: &Notes, words: &[String]) -> Option<String> {
    let mut words: Vec<String> = words.to_vec();
    // `optional fields` are of something else.
    if matches!(words.first(), Some(it) if ["optional", "required", "mandatory", "immutable"].contains(&it.to_ascii_lowercase().as_str()))
    {
        return None;
    }
    let aspects = [
        "profile",
        "profiles",
        "record",
        "records",
        "details",
        "detail",
        "information",
        "info",
        "data",
        "entry",
        "entries",
        "row",
        "list",
        "lists",
        "rows",
        "field",
        "fields",
        "attributes",
    ];
    while words.len() > 1 && words.last().is_some_and(|it| aspects.contains(&it.to_ascii_lowercase().as_str())) {
        words.pop();
    }
    // A `testimonial submission form` is about testimonials.
    let forms = words.iter().rev().take_while(|it| FORMS.contains(&it.to_ascii_lowercase().as_str())).count();
    if (1..words.len()).contains(&forms) {
        words.truncate(words.len() - forms);
        while words.len() > 1 && words.last().is_some_and(|it| words::verbal_noun(it).is_some()) {
            words.pop();
        }
    }
    let fits = (1..=3).contains(&words.len())
        && !words.iter().any(|it| it.ends_with("ly"))
        && words.iter().all(|it| it.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')));
    // A `catalog medication` that is said once is a medication, where the text is about medications.
    if words.len() > 1 && notes.known(&words.join(" ")).is_none() && !notes.is_headed(&words) {
        let tail = &words[words.len() - 1..];
        if notes.times(&words) <= 1 && (notes.times(tail) >= 8 || notes.is_headed(tail) && notes.times(tail) >= 4) {
            words = tail.to_vec();
        }
    }
    // A `signed lease` is a lease.
    if words.len() > 1
        && words[0].len() > 4
        && words[0].to_ascii_lowercase().ends_with("ed")
        && notes.known(&words.join(" ")).is_none()
        && notes.times(&words[1..]) > 2 * notes.times(&words)
    {
        words.remove(0);
    }
    let name = notes.meant(&words).map_or_else(|| words.join(" "), |it| it.name.clone());
    let last = words.last().map(|it| words::singular(&it.to_ascii_lowercase()))?;
    let no_thing = words::is_no_thing(&words::key(&name)) && notes.known(&name).is_none() && !notes.is_headed(&words);
    (fits && !no_thing && !words::is_technical(&last)).then_some(name)
}

/// `audit entries` are an audit log, where there is one.
fn logged(notes: &Notes, words: &[String]) -> Option<String> {
    let (last, before) = words.split_last().filter(|(_, before)| !before.is_empty())?;
    let entry =
        ["entry", "entries", "record", "records", "event", "events", "trail", "history"].contains(&last.as_str());
    let log = notes.known(&format!("{} log", before.join(" ")));
    log.or_else(|| notes.meant(before)).filter(|_| entry).map(|it| it.name.clone())
}

/// Whether enough of a list are what things commonly have.
fn is_told(found: &[FieldNote]) -> bool {
    let common = found.iter().filter(|it| words::is_common(&it.name)).count();
    found.len() >= 2 && (common * 2 >= found.len() || common >= 2 && common * 3 >= found.len())
}

/// Notes fields of a thing that is a thing in passing, unless it is described elsewhere.
fn passing(notes: &mut Notes, name: &str, line: u32, found: Vec<FieldNote>) {
    // What is described with many fields is described in full.
    if notes.known(name).is_some_and(|it| !it.in_passing && it.fields.len() >= 8) {
        return;
    }
    let new = notes.known(name).is_none();
    noted(notes, name, line, found);
    if let Some(entity) = notes.entity(name, line).filter(|_| new) {
        entity.in_passing = true;
    }
}

fn noted(notes: &mut Notes, name: &str, line: u32, found: Vec<FieldNote>) {
    let new = notes.known(name).is_none();
    if let Some(entity) = notes.entity(name, line) {
        entity.in_passing |= new && found.is_empty();
        found.into_iter().flat_map(apart_names).for_each(|field| entity.field(field));
    }
}

/// A field called `Title and description` as two fields; any other field as itself.
fn apart_names(field: FieldNote) -> Vec<FieldNote> {
    match field.name.split_once(" and ") {
        Some((one, other)) if words::is_common(one) && words::is_common(other) => {
            let named = |name: &str| FieldNote { name: name.trim().to_owned(), ..field.clone() };
            vec![named(one), named(other)]
        }
        _ => vec![field],
    }
}

/// Whether a name means several of a known thing, which a relationship tells.
fn is_many_of(notes: &Notes, name: &str) -> bool {
    words::split(name).last().is_some_and(|it| words::is_plural(it)) && notes.known(name).is_some()
}

/// Tables, collections and entities that a text names as such in code, with the fields behind them: ``an `orders` table
/// (`id`, `total`)``, ``One table: `applications` ``.
fn tables(text: &Text, line: u32) -> Vec<(String, Vec<FieldNote>)> {
    let kinds = ["table", "tables", "collection", "entity"];
    let mut found = Vec::new();
    let mut from = 0;
    for code in text.codes() {
        let Some(at) = text.plain.get(from..).and_then(|rest| rest.find(code)).map(|at| at + from) else { continue };
        from = at + code.len();
        let word = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        let before = text.plain[..at].split_whitespace().last().map(word).unwrap_or_default();
        let behind = &text.plain[from..];
        let next = behind.split_whitespace().next().map(word).unwrap_or_default();
        let named = kinds.contains(&next.as_str()) || ["table", "collection", "entity"].contains(&before.as_str());
        if !named || !fields::is_identifier(code) {
            continue;
        }
        let mut fields = Vec::new();
        let open = behind.find('(').filter(|at| behind[..*at].split_whitespace().count() <= 1);
        if let Some(open) = open {
            let inner = behind[open + 1..].split(')').next().unwrap_or("");
            let parts: Vec<&str> = inner.split(',').map(|it| it.trim().trim_matches('`')).collect();
            if parts.len() >= 2 && parts.iter().all(|it| fields::is_identifier(it)) {
                fields = parts
                    .into_iter()
                    .map(|name| FieldNote { name: name.to_owned(), line, ..FieldNote::default() })
                    .collect();
            }
        }
        found.push((code.to_owned(), fields));
    }
    found
}

/// Things in a row, each with its fields in brackets: `Entities: user (email, name), order record (date, total)`.
fn in_a_row(text: &str, line: u32) -> Vec<(String, Vec<FieldNote>)> {
    const LABELS: &[&str] = &["entities", "entity", "tables", "collections", "models", "model", "objects", "data"];
    let Some((label, rest)) = text.split_once(':') else { return Vec::new() };
    let label = words::split(label);
    if label.len() > 4 || !label.last().is_some_and(|it| LABELS.contains(&it.as_str())) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for part in rest.split_inclusive(')') {
        let Some((name, inner)) = part.strip_suffix(')').and_then(|it| it.split_once('(')) else { continue };
        let name = name.rsplit([',', ';', '.']).next().unwrap_or(name).trim();
        let name = name.trim_start_matches("and ").split('/').next().unwrap_or(name);
        let record = [" record", " records", " table", " entity"].iter().find_map(|it| name.strip_suffix(it));
        let fields: Vec<FieldNote> = inner
            .split([',', ';'])
            .filter_map(fields::label_of)
            .map(|name| FieldNote { name, line, ..FieldNote::default() })
            .collect();
        let named = topics::thing_named(&Text::of(record.unwrap_or(name)));
        if let Some(name) = named.filter(|it| fields.len() >= 2 && !words::is_no_thing(&words::key(it))) {
            found.push((name, fields));
        }
    }
    if found.len() >= 2 { found } else { Vec::new() }
}

/// The only table that the text above a caption speaks of, for what stands below the caption.
pub(super) fn only_table(document: &Document, section: usize) -> Option<String> {
    let own = &document.sections[section];
    let above = document.around(section).nth(1).filter(|_| own.title.codes().next().is_none())?;
    let said = document.blocks.iter().filter(|it| it.section == above).filter_map(|it| match &it.kind {
        Kind::Paragraph(text) => Some(tables(text, it.line)),
        _ => None,
    });
    let mut names: Vec<String> = said.flatten().map(|(name, _)| name).collect();
    names.dedup();
    match names.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    }
}
