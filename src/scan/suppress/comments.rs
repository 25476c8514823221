//! `# treaty: ignore[CODE] reason`: what comments say is not to be reported, read from comments of the syntax tree alone, so
//! that a text in a string suppresses nothing.

use super::{Directive, Scope};
use crate::finding::{Problem, ProblemKind};
use crate::text::{FileId, SourceFile, Sources, Span};

/// What a directive begins with; a file without it has none.
pub(in crate::scan) const MARK: &str = "treaty:";

/// What the comments of a file say, and what of that cannot be understood. `comments` are byte ranges in the order of the
/// source.
pub(super) fn read(sources: &Sources, file: FileId, comments: &[(u32, u32)]) -> (Vec<Directive>, Vec<Problem>) {
    let source = sources.get(file);
    let mut found = (Vec::new(), Vec::new());
    for (start, end) in comments {
        let Some(comment) = source.text.get(*start as usize..*end as usize) else { continue };
        if !comment.contains(MARK) {
            continue;
        }
        let mut at = *start as usize;
        for line in comment.split_inclusive('\n') {
            let said = directive(line);
            if let Some((offset, said)) = said {
                let place = Span::new(file, at + offset, at + line.trim_end().len());
                add(sources, source, (place, comments), said, &mut found);
            }
            at += line.len();
        }
    }
    found
}

/// What one line of a comment says: where that begins, and the text after `treaty:`. The directive stands at the beginning
/// of the line, or after another comment sign (`# noqa # treaty: ignore[CODE]`): prose that speaks of one is none.
fn directive(line: &str) -> Option<(usize, &str)> {
    let signs = |text: &str| text.len() - text.trim_start_matches(['#', '/', '*', '!', '<', '-', ' ', '\t']).len();
    let begins = signs(line);
    let later = line.match_indices(" # ").map(|(at, sign)| at + sign.len());
    let later = later.chain(line.match_indices(" // ").map(|(at, sign)| at + sign.len()));
    let mut places: Vec<usize> = std::iter::once(begins).chain(later).collect();
    places.sort_unstable();
    let at = places.into_iter().find(|at| line[*at..].starts_with(MARK))?;
    let said = line[at + MARK.len()..].trim();
    Some((at, said.strip_suffix("*/").or_else(|| said.strip_suffix("-->")).unwrap_or(said).trim()))
}

fn add(
    sources: &Sources,
    source: &SourceFile,
    (place, comments): (Span, &[(u32, u32)]),
    said: &str,
    found: &mut (Vec<Directive>, Vec<Problem>),
) {
    let word = said.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or("");
    let rest = said[word.len()..].trim_start();
    let is_file = word == "ignore-file";
    let mut refuse = |message: String| {
        let help =
            "write `treaty: ignore[CODE] reason` on the line or the one above, or `treaty: ignore-file[CODE] reason`";
        found.1.push(Problem::at(ProblemKind::InvalidSuppression, sources, place, message).with_help(help));
    };
    if !is_file && word != "ignore" {
        // Others say `treaty:`, too: only what looks like a directive is one that was misspelt.
        if word.starts_with("ignore") || (!word.is_empty() && said[word.len()..].starts_with('[')) {
            refuse(format!("`{word}` is nothing that a comment can say to treaty: nothing is suppressed"));
        }
        return;
    }
    let (listed, reason) = match rest.strip_prefix('[') {
        None => (None, rest),
        Some(inner) => match inner.split_once(']') {
            Some((listed, reason)) => (Some(listed), reason),
            None => return refuse("the list of rules does not end: nothing is suppressed".to_owned()),
        },
    };
    let names: Vec<String> =
        listed.unwrap_or("").split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    if names.is_empty() && (!is_file || listed.is_some()) {
        return refuse("it names no rule: nothing is suppressed".to_owned());
    }
    let scope = if is_file {
        Scope::File(place.file)
    } else {
        Scope::Lines { file: place.file, lines: lines(source, place, comments) }
    };
    let reason = reason.trim().trim_start_matches([':', '-', '–', '—']).trim();
    let reason = (!reason.is_empty()).then(|| reason.to_owned());
    let names = names.into_iter().map(|name| (name, place)).collect();
    found.0.push(Directive { place, scope, names, reason });
}

/// The line that a directive is about: its own where that has code, else the next one that has.
fn lines(source: &SourceFile, place: Span, comments: &[(u32, u32)]) -> (u32, u32) {
    let own = source.position(place.start).line;
    let mut line = own;
    while line < source.line_count() && !has_code(source, line, comments) {
        line += 1;
    }
    // Directives and other comments may stand above one another; an empty line ends them.
    let between = own + 1..line;
    let is_apart = between.into_iter().any(|line| source.line(line).trim().is_empty());
    if is_apart || !has_code(source, line, comments) { (own, own) } else { (own, line) }
}

/// Whether anything but comments stands on a line. The braces that a comment in JSX needs are no code.
fn has_code(source: &SourceFile, line: u32, comments: &[(u32, u32)]) -> bool {
    let start = source.line_start(line);
    let end = start + source.line(line).len();
    let mut at = start;
    let first = comments.partition_point(|(_, comment_end)| (*comment_end as usize) <= start);
    for (from, to) in &comments[first..] {
        let (from, to) = (*from as usize, *to as usize);
        if from >= end {
            break;
        }
        if is_code(source.text.get(at..from.max(at)).unwrap_or("")) {
            return true;
        }
        at = to.max(at);
    }
    at < end && is_code(source.text.get(at..end).unwrap_or(""))
}

fn is_code(text: &str) -> bool {
    text.chars().any(|c| !c.is_whitespace() && c != '{' && c != '}')
}
