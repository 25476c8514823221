//! TypeScript and JavaScript, with elements: variables of the environment, ports, origins, hosts, assets, classes, styles
//! and the words between tags.

use tree_sitter::Node;

use super::{Look, clients, each, is_field};
use crate::model::{AssetUse, Seen, Sight};
use crate::text::Span;

/// What stands around a value without saying what holds where there is none.
const AROUND: &[&str] = &[
    "parenthesized_expression",
    "as_expression",
    "satisfies_expression",
    "non_null_expression",
    "await_expression",
    "arguments",
    "call_expression",
    "ternary_expression",
];
/// Where values of the environment are: in Node, and where a bundler puts them.
const ENVIRONMENTS: &[&str] = &["process.env", "import.meta.env"];
/// Calls that put names of classes together.
const JOINERS: &[&str] = &["clsx", "cn", "classnames", "classNames", "cx", "twMerge", "cva"];

pub(super) fn visit<'t>(look: &mut Look<'t>, node: Node<'t>) {
    match node.kind() {
        "member_expression" | "subscript_expression" => member(look, node),
        "variable_declarator" => declarator(look, node),
        "call_expression" | "new_expression" => call(look, node),
        "string" | "template_string" => clients::address(look, node),
        "import_statement" => import(look, node),
        "pair" => pair(look, node),
        "jsx_attribute" => attribute(look, node),
        "jsx_text" if !look.of(node).trim().is_empty() => look.push(node, Seen::Text),
        "identifier" if is_tested(look, node) => {
            let name = look.of(node).to_owned();
            look.tested.insert(name);
        }
        _ => {}
    }
}

fn member<'t>(look: &mut Look<'t>, node: Node<'t>) {
    if !ENVIRONMENTS.contains(&look.field(node, "object")) {
        return;
    }
    let name = match node.child_by_field_name("index") {
        Some(index) => look.literal(index).map_or("", |it| it.0),
        None => look.field(node, "property"),
    };
    let Some((outer, inner)) = look.around(node, &["parenthesized_expression", "as_expression"]) else { return };
    match outer.kind() {
        "assignment_expression" | "augmented_assignment_expression" if is_field(outer, "left", inner) => {
            look.push(node, Seen::Given(name.to_owned()));
        }
        "unary_expression" if look.field(outer, "operator") == "delete" => {}
        _ => {
            let optional = is_optional(look, node);
            let kept = kept(look, node);
            look.variable(node, name, optional, kept);
        }
    }
}

fn declarator<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let Some(value) = node.child_by_field_name("value") else { return };
    let Some(name) = node.child_by_field_name("name") else { return };
    if value.kind() == "number"
        && let Some(port) = super::port(look.of(value))
    {
        let name = look.of(name).to_owned();
        look.numbers.insert(name, port);
    }
    if name.kind() == "object_pattern" && ENVIRONMENTS.contains(&look.of(value)) {
        let mut walk = name.walk();
        for child in name.named_children(&mut walk) {
            let read = look.of(child);
            match child.kind() {
                "shorthand_property_identifier_pattern" => look.variable(child, read, false, Some(read)),
                "pair_pattern" => {
                    let key = look.field(child, "key");
                    let kept = look.field(child, "value");
                    look.variable(child, key, kept.contains('='), Some(kept));
                }
                _ => {}
            }
        }
    }
}

/// The name that a value is assigned to.
fn kept<'t>(look: &Look<'t>, node: Node<'t>) -> Option<&'t str> {
    let (outer, inner) = look.around(node, &["as_expression", "parenthesized_expression", "non_null_expression"])?;
    let name = outer.child_by_field_name("name").filter(|_| outer.kind() == "variable_declarator")?;
    (is_field(outer, "value", inner) && name.kind() == "identifier").then(|| look.of(name))
}

/// Whether the code says what holds where a value is not there.
fn is_optional<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    if is_tested(look, node) {
        return true;
    }
    let Some((outer, inner)) = look.around(node, AROUND) else { return false };
    let mut walk = outer.walk();
    match outer.kind() {
        "binary_expression" => {
            // Whatever stands beside one of these is another way to have a value.
            matches!(look.field(outer, "operator"), "||" | "??" | "==" | "===" | "!=" | "!==")
                || (look.field(outer, "operator") == "&&" && is_field(outer, "left", inner))
        }
        "member_expression" => outer.named_children(&mut walk).any(|child| child.kind() == "optional_chain"),
        "ternary_expression" => is_field(outer, "condition", inner),
        "unary_expression" => true,
        _ => is_boolean(look, node) || has_fallback(look, node),
    }
}

/// `parse(process.env.NAME, 60)`: what stands beside the value is what holds without it, unless it is settings or a base.
fn has_fallback<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    let Some((list, _)) = look.ancestors(node).next().filter(|(outer, _)| outer.kind() == "arguments") else {
        return false;
    };
    let given = items(list);
    let callee = look.around(list, &[]).map_or("", |(call, _)| look.field(call, "function"));
    let is_first = given.first().is_some_and(|first| first.id() == node.id());
    is_first && !callee.ends_with("parseInt") && given.get(1).is_some_and(|second| second.kind() != "object")
}

fn is_boolean<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    look.around(node, &["arguments"])
        .is_some_and(|(outer, _)| outer.kind() == "call_expression" && look.field(outer, "function") == "Boolean")
}

/// Whether a value is asked for being there, or compared.
fn is_tested<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    let past = ["parenthesized_expression", "as_expression"];
    let Some((outer, inner)) = look.around(node, &past) else { return false };
    match outer.kind() {
        "if_statement" | "while_statement" | "ternary_expression" => is_field(outer, "condition", inner),
        "binary_expression" => outer.child_by_field_name("operator").is_some_and(|operator| {
            let kind = operator.kind();
            matches!(kind, "==" | "===" | "!=" | "!==" | "||" | "??")
                || (kind == "&&" && is_field(outer, "left", inner))
        }),
        "unary_expression" => outer.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "!"),
        _ => false,
    }
}

fn import<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let Some(source) = node.child_by_field_name("source") else { return };
    if let Some((package, _)) = look.literal(source) {
        look.imports.insert(package.to_owned());
    }
    look_at_module(look, source);
}

/// A file that is imported by its path.
fn look_at_module(look: &mut Look<'_>, source: Node<'_>) {
    if look.literal(source).is_some_and(|(path, _)| path.starts_with('.')) {
        look.asset(source, AssetUse::Import);
    }
}

fn items(node: Node<'_>) -> Vec<Node<'_>> {
    let mut walk = node.walk();
    node.named_children(&mut walk).filter(|child| child.kind() != "comment").collect()
}

/// The value of a key that is written in an object.
fn value_of<'n>(look: &Look<'_>, object: Node<'n>, key: &str) -> Option<Node<'n>> {
    items(object)
        .into_iter()
        .find(|it| it.kind() == "pair" && look.field(*it, "key").trim_matches(['"', '\'']) == key)
        .and_then(|it| it.child_by_field_name("value"))
}

fn call<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let callee = node.child_by_field_name("function").or_else(|| node.child_by_field_name("constructor"));
    let (Some(callee), Some(list)) = (callee, node.child_by_field_name("arguments")) else { return };
    let whole = look.of(callee);
    let name = whole.rsplit('.').next().unwrap_or(whole);
    let given = items(list);
    let first = given.first().copied();
    let object = given.iter().copied().find(|it| it.kind() == "object");
    let is_method = whole.contains('.');
    match name {
        "listen" if is_method => {
            let port = first.filter(|it| matches!(it.kind(), "number" | "identifier"));
            let named = || first.filter(|it| it.kind() == "object").and_then(|it| value_of(look, it, "port"));
            if let Some(port) = port.or_else(named) {
                look.port(port, false);
            }
        }
        "serve" => {
            if let Some(port) = object.and_then(|it| value_of(look, it, "port")) {
                look.port(port, false);
            }
        }
        "set" if is_method && given.len() == 2 && look.literal(given[0]).is_some_and(|it| it.0 == "port") => {
            look.port(given[1], false);
        }
        "cors" | "enableCors" => {
            if let Some(origin) = object.and_then(|it| value_of(look, it, "origin")) {
                origins(look, origin);
            }
        }
        "setHeader" | "header" | "set" | "append" if given.len() == 2 => {
            let is_it = |text: &str| text.eq_ignore_ascii_case("access-control-allow-origin");
            if look.literal(given[0]).is_some_and(|it| is_it(it.0)) {
                look.origin(given[1]);
            }
        }
        "require" => {
            if let Some(source) = first {
                if let Some((package, _)) = look.literal(source) {
                    look.imports.insert(package.to_owned());
                }
                look_at_module(look, source);
            }
        }
        "URL" if given.get(1).is_some_and(|it| look.of(*it) == "import.meta.url") => look_at_module(look, given[0]),
        _ if JOINERS.contains(&name) => given.iter().for_each(|it| classes(look, *it)),
        _ => {}
    }
    let host = object.and_then(|it| value_of(look, it, "host"));
    let named: Vec<(&str, Node<'_>)> = host.into_iter().map(|host| ("host", host)).collect();
    clients::call(look, name, &given, &named);
}

fn origins<'t>(look: &mut Look<'t>, node: Node<'t>) {
    if node.kind() == "array" {
        items(node).into_iter().for_each(|item| look.origin(item));
    } else {
        look.origin(node);
    }
}

/// `cors: { origin: "…" }` of servers that take their settings in one object.
fn pair<'t>(look: &mut Look<'t>, node: Node<'t>) {
    if look.field(node, "key") == "cors"
        && let Some(object) = node.child_by_field_name("value").filter(|it| it.kind() == "object")
        && let Some(origin) = value_of(look, object, "origin")
    {
        origins(look, origin);
    }
}

fn attribute<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let parts = items(node);
    let (Some(name), Some(value)) = (parts.first(), parts.get(1)) else { return };
    let value =
        if value.kind() == "jsx_expression" { items(*value).into_iter().next().unwrap_or(*value) } else { *value };
    match look.of(*name) {
        "src" | "href" | "poster" => look.asset(value, AssetUse::Link),
        "className" | "class" => classes(look, value),
        "style" if value.kind() == "object" => styles(look, value),
        _ => {}
    }
}

/// Names of classes in every string below a node; calls that put them together are seen by themselves.
fn classes<'t>(look: &mut Look<'t>, node: Node<'t>) {
    // A call within one that was read is part of that.
    if node.end_byte() <= look.classed {
        return;
    }
    look.classed = node.end_byte();
    let mut found = Vec::new();
    each(node, &mut |inner| {
        if inner.kind() == "string_fragment" {
            found.push(look.span(inner));
        }
    });
    look.found.extend(found.into_iter().map(|span| Sight { span, what: Seen::Classes }));
}

/// `style={{ paddingTop: 12 }}`: numbers are pixels.
fn styles(look: &mut Look<'_>, object: Node<'_>) {
    for pair in items(object).into_iter().filter(|it| it.kind() == "pair") {
        let Some(value) = pair.child_by_field_name("value") else { continue };
        let property = dashed(look.field(pair, "key").trim_matches(['"', '\'']));
        let span: Option<Span> = match value.kind() {
            "number" => Some(look.span(value)),
            _ => look.literal(value).map(|it| it.1),
        };
        if let Some(span) = span {
            look.found.push(Sight { span, what: Seen::Style { property } });
        }
    }
}

/// `paddingTop` as stylesheets write it: `padding-top`.
fn dashed(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 2);
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
