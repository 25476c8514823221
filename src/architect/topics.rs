//! What a section is about, as its headings say, and the name of the thing that a heading is about.

mod named;
mod sections;

use rustc_hash::FxHashSet;

pub(super) use self::named::{is_plain_heading, table_of, thing_named, without_number};
pub(super) use self::sections::{asides, excluded, fielded, says_fields, says_values, tables_by_name};
use super::document::Document;
use super::{clauses, words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    /// Entities and their fields.
    Data,
    Events,
    Endpoints,
    /// What goes in or out of an operation.
    Payload,
    Services,
    States,
    Features,
    /// Nothing that is to be built: what others do, what comes later, what a word means.
    Aside,
}

#[rustfmt::skip]
const TOPICS: &[(Topic, &[&str])] = &[
    (
        Topic::Aside,
        &[
            "out of scope", "non goal", "not in scope", "future", "risk", "assumption", "constraint",
            "non functional", "nonfunctional", "tech stack", "technical stack", "technologies",
            "roadmap", "timeline", "milestone", "success metric", "success criteria", "open question",
            "open item", "acronym", "quality attribute",
            "changelog", "revision history", "table of contents", "external service", "third party", "dependencies",
            "directory structure", "folder structure", "not implemented", "later", "nice to have", "exclude",
            "features to avoid", "do not implement", "development standard", "coding standard", "code practice",
            "code organization", "final note", "deliverable", "deferred", "postponed", "test plan", "competitor", "kpi", "design principle", "demo data", "getting started",
            "installation", "prerequisite", "observability", "definition of done",
            "scope exclusion", "limitations", "hardware interface", "user characteristics", "naming convention",
            "data type", "best practice", "database information", "database connection", "database configuration",
        ],
    ),
    (
        Topic::Payload,
        &["request", "response", "payload", "parameter", "header", "query", "body", "status code", "error"],
    ),
    (
        Topic::States,
        &[
            "state machine", "status workflow", "lifecycle", "life cycle", "transition", "states", "statuses",
            "status flow", "state diagram", "status", "workflow",
        ],
    ),
    (Topic::Endpoints, &["endpoint", "rest api", "api", "routes", "http interface"]),
    (
        Topic::Events,
        &["events", "event driven", "event bus", "event catalog", "event schema", "event stream", "event flow", "event contract", "event type", "messaging", "topics", "pub sub", "event subscription", "kafka", "message queue", "async communication"],
    ),
    (
        Topic::Data,
        &[
            "data model", "entity", "entities", "required data", "key data", "domain model", "data shape", "schema", "data requirement",
            "data dictionary", "database", "collections", "tables", "models", "aggregate", "domain object",
            "core object", "core concept", "data structure", "data design", "class diagram", "er diagram", "erd",
            "fields", "attributes", "domain concept", "data entities", "data storage", "information model",
            "object model", "core domain", "domain entities", "columns",
        ],
    ),
    (
        Topic::Services,
        &["microservice", "services", "service", "bounded context", "components", "architecture", "modules"],
    ),
    (
        Topic::Features,
        &[
            "function", "feature", "use case", "user stor", "stories", "requirement", "capabilit", "scope",
            "responsibilit", "actions", "operations", "permissions", "what users can do", "mvp",
            "behaviour", "behavior", "workflows", "user flow", "epic", "roles",
        ],
    ),
];

/// Words that are no part of what is built where a heading consists of them, and may be where another noun follows:
/// `Performance` and `Performance requirements`, not `Performance reviews`.
const ASIDE_ALONE: &[&str] = &[
    "reference",
    "references",
    "technology",
    "deployment",
    "hosting",
    "audience",
    "performance",
    "testing",
    "environment",
    "migration",
    "migrations",
    "seed",
    "backup",
    "backups",
    "monitoring",
    "security",
    "scalability",
    "reliability",
    "usability",
    "maintainability",
    "accessibility",
    "compatibility",
    "availability",
    "portability",
    "modularity",
    "goals",
    "objectives",
    "vision",
    "glossary",
    "purpose",
];

/// Nouns behind such a word that leave it what it is.
const ASIDE_ENDS: &[&str] = &[
    "requirement",
    "requirements",
    "consideration",
    "considerations",
    "notes",
    "plan",
    "strategy",
    "goals",
    "targets",
    "and",
    "data",
    "setup",
    "environment",
    "environments",
    "variables",
    "stack",
    "constraints",
    "architecture",
    "tests",
    "approach",
    "steps",
    "guide",
    "testing",
    "performance",
    "security",
    "scalability",
    "reliability",
    "monitoring",
    "logging",
    "recovery",
    "deployment",
    "hosting",
    "audience",
    "materials",
    "documents",
    "compliance",
    "success",
    "metrics",
    "objectives",
    "non",
    "the",
    "of",
];

/// Whether a heading says nothing but that it is about what goes in or out.
fn is_payload(words: &[String]) -> bool {
    const WORDS: &[&str] = &[
        "request",
        "requests",
        "response",
        "responses",
        "payload",
        "payloads",
        "parameter",
        "parameters",
        "header",
        "headers",
        "query",
        "path",
        "body",
        "status",
        "code",
        "codes",
        "error",
        "errors",
        "example",
        "examples",
        "schema",
        "format",
        "success",
        "failure",
        "handling",
        "and",
        "of",
        "the",
        "json",
        "http",
        "url",
        "params",
        "fields",
        "data",
        "input",
        "output",
        "sample",
        "api",
        "message",
        "messages",
        "event",
    ];
    let said = words.iter().filter(|it| !it.chars().all(char::is_numeric));
    let ends = words.last().is_some_and(|it| ["body", "payload", "request", "response"].contains(&it.as_str()));
    let verb =
        words.first().is_some_and(|it| words::verb(it).is_some_and(|(base, _)| base == it) && !words::is_noun_too(it));
    said.clone().all(|it| WORDS.contains(&it.as_str())) || ends && verb
}

fn is_aside_alone(words: &[String]) -> bool {
    // `Feature goals` are features.
    if words.iter().any(|it| ["feature", "features", "functional"].contains(&it.as_str()))
        && !words.iter().any(|it| it == "non")
    {
        return false;
    }
    let Some(at) = words.iter().position(|it| ASIDE_ALONE.contains(&it.as_str())) else { return false };
    let rest = words[at + 1..].iter().all(|it| ASIDE_ENDS.contains(&it.as_str()));
    let number = |it: &String| it.chars().all(char::is_numeric) || it.len() == 1;
    let before = words[..at].iter().all(|it| number(it) || ASIDE_ENDS.contains(&it.as_str()));
    // `System performance`, but not `Staff performance`, `View goals`, `Dialog for completing goals`
    let own: Vec<&String> = words[..at].iter().filter(|it| !number(it)).collect();
    let testing = words[at] == "testing";
    let last = words.len() == at + 1
        && (testing
            || own.len() <= 2
                && own.iter().all(|it| {
                    ["user", "business"].contains(&it.as_str())
                        || !clauses::is_actor(it) && !["for", "of", "to", "in", "with", "epic"].contains(&it.as_str())
                })
                && own.first().is_none_or(|it| {
                    words::verb(it).is_none_or(|(base, _)| base != it.as_str()) || words::is_noun_too(it)
                }));
    rest && (before || last)
}

/// What one heading is about.
pub(super) fn topic_of(title: &str) -> Option<Topic> {
    // `OrderRequest` is a name, not about requests.
    let lower = title.to_lowercase();
    let split = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    let named = split(lower.split('(').next().unwrap_or(""));
    // How money is made, and what is feared, is no data.
    let other = ["business", "pricing", "revenue", "subscription", "threat", "security", "permission", "deployment"];
    let is_model = named.last().is_some_and(|it| it == "model" || it == "models");
    if is_model && named.len() >= 2 && other.contains(&named[named.len() - 2].as_str()) {
        return None;
    }
    if named.len() >= 2
        && named
            .last()
            .is_some_and(|it| ["model", "entity", "table", "collection", "fields", "attributes"].contains(&it.as_str()))
    {
        return Some(Topic::Data);
    }
    let words = split(&lower);
    // `Table reference` describes tables; `References` are other texts.
    if let [.., of, "reference"] = named.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        match words::singular(of).as_str() {
            "table" | "schema" | "entity" | "model" | "collection" | "field" | "column" | "database" => {
                return Some(Topic::Data);
            }
            "api" | "endpoint" | "route" => return Some(Topic::Endpoints),
            _ => {}
        }
    }
    let spelled: Vec<&str> = words.iter().map(String::as_str).filter(|it| !it.chars().all(char::is_numeric)).collect();
    if matches!(spelled.as_slice(), ["data"]) {
        return Some(Topic::Data);
    }
    if matches!(spelled.as_slice(), ["definitions", ..]) {
        return Some(Topic::Aside);
    }
    if words.len() > 1 && words.last().is_some_and(|it| it == "event") {
        return Some(Topic::Events);
    }
    if is_aside_alone(&words)
        || words.first().is_some_and(|it| it == "budget")
            && words.len() <= 3
            && words.get(1).is_none_or(|it| it == "and")
    {
        return Some(Topic::Aside);
    }
    let parts = parts_of(title);
    // The last words of a heading weigh most: `Order Service API` is about endpoints, `Event Schema` about events.
    TOPICS
        .iter()
        // `Query, export and reports` is about more than what goes in, and a `Help Request` is a thing.
        .filter(|(topic, _)| *topic != Topic::Payload || is_payload(&words))
        .filter(|(topic, _)| {
            *topic != Topic::Payload || words.iter().filter(|it| !it.chars().all(char::is_numeric)).count() <= 3
        })
        .find_map(|(topic, names)| {
            let says = |name: &&&str| match topic {
                Topic::Aside => is_about(&parts, name),
                _ => place_of(&words, name).is_some(),
            };
            names.iter().any(|name| says(&name)).then_some(*topic)
        })
}

/// Names of asides that are nothing else wherever a heading says them.
const PLAINLY: &[&str] = &[
    "out of scope",
    "non goal",
    "not in scope",
    "not implemented",
    "features to avoid",
    "do not implement",
    "scope exclusion",
    "non functional",
    "nonfunctional",
    "table of contents",
    "revision history",
    "definition of done",
    "tech stack",
    "nice to have",
];

/// Words before the name of an aside that leave it one: `Project risks`, `Known limitations`.
const BEFORE: &[&str] = &[
    "project",
    "key",
    "known",
    "system",
    "technical",
    "technology",
    "product",
    "business",
    "main",
    "major",
    "general",
    "current",
    "possible",
    "potential",
    "our",
    "design",
    "test",
    "development",
    "initial",
    "important",
    "open",
    "overall",
    "mvp",
    "v1",
    "external",
    "planned",
    "the",
    "and",
    "software",
    "core",
    "other",
    "user",
    "operational",
    "environment",
    "legal",
    "implementation",
    "scope",
    "critical",
    "features",
    "feature",
    "functionality",
    "items",
    "high",
    "level",
    "strategic",
    "primary",
    "security",
    "success",
    "code",
];

/// The parts of a heading, each with its words in lower case and without numbers: `Scope: 2 goals & risks` has three.
fn parts_of(title: &str) -> Vec<Vec<String>> {
    let parts = title.split(['(', ')', '—', '–', ':', '/', ',', '&']).flat_map(|it| it.split(" - "));
    let words = |part: &str| {
        let lower = part.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric());
        words.filter(|it| !it.is_empty() && !it.chars().all(char::is_numeric)).map(str::to_owned).collect()
    };
    parts.map(words).collect()
}

/// Where words say a name, the last of them perhaps with more letters: `known limitations` say `limitation`.
fn place_of(words: &[String], name: &str) -> Option<usize> {
    let (first, last) = name.rsplit_once(' ').unwrap_or(("", name));
    let before = first.split(' ').filter(|it| !it.is_empty());
    let count = before.clone().count();
    let says = |at: &usize| {
        words[at + count].starts_with(last) && before.clone().zip(&words[*at..]).all(|(name, word)| name == word)
    };
    (0..words.len().saturating_sub(count)).find(says)
}

/// Whether a heading of some parts is about the aside of a name rather than says the words of the name of something else:
/// `Risks` and `Project risks`, not `Burnout risk assessment` or `Store a value for later execution`.
fn is_about(parts: &[Vec<String>], name: &str) -> bool {
    let about = |words: &Vec<String>| {
        let Some(at) = place_of(words, name) else { return false };
        let mut said = name.split(' ');
        let first = said.next();
        let does = first.is_some_and(|it| it != words[0])
            && words::verb(&words[0]).is_some_and(|(base, _)| base == words[0])
            && !words::is_noun_too(&words[0])
            && words.len() > 1;
        PLAINLY.contains(&name)
            || !does && words[..at].iter().all(|it| BEFORE.contains(&it.as_str()) || it.len() == 1)
            || !does
                && at + 1 + said.count() == words.len()
                && at <= 2
                && !words.iter().any(|it| ["for", "of", "to"].contains(&it.as_str()))
    };
    parts.iter().any(about)
}

/// Sections that say what somebody wants to reach, beside others that say what troubles them: what is told of a person there is
/// what they do.
pub(super) fn goals_of_somebody(document: &Document) -> Vec<usize> {
    let is_said = |at: usize, of: &[&str]| {
        let title = document.title(at).trim_end_matches(':').to_lowercase();
        of.contains(&title.as_str())
    };
    let troubled: FxHashSet<usize> = (1..document.sections.len())
        .filter(|it| is_said(*it, &["frustrations", "pain points", "pains", "challenges", "pain"]))
        .map(|it| document.sections[it].parent)
        .collect();
    let goals = (1..document.sections.len()).filter(|it| is_said(*it, &["goals", "needs", "goals and needs", "tasks"]));
    goals.filter(|it| troubled.contains(&document.sections[*it].parent)).collect()
}

/// What a section is about: what the nearest heading says that says anything.
pub(super) fn topic(document: &Document, section: usize) -> Option<Topic> {
    document.around(section).find_map(|it| document.topics[it])
}

/// What a section is about by its own heading and those of sections around it, but for that of the whole document.
pub(super) fn topic_below_title(document: &Document, section: usize) -> Option<Topic> {
    document.around(section).filter(|it| !document.is_heading_of_all(*it)).find_map(|it| document.topics[it])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_not_always_of_data() {
        assert_eq!(topic_of("4.2 Data Models"), Some(Topic::Data));
        assert_eq!(topic_of("Order model"), Some(Topic::Data));
        assert_eq!(topic_of("8. Business Model"), None);
        assert_eq!(topic_of("Threat model"), None);
    }

    #[test]
    fn words_of_asides_are_not_always_asides() {
        for aside in [
            "Risks",
            "2. Project Risks",
            "Future Enhancements",
            "Features Deferred Beyond MVP",
            "Load Testing",
            "Business Goals",
        ] {
            assert_eq!(topic_of(aside), Some(Topic::Aside), "{aside}");
        }
        for other in ["Burnout Risk Assessment", "Store a value for later execution", "View Goals", "Staff Performance"]
        {
            assert_ne!(topic_of(other), Some(Topic::Aside), "{other}");
        }
    }
}
