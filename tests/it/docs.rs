//! The README and the pages in `docs/`: what they show is what the program prints, their tables are made of the code, and
//! their links lead somewhere. `UPDATE_CASES=1 cargo test --test it docs` writes captures and tables anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
#[cfg(feature = "orchestrate")]
use std::process::Stdio;
use std::sync::Mutex;

use treaty::evaluate::Library;
use treaty::languages::Language;
use treaty::model::program::ImportStyle;
use treaty::rules::RuleSet;
use treaty::wires::{self, Wire};
use treaty::{contracts, frameworks};

#[cfg(feature = "orchestrate")]
use crate::files::without_time;
use crate::files::{files, root, updating};

/// Held by whoever rewrites a part of a page.
static PAGES: Mutex<()> = Mutex::new(());

/// What people read who do not read the code: path and text.
fn pages() -> Vec<(String, String)> {
    let mut pages = files("docs", ".md");
    for name in ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"] {
        pages.push((name.to_owned(), fs::read_to_string(root().join(name)).expect("the page is there")));
    }
    pages
}

/// Holds what stands between `<!-- NAME -->` and `<!-- /NAME -->`, on whichever pages and however often, against what
/// `fresh` makes of it.
fn hold(name: &str, fresh: impl Fn(&str) -> String) {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let _alone = PAGES.lock();
    let mut held = 0;
    let mut wrong = String::new();
    for (path, text) in pages() {
        let mut rest = text.as_str();
        let mut rewritten = String::new();
        while let Some((before, after)) = rest.split_once(&begin) {
            let (old, after) = after.split_once(&end).unwrap_or_else(|| panic!("{path}: no `{end}`"));
            let new = fresh(old);
            if new != old {
                writeln!(wrong, "{path}:\n{old}\n--- is now\n{new}").expect("a string grows");
            }
            rewritten.extend([before, &begin, &new, &end]);
            rest = after;
            held += 1;
        }
        rewritten.push_str(rest);
        if updating() && rewritten != text {
            fs::write(root().join(&path), rewritten).expect("the page can be written");
        }
    }
    assert!(held > 0, "no page has `{begin}`");
    assert!(wrong.is_empty() || updating(), "{wrong}\nUPDATE_CASES=1 cargo test --test it docs writes it");
}

/// Words of a command, as a shell takes them apart that knows double quotes alone.
#[cfg(feature = "orchestrate")]
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('"').enumerate();
    let words = quoted.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// A block that begins with `$ treaty …`, with what that prints in the repository's folder.
#[cfg(feature = "orchestrate")]
fn printed(block: &str) -> String {
    let fence = block.lines().next().expect("a fence");
    let command = block.lines().nth(1).and_then(|line| line.strip_prefix("$ treaty ")).expect("`$ treaty …`");
    let mut program = Command::new(env!("CARGO_BIN_EXE_treaty"));
    let program = program.args(words(command)).current_dir(root()).env_clear().stdin(Stdio::null());
    let output = program.output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    assert!(!text.is_empty(), "`treaty {command}` prints nothing: {}", String::from_utf8_lossy(&output.stderr));
    let end = fence.trim_end_matches(char::is_alphabetic);
    format!("{fence}\n$ treaty {command}\n{}\n{end}\n", without_time(&text).trim_end())
}

/// Those of the whole program: the scanner alone has fewer commands.
#[cfg(feature = "orchestrate")]
#[test]
fn captures_are_what_the_program_prints() {
    hold("capture", printed);
}

#[test]
fn the_table_of_rules_is_fresh() {
    hold("rules", |_| {
        let mut table = String::from("| rule | name | severity | tier | what it reports |\n|---|---|---|---|---|\n");
        for rule in RuleSet::embedded().rules() {
            let link = format!("[{}](../rules/{}/{}.md)", rule.code, rule.family, rule.code);
            let (severity, tier) = (rule.severity.name(), rule.tier.name());
            writeln!(table, "| {link} | {} | {severity} | {tier} | {} |", rule.name, rule.summary)
                .expect("a string grows");
        }
        table
    });
}

/// Languages as columns of the table of what is read.
const COLUMNS: [(&str, ImportStyle, Language); 3] = [
    ("Python", ImportStyle::Dotted, Language::Python),
    ("TypeScript, JavaScript", ImportStyle::Path, Language::TypeScript),
    ("C#", ImportStyle::Namespace, Language::CSharp),
];

#[test]
fn the_table_of_what_is_read_is_fresh() {
    let extensions = ["py", "ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "vue", "svelte", "cs"];
    let is_of = |language: Language, column: Language| match language {
        Language::Tsx | Language::JavaScript | Language::Component => column == Language::TypeScript,
        own => own == column,
    };
    let files = |column: Language| {
        let known =
            extensions.iter().filter(|it| Language::by_path(&format!("a.{it}")).is_some_and(|it| is_of(it, column)));
        known.map(|it| format!("`.{it}`")).collect::<Vec<_>>()
    };
    let served = |style: ImportStyle| {
        let is_own = |library: &Library| library.language == Some(style);
        let own = frameworks::ALL.iter().filter(|it| is_own(it.library));
        own.map(|it| it.name.to_owned()).collect::<Vec<_>>()
    };
    let of = |wires: &[&Wire], column: Language| {
        let own = wires.iter().filter(|it| !it.name.is_empty() && it.languages.contains(&column));
        own.map(|it| it.name.to_owned()).collect::<Vec<_>>()
    };
    // Servers without a framework are of several languages: `docs/reading.md` names them.
    let languages = frameworks::ALL.iter().all(|it| it.library.language.is_some() || it.packages.is_empty());
    assert!(languages, "a framework of no language would be left out");
    hold("reads", |_| {
        let mut table = format!("| |{}\n|---|---|---|---|\n", COLUMNS.map(|it| format!(" {} |", it.0)).concat());
        let mut row = |title: &str, cells: [Vec<String>; 3]| {
            let cells = cells.map(|cell| format!(" {} |", cell.join(", "))).concat();
            writeln!(table, "| **{title}** |{cells}").expect("a string grows");
        };
        row("source files", COLUMNS.map(|it| files(it.2)));
        row("routes of", COLUMNS.map(|it| served(it.1)));
        row("requests made with", COLUMNS.map(|it| of(wires::CLIENTS, it.2)));
        row("messages of", COLUMNS.map(|it| of(wires::MESSAGING, it.2)));
        let formats = contracts::FORMATS.iter().map(|(name, versions)| match versions {
            [] => (*name).to_owned(),
            [first, .., last] => format!("{name} {first} to {last}"),
            [only] => format!("{name} {only}"),
        });
        writeln!(table, "\nContracts: {}; JSON, YAML or Markdown.", formats.collect::<Vec<_>>().join(", "))
            .expect("a string grows");
        table
    });
}

/// Every version that is said to be read is one that the program takes, and the next one is not.
#[test]
fn versions_that_are_listed_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let accepts = |name: &str, version: &str| {
        let text = match name {
            "OpenAPI" if version == "2.0" => "swagger: '2.0'\ninfo: {title: A, version: '1'}\npaths: {}\n".to_owned(),
            "OpenAPI" => format!("openapi: {version}.0\ninfo: {{title: A, version: '1'}}\npaths: {{}}\n"),
            _ => format!("asyncapi: {version}.0\ninfo: {{title: A, version: '1'}}\nchannels: {{}}\n"),
        };
        let path = folder.path().join("contract.yaml");
        fs::write(&path, text).expect("a file");
        let mut program = Command::new(env!("CARGO_BIN_EXE_treaty"));
        program.args(["contract", "validate"]).arg(path).output().expect("the program starts").status.success()
    };
    for (name, versions) in contracts::FORMATS.iter().filter(|it| ["OpenAPI", "AsyncAPI"].contains(&it.0)) {
        for version in *versions {
            assert!(accepts(name, version), "{name} {version}");
        }
        assert!(!accepts(name, "3.9"), "{name} 3.9");
    }
}

/// Parts of Markdown that are links: `](target)`, outside of code.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if !is_code {
            found.extend(line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target));
        }
    }
    found
}

/// The anchors that a page gives its headings, as repositories on the web do: lower case, words with hyphens.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        words
            .chars()
            .filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c))
            .collect::<String>()
            .replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for (path, text) in pages() {
        let folder = root().join(&path).parent().expect("a file has a folder").to_owned();
        for target in links(&text) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let place = if file.is_empty() { root().join(&path) } else { folder.join(file) };
            let has_anchor = || fs::read_to_string(&place).is_ok_and(|text| anchors(&text).contains(anchor));
            if !place.exists() || (!anchor.is_empty() && !has_anchor()) {
                wrong.push(format!("{path}: {target}"));
            }
        }
    }
    assert!(wrong.is_empty(), "links that lead nowhere:\n{}", wrong.join("\n"));
}

/// Nobody finds a page that no other page leads to.
#[test]
fn every_page_is_linked() {
    let pages = pages();
    let linked = |wanted: &str| {
        let name = Path::new(wanted).file_name().and_then(|it| it.to_str()).expect("a name");
        pages.iter().any(|(path, text)| {
            path != wanted && links(text).iter().any(|it| it.split('#').next().is_some_and(|it| it.ends_with(name)))
        })
    };
    let lost: Vec<&str> = pages.iter().map(|it| it.0.as_str()).filter(|it| *it != "README.md" && !linked(it)).collect();
    assert!(lost.is_empty(), "no page leads to {lost:?}");
}
