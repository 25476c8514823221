//! `treaty.toml`: read with positions, validated into a checked type.

/// The checked configuration.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub services: Vec<ServiceConfig>,
    /// Further directories that a `$ref` may lead into (a central contracts folder), as shown to the user.
    pub contract_roots: Vec<String>,
}

/// `[[service]]`
#[derive(Clone, Debug, Default)]
pub struct ServiceConfig {
    pub name: String,
    /// Directory of the service, relative to the configuration file's directory, forward slashes, no `..` out of it.
    pub root: String,
    /// Contract files, relative likewise.
    pub contracts: Vec<String>,
    /// A prefix that callers use and the code does not know (a gateway): `/api/v2`.
    pub base_path: Option<String>,
    /// Operations that are planned or served elsewhere: `GET /metrics`, `* /admin/{x}`, trailing `*` in a path matches any rest.
    pub ignore_operations: Vec<String>,
}
