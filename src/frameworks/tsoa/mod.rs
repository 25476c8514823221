//! tsoa: decorated controllers whose routes a generated function registers (`RegisterRoutes(app)`). That function is not
//! read for what it does, only for where the routes come to stand.

mod requests;
mod responses;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Framework;
use super::colon::template;
use super::decorated::{self, Decorators, find, is_of};
use crate::evaluate::{
    Args, ClassRef, Evaluator, Item, Library, Made, ModuleId, MountKind, NodeId, RouteDraft, Value, last,
};
use crate::text::Span;

pub(super) static TSOA: Framework = Framework {
    name: "tsoa",
    packages: &["tsoa", "@tsoa/runtime"],
    library: &LIBRARY,
    methods: super::routes::named_methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[],
};

static LIBRARY: Library =
    Library { name: "tsoa", words: &[REGISTER], node_kind, call, class_defined, finished, ..Library::TYPESCRIPT };

/// What the generated function is called.
const REGISTER: &str = "RegisterRoutes";
/// A class with `@Route()`; its decorators are the node's positional options.
const CONTROLLER: &str = "@Route";
/// Where the generated function was called that is not part of the sources.
const REGISTERED: &str = "RegisterRoutes";

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        CONTROLLER => Some("controller"),
        REGISTERED => Some("registered"),
        _ => None,
    }
}

/// The decorators of tsoa, under either name of the package.
fn named<'d, 'p>(decorators: &'d [Rc<Made<'p>>], names: &[&str]) -> Option<&'d Rc<Made<'p>>> {
    find(decorators, "tsoa", names).or_else(|| find(decorators, "@tsoa/runtime", names))
}

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if path.starts_with("tsoa.") || path.starts_with("@tsoa/runtime.") {
        return Some(decorated::kept(path, args, site));
    }
    // Its module is written by a build, so it is no part of the program.
    if last(path) != REGISTER || !path.starts_with('.') {
        return None;
    }
    if let Some(Value::Node(parent)) = args.positional.first() {
        let parent = *parent;
        let child = evaluator.make_node(REGISTERED, Args::default(), None, site)?;
        evaluator.add_mount(parent, child, Value::str(""), Args::default(), site, MountKind::Include);
    }
    Some(Value::None)
}

fn class_defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, decorators: &[Value<'p>]) {
    let decorators = decorated::opened(evaluator, decorators);
    if let Some(route) = named(&decorators, &["Route"]) {
        let site = route.site;
        let positional = decorators.into_iter().map(Value::Made).collect();
        evaluator.make_node(CONTROLLER, Args { positional, ..Args::default() }, Some(class.clone()), site);
    }
}

const VERBS: &[&str] = &["Get", "Post", "Put", "Patch", "Delete", "Head", "Options"];

/// A controller and the routes that its own methods declare.
struct Controller<'p> {
    node: NodeId,
    class: ClassRef<'p>,
    prefix: Value<'p>,
    options: Args<'p>,
    routes: Vec<Declared<'p>>,
    site: Span,
}

struct Declared<'p> {
    /// `UsersController_getUser`, as the generated function calls it.
    name: String,
    draft: RouteDraft<'p>,
    handler: Value<'p>,
}

/// Puts the routes of all controllers where the generated function was called; without such a call they stand for
/// themselves.
fn finished(evaluator: &mut Evaluator<'_>, _roots: &[ModuleId]) {
    let nodes: Vec<NodeId> = (0..evaluator.nodes().len() as u32).map(NodeId).collect();
    let of_kind = |evaluator: &Evaluator, id: &NodeId, path: &str| {
        let node = evaluator.node(*id);
        std::ptr::eq(node.library, &raw const LIBRARY) && &*node.path == path
    };
    let declared: Vec<NodeId> = nodes.iter().filter(|id| of_kind(evaluator, id, CONTROLLER)).copied().collect();
    if declared.is_empty() {
        return;
    }
    let controllers: Vec<Controller> = declared.into_iter().filter_map(|id| read(evaluator, id)).collect();
    let mut placed = false;
    for id in nodes {
        if of_kind(evaluator, &id, REGISTERED) {
            placed = true;
            for controller in &controllers {
                mount(evaluator, id, controller);
            }
        } else {
            placed |= replace_generated(evaluator, id, &controllers);
        }
    }
    if !placed {
        controllers.iter().for_each(|controller| fill(evaluator, controller.node, controller));
    }
}

fn read<'p>(evaluator: &mut Evaluator<'p>, id: NodeId) -> Option<Controller<'p>> {
    let class = evaluator.node(id).class.clone()?;
    evaluator.start(class.name_span().file);
    let mut options = evaluator.node(id).options.clone();
    let decorators = decorated::made(&options.positional);
    let route = named(&decorators, &["Route"])?;
    let prefix = with_slash(route.args.positional.first());
    if named(&decorators, &["Hidden"]).is_some() {
        options.set("include_in_schema", Value::Bool(false));
    }
    let site = route.site;
    let mut routes = Vec::new();
    for method in decorated::methods(evaluator, &class) {
        // Methods of a base class are none of the controller's.
        let own = method.function.class.as_ref().is_some_and(|of| std::ptr::eq(of.node, class.node));
        let is_verb = |made: &Rc<Made>| is_of(made, "tsoa", VERBS) || is_of(made, "@tsoa/runtime", VERBS);
        if let (true, Some(verb)) = (own, method.decorators.iter().find(|made| is_verb(made)).cloned()) {
            routes.push(declare(id, &class, &verb, &method.decorators, method.function.clone()));
        }
    }
    Some(Controller { node: id, class, prefix, options, routes, site })
}

fn declare<'p>(
    node: NodeId,
    class: &ClassRef<'p>,
    verb: &Rc<Made<'p>>,
    decorators: &Decorators<'p>,
    function: crate::evaluate::FunctionRef<'p>,
) -> Declared<'p> {
    let mut options = Args::default();
    if named(decorators, &["Hidden"]).is_some() {
        options.set("include_in_schema", Value::Bool(false));
    }
    if named(decorators, &["Deprecated"]).is_some() {
        options.set("deprecated", Value::Bool(true));
    }
    options.positional = decorators.iter().cloned().map(Value::Made).collect();
    let methods = Value::list(vec![Value::str(verb.name().to_uppercase())]);
    let path = with_slash(verb.args.positional.first());
    let name = format!("{}_{}", class.name(), function.node.name);
    let draft = RouteDraft { node, methods, path, options, site: verb.site };
    Declared { name, draft, handler: Value::Bound(Rc::new(Value::Class(class.clone())), function) }
}

/// A part of a path with a slash before it; none given is the empty one.
fn with_slash<'p>(path: Option<&Value<'p>>) -> Value<'p> {
    let slashed = |text: &str| match text.trim_matches('/') {
        "" => String::new(),
        text => format!("/{text}"),
    };
    match path {
        None | Some(Value::None) => Value::str(""),
        Some(Value::Str(text)) => template(&Value::str(slashed(text))),
        Some(Value::Pattern(text)) => template(&Value::Pattern(Rc::from(slashed(text)))),
        Some(other) => other.clone(),
    }
}

fn fill<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, controller: &Controller<'p>) {
    let node = evaluator.node_mut(id);
    node.prefix = controller.prefix.clone();
    node.options = controller.options.clone();
    for route in &controller.routes {
        let draft = RouteDraft { node: id, ..route.draft.clone() };
        evaluator.add_route(&Rc::new(draft), route.handler.clone());
    }
}

fn mount<'p>(evaluator: &mut Evaluator<'p>, parent: NodeId, controller: &Controller<'p>) {
    let class = Some(controller.class.clone());
    let Some(id) = evaluator.make_node(CONTROLLER, Args::default(), class, controller.site) else { return };
    fill(evaluator, id, controller);
    evaluator.add_mount(parent, id, Value::str(""), Args::default(), controller.site, MountKind::Include);
}

/// Where the generated function is part of the program, its routes stand on some router already: each is replaced by the
/// one of the controller that it speaks of, under the path that it is registered with. Whether there was any.
fn replace_generated<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, controllers: &[Controller<'p>]) -> bool {
    let mut found: FxHashMap<String, Value<'p>> = FxHashMap::default();
    let node = evaluator.node_mut(id);
    node.items.retain(|item| {
        let Item::Route { draft, handler: Value::Function(handler), .. } = item else { return true };
        let name = handler.node.name.as_str();
        if !controllers.iter().any(|controller| controller.routes.iter().any(|route| route.name == name)) {
            return true;
        }
        found.insert(name.to_owned(), draft.path.clone());
        false
    });
    for controller in controllers {
        let routes: Vec<(&Declared<'p>, &Value<'p>)> =
            controller.routes.iter().filter_map(|route| Some((route, found.get(&route.name)?))).collect();
        if routes.is_empty() {
            continue;
        }
        let class = Some(controller.class.clone());
        let Some(child) = evaluator.make_node(CONTROLLER, controller.options.clone(), class, controller.site) else {
            continue;
        };
        for (route, path) in routes {
            let draft = RouteDraft { node: child, path: path.clone(), ..route.draft.clone() };
            evaluator.add_route(&Rc::new(draft), route.handler.clone());
        }
        evaluator.add_mount(id, child, Value::str(""), Args::default(), controller.site, MountKind::Include);
    }
    !found.is_empty()
}
