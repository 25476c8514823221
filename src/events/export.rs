//! Events for other programs: one JSON object a line.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Event, Recorded};

/// One event as a line, without its end: `event_id`, `timestamp`, `event_type`, `session_id`, `data`, and the category that
/// the type begins with.
pub fn line(run: &str, recorded: &Recorded) -> String {
    let data = match serde_json::to_value(&recorded.event) {
        Ok(Value::Object(mut event)) => event.remove("data").unwrap_or_else(|| json!({})),
        _ => json!({}),
    };
    let kind = recorded.event.kind();
    // Watchers of costs know a warning by this name.
    let (shown, data) = match &recorded.event {
        Event::BudgetWarned { spent, cap } => (
            "COST_WARNING",
            json!({"budget_used": 0.8, "total_cost_usd": spent.dollars(), "max_budget_usd": cap.dollars()}),
        ),
        _ => (kind, data),
    };
    json!({
        "event_id": format!("{run}-{}", recorded.seq),
        "timestamp": recorded.at,
        "event_type": shown,
        "category": kind.split('_').next(),
        "session_id": run,
        "data": data,
    })
    .to_string()
}

/// All events, one a line.
///
/// # Errors
/// Those of `out`.
pub fn write_all(run: &str, events: &[Recorded], out: &mut dyn Write) -> io::Result<()> {
    events.iter().try_for_each(|it| writeln!(out, "{}", line(run, it)))
}
