//! Neighbours that each name a thing and list what the thing has: `**Client** · name · address`, `Meeting [date, place, minutes[]]`,
//! `For each **berth**: the number, the jetty and the depth`, `stylist: name / working days`. A single line of that form may be
//! anything; several beside each other describe things.

use super::{is_component, is_data_title, is_endpoint, is_technology};
use crate::architect::document::{Document, Kind};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::topics::{self, Topic};
use crate::architect::{fields, judge, words};

/// A thing and what it has, from one line.
struct Entry {
    name: String,
    fields: Vec<FieldNote>,
    /// Whether the line has signs that only fields have: `→`, `?`, `[]`, types.
    marked: bool,
}

/// Reads the entries of all lists and rows of paragraphs of a document.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    let mut run: Vec<Option<Entry>> = Vec::new();
    let mut place: Option<(usize, Option<usize>)> = None;
    for (at, block) in document.blocks.iter().enumerate() {
        let (text, depth) = match &block.kind {
            Kind::Paragraph(text) => (text, None),
            Kind::Item(text, depth) => (text, Some(*depth)),
            Kind::Table(..) | Kind::Code(..) => continue,
        };
        if document.asides[block.section] || is_endpoint(document, block.section) {
            continue;
        }
        // Items below an item belong to that item.
        if let (Some((section, Some(open))), Some(depth)) = (place, depth)
            && section == block.section
            && depth > open
        {
            continue;
        }
        if place != Some((block.section, depth)) {
            note(document, notes, place, std::mem::take(&mut run));
            place = Some((block.section, depth));
        }
        // `client: name, phone` on a line, `stylist: name, days` on the next one
        let mut lines = Vec::new();
        if depth.is_none() && text.plain.contains('\n') {
            lines.extend((block.line..).zip(text.plain.lines()).map(|(line, it)| entry(it, None, line)));
        }
        if lines.iter().flatten().count() * 2 > lines.len() {
            run.extend(lines);
        } else if document.children(at).is_empty() {
            let label = text.label().map(|it| it.0);
            run.push(entry(&text.plain, label, block.line));
        }
    }
    note(document, notes, place, run);
}

/// Notes the entries of neighbours where enough of these are some.
fn note(document: &Document, notes: &mut Notes, place: Option<(usize, Option<usize>)>, run: Vec<Option<Entry>>) {
    let Some((section, _)) = place else { return };
    let all = run.len();
    let found: Vec<Entry> = run.into_iter().flatten().collect();
    let data = topics::topic(document, section) == Some(Topic::Data)
        || is_data_title(document.title(section))
        || keeps(document.title(section));
    if found.len() < 2 || found.len() * 3 < all * 2 && !(data && found.len() * 2 >= all) {
        return;
    }
    let names = || found.iter().flat_map(|it| &it.fields);
    let (count, common) =
        (names().count(), names().filter(|it| words::is_common(&it.name) || judge::is_member_name(&it.name)).count());
    let marked = found.iter().filter(|it| it.marked).count() * 2 >= found.len();
    let likely = if data || marked { common * 5 >= count } else { common * 2 >= count && count >= 3 * found.len() };
    // `Backend: Node, Express` among the lines tells that all of these name parts of the program.
    let parts = found.iter().any(|it| is_technology(&it.name) || is_component(&it.name));
    if !likely || parts {
        return;
    }
    for it in found {
        let Some(line) = it.fields.first().map(|it| it.line) else { continue };
        let new = notes.known(&it.name).is_none();
        let Some(entity) = notes.entity(&it.name, line) else { continue };
        entity.in_passing = if new { !(data || marked) } else { entity.in_passing && !data };
        it.fields.into_iter().for_each(|field| entity.field(field));
    }
}

/// `Things we keep`, `Data to be held`, `Information stored`
fn keeps(title: &str) -> bool {
    const KEPT: &[&str] =
        &["keep", "kept", "held", "hold", "stored", "store", "record", "recorded", "remember", "vocabulary"];
    let words = words::split(title);
    words.len() <= 6 && words.iter().any(|it| KEPT.contains(&it.as_str()))
}

/// The thing that a line names with what it has; none where the line says something else.
fn entry(text: &str, label: Option<&str>, line: u32) -> Option<Entry> {
    let plain = text.replace('\n', " ");
    let plain = plain.trim().trim_end_matches('.');
    // `For each vessel:`
    let lower = plain.to_ascii_lowercase();
    let each =
        ["for each ", "for every ", "for a ", "each ", "every ", "per "].iter().find(|it| lower.starts_with(**it));
    let plain = plain.get(each.map_or(0, |it| it.len())..)?;
    let labelled = label.filter(|it| plain.starts_with(*it));
    let marks = [": ", " – ", " — ", " - ", " · ", " = ", " [", " (", " {", "["];
    let end = labelled.map(str::len).or_else(|| marks.iter().filter_map(|it| plain.find(it)).min())?;
    let (name, rest) = (plain.get(..end)?.trim_end_matches(':'), plain.get(end..)?);
    let rest = rest.trim_start();
    // `Lot (aggregate root): title, status`
    let rest = rest
        .strip_prefix('(')
        .and_then(|it| it.split_once(')'))
        .filter(|it| it.1.trim_start().starts_with([':', '–', '—', '-', '·']))
        .map_or(rest, |it| it.1);
    let list = match rest.chars().next()? {
        open @ ('[' | '(' | '{') => {
            let close = match open {
                '[' => ']',
                '(' => ')',
                _ => '}',
            };
            rest.strip_prefix(open)?.strip_suffix(close)?
        }
        _ => rest.trim_start_matches([':', '-', '–', '—', '·', '=', ' ']),
    };
    let name = thing(name)?;
    // `A title we sell. Name, publisher and play time`: one of the sentences is the list.
    let sentences = || list.split(". ").map(str::trim);
    let (fields, marked) = sentences().filter_map(|it| names(it, line)).max_by_key(|it| it.0.len())?;
    let few = sentences().count() > 1;
    (fields.len() >= if few { 3 } else { 2 }).then_some(Entry { name, fields, marked })
}

/// The name of a thing, from what stands before its list.
fn thing(label: &str) -> Option<String> {
    let label = label.trim_matches(|c: char| c.is_whitespace() || "*`_\"".contains(c));
    let label = label.split(" (").next().unwrap_or(label);
    let words: Vec<&str> = label.split_whitespace().collect();
    let last = words.last()?.to_ascii_lowercase();
    let fits = (1..=3).contains(&words.len())
        && words.iter().all(|it| it.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')))
        && label.chars().next().is_some_and(char::is_alphabetic)
        && words::verb(&words[0].to_ascii_lowercase())
            .is_none_or(|(base, _)| words.len() == 1 && words::is_noun_too(base))
        && !words::is_technical(&words::singular(&last))
        && !words::is_no_thing(&words::key(label))
        && !words::is_common(&last)
        && words::verbal_noun(&last).is_none()
        // `createdAt: set by the server, never changed`
        && !(label.starts_with(char::is_lowercase) && label.contains(char::is_uppercase))
        && !label.contains("-based");
    fits.then(|| label.to_owned())
}

/// The names that a list has, and whether most of these have signs of fields; none where the list says something else.
fn names(list: &str, line: u32) -> Option<(Vec<FieldNote>, bool)> {
    let parts = parts(list);
    if parts.len() < 2 {
        return None;
    }
    let (mut found, mut marked, mut bad) = (Vec::new(), 0, 0);
    for part in &parts {
        match name(part) {
            Some((name, is_marked)) => {
                marked += usize::from(is_marked);
                found.push(FieldNote { name, line, ..FieldNote::default() });
            }
            None => bad += 1,
        }
    }
    let verbs = found.iter().filter(|it| {
        let first = it.name.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        words::verb(&first).is_some_and(|(base, _)| base == first && !words::is_noun_too(base))
            || words::verbal_noun(&first).is_some()
    });
    let fits = bad * 4 <= parts.len() && verbs.count() * 3 < found.len() && found.len() >= 2;
    fits.then(|| {
        let many = marked * 3 >= found.len();
        (found, many)
    })
}

/// The parts of a list between its commas, points or strokes, whichever sign it has; what stands in brackets stays together.
fn parts(list: &str) -> Vec<&str> {
    let at_top = |sign: &str| {
        let mut depth = 0_usize;
        let mut found = Vec::new();
        let mut from = 0;
        let mut skip = 0;
        for (at, c) in list.char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ if depth == 0 && at >= skip && list[at..].starts_with(sign) => {
                    found.push(&list[from..at]);
                    from = at + sign.len();
                    skip = from;
                }
                _ => {}
            }
        }
        found.push(&list[from..]);
        found
    };
    let mut found =
        [" · ", ";", ",", " / ", " | "].into_iter().map(at_top).find(|it| it.len() >= 2).unwrap_or_default();
    // `a number, a date and an amount`
    if let Some((one, other)) =
        found.last().and_then(|it| it.trim().strip_prefix("and ").unwrap_or(it).split_once(" and "))
    {
        let short = |it: &str| (1..=4).contains(&it.split_whitespace().count());
        if short(one) && short(other) {
            found.pop();
            found.extend([one, other]);
        }
    }
    found
}

/// The name of a field, and whether a type, a mark or a reference stands with it: `settled_on?`, `member → Member`, `price: money`.
fn name(part: &str) -> Option<(String, bool)> {
    let mut part = part.trim().trim_matches(|c: char| "`*.".contains(c));
    let mut said = 0;
    while let Some(rest) = [
        "and ",
        "or ",
        "the ",
        "a ",
        "an ",
        "its ",
        "their ",
        "whether ",
        "optional ",
        "optionally ",
        "as well as ",
        "& ",
        "our ",
    ]
    .iter()
    .find_map(|it| part.strip_prefix(it))
    {
        part = rest.trim_start();
        said += 1;
        if said > 3 {
            return None;
        }
    }
    let whole = part;
    let cut = ["→", "->", " FK", " PK", ": ", ":", " = ", "(", "[", "<"].iter().filter_map(|it| part.find(it)).min();
    part = part.get(..cut.unwrap_or(part.len()))?.trim();
    let mark = cut.is_some_and(|at| !whole[at..].starts_with('(')) || part.ends_with(['?', '*', '!', '#']);
    let part = part.trim_end_matches(['?', '*', '!', '#']);
    // `whether it is sail or motor` is no name.
    let clause = part
        .split_whitespace()
        .any(|it| ["is", "are", "was", "it", "they", "we", "that", "which", "who", "can", "must"].contains(&it));
    let written = part.contains('_') || fields::is_identifier(part) && part.chars().skip(1).any(char::is_uppercase);
    fields::label_of(part).filter(|it| !clause && !it.is_empty()).map(|it| (it, mark || written))
}

#[cfg(test)]
mod tests {
    use crate::architect::decompose;

    fn told(text: &str) -> Vec<(String, Vec<String>)> {
        let entities = decompose(text).domain_model.entities;
        entities.into_iter().map(|it| (it.name, it.fields.into_iter().map(|it| it.name).collect())).collect()
    }

    #[test]
    fn neighbours_that_name_things_with_what_they_have_are_things() {
        for list in [
            "**Client** · tax number · legal name · started at\n\n**Filing** · client → Client · period · receipt number",
            "- Client [tax_number, legal_name, started_at?]\n- Filing [client → Client, period, receipt_number]",
            "client: tax number / legal name / started at\nfiling: client / period / receipt number",
            "* For each **client**: the tax number, the legal\n  name and the started at.\n* For each **filing**: the client, the period and the receipt\n  number.",
        ] {
            let text = format!("# Tax help\n\nNotes of a talk.\n\n## Things we keep\n\n{list}\n");
            let found = told(&text);
            let names: Vec<&str> = found.iter().map(|it| it.0.as_str()).collect();
            assert_eq!(names, ["Client", "Filing"], "{list}");
            assert!(found[0].1.len() >= 3, "{list}: {found:?}");
            assert_eq!(found[1].1.len(), 3, "{list}: {found:?}");
        }
    }

    #[test]
    fn neighbours_that_name_parts_of_a_program_are_no_things() {
        let found = told(
            "# Shop\n\n## Plan\n\n- Backend: Node, Express, Postgres\n- Frontend: React, Redux, Tailwind\n- Hosting: one server, two disks\n",
        );
        assert!(found.is_empty(), "{found:?}");
    }
}
