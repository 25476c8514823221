//! `treaty config`: what can be set.

use std::io::Write as _;

use super::Outcome;
use super::args::{ConfigArgs, ConfigCommand};
use super::failure::Failure;
use super::output::deliver;

/// The JSON schema of `treaty.toml`, as a test makes it of the types that the settings are read into.
pub(super) const SCHEMA: &str = include_str!("../../docs/treaty.schema.json");

pub(super) fn run(arguments: &ConfigArgs) -> Result<Outcome, Failure> {
    match &arguments.command {
        ConfigCommand::Schema { output } => deliver(output.as_deref(), |out| out.write_all(SCHEMA.as_bytes()))?,
    }
    Ok(Outcome::Clean)
}

/// What is set for a run takes part, and is known to a build with everything alone.
#[cfg(all(test, feature = "orchestrate"))]
mod tests {
    use std::path::Path;

    use serde_json::{Map, Value, json};

    use super::SCHEMA;

    /// Where a key stands that both read, the one who reads what is in it says more.
    fn schema() -> Value {
        let mut schema = serde_json::to_value(crate::config::schema()).expect("a schema is JSON");
        let mut tables = serde_json::to_value(crate::settings::schema()).expect("a schema is JSON");
        let known = schema["properties"].as_object_mut().expect("keys");
        for (name, table) in std::mem::take(tables["properties"].as_object_mut().expect("tables")) {
            assert_eq!(known.get(&name), Some(&json!({"type": "object"})), "`{name}` is no table of a run in `config`");
            known.insert(name, table);
        }
        plain(&mut schema);
        schema["title"] = json!("treaty.toml");
        schema
    }

    /// TOML has no null, and numbers of any size.
    fn plain(schema: &mut Value) {
        match schema {
            Value::Object(keys) => {
                if let Some(Value::Array(kinds)) = keys.get_mut("type") {
                    kinds.retain(|kind| kind != "null");
                    if let [kind] = kinds.as_slice() {
                        let kind = kind.clone();
                        keys.insert("type".to_owned(), kind);
                    }
                }
                if let Some(Value::Array(choices)) = keys.get_mut("enum") {
                    choices.retain(|choice| !choice.is_null());
                }
                if let Some([one, Value::Object(null)]) = keys.get("anyOf").and_then(Value::as_array).map(Vec::as_slice)
                    && null.get("type").is_some_and(|kind| kind == "null")
                {
                    let one: Map<String, Value> = one.as_object().cloned().unwrap_or_default();
                    keys.shift_remove("anyOf");
                    one.into_iter().for_each(|(key, value)| {
                        keys.entry(key).or_insert(value);
                    });
                }
                keys.retain(|key, value| !(key == "default" && value.is_null() || key == "format"));
                keys.values_mut().for_each(plain);
            }
            Value::Array(items) => items.iter_mut().for_each(plain),
            _ => {}
        }
    }

    #[test]
    fn the_schema_is_made_of_what_is_read() {
        let text = format!("{}\n", serde_json::to_string_pretty(&schema()).expect("a schema is JSON"));
        if std::env::var_os("UPDATE_CASES").is_some() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/treaty.schema.json");
            std::fs::write(path, &text).expect("the schema can be written");
            return;
        }
        assert!(text == SCHEMA, "UPDATE_CASES=1 cargo test --lib cli::config writes docs/treaty.schema.json anew");
    }

    /// Every key of the schema is one that the settings may have, whatever its value; every other one is refused.
    #[test]
    fn every_key_says_what_it_is() {
        fn look(at: &str, schema: &Value) {
            for (name, key) in schema["properties"].as_object().into_iter().flatten() {
                assert!(key["description"].is_string(), "`{at}{name}` has no comment");
                look(&format!("{at}{name}."), key);
                look(&format!("{at}{name}[]."), &key["items"]);
                look(&format!("{at}{name}.*."), &key["additionalProperties"]);
            }
        }
        look("", &schema());
    }

    #[test]
    fn it_takes_what_the_settings_take() {
        let schema = jsonschema::validator_for(&serde_json::from_str(SCHEMA).expect("JSON")).expect("a schema");
        let is_taken = |text: &str| {
            let value: toml::Value = toml::from_str(text).expect("TOML");
            schema.is_valid(&serde_json::to_value(value).expect("JSON"))
        };
        let page = include_str!("../../docs/settings.md");
        let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
        assert!(is_taken(example), "the example of the page");
        for right in [
            "",
            "[orchestrate]\nmodel = \"x\"\n[prices.\"m-1\"]\ninput = 3\noutput = 15.5\n",
            "[gates.commands]\ntests = \"x\"",
        ] {
            assert!(is_taken(right), "{right}");
        }
        for wrong in [
            "selct = []",
            "fail-on = \"info\"",
            "[severity]\nX-001 = \"loud\"",
            "[[service]]\nroot = \"a\"",
            "[gates]\nrn = []",
            "select = \"A\"",
        ] {
            assert!(!is_taken(wrong), "{wrong}");
        }
    }
}
