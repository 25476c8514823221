//! Which classes are endpoints, and what they serve once the settings of the application are known.

use std::rc::Rc;

use super::definition::{self, PLACES, PREFIX, ROUTES, VERBS, VERSION};
use super::settings::{Settings, applications};
use super::text;
use crate::evaluate::{
    Args, ClassRef, Evaluator, FunctionRef, ModuleId, MountKind, NodeId, Opaque, RouteDraft, Value, last,
};
use crate::model::program::{ClassKind, Modifiers};

/// What handles a request, the first that a class has.
const HANDLERS: &[&str] = &["ExecuteAsync", "HandleAsync"];
const ATTRIBUTES: &[(&str, &str)] = &[
    ("HttpGet", "GET"),
    ("HttpPost", "POST"),
    ("HttpPut", "PUT"),
    ("HttpDelete", "DELETE"),
    ("HttpPatch", "PATCH"),
    ("HttpHead", "HEAD"),
];

/// The library's classes that endpoints extend.
const ENDPOINTS: &[&str] =
    &["Endpoint", "EndpointWithoutRequest", "EndpointWithMapper", "EndpointWithMapping", "BaseEndpoint", TOKENS];
/// One that is set up in its constructor.
const TOKENS: &str = "RefreshTokenService";

/// Adds the routes of every endpoint of these modules.
pub(super) fn serve(evaluator: &mut Evaluator<'_>, roots: &[ModuleId]) {
    let mut found = Vec::new();
    for class in evaluator.declared_classes(roots) {
        if class.node.kind == ClassKind::Class
            && !class.node.modifiers.has(Modifiers::ABSTRACT)
            && class.node.type_parameters.is_empty()
            && is_endpoint(evaluator, &class)
        {
            evaluator.start(class.node.span.file);
            found.extend(defined(evaluator, &class));
        }
    }
    if found.is_empty() {
        return;
    }
    let used = applications(evaluator);
    let none = Settings::default();
    for id in found {
        let settings = used.first().map_or(&none, |(_, settings, _)| settings);
        routes(evaluator, id, settings);
        for (application, _, site) in &used {
            evaluator.add_mount(*application, id, Value::str(""), Args::default(), *site, MountKind::Include);
        }
    }
}

/// A class that extends one of the library's; or one that is not part of the sources and is named like those.
fn is_endpoint<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    extends_known(evaluator, class)
        || evaluator.external_bases(class).iter().any(|path| last(path).contains("Endpoint"))
            && matches!(
                evaluator.class_member(class, "Configure"),
                Some(Value::Function(configure)) if configure.node.modifiers.has(Modifiers::OVERRIDE)
            )
}

/// Whether a class extends one that the library declares, by its name.
pub(super) fn extends_known<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    evaluator
        .external_bases(class)
        .iter()
        .any(|path| ENDPOINTS.contains(&last(path)) || path.starts_with("Ep.") || path.starts_with("FastEndpoints.Ep."))
}

/// Runs what an endpoint says of itself; `None` where it says nothing, so that it is no endpoint of this library.
fn defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<NodeId> {
    let site = class.name_span();
    let configure = evaluator.class_member(class, "Configure");
    let id = evaluator.make_node("[Endpoint]", Args::default(), Some(class.clone()), site)?;
    if let Some(configure @ Value::Function(_)) = configure {
        evaluator.call_always(&configure, Args { positional: vec![Value::Node(id)], ..Args::default() }, site);
    }
    if evaluator.external_bases(class).iter().any(|path| last(path) == TOKENS)
        && let Some(init @ Value::Function(_)) = evaluator.class_member(class, "__init__")
    {
        evaluator.call_always(&init, Args { positional: vec![Value::Node(id)], ..Args::default() }, site);
    }
    let attributes = evaluator.class_attributes(class);
    let scope = class.scope.clone();
    for written in attributes {
        for attribute in evaluator.attributes(written, &scope) {
            let Value::Made(made) = attribute else { continue };
            let method = ATTRIBUTES.iter().find(|(name, _)| *name == last(&made.path)).map(|(_, method)| *method);
            let method = method.map(Value::str).or_else(|| {
                (last(&made.path) == "Http").then(|| made.args.positional.first().map(definition::verb_of)).flatten()
            });
            if let Some(method) = method {
                let skipped = usize::from(last(&made.path) == "Http");
                definition::set(evaluator, id, VERBS, vec![method]);
                let routes = made.args.positional.iter().skip(skipped);
                let routes = routes.flat_map(|given| given.elements().unwrap_or_else(|| vec![given.clone()])).collect();
                definition::set(evaluator, id, ROUTES, routes);
                evaluator.node_mut(id).attributes.insert(Rc::from(PLACES), definition::place(made.site));
            } else if last(&made.path) == "Group" {
                definition::said(evaluator, id, "Group", made.args.clone(), made.site);
            }
        }
    }
    let says =
        !definition::list(evaluator, id, ROUTES).is_empty() && !definition::list(evaluator, id, VERBS).is_empty();
    says.then_some(id)
}

/// Adds what an endpoint serves.
fn routes(evaluator: &mut Evaluator<'_>, id: NodeId, settings: &Settings) {
    let get = |name: &str| evaluator.node(id).attributes.get(name).cloned();
    let version = match get(VERSION) {
        Some(Value::Int(version)) => version,
        _ => 0,
    };
    let prefix = get(PREFIX);
    let instead = prefix.as_ref().and_then(text);
    let site = match get(PLACES) {
        Some(Value::Unknown(_, Some(site))) => site,
        _ => evaluator.node(id).site,
    };
    let unknown = match (&prefix, &instead) {
        (Some(prefix), None) => Some(format!("prefix of an endpoint is not known: {}", prefix.describe())),
        _ => None,
    };
    if let Some(reason) = settings
        .unknown
        .clone()
        .filter(|_| instead.is_none())
        .or_else(|| unknown.map(|why| crate::finding::Reason::new(why, Some(site))))
    {
        // The rest of the path is known, and may be enough.
        evaluator.node_mut(id).set_prefix(Value::Unknown("prefix of endpoints", reason.span));
        evaluator.node_mut(id).opaque.push(Opaque::below(Value::str(""), reason));
    }
    let Some(class) = evaluator.node(id).class.clone() else { return };
    let handler = handler(evaluator, &class).map_or_else(
        || Value::Class(class.clone()),
        |function| Value::Bound(Rc::new(Value::Class(class.clone())), function),
    );
    let methods = Value::list(definition::list(evaluator, id, VERBS));
    for route in definition::list(evaluator, id, ROUTES) {
        let path = match text(&route) {
            Some(route) => Value::str(settings.route(&route, version, instead.as_deref())),
            None => route,
        };
        let mut options = Args::default();
        options.positional.push(Value::Node(id));
        let draft = RouteDraft { node: id, methods: methods.clone(), path, options, site };
        evaluator.add_route_always(draft, handler.clone());
    }
}

/// The function of an endpoint that handles requests.
pub(super) fn handler<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<FunctionRef<'p>> {
    HANDLERS.iter().find_map(|name| match evaluator.class_member(class, name) {
        Some(Value::Function(function)) => Some(function),
        _ => None,
    })
}
