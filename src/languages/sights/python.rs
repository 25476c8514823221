//! Python: variables of the environment, ports, origins, hosts, settings classes.

use tree_sitter::Node;

use super::{Look, MAX_CLIMB, clients, is_field};
use crate::model::Seen;

/// What stands around a value without saying what holds where there is none.
const AROUND: &[&str] = &["parenthesized_expression", "argument_list", "call", "attribute", "await"];
/// Calls that start a server on a port.
const SERVERS: &[&str] =
    &["uvicorn.run", "app.run", "application.run", "socketio.run", "web.run_app", "serve", "waitress.serve"];
const ORIGINS: &[&str] =
    &["allow_origins", "origins", "CORS_ALLOWED_ORIGINS", "CORS_ORIGIN_WHITELIST", "ALLOWED_ORIGINS"];

pub(super) fn visit<'t>(look: &mut Look<'t>, node: Node<'t>) {
    match node.kind() {
        "call" => call(look, node),
        "subscript" => subscript(look, node),
        "string" => clients::address(look, node),
        "class_definition" => settings(look, node),
        "assignment" => assignment(look, node),
        "import_statement" | "import_from_statement" => imports(look, node),
        "identifier" if is_tested(look, node) => {
            let name = look.of(node).to_owned();
            look.tested.insert(name);
        }
        _ => {}
    }
}

fn imports<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let mut walk = node.walk();
    let names: Vec<Node<'_>> = match node.child_by_field_name("module_name") {
        Some(module) => vec![module],
        None => node.children_by_field_name("name", &mut walk).collect(),
    };
    for name in names {
        let name = name.child_by_field_name("name").unwrap_or(name);
        let package = look.of(name).split('.').next().unwrap_or("").to_owned();
        look.imports.insert(package);
    }
}

fn call<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let function = look.field(node, "function");
    let (positional, named) = arguments(look, node);
    let first = positional.first().and_then(|first| look.literal(*first)).map(|it| it.0);
    if matches!(function, "os.getenv" | "os.environ.get" | "environ.get" | "getenv") {
        if let Some(name) = first {
            let has_default = positional.len() + named.len() > 1;
            let optional = has_default || is_optional(look, node);
            let kept = kept(look, node);
            look.variable(node, name, optional, kept);
        }
    } else if function.ends_with("environ.setdefault") {
        if let Some(name) = first {
            look.push(node, Seen::Given(name.to_owned()));
        }
    } else if let Some((_, port)) = named.iter().find(|(name, _)| *name == "port" && SERVERS.contains(&function)) {
        look.port(*port, is_guarded(look, node));
    }
    let last = function.rsplit('.').next().unwrap_or(function);
    if matches!(last, "CORS" | "CORSMiddleware" | "add_middleware") {
        for (_, value) in named.iter().filter(|(name, _)| ORIGINS.contains(name)) {
            origins(look, *value);
        }
    }
    clients::call(look, last, &positional, &named);
}

/// Arguments of a call: those without a name, and those whose names mean something here.
fn arguments<'n>(look: &Look<'_>, node: Node<'n>) -> (Vec<Node<'n>>, Vec<(&'static str, Node<'n>)>) {
    let Some(list) = node.child_by_field_name("arguments") else { return Default::default() };
    let mut walk = list.walk();
    let (mut positional, mut named) = (Vec::new(), Vec::new());
    for child in list.named_children(&mut walk) {
        if child.kind() == "keyword_argument" {
            let name = look.field(child, "name");
            let known = ["port", "host", "default"].iter().chain(ORIGINS).find(|known| **known == name);
            named.extend(child.child_by_field_name("value").map(|value| (known.copied().unwrap_or(""), value)));
        } else if child.kind() != "comment" {
            positional.push(child);
        }
    }
    (positional, named)
}

fn origins<'t>(look: &mut Look<'t>, node: Node<'t>) {
    if matches!(node.kind(), "list" | "tuple" | "set") {
        let mut walk = node.walk();
        let items: Vec<Node<'_>> = node.named_children(&mut walk).collect();
        items.into_iter().for_each(|item| look.origin(item));
    } else {
        look.origin(node);
    }
}

fn assignment<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let name = look.field(node, "left");
    let Some(value) = node.child_by_field_name("right") else { return };
    if ORIGINS.contains(&name) || name.eq_ignore_ascii_case("cors_origins") {
        origins(look, value);
    }
    if value.kind() == "integer"
        && let Some(port) = super::port(look.of(value))
    {
        look.numbers.insert(name.to_owned(), port);
    }
}

fn subscript<'t>(look: &mut Look<'t>, node: Node<'t>) {
    if !matches!(look.field(node, "value"), "os.environ" | "environ") {
        return;
    }
    let Some((name, _)) = node.child_by_field_name("subscript").and_then(|it| look.literal(it)) else { return };
    match look.around(node, &["parenthesized_expression"]) {
        Some((outer, inner)) if outer.kind() == "assignment" && is_field(outer, "left", inner) => {
            look.push(node, Seen::Given(name.to_owned()));
        }
        Some((outer, _)) if outer.kind() == "delete_statement" => {}
        _ => {
            let optional = is_tried(look, node) || is_optional(look, node);
            look.variable(node, name, optional, None);
        }
    }
}

/// The name that a value is assigned to.
fn kept<'t>(look: &Look<'t>, node: Node<'t>) -> Option<&'t str> {
    let (outer, inner) = look.around(node, AROUND)?;
    let left = outer.child_by_field_name("left").filter(|_| outer.kind() == "assignment")?;
    (is_field(outer, "right", inner) && left.kind() == "identifier").then(|| look.of(left))
}

/// Whether the code says what holds where a value is not there.
fn is_optional<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    let mut node = node;
    for _ in 0..MAX_CLIMB {
        let called = look.around(node, &["argument_list", "parenthesized_expression"]);
        let is_asked =
            called.is_some_and(|(outer, _)| outer.kind() == "call" && is_asking(look.field(outer, "function")));
        if is_asked || is_tested(look, node) {
            return true;
        }
        match look.around(node, AROUND) {
            Some((outer, inner)) if falls_back(outer, inner) => return true,
            // What stands on the right of `or` may itself be followed by another.
            Some((outer, _)) if outer.kind() == "boolean_operator" => node = outer,
            _ => return false,
        }
    }
    // Beyond the limit nothing is known, so nothing is missing.
    true
}

/// Calls that only ask whether something is there, by their names: `bool`, `_is_truthy`.
fn is_asking(function: &str) -> bool {
    let name = function.to_ascii_lowercase();
    ["bool", "truthy", "enabled", "flag"].iter().any(|word| name.contains(word))
}

/// Whether a value is asked for being there, or compared.
fn is_tested<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    look.around(node, &["parenthesized_expression"]).is_some_and(|(outer, inner)| match outer.kind() {
        "if_statement" | "elif_clause" | "while_statement" => is_field(outer, "condition", inner),
        "not_operator" | "comparison_operator" | "boolean_operator" | "assert_statement" | "conditional_expression" => {
            !(outer.kind() == "conditional_expression" && outer.named_child(0).is_some_and(|it| it.id() == inner.id()))
        }
        "named_expression" => true,
        _ => false,
    })
}

fn falls_back(outer: Node<'_>, inner: Node<'_>) -> bool {
    outer.kind() == "boolean_operator" && is_field(outer, "left", inner)
        || outer.kind() == "conditional_expression"
        || matches!(outer.kind(), "comparison_operator" | "not_operator")
}

/// Whether what fails there is caught.
fn is_tried<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    look.ancestors(node).any(|(outer, inner)| {
        outer.kind() == "try_statement" && is_field(outer, "body", inner)
            || outer.kind() == "conditional_expression"
            // `if "NAME" in os.environ`
            || outer.kind() == "if_statement" && look.field(outer, "condition").contains("environ")
    })
}

/// Whether code runs only if its file is the program.
fn is_guarded<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    look.ancestors(node).any(|(outer, _)| {
        outer.kind() == "if_statement" && look.field(outer, "condition").contains("__name__")
            || outer.kind() == "function_definition"
    })
}

/// Fields of a class of settings: each is the variable of its name.
fn settings<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let bases = look.field(node, "superclasses");
    let Some(body) = node.child_by_field_name("body").filter(|_| bases.contains("BaseSettings")) else { return };
    let mut walk = body.walk();
    for statement in body.named_children(&mut walk) {
        let Some(field) = statement.named_child(0).filter(|it| it.kind() == "assignment") else { continue };
        if field.child_by_field_name("right").is_some() {
            let name = look.field(field, "left").to_ascii_uppercase();
            look.push(field, Seen::Given(name));
        }
    }
}
