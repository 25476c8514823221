//! Settings of the library: `UseFastEndpoints(c => c.Endpoints.RoutePrefix = "api")`.

use std::rc::Rc;

use super::{hosting, text};
use crate::evaluate::{Args, Evaluator, NodeId, Value};
use crate::finding::Reason;
use crate::text::Span;

/// What every route is built with.
#[derive(Clone, Default)]
pub(super) struct Settings {
    /// Stands before every route.
    pub(super) prefix: Option<String>,
    /// Before the number of a version; `v` where nothing is said.
    pub(super) version: Option<String>,
    /// Whether the version stands before the route.
    pub(super) version_first: bool,
    /// Of endpoints that have none of their own; 0 where nothing is said.
    pub(super) default_version: i64,
    /// What the version stands for in a route.
    pub(super) template: Option<String>,
    /// A prefix is set, and not known.
    pub(super) unknown: Option<Reason>,
}

/// The applications that endpoints are used in, each with its settings.
pub(super) fn applications(evaluator: &mut Evaluator<'_>) -> Vec<(NodeId, Settings, Span)> {
    let mut used = hosting::remembered(evaluator, "UseFastEndpoints");
    used.extend(hosting::remembered(evaluator, "MapFastEndpoints"));
    let mut out = Vec::new();
    for (id, made) in used {
        let code = made.args.positional.iter().find(|value| matches!(value, Value::Function(_) | Value::Bound(..)));
        let settings = code.map(|code| read(evaluator, code, made.site)).unwrap_or_default();
        out.push((id, settings, made.site));
    }
    out
}

/// Runs the code that sets them.
fn read<'p>(evaluator: &mut Evaluator<'p>, code: &Value<'p>, site: Span) -> Settings {
    let part = |evaluator: &mut Evaluator<'p>| evaluator.make_node("[Settings]", Args::default(), None, site);
    let (Some(all), Some(endpoints), Some(versioning)) = (part(evaluator), part(evaluator), part(evaluator)) else {
        return Settings::default();
    };
    let attributes = &mut evaluator.node_mut(all).attributes;
    attributes.insert(Rc::from("Endpoints"), Value::Node(endpoints));
    attributes.insert(Rc::from("Versioning"), Value::Node(versioning));
    evaluator.call_always(code, Args { positional: vec![Value::Node(all)], ..Args::default() }, site);
    let get = |id: NodeId, name: &str| evaluator.node(id).attributes.get(name).cloned();
    let prefix = get(endpoints, "RoutePrefix");
    let (before, default) = (get(versioning, "Prefix"), get(versioning, "DefaultVersion"));
    let unknown_text = |value: &&Value| text(value).is_none();
    let unknown_number = |value: &&Value| !matches!(value, Value::Int(_));
    let reason = |what: &str, value: &Value| {
        Reason::new(format!("{what} of all endpoints is not known: {}", value.describe()), Some(site))
    };
    let unknown = (prefix.as_ref().filter(unknown_text).map(|value| reason("prefix", value)))
        .or_else(|| before.as_ref().filter(unknown_text).map(|value| reason("prefix of the version", value)))
        .or_else(|| default.as_ref().filter(unknown_number).map(|value| reason("version", value)));
    Settings {
        prefix: prefix.as_ref().and_then(text),
        version: before.as_ref().and_then(text),
        default_version: if let Some(Value::Int(version)) = default { version } else { 0 },
        version_first: matches!(get(versioning, "PrependToRoute"), Some(Value::Bool(true))),
        template: get(versioning, "RouteTemplate").as_ref().and_then(text),
        unknown,
    }
}

impl Settings {
    /// The whole route: `/{prefix}/{version}/{route}` or `/{prefix}/{route}/{version}`.
    pub(super) fn route(&self, route: &str, version: i64, instead: Option<&str>) -> String {
        let mut parts: Vec<String> = Vec::new();
        let prefix = instead.or(self.prefix.as_deref()).unwrap_or_default();
        parts.push(prefix.to_owned());
        let version = if version > 0 { version } else { self.default_version };
        let shown = (version > 0).then(|| format!("{}{version}", self.version.as_deref().unwrap_or("v")));
        match (&self.template, shown) {
            (Some(template), Some(shown)) if !template.is_empty() => parts.push(route.replacen(template, &shown, 1)),
            (_, Some(shown)) if self.version_first => parts.extend([shown, route.to_owned()]),
            (_, Some(shown)) => parts.extend([route.to_owned(), shown]),
            (_, None) => parts.push(route.to_owned()),
        }
        let parts = parts.iter().map(|part| part.trim_matches('/')).filter(|part| !part.is_empty());
        parts.fold(String::new(), |path, part| path + "/" + part)
    }
}
