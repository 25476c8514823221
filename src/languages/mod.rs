//! Reading source text: one file of one language becomes one program tree. The parsers' own types stay in here.

mod branches;
mod components;
pub mod csharp;
mod errors;
mod generics;
mod grammar;
pub mod json_schema;
mod patterns;
pub mod python;
#[cfg(test)]
mod render;
pub mod sights;
mod tree;
pub mod typescript;
mod words;
pub use crate::model::walk;
pub use patterns::{CodePattern, Parsed, Patterns, Place, Query, Syntax};
pub use words::{Word, WordRole, Words};

use crate::finding::Problem;
use crate::model::Sight;
use crate::model::program::Module;
use crate::text::FileId;

/// Which side of a type or schema: what it takes, or what it lets out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    Input,
    #[default]
    Output,
}

/// A language whose files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    Python,
    TypeScript,
    /// TypeScript with elements in angle brackets.
    Tsx,
    /// With or without such elements.
    JavaScript,
    /// A file of Vue or Svelte, whose scripts are TypeScript or JavaScript.
    Component,
    CSharp,
}

impl Language {
    /// The language of a file that a scan reads, told by its extension (upper or lower case); `None` too for what tools
    /// write for machines.
    pub fn by_path(path: &str) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (stem, extension) = name.rsplit_once('.')?;
        let written = [".min", ".bundle", ".chunk", ".umd"].iter().any(|end| stem.ends_with(end));
        if stem.is_empty() || written {
            return None;
        }
        Some(match extension.to_ascii_lowercase().as_str() {
            "py" => Language::Python,
            "ts" | "mts" | "cts" => Language::TypeScript,
            "tsx" => Language::Tsx,
            "js" | "mjs" | "cjs" | "jsx" => Language::JavaScript,
            "vue" | "svelte" => Language::Component,
            // Designers and mappers of databases write several times of what people do, and nothing of it is an API.
            "cs" if [".Designer", ".g", "ModelSnapshot"].iter().any(|end| stem.ends_with(end)) => return None,
            "cs" => Language::CSharp,
            _ => return None,
        })
    }

    /// As people write it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Python => "Python",
            Language::TypeScript | Language::Tsx => "TypeScript",
            Language::JavaScript => "JavaScript",
            Language::Component => "Vue or Svelte",
            Language::CSharp => "C#",
        }
    }
}

/// Lowers one text. Never fails: what could not be read is in [`Module::errors`] and told by the problems, everything
/// around it is in the tree. `path` is relative to the scanned root and becomes the path of the problems too.
pub fn lower(language: Language, file: FileId, path: &str, text: &str) -> (Module, Vec<Problem>) {
    lower_looking(language, file, path, text, &mut |_| {})
}

/// The same with every name and comment of the file, of the same parse.
pub fn lower_with_words(language: Language, file: FileId, path: &str, text: &str) -> (Module, Words, Vec<Problem>) {
    let mut found = Words::default();
    let (module, problems) = lower_looking(language, file, path, text, &mut |parsed| {
        found = words(parsed);
    });
    (module, found, problems)
}

/// Every name and comment of a file.
pub fn words(parsed: &Parsed<'_>) -> Words {
    words::words(parsed.tree.root_node())
}

/// What rules look at in a file of code, besides what its program is lowered to.
pub fn sights(language: Language, file: FileId, text: &str, parsed: &Parsed<'_>) -> Vec<Sight> {
    sights::code(language, file, text, parsed.tree.root_node())
}

/// What rules look at in the template and the styles of a component, with the byte ranges of the comments there.
pub fn sights_of_markup(file: FileId, text: &str) -> (Vec<Sight>, Vec<(u32, u32)>) {
    (sights::read_markup(file, text), sights::markup_comments(text))
}

/// Lowers one text as [`lower`] does; `look` sees the syntax tree of the file, where there is one.
pub fn lower_looking(
    language: Language,
    file: FileId,
    path: &str,
    text: &str,
    look: &mut dyn FnMut(&Parsed<'_>),
) -> (Module, Vec<Problem>) {
    match language {
        Language::Python => python::lower_looking(file, path, text, look),
        Language::TypeScript => typescript::lower_looking(typescript::Dialect::TypeScript, file, path, text, look),
        Language::Tsx => typescript::lower_looking(typescript::Dialect::Tsx, file, path, text, look),
        Language::JavaScript => typescript::lower_looking(typescript::Dialect::JavaScript, file, path, text, look),
        Language::Component => components::lower(file, path, text, look),
        Language::CSharp => csharp::lower_looking(file, path, text, look),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A commit of a kind of source that the hook does not name would go unchecked.
    #[test]
    fn the_hook_runs_for_every_language() {
        let hook = include_str!("../../.pre-commit-hooks.yaml");
        let named = hook.split_once(r"(?i)\.(").and_then(|(_, rest)| rest.split_once(")$"));
        let (extensions, _) = named.expect("a list of extensions");
        let languages: std::collections::BTreeSet<&str> =
            extensions.split('|').filter_map(|it| Language::by_path(&format!("a.{it}"))).map(Language::name).collect();
        let known = [Language::Python, Language::Tsx, Language::JavaScript, Language::Component, Language::CSharp];
        for language in known {
            assert!(languages.contains(language.name()), "{}", language.name());
        }
        for extension in ["mts", "cts", "ts", "mjs", "cjs", "jsx", "svelte"] {
            assert!(extensions.split('|').any(|it| it == extension), "{extension}");
        }
    }

    #[test]
    fn the_extension_tells_the_language() {
        assert_eq!(Language::by_path("app/main.py"), Some(Language::Python));
        assert_eq!(Language::by_path("MAIN.PY"), Some(Language::Python));
        for path in ["app/main.pyi", "app/main.pyc", "py", ".py", "app.py/readme", "a/jquery.min.js", ""] {
            assert_eq!(Language::by_path(path), None, "{path}");
        }
        for (path, language) in [
            ("src/main.ts", Language::TypeScript),
            ("src/types.d.ts", Language::TypeScript),
            ("a.MTS", Language::TypeScript),
            ("a.cts", Language::TypeScript),
            ("Page.tsx", Language::Tsx),
            ("index.js", Language::JavaScript),
            ("index.mjs", Language::JavaScript),
            ("index.cjs", Language::JavaScript),
            ("Page.jsx", Language::JavaScript),
            ("Page.vue", Language::Component),
            ("Page.svelte", Language::Component),
            ("Controllers/Users.cs", Language::CSharp),
        ] {
            assert_eq!(Language::by_path(path), Some(language), "{path}");
        }
        for path in ["Migrations/1_Init.Designer.cs", "obj/Views.g.cs"] {
            assert_eq!(Language::by_path(path), None, "{path}");
        }
    }
}
