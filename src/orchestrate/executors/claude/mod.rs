//! Claude Code: one session without a terminal for each task (`claude -p`). What a session made of its task is told by its exit code,
//! `is_error` and `terminal_reason`, never by `subtype`; the runner judges the files all the same.

mod stream;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

pub(super) use stream::Purse;
use stream::{Session, Stop};

use super::{Executor, Job, KEPT_OUTPUT};
use crate::events::{TaskResult, TaskStatus};
use crate::hook;
use crate::ledger::{Prices, UnknownPrice, Usd};
use crate::mcp::Server;
use crate::orchestrate::briefs;
use crate::orchestrate::harness::{self, Harness, Permissions};
use crate::orchestrate::roles::Role;
use crate::plan::Scope;
use crate::process::{Cancel, Ended, Limits, command, run, run_heard, tail};

/// Starts the client for each task.
#[derive(Clone, Debug, Default)]
pub struct ClaudeExecutor {
    /// Path or name of the client: `claude`.
    pub command: String,
    /// Empty: the client's own choice.
    pub model: String,
    pub max_turns: u32,
    /// Tokens of the longest answer.
    pub max_output: u64,
    /// It may search the web.
    pub searches: bool,
    /// Commands that an agent may run, by their beginnings: `npm test`.
    pub commands: Vec<String>,
    /// Variables that the client gets beside the usual ones.
    pub environment: Vec<String>,
    pub prices: Prices,
}

/// Variables that lead the client to its provider.
const PROVIDER: [&str; 18] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CONFIG_DIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "IS_SANDBOX",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "XDG_CONFIG_HOME",
];

/// Tokens of a session's first request that are not the prompt: the client's own instructions, tools, our brief.
pub(super) const FIRST_CONTEXT: u64 = 40_000;
/// Bytes of a prompt for a token, at least.
const BYTES_A_TOKEN: u64 = 2;
/// The client's own tool that searches the web.
const SEARCH: &str = "WebSearch";
/// How long the client may take to say which version it is.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

impl ClaudeExecutor {
    /// Why the client cannot be used here; nothing where it can.
    pub fn missing(&self) -> Option<String> {
        let folder = std::env::temp_dir();
        let log = folder.join(format!("treaty-{}.log", uuid::Uuid::new_v4().simple()));
        let mut asked = command(&self.command, &folder, &self.variables());
        asked.arg("--version");
        let limits = Limits { time: VERSION_LIMIT, idle: VERSION_LIMIT };
        let ended = run(asked, &log, limits, &Cancel::default());
        let said = tail(&log, 400);
        let _ = fs::remove_file(log);
        match ended {
            Ok(Ended::Exited(status)) if status.success() => None,
            Ok(Ended::Exited(status)) => {
                Some(format!("`{} --version` ended with {status}: {}", self.command, said.trim()))
            }
            Ok(_) => Some(format!("`{} --version` did not answer in {} s", self.command, VERSION_LIMIT.as_secs())),
            Err(error) => Some(format!("`{}` could not be started: {error}", self.command)),
        }
    }

    /// What is missing for a budget that holds.
    ///
    /// # Errors
    /// A price of the model is not known, one for what the client has the provider keep included, or no model is named.
    pub fn has_prices(&self) -> Result<(), UnknownPrice> {
        self.prices.know_all_of(&self.model)
    }

    pub(super) fn variables(&self) -> Vec<String> {
        PROVIDER.iter().map(|it| (*it).to_owned()).chain(self.environment.iter().cloned()).collect()
    }

    fn arguments(&self, job: &Job<'_>, role: Role, servers: &Path) -> Vec<OsString> {
        let mut all: Vec<OsString> = [
            "-p",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-hook-events",
            "--include-partial-messages",
            "--permission-mode",
            "dontAsk",
            "--strict-mcp-config",
            "--mcp-config",
        ]
        .into_iter()
        .map(OsString::from)
        .collect();
        all.push(servers.into());
        let mut tools = vec!["Read", "Edit", "Write"];
        tools.extend((role.runs() && !self.commands.is_empty()).then_some("Bash"));
        tools.extend(self.searches.then_some(SEARCH));
        all.extend(["--tools".into(), tools.join(",").into()]);
        all.extend(["--max-turns".into(), self.max_turns.to_string().into()]);
        if !self.model.is_empty() {
            all.extend(["--model".into(), self.model.as_str().into()]);
        }
        if let Some(allowance) = job.allowance {
            // The client's own cap is a soft one, and comes after ours.
            all.extend(["--max-budget-usd".into(), format!("{:.6}", allowance.dollars()).into()]);
        }
        all
    }

    pub(super) fn permissions(&self, scope: &Scope, role: Role, servers: &[Server]) -> Permissions {
        let rules = |patterns: &[String]| -> Vec<String> {
            let rule = |it: &String| {
                let it = it.trim_end_matches('/');
                // A pattern that names a folder stands for everything in it.
                let below = (!it.ends_with("**")).then(|| format!("Edit(./{it}/**)"));
                [Some(format!("Edit(./{it})")), below].into_iter().flatten()
            };
            patterns.iter().flat_map(rule).collect()
        };
        let mut allow = vec!["Read(./**)".to_owned()];
        if role.edits() {
            allow.extend(rules(&scope.allowed));
        }
        if role.runs() {
            allow.extend(self.commands.iter().map(|it| format!("Bash({it}:*)")));
        }
        allow.extend(self.searches.then(|| SEARCH.to_owned()));
        allow.extend(servers.iter().map(|it| format!("mcp__{}", it.key())));
        Permissions { allow, deny: rules(&scope.forbidden) }
    }

    fn purse(&self, job: &Job<'_>) -> Option<Purse> {
        Some(self.purse_of(job.allowance?))
    }

    pub(super) fn purse_of(&self, allowance: Usd) -> Purse {
        Purse { prices: self.prices.clone(), allowance, max_output: self.max_output }
    }
}

impl Executor for ClaudeExecutor {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn mends(&self) -> bool {
        true
    }

    fn execute(&self, job: &Job<'_>, cancel: &Cancel) -> TaskResult {
        let mut result = TaskResult { task_id: job.task.id.clone(), ..TaskResult::default() };
        match self.session(job, cancel, &mut result) {
            Ok((ended, session)) => self.tell(job, &ended, &session, &mut result),
            Err(why) => fail(&mut result, why),
        }
        result
    }
}

fn fail(result: &mut TaskResult, why: String) {
    result.status = TaskStatus::Failed;
    result.error = Some(why);
}

impl ClaudeExecutor {
    fn session(&self, job: &Job<'_>, cancel: &Cancel, result: &mut TaskResult) -> Result<(Ended, Session), String> {
        let role = Role::of(job.task.kind);
        let prompt = briefs::prompt(job);
        let purse = self.purse(job);
        if let Some(purse) = &purse {
            if let Err(error) = self.has_prices() {
                result.fatal = true;
                return Err(error.to_string());
            }
            let context = FIRST_CONTEXT + prompt.len() as u64 / BYTES_A_TOKEN;
            if !purse.allows(Usd::default(), &self.model, context) {
                let mut session = Session::new(None);
                session.stop = Some(Stop::Allowance);
                return Ok((Ended::Enough, session));
            }
        }
        let file = job.log.with_file_name("prompt.md");
        let told = |what: &Path| {
            let what = what.display().to_string();
            move |error: std::io::Error| format!("{what}: {error}")
        };
        fs::write(&file, prompt).map_err(told(&file))?;
        let servers = job.log.with_file_name("mcp.json");
        let text = harness::servers(job, &Server::EACH).to_string();
        fs::write(&servers, text).map_err(told(&servers))?;
        let permissions = self.permissions(&job.task.scope, role, &Server::EACH);
        // Taken back when the session has ended.
        let _harness = Harness::place(job, role, &Server::EACH, &permissions)?;
        let mut client = command(&self.command, job.worktree, &self.variables());
        let servers = std::path::absolute(&servers).map_err(told(&servers))?;
        client.args(self.arguments(job, role, &servers));
        client.stdin(fs::File::open(&file).map_err(told(&file))?);
        client.env(hook::TASK, &job.task.id).env("TREATY_ATTEMPT", job.attempt.to_string()).env("TREATY_RUN", job.run);
        client.env("CLAUDE_CODE_MAX_OUTPUT_TOKENS", self.max_output.to_string());
        client.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1").env("DISABLE_AUTOUPDATER", "1");
        if let Some(gate) = job.gate() {
            client.env(hook::GATE, std::path::absolute(&gate).unwrap_or(gate));
        }
        let mut session = Session::new(purse);
        let errors = job.log.with_file_name("errors.log");
        let ended = run_heard(client, job.log, &errors, job.limits, cancel, &mut |piece| session.hear(piece));
        session.end();
        without_partial(job.log);
        let ended = ended.map_err(|error| format!("`{}` could not be started: {error}", self.command))?;
        Ok((ended, session))
    }

    /// What a session comes to.
    fn tell(&self, job: &Job<'_>, ended: &Ended, session: &Session, result: &mut TaskResult) {
        match session.used(&self.prices) {
            Some(used) => result.used = used,
            // With an allowance prices are known; a session that ended before its first answer has used nothing.
            None => result.remarks.push("what this attempt cost is not known".to_owned()),
        }
        #[expect(clippy::cast_precision_loss, reason = "for reports")]
        let cost = result.used.iter().map(|it| it.1.0).sum::<u64>() as f64 / 1e6;
        result.cost_usd = cost;
        for (path, is_new) in &session.written {
            let path = Path::new(path);
            let path = path.strip_prefix(job.worktree).unwrap_or(path).display().to_string();
            if *is_new { &mut result.files_created } else { &mut result.files_modified }.push(path);
        }
        if session.version.is_some() && !session.has_hooks {
            result.remarks.push("the session ran without our hooks: none answered at its start".to_owned());
        }
        result.remarks.extend(session.unconnected.iter().map(|it| format!("the server {it} was not connected")));
        result.remarks.extend(session.denials.iter().map(|it| format!("refused to the agent: {it}")));
        if session.garbled > 0 {
            result.remarks.push(format!("{} lines of the stream were no JSON", session.garbled));
        }
        let ending = session.ending.clone().unwrap_or_default();
        result.output = ending.text.chars().take(KEPT_OUTPUT as usize).collect();
        let (status, error) = self.verdict(job, ended, session, result);
        result.status = status;
        result.error = error;
    }

    fn verdict(
        &self,
        job: &Job<'_>,
        ended: &Ended,
        session: &Session,
        result: &mut TaskResult,
    ) -> (TaskStatus, Option<String>) {
        let refused = |result: &mut TaskResult, status: u64| {
            result.fatal = true;
            let way = "log the client in (`claude`), or set ANTHROPIC_API_KEY";
            (TaskStatus::Failed, Some(format!("the provider refuses the key ({status}): {way}")))
        };
        match &session.stop {
            Some(Stop::Refused(status)) => return refused(result, *status),
            Some(Stop::Limited(seconds)) => {
                result.retry_after = Some(*seconds);
                return (TaskStatus::RateLimited, Some(format!("a limit of the provider, for {seconds} s")));
            }
            Some(Stop::Unpriced(unknown)) => {
                result.fatal = true;
                return (TaskStatus::Failed, Some(unknown.to_string()));
            }
            Some(Stop::Allowance) => {
                let allowance = job.allowance.unwrap_or_default();
                let why = format!("stopped before an answer that could cost more than the allowance of {allowance}");
                return (TaskStatus::Budget, Some(why));
            }
            None => {}
        }
        match ended {
            Ended::Cancelled => return (TaskStatus::Cancelled, None),
            Ended::TimedOut => {
                let limit = job.limits.time.as_secs();
                return (TaskStatus::Timeout, Some(format!("the session ran longer than {limit} s")));
            }
            Ended::Idle => {
                let limit = job.limits.idle.as_secs();
                return (TaskStatus::Timeout, Some(format!("the session said nothing for {limit} s")));
            }
            Ended::Enough | Ended::Exited(_) => {}
        }
        let exit = match ended {
            Ended::Exited(status) => Some(*status),
            _ => None,
        };
        let Some(ending) = &session.ending else {
            let last = tail(&job.log.with_file_name("errors.log"), 400);
            let said = if last.trim().is_empty() { String::new() } else { format!(": {}", last.trim()) };
            let with = exit.map(|it| format!(" with {it}")).unwrap_or_default();
            return (TaskStatus::Failed, Some(format!("the client ended{with} and gave no result{said}")));
        };
        let told = |what: &str| {
            Some(if ending.text.is_empty() { what.to_owned() } else { format!("{what}: {}", ending.text) })
        };
        match ending.status {
            Some(status @ (401 | 403)) => return refused(result, status),
            Some(429) if ending.is_error => {
                result.retry_after = session.retry.map(|it| it.1).filter(|it| *it > 0);
                return (TaskStatus::RateLimited, told("a limit of the provider"));
            }
            _ => {}
        }
        let exited_well = exit.is_some_and(|it| it.success());
        match (ending.reason.as_str(), ending.is_error || !exited_well) {
            ("budget_exhausted", _) => (TaskStatus::Budget, told("the client's own cap was reached")),
            (_, false) => (TaskStatus::Completed, None),
            ("max_turns", true) => {
                (TaskStatus::Failed, Some(format!("the session did not end in {} turns", self.max_turns)))
            }
            (reason, true) => {
                let reason = if reason.is_empty() { "an error" } else { reason };
                (TaskStatus::Failed, told(&format!("the session ended with {reason}")))
            }
        }
    }
}

/// Takes the pieces of answers out of a log: the whole answers follow them.
fn without_partial(log: &Path) {
    let Ok(text) = fs::read(log) else { return };
    let lines = text.split_inclusive(|it| *it == b'\n');
    let kept: Vec<u8> = lines.filter(|it| !it.starts_with(b"{\"type\":\"stream_event\"")).flatten().copied().collect();
    if kept.len() < text.len() {
        let _ = fs::write(log, kept);
    }
}
