//! What a service is built with, where its text says so.

use super::decomposition::Stack;

#[rustfmt::skip]
const LANGUAGES: &[&str] = &[
    "TypeScript", "Python", "Java", "Kotlin", "C#", "Go", "Golang", "Rust", "Ruby", "PHP", "Scala", "Elixir",
    "JavaScript", "Node.js", "Dart", "Swift",
];
#[rustfmt::skip]
const FRAMEWORKS: &[&str] = &[
    "FastAPI", "Django", "Flask", "Express.js", "Express", "NestJS", "Spring Boot", "Spring", "ASP.NET Core", ".NET",
    "Rails", "Ruby on Rails", "Laravel", "Next.js", "Fastify", "Hono", "Gin", "Actix", "Axum", "Phoenix",
    "React Native", "React", "Vue", "Angular", "Svelte", "Flutter",
];
#[rustfmt::skip]
const DATABASES: &[&str] = &[
    "PostgreSQL", "Postgres", "MySQL", "MariaDB", "SQLite", "MongoDB", "SQL Server", "Oracle", "DynamoDB",
    "Firestore", "Supabase", "Cassandra", "Redis", "Neo4j",
];
#[rustfmt::skip]
const BROKERS: &[&str] = &[
    "Kafka", "RabbitMQ", "Redis Pub/Sub", "Redis Streams", "NATS", "SQS", "SNS", "EventBridge", "Pub/Sub",
    "ActiveMQ", "Pulsar", "BullMQ",
];

/// Reads the stack of a text: of each kind what is said first.
pub(super) fn read(text: &str) -> Stack {
    Stack {
        language: first(text, LANGUAGES),
        framework: first(text, FRAMEWORKS),
        database: first(text, DATABASES),
        message_broker: first(text, BROKERS),
    }
}

/// Whether a word is a language or a framework, which may stand before the name of what is built with it.
pub(super) fn is_built_with(word: &str) -> bool {
    LANGUAGES.iter().chain(FRAMEWORKS).any(|it| it.eq_ignore_ascii_case(word))
}

/// What the one text leaves open, the other may say.
pub(super) fn or(own: Stack, general: &Stack) -> Stack {
    Stack {
        language: own.language.or_else(|| general.language.clone()),
        framework: own.framework.or_else(|| general.framework.clone()),
        // What only passes messages on or remembers for a while is no database, where the text names one.
        database: own.database.filter(|it| it != "Redis").or_else(|| general.database.clone()),
        message_broker: own.message_broker.or_else(|| general.message_broker.clone()),
    }
}

fn first(text: &str, names: &[&str]) -> Option<String> {
    let alone = |at: usize, name: &str| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    };
    let places = names
        .iter()
        .filter_map(|name| text.match_indices(name).find(|(at, _)| alone(*at, name)).map(|(at, _)| (at, *name)));
    places.min_by_key(|(at, name)| (*at, std::cmp::Reverse(name.len()))).map(|(_, name)| name.to_owned())
}
