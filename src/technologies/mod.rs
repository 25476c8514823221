//! What a project is built with, and what holds for each technology: from manifests and requirements, without a network.

mod manifests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use serde_json::{Value, json};

pub use manifests::{Package, is_manifest, packages};

/// A technology that `rules.md` has a section for.
#[derive(Debug, PartialEq, Eq)]
pub struct Stack {
    /// `FastAPI`
    pub title: String,
    /// Name of its file of rules, without the ending: `fastapi`, `asp-net-core`.
    pub slug: String,
    packages: Vec<String>,
    words: Vec<String>,
    sources: Vec<String>,
    /// Files by which a project says more about the technology than the rules do.
    configuration: Vec<String>,
    /// Markdown: a list.
    pub rules: String,
}

/// The technologies that have rules, in the order in which they are told: frameworks before languages.
pub fn stacks() -> &'static [Stack] {
    static STACKS: OnceLock<Vec<Stack>> = OnceLock::new();
    STACKS.get_or_init(|| include_str!("rules.md").split("\n## ").skip(1).map(stack).collect())
}

fn stack(section: &str) -> Stack {
    let (title, body) = section.split_once('\n').unwrap_or((section, ""));
    let listed = |key: &str| -> Vec<String> {
        let line = body.lines().find_map(|it| it.strip_prefix(key)).unwrap_or_default();
        line.split(',').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    Stack {
        title: title.trim().to_owned(),
        slug: slug(title),
        packages: listed("packages:"),
        words: listed("words:"),
        sources: listed("sources:"),
        configuration: listed("configuration:"),
        rules: body[body.find("\n- ").unwrap_or(0)..].trim().to_owned(),
    }
}

fn slug(title: &str) -> String {
    let title = title.trim().replace('#', "sharp").to_lowercase();
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    words.join("-")
}

/// A technology of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Technology {
    /// As its rules or its registry call it.
    pub name: String,
    /// Versions that manifests ask for, each once.
    pub versions: Vec<String>,
    /// Manifests that name it, and services whose requirements do; in order, each once.
    pub named_by: Vec<String>,
    /// What holds for it, where that is known.
    pub stack: Option<&'static Stack>,
}

/// Technologies of a project: those with rules first, then the other packages that it needs to work, by how many manifests name
/// them. `words`: who says that it is built with what: (`order-service`, `FastAPI`); `files`: paths and texts of manifests. One that
/// cannot be read names nothing, and stands in the second list with the reason.
pub fn technologies(words: &[(String, String)], files: &[(String, String)]) -> (Vec<Technology>, Vec<String>) {
    let mut problems = Vec::new();
    let mut known: BTreeMap<usize, Technology> = BTreeMap::new();
    let mut others: BTreeMap<String, Technology> = BTreeMap::new();
    let mut add = |name: &str, at: Option<usize>, version: &str, by: &str| {
        let found = match at {
            Some(at) => known.entry(at).or_insert_with(|| of_stack(&stacks()[at])),
            None => others.entry(name.to_lowercase()).or_insert_with(|| Technology {
                name: name.to_owned(),
                versions: Vec::new(),
                named_by: Vec::new(),
                stack: None,
            }),
        };
        let is_new = |list: &[String], it: &str| !it.is_empty() && !list.iter().any(|known| known == it);
        if is_new(&found.versions, version) {
            found.versions.push(version.to_owned());
        }
        if is_new(&found.named_by, by) {
            found.named_by.push(by.to_owned());
        }
    };
    for (service, word) in words {
        let at = stacks().iter().position(|it| is_called(it, word));
        add(word.trim(), at, "", service);
    }
    for (path, text) in files {
        let found = packages(path, text).unwrap_or_else(|reason| {
            problems.push(format!("{path}: {reason}"));
            Vec::new()
        });
        for package in found {
            let is_its = |it: &&String| it.eq_ignore_ascii_case(&package.name);
            let at = stacks().iter().position(|it| it.packages.iter().any(|name| is_its(&name)));
            // A test runner or a linter is nothing that the services are built with.
            if at.is_some() || !package.is_for_development {
                add(&package.name, at, &package.version, path);
            }
        }
    }
    let mut others: Vec<Technology> = others.into_values().collect();
    others.sort_by_key(|it| std::cmp::Reverse(it.named_by.len()));
    (known.into_values().chain(others).collect(), problems)
}

/// Whether requirements name a technology with rules that no manifest names a package of: paths and texts of manifests, which
/// all have to be readable, or nothing is absent.
pub fn is_absent(word: &str, manifests: &[(&str, &str)]) -> bool {
    let Some(stack) = stacks().iter().find(|it| !it.packages.is_empty() && is_called(it, word)) else { return false };
    let read: Result<Vec<Vec<Package>>, String> = manifests.iter().map(|(path, text)| packages(path, text)).collect();
    let Ok(read) = read else { return false };
    let is_its = |package: &Package| stack.packages.iter().any(|name| name.eq_ignore_ascii_case(&package.name));
    !read.is_empty() && !read.iter().flatten().any(is_its)
}

fn of_stack(stack: &'static Stack) -> Technology {
    Technology { name: stack.title.clone(), versions: Vec::new(), named_by: Vec::new(), stack: Some(stack) }
}

/// Whether a word of requirements means a technology: `FastAPI`, `Python 3.12`, `Node.js`.
fn is_called(stack: &Stack, word: &str) -> bool {
    let word = word.trim().to_lowercase();
    let name = word.split_once([' ', '(']).filter(|(_, rest)| {
        rest.trim_start_matches(['v', '>', '=', '(', ' ']).starts_with(|c: char| c.is_ascii_digit())
    });
    let name = name.map_or(word.as_str(), |it| it.0);
    stack.words.iter().chain([&stack.title.to_lowercase()]).any(|it| it == name)
}

/// What holds for technologies, as a part of a prompt; at most `most` bytes, and what is left out is said. Empty where nothing is
/// known of them.
pub fn told(technologies: &[Technology], most: usize) -> String {
    let (mut out, mut left) = (String::new(), Vec::new());
    for it in technologies {
        let Some(stack) = it.stack else { continue };
        let part = format!("### {}\n\n{}\n\n", stack.title, stack.rules);
        if out.len() + part.len() > most {
            left.push(stack.title.as_str());
        } else {
            out.push_str(&part);
        }
    }
    if !left.is_empty() {
        let _ = writeln!(out, "Left out for their length: {}.", left.join(", "));
    }
    out.trim_end().to_owned()
}

/// The document about a project's technologies: at most `most` of them, the others are counted. `servers`: servers that agents can
/// ask.
pub fn document(project: &str, all: &[Technology], problems: &[String], most: usize, servers: &[&str]) -> String {
    let mut out = format!("# Technologies: {project}\n\n");
    if all.is_empty() {
        out.push_str("Neither the requirements nor a manifest name any.\n");
    } else {
        out.push_str("| technology | version | named by | rules |\n|---|---|---|---|\n");
    }
    let cell = |list: &[String]| list.join(", ").replace('|', "\\|");
    for it in all.iter().take(most) {
        let has_rules = if it.stack.is_some() { "below" } else { "" };
        let _ = writeln!(out, "| {} | {} | {} | {has_rules} |", it.name, cell(&it.versions), cell(&it.named_by));
    }
    if all.len() > most {
        let _ = writeln!(out, "\n{} more are left out (`[tech-research] max-techs`).", all.len() - most);
    }
    problems.iter().for_each(|it| {
        let _ = writeln!(out, "\nNot read: {it}.");
    });
    if !servers.is_empty() {
        let _ = writeln!(out, "\nServers that agents can ask: {}.", servers.join(", "));
    }
    for stack in all.iter().take(most).filter_map(|it| it.stack) {
        let _ = writeln!(out, "\n## {}\n\n{}\n\nSources: {}", stack.title, stack.rules, stack.sources.join(", "));
    }
    out
}

/// Files of rules for agents, each with its name and text, and the index that lists them. `names`: files at the top of the
/// project: where one of them configures a technology, the rules lead to it. `at`: the time, as RFC 3339.
pub fn rule_files(technologies: &[Technology], names: &[String], at: &str) -> Vec<(String, String)> {
    let (mut files, mut rows): (Vec<(String, String)>, Vec<Value>) = (Vec::new(), Vec::new());
    for stack in technologies.iter().filter_map(|it| it.stack) {
        let mut sources: Vec<String> = stack.sources.clone();
        let mut text = format!("# {}\n\n{}\n", stack.title, stack.rules);
        for it in stack.configuration.iter().filter(|it| names.contains(it)) {
            let _ = writeln!(text, "- `{it}` of the project goes before all of this.");
            sources.push(it.clone());
        }
        let name = format!("{}.md", stack.slug);
        rows.push(json!({ "stack": stack.slug, "path": name, "generated": at, "sources": sources }));
        files.push((name, text));
    }
    if !rows.is_empty() {
        let index = json!({ "rules": rows, "last_updated": at });
        files.push(("index.json".to_owned(), serde_json::to_string_pretty(&index).unwrap_or_default() + "\n"));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.to_owned(), b.to_owned())
    }

    #[test]
    fn each_section_has_its_rules() {
        assert!(stacks().len() > 8);
        for it in stacks() {
            assert!(it.rules.starts_with("- ") && !it.sources.is_empty(), "{}", it.title);
            assert!(!it.packages.is_empty() || !it.words.is_empty(), "{}", it.title);
        }
        let slugs: Vec<&str> = stacks().iter().map(|it| it.slug.as_str()).collect();
        assert!(
            slugs.contains(&"fastapi") && slugs.contains(&"asp-net-core") && slugs.contains(&"csharp"),
            "{slugs:?}"
        );
    }

    #[test]
    fn technologies_of_requirements_and_manifests_are_put_together() {
        let words = [pair("orders", "Python 3.12"), pair("orders", "fastapi"), pair("web", "Svelte")];
        let files = [
            pair("orders/pyproject.toml", "[project]\ndependencies = [\"FastAPI>=0.110\", \"httpx\"]"),
            pair("web/package.json", "{\"dependencies\": {\"httpx\": \"1\"}, \"devDependencies\": {\"vite\": \"7\"}}"),
            pair("bad/package.json", "{"),
        ];
        let (found, problems) = technologies(&words, &files);
        let shown: Vec<String> =
            found.iter().map(|it| format!("{} {:?} {:?}", it.name, it.versions, it.named_by)).collect();
        assert_eq!(
            shown,
            [
                r#"FastAPI [">=0.110"] ["orders", "orders/pyproject.toml"]"#,
                r#"Python [] ["orders"]"#,
                r#"httpx ["1"] ["orders/pyproject.toml", "web/package.json"]"#,
                r#"Svelte [] ["web"]"#,
            ]
        );
        assert_eq!(problems.len(), 1);
        let document = document("shop", &found, &problems, 3, &["contract-engine"]);
        assert!(
            document.contains("1 more are left out") && document.contains("Not read: bad/package.json"),
            "{document}"
        );
        assert!(document.contains("## FastAPI\n\n- ") && !document.contains("| Svelte"), "{document}");
    }

    #[test]
    fn what_is_told_keeps_to_its_length() {
        let (found, _) = technologies(&[pair("a", "FastAPI"), pair("a", "Python")], &[]);
        let all = told(&found, 6_000);
        assert!(all.contains("### FastAPI") && all.contains("### Python"), "{all}");
        let cut = told(&found, all.len() - 10);
        assert!(cut.contains("### FastAPI") && cut.ends_with("Left out for their length: Python."), "{cut}");
        assert_eq!(told(&[], 6_000), "");
    }

    #[test]
    fn rules_have_an_index() {
        let (found, _) = technologies(&[pair("a", "TypeScript"), pair("a", "Redis")], &[]);
        let files = rule_files(&found, &["tsconfig.json".to_owned()], "2026-01-02T03:04:05Z");
        let names: Vec<&str> = files.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(names, ["typescript.md", "index.json"]);
        assert!(files[0].1.contains("`tsconfig.json` of the project"), "{}", files[0].1);
        let index: Value = serde_json::from_str(&files[1].1).expect("JSON");
        assert_eq!(index["rules"][0]["path"], "typescript.md");
        assert_eq!(index["last_updated"], "2026-01-02T03:04:05Z");
        assert_eq!(rule_files(&[], &[], ""), []);
    }
}
