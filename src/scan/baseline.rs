//! A baseline: findings of an earlier run, as a file, so that only new ones count. An entry is known by the finding's
//! fingerprint, and where its file has another name now, by the key that has no path.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::suppress::{Suppressed, Suppression, SuppressionKind};
use super::{Report, Scope};
use crate::contracts::tree::{self, Node, Value};
use crate::finding::{Finding, Problem, ProblemKind};
use crate::rules::RuleSet;
use crate::text::{FileId, SourceFile, Span};

/// Larger files are no baselines; they are refused.
pub const MAX_BYTES: u64 = 64 << 20;

/// What the file begins with: the version of its form.
const FORMAT: &str = "treaty-baseline";
const VERSION: &str = "1";

/// A baseline that was read.
#[derive(Clone, Debug)]
pub struct Baseline {
    path: String,
    text: String,
    scope: Scope,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    rule: String,
    /// The file that it is reported in.
    path: String,
    /// The contract that takes part in it.
    contract: Option<String>,
    message: String,
    fingerprint: String,
    key: String,
    /// Byte range in the baseline.
    at: (usize, usize),
}

/// A file that is no baseline, or one that cannot be understood.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{path}` is no baseline: {reason}")]
pub struct BaselineError {
    pub path: String,
    pub reason: String,
    /// Byte range of what is wrong.
    pub at: (usize, usize),
}

impl Baseline {
    /// Reads the text of a baseline; `path` is how messages call it.
    ///
    /// # Errors
    /// The first place where the text is none: no JSON, another document, a version that is not known, an entry without one
    /// of its members.
    pub fn read(path: &str, text: &str) -> Result<Baseline, BaselineError> {
        let refuse = |at: Span, reason: String| BaselineError {
            path: path.to_owned(),
            reason,
            at: (at.start as usize, at.end as usize),
        };
        let begins = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
        if !text[begins..].starts_with('{') {
            return Err(refuse(Span::new(FileId(0), begins, begins), "it is no JSON object".to_owned()));
        }
        let read = tree::read(FileId(0), text);
        if let Some(issue) = read.issues.first().or(read.not_json.as_ref()) {
            return Err(refuse(issue.span, issue.message.clone()));
        }
        let root = &read.root;
        if let Some(problem) = read.problems.first() {
            return Err(refuse(problem.span.unwrap_or(root.span), problem.message.clone()));
        }
        let first = Span { end: root.span.start, ..root.span };
        let version = root.get(FORMAT).ok_or_else(|| refuse(first, format!("it has no `{FORMAT}`")))?;
        if version.scalar_text() != Some(VERSION) {
            let message = format!("its version is `{}`, and this program reads {VERSION}", version.to_json());
            return Err(refuse(version.span, message));
        }
        let texts = |key: &str| -> Result<Vec<String>, BaselineError> {
            let Some(list) = root.get(key) else { return Ok(Vec::new()) };
            let text = |item: &Node| item.text().map(str::to_owned);
            let all: Option<Vec<String>> =
                matches!(list.value, Value::Array(_)).then(|| list.items().iter().map(text).collect()).flatten();
            all.ok_or_else(|| refuse(list.span, format!("`{key}` must be a list of texts")))
        };
        let scope = Scope { scanned: texts("scanned")?, contracts: texts("contracts")?, is_whole: false };
        let list = root.get("findings").filter(|list| matches!(list.value, Value::Array(_)));
        let list = list.ok_or_else(|| refuse(first, "it has no list of `findings`".to_owned()))?;
        let entry = |node: &Node| {
            let text = |key: &str| {
                let text = node.get(key).and_then(Node::text).map(str::to_owned);
                text.ok_or_else(|| refuse(node.span, format!("an entry has no `{key}`")))
            };
            Ok(Entry {
                rule: text("rule")?,
                path: text("path")?,
                contract: node.get("contract").and_then(Node::text).map(str::to_owned),
                message: text("message")?,
                fingerprint: text("fingerprint")?,
                key: text("key")?,
                at: (node.span.start as usize, node.span.end as usize),
            })
        };
        let entries = list.items().iter().map(entry).collect::<Result<_, BaselineError>>()?;
        Ok(Baseline { path: path.to_owned(), text: text.to_owned(), scope, entries })
    }

    /// The baseline of a run: all of its findings that count. The same findings give the same value.
    pub fn of(report: &Report) -> Json {
        let sources = &report.project.sources;
        let entry = |finding: &Finding| {
            let mut entry = json!({ "rule": finding.rule, "path": sources.path(finding.span) });
            if let Some(place) = finding.contract.as_ref().filter(|place| place.span.file != finding.span.file) {
                entry["contract"] = sources.path(place.span).into();
            }
            entry["message"] = finding.message.as_str().into();
            entry["fingerprint"] = finding.fingerprint.as_str().into();
            entry["key"] = finding.key.as_str().into();
            entry
        };
        json!({
            FORMAT: 1,
            "scanned": report.scope.scanned,
            "contracts": report.scope.contracts,
            "findings": report.findings.iter().map(entry).collect::<Vec<_>>(),
        })
    }
}

impl Report {
    /// Takes out what the baseline has, each entry one finding. Entries of rules that were run which took nothing out are
    /// told, if this run has the scope of the one that the baseline is of, or looks at everything.
    pub fn hold_against(&mut self, baseline: &Baseline, rules: &RuleSet) {
        let is_comparable = self.scope.is_whole
            || (&self.scope.scanned, &self.scope.contracts) == (&baseline.scope.scanned, &baseline.scope.contracts);
        let sources = &mut self.project.sources;
        let files: BTreeSet<&str> = (0..sources.len() as u32).map(|at| sources.get(FileId(at)).path.as_str()).collect();
        let is_gone = |entry: &Entry| {
            let mut paths = std::iter::once(&entry.path).chain(&entry.contract);
            paths.any(|path| !files.contains(path.as_str()))
        };
        let mut exact: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut renamed: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
        // The first of several is taken first, from the end.
        for (at, entry) in baseline.entries.iter().enumerate().rev() {
            exact.entry(&entry.fingerprint).or_default().push(at);
        }
        let mut taken: Vec<Option<usize>> = vec![None; self.findings.len()];
        let mut used = BTreeSet::new();
        // What is suppressed already is known, whichever says so.
        for finding in self.suppressed.iter().map(|it| &it.finding) {
            used.extend(exact.get_mut(finding.fingerprint.as_str()).and_then(Vec::pop));
        }
        for (finding, taken) in self.findings.iter().zip(&mut taken) {
            *taken = exact.get_mut(finding.fingerprint.as_str()).and_then(Vec::pop);
            used.extend(*taken);
        }
        // What is not read in this run may be all there: only where it would have been is it renamed.
        for (at, entry) in baseline.entries.iter().enumerate().rev() {
            if is_comparable && !used.contains(&at) && is_gone(entry) {
                renamed.entry((&entry.rule, &entry.key)).or_default().push(at);
            }
        }
        for (finding, taken) in self.findings.iter().zip(&mut taken).filter(|(_, taken)| taken.is_none()) {
            *taken = renamed.get_mut(&(finding.rule.as_str(), finding.key.as_str())).and_then(Vec::pop);
            used.extend(*taken);
        }
        let file = sources.add(SourceFile::new(baseline.path.clone(), baseline.text.clone()));
        let place = |at: usize| Span::new(file, baseline.entries[at].at.0, baseline.entries[at].at.1);
        let mut counting = Vec::new();
        for (finding, taken) in std::mem::take(&mut self.findings).into_iter().zip(taken) {
            match taken {
                None => counting.push(finding),
                Some(at) => {
                    let by = Suppression { kind: SuppressionKind::Baseline, place: place(at), reason: None };
                    self.suppressed.push(Suppressed { finding, by });
                }
            }
        }
        self.findings = counting;
        if is_comparable {
            let is_judged =
                |entry: &Entry| rules.get(&entry.rule).is_some_and(|rule| rule.engine.has_both_sides(&self.project));
            let left = baseline.entries.iter().enumerate().filter(|(at, entry)| !used.contains(at) && is_judged(entry));
            let problems: Vec<Problem> = left
                .map(|(at, entry)| {
                    let message = format!("no longer found in {}: {} {}", entry.path, entry.rule, entry.message);
                    let problem = Problem::at(ProblemKind::OutdatedBaseline, &self.project.sources, place(at), message);
                    problem.with_help(
                        "write the baseline anew with `treaty baseline write`, so that it does not come back",
                    )
                })
                .collect();
            self.problems.extend(problems);
            self.problems.sort();
        }
        let sources = &self.project.sources;
        self.suppressed.sort_by(|a, b| crate::finding::in_order(sources, &a.finding, &b.finding));
    }
}
