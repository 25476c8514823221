//! The documents a contract is made of, and how to get from a `$ref` to what it means. Each target is looked up once,
//! and each dead end is reported once.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::dialect::Dialect;
use super::document::{Document, Parsed};
use super::reference::{self, Reference};
use super::resources::{Resources, absolute};
use super::schema::Pending;
use super::tree::{Key, Node, Value, push_segment};
use super::{Issue, IssueKind};
use crate::finding::{Problem, ProblemKind};
use crate::model::{ShapeId, ShapeTable};
use crate::text::Span;

/// References that lead to references are followed this far; a longer chain leads nowhere, which is reported.
const MAX_HOPS: usize = 32;
/// The source that a contract begins with.
const ENTRY: usize = 0;

/// A node with its way there.
#[derive(Clone, Debug)]
pub(super) struct Place<'d> {
    /// Index into [`Reader::sources`].
    pub source: usize,
    pub node: &'d Node,
    pub pointer: String,
    /// One line that shows it: the key that it stands under, else its own beginning.
    pub span: Span,
}

impl<'d> Place<'d> {
    pub(super) fn root(source: usize, node: &'d Node) -> Self {
        Place { source, node, pointer: String::new(), span: head(node) }
    }

    pub(super) fn child(&self, key: &str) -> Option<Place<'d>> {
        self.node.entry(key).map(|(key, node)| self.step(&key.text, key.span, node))
    }

    /// Members of an object with their keys.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'d Key, Place<'d>)> {
        let entries: &'d [(Key, Node)] = self.node.entries();
        entries.iter().map(|(key, node)| (key, self.step(&key.text, key.span, node)))
    }

    /// Elements of an array.
    pub(super) fn items(&self) -> impl Iterator<Item = Place<'d>> {
        let items: &'d [Node] = self.node.items();
        items.iter().enumerate().map(|(at, node)| self.step(&at.to_string(), head(node), node))
    }

    pub(super) fn text(&self, key: &str) -> Option<&'d str> {
        self.node.get(key).and_then(Node::text)
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        self.node.get(key).is_some_and(Node::is_true)
    }

    fn step(&self, segment: &str, span: Span, node: &'d Node) -> Place<'d> {
        let mut pointer = String::with_capacity(self.pointer.len() + segment.len() + 1);
        pointer.push_str(&self.pointer);
        push_segment(&mut pointer, segment);
        Place { source: self.source, node, pointer, span }
    }
}

/// The first line of a value.
fn head(node: &Node) -> Span {
    match node.entries().first() {
        Some((key, _)) => Span { end: key.span.end.max(node.span.start), ..node.span },
        None => node.span,
    }
}

pub(super) struct Source<'d> {
    pub path: &'d str,
    pub parsed: &'d Parsed,
    pub dialect: Dialect,
    /// `$anchor`s and their pointers, collected at the first need.
    anchors: Option<FxHashMap<&'d str, Vec<String>>>,
    /// Schemas in it with an identifier of their own, collected at the first need.
    resources: OnceCell<Option<Rc<Resources>>>,
}

impl Source<'_> {
    /// It is named JSON, where text is always quoted.
    pub(super) fn is_json(&self) -> bool {
        self.path.rsplit('.').next().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
    }
}

/// State of reading one contract.
pub(super) struct Reader<'d> {
    documents: &'d BTreeMap<String, Document>,
    pub sources: Vec<Source<'d>>,
    by_path: BTreeMap<(&'d str, Dialect), usize>,
    pub shapes: ShapeTable,
    /// Schemas that have an id, by document and pointer.
    pub known: FxHashMap<(usize, String), ShapeId>,
    pub queue: Vec<Pending<'d>>,
    resolved: FxHashMap<(usize, &'d str), Option<Place<'d>>>,
    /// Paths of documents by their `$id`, collected at the first need.
    by_id: Option<FxHashMap<&'d str, &'d str>>,
    reported: FxHashSet<String>,
    pub states_null: bool,
    pub issues: Vec<Issue>,
    pub problems: Vec<Problem>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(documents: &'d BTreeMap<String, Document>) -> Self {
        Reader {
            documents,
            sources: Vec::new(),
            by_path: BTreeMap::new(),
            shapes: ShapeTable::default(),
            known: FxHashMap::default(),
            queue: Vec::new(),
            resolved: FxHashMap::default(),
            by_id: None,
            reported: FxHashSet::default(),
            states_null: false,
            issues: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Takes a document into the contract, with what is wrong in its text. A document whose schemas are read in two
    /// dialects is two sources.
    pub(super) fn open(&mut self, path: &'d str, parsed: &'d Parsed, dialect: Dialect) -> usize {
        if let Some(known) = self.by_path.get(&(path, dialect)) {
            return *known;
        }
        self.issues.extend(parsed.text_issues(path));
        self.problems.extend(parsed.tree.problems.iter().map(|problem| at_path(problem, path)));
        self.sources.push(Source { path, parsed, dialect, anchors: None, resources: OnceCell::new() });
        self.by_path.insert((path, dialect), self.sources.len() - 1);
        self.sources.len() - 1
    }

    pub(super) fn dialect(&self, place: &Place<'d>) -> Dialect {
        self.sources[place.source].dialect
    }

    /// The same place, its schemas read in another dialect.
    pub(super) fn read_as(&mut self, place: Place<'d>, dialect: Dialect) -> Place<'d> {
        let Source { path, parsed, .. } = self.sources[place.source];
        Place { source: self.open(path, parsed, dialect), ..place }
    }

    pub(super) fn issue(&mut self, kind: IssueKind, span: Span, pointer: &str, message: String, help: Option<&str>) {
        let help = help.map(str::to_owned);
        self.issues.push(Issue { kind, span, pointer: pointer.to_owned(), message, help, related: None });
    }

    /// The place behind any chain of `$ref`; the place itself where it is no reference. `None` where it leads nowhere,
    /// which was reported.
    pub(super) fn follow(&mut self, place: Place<'d>) -> Option<Place<'d>> {
        let mut place = place;
        for _ in 0..MAX_HOPS {
            let Some((_, reference)) = place.node.entry("$ref") else { return Some(place) };
            let Some(text) = reference.text() else { return Some(place) };
            place = self.resolve(place.source, text, reference.span, &format!("{}/$ref", place.pointer))?;
        }
        let message = "this `$ref` leads back to itself".to_owned();
        self.issue(IssueKind::UnresolvedReference, place.span, &place.pointer, message, None);
        None
    }

    /// Looks up a `$ref`. `span` and `pointer` are its own, for reports.
    pub(super) fn resolve(&mut self, source: usize, text: &'d str, span: Span, pointer: &str) -> Option<Place<'d>> {
        let resources = self.resources(source);
        if let Some(known) = self.resolved.get(&(source, text)).filter(|_| resources.is_none()) {
            return known.clone();
        }
        if let Some(resources) = resources {
            // Where it leads depends on where it stands.
            let root = &self.sources[source].parsed.tree.root;
            let within = resources.target(root, pointer, text);
            if let Some(found) = within.and_then(|target| self.find(source, &target, span, pointer, 0)) {
                return Some(found);
            }
        }
        let found = self.look_up(source, text, span, pointer, 0);
        self.resolved.insert((source, text), found.clone());
        found
    }

    /// Schemas with an identifier of their own in a document, which dialects up to OpenAPI 3.0 do not know.
    fn resources(&self, source: usize) -> Option<Rc<Resources>> {
        let Source { parsed, dialect, resources, .. } = &self.sources[source];
        if matches!(dialect, Dialect::V2 | Dialect::V30) {
            return None;
        }
        resources.get_or_init(|| Resources::of(&parsed.tree.root).map(Rc::new)).clone()
    }

    fn look_up(&mut self, source: usize, text: &str, span: Span, pointer: &str, hops: usize) -> Option<Place<'d>> {
        let (target, fragment) = match reference::parse(text) {
            Reference::Local(fragment) => (source, fragment),
            _ if let Some((target, fragment)) = self.open_id(source, text) => (target, fragment),
            Reference::File(file, fragment) => (self.open_file(source, &file, span, pointer)?, fragment),
            Reference::Remote => {
                let message = format!("`$ref` to `{text}` is not followed: only files and local pointers are");
                let problem = Problem::new(ProblemKind::ReferenceNotFollowed, self.sources[source].path, message)
                    .with_help("put a copy of the schema beside the contract and refer to it by its file name");
                self.report_problem(text, Problem { span: Some(span), ..problem });
                return None;
            }
        };
        if let Some(place) = self.find(target, &fragment, span, pointer, hops) {
            return Some(place);
        }
        // What puts a contract together of its parts leaves their pointers as they are: they lead within the whole.
        let is_part = source != ENTRY && Dialect::of(&self.sources[source].parsed.tree.root).is_none();
        if target == source
            && is_part
            && let Some(place) = self.find(ENTRY, &fragment, span, pointer, hops)
        {
            return Some(place);
        }
        let Source { path, parsed, .. } = &self.sources[target];
        let cut = parsed.tree.syntax_error().is_some() || !parsed.tree.problems.is_empty();
        if !cut && self.reported.insert(format!("{path}#{fragment}")) {
            let message = format!("`$ref` to `{text}` leads nowhere");
            let help = "declare the target, or correct the pointer";
            self.issue(IssueKind::UnresolvedReference, span, pointer, message, Some(help));
        }
        None
    }

    fn open_file(&mut self, source: usize, file: &str, span: Span, pointer: &str) -> Option<usize> {
        let Source { path, dialect, .. } = self.sources[source];
        let Some(joined) = reference::join(path, file) else {
            let message = format!("`$ref` to `{file}` leaves the directories that contracts are read from");
            let problem = Problem::new(ProblemKind::ReferenceOutsideRoot, path, message);
            self.report_problem(file, Problem { span: Some(span), ..problem });
            return None;
        };
        match self.documents.get_key_value(&joined) {
            Some((path, Document::Read(parsed))) => {
                let root = &parsed.tree.root;
                let dialect = Dialect::of(root).or_else(|| super::json_schema::dialect(root)).unwrap_or(dialect);
                Some(self.open(path, parsed, dialect))
            }
            Some((target, Document::Absent { reason })) => {
                // Told where it is referred to: that is the line to change.
                let message = format!("`$ref` to `{file}`: {}", reason.message);
                let problem = Problem { path: path.to_owned(), span: Some(span), message, ..reason.clone() };
                self.report_problem(target, problem);
                None
            }
            Some((_, Document::Declared(_))) | None => {
                if self.reported.insert(joined) {
                    let message = format!("`$ref` to `{file}`: there is no such file");
                    self.issue(IssueKind::UnresolvedReference, span, pointer, message, None);
                }
                None
            }
        }
    }

    /// The document that a reference means by its `$id` (JSON Schema 2020-12, section 8.2.1), with the fragment.
    fn open_id(&mut self, source: usize, text: &str) -> Option<(usize, String)> {
        let Source { parsed, dialect, path, .. } = self.sources[source];
        let base = parsed.tree.root.get("$id").and_then(Node::text)?;
        let (file, fragment) = text.split_once('#').unwrap_or((text, ""));
        // A file beside it comes first.
        if reference::join(path, file).is_some_and(|joined| self.documents.contains_key(&joined)) {
            return None;
        }
        let documents = self.documents;
        let by_id = self.by_id.get_or_insert_with(|| {
            let mut ids = FxHashMap::default();
            for (path, document) in documents {
                if let Document::Read(parsed) = document
                    && let Some(id) = parsed.tree.root.get("$id").and_then(Node::text)
                {
                    ids.entry(id.trim_end_matches('#')).or_insert(path.as_str());
                }
            }
            ids
        });
        let target = *by_id.get(absolute(base, file).as_str())?;
        let Some((target, Document::Read(parsed))) = documents.get_key_value(target) else { return None };
        let dialect = super::json_schema::dialect(&parsed.tree.root).unwrap_or(dialect);
        Some((self.open(target, parsed, dialect), reference::percent_decode(fragment)))
    }

    /// Looks up every reference of the entry document, used by an operation or not.
    pub(super) fn check_references(&mut self, root: &Place<'d>) {
        for found in reference::all(root.node) {
            self.resolve(root.source, found.text, found.span, &found.pointer);
        }
    }

    fn report_problem(&mut self, key: &str, problem: Problem) {
        if self.reported.insert(format!("problem {key}")) {
            self.problems.push(problem);
        }
    }

    fn find(&mut self, source: usize, fragment: &str, span: Span, from: &str, hops: usize) -> Option<Place<'d>> {
        let root: &'d Node = &self.sources[source].parsed.tree.root;
        let segments = if fragment.is_empty() || fragment.starts_with('/') {
            reference::segments(fragment)?
        } else {
            self.anchor(source, fragment)?
        };
        let mut place = Place::root(source, root);
        for segment in segments {
            let next = match &place.node.value {
                Value::Array(items) => {
                    let at = segment.parse::<usize>().ok().filter(|_| !segment.starts_with('+'))?;
                    items.get(at).map(|node| place.step(&segment, head(node), node))
                }
                _ => place.child(&segment),
            };
            place = match next {
                Some(next) => next,
                // A pointer that goes on behind another reference.
                None if hops < MAX_HOPS => {
                    let text = place.text("$ref")?;
                    self.look_up(place.source, text, span, from, hops + 1)?.child(&segment)?
                }
                None => return None,
            };
        }
        Some(place)
    }

    /// Segments of the schema that carries `$anchor: name`.
    fn anchor(&mut self, source: usize, name: &str) -> Option<Vec<String>> {
        let source = &mut self.sources[source];
        let root: &'d Node = &source.parsed.tree.root;
        let anchors = source.anchors.get_or_insert_with(|| {
            let mut anchors = FxHashMap::default();
            collect_anchors(root, &mut Vec::new(), &mut anchors);
            anchors
        });
        anchors.get(name).cloned()
    }
}

fn collect_anchors<'d>(node: &'d Node, way: &mut Vec<String>, anchors: &mut FxHashMap<&'d str, Vec<String>>) {
    // Up to draft-07 it is an identifier that is a fragment only.
    let identifier = || node.get("$id").or_else(|| node.get("id")).and_then(Node::text)?.strip_prefix('#');
    let stated = node.get("$anchor").or_else(|| node.get("$dynamicAnchor")).and_then(Node::text);
    if let Some(name) = stated.or_else(identifier) {
        anchors.entry(name).or_insert_with(|| way.clone());
    }
    for (at, item) in node.items().iter().enumerate() {
        way.push(at.to_string());
        collect_anchors(item, way, anchors);
        way.pop();
    }
    for (key, value) in node.entries() {
        way.push(key.text.clone());
        collect_anchors(value, way, anchors);
        way.pop();
    }
}

/// A problem that did not know its file.
fn at_path(problem: &Problem, path: &str) -> Problem {
    let mut problem = problem.clone();
    if problem.path.is_empty() {
        path.clone_into(&mut problem.path);
    }
    problem
}
