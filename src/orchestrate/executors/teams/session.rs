//! A team that is at work: its files are looked at, and what they tell is handed to the machine.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use indexmap::IndexMap;

use super::board::{self, Board, Kind, Progress};
use super::files::{self, Metrics};
use super::machine::{Audit, Event, Part as Role, Reason, Stand, Status, Team};
use super::mailbox::{Mailbox, TeamTask};
use super::usage::Books;
use super::wave::{Ending, Told, Wave};
use super::{clock, words};
use crate::hook;
use crate::ledger::Usd;
use crate::process::{Cancel, Terminal};

/// How often the files of a team are looked at.
const LOOK: Duration = Duration::from_millis(200);
/// How long agents that were asked to end may take.
const GRACE: Duration = Duration::from_secs(5);

/// A team that is at work.
pub(super) struct Session<'w> {
    pub(super) wave: &'w Wave<'w>,
    pub(super) id: String,
    pub(super) team: Team,
    pub(super) board: Board,
    pub(super) mailbox: Mailbox,
    pub(super) books: Books,
    pub(super) terminal: Terminal,
    /// All agents were there.
    pub(super) is_made: bool,
    pub(super) begun: Instant,
    /// Since when the state is what it is.
    pub(super) since: Instant,
    /// When each agent was last seen to do something.
    pub(super) seen: BTreeMap<String, Instant>,
    /// The last audit of each track, with the texts.
    pub(super) audits: IndexMap<String, (Audit, Vec<String>)>,
    pub(super) metrics: Metrics,
    /// Why the team falls, where more is known than the reason.
    pub(super) why: String,
    pub(super) remarks: Vec<String>,
}

impl Session<'_> {
    /// Follows the team until it has ended, or is to end.
    pub(super) fn run(&mut self, cancel: &Cancel) -> Ending {
        let wave_limit = Duration::from_secs(self.wave.settings.wave_timeout_seconds);
        loop {
            if cancel.is_wanted() {
                return Ending::Cancelled;
            }
            self.books.look();
            if self.wave.is_short(&self.books, self.team.agents.len() + 1) {
                return Ending::Budget;
            }
            let before = self.team.state;
            self.step();
            match self.team.state {
                Stand::Complete => return Ending::Complete,
                Stand::Fallback => {
                    let reason = self.team.fallback_reason.unwrap_or(Reason::AgentFailed);
                    return Ending::Fallen(reason, self.why.clone());
                }
                _ => {}
            }
            let builds = self.board.entries.iter().filter(|it| it.kind != Kind::Review);
            let all_stopped = builds.clone().all(|it| it.progress == Progress::Stopped);
            if all_stopped || self.begun.elapsed() > wave_limit {
                return Ending::Partial;
            }
            if let Some(code) = self.terminal.ended() {
                let said = self.books.error.clone().unwrap_or_else(|| self.terminal.last_words());
                self.why = format!("the client ended with exit code {code}: {said}");
                self.happen(&Event::Lost);
                continue;
            }
            if self.team.state == before {
                thread::sleep(LOOK);
            }
        }
    }

    /// Takes an event in, and keeps what the team is then.
    fn happen(&mut self, event: &Event) {
        let next = self.team.after(event, &clock::now());
        if next == self.team {
            return;
        }
        let has_moved = next.state != self.team.state;
        if has_moved {
            *self.metrics.seconds.entry(self.team.state).or_default() += self.since.elapsed().as_secs_f64();
            self.since = Instant::now();
        }
        self.team = next;
        if has_moved && self.team.state == Stand::Audit {
            self.team.work = self.wave.work_so_far();
        }
        if has_moved && self.team.state == Stand::Iterate {
            let failed = self.audits.iter().filter(|it| !it.1.0.passed);
            self.team.findings = failed.map(|it| (it.0.clone(), it.1.1.clone())).collect();
        }
        self.wave.keep(&self.team, &mut self.remarks);
        if has_moved && self.team.state == Stand::Audit {
            self.call(Role::Auditor, "The work of your track can be reviewed now: take your tasks.");
        }
    }

    /// Tells those of a part that have open tasks to take them.
    fn call(&mut self, part: Role, text: &str) {
        let names: Vec<String> = board::able(&self.team.agents, part, None).into_iter().map(str::to_owned).collect();
        for name in names.into_iter().filter(|name| self.has_open(name)) {
            self.mailbox.send(&name, text);
        }
    }

    fn has_open(&self, agent: &str) -> bool {
        self.board.entries.iter().any(|it| it.owner == agent && !it.is_settled())
    }

    fn idle_limit(&self) -> Duration {
        Duration::from_secs(self.wave.settings.teammate_idle_timeout)
    }

    fn step(&mut self) {
        if !self.is_made {
            self.wait_for_agents();
            return;
        }
        self.follow_tasks();
        match self.team.state {
            Stand::Prototype => self.watch(Role::Implementer),
            Stand::Audit => {
                self.watch(Role::Auditor);
                self.judge();
            }
            Stand::Iterate => self.hand_back(),
            _ => {}
        }
    }

    fn wait_for_agents(&mut self) {
        let members = self.mailbox.members();
        let missing: Vec<&String> = self.team.agents.keys().filter(|it| !members.contains(it)).collect();
        if missing.is_empty() {
            self.is_made = true;
            self.since = Instant::now();
            self.happen(&Event::Created(true));
            if self.team.state == Stand::Audit {
                self.call(Role::Auditor, "The work of your track can be reviewed now: take your tasks.");
            }
        } else if self.begun.elapsed() > self.idle_limit() {
            let names: Vec<&str> = missing.into_iter().map(String::as_str).collect();
            let shown = self.terminal.last_words();
            self.why = format!(
                "{} did not come in {} s; the client shows: {shown}",
                names.join(", "),
                self.idle_limit().as_secs()
            );
            let event = if self.team.state == Stand::InitTeam { Event::Created(false) } else { Event::Lost };
            self.happen(&event);
        }
    }

    /// Reads how far the tasks on the list are, and stops those that take too long.
    fn follow_tasks(&mut self) {
        let limit = Duration::from_secs(self.wave.settings.task_timeout_seconds);
        for at in 0..self.board.entries.len() {
            if self.board.entries[at].is_settled() {
                continue;
            }
            let id = self.board.entries[at].id.clone();
            let Some(task) = self.mailbox.task(&id) else { continue };
            if self.team.agents.contains_key(&task.owner) {
                self.board.entries[at].owner.clone_from(&task.owner);
            }
            let owner = self.board.entries[at].owner.clone();
            match (task.status.as_str(), self.board.entries[at].progress) {
                ("completed", _) if self.board.entries[at].kind == Kind::Review => self.reviewed(at, &task),
                ("completed", _) => {
                    self.board.entries[at].progress = Progress::Done;
                    self.seen.insert(owner, Instant::now());
                }
                ("in_progress", Progress::Open) => {
                    self.board.entries[at].progress = Progress::Working(Instant::now());
                    self.seen.insert(owner, Instant::now());
                }
                (_, Progress::Working(since)) if since.elapsed() > limit => self.stop(at),
                _ => {}
            }
        }
    }

    /// Takes a task back that takes too long: what waits for it need not wait any more.
    fn stop(&mut self, at: usize) {
        let (id, owner) = (self.board.entries[at].id.clone(), self.board.entries[at].owner.clone());
        self.board.entries[at].progress = Progress::Stopped;
        self.mailbox
            .send(&owner, &format!("The time for task {id} is over: leave it as it is, and go on with the next."));
        for entry in &mut self.board.entries {
            entry.blocked_by.retain(|it| *it != id);
        }
        let waiting: Vec<String> =
            self.board.entries.iter().filter(|it| !it.is_settled()).map(|it| it.id.clone()).collect();
        for other in waiting {
            let Some(mut task) = self.mailbox.task(&other) else { continue };
            if task.blocked_by.contains(&id) {
                task.blocked_by.retain(|it| *it != id);
                let _ = self.mailbox.put(&task);
            }
        }
    }

    /// A review was called done: what it found is there, or it is asked for once.
    fn reviewed(&mut self, at: usize, task: &TeamTask) {
        let track = self.board.entries[at].track.clone();
        if let Some((audit, findings)) = board::audit(task) {
            self.board.entries[at].progress = Progress::Done;
            // Several auditors of a track find more together.
            let known = self.audits.entry(track).or_insert((Audit { passed: true, ..Audit::default() }, Vec::new()));
            known.0.critical_issues += audit.critical_issues;
            known.0.warnings += audit.warnings;
            known.0.passed &= audit.passed;
            known.1.extend(findings);
            return;
        }
        let owner = self.board.entries[at].owner.clone();
        if self.board.entries[at].asked_again {
            self.board.entries[at].progress = Progress::Stopped;
            self.why = format!("{owner} called a review done and did not tell what was found");
            self.happen(&Event::Failed(owner));
            return;
        }
        self.board.entries[at].asked_again = true;
        let again = TeamTask { status: "in_progress".to_owned(), ..task.clone() };
        let _ = self.mailbox.put(&again);
        self.mailbox.send(
            &owner,
            &format!(
                "Task {} has no `critical_issues` in its metadata: set it with TaskUpdate, then the status.",
                task.id
            ),
        );
    }

    /// Looks after the agents whose turn it is: who has done all, who is silent for too long, who is gone.
    fn watch(&mut self, part: Role) {
        let members = self.mailbox.members();
        let names: Vec<String> = board::able(&self.team.agents, part, None).into_iter().map(str::to_owned).collect();
        for name in names {
            if self.team.agents.get(&name).is_none_or(|it| it.status != Status::Working) {
                continue;
            }
            if !self.has_open(&name) {
                self.happen(&Event::Done(name));
                continue;
            }
            let seen = self.seen.get(&name).copied().into_iter().chain(self.books.last_seen(&name)).max();
            let silent = seen.map_or(self.since, |it| it.max(self.since)).elapsed();
            let why = if !members.contains(&name) {
                format!("{name} left the team")
            } else if silent > self.idle_limit() {
                let said = self.books.error.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
                format!("{name} was silent for {} s{said}", self.idle_limit().as_secs())
            } else {
                continue;
            };
            self.why.clone_from(&why);
            self.remarks.push(why);
            self.give_to_another(&name, part);
            self.happen(&Event::Failed(name));
        }
    }

    /// Gives the open tasks of an agent to another one of the same part, where there is one.
    fn give_to_another(&mut self, name: &str, part: Role) {
        let track = self.team.agents.get(name).map(|it| it.track.clone()).unwrap_or_default();
        let own = board::able(&self.team.agents, part, Some(&track));
        let others = board::able(&self.team.agents, part, None);
        let Some(other) = own.into_iter().chain(others).find(|it| *it != name).map(str::to_owned) else { return };
        let mut given = Vec::new();
        for entry in self.board.entries.iter_mut().filter(|it| it.owner == name && !it.is_settled()) {
            entry.owner.clone_from(&other);
            entry.progress = Progress::Open;
            given.push(entry.id.clone());
        }
        for id in &given {
            if let Some(task) = self.mailbox.task(id) {
                let task = TeamTask { owner: other.clone(), status: "pending".to_owned(), ..task };
                let _ = self.mailbox.put(&task);
            }
        }
        self.mailbox.send(&other, &format!("{name} is gone: take its tasks {} as your own.", given.join(", ")));
        self.seen.insert(other.clone(), Instant::now());
        self.happen(&Event::Given(other));
    }

    /// The audit of all tracks, when every auditor has told.
    fn judge(&mut self) {
        let auditors = self.team.agents.values().filter(|it| it.part == Role::Auditor);
        if self.team.state != Stand::Audit || auditors.clone().any(|it| it.status == Status::Working) {
            return;
        }
        let mut all = Audit { passed: true, ..Audit::default() };
        for (audit, _) in self.audits.values() {
            all.critical_issues += audit.critical_issues;
            all.warnings += audit.warnings;
            all.passed &= audit.passed;
        }
        self.metrics.audits.push(all);
        self.happen(&Event::Audited(all));
    }

    /// Gives what the audit found back to those who can mend it, as new tasks.
    fn hand_back(&mut self) {
        if self.team.iteration < self.team.max_iterations {
            let failed: Vec<String> = self.audits.iter().filter(|it| !it.1.0.passed).map(|it| it.0.clone()).collect();
            let is_open = |at: usize| {
                self.board.last_of(at).is_some_and(|it| it.progress != Progress::Stopped && failed.contains(&it.track))
            };
            let tasks: Vec<(usize, String)> = (0..self.wave.parts.len())
                .filter(|at| is_open(*at))
                .filter_map(|at| Some((at, self.board.last_of(at)?.track.clone())))
                .collect();
            for at in self.board.add(&self.team.agents, &tasks) {
                let findings =
                    self.audits.get(&self.board.entries[at].track).map(|it| it.1.clone()).unwrap_or_default();
                let task = self.wave.worded(&self.board, at, &findings);
                let _ = self.mailbox.put(&task);
            }
            failed.iter().for_each(|it| {
                self.audits.shift_remove(it);
            });
        }
        self.why = words::left(&self.findings());
        self.happen(&Event::HandedBack);
        if self.team.state == Stand::Prototype {
            self.call(Role::Implementer, "The audit found what is to be mended: take your new tasks.");
        }
    }

    fn findings(&self) -> Vec<String> {
        self.audits.values().filter(|it| !it.0.passed).flat_map(|it| it.1.iter().cloned()).collect()
    }

    /// Ends the client, and tells what came of the team.
    pub(super) fn end(mut self, ending: Ending) -> Told {
        self.mailbox.ask_to_end();
        let asked = Instant::now();
        let patience = if ending == Ending::Complete { GRACE } else { Duration::ZERO };
        while asked.elapsed() < patience && !self.mailbox.members().is_empty() && self.terminal.ended().is_none() {
            thread::sleep(LOOK);
        }
        self.terminal.end();
        self.books.look();
        self.mailbox.remove();
        if !self.has_hooks() {
            self.remarks.push("the team ran without our hooks: none answered at its start".to_owned());
        }
        let used = self.books.used(&self.wave.claude.prices);
        *self.metrics.seconds.entry(self.team.state).or_default() += self.since.elapsed().as_secs_f64();
        self.metrics.iterations = self.team.iteration;
        self.metrics.cost_usd = used.iter().flatten().map(|it| it.1).sum::<Usd>().dollars();
        self.metrics.result = match &ending {
            Ending::Complete => "complete".to_owned(),
            Ending::Partial => "partial".to_owned(),
            Ending::Cancelled => "cancelled".to_owned(),
            Ending::Budget => "budget".to_owned(),
            Ending::Fallen(reason, _) => reason.word().to_owned(),
        };
        files::measure(self.wave.exports, self.wave.run, &self.metrics);
        let limit = self.wave.settings.task_timeout_seconds;
        let part = |at: usize| match self.board.last_of(at).map(|it| it.progress) {
            Some(Progress::Done) => Ok(()),
            Some(Progress::Stopped) => Err(format!("the task took longer than {limit} s")),
            _ => Err(format!("the team did not finish the task in {} s", self.begun.elapsed().as_secs())),
        };
        let parts = (0..self.wave.parts.len()).map(part).collect();
        let findings = self.findings();
        Told { ending, parts, used, remarks: self.remarks, findings }
    }

    /// Whether our hook answered when the session began: our settings are in force.
    fn has_hooks(&self) -> bool {
        let Some(folder) = self.wave.gate.as_ref().and_then(|it| it.parent()) else { return true };
        let log = folder.join("hooks").join(format!("{}.jsonl", hook::Hook::SessionStart.name()));
        !self.is_made || fs::read_to_string(log).is_ok_and(|it| it.contains(&self.id))
    }
}
