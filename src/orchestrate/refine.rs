//! A model is asked to better the plan that follows from the requirements: to split, merge, reorder and describe tasks. The answer
//! is held to the same schema as what a person edits, and may neither drop a contract nor widen a scope; what does not hold
//! changes nothing, and the note says why.

use std::collections::BTreeSet;

use serde_json::Value;

use super::answer;
use super::state::State;
use super::step::Action;
use crate::events::{Event, Outcome, TaskResult};
use crate::ledger::Usd;
use crate::plan::{Kind, Plan, Scope, Task, master_plan, read, task_list, waves};

/// Names the folders of the question, and its place in the ledger.
pub(super) const NAME: &str = "PLAN";
/// Of the money that is left, the question may cost one part in so many.
const SHARE: usize = 10;
/// Milestone of the question.
const PARENT: &str = "PLAN";

/// The question about the plan, where one is wanted and not answered yet. Without money for it, the plan stays as it is.
pub(super) fn wanted(state: &State, least: Usd) -> Option<Action> {
    if !state.started.refine_plan || !state.is_refinable {
        return None;
    }
    let unchanged = |note: &str| {
        let event = Event::PlanRefined { plan: None, note: note.to_owned(), result: TaskResult::default() };
        Some(Action::Record(Box::new(event)))
    };
    if !state.answers {
        return unchanged("the plan stays as it is: the backend answers no questions");
    }
    match state.ledger.allowance(SHARE, least) {
        Some(allowance) => Some(Action::Refine { allowance }),
        None => unchanged("the plan stays as it is: there is no money for the question"),
    }
}

/// The question, as a task for an executor.
pub(super) fn question(plan: &Plan, requirements: &str) -> Task {
    let asked = format!(
        "Below are the requirements of a project, its MASTER_PLAN.md and its TASKS.md, which were derived by rules. Better the plan: split \
         tasks that are too large, name what each has to do and by which criteria it is accepted, and state dependencies that are \
         missing. Keep the form of both documents, every milestone's service, and each task's service; a task stays within the \
         files of its service, and every contract of a service is still kept by one of its tasks.\n\nAnswer with \
         {{\"master_plan\": \"…\", \"tasks\": \"…\"}}: the two documents as texts.\n\n# Requirements\n\n{requirements}\n\n\
         # MASTER_PLAN.md\n\n{}\n\n# TASKS.md\n\n{}",
        master_plan(plan, &|_| "PENDING"),
        task_list(plan, &|_| "PENDING"),
    );
    Task {
        id: NAME.to_owned(),
        title: "Better the plan".to_owned(),
        parent: PARENT.to_owned(),
        service: String::new(),
        kind: Kind::Other,
        description: answer::asked(&asked),
        criteria: Vec::new(),
        scope: answer::scope(),
        depends_on: Vec::new(),
        keeps: Vec::new(),
        complexity: 9,
        line: 0,
    }
}

/// The event that comes of an answer.
pub(super) fn refined(plan: &Plan, found: Result<Value, String>, result: TaskResult) -> Event {
    let bettered = found.and_then(|answer| accepted(plan, &answer));
    let (plan, note) = match bettered {
        Ok(better) if better.says_the_same_as(plan) => (None, "the model left the plan as it is".to_owned()),
        Ok(better) => {
            let note = format!("the model made {} tasks of {}", better.tasks.len(), plan.tasks.len());
            (Some(better), note)
        }
        Err(why) => (None, format!("the plan stays as it is: {why}")),
    };
    Event::PlanRefined { plan, note, result }
}

/// The plan of an answer.
///
/// # Errors
/// Why the answer is no plan that may take the place of this one.
fn accepted(plan: &Plan, answer: &Value) -> Result<Plan, String> {
    let text = |key: &str| {
        let value = answer.get(key).and_then(Value::as_str);
        value.ok_or_else(|| format!("the answer has no text `{key}`"))
    };
    let (master, tasks) = (text("master_plan")?, text("tasks")?);
    let mut better = read(&plan.project, plan.services.clone(), master, tasks).map_err(|error| error.to_string())?;
    better.tasks.iter_mut().for_each(|it| it.line = 0);
    if better.tasks.is_empty() {
        return Err("it has no task".to_owned());
    }
    waves(&better).map_err(|cycle| cycle.to_string())?;
    // What no task of the plan may change, no task of the answer may.
    for it in &mut better.tasks {
        let Some(service) = plan.service(&it.service) else {
            return Err(format!("{} is of no service of the plan: `{}`", it.id, it.service));
        };
        let own: Vec<&Task> = plan.tasks.iter().filter(|own| own.service == service.name).collect();
        let stays = |pattern: &String| {
            let below = format!("{}/", service.folder);
            let is_known = own.iter().any(|own| own.scope.allowed.contains(pattern));
            is_known || pattern.starts_with(&below)
        };
        if let Some(outside) = it.scope.allowed.iter().find(|pattern| !stays(pattern)) {
            return Err(format!("{} may not change `{outside}`, which is not of {}", it.id, service.name));
        }
        let Scope { forbidden, .. } = &mut it.scope;
        for pattern in own.iter().flat_map(|own| &own.scope.forbidden) {
            if !forbidden.contains(pattern) {
                forbidden.push(pattern.clone());
            }
        }
    }
    let kept = |plan: &Plan| -> BTreeSet<(String, String)> {
        plan.tasks.iter().flat_map(|it| it.keeps.iter().map(|id| (it.service.clone(), id.clone()))).collect()
    };
    let (before, after) = (kept(plan), kept(&better));
    if let Some((service, contract)) = before.difference(&after).next() {
        return Err(format!("no task of {service} keeps {contract} any more"));
    }
    Ok(better)
}

impl State {
    pub(super) fn plan_refined(&mut self, plan: Option<&Plan>, result: &TaskResult) {
        self.is_refinable = false;
        self.ledger.book(NAME, 1, &result.used);
        if let Some(plan) = plan {
            let base = self.base.clone();
            self.plan_made(plan, &base);
        }
        if result.fatal {
            self.stop(Outcome::Failed, result.error.as_deref().unwrap_or("the executor cannot go on"));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::plan::{Milestone, Service};

    fn plan() -> Plan {
        let task = |id: &str, needs: &[&str], keeps: &[&str]| Task {
            id: id.to_owned(),
            title: format!("Work {id}"),
            parent: "M1".to_owned(),
            service: "orders".to_owned(),
            kind: Kind::Operations,
            description: "It is done.".to_owned(),
            criteria: vec!["it works".to_owned()],
            scope: Scope { allowed: vec!["services/orders/**".to_owned()], forbidden: vec!["contracts/**".to_owned()] },
            depends_on: needs.iter().map(|it| (*it).to_owned()).collect(),
            keeps: keeps.iter().map(|it| (*it).to_owned()).collect(),
            complexity: 4,
            line: 0,
        };
        Plan {
            project: "Shop".to_owned(),
            services: vec![Service {
                name: "orders".to_owned(),
                folder: "services/orders".to_owned(),
                serves: vec!["orders-api".to_owned()],
                ..Service::default()
            }],
            milestones: vec![Milestone {
                id: "M1".to_owned(),
                title: "orders".to_owned(),
                service: "orders".to_owned(),
                ..Milestone::default()
            }],
            tasks: vec![task("TASK-001", &[], &[]), task("TASK-002", &["TASK-001"], &["orders-api"])],
        }
    }

    fn answer(change: impl Fn(String) -> String) -> Value {
        let plan = plan();
        let tasks = change(task_list(&plan, &|_| "PENDING"));
        json!({"master_plan": master_plan(&plan, &|_| "PENDING"), "tasks": tasks})
    }

    #[test]
    fn a_better_plan_takes_the_place_of_the_first() {
        let more = answer(|tasks| {
            let third = tasks.split("### TASK-002").nth(1).expect("a second task").replace("TASK-001", "TASK-002");
            let third =
                third.replace("services/orders/**", "services/orders/tests/**").replace(": contracts/**", ": none");
            format!("{tasks}\n### TASK-003{third}")
        });
        let better = accepted(&plan(), &more).expect("a plan");
        assert_eq!(better.tasks.len(), 3);
        assert_eq!(better.tasks[2].depends_on, ["TASK-002"]);
        assert_eq!(better.tasks[2].scope.forbidden, ["contracts/**"], "what was forbidden stays so");
    }

    #[test]
    fn what_does_not_hold_changes_nothing() {
        let refused = |answer: Value, why: &str| {
            let event = refined(&plan(), Ok(answer), TaskResult::default());
            let Event::PlanRefined { plan: None, note, .. } = event else { panic!("{event:?}") };
            assert!(note.contains(why), "{note}");
        };
        refused(json!({"tasks": "# Tasks"}), "no text `master_plan`");
        refused(
            answer(|it| it.replace("- Files: services/orders/**", "- Files: services/**")),
            "may not change `services/**`",
        );
        refused(answer(|it| it.replace("- Files: services/orders/**", "- Files: services/orders/../**")), "leads out");
        refused(answer(|it| it.replace("- Contracts: orders-api", "- Contracts: none")), "keeps orders-api any more");
        refused(answer(|it| it.replace("- Dependencies: none", "- Dependencies: TASK-002")), "TASK-00");
        refused(answer(|it| it.replace("- Complexity: 4", "- Complexity: many")), "a complexity is a number");
        refused(answer(|it| it), "left the plan as it is");
    }

    #[test]
    fn a_person_s_plan_and_a_backend_without_words_are_left_alone() {
        let mut state = State::default();
        state.started.refine_plan = true;
        state.answers = true;
        let edited = |edited| Event::PlanMade { plan: plan(), base: "b".to_owned(), edited };
        state.apply(&edited(true));
        assert_eq!(wanted(&state, Usd(1)), None);
        state.apply(&edited(false));
        assert_eq!(wanted(&state, Usd(1)), Some(Action::Refine { allowance: None }));
        state.answers = false;
        assert!(matches!(wanted(&state, Usd(1)), Some(Action::Record(_))));
        state.apply(&refined(&plan(), Err("no answer".to_owned()), TaskResult::default()));
        assert_eq!(wanted(&state, Usd(1)), None, "it is asked once");
    }
}
