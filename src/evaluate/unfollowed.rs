//! What is handed a router and is not followed, or is called on it under a name that is not known: it may register routes.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::branches::Flow;
use super::value::{Args, FunctionRef, Made, NodeId, Scope, UNKNOWN_PART, Value};
use super::{Evaluator, Opaque};
use crate::finding::Reason;
use crate::model::Reach;
use crate::model::program::{Comprehension, Expr, ExprKind, ImportStyle};
use crate::text::Span;

/// Settings of a tool lie no deeper in its arguments.
const MAX_SETTINGS_DEPTH: usize = 4;

/// Methods of lists that call a function with each element.
const EACH: &[&str] = &["forEach", "map", "flatMap"];

impl<'p> Evaluator<'p> {
    /// Whether routes are being registered, rather than handlers read or wires looked for.
    pub(super) fn registers_routes(&self) -> bool {
        !self.wires.running && self.serving.is_empty() && self.gathering == 0 && !self.settles
    }

    /// Notes on each router among the arguments that `callee`, which is not followed, may register routes on it: below a
    /// path that it is given, else anything that is not read otherwise.
    pub(super) fn note_unfollowed(&mut self, callee: &str, args: &Args<'p>, site: Span) {
        if !self.registers_routes() {
            return;
        }
        let routers = self.routers_in(args);
        if routers.is_empty() {
            return;
        }
        if self.libraries.iter().any(|library| (library.serves_documents)(callee)) {
            self.note_documents(&routers, callee, args, site);
            return;
        }
        if self.registers_nothing(callee) {
            return;
        }
        let prefix = args.values().filter_map(Value::as_str).find(|text| text.len() > 1 && text.starts_with('/'));
        let word = callee.trim_end_matches("()").rsplit(['.', '/']).find(|word| !word.is_empty());
        let why = format!("`{}` is handed a router and cannot be followed", word.unwrap_or("a function"));
        for id in routers {
            self.note_opaque(id, prefix, &why, site);
        }
    }

    /// Notes that routers serve documents of their API: at the paths that the call is given, however deep in its settings, and
    /// wherever such documents are by custom.
    fn note_documents(&mut self, routers: &[NodeId], callee: &str, args: &Args<'p>, site: Span) {
        let reason = Reason::new(format!("`{}` serves documents of the API", super::last(callee)), Some(site));
        let mut paths = Vec::new();
        let mut left: Vec<(Value<'p>, usize)> = args.values().map(|value| (value.clone(), 0)).collect();
        while let Some((value, depth)) = left.pop() {
            let members: Vec<Value<'p>> = match &value {
                Value::Str(text) if text.len() > 1 && text.starts_with('/') => {
                    paths.push(value.clone());
                    continue;
                }
                Value::Dict(dict) => dict.borrow().entries.iter().map(|(_, value)| value.clone()).collect(),
                Value::List(items) => items.borrow().to_vec(),
                Value::Tuple(items) => items.to_vec(),
                _ => continue,
            };
            if depth < MAX_SETTINGS_DEPTH && self.afford(members.len()) {
                left.extend(members.into_iter().map(|member| (member, depth + 1)));
            }
        }
        for id in routers {
            let opaque = &mut self.node_mut(*id).opaque;
            if opaque.iter().any(|known| known.reason == reason) {
                continue;
            }
            let below =
                |path: &Value<'p>| Opaque { prefix: path.clone(), reach: Reach::Documents, reason: reason.clone() };
            opaque.extend(paths.iter().map(below));
            opaque.push(Opaque { prefix: Value::str(""), reach: Reach::Documents, reason: reason.clone() });
        }
    }

    /// The routers in arguments, and among the members of objects and lists however deep, as far as there is a budget.
    fn routers_in(&mut self, args: &Args<'p>) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<*const ()> = FxHashSet::default();
        let mut left: Vec<Value<'p>> = args.values().cloned().collect();
        left.reverse();
        while let Some(value) = left.pop() {
            let (holder, members): (*const (), Vec<Value<'p>>) = match &value {
                Value::Node(id) if !found.contains(id) => {
                    found.push(*id);
                    continue;
                }
                Value::Dict(dict) => {
                    let entries = &dict.borrow().entries;
                    let held = entries.iter().map(|(_, value)| value).filter(|value| may_hold(value));
                    (Rc::as_ptr(dict).cast(), held.cloned().collect())
                }
                Value::List(items) => {
                    (Rc::as_ptr(items).cast(), items.borrow().iter().filter(|value| may_hold(value)).cloned().collect())
                }
                Value::Tuple(items) => {
                    (Rc::as_ptr(items).cast(), items.iter().filter(|value| may_hold(value)).cloned().collect())
                }
                _ => continue,
            };
            if seen.insert(holder) && self.afford(members.len()) {
                left.extend(members.into_iter().rev());
            }
        }
        found
    }

    /// The same of a callee as it is written, whose value is not known.
    pub(super) fn note_unknown_callee(&mut self, callee: &'p Expr, args: &Args<'p>, site: Span) {
        self.note_unfollowed(&written(callee, 0), args, site);
    }

    /// Whether no library takes a call of this name for one that may register routes on a router that it is given.
    pub fn registers_nothing(&self, callee: &str) -> bool {
        self.libraries.iter().any(|library| (library.registers_nothing)(callee))
    }

    /// The method of a router of which the name is not known: `router[method]`, `getattr(router, method)`.
    pub fn unknown_method(&self, router: NodeId) -> Value<'p> {
        Value::Native(Rc::new(Value::Node(router)), Rc::from(UNKNOWN_PART.to_string()))
    }

    /// `router[method]("/x", handler)`: it may register any method, or mount something.
    pub(super) fn call_unknown_method(&mut self, router: NodeId, args: &Args<'p>, site: Span) -> Value<'p> {
        if self.registers_routes() {
            let path = args.positional.first().and_then(Value::as_str).filter(|text| text.starts_with('/'));
            self.note_opaque(router, path, "method that is called on a router is not known", site);
        }
        Value::Unknown("method of a router that is not known", Some(site))
    }

    /// Something may be served below a prefix, or without one anything of which nothing else is read.
    pub(super) fn note_opaque(&mut self, id: NodeId, prefix: Option<&str>, why: &str, site: Span) {
        let prefix = prefix.filter(|prefix| prefix.len() > 1);
        let reach = if prefix.is_some() { Reach::Below } else { Reach::Unseen };
        let reason = Reason::new(why, Some(site));
        let node = self.node_mut(id);
        if !node
            .opaque
            .iter()
            .any(|known| known.reason == reason && known.prefix.as_str() == Some(prefix.unwrap_or("")))
        {
            node.opaque.push(Opaque { prefix: Value::str(prefix.unwrap_or("")), reach, reason });
        }
    }

    /// `list.forEach((x) => router.get(x.path, x.handler))` of a list that is not known: the function runs once, as the
    /// body of a loop does.
    pub(super) fn run_for_each(&mut self, method: &'p Expr, args: &Args<'p>, site: Span) {
        let ExprKind::Member { name, .. } = &method.kind else { return };
        let Some(Value::Function(function)) = args.positional.first() else { return };
        if !EACH.contains(&name.as_str()) || !self.is_worth_running(function) {
            return;
        }
        let function = function.clone();
        let runs = self.open_decision(site, None);
        self.fork(
            runs,
            |evaluator| {
                evaluator.call_function_always(&function, Args::default());
                Flow::NEXT
            },
            |_| Flow::NEXT,
        );
    }

    /// `[app.include_router(it) for it in things()]` of things that are not known: the element is made once.
    pub(super) fn run_element(&mut self, comprehension: &'p Comprehension, scope: &Scope<'p>, site: Span) {
        let calls = matches!(comprehension.element.kind, ExprKind::Call { .. } | ExprKind::Await(_));
        if !calls || !self.registers_routes() || self.nodes.is_empty() {
            return;
        }
        let runs = self.open_decision(site, None);
        self.fork(
            runs,
            |evaluator| {
                for clause in &comprehension.clauses {
                    let unknown = Value::Unknown("loop over what is not known", Some(clause.iter.span));
                    evaluator.assign(&clause.target, unknown, scope);
                }
                evaluator.evaluate(&comprehension.element, scope);
                Flow::NEXT
            },
            |_| Flow::NEXT,
        );
    }

    /// `wrap(app).get("/x", handler)`: what a package makes of an application takes its routes as that does.
    pub(super) fn call_on_wrapped(
        &mut self,
        made: &Made<'p>,
        name: &str,
        args: &Args<'p>,
        site: Span,
    ) -> Option<Value<'p>> {
        let Some(Value::Node(router)) = made.args.positional.first() else { return None };
        let is_path = args.positional.first().and_then(Value::as_str).is_some_and(|path| path.starts_with('/'));
        let takes_route = is_path
            && matches!(
                args.positional.get(1..)?.last()?,
                Value::Function(_) | Value::Bound(..) | Value::Class(_) | Value::Node(_)
            );
        let library = self.node(*router).library;
        if !takes_route || !self.registers_routes() || library.language != Some(ImportStyle::Path) {
            return None;
        }
        (library.node_method)(self, *router, name, args.clone(), site)
    }

    /// Whether a function stands where routers may be known, and did not run for the same reason before.
    fn is_worth_running(&mut self, function: &FunctionRef<'p>) -> bool {
        self.registers_routes()
            && function.node.is_lambda
            && self.names_types_apart(&function.scope)
            && !self.nodes.is_empty()
            && self.handed.insert(std::ptr::from_ref(function.node))
    }
}

/// Whether a value is a router or may have one among its members.
fn may_hold(value: &Value) -> bool {
    matches!(value, Value::Node(_) | Value::Dict(_) | Value::List(_) | Value::Tuple(_))
}

/// A callee as it is written: `consign().into`.
fn written(callee: &Expr, within: u32) -> String {
    match &callee.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Member { object, name } if within < 20 => format!("{}.{name}", written(object, within + 1)),
        ExprKind::Call { callee, .. } if within < 20 => format!("{}()", written(callee, within + 1)),
        ExprKind::Await(inner) if within < 20 => written(inner, within + 1),
        _ => String::new(),
    }
}
