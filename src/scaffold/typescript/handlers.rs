//! What handlers do, in TypeScript, whichever framework calls them.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Words, identifier, key, member, scope, text, value};
use crate::model::ParameterPlace;
use crate::scaffold::crud::{Action, Copied, Fill, With};
use crate::scaffold::events::Message;
use crate::scaffold::model::{Answer, Operation, Parameter, Service};
use crate::scaffold::names::{self, Scope};
use crate::scaffold::types::Type;

/// How a framework's handlers answer.
pub(in crate::scaffold) trait Style {
    /// A success; `None` without a body.
    fn success(&self, answer: &Answer, body: Option<&str>) -> Vec<String>;
    /// A refusal, after which nothing is done.
    fn refusal(&self, answer: &Answer, body: Option<&str>) -> Vec<String>;
    /// What is before the name of something that handlers are given: `this.`.
    fn own(&self) -> &'static str;
}

/// What templates need of one operation.
pub(in crate::scaffold) struct Handler {
    /// `readTask`
    pub(in crate::scaffold) name: String,
    /// With parameters as the code calls them, in braces.
    pub(in crate::scaffold) path: String,
    /// Schemas of what is sent: name, and the schema's text.
    pub(in crate::scaffold) params: Option<String>,
    pub(in crate::scaffold) query: Option<String>,
    pub(in crate::scaffold) headers: Option<String>,
    pub(in crate::scaffold) body: Option<String>,
    pub(in crate::scaffold) lines: Vec<String>,
    /// Whether something is awaited.
    pub(in crate::scaffold) awaits: bool,
    /// Type of what a success holds.
    pub(in crate::scaffold) returns: String,
}

/// Names of the repositories, one a resource.
pub(in crate::scaffold) fn resource_names(service: &Service) -> Vec<String> {
    let mut scope = scope();
    service.resources.iter().map(|it| scope.name(&names::camel(&it.name))).collect()
}

pub(in crate::scaffold) fn handler(service: &Service, at: usize, style: &dyn Style) -> Handler {
    let operation = &service.operations[at];
    let writer = Writer { service, operation, style, repositories: resource_names(service) };
    writer.handler(at)
}

struct Writer<'w> {
    service: &'w Service,
    operation: &'w Operation,
    style: &'w dyn Style,
    repositories: Vec<String>,
}

impl Writer<'_> {
    fn words(&self) -> Words<'_> {
        Words { types: &self.service.types, later: Vec::new() }
    }

    fn handler(&self, at: usize) -> Handler {
        let operation = self.operation;
        let mut path = format!("{}{}", operation.base, operation.path);
        let mut names = Scope::default();
        for parameter in operation.parameters_in(ParameterPlace::Path) {
            let own = names.name(&identifier(&parameter.name));
            path = path.replace(&format!("{{{}}}", parameter.name), &format!("{{{own}}}"));
        }
        let (lines, returns) = self.lines(at);
        let awaits = lines.iter().any(|line| line.contains("await "));
        let body = operation.body.as_ref().and_then(|it| it.ty.as_ref().map(|ty| (ty, it.required)));
        Handler {
            name: identifier(&operation.name),
            path,
            params: self.object(ParameterPlace::Path),
            query: self.object(ParameterPlace::Query),
            headers: self.object(ParameterPlace::Header),
            body: body.map(|(ty, required)| {
                let schema = self.words().schema(ty);
                if required { schema } else { format!("{schema}.optional()") }
            }),
            lines,
            awaits,
            returns,
        }
    }

    /// The schema of all parameters of one place.
    fn object(&self, place: ParameterPlace) -> Option<String> {
        let mut names = Scope::default();
        let field = |parameter: &Parameter| {
            let name = match place {
                ParameterPlace::Path => names.name(&identifier(&parameter.name)),
                ParameterPlace::Header => parameter.name.to_ascii_lowercase(),
                _ => parameter.name.clone(),
            };
            let schema = self.words().spelled(&parameter.ty);
            let default = parameter.default.as_ref().and_then(crate::scaffold::crud::value_of);
            let rest = match default {
                _ if parameter.required => String::new(),
                Some(default) => format!(".default({})", value(&default)),
                None => ".optional()".to_owned(),
            };
            format!("  {}: {schema}{rest},", key(&name))
        };
        let fields: Vec<String> = self.operation.parameters_in(place).map(field).collect();
        (!fields.is_empty()).then(|| format!("z.object({{\n{}\n}})", fields.join("\n")))
    }

    /// What a parameter is called in the handler.
    fn parameter(&self, at: usize) -> String {
        let parameter = &self.operation.parameters[at];
        match parameter.place {
            ParameterPlace::Query => member("query", &parameter.name),
            ParameterPlace::Header => member("headers", &parameter.name.to_ascii_lowercase()),
            _ => member("params", &identifier(&parameter.name)),
        }
    }

    fn refuse(&self, answer: Option<&Answer>, lines: &mut Vec<String>) {
        let Some(answer) = answer else { return };
        let body = answer.ty.as_ref().map(|_| value(answer.sample.as_ref().unwrap_or(&Value::Null)));
        lines.extend(self.style.refusal(answer, body.as_deref()).into_iter().map(|line| format!("  {line}")));
        lines.push("}".to_owned());
    }

    /// The lines, and the type of what is answered.
    fn lines(&self, at: usize) -> (Vec<String>, String) {
        let operation = self.operation;
        let success = &operation.success;
        let mut lines = Vec::new();
        let own = self.style.own();
        if let Some((resource, parameter)) = operation.within {
            lines.push(format!(
                "if ({own}{}.get({}) === undefined) {{",
                self.repositories[resource],
                self.parameter(parameter)
            ));
            self.refuse(operation.missing.as_ref(), &mut lines);
        }
        let Some(resource) = operation.action.resource() else {
            let returns = success.ty.as_ref().map_or_else(|| "void".to_owned(), |ty| self.static_type(ty));
            match (&success.ty, &success.sample, &success.other_media) {
                (None, _, Some(_)) => lines.extend(self.style.success(success, Some("\"text\""))),
                (None, _, None) => lines.extend(self.style.success(success, None)),
                (Some(_), Some(_), _) => {
                    let sample = format!("samples.{}", identifier(&operation.name));
                    lines.extend(self.style.success(success, Some(&sample)));
                }
                (Some(_), None, _) => {
                    lines.push("throw new Error(\"no answer could be made of the contract\");".to_owned());
                }
            }
            return (lines, returns);
        };
        let kept = &self.service.resources[resource];
        let model = self.service.types.models[kept.model].name.clone();
        let one = identifier(&kept.one);
        let one = if self.repositories.contains(&one) { format!("{one}_") } else { one };
        let many = format!("{own}{}", self.repositories[resource]);
        let last = operation.parameters.iter().rposition(|it| it.place == ParameterPlace::Path);
        let asked = last.map_or_else(String::new, |at| self.parameter(at));
        let mut returns = model.clone();
        match &operation.action {
            Action::List { .. } => {
                returns = self.list(&many, &model, &mut lines);
                return (lines, returns);
            }
            Action::Read { .. } => {
                lines.push(format!("const {one} = {many}.get({asked});"));
                lines.push(format!("if ({one} === undefined) {{"));
                self.refuse(operation.missing.as_ref(), &mut lines);
            }
            Action::Create { fills, copied, .. } => {
                let mut entries: Vec<String> = fills.iter().map(|it| self.entry(it, &many)).collect();
                entries.push(format!("...{}", self.sent(copied)));
                lines.push(wrapped(&format!("const {one}: {model} = {{"), &entries, "};"));
                let key = member(&one, &kept.key);
                if operation.conflict.is_some() && copied.contains(&kept.key) {
                    lines.push(format!("if ({many}.get({key}) !== undefined) {{"));
                    self.refuse(operation.conflict.as_ref(), &mut lines);
                }
                lines.push(format!("{many}.put({key}, {one});"));
            }
            Action::Replace { copied, .. } | Action::Change { copied, .. } => {
                lines.push(format!("const kept = {many}.get({asked});"));
                lines.push("if (kept === undefined) {".to_owned());
                self.refuse(operation.missing.as_ref(), &mut lines);
                let mut entries: Vec<String> = Vec::new();
                if let Action::Replace { fills, .. } = &operation.action {
                    entries.extend(fills.iter().map(|it| self.entry(it, &many)));
                    let names: Vec<String> = copied.iter().map(|it| text(it)).collect();
                    entries.push(if names.is_empty() {
                        "...kept".to_owned()
                    } else {
                        format!("...without(kept, [{}])", names.join(", "))
                    });
                } else {
                    entries.push("...kept".to_owned());
                }
                entries.push(format!("...{}", self.sent(copied)));
                if copied.contains(&kept.key) {
                    entries.push(format!("{}: {asked}", key(&kept.key)));
                }
                lines.push(wrapped(&format!("const {one}: {model} = {{"), &entries, "};"));
                lines.push(format!("{many}.put({asked}, {one});"));
            }
            Action::Delete { .. } if operation.missing.is_some() => {
                lines.push(format!("const {one} = {many}.remove({asked});"));
                lines.push(format!("if ({one} === undefined) {{"));
                self.refuse(operation.missing.as_ref(), &mut lines);
            }
            Action::Delete { .. } => lines.push(format!("{many}.remove({asked});")),
            Action::Sample => {}
        }
        let triggered = self.service.sent.iter().filter(|it| it.trigger.as_ref().is_some_and(|it| it.operation == at));
        for message in triggered {
            self.tell(message, &one, &many, &mut lines);
        }
        if success.is_empty() {
            lines.extend(self.style.success(success, None));
            returns = "void".to_owned();
        } else {
            lines.extend(self.style.success(success, Some(&one)));
        }
        (lines, returns)
    }

    fn tell(&self, message: &Message, one: &str, many: &str, lines: &mut Vec<String>) {
        let Some(trigger) = &message.trigger else { return };
        if self.operation.missing.is_none() && matches!(self.operation.action, Action::Delete { .. }) {
            return;
        }
        let mut entries: Vec<String> =
            trigger.copied.iter().map(|(to, from)| format!("{}: {}", key(to), member(one, from))).collect();
        entries.extend(trigger.fills.iter().map(|it| self.entry(it, many)));
        let function = format!("publish{}", names::pascal(&message.name));
        let own = self.style.own();
        lines.push(wrapped(&format!("await {function}({own}publisher, {{"), &entries, "});"));
    }

    fn list(&self, many: &str, model: &str, lines: &mut Vec<String>) -> String {
        let Action::List { page, filters, limit, offset, .. } = &self.operation.action else { return String::new() };
        let mut found = format!("{many}.all()");
        for filter in filters {
            let wanted = self.parameter(filter.parameter);
            let is_free = !self.operation.parameters[filter.parameter].required;
            let open = if is_free { format!("{wanted} === undefined || ") } else { String::new() };
            let _ = write!(found, ".filter((it) => {open}{} === {wanted})", member("it", &filter.field));
        }
        lines.push(format!("const found = {found};"));
        let given = |at: usize, otherwise: &str| {
            let parameter = &self.operation.parameters[at];
            let is_given = parameter.required || parameter.default.is_some();
            if is_given { self.parameter(at) } else { format!("({} ?? {otherwise})", self.parameter(at)) }
        };
        let slice = match (offset, limit) {
            (None, None) => "found".to_owned(),
            (None, Some(limit)) => format!("found.slice(0, {})", given(*limit, "found.length")),
            (Some(offset), None) => format!("found.slice({})", given(*offset, "0")),
            (Some(offset), Some(limit)) => {
                let (offset, limit) = (given(*offset, "0"), given(*limit, "found.length"));
                format!("found.slice({offset}, {offset} + {limit})")
            }
        };
        let Some(page) = page else {
            lines.extend(self.style.success(&self.operation.success, Some(&slice)));
            return format!("{model}[]");
        };
        let mut entries = vec![format!("{}: {slice}", key(&page.items))];
        for other in &page.others {
            entries.push(match &other.with {
                With::Parameter(at, default) => format!("{}: {}", key(&other.field), given(*at, &value(default))),
                _ => self.entry(other, many),
            });
        }
        let returns = self.operation.success.ty.as_ref().map_or_else(String::new, |ty| self.static_type(ty));
        lines.push(wrapped(&format!("const answer: {returns} = {{"), &entries, "};"));
        lines.extend(self.style.success(&self.operation.success, Some("answer")));
        returns
    }

    /// What was sent and is kept.
    fn sent(&self, copied: &Copied) -> String {
        let Some(Some(Type::Model(sent))) = self.operation.body.as_ref().map(|it| &it.ty) else {
            return "body".to_owned();
        };
        let others: Vec<String> = self.service.types.models[*sent]
            .fields()
            .iter()
            .filter(|it| !copied.contains(&it.name))
            .map(|it| text(&it.name))
            .collect();
        if others.is_empty() { "body".to_owned() } else { format!("without(body, [{}])", others.join(", ")) }
    }

    fn entry(&self, fill: &Fill, many: &str) -> String {
        let written = match &fill.with {
            With::NewUuid | With::NewText => "randomUUID()".to_owned(),
            With::NewNumber => format!("{many}.nextNumber()"),
            With::Now => "new Date().toISOString()".to_owned(),
            With::Today => "new Date().toISOString().slice(0, 10)".to_owned(),
            With::Value(it) => value(it),
            With::Count => "found.length".to_owned(),
            With::Parameter(at, default) => format!("{} ?? {}", self.parameter(*at), value(default)),
        };
        format!("{}: {written}", key(&fill.field))
    }

    fn static_type(&self, ty: &Type) -> String {
        static_type(&self.service.types, ty)
    }
}

/// A type, rather than a schema.
pub(in crate::scaffold) fn static_type(types: &crate::scaffold::types::Types, ty: &Type) -> String {
    match ty {
        Type::Any => "unknown".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Integer(_) | Type::Number(_) => "number".to_owned(),
        Type::Text(_) => "string".to_owned(),
        Type::Values(values) => values.iter().map(super::of_literal).collect::<Vec<_>>().join(" | "),
        Type::List(list) => format!("Array<{}>", static_type(types, &list.item)),
        Type::Map(inner) => format!("Record<string, {}>", static_type(types, inner)),
        Type::Model(at) => types.models[*at].name.clone(),
        Type::Union(options) => options.iter().map(|it| static_type(types, it)).collect::<Vec<_>>().join(" | "),
        Type::Nullable(inner) => format!("{} | null", static_type(types, inner)),
    }
}

/// On one line where it fits, else with a line for each entry.
pub(in crate::scaffold) fn wrapped(before: &str, entries: &[String], after: &str) -> String {
    let line = format!("{before} {} {after}", entries.join(", "));
    if line.len() <= 96 {
        return line;
    }
    format!("{before}\n  {},\n{after}", entries.join(",\n  "))
}
