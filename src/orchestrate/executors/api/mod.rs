//! A chat model over HTTP, in the two formats that servers understand, with a loop of our own: the model asks for tools, and gets
//! what they give, until it has nothing more to ask for. What it may write is what its task may change.

mod client;
mod tools;
mod wire;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use self::client::{Key, Missed, Server, Trouble};
use self::tools::{Failed, Tools};
pub use self::wire::answer_of;
use self::wire::{Answer, Given, Message, Question, Stop, Tokens};
use super::{Executor, Job, KEPT_OUTPUT};
use crate::events::{TaskResult, TaskStatus};
use crate::ledger::{Price, Prices, UnknownPrice, Usage, Usd};
use crate::orchestrate::briefs;
use crate::orchestrate::roles::{self, Role};
use crate::process::Cancel;
use crate::settings::{Api, ApiFormat};

/// Asks a model for each task.
#[derive(Clone, Debug)]
pub struct ApiExecutor {
    pub api: Api,
    /// The model that is asked.
    pub model: String,
    /// Variables that commands get beside the usual ones; the key is never one of them.
    pub environment: Vec<String>,
    pub prices: Prices,
}

/// Answers in a row that ask for tools in a form that is none; a model that does so knows no better.
const MAX_FORMLESS: u32 = 6;
/// The longest pause before a request is sent again; a longer one is cut to this.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// How often somebody looks whether a pause is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Tokens that servers add to a request by themselves: how tools are told to the model.
const ADDED: u64 = 2_000;
/// Contracts that the brief names.
const NAMED_CONTRACTS: usize = roles::MOST_CONTRACTS;

impl ApiExecutor {
    /// What is missing for a budget that holds.
    ///
    /// # Errors
    /// The model's price is not known.
    pub fn has_prices(&self) -> Result<(), UnknownPrice> {
        self.prices.of(&self.model).map(|_| ())
    }

    /// Why no model can be asked; nothing where one can.
    pub fn missing(&self) -> Option<String> {
        if self.model.is_empty() {
            return Some("no model is named: set `model` in [api] or [orchestrate]".to_owned());
        }
        self.key().err()
    }

    fn key(&self) -> Result<Option<Key>, String> {
        let Some(name) = &self.api.key_env else { return Ok(None) };
        match std::env::var(name) {
            Ok(key) if !key.trim().is_empty() => Ok(Some(Key(key.trim().to_owned()))),
            _ => Err(format!("the variable {name}, which `key-env` in [api] names, is not set")),
        }
    }

    /// Variables for commands of the model: without the key, whatever the settings pass on.
    fn passed(&self) -> Vec<String> {
        let is_key = |it: &String| self.api.key_env.as_ref() == Some(it);
        self.environment.iter().filter(|it| !is_key(it)).cloned().collect()
    }
}

impl Executor for ApiExecutor {
    fn name(&self) -> &'static str {
        "api"
    }

    fn mends(&self) -> bool {
        true
    }

    fn execute(&self, job: &Job<'_>, cancel: &Cancel) -> TaskResult {
        let mut result = TaskResult { task_id: job.task.id.clone(), ..TaskResult::default() };
        let price = self.prices.of(&self.model);
        if job.allowance.is_some()
            && let Err(error) = &price
        {
            return ended(result, End::Fatal(error.to_string()));
        }
        let key = match self.key() {
            Ok(key) => key,
            Err(why) => return ended(result, End::Fatal(why)),
        };
        let role = Role::of(job.task.kind);
        let commands: Vec<Vec<String>> = if role.runs() {
            self.api.commands.iter().map(|it| it.split_whitespace().map(str::to_owned).collect()).collect()
        } else {
            Vec::new()
        };
        let environment = self.passed();
        let until = Instant::now() + job.limits.time;
        let server = Server {
            address: wire::address(&self.api.url, self.api.format),
            format: self.api.format,
            key: key.clone(),
        };
        let mut talk = Talk {
            executor: self,
            job,
            server,
            price: price.ok(),
            until,
            cancel,
            spent: Usd::default(),
            used: Vec::new(),
            told: None,
            names_completion: false,
            log: Transcript::of(job, key.clone()),
            tokens_untold: false,
            unpriced: false,
        };
        let mut tools = Tools {
            job,
            commands: &commands,
            environment: &environment,
            until,
            cancel,
            created: std::collections::BTreeSet::new(),
            modified: std::collections::BTreeSet::new(),
            refused: std::collections::BTreeSet::new(),
        };
        let system = roles::brief(role, job, &[], NAMED_CONTRACTS);
        let (end, said) = talk.work(&system, &mut tools);
        // A server may say the key back.
        let said = key.as_ref().map_or_else(|| said.clone(), |key| key.hidden(&said));
        result.output = said.chars().take(KEPT_OUTPUT as usize).collect();
        result.files_created = tools.created.iter().cloned().collect();
        result.files_modified = tools.modified.difference(&tools.created).cloned().collect();
        result.remarks.extend(tools.refused.iter().map(|it| format!("refused to the model: writing {it}")));
        if talk.tokens_untold {
            result.remarks.push("the server does not tell tokens: what this attempt cost is not known".to_owned());
        } else if talk.unpriced || (talk.price.is_none() && !talk.used.is_empty()) {
            result.remarks.push(format!("what {} costs is not known", self.model));
        }
        result.cost_usd = talk.spent.dollars();
        result.used = talk.used;
        ended(result, end)
    }
}

/// How an attempt ended.
#[derive(Debug)]
enum End {
    Done,
    Failed(String),
    Fatal(String),
    Budget(String),
    Limited(Option<u64>, String),
    Timeout(String),
    Cancelled,
}

fn ended(mut result: TaskResult, end: End) -> TaskResult {
    let (status, error) = match end {
        End::Done => (TaskStatus::Completed, None),
        End::Failed(why) => (TaskStatus::Failed, Some(why)),
        End::Fatal(why) => {
            result.fatal = true;
            (TaskStatus::Failed, Some(why))
        }
        End::Budget(why) => (TaskStatus::Budget, Some(why)),
        End::Limited(seconds, why) => {
            result.retry_after = seconds;
            (TaskStatus::RateLimited, Some(why))
        }
        End::Timeout(why) => (TaskStatus::Timeout, Some(why)),
        End::Cancelled => (TaskStatus::Cancelled, None),
    };
    result.status = status;
    result.error = error;
    result
}

/// The conversation about one task.
struct Talk<'t> {
    executor: &'t ApiExecutor,
    job: &'t Job<'t>,
    server: Server,
    price: Option<Price>,
    until: Instant,
    cancel: &'t Cancel,
    spent: Usd,
    used: Vec<(Usage, Usd)>,
    /// Tokens of the conversation after the last answer, and bytes of the request that it answered.
    told: Option<(u64, usize)>,
    names_completion: bool,
    log: Transcript,
    tokens_untold: bool,
    /// The server kept something for a price that is not known.
    unpriced: bool,
}

impl Talk<'_> {
    /// Asks until the model is done. Gives how the attempt ended, and what the model said last.
    fn work(&mut self, system: &str, tools: &mut Tools<'_>) -> (End, String) {
        let described = tools.described();
        let mut messages = vec![Message::User(briefs::prompt(self.job))];
        let (mut said, mut formless) = (String::new(), 0);
        let turns = self.executor.api.turns;
        for turn in 1..=turns {
            let answer = match self.answer(system, &messages, &described) {
                Ok(answer) => answer,
                Err(end) => return (end, said),
            };
            if !answer.text.is_empty() {
                said.clone_from(&answer.text);
            }
            match answer.stop {
                Stop::Refused => return (End::Failed(format!("the model does not answer: {}", answer.text)), said),
                Stop::Length => {
                    // What was cut last may be half a call.
                    let mut answer = answer;
                    answer.without_calls();
                    messages.push(Message::Answer(answer));
                    let longest = self.executor.api.max_tokens;
                    messages.push(Message::User(format!(
                        "Your answer was cut: it may have {longest} tokens. Go on in smaller steps, such as one file an answer."
                    )));
                }
                Stop::End if answer.calls.is_empty() => return (End::Done, said),
                Stop::End => {
                    let (given, is_formless) = self.use_tools(&answer, tools);
                    formless = if is_formless { formless + 1 } else { 0 };
                    if formless >= MAX_FORMLESS {
                        let why =
                            format!("the model asked for tools in a form that is none, {MAX_FORMLESS} times in a row");
                        return (End::Failed(why), said);
                    }
                    if self.cancel.is_wanted() {
                        return (End::Cancelled, said);
                    }
                    let left = turns - turn;
                    let note = (left > 0 && left <= 3).then(|| format!("{left} answers are left: come to an end."));
                    messages.push(Message::Answer(answer));
                    messages.push(Message::Results(given, note));
                }
            }
        }
        (End::Failed(format!("the model came to no end in {turns} answers")), said)
    }

    /// Does what an answer asks for. Says whether nothing of it was asked for in a form that is one.
    fn use_tools(&mut self, answer: &Answer, tools: &mut Tools<'_>) -> (Vec<Given>, bool) {
        let mut is_formless = true;
        let mut given = Vec::with_capacity(answer.calls.len());
        for call in &answer.calls {
            if self.cancel.is_wanted() {
                break;
            }
            let (text, is_error) = match tools.answer(call) {
                Ok(text) => {
                    is_formless = false;
                    (text, false)
                }
                Err(Failed::Said(why)) => {
                    is_formless = false;
                    (why, true)
                }
                Err(Failed::Form(why)) => (why, true),
            };
            self.log.write(&json!({"tool": call.name, "error": is_error, "gave": text}));
            given.push(Given { id: call.id.clone(), text, is_error });
        }
        (given, is_formless)
    }

    /// One answer, however often it has to be asked for.
    fn answer(&mut self, system: &str, messages: &[Message], tools: &[wire::Described]) -> Result<Answer, End> {
        let api = &self.executor.api;
        // What is kept has prices of its own: without them the cost would be a guess.
        let has_prices = self.price.is_none_or(|it| it.cache_read > 0.0 && it.cache_write > 0.0);
        let mut tries = 0;
        loop {
            let question = Question {
                model: &self.executor.model,
                max_tokens: api.max_tokens,
                system,
                messages,
                tools,
                cached: api.format == ApiFormat::Messages && has_prices,
                names_completion: self.names_completion,
            };
            let body = question.body(api.format).to_string();
            let size = body.len();
            let context = self.context(size);
            if let Some(allowance) = self.job.allowance {
                let next = self.dearest(context);
                if self.spent + next > allowance {
                    return Err(End::Budget(format!(
                        "stopped before an answer that could cost {next}: {} of the allowance of {allowance} are spent",
                        self.spent
                    )));
                }
            }
            self.log.write(&json!({"asked": self.server.address, "bytes": size, "messages": messages.len()}));
            let missed = match self.server.ask(body, self.job.limits, self.until, self.cancel) {
                Ok(answer) => {
                    self.count(answer.tokens, context, size);
                    let calls: Vec<Value> = answer
                        .calls
                        .iter()
                        .map(|it| json!({"name": it.name, "arguments": it.arguments.as_ref().ok()}))
                        .collect();
                    self.log
                        .write(&json!({"answer": answer.text, "calls": calls, "stop": format!("{:?}", answer.stop)}));
                    if self.tokens_untold && self.job.allowance.is_some() {
                        return Err(End::Fatal(
                            "the server does not tell tokens: no budget can be kept with it".to_owned(),
                        ));
                    }
                    if self.unpriced && self.job.allowance.is_some() {
                        let model = &self.executor.model;
                        return Err(End::Fatal(format!(
                            "the server keeps what it reads, and what that costs is not known: add `cache-write` to [prices.\"{model}\"]"
                        )));
                    }
                    return Ok(answer);
                }
                Err(missed) => missed,
            };
            self.log.write(&json!({"missed": format!("{:?}", missed.trouble)}));
            let pause = self.trouble(missed, context, tries)?;
            tries += 1;
            let over = Instant::now() + pause;
            while Instant::now() < over {
                if self.cancel.is_wanted() {
                    return Err(End::Cancelled);
                }
                if Instant::now() >= self.until {
                    let limit = self.job.limits.time.as_secs();
                    return Err(End::Timeout(format!("the attempt took longer than {limit} s")));
                }
                thread::sleep(LOOK);
            }
        }
    }

    /// What becomes of a request without an answer: how long to wait before it is sent again.
    fn trouble(&mut self, missed: Missed, context: u64, tries: u32) -> Result<Duration, End> {
        let Missed { trouble, may_cost, tokens } = missed;
        if may_cost && !matches!(trouble, Trouble::Fatal(_) | Trouble::Refused(_) | Trouble::Limited(..)) {
            // What was begun may be charged: at most this.
            let tokens =
                Tokens { input: tokens.input.or(Some(context)), output: Some(self.executor.api.max_tokens), ..tokens };
            self.charge(tokens);
        }
        let hidden = |text: String| self.server.key.as_ref().map_or_else(|| text.clone(), |key| key.hidden(&text));
        match trouble {
            Trouble::Fatal(why) => Err(End::Fatal(hidden(why))),
            Trouble::Limited(seconds, why) => Err(End::Limited(seconds, hidden(why))),
            Trouble::Timeout(why) => Err(End::Timeout(hidden(why))),
            Trouble::Cancelled => Err(End::Cancelled),
            // Models of one server want the longest answer under another name than those of others.
            Trouble::Refused(why) if !self.names_completion && why.contains("max_completion_tokens") => {
                self.names_completion = true;
                Ok(Duration::ZERO)
            }
            Trouble::Refused(why) => Err(End::Failed(format!("the server does not take the request: {}", hidden(why)))),
            Trouble::Unable(_, why) if tries >= self.executor.api.retries => {
                Err(End::Failed(format!("no answer after {} requests: {}", tries + 1, hidden(why))))
            }
            Trouble::Unable(seconds, _) => {
                let growing = Duration::from_millis(500).saturating_mul(2_u32.saturating_pow(tries));
                Ok(seconds.map_or(growing, Duration::from_secs).min(MAX_PAUSE))
            }
        }
    }

    /// Tokens that a request of this size has at most: a token is a byte at least.
    fn context(&self, size: usize) -> u64 {
        let fresh = |bytes: usize| bytes as u64 + ADDED;
        match self.told {
            Some((tokens, before)) => (tokens + fresh(size.saturating_sub(before))).min(fresh(size)),
            None => fresh(size),
        }
    }

    fn dearest(&self, context: u64) -> Usd {
        let Some(price) = self.price else { return Usd::default() };
        let input = price.input.max(price.cache_write).max(price.cache_read);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53 tokens")]
        let millionths = context as f64 * input + self.executor.api.max_tokens as f64 * price.output;
        Usd(millionths.max(0.0).ceil() as u64)
    }

    fn count(&mut self, tokens: Tokens, context: u64, size: usize) {
        if !tokens.is_told() {
            self.tokens_untold = true;
            // Whatever it was, it was not more.
            if self.job.allowance.is_some() {
                self.charge(Tokens { input: Some(context), output: Some(self.executor.api.max_tokens), ..tokens });
            }
            return;
        }
        let all = tokens.input.unwrap_or(0) + tokens.cache_read + tokens.cache_write + tokens.output.unwrap_or(0);
        self.told = Some((all, size));
        self.charge(tokens);
    }

    fn charge(&mut self, tokens: Tokens) {
        let usage = Usage {
            model: self.executor.model.clone(),
            input: tokens.input.unwrap_or(0),
            output: tokens.output.unwrap_or(0),
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
        };
        let mut charged = usage.clone();
        if let Some(price) = self.price {
            // Nobody takes more for what was kept than for what is read anew, but may take more for keeping it.
            if price.cache_read <= 0.0 {
                charged.input += std::mem::take(&mut charged.cache_read);
            }
            self.unpriced |= usage.cache_write > 0 && price.cache_write <= 0.0 && price.input > 0.0;
        }
        let cost = self.executor.prices.cost(&charged).unwrap_or_default();
        self.spent += cost;
        self.used.push((usage, cost));
    }
}

/// The log of an attempt: one JSON object a line, without the key.
struct Transcript {
    file: Option<std::fs::File>,
    key: Option<Key>,
}

impl Transcript {
    fn of(job: &Job<'_>, key: Option<Key>) -> Transcript {
        Transcript { file: OpenOptions::new().create(true).append(true).open(job.log).ok(), key }
    }

    fn write(&mut self, line: &Value) {
        let Some(file) = &mut self.file else { return };
        let text = line.to_string();
        let text = self.key.as_ref().map_or_else(|| text.clone(), |key| key.hidden(&text));
        // A log that cannot be written is no reason to stop: the events are kept elsewhere.
        let _ = writeln!(file, "{text}");
    }
}
