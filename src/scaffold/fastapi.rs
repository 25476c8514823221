//! FastAPI, with pydantic.

mod guards;
mod handler;

use minijinja::{Value as Data, context};
use serde_json::Value;

use super::crud::Action;
use super::formats;
use super::layout::Files;
use super::model::{Answer, Operation, Parameter, Service};
use super::names::{self, Scope};
use super::python::{self, Imports, Words};
use super::types::{Extra, ModelKind, Text, Type, Types};
use super::{Blueprint, Generated, Part, ScaffoldError};
use crate::model::ParameterPlace;
use handler::Handler;

const TEMPLATES: &[(&str, &str)] = &[
    ("models", include_str!("fastapi/models.py.j2")),
    ("repository", include_str!("fastapi/repository.py.j2")),
    ("errors", include_str!("fastapi/errors.py.j2")),
    ("security", include_str!("fastapi/security.py.j2")),
    ("samples", include_str!("fastapi/samples.py.j2")),
    ("routes", include_str!("fastapi/routes.py.j2")),
    ("main", include_str!("fastapi/main.py.j2")),
    ("pyproject", include_str!("fastapi/pyproject.toml.j2")),
    ("tests", include_str!("fastapi/tests.py.j2")),
    ("conftest", include_str!("fastapi/conftest.py.j2")),
    ("readme", include_str!("fastapi/README.md.j2")),
    ("dockerfile", include_str!("fastapi/Dockerfile.j2")),
    ("told", include_str!("told.md.j2")),
    ("compose", include_str!("compose.yaml.j2")),
    ("events", include_str!("fastapi/events.py.j2")),
    ("consumers", include_str!("fastapi/consumers.py.j2")),
];

/// The package that the code is in.
const PACKAGE: &str = "app";

const IGNORED: &str = "__pycache__/\n*.egg-info/\n.pytest_cache/\n.venv/\nbuild/\ndist/\n.env\n";

pub(super) fn files(blueprint: &Blueprint, service: &Service) -> Result<Vec<Generated>, ScaffoldError> {
    let mut files = Files::new(TEMPLATES)?;
    let writer = Writer { service };
    let has_operations = !service.operations.is_empty();
    let base = context! {
        title => super::one_line(&blueprint.service),
        title_text => python::text(&blueprint.service),
        name => names::kebab(&blueprint.service),
        package => PACKAGE,
        port => blueprint.port,
        has_operations => has_operations,
        has_events => !service.sent.is_empty(),
        has_consumers => !service.received.is_empty(),
        has_guards => service.operations.iter().any(|it| it.unauthorised.is_some()),
    };
    let with = |more: Data| context! { ..base.clone(), ..more };
    files.add(Part::Model, "pyproject.toml", "pyproject", &base)?;
    files.add_text(Part::Model, ".gitignore", IGNORED);
    files.add_text(Part::Model, "app/__init__.py", "");
    files.add(Part::Model, "app/models.py", "models", &with(writer.models()))?;
    if has_operations {
        files.add(Part::Operations, "app/repository.py", "repository", &with(writer.repository()))?;
        files.add(Part::Operations, "app/errors.py", "errors", &with(writer.errors()))?;
        files.add(Part::Operations, "app/routes.py", "routes", &with(writer.routes()))?;
        let samples = writer.samples();
        if !samples.is_empty() {
            files.add(Part::Operations, "app/samples.py", "samples", &with(context! { samples }))?;
        }
        if !writer.guarded().is_empty() {
            files.add(Part::Operations, "app/security.py", "security", &with(writer.security()))?;
        }
    }
    files.add(Part::Composition, "app/main.py", "main", &base)?;
    if !service.sent.is_empty() {
        files.add(Part::Events, "app/events.py", "events", &with(writer.events()))?;
    }
    if !service.received.is_empty() {
        files.add(Part::Consumers, "app/consumers.py", "consumers", &with(writer.consumers()))?;
    }
    files.add(Part::Tests, "tests/conftest.py", "conftest", &with(writer.repository()))?;
    files.add(
        Part::Tests,
        "tests/test_service.py",
        "tests",
        &with(super::trials::data(service, &writer.resource_names())),
    )?;
    let told = files.filled("told", &with(super::told(blueprint, service)))?;
    files.add(Part::Deployment, "Dockerfile", "dockerfile", &base)?;
    files.add(Part::Deployment, "compose.yaml", "compose", &with(context! { probe => super::probe(blueprint) }))?;
    files.add(Part::Deployment, "README.md", "readme", &with(context! { told }))?;
    Ok(files.made)
}

struct Writer<'w> {
    service: &'w Service,
}

impl Writer<'_> {
    fn types(&self) -> &Types {
        &self.service.types
    }

    fn models(&self) -> Data {
        let mut imports = Imports::default();
        let mut written = Vec::new();
        for model in &self.types().models {
            let mut words = Words { types: self.types(), imports: &mut imports, models: None, spelled: false };
            match &model.kind {
                ModelKind::Values(values) => {
                    words.imports.add("enum", "Enum");
                    let members: Vec<Data> =
                        python::members(values).into_iter().map(|(name, value)| context! { name, value }).collect();
                    written.push(context! { name => &model.name, members });
                }
                ModelKind::Object { fields, extra, least, most } => {
                    words.imports.add("pydantic", "BaseModel");
                    let mut scope = python::scope();
                    let fields: Vec<String> = fields.iter().map(|it| words.field(it, &mut scope)).collect();
                    let extra_type = if let Extra::Of(ty) = extra { Some(words.full(ty)) } else { None };
                    let extra = python::extra(extra);
                    if least.is_some() || most.is_some() {
                        words.imports.add("pydantic", "model_validator");
                        words.imports.add("typing", "Any");
                    }
                    if !extra.is_empty() {
                        words.imports.add("pydantic", "ConfigDict");
                    }
                    written.push(context! { name => &model.name, fields, extra, extra_type, least, most });
                }
            }
        }
        let text = format!("{written:?}");
        let (uses_datetime, uses_date) = (has_word(&text, "DateTime"), has_word(&text, "Date"));
        // Parameters and bodies may name what no model does.
        let everything = self.all_types();
        let holds = |wanted: &dyn Fn(&Text) -> bool| everything.iter().any(|ty| holds_text(ty, wanted));
        let of_format = |wanted: &str| holds(&|text: &Text| text.format.as_deref() == Some(wanted));
        let (uses_datetime, uses_date) = (uses_datetime || of_format("date-time"), uses_date || of_format("date"));
        let texts: Vec<Data> = formats::NAMES
            .iter()
            .filter(|name| {
                has_word(&text, name) || holds(&|text| formats::of(text).is_some_and(|it| it.name == **name))
            })
            .filter_map(|name| formats::named(name))
            .map(|it| context! { name => it.name, words => it.words, pattern => python::text(it.pattern) })
            .collect();
        if !texts.is_empty() {
            imports.add("typing", "Annotated");
            imports.add("pydantic", "Field");
        }
        if uses_datetime || uses_date {
            imports.add("typing", "Annotated");
            imports.add("pydantic", "BeforeValidator");
        }
        if uses_datetime {
            imports.add("pydantic", "AwareDatetime");
        }
        if uses_date {
            imports.add("datetime", "date");
        }
        let uses_whole = has_word(&text, "Integer") || everything.iter().any(|it| holds_integer(it));
        if uses_whole {
            imports.add("typing", "Annotated");
            imports.add("pydantic", "BeforeValidator");
        }
        let uses_unique = text.contains("all_different") || everything.iter().any(|it| holds_unique(it));
        if uses_unique {
            imports.add("typing", "Any");
        }
        context! { imports => imports.lines(), models => written, texts, uses_datetime, uses_date, uses_unique, uses_whole }
    }

    /// Types that stand by themselves.
    fn all_types(&self) -> Vec<&Type> {
        let mut found = Vec::new();
        for operation in &self.service.operations {
            found.extend(operation.parameters.iter().map(|it| &it.ty));
            found.extend(operation.body.iter().filter_map(|it| it.ty.as_ref()));
            found.extend(operation.success.ty.as_ref());
        }
        found.extend(self.service.sent.iter().chain(&self.service.received).map(|it| &it.payload));
        found
    }

    fn resource_names(&self) -> Vec<String> {
        let mut scope = Scope::without(&["all", "get", "put", "remove", "Repository", "InMemory"]);
        self.service.resources.iter().map(|it| scope.name(&names::snake(&it.name))).collect()
    }

    fn repository(&self) -> Data {
        let mut imports = Imports::default();
        let resources = self.resources(&mut imports);
        context! { imports => imports.lines(), resources }
    }

    fn resources(&self, imports: &mut Imports) -> Vec<Data> {
        let named = self.service.resources.iter().zip(self.resource_names());
        named
            .map(|(it, name)| {
                let mut words =
                    Words { types: self.types(), imports: &mut *imports, models: Some("app.models"), spelled: true };
                let key_type = words.plain(&it.key_type);
                let model = words.plain(&Type::Model(it.model));
                let alias = names::pascal(&format!("{name} repository"));
                context! { name, words => &it.name, key_type, model, alias }
            })
            .collect()
    }

    fn refusal(answer: &Answer) -> String {
        let mut arguments = vec![answer.status.to_string()];
        if answer.ty.is_some() {
            arguments.push(python::value(answer.sample.as_ref().unwrap_or(&Value::Null)));
            arguments.extend(answer.other_media.as_deref().map(python::text));
        }
        format!("Refused({})", arguments.join(", "))
    }

    fn errors(&self) -> Data {
        let plain = Answer { status: 400, ..Answer::default() };
        let of = |it: &Operation| Self::refusal(it.invalid.as_ref().unwrap_or(&plain));
        let sent: Vec<&Operation> = self.service.operations.iter().filter(|it| takes(it)).collect();
        let invalid_default =
            super::most_common(sent.iter().map(|it| of(it))).unwrap_or_else(|| "Refused(400)".to_owned());
        let others = sent.iter().filter(|it| of(it) != invalid_default);
        let invalid_others: Vec<Data> = others
            .map(|it| {
                let path = python::text(&self.path(it));
                context! { method => python::text(it.method.name()), path, refusal => of(it) }
            })
            .collect();
        context! { invalid_default, invalid_others }
    }

    fn samples(&self) -> Vec<Data> {
        let mut found = Vec::new();
        for operation in self.service.operations.iter().filter(|it| it.action == Action::Sample) {
            if let (Some(_), Some(sample)) = (&operation.success.ty, &operation.success.sample) {
                found.push(context! { name => constant(operation), value => python::value(sample) });
            }
        }
        found
    }

    fn routes(&self) -> Data {
        let mut imports = Imports::default();
        imports.add("fastapi", "APIRouter");
        let resources = self.resources(&mut imports);
        if !resources.is_empty() {
            imports.add("app", "repository");
            imports.add("app.repository", "Repository");
            imports.add("typing", "Annotated");
            imports.add("fastapi", "Depends");
        }
        let operations: Vec<Data> =
            (0..self.service.operations.len()).map(|at| self.operation(at, &mut imports)).collect();
        let publishes = self.service.sent.iter().any(|it| it.trigger.is_some());
        if publishes {
            imports.add("app.events", "Publisher");
            imports.add("app.events", "publisher");
            imports.add("app", "events");
            imports.add("typing", "Annotated");
            imports.add("fastapi", "Depends");
        }
        context! { imports => imports.lines(), resources, operations, publishes }
    }

    fn operation(&self, at: usize, imports: &mut Imports) -> Data {
        let operation = &self.service.operations[at];
        let repositories = self.resource_names();
        let mut scope = self.scope();
        let names = parameter_names(operation, &mut scope);
        let (mut plain, mut defaulted) = (Vec::new(), Vec::new());
        for (parameter, name) in operation.parameters.iter().zip(&names) {
            let text = self.parameter(parameter, name, imports);
            if parameter.required { &mut plain } else { &mut defaulted }.push(text);
        }
        if let Some(body) = &operation.body {
            if let Some(ty) = &body.ty {
                let ty = self.words(imports).full(ty);
                imports.add("typing", "Annotated");
                imports.add("fastapi", "Body");
                if body.required {
                    plain.push(format!("body: Annotated[{ty}, Body()]"));
                } else {
                    defaulted.push(format!("body: Annotated[{ty} | None, Body()] = None"));
                }
            } else {
                imports.add("fastapi", "Request");
                plain.push("request: Request".to_owned());
            }
        }
        if let Some(resource) = operation.action.resource().or(operation.within.map(|(resource, _)| resource)) {
            let name = &repositories[resource];
            plain.push(format!("{name}: {}", names::pascal(&format!("{name} repository"))));
        }
        let triggered: Vec<_> =
            self.service.sent.iter().filter(|it| it.trigger.as_ref().is_some_and(|it| it.operation == at)).collect();
        if !triggered.is_empty() {
            plain.push("publisher: Events".to_owned());
        }
        let mut lines = Vec::new();
        if operation.body.as_ref().is_some_and(|it| it.ty.is_none()) {
            lines.push("await request.body()".to_owned());
        }
        let returns = Handler {
            writer: self,
            operation,
            names: &names,
            repositories: &repositories,
            triggered: &triggered,
            scope: &mut scope,
            imports,
            plain: &mut plain,
            lines: &mut lines,
        }
        .write();
        plain.extend(defaulted);
        let summary = super::one_line(&operation.summary).replace("\"\"\"", "");
        context! {
            name => names::snake(&operation.name),
            method => operation.method.name().to_lowercase(),
            path => python::text(&self.path(operation)),
            status => operation.success.status,
            arguments => self.arguments(operation, &returns, imports),
            parameters => plain,
            returns => returns,
            summary => summary,
            lines => lines,
        }
    }

    fn scope(&self) -> Scope {
        let mut scope = python::scope();
        for name in USED.iter().copied().chain(self.resource_names().iter().map(String::as_str)) {
            scope.name(name);
        }
        scope
    }

    /// As FastAPI writes it: parameters are called as those of the function.
    fn path(&self, operation: &Operation) -> String {
        let mut path = format!("{}{}", operation.base, operation.path);
        for (parameter, name) in operation.parameters.iter().zip(parameter_names(operation, &mut self.scope())) {
            if parameter.place == ParameterPlace::Path {
                path = path.replace(&format!("{{{}}}", parameter.name), &format!("{{{name}}}"));
            }
        }
        path
    }

    fn words<'i>(&'i self, imports: &'i mut Imports) -> Words<'i> {
        Words { types: self.types(), imports, models: Some("app.models"), spelled: false }
    }

    /// Arguments of the decorator.
    fn arguments(&self, operation: &Operation, returns: &str, imports: &mut Imports) -> Vec<String> {
        let mut arguments = Vec::new();
        if returns == "Response" {
            arguments.push("response_class=Response".to_owned());
        } else {
            arguments.push("response_model_exclude_unset=True".to_owned());
        }
        if let Some(name) = self.guard_name(operation) {
            imports.add("app", "security");
            imports.add("fastapi", "Depends");
            arguments.push(format!("dependencies=[Depends(security.{name})]"));
        }
        let refusals = [&operation.unauthorised, &operation.missing, &operation.conflict, &operation.invalid];
        let mut documented: Vec<(u16, String)> = Vec::new();
        for answer in refusals.into_iter().flatten() {
            let said = match &answer.ty {
                Some(ty) => format!("{{\"model\": {}}}", self.words(imports).full(ty)),
                None => format!("{{\"description\": {}}}", python::text(super::reason(answer.status))),
            };
            if documented.iter().all(|(status, _)| *status != answer.status) {
                documented.push((answer.status, said));
            }
        }
        documented.sort();
        if !documented.is_empty() {
            let said: Vec<String> = documented.into_iter().map(|(status, said)| format!("{status}: {said}")).collect();
            arguments.push(format!("responses={{{}}}", said.join(", ")));
        }
        arguments
    }

    fn parameter(&self, parameter: &Parameter, name: &str, imports: &mut Imports) -> String {
        let mut words = Words { spelled: true, ..self.words(imports) };
        let ty = words.plain(&parameter.ty);
        let mut arguments = Vec::new();
        if parameter.place != ParameterPlace::Path && name != parameter.name {
            arguments.push(format!("alias={}", python::text(&parameter.name)));
        }
        arguments.extend(Words::limits(&parameter.ty));
        let default = words.default_for(&parameter.ty, parameter.default.as_ref());
        let place = match parameter.place {
            ParameterPlace::Path => "Path",
            ParameterPlace::Query => "Query",
            ParameterPlace::Header => "Header",
            ParameterPlace::Cookie => "Cookie",
        };
        if parameter.place == ParameterPlace::Path && arguments.is_empty() {
            return format!("{name}: {ty}");
        }
        imports.add("typing", "Annotated");
        imports.add("fastapi", place);
        let (ty, default) = match (parameter.required, default) {
            (true, _) => (ty, String::new()),
            (false, Some(default)) => (ty, format!(" = {default}")),
            (false, None) => (format!("{ty} | None"), " = None".to_owned()),
        };
        format!("{name}: Annotated[{ty}, {place}({})]{default}", arguments.join(", "))
    }

    fn events(&self) -> Data {
        let mut imports = Imports::default();
        let messages = self.messages(&self.service.sent, &mut imports);
        context! { imports => imports.lines(), messages }
    }

    fn consumers(&self) -> Data {
        let mut imports = Imports::default();
        let messages = self.messages(&self.service.received, &mut imports);
        context! { imports => imports.lines(), messages }
    }

    fn messages(&self, messages: &[super::events::Message], imports: &mut Imports) -> Vec<Data> {
        let written = |it: &super::events::Message| {
            let payload =
                Words { types: self.types(), imports: &mut *imports, models: Some("app.models"), spelled: false }
                    .full(&it.payload);
            let mut scope = python::scope();
            let mut address = it.address.clone();
            let mut parameters = Vec::new();
            for name in &it.parameters {
                let own = scope.name(&names::snake(name));
                address = address.replace(&format!("{{{name}}}"), &format!("{{{own}}}"));
                parameters.push(own);
            }
            let prefix = if parameters.is_empty() { "" } else { "f" };
            let is_model = matches!(it.payload, Type::Model(_));
            let topic = format!("{prefix}{}", python::text(&address));
            let sample = it.sample.as_ref().map(python::value);
            context! { name => names::snake(&it.name), words => &it.name, topic, parameters, payload, is_model, sample }
        };
        messages.iter().map(written).collect()
    }
}

fn takes(operation: &Operation) -> bool {
    !operation.parameters.is_empty() || operation.body.is_some()
}

/// Names that handlers use themselves.
const USED: &[&str] = &[
    "body",
    "datetime",
    "events",
    "found",
    "kept",
    "publisher",
    "repository",
    "request",
    "response",
    "router",
    "samples",
    "security",
    "timezone",
    "uuid4",
];

fn parameter_names(operation: &Operation, scope: &mut Scope) -> Vec<String> {
    operation.parameters.iter().map(|it| scope.name(&names::snake(&it.name))).collect()
}

fn constant(operation: &Operation) -> String {
    names::snake(&operation.name).to_uppercase()
}

/// What a member of a model is called in its class.
pub(super) fn field_name(types: &Types, model: usize, field: &str) -> String {
    let mut scope = python::scope();
    let names = types.models[model].fields().iter().map(|it| (it.name.as_str(), scope.name(&names::snake(&it.name))));
    names.into_iter().find(|(name, _)| *name == field).map_or_else(|| names::snake(field), |(_, name)| name)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == word)
}

fn holds_text(ty: &Type, wanted: &dyn Fn(&Text) -> bool) -> bool {
    match ty {
        Type::Text(text) => wanted(text),
        Type::List(list) => holds_text(&list.item, wanted),
        Type::Map(inner) | Type::Nullable(inner) => holds_text(inner, wanted),
        Type::Union(options) => options.iter().any(|it| holds_text(it, wanted)),
        _ => false,
    }
}

fn holds_integer(ty: &Type) -> bool {
    match ty {
        Type::Integer(_) => true,
        Type::List(list) => holds_integer(&list.item),
        Type::Map(inner) | Type::Nullable(inner) => holds_integer(inner),
        Type::Union(options) => options.iter().any(holds_integer),
        _ => false,
    }
}

fn holds_unique(ty: &Type) -> bool {
    match ty {
        Type::List(list) => list.unique || holds_unique(&list.item),
        Type::Map(inner) | Type::Nullable(inner) => holds_unique(inner),
        Type::Union(options) => options.iter().any(holds_unique),
        _ => false,
    }
}
