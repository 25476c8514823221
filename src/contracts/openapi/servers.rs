//! Base paths: `basePath` of 2.0, the path part of `servers` of 3.x.

use super::METHODS;
use crate::contracts::dialect::Dialect;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::Node;
use crate::text::Span;

/// Base paths of a contract in the order of the document, those of single paths and operations last; `[""]` where it
/// states none.
pub(super) fn base_paths<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> Vec<String> {
    if reader.dialect(root) == Dialect::V2 {
        return vec![root.node.get("basePath").and_then(Node::text).map(path_of).unwrap_or_default()];
    }
    let mut paths = Vec::new();
    let own = collect(root.node, &mut paths);
    if !own {
        paths.push(String::new());
    }
    for (_, item) in root.node.get("paths").map(Node::entries).unwrap_or_default() {
        collect(item, &mut paths);
        for (method, operation) in item.entries() {
            if METHODS.contains(&method.text.as_str()) {
                collect(operation, &mut paths);
            }
        }
    }
    paths
}

/// Addresses of the document's servers, as written; of 2.0, the base path.
pub(super) fn addresses(root: &Place<'_>) -> Vec<(String, Span)> {
    if let Some(base) = root.child("basePath") {
        return base.node.text().map(|text| (text.to_owned(), base.span)).into_iter().collect();
    }
    let servers: Vec<Place<'_>> = root.child("servers").map(|list| list.items().collect()).unwrap_or_default();
    servers.iter().filter_map(|server| Some((server.text("url")?.to_owned(), server.span))).collect()
}

/// Whether the address of a server has variables.
pub(super) fn vary(root: &Node) -> bool {
    let servers = root.get("servers").map(Node::items).unwrap_or_default();
    servers.iter().filter_map(|server| server.get("url").and_then(Node::text)).any(|url| url.contains('{'))
}

/// Adds the paths of a node's `servers`; whether it has any.
fn collect(node: &Node, paths: &mut Vec<String>) -> bool {
    let mut any = false;
    for server in node.get("servers").map(Node::items).unwrap_or_default() {
        let Some(url) = server.get("url").and_then(Node::text) else { continue };
        any = true;
        let path = path_of(&substitute(url, server.get("variables")));
        // A handful at most.
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    any
}

/// Replaces `{name}` by the default of the variable, else by its first value.
fn substitute(url: &str, variables: Option<&Node>) -> String {
    let mut out = String::new();
    let mut rest = url;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, further)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            continue;
        };
        let variable = variables.and_then(|variables| variables.get(name));
        let value = variable.and_then(|v| v.get("default").or_else(|| v.get("enum").and_then(|e| e.items().first())));
        out.push_str(value.and_then(Node::scalar_text).unwrap_or(""));
        rest = further;
    }
    out.push_str(rest);
    out
}

/// The path part of a URL or a relative reference, with a leading and without a trailing slash; `""` for the root.
fn path_of(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or("");
    let path = match url.split_once("://").map(|(_, rest)| rest).or_else(|| url.strip_prefix("//")) {
        Some(rest) => rest.split_once('/').map_or("", |(_, path)| path),
        None => url,
    };
    let mut out = String::new();
    for segment in path.split('/').filter(|segment| !matches!(*segment, "" | "." | "..")) {
        out.push('/');
        out.push_str(segment);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contracts::tree;
    use crate::text::FileId;

    #[test]
    fn the_path_part_of_a_server_is_found() {
        for (url, path) in [
            ("https://example.com/api/v1/", "/api/v1"),
            ("https://example.com", ""),
            ("//example.com/v2", "/v2"),
            ("/", ""),
            ("/v3", "/v3"),
            ("v3/", "/v3"),
            ("./v3", "/v3"),
            ("http://localhost:8080/a//b?x=/y", "/a/b"),
            ("", ""),
        ] {
            assert_eq!(path_of(url), path, "{url}");
        }
    }

    #[test]
    fn variables_are_replaced_by_their_defaults() {
        let text = "{ version: {default: v2}, base: {enum: [api, x]}, n: {default: 3} }";
        let variables = tree::read(FileId(0), text).root;
        let url = substitute("https://{host}/{base}/{version}/{n}/{", Some(&variables));
        assert_eq!(url, "https:///api/v2/3/{");
    }
}
