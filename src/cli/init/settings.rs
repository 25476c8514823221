//! `treaty.toml` as a project begins with it: what a scan found, and the keys that people look for, as comments.

use std::fmt::Write;

use crate::scan::Report;

/// A service that was found, with paths from the settings' directory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) root: String,
    /// Contracts of which something was found in its code.
    pub(super) contracts: Vec<String>,
    /// `FastAPI, 12 routes`
    pub(super) what: String,
}

/// The services of a run that serve something, ask for something or exchange messages, with their contracts. `prefix` is what
/// the settings' directory is called in the run, without a trailing slash: empty where names begin there; `folder` is what a
/// service is called that nothing names.
pub(super) fn found(report: &Report, prefix: &str, folder: &str) -> Vec<Found> {
    let project = &report.project;
    let inside = |path: &str| -> Option<String> {
        let rest = if prefix.is_empty() { path } else { path.strip_prefix(prefix)? };
        match rest.strip_prefix('/') {
            Some(rest) if !prefix.is_empty() => Some(rest.to_owned()),
            _ if rest.is_empty() => Some(".".to_owned()),
            _ if prefix.is_empty() => Some(rest.to_owned()),
            _ => None,
        }
    };
    let mut found: Vec<Found> = Vec::new();
    for service in project.services.iter().filter(|it| it.scanned) {
        let is_idle = service.operations.is_empty() && service.calls.is_empty() && service.messages.is_empty();
        let name = if service.is_nameless() { folder } else { &service.name };
        // Two services of one name would be no settings.
        if is_idle || name.is_empty() || found.iter().any(|it| it.name == name) {
            continue;
        }
        let Some(root) = inside(&service.root) else { continue };
        let kept = report.summary.contracts.iter().filter(|it| it.service == service.name && it.found > 0);
        let mut contracts: Vec<String> = kept.filter_map(|it| inside(&it.contract)).collect();
        contracts.dedup();
        let mut what = service.frameworks.clone();
        let counted = [
            (service.operations.len(), "route"),
            (service.calls.len(), "request"),
            (service.messages.len(), "message"),
        ];
        let counted = counted.iter().filter(|(number, _)| *number > 0);
        what.extend(counted.map(|(number, word)| crate::report::count(*number, word)));
        found.push(Found { name: name.to_owned(), root, contracts, what: what.join(", ") });
    }
    found
}

/// The first line names the schema that is written beside it:
/// <https://taplo.tamasfe.dev/configuration/directives.html#the-schema-directive>.
const HEAD: &str = "\
#:schema ./treaty.schema.json
# Settings of treaty, which checks that services keep their contracts. Every key may be left out; what stands
# behind a `#` is an example. Where no service is named, services and contracts are looked for.

# required-version = \">=0.1\"         # versions of treaty that may read this
# fail-on = \"warning\"                # error, warning or never: from which severity on a run fails
# ignore = [\"XREF-004\"]              # rules or families not to run; `treaty rules list` shows all
# exclude = [\"legacy/**\"]            # paths not to scan, as in .gitignore
# against = \"released/openapi.yaml\"  # earlier version: what it promised and is not kept is reported, too
";

const SEVERITY: &str = "
# [severity]
# CONTRACT-005 = \"info\"              # error, warning, info or off, for one rule
";

const EXAMPLE: &str = "
# [[service]]                        # as many as there are
# name = \"books\"
# root = \"services/books\"
# contracts = [\"contracts/books.yaml\"]
";

const MORE: &str = "\
# base-path = \"/api/v2\"              # a prefix that a gateway adds and the code does not know
# ignore-operations = [\"GET /metrics\", \"* /admin/*\"]
# urls = [\"https://api.example.com\"] # where clients ask it
";

/// The text of the settings.
pub(super) fn text(services: &[Found]) -> String {
    let mut out = HEAD.to_owned();
    out.push_str(SEVERITY);
    if services.is_empty() {
        out.push_str(EXAMPLE);
        return out + MORE;
    }
    for (at, service) in services.iter().enumerate() {
        writeln!(out, "\n# {}", service.what.replace(char::is_control, " ")).expect("a string takes any text");
        writeln!(out, "[[service]]\nname = {}\nroot = {}", quoted(&service.name), quoted(&service.root))
            .expect("a string takes any text");
        if !service.contracts.is_empty() {
            let contracts: Vec<String> = service.contracts.iter().map(|it| quoted(it)).collect();
            writeln!(out, "contracts = [{}]", contracts.join(", ")).expect("a string takes any text");
        }
        if at == 0 {
            out.push_str(MORE);
        }
    }
    out
}

/// A string of TOML (<https://toml.io/en/v1.0.0#string>).
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service(name: &str, contracts: &[&str]) -> Found {
        let contracts = contracts.iter().map(|it| (*it).to_owned()).collect();
        Found { name: name.to_owned(), root: format!("services/{name}"), contracts, what: "Flask, 3 routes".to_owned() }
    }

    #[test]
    fn what_is_written_is_what_was_found() {
        let odd = "a \"b\" \\ c\n# d";
        let services = [service("books", &["api.yaml", "it's.json"]), service(odd, &[])];
        let read = crate::config::parse("treaty.toml", &text(&services)).expect("settings that can be read");
        let names: Vec<&str> = read.services.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["books", odd]);
        assert_eq!(read.services[0].contracts, ["api.yaml", "it's.json"]);
        assert!(crate::config::parse("treaty.toml", &text(&[])).expect("settings").services.is_empty());
    }

    /// An example that is wrong would teach something wrong.
    #[test]
    fn every_example_is_a_setting() {
        for head in [HEAD.to_owned(), SEVERITY.to_owned(), format!("{EXAMPLE}{MORE}")] {
            let settings = |line: &&str| line.contains(" = ") || line.starts_with('[');
            let lines = head.lines().filter_map(|line| line.strip_prefix("# ")).filter(settings);
            let text = lines.collect::<Vec<_>>().join("\n");
            assert!(text.contains('='), "{head}");
            crate::config::parse("treaty.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    }
}
