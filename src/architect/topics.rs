//! What a section is about, as its headings say, and the name of the thing that a heading is about.

use rustc_hash::FxHashSet;

use super::document::{Document, Kind, Section, Text};
use super::{clauses, entities, words};

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
    let spelled: Vec<&str> = words.iter().map(String::as_str).filter(|it| !it.chars().all(char::is_numeric)).collect();
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

/// Of each section, whether it is about what is not built, or not now.
pub(super) fn excluded(document: &Document) -> Vec<bool> {
    const WORDS: &[&str] = &[
        "out of scope",
        "non goal",
        "not in scope",
        "future",
        "later",
        "nice to have",
        "exclude",
        "not implemented",
        "roadmap",
        "risk",
        "open question",
        "competitor",
        "features to avoid",
        "scope exclusion",
        "open item",
        "deferred",
        "postponed",
        "technical debt",
        "improvement",
        "enhancement",
    ];
    let tells = tells_stories(document);
    // Whether the heading says so, and whether it says so by the word risk alone.
    let says = |at: usize| {
        let parts = parts_of(document.title(at));
        let mut said = WORDS.iter().filter(|word| !document.is_heading_of_all(at) && is_about(&parts, word));
        let first = said.next().copied();
        (first.is_some(), first == Some("risk") && said.next().is_none())
    };
    let own: Vec<(bool, bool)> = (0..document.sections.len()).map(says).collect();
    // `Fraud & Risk Management` above stories is a part of the product.
    let is_out = |section: usize, at: usize| own[at].0 && !(own[at].1 && tells[section]);
    (0..own.len()).map(|section| document.around(section).any(|it| is_out(section, it))).collect()
}

/// Of each section, whether the section tells stories, or one below does: `As an auditor, I want to view audit logs`.
fn tells_stories(document: &Document) -> Vec<bool> {
    let mut tells = vec![false; document.sections.len()];
    for block in &document.blocks {
        let (Kind::Paragraph(text) | Kind::Item(text, _)) = &block.kind else { continue };
        let said = text.plain.trim_start().to_ascii_lowercase();
        let attacks = said.contains("attacker") || said.contains("malicious");
        let begins = !attacks && said.starts_with("as a ") || said.starts_with("as an ") || said.starts_with("as the ");
        if begins
            && [" i want", " i can ", " i need", " i should be able"]
                .iter()
                .any(|it| said.replace('\n', " ").contains(it))
        {
            document.around(block.section).for_each(|it| tells[it] = true);
        }
    }
    tells
}

/// Of each section, whether a line in it says that fields follow: `Suggested fields:`.
pub(super) fn fielded(document: &Document) -> Vec<bool> {
    let mut found = vec![false; document.sections.len()];
    for block in &document.blocks {
        if let Kind::Paragraph(text) = &block.kind {
            found[block.section] |= text.plain.trim_end().ends_with(':') && says_fields(&text.plain);
        }
    }
    found
}

/// Whether a caption calls what follows fields.
pub(super) fn says_fields(caption: &str) -> bool {
    const WORDS: &[&str] = &["field", "fields", "attributes", "columns", "properties"];
    words::split(caption).iter().any(|it| WORDS.contains(&it.as_str()))
}

/// Whether a caption calls what follows values of one member: `Transaction types:`.
pub(super) fn says_values(caption: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] =
        &["types", "kinds", "statuses", "states", "roles", "modes", "levels", "priorities", "reasons", "methods", "actions"];
    words::split(caption).last().is_some_and(|it| WORDS.contains(&it.as_str()))
}

/// Of each section, whether its heading is a name in code and its columns stand below: a table of a database, also below
/// `Tasks, milestones & dependencies`.
fn tables_by_name(document: &Document) -> Vec<bool> {
    let named = |it: &Section| {
        let name = it.title.plain.trim();
        it.title.codes().eq([name]) && name.chars().all(|it| it.is_alphanumeric() || it == '_')
    };
    let named: Vec<bool> = document.sections.iter().map(named).collect();
    let mut found = vec![false; named.len()];
    for block in document.blocks.iter().filter(|it| named[it.section]) {
        found[block.section] |= match &block.kind {
            Kind::Table(head, rows) => {
                let says = |it: &str| ["column", "field"].contains(&it.trim().to_ascii_lowercase().as_str());
                rows.len() > 1 && head.first().is_some_and(|it| says(&it.plain))
            }
            Kind::Paragraph(text) => text.plain.contains('·') && text.codes().nth(2).is_some(),
            Kind::Item(..) | Kind::Code(..) => false,
        };
    }
    found
}

/// Of each section, whether it is about nothing that is to be built.
pub(super) fn asides(document: &Document) -> Vec<bool> {
    let titles = document.sections.iter().map(|it| words::split(&it.title.plain));
    // A line in bold that says `Functional Requirements` stands below whatever heading was the last.
    let begins = |at: usize, said: &[String]| {
        document.sections[at].level >= 7
            && said.last().is_some_and(|it| it == "requirements" || it == "features")
            && !said.iter().any(|it| it == "non" || it == "nonfunctional")
    };
    // A data model stands for itself, also below `Architecture & tech stack`.
    let is_model = |at: usize, said: &[String]| {
        document.topics[at] == Some(Topic::Data)
            && said.iter().any(|it| ["model", "models", "entities", "schema"].contains(&it.as_str()))
    };
    let titles: Vec<(bool, bool)> =
        titles.enumerate().map(|(at, said)| (begins(at, &said), is_model(at, &said))).collect();
    let tells = tells_stories(document);
    // `Audit & Security` above stories is a part of the product.
    let is_feature = |at: usize| {
        let words = words::split(document.title(at));
        words.iter().any(|it| ["security", "audit", "risk"].contains(&it.as_str()))
            && !words.iter().any(|it| it == "non")
    };
    let tables = tables_by_name(document);
    let is_aside = |section: usize| {
        let excluded = document.excluded[section];
        if tables[section] && !excluded {
            return false;
        }
        if !excluded && document.around(section).any(|it| titles[it].0) {
            let own = document.around(section).take_while(|it| !titles[*it].0);
            return own.into_iter().any(|it| document.topics[it] == Some(Topic::Aside));
        }
        let nearest = document.around(section).find(|it| document.topics[*it].is_some());
        if !excluded && nearest.is_some_and(|it| titles[it].1) {
            return false;
        }
        let mut around = document.around(section).filter(|it| !document.is_heading_of_all(*it));
        around.any(|it| document.topics[it] == Some(Topic::Aside) && !(tells[section] && is_feature(it)))
    };
    (0..titles.len()).map(is_aside).collect()
}

/// What forms are for that enter nothing.
const SIGNING: &[&str] =
    &["login", "sign", "signin", "signup", "registration", "register", "search", "filter", "password"];

/// Words of headings that say what kind of thing is described, not which one.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "core", "entity", "entities", "table", "tables", "model", "models", "schema", "schemas", "fields", "field",
    "attributes", "attribute", "collection", "collections", "columns", "data", "object", "objects", "the",
    "definition", "definitions", "structure", "shape", "shapes", "document", "documents", "aggregate", "root",
    "class", "properties", "database", "representation", "domain", "and", "main", "key", "relational", "dictionary", "metadata",
    "requirements", "er", "erd", "diagram", "state", "machine", "states", "status", "lifecycle", "workflow",
    "transitions", "statuses", "overview", "relationships", "description", "details", "information", "sql", "ddl",
    "prisma", "value", "of", "for", "logical", "physical", "conceptual", "design", "storage", "specification",
    "life", "cycle", "flow", "values", "interface", "interfaces", "type", "types", "new", "a", "an", "concepts",
    "example", "allowed", "proposed", "supporting", "additional", "other", "secondary", "auxiliary",
];

/// The name of a table or document, without the schema that it lies in: `po.vendor` is `vendor`. None for a name of a file.
pub(super) fn table_of(code: &str) -> Option<&str> {
    const FILES: &[&str] = &[
        "ts", "tsx", "js", "jsx", "py", "cs", "sql", "md", "json", "yaml", "yml", "html", "css", "prisma", "txt", "env",
    ];
    let is_name =
        |it: &str| it.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') && !words::split(it).is_empty();
    match code.rsplit_once('.') {
        None => is_name(code).then_some(code),
        Some((schema, name)) => {
            let lower = |it: &str| it.starts_with(char::is_lowercase) && is_name(it);
            (lower(schema) && lower(name) && !FILES.contains(&name)).then_some(name)
        }
    }
}

/// The collection that a path in a store of documents names: `rounds/{roundId}/stops` keeps stops.
fn collection_of(code: &str) -> Option<&str> {
    let parts: Vec<&str> = code.split('/').filter(|it| !it.is_empty()).collect();
    let is_key = |it: &&str| it.starts_with('{') && it.ends_with('}') || it.starts_with(':');
    let plain = |it: &&str| is_key(it) || it.chars().all(|c| c.is_alphanumeric() || c == '_');
    let keyed = parts.len() >= 2 && !code.starts_with('/') && parts.iter().any(is_key) && parts.iter().all(plain);
    parts.into_iter().rev().find(|it| keyed && !is_key(it))
}

/// The thing that a heading names: `### 4.2 Order Item Table` is about `Order Item`.
pub(super) fn thing_named(title: &Text) -> Option<String> {
    let codes: Vec<&str> = title.codes().filter_map(|it| collection_of(it).or_else(|| table_of(it))).collect();
    if let [code] = codes.as_slice() {
        return Some((*code).to_owned());
    }
    let text = without_number(title.plain.trim());
    let text = quoted(text).unwrap_or(text);
    let text = text.split(['(', '[']).next().unwrap_or(text);
    let parts: Vec<&str> = text.split([':', '—', '–']).flat_map(|part| part.split(" - ")).collect();
    // `Orders + Order Items` are two.
    parts.iter().enumerate().filter(|it| !it.1.contains(" + ")).find_map(|(at, part)| {
        let mut words: Vec<&str> = part
            .split_whitespace()
            .map(|it| it.trim_matches(|c: char| !c.is_alphanumeric()))
            .filter(|it| !it.is_empty())
            .collect();
        let is_kind = |word: &str| KINDS.contains(&word.to_ascii_lowercase().as_str());
        // `Edit invoice`, `Booking form`: where a thing is entered.
        let says =
            |word: Option<&&str>, of: &[&str]| word.is_some_and(|it| of.contains(&it.to_ascii_lowercase().as_str()));
        if words.len() > 1 && says(words.first(), &["edit", "add"]) {
            words.remove(0);
        }
        if words.len() > 1 && says(words.last(), &["form"]) && !says(words.first(), SIGNING) {
            words.pop();
        }
        if words.len() > 1 && says_values(part) {
            return None;
        }
        while words.first().is_some_and(|word| is_kind(word)) {
            words.remove(0);
        }
        while words.last().is_some_and(|word| is_kind(word)) {
            words.pop();
        }
        // A `Documents Table` is one of documents.
        let kinds: Vec<&str> = part.split_whitespace().collect();
        if let ([name, kind], true) = (kinds.as_slice(), words.is_empty())
            && ["document", "documents"].contains(&name.to_ascii_lowercase().as_str())
            && ["table", "entity", "collection"].contains(&kind.to_ascii_lowercase().as_str())
        {
            words.push(name);
        }
        // `Response schema — OrderReadResponse` describes an order.
        let is_body =
            |word: &str| ["response", "request", "payload", "body"].iter().any(|it| word.eq_ignore_ascii_case(it));
        if let [only] = words.as_slice()
            && is_body(only)
            && let Some(form) = parts.get(at + 1).and_then(|it| it.split_whitespace().next())
            && form.matches(char::is_uppercase).count() >= 2
        {
            let thing = entities::without_role(form);
            if thing != form {
                return Some(thing).filter(|it| !words::ends_object(it));
            }
        }
        let titled = words.iter().all(|word| word.starts_with(char::is_uppercase));
        let fits = (1..=if titled { 4 } else { 3 }).contains(&words.len())
            && words.iter().all(|word| {
                word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/')) && !words::ends_object(word)
            })
            && words[0].chars().any(char::is_alphabetic);
        fits.then(|| words.join(" "))
    })
}

/// What stands in quotes behind the word for a form and its number: `Form F1 "New consignment"`.
fn quoted(title: &str) -> Option<&str> {
    let (before, rest) = title.split_once(['"', '“', '„'])?;
    let kind = before.split_whitespace().next()?.to_ascii_lowercase();
    let is_form = ["form", "screen", "page", "dialog", "dialogue", "view", "mask"].contains(&kind.as_str());
    Some(rest.trim_end_matches(['"', '”', '“'])).filter(|it| is_form && !it.contains(['"', '”']))
}

/// A heading without its number, and without what only decorates it: `### 3.1. 📦 Orders`.
pub(super) fn without_number(title: &str) -> &str {
    let title = title.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/' && c != '{');
    let end = title.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(0);
    let rest = &title[end..];
    // `4a. Prices`
    let lettered = rest.strip_prefix(|c: char| c.is_ascii_lowercase()).filter(|it| it.starts_with(['.', ')']));
    let rest = lettered.filter(|_| end > 0 && !title[..end].contains('.')).map_or(rest, |it| &it[1..]);
    let numbered = end > 0 && rest.starts_with([' ', ')', '-', ':']);
    if numbered { rest.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/') } else { title }
}

/// Headings that describe several things, or none.
pub(super) fn is_plain_heading(title: &str) -> bool {
    thing_named(&Text::of(title)).is_none()
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

    #[test]
    fn headings_name_things() {
        let named = |title: &str| thing_named(&Text::of(title));
        assert_eq!(named("4.2 Order Item Table").as_deref(), Some("Order Item"));
        assert_eq!(named("Core Entity: JobApplication").as_deref(), Some("JobApplication"));
        assert_eq!(named("Users").as_deref(), Some("Users"));
        assert_eq!(named("Claim State Machine").as_deref(), Some("Claim"));
        assert_eq!(named("3. Data Model"), None);
        assert_eq!(named("4.2.2 Documents Table").as_deref(), Some("Documents"));
        assert_eq!(named("Document Structure"), None);
        assert_eq!(named("Entities and Relationships"), None);
    }
}
