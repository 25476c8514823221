//! What git leaves out, by the lists in the tree.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::listing::directory;
use crate::text::FileId;

/// One `.gitignore`.
#[derive(Debug)]
pub struct List {
    pub file: FileId,
    /// As shown.
    pub path: String,
    rules: Gitignore,
}

/// The lists of a run.
#[derive(Debug, Default)]
pub struct Ignored {
    pub lists: Vec<List>,
}

impl Ignored {
    pub fn add(&mut self, file: FileId, path: &str, text: &str) {
        let mut builder = GitignoreBuilder::new("/");
        text.lines().for_each(|line| {
            // A pattern that cannot be read leaves nothing out.
            let _ = builder.add_line(None, line);
        });
        if let Ok(rules) = builder.build() {
            self.lists.push(List { file, path: path.to_owned(), rules });
        }
    }

    /// Whether any list leaves a path (as shown) out; the nearest that speaks of it decides.
    pub fn leaves_out(&self, path: &str, is_directory: bool) -> bool {
        let mut near: Vec<(&List, String)> =
            self.lists.iter().filter_map(|list| Some((list, list.relative(path)?))).collect();
        near.sort_by_key(|(list, _)| {
            std::cmp::Reverse(directory(&list.path).len() * usize::from(directory(&list.path) != "."))
        });
        let spoken = near.iter().map(|(list, path)| list.rules.matched_path_or_any_parents(path, is_directory));
        spoken.into_iter().find(|it| !it.is_none()).is_some_and(|it| it.is_ignore())
    }
}

impl List {
    /// A path as the list's patterns see it.
    fn relative(&self, path: &str) -> Option<String> {
        let folder = directory(&self.path);
        let rest = if folder == "." { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') };
        rest.filter(|rest| !rest.starts_with('/')).map(|rest| format!("/{rest}"))
    }
}
