//! Where an engine puts what it found. A sink is bound to one rule, so that an engine cannot use a wrong code,
//! severity or wording: it hands in evidence, the rule's own words make a finding of it.

use std::collections::BTreeMap;

use super::{ContractPlace, Finding, Label, Problem, ProblemKind, Severity};
use crate::text::{Sources, Span};

/// A sentence with named gaps: `` `{field}` is missing ``.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Gap(String),
}

/// What is wrong with the text of a template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    #[error("a `{{` without its `}}`")]
    Open,
    #[error("a `}}` without its `{{`")]
    Close,
}

impl Template {
    /// Reads `text`; every `{name}` is a gap.
    ///
    /// # Errors
    /// A brace that has no partner.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(open) = rest.find(['{', '}']) {
            if rest[open..].starts_with('}') {
                return Err(TemplateError::Close);
            }
            let inner = &rest[open + 1..];
            let close = inner.find(['{', '}']).filter(|at| inner[*at..].starts_with('}')).ok_or(TemplateError::Open)?;
            parts.push(Part::Text(rest[..open].to_owned()));
            parts.push(Part::Gap(inner[..close].to_owned()));
            rest = &inner[close + 1..];
        }
        parts.push(Part::Text(rest.to_owned()));
        Ok(Template { parts })
    }

    /// Names of the gaps, in order.
    pub fn gaps(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Gap(name) => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// The sentence with its gaps filled; what nobody filled stays empty. Values are never read as templates.
    pub fn fill(&self, values: &[(&'static str, String)]) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Gap(name) => {
                    out.push_str(
                        values.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.as_str()),
                    );
                }
            }
        }
        out
    }
}

/// How a rule speaks of one kind of defect.
#[derive(Clone, Debug)]
pub struct Wording {
    pub severity: Severity,
    pub message: Template,
    pub help: Option<Template>,
}

/// What an engine knows about one defect.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// One of the engine's kinds.
    pub kind: &'static str,
    /// Where it is reported.
    pub span: Span,
    /// What the primary place shows.
    pub label: String,
    pub related: Vec<Label>,
    /// Affected operations in the contract's spelling, the first one first.
    pub operations: Vec<String>,
    pub field: Option<String>,
    pub contract: Option<ContractPlace>,
    /// What the defect is about whichever operation shows it first: a type and its member, or an operation. Part of
    /// the fingerprint.
    pub subject: String,
    /// For the gaps of the rule's wording.
    pub values: Vec<(&'static str, String)>,
    /// Where the engine doubts itself: never more severe than this.
    pub at_most: Option<Severity>,
}

/// Collects the findings of one rule.
#[derive(Debug)]
pub struct Sink<'a> {
    code: &'a str,
    name: &'a str,
    wording: &'a BTreeMap<&'static str, Wording>,
    sources: &'a Sources,
    findings: Vec<Finding>,
    /// What the engine could not look at.
    pub problems: Vec<Problem>,
}

impl<'a> Sink<'a> {
    /// `wording` has an entry for every kind that the rule reports.
    pub fn new(
        code: &'a str,
        name: &'a str,
        wording: &'a BTreeMap<&'static str, Wording>,
        sources: &'a Sources,
    ) -> Self {
        Sink { code, name, wording, sources, findings: Vec::new(), problems: Vec::new() }
    }

    /// Whether the rule of this sink reports a kind of finding.
    pub fn wants(&self, kind: &str) -> bool {
        self.wording.contains_key(kind)
    }

    /// Code of the rule that it is bound to.
    pub fn code(&self) -> &str {
        self.code
    }

    /// Makes a finding of the evidence in the words of the rule. A kind that the rule does not report is left out.
    pub fn report(&mut self, evidence: Evidence) {
        let Some(wording) = self.wording.get(evidence.kind) else {
            return;
        };
        // Facts are the other end: what would be wrong there is told where that service is scanned.
        if self.sources.get(evidence.span.file).is_elsewhere() {
            return;
        }
        let (fingerprint, key) = (self.fingerprint(&evidence), self.key(&evidence));
        let help = wording.help.as_ref().map(|help| help.fill(&evidence.values)).filter(|help| !help.is_empty());
        self.findings.push(Finding {
            rule: self.code.to_owned(),
            name: self.name.to_owned(),
            kind: evidence.kind,
            severity: evidence.at_most.map_or(wording.severity, |limit| wording.severity.min(limit)),
            message: wording.message.fill(&evidence.values),
            help,
            span: evidence.span,
            label: evidence.label,
            related: evidence.related,
            operation: evidence.operations.first().cloned(),
            operations: evidence.operations,
            field: evidence.field,
            contract: evidence.contract,
            fixes: Vec::new(),
            values: evidence.values,
            fingerprint,
            key,
        });
    }

    /// Something of a file was not compared because there was too much of it.
    pub fn cut(&mut self, path: &str, what: &str) {
        let message = format!("not compared, since there is too much of it: {what}");
        let problem = Problem::new(ProblemKind::BudgetExhausted, path, message);
        self.problems.push(problem.with_help("what differs there is not told"));
    }

    /// Everything that was reported, sorted; equal fingerprints are told apart by their order.
    pub fn finish(self) -> Vec<Finding> {
        let mut findings = self.findings;
        findings.sort_by(|a, b| in_order(self.sources, a, b));
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for finding in &mut findings {
            let count = seen.entry(finding.fingerprint.clone()).or_default();
            *count += 1;
            if *count > 1 {
                finding.fingerprint = format!("{}-{count}", finding.fingerprint);
            }
        }
        findings
    }

    fn fingerprint(&self, evidence: &Evidence) -> String {
        let contract = evidence.contract.as_ref();
        // A field path belongs to the operation that happens to come first; the subject names the member itself.
        let parts = [
            self.code,
            evidence.kind,
            self.sources.path(evidence.span),
            &evidence.subject,
            contract.map_or("", |place| self.sources.path(place.span)),
            contract.map_or("", |place| &place.pointer),
        ];
        format!("{:016x}", fnv1a(&parts))
    }

    fn key(&self, evidence: &Evidence) -> String {
        let pointer = evidence.contract.as_ref().map_or("", |place| &place.pointer);
        format!("{:016x}", fnv1a(&[self.code, evidence.kind, &evidence.subject, pointer]))
    }
}

/// The order of findings everywhere: file path, span, rule, kind, field, then whatever else differs.
pub fn in_order(sources: &Sources, a: &Finding, b: &Finding) -> std::cmp::Ordering {
    let span = |finding: &Finding| (finding.span.start, finding.span.end);
    let place = sources.path(a.span).cmp(sources.path(b.span)).then_with(|| span(a).cmp(&span(b)));
    let defect = |a: &Finding, b: &Finding| {
        let kind = (&a.rule, a.kind, &a.field).cmp(&(&b.rule, b.kind, &b.field));
        let rest = (&a.operations, &a.message, &a.contract).cmp(&(&b.operations, &b.message, &b.contract));
        kind.then(rest)
    };
    place.then_with(|| defect(a, b))
}

/// FNV-1a, 64 bits: the same on every platform and in every version. A zero byte ends each part.
fn fnv1a(parts: &[&str]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain(std::iter::once(0)));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SourceFile;

    fn evidence(span: Span) -> Evidence {
        Evidence {
            kind: "odd",
            span,
            label: String::new(),
            related: Vec::new(),
            operations: vec!["GET /a".into()],
            field: Some("x".into()),
            contract: None,
            subject: "User.x".into(),
            values: vec![("field", "{gone}".into())],
            at_most: Some(Severity::Warning),
        }
    }

    fn run(text: &str) -> Vec<Finding> {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("a.py", text));
        let at = text.find('x').expect("there is an x");
        let wording = BTreeMap::from([(
            "odd",
            Wording {
                severity: Severity::Error,
                message: Template::parse("`{field}` is {what}odd").expect("a good template"),
                help: Some(Template::parse("{what}").expect("a good template")),
            },
        )]);
        let mut sink = Sink::new("T-1", "test", &wording, &sources);
        sink.report(evidence(Span::new(file, at, at + 1)));
        sink.report(evidence(Span::new(file, at, at + 1)));
        sink.finish()
    }

    #[test]
    fn the_rule_words_a_finding_and_values_are_not_templates() {
        let findings = run("x");
        assert_eq!(findings[0].message, "`{gone}` is odd");
        assert_eq!(findings[0].help, None);
        assert_eq!(findings[0].severity, Severity::Warning);
    }

    #[test]
    fn a_fingerprint_survives_line_moves_and_twins_are_told_apart() {
        let (here, moved) = (run("x"), run("\n\n   x"));
        assert_eq!(here[0].fingerprint, moved[0].fingerprint);
        assert_eq!(here[0].fingerprint.len(), 16);
        assert_eq!((here[0].key.len(), &here[0].key), (16, &here[1].key));
        assert_eq!(here[1].fingerprint, format!("{}-2", here[0].fingerprint));
    }

    #[test]
    fn a_template_with_a_lone_brace_is_an_error() {
        assert_eq!(Template::parse("a { b"), Err(TemplateError::Open));
        assert_eq!(Template::parse("a } b"), Err(TemplateError::Close));
        assert_eq!(Template::parse("{a {b}"), Err(TemplateError::Open));
        assert_eq!(Template::parse("{a}{b}").expect("good").gaps().collect::<Vec<_>>(), ["a", "b"]);
    }
}
