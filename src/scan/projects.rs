//! What project files of C# say: `*.csproj`, and the `Directory.Build.props` above them.

use crate::evaluate::{Project, normal_path};

/// Packages that start a service for tests: what is built with one serves nothing itself.
pub(super) const TEST_HOSTS: &[&str] = &["Microsoft.AspNetCore.Mvc.Testing", "Microsoft.AspNetCore.TestHost"];

/// Whether a file says how a project of C# is built.
pub(super) fn is_project_file(name: &str) -> bool {
    is_project(name) || name.eq_ignore_ascii_case("Directory.Build.props")
}

fn is_project(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csproj"))
}

/// Reads project files: pairs of path and text. What cannot be read says nothing, but its directory is a project.
pub(super) fn read(metadata: &[(String, String)]) -> Vec<Project> {
    let directory = |path: &str| path.rsplit_once('/').map_or(String::new(), |(directory, _)| directory.to_owned());
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let shared: Vec<Project> = metadata
        .iter()
        .filter(|(path, _)| is_project_file(&name(path)) && !is_project(&name(path)))
        .map(|(path, text)| said(directory(path), text))
        .collect();
    let mut projects: Vec<Project> = Vec::new();
    let mut packages: Vec<(String, String)> = Vec::new();
    for (path, text) in metadata.iter().filter(|(path, _)| is_project(&name(path))) {
        let mut project = said(directory(path), text);
        packages.push((package(&name(path), text), project.directory.clone()));
        // The nearest of those above, as the build has it.
        let above = shared.iter().filter(|shared| encloses(&shared.directory, &project.directory));
        if let Some(above) = above.max_by_key(|shared| shared.directory.len()) {
            project.imports.extend(above.imports.iter().cloned());
            project.dependencies.extend(above.dependencies.iter().cloned());
            project.strict_nulls = project.strict_nulls.or(above.strict_nulls);
        }
        match projects.iter_mut().find(|known| known.directory == project.directory) {
            // Two projects of one directory share its files.
            Some(known) => {
                known.imports.extend(project.imports);
                known.dependencies.extend(project.dependencies);
            }
            None => projects.push(project),
        }
    }
    // What one project is packed as, others are built with.
    for project in &mut projects {
        let built_with = packages
            .iter()
            .filter(|(name, directory)| *directory != project.directory && project.dependencies.contains(name));
        project.references.extend(built_with.map(|(_, directory)| directory.clone()));
    }
    projects
}

/// The name of the package that a project is packed as.
fn package(file: &str, text: &str) -> String {
    let said = |tag: &str| {
        let (_, rest) = text.split_once(&format!("<{tag}>"))?;
        let (name, _) = rest.split_once(&format!("</{tag}>"))?;
        Some(name.trim().to_owned()).filter(|name| !name.is_empty() && !name.contains("$("))
    };
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    said("PackageId").or_else(|| said("AssemblyName")).unwrap_or_else(|| stem.to_owned())
}

fn encloses(outer: &str, inner: &str) -> bool {
    outer.is_empty() || inner == outer || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
}

fn said(directory: String, text: &str) -> Project {
    let mut project = Project { directory, ..Project::default() };
    let text = text.trim_start_matches('\u{feff}');
    let Ok(document) = roxmltree::Document::parse(text) else { return project };
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let reference = match node.tag_name().name() {
            "Project" => node.attribute("Sdk"),
            "Sdk" => node.attribute("Name"),
            "PackageReference" | "FrameworkReference" => node.attribute("Include"),
            _ => None,
        };
        // `Name/1.0`
        project.dependencies.extend(reference.map(|name| name.split('/').next().unwrap_or(name).trim().to_owned()));
        match node.tag_name().name() {
            "Using" if node.attribute("Alias").is_none() && node.attribute("Static").is_none() => {
                project.imports.extend(node.attribute("Include").map(|name| name.trim().to_owned()));
            }
            "Project" if node.attribute("Sdk").is_some_and(|sdk| sdk.starts_with("Microsoft.NET.Sdk.Web")) => {
                project.serves = true;
            }
            "FrameworkReference" | "PackageReference" => {
                let name = node.attribute("Include").unwrap_or_default();
                let is_web = name.starts_with("Microsoft.AspNetCore.") || name.starts_with("FastEndpoints");
                project.serves |= is_web && !TEST_HOSTS.contains(&name);
            }
            "ProjectReference" => {
                if let Some(path) = node.attribute("Include") {
                    let path = normal_path(&format!("{}/{}", project.directory, path.trim().replace('\\', "/")));
                    project.references.extend(path.rsplit_once('/').map(|(directory, _)| directory.to_owned()));
                }
            }
            "Nullable" => {
                project.strict_nulls = node.text().map(|text| matches!(text.trim(), "enable" | "annotations"));
            }
            _ => {}
        }
    }
    project
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_takes_over_what_stands_above_it_unless_it_says_so_itself() {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let projects = read(&[
            file(
                "Directory.Build.props",
                "<Project><PropertyGroup><Nullable>enable</Nullable></PropertyGroup></Project>",
            ),
            file(
                "src/Api/Api.csproj",
                "\u{feff}<Project Sdk=\"Microsoft.NET.Sdk.Web\"><ItemGroup><Using Include=\"Shop.Core\" /></ItemGroup></Project>",
            ),
            file(
                "src/Old/Old.csproj",
                "<Project><PropertyGroup><Nullable>disable</Nullable></PropertyGroup></Project>",
            ),
            file("src/Broken/Broken.csproj", "<Project><"),
        ]);
        let said =
            |at: usize| (projects[at].directory.as_str(), projects[at].imports.as_slice(), projects[at].strict_nulls);
        assert_eq!(said(0), ("src/Api", ["Shop.Core".to_owned()].as_slice(), Some(true)));
        assert_eq!(said(1), ("src/Old", [].as_slice(), Some(false)));
        assert_eq!(said(2), ("src/Broken", [].as_slice(), Some(true)));
        assert_eq!(projects[0].dependencies, ["Microsoft.NET.Sdk.Web"]);
    }

    #[test]
    fn a_project_is_built_with_what_another_is_packed_as() {
        let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let reference = |name: &str| {
            format!("<Project><ItemGroup><PackageReference Include=\"{name}\" Version=\"1.0\" /></ItemGroup></Project>")
        };
        let named = "<Project><PropertyGroup><AssemblyName>Shop.Bus</AssemblyName></PropertyGroup></Project>";
        let projects = read(&[
            file("src/Bus/Bus.csproj", named),
            file("src/Core/Core.csproj", "<Project></Project>"),
            file("src/Api/Api.csproj", &reference("Shop.Bus")),
            file("src/Worker/Worker.csproj", &reference("Core")),
            file("src/Other/Other.csproj", &reference("Bus")),
        ]);
        let built_with = |at: usize| projects[at].references.clone();
        assert_eq!(built_with(2), ["src/Bus"]);
        assert_eq!(built_with(3), ["src/Core"]);
        assert!(built_with(4).is_empty());
    }
}
