//! Rule files: the embedded ones load, mistakes are shown at their line.

use super::*;

const GOOD: &str =
    "code = \"TEAM-001\"\nname = \"gone\"\nseverity = \"warning\"\nmessage = \"no {operation}\"\n\n[check.presence]\n";

fn load(toml: &str) -> Result<RuleSet, RuleError> {
    RuleSet::load(&[
        ("team/TEAM-001.md".into(), "# x\n\nSays it.\n".into()),
        ("team/TEAM-001.toml".into(), toml.into()),
    ])
}

fn refused(toml: &str) -> (String, String) {
    let error = load(toml).expect_err("the rule is wrong");
    let RuleError::Invalid { problem, at, .. } = &error else { panic!("{error}") };
    let at = at.expect("it has a place");
    (problem.clone(), toml[at.offset()..at.offset() + at.len()].to_owned())
}

#[test]
fn every_embedded_rule_loads_and_has_a_summary() {
    let set = RuleSet::embedded();
    assert!(set.rules().count() >= 3);
    for rule in set.rules() {
        assert!(!rule.summary.is_empty(), "{} has no summary", rule.code);
        assert!(rule.kinds().count() > 0, "{} reports nothing", rule.code);
        if let Engine::Source(source) = &rule.engine {
            assert!(source.patterns().is_ok_and(|it| !it.is_empty()), "{}: {:?}", rule.code, source.patterns().err());
        }
    }
}

#[test]
fn a_rule_caps_the_severity_of_its_kinds_unless_it_states_one() {
    let set = load(&format!("{GOOD}\n[kind.missing]\nseverity = \"error\"\n")).expect("a good rule");
    let kinds: BTreeMap<_, _> = set.rules().next().expect("one rule").kinds().collect();
    assert_eq!(kinds["missing"], Severity::Error);
    assert_eq!(kinds["other-method"], Severity::Warning);
    assert_eq!(set.rules().next().expect("one rule").summary, "Says it");
}

#[test]
fn a_mistake_in_a_rule_file_is_shown_where_it_stands() {
    let wrong = |from: &str, to: &str| refused(&GOOD.replace(from, to));
    assert_eq!(wrong("no {operation}", "no {x}"), ("`{x}` is not known for `missing`".into(), "\"no {x}\"".into()));
    assert_eq!(wrong("\"warning\"", "\"bad\""), ("`bad` is no severity".into(), "\"bad\"".into()));
    assert_eq!(wrong("TEAM-001", "TEAM-002").1, "\"TEAM-002\"");
    assert_eq!(wrong("[check.presence]", "[check.presents]").1, "presents");
    let (problem, at) = refused(&format!("{GOOD}\n[kind.mising]\nhelp = \"x\"\n"));
    assert_eq!((problem.as_str(), at.as_str()), ("`mising` is no kind of `presence`", "mising"));
    assert!(refused("code = ").0.contains("value") || refused("code = ").0.contains("string"));
}

#[test]
fn rules_are_chosen_by_code_or_family_and_a_name_that_none_has_is_an_error() {
    let set = RuleSet::embedded();
    let names = |set: &RuleSet| set.rules().map(|rule| rule.name.clone()).collect::<Vec<_>>();
    let one = |text: &str| vec![text.to_owned()];
    assert_eq!(names(&set.select(&Selection::only(&one("contract-002"))).expect("known")), ["missing-endpoint"]);
    let without = names(&set.select(&Selection::of(&[], &one("CONTRACT"))).expect("known"));
    assert!(!without.is_empty() && !without.contains(&"missing-endpoint".to_owned()), "{without:?}");
    let everyday: Vec<String> =
        set.rules().filter(|rule| rule.tier == Tier::Default).map(|rule| rule.name.clone()).collect();
    assert_eq!(names(&set.select(&Selection::default()).expect("known")), everyday);
    let error = set.select(&Selection::only(&one("CONTRACT-999"))).expect_err("unknown");
    let RuleError::Unknown { advice, .. } = error else { panic!("another error") };
    assert!(advice.contains("CONTRACT-002"), "{advice}");
}

#[test]
fn a_tier_says_when_a_rule_runs_and_a_name_asks_for_any() {
    let rule = |code: &str, tier: &str| {
        let text = GOOD.replace("TEAM-001", code).replacen("message", &format!("{tier}message"), 1);
        [(format!("team/{code}.md"), "# x\n\ny\n".to_owned()), (format!("team/{code}.toml"), text)]
    };
    let files = [
        rule("TEAM-001", ""),
        rule("TEAM-002", "tier = \"depth\"\n"),
        rule("TEAM-003", "tier = \"depth\"\ndepth = \"thorough\"\n"),
        rule("TEAM-004", "tier = \"preview\"\n"),
    ];
    let all = RuleSet::load(&files.concat()).expect("good rules");
    let codes = |selection: &Selection<'_>| -> String {
        let chosen = all.select(selection).expect("known");
        chosen.rules().map(|rule| rule.code.trim_start_matches("TEAM-00")).collect()
    };
    let at = |depth| codes(&Selection { depth, ..Selection::default() });
    assert_eq!(at(None), "1");
    assert_eq!(at(Some(Depth::Quick)), "1");
    assert_eq!(at(Some(Depth::Standard)), "12");
    assert_eq!(at(Some(Depth::Exhaustive)), "123");
    let named = |name: &str| vec![name.to_owned()];
    assert_eq!(codes(&Selection::only(&named("team"))), "1234");
    assert_eq!(codes(&Selection { also: &named("TEAM-004"), ..Selection::default() }), "14");
    let (depth, ignore) = (Some(Depth::Thorough), named("TEAM-002"));
    assert_eq!(codes(&Selection { depth, ignore: &ignore, ..Selection::default() }), "13");
    for (wrong, problem) in [
        ("tier = \"often\"\n", "`often` is no tier"),
        ("tier = \"depth\"\ndepth = \"quick\"\n", "`quick` is no depth that adds rules"),
        ("depth = \"standard\"\n", "a rule of the tier `default` has no depth"),
        ("fix = \"x\"\n", "`presence` reports nothing that a template could replace"),
        ("fix-safety = \"safe\"\n", "there is no `fix` that could be safe"),
    ] {
        assert_eq!(refused(&GOOD.replacen("message", &format!("{wrong}message"), 1)).0, problem);
    }
}

#[test]
fn what_codes_begin_with_chooses_them_and_a_family_means_itself_alone() {
    let rule = |family: &str, code: &str| {
        let text = GOOD.replace("TEAM-001", code);
        [(format!("{family}/{code}.md"), "# x\n\ny\n".to_owned()), (format!("{family}/{code}.toml"), text)]
    };
    let files = [rule("team", "TEAM-001"), rule("team", "TEAM-002"), rule("teams", "TEAMS-001")].concat();
    let all = RuleSet::load(&files).expect("good rules");
    let codes = |select: &str, ignore: &str| -> Vec<String> {
        let names = |text: &str| text.split_terminator(',').map(str::to_owned).collect::<Vec<_>>();
        let chosen = all.select(&Selection::of(&names(select), &names(ignore))).expect("known");
        chosen.rules().map(|rule| rule.code.clone()).collect()
    };
    assert_eq!(codes("team-0", ""), ["TEAM-001", "TEAM-002"]);
    assert_eq!(codes("TE", "TEAM-001"), ["TEAM-002", "TEAMS-001"]);
    assert_eq!(codes("TEAM", ""), ["TEAM-001", "TEAM-002"]);
    assert_eq!(codes("", "teams-"), ["TEAM-001", "TEAM-002"]);
    for none in ["", "EAM", "TEAM-0011", "TEAM-00é"] {
        assert!(all.select(&Selection::only(&[none.to_owned()])).is_err(), "{none}");
    }
}

#[test]
fn a_users_rule_may_not_take_a_code_and_needs_its_documentation() {
    let own = load(GOOD).expect("a good rule");
    let files = [("team/TEAM-001.md".into(), "# x\n\ny\n".into()), ("team/TEAM-001.toml".into(), GOOD.into())];
    assert!(matches!(own.load_user(&files), Err(RuleError::Twice { .. })));
    assert_eq!(
        RuleSet::embedded().load_user(&files).expect("another code").rules().count(),
        RuleSet::embedded().rules().count() + 1
    );
    assert!(matches!(RuleSet::load(&files[1..]), Err(RuleError::NoTwin { .. })));
}
