//! From the nodes that the evaluator recorded to operations: prefixes joined along each chain of mounts.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Framework, Route, Schemas, handed_on, of_node, shared_reads};
use crate::evaluate::{Args, Evaluator, Guard, Item, MountKind, NodeId, RouteDraft, UNKNOWN_PART, Value};
use crate::finding::Reason;
use crate::model::{
    Body, Implementation, Method, MountStep, Operation, Parameter, PathTemplate, Reach, Request, Response, Routing,
    ShapeTable, Unread,
};
use crate::text::Span;

/// What the evaluated code serves.
#[derive(Debug, Default)]
pub struct Served {
    /// Routes of the largest application first, documented ones before hidden ones, unmounted routers last.
    pub operations: Vec<Operation>,
    pub unknown: Vec<Reason>,
    /// What may be served and could not be read.
    pub unread: Vec<Unread>,
    /// What leaves routing to a contract.
    pub routings: Vec<Routing>,
}

/// Chains of mounts longer than this are cut.
const MAX_CHAIN: usize = 40;
/// Routers within routers that are followed; routers that mount each other twice make as many as they like.
const MAX_MOUNTS: usize = 20_000;
/// Operations of one program; that there are more is told.
const MAX_OPERATIONS: usize = 100_000;
/// Routes that one place in the code may register: loops within loops leave room for the other routes.
const MAX_ROUTES_OF_PLACE: u32 = 5_000;
/// Bytes of a path, prefixes included, that is still one; a longer one is a route that is not known.
const MAX_PATH: usize = 4_000;
/// Worlds in which one route is read: ways in which the decisions fall that it hangs on.
const MAX_WORLDS: usize = 8;
/// What is left out where there are more.
const WORLDS: &str = "a route as it is under further combinations of undecided conditions";
const TOO_MANY: &str = "routes and mounts beyond what one service, or one place in the code, may have";

/// The methods that a route names; none where it names none that is known.
pub(super) fn named_methods(draft: &RouteDraft) -> Vec<Method> {
    let names = draft.methods.elements().unwrap_or_default();
    names.iter().filter_map(|name| Method::parse(name.as_str()?)).collect()
}

/// The same, where a route that says nothing answers GET.
pub(super) fn named_methods_or_get(draft: &RouteDraft) -> Vec<Method> {
    let says = draft.methods.is_unknown() || draft.methods.elements().is_some();
    if says { named_methods(draft) } else { vec![Method::Get] }
}

/// Walks every application, then every router that no application was seen to mount.
pub fn served<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>) -> Served {
    let mut out = Served::default();
    let mut sizes = FxHashMap::default();
    let mut roots: Vec<(NodeId, bool, usize)> = (0..evaluator.nodes().len() as u32)
        .map(NodeId)
        .filter(|id| evaluator.node(*id).parents == 0)
        .map(|id| (id, is_application(evaluator, id), size(evaluator, id, &mut sizes)))
        .collect();
    roots.sort_by_key(|(id, application, size)| (!application, std::cmp::Reverse(*size), *id));
    let mut places = FxHashMap::default();
    let mut seen = FxHashMap::default();
    for hidden in [false, true] {
        let mut mounts = 0;
        for (root, mounted, _) in &roots {
            let mut walk = Walk {
                evaluator,
                schemas,
                out: &mut out,
                hidden,
                mounted: *mounted,
                mounts: &mut mounts,
                places: &mut places,
                seen: &mut seen,
            };
            walk.node(*root, &Prefix::default(), &[], &mut vec![*root]);
        }
    }
    shared_reads::leave_out(&mut out.operations, schemas.table());
    out.routings = super::by_contract::routings(evaluator, schemas);
    // Mounted routers stay behind the ones of applications, whichever pass found them.
    out.operations.sort_by_key(|operation| operation.implementation.as_ref().is_some_and(|code| !code.mounted));
    out.unknown.sort();
    out.unknown.dedup();
    out.unread.sort();
    out.unread.dedup();
    out
}

fn is_application(evaluator: &Evaluator, id: NodeId) -> bool {
    let node = evaluator.node(id);
    of_node(node).is_some_and(|framework| framework.application_kinds.contains(&node.kind))
}

/// Routes below a node; one that is being counted counts for nothing.
fn size(evaluator: &Evaluator, id: NodeId, known: &mut FxHashMap<NodeId, usize>) -> usize {
    if let Some(size) = known.get(&id) {
        return *size;
    }
    known.insert(id, 0);
    let items = &evaluator.node(id).items;
    let total = items
        .iter()
        .map(|item| match item {
            Item::Route { .. } => 1,
            Item::Mount { child, .. } => size(evaluator, *child, known),
        })
        .fold(0, usize::saturating_add);
    known.insert(id, total);
    total
}

/// The path so far and how it came about.
#[derive(Clone, Default)]
struct Prefix {
    text: String,
    steps: Vec<MountStep>,
    unknown: Vec<Reason>,
    /// It is there where all of these hold.
    when: Guard,
}

/// A route where it was registered.
struct Registered<'r, 'p> {
    framework: &'static Framework,
    draft: &'r Rc<RouteDraft<'p>>,
    handler: &'r Value<'p>,
    /// It is served where all of these hold.
    when: &'r Guard,
    prefix: &'r Prefix,
    /// Options of the nodes around it, innermost first.
    chain: &'r [Args<'p>],
}

/// Where a route is written, its handler, method and path: an application that is built twice serves it once.
type Once = (Span, Option<Span>, Method, String);

/// How such a route is served.
#[derive(Default)]
struct Known {
    /// Where one of these holds; a route that is there in some runs only is what it is there.
    guards: Vec<Guard>,
    /// Indices into the operations.
    operations: Vec<usize>,
}

struct Walk<'w, 'p> {
    evaluator: &'w mut Evaluator<'p>,
    schemas: &'w mut Schemas<'p>,
    out: &'w mut Served,
    /// Which routes this pass takes: documented or hidden ones.
    hidden: bool,
    mounted: bool,
    /// Followed in this pass.
    mounts: &'w mut usize,
    /// Routes of each place in the code so far.
    places: &'w mut FxHashMap<Span, u32>,
    seen: &'w mut FxHashMap<Once, Known>,
}

impl<'p> Walk<'_, 'p> {
    fn node(&mut self, id: NodeId, prefix: &Prefix, chain: &[Args<'p>], open: &mut Vec<NodeId>) {
        let hangs = self.evaluator.node(id).prefixes().find_map(|(_, own)| match own {
            Value::Choice(choice) => Some(choice.decision),
            _ => None,
        });
        // A prefix that hangs on a decision: once for each side of it.
        if let Some(decision) = hangs {
            let decided = prefix.when.iter().find(|(known, _)| *known == decision).map(|(_, side)| *side);
            let sides = decided.map_or(vec![true, false], |side| vec![side]);
            for side in sides {
                let mut here = prefix.clone();
                if decided.is_none() {
                    here.when.push((decision, side));
                }
                self.node_under(id, &here, chain, open);
            }
            return;
        }
        self.node_under(id, prefix, chain, open);
    }

    fn node_under(&mut self, id: NodeId, prefix: &Prefix, chain: &[Args<'p>], open: &mut Vec<NodeId>) {
        let node = self.evaluator.node(id);
        let Some(framework) = of_node(node) else { return };
        let what = if node.path.contains('.') { crate::evaluate::last(&node.path) } else { &node.path };
        let under = node.prefixes().map(|(until, own)| {
            let mut here = prefix.clone();
            here.add(&self.evaluator.value_where(own, &prefix.when), node.site, format!("{what}()"));
            (until, here)
        });
        let under: Vec<(usize, Prefix)> = under.collect();
        let Some((_, mut here)) = under.last().cloned() else { return };
        // What was only handed around, and serves nothing, is no router.
        let node = self.evaluator.node(id);
        let serves = !node.items.is_empty() || node.parents > 0 || framework.application_kinds.contains(&node.kind);
        for opaque in node.opaque.iter().filter(|opaque| serves || opaque.reach != Reach::Unseen) {
            if opaque.reach != Reach::Documents {
                self.out.unknown.push(opaque.reason.clone());
            }
            let path = format!("{}{}", here.text, opaque.prefix.as_str().unwrap_or(""));
            self.out.unread.push(Unread { path, method: None, reach: opaque.reach, reason: opaque.reason.clone() });
        }
        let mut inner = vec![self.evaluator.node(id).options.clone()];
        inner.extend_from_slice(chain);
        for at in 0..node_len(self.evaluator, id) {
            if let Some((_, then)) = under.iter().find(|(until, _)| at < *until)
                && under.len() > 1
            {
                here.clone_from(then);
            }
            match &self.evaluator.node(id).items[at] {
                Item::Route { draft, handler, when } => {
                    let (draft, handler, when) = (draft.clone(), handler.clone(), when.clone());
                    for when in self.guards(&here.when, &when) {
                        let (draft, handler, prefix, chain, when) = (&draft, &handler, &here, inner.as_slice(), &when);
                        self.route(&Registered { framework, draft, handler, when, prefix, chain });
                    }
                }
                Item::Mount { child, prefix, options, site, kind, when } => {
                    let (child, kind) = (*child, *kind);
                    if open.contains(&child) {
                        continue;
                    }
                    if *self.mounts >= MAX_MOUNTS || open.len() > MAX_CHAIN {
                        let site = *site;
                        self.evaluator.cut(TOO_MANY, Some(site));
                        continue;
                    }
                    *self.mounts += 1;
                    let mut below = here.clone();
                    let word = match kind {
                        MountKind::Include => "include",
                        MountKind::Application => "mount",
                    };
                    below.add(&prefix.clone(), *site, word.to_owned());
                    let guards = when.clone();
                    let chain = match kind {
                        MountKind::Include => {
                            let mut chain = vec![options.clone()];
                            chain.extend_from_slice(&inner);
                            chain
                        }
                        MountKind::Application => Vec::new(),
                    };
                    for when in self.guards(&here.when, &guards) {
                        below.when = when;
                        open.push(child);
                        self.node(child, &below, &chain, open);
                        open.pop();
                    }
                }
            }
        }
    }

    /// Under which guards something is served that lies where `outer` holds: one that is empty where one of them always
    /// holds; none where they cannot hold together.
    fn guards(&mut self, outer: &Guard, when: &[Guard]) -> Vec<Guard> {
        if self.evaluator.always(when) {
            return vec![outer.clone()];
        }
        let mut guards: Vec<Guard> = when.iter().filter_map(|guard| both(outer, guard)).collect();
        guards.sort_by_key(|guard| !self.evaluator.by_default(guard));
        if guards.len() > MAX_WORLDS {
            self.evaluator.cut_reading(WORLDS, None);
        }
        guards.truncate(MAX_WORLDS);
        guards
    }

    fn route(&mut self, route: &Registered<'_, 'p>) {
        let Registered { framework, draft, prefix, chain, .. } = *route;
        let says_hidden = |args: &Args<'p>| matches!(args.named("include_in_schema"), Some(Value::Bool(false)));
        let hidden = says_hidden(&draft.options) || chain.iter().any(says_hidden);
        if hidden && !self.hidden {
            return;
        }
        let has_unknown_methods = match draft.methods.elements() {
            Some(methods) => methods.iter().any(Value::is_unknown),
            None => draft.methods.is_unknown(),
        };
        if has_unknown_methods && hidden == self.hidden {
            let reason = Reason::new("method of a route is not known", Some(draft.site));
            let rest = match &draft.path {
                Value::Str(rest) | Value::Pattern(rest) => rest.to_string(),
                _ => format!("/{UNKNOWN_PART}"),
            };
            self.out.unknown.push(reason.clone());
            let path = format!("{}{rest}", prefix.text);
            self.out.unread.push(Unread { path, method: None, reach: Reach::Route, reason });
        }
        let Some(path) = draft.path.as_str() else {
            if hidden != self.hidden || !self.has_room(draft.site) {
                return;
            }
            let why = match &draft.path {
                Value::Unknown(why, _) => format!("path of a route is not known: {why}"),
                other @ Value::Pattern(_) => format!("path of a route is known only in part: {}", other.describe()),
                other => format!("path of a route is {}", other.describe()),
            };
            let reason = Reason::new(why, Some(draft.site));
            self.out.unknown.push(reason.clone());
            let methods = (framework.methods)(draft);
            let rest = match &draft.path {
                Value::Pattern(rest) => rest.to_string(),
                _ => format!("/{UNKNOWN_PART}"),
            };
            let path = format!("{}{rest}", prefix.text);
            let unread = |method| Unread {
                path: path.clone(),
                method: Some(method),
                reach: Reach::Route,
                reason: reason.clone(),
            };
            self.out.unread.extend(methods.into_iter().map(unread));
            return;
        };
        if prefix.text.len() + path.len() > MAX_PATH {
            self.out.unknown.push(Reason::new("path of a route is too long to be one", Some(draft.site)));
            return;
        }
        let template = format!("{}{path}", prefix.text);
        if hidden == self.hidden {
            self.note_handed_on(route, &template);
        }
        for (path, other_form) in (framework.library.paths)(draft, chain, &template) {
            if (hidden || other_form) == self.hidden {
                self.serve(route, &path, &template);
            }
        }
    }

    /// A route that takes whatever lies below a path and hands requests on: anything may be served there.
    fn note_handed_on(&mut self, route: &Registered<'_, 'p>, template: &str) {
        let Registered { framework, draft, handler, .. } = *route;
        let Some(before) = handed_on::before_rest(template) else { return };
        self.evaluator.start(draft.site.file);
        let (to, _) = self.evaluator.settled(&route.when.clone(), |evaluator| handed_on::to(evaluator, handler));
        let Some(to) = to else { return };
        let reason = Reason::new(format!("whatever lies below `{before}/` is handed on to `{to}`"), Some(draft.site));
        self.out.unknown.push(reason.clone());
        let below = if handed_on::asks_for_slash(template) { format!("/{UNKNOWN_PART}") } else { String::new() };
        let path = format!("{before}{below}");
        let unread =
            |method| Unread { path: path.clone(), method: Some(method), reach: Reach::Below, reason: reason.clone() };
        self.out.unread.extend((framework.methods)(draft).into_iter().map(unread));
    }

    /// Whether one more route of a place may be taken.
    fn has_room(&mut self, place: Span) -> bool {
        let of_place = self.places.entry(place).or_insert(0);
        *of_place += 1;
        let fits = self.out.operations.len() < MAX_OPERATIONS && *of_place <= MAX_ROUTES_OF_PLACE;
        if !fits {
            self.evaluator.cut(TOO_MANY, Some(place));
        }
        fits
    }

    /// One path of a route.
    fn serve(&mut self, registered: &Registered<'_, 'p>, path: &str, template: &str) {
        let Registered { framework, draft, handler, when, chain, .. } = *registered;
        if !self.has_room(draft.site) {
            return;
        }
        let (_, handler_span) = describe(handler);
        let mut methods = (framework.methods)(draft);
        methods.retain(|method| {
            let known = self.seen.entry((draft.site, handler_span, *method, path.to_owned())).or_default();
            let new = !known.guards.iter().any(|known| known.is_empty() || known == when);
            known.guards.push(when.clone());
            new
        });
        if methods.is_empty() {
            return;
        }
        // What is registered in every run, in one way or another, is there.
        for method in &methods {
            let once = (draft.site, handler_span, *method, path.to_owned());
            let known = self.seen.get(&once).filter(|known| self.evaluator.always(&known.guards));
            for at in known.map(|known| known.operations.clone()).unwrap_or_default() {
                if let Some(code) = &mut self.out.operations[at].implementation {
                    code.conditional = false;
                }
            }
        }
        self.evaluator.start(draft.site.file);
        let route = Route { draft, handler, path, template, chain };
        let mut worlds = vec![when.clone()];
        let mut at = 0;
        while let Some(world) = worlds.get(at).cloned() {
            at += 1;
            let met = self.read(registered, &route, &methods, &world);
            // The other side of each decision that it hung on here.
            let mut so_far = world;
            for (decision, fell) in met {
                let mut other = so_far.clone();
                other.push((decision, !fell));
                so_far.push((decision, fell));
                if worlds.len() < MAX_WORLDS {
                    worlds.push(other);
                } else {
                    self.evaluator.cut_reading(WORLDS, Some(draft.site));
                }
            }
        }
    }

    /// A route as it is in one world, unless it is the same as in one before. The decisions that this hung on beyond `world`, with the side that was taken.
    fn read(
        &mut self,
        registered: &Registered<'_, 'p>,
        route: &Route<'_, 'p>,
        methods: &[Method],
        world: &Guard,
    ) -> Guard {
        let Registered { framework, draft, handler, prefix, chain, .. } = *registered;
        let (name, handler_span) = describe(handler);
        let Walk { evaluator, schemas, .. } = self;
        let ((responses, requests), met) = evaluator.settled(world, |evaluator| {
            let responses = (framework.responses)(evaluator, schemas, route);
            let requests: Vec<Request> =
                methods.iter().map(|method| (framework.requests)(evaluator, schemas, route, *method)).collect();
            (responses, requests)
        });
        let mut whole = world.clone();
        whole.extend(&met);
        let open = !self.evaluator.by_default(world) && !registered.when.is_empty();
        let when = self.evaluator.conditions(&whole);
        let versions = (framework.library.versions)(draft, chain);
        for (method, request) in methods.iter().zip(requests) {
            let shapes = self.schemas.table();
            let known = self.seen.entry((draft.site, handler_span, *method, route.path.to_owned())).or_default();
            let conditional = open && !self.evaluator.always(&known.guards);
            let operations = &mut self.out.operations;
            let same = known.operations.iter().copied().find(|at| {
                let operation = &operations[*at];
                answer_alike(shapes, &operation.responses, &responses)
                    && ask_alike(shapes, &operation.request, &request)
            });
            if let Some(at) = same {
                let always = self.evaluator.always(&known.guards);
                let certain = always || known.guards.iter().any(|guard| self.evaluator.by_default(guard));
                if let Some(code) = &mut operations[at].implementation {
                    code.conditional &= !certain;
                    if always {
                        code.when.clear();
                    }
                }
                continue;
            }
            known.operations.push(operations.len());
            self.out.operations.push(Operation {
                method: *method,
                path: PathTemplate::new(route.path),
                span: draft.site,
                pointer: String::new(),
                responses: responses.clone(),
                request,
                deprecated: matches!(draft.options.named("deprecated"), Some(Value::Bool(true))),
                id: None,
                extensions: Vec::new(),
                planned: false,
                implementation: Some(Implementation {
                    framework: framework.name,
                    handler: name.clone(),
                    handler_span,
                    mounts: prefix.steps.clone(),
                    hidden: self.hidden,
                    conditional,
                    when: when.clone(),
                    mounted: self.mounted,
                    any_case: framework.library.any_case,
                    versions: versions.clone(),
                    unknown: prefix.unknown.clone(),
                }),
            });
        }
        met
    }
}

fn answer_alike(shapes: &ShapeTable, one: &[Response], other: &[Response]) -> bool {
    let alike = |(a, b): (&Response, &Response)| a.status == b.status && carry_alike(shapes, &a.bodies, &b.bodies);
    one.len() == other.len() && one.iter().zip(other).all(alike)
}

fn ask_alike(shapes: &ShapeTable, one: &Request, other: &Request) -> bool {
    let alike = |(a, b): (&Parameter, &Parameter)| {
        (&a.name, a.place, a.required) == (&b.name, b.place, b.required) && shapes.are_alike(a.shape, b.shape)
    };
    one.parameters.len() == other.parameters.len()
        && one.parameters.iter().zip(&other.parameters).all(alike)
        && carry_alike(shapes, &one.bodies, &other.bodies)
        && one.other_parameters.is_some() == other.other_parameters.is_some()
        && one.other_bodies.is_some() == other.other_bodies.is_some()
}

fn carry_alike(shapes: &ShapeTable, one: &[Body], other: &[Body]) -> bool {
    let alike = |(a, b): (&Body, &Body)| a.media == b.media && shapes.are_alike(a.shape, b.shape);
    one.len() == other.len() && one.iter().zip(other).all(alike)
}

/// What holds where both of two guards hold; `None` where they cannot.
fn both(outer: &Guard, inner: &Guard) -> Option<Guard> {
    let mut all = outer.clone();
    for (decision, side) in inner {
        match all.iter().find(|(known, _)| known == decision) {
            Some((_, known)) if known != side => return None,
            Some(_) => {}
            None => all.push((*decision, *side)),
        }
    }
    Some(all)
}

fn node_len(evaluator: &Evaluator, id: NodeId) -> usize {
    evaluator.node(id).items.len()
}

impl Prefix {
    fn add(&mut self, prefix: &Value, span: Span, what: String) {
        let text = match prefix {
            Value::Str(text) if self.text.len() + text.len() <= MAX_PATH => text.trim_end_matches('/').to_owned(),
            Value::None => String::new(),
            other => {
                let why = match other {
                    Value::Unknown(why, _) => (*why).to_owned(),
                    Value::Str(_) => "it is too long".to_owned(),
                    other => other.describe(),
                };
                self.unknown.push(Reason::new(format!("prefix of `{what}` is not known: {why}"), Some(span)));
                known_end(other)
            }
        };
        self.text.push_str(&text);
        self.steps.push(MountStep { span, what, prefix: text });
    }
}

/// The whole segments behind what is not known of a prefix: `/users` of `${base}/users`.
fn known_end(prefix: &Value) -> String {
    let Value::Pattern(text) = prefix else { return String::new() };
    let end = text.rsplit(UNKNOWN_PART).next().unwrap_or("");
    end.find('/').map_or("", |at| &end[at..]).trim_end_matches('/').to_owned()
}

fn describe(handler: &Value) -> (String, Option<Span>) {
    match handler {
        Value::Function(function) | Value::Bound(_, function) => {
            let name = if function.node.name.is_empty() {
                "an unnamed function".to_owned()
            } else {
                function.node.name.clone()
            };
            (name, Some(function.node.name_span))
        }
        Value::Class(class) => (class.name().to_owned(), Some(class.name_span())),
        Value::Partial(inner, _) => describe(inner),
        Value::Unknown(_, place) => ("a handler that is not known".to_owned(), *place),
        other => (other.describe(), None),
    }
}
