//! What code reads of a value that it was given: the members that it names, how they nest, and the types that it is taken
//! for. The value is followed through names, members of the own object, what takes text apart (`JSON.parse`, `.decode()`),
//! callbacks, and functions of the program that it is handed to. All languages write these things alike in the program
//! tree, so that one walk reads them.

mod taken;
mod walk;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::evaluate::{Evaluator, FunctionRef, ModuleId, Noted, Scope, Value};
use crate::frameworks::Schemas;
use crate::model::program::{Expr, Stmt};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

use walk::Walk;

/// Members that are remembered of one value; of one that has more, nothing is known, and that is told.
const MAX_NODES: usize = 2_000;
/// Members within members that are written out; a deeper one may be anything.
const MAX_DEPTH: usize = 30;

/// What stands for the value where the walk begins.
pub(super) enum Subject<'a> {
    /// A parameter, by its name.
    Name(&'a str),
    /// What the last of these calls gives; the others lead to it, outermost first.
    Calls(&'a [Span]),
    /// The object whose method the last of these calls is.
    Object(&'a [Span]),
}

/// What is read of one value. The first node is the value itself.
pub(super) struct Reads<'p> {
    nodes: Vec<Node<'p>>,
    /// There were more members than are remembered: nothing is known of the value then.
    full: bool,
    /// While it is read: parts that conditions around ask which of several values this is, outermost first.
    choosers: Vec<usize>,
}

#[derive(Default)]
struct Node<'p> {
    /// By name; what methods give, too.
    members: Vec<Member<'p>>,
    /// Of a sequence.
    items: Option<usize>,
    /// What it is declared, cast or validated to be, and by which parts that was chosen.
    taken: Vec<(Taken<'p>, Vec<usize>)>,
}

struct Member<'p> {
    name: &'p str,
    /// What a method of that name gives.
    called: bool,
    span: Span,
    node: usize,
    /// Code does without it.
    optional: bool,
    /// Code sets it by itself.
    set: bool,
    /// The parts by which it was chosen to be read; none where it is read anyway.
    chosen: Vec<usize>,
}

/// A type that a value is taken for.
#[derive(Clone)]
enum Taken<'p> {
    Written(&'p Expr, Scope<'p>),
    Value(Value<'p>),
}

/// What a function reads of a value.
pub(super) fn of_function<'p>(ev: &mut Evaluator<'p>, function: &FunctionRef<'p>, subject: Subject<'_>) -> Reads<'p> {
    let mut walk = Walk::new(ev, subject);
    walk.function(function, &[]);
    walk.finish()
}

/// What a function reads of the parameter at a position, its declared type first; `self` and the like are not counted.
pub(super) fn of_parameter<'p>(ev: &mut Evaluator<'p>, function: &FunctionRef<'p>, position: usize) -> Reads<'p> {
    let Some(parameter) = walk::parameters(function.node).nth(position) else { return Reads::new() };
    let mut walk = Walk::new(ev, Subject::Name(&parameter.name));
    walk.take_parameter(parameter, function);
    walk.function(function, &[]);
    walk.finish()
}

/// What a module's own statements read of a value.
pub(super) fn of_module<'p>(ev: &mut Evaluator<'p>, module: ModuleId, subject: Subject<'_>) -> Reads<'p> {
    let statements: &'p [Stmt] = ev.statements(module);
    let mut walk = Walk::new(ev, subject);
    walk.module(module, statements);
    walk.finish()
}

/// What is read of what the noted call gives: by the function that ran, by those that lead to the call, and, where the
/// object keeps it, by the other methods of its class.
pub(super) fn of_result<'p>(ev: &mut Evaluator<'p>, noted: &Noted<'p>) -> Reads<'p> {
    of_noted(ev, noted, Subject::Calls(&noted.calls))
}

/// The same of the object whose method the noted call is.
pub(super) fn of_object<'p>(ev: &mut Evaluator<'p>, noted: &Noted<'p>) -> Reads<'p> {
    of_noted(ev, noted, Subject::Object(&noted.calls))
}

fn of_noted<'p>(ev: &mut Evaluator<'p>, noted: &Noted<'p>, subject: Subject<'_>) -> Reads<'p> {
    match &noted.function {
        Some(function) => of_function(ev, function, subject),
        None => match ev.module_of_file(noted.calls.first().map_or(noted.site.file, |span| span.file)) {
            Some(module) => of_module(ev, module, subject),
            None => Reads::new(),
        },
    }
}

impl<'p> Reads<'p> {
    fn new() -> Self {
        Reads { nodes: vec![Node::default()], full: false, choosers: Vec::new() }
    }

    /// The node that steps lead to: names of members, methods with `()`, `[]` for the elements of a sequence.
    pub(super) fn at(&self, steps: &[&str]) -> Option<usize> {
        let mut node = 0;
        for step in steps {
            node = match *step {
                "[]" => self.nodes[node].items?,
                step => {
                    let (name, called) = step.strip_suffix("()").map_or((step, false), |name| (name, true));
                    let fits = |member: &&Member| member.name == name && member.called == called;
                    self.nodes[node].members.iter().find(fits)?.node
                }
            };
        }
        Some(node)
    }

    /// The same of the first of several ways that leads anywhere.
    pub(super) fn at_any(&self, ways: &[&[&str]]) -> Option<usize> {
        ways.iter().find_map(|steps| self.at(steps).filter(|node| self.says(*node)))
    }

    fn says(&self, node: usize) -> bool {
        let node = &self.nodes[node];
        !node.taken.is_empty() || node.items.is_some() || node.members.iter().any(|member| !member.called)
    }

    /// The shape that code takes the value of a node for: its declared type, else the members that are read from it. `None`
    /// where nothing is read.
    pub(super) fn shape(&self, ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, node: usize) -> Option<ShapeId> {
        if self.full {
            return None;
        }
        self.shape_at(ev, schemas, node, &self.below(node), 0)
    }

    /// A node and those within it.
    fn below(&self, node: usize) -> FxHashSet<usize> {
        let mut found = FxHashSet::default();
        let mut next = vec![node];
        while let Some(node) = next.pop() {
            if found.insert(node) {
                next.extend(self.nodes[node].members.iter().map(|member| member.node));
                next.extend(self.nodes[node].items);
            }
        }
        found
    }

    /// The shape that the value of a node is declared or read to be of, whatever members are read from it.
    pub(super) fn declared(&self, ev: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, node: usize) -> Option<ShapeId> {
        let whole = self.below(node);
        let is_of_all = |chosen: &[usize]| !chosen.iter().any(|chooser| whole.contains(chooser));
        let mut taken = self.nodes[node].taken.iter().filter(|(_, chosen)| is_of_all(chosen));
        taken.find_map(|(taken, _)| taken::shape(ev, schemas, taken))
    }

    fn shape_at(
        &self,
        ev: &mut Evaluator<'p>,
        schemas: &mut Schemas<'p>,
        node: usize,
        whole: &FxHashSet<usize>,
        depth: usize,
    ) -> Option<ShapeId> {
        let read = &self.nodes[node];
        // Of one of several values, which a part of the value itself tells apart.
        let is_of_some = |chosen: &[usize]| chosen.iter().any(|chooser| whole.contains(chooser));
        for (taken, chosen) in &read.taken {
            if !is_of_some(chosen)
                && let Some(shape) = taken::shape(ev, schemas, taken)
            {
                return Some(shape);
            }
        }
        if depth > MAX_DEPTH {
            return None;
        }
        let mut fields = Vec::new();
        for member in read.members.iter().filter(|member| !member.called && !member.set) {
            let shape = self.shape_at(ev, schemas, member.node, whole, depth + 1);
            let required = !member.optional && !is_of_some(&member.chosen);
            let shape = shape.unwrap_or_else(|| schemas.python().table.add(Shape::new(Kind::Any)));
            fields.push(Field {
                name: member.name.to_owned(),
                shape,
                required,
                always: required,
                span: Some(member.span),
                declared: None,
            });
        }
        let table = &mut schemas.python().table;
        if !fields.is_empty() {
            let span = fields.first().and_then(|field| field.span);
            let object = Object { fields, additional: Additional::Open };
            return Some(table.add(Shape::new(Kind::Object(object)).at(span)));
        }
        let items = self.shape_at(ev, schemas, read.items?, whole, depth + 1)?;
        Some(schemas.python().table.add(Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) })))
    }

    /// The member of a node, made where it is not known yet.
    fn member(&mut self, node: usize, name: &'p str, span: Span, optional: bool) -> usize {
        self.named(node, (name, false), span, optional)
    }

    /// What a method of a node gives.
    fn method(&mut self, node: usize, name: &'p str, span: Span) -> usize {
        self.named(node, (name, true), span, true)
    }

    fn named(&mut self, node: usize, (name, called): (&'p str, bool), span: Span, optional: bool) -> usize {
        let mut known = self.nodes[node].members.iter_mut();
        if let Some(known) = known.find(|member| member.name == name && member.called == called) {
            known.optional |= optional;
            if self.choosers.is_empty() {
                known.chosen.clear();
            }
            return known.node;
        }
        let fresh = self.fresh();
        let chosen = self.choosers.clone();
        self.nodes[node].members.push(Member { name, called, span, node: fresh, optional, set: false, chosen });
        fresh
    }

    /// The value of a node is taken for something.
    fn take(&mut self, node: usize, taken: Taken<'p>) {
        let chosen = self.choosers.clone();
        self.nodes[node].taken.push((taken, chosen));
    }

    fn items(&mut self, node: usize) -> usize {
        if let Some(known) = self.nodes[node].items {
            return known;
        }
        let fresh = self.fresh();
        self.nodes[node].items = Some(fresh);
        fresh
    }

    /// A node that is not known yet; the first one once there are too many.
    fn fresh(&mut self) -> usize {
        if self.nodes.len() >= MAX_NODES {
            self.full = true;
            return 0;
        }
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }
}

type Names<'p> = FxHashMap<String, usize>;
type Visited<'p> = FxHashSet<(*const crate::model::program::Function, usize)>;
