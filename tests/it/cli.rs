//! The real program over the fixtures: what it prints, in every format, and how it ends.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use treaty::rules::{RuleSet, Selection};

use crate::files::without_time;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const BOOKSHOP: &str = "fixtures/bookshop";
const CLEAN: &str = "fixtures/clean";

struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

/// The program with nothing of this machine's environment.
fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
    command.args(arguments).current_dir(directory).env_clear().stdin(Stdio::null());
    command
}

fn treaty_in(directory: &Path, arguments: &[&str]) -> Run {
    let output = command(directory, arguments).output().expect("the program starts");
    Run {
        code: output.status.code().expect("the program ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("output is UTF-8"),
    }
}

fn treaty(arguments: &[&str]) -> Run {
    treaty_in(Path::new(ROOT), arguments)
}

/// All that a run shows, without what differs from run to run.
fn shown(run: &Run) -> String {
    let Run { code, stdout, stderr } = run;
    let mut out = format!("exit code: {code}\n----- stdout -----\n{stdout}");
    if !stderr.is_empty() {
        out.push_str("----- stderr -----\n");
        out.push_str(stderr);
    }
    without_time(&out).replace(env!("CARGO_PKG_VERSION"), "[version]")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON: {error}\n{text}"))
}

/// A folder with these files.
fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

const APP: &str = "from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get(\"/ping\")\ndef ping() -> str:\n    return \"pong\"\n";
const PING: &str = "openapi: 3.1.0\ninfo: {title: Ping, version: '1'}\npaths:\n  /ping:\n    get:\n      responses:\n        '200':\n          description: pong\n          content:\n            application/json:\n              schema: {type: string}\n";

#[test]
fn help_is_worth_reading() {
    insta::assert_snapshot!("help", shown(&treaty(&["--help"])));
    for command in ["scan", "diff", "extract", "why", "explain", "rules"] {
        insta::assert_snapshot!(format!("help-{command}"), shown(&treaty(&[command, "--help"])));
    }
    insta::assert_snapshot!("help-baseline-write", shown(&treaty(&["baseline", "write", "--help"])));
    insta::assert_snapshot!("help-contract-validate", shown(&treaty(&["contract", "validate", "--help"])));
}

#[test]
fn the_bookshop_shows_its_drifts_on_both_sides() {
    insta::assert_snapshot!(shown(&treaty(&["scan", BOOKSHOP])));
}

#[test]
fn the_bookshop_as_json() {
    let run = treaty(&["scan", BOOKSHOP, "--format", "json"]);
    assert_eq!(run.code, 1);
    assert!(json(&run.stdout)["findings"].as_array().is_some_and(|findings| findings.len() >= 7));
    insta::assert_snapshot!(shown(&run));
}

#[test]
fn json_of_the_fixtures_is_valid_against_the_schema() {
    let schema = json(treaty::report::json::SCHEMA);
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is valid");
    for fixture in [BOOKSHOP, CLEAN] {
        let document = json(&treaty(&["scan", fixture, "--format", "json"]).stdout);
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{fixture}: {errors:?}");
    }
}

#[test]
fn the_bookshop_as_sarif() {
    let run = treaty(&["scan", BOOKSHOP, "--format", "sarif"]);
    let mut log = json(&run.stdout);
    // The pages of the rules have their own tests.
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array_mut().expect("rules");
    for rule in &mut *rules {
        assert!(rule["help"]["markdown"].as_str().is_some_and(|page| page.contains("## ")), "{rule}");
        rule["help"] = "[page]".into();
    }
    // All rules that ran stand there, in their order; of those that found nothing no more is shown.
    let all = RuleSet::embedded().select(&Selection::default()).expect("no name");
    let codes: Vec<&str> = all.rules().map(|rule| rule.code.as_str()).collect();
    let listed: Vec<String> = rules.iter().map(|rule| rule["id"].as_str().unwrap_or("").to_owned()).collect();
    assert_eq!(listed, codes);
    let results = log["runs"][0]["results"].as_array_mut().expect("results");
    let found: BTreeSet<String> = results.iter().map(|it| it["ruleId"].as_str().unwrap_or("").to_owned()).collect();
    for result in results {
        let at = result["ruleIndex"].take().as_u64().and_then(|at| usize::try_from(at).ok()).expect("an index");
        assert_eq!(result["ruleId"], listed[at], "{result}");
        result["ruleIndex"] = "[of its rule]".into();
    }
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array_mut().expect("rules");
    rules.retain(|rule| rule["id"].as_str().is_some_and(|id| found.contains(id)));
    let text = serde_json::to_string_pretty(&log).expect("JSON");
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "[version]"));
}

#[test]
fn the_bookshop_as_workflow_commands() {
    insta::assert_snapshot!(shown(&treaty(&["scan", BOOKSHOP, "--format", "github"])));
}

#[test]
fn the_bookshop_in_the_words_of_other_readers() {
    for format in ["concise", "markdown", "junit", "gitlab"] {
        insta::assert_snapshot!(format!("bookshop-{format}"), shown(&treaty(&["scan", BOOKSHOP, "--format", format])));
    }
    insta::assert_snapshot!("bookshop-statistics", shown(&treaty(&["scan", BOOKSHOP, "--statistics"])));
}

/// Every format tells of the same findings, at the same places.
#[test]
fn formats_agree_about_what_is_found() {
    let report = json(&treaty(&["scan", BOOKSHOP, "--format", "json"]).stdout);
    let findings = report["findings"].as_array().expect("findings");
    let of = |key: &str, finding: &Value| finding[key].as_str().map_or(finding[key].to_string(), str::to_owned);
    let concise = treaty(&["scan", BOOKSHOP, "--format", "concise", "--quiet"]).stdout;
    let expected: Vec<String> = findings
        .iter()
        .map(|it| {
            let place = ["file_path", "line", "column"].map(|key| of(key, it)).join(":");
            format!("{place}: {} {}", of("check", it), of("message", it))
        })
        .collect();
    assert_eq!(concise.lines().collect::<Vec<_>>(), expected);
    let gitlab = json(&treaty(&["scan", BOOKSHOP, "--format", "gitlab"]).stdout);
    let rows = gitlab.as_array().expect("a list");
    let fingerprints = |rows: &[Value]| rows.iter().map(|it| of("fingerprint", it)).collect::<BTreeSet<_>>();
    assert_eq!(fingerprints(rows), fingerprints(findings));
    assert_eq!(fingerprints(rows).len(), rows.len(), "GitLab takes each fingerprint once");
    let junit = treaty(&["scan", BOOKSHOP, "--format", "junit"]).stdout;
    let document = roxmltree::Document::parse(&junit).expect("XML");
    let failed = document.descendants().filter(|it| it.has_tag_name("failure"));
    assert_eq!(failed.count(), findings.len());
    let statistics = treaty(&["scan", BOOKSHOP, "--statistics", "--quiet"]).stdout;
    let number = |line: &str| line.split_whitespace().next().and_then(|it| it.parse::<usize>().ok()).expect("a number");
    assert_eq!(statistics.lines().map(number).sum::<usize>(), findings.len(), "{statistics}");
    let markdown = treaty(&["scan", BOOKSHOP, "--format", "markdown"]).stdout;
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| error |")).count(), findings.len());
}

#[test]
fn a_service_in_agreement_is_clean() {
    let run = treaty(&["scan", CLEAN]);
    assert_eq!(run.code, 0, "{}", shown(&run));
    insta::assert_snapshot!(shown(&run));
}

#[test]
fn two_runs_give_the_same_bytes() {
    for format in ["json", "sarif", "github", "concise", "markdown", "junit", "gitlab"] {
        let arguments = ["scan", BOOKSHOP, "--format", format];
        let (first, second) = (treaty(&arguments), treaty(&arguments));
        assert_eq!(first.code, 1, "{}", shown(&first));
        assert_eq!(first.stdout, second.stdout, "{format}");
    }
}

#[test]
fn the_exit_code_follows_the_threshold() {
    for (arguments, code) in [
        (&["scan", BOOKSHOP, "--quiet"][..], 1),
        (&["scan", BOOKSHOP, "--quiet", "--fail-on", "warning"], 1),
        (&["scan", BOOKSHOP, "--quiet", "--fail-on", "never"], 0),
        (&["scan", CLEAN, "--quiet", "--fail-on", "warning"], 0),
        (&["scan", CLEAN, "--quiet", "--strict"], 0),
        (&["scan", CLEAN, "--quiet", "--min-verified", "100"], 0),
        (&["scan", BOOKSHOP, "--quiet", "--fail-on", "never", "--min-verified", "81"], 0),
        (&["scan", BOOKSHOP, "--quiet", "--fail-on", "never", "--min-verified", "82"], 1),
        (&["scan", BOOKSHOP, "--quiet", "--fail-on", "never", "--strict"], 1),
    ] {
        let run = treaty(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {}", shown(&run));
    }
}

#[test]
fn problems_fail_a_strict_run_only() {
    let folder = project(&[("app.py", APP), ("openapi.yaml", PING), ("requirements.txt", "fastapi\n")]);
    std::fs::write(folder.path().join("broken.py"), b"x = '\xff\xfe'\n").expect("a file");
    let run = treaty_in(folder.path(), &["scan", "."]);
    assert_eq!(run.code, 0, "{}", shown(&run));
    assert!(run.stdout.contains("broken.py") && run.stdout.contains("1 problem"), "{}", shown(&run));
    assert_eq!(treaty_in(folder.path(), &["scan", ".", "--strict"]).code, 1);
    std::fs::write(folder.path().join("treaty.toml"), "exclude = [\"broken.py\"]\n").expect("a file");
    let run = treaty_in(folder.path(), &["scan", ".", "--strict"]);
    assert_eq!(run.code, 0, "an excluded file is not read: {}", shown(&run));
}

/// A service that serves nothing of a contract.
const ELSEWHERE: &str = "from fastapi import FastAPI\napp = FastAPI()\n@app.get('/other')\ndef other(): ...\n";

#[test]
fn a_run_that_compared_nothing_is_green_only_where_nobody_named_what_to_compare() {
    let folder = project(&[("app.py", ELSEWHERE), ("openapi.yaml", PING), ("requirements.txt", "fastapi\n")]);
    for (arguments, code) in [
        (&["scan", "."][..], 0),
        (&["scan", ".", "--strict"], 1),
        (&["scan", ".", "--min-verified", "1"], 1),
        (&["scan", ".", "--contract", "openapi.yaml"], 1),
        (&["scan", ".", "--contract", "openapi.yaml", "--fail-on", "never"], 0),
    ] {
        let run = treaty_in(folder.path(), arguments);
        assert_eq!(run.code, code, "{arguments:?}: {}", shown(&run));
        assert!(run.stdout.contains("none of its 1 operations is served"), "{}", shown(&run));
    }
}

#[test]
fn two_versions_of_a_contract_are_compared() {
    let changed = PING.replace("{type: string}", "{type: [string, 'null']}");
    let folder = project(&[("old.yaml", PING), ("new.yaml", &changed), ("prose.yaml", "a: b\n")]);
    let diff = |arguments: &[&str]| treaty_in(folder.path(), &[&["diff"], arguments].concat());
    let run = diff(&["old.yaml", "new.yaml"]);
    assert_eq!(run.code, 1, "{}", shown(&run));
    insta::assert_snapshot!(shown(&run));
    assert_eq!(diff(&["old.yaml", "new.yaml", "--fail-on", "never"]).code, 0);
    let found = json(&diff(&["old.yaml", "new.yaml", "--format", "json"]).stdout)["findings"].clone();
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    let same = diff(&["old.yaml", "old.yaml"]);
    assert_eq!((same.code, same.stdout.as_str()), (0, "0 breaking changes, 0 warnings, 0 that break nobody\n"));
    for arguments in [["prose.yaml", "new.yaml"], ["old.yaml", "prose.yaml"], ["old.yaml", "nowhere.yaml"]] {
        let run = diff(&arguments);
        assert_eq!(run.code, 2, "what is no contract is compared with nothing: {}", shown(&run));
    }
    std::fs::write(folder.path().join("app.py"), APP).expect("a file");
    let run = treaty_in(folder.path(), &["scan", ".", "--contract", "new.yaml", "--against", "old.yaml"]);
    assert!(run.stdout.contains("CONTRACT-006"), "{}", shown(&run));
}

#[test]
fn a_report_goes_to_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("report.json");
    let name = file.to_str().expect("a UTF-8 path");
    let run = treaty(&["scan", BOOKSHOP, "--format", "json", "-o", name]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", shown(&run));
    let written = std::fs::read_to_string(&file).expect("the report is there");
    assert_eq!(written, treaty(&["scan", BOOKSHOP, "--format", "json"]).stdout);
}

#[test]
fn a_scan_without_a_contract_says_so() {
    let folder = project(&[("app.py", APP)]);
    let run = treaty_in(folder.path(), &["scan"]);
    assert_eq!(run.code, 0, "{}", shown(&run));
    insta::assert_snapshot!(shown(&run));
}

#[test]
fn a_folder_with_nothing_to_check_is_not_called_clean() {
    let folder = project(&[("notes.txt", "a")]);
    let run = treaty_in(folder.path(), &["scan"]);
    assert!(run.stdout.contains("nothing was checked, 2 problems in 0 files"), "{}", shown(&run));
    assert!(!run.stdout.contains("clean"), "{}", shown(&run));
}

#[test]
fn a_scan_without_sources_says_so() {
    let folder = project(&[("openapi.yaml", PING)]);
    let run = treaty_in(folder.path(), &["scan"]);
    assert_ne!(run.code, 2, "{}", shown(&run));
    assert!(run.stdout.contains("no-sources"), "{}", shown(&run));
}

#[test]
fn what_cannot_run_is_said_with_what_to_do() {
    let folder = project(&[
        ("app.py", APP),
        ("contracts/openapi.yaml", PING),
        ("wrong/app.py", APP),
        ("wrong/treaty.toml", "# comment\nselct = []\n"),
    ]);
    for (name, arguments) in [
        ("no-such-path", &["scan", "nowhere"][..]),
        ("no-such-contract", &["scan", "app.py", "--contract", "nowhere.yaml"]),
        ("contract-is-a-directory", &["scan", "app.py", "--contract", "contracts"]),
        ("bad-configuration", &["scan", "wrong"]),
        ("no-such-configuration", &["scan", "app.py", "--config", "nowhere.toml"]),
        ("no-such-baseline", &["scan", "app.py", "--baseline", "nowhere.json"]),
        ("not-a-baseline", &["scan", "app.py", "--baseline", "contracts/openapi.yaml"]),
        ("statistics-for-programs", &["scan", "app.py", "--statistics", "--format", "json"]),
        ("no-such-rule", &["rules", "show", "CONTRACT-999"]),
        ("no-such-selection", &["scan", "app.py", "--select", "CONTRACT-91"]),
        ("no-such-rule-to-explain", &["explain", "CONTRACT-002", "CONTRACT-999"]),
        ("not-an-operation", &["why", "/users"]),
        ("no-such-format", &["scan", "--format", "xml"]),
        ("not-a-rule-name", &["rules", "new", "HOUSE-001"]),
        ("not-writable", &["scan", "app.py", "-o", "nowhere/report.txt"]),
    ] {
        let run = treaty_in(folder.path(), arguments);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{name}: {}", shown(&run));
        insta::assert_snapshot!(format!("cannot-run-{name}"), shown(&run));
    }
}

#[test]
fn an_explicit_contract_may_lie_anywhere() {
    let code = project(&[("app.py", APP), ("requirements.txt", "fastapi\n")]);
    let contract = project(&[("ping.yaml", PING)]);
    let file = contract.path().join("ping.yaml");
    let run = treaty_in(code.path(), &["scan", "--contract", file.to_str().expect("a UTF-8 path"), "--format", "json"]);
    assert_eq!(run.code, 0, "{}", shown(&run));
    let summary = &json(&run.stdout)["summary"]["contracts"][0];
    assert_eq!((&summary["operations"]["found"], &summary["operations"]["verified"]), (&1.into(), &1.into()));
}

#[test]
fn null_that_is_not_checked_is_said() {
    let folder = project(&[("app.py", APP), ("requirements.txt", "fastapi\n"), ("openapi.yaml", PING)]);
    let told = || {
        let text = treaty_in(folder.path(), &["scan"]).stdout;
        let line = text.lines().find(|line| line.starts_with("openapi.yaml (")).map(str::to_owned);
        let null = line.expect("a line of the contract").split_once("null ").map(|(_, null)| null.to_owned());
        let report = json(&treaty_in(folder.path(), &["scan", "--format", "json"]).stdout);
        (null, report["summary"]["contracts"][0]["null_checked"] == serde_json::Value::Bool(true))
    };
    let settings = |text: &str| std::fs::write(folder.path().join("treaty.toml"), text).expect("settings are written");
    assert_eq!(told(), (Some("not checked (it states null nowhere)".to_owned()), false));
    settings("check-null = true\n");
    assert_eq!(told(), (None, true));
    settings("check-null = false\n");
    assert_eq!(told(), (Some("not checked (as `check-null` says)".to_owned()), false));
}

#[test]
fn settings_are_obeyed() {
    let findings = |settings: &str| {
        let folder = project(&[
            ("app.py", APP),
            ("requirements.txt", "fastapi\n"),
            ("openapi.yaml", &PING.replace("type: string", "type: integer")),
            ("treaty.toml", settings),
        ]);
        let run = treaty_in(folder.path(), &["scan", "--format", "json"]);
        let found = json(&run.stdout)["findings"].clone();
        (run.code, found.as_array().expect("findings").len(), found[0]["severity"].clone())
    };
    assert_eq!(findings(""), (1, 1, "error".into()));
    assert_eq!(findings("fail-on = \"never\"\n"), (0, 1, "error".into()));
    assert_eq!(findings("[severity]\nCONTRACT-001 = \"warning\"\n"), (0, 1, "warning".into()));
    assert_eq!(findings("[severity]\nCONTRACT-001 = \"off\"\n"), (0, 0, Value::Null));
    assert_eq!(findings("ignore = [\"CONTRACT\"]\n").1, 0);
}

#[test]
fn nothing_foreign_reaches_the_output_as_a_command() {
    let attack = "\\e]0;owned\\a\\e[31m\\u202e ##[error]x\\n::error::forged\\r";
    let contract = format!(
        "openapi: 3.1.0\ninfo: {{title: \"{attack}\", version: '1'}}\npaths:\n  \"/{attack}\":\n    get:\n      responses: {{'200': {{description: x}}}}\n  /ping:\n    get:\n      responses:\n        '200':\n          description: x\n          content:\n            application/json:\n              schema: {{type: integer, title: \"{attack}\"}}\n"
    );
    let folder = project(&[
        ("app.py", &APP.replace("\n\n\n@app", "\n\n# \x1b[31m \u{202e} ##[error]y\n@app")),
        ("requirements.txt", "fastapi\n"),
        ("openapi.yaml", &contract),
    ]);
    for (format, arguments, code) in [
        ("text", &["scan", "--format", "text"][..], 1),
        ("json", &["scan", "--format", "json"], 1),
        ("sarif", &["scan", "--format", "sarif"], 1),
        ("github", &["scan", "--format", "github"], 1),
        ("concise", &["scan", "--format", "concise"], 1),
        ("markdown", &["scan", "--format", "markdown"], 1),
        ("junit", &["scan", "--format", "junit"], 1),
        ("gitlab", &["scan", "--format", "gitlab"], 1),
        ("statistics", &["scan", "--statistics"], 1),
        ("why", &["why", "GET /ping"], 0),
        ("extract", &["extract"], 0),
    ] {
        let run = treaty_in(folder.path(), arguments);
        assert_eq!(run.code, code, "{}", shown(&run));
        for bad in ["\x1b", "\x07", "\u{202e}", "\r", "##["] {
            assert!(!run.stdout.contains(bad), "{format} lets {bad:?} through: {}", run.stdout);
        }
        for line in run.stdout.lines().filter(|line| line.trim_start().starts_with("::")) {
            assert!(format == "github" && line.contains("title=") && !line.starts_with("::error::"), "{line}");
        }
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [&["completions", "bash"][..], &["scan", BOOKSHOP, "--format", "json"], &["rules", "list"]] {
        let mut child = command(Path::new(ROOT), arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn rules_are_listed_and_shown() {
    let list = treaty(&["rules", "list"]);
    assert_eq!(list.code, 0, "{}", shown(&list));
    let lines: Vec<&str> = list.stdout.lines().collect();
    let rules = RuleSet::embedded();
    assert_eq!(lines.len(), rules.rules().count(), "{}", list.stdout);
    for (line, rule) in lines.iter().zip(rules.rules()) {
        let mut words = line.split_whitespace();
        assert_eq!((words.next(), words.next()), (Some(rule.code.as_str()), Some(rule.name.as_str())), "{line}");
        let severity = words.next().expect("a severity");
        assert!(["error", "warning", "info"].contains(&severity) && line.ends_with(&rule.summary), "{line}");
    }
    let page = treaty(&["rules", "show", "contract-002"]);
    assert_eq!(page.code, 0, "{}", shown(&page));
    assert!(page.stdout.contains("## Cases"), "{}", page.stdout);
}

#[test]
fn a_rule_is_explained_by_code_name_or_family() {
    let by_code = treaty(&["explain", "contract-002"]);
    assert_eq!(by_code.code, 0, "{}", shown(&by_code));
    insta::assert_snapshot!("explain", shown(&by_code));
    assert_eq!(treaty(&["explain", "missing-endpoint"]).stdout, by_code.stdout);
    let family = treaty(&["explain", "xref"]).stdout;
    let codes = |text: &str| text.lines().filter_map(|it| it.split(' ').next().map(str::to_owned)).collect::<Vec<_>>();
    let listed = codes(&treaty(&["rules", "list"]).stdout);
    assert_eq!(codes(&family), listed.into_iter().filter(|it| it.starts_with("XREF")).collect::<Vec<_>>());
    let two = treaty(&["explain", "CONTRACT-002", "CONTRACT-002"]).stdout;
    assert_eq!(two, format!("{0}\n{0}", by_code.stdout));
}

/// Whether standard output and standard error have colours.
fn coloured(arguments: &[&str], variables: &[(&str, &str)]) -> (bool, bool) {
    let output = command(Path::new(ROOT), arguments).envs(variables.iter().copied()).output().expect("it starts");
    (output.stdout.contains(&0x1b), output.stderr.contains(&0x1b))
}

#[test]
fn colours_are_as_the_command_line_says_else_as_the_environment_does() {
    let scan = ["scan", BOOKSHOP];
    assert_eq!(coloured(&scan, &[]), (false, false), "a pipe is no terminal");
    for (arguments, variables, expected) in [
        (&["--color", "always"][..], &[("NO_COLOR", "1")][..], true),
        (&["--color=never"], &[("FORCE_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false),
        (&["--color", "auto"], &[("FORCE_COLOR", "1")], true),
        (&[], &[("FORCE_COLOR", "1")], true),
        (&[], &[("FORCE_COLOR", "0")], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["--format", "concise", "--color", "always"], &[], true),
        (&["--statistics", "--color", "always"], &[], true),
    ] {
        let all = [&scan[..], arguments].concat();
        assert_eq!(coloured(&all, variables).0, expected, "{arguments:?} {variables:?}");
    }
    // What programs read has none.
    for format in ["json", "sarif", "github", "markdown", "junit", "gitlab"] {
        assert!(!coloured(&["scan", BOOKSHOP, "--format", format, "--color", "always"], &[]).0, "{format}");
    }
    assert_eq!(coloured(&["--color", "always", "scan", "nowhere"], &[]), (false, true));
    assert_eq!(coloured(&["scan", "nowhere"], &[("FORCE_COLOR", "1")]), (false, true));
    assert!(coloured(&["scan", "--help", "--color", "always"], &[]).0);
    assert_eq!(coloured(&["scan", "--nothing", "--color=never"], &[("CLICOLOR_FORCE", "1")]), (false, false));
    assert!(coloured(&["explain", "CONTRACT-002", "--color", "always"], &[]).0);
    assert_eq!(treaty(&["scan", "--color", "red"]).code, 2);
    // A file is read by others: only the command line makes it coloured.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.txt");
    let name = file.to_str().expect("a path of text");
    for (colour, expected) in [("auto", false), ("always", true)] {
        coloured(&["scan", BOOKSHOP, "-o", name, "--color", colour], &[("FORCE_COLOR", "1")]);
        assert_eq!(std::fs::read(&file).expect("the report").contains(&0x1b), expected, "{colour}");
    }
    // Colours change nothing but colours.
    let plain = treaty(&["scan", BOOKSHOP, "--format", "concise"]).stdout;
    let painted = treaty(&["scan", BOOKSHOP, "--format", "concise", "--color", "always"]).stdout;
    let bare =
        ["0", "1", "31", "33", "36"].iter().fold(painted, |text, code| text.replace(&format!("\u{1b}[{code}m"), ""));
    assert_eq!(bare, plain);
}

#[test]
fn a_rule_is_started_and_its_cases_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = treaty_in(folder.path(), &["rules", "new", "house/HOUSE-001"]);
    assert_eq!(run.stdout, "treaty-rules/house/HOUSE-001.toml\ntreaty-rules/house/HOUSE-001.md\n");
    assert_eq!(run.code, 0);
    let again = treaty_in(folder.path(), &["rules", "new", "house/HOUSE-001"]);
    assert_eq!(again.code, 2, "an existing rule is never overwritten");
    let tested = treaty_in(folder.path(), &["rules", "test"]);
    assert_eq!(tested.code, 0, "a new rule passes its own cases: {}", shown(&tested));
    std::fs::create_dir(folder.path().join("empty")).expect("an empty folder");
    let nothing = treaty_in(folder.path(), &["rules", "test", "empty"]);
    assert_eq!(nothing.code, 2, "a folder without rules is not a passed test: {}", shown(&nothing));
}

#[test]
fn contracts_are_validated_by_themselves() {
    let right = treaty(&["contract", "validate", "fixtures/bookshop/openapi.yaml", "fixtures/clean/openapi.json"]);
    assert_eq!(right.code, 0, "{}", shown(&right));
    let folder = project(&[("openapi.yaml", &PING.replace("{type: string}", "{$ref: '#/components/schemas/Gone'}"))]);
    let wrong = treaty_in(folder.path(), &["contract", "validate", "openapi.yaml"]);
    assert_eq!(wrong.code, 1, "{}", shown(&wrong));
    insta::assert_snapshot!(shown(&wrong));
}

#[test]
fn the_served_api_is_written_as_openapi() {
    let run = treaty(&["extract", CLEAN, "--as", "openapi"]);
    assert_eq!(run.code, 0, "{}", shown(&run));
    let document = json(&run.stdout);
    assert!(document["paths"]["/tasks/{task_id}"]["get"]["responses"]["200"].is_object(), "{}", run.stdout);
    insta::assert_snapshot!(shown(&run));
}

#[test]
fn an_operation_is_explained() {
    for (name, operation) in
        [("found", "GET /books/{bookId}"), ("missing", "PATCH /orders/{orderId}"), ("unknown", "GET /nothing")]
    {
        insta::assert_snapshot!(format!("why-{name}"), shown(&treaty(&["why", operation, BOOKSHOP])));
    }
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = treaty(&["completions", shell]);
        assert!(run.code == 0 && run.stdout.contains("treaty"), "{shell}");
    }
}

#[test]
fn services_are_written_that_keep_their_contract() {
    for (target, file) in [
        ("fastapi", "app/main.py"),
        ("express", "src/routes.ts"),
        ("nestjs", "src/controller.ts"),
        ("aspnet", "src/Program.cs"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let into = folder.path().join("books");
        let into = into.to_str().expect("a path of text");
        let asked = ["scaffold", "fixtures/bookshop/openapi.yaml", "--target", target, "--into", into];
        let made = treaty(&asked);
        assert_eq!(made.code, 0, "{target}: {}", made.stderr);
        assert!(made.stdout.contains("Run it"), "{}", made.stdout);
        assert!(Path::new(into).join(file).exists(), "{target}");
        let scanned = treaty(&["scan", into]);
        assert_eq!(scanned.code, 0, "{target}: {}", scanned.stdout);
        assert!(scanned.stdout.contains("11 contracted, 11 found, 11 verified"), "{target}: {}", scanned.stdout);
        let again = treaty(&asked);
        assert_eq!((again.code, again.stderr.contains("written over")), (2, true), "{target}: {}", again.stderr);
    }
}
