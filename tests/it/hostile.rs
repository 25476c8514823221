//! Bad input of every kind ends in a problem or an error that names the file: never in a panic, a hang or silence, and
//! what is readable beside it is still checked.

use std::fmt::Write as _;
use std::fs;

use crate::folder::{APP, PING, folder, run, scan, service, write};

const OK: &str = "openapi.yaml -> this folder 1/1/1";

/// The service beside the bad input is still verified.
fn healthy(scan: &crate::folder::Scan) {
    let found = scan.contracts();
    assert!(found.iter().any(|it| it.starts_with("openapi.yaml -> ") && it.ends_with("1/1/1")), "{found:?}");
}

/// A machine that gives little room for the stacks of threads: on one of them all is done, without one it is said.
#[cfg(target_os = "linux")]
#[test]
fn a_machine_that_refuses_threads_is_no_panic() {
    let folder = tempfile::tempdir().expect("a folder is made");
    std::fs::write(folder.path().join("app.py"), "import flask\n").expect("a file is written");
    let scan = |kilobytes: u32| {
        let program = env!("CARGO_BIN_EXE_treaty");
        let line = format!("ulimit -v {kilobytes}; exec {program} scan .");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &line]).current_dir(folder.path()).output().expect("a shell starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).contains("this machine starts no threads"))
    };
    assert_eq!(scan(900_000), (Some(0), false));
    assert_eq!(scan(400_000), (Some(2), true));
}

#[test]
fn what_is_not_utf_8_is_named() {
    let folder = service();
    write(folder.path(), "latin.py", b"x = '\xe9'\n");
    write(folder.path(), "latin.yaml", b"openapi: 3.0.0\ninfo: {title: \xe9}\n");
    write(folder.path(), "wide.yaml", PING.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>());
    write(
        folder.path(),
        "mark.yaml",
        [b"\xff\xfe".to_vec(), PING.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat(),
    );
    write(folder.path(), "no-contract.yaml", b"name: \xe9\n");
    write(folder.path(), "film.py", b"G\x40\0\x10\xb0\xff");
    let scan = scan(folder.path(), &[]);
    let problems = scan.problems();
    for name in ["latin.py", "latin.yaml", "film.py"] {
        assert!(problems.contains(&format!("invalid-encoding {name}")), "{name}: {problems:?}");
    }
    assert!(!problems.iter().any(|it| it.contains("no-contract") || it.contains("mark.yaml")), "{problems:?}");
    let contracts = scan.contracts();
    assert!(
        contracts.iter().any(|it| it.starts_with("mark.yaml")),
        "a byte-order mark names an encoding: {contracts:?}"
    );
    healthy(&scan);
}

#[test]
fn a_byte_that_is_no_text_costs_no_route() {
    let app = APP.replace("\n\n\n@app", "\n# caf\u{e9}\n@app");
    let latin: Vec<u8> = app.chars().map(|c| c as u8).collect();
    let folder = folder([("openapi.yaml", PING.as_bytes()), ("app.py", &latin)]);
    let mended = scan(folder.path(), &[]);
    assert_eq!(
        (mended.problems(), mended.contracts()),
        (vec!["invalid-encoding app.py".to_owned()], vec![OK.to_owned()])
    );
    assert_eq!(run(folder.path(), &["scan", "--strict"]).code, 1);
    let why = run(folder.path(), &["why", "GET /ping"]);
    assert!(why.code == 0 && why.stdout.contains("app.py:6"), "{}", why.stdout);
    write(folder.path(), "app.py", [b"# -*- coding: latin-1 -*-\n".to_vec(), latin].concat());
    let declared = scan(folder.path(), &[]);
    assert_eq!((declared.problems(), declared.contracts()), (vec![], vec![OK.to_owned()]));
}

#[test]
fn files_of_fifty_megabytes_are_named_and_not_read() {
    let folder = service();
    let large = |line: &str| line.repeat((50 << 20) / line.len());
    write(folder.path(), "large.py", large("x = 1\n"));
    write(folder.path(), "large.yaml", format!("openapi: 3.1.0\n{}", large("# nothing\n")));
    write(folder.path(), "data.json", format!("[{}1]", large("1,")));
    let scan = scan(folder.path(), &[]);
    assert_eq!(scan.problems(), ["too-large large.py", "too-large large.yaml"]);
    healthy(&scan);
    let named = run(folder.path(), &["scan", "--contract", "large.yaml"]);
    assert!(named.stdout.contains("large.yaml") && named.stdout.contains("too-large"), "{}", named.stdout);
    let validated = run(folder.path(), &["contract", "validate", "large.yaml"]);
    assert!(format!("{}{}", validated.stdout, validated.stderr).contains("large.yaml"), "{}", validated.stdout);
}

#[test]
fn ten_thousand_nested_brackets_are_told() {
    let brackets = |open: &str, close: &str| format!("{}{}", open.repeat(10_000), close.repeat(10_000));
    let folder = service();
    write(folder.path(), "deep.py", format!("x = {}\n", brackets("[", "]")));
    write(folder.path(), "deep.json", format!("{{\"openapi\": \"3.1.0\", \"x\": {}}}", brackets("[", "]")));
    write(folder.path(), "open.json", format!("{{\"openapi\": \"3.1.0\", \"x\": {}", "{\"a\":".repeat(10_000)));
    write(folder.path(), "deep.yaml", format!("openapi: 3.1.0\nx: {}\n", brackets("[", "]")));
    write(folder.path(), "dashes.yaml", format!("openapi: 3.1.0\nx:\n  {}a\n", "- ".repeat(10_000)));
    let scan = scan(folder.path(), &[]);
    let problems = scan.problems();
    for name in ["deep.py", "deep.json", "open.json", "deep.yaml", "dashes.yaml"] {
        assert!(problems.contains(&format!("too-deep {name}")), "{name}: {problems:?}");
    }
    healthy(&scan);
}

#[test]
fn text_that_is_no_source_is_given_up_soon() {
    let folder = service();
    let texts =
        ["def ((( : [ } @@ $ ? class if else \u{1} \" ' \n", "\\\n", "a\\\n", "(a,", "\"\"\"x", "a.b.c.d ", "f'{", "@"];
    for (at, text) in texts.iter().enumerate() {
        write(folder.path(), &format!("noise{at}.py"), text.repeat(300_000 / text.len()));
    }
    let scan = scan(folder.path(), &[]);
    let problems = scan.problems();
    for (at, text) in texts.iter().enumerate() {
        assert!(problems.contains(&format!("syntax-error noise{at}.py")), "{text:?}: {problems:?}");
    }
    healthy(&scan);
}

#[cfg(unix)]
#[test]
fn links_and_directories_in_place_of_files_are_told() {
    use std::os::unix::fs::symlink;
    let outside = folder([("other.py", APP.as_bytes()), ("other.yaml", PING.as_bytes())]);
    let folder = service();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("folder.py")).expect("a folder");
    symlink(".", at("round")).expect("a link");
    symlink("itself.py", at("itself.py")).expect("a link");
    symlink("nowhere.yaml", at("broken.yaml")).expect("a link");
    symlink("app.py", at("again.py")).expect("a link");
    symlink(outside.path().join("other.py"), at("out.py")).expect("a link");
    symlink(outside.path(), at("out")).expect("a link");
    let scan = scan(folder.path(), &[]);
    let expected = ["broken.yaml", "itself.py", "out", "out.py"].map(|name| format!("unreadable {name}"));
    assert_eq!(scan.problems(), expected);
    assert_eq!(scan.contracts(), [OK]);
}

#[test]
fn what_cannot_be_opened_is_told() {
    let folder = service();
    for (arguments, name) in [
        (&["scan", "missing.py"][..], "missing.py"),
        (&["scan", "--contract", "missing.yaml"], "missing.yaml"),
        (&["scan", "--contract", "."], "."),
        (&["contract", "validate", "missing.yaml"], "missing.yaml"),
        (&["contract", "validate", "."], "."),
    ] {
        let run = run(folder.path(), arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.contains(name), "{arguments:?}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_told() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = service();
    for name in ["secret.py", "secret.yaml"] {
        write(folder.path(), name, "x: 1\n");
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(0o000)).expect("permissions");
    }
    if fs::read(folder.path().join("secret.py")).is_ok() {
        // The superuser reads everything: nothing to see.
        return;
    }
    let scan = scan(folder.path(), &[]);
    assert_eq!(scan.problems(), ["unreadable secret.py", "unreadable secret.yaml"]);
    healthy(&scan);
}

fn with_reference(reference: &str) -> String {
    PING.replace("{type: string}", &format!("{{$ref: \"{reference}\"}}"))
}

#[cfg(unix)]
#[test]
fn references_never_leave_the_scanned_path() {
    let folder = folder([("service/app.py", APP.as_bytes()), ("secret.yaml", b"type: integer\n"), (".git/HEAD", b"")]);
    std::os::unix::fs::symlink("../secret.yaml", folder.path().join("service/link.yaml")).expect("a link");
    std::os::unix::fs::symlink("/etc", folder.path().join("service/etc")).expect("a link");
    for reference in [
        "../secret.yaml",
        "../../../../../../../../../../etc/passwd",
        "/etc/passwd",
        "..\\\\secret.yaml",
        "%2e%2e/secret.yaml",
        "%2E%2E%2Fsecret.yaml",
        "x/../../secret.yaml",
        "link.yaml",
        "etc/passwd",
        "C:\\\\secret.yaml",
    ] {
        write(folder.path(), "service/openapi.yaml", with_reference(reference));
        for arguments in [&["service"][..], &["service", "--contract", "service/openapi.yaml"]] {
            let scan = scan(folder.path(), arguments);
            let problems: Vec<String> = scan.problems().into_iter().filter(|it| it.starts_with("reference")).collect();
            assert_eq!(problems, ["reference-outside-root service/openapi.yaml"], "{reference}");
            assert_eq!(scan.findings(), [""; 0], "{reference}");
            assert_eq!(scan.contracts(), ["service/openapi.yaml -> service 1/1/0"], "{reference}");
        }
    }
    write(folder.path(), "service/openapi.yaml", with_reference("../secret.yaml"));
    let whole = scan(folder.path(), &[]);
    assert_eq!(whole.findings(), ["CONTRACT-001 type service/app.py:6"], "the whole folder is the root now");
}

#[test]
fn references_to_hosts_are_never_followed() {
    for reference in
        ["https://example.com/x.yaml#/A", "//example.com/x.yaml", "file:///etc/passwd", "HTTP://example.com/x"]
    {
        let folder = service();
        write(folder.path(), "openapi.yaml", with_reference(reference));
        let scan = scan(folder.path(), &[]);
        assert_eq!(scan.problems(), ["reference-not-followed openapi.yaml"], "{reference}");
        assert_eq!(scan.contracts(), ["openapi.yaml -> this folder 1/1/0"], "{reference}");
    }
}

#[test]
fn references_in_circles_and_to_nothing_are_findings_at_their_line() {
    let own = "#/paths/~1ping/get/responses/200/content/application~1json/schema";
    for (reference, finding) in [
        ("a.yaml", "CONTRACT-007 invalid-value b.yaml:1"),
        ("self.yaml", "CONTRACT-007 invalid-value self.yaml:1"),
        (own, "CONTRACT-007 invalid-value openapi.yaml:11"),
        ("nowhere.yaml", "CONTRACT-007 unresolved-reference openapi.yaml:11"),
        ("self.yaml#/x/y", "CONTRACT-007 unresolved-reference openapi.yaml:11"),
    ] {
        let folder = service();
        write(folder.path(), "openapi.yaml", with_reference(reference));
        write(folder.path(), "a.yaml", "$ref: b.yaml\n");
        write(folder.path(), "b.yaml", "$ref: a.yaml\n");
        write(folder.path(), "self.yaml", "allOf: [{$ref: self.yaml}]\n");
        let scan = scan(folder.path(), &[]);
        assert_eq!(scan.findings(), [finding], "{reference}");
    }
}

#[test]
fn an_alias_bomb_does_not_go_off() {
    let folder = folder([("app.py", APP.as_bytes())]);
    let mut bomb =
        "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {}\na0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for at in 1..12 {
        let aliases = vec![format!("*a{}", at - 1); 9].join(", ");
        let _ = writeln!(bomb, "a{at}: &a{at} [{aliases}]");
    }
    write(folder.path(), "openapi.yaml", bomb);
    assert_eq!(scan(folder.path(), &[]).problems(), ["too-large openapi.yaml"]);
    write(folder.path(), "openapi.yaml", "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: &p\n  /x: *p\n");
    assert_eq!(scan(folder.path(), &[]).findings(), ["CONTRACT-007 syntax openapi.yaml:4"]);
}

#[test]
fn a_named_contract_that_is_none_is_a_finding() {
    for text in [
        "",
        "   \n\n",
        "[1, 2]",
        "hello",
        "null",
        "openapi: [3]\npaths: 5\n",
        "---\n...\n",
        "openapi: 4.0.0\npaths: {}\n",
    ] {
        let folder = folder([("app.py", APP.as_bytes()), ("api.yaml", text.as_bytes())]);
        let scan = scan(folder.path(), &["--contract", "api.yaml"]);
        let findings = scan.findings();
        assert!(
            findings.len() == 1 && findings[0].starts_with("CONTRACT-007 not-a-contract api.yaml"),
            "{text:?}: {findings:?}"
        );
        assert_eq!(run(folder.path(), &["contract", "validate", "api.yaml"]).code, 1, "{text:?}");
    }
}

#[test]
fn nothing_to_check_is_said() {
    let empty = folder([]);
    assert_eq!(scan(empty.path(), &[]).problems(), ["no-contract .", "no-sources ."]);
    let contract = folder([("openapi.yaml", PING.as_bytes())]);
    assert_eq!(scan(contract.path(), &[]).problems(), ["no-sources .", "unused-contract openapi.yaml"]);
    let code = folder([("app.py", APP.as_bytes())]);
    assert_eq!(scan(code.path(), &[]).problems(), ["no-contract ."]);
    assert_eq!(scan(code.path(), &["app.py"]).problems(), ["no-contract ."]);
}

#[test]
fn one_file_several_paths_and_contracts_from_elsewhere_are_scanned() {
    let other = |text: &str| text.replace("ping", "pong");
    let (app, contract) = (other(APP), other(PING));
    let folder = folder([
        ("a/app.py", APP.as_bytes()),
        ("a/openapi.yaml", PING.as_bytes()),
        ("b/app.py", app.as_bytes()),
        ("b/openapi.yaml", contract.as_bytes()),
        (".git/HEAD", b""),
    ]);
    let contracts = |arguments: &[&str]| scan(folder.path(), arguments).contracts();
    let (a, b) = ("a/openapi.yaml -> a 1/1/1".to_owned(), "b/openapi.yaml -> b 1/1/1".to_owned());
    assert_eq!(contracts(&["a", "b"]), [a.clone(), b.clone()]);
    assert_eq!(contracts(&["b", "a", "./a"]), [a.clone(), b]);
    assert_eq!(contracts(&["a/app.py", "--contract", "a/openapi.yaml"]), std::slice::from_ref(&a));
    assert_eq!(contracts(&["a", "--contract", "a/openapi.yaml", "--contract", "./a/openapi.yaml"]), [a]);
    let crossed = scan(folder.path(), &["a", "--contract", "b/openapi.yaml"]);
    assert_eq!(crossed.problems(), ["unused-contract b/openapi.yaml"], "a named contract is held to");
    assert_eq!(run(folder.path(), &["scan", "a", "--contract", "b/openapi.yaml"]).code, 1);
}

#[test]
fn services_with_modules_of_the_same_name_stay_apart() {
    let mut files: Vec<(String, String)> = Vec::new();
    for name in ["red", "blue"] {
        let app = format!(
            "from fastapi import FastAPI\nfrom app.models import Model\n\napp = FastAPI()\n\n\n@app.get('/{name}')\ndef read() -> Model: ...\n"
        );
        let schema = format!("{{type: object, required: [{name}], properties: {{{name}: {{type: integer}}}}}}");
        files.push((format!("{name}/app/main.py"), app));
        files.push((format!("{name}/app/__init__.py"), String::new()));
        files.push((
            format!("{name}/app/models.py"),
            format!("from pydantic import BaseModel\n\n\nclass Model(BaseModel):\n    {name}: int\n"),
        ));
        files.push((format!("{name}/pyproject.toml"), String::new()));
        files.push((format!("{name}/openapi.yaml"), PING.replace("ping", name).replace("{type: string}", &schema)));
    }
    let folder = folder(files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())));
    write(folder.path(), "examples/openapi.yaml", PING);
    write(folder.path(), "red/tests/openapi.yaml", PING);
    let beside = scan(folder.path(), &[]);
    assert_eq!(beside.contracts(), ["blue/openapi.yaml -> blue 1/1/1", "red/openapi.yaml -> red 1/1/1"]);
    assert_eq!((beside.findings().len(), beside.problems().len()), (0, 0), "{:?}", beside.problems());
    // The same with one folder for all contracts, and one in it that is nobody's.
    for name in ["red", "blue"] {
        let to = folder.path().join(format!("contracts/{name}.yaml"));
        fs::create_dir_all(folder.path().join("contracts")).expect("a folder");
        fs::rename(folder.path().join(format!("{name}/openapi.yaml")), to).expect("a file can be moved");
    }
    write(folder.path(), "contracts/other.yaml", PING);
    let central = scan(folder.path(), &[]);
    let found = central.contracts();
    for name in ["red", "blue"] {
        assert!(found.contains(&format!("contracts/{name}.yaml -> {name} 1/1/1")), "{found:?}");
    }
    assert_eq!(central.findings(), [""; 0]);
    assert_eq!(central.problems(), ["unused-contract contracts/other.yaml"]);
}

#[cfg(unix)]
#[test]
fn file_names_smuggle_nothing_into_the_output() {
    let folder = service();
    write(folder.path(), "openapi.yaml", PING.replace("string", "integer"));
    write(folder.path(), "::error file=x::y.yaml", "openapi: 3.1.0\npaths: 5\n");
    write(folder.path(), "line\n::error::forged.yaml", "swagger: '2.0'\npaths: 5\n");
    write(folder.path(), "\u{1b}[31mred\u{202e}.py", "class (\n");
    write(folder.path(), "line\n::stop-commands::x.py", "x = '\u{1b}]0;owned\u{7}\n::error::forged\n");
    for format in ["text", "github", "json", "sarif"] {
        let run = run(folder.path(), &["scan", "--format", format]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        for bad in ["\u{1b}", "\u{7}", "\u{202e}", "\r"] {
            assert!(!run.stdout.contains(bad), "{format} lets {bad:?} through: {}", run.stdout);
        }
        for line in run.stdout.lines().map(str::trim_start).filter(|line| line.starts_with("::")) {
            let own = ["::error file=", "::warning file=", "::notice file=", "::notice title="];
            assert!(format == "github" && own.iter().any(|start| line.starts_with(start)), "{format}: {line}");
            assert!(line.contains("title="), "{format}: {line}");
        }
        if matches!(format, "json" | "sarif") {
            continue;
        }
        assert!(!run.stdout.contains("::error::") && !run.stdout.contains("::stop"), "{format}: {}", run.stdout);
    }
}

#[test]
fn columns_count_characters_behind_marks_tabs_and_wide_ones() {
    // The mark is no column; a tab and a wide character are one each, also one beyond 16 bits.
    let app = "\u{feff}from fastapi import FastAPI\r\napp = FastAPI()\r\ndef ping() -> str: ...\r\nif True:\r\n\tx = '世🙂'; app.add_api_route('/ping', ping)\r\n";
    let wide = "            application/json: {x-世🙂: 1, schema: {type: integer}}\n";
    let (head, _) = PING.split_once("            application/json").expect("the contract has a body");
    let contract = format!("\u{feff}{head}{wide}").replace('\n', "\r\n");
    let folder = folder([("app.py", app.as_bytes()), ("openapi.yaml", contract.as_bytes())]);
    let scan = scan(folder.path(), &[]);
    let finding =
        scan.0["findings"].as_array().expect("findings").iter().find(|it| it["kind"] == "type").expect("a type");
    assert_eq!(
        (&finding["file_path"], &finding["line"], &finding["column"]),
        (&"app.py".into(), &5.into(), &12.into())
    );
    assert_eq!((&finding["end_line"], &finding["end_column"]), (&5.into(), &44.into()));
    assert_eq!((&finding["contract"]["line"], &finding["contract"]["column"]), (&10.into(), &41.into()));
    let sarif = run(folder.path(), &["scan", "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&sarif.stdout).expect("JSON");
    let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");
    assert_eq!((&region["startLine"], &region["startColumn"]), (&5.into(), &12.into()));
    let text = run(folder.path(), &["scan"]);
    assert!(text.stdout.contains("app.py:5:12") && text.stdout.contains("openapi.yaml:10:41"), "{}", text.stdout);
}
