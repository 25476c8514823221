//! The engines on projects built by hand, in the words of the embedded rules.

use serde_json::{Value, json};

use super::fixture::Fixture;
use super::{Coverage, coverage};
use crate::finding::{Finding, Reason, Severity};
use crate::model::{Method, Parameter, ParameterPlace, Reach, Status, Unread};
use crate::project::Project;
use crate::rules::RuleSet;
use crate::text::{FileId, Span};

fn judged(project: &Project, rule: &str) -> Vec<Finding> {
    let set = RuleSet::embedded();
    let code = set.rules().find(|known| known.name == rule).expect("the rule exists").code.clone();
    set.select(&crate::rules::Selection::only(&[code])).expect("it exists").judge(project, &mut Vec::new())
}

/// `kind severity field [operations]: message`
fn lines(project: &Project, rule: &str) -> Vec<String> {
    let line = |f: &Finding| {
        let field = f.field.as_deref().unwrap_or("-");
        format!("{} {} {field} [{}]: {}", f.kind, f.severity.name(), f.operations.join(", "), f.message)
    };
    judged(project, rule).iter().map(line).collect()
}

const SCHEMA: &str = "response-schema-mismatch";
const MISSING: &str = "missing-endpoint";
const REQUEST: &str = "request-schema-mismatch";
const UNDOCUMENTED: &str = "undocumented-endpoint";

fn user(properties: &Value, required: &[&str]) -> Value {
    json!({"User": {"type": "object", "properties": properties, "required": required}})
}

fn list_of_user() -> Value {
    json!({"type": "array", "items": {"$ref": "User"}})
}

#[test]
fn one_cause_is_one_finding_that_lists_its_operations_in_the_contracts_order() {
    let text = json!({"type": "string"});
    let mut fixture =
        Fixture::new(&user(&json!({"id": text}), &["id"]), &user(&json!({"id": text, "name": text}), &["id", "name"]));
    let one = json!({"$ref": "User"});
    fixture.serves("GET /users/{user_id}", 200, Some(&one));
    fixture.serves("GET /users", 200, Some(&list_of_user()));
    fixture.promises("GET /users", 200, Some(&list_of_user()));
    fixture.promises("GET /users/{id}", 200, Some(&one));
    let project = fixture.project();
    assert_eq!(
        lines(&project, SCHEMA),
        [
            "missing-field error name [GET /users, GET /users/{id}]: `name` is missing from `User`, and the contract requires it (string)"
        ]
    );
    let finding = &judged(&project, SCHEMA)[0];
    assert_eq!(project.sources.path(finding.span), "app.py");
    let contract = finding.contract.as_ref().expect("the contract's side");
    assert_eq!(contract.pointer, "/components/schemas/User/properties/name");
    assert_eq!(project.sources.path(contract.span), "openapi.yaml");
    assert_eq!(finding.operation.as_deref(), Some("GET /users"));
    assert_eq!(finding.related.len(), 1);
}

#[test]
fn only_what_all_routes_of_an_operation_get_wrong_is_reported() {
    let text = json!({"type": "string"});
    let names = json!({
        "Old": {"type": "object", "properties": {"id": text}, "required": ["id"]},
        "New": {"type": "object", "properties": {"id": {"type": "integer"}, "name": text}, "required": ["id"]},
    });
    let mut fixture = Fixture::new(&names, &user(&json!({"id": {"type": "boolean"}, "name": text}), &["id", "name"]));
    fixture.serves("GET /user", 200, Some(&json!({"$ref": "Old"})));
    fixture.serves("GET /user", 200, Some(&json!({"$ref": "New"})));
    fixture.promises("GET /user", 200, Some(&json!({"$ref": "User"})));
    let found = lines(&fixture.project(), SCHEMA);
    assert_eq!(found, ["type error id [GET /user]: `id` of `Old` is string, and the contract promises boolean"]);
}

#[test]
fn a_status_is_wrong_when_the_contract_has_others_and_its_body_is_still_compared() {
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    fixture.serves("POST /a", 201, Some(&text));
    fixture.promises("POST /a", 200, Some(&number));
    fixture.serves("POST /b", 201, Some(&text));
    fixture.promises("POST /b", 200, Some(&text)).responses[0].status = Status::Range(2);
    fixture.serves("POST /c", 201, Some(&text)).responses[0].status = Status::Unknown(Reason::new("computed", None));
    fixture.promises("POST /c", 202, Some(&text));
    fixture.serves("DELETE /d", 204, None);
    fixture.promises("DELETE /d", 200, Some(&text));
    assert_eq!(
        lines(&fixture.project(), SCHEMA),
        [
            "status error - [POST /a]: `POST /a` answers 201, and the contract promises 200",
            "type error - [POST /a]: the response of `handler_0` is string, and the contract promises integer",
            "status error - [DELETE /d]: `DELETE /d` answers 204, and the contract promises 200",
        ]
    );
}

#[test]
fn a_promised_body_that_is_never_sent_is_missing() {
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    fixture.serves("GET /a", 200, None);
    fixture.promises("GET /a", 200, Some(&list_of_strings()));
    fixture.serves("GET /b", 200, None);
    fixture.promises("GET /b", 200, Some(&json!({})));
    assert_eq!(
        lines(&fixture.project(), SCHEMA),
        ["missing-body error - [GET /a]: `GET /a` answers without a body, and the contract promises array of string"]
    );
}

fn list_of_strings() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

#[test]
fn null_is_no_finding_against_a_contract_that_never_states_it() {
    let text = json!({"type": "string", "nullable": true});
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    fixture.serves("GET /a", 200, Some(&text));
    fixture.promises("GET /a", 200, Some(&json!({"type": "string"})));
    let mut project = fixture.project();
    assert_eq!(judged(&project, SCHEMA).len(), 1);
    project.contracts[0].states_null = false;
    assert_eq!(lines(&project, SCHEMA), Vec::<String>::new());
}

#[test]
fn a_missing_operation_names_its_nearest_miss() {
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    for route in ["PUT /a", "GET /api/users/{id}", "GET /orders/{order}/lines", "GET /files/latest", "POST /both"] {
        fixture.serves(route, 200, None);
    }
    for promise in [
        "PATCH /a",
        "GET /users/{uid}",
        "GET /order/{id}/lines",
        "GET /files/{name}",
        "GET /nowhere",
        "POST /both",
        "PUT /both",
    ] {
        fixture.promises(promise, 200, None);
    }
    let project = fixture.project();
    let found: Vec<String> = judged(&project, MISSING)
        .iter()
        .map(|f| format!("{} {}: {}; {}", f.kind, f.severity.name(), f.message, f.help.clone().unwrap_or_default()))
        .collect();
    assert_eq!(
        found,
        [
            "other-method error: no route serves `PATCH /a`; the code has `PUT /a`; change the method of `PUT /a`, or the contract",
            "other-prefix error: no route serves `GET /users/{uid}`; the code has `GET /api/users/{id}`; serve `GET /api/users/{id}` under the contract's prefix, or set `base-path` if a gateway adds it",
            "missing error: no route serves `GET /order/{id}/lines`; compare with `GET /orders/{order}/lines`, which the contract does not have",
            "missing error: no route serves `GET /files/{name}`; compare with `GET /files/latest`, which the contract does not have",
            "missing error: no route serves `GET /nowhere`; add the route, or take the operation out of the contract",
            "missing error: no route serves `PUT /both`; add the method beside `POST /both`, or take it out of the contract",
        ]
    );
    assert_eq!(judged(&project, MISSING)[0].span, project.contracts[0].operations[0].span);
}

#[test]
fn what_is_ignored_unrelated_or_doubtful_is_not_an_error() {
    let build = |ignored: Vec<usize>, unread: Vec<Unread>| {
        let mut fixture = Fixture::new(&json!({}), &json!({}));
        fixture.promises("GET /a", 200, None);
        fixture.ignored = ignored;
        fixture.unread = unread;
        fixture.project()
    };
    assert_eq!(judged(&build(vec![0], vec![]), MISSING).len(), 0);
    let unread = Unread {
        path: String::new(),
        method: None,
        reach: Reach::Unseen,
        reason: Reason::new("it is handed to what is not read", None),
    };
    let doubtful = build(vec![], vec![unread]);
    assert_eq!(judged(&doubtful, MISSING).len(), 0);
    assert_eq!(coverage(&doubtful)[0].not_verifiable, [("it is handed to what is not read".to_owned(), 1)]);
    let mut unrelated = build(vec![], vec![]);
    assert_eq!(judged(&unrelated, MISSING)[0].severity, Severity::Error);
    unrelated.links[0].unrelated = true;
    assert_eq!(judged(&unrelated, MISSING).len(), 0);
}

/// `kind severity [operations]` of what is missing of a service with the resource `a`, and of a contract with that and
/// these.
fn missing_of(promises: &[&str], unread: Vec<Unread>) -> Vec<String> {
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    for known in ["GET /a", "POST /a", "GET /a/{id}", "PUT /a/{id}", "DELETE /a/{id}"] {
        fixture.serves(known, 200, None);
        fixture.promises(known, 200, None);
    }
    promises.iter().for_each(|title| {
        fixture.promises(title, 200, None);
    });
    fixture.unread = unread;
    let line = |f: &Finding| format!("{} {} [{}]", f.kind, f.severity.name(), f.operations.join(", "));
    judged(&fixture.project(), MISSING).iter().map(line).collect()
}

#[test]
fn what_is_missing_of_one_resource_is_one_finding_and_a_doubt_where_it_is_much() {
    assert_eq!(missing_of(&["PATCH /a/{id}"], vec![]), ["missing error [PATCH /a/{id}]"]);
    assert_eq!(missing_of(&["GET /b"], vec![]), ["missing error [GET /b]"]);
    assert_eq!(
        missing_of(&["GET /b", "GET /b/{id}", "PATCH /a/{id}"], vec![]),
        ["not-read warning [GET /b, GET /b/{id}]", "missing error [PATCH /a/{id}]"]
    );
    let mut many: Vec<String> = (0..5).map(|at| format!("GET /a/known{at}")).collect();
    many.extend(["GET /b".to_owned(), "GET /b/{id}".to_owned()]);
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let found = missing_of(&many, vec![]);
    assert_eq!(found.iter().filter(|line| line.starts_with("missing error [GET /a/known")).count(), 5);
    assert!(found.contains(&"missing-resource error [GET /b, GET /b/{id}]".to_owned()), "{found:?}");
}

#[test]
fn a_part_that_was_not_read_makes_doubtful_what_it_may_serve_and_nothing_else() {
    let unread = |path: &str, method, reach| {
        vec![Unread { path: path.into(), method, reach, reason: Reason::new("a test says so", None) }]
    };
    let promises = ["PATCH /a/{id}", "GET /b"];
    assert_eq!(missing_of(&promises, unread("", None, Reach::Unseen)), ["missing error [PATCH /a/{id}]"]);
    assert_eq!(missing_of(&promises, unread("/b", None, Reach::Below)), ["missing error [PATCH /a/{id}]"]);
    assert_eq!(missing_of(&promises, unread("/a", None, Reach::Below)), ["missing error [GET /b]"]);
    let of_method = unread("/\u{fffc}", Some(Method::Patch), Reach::Route);
    assert_eq!(missing_of(&promises, of_method), ["missing error [GET /b]"]);
    let mounted = || unread("/m/x", None, Reach::Unseen);
    assert_eq!(missing_of(&["GET /m/x/a"], Vec::new()).len(), 1, "the ending of a route that is read");
    assert!(missing_of(&["GET /m/x/a"], mounted()).is_empty(), "and what is mounted there has an ending of its own");
    // A server of its own in another file is another server, and one where the routes are may be theirs.
    let own = |file| {
        let reason = Reason::new("a test says so", Some(Span::new(FileId(file), 0, 1)));
        vec![Unread { path: String::new(), method: None, reach: Reach::Anything, reason }]
    };
    assert_eq!(missing_of(&promises, own(1)), ["missing error [PATCH /a/{id}]"]);
    assert!(missing_of(&promises, own(0)).is_empty());
    // One route of unknown path may be one of two, and the resource says nothing of which.
    let two = ["PATCH /a/{id}", "PATCH /a"];
    assert_eq!(missing_of(&two, unread("/\u{fffc}", Some(Method::Patch), Reach::Route)).len(), 2);
}

#[test]
fn a_contract_that_is_mostly_of_scripts_is_that_of_another_program() {
    assert!(missing_of(&["GET /old/a.php"], vec![]).is_empty());
    let scripts: Vec<String> = (0..8).map(|at| format!("GET /old/{at}.php")).collect();
    let all: Vec<&str> = scripts.iter().map(String::as_str).chain(["GET /old"]).collect();
    assert!(missing_of(&all, vec![]).is_empty(), "what stands beside them is theirs, too");
    assert_eq!(missing_of(&["GET /old/a.php", "PATCH /a/{id}"], vec![]), ["missing error [PATCH /a/{id}]"]);
}

#[test]
fn coverage_counts_what_could_be_compared_and_why_not_the_rest() {
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    let text = json!({"type": "string"});
    for (route, sent) in
        [("GET /a", &text), ("GET /b", &json!({})), ("GET /c", &json!({"type": "unknown"})), ("GET /d", &json!({}))]
    {
        fixture.serves(route, 200, Some(sent));
        fixture.promises(route, 200, Some(&text));
    }
    fixture.serves("GET /file", 200, Some(&text)).responses[0].bodies[0].media = "text/html".into();
    fixture.promises("GET /file", 200, Some(&text));
    fixture.serves("GET /free", 200, Some(&json!({})));
    fixture.promises("GET /free", 200, Some(&json!({})));
    fixture.promises("GET /gone", 200, Some(&text));
    fixture.promises("GET /planned", 200, Some(&text));
    fixture.ignored = vec![7];
    let reasons = [("no declared response type", 2), ("a test says so", 1), ("code answers with `text/html`", 1)];
    assert_eq!(
        coverage(&fixture.project()),
        [Coverage {
            link: 0,
            contracted: 8,
            ignored: 1,
            found: 6,
            verified: 2,
            requests_verified: 6,
            unread: 0,
            not_verifiable: reasons.map(|(reason, count)| (reason.to_owned(), count)).to_vec(),
        }]
    );
}

/// A parameter whose values are of a schema.
fn parameter(shapes: &mut super::fixture::Shapes, name: &str, place: ParameterPlace, schema: &Value) -> Parameter {
    let shape = shapes.add(schema, "");
    let required = place == ParameterPlace::Path;
    Parameter { name: name.into(), place, required, shape, span: Span::new(FileId(0), 30, 35) }
}

#[test]
fn parameters_are_the_same_by_place_and_name_and_those_of_the_path_by_position() {
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    let mut taken = vec![
        parameter(&mut fixture.code, "user_id", ParameterPlace::Path, &number),
        parameter(&mut fixture.code, "X-Trace", ParameterPlace::Header, &number),
        parameter(&mut fixture.code, "size", ParameterPlace::Query, &number),
        parameter(&mut fixture.code, "Accept", ParameterPlace::Header, &text),
    ];
    taken[3].required = true;
    let promised = vec![
        parameter(&mut fixture.contract, "id", ParameterPlace::Path, &text),
        parameter(&mut fixture.contract, "x-trace", ParameterPlace::Header, &number),
        parameter(
            &mut fixture.contract,
            "size[]",
            ParameterPlace::Query,
            &json!({"type": "string", "enum": ["1", "20"]}),
        ),
        parameter(&mut fixture.contract, "q", ParameterPlace::Query, &text),
    ];
    fixture.serves("GET /users/{user_id}", 200, None).request.parameters = taken;
    fixture.promises("GET /users/{id}", 200, None).request.parameters = promised;
    assert_eq!(
        lines(&fixture.project(), REQUEST),
        [
            "unknown warning q [GET /users/{id}]: the contract has query parameter `q` (string), and `handler_0` does not take it",
            "type warning id [GET /users/{id}]: path parameter `user_id` is string in the contract, and `handler_0` takes integer",
        ]
    );
}

#[test]
fn what_may_be_taken_besides_is_not_missing_and_what_nothing_checks_is_no_error() {
    let text = json!({"type": "string"});
    for (unknown, unchecked, expected) in [
        (false, false, vec!["unknown warning q", "missing error tenant"]),
        (true, false, vec!["missing error tenant"]),
        (false, true, vec!["unknown warning q", "missing info tenant"]),
    ] {
        let mut fixture = Fixture::new(&json!({}), &json!({}));
        let mut tenant = parameter(&mut fixture.code, "tenant", ParameterPlace::Query, &text);
        tenant.required = true;
        let q = parameter(&mut fixture.contract, "q", ParameterPlace::Query, &text);
        let request = &mut fixture.serves("GET /a", 200, None).request;
        request.parameters = vec![tenant];
        request.unchecked = unchecked;
        request.other_parameters = unknown.then(|| Reason::new("a test says so", None));
        fixture.promises("GET /a", 200, None).request.parameters = vec![q];
        let found = lines(&fixture.project(), REQUEST);
        let found: Vec<&str> = found.iter().map(|line| line.split(" [").next().expect("a line")).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn of_two_routes_only_what_both_refuse_is_refused() {
    let number = json!({"type": "integer"});
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    for name in ["a", "b"] {
        let mut own = parameter(&mut fixture.code, name, ParameterPlace::Query, &number);
        let mut both = parameter(&mut fixture.code, "c", ParameterPlace::Query, &number);
        (own.required, both.required) = (true, true);
        fixture.serves("GET /a", 200, None).request.parameters = vec![own, both];
    }
    fixture.promises("GET /a", 200, None);
    let found = lines(&fixture.project(), REQUEST);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("missing error c "), "{found:?}");
}

#[test]
fn a_named_set_of_values_is_one_cause_for_all_members_of_its_type() {
    let names = |values: &Value| {
        json!({
            "State": {"type": "string", "enum": values},
            "Job": {"type": "object", "properties": {"now": {"$ref": "State"}, "before": {"$ref": "State"}}},
        })
    };
    let mut fixture = Fixture::new(&names(&json!(["on", "off"])), &names(&json!(["on"])));
    fixture.serves("GET /job", 200, Some(&json!({"$ref": "Job"})));
    fixture.promises("GET /job", 200, Some(&json!({"$ref": "Job"})));
    fixture.serves("GET /state", 200, Some(&json!({"$ref": "State"})));
    fixture.promises("GET /state", 200, Some(&json!({"$ref": "State"})));
    assert_eq!(
        lines(&fixture.project(), SCHEMA),
        ["enum-value error now [GET /job, GET /state]: `now` of `Job` can be `off`, and the contract allows only `on`"]
    );
}

#[test]
fn a_route_that_other_code_registers_is_reported_at_its_handler() {
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    let handler = crate::text::Span::new(crate::text::FileId(1), 20, 25);
    let route = fixture.serves("GET /a", 201, None);
    route.implementation.as_mut().expect("it is code").handler_span = Some(handler);
    fixture.promises("GET /a", 200, None);
    assert_eq!(judged(&fixture.project(), SCHEMA)[0].span, handler);
}

#[test]
fn a_route_is_undocumented_where_its_application_is_described_and_it_is_not() {
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    let mount = |span| crate::model::MountStep { span, what: "FastAPI()".into(), prefix: String::new() };
    for (at, title) in
        ["GET /a", "POST /a", "HEAD /a", "OPTIONS /a", "GET /b", "GET /hidden", "GET /other"].iter().enumerate()
    {
        let code = fixture.serves(title, 200, None).implementation.as_mut().expect("it is code");
        code.mounts = vec![mount(Span::new(FileId(0), usize::from(at == 6), 2))];
        code.hidden = at == 5;
    }
    fixture.promises("GET /a", 200, None);
    fixture.promises("POST /a", 200, None);
    assert_eq!(lines(&fixture.project(), UNDOCUMENTED), ["path warning - [GET /b]: no contract has `GET /b`"]);
}
