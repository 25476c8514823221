//! The fields that tables list, a row each.

use super::{is_identifier, is_key, is_type, label_of, requirement, values};
use crate::architect::document::{Row, Text};
use crate::architect::notes::FieldNote;
use crate::architect::words;

/// Which columns of a table say what of fields.
struct Columns {
    name: usize,
    kind: Option<usize>,
    required: Option<usize>,
    description: Vec<usize>,
}

/// Heads of columns with the names of fields.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "field", "fields", "column", "columns", "attribute", "attributes", "property", "field name", "column name",
    "attribute name", "property name", "name of field", "name of the field", "name of column", "name of the column",
    "name of attribute", "name of the attribute", "form field", "input field", "data field", "data element",
];

/// Heads of columns with the types of fields.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "type", "data type", "datatype", "format", "sql type", "field type", "kind of data", "type of data", "schema type",
    "column type", "value type", "db type", "control", "input type", "widget", "control type",
];

fn columns(head: &[Text], rows: &[Row]) -> Option<Columns> {
    // `Attribute \ Kind` says what the rows are, and what the other columns are.
    let own = |cell: &str| cell.split('\\').next().unwrap_or("").to_owned();
    let names: Vec<String> = head.iter().map(|cell| words::split(&own(&cell.plain)).join(" ")).collect();
    let is = |name: &String, words: &[&str]| words.contains(&name.as_str());
    let name = names.iter().position(|name| is(name, NAMES));
    let kind = names.iter().position(|name| is(name, KINDS));
    // A table of names with types is one of fields, too.
    let name = name.or_else(|| kind.and_then(|_| names.iter().position(|it| is(it, &["name", "key", "input"]))));
    let name = name.or_else(|| names.iter().position(|it| is(it, &["name", "key"])).filter(|at| keyed(rows, *at)))?;
    let required = names.iter().position(|name| {
        is(name, &["required", "mandatory", "nullable", "null", "optional", "required?", "obligatory"])
    });
    let said = [
        "description",
        "purpose",
        "constraints",
        "constraint",
        "notes",
        "note",
        "meaning",
        "details",
        "rules",
        "validation",
        "default",
        "comment",
        "comments",
        "remarks",
        "key",
        "attributes",
        "modifiers",
        "indexes",
        "observation",
        "observations",
        "remark",
        "options",
        "extra",
    ];
    let description: Vec<usize> =
        (0..names.len()).filter(|at| *at != name && said.contains(&names[*at].as_str())).collect();
    let of_kinds = head.get(name).is_some_and(|it| it.plain.contains('\\'));
    let tells = kind.is_some() || required.is_some() || !description.is_empty() || of_kinds || keyed(rows, name);
    (tells || names.len() == 1).then_some(Columns { name, kind, required, description })
}

/// Whether the names in a column are those of columns, one of them a key: `id`, `label`, `sent_at`.
fn keyed(rows: &[Row], at: usize) -> bool {
    let names = || rows.iter().filter_map(|it| Some(it.cells.get(at)?.plain.trim()));
    let plain = names().all(|it| is_identifier(it) && it.starts_with(char::is_lowercase));
    plain && names().any(is_key)
}

/// The fields in a table whose head is a field like the others: `| id | uuid | primary key |`.
fn without_head(head: &[Text], rows: &[Row]) -> Option<Vec<FieldNote>> {
    let field = |cells: &[Text], line: u32| {
        let [name, kind, ..] = cells else { return None };
        let (name, kind) = (name.plain.trim(), kind.plain.trim().to_ascii_lowercase());
        let fits = is_identifier(name) && name.starts_with(char::is_lowercase) && is_type(&kind);
        fits.then(|| FieldNote { name: name.to_owned(), kind, line, ..FieldNote::default() })
    };
    let line = rows.first()?.line;
    let all = [field(head, line.saturating_sub(2))].into_iter().chain(rows.iter().map(|it| field(&it.cells, it.line)));
    all.collect::<Option<Vec<_>>>().filter(|it| it.len() >= 2)
}

/// The fields that a table lists; none where it lists something else.
pub(in crate::architect) fn of_table(head: &[Text], rows: &[Row]) -> Option<Vec<FieldNote>> {
    let Some(columns) = columns(head, rows) else { return without_head(head, rows) };
    let negated = columns.required.is_some_and(|at| {
        let name = head[at].plain.to_ascii_lowercase();
        name.contains("null") || name.contains("optional")
    });
    let mut fields = Vec::new();
    for row in rows {
        let cell = |at: usize| row.cells.get(at).map_or("", |cell| cell.plain.trim());
        let label = row.cells.get(columns.name).map(|cell| cell.plain.trim()).unwrap_or_default();
        // A column of buttons in a table of what a screen shows.
        if ["#", "actions"].contains(&label.to_ascii_lowercase().as_str()) && rows.len() > 2 {
            continue;
        }
        let described: Vec<&str> =
            columns.description.iter().map(|at| cell(*at)).filter(|text| !text.is_empty() && *text != "-").collect();
        let description = described.join("; ");
        // Several fields may share a row.
        for name in label.split([',', '/']).flat_map(|part| part.split(" and ")) {
            let Some(name) = label_of(name) else { continue };
            let kind = columns.kind.map(cell).filter(|kind| *kind != "-").unwrap_or_default();
            let mut field = FieldNote { name, line: row.line, ..FieldNote::default() };
            field.kind = kind.trim_matches('`').to_owned();
            field.required = columns
                .required
                .and_then(|at| yes_or_no(cell(at)))
                .map(|yes| yes != negated)
                .or_else(|| requirement(&format!("{kind} {description}")));
            field.values = values(&format!("{kind}; {description}"));
            field.description.clone_from(&description);
            fields.push(field);
        }
    }
    (!fields.is_empty()).then_some(fields)
}

fn yes_or_no(cell: &str) -> Option<bool> {
    let word = words::split(cell).into_iter().next().unwrap_or_default();
    match word.as_str() {
        "yes" | "y" | "true" | "required" | "x" => Some(true),
        "no" | "n" | "false" | "optional" => Some(false),
        _ if cell.contains(['✓', '✅', '✔']) => Some(true),
        _ if cell.contains(['✗', '❌', '✘']) => Some(false),
        _ => None,
    }
}
