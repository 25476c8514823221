//! What holds between the fields of OpenAPI's objects, which no table says.

use rustc_hash::FxHashMap;

use super::objects::{PARAMETER, PATH_ITEM, RESPONSE};
use super::swagger;
use crate::contracts::form::{Form, What, last};
use crate::contracts::reader::Place;
use crate::contracts::schema::form as schema_form;
use crate::contracts::tree::{Node, Value};
use crate::contracts::{Issue, IssueKind};

/// Characters that names of components are made of.
const fn is_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')
}

fn missing<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>, message: String, help: &str) {
    if !place.node.cut {
        form.reader.issue(IssueKind::MissingField, place.span, &place.pointer, message, Some(help));
    }
}

/// `paths`: whether keys are paths is told where operations are read.
pub(super) fn paths<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    let item = if form.edition.major == 2 { &swagger::PATH_ITEM } else { &PATH_ITEM };
    let members = form.members(place);
    form.queue.extend(members.into_iter().map(|(_, member)| (member, What::Object(item))));
}

/// Path items by expressions.
pub(super) fn callback<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    let Some(place) = form.reader.follow(place.clone()) else { return };
    let members = form.members(&place);
    form.queue.extend(members.into_iter().map(|(_, member)| (member, What::Object(&PATH_ITEM))));
}

/// Which statuses there are is told where operations are read.
pub(super) fn responses<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    let response = if form.edition.major == 2 { &swagger::RESPONSE } else { &RESPONSE };
    let members = form.members(place);
    if members.is_empty() && place.node.is_object() && !place.node.cut {
        missing(form, place, "there is no response at all".to_owned(), "describe at least the one of success");
    }
    form.queue.extend(members.into_iter().map(|(_, member)| (member, What::Object(response))));
}

/// A list of parameters, no two of one name in one place.
pub(super) fn parameters<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    form.expect(place, matches!(place.node.value, Value::Array(_)), "a list");
    let object = if form.edition.major == 2 { &swagger::PARAMETER } else { &PARAMETER };
    let mut seen: FxHashMap<(&str, &str), Place<'d>> = FxHashMap::default();
    for item in place.items() {
        form.queue.push((item.clone(), What::Object(object)));
        let Some(target) = form.reader.follow(item.clone()) else { continue };
        let (Some(name), Some(at)) = (target.text("name"), target.text("in")) else { continue };
        if let Some(first) = seen.get(&(name, at)) {
            form.reader.issues.push(Issue {
                kind: IssueKind::InvalidValue,
                span: item.span,
                pointer: item.pointer.clone(),
                message: format!("parameter `{name}` in {at} stands twice in one list"),
                help: Some("remove one".to_owned()),
                related: Some((first.span, "the first is here".to_owned())),
            });
        } else {
            seen.insert((name, at), item);
        }
    }
}

/// A parameter or a header of 3.x: `schema` or `content`, with one media type; what is in the path is required.
pub(super) fn parameter<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    required_in_path(form, place);
    if let Some(content) = place.child("content") {
        if place.node.get("schema").is_some() {
            let message = "`schema` and `content` exclude each other".to_owned();
            form.issue(&content, message, Some("keep one of them"));
        }
        if content.node.is_object() && content.node.entries().len() != 1 {
            let message = format!("`content` must have one media type here, found {}", content.node.entries().len());
            form.issue(&content, message, Some("describe the value in one media type"));
        }
    } else if place.node.get("schema").is_none() {
        let message = "the value is not described: there is neither `schema` nor `content`".to_owned();
        missing(form, place, message, "add `schema`");
    }
}

fn required_in_path<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    if place.text("in") == Some("path") && !place.is_true("required") {
        let message = format!("path parameter `{}` must have `required: true`", place.text("name").unwrap_or(""));
        let help = "add `required: true`: there is no path without it";
        match place.child("required") {
            Some(stated) => form.issue(&stated, message, Some(help)),
            None => missing(form, place, message, help),
        }
    }
}

/// A parameter of 2.0: a body has a schema, anything else a type.
pub(super) fn older_parameter<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    required_in_path(form, place);
    if place.text("in") != Some("body") {
        older_value(form, place);
    } else if place.node.get("schema").is_none() {
        missing(form, place, "the body has no `schema`".to_owned(), "add `schema`");
    }
}

/// What 2.0 writes into a parameter or header itself.
pub(super) fn older_value<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    match place.text("type") {
        None if place.node.get("type").is_none() => {
            missing(form, place, format!("`{}` has no `type`", last(place)), "add `type`");
        }
        Some("array") if place.node.get("items").is_none() => {
            missing(form, place, "an array must have `items`".to_owned(), "say what its elements are");
        }
        _ => {}
    }
    schema_form::check_keywords(form.reader, place, &["required", "description", "schema"]);
}

/// Elements of such an array: no schema, and never a reference.
pub(super) fn older_items<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    form.expect(place, place.node.is_object(), "an object");
    if place.node.is_object() {
        older_value(form, place);
        if let Some(inner) = place.child("items") {
            form.queue.push((inner, What::Own(older_items)));
        }
    }
}

/// Requirements name schemes that are there.
pub(super) fn requirements<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    form.expect(place, matches!(place.node.value, Value::Array(_)), "a list");
    let (holder, key) = if form.edition.major == 2 {
        ("securityDefinitions", Some(form.root.clone()))
    } else {
        ("components.securitySchemes", form.root.child("components"))
    };
    let schemes = key.and_then(|parent| parent.child(holder.rsplit('.').next().unwrap_or(holder)));
    let schemes = schemes.and_then(|schemes| form.reader.follow(schemes));
    for requirement in place.items() {
        form.expect(&requirement, requirement.node.is_object(), "an object");
        for (name, scopes) in requirement.members() {
            form.expect(&scopes, matches!(scopes.node.value, Value::Array(_)), "a list");
            let is_there = schemes.as_ref().is_some_and(|schemes| schemes.node.get(&name.text).is_some());
            // 3.2 lets a reference stand for a name.
            let is_reference = form.edition.minor >= 2 && name.text.contains(['#', '/']);
            if !is_there && !is_reference {
                let message = format!("security scheme `{}` is not defined", name.text);
                let help = format!("define it in `{holder}`");
                // A document without any, all of which names the same one, leaves that to whoever puts it to use.
                let is_left_open = schemes.is_none() && is_named_often(form.root.node, &name.text);
                let kind = if is_left_open { IssueKind::Doubtful } else { IssueKind::InvalidValue };
                form.reader.issue(kind, scopes.span, &scopes.pointer, message, Some(&help));
            }
        }
    }
}

/// Whether several operations name a scheme.
fn is_named_often(root: &Node, name: &str) -> bool {
    let items = root.get("paths").map(Node::entries).unwrap_or_default().iter();
    let operations = items.flat_map(|(_, item)| item.entries()).filter_map(|(_, operation)| operation.get("security"));
    operations.filter(|security| security.items().iter().any(|way| way.get(name).is_some())).nth(1).is_some()
}

/// What each type of a scheme requires.
pub(super) fn scheme<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    let wanted: &[&str] = match place.text("type") {
        Some("apiKey") => &["name", "in"],
        Some("http") => &["scheme"],
        Some("oauth2") => &["flows"],
        Some("openIdConnect") => &["openIdConnectUrl"],
        _ => &[],
    };
    required_by_type(form, place, wanted);
}

/// The same of 2.0.
pub(super) fn older_scheme<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    let wanted: &[&str] = match (place.text("type"), place.text("flow")) {
        (Some("apiKey"), _) => &["name", "in"],
        (Some("oauth2"), Some("implicit")) => &["authorizationUrl", "scopes"],
        (Some("oauth2"), Some("password" | "application")) => &["tokenUrl", "scopes"],
        (Some("oauth2"), Some("accessCode")) => &["authorizationUrl", "tokenUrl", "scopes"],
        (Some("oauth2"), _) => &["flow", "scopes"],
        _ => &[],
    };
    required_by_type(form, place, wanted);
}

fn required_by_type<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>, wanted: &[&str]) {
    for field in wanted {
        if place.node.get(field).is_none() {
            let word = place.text("type").unwrap_or("");
            let message = format!("a security scheme of type `{word}` must have `{field}`");
            missing(form, place, message, &format!("add `{field}`"));
        }
    }
}

/// The default is one of the values, where they are listed.
pub(super) fn variable<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    let Some(listed) = place.child("enum") else { return };
    let values: Vec<&str> = listed.node.items().iter().filter_map(Node::scalar_text).collect();
    if let Some(default) = place.child("default")
        && let Some(text) = default.node.scalar_text()
        && matches!(listed.node.value, Value::Array(_))
        && !values.contains(&text)
        && form.edition.minor > 0
    {
        form.issue(&default, format!("`{text}` is none of the values of `enum`"), Some("add it, or name one of them"));
    }
}

/// Names that references can say as they are.
pub(super) fn component_names<'d>(form: &mut Form<'_, 'd>, place: &Place<'d>) {
    // 3.0 says so as well, but its own schema lets any name pass, and generators write `Page«User»`.
    if form.edition.minor == 0 {
        return;
    }
    for (kind, all) in place.members() {
        for (name, member) in all.members().filter(|_| !kind.text.starts_with("x-")) {
            if !name.text.chars().all(is_of_a_name) && name.text != "$ref" {
                let message = format!("`{}` is no name for a component", name.text);
                form.issue(&member, message, Some("letters of ASCII, digits, `.`, `-` and `_` may be in it"));
            }
        }
    }
}
