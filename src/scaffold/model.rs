//! What a service consists of, for every target alike: operations with what they take and answer, what each does.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Blueprint;
use super::crud::{self, Action, Resource};
use super::events::{self, Message};
use super::names::{self, Scope};
use super::samples::Samples;
use super::types::{Lowering, Side, Type, Types};
use crate::contracts::{Declarations, declare, parse};
use crate::model::{self as core, Literal, Method, ParameterPlace, Status};
use crate::text::FileId;

#[derive(Debug, Default)]
pub(super) struct Service {
    pub(super) types: Types,
    pub(super) operations: Vec<Operation>,
    pub(super) resources: Vec<Resource>,
    pub(super) sent: Vec<Message>,
    pub(super) received: Vec<Message>,
}

#[derive(Clone, Debug)]
pub(super) struct Operation {
    /// Words that name it, no other operation has them: `list books`.
    pub(super) name: String,
    pub(super) method: Method,
    /// Below which all paths of its contract lie, without a trailing slash.
    pub(super) base: String,
    /// As the contract has it.
    pub(super) path: String,
    pub(super) summary: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Option<Body>,
    pub(super) success: Answer,
    /// Where what was sent is not valid, who asks is not known, what is asked for is not there, or is there already.
    pub(super) invalid: Option<Answer>,
    pub(super) unauthorised: Option<Answer>,
    pub(super) missing: Option<Answer>,
    pub(super) conflict: Option<Answer>,
    /// Ways to be let in, any of which will do.
    pub(super) guards: Vec<Guard>,
    pub(super) action: Action,
    /// The kept thing, by index, that it is about, and the parameter that names it: where that is not there, nothing is.
    pub(super) within: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) place: ParameterPlace,
    pub(super) required: bool,
    pub(super) ty: Type,
    pub(super) default: Option<Literal>,
    pub(super) sample: Option<Value>,
}

#[derive(Clone, Debug)]
pub(super) struct Body {
    /// `None`: what is sent is no JSON.
    pub(super) ty: Option<Type>,
    pub(super) required: bool,
    pub(super) media: String,
    pub(super) sample: Option<Value>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// `None`: no body.
    pub(super) ty: Option<Type>,
    /// Where it is not JSON.
    pub(super) other_media: Option<String>,
    pub(super) sample: Option<Value>,
    /// Headers that it must have, with a value.
    pub(super) headers: Vec<(String, String)>,
}

impl Answer {
    pub(super) fn is_empty(&self) -> bool {
        self.ty.is_none() && self.other_media.is_none()
    }
}

/// Where a client says who it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Guard {
    /// `Authorization: Bearer …`, `Basic …`.
    Scheme(String),
    Header(String),
    Query(String),
    Cookie(String),
}

impl Operation {
    /// `GET /books/{bookId}`
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.method.name(), self.path)
    }

    pub(super) fn parameters_in(&self, place: ParameterPlace) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(move |it| it.place == place)
    }
}

/// Reads what a blueprint's contracts promise. `reserved` are names that types must not have.
pub(super) fn read(blueprint: &Blueprint, reserved: &[&str]) -> Service {
    let mut service = Service { types: Types::without(reserved), ..Service::default() };
    let mut scope = Scope::default();
    let mut resources = Scope::default();
    for (at, contract) in blueprint.serves.iter().enumerate() {
        let declarations = declared(&contract.document);
        if declarations.operations.is_empty() {
            service.types.note(format!("`{}` has no operations", contract.id));
        }
        for problem in &declarations.problems {
            service.types.note(format!("`{}`: {}", contract.id, problem.message));
        }
        if !declarations.webhooks.is_empty() {
            service.types.note(format!("`{}` has webhooks or callbacks, which nobody sends", contract.id));
        }
        let mut reader = Reader {
            document: &contract.document,
            samples: Samples { document: &contract.document },
            declarations: &declarations,
            lowering: Lowering::new(&mut service.types, &declarations, at),
        };
        let mut operations = Vec::new();
        for (at, operation) in declarations.operations.iter().enumerate() {
            operations.extend(reader.operation(at, operation, &mut scope));
        }
        let found = crud::recognise(&mut operations, &service.types, &contract.document, &mut resources);
        let first = service.resources.len();
        for operation in &mut operations {
            operation.action.shift(first);
            operation.within = operation.within.map(|(resource, parameter)| (resource + first, parameter));
        }
        service.resources.extend(found);
        service.operations.extend(operations);
    }
    // A parameter also takes what a path of its own spells out.
    service.operations.sort_by_key(|it| specificity(&it.path));
    let all = blueprint.publishes.iter().map(|it| (it, core::Action::Send));
    let all = all.chain(blueprint.consumes.iter().map(|it| (it, core::Action::Receive)));
    let mut scopes = [Scope::default(), Scope::default()];
    for (at, (contract, action)) in all.enumerate() {
        let declarations = declared(&contract.document);
        let at = blueprint.serves.len() + at;
        let is_sent = action == core::Action::Send;
        let scope = &mut scopes[usize::from(!is_sent)];
        let found =
            events::read(&contract.id, &contract.document, &declarations, action, at, &mut service.types, scope);
        if is_sent { &mut service.sent } else { &mut service.received }.extend(found);
    }
    events::trigger(&mut service);
    service
}

fn specificity(path: &str) -> Vec<bool> {
    path.split('/').map(|segment| segment.contains('{')).collect()
}

fn declared(document: &Value) -> Declarations {
    let name = "contract.json".to_owned();
    declare(&BTreeMap::from([(name.clone(), parse(FileId(0), &format!("{document:#}")))]), &name)
}

struct Reader<'r> {
    document: &'r Value,
    samples: Samples<'r>,
    declarations: &'r Declarations,
    lowering: Lowering<'r>,
}

impl Reader<'_> {
    fn note(&mut self, title: &str, what: &str) {
        self.lowering.types.note(format!("`{title}` {what}"));
    }

    fn operation(&mut self, at: usize, operation: &core::Operation, scope: &mut Scope) -> Option<Operation> {
        let title = operation.title();
        if matches!(operation.method, Method::Trace | Method::Query) {
            self.note(&title, "is of a method that frameworks have no route for, and is left out");
            return None;
        }
        let name =
            operation.id.clone().unwrap_or_else(|| format!("{} {}", operation.method.name(), operation.path.text()));
        let name = scope.name(&names::words(&name).join(" "));
        let terms = self.declarations.terms.get(at).cloned().unwrap_or_default();
        let mut parameters = Vec::new();
        for (at, parameter) in operation.request.parameters.iter().enumerate() {
            let style = terms.parameters.get(at).map_or("", |it| it.style.as_str());
            parameters.extend(self.parameter(&title, parameter, style));
        }
        // A path says the names of parameters that nothing else is said of.
        for name in operation.path.parameters() {
            if !parameters.iter().any(|it: &Parameter| it.place == ParameterPlace::Path && it.name == name) {
                let (name, ty) = (name.to_owned(), Type::Text(super::types::Text::default()));
                let sample = Some("text".into());
                parameters.push(Parameter {
                    name,
                    place: ParameterPlace::Path,
                    required: true,
                    ty,
                    default: None,
                    sample,
                });
            }
        }
        let in_path: Vec<&str> = operation.path.parameters().collect();
        parameters.retain(|it| it.place != ParameterPlace::Path || in_path.contains(&it.name.as_str()));
        let place = |it: &Parameter| in_path.iter().position(|name| *name == it.name).unwrap_or(usize::MAX);
        parameters.sort_by_key(|it| if it.place == ParameterPlace::Path { place(it) } else { usize::MAX });
        let body = self.body(&title, &name, operation);
        let answers: Vec<(Status, Answer)> = operation
            .responses
            .iter()
            .enumerate()
            .map(|(at, it)| (it.status.clone(), self.answer(&title, &name, it, terms.headers.get(at))))
            .collect();
        let success = self.success(&title, operation.method, &answers);
        let unauthorised = refusal(&answers, &[401, 403], false);
        let guards = self.guards(&title, &terms.security, unauthorised.is_some());
        let is_sent = !parameters.is_empty() || body.is_some();
        let invalid = refusal(&answers, &[422, 400], true);
        if invalid.is_none() && is_sent {
            self.note(&title, "declares no answer to a request that is not valid: it is 400, without a body");
        }
        let at = self.document.pointer(&operation.pointer);
        let summary = at.and_then(|it| it.get("summary").or_else(|| it.get("description"))).and_then(Value::as_str);
        Some(Operation {
            name,
            method: operation.method,
            base: self.declarations.base_paths.first().map_or("", String::as_str).trim_end_matches('/').to_owned(),
            path: operation.path.text().to_owned(),
            summary: summary.unwrap_or("").lines().next().unwrap_or("").trim().to_owned(),
            parameters,
            body,
            success,
            invalid,
            unauthorised: unauthorised.filter(|_| !guards.is_empty()),
            missing: refusal(&answers, &[404, 410], true),
            conflict: refusal(&answers, &[409], false),
            guards,
            action: Action::Sample,
            within: None,
        })
    }

    fn parameter(&mut self, title: &str, parameter: &core::Parameter, style: &str) -> Option<Parameter> {
        let is_key = |(place, name): &(ParameterPlace, String)| *place == parameter.place && *name == parameter.name;
        if self.declarations.keys.iter().any(is_key) {
            return None;
        }
        let hint = format!("{title} {}", parameter.name);
        let ty = self.lowering.of(parameter.shape, Side::Taken, &hint);
        let said = format!("takes the parameter `{}`", parameter.name);
        let is_simple = match ty.some() {
            Type::List(list) => {
                parameter.place == ParameterPlace::Query
                    && style == "form, exploded"
                    && is_scalar(&self.lowering, &list.item)
            }
            other => is_scalar(&self.lowering, other),
        };
        if !is_simple {
            self.note(title, &format!("{said} in a form that is not read ({style})"));
            if parameter.place != ParameterPlace::Path {
                return None;
            }
        }
        let ty = if is_simple { ty.some().clone() } else { Type::Text(super::types::Text::default()) };
        let view = self.declarations.shapes.view(parameter.shape);
        let default = view.shape.limits.as_ref().and_then(|it| it.default.clone());
        let sample = self.samples.taken(&self.declarations.shapes.get(parameter.shape).pointer);
        let (name, place, required) = (parameter.name.clone(), parameter.place, parameter.required);
        Some(Parameter { name, place, required, ty, default, sample })
    }

    fn body(&mut self, title: &str, name: &str, operation: &core::Operation) -> Option<Body> {
        let bodies = &operation.request.bodies;
        let chosen = bodies.iter().find(|it| it.is_json()).or(bodies.first())?;
        for other in bodies.iter().filter(|it| it.media != chosen.media) {
            self.note(title, &format!("also takes `{}`, which is not read", other.media));
        }
        if matches!(operation.method, Method::Get | Method::Head) {
            self.note(title, "takes a body, which is not read");
            return None;
        }
        let (media, required) = (chosen.media.clone(), chosen.required);
        if !chosen.is_json() {
            self.note(title, &format!("takes `{media}`, which is not checked"));
            return Some(Body { ty: None, required, media, sample: None });
        }
        let ty = self.lowering.of(chosen.shape, Side::Taken, &format!("{name} request"));
        let sample = self.samples.taken(&self.declarations.shapes.get(chosen.shape).pointer);
        Some(Body { ty: Some(ty), required, media, sample })
    }

    fn answer(
        &mut self,
        title: &str,
        name: &str,
        response: &core::Response,
        headers: Option<&Vec<core::Parameter>>,
    ) -> Answer {
        let status = match &response.status {
            Status::Code(code) => *code,
            Status::Range(class) => u16::from(*class) * 100,
            Status::Default | Status::Unknown(_) => 0,
        };
        let mut answer = Answer { status, ..Answer::default() };
        for header in headers.into_iter().flatten() {
            let sample = self.samples.given(&self.declarations.shapes.get(header.shape).pointer);
            match sample.as_ref().and_then(plain) {
                Some(value) if header.required => answer.headers.push((header.name.clone(), value)),
                _ if header.required => {
                    self.note(title, &format!("answers a header `{}`, which is not sent", header.name));
                }
                _ => {}
            }
        }
        let Some(body) = response.bodies.iter().find(|it| it.is_json()).or(response.bodies.first()) else {
            return answer;
        };
        let pointer = &self.declarations.shapes.get(body.shape).pointer;
        if body.is_json() {
            let said = response.status.name();
            let hint = if response.status.is_success() {
                format!("{name} response")
            } else {
                format!("{name} {said} response")
            };
            answer.ty = Some(self.lowering.of(body.shape, Side::Given, &hint));
            answer.sample = self.samples.given(pointer);
            if let Some((code, words)) = worded(status).filter(|_| !response.status.is_success()) {
                answer.sample = answer.sample.map(|it| self.samples.worded(pointer, it, status, code, words));
            }
            if body.media != "application/json" && body.media != "*/*" {
                answer.other_media = Some(body.media.clone());
            }
        } else {
            self.note(title, &format!("answers `{}`, which is no JSON: a text is sent", body.media));
            answer.other_media = Some(body.media.clone());
        }
        answer
    }

    fn success(&mut self, title: &str, method: Method, answers: &[(Status, Answer)]) -> Answer {
        let mut found: Vec<&Answer> = Vec::new();
        found.extend(answers.iter().filter(|(status, _)| status.is_success()).map(|(_, answer)| answer));
        found.sort_by_key(|it| it.status);
        let wanted = if method == Method::Post { [201, 200] } else { [200, 204] };
        let chosen = wanted.iter().find_map(|status| found.iter().find(|it| it.status == *status)).or(found.first());
        if let Some(chosen) = chosen {
            return (*chosen).clone();
        }
        if let Some((_, answer)) = answers.iter().find(|(status, _)| matches!(status, Status::Default)) {
            return Answer { status: 200, ..answer.clone() };
        }
        if let Some((_, answer)) = answers.iter().find(|(_, answer)| (300..400).contains(&answer.status)) {
            return answer.clone();
        }
        self.note(title, "declares no success: it answers 204");
        Answer { status: 204, ..Answer::default() }
    }

    /// Each alternative counts by its first scheme: who has one of them is let in.
    fn guards(&mut self, title: &str, security: &[Vec<(String, Vec<String>)>], is_refused: bool) -> Vec<Guard> {
        if security.is_empty() || security.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        if !is_refused {
            self.note(title, "asks who its client is and declares no answer to a stranger (401): everybody is let in");
            return Vec::new();
        }
        let mut guards: Vec<Guard> = Vec::new();
        for (name, _) in security.iter().flatten() {
            let schemes =
                self.document.pointer("/components/securitySchemes").or(self.document.get("securityDefinitions"));
            let scheme = schemes.and_then(|it| it.get(name)).map(|it| self.samples.follow(it));
            let text = |key: &str| scheme.and_then(|it| it.get(key)).and_then(Value::as_str).unwrap_or("");
            let key = text("name").to_owned();
            let guard = match (text("type"), text("in")) {
                ("apiKey", "header") => Guard::Header(key),
                ("apiKey", "query") => Guard::Query(key),
                ("apiKey", "cookie") => Guard::Cookie(key),
                ("http", _) => Guard::Scheme(names::pascal(text("scheme"))),
                ("basic", _) => Guard::Scheme("Basic".to_owned()),
                ("oauth2" | "openIdConnect", _) => Guard::Scheme("Bearer".to_owned()),
                _ => continue,
            };
            if !guards.contains(&guard) {
                guards.push(guard);
            }
        }
        if guards.is_empty() {
            self.note(title, "asks who its client is in a way that is not known: everybody is let in");
        }
        guards
    }
}

/// What an error says of itself, for programs and for people.
fn worded(status: u16) -> Option<(&'static str, &'static str)> {
    match status {
        401 => Some(("unauthorized", "The credentials are missing or not known.")),
        403 => Some(("forbidden", "The credentials do not allow this.")),
        404 | 410 => Some(("not_found", "There is no such thing.")),
        409 => Some(("conflict", "It is there already.")),
        400 | 422 => Some(("invalid", "The request is not valid.")),
        0 | 500.. => Some(("error", "The request cannot be answered.")),
        _ => None,
    }
}

fn is_scalar(lowering: &Lowering<'_>, ty: &Type) -> bool {
    match ty {
        Type::Boolean | Type::Integer(_) | Type::Number(_) | Type::Text(_) | Type::Any => true,
        Type::Values(values) => values.iter().all(|it| matches!(it, Literal::String(_))),
        Type::Model(at) => matches!(lowering.types.models[*at].kind, super::types::ModelKind::Values(_)),
        _ => false,
    }
}

/// A value as a header or an address has it.
pub(super) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// The declared answer with one of these statuses, else the one for its class, else (where `any` may be meant) the default.
fn refusal(answers: &[(Status, Answer)], wanted: &[u16], any: bool) -> Option<Answer> {
    let exact = wanted.iter().find_map(|code| answers.iter().find(|(status, _)| *status == Status::Code(*code)));
    let class = || answers.iter().find(|(status, _)| any && *status == Status::Range(4));
    let default = || answers.iter().find(|(status, _)| any && *status == Status::Default);
    let (_, answer) = exact.or_else(class).or_else(default)?;
    let status = if (400..500).contains(&answer.status) && answer.status != 400 { answer.status } else { wanted[0] };
    let is_exact = exact.is_some();
    let status = if is_exact { answer.status } else { status };
    Some(Answer { status, ..answer.clone() })
}
