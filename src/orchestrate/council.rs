//! The council of a task whose attempts are used up: its members look at what the last attempt left, each by itself, and what they
//! agree on is told to one more attempt.

use std::path::PathBuf;

use super::state::{Standing, State, TaskState};
use super::step::Action;
use super::workplace::Workplace;
use crate::council::{Council, Member, Submission};
use crate::events::{Event, Outcome, TaskResult, TaskStatus};
use crate::ledger::Usd;

/// Questions of a council: an analysis and a ranking of each member.
const QUESTIONS: u64 = 2 * Member::ALL.len() as u64;

/// What is known before a council convenes: the event, where there may be one and there is money for it. It takes half of what an
/// attempt may cost, so that there is one left.
pub(super) fn convened(state: &State, it: &TaskState, least: Usd) -> Option<Event> {
    let may = state.started.council && state.answers && it.councils == 0 && state.started.attempts > 1;
    if !may || it.learnt.is_empty() {
        return None;
    }
    let allowance = match state.ledger.allowance(1, least)? {
        Some(share) => Some(Usd(share.0 / 2 / QUESTIONS)).filter(|it| *it >= least).map(Some)?,
        None => None,
    };
    Some(Event::CouncilConvened { task: it.task.id.clone(), allowance })
}

/// Members that are asked now, at most `slots`.
pub(super) fn questions(it: &TaskState, slots: usize) -> impl Iterator<Item = Action> {
    let (task, allowance, round) = (it.task.id.clone(), it.council_allowance, round(&it.council));
    let waiting = it.council.waiting().into_iter().take(slots);
    waiting.map(move |member| Action::Consult { task: task.clone(), member, round, allowance })
}

/// From 1.
fn round(council: &Council) -> u32 {
    if council.is_ranking() { 2 } else { 1 }
}

/// Questions of both rounds that have no answer yet.
fn unanswered(council: &Council) -> u64 {
    let rankings = if council.is_ranking() { 0 } else { Member::ALL.len() };
    (council.waiting().len() + rankings) as u64
}

/// The checkout of a member.
pub(super) fn checkout(place: &Workplace, task: &str, member: Member) -> PathBuf {
    place.worktree(&name(task, member), 0)
}

/// Names the folders of a member.
pub(super) fn name(task: &str, member: Member) -> String {
    format!("{task}-council-{}", member.name())
}

impl State {
    pub(super) fn council_convened(&mut self, task: &str, allowance: Option<Usd>) {
        if let Some(each) = allowance {
            self.ledger.grant(task, Usd(each.0.saturating_mul(QUESTIONS)));
        }
        self.stuck.extend(self.place(task));
        self.change(task, |it| {
            it.standing = Standing::Stuck;
            it.council = Council::default();
            it.council_allowance = allowance;
            it.councils += 1;
        });
    }

    pub(super) fn council_spoke(
        &mut self,
        task: &str,
        member: Member,
        submission: Option<&Submission>,
        result: &TaskResult,
    ) {
        self.ledger.book(task, self.task(task).map_or(0, |it| it.attempt), &result.used);
        if result.fatal {
            self.stop(Outcome::Failed, result.error.as_deref().unwrap_or("the executor cannot go on"));
        }
        let Some(it) = self.task(task).filter(|it| it.standing == Standing::Stuck) else { return };
        if result.fatal {
            return;
        }
        // Set aside is one answer to each question: where what was cut off has used of another's, that member stays without a word.
        let suffices = it.council_allowance.is_none_or(|each| {
            let left = self.ledger.granted(task).unwrap_or_default();
            left >= Usd(each.0.saturating_mul(unanswered(&it.council)))
        });
        let submission = match submission {
            Some(submission) => submission.clone(),
            None if suffices => return,
            None => Submission::of(member, Err("the answer was cut off, and there is no money for another".to_owned())),
        };
        let mut council = it.council.clone();
        // A member that has spoken in this round says nothing new.
        let _ = council.take(submission);
        let decision = council.decision();
        let is_over = decision.is_some() || council.is_at_a_loss();
        let attempts = self.started.attempts.max(1);
        self.change(task, |it| {
            it.council = council;
            if !is_over {
                return;
            }
            it.standing = Standing::Again;
            if let Some(decision) = decision {
                it.learnt.push(format!("the council looked for the cause. {}", decision.told()));
                it.failures = attempts - 1;
            }
        });
        if is_over {
            let place = self.place(task);
            self.stuck.retain(|it| Some(*it) != place);
            self.ledger.settle(task, 0, &[]);
        }
    }
}

/// What becomes of an answer: none where the provider cut the question off.
pub(super) fn spoke(task: String, member: Member, submission: Submission, result: TaskResult) -> Event {
    let is_answer = !matches!(result.status, TaskStatus::RateLimited | TaskStatus::Cancelled);
    Event::CouncilSpoke { task, member, submission: is_answer.then_some(submission), result }
}
