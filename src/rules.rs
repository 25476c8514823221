//! Rules: data that configure a check, name the defect and carry the wording.
//!
//! A rule is two files, `rules/<family>/<CODE>.toml` and its Markdown twin. Those of the repository are embedded by the
//! build script; a user's own are handed in as texts. Everything in a rule file is checked when it is read.

mod file;
mod fix;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::checks::{Engine, Source, mend};
use crate::finding::{Depth, Finding, Problem, Safety, Severity, Sink, Wording, in_order};
use crate::project::Project;
use crate::workspace::Wants;

pub use file::RuleError;

/// Name and text of every file below `rules/`, sorted by name.
static EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.in"));

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Letters of the family, a dash and a number.
    pub code: String,
    /// In words: `missing-endpoint`.
    pub name: String,
    /// The folder it lies in.
    pub family: String,
    /// The most severe that it reports.
    pub severity: Severity,
    pub tier: Tier,
    /// What takes the place of the code that it reports.
    pub fix: Option<Fix>,
    /// First sentence of the documentation.
    pub summary: String,
    /// Its documentation with its cases, as Markdown.
    pub markdown: String,
    /// General advice, with gaps where a finding is more exact.
    pub help: Option<String>,
    pub engine: Engine,
    wording: BTreeMap<&'static str, Wording>,
}

impl Rule {
    /// Every kind it reports with its severity, sorted by name.
    pub fn kinds(&self) -> impl Iterator<Item = (&'static str, Severity)> {
        self.wording.iter().map(|(kind, wording)| (*kind, wording.severity))
    }

    /// Whether a name means it: its code, or its family, as a folder or as the letters of its code. Casing does not count.
    pub fn answers_to(&self, name: &str) -> bool {
        let letters = self.code.rsplit_once('-').map_or("", |(letters, _)| letters);
        [self.code.as_str(), letters, &self.family].iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// When a rule runs without being asked for by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tier {
    /// In every scan: worth stopping a colleague's commit for.
    #[default]
    Default,
    /// From this depth on.
    Depth(Depth),
    /// Never: it has still to prove itself.
    Preview,
}

impl Tier {
    pub fn name(self) -> &'static str {
        match self {
            Tier::Default => "default",
            Tier::Depth(_) => "depth",
            Tier::Preview => "preview",
        }
    }

    /// When it runs, as part of a sentence.
    pub fn about(self) -> String {
        match self {
            Tier::Default => "runs in every scan".to_owned(),
            Tier::Depth(from) => format!("runs from `--depth {}` on, or by name with `--select`", from.name()),
            Tier::Preview => "runs by name with `--select` alone".to_owned(),
        }
    }

    /// Whether it runs at a depth; none asks for nothing but what every scan runs.
    fn runs_at(self, depth: Option<Depth>) -> bool {
        match self {
            Tier::Default => true,
            Tier::Depth(from) => depth.is_some_and(|depth| depth >= from),
            Tier::Preview => false,
        }
    }
}

/// What takes the place of the code that a rule reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Code with the names that the rule's pattern gives to what it matches.
    pub template: String,
    pub safety: Safety,
}

/// Which rules run. A name is a code or a family, as a folder or as the letters of its codes, or else what codes begin
/// with; casing does not count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection<'a> {
    /// These alone, whatever their tier; what the depth runs where empty.
    pub select: &'a [String],
    /// These besides.
    pub also: &'a [String],
    /// But none of these.
    pub ignore: &'a [String],
    pub depth: Option<Depth>,
}

impl<'a> Selection<'a> {
    pub fn of(select: &'a [String], ignore: &'a [String]) -> Self {
        Selection { select, ignore, ..Selection::default() }
    }

    pub fn only(select: &'a [String]) -> Self {
        Selection { select, ..Selection::default() }
    }
}

/// All rules of a run, sorted by code.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<Arc<Rule>>,
}

impl RuleSet {
    /// The rules that belong to the tool.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read every embedded rule.
    pub fn embedded() -> Self {
        static RULES: LazyLock<RuleSet> = LazyLock::new(|| {
            let files: Vec<(String, String)> =
                EMBEDDED.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
            RuleSet::load(&files).expect("the tests read every embedded rule")
        });
        RULES.clone()
    }

    /// Reads rule files: pairs of path (`<family>/<CODE>.toml` or `.md`, forward slashes) and text.
    ///
    /// # Errors
    /// The first file that is no valid rule, has no twin, or repeats a code.
    pub fn load(files: &[(String, String)]) -> Result<Self, RuleError> {
        let twins: BTreeMap<&str, &str> =
            files.iter().filter_map(|(path, text)| Some((path.strip_suffix(".md")?, text.as_str()))).collect();
        let mut rules = Vec::new();
        for (path, text) in files {
            let Some(stem) = path.strip_suffix(".toml") else { continue };
            let markdown =
                twins.get(stem).ok_or_else(|| RuleError::NoTwin { path: path.clone(), twin: format!("{stem}.md") })?;
            rules.push(Arc::new(file::read(path, text, markdown)?));
        }
        let set = RuleSet::sorted(rules);
        match set.rules.windows(2).find(|pair| pair[0].code == pair[1].code) {
            Some(pair) => Err(RuleError::Twice { code: pair[0].code.clone() }),
            None => Ok(set),
        }
    }

    /// These rules and a user's own.
    ///
    /// # Errors
    /// As [`RuleSet::load`]; also where a user's rule has a code that is taken.
    pub fn load_user(&self, files: &[(String, String)]) -> Result<Self, RuleError> {
        let own = RuleSet::load(files)?;
        for rule in &own.rules {
            let Engine::Source(source) = &rule.engine else { continue };
            if let Err(problem) = source.patterns() {
                return Err(RuleError::Pattern { code: rule.code.clone(), problem });
            }
        }
        if let Some(taken) = own.rules.iter().find(|rule| self.get(&rule.code).is_some()) {
            return Err(RuleError::Twice { code: taken.code.clone() });
        }
        Ok(RuleSet::sorted(self.rules.iter().cloned().chain(own.rules).collect()))
    }

    /// The rules that a selection chooses.
    ///
    /// # Errors
    /// A name that means no rule.
    pub fn select(&self, selection: &Selection<'_>) -> Result<Self, RuleError> {
        let Selection { select, also, ignore, depth } = *selection;
        let mut names = select.iter().chain(also).chain(ignore);
        if let Some(unknown) = names.find(|name| !self.rules.iter().any(|rule| self.means(name, rule))) {
            return Err(RuleError::unknown(unknown, &self.rules));
        }
        let named = |rule: &Rule, names: &[String]| names.iter().any(|name| self.means(name, rule));
        let is_on = |rule: &Rule| if select.is_empty() { rule.tier.runs_at(depth) } else { named(rule, select) };
        let kept = |rule: &&Arc<Rule>| (is_on(rule) || named(rule, also)) && !named(rule, ignore);
        Ok(RuleSet { rules: self.rules.iter().filter(kept).cloned().collect() })
    }

    /// Some of them.
    #[must_use]
    pub fn keep(&self, is_kept: impl Fn(&Rule) -> bool) -> Self {
        RuleSet { rules: self.rules.iter().filter(|rule| is_kept(rule)).cloned().collect() }
    }

    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().map(Arc::as_ref)
    }

    pub fn get(&self, code: &str) -> Option<&Rule> {
        self.rules().find(|rule| rule.code.eq_ignore_ascii_case(code))
    }

    /// Whether a name that selects or ignores means a rule. A name that is a code or a family means that alone, so that a
    /// family whose name goes on where another's ends changes nothing for the shorter one.
    fn means(&self, name: &str, rule: &Rule) -> bool {
        let begins = |code: &str| code.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        rule.answers_to(name) || (!name.is_empty() && !self.has(name) && begins(&rule.code))
    }

    /// Whether a name is the code or the family of any of them.
    pub fn has(&self, name: &str) -> bool {
        self.rules.iter().any(|rule| rule.answers_to(name))
    }

    /// Which files other than code and contracts the rules look at.
    pub fn wants(&self) -> Wants {
        self.rules.iter().fold(Wants::default(), |wants, rule| wants.and(rule.engine.wants()))
    }

    /// Codes of those that only some scans run: what they find may be without end, and is shown as far as somebody reads.
    pub fn besides(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|rule| rule.tier != Tier::Default).map(|rule| rule.code.as_str())
    }

    /// Those about source code, with their codes.
    pub fn about_source(&self) -> impl Iterator<Item = (&str, &Source)> {
        self.rules.iter().filter_map(|rule| match &rule.engine {
            Engine::Source(source) => Some((rule.code.as_str(), source)),
            _ => None,
        })
    }

    /// Runs every rule over the project; sorted by file path, span, rule, kind and field. What could not be compared is
    /// added to the problems.
    pub fn judge(&self, project: &Project, problems: &mut Vec<Problem>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for rule in &self.rules {
            let mut sink = Sink::new(&rule.code, &rule.name, &rule.wording, &project.sources);
            rule.engine.judge(project, &mut sink);
            problems.append(&mut sink.problems);
            let mut found = sink.finish();
            if let Some(fix) = &rule.fix {
                fix.offer(&rule.code, &mut found, project);
            }
            if rule.engine.tells_what_is_sent() {
                mend(&mut found, &project.sources);
            }
            findings.extend(found);
        }
        findings.sort_by(|a, b| in_order(&project.sources, a, b));
        findings
    }

    fn sorted(mut rules: Vec<Arc<Rule>>) -> Self {
        rules.sort_by(|a, b| a.code.cmp(&b.code));
        RuleSet { rules }
    }
}

#[cfg(test)]
mod tests;
