//! Names of services.

use crate::architect::document::Text;
use crate::architect::{topics, words};

/// What is said of services, or done with them, and names none: `cross-service`, `Stateless Service`, `restart-service`.
#[rustfmt::skip]
const NO_NAMES: &[&str] = &[
    "micro", "per", "multi", "inter", "intra", "self", "each", "cross", "target", "upstream", "downstream", "add", "get", "create",
    "update", "delete", "stateless", "stateful", "read-oriented", "write-oriented", "god", "central", "monolithic", "restart", "rebuild",
    "start", "stop", "run", "deploy", "build", "scale", "service", "services", "managed", "running", "same", "whole", "entire",
    "specific", "respective", "corresponding",
];

/// Whether a word that stands alone before `service` makes no name of a service.
fn is_no_name(word: &str) -> bool {
    NO_NAMES.contains(&word)
}

/// `order-service`, not `database-per-service`
pub(super) fn is_service_name(text: &str) -> bool {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    if lower.split(['-', '_']).any(|it| ["per", "each", "of", "to"].contains(&it)) {
        return false;
    }
    let stem = ["-service", "-microservice", "_service", "-svc"].iter().find_map(|end| lower.strip_suffix(end));
    stem.is_some_and(|stem| !stem.is_empty() && !is_no_name(stem))
        && text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

pub(super) fn coded(title: &Text) -> Option<String> {
    title.codes().find(|code| is_service_name(code)).map(str::to_owned)
}

/// Services of others.
pub(super) fn is_external(text: &str) -> bool {
    let words = words::split(text);
    words.iter().any(|it| {
        [
            "external",
            "third",
            "stripe",
            "twilio",
            "sendgrid",
            "aws",
            "google",
            "paypal",
            "cloud",
            "azure",
            "kubernetes",
            "docker",
        ]
        .contains(&it.as_str())
    })
}

/// The service that a heading or label names: `Service 2: order-service`, `3.1 Order Service`, `Notification Microservice`.
pub(super) fn named(title: &str) -> Option<String> {
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        "web", "email", "customer", "self", "terms", "of", "as", "a", "the", "each", "per", "external", "level",
        "business", "health", "windows", "domain", "application", "this", "shared", "other", "quality", "inter",
    ];
    // `Gateway ⇄ Auth Service`
    if title.contains(is_arrow) {
        return None;
    }
    // `1. 🛡️ Auth Service`
    let title = topics::without_number(title.trim()).trim_matches(is_sign).trim_end_matches(':');
    let title = title.split(['(', '—', '–']).next().unwrap_or(title).trim();
    let lower = title.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("service ").or_else(|| lower.strip_prefix("microservice ")) {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace() || ":.-".contains(c));
        if !rest.is_empty() && rest.split_whitespace().count() <= 3 && lower.contains(':') {
            return Some(rest.to_owned());
        }
        return None;
    }
    let title = title.split(':').next().unwrap_or(title).trim();
    if is_service_name(title) {
        return Some(title.to_owned());
    }
    let words: Vec<&str> = title.split_whitespace().collect();
    let ends = words
        .last()
        .is_some_and(|last| ["service", "microservice", "svc"].contains(&last.to_ascii_lowercase().as_str()));
    let before: Vec<String> = words.iter().map(|it| it.to_ascii_lowercase()).collect();
    // `Example Endpoints by Service`
    let about = before.iter().any(|it| ["by", "per", "each", "every", "of", "optional"].contains(&it.as_str()));
    let is_plain =
        before.first().is_some_and(|it| OTHERS.contains(&it.as_str()) || is_no_name(it)) && before.len() == 2;
    let fits = ends
        && (2..=4).contains(&words.len())
        && !is_plain
        && !about
        && !is_external(title)
        && title.starts_with(char::is_uppercase);
    fits.then(|| title.to_owned())
}

fn is_arrow(c: char) -> bool {
    ['→', '⇄', '↔', '⇒', '>', '←'].contains(&c)
}

/// Whether a character decorates a name and is no part of the name: `🛡️`.
fn is_sign(c: char) -> bool {
    c.is_whitespace() || !c.is_ascii() && !c.is_alphanumeric()
}

/// The service that a name means where a text speaks of services: also `API Gateway`, `OrderService`, `Email Service`,
/// `Identity & Access (IAM) Service`. None where the name does not end like that of a service.
pub(super) fn among(name: &str) -> Option<String> {
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        "a", "all", "and", "any", "as", "both", "by", "cloud", "core", "domain", "each", "every", "external", "for", "from", "in",
        "inter", "internal", "main", "micro", "multi", "no", "of", "one", "other", "our", "per", "quality", "self", "shared",
        "support", "supporting", "terms", "the", "their", "these", "third", "this", "to", "two", "which", "with", "your",
        "business", "level", "application", "backend", "optional", "existing", "dedicated", "downstream", "independent", "separate", "single", "individual", "new",
    ];
    let name = topics::without_number(name.trim()).trim_matches(is_sign);
    // `Order placed → Notification Service`
    if name.contains(is_arrow) {
        return None;
    }
    let name = name.split(['—', '–', ':', '/']).next()?.split(" - ").next()?;
    let name = without_bracket(name);
    let mut words: Vec<String> = name.split_whitespace().map(|it| it.trim_matches(is_sign).to_owned()).collect();
    words.retain(|it| !it.is_empty());
    if let [one] = words.as_slice()
        && one.chars().all(char::is_alphanumeric)
        && one.starts_with(char::is_uppercase)
    {
        words = words::split(one).iter().map(|it| capitalised(it)).collect();
    }
    let lower: Vec<String> = words.iter().map(|it| it.to_lowercase()).collect();
    let (last, before) = lower.split_last()?;
    let gateway = last == "gateway"
        && matches!(before, [] | [_])
        && before.iter().all(|it| ["api", "edge"].contains(&it.as_str()));
    let ends = ["service", "microservice", "services", "svc"].contains(&last.as_str());
    let fits = gateway
        || ends
            && (1..=5).contains(&before.iter().filter(|it| !["&", "and"].contains(&it.as_str())).count())
            && words[..before.len()]
                .iter()
                .all(|it| it.starts_with(char::is_uppercase) || ["&", "and"].contains(&it.as_str()))
            // `Service Service` is a row of boxes.
            && !before.iter().all(|it| is_no_name(it))
            && !before.iter().any(|it| it == "service")
            && !before.iter().any(|it| it != "and" && OTHERS.contains(&it.as_str()))
            && !is_external(&name);
    fits.then(|| words.join(" "))
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `Vendor (hotel) service` without what stands in brackets.
pub(super) fn without_bracket(name: &str) -> String {
    let bracket = name.find('(').and_then(|from| Some((from, from + name[from..].find(')')?)));
    let name = bracket.map_or_else(|| name.to_owned(), |(from, to)| format!("{} {}", &name[..from], &name[to + 1..]));
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Services that a text labels as who sends and who takes messages: `Producer: **orders**  Consumers: **billing**, **mail**`.
pub(super) fn parties(text: &Text) -> Vec<String> {
    const LABELS: &[&str] = &[
        "producer:",
        "producers:",
        "consumer:",
        "consumers:",
        "publisher:",
        "publishers:",
        "subscriber:",
        "subscribers:",
    ];
    let lower = text.plain.to_ascii_lowercase();
    let places: Vec<usize> = LABELS.iter().flat_map(|it| lower.match_indices(it).map(|(at, _)| at)).collect();
    let is_name = |it: &&str| {
        it.len() >= 3 && it.starts_with(char::is_alphabetic) && it.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let behind = |name: &&str| {
        let Some(at) = text.plain.find(*name) else { return false };
        // Nothing but other names stands between the label and the name.
        places
            .iter()
            .filter(|it| **it < at)
            .max()
            .is_some_and(|it| !text.plain[*it..at].contains(['.', '\n', '|', '(']))
    };
    text.strongs().chain(text.codes()).filter(is_name).filter(behind).map(str::to_owned).collect()
}
