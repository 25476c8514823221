//! `treaty mcp`: servers for coding agents, and what clients need to start them.

use std::io::{self, BufRead, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use serde_json::Value;

use super::Outcome;
use super::failure::Failure;
use super::output::deliver;
use crate::mcp::check::{self, Health, Report, ServerHealth};
use crate::mcp::clients::{self, Change, Client};
use crate::mcp::{self, Options, ServeError, Server};
use crate::store;

#[derive(Debug, Args)]
pub(super) struct McpArgs {
    #[command(subcommand)]
    command: McpCommand,
}

#[derive(Debug, Subcommand)]
enum McpCommand {
    /// Serve the tools of one server, or of all, over standard streams or HTTP
    ///
    /// A client starts this and speaks the Model Context Protocol with it: revisions 2024-11-05 to 2026-07-28. Standard
    /// output carries nothing else. With --http, the protocol is at `/mcp`, and `GET /api/contracts?service_name=` and
    /// `GET /api/health` are beside it.
    ///
    /// DATABASE_PATH names the database where --database does not, CONTRACT_ENGINE_URL another contract engine that the
    /// architect asks first, TREATY_HTTP_TOKEN the bearer token of HTTP clients. GRAPH_PATH and CHROMA_PATH of older
    /// servers are accepted and not needed: graph and search lie in the database. For `devteam`, DEVTEAM_DB names the
    /// database, DEVTEAM_CONFIG the folder of its settings (`.devteam`), DEVTEAM_AGENTS a folder of agents (`agents`).
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArgs),
    /// Print the `.mcp.json` of these servers
    #[command(after_help = "Examples:\n  treaty mcp config > .mcp.json\n  treaty mcp config all")]
    Config(ConfigArgs),
    /// Start each server as a client would, call each of its tools, and tell which are healthy
    ///
    /// On a small project and a database of its own, which are gone afterwards. The exit code is 1 where something failed.
    Check(CheckArgs),
    /// Write the servers into the settings of a client, below the project's folder
    ///
    /// Into `.mcp.json` (claude), `.cursor/mcp.json` or `.vscode/mcp.json`, under the names of the servers; everything else
    /// in the file stays. The change is shown first.
    #[command(after_help = "Examples:\n  treaty mcp install claude\n  treaty mcp install vscode all --yes")]
    Install(InstallArgs),
}

const SERVE_EXAMPLES: &str = "\
Examples:
  treaty mcp serve contract-engine
  treaty mcp serve all --root ../shop --read-only
  treaty mcp serve all --http 127.0.0.1:8002";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Served {
    /// Requirements to services, entities and contract stubs: 4 tools
    Architect,
    /// Contracts: registered, compared, tested, implemented: 9 tools
    ContractEngine,
    /// Definitions, callers, dependencies, search: 7 tools
    CodebaseIntelligence,
    /// The tools of all three, as one server
    All,
    /// Sessions of a development team: tasks, gates, escalation, council: 16 tools
    #[cfg(feature = "orchestrate")]
    Devteam,
}

impl From<Served> for Server {
    fn from(served: Served) -> Self {
        match served {
            Served::Architect => Server::Architect,
            Served::ContractEngine => Server::ContractEngine,
            Served::CodebaseIntelligence => Server::CodebaseIntelligence,
            Served::All => Server::All,
            #[cfg(feature = "orchestrate")]
            Served::Devteam => Server::DevTeam,
        }
    }
}

#[derive(Debug, Args)]
struct ServeArgs {
    server: Served,

    /// Listen on this address instead of standard streams; one that other machines can reach needs TREATY_HTTP_TOKEN
    #[arg(long, value_name = "ADDRESS:PORT")]
    http: Option<SocketAddr>,

    /// The project's folder: what is asked about, and nothing outside of it is read [default: the working directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    root: Option<PathBuf>,

    /// Database [default: DATABASE_PATH, else `.treaty/treaty.db` below the root]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    database: Option<PathBuf>,

    /// Offer no tool that changes contracts, evidence or what is registered
    #[arg(long)]
    read_only: bool,

    /// Which tools: those that older clients know, or more: `file_overview`, `scan` with findings as data, `why` of an operation
    #[arg(long, value_name = "SET", default_value = "standard")]
    tools: Tools,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tools {
    Standard,
    Extended,
}

#[derive(Debug, Args)]
struct ConfigArgs {
    /// [default: each of the three]
    servers: Vec<Served>,

    /// The project's folder, for clients that do not start servers in it
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    root: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// [default: each of the three]
    servers: Vec<Served>,

    /// How to write the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[derive(Debug, Args)]
struct InstallArgs {
    client: Installed,

    /// [default: each of the three]
    servers: Vec<Served>,

    /// The project's folder [default: the working directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    root: Option<PathBuf>,

    /// Do not ask
    #[arg(long)]
    yes: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Installed {
    Claude,
    Cursor,
    Vscode,
}

impl From<Installed> for Client {
    fn from(client: Installed) -> Self {
        match client {
            Installed::Claude => Client::Claude,
            Installed::Cursor => Client::Cursor,
            Installed::Vscode => Client::VsCode,
        }
    }
}

pub(super) fn run(arguments: McpArgs) -> Result<Outcome, Failure> {
    match arguments.command {
        McpCommand::Serve(arguments) => serve(arguments),
        McpCommand::Config(arguments) => config(&arguments),
        McpCommand::Check(arguments) => checked(&arguments),
        McpCommand::Install(arguments) => install(&arguments),
    }
}

fn serve(arguments: ServeArgs) -> Result<Outcome, Failure> {
    let root = folder(arguments.root.as_deref())?;
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let text = |name: &str| variable(name).and_then(|value| value.into_string().ok());
    let of_team = variable("DEVTEAM_DB").filter(|_| Server::from(arguments.server).key() == "devteam");
    let database = arguments.database.or_else(|| of_team.or_else(|| variable("DATABASE_PATH")).map(PathBuf::from));
    let database = database.unwrap_or_else(|| store::default_path(&root));
    let failed = |error: io::Error| Failure::said(format!("{}: {error}", root.display()), "name another `--root`");
    let database = std::path::absolute(database).map_err(failed)?;
    // Paths in answers are those below the project's folder.
    std::env::set_current_dir(&root).map_err(failed)?;
    let options = Options {
        server: arguments.server.into(),
        database,
        root,
        contract_engine: text("CONTRACT_ENGINE_URL"),
        read_only: arguments.read_only,
        extended: arguments.tools == Tools::Extended,
        team_config: variable("DEVTEAM_CONFIG").map(PathBuf::from),
        team_agents: variable("DEVTEAM_AGENTS").map(PathBuf::from),
    };
    let served = match arguments.http {
        None => mcp::serve_stdio(options),
        Some(address) => mcp::serve_http(options, address, text("TREATY_HTTP_TOKEN"), |at| {
            // Whoever started it may not listen.
            let _ = writeln!(io::stderr(), "listening on http://{at}/mcp");
        }),
    };
    match served {
        Ok(()) => Ok(Outcome::Clean),
        Err(error) => Err(Failure::said(error.to_string(), next_step(&error))),
    }
}

fn next_step(error: &ServeError) -> &'static str {
    match error {
        ServeError::Runtime(_) => "`ulimit -u` and `ulimit -v` say what is allowed",
        ServeError::Handshake(_) => {
            "a client of the Model Context Protocol speaks on standard input; `treaty mcp check` is one"
        }
        ServeError::Address { .. } => "name another port; port 0 takes one that is free",
        ServeError::Open(_) => "set TREATY_HTTP_TOKEN to a secret that clients send, or listen on 127.0.0.1",
    }
}

/// The project's folder, however it was named.
fn folder(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let named = named.unwrap_or(Path::new("."));
    let found = std::fs::canonicalize(named).ok().filter(|it| it.is_dir());
    found.ok_or_else(|| {
        Failure::said(format!("{} is no folder", named.display()), "`--root` names the folder of the project")
    })
}

fn chosen(servers: &[Served]) -> Vec<Server> {
    if servers.is_empty() { Server::EACH.to_vec() } else { servers.iter().map(|it| Server::from(*it)).collect() }
}

/// `treaty` where that is this program, else where this program lies.
fn command() -> String {
    let program = std::env::current_exe().and_then(std::fs::canonicalize).unwrap_or_else(|_| "treaty".into());
    let name = format!("treaty{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = std::env::split_paths(&path).map(|folder| folder.join(&name)).find(|it| it.is_file());
    match first.and_then(|it| std::fs::canonicalize(it).ok()) {
        Some(found) if found == program => "treaty".to_owned(),
        _ => program.display().to_string(),
    }
}

fn config(arguments: &ConfigArgs) -> Result<Outcome, Failure> {
    let root = arguments.root.as_deref().map(|root| folder(Some(root))).transpose()?;
    let root = root.as_ref().map(|it| it.display().to_string());
    let config = clients::config(&command(), &chosen(&arguments.servers), root.as_deref());
    deliver(None, |out| writeln!(out, "{config:#}"))?;
    Ok(Outcome::Clean)
}

fn checked(arguments: &CheckArgs) -> Result<Outcome, Failure> {
    let failed = |error: io::Error| Failure::said(format!("nothing could be started: {error}"), "check TMPDIR");
    let program = std::env::current_exe().map_err(failed)?;
    let report = check::check(&program, &chosen(&arguments.servers)).map_err(failed)?;
    deliver(None, |out| match arguments.format {
        Format::Json => writeln!(out, "{:#}", serde_json::to_value(&report).unwrap_or_default()),
        Format::Text => tell(&report, out),
    })?;
    Ok(if report.status == Health::Healthy { Outcome::Clean } else { Outcome::Findings })
}

fn tell(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for ServerHealth { status, server, tools_count, started_in_ms, error, tools, .. } in &report.servers {
        writeln!(out, "{server}: {}, {tools_count} tools, first answer after {started_in_ms} ms", word(*status))?;
        error.iter().try_for_each(|error| writeln!(out, "  {error}"))?;
        for tool in tools.iter().filter(|tool| tool.status != Health::Healthy) {
            writeln!(out, "  {}: {}: {}", tool.tool, word(tool.status), tool.error.as_deref().unwrap_or("no reason"))?;
        }
    }
    Ok(())
}

fn word(health: Health) -> &'static str {
    match health {
        Health::Healthy => "healthy",
        Health::Error => "error",
        Health::Unhealthy => "unhealthy",
    }
}

fn install(arguments: &InstallArgs) -> Result<Outcome, Failure> {
    let root = folder(arguments.root.as_deref())?;
    let servers = chosen(&arguments.servers);
    let change = clients::merge(arguments.client.into(), &root, &command(), &servers).map_err(|error| {
        Failure::said(error.to_string(), "`treaty mcp config` prints the entries, to be written there by hand")
    })?;
    deliver(None, |out| show(&change, out))?;
    if change.is_nothing() {
        return Ok(Outcome::Clean);
    }
    if !arguments.yes && !agreed()? {
        deliver(None, |out| writeln!(out, "nothing was written"))?;
        return Ok(Outcome::Clean);
    }
    change.write().map_err(|error| Failure::said(error.to_string(), "check who may write there"))?;
    deliver(None, |out| writeln!(out, "written"))?;
    Ok(Outcome::Clean)
}

fn show(change: &Change, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", change.path.display())?;
    let lines =
        |sign: char, name: &str, value: &Value, out: &mut dyn Write| writeln!(out, "{sign} \"{name}\": {value}");
    for (name, old, new) in &change.entries {
        match old {
            Some(old) if old == new => lines(' ', name, new, out)?,
            Some(old) => {
                lines('-', name, old, out)?;
                lines('+', name, new, out)?;
            }
            None => lines('+', name, new, out)?,
        }
    }
    Ok(())
}

fn agreed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::said("nobody can be asked whether to write this", "say so with --yes"));
    }
    deliver(None, |out| write!(out, "write this? [y/N] "))?;
    let mut answer = String::new();
    // Who hangs up does not agree.
    let _ = io::stdin().lock().read_line(&mut answer);
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
