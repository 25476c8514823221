//! Which files a task may change.

use globset::{Glob, GlobBuilder};
use serde::{Deserialize, Serialize};

/// Patterns of paths below the root, forward slashes: `*` is any part of a name, `**` any number of folders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    pub allowed: Vec<String>,
    /// Wins over `allowed`.
    pub forbidden: Vec<String>,
}

impl Scope {
    /// Whether a file may be changed: what is forbidden may not, and what is not allowed may not either.
    pub fn permits(&self, path: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|it| fits(it, path));
        !any(&self.forbidden) && any(&self.allowed)
    }

    /// Whether two tasks may change one file: their patterns lead below one another as far as both are literal.
    pub fn overlaps(&self, other: &Scope) -> bool {
        self.allowed.iter().any(|mine| {
            other.allowed.iter().any(|theirs| {
                let (mine, theirs) = (literal(mine), literal(theirs));
                mine.starts_with(theirs) || theirs.starts_with(mine)
            })
        })
    }
}

/// The beginning of a pattern without wildcards.
fn literal(pattern: &str) -> &str {
    &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())]
}

/// Whether a path fits a pattern. A pattern that names a folder stands for everything in it; one that is none fits nothing.
fn fits(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_end_matches('/');
    let is = |pattern: &str| glob(pattern).is_ok_and(|it| it.compile_matcher().is_match(path));
    is(pattern) || is(&format!("{pattern}/**"))
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

/// Why a pattern is none; nothing for one that is.
pub(super) fn mistake(pattern: &str) -> Option<String> {
    glob(pattern).err().map(|error| error.kind().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(allowed: &[&str], forbidden: &[&str]) -> Scope {
        let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
        Scope { allowed: owned(allowed), forbidden: owned(forbidden) }
    }

    #[test]
    fn a_file_needs_a_pattern_and_forbidden_wins() {
        let scope = scope(&["services/a/**", "README.md"], &["services/a/contracts/**", "**/*.lock"]);
        assert!(scope.permits("services/a/app/main.py"));
        assert!(scope.permits("README.md"));
        assert!(!scope.permits("services/ab/main.py"), "another folder");
        assert!(!scope.permits("services/a/contracts/a.json"));
        assert!(!scope.permits("services/a/poetry.lock"));
        assert!(!Scope::default().permits("a"), "nothing is allowed by itself");
    }

    #[test]
    fn a_pattern_is_a_name_with_gaps_or_a_folder() {
        assert!(fits("src", "src/a/b.rs"));
        assert!(fits("src/*.rs", "src/a.rs"));
        assert!(!fits("src/*.rs", "src/a/b.rs"));
        assert!(fits("**/test_?.py", "a/b/test_x.py"));
        assert!(fits("**/a*b*c", "x/aabbcc"));
        assert!(!fits("a", "b/a"));
    }

    #[test]
    fn scopes_overlap_where_one_leads_below_the_other() {
        assert!(scope(&["a/**"], &[]).overlaps(&scope(&["a/b/*.py"], &[])));
        assert!(!scope(&["a/**"], &[]).overlaps(&scope(&["b/**"], &[])));
        assert!(!scope(&["services/a/**"], &[]).overlaps(&scope(&["services/ab/**"], &[])));
    }
}
