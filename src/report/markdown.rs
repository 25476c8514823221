//! The report as GitHub Flavored Markdown (<https://github.github.com/gfm/>): for the summary of a job, or a comment on a pull
//! request. Foreign text stays text there: no markup, no link, no mention of anybody.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::concise::{place, statistics};
use super::terminal::totals;
use super::visible::visible;
use super::{Style, count};
use crate::finding::{Finding, Severity};
use crate::scan::Report;

/// Writes the report: how it ended, what was compared, findings, and what was not understood.
///
/// # Errors
/// What `out` returns.
pub fn write(report: &Report, style: Style, out: &mut impl Write) -> io::Result<()> {
    let sources = &report.project.sources;
    write_heading(report, style, out)?;
    if !report.summary.contracts.is_empty() && !style.quiet {
        writeln!(out, "\n| contract | service | operations | found | verified | requests verified |")?;
        writeln!(out, "|---|---|--:|--:|--:|--:|")?;
        for contract in &report.summary.contracts {
            let (name, service) = (code(&contract.contract), text(&contract.service));
            let (all, found) = (contract.contracted, contract.found);
            let (verified, requests) = (contract.verified, contract.requests_verified);
            writeln!(out, "| {name} | {service} | {all} | {found} | {verified} | {requests} |")?;
        }
    }
    if !report.findings.is_empty() {
        writeln!(out, "\n| | rule | where | what |\n|---|---|---|---|")?;
        for finding in &report.findings {
            let (rule, what) = (text(&finding.rule), what(finding));
            let place = code(&place(sources, finding.span));
            writeln!(out, "| {} | {rule} | {place} | {what} |", finding.severity.name())?;
        }
    }
    if !report.problems.is_empty() {
        let problems = count(report.problems.len(), "problem");
        writeln!(out, "\n<details><summary>{problems}: what could not be read or understood</summary>\n")?;
        writeln!(out, "| | where | what |\n|---|---|---|")?;
        for problem in &report.problems {
            let place = match problem.span {
                Some(span) => code(&place(sources, span)),
                None if problem.path.is_empty() => String::new(),
                None => code(&problem.path),
            };
            writeln!(out, "| {} | {place} | {} |", problem.kind.name(), text(&problem.message))?;
        }
        writeln!(out, "\n</details>")?;
    }
    Ok(())
}

/// Writes how many findings each rule has.
///
/// # Errors
/// What `out` returns.
pub fn write_statistics(report: &Report, style: Style, out: &mut impl Write) -> io::Result<()> {
    let rows = statistics(report);
    write_heading(report, style, out)?;
    if !rows.is_empty() {
        writeln!(out, "\n| findings | rule | name |\n|--:|---|---|")?;
        for (times, finding) in rows {
            writeln!(out, "| {times} | {} | {} |", text(&finding.rule), text(&finding.name))?;
        }
    }
    Ok(())
}

fn write_heading(report: &Report, style: Style, out: &mut impl Write) -> io::Result<()> {
    let sign = match report.findings.iter().map(|finding| finding.severity).max() {
        Some(Severity::Error) => "❌",
        Some(Severity::Warning) => "⚠️",
        Some(Severity::Info) | None => "✅",
    };
    writeln!(out, "## {sign} treaty: {}", totals(report, Style { colour: false, ..style }))
}

fn what(finding: &Finding) -> String {
    let mut what = text(&finding.message);
    if let Some(help) = &finding.help {
        write!(what, "<br>{}", text(help)).expect("a string takes any text");
    }
    what
}

/// A sentence whose `` `quoted` `` parts are code.
pub(super) fn text(sentence: &str) -> String {
    let sentence = visible(sentence);
    let mut out = String::new();
    let mut rest = &*sentence;
    while let Some((before, inner, after)) = quoted(rest) {
        plain(before, &mut out);
        out.push_str(&code(inner));
        rest = after;
    }
    plain(rest, &mut out);
    out
}

pub(super) fn quoted(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (inner, after) = rest.split_once('`').filter(|(inner, _)| !inner.is_empty())?;
    Some((before, inner, after))
}

/// Text as code. In a cell of a table a bar and a backslash mean something even between backticks, so what has one is written
/// as references to characters, which mean nothing anywhere.
pub(super) fn code(text: &str) -> String {
    let text = visible(text);
    let is_tame = !text.is_empty() && !text.starts_with(' ') && !text.ends_with(' ');
    if is_tame && !text.contains(['`', '|', '\\', '<', '>', '&']) {
        return format!("`{text}`");
    }
    let mut out = String::from("<code>");
    for c in text.chars() {
        if c.is_ascii_punctuation() { reference(c, &mut out) } else { out.push(c) }
    }
    out + "</code>"
}

/// Words between code: what Markdown, or a page that shows it, would act on is written as references. A comment keeps a sign
/// from naming a person or an issue, whoever looks for those after the text is a page.
fn plain(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '@' | '#' => write!(out, "{c}<!-- -->").expect("a string takes any text"),
            // `https://…` and `www.…` would be links by themselves.
            '/' if out.ends_with(':') => reference(c, out),
            '.' if out.to_ascii_lowercase().ends_with("www") => reference(c, out),
            '\\' | '`' | '*' | '_' | '~' | '[' | ']' | '<' | '>' | '&' | '|' | '$' => reference(c, out),
            c => out.push(c),
        }
    }
}

/// The same where a line or an item of a list begins with it: no list, no code.
pub(super) fn item(sentence: &str) -> String {
    let text = text(sentence.trim_start());
    let mut rest = text.chars();
    match rest.next().filter(|c| c.is_ascii_digit() || ['-', '+', '=', ':'].contains(c)) {
        Some(first) => {
            let mut out = String::new();
            reference(first, &mut out);
            out + rest.as_str()
        }
        None => text,
    }
}

fn reference(c: char, out: &mut String) {
    write!(out, "&#{};", u32::from(c)).expect("a string takes any text");
}
