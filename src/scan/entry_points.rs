//! Entry points that packages publish: `entry_points.txt` of an installed package, `pyproject.toml` of a source tree
//! (Python Packaging User Guide, "Entry points specification").

use crate::evaluate::EntryPoint;

/// Reads metadata files: pairs of path and text.
pub(super) fn read(metadata: &[(String, String)]) -> Vec<EntryPoint> {
    metadata
        .iter()
        .flat_map(|(path, text)| match path.rsplit('/').next() {
            Some("pyproject.toml") => pyproject(text),
            Some("entry_points.txt") => ini(text),
            _ => Vec::new(),
        })
        .collect()
}

fn ini(text: &str) -> Vec<EntryPoint> {
    let mut points = Vec::new();
    let mut group = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            group = name.trim().to_owned();
        } else if let Some((name, target)) = line.split_once('=')
            && !line.starts_with(['#', ';'])
        {
            points.push(point(&group, name, target));
        }
    }
    points
}

fn point(group: &str, name: &str, target: &str) -> EntryPoint {
    EntryPoint { group: group.to_owned(), name: name.trim().to_owned(), target: target.trim().to_owned() }
}

fn pyproject(text: &str) -> Vec<EntryPoint> {
    let Ok(document) = text.parse::<toml::Table>() else { return Vec::new() };
    let declared = document.get("project").and_then(|project| project.get("entry-points"));
    let poetry = document.get("tool").and_then(|tool| tool.get("poetry")).and_then(|poetry| poetry.get("plugins"));
    let mut points = Vec::new();
    for groups in [declared, poetry].into_iter().flatten().filter_map(toml::Value::as_table) {
        for (group, entries) in groups {
            for (name, target) in entries.as_table().into_iter().flatten() {
                points.extend(target.as_str().map(|target| point(group, name, target)));
            }
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_read() {
        let ini = "[app.routers]\nusers = app.users:router\n# x = y\n".to_owned();
        let toml = "[project.entry-points.\"app.routers\"]\nitems = \"app.items:router\"\n".to_owned();
        let points = read(&[("a/entry_points.txt".to_owned(), ini), ("pyproject.toml".to_owned(), toml)]);
        let seen: Vec<_> = points.iter().map(|p| (p.group.as_str(), p.name.as_str(), p.target.as_str())).collect();
        assert_eq!(seen, [("app.routers", "users", "app.users:router"), ("app.routers", "items", "app.items:router")]);
    }
}
