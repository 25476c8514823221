//! What the parser could not read: the outermost places, and the problems that tell of them.

use tree_sitter::Node;

use super::grammar::{Grammar, Tables};
use crate::finding::{Problem, ProblemKind};
use crate::text::{FileId, Span};

/// Beyond this many places, the rest of the file is one more.
const MAX_ERRORS: usize = 100;
/// Characters of the source that a message quotes; for the rest stands `…`.
const MAX_QUOTED: usize = 40;

/// The unreadable places, in order. The parser's error nodes can span a whole file whose statements it did understand:
/// a place is what such a node holds besides statements. Iterative: a broken text can nest without bound.
pub(super) fn collect<G: Grammar>(tables: &Tables<G>, file: FileId, root: Node<'_>) -> Vec<Span> {
    let mut errors: Vec<Span> = Vec::new();
    let mut cursor = root.walk();
    // For every level that the cursor went down: whether it is an error, and whether the last child was a place.
    let mut levels: Vec<(bool, bool)> = Vec::new();
    let mut harmless = false;
    'walk: loop {
        let node = cursor.node();
        let kind = tables.kind(node);
        let (in_error, after_place) = levels.last().copied().unwrap_or((false, false));
        let loose = in_error && !G::is_statement(kind) && !G::is_skipped(kind);
        let is_place = loose || node.is_missing() || (kind == G::ERROR && node.child_count() == 0);
        if is_place {
            let span = Span::new(file, node.start_byte(), node.end_byte());
            if loose
                && after_place
                && let Some(last) = errors.last_mut()
            {
                last.end = span.end;
            } else if let (MAX_ERRORS, Some(last)) = (errors.len(), errors.last_mut()) {
                last.end = root.end_byte() as u32;
                break;
            } else {
                errors.push(span);
            }
        }
        if let Some(level) = levels.last_mut() {
            level.1 = is_place;
        }
        let is_opaque = G::is_opaque(kind);
        harmless |= is_opaque && node.has_error();
        if !is_place && !is_opaque && (kind == G::ERROR || node.has_error()) && cursor.goto_first_child() {
            levels.push((kind == G::ERROR, false));
            continue;
        }
        while !cursor.goto_next_sibling() {
            levels.pop();
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    if errors.is_empty() && !harmless {
        errors.push(Span::new(file, root.start_byte(), root.end_byte()));
    }
    errors
}

/// The one problem of a file with unreadable places.
pub(super) fn problem(language: &str, path: &str, text: &str, errors: &[Span]) -> Option<Problem> {
    let first = errors.first()?;
    let quoted = quote(text, *first);
    let line = line(text, first.start);
    let message = match (quoted.is_empty(), errors.len()) {
        (true, 1) => format!("line {line} is not valid {language}"),
        (false, 1) => format!("line {line} is not valid {language}: `{quoted}`"),
        (true, 2) => format!("line {line} and another place are not valid {language}"),
        (false, 2) => format!("line {line} and another place are not valid {language}: `{quoted}`"),
        (true, more) => format!("line {line} and {} other places are not valid {language}", more - 1),
        (false, more) => format!("line {line} and {} other places are not valid {language}: `{quoted}`", more - 1),
    };
    let mut problem = Problem::new(ProblemKind::SyntaxError, path, message)
        .with_help("the rest of the file is still read; what stands at this place is not checked");
    problem.span = Some(*first);
    Some(problem)
}

/// The problem of a file that the parser gives up on.
pub(super) fn unparsed(language: &str, path: &str) -> Problem {
    let message = format!("too much of it is not valid {language}: nothing of it is read");
    Problem::new(ProblemKind::SyntaxError, path, message)
        .with_help("exclude it in `treaty.toml` if it is no source file")
}

/// The one problem of a file that nests too deep.
pub(super) fn too_deep(path: &str, text: &str, span: Span) -> Problem {
    let message = format!("line {} nests deeper than {} levels", line(text, span.start), super::tree::MAX_DEPTH);
    let mut problem = Problem::new(ProblemKind::TooDeep, path, message)
        .with_help("the rest of the file is still read; move the inner levels to names of their own");
    problem.span = Some(span);
    problem
}

fn line(text: &str, offset: u32) -> usize {
    1 + text.as_bytes()[..(offset as usize).min(text.len())].split(|byte| *byte == b'\n').skip(1).count()
}

/// The first line of a place, without what could confuse a terminal.
fn quote(text: &str, span: Span) -> String {
    let place = text.get(span.start as usize..span.end as usize).unwrap_or("");
    let line = place.trim_start().lines().next().unwrap_or("").trim_end();
    let mut quoted: String =
        line.chars().take(MAX_QUOTED).map(|char| if char.is_control() || char == '`' { ' ' } else { char }).collect();
    if line.chars().nth(MAX_QUOTED).is_some() {
        quoted.push('…');
    }
    quoted
}
