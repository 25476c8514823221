//! The clients of engines against our own servers, started as servers of somebody else would be.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use treaty::mcp::Server;
use treaty::mcp::session::Session;
use treaty::mcp_clients::{ArchitectClient, Client, CodebaseClient, ContractClient, ContractFilter, Project};
use treaty::process::Cancel;
use treaty::registry::{AnswerQuestion, NewContract, SpecKind, TestFramework};
use treaty::settings::{Architect, EngineServer};

use crate::files::root;

/// Two services that lend books, their requirements, and servers that are told of them.
struct Library(TempDir);

impl Library {
    fn new() -> Library {
        let library = Library(tempfile::tempdir().expect("a folder"));
        let sample = root().join("src/mcp/sample");
        for file in
            ["books/main.py", "books/requirements.txt", "books/openapi.json", "loans/main.py", "loans/requirements.txt"]
        {
            let to = library.path(file);
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            fs::copy(sample.join(file), to).expect("a file");
        }
        fs::copy(sample.join("requirements.md"), library.path("requirements.md")).expect("a file");
        library
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// A server of ours, as the settings of a project would name it.
    fn settings(server: Server) -> EngineServer {
        EngineServer {
            command: env!("CARGO_BIN_EXE_treaty").to_owned(),
            arguments: ["mcp", "serve", server.name()].map(str::to_owned).to_vec(),
            root: String::new(),
            environment: Vec::new(),
            startup: Duration::from_secs(30),
            call: Duration::from_mins(1),
        }
    }

    fn connect(&self, server: Server, settings: &EngineServer) -> Client {
        let database = self.path("unused.db");
        let client =
            Client::connect(server, settings, Project { root: self.0.path(), database: &database }, &Cancel::default());
        assert_eq!(client.is_away(), None);
        assert!(!client.is_embedded());
        client
    }

    fn client(&self, server: Server) -> Client {
        self.connect(server, &Library::settings(server))
    }

    fn contract(&self) -> NewContract {
        NewContract {
            service_name: "books".to_owned(),
            kind: SpecKind::Openapi,
            version: "1.0.0".to_owned(),
            spec: serde_json::from_str(&self.text("books/openapi.json")).expect("JSON"),
            build_cycle_id: None,
        }
    }
}

/// 001, P0: three handshakes, and exactly 4, 9 and 7 tools.
#[test]
fn three_servers_shake_hands_and_have_four_nine_and_seven_tools() {
    let library = Library::new();
    let names = Server::EACH.map(|it| library.client(it).tool_names().expect("it lists its tools"));
    assert_eq!(names.each_ref().map(Vec::len), [4, 9, 7]);
    let mut all: Vec<&String> = names.iter().flatten().collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 20, "no name twice");
}

/// 001, P1: the six wires to the contract engine, and the three tools beside them.
#[test]
fn six_wires_to_the_contract_engine() {
    let library = Library::new();
    let mut engine = ContractClient(library.client(Server::ContractEngine));
    let document = library.contract();
    let checked = engine.validate_spec(&document.spec, SpecKind::Openapi).given().expect("it checks");
    assert!(checked.valid, "{checked:?}");
    let entry = engine.create_contract(&document).given().expect("it registers").expect("an entry");
    let listed =
        engine.list_contracts(&ContractFilter { service_name: Some("books".to_owned()), ..ContractFilter::default() });
    assert_eq!(listed.given().expect("it lists").items, std::slice::from_ref(&entry));
    let id = entry.id.as_str();
    let (same, spec) = engine.get_contract(id).given().expect("it answers").expect("it is there");
    assert_eq!((same.id.as_str(), &spec), (id, &document.spec));
    assert_eq!(engine.get_contract("nothing").given(), Ok(None));
    let question = |body: Value| AnswerQuestion {
        service_name: "books".to_owned(),
        method: "GET".to_owned(),
        path: "/books/7".to_owned(),
        status_code: 200,
        response_body: body,
    };
    let good = engine.validate_endpoint(&question(json!({ "id": 7, "title": "Momo", "subtitle": null })));
    assert!(good.given().expect("it compares").valid);
    let bad = engine.validate_endpoint(&question(json!({ "id": "seven" }))).given().expect("it compares");
    assert!(!bad.valid && !bad.violations.is_empty() && bad.error.is_empty(), "{bad:?}");
    let source = engine.generate_tests(id, TestFramework::Pytest, true).given().expect("it writes");
    assert!(source.contains("def test_"), "{source}");
    let mut new = document.spec.clone();
    new["paths"].as_object_mut().expect("paths").remove("/books");
    let changes = engine.check_breaking_changes(id, Some(&new)).given().expect("it compares");
    assert!(!changes.is_empty());
    let open = engine.get_unimplemented_contracts(Some("books")).given().expect("it answers");
    assert_eq!(open.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), [id]);
    let marked = engine.mark_implemented(id, "books", "books/main.py").given().expect("it reads the code");
    assert!(marked.marked && marked.all_implemented, "{marked:?}");
    assert_eq!(engine.get_unimplemented_contracts(None).given(), Ok(Vec::new()));
    assert!(engine.mark_implemented("nothing", "books", "books").warning.is_some());
}

/// 001, P0 and P1: the seven wires to the index.
#[test]
fn seven_wires_to_the_codebase_index() {
    let library = Library::new();
    let mut index = CodebaseClient(library.client(Server::CodebaseIntelligence));
    let registered = index.register_artifact("books/main.py", "books").given().expect("it reads");
    assert!(registered.indexed && registered.symbols_found > 2, "{registered:?}");
    let place = index.find_definition("find_book", Some("python")).given().expect("it answers").expect("it is there");
    assert_eq!((place.file.as_str(), place.line, place.kind.as_str()), ("books/main.py", 16, "function"));
    assert_eq!(index.find_definition("nothing", None).given(), Ok(None));
    let callers = index.find_callers("find_book", 5).given().expect("it answers");
    assert_eq!(callers.iter().map(|it| (it.file.as_str(), it.line)).collect::<Vec<_>>(), [("books/main.py", 25)]);
    let needs = index.find_dependencies("books/main.py").given().expect("it answers");
    assert_eq!(needs.circular_deps, Vec::<Vec<String>>::new());
    let hits =
        index.search_semantic("book of this number", Some("python"), Some("books"), 3).given().expect("it answers");
    assert_eq!(hits.first().map(|it| it.file.as_str()), Some("books/main.py"), "001, P1: search is not empty");
    let interface = index.get_service_interface("books").given().expect("it answers");
    let paths: Vec<&str> = interface.endpoints.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["/books", "/books/{book_id}"]);
    let dead = index.check_dead_code(None).given().expect("it answers");
    assert!(dead.iter().all(|it| it.symbol != "find_book"), "{dead:?}");
    assert!(index.find_definition("find_book", Some("cobol")).warning.is_some(), "a language that there is not");
}

/// 001, P1: the four wires to the architect.
#[test]
fn four_wires_to_the_architect() {
    let library = Library::new();
    let mut architect = ArchitectClient(library.client(Server::Architect));
    let nothing = architect.get_service_map().given().expect_err("nothing was taken apart");
    assert!(nothing.contains("decompose"), "{nothing}");
    let whole = architect.decompose(&library.text("requirements.md")).given().expect("it reads").expect("services");
    let map = architect.get_service_map().given().expect("it keeps").expect("a map");
    assert_eq!(map.services, whole.service_map.services);
    let model = architect.get_domain_model().given().expect("it keeps").expect("a model");
    assert_eq!(model.entities, whole.domain_model.entities);
    assert_eq!(architect.get_contracts_for_service("books").given(), Ok(Vec::new()));
}

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A contract engine over HTTP, and its address.
fn over_http(folder: &Path) -> (Ended, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
    command.args(["mcp", "serve", "contract-engine", "--http", "127.0.0.1:0", "--database", "engine.db"]);
    let mut child = command.current_dir(folder).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("a stream")).read_line(&mut line).expect("it says where");
    let address = line.trim().trim_start_matches("listening on ").trim_end_matches("/mcp").to_owned();
    (Ended(child), address)
}

/// 001, P1: the wire from the architect to the contract engine, over HTTP.
#[test]
fn one_wire_from_the_architect_to_the_contract_engine_over_http() {
    let library = Library::new();
    let mut settings = Library::settings(Server::ContractEngine);
    settings.environment = vec![("DATABASE_PATH", library.path("engine.db").display().to_string())];
    let mut engine = ContractClient(library.connect(Server::ContractEngine, &settings));
    let entry = engine.create_contract(&library.contract()).given().expect("it registers").expect("an entry");
    drop(engine);
    let (child, address) = over_http(library.0.path());
    let mut settings = Library::settings(Server::Architect);
    let database = ("DATABASE_PATH", library.path("architect.db").display().to_string());
    settings.environment = Architect::default().server(Some(&address)).environment;
    settings.environment.push(database);
    let mut architect = ArchitectClient(library.connect(Server::Architect, &settings));
    let found = architect.get_contracts_for_service("books").given().expect("it asks");
    assert_eq!(
        found.iter().map(|it| (it.id.as_str(), it.role.as_str())).collect::<Vec<_>>(),
        [(entry.id.as_str(), "provider")]
    );
    drop(child);
    let alone = architect.get_contracts_for_service("books").given();
    assert_eq!(alone, Ok(Vec::new()), "its own registry has none");
}

/// 001, P0: a server that is killed is an error of one try, and the next one is answered.
#[test]
fn a_server_that_is_killed_between_two_calls_is_started_again() {
    let library = Library::new();
    let mut settings = Library::settings(Server::ContractEngine);
    let script = format!("echo $$ >> pids; exec '{}' mcp serve contract-engine", settings.command);
    settings.command = "sh".to_owned();
    settings.arguments = vec!["-c".to_owned(), script];
    let mut engine = ContractClient(library.connect(Server::ContractEngine, &settings));
    let entry = engine.create_contract(&library.contract()).given().expect("it registers").expect("an entry");
    let pid = library.text("pids");
    let killed = Command::new("kill").args(["-9", pid.trim()]).status().expect("kill is there");
    assert!(killed.success());
    let found = engine.get_contract(&entry.id).given().expect("a new server answers");
    assert_eq!(found.map(|it| it.0.id), Some(entry.id), "what is kept is in the database");
    assert_eq!(library.text("pids").lines().count(), 2);
}

/// 001, P0: three servers at once, their calls interleaved.
#[test]
fn three_servers_answer_at_once() {
    let library = Library::new();
    let mut contracts = ContractClient(library.client(Server::ContractEngine));
    let mut index = CodebaseClient(library.client(Server::CodebaseIntelligence));
    let mut architect = ArchitectClient(library.client(Server::Architect));
    for round in 0..3 {
        assert_eq!(contracts.get_unimplemented_contracts(None).given(), Ok(Vec::new()), "round {round}");
        assert!(index.find_definition("find_book", None).given().expect("it answers").is_some(), "round {round}");
        assert_eq!(architect.get_contracts_for_service("books").given(), Ok(Vec::new()), "round {round}");
    }
    let document = library.contract();
    thread::scope(|scope| {
        scope.spawn(|| {
            let created = contracts.create_contract(&document).given();
            assert!(created.is_ok_and(|it| it.is_some()));
        });
        scope.spawn(|| assert!(!index.search_semantic("book", None, None, 3).value.is_empty()));
        scope.spawn(|| assert!(architect.decompose("# Shop\n\nThe service books keeps books.\n").value.is_some()));
    });
    let seen = architect.get_contracts_for_service("books").given().expect("it answers");
    assert_eq!(seen.len(), 1, "the three share what the project keeps");
}

/// 001, P0 and P1: arguments of wrong types are an answer that says so, a tool that there is not is an error of the protocol.
#[test]
fn wrong_types_and_unknown_tools_are_refused() {
    let library = Library::new();
    let end = |child: &mut Child| {
        let _ = child.kill();
        let _ = child.wait();
    };
    for (server, tool, arguments) in [
        (Server::Architect, "decompose", json!({ "prd_text": 7 })),
        (Server::ContractEngine, "get_contract", json!({ "contract_id": [] })),
        (Server::CodebaseIntelligence, "find_callers", json!({ "symbol": "f", "max_results": "many" })),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_treaty"));
        command.args(["mcp", "serve", server.name()]).current_dir(library.0.path());
        let mut session = Session::start(command, end, Arc::default()).expect("it starts");
        let limit = Duration::from_secs(30);
        session.initialize("test", limit).expect("it shakes hands");
        let refused = session.call(tool, &arguments, limit).expect("it answers");
        assert_eq!(refused["isError"], true, "{refused}");
        let unknown = session.call("no_such_tool", &json!({}), limit).expect_err("there is none");
        assert!(!unknown.is_transient() && unknown.to_string().contains("no_such_tool"), "{unknown}");
        assert_eq!(session.noise(), None);
    }
    let mut engine = ContractClient(library.client(Server::ContractEngine));
    let minimal = json!({ "openapi": "3.1.0", "info": { "title": "t", "version": "1" }, "paths": {} });
    assert!(engine.validate_spec(&minimal, SpecKind::Openapi).value.valid, "001, P0: a minimal document");
}
