//! Tests made of a contract: source text that asks a running service, or looks at messages that were recorded.

mod live;
mod messages;
mod requests;

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, context};
use serde_json::{Value, json};

use super::contract::{Contract, SpecKind};
use super::{Registry, RegistryError, answer, rows, scanned};
use crate::config::nearest;
use crate::registry::literal::{Syntax, literal};
use crate::store::digest;
use requests::{Answers, Requests};

pub use live::{Question, Questions, otherwise, questions};

/// What the tests are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestFramework {
    Pytest,
    Jest,
}

const PYTEST: &str = include_str!("suites/pytest.py.j2");
const PYTEST_MESSAGES: &str = include_str!("suites/pytest_messages.py.j2");
const JEST: &str = include_str!("suites/jest.js.j2");
const JEST_MESSAGES: &str = include_str!("suites/jest_messages.js.j2");

impl TestFramework {
    pub const ALL: [TestFramework; 2] = [TestFramework::Pytest, TestFramework::Jest];

    pub fn name(self) -> &'static str {
        match self {
            TestFramework::Pytest => "pytest",
            TestFramework::Jest => "jest",
        }
    }

    /// # Errors
    /// A name that no framework has.
    pub fn parse(name: &str) -> Result<Self, RegistryError> {
        TestFramework::ALL.into_iter().find(|it| it.name() == name).ok_or_else(|| {
            let near = nearest(name, TestFramework::ALL.map(TestFramework::name));
            let meant = near.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
            RegistryError::invalid(
                format!("no tests are written for `{name}`"),
                format!("frameworks are pytest and jest{meant}"),
            )
        })
    }

    fn syntax(self) -> Syntax {
        match self {
            TestFramework::Pytest => Syntax::Python,
            TestFramework::Jest => Syntax::JavaScript,
        }
    }

    fn template(self, kind: SpecKind) -> &'static str {
        match (self, kind) {
            (TestFramework::Pytest, SpecKind::Openapi) => PYTEST,
            (TestFramework::Pytest, _) => PYTEST_MESSAGES,
            (TestFramework::Jest, SpecKind::Openapi) => JEST,
            (TestFramework::Jest, _) => JEST_MESSAGES,
        }
    }
}

impl Registry {
    /// Source of tests that hold a service against a contract; with `negative`, also of what the contract rules out. What
    /// was made once of a document is given again.
    ///
    /// # Errors
    /// `not_found`: no such contract. `invalid`: a document that no tests can be made of.
    pub fn generate_tests(
        &mut self,
        id: &str,
        framework: TestFramework,
        negative: bool,
    ) -> Result<String, RegistryError> {
        let contract = self.existing(id)?;
        let generator = generator(framework, contract.entry.kind);
        let key = rows::Suite {
            contract_id: id,
            framework: framework.name(),
            negative,
            spec_hash: &contract.entry.spec_hash,
            generator: &generator,
        };
        if let Some(source) = rows::suite(self.store.connection(), &key)? {
            return Ok(source);
        }
        let source = tests(&contract, framework, negative)?;
        if !self.read_only {
            self.store.write(|it| Ok::<_, RegistryError>(rows::keep_suite(it, &key, &source)?))?;
        }
        Ok(source)
    }
}

/// What makes tests, so that those of an older version are not given again.
fn generator(framework: TestFramework, kind: SpecKind) -> String {
    let template = digest(framework.template(kind));
    format!("{} {}", env!("CARGO_PKG_VERSION"), &template[..16])
}

fn tests(contract: &Contract, framework: TestFramework, negative: bool) -> Result<String, RegistryError> {
    let entry = &contract.entry;
    let syntax = framework.syntax();
    let written = |value: &Value| literal(value, syntax);
    let head = context! {
        service => one_line(&entry.service_name),
        version => &entry.version,
        kind => entry.kind.name(),
        hash => &entry.spec_hash,
        negative => negative,
    };
    let data = match entry.kind {
        SpecKind::Openapi => {
            let Suite { base, schemas, answers, allowed, ruled_out, skipped } = of_operations(&contract.spec)?;
            context! {
                base => written(&base.into()),
                schemas => written(&schemas.into()),
                answers => written(&json!(answers)),
                allowed => written(&json!(allowed)),
                ruled_out => written(&json!(ruled_out)),
                skips => !skipped.is_empty(),
                skipped => written(&json!(skipped)),
                spec => written(&contract.spec),
            }
        }
        SpecKind::Asyncapi | SpecKind::JsonSchema => {
            let messages = messages::messages(entry.kind, &contract.spec)?;
            let schemas: Vec<&Value> = messages.iter().map(|it| &it.schema).collect();
            let names: Vec<&str> = messages.iter().map(|it| it.name.as_str()).collect();
            let of = |list: fn(&messages::Message) -> &Vec<messages::Sample>| {
                let all = messages.iter().enumerate().flat_map(|(at, it)| list(it).iter().map(move |one| (at, one)));
                let all = all.map(|(at, one)| json!({"name": one.name, "schema": at, "value": one.value}));
                written(&all.collect::<Vec<_>>().into())
            };
            context! {
                schemas => written(&json!(schemas)),
                names => written(&json!(names)),
                ajv => messages::ajv(entry.kind, &contract.spec),
                samples => of(|it| &it.samples),
                ruled_out => of(|it| &it.ruled_out),
            }
        }
    };
    let mut environment = Environment::new();
    let failed = |error: minijinja::Error| RegistryError::invalid(format!("no tests could be written: {error}"), NEXT);
    let syntax = SyntaxConfig::builder().trim_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(failed)?);
    environment.add_template("suite", framework.template(entry.kind)).map_err(failed)?;
    let template = environment.get_template("suite").map_err(failed)?;
    template.render(context! { ..head, ..data }).map_err(failed)
}

const NEXT: &str = "`validate_spec` says what is wrong in a document";

/// What tests of an OpenAPI document consist of.
#[derive(Debug, Default)]
struct Suite {
    base: String,
    schemas: Vec<Value>,
    /// By operation.
    answers: BTreeMap<String, Answers>,
    allowed: Vec<requests::Request>,
    ruled_out: Vec<requests::Request>,
    /// Operations that nothing can be asked of, each with the reason.
    skipped: Vec<(String, String)>,
}

fn of_operations(spec: &Value) -> Result<Suite, RegistryError> {
    let declared = scanned::declared(SpecKind::Openapi, spec);
    if declared.operations.is_empty() {
        return Err(RegistryError::invalid("the contract has no operations to test", NEXT));
    }
    let mut suite = Suite { base: base(spec, &declared.base_paths), ..Suite::default() };
    for operation in &declared.operations {
        let title = operation.title();
        if operation.method.name() == "TRACE" || suite.answers.contains_key(&title) {
            continue;
        }
        let Some(at) = spec.pointer(&operation.pointer) else { continue };
        let mut answers = Answers::new();
        let schemas = answer::response_schemas(spec, &operation.pointer);
        for (status, schema) in schemas.map_err(|error| RegistryError::invalid(error.to_string(), NEXT))? {
            let place = schema.filter(|_| operation.method.name() != "HEAD").map(|schema| {
                let known = suite.schemas.iter().position(|it| *it == schema);
                known.unwrap_or_else(|| {
                    suite.schemas.push(schema);
                    suite.schemas.len() - 1
                })
            });
            answers.insert(status.to_ascii_uppercase().replace("DEFAULT", "default"), place);
        }
        suite.answers.insert(title.clone(), answers);
        let Requests { allowed, ruled_out, skipped } = requests::requests(spec, &declared, operation, at);
        suite.allowed.extend(allowed);
        suite.ruled_out.extend(ruled_out);
        suite.skipped.extend(skipped.map(|reason| (title, reason)));
    }
    Ok(suite)
}

/// Where the service is, as far as the contract says it.
fn base(spec: &Value, base_paths: &[String]) -> String {
    let server = spec.pointer("/servers/0/url").and_then(Value::as_str).unwrap_or("");
    if server.starts_with("http") && !server.contains('{') {
        return server.trim_end_matches('/').to_owned();
    }
    format!("http://localhost:8000{}", base_paths.first().map_or("", String::as_str))
}

/// Text for a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '"' | '\\' | '*' | '`') { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests;
