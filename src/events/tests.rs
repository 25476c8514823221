//! Events are kept in order, found again, and exported.

use super::*;

fn log() -> (tempfile::TempDir, Log) {
    let folder = tempfile::tempdir().expect("a folder");
    let log = Log::open(&folder.path().join("treaty.db")).expect("a database");
    (folder, log)
}

#[test]
fn events_come_back_in_order_and_runs_stay_apart() {
    let (_folder, mut log) = log();
    let kept = log.append("aaa1", Event::PhaseStarted { phase: Phase::Plan }).expect("kept");
    assert_eq!((kept.seq, kept.at.ends_with('Z')), (1, true));
    log.append("bbb2", Event::Continued).expect("kept");
    log.append("aaa1", Event::Interrupted { reason: "SIGINT".to_owned() }).expect("kept");
    let events = log.events("aaa1").expect("read");
    assert_eq!(events.iter().map(|it| it.seq).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(events[0].event, Event::PhaseStarted { phase: Phase::Plan });
    assert_eq!(log.find(Some("bb")).expect("found"), "bbb2");
    let missing = log.find(Some("zz")).expect_err("there is none").to_string();
    assert!(missing.contains("aaa1") && missing.contains("bbb2"), "{missing}");
}

#[test]
fn a_line_of_the_export_is_json_with_the_fields_that_readers_know() {
    let at = "2026-01-01T00:00:00.000Z".to_owned();
    let warned = Event::BudgetWarned { spent: Usd(80), cap: Usd(100) };
    let line = line("r", &Recorded { seq: 3, at, event: warned });
    let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(read["event_type"], "COST_WARNING");
    assert_eq!(read["data"]["budget_used"], 0.8);
    assert_eq!(read["session_id"], "r");
}
