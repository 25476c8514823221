//! One comparison of two shapes, with a direction: what a producer may send against what a consumer was promised.
//!
//! Every pair of object declarations is compared once and remembered, then walked from each root; so a service whose
//! operations share their models costs what its models cost, and a cycle ends where a pair comes round again. Whatever
//! cannot be known on either side is never a difference.

mod constraints;
mod difference;
mod members;
mod options;
mod words;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Kind, Shape, ShapeId, ShapeTable};
use crate::text::Span;

pub use difference::{Difference, DifferenceKind, Side, Step, render};
pub use words::describe;

#[cfg(test)]
mod tests;

/// What counts as a difference.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The consumer states where null is allowed, so silence about it means no.
    pub null: bool,
    /// It states so of references, too. Some generators never do, because nothing may stand beside a `$ref` in OpenAPI 3.0.
    pub null_of_references: bool,
    /// It states null wherever the producer's types leave it open, so silence there means no as well.
    pub open_null: bool,
    /// The form of values that it states wherever the producer leaves it open.
    pub form: Option<Form>,
}

/// Which way values go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From client to server: members that are read only are no part of it.
    Request,
    /// From server to client: members that are write only are no part of it.
    Response,
}

/// What numbers and texts that stand for the same are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Number,
    Text,
}

/// How often the consumer decides one way or the other what the producer leaves open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Habits {
    pub null: usize,
    pub no_null: usize,
    pub numbers: usize,
    pub texts: usize,
}

impl Habits {
    /// Whether it states null as a rule: it was generated from such types.
    pub fn states_null(self) -> bool {
        is_rule(self.null, self.no_null)
    }

    /// The form of values that it states as a rule.
    pub fn form(self) -> Option<Form> {
        match self {
            _ if is_rule(self.numbers, self.texts) => Some(Form::Number),
            _ if is_rule(self.texts, self.numbers) => Some(Form::Text),
            _ => None,
        }
    }
}

fn is_rule(kept: usize, broken: usize) -> bool {
    kept >= 10 && kept >= 10 * broken
}

/// Compares two shapes once; [`Comparer`] is for many pairs of the same two tables.
pub fn compare(
    (producer, sent): (&ShapeTable, ShapeId),
    (consumer, promised): (&ShapeTable, ShapeId),
    policy: Policy,
) -> Vec<Difference> {
    Comparer::new(producer, consumer, policy).differences(sent, promised).to_vec()
}

/// Steps that one comparer takes at most; far beyond any real service, so that hostile input ends.
const MAX_STEPS: usize = 20_000_000;
/// Alternatives within alternatives are probed this deep; that there are deeper ones is told.
const MAX_PROBES: usize = 8;
/// Object pairs that are looked at to weigh one alternative.
const PROBE_SIZE: usize = 500;

/// Compares shapes of two tables and remembers every pair of declarations.
#[derive(Debug)]
pub struct Comparer<'t> {
    producer: Reader<'t>,
    consumer: Reader<'t>,
    policy: Policy,
    direction: Direction,
    /// Both sides are documents: what one does not state is not promised, and everything that is stated is compared.
    documents: bool,
    /// Both sides are versions of the same code.
    versions: bool,
    /// Only what is refused where it is missing is required.
    enforced: bool,
    pairs: FxHashMap<Pair, Rc<Local>>,
    roots: FxHashMap<Pair, Rc<[Difference]>>,
    costs: FxHashMap<Pair, Cost>,
    probes: usize,
    steps: usize,
    /// What was not compared because there was too much of it.
    cuts: BTreeSet<&'static str>,
    /// Of the consumer, as far as was met so far.
    pub habits: Habits,
}

/// Producer's and consumer's declaration.
type Pair = (ShapeId, ShapeId);
/// How badly an alternative fits: breaking differences, then all of them.
type Cost = (usize, usize);

/// What two declarations say to each other down to the next pair of objects.
#[derive(Debug, Default)]
struct Local {
    found: Vec<Found>,
    children: Vec<Child>,
}

#[derive(Debug)]
struct Child {
    steps: Vec<Step>,
    pair: Pair,
    /// What the alternatives that may be sent there have among them, where the producer's object is one of several.
    among: Option<Rc<Members>>,
}

/// Members that one of several alternatives may have: a consumer's optional one that another has is not missing.
#[derive(Debug)]
enum Members {
    Named(FxHashSet<String>),
    /// Nobody knows.
    Any,
}

impl Members {
    fn has(&self, name: &str) -> bool {
        match self {
            Members::Named(names) => names.contains(name),
            Members::Any => true,
        }
    }
}

/// A difference relative to its owner.
#[derive(Debug)]
struct Found {
    kind: DifferenceKind,
    steps: Vec<Step>,
    sent: Option<ShapeId>,
    promised: Option<ShapeId>,
    place: Place,
    expected: String,
    actual: String,
}

/// Where both sides declare the member that is looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    producer: Option<Span>,
    consumer: Option<Span>,
}

impl<'t> Comparer<'t> {
    pub fn new(producer: &'t ShapeTable, consumer: &'t ShapeTable, policy: Policy) -> Self {
        Comparer {
            producer: Reader::new(producer),
            consumer: Reader::new(consumer),
            policy,
            direction: Direction::Response,
            documents: false,
            versions: false,
            enforced: false,
            pairs: FxHashMap::default(),
            roots: FxHashMap::default(),
            costs: FxHashMap::default(),
            probes: 0,
            steps: 0,
            cuts: BTreeSet::new(),
            habits: Habits::default(),
        }
    }

    /// For what clients send that keep to a document, against what code takes. Whatever the document lets them send counts:
    /// values outside of the code's closed set, and null where the code says of null that it takes none.
    pub fn of_requests(document: &'t ShapeTable, code: &'t ShapeTable) -> Self {
        let policy = Policy { null: true, null_of_references: true, open_null: false, form: None };
        Comparer { direction: Direction::Request, ..Comparer::new(document, code, policy) }
    }

    /// For what other code sends to code: only what is refused where it is missing is required.
    pub fn of_calls(asking: &'t ShapeTable, code: &'t ShapeTable) -> Self {
        Comparer { enforced: true, ..Comparer::of_requests(asking, code) }
    }

    /// For two documents, where whatever is stated counts: formats, bounds, alternatives, what an open type allows.
    pub fn of_documents(producer: &'t ShapeTable, consumer: &'t ShapeTable, direction: Direction) -> Self {
        let policy = Policy { null: true, null_of_references: true, open_null: false, form: None };
        Comparer { direction, documents: true, ..Comparer::new(producer, consumer, policy) }
    }

    /// For two versions of the same code. Unlike a contract, code need not state what it keeps: who talked to the older
    /// version relies on what that always sent and gave no more than it asked for.
    pub fn of_code(producer: &'t ShapeTable, consumer: &'t ShapeTable, direction: Direction) -> Self {
        let policy = Policy { null: true, null_of_references: true, open_null: false, form: None };
        Comparer { direction, versions: true, ..Comparer::new(producer, consumer, policy) }
    }

    /// Every way in which `sent` breaks `promised`, nearest to the root first.
    pub fn differences(&mut self, sent: ShapeId, promised: ShapeId) -> Rc<[Difference]> {
        if let Some(known) = self.roots.get(&(sent, promised)) {
            return Rc::clone(known);
        }
        let root = Rc::new(self.local(|comparer, walk| comparer.value(sent, promised, Place::default(), walk)));
        let found: Rc<[Difference]> = self.walk(root, usize::MAX).into();
        self.roots.insert((sent, promised), Rc::clone(&found));
        found
    }

    /// Breadth first through all pairs below `root`, so that each is met on its shortest path.
    fn walk(&mut self, root: Rc<Local>, limit: usize) -> Vec<Difference> {
        struct Node {
            parent: usize,
            steps: Vec<Step>,
            pair: Option<Pair>,
            among: Option<Rc<Members>>,
            local: Rc<Local>,
        }
        let mut nodes = vec![Node { parent: 0, steps: Vec::new(), pair: None, among: None, local: root }];
        let mut visited: FxHashSet<Pair> = FxHashSet::default();
        let mut out = Vec::new();
        let mut at = 0;
        while at < nodes.len() && at < limit {
            let local = Rc::clone(&nodes[at].local);
            if !local.found.is_empty() {
                let mut chain = vec![at];
                while let Some(last) = chain.last().copied().filter(|last| *last != 0) {
                    chain.push(nodes[last].parent);
                }
                let prefix: Vec<Step> =
                    chain.iter().rev().flat_map(|node| nodes[*node].steps.iter().cloned()).collect();
                let of_another =
                    |found: &&Found| nodes[at].among.as_ref().is_some_and(|among| found.is_member_of(among, &[]));
                let own = local.found.iter().filter(|found| !of_another(found));
                out.extend(own.map(|found| found.under(&prefix, nodes[at].pair)));
            }
            for child in &local.children {
                if visited.insert(child.pair) && self.spend() {
                    let below = self.objects(child.pair);
                    let (steps, among) = (child.steps.clone(), child.among.clone());
                    nodes.push(Node { parent: at, steps, pair: Some(child.pair), among, local: below });
                }
            }
            at += 1;
        }
        out
    }

    /// The comparison of two objects, computed once. One that is still being computed answers with silence.
    fn objects(&mut self, pair: Pair) -> Rc<Local> {
        if let Some(known) = self.pairs.get(&pair) {
            return Rc::clone(known);
        }
        self.pairs.insert(pair, Rc::default());
        let local = Rc::new(self.local(|comparer, walk| comparer.members(pair, walk)));
        self.pairs.insert(pair, Rc::clone(&local));
        local
    }

    fn local(&mut self, fill: impl FnOnce(&mut Self, &mut Walk)) -> Local {
        let mut walk = Walk::default();
        fill(self, &mut walk);
        walk.local
    }

    /// Clients that keep to a document send, code takes.
    fn is_request_of_code(&self) -> bool {
        !self.documents && self.direction == Direction::Request
    }

    /// Whether a producer that states no closed set may send what is not in the consumer's: a document says so, and a type
    /// in code does not.
    fn is_any_value_sent(&self) -> bool {
        self.documents || self.is_request_of_code()
    }

    /// False once the comparer has worked more than any honest input needs.
    fn spend(&mut self) -> bool {
        self.steps += 1;
        let fits = self.steps <= MAX_STEPS;
        if !fits {
            self.cuts.insert("types, after twenty million pairs of them");
        }
        fits
    }

    /// What was not compared so far because there was too much of it, in words that go after "not compared".
    pub fn cuts(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.cuts.clone().into_iter()
    }
}

impl Found {
    /// Whether it is an optional member that the alternatives at `steps` have among them.
    fn is_member_of(&self, among: &Members, steps: &[Step]) -> bool {
        self.kind == DifferenceKind::MissingOptionalField
            && matches!(self.steps.strip_prefix(steps), Some([Step::Field(name)]) if among.has(name))
    }

    fn under(&self, prefix: &[Step], owner: Option<Pair>) -> Difference {
        let side = |owner, shape, span| Side { owner, shape, span };
        Difference {
            kind: self.kind,
            path: prefix.iter().chain(&self.steps).cloned().collect(),
            member: self.steps.clone(),
            producer: side(owner.map(|pair| pair.0), self.sent, self.place.producer),
            consumer: side(owner.map(|pair| pair.1), self.promised, self.place.consumer),
            expected: self.expected.clone(),
            actual: self.actual.clone(),
        }
    }
}

/// The state of one local comparison: where it stands, and the pairs it is inside of.
#[derive(Debug, Default)]
struct Walk {
    local: Local,
    steps: Vec<Step>,
    open: Vec<Pair>,
    noted: FxHashSet<(DifferenceKind, Vec<Step>)>,
}

impl Walk {
    /// Notes a difference at the current step; the same one again (of another alternative) says nothing new.
    fn note(
        &mut self,
        kind: DifferenceKind,
        (sent, promised): (Option<ShapeId>, Option<ShapeId>),
        place: Place,
        (expected, actual): (String, String),
    ) {
        let steps = self.steps.clone();
        if self.noted.insert((kind, steps.clone())) {
            self.local.found.push(Found { kind, steps, sent, promised, place, expected, actual });
        }
    }
}

/// A table with its resolved views remembered.
#[derive(Debug)]
struct Reader<'t> {
    table: &'t ShapeTable,
    views: FxHashMap<ShapeId, Rc<Seen<'t>>>,
}

/// A shape after references and merging.
#[derive(Debug)]
struct Seen<'t> {
    id: ShapeId,
    shape: Cow<'t, Shape>,
    nullable: bool,
    null_open: bool,
    read_only: bool,
    write_only: bool,
}

impl Seen<'_> {
    /// Whether a member is no part of what goes this way.
    fn hidden(&self, direction: Direction) -> bool {
        match direction {
            Direction::Request => self.read_only,
            Direction::Response => self.write_only,
        }
    }
}

/// Longer chains of references are left to [`ShapeTable::view`], which calls them unknown.
const MAX_CHAIN: usize = 64;

impl<'t> Reader<'t> {
    fn new(table: &'t ShapeTable) -> Self {
        Reader { table, views: FxHashMap::default() }
    }

    fn see(&mut self, raw: ShapeId) -> Rc<Seen<'t>> {
        if let Some(known) = self.views.get(&raw) {
            return Rc::clone(known);
        }
        let table = self.table;
        let (mut id, mut nullable, mut null_open, mut read_only, mut write_only) = (raw, false, false, false, false);
        for _ in 0..MAX_CHAIN {
            let shape = table.get(id);
            nullable |= shape.nullable;
            null_open |= shape.null_open;
            read_only |= shape.read_only;
            write_only |= shape.write_only;
            match &shape.kind {
                Kind::Ref(target) => id = *target,
                Kind::All(parts) if shape.values.is_none() => match sole_part(table, parts) {
                    Some(part) => id = part,
                    None => break,
                },
                _ => break,
            }
        }
        let view = table.view(id);
        let seen = Rc::new(Seen {
            id: view.id,
            nullable: nullable || view.nullable,
            null_open,
            read_only: read_only || view.shape.read_only,
            write_only: write_only || view.shape.write_only,
            shape: view.shape,
        });
        self.views.insert(raw, Rc::clone(&seen));
        seen
    }
}

/// `allOf: [$ref]`, how a description or a default is put beside a reference: the same declaration as its target.
fn sole_part(table: &ShapeTable, parts: &[ShapeId]) -> Option<ShapeId> {
    let says_nothing = |part: &ShapeId| {
        let shape = table.get(*part);
        matches!(shape.kind, Kind::Any) && shape.values.is_none()
    };
    let mut telling = parts.iter().filter(|part| !says_nothing(part));
    telling.next().filter(|_| telling.next().is_none()).copied()
}
