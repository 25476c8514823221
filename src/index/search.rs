//! Search by words, without an embedding model: candidates by SQLite's own ranking, scored again with a BM25 whose fields
//! have weights (BM25F: Robertson, Zaragoza, Taylor, "Simple BM25 Extension to Multiple Weighted Fields", 2004).
//!
//! What another way of finding candidates would give, such as vectors of a model, has the place of [`rows::candidates`].

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::words::words;
use super::{Index, IndexError, rows};
use crate::model::program::ImportStyle;
use crate::scan::{Progress, text_of};

/// A function, method or class that answers a search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    pub file: String,
    /// First and last.
    pub lines: [u32; 2],
    /// Its source, or the beginning of it.
    pub content: String,
    /// From 0 to 1: how much of what was asked it says.
    pub score: f64,
    /// `Class.member`
    #[serde(skip_serializing_if = "String::is_empty")]
    pub symbol: String,
    /// Lines that `content` leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u32>,
}

/// Name, signature, body, class, path. These and the next three were measured with docstrings as questions
/// (`benches/search.md`).
const WEIGHTS: [f64; 5] = [5.0, 1.0, 0.5, 1.0, 1.0];
/// How much a field's length counts.
const LENGTHS: [f64; 5] = [0.5, 0.6, 0.9, 0.3, 0.6];
const SATURATION: f64 = 2.5;
/// What it adds that all words of the name are asked for.
const WHOLE_NAME: f64 = 0.2;
/// Candidates that are scored again.
const CANDIDATES: usize = 200;
/// Units that are ranked for candidates: what a question costs grows with the units that say one of its words, and frequent
/// words choose badly. A unit that says none of the rarer words is no candidate.
const MAX_RANKED: u32 = 1_500;
/// Words that choose candidates however frequent they are.
const MIN_CHOOSING: usize = 2;
/// Longer sources are cut.
const MAX_LINES: usize = 60;
/// More words of a question are left out, the most frequent ones first.
const MAX_TERMS: usize = 32;

impl Index {
    /// The functions, methods and classes that say most of what is asked, best first; empty where nothing says any of it.
    ///
    /// # Errors
    /// Those of [`Index::refresh`].
    pub fn search(
        &mut self,
        query: &str,
        language: Option<&str>,
        service: Option<&str>,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Hit>, IndexError> {
        self.refresh(progress)?;
        let mut terms = words(query);
        terms.sort();
        terms.dedup();
        let connection = self.store.connection();
        let (count, averages) = match self.lengths {
            Some(known) => known,
            None => rows::unit_lengths(connection)?,
        };
        self.lengths = Some((count, averages));
        let mut weighted: Vec<(String, f64)> = Vec::new();
        let mut frequency: FxHashMap<String, u32> = FxHashMap::default();
        for term in terms {
            let documents = rows::documents_with(connection, &term)?;
            if documents > 0 {
                frequency.insert(term.clone(), documents);
                weighted.push((term, rarity(f64::from(documents), f64::from(count))));
            }
        }
        weighted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        weighted.truncate(MAX_TERMS);
        if weighted.is_empty() || most == 0 {
            return Ok(Vec::new());
        }
        let languages = language.map_or_else(String::new, languages);
        // Rarest first.
        let mut ranked = 0;
        let choosing = weighted.iter().enumerate().take_while(|(at, (term, _))| {
            ranked += frequency.get(term).copied().unwrap_or(0);
            *at < MIN_CHOOSING || ranked <= MAX_RANKED
        });
        let chosen: Vec<&str> = choosing.map(|(_, it)| it.0.as_str()).collect();
        let candidates = rows::candidates(connection, &chosen, (&languages, service), CANDIDATES.max(most * 3))?;
        let whole: f64 = weighted.iter().map(|it| it.1).sum();
        let most_of = |it: &rows::Candidate| it.prior * score(&weighted, &it.fields, &averages) / whole;
        let mut scored: Vec<(f64, &rows::Candidate)> = candidates.iter().map(|it| (most_of(it), it)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (&a.1.path, a.1.first).cmp(&(&b.1.path, b.1.first))));
        scored.truncate(most);
        let mut texts: FxHashMap<&str, Vec<String>> = FxHashMap::default();
        let mut hits = Vec::new();
        for (score, it) in &scored {
            let lines = texts.entry(&it.path).or_insert_with(|| {
                let text = text_of(&self.root.join(&it.path)).unwrap_or_default();
                text.lines().map(str::to_owned).collect()
            });
            let own = lines.get(it.first as usize - 1..(it.last as usize).min(lines.len())).unwrap_or(&[]);
            let left_out = own.len().saturating_sub(MAX_LINES) as u32;
            hits.push(Hit {
                file: it.path.clone(),
                lines: [it.first, it.last],
                content: own.iter().take(MAX_LINES).cloned().collect::<Vec<_>>().join("\n"),
                score: (score * 10_000.0).round() / 10_000.0,
                symbol: it.symbol.clone(),
                left_out: (left_out > 0).then_some(left_out),
            });
        }
        Ok(hits)
    }
}

/// How much a word says that so many of all units have.
fn rarity(documents: f64, count: f64) -> f64 {
    (1.0 + (count - documents + 0.5) / (documents + 0.5)).ln()
}

fn score(terms: &[(String, f64)], fields: &[String; 5], averages: &[f64; 5]) -> f64 {
    let mut found = vec![0.0; terms.len()];
    for (at, field) in fields.iter().enumerate() {
        let mut counts = vec![0.0_f64; terms.len()];
        let mut length = 0.0;
        for word in field.split(' ') {
            length += 1.0;
            if let Some(term) = terms.iter().position(|(term, _)| term.len() == word.len() && term == word) {
                counts[term] += 1.0;
            }
        }
        let scale = 1.0 - LENGTHS[at] + LENGTHS[at] * length / averages[at].max(1.0);
        for (found, count) in found.iter_mut().zip(counts) {
            *found += WEIGHTS[at] * count / scale;
        }
    }
    let said: f64 = terms.iter().zip(found).map(|((_, rarity), found)| rarity * found / (SATURATION + found)).sum();
    let name: Vec<&str> = fields[0].split(' ').collect();
    let asked = name.iter().filter(|word| terms.iter().any(|(term, _)| term == *word)).count() as u32;
    said * (1.0 + WHOLE_NAME * f64::from(asked) / f64::from(name.len() as u32)) / (1.0 + WHOLE_NAME)
}

/// The languages of the tables that a client means, each between commas.
fn languages(asked: &str) -> String {
    let all = ["python", "typescript", "tsx", "javascript", "component", "csharp"];
    let meant = all.into_iter().filter(|language| super::definition::is_of_language(language, Some(asked)));
    let meant: Vec<&str> = meant.collect();
    if meant.is_empty() && super::refresh::style(asked) == ImportStyle::Path {
        // One that is not read has no files.
        return ",none,".to_owned();
    }
    format!(",{},", meant.join(","))
}
