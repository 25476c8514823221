//! The log of an attempt: one JSON object a line, without the key. Whoever takes an interrupted attempt up reads there what its
//! answers cost.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use serde::Deserialize as _;
use serde_json::{Value, json};

use super::client::Key;
use crate::ledger::Usage;

pub(super) struct Transcript {
    file: Option<File>,
    key: Option<Key>,
}

impl Transcript {
    pub(super) fn of(log: &Path, key: Option<Key>) -> Transcript {
        Transcript { file: OpenOptions::new().create(true).append(true).open(log).ok(), key }
    }

    pub(super) fn write(&mut self, line: &Value) {
        let Some(file) = &mut self.file else { return };
        let text = line.to_string();
        let text = self.key.as_ref().map_or_else(|| text.clone(), |key| key.hidden(&text));
        // A log that cannot be written is no reason to stop: the events are kept elsewhere.
        let _ = writeln!(file, "{text}");
    }

    /// Before a request: where it goes, and what it costs at most.
    pub(super) fn asked(&mut self, address: &str, size: usize, at_most: &Usage) {
        self.write(&json!({"asked": address, "bytes": size, "at_most": at_most}));
    }

    pub(super) fn charged(&mut self, usage: &Usage) {
        self.write(&json!({"charged": usage}));
    }
}

/// What was used by an attempt that was interrupted: each answer, and at most what a request costs of which nothing is known.
pub(super) fn used_before(log: &Path) -> Vec<Usage> {
    used(&fs::read(log).map(|it| String::from_utf8_lossy(&it).into_owned()).unwrap_or_default())
}

fn used(log: &str) -> Vec<Usage> {
    let (mut all, mut open) = (Vec::new(), None);
    // A line that was cut by a kill is passed over.
    for line in log.lines().filter_map(|it| serde_json::from_str::<Value>(it).ok()) {
        let usage = |name: &str| Usage::deserialize(line.get(name)?).ok();
        if line.get("asked").is_some() {
            all.extend(open.take());
            open = usage("at_most");
        } else if let Some(charged) = usage("charged") {
            open = None;
            all.push(charged);
        } else if line.get("answer").is_some() || line.get("missed").is_some() {
            open = None;
        }
    }
    all.extend(open);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_interrupted_attempt_used_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        assert_eq!(used_before(&log), []);
        let usage = |input| Usage { model: "m".to_owned(), input, ..Usage::default() };
        let mut it = Transcript::of(&log, None);
        it.asked("there", 9, &usage(90));
        it.charged(&usage(1));
        it.write(&json!({"answer": "{\"charged\": 5}", "calls": []}));
        it.asked("there", 9, &usage(91));
        it.write(&json!({"missed": "busy"}));
        assert_eq!(used_before(&log), [usage(1)]);
        // Killed while somebody was asked, twice: the second time in the middle of a line.
        it.asked("there", 9, &usage(92));
        it.asked("there", 9, &usage(93));
        it.file.as_mut().expect("a file").write_all(b"{\"charged\": {\"model\"").expect("written");
        assert_eq!(used_before(&log), [usage(1), usage(92), usage(93)]);
    }
}
