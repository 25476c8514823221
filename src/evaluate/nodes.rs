//! Routers and applications that came into being, with what was registered on them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::decisions::{Guard, add_guard};
use super::value::{Args, ClassRef, NodeId, RouteDraft, Str, Value};
use super::{Evaluator, Library};
use crate::finding::Reason;
use crate::model::{Naming, Reach};
use crate::text::Span;

/// One router or application.
pub struct Node<'p> {
    pub library: &'static Library,
    /// What kind of node, in the library's own word: `application`, `router`.
    pub kind: &'static str,
    /// The external name that was called or subclassed.
    pub path: Str,
    pub prefix: Value<'p>,
    /// Prefixes that were replaced, each with the number of items that were registered under it or before.
    former_prefixes: Vec<(usize, Value<'p>)>,
    pub options: Args<'p>,
    pub class: Option<ClassRef<'p>>,
    pub items: Vec<Item<'p>>,
    pub attributes: FxHashMap<Str, Value<'p>>,
    pub site: Span,
    /// Registrations on it that were not understood.
    pub opaque: Vec<Opaque<'p>>,
    /// How often it was mounted or included.
    pub parents: u32,
    /// Where in `items` stands what was registered already.
    done: FxHashMap<(u8, u32, u32, String), usize>,
}

/// A part of a node that could not be read.
pub struct Opaque<'p> {
    pub prefix: Value<'p>,
    /// What may be served there.
    pub reach: Reach,
    pub reason: Reason,
}

impl<'p> Opaque<'p> {
    /// Whatever lies below a prefix may or may not be served.
    pub fn below(prefix: Value<'p>, reason: Reason) -> Self {
        Opaque { prefix, reach: Reach::Below, reason }
    }
}

/// What leaves routing to a contract, with the functions that it may lead to.
pub struct ContractRouting<'p> {
    pub library: &'static Library,
    /// Where the contract is.
    pub document: Value<'p>,
    /// What comes before every path.
    pub base: Value<'p>,
    pub naming: Naming,
    /// By name; the value where it is known which function it is.
    pub handlers: Vec<(String, Option<Value<'p>>, Span)>,
    /// There may be more handlers.
    pub open: bool,
    pub site: Span,
}

impl<'p> Node<'p> {
    /// Gives the node another prefix: it counts for what is registered from now on.
    pub fn set_prefix(&mut self, prefix: Value<'p>) {
        let former = std::mem::replace(&mut self.prefix, prefix);
        if !self.items.is_empty() {
            self.former_prefixes.push((self.items.len(), former));
        }
    }

    /// Its prefixes in order, each with the number of the first item that is not under it.
    pub fn prefixes(&self) -> impl Iterator<Item = (usize, &Value<'p>)> {
        let former = self.former_prefixes.iter().map(|(until, prefix)| (*until, prefix));
        former.chain(std::iter::once((usize::MAX, &self.prefix)))
    }
}

pub enum Item<'p> {
    /// `when`: it is registered where one of these guards holds.
    Route {
        draft: Rc<RouteDraft<'p>>,
        handler: Value<'p>,
        when: Vec<Guard>,
    },
    Mount {
        child: NodeId,
        prefix: Value<'p>,
        options: Args<'p>,
        site: Span,
        kind: MountKind,
        when: Vec<Guard>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MountKind {
    /// The child's routes become the parent's, its options apply (`include_router`).
    Include,
    /// The child stays an application of its own (`mount`).
    Application,
}

impl<'p> Evaluator<'p> {
    pub fn node(&self, id: NodeId) -> &Node<'p> {
        &self.nodes[id.0 as usize]
    }

    /// What was set on a node under a name.
    pub fn node_attribute(&mut self, id: NodeId, name: &str) -> Option<Value<'p>> {
        let value = self.node(id).attributes.get(name).cloned()?;
        Some(self.projected(value))
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node<'p> {
        &mut self.nodes[id.0 as usize]
    }

    /// The library that makes a node when this external name is called, and which kind.
    pub(super) fn node_maker(&self, path: &str) -> Option<(&'static Library, &'static str)> {
        self.libraries.iter().find_map(|library| (library.node_kind)(path).map(|kind| (*library, kind)))
    }

    pub fn make_node(&mut self, path: &str, args: Args<'p>, class: Option<ClassRef<'p>>, site: Span) -> Option<NodeId> {
        let (library, kind) = self.node_maker(path)?;
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            library,
            kind,
            path: Rc::from(path),
            prefix: Value::str(""),
            former_prefixes: Vec::new(),
            options: args,
            class,
            items: Vec::new(),
            attributes: FxHashMap::default(),
            site,
            opaque: Vec::new(),
            parents: 0,
            done: FxHashMap::default(),
        });
        (library.created)(self, id);
        Some(id)
    }

    /// Gives a route its handler; the same registration is recorded once.
    pub fn add_route(&mut self, draft: &Rc<RouteDraft<'p>>, handler: Value<'p>) {
        if self.wires.running {
            return;
        }
        let handler_key = match &handler {
            Value::Function(function) | Value::Bound(_, function) => function.node.span.start,
            _ => 0,
        };
        let guard = self.guard.clone();
        self.registered += 1;
        let mut draft = draft.clone();
        if let Some(site) = self.registering {
            Rc::make_mut(&mut draft).site = site;
        }
        // The methods too: a loop over method names registers one handler at one place several times.
        let methods = draft.methods.elements().unwrap_or_default();
        let methods: Vec<&str> = methods.iter().filter_map(Value::as_str).collect();
        let what = format!("{} {} {handler_key}", methods.join(","), draft.path.describe());
        let key = (0, draft.site.file.0, draft.site.start, what);
        let node = self.node_mut(draft.node);
        match node.done.get(&key) {
            None => {
                node.done.insert(key, node.items.len());
                node.items.push(Item::Route { draft, handler, when: vec![guard] });
            }
            Some(at) => match node.items.get_mut(*at) {
                Some(Item::Route { draft: known, handler: same, when })
                    if !(when.contains(&guard)
                        || known.options.same(&draft.options) && is_same_closure(same, &handler)) =>
                {
                    node.done.insert(key, node.items.len());
                    node.items.push(Item::Route { draft, handler, when: vec![guard] });
                }
                Some(item) => add_guard(item, guard),
                None => {}
            },
        }
    }

    /// Adds a route that a library knows of itself, without looking for the same one.
    pub fn add_route_always(&mut self, draft: RouteDraft<'p>, handler: Value<'p>) {
        let when = vec![self.guard.clone()];
        let node = self.node_mut(draft.node);
        node.items.push(Item::Route { draft: Rc::new(draft), handler, when });
    }

    /// Mounts one node in another; the same mount is recorded once, a node never mounts itself.
    pub fn add_mount(
        &mut self,
        parent: NodeId,
        child: NodeId,
        prefix: Value<'p>,
        options: Args<'p>,
        site: Span,
        kind: MountKind,
    ) {
        if parent == child || self.wires.running {
            return;
        }
        let guard = self.guard.clone();
        let key = (1, site.file.0, site.start, format!("{} {}", child.0, prefix.describe()));
        let node = self.node_mut(parent);
        match node.done.get(&key) {
            None => {
                node.done.insert(key, node.items.len());
                node.items.push(Item::Mount { child, prefix, options, site, kind, when: vec![guard] });
                self.node_mut(child).parents += 1;
            }
            Some(at) => node.items.get_mut(*at).into_iter().for_each(|item| add_guard(item, guard.clone())),
        }
    }
}

/// Whether two handlers are one function that closes over the same.
fn is_same_closure(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Function(one), Value::Function(other)) | (Value::Bound(_, one), Value::Bound(_, other)) => {
            one.scope.is(&other.scope)
        }
        _ => true,
    }
}
