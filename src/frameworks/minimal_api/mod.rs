//! Minimal APIs of ASP.NET Core: applications and groups, what `MapGet` and its like map on them, versions, and what is
//! found by looking through the assembly.

mod branches;
mod endpoints;
mod found;
mod groups;
mod identity;
mod requests;
mod responses;

use std::rc::Rc;

pub use endpoints::said_of_endpoints;

use super::{Framework, hosting, route_template};
use crate::evaluate::{Args, Evaluator, Library, NodeId, RouteDraft, Value, last};
use crate::text::Span;

pub(super) static MINIMAL_API: Framework = Framework {
    name: "Minimal API",
    packages: &[
        "Microsoft.NET.Sdk.Web",
        "Microsoft.AspNetCore.App",
        "Microsoft.AspNetCore.Builder",
        "Microsoft.AspNetCore.Routing",
        "Microsoft.AspNetCore.Http",
        "Microsoft.AspNetCore.Http.HttpResults",
        "Asp.Versioning",
        "Asp.Versioning.Builder",
        "Carter",
    ],
    library: &LIBRARY,
    methods: super::routes::named_methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[APPLICATION],
};

static LIBRARY: Library = Library {
    name: "Microsoft.AspNetCore.Builder",
    any_case: true,
    words: &[
        "MapGet",
        "MapPost",
        "MapPut",
        "MapDelete",
        "MapPatch",
        "MapMethods",
        "MapGroup",
        "MapHealthChecks",
        "MapCarter",
        "NewVersionedApi",
        "UseEndpoints",
        "CreateSlimBuilder",
        "CreateBuilder",
    ],
    application_words: &["CreateBuilder", "CreateSlimBuilder"],
    node_kind,
    node_method,
    paths,
    versions: |draft, chain| match groups::versions(draft, chain) {
        (versions, true) => versions,
        (_, false) => Vec::new(),
    },
    ..Library::CSHARP
};

const APPLICATION: &str = "application";
/// What endpoints are mapped on, wherever it comes from.
const ROUTER: &str = "router";
/// What an application is built by.
const BUILDER: &str = "builder";
/// What mapping a route returns, for more to be said of it.
const ENDPOINT: &str = "endpoint";
/// A set of versions.
const VERSIONS: &str = "versions";

const APPLICATION_PATH: &str = "WebApplication";
const GROUP_PATH: &str = "MapGroup";
const VERSIONED_PATH: &str = "NewVersionedApi";
const BRANCH_PATH: &str = "IApplicationBuilder.Map";
const ENDPOINT_PATH: &str = "RouteHandlerBuilder";
const VERSIONS_PATH: &str = "NewApiVersionSet";

/// Attribute of a builder: the application that it built.
const BUILT: &str = "@built";

fn node_kind(path: &str) -> Option<&'static str> {
    let ends = |end: &str| path == end || path.strip_suffix(end).is_some_and(|rest| rest.ends_with('.'));
    match last(path) {
        "CreateBuilder" | "CreateSlimBuilder" | "CreateEmptyBuilder"
            if ["CreateBuilder", "CreateSlimBuilder", "CreateEmptyBuilder"]
                .iter()
                .any(|name| ends(&format!("WebApplication.{name}"))) =>
        {
            Some(BUILDER)
        }
        "CreateDefaultBuilder" if ends("Host.CreateDefaultBuilder") || ends("WebHost.CreateDefaultBuilder") => {
            Some(BUILDER)
        }
        "WebApplicationBuilder" => Some(BUILDER),
        "Create" if ends("WebApplication.Create") => Some(APPLICATION),
        "WebApplication" | "IApplicationBuilder" => Some(APPLICATION),
        "IEndpointRouteBuilder" | "RouteGroupBuilder" | "IVersionedEndpointRouteBuilder" => Some(ROUTER),
        _ => match path {
            GROUP_PATH | VERSIONED_PATH | BRANCH_PATH => Some(ROUTER),
            ENDPOINT_PATH => Some(ENDPOINT),
            VERSIONS_PATH => Some(VERSIONS),
            _ => None,
        },
    }
}

fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    match evaluator.node(id).kind {
        BUILDER => built(evaluator, id, name, &args, site),
        ENDPOINT => {
            endpoints::say(evaluator, id, name, args, site);
            Some(Value::Node(id))
        }
        VERSIONS => {
            groups::say_version(evaluator, id, name, &args);
            Some(Value::Node(id))
        }
        _ => on_router(evaluator, id, name, args, site),
    }
}

/// What is called on a builder: it gives itself back until it is built.
fn built<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, name: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let application = |evaluator: &mut Evaluator<'p>| {
        if let Some(known) = evaluator.node(id).attributes.get(BUILT) {
            return Some(known.clone());
        }
        let made = Value::Node(evaluator.make_node(APPLICATION_PATH, Args::default(), None, site)?);
        evaluator.node_mut(id).attributes.insert(Rc::from(BUILT), made.clone());
        Some(made)
    };
    match name {
        "Build" => application(evaluator),
        // `Configure(app => …)`, `Configure((context, app) => …)`
        "Configure" => {
            let application = application(evaluator)?;
            for code in args.values().filter(|value| matches!(value, Value::Function(_) | Value::Bound(..))) {
                let given = branches::parameters(code);
                let mut positional = vec![Value::Unknown("context of a host", Some(site)); given.saturating_sub(1)];
                positional.push(application.clone());
                evaluator.call_always(code, Args { positional, ..Args::default() }, site);
            }
            Some(Value::Node(id))
        }
        _ => {
            branches::run_with(evaluator, id, args, site);
            Some(Value::Node(id))
        }
    }
}

/// What is called on an application, a group, or what else endpoints are mapped on.
fn on_router<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    match name {
        "MapGet" | "MapPost" | "MapPut" | "MapDelete" | "MapPatch" | "MapMethods" => {
            Some(endpoints::map(evaluator, id, name, args, site))
        }
        "Map" if branches::is_branch(&args) => {
            let prefix = args.positional.first().cloned().unwrap_or(Value::Unknown("branch without a path", None));
            branches::branch(evaluator, id, prefix, &args, site);
            Some(Value::Node(id))
        }
        "Map" => Some(endpoints::map(evaluator, id, name, args, site)),
        "MapWhen" | "UseWhen" => {
            branches::branch(evaluator, id, Value::str(""), &args, site);
            Some(Value::Node(id))
        }
        "UseEndpoints" | "UseRouter" => {
            branches::run_with(evaluator, id, &args, site);
            Some(Value::Node(id))
        }
        "UsePathBase" => {
            if let Some(base) = args.get(0, "pathBase") {
                evaluator.node_mut(id).options.set(endpoints::PATH_BASE, base.clone());
            }
            Some(Value::Node(id))
        }
        "MapGroup" => groups::group(evaluator, id, GROUP_PATH, args.get(0, "prefix").cloned(), site),
        "NewVersionedApi" | "DefineApi" => groups::group(evaluator, id, VERSIONED_PATH, Some(Value::str("")), site),
        "NewApiVersionSet" => evaluator.make_node(VERSIONS_PATH, Args::default(), None, site).map(Value::Node),
        "MapCarter" => {
            found::carter(evaluator, id, site);
            Some(Value::Node(id))
        }
        "MapIdentityApi" => Some(identity::map(evaluator, id, site)),
        "MapHealthChecks" => Some(endpoints::map_hidden(evaluator, id, &args, site)),
        "MapReverseProxy" | "MapForwarder" => {
            endpoints::unread(evaluator, id, &args, "what a proxy passes on is not known", site);
            endpoints::nothing(evaluator, site)
        }
        // Other extensions map something, as their names say; this one says in which version a group is served.
        other
            if other != "MapToApiVersion"
                && other.starts_with("Map")
                && other.as_bytes().get(3).is_some_and(u8::is_ascii_uppercase) =>
        {
            if !endpoints::maps_no_operation(other) {
                let why = format!("`{other}` is not part of the scanned sources: what it maps is not known");
                endpoints::unread(evaluator, id, &args, &why, site);
            }
            hosting::remember(evaluator, id, other, args, site);
            endpoints::nothing(evaluator, site)
        }
        other => {
            groups::say(evaluator, id, other, &args, site);
            hosting::remember(evaluator, id, other, args, site);
            Some(Value::Node(id))
        }
    }
}

/// One path in each version that is declared, else the template; behind a base that is taken away, too; without what may be
/// left out.
fn paths<'p>(draft: &RouteDraft<'p>, chain: &[Args<'p>], path: &str) -> Vec<(String, bool)> {
    let mut templates = Vec::new();
    match hosting::version_parameter(path) {
        None => templates.push((path.to_owned(), false)),
        Some(range) => {
            let (mut versions, all_known) = groups::versions(draft, chain);
            let stated = !versions.is_empty() && all_known;
            // What declares no version has the first.
            if versions.is_empty() {
                versions.push("1".to_owned());
            }
            templates.extend(versions.iter().map(|version| {
                let path = format!("{}{version}{}", &path[..range.start], &path[range.end..]);
                (path, !stated)
            }));
            templates.push((path.to_owned(), stated));
        }
    }
    let mut out: Vec<(String, bool)> = Vec::new();
    for (template, other_form) in templates {
        let route_template::Normal { path, shorter } = route_template::normalise(&template);
        out.push((path, other_form));
        out.extend(shorter.into_iter().map(|path| (path, true)));
    }
    let base = chain.iter().find_map(|options| options.named(endpoints::PATH_BASE)).and_then(Value::as_str);
    if let Some(base) = base.map(|base| base.trim_end_matches('/')).filter(|base| !base.is_empty()) {
        let based: Vec<(String, bool)> = out.iter().map(|(path, _)| (format!("{base}{path}"), true)).collect();
        out.extend(based);
    }
    out
}
