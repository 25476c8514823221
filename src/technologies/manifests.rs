//! What manifests name: `package.json`, `pyproject.toml`, `requirements*.txt`, `*.csproj`.

use serde_json::Value;

/// A package as a manifest names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// As its registry writes it: `fastapi`, `@nestjs/core`, `Microsoft.EntityFrameworkCore`.
    pub name: String,
    /// What is asked for: `^5.1`, `>=0.110`; empty where any version will do.
    pub version: String,
    /// Whether only those who work on the project need it.
    pub is_for_development: bool,
}

impl Package {
    fn new(name: &str, version: &str, is_for_development: bool) -> Package {
        Package { name: name.trim().to_owned(), version: version.trim().to_owned(), is_for_development }
    }
}

/// Whether a file, by its path, is a manifest that is read.
pub fn is_manifest(path: &str) -> bool {
    reader(path).is_some()
}

type Reader = fn(&str) -> Result<Vec<Package>, String>;

fn reader(path: &str) -> Option<Reader> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_plain_text = name.to_ascii_lowercase().ends_with(".txt");
    match name {
        "package.json" => Some(node),
        "pyproject.toml" => Some(python),
        _ if name.starts_with("requirements") && is_plain_text => Some(lines),
        _ if name.ends_with(".csproj") => Some(csharp),
        _ => None,
    }
}

/// Packages of a manifest, in its order; none for a file that is no manifest.
///
/// # Errors
/// Why the text cannot be read.
pub fn packages(path: &str, text: &str) -> Result<Vec<Package>, String> {
    reader(path).map_or(Ok(Vec::new()), |read| read(text.trim_start_matches('\u{feff}')))
}

fn node(text: &str) -> Result<Vec<Package>, String> {
    let manifest: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let of = |key: &str, is_for_development: bool| -> Vec<Package> {
        let table = manifest[key].as_object().into_iter().flatten();
        table.map(|(name, version)| Package::new(name, version.as_str().unwrap_or(""), is_for_development)).collect()
    };
    Ok([of("dependencies", false), of("devDependencies", true)].concat())
}

/// PEP 621 (`[project]`), PEP 735 (`[dependency-groups]`) and Poetry's own tables.
fn python(text: &str) -> Result<Vec<Package>, String> {
    let manifest: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let listed = |list: Option<&toml::Value>, is_for_development: bool| -> Vec<Package> {
        let list = list.and_then(toml::Value::as_array).into_iter().flatten();
        list.filter_map(|it| requirement(it.as_str()?, is_for_development)).collect()
    };
    let mut found = Vec::new();
    if let Some(project) = manifest.get("project") {
        found.extend(listed(project.get("dependencies"), false));
        let extras = project.get("optional-dependencies").and_then(toml::Value::as_table);
        found.extend(extras.into_iter().flatten().flat_map(|(_, list)| listed(Some(list), true)));
    }
    let groups = manifest.get("dependency-groups").and_then(toml::Value::as_table);
    found.extend(groups.into_iter().flatten().flat_map(|(_, list)| listed(Some(list), true)));
    if let Some(poetry) = manifest.get("tool").and_then(|it| it.get("poetry")) {
        let table = |table: Option<&toml::Value>, is_for_development: bool| -> Vec<Package> {
            let table = table.and_then(toml::Value::as_table).into_iter().flatten();
            let version = |it: &toml::Value| it.as_str().or_else(|| it.get("version")?.as_str()).map(str::to_owned);
            let named = table.filter(|(name, _)| *name != "python");
            named.map(|(name, it)| Package::new(name, &version(it).unwrap_or_default(), is_for_development)).collect()
        };
        found.extend(table(poetry.get("dependencies"), false));
        found.extend(table(poetry.get("dev-dependencies"), true));
        let groups = poetry.get("group").and_then(toml::Value::as_table);
        found.extend(groups.into_iter().flatten().flat_map(|(_, it)| table(it.get("dependencies"), true)));
    }
    Ok(found)
}

#[expect(clippy::unnecessary_wraps, reason = "a reader like the others")]
fn lines(text: &str) -> Result<Vec<Package>, String> {
    let of_line = |line: &str| requirement(line.split(" #").next().unwrap_or(line), false);
    Ok(text.lines().filter(|it| !it.trim_start().starts_with(['#', '-'])).filter_map(of_line).collect())
}

/// A requirement of a Python package: <https://packaging.python.org/en/latest/specifications/dependency-specifiers/>. Markers and
/// extras are left out.
fn requirement(text: &str, is_for_development: bool) -> Option<Package> {
    let text = text.split(';').next().unwrap_or(text).trim();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c))).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    if let Some(after) = rest.trim_start().strip_prefix('[') {
        rest = after.split_once(']').map_or("", |it| it.1);
    }
    let version = if rest.trim_start().starts_with('@') { "" } else { rest.trim_matches(['(', ')', ' ']) };
    (!name.is_empty()).then(|| Package::new(name, version, is_for_development))
}

/// <https://learn.microsoft.com/nuget/consume-packages/package-references-in-project-files>; the SDK counts as a package.
fn csharp(text: &str) -> Result<Vec<Package>, String> {
    let document = roxmltree::Document::parse(text).map_err(|error| error.to_string())?;
    let sdk = document.root_element().attribute("Sdk").map(|it| {
        let (name, version) = it.split_once('/').unwrap_or((it, ""));
        Package::new(name, version, false)
    });
    let references = document.descendants().filter(|it| it.tag_name().name() == "PackageReference");
    let named = references.filter_map(|it| {
        let child = || it.children().find(|it| it.tag_name().name() == "Version")?.text();
        Some(Package::new(it.attribute("Include")?, it.attribute("Version").or_else(child).unwrap_or(""), false))
    });
    Ok(sdk.into_iter().chain(named).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(path: &str, text: &str) -> Vec<String> {
        let packages = packages(path, text).expect("a manifest");
        let word = |it: &Package| if it.is_for_development { " (dev)" } else { "" };
        packages.iter().map(|it| format!("{} {}{}", it.name, it.version, word(it)).trim().replace("  ", " ")).collect()
    }

    #[test]
    fn packages_of_each_manifest() {
        let text = r#"{"dependencies": {"express": "^5.1"}, "devDependencies": {"vitest": "*"}}"#;
        assert_eq!(shown("a/package.json", text), ["express ^5.1", "vitest * (dev)"]);
        let text = "[project]\ndependencies = [\"fastapi[all]>=0.110,<1; python_version > '3.9'\", \"httpx\", \"x @ https://e.org/x.whl\"]\n\
                    [project.optional-dependencies]\ntest = [\"pytest (>=8)\"]\n[dependency-groups]\nlint = [\"ruff\", {include-group = \"test\"}]\n";
        assert_eq!(
            shown("pyproject.toml", text),
            ["fastapi >=0.110,<1", "httpx", "x", "pytest >=8 (dev)", "ruff (dev)"]
        );
        let text = "[tool.poetry.dependencies]\npython = \"^3.12\"\nflask = {version = \"^3\", extras = [\"async\"]}\n[tool.poetry.group.dev.dependencies]\nmypy = \"*\"\n";
        assert_eq!(shown("pyproject.toml", text), ["flask ^3", "mypy * (dev)"]);
        let text = "# what it needs\n-r base.txt\nDjango==5.2 # the framework\n\n  celery\n";
        assert_eq!(shown("requirements/requirements-prod.txt", text), ["Django ==5.2", "celery"]);
        let text = "<Project Sdk=\"Microsoft.NET.Sdk.Web\"><ItemGroup><PackageReference Include=\"Dapper\" Version=\"2.1\"/>\
                    <PackageReference Include=\"Npgsql\"><Version>9</Version></PackageReference></ItemGroup></Project>";
        assert_eq!(shown("Api/Api.csproj", text), ["Microsoft.NET.Sdk.Web", "Dapper 2.1", "Npgsql 9"]);
        assert_eq!(shown("README.md", "fastapi"), [""; 0]);
        assert!(packages("package.json", "{").is_err() && packages("A.csproj", "<a>").is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,200}", at in 0usize..4) {
            let path = ["package.json", "pyproject.toml", "requirements.txt", "A.csproj"][at];
            let _ = packages(path, &text);
        }
    }
}
