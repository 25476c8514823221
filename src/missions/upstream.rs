//! What a role is told of the results that its mission builds on.

use std::fmt::Write as _;

/// A result that another mission builds on.
#[derive(Clone, Copy, Debug)]
pub struct Upstream<'u> {
    pub mission: &'u str,
    pub role: &'u str,
    pub output: &'u str,
    /// Where the whole output stands.
    pub place: &'u str,
}

/// Characters up to which an output is told in full.
pub const FULL: usize = 500;
/// Characters of a summary.
const SUMMARY: usize = 300;

/// Each result in full up to [`FULL`] characters, else its beginning and where the whole stands.
pub fn told(results: &[Upstream<'_>]) -> String {
    let mut out = String::new();
    for it in results {
        let length = it.output.chars().count();
        let _ = write!(out, "### {} ({})\n\n", it.mission, it.role);
        if length <= FULL {
            let _ = writeln!(out, "{}\n", it.output.trim());
        } else {
            let _ = writeln!(out, "{}\n\n{length} characters; the whole: {}\n", summary(it.output), it.place);
        }
    }
    out
}

/// The first paragraphs as far as they fit, else the first words.
fn summary(text: &str) -> String {
    let mut out = String::new();
    for part in text.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
        if out.chars().count() + part.chars().count() > SUMMARY {
            break;
        }
        if !out.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(part);
    }
    if out.is_empty() {
        let cut: String = text.trim().chars().take(SUMMARY).collect();
        let whole = cut.rsplit_once(char::is_whitespace).map_or(cut.as_str(), |it| it.0);
        out = format!("{whole} …");
    }
    out
}
