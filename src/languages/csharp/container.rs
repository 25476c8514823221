//! Microsoft.Extensions.DependencyInjection, where wires are looked for: what a container gives is what stands for the type
//! that it is asked for. A setting of Microsoft.Extensions.Configuration is its default.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Library, Made, Value, last};
use crate::text::Span;

/// Containers of services.
pub static CONTAINER: Library =
    Library { name: "Microsoft.Extensions.DependencyInjection", call, member, setting, ..Library::CSHARP };

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
const SECTION: &str = "IConfigurationSection";
const PROVIDER: &str = "IServiceProvider";
const SCOPE: &str = "IServiceScope";

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if !evaluator.looks_for_wires() {
        return None;
    }
    let (owner, method) = path.rsplit_once("().")?;
    if CONFIGURATIONS.contains(&last(owner)) {
        let object = args.receiver.as_deref()?;
        let name = within(object, args.positional.first()?.as_str()?);
        return match method {
            // `configuration.GetValue("Topic", "orders")`: as it is where nobody sets it.
            "GetValue" => Some(args.positional.get(1).cloned().unwrap_or_else(|| evaluator.setting(&name, site))),
            "GetSection" | "GetRequiredSection" => {
                let args = Args { positional: vec![Value::str(name)], ..Args::default() };
                Some(Value::Made(Rc::new(Made { path: Rc::from(SECTION), receiver: None, args, site })))
            }
            _ => None,
        };
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

/// `configuration["Kafka:Topic"]`, `configuration.GetSection("Kafka")["Topic"]`
fn setting(object: &Value, key: &str) -> Option<String> {
    let Value::Made(made) = object else { return None };
    CONFIGURATIONS.contains(&last(&made.path)).then(|| within(object, key))
}

/// The whole name of a setting within a configuration or a section of it.
fn within(object: &Value, key: &str) -> String {
    let Value::Made(made) = object else { return key.to_owned() };
    match made.args.positional.first().and_then(Value::as_str) {
        Some(section) if &*made.path == SECTION => format!("{section}:{key}"),
        _ => key.to_owned(),
    }
}

fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    // `configuration.GetSection("Topic").Value`
    if name == "Value"
        && let Value::Made(section) = value
        && &*section.path == SECTION
    {
        let own = section.args.positional.first()?.as_str()?.to_owned();
        return Some(evaluator.setting(&own, section.site));
    }
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
