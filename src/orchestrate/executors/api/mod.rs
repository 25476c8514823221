//! A chat model over HTTP, in the two formats that servers understand, with a loop of our own: the model asks for tools, and gets
//! what they give, until it has nothing more to ask for. What it may write is what its task may change.

mod client;
mod talk;
mod tools;
mod transcript;
mod waiting;
mod wire;

use std::collections::BTreeSet;
use std::time::Instant;

use self::client::{Key, Server};
use self::talk::Talk;
use self::tools::Tools;
use self::transcript::{Transcript, used_before};
pub use self::wire::answer_of;
use super::{Executor, Job, KEPT_OUTPUT};
use crate::events::{TaskResult, TaskStatus};
use crate::ledger::{Prices, UnknownPrice, Usd};
use crate::orchestrate::roles::{self, Role};
use crate::process::Cancel;
use crate::settings::Api;

/// Asks a model for each task.
#[derive(Clone, Debug)]
pub struct ApiExecutor {
    pub api: Api,
    /// The model that is asked.
    pub model: String,
    /// Variables that commands get beside the usual ones; the key is never one of them.
    pub environment: Vec<String>,
    pub prices: Prices,
    /// Whether the model may search the web, where the settings name a command for that.
    pub searches: bool,
}

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
        let search: Vec<String> = match &self.api.search {
            Some(line) if self.searches => line.split_whitespace().map(str::to_owned).collect(),
            _ => Vec::new(),
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
            log: Transcript::of(job.log, key.clone()),
            tokens_untold: false,
            unpriced: None,
        };
        // The answers of an attempt that was interrupted were paid for.
        let before = used_before(job.log);
        if !before.is_empty() {
            result.remarks.push(format!("{} answers from before an interruption are booked here", before.len()));
        }
        before.into_iter().for_each(|it| talk.book(it));
        let mut tools = Tools {
            job,
            commands: &commands,
            search: &search,
            environment: &environment,
            until,
            cancel,
            created: BTreeSet::new(),
            modified: BTreeSet::new(),
            refused: BTreeSet::new(),
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
        } else if let Some(unknown) = &talk.unpriced {
            result.remarks.push(unknown.to_string());
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
