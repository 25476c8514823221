//! Parts of services that could not be read for other reasons than that code was not understood: files, budgets, frameworks.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::gather::Tree;
use crate::finding::{Problem, ProblemKind, Reason};
use crate::languages::Language;
use crate::model::{Reach, Unread};
use crate::project::Service;
use crate::text::{FileId, Span};

/// Something that may register anything.
pub(super) fn anything(why: impl Into<String>, span: Option<Span>) -> Unread {
    Unread { path: String::new(), method: None, reach: Reach::Unseen, reason: Reason::new(why, span) }
}

/// Notes on each service the files of it that could not be read, whole or in part.
pub(super) fn note_files(services: &mut [Service], tree: &Tree, problems: &[Problem]) {
    let read: BTreeSet<&str> = tree.code.iter().map(|file| file.path.as_str()).collect();
    let registering: FxHashSet<FileId> =
        services.iter().flat_map(|service| &service.operations).map(|route| route.span.file).collect();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for problem in problems.iter().filter(|problem| Language::by_path(&problem.path).is_some()) {
        let file = || tree.code.iter().find(|file| file.path == problem.path).map(|file| file.file);
        let unread = match problem.kind {
            ProblemKind::Unreadable | ProblemKind::InvalidEncoding | ProblemKind::TooLarge => {
                !read.contains(problem.path.as_str())
            }
            ProblemKind::TooDeep => true,
            // Most errors of syntax are of no file that registers routes.
            ProblemKind::SyntaxError => file().is_some_and(|file| registering.contains(&file)),
            _ => false,
        };
        if unread && told.insert(&problem.path) {
            let holds = |root: &str| {
                root == "." || problem.path.strip_prefix(root).is_some_and(|rest| rest.starts_with(['/', '\\']))
            };
            let within = services.iter_mut().filter(|service| service.scanned && holds(&service.root));
            if let Some(service) = within.max_by_key(|service| service.root.len()) {
                let why = format!("`{}` could not be read: {}", problem.path, problem.message);
                service.unread.push(anything(why, problem.span));
            }
        }
    }
}
