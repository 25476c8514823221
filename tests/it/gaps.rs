//! What was not read is told, wherever a run ends green without it.

use std::fs;

use crate::folder::{APP, PING, folder, run, scan, service, write};

fn with_reference(reference: &str) -> String {
    PING.replace("{type: string}", &format!("{{$ref: \"{reference}\"}}"))
}

#[test]
fn what_extract_could_not_read_is_told() {
    let folder = service();
    write(folder.path(), "broken.py", "def (:\n");
    write(folder.path(), "film.py", b"G\x40\0\x10\xb0\xff");
    for kind in ["openapi", "asyncapi", "json-schema", "facts"] {
        let run = run(folder.path(), &["extract", "--as", kind]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("broken.py") && run.stderr.contains("film.py"), "{kind}: {}", run.stderr);
    }
    let facts = run(folder.path(), &["extract", "--as", "facts"]);
    assert!(facts.stdout.contains("film.py: "), "a gap of the facts: {}", facts.stdout);
    let empty = crate::folder::folder([]);
    let nothing = run(empty.path(), &["extract"]);
    assert!(nothing.code == 2 && nothing.stdout.is_empty(), "{} {}", nothing.stdout, nothing.stderr);
}

#[test]
fn an_operation_that_two_services_serve_is_told() {
    let folder = folder([
        ("a/app.py", APP.as_bytes()),
        ("a/requirements.txt", b"fastapi\n"),
        ("b/app.py", APP.as_bytes()),
        ("b/requirements.txt", b"fastapi\n"),
    ]);
    let both = run(folder.path(), &["extract"]);
    assert!(both.stderr.contains("`GET /ping` of `b` is left out"), "{}", both.stderr);
    let one = run(folder.path(), &["extract", "b"]);
    assert!(one.stderr.is_empty() && one.stdout.contains("/ping"), "{}", one.stderr);
}

#[test]
fn settings_that_name_what_is_not_there_end_the_run() {
    for (settings, value) in [
        ("[[service]]\nname = 'a'\nroot = 'servics'\n", "servics"),
        ("contract-roots = ['contrats']\n", "contrats"),
        ("contract-roots = ['app.py']\n", "app.py"),
    ] {
        let folder = service();
        write(folder.path(), "treaty.toml", settings);
        for arguments in [&["scan"][..], &["extract"], &["why", "GET /ping"], &["diff", "openapi.yaml", "openapi.yaml"]]
        {
            let run = run(folder.path(), arguments);
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{arguments:?}: {}", run.stderr);
            assert!(run.stderr.contains(&format!("there is no directory `{value}`")), "{}", run.stderr);
            assert!(run.stderr.contains("treaty.toml:"), "the place is shown: {}", run.stderr);
        }
    }
}

#[cfg(unix)]
fn pipe(path: &std::path::Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo is there");
    assert!(made.success());
}

#[cfg(unix)]
#[test]
fn a_contract_that_is_no_file_ends_the_run() {
    let folder = service();
    pipe(&folder.path().join("pipe.yaml"));
    for arguments in [
        &["scan", "--contract", "pipe.yaml"][..],
        &["scan", "--contract", "/dev/zero"],
        &["why", "GET /ping", "--contract", "pipe.yaml"],
        &["diff", "openapi.yaml", "pipe.yaml"],
        &["contract", "validate", "pipe.yaml"],
    ] {
        let run = run(folder.path(), arguments);
        assert!(run.code == 2 && run.stderr.contains("it is no regular file"), "{arguments:?}: {}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_list_of_ignored_files_that_never_ends_does_not_hang() {
    let folder = service();
    write(folder.path(), "more/other.py", "X = 1\n");
    pipe(&folder.path().join("more/.gitignore"));
    let part = scan(folder.path(), &[]);
    assert_eq!(part.problems(), ["unreadable more/.gitignore"]);
    assert_eq!(part.contracts(), ["openapi.yaml -> this folder 1/1/1"]);
    pipe(&folder.path().join(".ignore"));
    for arguments in [&["scan"][..], &["extract"], &["why", "GET /ping"]] {
        let run = run(folder.path(), arguments);
        assert!(format!("{}{}", run.stdout, run.stderr).contains("unreadable") || run.code != 0, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn settings_of_a_repository_allow_nothing_outside_of_it() {
    let folder = folder([
        ("repo/.git/HEAD", b"".as_slice()),
        ("repo/app.py", APP.as_bytes()),
        ("repo/openapi.yaml", with_reference("../secret/type.yaml").as_bytes()),
        ("secret/type.yaml", b"type: integer\n"),
        ("secret/other.yaml", PING.as_bytes()),
    ]);
    std::os::unix::fs::symlink("../secret", folder.path().join("repo/link")).expect("a link");
    std::os::unix::fs::symlink("../secret/other.yaml", folder.path().join("repo/other.yaml")).expect("a link");
    let repo = folder.path().join("repo");
    for settings in ["contract-roots = ['/']", "contract-roots = ['../secret']", "contract-roots = ['link']"] {
        write(&repo, "treaty.toml", settings);
        for reference in ["../secret/type.yaml", "link/type.yaml"] {
            write(&repo, "openapi.yaml", with_reference(reference));
            let scan = scan(&repo, &[]);
            let outside = "reference-outside-root openapi.yaml".to_owned();
            assert!(scan.problems().contains(&outside), "{settings} {reference}: {:?}", scan.problems());
            assert_eq!(scan.findings(), [""; 0], "{settings} {reference}");
        }
    }
    write(&repo, "openapi.yaml", with_reference("../secret/type.yaml"));
    let allowed = scan(&repo, &["--contract-root", "../secret"]);
    assert_eq!(allowed.findings(), ["CONTRACT-001 type app.py:6"], "{:?}", allowed.problems());
    let why = run(&repo, &["why", "GET /ping", "--contract-root", "../secret"]);
    assert!(why.stdout.contains("CONTRACT-001"), "{}", why.stdout);
    assert_eq!(run(&repo, &["scan", "--contract-root", "../sekret"]).code, 2);
    write(&repo, "treaty.toml", "[[service]]\nname = 'a'\ncontracts = ['other.yaml']\n");
    let named = scan(&repo, &[]);
    assert!(named.problems().contains(&"reference-outside-root other.yaml".to_owned()), "{:?}", named.problems());
}

#[test]
fn recursive_shapes_end_in_every_document() {
    let app = "import express from 'express';\n\ntype J = string | J[];\ntype Deep = { a: { b: { c: Deep[] } } };\nconst app = express();\napp.get('/j', (req, res) => {\n  const j: J = 'x';\n  const deep: Deep = req.body;\n  res.json({ j, deep });\n});\n";
    let mut chain =
        String::from("from fastapi import FastAPI\nfrom pydantic import BaseModel\n\napp = FastAPI()\n\n\n");
    for at in (0..1500).rev() {
        let member = if at == 1499 { "int".to_owned() } else { format!("C{}", at + 1) };
        chain += &["class C", &at.to_string(), "(BaseModel):\n    next: ", &member, "\n\n\n"].concat();
    }
    chain.push_str("@app.get('/chain')\ndef read() -> C0: ...\n");
    for (name, text, manifest) in [("app.ts", app, "package.json"), ("app.py", &chain, "requirements.txt")] {
        let folder = folder([(name, text.as_bytes()), (manifest, b"{}")]);
        for kind in ["openapi", "asyncapi", "json-schema", "facts"] {
            let run = run(folder.path(), &["extract", "--as", kind]);
            assert_eq!(run.code, 0, "{name} {kind}: {}", run.stderr);
            let _: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
            assert!(kind != "openapi" || run.stdout.contains("$ref"), "{name}: {}", run.stdout);
        }
        fs::write(folder.path().join("out.json"), run(folder.path(), &["extract"]).stdout).expect("a file");
        let scanned = run(folder.path(), &["scan", "--contract", "out.json"]);
        assert!(scanned.code == 0, "{name}: {}", scanned.stdout);
    }
}

#[test]
fn text_shows_a_screenful_of_what_is_alike() {
    let path = |at| format!("  /r{at}:\n    get: {{responses: {{'200': {{description: x}}}}}}\n");
    let paths = (0..100).map(path).collect::<Vec<_>>().concat();
    let folder = folder([("app.py", APP.as_bytes()), ("openapi.yaml", format!("{PING}{paths}").as_bytes())]);
    let all = scan(folder.path(), &[]).findings().len();
    let shown =
        |arguments: &[&str]| run(folder.path(), arguments).stdout.matches("CONTRACT-002 missing-endpoint").count();
    assert!(shown(&["scan"]) <= 20);
    assert_eq!(shown(&["scan", "--full"]), all);
}

#[test]
fn what_is_skipped_is_counted_and_scanned_on_demand() {
    let folder = folder([
        ("app.py", APP.as_bytes()),
        ("openapi.yaml", PING.as_bytes()),
        ("tests/service/app.py", APP.as_bytes()),
        ("examples/openapi.yaml", PING.as_bytes()),
        ("build/server/app.py", APP.as_bytes()),
        ("vendor/node_modules/x/openapi.yaml", PING.as_bytes()),
        ("data/openapi.yaml", PING.as_bytes()),
        (".gitignore", b"data/\n"),
    ]);
    let git = |arguments: &[&str]| {
        let done = std::process::Command::new("git").current_dir(folder.path()).args(arguments).output();
        assert!(done.is_ok_and(|done| done.status.success()), "git {arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-f", "."]);
    let counted = run(folder.path(), &["scan"]);
    let line = "not scanned: 2 contracts and 2 files that set up an application (ignored, built, or of tests and examples; \
                `build/server/app.py` first)";
    assert!(counted.stdout.contains(line), "{}", counted.stdout);
    let json = run(folder.path(), &["scan", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    let skipped = &json["summary"]["skipped"];
    assert_eq!((skipped["contracts"].as_u64(), skipped["applications"].as_u64()), (Some(2), Some(2)), "{skipped}");
    for (settings, arguments) in
        [("", &["scan", "--no-skip", "--format", "json"][..]), ("no-skip = true\n", &["scan", "--format", "json"])]
    {
        write(folder.path(), "treaty.toml", settings);
        let whole: serde_json::Value = serde_json::from_str(&run(folder.path(), arguments).stdout).expect("JSON");
        let contracts: Vec<&str> = whole["summary"]["contracts"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|it| it["file_path"].as_str())
            .collect();
        for path in ["openapi.yaml", "data/openapi.yaml", "examples/openapi.yaml"] {
            assert!(contracts.contains(&path), "{arguments:?}: {contracts:?}");
        }
        assert!(whole["summary"]["skipped"].is_null() && !contracts.iter().any(|it| it.contains("node_modules")));
    }
}

#[test]
fn a_folder_called_like_a_framework_hides_nothing() {
    let flask =
        "from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get('/ping')\ndef ping(): return {'a': 'b'}\n";
    let whole = "import flask\n\napp = flask.Flask(__name__)\n\n\n@app.get('/ping')\ndef ping(): return {'a': 'b'}\n";
    let express =
        "import express from 'express';\n\nconst app = express();\napp.get('/ping', (q, s) => s.json({ a: 'b' }));\n";
    let package = r#"{"name": "express", "dependencies": {"express": "4"}}"#;
    for (files, below) in [
        (&[("flask/service/app.py", flask)][..], &["flask", "flask/service"][..]),
        (&[("flask/service/app.py", flask), ("flask/__init__.py", ""), ("flask/service/__init__.py", "")], &["flask"]),
        (&[("app.py", flask), ("flask/__init__.py", "")], &["."]),
        (&[("app.py", whole), ("flask/__init__.py", "")], &["."]),
        (&[("app/flask/main.py", flask), ("app/flask/__init__.py", "")], &["app", "app/flask"]),
        (&[("fastapi/app.py", APP), ("fastapi/__init__.py", "")], &["fastapi"]),
        (&[("express/index.ts", express), ("express/package.json", package)], &["express"]),
    ] {
        let folder = crate::folder::folder([]);
        for (name, text) in files {
            write(folder.path(), name, text);
        }
        for directory in below.iter().chain(&["."]) {
            for (cwd, path) in [(folder.path().to_path_buf(), *directory), (folder.path().join(directory), ".")] {
                let run = run(&cwd, &["extract", path]);
                assert!(run.stdout.contains("/ping"), "{files:?} {directory} {path}: {}", run.stderr);
            }
        }
    }
}

#[test]
fn a_server_that_a_program_writes_by_itself_is_named() {
    let table = "const http = require('node:http');\nfunction handle(req, res) {\n  switch (req.url) {\n    case '/ping': return res.end('{}');\n  }\n}\nhttp.createServer((req, res) => handle(req, res)).listen(1);\n";
    let class = "from http.server import BaseHTTPRequestHandler, HTTPServer\n\n\nclass Handler(BaseHTTPRequestHandler):\n    def do_GET(self):\n        if self.path == '/ping':\n            self.send_response(200)\n";
    let wrapped = "const http = require('http');\nconst express = require('express');\nconst app = express();\napp.use((req, res, next) => { if (req.url === '/x') return res.end(); next(); });\nhttp.createServer(app).listen(1);\n";
    let told = |routes: u32| format!("an HTTP server of its own, {routes} route");
    for (file, text, own) in [("server.js", table, Some(0)), ("server.py", class, Some(1)), ("app.js", wrapped, None)] {
        let folder = folder([(file, text.as_bytes()), ("openapi.yaml", PING.as_bytes())]);
        let found = run(folder.path(), &["scan"]);
        let named = found.stdout.contains("an HTTP server of its own");
        assert_eq!(named, own.is_some(), "{file}: {}", found.stdout);
        if let Some(routes) = own {
            assert!(found.stdout.contains(&told(routes)), "{file}: {}", found.stdout);
            // Where something of the contract was not found: told once, with its place.
            let missed = usize::from(routes == 0);
            assert_eq!(
                found.stdout.matches("is read only where it compares paths").count(),
                missed,
                "{}",
                found.stdout
            );
            let strict = run(folder.path(), &["scan", "--strict"]);
            assert_eq!(strict.code, 1, "{}", strict.stdout);
        }
    }
}

/// What is not seen beside what is may stand in a test of another form.
#[test]
fn a_server_that_compares_paths_leaves_nothing_certainly_missing() {
    let class = "import re\nfrom http.server import BaseHTTPRequestHandler, HTTPServer\n\n\nclass Handler(BaseHTTPRequestHandler):\n    def do_GET(self):\n        if self.path == '/ping':\n            self.send_response(200)\n        elif re.match('/ping/[0-9]+', self.path):\n            self.send_response(200)\n";
    let contract = "openapi: 3.0.3\ninfo: {title: a, version: '1'}\npaths:\n  /ping:\n    get: {responses: {'200': {description: ok}}}\n    delete: {responses: {'200': {description: ok}}}\n  /ping/{id}:\n    get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {'200': {description: ok}}}\n";
    let folder = folder([("server.py", class.as_bytes()), ("openapi.yaml", contract.as_bytes())]);
    let found = run(folder.path(), &["scan"]);
    assert_eq!(found.code, 0, "{}", found.stdout);
    assert!(found.stdout.contains("2 operations that may be served by it are not verifiable"), "{}", found.stdout);
    assert!(found.stdout.contains("3 contracted, 1 found"), "{}", found.stdout);
}

#[test]
fn a_broken_line_makes_doubtful_only_if_it_may_register_a_route() {
    let program = |first: &str, broken: &str| {
        format!(
            "var app = WebApplication.Create();\n{first}app.MapGet(\"/pets\", () => 1).WithName(\"Pets\");\n\
             app.MapGet(\"/pets/{{id}}\", (int id) => id);\n{broken}app.Run();\n"
        )
    };
    let answers = "get: {responses: {'200': {description: ok}}}";
    let id = "parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int32}}]";
    let contract = format!(
        "openapi: 3.0.0\ninfo: {{title: t, version: '1'}}\npaths:\n  /pets: {{{answers}}}\n  /pets/{{id}}: {{{id}, \
         {answers}}}\n  /dogs: {{{answers}}}\n"
    );
    let project = "<Project Sdk=\"Microsoft.NET.Sdk.Web\"></Project>";
    let found = |first: &str, broken: &str| {
        let folder = folder([("App.csproj", project.as_bytes()), ("openapi.yaml", contract.as_bytes())]);
        write(folder.path(), "Program.cs", program(first, broken));
        let scan = scan(folder.path(), &[]);
        scan.findings().into_iter().filter(|finding| finding.starts_with("CONTRACT-002")).count()
    };
    assert_eq!(found("app.MapGet(\"/dogs\", () => 1).WithName(\"Dogs\");\n", ""), 0);
    assert_eq!(found("", ""), 1, "missing");
    assert_eq!(
        found("", "    .WithName(\"Dogs\")\n    .WithSummary(\"All (dogs\");\n"),
        1,
        "what is left describes a route"
    );
    assert_eq!(found("", "    .MapGet(\"/dogs\", () => 1);\n"), 0, "what is left may register a route");
    assert_eq!(found("", "app.MapGet(\"/dogs\", () => {;\n"), 0, "what is left may register a route");
}

#[test]
fn what_is_missing_below_the_only_file_of_a_resource_may_stand_where_the_file_is_broken() {
    let router = |name: &str, rest: &str| {
        format!(
            "from fastapi import APIRouter\n\nrouter = APIRouter(prefix=\"/{name}\")\n\n\n@router.get(\"/\")\ndef all() -> str:\n    return \"\"\n\n\n{rest}"
        )
    };
    let broken = "@router.post(\"/\")\ndef add(a: int:\n    return 1\n";
    let app = "from fastapi import FastAPI\nimport pets\nimport dogs\n\napp = FastAPI()\napp.include_router(pets.router)\napp.include_router(dogs.router)\n";
    let answers = "responses: {'200': {description: ok, content: {application/json: {schema: {type: string}}}}}";
    let contract = format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths:\n  /pets/: {{get: {{{answers}}}, post: {{{answers}}}}}\n  \
         /dogs/: {{get: {{{answers}}}, post: {{{answers}}}}}\n"
    );
    let found = |pets: &str| {
        let folder = folder([("requirements.txt", &b"fastapi\n"[..]), ("openapi.yaml", contract.as_bytes())]);
        for (path, text) in
            [("pets.py", router("pets", pets)), ("dogs.py", router("dogs", "")), ("app.py", app.to_owned())]
        {
            write(folder.path(), path, text);
        }
        let findings = scan(folder.path(), &[]).findings();
        findings.into_iter().filter(|finding| finding.starts_with("CONTRACT-002")).count()
    };
    assert_eq!(found(""), 2, "both are missing");
    assert_eq!(found(broken), 1, "that of the pets may be the broken one");
}
