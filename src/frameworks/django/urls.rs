//! The tree of addresses: what the settings name as its root, `path`, `re_path`, `include`, lists of patterns.

use std::rc::Rc;

use super::packaged::Packaged;
use super::views::{self, Served, Target};
use super::{packaged, patterns, routers};
use crate::evaluate::{Args, Evaluator, Made, ModuleId, MountKind, NodeId, Opaque, RouteDraft, Value, last};
use crate::finding::Reason;
use crate::languages::python::django::{imported_string, setting, settings_module};
use crate::model::program::{ExprKind, ImportStyle, StmtKind};
use crate::text::Span;

/// The root of the addresses of a project.
pub(super) const ROOT: &str = "URLconf";
/// A part of the tree.
pub(super) const PART: &str = "URL patterns";

/// Parts within parts that are followed; anything may be served below a deeper one.
const MAX_DEPTH: usize = 24;
/// Parts of one tree; anything may be served below a further one.
const MAX_PARTS: usize = 5_000;

/// Walks the tree whose root the settings name; where there are no settings, every list of patterns that no other
/// includes.
pub(super) fn finished(evaluator: &mut Evaluator, modules: &[ModuleId]) {
    let mut walk = Walk { parts: 0, seen: Vec::new(), open: Vec::new() };
    if let Some(settings) = settings_module(evaluator) {
        let root = setting(evaluator, "ROOT_URLCONF");
        let from = match &settings {
            Value::Module(module) => Some(*module),
            Value::Class(class) => Some(class.scope.module()),
            _ => None,
        };
        if let (Some(Value::Str(dotted)), Some(from)) = (root, from)
            && let Value::Module(module) = evaluator.import_module(from, &dotted, None)
        {
            walk.root(evaluator, module, ROOT);
            return;
        }
    }
    let mut named: Vec<(usize, String, ModuleId)> = Vec::new();
    for module in modules {
        if evaluator.index.style(*module) == ImportStyle::Dotted && evaluator.binder(*module, "urlpatterns").is_some() {
            let path = evaluator.index.path(*module).to_owned();
            named.push((path.matches('/').count(), path, *module));
        }
    }
    named.sort();
    for (_, _, module) in named {
        if !walk.seen.contains(&module) {
            walk.root(evaluator, module, PART);
        }
    }
}

/// `include(…)`: the patterns, the application and the namespace.
pub(super) fn included<'p>(
    evaluator: &mut Evaluator<'p>,
    path: &str,
    args: &Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    if !matches!(path, "django.urls.include" | "django.conf.urls.include" | "django.urls.conf.include") {
        return None;
    }
    let given = args.get(0, "arg")?.clone();
    let (patterns, application) = match &given {
        Value::Tuple(parts) if parts.iter().skip(1).all(|part| matches!(part, Value::Str(_) | Value::None)) => {
            (parts.first().cloned().unwrap_or(Value::None), parts.get(1).cloned())
        }
        _ => (given, None),
    };
    let patterns = match &patterns {
        Value::Str(dotted) => {
            let from = evaluator.module_of_file(site.file)?;
            match evaluator.import_module(from, dotted, None) {
                Value::Module(module) => Value::Module(module),
                // A list of patterns within a module.
                _ => imported_string(evaluator, from, dotted),
            }
        }
        _ => patterns,
    };
    let namespace = args.get(1, "namespace").cloned().unwrap_or(Value::None);
    Some(Value::Tuple(Rc::from([patterns, application.unwrap_or(Value::None), namespace])))
}

/// Where a part of the tree hangs.
struct Place {
    node: NodeId,
    /// What of the prefix stands behind its last slash.
    rest: String,
    depth: usize,
    /// The same stands with its version spelled out.
    hidden: bool,
}

struct Walk {
    parts: usize,
    seen: Vec<ModuleId>,
    /// Modules whose patterns are being walked.
    open: Vec<ModuleId>,
}

impl Walk {
    fn root(&mut self, evaluator: &mut Evaluator, module: ModuleId, kind: &str) {
        let file = evaluator.file_of(module);
        evaluator.start(file);
        let Some(node) = evaluator.make_node(kind, Args::default(), None, Span { file, start: 0, end: 0 }) else {
            return;
        };
        self.module(evaluator, module, &Place { node, rest: String::new(), depth: 0, hidden: false });
    }

    fn module(&mut self, evaluator: &mut Evaluator, module: ModuleId, place: &Place) {
        if !self.seen.contains(&module) {
            self.seen.push(module);
        }
        evaluator.start(evaluator.file_of(module));
        let patterns = evaluator.module_name(module, "urlpatterns");
        let site = Span { file: evaluator.file_of(module), start: 0, end: 0 };
        if self.open.contains(&module) {
            return opaque(evaluator, place, "", "patterns include themselves", site);
        }
        self.open.push(module);
        let patterns = patterns.unwrap_or(Value::None);
        evaluator.for_each(patterns, &mut |evaluator, patterns| match patterns.elements() {
            Some(patterns) => {
                patterns.iter().for_each(|pattern| self.pattern(evaluator, pattern, place, site));
            }
            None => opaque(evaluator, place, "", "patterns of a module are not known", site),
        });
        self.unknown_parts(evaluator, module, place);
        self.open.pop();
    }

    /// Parts of a sum of lists that are not known: `urlpatterns += plugin_patterns()`.
    fn unknown_parts(&mut self, evaluator: &mut Evaluator, module: ModuleId, place: &Place) {
        let scope = evaluator.module_scope(module);
        for statement in evaluator.statements(module) {
            if let StmtKind::Augmented { target, value, .. } = &statement.kind
                && matches!(&target.kind, ExprKind::Name(name) if name == "urlpatterns")
            {
                match evaluator.evaluate(value, &scope) {
                    Value::List(_) | Value::Tuple(_) | Value::Choice(_) => {}
                    Value::Made(made) if is_static(&made) => {}
                    made @ Value::Made(_) => self.pattern(evaluator, &made, place, statement.span),
                    _ => opaque(evaluator, place, "", "patterns that are added are not known", statement.span),
                }
            }
        }
    }

    fn pattern<'p>(&mut self, evaluator: &mut Evaluator<'p>, pattern: &Value<'p>, place: &Place, site: Span) {
        match pattern {
            // Only there where a condition holds.
            Value::Choice(_) => evaluator
                .for_each(pattern.clone(), &mut |evaluator, pattern| self.pattern(evaluator, &pattern, place, site)),
            Value::List(_) | Value::Tuple(_) => {
                for inner in pattern.elements().unwrap_or_default() {
                    self.pattern(evaluator, &inner, place, site);
                }
            }
            Value::Made(made) if &*made.path == routers::URLS => {
                if let Some(Value::Node(router)) = &made.receiver {
                    for route in routers::routes(evaluator, *router) {
                        for template in patterns::of_regex(evaluator, &route.regex, route.site) {
                            add(evaluator, place, &template, &route.target, route.site);
                        }
                    }
                }
            }
            Value::Made(made) if is_static(made) => {}
            Value::Made(made) => self.made(evaluator, &made.clone(), place),
            Value::Unknown(why, at) => opaque(evaluator, place, "", why, at.unwrap_or(site)),
            _ => {}
        }
    }

    fn made<'p>(&mut self, evaluator: &mut Evaluator<'p>, made: &Made<'p>, place: &Place) {
        let site = made.site;
        let name = last(&made.path);
        let (route, view) = match name {
            "path" => (made.args.get(0, "route"), made.args.get(1, "view")),
            "re_path" | "url" => (made.args.get(0, "regex").or(made.args.named("route")), made.args.get(1, "view")),
            "format_suffix_patterns" | "i18n_patterns" | "decorator_include" => {
                for pattern in &made.args.positional {
                    self.pattern(evaluator, pattern, place, site);
                }
                return;
            }
            _ => return opaque(evaluator, place, "", "a pattern is made in a way that is not followed", site),
        };
        let templates = match route {
            Some(Value::Str(text)) if name == "path" => vec![patterns::of_path(text)],
            Some(Value::Str(text)) => patterns::of_regex(evaluator, text, site),
            Some(Value::Pattern(text)) => {
                let known = text.split(crate::evaluate::UNKNOWN_PART).next().unwrap_or("");
                let known = known.trim_start_matches('^').rsplit_once('/').map_or("", |(known, _)| known).to_owned();
                return opaque(evaluator, place, &known, "an address is known only in part", site);
            }
            _ => return opaque(evaluator, place, "", "an address is not known", site),
        };
        let Some(view) = view.cloned() else { return };
        if let Value::Choice(_) = view {
            return evaluator.for_each(view, &mut |evaluator, view| {
                let mut made = made.clone();
                match made.args.positional.get_mut(1) {
                    Some(place) => *place = view,
                    None => made.args.set("view", view),
                }
                self.made(evaluator, &made, place);
            });
        }
        let templates: Vec<(String, bool)> =
            templates.into_iter().flat_map(|template| versions(evaluator, template)).collect();
        for (template, hidden) in templates {
            let place = &Place {
                node: place.node,
                rest: place.rest.clone(),
                depth: place.depth,
                hidden: place.hidden || hidden,
            };
            // `decorator_include(decorator, "part.urls")` of a library.
            if let Value::Made(made) = &view
                && made.name() == "decorator_include"
                && let Some(given) = made.args.get(1, "arg").cloned()
            {
                let args = Args { positional: vec![given], ..Args::default() };
                let given = included(evaluator, "django.urls.include", &args, site).unwrap_or(Value::None);
                self.include(evaluator, &given, place, &template, site);
                continue;
            }
            match views::target(evaluator, &view, site) {
                Some(target) => add(evaluator, place, &template, &target, site),
                None => match &view {
                    // An application of another framework.
                    Value::Node(child) if !std::ptr::eq(evaluator.node(*child).library, &raw const super::LIBRARY) => {
                        let whole = format!("/{}{template}", place.rest);
                        let child = *child;
                        let (prefix, kind) = (Value::str(whole), MountKind::Application);
                        evaluator.add_mount(place.node, child, prefix, Args::default(), site, kind);
                    }
                    // `(patterns, application, namespace)`, as it was written before `include`.
                    Value::Tuple(_) | Value::List(_) => self.include(evaluator, &view, place, &template, site),
                    other => {
                        let why = format!("what serves an address is not known: {}", other.describe());
                        opaque(evaluator, place, &template, &why, site);
                    }
                },
            }
        }
    }

    fn include<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        given: &Value<'p>,
        place: &Place,
        template: &str,
        site: Span,
    ) {
        // `(patterns, application, namespace)`
        if let Value::Choice(_) = given {
            return evaluator.for_each(given.clone(), &mut |evaluator, given| {
                self.include(evaluator, &given, place, template, site);
            });
        }
        let given = match given {
            Value::Tuple(parts)
                if parts.iter().skip(1).all(|part| !matches!(part, Value::Made(_) | Value::Tuple(_))) =>
            {
                parts.first().cloned().unwrap_or(Value::None)
            }
            other => other.clone(),
        };
        // An object that stands for patterns: for those that it was given.
        let given = match &given {
            Value::Instance(instance) => {
                let attributes = instance.attributes.borrow();
                let mut names: Vec<_> = attributes.keys().cloned().collect();
                names.sort();
                let holds = |value: &Value<'p>| match value {
                    Value::Module(_) => true,
                    Value::List(items) => {
                        items.borrow().iter().any(|item| matches!(item, Value::Made(made) if is_pattern(made)))
                    }
                    _ => false,
                };
                let found = names.iter().filter_map(|name| attributes.get(name)).find(|value| holds(value)).cloned();
                found.unwrap_or(Value::Unknown("an object that stands for patterns", Some(site)))
            }
            _ => given,
        };
        let whole = format!("{}{template}", place.rest);
        let (prefix, rest) = match whole.rsplit_once('/') {
            Some((prefix, rest)) => (format!("/{prefix}"), rest.to_owned()),
            None => (String::new(), whole),
        };
        self.parts += 1;
        if place.depth >= MAX_DEPTH || self.parts > MAX_PARTS {
            return opaque(evaluator, place, template, "patterns include each other too deep", site);
        }
        let Some(node) = evaluator.make_node(PART, Args::default(), None, site) else { return };
        let inner = Place { node, rest, depth: place.depth + 1, hidden: place.hidden };
        match &given {
            Value::Module(module) => self.module(evaluator, *module, &inner),
            Value::List(_) | Value::Tuple(_) => {
                for pattern in given.elements().unwrap_or_default() {
                    self.pattern(evaluator, &pattern, &inner, site);
                }
            }
            other => {
                let brought = if let Value::External(module) = other { packaged::patterns(module) } else { None };
                if let Some(brought) = brought {
                    brought.iter().for_each(|brought| bring(evaluator, &inner, brought, site));
                } else {
                    let why = format!("what is included is not part of the scanned sources: {}", other.describe());
                    opaque(evaluator, &inner, "", &why, site);
                }
            }
        }
        evaluator.add_mount(place.node, node, Value::str(prefix), Args::default(), site, MountKind::Include);
    }
}

/// Adds what a library serves at an address of its own.
fn bring(evaluator: &mut Evaluator, place: &Place, brought: &Packaged, site: Span) {
    for method in brought.methods {
        let served = views::of_package(brought.view, method);
        route(evaluator, place, &brought.path, served, site);
    }
}

/// Adds what a target serves at an address.
fn add<'p>(evaluator: &mut Evaluator<'p>, place: &Place, template: &str, target: &Target<'p>, site: Span) {
    if target.open {
        opaque(evaluator, place, template, "a base class of a view is not known", site);
    }
    for served in views::served(evaluator, target) {
        route(evaluator, place, template, served, site);
    }
}

fn route<'p>(evaluator: &mut Evaluator<'p>, place: &Place, template: &str, served: Served<'p>, site: Span) {
    let path = Value::str(format!("/{}{template}", place.rest));
    let methods = Value::list(vec![Value::str(served.method)]);
    let mut options = served.options;
    if place.hidden {
        options.set("include_in_schema", Value::Bool(false));
    }
    let draft = RouteDraft { node: place.node, methods, path, options, site };
    evaluator.add_route_always(draft, served.handler);
}

/// `v{version}/` for each version that the settings allow, where versions are part of addresses; what is written itself is
/// kept, and hidden where it is spelled out.
fn versions(evaluator: &mut Evaluator, template: String) -> Vec<(String, bool)> {
    const PARAMETER: &str = "{version}";
    if !template.contains(PARAMETER) {
        return vec![(template, false)];
    }
    let Some(Value::Dict(settings)) = setting(evaluator, "REST_FRAMEWORK") else { return vec![(template, false)] };
    let settings = settings.borrow();
    let by_path = settings.get_str("DEFAULT_VERSIONING_CLASS").and_then(Value::as_str);
    let allowed = match settings.get_str("ALLOWED_VERSIONS").and_then(Value::elements) {
        Some(allowed) if !allowed.is_empty() => allowed,
        _ => settings.get_str("DEFAULT_VERSION").into_iter().cloned().collect(),
    };
    let named: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    if named.is_empty() || !by_path.is_some_and(|class| class.ends_with("URLPathVersioning")) {
        return vec![(template.clone(), false)];
    }
    let mut out: Vec<(String, bool)> =
        named.iter().map(|version| (template.replace(PARAMETER, version), false)).collect();
    out.push((template.clone(), true));
    out
}

fn is_pattern(made: &Made) -> bool {
    &*made.path == routers::URLS || matches!(made.name(), "path" | "re_path" | "url")
}

/// Files that are served while developing.
fn is_static(made: &Made) -> bool {
    matches!(made.name(), "static" | "staticfiles_urlpatterns" | "debug_toolbar_urls")
}

fn opaque(evaluator: &mut Evaluator, place: &Place, template: &str, why: &str, site: Span) {
    let prefix = Value::str(format!("/{}{template}", place.rest).trim_end_matches('/'));
    let reason = Reason::new(why, Some(site));
    evaluator.node_mut(place.node).opaque.push(Opaque::below(prefix, reason));
}
