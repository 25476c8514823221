//! How a program sets up its serialisers: `AddJsonOptions(o => …)`, `ConfigureHttpJsonOptions`, `AddNewtonsoftJson`,
//! `Configure<JsonOptions>`, `UseFastEndpoints(c => …)`. The functions that are handed options run with a node that keeps
//! what they set, wherever in the program they are handed over: services are often set up in a library of their own.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Schemas;
use super::names::Naming;
use super::places::{Place, name_of};
use super::startup::{Known, MAX_WRAPPED, Setting};
use super::style::{Enums, Style};
use crate::evaluate::{Args, Evaluator, Library, NodeId, Scope, Value, last};
use crate::model::program::Expr;
use crate::text::Span;

/// The options of both serialisers, and settings within them.
const OPTIONS: &str = "json options";
const SETTINGS: &str = "json settings";

/// What remembers what is set.
pub static SERIALISERS: Library = Library {
    name: "System.Text.Json",
    node_kind: |path| match last(path) {
        "JsonOptions" | "MvcJsonOptions" | "MvcNewtonsoftJsonOptions" => Some(OPTIONS),
        "JsonSerializerOptions" | "JsonSerializerSettings" => Some(SETTINGS),
        _ => None,
    },
    created,
    call,
    value_method,
    handed: |evaluator, id, _| {
        evaluator.node_mut(id).attributes.insert(HANDED.into(), Value::Bool(true));
    },
    ..Library::CSHARP
};

/// Set where options are handed to what is not followed.
pub(super) const HANDED: &str = "handed on";

fn created(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let (kind, site) = (evaluator.node(id).kind, evaluator.node(id).site);
    if kind == SETTINGS {
        return created_settings(evaluator, id);
    }
    let settings = |evaluator: &mut Evaluator<'_>, names: &[&str]| {
        let path = if names == ["SerializerSettings"] { "JsonSerializerSettings" } else { "JsonSerializerOptions" };
        let web = Args { positional: vec![Value::external("JsonSerializerDefaults.Web")], ..Args::default() };
        let Some(inner) = evaluator.make_node(path, web, None, site) else { return };
        for name in names {
            evaluator.node_mut(id).attributes.insert((*name).into(), Value::Node(inner));
        }
    };
    settings(evaluator, &["JsonSerializerOptions"]);
    settings(evaluator, &["SerializerSettings"]);
    settings(evaluator, &["SerializerOptions", "Options"]);
    // FastEndpoints: `c.Serializer.Options`.
    evaluator.node_mut(id).attributes.insert("Serializer".into(), Value::Node(id));
}

/// `new JsonSerializerOptions()`, `new JsonSerializerOptions(JsonSerializerDefaults.Web)`, or a copy of others.
fn created_settings(evaluator: &mut Evaluator<'_>, id: NodeId) {
    let given = evaluator.node(id).options.positional.first().cloned();
    let mut attributes = match given {
        Some(Value::Node(other)) if evaluator.node(other).kind == SETTINGS => evaluator.node(other).attributes.clone(),
        _ => FxHashMap::default(),
    };
    let converters = attributes.get("Converters").and_then(Value::elements).unwrap_or_default();
    attributes.insert("Converters".into(), Value::list(converters));
    if last(&evaluator.node(id).path) == "JsonSerializerOptions" {
        let is_web = matches!(&given, Some(Value::External(path)) if last(path) == "Web");
        let names = if is_web { Value::external("JsonNamingPolicy.CamelCase") } else { Value::None };
        attributes.entry("PropertyNamingPolicy".into()).or_insert(names);
    }
    evaluator.node_mut(id).attributes = attributes;
}

/// `ArgumentNullException.ThrowIfNull(options)`: what only looks at options changes nothing.
fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, _: Span) -> Option<Value<'p>> {
    let Some(Value::Node(id)) = args.positional.first() else { return None };
    let ours = std::ptr::eq(evaluator.node(*id).library, &raw const SERIALISERS);
    let looks = last(path).contains("Null") || path.starts_with("Guard.") || path.starts_with("Ensure");
    (ours && looks).then_some(Value::Node(*id))
}

fn value_method<'p>(_: &mut Evaluator<'p>, receiver: &Value<'p>, name: &str, args: &Args<'p>) -> Option<Value<'p>> {
    let Value::List(items) = receiver else { return None };
    match (name, args.positional.as_slice()) {
        ("Add", [item]) => items.borrow_mut().push(item.clone()),
        ("Insert", [_, item]) => items.borrow_mut().insert(0, item.clone()),
        ("Clear", []) => items.borrow_mut().clear(),
        _ => return None,
    }
    Some(Value::None)
}

/// Who serialises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Serialiser {
    /// What MVC has for its controllers.
    Controllers,
    /// What minimal APIs have, and FastEndpoints.
    Endpoints,
    /// One that is called without settings: names are as they are declared.
    Plain,
    /// One that is called with these settings.
    Set(NodeId),
    /// What clients of HTTP have: names as the web has them; how enumerations are written is for their settings to say.
    Client,
    /// One whose settings are not known.
    Unknown,
}

/// The serialiser that settings which a program makes itself tell.
pub fn serialiser_of<'p>(evaluator: &mut Evaluator<'p>, settings: &Value<'p>) -> Serialiser {
    match settings {
        Value::Node(id) if evaluator.node(*id).kind == SETTINGS => Serialiser::Set(*id),
        Value::External(path) if path.ends_with("JsonSerializerOptions.Default") => Serialiser::Plain,
        Value::External(path) if path.ends_with("JsonSerializerOptions.Web") => {
            let web = Args { positional: vec![Value::external("JsonSerializerDefaults.Web")], ..Args::default() };
            let at = evaluator.roots().first().map(|module| Span::new(evaluator.file_of(*module), 0, 0));
            let made = at.and_then(|at| evaluator.make_node("JsonSerializerOptions", web, None, at));
            made.map_or(Serialiser::Unknown, Serialiser::Set)
        }
        Value::Made(made) if matches!(last(&made.path), "JsonSerializerOptions" | "JsonSerializerSettings") => {
            let mut copied = made.args.positional.clone();
            if let Some(Value::Made(_)) = copied.first() {
                match serialiser_of(evaluator, &copied[0].clone()) {
                    Serialiser::Set(id) => copied[0] = Value::Node(id),
                    _ => return Serialiser::Unknown,
                }
            }
            let is_known = |value: &Value| matches!(value, Value::Node(_) | Value::External(_));
            if !copied.iter().all(is_known) {
                return Serialiser::Unknown;
            }
            let args = Args { positional: copied, ..Args::default() };
            let Some(id) = evaluator.make_node(last(&made.path), args, None, made.site) else {
                return Serialiser::Unknown;
            };
            for (name, value) in &made.args.named {
                let is_list = &**name != "Converters" || value.elements().is_some();
                let (name, value) =
                    if is_list { (name.clone(), value.clone()) } else { (HANDED.into(), Value::Bool(true)) };
                evaluator.node_mut(id).attributes.insert(name, value);
            }
            Serialiser::Set(id)
        }
        _ => Serialiser::Unknown,
    }
}

impl<'p> Schemas<'p> {
    /// The style that counts where a route stands.
    pub(super) fn style_at(&mut self, evaluator: &mut Evaluator<'p>, site: Span, serialiser: Serialiser) -> usize {
        let bare = match serialiser {
            Serialiser::Plain => Some(Style { names: Naming::Declared, ..Style::web(false) }),
            Serialiser::Set(id) => {
                let newtonsoft = last(&evaluator.node(id).path) == "JsonSerializerSettings";
                let mut style = Style { names: Naming::Declared, ..Style::web(newtonsoft) };
                style.read(evaluator, id);
                Some(style)
            }
            Serialiser::Unknown => Some(Style { names: Naming::Unknown, enums: Enums::Unknown, ..Style::web(false) }),
            Serialiser::Client => Some(Style { enums: Enums::Unknown, ..Style::web(false) }),
            Serialiser::Controllers | Serialiser::Endpoints => None,
        };
        if let Some(style) = bare {
            return self.keep_style(style);
        }
        let Some(module) = evaluator.module_of_file(site.file) else { return 0 };
        let key = (evaluator.index.project_of(module), serialiser);
        if let Some(known) = self.of_projects.get(&key) {
            return *known;
        }
        let startup = self.startup.clone();
        let style = startup.known(evaluator).style(evaluator, key.0, serialiser);
        let at = self.keep_style(style);
        self.of_projects.insert(key, at);
        at
    }

    fn keep_style(&mut self, style: Style<'p>) -> usize {
        self.styles.iter().position(|known| known.is_same(&style)).unwrap_or_else(|| {
            self.styles.push(Rc::new(style));
            self.styles.len() - 1
        })
    }
}

impl<'p> Known<'p> {
    /// What holds for a project: what it sets itself, or whoever runs it, and what libraries set.
    fn style(&self, evaluator: &mut Evaluator<'p>, project: &str, serialiser: Serialiser) -> Style<'p> {
        let runners = self.runners(project);
        let mut style = if runners.is_empty() {
            let mut style = self.configured(evaluator, None, serialiser);
            if self.setting.is_empty() {
                // Whoever runs it is not here.
                style.enums = Enums::Unknown;
            }
            style
        } else {
            let styles = runners.iter().map(|runner| self.configured(evaluator, Some(runner), serialiser));
            styles.reduce(Style::or).unwrap_or_else(|| Style::web(false))
        };
        // Which types a context is asked for is for the resolvers of the options to say, which are not followed.
        let may_serve = |context: &&str| runners.contains(context) || !self.entries.contains_key(context);
        if style.enums == Enums::Numbers && self.naming_enums.iter().any(may_serve) {
            style.enums = Enums::Unknown;
        }
        style
    }

    /// The projects that can be run, and that run a project: it itself, or those that are built with it.
    fn runners(&self, project: &str) -> Vec<&str> {
        if let Some((own, _)) = self.entries.get_key_value(project) {
            return vec![*own];
        }
        let mut runners: Vec<&str> = self.entries.keys().copied().collect();
        prefer(&mut runners, |runner| self.entries[runner].contains(project));
        prefer(&mut runners, |runner| self.serving.contains(runner));
        runners
    }

    /// What is set where a project runs: by itself and by libraries, not by other projects that run.
    fn configured(&self, evaluator: &mut Evaluator<'p>, runner: Option<&str>, serialiser: Serialiser) -> Style<'p> {
        let (mut newtonsoft, mut root) = (false, None);
        // Libraries first: what the program says itself comes later.
        for own in [false, true] {
            let projects = self.that_set(runner, own);
            for place in projects.iter().flat_map(|project| &project.places) {
                newtonsoft |= place.name == "AddNewtonsoftJson";
                let options = options(evaluator, &mut root, place.span);
                for scope in self.scopes(evaluator, place, runner, 0) {
                    for arg in place.args {
                        let callee = evaluator.evaluate(arg.value(), &scope);
                        if let Value::Function(_) | Value::Bound(..) = callee {
                            let args = Args { positional: vec![options.clone()], ..Args::default() };
                            evaluator.call_always(&callee, args, place.span);
                        }
                    }
                }
            }
            for at in projects.iter().flat_map(|project| &project.configurers) {
                let Some(class) = at.class(evaluator) else { continue };
                let options = options(evaluator, &mut root, class.name_span());
                let made = evaluator.call(&Value::Class(class.clone()), Args::default(), class.name_span());
                for method in ["Configure", "PostConfigure"] {
                    for function in evaluator.overloads(&class, method) {
                        let mut positional = vec![made.clone()];
                        positional.extend(function.node.parameters.iter().skip(1).map(|_| options.clone()));
                        evaluator.call_function_always(&function, Args { positional, ..Args::default() });
                    }
                }
            }
        }
        let Some(Value::Node(root)) = root else {
            return Style::web(newtonsoft && serialiser == Serialiser::Controllers);
        };
        let inner = |evaluator: &Evaluator<'p>, name: &str| match evaluator.node(root).attributes.get(name) {
            Some(Value::Node(id)) => Some(*id),
            _ => None,
        };
        let old = inner(evaluator, "SerializerSettings");
        // Before ASP.NET Core 3, the options of MVC are Newtonsoft's.
        newtonsoft |= old.is_some_and(|id| is_touched(evaluator, id));
        let name = match serialiser {
            Serialiser::Controllers if newtonsoft => "SerializerSettings",
            Serialiser::Controllers => "JsonSerializerOptions",
            // The others are told apart before anything is looked up.
            Serialiser::Endpoints
            | Serialiser::Plain
            | Serialiser::Set(_)
            | Serialiser::Client
            | Serialiser::Unknown => "SerializerOptions",
        };
        let mut style = Style::web(name == "SerializerSettings");
        if let Some(id) = inner(evaluator, name) {
            style.read(evaluator, id);
        }
        if evaluator.node(root).attributes.contains_key(HANDED) {
            style.enums = Enums::Unknown;
        }
        style
    }

    /// The projects that set options which count for one that runs: it itself, or the others.
    fn that_set(&self, runner: Option<&str>, own: bool) -> Vec<&Setting<'p>> {
        let Some(name) = runner else {
            return if own { Vec::new() } else { self.setting.values().collect() };
        };
        if own {
            return self.setting.get(name).into_iter().collect();
        }
        let is_meant = |project: &str| project != name && self.counts(project, runner);
        match self.entries.get(name) {
            // Few: the names of all projects need not be looked at.
            Some(known) if !known.is_empty() => {
                let mut known: Vec<&str> = known.iter().copied().filter(|project| is_meant(project)).collect();
                known.sort_unstable();
                known.into_iter().filter_map(|project| self.setting.get(project)).collect()
            }
            _ => self.libraries.iter().filter_map(|project| self.setting.get(project)).collect(),
        }
    }

    /// Whether what a project sets counts for one that runs: its own, or that of a library that it is built with.
    fn counts(&self, project: &str, runner: Option<&str>) -> bool {
        let Some(runner) = runner else { return true };
        let built_with = self.entries.get(runner);
        // Where nothing is known of what it is built with, any library.
        let is_library = built_with.is_none_or(FxHashSet::is_empty) && !self.entries.contains_key(project);
        project == runner || is_library || built_with.is_some_and(|known| known.contains(project))
    }

    /// The scope of a place; where the function around it hands on what it is given, one for each call of that.
    fn scopes(
        &self,
        evaluator: &mut Evaluator<'p>,
        place: &Place<'p>,
        runner: Option<&str>,
        depth: usize,
    ) -> Vec<Scope<'p>> {
        let handed_on = place.handed_on();
        let mut found = Vec::new();
        let is_made = place.function().is_some_and(|function| function.name == "__init__");
        if depth == MAX_WRAPPED && !handed_on.is_empty() && !is_made {
            evaluator.cut_reading("what functions around functions hand to settings of the serialiser", None);
        } else if let Some(function) = place.function()
            && !handed_on.is_empty()
        {
            let callers = self.wrapped.get(function.name.as_str()).map(Vec::as_slice).unwrap_or_default();
            for caller in callers.iter().filter(|caller| self.counts(caller.project, runner)) {
                for outer in self.scopes(evaluator, caller, runner, depth + 1) {
                    let scope = place.scope(evaluator);
                    for (at, name) in &handed_on {
                        if let Some(given) = caller.given(function, *at) {
                            let given = evaluator.evaluate(given, &outer);
                            scope.bind(name, given);
                        }
                    }
                    found.push(scope);
                }
            }
        }
        if found.is_empty() {
            found.push(place.scope(evaluator));
        }
        found
    }
}

fn options<'p>(evaluator: &mut Evaluator<'p>, root: &mut Option<Value<'p>>, site: Span) -> Value<'p> {
    if let Some(root) = root {
        return root.clone();
    }
    let made = evaluator.make_node("JsonOptions", Args::default(), None, site).map(Value::Node);
    root.insert(made.unwrap_or(Value::Unknown("options", Some(site)))).clone()
}

/// Leaves those that a test is for, if there are any.
fn prefer(names: &mut Vec<&str>, is_meant: impl Fn(&str) -> bool) {
    if names.iter().any(|name| is_meant(name)) {
        names.retain(|name| is_meant(name));
    }
}

/// Whether anything was set.
fn is_touched(evaluator: &Evaluator<'_>, id: NodeId) -> bool {
    let attributes = &evaluator.node(id).attributes;
    attributes.len() > 1
        || attributes.get("Converters").and_then(Value::elements).is_some_and(|converters| !converters.is_empty())
}

pub(super) fn is_options(written: &Expr) -> bool {
    name_of(written).is_some_and(|name| (SERIALISERS.node_kind)(name) == Some(OPTIONS))
}
