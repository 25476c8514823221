//! What two versions differ in, as a changelog that one would publish: what breaks first, then what may, what is to go, what is
//! new and what else changed; each under the operations that it is about. For those who use an API, so advice to those who make it
//! is left out.

use std::io::{self, Write};

use indexmap::IndexMap;

use super::count;
use super::markdown::{code, item, text};
use super::visible::visible;
use crate::finding::{Finding, Severity};
use crate::scan::Report;

const PAGE: &str = include_str!("html/changelog.html");
const STYLE: &str = include_str!("html/page.css");

/// Operations beyond this number are counted instead of named above a change.
const MAX_NAMED: usize = 6;

/// Parts of a changelog, in order.
const PARTS: [&str; 5] = ["Breaking changes", "May break clients", "Deprecated", "Added", "Changed"];

/// What happened, by the operations that it happened to.
type Groups<'r> = IndexMap<Vec<&'r str>, Vec<&'r Finding>>;

struct Changelog<'r> {
    /// `Books`, and the two versions.
    title: String,
    versions: Option<(String, String)>,
    /// Of each part: operations, and what happened to them.
    parts: Vec<(&'static str, Groups<'r>)>,
    /// What could not be compared.
    gaps: Vec<String>,
}

fn part(finding: &Finding) -> usize {
    match finding.severity {
        Severity::Error => 0,
        Severity::Warning => 1,
        Severity::Info if ["deprecated", "sunset", "notice"].contains(&finding.kind) => 2,
        Severity::Info if finding.kind.ends_with("-added") => 3,
        Severity::Info => 4,
    }
}

fn changelog(report: &Report) -> Changelog<'_> {
    let mut parts: Vec<(&'static str, Groups<'_>)> = PARTS.iter().map(|name| (*name, IndexMap::new())).collect();
    for finding in &report.findings {
        let of = finding.operations.iter().map(String::as_str).collect();
        parts[part(finding)].1.entry(of).or_default().push(finding);
    }
    // What is about no single operation comes first.
    parts.iter_mut().for_each(|(_, groups)| groups.sort_by(|a, _, b, _| a.is_empty().cmp(&b.is_empty()).reverse()));
    parts.retain(|(_, groups)| !groups.is_empty());
    let project = &report.project;
    let (title, versions) = match (&project.before, project.earlier.as_slice()) {
        (None, [one]) => {
            let now = &project.contracts[one.contract];
            let versions = (one.declarations.version.clone(), now.version.clone());
            let is_told = !versions.0.is_empty() && versions.0 != versions.1;
            (now.title.clone(), is_told.then_some(versions))
        }
        (Some(before), _) => {
            let named = |it: &&crate::project::Service| it.scanned && !it.is_nameless();
            let names: Vec<&str> = project.services.iter().filter(named).map(|it| it.name.as_str()).collect();
            (format!("{} since `{}`", names.join(", "), before.name), None)
        }
        _ => (String::new(), None),
    };
    let title = match title.trim() {
        "" => "Changes".to_owned(),
        title => title.to_owned(),
    };
    let gaps = report.problems.iter().map(|it| format!("{}: {}", it.path, it.message)).collect();
    Changelog { title, versions, parts, gaps }
}

impl Changelog<'_> {
    /// `2 breaking changes, 1 more change`
    fn totals(&self) -> String {
        let of = |name: &str| {
            self.parts.iter().filter(|it| it.0 == name).flat_map(|it| it.1.values()).map(Vec::len).sum::<usize>()
        };
        let all: usize = self.parts.iter().flat_map(|it| it.1.values()).map(Vec::len).sum();
        let (breaking, doubtful) = (of(PARTS[0]), of(PARTS[1]));
        let mut told = Vec::new();
        if breaking > 0 {
            told.push(count(breaking, "breaking change"));
        }
        if doubtful > 0 {
            let verb = if doubtful == 1 { "change that may break clients" } else { "changes that may break clients" };
            told.push(format!("{doubtful} {verb}"));
        }
        match (all - breaking - doubtful, told.is_empty()) {
            (0, true) => return "Nothing changed for clients.".to_owned(),
            (0, false) => {}
            (others, true) => told.push(format!("{}, none of which breaks clients", count(others, "change"))),
            (others, false) => told.push(count(others, "more change")),
        }
        format!("{}.", told.join(", "))
    }
}

/// `` `GET /books`, `POST /books` `` in the form that `quote` gives each, or nothing where it is about no operation.
fn operations(of: &[&str], quote: impl Fn(&str) -> String) -> Option<String> {
    let named: Vec<String> = of.iter().take(MAX_NAMED).map(|it| quote(it)).collect();
    let rest = of.len().saturating_sub(MAX_NAMED);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    (!named.is_empty()).then(|| format!("{}{more}", named.join(", ")))
}

/// Writes the changelog as GitHub Flavored Markdown.
///
/// # Errors
/// What `out` returns.
pub fn write_markdown(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let log = changelog(report);
    write!(out, "# {}", text(&log.title))?;
    if let Some((old, new)) = &log.versions {
        write!(out, ": {} → {}", text(old), text(new))?;
    }
    writeln!(out, "\n\n{}", log.totals())?;
    for (name, groups) in &log.parts {
        writeln!(out, "\n## {name}")?;
        for (of, findings) in groups {
            if let Some(named) = operations(of, code) {
                writeln!(out, "\n### {named}")?;
            }
            writeln!(out)?;
            findings.iter().try_for_each(|it| writeln!(out, "- {}", item(&it.message)))?;
        }
    }
    if !log.gaps.is_empty() {
        writeln!(out, "\n## Not compared\n")?;
        log.gaps.iter().try_for_each(|it| writeln!(out, "- {}", item(it)))?;
    }
    Ok(())
}

/// Writes the changelog as a page that needs nothing else.
///
/// # Errors
/// What `out` returns.
pub fn write_html(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let log = changelog(report);
    let mut parts = PAGE.split("<!-- changes -->");
    let (before, after) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let title = markup(&log.title);
    out.write_all(before.replace("/* style */", STYLE).replace("<!-- title -->", &plain(&log.title)).as_bytes())?;
    write!(out, "<header><h1>{title}</h1>")?;
    if let Some((old, new)) = &log.versions {
        write!(out, "<p>{} → {}</p>", plain(old), plain(new))?;
    }
    writeln!(out, "</header>\n<main>\n<p>{}</p>", log.totals())?;
    for (name, groups) in &log.parts {
        let class = match *name {
            "Breaking changes" => "error",
            "May break clients" => "warning",
            _ => "",
        };
        writeln!(out, "<section>\n<h2 class=\"{class}\">{name}</h2>")?;
        for (of, findings) in groups {
            if let Some(named) = operations(of, |it| format!("<code>{}</code>", plain(it))) {
                writeln!(out, "<h3>{named}</h3>")?;
            }
            writeln!(out, "<ul>")?;
            findings.iter().try_for_each(|it| writeln!(out, "<li>{}</li>", markup(&it.message)))?;
            writeln!(out, "</ul>")?;
        }
        writeln!(out, "</section>")?;
    }
    if !log.gaps.is_empty() {
        writeln!(out, "<section>\n<h2>Not compared</h2>\n<ul>")?;
        log.gaps.iter().try_for_each(|it| writeln!(out, "<li>{}</li>", markup(it)))?;
        writeln!(out, "</ul>\n</section>")?;
    }
    out.write_all(b"</main>")?;
    out.write_all(after.as_bytes())
}

/// Text of a page (<https://html.spec.whatwg.org/multipage/syntax.html#text>).
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A sentence whose `` `quoted` `` parts are code.
fn markup(sentence: &str) -> String {
    let mut out = String::new();
    let mut rest = sentence;
    while let Some((before, inner, after)) = super::markdown::quoted(rest) {
        out.push_str(&plain(before));
        out.push_str("<code>");
        out.push_str(&plain(inner));
        out.push_str("</code>");
        rest = after;
    }
    out + &plain(rest)
}
