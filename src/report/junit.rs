//! JUnit XML, as build servers read results of tests: a suite for each rule, a failed test for each finding, a passed one for
//! a rule that nothing breaks. The elements and attributes are those of
//! <https://github.com/testmoapp/junitxml>; there are no times, so that the same input gives the same bytes.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::RuleCard;
use super::visible::visible;
use crate::finding::{Finding, Severity};
use crate::scan::{Report, Suppressed};
use crate::text::Sources;

/// Writes the report; `rules` are those of the run. Findings that are only told (`info`) pass, suppressed ones and problems
/// are skipped.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, rules: &[RuleCard], out: &mut impl Write) -> io::Result<()> {
    let sources = &report.project.sources;
    let mut suites: Vec<Suite> = rules.iter().map(|rule| of_rule(rule, report, sources)).collect();
    if !report.problems.is_empty() {
        suites.push(problems(report, sources));
    }
    let sum = |of: fn(&Suite) -> usize| suites.iter().map(of).sum::<usize>();
    let (tests, failures, skipped) = (sum(|it| it.tests), sum(|it| it.failures), sum(|it| it.skipped));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"treaty\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"0\">"
    )?;
    for Suite { name, tests, failures, skipped, cases } in &suites {
        writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"0\">",
            escaped(name)
        )?;
        out.write_all(cases.as_bytes())?;
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

#[derive(Default)]
struct Suite {
    name: String,
    tests: usize,
    failures: usize,
    skipped: usize,
    /// The elements of its tests.
    cases: String,
}

impl Suite {
    /// Adds a test; `inner` is the element that says how it ended.
    fn add(&mut self, name: &str, place: Option<(&str, u32)>, inner: &str) {
        self.tests += 1;
        let place = place.map_or(String::new(), |(path, line)| {
            format!(" classname=\"{0}\" file=\"{0}\" line=\"{line}\"", escaped(path))
        });
        let open = format!("    <testcase name=\"{}\"{place} time=\"0\"", escaped(name));
        let case = if inner.is_empty() { format!("{open}/>\n") } else { format!("{open}>{inner}</testcase>\n") };
        self.cases.push_str(&case);
    }
}

fn of_rule(rule: &RuleCard, report: &Report, sources: &Sources) -> Suite {
    let mut suite = Suite { name: format!("{} {}", rule.code, rule.name), ..Suite::default() };
    for finding in report.findings.iter().filter(|finding| finding.rule == rule.code) {
        let inner = if finding.severity == Severity::Info {
            format!("<system-out>{}</system-out>", escaped(&details(finding, sources)))
        } else {
            suite.failures += 1;
            let (message, kind) = (escaped(&finding.message), finding.severity.name());
            let body = escaped(&details(finding, sources));
            format!("<failure message=\"{message}\" type=\"{kind}\">{body}</failure>")
        };
        suite.add(&finding.message, Some(line(finding, sources)), &inner);
    }
    for Suppressed { finding, by } in report.suppressed.iter().filter(|it| it.finding.rule == rule.code) {
        suite.skipped += 1;
        let reason = by.reason.as_deref().unwrap_or("no reason given");
        let why = format!("suppressed ({}): {reason}", by.kind.name());
        suite.add(&finding.message, Some(line(finding, sources)), &format!("<skipped message=\"{}\"/>", escaped(&why)));
    }
    if suite.tests == 0 {
        suite.add(&rule.summary, None, "");
    }
    suite
}

fn problems(report: &Report, sources: &Sources) -> Suite {
    let mut suite = Suite { name: "problems".to_owned(), ..Suite::default() };
    for problem in &report.problems {
        suite.skipped += 1;
        let line = problem.span.map_or(1, |span| sources.positions(span).0.line);
        let place = (!problem.path.is_empty()).then_some((problem.path.as_str(), line));
        let name = format!("{}: {}", problem.kind.name(), problem.message);
        suite.add(&name, place, &format!("<skipped message=\"{}\"/>", escaped(&problem.message)));
    }
    suite
}

fn line<'s>(finding: &Finding, sources: &'s Sources) -> (&'s str, u32) {
    (sources.path(finding.span), sources.positions(finding.span).0.line)
}

/// Where it is, what the contract says where, and what to do: what a build server shows of a failed test.
fn details(finding: &Finding, sources: &Sources) -> String {
    let mut details = format!("{}: {}", sources.place(finding.span), finding.message);
    let stated = finding.contract.as_ref().map(|place| place.span).filter(|span| *span != finding.span);
    if let Some(span) = stated {
        write!(details, "; the contract: {}", sources.place(span)).expect("a string takes any text");
    }
    if let Some(help) = &finding.help {
        write!(details, "; help: {help}").expect("a string takes any text");
    }
    details
}

/// XML 1.0 (<https://www.w3.org/TR/xml/#charsets>): text for an element or an attribute, without characters that no document
/// may have.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
