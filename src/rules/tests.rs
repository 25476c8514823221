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
    assert_eq!(names(&set.select(&one("contract-002"), &[]).expect("known")), ["missing-endpoint"]);
    let without = names(&set.select(&[], &one("CONTRACT")).expect("known"));
    assert!(!without.is_empty() && !without.contains(&"missing-endpoint".to_owned()), "{without:?}");
    assert_eq!(names(&set.select(&[], &[]).expect("known")), names(&set));
    let error = set.select(&one("CONTRACT-999"), &[]).expect_err("unknown");
    let RuleError::Unknown { advice, .. } = error else { panic!("another error") };
    assert!(advice.contains("CONTRACT-002"), "{advice}");
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
        let chosen = all.select(&names(select), &names(ignore)).expect("known");
        chosen.rules().map(|rule| rule.code.clone()).collect()
    };
    assert_eq!(codes("team-0", ""), ["TEAM-001", "TEAM-002"]);
    assert_eq!(codes("TE", "TEAM-001"), ["TEAM-002", "TEAMS-001"]);
    assert_eq!(codes("TEAM", ""), ["TEAM-001", "TEAM-002"]);
    assert_eq!(codes("", "teams-"), ["TEAM-001", "TEAM-002"]);
    for none in ["", "EAM", "TEAM-0011", "TEAM-00é"] {
        assert!(all.select(&[none.to_owned()], &[]).is_err(), "{none}");
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
