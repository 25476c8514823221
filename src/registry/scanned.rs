//! Contracts of the registry as the scanner takes them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::RegistryError;
use super::contract::{Contract, SpecKind};
use crate::config::{self, Config};
use crate::contracts::{Declarations, declare, parse};
use crate::scan::Input;
use crate::text::FileId;

/// Settings that are in force for a folder of the project; where there are none, files are named from the project's root.
///
/// # Errors
/// `invalid`: they cannot be used.
pub(super) fn configuration(folder: &Path, root: &Path) -> Result<Config, RegistryError> {
    let Some(file) = config::find(folder) else {
        return Ok(Config { directory: root.to_owned(), ..Config::default() });
    };
    config::load(&file).map_err(|error| RegistryError::invalid(error.to_string(), error.help.unwrap_or_default()))
}

/// A document as a text of the folder, called by whose it is.
pub(super) fn document(contract: &Contract, spec: &Value, folder: &Path) -> Input {
    let entry = &contract.entry;
    let plain: String = entry.service_name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let name = format!("{plain}.{}.{}.json", entry.version, entry.kind.name());
    Input { path: folder.join(name).to_string_lossy().into_owned(), text: text(entry.kind, spec) }
}

/// Pretty, so that a line says something.
pub(super) fn text(kind: SpecKind, spec: &Value) -> String {
    match (kind, spec) {
        // A document that does not say that it is a schema would be taken for something else.
        (SpecKind::JsonSchema, Value::Object(members)) if !members.contains_key("$schema") => {
            let mut stated = serde_json::Map::new();
            stated.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
            stated.extend(members.clone());
            format!("{:#}", Value::Object(stated))
        }
        _ => format!("{spec:#}"),
    }
}

/// What a document promises.
pub(super) fn declared(kind: SpecKind, spec: &Value) -> Declarations {
    let name = "contract.json".to_owned();
    declare(&BTreeMap::from([(name.clone(), parse(FileId(0), &text(kind, spec)))]), &name)
}

/// Addresses of the channels of a document about events.
pub(super) fn channels(spec: &Value) -> Vec<String> {
    let events = declared(SpecKind::Asyncapi, spec).events.unwrap_or_default();
    events.channels.into_iter().map(|it| it.address.unwrap_or(it.name)).collect()
}
