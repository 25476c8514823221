//! Engine `design`: colours, fonts, spaces and words of what people see. Where colours and spaces have names (tokens), a place
//! that writes the value instead is told, with the name where there is one. Letters, drawings and what tools write have
//! reasons of their own and are left out.

mod classes;
mod colours;
mod fonts;
mod words;

use std::collections::BTreeSet;

use super::KindInfo;
use crate::finding::{Severity, Sink};
use crate::model::Seen;
use crate::project::Project;
use crate::text::{Sources, Span};
use crate::workspace::{Watched, directory};

/// It has no parameters: a rule says which kinds it reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {}

pub(super) const RAW_COLOUR: &str = "raw-colour";
pub(super) const NAMED_COLOUR: &str = "named-colour";
pub(super) const RAW_CLASS_COLOUR: &str = "raw-class-colour";
pub(super) const STOCK_PURPLE: &str = "stock-purple";
pub(super) const STOCK_BLUE: &str = "stock-blue";
pub(super) const STOCK_THEME_FONT: &str = "stock-theme-font";
pub(super) const STOCK_FONT: &str = "stock-font";
pub(super) const OFF_GRID: &str = "off-grid";
pub(super) const PLACEHOLDER: &str = "placeholder";

const GAPS: &[&str] = &["value", "property", "token"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind(RAW_COLOUR, Severity::Warning, "a colour is written as a number where the project has named ones"),
    kind(NAMED_COLOUR, Severity::Warning, "a colour is written as a number that has a name"),
    kind(RAW_CLASS_COLOUR, Severity::Warning, "a class holds a colour as a number"),
    kind(STOCK_PURPLE, Severity::Warning, "the purple that pages have when nobody chose a colour"),
    kind(STOCK_BLUE, Severity::Info, "the blue that pages have when nobody chose a colour"),
    kind(STOCK_THEME_FONT, Severity::Warning, "the theme asks for a font that says nothing"),
    kind(STOCK_FONT, Severity::Info, "a font that says nothing"),
    kind(OFF_GRID, Severity::Info, "a space that is off the grid of four pixels"),
    kind(PLACEHOLDER, Severity::Error, "words that stand for others"),
];

pub(super) fn judge(_: &Design, project: &Project, sink: &mut Sink<'_>) {
    let pages: Vec<&Watched> =
        project.workspace.watched.iter().filter(|it| !it.is_test && !is_elsewhere(&it.path)).collect();
    let packages = project.workspace.manifests.iter().map(|it| directory(&it.path)).collect();
    let seen = Seeing { sources: &project.sources, pages, packages };
    if sink.wants(RAW_COLOUR) || sink.wants(NAMED_COLOUR) {
        colours::judge(&seen, sink);
    }
    if sink.wants(STOCK_FONT) || sink.wants(STOCK_THEME_FONT) {
        fonts::judge(&seen, sink);
    }
    if [RAW_CLASS_COLOUR, STOCK_PURPLE, STOCK_BLUE, OFF_GRID].iter().any(|kind| sink.wants(kind)) {
        classes::judge(&seen, sink);
    }
    if sink.wants(PLACEHOLDER) {
        words::judge(&seen, sink);
    }
}

/// What the parts of the engine look at.
struct Seeing<'p> {
    sources: &'p Sources,
    pages: Vec<&'p Watched>,
    /// Folders with a manifest.
    packages: BTreeSet<&'p str>,
}

impl<'p> Seeing<'p> {
    /// The folder of the package that a file belongs to.
    fn package<'a>(&self, path: &'a str) -> &'a str {
        let mut folder = directory(path);
        while folder != "." && folder != "/" && !self.packages.contains(folder) {
            folder = directory(folder);
        }
        folder
    }

    /// Declarations of styles: the file, the property, the place of the value and what stands there.
    fn styles(&self) -> impl Iterator<Item = (&'p Watched, &'p str, Span, &'p str)> {
        let sources = self.sources;
        self.pages.iter().flat_map(move |page| {
            page.sights.iter().filter_map(move |sight| match &sight.what {
                Seen::Style { property } => Some((*page, property.as_str(), sight.span, sources.snippet(sight.span))),
                _ => None,
            })
        })
    }

    /// Names of classes, each with its place.
    fn classes(&self) -> impl Iterator<Item = (&'p Watched, Span, &'p str)> {
        let sources = self.sources;
        let lists = self.pages.iter().flat_map(|page| {
            page.sights.iter().filter(|sight| sight.what == Seen::Classes).map(move |sight| (*page, sight.span))
        });
        lists.flat_map(move |(page, span)| {
            let text = sources.snippet(span);
            text.split_whitespace().map(move |class| {
                let start = span.start as usize + (class.as_ptr() as usize - text.as_ptr() as usize);
                (page, Span::new(span.file, start, start + class.len()), class)
            })
        })
    }
}

/// Letters need their styles in place, drawings have colours of their own, and nobody writes reports of tools.
fn is_elsewhere(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let is_letter = |part: &str| {
        ["email", "e-mail", "mail", "newsletter", "mjml", "invoice", "pdf"].iter().any(|word| part.contains(word))
    };
    let is_folder = |part: &str| {
        is_letter(part)
            || matches!(
                part,
                "coverage"
                    | "htmlcov"
                    | "lcov-report"
                    | "vendor"
                    | "vendors"
                    | "third_party"
                    | "docs"
                    | "doc"
                    | "icons"
                    | "icon"
                    | "svg"
                    | "generated"
                    | "lib"
                    | "libs"
                    | "plugins"
                    | "public"
                    | "storybook"
                    | ".storybook"
            )
    };
    folders.split('/').any(is_folder) || is_letter(name) || name.contains(".stories.") || name.contains("icon")
}

/// Whether a file is where names for colours, fonts and spaces are declared.
fn is_theme(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    lower.split('/').any(|part| {
        part.starts_with("tailwind.config")
            || ["theme", "variables", "tokens", "design-system", "colors", "colours", "palette"]
                .iter()
                .any(|word| part.contains(word))
    })
}
