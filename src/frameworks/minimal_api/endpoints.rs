//! Endpoints: `MapGet(pattern, handler)` and its like, and what is said of them afterwards.

use std::rc::Rc;

use super::groups::{self, rooted};
use super::{ENDPOINT_PATH, hosting};
use crate::evaluate::{Args, Evaluator, Item, Made, NodeId, Opaque, RouteDraft, UNKNOWN_PART, Value, last};
use crate::finding::Reason;
use crate::text::Span;

/// Option: what an endpoint or group says that it answers, as the calls that say so.
pub(super) const PRODUCES: &str = "produces";
/// Option: the same of what it takes; of what a library maps, names of query parameters (`page?`) with their types, and the
/// body without a name.
pub(super) const ACCEPTS: &str = "accepts";
pub(super) const TAKES: &str = "takes";
/// Option of an application: what may stand in front of every path and is taken away.
pub(super) const PATH_BASE: &str = "path_base";
/// Attributes of an endpoint: the router that its route is on, and which of its items it is.
const ROUTER: &str = "@router";
const ITEM: &str = "@item";

/// The methods that `Map` answers: those that contracts speak of.
const EVERY: [&str; 5] = ["GET", "PUT", "POST", "DELETE", "PATCH"];

/// `MapGet(pattern, handler)`, `MapMethods(pattern, methods, handler)`, `Map(pattern, handler)`
pub(super) fn map<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    mut args: Args<'p>,
    site: Span,
) -> Value<'p> {
    let mut given = std::mem::take(&mut args.positional).into_iter();
    let mut take = |name: &str| args.remove(name).or_else(|| given.next());
    let pattern = take("pattern").unwrap_or(Value::Unknown("endpoint without a path", Some(site)));
    let methods = match name {
        "MapMethods" => take("httpMethods").map_or(Value::list(Vec::new()), |methods| named_methods(&methods)),
        "Map" => Value::list(EVERY.iter().map(|method| Value::str(*method)).collect()),
        _ => Value::list(vec![Value::str(name["Map".len()..].to_uppercase())]),
    };
    let handler = take("handler").or_else(|| args.remove("requestDelegate"));
    let handler = handler.unwrap_or(Value::Unknown("endpoint without a handler", Some(site)));
    let mut options = Args::default();
    // Documents leave out what names no methods.
    if name == "Map" {
        options.set("include_in_schema", Value::Bool(false));
    }
    add(evaluator, id, methods, &pattern, options, handler, site)
}

/// Adds a route, and gives what more is said to.
pub(super) fn add<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    methods: Value<'p>,
    pattern: &Value<'p>,
    options: Args<'p>,
    handler: Value<'p>,
    site: Span,
) -> Value<'p> {
    let path = match pattern {
        Value::Str(text) => Value::str(rooted(text)),
        Value::Pattern(text) => Value::Pattern(Rc::from(rooted(text))),
        other => other.clone(),
    };
    let before = evaluator.node(id).items.len();
    let draft = RouteDraft { node: id, methods, path, options, site };
    evaluator.add_route(&Rc::new(draft), handler);
    let Some(endpoint) = evaluator.make_node(ENDPOINT_PATH, Args::default(), None, site) else { return Value::None };
    if evaluator.node(id).items.len() > before {
        let attributes = &mut evaluator.node_mut(endpoint).attributes;
        attributes.insert(Rc::from(ROUTER), Value::Node(id));
        attributes.insert(Rc::from(ITEM), Value::Int(before as i64));
    }
    Value::Node(endpoint)
}

/// Options of an endpoint whose answer the library knows: `Produces` with these arguments.
pub(super) fn answering(positional: Vec<Value<'_>>, site: Span) -> Args<'_> {
    let args = Args { positional, ..Args::default() };
    let said = Made { path: Rc::from("Produces"), receiver: None, args, site };
    let mut options = Args::default();
    options.set(PRODUCES, Value::list(vec![Value::Made(Rc::new(said))]));
    options
}

/// What is mapped is no operation: an endpoint of which nothing more is kept.
pub(super) fn nothing<'p>(evaluator: &mut Evaluator<'p>, site: Span) -> Option<Value<'p>> {
    evaluator.make_node(ENDPOINT_PATH, Args::default(), None, site).map(Value::Node)
}

/// `MapHealthChecks("/health")`, which documents leave out.
pub(super) fn map_hidden<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, args: &Args<'p>, site: Span) -> Value<'p> {
    let pattern = args.get(0, "pattern").cloned().unwrap_or(Value::Unknown("endpoint without a path", Some(site)));
    let text = vec![Value::Int(200), Value::external("string"), Value::str("text/plain")];
    let mut options = answering(text, site);
    options.set("include_in_schema", Value::Bool(false));
    let handler = Value::external("MapHealthChecks");
    add(evaluator, id, Value::list(vec![Value::str("GET")]), &pattern, options, handler, site)
}

/// `["GET"]`, `new[] { HttpMethods.Get }`, `[HttpMethod.Get.Method]`
fn named_methods<'p>(methods: &Value<'p>) -> Value<'p> {
    let named = methods.elements().unwrap_or_else(|| vec![methods.clone()]).into_iter().map(|method| match method {
        Value::External(path) => {
            let path = path.strip_suffix(".Method").unwrap_or(&path);
            Value::str(last(path).to_uppercase())
        }
        Value::Str(text) => Value::str(text.to_uppercase()),
        other => other,
    });
    Value::list(named.collect())
}

/// Something is mapped that cannot be read: whatever lies below the router, or the path that is given, may be served.
pub(super) fn unread<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, args: &Args<'p>, why: &str, site: Span) {
    let prefix = match args.get(0, "pattern") {
        Some(Value::Str(text)) => Value::str(rooted(text)),
        _ => Value::str(format!("/{UNKNOWN_PART}")),
    };
    evaluator.node_mut(id).opaque.push(Opaque::below(prefix, Reason::new(why, Some(site))));
}

/// Whether a method of a library maps what no contract speaks of, or what another framework reads.
pub(super) fn maps_no_operation(name: &str) -> bool {
    const NOTHING: &[&str] = &[
        "MapControllers",
        "MapControllerRoute",
        "MapDefaultControllerRoute",
        "MapAreaControllerRoute",
        "MapDynamicControllerRoute",
        "MapFastEndpoints",
        "MapRazorPages",
        "MapRazorComponents",
        "MapBlazorHub",
        "MapStaticAssets",
        "MapHub",
        "MapGrpcService",
        "MapGrpcReflectionService",
        "MapGrpcHealthChecksService",
        "MapMagicOnionService",
        "MapGraphQL",
        "MapGraphQLHttp",
        "MapGraphQLSchema",
        "MapBananaCakePop",
        "MapNitroApp",
        "MapOpenApi",
        "MapSwagger",
        "MapSwaggerUI",
        "MapScalarApiReference",
        "MapDefaultEndpoints",
        "MapAdditionalIdentityEndpoints",
        "MapHealthChecksUI",
        "MapMetrics",
        "MapPrometheusScrapingEndpoint",
        "MapHangfireDashboard",
        "MapHangfireDashboardWithAuthorizationPolicy",
        "MapSubscribeHandler",
        "MapActorsHandlers",
        "MapConnections",
        "MapConnectionHandler",
        "MapMcp",
        "MapShortCircuit",
        "MapGet",
    ];
    NOTHING.contains(&name) || name.starts_with("MapFallback")
}

/// What a call says of answers, or of what is taken, and the option that keeps it; `None` where it says nothing of them.
pub(super) fn metadata<'p>(name: &str, args: &Args<'p>, site: Span) -> Option<(&'static str, Value<'p>)> {
    let made = || Value::Made(Rc::new(Made { path: Rc::from(name), receiver: None, args: args.clone(), site }));
    match name {
        "Produces" | "ProducesProblem" | "ProducesValidationProblem" => Some((PRODUCES, made())),
        "Accepts" => Some((ACCEPTS, made())),
        "WithMetadata" => args.positional.iter().find_map(|given| match given {
            Value::Made(attribute) if last(&attribute.path).starts_with("Produces") => Some((PRODUCES, given.clone())),
            Value::Made(attribute) if last(&attribute.path).starts_with("Consumes") => Some((ACCEPTS, given.clone())),
            _ => None,
        }),
        _ => None,
    }
}

/// Something is said of an endpoint that was mapped.
pub(super) fn say<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, args: Args<'p>, site: Span) {
    let of_set = groups::set_of(evaluator, name, &args);
    let attributes = &evaluator.node(id).attributes;
    let (Some(Value::Node(router)), Some(Value::Int(item))) = (attributes.get(ROUTER), attributes.get(ITEM)) else {
        return;
    };
    let (router, item) = (*router, *item as usize);
    let Some(Item::Route { draft, .. }) = evaluator.node_mut(router).items.get_mut(item) else { return };
    let draft = Rc::make_mut(draft);
    match name {
        "ExcludeFromDescription" => draft.options.set("include_in_schema", Value::Bool(false)),
        _ if groups::version_said(&mut draft.options, name, &args, of_set) => {}
        _ => {
            if let Some((key, said)) = metadata(name, &args, site) {
                groups::add(&mut draft.options, key, said);
            }
            hosting::remember(evaluator, id, name, args, site);
        }
    }
}

/// What was said of endpoints with calls of a name, each with the handler of the endpoint.
pub fn said_of_endpoints<'p>(evaluator: &Evaluator<'p>, name: &str) -> Vec<(Rc<Made<'p>>, Value<'p>)> {
    let handler = |id: NodeId| {
        let attributes = &evaluator.node(id).attributes;
        let (Value::Node(router), Value::Int(item)) = (attributes.get(ROUTER)?, attributes.get(ITEM)?) else {
            return None;
        };
        match evaluator.node(*router).items.get(*item as usize)? {
            Item::Route { handler, .. } => Some(handler.clone()),
            Item::Mount { .. } => None,
        }
    };
    let said = hosting::remembered(evaluator, name).into_iter();
    said.filter_map(|(endpoint, said)| Some((said, handler(endpoint)?))).collect()
}
