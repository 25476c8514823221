//! Every file of a run to its program tree, in parallel. A file that makes the reader fail costs itself only.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Progress;
use super::gather::CodeFile;
use super::suppress;
use crate::finding::{Problem, ProblemKind};
use crate::languages::{self, Language};
use crate::model::program::{ImportStyle, Module};
use crate::text::{FileId, Sources};

/// A file and the byte ranges of its comments.
pub(super) type Commented = (FileId, Vec<(u32, u32)>);

/// What came of one file.
struct Lowered {
    module: Module,
    /// Its comments, where one may say something to treaty.
    comments: Vec<(u32, u32)>,
    problems: Vec<Problem>,
}

/// The modules in the order of `code`, and the files whose comments may say something to treaty.
pub(super) fn lower(
    sources: &Sources,
    code: &[CodeFile],
    progress: &dyn Progress,
    problems: &mut Vec<Problem>,
) -> (Vec<Module>, Vec<Commented>) {
    let done = AtomicUsize::new(0);
    let lowered: Vec<Lowered> = code
        .par_iter()
        .map(|entry| {
            let path = &sources.get(entry.file).path;
            progress.tick("parsing", done.fetch_add(1, Ordering::Relaxed) + 1, code.len());
            let read = || read(sources, entry);
            let mut lowered = catch_unwind(AssertUnwindSafe(read))
                .unwrap_or_else(|_| Lowered { problems: vec![crashed(path)], ..empty(sources, entry) });
            lowered.module.path.clone_from(&entry.key);
            lowered
        })
        .collect();
    let (mut modules, mut commented) = (Vec::with_capacity(code.len()), Vec::new());
    for (entry, Lowered { module, comments, problems: found }) in code.iter().zip(lowered) {
        problems.extend(found);
        modules.push(module);
        if !comments.is_empty() {
            commented.push((entry.file, comments));
        }
    }
    (modules, commented)
}

fn read(sources: &Sources, entry: &CodeFile) -> Lowered {
    let text = &sources.get(entry.file).text;
    // Tests are no part of what is checked, and of these languages nothing else imports them.
    if entry.is_test && entry.language != Language::Python {
        return empty(sources, entry);
    }
    if text.contains(suppress::MARK) {
        let (module, words, problems) = languages::lower_with_words(entry.language, entry.file, &entry.path, text);
        return Lowered { module, comments: words.comments, problems };
    }
    let (module, problems) = languages::lower(entry.language, entry.file, &entry.path, text);
    Lowered { module, comments: Vec::new(), problems }
}

fn empty(sources: &Sources, entry: &CodeFile) -> Lowered {
    let path = sources.get(entry.file).path.clone();
    let module = Module::empty(entry.file, path, ImportStyle::Dotted);
    Lowered { module, comments: Vec::new(), problems: Vec::new() }
}

/// What is told of a file or service that made the analysis fail.
pub(super) fn crashed(path: &str) -> Problem {
    Problem::new(ProblemKind::Crashed, path, "an internal error stopped the analysis here; the rest was analysed")
        .with_help("please report it with the file")
}
