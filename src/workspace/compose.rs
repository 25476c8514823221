//! Compose files: services, their ports, variables and needs, of the tree of YAML that keeps spans
//! (<https://github.com/compose-spec/compose-spec/blob/main/spec.md>). Both syntaxes of each attribute are read, aliases and
//! merged mappings (`<<`) as well.

mod ports;

use std::collections::BTreeSet;

use super::listing::{directory, resolve};
use super::variables;
use crate::contracts::tree::{self, Node};
use crate::finding::{Problem, ProblemKind};
use crate::text::{FileId, Span};

pub use ports::{Published, Range};

/// One compose file.
#[derive(Debug, Default)]
pub struct Compose {
    /// It is read without being named, and no test or example.
    pub is_main: bool,
    pub services: Vec<Service>,
    /// Variables that its values take from outside, in order.
    pub variables: Vec<Outer>,
    /// Services may come from other files, or be reached over networks of other projects.
    pub is_open: bool,
}

/// A variable that is taken from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outer {
    pub name: String,
    pub span: Span,
    /// The file says what holds without it, or that it must be there.
    pub is_settled: bool,
}

/// A service of a compose file.
#[derive(Debug)]
pub struct Service {
    pub name: String,
    pub span: Span,
    /// The folder that its image is built from, as shown.
    pub context: Option<String>,
    /// The Dockerfile that the image is built from, as shown.
    pub dockerfile: Option<String>,
    pub published: Vec<Published>,
    /// Ports of the container that others may reach: published and exposed.
    pub container: Vec<Range>,
    /// A port that cannot be told stands there.
    pub has_unknown_port: bool,
    /// Its ports are those of the host.
    pub on_host: bool,
    /// Variables that its containers are given, each with its value where one is written.
    pub environment: Vec<(String, Option<(String, Span)>)>,
    /// Files of variables, as shown; with whether the file must be there.
    pub env_files: Vec<(String, bool)>,
    pub depends_on: Vec<(String, Span)>,
    pub has_healthcheck: bool,
    pub has_restart: bool,
    /// It starts only if one of these is asked for.
    pub profiles: Vec<String>,
    /// What it is called in networks besides its name.
    pub aliases: Vec<String>,
    /// It has `extends`: the settings of the other service are not read.
    pub extends: bool,
    pub runs: String,
}

/// Reads the text of a compose file.
pub fn read(file: FileId, path: &str, text: &str, is_main: bool) -> (Compose, Vec<Problem>) {
    let tree = tree::read(file, text);
    let mut problems = Vec::new();
    if is_main && let Some(issue) = tree.syntax_error() {
        let mut problem =
            Problem::new(ProblemKind::SyntaxError, path, format!("it is not valid YAML: {}", issue.message))
                .with_help("what stands after this place is not checked");
        problem.span = Some(issue.span);
        problems.push(problem);
    }
    let root = &tree.root;
    let mut compose = Compose { is_main, ..Compose::default() };
    let folder = directory(path);
    for (key, service) in get(root, "services").map(members).unwrap_or_default() {
        if let Some(read) = self::service(&key.text, key.span, service, folder) {
            compose.services.push(read);
        }
    }
    let is_external = |node: &Node| get(node, "external").is_some_and(|it| it.is_true() || it.is_object());
    let networks = get(root, "networks").map(members).unwrap_or_default();
    compose.is_open = get(root, "include").is_some() || networks.iter().any(|(_, network)| is_external(network));
    let mut seen = BTreeSet::new();
    outer(root, text, &mut seen, &mut compose.variables, 0);
    compose.variables.sort_by_key(|it| (it.span.start, it.span.end));
    compose.variables.dedup();
    (compose, problems)
}

/// Levels of mappings that are merged or looked through; what lies deeper is left out.
const MAX_DEPTH: usize = 40;

/// A member of a mapping, its own or one that is merged into it.
fn get<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    fn find<'n>(node: &'n Node, key: &str, depth: usize) -> Option<&'n Node> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(own) = node.get(key) {
            return Some(own);
        }
        let merged = node.get("<<")?;
        find(merged, key, depth + 1).or_else(|| merged.items().iter().find_map(|it| find(it, key, depth + 1)))
    }
    find(node, key, 0)
}

/// Members of a mapping without what is merged.
fn members(node: &Node) -> Vec<(&tree::Key, &Node)> {
    node.entries().iter().filter(|(key, _)| key.text != "<<").map(|(key, value)| (key, value)).collect()
}

/// Members, own before merged.
fn all_members(node: &Node) -> Vec<(&tree::Key, &Node)> {
    fn collect<'n>(node: &'n Node, found: &mut Vec<(&'n tree::Key, &'n Node)>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for (key, value) in members(node) {
            if !found.iter().any(|(known, _)| known.text == key.text) {
                found.push((key, value));
            }
        }
        for merged in node.get("<<").into_iter().flat_map(|it| std::iter::once(it).chain(it.items())) {
            collect(merged, found, depth + 1);
        }
    }
    let mut found = Vec::new();
    collect(node, &mut found, 0);
    found
}

fn service(name: &str, span: Span, node: &Node, folder: &str) -> Option<Service> {
    if !node.is_object() {
        return None;
    }
    let mut service = Service {
        name: name.to_owned(),
        span,
        context: None,
        dockerfile: None,
        published: Vec::new(),
        container: Vec::new(),
        has_unknown_port: false,
        on_host: text_of(node, "network_mode").is_some_and(|mode| mode != "bridge"),
        environment: environment(get(node, "environment")),
        env_files: env_files(get(node, "env_file"), folder),
        depends_on: depends_on(get(node, "depends_on")),
        has_healthcheck: get(node, "healthcheck").is_some(),
        has_restart: get(node, "restart").is_some()
            || get(node, "deploy").and_then(|it| get(it, "restart_policy")).is_some(),
        profiles: texts(get(node, "profiles")),
        aliases: aliases(node),
        extends: get(node, "extends").is_some(),
        runs: ["command", "entrypoint"].iter().filter_map(|key| get(node, key)).map(Node::to_json).collect(),
    };
    build(get(node, "build"), folder, &mut service);
    for port in get(node, "ports").map(Node::items).unwrap_or_default() {
        match ports::read(port) {
            Some(published) => {
                service.container.push(published.container);
                service.published.push(published);
            }
            None => service.has_unknown_port = true,
        }
    }
    for port in get(node, "expose").map(Node::items).unwrap_or_default() {
        match port.scalar_text().and_then(ports::range) {
            Some(range) => service.container.push(range),
            None => service.has_unknown_port = true,
        }
    }
    Some(service)
}

fn text_of<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    get(node, key)?.scalar_text()
}

/// Texts of a list, or a text that stands alone.
fn texts(node: Option<&Node>) -> Vec<String> {
    let Some(node) = node else { return Vec::new() };
    node.scalar_text().into_iter().chain(node.items().iter().filter_map(Node::scalar_text)).map(str::to_owned).collect()
}

fn build(node: Option<&Node>, folder: &str, service: &mut Service) {
    let Some(node) = node else { return };
    let context = node.scalar_text().or_else(|| text_of(node, "context"));
    // A repository elsewhere, or a place that a variable names.
    let context =
        context.or_else(|| node.is_object().then_some(".")).filter(|it| !it.contains("://") && !it.contains('$'));
    service.context = context.and_then(|it| resolve(folder, it));
    let named = text_of(node, "dockerfile").unwrap_or("Dockerfile");
    service.dockerfile = service.context.as_deref().and_then(|context| resolve(context, named));
}

/// `NAME: value`, or `- NAME=value`; a name alone is taken from outside.
fn environment(node: Option<&Node>) -> Vec<(String, Option<(String, Span)>)> {
    let Some(node) = node else { return Vec::new() };
    let pairs = all_members(node).into_iter().map(|(key, value)| {
        let value = value.scalar_text().map(|text| (text.to_owned(), value.span));
        (key.text.clone(), value)
    });
    let listed = node.items().iter().filter_map(|item| {
        let text = item.scalar_text()?;
        Some(match text.split_once('=') {
            Some((name, value)) => (name.trim().to_owned(), Some((value.to_owned(), item.span))),
            None => (text.trim().to_owned(), None),
        })
    });
    pairs.chain(listed).collect()
}

fn env_files(node: Option<&Node>, folder: &str) -> Vec<(String, bool)> {
    let Some(node) = node else { return Vec::new() };
    let of = |item: &Node| {
        let path = item.scalar_text().or_else(|| text_of(item, "path"))?;
        let required = !matches!(get(item, "required").map(|it| &it.value), Some(tree::Value::Bool(false)));
        // A name that a variable decides may be any file.
        Some((resolve(folder, path).unwrap_or_else(|| path.to_owned()), required))
    };
    of(node).into_iter().chain(node.items().iter().filter_map(of)).collect()
}

/// `- name`, or `name: { condition: … }`; what need not be there is left out.
fn depends_on(node: Option<&Node>) -> Vec<(String, Span)> {
    let Some(node) = node else { return Vec::new() };
    let is_needed =
        |value: &Node| !matches!(get(value, "required").map(|it| &it.value), Some(tree::Value::Bool(false)));
    let pairs = all_members(node).into_iter().filter(|(_, value)| is_needed(value));
    let pairs = pairs.map(|(key, _)| (key.text.clone(), key.span));
    let listed = node.items().iter().filter_map(|item| Some((item.scalar_text()?.to_owned(), item.span)));
    pairs.chain(listed).collect()
}

fn aliases(node: &Node) -> Vec<String> {
    let mut names = texts(get(node, "container_name"));
    names.extend(texts(get(node, "hostname")));
    for (_, network) in get(node, "networks").map(all_members).unwrap_or_default() {
        names.extend(texts(get(network, "aliases")));
    }
    for link in texts(get(node, "links")).into_iter().chain(texts(get(node, "external_links"))) {
        names.extend(link.split_once(':').map(|(_, alias)| alias.to_owned()));
    }
    for host in texts(get(node, "extra_hosts")) {
        names.extend(host.split([':', '=']).next().map(str::to_owned));
    }
    if let Some(hosts) = get(node, "extra_hosts") {
        names.extend(hosts.entries().iter().map(|(key, _)| key.text.clone()));
    }
    names
}

/// Variables in the values below a node, each place once: what an alias stands for stands there once.
fn outer(node: &Node, text: &str, seen: &mut BTreeSet<(u32, u32)>, found: &mut Vec<Outer>, depth: usize) {
    if depth > MAX_DEPTH || !seen.insert((node.span.start, node.span.end)) && node.text().is_none() {
        return;
    }
    if let Some(value) = node.text() {
        let place = text.get(node.span.start as usize..node.span.end as usize).unwrap_or("");
        for variable in variables::read(value) {
            // Where the value is written as it is, the place of the variable is known.
            let exact = place.find(&value[variable.start..variable.end]);
            let (start, end) = match exact {
                Some(at) => {
                    (node.span.start as usize + at, node.span.start as usize + at + variable.end - variable.start)
                }
                None => (node.span.start as usize, node.span.end as usize),
            };
            found.push(Outer {
                name: variable.name.to_owned(),
                span: Span::new(node.span.file, start, end),
                is_settled: variable.default.is_some() || variable.required || variable.conditional,
            });
        }
    }
    for inner in node.items().iter().chain(node.entries().iter().map(|(_, value)| value)) {
        outer(inner, text, seen, found, depth + 1);
    }
}
