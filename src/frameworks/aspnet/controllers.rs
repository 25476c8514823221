//! Which classes are controllers, and the routes of their actions. ASP.NET Core: "Routing to controller actions",
//! `DefaultApplicationModelProvider` and `AttributeRouteModel.CombineTemplates`.

use std::rc::Rc;

use super::actions::{Action, actions};
use super::{CONTROLLER_PATH, CONVENTION_PATH, versions};
use crate::evaluate::{Args, ClassRef, Evaluator, NodeId, Opaque, RouteDraft, Value, last};
use crate::finding::Reason;
use crate::frameworks::attributes::{Attribute, of_class};
use crate::frameworks::route_template;
use crate::model::Reach;
use crate::model::program::Modifiers;

/// Attributes that name the methods which an action answers.
const VERBS: &[(&str, &str)] = &[
    ("HttpGet", "GET"),
    ("HttpPost", "POST"),
    ("HttpPut", "PUT"),
    ("HttpDelete", "DELETE"),
    ("HttpPatch", "PATCH"),
    ("HttpHead", "HEAD"),
    ("HttpOptions", "OPTIONS"),
];
/// What an action answers that names no method.
const ANY: &[&str] = &["GET", "POST", "PUT", "DELETE", "PATCH"];
/// Option of a route: the parameters of all templates of its action, each with the type that its constraints stand for.
pub(super) const PARAMETERS: &str = "parameters";
/// Routes of one action; that there are more is told.
const MAX_ROUTES: usize = 1_000;

/// Makes a node for a class, if it is a controller or gives controllers their versions.
pub(super) fn remember<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) {
    if versions::is_convention(evaluator, class) {
        evaluator.make_node(CONVENTION_PATH, Args::default(), Some(class.clone()), class.name_span());
    }
    if is_controller(evaluator, class) {
        evaluator.make_node(CONTROLLER_PATH, Args::default(), Some(class.clone()), class.name_span());
    }
}

/// Records what a controller serves. `versions`: those of controllers that declare none.
pub(super) fn serve<'p>(evaluator: &mut Evaluator<'p>, node: NodeId, class: &ClassRef<'p>, versions: &[String]) {
    let levels = of_class(evaluator, class);
    if levels.iter().flatten().any(|attribute| attribute.is("NonController")) {
        return;
    }
    let controller = Controller::read(evaluator, class, levels, versions);
    note_base(evaluator, node, class, &controller);
    evaluator.node_mut(node).options.positional =
        controller.attributes.iter().map(|attribute| attribute.value.clone()).collect();
    for action in actions(evaluator, class) {
        let (routes, parameters) = routes(evaluator, &controller, &action);
        for route in routes {
            let mut options = Args::default();
            let attributes = action.attributes.iter().flatten();
            options.positional = attributes.map(|attribute| attribute.value.clone()).collect();
            if route.hidden || controller.hidden {
                options.set("include_in_schema", Value::Bool(false));
            }
            if action.attributes[0].iter().any(|attribute| attribute.is("Obsolete")) {
                options.set("deprecated", Value::Bool(true));
            }
            let methods = Value::list(route.methods.iter().map(|name| Value::str(name.as_str())).collect());
            let handler = Value::Bound(Rc::new(Value::Class(class.clone())), action.function.clone());
            options.set(PARAMETERS, parameters.clone());
            let draft = RouteDraft { node, methods, path: route.at, options, site: action.function.node.name_span };
            evaluator.add_route_always(draft, handler);
        }
    }
}

/// A controller may inherit actions from a controller of an assembly that is not read.
fn note_base<'p>(evaluator: &mut Evaluator<'p>, node: NodeId, class: &ClassRef<'p>, controller: &Controller<'p>) {
    const WITHOUT_ACTIONS: &[&str] = &["Controller", "ControllerBase", "ODataController"];
    let bases = evaluator.external_bases(class);
    let names = bases.iter().map(|path| last(path).split('<').next().unwrap_or(path));
    let Some(base) = names.into_iter().find(|name| name.ends_with("Controller") && !WITHOUT_ACTIONS.contains(name))
    else {
        return;
    };
    let reason =
        Reason::new(format!("`{base}`, which `{}` extends, is not read", class.name()), Some(class.name_span()));
    for template in &controller.templates {
        let Some(text) = template.as_str() else { continue };
        let path = text.replace("[controller]", &controller.name);
        let opaque = Opaque::below(Value::str(format!("/{}", trimmed(&path))), reason.clone());
        evaluator.node_mut(node).opaque.push(opaque);
    }
    if controller.templates.is_empty() {
        let opaque = Opaque { prefix: Value::str(""), reach: Reach::Unseen, reason };
        evaluator.node_mut(node).opaque.push(opaque);
    }
}

/// `ControllerFeatureProvider.IsController`: a public class that is made as it stands, whose name or an attribute says so.
fn is_controller<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    let node = class.node;
    if node.modifiers.has(Modifiers::ABSTRACT)
        || node.modifiers.has(Modifiers::STATIC)
        || !node.modifiers.has(Modifiers::PUBLIC)
        || !node.type_parameters.is_empty()
    {
        return false;
    }
    if node.name.ends_with("Controller") {
        return true;
    }
    let bases = evaluator.external_bases(class);
    bases.iter().any(|path| matches!(last(path), "ControllerBase" | "Controller" | "ODataController"))
        || of_class(evaluator, class)
            .iter()
            .flatten()
            .any(|attribute| attribute.is("ApiController") || attribute.is("Controller"))
}

struct Controller<'p> {
    /// Without `Controller`.
    name: String,
    /// Of the class, then of the classes that it extends.
    attributes: Vec<Attribute<'p>>,
    /// Templates of the nearest class that has any.
    templates: Vec<Value<'p>>,
    area: Option<Value<'p>>,
    versions: Vec<String>,
    hidden: bool,
}

impl<'p> Controller<'p> {
    fn read(
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        levels: Vec<Vec<Attribute<'p>>>,
        otherwise: &[String],
    ) -> Self {
        let mut templates = Vec::new();
        for level in &levels {
            for attribute in level {
                templates.extend(template(evaluator, attribute));
            }
            if !templates.is_empty() {
                break;
            }
        }
        let mut versions: Vec<String> = Vec::new();
        for level in levels.iter().filter(|level| !level.is_empty()) {
            versions = versions::declared(level);
            if !versions.is_empty() {
                break;
            }
        }
        if versions.is_empty() {
            versions = otherwise.to_vec();
        }
        let attributes: Vec<Attribute<'p>> = levels.into_iter().flatten().collect();
        let area = attributes.iter().find(|attribute| attribute.is("Area"));
        let area = area.and_then(|area| area.setting(evaluator, Some(0), "areaName", "RouteValue"));
        let hidden = is_hidden(evaluator, &attributes);
        let name = class.name().strip_suffix("Controller").unwrap_or(class.name()).to_owned();
        Controller { name, attributes, templates, area, versions, hidden }
    }
}

/// A path that an action serves.
struct Served<'p> {
    methods: Vec<String>,
    at: Value<'p>,
    hidden: bool,
}

/// What an action serves, and the parameters of all its templates.
fn routes<'p>(
    evaluator: &mut Evaluator<'p>,
    controller: &Controller<'p>,
    action: &Action<'p>,
) -> (Vec<Served<'p>>, Value<'p>) {
    // Templates are those of the nearest method that has any, methods count from all of them.
    let given: Vec<(usize, usize, Option<Value<'p>>)> = nearest_providers(evaluator, action);
    let with_template: Vec<&(usize, usize, Option<Value<'p>>)> =
        given.iter().filter(|(.., template)| template.is_some()).collect();
    let all_verbs: Vec<&Attribute<'p>> =
        action.attributes.iter().flatten().filter(|attribute| is_verb(attribute)).collect();
    let mut selectors: Vec<(Option<Value<'p>>, Vec<String>)> = Vec::new();
    if with_template.is_empty() {
        let methods = all_verbs.iter().flat_map(|verb| verbs(evaluator, verb)).collect();
        selectors.push((None, methods));
    } else {
        let mut bare_too = true;
        for (level, at, template) in &with_template {
            let attribute = &action.attributes[*level][*at];
            let methods = if is_verb(attribute) {
                verbs(evaluator, attribute)
            } else {
                bare_too = false;
                // A route of its own goes with the verbs that have none.
                let mut methods = Vec::new();
                for (level, attributes) in action.attributes.iter().enumerate() {
                    for (at, attribute) in attributes.iter().enumerate() {
                        let taken = with_template.iter().any(|(l, a, _)| (*l, *a) == (level, at));
                        if is_verb(attribute) && !taken {
                            methods.extend(verbs(evaluator, attribute));
                        }
                    }
                }
                methods
            };
            selectors.push((template.clone(), methods));
        }
        let silent: Vec<&Attribute<'p>> = given
            .iter()
            .filter(|(level, at, template)| template.is_none() && is_verb(&action.attributes[*level][*at]))
            .map(|(level, at, _)| &action.attributes[*level][*at])
            .collect();
        if bare_too && !silent.is_empty() {
            let methods = silent.iter().flat_map(|verb| verbs(evaluator, verb)).collect();
            selectors.push((None, methods));
        }
    }
    let attributes: Vec<&Attribute<'p>> = action.attributes.iter().flatten().collect();
    let hidden = attributes.iter().any(|attribute| hides(evaluator, attribute));
    let own_versions = versions::declared(&action.attributes[0]);
    let mut out = Vec::new();
    let mut parameters: Vec<(Value<'p>, Value<'p>)> = Vec::new();
    for (template, mut methods) in selectors {
        methods.sort();
        methods.dedup();
        let bases: Vec<Option<Value<'p>>> = match controller.templates.as_slice() {
            [] => vec![None],
            templates => templates.iter().cloned().map(Some).collect(),
        };
        for base in bases {
            let Some(path) = combined(base.as_ref(), template.as_ref()) else { continue };
            let unstated = methods.is_empty();
            if unstated {
                methods = ANY.iter().map(|name| (*name).to_owned()).collect();
            }
            let path = with_tokens(evaluator, controller, action, &path);
            for (name, kind) in path.as_str().map(route_template::parameters).unwrap_or_default() {
                if parameters.len() < MAX_ROUTES {
                    parameters.push((Value::str(name), kind.map_or(Value::None, Value::external)));
                } else {
                    let what = "parameters in the paths of one action, beyond the 1000th";
                    evaluator.cut_reading(what, Some(action.function.node.name_span));
                }
            }
            for (path, other_form) in
                versions::versioned(&path, if own_versions.is_empty() { &controller.versions } else { &own_versions })
            {
                for (at, path) in route_template::served(&path).into_iter().enumerate() {
                    if out.len() < MAX_ROUTES {
                        // No document can state what answers any method.
                        let hidden = hidden || other_form || unstated || at > 0;
                        out.push(Served { methods: methods.clone(), at: path, hidden });
                    } else {
                        evaluator.cut("routes of one action beyond the 1000th", Some(action.function.node.name_span));
                    }
                }
            }
        }
    }
    (out, Value::dict(parameters))
}

/// The attributes with a route or verb of the nearest method that has any with a template, else of the nearest at all.
fn nearest_providers<'p>(evaluator: &mut Evaluator<'p>, action: &Action<'p>) -> Vec<(usize, usize, Option<Value<'p>>)> {
    for (level, attributes) in action.attributes.iter().enumerate() {
        let mut found = Vec::new();
        for (at, attribute) in attributes.iter().enumerate() {
            let template = template(evaluator, attribute);
            if template.is_some() || is_verb(attribute) {
                found.push((level, at, template));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

fn is_verb(attribute: &Attribute) -> bool {
    ["HttpMethod", "AcceptVerbs", "IActionHttpMethodProvider"].iter().any(|kind| attribute.is(kind))
        || VERBS.iter().any(|(kind, _)| attribute.is(kind))
}

/// The methods that an attribute names.
fn verbs<'p>(evaluator: &mut Evaluator<'p>, attribute: &Attribute<'p>) -> Vec<String> {
    if let Some((_, method)) = VERBS.iter().find(|(kind, _)| attribute.is(kind)) {
        return vec![(*method).to_owned()];
    }
    let named = if attribute.is("AcceptVerbs") {
        let texts = attribute.args.positional.iter().filter_map(Value::as_str);
        let lists = attribute.args.positional.iter().filter_map(Value::elements).flatten();
        let lists: Vec<Value<'p>> = lists.collect();
        return texts.chain(lists.iter().filter_map(Value::as_str)).map(str::to_uppercase).collect();
    } else {
        attribute.setting(evaluator, Some(0), "httpMethods", "HttpMethods")
    };
    let named = named.as_ref().and_then(Value::elements).unwrap_or_default();
    named.iter().filter_map(Value::as_str).map(str::to_uppercase).collect()
}

/// The template that an attribute gives; `None` where it gives none.
fn template<'p>(evaluator: &mut Evaluator<'p>, attribute: &Attribute<'p>) -> Option<Value<'p>> {
    let position = if attribute.is("Route") || VERBS.iter().any(|(kind, _)| attribute.is(kind)) {
        Some(0)
    } else if attribute.is("HttpMethod") {
        Some(1)
    } else if attribute.is("IRouteTemplateProvider") {
        None
    } else if attribute.is("AcceptVerbs") {
        return attribute.args.named("Route").cloned();
    } else {
        return None;
    };
    attribute.setting(evaluator, position, "template", "Template").filter(|template| !matches!(template, Value::None))
}

fn is_hidden<'p>(evaluator: &mut Evaluator<'p>, attributes: &[Attribute<'p>]) -> bool {
    attributes.iter().any(|attribute| hides(evaluator, attribute))
}

/// `[ApiExplorerSettings(IgnoreApi = true)]`
fn hides<'p>(evaluator: &mut Evaluator<'p>, attribute: &Attribute<'p>) -> bool {
    attribute.is("ApiExplorerSettings")
        && matches!(attribute.setting(evaluator, None, "IgnoreApi", "IgnoreApi"), Some(Value::Bool(true)))
}

/// The template of an action below that of its controller; `None` where neither has one.
fn combined<'p>(base: Option<&Value<'p>>, own: Option<&Value<'p>>) -> Option<Value<'p>> {
    let unknown = |value: &Value<'p>| match value {
        Value::Unknown(..) | Value::Pattern(_) => value.clone(),
        _ => Value::Unknown("template of a route", None),
    };
    let text = |value: &Value<'p>| match value {
        Value::None => Some(String::new()),
        value => value.as_str().map(str::to_owned),
    };
    let Some(own) = own else {
        let base = base?;
        return Some(text(base).map_or_else(|| unknown(base), |text| Value::str(trimmed(&text))));
    };
    let Some(own_text) = text(own) else { return Some(unknown(own)) };
    if let Some(absolute) = own_text.strip_prefix("~/").or_else(|| own_text.strip_prefix('/')) {
        return Some(Value::str(absolute));
    }
    let Some(base) = base else { return Some(Value::str(trimmed(&own_text))) };
    let Some(base_text) = text(base) else { return Some(unknown(base)) };
    let (base, own) = (trimmed(&base_text), trimmed(&own_text));
    Some(Value::str(if base.is_empty() || own.is_empty() { base + &own } else { format!("{base}/{own}") }))
}

fn trimmed(template: &str) -> String {
    template.trim_start_matches("~/").trim_matches('/').to_owned()
}

/// `[controller]`, `[action]`, `[area]` with what they stand for; `[[` is a bracket.
fn with_tokens<'p>(
    evaluator: &mut Evaluator<'p>,
    controller: &Controller<'p>,
    action: &Action<'p>,
    path: &Value<'p>,
) -> Value<'p> {
    let Some(text) = path.as_str() else { return path.clone() };
    if !text.contains('[') {
        return path.clone();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', ']']) {
        out.push_str(&rest[..at]);
        let after = &rest[at..];
        if after.starts_with("[[") || after.starts_with("]]") {
            out.push_str(&after[..1]);
            rest = &after[2..];
            continue;
        }
        let Some(end) = after.find(']').filter(|_| after.starts_with('[')) else {
            out.push_str(&after[..1]);
            rest = &after[1..];
            continue;
        };
        let token = after[1..end].to_ascii_lowercase();
        let value = match token.as_str() {
            "controller" => Some(controller.name.clone()),
            "action" => Some(action_name(evaluator, action)),
            "area" => controller.area.as_ref().and_then(Value::as_str).map(str::to_owned),
            _ => None,
        };
        match value {
            Some(value) => out.push_str(&value),
            None => return Value::Unknown("a token of the route that is not known", None),
        }
        rest = &after[end + 1..];
    }
    out.push_str(rest);
    Value::str(out)
}

/// The name of the method without `Async`, unless it is given another.
fn action_name<'p>(evaluator: &mut Evaluator<'p>, action: &Action<'p>) -> String {
    for attribute in action.attributes.iter().flatten().filter(|attribute| attribute.is("ActionName")) {
        if let Some(Value::Str(name)) = attribute.setting(evaluator, Some(0), "name", "Name") {
            return name.to_string();
        }
    }
    let name = action.function.node.name.as_str();
    name.strip_suffix("Async").filter(|short| !short.is_empty()).unwrap_or(name).to_owned()
}
