//! Things drawn in blocks of code: boxes with a title and a row for each member, trees of tables and columns.

use super::Found;
use crate::architect::document::Text;
use crate::architect::notes::FieldNote;
use crate::architect::{drawn, fields};

/// Reads a drawing that begins in this line. A box or tree whose rows have neither types nor a key shows screens or processes, and
/// declares nothing.
pub(super) fn read(text: &str, line: u32, found: &mut Vec<Found>) {
    // Without strokes nothing is drawn.
    if !text.contains(['|', '│', '├', '└', '┌', '+', '║', '╔', '┃']) {
        return;
    }
    let said = drawn::texts(text);
    let number = |at: usize| line + 1 + u32::try_from(said[at].line).unwrap_or(0);
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); said.len()];
    for (at, it) in said.iter().enumerate() {
        if let Some(title) = it.below {
            below[title].push(at);
        }
    }
    for (title, rows) in below.iter().enumerate() {
        // A row that names a key is no title.
        let Some(name) = name(&said[title].text).filter(|it| !fields::is_key(it)) else { continue };
        let mut members = Vec::new();
        let mut others = 0;
        for at in rows {
            let row = said[*at].text.as_str();
            let label = row.trim_end_matches(':').to_ascii_lowercase();
            if ["methods", "operations", "functions", "behavior", "behaviour", "invariants"].contains(&label.as_str()) {
                break;
            }
            // In the tree row `id              INTEGER PRIMARY KEY` the gap makes two texts: the name, and the type behind the name.
            let is_type =
                |it: usize| said[it].line == said[*at].line && said[it].below.is_none() && below[it].is_empty();
            let kind = Some(*at + 1).filter(|it| *it < said.len() && is_type(*it)).map_or("", |it| &said[it].text);
            match member(&format!("{row} {kind}"), number(*at)) {
                Some(member) => members.push(member),
                None => others += usize::from(!is_no_row(row)),
            }
        }
        let is_typed = |it: &&FieldNote| fields::is_type(&it.kind) && !it.name.starts_with(char::is_uppercase);
        let typed = members.iter().filter(is_typed).count();
        // A screen shows no keys.
        let plain = |it: &FieldNote| it.name.starts_with(char::is_lowercase);
        let is_table = members.len() >= 2
            && others == 0
            && members.iter().all(plain)
            && members.iter().any(|it| fields::is_key(&it.name));
        if is_table || typed >= 2 && typed * 2 >= members.len() && others <= members.len() {
            found.push(Found::Entity { name, fields: members, line: number(title) });
        }
    }
}

/// The name in a title: `Player`, `lesson_progress`, `User (Aggregate Root)`, `users table`.
fn name(title: &str) -> Option<String> {
    let plain = title.split(['(', '<', '[']).next().unwrap_or(title).trim().trim_end_matches(':');
    let words: Vec<&str> = plain.split_whitespace().collect();
    let words = match words.as_slice() {
        [before @ .., "table" | "Table" | "TABLE" | "collection" | "Collection"] if !before.is_empty() => before,
        all => all,
    };
    let fits = (1..=3).contains(&words.len()) && words.iter().all(|it| fields::is_identifier(it));
    fits.then(|| words.join(" "))
}

/// Whether a row is a method, or the rest of a title: `Aggregate Root)`, whose opening bracket was trimmed with the border.
fn is_no_row(row: &str) -> bool {
    match row.split_once('(') {
        Some((name, _)) => !name.ends_with(' ') && fields::is_identifier(name),
        None => row.ends_with(')'),
    }
}

/// A row: `id: string`, `id UUID PK`, `PK id`, `status: OrderStatus`; none for what is no name of a member.
fn member(row: &str, line: u32) -> Option<FieldNote> {
    let row = row.trim();
    let key = ["PK ", "FK ", "UK "].iter().find_map(|it| row.strip_prefix(it));
    if is_no_row(row) {
        return None;
    }
    let mut field = fields::of_line(&Text::of(key.unwrap_or(row)), line)?;
    let is_name = |it: &str| fields::is_identifier(it.trim_end_matches("[]"));
    if field.kind.is_empty() && is_name(&field.description) {
        field.kind = std::mem::take(&mut field.description);
    }
    if field.kind.is_empty() && key.is_some() {
        field.kind = row[..2].to_owned();
    }
    let fits = fields::is_identifier(&field.name) && field.description.split_whitespace().count() <= 12;
    // `[______]` is drawn for somebody to fill in.
    let drawn = !field.kind.is_empty() && !field.kind.contains(char::is_alphabetic);
    (fits && !drawn).then_some(field)
}
