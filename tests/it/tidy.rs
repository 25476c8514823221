//! Holds the repository to what `src/ARCHITECTURE.md` says of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use treaty::rules::RuleSet;

use crate::files::{files, root};

/// The import table: module, and what it may import; `None` for anything.
fn layers() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = fs::read_to_string(root().join("src/ARCHITECTURE.md")).expect("the architecture is written down");
    let quoted = |cell: &str| -> Vec<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut layers = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let may = if cells[1].trim() == "anything" { None } else { Some(quoted(cells[1]).into_iter().collect()) };
        layers.insert(quoted(cells[0]).remove(0), may);
    }
    layers
}

/// The module a source file belongs to: `checks` for `src/checks/shape.rs`; none for the crate's own files.
fn module_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix("src/")?;
    let module = name.split('/').next()?.trim_end_matches(".rs");
    (!["lib", "main", "build"].contains(&module)).then_some(module)
}

/// The text of a source file without its comments, so that words in prose do not count.
fn code(text: &str) -> String {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .fold(String::new(), |code, line| code + line + "\n")
}

/// Whether a file holds tests only.
fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.ends_with("/fixture.rs") || path.contains("/tests/")
}

/// A file's code up to its test module.
fn product(text: &str) -> String {
    let code = code(text);
    let end = code.find("#[cfg(test)]\nmod tests {").unwrap_or(code.len());
    code[..end].to_owned()
}

/// Modules of the crate that a piece of code names: `crate::a::…`, `crate::{a, b::c}`.
fn imports(code: &str) -> BTreeSet<String> {
    let word =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 1_usize;
        let mut start = 0;
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (c == ',' && depth == 1) {
                found.insert(word(&list[start..at]));
                start = at + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    found.remove("");
    found
}

#[test]
fn imports_are_read_from_lists_and_paths() {
    let found = imports("use crate::a::b;\nuse crate::{c, d::{e, f}, g};\nlet x = crate::h::i();");
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["a", "c", "d", "g", "h"]);
}

#[test]
fn every_module_imports_only_what_the_architecture_allows() {
    let layers = layers();
    let mut wrong = String::new();
    for (path, text) in files("src", ".rs") {
        let Some(module) = module_of(&path) else { continue };
        let Some(allowed) = layers.get(module) else {
            writeln!(wrong, "{path}: `{module}` is not in the table of src/ARCHITECTURE.md").expect("a string grows");
            continue;
        };
        // Tests may build their inputs with anything.
        let (Some(allowed), false) = (allowed, is_test(&path)) else { continue };
        for import in imports(&product(&text)) {
            if import != module && layers.contains_key(&import) && !allowed.contains(&import) {
                writeln!(wrong, "{path}: `{module}` may not import `{import}`").expect("a string grows");
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_import_table_names_modules_only_and_has_no_circle() {
    let layers = layers();
    assert!(layers.len() > 10, "the table was found");
    let mut settled: BTreeSet<&str> = BTreeSet::new();
    let mut left: Vec<_> = layers.iter().filter_map(|(module, may)| Some((module, may.as_ref()?))).collect();
    while !left.is_empty() {
        let before = left.len();
        left.retain(|(module, may)| {
            let ready = may.iter().all(|name| settled.contains(name.as_str()));
            if ready {
                settled.insert(module);
            }
            !ready
        });
        assert!(left.len() < before, "a circle, or a name that is no module: {left:?}");
    }
}

#[test]
fn every_source_file_says_on_its_first_line_what_it_is() {
    for folder in ["src", "tests", "benches"] {
        for (path, text) in files(folder, ".rs") {
            let first = text.lines().next().unwrap_or("");
            let said = first.starts_with("//! ") || (path == "src/lib.rs" && first.contains("ARCHITECTURE.md"));
            assert!(said, "{path} begins with `{first}`, not with `//!`");
        }
    }
}

/// Lines of product code, by file, that contain one of the words, in modules other than those named.
fn uses(words: &[&str], except: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files("src", ".rs") {
        if ["src/build.rs", "src/main.rs"].contains(&path.as_str())
            || is_test(&path)
            || module_of(&path).is_some_and(|module| except.contains(&module))
        {
            continue;
        }
        let product = product(&text);
        let lines = product.lines().filter(|line| words.iter().any(|word| line.contains(word)));
        found.extend(lines.map(|line| format!("{path}: {}", line.trim())));
    }
    found
}

#[test]
fn what_belongs_to_one_layer_stays_in_it() {
    assert_eq!(uses(&["println!", "eprintln!", "print!", "eprint!"], &["report", "cli"]), [""; 0]);
    assert_eq!(uses(&["clap::", "clap("], &["cli"]), [""; 0]);
    assert_eq!(uses(&["tree_sitter"], &["languages"]), [""; 0]);
    assert_eq!(uses(&["miette"], &["report", "config", "settings", "plan", "rules", "cli"]), [""; 0]);
    assert_eq!(uses(&["async fn", "async move", ".await;", ".await?", ".await."], &["mcp"]), [""; 0]);
    let outside = ["std::fs", "std::env", "std::net", "std::process", "SystemTime", "Instant::now"];
    let may = [
        "scan",
        "config",
        "rules",
        "cli",
        "report",
        "store",
        "registry",
        "index",
        "mcp",
        "process",
        "gates",
        "hook",
        "devteam",
        "orchestrate",
        "teamwork",
    ];
    assert_eq!(uses(&outside, &may), [""; 0]);
    let sql = uses(&["rusqlite"], &["store"]);
    let elsewhere: Vec<_> = sql.iter().filter(|line| !line.contains("/rows.rs: ")).collect();
    assert!(elsewhere.is_empty(), "rows of tables are read and written in files called rows.rs: {elsewhere:?}");
}

/// Folders that are called like a framework: those that have cases, but for a way of routing that several share.
fn frameworks() -> Vec<String> {
    let mut found: Vec<String> = files("src/frameworks", "cases.md")
        .into_iter()
        .filter_map(|(path, _)| Some(path.strip_prefix("src/frameworks/")?.split_once('/')?.0.to_owned()))
        .filter(|name| name != "by_contract")
        .collect();
    found.dedup();
    found
}

/// Where a framework is named outside of its folder, and why it has to be.
const NAMED_ELSEWHERE: &[(&str, &str, &str)] = &[
    ("src/languages/python/", "django", "its models are types, which belong to the language"),
    ("src/languages/python/marshmallow.rs", "apiflask", "it hands the names of marshmallow on"),
    ("src/languages/python/marshmallow.rs", "flask_smorest", "it hands the names of marshmallow on"),
    ("src/languages/python/environs.rs", "starlette", "its readers of settings are read like others"),
    ("src/languages/python/schema/sorts.rs", "fastapi", "it hands the models of pydantic on"),
    ("src/languages/typescript/schema/libraries.rs", "express", "its request is a declared type"),
    ("src/wires/clients/python.rs", "aiohttp", "it is a client, too"),
    ("src/wires/", "nestjs", "it is a messaging library, too"),
    ("src/cli/rules.rs", "fastapi", "the example of a new rule's page"),
    ("src/scaffold/", "fastapi", "services are written with it"),
    ("src/scaffold/", "express", "services are written with it"),
    ("src/scaffold/", "nestjs", "services are written with it"),
    ("src/scaffold/", "aspnet", "services are written with it"),
    ("src/cli/scaffold.rs", "aspnet", "services are written with it"),
    ("src/orchestrate/executors/scaffold.rs", "fastapi", "services are written with it"),
    ("src/orchestrate/executors/scaffold.rs", "express", "services are written with it"),
    ("src/orchestrate/executors/scaffold.rs", "nestjs", "services are written with it"),
    ("src/orchestrate/executors/scaffold.rs", "aspnet", "services are written with it"),
    ("src/cli/scaffold.rs", "fastapi", "services are written with it"),
    ("src/cli/scaffold.rs", "express", "services are written with it"),
    ("src/cli/scaffold.rs", "nestjs", "services are written with it"),
    ("src/frameworks/by_hand.rs", "flask", "requests that are no parameter are its global"),
    ("src/frameworks/fastapi/", "django", "its routers are told from others"),
    ("src/frameworks/fastapi/", "aiohttp", "its routers are told from others"),
    ("src/frameworks/fastapi/", "tornado", "its routers are told from others"),
    ("src/frameworks/fastapi/", "litestar", "its routers are told from others"),
    ("src/frameworks/litestar/responses.rs", "starlette", "its responses are sent like its own"),
];

#[test]
fn no_framework_is_named_outside_of_its_folder() {
    let frameworks = frameworks();
    assert!(frameworks.len() > 10, "the frameworks were found: {frameworks:?}");
    let is_word = |c: char| c.is_alphanumeric() || "_-@/".contains(c);
    let mut needed = BTreeSet::new();
    let mut wrong = Vec::new();
    for (path, text) in files("src", ".rs") {
        if path == "src/frameworks/mod.rs" || is_test(&path) {
            continue;
        }
        let product = product(&text);
        let own = path.strip_prefix("src/frameworks/").and_then(|rest| Some(rest.split_once('/')?.0)).unwrap_or("");
        for line in product.lines() {
            for name in line.split(|c: char| !is_word(c)).filter(|word| frameworks.iter().any(|it| it == word)) {
                // A framework that is built on another one asks that one's module.
                let is_built_on = !own.is_empty() && (own == name || product_of(own).contains(&format!("{name}::")));
                let known = NAMED_ELSEWHERE.iter().position(|(at, it, _)| path.starts_with(at) && *it == name);
                needed.extend(known);
                if !is_built_on && known.is_none() {
                    wrong.push(format!("{path}: {}", line.trim()));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
    let idle: Vec<_> = NAMED_ELSEWHERE.iter().enumerate().filter(|(at, _)| !needed.contains(at)).collect();
    assert!(idle.is_empty(), "these are named no more: {idle:?}");
}

/// The code of a framework's folder.
fn product_of(framework: &str) -> String {
    files(&format!("src/frameworks/{framework}"), ".rs").into_iter().map(|(_, text)| product(&text)).collect()
}

#[test]
fn no_rule_code_stands_in_product_code() {
    let set = RuleSet::embedded();
    let codes: Vec<&str> = set.rules().map(|rule| rule.code.as_str()).collect();
    // The help texts of the command line have examples.
    assert_eq!(uses(&codes, &["cli"]), [""; 0]);
}

#[test]
fn every_rule_has_its_documentation_and_every_documentation_its_rule() {
    let stems = |end: &str| -> Vec<String> {
        files("rules", end).into_iter().map(|(path, _)| path.trim_end_matches(end).to_owned()).collect()
    };
    assert_eq!(stems(".toml"), stems(".md"));
    assert!(!stems(".md").is_empty());
}

#[test]
fn every_rule_explains_itself_and_has_a_case_that_fires_and_one_that_is_silent() {
    let set = RuleSet::embedded();
    for rule in set.rules() {
        let (code, text) = (&rule.code, &rule.markdown);
        assert!(
            text.starts_with(&format!("# {code}: {}\n", rule.name)),
            "{code}: the heading is the code and the name"
        );
        for heading in ["## What it does", "## Why it matters", "## How to fix", "## Cases"] {
            assert!(text.contains(&format!("\n{heading}\n")), "{code} lacks `{heading}`");
        }
        assert!(text.contains("```findings\n```"), "{code} has no silent case");
        assert!(text.contains(&format!("```findings\n{code} ")), "{code} has no case that fires");
    }
}

#[test]
fn every_kind_of_every_rule_is_documented() {
    for rule in RuleSet::embedded().rules() {
        for (kind, _) in rule.kinds() {
            assert!(rule.markdown.contains(&format!("`{kind}`")), "{} does not explain `{kind}`", rule.code);
        }
    }
}

#[test]
fn the_gate_of_the_repository_exists_and_runs_the_tests() {
    let text = fs::read_to_string(root().join(".ci/run")).expect("`.ci/run` is there");
    for command in ["cargo test", "cargo fmt --check", "cargo clippy --all-targets -- -D warnings"] {
        assert!(text.contains(command), "`.ci/run` does not call `{command}`");
    }
}

#[test]
fn every_limit_says_what_happens_beyond_it() {
    let says = [
        ";",
        ":",
        "…",
        ". ",
        "told",
        "counted",
        "deeper",
        "longer",
        "larger",
        "unknown",
        "refused",
        "more",
        "different",
        "left out",
        "summed",
        "page",
    ];
    let mut silent = Vec::new();
    for (path, text) in files("src", ".rs") {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let is_limit = line.contains("const MAX_") && line.trim_end().ends_with(';') && line.contains(" = ");
            let about = lines[..at].iter().rev().take_while(|line| line.trim_start().starts_with("///"));
            let about: String = about.map(|line| line.to_lowercase()).collect();
            if is_limit && !says.iter().any(|word| about.replace("///", "").contains(word)) {
                silent.push(format!("{path}: {}", line.trim()));
            }
        }
    }
    assert_eq!(silent, [""; 0], "the comment of a limit says what becomes of the rest");
}
