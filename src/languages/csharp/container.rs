//! Microsoft.Extensions.DependencyInjection, where wires are looked for: what a container gives is what stands for the type
//! that it is asked for. A setting of Microsoft.Extensions.Configuration is its default.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Library, Made, Value, last};
use crate::text::Span;

/// Containers of services.
pub static CONTAINER: Library =
    Library { name: "Microsoft.Extensions.DependencyInjection", call, member, ..Library::CSHARP };

/// What has a container.
const SCOPES: &[&str] = &[
    "IServiceScope",
    "AsyncServiceScope",
    "IHost",
    "WebApplication",
    "IApplicationBuilder",
    "IEndpointRouteBuilder",
    "HttpContext",
];
/// What has settings.
const CONFIGURATIONS: &[&str] =
    &["IConfiguration", "IConfigurationSection", "IConfigurationRoot", "ConfigurationManager"];
const PROVIDER: &str = "IServiceProvider";
const SCOPE: &str = "IServiceScope";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if !evaluator.looks_for_wires() {
        return None;
    }
    let (owner, method) = path.rsplit_once("().")?;
    // `configuration.GetValue("Topic", "orders")`: as it is where nobody sets it.
    if CONFIGURATIONS.contains(&last(owner)) && method == "GetValue" {
        return args.positional.get(1).cloned();
    }
    if !matches!(last(owner), PROVIDER | "IServiceScopeFactory" | "IKeyedServiceProvider") {
        return None;
    }
    match method {
        "CreateScope" | "CreateAsyncScope" => Some(made(SCOPE, site)),
        "GetService" | "GetRequiredService" | "GetKeyedService" | "GetRequiredKeyedService" => {
            asked_for(evaluator, args, site)
        }
        "GetServices" | "GetKeyedServices" => Some(Value::list(vec![asked_for(evaluator, args, site)?])),
        _ => None,
    }
}

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    if !evaluator.looks_for_wires()
        || !matches!(name, "ServiceProvider" | "Services" | "RequestServices" | "ApplicationServices")
    {
        return None;
    }
    match value {
        Value::Made(scope) if SCOPES.contains(&last(&scope.path)) => Some(made(PROVIDER, scope.site)),
        Value::Node(application) => Some(made(PROVIDER, evaluator.node(*application).site)),
        _ => None,
    }
}

fn made<'p>(path: &str, site: Span) -> Value<'p> {
    Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: Args::default(), site }))
}

/// `provider.GetRequiredService<T>()`, `provider.GetRequiredService(typeof(T))`
fn asked_for<'p>(evaluator: &mut Evaluator<'p>, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let wanted = match &args.types {
        Some((types, scope)) => evaluator.type_expression(types.first()?, scope),
        None => args.positional.first()?.clone(),
    };
    evaluator.stand_in_of(&wanted, site)
}
