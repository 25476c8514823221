//! Reading: entities and their fields, from headings, tables, lists, sentences and code of a section about data.

use super::document::{Document, Kind, Text};
use super::notes::{FieldNote, Notes};
use super::topics::{self, Topic};
use super::{code, endpoints, fields, services, told, words};

pub(super) fn read(document: &Document, notes: &mut Notes) {
    for (at, block) in document.blocks.iter().enumerate() {
        let service = services::of_section(document, notes, block.section);
        let known = notes.entities.len();
        match &block.kind {
            Kind::Table(head, rows) => table(document, notes, at, head, rows),
            Kind::Item(text, _) if document.begins_list(at) => {
                list(document, notes, at);
                if !topics::is_aside(document, block.section) {
                    sentences(notes, text, block.line, topics::topic(document, block.section));
                }
            }
            Kind::Code(language, text) => {
                let inside = topics::topic(document, block.section);
                let is_payload =
                    matches!(inside, Some(Topic::Payload | Topic::Events)) || is_endpoint(document, block.section);
                for found in code::read(language, text, block.line) {
                    code_entity(notes, found);
                }
                if inside == Some(Topic::Data) && !is_payload {
                    example(document, notes, at, language, text);
                }
            }
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                if text.plain.contains("TABLE ") && text.plain.contains('(') {
                    code::read("sql", &text.plain, block.line.saturating_sub(1))
                        .into_iter()
                        .for_each(|it| code_entity(notes, it));
                }
                if !topics::is_aside(document, block.section) {
                    sentences(notes, text, block.line, topics::topic(document, block.section));
                }
            }
        }
        for entity in &mut notes.entities[known..] {
            entity.service = entity.service.take().or_else(|| service.clone());
        }
    }
    headings(document, notes);
    dotted(document, notes);
}

fn code_entity(notes: &mut Notes, found: code::Found) {
    match found {
        code::Found::Entity { name, fields, line } => {
            if let Some(entity) = notes.entity(&name, line) {
                fields.into_iter().for_each(|field| entity.field(field));
            }
        }
        code::Found::Values { name, values } => notes.values.push((name, values)),
        code::Found::Relation(relation) => notes.relations.push(relation),
    }
}

fn is_endpoint(document: &Document, section: usize) -> bool {
    document.around(section).any(|it| endpoints::in_text(&document.sections[it].title.plain).is_some())
}

/// The thing that a list, table or block of code describes: what leads up to it says, or the headings.
fn owner(document: &Document, at: usize) -> Option<String> {
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
    ];
    let block = &document.blocks[at];
    if let Some(lead) = document.lead(at) {
        let says = words::split(&lead.plain);
        let about =
            ["field", "fields", "attributes", "columns", "properties", "table", "entity", "model", "collection"];
        let codes: Vec<&str> = lead.codes().filter(|it| fields::is_identifier(it)).collect();
        if says.iter().any(|word| about.contains(&word.as_str())) && !codes.is_empty() {
            return codes.first().map(|it| (*it).to_owned());
        }
        let strong: Vec<&str> = lead.strongs().collect();
        if let ([only], true) = (strong.as_slice(), lead.plain.split_whitespace().count() <= 6) {
            return topics::thing_named(&Text::of(only));
        }
        let short = lead.plain.trim().trim_end_matches(':');
        // `Types:`, `Examples:`, `Reasons:` are lists of something else than fields.
        let named = topics::thing_named(&Text::of(short)).filter(|_| !is_about_things(short));
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

fn table(document: &Document, notes: &mut Notes, at: usize, head: &[Text], rows: &[super::document::Row]) {
    let block = &document.blocks[at];
    let inside = topics::topic(document, block.section);
    if matches!(inside, Some(Topic::Payload | Topic::Events | Topic::Aside)) {
        return;
    }
    let names: Vec<String> = head.iter().map(|cell| words::split(&cell.plain).join(" ")).collect();
    let column = |words: &[&str]| names.iter().position(|name| words.contains(&name.as_str()));
    let entity = column(&[
        "entity",
        "entities",
        "tables",
        "models",
        "collections",
        "table",
        "model",
        "collection",
        "aggregate",
        "object",
        "domain object",
        "resource",
        "entity name",
        "table name",
        "concept",
        "core entity",
        "business object",
    ]);
    if let Some(entity) = entity {
        let field = column(&["field", "column", "attribute", "property"]);
        let list = column(&[
            "fields",
            "attributes",
            "columns",
            "properties",
            "key fields",
            "key attributes",
            "key columns",
            "main fields",
            "important fields",
            "main attributes",
            "core fields",
            "data",
        ]);
        let kind = column(&["type", "data type"]);
        let said = column(&[
            "description",
            "purpose",
            "meaning",
            "notes",
            "responsibility",
            "definition",
            "role",
            "represents",
        ]);
        let mut last = String::new();
        for row in rows {
            let cell = |at: Option<usize>| at.and_then(|at| row.cells.get(at)).map_or("", |cell| cell.plain.trim());
            // A row that leaves the name out goes on with the one above.
            // Several in one cell, as `User`, `UserSettings`
            let several: Vec<&str> = row
                .cells
                .get(entity)
                .map(|cell| cell.codes().filter(|it| fields::is_identifier(it)).collect())
                .unwrap_or_default();
            if several.len() > 1 {
                for name in several {
                    notes.entity(name, row.line);
                }
                continue;
            }
            let name =
                row.cells.get(entity).and_then(topics::thing_named).filter(|it| !is_component(it)).unwrap_or_default();
            if !name.is_empty() {
                last = name;
            }
            if last.is_empty() || inside.is_none() && list.is_none() && field.is_none() {
                continue;
            }
            let listed = fields::of_list(cell(list), row.line);
            let Some(note) = notes.entity(&last, row.line) else { continue };
            if note.description.is_empty() {
                note.description = cell(said).to_owned();
            }
            for field in listed {
                note.field(field);
            }
            if let (Some(_), Some(name)) = (field, fields::label_of(cell(field))) {
                let kind = cell(kind).trim_matches('`').to_owned();
                note.field(FieldNote {
                    name,
                    kind,
                    line: row.line,
                    values: fields::values(cell(said)),
                    ..FieldNote::default()
                });
            }
        }
        return;
    }
    let Some(found) = fields::of_table(head, rows) else { return };
    if is_endpoint(document, block.section) {
        return;
    }
    let owner = told::only_table(document, block.section).or_else(|| owner(document, at));
    let Some(owner) = owner else { return };
    let line = document.sections[block.section].line;
    let described = document.lead(at).map(|lead| lead.plain.replace('\n', " ")).filter(|lead| !lead.ends_with(':'));
    if let Some(entity) = notes.entity(&owner, line) {
        if entity.description.is_empty() {
            entity.description = described.unwrap_or_default();
        }
        found.into_iter().for_each(|field| entity.field(field));
    }
}

fn list(document: &Document, notes: &mut Notes, at: usize) {
    let block = &document.blocks[at];
    let inside = topics::topic_below_title(document, block.section);
    let weak = inside.is_none() && topics::topic(document, block.section) == Some(Topic::Data);
    if keeps(document, notes, at) {
        return;
    }
    if inside != Some(Topic::Data) && !weak
        || is_endpoint(document, block.section)
        || topics::is_aside(document, block.section)
    {
        return;
    }
    let items = document.outer_items(at);
    let owner = owner(document, at);
    let has_children = items.iter().any(|item| !document.children(*item).is_empty());
    let lead_says = document.lead(at).is_some_and(|lead| {
        words::split(&lead.plain)
            .iter()
            .any(|it| ["field", "fields", "attributes", "columns", "properties"].contains(&it.as_str()))
    });
    let own = document.title(block.section);
    // `Core entities:`
    let listed = document.lead(at).is_some_and(|lead| lists_entities(&lead.plain));
    let names_entities = listed
        || topics::is_plain_heading(own) && !lead_says
        || words::split(own)
            .iter()
            .any(|it| ["entities", "tables", "collections", "models", "objects"].contains(&it.as_str()));
    if let Some(owner) = owner.filter(|_| !names_entities) {
        let certain = !weak && (lead_says || has_children || is_below_data(document, block.section));
        let all: Vec<usize> = (at..document.blocks.len())
            .take_while(|it| {
                matches!(document.blocks[*it].kind, Kind::Item(..)) && document.blocks[*it].section == block.section
            })
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

/// `Core entities:`
fn lists_entities(lead: &str) -> bool {
    let said = words::split(lead);
    lead.trim_end().ends_with(':')
        && said.len() <= 8
        && said.last().is_some_and(|it| {
            ["entities", "tables", "models", "collections", "objects", "aggregates"].contains(&it.as_str())
        })
}

fn is_data_title(title: &str) -> bool {
    words::split(title).iter().any(|it| {
        ["entities", "entity", "data", "tables", "models", "model", "schema", "collections", "objects"]
            .contains(&it.as_str())
    })
}

/// Whether a heading stands below one about data.
fn is_below_data(document: &Document, section: usize) -> bool {
    document.around(section).skip(1).any(|it| !document.is_heading_of_all(it) && is_data_title(document.title(it)))
}

/// `**User**: ID, Email, Name`, `Policy – the contract of a member`, with fields as items below.
fn entity_item(document: &Document, notes: &mut Notes, at: usize) {
    let block = &document.blocks[at];
    let Kind::Item(text, _) = &block.kind else { return };
    let children = document.children(at);
    let plain = text.plain.trim();
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
    // In a list of entities a `Document` is one.
    let single =
        || (listed && label.split_whitespace().count() == 1 && fields::is_identifier(label)).then(|| label.to_owned());
    let Some(name) = topics::thing_named(&Text::of(label)).or_else(single) else { return };
    if words::split(&name).len() > 3
        || words::is_no_thing(&words::key(&name))
        || is_technology(&name)
        || is_component(&name)
        || !name.starts_with(|c: char| c.is_alphabetic())
    {
        return;
    }
    let inner = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or("", |(inner, _)| inner);
    let below = fields::of_items(document, &children, true).unwrap_or_default();
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
    if let Some(entity) = notes.entity(&name, block.line) {
        if !is_fields && entity.description.is_empty() {
            entity.description = rest.replace('\n', " ");
        }
        found.into_iter().for_each(|field| entity.field(field));
    }
}

/// Fields that a description sets as code: `Tracks the `annual_deductible` of …`.
fn mentioned(text: &Text, rest: &str, line: u32) -> Vec<FieldNote> {
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

/// Things that are used, not modelled.
fn is_technology(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&str] = &[
        "postgresql", "postgre", "mysql", "sqlite", "mongodb", "redis", "kafka", "rabbitmq", "docker",
        "elasticsearch", "supabase", "firebase", "firestore", "prisma", "typeorm", "sequelize", "dynamodb",
        "cassandra", "neo4j", "mariadb", "oracle", "backend", "frontend", "react", "storage", "cache", "indexe",
        "index", "migration", "orm", "hosting", "language", "framework", "pgvector", "minio",
    ];
    NAMES.contains(&words::key(name).as_str())
}

/// What sentences say of things: `entities like A, B and C`, `Product has: Name, Price`, `with name, price of the space`.
fn sentences(notes: &mut Notes, text: &Text, line: u32, inside: Option<Topic>) {
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
            let found = fields::of_list(rest, line);
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
fn carried(notes: &mut Notes, text: &Text, line: u32) {
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
fn provided(notes: &mut Notes, text: &Text, line: u32) {
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

/// `A task keeps separate values for:` with a list of what; says whether it was one.
fn keeps(document: &Document, notes: &mut Notes, at: usize) -> bool {
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

/// Fields that code names with their entity: `Visit.visit_context`, and a column that exists on several.
fn dotted(document: &Document, notes: &mut Notes) {
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
        }
    }
}

/// ``The `is_active` column exists on `users` and `agents` ``
fn shared(notes: &mut Notes, text: &Text, line: u32) {
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

/// A document of JSON that shows what a thing looks like.
fn example(document: &Document, notes: &mut Notes, at: usize, language: &str, text: &str) {
    if !(language.starts_with("json") || language.is_empty()) || !text.trim_start().starts_with('{') {
        return;
    }
    let Some(serde_json::Value::Object(object)) = serde_json::from_str(text).ok() else { return };
    let Some(owner) = owner(document, at) else { return };
    let line = document.blocks[at].line;
    if let Some(entity) = notes.entity(&owner, line) {
        for (name, value) in object {
            let kind = match value {
                serde_json::Value::Bool(_) => "boolean",
                serde_json::Value::Number(number) if number.is_i64() => "integer",
                serde_json::Value::Number(_) => "number",
                serde_json::Value::Array(_) => "array",
                serde_json::Value::Object(_) => "object",
                serde_json::Value::String(text) if fields::is_type(&text) => {
                    entity.field(FieldNote { name, kind: text, line, ..FieldNote::default() });
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
        performance decision privacy ownership selector service guideline reason benefit limitation goal step status metric invariant mechanism inventory boundary";
    words::split(title).iter().any(|word| OTHER.split_whitespace().any(|it| it == words::singular(word)))
}

/// Parts of programs, not of a domain.
fn is_component(name: &str) -> bool {
    let parts = "service controller repository handler dto middleware factory adapter validator";
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
        if !generic || topics::is_aside(document, at) || told::only_table(document, at).is_some() {
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
