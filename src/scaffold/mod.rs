//! Contracts to a working service: models, routes, validation, a repository, events, tests and what is needed to run it.
//!
//! [`model`] says what the service consists of, once for every target; each target words it in its language (a file with
//! the words of its language, and a folder of templates that only lay them out). What a contract states and no code says
//! becomes a note: nothing is left out silently, and nothing that is not done is called done.

mod aspnet;
mod crud;
mod csharp;
mod events;
mod express;
mod fastapi;
mod formats;
mod layout;
mod model;
mod names;
mod nestjs;
mod python;
mod samples;
mod trials;
mod types;
mod typescript;

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

/// What a service is made of.
#[derive(Clone, Debug)]
pub struct Blueprint {
    pub service: String,
    pub target: Target,
    pub port: u16,
    /// OpenAPI documents that it provides.
    pub serves: Vec<Contract>,
    /// AsyncAPI documents of which it sends the messages (operations `send`).
    pub publishes: Vec<Contract>,
    /// … of which it receives the messages (operations `receive`).
    pub consumes: Vec<Contract>,
}

/// A contract document.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Names its copy, `contracts/<id>.json`.
    pub id: String,
    pub document: Value,
}

/// What a service is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    FastApi,
    Express,
    NestJs,
    AspNet,
}

/// The health check of the service's container as a flow sequence of YAML: whether the port takes connections, asked with what the
/// image of the target has. Contracts need not promise an operation that tells.
fn probe(blueprint: &Blueprint) -> String {
    let port = blueprint.port;
    let command = match blueprint.target {
        Target::FastApi => {
            let asked = format!("import socket; socket.create_connection(('127.0.0.1', {port}), 2)");
            ["CMD".to_owned(), "python".to_owned(), "-c".to_owned(), asked]
        }
        Target::Express | Target::NestJs => {
            let asked = format!(
                "require('net').connect({port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))"
            );
            ["CMD".to_owned(), "node".to_owned(), "-e".to_owned(), asked]
        }
        Target::AspNet => ["CMD".to_owned(), "bash".to_owned(), "-c".to_owned(), format!("</dev/tcp/127.0.0.1/{port}")],
    };
    Value::from(command.to_vec()).to_string()
}

impl Target {
    pub const ALL: [Target; 4] = [Target::FastApi, Target::Express, Target::NestJs, Target::AspNet];

    pub fn name(self) -> &'static str {
        match self {
            Target::FastApi => "fastapi",
            Target::Express => "express",
            Target::NestJs => "nestjs",
            Target::AspNet => "aspnet",
        }
    }

    /// `python`, `typescript` or `csharp`.
    pub fn language(self) -> &'static str {
        match self {
            Target::FastApi => "python",
            Target::Express | Target::NestJs => "typescript",
            Target::AspNet => "csharp",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = ScaffoldError;

    fn from_str(name: &str) -> Result<Self, ScaffoldError> {
        let found = Target::ALL.into_iter().find(|target| target.name() == name);
        found.ok_or_else(|| ScaffoldError::UnknownTarget { name: name.to_owned() })
    }
}

/// Which step of the work writes a file. Files of a part and of those before it are a tree that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Model,
    Operations,
    Events,
    Consumers,
    /// What puts the other parts together, and starts them: it changes with each of them.
    Composition,
    Tests,
    Deployment,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    pub part: Part,
    /// Below the service's folder, with forward slashes.
    pub path: String,
    pub text: String,
}

/// A service as files.
#[derive(Clone, Debug, Default)]
pub struct Scaffold {
    /// By part, then by path.
    pub files: Vec<Generated>,
    /// What the contracts state that was left out, or is not done.
    pub notes: Vec<String>,
}

/// Why no service can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScaffoldError {
    #[error("there is no target `{name}`; targets are fastapi, express, nestjs and aspnet")]
    UnknownTarget { name: String },
    #[error("`{name}` is no name of a service: it has no letter")]
    NoName { name: String },
    #[error("no contract is given: there is nothing to make")]
    NoContract,
    #[error("`{id}` names two contracts")]
    SameName { id: String },
    #[error("`{id}` is no name of a contract: it names a file, and may have letters, digits, `.`, `_` and `-`")]
    ContractName { id: String },
    #[error("`{id}` is no OpenAPI document with operations")]
    NoOperations { id: String },
    #[error("the template `{template}` cannot be filled: {reason}")]
    Template { template: String, reason: String },
}

/// Makes a service that keeps its contracts.
///
/// # Errors
/// No contract, or two of one name; a name that cannot be one; a document without operations under `serves`.
pub fn generate(blueprint: &Blueprint) -> Result<Scaffold, ScaffoldError> {
    if !blueprint.service.chars().any(char::is_alphabetic) {
        return Err(ScaffoldError::NoName { name: blueprint.service.clone() });
    }
    let all = blueprint.serves.iter().chain(&blueprint.publishes).chain(&blueprint.consumes);
    let mut documents: Vec<&Contract> = Vec::new();
    for contract in all {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if contract.id.is_empty() || contract.id.starts_with('.') || !contract.id.chars().all(is_plain) {
            return Err(ScaffoldError::ContractName { id: contract.id.clone() });
        }
        match documents.iter().find(|it| it.id == contract.id) {
            // A service may send and receive by one document.
            Some(known) if known.document == contract.document => {}
            Some(_) => return Err(ScaffoldError::SameName { id: contract.id.clone() }),
            None => documents.push(contract),
        }
    }
    if documents.is_empty() {
        return Err(ScaffoldError::NoContract);
    }
    let reserved = match blueprint.target {
        Target::FastApi => python::RESERVED_TYPES,
        Target::Express | Target::NestJs => typescript::RESERVED_TYPES,
        Target::AspNet => csharp::RESERVED_TYPES,
    };
    let mut service = model::read(blueprint, reserved);
    if blueprint.target == Target::AspNet {
        csharp::rename(&mut service.types);
    }
    if service.operations.is_empty() && !blueprint.serves.is_empty() {
        return Err(ScaffoldError::NoOperations { id: blueprint.serves[0].id.clone() });
    }
    let mut files = match blueprint.target {
        Target::FastApi => fastapi::files(blueprint, &service)?,
        Target::Express => express::files(blueprint, &service)?,
        Target::NestJs => nestjs::files(blueprint, &service)?,
        Target::AspNet => aspnet::files(blueprint, &service)?,
    };
    for contract in documents {
        let text = format!("{:#}\n", contract.document);
        files.push(Generated { part: Part::Model, path: format!("contracts/{}.json", contract.id), text });
    }
    files.sort_by(|a, b| (a.part, &a.path).cmp(&(b.part, &b.path)));
    let mut notes = service.types.notes;
    for operation in service.operations.iter().filter(|it| it.action == crud::Action::Sample) {
        notes.push(format!("`{}` answers with a sample: what it does is to be implemented", operation.title()));
    }
    for message in service.sent.iter().filter(|it| it.trigger.is_none()) {
        notes.push(format!("`{}` on `{}` is sent by nothing yet", message.name, message.address));
    }
    Ok(Scaffold { files, notes })
}

/// What the README of a service tells: what it does, and what is still to be done.
fn told(blueprint: &Blueprint, service: &model::Service) -> minijinja::Value {
    let row = |it: &model::Operation| {
        let summary = one_line(&it.summary).replace('|', "/");
        minijinja::context! { title => it.title(), base => &it.base, summary, is_open => it.action == crud::Action::Sample }
    };
    let operations: Vec<_> = service.operations.iter().map(row).collect();
    let open: Vec<_> = service.operations.iter().filter(|it| it.action == crud::Action::Sample).map(row).collect();
    let message = |it: &events::Message| {
        let by = it.trigger.as_ref().map(|it| service.operations[it.operation].title());
        minijinja::context! { name => &it.name, address => &it.address, by }
    };
    let sent: Vec<_> = service.sent.iter().map(message).collect();
    let received: Vec<_> = service.received.iter().map(message).collect();
    let notes: Vec<String> = service.types.notes.iter().map(|it| one_line(it)).collect();
    let ids = |list: &[Contract]| list.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
    minijinja::context! {
        operations, open, sent, received, notes,
        serves => ids(&blueprint.serves), publishes => ids(&blueprint.publishes), consumes => ids(&blueprint.consumes),
    }
}

/// Text for a line of a comment or a document.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '"' | '\\') { ' ' } else { c }).collect()
}

/// The usual words for a status (RFC 9110).
fn reason(status: u16) -> &'static str {
    match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        409 => "Conflict",
        410 => "Gone",
        422 => "Unprocessable Content",
        _ => "Refused",
    }
}

/// The first of those that are there most often.
fn most_common(all: impl Iterator<Item = String>) -> Option<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for one in all {
        match counted.iter_mut().find(|(known, _)| *known == one) {
            Some((_, count)) => *count += 1,
            None => counted.push((one, 1)),
        }
    }
    let most = counted.iter().map(|(_, count)| *count).max()?;
    counted.into_iter().find(|(_, count)| *count == most).map(|(one, _)| one)
}

#[cfg(test)]
mod tests;
