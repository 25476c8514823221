//! Missions: taken apart, worked on layer by layer, judged, decided on, put together.

use std::sync::mpsc;
use std::thread;

use super::pieces::{Checkout, Hands, Piece};
use super::single::below;
use super::{Asked, Drive, Ended, TeamworkError, book, report};
use crate::devteam::{Model, Session};
use crate::events::{TaskResult, TaskStatus};
use crate::ledger::Usd;
use crate::missions::{
    Criterion, Event, Intervention, Judgement, Made, Mission, Mode, Outcome, Role, RoleResult, State, Trouble,
    Upstream, assign, by_requirements, by_roles, decide, layers, read, scope, score, told,
};
use crate::orchestrate::git::{Git, GitError};
use crate::plan::{Kind, Scope};
use crate::process::Cancel;

/// What a role says when it cannot do its work.
const MISSING: &str = "CAPABILITY MISSING:";
/// The tool of roles that look things up outside.
const SEARCH: &str = "web_search";

/// What one attempt at a mission is made of.
struct Attempt {
    mission: Mission,
    role: Role,
    number: u32,
    base: String,
    piece: Piece,
    judge_model: Option<String>,
}

/// What an attempt left, with everything that was paid for.
struct Yield {
    result: RoleResult,
    paid: Vec<TaskResult>,
    is_cancelled: bool,
}

impl Drive<'_> {
    /// The missions of a goal with their roles and layers: as they were written down, or as they follow from the requirements or
    /// from the roles of the team. None where only a model can take the goal apart.
    pub(super) fn planned(&self, asked: &Asked) -> Result<Option<Event>, TeamworkError> {
        let (missions, by) = match (&asked.missions, &asked.requirements, asked.mode) {
            (Some(text), _, _) => (read(text)?, "file"),
            (None, _, Mode::Team) => (by_roles(&asked.goal, &self.team.roles, &self.tools())?, "roles"),
            (None, Some(text), _) => (by_requirements(text), "requirements"),
            (None, None, _) => return Ok(None),
        };
        if missions.is_empty() {
            let why = "the requirements name no service and no entity; write missions down (--missions FILE), or leave the document \
                       out and let a model take the goal apart";
            return Err(TeamworkError::Refused(why.to_owned()));
        }
        self.in_layers(asked, missions, by).map(Some)
    }

    /// Has a model take the goal of the session apart.
    pub(super) fn taken_apart(&mut self, asked: &Asked) -> Result<Event, TeamworkError> {
        let roles: Vec<String> = self.team.roles.all().map(|it| format!("- {}: {}", it.name, it.description)).collect();
        let text = format!(
            "Take this goal apart into missions, as few as carry it:\n\n{}\n\nRoles:\n{}\n\nAnswer `{{\"missions\": [{{\"mission_id\", \
             \"type\": research|documentation|development|testing|deployment, \"goal\", \"success_criteria\": [{{\"criterion\", \
             \"weight\"}}], \"dependencies\": [mission ids], \"priority\": HIGH|MEDIUM|LOW, \"role\", \"files\": [patterns that it may \
             write]}}]}}`.",
            asked.goal,
            roles.join("\n")
        );
        let piece = Piece {
            model: self.hands.model(&self.team.settings, Model::Large),
            allowance: self.team.current()?.left(),
            ..Piece::question("leader", 1, &text)
        };
        let revision = self.git.snapshot()?;
        let (answer, result) = self.hands.ask(&piece, &self.git, &revision, self.cancel)?;
        self.book(&result, "leader")?;
        let answer = answer.map_err(|why| TeamworkError::Refused(format!("the goal was not taken apart: {why}")))?;
        self.in_layers(asked, read(&answer.to_string())?, "model")
    }

    fn tools(&self) -> Vec<String> {
        self.hands.tools(self.team.settings.goals.has_network)
    }

    fn in_layers(&self, asked: &Asked, missions: Vec<Mission>, by: &str) -> Result<Event, TeamworkError> {
        let roles = assign(&missions, &self.team.roles, &self.tools())?;
        let layers = layers(&missions, &roles, &self.team.roles)?;
        Ok(Event::Planned {
            goal: asked.goal.clone(),
            mode: asked.mode,
            limits: self.team.settings.goals.limits.clone(),
            missions,
            roles,
            layers,
            taken_apart_by: by.to_owned(),
        })
    }

    /// Drives the missions of the session.
    pub(super) fn lead(&mut self) -> Result<Ended, TeamworkError> {
        loop {
            self.decide_on_finished()?;
            let session = self.team.current()?;
            match &session.missions.outcome {
                Some(Outcome::Completed) => return Ok(Ended::Completed),
                Some(Outcome::Terminated(why)) => return Ok(Ended::Failed(why.clone())),
                None => {}
            }
            if let Some(ended) = self.stops(&session) {
                return Ok(ended);
            }
            let ready: Vec<Mission> = session.missions.ready().into_iter().take(self.jobs).cloned().collect();
            if ready.is_empty() {
                return Ok(Ended::Failed("no mission can be worked on".to_owned()));
            }
            if self.work(&session, ready)? {
                return Ok(Ended::Interrupted);
            }
        }
    }

    /// Lets the roles of these missions work at the same time. Says whether somebody ended that.
    fn work(&mut self, session: &Session, ready: Vec<Mission>) -> Result<bool, TeamworkError> {
        let base = self.git.snapshot()?;
        let share = session.left().map(|it| Usd(it.0 / ready.len().max(1) as u64));
        let mut attempts = Vec::new();
        for mission in ready {
            let attempt = self.prepared(session, mission, share, &base);
            let (name, number) = (attempt.role.name.clone(), attempt.number);
            (self.hear)(&format!("{}: {name}, attempt {number}", attempt.mission.id));
            let started =
                Event::RoleStarted { mission: attempt.mission.id.clone(), role: name, attempt: attempt.number };
            let session = self.team.happened(started)?;
            report::stand(&self.team, &session)?;
            attempts.push(attempt);
        }
        let (sender, receiver) = mpsc::channel();
        let mut is_cancelled = false;
        let (hands, git, cancel, hear, team) = (&self.hands, &self.git, self.cancel, self.hear, &mut self.team);
        thread::scope(|scope| -> Result<(), TeamworkError> {
            for attempt in &attempts {
                let sender = sender.clone();
                scope.spawn(move || {
                    let made = made(attempt, hands, git, cancel);
                    let _ = sender.send((attempt.mission.id.clone(), attempt.number, made));
                });
            }
            drop(sender);
            // Each result is kept as soon as it is there, whoever still works.
            for (mission, attempt, made) in receiver {
                let made = made?;
                for it in &made.paid {
                    book(team, it, &mission, hear)?;
                }
                is_cancelled |= made.is_cancelled;
                if !made.is_cancelled {
                    team.happened(Event::RoleFinished { mission, attempt, result: made.result })?;
                }
            }
            Ok(())
        })?;
        Ok(is_cancelled)
    }

    fn prepared(&self, session: &Session, mission: Mission, share: Option<Usd>, base: &str) -> Attempt {
        let run = &session.missions;
        let at = &run.standings[&mission.id];
        let role = self.team.roles.get(&at.role).cloned().unwrap_or_default();
        let number = if at.state == State::Working { at.attempts } else { at.attempts + 1 };
        let agent = self.team.agents.get(&role.agent).map(|it| it.instructions.clone()).unwrap_or_default();
        let upstream: Vec<Upstream<'_>> = mission
            .dependencies
            .iter()
            .filter_map(|id| {
                let standing = run.standings.get(id)?;
                let result = standing.result.as_ref()?;
                Some(Upstream { mission: id, role: &standing.role, output: &result.output, place: &result.place })
            })
            .collect();
        let mut text = format!("{}\n\n{}\n\n{agent}\n\n## Mission\n\n{}\n", role.goal, role.strategy, mission.goal);
        let needed: Vec<&str> =
            role.standard.required_files.iter().chain(&mission.standard.required_files).map(String::as_str).collect();
        if !needed.is_empty() {
            text = format!("{text}\nThese files are there when you are done: {}.\n", needed.join(", "));
        }
        if !upstream.is_empty() {
            text = format!("{text}\n## What the others made\n\n{}", told(&upstream));
        }
        text = format!(
            "{text}\nSay at the end what you made, for those who build on it. If you cannot do it because a tool is missing, say \
             `{MISSING}` and which."
        );
        let largest = at.helper.is_some();
        let model = if largest { Model::Large } else { Model::Middle };
        let piece = Piece {
            criteria: criteria(&mission, &role).iter().map(|it| it.criterion.clone()).collect(),
            scope: if role.writes() { writable(&mission, &role) } else { Scope::default() },
            kind: if role.kinds.contains(&crate::missions::Kind::Testing) { Kind::Tests } else { Kind::Other },
            learnt: at.lessons.clone(),
            allowance: share,
            model: self.hands.model(&self.team.settings, model),
            searches: role.has(SEARCH),
            runs: role.has("run"),
            turns: Some(role.max_iterations),
            ..Piece::text(&mission.id, number, &text)
        };
        let judge_model = self.hands.model(&self.team.settings, Model::Small);
        Attempt { mission, role, number, base: base.to_owned(), piece, judge_model }
    }

    /// Decides on each result that nobody has decided on; what is good enough is written into the project first.
    fn decide_on_finished(&mut self) -> Result<(), TeamworkError> {
        let session = self.team.current()?;
        let waiting: Vec<Mission> = session.missions.finished().cloned().collect();
        for mission in waiting {
            let session = self.team.current()?;
            let run = &session.missions;
            let standing = &run.standings[&mission.id];
            let mut result = standing.result.clone().unwrap_or_default();
            let helper = self.helper(&mission, &standing.role);
            let verdict = |result: &RoleResult| {
                decide(run.mode, &run.limits, standing, result, helper.as_deref(), run.attempts())
            };
            let mut decision = verdict(&result);
            if decision.intervention == Intervention::Continue
                && let Some(why) = self.apply(&result)?
            {
                result.trouble = Some(Trouble::Transient(why));
                decision = verdict(&result);
            }
            (self.hear)(&format!("{}: {} ({})", mission.id, decision.intervention.name(), decision.reason));
            let helper = helper.filter(|_| decision.intervention == Intervention::Escalate);
            self.team.happened(Event::Intervened { mission: mission.id.clone(), decision, helper })?;
        }
        Ok(())
    }

    /// Writes the files of a result into the project. Says which of them somebody else changed meanwhile; then none is written.
    fn apply(&self, result: &RoleResult) -> Result<Option<String>, TeamworkError> {
        if result.files.is_empty() {
            return Ok(None);
        }
        let now = self.git.snapshot()?;
        let (meanwhile, others) = (self.git.differ(&result.base, &now)?, self.git.differ(&result.commit, &now)?);
        let clash: Vec<&str> = result
            .files
            .iter()
            .filter(|it| meanwhile.contains(it) && others.contains(it))
            .map(String::as_str)
            .collect();
        if !clash.is_empty() {
            return Ok(Some(format!("changed by somebody else meanwhile: {}", clash.join(", "))));
        }
        self.git.write_files(&result.commit, &result.files)?;
        Ok(None)
    }

    /// Another role that has what a mission needs, the best first.
    fn helper(&self, mission: &Mission, role: &str) -> Option<String> {
        let tools = self.tools();
        let own = self.team.roles.get(role)?;
        let able = |it: &&Role| {
            it.name != own.name
                && it.tools.iter().all(|tool| tools.contains(tool))
                && own.tools.iter().chain(&mission.tools).all(|tool| it.tools.contains(tool))
        };
        let ranked = self.team.roles.ranked(mission).into_iter().map(|it| it.1);
        ranked.chain(self.team.roles.all()).find(able).map(|it| it.name.clone())
    }
}

fn criteria(mission: &Mission, role: &Role) -> Vec<Criterion> {
    if mission.criteria.is_empty() { role.criteria.clone() } else { mission.criteria.clone() }
}

/// What a role may write for a mission.
fn writable(mission: &Mission, role: &Role) -> Scope {
    scope(if mission.files.is_empty() { &role.files } else { &mission.files })
}

/// One attempt: a plan where the role makes one, the work, what validators and the judge say.
fn made(attempt: &Attempt, hands: &Hands<'_>, git: &Git, cancel: &Cancel) -> Result<Yield, GitError> {
    let Attempt { mission, role, piece, base, .. } = attempt;
    let mut paid = Vec::new();
    let mut piece = piece.clone();
    if role.use_planner {
        let result = hands.plan(&piece, git, base, cancel)?;
        if result.status == TaskStatus::Completed {
            piece.description = format!("{}\n\n## Plan\n\n{}", piece.description, result.output.trim());
        }
        paid.push(result);
    }
    let checkout = hands.enter(git, &mission.id, base)?;
    let (worked, log) = hands.work(&piece, &checkout, cancel);
    let mut result = RoleResult {
        output: worked.output.trim().to_owned(),
        place: below(git.root(), &log),
        base: base.clone(),
        trouble: trouble(&worked),
        ..RoleResult::default()
    };
    let is_cancelled = cancel.is_wanted();
    paid.push(worked);
    if !is_cancelled && result.trouble.is_none() {
        let changed: Vec<String> = git.changed(&checkout, base)?.into_iter().map(|it| it.path).collect();
        let (inside, outside): (Vec<String>, Vec<String>) = changed.into_iter().partition(|it| piece.scope.permits(it));
        git.take_back(&checkout, base, &outside)?;
        result.commit = git.commit_worktree(&checkout, base, &format!("{}: {}", mission.id, role.name))?;
        result.files = inside;
        let made = Made { output: &result.output, files: &Checkout(&checkout) };
        let lacks: Vec<String> = role.standard.lacks(made).into_iter().chain(mission.standard.lacks(made)).collect();
        let criteria = criteria(mission, role);
        let mut judgement = score(&criteria, &lacks, made);
        result.format_valid = lacks.is_empty();
        if role.enable_quality_check && result.format_valid {
            let judge = judge(attempt, &criteria, &result);
            let (answer, asked) = hands.ask(&judge, git, &result.commit, cancel)?;
            paid.push(asked);
            match answer.and_then(|it| Judgement::of_model(&it, &criteria)) {
                Ok(judged) => judgement = judged,
                Err(why) => {
                    judgement.suggestions.push(format!("the judge gave no answer, the validators judged alone: {why}"));
                }
            }
        }
        result.quality_score = judgement.score;
        result.judged = judgement.judged;
        result.unjudged = judgement.unjudged;
        result.problems = judgement.issues.into_iter().chain(judgement.suggestions).collect();
    }
    Ok(Yield { result, paid, is_cancelled: cancel.is_wanted() })
}

/// The question to whoever judges a result.
fn judge(attempt: &Attempt, criteria: &[Criterion], result: &RoleResult) -> Piece {
    let list: Vec<String> = criteria.iter().map(|it| format!("- {} (weight {:.2})", it.criterion, it.weight)).collect();
    let text = format!(
        "Judge what was made for this mission; look at the files, not at what is said.\n\n{}\n\nCriteria:\n{}\n\nFiles that were written: \
         {}\n\nWhat was said:\n{}\n\nAnswer `{{\"overall_score\": 0-100, \"criteria_scores\": {{criterion: 0-100}}, \"issues\": [texts], \
         \"suggestions\": [texts]}}`.",
        attempt.mission.goal,
        list.join("\n"),
        result.files.join(", "),
        result.output
    );
    let id = format!("{}-judge", attempt.mission.id);
    Piece {
        model: attempt.judge_model.clone(),
        allowance: attempt.piece.allowance,
        ..Piece::question(&id, attempt.number, &text)
    }
}

/// Why a role came to no result.
fn trouble(result: &TaskResult) -> Option<Trouble> {
    let why = || result.error.clone().unwrap_or_else(|| "it gave no reason".to_owned());
    match result.status {
        TaskStatus::Completed => {
            let missing = result.output.lines().find_map(|it| it.trim().strip_prefix(MISSING));
            missing.map(|it| Trouble::Missing(it.trim().to_owned()))
        }
        TaskStatus::Failed if result.fatal => Some(Trouble::Fatal(why())),
        TaskStatus::Budget => Some(Trouble::Fatal(why())),
        TaskStatus::Failed | TaskStatus::Timeout | TaskStatus::RateLimited | TaskStatus::Cancelled => {
            Some(Trouble::Transient(why()))
        }
    }
}
