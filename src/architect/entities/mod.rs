//! Reading: entities and their fields, from headings, tables, lists, sentences and code of a section about data.

pub(super) mod below;
mod columns;
mod common;
mod declared;
mod entries;
mod lists;
mod outlines;
mod paths;
mod sentences;
mod shapes;
mod spoken;
mod tables;
mod views;

use super::document::{Document, Kind, Text};
use super::notes::{FieldNote, Notes};
use super::topics::{self, Topic};
use super::{code, endpoints, fields, judge, payload, resources, services, told, words};
use lists::list;
pub(super) use lists::unowned;
use sentences::{dotted, sentences};
use tables::table;

pub(super) fn read(document: &Document, notes: &mut Notes) {
    for (at, block) in document.blocks.iter().enumerate() {
        let service = services::of_section(document, notes, block.section);
        let known = notes.entities.len();
        let is_item = matches!(block.kind, Kind::Item(..));
        if let (Kind::Paragraph(text) | Kind::Item(text, _), false) = (&block.kind, document.asides[block.section]) {
            shapes::read(document, notes, at, text, is_item);
        }
        if !document.asides[block.section] {
            below::read(document, notes, at);
        }
        match &block.kind {
            Kind::Table(head, rows) if !document.asides[block.section] && shapes::rows(notes, head, rows) => {}
            Kind::Table(head, rows) => table(document, notes, at, head, rows),
            Kind::Item(..) if document.begins_list(at) && below::is_of_members(document, at) => {}
            Kind::Item(..)
                if document.begins_list(at)
                    && !document.asides[block.section]
                    && !is_endpoint(document, block.section)
                    && below::described(document, notes, at) => {}
            Kind::Item(text, _) if document.begins_list(at) => {
                let of_all = document.lead(at).is_some_and(|it| common::is_said(notes, &it.plain));
                if !of_all && !columns::items(document, notes, at) && !columns::titled_items(document, notes, at) {
                    list(document, notes, at);
                }
                if !document.asides[block.section] {
                    sentences(notes, text, block.line, topics::topic(document, block.section));
                }
            }
            Kind::Code(language, text) => {
                let inside = topics::topic(document, block.section);
                let is_payload =
                    matches!(inside, Some(Topic::Payload | Topic::Events)) || is_endpoint(document, block.section);
                if text.contains(['├', '└']) && language.len() <= 4 {
                    tree(document, notes, block.section, text, block.line + 1);
                }
                let schemas = if is_data(language) { code::schemas::read(text, block.line) } else { Vec::new() };
                if !schemas.is_empty() && !is_endpoint(document, block.section) {
                    schemas.into_iter().for_each(|it| code_entity(notes, it));
                } else if !(paths::documents(notes, text, block.line)
                    || paths::is_of_store(document, block.section)
                        && (paths::layouts(notes, text, block.line) || paths::names(notes, text, block.line))
                    || columns::csv(document, notes, at, language, text)
                    || columns::aligned(document, notes, at, language, text))
                {
                    let known = code::read(language, text, block.line);
                    let as_data = ["yaml", "yml"].contains(&language.as_str()) && !is_payload;
                    let heading = || outlines::headed(document, block.section);
                    let is_read = !known.is_empty()
                        || columns::typed_columns(document, notes, at, language, text)
                        || columns::described(notes, text, block.line)
                        || as_data && outlines::outline(notes, heading().as_deref(), text, block.line);
                    if !is_read {
                        columns::block(document, notes, at, language, text);
                    }
                    known.into_iter().for_each(|it| code_entity(notes, it));
                    if inside == Some(Topic::Data) && !is_payload {
                        example(document, notes, at, language, text);
                    }
                }
            }
            Kind::Paragraph(text) if text.plain.contains(['├', '└']) => {
                tree(document, notes, block.section, &text.plain, block.line);
            }
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                if matches!(block.kind, Kind::Paragraph(_)) {
                    columns::line(document, notes, at, text);
                }
                if lists::lists_entities(&text.plain) && !document.asides[block.section] {
                    document.children(at).into_iter().for_each(|it| lists::entity_item(document, notes, it));
                }
                if text.plain.contains("TABLE ") && text.plain.contains('(') {
                    code::read("sql", &text.plain, block.line.saturating_sub(1))
                        .into_iter()
                        .for_each(|it| code_entity(notes, it));
                }
                if !document.asides[block.section] {
                    sentences(notes, text, block.line, topics::topic(document, block.section));
                }
            }
        }
        for entity in &mut notes.entities[known..] {
            entity.service = entity.service.take().or_else(|| service.clone());
        }
    }
    headings(document, notes);
    spoken::read(document, notes);
    dotted(document, notes);
    declared::read(document, notes);
    common::read(document, notes);
    entries::read(document, notes);
}

/// Things that a tree of a domain names: `├── Profile`. A tree of files has names with points and strokes.
fn tree(document: &Document, notes: &mut Notes, section: usize, text: &str, line: u32) {
    let title = document.around(section).find(|it| document.topics[*it].is_some()).map_or("", |it| document.title(it));
    let about = words::split(title).iter().any(|it| ["domain", "data", "entity", "entities"].contains(&it.as_str()));
    let names: Vec<(u32, &str)> = text
        .lines()
        .enumerate()
        .map(|(at, it)| (line + at as u32, it.trim_matches(|c: char| !c.is_alphanumeric())))
        .filter(|(_, it)| !it.is_empty())
        .collect();
    let fits = names.iter().all(|(_, it)| {
        it.starts_with(char::is_uppercase)
            && it.split_whitespace().count() <= 3
            && it.chars().all(|c| c.is_alphanumeric() || c == ' ')
    });
    if about && fits && names.len() >= 3 {
        for (line, name) in names {
            notes.entity(name, line);
        }
    }
}

/// Whether a block in this language may be data.
fn is_data(language: &str) -> bool {
    ["", "json", "jsonc", "json5", "yaml", "yml", "text", "txt"].contains(&language)
}

fn code_entity(notes: &mut Notes, found: code::Found) {
    match found {
        code::Found::Entity { name, fields, line } => {
            // `TradeInInput` is a form of the `TradeIn` that is known.
            if is_form(notes, &name) {
                return;
            }
            let name = without_role(&name);
            if is_component(&name) || is_form(notes, &name) {
                return;
            }
            if let Some(entity) = notes.entity(&name, line) {
                fields.into_iter().for_each(|field| entity.field(field));
            }
        }
        code::Found::Values { name, values } => notes.values.push((name, values)),
        code::Found::Relation(relation) => {
            if ![&relation.source, &relation.target].into_iter().any(|it| is_form(notes, it)) {
                notes.relations.push(relation);
            }
        }
    }
}

/// Whether a class is a form of a known thing, or what all classes begin with: `OrderUpdate`, `OrderBase`, `BaseModel`.
fn is_form(notes: &Notes, name: &str) -> bool {
    let words = words::split(name);
    let is_last = |it: &&str| words.len() > 1 && words.last().is_some_and(|last| last == it);
    ["Base", "BaseModel", "BaseEntity"].contains(&name)
        || FORMS.iter().chain(ROLES).any(is_last) && notes.known(&words[..words.len() - 1].join(" ")).is_some()
}

/// Last words of classes that are forms of others: `OrderSchema`.
const FORMS: &[&str] = &["schema", "dto", "request", "response", "input", "payload"];
/// What a form is for: `OrderCreate`, `OrderCreateSchema`.
const ROLES: &[&str] = &["create", "update", "read", "base", "in", "out", "response", "request"];

/// The thing that a class describes for going in or out: `OrderCreateSchema`, `OrderResponse`.
pub(super) fn without_role(name: &str) -> String {
    let words = words::split(name);
    let end = words.len() - usize::from(words.len() > 1 && words.last().is_some_and(|it| FORMS.contains(&it.as_str())));
    let of_form = end < words.len();
    let role = end > 1 && ROLES.contains(&words[end - 1].as_str());
    let first = usize::from(of_form && end > 1 && !role && ROLES.contains(&words[0].as_str()));
    // A `LeaveRequest` is no leave.
    if of_form && !role && first == 0 && words.last().is_some_and(|it| it == "request") {
        return name.to_owned();
    }
    if of_form { words::pascal(&words[first..end - usize::from(role)].join(" ")) } else { name.to_owned() }
}

fn is_endpoint(document: &Document, section: usize) -> bool {
    document.around(section).any(|it| endpoints::in_text(&document.sections[it].title.plain).is_some())
}

/// The thing that a list, table or block of code describes: what leads up to it says, or the headings.
fn owner(document: &Document, at: usize) -> Option<String> {
    let section = document.blocks[at].section;
    if let Some(table) =
        table_headed(document, section).filter(|_| topics::thing_named(&document.sections[section].title).is_none())
    {
        return Some(table);
    }
    // `Editable fields` names no thing: the nearest heading that names one says whose fields follow.
    let shown = |section: usize| topics::thing_named(&document.sections[section].title).map(|it| views::shown(&it));
    match owner_as_said(document, at).map(|it| views::shown(&it))? {
        // `OrderReadDTO` describes an order.
        Some(name) if name.to_ascii_lowercase().ends_with("dto") => Some(without_role(&name)),
        Some(name) => Some(name),
        None => document
            .around(document.blocks[at].section)
            .filter(|it| !document.is_heading_of_all(*it))
            .find_map(shown)
            .flatten(),
    }
}

/// The table that a heading names by a word that means something else elsewhere: `Documents`, `Roles`, `Services`.
fn table_headed(document: &Document, section: usize) -> Option<String> {
    #[rustfmt::skip]
    const CAPTIONS: &[&str] = &[
        "field", "column", "attribute", "property", "schema", "structure", "definition", "overview", "detail", "index", "constraint",
        "relationship", "relation", "table", "entity", "model", "data model", "collection", "key", "enum", "type", "data type",
        "requirement", "example", "data", "database", "parameter", "request", "response", "body", "payload", "description", "core field",
    ];
    let title = &document.sections[section].title;
    if !document.tables[section] {
        return None;
    }
    if let Some(thing) = topics::thing_named(title) {
        return Some(thing);
    }
    let name = topics::without_number(title.plain.trim());
    let fits = (1..=2).contains(&name.split_whitespace().count())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ' ');
    let name = words::split(name).iter().map(|it| words::singular(it)).collect::<Vec<_>>().join(" ");
    (fits && !CAPTIONS.contains(&name.as_str())).then_some(name)
}

fn owner_as_said(document: &Document, at: usize) -> Option<String> {
    const LISTS: &[&str] = &[
        "field",
        "fields",
        "attribute",
        "attributes",
        "column",
        "columns",
        "property",
        "properties",
        "contains",
        "includes",
        "has",
        "stores",
        "schema",
        "structure",
        "data",
        "information",
        "details",
        "keeps",
        "parameters",
        "keys",
    ];
    let block = &document.blocks[at];
    if let Some(lead) = document.lead(at) {
        if let Some(name) = labelled(&lead.plain) {
            return Some(name);
        }
        if let Some(name) = judge::had(&lead.plain) {
            // Below `Job Shifts` a shift is a job shift.
            let end = words::key(&name);
            let headed =
                document.around(block.section).find_map(|it| topics::thing_named(&document.sections[it].title));
            let longer = headed.filter(|it| words::key(it).ends_with(&end) && words::split(it).len() > 1);
            return Some(longer.unwrap_or(name));
        }
        let says = words::split(&lead.plain);
        let about =
            ["field", "fields", "attributes", "columns", "properties", "table", "entity", "model", "collection"];
        let codes: Vec<&str> = lead.codes().filter(|it| fields::is_identifier(it)).collect();
        if says.iter().any(|word| about.contains(&word.as_str())) && !codes.is_empty() {
            return codes.first().map(|it| (*it).to_owned());
        }
        // `**Purpose:** Keeps what was ordered.` says nothing of whose fields follow.
        let describes = |it: &&str| {
            ["purpose", "description", "note", "notes", "usage", "overview", "summary"]
                .contains(&it.trim().trim_end_matches(':').to_ascii_lowercase().as_str())
        };
        let strong: Vec<&str> = lead.strongs().filter(|it| !describes(it)).collect();
        // `**Add User Button** — Opens a modal:`
        let begins = strong.first().is_some_and(|it| lead.plain.trim_start().starts_with(it));
        let most = if begins { 9 } else { 6 };
        if let ([only], true) = (strong.as_slice(), lead.plain.split_whitespace().count() <= most) {
            // `**Market data fields**` of a company that has had a table of fields above
            let group =
                words::split(only).last().is_some_and(|it| ["fields", "columns", "attributes"].contains(&it.as_str()));
            let above = document.blocks[..at].iter().rev().take_while(|it| it.section == block.section);
            if group
                && above
                    .into_iter()
                    .any(|it| matches!(&it.kind, Kind::Table(head, rows) if fields::of_table(head, rows).is_some()))
                && let Some(thing) = topics::thing_named(&document.sections[block.section].title)
            {
                return Some(thing);
            }
            return topics::thing_named(&Text::of(only));
        }
        let short = lead.plain.trim().trim_end_matches(':');
        // `Entity: User`
        let labelled = short.split_once(':').filter(|(kind, name)| {
            let kind = words::split(kind);
            (1..=3).contains(&name.split_whitespace().count())
                && matches!(kind.as_slice(), [only] if about[5..].contains(&only.as_str()))
        });
        if let Some(name) = labelled.and_then(|(_, name)| topics::thing_named(&Text::of(name))) {
            return Some(name);
        }
        // `Types:`, `Examples:`, `Reasons:` are lists of something else than fields.
        let is_caption = LISTS.contains(&short.to_ascii_lowercase().as_str());
        let named = topics::thing_named(&Text::of(short)).filter(|_| !is_about_things(short) && !is_caption);
        if lead.plain.trim().ends_with(':')
            && short.split_whitespace().count() <= 5
            && !says.iter().any(|it| LISTS.contains(&it.as_str()))
            && named.is_none()
        {
            return None;
        }
        if lead.plain.trim().ends_with(':')
            && short.split_whitespace().count() <= 3
            && short.starts_with(char::is_uppercase)
            && named.is_some()
        {
            return named;
        }
    }
    let around: Vec<usize> = document.around(block.section).collect();
    let own = around.first()?;
    if matches!(block.kind, Kind::Item(..)) && is_about_things(document.title(*own)) {
        return None;
    }
    // Above a heading that names nothing (`Fields`) there is one that does; above a heading about data in general, none.
    for section in &around {
        let title = &document.sections[*section].title;
        if endpoints::in_text(&title.plain).is_some() {
            return None;
        }
        if let Some(thing) = topics::thing_named(title) {
            let is_service = words::split(&thing).last().is_some_and(|it| it == "service");
            return (!document.is_heading_of_all(*section) && !is_service).then_some(thing);
        }
        let words = words::split(&title.plain);
        let is_caption = words.iter().any(|it| {
            [
                "fields",
                "attributes",
                "columns",
                "properties",
                "schema",
                "table",
                "structure",
                "data",
                "definition",
                "description",
                "details",
                "type",
            ]
            .contains(&it.as_str())
        });
        if section == own && !is_caption {
            return None;
        }
    }
    None
}

/// The thing in a first line that labels what it names: `TABLE: CUSTOMER`, with a description below.
fn labelled(lead: &str) -> Option<String> {
    let (first, _) = lead.split_once('\n')?;
    let (label, name) = first.split_once(':')?;
    let label = label.trim().to_ascii_lowercase();
    let fits = ["table", "entity", "collection", "class", "object"].contains(&label.as_str());
    let name = name.trim().trim_matches(['`', '*']);
    (fits && fields::is_identifier(name)).then(|| name.to_owned())
}

fn is_data_title(title: &str) -> bool {
    words::split(title).iter().any(|it| {
        ["entities", "entity", "data", "tables", "models", "model", "schema", "collections", "objects"]
            .contains(&it.as_str())
    })
}

/// Things that are used, not modelled.
pub(in crate::architect) fn is_technology(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "postgresql", "postgre", "mysql", "sqlite", "mongodb", "redis", "kafka", "rabbitmq", "docker",
        "elasticsearch", "supabase", "firebase", "firestore", "prisma", "typeorm", "sequelize", "dynamodb",
        "cassandra", "neo4j", "mariadb", "oracle", "backend", "frontend", "react", "storage", "cache", "indexe",
        "index", "migration", "orm", "hosting", "language", "framework", "pgvector", "minio",
    ];
    NAMES.contains(&words::key(name).as_str())
}

/// A document of JSON that shows what a thing looks like.
fn example(document: &Document, notes: &mut Notes, at: usize, language: &str, text: &str) {
    // Blocks are often marked as another language than they are.
    let is_json = language.starts_with("json");
    if !text.trim_start().starts_with('{') {
        return;
    }
    if let Some(found) = code::unnamed(text, document.blocks[at].line)
        && let Some(owner) = owner(document, at)
        && let Some(entity) = notes.entity(&owner, document.blocks[at].line)
    {
        found.into_iter().for_each(|field| entity.field(field));
        return;
    }
    // Remarks are no JSON.
    let lines: Vec<&str> = text.lines().map(|it| it.split(" //").next().unwrap_or(it)).collect();
    let text = lines.join("\n");
    let text = text.as_str();
    if let Ok(serde_json::Value::Object(object)) = serde_json::from_str(text)
        && several(notes, document.blocks[at].line, &object)
    {
        return;
    }
    let object = match serde_json::from_str(text) {
        Ok(serde_json::Value::Object(object)) => object,
        // With `...` for what is left out.
        Err(_) if is_json => match payload::read(text) {
            Some(serde_json::Value::Object(mut schema)) => match schema.remove("properties") {
                Some(serde_json::Value::Object(object)) => return members(document, notes, at, object, true),
                _ => return,
            },
            _ => return,
        },
        _ => return,
    };
    members(document, notes, at, object, false);
    resources::within_document(notes, text, document.blocks[at].line);
}

/// A document whose members are lists of objects has a thing in each of them: `{"orders": [{"id": 1, "total": 5}]}`. Says
/// whether it is that.
fn several(notes: &mut Notes, line: u32, object: &serde_json::Map<String, serde_json::Value>) -> bool {
    let first = |value: &serde_json::Value| value.as_array()?.first()?.as_object().filter(|it| it.len() >= 2).cloned();
    let things: Vec<_> = object.iter().filter_map(|(name, value)| Some((name.clone(), first(value)?))).collect();
    if things.len() < 2 {
        return false;
    }
    for (name, members) in things {
        if let Some(entity) = notes.entity(&name, line) {
            for (name, value) in members {
                let kind = match value {
                    serde_json::Value::Bool(_) => "boolean",
                    serde_json::Value::Number(_) => "number",
                    serde_json::Value::Array(_) => "array",
                    serde_json::Value::Object(_) => "object",
                    serde_json::Value::String(_) => "string",
                    serde_json::Value::Null => "",
                };
                entity.field(FieldNote { name, kind: kind.to_owned(), line, ..FieldNote::default() });
            }
        }
    }
    true
}

/// Notes the members of an object as fields; of a schema each value says the type.
fn members(
    document: &Document,
    notes: &mut Notes,
    at: usize,
    object: serde_json::Map<String, serde_json::Value>,
    is_schema: bool,
) {
    let Some(owner) = owner(document, at) else { return };
    let line = document.blocks[at].line;
    if let Some(entity) = notes.entity(&owner, line) {
        for (name, value) in object {
            if is_schema {
                let kind = value.get("type").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
                entity.field(FieldNote { name, kind, line, ..FieldNote::default() });
                continue;
            }
            let kind = match value {
                serde_json::Value::Bool(_) => "boolean",
                serde_json::Value::Number(number) if number.is_i64() => "integer",
                serde_json::Value::Number(_) => "number",
                serde_json::Value::Array(_) => "array",
                serde_json::Value::Object(_) => "object",
                // `"String (unique, required)"`
                serde_json::Value::String(text) if fields::is_type(&text) => {
                    let described = fields::of_line(&Text::of(&format!("{name}: {text}")), line);
                    entity.field(described.filter(|it| it.name == name).unwrap_or_else(|| FieldNote {
                        name,
                        kind: text,
                        line,
                        ..FieldNote::default()
                    }));
                    continue;
                }
                serde_json::Value::String(_) => "string",
                serde_json::Value::Null => "",
            };
            entity.field(FieldNote { name, kind: kind.to_owned(), line, ..FieldNote::default() });
        }
    }
}

/// Whether a heading says something about things, instead of naming one.
fn is_about_things(title: &str) -> bool {
    const OTHER: &str = "relationship rule index note overview constraint enum diagram policy strategy security consideration validation flow query \
        migration retention access why summary principle seed example convention integrity storage backup requirement level how what file naming \
        performance architecture stack technology decision privacy ownership selector service guideline reason benefit limitation goal step status metric invariant mechanism inventory boundary";
    words::split(title).iter().any(|word| OTHER.split_whitespace().any(|it| it == words::singular(word)))
}

/// Parts of programs, not of a domain.
pub(in crate::architect) fn is_component(name: &str) -> bool {
    let parts = "service controller repository handler dto middleware factory adapter validator manager processor generator client provider engine exception listener scheduler";
    let words = words::split(name);
    words.len() > 1 && words.last().is_some_and(|last| parts.split_whitespace().any(|it| it == last))
}

/// Headings below one about data in general that name a thing, whatever stands below them.
fn headings(document: &Document, notes: &mut Notes) {
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        let parent = section.parent;
        let above = document.title(parent);
        let generic = parent != 0
            && topics::is_plain_heading(above)
            && is_data_title(above)
            && !document.is_heading_of_all(parent);
        if !generic || document.asides[at] || told::only_table(document, at).is_some() {
            continue;
        }
        let Some(thing) = topics::thing_named(&section.title) else { continue };
        let other = is_about_things(document.title(at));
        if other
            || words::is_no_thing(&words::key(&thing))
            || is_technology(&thing)
            || is_component(&thing)
            || !thing.starts_with(|c: char| c.is_uppercase() || thing.contains('_') && c.is_alphabetic())
        {
            continue;
        }
        let described = document.blocks.iter().find(|block| block.section == at).and_then(|block| match &block.kind {
            Kind::Paragraph(text) => Some(text.plain.replace('\n', " ")),
            _ => None,
        });
        if let Some(entity) = notes.entity(&thing, section.line)
            && entity.description.is_empty()
        {
            entity.description = described.unwrap_or_default();
        }
    }
}
