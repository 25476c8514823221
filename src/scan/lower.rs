//! Every file of a run to its program tree, in parallel. A file that makes the reader fail costs itself only.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Progress;
use super::gather::CodeFile;
use super::paths::{below, is_test};
use super::suppress;
use crate::checks::{Source, is_written_by_tools};
use crate::finding::{Problem, ProblemKind};
use crate::languages::{self, Language, Parsed, Patterns, Place};
use crate::model::program::{ImportStyle, Module};
use crate::model::{Sight, Sighting};
use crate::rules::RuleSet;
use crate::text::{FileId, Sources, Span};

/// A file and the byte ranges of its comments.
pub(super) type Commented = (FileId, Vec<(u32, u32)>);

/// What rules about source code look for, put together once for all files of a run.
pub(super) struct Lookout<'r> {
    rules: Vec<(&'r str, &'r Source)>,
    /// The rule of each pattern.
    owners: Vec<usize>,
    patterns: Patterns,
    /// Scanned paths, as shown.
    roots: &'r [String],
}

impl<'r> Lookout<'r> {
    pub(super) fn new(rules: &'r RuleSet, roots: &'r [String]) -> Self {
        let rules: Vec<_> = rules.about_source().collect();
        let (mut owners, mut all) = (Vec::new(), Vec::new());
        for (at, (_, source)) in rules.iter().enumerate() {
            // Every rule was checked where it was read.
            for pattern in source.patterns().unwrap_or_default() {
                owners.push(at);
                all.push(pattern);
            }
        }
        Lookout { rules, owners, patterns: Patterns::new(all), roots }
    }

    /// For a file: which rules look at it; none where no rule does.
    fn of(&self, entry: &CodeFile, text: &str) -> Option<Vec<bool>> {
        if !self.patterns.look_at(entry.language) {
            return None;
        }
        // What lies above a scanned path says nothing of the code.
        let above = |root: &String| {
            let root = root.trim_end_matches('/');
            below(&entry.path, root).map(|_| root.rfind('/').map_or(0, |at| at + 1))
        };
        let above = self.roots.iter().filter_map(above).max().unwrap_or(0);
        let path = entry.path.get(above..).unwrap_or(&entry.path);
        // Where nothing is skipped, tests are read like any other code, and are still tests.
        let is_test = entry.is_test || is_test(path);
        let looks: Vec<bool> = self.rules.iter().map(|(_, it)| it.looks_at(path, is_test)).collect();
        (looks.contains(&true) && !is_written_by_tools(text)).then_some(looks)
    }

    fn find(&self, parsed: &Parsed<'_>, file: FileId, looks: &[bool]) -> Vec<Sighting> {
        let places = self.patterns.find(parsed, |pattern| looks[self.owners[pattern]]);
        let mut found: Vec<Sighting> = Vec::with_capacity(places.len());
        for Place { pattern, start, end, names } in places {
            let (rule, span) = (self.rules[self.owners[pattern]].0.to_owned(), Span::new(file, start, end));
            // Two forms of one defect may describe one place; nodes of one place follow one another.
            let mut here = found.iter().rev().take_while(|known| known.span == span);
            if !here.any(|known| known.rule == rule) {
                found.push(Sighting { rule, span, names });
            }
        }
        found
    }
}

/// What came of one file.
struct Lowered {
    module: Module,
    sightings: Vec<Sighting>,
    /// Its comments, where one may say something to treaty.
    comments: Vec<(u32, u32)>,
    /// What rules look at besides.
    sights: Vec<Sight>,
    problems: Vec<Problem>,
}

/// What came of all files.
#[derive(Default)]
pub(super) struct Saw {
    /// In the order of the files.
    pub modules: Vec<Module>,
    /// What rules see in each file, where they look.
    pub sights: Vec<Vec<Sight>>,
    /// Files whose comments may say something to treaty.
    pub commented: Vec<Commented>,
    pub sightings: Vec<Sighting>,
}

/// Reads files of code.
pub(super) fn lower(
    sources: &Sources,
    (code, with_sights): (&[CodeFile], bool),
    progress: &dyn Progress,
    lookout: Option<&Lookout<'_>>,
    problems: &mut Vec<Problem>,
) -> Saw {
    let done = AtomicUsize::new(0);
    let lowered: Vec<Lowered> = code
        .par_iter()
        // One by one: a thread that took many at once would be left alone with the last of them.
        .with_max_len(1)
        .map(|entry| {
            let path = &sources.get(entry.file).path;
            progress.tick("parsing", done.fetch_add(1, Ordering::Relaxed) + 1, code.len());
            let read = || read(sources, entry, with_sights, lookout);
            let mut lowered = catch_unwind(AssertUnwindSafe(read))
                .unwrap_or_else(|_| Lowered { problems: vec![crashed(path)], ..empty(sources, entry) });
            lowered.module.path.clone_from(&entry.key);
            lowered
        })
        .collect();
    let mut saw = Saw { modules: Vec::with_capacity(code.len()), ..Saw::default() };
    for (entry, it) in code.iter().zip(lowered) {
        let Lowered { module, sightings, comments, sights, problems: found } = it;
        problems.extend(found);
        saw.modules.push(module);
        saw.sights.push(sights);
        saw.sightings.extend(sightings);
        if !comments.is_empty() {
            saw.commented.push((entry.file, comments));
        }
    }
    saw
}

fn read(sources: &Sources, entry: &CodeFile, with_sights: bool, lookout: Option<&Lookout<'_>>) -> Lowered {
    let text = &sources.get(entry.file).text;
    let looks = lookout.and_then(|lookout| lookout.of(entry, text));
    // Tests are no part of what is checked, and of these languages nothing else imports them.
    let is_apart = entry.is_test && entry.language != Language::Python;
    if is_apart && looks.is_none() {
        return empty(sources, entry);
    }
    let (is_marked, sees) = (text.contains(suppress::MARK), with_sights && !entry.is_test);
    let (mut comments, mut sightings, mut sights) = (Vec::new(), Vec::new(), Vec::new());
    let mut look = |parsed: &Parsed<'_>| {
        if is_marked {
            comments = languages::words(parsed).comments;
        }
        if let (Some(lookout), Some(looks)) = (lookout, &looks) {
            sightings = lookout.find(parsed, entry.file, looks);
        }
        if sees {
            sights = languages::sights(entry.language, entry.file, text, parsed);
        }
    };
    let (module, problems) = languages::lower_looking(entry.language, entry.file, &entry.path, text, &mut look);
    if is_apart {
        return Lowered { sightings, comments, ..empty(sources, entry) };
    }
    if sees && entry.language == Language::Component {
        let (more, markup) = languages::sights_of_markup(entry.file, text);
        sights.extend(more);
        sights.sort_by_key(|sight| (sight.span.start, sight.span.end));
        if is_marked {
            comments.extend(markup);
            comments.sort_unstable();
        }
    }
    Lowered { module, sightings, comments, sights, problems }
}

fn empty(sources: &Sources, entry: &CodeFile) -> Lowered {
    let path = sources.get(entry.file).path.clone();
    let module = Module::empty(entry.file, path, ImportStyle::Dotted);
    Lowered { module, sightings: Vec::new(), comments: Vec::new(), sights: Vec::new(), problems: Vec::new() }
}

/// What is told of a file or service that made the analysis fail.
pub(super) fn crashed(path: &str) -> Problem {
    Problem::new(ProblemKind::Crashed, path, "an internal error stopped the analysis here; the rest was analysed")
        .with_help("please report it with the file")
}
