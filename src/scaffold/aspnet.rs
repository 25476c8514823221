//! ASP.NET minimal APIs, with System.Text.Json.

mod handlers;

use minijinja::{Value as Data, context};

use self::handlers::{handler, repositories};
use super::crud::Action;
use super::csharp::{RESERVED_TYPES, Words, anchored, identifier, is_left_out, members, properties, text};
use super::events::Message;
use super::layout::Files;
use super::model::{Answer, Guard, Operation, Service};
use super::types::{Extra, Model, ModelKind};
use super::{Blueprint, Generated, Part, ScaffoldError, formats, names, told, trials};

const TEMPLATES: &[(&str, &str)] = &[
    ("project", include_str!("aspnet/project.csproj.j2")),
    ("model", include_str!("aspnet/Model.cs.j2")),
    ("enumeration", include_str!("aspnet/Enumeration.cs.j2")),
    ("validation", include_str!("aspnet/Validation.cs.j2")),
    ("wire", include_str!("aspnet/Wire.cs.j2")),
    ("repository", include_str!("aspnet/Repository.cs.j2")),
    ("refusals", include_str!("aspnet/Refusals.cs.j2")),
    ("security", include_str!("aspnet/Security.cs.j2")),
    ("samples", include_str!("aspnet/Samples.cs.j2")),
    ("endpoints", include_str!("aspnet/Endpoints.cs.j2")),
    ("program", include_str!("aspnet/Program.cs.j2")),
    ("events", include_str!("aspnet/Events.cs.j2")),
    ("consumers", include_str!("aspnet/Consumers.cs.j2")),
    ("tests", include_str!("aspnet/Tests.cs.j2")),
    ("tests_project", include_str!("aspnet/tests.csproj.j2")),
    ("dockerfile", include_str!("aspnet/Dockerfile.j2")),
    ("readme", include_str!("aspnet/README.md.j2")),
    ("told", include_str!("told.md.j2")),
    ("compose", include_str!("compose.yaml.j2")),
];

const IGNORED: &str = "bin/\nobj/\n.env\n";

pub(super) fn files(blueprint: &Blueprint, service: &Service) -> Result<Vec<Generated>, ScaffoldError> {
    let mut files = Files::new(TEMPLATES)?;
    let words = Words::new(service);
    let base = base(blueprint, service);
    let namespace = namespace(&blueprint.service);
    let with = |more: Data| context! { ..base.clone(), ..more };
    files.add(Part::Model, &format!("{namespace}.csproj"), "project", &base)?;
    files.add_text(Part::Model, ".gitignore", IGNORED);
    for model in &service.types.models {
        let (template, data) = match &model.kind {
            ModelKind::Values(values) => ("enumeration", enumeration(&model.name, values)),
            ModelKind::Object { .. } => ("model", record(&words, model)),
        };
        files.add(Part::Model, &format!("src/Models/{}.cs", model.name), template, &with(data))?;
    }
    for it in &words.enums {
        let data = with(enumeration(&it.name, &it.values));
        files.add(Part::Model, &format!("src/Models/{}.cs", it.name), "enumeration", &data)?;
    }
    files.add(Part::Model, "src/Validation.cs", "validation", &with(patterns()))?;
    files.add(Part::Composition, "src/Program.cs", "program", &with(program(service)))?;
    if !service.operations.is_empty() {
        files.add(Part::Operations, "src/Wire.cs", "wire", &base)?;
        files.add(Part::Operations, "src/Repository.cs", "repository", &with(kept(&words)))?;
        files.add(Part::Operations, "src/Refusals.cs", "refusals", &base)?;
        if service.operations.iter().any(|it| it.unauthorised.is_some()) {
            files.add(Part::Operations, "src/Security.cs", "security", &base)?;
        }
        if let Some(samples) = samples(&words) {
            files.add(Part::Operations, "src/Samples.cs", "samples", &with(samples))?;
        }
        for (name, data) in endpoints(&words) {
            files.add(Part::Operations, &format!("src/Endpoints/{name}Endpoints.cs"), "endpoints", &with(data))?;
        }
    }
    if !service.sent.is_empty() {
        let data = with(context! { messages => messages(&words, &service.sent) });
        files.add(Part::Events, "src/Events.cs", "events", &data)?;
    }
    if !service.received.is_empty() {
        let data = with(context! { messages => messages(&words, &service.received) });
        files.add(Part::Consumers, "src/Consumers.cs", "consumers", &data)?;
    }
    let names: Vec<String> = repositories(service).into_iter().map(|it| it.1).collect();
    files.add(Part::Tests, "tests/ServiceTests.cs", "tests", &with(trials::data(service, &names)))?;
    files.add(Part::Tests, &format!("tests/{namespace}.Tests.csproj"), "tests_project", &base)?;
    files.add(Part::Deployment, "Dockerfile", "dockerfile", &base)?;
    files.add(Part::Deployment, "compose.yaml", "compose", &with(context! { probe => super::probe(blueprint) }))?;
    let told = files.filled("told", &with(told(blueprint, service)))?;
    files.add(Part::Deployment, "README.md", "readme", &with(context! { told }))?;
    let mut made = files.made;
    for file in made.iter_mut().filter(|it| it.text.starts_with("using ")) {
        file.text = without_unused(&file.text);
    }
    Ok(made)
}

/// What templates import, and the words that need it.
const IMPORTS: &[(&str, &[&str])] = &[
    (
        "System.ComponentModel.DataAnnotations",
        &["AllowedValues", "MaxLength", "MinLength", "Range", "StringLength", "Validator"],
    ),
    ("System.Globalization", &["CultureInfo"]),
    ("System.Net", &["HttpStatusCode"]),
    ("System.Text.Json", &["JsonElement", "JsonSerializer"]),
    ("Microsoft.AspNetCore.Mvc", &["FromBody", "FromHeader", "FromQuery", "FromRoute"]),
];

/// A file without the imports that nothing in it needs.
fn without_unused(file: &str) -> String {
    let says = |word: &str| file.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == word);
    let is_needed = |line: &&str| {
        let import = line.strip_prefix("using ").and_then(|it| it.strip_suffix(';'));
        let words = IMPORTS.iter().find(|it| Some(it.0) == import).map(|it| it.1);
        words.is_none_or(|words| words.iter().any(|it| says(it)))
    };
    let lines: Vec<&str> = file.lines().filter(is_needed).collect();
    let kept = lines.join("\n") + "\n";
    kept.trim_start_matches('\n').to_owned()
}

/// The namespace of everything, and the name of the project.
fn namespace(service: &str) -> String {
    let name = names::pascal(service);
    if RESERVED_TYPES.contains(&name.as_str()) { format!("{name}Service") } else { name }
}

/// What every template is told.
fn base(blueprint: &Blueprint, service: &Service) -> Data {
    let has = |wanted: fn(&Guard) -> bool| service.operations.iter().any(|it| it.guards.iter().any(wanted));
    context! {
        title => super::one_line(&blueprint.service),
        name => names::kebab(&blueprint.service),
        namespace => namespace(&blueprint.service),
        port => blueprint.port,
        has_operations => !service.operations.is_empty(),
        has_events => !service.sent.is_empty(),
        has_consumers => !service.received.is_empty(),
        has_guards => service.operations.iter().any(|it| it.unauthorised.is_some()),
        has_scheme => has(|it| matches!(it, Guard::Scheme(_))),
    }
}

fn enumeration(name: &str, values: &[String]) -> Data {
    let row = |(value, member): (&String, String)| context! { value => text(value), member };
    context! { model => name, members => values.iter().zip(members(values)).map(row).collect::<Vec<_>>() }
}

fn record(words: &Words<'_>, model: &Model) -> Data {
    let field = |(field, name): (&super::types::Field, String)| {
        let mut attributes = vec![format!("JsonPropertyName({})", text(&field.name))];
        let ty = if field.required { words.ty(&field.ty) } else { words.optional(&field.ty) };
        if is_left_out(field) {
            attributes.push("JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)".to_owned());
        }
        attributes.extend(Words::checks(&field.ty));
        let required = if field.required { "required " } else { "" };
        context! { attributes, declared => format!("public {required}{ty} {name} {{ get; init; }}") }
    };
    let ModelKind::Object { extra, .. } = &model.kind else { return Data::UNDEFINED };
    let others = match extra {
        Extra::Of(_) => {
            let mut scope = names::Scope::default();
            properties(model).iter().chain([&model.name]).for_each(|it| drop(scope.name(it)));
            Some(scope.name("Others"))
        }
        _ => None,
    };
    context! {
        model => &model.name,
        is_closed => *extra == Extra::Refused,
        others,
        fields => model.fields().iter().zip(properties(model)).map(field).collect::<Vec<_>>(),
    }
}

fn patterns() -> Data {
    let row = |it: &&str| {
        let format = formats::named(it)?;
        Some(context! { name => format.name, words => format.words, pattern => text(&anchored(format.pattern)) })
    };
    context! { formats => formats::NAMES.iter().filter_map(row).collect::<Vec<_>>() }
}

fn program(service: &Service) -> Data {
    let repositories: Vec<String> = repositories(service).into_iter().map(|it| it.1).collect();
    let consumers = service.received.iter().map(|it| {
        context! { pascal => names::pascal(&it.name), is_started => it.parameters.is_empty() }
    });
    context! { groups => groups(service), repositories, consumers => consumers.collect::<Vec<_>>() }
}

fn kept(words: &Words<'_>) -> Data {
    let row = |(it, (_, name)): (&super::crud::Resource, (String, String))| {
        let model = &words.service.types.models[it.model].name;
        context! { name, words => &it.name, key_type => words.ty(&it.key_type), model }
    };
    let all = words.service.resources.iter().zip(repositories(words.service));
    context! { resources => all.map(row).collect::<Vec<_>>() }
}

fn is_open(it: &Operation) -> bool {
    it.action == Action::Sample && it.success.ty.is_some() && it.success.sample.is_some()
}

fn samples(words: &Words<'_>) -> Option<Data> {
    let row = |it: &Operation| {
        let (ty, sample) = (it.success.ty.as_ref()?, it.success.sample.as_ref()?);
        let value = words.value(ty, sample);
        Some(context! { name => names::pascal(&it.name), type => words.ty(ty), value })
    };
    let samples: Vec<Data> = words.service.operations.iter().filter(|it| is_open(it)).filter_map(row).collect();
    (!samples.is_empty()).then(|| context! { samples })
}

/// What the first words of a path tell apart.
fn group(operation: &Operation) -> String {
    let first = operation.path.split('/').find(|it| !it.is_empty() && !it.contains('{'));
    names::pascal(first.unwrap_or("root"))
}

fn groups(service: &Service) -> Vec<String> {
    let mut groups: Vec<String> = Vec::new();
    for name in service.operations.iter().map(group) {
        if !groups.contains(&name) {
            groups.push(name);
        }
    }
    groups
}

/// Files of endpoints, by the name of their group.
fn endpoints(words: &Words<'_>) -> Vec<(String, Data)> {
    let mut scope = words.scope.clone();
    let mut files = Vec::new();
    for name in groups(words.service) {
        let mut refused = Refused::default();
        let mut operations = Vec::new();
        for (at, operation) in words.service.operations.iter().enumerate().filter(|it| group(it.1) == name) {
            // Methods of the class have no other name.
            refused.scope.name(&names::pascal(&operation.name));
            let record = scope.name(&format!("{}Parameters", names::pascal(&operation.name)));
            operations.push(endpoint(words, at, &record, &mut refused));
        }
        let refused: Vec<Data> = refused.known.iter().map(|(name, value)| context! { name, value }).collect();
        files.push((name.clone(), context! { group => name, operations, refused }));
    }
    files
}

/// Refusals of one class of endpoints: what they are called, and what they are.
#[derive(Default)]
struct Refused {
    scope: names::Scope,
    known: Vec<(String, String)>,
}

impl Refused {
    fn name(&mut self, wanted: &str, value: String) -> String {
        if let Some((name, _)) = self.known.iter().find(|it| it.1 == value) {
            return name.clone();
        }
        let is_taken = self.known.iter().any(|it| it.0 == wanted);
        let status = value.split(',').next().unwrap_or_default();
        let name = self.scope.name(&if is_taken { format!("{wanted}{status}") } else { wanted.to_owned() });
        self.known.push((name.clone(), value));
        name
    }
}

fn endpoint(words: &Words<'_>, at: usize, record: &str, refused: &mut Refused) -> Data {
    let operation = &words.service.operations[at];
    let made = handler(words, at, record);
    let method = operation.method.name();
    let path = text(&made.path);
    let name = &made.name;
    let mapped = match method {
        "GET" | "POST" | "PUT" | "PATCH" | "DELETE" => {
            let map = names::pascal(&method.to_lowercase());
            format!("Map{map}({path}, {name})")
        }
        other => format!("MapMethods({path}, [{}], {name})", text(other)),
    };
    let mut said = vec![format!(".WithName({})", text(name))];
    let is_sent = !operation.parameters.is_empty() || operation.body.is_some();
    let plain = Answer { status: 400, ..Answer::default() };
    if is_sent {
        let invalid = operation.invalid.as_ref().unwrap_or(&plain);
        said.push(format!(".WithMetadata(new WhenInvalid({}))", refused.name("Invalid", refusal(words, invalid))));
        if operation.invalid.is_some() {
            said.push(produces(words, invalid));
        }
    }
    if let Some(answer) = &operation.unauthorised {
        let guards: Vec<String> = operation.guards.iter().map(secret).collect();
        let stranger = refused.name("Stranger", refusal(words, answer));
        said.push(format!(".WithMetadata(new Guarded({stranger}, [{}]))", guards.join(", ")));
        said.push(produces(words, answer));
    }
    let body = operation.body.as_ref().filter(|it| it.ty.is_none());
    if let Some(body) = body {
        said.push(format!(".Accepts<string>({})", text(&body.media)));
    }
    let properties = |it: &handlers::Record| -> Vec<Data> {
        it.properties.iter().map(|(attributes, declared)| context! { attributes, declared }).collect()
    };
    let returns = if made.awaits { "async Task<IResult>" } else { "IResult" };
    context! {
        name, mapped, said, returns, parameters => made.parameters, lines => made.lines,
        summary => xml(&operation.summary),
        record => made.record.as_ref().map(|it| context! { name => &it.name, properties => properties(it) }),
    }
}

fn xml(text: &str) -> String {
    super::one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What a refusal is made of: its status, its body and its media type.
fn refusal(words: &Words<'_>, answer: &Answer) -> String {
    let Some(ty) = &answer.ty else { return answer.status.to_string() };
    let body = words.value(ty, answer.sample.as_ref().unwrap_or(&serde_json::Value::Null));
    match &answer.other_media {
        Some(media) => format!("{}, {body}, {}", answer.status, text(media)),
        None => format!("{}, {body}", answer.status),
    }
}

fn produces(words: &Words<'_>, answer: &Answer) -> String {
    let status = answer.status;
    match (&answer.ty, &answer.other_media) {
        (None, _) => format!(".Produces({status})"),
        (Some(ty), None) => format!(".Produces<{}>({status})", words.ty(ty)),
        (Some(ty), Some(media)) => format!(".Produces<{}>({status}, {})", words.ty(ty), text(media)),
    }
}

/// Where a client says who it is.
fn secret(guard: &Guard) -> String {
    match guard {
        Guard::Scheme(scheme) => format!("Secret.OfScheme({})", text(scheme)),
        Guard::Header(name) => format!("Secret.OfHeader({})", text(name)),
        Guard::Query(name) => format!("Secret.OfQuery({})", text(name)),
        Guard::Cookie(name) => format!("Secret.OfCookie({})", text(name)),
    }
}

fn messages(words: &Words<'_>, messages: &[Message]) -> Vec<Data> {
    let written = |it: &Message| {
        let mut address = it.address.replace('"', "");
        let mut parameters = Vec::new();
        for name in &it.parameters {
            let own = identifier(name);
            address = address.replace(&format!("{{{name}}}"), &format!("{{{own}}}"));
            parameters.push(own);
        }
        let topic = if parameters.is_empty() { text(&it.address) } else { format!("${}", text(&address)) };
        let (pascal, payload) = (names::pascal(&it.name), words.ty(&it.payload));
        context! { pascal, words => xml(&it.name), kebab => names::kebab(&it.name), topic, parameters, payload }
    };
    messages.iter().map(written).collect()
}
