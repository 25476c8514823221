//! Files other than code and contracts: read only where a rule wants them, from the disk with what git leaves out, and with
//! their own comments.

use serde_json::Value;

use crate::folder::{APP, folder, run};

const COMPOSE: &str = "services:
  api:
    build: .
    ports: [\"8000:8000\"]
    env_file: secret.env
  worker:
    image: worker
    ports: [\"8000:80\"]
    # treaty: ignore[DEPLOY-006] comes with the platform
    depends_on: [queue]
";

/// `code path:line` of each finding, of each suppressed one, and each problem.
fn told(files: &[(&str, &[u8])], arguments: &[&str]) -> (Vec<String>, Vec<String>, Vec<String>) {
    let folder = folder(files.iter().copied());
    let run = run(folder.path(), &[&["scan", "--format", "json"], arguments].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let one = |it: &Value| format!("{} {}:{}", text(&it["check"]), text(&it["file_path"]), it["line"]);
    let suppressed = list("suppressed").iter().map(|it| one(&it["finding"])).collect();
    let problems =
        list("problems").iter().map(|it| format!("{} {}", text(&it["kind"]), text(&it["file_path"]))).collect();
    (list("findings").iter().map(one).collect(), suppressed, problems)
}

#[test]
fn a_comment_of_a_compose_file_suppresses() {
    let (findings, suppressed, _) =
        told(&[("compose.yaml", COMPOSE.as_bytes())], &["--select", "DEPLOY-005,DEPLOY-006"]);
    assert_eq!(findings, ["DEPLOY-005 compose.yaml:8"]);
    assert_eq!(suppressed, ["DEPLOY-006 compose.yaml:10"]);
}

#[test]
fn what_no_rule_wants_is_not_read() {
    let files: &[(&str, &[u8])] =
        &[("main.py", APP.as_bytes()), ("site.css", b"\xff\xfe\xff"), ("Dockerfile", b"\xff\xfe\xff")];
    let (_, _, problems) = told(files, &[]);
    assert!(
        !problems.iter().any(|problem| problem.contains("site.css") || problem.contains("Dockerfile")),
        "{problems:?}"
    );
    let (_, _, problems) = told(files, &["--select", "DEPLOY,ASSET"]);
    assert!(problems.iter().any(|problem| problem.contains("Dockerfile")), "{problems:?}");
}

/// A file of variables is as a rule one that git leaves out, and yet the one that defines them.
#[test]
fn variables_that_git_leaves_out_define() {
    let code = b"import os\n\nA = os.environ['A_NAME']\nB = os.environ['B_NAME']\n";
    let compose = b"services:\n  api:\n    build: .\n    env_file: secret.env\n";
    let files: &[(&str, &[u8])] = &[
        ("main.py", code),
        ("compose.yaml", compose),
        ("secret.env", b"A_NAME=1\n"),
        (".gitignore", b"*.env\n"),
        (".git/HEAD", b"ref: refs/heads/main\n"),
    ];
    let (findings, ..) = told(files, &["--select", "DEPLOY-002"]);
    assert_eq!(findings, ["DEPLOY-002 main.py:4"]);
}

#[test]
fn broken_yaml_is_a_problem_and_no_violation() {
    let (findings, _, problems) = told(&[("compose.yaml", b"services:\n  a: [\n")], &["--select", "DEPLOY"]);
    assert_eq!(findings, [""; 0]);
    assert!(problems.contains(&"syntax-error compose.yaml".to_owned()), "{problems:?}");
}
