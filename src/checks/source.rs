//! Code that a rule describes by a pattern: mock data, statements that lose data, tests that test nothing.
//!
//! What is seen is found while files are read (`languages::Patterns`), since syntax trees are not kept; here it is decided
//! which files a rule looks at, and what is told.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::KindInfo;
use crate::finding::{Evidence, Severity, Sink};
use crate::languages::{CodePattern, Query, Syntax};
use crate::model::Sighting;
use crate::project::Project;

pub(super) const KINDS: &[KindInfo] = &[KindInfo {
    name: "found",
    severity: Severity::Error,
    about: "code that the rule describes",
    gaps: &["code", "name", "value"],
}];

/// `[check.source]`
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Source(Arc<Checked>);

#[derive(Debug)]
struct Checked {
    places: Vec<Notion>,
    tests: Tests,
    paths: globset::GlobSet,
    except: globset::GlobSet,
    repeated: bool,
    code: Vec<Query>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Raw {
    /// Parts of a program that the rule is about, told by paths; everywhere where empty.
    #[serde(default)]
    places: Vec<Notion>,
    #[serde(default)]
    tests: Tests,
    /// Globs of the files that it looks at; all where empty.
    #[serde(default)]
    paths: Vec<String>,
    /// Globs of files that it does not look at.
    #[serde(default)]
    except: Vec<String>,
    /// Only what stands in several files in the same words.
    #[serde(default)]
    repeated: bool,
    code: Vec<Query>,
}

/// A part of a program, told by words in the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Notion {
    /// What talks to a server or keeps data.
    Service,
    /// What people see.
    Component,
    /// What drives the whole program in a test.
    E2e,
}

/// Whether a rule is about tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Tests {
    #[default]
    Never,
    Also,
    Only,
}

/// What words of directories and file names begin with, any casing.
const SERVICE: &[&str] =
    &["service", "client", "api", "http", "data-access", "repositor", "provider", "store", "facade", "composable"];
const COMPONENT: &[&str] = &[
    "component",
    "page",
    "view",
    "screen",
    "widget",
    "panel",
    "sidebar",
    "topbar",
    "navbar",
    "header",
    "footer",
    "layout",
];
/// Directories of code that nobody of the project wrote.
#[rustfmt::skip]
const FOREIGN: &[&str] = &["vendor", "vendors", "third_party", "third-party", "thirdparty", "node_modules", "generated", "__generated__"];
/// Code that stands in for the real thing on purpose: a whole name, or a word of one.
#[rustfmt::skip]
const STANDING_IN: &[&str] = &[
    "fixture", "fixtures", "seed", "seeds", "seeder", "seeders", "mock", "mocks", "stories", "storybook",
    "demo", "demos", "sample", "samples", "example", "examples", "stub", "stubs", "fake", "fakes", "faker", "factories", "testing",
    "test-utils", "testutils", "sandbox",
];

impl TryFrom<Raw> for Source {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Self, String> {
        let globs = |texts: &[String]| -> Result<globset::GlobSet, String> {
            let mut set = globset::GlobSetBuilder::new();
            for text in texts {
                let glob = globset::GlobBuilder::new(text).literal_separator(true).build();
                set.add(glob.map_err(|error| format!("`{text}` is not a glob: {}", error.kind()))?);
            }
            set.build().map_err(|error| error.to_string())
        };
        if raw.code.is_empty() {
            return Err("it looks for nothing: add `[[check.source.code]]`".to_owned());
        }
        for code in &raw.code {
            if let Some(unknown) = code.languages.iter().find(|name| Syntax::named(name).is_empty()) {
                let known = "`python`, `typescript`, `tsx`, `javascript`, `csharp`";
                return Err(format!("`{unknown}` is no language: there are {known}"));
            }
        }
        Ok(Source(Arc::new(Checked {
            places: raw.places,
            tests: raw.tests,
            paths: globs(&raw.paths)?,
            except: globs(&raw.except)?,
            repeated: raw.repeated,
            code: raw.code,
        })))
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Source {
    /// Its patterns, for every grammar of its languages.
    ///
    /// # Errors
    /// The first pattern that is none, in words.
    pub fn patterns(&self) -> Result<Vec<CodePattern>, String> {
        let mut patterns = Vec::new();
        for code in &self.0.code {
            for name in &code.languages {
                for syntax in Syntax::named(name) {
                    let pattern = CodePattern::of(code, *syntax);
                    patterns.push(pattern.map_err(|problem| format!("in {name}: {problem}"))?);
                }
            }
        }
        Ok(patterns)
    }

    /// Whether it looks at a file. `path` is relative to the scanned path, forward slashes.
    pub fn looks_at(&self, path: &str, is_test: bool) -> bool {
        let it = &self.0;
        let lower = path.to_ascii_lowercase();
        let is_e2e = lower.split('/').any(|part| {
            matches!(part, "e2e" | "playwright" | "cypress") || part.contains(".e2e.") || part.contains(".cy.")
        });
        let is_test =
            is_test || is_e2e || lower.split('/').any(|part| part == "__tests__" || part.contains(".stories."));
        let by_tests = match it.tests {
            Tests::Never => !is_test && !is_standing_in(&lower),
            Tests::Also => true,
            Tests::Only => is_test,
        };
        let names = |words: &[&str]| words.iter().any(|word| has_word(path, &lower, word));
        let by_place = it.places.is_empty()
            || it.places.iter().any(|notion| match notion {
                Notion::Service => names(SERVICE),
                Notion::Component => names(COMPONENT),
                Notion::E2e => is_e2e,
            });
        by_tests
            && by_place
            && !lower.split('/').any(|part| FOREIGN.contains(&part))
            && (it.paths.is_empty() || it.paths.is_match(path))
            && !it.except.is_match(path)
    }
}

/// Whether a word of a path begins so: `OrderServices.cs` has `service`, `reviews` has no `view`. `lower` is the path in lower
/// case.
fn has_word(path: &str, lower: &str, word: &str) -> bool {
    let bytes = path.as_bytes();
    let begins = |at: usize| {
        at == 0
            || !bytes[at - 1].is_ascii_alphabetic()
            || (bytes[at].is_ascii_uppercase()
                && (!bytes[at - 1].is_ascii_uppercase() || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase)))
    };
    lower.match_indices(word).any(|(at, _)| begins(at))
}

/// Whether a path says that its code stands in for the real thing.
fn is_standing_in(lower: &str) -> bool {
    lower.split('/').any(|part| {
        let words = part.split(['.', '-', '_']);
        STANDING_IN.contains(&part) || words.into_iter().any(|word| STANDING_IN.contains(&word))
    })
}

/// Whether a text was written by a tool, or for machines: nobody would mend it.
pub fn is_written_by_tools(text: &str) -> bool {
    let head = text[..text.floor_char_boundary(1500)].to_ascii_lowercase();
    let says_so =
        ["@generated", "do not edit", "auto-generated", "autogenerated", "code generated by", "<auto-generated"];
    says_so.iter().any(|words| head.contains(words))
        || (text.len() > 5_000 && text.len() / text.lines().count().max(1) > 250)
}

/// Longer code is cut where it is quoted.
const QUOTED: usize = 60;

pub(super) fn judge(params: &Source, project: &Project, sink: &mut Sink<'_>) {
    let code = sink.code().to_owned();
    let own: Vec<&Sighting> = project.sightings.iter().filter(|sighting| sighting.rule == code).collect();
    let words = |sighting: &Sighting| one_line(project.sources.snippet(sighting.span));
    let mut places: BTreeMap<String, Vec<&Sighting>> = BTreeMap::new();
    if params.0.repeated {
        for sighting in &own {
            places.entry(words(sighting)).or_default().push(sighting);
        }
    }
    for sighting in own {
        let text = words(sighting);
        let mut related = Vec::new();
        if params.0.repeated {
            // The first place is what the others repeat.
            let all = places.get(&text).map(Vec::as_slice).unwrap_or_default();
            let Some(first) = all.first().filter(|first| first.span.file != sighting.span.file) else { continue };
            related.push(crate::finding::Label { span: first.span, text: "the same is here".to_owned() });
        }
        let named = |name: &str| {
            let found = sighting.names.iter().find(|(known, _)| known == name);
            found.map_or(String::new(), |(_, value)| quoted(&one_line(value)))
        };
        sink.report(Evidence {
            kind: "found",
            span: sighting.span,
            label: "here".to_owned(),
            related,
            operations: Vec::new(),
            field: None,
            contract: None,
            values: vec![("code", quoted(&text)), ("name", named("NAME")), ("value", named("VALUE"))],
            subject: text,
            at_most: None,
        });
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// In backticks, so that it can stand in a sentence.
fn quoted(text: &str) -> String {
    let cut: String = text.chars().take(QUOTED).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("`{}{more}`", cut.replace('`', "'"))
}
