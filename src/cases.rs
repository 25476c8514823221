//! Cases in Markdown: documentation that is run. Rules and frameworks keep theirs beside them.
//!
//! Below the heading `## Cases`, each `###` is one tiny project. Its files are fenced code blocks whose info string
//! has a title, ```` ```python title="app.py" ````; a block without a title is prose. What is expected stands in
//! blocks of their own:
//!
//! - ```` ```findings ````: every finding, one a line, `CODE kind path:line:column severity message`, followed by
//!   `[GET /a, GET /b]` where several operations are affected. An empty block asserts silence.
//! - ```` ```facts ````: every operation that the code serves, one a line, as [`render_facts`] writes them.
//! - ```` ```requests ````: what every operation takes, one operation a line, as [`render_requests`] writes it.
//! - ```` ```wires ````: messages that are sent and received, and requests that are made, as [`render_wires`] writes them.
//!
//! A document that is named after a rule (`CONTRACT-001.md`) is run with that rule only, any other with all. A file
//! `treaty.toml` in a case is read as its configuration.

mod facts;
mod parse;
mod requests;
mod wires;

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{self, Config};
use crate::finding::Finding;
use crate::rules::{RuleSet, Selection};
use crate::scan::{Input, Report, scan_texts};
use crate::text::Sources;

pub use facts::render_facts;
use parse::{Block, Case, Role};
pub use requests::render_requests;
pub use wires::render_wires;

/// What came of the cases of one document.
#[derive(Clone, Debug)]
pub struct Checked {
    pub path: String,
    /// How many cases it has.
    pub cases: usize,
    pub failures: Vec<Failure>,
    /// The document with every expectation replaced by what really comes out.
    pub rewritten: String,
}

/// One expectation that does not hold, or a case that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Title of the case.
    pub case: String,
    /// Line of the expectation, or of the case's heading.
    pub line: usize,
    /// What cannot be run; empty where an expectation does not hold.
    pub problem: String,
    /// Lines that were expected and did not come, in the block's order.
    pub missing: Vec<String>,
    /// Lines that came and were not expected.
    pub unexpected: Vec<String>,
}

impl Checked {
    /// One paragraph a failure, `path:line: case` and then its lines with `-` for missing and `+` for unexpected ones.
    pub fn explain(&self) -> String {
        let mut lines = Vec::new();
        for failure in &self.failures {
            lines.push(format!("{}:{}: {}", self.path, failure.line, failure.case));
            lines.extend(Some(&failure.problem).filter(|problem| !problem.is_empty()).map(|it| format!("  {it}")));
            lines.extend(failure.missing.iter().map(|line| format!("  - {line}")));
            lines.extend(failure.unexpected.iter().map(|line| format!("  + {line}")));
        }
        lines.into_iter().map(|line| line + "\n").collect()
    }
}

/// Runs the cases of Markdown documents, given as pairs of path and text. Rules come from `rules`, which must have the
/// one that a document is named after.
pub fn run_cases(documents: &[(String, String)], rules: &RuleSet) -> Vec<Checked> {
    documents.iter().map(|(path, text)| run_document(path, text, rules)).collect()
}

fn run_document(path: &str, text: &str, rules: &RuleSet) -> Checked {
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
    let own = rules.get(stem).and_then(|rule| rules.select(&Selection::only(std::slice::from_ref(&rule.code))).ok());
    let rules = own.as_ref().unwrap_or(rules);
    check(path, text, |case| run_case(case, rules))
}

/// Holds every expectation of a document against what `run` makes of its case.
fn check(
    path: &str,
    text: &str,
    run: impl for<'c> Fn(&'c Case) -> Result<Vec<(&'c Block, String)>, String>,
) -> Checked {
    let cases = parse::cases(text);
    let mut checked =
        Checked { path: path.to_owned(), cases: cases.len(), failures: Vec::new(), rewritten: String::new() };
    let mut copied = 0;
    for case in &cases {
        match run(case) {
            Err(problem) => checked.failures.push(failure(case, case.line, problem)),
            Ok(expectations) => {
                for (block, actual) in expectations {
                    checked.failures.extend(compare(case, block, &actual));
                    checked.rewritten.push_str(&text[copied..block.content.start]);
                    checked.rewritten.push_str(&actual);
                    copied = block.content.end;
                }
            }
        }
    }
    checked.rewritten.push_str(&text[copied..]);
    checked
}

/// Every expectation of the case with what really comes out.
fn run_case<'c>(case: &'c Case, rules: &RuleSet) -> Result<Vec<(&'c Block, String)>, String> {
    let expectations: Vec<&Block> = case.blocks.iter().filter(|block| block.role != Role::File).collect();
    if expectations.is_empty() {
        return Err("it expects nothing: add a block `findings`, `facts` or `requests`, empty for silence".to_owned());
    }
    let mut inputs = Vec::new();
    let mut config = Config::default();
    let mut seen = BTreeSet::new();
    for block in case.blocks.iter().filter(|block| block.role == Role::File) {
        if !seen.insert(&block.title) {
            return Err(format!("two blocks are called `{}`", block.title));
        }
        if block.title == "treaty.toml" {
            config = config::parse(&block.title, &block.text).map_err(|error| error.to_string())?;
        } else {
            inputs.push(Input { path: block.title.clone(), text: block.text.clone() });
        }
    }
    if inputs.is_empty() {
        return Err("it has no files: give its code blocks a title, as in `python title=\"app.py\"`".to_owned());
    }
    let report = scan_texts(inputs, &config, rules);
    let render = |block: &'c Block| match block.role {
        Role::Facts => (block, render_facts(&report.project)),
        Role::Requests => (block, render_requests(&report.project)),
        Role::Wires => (block, render_wires(&report.project)),
        Role::Findings | Role::File => (block, render_findings(&report)),
    };
    Ok(expectations.into_iter().map(render).collect())
}

/// All findings of a run as cases write them, each with its line break.
pub fn render_findings(report: &Report) -> String {
    report.findings.iter().map(|finding| line(finding, &report.project.sources) + "\n").collect()
}

fn line(finding: &Finding, sources: &Sources) -> String {
    let at = sources.positions(finding.span).0;
    let Finding { rule, kind, message, .. } = finding;
    let (path, severity) = (sources.path(finding.span), finding.severity.name());
    let operations = match &finding.operations[..] {
        [] | [_] => String::new(),
        several => format!(" [{}]", several.join(", ")),
    };
    // A finding is one line here whatever stands in the sources.
    let message = message.replace(['\n', '\r'], " ");
    format!("{rule} {kind} {path}:{}:{} {severity} {message}{operations}", at.line, at.column)
}

fn compare(case: &Case, block: &Block, actual: &str) -> Option<Failure> {
    let (expected, actual): (Vec<&str>, Vec<&str>) = (told(&block.text), told(actual));
    if expected == actual {
        return None;
    }
    let beyond = |lines: &[&str], others: &[&str]| -> Vec<String> {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for other in others {
            *left.entry(other).or_default() += 1;
        }
        let unmatched = lines.iter().filter(|line| match left.get_mut(**line) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        });
        unmatched.map(|line| (*line).to_owned()).collect()
    };
    let (missing, unexpected) = (beyond(&expected, &actual), beyond(&actual, &expected));
    let moved = missing.is_empty() && unexpected.is_empty();
    let problem = if moved { "the lines come in another order".to_owned() } else { String::new() };
    Some(Failure { missing, unexpected, ..failure(case, block.line, problem) })
}

fn told(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

fn failure(case: &Case, line: usize, problem: String) -> Failure {
    Failure { case: case.title.clone(), line, problem, missing: Vec::new(), unexpected: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "## Cases\n\n### one\n\n```py title=\"a.py\"\n```\n\n```findings\nold\nboth\n```\n\n### two\n\n```findings\n```\nend\n";

    fn checked(answer: &str) -> Checked {
        check("x.md", DOCUMENT, |case| {
            let blocks = case.blocks.iter().filter(|block| block.role == Role::Findings);
            Ok(blocks
                .map(|block| (block, if case.title == "one" { answer.to_owned() } else { String::new() }))
                .collect())
        })
    }

    #[test]
    fn an_expectation_that_holds_leaves_the_document_alone() {
        let checked = checked("old\nboth\n");
        assert_eq!((checked.cases, checked.failures.len()), (2, 0));
        assert_eq!(checked.rewritten, DOCUMENT);
    }

    #[test]
    fn one_that_does_not_is_explained_and_rewritten() {
        let checked = checked("both\nnew\n");
        assert_eq!(checked.explain(), "x.md:8: one\n  - old\n  + new\n");
        assert_eq!(checked.rewritten, DOCUMENT.replace("old\nboth\n", "both\nnew\n"));
    }

    #[test]
    fn the_order_counts() {
        assert_eq!(checked("both\nold\n").explain(), "x.md:8: one\n  the lines come in another order\n");
    }

    #[test]
    fn a_case_that_expects_nothing_or_has_no_files_cannot_be_run() {
        let documents = [("a.md".to_owned(), "## Cases\n### a\n### b\n```findings\n```\n".to_owned())];
        let checked = run_cases(&documents, &RuleSet::default());
        let problems: Vec<&str> = checked[0].failures.iter().map(|failure| failure.problem.as_str()).collect();
        assert!(problems[0].starts_with("it expects nothing"), "{problems:?}");
        assert!(problems[1].starts_with("it has no files"), "{problems:?}");
    }
}
