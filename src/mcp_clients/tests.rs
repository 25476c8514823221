//! The clients against a server that is a script: one that answers well, one that refuses, ones that talk nonsense, hang or die.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::mcp::Server;
use crate::process::Cancel;
use crate::registry::{AnswerQuestion, NewContract, SpecKind, TestFramework};
use crate::settings::{Architect, EngineServer};

/// A server of one line per message. `start` is said when it begins, `call` for each call of a tool, with its id in `$id`.
fn script(start: &str, call: &str) -> String {
    format!(
        r#"echo started >> sessions
{start}
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{{"jsonrpc":"2.0","id":%s,"result":{{"protocolVersion":"2025-06-18","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"stand-in","version":"1"}}}}}}\n' "$id" ;;
    *'"tools/call"'*) printf '%s\n' "$line" >> calls; {call} ;;
  esac
done
"#
    )
}

/// The answer of a tool, with this text in its first block.
fn says(text: &str) -> String {
    let result = json!({ "content": [{ "type": "text", "text": text }] });
    answers(&result)
}

fn answers(result: &Value) -> String {
    format!("printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}}\\n' \"$id\" '{result}'")
}

struct StandIn {
    folder: TempDir,
    settings: EngineServer,
}

impl StandIn {
    fn new(start: &str, call: &str) -> StandIn {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("server.sh"), script(start, call)).expect("a script");
        let settings = EngineServer {
            command: "sh".to_owned(),
            arguments: vec!["server.sh".to_owned()],
            root: String::new(),
            environment: Vec::new(),
            startup: Duration::from_secs(20),
            call: Duration::from_secs(20),
        };
        StandIn { folder, settings }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn client(&self, server: Server) -> Client {
        self.client_until(server, &Cancel::default())
    }

    fn client_until(&self, server: Server, cancel: &Cancel) -> Client {
        let database = self.path("t.db");
        let project = Project { root: self.folder.path(), database: &database };
        let mut client = Client::connect(server, &self.settings, project, cancel);
        client.waits = [Duration::from_millis(10), Duration::from_millis(20)];
        client
    }

    /// How often it was started, and how often a tool was called.
    fn counts(&self) -> (usize, usize) {
        let lines = |name: &str| fs::read_to_string(self.path(name)).unwrap_or_default().lines().count();
        (lines("sessions"), lines("calls"))
    }
}

/// A method, what a server says that answers it well, and what is made of that.
type Case = (Server, &'static str, &'static str, fn(Client) -> (bool, Option<String>));

fn question() -> AnswerQuestion {
    AnswerQuestion {
        service_name: "books".to_owned(),
        method: "GET".to_owned(),
        path: "/books".to_owned(),
        status_code: 200,
        response_body: json!([]),
    }
}

fn document() -> NewContract {
    NewContract {
        service_name: "books".to_owned(),
        kind: SpecKind::Openapi,
        version: "1.0.0".to_owned(),
        spec: json!({ "openapi": "3.1.0" }),
        build_cycle_id: None,
    }
}

/// Whether an answer has what the server said, or is the default; and its warning.
macro_rules! case {
    ($ask:expr, $has:expr, $default:expr) => {{
        let answer = $ask;
        let (has, is_default) = ($has(&answer.value), answer.value == $default);
        assert_ne!(has, is_default, "{answer:?}");
        (has, answer.warning)
    }};
}

const ENTRY: &str =
    r#"{"id":"7","type":"openapi","version":"1.0.0","service_name":"books","spec_hash":"0","status":"active"}"#;
const MAP: &str = r#"{"project_name":"Library","services":[{"name":"books","domain":"books","stack":{"language":"Python"},"estimated_loc":100}],"prd_hash":"0"}"#;

/// All 20 methods.
fn cases() -> Vec<Case> {
    let (contracts, code, architect) = (Server::ContractEngine, Server::CodebaseIntelligence, Server::Architect);
    vec![
        (contracts, "create_contract", ENTRY, |client| {
            let mut client = ContractClient(client);
            case!(client.create_contract(&document()), |it: &Option<ContractEntry>| it.is_some(), None)
        }),
        (contracts, "validate_spec", r#"{"valid":true,"errors":[],"warnings":["w"]}"#, |client| {
            let mut client = ContractClient(client);
            let answer = client.validate_spec(&json!({}), SpecKind::Openapi);
            assert_ne!(answer.value.valid, !answer.value.errors.is_empty(), "{answer:?}");
            (answer.value.valid, answer.warning)
        }),
        (contracts, "list_contracts", r#"{"items":[],"total":3,"page":1,"page_size":20}"#, |client| {
            let mut client = ContractClient(client);
            let filter = ContractFilter { service_name: Some("books".to_owned()), ..ContractFilter::default() };
            case!(client.list_contracts(&filter), |it: &ContractPage| it.total == 3, ContractPage::default())
        }),
        (
            contracts,
            "get_contract",
            r#"{"id":"7","type":"openapi","version":"1","service_name":"books","spec":{}}"#,
            |client| {
                let mut client = ContractClient(client);
                case!(client.get_contract("7"), |it: &Option<(ContractEntry, Value)>| it.is_some(), None)
            },
        ),
        (contracts, "validate_endpoint", r#"{"valid":true,"violations":[]}"#, |client| {
            let mut client = ContractClient(client);
            let answer = client.validate_endpoint(&question());
            assert_ne!(answer.value.valid, !answer.value.error.is_empty(), "{answer:?}");
            (answer.value.valid, answer.warning)
        }),
        (contracts, "generate_tests", "import pytest", |client| {
            let mut client = ContractClient(client);
            let ask = client.generate_tests("7", TestFramework::Pytest, true);
            case!(ask, |it: &String| it == "import pytest", "")
        }),
        (
            contracts,
            "check_breaking_changes",
            r#"[{"change":"gone","severity":"error","affected_consumers":["loans"]}]"#,
            |client| {
                let mut client = ContractClient(client);
                case!(client.check_breaking_changes("7", None), |it: &Vec<SpecChange>| it.len() == 1, [])
            },
        ),
        (contracts, "mark_implemented", r#"{"marked":true,"total":1,"all_implemented":true}"#, |client| {
            let mut client = ContractClient(client);
            let ask = client.mark_implemented("7", "books", "books/main.py");
            case!(ask, |it: &Marked| it.marked, Marked::default())
        }),
        (
            contracts,
            "get_unimplemented_contracts",
            r#"[{"id":"7","type":"openapi","expected_service":"books","version":"1","status":"active"}]"#,
            |client| {
                let mut client = ContractClient(client);
                case!(client.get_unimplemented_contracts(None), |it: &Vec<OpenContract>| it.len() == 1, [])
            },
        ),
        (code, "find_definition", r#"{"file":"a.py","line":3,"kind":"class","signature":"class A"}"#, |client| {
            let mut client = CodebaseClient(client);
            case!(client.find_definition("A", Some("python")), |it: &Option<Place>| it.is_some(), None)
        }),
        (code, "find_callers", r#"[{"file":"a.py","line":3,"context":"A()"}]"#, |client| {
            let mut client = CodebaseClient(client);
            case!(client.find_callers("A", 5), |it: &Vec<Caller>| it.len() == 1, [])
        }),
        (
            code,
            "find_dependencies",
            r#"{"imports":["b.py"],"imported_by":[],"transitive_deps":[],"circular_deps":[]}"#,
            |client| {
                let mut client = CodebaseClient(client);
                let ask = client.find_dependencies("a.py");
                case!(ask, |it: &Dependencies| it.imports == ["b.py"], Dependencies::default())
            },
        ),
        (code, "search_semantic", r#"[{"file":"a.py","lines":[1,2],"content":"x","score":0.5}]"#, |client| {
            let mut client = CodebaseClient(client);
            case!(client.search_semantic("x", None, None, 3), |it: &Vec<Hit>| it.len() == 1, [])
        }),
        (
            code,
            "get_service_interface",
            r#"{"endpoints":[{"method":"GET","path":"/a"}],"events_published":[],"events_consumed":[]}"#,
            |client| {
                let mut client = CodebaseClient(client);
                let ask = client.get_service_interface("books");
                case!(ask, |it: &Interface| it.endpoints.len() == 1, Interface::default())
            },
        ),
        (
            code,
            "check_dead_code",
            r#"[{"symbol":"f","file":"a.py","line":1,"kind":"function","confidence":"low"}]"#,
            |client| {
                let mut client = CodebaseClient(client);
                case!(client.check_dead_code(None), |it: &Vec<DeadSymbol>| it.len() == 1, [])
            },
        ),
        (
            code,
            "register_artifact",
            r#"{"indexed":true,"symbols_found":2,"dependencies_found":0,"errors":[]}"#,
            |client| {
                let mut client = CodebaseClient(client);
                let ask = client.register_artifact("a.py", "books");
                case!(ask, |it: &Registered| it.indexed, Registered::default())
            },
        ),
        (
            architect,
            "decompose",
            r#"{"service_map":{"project_name":"Library","services":[{"name":"books","domain":"books","stack":{},"estimated_loc":100}],"prd_hash":"0"},"domain_model":{"entities":[],"relationships":[]},"contract_stubs":[],"validation_issues":[],"interview_questions":[]}"#,
            |client| {
                let mut client = ArchitectClient(client);
                let answer = client.decompose("# Library");
                (answer.value.is_some(), answer.warning)
            },
        ),
        (architect, "get_service_map", MAP, |client| {
            let mut client = ArchitectClient(client);
            let answer = client.get_service_map();
            (answer.value.is_some(), answer.warning)
        }),
        (architect, "get_domain_model", r#"{"entities":[],"relationships":[],"state_machines":{}}"#, |client| {
            let mut client = ArchitectClient(client);
            let answer = client.get_domain_model();
            (answer.value.is_some(), answer.warning)
        }),
        (
            architect,
            "get_contracts_for_service",
            r#"[{"id":"7","role":"provider","type":"openapi","counterparty":"","summary":""}]"#,
            |client| {
                let mut client = ArchitectClient(client);
                case!(client.get_contracts_for_service("books"), |it: &Vec<ServiceContract>| it.len() == 1, [])
            },
        ),
    ]
}

#[test]
fn each_method_gives_what_a_good_answer_says() {
    for (server, tool, good, ask) in cases() {
        let stand_in = StandIn::new("", &says(good));
        let (has, warning) = ask(stand_in.client(server));
        assert!(has && warning.is_none(), "{tool}: {warning:?}");
        let call: Value =
            serde_json::from_str(&fs::read_to_string(stand_in.path("calls")).expect("a call")).expect("JSON");
        assert_eq!(call["params"]["name"], tool);
    }
}

#[test]
fn each_method_gives_its_default_and_a_warning_where_the_engine_refuses() {
    let refusal = json!({ "content": [{ "type": "text", "text": "no such thing" }], "isError": true });
    for (server, tool, _, ask) in cases() {
        let stand_in = StandIn::new("", &answers(&refusal));
        let (has, warning) = ask(stand_in.client(server));
        let warning = warning.unwrap_or_default();
        assert!(!has && warning.contains(tool) && warning.ends_with("no such thing"), "{tool}: {warning}");
        assert_eq!(stand_in.counts(), (1, 1), "{tool}: what is refused is not asked again");
    }
}

#[test]
fn each_method_gives_its_default_after_three_tries_where_the_server_dies() {
    for (server, tool, _, ask) in cases() {
        let stand_in = StandIn::new("", "exit 3");
        let (has, warning) = ask(stand_in.client(server));
        assert!(!has && warning.is_some_and(|it| it.contains("the server ended")), "{tool}");
        // Registering is not tried again: the next scan sees the file anyway.
        let tries = if tool == "register_artifact" { 1 } else { 3 };
        assert_eq!(stand_in.counts(), (tries, tries), "{tool}");
    }
}

#[test]
fn each_method_gives_its_default_where_the_answer_is_none() {
    let nonsense =
        [says("not JSON"), says("{}"), says("[1]"), answers(&json!({ "content": 3 })), answers(&json!("text"))];
    for call in &nonsense {
        for (server, tool, _, ask) in cases() {
            // Source is text, whatever it says; pages and lists of nothing are answers.
            if tool == "generate_tests" && call.contains("text\":") {
                continue;
            }
            let stand_in = StandIn::new("", call);
            let (has, warning) = ask(stand_in.client(server));
            assert!(!has && warning.is_some(), "{tool} takes {call}");
            assert_eq!(stand_in.counts(), (1, 1), "{tool}: an answer that is none is not asked for again");
        }
    }
}

#[test]
fn a_server_that_died_is_started_again_and_asked_again() {
    let dies_twice = format!("if [ $(wc -l < sessions) -lt 3 ]; then exit 1; fi; {}", says("[]"));
    let stand_in = StandIn::new("", &dies_twice);
    let mut client = ContractClient(stand_in.client(Server::ContractEngine));
    let answer = client.get_unimplemented_contracts(Some("books"));
    assert_eq!((answer.value.len(), answer.warning), (0, None));
    assert_eq!(stand_in.counts(), (3, 3));
    assert_eq!(client.get_unimplemented_contracts(None).warning, None, "the session goes on");
    assert_eq!(stand_in.counts(), (3, 4));
}

#[test]
fn a_server_that_was_tried_often_enough_is_away_for_the_rest_of_the_session() {
    let stand_in = StandIn::new("", "exit 1");
    let mut client = ContractClient(stand_in.client(Server::ContractEngine));
    assert!(client.get_contract("7").warning.is_some());
    let again = client.get_contract("8").given().expect_err("nobody answers");
    assert!(again.contains("not connected any more"), "{again}");
    assert_eq!(stand_in.counts(), (3, 3));
    assert!(client.0.is_away().is_some());
}

#[test]
fn files_are_registered_until_three_calls_in_a_row_broke() {
    let stand_in = StandIn::new("", "exit 1");
    let mut client = CodebaseClient(stand_in.client(Server::CodebaseIntelligence));
    for at in 1..5 {
        assert!(client.register_artifact("a.py", "books").warning.is_some());
        assert_eq!(client.0.is_away().is_some(), at >= 3, "after {at}");
    }
    assert_eq!(stand_in.counts(), (3, 3));
}

#[test]
fn a_call_that_takes_too_long_is_ended_with_all_that_the_server_started() {
    let mut stand_in = StandIn::new("", "sleep 600 & echo $! >> children; wait");
    stand_in.settings.call = Duration::from_millis(300);
    let mut client = CodebaseClient(stand_in.client(Server::CodebaseIntelligence));
    let begun = Instant::now();
    let why = client.check_dead_code(None).given().expect_err("no answer");
    assert!(why.contains("no answer within 300ms"), "{why}");
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert_eq!(stand_in.counts(), (3, 3));
    let children = fs::read_to_string(stand_in.path("children")).expect("children were started");
    assert_eq!(children.lines().count(), 3);
    for child in children.lines() {
        let state = || fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        let has_ended = || state().is_empty() || state().contains(") Z");
        // A process that was killed is there until it gets its turn once more.
        let until = Instant::now() + Duration::from_secs(10);
        while !has_ended() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(has_ended(), "{child} lives on: {}", state());
    }
}

#[test]
fn a_server_that_does_not_start_in_time_is_away_and_not_tried_again() {
    for (start, why) in
        [("sleep 600", "no answer within"), ("echo oh no >&2; exit 1", "oh no"), ("echo started; exit 0", "ended")]
    {
        let mut stand_in = StandIn::new(start, "true");
        stand_in.settings.startup = Duration::from_millis(if start.starts_with("sleep") { 300 } else { 20_000 });
        let mut client = ArchitectClient(stand_in.client(Server::Architect));
        let said = client.decompose("# Library").given().expect_err("nobody is there");
        assert!(said.contains("not connected: `sh server.sh`") && said.contains(why), "{said}");
        assert_eq!(stand_in.counts(), (1, 0));
    }
}

#[test]
fn a_command_that_is_not_there_is_named() {
    let mut stand_in = StandIn::new("", "true");
    stand_in.settings.command = "treaty-no-such-command".to_owned();
    let client = stand_in.client(Server::ContractEngine);
    let why = client.is_away().expect("nobody is there");
    assert!(why.contains("`treaty-no-such-command server.sh` does not start"), "{why}");
}

#[test]
fn what_a_server_prints_between_its_messages_is_passed_over() {
    let chatter = r#"echo "INFO ready"; echo '{"jsonrpc":"2.0","method":"notifications/message","params":{}}'; echo '{"jsonrpc":"2.0","id":"x","method":"ping"}'"#;
    let stand_in = StandIn::new(chatter, &format!("{chatter}; {}", says("[]")));
    let mut client = CodebaseClient(stand_in.client(Server::CodebaseIntelligence));
    assert_eq!(client.find_callers("f", 1).given(), Ok(Vec::new()));
}

#[test]
fn a_server_without_blocks_says_null() {
    let stand_in = StandIn::new("", &answers(&json!({ "content": [] })));
    let mut client = ContractClient(stand_in.client(Server::ContractEngine));
    assert_eq!(client.get_contract("7").given(), Ok(None));
    assert!(client.get_unimplemented_contracts(None).warning.is_some(), "null is no list");
}

#[test]
fn a_list_may_have_a_block_for_each_item_where_it_is_structured_as_well() {
    let item = json!({ "file": "a.py", "line": 1, "context": "f()" });
    let block = json!({ "type": "text", "text": item.to_string() });
    let result = json!({ "content": [block, block], "structuredContent": { "result": [item, item] } });
    let stand_in = StandIn::new("", &answers(&result));
    let mut client = CodebaseClient(stand_in.client(Server::CodebaseIntelligence));
    assert_eq!(client.find_callers("f", 2).given().map(|it| it.len()), Ok(2));
    let empty = json!({ "content": [], "structuredContent": { "result": [] } });
    let stand_in = StandIn::new("", &answers(&empty));
    let mut client = CodebaseClient(stand_in.client(Server::CodebaseIntelligence));
    assert_eq!(client.find_callers("f", 2).given(), Ok(Vec::new()));
}

#[test]
fn a_wait_ends_when_the_run_does() {
    let cancel = Cancel::default();
    let stand_in = StandIn::new("", "sleep 600");
    let mut client = ContractClient(stand_in.client_until(Server::ContractEngine, &cancel));
    let ended = cancel.clone();
    let begun = Instant::now();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        ended.now();
    });
    assert!(client.get_contract("7").warning.is_some_and(|it| it.contains("the wait was ended")));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(stand_in.counts(), (1, 1));
    thread.join().expect("it ended the wait");
}

#[test]
fn a_server_finds_its_variables_in_its_environment_and_no_secret() {
    let mut stand_in = StandIn::new("env > environment", "true");
    stand_in.settings.environment = vec![("DATABASE_PATH", "contracts.db".to_owned())];
    let client = stand_in.client(Server::ContractEngine);
    assert_eq!(client.is_away(), None);
    let seen = fs::read_to_string(stand_in.path("environment")).expect("it was written");
    assert!(seen.contains("DATABASE_PATH=contracts.db\n"), "{seen}");
    // Cargo sets variables for this test; whatever is not among the usual ones stays here.
    assert!(std::env::vars().any(|it| it.0.starts_with("CARGO_")) && !seen.contains("CARGO_"), "{seen}");
}

#[test]
fn a_server_ends_politely_when_its_input_does() {
    let stand_in =
        StandIn::new("trap 'echo killed > end' TERM; trap 'test -f end || echo politely > end' EXIT", "true");
    drop(stand_in.client(Server::ContractEngine));
    assert_eq!(fs::read_to_string(stand_in.path("end")).expect("it ended"), "politely\n");
}

#[test]
fn a_server_is_started_in_its_own_folder() {
    let mut stand_in = StandIn::new("", &says("[]"));
    fs::create_dir(stand_in.path("engine")).expect("a folder");
    fs::rename(stand_in.path("server.sh"), stand_in.path("engine/server.sh")).expect("moved");
    stand_in.settings.root = "engine".to_owned();
    let mut client = ContractClient(stand_in.client(Server::ContractEngine));
    assert_eq!(client.get_unimplemented_contracts(None).given(), Ok(Vec::new()));
    assert!(Path::new(&stand_in.path("engine/calls")).is_file());
}

#[test]
fn our_own_engines_answer_without_a_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("t.db");
    let project = Project { root: folder.path(), database: &database };
    let settings = Architect::default().server(None);
    let connect = |server| Client::connect(server, &settings, project, &Cancel::default());
    let mut architect = ArchitectClient(connect(Server::Architect));
    assert!(architect.0.is_embedded());
    let read = architect
        .decompose(
            "# Shop\n\n## Services\n\n| Service | Responsibility |\n|---|---|\n| order-service | Keeps orders |\n",
        )
        .given();
    let services = read.expect("it answers").expect("there is one").service_map.services;
    assert_eq!(services[0].name, "order-service");
    let mut contracts = ContractClient(connect(Server::ContractEngine));
    assert_eq!(contracts.get_contract("7").given(), Ok(None));
    assert!(contracts.generate_tests("7", TestFramework::Jest, false).given().is_err(), "there is no such contract");
    let mut code = CodebaseClient(connect(Server::CodebaseIntelligence));
    assert_eq!(code.find_definition("nothing", None).given(), Ok(None));
}

/// Any JSON, with members that answers have.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z/.{]{0,6}".prop_map(Value::from),
    ];
    let names = "content|type|text|isError|items|file_path|contract_stubs|service_map|services|spec|name|service_id";
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names, inner), 0..5).prop_map(|it| Value::Object(it.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever a server answers, a method gives a value: nothing panics, and a warning says where it is the default.
    #[test]
    fn any_answer_is_taken_or_refused(answer in any_json(), text in any_json()) {
        let blocks = json!({ "content": [{ "type": "text", "text": text.to_string() }] });
        for result in [answer, blocks] {
            let Ok(text) = connection::text_of(&result) else { continue };
            let Ok(mut value) = serde_json::from_str::<Value>(&text) else { continue };
            answers::known_by(&mut value);
            let _ = architect::decomposition(value);
        }
    }
}
