//! C#: variables of the environment, ports, origins, hosts.

use tree_sitter::Node;

use super::{Look, clients};
use crate::model::Seen;

/// What stands around a value without saying what holds where there is none.
const AROUND: &[&str] =
    &["parenthesized_expression", "argument", "argument_list", "invocation_expression", "cast_expression"];

pub(super) fn visit<'t>(look: &mut Look<'t>, node: Node<'t>) {
    match node.kind() {
        "invocation_expression" => call(look, node),
        "string_literal" | "verbatim_string_literal" => clients::address(look, node),
        "identifier" if is_tested(look, node) => {
            let name = look.of(node).to_owned();
            look.tested.insert(name);
        }
        _ => {}
    }
}

fn call<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let function = look.field(node, "function");
    let given: Vec<Node<'_>> = node.child_by_field_name("arguments").map_or_else(Vec::new, |list| {
        let mut walk = list.walk();
        list.named_children(&mut walk).filter(|it| it.kind() == "argument").filter_map(|it| it.named_child(0)).collect()
    });
    let first = given.first().copied();
    match function.rsplit('.').next().unwrap_or(function) {
        "GetEnvironmentVariable" if function.contains("Environment") => {
            if let Some((name, _)) = first.and_then(|it| look.literal(it)) {
                let optional = is_optional(look, node);
                let kept = kept(look, node);
                look.variable(node, name, optional, kept);
            }
        }
        "SetEnvironmentVariable" => {
            if let Some((name, _)) = first.and_then(|it| look.literal(it)) {
                look.push(node, Seen::Given(name.to_owned()));
            }
        }
        "ListenAnyIP" => {
            if let Some(port) = first {
                look.port(port, false);
            }
        }
        "UseUrls" | "Run" | "RunAsync" => given.iter().for_each(|it| address(look, *it)),
        "WithOrigins" => given.iter().for_each(|it| look.origin(*it)),
        _ => {}
    }
}

/// `http://*:5000`
fn address<'t>(look: &mut Look<'t>, node: Node<'t>) {
    let Some((text, span)) = look.literal(node) else { return };
    let Some(rest) = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://")) else { return };
    if let Some(port) = rest.trim_end_matches('/').rsplit_once(':').and_then(|(_, port)| super::port(port)) {
        look.found.push(crate::model::Sight { span, what: Seen::Port { port, guarded: false } });
    }
}

/// The name that a value is assigned to.
fn kept<'t>(look: &Look<'t>, node: Node<'t>) -> Option<&'t str> {
    let (outer, _) = look.around(node, &["parenthesized_expression", "equals_value_clause"])?;
    (outer.kind() == "variable_declarator").then(|| outer.named_child(0)).flatten().map(|name| look.of(name))
}

/// Whether the code says what holds where a value is not there.
fn is_optional<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    is_tested(look, node)
        || look.around(node, AROUND).is_some_and(|(outer, _)| match outer.kind() {
            "binary_expression" => matches!(look.field(outer, "operator"), "??" | "==" | "!="),
            "is_pattern_expression"
            | "conditional_access_expression"
            | "conditional_expression"
            | "switch_expression" => true,
            _ => false,
        })
}

/// Whether a value is asked for being there, or compared.
fn is_tested<'t>(look: &Look<'t>, node: Node<'t>) -> bool {
    let Some((outer, _)) = look.around(node, &["parenthesized_expression"]) else { return false };
    match outer.kind() {
        "binary_expression" => matches!(look.field(outer, "operator"), "??" | "==" | "!="),
        "is_pattern_expression" | "conditional_access_expression" => true,
        "argument" => look
            .around(outer, &["argument_list"])
            .is_some_and(|(call, _)| look.field(call, "function").contains("IsNullOr")),
        _ => false,
    }
}
