//! NestJS: decorated controllers, the modules that list them, and the application that serves them.

mod controllers;
mod interceptors;
mod modules;
mod paths;
mod requests;
mod responses;
mod settings;
mod status;

use super::Framework;
use super::decorated::{find, kept, opened};
use crate::evaluate::{Args, ClassRef, Evaluator, Library, NodeId, Value};
use crate::text::Span;

pub(super) static NESTJS: Framework = Framework {
    name: "NestJS",
    packages: &["@nestjs/common", "@nestjs/core"],
    library: &LIBRARY,
    methods: super::routes::named_methods,
    responses: responses::responses,
    requests: requests::requests,
    application_kinds: &[APPLICATION],
};

static LIBRARY: Library = Library {
    name: "@nestjs",
    words: &[
        "setGlobalPrefix",
        "enableVersioning",
        "useGlobalPipes",
        "useGlobalFilters",
        "useGlobalGuards",
        "useGlobalInterceptors",
        "enableShutdownHooks",
        "startAllMicroservices",
        "applyDecorators",
        "Controller",
    ],
    node_kind,
    node_method,
    call,
    constant: status::constant,
    class_defined,
    finished: modules::serve,
    registers_nothing: |path| path.starts_with("@nestjs/"),
    ..Library::TYPESCRIPT
};

const APPLICATION: &str = "application";
/// A class with `@Controller()`; its decorators are the node's positional options.
const CONTROLLER: &str = "controller";
/// A class with `@Module()`, whose options are the node's first positional option.
const MODULE: &str = "module";
/// `RouterModule.register([…])`
const MODULE_PATHS: &str = "paths of modules";
/// `ConfigService`, wherever it is injected.
const SETTINGS: &str = "settings";
/// `registerAs('name', () => ({ … }))`
const NAMESPACE: &str = "settings of a name";
/// `ConfigModule.forRoot({ load: […] })`
const LOADED: &str = "settings that are loaded";

const COMMON: &str = "@nestjs/common";
const SWAGGER: &str = "@nestjs/swagger";

/// What nodes are called that stand for a class rather than a call.
const CONTROLLER_PATH: &str = "@Controller";
const MODULE_PATH: &str = "@Module";
const CONFIG_SERVICE: &str = "@nestjs/config.ConfigService";

/// What an application was told, as attributes of its node.
const GLOBAL_PREFIX: &str = "global prefix";
const EXCLUDED: &str = "excluded from the global prefix";
const VERSIONING: &str = "versioning";
const LISTENS: &str = "listens";

/// Options of a controller's node: the interceptors of its application, outermost first, and whether values pass through
/// class-transformer anywhere.
const INTERCEPTORS: &str = "interceptors";
const TRANSFORMS: &str = "transforms";

fn node_kind(path: &str) -> Option<&'static str> {
    match path {
        "@nestjs/core.NestFactory.create" => Some(APPLICATION),
        CONTROLLER_PATH => Some(CONTROLLER),
        MODULE_PATH => Some(MODULE),
        "@nestjs/core.RouterModule.register" => Some(MODULE_PATHS),
        CONFIG_SERVICE => Some(SETTINGS),
        "@nestjs/config.registerAs" => Some(NAMESPACE),
        "@nestjs/config.ConfigModule.forRoot" => Some(LOADED),
        _ => None,
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
        APPLICATION => {}
        SETTINGS if matches!(name, "get" | "getOrThrow") => return Some(settings::get(evaluator, &args, site)),
        _ => return None,
    }
    let first = args.positional.first().cloned();
    // What is asked for by its class.
    if matches!(name, "get" | "resolve") {
        let asked = match first? {
            // `app.get(ConfigService<Settings>)`
            Value::Applied(base, _) => (*base).clone(),
            other => other,
        };
        return match asked {
            Value::External(path) if &*path == CONFIG_SERVICE => {
                evaluator.make_node(CONFIG_SERVICE, Args::default(), None, site).map(Value::Node)
            }
            class @ Value::Class(_) => Some(evaluator.call(&class, Args::default(), site)),
            _ => None,
        };
    }
    let attributes = &mut evaluator.node_mut(id).attributes;
    match name {
        "setGlobalPrefix" => {
            attributes.insert(GLOBAL_PREFIX.into(), first?);
            let options = args.positional.get(1).and_then(|options| super::decorated::option(options, "exclude"));
            attributes.insert(EXCLUDED.into(), options.unwrap_or(Value::None));
        }
        "enableVersioning" => {
            attributes.insert(VERSIONING.into(), first.unwrap_or_else(|| Value::dict(Vec::new())));
        }
        "useGlobalInterceptors" => {
            let known = attributes.get(INTERCEPTORS).and_then(Value::elements).unwrap_or_default();
            let all = known.into_iter().chain(args.positional).collect();
            attributes.insert(INTERCEPTORS.into(), Value::list(all));
        }
        "listen" | "listenAsync" => {
            attributes.insert(LISTENS.into(), Value::Bool(true));
        }
        // These return the application.
        name if name.starts_with("use") || name.starts_with("enable") || name == "init" => {}
        _ => return None,
    }
    Some(Value::Node(id))
}

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let rest = path.strip_prefix("@nestjs/")?;
    match (rest, args.positional.first()) {
        // What is imported in a circle.
        ("common.forwardRef", Some(later @ Value::Function(_))) => {
            Some(evaluator.call_always(later, Args::default(), site))
        }
        ("common.mixin", Some(class @ Value::Class(_))) => Some(class.clone()),
        // A setting that nobody sets is its default.
        ("config.ConfigService().get", Some(_)) if args.positional.get(1).is_some_and(Value::is_plain) => {
            evaluator.mark_soft();
            args.positional.get(1).cloned()
        }
        _ => Some(kept(path, args, site)),
    }
}

/// Remembers controllers and modules; what they serve is read when the whole program ran.
fn class_defined<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, decorators: &[Value<'p>]) {
    if decorators.is_empty() {
        return;
    }
    let decorators = opened(evaluator, decorators);
    if let Some(controller) = find(&decorators, COMMON, &["Controller"]) {
        let site = controller.site;
        let positional = decorators.iter().cloned().map(Value::Made).collect();
        let args = Args { positional, ..Args::default() };
        evaluator.make_node(CONTROLLER_PATH, args, Some(class.clone()), site);
    }
    if let Some(module) = find(&decorators, COMMON, &["Module"]) {
        evaluator.make_node(MODULE_PATH, module.args.clone(), Some(class.clone()), module.site);
    }
}
