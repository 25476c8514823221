//! NestJS on Express, with zod.

use minijinja::{Value as Data, context};

use super::crud::Action;
use super::express::path;
use super::layout::Files;
use super::model::{Answer, Guard, Operation, Service};
use super::names;
use super::typescript::files::{Framework, TEMPLATES, add, base, paths, refusal, repository, secret};
use super::typescript::handlers::{Style, handler, resource_names};
use super::typescript::text;
use super::{Blueprint, Generated, Part, ScaffoldError};
use crate::model::ParameterPlace;

const OWN: &[(&str, &str)] = &[
    ("controller", include_str!("nestjs/controller.ts.j2")),
    ("errors", include_str!("nestjs/errors.ts.j2")),
    ("security", include_str!("nestjs/security.ts.j2")),
    ("server", include_str!("nestjs/server.ts.j2")),
    ("main", include_str!("typescript/main.ts.j2")),
];

const NEST: Framework = Framework {
    title: "NestJS",
    operations: "controller.ts",
    is_nest: true,
    dependencies: &[
        ("@nestjs/common", "^11.0.0"),
        ("@nestjs/core", "^11.0.0"),
        ("@nestjs/platform-express", "^11.0.0"),
        ("reflect-metadata", "^0.2.2"),
        ("rxjs", "^7.8.1"),
    ],
    dev_dependencies: &[("@types/express", "^5.0.0")],
};

pub(super) fn files(blueprint: &Blueprint, service: &Service) -> Result<Vec<Generated>, ScaffoldError> {
    let mut files = Files::new(&[TEMPLATES, OWN].concat())?;
    let base = base(blueprint, service, &NEST);
    let with = |more: Data| context! { ..base.clone(), ..more };
    if !service.operations.is_empty() {
        files.add(Part::Operations, "src/controller.ts", "controller", &with(controller(service)))?;
        files.add(Part::Operations, "src/errors.ts", "errors", &with(errors(service)))?;
        if service.operations.iter().any(|it| it.unauthorised.is_some()) {
            files.add(Part::Operations, "src/security.ts", "security", &with(security(service)))?;
        }
    }
    files.add(Part::Composition, "src/server.ts", "server", &with(repository(service)))?;
    files.add(Part::Composition, "src/main.ts", "main", &base)?;
    add(&mut files, blueprint, service, &base)?;
    Ok(files.made)
}

struct Return;

impl Style for Return {
    fn success(&self, _: &Answer, body: Option<&str>) -> Vec<String> {
        body.map(|body| format!("return {body};")).into_iter().collect()
    }

    fn refusal(&self, answer: &Answer, _: Option<&str>) -> Vec<String> {
        vec![format!("throw new Refusing({});", refusal(answer))]
    }

    fn own(&self) -> &'static str {
        "this."
    }
}

type Key = (Vec<Guard>, String);

fn guarded(service: &Service) -> Vec<Key> {
    let mut all = Vec::new();
    for operation in &service.operations {
        if let Some(key) = key(operation).filter(|it| !all.contains(it)) {
            all.push(key);
        }
    }
    all
}

fn key(operation: &Operation) -> Option<Key> {
    operation.unauthorised.as_ref().map(|answer| (operation.guards.clone(), refusal(answer)))
}

fn guard_name(at: usize) -> String {
    if at == 0 { "KnownClient".to_owned() } else { format!("KnownClient{}", at + 1) }
}

fn security(service: &Service) -> Data {
    let all = guarded(service);
    let has = |wanted: fn(&Guard) -> bool| all.iter().any(|(guards, _)| guards.iter().any(wanted));
    let written = |(at, (guards, refusal)): (usize, &Key)| {
        context! { name => guard_name(at), given => guards.iter().map(secret).collect::<Vec<_>>(), refusal }
    };
    context! {
        guards => all.iter().enumerate().map(written).collect::<Vec<_>>(),
        has_scheme => has(|it| matches!(it, Guard::Scheme(_))),
        has_cookie => has(|it| matches!(it, Guard::Cookie(_))),
    }
}

fn errors(service: &Service) -> Data {
    let plain = Answer { status: 400, ..Answer::default() };
    let of = |it: &Operation| refusal(it.invalid.as_ref().unwrap_or(&plain));
    let all = || service.operations.iter().enumerate();
    let sent = || all().filter(|(_, it)| !it.parameters.is_empty() || it.body.is_some());
    let invalid_default =
        super::most_common(sent().map(|(_, it)| of(it))).unwrap_or_else(|| "{ status: 400 }".to_owned());
    let others = sent().filter(|(_, it)| of(it) != invalid_default);
    let invalid_others: Vec<Data> = others
        .map(|(at, it)| {
            let path = path(&handler(service, at, &Return).path);
            context! { operation => text(&format!("{} {path}", it.method.name())), refusal => of(it) }
        })
        .collect();
    context! { invalid_default, invalid_others, paths => paths(service) }
}

fn controller(service: &Service) -> Data {
    let guards = guarded(service);
    let mut operations = Vec::new();
    let mut all = String::new();
    let mut decorators: Vec<String> = ["Controller", "HttpCode"].map(str::to_owned).to_vec();
    for (at, operation) in service.operations.iter().enumerate() {
        let made = handler(service, at, &Return);
        let pascal = names::pascal(&made.name);
        let mut parameters = Vec::new();
        for (schema, decorator, name) in [(&made.params, "Param", "params"), (&made.query, "Query", "query")] {
            if schema.is_some() {
                let of = format!("{pascal}{}", names::pascal(name));
                parameters.push(format!("@{decorator}(new ZodPipe({of})) {name}: {of}"));
                decorators.push(decorator.to_owned());
            }
        }
        let mut lines = made.lines;
        if made.headers.is_some() {
            // Pipes are not for headers.
            let mut entries = Vec::new();
            for parameter in operation.parameters_in(ParameterPlace::Header) {
                let name = parameter.name.to_ascii_lowercase();
                let own = format!("{}Header", names::camel(&name));
                parameters.push(format!("@Headers({}) {own}: string | undefined", text(&name)));
                entries.push(format!("{}: {own}", super::typescript::key(&name)));
            }
            lines.insert(0, format!("const headers = {pascal}Headers.parse({{ {} }});", entries.join(", ")));
            decorators.push("Headers".to_owned());
        }
        if let (Some(schema), Some(ty)) = (&made.body, operation.body.as_ref().and_then(|it| it.ty.as_ref())) {
            let ty = super::typescript::handlers::static_type(&service.types, ty);
            let ty = if schema.ends_with(".optional()") { format!("{ty} | undefined") } else { ty };
            parameters.push(format!("@Body(new ZodPipe({schema})) body: {ty}"));
            decorators.push("Body".to_owned());
        }
        for text in [&made.params, &made.query, &made.headers].into_iter().flatten().chain(&parameters).chain(&lines) {
            all += text;
            all.push('\n');
        }
        all += &made.returns;
        all.push('\n');
        let method = names::pascal(&operation.method.name().to_lowercase());
        decorators.push(method.clone());
        let guard = key(operation).and_then(|key| guards.iter().position(|it| *it == key)).map(guard_name);
        decorators.extend(guard.is_some().then(|| "UseGuards".to_owned()));
        let mut response_headers: Vec<String> =
            operation.success.headers.iter().map(|(name, value)| format!("{}, {}", text(name), text(value))).collect();
        if let Some(media) = &operation.success.other_media {
            response_headers.push(format!("\"Content-Type\", {}", text(media)));
        }
        decorators.extend((!response_headers.is_empty()).then(|| "Header".to_owned()));
        let returns = if operation.success.ty.is_none() && operation.success.other_media.is_some() {
            "string".to_owned()
        } else {
            made.returns.clone()
        };
        operations.push(context! {
            name => &made.name, pascal, method, path => text(&path(&made.path)), status => operation.success.status,
            summary => super::one_line(&operation.summary).replace("*/", ""), guard, response_headers, parameters, returns,
            params => made.params, query => made.query, headers => made.headers, lines, awaits => made.awaits,
        });
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let has = |wanted: &str| all.split(|c: char| !is_word(c)).any(|it| it == wanted);
    let kept = |name: &str| service.resources.iter().any(|it| service.types.models[it.model].name == name);
    let names = service.types.models.iter().map(|it| it.name.clone()).filter(|it| has(it) || kept(it));
    let helpers = ["listed", "allDifferent", "spelledInteger", "spelledNumber"].map(str::to_owned);
    let mut imports: Vec<String> = names.chain(helpers.into_iter().filter(|it| has(it))).collect();
    imports.sort_unstable();
    let publishes: Vec<String> =
        service.sent.iter().map(|it| format!("publish{}", names::pascal(&it.name))).filter(|it| has(it)).collect();
    decorators.extend((!resource_names(service).is_empty() || !publishes.is_empty()).then(|| "Inject".to_owned()));
    decorators.sort_unstable();
    decorators.dedup();
    let is_open =
        |it: &Operation| it.action == Action::Sample && it.success.ty.is_some() && it.success.sample.is_some();
    let names = context! {
        operations, imports, publishes, decorators,
        guards => (0..guards.len()).map(guard_name).collect::<Vec<_>>(),
        uses_samples => service.operations.iter().any(is_open),
        uses_pipe => has("ZodPipe"), uses_refusing => has("Refusing"), uses_without => has("without"),
        uses_uuid => has("randomUUID"), uses_zod => has("z"),
    };
    context! { ..names, ..repository(service) }
}
