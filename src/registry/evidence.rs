//! Where evidence lies, and the file beside the code that tells a plain scan of it.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::RegistryError;
use super::contract::Contract;
use super::implemented::{Implementation, is_verified};

/// The file that contracts and their evidence are exported to, in the project's folder.
pub(super) const FILE: &str = "CONTRACTS.json";

/// A file or folder of the project, links followed.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    /// The project's folder, links followed.
    pub(super) root: PathBuf,
    /// From the root, with forward slashes; `.` for the root itself.
    pub(super) shown: String,
}

/// # Errors
/// `invalid`: nothing is there. `outside_root`: it lies elsewhere, links followed.
pub(super) fn place(root: &Path, evidence: &str) -> Result<Place, RegistryError> {
    let next = "name a file or folder of the service that implements the contract, relative to the project's folder";
    if evidence.trim().is_empty() || evidence.contains('\0') {
        return Err(RegistryError::invalid("`evidence_path` is empty", next));
    }
    let unreadable = |path: &Path, error: &std::io::Error| RegistryError::Unreadable {
        path: path.display().to_string(),
        reason: error.to_string(),
        next: next.to_owned(),
    };
    let root = fs::canonicalize(root).map_err(|error| unreadable(root, &error))?;
    let outside = || RegistryError::OutsideRoot { path: evidence.to_owned(), root: root.display().to_string() };
    let path = match fs::canonicalize(root.join(evidence)) {
        Ok(path) => path,
        // What lies elsewhere is not told to be there or not.
        Err(_) if !crate::config::plain_path(&root.join(evidence)).starts_with(&root) => return Err(outside()),
        Err(error) => return Err(unreadable(Path::new(evidence), &error)),
    };
    let below = path.strip_prefix(&root).map_err(|_| outside())?;
    let shown = below.to_string_lossy().replace('\\', "/");
    let shown = if shown.is_empty() { ".".to_owned() } else { shown };
    Ok(Place { path, root, shown })
}

/// Writes contracts and who implements them into the project's `CONTRACTS.json`: what else it holds stays.
///
/// # Errors
/// `unreadable`: it is there and no JSON object, or cannot be written.
pub(super) fn export(root: &Path, marked: &[(Contract, Vec<Implementation>)]) -> Result<(), RegistryError> {
    let file = root.join(FILE);
    let failed = |reason: String| RegistryError::Unreadable {
        path: file.display().to_string(),
        reason,
        next: "mend it or move it away: evidence is written into it".to_owned(),
    };
    let mut document = match fs::read_to_string(&file) {
        Ok(text) => match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(document)) => document,
            Ok(_) => return Err(failed("it is no JSON object".to_owned())),
            Err(error) => return Err(failed(format!("it is no JSON: {error}"))),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Map::new(),
        Err(error) => return Err(failed(error.to_string())),
    };
    document.entry("version").or_insert_with(|| json!("1.0"));
    let contracts = document.entry("contracts").or_insert_with(|| json!({}));
    let Some(contracts) = contracts.as_object_mut() else {
        return Err(failed("its `contracts` is no object".to_owned()));
    };
    for (contract, implementations) in marked {
        contracts.insert(contract.entry.id.clone(), entry(contract, implementations));
    }
    let text = format!("{:#}\n", Value::Object(document));
    write(&file, &text).map_err(|error| failed(error.to_string()))
}

fn entry(contract: &Contract, implementations: &[Implementation]) -> Value {
    let provider = &contract.entry.service_name;
    let own = implementations.iter().find(|it| it.service_name == *provider);
    let others: Vec<&str> =
        implementations.iter().map(|it| it.service_name.as_str()).filter(|name| name != provider).collect();
    let mut spec = contract.spec.clone();
    let keys = keys(&spec);
    without_security(&mut spec);
    if let Some(spec) = spec.as_object_mut().filter(|_| !keys.is_empty()) {
        spec.insert("x-keys".to_owned(), keys.into());
    }
    json!({
        "contract_type": contract.entry.kind.name(),
        "provider_service": provider,
        "consumer_service": (!others.is_empty()).then(|| others.join(", ")),
        "version": contract.entry.version,
        "spec_hash": contract.entry.spec_hash,
        "spec": spec,
        "implemented": implementations.iter().all(|it| is_verified(it, contract)),
        "evidence_path": own.or(implementations.first()).map(|it| &it.evidence_path),
    })
}

/// Where security schemes have their keys: code that reads one there does what the contract says.
fn keys(spec: &Value) -> Vec<Value> {
    let places = ["/components/securitySchemes", "/securityDefinitions"];
    let schemes = places.iter().filter_map(|place| spec.pointer(place)?.as_object()).flat_map(Map::values);
    schemes.filter_map(|it| Some(json!({"in": it.get("in")?.as_str()?, "name": it.get("name")?.as_str()?}))).collect()
}

/// Keys below which the names are somebody's own.
const FOREIGN: [&str; 9] =
    ["properties", "patternProperties", "example", "examples", "default", "enum", "const", "$defs", "definitions"];

/// Takes out how callers are let in, and the references to that.
fn without_security(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, value| {
                let scheme = key == "securitySchemes" || key == "securityDefinitions";
                !(scheme && value.is_object() || key == "security" && value.is_array())
            });
            let own = members.iter_mut().filter(|(key, _)| !FOREIGN.contains(&key.as_str()));
            own.for_each(|(_, value)| without_security(value));
        }
        Value::Array(items) => items.iter_mut().for_each(without_security),
        _ => {}
    }
}

/// Beside the file and then in its place, so that it is never half there.
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let beside = file.with_extension(format!("json.{}", std::process::id()));
    let written = fs::File::create(&beside).and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        out.sync_all()
    });
    let placed = written.and_then(|()| fs::rename(&beside, file));
    if placed.is_err() {
        // What could not be put in its place is nobody's.
        let _ = fs::remove_file(&beside);
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_callers_are_let_in_is_left_out_and_members_of_that_name_are_not() {
        let mut spec = json!({
            "security": [{"key": []}],
            "paths": {"/a": {"get": {"security": [], "responses": {"200": {"description": "x"}}}}},
            "components": {
                "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
                "schemas": {"A": {"properties": {"security": ["x"]}}}
            }
        });
        without_security(&mut spec);
        assert_eq!(
            spec,
            json!({
                "paths": {"/a": {"get": {"responses": {"200": {"description": "x"}}}}},
                "components": {"schemas": {"A": {"properties": {"security": ["x"]}}}}
            })
        );
    }
}
