//! Names of columns without types: `id, order_id, total` in a block of code, or as items below the name of a table.

use super::outlines::{headed, outline};
use super::{is_component, is_endpoint, views};
use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::{FieldNote, Notes};
use crate::architect::topics::Topic;
use crate::architect::{code, fields, topics, words};

/// Items that are names set as code, below a heading that is one: `#### `review_events`` with `- `id``, `### `inv.site` (per tenant)`
/// with `- `id` UUID, `code` text`. Says whether the list was one of columns.
pub(super) fn items(document: &Document, notes: &mut Notes, at: usize) -> bool {
    let block = &document.blocks[at];
    let title = &document.sections[block.section].title;
    let Some(code) = title.codes().next() else { return false };
    let named = topics::without_number(title.plain.trim());
    let Some(rest) = named.strip_prefix(code).filter(|it| it.is_empty() || it.starts_with([' ', ':'])) else {
        return false;
    };
    let remark = rest.trim_start().starts_with(['(', '—', '–', '-', ':']);
    let Some(table) = topics::table_of(code).filter(|_| rest.is_empty() || remark) else { return false };
    if document.lead(at).is_some() || is_endpoint(document, block.section) {
        return false;
    }
    let items = document.outer_items(at);
    let mut found = Vec::new();
    let mut with = 0;
    for item in &items {
        let Kind::Item(text, _) = &document.blocks[*item].kind else { return false };
        let line = document.blocks[*item].line;
        let names = at_beginning(text);
        with += usize::from(!names.is_empty());
        found.extend(names.into_iter().map(|name| FieldNote { name, line, ..FieldNote::default() }));
    }
    if with * 2 < items.len() || found.len() < 2 || !found.iter().any(|it| fields::is_key(&it.name)) {
        return false;
    }
    let line = document.sections[block.section].line;
    if let Some(entity) = notes.entity(table, line) {
        found.into_iter().for_each(|field| entity.field(field));
    }
    true
}

/// The columns that an item begins with, each set as code: `` `id` UUID, `number` (unique), `notes` ``, `` `(order_id, sku)` ``.
fn at_beginning(text: &Text) -> Vec<String> {
    let plain = text.plain.trim();
    let codes: Vec<&str> = text.codes().collect();
    // `PK `(a, b)``, `Derived: `total``
    let before = codes.first().and_then(|it| plain.find(it)).filter(|at| {
        let label = plain[..*at].trim();
        label.ends_with(':') && !label.contains(' ') || label.chars().all(char::is_uppercase)
    });
    let plain = &plain[before.unwrap_or(0)..];
    if let Some(several) = codes.first().filter(|it| plain.starts_with(**it))
        && let Some(inner) = several.strip_prefix('(').and_then(|it| it.strip_suffix(')'))
    {
        let names: Vec<&str> = inner.split(',').map(str::trim).collect();
        let all = names.iter().all(|it| is_column(it));
        return if all { names.into_iter().map(str::to_owned).collect() } else { Vec::new() };
    }
    let said = without_remarks(plain);
    let parts = said.split([',', ';']).flat_map(|it| it.split(" and ")).map(str::trim);
    let name = |part: &str| {
        let name = part.split([' ', ':', '→']).next().unwrap_or("");
        (codes.contains(&name) && is_column(name)).then(|| name.to_owned())
    };
    parts.map_while(name).collect()
}

/// Items below `Columns` or `Fields`, below the name of a thing. Says whether the list was one of columns.
pub(super) fn titled_items(document: &Document, notes: &mut Notes, at: usize) -> bool {
    let section = document.blocks[at].section;
    // `Key fields (proposed)`
    let own = topics::without_number(document.title(section)).split('(').next().unwrap_or("").to_ascii_lowercase();
    let own = words::split(&own);
    let is_caption = own.split_last().is_some_and(|(last, before)| {
        ["columns", "fields", "attributes", "properties"].contains(&last.as_str())
            && before.iter().all(|it| views::is_sort(it))
    });
    // `Inputs` below `Page 3 — Second Opinion`
    let entered = matches!(own.as_slice(), [only] if ["input", "inputs"].contains(&only.as_str()));
    let about = document.sections[section].parent;
    if !(is_caption || entered)
        || document.is_heading_of_all(about)
        || is_endpoint(document, section)
        || document.asides[section]
    {
        return false;
    }
    let title = &document.sections[about].title;
    let last = title.plain.rsplit([':', '–', '—']).next().unwrap_or("").trim();
    let page = entered.then(|| topics::thing_named(&Text::of(last))).flatten();
    let Some(thing) = page.or_else(|| topics::thing_named(title)) else { return false };
    if words::is_no_thing(&words::key(&thing)) || is_component(&thing) {
        return false;
    }
    let Some(found) = fields::of_items(document, &document.outer_items(at), true) else { return false };
    let new = notes.known(&thing).is_none();
    if let Some(entity) = notes.entity(&thing, document.sections[about].line) {
        entity.in_passing |= entered && new;
        found.into_iter().for_each(|field| entity.field(field));
    }
    true
}

/// A line of names below the name of a thing, where a text lists its tables or the heading is written as code:
/// `id, company_name, phone`, `` `id` · `member_id` FK → members · `note?` ``.
pub(super) fn line(document: &Document, notes: &mut Notes, at: usize, text: &Text) {
    let section = document.blocks[at].section;
    if let Some(found) = rows(&text.plain, document.blocks[at].line).filter(|_| !is_endpoint(document, section))
        && let Some(thing) = headed(document, section)
        && let Some(entity) = notes.entity(&thing, document.sections[section].line)
    {
        return found.into_iter().for_each(|field| entity.field(field));
    }
    let title = &document.sections[section].title;
    let said = without_remarks(&text.plain);
    let parts: Vec<&str> = said.split([',', '•', '·', ';']).map(str::trim).collect();
    let as_code = title.codes().next().and_then(topics::table_of);
    let plain = (topics::topic_below_title(document, section) == Some(Topic::Data) || as_code.is_some())
        && !document.is_heading_of_all(section)
        && !is_endpoint(document, section);
    let names: Option<Vec<&str>> = parts.iter().map(|it| marked_column(it)).collect();
    let Some(names) = names.filter(|it| plain && it.len() >= 2) else { return };
    let certain = names.len() >= 3 || names.iter().any(|it| it.contains('_'));
    let named = as_code.map(str::to_owned).or_else(|| topics::thing_named(title));
    let Some(thing) = named.filter(|_| certain) else { return };
    let line = document.blocks[at].line;
    if let Some(entity) = notes.entity(&thing, document.sections[section].line) {
        for name in names {
            entity.field(FieldNote { name: name.to_owned(), line, ..FieldNote::default() });
        }
    }
}

/// The columns in lines of cells that no head stands above: `label | varchar(80) | not null`.
fn rows(text: &str, line: u32) -> Option<Vec<FieldNote>> {
    let lines = text.lines().map(|it| it.trim().trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>());
    let mut found = Vec::new();
    for (line, cells) in (line..).zip(lines) {
        let [name, kind, ..] = cells.as_slice() else { return None };
        if !is_column(name) || !fields::is_type(&kind.to_ascii_lowercase()) {
            return None;
        }
        let (name, kind) = ((*name).to_owned(), kind.to_ascii_lowercase());
        found.push(FieldNote { name, kind, line, ..FieldNote::default() });
    }
    (found.len() >= 2).then_some(found)
}

/// The column that a part of a line names, where nothing but types and marks follows: `member_id FK → members`, `note? text`.
fn marked_column(part: &str) -> Option<&str> {
    #[rustfmt::skip]
    const MARKS: &[&str] = &[
        "pk", "fk", "uk", "ak", "unique", "index", "indexed", "null", "nullable", "optional", "required", "not",
        "default", "primary", "foreign", "key", "auto", "array", "list", "ref", "references", "generated", "hashed",
        "encrypted", "computed", "jsonb",
    ];
    let (name, rest) = part.split_once([' ', ':', '\n']).unwrap_or((part, ""));
    let name = name.trim_matches('`').trim_end_matches(['?', '*', '!']);
    let rest = rest.split(['→', '=']).next().unwrap_or("").split("->").next().unwrap_or("");
    let is_mark = |it: &str| {
        let it = it.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        it.is_empty() || MARKS.contains(&it.as_str()) || fields::is_type(&it)
    };
    (is_column(name) && rest.split_whitespace().all(is_mark)).then_some(name)
}

/// A block of names with commas between them, below the name of a thing: `id, order_id, kind: a|b`. A name with a colon
/// at the beginning of a line names another thing: `OrderItem: id, order_id`.
pub(super) fn block(document: &Document, notes: &mut Notes, at: usize, language: &str, text: &str) {
    let section = document.blocks[at].section;
    let payload = matches!(topics::topic(document, section), Some(Topic::Payload));
    // Names alone, a line each, are no program, however the block is marked.
    let names = text.lines().filter(|it| !it.trim().is_empty()).all(|it| is_column(it.trim()));
    // Sheets and old databases write the names of columns in capitals: `STOP_ID`, `DRIVER_ID`.
    let capital = text.contains('_')
        && text.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || "_\n\r ".contains(it));
    let as_column = |it: &str| if capital { it.to_ascii_lowercase() } else { it.to_owned() };
    if !(names || ["", "text", "txt", "plaintext"].contains(&language)) || payload || is_endpoint(document, section) {
        return;
    }
    if outline(notes, headed(document, section).as_deref(), text, document.blocks[at].line)
        || tuples(notes, text, document.blocks[at].line)
    {
        return;
    }
    let line = document.blocks[at].line;
    let text = &without_remarks(text);
    let mut tables: Vec<(Option<String>, Vec<FieldNote>)> = vec![(None, Vec::new())];
    for (below, content) in text.lines().enumerate() {
        let mut content = content.trim();
        if content.is_empty() {
            continue;
        }
        if let Some((name, rest)) = content.split_once(':')
            && name.starts_with(char::is_uppercase)
            && fields::is_identifier(name)
            && rest.contains(',')
        {
            tables.push((Some(name.to_owned()), Vec::new()));
            content = rest;
        }
        for part in content.split(',').map(str::trim).filter(|it| !it.is_empty()) {
            let (name, values) = part.split_once(':').map_or((part, ""), |(name, rest)| (name.trim(), rest.trim()));
            let name = name.trim_end_matches(['?', '*']).trim_end_matches("[]");
            if !is_column(&as_column(name)) || values.split_whitespace().count() > 2 {
                return;
            }
            let choices: Vec<String> = values.split('|').map(|it| it.trim().to_owned()).collect();
            let (kind, values) = if choices.len() > 1 { ("enum", choices) } else { (values, Vec::new()) };
            if let Some((_, columns)) = tables.last_mut() {
                let line = line + 1 + below as u32;
                let (name, kind) = (name.to_owned(), kind.to_owned());
                columns.push(FieldNote { name, kind, values, line, ..FieldNote::default() });
            }
        }
    }
    let heading = &document.sections[section].title;
    for (name, columns) in tables {
        if columns.len() < 2 || !columns.iter().any(|it| fields::is_key(&as_column(&it.name))) {
            continue;
        }
        let named = || topics::thing_named(&Text::of(heading.plain.split(['/', '(']).next().unwrap_or("")));
        if let Some(name) = name.or_else(named)
            && let Some(entity) = notes.entity(&name, line)
        {
            columns.into_iter().for_each(|field| entity.field(field));
        }
    }
}

/// Columns with their types, several on a line: `id INT PK, label VARCHAR(80),` below a heading with the name of the table, or behind
/// that name: `parcels: id INT PK, …`. Notes them and says whether the block was one of columns.
pub(super) fn typed_columns(document: &Document, notes: &mut Notes, at: usize, language: &str, text: &str) -> bool {
    let block = &document.blocks[at];
    let is_data = topics::topic(document, block.section) != Some(Topic::Payload)
        && !document.asides[block.section]
        && !document.excluded[block.section]
        && !is_endpoint(document, block.section);
    if !["", "sql", "text", "txt", "plaintext"].contains(&language) || !is_data {
        return false;
    }
    let mut tables: Vec<(Option<&str>, Vec<FieldNote>)> = vec![(None, Vec::new())];
    let (mut typed, mut all) = (0, 0);
    let (mut line, mut counted) = (block.line + 1, 0);
    for (from, raw) in code::split(text, &[',', '\n']) {
        line += text[counted..from].matches('\n').count() as u32;
        counted = from;
        let mut part = raw.trim();
        // `orders: id INT PK, total INT`; without a comma behind, the name is that of a column.
        let follows = text[from + raw.len()..].starts_with(',');
        if let Some((name, rest)) = part.split_once(": ").filter(|it| follows && fields::is_identifier(it.0)) {
            tables.push((Some(name), Vec::new()));
            part = rest.trim();
        }
        if part.is_empty() || is_constraint(part) {
            continue;
        }
        let (name, kind) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        if !fields::is_identifier(name) || kind.len() > 80 || part.contains(';') || MODIFIERS.contains(&name) {
            return false;
        }
        let kind = kind.trim();
        let is_typed = fields::is_type(kind);
        typed += usize::from(is_typed);
        all += 1;
        let kind = if is_typed { kind.split_whitespace().next().unwrap_or("").to_owned() } else { String::new() };
        if let Some((_, columns)) = tables.last_mut() {
            columns.push(FieldNote { name: name.to_owned(), kind, line, ..FieldNote::default() });
        }
    }
    if typed < 3 || typed * 2 < all {
        return false;
    }
    let heading = topics::thing_named(&document.sections[block.section].title);
    let mut any = false;
    for (name, columns) in tables.into_iter().filter(|it| it.1.len() >= 2) {
        let line = columns[0].line;
        if let Some(name) = name.or(heading.as_deref())
            && let Some(entity) = notes.entity(name, line)
        {
            columns.into_iter().for_each(|field| entity.field(field));
            any = true;
        }
    }
    any
}

/// Words before the types of members in programs.
pub(super) const MODIFIERS: &[&str] =
    &["private", "public", "protected", "internal", "const", "final", "readonly", "static", "let", "var"];

/// The head of a file of values with commas between them, below the name of the file: `orders.csv` with `order_id,label,total`. Says
/// whether the block was one of these.
pub(super) fn csv(document: &Document, notes: &mut Notes, at: usize, language: &str, text: &str) -> bool {
    let block = &document.blocks[at];
    if !["", "csv", "text", "txt"].contains(&language) {
        return false;
    }
    let file = |it: &Text| {
        let name = it.plain.split_whitespace().find_map(|it| {
            it.trim_matches(|c: char| !c.is_alphanumeric()).strip_suffix(".csv").and_then(|it| it.rsplit('/').next())
        });
        name.filter(|it| fields::is_identifier(it)).map(str::to_owned)
    };
    let title = &document.sections[block.section].title;
    let Some(name) = document.lead(at).and_then(file).or_else(|| file(title)) else { return false };
    let mut lines = text.lines().filter(|it| !it.trim().is_empty());
    let head = lines.next().unwrap_or("");
    let names: Vec<&str> = head.split([',', ';', '\t']).map(|it| it.trim().trim_matches('"')).collect();
    if names.len() < 2 || !names.iter().all(|it| fields::is_identifier(it)) {
        return false;
    }
    let line = block.line + 1;
    if let Some(entity) = notes.entity(&name, line) {
        for name in names {
            entity.field(FieldNote { name: name.to_owned(), line, ..FieldNote::default() });
        }
    }
    true
}

/// Tables with what each is and its columns on one line: `jobs — work to be done (job_id, status, created_at)`. Notes them and
/// says whether the block had any.
pub(super) fn described(notes: &mut Notes, text: &str, line: u32) -> bool {
    let mut tables: Vec<Table> = Vec::new();
    for (below, content) in text.lines().enumerate().filter(|(_, it)| !it.trim().is_empty()) {
        let line = line + 1 + below as u32;
        let Some((name, rest)) = content.trim().split_once(['—', '–']) else { return false };
        let columns = rest.strip_suffix(')').and_then(|it| Some(&it[opening(it)? + 1..]));
        let name = name.trim();
        if !is_column(name) {
            return false;
        }
        let Some(columns) = columns else {
            tables.push((name, line, Vec::new()));
            continue;
        };
        let names: Vec<&str> =
            code::split(columns, &[',']).iter().map(|(_, it)| it.split_whitespace().next().unwrap_or("")).collect();
        if names.len() < 2 || !names.iter().all(|it| is_column(it)) {
            return false;
        }
        let field = |name: &&str| FieldNote { name: (*name).to_owned(), line, ..FieldNote::default() };
        tables.push((name, line, names.iter().map(field).collect()));
    }
    let any = tables.iter().any(|it| !it.2.is_empty());
    note_tables(notes, tables);
    any
}

/// Relations as tuples of their attributes: `Course(id, number, name)` with `PK: {id}` below. Notes them and says whether the block
/// had any.
fn tuples(notes: &mut Notes, text: &str, line: u32) -> bool {
    let mut tables: Vec<Table> = Vec::new();
    for (below, content) in text.lines().enumerate().filter(|(_, it)| !it.trim().is_empty()) {
        let line = line + 1 + below as u32;
        let content = content.trim();
        if is_constraint(content) {
            continue;
        }
        let Some((name, inner)) = content.strip_suffix(')').and_then(|it| it.split_once('(')) else { return false };
        let names: Vec<&str> = inner
            .split(',')
            .map(|it| it.trim().trim_matches(['_', '*', '#']).split(' ').next().unwrap_or(""))
            .collect();
        if !fields::is_identifier(name.trim()) || names.len() < 2 || !names.iter().all(|it| is_column(it)) {
            return false;
        }
        let field = |name: &&str| FieldNote { name: (*name).to_owned(), line, ..FieldNote::default() };
        tables.push((name.trim(), line, names.iter().map(field).collect()));
    }
    // One alone with nothing else may be the call of a function.
    if tables.is_empty()
        || tables.len() == 1 && text.trim().lines().count() == 1 && !tables[0].0.starts_with(char::is_uppercase)
    {
        return false;
    }
    note_tables(notes, tables);
    true
}

/// Where the bracket opens that closes behind a text.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// A table: its name, the line of the name, and its columns.
pub(super) type Table<'t> = (&'t str, u32, Vec<FieldNote>);

/// Notes the tables that have columns as things with fields.
pub(super) fn note_tables(notes: &mut Notes, tables: Vec<Table>) {
    for (name, line, columns) in tables.into_iter().filter(|it| !it.2.is_empty()) {
        if let Some(entity) = notes.entity(name, line) {
            columns.into_iter().for_each(|field| entity.field(field));
        }
    }
}

/// Whether a line among columns says a rule of their table: `PK: {id}`, `UNIQUE (a, b)`, `idx_name (name)`.
pub(super) fn is_constraint(line: &str) -> bool {
    let first = line.split([' ', ':', '(']).next().unwrap_or("").to_ascii_lowercase();
    first.starts_with("idx_")
        || ["pk", "fk", "index", "unique", "primary", "foreign", "constraint", "check"].contains(&first.as_str())
}

/// A block of names with their types behind spaces, below the name of a thing: `createdAt     timestamp (UTC)`. Says whether
/// the block was one of columns.
pub(super) fn aligned(document: &Document, notes: &mut Notes, at: usize, language: &str, text: &str) -> bool {
    let section = document.blocks[at].section;
    if !["", "text", "txt", "plaintext"].contains(&language) || is_endpoint(document, section) {
        return false;
    }
    let line = document.blocks[at].line;
    let mut found = Vec::new();
    for (below, content) in text.lines().enumerate() {
        let content = content.trim_end();
        // `PRIMARY KEY (a, b)`
        if content.is_empty()
            || content.split_whitespace().next().is_some_and(|it| it.len() > 3 && it.chars().all(char::is_uppercase))
        {
            continue;
        }
        let Some((name, rest)) = content.split_once("  ") else { return false };
        let (name, rest) = (name.trim_end_matches(['?', '*']), rest.trim());
        if !is_column(name) || rest.is_empty() {
            return false;
        }
        let said = rest.split("  ").next().unwrap_or(rest);
        let kind = said.split(" (").next().unwrap_or(said).to_owned();
        let values = fields::values(&kind);
        found.push(FieldNote {
            name: name.to_owned(),
            kind,
            values,
            line: line + 1 + below as u32,
            ..FieldNote::default()
        });
    }
    let typed = |it: &&FieldNote| {
        let kind = it.kind.to_ascii_lowercase();
        let words = kind.split([' ', '/', '|', '(', '[']).filter(|it| !it.is_empty());
        !it.values.is_empty()
            || words.into_iter().any(|it| fields::is_type(it) || ["fk", "pk", "timestamp", "enum"].contains(&it))
    };
    if found.len() < 2 || found.iter().filter(typed).count() * 2 < found.len() {
        return false;
    }
    let Some(name) = topics::thing_named(&document.sections[section].title) else { return false };
    if let Some(entity) = notes.entity(&name, line) {
        found.into_iter().for_each(|field| entity.field(field));
    }
    true
}

/// Items that mostly say a type: `Enabled - boolean, default true`, `Name, string, required`. None where they do not.
pub(super) fn typed_items(document: &Document, items: &[usize]) -> Option<Vec<FieldNote>> {
    let mut found = Vec::new();
    let mut typed = 0;
    for item in items {
        let Kind::Item(text, _) = &document.blocks[*item].kind else { return None };
        let plain = text.plain.split('\n').next().unwrap_or("").trim();
        let end =
            plain.find([':', '–', '—', ',', '(']).into_iter().chain(plain.find(" - ")).min().unwrap_or(plain.len());
        let (name, rest) = plain.split_at(end);
        let name = name.trim().trim_matches(['`', '*']);
        if name.is_empty() || name.split_whitespace().count() > 4 || !name.starts_with(char::is_alphabetic) {
            return None;
        }
        let rest = rest.trim_start_matches([':', '-', '–', '—', ',', '(', ' ']);
        let words: Vec<String> = rest
            .split(|c: char| !c.is_alphanumeric())
            .filter(|it| !it.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let said = words.iter().take(3).find(|it| fields::is_type(it) || it.as_str() == "select");
        let marked = said.is_some() && words.len() <= 12
            || words.len() <= 3 && words.iter().any(|it| it == "required" || it == "optional");
        typed += usize::from(marked);
        let required = words.iter().find_map(|it| match it.as_str() {
            "required" => Some(true),
            "optional" => Some(false),
            _ => None,
        });
        let kind = said.cloned().unwrap_or_default();
        let line = document.blocks[*item].line;
        found.push(FieldNote { name: name.to_owned(), kind, required, line, ..FieldNote::default() });
    }
    (found.len() >= 3 && typed * 2 > found.len()).then_some(found)
}

/// Without what stands in brackets or braces, line by line: `number (e.g. A1), info: { street, city }`.
fn without_remarks(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|c| {
            match c {
                '(' | '{' => depth += 1,
                ')' | '}' => depth = depth.saturating_sub(1),
                _ => return depth == 0 || *c == '\n',
            }
            false
        })
        .collect()
}

/// `order_id`, `createdAt`, `name`
pub(super) fn is_column(name: &str) -> bool {
    fields::is_identifier(name) && name.starts_with(char::is_lowercase)
}
