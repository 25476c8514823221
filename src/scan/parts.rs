//! Which rules are on, and how severe, where: what the settings and the command line say for everything, and what
//! `[[override]]` and settings in folders say for a part. The nearest that says something decides.

use std::collections::{BTreeMap, BTreeSet};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::Report;
use super::paths::below;
use crate::config::{Config, FILE_NAME, Override};
use crate::finding::{Depth, Finding, Severity};
use crate::rules::{RuleError, RuleSet, Selection};

/// Settings of a part of what is scanned.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// What its paths are relative to, as shown.
    directory: String,
    /// Which files below it; all of them, if nothing is said.
    paths: Option<Gitignore>,
    settings: Override,
    /// Keys that hold only where a scan begins in the directory.
    passed: Vec<String>,
}

impl Part {
    pub(super) fn new(directory: String, settings: Override) -> Self {
        let mut globs = GitignoreBuilder::new("");
        for glob in &settings.paths {
            // Whoever read the settings has looked whether it is one.
            let _ = globs.add_line(None, glob);
        }
        let paths = (!settings.paths.is_empty()).then(|| globs.build().unwrap_or_else(|_| Gitignore::empty()));
        Part { directory, paths, settings, passed: Vec::new() }
    }

    /// Settings of a folder, with the keys that mean nothing for a part.
    pub(super) fn of_folder(directory: String, (settings, passed): (Override, Vec<String>)) -> Self {
        Part { passed, ..Part::new(directory, settings) }
    }

    /// The file that says it, as shown, where that is one of its own, with the keys in it that mean nothing for a part.
    pub(super) fn file(&self) -> Option<(String, &[String])> {
        self.paths.is_none().then(|| (format!("{}/{FILE_NAME}", self.directory), self.passed.as_slice()))
    }

    /// Whether a file belongs to it, as shown.
    fn holds(&self, path: &str) -> bool {
        let is_inside = |it: &&str| !it.is_empty() && !it.starts_with('/');
        let Some(rest) = below(path, &self.directory).filter(is_inside) else { return false };
        let is_one = |paths: &Gitignore| paths.matched_path_or_any_parents(rest, false).is_ignore();
        self.paths.as_ref().is_none_or(is_one)
    }
}

/// What is asked for besides the settings, in the place of what they say; but for `ignore`, which adds up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    pub select: &'a [String],
    pub ignore: &'a [String],
    pub depth: Option<Depth>,
}

/// The rules of a run.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Those that are on anywhere.
    pub rules: RuleSet,
    /// Every rule that there is.
    pub all: RuleSet,
    /// Codes of those that are on where no part says otherwise.
    on: BTreeSet<String>,
    severities: Vec<(String, Severity)>,
    /// Somebody said which rules run, so that no part adds any.
    is_said: bool,
}

impl Choice {
    /// What settings and `asked` choose of all rules.
    ///
    /// # Errors
    /// A name that means no rule.
    pub fn of(all: RuleSet, config: &Config, asked: Asked<'_>) -> Result<Self, RuleError> {
        let parts = config.overrides.iter().flat_map(|part| &part.severities);
        // A severity for a rule that does not exist is a typing error, too.
        let named: Vec<String> = config.severities.iter().chain(parts).map(|(code, _)| code.clone()).collect();
        codes(&all, &named)?;
        let is_said = !asked.select.is_empty() || asked.depth.is_some();
        let ignore: Vec<String> = config.ignore.iter().chain(asked.ignore).cloned().collect();
        let configured = Selection { ignore: &ignore, ..super::configured(config) };
        let selection = Selection { depth: asked.depth.or(config.depth), ..configured };
        let selection = match asked.select {
            [] => selection,
            select => Selection { select, also: &[], ..selection },
        };
        let on: BTreeSet<String> = all.select(&selection)?.rules().map(|rule| rule.code.clone()).collect();
        let mut anywhere = on.clone();
        for part in &config.overrides {
            let turned = Turned::of(&all, part, is_said)?;
            anywhere.extend(turned.alone.into_iter().flatten().chain(turned.also));
        }
        let never = codes(&all, asked.ignore)?;
        let rules = all.keep(|rule| anywhere.contains(&rule.code) && !never.contains(&rule.code));
        Ok(Choice { rules, all, on, severities: config.severities.clone(), is_said })
    }

    /// The same with some of its rules.
    #[must_use]
    pub fn keep(mut self, is_kept: impl Fn(&crate::rules::Rule) -> bool) -> Self {
        self.rules = self.rules.keep(is_kept);
        self
    }

    /// Leaves the findings whose rule is on where they are found, with the severity that is set there. A finding that its check had
    /// made milder than its rule never gets more severe by it.
    ///
    /// # Errors
    /// A name in the settings of a folder that means no rule.
    pub fn settle(&self, report: &mut Report) -> Result<(), RuleError> {
        let mut parts = Vec::with_capacity(report.parts.len());
        for part in &report.parts {
            let named: Vec<String> = part.settings.severities.iter().map(|(code, _)| code.clone()).collect();
            codes(&self.all, &named)?;
            parts.push((part, Turned::of(&self.all, &part.settings, self.is_said)?));
        }
        if parts.is_empty() && self.severities.is_empty() {
            return Ok(());
        }
        let before = report.project.before.as_ref().map(|before| format!("{}:", before.name));
        let sources = &report.project.sources;
        let own: BTreeMap<&str, Severity> = self.rules.rules().map(|it| (it.code.as_str(), it.severity)).collect();
        let stays = |finding: &mut Finding| {
            let path = sources.path(finding.span);
            let path = before.as_ref().and_then(|name| path.strip_prefix(name.as_str())).unwrap_or(path);
            let code = finding.rule.as_str();
            let (mut is_on, mut severity) = (self.on.contains(code), said(&self.severities, code));
            for (part, turned) in parts.iter().filter(|(part, _)| part.holds(path)) {
                is_on = turned.is_on(code, is_on);
                severity = said(&part.settings.severities, code).or(severity);
            }
            if let Some(severity) = severity {
                let own = own.get(code).copied().unwrap_or(Severity::Error);
                finding.severity = if finding.severity < own { finding.severity.min(severity) } else { severity };
            }
            is_on
        };
        let mut findings = std::mem::take(&mut report.findings);
        findings.retain_mut(stays);
        let mut suppressed = std::mem::take(&mut report.suppressed);
        suppressed.retain_mut(|it| stays(&mut it.finding));
        (report.findings, report.suppressed) = (findings, suppressed);
        Ok(())
    }
}

/// What a part turns on and off, by codes.
struct Turned {
    alone: Option<BTreeSet<String>>,
    also: BTreeSet<String>,
    off: BTreeSet<String>,
}

impl Turned {
    fn of(all: &RuleSet, part: &Override, is_said: bool) -> Result<Self, RuleError> {
        let also = codes(all, &part.extend_select)?;
        let off = codes(all, &part.ignore)?;
        let is_chosen = !part.select.is_empty() || part.depth.is_some();
        let chosen = all.select(&Selection { depth: part.depth, ..Selection::only(&part.select) })?;
        let alone = (is_chosen && !is_said).then(|| chosen.rules().map(|rule| rule.code.clone()).collect());
        Ok(Turned { alone, also: if is_said { BTreeSet::new() } else { also }, off })
    }

    fn is_on(&self, code: &str, before: bool) -> bool {
        let chosen = self.alone.as_ref().map_or(before, |alone| alone.contains(code));
        (chosen || self.also.contains(code)) && !self.off.contains(code)
    }
}

fn said(severities: &[(String, Severity)], code: &str) -> Option<Severity> {
    severities.iter().find(|(known, _)| known.eq_ignore_ascii_case(code)).map(|(_, severity)| *severity)
}

/// Codes of the rules that names mean.
fn codes(all: &RuleSet, names: &[String]) -> Result<BTreeSet<String>, RuleError> {
    if names.is_empty() {
        return Ok(BTreeSet::new());
    }
    Ok(all.select(&Selection::only(names))?.rules().map(|rule| rule.code.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(directory: &str, paths: &[&str]) -> Part {
        let paths = paths.iter().map(|it| (*it).to_owned()).collect();
        Part::new(directory.to_owned(), Override { paths, ..Override::default() })
    }

    #[test]
    fn a_file_belongs_to_a_part_by_its_path() {
        for (directory, paths, path, expected) in [
            (".", &["old/**"][..], "old/a/b.py", true),
            (".", &["old"], "services/old/a.py", true),
            (".", &["/old"], "services/old/a.py", false),
            (".", &["*.py", "!keep.py"], "a/keep.py", false),
            ("shop", &["old/"], "shop/old/a.py", true),
            ("shop", &["old/"], "old/a.py", false),
            ("shop", &[], "shop/a.py", true),
            ("shop", &[], "shopping/a.py", false),
            // Outside of everything, or nowhere.
            (".", &["**"], "/elsewhere/a.py", false),
            (".", &["**"], "", false),
            ("/tmp/x", &["a.py"], "/tmp/x/a.py", true),
        ] {
            assert_eq!(part(directory, paths).holds(path), expected, "{directory} {paths:?} {path}");
        }
    }

    #[test]
    fn the_nearest_that_says_something_decides() {
        let texts = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<String>>();
        let all = RuleSet::embedded();
        let turned = |it: Override| Turned::of(&all, &it, false).expect("rules that there are");
        let off = turned(Override { ignore: texts(&["CONTRACT"]), ..Override::default() });
        let on = turned(Override { extend_select: texts(&["CONTRACT-001"]), ..Override::default() });
        let alone = turned(Override { select: texts(&["CONTRACT-002"]), ..Override::default() });
        let is_on = |parts: &[&Turned]| parts.iter().fold(true, |before, part| part.is_on("CONTRACT-001", before));
        assert!(is_on(&[]) && !is_on(&[&off]) && is_on(&[&off, &on]) && !is_on(&[&on, &off]));
        assert!(!is_on(&[&alone]) && is_on(&[&alone, &on]) && !is_on(&[&on, &alone]));
    }
}
