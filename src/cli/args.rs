//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

use super::colours::Colours;
use crate::config;
use crate::report;

/// Checks that services keep their contracts: reads the source of both ends of every wire and the contracts between them
/// (OpenAPI, AsyncAPI, JSON Schema), and shows each place where two disagree. Nothing of what it reads is executed.
#[derive(Debug, Parser)]
#[command(name = "treaty", version, arg_required_else_help = true, max_term_width = 100, after_help = EXAMPLES)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,

    /// Colours: auto (on terminals, or as `NO_COLOR`, `CLICOLOR_FORCE` and `FORCE_COLOR` say), always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub(super) color: Colours,
}

const EXAMPLES: &str = "\
Examples:
  treaty scan                                       the working directory and every contract in it
  treaty scan services/books --contract api.yaml    one service against one contract
  treaty scan --format sarif -o treaty.sarif        for code scanning
  treaty why \"GET /users/{id}\"                      how an operation was found, or why not
  treaty diff released.yaml openapi.yaml            what a change of a contract breaks
  treaty diff --from main                           what a change of the code breaks, and for whom
  treaty rules list                                 what can be reported
  treaty explain CONTRACT-001                       what it means, and how to fix it

Exit codes: 0 clean, 1 findings at or above --fail-on, 2 could not run";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Compare services with their contracts
    ///
    /// Contracts are found by content (`openapi:`, `swagger:` or `asyncapi:` at the top) below the scanned paths,
    /// unless --contract names them. JSON Schema documents, `CONTRACTS.json` and `REQUIREMENTS.md` are contracts as well.
    ///
    /// Routes are held against the OpenAPI contract of their service, messages against its AsyncAPI document. Requests are
    /// held against the routes and the contract of the service that they reach, and what one service sends against what
    /// another reads; services in other repositories take part with --facts.
    ///
    /// A comment `# treaty: ignore[CODE] reason` (or `//`) on a line or the one above suppresses what is found there,
    /// `treaty: ignore-file[CODE]` what is found in the file, `x-treaty-ignore: [CODE]` what is found of an operation, a schema
    /// or a document.
    ///
    /// Settings are read from `treaty.toml` in the scanned path or above it, up to the root of the repository.
    Scan(ScanArgs),
    /// Keep what is found today apart from what comes new
    ///
    /// `treaty scan --baseline FILE` reports what FILE does not have. An entry is known by what is wrong, not by its line: it
    /// survives moved lines and renamed files.
    Baseline(BaselineArgs),
    /// Compare two versions of a contract, or of the code
    ///
    /// What clients of the old version relied on and the new one does not keep: what an old client sends is held against
    /// what the new version takes, what the new version answers against what an old client was promised.
    ///
    /// OLD and NEW are two documents (OpenAPI 2.0 to 3.2, AsyncAPI or JSON Schema; JSON or YAML), or two folders with code.
    /// With --from, the code of two git revisions is compared: what it really serves and sends, without any contract, with
    /// the requests and handlers that break. Nothing is checked out, the work tree stays as it is, and nothing is fetched.
    ///
    /// Severities are those of the rule, or of `treaty.toml`. A deprecated operation or parameter may go after its
    /// `x-sunset`, or any day where it has none.
    Diff(DiffArgs),
    /// Write what the code really serves, sends and declares
    ///
    /// As OpenAPI: paths, methods, parameters, bodies, statuses and schemas, each operation with the file and line it
    /// comes from (`x-source`). As AsyncAPI: channels, messages with their payloads, who sends and receives. As JSON Schema:
    /// every type that is declared. As facts: all of that and the calls and messages, for a scan of another repository.
    Extract(ExtractArgs),
    /// Explain how an operation was found, or why not
    ///
    /// Where the contract states it, which routes come close, the chain of mounts with files and lines, where the
    /// response comes from, and what stayed unknown on the way. The exit code is 1 where nothing has the operation.
    Why(WhyArgs),
    /// Check contract documents, and keep them in a registry
    Contract(ContractArgs),
    /// Take requirements apart into services, a domain model and contracts
    #[cfg(feature = "serve")]
    Architect(super::architect::ArchitectArgs),
    /// Find symbols, who uses them, what depends on what, and code by words
    #[cfg(feature = "serve")]
    Code(super::code::CodeArgs),
    /// Serve contracts, code and requirements to coding agents (MCP)
    #[cfg(feature = "serve")]
    Mcp(super::mcp::McpArgs),
    /// Build services from requirements, and hold every step to the contracts
    ///
    /// The requirements become services, contracts and tasks; an executor carries the tasks out, each in a git worktree of its
    /// own; what it leaves is held against the task's scope, the project's tests and the contracts, and merged to the branch
    /// `treaty/run-ID`. Your own branch and files are never touched. A run that was killed goes on with `resume`.
    #[cfg(feature = "orchestrate")]
    Orchestrate(super::orchestrate::OrchestrateArgs),
    /// Write the files that a project begins with, never over what is there
    ///
    /// `treaty.toml` with the services and contracts that a scan finds, an entry for pre-commit, and a workflow for GitHub.
    /// Files that are there stay as they are; what could be added to them is shown.
    #[command(after_help = "Examples:\n  treaty init\n  treaty init --root ../shop\n  treaty init --agents")]
    Init(super::init::InitArgs),
    /// Show the development team that `treaty mcp serve devteam` works with, and check its files
    ///
    /// DEVTEAM_CONFIG names the folder of its settings (`.devteam`), DEVTEAM_AGENTS a folder of agents (`agents`).
    #[cfg(feature = "orchestrate")]
    #[command(after_help = "Examples:\n  treaty team list\n  treaty team show security-auditor\n  treaty team check")]
    Team(super::team::TeamArgs),
    /// Answer the hook of a coding agent that works in a run
    ///
    /// Reads the payload on standard input and the file that TREATY_GATE names. Exit code 2 holds the agent, with the reason on
    /// standard error; input that is no payload is a warning and exit code 0.
    #[cfg(feature = "orchestrate")]
    #[command(hide = true)]
    Hook(super::hook::HookArgs),
    /// Write a service that keeps its contracts
    ///
    /// Models, routes, validation, a repository in memory, messages, tests, a Dockerfile and a README, made of contracts alone:
    /// no model and no network is asked. Collections and their items are told by their paths and schemas and are kept;
    /// what any other operation does cannot be known: it answers with a sample, and the README lists it as to be
    /// implemented, with everything else that the contracts state and the code does not.
    #[cfg(feature = "orchestrate")]
    Scaffold(super::scaffold::ScaffoldArgs),
    /// Explain what a rule reports, why it matters, and how to fix it
    ///
    /// CODE is the code of a rule (`CONTRACT-001`), its name, or a family of rules (`CONTRACT`), which are listed.
    #[command(
        after_help = "Examples:\n  treaty explain CONTRACT-001\n  treaty explain missing-endpoint\n  treaty explain XREF"
    )]
    Explain(ExplainArgs),
    /// List, show, test and start rules
    Rules(RulesArgs),
    /// Write what `treaty.toml` may hold, for editors
    Config(ConfigArgs),
    /// Write a completion script for a shell
    Completions(CompletionsArgs),
}

#[derive(Debug, Args)]
#[command(after_help = SCAN_EXAMPLES)]
pub(super) struct ScanArgs {
    #[command(flatten)]
    pub(super) input: ManyInputs,

    #[command(flatten)]
    pub(super) judged: Judged,

    #[command(flatten)]
    pub(super) part: Part,

    /// Findings that do not count, as `treaty baseline write` wrote them; what of them is no longer found is told
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) baseline: Option<PathBuf>,

    #[command(flatten)]
    pub(super) fixing: FixArgs,

    /// How to write the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,

    /// Least severity that makes the exit code 1 [default: error]
    #[arg(long, value_name = "LEVEL")]
    pub(super) fail_on: Option<FailOn>,

    /// Let the exit code be 1 when anything that was to be compared was not: inputs that could not be read or understood,
    /// contracts that no service was held against, operations that were not verified. Where only a part is told of: inputs
    /// of that part alone
    #[arg(long)]
    pub(super) strict: bool,

    /// Let the exit code be 1 when less of the contracted operations was verified than this
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(super) min_verified: Option<u8>,

    /// Let the exit code be 1 when less of a contract was verified than FILE says, and write down there what is more: it only
    /// rises. FILE is made where there is none; commit it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) ratchet: Option<PathBuf>,

    /// Scan again whenever a file that matters changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["staged", "stdin_filename", "fix", "output"])]
    pub(super) watch: bool,

    /// With `--format sarif`: one run for each service, in a category of its own (`treaty/NAME/`), so that each has its own list
    /// in code scanning; without effect on other formats
    #[arg(long)]
    pub(super) sarif_per_service: bool,

    /// Show every finding as text, however many are alike; other formats always hold all
    #[arg(long)]
    pub(super) full: bool,

    /// Show how many findings each rule has, instead of the findings; with `text`, `concise` or `markdown`
    #[arg(long)]
    pub(super) statistics: bool,

    /// Say on standard error what was read and recognised, and what was left out and why
    #[arg(short, long, conflicts_with = "quiet")]
    pub(super) verbose: bool,

    /// Leave out the summary and the progress bar
    #[arg(short, long)]
    pub(super) quiet: bool,
}

const SCAN_EXAMPLES: &str = "\
Examples:
  treaty scan
  treaty scan services/books services/users
  treaty scan services/books --contract contracts/books.yaml
  treaty scan --against released/books.yaml
  treaty scan --against origin/main
  treaty scan web --facts books.facts.json
  treaty scan --ignore CODE,FAMILY --fail-on warning
  treaty scan --baseline treaty-baseline.json
  treaty scan --staged
  treaty scan --changed=origin/main
  treaty scan --stdin-filename services/books/app.py < buffer
  treaty scan --fix --fix-side contract --diff
  treaty scan --ratchet treaty-ratchet.json
  treaty scan --format json -o report.json";

/// What a scan tells of, where that is not everything.
#[derive(Debug, Args)]
#[group(id = "part", multiple = false)]
pub(super) struct Part {
    /// Tell of what is staged only, with the contents that a commit would have: for a pre-commit hook. All files are read; a
    /// finding is told that has a place in a staged file or in one that imports it, or that is new since the last commit
    #[arg(long)]
    pub(super) staged: bool,

    /// The same for what changed in the work tree since the work on it left REVISION, such as `origin/main`
    #[arg(long, value_name = "REVISION", require_equals = true)]
    pub(super) changed: Option<String>,

    /// Read the content of this file from standard input, and tell of this file only: for an editor
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) stdin_filename: Option<PathBuf>,
}

/// What is to be done about findings that say how they are mended.
#[derive(Debug, Args)]
pub(super) struct FixArgs {
    /// Change files as findings say they are mended, where that changes nothing else, and report what is left. What is written
    /// keeps its line ends and its encoding
    #[arg(long, conflicts_with_all = ["staged", "stdin_filename"])]
    pub(super) fix: bool,

    /// Apply fixes that somebody has to look at, too
    #[arg(long = "unsafe", requires = "fix")]
    pub(super) with_unsafe: bool,

    /// Where code and contract disagree, change this one [default: neither]
    #[arg(long, value_name = "SIDE", requires = "fix")]
    pub(super) fix_side: Option<FixSide>,

    /// Show what would be changed instead, as a unified diff; the exit code is 1 where that is anything
    #[arg(long, requires = "fix")]
    pub(super) diff: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FixSide {
    /// The code is wrong: what it sends gets the contract's names, by an alias (with `--unsafe`)
    Code,
    /// The contract is wrong
    Contract,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Depth {
    Quick,
    Standard,
    Thorough,
    Exhaustive,
}

impl From<Depth> for crate::finding::Depth {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::Quick => Self::Quick,
            Depth::Standard => Self::Standard,
            Depth::Thorough => Self::Thorough,
            Depth::Exhaustive => Self::Exhaustive,
        }
    }
}

/// What services are judged by.
#[derive(Debug, Args)]
pub(super) struct Judged {
    /// Earlier version: what it promised and is not kept is reported too. A file is one of the contract; a git revision or
    /// a folder is one of everything, contracts and code
    #[arg(long, value_name = "FILE|FOLDER|REVISION", value_hint = ValueHint::AnyPath)]
    pub(super) against: Option<PathBuf>,

    /// What another service serves, calls and sends, as `treaty extract --as facts` wrote it: the other end of what is
    /// scanned; may be repeated. Nothing is reported about that service itself
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) facts: Vec<PathBuf>,

    /// How thoroughly to look: from standard on, rules are added that are about the code alone [default: rules that are
    /// worth stopping a commit for]
    #[arg(long, value_name = "DEPTH")]
    pub(super) depth: Option<Depth>,

    /// Rules to run, by code, family or what codes begin with, whatever their tier [default: what the depth runs]
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(super) select: Vec<String>,

    /// Rules not to run, by code, family or what codes begin with
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct BaselineArgs {
    #[command(subcommand)]
    pub(super) command: BaselineCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum BaselineCommand {
    /// Scan, and write down what is found
    ///
    /// The scan is that of `treaty scan` with the same paths and options. What comments and contracts suppress is left out. An
    /// earlier baseline is written over; any other file is not.
    #[command(
        after_help = "Examples:\n  treaty baseline write\n  treaty baseline write services/books -o books-baseline.json"
    )]
    Write(BaselineWriteArgs),
}

#[derive(Debug, Args)]
pub(super) struct BaselineWriteArgs {
    #[command(flatten)]
    pub(super) input: ManyInputs,

    #[command(flatten)]
    pub(super) judged: Judged,

    /// File to write
    #[arg(short, long, value_name = "FILE", default_value = "treaty-baseline.json", value_hint = ValueHint::FilePath)]
    pub(super) output: PathBuf,

    /// Leave out the progress bar, and how many findings there are
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = DIFF_EXAMPLES,
    override_usage = "treaty diff [OPTIONS] <OLD> <NEW>\n       treaty diff [OPTIONS] --from <REVISION> [--to <REVISION>] [PATH]..."
)]
pub(super) struct DiffArgs {
    /// The version that clients rely on and the one that is to take its place; with --from, files and folders to scan
    /// [default: the working directory]
    #[arg(value_name = "OLD NEW", value_hint = ValueHint::AnyPath)]
    pub(super) paths: Vec<PathBuf>,

    /// Compare the code of this git revision …
    #[arg(long, value_name = "REVISION")]
    pub(super) from: Option<String>,

    /// … with that of this one [default: the files as they are now]
    #[arg(long, value_name = "REVISION", requires = "from")]
    pub(super) to: Option<String>,

    /// What another service serves, calls and sends, as `treaty extract --as facts` wrote it: its calls that break are
    /// named; may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) facts: Vec<PathBuf>,

    /// Further directory that a `$ref` may lead into, outside of the repository as well; may be repeated
    #[arg(long = "contract-root", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) contract_roots: Vec<PathBuf>,

    /// Days of notice that clients get: what a contract deprecates must say until when it stays (`x-sunset`), and stay so
    /// long [default: `deprecation-notice` of the settings, else none]
    #[arg(long, value_name = "DAYS")]
    pub(super) notice: Option<u32>,

    /// Settings to use instead of the nearest `treaty.toml`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,

    /// How to write the report; `markdown` and `html` are a changelog for those who use the API
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,

    /// Least severity that makes the exit code 1 [default: error]
    #[arg(long, value_name = "LEVEL")]
    pub(super) fail_on: Option<FailOn>,

    /// Show every finding as text, however many are alike; other formats always hold all
    #[arg(long)]
    pub(super) full: bool,

    /// Leave out the summary
    #[arg(short, long)]
    pub(super) quiet: bool,
}

const DIFF_EXAMPLES: &str = "\
Examples:
  treaty diff released.yaml openapi.yaml
  treaty diff released.yaml openapi.yaml --fail-on warning
  treaty diff --from main                           what the changes in the work tree break
  treaty diff --from v1.4 --to v1.5 services/books
  treaty diff v1.json v2.yaml --format markdown     a changelog to publish; or html
  treaty diff v1.json v2.yaml --format sarif -o breaking.sarif";

/// Services and their contracts.
#[derive(Debug, Args)]
pub(super) struct ManyInputs {
    /// Files and directories to scan [default: the working directory]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(super) paths: Vec<PathBuf>,

    /// Contract to compare with, instead of those below the scanned paths; may be repeated
    #[arg(long = "contract", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) contracts: Vec<PathBuf>,

    /// Further directory that a `$ref` may lead into, outside of the repository as well; may be repeated
    #[arg(long = "contract-root", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) contract_roots: Vec<PathBuf>,

    /// Settings to use instead of the nearest `treaty.toml`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,

    /// Scan what is skipped otherwise: what git leaves out, folders of tests, fixtures and examples, and of what is built
    /// or copied (`build`, `dist`, `vendor`)
    #[arg(long)]
    pub(super) no_skip: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Format {
    /// For people, with excerpts of code and contract
    Text,
    /// For programs, complete
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands, for annotations on a pull request
    Github,
    /// One line for each finding: `path:line:column: CODE message`
    Concise,
    /// Tables in Markdown, for the summary of a job or a comment
    Markdown,
    /// JUnit XML, for build servers
    Junit,
    /// Code Quality, for merge requests on GitLab
    Gitlab,
    /// One page that needs nothing else: a map, every operation, findings with both sides
    Html,
}

impl From<Format> for report::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => report::Format::Text,
            Format::Json => report::Format::Json,
            Format::Sarif => report::Format::Sarif,
            Format::Github => report::Format::Github,
            Format::Concise => report::Format::Concise,
            Format::Markdown => report::Format::Markdown,
            Format::Junit => report::Format::Junit,
            Format::Gitlab => report::Format::Gitlab,
            Format::Html => report::Format::Html,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FailOn {
    Error,
    Warning,
    Never,
}

impl From<FailOn> for config::FailOn {
    fn from(level: FailOn) -> Self {
        match level {
            FailOn::Error => config::FailOn::Error,
            FailOn::Warning => config::FailOn::Warning,
            FailOn::Never => config::FailOn::Never,
        }
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  treaty extract services/books --as openapi -o books.json\n  treaty extract services/books --as facts -o books.facts.json"
)]
pub(super) struct ExtractArgs {
    /// Service to read [default: the working directory]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(super) path: Option<PathBuf>,

    /// Kind of document to write
    #[arg(long = "as", value_name = "KIND", default_value = "openapi")]
    pub(super) kind: Document,

    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output: Option<PathBuf>,

    /// Settings to use instead of the nearest `treaty.toml`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) config: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Document {
    /// What is served: OpenAPI 3.0, as JSON
    Openapi,
    /// What is sent and received: AsyncAPI 3.0, as JSON
    Asyncapi,
    /// The types that are declared: JSON Schema 2020-12
    JsonSchema,
    /// What each service serves, calls, sends, receives and declares, without its source: for `treaty scan --facts`
    Facts,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  treaty why \"GET /users/{id}\"\n  treaty why \"GET /users/{id}\" services/users --contract users.yaml"
)]
pub(super) struct WhyArgs {
    /// Method and path, as the contract spells them
    #[arg(value_name = "OPERATION")]
    pub(super) operation: String,

    #[command(flatten)]
    pub(super) input: ManyInputs,
}

#[derive(Debug, Args)]
pub(super) struct ContractArgs {
    #[command(subcommand)]
    pub(super) command: ContractCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum ContractCommand {
    /// Report what is wrong in contract documents: OpenAPI 2.0 to 3.2, AsyncAPI 2.0 to 3.x, JSON Schema, `CONTRACTS.json`
    #[command(after_help = "Examples:\n  treaty contract validate openapi.yaml events/asyncapi.yaml")]
    Validate(ValidateArgs),
    #[cfg(feature = "serve")]
    #[command(flatten)]
    Registry(super::registry::RegistryCommand),
}

#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    /// Contract documents
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(super) files: Vec<PathBuf>,

    /// Further directory that a `$ref` may lead into; may be repeated
    #[arg(long = "contract-root", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(super) contract_roots: Vec<PathBuf>,

    /// How to write the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// Rules to explain
    #[arg(value_name = "CODE", required = true)]
    pub(super) rules: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    #[command(subcommand)]
    pub(super) command: Option<RulesCommand>,
}

#[derive(Debug, Subcommand)]
pub(super) enum RulesCommand {
    /// One line for each rule
    List,
    /// A rule's page as it is written, with its cases; `treaty explain` is easier to read
    Show {
        #[arg(value_name = "CODE")]
        code: String,
    },
    /// Run the cases on the pages of your own rules
    Test {
        #[arg(value_name = "DIR", default_value = RULES_DIRECTORY, value_hint = ValueHint::DirPath)]
        directory: PathBuf,
    },
    /// Start a rule: its declaration and its page, ready to be filled in
    #[command(after_help = "Examples:\n  treaty rules new house/HOUSE-001")]
    New {
        #[arg(value_name = "FAMILY/CODE")]
        rule: String,
        /// Directory of your own rules
        #[arg(long, value_name = "DIR", default_value = RULES_DIRECTORY, value_hint = ValueHint::DirPath)]
        directory: PathBuf,
    },
}

/// Where a user's own rules lie unless said otherwise.
const RULES_DIRECTORY: &str = "treaty-rules";

#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    pub(super) command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum ConfigCommand {
    /// Write the JSON schema of `treaty.toml`
    ///
    /// Editors that know TOML (Taplo, Even Better TOML) complete and check settings whose first line names it:
    /// `#:schema ./treaty.schema.json`. `treaty init` writes both.
    #[command(after_help = "Examples:\n  treaty config schema -o treaty.schema.json")]
    Schema {
        /// Write to a file instead of standard output
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    pub(super) shell: clap_complete::Shell,
}

/// The whole command, for what is generated from it.
pub(super) fn command() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_arguments_are_consistent() {
        super::command().debug_assert();
    }
}
