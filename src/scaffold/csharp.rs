//! Types, names and values in C#, for System.Text.Json and the attributes of `System.ComponentModel.DataAnnotations`.

mod checks;
mod reserved;

use std::fmt::Write as _;

use serde_json::Value;

pub(super) use self::checks::anchored;
use self::checks::{limits, of_length, of_list};
use self::reserved::RESERVED;
pub(super) use self::reserved::{RESERVED_MEMBERS, RESERVED_TYPES};
use super::crud::value_of;
use super::model::Service;
use super::names::{self, Scope};
use super::types::{Bounds, Extra, Field, Model, ModelKind, Text, Type, Types};
use crate::model::Literal;

/// What a model of the contract is called that has a name of the library: `TaskModel`.
pub(super) fn rename(types: &mut Types) {
    for at in 0..types.models.len() {
        let Some(base) = types.models[at].name.strip_suffix('_') else { continue };
        let name = format!("{base}Model");
        if !types.models.iter().any(|it| it.name == name) {
            types.models[at].name = name;
        }
    }
}

/// `taskId`
pub(super) fn identifier(name: &str) -> String {
    let name = names::camel(name);
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// A scope of local names.
pub(super) fn locals() -> Scope {
    Scope::without(RESERVED)
}

/// A text as a literal.
pub(super) fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            // Line ends of C# beside those above.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// An enumeration that has no name in the contract.
#[derive(Clone, Debug)]
pub(super) struct Enumeration {
    pub(super) name: String,
    pub(super) values: Vec<String>,
}

/// Words types of one service.
pub(super) struct Words<'w> {
    pub(super) service: &'w Service,
    /// Enumerations that the contract has no name for.
    pub(super) enums: Vec<Enumeration>,
    /// Names of types that are taken.
    pub(super) scope: Scope,
}

impl<'w> Words<'w> {
    pub(super) fn new(service: &'w Service) -> Self {
        let mut scope = Scope::without(RESERVED_TYPES);
        for model in &service.types.models {
            scope.name(&model.name);
        }
        let mut words = Words { service, enums: Vec::new(), scope };
        for model in &service.types.models {
            for field in model.fields() {
                words.add_enums(&field.ty, &format!("{} {}", model.name, field.name));
            }
        }
        for operation in &service.operations {
            let body = operation.body.as_ref().and_then(|it| it.ty.as_ref());
            for ty in body.into_iter().chain(&operation.success.ty) {
                words.add_enums(ty, &operation.name);
            }
            let refusals = [&operation.invalid, &operation.unauthorised, &operation.missing, &operation.conflict];
            for ty in refusals.into_iter().flatten().filter_map(|it| it.ty.as_ref()) {
                words.add_enums(ty, &format!("{} error", operation.name));
            }
        }
        for message in service.sent.iter().chain(&service.received) {
            words.add_enums(&message.payload, &message.name);
        }
        words
    }

    fn add_enums(&mut self, ty: &Type, hint: &str) {
        match ty {
            Type::Values(literals) => {
                let Some(values) = texts(literals) else { return };
                if self.enums.iter().all(|it| it.values != values) {
                    let name = self.scope.name(&names::pascal(hint));
                    self.enums.push(Enumeration { name, values });
                }
            }
            Type::List(list) => self.add_enums(&list.item, &format!("{hint} item")),
            Type::Map(inner) => self.add_enums(inner, &format!("{hint} value")),
            Type::Nullable(inner) => self.add_enums(inner, hint),
            _ => {}
        }
    }

    /// The type as it is declared; `?` only where null is one of its values.
    pub(super) fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Any | Type::Null | Type::Union(_) => "JsonElement".to_owned(),
            Type::Boolean => "bool".to_owned(),
            Type::Integer(bounds) => if is_small(bounds) { "int" } else { "long" }.to_owned(),
            Type::Number(_) => "double".to_owned(),
            Type::Text(text) => of_text(text).to_owned(),
            Type::Values(literals) => match texts(literals) {
                Some(values) => {
                    let known = self.enums.iter().find(|it| it.values == values);
                    known.map_or_else(|| "string".to_owned(), |it| it.name.clone())
                }
                None => of_values(literals).to_owned(),
            },
            Type::List(list) => format!("List<{}>", self.ty(&list.item)),
            Type::Map(inner) => format!("Dictionary<string, {}>", self.ty(inner)),
            Type::Model(at) => self.service.types.models[*at].name.clone(),
            Type::Nullable(inner) => format!("{}?", self.ty(inner)),
        }
    }

    /// The type where nothing may be given.
    pub(super) fn optional(&self, ty: &Type) -> String {
        format!("{}?", self.ty(ty.some()))
    }

    /// A parameter's type: names of an enumeration are compared as they are sent.
    pub(super) fn parameter(&self, ty: &Type) -> String {
        match ty.some() {
            Type::List(list) => format!("{}[]", self.parameter(&list.item)),
            Type::Any | Type::Model(_) => "string".to_owned(),
            Type::Values(_) => "string".to_owned(),
            other => self.ty(other),
        }
    }

    /// Texts that a parameter may be.
    fn named(&self, ty: &Type) -> Option<Vec<String>> {
        match ty.some() {
            Type::Values(literals) => texts(literals),
            Type::Model(at) => match &self.service.types.models[*at].kind {
                ModelKind::Values(values) => Some(values.clone()),
                ModelKind::Object { .. } => None,
            },
            _ => None,
        }
    }

    /// Attributes that say what values are let through.
    pub(super) fn checks(ty: &Type) -> Vec<String> {
        match ty.some() {
            Type::Integer(bounds) => limits(bounds, true),
            Type::Number(bounds) => limits(bounds, false),
            Type::Text(text) if of_text(text) == "string" => of_length(text),
            Type::Values(literals) if texts(literals).is_none() => {
                let written: Vec<String> =
                    literals.iter().filter_map(value_of).map(|it| plain(&it, of_values(literals))).collect();
                if of_values(literals) == "JsonElement" {
                    Vec::new()
                } else {
                    vec![format!("AllowedValues({})", written.join(", "))]
                }
            }
            Type::List(list) => of_list(list),
            _ => Vec::new(),
        }
    }

    pub(super) fn parameter_checks(&self, ty: &Type) -> Vec<String> {
        match self.named(ty) {
            Some(values) => {
                let values: Vec<String> = values.iter().map(|it| text(it)).collect();
                // What may be left out is null.
                vec![format!("AllowedValues({}, null)", values.join(", "))]
            }
            None => Self::checks(ty),
        }
    }

    /// A value of a type as an expression.
    pub(super) fn value(&self, ty: &Type, value: &Value) -> String {
        let raw = || format!("JsonSerializer.Deserialize<{}>({})!", self.ty(ty), text(&value.to_string()));
        if value.is_null() {
            return match ty {
                Type::Any | Type::Null | Type::Union(_) => {
                    "JsonSerializer.SerializeToElement<object?>(null)".to_owned()
                }
                _ => "null".to_owned(),
            };
        }
        match (ty, value) {
            (Type::Nullable(inner), value) => self.value(inner, value),
            (Type::Text(it), Value::String(given)) => match of_text(it) {
                "Guid" => format!("Guid.Parse({})", text(given)),
                "string" => text(given),
                other => format!("{other}.Parse({}, CultureInfo.InvariantCulture)", text(given)),
            },
            (Type::Boolean | Type::Integer(_) | Type::Number(_), value) => plain(value, &self.ty(ty)),
            (Type::Values(literals), value) => match (texts(literals), value) {
                (Some(values), Value::String(given)) => format!("{}.{}", self.ty(ty), member_of(&values, given)),
                _ if of_values(literals) == "JsonElement" => raw(),
                _ => plain(value, of_values(literals)),
            },
            (Type::List(list), Value::Array(items)) => {
                let items: Vec<String> = items.iter().map(|it| self.value(&list.item, it)).collect();
                format!("[{}]", items.join(", "))
            }
            (Type::Map(inner), Value::Object(members)) => {
                let members: Vec<String> =
                    members.iter().map(|(name, it)| format!("[{}] = {}", text(name), self.value(inner, it))).collect();
                let new = format!("new {}", self.ty(ty));
                if members.is_empty() { format!("{new}()") } else { format!("{new} {{ {} }}", members.join(", ")) }
            }
            (Type::Model(at), value) => {
                let model = &self.service.types.models[*at];
                match (&model.kind, value) {
                    (ModelKind::Values(values), Value::String(given)) => {
                        format!("{}.{}", model.name, member_of(values, given))
                    }
                    (ModelKind::Object { extra: Extra::Ignored | Extra::Refused, .. }, Value::Object(members)) => {
                        let names = properties(model);
                        let known = model.fields().iter().zip(&names);
                        let entries: Vec<String> = known
                            .filter_map(|(field, name)| {
                                Some(format!("{name} = {}", self.value(&field.ty, members.get(&field.name)?)))
                            })
                            .collect();
                        object(&model.name, &entries)
                    }
                    _ => raw(),
                }
            }
            _ => raw(),
        }
    }
}

/// `new Book { Id = id }`, on several lines where it is long.
pub(super) fn object(name: &str, entries: &[String]) -> String {
    let line = format!("new {name} {{ {} }}", entries.join(", "));
    if entries.is_empty() {
        format!("new {name}()")
    } else if line.len() <= 90 && !line.contains('\n') {
        line
    } else {
        let entries: Vec<String> = entries.iter().map(|it| format!("    {},", it.replace('\n', "\n    "))).collect();
        format!("new {name}\n{{\n{}\n}}", entries.join("\n"))
    }
}

/// Names of a record's properties, one a field.
pub(super) fn properties(model: &Model) -> Vec<String> {
    let mut scope = Scope::without(RESERVED_MEMBERS);
    scope.name(&model.name);
    model.fields().iter().map(|it| scope.name(&names::pascal(&it.name))).collect()
}

/// The property of a field.
pub(super) fn property(model: &Model, field: &str) -> String {
    let at = model.fields().iter().position(|it| it.name == field);
    at.map_or_else(|| names::pascal(field), |at| properties(model).swap_remove(at))
}

/// Names of an enumeration's members, one a value.
pub(super) fn members(values: &[String]) -> Vec<String> {
    let mut scope = Scope::default();
    values.iter().map(|it| scope.name(&names::pascal(it))).collect()
}

fn member_of(values: &[String], value: &str) -> String {
    let at = values.iter().position(|it| it == value).unwrap_or(0);
    members(values).get(at).cloned().unwrap_or_else(|| "Value".to_owned())
}

fn texts(literals: &[Literal]) -> Option<Vec<String>> {
    let text = |it: &Literal| if let Literal::String(text) = it { Some(text.clone()) } else { None };
    literals.iter().map(text).collect()
}

fn of_values(literals: &[Literal]) -> &'static str {
    let all = |is: fn(&Literal) -> bool| literals.iter().all(is);
    if all(|it| matches!(it, Literal::Boolean(_))) {
        "bool"
    } else if all(|it| matches!(it, Literal::Number(text) if text.parse::<i64>().is_ok())) {
        "long"
    } else if all(|it| matches!(it, Literal::Number(_))) {
        "double"
    } else {
        "JsonElement"
    }
}

/// Whether a type has no null of its own.
pub(super) fn of_text(text: &Text) -> &'static str {
    let is_free = text.pattern.is_none();
    match text.format.as_deref() {
        Some("uuid") if is_free => "Guid",
        Some("date-time") if is_free => "DateTimeOffset",
        Some("date") if is_free => "DateOnly",
        _ => "string",
    }
}

fn is_small(bounds: &Bounds) -> bool {
    let within = |text: &Option<String>| text.as_deref().is_some_and(|it| it.parse::<i32>().is_ok());
    (within(&bounds.least) || within(&bounds.above)) && (within(&bounds.most) || within(&bounds.below))
}

fn plain(value: &Value, ty: &str) -> String {
    match (value, ty) {
        (Value::Number(number), "long") => number.as_i64().map_or_else(|| number.to_string(), |it| format!("{it}L")),
        (Value::Number(number), "double") => {
            let written = number.to_string();
            if written.contains(['.', 'e', 'E']) { written } else { format!("{written}.0") }
        }
        (Value::String(given), _) => text(given),
        (value, _) => value.to_string(),
    }
}

/// Whether a property of this field may be left out of an answer.
pub(super) fn is_left_out(field: &Field) -> bool {
    !field.required
}
