//! Reading source text: one file of one language becomes one program tree. The parsers' own types stay in here.

pub mod python;

use crate::finding::Problem;
use crate::model::program::Module;
use crate::text::FileId;

/// A language whose files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    Python,
}

impl Language {
    /// The language of a file, told by its extension (upper or lower case).
    pub fn by_path(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (stem, extension) = name.rsplit_once('.')?;
        (!stem.is_empty() && extension.eq_ignore_ascii_case("py")).then_some(Language::Python)
    }

    /// As people write it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Python => "Python",
        }
    }
}

/// Lowers one text. Never fails: what could not be read is in [`Module::errors`] and told by the problems, everything
/// around it is in the tree. `path` is relative to the scanned root and becomes the path of the problems too.
pub fn lower(language: Language, file: FileId, path: &str, text: &str) -> (Module, Vec<Problem>) {
    match language {
        Language::Python => python::lower(file, path, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_tells_the_language() {
        assert_eq!(Language::by_path("app/main.py"), Some(Language::Python));
        assert_eq!(Language::by_path("MAIN.PY"), Some(Language::Python));
        for path in ["app/main.pyi", "app/main.pyc", "py", ".py", "app.py/readme", "app/main.ts", ""] {
            assert_eq!(Language::by_path(path), None, "{path}");
        }
    }
}
