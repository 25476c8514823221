//! What people say is not to be reported: comments in code, `x-treaty-ignore` in contracts. What is suppressed is kept apart
//! with the reason that was given, and what suppresses nothing is told.

mod comments;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::Report;
use crate::contracts::{self, Document};
use crate::finding::{Finding, Problem, ProblemKind};
use crate::project::Project;
use crate::rules::{Rule, RuleSet};
use crate::text::{FileId, Sources, Span};

pub(super) use comments::MARK;

/// A finding that does not count, and why.
#[derive(Clone, Debug)]
pub struct Suppressed {
    pub finding: Finding,
    pub by: Suppression,
}

/// What takes a finding out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    pub kind: SuppressionKind,
    /// Where it stands.
    pub place: Span,
    /// What it gives as the reason.
    pub reason: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuppressionKind {
    /// A comment, or an extension of a contract.
    InSource,
    /// An entry of a baseline.
    Baseline,
}

/// Everything of a run that suppresses, before it is known what is found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Suppressions {
    directives: Vec<Directive>,
    /// What looks like a directive and cannot be understood.
    problems: Vec<Problem>,
}

/// One comment or extension.
#[derive(Clone, Debug)]
struct Directive {
    /// Where it stands.
    place: Span,
    scope: Scope,
    /// Rules, by code, the beginning of codes, or family; none: every rule.
    names: Vec<(String, Span)>,
    reason: Option<String>,
}

/// What a directive holds for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scope {
    /// Findings that begin or end on the first or the last of these lines.
    Lines {
        file: FileId,
        lines: (u32, u32),
    },
    File(FileId),
    /// Findings that show a place in here, and those of operations that all stand in here.
    Part(Span),
}

impl SuppressionKind {
    /// `in-source`
    pub fn name(self) -> &'static str {
        match self {
            SuppressionKind::InSource => "in-source",
            SuppressionKind::Baseline => "baseline",
        }
    }
}

impl Suppressions {
    /// `commented`: comments of the files that may have directives; `documents`: those of the run.
    pub(super) fn read(
        sources: &Sources,
        commented: &[(FileId, Vec<(u32, u32)>)],
        documents: &BTreeMap<String, Document>,
    ) -> Suppressions {
        let mut found = Suppressions::default();
        for (file, comments) in commented {
            let (directives, problems) = comments::read(sources, *file, comments);
            found.directives.extend(directives);
            found.problems.extend(problems);
        }
        // Of contracts that a document holds, it says so itself.
        let mut seen = BTreeSet::new();
        for document in documents.values() {
            let says = |file: FileId| sources.get(file).text.contains(contracts::IGNORE_EXTENSION);
            if !document.file().is_some_and(says) {
                continue;
            }
            for ignore in contracts::ignores(document) {
                if !seen.insert(ignore.span) {
                    continue;
                }
                let Some(names) = ignore.names.filter(|names| names.iter().all(|(name, _)| !name.is_empty())) else {
                    let message = "it is neither a rule nor a list of rules: nothing is suppressed";
                    let problem = Problem::at(ProblemKind::InvalidSuppression, sources, ignore.span, message);
                    found.problems.push(problem.with_help("write `x-treaty-ignore: [CODE]`"));
                    continue;
                };
                let file = ignore.within.file;
                let scope = if ignore.is_document { Scope::File(file) } else { Scope::Part(ignore.within) };
                if !names.is_empty() {
                    found.directives.push(Directive { place: ignore.span, scope, names, reason: None });
                }
            }
        }
        found
    }
}

impl Report {
    /// Takes findings out that comments and contracts suppress; they are in [`Report::suppressed`] afterwards. What cannot be
    /// understood of those, names no rule of `known` (`None`: there may be others), or suppresses nothing though its rule is one of `rules`, which were
    /// run, is added to the problems.
    pub fn suppress(&mut self, rules: &RuleSet, known: Option<&RuleSet>) {
        let suppressions = std::mem::take(&mut self.suppressions);
        if suppressions.directives.is_empty() && suppressions.problems.is_empty() {
            return;
        }
        let mut used: BTreeSet<(usize, Option<usize>)> = BTreeSet::new();
        let index = Index::new(&suppressions.directives);
        let mut counting = Vec::with_capacity(self.findings.len());
        for finding in std::mem::take(&mut self.findings) {
            let mut by = None;
            for at in index.around(&finding) {
                let directive = &suppressions.directives[at];
                let rule = rules.get(&finding.rule);
                let named = |(name, _): &(String, Span)| rule.is_some_and(|rule| rule.answers_to(name));
                let name = directive.names.iter().position(named);
                if (name.is_some() || directive.names.is_empty()) && directive.covers(&self.project, &finding) {
                    used.insert((at, name));
                    let reason = directive.reason.clone();
                    by = by.or(Some(Suppression { kind: SuppressionKind::InSource, place: directive.place, reason }));
                }
            }
            match by {
                Some(by) => self.suppressed.push(Suppressed { finding, by }),
                None => counting.push(finding),
            }
        }
        self.findings = counting;
        self.problems.extend(suppressions.problems.iter().cloned());
        for (at, directive) in suppressions.directives.iter().enumerate() {
            self.tell_idle(directive, |name| used.contains(&(at, name)), (rules, known));
        }
        self.problems.sort();
        self.problems.dedup();
    }

    /// Adds a problem for each name of a directive that is no rule's, or that took nothing out.
    fn tell_idle(
        &mut self,
        directive: &Directive,
        is_used: impl Fn(Option<usize>) -> bool,
        (rules, known): (&RuleSet, Option<&RuleSet>),
    ) {
        let sources = &self.project.sources;
        let help = "take it out, so that it hides nothing later";
        let mut problems = Vec::new();
        // Part of what the rules compare may be missing from a part; files that were read beside it are told of elsewhere.
        let is_asked = self.scope.is_whole && !self.unasked.contains(&directive.place.file);
        if directive.names.is_empty()
            && is_asked
            && !is_used(None)
            && known.is_some_and(|known| rules.rules().count() == known.rules().count())
        {
            let message = "nothing is found in this file: the suppression is not needed";
            let problem = Problem::at(ProblemKind::UnusedSuppression, sources, directive.place, message);
            problems.push(problem.with_help(help));
        }
        for (at, (name, place)) in directive.names.iter().enumerate() {
            let Some(known) = known.or_else(|| rules.has(name).then_some(rules)) else { continue };
            if !known.has(name) {
                let message = format!("no rule is called `{name}`: nothing is suppressed by that name");
                let problem = Problem::at(ProblemKind::InvalidSuppression, sources, *place, message);
                problems.push(problem.with_help("`treaty rules list` shows all"));
                continue;
            }
            let is_judged = |rule: &Rule| rules.get(&rule.code).is_some() && rule.engine.has_both_sides(&self.project);
            let mut meant = known.rules().filter(|rule| rule.answers_to(name));
            if is_asked && !is_used(Some(at)) && meant.all(is_judged) {
                let message = format!("nothing of `{name}` is found here: the suppression is not needed");
                let problem = Problem::at(ProblemKind::UnusedSuppression, sources, *place, message);
                problems.push(problem.with_help(help));
            }
        }
        self.problems.extend(problems);
    }
}

impl Directive {
    fn covers(&self, project: &Project, finding: &Finding) -> bool {
        let stated = finding.contract.as_ref().map(|place| place.span);
        match &self.scope {
            Scope::Lines { file, lines } => {
                let (start, end) = project.sources.positions(finding.span);
                let is_about = |line: u32| line == lines.0 || line == lines.1;
                finding.span.file == *file && (is_about(start.line) || is_about(end.line))
            }
            Scope::File(file) => finding.span.file == *file || stated.is_some_and(|span| span.file == *file),
            Scope::Part(part) => {
                is_in(finding.span, *part)
                    || stated.is_some_and(|span| is_in(span, *part))
                    || are_operations_of(project, finding, *part)
            }
        }
    }
}

fn is_in(span: Span, part: Span) -> bool {
    span.file == part.file && part.start <= span.start && span.end <= part.end
}

/// Whether a finding that the contract takes part in is about operations that all stand in a part of the document: a schema
/// that they share may lie elsewhere, in another document too.
fn are_operations_of(project: &Project, finding: &Finding, part: Span) -> bool {
    let Some(place) = &finding.contract else { return false };
    let Some(own) = project.contracts.iter().find(|it| it.file == part.file) else { return false };
    let stands = |title: &String| {
        let mut inside = own.operations.iter().filter(|it| is_in(it.span, part));
        // Where several contracts state the operation, it is the one that the finding is about.
        let others = project.contracts.iter().filter(|it| it.file != part.file);
        let is_stated_elsewhere = || others.flat_map(|it| &it.operations).any(|it| it.title() == *title);
        inside.any(|it| it.title() == *title) && (place.span.file == part.file || !is_stated_elsewhere())
    };
    !finding.operations.is_empty() && finding.operations.iter().all(stands)
}

/// Directives by what they may hold for, so that a finding is held against few of them.
struct Index {
    by_file: BTreeMap<FileId, Vec<usize>>,
    /// Those of parts of contracts, which findings elsewhere may be about.
    parts: Vec<usize>,
}

impl Index {
    fn new(directives: &[Directive]) -> Index {
        let mut index = Index { by_file: BTreeMap::new(), parts: Vec::new() };
        for (at, directive) in directives.iter().enumerate() {
            match &directive.scope {
                Scope::Lines { file, .. } | Scope::File(file) => index.by_file.entry(*file).or_default().push(at),
                Scope::Part(_) => index.parts.push(at),
            }
        }
        let is_file = |at: &usize| matches!(directives[*at].scope, Scope::File(_));
        index.by_file.values_mut().for_each(|all| all.sort_by_key(is_file));
        index
    }

    /// Those that may hold for a finding; the reason of the narrowest, which comes first, is the one that is shown.
    fn around(&self, finding: &Finding) -> Vec<usize> {
        let stated = finding.contract.as_ref().map(|place| place.span.file).filter(|file| *file != finding.span.file);
        let of = |file: FileId| self.by_file.get(&file).into_iter().flatten().copied();
        of(finding.span.file).chain(stated.into_iter().flat_map(of)).chain(self.parts.iter().copied()).collect()
    }
}
