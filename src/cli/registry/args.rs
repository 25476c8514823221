//! What can be typed of the registry.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use crate::registry::{SpecKind, TestFramework};
use crate::store::default_path;

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum RegistryCommand {
    /// Register a contract: a document for a service and a version
    ///
    /// The same document again changes nothing. Another document for a version that is registered takes its place, unless
    /// both name one build cycle (--cycle): within a cycle a version stays what it is.
    #[command(
        after_help = "Examples:\n  treaty contract add openapi.yaml --service users --version 1.0.0\n  treaty contract add events.yaml --service users --version 2.1.0 --cycle build-7"
    )]
    Add(AddArgs),
    /// List registered contracts
    #[command(
        after_help = "Examples:\n  treaty contract list\n  treaty contract list --service users --type openapi --format json"
    )]
    List(ListArgs),
    /// Show a registered contract with its document
    #[command(after_help = "Examples:\n  treaty contract show 1b4e28ba-2fa1-4d2e-883f-0016d3cca427 --format json")]
    Show(ShowArgs),
    /// Hold an answer of a service against its contract
    ///
    /// The newest OpenAPI contract of the service that has the operation decides. The status selects the declared answer; a
    /// path may be one that was asked for (`/users/42`).
    ///
    /// The exit code is 1 where the answer is not what the contract promises.
    #[command(
        after_help = "Examples:\n  treaty contract check-response users GET /users/42 --body answer.json\n  curl -s localhost:8000/users/42 | treaty contract check-response users GET /users/42 --body -\n  treaty contract check-response users DELETE /users/42 --status 204"
    )]
    CheckResponse(CheckArgs),
    /// Write tests that hold a running service against a contract
    ///
    /// pytest (httpx and jsonschema, with schemathesis where it is installed) or jest (supertest and ajv). Of events and
    /// schemas, tests of sample messages and of recorded ones. The head of the file says what it needs.
    #[command(
        after_help = "Examples:\n  treaty contract tests 1b4e28ba-2fa1-4d2e-883f-0016d3cca427 -o test_contract.py\n  treaty contract tests 1b4e28ba-2fa1-4d2e-883f-0016d3cca427 --framework jest -o contract.test.js"
    )]
    Tests(TestsArgs),
    /// Say what another document in the place of a contract would break, and for whom
    ///
    /// Compares like `treaty diff`. Consumers are the services below the root whose requests or messages use what changed,
    /// and those that are registered for it. Without FILE, the document is compared with the one that was there before.
    ///
    /// The exit code is 1 where something breaks.
    #[command(after_help = "Examples:\n  treaty contract diff 1b4e28ba-2fa1-4d2e-883f-0016d3cca427 openapi.yaml")]
    Diff(DiffArgs),
    /// Mark a contract as implemented, if the code says so
    ///
    /// The service that the evidence belongs to is scanned. The contract is marked only if every operation of it is found and
    /// verified; what is not known stays pending, with its reasons, and what is wrong is refused, with findings. The outcome is
    /// written into `CONTRACTS.json` at the root, where a plain `treaty scan` finds it.
    ///
    /// The exit code is 1 where it is not marked.
    #[command(
        after_help = "Examples:\n  treaty contract implemented 1b4e28ba-2fa1-4d2e-883f-0016d3cca427 --service users --evidence services/users/app.py"
    )]
    Implemented(ImplementedArgs),
    /// List contracts that nobody is verified to implement
    ///
    /// The exit code is 1 where there are any.
    #[command(
        after_help = "Examples:\n  treaty contract missing\n  treaty contract missing --service users --format json"
    )]
    Missing(MissingArgs),
}

/// Where contracts are registered.
#[derive(Debug, Args)]
pub(in crate::cli) struct Kept {
    /// Folder of the project
    #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) root: PathBuf,

    /// Database to use [default: `.treaty/treaty.db` below the root]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) database: Option<PathBuf>,
}

impl Kept {
    pub(in crate::cli) fn database(&self) -> PathBuf {
        self.database.clone().unwrap_or_else(|| default_path(&self.root))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Shown {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Kind {
    Openapi,
    Asyncapi,
    #[value(name = "json_schema")]
    JsonSchema,
}

impl From<Kind> for SpecKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Openapi => SpecKind::Openapi,
            Kind::Asyncapi => SpecKind::Asyncapi,
            Kind::JsonSchema => SpecKind::JsonSchema,
        }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct AddArgs {
    /// Contract document, JSON or YAML; `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: PathBuf,

    /// Service that keeps it
    #[arg(long, value_name = "NAME")]
    pub(super) service: String,

    /// Its version, such as `1.0.0` [default: `info.version` of the document]
    #[arg(long, value_name = "VERSION")]
    pub(super) version: Option<String>,

    /// What it is [default: what its keys say]
    #[arg(long = "type", value_name = "TYPE")]
    pub(super) kind: Option<Kind>,

    /// Build cycle within which a version stays what it is
    #[arg(long, value_name = "ID")]
    pub(super) cycle: Option<String>,

    #[command(flatten)]
    pub(super) kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Shown,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    /// Only those of this service
    #[arg(long, value_name = "NAME")]
    pub(super) service: Option<String>,

    /// Only those of this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(super) kind: Option<Kind>,

    /// Page to show
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(super) page: u32,

    /// Contracts on a page, at most 100
    #[arg(long, value_name = "NUMBER", default_value_t = 20)]
    pub(super) page_size: u32,

    #[command(flatten)]
    pub(super) kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Shown,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShowArgs {
    /// Id of the contract, as `treaty contract list` shows it
    #[arg(value_name = "ID")]
    pub(super) id: String,

    #[command(flatten)]
    pub(super) kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Shown,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DiffArgs {
    /// Id of the contract, as `treaty contract list` shows it
    #[arg(value_name = "ID")]
    pub(super) id: String,

    /// New document, JSON or YAML; `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) file: Option<PathBuf>,

    #[command(flatten)]
    pub(super) kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Shown,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ImplementedArgs {
    /// Id of the contract, as `treaty contract list` shows it
    #[arg(value_name = "ID")]
    pub(super) id: String,

    /// Service that implements it
    #[arg(long, value_name = "NAME")]
    pub(super) service: String,

    /// File or folder of that service, relative to the root and below it
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(super) evidence: String,

    #[command(flatten)]
    pub(super) kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Shown,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct MissingArgs {
    /// Only those of this service
    #[arg(long, value_name = "NAME")]
    pub(super) service: Option<String>,

    #[command(flatten)]
    pub(super) kept: Kept,

    /// How to write the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Shown,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CheckArgs {
    /// Service that answered
    #[arg(value_name = "SERVICE")]
    pub(super) service: String,

    /// Method of the request
    #[arg(value_name = "METHOD")]
    pub(super) method: String,

    /// Path of the request
    #[arg(value_name = "PATH")]
    pub(super) path: String,

    /// Status of the answer
    #[arg(long, value_name = "STATUS", default_value_t = 200, value_parser = clap::value_parser!(u16).range(100..=599))]
    pub(super) status: u16,

    /// Body of the answer, JSON; `-` for standard input [default: none]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) body: Option<PathBuf>,

    #[command(flatten)]
    pub(super) kept: Kept,

    /// How to write the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Shown,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Framework {
    Pytest,
    Jest,
}

impl From<Framework> for TestFramework {
    fn from(framework: Framework) -> Self {
        match framework {
            Framework::Pytest => TestFramework::Pytest,
            Framework::Jest => TestFramework::Jest,
        }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct TestsArgs {
    /// Id of the contract, as `treaty contract list` shows it
    #[arg(value_name = "ID")]
    pub(super) id: String,

    /// What the tests are written for
    #[arg(long, value_name = "NAME", default_value = "pytest")]
    pub(super) framework: Framework,

    /// Leave out what the contract rules out
    #[arg(long)]
    pub(super) no_negative: bool,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) kept: Kept,
}
