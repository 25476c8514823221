//! One piece of work for an executor: where it works, what it is told, and with which model.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::{Hear, Means, TeamworkError};
use crate::devteam::{Model, Settings};
use crate::events::{TaskResult, TaskStatus};
use crate::hook::{Active, Gate};
use crate::ledger::Usd;
use crate::missions::Files;
use crate::orchestrate::executors::{Choice, ExecutorSettings, Job, choose};
use crate::orchestrate::git::{Git, GitError};
use crate::orchestrate::{Engines, answer};
use crate::plan::{Kind, Plan, Scope, Task};
use crate::process::{Cancel, Limits};
use crate::settings::Research;
use crate::store;

/// What whoever plans is asked for.
const PLAN: &str = "Plan how this is done; change nothing. Say: Goal, Context, Action Steps; each step with Thought, Action (which \
                    tool), Input (JSON).";

/// Who does the work of a session.
pub(super) struct Hands<'h> {
    backend: String,
    executors: ExecutorSettings,
    budget: Option<Usd>,
    limits: Limits,
    root: PathBuf,
    session: String,
    hear: Hear<'h>,
    /// `git worktree add` and `prune` at the same time lose each other's checkouts: one is made or left at a time.
    checkouts: Mutex<()>,
}

/// A piece of work.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Names its folder of logs: `council-code_archaeologist`.
    pub id: String,
    pub title: String,
    pub description: String,
    pub criteria: Vec<String>,
    pub scope: Scope,
    pub kind: Kind,
    pub attempt: u32,
    pub learnt: Vec<String>,
    pub allowance: Option<Usd>,
    /// The model's name; none: the one of the settings.
    pub model: Option<String>,
    /// Whether the web may be searched.
    pub searches: bool,
    /// Whether commands may be run.
    pub runs: bool,
    /// Answers of a model after which it has to have come to an end; none: as the settings say.
    pub turns: Option<u32>,
}

impl Piece {
    /// Of a question that changes nothing: its answer is JSON.
    pub(super) fn question(id: &str, attempt: u32, text: &str) -> Piece {
        Piece { scope: answer::scope(), ..Piece::text(id, attempt, &answer::asked(text)) }
    }

    /// Of a question that changes nothing: its answer is what is said.
    pub(super) fn text(id: &str, attempt: u32, text: &str) -> Piece {
        Piece {
            id: id.to_owned(),
            title: id.replace(['-', '_'], " "),
            description: text.to_owned(),
            criteria: Vec::new(),
            scope: Scope::default(),
            kind: Kind::Other,
            attempt,
            learnt: Vec::new(),
            allowance: None,
            model: None,
            searches: false,
            runs: false,
            turns: None,
        }
    }
}

/// The files of a checkout.
pub(super) struct Checkout<'c>(pub &'c Path);

/// A file that is larger is told as such.
const MAX_BYTES: u64 = 1 << 22;

impl Files for Checkout<'_> {
    fn has(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }

    fn text(&self, path: &str) -> Result<String, String> {
        let file = self.0.join(path);
        let missing = |_| format!("the file {path} is not there");
        // A link may lead out of the checkout.
        let it = fs::symlink_metadata(&file).map_err(missing)?;
        if !it.is_file() || it.len() > MAX_BYTES {
            return Err(format!("{path} is no file of at most {MAX_BYTES} bytes"));
        }
        let bytes = fs::read(&file).map_err(|error| format!("the file {path}: {error}"))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl<'h> Hands<'h> {
    /// # Errors
    /// No executor can work here.
    pub(super) fn new(means: &Means, budget: Option<Usd>, hear: Hear<'h>) -> Result<Hands<'h>, TeamworkError> {
        let choice = choose(&means.backend, budget, &means.executors)?;
        if choice.executor.name() == "scaffold" {
            let passed = choice.passed_over.join("; ");
            return Err(TeamworkError::Refused(format!(
                "nobody can work on a goal: {}; name a backend (--backend claude, api, command), and a --budget where it costs",
                if passed.is_empty() { "the scaffold only builds services from requirements" } else { &passed }
            )));
        }
        hear(&format!("work is done by `{}`: {}", choice.executor.name(), choice.reason));
        Ok(Hands {
            backend: choice.executor.name().to_owned(),
            executors: means.executors.clone(),
            budget,
            limits: means.limits,
            root: means.places.root.clone(),
            session: String::new(),
            hear,
            checkouts: Mutex::new(()),
        })
    }

    pub(super) fn own(&mut self, session: &str) {
        session.clone_into(&mut self.session);
    }

    /// Tools that the executor has.
    pub(super) fn tools(&self, has_network: bool) -> Vec<String> {
        let mut tools = ["read", "write", "run"].map(str::to_owned).to_vec();
        // A model that is asked over HTTP has our tools: one that searches needs a command.
        let can_search = self.backend != "api" || self.executors.api.as_ref().is_some_and(|it| it.api.search.is_some());
        if has_network && can_search {
            tools.push("web_search".to_owned());
        }
        tools
    }

    /// The name by which a model of the team is asked for: a client knows the usual ones, a server only what was configured.
    pub(super) fn model(&self, settings: &Settings, model: Model) -> Option<String> {
        let name = settings.name(model);
        (self.backend == "claude" || !["haiku", "sonnet", "opus"].contains(&name)).then(|| name.to_owned())
    }

    fn folder(&self) -> PathBuf {
        self.root.join(".treaty").join("devteam").join(&self.session)
    }

    /// Makes a checkout of a revision, without a branch. What an attempt that was cut off left there is gone.
    ///
    /// # Errors
    /// Those of `git`.
    pub(super) fn enter(&self, git: &Git, name: &str, revision: &str) -> Result<PathBuf, GitError> {
        let _one = self.checkouts.lock().unwrap_or_else(PoisonError::into_inner);
        let checkout = self.folder().join("work").join(name);
        if checkout.exists() {
            git.remove_worktree(&checkout, None)?;
        }
        git.follow(&checkout, revision)?;
        Ok(checkout)
    }

    /// Takes a checkout away.
    ///
    /// # Errors
    /// Those of `git`.
    pub(super) fn leave(&self, git: &Git, checkout: &Path) -> Result<(), GitError> {
        let _one = self.checkouts.lock().unwrap_or_else(PoisonError::into_inner);
        git.remove_worktree(checkout, None)
    }

    /// Has a piece of work done in a folder. Never fails by itself: what went wrong is a result. Gives the log, too.
    pub(super) fn work(&self, piece: &Piece, folder: &Path, cancel: &Cancel) -> (TaskResult, PathBuf) {
        let log = self.folder().join(&piece.id).join(piece.attempt.to_string()).join("executor.log");
        let failed = |why: String, is_fatal: bool| TaskResult {
            status: TaskStatus::Failed,
            error: Some(why),
            fatal: is_fatal,
            ..TaskResult::default()
        };
        let choice = match self.chosen(piece) {
            Ok(choice) => choice,
            Err(error) => return (failed(error.to_string(), true), log),
        };
        if let Err(error) = self.prepare(piece, folder, &log) {
            return (failed(error.to_string(), false), log);
        }
        let task = Task {
            id: piece.id.clone(),
            title: piece.title.clone(),
            parent: String::new(),
            service: String::new(),
            kind: piece.kind,
            description: piece.description.clone(),
            criteria: piece.criteria.clone(),
            scope: piece.scope.clone(),
            depends_on: Vec::new(),
            keeps: Vec::new(),
            complexity: 5,
            line: 0,
        };
        let job = Job {
            run: &self.session,
            task: &task,
            attempt: piece.attempt,
            at: "",
            worktree: folder,
            plan: &Plan::default(),
            contracts: &[],
            learnt: &piece.learnt,
            peers: 0,
            allowance: piece.allowance,
            log: &log,
            database: &store::default_path(&self.root),
            exports: &self.root.join(".agent-team"),
            requirements: "",
            research: &Research::default(),
            engines: &Engines::default(),
            convergence: 0.9,
            limits: self.limits,
        };
        let result = choice.executor.execute(&job, cancel);
        result.remarks.iter().for_each(|it| (self.hear)(&format!("{}: {it}", piece.id)));
        (result, log)
    }

    fn chosen(&self, piece: &Piece) -> Result<Choice, TeamworkError> {
        Ok(choose(&self.backend, self.budget, &set_up(&self.executors, piece))?)
    }

    /// Makes the folder of logs, and the file that hooks of an agent read.
    fn prepare(&self, piece: &Piece, folder: &Path, log: &Path) -> Result<(), TeamworkError> {
        let (attempt, own) = (log.parent().unwrap_or(log), self.folder().join(&piece.id));
        fs::create_dir_all(attempt).map_err(|error| TeamworkError::file(attempt, &error))?;
        let worktree = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let gate = Gate {
            run: self.session.clone(),
            active: vec![Active { task: piece.id.clone(), worktree, scope: piece.scope.clone() }],
            ..Gate::default()
        };
        let path = own.join("gate.json");
        fs::write(&path, serde_json::to_string(&gate).unwrap_or_default())
            .map_err(|error| TeamworkError::file(&path, &error))
    }

    /// Asks a question about files as they are in a revision, in a checkout of its own that is taken away afterwards. Gives the
    /// answer as data.
    ///
    /// # Errors
    /// Those of `git`.
    pub(super) fn ask(
        &self,
        piece: &Piece,
        git: &Git,
        revision: &str,
        cancel: &Cancel,
    ) -> Result<(Result<Value, String>, TaskResult), GitError> {
        self.aside(piece, git, revision, cancel, answer::found)
    }

    /// Has a plan made for a piece of work, by files as they are in a revision. The plan is the output of the result.
    ///
    /// # Errors
    /// Those of `git`.
    pub(super) fn plan(
        &self,
        piece: &Piece,
        git: &Git,
        revision: &str,
        cancel: &Cancel,
    ) -> Result<TaskResult, GitError> {
        let question = Piece {
            id: format!("{}-plan", piece.id),
            description: format!("{PLAN}\n\n{}", piece.description),
            scope: Scope::default(),
            ..piece.clone()
        };
        self.aside(&question, git, revision, cancel, |_, _| ()).map(|((), result)| result)
    }

    /// Has a piece of work done in a checkout of a revision, looks at what came of it there, and takes the checkout away.
    fn aside<T>(
        &self,
        piece: &Piece,
        git: &Git,
        revision: &str,
        cancel: &Cancel,
        look: impl FnOnce(&Path, &TaskResult) -> T,
    ) -> Result<(T, TaskResult), GitError> {
        let checkout = self.enter(git, &piece.id, revision)?;
        let (result, _) = self.work(piece, &checkout, cancel);
        let found = look(&checkout, &result);
        self.leave(git, &checkout)?;
        Ok((found, result))
    }

    /// Takes away what is left of checkouts.
    pub(super) fn clear(&self, git: &Git) {
        let folder = self.folder().join("work");
        for it in fs::read_dir(&folder).into_iter().flatten().flatten() {
            // One that stays is made anew when it is needed.
            let _ = self.leave(git, &it.path());
        }
        let _ = fs::remove_dir(folder);
    }
}

/// Executors as a piece of work needs them.
fn set_up(executors: &ExecutorSettings, piece: &Piece) -> ExecutorSettings {
    let mut settings = executors.clone();
    settings.claude.searches = piece.searches;
    settings.api.iter_mut().for_each(|it| it.searches = piece.searches);
    if !piece.runs {
        settings.claude.commands.clear();
        settings.api.iter_mut().for_each(|it| it.api.commands.clear());
    }
    if let Some(turns) = piece.turns {
        settings.claude.max_turns = turns;
        settings.api.iter_mut().for_each(|it| it.api.turns = turns);
    }
    if let Some(model) = piece.model.as_deref() {
        model.clone_into(&mut settings.claude.model);
        settings.api.iter_mut().for_each(|it| model.clone_into(&mut it.model));
        settings.command.iter_mut().for_each(|it| model.clone_into(&mut it.model));
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orchestrate::executors::{ApiExecutor, CommandExecutor};
    use crate::settings;

    /// What a role says decides what its executor may do.
    #[test]
    fn a_piece_sets_the_executor_up() {
        let text = "[claude]\ncommands = [\"npm test\"]\n[api]\nurl = \"http://127.0.0.1:1\"\nformat = \"messages\"\nmodel = \"m\"\n\
                    commands = [\"npm test\"]\n[orchestrate]\ncommand = \"true\"\n";
        let settings = settings::parse("treaty.toml", text).expect("settings");
        let executors = ExecutorSettings::from(&settings);
        let piece =
            Piece { turns: Some(7), model: Some("large".to_owned()), searches: true, ..Piece::text("a", 1, "b") };
        let found = set_up(&executors, &piece);
        assert!(found.claude.commands.is_empty() && found.claude.searches && found.claude.max_turns == 7);
        let api: &ApiExecutor = found.api.as_ref().expect("an api");
        assert!(api.searches);
        assert_eq!((api.api.commands.len(), api.api.turns, api.model.as_str()), (0, 7, "large"));
        let command: &CommandExecutor = found.command.as_ref().expect("a command");
        assert_eq!(command.model, "large");
        let found = set_up(&executors, &Piece { runs: true, ..Piece::text("a", 1, "b") });
        assert_eq!((found.claude.commands.len(), found.claude.searches), (1, false));
        assert_eq!(found.api.map(|it| (it.api.commands.len(), it.model)), Some((1, "m".to_owned())));
    }
}
