//! Any other agent on the command line, by a template: `codex exec --cd {worktree} < {prompt_file}`.

use std::fs;

use serde_json::Value;

use super::{Executor, Job, KEPT_OUTPUT};
use crate::events::{TaskResult, TaskStatus};
use crate::hook;
use crate::ledger::{Usage, Usd};
use crate::orchestrate::briefs;
use crate::process::{Cancel, Ended, command, run, shell_word, tail};

/// Runs a command for each task. It is given to a shell, with `{prompt_file}`, `{worktree}` and `{model}` filled in.
#[derive(Clone, Debug)]
pub struct CommandExecutor {
    pub template: String,
    pub model: String,
    /// JSON pointer (RFC 6901) to the cost in dollars, in the last line of the output that is JSON.
    pub cost_pointer: Option<String>,
    /// Variables that the command gets beside the usual ones.
    pub environment: Vec<String>,
}

impl Executor for CommandExecutor {
    fn name(&self) -> &'static str {
        "command"
    }

    fn mends(&self) -> bool {
        true
    }

    fn execute(&self, job: &Job<'_>, cancel: &Cancel) -> TaskResult {
        let mut result = TaskResult { task_id: job.task.id.clone(), ..TaskResult::default() };
        let prompt = job.log.with_extension("prompt.md");
        if let Err(error) = fs::write(&prompt, briefs::prompt(job)) {
            return failed(result, format!("the prompt cannot be written: {error}"));
        }
        let fill = |text: &str| {
            text.replace("{prompt_file}", &shell_word(&prompt.to_string_lossy()))
                .replace("{worktree}", &shell_word(&job.worktree.to_string_lossy()))
                .replace("{model}", &shell_word(&self.model))
        };
        let mut shell = command("sh", job.worktree, &self.environment);
        shell.arg("-c").arg(fill(&self.template));
        shell
            .env("TREATY_TASK", &job.task.id)
            .env("TREATY_ATTEMPT", job.attempt.to_string())
            .env("TREATY_RUN", job.run);
        if let Some(gate) = job.gate() {
            shell.env(hook::GATE, gate);
        }
        let ended = run(shell, job.log, job.limits, cancel);
        result.output = tail(job.log, KEPT_OUTPUT);
        if let Some(pointer) = &self.cost_pointer {
            match cost(&tail(job.log, 1 << 20), pointer) {
                Some(cost) => {
                    result.cost_usd = cost.dollars();
                    let usage = Usage { model: self.model.clone(), ..Usage::default() };
                    result.used.push((usage, cost));
                }
                None if job.allowance.is_some() => {
                    let error =
                        format!("the output has no cost at `{pointer}`, and a budget cannot be kept without one");
                    result.fatal = true;
                    return failed(result, error);
                }
                None => {}
            }
        }
        match ended {
            Ok(Ended::Exited(status)) if status.success() => result.status = TaskStatus::Completed,
            Ok(Ended::Exited(status)) => return failed(result, format!("the command ended with {status}")),
            Ok(Ended::TimedOut) => {
                result.status = TaskStatus::Timeout;
                result.error = Some(format!("the command ran longer than {} s", job.limits.time.as_secs()));
            }
            Ok(Ended::Idle) => {
                result.status = TaskStatus::Timeout;
                result.error = Some(format!("the command said nothing for {} s", job.limits.idle.as_secs()));
            }
            Ok(Ended::Cancelled | Ended::Enough) => result.status = TaskStatus::Cancelled,
            Err(error) => return failed(result, format!("the command could not be started: {error}")),
        }
        result
    }
}

fn failed(mut result: TaskResult, error: String) -> TaskResult {
    result.status = TaskStatus::Failed;
    result.error = Some(error);
    result
}

/// The cost that the last JSON of the output names.
fn cost(output: &str, pointer: &str) -> Option<Usd> {
    let whole = serde_json::from_str::<Value>(output.trim()).ok();
    let lines = output.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    whole.into_iter().chain(lines).find_map(|it| Usd::from_dollars(it.pointer(pointer)?.as_f64()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_is_that_of_the_last_json() {
        let output = "working\n{\"cost\": {\"total\": 0.1}}\n{\"cost\": {\"total\": 0.25}}\ndone\n";
        assert_eq!(cost(output, "/cost/total"), Some(Usd(250_000)));
        assert_eq!(cost(output, "/costs"), None);
    }
}
