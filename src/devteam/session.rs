//! A session: what happened in it, and where the work stands. Everything follows from its events.

use super::evaluate::{self, Verdict};
use super::records::{Checkpoint, Ended, Event, Limits, Model, Refused, Standing, Status, Work};
use super::table::{Stage, Step};
use crate::council::{Council, Submission};
use crate::events::GateResult;
use crate::ledger::Usd;
use crate::missions;

fn refused<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(why.into()))
}

/// Of the budget: a warning is given once when it is passed.
const WARNING_PERCENT: u64 = 80;

/// A session after some of its events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    pub id: String,
    pub command: String,
    pub command_type: String,
    pub is_eco: bool,
    pub status: Status,
    pub reason: String,
    pub limits: Limits,
    pub now: Standing,
    /// What the last evaluation came to.
    pub verdict: Option<Verdict>,
    pub ended: Vec<Ended>,
    pub checkpoints: Vec<Checkpoint>,
    pub escalations: Vec<(Model, Option<Model>, String)>,
    pub tokens_input: u64,
    pub tokens_output: u64,
    pub cost: Usd,
    pub budget: Option<Usd>,
    /// Somebody was told that most of the budget is spent.
    pub has_warned: bool,
    pub missions: missions::Run,
    pub created_at: String,
    pub updated_at: String,
}

impl Session {
    pub fn new(id: &str) -> Session {
        Session { id: id.to_owned(), ..Session::default() }
    }

    pub fn is_active(&self) -> bool {
        matches!(self.status, Status::Running | Status::Paused)
    }

    /// Takes an event that happened at a time (RFC 3339). A refused event changes nothing.
    ///
    /// # Errors
    /// The event cannot happen now; the message names the tool that comes first.
    pub fn accept(&mut self, event: &Event, at: &str) -> Result<(), Refused> {
        let mut after = self.clone();
        after.take(event, at)?;
        if after.created_at.is_empty() {
            after.created_at = at.to_owned();
        }
        after.updated_at = at.to_owned();
        *self = after;
        Ok(())
    }

    fn take(&mut self, event: &Event, at: &str) -> Result<(), Refused> {
        if let Event::SessionStarted { command, command_type, is_eco, limits, budget } = event {
            if self.status != Status::Initializing {
                return refused("the session has begun; `devteam_end_session` ends it");
            }
            self.command.clone_from(command);
            self.command_type.clone_from(command_type);
            (self.is_eco, self.limits, self.budget) = (*is_eco, limits.clone(), *budget);
            self.status = Status::Running;
            return Ok(());
        }
        match (self.status, event) {
            (Status::Running, _) | (Status::Paused, Event::SessionResumed {} | Event::SessionEnded { .. }) => {}
            (Status::Paused, _) => return refused("the session is paused; `devteam_start_task` takes it up"),
            _ => return refused("there is no active session; call `devteam_start_session` first"),
        }
        match event {
            Event::SessionStarted { .. } => Ok(()),
            Event::SessionResumed {} => {
                self.status = Status::Running;
                Ok(())
            }
            Event::TaskStarted { task, agent, model } => self.start(task, agent, *model),
            Event::CompletionReported { files, summary, trouble } => {
                self.step(Step::Report)?;
                let mut files = files.clone();
                files.sort();
                files.dedup();
                self.now.reported = Some((files, summary.clone()));
                self.now.trouble.clone_from(trouble);
                Ok(())
            }
            Event::Evaluated { gates } => self.evaluate(gates),
            Event::Escalated { to, reason } => self.escalate(*to, reason),
            Event::CouncilStarted {} => self.start_council(),
            Event::CouncilSubmitted { submission } => self.submit(submission.clone()),
            Event::WorkPlanned { plan } => {
                self.executing()?;
                self.now.plan.clone_from(plan);
                Ok(())
            }
            Event::WorkBegun { commit } => {
                self.executing()?;
                // What a killed process began is begun again, from the same files.
                self.now.begun.get_or_insert_with(|| commit.clone());
                Ok(())
            }
            Event::BudgetSet { budget } => {
                (self.budget, self.has_warned) = (Some(*budget), false);
                Ok(())
            }
            Event::BudgetWarned {} => {
                self.has_warned = true;
                Ok(())
            }
            Event::Missions { happened } => self.missions.take(happened).map_err(Refused),
            Event::CheckpointSaved { id, description } => {
                let standing = self.now.clone();
                let (id, description) = (id.clone(), description.clone());
                self.checkpoints.push(Checkpoint { id, created_at: at.to_owned(), description, standing });
                Ok(())
            }
            Event::CheckpointRestored { id } => {
                let Some(saved) = self.checkpoints.iter().find(|it| it.id == *id) else {
                    return refused(format!("there is no checkpoint `{id}`; `devteam_list_checkpoints` lists them"));
                };
                self.now = saved.standing.clone();
                self.verdict = None;
                Ok(())
            }
            Event::TokensRecorded { input, output, cost, .. } => {
                self.tokens_input = self.tokens_input.saturating_add(*input);
                self.tokens_output = self.tokens_output.saturating_add(*output);
                self.cost = Usd(self.cost.0.saturating_add(cost.0));
                Ok(())
            }
            Event::SessionEnded { status, reason } => {
                if !matches!(status, Status::Completed | Status::Failed | Status::Paused) {
                    return refused("a session ends as completed, failed or paused");
                }
                // A paused session goes on where it stands.
                if *status != Status::Paused {
                    self.step(Step::End)?;
                }
                self.status = *status;
                self.reason.clone_from(reason);
                Ok(())
            }
        }
    }

    /// Moves to the next stage.
    fn step(&mut self, step: Step) -> Result<(), Refused> {
        match self.now.stage.after(step) {
            Some(stage) => {
                self.now.stage = stage;
                Ok(())
            }
            None => refused(self.what_first()),
        }
    }

    fn executing(&self) -> Result<(), Refused> {
        if self.now.stage == Stage::Executing { Ok(()) } else { refused(self.what_first()) }
    }

    /// Whether four fifths of the budget are spent, and nobody was told.
    pub fn warning_is_due(&self) -> bool {
        let is_passed = |budget: Usd| self.cost.0.saturating_mul(100) >= budget.0.saturating_mul(WARNING_PERCENT);
        !self.has_warned && self.budget.is_some_and(is_passed)
    }

    /// What may still be spent; none where there is no budget.
    pub fn left(&self) -> Option<Usd> {
        Some(self.budget? - self.cost)
    }

    /// What can be done at this stage, in words for whoever tried something else.
    pub fn what_first(&self) -> String {
        let council = |it: &Council| it.next().map_or("", crate::council::Member::name);
        match self.now.stage {
            Stage::Idle | Stage::Completed => "no task is under way; call `devteam_start_task` first".to_owned(),
            Stage::Failed => {
                "the task has failed; `devteam_bug_council_analyze` looks for the cause once, `devteam_start_task` takes \
                 another task, `devteam_end_session` ends the session"
                    .to_owned()
            }
            Stage::ActivatingBugCouncil => format!(
                "the council is at work; call `devteam_bug_council_submit` for {} first",
                self.now.council.as_ref().map_or("the next member", council)
            ),
            Stage::AwaitingQualityGates | Stage::EvaluatingResults => {
                "the gates have not been evaluated; call `devteam_report_completion` once more".to_owned()
            }
            _ => "the task is under way; call `devteam_report_completion` when the work is done".to_owned(),
        }
    }

    fn start(&mut self, task: &Work, agent: &str, model: Model) -> Result<(), Refused> {
        for step in [Step::Start, Step::Known, Step::Chosen] {
            self.step(step)?;
        }
        self.now = Standing {
            stage: self.now.stage,
            task: Some(task.clone()),
            agent: agent.to_owned(),
            model,
            iteration: 1,
            ..Standing::default()
        };
        self.verdict = None;
        Ok(())
    }

    fn evaluate(&mut self, gates: &[GateResult]) -> Result<(), Refused> {
        self.step(Step::Judged)?;
        let verdict = evaluate::verdict(&self.now, &self.limits, gates);
        let (files, summary) = self.now.reported.take().unwrap_or_default();
        (self.now.begun, self.now.trouble) = (None, None);
        self.now.gates = gates.to_vec();
        let iteration = self.now.iteration;
        if !matches!(verdict, Verdict::Complete) {
            self.now.history.push(evaluate::failure(&self.now, gates, files, &summary));
            self.now.failures += 1;
        }
        match &verdict {
            Verdict::Complete => self.step(Step::Pass)?,
            Verdict::Iterate { .. } => self.step(Step::Again)?,
            Verdict::Escalate { to, reason } => {
                self.step(Step::Escalate)?;
                self.escalations.push((self.now.model, Some(*to), reason.clone()));
                self.step(Step::TakenOver)?;
                (self.now.model, self.now.failures) = (*to, 0);
            }
            Verdict::Council { reason } => {
                self.step(Step::Diagnose)?;
                self.escalations.push((self.now.model, None, reason.clone()));
                self.convene();
            }
            Verdict::Fail { is_halt, .. } => {
                self.step(Step::GiveUp)?;
                self.now.is_halted = *is_halt;
            }
        }
        if !matches!(verdict, Verdict::Complete) && self.now.stage != Stage::Failed {
            self.now.iteration += 1;
        }
        if let (Stage::Completed | Stage::Failed, Some(task)) = (self.now.stage, &self.now.task) {
            let passed = self.now.stage == Stage::Completed;
            self.ended.push(Ended { id: task.id.clone(), passed, iterations: iteration });
        }
        self.verdict = Some(verdict);
        Ok(())
    }

    fn convene(&mut self) {
        self.now.council = Some(Council::default());
        self.now.decision = None;
        self.now.councils += 1;
    }

    fn escalate(&mut self, to: Option<Model>, reason: &str) -> Result<(), Refused> {
        let from = self.now.model;
        let to = to.or(from.larger());
        if to.is_some_and(|to| to <= from) {
            return refused("`toModel` is not larger than the model that works; leave it out for the next larger one");
        }
        match to {
            Some(to) => {
                self.step(Step::Escalate)?;
                self.step(Step::TakenOver)?;
                (self.now.model, self.now.failures) = (to, 0);
            }
            None if self.now.councils > 0 => {
                return refused("the council has met on this task; try its fix and call `devteam_report_completion`");
            }
            None => {
                self.step(Step::Diagnose)?;
                self.convene();
            }
        }
        self.escalations.push((from, to, reason.to_owned()));
        Ok(())
    }

    /// After a task has failed, a council may look for the cause once.
    fn start_council(&mut self) -> Result<(), Refused> {
        if self.now.stage != Stage::Failed {
            return refused(match self.now.stage {
                Stage::Executing => {
                    "the council meets when the task is stuck: `devteam_report_completion` decides that, and \
                     `devteam_escalate` asks for it on the largest model"
                        .to_owned()
                }
                _ => self.what_first(),
            });
        }
        if self.now.is_halted {
            return refused(
                "a gate halted the work: a person has to look at it; `devteam_end_session` ends the session",
            );
        }
        if self.now.is_last_council {
            return refused("the council has met after the failure; `devteam_end_session` ends the session");
        }
        self.step(Step::Diagnose)?;
        self.convene();
        self.now.is_last_council = true;
        // The task is open again.
        self.ended.pop();
        Ok(())
    }

    fn submit(&mut self, submission: Submission) -> Result<(), Refused> {
        if self.now.stage != Stage::ActivatingBugCouncil {
            return refused(self.what_first());
        }
        let council = self.now.council.get_or_insert_default();
        council.take(submission).map_err(Refused)?;
        if let Some(decision) = council.decision() {
            self.step(Step::Decided)?;
            self.now.decision = Some(decision);
            self.now.failures = 0;
            self.now.diagnosed = self.now.history.len();
        }
        Ok(())
    }
}
