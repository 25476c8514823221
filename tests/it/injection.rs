//! A project whose names want to act on whoever reads about it: every format is read as its readers do, and nothing acts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::folder::{Run, folder, run, write};

/// What acts in some place: a page, Markdown, a terminal, a build log, XML.
const EVIL: [&str; 16] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "[x](javascript:alert(1))",
    "![x](http://evil.example/x.png)",
    "`<b>x</b>`",
    "| a | b |",
    "\u{1b}[2J\u{1b}]8;;http://evil.example\u{7}x",
    "a\n::error::forged",
    "a\r\n##[error]forged",
    "%0A::set-output name=a::b",
    "]]></failure>",
    "<!-- x -->",
    "\u{202e}txet",
    "@everyone #1 www.evil.example",
    "&lt;b&gt; {{1}} $(x) ${x}",
];

/// The same as a part of a path in a contract and in code.
fn path(evil: &str) -> String {
    format!("/{}", evil.replace(['/', '{', '}', '\n', '\r'], "_"))
}

fn contract(version: &str) -> String {
    let mut paths = serde_json::Map::new();
    let mut schemas = serde_json::Map::new();
    for (at, evil) in EVIL.iter().enumerate() {
        let name = |what: &str| format!("{what}{evil}");
        // The older version lacks one of the paths, the newer one a property and a value.
        let properties = match version {
            "1" => json!({name("p"): {"type": "string", "description": evil}, name("q"): {"enum": [evil, "b"]}}),
            _ => json!({name("p"): {"type": "integer", "title": evil}, name("q"): {"enum": ["b"]}}),
        };
        let schema = json!({"type": "object", "required": [name("p")], "properties": properties, "description": evil});
        schemas.insert(name("S"), schema);
        let reference = format!("#/components/schemas/{}", name("S").replace('~', "~0").replace('/', "~1"));
        let answer = json!({"description": evil, "content": {"application/json": {"schema": {"$ref": reference}}}});
        let operation = json!({
            "operationId": evil, "summary": evil, "description": evil, "tags": [evil],
            "parameters": [{"name": evil, "in": "query", "schema": {"type": "string"}, "description": evil}],
            "responses": {"200": answer},
        });
        if version == "1" || at > 0 {
            paths.insert(path(evil), json!({ "get": operation }));
        }
    }
    let info = json!({"title": EVIL.join(" "), "version": format!("{version} {}", EVIL[0]), "description": EVIL[1]});
    json!({"openapi": "3.1.0", "info": info, "servers": [{"url": EVIL[0]}], "paths": paths, "components": {"schemas": schemas}})
        .to_string()
}

/// Code that serves half of the paths, wrongly, and a few that nobody promised.
fn code() -> String {
    let mut text = "from fastapi import FastAPI\nfrom pydantic import BaseModel, Field\n\napp = FastAPI()\n".to_owned();
    for (at, evil) in EVIL.iter().enumerate().filter(|(at, _)| at % 2 == 0 || *at > 10) {
        let quoted = |text: &str| Value::from(text).to_string();
        let (field, value) = (quoted(&format!("p{evil}")), quoted(evil));
        text.push_str(&format!(
            "\n\nclass A{at}(BaseModel):\n    p: bool = Field(alias={field}, description={value})\n\n\n@app.get({})\ndef f{at}() -> A{at}: ...\n\n\n@app.get({})\ndef g{at}(): raise ValueError({value})  # {}\n",
            quoted(&path(evil)),
            quoted(&format!("/extra{}", path(evil))),
            evil.replace(['\n', '\r'], " "),
        ));
    }
    text
}

/// A name of a file, which has no slash and no null.
#[cfg(unix)]
fn name(evil: &str) -> String {
    evil.replace('/', "_")
}

fn project() -> tempfile::TempDir {
    let folder = folder([]);
    let service = if cfg!(unix) { "a <b>x</b> ::error:: ]]> [x](y)" } else { "a" };
    write(folder.path(), &format!("{service}/app.py"), code());
    write(folder.path(), &format!("{service}/openapi.json"), contract("1"));
    write(
        folder.path(),
        &format!("{service}/pyproject.toml"),
        "[project]\nname = \"<i>]]>@you\"\ndependencies = [\"fastapi\"]\n",
    );
    #[cfg(unix)]
    for evil in EVIL {
        write(folder.path(), &format!("{}.py", name(evil)), "def (\n");
        write(folder.path(), &format!("{}.yaml", name(evil)), "openapi: 3.1.0\npaths: 5\n");
        write(folder.path(), &format!("{service}/{}.py", name(evil)), "# treaty: ignore[NO-SUCH] <b>@you ::error::\n");
    }
    write(folder.path(), "old.json", contract("1"));
    write(folder.path(), "new.json", contract("2"));
    folder
}

/// Nothing that a terminal or a build log acts on, whoever reads it.
fn is_harmless(what: &str, text: &str) {
    for c in text.chars() {
        let is_plain = c == '\n' || c == '\t' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
        assert!(is_plain, "{what} lets {c:?} through");
    }
    for line in text.lines().map(str::trim_start) {
        assert!(!line.starts_with("::") && !line.starts_with("##["), "{what}: {line}");
    }
}

/// Elements of a page, each with the names of its attributes, as a parser of pages finds them.
fn elements(page: &str) -> BTreeSet<String> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_html::LANGUAGE.into()).expect("a grammar");
    let tree = parser.parse(page, None).expect("a tree");
    let mut found = BTreeSet::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        open.extend(node.children(&mut cursor));
        if ["start_tag", "self_closing_tag"].contains(&node.kind()) {
            let mut cursor = node.walk();
            for child in node.children(&mut cursor) {
                let name = child.child(0).unwrap_or(child);
                if ["tag_name", "attribute_name"].contains(&child.kind()) || child.kind() == "attribute" {
                    found.insert(page[name.byte_range()].to_ascii_lowercase());
                }
            }
        }
    }
    found
}

/// A page holds what a page about harmless things holds, and asks for nothing elsewhere.
fn is_harmless_page(what: &str, page: &str, known: &str) {
    let strange: Vec<String> = elements(page).difference(&elements(known)).cloned().collect();
    assert_eq!(strange, [""; 0], "{what} has elements or attributes that it never has");
    assert_eq!(page.matches("<script").count(), known.matches("<script").count(), "{what}");
    assert!(page.contains("default-src 'none'"), "{what} has a policy");
}

#[cfg(feature = "serve")]
fn is_harmless_markdown(what: &str, text: &str) {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                let own =
                    ["<code>", "</code>", "<!-- -->", "<br>", "<details>", "</details>", "<summary>", "</summary>"];
                let rest = own.iter().fold(html.trim().to_owned(), |rest, tag| rest.replace(tag, ""));
                assert!(!rest.contains('<'), "{what} holds {html:?}");
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                panic!("{what} leads to {dest_url}");
            }
            _ => {}
        }
    }
}

fn ended(what: &str, run: &Run) {
    assert!(matches!(run.code, 0 | 1), "{what}: {}", run.stderr);
    assert!(run.stdout.len() > 200, "{what} says something: {}", run.stdout);
    is_harmless(&format!("{what} on standard error"), &run.stderr);
}

#[test]
fn every_format_of_a_scan_is_harmless() {
    let folder = project();
    let scan = |format: &str| {
        let run = run(folder.path(), &["scan", "--format", format, "--full", "--verbose"]);
        ended(format, &run);
        run.stdout
    };
    let findings = {
        let report: Value = serde_json::from_str(&scan("json")).expect("JSON");
        report["findings"].as_array().expect("findings").clone()
    };
    let kinds: BTreeSet<&str> = findings.iter().filter_map(|it| it["kind"].as_str()).collect();
    assert!(findings.len() > 20 && kinds.len() > 2, "the project gives something to tell: {kinds:?}");
    for format in ["text", "concise", "markdown", "junit", "gitlab", "json", "sarif"] {
        is_harmless(format, &scan(format));
    }
    for (format, more) in [("text", "--statistics"), ("sarif", "--sarif-per-service")] {
        let run = run(folder.path(), &["scan", "--format", format, more]);
        is_harmless(more, &run.stdout);
    }
    for format in ["json", "sarif", "gitlab"] {
        serde_json::from_str::<Value>(&scan(format)).unwrap_or_else(|error| panic!("{format}: {error}"));
    }
    let sarif: Value = serde_json::from_str(&scan("sarif")).expect("JSON");
    for result in sarif["runs"][0]["results"].as_array().expect("results") {
        let message = result["message"]["text"].as_str().expect("a message");
        assert!(!message.contains("]("), "a viewer would make a link of {message}");
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("an address");
        assert!(uri.chars().all(|c| c.is_ascii_alphanumeric() || "-._~/%".contains(c)), "{uri}");
    }
    for line in scan("github").lines() {
        let (command, message) = line.strip_prefix("::").and_then(|rest| rest.split_once("::")).expect("a command");
        assert!(["error ", "warning ", "notice "].iter().any(|it| command.starts_with(it)), "{line}");
        // Only `##[` is looked for within a line, too (<https://github.com/actions/runner>, `ActionCommand`).
        assert!(!message.contains("##["), "{line}");
        assert!(command.matches("file=").count() <= 1 && command.matches("title=").count() == 1, "{line}");
    }
    let junit = scan("junit");
    let names: BTreeSet<String> = roxmltree::Document::parse(&junit)
        .unwrap_or_else(|error| panic!("{error}"))
        .descendants()
        .filter(roxmltree::Node::is_element)
        .map(|it| it.tag_name().name().to_owned())
        .collect();
    let own = ["failure", "skipped", "system-out", "testcase", "testsuite", "testsuites"];
    assert!(names.iter().all(|it| own.contains(&it.as_str())), "{names:?}");
    #[cfg(feature = "serve")]
    is_harmless_markdown("markdown", &scan("markdown"));
    let tame = run(crate::folder::service().path(), &["scan", "--format", "html"]).stdout;
    is_harmless_page("html", &scan("html"), &tame);
}

/// What a page draws is made of nodes and texts; nothing of what is foreign is ever read as a page or as code.
#[test]
fn pages_are_drawn_of_texts_alone() {
    let script = include_str!("../../src/report/html/page.js");
    for acting in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"]
    {
        assert!(!script.contains(acting), "{acting}");
    }
}

#[test]
fn every_format_of_a_comparison_is_harmless() {
    let folder = project();
    let diff = |old: &str, new: &str, format: &str| {
        let run = run(folder.path(), &["diff", old, new, "--format", format]);
        ended(&format!("diff as {format}"), &run);
        run.stdout
    };
    for (old, new) in [("old.json", "new.json"), ("new.json", "old.json")] {
        for format in ["text", "concise", "markdown", "junit", "gitlab", "json", "sarif"] {
            is_harmless(&format!("diff as {format}"), &diff(old, new, format));
        }
        #[cfg(feature = "serve")]
        is_harmless_markdown("a changelog", &diff(old, new, "markdown"));
        write(folder.path(), "a.json", crate::folder::PING);
        write(folder.path(), "b.json", crate::folder::PING.replace("/ping", "/pong"));
        let tame = diff("a.json", "b.json", "html");
        let page = diff(old, new, "html");
        let (own, known) = (elements(&page), elements(&tame));
        let further: Vec<&String> =
            own.difference(&known).filter(|it| !["code", "h3"].contains(&it.as_str())).collect();
        assert!(further.is_empty(), "a page of changes has {further:?}");
        assert_eq!(page.matches("<script").count(), tame.matches("<script").count());
    }
}

#[test]
fn what_is_said_beside_reports_is_harmless() {
    let folder = project();
    for arguments in [
        &["why", "GET /_img src=x onerror=alert(1)>"][..],
        &["why", &format!("GET {}", path(EVIL[0]))],
        &["contract", "validate", "old.json"],
        &["explain", "NO-SUCH\u{1b}[31m"],
        &["scan", "no\u{1b}[31m-such"],
        &["baseline", "write"],
        &["scan", "--baseline", "treaty-baseline.json"],
        &["scan", "--fix", "--diff", "--unsafe", "--fix-side", "contract"],
        &["init"],
    ] {
        let run = run(folder.path(), arguments);
        is_harmless(&format!("{arguments:?}"), &run.stdout);
        is_harmless(&format!("{arguments:?} on standard error"), &run.stderr);
    }
}
