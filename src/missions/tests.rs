//! Missions from their texts to the end of a run.

use proptest::prelude::*;

use super::*;

struct NoFiles;

impl Files for NoFiles {
    fn has(&self, _: &str) -> bool {
        false
    }

    fn text(&self, path: &str) -> Result<String, String> {
        Err(format!("the file {path} is not there"))
    }
}

fn roles() -> Roles {
    Roles::default()
}

fn tools() -> Vec<String> {
    ["read", "write", "run"].map(str::to_owned).to_vec()
}

fn chain(ids: &[(&str, &[&str])]) -> Vec<Mission> {
    let mission = |(id, needs): &(&str, &[&str])| Mission {
        id: (*id).to_owned(),
        goal: format!("Do {id}"),
        dependencies: needs.iter().map(|it| (*it).to_owned()).collect(),
        files: vec![format!("{id}/**")],
        ..Mission::default()
    };
    ids.iter().map(mission).collect()
}

fn begun(mode: Mode, missions: Vec<Mission>, limits: Limits) -> Run {
    let roles = roles();
    let assigned = assign(&missions, &roles, &tools()).expect("roles");
    let layers = layers(&missions, &assigned, &roles).expect("layers");
    let mut run = Run::default();
    let planned = Event::Planned {
        goal: "g".to_owned(),
        mode,
        limits,
        missions,
        roles: assigned,
        layers,
        taken_apart_by: "roles".to_owned(),
    };
    run.take(&planned).expect("planned");
    run
}

fn result(score: f64) -> RoleResult {
    RoleResult { output: "done".to_owned(), quality_score: score, format_valid: true, ..RoleResult::default() }
}

/// One attempt at the first mission that is ready, with this result. Gives what was decided.
fn attempt(run: &mut Run, result: &RoleResult, helper: Option<&str>) -> Decision {
    let mission = run.ready().first().map(|it| it.id.clone()).expect("something is to be done");
    let attempt = run.standings[&mission].attempts + 1;
    let role = run.standings[&mission].role.clone();
    run.take(&Event::RoleStarted { mission: mission.clone(), role, attempt }).expect("started");
    run.take(&Event::RoleFinished { mission: mission.clone(), attempt, result: result.clone() }).expect("finished");
    let decision = decide(run.mode, &run.limits, &run.standings[&mission], result, helper, run.attempts());
    let happened = Event::Intervened { mission, decision: decision.clone(), helper: helper.map(str::to_owned) };
    run.take(&happened).expect("decided");
    decision
}

#[test]
fn missions_are_read_in_either_form() {
    let text = "
missions:
  - mission_id: api
    type: development
    goal: Build the API
    priority: HIGH
    success_criteria:
      - {criterion: it answers, weight: 3}
      - {criterion: a file is there, weight: 1, validation_type: file_exists, file: api.py}
  - id: docs
    goal: Describe the API
    kind: documentation
    priority: 2
    dependencies: [api]
    output_standard: {required_files: [README.md], validation_rules: [{type: min_length, file: README.md, min: 10}]}
";
    let missions = read(text).expect("missions");
    assert_eq!(
        missions.iter().map(|it| (it.id.as_str(), it.priority.0)).collect::<Vec<_>>(),
        [("api", 8), ("docs", 2)]
    );
    let weights: Vec<f64> = missions[0].criteria.iter().map(|it| it.weight).collect();
    assert_eq!(weights, [0.75, 0.25], "weights come to 1");
    assert_eq!(missions[0].criteria[1].check, Some(Check::FileExists { file: "api.py".to_owned() }));
    assert_eq!(missions[1].standard.required_files, ["README.md"]);
    for (wrong, why) in [
        ("[]", "1 to 200"),
        ("[{goal: ''}]", "`goal` is missing"),
        ("[{goal: a, type: party}]", "`party` is no type"),
        ("[{goal: a, priority: 11}]", "1 to 10"),
        ("[{goal: a, success_criteria: [{criterion: c, weight: -1}]}]", "weight -1"),
        ("[{goal: a, id: x}, {goal: b, id: x}]", "two missions are called `x`"),
    ] {
        let error = read(wrong).expect_err(wrong).to_string();
        assert!(error.contains(why), "{wrong}: {error}");
    }
}

#[test]
fn an_unknown_dependency_is_refused() {
    let error = read("[{id: a, goal: x, dependencies: [b]}]").expect_err("b is nowhere");
    assert!(matches!(&error, MissionError::Unknown { mission, dependency, .. } if mission == "a" && dependency == "b"));
    assert!(error.to_string().contains("there is a"), "{error}");
}

#[test]
fn a_cycle_is_named() {
    let missions = chain(&[("a", &["c"]), ("b", &["a"]), ("c", &["b"])]);
    let assigned = assign(&missions, &roles(), &tools()).expect("roles");
    let error = layers(&missions, &assigned, &roles()).expect_err("a circle").to_string();
    assert_eq!(error, "tasks wait for each other: a → b → c → a");
}

#[test]
fn three_roles_in_line_are_three_layers() {
    let missions = chain(&[("c", &["b"]), ("a", &[]), ("b", &["a"])]);
    let run = begun(Mode::Leader, missions, Limits::default());
    assert_eq!(run.layers, [vec![1], vec![2], vec![0]]);
    let wide = begun(Mode::Leader, chain(&[("a", &[]), ("b", &[]), ("c", &["a", "b"])]), Limits::default());
    assert_eq!(wide.layers, [vec![0, 1], vec![2]], "what does not touch works at the same time");
}

#[test]
fn who_writes_the_same_files_does_not_work_at_the_same_time() {
    let mut missions = chain(&[("a", &[]), ("b", &[])]);
    missions.iter_mut().for_each(|it| it.files = vec!["src/**".to_owned()]);
    missions[1].priority = Priority(9);
    let run = begun(Mode::Leader, missions.clone(), Limits::default());
    assert_eq!(run.layers.len(), 2);
    // Who only reads stands in nobody's way, and the more urgent comes first.
    missions.iter_mut().for_each(|it| it.role = Some("code-reviewer".to_owned()));
    let run = begun(Mode::Leader, missions, Limits::default());
    assert_eq!(run.layers, [vec![1, 0]]);
}

#[test]
fn the_threshold_is_seventy() {
    let one = || begun(Mode::Team, chain(&[("a", &[])]), Limits::default());
    assert_eq!(attempt(&mut one(), &result(70.0), None).intervention, Intervention::Continue);
    let mut run = one();
    let decision = attempt(&mut run, &result(69.0), None);
    assert_eq!(decision.intervention, Intervention::Terminate);
    assert_eq!(decision.reason, "quality below threshold: 69 of 100, 70 are wanted");
    assert!(matches!(run.outcome, Some(Outcome::Terminated(_))));
    // Another threshold, another outcome.
    let mut run = begun(Mode::Team, chain(&[("a", &[])]), Limits { threshold: 60.0, ..Limits::default() });
    assert_eq!(attempt(&mut run, &result(69.0), None).intervention, Intervention::Continue);
    assert_eq!(run.outcome, Some(Outcome::Completed));
}

#[test]
fn what_may_pass_is_tried_three_times_more() {
    let mut run = begun(Mode::Leader, chain(&[("a", &[])]), Limits::default());
    let busy = || RoleResult { trouble: Some(Trouble::Transient("the server is busy".to_owned())), ..result(0.0) };
    let decided: Vec<Intervention> = (0..4).map(|_| attempt(&mut run, &busy(), None).intervention).collect();
    assert_eq!(decided, [Intervention::Retry, Intervention::Retry, Intervention::Retry, Intervention::Terminate]);
    assert_eq!(run.outcome, Some(Outcome::Terminated("a: the server is busy, after 3 retries".to_owned())));
    assert_eq!(run.log.len(), 4, "each decision is in the log");
}

#[test]
fn a_weak_result_is_enhanced_once_and_then_somebody_helps() {
    let mut run = begun(Mode::Leader, chain(&[("a", &[])]), Limits::default());
    let weak = || RoleResult { problems: vec!["no tests".to_owned()], ..result(40.0) };
    assert_eq!(attempt(&mut run, &weak(), Some("architect")).intervention, Intervention::Enhance);
    assert_eq!(run.standings["a"].lessons, ["no tests"]);
    for at in 1..=5 {
        let decision = attempt(&mut run, &weak(), Some("architect"));
        assert_eq!(decision.intervention, Intervention::Escalate);
        assert!(decision.reason.ends_with(&format!("architect, attempt {at} of 5")), "{}", decision.reason);
        assert_eq!(run.standings["a"].role, "architect");
    }
    assert_eq!(attempt(&mut run, &weak(), Some("architect")).intervention, Intervention::Terminate);
    // A missing capability is not enhanced first.
    let mut run = begun(Mode::Leader, chain(&[("a", &[])]), Limits::default());
    let missing = RoleResult { trouble: Some(Trouble::Missing("web_search".to_owned())), ..result(0.0) };
    assert_eq!(attempt(&mut run, &missing, Some("researcher")).intervention, Intervention::Escalate);
}

#[test]
fn the_role_with_the_tools_takes_a_mission() {
    let mission = |kind, role: Option<&str>, needed: &[&str]| Mission {
        id: "m".to_owned(),
        goal: "Review the design and name each fault".to_owned(),
        kind,
        role: role.map(str::to_owned),
        tools: needed.iter().map(|it| (*it).to_owned()).collect(),
        ..Mission::default()
    };
    let of = |it: Mission| assign(&[it], &roles(), &tools()).map(|it| it[0].clone()).map_err(|it| it.to_string());
    assert_eq!(of(mission(Kind::Documentation, None, &[])), Ok("code-reviewer".to_owned()), "its words fit best");
    assert_eq!(
        of(mission(Kind::Documentation, None, &["write"])),
        Ok("architect".to_owned()),
        "who cannot write is out"
    );
    let error = of(mission(Kind::Development, Some("code-reviewer"), &["write"])).expect_err("it cannot write");
    assert!(error.contains("`code-reviewer` has no tool `write`"), "{error}");
    let error = of(mission(Kind::Research, None, &[])).expect_err("no network");
    assert!(error.contains("`web_search` is off"), "{error}");
    let error = of(mission(Kind::Testing, Some("jester"), &[])).expect_err("nobody");
    assert!(error.contains("no role `jester`"), "{error}");
}

#[test]
fn up_to_five_hundred_characters_are_told_in_full() {
    let of = |length: usize| {
        let output = "word ".repeat(200).chars().take(length).collect::<String>();
        told(&[Upstream { mission: "m", role: "r", output: &output, place: "logs/m.txt" }])
    };
    for length in [499, 500] {
        assert!(!of(length).contains("the whole"), "{length}");
    }
    let long = of(501);
    assert!(long.contains("501 characters; the whole: logs/m.txt"), "{long}");
    assert!(long.len() < 420, "{long}");
}

#[test]
fn scores_are_shares_of_what_can_be_checked() {
    let made = Made { output: "all of it", files: &NoFiles };
    let says = |text: &str, weight: f64| Criterion {
        criterion: format!("says {text}"),
        weight,
        check: Some(Check::ContentCheck { file: None, must_contain: vec![text.to_owned()] }),
    };
    let soft = Criterion { criterion: "is kind".to_owned(), weight: 0.2, check: None };
    let judgement = score(&[says("all", 0.6), says("none", 0.2), soft.clone()], &[], made);
    assert!((judgement.score - 75.0).abs() < 1e-9, "{judgement:?}");
    assert_eq!((judgement.unjudged, judgement.issues.len()), (vec!["is kind".to_owned()], 1));
    assert!(
        score(std::slice::from_ref(&soft), &["x".to_owned()], made).score < 1.0,
        "nothing but the form speaks for it"
    );
    let answer = serde_json::json!({"overall_score": 95, "criteria_scores": {"is kind": 40}, "issues": ["rude"]});
    let judgement = Judgement::of_model(&answer, &[Criterion { weight: 1.0, ..soft }]).expect("a score");
    assert!((judgement.score - 40.0).abs() < 1e-9, "the criteria decide: {judgement:?}");
    assert!(Judgement::of_model(&serde_json::json!({"overall_score": 101}), &[]).is_err());
}

#[test]
fn requirements_become_missions_and_roles_a_line() {
    let text = "# Shop\n\n## Services\n\n### order-service\n\nOwns **Order** (id, total). `GET /orders` lists orders.\n\n\
                ### stock-service\n\nOwns **Item** (id, count). `GET /items` lists items.\n";
    let missions = by_requirements(text);
    let ids: Vec<&str> = missions.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(
        ids,
        ["design", "build-order-service", "test-order-service", "build-stock-service", "test-stock-service", "review"]
    );
    let run = begun(Mode::Leader, missions, Limits::default());
    assert_eq!(run.layers, [vec![0], vec![1, 3], vec![2, 4], vec![5]]);
    assert_eq!(by_requirements("Please tidy up the kitchen."), Vec::new());
    let missions = by_roles("Add paging", &roles(), &tools()).expect("missions");
    let run = begun(Mode::Team, missions, Limits::default());
    let names: Vec<Vec<&str>> =
        run.layers.iter().map(|it| it.iter().map(|at| run.missions[*at].id.as_str()).collect()).collect();
    assert_eq!(
        names,
        [vec!["architect"], vec!["code-writer"], vec!["test-engineer", "wiring-verifier"], vec!["code-reviewer"]]
    );
    assert!(!run.standings.contains_key("researcher"), "no network, no researcher");
}

#[test]
fn the_roles_of_the_product_can_be_used() {
    let roles = roles();
    assert_eq!(roles.problems, Vec::<String>::new());
    assert_eq!(roles.names().len(), 6);
    let mut roles = roles;
    roles.add("code_writer.yaml", "code_writer", "mission: {goal: Write less}\ntools: [read, write]\n");
    roles.add("broken.yaml", "broken", "mission: {}\n");
    assert_eq!(roles.get("code-writer").map(|it| it.goal.as_str()), Some("Write less"), "the project's own wins");
    assert_eq!(roles.problems.len(), 1, "{:?}", roles.problems);
}

proptest! {
    /// Whatever roles give, a run ends, within its limits.
    #[test]
    fn every_run_ends(results in proptest::collection::vec(0_u8..5, 60), mode in 0..2) {
        let mode = if mode == 0 { Mode::Leader } else { Mode::Team };
        let mut run = begun(mode, chain(&[("a", &[]), ("b", &["a"]), ("c", &[])]), Limits::default());
        let mut used = 0;
        for kind in results {
            if run.outcome.is_some() {
                break;
            }
            let it = match kind {
                0 => result(100.0),
                1 => result(30.0),
                2 => RoleResult { format_valid: false, ..result(90.0) },
                3 => RoleResult { trouble: Some(Trouble::Transient("busy".to_owned())), ..result(0.0) },
                _ => RoleResult { trouble: Some(Trouble::Missing("run".to_owned())), ..result(0.0) },
            };
            attempt(&mut run, &it, Some("architect"));
            used += 1;
        }
        prop_assert!(run.outcome.is_some(), "{} attempts", used);
        prop_assert!(run.attempts() <= 30);
        for it in run.standings.values() {
            prop_assert!(it.retries <= 3 && it.helped <= 5);
        }
        prop_assert!(run.ready().is_empty());
    }
}
