//! Which route answers which promise, and in front of what.

use super::*;
use crate::checks::fixture::Fixture;
use crate::model::Method;
use serde_json::json;

/// A service with these routes and a contract with these promises, both as `GET /path`.
fn project(served: &[&str], promised: &[&str]) -> Fixture {
    let mut fixture = Fixture::new(&json!({}), &json!({}));
    for title in served {
        fixture.serves(title, 200, None);
    }
    for title in promised {
        fixture.promises(title, 200, None);
    }
    fixture
}

fn claim() -> Claim {
    Claim { candidates: vec![0], ..Claim::default() }
}

/// What a claim comes to: the promises, each with the routes that answer it, and what stands in front of the paths.
fn linked(fixture: Fixture, claim: Claim) -> (Vec<(String, Vec<String>)>, String) {
    let project = fixture.project();
    let (links, _) = link(&project.services, &project.contracts, &[claim], &project.sources);
    let [link] = &links[..] else { panic!("one link, not {}", links.len()) };
    let title = |operation: &Operation| operation.title();
    let answers = link.pairs.iter().map(|pair| {
        let served = pair.served.iter().map(|at| title(&project.services[link.service].operations[*at])).collect();
        (title(&project.contracts[link.contract].operations[pair.declared]), served)
    });
    (answers.collect(), link.front.clone())
}

fn paired(fixture: Fixture, claim: Claim) -> Vec<(String, Vec<String>)> {
    linked(fixture, claim).0
}

fn pair(promise: &str, routes: &[&str]) -> (String, Vec<String>) {
    (promise.to_owned(), routes.iter().map(|route| (*route).to_owned()).collect())
}

#[test]
fn names_of_parameters_do_not_count_and_methods_do() {
    let fixture = project(&["GET /users/{id}", "PUT /users"], &["GET /users/{userId}", "POST /users", "PUT /users"]);
    let expected = [
        pair("GET /users/{userId}", &["GET /users/{id}"]),
        pair("POST /users", &[]),
        pair("PUT /users", &["PUT /users"]),
    ];
    assert_eq!(paired(fixture, claim()), expected);
}

#[test]
fn parameters_may_be_written_as_in_code() {
    let fixture = project(&["GET /users/{id}/x"], &["GET /users/:userId/x", "GET /:users/{id}/x", "GET /users/{id}:x"]);
    let expected = [
        pair("GET /users/:userId/x", &["GET /users/{id}/x"]),
        pair("GET /:users/{id}/x", &[]),
        pair("GET /users/{id}:x", &[]),
    ];
    assert_eq!(paired(fixture, claim()), expected);
}

#[test]
fn every_route_of_a_method_and_path_answers() {
    let fixture = project(&["GET /users", "GET /users"], &["GET /users"]);
    assert_eq!(paired(fixture, claim()), [pair("GET /users", &["GET /users", "GET /users"])]);
}

#[test]
fn a_base_path_stands_in_front_or_its_end_does_or_nothing() {
    for (route, front) in [("GET /api/v1/users", "/api/v1"), ("GET /v1/users", "/v1"), ("GET /users", "")] {
        let mut fixture = project(&[route], &["GET /users"]);
        fixture.base_paths = vec!["/api/v1".to_owned()];
        assert_eq!(linked(fixture, claim()), (vec![pair("GET /users", &[route])], front.to_owned()), "{route}");
    }
    let mut fixture = project(&["GET /api/users"], &["GET /users"]);
    fixture.base_paths = vec!["/api/v1".to_owned()];
    assert_eq!(paired(fixture, claim()), [pair("GET /users", &[])], "the beginning of a base path is no end of it");
}

#[test]
fn the_front_that_most_is_found_behind_is_the_contracts() {
    let mut fixture = project(&["GET /v1/a", "GET /b", "GET /c"], &["GET /a", "GET /b", "GET /c"]);
    fixture.base_paths = vec!["/v1".to_owned()];
    let (pairs, front) = linked(fixture, claim());
    assert_eq!(front, "");
    assert_eq!(pairs[0], pair("GET /a", &["GET /v1/a"]), "one operation may still be behind another");
}

#[test]
fn a_page_beside_the_api_answers_nothing_of_it() {
    let served = [
        "GET /pickups",
        "GET /pickups/{id}",
        "POST /api/pickups",
        "GET /api/pickups/{id}",
        "PUT /api/pickups/{id}",
        "DELETE /api/pickups/{id}",
        "GET /health",
    ];
    let promised = ["GET /pickups", "GET /pickups/{id}", "POST /pickups", "PUT /pickups/{id}", "DELETE /pickups/{id}"];
    let mut fixture = project(&served, &[&promised[..], &["GET /health", "GET /users"]].concat());
    fixture.base_paths = vec!["/api".to_owned()];
    let expected = [
        pair("GET /pickups", &[]),
        pair("GET /pickups/{id}", &["GET /api/pickups/{id}"]),
        pair("POST /pickups", &["POST /api/pickups"]),
        pair("PUT /pickups/{id}", &["PUT /api/pickups/{id}"]),
        pair("DELETE /pickups/{id}", &["DELETE /api/pickups/{id}"]),
        pair("GET /health", &["GET /health"]),
        pair("GET /users", &[]),
    ];
    assert_eq!(paired(fixture, claim()), expected);
    let mut root = project(&["GET /", "GET /planets/{id}"], &["GET /", "GET /{id}"]);
    root.base_paths = vec!["/planets".to_owned()];
    assert_eq!(paired(root, claim()), [pair("GET /", &[]), pair("GET /{id}", &["GET /planets/{id}"])]);
    let mut both = project(&["GET /v1/users", "POST /v2/users"], &["GET /users", "POST /users"]);
    both.base_paths = vec!["/v1".to_owned(), "/v2".to_owned()];
    let expected = [pair("GET /users", &["GET /v1/users"]), pair("POST /users", &["POST /v2/users"])];
    assert_eq!(paired(both, claim()), expected, "a contract may state several");
}

#[test]
fn a_prefix_that_a_contract_leaves_out_is_told_by_most_of_its_operations() {
    let names = ["a", "b", "c", "d", "e"];
    let served: Vec<String> = names.iter().map(|name| format!("GET /inner/{name}/{{id}}")).collect();
    let promised: Vec<String> = names.iter().map(|name| format!("GET /{name}/{{key}}")).collect();
    let texts = |titles: &[String]| -> Fixture {
        project(
            &served.iter().map(String::as_str).collect::<Vec<_>>(),
            &titles.iter().map(String::as_str).collect::<Vec<_>>(),
        )
    };
    assert_eq!(linked(texts(&promised), claim()).1, "/inner");
    assert_eq!(linked(texts(&promised[..4]), claim()).1, "", "four operations do not tell");
    let mut with_base = texts(&promised);
    with_base.base_paths = vec!["/base".to_owned()];
    assert_ne!(linked(with_base, claim()).1, "/inner", "a contract that states a base path leaves none out");
    let mut half = promised.clone();
    half.truncate(3);
    half.extend(["GET /x", "GET /y"].map(str::to_owned));
    assert_eq!(linked(texts(&half), claim()).1, "", "what is found of it for a part only is no prefix");
    let mut most = promised.clone();
    most.push("GET /a/very/long/path/that/is/served/nowhere".to_owned());
    assert_eq!(linked(texts(&most), claim()).1, "/inner", "something of it may be missing");
    let checked = |served: &[&str], promised: &[&str]| linked(project(served, promised), claim());
    let served =
        ["GET /health", "GET /x/a", "GET /x/b", "GET /x/c", "GET /x/d", "GET /x/e", "GET /x/f", "GET /x/g", "GET /x/h"];
    let promised =
        ["GET /health", "GET /a", "GET /b", "GET /c", "GET /d", "GET /e", "GET /f", "GET /g", "GET /h", "GET /i"];
    let (pairs, front) = checked(&served, &promised);
    assert_eq!(
        (front.as_str(), &pairs[0]),
        ("/x", &pair("GET /health", &["GET /health"])),
        "a health check may stand beside"
    );
    let as_written =
        ["GET /health", "GET /a", "GET /x/b", "GET /x/c", "GET /x/d", "GET /x/e", "GET /x/f", "GET /x/g", "GET /x/h"];
    assert_eq!(checked(&as_written, &promised).1, "", "what is served as it is written is left out nowhere");
}

#[test]
fn a_route_whose_router_is_not_mounted_answers_what_ends_like_it() {
    let mut fixture =
        project(&["GET /users/{id}", "GET /all"], &["GET /api/users/{id}", "GET /api/all", "GET /api/other"]);
    fixture.serves("GET /other", 200, None);
    let unmount = |fixture: &mut Fixture, title: &str| {
        let route = fixture.serves(title, 200, None);
        route.implementation.as_mut().expect("it is served").mounted = false;
    };
    unmount(&mut fixture, "GET /users/{id}");
    let found = paired(fixture, claim());
    assert_eq!(found[0], pair("GET /api/users/{id}", &["GET /users/{id}"]));
    assert_eq!(found[1], pair("GET /api/all", &[]), "a mounted route has all of its path");
    assert_eq!(found[2], pair("GET /api/other", &[]));
}

#[test]
fn a_prefix_of_a_gateway_is_taken_off() {
    let fixture = project(&["GET /users"], &["GET /shop/users", "GET /shops"]);
    let claim = Claim { base_path: Some("/shop".to_owned()), ..claim() };
    assert_eq!(paired(fixture, claim), [pair("GET /shop/users", &["GET /users"]), pair("GET /shops", &[])]);
}

#[test]
fn what_is_ignored_or_planned_is_not_expected() {
    let mut fixture = project(
        &["GET /users"],
        &["GET /metrics", "POST /admin/jobs", "GET /admin", "GET /administrators", "GET /v1", "GET /users"],
    );
    fixture.promises("GET /later", 200, None).planned = true;
    let claim = Claim {
        ignore: vec!["GET /metrics".into(), "* /admin/*".into(), "GET /v*".into(), "PUT /users".into()],
        ..claim()
    };
    let project = fixture.project();
    let (links, _) = link(&project.services, &project.contracts, &[claim], &project.sources);
    let ignored: Vec<bool> = links[0].pairs.iter().map(|pair| pair.ignored).collect();
    assert_eq!(ignored, [true, true, true, false, true, false, true]);
}

#[test]
fn letters_count_but_where_a_framework_folds_them_and_so_does_a_version() {
    let mut fixture = project(&["GET /Users"], &["GET /users", "GET /v2/Items"]);
    let route = fixture.serves("GET /v{version}/items", 200, None);
    route.implementation.as_mut().expect("it is served").any_case = true;
    let expected = [pair("GET /users", &[]), pair("GET /v2/Items", &["GET /v{version}/items"])];
    assert_eq!(paired(fixture, claim()), expected);
}

#[test]
fn the_candidate_that_serves_most_is_taken_and_others_only_where_none_serves_anything() {
    let mut project = project(&["GET /a"], &["GET /a", "GET /b", "GET /c"]).project();
    let other = self::project(&["GET /a", "GET /b"], &[]).project().services.remove(0);
    project.services.push(other);
    let taken = |claim: Claim| {
        let (links, _) = link(&project.services, &project.contracts, &[claim], &project.sources);
        links[0].service
    };
    assert_eq!(taken(Claim { candidates: vec![0, 1], ..Claim::default() }), 1);
    assert_eq!(taken(Claim { candidates: vec![0], elsewhere: vec![1], ..Claim::default() }), 0);
}

#[test]
fn a_contract_of_somebody_else_is_unrelated() {
    let fixture = project(&["GET /users"], &["GET /orders", "GET /orders/{id}"]);
    let project = fixture.project();
    let (links, problems) = link(&project.services, &project.contracts, &[claim()], &project.sources);
    assert!(links[0].unrelated);
    assert_eq!(problems.len(), 1);
}

#[test]
fn paths_are_found_segment_by_segment_and_parameters_take_anything() {
    let project =
        project(&["GET /users/{id}", "GET /users/me", "POST /users/{id}", "GET /files/{path}"], &[]).project();
    let operations = &project.services[0].operations;
    let paths = super::paths::Paths::new(operations, &[String::new()]);
    let find = |key: &str, method: Option<Method>| -> Vec<String> {
        paths
            .find(key, method)
            .map_or_else(Vec::new, |found| found.operations.iter().map(|at| operations[*at].title()).collect())
    };
    assert_eq!(find("/users/me", Some(Method::Get)), ["GET /users/me"], "a name goes before a parameter");
    assert_eq!(find("/users/7", Some(Method::Get)), ["GET /users/{id}"]);
    assert_eq!(find("/users/7", None), ["GET /users/{id}", "POST /users/{id}"]);
    assert_eq!(find("/users", None), [""; 0]);
    assert_eq!(find("/users/{}", Some(Method::Post)), ["POST /users/{id}"]);
    assert!(paths.is_below_any_rest("/files/a/b/c"));
    assert!(!paths.is_below_any_rest("/users/a/b"));
}
