//! Layouts of stores of documents, a path a line: `orders/{orderId}/lines/{lineId}  OrderLine`, `/presence/{uid} { online, seen }`.

use crate::architect::document::Document;
use crate::architect::notes::{FieldNote, Notes, RelationNote};
use crate::architect::{code, endpoints, fields, words};

/// Whether a part of a path stands for a key: `{orderId}`, `$uid`.
fn is_key(part: &str) -> bool {
    let inner = part.strip_prefix('{').and_then(|it| it.strip_suffix('}')).or_else(|| part.strip_prefix('$'));
    inner.is_some_and(|it| it.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') && !it.is_empty())
}

/// The parts of a path with a key, where a line begins with one.
fn parts(path: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    // `{uid}_{day}` is a key, too.
    let key = |it: &&str| is_key(it) || it.starts_with('{') && it.ends_with('}');
    let fits = parts.len() >= 2 && parts.iter().all(|it| key(it) || fields::is_identifier(it)) && !key(&parts[0]);
    (fits && (parts.iter().any(key) || path.starts_with('/'))).then_some(parts)
}

/// The thing whose documents lie at a path with a key: `clubs/{clubId}/boats/{boatId}`.
pub(super) fn thing(path: &str) -> Option<String> {
    let parts = parts(path.trim().trim_matches('`'))?;
    let keyed = parts.iter().any(|it| is_key(it));
    parts.iter().rfind(|it| !is_key(it) && !it.starts_with('{')).filter(|_| keyed).map(|it| words::singular(it))
}

/// What a line says of the documents at its path: their types, or their fields.
struct Layout<'t> {
    parts: Vec<&'t str>,
    types: Vec<&'t str>,
    fields: Vec<FieldNote>,
    /// Whether the path begins with a stroke.
    rooted: bool,
    line: u32,
}

fn layout(content: &str, line: u32) -> Option<Layout<'_>> {
    let content = content.trim();
    let (path, rest) = content.split_once([' ', '\t']).unwrap_or((content, ""));
    let (parts, rooted) = (parts(path)?, path.starts_with('/'));
    let rest = rest.trim_start_matches(|c: char| "→->:=– ".contains(c) || c.is_whitespace());
    if let Some(inner) = rest.strip_prefix('{') {
        let (inner, _) = inner.split_once('}')?;
        let names = inner.split(',').filter_map(|it| fields::label_of(it.split(':').next().unwrap_or(it)));
        let fields: Vec<FieldNote> = names.map(|name| FieldNote { name, line, ..FieldNote::default() }).collect();
        return (!fields.is_empty()).then_some(Layout { parts, types: Vec::new(), fields, rooted, line });
    }
    let said = rest.split(['(', '#']).next().unwrap_or("").trim();
    let is_type =
        |it: &&str| fields::is_identifier(it) && it.starts_with(char::is_uppercase) && it.contains(char::is_lowercase);
    let types: Vec<&str> = said.split(['+', ',', '|']).map(str::trim).collect();
    let typed = types.iter().all(is_type);
    typed.then_some(Layout { parts, types, fields: Vec::new(), rooted, line })
}

/// Whether headings say that a section is about what a store keeps.
pub(super) fn is_of_store(document: &Document, section: usize) -> bool {
    #[rustfmt::skip]
    const STORES: &[&str] = &[
        "firestore", "firebase", "database", "collection", "collections", "document", "documents", "store", "storage",
        "rtdb", "data", "schema", "layout", "model", "models",
    ];
    document.around(section).any(|it| words::split(document.title(it)).iter().any(|it| STORES.contains(&it.as_str())))
}

/// Lines of a block that each give the path of documents and say what these are. Notes the documents and says whether there were any.
pub(super) fn layouts(notes: &mut Notes, text: &str, line: u32) -> bool {
    const FEWEST: usize = 2;
    let lines = || text.lines().filter(|it| !it.trim().is_empty());
    let found: Vec<Layout> = (line + 1..).zip(text.lines()).filter_map(|(line, it)| layout(it, line)).collect();
    if found.len() < FEWEST || found.len() * 2 < lines().count() || lines().any(|it| endpoints::in_text(it).is_some()) {
        return false;
    }
    // `/orders/{id} OrderDto` states what an endpoint answers rather than what is kept.
    if found.iter().all(|it| it.rooted && it.fields.is_empty()) {
        return false;
    }
    // The thing at each path without its key, for what lies below.
    let mut known: rustc_hash::FxHashMap<String, String> = rustc_hash::FxHashMap::default();
    for it in found {
        let Some(last) = it.parts.iter().rposition(|it| !is_key(it) && !it.starts_with('{')) else { continue };
        let names: Vec<String> = match it.types.as_slice() {
            [] => vec![words::singular(it.parts[last])],
            types => types.iter().map(|it| (*it).to_owned()).collect(),
        };
        let above = (0..last).rev().find_map(|at| known.get(&it.parts[..=at].join("/")).cloned());
        for name in &names {
            let Some(entity) = notes.entity(name, it.line) else { continue };
            it.fields.iter().for_each(|field| entity.field(field.clone()));
            let source = entity.name.clone();
            if let Some(target) = above.clone().filter(|it| *it != source) {
                notes.relations.push(RelationNote {
                    source,
                    target,
                    kind: "REFERENCES",
                    cardinality: "N:1",
                    line: it.line,
                });
            }
        }
        if let Some(entity) = names.first().and_then(|it| notes.known(it)) {
            known.insert(it.parts[..=last].join("/"), entity.name.clone());
        }
    }
    true
}

/// Names of tables, a line each, where the headings speak of what a store keeps. Notes the tables and says whether there were any.
pub(super) fn names(notes: &mut Notes, text: &str, line: u32) -> bool {
    let lines = || (line + 1..).zip(text.lines()).filter(|(_, it)| !it.trim().is_empty());
    let is_table = |it: &str| {
        fields::is_identifier(it) && it.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit())
    };
    let many = lines().filter(|(_, it)| words::is_plural(it.trim().rsplit('_').next().unwrap_or(""))).count();
    let count = lines().count();
    if count < 2 || many * 2 < count || !lines().all(|(_, it)| is_table(it.trim())) {
        return false;
    }
    for (line, name) in lines() {
        if let Some(entity) = notes.entity(&words::singular(name.trim()), line) {
            entity.in_passing = false;
        }
    }
    true
}

/// Documents of a store by their paths: `orders/{orderId}` with `{ total: number, … }` below. Notes the documents and
/// says whether the block had any.
pub(super) fn documents(notes: &mut Notes, text: &str, line: u32) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = false;
    let mut next = 0;
    while next < lines.len() {
        let at = next;
        next += 1;
        let parts: Vec<&str> = lines[at].trim().split('/').filter(|it| !it.is_empty()).collect();
        let is_key =
            |it: &&str| it.starts_with('{') && it.ends_with('}') && fields::is_identifier(&it[1..it.len() - 1]);
        let is_path = parts.len() >= 2
            && parts.last().is_some_and(is_key)
            && parts.iter().all(|it| is_key(it) || fields::is_identifier(it));
        if !is_path || lines.get(at + 1).is_none_or(|it| it.trim() != "{") {
            continue;
        }
        // Each line belongs to one document only.
        let Some(length) = lines[at + 1..].iter().position(|it| it.trim_end() == "}") else { break };
        next = at + 2 + length;
        let body = lines[at + 1..next].join("\n");
        let below = line + 1 + at as u32;
        if let Some(name) = parts.iter().rev().find(|it| !is_key(it))
            && let Some(fields) = code::unnamed(&body, below + 1)
            && let Some(entity) = notes.entity(name, below)
        {
            fields.into_iter().for_each(|field| entity.field(field));
            found = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::architect::decompose;

    #[test]
    fn paths_of_a_store_say_what_lies_there() {
        let text = "# Club\n\n## Firestore\n\n```\nclubs/{clubId}                 Club\nclubs/{clubId}/boats/{boatId}  Boat  (with photo)\n/presence/{uid}  { online: bool, lastSeen: ts }\n```\n";
        let model = decompose(text).domain_model;
        let names: Vec<&str> = model.entities.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["Club", "Boat", "Presence"]);
        assert_eq!(model.entities[2].fields.len(), 2);
        assert!(model.relationships.iter().any(|it| it.source_entity == "Boat" && it.target_entity == "Club"));
        let answers = "# Club\n\n## Answers\n\n```\n/clubs/{id}  ClubDto\n/boats/{id}  BoatDto\n```\n";
        assert!(decompose(answers).domain_model.entities.iter().all(|it| !it.name.ends_with("Dto")));
    }
}
