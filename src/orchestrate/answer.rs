//! Questions to models whose answers are data: written as a file, or said at the end.

use std::path::Path;

use serde_json::Value;

use crate::events::{TaskResult, TaskStatus};
use crate::plan::Scope;

/// The file that a model writes its answer to, in its own checkout.
const FILE: &str = "answer.json";
/// A longer answer is none.
const MAX_BYTES: u64 = 1 << 20;

/// What whoever is asked is told after the question.
pub fn asked(question: &str) -> String {
    format!(
        "{question}\n\nChange no file of the project. Write the answer, and nothing else, as one JSON object to `{FILE}`, or say it as \
         the last thing."
    )
}

/// What may be written for an answer.
pub fn scope() -> Scope {
    Scope { allowed: vec![FILE.to_owned()], forbidden: Vec::new() }
}

/// The data that came of a question: what stands in the checkout, else the last JSON object of what was said.
///
/// # Errors
/// The executor did not finish, or there is no such data, in words for whoever reads the record.
pub fn found(checkout: &Path, result: &TaskResult) -> Result<Value, String> {
    match (result.status, &result.error) {
        (TaskStatus::Completed, _) => answer(checkout, &result.output),
        (_, error) => Err(error.clone().unwrap_or_else(|| "the executor did not finish".to_owned())),
    }
}

/// The answer that stands in the checkout, else the last JSON object of what was said.
///
/// # Errors
/// There is none, in words for whoever reads the record.
fn answer(checkout: &Path, said: &str) -> Result<Value, String> {
    let file = checkout.join(FILE);
    let is_file = std::fs::symlink_metadata(&file).is_ok_and(|it| it.is_file() && it.len() <= MAX_BYTES);
    if is_file && let Ok(text) = std::fs::read_to_string(&file) {
        return serde_json::from_str(&text).map_err(|error| format!("{FILE} is no JSON: {error}"));
    }
    last_object(said).ok_or_else(|| format!("there is no {FILE}, and no JSON object in what was said"))
}

/// The last JSON object of a text, whatever stands around it.
fn last_object(text: &str) -> Option<Value> {
    let mut found = None;
    let mut at = 0;
    while let Some(open) = text[at..].find('{') {
        let begin = at + open;
        let mut stream = serde_json::Deserializer::from_str(&text[begin..]).into_iter::<Value>();
        if let Some(Ok(value)) = stream.next() {
            at = begin + stream.byte_offset().max(1);
            found = Some(value);
        } else {
            at = begin + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_object_of_a_text_is_the_answer() {
        let said = "I looked at {this}.\n```json\n{\"a\": {\"b\": 1}}\n```\nand {\"c\": [1, 2]} it is";
        assert_eq!(last_object(said), Some(serde_json::json!({"c": [1, 2]})));
        assert_eq!(last_object("nothing { here"), None);
        let folder = tempfile::tempdir().expect("a folder");
        assert!(answer(folder.path(), "no").is_err());
        std::fs::write(folder.path().join(FILE), "{\"file\": true}").expect("written");
        assert_eq!(answer(folder.path(), said), Ok(serde_json::json!({"file": true})), "the file comes first");
        std::fs::write(folder.path().join(FILE), "{").expect("written");
        assert!(answer(folder.path(), said).is_err(), "half a file is no answer");
    }
}
