//! Documents of JSON or YAML, read as data.

use std::io::Read;
use std::path::Path;

use serde_json::Value;

use crate::cli::failure::Failure;
use crate::contracts::MAX_BYTES;
use crate::contracts::tree;

/// Reads a document of JSON or YAML as data.
pub(in crate::cli) fn document(file: &Path) -> Result<Value, Failure> {
    let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
    let next = "name a document of JSON or YAML; `treaty contract validate` says what is wrong in one";
    let wrong = |reason: &dyn std::fmt::Display| Failure::said(format!("cannot read {name}: {reason}"), next);
    let text = read(file).map_err(|error| wrong(&error))?;
    tree::value(&text).map_err(|error| wrong(&error))
}

/// Reads a value of JSON.
pub(super) fn data(file: &Path) -> Result<Value, Failure> {
    let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
    let wrong = |reason: &dyn std::fmt::Display| {
        Failure::said(format!("cannot read {name}: {reason}"), "name a file with the body of the answer, JSON")
    };
    let text = read(file).map_err(|error| wrong(&error))?;
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| wrong(&error))
}

/// The text of a file, or of standard input for `-`.
pub(in crate::cli) fn read(file: &Path) -> std::io::Result<String> {
    let limit = MAX_BYTES as u64 + 1;
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_string(&mut text)?;
    } else {
        std::fs::File::open(file)?.take(limit).read_to_string(&mut text)?;
    }
    if text.len() > MAX_BYTES {
        return Err(std::io::Error::other(format!("more than {MAX_BYTES} bytes")));
    }
    Ok(text)
}
