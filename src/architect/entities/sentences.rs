//! What sentences and marked names say of entities: `entities like A and B`, `` `Visit.note` ``.

use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::topics::Topic;
use crate::architect::{fields, topics, words};

/// What sentences say of things: `entities like A, B and C`, `Product has: Name, Price`, `with name, price of the space`.
pub(super) fn sentences(notes: &mut Notes, text: &Text, line: u32, inside: Option<Topic>) {
    for sentence in text.plain.split(['\n', '.']).flat_map(|part| part.split("; ")) {
        let lower = sentence.to_ascii_lowercase();
        for marker in [
            "entities like ",
            "objects of ",
            "objects such as ",
            "entities such as ",
            "entities including ",
            "entities: ",
            "entities are ",
            "tables: ",
            "models: ",
            "models are",
            "aggregates are ",
            "objects are ",
        ] {
            let Some(at) = lower.find(marker) else { continue };
            let Some(rest) = sentence.get(at + marker.len()..) else { continue };
            for name in text
                .codes()
                .filter(|it| fields::is_identifier(it) && rest.contains(*it) && it.starts_with(char::is_uppercase))
            {
                notes.entity(name, line);
            }
            for name in fields::list(rest.trim_end_matches('.')) {
                let short = name.split_whitespace().count() <= 3 && name.starts_with(char::is_uppercase);
                if short && !words::is_no_thing(&words::key(&name)) {
                    notes.entity(&name, line);
                }
            }
        }
        for marker in [
            " has: ",
            " have: ",
            " contains: ",
            " includes: ",
            " has fields ",
            " has the following fields: ",
            " with fields ",
            " with attributes ",
            " stores: ",
            " records: ",
        ] {
            let Some(at) = lower.find(marker) else { continue };
            let (Some(before), Some(rest)) = (sentence.get(..at), sentence.get(at + marker.len()..)) else { continue };
            let name: Vec<&str> = before.split_whitespace().rev().take(2).collect();
            let mut found = fields::of_list(rest, line);
            for field in &mut found {
                let name =
                    field.name.trim_start_matches("an ").trim_start_matches("a ").trim_start_matches("optional ");
                field.name = name.to_owned();
            }
            let Some(last) = name.first() else { continue };
            let pair = name.iter().rev().copied().collect::<Vec<_>>().join(" ");
            let name = if notes.known(&pair).is_some() { pair } else { (*last).to_owned() };
            let each = before.trim_start().to_ascii_lowercase().starts_with("each ");
            let loose = ["includes", "contains"].iter().any(|it| marker.contains(it)) && notes.known(&name).is_none();
            let named = name.starts_with(char::is_uppercase) || each;
            if found.len() < 2
                || !(inside == Some(Topic::Data) || named && !loose)
                || words::is_no_thing(&words::key(&name))
            {
                continue;
            }
            if let Some(entity) = notes.entity(&name, line) {
                found.into_iter().for_each(|field| entity.field(field));
            }
        }
    }
    provided(notes, text, line);
    carried(notes, text, line);
}

/// `` `Pod` carries `phase` and `count` ``
pub(super) fn carried(notes: &mut Notes, text: &Text, line: u32) {
    let codes: Vec<&str> = text.codes().collect();
    let Some((owner, names)) = codes.split_first() else { return };
    let is_thing =
        fields::is_identifier(owner) && owner.starts_with(char::is_uppercase) && owner.chars().any(char::is_lowercase);
    let Some((_, behind)) =
        text.plain.split_once(owner).filter(|(before, _)| is_thing && before.split_whitespace().count() <= 1)
    else {
        return;
    };
    let verb = behind.split_whitespace().next().unwrap_or("");
    let sentence = behind.split(". ").next().unwrap_or("");
    if !["carries", "has", "holds", "stores", "contains", "includes", "keeps", "records", "tracks"].contains(&verb) {
        return;
    }
    let told: Vec<&&str> = names
        .iter()
        .filter(|it| fields::is_identifier(it) && it.starts_with(char::is_lowercase) && sentence.contains(**it))
        .collect();
    if told.len() >= 2
        && let Some(entity) = notes.entity(owner, line)
    {
        for name in told {
            entity.field(FieldNote { name: (*name).to_owned(), line, ..FieldNote::default() });
        }
    }
}

/// `provide name, description and price of my property`
pub(super) fn provided(notes: &mut Notes, text: &Text, line: u32) {
    let plain = text.plain.replace('\n', " ");
    let lower = plain.to_ascii_lowercase();
    for marker in ["details such as ", "details like ", "details including ", "information such as ", "details: "] {
        let Some(at) = lower.find(marker) else { continue };
        let (Some(before), Some(rest)) = (plain.get(..at), plain.get(at + marker.len()..)) else { continue };
        let found = fields::of_list(rest.split(['.', ';']).next().unwrap_or(""), line);
        let behind = before.rsplit_once([',', '.']).map_or(before, |(_, it)| it);
        let words: Vec<&str> = behind
            .split_whitespace()
            .rev()
            .skip_while(|it| ["providing", "with", "including", "entering", "by", "the"].contains(it))
            .collect();
        // `add an expense or income`
        let verb = words.iter().position(|it| words::verb(it).is_some_and(|(base, _)| base == *it));
        let Some(things) = verb.map(|it| words[..it].iter().rev().copied().collect::<Vec<_>>().join(" ")) else {
            continue;
        };
        for thing in things.split(" or ").flat_map(|it| it.split(" and ")) {
            let thing: Vec<&str> = thing.split_whitespace().filter(|it| !words::is_determiner(it)).collect();
            let new = notes.known(&thing.join(" ")).is_none();
            if found.len() >= 2
                && (1..=2).contains(&thing.len())
                && !words::is_no_thing(&words::key(&thing.join(" ")))
                && let Some(entity) = notes.entity(&thing.join(" "), line)
            {
                entity.in_passing |= new;
                found.iter().cloned().for_each(|field| entity.field(field));
            }
        }
    }
    for verb in ["provide ", "enter ", "specify ", "set the ", "input ", "record the ", "store the ", "track the "] {
        let Some(at) = lower.find(verb) else { continue };
        let Some(rest) = plain.get(at + verb.len()..) else { continue };
        let sentence = rest.split(['.', ';', ':']).next().unwrap_or("");
        let Some((names, of)) = [" of ", " for "].iter().find_map(|it| sentence.split_once(it)) else { continue };
        // What is recorded for each student may be an attendance.
        if verb.ends_with(" the ") && of.starts_with("each ") {
            continue;
        }
        // `number of guests` is a name.
        let counts = ["number", "amount", "count", "quantity", "percentage", "total", "type", "list"];
        if names.rsplit(' ').next().is_some_and(|it| counts.contains(&it)) && sentence.contains(" of ") {
            continue;
        }
        let names = names.trim_start_matches("the ").trim_start_matches("a ").trim_start_matches("its ");
        let found = fields::of_list(&names.replace(" and ", ", "), line);
        let thing: Vec<&str> = of
            .split_whitespace()
            .skip_while(|word| words::is_determiner(word))
            .take_while(|word| !words::ends_object(word))
            .collect();
        let common = found.iter().filter(|it| words::is_common(&it.name)).count();
        if found.len() < 2
            || common * 2 < found.len()
            || thing.is_empty()
            || thing.len() > 2
            || found.iter().any(|it| it.name.split_whitespace().count() > 2)
        {
            continue;
        }
        let new = notes.known(&thing.join(" ")).is_none();
        if let Some(entity) = notes.entity(&thing.join(" "), line) {
            entity.in_passing |= new;
            found.into_iter().for_each(|field| entity.field(field));
        }
    }
}

/// Fields that code names with their entity: `Visit.visit_context`, and a column that exists on several.
pub(super) fn dotted(document: &Document, notes: &mut Notes) {
    for block in &document.blocks {
        let texts: Vec<(u32, &Text)> = match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => vec![(block.line, text)],
            Kind::Table(_, rows) => rows.iter().flat_map(|row| row.cells.iter().map(|cell| (row.line, cell))).collect(),
            Kind::Code(..) => continue,
        };
        for (line, text) in texts {
            for code in text.codes() {
                let Some((owner, name)) = code.split_once('.') else { continue };
                let fits = fields::is_identifier(owner)
                    && fields::is_identifier(name)
                    && name.starts_with(char::is_lowercase)
                    && notes.known(owner).is_some_and(|it| !it.in_passing);
                let file = ["py", "ts", "js", "md", "sql", "cs", "json", "rs", "go", "java", "prisma", "yaml", "yml"]
                    .contains(&name);
                // `order.paid` is an event.
                let event = !owner.starts_with(char::is_uppercase) && !name.contains('_')
                    || topics::topic(document, block.section) == Some(Topic::Events);
                if fits
                    && !file
                    && !event
                    && let Some(entity) = notes.entity(owner, line)
                {
                    entity.field(FieldNote { name: name.to_owned(), line, ..FieldNote::default() });
                }
            }
            shared(notes, text, line);
            compared(notes, text, line);
        }
    }
}

/// Members in a condition that is set as code: `room.kind_id == booking.kind_id`, `deposit.paid >= deposit.amount`.
fn compared(notes: &mut Notes, text: &Text, line: u32) {
    /// What stands for any thing in a program.
    const NOBODY: &[&str] = &[
        "this", "self", "req", "res", "ctx", "auth", "request", "response", "data", "old", "new", "row", "x", "e", "it",
    ];
    const SIGNS: &[&str] = &["==", "!=", ">=", "<=", " = ", " > ", " < ", "≥", "≤"];
    for code in text.codes().filter(|code| SIGNS.iter().any(|it| code.contains(it))) {
        for operand in code.split(|c: char| c.is_whitespace() || "=!<>≥≤+-*/&|,".contains(c)) {
            let Some((owner, name)) = operand.split_once('.') else { continue };
            let fits = [owner, name]
                .iter()
                .all(|it| fields::is_identifier(it) && it.starts_with(|c: char| c.is_ascii_lowercase()));
            if fits
                && !words::is_technical(owner)
                && !words::is_determiner(owner)
                && !NOBODY.contains(&owner)
                && let Some(entity) = notes.entity(owner, line)
            {
                entity.field(FieldNote { name: name.to_owned(), line, stated: true, ..FieldNote::default() });
            }
        }
    }
}

/// ``The `is_active` column exists on `users` and `agents` ``
pub(super) fn shared(notes: &mut Notes, text: &Text, line: u32) {
    let codes: Vec<&str> = text.codes().collect();
    let Some(name) = codes.first().filter(|it| fields::is_identifier(it) && it.contains('_')) else { return };
    let sentence = text.plain.split(". ").next().unwrap_or("");
    let Some((before, after)) = sentence.split_once(" on ") else { return };
    // The word stands next to the name.
    let Some((_, behind)) = before.split_once(*name) else { return };
    if !behind.split_whitespace().take(3).any(|it| ["column", "field", "flag", "attribute"].contains(&it)) {
        return;
    }
    for owner in codes.iter().skip(1).filter(|it| after.contains(**it)) {
        if notes.known(owner).is_some()
            && let Some(entity) = notes.entity(owner, line)
        {
            entity.field(FieldNote { name: (*name).to_owned(), line, ..FieldNote::default() });
        }
    }
}
