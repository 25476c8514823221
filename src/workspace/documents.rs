//! Documents that people work by: requirements with their boxes, reviews, tasks, and what a comparison of claims and code
//! came to. Markdown, line by line; what stands in fenced code is an example and says nothing.

use std::collections::BTreeSet;

use crate::text::{FileId, Span};

/// One line of requirements that is done or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// `REQ-001`
    pub id: String,
    pub text: String,
    pub is_ticked: bool,
    pub span: Span,
}

/// What requirements say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    pub items: Vec<Item>,
    /// Items that a review passed and did not fail later, from the table of reviews.
    pub passed: BTreeSet<String>,
    /// Technologies that the document says the project is built with.
    pub technologies: Vec<(String, Span)>,
}

/// A task of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// `TASK-001`
    pub id: String,
    pub span: Span,
    pub is_complete: bool,
    /// Files that it makes or changes, as they are written.
    pub files: Vec<(String, Span)>,
}

/// A claim that the code does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub text: String,
    pub span: Span,
}

/// A line outside of fenced code, with the offset of its first byte.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fence: Option<&str> = None;
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |whole| {
        let start = at;
        at += whole.len();
        let line = whole.trim_end_matches(['\n', '\r']);
        let marker = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| marker.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => {
                fence = Some(mark);
                None
            }
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                None
            }
            (Some(_), _) => None,
            (None, None) => Some((start, line)),
        }
    })
}

/// The level and the words of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &line[level..];
    ((1..=6).contains(&level) && rest.starts_with([' ', '\t']))
        .then(|| (level, rest.trim().trim_end_matches('#').trim()))
}

/// The words of an entry of a list, with their offset in the line.
fn bullet(line: &str) -> Option<(usize, &str)> {
    let indent = line.len() - line.trim_start().len();
    let rest = line[indent..].strip_prefix(['-', '*', '+'])?;
    let words = rest.trim_start();
    (words.len() < rest.len()).then(|| (line.len() - words.len(), words.trim_end()))
}

fn span(file: FileId, start: usize, text: &str) -> Span {
    Span::new(file, start, start + text.len())
}

/// `REQ-001` at the start of a text, in whatever is around it.
fn id(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['*', '`', '[', ' ', '_']);
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(text.len());
    let word = &text[..end];
    let (letters, number) = word.split_once('-')?;
    let is_id = letters.len() > 1
        && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        && number.starts_with(|c: char| c.is_ascii_digit());
    is_id.then_some(word)
}

/// Cells of a row of a table, with their offsets in the line.
fn cells(line: &str) -> Option<Vec<(usize, &str)>> {
    let indent = line.len() - line.trim_start().len();
    let inner = line.trim().strip_prefix('|')?;
    let mut found = Vec::new();
    let mut at = indent + 1;
    for cell in inner.strip_suffix('|').unwrap_or(inner).split('|') {
        let words = cell.trim();
        found.push((at + cell.len() - cell.trim_start().len(), words));
        at += cell.len() + 1;
    }
    Some(found)
}

/// Reads requirements: boxes (`- [x] REQ-001: …`), the table of reviews, the technologies that are named.
pub fn requirements(file: FileId, text: &str) -> Requirements {
    let mut found = Requirements::default();
    // Columns of the table of reviews: item and verdict.
    let mut columns: Option<(usize, usize)> = None;
    let mut is_stack = false;
    for (start, line) in lines(text) {
        if let Some((_, words)) = heading(line) {
            columns = None;
            let words = words.to_ascii_lowercase();
            is_stack = ["tech stack", "technology stack", "technologies"].iter().any(|known| words.contains(known));
        } else if let Some(row) = cells(line) {
            let position = |name: &str| row.iter().position(|(_, cell)| cell.to_ascii_lowercase().contains(name));
            if let (Some(item), Some(verdict)) = (position("item"), position("verdict")) {
                columns = Some((item, verdict));
            } else if let Some((item, verdict)) = columns
                && let (Some((_, item)), Some((_, verdict))) = (row.get(item), row.get(verdict))
            {
                let ids = item.split([',', ' ']).filter_map(id);
                let is_passed = verdict.trim_matches(['*', '`', ' ']).to_ascii_uppercase().starts_with("PASS");
                for id in ids {
                    if is_passed {
                        found.passed.insert(id.to_owned());
                    } else {
                        found.passed.remove(id);
                    }
                }
            }
        } else if let Some((at, words)) = bullet(line) {
            columns = None;
            let boxed = words.strip_prefix("[x]").or_else(|| words.strip_prefix("[X]")).map(|rest| (true, rest));
            let boxed = boxed.or_else(|| words.strip_prefix("[ ]").map(|rest| (false, rest)));
            if let Some((is_ticked, rest)) = boxed
                && let Some(id) = id(rest)
            {
                let item =
                    Item { id: id.to_owned(), text: rest.to_owned(), is_ticked, span: span(file, start + at, words) };
                found.items.push(item);
            }
            if is_stack && boxed.is_none() {
                named(file, start + at, words, &mut found.technologies);
            }
        } else if !line.trim().is_empty() {
            columns = None;
        }
    }
    found
}

/// `**Backend:** FastAPI 0.110, PostgreSQL`: words between commas after the last colon.
fn named(file: FileId, start: usize, words: &str, found: &mut Vec<(String, Span)>) {
    let value = words.rsplit_once(':').map_or(words, |(_, value)| value);
    let mut at = words.len() - value.len();
    for part in value.split([',', '+', '/']) {
        let word = part.trim_matches(['*', '`', ' ', '_', '.', ')']);
        if let Some(offset) = part.find(word).filter(|_| !word.is_empty()) {
            found.push((word.to_owned(), span(file, start + at + offset, word)));
        }
        at += part.len() + 1;
    }
}

/// Reads a plan: `### TASK-001: title` with its entries `status:` and `files:`.
pub fn tasks(file: FileId, text: &str) -> Vec<Task> {
    let mut found: Vec<Task> = Vec::new();
    let mut is_open = false;
    let mut is_files = false;
    for (start, line) in lines(text) {
        if let Some((level, words)) = heading(line) {
            is_files = false;
            let task = id(words).filter(|id| level >= 2 && id.starts_with("TASK-"));
            is_open = task.is_some() || (is_open && level > 3);
            if let Some(id) = task {
                let at = start + line.find(words).unwrap_or(0);
                found.push(Task {
                    id: id.to_owned(),
                    span: span(file, at, words),
                    is_complete: false,
                    files: Vec::new(),
                });
            }
            continue;
        }
        let Some(task) = found.last_mut().filter(|_| is_open) else { continue };
        let Some((at, words)) = bullet(line) else { continue };
        let key = words
            .split_once(':')
            .map(|(key, value)| (key.trim_matches(['*', '`', ' ', '_']).to_ascii_lowercase(), value));
        match key.as_ref().map(|(key, value)| (key.as_str(), *value)) {
            Some(("status", value)) => {
                let status = value.trim_matches(['*', '`', ' ', '_', '✅']).to_ascii_uppercase();
                task.is_complete = ["COMPLETE", "DONE"].iter().any(|word| status.starts_with(word));
                is_files = false;
            }
            Some(("files" | "targets" | "modifies" | "creates", value)) => {
                is_files = true;
                paths(file, start + at + words.len() - value.len(), value, &mut task.files);
            }
            _ if is_files && line.starts_with([' ', '\t']) => paths(file, start + at, words, &mut task.files),
            _ => is_files = false,
        }
    }
    found
}

/// Paths of files in a text, between commas and in whatever quotes.
fn paths(file: FileId, start: usize, text: &str, found: &mut Vec<(String, Span)>) {
    let mut at = 0;
    for part in text.split(',') {
        // What stands behind a path explains it.
        let word = part.trim_start_matches(['[', ' ', '`', '*', '"', '\'']);
        let end = word.find(['`', '*', '"', '\'', ']', ' ', '(']).unwrap_or(word.len());
        let is_glob =
            word.starts_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_') && word[end..].starts_with('*');
        let path = &word[..end];
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_file = name.rsplit_once('.').is_some_and(|(_, ending)| {
            !ending.is_empty() && ending.len() <= 10 && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        if is_file && !is_glob && !path.contains(['{', '<', '$', ':']) {
            found.push((path.to_owned(), span(file, start + at + part.len() - word.len(), path)));
        }
        at += part.len() + 1;
    }
}

/// Reads what a comparison of claims with the code came to: entries below a heading that begins with `MISMATCH`.
pub fn mismatches(file: FileId, text: &str) -> Vec<Mismatch> {
    let mut found = Vec::new();
    let mut is_open = false;
    for (start, line) in lines(text) {
        match heading(line) {
            Some((2 | 3, words)) => is_open = words.to_ascii_uppercase().starts_with("MISMATCH"),
            Some(_) => {}
            None => {
                let dash = bullet(line).filter(|_| is_open && line.trim_start().starts_with('-'));
                if let Some((at, words)) = dash.filter(|(_, words)| !is_nothing(words)) {
                    found.push(Mismatch { text: words.to_owned(), span: span(file, start + at, words) });
                }
            }
        }
    }
    found
}

/// `- None`
fn is_nothing(words: &str) -> bool {
    let words = words.trim_matches(['*', '_', '.', ' ', '(', ')']).to_ascii_lowercase();
    matches!(words.as_str(), "none" | "n/a" | "nothing" | "no mismatches" | "none found")
}
