//! Schemas as data: things with `properties` or `fields` below their names, in YAML, in JSON, and in what is indented like these.

use indexmap::IndexMap;
use serde_json::Value;

use super::Found;
use crate::architect::fields;
use crate::architect::notes::FieldNote;

/// What stands between the name of a thing and the names of its fields.
const FIELDS: &[&str] = &["properties", "fields", "attributes", "columns"];

/// What stands above things whose fields are directly below their names.
const THINGS: &[&str] = &["entities", "models", "tables", "collections"];

/// Names below which something else than a thing is described.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "items", "schema", "object", "info", "parameters", "responses", "metadata", "payload", "data", "body", "root", "allof", "anyof",
    "oneof", "headers", "content", "spec",
];

/// A key that is open: how far to the right the key stands, and the name.
type Open<'t> = (usize, &'t str);

/// The things that a block describes, each with its fields.
pub(in crate::architect) fn read(text: &str, line: u32) -> Vec<Found> {
    /// Nothing is looked at that is further inside.
    const DEEPEST: usize = 24;
    let whole = if text.trim_start().starts_with('{') { serde_json::from_str::<Value>(text).ok() } else { None };
    let titled = whole.as_ref().and_then(|it| it.get("title")?.as_str()).map(str::to_owned);
    let pretty = whole.and_then(|it| serde_json::to_string_pretty(&it).ok());
    // JSON on one line is set apart; otherwise each field keeps its line.
    let apart = pretty.filter(|it| it.lines().count() > 3 * text.lines().count());
    let text = apart.as_deref().unwrap_or(text);
    let mut found: IndexMap<String, (u32, Vec<FieldNote>)> = IndexMap::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut title = titled.as_deref();
    for (at, raw) in text.lines().enumerate() {
        let here = if apart.is_some() { line + 1 } else { line + 1 + at as u32 };
        let said = raw.trim();
        let (item, said) = said.strip_prefix("- ").map_or((false, said), |it| (true, it.trim_start()));
        let depth = raw.len() - raw.trim_start().len() + usize::from(item);
        if said.is_empty() || said.starts_with('#') || said.starts_with(['}', ']']) || depth > 200 {
            continue;
        }
        while open.last().is_some_and(|it| it.0 >= depth) {
            open.pop();
        }
        let (name, rest) = said.split_once(':').unwrap_or((said, ""));
        let name = name.trim_matches(|c: char| "\"'`,{ ?".contains(c));
        let value = rest.trim().trim_end_matches(',');
        if name.is_empty() {
            continue;
        }
        if open.is_empty() && name == "title" && !value.is_empty() {
            title = Some(value.trim_matches(['"', '\'']));
        }
        if let Some(thing) = thing(&open, title)
            && let Some(field) = field(name, value, item, here)
        {
            found.entry(thing.to_owned()).or_insert((here, Vec::new())).1.push(field);
        } else if let (Some(thing), Some(field), "type") = (of_field(&open, title), open.last(), name)
            && let Some(last) = found.get_mut(thing).and_then(|it| it.1.last_mut()).filter(|it| it.name == field.1)
        {
            value.trim_matches(['"', '\'']).clone_into(&mut last.kind);
        }
        // `type` below `- name: city` is said of the field.
        if item && name == "name" && open.last().is_some_and(|it| FIELDS.contains(&it.1)) {
            open.push((depth, value.trim_matches(['"', '\''])));
        } else if open.len() < DEEPEST && (value.is_empty() || ["{", "["].contains(&value)) {
            open.push((depth, name));
        }
    }
    let entity = |(name, (line, fields)): (String, (u32, Vec<FieldNote>))| Found::Entity { name, fields, line };
    found.into_iter().filter(|it| it.1.1.len() >= 2).map(entity).collect()
}

/// The thing whose fields stand directly below the keys that are open.
fn thing<'t>(open: &[Open<'t>], title: Option<&'t str>) -> Option<&'t str> {
    let is = |of: &[&str], at: usize| open.get(at).is_some_and(|it| of.contains(&it.1));
    let last = open.len().checked_sub(1)?;
    let named = |it: &str| fields::is_identifier(it) && !OTHERS.contains(&it.to_ascii_lowercase().as_str());
    if is(FIELDS, last) {
        // What is within a field is part of the field.
        let within = (0..last.saturating_sub(1)).any(|it| is(FIELDS, it));
        let name = match last {
            0 => title?,
            _ => open.get(last - 1)?.1,
        };
        return (!within && named(name)).then_some(name);
    }
    (last == 1 && is(THINGS, 0))
        .then(|| open.get(last).map(|it| it.1))
        .flatten()
        .filter(|it| named(it) && !FIELDS.contains(it))
}

/// The thing of the field that is open last.
fn of_field<'t>(open: &[Open<'t>], title: Option<&'t str>) -> Option<&'t str> {
    let (_, before) = open.split_last()?;
    thing(before, title)
}

/// `hutId: { type: integer }`, `- name: email`, `mobile: string`
fn field(name: &str, value: &str, item: bool, line: u32) -> Option<FieldNote> {
    /// What is said of a thing, beside its fields.
    const SAID: &[&str] = &[
        "description",
        "fields",
        "properties",
        "attributes",
        "columns",
        "table",
        "required",
        "type",
        "relations",
        "indexes",
    ];
    let (name, value) = if item && name == "name" { (value.trim_matches(['"', '\'']), "") } else { (name, value) };
    let plain = fields::is_identifier(name) && !name.starts_with('_');
    // `description: what the thing is` is no field; `description: { type: string }` is one.
    let is_said = SAID.contains(&name) && !value.starts_with('{') && !fields::is_type(value);
    let kind = match value.find("type") {
        Some(at) if value.starts_with('{') => {
            let rest = value[at + 4..].trim_start_matches(['"', '\'', ':', ' ']);
            fields::name_at(rest)
        }
        _ if fields::is_type(value) => value.split([' ', '#', ',']).next().unwrap_or(""),
        _ => "",
    };
    let kind = kind.to_owned();
    (plain && !is_said).then(|| FieldNote { name: name.to_owned(), kind, line, ..FieldNote::default() })
}
