//! One team at work: tasks that began together, in one session of the client, in a terminal that nobody looks at.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indexmap::{IndexMap, IndexSet};
use serde_json::{Value, json};

use super::super::claude::ClaudeExecutor;
use super::board::{self, Board, Kind, Progress};
use super::detect::VARIABLE;
use super::files::{self, Metrics};
use super::machine::{Audit, Event, Mode, Reason, Stand, Status, Team};
use super::mailbox::{Mailbox, TeamTask};
use super::session::Session;
use super::usage::Books;
use super::{clock, words};
use crate::hook;
use crate::ledger::{Usage, Usd};
use crate::orchestrate::git::Git;
use crate::orchestrate::harness::{Permissions, merged};
use crate::process::{Cancel, Terminal, command, end_left_behind};
use crate::settings::AgentTeams;

/// A task of the run, as a team needs it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) task: String,
    pub(super) attempt: u32,
    pub(super) title: String,
    /// All that an agent is told of the task.
    pub(super) told: String,
    pub(super) worktree: PathBuf,
    pub(super) permissions: Permissions,
    pub(super) allowance: Option<Usd>,
}

/// What a team works on, and where.
pub(super) struct Wave<'w> {
    pub(super) settings: &'w AgentTeams,
    pub(super) claude: &'w ClaudeExecutor,
    pub(super) run: &'w str,
    pub(super) parts: &'w [Part],
    /// Folder of the run's documents.
    pub(super) exports: &'w Path,
    pub(super) gate: Option<PathBuf>,
    /// The client works here: above the worktrees.
    pub(super) folder: &'w Path,
    /// Folder for what the client gets and draws.
    pub(super) logs: &'w Path,
    /// Settings of our servers.
    pub(super) servers: Value,
    /// The client's own folder.
    pub(super) client: PathBuf,
    /// The repository; none where there is none.
    pub(super) git: Option<Git>,
}

/// How a team ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ending {
    Complete,
    /// Time was up.
    Partial,
    Cancelled,
    /// The next answers could cost more than what is left.
    Budget,
    Fallen(Reason, String),
}

/// What a team came to.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) ending: Ending,
    /// By task: done, or why not.
    pub(super) parts: Vec<Result<(), String>>,
    /// None where a price is not known.
    pub(super) used: Option<Vec<(Usage, Usd)>>,
    pub(super) remarks: Vec<String>,
    /// What the last audit found.
    pub(super) findings: Vec<String>,
}

impl Wave<'_> {
    /// Works with a team to its end. `team` is a new one, or one that was cut off. `publish` is told who can be written to.
    pub(super) fn work(&self, mut team: Team, cancel: &Cancel, publish: &dyn Fn(Option<Mailbox>)) -> Told {
        let id = uuid::Uuid::new_v4().to_string();
        let mailbox = Mailbox::new(&self.client, &id);
        let mut books = Books::new(&self.client, &id);
        let nothing = |ending: Ending, remarks: Vec<String>| Told {
            ending,
            parts: self.parts.iter().map(|_| Err("the team did not begin".to_owned())).collect(),
            used: Some(Vec::new()),
            remarks,
            findings: Vec::new(),
        };
        if self.is_short(&books, team.agents.len() + 1) {
            return nothing(Ending::Budget, Vec::new());
        }
        let mut remarks = Vec::new();
        if team.state == Stand::Detect {
            team = team.after(&Event::Detected(None), &clock::now());
        }
        self.bring_back(&mut team);
        self.keep(&team, &mut remarks);
        let board = match self.deal(&team, &mailbox) {
            Ok(board) => board,
            Err(why) => return nothing(self.fall(&team, why), remarks),
        };
        let terminal = match self.start(&team, &id) {
            Ok(terminal) => terminal,
            Err(why) => {
                mailbox.remove();
                return nothing(self.fall(&team, why), remarks);
            }
        };
        publish(Some(mailbox.clone()));
        books.look();
        let now = Instant::now();
        let audits = left(&team);
        let metrics = Metrics {
            tasks: team.tasks.clone(),
            mode: Mode::Team,
            iterations: team.iteration,
            seconds: IndexMap::new(),
            audits: Vec::new(),
            cost_usd: 0.0,
            result: String::new(),
        };
        let mut session = Session {
            wave: self,
            id,
            team,
            board,
            mailbox,
            books,
            terminal,
            is_made: false,
            begun: now,
            since: now,
            seen: BTreeMap::new(),
            audits,
            metrics,
            why: String::new(),
            remarks,
        };
        let ending = session.run(cancel);
        publish(None);
        session.end(ending)
    }

    /// Brings back what was made before a team was cut off: the worktrees are new. Where that cannot be, the work begins again.
    fn bring_back(&self, team: &mut Team) {
        let is_there = |(part, tree): (&Part, &String)| {
            self.git.as_ref().is_some_and(|git| git.bring_back(&part.worktree, tree).is_ok())
        };
        let is_whole = team.work.len() == self.parts.len() && self.parts.iter().zip(&team.work).all(is_there);
        *team = team.taken_up(is_whole);
    }

    /// What the parts are now, each as a tree of git; nothing where one of them cannot be kept.
    pub(super) fn work_so_far(&self) -> Vec<String> {
        let Some(git) = &self.git else { return Vec::new() };
        self.parts.iter().map(|it| git.keep_tree(&it.worktree)).collect::<Result<_, _>>().unwrap_or_default()
    }

    pub(super) fn keep(&self, team: &Team, remarks: &mut Vec<String>) {
        if let Err(error) = files::keep(self.exports, team) {
            remarks.push(format!("the state of the team is not kept: {error}"));
        }
    }

    /// The end of a team that never began.
    fn fall(&self, team: &Team, why: String) -> Ending {
        let fallen = team.after(&Event::Lost, &clock::now());
        let _ = files::keep(self.exports, &fallen);
        Ending::Fallen(fallen.fallback_reason.unwrap_or(Reason::InitFailed), why)
    }

    /// Whether the next answers of so many agents could cost more than what is left.
    pub(super) fn is_short(&self, books: &Books, agents: usize) -> bool {
        let Some(allowance) = self.parts.iter().map(|it| it.allowance).sum::<Option<Usd>>() else { return false };
        let purse = self.claude.purse_of(allowance);
        let spent = books.used(&self.claude.prices).map(|it| it.iter().map(|it| it.1).sum::<Usd>());
        let reserve = books.reserve(&purse, &self.claude.model, agents);
        spent.zip(reserve).is_none_or(|(spent, reserve)| spent + reserve > allowance)
    }

    /// Puts the tasks of a team onto its list.
    fn deal(&self, team: &Team, mailbox: &Mailbox) -> Result<Board, String> {
        let mut tracks: Vec<&str> = Vec::new();
        for it in team.agents.values().filter(|it| it.status != Status::Failed) {
            if !tracks.contains(&it.track.as_str()) {
                tracks.push(&it.track);
            }
        }
        let track = |at: usize| tracks.get(at % tracks.len().max(1)).copied().unwrap_or_default().to_owned();
        let tasks: Vec<(usize, String)> = (0..self.parts.len()).map(|at| (at, track(at))).collect();
        let mut board = Board::default();
        let new = board.add(&team.agents, &tasks);
        // A team that was cut off does not do again what was done: its work is reviewed, or handed back.
        let is_mended = |it: &board::Entry| team.iteration > 0 && !team.findings.contains_key(&it.track);
        for it in &mut board.entries {
            let is_done = match team.state {
                Stand::Iterate => true,
                Stand::Audit => it.kind != Kind::Review,
                Stand::Prototype => it.kind != Kind::Review && is_mended(it),
                _ => false,
            };
            if is_done {
                it.progress = Progress::Done;
            }
        }
        for at in new {
            let findings = team.findings.get(&board.entries[at].track).map(Vec::as_slice).unwrap_or_default();
            let task = self.worded(&board, at, findings);
            mailbox.put(&task).map_err(|error| format!("the list of tasks cannot be written: {error}"))?;
        }
        Ok(board)
    }

    /// A task as an agent reads it.
    pub(super) fn worded(&self, board: &Board, at: usize, findings: &[String]) -> TeamTask {
        let it = &board.entries[at];
        let (subject, told) = match it.kind {
            Kind::Build(place) => {
                let part = &self.parts[place];
                let mut told = part.told.clone();
                if !findings.is_empty() {
                    told = words::again(findings) + &told;
                }
                (format!("{}: {}", part.task, part.title), told)
            }
            Kind::Review => {
                let of_track = |place: &usize| {
                    let id = |it: &board::Entry| it.kind == Kind::Build(*place) && it.track == board.entries[at].track;
                    board.entries.iter().any(id)
                };
                let places: Vec<usize> = (0..self.parts.len()).filter(of_track).collect();
                let parts: Vec<&Part> = places.into_iter().map(|it| &self.parts[it]).collect();
                (format!("Review of the track {}", it.track), words::review(&parts))
            }
        };
        board.task(at, subject, told)
    }

    /// Starts the client.
    fn start(&self, team: &Team, session: &str) -> Result<Terminal, String> {
        let told = |path: &Path| {
            let path = path.display().to_string();
            move |error: std::io::Error| format!("{path}: {error}")
        };
        let put = |name: &str, text: &str| -> Result<PathBuf, String> {
            let path = self.logs.join(name);
            fs::write(&path, text).map_err(told(&path))?;
            std::path::absolute(&path).map_err(told(&path))
        };
        let settings = put("team-settings.json", &self.client_settings()?)?;
        let servers = put("team-servers.json", &self.servers.to_string())?;
        let prompt = words::lead(self.settings, &team.agents);
        put("team-prompt.md", &prompt)?;
        let mut client = command(&self.claude.command, self.folder, &self.claude.variables());
        client.args(["--session-id", session, "--permission-mode", &self.settings.teammate_permission_mode]);
        client.args(["--tools", TOOLS, "--strict-mcp-config", "--mcp-config"]).arg(servers);
        client.arg("--settings").arg(settings);
        if !self.claude.model.is_empty() {
            client.args(["--model", &self.claude.model]);
        }
        client.arg("--").arg(prompt);
        client.env(VARIABLE, "1").env("CLAUDE_CODE_ENABLE_TODO_TOOLS", "1");
        if !self.settings.teammate_model.is_empty() {
            client.env("CLAUDE_CODE_SUBAGENT_MODEL", &self.settings.teammate_model);
        }
        client.env("CLAUDE_CODE_MAX_OUTPUT_TOKENS", self.claude.max_output.to_string());
        client.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1").env("DISABLE_AUTOUPDATER", "1");
        client.env("TREATY_RUN", self.run).env(hook::TASK, hook::TEAM);
        if let Some(gate) = &self.gate {
            client.env(hook::GATE, std::path::absolute(gate).unwrap_or_else(|_| gate.clone()));
        }
        let log = self.logs.join("team.log");
        end_left_behind(&log);
        Terminal::start(&client, &log)
            .map_err(|error| format!("`{}` could not be started: {error}", self.claude.command))
    }

    fn client_settings(&self) -> Result<String, String> {
        let ours = std::env::current_exe().map_err(|error| format!("our own program is not found: {error}"))?;
        let mut all = Permissions::default();
        for it in self.parts {
            all.allow.extend(it.permissions.allow.iter().cloned());
            all.deny.extend(it.permissions.deny.iter().cloned());
        }
        let text = merged(None, &ours, &all)?;
        let mut settings: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        settings["teammateMode"] = json!(self.settings.teammate_display_mode);
        if !self.settings.task_completed_hook
            && let Some(hooks) = settings["hooks"].as_object_mut()
        {
            hooks.shift_remove("TaskCompleted");
        }
        Ok(settings.to_string())
    }
}

/// What the last audit found, where a team is taken up again before that was handed back.
fn left(team: &Team) -> IndexMap<String, (Audit, Vec<String>)> {
    if team.state != Stand::Iterate {
        return IndexMap::new();
    }
    let tracks: IndexSet<&String> = team.agents.values().map(|it| &it.track).collect();
    let of = |track: &String| {
        let texts = team.findings.get(track).cloned().unwrap_or_default();
        (track.clone(), (Audit { passed: team.findings.get(track).is_none(), ..Audit::default() }, texts))
    };
    tracks.into_iter().map(of).collect()
}

/// Tools of the lead and the agents.
const TOOLS: &str = "Read,Edit,Write,Bash,Agent,SendMessage,TaskCreate,TaskUpdate,TaskList,TaskGet";
