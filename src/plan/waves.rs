//! Tasks in waves: those of one wave run at the same time.

use std::collections::BTreeMap;

use super::{Plan, Task};

/// Tasks that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tasks wait for each other: {}", ids.join(" → "))]
pub struct Cycle {
    /// The first one once more at the end.
    pub ids: Vec<String>,
}

/// Waves of tasks, by their places in the plan: each task comes after all that it depends on (Kahn, "Topological sorting of
/// large networks", 1962), and no two of a wave may change the same file. A dependency that no task has is passed over: reading
/// a plan refuses it.
///
/// # Errors
/// Tasks that wait for each other.
pub fn waves(plan: &Plan) -> Result<Vec<Vec<usize>>, Cycle> {
    let places: BTreeMap<&str, usize> =
        plan.tasks.iter().enumerate().map(|(at, task)| (task.id.as_str(), at)).collect();
    let needs = |task: &Task| -> Vec<usize> {
        task.depends_on.iter().filter_map(|it| places.get(it.as_str()).copied()).collect()
    };
    let mut waiting: Vec<usize> = plan.tasks.iter().map(|task| needs(task).len()).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); plan.tasks.len()];
    for (at, task) in plan.tasks.iter().enumerate() {
        needs(task).into_iter().for_each(|need| followers[need].push(at));
    }
    let mut ready: Vec<usize> = (0..plan.tasks.len()).filter(|at| waiting[*at] == 0).collect();
    let mut waves = Vec::new();
    let mut placed = 0;
    while !ready.is_empty() {
        ready.sort_unstable();
        let mut wave: Vec<usize> = Vec::new();
        let mut later = Vec::new();
        for at in ready {
            let clashes = wave.iter().any(|other| plan.tasks[at].scope.overlaps(&plan.tasks[*other].scope));
            if clashes { later.push(at) } else { wave.push(at) }
        }
        placed += wave.len();
        for follower in wave.iter().flat_map(|at| &followers[*at]) {
            waiting[*follower] -= 1;
            if waiting[*follower] == 0 {
                later.push(*follower);
            }
        }
        waves.push(wave);
        ready = later;
    }
    if placed == plan.tasks.len() { Ok(waves) } else { Err(cycle(plan, &waiting, &places)) }
}

/// One circle among the tasks that were never ready.
fn cycle(plan: &Plan, waiting: &[usize], places: &BTreeMap<&str, usize>) -> Cycle {
    let stuck = |at: &usize| waiting[*at] > 0;
    let mut path: Vec<usize> = (0..plan.tasks.len()).find(|at| stuck(at)).into_iter().collect();
    while let Some(last) = path.last() {
        let needs = plan.tasks[*last].depends_on.iter().filter_map(|it| places.get(it.as_str()).copied());
        let Some(next) = needs.into_iter().find(|at| stuck(at)) else { break };
        let seen = path.iter().position(|it| *it == next);
        path.push(next);
        if let Some(seen) = seen {
            path.drain(..seen);
            break;
        }
    }
    // The path leads from a task to what it waits for; people read it in the order of work.
    path.reverse();
    Cycle { ids: path.into_iter().map(|at| plan.tasks[at].id.clone()).collect() }
}
