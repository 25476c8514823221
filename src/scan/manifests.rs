//! What `package.json` and `tsconfig.json` say about where imports lead.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::evaluate::{Package, PathConfig, Specifiers, normal_path};

/// Whether a file tells where imports lead.
pub(super) fn is_import_manifest(name: &str) -> bool {
    let configures = |name: &str| name.starts_with("tsconfig") || name.starts_with("jsconfig");
    matches!(name, "package.json" | "deno.json" | "deno.jsonc") || name.strip_suffix(".json").is_some_and(configures)
}

/// Reads manifests: pairs of absolute path and text. What cannot be read says nothing.
pub(super) fn specifiers(metadata: &[(String, String)]) -> Specifiers {
    let mut specifiers = Specifiers { projects: super::projects::read(metadata), ..Specifiers::default() };
    let mut configs: BTreeMap<&str, Value> = BTreeMap::new();
    for (path, text) in metadata {
        let name = path.rsplit('/').next().unwrap_or(path);
        if !is_import_manifest(name) {
            continue;
        }
        if name == "package.json" {
            if let Ok(manifest) = serde_json::from_str(text) {
                specifiers.packages.push(package(directory(path), &manifest));
            }
            continue;
        }
        let mut text = text.clone();
        if json_strip_comments::strip(&mut text).is_ok()
            && let Ok(config) = serde_json::from_str(&text)
        {
            configs.insert(path, config);
        }
    }
    let packages: BTreeMap<&str, &str> =
        specifiers.packages.iter().map(|package| (package.name.as_str(), package.directory.as_str())).collect();
    for (path, config) in &configs {
        let name = path.rsplit('/').next().unwrap_or(path);
        if name.starts_with("deno.") {
            specifiers.configs.extend(import_map(directory(path), config));
            continue;
        }
        if !matches!(name, "tsconfig.json" | "jsconfig.json" | "tsconfig.base.json") {
            continue;
        }
        let mut made = PathConfig { directory: directory(path).to_owned(), ..PathConfig::default() };
        let (mut file, mut config) = ((*path).to_owned(), config);
        let mut seen: BTreeSet<String> = BTreeSet::new();
        while seen.insert(file.clone()) {
            read_config(&file, config, &mut made);
            let Some(next) = extended(&file, config, &packages) else { break };
            let Some((known, parent)) = configs.get_key_value(next.as_str()) else { break };
            file = (*known).to_owned();
            config = parent;
        }
        for (file, referred) in referred(path, &configs) {
            let mut own = PathConfig { directory: made.directory.clone(), ..PathConfig::default() };
            read_config(file, referred, &mut own);
            let known = |pattern: &str| made.paths.iter().any(|(known, _)| known == pattern);
            let new: Vec<_> = own.paths.into_iter().filter(|(pattern, _)| !known(pattern)).collect();
            made.paths.extend(new);
            made.base = made.base.take().or(own.base);
        }
        if made.base.is_some() || !made.paths.is_empty() {
            specifiers.configs.push(made);
        }
    }
    specifiers
}

/// `baseUrl` and `paths`, unless a configuration that extends this one said so.
fn read_config(path: &str, config: &Value, made: &mut PathConfig) {
    let Some(options) = config.get("compilerOptions") else { return };
    let directory = directory(path);
    let base = options.get("baseUrl").and_then(Value::as_str).map(|base| joined(directory, base));
    if made.paths.is_empty()
        && let Some(paths) = options.get("paths").and_then(Value::as_object)
    {
        let from = base.clone().or_else(|| made.base.clone()).unwrap_or_else(|| directory.to_owned());
        made.paths = paths
            .iter()
            .map(|(pattern, targets)| {
                let targets = targets.as_array().into_iter().flatten().filter_map(Value::as_str);
                (pattern.clone(), targets.map(|target| joined(&from, target)).collect())
            })
            .collect();
    }
    if made.base.is_none() {
        made.base = base;
    }
}

/// `imports` of Deno: whole names, and beginnings that end in a slash.
fn import_map(directory: &str, config: &Value) -> Option<PathConfig> {
    let imports = config.get("imports")?.as_object()?;
    let own = imports
        .iter()
        .filter_map(|(name, target)| Some((name, target.as_str().filter(|target| target.starts_with('.'))?)));
    let paths = own.map(|(name, target)| {
        let rest = if name.ends_with('/') { "*" } else { "" };
        (
            format!("{name}{rest}"),
            vec![format!("{}{}{rest}", joined(directory, target), if rest.is_empty() { "" } else { "/" })],
        )
    });
    let paths: Vec<_> = paths.collect();
    (!paths.is_empty()).then(|| PathConfig { directory: directory.to_owned(), base: None, paths })
}

/// The configurations beside this one that it only refers to: `"references": [{"path": "./tsconfig.app.json"}]`.
fn referred<'c>(path: &str, configs: &'c BTreeMap<&str, Value>) -> Vec<(&'c str, &'c Value)> {
    let references = configs.get(path).and_then(|config| config.get("references")).and_then(Value::as_array);
    let paths = references.into_iter().flatten().filter_map(|reference| reference.get("path")?.as_str());
    let beside =
        paths.map(|target| joined(directory(path), target)).filter(|target| directory(target) == directory(path));
    beside.filter_map(|target| configs.get_key_value(target.as_str()).map(|(path, config)| (*path, config))).collect()
}

/// The path of the configuration that another one extends (the first, of several).
fn extended(path: &str, config: &Value, packages: &BTreeMap<&str, &str>) -> Option<String> {
    let extends = match config.get("extends")? {
        Value::Array(several) => several.first()?.as_str()?,
        one => one.as_str()?,
    };
    let whole = if extends.starts_with('.') || extends.starts_with('/') {
        joined(directory(path), extends)
    } else {
        let (package, rest) = crate::evaluate::package_name(extends);
        joined(packages.get(package)?, rest)
    };
    let path = std::path::Path::new(&whole);
    let named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    Some(if named { whole } else { format!("{whole}.json") })
}

fn package(directory: &str, manifest: &Value) -> Package {
    let text = |key: &str| manifest.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut package =
        Package { name: text("name").unwrap_or_default(), directory: directory.to_owned(), ..Package::default() };
    for kind in ["dependencies", "devDependencies", "peerDependencies"] {
        package
            .dependencies
            .extend(manifest.get(kind).and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone()));
    }
    package.entries.extend(text("source"));
    match manifest.get("exports") {
        Some(Value::Object(exports)) if exports.keys().any(|key| key.starts_with('.')) => {
            for (key, target) in exports {
                let mut targets = Vec::new();
                export_targets(target, &mut targets);
                if key == "." {
                    package.entries.append(&mut targets);
                } else {
                    let pattern = key.trim_start_matches("./").to_owned();
                    let targets = targets.iter().map(|target| joined(directory, target)).collect();
                    package.exports.push((pattern, targets));
                }
            }
        }
        Some(target) => export_targets(target, &mut package.entries),
        None => {}
    }
    for key in ["types", "typings", "module", "main"] {
        package.entries.extend(text(key));
    }
    for (key, target) in manifest.get("imports").and_then(Value::as_object).into_iter().flatten() {
        let mut targets = Vec::new();
        export_targets(target, &mut targets);
        let targets = targets.iter().map(|target| joined(directory, target)).collect();
        package.imports.push((key.clone(), targets));
    }
    package
}

/// The targets of an entry of `exports`, under whatever conditions.
fn export_targets(target: &Value, out: &mut Vec<String>) {
    match target {
        Value::String(target) => out.push(target.clone()),
        Value::Object(conditions) => conditions.values().for_each(|target| export_targets(target, out)),
        Value::Array(several) => several.iter().for_each(|target| export_targets(target, out)),
        _ => {}
    }
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// `target` as seen from a directory, `.` and `..` resolved.
fn joined(directory: &str, target: &str) -> String {
    if target.starts_with('/') || directory.is_empty() {
        return normal_path(target);
    }
    normal_path(&format!("{directory}/{target}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_extends_and_bases_are_understood() {
        let read = specifiers(&[
            ("/w/package.json".into(), r#"{"name": "@acme/base"}"#.into()),
            (
                "/w/tsconfig.base.json".into(),
                "{ // shared\n \"compilerOptions\": {\"baseUrl\": \"./src\", \"paths\": {\"@/*\": [\"./*\"]}, } }"
                    .into(),
            ),
            ("/w/app/tsconfig.json".into(), r#"{"extends": "@acme/base/tsconfig.base"}"#.into()),
        ]);
        let app = read.configs.iter().find(|config| config.directory == "/w/app").expect("it is read");
        assert_eq!(app.base.as_deref(), Some("/w/src"));
        assert_eq!(app.paths, [("@/*".to_owned(), vec!["/w/src/*".to_owned()])]);
    }

    #[test]
    fn what_a_configuration_refers_to_beside_it_counts() {
        let read = specifiers(&[
            ("/w/tsconfig.json".into(), r#"{"files": [], "references": [{"path": "./tsconfig.app.json"}]}"#.into()),
            ("/w/tsconfig.app.json".into(), r#"{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}"#.into()),
        ]);
        assert_eq!(read.configs.len(), 1);
        assert_eq!(read.configs[0].paths, [("@/*".to_owned(), vec!["/w/src/*".to_owned()])]);
    }

    #[test]
    fn exports_of_every_form_are_entries() {
        let manifest = r##"{"name": "p", "exports": {".": {"import": "./dist/i.mjs", "require": "./dist/i.js"},
            "./sub/*": "./dist/sub/*.js"}, "main": "m.js", "imports": {"#x/*": "./src/x/*"}}"##;
        let read = specifiers(&[("p/package.json".into(), manifest.into())]);
        let package = &read.packages[0];
        assert_eq!(package.entries, ["./dist/i.mjs", "./dist/i.js", "m.js"]);
        assert_eq!(package.exports, [("sub/*".to_owned(), vec!["p/dist/sub/*.js".to_owned()])]);
        assert_eq!(package.imports, [("#x/*".to_owned(), vec!["p/src/x/*".to_owned()])]);
    }
}
