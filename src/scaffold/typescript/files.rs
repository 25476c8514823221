//! Files that services in TypeScript have in common.

use std::fmt::Write as _;

use minijinja::{Value as Data, context};
use serde_json::json;

use super::handlers::{resource_names, static_type};
use super::{Words, member, ordered, text, value};
use crate::scaffold::crud::Action;
use crate::scaffold::events::Message;
use crate::scaffold::layout::Files;
use crate::scaffold::model::{Answer, Operation, Service};
use crate::scaffold::names;
use crate::scaffold::types::{Extra, ModelKind, Type, models_of};
use crate::scaffold::{Blueprint, Part, ScaffoldError, probe, told, trials};

pub(in crate::scaffold) const TEMPLATES: &[(&str, &str)] = &[
    ("models", include_str!("models.ts.j2")),
    ("repository", include_str!("repository.ts.j2")),
    ("samples", include_str!("samples.ts.j2")),
    ("events", include_str!("events.ts.j2")),
    ("consumers", include_str!("consumers.ts.j2")),
    ("tests", include_str!("tests.ts.j2")),
    ("package", include_str!("package.json.j2")),
    ("tsconfig", include_str!("tsconfig.json.j2")),
    ("dockerfile", include_str!("Dockerfile.j2")),
    ("readme", include_str!("README.md.j2")),
    ("told", include_str!("../told.md.j2")),
    ("compose", include_str!("../compose.yaml.j2")),
];

const IGNORED: &str = "node_modules/\ndist/\n.env\n";

/// What a framework says of itself.
pub(in crate::scaffold) struct Framework {
    pub(in crate::scaffold) title: &'static str,
    /// The file of the operations.
    pub(in crate::scaffold) operations: &'static str,
    pub(in crate::scaffold) is_nest: bool,
    pub(in crate::scaffold) dependencies: &'static [(&'static str, &'static str)],
    pub(in crate::scaffold) dev_dependencies: &'static [(&'static str, &'static str)],
}

/// What every template is told.
pub(in crate::scaffold) fn base(blueprint: &Blueprint, service: &Service, framework: &Framework) -> Data {
    let broker = !service.sent.is_empty() || !service.received.is_empty();
    let mut dependencies = framework.dependencies.to_vec();
    dependencies.push(("zod", "^4.0.0"));
    if broker {
        dependencies.push(("kafkajs", "^2.2.4"));
    }
    dependencies.sort_unstable();
    let mut dev_dependencies = framework.dev_dependencies.to_vec();
    dev_dependencies.extend([("@types/node", "^22.0.0"), ("typescript", "~5.9.0")]);
    dev_dependencies.sort_unstable();
    let listed = |them: &[(&str, &str)]| -> Vec<Data> {
        them.iter().map(|(name, range)| context! { name => *name, range => *range }).collect()
    };
    context! {
        title => crate::scaffold::one_line(&blueprint.service),
        title_text => text(&blueprint.service),
        name => names::kebab(&blueprint.service),
        port => blueprint.port,
        framework => framework.title,
        operations_file => framework.operations,
        is_nest => framework.is_nest,
        dependencies => listed(&dependencies),
        dev_dependencies => listed(&dev_dependencies),
        has_operations => !service.operations.is_empty(),
        has_events => !service.sent.is_empty(),
        has_consumers => !service.received.is_empty(),
        has_guards => service.operations.iter().any(|it| it.unauthorised.is_some()),
    }
}

/// Everything but the operations.
///
/// # Errors
/// A template that cannot be filled.
pub(in crate::scaffold) fn add(
    files: &mut Files<'_>,
    blueprint: &Blueprint,
    service: &Service,
    base: &Data,
) -> Result<(), ScaffoldError> {
    let with = |more: Data| context! { ..base.clone(), ..more };
    files.add(Part::Model, "package.json", "package", base)?;
    files.add(Part::Model, "tsconfig.json", "tsconfig", base)?;
    files.add_text(Part::Model, ".gitignore", IGNORED);
    files.add(Part::Model, "src/models.ts", "models", &with(models(service)))?;
    if !service.operations.is_empty() {
        files.add(Part::Operations, "src/repository.ts", "repository", &with(repository(service)))?;
        if let Some(samples) = samples(service) {
            files.add(Part::Operations, "src/samples.ts", "samples", &with(samples))?;
        }
    }
    if !service.sent.is_empty() {
        files.add(Part::Events, "src/events.ts", "events", &with(messages(service, &service.sent, false)))?;
    }
    if !service.received.is_empty() {
        files.add(
            Part::Consumers,
            "src/consumers.ts",
            "consumers",
            &with(messages(service, &service.received, true)),
        )?;
    }
    files.add(Part::Tests, "test/service.test.ts", "tests", &with(trials::data(service, &resource_names(service))))?;
    files.add(Part::Deployment, "Dockerfile", "dockerfile", base)?;
    files.add(Part::Deployment, "compose.yaml", "compose", &with(context! { probe => probe(blueprint) }))?;
    let told = files.filled("told", &with(told(blueprint, service)))?;
    files.add(Part::Deployment, "README.md", "readme", &with(context! { told }))
}

fn models(service: &Service) -> Data {
    let types = &service.types;
    let mut written = Vec::new();
    let mut all = String::new();
    for (at, later) in ordered(types) {
        let model = &types.models[at];
        let words = Words { types, later };
        match &model.kind {
            ModelKind::Values(values) => {
                let values: Vec<String> = values.iter().map(|it| text(it)).collect();
                written.push(context! { name => &model.name, values => format!("z.enum([{}])", values.join(", ")) });
            }
            ModelKind::Object { fields, extra, least, most } => {
                let fields: Vec<String> = fields.iter().map(|it| words.field(it)).collect();
                all += &fields.join("\n");
                let is_counted = least.is_some() || most.is_some();
                let kind = match extra {
                    Extra::Refused => "strictObject",
                    // What is left out is not counted.
                    Extra::Ignored if is_counted => "looseObject",
                    _ => "object",
                };
                let mut rest =
                    if let Extra::Of(ty) = extra { format!(".catchall({})", words.schema(ty)) } else { String::new() };
                if let Some(least) = least {
                    let _ = write!(rest, ".refine((it) => Object.keys(it).length >= {least})");
                }
                if let Some(most) = most {
                    let _ = write!(rest, ".refine((it) => Object.keys(it).length <= {most})");
                }
                written.push(context! { name => &model.name, kind, fields, rest });
            }
        }
    }
    let words = Words { types, later: Vec::new() };
    let mut spelled = String::new();
    for operation in &service.operations {
        operation.parameters.iter().for_each(|it| spelled += &words.spelled(&it.ty));
        operation.body.iter().filter_map(|it| it.ty.as_ref()).for_each(|ty| all += &words.schema(ty));
    }
    service.received.iter().for_each(|it| all += &words.schema(&it.payload));
    all += &spelled;
    context! {
        models => written,
        uses_spelled_integer => spelled.contains("spelledInteger"),
        uses_spelled_number => spelled.contains("spelledNumber"),
        uses_listed => spelled.contains("(listed,"),
        uses_different => all.contains("(allDifferent)"),
    }
}

/// Names of models that types hold.
pub(in crate::scaffold) fn named<'t>(service: &Service, types: impl Iterator<Item = &'t Type>) -> Vec<String> {
    let mut found = Vec::new();
    types.for_each(|ty| models_of(ty, &mut found));
    let mut names: Vec<String> = found.into_iter().map(|at| service.types.models[at].name.clone()).collect();
    names.sort();
    names.dedup();
    names
}

pub(in crate::scaffold) fn repository(service: &Service) -> Data {
    let kept: Vec<Type> = service.resources.iter().map(|it| Type::Model(it.model)).collect();
    let resources: Vec<Data> = service
        .resources
        .iter()
        .zip(resource_names(service))
        .map(|(it, name)| {
            let key_type = static_type(&service.types, &it.key_type);
            context! { name, words => &it.name, key_type, model => &service.types.models[it.model].name }
        })
        .collect();
    context! { models => named(service, kept.iter()), resources }
}

fn samples(service: &Service) -> Option<Data> {
    let is_open =
        |it: &&Operation| it.action == Action::Sample && it.success.ty.is_some() && it.success.sample.is_some();
    let open: Vec<&Operation> = service.operations.iter().filter(is_open).collect();
    if open.is_empty() {
        return None;
    }
    let models = named(service, open.iter().filter_map(|it| it.success.ty.as_ref()));
    let samples: Vec<Data> = open
        .iter()
        .filter_map(|it| {
            let (ty, sample) = (it.success.ty.as_ref()?, it.success.sample.as_ref()?);
            let name = super::identifier(&it.name);
            Some(context! { name, type => static_type(&service.types, ty), value => value(sample) })
        })
        .collect();
    Some(context! { models, samples })
}

fn messages(service: &Service, messages: &[Message], is_read: bool) -> Data {
    let words = Words { types: &service.types, later: Vec::new() };
    let models = named(service, messages.iter().map(|it| &it.payload));
    let written = |it: &Message| {
        let mut address = it.address.clone();
        let mut parameters = Vec::new();
        for name in &it.parameters {
            let own = super::identifier(name);
            address = address.replace(&format!("{{{name}}}"), &format!("${{{own}}}"));
            parameters.push(own);
        }
        let topic = if parameters.is_empty() { text(&address) } else { format!("`{address}`") };
        let payload = static_type(&service.types, &it.payload);
        let schema = if is_read { words.schema(&it.payload) } else { String::new() };
        let (pascal, kebab) = (names::pascal(&it.name), names::kebab(&it.name));
        context! { pascal, kebab, words => &it.name, topic, parameters, payload, schema }
    };
    context! { models, messages => messages.iter().map(written).collect::<Vec<_>>() }
}

/// `{ status: 404, body: … }`
pub(in crate::scaffold) fn refusal(answer: &Answer) -> String {
    let mut members = vec![format!("status: {}", answer.status)];
    if answer.ty.is_some() {
        members.push(format!("body: {}", value(answer.sample.as_ref().unwrap_or(&json!(null)))));
        members.extend(answer.other_media.as_deref().map(|it| format!("type: {}", text(it))));
    }
    format!("{{ {} }}", members.join(", "))
}

/// Paths as regular expressions, each with its methods; static ones first, as the operations are.
pub(in crate::scaffold) fn paths(service: &Service) -> Vec<Data> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for operation in &service.operations {
        let path = format!("{}{}", operation.base, operation.path);
        let mut pattern = String::from("^");
        let mut in_name = false;
        for c in path.chars() {
            match c {
                '{' => in_name = true,
                '}' => {
                    in_name = false;
                    pattern += "[^/]+";
                }
                _ if in_name => {}
                c if "\\.+*?()|[]^$/".contains(c) && c != '/' => pattern.extend(['\\', c]),
                c => pattern.push(c),
            }
        }
        pattern.push('$');
        let method = operation.method.name().to_owned();
        match found.iter_mut().find(|(known, _)| *known == pattern) {
            Some((_, methods)) => methods.push(method),
            None => found.push((pattern, vec![method])),
        }
    }
    let written = |(pattern, methods): (String, Vec<String>)| {
        let methods: Vec<String> = methods.iter().map(|it| text(it)).collect();
        context! { pattern => text(&pattern), methods => format!("[{}]", methods.join(", ")) }
    };
    found.into_iter().map(written).collect()
}

/// Where a guard finds a secret, asking `req`.
pub(in crate::scaffold) fn secret(guard: &crate::scaffold::model::Guard) -> String {
    use crate::scaffold::model::Guard;
    match guard {
        Guard::Scheme(scheme) => format!("secretOf(req, {})", text(scheme)),
        Guard::Header(name) => format!("req.get({}) ?? \"\"", text(name)),
        Guard::Query(name) => format!("{} ?? \"\"", member("req.query", name)),
        Guard::Cookie(name) => format!("cookieOf(req, {})", text(name)),
    }
}
