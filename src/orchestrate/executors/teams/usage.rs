//! What a team uses, as the client's transcripts tell (`projects/…/SESSION.jsonl`, and one file for each agent below it): a client in a
//! terminal has no stream that could be read.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Instant;

use indexmap::IndexMap;
use serde_json::Value;

use super::super::claude::{FIRST_CONTEXT, Purse};
use crate::ledger::{Prices, Usage, Usd};

/// The transcripts of one session, as far as they were read.
#[derive(Debug)]
pub(super) struct Books {
    projects: PathBuf,
    session: String,
    /// How far each file was read.
    read: BTreeMap<PathBuf, u64>,
    /// When each file last grew.
    grown: BTreeMap<PathBuf, Instant>,
    /// Tokens by answer.
    answers: IndexMap<String, Usage>,
    /// Model and context of the last answer in each file.
    last: BTreeMap<PathBuf, (String, u64)>,
    /// What the client said of the last error of its provider.
    pub(super) error: Option<String>,
}

impl Books {
    /// Of a session with this id, in the client's folder.
    pub(super) fn new(client: &Path, session: &str) -> Books {
        Books {
            projects: client.join("projects"),
            session: session.to_owned(),
            read: BTreeMap::new(),
            grown: BTreeMap::new(),
            answers: IndexMap::new(),
            last: BTreeMap::new(),
            error: None,
        }
    }

    /// Reads what was added since the last look.
    pub(super) fn look(&mut self) {
        for path in self.files() {
            let from = self.read.get(&path).copied().unwrap_or(0);
            let Some((text, to)) = added(&path, from) else { continue };
            if to > from {
                self.grown.insert(path.clone(), Instant::now());
                self.read.insert(path.clone(), to);
            }
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).for_each(|line| self.line(&path, &line));
        }
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        // The folder is named after the place that the client works in, in a way that is the client's own.
        for project in fs::read_dir(&self.projects).into_iter().flatten().flatten() {
            let whole = project.path().join(format!("{}.jsonl", self.session));
            if !whole.is_file() {
                continue;
            }
            found.push(whole);
            let agents = fs::read_dir(project.path().join(&self.session).join("subagents"));
            let agents = agents.into_iter().flatten().flatten().map(|it| it.path());
            found.extend(agents.filter(|it| it.extension().is_some_and(|it| it == "jsonl")));
        }
        found.sort();
        found
    }

    fn line(&mut self, path: &Path, line: &Value) {
        let message = &line["message"];
        if line["type"] != "assistant" {
            return;
        }
        let model = message["model"].as_str().unwrap_or_default();
        // What the client says by itself, about an error, is no answer of a model.
        if line["isApiErrorMessage"] == true || model.starts_with('<') {
            self.error = message["content"][0]["text"].as_str().map(str::to_owned);
            return;
        }
        let Some(id) = message["id"].as_str() else { return };
        let usage = &message["usage"];
        let count = |key: &str| usage[key].as_u64().unwrap_or(0);
        let known = self.answers.entry(id.to_owned()).or_default();
        model.clone_into(&mut known.model);
        // Told once for each part of an answer, and never less.
        known.input = known.input.max(count("input_tokens"));
        known.output = known.output.max(count("output_tokens"));
        known.cache_read = known.cache_read.max(count("cache_read_input_tokens"));
        known.cache_write = known.cache_write.max(count("cache_creation_input_tokens"));
        let context = known.input + known.output + known.cache_read + known.cache_write;
        self.last.insert(path.to_owned(), (model.to_owned(), context));
    }

    /// When an agent last did something.
    pub(super) fn last_seen(&self, agent: &str) -> Option<Instant> {
        let beginning = format!("agent-a{agent}-");
        let is_its = |path: &Path| path.file_name().is_some_and(|it| it.to_string_lossy().starts_with(&beginning));
        self.grown.iter().filter(|it| is_its(it.0)).map(|it| *it.1).max()
    }

    /// Tokens by model, and what they cost; none where a price is not known.
    pub(super) fn used(&self, prices: &Prices) -> Option<Vec<(Usage, Usd)>> {
        let mut models: IndexMap<&str, Usage> = IndexMap::new();
        for it in self.answers.values() {
            let all = models.entry(&it.model).or_insert_with(|| Usage { model: it.model.clone(), ..Usage::default() });
            all.input += it.input;
            all.output += it.output;
            all.cache_read += it.cache_read;
            all.cache_write += it.cache_write;
        }
        models.into_values().map(|usage| prices.cost(&usage).ok().map(|cost| (usage, cost))).collect()
    }

    /// What `agents` of them, lead included, may cost before the next look ends them: an answer that is under way, and one more.
    pub(super) fn reserve(&self, purse: &Purse, model: &str, agents: usize) -> Option<Usd> {
        let known = self.last.values().map(|(model, context)| purse.dearest(model, *context));
        let new = (self.last.len()..agents).map(|_| purse.dearest(model, FIRST_CONTEXT));
        let once: Option<Usd> = known.chain(new).sum();
        once.map(|it| it + it)
    }
}

/// The whole lines of a file from a place on, and where they end.
fn added(path: &Path, from: u64) -> Option<(String, u64)> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).ok()?;
    let end = bytes.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    bytes.truncate(end);
    Some((String::from_utf8_lossy(&bytes).into_owned(), from + end as u64))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn answer(id: &str, output: u64) -> String {
        format!(
            "{{\"type\":\"assistant\",\"message\":{{\"id\":\"{id}\",\"model\":\"m-1\",\"usage\":{{\"input_tokens\":100,\"output_tokens\":{output}}}}}}}\n"
        )
    }

    #[test]
    fn answers_count_once_whoever_gave_them_and_however_often_they_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let agents = folder.path().join("projects/-work/s-1/subagents");
        fs::create_dir_all(&agents).expect("a folder");
        let lead = folder.path().join("projects/-work/s-1.jsonl");
        fs::write(&lead, answer("a", 5) + &answer("a", 20) + "{\"type\":\"assistant\",\"mess").expect("a file");
        fs::write(agents.join("agent-aone-1234.jsonl"), answer("b", 30)).expect("a file");
        fs::write(folder.path().join("projects/-work/s-2.jsonl"), answer("c", 900)).expect("a file");
        let mut books = Books::new(folder.path(), "s-1");
        books.look();
        assert!(books.last_seen("one").is_some() && books.last_seen("two").is_none());
        let table = "[prices.\"m-1\"]\ninput = 1\noutput = 2\n";
        let prices = crate::settings::parse("treaty.toml", table).expect("fits").prices;
        assert_eq!(books.used(&prices).map(|it| it.iter().map(|it| it.1).sum()), Some(Usd(200 + 100)));
        let mut file = fs::OpenOptions::new().append(true).open(&lead).expect("a file");
        file.write_all(b"age\": 1}\n").expect("written");
        file.write_all(answer("d", 10).as_bytes()).expect("written");
        file.write_all(b"{\"type\":\"assistant\",\"isApiErrorMessage\":true,\"message\":{\"id\":\"e\",\"model\":\"<synthetic>\",\"content\":[{\"text\":\"API Error: 401\"}]}}\n").expect("written");
        books.look();
        assert_eq!(books.used(&prices).map(|it| it.iter().map(|it| it.1).sum()), Some(Usd(300 + 120)));
        assert_eq!(books.error.as_deref(), Some("API Error: 401"));
        assert!(books.used(&Prices::default()).is_none(), "the price is not known");
    }
}
