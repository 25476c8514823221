//! An old `config.yaml` in the words of `treaty.toml`.

use serde_json::Value;

use crate::contracts::tree;
use crate::settings::{TABLES, parse};

/// Sections and keys that have other names here, each as `section.key`.
const RENAMED: [(&str, &str); 2] =
    [("orchestrator.backend", "orchestrate.backend"), ("orchestrator.max-turns", "claude.max-turns")];

/// The tables that a `config.yaml` leads to, and a warning for each section and key that has no place in them.
///
/// # Errors
/// Text that is not YAML, or whose root is no mapping.
pub(super) fn import(text: &str) -> Result<(String, Vec<String>), String> {
    let root = tree::value(text)?;
    let Value::Object(sections) = root else { return Err("the root is no mapping of sections".to_owned()) };
    let mut warnings = Vec::new();
    let mut tables: Vec<(String, Vec<String>)> = Vec::new();
    for (section, keys) in sections {
        let Value::Object(keys) = keys else {
            warnings.push(format!("`{section}` is no mapping, and is taken as absent"));
            continue;
        };
        for (key, value) in keys {
            let (table, name) = place(&section, &key);
            let Some(line) = line(&table, &name, &value) else {
                warnings.push(format!("`{section}.{key}` has no place in treaty.toml"));
                continue;
            };
            match tables.iter_mut().find(|it| it.0 == table) {
                Some((_, lines)) => lines.push(line),
                None => tables.push((table, vec![line])),
            }
        }
    }
    let tables = tables.iter().map(|(table, lines)| format!("[{table}]\n{}\n", lines.join("\n")));
    Ok((tables.collect::<Vec<_>>().join("\n"), warnings))
}

fn place(section: &str, key: &str) -> (String, String) {
    let (section, key) = (section.replace('_', "-"), key.replace('_', "-"));
    let whole = format!("{section}.{key}");
    let renamed = RENAMED.iter().find(|it| it.0 == whole).and_then(|it| it.1.split_once('.'));
    match renamed {
        Some((table, key)) => (table.to_owned(), key.to_owned()),
        None => (section, key),
    }
}

/// One line of a table, if the table takes it.
fn line(table: &str, key: &str, value: &Value) -> Option<String> {
    if !TABLES.contains(&table) {
        return None;
    }
    let value = match (table, key, value.as_str()) {
        // Names that the backends had.
        ("orchestrate", "backend", Some("cli" | "claude-code")) => Value::from("claude"),
        _ => value.clone(),
    };
    let written = toml::Value::try_from(value).ok()?;
    let line = format!("{key} = {written}");
    parse("config.yaml", &format!("[{table}]\n{line}\n")).ok().map(|_| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_place_is_taken_over_and_the_rest_is_told() {
        let old = "orchestrator:\n  backend: cli\n  permission_mode: acceptEdits\nconvergence:\n  min_convergence_ratio: 0.95\n\
                   database_scans:\n  dual_orm_scan: false\nmilestone: 3\nunknown:\n  a: 1\ne2e_testing:\n  enabled: true\n";
        let (text, warnings) = import(old).expect("YAML");
        assert_eq!(
            text,
            "[orchestrate]\nbackend = \"claude\"\n\n[convergence]\nmin-convergence-ratio = 0.95\n\n\
             [database-scans]\ndual-orm-scan = false\n\n[e2e-testing]\nenabled = true\n"
        );
        assert_eq!(
            warnings,
            [
                "`orchestrator.permission_mode` has no place in treaty.toml",
                "`milestone` is no mapping, and is taken as absent",
                "`unknown.a` has no place in treaty.toml"
            ]
        );
        assert!(parse("treaty.toml", &text).is_ok());
        assert!(import("- a\n").is_err() && import("a: [\n").is_err());
    }
}
