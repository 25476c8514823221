//! The registry as it is used: by people on the command line, by several processes at once, by one that is killed.

use std::io::{BufRead, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use treaty::registry::{ListFilter, Registry};

use crate::folder::{Run, run, service, write};

fn treaty(folder: &Path, arguments: &[&str]) -> Run {
    let mut all = vec!["contract"];
    all.extend(arguments);
    run(folder, &all)
}

/// What a command says as JSON, and its exit code.
fn asked(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    let run = treaty(folder, &all);
    (
        run.code,
        serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {}{}", run.stdout, run.stderr)),
    )
}

/// A service with its contract registered, and the id of that.
fn registered() -> (tempfile::TempDir, String) {
    let folder = service();
    let (code, added) = asked(folder.path(), &["add", "openapi.yaml", "--service", "ping", "--version", "1.0.0"]);
    assert_eq!(code, 0, "{added}");
    let id = added["id"].as_str().expect("it has an id").to_owned();
    (folder, id)
}

#[test]
fn the_command_line_registers_and_shows() {
    let (folder, id) = registered();
    let folder = folder.path();
    let (code, page) = asked(folder, &["list"]);
    assert_eq!((code, &page["total"], &page["items"][0]["id"]), (0, &json!(1), &json!(id)));
    let (code, shown) = asked(folder, &["show", &id]);
    assert_eq!((code, &shown["spec"]["info"]["title"], &shown["type"]), (0, &json!("Ping"), &json!("openapi")));
    assert!(treaty(folder, &["list"]).stdout.contains("1 contract"));
    assert!(treaty(folder, &["show", &id]).stdout.contains("\"openapi\": \"3.1.0\""));
    let unknown = treaty(folder, &["show", "nobody"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("treaty contract list"), "{}", unknown.stderr);
    assert!(folder.join(".treaty/treaty.db").exists());
    // What is registered elsewhere is not here.
    let elsewhere = tempfile::tempdir().expect("it can be done");
    assert_eq!(asked(folder, &["list", "--root", &elsewhere.path().to_string_lossy()]).1["total"], 0);
}

#[test]
fn a_document_that_cannot_be_registered_is_named_with_what_to_do() {
    let folder = service();
    let folder = folder.path();
    write(folder, "broken.yaml", "openapi: 3.1.0\ninfo: {title: [\n");
    write(folder, "laughs.yaml", laughs());
    for (file, says) in
        [("none.yaml", "none.yaml"), ("broken.yaml", "line"), ("laughs.yaml", "laughs.yaml"), ("app.py", "app.py")]
    {
        let run = treaty(folder, &["add", file, "--service", "ping", "--version", "1.0.0"]);
        assert_eq!(run.code, 2, "{file}: {}", run.stdout);
        assert!(run.stderr.contains(says), "{file}: {}", run.stderr);
    }
    let run = treaty(folder, &["add", "openapi.yaml", "--service", "ping", "--version", "one"]);
    assert!(run.code == 2 && run.stderr.contains("1.0.0"), "{}", run.stderr);
}

/// Aliases of aliases: a few lines that would be gigabytes.
fn laughs() -> String {
    let mut text = "openapi: 3.1.0\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 10].join(", ");
        text.extend([format!("a{level}: &a{level} [{items}]\n")]);
    }
    text
}

#[test]
fn an_answer_is_held_against_the_contract() {
    let (folder, _) = registered();
    let folder = folder.path();
    write(folder, "good.json", "\"pong\"");
    write(folder, "bad.json", "[1]");
    let check = |file: &str| asked(folder, &["check-response", "ping", "get", "/ping", "--body", file]);
    assert_eq!(check("good.json"), (0, json!({"valid": true, "violations": []})));
    let (code, report) = check("bad.json");
    assert_eq!((code, &report["valid"]), (1, &json!(false)));
    for key in ["field", "expected", "actual"] {
        assert!(report["violations"][0][key].is_string(), "{report}");
    }
    for (service, path, near) in [("pin", "/ping", "ping"), ("ping", "/pong", "/ping")] {
        let run = treaty(folder, &["check-response", service, "GET", path]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains(near), "{}", run.stderr);
    }
}

#[test]
fn what_a_new_document_breaks_makes_the_exit_code() {
    let (folder, id) = registered();
    let folder = folder.path();
    write(folder, "new.yaml", crate::folder::PING.replace("type: string", "type: integer"));
    let (code, changes) = asked(folder, &["diff", &id, "new.yaml"]);
    assert_eq!(code, 1);
    for key in ["change", "severity", "affected_consumers", "path", "old_value", "new_value"] {
        assert!(changes[0].get(key).is_some(), "{key}: {changes}");
    }
    assert_eq!(asked(folder, &["diff", &id, "openapi.yaml"]), (0, json!([])));
    assert!(treaty(folder, &["diff", &id, "new.yaml"]).stdout.contains("1 breaking change"));
}

#[test]
fn what_is_implemented_is_no_longer_missing_and_a_scan_sees_the_evidence() {
    let (folder, id) = registered();
    let folder = folder.path();
    assert_eq!(asked(folder, &["missing"]).0, 1);
    let mark = ["implemented", &id, "--service", "ping", "--evidence", "app.py"];
    let (code, marked) = asked(folder, &mark);
    assert_eq!(
        (code, &marked["marked"], &marked["total"], &marked["all_implemented"]),
        (0, &json!(true), &json!(1), &json!(true)),
        "{marked}"
    );
    assert_eq!(asked(folder, &["missing"]), (0, json!([])));
    let scan = crate::folder::scan(folder, &[]);
    assert_eq!(scan.findings(), [""; 0]);
    write(folder, "app.py", crate::folder::APP.replace("-> str", "-> int"));
    let run = treaty(folder, &mark);
    assert!(run.code == 1 && run.stdout.contains("not marked: failed"), "{}", run.stdout);
    // What a comment suppresses is not kept for that.
    write(folder, "app.py", crate::folder::APP.replace("-> str", "-> int") + "# treaty: ignore-file\n");
    let run = treaty(folder, &mark);
    assert!(run.code == 1 && run.stdout.contains("not marked: failed"), "{}", run.stdout);
    write(folder, "app.py", crate::folder::APP.replace("-> str", "-> int"));
    assert!(!crate::folder::scan(folder, &[]).findings().is_empty());
    let outside = treaty(folder, &["implemented", &id, "--service", "ping", "--evidence", "../"]);
    assert!(outside.code == 2 && outside.stderr.contains("leads out of"), "{}", outside.stderr);
}

#[test]
fn eight_writers_at_once_lose_nothing() {
    const EACH: usize = 12;
    let folder = service();
    let folder = folder.path();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            scope.spawn(move || {
                for patch in 0..EACH {
                    let (name, version) = (format!("writer-{writer}"), format!("1.0.{patch}"));
                    let run = treaty(folder, &["add", "openapi.yaml", "--service", &name, "--version", &version]);
                    assert_eq!(run.code, 0, "{}", run.stderr);
                }
            });
        }
    });
    assert_eq!(asked(folder, &["list"]).1["total"], 8 * EACH);
}

/// A server of contracts that is told to write many, and the lines that it answers with.
struct Writer {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

const WRITES: usize = 1_000;

impl Writer {
    fn start(folder: &Path, run: usize) -> Writer {
        let mut child = Command::new(env!("CARGO_BIN_EXE_treaty"))
            .args(["mcp", "serve", "contract-engine", "--root"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("it is piped");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let asked: Vec<Value> = messages(run).collect();
        // It is killed while it is told: then nobody reads.
        std::thread::spawn(move || asked.iter().try_for_each(|message| writeln!(input, "{message}")));
        Writer { child, lines }
    }

    /// Ids of contracts that it says are registered, as it says so.
    fn told(&mut self) -> impl Iterator<Item = String> {
        self.lines.by_ref().map_while(Result::ok).filter_map(|line| {
            let message: Value = serde_json::from_str(&line).ok()?;
            Some(message.pointer("/result/structuredContent/id")?.as_str()?.to_owned())
        })
    }
}

/// The handshake of a client, and a contract after the other.
fn messages(run: usize) -> impl Iterator<Item = Value> {
    let client = json!({"name": "test", "version": "1"});
    let start = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let handshake = [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": start}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    let create = move |number: usize| {
        let arguments = json!({
            "service_name": format!("run-{run}"),
            "type": "json_schema",
            "version": format!("1.0.{number}"),
            "spec": {"type": "object", "title": format!("{run} {number}"), "description": "x".repeat(2_000)},
        });
        let params = json!({"name": "create_contract", "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": number + 1, "method": "tools/call", "params": params})
    };
    handshake.into_iter().chain((0..WRITES).map(create))
}

#[test]
fn a_server_that_is_killed_twenty_times_loses_nothing_that_it_told() {
    let folder = tempfile::tempdir().expect("it can be done");
    for run in 0..20 {
        let mut writer = Writer::start(folder.path(), run);
        // Somewhere in the middle of its work, and somewhere within a write.
        let mut told: Vec<String> = writer.told().take(20 + run * 37 % 400).collect();
        std::thread::sleep(Duration::from_micros(run as u64 * 173 % 2_900));
        writer.child.kill().expect("it can be killed");
        writer.child.wait().expect("it ends");
        // What it said before it died counts as well.
        told.extend(writer.told());
        assert!((20..WRITES).contains(&told.len()), "it was killed in the middle: {}", told.len());
        let database = treaty::store::default_path(folder.path());
        let registry = Registry::open(&database, folder.path()).expect("the database opens");
        for id in &told {
            assert!(registry.get(id).expect("it can be read").is_some(), "{id} of run {run} was told and is not there");
        }
        let all = ListFilter { service_name: Some(format!("run-{run}")), ..ListFilter::default() };
        assert!(registry.list(&all).expect("it can be read").total as usize >= told.len());
    }
}
