//! Tables of entities, and of the fields of one.

use super::{common, is_component, is_endpoint, owner, shapes, views};
use crate::architect::document::{Document, Row, Text};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::topics::Topic;
use crate::architect::{fields, told, topics, words};

/// Heads of the columns that have the names of tables or collections of a database.
const STORED: &[&str] = &["table", "tables", "table name", "collection", "collections", "entity", "entities"];

pub(super) fn table(document: &Document, notes: &mut Notes, at: usize, head: &[Text], rows: &[Row]) {
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
    // `Item | PK | SK | other attributes`: a column of attributes says what the first column names.
    let says_fields = |name: &String| {
        let (before, last) = name.rsplit_once(' ').unwrap_or(("", name));
        ["other", "main", "key", "important"].contains(&before) && ["attributes", "fields"].contains(&last)
    };
    let named = || ["item", "record", "document", "thing"].contains(&names.first()?.as_str()).then_some(0);
    let entity = entity.or_else(|| names.iter().any(says_fields).then(named).flatten());
    // The head alone says that a column lists fields, whatever the heading above: `Table | Purpose | Key fields` below `Messaging`.
    let list = column(&[
        "document fields",
        "its fields",
        "what we store",
        "what we keep",
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
    ])
    .or_else(|| names.iter().position(says_fields));
    let block = &document.blocks[at];
    let inside = topics::topic(document, block.section);
    let stored = entity.is_some_and(|it| STORED.contains(&names[it].as_str())) && list.is_some();
    let other = common::is_headed(document, block.section) || matches!(inside, Some(Topic::Payload | Topic::Events));
    let aside = inside == Some(Topic::Aside) && (!stored || document.excluded[block.section]);
    if other && !stored || aside {
        return;
    }
    if let Some(entity) = entity {
        let field =
            column(&["field", "column", "attribute", "property", "field name", "column name", "attribute name"]);
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
            "remark",
            "remarks",
            "comment",
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
            let plainly = ["entity", "entities", "domain object"].contains(&names[entity].as_str());
            if last.is_empty() || inside.is_none() && list.is_none() && field.is_none() && !plainly {
                continue;
            }
            let listed = fields::stated(fields::of_cell(cell(list), row.line));
            let Some(note) = notes.entity(&last, row.line) else { continue };
            if note.description.is_empty() {
                note.description = cell(said).to_owned();
            }
            if list.is_none() && field.is_none() {
                shapes::said(cell(said), row.line).into_iter().for_each(|it| note.field(it));
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
    coded(notes, &names, rows);
    if listed(document, notes, at, head, rows) || side_by_side(notes, head, rows) {
        return;
    }
    let found = fields::of_table(head, rows);
    if let (None, Some((name, found))) = (&found, class(head, rows)) {
        if let Some(entity) = notes.entity(&name, block.line) {
            found.into_iter().for_each(|field| entity.field(field));
        }
        return;
    }
    let Some(found) = found else { return };
    if is_endpoint(document, block.section) {
        return;
    }
    let captioned = document.lead(at).and_then(captioned);
    let owner = captioned.or_else(|| told::only_table(document, block.section)).or_else(|| owner(document, at));
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

/// Notes the things that cells name as code, as programs name their classes, below a head that speaks of things: `Main entities and
/// relationships` above `` `Job` links an estimate; `Plan` supplies visits ``.
fn coded(notes: &mut Notes, heads: &[String], rows: &[Row]) {
    const SAYS: &[&str] = &["entity", "entities", "models", "model", "aggregates", "aggregate"];
    let is_class = |it: &&str| {
        fields::is_identifier(it)
            && it.starts_with(char::is_uppercase)
            && it.contains(char::is_lowercase)
            && !is_component(it)
    };
    for (column, _) in heads.iter().enumerate().filter(|(_, it)| it.split(' ').any(|word| SAYS.contains(&word))) {
        for row in rows {
            let Some(cell) = row.cells.get(column) else { continue };
            cell.codes().filter(is_class).for_each(|name| {
                notes.entity(name, row.line);
            });
        }
    }
}

/// The thing that the line before a table of fields is the name of: `yacht`, `Table 1. Firefighter`, `models/Record.js`, `describe club;`,
/// `Who plays is kept in `players`:`.
fn captioned(lead: &Text) -> Option<String> {
    /// Captions of what goes in or out, or of fields whose thing the heading names.
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        "request", "response", "body", "payload", "header", "parameter", "query", "input", "output", "field", "column", "attribute",
        "property", "example", "table", "data", "schema", "structure", "params", "argument", "detail",
    ];
    const FILES: &[&str] = &["js", "ts", "py", "rb", "php", "java", "cs", "go", "csv", "sql"];
    let plain = lead.plain.trim().trim_end_matches([':', ';', '.']);
    let words: Vec<&str> = plain.split_whitespace().collect();
    let file = |it: &str| {
        let (path, end) = it.rsplit_once('.')?;
        let name = path.rsplit('/').next().filter(|it| fields::is_identifier(it))?;
        FILES.contains(&end).then(|| name.to_owned())
    };
    let named =
        |it: &str| Some(it.trim_matches(['`', '"', '\''])).filter(|it| fields::is_identifier(it)).map(str::to_owned);
    match words.as_slice() {
        [only] if only.contains('.') => file(only),
        [only] => named(only)
            .filter(|it| !lead.plain.trim().ends_with('.') && !OTHERS.contains(&words::key(it).as_str()))
            .filter(|it| !views::is_sort(&it.to_ascii_lowercase()) && !words::is_no_thing(&words::key(it))),
        [.., "describe" | "DESCRIBE" | "desc" | "DESC" | "\\d", name] => named(name),
        ["Table", number, rest @ ..] if !rest.is_empty() && number.starts_with(|c: char| c.is_ascii_digit()) => {
            let rest = rest.join(" ");
            topics::thing_named(&Text::of(rest.trim_start_matches(['-', '–', '—', ':', ' '])))
        }
        [.., "kept" | "stored" | "held" | "recorded" | "saved", "in", name] => {
            lead.codes().last().filter(|it| it == name).and_then(named)
        }
        _ => None,
    }
}

/// A table of two columns below a heading about fields: in each row the name of a thing, and the names of its fields with commas
/// between them. The head is a row like the others where nothing else is said there. Says whether the table was one of these.
fn listed(document: &Document, notes: &mut Notes, at: usize, head: &[Text], rows: &[Row]) -> bool {
    let block = &document.blocks[at];
    let title = document.title(block.section);
    let about = topics::says_fields(title.split([',', ':']).next().unwrap_or(title))
        || topics::topic(document, block.section) == Some(Topic::Data);
    let [first, second] = head else { return false };
    let row = |name: &Text, listed: &Text, line: u32| {
        let name = topics::thing_named(name).filter(|it| !is_component(it))?;
        let found = fields::stated(fields::of_cell(listed.plain.trim(), line));
        (found.len() >= 2).then_some((name, line, found))
    };
    let head = row(first, second, block.line);
    if !about || head.is_none() && !first.plain.trim().is_empty() {
        return false;
    }
    let all = rows.iter().map(|it| match it.cells.as_slice() {
        [name, listed] => row(name, listed, it.line),
        _ => None,
    });
    let Some(found) = all.collect::<Option<Vec<_>>>().filter(|it| it.len() + usize::from(head.is_some()) >= 2) else {
        return false;
    };
    for (name, line, found) in head.into_iter().chain(found) {
        if let Some(entity) = notes.entity(&name, line) {
            found.into_iter().for_each(|field| entity.field(field));
        }
    }
    true
}

/// Things side by side, the names of their columns below each: `| STUDIO | SESSION |` above `| studio_id | session_id |`. Says
/// whether the table was one of these.
fn side_by_side(notes: &mut Notes, head: &[Text], rows: &[Row]) -> bool {
    let is_name = |it: &str| fields::is_identifier(it) && it.starts_with(char::is_lowercase);
    let names: Option<Vec<String>> =
        head.iter().map(|it| topics::thing_named(it).filter(|it| !is_component(it))).collect();
    let Some(names) = names.filter(|it| it.len() >= 2) else { return false };
    let mut columns: Vec<Vec<FieldNote>> = vec![Vec::new(); names.len()];
    for row in rows {
        for (cell, column) in row.cells.iter().zip(&mut columns).filter(|it| !it.0.plain.trim().is_empty()) {
            let name = cell.plain.trim().to_owned();
            if !is_name(&name) {
                return false;
            }
            column.push(FieldNote { name, line: row.line, ..FieldNote::default() });
        }
    }
    let keyed = |it: &&Vec<FieldNote>| {
        it.iter().any(|it| it.name == "id" || it.name.ends_with("_id") || it.name.ends_with("Id"))
    };
    if columns.iter().any(|it| it.len() < 2) || columns.iter().filter(keyed).count() * 2 < columns.len() {
        return false;
    }
    for (name, column) in names.iter().zip(columns) {
        let line = column[0].line;
        if let Some(entity) = notes.entity(name, line) {
            column.into_iter().for_each(|field| entity.field(field));
        }
    }
    true
}

/// A class drawn as a table of one column: its name is the head, its attributes stand below, each on a line of its own.
fn class(head: &[Text], rows: &[Row]) -> Option<(String, Vec<FieldNote>)> {
    let (name, others) = head.split_first()?;
    if !others.iter().all(|it| it.plain.trim().is_empty()) {
        return None;
    }
    let name = topics::thing_named(name).filter(|it| !is_component(it))?;
    let mut found: Vec<FieldNote> = Vec::new();
    for row in rows {
        let lines = row.cells.iter().flat_map(|it| it.plain.lines()).map(str::trim).filter(|it| !it.is_empty());
        for said in lines {
            // `+total: Money` says who sees the member; `total(): Money` is a method.
            let said = said.trim_start_matches(['+', '-', '#', '~', ' ']);
            let at = fields::name_at(said).len();
            if said[at..].starts_with('(') {
                continue;
            }
            let name = Some(&said[..at]).filter(|it| fields::is_identifier(it))?;
            let kind = said[at..].trim_start_matches([':', ' ']).to_owned();
            let kind = if fields::is_type(&kind) { kind } else { String::new() };
            found.push(FieldNote { name: name.to_owned(), kind, line: row.line, ..FieldNote::default() });
        }
    }
    let is_key = |it: &FieldNote| it.name == "id" || it.name.ends_with("_id") || !it.kind.is_empty();
    (found.len() >= 2 && found.iter().any(is_key)).then_some((name, found))
}
