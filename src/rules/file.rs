//! One rule file: read with positions, checked whole, so that a mistake in it is shown at its line.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, NamedSource, SourceSpan};
use serde::Deserialize;
use toml::Spanned;

use super::{Fix, Rule, Tier};
use crate::checks::{Engine, KindInfo};
use crate::finding::{Depth, Safety, Severity, Template, Wording};

/// A rule that cannot be used, or a name that no rule has.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum RuleError {
    #[error("rule file `{path}`: {problem}")]
    Invalid {
        path: String,
        problem: String,
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        #[label("here")]
        at: Option<SourceSpan>,
        #[help]
        advice: String,
    },
    #[error("rule file `{path}` has no documentation")]
    #[diagnostic(help("write `{twin}` beside it: what it does, why it matters, how to fix it, and cases"))]
    NoTwin { path: String, twin: String },
    #[error("rule `{code}` looks for what cannot be read {problem}")]
    #[diagnostic(help("patterns are those of ast-grep: code with `$NAME` and `$$$REST` for what may stand there"))]
    Pattern { code: String, problem: String },
    #[error("two rules have the code `{code}`")]
    #[diagnostic(help("a code has one meaning for ever: take another number"))]
    Twice { code: String },
    #[error("no rule is called `{name}`")]
    Unknown {
        name: String,
        #[help]
        advice: String,
    },
}

impl RuleError {
    pub(super) fn unknown(name: &str, rules: &[Arc<Rule>]) -> Self {
        let upper = name.to_ascii_uppercase();
        let letters = |text: &str| text.chars().take_while(char::is_ascii_alphabetic).collect::<String>();
        let near = |rule: &&Arc<Rule>| {
            letters(&rule.code) == letters(&upper) || rule.name.contains(&name.to_ascii_lowercase())
        };
        let mut codes: Vec<&str> = rules.iter().filter(near).map(|rule| rule.code.as_str()).collect();
        if codes.is_empty() {
            codes = rules.iter().map(|rule| rule.code.as_str()).collect();
        }
        let more = codes.len().saturating_sub(8);
        codes.truncate(8);
        let mut advice = format!("there are {}", codes.join(", "));
        if more > 0 {
            advice.push_str(" and others");
        }
        RuleError::Unknown { name: name.to_owned(), advice: format!("{advice}; `treaty rules list` shows all") }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Raw {
    code: Spanned<String>,
    name: Spanned<String>,
    severity: Spanned<String>,
    /// `default`, `depth` or `preview`.
    tier: Option<Spanned<String>>,
    /// The first depth that runs a rule of the tier `depth`.
    depth: Option<Spanned<String>>,
    message: Spanned<String>,
    help: Option<Spanned<String>>,
    fix: Option<Spanned<String>>,
    /// `safe` or `unsafe`.
    fix_safety: Option<Spanned<String>>,
    check: Spanned<Engine>,
    /// The kinds that it reports; all of the engine's where there are none.
    #[serde(default)]
    kinds: Vec<Spanned<String>>,
    #[serde(default)]
    kind: BTreeMap<Spanned<String>, RawKind>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawKind {
    severity: Option<Spanned<String>>,
    message: Option<Spanned<String>>,
    help: Option<Spanned<String>>,
}

/// The text being read, for errors that show it.
struct File<'a> {
    path: &'a str,
    text: &'a str,
}

impl File<'_> {
    fn error(&self, at: Option<Range<usize>>, problem: impl Into<String>, advice: impl Into<String>) -> RuleError {
        RuleError::Invalid {
            path: self.path.to_owned(),
            problem: problem.into(),
            source_code: Arc::new(NamedSource::new(self.path, self.text.to_owned())),
            at: at.map(SourceSpan::from),
            advice: advice.into(),
        }
    }

    fn severity(&self, raw: &Spanned<String>) -> Result<Severity, RuleError> {
        let all = [Severity::Info, Severity::Warning, Severity::Error];
        all.into_iter().find(|severity| severity.name() == raw.get_ref()).ok_or_else(|| {
            self.error(
                Some(raw.span()),
                format!("`{}` is no severity", raw.get_ref()),
                "write `error`, `warning` or `info`",
            )
        })
    }

    fn tier(&self, raw: &Raw) -> Result<Tier, RuleError> {
        let named = raw.depth.as_ref().map(|name| {
            let depth = Depth::ALL.into_iter().find(|depth| depth.name() == name.get_ref());
            depth.filter(|depth| *depth > Depth::Quick).ok_or_else(|| {
                let problem = format!("`{}` is no depth that adds rules", name.get_ref());
                self.error(Some(name.span()), problem, "write `standard`, `thorough` or `exhaustive`")
            })
        });
        let from = named.transpose()?;
        let tier = match raw.tier.as_ref().map(|tier| tier.get_ref().as_str()) {
            None | Some("default") => Tier::Default,
            Some("depth") => return Ok(Tier::Depth(from.unwrap_or(Depth::Standard))),
            Some("preview") => Tier::Preview,
            Some(other) => {
                let at = raw.tier.as_ref().map(Spanned::span);
                return Err(self.error(at, format!("`{other}` is no tier"), "write `default`, `depth` or `preview`"));
            }
        };
        match &raw.depth {
            Some(depth) => {
                let problem = format!("a rule of the tier `{}` has no depth", tier.name());
                Err(self.error(Some(depth.span()), problem, "write `tier = \"depth\"`, or leave it out"))
            }
            None => Ok(tier),
        }
    }

    fn fix(&self, raw: &Raw) -> Result<Option<Fix>, RuleError> {
        let safety = match raw.fix_safety.as_ref().map(|safety| (safety, safety.get_ref().as_str())) {
            Some((at, _)) if raw.fix.is_none() => {
                return Err(self.error(
                    Some(at.span()),
                    "there is no `fix` that could be safe",
                    "add it, or leave it out",
                ));
            }
            None | Some((_, "unsafe")) => Safety::Unsafe,
            Some((_, "safe")) => Safety::Safe,
            Some((at, other)) => {
                let problem = format!("`{other}` says nothing of safety");
                return Err(self.error(Some(at.span()), problem, "write `safe` or `unsafe`"));
            }
        };
        let Some(fix) = &raw.fix else { return Ok(None) };
        if !raw.check.get_ref().takes_fix() {
            let problem = format!("`{}` reports nothing that a template could replace", raw.check.get_ref().name());
            return Err(self.error(Some(fix.span()), problem, "only rules about source code have a `fix`"));
        }
        Ok(Some(Fix { template: fix.get_ref().clone(), safety }))
    }

    /// A sentence whose gaps are all among `gaps`.
    fn sentence(&self, raw: &Spanned<String>, kind: &KindInfo) -> Result<Template, RuleError> {
        let template = Template::parse(raw.get_ref())
            .map_err(|error| self.error(Some(raw.span()), error.to_string(), "write a gap as `{name}`"))?;
        let foreign = template.gaps().find(|gap| !kind.gaps.contains(gap)).map(str::to_owned);
        match foreign {
            None => Ok(template),
            Some(gap) => Err(self.error(
                Some(raw.span()),
                format!("`{{{gap}}}` is not known for `{}`", kind.name),
                format!("it has {}", kind.gaps.iter().map(|gap| format!("`{{{gap}}}`")).collect::<Vec<_>>().join(", ")),
            )),
        }
    }
}

/// Reads one rule. `path` is relative to the folder of all rules.
pub(super) fn read(path: &str, text: &str, markdown: &str) -> Result<Rule, RuleError> {
    let file = File { path, text };
    let raw: Raw = toml::from_str(text).map_err(|error| {
        file.error(
            error.span(),
            error.message().to_owned(),
            "compare with a rule that works: `treaty rules new` writes one",
        )
    })?;
    let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".toml");
    let code = raw.code.get_ref();
    if code != stem {
        return Err(file.error(
            Some(raw.code.span()),
            format!("the code `{code}` is not the file's name"),
            format!("write `{stem}`"),
        ));
    }
    if !is_code(code) {
        return Err(file.error(Some(raw.code.span()), format!("`{code}` is no code"), "write it like `TEAM-001`"));
    }
    let severity = file.severity(&raw.severity)?;
    let (tier, fix) = (file.tier(&raw)?, file.fix(&raw)?);
    let engine = raw.check.get_ref();
    let kinds = engine.kinds();
    let named = raw.kind.keys().chain(&raw.kinds);
    if let Some(foreign) = named.into_iter().find(|name| !kinds.iter().any(|kind| kind.name == name.get_ref())) {
        let known = kinds.iter().map(|kind| format!("`{}`", kind.name)).collect::<Vec<_>>().join(", ");
        return Err(file.error(
            Some(foreign.span()),
            format!("`{}` is no kind of `{}`", foreign.get_ref(), engine.name()),
            format!("it has {known}"),
        ));
    }
    let mut wording = BTreeMap::new();
    let reported = |kind: &&KindInfo| raw.kinds.is_empty() || raw.kinds.iter().any(|name| name.get_ref() == kind.name);
    for kind in kinds.iter().filter(reported) {
        let own = raw.kind.iter().find(|(name, _)| name.get_ref() == kind.name).map(|(_, own)| own);
        // What the engine thinks of the kind, unless the rule as a whole is milder or says it for this kind.
        let stated = own.and_then(|own| own.severity.as_ref()).map(|raw| file.severity(raw)).transpose()?;
        let message = own.and_then(|own| own.message.as_ref()).unwrap_or(&raw.message);
        let help = own.and_then(|own| own.help.as_ref()).or(raw.help.as_ref());
        let words = Wording {
            severity: stated.unwrap_or(kind.severity.min(severity)),
            message: file.sentence(message, kind)?,
            help: help.map(|help| file.sentence(help, kind)).transpose()?,
        };
        wording.insert(kind.name, words);
    }
    Ok(Rule {
        code: code.clone(),
        name: raw.name.get_ref().clone(),
        family: path.rsplit('/').nth(1).unwrap_or("").to_owned(),
        severity,
        tier,
        fix,
        summary: summary(markdown).to_owned(),
        markdown: markdown.to_owned(),
        help: raw.help.as_ref().map(|help| help.get_ref().clone()).filter(|help| !help.contains('{')),
        engine: engine.clone(),
        wording,
    })
}

fn is_code(text: &str) -> bool {
    text.rsplit_once('-').is_some_and(|(letters, number)| {
        // A variant of a rule has its number and a letter: `UI-001b`.
        let digits = number.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(number);
        letters.starts_with(|c: char| c.is_ascii_uppercase())
            && letters.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')
            && !digits.is_empty()
            && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

/// The first line of prose.
fn summary(markdown: &str) -> &str {
    let mut lines = markdown.lines().map(str::trim);
    lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("").trim_end_matches('.')
}
