//! The conversation about one task: answers are asked for while there is money and time, and tools do what they ask for.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Missed, Server, Trouble};
use super::tools::{Failed, Tools};
use super::transcript::Transcript;
use super::wire::{self, Answer, Given, Message, Question, Stop, Tokens};
use super::{ApiExecutor, End};
use crate::ledger::{Price, UnknownPrice, Usage, Usd};
use crate::orchestrate::briefs;
use crate::orchestrate::executors::Job;
use crate::process::Cancel;
use crate::settings::ApiFormat;

/// Answers in a row that ask for tools in a form that is none; a model that does so knows no better.
const MAX_FORMLESS: u32 = 6;
/// The longest pause before a request is sent again; a longer one is cut to this.
const MAX_PAUSE: Duration = Duration::from_secs(30);
/// How often somebody looks whether a pause is to end.
const LOOK: Duration = Duration::from_millis(20);
/// Tokens that servers add to a request by themselves: how tools are told to the model.
const ADDED: u64 = 2_000;

/// The conversation about one task.
pub(super) struct Talk<'t> {
    pub(super) executor: &'t ApiExecutor,
    pub(super) job: &'t Job<'t>,
    pub(super) server: Server,
    pub(super) price: Option<Price>,
    pub(super) until: Instant,
    pub(super) cancel: &'t Cancel,
    pub(super) spent: Usd,
    pub(super) used: Vec<(Usage, Usd)>,
    /// Tokens of the conversation after the last answer, and bytes of the request that it answered.
    pub(super) told: Option<(u64, usize)>,
    pub(super) names_completion: bool,
    pub(super) log: Transcript,
    pub(super) tokens_untold: bool,
    /// The first answer with tokens whose price is not known.
    pub(super) unpriced: Option<UnknownPrice>,
}

impl Talk<'_> {
    /// Asks until the model is done. Gives how the attempt ended, and what the model said last.
    pub(super) fn work(&mut self, system: &str, tools: &mut Tools<'_>) -> (End, String) {
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
        // What is kept has a price of its own: without one the cost would be a guess.
        let prices = &self.executor.prices;
        let has_prices = self.price.is_none() || prices.know_all_of(&self.executor.model).is_ok();
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
                let next = self.price.map(|it| it.dearest(context, api.max_tokens)).unwrap_or_default();
                if self.spent + next > allowance {
                    return Err(End::Budget(format!(
                        "stopped before an answer that could cost {next}: {} of the allowance of {allowance} are spent",
                        self.spent
                    )));
                }
            }
            let at_most = self.usage(self.at_most(context));
            self.log.asked(&self.server.address, size, &at_most);
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
                    if let Some(unknown) = self.unpriced.as_ref().filter(|_| self.job.allowance.is_some()) {
                        return Err(End::Fatal(unknown.to_string()));
                    }
                    return Ok(answer);
                }
                Err(missed) => missed,
            };
            let line = json!({"missed": format!("{:?}", missed.trouble)});
            let pause = self.trouble(missed, context, tries);
            self.log.write(&line);
            let pause = pause?;
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
            let most = self.at_most(context);
            self.charge(Tokens { input: tokens.input.or(most.input), output: most.output, ..tokens });
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

    fn count(&mut self, tokens: Tokens, context: u64, size: usize) {
        if !tokens.is_told() {
            self.tokens_untold = true;
            // Whatever it was, it was not more.
            if self.job.allowance.is_some() {
                let most = self.at_most(context);
                self.charge(Tokens { input: most.input, output: most.output, ..tokens });
            }
            return;
        }
        let all = tokens.input.unwrap_or(0) + tokens.cache_read + tokens.cache_write + tokens.output.unwrap_or(0);
        self.told = Some((all, size));
        self.charge(tokens);
    }

    fn at_most(&self, context: u64) -> Tokens {
        Tokens { input: Some(context), output: Some(self.executor.api.max_tokens), ..Tokens::default() }
    }

    fn usage(&self, tokens: Tokens) -> Usage {
        Usage {
            model: self.executor.model.clone(),
            input: tokens.input.unwrap_or(0),
            output: tokens.output.unwrap_or(0),
            cache_read: tokens.cache_read,
            cache_write: tokens.cache_write,
        }
    }

    fn charge(&mut self, tokens: Tokens) {
        let usage = self.usage(tokens);
        self.log.charged(&usage);
        self.book(usage);
    }

    pub(super) fn book(&mut self, usage: Usage) {
        let prices = &self.executor.prices;
        let cost = prices.cost(&usage).unwrap_or_else(|unknown| {
            self.unpriced.get_or_insert(unknown);
            prices.least(&usage)
        });
        self.spent += cost;
        self.used.push((usage, cost));
    }
}
