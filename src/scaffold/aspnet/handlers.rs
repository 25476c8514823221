//! What the handlers of a minimal API do.

use std::fmt::Write as _;

use serde_json::Value;

use super::super::crud;
use super::super::crud::{Action, Copied, Fill, With};
use super::super::csharp::{
    RESERVED_MEMBERS, Words, identifier, is_left_out, locals, object, properties, property, text,
};
use super::super::events::Message;
use super::super::model::{Answer, Operation, Service};
use super::super::names::{self, Scope};
use super::super::types::{Model, Text, Type};
use crate::model::ParameterPlace;

/// What templates need of one operation.
pub(super) struct Handler {
    /// `ListTasks`
    pub(super) name: String,
    /// With parameters as the code calls them, in braces.
    pub(super) path: String,
    /// Parameters of the handler, with their types.
    pub(super) parameters: Vec<String>,
    /// The record of what is sent beside the body.
    pub(super) record: Option<Record>,
    pub(super) lines: Vec<String>,
    pub(super) awaits: bool,
}

/// `[AsParameters]`
pub(super) struct Record {
    pub(super) name: String,
    /// Attributes, and the declaration.
    pub(super) properties: Vec<(Vec<String>, String)>,
}

/// What repositories are called: as a variable and as a type, one a resource.
pub(super) fn repositories(service: &Service) -> Vec<(String, String)> {
    let (mut variables, mut types) = (locals(), Scope::default());
    for model in &service.types.models {
        types.name(&model.name);
        types.name(&format!("I{}", model.name));
    }
    let named = |it: &crud::Resource| {
        let ty = types.name(&format!("{}Repository", names::pascal(&it.one)));
        (variables.name(&names::camel(&it.name)), ty)
    };
    service.resources.iter().map(named).collect()
}

pub(super) fn handler(words: &Words<'_>, at: usize, record: &str) -> Handler {
    let operation = &words.service.operations[at];
    let writer = Writer { words, operation, service: words.service, repositories: repositories(words.service) };
    writer.handler(at, record)
}

struct Writer<'w> {
    words: &'w Words<'w>,
    operation: &'w Operation,
    service: &'w Service,
    repositories: Vec<(String, String)>,
}

/// The expression of an answer.
pub(super) fn answer(answer: &Answer, body: Option<&str>) -> String {
    let status = answer.status;
    match (body, &answer.other_media) {
        (Some(body), Some(media)) if answer.ty.is_none() => {
            format!("Results.Text({body}, {}, statusCode: {status})", text(media))
        }
        (Some(body), Some(media)) => {
            format!("Results.Json({body}, contentType: {}, statusCode: {status})", text(media))
        }
        (Some(body), None) => match status {
            200 => format!("TypedResults.Ok({body})"),
            201 => format!("TypedResults.Created((string?)null, {body})"),
            400 => format!("TypedResults.BadRequest({body})"),
            404 => format!("TypedResults.NotFound({body})"),
            409 => format!("TypedResults.Conflict({body})"),
            422 => format!("TypedResults.UnprocessableEntity({body})"),
            _ => format!("Results.Json({body}, statusCode: {status})"),
        },
        (None, _) => match status {
            204 => "TypedResults.NoContent()".to_owned(),
            404 => "TypedResults.NotFound()".to_owned(),
            _ => format!("Results.StatusCode({status})"),
        },
    }
}

/// Without the brackets around it.
fn bare(given: String) -> String {
    given.strip_prefix('(').and_then(|it| it.strip_suffix(')')).map(str::to_owned).unwrap_or(given)
}

impl Writer<'_> {
    fn handler(&self, at: usize, record: &str) -> Handler {
        let operation = self.operation;
        let mut path = format!("{}{}", operation.base, operation.path);
        let mut names = locals();
        for parameter in operation.parameters_in(ParameterPlace::Path) {
            let own = names.name(&identifier(&parameter.name));
            path = path.replace(&format!("{{{}}}", parameter.name), &format!("{{{own}}}"));
        }
        let record = self.record(record);
        let lines = self.lines(at);
        let awaits = lines.iter().any(|line| line.contains("await "));
        let mut parameters = Vec::new();
        match &record {
            Some(record) => parameters.push(format!("[AsParameters] {} parameters", record.name)),
            None => {
                for it in operation.parameters_in(ParameterPlace::Path) {
                    parameters.push(format!("{} {}", self.words.parameter(&it.ty), identifier(&it.name)));
                }
            }
        }
        if let Some((ty, required)) = operation.body.as_ref().and_then(|it| Some((it.ty.as_ref()?, it.required))) {
            let ty = if required { self.words.ty(ty) } else { self.words.optional(ty) };
            parameters.push(format!("[FromBody] {ty} body"));
        }
        let all = lines.join("\n");
        let says = |name: &str| all.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == name);
        for (variable, ty) in self.repositories.iter().filter(|it| says(&it.0)) {
            parameters.push(format!("I{ty} {variable}"));
        }
        if says("publisher") {
            parameters.push("IPublisher publisher".to_owned());
        }
        if says("response") {
            parameters.push("HttpResponse response".to_owned());
        }
        Handler { name: names::pascal(&operation.name), path, parameters, record, lines, awaits }
    }

    fn is_recorded(&self) -> bool {
        let is_read = |place| matches!(place, ParameterPlace::Query | ParameterPlace::Header | ParameterPlace::Path);
        self.operation
            .parameters
            .iter()
            .filter(|it| is_read(it.place))
            .any(|it| it.place != ParameterPlace::Path || !self.words.parameter_checks(&it.ty).is_empty())
    }

    fn record(&self, name: &str) -> Option<Record> {
        if !self.is_recorded() {
            return None;
        }
        let names = self.names(name);
        let written = self.operation.parameters.iter().zip(names).filter_map(|(it, own)| {
            let place = match it.place {
                ParameterPlace::Path => format!("FromRoute(Name = {})", text(&identifier(&it.name))),
                ParameterPlace::Query => format!("FromQuery(Name = {})", text(&it.name)),
                ParameterPlace::Header => format!("FromHeader(Name = {})", text(&it.name)),
                ParameterPlace::Cookie => return None,
            };
            let mut attributes = vec![place];
            attributes.extend(self.words.parameter_checks(&it.ty));
            let ty = self.words.parameter(&it.ty);
            let is_list = ty.ends_with(']');
            let declared = match () {
                () if it.required && (ty == "string" || is_list) => {
                    format!("public {ty} {own} {{ get; init; }} = default!;")
                }
                () if it.required => format!("public {ty} {own} {{ get; init; }}"),
                () => format!("public {ty}? {own} {{ get; init; }}"),
            };
            Some((attributes, declared))
        });
        Some(Record { name: name.to_owned(), properties: written.collect() })
    }

    /// Names of the parameters' properties.
    fn names(&self, record: &str) -> Vec<String> {
        let mut scope = Scope::without(RESERVED_MEMBERS);
        scope.name(record);
        self.operation.parameters.iter().map(|it| scope.name(&names::pascal(&it.name))).collect()
    }

    /// What a parameter is called in the handler.
    fn parameter(&self, at: usize) -> String {
        let name = &self.operation.parameters[at].name;
        if self.is_recorded() { format!("parameters.{}", self.names("")[at]) } else { identifier(name) }
    }

    fn refuse(&self, refusal: Option<&Answer>, lines: &mut Vec<String>) {
        let Some(refusal) = refusal else { return };
        let body = self.refused(refusal);
        let written = format!("return {};", answer(refusal, body.as_deref()));
        lines.push(format!("    {}", written.replace('\n', "\n    ")));
        lines.push("}".to_owned());
        lines.push(String::new());
    }

    fn refused(&self, refusal: &Answer) -> Option<String> {
        let ty = refusal.ty.as_ref()?;
        Some(self.words.value(ty, refusal.sample.as_ref().unwrap_or(&Value::Null)))
    }

    fn kept(&self, resource: usize) -> &Model {
        &self.service.types.models[self.service.resources[resource].model]
    }

    fn success(&self, body: Option<&str>, lines: &mut Vec<String>) {
        let success = &self.operation.success;
        for (name, value) in &success.headers {
            lines.push(format!("response.Headers[{}] = {};", text(name), text(value)));
        }
        lines.push(format!("return {};", answer(success, body)));
    }

    fn lines(&self, at: usize) -> Vec<String> {
        let operation = self.operation;
        let mut lines = Vec::new();
        let Some(resource) = operation.action.resource() else {
            self.sample(&mut lines);
            return lines;
        };
        let kept = self.kept(resource);
        let many = self.repositories[resource].0.clone();
        let one = "kept".to_owned();
        let asked = operation.parameters.iter().rposition(|it| it.place == ParameterPlace::Path);
        let asked = asked.map(|at| self.parameter(at)).unwrap_or_default();
        let key = property(kept, &self.service.resources[resource].key);
        match &operation.action {
            Action::List { .. } => {
                self.list(resource, &many, &mut lines);
                return lines;
            }
            Action::Read { .. } => {
                lines.push(format!("var {one} = {many}.Get({asked});"));
                lines.push(format!("if ({one} is null)\n{{"));
                self.refuse(operation.missing.as_ref(), &mut lines);
            }
            Action::Create { fills, copied, .. } => {
                let entries = self.entries(kept, fills, copied, &many, None);
                lines.push(format!("var {one} = {};", object(&kept.name, &entries)));
                if copied.contains(&self.service.resources[resource].key) && operation.conflict.is_some() {
                    lines.push(format!("if ({many}.Get({one}.{key}) is not null)\n{{"));
                    self.refuse(operation.conflict.as_ref(), &mut lines);
                }
                lines.push(format!("{many}.Put({one}.{key}, {one});"));
            }
            Action::Replace { copied, .. } | Action::Change { copied, .. } => {
                lines.push(format!("var before = {many}.Get({asked});"));
                lines.push("if (before is null)\n{".to_owned());
                self.refuse(operation.missing.as_ref(), &mut lines);
                let (fills, is_change) = match &operation.action {
                    Action::Replace { fills, .. } => (fills.as_slice(), false),
                    _ => (&[][..], true),
                };
                let mut entries = self.entries(kept, fills, copied, &many, is_change.then_some("before"));
                let own = format!("{key} = ");
                entries.retain(|it| !it.starts_with(&own));
                let with = object("", &entries).replacen("new ", "before with", 1);
                lines.push(if entries.is_empty() {
                    format!("var {one} = before;")
                } else {
                    format!("var {one} = {with};")
                });
                lines.push(format!("{many}.Put({asked}, {one});"));
            }
            Action::Delete { .. } if operation.missing.is_some() => {
                lines.push(format!("var {one} = {many}.Remove({asked});"));
                lines.push(format!("if ({one} is null)\n{{"));
                self.refuse(operation.missing.as_ref(), &mut lines);
            }
            Action::Delete { .. } => lines.push(format!("{many}.Remove({asked});")),
            Action::Sample => {}
        }
        let triggered = self.service.sent.iter().filter(|it| it.trigger.as_ref().is_some_and(|it| it.operation == at));
        for message in triggered {
            self.tell(message, kept, &one, &many, &mut lines);
        }
        self.success((!operation.success.is_empty()).then_some(one.as_str()), &mut lines);
        lines
    }

    fn sample(&self, lines: &mut Vec<String>) {
        let operation = self.operation;
        if let (Some((resource, parameter)), Some(missing)) = (operation.within, operation.missing.as_ref()) {
            lines.push(format!(
                "if ({}.Get({}) is null)\n{{",
                self.repositories[resource].0,
                self.parameter(parameter)
            ));
            self.refuse(Some(missing), lines);
        }
        match (&operation.success.ty, &operation.success.sample) {
            _ if operation.success.is_empty() => self.success(None, lines),
            (Some(_), Some(_)) => {
                lines.push("// To be implemented: this is a sample.".to_owned());
                self.success(Some(&format!("Samples.{}", names::pascal(&operation.name))), lines);
            }
            (Some(_), None) => lines.push("throw new NotImplementedException();".to_owned()),
            (None, _) => self.success(Some("\"\""), lines),
        }
    }

    /// Members of what is kept: what was sent, else what takes its place.
    fn entries(&self, kept: &Model, fills: &[Fill], copied: &Copied, many: &str, before: Option<&str>) -> Vec<String> {
        let sent = match self.operation.body.as_ref().and_then(|it| it.ty.as_ref()) {
            Some(Type::Model(at)) => Some(&self.service.types.models[*at]),
            _ => None,
        };
        let mut entries = Vec::new();
        for (field, own) in kept.fields().iter().zip(properties(kept)) {
            let fill = fills.iter().find(|it| it.field == field.name);
            let given = sent.filter(|_| copied.contains(&field.name)).and_then(|it| Some((it, it.field(&field.name)?)));
            let written = match (given, fill) {
                (Some((model, from)), fill) => {
                    let body = format!("body.{}", property(model, &from.name));
                    let value = self.converted(&body, &from.ty, &field.ty, is_left_out(from));
                    match (before, fill) {
                        (Some(before), _) if is_left_out(from) || from.ty.is_nullable() => {
                            format!("{value} ?? {before}.{own}")
                        }
                        (_, Some(fill)) if is_left_out(from) => {
                            let fill = self.fill(fill, &field.ty, many);
                            if fill == "null" { value } else { format!("{value} ?? {fill}") }
                        }
                        _ => value,
                    }
                }
                (None, Some(fill)) => self.fill(fill, &field.ty, many),
                (None, None) => continue,
            };
            entries.push(format!("{own} = {written}"));
        }
        entries
    }

    /// An expression of one type as one of another that takes all of its values.
    fn converted(&self, value: &str, from: &Type, to: &Type, is_left_out: bool) -> String {
        let (one, other) = (self.words.ty(from.some()), self.words.ty(to.some()));
        let may_be_null = is_left_out || from.is_nullable();
        let dot = if may_be_null { "?." } else { "." };
        match (from.some(), to.some()) {
            _ if one == other => value.to_owned(),
            (Type::Integer(_), Type::Integer(_) | Type::Number(_)) => {
                if one == "long" && other == "int" {
                    format!("({other}{}){value}", if may_be_null { "?" } else { "" })
                } else {
                    value.to_owned()
                }
            }
            (_, Type::Any) => format!("JsonSerializer.SerializeToElement({value})"),
            (Type::Text(_), Type::Text(Text { .. })) => format!("{value}{dot}ToString()"),
            (Type::List(one), Type::List(other)) => {
                format!("{value}{dot}Select(it => {}).ToList()", self.converted("it", &one.item, &other.item, false))
            }
            (Type::Map(one), Type::Map(other)) => {
                let inner = self.converted("it.Value", one, other, false);
                format!("{value}{dot}ToDictionary(it => it.Key, it => {inner})")
            }
            _ => value.to_owned(),
        }
    }

    fn fill(&self, fill: &Fill, ty: &Type, many: &str) -> String {
        let int = self.words.ty(ty.some()) == "int";
        match &fill.with {
            With::NewUuid => "Guid.NewGuid()".to_owned(),
            With::NewText => "Guid.NewGuid().ToString()".to_owned(),
            With::NewNumber if int => format!("(int){many}.NextNumber()"),
            With::NewNumber => format!("{many}.NextNumber()"),
            With::Now => "DateTimeOffset.UtcNow".to_owned(),
            With::Today => "DateOnly.FromDateTime(DateTime.UtcNow)".to_owned(),
            With::Value(it) => self.words.value(ty, it),
            With::Count => "found.Count".to_owned(),
            With::Parameter(at, default) => bare(self.given(*at, &self.words.value(ty, default))),
        }
    }

    /// A parameter, or what takes its place.
    fn given(&self, at: usize, otherwise: &str) -> String {
        let parameter = &self.operation.parameters[at];
        let default = parameter.default.as_ref().and_then(crud::value_of);
        let otherwise = default.map_or_else(|| otherwise.to_owned(), |it| self.words.value(&parameter.ty, &it));
        if parameter.required { self.parameter(at) } else { format!("({} ?? {otherwise})", self.parameter(at)) }
    }

    fn tell(&self, message: &Message, kept: &Model, one: &str, many: &str, lines: &mut Vec<String>) {
        let (Some(trigger), Type::Model(payload)) = (&message.trigger, &message.payload) else { return };
        if self.operation.missing.is_none() && matches!(self.operation.action, Action::Delete { .. }) {
            return;
        }
        let payload = &self.service.types.models[*payload];
        let mut entries = Vec::new();
        for (field, own) in payload.fields().iter().zip(properties(payload)) {
            if let Some((_, from)) = trigger.copied.iter().find(|(to, _)| *to == field.name) {
                entries.push(format!("{own} = {one}.{}", property(kept, from)));
            } else if let Some(fill) = trigger.fills.iter().find(|it| it.field == field.name) {
                entries.push(format!("{own} = {}", self.fill(fill, &field.ty, many)));
            }
        }
        let method = names::pascal(&message.name);
        lines.push(format!("await publisher.Publish{method}Async({});", object(&payload.name, &entries)));
    }

    fn list(&self, resource: usize, many: &str, lines: &mut Vec<String>) {
        let Action::List { page, filters, limit, offset, .. } = &self.operation.action else { return };
        let kept = self.kept(resource);
        let mut found = format!("{many}.All()");
        for filter in filters {
            let parameter = &self.operation.parameters[filter.parameter];
            let wanted = self.parameter(filter.parameter);
            let own = format!("it.{}", property(kept, &filter.field));
            let is_named = matches!(parameter.ty.some(), Type::Values(_) | Type::Model(_));
            let own = if is_named { format!("Wire.Name({own})") } else { own };
            let open = if parameter.required { String::new() } else { format!("{wanted} is null || ") };
            let _ = write!(found, "\n    .Where(it => {open}{own} == {wanted})");
        }
        let is_filtered = !filters.is_empty();
        lines.push(format!("var found = {found}{};", if is_filtered { "\n    .ToList()" } else { "" }));
        let mut slice = "found".to_owned();
        let count = |at: usize, otherwise: &str| {
            let given = self.given(at, otherwise);
            let is_long = self.words.ty(&self.operation.parameters[at].ty) == "long";
            if is_long {
                format!("(int)Math.Min({given}, int.MaxValue)")
            } else {
                given.trim_start_matches('(').trim_end_matches(')').to_owned()
            }
        };
        if let Some(offset) = offset {
            let _ = write!(slice, ".Skip({})", count(*offset, "0"));
        }
        if let Some(limit) = limit {
            let _ = write!(slice, ".Take({})", count(*limit, "int.MaxValue"));
        }
        if slice != "found" {
            slice += ".ToList()";
        }
        let Some(page) = page else {
            return self.success(Some(&slice), lines);
        };
        let Some(Type::Model(answered)) = self.operation.success.ty.as_ref() else { return };
        let answered = &self.service.types.models[*answered];
        let mut entries = Vec::new();
        for (field, own) in answered.fields().iter().zip(properties(answered)) {
            if field.name == page.items {
                entries.push(format!("{own} = {slice}"));
            } else if let Some(other) = page.others.iter().find(|it| it.field == field.name) {
                entries.push(format!("{own} = {}", self.fill(other, &field.ty, many)));
            }
        }
        lines.push(format!("var answer = {};", object(&answered.name, &entries)));
        self.success(Some("answer"), lines);
    }
}
