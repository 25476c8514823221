//! What programs write to a store of documents, with the members that are written: `setDoc(doc(db, 'loans', id), { … })`,
//! `db.collection('loans').add({ … })`, `supabase.from('loans').insert({ … })`, `prisma.loan.create({ data: { … } })`.

use super::{Found, balanced, split};
use crate::architect::notes::FieldNote;
use crate::architect::{fields, words};

/// Functions that write, and whose first argument says where to.
const FUNCTIONS: &[&str] = &["setDoc", "addDoc", "updateDoc"];

/// Methods that write what they are given.
#[rustfmt::skip]
const METHODS: &[&str] = &["add", "set", "insertOne", "insert_one", "insert", "upsert", "create"];

/// The longest call that is read, in bytes.
const LONGEST: usize = 8_000;

pub(super) fn read(text: &str, line: u32, found: &mut Vec<Found>) {
    let (mut counted, mut lines) = (0, 0);
    for (open, _) in text.match_indices('(') {
        let before = &text[..open];
        let name = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        if !FUNCTIONS.contains(&name) && !METHODS.contains(&name) {
            continue;
        }
        lines += text[counted..open].matches('\n').count() as u32;
        counted = open;
        let before = &text[text.floor_char_boundary(open.saturating_sub(LONGEST))..open];
        let end = text.floor_char_boundary(open + LONGEST);
        let Some(length) = balanced(&text[open..end], '(', ')') else { continue };
        let inside = &text[open + 1..open + length - 1];
        let thing = if FUNCTIONS.contains(&name) {
            let Some((_, place)) = split(inside, &[',']).into_iter().next() else { continue };
            collection(place).or_else(|| collection(held(before, place.trim())?))
        } else {
            receiver(before.strip_suffix(name).unwrap_or(before), name)
        };
        let Some(thing) = thing.filter(|it| fields::is_identifier(it)) else { continue };
        let Some(brace) = inside.find('{') else { continue };
        // `create({ data: { … } })`
        let inner = inside[brace + 1..].trim_start();
        let at = match inner.strip_prefix("data:").map(str::trim_start) {
            Some(data) if data.starts_with('{') => inside.len() - data.len(),
            _ => brace,
        };
        let Some(length) = balanced(&inside[at..], '{', '}') else { continue };
        let body = &inside[at + 1..at + length - 1];
        let begin = open + 1 + at + 1;
        let line_at = |offset: usize| line + 1 + lines + text[open..begin + offset].matches('\n').count() as u32;
        let members: Vec<FieldNote> = split(body, &[','])
            .into_iter()
            .filter_map(|(offset, it)| member(it, line_at(offset + it.len() - it.trim_start().len())))
            .collect();
        // `updateDoc` may change a single member.
        if members.len() >= 2 || name == "updateDoc" && !members.is_empty() {
            let line = line + 1 + lines;
            found.push(Found::Entity { name: words::singular(thing), fields: members, line });
        }
    }
}

/// The collection that a reference names: `collection(db, 'loans')`, `doc(db, 'clubs', id, 'loans', id)`, `doc(db, 'loans/7')`.
fn collection(place: &str) -> Option<&str> {
    let opens = place.find("collection(").or_else(|| place.find("doc("))?;
    let literals: Vec<&str> =
        place[opens..].split(['\'', '"', '`']).skip(1).step_by(2).filter(|it| !it.is_empty()).collect();
    let path = literals.last()?;
    let segments: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    // Every second segment is the key of a document.
    let at = if segments.len() < 2 { 0 } else { (segments.len() - 1) / 2 * 2 };
    segments.get(at).copied()
}

/// The expression that a variable was given last.
fn held<'t>(before: &'t str, variable: &str) -> Option<&'t str> {
    let at = before.rfind(&format!("{variable} = "))?;
    before[at + variable.len() + 3..].split([';', '\n']).next()
}

/// The collection or model that a chain of calls writes to.
fn receiver<'t>(before: &'t str, method: &str) -> Option<&'t str> {
    let chain = before.strip_suffix('.')?;
    let start = chain.rfind([';', '{', '}', '=']).map_or(0, |at| at + 1);
    let chain = chain[start..].trim();
    let chain = chain.rsplit("\n\n").next().unwrap_or(chain);
    for opens in [".collection(", ".from("] {
        if let Some(at) = chain.rfind(opens) {
            let rest = &chain[at + opens.len()..];
            let quote = rest.chars().next().filter(|it| ['\'', '"', '`'].contains(it))?;
            return rest[1..].split(quote).next();
        }
    }
    // `db.loans.insertOne`, `prisma.loan.create`
    let last = chain.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or(chain);
    let parts: Vec<&str> = last.split('.').collect();
    match (parts.as_slice(), method) {
        (["db" | "prisma", name] | ["this", "prisma", name], _) => Some(name),
        // `Loan.create({ … })`
        ([name], "create") if name.starts_with(char::is_uppercase) && !name.ends_with("Object") => Some(name),
        _ => None,
    }
}

/// `title: 'Dune'`, `clubId`
fn member(part: &str, line: u32) -> Option<FieldNote> {
    let part = part.lines().map(|it| it.split("//").next().unwrap_or("")).collect::<Vec<_>>().join(" ");
    let name = part.split(':').next()?.trim().trim_matches(['\'', '"']);
    (fields::is_identifier(name) && !part.trim().starts_with("...")).then(|| FieldNote {
        name: name.to_owned(),
        line,
        stated: true,
        ..FieldNote::default()
    })
}
