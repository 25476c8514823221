//! Revisions of a git repository, compared by what their code serves.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::folder::{folder, run, scan, write};

const FIRST: &str = "from fastapi import FastAPI\nfrom pydantic import BaseModel\n\n\nclass Pong(BaseModel):\n    text: str\n    at: str\n\n\napp = FastAPI()\n\n\n@app.get(\"/ping\")\ndef ping() -> Pong: ...\n\n\n@app.get(\"/old\")\ndef old() -> str: ...\n";
const SECOND: &str = "from fastapi import FastAPI\nfrom pydantic import BaseModel\n\n\nclass Pong(BaseModel):\n    text: str\n\n\napp = FastAPI()\n\n\n@app.get(\"/ping\")\ndef ping() -> Pong: ...\n";
const CONTRACT: &str = "openapi: 3.1.0\ninfo: {title: Ping, version: '1'}\npaths:\n  /ping:\n    get:\n      responses: {'200': {description: pong}}\n";

fn git(directory: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .expect("git is installed where tests are run");
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A repository with two commits; the first is tagged `v1`.
fn repository() -> tempfile::TempDir {
    let repository = folder([
        ("services/ping/app.py", FIRST.as_bytes()),
        ("services/ping/generated.py", FIRST.replace("/ping", "/generated").as_bytes()),
        ("services/ping/openapi.yaml", CONTRACT.as_bytes()),
        ("services/ping/requirements.txt", b"fastapi\n"),
        (".gitignore", b"generated.py\n"),
    ]);
    git(repository.path(), &["init", "-q"]);
    git(repository.path(), &["add", "--force", "."]);
    git(repository.path(), &["commit", "-qm", "one"]);
    git(repository.path(), &["tag", "v1"]);
    write(repository.path(), "services/ping/app.py", SECOND);
    git(repository.path(), &["commit", "-qam", "two"]);
    repository
}

#[test]
fn what_git_cannot_give_is_no_comparison() {
    let repository = repository();
    git(repository.path(), &["config", "uploadpack.allowFilter", "true"]);
    let clones = folder([]);
    let origin = format!("file://{}", repository.path().display());
    for (name, filter, code) in
        [("whole", "--no-hardlinks", 1), ("part", "--filter=blob:none", 2), ("bare", "--filter=tree:0", 2)]
    {
        git(clones.path(), &["clone", "-q", filter, &origin, name]);
        let clone = clones.path().join(name);
        for arguments in
            [&["diff", "--from", "v1"][..], &["scan", "--against", "v1"], &["diff", "--from", "v1", "--to", "main"]]
        {
            let run = run(&clone, arguments);
            assert!(
                run.code == code || run.code == 0 && arguments[0] == "scan" && code == 1,
                "{name} {arguments:?}: {}",
                run.stdout
            );
            let said = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(code == 1 || said.contains("`v1`") && said.contains("git archive"), "{name} {arguments:?}: {said}");
        }
        // Git fetches what it is asked for, and then there is something to compare.
        git(&clone, &["archive", "--output=/dev/null", "v1"]);
        assert_eq!(run(&clone, &["diff", "--from", "v1"]).code, 1, "{name}");
    }
    git(clones.path(), &["clone", "-q", "--depth", "1", &origin, "shallow"]);
    let shallow = run(&clones.path().join("shallow"), &["diff", "--from", "v1"]);
    assert!(shallow.code == 2 && shallow.stderr.contains("--unshallow"), "{}", shallow.stderr);
}

fn contract(schema: &str) -> String {
    let body = format!("{{description: pong, content: {{application/json: {{schema: {schema}}}}}}}");
    format!(
        "openapi: 3.1.0\ninfo: {{title: Ping, version: '1'}}\npaths:\n  /ping:\n    get: {{responses: {{'200': {body}}}}}\n"
    )
}

#[test]
fn a_reference_that_leads_nowhere_leaves_versions_uncompared() {
    let (string, integer) = (contract("{type: string}"), contract("{type: integer}"));
    for reference in ["#/components/schemas/Gone", "gone.yaml#/Gone", "../outside.yaml#/Gone"] {
        let dangling = contract(&format!("{{$ref: '{reference}'}}"));
        let texts = [("s.yaml", &string), ("i.yaml", &integer), ("d.yaml", &dangling)];
        let folder = folder(texts.map(|(name, text)| (name, text.as_bytes())));
        write(folder.path(), "app.py", FIRST);
        let code = |arguments: &[&str]| {
            let run = run(folder.path(), arguments);
            (run.code, run.stdout.contains("not all was compared"))
        };
        for pair in [["d.yaml", "s.yaml"], ["s.yaml", "d.yaml"], ["d.yaml", "d.yaml"]] {
            assert_eq!(code(&[&["diff"], &pair[..]].concat()), (2, true), "{reference} {pair:?}");
        }
        assert_eq!(code(&["diff", "s.yaml", "i.yaml"]), (1, false));
        let against = scan(folder.path(), &["--contract", "s.yaml", "--against", "d.yaml"]);
        assert!(against.problems().iter().any(|it| it.ends_with("d.yaml")), "{reference}: {:?}", against.problems());
    }
}

#[test]
fn the_contract_is_no_earlier_version_of_itself() {
    let folder = folder([("app.py", FIRST.as_bytes()), ("openapi.yaml", contract("{type: integer}").as_bytes())]);
    let itself = scan(folder.path(), &["--against", "openapi.yaml"]);
    assert!(itself.findings().contains(&"CONTRACT-001 type app.py:13".to_owned()), "{:?}", itself.findings());
    assert_eq!((itself.contracts().len(), itself.problems()), (1, vec!["no-contract openapi.yaml".to_owned()]));
    // Beside the contract of now, it is an earlier version, whatever its title is.
    write(folder.path(), "released/openapi.yaml", contract("{type: string}").replace("title: Ping", "title: Old"));
    let released = scan(folder.path(), &["--against", "released/openapi.yaml"]);
    assert_eq!(released.contracts().len(), 1);
    assert!(released.findings().iter().any(|it| it.starts_with("CONTRACT-006")), "{:?}", released.findings());
    write(folder.path(), "treaty.toml", "against = 'openapi.yaml'\nexclude = ['released/']\n");
    assert_eq!(scan(folder.path(), &[]).contracts().len(), 1);
}

/// `kind path:line` of every finding.
fn findings(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let run = run(directory, &[arguments, &["--format", "json"]].concat());
    assert!(run.code == 0 || run.code == 1, "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).expect("a report");
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|it| format!("{} {}:{}", text(it, "kind"), text(it, "file_path"), it["line"])).collect()
}

const CHANGES: [&str; 2] =
    ["response-field-removed services/ping/app.py:5", "operation-removed services/ping/app.py:12"];

#[test]
fn the_work_tree_is_compared_with_a_revision() {
    let repository = repository();
    assert_eq!(findings(repository.path(), &["diff", "--from", "v1"]), CHANGES);
    // From within, and with a path, alike.
    assert_eq!(findings(&repository.path().join("services/ping"), &["diff", "--from", "v1"]), CHANGES);
    assert_eq!(findings(repository.path(), &["diff", "--from", "v1", "services"]), CHANGES);
    // What is not committed yet counts.
    write(repository.path(), "services/ping/app.py", FIRST);
    assert!(findings(repository.path(), &["diff", "--from", "v1"]).is_empty());
}

#[test]
fn two_revisions_are_compared_whatever_lies_in_the_work_tree() {
    let repository = repository();
    std::fs::remove_dir_all(repository.path().join("services")).expect("it is there");
    let named: Vec<String> = CHANGES.iter().map(|it| it.replace(" services", " HEAD:services")).collect();
    assert_eq!(findings(repository.path(), &["diff", "--from", "v1", "--to", "HEAD"]), named);
    assert_eq!(findings(repository.path(), &["diff", "--from", "v1", "--to", "HEAD", "services/ping"]), named);
    assert!(findings(repository.path(), &["diff", "--from", "v1", "--to", "v1"]).is_empty());
    let index = Command::new("git").args(["diff", "--cached", "--quiet"]).current_dir(repository.path()).status();
    assert!(index.expect("git runs").success(), "the index stays as it is");
}

#[test]
fn a_scan_against_a_revision_looks_at_contracts_and_code() {
    let repository = repository();
    let contract = CONTRACT.replace("/ping", "/pong");
    write(repository.path(), "services/ping/openapi.yaml", contract);
    let found = findings(repository.path(), &["scan", "--against", "v1", "--select", "CONTRACT-006"]);
    let added = ["operation-removed services/ping/openapi.yaml:3", "operation-added services/ping/openapi.yaml:5"];
    let expected: Vec<&str> = CHANGES.iter().chain(&added).copied().collect();
    assert_eq!(found, expected);
}

#[test]
fn what_is_no_revision_is_said() {
    let repository = repository();
    let said = |arguments: &[&str]| {
        let run = run(repository.path(), arguments);
        assert_eq!(run.code, 2, "{}", run.stdout);
        run.stderr.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "")
    };
    assert!(said(&["diff", "--from", "v9"]).contains("has no revision `v9`"));
    assert!(said(&["diff", "--from=--upload-pack=x"]).contains("no name of a revision"));
    assert!(said(&["scan", "--against", "v9"]).contains("`v9` is neither a file nor a revision"));
    assert!(said(&["diff", "app.py"]).contains("one is named"));
    let outside = folder([("app.py", FIRST.as_bytes())]);
    let run = run(outside.path(), &["diff", "--from", "v1"]);
    assert!(run.stderr.contains("no git") || run.stderr.contains("git repository"), "{}", run.stderr);
}

#[test]
fn two_folders_are_compared() {
    let folders = folder([("old/app.py", FIRST.as_bytes()), ("new/app.py", SECOND.as_bytes())]);
    let found = findings(folders.path(), &["diff", "old", "new"]);
    assert_eq!(found, ["response-field-removed new/app.py:5", "operation-removed new/app.py:12"]);
}

const CALLER: &str =
    "export async function load() {\n  const answer = await fetch(`/old`);\n  return answer.text();\n}\n";

#[test]
fn whose_requests_break_is_said() {
    let repository = repository();
    write(repository.path(), "web/package.json", "{\"name\": \"web\"}");
    write(repository.path(), "web/api.ts", CALLER);
    let related = |arguments: &[&str]| -> Vec<String> {
        let run = run(repository.path(), &[arguments, &["--format", "json"]].concat());
        let report: Value = serde_json::from_str(&run.stdout).expect("a report");
        let findings = report["findings"].as_array().expect("findings");
        let places = findings.iter().flat_map(|it| it["related"].as_array().cloned().unwrap_or_default());
        let breaking = places.filter(|it| it["text"].as_str().is_some_and(|text| text.starts_with("breaks")));
        breaking.map(|it| format!("{}:{} {}", it["file_path"], it["line"], it["text"])).collect()
    };
    assert_eq!(related(&["diff", "--from", "v1"]), ["\"web/api.ts\":2 \"breaks: `load` calls it\""]);
    // From another repository, by its facts.
    let facts = run(repository.path(), &["extract", "web", "--as", "facts", "-o", "web.facts.json"]);
    assert_eq!(facts.code, 0, "{}", facts.stderr);
    assert_eq!(
        related(&["diff", "--from", "v1", "services", "--facts", "web.facts.json"]),
        ["\"web:api.ts\":2 \"breaks: `load` calls it\""]
    );
    // What is scanned itself is not read from facts as well.
    let both = related(&["diff", "--from", "v1", "--facts", "web.facts.json"]);
    assert_eq!(both, ["\"web/api.ts\":2 \"breaks: `load` calls it\""]);
}

#[test]
fn facts_are_the_same_wherever_they_are_written() {
    let repository = repository();
    let facts = |directory: &Path, path: &[&str]| {
        let run = run(directory, &[&["extract", "--as", "facts"], path].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    let from_above = facts(repository.path(), &["services/ping"]);
    assert!(from_above.contains("\"files\":[\"app.py\"]"), "{from_above}");
    let inside = facts(&repository.path().join("services/ping"), &[]);
    assert_eq!(inside, from_above);
    let broken = folder([("facts.json", b"{}".as_slice()), ("app.py", FIRST.as_bytes())]);
    let scanned = run(broken.path(), &["scan", "--facts", "facts.json", "--strict"]);
    assert!(scanned.code == 1 && scanned.stdout.contains("invalid-facts: it holds no facts"), "{}", scanned.stdout);
    let absent = run(broken.path(), &["scan", "--facts", "nothing.json"]);
    assert!(absent.code == 2 && absent.stderr.contains("cannot read facts nothing.json"), "{}", absent.stderr);
}

#[test]
fn two_repositories_say_the_same_with_facts_as_in_one_scan() {
    let shop = "from aiokafka import AIOKafkaProducer\nfrom fastapi import FastAPI\nfrom pydantic import BaseModel\n\napp = FastAPI()\nproducer = AIOKafkaProducer()\n\n\nclass Order(BaseModel):\n    id: int\n    total: float\n\n\nclass NewOrder(BaseModel):\n    sku: str\n    quantity: int\n\n\n@app.post(\"/orders\", status_code=201)\nasync def place(order: NewOrder) -> Order:\n    placed = Order(id=1, total=9.5)\n    await producer.send(\"orders.placed\", placed.model_dump_json().encode())\n    return placed\n";
    let api = "import axios from \"axios\";\n\nexport async function order(sku: string) {\n  const { data } = await axios.post<{ id: number }>(\"/orders\", { sku });\n  return data.id;\n}\n\nexport async function cancel(id: number) {\n  await axios.delete(`/orders/${id}`);\n}\n";
    let worker = "import { Kafka } from \"kafkajs\";\n\nconst consumer = new Kafka({ brokers: [] }).consumer({ groupId: \"web\" });\n\nexport async function run() {\n  await consumer.subscribe({ topic: \"orders.placed\" });\n  await consumer.run({\n    eachMessage: async ({ message }) => {\n      const order = JSON.parse(message.value!.toString());\n      console.log(order.id, order.currency);\n    },\n  });\n}\n";
    let both = folder([
        ("shop/app.py", shop.as_bytes()),
        ("shop/requirements.txt", b"fastapi\naiokafka\n"),
        ("web/api.ts", api.as_bytes()),
        ("web/worker.ts", worker.as_bytes()),
        ("web/package.json", b"{\"name\": \"web\"}"),
        (".git/HEAD", b""),
    ]);
    for (name, file) in [("shop", "shop.facts"), ("web", "web.facts")] {
        let wrote = run(both.path(), &["extract", name, "--as", "facts", "-o", file]);
        assert_eq!(wrote.code, 0, "{}", wrote.stderr);
    }
    let together = scan(both.path(), &["shop", "web"]).findings();
    assert!(together.contains(&"CONTRACT-004 missing-field shop/app.py:9".to_owned()), "{together:?}");
    assert!(together.contains(&"XREF-003 missing-member web/api.ts:4".to_owned()), "{together:?}");
    assert!(together.contains(&"XREF-001 no-operation web/api.ts:9".to_owned()), "{together:?}");
    let (shop, web) = (
        scan(both.path(), &["shop", "--facts", "web.facts"]).findings(),
        scan(both.path(), &["web", "--facts", "shop.facts"]).findings(),
    );
    assert!(together.iter().all(|it| shop.contains(it) || web.contains(it)), "{together:?} {shop:?} {web:?}");
    // What a reader needs and nobody sends is told in the reader's repository as well.
    let more: Vec<_> = shop.iter().chain(&web).filter(|it| !together.contains(it)).collect();
    assert_eq!(more, ["CONTRACT-004 missing-field web/worker.ts:10"]);
}

#[test]
fn what_is_sent_and_declared_is_written_as_documents() {
    let sender = "from aiokafka import AIOKafkaProducer\nfrom pydantic import BaseModel\n\n\nclass Order(BaseModel):\n    id: int\n    parent: \"Order | None\" = None\n\n\nasync def announce(producer: AIOKafkaProducer, order: Order, tenant: str):\n    await producer.send(\"orders\", order.model_dump())\n    await producer.send(f\"orders.{tenant}.new\", {\"id\": 1})\n";
    let project = folder([("app.py", sender.as_bytes()), ("requirements.txt", b"aiokafka\n")]);
    let wrote = run(project.path(), &["extract", "--as", "asyncapi", "-o", "asyncapi.json"]);
    assert_eq!(wrote.code, 0, "{}", wrote.stderr);
    let valid = run(project.path(), &["contract", "validate", "asyncapi.json"]);
    assert_eq!(valid.code, 0, "{}", valid.stdout);
    let read = |name: &str| -> Value {
        let text = std::fs::read_to_string(project.path().join(name)).expect("it was written");
        serde_json::from_str(&text).expect("JSON")
    };
    let document = read("asyncapi.json");
    assert_eq!(document["channels"]["orders"]["address"], "orders");
    assert_eq!(document["operations"]["send.orders"]["action"], "send");
    assert_eq!(document["operations"]["send.orders"]["x-source"]["line"], 11);
    let wrote = run(project.path(), &["extract", "--as", "json-schema", "-o", "models.json"]);
    assert_eq!(wrote.code, 0, "{}", wrote.stderr);
    let models = read("models.json");
    assert!(jsonschema::meta::is_valid(&models), "{models}");
    let parent = &models["$defs"]["Order"]["properties"]["parent"];
    assert!(parent.to_string().contains("#/$defs/Order"), "{parent}");
}
