//! Hosts that clients of databases, caches and brokers connect to: in addresses, and in the options of known clients.

use tree_sitter::Node;

use super::{Look, NamedHost};
use crate::model::{Seen, host_of, is_host_name};

/// How a client is made, which option or argument names its host, and the packages that it is of.
struct Client {
    call: &'static str,
    /// Where the host stands if it has no name.
    position: Option<usize>,
    /// What it talks to, as people call it.
    to: &'static str,
    packages: &'static [&'static str],
}

const fn client(
    call: &'static str,
    position: Option<usize>,
    to: &'static str,
    packages: &'static [&'static str],
) -> Client {
    Client { call, position, to, packages }
}

const MYSQL: &[&str] = &["mysql", "mysql2", "mysql2/promise", "pymysql", "MySQLdb", "aiomysql"];
const POSTGRES: &[&str] = &["pg", "psycopg2", "psycopg", "asyncpg", "aiopg"];

const CLIENTS: &[Client] = &[
    client("Redis", Some(1), "redis", &["ioredis"]),
    client("Redis", Some(0), "redis", &["redis"]),
    client("StrictRedis", Some(0), "redis", &["redis"]),
    client("createClient", None, "redis", &["redis"]),
    client("Pool", None, "postgresql", POSTGRES),
    client("Client", None, "postgresql", POSTGRES),
    client("connect", None, "postgresql", POSTGRES),
    client("create_pool", None, "postgresql", POSTGRES),
    client("createConnection", None, "mysql", MYSQL),
    client("createPool", None, "mysql", MYSQL),
    client("connect", None, "mysql", MYSQL),
    client("create_pool", None, "mysql", MYSQL),
    client("Sequelize", None, "the database", &["sequelize"]),
    client("DataSource", None, "the database", &["typeorm"]),
    client("createConnection", None, "the database", &["typeorm"]),
    client("forRoot", None, "the database", &["@nestjs/typeorm"]),
    client("forRoot", None, "redis", &["@nestjs/bull", "@nestjs/bullmq"]),
    client("MongoClient", Some(0), "mongodb", &["pymongo", "motor"]),
    client("ConnectionParameters", Some(0), "rabbitmq", &["pika"]),
];

/// Looks at a string that may be an address.
pub(super) fn address(look: &mut Look<'_>, node: Node<'_>) {
    let Some((text, _)) = super::quoted(look.of(node)) else { return };
    if let Some((host, to)) = host_of(text) {
        look.push(node, Seen::Host { host: host.to_owned(), to: to.to_owned() });
    }
}

/// Looks at a call of a name with its arguments: those without a name in order, those with one.
pub(super) fn call(look: &mut Look<'_>, name: &str, positional: &[Node<'_>], named: &[(&str, Node<'_>)]) {
    for client in CLIENTS.iter().filter(|client| client.call == name) {
        let given = named.iter().find(|(key, _)| *key == "host").map(|(_, value)| *value);
        let Some(node) = given.or_else(|| positional.get(client.position?).copied()) else { continue };
        let Some((host, span)) = look.literal(node) else { continue };
        if is_host_name(host) {
            let host = host.to_owned();
            look.hosts.push(NamedHost { span, host, to: client.to, packages: client.packages });
        }
    }
}
