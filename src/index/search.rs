//! Search by words, without an embedding model: a BM25 whose fields have weights (BM25F: Robertson, Zaragoza, Taylor,
//! "Simple BM25 Extension to Multiple Weighted Fields", 2004), over every unit that says one of the words.
//!
//! What another way of scoring would give, such as vectors of a model, has the place of [`ranked`].

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::rows::{Snapshot, UnitFile, UnitRow};
use super::said::Words;
use super::words::words;
use super::{Index, IndexError};
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

/// What it adds that all words of the name are asked for (`benches/search.md`).
const WHOLE_NAME: f64 = 0.2;
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
        let tables = Snapshot::of(&self.store)?;
        self.words = std::mem::take(&mut self.words).follow(&tables)?;
        let known = &mut self.words;
        let count = f64::from(known.units().len() as u32);
        let mut weighted: Vec<(String, f64)> = Vec::new();
        for term in terms {
            let documents = tables.documents_with(&term)?;
            if documents > 0 {
                weighted.push((term, rarity(f64::from(documents), count)));
            }
        }
        weighted.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        weighted.truncate(MAX_TERMS);
        if weighted.is_empty() || most == 0 {
            return Ok(Vec::new());
        }
        known.read(&tables, weighted.iter().map(|it| it.0.as_str()))?;
        drop(tables);
        let found = ranked(known, &weighted);
        let languages = language.map(languages);
        let is_wanted = |file: &UnitFile| {
            languages.as_ref().is_none_or(|all| all.contains(&file.language.as_str()))
                && service.is_none_or(|service| file.service == service)
        };
        let mut scored: Vec<(f64, &UnitRow, &str)> = Vec::new();
        // What scores less than the last that is kept needs no look.
        let mut least = 0.0;
        for (unit, score) in known.units().iter().zip(&found).filter(|(_, score)| **score > 0.0) {
            if *score < least {
                continue;
            }
            let Some(file) = known.file(unit).filter(|file| is_wanted(file)) else { continue };
            scored.push((*score, unit, &file.path));
            if scored.len() >= 2 * most + 100 {
                best_first(&mut scored, most);
                least = scored.last().map_or(0.0, |it| it.0);
            }
        }
        best_first(&mut scored, most);
        let mut texts: FxHashMap<&str, String> = FxHashMap::default();
        let mut hits = Vec::new();
        for (score, it, path) in scored {
            let text = texts.entry(path).or_insert_with(|| text_of(&self.root.join(path)).unwrap_or_default());
            let count = (it.last + 1).saturating_sub(it.first) as usize;
            let own: Vec<&str> = text.lines().skip(it.first as usize - 1).take(count).collect();
            let left_out = own.len().saturating_sub(MAX_LINES) as u32;
            hits.push(Hit {
                file: path.to_owned(),
                lines: [it.first, it.last],
                content: own[..own.len().min(MAX_LINES)].join("\n"),
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

/// What each unit scores, from 0 to 1.
fn ranked(known: &Words, weighted: &[(String, f64)]) -> Vec<f64> {
    let whole: f64 = weighted.iter().map(|it| it.1).sum();
    let mut said = vec![0.0; known.units().len()];
    // How many words of the name are asked for.
    let mut asked = vec![0_u32; said.len()];
    for (term, rarity) in weighted {
        for it in known.who_says(term) {
            said[it.unit as usize] += rarity * f64::from(it.weight);
            asked[it.unit as usize] += u32::from(it.in_name);
        }
    }
    let units = said.iter_mut().zip(&asked).zip(known.units()).filter(|((said, _), _)| **said > 0.0);
    for ((said, asked), unit) in units {
        let share = f64::from(*asked) / f64::from(unit.lengths[0].max(1));
        *said *= unit.prior * (1.0 + WHOLE_NAME * share) / (1.0 + WHOLE_NAME) / whole;
    }
    said
}

fn best_first(scored: &mut Vec<(f64, &UnitRow, &str)>, most: usize) {
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (a.2, a.1.first).cmp(&(b.2, b.1.first))));
    scored.truncate(most);
}

/// The languages of the tables that a client means.
fn languages(asked: &str) -> Vec<&'static str> {
    let all = ["python", "typescript", "tsx", "javascript", "component", "csharp"];
    all.into_iter().filter(|language| super::definition::is_of_language(language, Some(asked))).collect()
}
