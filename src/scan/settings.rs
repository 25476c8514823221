//! Values of settings that are committed beside the code: `.env` files, `appsettings.json`, what Compose gives a container.

use serde_json::Value;

use crate::evaluate::SettingValues;

/// Files of settings that a directory may have besides those that a walk sees.
pub(super) const HIDDEN: &[&str] =
    &[".env", ".env.example", ".env.sample", ".env.template", ".env.dist", ".env.development", ".env.local"];

/// Whether a file holds values of settings.
pub(super) fn is_settings(name: &str) -> bool {
    is_env(name) || is_json(name) || is_compose(name)
}

fn is_env(name: &str) -> bool {
    name == ".env" || name.starts_with(".env.") || has_extension(name, "env")
}

fn is_json(name: &str) -> bool {
    name.starts_with("appsettings.") && has_extension(name, "json")
}

fn is_compose(name: &str) -> bool {
    (name.starts_with("docker-compose") || name.starts_with("compose."))
        && (has_extension(name, "yml") || has_extension(name, "yaml"))
}

fn has_extension(name: &str, wanted: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// Reads files of settings: pairs of absolute path and text. What cannot be read says nothing.
pub(super) fn read(metadata: &[(String, String)]) -> SettingValues {
    let mut values = SettingValues::default();
    for (path, text) in metadata {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut found: Vec<(String, String)> = Vec::new();
        if is_env(name) {
            found.extend(text.lines().filter_map(|line| line.split_once('=')).map(pair));
        } else if is_compose(name) {
            found.extend(text.lines().filter_map(variable));
        } else if is_json(name) {
            let mut text = text.trim_start_matches('\u{feff}').to_owned();
            if json_strip_comments::strip(&mut text).is_ok()
                && let Ok(tree) = serde_json::from_str(&text)
            {
                flatten("", &tree, &mut found);
            }
        }
        let is_base = matches!(name, ".env" | "appsettings.json");
        for (name, value) in found {
            if let Some(value) = plain(&value) {
                values.add(directory, &name, &value, is_base);
            }
        }
    }
    values
}

fn pair((name, value): (&str, &str)) -> (String, String) {
    (name.trim().trim_start_matches("export ").trim().to_owned(), value.to_owned())
}

/// `TOPIC: orders` and `- TOPIC=orders` of an environment; what is written in capitals is a variable.
fn variable(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let (name, value) = match line.strip_prefix("- ") {
        Some(rest) => rest.trim_matches(['"', '\'']).split_once('=')?,
        None => line.split_once(": ")?,
    };
    let is_variable = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let known = name.contains(|c: char| c.is_ascii_uppercase()) && name.replace("__", "").chars().all(is_variable);
    known.then(|| (name.to_owned(), value.to_owned()))
}

fn flatten(prefix: &str, tree: &Value, found: &mut Vec<(String, String)>) {
    match tree {
        Value::Object(members) => {
            for (key, value) in members {
                let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}:{key}") };
                flatten(&name, value, found);
            }
        }
        Value::String(text) => found.push((prefix.to_owned(), text.clone())),
        _ => {}
    }
}

/// A value as it is written: without quotes and comments, the default of `${TOPIC:-orders}`; `None` where it stands for
/// another.
fn plain(value: &str) -> Option<String> {
    let value = value.trim();
    let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.split(*quote).next());
    let value = quoted.unwrap_or_else(|| value.split(" #").next().unwrap_or(value)).trim();
    let default =
        value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).and_then(|rest| rest.split_once(":-"));
    let value = default.map_or(value, |(_, default)| default);
    (!value.is_empty() && !value.contains(['$', '<', '{', '#'])).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_where_all_that_say_one_agree() {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let values = read(&[
            file("/p/.env", "A_TOPIC=a # of orders\nexport B_TOPIC='b'\nEMPTY=\n"),
            file("/p/.env.example", "A_TOPIC=other\nC_TOPIC=c\nD_TOPIC=d\nSECRET=<your secret>\n"),
            file(
                "/p/docker-compose.yml",
                "    environment:\n      - D_TOPIC=e\n      E_TOPIC: ${E_TOPIC:-e}\n      F: ${F}-x\n",
            ),
            file("/p/api/appsettings.json", "{ /* all */ \"Kafka\": { \"Topic\": \"orders\" } }"),
        ]);
        let value = |name: &str| values.value(name, "/p/api/src/app.cs").map(str::to_owned);
        assert_eq!(value("A_TOPIC").as_deref(), Some("a"));
        assert_eq!(value("B_TOPIC").as_deref(), Some("b"));
        assert_eq!(value("C_TOPIC").as_deref(), Some("c"));
        assert_eq!(value("D_TOPIC"), None);
        assert_eq!(value("E_TOPIC").as_deref(), Some("e"));
        assert_eq!(value("Kafka:Topic").as_deref(), Some("orders"));
        assert_eq!(value("Kafka__Topic").as_deref(), Some("orders"));
        for name in ["EMPTY", "SECRET", "F"] {
            assert_eq!(value(name), None, "{name}");
        }
        assert_eq!(values.value("A_TOPIC", "/q/app.py"), None);
    }
}
