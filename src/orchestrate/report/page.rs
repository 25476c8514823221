//! The report as one HTML page that needs nothing else.

use std::io::{self, Write};

use minijinja::Environment;
use minijinja::value::Serde;
use serde_json::json;

use super::{gates, left, outcome_words, timeline};
use crate::events::Recorded;
use crate::orchestrate::state::{Standing, State};

/// Writes the page.
///
/// # Errors
/// Those of `out`.
pub fn html(run: &str, state: &State, events: &[Recorded], out: &mut dyn Write) -> io::Result<()> {
    let mut environment = Environment::new();
    let broken = |error: minijinja::Error| io::Error::other(error.to_string());
    environment.add_template("report.html", include_str!("report.html.j2")).map_err(broken)?;
    let begin = events.first().map(|it| milliseconds(&it.at)).unwrap_or_default();
    let end = events.last().map(|it| milliseconds(&it.at)).unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run")]
    let share = |at: i64| if end > begin { (at - begin) as f64 * 100.0 / (end - begin) as f64 } else { 0.0 };
    let bars: Vec<_> = timeline(events)
        .into_iter()
        .map(|it| {
            let (from, to) = (share(milliseconds(&it.begin)), share(milliseconds(&it.end)));
            json!({"task": it.task, "attempt": it.attempt, "left": from, "width": (to - from).max(0.3), "after": it.waited_for,
                "title": state.task(&it.task).map(|it| it.task.title.clone()),
                "seconds": (milliseconds(&it.end) - milliseconds(&it.begin)) / 1000})
        })
        .collect();
    let tasks: Vec<_> = state
        .tasks
        .iter()
        .map(|it| {
            json!({"id": it.task.id, "title": it.task.title, "status": it.status(), "attempts": it.attempt,
                "cost": state.ledger.of_task(&it.task.id).to_string(), "wave": it.wave + 1,
                "note": if let Standing::Failed(reason) = &it.standing { reason.clone() } else { it.outside.join(", ") }})
        })
        .collect();
    let stages: Vec<_> = state
        .stages
        .iter()
        .map(|it| {
            let (fixed, residual, new) = it.balance();
            json!({"name": it.stage.name(), "passes": it.outcomes.len(), "fixed": fixed, "residual": residual, "new": new,
                "skipped": it.outcomes.last().map(|it| it.skipped.clone())})
        })
        .collect();
    let models: Vec<_> = state
        .ledger
        .by_model()
        .into_iter()
        .map(|(model, (usage, cost))| json!({"model": model, "cost": cost.to_string(), "input": usage.input, "output": usage.output}))
        .collect();
    let gates: Vec<_> = gates(events)
        .into_iter()
        .map(|(name, [pass, fail, halt, skipped])| json!({"name": name, "pass": pass, "fail": fail, "halt": halt, "skipped": skipped}))
        .collect();
    let (errors, others) = left(state);
    let shown = json!({
        "run": run, "tasks": tasks, "stages": stages, "models": models, "gates": gates, "bars": bars, "errors": errors,
        "others": others,
        "requirements": state.started.requirements,
        "backend": format!("{}: {}", state.backend, state.backend_reason),
        "outcome": state.outcome.map_or("not ended", outcome_words),
        "reason": state.stop_reason,
        "spent": state.ledger.spent().to_string(),
        "cap": state.ledger.cap.map(|it| it.to_string()),
        "health": state.health,
        "begin": events.first().map(|it| &it.at),
        "end": events.last().map(|it| &it.at),
    });
    let page = environment.get_template("report.html").map_err(broken)?.render(Serde(shown));
    out.write_all(page.map_err(broken)?.as_bytes())
}

/// Milliseconds of a time as events have it (`2026-01-31T03:04:05.678Z`), from some day on that is the same for all.
fn milliseconds(at: &str) -> i64 {
    let number = |from: usize, to: usize| at.get(from..to).and_then(|it| it.parse::<i64>().ok()).unwrap_or(0);
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    // Days of the civil calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    let (y, m) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day;
    ((days * 24 + number(11, 13)) * 60 + number(14, 16)) * 60_000 + number(17, 19) * 1000 + number(20, 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_apart_as_clocks_say() {
        let apart = |a: &str, b: &str| milliseconds(b) - milliseconds(a);
        assert_eq!(apart("2026-01-31T23:59:59.500Z", "2026-02-01T00:00:00.250Z"), 750);
        assert_eq!(apart("2024-02-28T00:00:00.000Z", "2024-03-01T00:00:00.000Z"), 2 * 86_400_000);
    }
}
