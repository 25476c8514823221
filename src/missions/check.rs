//! What can be checked of a result without a model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::mission::texts;

/// A validator. All of a standard run in order, and all have to pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Check {
    FileExists {
        file: String,
    },
    /// Each text stands in the file, or in the output where no file is named.
    ContentCheck {
        file: Option<String>,
        must_contain: Vec<String>,
    },
    /// Characters.
    MinLength {
        file: Option<String>,
        min: usize,
    },
    /// None of these words stands there.
    NoPlaceholders {
        file: Option<String>,
        patterns: Vec<String>,
    },
    /// Each relative link of the file, or of the output, leads to a file that is there.
    CrossReferenceCheck {
        file: Option<String>,
    },
}

/// What holds for every result of a role.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standard {
    /// Files that are there when the work is done.
    pub required_files: Vec<String>,
    pub rules: Vec<Check>,
}

/// What a role made: its output, and the files as they are now.
#[derive(Clone, Copy)]
pub struct Made<'m> {
    pub output: &'m str,
    pub files: &'m dyn Files,
}

/// The files of a project. Paths are relative to its root, forward slashes.
pub trait Files {
    /// Whether a file or a folder is there.
    fn has(&self, path: &str) -> bool;

    /// The text of a file.
    ///
    /// # Errors
    /// The file cannot be looked at, and why.
    fn text(&self, path: &str) -> Result<String, String>;
}

/// Words that stand for what is still to be written.
const PLACEHOLDERS: [&str; 6] = ["TODO", "FIXME", "TBD", "XXX", "lorem ipsum", "to be determined"];
impl Made<'_> {
    fn text(&self, file: Option<&String>) -> Result<(String, String), String> {
        match file {
            Some(file) => Ok((file.clone(), inside(file).and_then(|it| self.files.text(it))?)),
            None => Ok(("the output".to_owned(), self.output.to_owned())),
        }
    }
}

impl Check {
    /// Looks whether a result keeps the check.
    ///
    /// # Errors
    /// What is not as it should be, in words.
    pub fn run(&self, made: Made<'_>) -> Result<(), String> {
        match self {
            Check::FileExists { file } => {
                let there = inside(file).map(|it| made.files.has(it))?;
                if there { Ok(()) } else { Err(format!("the file {file} is not there")) }
            }
            Check::ContentCheck { file, must_contain } => {
                let (name, text) = made.text(file.as_ref())?;
                let missing: Vec<&str> =
                    must_contain.iter().filter(|it| !text.contains(it.as_str())).map(String::as_str).collect();
                if missing.is_empty() { Ok(()) } else { Err(format!("{name} does not say: {}", missing.join(", "))) }
            }
            Check::MinLength { file, min } => {
                let (name, text) = made.text(file.as_ref())?;
                let has = text.trim().chars().count();
                if has >= *min { Ok(()) } else { Err(format!("{name} has {has} characters, {min} are wanted")) }
            }
            Check::NoPlaceholders { file, patterns } => {
                let (name, text) = made.text(file.as_ref())?;
                let own: Vec<&str> = patterns.iter().map(String::as_str).collect();
                let patterns = if own.is_empty() { PLACEHOLDERS.to_vec() } else { own };
                let found: Vec<&str> = patterns.into_iter().filter(|it| has_word(&text, it)).collect();
                if found.is_empty() { Ok(()) } else { Err(format!("{name} holds placeholders: {}", found.join(", "))) }
            }
            Check::CrossReferenceCheck { file } => {
                let (name, text) = made.text(file.as_ref())?;
                let folder = file.as_ref().and_then(|it| it.rsplit_once('/')).map_or("", |it| it.0);
                let leads = |link: &String| below(folder, link).is_some_and(|it| made.files.has(&it));
                let broken: Vec<String> = links(&text).into_iter().filter(|it| !leads(it)).collect();
                if broken.is_empty() { Ok(()) } else { Err(format!("{name} leads to nothing: {}", broken.join(", "))) }
            }
        }
    }

    /// The check of a criterion: its `validation_type`, with what that asks for beside it.
    pub(super) fn of_criterion(value: &Value) -> Result<Option<Check>, String> {
        match value.get("validation_type").or_else(|| value.get("check")) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(_)) => Check::read(&value["check"]).map(Some),
            Some(Value::String(kind)) => {
                let mut check = value.clone();
                check["type"] = Value::String(kind.clone());
                // Criteria that a model judges name kinds of their own.
                let known = ["file_exists", "content_check", "min_length", "no_placeholders", "cross_reference_check"];
                if known.contains(&kind.as_str()) { Check::read(&check).map(Some) } else { Ok(None) }
            }
            Some(other) => Err(format!("{other} is no kind of validation")),
        }
    }

    /// A check of a mapping with `type`.
    ///
    /// # Errors
    /// There is no such check, or a key is missing.
    fn read(value: &Value) -> Result<Check, String> {
        let mut value = value.clone();
        // Other names that are in use.
        for (old, new) in [("path", "file"), ("target", "file"), ("min_length", "min"), ("contains", "must_contain")] {
            if let Some(it) = value.get(old).cloned()
                && value.get(new).is_none()
            {
                value[new] = it;
            }
        }
        if value["type"] == "no_placeholders" && value.get("patterns").is_none() {
            value["patterns"] = Value::Array(Vec::new());
        }
        serde_json::from_value(value).map_err(|error| format!("a validation rule: {error}"))
    }
}

impl Standard {
    pub(super) fn read(value: Option<&Value>) -> Result<Standard, String> {
        let Some(value) = value else { return Ok(Standard::default()) };
        let rules = match value.get("validation_rules").or_else(|| value.get("rules")) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(list)) => list.iter().map(Check::read).collect::<Result<_, _>>()?,
            Some(other) => return Err(format!("{other} is no list of validation rules")),
        };
        Ok(Standard { required_files: texts(value.get("required_files"))?, rules })
    }

    /// What a result lacks, in the order of the checks.
    pub fn lacks(&self, made: Made<'_>) -> Vec<String> {
        let files = self.required_files.iter().map(|file| Check::FileExists { file: file.clone() });
        files.chain(self.rules.iter().cloned()).filter_map(|it| it.run(made).err()).collect()
    }
}

/// A path that stays below the root.
fn inside(path: &str) -> Result<&str, String> {
    let stays = !path.starts_with(['/', '\\']) && !path.contains(':') && path.split(['/', '\\']).all(|it| it != "..");
    if stays { Ok(path) } else { Err(format!("{path} leads out of the project")) }
}

/// Where a link of a file in a folder leads; none where it leads out of the root.
fn below(folder: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether words stand in a text, whole, whatever their case.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let is_border = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric() && it != '_');
    !word.is_empty()
        && text.match_indices(&word).any(|(at, found)| {
            is_border(text[..at].chars().next_back()) && is_border(text[at + found.len()..].chars().next())
        })
}

/// Relative links of a Markdown text, without fragments.
fn links(text: &str) -> Vec<String> {
    use pulldown_cmark::{Event, Parser, Tag};
    let target = |event: Event<'_>| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    let all = Parser::new(text).filter_map(target);
    let relative = all.filter(|it| !it.contains(':') && !it.starts_with(['#', '/']));
    relative.map(|it| it.split(['#', '?']).next().unwrap_or_default().to_owned()).filter(|it| !it.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Held(&'static [(&'static str, &'static str)]);

    impl Files for Held {
        fn has(&self, path: &str) -> bool {
            self.text(path).is_ok()
        }

        fn text(&self, path: &str) -> Result<String, String> {
            let found = self.0.iter().find(|it| it.0 == path);
            found.map(|it| it.1.to_owned()).ok_or_else(|| format!("the file {path} is not there"))
        }
    }

    #[test]
    fn each_check_holds_and_fails() {
        let files = Held(&[
            ("docs/a.md", "# A\n\nsee [b](../b.md#top), [gone](gone.md), [out](../../x), [web](https://x.y)\n"),
            ("b.md", "done, autodoc and METODO\n"),
        ]);
        let made = Made { output: "All of it. TODO: the rest", files: &files };
        let read = |text: &str| Check::read(&serde_json::from_str(text).expect("JSON")).expect("a check");
        let said = |text: &str| read(text).run(made).err();
        assert_eq!(said(r#"{"type": "file_exists", "path": "docs/a.md"}"#), None);
        assert_eq!(
            said(r#"{"type": "file_exists", "file": "../a.md"}"#),
            Some("../a.md leads out of the project".into())
        );
        assert_eq!(
            said(r#"{"type": "content_check", "must_contain": ["All", "None"]}"#),
            Some("the output does not say: None".into())
        );
        assert_eq!(said(r#"{"type": "min_length", "file": "b.md", "min_length": 24}"#), None);
        assert_eq!(
            said(r#"{"type": "min_length", "file": "b.md", "min": 25}"#),
            Some("b.md has 24 characters, 25 are wanted".into())
        );
        assert_eq!(said(r#"{"type": "no_placeholders"}"#), Some("the output holds placeholders: TODO".into()));
        assert_eq!(said(r#"{"type": "no_placeholders", "file": "b.md"}"#), None, "parts of words are none");
        assert_eq!(
            said(r#"{"type": "cross_reference_check", "file": "docs/a.md"}"#),
            Some("docs/a.md leads to nothing: gone.md, ../../x".into())
        );
    }
}
