//! Lists of entities, and of the fields of one.

use std::collections::BTreeMap;

use super::{columns, is_component, is_data_title, is_endpoint, is_technology, owner, shapes};
use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::operation::Operation;
use crate::architect::topics::Topic;
use crate::architect::{clauses, fields, states, told, topics, words};

pub(super) fn list(document: &Document, notes: &mut Notes, at: usize) {
    let block = &document.blocks[at];
    let inside = topics::topic_below_title(document, block.section);
    let weak = inside.is_none() && topics::topic(document, block.section) == Some(Topic::Data);
    if keeps(document, notes, at) || document.lead(at).is_some_and(|lead| states::said::leads(&lead.plain)) {
        return;
    }
    if !is_endpoint(document, block.section)
        && (!document.asides[block.section] && outlined(document, notes, at) || shapes::tables(document, notes, at))
    {
        return;
    }
    // `Roles` above columns is a table.
    if let Some(name) = super::table_headed(document, block.section).filter(|_| !is_endpoint(document, block.section))
        && let Some(found) = fields::of_items(document, &document.outer_items(at), true)
            .filter(|it| it.iter().any(|it| fields::is_key(&it.name)) || it.iter().all(|it| !it.kind.is_empty()))
    {
        if let Some(entity) = notes.entity(&name, document.sections[block.section].line) {
            found.into_iter().for_each(|field| entity.field(field));
        }
        return;
    }
    if topics::says_values(document.title(block.section)) && document.lead(at).is_none()
        || inside != Some(Topic::Data) && typed(document, notes, at)
    {
        return;
    }
    let items = document.outer_items(at);
    if let Some((name, values)) = document.lead(at).and_then(|lead| values(document, &lead.plain, &items)) {
        notes.values.push((name, values));
        return;
    }
    if inside != Some(Topic::Data) && !weak || is_endpoint(document, block.section) || document.asides[block.section] {
        return;
    }
    let owner = owner(document, at);
    // `Data Dictionary` above fields with types names no thing that has these fields.
    let is_name = |it: &FieldNote| fields::is_identifier(&it.name) && it.name.starts_with(char::is_lowercase);
    if owner.is_none()
        && let Some(found) = columns::typed_items(document, &items).filter(|it| it.iter().take(3).all(is_name))
    {
        notes.unowned.push(found);
        return;
    }
    let has_children = items.iter().any(|item| !document.children(*item).is_empty());
    let own = document.title(block.section);
    // `Order Fields`
    let titled =
        words::split(own).len() >= 2 && topics::says_fields(own) && topics::thing_named(&Text::of(own)).is_some();
    let lead_says = document.lead(at).is_some_and(|lead| topics::says_fields(&lead.plain)) || titled;
    // Below `Suggested fields:` stands the list of fields of a section; a list below another caption, `Expected states are:`, has none.
    let led = document.lead(at).is_some_and(|lead| lead.plain.trim_end().ends_with(':'));
    if led && !lead_says && document.fielded[block.section] {
        return;
    }
    // `Core entities:`
    let listed = document.lead(at).is_some_and(|lead| lists_entities(&lead.plain));
    // `` `Order` contains: `` below `Data Model`
    let has = document.lead(at).is_some_and(|lead| {
        let said = lead.plain.trim_end().strip_suffix(':').and_then(|it| it.rsplit(' ').next());
        lead.codes().next().is_some() && said.is_some_and(|it| told::leads::KEEPS.contains(&it))
    });
    let names_entities = listed || !has && heads_entities(own, lead_says);
    if let Some(owner) = owner.filter(|_| !names_entities) {
        if let Some(found) = captioned(document, &items) {
            if let Some(entity) = notes.entity(&owner, document.sections[block.section].line) {
                found.into_iter().for_each(|field| entity.field(field));
            }
            return;
        }
        let certain = !weak && (lead_says || has_children || is_below_data(document, block.section));
        let all: Vec<usize> = (at..document.blocks.len())
            .take_while(|it| {
                matches!(document.blocks[*it].kind, Kind::Item(..)) && document.blocks[*it].section == block.section
            })
            // What stands deeper is said of a field, or is a rule.
            .filter(|it| matches!(document.blocks[*it].kind, Kind::Item(_, 0 | 1)))
            .collect();
        let marked = || Some(fields::among_items(document, &all)).filter(|it| it.len() >= 3);
        if let Some(found) = fields::of_items(document, &items, certain).or_else(marked) {
            let line = document.sections[block.section].line;
            if let Some(entity) = notes.entity(&owner, line) {
                found.into_iter().for_each(|field| entity.field(field));
            }
            return;
        }
    }
    if names_entities && !(weak && topics::topic_below_title(document, block.section).is_none() && !is_data_title(own))
    {
        for item in items {
            entity_item(document, notes, item);
        }
    }
}

/// Items that name things, each set apart, with their fields and the types of these below: `` - **`Address`**: where to send to `` above
/// `` - `city`: `string` ``. Says whether the list was one of these, whatever the heading says.
fn outlined(document: &Document, notes: &mut Notes, at: usize) -> bool {
    let items = document.outer_items(at);
    let text = |at: usize| match &document.blocks[at].kind {
        Kind::Item(text, _) => Some(text),
        _ => None,
    };
    let is_field = |at: &usize| {
        let field = text(*at).and_then(|it| fields::of_line(it, 0));
        field.is_some_and(|it| {
            !it.kind.is_empty() && fields::is_identifier(&it.name) && it.name.starts_with(char::is_lowercase)
        })
    };
    let is_thing = |at: usize| {
        let Some(text) = text(at) else { return false };
        let first = text.codes().chain(text.strongs()).find(|it| text.plain.trim_start().starts_with(*it));
        first.is_some_and(|it| it.starts_with(char::is_uppercase) && fields::is_identifier(it.trim_end_matches(':')))
    };
    let with: Vec<usize> = items.iter().copied().filter(|it| !document.children(*it).is_empty()).collect();
    let declares = |at: &usize| {
        let below = document.children(*at);
        let typed = below.iter().filter(|it| is_field(it)).count();
        is_thing(*at) && typed >= 2 && typed * 2 >= below.len()
    };
    if with.is_empty() || with.len() * 2 < items.len() || !with.iter().all(declares) {
        return false;
    }
    items.into_iter().filter(|it| is_thing(*it)).for_each(|it| entity_item(document, notes, it));
    true
}

/// The fields in a list whose items say of a thing what its attributes are, and more: `Attributes: name, size`, `Invariants: …`.
fn captioned(document: &Document, items: &[usize]) -> Option<Vec<FieldNote>> {
    let mut found: Option<Vec<FieldNote>> = None;
    for item in items {
        let block = &document.blocks[*item];
        let Kind::Item(text, _) = &block.kind else { continue };
        let (label, rest) = text.plain.split_once(':').unwrap_or((&text.plain, ""));
        let label = words::split(label).join(" ");
        let of_rest = fields::of_list(rest, block.line);
        if ["attributes", "fields", "properties", "key attributes", "key fields"].contains(&label.as_str()) {
            let below = fields::of_items(document, &document.children(*item), true).unwrap_or_default();
            found.get_or_insert_default().extend(of_rest.into_iter().chain(below));
        } else if ["identity", "identifier", "id", "key"].contains(&label.as_str()) {
            let name = rest.split('(').next().unwrap_or(rest).trim().trim_matches('`');
            if fields::is_identifier(name) && items.len() > 1 {
                let field = FieldNote { name: name.to_owned(), line: block.line, ..FieldNote::default() };
                found.get_or_insert_default().push(field);
            }
        }
    }
    found.filter(|it| it.len() >= 2)
}

/// `Tables`, `Domain Model`: items below this heading are things, where no lead says that they are fields.
fn heads_entities(title: &str, lead_says: bool) -> bool {
    let words = words::split(title);
    // `State models`
    if words.iter().any(|it| ["state", "states", "status", "lifecycle", "lifecycles"].contains(&it.as_str())) {
        return false;
    }
    ["table list", "list of tables", "tables list", "collection list"].contains(&words.join(" ").as_str())
        || topics::is_plain_heading(title) && !lead_says
        || words.iter().any(|it| ["entities", "tables", "collections", "models", "objects"].contains(&it.as_str()))
}

/// Items that mostly say a type are fields wherever they stand: `Enabled: boolean, default true`. Says whether the list was
/// one of fields.
fn typed(document: &Document, notes: &mut Notes, at: usize) -> bool {
    let block = &document.blocks[at];
    if is_endpoint(document, block.section) || document.asides[block.section] {
        return false;
    }
    let items = document.outer_items(at);
    let Some(found) = columns::typed_items(document, &items) else { return false };
    let Some(owner) = owner(document, at).or_else(|| {
        let mut around = document.around(block.section).filter(|it| !document.is_heading_of_all(*it));
        around.find_map(|it| topics::thing_named(&document.sections[it].title))
    }) else {
        return false;
    };
    if words::is_no_thing(&words::key(&owner)) || is_component(&owner) || is_technology(&owner) {
        return false;
    }
    if let Some(entity) = notes.entity(&owner, document.sections[block.section].line) {
        found.into_iter().for_each(|field| entity.field(field));
    }
    true
}

/// An enumeration that a lead names and items list: `` `PaymentState` values: `` with `Open` and `Settled` below.
fn values(document: &Document, lead: &str, items: &[usize]) -> Option<(String, Vec<String>)> {
    let said: Vec<&str> = lead.trim_end().strip_suffix(':')?.split_whitespace().collect();
    let [name, "values" | "constants"] = said.as_slice() else { return None };
    let name = name.trim_matches(['`', '*']);
    // `Priority values:` may be a caption of the choices of a field; `PaymentState` is the name of an enumeration.
    if !name.starts_with(char::is_uppercase) || name.matches(char::is_uppercase).count() < 2 {
        return None;
    }
    let one = |item: &usize| match &document.blocks[*item].kind {
        Kind::Item(text, _) => Some(text.plain.trim().trim_matches(['`', '*', '"']).to_owned()),
        _ => None,
    };
    let values: Vec<String> = items.iter().map(one).collect::<Option<_>>()?;
    let is_one = |it: &String| fields::is_identifier(it) && !it.contains('.');
    (fields::is_identifier(name) && values.len() >= 2 && values.iter().all(is_one)).then(|| (name.to_owned(), values))
}

/// Fields without an owner are of the thing that most operations are of, where no other thing has more than half as many.
pub(in crate::architect) fn unowned(notes: &mut Notes, operations: &[Operation]) {
    // Several lists may be of several things.
    let [list] = std::mem::take(&mut notes.unowned).try_into().unwrap_or_default();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let things = operations.iter().filter_map(|it| it.entity.as_deref());
    things.filter(|it| !clauses::is_actor(it)).for_each(|it| *counts.entry(it).or_default() += 1);
    let Some((first, most)) = counts.iter().max_by_key(|it| *it.1).filter(|it| *it.1 >= 2) else { return };
    if counts.iter().any(|(name, count)| name != first && 2 * count > *most) {
        return;
    }
    let Some(line) = list.first().map(|it: &FieldNote| it.line) else { return };
    if let Some(entity) = notes.entity(first, line) {
        list.into_iter().for_each(|field| entity.field(field));
    }
}

/// `Core entities:`
pub(super) fn lists_entities(lead: &str) -> bool {
    let said = words::split(lead);
    lead.trim_end().ends_with(':')
        && said.len() <= 8
        && said.last().is_some_and(|it| {
            ["entities", "tables", "models", "collections", "objects", "aggregates", "records"].contains(&it.as_str())
        })
}

/// Whether a heading stands below one about data.
pub(super) fn is_below_data(document: &Document, section: usize) -> bool {
    document.around(section).skip(1).any(|it| !document.is_heading_of_all(it) && is_data_title(document.title(it)))
}

/// `**User**: ID, Email, Name`, `Policy – the contract of a member`, with fields as items below.
pub(super) fn entity_item(document: &Document, notes: &mut Notes, at: usize) {
    let block = &document.blocks[at];
    let Kind::Item(text, _) = &block.kind else { return };
    let children = document.children(at);
    let plain = text.plain.trim();
    // `/orders – what was ordered` is an address.
    if plain.starts_with('/') {
        return;
    }
    let listed = words::split(document.title(block.section))
        .iter()
        .any(|it| ["entities", "tables", "models", "collections", "objects", "aggregates"].contains(&it.as_str()))
        || document.lead(at).is_some_and(|lead| lists_entities(&lead.plain));
    // `**AuditLog**, **UploadLog**: what was done`
    let strongs: Vec<&str> = text.strongs().collect();
    let before = plain.split(':').next().unwrap_or("");
    if strongs.len() >= 2 && strongs.join(", ") == before.replace(" and ", ", ") {
        for name in strongs.iter().filter_map(|it| topics::thing_named(&Text::of(it))) {
            if !words::is_no_thing(&words::key(&name)) && !is_technology(&name) && !is_component(&name) {
                notes.entity(&name, block.line);
            }
        }
        return;
    }
    let (label, rest) = match text.label() {
        Some((label, rest)) => (label.to_owned(), rest.to_owned()),
        None => match plain.find([':', '(', '–', '—']).or_else(|| plain.find(" - ")) {
            Some(end) => (plain[..end].to_owned(), plain[end..].to_owned()),
            None if !children.is_empty()
                || listed && plain.split_whitespace().count() <= 2 && plain.starts_with(char::is_uppercase) =>
            {
                (plain.to_owned(), String::new())
            }
            None => return,
        },
    };
    let rest = rest.trim_start_matches([':', '-', '–', '—', ' ']).trim();
    let label = label.trim_end_matches(':');
    // `Stores relational data:` is said of what stands above.
    if label.split_whitespace().count() > 1 && label.split_whitespace().next().is_some_and(fields::is_said_of_another) {
        return;
    }
    // In a list of entities a `Document` is one.
    let single =
        || (listed && label.split_whitespace().count() == 1 && fields::is_identifier(label)).then(|| label.to_owned());
    let Some(name) = topics::thing_named(&Text::of(label)).or_else(single) else { return };
    if words::split(&name).len() > 3
        || !listed && words::is_no_thing(&words::key(&name))
        || is_technology(&name)
        || is_component(&name)
        || !name.starts_with(|c: char| c.is_alphabetic())
    {
        return;
    }
    let inner = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or("", |(inner, _)| inner);
    let below =
        captioned(document, &children).or_else(|| fields::of_items(document, &children, true)).unwrap_or_default();
    let mut found = Vec::new();
    for listed in [fields::of_list(inner, block.line), fields::of_list(rest, block.line)] {
        // A description may have a comma, too.
        let names = listed.iter().all(|it| it.name.split_whitespace().count() <= 2)
            && !listed.first().is_some_and(|it| it.name.ends_with("able"));
        if found.is_empty() && (names || listed.len() >= 4) {
            found = listed;
        }
    }
    found.extend(below);
    let is_fields = !found.is_empty();
    // Below `Slot availability:` stand rules, no fields.
    let ruled = |at: &usize| match &document.blocks[*at].kind {
        Kind::Item(text, _) => {
            [" shall ", " must ", " should ", " may ", " cannot "].iter().any(|it| text.plain.contains(it))
        }
        _ => false,
    };
    if !is_fields && rest.is_empty() && children.iter().any(ruled) {
        return;
    }
    if found.is_empty() {
        found = mentioned(text, rest, block.line);
    }
    if found.is_empty() {
        found = shapes::said(rest, block.line);
    }
    if let Some(entity) = notes.entity(&name, block.line) {
        if !is_fields && entity.description.is_empty() {
            entity.description = rest.replace('\n', " ");
        }
        found.into_iter().for_each(|field| entity.field(field));
    }
}

/// Fields that a description sets as code: `Tracks the `annual_deductible` of …`.
pub(super) fn mentioned(text: &Text, rest: &str, line: u32) -> Vec<FieldNote> {
    let says = words::split(rest);
    if !says.iter().any(|it| {
        ["tracks", "has", "stores", "holds", "contains", "includes", "records", "with", "keeps", "carries", "fields"]
            .contains(&it.as_str())
    }) {
        return Vec::new();
    }
    let names =
        text.codes().filter(|it| fields::is_identifier(it) && it.contains('_') && it.starts_with(char::is_lowercase));
    names.map(|name| FieldNote { name: name.to_owned(), line, ..FieldNote::default() }).collect()
}

/// `A task keeps separate values for:` with a list of what; says whether it was one.
pub(super) fn keeps(document: &Document, notes: &mut Notes, at: usize) -> bool {
    let Some(lead) = document.lead(at).map(|it| it.plain.replace('\n', " ")).filter(|it| it.trim_end().ends_with(':'))
    else {
        return false;
    };
    let sentence = lead.trim_end().trim_end_matches(':').rsplit(". ").next().unwrap_or("").to_ascii_lowercase();
    let verbs = [
        " keeps ",
        " stores ",
        " has ",
        " have ",
        " holds ",
        " contains ",
        " includes ",
        " records ",
        " consists of ",
        " keep ",
        " store ",
    ];
    let Some(verb) = verbs.iter().find_map(|it| sentence.find(it)) else { return false };
    let subject: Vec<String> =
        sentence[..verb].split_whitespace().filter(|it| !words::is_determiner(it)).map(str::to_owned).collect();
    let rest = &sentence[verb..];
    let tells = ["field", "attribute", "column", "propert", "value", "following", "information"]
        .iter()
        .any(|it| rest.contains(it))
        || rest.split_whitespace().count() <= 2;
    let Some(name) = notes.meant(&subject).map(|it| it.name.clone()).filter(|_| tells && subject.len() <= 4) else {
        return false;
    };
    let items = document.outer_items(at);
    let Some(found) = fields::of_items(document, &items, true)
        .filter(|it| it.iter().all(|field| field.name.split_whitespace().count() <= 3))
    else {
        return false;
    };
    if let Some(entity) = notes.entity(&name, document.blocks[at].line) {
        found.into_iter().for_each(|field| entity.field(field));
    }
    true
}
