//! The lines of a handler: what is done with what is kept, and what is answered.

use super::{Writer, constant, field_name};
use crate::model::ParameterPlace;
use crate::scaffold::crud::{Action, Fill, Filter, Page, Resource, With};
use crate::scaffold::events::Message;
use crate::scaffold::model::{Answer, Operation};
use crate::scaffold::names::{self, Scope};
use crate::scaffold::python::{self, Imports};
use crate::scaffold::types::{Extra, ModelKind, Type};

/// A handler while it is written.
pub(super) struct Handler<'h> {
    pub writer: &'h Writer<'h>,
    pub operation: &'h Operation,
    /// What its parameters are called in the code, in their order.
    pub names: &'h [String],
    /// What repositories are called, by resource.
    pub repositories: &'h [String],
    /// Messages that are sent when it is done.
    pub triggered: &'h [&'h Message],
    pub scope: &'h mut Scope,
    pub imports: &'h mut Imports,
    /// Parameters without a default that it takes besides those of the contract.
    pub plain: &'h mut Vec<String>,
    pub lines: &'h mut Vec<String>,
}

/// The resource that an operation is about, in names of the code.
struct Kept<'k> {
    resource: &'k Resource,
    model: String,
    one: String,
    many: &'k str,
    /// The member that is the key.
    key: String,
    /// The parameter that says which one is asked for.
    asked: String,
}

impl Handler<'_> {
    /// Writes the lines, and gives what the handler returns.
    pub(super) fn write(mut self) -> String {
        if let Some((resource, parameter)) = self.operation.within {
            self.line(format!("if {}.get({}) is None:", self.repositories[resource], self.names[parameter]));
            self.refuse(self.operation.missing.as_ref());
        }
        let writer = self.writer;
        let Some(resource) = self.operation.action.resource() else { return self.answer_without_resource() };
        let repositories = self.repositories;
        let resource = (&writer.service.resources[resource], repositories[resource].as_str());
        let path = self.operation.parameters.iter().zip(self.names);
        let asked = path.filter(|(it, _)| it.place == ParameterPlace::Path).map(|(_, name)| name).next_back();
        let kept = Kept {
            resource: resource.0,
            model: self.ty(&Type::Model(resource.0.model)),
            one: self.scope.name(&names::snake(&resource.0.one)),
            many: resource.1,
            key: field_name(writer.types(), resource.0.model, &resource.0.key),
            asked: asked.cloned().unwrap_or_default(),
        };
        let operation = self.operation;
        match &operation.action {
            Action::List { page, filters, limit, offset, .. } => {
                return self.list(&kept, page.as_ref(), filters, *limit, *offset);
            }
            Action::Read { .. } => {
                self.find(&kept, "get");
                self.set_headers();
                self.line(format!("return {}", kept.one));
                return kept.model;
            }
            Action::Create { fills, copied, .. } => self.create(&kept, fills, copied),
            Action::Replace { copied, fills, .. } => self.change(&kept, fills, copied, true),
            Action::Change { copied, .. } => self.change(&kept, &[], copied, false),
            Action::Delete { .. } if operation.missing.is_some() => self.find(&kept, "remove"),
            Action::Delete { .. } => self.line(format!("{}.remove({})", kept.many, kept.asked)),
            Action::Sample => {}
        }
        self.send(&kept);
        if operation.success.is_empty() {
            return self.answer_nothing();
        }
        self.set_headers();
        self.line(format!("return {}", kept.one));
        kept.model
    }

    fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    /// A type as the code writes it where its models are imported.
    fn ty(&mut self, ty: &Type) -> String {
        self.writer.words(self.imports).plain(ty)
    }

    /// Inside of an `if`.
    fn refuse(&mut self, answer: Option<&Answer>) {
        self.imports.add("app.errors", "Refused");
        self.line(format!("    raise {}", Writer::refusal(answer.expect("it was asked for"))));
    }

    fn find(&mut self, kept: &Kept<'_>, how: &str) {
        let Kept { one, many, asked, .. } = kept;
        self.line(format!("{one} = {many}.{how}({asked})"));
        self.line(format!("if {one} is None:"));
        self.refuse(self.operation.missing.as_ref());
    }

    fn answer_nothing(&mut self) -> String {
        self.imports.add("fastapi", "Response");
        self.line(format!("return Response(status_code={}{})", self.operation.success.status, self.headers()));
        "Response".to_owned()
    }

    /// Headers as an argument of a response.
    fn headers(&self) -> String {
        let headers = self.operation.success.headers.iter();
        let headers: Vec<String> =
            headers.map(|(name, value)| format!("{}: {}", python::text(name), python::text(value))).collect();
        if headers.is_empty() { String::new() } else { format!(", headers={{{}}}", headers.join(", ")) }
    }

    fn answer_without_resource(&mut self) -> String {
        let success = &self.operation.success;
        let headers = self.headers();
        match (&success.ty, &success.other_media) {
            (None, None) => self.answer_nothing(),
            (None, Some(media)) => {
                self.imports.add("fastapi", "Response");
                let (content, media) = (python::text("text"), python::text(media));
                self.line(format!(
                    "return Response({content}, status_code={}, media_type={media}{headers})",
                    success.status
                ));
                "Response".to_owned()
            }
            (Some(_), Some(media)) if success.sample.is_some() => {
                self.imports.add("fastapi", "Response");
                self.imports.add("fastapi.responses", "JSONResponse");
                self.imports.add("app", "samples");
                let (content, media) = (constant(self.operation), python::text(media));
                self.line(format!(
                    "return JSONResponse(samples.{content}, status_code={}, media_type={media}{headers})",
                    success.status
                ));
                "Response".to_owned()
            }
            (Some(ty), _) => {
                let returns = self.writer.words(self.imports).full(ty);
                if success.sample.is_some() {
                    self.imports.add("app", "samples");
                    self.set_headers();
                    self.line(format!("return samples.{}", constant(self.operation)));
                } else {
                    self.line("raise NotImplementedError(\"no answer could be made of the contract\")".to_owned());
                }
                returns
            }
        }
    }

    fn list(
        &mut self,
        kept: &Kept<'_>,
        page: Option<&Page>,
        filters: &[Filter],
        limit: Option<usize>,
        offset: Option<usize>,
    ) -> String {
        let (operation, names) = (self.operation, self.names);
        self.line(format!("found = {}.all()", kept.many));
        for filter in filters {
            let name = &names[filter.parameter];
            let field = field_name(self.writer.types(), kept.resource.model, &filter.field);
            let list = format!("[it for it in found if it.{field} == {name}]");
            if operation.parameters[filter.parameter].required {
                self.line(format!("found = {list}"));
            } else {
                self.line(format!("if {name} is not None:"));
                self.line(format!("    found = {list}"));
            }
        }
        let mut found = "found".to_owned();
        if let Some(offset) = offset {
            let is_given = operation.parameters[offset].default.is_some() || operation.parameters[offset].required;
            found = format!("{found}[{}{} :]", names[offset], if is_given { "" } else { " or 0" });
        }
        if let Some(limit) = limit {
            found = format!("{found}[:{}]", names[limit]);
        }
        self.set_headers();
        let Some(page) = page else {
            self.line(format!("return {found}"));
            return format!("list[{}]", kept.model);
        };
        let Some(Type::Model(at)) = &operation.success.ty else { unreachable!("a page is a model") };
        let returns = self.ty(&Type::Model(*at));
        let mut entries = vec![format!("{}: {found}", python::text(&page.items))];
        for other in &page.others {
            entries.push(match other.with {
                // A parameter with a default is never `None`.
                With::Parameter(at, _) if operation.parameters[at].default.is_some() => {
                    format!("{}: {}", python::text(&other.field), names[at])
                }
                _ => self.entry(other, kept.many),
            });
        }
        self.line(wrapped(&format!("return {returns}.model_validate({{"), &entries, "})"));
        returns
    }

    fn create(&mut self, kept: &Kept<'_>, fills: &[Fill], copied: &[String]) {
        let Kept { resource, model, one, many, key, .. } = kept;
        let mut entries: Vec<String> = fills.iter().map(|it| self.entry(it, many)).collect();
        entries.push(format!("**{}", self.dumped(copied, resource.model)));
        self.line(wrapped(&format!("{one} = {model}.model_validate({{"), &entries, "})"));
        if self.operation.conflict.is_some() && copied.contains(&resource.key) {
            self.line(format!("if {many}.get({one}.{key}) is not None:"));
            self.refuse(self.operation.conflict.as_ref());
        }
        self.line(format!("{many}.put({one}.{key}, {one})"));
    }

    /// `replaces`: what was not sent is gone afterwards.
    fn change(&mut self, kept: &Kept<'_>, fills: &[Fill], copied: &[String], replaces: bool) {
        self.find(kept, "get");
        let Kept { resource, model, one, many, asked, .. } = kept;
        let mut dump = vec!["by_alias=True".to_owned(), "exclude_unset=True".to_owned()];
        if replaces && !copied.is_empty() {
            let field = |it: &String| python::text(&field_name(self.writer.types(), resource.model, it));
            let fields: Vec<String> = copied.iter().map(field).collect();
            dump.push(format!("exclude={{{}}}", fields.join(", ")));
        }
        let mut entries: Vec<String> = fills.iter().map(|it| self.entry(it, many)).collect();
        self.line(wrapped(&format!("kept = {one}.model_dump("), &dump, ")"));
        entries.push("**kept".to_owned());
        entries.push(format!("**{}", self.dumped(copied, resource.model)));
        if copied.contains(&resource.key) {
            entries.push(format!("{}: {asked}", python::text(&resource.key)));
        }
        self.line(wrapped(&format!("{one} = {model}.model_validate({{"), &entries, "})"));
        self.line(format!("{many}.put({asked}, {one})"));
    }

    /// Sends what the operation triggers; of something that may not have been there, nothing is known to tell.
    fn send(&mut self, kept: &Kept<'_>) {
        let (operation, triggered) = (self.operation, self.triggered);
        if operation.missing.is_none() && matches!(operation.action, Action::Delete { .. }) {
            return;
        }
        for message in triggered {
            let Some(trigger) = &message.trigger else { continue };
            let payload = self.ty(&message.payload);
            let field = |from: &str| field_name(self.writer.types(), kept.resource.model, from);
            let copied = trigger.copied.iter();
            let mut entries: Vec<String> =
                copied.map(|(to, from)| format!("{}: {}.{}", python::text(to), kept.one, field(from))).collect();
            entries.extend(trigger.fills.iter().map(|it| self.entry(it, kept.many)));
            let function = format!("publish_{}", names::snake(&message.name));
            self.line(wrapped(&format!("message = {payload}.model_validate({{"), &entries, "})"));
            self.line(format!("await events.{function}(publisher, message)"));
        }
    }

    fn set_headers(&mut self) {
        let headers = &self.operation.success.headers;
        if headers.is_empty() {
            return;
        }
        self.imports.add("fastapi", "Response");
        self.plain.push("response: Response".to_owned());
        for (name, value) in headers {
            self.line(format!("response.headers[{}] = {}", python::text(name), python::text(value)));
        }
    }

    /// What was sent, by names on the wire; only what is kept, where more would be refused.
    fn dumped(&self, copied: &[String], kept: usize) -> String {
        let types = self.writer.types();
        let ModelKind::Object { extra, .. } = &types.models[kept].kind else { return "body".to_owned() };
        let Some(Some(Type::Model(sent))) = self.operation.body.as_ref().map(|it| &it.ty) else {
            return "body".to_owned();
        };
        let include = if *extra != Extra::Ignored && types.models[*sent].fields().len() != copied.len() {
            let fields: Vec<String> = copied.iter().map(|it| python::text(&field_name(types, *sent, it))).collect();
            format!(", include={{{}}}", fields.join(", "))
        } else {
            String::new()
        };
        format!("body.model_dump(by_alias=True, exclude_unset=True{include})")
    }

    /// `"total": len(found)`
    fn entry(&mut self, fill: &Fill, many: &str) -> String {
        let value = match &fill.with {
            With::NewUuid => {
                self.imports.add("uuid", "uuid4");
                "uuid4()".to_owned()
            }
            With::NewText => {
                self.imports.add("uuid", "uuid4");
                "str(uuid4())".to_owned()
            }
            With::NewNumber => format!("{many}.next_number()"),
            With::Now => {
                self.imports.add("datetime", "datetime");
                self.imports.add("datetime", "timezone");
                "datetime.now(timezone.utc)".to_owned()
            }
            With::Today => {
                self.imports.add("datetime", "datetime");
                self.imports.add("datetime", "timezone");
                "datetime.now(timezone.utc).date()".to_owned()
            }
            With::Value(value) => python::value(value),
            With::Count => "len(found)".to_owned(),
            With::Parameter(at, default) => {
                format!("{name} if {name} is not None else {}", python::value(default), name = self.names[*at])
            }
        };
        format!("{}: {value}", python::text(&fill.field))
    }
}

/// A call on one line where it fits, else with a line for each argument; handlers are indented by four.
fn wrapped(before: &str, arguments: &[String], after: &str) -> String {
    let line = format!("{before}{}{after}", arguments.join(", "));
    if line.len() <= 96 {
        return line;
    }
    format!("{before}\n        {},\n    {after}", arguments.join(",\n        "))
}
