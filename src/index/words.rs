//! The words of code: identifiers split and stemmed, the same for what is searched and for what is asked.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

use super::record::{Record, Symbol, SymbolKind};

/// What search knows of a function, method or class, in the words of its fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct UnitText {
    pub(super) lines: (u32, u32),
    /// `Class.member`
    pub(super) symbol: String,
    /// Name, signature, body, class, path.
    pub(super) fields: [String; 5],
    /// How likely it is what somebody looks for, before anything is asked.
    pub(super) prior: f64,
}

/// More words of one unit are left out.
const MAX_WORDS: usize = 4_000;

thread_local! {
    static STEMS: RefCell<(Stemmer, FxHashMap<String, String>)> =
        RefCell::new((Stemmer::create(Algorithm::English), FxHashMap::default()));
}

/// More different words are not remembered.
const MAX_STEMS: usize = 100_000;

/// The words of a text: identifiers are split where they are joined (`getUserById`, `HTTP_status2`), everything is lower
/// case and stemmed.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    STEMS.with(|stems| {
        let (stemmer, known) = &mut *stems.borrow_mut();
        each_word(text, &mut |word| {
            if found.len() >= MAX_WORDS {
                return;
            }
            let lower = word.to_lowercase();
            if let Some(stem) = known.get(&lower) {
                found.push(stem.clone());
                return;
            }
            let stem = stemmer.stem(&lower).into_owned();
            if known.len() < MAX_STEMS {
                known.insert(lower, stem.clone());
            }
            found.push(stem);
        });
    });
    found
}

/// Runs of letters or digits, split at changes of case: `HTTPServer` is `HTTP` and `Server`.
fn each_word<'t>(text: &'t str, found: &mut dyn FnMut(&'t str)) {
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let chars: Vec<(usize, char)> = run.char_indices().collect();
        let mut start = 0;
        for at in 1..chars.len() {
            let (before, here) = (chars[at - 1].1, chars[at].1);
            let next = chars.get(at + 1).map(|it| it.1);
            let splits = (before.is_lowercase() && here.is_uppercase())
                || (before.is_uppercase() && here.is_uppercase() && next.is_some_and(char::is_lowercase))
                || (before.is_numeric() != here.is_numeric());
            if splits {
                found(&run[chars[start].0..chars[at].0]);
                start = at;
            }
        }
        found(&run[chars[start].0..]);
    }
}

/// The units of a file.
pub(super) fn units(record: &Record, path: &str, text: &str) -> Vec<UnitText> {
    let lines: Vec<&str> = text.lines().collect();
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let path_words = words(stem).join(" ");
    let is_unit = |kind: SymbolKind| kind != SymbolKind::Variable;
    let mut units = Vec::new();
    for (at, symbol) in record.symbols.iter().enumerate().filter(|(_, symbol)| is_unit(symbol.kind)) {
        let (first, last) = symbol.lines;
        let body = lines.get(first as usize - 1..(last as usize).min(lines.len())).unwrap_or(&[]);
        let mut body_text = body.join("\n");
        if symbol.kind.is_type() {
            // What its methods say is theirs; a class is known by what it says of itself and by their names.
            body_text = own_lines(record, at as u32, &lines);
        }
        let class = symbol.parent.and_then(|parent| record.symbols.get(parent as usize)).map_or("", |it| &it.name);
        let text = format!("{}\n{body_text}", symbol.doc);
        units.push(UnitText {
            lines: (first, last),
            symbol: record.qualified(at as u32),
            fields: [
                words(&symbol.name).join(" "),
                words(&symbol.signature).join(" "),
                words(&text).join(" "),
                words(class).join(" "),
                path_words.clone(),
            ],
            prior: prior(symbol),
        });
    }
    units
}

/// A class is found by its methods, too; what runtimes call by its name and what has one line is seldom looked for.
fn prior(symbol: &Symbol) -> f64 {
    let class = if symbol.kind.is_type() { 0.8 } else { 1.0 };
    let special = if symbol.name.starts_with("__") { 0.8 } else { 1.0 };
    let short = if symbol.lines.1 - symbol.lines.0 < 2 { 0.85 } else { 1.0 };
    class * special * short
}

/// The lines of a class that are in none of its methods, but for their first.
fn own_lines(record: &Record, class: u32, lines: &[&str]) -> String {
    let (first, last) = record.symbols[class as usize].lines;
    let last = (last as usize).min(lines.len());
    let mut is_own = vec![true; last + 1];
    for it in record.symbols.iter().filter(|it| it.parent == Some(class) && it.kind != SymbolKind::Variable) {
        let (start, end) = (it.line as usize + 1, (it.lines.1 as usize).min(last));
        is_own.iter_mut().take(end + 1).skip(start).for_each(|line| *line = false);
    }
    let own = (first as usize..=last).filter(|line| is_own[*line]);
    own.filter_map(|line| lines.get(line - 1)).copied().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_split_where_they_are_joined() {
        let split = |text| {
            let mut found = Vec::new();
            each_word(text, &mut |word| found.push(word));
            found
        };
        assert_eq!(split("getUserById"), ["get", "User", "By", "Id"]);
        assert_eq!(split("HTTPServer_v2"), ["HTTP", "Server", "v", "2"]);
        assert_eq!(split("größeÄndern x.y"), ["größe", "Ändern", "x", "y"]);
        assert_eq!(words("Creating created creates"), ["creat", "creat", "creat"]);
    }
}
