//! The servers of `treaty mcp serve`, as clients meet them: what they answer, and what they survive.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::files::root;

/// How long a server may take to end after its client is gone: answers on their way get five seconds.
const END: Duration = Duration::from_secs(8);

struct Server {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
    command.args(["mcp"]).args(arguments).current_dir(folder).env_clear();
    command
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Server {
        let mut command = program(folder, &[&["serve"], arguments].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("it has an output"));
        Server { child, to, from }
    }

    /// After the handshake of 2025.
    fn ready(folder: &Path, arguments: &[&str]) -> Server {
        let mut server = Server::start(folder, arguments);
        let about = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about });
        server.say(&json!({ "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": hello }));
        assert_eq!(server.hear()["id"], "hello");
        server.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    fn write(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("its input is open");
        to.write_all(bytes).and_then(|()| to.flush()).expect("it reads");
    }

    fn say(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("it writes");
        serde_json::from_str(&line).expect("lines are messages")
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        self.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
        let answer = self.hear();
        assert_eq!(answer["id"], 1);
        answer["result"].clone()
    }

    fn ends(&mut self) -> bool {
        let end = Instant::now() + END;
        while Instant::now() < end {
            if self.child.try_wait().expect("it can be asked").is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("the first block is text")
}

#[test]
fn every_server_answers_every_call_of_its_tools_as_it_announced() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut arguments = vec!["check", "architect", "contract-engine", "codebase-intelligence", "--format", "json"];
    if cfg!(feature = "orchestrate") {
        arguments.insert(1, "devteam");
    }
    let output = program(folder.path(), &arguments).output().expect("the program starts");
    let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    assert_eq!(report["status"], "healthy", "{report:#}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is left behind");
}

#[test]
fn both_handshakes_are_answered_on_one_pipe_within_two_seconds() {
    let folder = tempfile::tempdir().expect("a folder");
    let started = Instant::now();
    let mut server = Server::start(folder.path(), &["all"]);
    let about = json!({ "name": "test", "version": "1" });
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": about,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    server.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": { "_meta": meta } }));
    let found = server.hear();
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    let versions: Vec<&Value> = found["result"]["supportedVersions"].as_array().into_iter().flatten().collect();
    assert!(versions.contains(&&json!("2026-07-28")) && versions.contains(&&json!("2025-11-25")), "{found}");
    let hello = json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": about });
    server.say(&json!({ "jsonrpc": "2.0", "id": 2, "method": "initialize", "params": hello }));
    let hello = server.hear();
    assert_eq!(hello["result"]["serverInfo"], json!({ "name": "treaty", "version": env!("CARGO_PKG_VERSION") }));
    assert_eq!(hello["result"]["protocolVersion"], "2025-03-26");
}

#[test]
fn servers_introduce_themselves_by_the_names_that_clients_know() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, title) in [
        ("architect", "Architect"),
        ("contract-engine", "Contract Engine"),
        ("codebase-intelligence", "Codebase Intelligence"),
    ] {
        let mut server = Server::start(folder.path(), &[name]);
        let about = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about });
        server.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }));
        let answer = server.hear();
        assert_eq!(answer["result"]["serverInfo"]["name"], title);
        assert_eq!(answer["result"]["capabilities"], json!({ "tools": { "listChanged": false } }));
        assert!(answer["result"]["instructions"].as_str().is_some_and(|it| it.len() > 80), "{answer}");
    }
}

#[test]
fn lines_that_are_no_messages_do_no_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::ready(folder.path(), &["contract-engine"]);
    server.write(b"garbage\n\n{\"jsonrpc\":\n[[[[\n\xff\xfe\x00\n\"\\ud800\"\n");
    server.write(&[vec![b'['; 100_000], vec![b'\n']].concat());
    let listed = server.call("list_contracts", &json!({}));
    assert_eq!(listed["structuredContent"]["total"], 0, "{listed}");
}

#[test]
fn an_argument_of_a_hundred_megabytes_is_refused_and_the_next_call_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::ready(folder.path(), &["contract-engine"]);
    let refused = server.call("get_contract", &json!({ "contract_id": "x".repeat(100_000_000) }));
    assert_eq!(refused["isError"], true);
    assert!(text(&refused).starts_with("too_large: "), "{refused}");
    assert_eq!(text(&server.call("get_contract", &json!({ "contract_id": "x" }))), "null");
}

#[test]
fn a_server_ends_when_its_client_is_gone() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::ready(folder.path(), &["all"]);
    server.to = None;
    assert!(server.ends(), "its input was closed");

    let mut server = Server::start(folder.path(), &["all"]);
    server.to = None;
    assert!(server.ends(), "it never had a client");

    // As the pipes of a killed client: both closed, with a request on its way.
    let mut command = program(folder.path(), &["serve", "contract-engine"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let hello =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
    let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "list_contracts" } });
    drop(child.stdout.take());
    let mut to = child.stdin.take().expect("it has an input");
    // It may be gone as soon as its first answer cannot be written.
    let _ = to.write_all(format!("{hello}\n{call}\n{call}\n").as_bytes());
    drop(to);
    let end = Instant::now() + END;
    while child.try_wait().expect("it can be asked").is_none() {
        assert!(Instant::now() < end, "it runs on without a client");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn what_was_asked_before_input_ended_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::ready(folder.path(), &["contract-engine"]);
    for id in 0..20 {
        let params = json!({ "name": "list_contracts", "arguments": {} });
        server.say(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
    }
    server.to = None;
    let mut rest = String::new();
    server.from.read_to_string(&mut rest).expect("it writes");
    assert_eq!(rest.lines().filter(|line| line.contains("\"structuredContent\"")).count(), 20, "{rest}");
}

#[test]
fn a_server_that_only_reads_offers_nothing_that_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(Server::ready(folder.path(), &["contract-engine"]).call("list_contracts", &json!({})));
    let mut server = Server::ready(folder.path(), &["contract-engine", "--read-only"]);
    server.say(&json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list" }));
    let listed = server.hear();
    let tools = listed["result"]["tools"].as_array().expect("tools");
    assert!(!tools.is_empty() && tools.iter().all(|tool| tool["annotations"]["readOnlyHint"] == true), "{listed}");
    let new = json!({ "service_name": "a", "type": "openapi", "version": "1.0.0", "spec": {} });
    let refused = server.call("create_contract", &new);
    assert!(text(&refused).starts_with("read_only: "), "{refused}");
    assert_eq!(server.call("list_contracts", &json!({}))["structuredContent"]["total"], 0);
}

/// The status and the body of a plain request.
fn get(address: &str, path: &str, headers: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    (head[9..12].parse().expect("a status"), body.to_owned())
}

/// A server at a free port, and its address.
fn at_a_port(folder: &Path, arguments: &[&str], token: Option<&str>) -> (Child, String) {
    let mut command = program(folder, &[&["serve"], arguments].concat());
    command.envs(token.map(|token| ("TREATY_HTTP_TOKEN", token))).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut line = String::new();
    let mut errors = BufReader::new(child.stderr.take().expect("it has errors"));
    errors.read_line(&mut line).expect("it says where it listens");
    let address = line.trim().trim_start_matches("listening on http://").trim_end_matches("/mcp").to_owned();
    (child, address)
}

#[test]
fn older_clients_read_contracts_and_health_over_http() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut child, address) = at_a_port(folder.path(), &["contract-engine", "--http", "127.0.0.1:0"], None);
    let local = "Host: localhost\r\n";
    let (status, body) = get(&address, "/api/health", local);
    let health: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!((status, &health["status"], &health["database"]), (200, &json!("healthy"), &json!("connected")));
    assert_eq!(health["service_name"], "contract-engine");
    let (status, body) = get(&address, "/api/contracts?service_name=books", local);
    assert_eq!((status, body.as_str()), (200, r#"{"items":[],"total":0,"page":1,"page_size":100}"#));
    assert_eq!(get(&address, "/api/contracts?page=x", local).0, 400);
    assert_eq!(get(&address, "/api/contracts/none", local).0, 404);
    assert_eq!(get(&address, "/", local).0, 404);
    assert_eq!(get(&address, "/api/contracts", "Host: evil.example\r\n").0, 403);
    assert_eq!(get(&address, "/mcp", "Host: localhost\r\nOrigin: http://evil.example\r\n").0, 403);
    child.kill().and_then(|()| child.wait()).expect("it is ended");
}

#[test]
fn who_can_be_reached_by_others_wants_a_token() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = program(folder.path(), &["serve", "all", "--http", "0.0.0.0:0"]).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("TREATY_HTTP_TOKEN"), "{said}");

    let (mut child, address) = at_a_port(folder.path(), &["all", "--http", "0.0.0.0:0"], Some("secret"));
    let address = address.replace("0.0.0.0", "127.0.0.1");
    let host = "Host: build.example\r\n";
    assert_eq!(get(&address, "/api/contracts", host).0, 401);
    assert_eq!(get(&address, "/api/contracts", &format!("{host}Authorization: Bearer other\r\n")).0, 401);
    assert_eq!(get(&address, "/api/contracts", &format!("{host}Authorization: Bearer secret\r\n")).0, 200);
    child.kill().and_then(|()| child.wait()).expect("it is ended");
}

#[test]
fn settings_of_clients_are_shown_before_they_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let install = |more: &[&str]| {
        let output = program(folder.path(), &[&["install", "claude"], more].concat()).stdin(Stdio::null()).output();
        let output = output.expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let path = folder.path().join(".mcp.json");
    let (code, shown) = install(&[]);
    assert_eq!((code, path.exists()), (Some(2), false), "nobody agreed: {shown}");
    assert!(shown.contains("+ \"contract-engine\": {"), "{shown}");
    assert_eq!(install(&["--yes"]).0, Some(0));
    let written: Value = serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
    let printed = program(folder.path(), &["config"]).output().expect("the program starts").stdout;
    assert_eq!(written, serde_json::from_slice::<Value>(&printed).expect("JSON"));
}

/// Names of the packages that a build with these features has.
fn packages(features: &[&str]) -> Vec<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--edges", "normal,build", "--prefix", "none", "--offline"]).args(features);
    let output = cargo.current_dir(root()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8_lossy(&output.stdout);
    let found: Vec<String> = tree.lines().filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
    assert!(found.iter().any(|it| it == "tree-sitter"), "the tree was read: {tree}");
    found
}

#[test]
fn the_scanner_alone_is_built_without_servers_and_databases() {
    let found = packages(&["--no-default-features"]);
    for lean in ["tokio", "rusqlite", "libsqlite3-sys", "rmcp", "hyper", "ureq", "rustls", "ring"] {
        assert!(!found.iter().any(|it| it == lean), "{lean} is in the tree of the scanner alone");
    }
}

#[test]
fn only_a_build_that_asks_models_has_tls() {
    for (features, has) in [(&["--no-default-features", "--features", "serve"][..], false), (&[], true)] {
        let found = packages(features);
        assert!(found.iter().any(|it| it == "ureq"), "{features:?}");
        for tls in ["rustls", "ring", "webpki-roots"] {
            assert_eq!(found.iter().any(|it| it == tls), has, "{tls} with {features:?}");
        }
    }
}
