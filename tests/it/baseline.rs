//! Baselines: what is known does not count, what is new does, whatever is moved or renamed.

use std::path::Path;

use serde_json::Value;

use crate::folder::{ITEMS, Run, folder, run, scan, write};

const CONTRACT: &str = "openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /a:
    get:
      responses: {'200': {description: fine, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
components:
  schemas:
    A:
      type: object
      required: [id, name]
      properties:
        id: {type: integer}
        name: {type: string}
        price: {type: integer}
";

fn shop() -> tempfile::TempDir {
    let files: [(&str, &[u8]); 3] =
        [("openapi.yaml", CONTRACT.as_bytes()), ("app.py", ITEMS.as_bytes()), ("requirements.txt", b"fastapi\n")];
    let folder = folder(files);
    // The root of a repository, which names are relative to.
    std::fs::create_dir(folder.path().join(".git")).expect("a folder");
    folder
}

fn written(folder: &Path, arguments: &[&str]) -> Run {
    let run = run(folder, &[&["baseline", "write"], arguments].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    run
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("the file is there")
}

/// Messages of the findings that count, how many do not, and messages of problems.
fn told(folder: &Path) -> (Vec<String>, usize, Vec<String>) {
    let report = scan(folder, &["--baseline", "treaty-baseline.json"]).0;
    let messages = |key: &str| -> Vec<String> {
        let all = report[key].as_array().expect("a list");
        all.iter().map(|it| it["message"].as_str().expect("a message").to_owned()).collect()
    };
    let suppressed = report["suppressed"].as_array().map_or(&[][..], Vec::as_slice);
    assert!(suppressed.iter().all(|it| it["by"]["kind"] == "baseline" && it["by"]["line"].as_u64() > Some(1)));
    (messages("findings"), suppressed.len(), messages("problems"))
}

#[test]
fn what_is_written_down_does_not_count_and_what_is_new_does() {
    let folder = shop();
    let folder = folder.path();
    assert_eq!(run(folder, &["scan"]).code, 1);
    let said = written(folder, &[]);
    assert_eq!(said.stdout, "2 findings written to treaty-baseline.json\n");
    assert_eq!(told(folder), (vec![], 2, vec![]));
    let clean = run(folder, &["scan", "--baseline", "treaty-baseline.json", "--strict"]);
    assert!(clean.code == 0 && clean.stdout.contains("clean: no findings, 2 suppressed"), "{}", clean.stdout);
    // Lines move.
    write(folder, "app.py", format!("# one\n\n# two\n{ITEMS}"));
    assert_eq!(told(folder).1, 2);
    // Something new.
    write(folder, "app.py", ITEMS.replace("    name: str\n", "    name: str\n    price: str\n"));
    let (findings, suppressed, problems) = told(folder);
    assert_eq!((findings.len(), suppressed, problems.len()), (1, 1, 1), "{findings:?} {problems:?}");
    assert!(findings[0].contains("`price`") && problems[0].contains("`price`"), "{findings:?} {problems:?}");
    assert_eq!(run(folder, &["scan", "--baseline", "treaty-baseline.json"]).code, 1);
}

#[test]
fn what_is_mended_is_told_and_written_anew() {
    let folder = shop();
    let folder = folder.path();
    written(folder, &[]);
    write(folder, "app.py", ITEMS.replace("id: str", "id: int"));
    let (findings, suppressed, problems) = told(folder);
    assert_eq!((findings.len(), suppressed), (0, 1));
    assert!(problems.len() == 1 && problems[0].starts_with("no longer found in app.py: CONTRACT-001 "), "{problems:?}");
    assert_eq!(run(folder, &["scan", "--baseline", "treaty-baseline.json"]).code, 0);
    assert_eq!(run(folder, &["scan", "--baseline", "treaty-baseline.json", "--strict"]).code, 1);
    // A rule that is not run finds nothing, and says nothing by that.
    let other = scan(folder, &["--baseline", "treaty-baseline.json", "--ignore", "CONTRACT-001"]);
    assert_eq!(other.problems(), [""; 0]);
    assert_eq!(written(folder, &[]).stdout, "1 finding written to treaty-baseline.json\n");
    assert_eq!(told(folder), (vec![], 1, vec![]));
}

#[test]
fn renamed_files_are_known_and_copies_are_new() {
    let folder = shop();
    let folder = folder.path();
    written(folder, &[]);
    std::fs::create_dir(folder.join("shop")).expect("a folder");
    std::fs::rename(folder.join("app.py"), folder.join("shop/main.py")).expect("renamed");
    std::fs::rename(folder.join("openapi.yaml"), folder.join("api.yaml")).expect("renamed");
    assert_eq!(told(folder), (vec![], 2, vec![]));
    // The same in a second service, while the first one is still there.
    let folder = shop();
    let folder = folder.path();
    written(folder, &[]);
    for (name, text) in [("app.py", ITEMS), ("openapi.yaml", CONTRACT), ("requirements.txt", "fastapi\n")] {
        write(folder, &format!("second/{name}"), text);
        write(folder, &format!("first/{name}"), text);
        std::fs::remove_file(folder.join(name)).expect("removed");
    }
    written(folder, &["first"]);
    let (findings, suppressed, _) = told(folder);
    assert_eq!((findings.len(), suppressed), (2, 2));
}

#[test]
fn it_is_the_same_from_any_folder_and_for_any_order() {
    let folder = shop();
    let root = folder.path();
    std::fs::create_dir(root.join("docs")).expect("a folder");
    written(root, &[]);
    let first = text(root, "treaty-baseline.json");
    written(&root.join("docs"), &["..", "-o", "other.json"]);
    assert_eq!(text(root, "docs/other.json"), first);
    let below = run(&root.join("docs"), &["scan", "..", "--baseline", "../treaty-baseline.json"]);
    assert_eq!(below.code, 0, "{}", below.stdout);
}

#[test]
fn a_part_of_what_was_scanned_says_nothing_about_the_rest() {
    let folder = shop();
    let folder = folder.path();
    written(folder, &[]);
    write(folder, "other/app.py", ITEMS.replace("name: str", "name: int").replace("/a", "/b"));
    write(folder, "other/requirements.txt", "fastapi\n");
    write(folder, "other/openapi.yaml", CONTRACT.replace("/a:", "/b:"));
    let part = scan(folder, &["other", "--baseline", "treaty-baseline.json"]);
    assert_eq!(part.problems(), [""; 0]);
    assert!(
        part.findings().len() >= 2,
        "what is new there counts, though it is called the same: {:?}",
        part.findings()
    );
    // The same scope is compared, whatever it is.
    written(folder, &["--contract", "openapi.yaml", "app.py"]);
    write(folder, "app.py", ITEMS.replace("id: str", "id: int"));
    let same = scan(folder, &["--contract", "openapi.yaml", "app.py", "--baseline", "treaty-baseline.json"]);
    assert_eq!(same.problems(), ["outdated-baseline treaty-baseline.json"]);
}

#[test]
fn what_is_suppressed_in_the_source_is_not_written_down() {
    let folder = shop();
    let folder = folder.path();
    written(folder, &[]);
    write(folder, "app.py", ITEMS.replace("    id: str", "    id: str  # treaty: ignore[CONTRACT-001]"));
    let report = scan(folder, &["--baseline", "treaty-baseline.json"]);
    let kinds: Vec<&Value> =
        report.0["suppressed"].as_array().expect("a list").iter().map(|it| &it["by"]["kind"]).collect();
    assert_eq!((kinds.len(), report.problems()), (2, vec![]), "known twice is no problem: {kinds:?}");
    assert_eq!(written(folder, &[]).stdout, "1 finding written to treaty-baseline.json\n");
}

#[test]
fn sarif_says_that_it_is_known_elsewhere() {
    let folder = shop();
    let folder = folder.path();
    written(folder, &[]);
    let log = run(folder, &["scan", "--baseline", "treaty-baseline.json", "--format", "sarif"]);
    let log: Value = serde_json::from_str(&log.stdout).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    for result in results {
        assert_eq!(result["suppressions"], serde_json::json!([{ "kind": "external", "status": "accepted" }]));
    }
}

#[test]
fn what_is_no_baseline_is_said_with_its_place() {
    let folder = shop();
    let folder = folder.path();
    let entry = "{\"treaty-baseline\": 1,\n \"findings\": [\n  {\"rule\": \"A-1\"}\n ]}";
    for (name, text, place, reason) in [
        ("broken.json", "{\"treaty-baseline\": 1,\n \"findings\": [", "broken.json:2:", "broken.json"),
        ("report.json", "\n{\"treaty\": \"0.1.0\"}", "report.json:2:1", "it has no `treaty-baseline`"),
        ("later.json", "{\"treaty-baseline\": 7}", "later.json:1:21", "its version is `7`, and this program reads 1"),
        ("entry.json", entry, "entry.json:3:3", "an entry has no `path`"),
        (
            "list.json",
            "{\"treaty-baseline\": 1, \"scanned\": 1}",
            "list.json:1:35",
            "`scanned` must be a list of texts",
        ),
        ("none.json", "{\"treaty-baseline\": 1}", "none.json:1:1", "it has no list of `findings`"),
        ("yaml.json", "treaty-baseline: 1\nfindings: []\n", "yaml.json:1:1", "is no baseline"),
        ("empty.json", "", "empty.json", "is no baseline"),
    ] {
        write(folder, name, text);
        let scan = run(folder, &["scan", "--baseline", name]);
        assert_eq!((scan.code, scan.stdout.as_str()), (2, ""), "{name}: {}", scan.stderr);
        for part in [place, reason, "treaty baseline write"] {
            assert!(scan.stderr.contains(part), "{name} without {part}: {}", scan.stderr);
        }
        let write = run(folder, &["baseline", "write", "-o", name]);
        assert_eq!((write.code, self::text(folder, name)), (2, text.to_owned()), "{name} is written over");
    }
    let deep = format!("{{\"treaty-baseline\": 1, \"x\": {}{}}}", "[".repeat(9_000), "]".repeat(9_000));
    write(folder, "deep.json", deep);
    std::fs::write(folder.join("bytes.json"), b"\xff\xfe\x00").expect("a file");
    std::fs::write(folder.join("escape.json"), b"{\"\x1b[31m ##[error]x\": }").expect("a file");
    for name in ["nowhere.json", ".git", "bytes.json", "deep.json", "escape.json"] {
        let scan = run(folder, &["scan", "--baseline", name]);
        assert_eq!((scan.code, scan.stdout.as_str()), (2, ""), "{name}: {}", scan.stderr);
        assert!(scan.stderr.contains(name) && scan.stderr.contains("treaty baseline write"), "{}", scan.stderr);
        assert!(!scan.stderr.contains(['\u{1b}', '\u{fffd}']) && !scan.stderr.contains("##["), "{}", scan.stderr);
    }
}
