//! Hosts that clients of databases, caches and brokers connect to: in addresses, and in the options of known clients.

use tree_sitter::Node;

use super::Look;
use crate::model::{Seen, host_of, is_host_name};

/// How a client is made, which option or argument names its host, and the packages that it is of.
struct Client {
    call: &'static str,
    /// Where the host stands if it has no name.
    position: Option<usize>,
    packages: &'static [&'static str],
}

const fn client(call: &'static str, position: Option<usize>, packages: &'static [&'static str]) -> Client {
    Client { call, position, packages }
}

const CLIENTS: &[Client] = &[
    client("Redis", Some(1), &["ioredis"]),
    client("Redis", Some(0), &["redis"]),
    client("StrictRedis", Some(0), &["redis"]),
    client("createClient", None, &["redis"]),
    client("Pool", None, &["pg"]),
    client("Client", None, &["pg"]),
    client("createConnection", None, &["mysql", "mysql2", "mysql2/promise", "typeorm"]),
    client("createPool", None, &["mysql", "mysql2", "mysql2/promise"]),
    client("Sequelize", None, &["sequelize"]),
    client("DataSource", None, &["typeorm"]),
    client("forRoot", None, &["@nestjs/typeorm", "@nestjs/bull", "@nestjs/bullmq"]),
    client("connect", None, &["psycopg2", "psycopg", "pymysql", "MySQLdb", "asyncpg", "aiopg", "aiomysql"]),
    client("create_pool", None, &["asyncpg", "aiomysql"]),
    client("MongoClient", Some(0), &["pymongo", "motor"]),
    client("ConnectionParameters", Some(0), &["pika"]),
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
            look.hosts.push((span, host, client.packages));
        }
    }
}
