//! MCP servers: the tools of the registry, the index and the architect, for coding agents and older clients
//! (<https://modelcontextprotocol.io/specification/2026-07-28>).
//!
//! A server is a list of [`tool::Tool`]s, one file each: names, parameters, what an answer looks like, and one call into
//! a library. [`handler`] answers the protocol for all of them, over standard streams ([`stdio`]) or HTTP ([`http`]).

mod answer;
mod architect;
mod arguments;
mod codebase_intelligence;
mod contract_engine;
#[cfg(feature = "orchestrate")]
mod devteam;
mod extended;
mod handler;
mod http;
mod plain;
mod pool;
mod remote;
mod stdio;
mod tool;
mod workplace;

pub mod check;
pub mod clients;
mod embedded;
pub mod session;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

pub use embedded::Embedded;
use handler::Handler;
use workplace::Workplace;

/// Which tools are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    Architect,
    ContractEngine,
    CodebaseIntelligence,
    /// Those of the three, by one process.
    All,
    /// The development team.
    #[cfg(feature = "orchestrate")]
    DevTeam,
}

impl Server {
    /// The three that older clients know.
    pub const EACH: [Server; 3] = [Server::Architect, Server::ContractEngine, Server::CodebaseIntelligence];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Server::Architect => "architect",
            Server::ContractEngine => "contract-engine",
            Server::CodebaseIntelligence => "codebase-intelligence",
            Server::All => "all",
            #[cfg(feature = "orchestrate")]
            Server::DevTeam => "devteam",
        }
    }

    /// The name of its entry in the settings of clients.
    pub fn key(self) -> &'static str {
        if self == Server::All { "treaty" } else { self.name() }
    }

    /// As the server introduces itself.
    fn title(self) -> &'static str {
        match self {
            Server::Architect => "Architect",
            Server::ContractEngine => "Contract Engine",
            Server::CodebaseIntelligence => "Codebase Intelligence",
            Server::All => "treaty",
            #[cfg(feature = "orchestrate")]
            Server::DevTeam => "devteam-orchestrator",
        }
    }

    fn instructions(self) -> &'static str {
        match self {
            Server::Architect => architect::INSTRUCTIONS,
            Server::ContractEngine => contract_engine::INSTRUCTIONS,
            Server::CodebaseIntelligence => codebase_intelligence::INSTRUCTIONS,
            #[cfg(feature = "orchestrate")]
            Server::DevTeam => devteam::INSTRUCTIONS,
            Server::All => {
                "Contracts between services, the symbols of the code base, and what a requirements text asks for, of the \
                 project this server was started for. Read a contract (`list_contracts`, `get_contract`) before you \
                 write code that keeps it, `validate_endpoint` an answer, `mark_implemented` when it is done; \
                 `find_definition`, `find_callers` and `search_semantic` before you change code."
            }
        }
    }

    fn tools(self) -> Vec<tool::Tool> {
        match self {
            Server::Architect => architect::tools(),
            Server::ContractEngine => contract_engine::tools(),
            Server::CodebaseIntelligence => codebase_intelligence::tools(),
            Server::All => Server::EACH.into_iter().flat_map(Server::tools).collect(),
            #[cfg(feature = "orchestrate")]
            Server::DevTeam => devteam::tools(),
        }
    }
}

/// How a server is to run.
#[derive(Clone, Debug)]
pub struct Options {
    pub server: Server,
    /// The project's folder: nothing outside of it is read.
    pub root: PathBuf,
    pub database: PathBuf,
    /// Where another contract engine answers, which the architect asks first.
    pub contract_engine: Option<String>,
    /// No tool that changes contracts, evidence or what is registered.
    pub read_only: bool,
    /// Tools beyond those that older clients know.
    pub extended: bool,
    /// `.devteam`: how the team works. Default: below the root.
    pub team_config: Option<PathBuf>,
    /// Folder of agents. Default: `agents` below the root.
    pub team_agents: Option<PathBuf>,
}

/// Serves standard input and output until input ends.
///
/// # Errors
/// A runtime that cannot start; a client that does not begin with a handshake.
pub fn serve_stdio(options: Options) -> Result<(), ServeError> {
    let runtime = runtime()?;
    let served = runtime.block_on(stdio::serve(handler(options)));
    // What still runs for a client that is gone ends with the process.
    runtime.shutdown_background();
    served
}

/// Serves HTTP until the process is stopped. `ready` is told the address once connections are taken.
///
/// # Errors
/// An address that cannot be had; one that others can reach, without a token.
pub fn serve_http(
    options: Options,
    address: SocketAddr,
    token: Option<String>,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let runtime = runtime()?;
    let served = runtime.block_on(http::serve(handler(options), address, token, ready));
    runtime.shutdown_background();
    served
}

fn handler(options: Options) -> Handler {
    let (server, read_only) = (options.server, options.read_only);
    let mut tools = server.tools();
    if options.extended {
        tools.extend(extended::tools());
    }
    Handler::new(server, tools, Arc::new(Workplace::new(options)), read_only)
}

/// Syntax trees are walked by recursion.
const STACK: usize = 64 * 1024 * 1024;

/// Calls that run at once; others wait.
const CALLS: usize = 16;

fn runtime() -> Result<tokio::runtime::Runtime, ServeError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(CALLS + 2)
        .thread_stack_size(STACK)
        .enable_all()
        .build()
        .map_err(|error| ServeError::Runtime(error.to_string()))
}

/// Why a server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("no threads to serve with: {0}")]
    Runtime(String),
    #[error("the client did not open a session: {0}")]
    Handshake(String),
    #[error("cannot listen on {address}: {reason}")]
    Address { address: SocketAddr, reason: String },
    #[error("{0} can be reached by other machines, and TREATY_HTTP_TOKEN is not set")]
    Open(SocketAddr),
}

#[cfg(test)]
mod tests;
