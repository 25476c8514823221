//! What Claude Code says while it works (`--output-format stream-json --verbose --include-hook-events
//! --include-partial-messages`; measured of 2.1.197 and 2.1.330): one JSON object a line.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::Value;

use crate::ledger::{Prices, UnknownPrice, Usage, Usd};

/// Why a session is ended before it ends by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The provider does not take the key: status 401 or 403.
    Refused(u64),
    /// A limit that lasts: seconds until it is over.
    Limited(u64),
    /// The next answer could cost more than what is left.
    Allowance,
    /// An answer has tokens whose price is not known: no budget can be kept.
    Unpriced(UnknownPrice),
}

/// What may be spent.
#[derive(Clone, Debug)]
pub(in crate::orchestrate::executors) struct Purse {
    pub(super) prices: Prices,
    pub(super) allowance: Usd,
    /// Tokens of the longest answer.
    pub(super) max_output: u64,
}

/// Tokens that the results of tools may add to a request: the client keeps what is longer in files.
const MOST_ADDED: u64 = 30_000;
/// Seconds: a wait that the client announces and that is longer is taken over by the run.
const LONG_WAIT: u64 = 60;

impl Purse {
    /// The most that one more answer can cost, after one that had this much context.
    pub(in crate::orchestrate::executors) fn dearest(&self, model: &str, context: u64) -> Option<Usd> {
        Some(self.prices.of(model).ok()?.dearest(context + MOST_ADDED, self.max_output))
    }

    /// Whether one more answer may be asked for.
    pub(super) fn allows(&self, spent: Usd, model: &str, context: u64) -> bool {
        self.dearest(model, context).is_some_and(|next| spent + next <= self.allowance)
    }
}

/// The end of a turn, as the client tells it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ending {
    pub(super) is_error: bool,
    /// `completed`, `max_turns`, `budget_exhausted`, …
    pub(super) reason: String,
    /// Status of the provider's last answer, where that was an error.
    pub(super) status: Option<u64>,
    /// What the agent said last, or what went wrong.
    pub(super) text: String,
}

/// A session, as far as its stream has told.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// A line that has not ended yet.
    rest: Vec<u8>,
    purse: Option<Purse>,
    /// The client started, and with which version.
    pub(super) version: Option<String>,
    /// Our hook answered at the start of the session: our settings are in force.
    pub(super) has_hooks: bool,
    /// Servers that were not connected when the session began.
    pub(super) unconnected: Vec<String>,
    /// Tools that were refused, with what they were to do.
    pub(super) denials: Vec<String>,
    /// Files that were written, by their paths, and whether they are new.
    pub(super) written: IndexMap<String, bool>,
    /// Tokens by answer.
    answers: IndexMap<String, Usage>,
    /// The answer that is under way, by the agent that asked for it.
    under_way: BTreeMap<String, String>,
    /// The last total of each session, in dollars: it grows from turn to turn.
    totals: BTreeMap<String, f64>,
    /// Tokens by model, as the last result has them.
    by_model: Vec<(Usage, Option<Usd>)>,
    pub(super) ending: Option<Ending>,
    /// The last error of the provider that the client said it would try again after: status and seconds.
    pub(super) retry: Option<(u64, u64)>,
    pub(super) stop: Option<Stop>,
    /// Lines that are no JSON.
    pub(super) garbled: usize,
}

impl Session {
    pub(super) fn new(purse: Option<Purse>) -> Session {
        Session { purse, ..Session::default() }
    }

    /// Takes a piece of the stream. Says whether the session is to go on.
    pub(super) fn hear(&mut self, piece: &[u8]) -> bool {
        self.rest.extend_from_slice(piece);
        while let Some(end) = self.rest.iter().position(|it| *it == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.line(&line);
        }
        self.stop.is_none()
    }

    /// The stream has ended: what is left may be a last line without its end.
    pub(super) fn end(&mut self) {
        let line = std::mem::take(&mut self.rest);
        self.line(&line);
    }

    fn line(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            self.garbled += 1;
            return;
        };
        match text(&message, "type") {
            "system" => self.system(&message),
            "assistant" => {
                self.answer(&message["message"]);
                self.check();
            }
            "stream_event" => self.event(&message),
            "user" => self.tool_result(&message["tool_use_result"]),
            "rate_limit_event" => self.rate_limit(&message["rate_limit_info"]),
            "result" => self.result(&message),
            _ => {}
        }
    }

    fn system(&mut self, message: &Value) {
        match text(message, "subtype") {
            "init" => {
                self.version = Some(text(message, "claude_code_version").to_owned());
                let servers = message["mcp_servers"].as_array();
                let away = servers.into_iter().flatten().filter(|it| text(it, "status") != "connected");
                self.unconnected = away.map(|it| text(it, "name").to_owned()).collect();
            }
            "hook_response" if text(message, "hook_event") == "SessionStart" => {
                self.has_hooks |= message["exit_code"] == 0;
            }
            "permission_denied" => self.denied(message),
            "api_retry" => {
                let status = message["error_status"].as_u64().unwrap_or(0);
                let seconds = message["retry_delay_ms"].as_f64().unwrap_or(0.0) / 1000.0;
                let seconds = seconds.clamp(0.0, 1e9).ceil() as u64;
                self.retry = Some((status, seconds));
                match status {
                    401 | 403 => self.stop = Some(Stop::Refused(status)),
                    429 if seconds > LONG_WAIT => self.stop = Some(Stop::Limited(seconds)),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn denied(&mut self, it: &Value) {
        let input = &it["tool_input"];
        let about = ["file_path", "command", "path", "url"].iter().find_map(|key| input[*key].as_str());
        let told = match about {
            Some(about) => format!("{}: {}", text(it, "tool_name"), about.chars().take(200).collect::<String>()),
            None => text(it, "tool_name").to_owned(),
        };
        // The event names the tool, the result at the end what the tool was to do.
        let tool = text(it, "tool_name");
        self.denials.retain(|known| known != tool);
        let is_told = self.denials.iter().any(|known| *known == told || about.is_none() && known.starts_with(tool));
        if !is_told {
            self.denials.push(told);
        }
    }

    /// An event of an answer that is under way (the provider's own stream).
    fn event(&mut self, message: &Value) {
        let asker = text(message, "parent_tool_use_id").to_owned();
        let event = &message["event"];
        match text(event, "type") {
            "message_start" => {
                self.answer(&event["message"]);
                self.under_way.insert(asker, text(&event["message"], "id").to_owned());
            }
            "message_delta" => {
                let Some(id) = self.under_way.get(&asker) else { return };
                if let Some(known) = self.answers.get_mut(id) {
                    grow(known, &event["usage"]);
                }
            }
            "message_stop" => {
                self.under_way.remove(&asker);
                self.check();
            }
            _ => {}
        }
    }

    fn answer(&mut self, message: &Value) {
        let id = text(message, "id");
        // What the client says by itself, about an error, is no answer of a model.
        if text(message, "model").starts_with('<') {
            return;
        }
        let known = self.answers.entry(id.to_owned()).or_default();
        known.model = text(message, "model").to_owned();
        grow(known, &message["usage"]);
    }

    /// Ends the session where the next answer could pass the allowance.
    fn check(&mut self) {
        let Some(purse) = &self.purse else { return };
        // While an answer is under way, what was set aside for it is still there.
        if !self.under_way.is_empty() {
            return;
        }
        let Some(last) = self.answers.values().last() else { return };
        if let Err(unknown) = purse.prices.cost(last) {
            self.stop.get_or_insert(Stop::Unpriced(unknown));
            return;
        }
        let context = last.input + last.cache_read + last.cache_write + last.output;
        if !purse.allows(self.counted(&purse.prices), &last.model, context) {
            self.stop.get_or_insert(Stop::Allowance);
        }
    }

    fn tool_result(&mut self, it: &Value) {
        let kind = text(it, "type");
        let path = text(it, "filePath");
        if !path.is_empty() && !it["structuredPatch"].is_null() {
            let is_new = self.written.get(path).copied().unwrap_or(false) || kind == "create";
            self.written.insert(path.to_owned(), is_new);
        }
    }

    fn rate_limit(&mut self, it: &Value) {
        if text(it, "status") == "rejected" {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let now = now.map_or(0, |it| it.as_secs());
            let until = it["resetsAt"].as_u64().map_or(LONG_WAIT, |at| at.saturating_sub(now).max(1));
            self.stop = Some(Stop::Limited(until));
        }
    }

    fn result(&mut self, message: &Value) {
        let total = message["total_cost_usd"].as_f64().unwrap_or(0.0);
        self.totals.insert(text(message, "session_id").to_owned(), total);
        if let Some(models) = message["modelUsage"].as_object() {
            let count = |it: &Value, key: &str| it[key].as_u64().unwrap_or(0);
            let read = |(model, it): (&String, &Value)| {
                let usage = Usage {
                    model: model.clone(),
                    input: count(it, "inputTokens"),
                    output: count(it, "outputTokens"),
                    cache_read: count(it, "cacheReadInputTokens"),
                    cache_write: count(it, "cacheCreationInputTokens"),
                };
                (usage, it["costUSD"].as_f64().and_then(Usd::from_dollars))
            };
            self.by_model = models.iter().map(read).collect();
        }
        message["permission_denials"].as_array().into_iter().flatten().for_each(|it| self.denied(it));
        let errors = message["errors"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let said = [text(message, "result")].into_iter().chain(errors).filter(|it| !it.is_empty());
        self.ending = Some(Ending {
            is_error: message["is_error"] == true,
            reason: text(message, "terminal_reason").to_owned(),
            status: message["api_error_status"].as_u64(),
            text: said.collect::<Vec<_>>().join("; "),
        });
    }

    /// What the answers cost at least that were counted so far, by these prices.
    fn counted(&self, prices: &Prices) -> Usd {
        self.answers.values().map(|it| prices.least(it)).sum()
    }

    /// What was used, by model, and what it cost: by the prices of the configuration, else as the client says. None where
    /// nobody knows.
    pub(super) fn used(&self, prices: &Prices) -> Option<Vec<(Usage, Usd)>> {
        if self.ending.is_some() && !self.by_model.is_empty() {
            let cost = |(usage, said): &(Usage, Option<Usd>)| prices.cost(usage).ok().or(*said);
            return self.by_model.iter().map(|it| Some((it.0.clone(), cost(it)?))).collect();
        }
        if self.ending.is_some() {
            let total = Usd::from_dollars(self.totals.values().sum())?;
            return Some(if total.is_zero() { Vec::new() } else { vec![(Usage::default(), total)] });
        }
        let mut models: IndexMap<&str, Usage> = IndexMap::new();
        for it in self.answers.values() {
            let all = models.entry(&it.model).or_insert_with(|| Usage { model: it.model.clone(), ..Usage::default() });
            all.input += it.input;
            all.output += it.output;
            all.cache_read += it.cache_read;
            all.cache_write += it.cache_write;
        }
        // An answer that was cut costs what its tokens cost, which nobody has counted: it is taken for the longest.
        let cut = self.under_way.values().filter_map(|id| self.answers.get(id));
        for it in cut {
            if let Some(all) = models.get_mut(it.model.as_str()) {
                all.output += self.purse.as_ref().map_or(0, |purse| purse.max_output);
            }
        }
        models.into_values().map(|usage| prices.cost(&usage).ok().map(|cost| (usage, cost))).collect()
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or("")
}

/// Usage is told more than once for an answer, and never shrinks.
fn grow(known: &mut Usage, told: &Value) {
    let count = |key: &str| told[key].as_u64().unwrap_or(0);
    known.input = known.input.max(count("input_tokens"));
    known.output = known.output.max(count("output_tokens"));
    known.cache_read = known.cache_read.max(count("cache_read_input_tokens"));
    known.cache_write = known.cache_write.max(count("cache_creation_input_tokens"));
}
