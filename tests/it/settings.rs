//! `treaty.toml`: what holds for a part of a project, which version reads it, and what editors know of it.

use serde_json::Value;

use crate::folder::{APP, ITEMS, PING, folder, run, scan, write};

const CONTRACT: &str = "openapi: 3.1.0
info: {title: Items, version: '1'}
paths:
  /a:
    get:
      responses:
        '200':
          description: an item
          content:
            application/json:
              schema: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
";

/// Two services with the same mistake.
fn monorepo() -> tempfile::TempDir {
    let folder = folder([]);
    for service in ["old", "new"] {
        for (file, text) in [("app.py", ITEMS), ("openapi.yaml", CONTRACT), ("requirements.txt", "fastapi\n")] {
            write(folder.path(), &format!("services/{service}/{file}"), text);
        }
    }
    write(folder.path(), ".git/HEAD", "");
    folder
}

/// `code severity path` of each finding.
fn found(folder: &std::path::Path, arguments: &[&str]) -> Vec<String> {
    let scan = scan(folder, arguments);
    let plain = |it: &Value, key: &str| it[key].as_str().unwrap_or("").to_owned();
    let findings = scan.0["findings"].as_array().expect("findings");
    findings
        .iter()
        .map(|it| format!("{} {} {}", plain(it, "check"), plain(it, "severity"), plain(it, "file_path")))
        .collect()
}

#[test]
fn what_is_set_for_some_paths_holds_there_alone() {
    let folder = monorepo();
    let at = |service: &str, severity: &str| format!("CONTRACT-001 {severity} services/{service}/app.py");
    assert_eq!(found(folder.path(), &[]), [at("new", "error"), at("old", "error")]);
    for (settings, expected) in [
        ("[[override]]\npaths = [\"services/old/**\"]\nignore = [\"CONTRACT-001\"]\n", vec![at("new", "error")]),
        (
            "[[override]]\npaths = [\"old\"]\nseverity = {CONTRACT-001 = \"info\"}\n",
            vec![at("new", "error"), at("old", "info")],
        ),
        ("[[override]]\npaths = [\"old\"]\nseverity = {contract-001 = \"off\"}\n", vec![at("new", "error")]),
        (
            "ignore = [\"CONTRACT\"]\n[[override]]\npaths = [\"new\"]\nextend-select = [\"CONTRACT-001\"]\n",
            vec![at("new", "error")],
        ),
        ("[[override]]\npaths = [\"services\"]\nselect = [\"DB\"]\n", vec![]),
        // Later ones decide.
        (
            "[severity]\nCONTRACT-001 = \"warning\"\n[[override]]\npaths = [\"*.py\"]\nignore = [\"CONTRACT\"]\n[[override]]\npaths = [\"new\"]\nextend-select = [\"CONTRACT\"]\n",
            vec![at("new", "warning")],
        ),
    ] {
        write(folder.path(), "treaty.toml", settings);
        assert_eq!(found(folder.path(), &[]), expected, "{settings}");
    }
    // From anywhere: what is set for a path is a path from the settings.
    write(folder.path(), "treaty.toml", "[[override]]\npaths = [\"/services/old/\"]\nignore = [\"CONTRACT-001\"]\n");
    assert_eq!(found(&folder.path().join("services"), &["."]), [at("new", "error")]);
    assert_eq!(found(&folder.path().join("services/old"), &[]), [""; 0]);
    // What the command line selects runs, and nothing besides; what is ignored anywhere stays so.
    write(folder.path(), "treaty.toml", "[[override]]\npaths = [\"old\"]\nextend-select = [\"CONTRACT-001\"]\n");
    assert_eq!(found(folder.path(), &["--select", "DB"]), [""; 0]);
    assert_eq!(found(folder.path(), &["--ignore", "CONTRACT-001"]), [""; 0]);
}

#[test]
fn settings_of_a_folder_hold_for_what_is_in_it() {
    let folder = monorepo();
    write(folder.path(), "treaty.toml", "[severity]\nCONTRACT-001 = \"warning\"\n");
    write(folder.path(), "services/old/treaty.toml", "ignore = [\"CONTRACT-001\"]\n");
    let at = |service: &str, severity: &str| format!("CONTRACT-001 {severity} services/{service}/app.py");
    assert_eq!(found(folder.path(), &[]), [at("new", "warning")]);
    write(folder.path(), "services/treaty.toml", "[severity]\nCONTRACT-001 = \"error\"\n");
    write(folder.path(), "services/old/treaty.toml", "[severity]\nCONTRACT-001 = \"info\"\n");
    assert_eq!(found(folder.path(), &[]), [at("new", "error"), at("old", "info")], "the nearest decides");
    // A file that is meant for scans of its folder is no mistake, and what it says of rules holds.
    let whole = "fail-on = \"never\"\nignore = [\"CONTRACT-001\"]\n[[service]]\nname = \"old\"\n";
    write(folder.path(), "services/old/treaty.toml", whole);
    let verbose = run(folder.path(), &["scan", "--verbose"]);
    assert!(verbose.stdout.contains("services/new/app.py") && !verbose.stdout.contains("services/old/app.py"));
    let said = "services/old/treaty.toml for its folder; only where a scan begins there: fail-on, service";
    assert!(verbose.stderr.contains(said), "{}", verbose.stderr);
    // Settings that are named are all there are.
    assert_eq!(found(folder.path(), &["--config", "treaty.toml"]), [at("new", "warning"), at("old", "warning")]);
    // Mistakes are told with their file.
    for (wrong, said) in [("ignoer = []\n", "unknown key `ignoer`"), ("ignore = [\"CONTRACT-999\"]\n", "CONTRACT-999")]
    {
        write(folder.path(), "services/old/treaty.toml", wrong);
        let refused = run(folder.path(), &["scan"]);
        assert!(refused.code == 2 && refused.stderr.contains(said), "{}", refused.stderr);
    }
}

#[test]
fn another_version_than_the_required_one_is_an_error() {
    let folder = folder([("app.py", APP.as_bytes()), ("openapi.yaml", PING.as_bytes())]);
    let own = env!("CARGO_PKG_VERSION");
    write(folder.path(), "treaty.toml", format!("required-version = \"={own}\"\n"));
    assert_eq!(run(folder.path(), &["scan"]).code, 0);
    // A newer file may have keys that nobody knows here: the version is what is wrong.
    write(folder.path(), "treaty.toml", "required-version = \">=77\"\nlater = 1\n");
    for command in ["scan", "extract", "init"] {
        let refused = run(folder.path(), &[command]);
        assert_eq!(refused.code, 2, "{}", refused.stdout);
        for told in [&format!("this is treaty {own}") as &str, "`>=77`", "treaty.toml:1", "install a version that fits"]
        {
            assert!(refused.stderr.contains(told), "{command}: no {told}: {}", refused.stderr);
        }
    }
}

#[test]
fn the_schema_is_printed_and_written() {
    let folder = folder([]);
    let printed = run(folder.path(), &["config", "schema"]);
    let schema: Value = serde_json::from_str(&printed.stdout).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    assert_eq!(schema["properties"]["fail-on"]["enum"][1], "warning");
    assert_eq!(run(folder.path(), &["config", "schema", "-o", "schema.json"]).code, 0);
    let written = std::fs::read_to_string(folder.path().join("schema.json")).expect("a file");
    assert_eq!(written, printed.stdout);
}

#[test]
fn what_was_read_and_left_out_is_said_aloud() {
    let folder = monorepo();
    let root = folder.path();
    write(root, "treaty.toml", "exclude = [\"legacy/\"]\n");
    write(root, ".gitignore", "scratch.py\nignored/\n");
    for path in ["legacy/a.py", "scratch.py", "ignored/b.py", "node_modules/x/index.js", "dist/c.js", "tests/test_d.py"]
    {
        write(root, path, "");
    }
    write(root, "services/new/made.py", "# @generated by a tool\n");
    write(root, "large.py", "x = 1\n".repeat(400_000));
    let quiet = run(root, &["scan"]);
    let aloud = run(root, &["scan", "-v"]);
    assert_eq!((aloud.code, &quiet.stderr[..]), (quiet.code, ""));
    insta::assert_snapshot!(aloud.stderr);
    assert_eq!(run(root, &["scan", "-v", "-q"]).code, 2);
}

#[test]
fn each_service_has_a_category_of_its_own() {
    let folder = monorepo();
    let sarif = |arguments: &[&str]| {
        let run = run(folder.path(), &[&["scan", "--format", "sarif"], arguments].concat());
        serde_json::from_str::<Value>(&run.stdout).expect("JSON")
    };
    let whole = sarif(&[]);
    let runs = whole["runs"].as_array().expect("runs");
    assert!(runs.len() == 1 && runs[0]["automationDetails"].is_null(), "{whole}");
    write(folder.path(), "services/idle/main.py", "x = 1\n");
    write(folder.path(), "services/idle/requirements.txt", "fastapi\n");
    write(folder.path(), "contracts/other.yaml", PING);
    let apart = sarif(&["--sarif-per-service"]);
    let told: Vec<(String, usize, usize)> = apart["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| {
            let id = run["automationDetails"]["id"].as_str().expect("a category").to_owned();
            let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().map_or(0, Vec::len);
            (id, run["results"].as_array().expect("results").len(), notes)
        })
        .collect();
    // One that has nothing says so: what it had before is mended.
    let expected = [("treaty/idle/", 0, 0), ("treaty/new/", 1, 0), ("treaty/old/", 1, 0), ("treaty/", 0, 1)];
    assert_eq!(told, expected.map(|(id, results, notes)| (id.to_owned(), results, notes)));
    let schema = apart["$schema"].as_str().expect("the schema that it names");
    assert!(schema.ends_with("sarif-2.1.0.json"));
}
