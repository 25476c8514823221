//! Express, with zod.

use minijinja::{Value as Data, context};

use super::crud::Action;
use super::layout::Files;
use super::model::{Answer, Guard, Operation, Service};
use super::names;
use super::typescript::files::{Framework, TEMPLATES, add, base, paths, refusal, secret};
use super::typescript::handlers::{Style, handler, resource_names};
use super::typescript::{text, value};
use super::{Blueprint, Generated, Part, ScaffoldError};

const OWN: &[(&str, &str)] = &[
    ("routes", include_str!("express/routes.ts.j2")),
    ("errors", include_str!("express/errors.ts.j2")),
    ("security", include_str!("express/security.ts.j2")),
    ("server", include_str!("express/server.ts.j2")),
    ("main", include_str!("typescript/main.ts.j2")),
];

const EXPRESS: Framework = Framework {
    title: "Express",
    operations: "routes.ts",
    is_nest: false,
    dependencies: &[("express", "^5.1.0")],
    dev_dependencies: &[("@types/express", "^5.0.0")],
};

pub(super) fn files(blueprint: &Blueprint, service: &Service) -> Result<Vec<Generated>, ScaffoldError> {
    let mut files = Files::new(&[TEMPLATES, OWN].concat())?;
    let base = base(blueprint, service, &EXPRESS);
    let with = |more: Data| context! { ..base.clone(), ..more };
    if !service.operations.is_empty() {
        files.add(Part::Operations, "src/routes.ts", "routes", &with(routes(service)))?;
        files.add(Part::Operations, "src/errors.ts", "errors", &with(errors(service)))?;
        if service.operations.iter().any(|it| it.unauthorised.is_some()) {
            files.add(Part::Operations, "src/security.ts", "security", &with(security(service)))?;
        }
    }
    files.add(Part::Composition, "src/server.ts", "server", &base)?;
    files.add(Part::Composition, "src/main.ts", "main", &base)?;
    add(&mut files, blueprint, service, &base)?;
    Ok(files.made)
}

struct Respond;

impl Respond {
    fn headers(answer: &Answer) -> Vec<String> {
        answer.headers.iter().map(|(name, value)| format!("res.set({}, {});", text(name), text(value))).collect()
    }

    fn sent(answer: &Answer, body: Option<&str>) -> String {
        let status = answer.status;
        match (body, &answer.other_media) {
            (None, _) => format!("res.status({status}).end();"),
            (Some(body), Some(media)) if answer.ty.is_none() => {
                format!("res.status({status}).type({}).send({body});", text(media))
            }
            (Some(body), Some(media)) => format!("res.status({status}).type({}).json({body});", text(media)),
            (Some(body), None) => format!("res.status({status}).json({body});"),
        }
    }
}

impl Style for Respond {
    fn success(&self, answer: &Answer, body: Option<&str>) -> Vec<String> {
        let mut lines = Respond::headers(answer);
        lines.push(Respond::sent(answer, body));
        lines
    }

    fn refusal(&self, answer: &Answer, body: Option<&str>) -> Vec<String> {
        vec![Respond::sent(answer, body), "return;".to_owned()]
    }

    fn own(&self) -> &'static str {
        ""
    }
}

/// As Express writes it: `/tasks/:taskId`.
pub(super) fn path(braced: &str) -> String {
    let mut out = String::new();
    for c in braced.chars() {
        match c {
            '{' => out.push(':'),
            '}' => {}
            ':' | '*' | '(' | ')' | '[' | ']' | '+' | '?' | '!' | '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn guard_name(service: &Service, operation: &Operation) -> Option<String> {
    let all = guarded(service);
    let own = key(operation)?;
    let at = all.iter().position(|it| *it == own)?;
    Some(if at == 0 { "knownClient".to_owned() } else { format!("knownClient{}", at + 1) })
}

type Key = (Vec<Guard>, Vec<String>);

fn key(operation: &Operation) -> Option<Key> {
    let answer = operation.unauthorised.as_ref()?;
    let body = answer.ty.as_ref().map(|_| value(answer.sample.as_ref().unwrap_or(&serde_json::Value::Null)));
    Some((operation.guards.clone(), Respond.refusal(answer, body.as_deref())))
}

fn guarded(service: &Service) -> Vec<Key> {
    let mut all = Vec::new();
    for key in service.operations.iter().filter_map(key) {
        if !all.contains(&key) {
            all.push(key);
        }
    }
    all
}

fn security(service: &Service) -> Data {
    let all = guarded(service);
    let has = |wanted: fn(&Guard) -> bool| all.iter().any(|(guards, _)| guards.iter().any(wanted));
    let written = |(at, (guards, lines)): (usize, &Key)| {
        let name = if at == 0 { "knownClient".to_owned() } else { format!("knownClient{}", at + 1) };
        context! { name, given => guards.iter().map(secret).collect::<Vec<_>>(), lines }
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
    let sent = || service.operations.iter().filter(|it| !it.parameters.is_empty() || it.body.is_some());
    let invalid_default = super::most_common(sent().map(of)).unwrap_or_else(|| "{ status: 400 }".to_owned());
    let invalid_others: Vec<Data> = sent()
        .filter(|it| of(it) != invalid_default)
        .map(|it| {
            let place = service.operations.iter().position(|one| one.name == it.name).unwrap_or(0);
            let path = path(&handler(service, place, &Respond).path);
            context! { operation => text(&format!("{} {path}", it.method.name())), refusal => of(it) }
        })
        .collect();
    context! { invalid_default, invalid_others, paths => paths(service) }
}

fn routes(service: &Service) -> Data {
    let mut operations = Vec::new();
    let mut all = String::new();
    for (at, operation) in service.operations.iter().enumerate() {
        let made = handler(service, at, &Respond);
        let body = made.body.clone();
        let schemas = [&made.params, &made.query, &made.headers, &made.body];
        for schema in schemas.into_iter().flatten() {
            all += schema;
            all.push('\n');
        }
        all += &made.lines.join("\n");
        all.push('\n');
        let reads = schemas.into_iter().any(Option::is_some);
        operations.push(context! {
            pascal => names::pascal(&made.name),
            method => operation.method.name().to_lowercase(),
            path => text(&path(&made.path)),
            summary => super::one_line(&operation.summary).replace("*/", ""),
            guard => guard_name(service, operation),
            params => made.params, query => made.query, headers => made.headers, body,
            lines => made.lines, awaits => made.awaits, reads,
        });
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let has = |wanted: &str| all.split(|c: char| !is_word(c)).any(|it| it == wanted);
    let names = service.types.models.iter().map(|it| it.name.clone());
    let helpers = ["listed", "allDifferent", "spelledInteger", "spelledNumber"].map(str::to_owned);
    let mut imports: Vec<String> = names.chain(helpers).filter(|it| has(it)).collect();
    imports.sort_unstable();
    let mut resources: Vec<String> = resource_names(service).into_iter().filter(|it| has(it)).collect();
    if has("without") {
        resources.push("without".to_owned());
    }
    let publishes: Vec<String> =
        service.sent.iter().map(|it| format!("publish{}", names::pascal(&it.name))).filter(|it| has(it)).collect();
    let guards: Vec<String> = {
        let count = guarded(service).len();
        (0..count).map(|at| if at == 0 { "knownClient".to_owned() } else { format!("knownClient{}", at + 1) }).collect()
    };
    let uses_samples = service
        .operations
        .iter()
        .any(|it| it.action == Action::Sample && it.success.ty.is_some() && it.success.sample.is_some());
    context! {
        operations, imports, resources, publishes, guards, uses_samples,
        uses_uuid => has("randomUUID"), uses_zod => has("z"),
    }
}
