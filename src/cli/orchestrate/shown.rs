//! What a person sees while a run works.

use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::failure::Failure;
use crate::events::{Depth, Event, GateVerdict, PhaseOutcome, Recorded, TaskStatus};
use crate::finding::Severity;
use crate::ledger::Usd;
use crate::orchestrate::executors::choose;
use crate::orchestrate::{Observer, RunSettings, State};
use crate::report::{count, visible};

/// Passes of a fix loop at each depth.
pub(super) fn fix_passes(depth: Depth) -> u32 {
    match depth {
        Depth::Quick => 0,
        Depth::Standard | Depth::Thorough => 1,
        Depth::Exhaustive => 2,
    }
}

/// Says what is about to happen, and asks where somebody is there to answer. Money is never spent unasked: without a terminal,
/// a run with a budget needs `--yes`.
pub(super) fn confirm(
    requirements: &str,
    backend: &str,
    budget: Option<Usd>,
    root: &Path,
    settings: &RunSettings,
) -> Result<(), Failure> {
    let choice = choose(backend, budget, &settings.executors)?;
    let here = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !here {
        return match budget {
            Some(budget) if choice.executor.mends() => {
                let message = format!("up to {budget} would be spent, and nobody is here to agree");
                Err(Failure::said(message, "add --yes"))
            }
            _ => Ok(()),
        };
    }
    let spent = budget.map_or_else(|| "nothing is spent".to_owned(), |it| format!("at most {it} are spent"));
    let mut err = std::io::stderr().lock();
    let words = requirements.split_whitespace().count();
    let _ = write!(
        err,
        "{} of requirements are built in {} by `{}` ({}); {spent}. Go on? [y/N] ",
        count(words, "word"),
        root.display(),
        choice.executor.name(),
        choice.reason
    );
    let _ = err.flush();
    let mut answer = String::new();
    let _ = std::io::stdin().lock().read_line(&mut answer);
    if ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
        Ok(())
    } else {
        Err(Failure::said("nothing was done", "`--plan-only` writes the plan first, `--yes` does not ask"))
    }
}

/// Shows a run on standard error: a line for what matters, and on a terminal a bar below.
pub(super) struct Watch {
    bar: Option<ProgressBar>,
    written: Mutex<()>,
    #[cfg(debug_assertions)]
    kill_after: Option<i64>,
}

impl Watch {
    pub(super) fn new(run: &str) -> Watch {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} tasks, {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        let watch = Watch {
            bar,
            written: Mutex::new(()),
            // A test ends the process after a number of events, as a power cut would.
            #[cfg(debug_assertions)]
            kill_after: std::env::var("TREATY_TEST_KILL_AFTER").ok().and_then(|it| it.parse().ok()),
        };
        watch.say(&format!("run {run}"));
        watch
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, line: &str) {
        let Ok(_one) = self.written.lock() else { return };
        match &self.bar {
            Some(bar) => bar.println(line),
            None => {
                // There is nobody left to tell when standard error is gone.
                let _ = writeln!(std::io::stderr().lock(), "{line}");
            }
        }
    }
}

impl Observer for Watch {
    fn event(&self, recorded: &Recorded, state: &State) {
        if let Some(line) = line(recorded, state) {
            self.say(&line);
        }
        if let Some(bar) = &self.bar {
            bar.set_length(state.tasks.len() as u64);
            bar.set_position(state.tasks.iter().filter(|it| it.is_settled()).count() as u64);
            bar.set_message(format!("{} spent", state.ledger.spent()));
        }
        #[cfg(all(debug_assertions, unix))]
        if self.kill_after.is_some_and(|it| recorded.seq >= it) {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        }
    }
}

/// An event as one line; none for those that only matter to programs.
pub(super) fn line(recorded: &Recorded, state: &State) -> Option<String> {
    let title = |id: &str| state.task(id).map(|it| visible(&it.task.title)).unwrap_or_default();
    Some(match &recorded.event {
        Event::BackendChosen { backend, reason, passed_over, .. } => {
            let others = if passed_over.is_empty() { String::new() } else { format!(" ({})", passed_over.join("; ")) };
            format!("backend {backend}: {reason}{others}")
        }
        Event::RunResumed { owner, .. } => format!("taken up again: {owner}"),
        Event::PhaseFinished { phase, outcome: PhaseOutcome::Skipped, note } => {
            format!("skipped {}: {note}", phase.title())
        }
        Event::PhaseFinished { phase, note, .. } if !note.is_empty() => format!("{}: {}", phase.title(), visible(note)),
        Event::Decomposed { warning: Some(why), .. } => format!("the own decomposition: {}", visible(why)),
        Event::Decomposed { warning: None, .. } => "decomposed by the architect".to_owned(),
        Event::ArtifactsRegistered { warning: Some(why), .. } => format!("  not registered: {}", visible(why)),
        Event::WaveStarted { wave } => format!("wave {}", wave + 1),
        Event::TaskStarted { task, attempt, .. } => {
            let again = if *attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
            format!("  {task} {}{again}", title(task))
        }
        Event::AttemptFinished { task, result, .. } if result.status != TaskStatus::Completed => {
            format!("  {task} did not finish: {}", visible(result.error.as_deref().unwrap_or("no reason given")))
        }
        Event::AttemptFinished { task, result, .. } if !result.remarks.is_empty() => {
            let remarks: Vec<String> = result.remarks.iter().take(3).map(|it| visible(it).into_owned()).collect();
            let more = result.remarks.len() - remarks.len();
            let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
            format!("  {task}: {}{rest}", remarks.join("; "))
        }
        Event::AttemptJudged { task, verdict, .. } => {
            let mut notes: Vec<String> = Vec::new();
            notes.extend(verdict.reasons.iter().take(3).map(|it| visible(it).into_owned()));
            if !verdict.outside.is_empty() {
                notes.push(format!("left out, outside of the scope: {}", visible(&verdict.outside.join(", "))));
            }
            let passed = verdict.gates.iter().filter(|it| it.verdict == GateVerdict::Pass).map(|it| it.gate.as_str());
            let passed: Vec<&str> = passed.collect();
            if !passed.is_empty() {
                notes.push(format!("{} passed", passed.join(", ")));
            }
            if notes.is_empty() {
                return None;
            }
            let word = if verdict.passed { "passes" } else { "does not pass" };
            format!("  {task} {word}: {}", notes.join("; "))
        }
        Event::PlanRefined { note, .. } => format!("  {}", visible(note)),
        Event::TaskMerged { task, .. } => format!("  {task} merged"),
        Event::MergeConflicted { task, files, .. } => format!("  {task} clashes in {}", visible(&files.join(", "))),
        Event::TaskFailed { task, reason } => format!("  {task} failed: {}", visible(reason)),
        Event::CouncilConvened { task, .. } => format!("  {task} is stuck: the council looks for the cause"),
        Event::CouncilSpoke { member, submission: Some(said), .. } if said.ranking.is_empty() => {
            format!("  {}: {}", member.name(), visible(&said.hypothesis))
        }
        Event::CouncilSpoke { member, submission: Some(said), .. } => {
            format!("  {} trusts the fix of {} most", member.name(), said.ranking[0].name())
        }
        Event::StageScanned { stage, outcome, .. } if outcome.skipped.is_empty() => {
            let errors = outcome.findings.iter().filter(|it| it.severity == Severity::Error).count();
            format!("stage {}: {}, {}", stage.name(), count(outcome.findings.len(), "finding"), count(errors, "error"))
        }
        Event::StageScanned { stage, outcome, .. } if outcome.crashed => {
            format!("stage {} broke down: {}", stage.name(), visible(&outcome.skipped))
        }
        Event::BudgetWarned { spent, cap } => format!("warning: {spent} of {cap} are spent"),
        Event::BudgetReached { spent, cap } => {
            format!("{spent} of {cap} are spent, and what is left does not suffice for another answer")
        }
        Event::Paused { until, reason } => format!("paused until {until}: {}", visible(reason)),
        Event::Continued => "continued".to_owned(),
        Event::Interrupted { reason } => format!("interrupted: {reason}"),
        Event::TaskRetried { task } => format!("{task} is tried once more"),
        _ => return None,
    })
}
