//! Which controllers an application serves, and under which prefixes: the global one, versions, paths of modules.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::controllers::{self, Controller, Declared, is_neutral, versions_of};
use super::paths::{as_template, is_excluded, joined};
use super::{
    APPLICATION, COMMON, CONTROLLER, CONTROLLER_PATH, EXCLUDED, GLOBAL_PREFIX, INTERCEPTORS, LISTENS, MODULE,
    MODULE_PATHS, TRANSFORMS, VERSIONING, status,
};
use crate::evaluate::{
    Args, ClassRef, Evaluator, ModuleId, MountKind, NodeId, Opaque, RouteDraft, UNKNOWN_PART, Value, last,
};
use crate::finding::Reason;
use crate::frameworks::decorated::{Decorators, find, of_class, option};
use crate::model::{Reach, program};
use crate::text::Span;

/// Modules within modules that are followed; that there are more is told.
const MAX_MODULES: usize = 20_000;
/// Routes of one controller, over all its paths and versions; that there are more is told.
const MAX_ROUTES: usize = 5_000;

/// What tells one class from another.
type Key = *const program::Class;

fn key(class: &ClassRef<'_>) -> Key {
    std::ptr::from_ref(class.node)
}

/// The classes that the program declares to be something.
#[derive(Default)]
struct Program<'p> {
    applications: Vec<NodeId>,
    controllers: Vec<ClassRef<'p>>,
    /// The options of each module.
    modules: FxHashMap<Key, Vec<Value<'p>>>,
    /// What `RouterModule.register` was given.
    paths: Vec<Value<'p>>,
}

/// What a module leads to.
#[derive(Default)]
struct Reached<'p> {
    /// Controllers in order, each with the module that lists it.
    controllers: Vec<(ClassRef<'p>, Key)>,
    /// What modules provide as `APP_INTERCEPTOR`.
    interceptors: Vec<Value<'p>>,
    /// Why there may be more, each with where that stands.
    unknown: Vec<Reason>,
    seen: FxHashSet<Key>,
}

/// Gives every application the routes of its controllers. Where it cannot be told which application serves a
/// controller, the nearest does; where there is none, the routes stand for themselves.
pub(super) fn serve<'p>(evaluator: &mut Evaluator<'p>, _roots: &[ModuleId]) {
    let program = declared(evaluator);
    let applications = served(evaluator, &program);
    let prefixes = module_prefixes(evaluator, &program);
    let mut plan: Vec<(Option<NodeId>, Controller<'p>, Value<'p>)> = Vec::new();
    let mut known: FxHashSet<Key> = FxHashSet::default();
    for id in &applications {
        let reached = reached(evaluator, &program, *id);
        let attributes = &mut evaluator.node_mut(*id).attributes;
        let mut interceptors = attributes.get(INTERCEPTORS).and_then(Value::elements).unwrap_or_default();
        interceptors.extend(reached.interceptors);
        attributes.insert(INTERCEPTORS.into(), Value::list(interceptors));
        for reason in reached.unknown {
            let opaque = Opaque { prefix: Value::str(""), reach: Reach::Unseen, reason };
            evaluator.node_mut(*id).opaque.push(opaque);
        }
        let mut done: FxHashSet<(Key, Key)> = FxHashSet::default();
        for (class, module) in &reached.controllers {
            known.insert(key(class));
            if !done.insert((key(class), *module)) {
                continue;
            }
            for prefix in prefixes.get(module).unwrap_or(&vec![Value::None]) {
                let Some(controller) = read(evaluator, class) else { continue };
                plan.push((Some(*id), controller, prefix.clone()));
            }
        }
    }
    let bases = bases(evaluator, plan.iter().map(|(_, controller, _)| controller.class.clone()).collect());
    for class in &program.controllers {
        if known.contains(&key(class)) || bases.contains(&key(class)) {
            continue;
        }
        let Some(controller) = read(evaluator, class) else { continue };
        plan.push((nearest(evaluator, &applications, &controller), controller, Value::None));
    }
    let transforms = plan.iter().any(|(application, controller, _)| {
        let attributes = application.map(|id| &evaluator.node(id).attributes);
        let global = attributes.and_then(|known| known.get(INTERCEPTORS)).and_then(Value::elements).unwrap_or_default();
        global.iter().any(is_serializer) || serializes(controller)
    });
    for (application, mut controller, prefix) in plan {
        if transforms {
            controller.options.set(TRANSFORMS, Value::Bool(true));
        }
        match application {
            Some(id) => mount(evaluator, id, controller, &prefix),
            None => stand_alone(evaluator, &controller),
        }
    }
}

/// Whether an interceptor sends values through class-transformer.
fn is_serializer(interceptor: &Value) -> bool {
    let path = match interceptor {
        Value::External(path) => path,
        Value::Made(made) => &made.path,
        _ => return false,
    };
    last(path) == "ClassSerializerInterceptor"
}

/// Whether a controller or one of its methods does.
fn serializes(controller: &Controller) -> bool {
    let all =
        controller.options.positional.iter().chain(controller.routes.iter().flat_map(|it| &it.options.positional));
    all.into_iter().any(|decorator| {
        let Value::Made(made) = decorator else { return false };
        made.name() == "SerializeOptions" || made.args.positional.iter().any(is_serializer)
    })
}

fn declared<'p>(evaluator: &Evaluator<'p>) -> Program<'p> {
    let mut program = Program::default();
    for (at, node) in evaluator.nodes().iter().enumerate() {
        let id = NodeId(at as u32);
        match (node.kind, &node.class) {
            (APPLICATION, _) if is_ours(node) => program.applications.push(id),
            (CONTROLLER, Some(class)) => program.controllers.push(class.clone()),
            (MODULE, Some(class)) => {
                let options = node.options.positional.first().cloned();
                program.modules.entry(key(class)).or_default().extend(options);
            }
            (MODULE_PATHS, _) => program.paths.extend(node.options.positional.first().cloned()),
            _ => {}
        }
    }
    program
}

fn is_ours(node: &crate::evaluate::Node) -> bool {
    std::ptr::eq(node.library, &raw const super::LIBRARY)
}

/// The applications that serve: of several that are made of one module (to write a document, say), those that listen.
fn served<'p>(evaluator: &Evaluator<'p>, program: &Program<'p>) -> Vec<NodeId> {
    let listens = |id: &NodeId| evaluator.node(*id).attributes.contains_key(LISTENS);
    let root = |id: &NodeId| evaluator.node(*id).options.positional.first().cloned();
    let all = &program.applications;
    let outdone = |id: &NodeId| {
        !listens(id)
            && all.iter().any(|other| {
                listens(other) && matches!((root(id), root(other)), (Some(one), Some(two)) if one.same(&two))
            })
    };
    all.iter().filter(|id| !outdone(id)).copied().collect()
}

/// Follows the modules that an application is made of.
fn reached<'p>(evaluator: &mut Evaluator<'p>, program: &Program<'p>, application: NodeId) -> Reached<'p> {
    let mut reached = Reached::default();
    let mut next: Vec<Value<'p>> =
        evaluator.node(application).options.positional.first().cloned().into_iter().collect();
    let site = evaluator.node(application).site;
    let mut steps = 0;
    while let Some(value) = next.pop() {
        steps += 1;
        if steps > MAX_MODULES {
            reached.unknown.push(Reason::new("there are too many modules to follow", Some(site)));
            break;
        }
        match &value {
            Value::Class(class) if reached.seen.insert(key(class)) => {
                for options in program.modules.get(&key(class)).into_iter().flatten() {
                    add(options, key(class), class.name_span(), &mut reached, &mut next);
                }
            }
            // A dynamic module: what it adds to the class that it names.
            Value::Dict(_) => {
                let module = option(&value, "module");
                let owner = match &module {
                    Some(Value::Class(class)) => key(class),
                    _ => std::ptr::null(),
                };
                next.extend(module);
                add(&value, owner, site, &mut reached, &mut next);
            }
            Value::List(_) | Value::Tuple(_) => next.extend(value.elements().unwrap_or_default().into_iter().rev()),
            // `ConditionalModule.registerWhen(Module, …)`
            Value::Made(made) => {
                next.extend(made.args.positional.iter().filter(|it| matches!(it, Value::Class(_))).cloned());
                of_package(evaluator, &made.path, made.site, &mut reached);
            }
            Value::External(path) => of_package(evaluator, path, site, &mut reached),
            Value::Unknown(why, place) => {
                reached.unknown.push(Reason::new(format!("a module is not known: {why}"), place.or(Some(site))));
            }
            _ => {}
        }
    }
    reached
}

/// A module of a package may bring controllers.
fn of_package(evaluator: &Evaluator, path: &str, site: Span, reached: &mut Reached) {
    if !evaluator.registers_nothing(path) {
        let name = path.split(['.', '(']).rev().find(|part| part.ends_with("Module")).unwrap_or(last(path));
        reached.unknown.push(Reason::new(format!("`{name}` of a package may have controllers"), Some(site)));
    }
}

fn add<'p>(options: &Value<'p>, owner: Key, site: Span, reached: &mut Reached<'p>, next: &mut Vec<Value<'p>>) {
    let controllers = option(options, "controllers");
    let listed = controllers.as_ref().and_then(Value::elements);
    let is_unknown = match (&controllers, &listed) {
        (None | Some(Value::None), _) => false,
        (_, None) => true,
        (_, Some(listed)) => listed.iter().any(Value::is_unknown),
    };
    if is_unknown {
        reached.unknown.push(Reason::new("controllers of a module are not known", Some(site)));
    }
    for controller in listed.unwrap_or_default() {
        if let Value::Class(class) = controller {
            reached.controllers.push((class, owner));
        }
    }
    for provider in option(options, "providers").and_then(|list| list.elements()).unwrap_or_default() {
        let provides = option(&provider, "provide");
        if provides.as_ref().and_then(Value::as_external).is_some_and(|path| last(path) == "APP_INTERCEPTOR") {
            let given = ["useClass", "useExisting", "useValue"].iter().find_map(|key| option(&provider, key));
            reached.interceptors.extend(given);
        }
    }
    next.extend(option(options, "imports").and_then(|list| list.elements()).unwrap_or_default().into_iter().rev());
}

/// The paths that `RouterModule.register` gives to modules, children below their parents.
fn module_prefixes<'p>(evaluator: &mut Evaluator<'p>, program: &Program<'p>) -> FxHashMap<Key, Vec<Value<'p>>> {
    let mut prefixes: FxHashMap<Key, Vec<Value<'p>>> = FxHashMap::default();
    let mut next: Vec<(Value<'p>, Value<'p>)> =
        program.paths.iter().map(|routes| (routes.clone(), Value::str(""))).collect();
    let mut steps = 0;
    while let Some((route, parent)) = next.pop() {
        steps += 1;
        if steps > MAX_MODULES {
            evaluator.cut("prefixes of modules, beyond the 20000th", None);
            break;
        }
        match &route {
            Value::List(_) | Value::Tuple(_) => {
                next.extend(route.elements().unwrap_or_default().into_iter().map(|route| (route, parent.clone())));
            }
            Value::Class(class) => prefixes.entry(key(class)).or_default().push(parent),
            Value::Dict(_) => {
                let own = option(&route, "path").unwrap_or(Value::None);
                let path = joined(&[&parent, &own]);
                if let Some(Value::Class(class)) = option(&route, "module") {
                    prefixes.entry(key(&class)).or_default().push(path.clone());
                }
                next.extend(option(&route, "children").map(|children| (children, path)));
            }
            _ => {}
        }
    }
    prefixes
}

/// The classes that others extend which are served themselves.
fn bases<'p>(evaluator: &mut Evaluator<'p>, served: Vec<ClassRef<'p>>) -> FxHashSet<Key> {
    let mut bases = FxHashSet::default();
    for class in served {
        bases.extend(evaluator.ancestry(&class).iter().skip(1).filter_map(|ancestor| match ancestor {
            Value::Class(ancestor) => Some(key(ancestor)),
            _ => None,
        }));
    }
    bases
}

/// The application whose file shares the most directories with the controller's.
fn nearest<'p>(evaluator: &Evaluator<'p>, applications: &[NodeId], controller: &Controller<'p>) -> Option<NodeId> {
    let path = |file| evaluator.module_of_file(file).map_or("", |module| evaluator.index.path(module));
    let own = path(controller.site.file);
    let shared = |id: &NodeId| {
        let theirs = path(evaluator.node(*id).site.file);
        theirs.split('/').zip(own.split('/')).take_while(|(a, b)| a == b).count()
    };
    let mut best: Option<(usize, NodeId)> = None;
    for id in applications {
        let shared = shared(id);
        if best.is_none_or(|(most, _)| shared > most) {
            best = Some((shared, *id));
        }
    }
    best.map(|(_, id)| id)
}

/// Reads a controller; its decorators may be those of a class that it extends.
fn read<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Controller<'p>> {
    evaluator.start(class.name_span().file);
    let mut decorators: Decorators<'p> = Vec::new();
    for ancestor in evaluator.ancestry(class).iter() {
        if let Value::Class(ancestor) = ancestor {
            decorators.extend(of_class(evaluator, ancestor));
        }
        if find(&decorators, COMMON, &["Controller"]).is_some() {
            break;
        }
    }
    controllers::read(evaluator, class, &decorators)
}

/// How an application versions its routes by path.
struct Versioning<'p> {
    prefix: Value<'p>,
    default: Option<Vec<Value<'p>>>,
}

fn versioning<'p>(evaluator: &Evaluator<'p>, application: NodeId) -> Option<Versioning<'p>> {
    let options = evaluator.node(application).attributes.get(VERSIONING)?;
    if !matches!(option(options, "type"), None | Some(Value::Int(status::URI_VERSIONING))) {
        return None;
    }
    let prefix = match option(options, "prefix") {
        None | Some(Value::None) => Value::str("v"),
        Some(Value::Bool(_)) => Value::str(""),
        Some(prefix) => prefix,
    };
    Some(Versioning { prefix, default: option(options, "defaultVersion").map(|version| versions_of(&version)) })
}

/// `v1`
fn version_segment<'p>(versioning: &Versioning<'p>, version: &Value<'p>) -> Value<'p> {
    match (&versioning.prefix, version) {
        (_, version) if is_neutral(version) => Value::None,
        (Value::Str(prefix), Value::Str(version)) => Value::str(format!("{prefix}{version}")),
        (Value::Str(prefix), Value::Int(version)) => Value::str(format!("{prefix}{version}")),
        (unknown @ Value::Unknown(..), _) | (_, unknown @ Value::Unknown(..)) => unknown.clone(),
        _ => Value::Unknown("version is no text", None),
    }
}

/// Mounts a controller in an application, below the path of its module: one node for each prefix of its routes.
fn mount<'p>(evaluator: &mut Evaluator<'p>, application: NodeId, mut controller: Controller<'p>, module: &Value<'p>) {
    let attributes = &evaluator.node(application).attributes;
    if let Some(interceptors) = attributes.get(INTERCEPTORS) {
        controller.options.set(INTERCEPTORS, interceptors.clone());
    }
    let global = attributes.get(GLOBAL_PREFIX).cloned().unwrap_or(Value::None);
    let excluded = attributes.get(EXCLUDED).and_then(Value::elements).unwrap_or_default();
    let versioning = versioning(evaluator, application);
    if let Some(base) = unread_base(evaluator, &controller.class) {
        let version = Value::str(if versioning.is_some() { UNKNOWN_PART.to_string() } else { String::new() });
        for path in &controller.paths {
            if let Value::Str(text) = as_template(&joined(&[&global, &version, module, path])) {
                let why = format!("`{base}`, which `{}` extends, is not read", controller.class.name());
                let opaque = Opaque::below(Value::Str(text), Reason::new(why, Some(controller.class.name_span())));
                evaluator.node_mut(application).opaque.push(opaque);
            }
        }
    }
    let mut nodes: Vec<(bool, Value<'p>, NodeId)> = Vec::new();
    let mut count = 0;
    for path in &controller.paths {
        for route in &controller.routes {
            let versions = versioning.as_ref().and_then(|versioning| {
                route.versions.as_ref().or(controller.versions.as_ref()).or(versioning.default.as_ref())
            });
            let segments: Vec<Value<'p>> = match (&versioning, versions) {
                (Some(versioning), Some(versions)) => {
                    versions.iter().map(|version| version_segment(versioning, version)).collect()
                }
                _ => vec![Value::None],
            };
            for segment in &segments {
                for own in &route.paths {
                    count += 1;
                    if count > MAX_ROUTES {
                        evaluator.cut("routes of one controller beyond the 5000th", Some(controller.site));
                        return;
                    }
                    let bare = joined(&[module, path, own]);
                    let whole = joined(&[segment, &bare]);
                    let texts = [bare.as_str().unwrap_or(""), whole.as_str().unwrap_or("")];
                    let method = route.methods.first().copied().unwrap_or("");
                    let free = texts.iter().any(|text| is_excluded(&excluded, text, method));
                    let prefix = as_template(&joined(&[segment, module, path]));
                    let known = nodes.iter().find(|(is_free, known, _)| *is_free == free && known.same(&prefix));
                    let id = if let Some((_, _, id)) = known {
                        *id
                    } else {
                        let Some(id) = node(evaluator, &controller, prefix.clone()) else { return };
                        let outer = if free { Value::None } else { as_template(&joined(&[&global])) };
                        let kind = MountKind::Include;
                        evaluator.add_mount(application, id, outer, Args::default(), controller.site, kind);
                        nodes.push((free, prefix, id));
                        id
                    };
                    add_route(evaluator, id, route, own);
                }
            }
        }
    }
}

/// The class that a controller extends which may have routes and is not read.
fn unread_base<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<String> {
    if evaluator.unknown_base(class) {
        return Some("a base class".to_owned());
    }
    let external = evaluator.external_bases(class);
    external.iter().find(|path| !evaluator.registers_nothing(path)).map(|path| last(path).to_owned())
}

fn node<'p>(evaluator: &mut Evaluator<'p>, controller: &Controller<'p>, prefix: Value<'p>) -> Option<NodeId> {
    let class = Some(controller.class.clone());
    let id = evaluator.make_node(CONTROLLER_PATH, controller.options.clone(), class, controller.site)?;
    evaluator.node_mut(id).prefix = prefix;
    Some(id)
}

/// A controller of no application that could be found.
fn stand_alone<'p>(evaluator: &mut Evaluator<'p>, controller: &Controller<'p>) {
    let Some(id) = node(evaluator, controller, Value::str("")) else { return };
    for path in &controller.paths {
        for route in &controller.routes {
            for own in &route.paths {
                add_route(evaluator, id, route, &joined(&[path, own]));
            }
        }
    }
}

fn add_route<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, route: &Declared<'p>, path: &Value<'p>) {
    if route.methods.is_empty() {
        return;
    }
    let methods = Value::list(route.methods.iter().map(|method| Value::str(*method)).collect());
    let path = as_template(&joined(&[path]));
    let options = route.options.clone();
    let draft = RouteDraft { node: id, methods, path, options, site: route.site };
    evaluator.add_route(&Rc::new(draft), route.handler.clone());
}
