//! Controllers of Django Ninja Extra: classes whose methods are operations, registered by `api.register_controllers(…)`.
//! (<https://eadwincode.github.io/django-ninja-extra/api_controller/>)

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{ROUTER_PATH, draft, template};
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Made, MountKind, NodeId, Opaque, Value, last};
use crate::finding::Reason;
use crate::frameworks::{decorated, returned};
use crate::languages::python::django::imported_string;
use crate::model::program::{Expr, StmtKind};
use crate::text::Span;

const VERBS: &[&str] = &["get", "post", "put", "patch", "delete"];

fn is_ours(path: &str) -> bool {
    path.split('.').next() == Some("ninja_extra")
}

/// `@api_controller("/users")`, `@route.get("/{id}")`, `@http_get("/{id}")` and `@paginate()` stay what they are called with.
pub(super) fn call<'p>(path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let is_kept = is_ours(path) && (matches!(last(path), "api_controller" | "paginate") || verb(path).is_some());
    is_kept.then(|| decorated::kept(path, args, site))
}

/// The method of `ninja_extra.route.get` and `ninja_extra.http_get`; empty where it is listed.
fn verb(path: &str) -> Option<&str> {
    let (before, name) = path.rsplit_once('.')?;
    let name = match name.strip_prefix("http_") {
        Some(name) => name,
        None if last(before) == "route" => name,
        None => return None,
    };
    if name == "generic" { Some("") } else { VERBS.contains(&name).then_some(name) }
}

/// `api.register_controllers(Users, "shop.api.Orders")`
pub(super) fn register<'p>(evaluator: &mut Evaluator<'p>, api: NodeId, args: &Args<'p>, site: Span) {
    for given in &args.positional {
        let class = match given {
            Value::Str(dotted) => match evaluator.module_of_file(site.file) {
                Some(from) => imported_string(evaluator, from, dotted),
                None => given.clone(),
            },
            other => other.clone(),
        };
        let added = if let Value::Class(class) = &class { controller(evaluator, api, class, site) } else { None };
        if added.is_none() {
            let reason = Reason::new(format!("registered controller is not known: {}", class.describe()), Some(site));
            evaluator.node_mut(api).opaque.push(Opaque::below(Value::str(""), reason));
        }
    }
}

/// The operations of a class, below its prefix; nothing where no decorator says that it is a controller.
fn controller<'p>(evaluator: &mut Evaluator<'p>, api: NodeId, class: &ClassRef<'p>, site: Span) -> Option<()> {
    let said = of_class(evaluator, class)?;
    let node = evaluator.make_node(ROUTER_PATH, Args::default(), None, class.name_span())?;
    let prefix = match said.args.get(0, "prefix_or_class") {
        Some(Value::Str(prefix)) => Value::str(template(prefix)),
        Some(unknown @ (Value::Unknown(..) | Value::Pattern(_))) => unknown.clone(),
        _ => Value::str(""),
    };
    let receiver = Rc::new(Value::Class(class.clone()));
    let mut seen = FxHashSet::default();
    for ancestor in evaluator.ancestry(class).iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        for statement in evaluator.class_statements(ancestor) {
            let StmtKind::Function(function) = &statement.kind else { continue };
            if function.decorators.is_empty() || !seen.insert(function.name.as_str()) {
                continue;
            }
            if let Some(Value::Function(method)) = evaluator.own_member(ancestor, &function.name) {
                operation(evaluator, node, &method, &receiver);
            }
        }
    }
    evaluator.add_mount(api, node, prefix, Args::default(), site, MountKind::Include);
    Some(())
}

/// What `@api_controller` of a class is called with.
fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Rc<Made<'p>>> {
    let written: &'p [Expr] = &class.node.decorators;
    let scope = class.scope.clone();
    written.iter().find_map(|decorator| match evaluator.evaluate(decorator, &scope) {
        Value::Made(made) if is_ours(&made.path) && made.name() == "api_controller" => Some(made),
        // Without arguments.
        Value::External(path) if is_ours(&path) && last(&path) == "api_controller" => {
            let args = Args::default();
            Some(Rc::new(Made { path, receiver: None, args, site: decorator.span }))
        }
        _ => None,
    })
}

fn operation<'p>(evaluator: &mut Evaluator<'p>, node: NodeId, function: &FunctionRef<'p>, receiver: &Rc<Value<'p>>) {
    for decorator in returned::decorators(evaluator, function) {
        let Value::Made(made) = decorator else { continue };
        let Some(verb) = verb(&made.path).filter(|_| is_ours(&made.path)) else { continue };
        let methods = match verb {
            "" => made.args.named("methods").cloned().unwrap_or(Value::None),
            verb => Value::list(vec![Value::str(verb.to_uppercase())]),
        };
        let path = made.args.get(0, "path").cloned();
        let draft = draft(node, methods, path, made.args.clone(), made.site);
        evaluator.add_route_always((*draft).clone(), Value::Bound(receiver.clone(), function.clone()));
    }
}
