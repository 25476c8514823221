//! What a table, a list or a line says of the fields of a thing.

mod shapes;
mod tables;

use super::document::{Document, Kind, Text};
use super::notes::FieldNote;
use super::words;
pub(super) use shapes::of_shape;
pub(super) use tables::of_table;

/// Words that are types in some notation.
#[rustfmt::skip]
const TYPES: &[&str] = &[
    "string", "str", "text", "varchar", "char", "character", "nvarchar", "citext", "int", "integer", "number",
    "numeric", "decimal", "float", "double", "real", "bigint", "smallint", "tinyint", "serial", "bigserial", "long",
    "short", "byte", "bool", "boolean", "bit", "date", "datetime", "time", "timestamp", "timestamptz", "uuid",
    "guid", "objectid", "enum", "json", "jsonb", "array", "list", "object", "map", "dict", "dictionary", "money",
    "blob", "bytea", "binary", "file", "url", "uri", "email", "interval", "point", "geography", "geometry", "inet",
    "year", "currency", "set", "int32", "int64", "foreign", "fk", "pk", "reference", "ref", "dateonly", "timeonly",
    "iso8601", "cuid", "ulid", "vector", "mediumtext", "longtext", "real", "any", "unknown", "stringarray",
    "relation",
];

/// Whether a text is the name of a type: `VARCHAR(255)`, `string[]`, `Array<Item>`, `Decimal?`.
pub(super) fn is_type(text: &str) -> bool {
    let text = text.trim().trim_matches('`');
    let word: String = text.chars().take_while(|c| c.is_alphanumeric()).collect();
    let rest = &text[word.len()..];
    let known = TYPES.contains(&word.to_ascii_lowercase().as_str());
    known && (rest.is_empty() || rest.starts_with(['(', '[', '<', '?', '!', ' ', ',', ';', '|', ':', '/']))
}

/// Whether a name is one that rows of tables have, and little else has: `id`, `order_id`, `sentAt`.
pub(super) fn is_key(name: &str) -> bool {
    name == "id" || ["_id", "Id", "_at", "At", "_uuid"].iter().any(|end| name.ends_with(end))
}

/// Whether a field must be there, as far as a text says.
fn requirement(text: &str) -> Option<bool> {
    let text = text.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["optional", "nullable", "may be null", "not required", "if any"]) {
        Some(false)
    } else if has(&["required", "not null", "mandatory", "primary key", "cannot be blank", "non-null"])
        || words::split(&text).iter().any(|word| word == "pk")
    {
        Some(true)
    } else {
        None
    }
}

/// The values that a text lists: `Enum: a, b, c`, `one of a | b`, `"a" | "b"`, `enum(a, b)`.
pub(super) fn values(text: &str) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let after = |marker: &str| lower.find(marker).and_then(|at| text.get(at + marker.len()..));
    let listed =
        ["enum:", "enum (", "enum(", "one of:", "one of", "values:", "allowed:", "allowed values:", "options:"]
            .iter()
            .find_map(|marker| after(marker));
    if let Some(rest) = listed {
        let rest = rest.trim_start_matches([' ', ':', '(', '[', '{']);
        let end = rest.find([')', ']', '}', ';', '.']).unwrap_or(rest.len());
        let found = list(&rest[..end]);
        if found.len() >= 2 {
            return found;
        }
    }
    let bars: Vec<&str> = text.split('|').collect();
    let clean = text.split([';', '(']).next().unwrap_or(text);
    if bars.len() >= 2 && !text.contains('{') {
        let found = list(clean);
        if found.len() >= 2 && !found.iter().any(|value| is_type(value) || value == "null") {
            return found;
        }
    }
    Vec::new()
}

/// `a, b | "c"`, without the rest of a sentence.
pub(super) fn list(text: &str) -> Vec<String> {
    let parts = text.split([',', '|', '/']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "));
    let cleaned = parts.map(|part| {
        part.trim()
            .trim_start_matches("or ")
            .trim_start_matches("and ")
            .trim_matches(|c: char| c.is_whitespace() || "`\"'*()[]{}.".contains(c))
    });
    let words: Vec<&str> = cleaned.filter(|part| !part.is_empty()).collect();
    if words.iter().any(|word| word.split_whitespace().count() > 3) {
        return Vec::new();
    }
    words.into_iter().map(str::to_owned).collect()
}

/// A name of a field without what decorates it; none for what is no name.
pub(super) fn label_of(text: &str) -> Option<String> {
    let text = text.split(['(', '[']).next().unwrap_or(text);
    let text = text.trim_matches(|c: char| c.is_whitespace() || "`\"'*?:-+#~".contains(c));
    // `List of images` are images, an `is_active flag` is the flag's name.
    let text =
        ["List of ", "list of ", "Array of ", "array of "].iter().find_map(|it| text.strip_prefix(it)).unwrap_or(text);
    let text = text.strip_suffix(" flag").filter(|it| is_identifier(it)).unwrap_or(text);
    // `ended_at nullable`
    let marks = ["nullable", "unique", "optional", "required", "indexed", "null", "pk", "fk", "not"];
    let marked = text.split_once(' ').filter(|(name, rest)| {
        is_identifier(name) && rest.split(' ').all(|it| marks.contains(&it.to_ascii_lowercase().as_str()))
    });
    let text = marked.map_or(text, |it| it.0);
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_word = |word: &&str| {
        word.chars().all(|c| c.is_alphanumeric() || "_-$'.".contains(c))
            && (!word.trim_end_matches('.').contains('.') || words.len() == 1)
    };
    let fits = (1..=4).contains(&words.len())
        && words.iter().all(is_word)
        && text.chars().any(char::is_alphabetic)
        && !words.iter().skip(1).any(|word| {
            words::ends_object(word)
                && !word.ends_with("ed")
                && words.len() > 1
                && !matches!(
                    word.to_ascii_lowercase().as_str(),
                    "to" | "from" | "by" | "per" | "at" | "for" | "is" | "has" | "on" | "in"
                )
        });
    let fits = fits && !(words.len() > 1 && (words[0].ends_with('.') || words.ends_with(&["only"])));
    fits.then(|| text.trim_end_matches('.').to_owned())
}

/// Whether a name is written as programs write names: `order_id`, `orderId`.
pub(super) fn is_identifier(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The name that a text begins with, as programs write names; empty where the text begins with something else.
pub(super) fn name_at(text: &str) -> &str {
    &text[..text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())]
}

/// Whether a word says what something else does with what follows: `Stores embeddings for:`.
pub(super) fn is_said_of_another(word: &str) -> bool {
    ["stores", "holds", "keeps", "contains", "includes", "used", "uses", "provides", "supports"]
        .contains(&word.to_ascii_lowercase().as_str())
}

/// `orderId`
fn is_camel(name: &str) -> bool {
    name.starts_with(char::is_lowercase) && name.chars().any(char::is_uppercase)
}

/// The name in a pair of a name and what a model of Prisma says behind: `memberId @unique`, `tags Tag[]`, `amount Decimal(10,2)`, `data Json?`; with the type.
fn modelled(part: &str) -> Option<(&str, &str)> {
    let (name, rest) = part.trim().split_once(' ')?;
    let name = name.trim_end_matches('?').trim_matches('`');
    let rest = rest.trim_start().trim_start_matches(['`', '*']);
    let kind = rest.split([' ', '`', '*']).next().unwrap_or(rest);
    let bare = kind.trim_end_matches(['?', '[', ']']);
    let typed = kind.starts_with(char::is_uppercase)
        && (is_type(bare) && !words::is_common(bare) || is_identifier(bare) && bare.len() < kind.len());
    let fits = is_identifier(name) && name.starts_with(|c: char| c.is_ascii_lowercase());
    (fits && (typed || rest.starts_with('@'))).then_some((name, if typed { kind } else { "" }))
}

/// A list item or line that describes one field: `id: UUID, primary key`, `` `total` (decimal) – sum of all``, `name`.
pub(super) fn of_line(text: &Text, line: u32) -> Option<FieldNote> {
    let plain = text.plain.trim();
    let plain = plain.split('\n').next().unwrap_or(plain);
    if let Some((name, kind)) = modelled(plain) {
        return Some(FieldNote { name: name.to_owned(), kind: kind.to_owned(), line, ..FieldNote::default() });
    }
    // `optional `notes` – …`
    for word in ["optional ", "Optional ", "an optional ", "required "] {
        if let Some(rest) = plain.strip_prefix(word)
            && let Some(code) = text.codes().next().filter(|it| rest.starts_with(*it))
        {
            let mut field = of_line(&Text::of(rest), line).filter(|it| it.name == code)?;
            field.required = field.required.or(Some(word == "required "));
            return Some(field);
        }
    }
    let (label, rest) = match text.label() {
        Some((label, rest)) => (label.trim_end_matches(':'), rest.split('\n').next().unwrap_or(rest)),
        None => match plain.find([':', '(', '–', '—', '=']).or_else(|| plain.find(" - ")) {
            Some(at) => plain.split_at(at),
            None => match plain.split_once(' ') {
                // `id SERIAL PRIMARY KEY`
                // A `start date` is no `start` that is a date.
                Some((name, rest))
                    // `Mobile Number` is one name.
                    if is_identifier(name)
                        && is_type(rest)
                        && (!name.starts_with(char::is_uppercase) || rest.contains(' '))
                        && (name.contains('_')
                            || !words::is_common(rest.split_whitespace().next().unwrap_or(""))
                            || rest.starts_with(char::is_uppercase)) =>
                {
                    (name, rest)
                }
                _ => (plain, ""),
            },
        },
    };
    // `Author / Publisher` are two names of one.
    let several = label.split_once(" / ").filter(|(one, other)| {
        rest.trim().is_empty() && [one, other].iter().all(|it| it.split_whitespace().count() <= 2)
    });
    let label = several.map_or(label, |(one, _)| one);
    if label.contains('(') || label.contains('/') {
        return None;
    }
    let name = label_of(label)?;
    let mut field = FieldNote { name, line, ..FieldNote::default() };
    let rest = rest.trim();
    let (inside, after) = match rest.strip_prefix('(') {
        Some(inner) => match close(inner) {
            Some(end) => (inner.get(..end).unwrap_or(""), inner.get(end + 1..).unwrap_or("")),
            None => (inner, ""),
        },
        None => ("", rest),
    };
    let after = after.trim_start_matches([':', '-', '–', '—', '=', ' ']).trim();
    if !inside.is_empty() {
        field.kind =
            inside.split(',').map(str::trim).find(|part| is_type(part)).unwrap_or("").trim_matches('`').to_owned();
        field.description = after.to_owned();
    } else if is_type(after) || after.starts_with(['{', '[']) {
        let end = type_end(after);
        field.kind = after.get(..end).unwrap_or(after).trim().trim_matches('`').to_owned();
        field.description =
            after.get(end..).unwrap_or("").trim_start_matches([',', ';', ' ', '-', '–', '—', '.', '`']).to_owned();
    } else {
        field.description = after.to_owned();
    }
    field.required = requirement(rest);
    field.values = values(rest);
    Some(field)
}

/// Where the bracket closes that was opened before a text.
fn close(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Where a type ends that a text begins with.
fn type_end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' | ';' | ' ' | '.' if depth == 0 => return at,
            '–' | '—' => return at,
            _ => {}
        }
    }
    text.len()
}

/// Names between commas: `ID, Email, Name (unique), Role`; none where the text is a sentence.
pub(super) fn of_list(text: &str, line: u32) -> Vec<FieldNote> {
    let text = text.trim().trim_end_matches('.');
    let mut parts: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    let mut part = String::new();
    for c in text.chars() {
        match c {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && matches!(c, ',' | ';' | '+' | '·' | '•') {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    if parts.len() < 2 {
        return Vec::new();
    }
    // `PK: uuid` is the key's type; `FK: user_id -> users` a field.
    parts.retain(|it| {
        !it.trim_start().to_ascii_lowercase().starts_with("pk:")
            && !["pk", "fk"].contains(&it.trim().to_ascii_lowercase().as_str())
    });
    for part in &mut parts {
        *part = without_marks(part).to_owned();
    }
    // The last two are often joined by `and`.
    if let Some(last) = parts.pop() {
        let last = last.trim().trim_start_matches("and ").trim_start_matches("& ").to_owned();
        match last.split_once(" and ") {
            Some((one, other)) => parts.extend([one.to_owned(), other.to_owned()]),
            None => parts.push(last),
        }
    }
    let mut fields = Vec::new();
    for part in &parts {
        let part = part.trim();
        // `Financials (Subtotal, Discount)` are the inner ones.
        if let Some((_, inner)) = part.split_once('(')
            && inner.contains(',')
            && !values(part).iter().any(|_| true)
            && !inner.split(',').any(is_type)
        {
            let inner = of_list(inner.trim_end_matches(')'), line);
            if !inner.is_empty() {
                fields.extend(inner);
                continue;
            }
        }
        let Some(field) = of_line(&Text::of(part), line) else { return Vec::new() };
        if field.name.split_whitespace().count() > 3 {
            return Vec::new();
        }
        fields.push(field);
    }
    fields
}

/// What a cell of a column of fields lists: names between commas or on lines of their own, each of a few words and with or without a
/// remark. Prose is no name there, so that the cell may say `start of fiscal year`.
pub(super) fn of_cell(text: &str, line: u32) -> Vec<FieldNote> {
    const LONGEST: usize = 5;
    // `kind (income, trade)` says values.
    let remarked = |it: &&str| it.trim_start().starts_with(char::is_lowercase) && it.contains('(') && it.contains(',');
    let plain = !text.contains('\n') && !apart(text).iter().any(remarked);
    let listed = if plain { of_list(text, line) } else { Vec::new() };
    if !listed.is_empty() {
        return listed;
    }
    let mut found = Vec::new();
    for part in apart(text) {
        let part = part.trim_matches(|c: char| c.is_whitespace() || "-*•·`".contains(c));
        if let Some((name, kind)) = modelled(part) {
            found.push(FieldNote { name: name.to_owned(), kind: kind.to_owned(), line, ..FieldNote::default() });
            continue;
        }
        let end = part.find(['(', ':', '=', '[', '{']).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let name = name.trim_end_matches(|c: char| c.is_whitespace() || "?*`".contains(c));
        let fits = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !name.contains(['.', '|', '/']);
        if part.is_empty() {
            continue;
        }
        if !fits || name.split_whitespace().count() > LONGEST {
            return Vec::new();
        }
        let kind = rest.trim_start_matches([':', ' ', '(']);
        let kind = if is_type(kind) { kind[..type_end(kind)].to_owned() } else { String::new() };
        let values = values(rest);
        found.push(FieldNote { name: name.to_owned(), kind, values, line, ..FieldNote::default() });
    }
    found
}

/// Fields of a cell that has nothing but names as programs write names: none of these is to be judged.
pub(super) fn stated(mut found: Vec<FieldNote>) -> Vec<FieldNote> {
    let written = found.iter().filter(|it| is_camel(&it.name) || it.name.contains('_')).count();
    if written >= 2 && found.iter().all(|it| is_identifier(&it.name)) {
        found.iter_mut().for_each(|it| it.stated = true);
    }
    found
}

/// The parts of a text between commas, semicolons and ends of lines outside of brackets.
fn apart(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    text.split(|c: char| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '\n' || depth == 0 && matches!(c, ',' | ';' | '•')
    })
    .collect()
}

/// A name in a list without what says that it is a key or must be there: `FK: user_id -> users`, `email unique`.
fn without_marks(part: &str) -> &str {
    let part = part.trim();
    let part = ["FK:", "fk:", "FK ", "PK "].iter().find_map(|it| part.strip_prefix(it)).unwrap_or(part);
    let part = part.split("->").next().unwrap_or(part).split('→').next().unwrap_or(part).trim();
    ["PK", "FK", "unique", "required", "optional", "nullable", "indexed"]
        .iter()
        .find_map(|it| part.strip_suffix(it).filter(|rest| rest.ends_with(' ')))
        .map_or(part, str::trim)
}

/// Names that are set as code at the beginning of an item (`` `id` / `name` — … ``), or listed behind a label (``Health:
/// `phase`, `count` ``).
fn of_marks(text: &Text, line: u32) -> Option<Vec<FieldNote>> {
    let names: Vec<&str> = text
        .codes()
        // `views/list.html` is a path.
        .filter(|it| it.split('/').all(|part| is_identifier(part.trim_end_matches('?'))))
        .flat_map(|it| it.split('/'))
        .map(|it| it.trim_end_matches('?'))
        .filter(|it| is_identifier(it) && it.starts_with(char::is_lowercase))
        .collect();
    if names.len() < 2 {
        return None;
    }
    let plain = text.plain.trim();
    let joins = |between: &str| {
        // `level` (1–4), `notes`
        let between = match (between.find('('), between.rfind(')')) {
            (Some(open), Some(close)) if open < close => format!("{}{}", &between[..open], &between[close + 1..]),
            _ => between.to_owned(),
        };
        between
            .trim_matches(|c: char| c.is_whitespace() || "/,&`?".contains(c))
            .replace("and", "")
            .replace("or", "")
            .trim()
            .is_empty()
    };
    let rest = match text.label() {
        Some((label, _)) if label == names[0] => plain,
        _ => plain.split_once(':').filter(|(label, _)| label.split_whitespace().count() <= 4)?.1.trim_start(),
    };
    let mut found: Vec<FieldNote> = Vec::new();
    let mut behind = rest;
    for name in names {
        let Some(at) = behind.find(name) else { break };
        if !joins(&behind[..at]) {
            break;
        }
        behind = &behind[at + name.len()..];
        found.push(FieldNote { name: name.to_owned(), line, ..FieldNote::default() });
    }
    (found.len() >= 2).then_some(found)
}

/// Names of fields at the beginning of items of any depth, where the rest of the list is prose.
pub(super) fn among_items(document: &Document, items: &[usize]) -> Vec<FieldNote> {
    let mut found = Vec::new();
    for at in items {
        let block = &document.blocks[*at];
        let Kind::Item(text, _) = &block.kind else { continue };
        if let Some(several) = of_marks(text, block.line) {
            found.extend(several);
        } else if let Some((label, _)) = text.label()
            && text.codes().next() == Some(label)
            && is_identifier(label)
            && label.starts_with(char::is_lowercase)
        {
            found.extend(of_line(text, block.line));
        }
    }
    found
}

/// The fields in items that are all a name with its type behind a space, where one type is no word of names: `id uuid PK`, `title text`.
fn of_pairs(document: &Document, items: &[usize]) -> Option<Vec<FieldNote>> {
    let mut found = Vec::new();
    let mut certain = false;
    for at in items {
        let Kind::Item(text, _) = &document.blocks[*at].kind else { return None };
        let (name, rest) = text.plain.trim().split_once(' ')?;
        let kind = rest.split([' ', ',', '(']).next().unwrap_or(rest);
        if !is_identifier(name)
            || !name.starts_with(char::is_lowercase)
            || !is_type(kind)
            || rest.split_whitespace().count() > 4
        {
            return None;
        }
        certain |= !words::is_common(kind);
        let required = requirement(rest);
        found.push(FieldNote {
            name: name.to_owned(),
            kind: kind.to_owned(),
            required,
            line: document.blocks[*at].line,
            ..FieldNote::default()
        });
    }
    (certain && found.len() >= 2).then_some(found)
}

/// The fields that the items of one list describe; none where one of them is something else. Items below items belong to
/// what they are below of.
pub(super) fn of_items(document: &Document, items: &[usize], certain: bool) -> Option<Vec<FieldNote>> {
    if let Some(found) = of_pairs(document, items) {
        return Some(found);
    }
    let mut fields = Vec::new();
    let mut typed = 0;
    let mut prose = 0;
    for at in items {
        let block = &document.blocks[*at];
        let Kind::Item(text, _) = &block.kind else { return None };
        let plain = text.plain.trim();
        if [
            "index",
            "indexes",
            "unique",
            "constraint",
            "foreign key",
            "primary key",
            "note",
            "example",
            "relationship",
            "relations",
            "attributes",
            "fields",
            "columns",
            "operations",
            "methods",
        ]
        .iter()
        .any(|word| {
            // `note: string` is a field.
            let is_typed = plain
                .split_once(':')
                .is_some_and(|(name, rest)| is_identifier(name.trim_matches('`')) && is_type(rest.trim()));
            !is_typed
                && words::split(plain).join(" ").starts_with(word)
                && plain.contains([':', '('])
                && !plain.contains('`')
        }) {
            continue;
        }
        if let Some(found) = of_marks(text, block.line) {
            typed += found.len();
            fields.extend(found);
            continue;
        }
        let several = of_list(plain, block.line);
        let field = of_line(text, block.line);
        match field {
            Some(field) if field.name.contains(' ') && field.name.split(' ').next().is_some_and(is_said_of_another) => {
                return None;
            }
            Some(field) => {
                typed += usize::from(
                    !field.kind.is_empty()
                        || is_identifier(&field.name)
                            && (field.name.contains('_') || is_camel(&field.name) || field.name == "id")
                        || text.codes().next().is_some(),
                );
                let sentence = field.name.split_whitespace().count() > 3;
                if sentence && !certain {
                    return None;
                }
                fields.push(field);
            }
            None if several.len() >= 2 => {
                typed += several.iter().filter(|it| is_identifier(&it.name)).count();
                fields.extend(several);
            }
            // Where the list leaves no doubt, an item of prose is passed over.
            None if certain => prose += 1,
            None => return None,
        }
    }
    if prose * 4 > items.len() {
        return None;
    }
    // `OPEN`, `CLOSED`, `PENDING` are values.
    let constants = fields.iter().filter(|it| it.name.len() > 2 && !it.name.chars().any(char::is_lowercase)).count();
    if fields.len() >= 3 && constants == fields.len() {
        return None;
    }
    let named = fields.iter().filter(|it| is_identifier(&it.name)).count();
    (!fields.is_empty() && (certain || typed * 2 >= fields.len() && named * 5 >= fields.len() * 4)).then_some(fields)
}
