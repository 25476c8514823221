//! The loop of a task, by its events.

use proptest::prelude::*;

use super::records::Event;
use super::stuck::normalized;
use super::*;
use crate::council::{Council, Member, Submission};

const AT: &str = "2026-01-01T00:00:00.000Z";

fn begun(is_eco: bool, limits: Limits) -> Session {
    let mut session = Session::new("s");
    let event = Event::SessionStarted {
        command: "c".to_owned(),
        command_type: "implement".to_owned(),
        is_eco,
        limits,
        budget: None,
    };
    session.accept(&event, AT).expect("a beginning");
    session
}

fn working(model: Model, limits: Limits) -> Session {
    let mut session = begun(false, limits);
    let task = Work { id: "adhoc".to_owned(), description: "d".to_owned(), complexity: 5, ..Work::default() };
    session.accept(&Event::TaskStarted { task, agent: "code-writer".to_owned(), model }, AT).expect("a task");
    session
}

fn gate(verdict: GateVerdict, error: &str) -> GateResult {
    let errors: Vec<String> = if error.is_empty() { Vec::new() } else { vec![error.to_owned()] };
    GateResult { gate: "tests".to_owned(), verdict, error_count: errors.len(), errors, ..GateResult::default() }
}

/// Reports, and has the gates say so.
fn judged(session: &mut Session, file: &str, verdict: GateVerdict, error: &str) -> Verdict {
    let event = Event::CompletionReported { files: vec![file.to_owned()], summary: "done".to_owned(), trouble: None };
    session.accept(&event, AT).expect("a report");
    session.accept(&Event::Evaluated { gates: vec![gate(verdict, error)] }, AT).expect("an evaluation");
    session.verdict.clone().expect("a verdict")
}

fn analysis(member: Member, confidence: f64, ranking: Vec<Member>) -> Submission {
    Submission {
        member,
        findings: vec![format!("{} looked", member.name())],
        hypothesis: format!("{} knows", member.name()),
        suggested_fix: format!("fix of {}", member.name()),
        confidence,
        ranking,
    }
}

fn hold_council(session: &mut Session) {
    for _ in 0..10 {
        let member = DevTeam::next_member(session).expect("somebody is next");
        let submission = analysis(member, 50.0, Vec::new());
        session.accept(&Event::CouncilSubmitted { submission }, AT).expect("taken");
    }
}

#[test]
fn what_passes_is_done_and_nothing_else() {
    let mut session = working(Model::Middle, Limits::default());
    assert_eq!(
        judged(&mut session, "a.py", GateVerdict::Skipped, ""),
        Verdict::Iterate { reason: "no gate could run, and failed".to_owned() }
    );
    assert_eq!(judged(&mut session, "a.py", GateVerdict::Pass, ""), Verdict::Complete);
    assert_eq!((session.now.stage, session.ended.len()), (Stage::Completed, 1));
    let report = Event::CompletionReported { files: vec!["a".to_owned()], summary: String::new(), trouble: None };
    let refused = session.accept(&report, AT).expect_err("nothing is under way");
    assert!(refused.0.contains("devteam_start_task"), "{refused}");
}

#[test]
fn failures_lead_to_larger_models_the_council_and_the_end() {
    let mut session = working(Model::Small, Limits::default());
    let mut seen = Vec::new();
    for at in 0..6 {
        // Each time another error in another file: not stuck.
        let (file, error) = (format!("f{}", "x".repeat(at + 1)), format!("error {}", "y".repeat(at + 1)));
        seen.push(match judged(&mut session, &file, GateVerdict::Fail, &error) {
            Verdict::Iterate { .. } => "iterate".to_owned(),
            Verdict::Escalate { to, .. } => format!("{to:?}"),
            Verdict::Council { .. } => "council".to_owned(),
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(seen, ["iterate", "Middle", "iterate", "Large", "iterate", "council"]);
    assert_eq!((session.now.iteration, session.now.failures), (7, 2));
    hold_council(&mut session);
    assert_eq!((session.now.stage, session.now.failures), (Stage::Executing, 0), "failures in a row start anew");
    // The council meets once a task.
    judged(&mut session, "p", GateVerdict::Fail, "one");
    let last = judged(&mut session, "q", GateVerdict::Fail, "two");
    assert!(
        matches!(&last, Verdict::Fail { reason, is_halt: false } if reason.contains("council has met")),
        "{last:?}"
    );
    // After the failure it may meet once more.
    session.accept(&Event::CouncilStarted {}, AT).expect("once");
    hold_council(&mut session);
    judged(&mut session, "r", GateVerdict::Fail, "three");
    judged(&mut session, "s", GateVerdict::Fail, "four");
    assert_eq!(session.now.stage, Stage::Failed);
    let refused = session.accept(&Event::CouncilStarted {}, AT).expect_err("twice");
    assert!(refused.0.contains("devteam_end_session"), "{refused}");
}

#[test]
fn eco_mode_begins_small_and_waits_longer() {
    assert_eq!(evaluate::first_model(7, true, false), Model::Small);
    assert_eq!(evaluate::first_model(7, true, true), Model::Middle);
    assert_eq!(evaluate::first_model(10, true, false), Model::Middle);
    assert_eq!(
        [4, 8, 9].map(|it| evaluate::first_model(it, false, false)),
        [Model::Small, Model::Middle, Model::Large]
    );
    let limits = Limits { escalation_threshold: 4, ..Limits::default() };
    let mut session = working(Model::Large, limits);
    for at in 0..3 {
        let error = "y".repeat(at + 1);
        assert!(matches!(judged(&mut session, &error, GateVerdict::Fail, &error), Verdict::Iterate { .. }));
    }
    let fourth = judged(&mut session, "z", GateVerdict::Fail, "other");
    assert!(matches!(fourth, Verdict::Council { .. }), "the breaker of five does not come first: {fourth:?}");
}

#[test]
fn the_same_error_three_times_is_stuck() {
    let limits = || Limits { escalation_threshold: 3, ..Limits::default() };
    let mut session = working(Model::Middle, limits());
    for at in 0..2 {
        let error = format!("test_a failed after {at}.3s at 0x7f{at}");
        assert!(matches!(judged(&mut session, &format!("f{at}"), GateVerdict::Fail, &error), Verdict::Iterate { .. }));
    }
    let third = judged(&mut session, "f9", GateVerdict::Fail, "test_a failed  after 9.1s at 0x7f99");
    assert!(matches!(&third, Verdict::Council { reason } if reason.contains("same error")), "{third:?}");
    // The same files without progress; where errors go away it is none.
    for (errors, is_stuck) in [(["one", "two", "six"], true), (["one", "two", ""], false)] {
        let mut session = working(Model::Middle, Limits { escalation_threshold: 9, breaker: 9, ..Limits::default() });
        let last = errors.map(|it| judged(&mut session, "f", GateVerdict::Fail, it))[2].clone();
        assert_eq!(matches!(last, Verdict::Council { .. }), is_stuck, "{last:?}");
    }
    // Switched off, the threshold alone decides.
    let mut session = working(Model::Middle, Limits { stuck_detection: false, ..limits() });
    let last = [0; 3].map(|_| judged(&mut session, "f", GateVerdict::Fail, "e"))[2].clone();
    assert!(matches!(last, Verdict::Escalate { to: Model::Large, .. }), "{last:?}");
}

#[test]
fn errors_are_the_same_whatever_numbers_are_in_them() {
    assert_eq!(normalized("'Foo' at 12:30:01,  line 7"), normalized("foo at 9:02:44, line 123"));
    assert_ne!(normalized("a is missing"), normalized("b is missing"));
}

#[test]
fn a_halt_ends_the_task_for_everybody() {
    let mut session = working(Model::Small, Limits::default());
    let verdict = judged(&mut session, "a", GateVerdict::Halt, "CRITICAL");
    assert!(matches!(verdict, Verdict::Fail { is_halt: true, .. }), "{verdict:?}");
    let refused = session.accept(&Event::CouncilStarted {}, AT).expect_err("no council");
    assert!(refused.0.contains("a person"), "{refused}");
}

#[test]
fn iterations_are_used_up() {
    let limits = Limits { max_iterations: 2, ..Limits::default() };
    let mut session = working(Model::Small, limits);
    judged(&mut session, "a", GateVerdict::Fail, "one");
    let last = judged(&mut session, "b", GateVerdict::Fail, "two");
    assert!(matches!(&last, Verdict::Fail { reason, .. } if reason.contains("all 2 iterations")), "{last:?}");
    assert_eq!(session.now.iteration, 2);
}

#[test]
fn the_fix_that_most_can_live_with_wins() {
    use Member::{
        AdversarialTester as T, CodeArchaeologist as C, PatternMatcher as P, RootCauseAnalyst as R, SystemsThinker as S,
    };
    let held = |rankings: [Vec<Member>; 5]| {
        let mut council = Council::default();
        for (at, member) in Member::ALL.into_iter().enumerate() {
            council
                .take(analysis(member, 50.0 + f64::from(u8::try_from(at).expect("a handful")), Vec::new()))
                .expect("an analysis");
            assert!(council.decision().is_none());
        }
        assert!(council.take(analysis(R, 101.0, Vec::new())).is_err());
        assert!(council.take(analysis(R, 1.0, vec![C, C])).is_err_and(|it| it.contains("twice")));
        for (member, ranking) in Member::ALL.into_iter().zip(rankings) {
            council.take(analysis(member, 1.0, ranking)).expect("a ranking");
        }
        council.decision().expect("a decision")
    };
    // R and C have two votes each, P one; whoever is for P is for C next.
    let decision = held([vec![R], vec![C], vec![P, C], vec![R], vec![C]]);
    assert_eq!((decision.winning_proposal, decision.eliminated.last()), (C, Some(&P)));
    assert_eq!(decision.root_cause, "code_archaeologist knows");
    // Without rankings everybody is for the own fix: the surest wins.
    let decision = held([(); 5].map(|()| Vec::new()));
    assert_eq!((decision.winning_proposal, decision.eliminated), (T, vec![R, C]));
    assert_eq!(decision.votes[&S][0], S);
}

#[test]
fn each_agent_of_the_product_says_what_it_does_and_fits_some_task() {
    let agents = Agents::load(Path::new("/nowhere"));
    assert_eq!(agents.problems, [""; 0]);
    assert_eq!(agents.all().count(), 15);
    for it in agents.all() {
        assert!(!it.purpose.is_empty() && !it.role.is_empty() && !it.instructions.is_empty(), "{it:?}");
        assert!(["haiku", "sonnet", "opus", "dynamic"].contains(&it.model.as_str()), "{it:?}");
        assert!(!it.keywords.is_empty() && it.complexity_range.0 < it.complexity_range.1, "{it:?}");
    }
    for member in Member::ALL {
        let agent = agents.get(member.name()).expect("an agent for each member of the council");
        assert_eq!(agent.category, "diagnosis");
    }
    let chosen = |description: &str, task_type: &str, files: &[&str], complexity: u8| {
        let files: Vec<String> = files.iter().map(|it| (*it).to_owned()).collect();
        let asked = Asked { description, task_type, files: &files, complexity };
        let chosen = agents.select(&asked).expect("somebody");
        (chosen.primary.id.clone(), chosen.support, chosen.reasoning)
    };
    // A task for each of those who take tasks; the council and the leader take none.
    let tasks: [(&str, &str, &[&str], u8, &str); 9] = [
        ("Design the boundary between two services and their contract", "docs", &["docs/design.md"], 9, "architect"),
        ("Rename the module, for readability", "refactor", &["a.py"], 6, "code-reviewer"),
        ("Implement and write a function that adds a feature", "feature", &["src/a.py"], 4, "code-writer"),
        ("Write tests for the parser, with a regression test", "feature", &["tests/test_a.py"], 6, "test-engineer"),
        (
            "Connect the event to its route, and register it in the configuration",
            "bug",
            &["app.toml"],
            5,
            "wiring-verifier",
        ),
        (
            "A slow query of the database in the backend of the server",
            "bug",
            &["migrate.sql"],
            5,
            "backend-implementer",
        ),
        ("A form on the page, a React component", "feature", &["src/Form.tsx"], 6, "frontend-implementer"),
        ("The code drifts from the contract: an OpenAPI mismatch", "bug", &["openapi.yaml"], 5, "contract-auditor"),
        ("Passwords of users leak: authentication token in the log", "security", &[], 6, "security-auditor"),
    ];
    for (description, task_type, files, complexity, wanted) in tasks {
        let (agent, _, reasoning) = chosen(description, task_type, files, complexity);
        assert_eq!(agent, wanted, "{description}: {reasoning}");
    }
    let (_, support, _) = chosen("Rename the module, for readability", "refactor", &["a.py"], 6);
    assert!(!support.contains(&"code-reviewer".to_owned()), "nobody looks at its own work");
}

#[test]
fn agents_are_read_leniently_and_win_by_their_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    write(
        "backend/api.md",
        "# API developer\n\n**Agent ID:** `backend:api_developer`\n**Model:** opus\n**Purpose:** Writes APIs.\n",
    );
    write("build/writer.md", "---\r\nname: code-writer\r\nmodel: haiku\r\n---\r\n# Ours\r\n");
    let reviewer = "---\nname: python-reviewer\nlanguages: [Python]\n---\n# Reads Python\n\nAs its next maintainer.\n";
    write("build/python-reviewer.md", reviewer);
    write("README.md", "# What this is\n");
    write("broken.md", "---\nname: [\n---\n# Broken\n");
    let agents = Agents::load(folder.path());
    let api = agents.get("backend:api_developer").expect("there");
    assert_eq!((api.id.as_str(), api.model.as_str(), api.purpose.as_str()), ("api-developer", "opus", "Writes APIs."));
    let support = |file: &str| {
        let files = [file.to_owned()];
        let asked =
            Asked { description: "A slow query of the database", task_type: "bug", files: &files, complexity: 6 };
        agents.select(&asked).map(|it| it.support).unwrap_or_default()
    };
    assert!(support("src/a.py").contains(&"python-reviewer".to_owned()), "{:?}", support("src/a.py"));
    assert!(support("src/a.sql").contains(&"code-reviewer".to_owned()), "{:?}", support("src/a.sql"));
    assert_eq!(agents.get("code_writer").map(|it| it.model.as_str()), Some("haiku"));
    assert_eq!(agents.problems.len(), 1, "{:?}", agents.problems);
    assert!(agents.get("readme").is_none());
}

fn any_event() -> impl Strategy<Value = Event> {
    let verdicts = prop_oneof![4 => Just(GateVerdict::Fail), 1 => Just(GateVerdict::Pass), 1 => Just(GateVerdict::Halt), 1 => Just(GateVerdict::Skipped)];
    let error = prop::sample::select(vec!["a", "b", "c 1", "c 2", ""]);
    let model = prop::sample::select(Model::ALL.to_vec());
    prop_oneof![
        4 => model.clone().prop_map(|model| Event::TaskStarted { task: Work::default(), agent: "a".to_owned(), model }),
        9 => prop::sample::select(vec!["f", "g"]).prop_map(|it| Event::CompletionReported { files: vec![it.to_owned()], summary: String::new(), trouble: None }),
        9 => (verdicts, error).prop_map(|(verdict, error)| Event::Evaluated { gates: vec![gate(verdict, error)] }),
        1 => prop::option::of(model).prop_map(|to| Event::Escalated { to, reason: String::new() }),
        2 => Just(Event::CouncilStarted {}),
        12 => prop::sample::select(Member::ALL.to_vec()).prop_map(|it| Event::CouncilSubmitted { submission: analysis(it, 7.0, Vec::new()) }),
        1 => (0..3).prop_map(|it| Event::CheckpointSaved { id: format!("cp-{it}"), description: String::new() }),
        1 => (0..3).prop_map(|it| Event::CheckpointRestored { id: format!("cp-{it}") }),
        2 => (0_u64..99).prop_map(|it| Event::TokensRecorded { model: String::new(), input: it, output: it, task: None, cost: Usd(it) }),
        1 => Just(Event::WorkPlanned { plan: "p".to_owned() }),
        2 => Just(Event::WorkBegun { commit: "c".to_owned() }),
        1 => (0_u64..999).prop_map(|it| Event::BudgetSet { budget: Usd(it) }),
        1 => Just(Event::BudgetWarned {}),
        1 => (1_u32..3).prop_map(|attempt| Event::Missions {
            happened: crate::missions::Event::RoleStarted { mission: "m".to_owned(), role: "r".to_owned(), attempt },
        }),
        1 => Just(Event::SessionEnded { status: Status::Paused, reason: String::new() }),
        2 => Just(Event::SessionResumed {}),
    ]
}

/// Every event that could be taken, of each kind.
fn all_events() -> Vec<Event> {
    let mut events = vec![
        Event::TaskStarted { task: Work::default(), agent: "a".to_owned(), model: Model::Small },
        Event::CompletionReported { files: vec!["f".to_owned()], summary: String::new(), trouble: None },
        Event::Evaluated { gates: vec![gate(GateVerdict::Pass, "")] },
        Event::SessionResumed {},
    ];
    let submissions =
        Member::ALL.into_iter().map(|it| Event::CouncilSubmitted { submission: analysis(it, 7.0, Vec::new()) });
    events.extend(submissions);
    events
}

#[test]
fn no_stage_is_a_dead_end_and_every_stage_is_reached() {
    const STEPS: [Step; 13] = [
        Step::Start,
        Step::Known,
        Step::Chosen,
        Step::Report,
        Step::Judged,
        Step::Pass,
        Step::Again,
        Step::Escalate,
        Step::TakenOver,
        Step::Diagnose,
        Step::Decided,
        Step::GiveUp,
        Step::End,
    ];
    let mut reached = vec![Stage::Idle];
    let mut at = 0;
    while let Some(stage) = reached.get(at).copied() {
        at += 1;
        let next: Vec<Stage> = STEPS.iter().filter_map(|step| stage.after(*step)).collect();
        assert!(next.contains(&Stage::Idle), "{stage:?} cannot be ended");
        assert!(next.iter().any(|it| *it != Stage::Idle), "{stage:?} leads nowhere");
        let new: Vec<Stage> = next.into_iter().filter(|it| !reached.contains(it)).collect();
        for it in new {
            if !reached.contains(&it) {
                reached.push(it);
            }
        }
    }
    assert_eq!(reached.len(), Stage::ALL.len());
}

#[test]
fn four_fifths_of_the_budget_are_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let places =
        Places { root: folder.path().to_owned(), database: at("a.db"), config: at(".devteam"), agents: at("agents") };
    let mut team = DevTeam::open(&places).expect("a team");
    team.start_session("c", "implement", false, Some(Usd(1_000))).expect("a session");
    let usage = Usage { model: "m".to_owned(), input: 1, output: 1, ..Usage::default() };
    let mut book = |cost: u64| team.book(&[(usage.clone(), Usd(cost))], "t").expect("booked");
    assert_eq!([book(799), book(1), book(100), book(100)], [false, true, false, false]);
    let session = team.current().expect("a session");
    assert_eq!((session.cost, session.left()), (Usd(1_000), Some(Usd(0))));
    let kinds = |team: &DevTeam| -> Vec<String> {
        let events = team.events(&session.id, 20).expect("events");
        events.into_iter().map(|it| it.event_type).filter(|it| it == "cost_warning").collect()
    };
    assert_eq!(kinds(&team), ["cost_warning"]);
    // A larger budget is another one.
    team.take_up(None, Some(Usd(10_000))).expect("taken up");
    assert!(!team.book(&[(usage.clone(), Usd(1))], "t").expect("booked"));
    assert!(team.book(&[(usage, Usd(6_999))], "t").expect("booked"));
}

proptest! {
    /// Whatever happens: there is a way on, no bound is passed, money is never given back, and a refused event changes nothing.
    #[test]
    fn any_200_events_leave_a_session_that_goes_on(events in prop::collection::vec(any_event(), 200), max in 1_u32..12, threshold in 1_u32..5) {
        let limits = Limits { max_iterations: max, escalation_threshold: threshold, ..Limits::default() };
        let mut session = begun(false, limits);
        for event in events {
            let before = session.clone();
            let taken = session.accept(&event, AT);
            if taken.is_err() {
                prop_assert_eq!(&session, &before);
            }
            prop_assert!(session.now.iteration <= max);
            prop_assert!(session.now.failures <= session.limits.breaker);
            prop_assert!(session.cost >= before.cost && session.tokens_input >= before.tokens_input);
            prop_assert!(session.now.councils <= 2);
            let goes_on = all_events().iter().any(|it| session.clone().accept(it, AT).is_ok());
            prop_assert!(goes_on, "{:?} {:?}", session.status, session.now.stage);
            let ended = Event::SessionEnded { status: Status::Completed, reason: String::new() };
            prop_assert!(session.clone().accept(&ended, AT).is_ok());
        }
    }
}
