//! `@fastify/autoload`: every file of a directory is a plugin, its prefix the folders on the way
//! (github.com/fastify/fastify-autoload, "Global Configuration" and "Plugin Configuration").

use std::collections::BTreeMap;
use std::rc::Rc;

use super::plugins::{self, WITHOUT_ENCAPSULATION};
use crate::evaluate::{Args, Dict, Evaluator, Made, ModuleId, NodeId, Value};
use crate::text::Span;

/// The plugin of the package.
pub(super) fn is_autoload(path: &str) -> bool {
    matches!(
        path,
        "@fastify/autoload"
            | "@fastify/autoload.default"
            | "@fastify/autoload.fastifyAutoload"
            | "@fastify/autoload.autoLoad"
            | "fastify-autoload"
    )
}

/// What the options say.
struct Loading<'p> {
    directory: String,
    /// What each plugin is given.
    given: Dict<'p>,
    folders_are_prefixes: bool,
    route_parameters: bool,
    encapsulates: bool,
    max_depth: usize,
    kept: Option<Value<'p>>,
    ignored: Option<Value<'p>>,
}

/// Registers every plugin of a directory.
pub(super) fn load<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, options: &Value<'p>, site: Span) {
    let Some(loading) = loading(options) else {
        super::unread(evaluator, id, "directory that is loaded is not known", site);
        return;
    };
    let modules = evaluator.index.below(&loading.directory);
    if modules.is_empty() {
        super::unread(evaluator, id, "directory that is loaded is not part of the scanned sources", site);
        return;
    }
    for (module, relative) in plugin_files(&modules, &loading) {
        let path = Value::str(format!("/{relative}"));
        let selected = |evaluator: &mut Evaluator<'p>, filter: &Option<Value<'p>>| match filter {
            Some(Value::Str(text)) => Some(relative.contains(&**text)),
            Some(filter @ Value::Function(_)) => {
                let given = Args { positional: vec![path.clone()], ..Args::default() };
                match evaluator.call_always(filter, given, site) {
                    Value::Bool(says) => Some(says),
                    _ => None,
                }
            }
            _ => None,
        };
        let dropped = selected(evaluator, &loading.kept) == Some(false);
        if !dropped && selected(evaluator, &loading.ignored) != Some(true) {
            register(evaluator, id, &loading, module, &relative, site);
        }
    }
}

fn loading<'p>(options: &Value<'p>) -> Option<Loading<'p>> {
    let Value::Dict(options) = options else { return None };
    let options = options.borrow();
    let says = |name: &str, default: bool| match options.get_str(name) {
        Some(Value::Bool(given)) => *given,
        _ => default,
    };
    let directory = options.get_str("dir")?.as_str()?;
    Some(Loading {
        directory: directory.trim_start_matches("file://").trim_end_matches('/').to_owned(),
        given: match options.get_str("options") {
            Some(Value::Dict(given)) => given.borrow().clone(),
            _ => Dict { record: true, ..Dict::default() },
        },
        folders_are_prefixes: says("dirNameRoutePrefix", true),
        route_parameters: says("routeParams", false),
        encapsulates: says("encapsulate", true),
        max_depth: match options.get_str("maxDepth") {
            Some(Value::Int(depth)) => usize::try_from(*depth).unwrap_or(0),
            _ => usize::MAX,
        },
        kept: options.get_str("matchFilter").cloned(),
        ignored: options.get_str("ignoreFilter").cloned(),
    })
}

/// The files that are plugins, with their paths below the directory: an index file stands for the others beside it.
fn plugin_files(modules: &[(ModuleId, String)], loading: &Loading) -> Vec<(ModuleId, String)> {
    let mut folders: BTreeMap<&str, Vec<(ModuleId, &str)>> = BTreeMap::new();
    for (module, relative) in modules {
        let folder = relative.rsplit_once('/').map_or("", |(folder, _)| folder);
        let depth = if folder.is_empty() { 0 } else { folder.split('/').count() };
        if depth <= loading.max_depth {
            folders.entry(folder).or_default().push((*module, relative));
        }
    }
    let mut out = Vec::new();
    for files in folders.values() {
        let index = files.iter().find(|(_, path)| stem(path) == "index");
        let chosen: Vec<_> = match index {
            Some(index) => vec![*index],
            None => files.iter().filter(|(_, path)| is_plugin(stem(path))).copied().collect(),
        };
        out.extend(chosen.into_iter().map(|(module, path)| (module, path.to_owned())));
    }
    out.sort_by(|a, b| a.1.cmp(&b.1));
    out
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Neither hooks nor declarations of types.
fn is_plugin(stem: &str) -> bool {
    !is_hook(stem) && stem.rsplit_once('.').is_none_or(|(_, end)| end != "d")
}

fn is_hook(stem: &str) -> bool {
    let name = stem.trim_start_matches(['_', '.']).to_ascii_lowercase();
    name == "autohooks" || name == "auto_hooks"
}

fn register<'p>(
    evaluator: &mut Evaluator<'p>,
    id: NodeId,
    loading: &Loading<'p>,
    module: ModuleId,
    relative: &str,
    site: Span,
) {
    let Some(plugin) = evaluator.module_name(module, "default") else { return };
    let own = |evaluator: &mut Evaluator<'p>, name: &str| evaluator.module_name(module, name);
    if matches!(own(evaluator, "autoload"), Some(Value::Bool(false))) {
        return;
    }
    let folders = match relative.rsplit_once('/') {
        Some((folders, _)) if loading.folders_are_prefixes => format!("/{folders}"),
        _ => String::new(),
    };
    let mut given = match own(evaluator, "autoConfig") {
        Some(Value::Dict(config)) => config.borrow().clone(),
        _ => Dict { record: true, ..Dict::default() },
    };
    given.merge(&loading.given);
    let before = given.get_str("prefix").cloned();
    let after = own(evaluator, "autoPrefix").unwrap_or(Value::str(folders));
    let prefix = match own(evaluator, "prefixOverride") {
        Some(instead) => instead,
        None => match (before, after) {
            (None, after) => after,
            (Some(Value::Str(before)), Value::Str(after)) => {
                Value::str(format!("{}{after}", before.strip_suffix('/').unwrap_or(&before)))
            }
            (Some(before), Value::Str(after)) if after.is_empty() => before,
            (Some(_), _) => Value::Unknown("prefix of a loaded plugin", Some(site)),
        },
    };
    let prefix = match prefix {
        Value::Str(text) if loading.route_parameters => Value::str(with_parameters(&text)),
        other => other,
    };
    given.set(Value::str("prefix"), prefix);
    let options = Value::Dict(Rc::new(std::cell::RefCell::new(given)));
    let plugin = match plugin {
        // A file may be one route.
        Value::Dict(route) if route.borrow().get_str("method").is_some() => {
            let child = plugins::child_for(evaluator, id, &options, site);
            if let Some(child) = child {
                super::route(evaluator, child, &Value::Dict(route), &None, site);
            }
            return;
        }
        function @ Value::Function(_) if !loading.encapsulates => {
            let args = Args { positional: vec![function], ..Args::default() };
            Value::Made(Rc::new(Made { path: Rc::from(WITHOUT_ENCAPSULATION), receiver: None, args, site }))
        }
        plugin @ (Value::Function(_) | Value::Made(_)) => plugin,
        _ => return,
    };
    plugins::plug(evaluator, id, &plugin, Some(options), site);
}

/// `/users/_id` is `/users/:id`, `/a__b` is `/a:b`.
fn with_parameters(prefix: &str) -> String {
    if prefix.contains("__") { prefix.replace("__", ":") } else { prefix.replace("/_", "/:") }
}
