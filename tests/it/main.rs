//! The integration tests, one binary so that it links once.

#[cfg(feature = "orchestrate")]
mod api_executor;
mod asyncapi;
#[cfg(feature = "orchestrate")]
mod bad_luck;
mod baseline;
mod beside;
mod cases;
mod changes;
#[cfg(feature = "orchestrate")]
mod claude_executor;
mod cli;
#[cfg(feature = "orchestrate")]
mod devteam;
mod docs;
#[cfg(feature = "orchestrate")]
mod engines;
mod files;
mod fixes;
mod folder;
mod gaps;
#[cfg(feature = "orchestrate")]
mod hook;
mod hostile;
mod init;
mod injection;
mod laborious;
mod limits;
#[cfg(feature = "serve")]
mod mcp;
#[cfg(feature = "orchestrate")]
mod mcp_clients;
#[cfg(feature = "orchestrate")]
mod orchestrate;
mod parts;
#[cfg(feature = "orchestrate")]
mod real_client;
#[cfg(feature = "orchestrate")]
mod refine;
#[cfg(feature = "serve")]
mod registry;
#[cfg(feature = "orchestrate")]
mod research;
#[cfg(feature = "orchestrate")]
mod scaffold;
mod settings;
mod ship;
mod stability;
mod suppress;
#[cfg(feature = "orchestrate")]
mod team_run;
#[cfg(feature = "orchestrate")]
mod teams;
mod tidy;
mod versions;
mod watching;
