//! A team of agents of Claude Code: one client in a terminal of its own for the tasks that begin together, each in its own worktree.
//! Implementers build, auditors of the same track review, and what they find is handed back, at most twice. What the team is at is in
//! `team-state.json`; where a team cannot work, one session for each task goes on, if the settings allow that.

mod board;
mod clock;
mod detect;
mod files;
mod machine;
mod mailbox;
mod session;
mod usage;
mod wave;
mod words;

use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub(super) use detect::{Detected, Missing, VARIABLE, World, detect};
use files::Known;
use machine::{Event, Mode, Reason, Team};
use mailbox::Mailbox;
use wave::{Ending, Part, Told, Wave};

use super::{ClaudeExecutor, Executor, Job};
use crate::events::{TaskResult, TaskStatus};
use crate::hook;
use crate::ledger::{Usage, Usd};
use crate::mcp::Server;
use crate::orchestrate::git::Git;
use crate::orchestrate::roles::{self, Role};
use crate::orchestrate::{briefs, harness};
use crate::process::Cancel;
use crate::settings::AgentTeams;

/// Carries tasks out with teams, and with the plain executor where a team fell.
#[derive(Debug, Default)]
pub struct TeamsExecutor {
    settings: AgentTeams,
    claude: ClaudeExecutor,
    hall: Mutex<Hall>,
    /// Held by the team that is at work.
    turn: Mutex<()>,
}

/// Where tasks meet that begin together.
#[derive(Debug, Default)]
struct Hall {
    gathering: Option<Sender<Member>>,
    /// Who can be written to.
    team: Option<Mailbox>,
}

/// A task that wants a team, and whom to tell what came of it.
#[derive(Debug)]
struct Member {
    part: Part,
    /// Others that may join.
    peers: usize,
    reply: Sender<Outcome>,
}

/// What came of one task.
#[derive(Debug)]
struct Outcome {
    ending: Ending,
    part: Result<(), String>,
    used: Option<Vec<(Usage, Usd)>>,
    remarks: Vec<String>,
    findings: Vec<String>,
}

/// How long a team waits for one more task of its wave: what came before such a task may still be judged.
const GATHER: Duration = Duration::from_secs(5);

fn locked<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever died while holding the lock left nothing half done.
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TeamsExecutor {
    pub fn new(settings: AgentTeams, claude: ClaudeExecutor) -> TeamsExecutor {
        TeamsExecutor { settings, claude, ..TeamsExecutor::default() }
    }

    /// What a team needs to know of a task.
    fn part(&self, job: &Job<'_>) -> Part {
        let role = Role::of(job.task.kind);
        let place = job.worktree.display().to_string();
        let absolute = |rules: Vec<String>| -> Vec<String> {
            rules.into_iter().map(|it| it.replacen("(./", &format!("(/{place}/"), 1)).collect()
        };
        let mut permissions = self.claude.permissions(&job.task.scope, role, &[]);
        permissions.allow = absolute(permissions.allow);
        permissions.deny = absolute(permissions.deny);
        Part {
            task: job.task.id.clone(),
            attempt: job.attempt,
            title: job.task.title.clone(),
            told: format!(
                "{}\n---\n\n{}",
                briefs::prompt(job),
                roles::brief(role, job, &[], self.settings.contract_limit)
            ),
            worktree: job.worktree.to_owned(),
            permissions,
            allowance: job.allowance,
        }
    }

    /// Joins the tasks that gather; whoever is first leads them, and works for all.
    fn with_others(&self, job: &Job<'_>, cancel: &Cancel) -> Option<Outcome> {
        let (reply, answer) = mpsc::channel();
        let mut member = Member { part: self.part(job), peers: job.peers, reply };
        let gathered = {
            let mut hall = locked(&self.hall);
            if let Some(gathering) = &hall.gathering {
                match gathering.send(member) {
                    Ok(()) => None,
                    Err(back) => {
                        member = back.0;
                        Some(open(&mut hall, member))
                    }
                }
            } else {
                Some(open(&mut hall, member))
            }
        };
        if let Some(gathered) = gathered {
            // One team at a time: the file tells of one.
            let _turn = locked(&self.turn);
            let members = self.gather(&gathered);
            self.work(job, members, cancel);
        }
        answer.recv().ok()
    }

    fn gather(&self, gathered: &Receiver<Member>) -> Vec<Member> {
        let mut members = Vec::new();
        while members.last().is_none_or(|it: &Member| it.peers > 0) {
            let Ok(member) = gathered.recv_timeout(GATHER) else { break };
            members.push(member);
        }
        let mut hall = locked(&self.hall);
        hall.gathering = None;
        members.extend(gathered.try_iter());
        members.sort_by(|a, b| a.part.task.cmp(&b.part.task));
        members
    }

    fn work(&self, job: &Job<'_>, members: Vec<Member>, cancel: &Cancel) {
        let parts: Vec<Part> = members.iter().map(|it| it.part.clone()).collect();
        let tasks: Vec<String> = parts.iter().map(|it| format!("{}-{}", it.task, it.attempt)).collect();
        let new = || Team::new(job.run, tasks.clone(), board::agents(&self.settings, parts.len()), &clock::now());
        let fallen = |reason: Reason, why: &str| {
            let _ = files::keep(job.exports, &new().after(&Event::Detected(Some(reason)), &clock::now()));
            Told::fallen(parts.len(), reason, why.to_owned())
        };
        let told = match files::known(job.exports, job.run, Some(&tasks)) {
            Known::Fallen(reason) => Told::fallen(parts.len(), reason, "teams are over for this run".to_owned()),
            Known::Unreadable => fallen(Reason::InitFailed, "team-state.json cannot be read"),
            // A run that is taken up again may be so elsewhere.
            _ if std::env::var(VARIABLE).as_deref() != Ok("1") => {
                fallen(Reason::Disabled, "the variable is not 1 any more")
            }
            Known::Nothing => self.team_works(job, &parts, new(), cancel),
            Known::Live(team) => self.team_works(job, &parts, *team, cancel),
        };
        let shares = shares(told.used.as_deref(), parts.len());
        for ((member, part), used) in members.into_iter().zip(told.parts).zip(shares) {
            let _ = member.reply.send(Outcome {
                ending: told.ending.clone(),
                part,
                used,
                remarks: told.remarks.clone(),
                findings: told.findings.clone(),
            });
        }
    }

    fn team_works(&self, job: &Job<'_>, parts: &[Part], team: Team, cancel: &Cancel) -> Told {
        let logs = job.log.parent().unwrap_or(Path::new("."));
        // Servers look at one folder: several tasks have several.
        let servers: &[Server] = if parts.len() == 1 { &Server::EACH } else { &[] };
        let wave = Wave {
            settings: &self.settings,
            claude: &self.claude,
            run: job.run,
            parts,
            exports: job.exports,
            gate: job.gate(),
            folder: job.worktree.parent().unwrap_or(job.worktree),
            logs,
            servers: harness::servers(job, servers),
            client: hook::client_folder(),
            git: Git::open(job.worktree).ok(),
        };
        wave.work(team, cancel, &|team| locked(&self.hall).team = team)
    }

    /// One session for the task, after a team has fallen.
    fn plain(&self, job: &Job<'_>, cancel: &Cancel, fallen: &Fallen) -> TaskResult {
        let learnt: Vec<String> = job.learnt.iter().cloned().chain(fallen.findings.iter().cloned()).collect();
        let allowance = job.allowance.map(|it| it - fallen.used.iter().map(|it| it.1).sum());
        let mut result = self.claude.execute(&Job { learnt: &learnt, allowance, ..*job }, cancel);
        result.remarks.insert(0, format!("claude goes on: {}", fallen.why));
        result.used.splice(0..0, fallen.used.iter().cloned());
        result.cost_usd = result.used.iter().map(|it| it.1).sum::<Usd>().dollars();
        files::measure(
            job.exports,
            job.run,
            &files::Metrics {
                tasks: vec![format!("{}-{}", job.task.id, job.attempt)],
                mode: Mode::Task,
                iterations: 0,
                seconds: indexmap::IndexMap::default(),
                audits: Vec::new(),
                cost_usd: result.cost_usd,
                result: serde_json::to_value(result.status)
                    .map(|it| it.as_str().unwrap_or_default().to_owned())
                    .unwrap_or_default(),
            },
        );
        result
    }
}

/// Notes that a run wanted a team and cannot have one.
pub(in crate::orchestrate) fn note_none(exports: &Path, run: &str) {
    let team = Team::new(run, Vec::new(), indexmap::IndexMap::default(), &clock::now());
    // The choice itself is an event: the file is for others.
    let _ = files::keep(exports, &team.after(&Event::Detected(Some(Reason::InitFailed)), &clock::now()));
}

/// Why the plain way goes on, and what the team used and found before.
struct Fallen {
    why: String,
    used: Vec<(Usage, Usd)>,
    findings: Vec<String>,
}

impl Told {
    fn fallen(parts: usize, reason: Reason, why: String) -> Told {
        Told {
            ending: Ending::Fallen(reason, why),
            parts: (0..parts).map(|_| Err("there was no team".to_owned())).collect(),
            used: Some(Vec::new()),
            remarks: Vec::new(),
            findings: Vec::new(),
        }
    }
}

fn open(hall: &mut Hall, member: Member) -> Receiver<Member> {
    let (sender, gathered) = mpsc::channel();
    let _ = sender.send(member);
    hall.gathering = Some(sender);
    gathered
}

/// What a team used, in equal shares; what cannot be shared equally is the first one's.
fn shares(used: Option<&[(Usage, Usd)]>, parts: usize) -> Vec<Option<Vec<(Usage, Usd)>>> {
    let Some(used) = used else { return vec![None; parts] };
    let count = parts.max(1) as u64;
    let share = |whole: u64, at: u64| whole / count + if at == 0 { whole % count } else { 0 };
    let of = |at: u64| {
        let one = |(usage, cost): &(Usage, Usd)| {
            let usage = Usage {
                model: usage.model.clone(),
                input: share(usage.input, at),
                output: share(usage.output, at),
                cache_read: share(usage.cache_read, at),
                cache_write: share(usage.cache_write, at),
            };
            (usage, Usd(share(cost.0, at)))
        };
        Some(used.iter().map(one).collect())
    };
    (0..parts as u64).map(of).collect()
}

impl Executor for TeamsExecutor {
    fn name(&self) -> &'static str {
        "teams"
    }

    fn mends(&self) -> bool {
        true
    }

    /// A client in a terminal works on tasks of a plan.
    fn answers(&self) -> bool {
        false
    }

    fn execute(&self, job: &Job<'_>, cancel: &Cancel) -> TaskResult {
        let mut result = TaskResult { task_id: job.task.id.clone(), ..TaskResult::default() };
        let Some(outcome) = self.with_others(job, cancel) else {
            result.status = TaskStatus::Failed;
            result.error = Some("the team ended without a word".to_owned());
            return result;
        };
        result.remarks = outcome.remarks;
        match outcome.used {
            Some(used) => result.used = used,
            None => result.remarks.push("what this attempt cost is not known".to_owned()),
        }
        result.cost_usd = result.used.iter().map(|it| it.1).sum::<Usd>().dollars();
        let (status, error) = match (outcome.ending, outcome.part) {
            (Ending::Cancelled, _) => (TaskStatus::Cancelled, None),
            (Ending::Fallen(reason, why), _) => {
                let why = format!("the team fell ({}): {why}", reason.word());
                if self.settings.fallback_to_cli && !cancel.is_wanted() {
                    let fallen = Fallen { why, used: result.used, findings: outcome.findings };
                    let mut plain = self.plain(job, cancel, &fallen);
                    plain.remarks.extend(result.remarks);
                    return plain;
                }
                result.fatal = true;
                (TaskStatus::Failed, Some(why))
            }
            (_, Ok(())) => (TaskStatus::Completed, None),
            (Ending::Budget, Err(_)) => {
                let allowance = job.allowance.unwrap_or_default();
                let why = format!("stopped before answers that could cost more than the allowance of {allowance}");
                (TaskStatus::Budget, Some(why))
            }
            (_, Err(why)) => (TaskStatus::Timeout, Some(why)),
        };
        result.status = status;
        result.error = error;
        result
    }

    fn send_context(&self, recipient: &str, content: &str) -> bool {
        let team = locked(&self.hall).team.clone();
        team.is_some_and(|it| it.send(recipient, content))
    }

    fn supports_peer_messaging(&self) -> bool {
        true
    }

    fn supports_self_claiming(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_context_reaches_an_agent_of_the_team_that_is_at_work() {
        let folder = tempfile::tempdir().expect("a folder");
        let team = folder.path().join("teams/session-0123abcd");
        fs::create_dir_all(&team).expect("a folder");
        fs::write(team.join("config.json"), r#"{"members": [{"name": "team-lead"}, {"name": "one"}]}"#)
            .expect("a file");
        let executor = TeamsExecutor::default();
        assert!(!executor.send_context("one", "hello"), "there is no team");
        locked(&executor.hall).team = Some(Mailbox::new(folder.path(), "0123abcd-0000-4000-8000-000000000000"));
        assert!(executor.send_context("one", "hello") && !executor.send_context("two", "hello"));
        assert!(fs::read_to_string(team.join("inboxes/one.json")).is_ok_and(|it| it.contains("hello")));
        assert!(executor.supports_peer_messaging() && executor.supports_self_claiming());
        assert!(!ClaudeExecutor::default().send_context("one", "hello"), "a session for one task takes none");
    }

    #[test]
    fn shares_are_equal_and_nothing_is_lost() {
        let used = [(Usage { model: "m".to_owned(), input: 7, output: 3, cache_read: 0, cache_write: 1 }, Usd(11))];
        let shares: Vec<_> = shares(Some(&used), 3).into_iter().flatten().flatten().collect();
        assert_eq!(shares.iter().map(|it| it.1.0).collect::<Vec<_>>(), [5, 3, 3]);
        assert_eq!(shares.iter().map(|it| it.0.input).sum::<u64>(), 7);
        assert_eq!(super::shares(None, 2), [None, None], "what is not known is not nothing");
    }
}
