//! `paths` to operations, with what is wrong about paths: repeated ones, and parameters that template and declaration
//! do not share.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::METHODS;
use super::messages::{self, Inputs};
use crate::contracts::dialect::Dialect;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::{Key, Node};
use crate::contracts::{Issue, IssueKind, Terms, Webhook};
use crate::finding::{Problem, ProblemKind, Reason};
use crate::model::{Method, Operation, PathTemplate, Request};
use crate::text::Span;

/// Reads every operation in the order of the document, with its terms, and the requests that the service itself makes.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> (Vec<Operation>, Vec<Terms>, Vec<Webhook>) {
    let mut found = Found::default();
    if let Some(paths) = root.child("paths").and_then(|paths| reader.follow(paths)) {
        for (key, own) in paths.members() {
            if key.text.starts_with("x-") {
                continue;
            }
            if !key.text.starts_with('/') {
                let message = format!("path `{}` does not start with `/`", key.text);
                reader.issue(IssueKind::InvalidValue, key.span, &own.pointer, message, None);
            }
            found.item(reader, root, key, &own, None);
        }
    }
    if let Some(webhooks) = root.child("webhooks").and_then(|webhooks| reader.follow(webhooks)) {
        for (key, own) in webhooks.members() {
            if !key.text.starts_with("x-") {
                found.item(reader, root, key, &own, Some((&format!("webhook `{}`", key.text), "")));
            }
        }
    }
    (found.operations, found.terms, found.webhooks)
}

/// What was read so far.
#[derive(Default)]
struct Found {
    operations: Vec<Operation>,
    terms: Vec<Terms>,
    webhooks: Vec<Webhook>,
    seen: Seen,
}

impl Found {
    /// A path item: of a path, else of what the service asks others, with its name and address.
    fn item<'d>(
        &mut self,
        reader: &mut Reader<'d>,
        root: &Place<'d>,
        key: &'d Key,
        own: &Place<'d>,
        asked: Option<(&str, &str)>,
    ) {
        // A path item may be a reference and have members of its own.
        let mut items = vec![own.clone()];
        if own.text("$ref").is_some() {
            items.extend(reader.follow(own.clone()));
        }
        let mut path =
            PathItem { key, items: &items, missing: BTreeMap::new(), methods: 0, is_served: asked.is_none() };
        for item in &items {
            for (method, place) in methods(reader, item) {
                // No version allows a reference here, but tools that join files follow it.
                let Some(described) = reader.follow(place.clone()).filter(|described| !described.node.cut) else {
                    continue;
                };
                path.methods += 1;
                self.seen.operation(reader, key, method, &described, path.is_served);
                let (operation, terms) = operation(reader, root, &mut path, method, &described, &mut self.seen);
                let operation = Operation { span: place.span, pointer: place.pointer, ..operation };
                if let Some((name, address)) = asked {
                    let (name, address) = (name.to_owned(), address.to_owned());
                    self.webhooks.push(Webhook { name, address, operation });
                } else {
                    self.callbacks(reader, root, &operation.title(), &described);
                    self.terms.push(terms);
                    self.operations.push(operation);
                }
            }
        }
        path.report_missing(reader);
    }

    fn callbacks<'d>(&mut self, reader: &mut Reader<'d>, root: &Place<'d>, title: &str, operation: &Place<'d>) {
        let Some(callbacks) = operation.child("callbacks").and_then(|callbacks| reader.follow(callbacks)) else {
            return;
        };
        for (name, callback) in callbacks.members() {
            let Some(callback) = reader.follow(callback).filter(|_| !name.text.starts_with("x-")) else { continue };
            for (address, item) in callback.members() {
                if !address.text.starts_with("x-") && address.text != "$ref" {
                    let name = format!("callback `{}` of `{title}`", name.text);
                    self.item(reader, root, address, &item, Some((&name, &address.text)));
                }
            }
        }
    }
}

/// Methods of a path item that its version knows.
fn methods<'d>(reader: &mut Reader<'d>, item: &Place<'d>) -> Vec<(Method, Place<'d>)> {
    let dialect = reader.dialect(item);
    let mut found = Vec::new();
    for (key, place) in item.members() {
        let lower = key.text.to_ascii_lowercase();
        let known = METHODS.contains(&lower.as_str())
            && (lower != "query" || dialect >= Dialect::V32)
            && (lower != "trace" || dialect > Dialect::V2);
        if known && let Some(method) = Method::parse(&lower) {
            if key.text != lower {
                let message = format!("method `{}` must be written `{lower}`", key.text);
                reader.issue(IssueKind::InvalidValue, key.span, &place.pointer, message, None);
            }
            found.push((method, place));
        }
    }
    if dialect >= Dialect::V32
        && let Some(more) = item.child("additionalOperations")
    {
        for (key, place) in more.members() {
            if let Some(method) = Method::parse(&key.text) {
                found.push((method, place));
            } else {
                let message = format!("operations of method `{}` are not read", key.text);
                let problem = Problem::new(ProblemKind::Unreadable, reader.sources[item.source].path, message);
                reader.problems.push(Problem { span: Some(key.span), ..problem });
            }
        }
    }
    found
}

fn operation<'d>(
    reader: &mut Reader<'d>,
    root: &Place<'d>,
    path: &mut PathItem<'_, 'd>,
    method: Method,
    place: &Place<'d>,
    seen: &mut Seen,
) -> (Operation, Terms) {
    let consumes = messages::media_types(root.node, place.node, "consumes");
    let produces = messages::media_types(root.node, place.node, "produces");
    let inputs = messages::inputs(reader, path.items, place, &consumes);
    path.compare(reader, method, &inputs, seen);
    let is_planned =
        |place: &Place<'_>| place.text("x-status").is_some_and(|text| text.eq_ignore_ascii_case("planned"));
    let (responses, headers) = messages::responses(reader, place, &produces);
    let terms = Terms {
        tags: place.node.get("tags").map(Node::items).unwrap_or_default().iter().filter_map(text).collect(),
        security: security(root, place),
        stability: place.node.get("x-stability-level").and_then(Node::scalar_text).map(str::to_owned),
        body: inputs.body,
        sunset: place.node.get("x-sunset").and_then(Node::scalar_text).map(str::to_owned),
        headers,
        parameters: inputs.terms,
    };
    let operation = Operation {
        method,
        path: PathTemplate::new(without_query(&path.key.text)),
        span: place.span,
        pointer: place.pointer.clone(),
        responses,
        request: Request {
            parameters: inputs.parameters,
            bodies: inputs.request,
            other_parameters: unread(inputs.incomplete || inputs.has_query_string, place),
            other_bodies: unread(inputs.body_unread, place),
            unchecked: false,
            parsed: false,
        },
        deprecated: place.is_true("deprecated"),
        id: place.text("operationId").map(str::to_owned),
        extensions: std::iter::once(place).chain(path.items).flat_map(extensions).collect(),
        planned: is_planned(place) || path.items.iter().any(is_planned),
        implementation: None,
    };
    (operation, terms)
}

/// Why there may be more than was read.
fn unread(incomplete: bool, place: &Place<'_>) -> Option<Reason> {
    incomplete.then(|| Reason::new("the contract could not be read whole here", Some(place.span)))
}

fn text(node: &Node) -> Option<String> {
    node.text().map(str::to_owned)
}

/// What an operation asks of those who call it: its own `security`, else the document's. An empty entry lets everybody in.
fn security(root: &Place<'_>, operation: &Place<'_>) -> Vec<Vec<(String, Vec<String>)>> {
    let stated = operation.node.get("security").or_else(|| root.node.get("security"));
    let ways = stated.map(Node::items).unwrap_or_default();
    if ways.iter().any(|way| way.is_object() && way.entries().is_empty()) {
        return Vec::new();
    }
    let way = |way: &Node| -> Vec<(String, Vec<String>)> {
        let mut schemes: Vec<_> = way
            .entries()
            .iter()
            .map(|(scheme, scopes)| (scheme.text.clone(), scopes.items().iter().filter_map(text).collect()))
            .collect();
        schemes.sort();
        schemes
    };
    ways.iter().map(way).collect()
}

/// A path as it is asked for, where a document writes its query behind it: `/pets/find?name={name}`.
fn without_query(path: &str) -> &str {
    path.split_once('?').map_or(path, |(path, _)| path)
}

/// Extensions whose value is text.
fn extensions(place: &Place<'_>) -> Vec<(String, String)> {
    let entries = place.node.entries().iter().filter(|(key, _)| key.text.starts_with("x-"));
    entries.filter_map(|(key, value)| Some((key.text.clone(), value.text()?.to_owned()))).collect()
}

struct PathItem<'i, 'd> {
    key: &'d Key,
    items: &'i [Place<'d>],
    /// Names in the template and the methods that do not declare them.
    missing: BTreeMap<String, Vec<Method>>,
    methods: usize,
    /// It is a path, rather than a name or an expression.
    is_served: bool,
}

impl<'d> PathItem<'_, 'd> {
    /// Every name of the template is declared, and nothing else is (OpenAPI 3.1, 4.8.12; 2.0, "Path Templating").
    fn compare(&mut self, reader: &mut Reader<'d>, method: Method, inputs: &Inputs, seen: &mut Seen) {
        if !self.is_served {
            return;
        }
        let named: Vec<&str> = template_names(&self.key.text);
        let is_named = |name: &str| named.iter().any(|expression| names(expression, name));
        for (name, span, pointer) in &inputs.in_path {
            if !is_named(name) && seen.undeclared.insert((*span, self.key.span)) {
                let message = format!("path parameter `{name}` does not occur in `{}`", self.key.text);
                reader.issue(IssueKind::InvalidValue, *span, pointer, message, None);
            }
        }
        if inputs.incomplete {
            return;
        }
        for expression in named {
            if !inputs.in_path.iter().any(|(name, ..)| names(expression, name)) {
                self.missing.entry(expression.to_owned()).or_default().push(method);
            }
        }
    }

    fn report_missing(&self, reader: &mut Reader<'d>) {
        for (name, methods) in &self.missing {
            let by = if methods.len() == self.methods {
                String::new()
            } else {
                let list: Vec<&str> = methods.iter().map(|method| method.name()).collect();
                format!(" for {}", list.join(", "))
            };
            let message = format!("`{{{name}}}` of `{}` is not declared as a path parameter{by}", self.key.text);
            let help = format!("add a parameter with `name: {name}`, `in: path` and `required: true`");
            reader.issue(IssueKind::InvalidValue, self.key.span, &self.items[0].pointer, message, Some(&help));
        }
    }
}

/// What stands in the braces of a path.
fn template_names(path: &str) -> Vec<&str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name)).collect()
}

/// Whether an expression in braces stands for a parameter. Tools write `{path:path}` and `{proxy+}` for `path` and `proxy`.
fn names(expression: &str, parameter: &str) -> bool {
    expression == parameter
        || expression.split(':').next() == Some(parameter)
        || expression.trim_matches(['+', '*']) == parameter
}

/// Operations and ids so far.
#[derive(Default)]
struct Seen {
    paths: FxHashMap<(Method, String), (Span, String)>,
    ids: FxHashMap<String, (Span, String)>,
    /// Parameters that were reported, by place and path.
    undeclared: FxHashSet<(Span, Span)>,
}

impl Seen {
    fn operation(&mut self, reader: &mut Reader<'_>, path: &Key, method: Method, place: &Place<'_>, is_served: bool) {
        let title = format!("{} {}", method.name(), path.text);
        // A trailing slash makes another path.
        let mut key = PathTemplate::new(&path.text).key();
        if path.text.len() > 1 && path.text.ends_with('/') {
            key.push('/');
        }
        match self.paths.get(&(method, key.clone())) {
            // Names of webhooks are keys of one object, and expressions of callbacks may be repeated elsewhere.
            _ if !is_served => {}
            Some((first, first_title)) => reader.issues.push(Issue {
                kind: IssueKind::DuplicateOperation,
                span: place.span,
                pointer: place.pointer.clone(),
                message: format!("operation `{title}` repeats `{first_title}`"),
                help: Some("paths that differ in parameter names only are the same path; keep one".to_owned()),
                related: Some((*first, format!("`{first_title}` is declared here"))),
            }),
            None => {
                self.paths.insert((method, key), (place.span, title.clone()));
            }
        }
        let Some(id) = place.node.get("operationId") else { return };
        let Some(text) = id.text().filter(|text| !text.is_empty()) else { return };
        match self.ids.get(text) {
            // Two paths may refer to the same path item.
            Some((first, _)) if *first == id.span => {}
            Some((first, first_title)) => reader.issues.push(Issue {
                kind: IssueKind::DuplicateOperation,
                span: id.span,
                pointer: format!("{}/operationId", place.pointer),
                message: format!("`operationId: {text}` of `{title}` is used by `{first_title}`"),
                help: Some("give each operation its own `operationId`".to_owned()),
                related: Some((*first, format!("`{first_title}` uses it here"))),
            }),
            None => {
                self.ids.insert(text.to_owned(), (id.span, title));
            }
        }
    }
}
