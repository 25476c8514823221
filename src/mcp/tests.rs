//! What the servers tell of themselves, and what calls answer.

use std::collections::BTreeSet;

use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use super::tool::{Call, Tool};
use super::workplace::Workplace;
use super::{Options, Server, answer, extended};

/// A project without files, and calls of the tools of all servers in it.
struct Bench {
    _folder: tempfile::TempDir,
    place: Workplace,
    tools: Vec<Tool>,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().to_owned();
        let database = root.join("treaty.db");
        let server = Server::All;
        let options = Options {
            server,
            root,
            database,
            contract_engine: None,
            read_only: false,
            extended: true,
            team_config: None,
            team_agents: None,
        };
        let tools = server.tools().into_iter().chain(extended::tools()).collect();
        Bench { place: Workplace::new(options), tools, _folder: folder }
    }

    fn call(&self, name: &str, arguments: Value) -> CallToolResult {
        let tool = self.tools.iter().find(|tool| tool.name == name).expect("the tool is there");
        let call = Call { place: &self.place, progress: &|_| {} };
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        answer::result(&tool.output, tool.call(&call, arguments))
    }
}

fn text(result: &CallToolResult) -> String {
    let block = serde_json::to_value(&result.content[0]).expect("blocks are JSON");
    block["text"].as_str().expect("the first block is text").to_owned()
}

fn refused(result: &CallToolResult) -> String {
    assert_eq!(result.is_error, Some(true), "{result:?}");
    assert_eq!(result.structured_content, None);
    text(result)
}

#[test]
fn tools_have_one_name_each_a_description_and_a_schema_that_validators_take() {
    let tools = Bench::new().tools;
    assert_eq!(Server::EACH.map(|server| server.tools().len()), [4, 9, 7], "what older clients know");
    let names: BTreeSet<&str> = tools.iter().map(|tool| tool.name).collect();
    assert_eq!(names.len(), tools.len());
    for tool in &tools {
        let described = serde_json::to_value(tool.described()).expect("tools are JSON");
        assert!(tool.description.len() > 20, "{}", tool.name);
        assert_eq!(described["inputSchema"]["type"], "object", "{described}");
        assert_eq!(described["annotations"]["openWorldHint"], false);
        for schema in ["inputSchema", "outputSchema"] {
            if let Some(schema) = described.get(schema) {
                jsonschema::validator_for(schema).expect("a valid schema");
                let has_format = schema.to_string().contains("\"format\":\"");
                assert!(!has_format, "{}: widths are nobody's business: {schema}", tool.name);
            }
        }
        for (name, property) in described["inputSchema"]["properties"].as_object().expect("properties") {
            assert!(property["description"].is_string(), "{}: `{name}` says nothing: {property}", tool.name);
        }
    }
}

#[test]
fn every_tool_says_what_it_answers_but_the_one_that_writes_source() {
    let silent: Vec<&str> = Server::All
        .tools()
        .iter()
        .filter(|tool| tool.described().output_schema.is_none())
        .map(|tool| tool.name)
        .collect();
    assert_eq!(silent, ["generate_tests"]);
}

#[test]
fn optional_parameters_that_are_null_are_absent() {
    let bench = Bench::new();
    let absent = bench.call("list_contracts", json!({}));
    let nothing = json!({ "service_name": null, "type": null, "status": null, "page": null, "page_size": null });
    let null = bench.call("list_contracts", nothing);
    assert_eq!(text(&absent), r#"{"items":[],"total":0,"page":1,"page_size":20}"#);
    assert_eq!(text(&absent), text(&null));
}

#[test]
fn what_is_not_there_is_null_where_that_is_an_answer() {
    let found = Bench::new().call("get_contract", json!({ "contract_id": "none" }));
    assert_eq!(text(&found), "null");
    assert_eq!(found.structured_content, Some(json!({ "result": null })));
    assert_eq!(found.is_error, Some(false));
}

#[test]
fn arguments_that_do_not_fit_are_refused_by_name() {
    let bench = Bench::new();
    let said = refused(&bench.call("get_contract", json!({ "contract_id": 7 })));
    assert!(said.starts_with("invalid_arguments: `contract_id`: ") && said.contains("(string, required)"), "{said}");
    let said = refused(&bench.call("get_contract", json!({})));
    assert!(said.contains("\"contract_id\" is a required property"), "{said}");
    let said = refused(&bench.call("list_contracts", json!({ "pages": 2 })));
    assert!(said.contains("pages") && said.contains("`page` (integer or null)"), "{said}");
    let said = refused(&bench.call("list_contracts", json!({ "page": -1 })));
    assert!(said.contains("`page`"), "{said}");
    let said = refused(&bench.call("list_contracts", json!({ "type": "wsdl" })));
    assert!(said.contains("openapi"), "{said}");
    let spec = json!({ "service_name": "a", "type": "openapi", "version": "1.0.0", "spec": "{}" });
    let said = refused(&bench.call("create_contract", spec));
    assert!(said.contains("`spec`"), "{said}");
}

#[test]
fn an_argument_of_a_hundred_megabytes_is_refused_in_words() {
    let said = refused(&Bench::new().call("get_contract", json!({ "contract_id": "x".repeat(100_000_000) })));
    assert!(said.starts_with("too_large: ") && said.len() < 300, "{said}");
}

#[test]
fn other_names_of_old_clients_are_taken() {
    let listed = Bench::new().call("list_contracts", json!({ "contract_type": "openapi" }));
    assert_eq!(listed.is_error, Some(false), "{listed:?}");
}

#[test]
fn a_scan_gives_findings_as_data_and_stays_in_the_project() {
    let bench = Bench::new();
    let root = &bench.place.options.root;
    std::fs::write(root.join("main.py"), include_str!("sample/books/main.py")).expect("a file");
    let contract = include_str!("sample/books/openapi.json").replace("\"/books/{bookId}\"", "\"/volumes/{bookId}\"");
    std::fs::write(root.join("openapi.json"), contract).expect("a file");
    let scanned = bench.call("scan", json!({ "max_findings": 1 }));
    let value = scanned.structured_content.expect("it is structured");
    assert_eq!(value["findings"].as_array().map(Vec::len), Some(1), "{value}");
    let explained = text(&bench.call("why", json!({ "operation": "GET /books" })));
    assert!(explained.contains("main.py"), "{explained}");
    let said = refused(&bench.call("why", json!({ "operation": "GET /shelves" })));
    assert!(said.starts_with("not_found: "), "{said}");
    let said = refused(&bench.call("scan", json!({ "path": "../.." })));
    assert!(said.starts_with("outside_root: "), "{said}");
}
