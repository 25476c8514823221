//! What rules about deployment, assets and design want to know of a place in code, a template or a stylesheet: seen in the
//! parse of the file, without asking what anything evaluates to.

use crate::text::Span;

/// Something that stands at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    pub span: Span,
    pub what: Seen,
}

/// What a place does or says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// An environment variable is read; `optional` where the code says what holds without it.
    Variable { name: String, optional: bool },
    /// The code itself gives an environment variable, or the setting of its name, a value.
    Given(String),
    /// A server listens on a port; `guarded` where only if the file is run as a program.
    Port { port: u16, guarded: bool },
    /// An origin that other sites' pages may call from.
    Origin(String),
    /// A client connects to a host; `to` names what it talks to.
    Host { host: String, to: String },
    /// A file that is shown, played or loaded.
    Asset { path: String, how: AssetUse },
    /// Names of classes of an element; the span is that of the names.
    Classes,
    /// A declaration of a style; the span is that of its value.
    Style { property: String },
    /// Words that people see.
    Text,
}

/// How a file is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetUse {
    /// By an attribute: the browser asks the server.
    Link,
    /// By `url()` of a stylesheet.
    Style,
    /// By an import, which a bundler follows.
    Import,
}

/// Schemes of addresses whose host is a server of the project, as a rule.
const SCHEMES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "mongodb",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "nats",
    "clickhouse",
    "mssql",
];

/// The host of an address of a database, cache or broker: `postgresql+asyncpg://user:{secret}@db:5432/shop`. Its scheme
/// without the driver, too.
pub fn host_of(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    let scheme = scheme.split('+').next().unwrap_or(scheme);
    if !SCHEMES.contains(&scheme) {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let host = place.split_once(':').map_or(place, |(host, _)| host);
    is_host_name(host).then_some((host, scheme))
}

/// Whether it names one machine of a private network: a name without dots that nobody has to fill in.
pub fn is_host_name(host: &str) -> bool {
    !host.is_empty()
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && host.bytes().any(|byte| byte.is_ascii_lowercase())
}
