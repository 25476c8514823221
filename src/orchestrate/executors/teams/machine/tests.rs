//! The edges of the table, the reasons of a fall, and whatever else may happen.

use indexmap::IndexMap;
use proptest::prelude::*;

use super::{Agent, Audit, Event, MAX_ITERATIONS, Part, Reason, Stand, Status, Team};

fn team() -> Team {
    let agent = |track: &str, part| Agent { status: Status::Idle, part, track: track.to_owned() };
    let agents = [
        ("ci", "c", Part::Implementer),
        ("gi", "g", Part::Implementer),
        ("ca", "c", Part::Auditor),
        ("ga", "g", Part::Auditor),
    ];
    let agents: IndexMap<String, Agent> =
        agents.into_iter().map(|(name, track, part)| (name.to_owned(), agent(track, part))).collect();
    Team::new("run", Vec::new(), agents, "0")
}

fn done(name: &str) -> Event {
    Event::Done(name.to_owned())
}

fn failed(name: &str) -> Event {
    Event::Failed(name.to_owned())
}

fn audited(critical_issues: u32, passed: bool) -> Event {
    Event::Audited(Audit { critical_issues, warnings: 1, passed })
}

/// The team after events at the times 1, 2, 3 …
fn after(events: &[Event]) -> Team {
    events.iter().enumerate().fold(team(), |team, (at, event)| team.after(event, &(at + 1).to_string()))
}

const BEGUN: [Event; 2] = [Event::Detected(None), Event::Created(true)];

fn round(audit: Event) -> Vec<Event> {
    vec![done("ci"), done("gi"), done("ca"), done("ga"), audit]
}

fn begun(rounds: &[Vec<Event>]) -> Team {
    after(&[BEGUN.to_vec(), rounds.concat()].concat())
}

fn fell(team: &Team) -> Option<Reason> {
    (team.state == Stand::Fallback).then_some(team.fallback_reason).flatten()
}

#[test]
fn a_team_goes_from_state_to_state() {
    let team = begun(&[]);
    assert_eq!(
        (team.state, team.agents["ci"].status, team.agents["ca"].status),
        (Stand::Prototype, Status::Working, Status::Idle)
    );
    assert_eq!(begun(&[vec![done("ci")]]).state, Stand::Prototype, "both have to be done");
    let team = begun(&[vec![done("ci"), done("gi")]]);
    assert_eq!(
        (team.state, team.last_transition.as_str(), team.agents["ca"].status),
        (Stand::Audit, "4", Status::Working)
    );
    assert_eq!(
        begun(&[vec![done("ci"), done("gi"), done("ca"), audited(0, true)]]).state,
        Stand::Audit,
        "both have to tell"
    );
    assert_eq!(begun(&[round(audited(0, true))]).state, Stand::Complete);
    assert_eq!(begun(&[round(audited(1, false))]).state, Stand::Iterate);
    assert_eq!(begun(&[round(audited(1, true))]).state, Stand::Iterate, "what is critical does not pass");
    let team = begun(&[round(audited(1, false)), vec![Event::HandedBack]]);
    assert_eq!((team.state, team.iteration, team.agents["gi"].status), (Stand::Prototype, 1, Status::Working));
}

#[test]
fn each_of_the_five_reasons() {
    assert_eq!(fell(&after(&[Event::Detected(Some(Reason::Disabled))])), Some(Reason::Disabled));
    assert_eq!(fell(&after(&[Event::Detected(None), Event::Created(false)])), Some(Reason::InitFailed));
    assert_eq!(fell(&after(&[Event::Detected(None), Event::Lost])), Some(Reason::InitFailed));
    assert_eq!(fell(&begun(&[vec![Event::Lost]])), Some(Reason::AgentFailed));
    assert_eq!(fell(&begun(&[vec![failed("ci")]])), None, "the other one can do it");
    assert_eq!(fell(&begun(&[vec![failed("ci"), failed("gi")]])), Some(Reason::AgentFailed));
    assert_eq!(fell(&begun(&[vec![done("ci"), done("gi"), failed("ca"), failed("ga")]])), Some(Reason::AgentFailed));
    let rounds = |critical| {
        let one = || [round(audited(critical, false)), vec![Event::HandedBack]].concat();
        begun(&[one(), one(), one()])
    };
    let (critical, others) = (rounds(1), rounds(0));
    assert_eq!((fell(&critical), critical.iteration), (Some(Reason::AuditCritical), MAX_ITERATIONS));
    assert_eq!((fell(&others), others.iteration), (Some(Reason::MaxIterations), MAX_ITERATIONS));
}

#[test]
fn the_file_has_the_words_that_others_read() {
    let team = begun(&[round(audited(2, false))]);
    let text = serde_json::to_value(&team).expect("JSON");
    assert_eq!(
        (&text["mode"], &text["state"], &text["agents"]["ci"]["status"]),
        (&"team".into(), &"ITERATE".into(), &"done".into())
    );
    assert_eq!(
        (&text["audit_results"]["critical_issues"], &text["fallback_reason"]),
        (&2.into(), &serde_json::Value::Null)
    );
    assert_eq!(serde_json::from_value::<Team>(text).expect("read back"), team);
}

fn event() -> impl Strategy<Value = Event> {
    let name = || prop_oneof![Just("ci"), Just("gi"), Just("ca"), Just("ga"), Just("nobody")].prop_map(str::to_owned);
    prop_oneof![
        1 => prop_oneof![Just(None), Just(Some(Reason::Disabled)), Just(Some(Reason::InitFailed))].prop_map(Event::Detected),
        2 => any::<bool>().prop_map(Event::Created),
        8 => name().prop_map(Event::Done),
        2 => name().prop_map(Event::Given),
        1 => name().prop_map(Event::Failed),
        4 => (0..2_u32, any::<bool>()).prop_map(|(critical, passed)| audited(critical, passed)),
        4 => Just(Event::HandedBack),
        1 => Just(Event::Lost),
    ]
}

/// Where a state leads, but for the fall, which every state leads to that is not final.
const EDGES: [(Stand, Stand); 6] = [
    (Stand::Detect, Stand::InitTeam),
    (Stand::InitTeam, Stand::Prototype),
    (Stand::Prototype, Stand::Audit),
    (Stand::Audit, Stand::Complete),
    (Stand::Audit, Stand::Iterate),
    (Stand::Iterate, Stand::Prototype),
];

proptest! {
    #[test]
    fn whatever_happens_only_the_edges_of_the_table_are_taken(events in prop::collection::vec(event(), 0..60)) {
        let mut now = team().after(&Event::Detected(None), "0").after(&Event::Created(true), "0");
        for event in &events {
            let next = now.after(event, "1");
            let edge = (now.state, next.state);
            prop_assert!(
                now.state == next.state || EDGES.contains(&edge) || (next.state == Stand::Fallback && !now.is_final()),
                "{edge:?} by {event:?}"
            );
            prop_assert!(!now.is_final() || next == now, "what is final stays");
            prop_assert!(next.iteration <= next.max_iterations);
            prop_assert_eq!(next.state == Stand::Fallback, next.fallback_reason.is_some());
            if edge == (Stand::Prototype, Stand::Audit) {
                let mut implementers = next.agents.iter().filter(|it| it.1.part == Part::Implementer);
                prop_assert!(implementers.any(|it| it.1.status != Status::Failed), "somebody has done the work");
            }
            if edge.1 == Stand::Complete {
                prop_assert!(next.audit_results.passed && next.audit_results.critical_issues == 0);
            }
            // Whoever has failed stays so.
            for (name, agent) in &now.agents {
                prop_assert!(agent.status != Status::Failed || next.agents[name].status == Status::Failed);
            }
            now = next;
        }
    }
}
