//! Programs and documents that go over a limit: what is left out is told, or there is no limit any more.

use std::fmt::Write as _;

use crate::folder::{folder, run, scan};

const FLASK: &str = "from flask import Flask, request, jsonify\n\napp = Flask(__name__)\n\n\n";

/// `line` for each number, `{}` in it replaced by the number.
fn each(count: usize, line: &str) -> String {
    (0..count).map(|at| line.replace("{}", &at.to_string())).collect()
}

fn contract(paths: &[&str]) -> String {
    let mut text = "openapi: 3.1.0\ninfo: {title: Limits, version: '1'}\npaths:\n".to_owned();
    for path in paths {
        let _ = writeln!(text, "  {path}:\n    get: {{responses: {{'200': {{description: x}}}}}}");
    }
    text
}

/// Scans files beside a contract; the problems and what is missing.
fn judged(files: &[(&str, &str)], paths: &[&str]) -> (String, Vec<String>) {
    let contract = contract(paths);
    let mut all: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    all.push(("openapi.yaml", contract.as_bytes()));
    let folder = folder(all);
    let scan = scan(folder.path(), &["--select", "CONTRACT-002"]);
    (scan.0["problems"].to_string(), scan.findings())
}

/// The document that code really serves.
fn served(files: &[(&str, &str)]) -> String {
    let folder = folder(files.iter().map(|(path, text)| (*path, text.as_bytes())));
    run(folder.path(), &["extract"]).stdout
}

#[test]
fn answers_beyond_the_first_are_told() {
    let returns = each(300, "    if request.args.get('x') == '{}':\n        return {'a': {}}\n");
    let app = format!("{FLASK}@app.get('/x')\ndef x():\n{returns}    return {{'a': 'b'}}\n");
    let (problems, missing) = judged(&[("app.py", &app)], &["/x"]);
    assert!(problems.contains("places where one handler returns, beyond the 200th"), "{problems}");
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn paths_of_one_pattern_beyond_the_first_are_told_and_not_missing() {
    let names: Vec<String> = (0..60).map(|at| format!("a{at}")).collect();
    let urls = format!(
        "from django.http import JsonResponse\nfrom django.urls import path, re_path\n\n\ndef view(request):\n    return JsonResponse({{}})\n\n\nurlpatterns = [path('ping/', view), re_path(r'^(?:{})/$', view)]\n",
        names.join("|")
    );
    let files = [
        ("manage.py", "import os\n\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site_.settings')\n"),
        ("site_/__init__.py", ""),
        ("site_/settings.py", "ROOT_URLCONF = 'site_.urls'\nINSTALLED_APPS = []\n"),
        ("site_/urls.py", &urls),
    ];
    let (problems, missing) = judged(&files, &["/ping/", "/a0/", "/a20/", "/a55/"]);
    assert!(problems.contains("paths that one regular expression stands for, beyond the 32nd"), "{problems}");
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_parser_of_a_method_is_read() {
    let parsers = each(40, "p{} = reqparse.RequestParser()\np{}.add_argument('q{}', location='args')\n");
    let calls = each(40, "        p{}.parse_args()\n");
    let app = format!(
        "from flask import Flask\nfrom flask_restx import Api, Resource, reqparse\n\napp = Flask(__name__)\napi = Api(app)\n{parsers}\n\n@api.route('/x')\nclass X(Resource):\n    def get(self):\n{calls}        return {{}}\n"
    );
    let document = served(&[("app.py", &app)]);
    assert!((0..40).all(|at| document.contains(&format!("\"q{at}\""))), "{document}");
}

#[test]
fn a_router_far_within_what_is_handed_on_is_found() {
    let nulls = "null, ".repeat(60);
    let app = format!(
        "import express from 'express';\nimport setup from 'some-package';\n\nconst app = express();\napp.get('/ping', (q, s) => s.json(1));\nsetup([{nulls}{{ a: {{ b: {{ c: {{ app }} }} }} }}]);\n"
    );
    let (problems, missing) = judged(&[("app.ts", &app), ("package.json", "{}")], &["/ping", "/users/a"]);
    assert!(missing.is_empty(), "{missing:?} {problems}");
    assert!(problems.contains("is handed a router"), "{problems}");
}

#[test]
fn a_list_is_read_whole() {
    let app = format!("{FLASK}ITEMS = [{}'last']\n\n\n@app.get('/x')\ndef x():\n    return ITEMS\n", "1, ".repeat(150));
    let document = served(&[("app.py", &app)]);
    assert!(document.contains("\"integer\"") && document.contains("\"string\""), "{document}");
}

#[test]
fn configurations_that_extend_each_other_are_followed_to_the_end() {
    let mut files: Vec<(String, String)> = (0..20)
        .map(|at| (format!("base/tsconfig.{at}.json"), format!(r#"{{"extends": "./tsconfig.{}.json"}}"#, at + 1)))
        .collect();
    files.push(("tsconfig.json".to_owned(), r#"{"extends": "./base/tsconfig.0.json"}"#.to_owned()));
    let last = r#"{"compilerOptions": {"baseUrl": "..", "paths": {"@/*": ["src/*"]}}}"#;
    files.push(("base/tsconfig.20.json".to_owned(), last.to_owned()));
    files.push(("package.json".to_owned(), "{}".to_owned()));
    let app = "import express from 'express';\nimport { routes } from '@/routes';\n\nconst app = express();\napp.use('/api', routes);\n";
    files.push(("src/app.ts".to_owned(), app.to_owned()));
    let routes = "import { Router } from 'express';\n\nexport const routes = Router();\nroutes.get('/x', (q, s) => s.json(1));\n";
    files.push(("src/routes.ts".to_owned(), routes.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert!(served(&files).contains("/api/x"));
}

#[test]
fn versions_of_documents_that_nest_too_deep_to_compare_are_told() {
    let version = |kind: &str| {
        let (open, close) = ("{type: array, items: ".repeat(50), "}".repeat(50));
        format!(
            "openapi: 3.1.0\ninfo: {{title: Deep, version: '1'}}\npaths:\n  /x:\n    get:\n      responses:\n        '200':\n          description: x\n          content:\n            application/json:\n              schema: {open}{{type: {kind}}}{close}\n"
        )
    };
    let (old, new) = (version("string"), version("integer"));
    let folder = folder([("old.yaml", old.as_bytes()), ("new.yaml", new.as_bytes())]);
    let run = run(folder.path(), &["diff", "old.yaml", "new.yaml"]);
    let told = format!("{}{}", run.stdout, run.stderr);
    assert!(told.contains("more than 32 deep"), "{} {told}", run.code);
}

/// The cap comes last: what is suppressed does not use it up, and a program gets everything.
#[test]
fn a_flood_of_one_rule_is_cut_where_people_read() {
    let quiet = each(60, "console.log('{}'); // treaty: ignore[FRONT-010] known\n");
    let text = quiet + &each(110, "console.log('{}');\n");
    let folder = folder([("src/pages/cart.ts", text.as_bytes())]);
    let of = |more: &[&str]| run(folder.path(), &[&["scan", ".", "--select", "FRONT-010"], more].concat()).stdout;
    let notes = of(&["--format", "github"]);
    assert_eq!(notes.matches("console.log").count(), 100, "{notes}");
    assert!(notes.contains("10 more findings of FRONT-010 are left out"), "{notes}");
    assert_eq!(of(&["--format", "github", "--full"]).matches("console.log").count(), 110);
    assert_eq!(of(&["--format", "concise"]).matches("FRONT-010 `console.log").count(), 110);
}
