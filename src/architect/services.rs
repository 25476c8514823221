//! Reading: which services there are, what they are built with, and what the product is called.

use super::document::{Document, Kind, Text};
use super::notes::Notes;
use super::topics::{self, Topic};
use super::words;

pub(super) fn read(document: &Document, notes: &mut Notes) {
    notes.product = product(document);
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if topics::is_aside(document, at) || document.is_heading_of_all(at) {
            continue;
        }
        if let Some(name) = named(&section.title.plain).or_else(|| coded(&section.title)) {
            notes.service(&name, section.line);
        } else if let Some(context) =
            section.title.plain.split_once("ounded Context").and_then(|(_, rest)| {
                topics::thing_named(&Text::of(rest.trim_start_matches([':', ' ', '-', '–', '—'])))
            })
        {
            notes.service(&context, section.line);
        }
    }
    // One `**QR Code Service**: …` alone may be a part of the program.
    let labelled = |it: &super::document::Block| match &it.kind {
        Kind::Item(text, _) => text.label().is_some_and(|(label, _)| named(label).is_some()),
        _ => false,
    };
    let labels = document.blocks.iter().filter(|it| labelled(it)).count();
    for block in &document.blocks {
        if topics::is_aside(document, block.section) {
            continue;
        }
        match &block.kind {
            Kind::Item(text, _) | Kind::Paragraph(text) => {
                // `apps/control-plane`: NestJS, port 3000
                if let (Kind::Item(..), Some((label, rest))) = (&block.kind, text.label())
                    && let Some(name) = ["apps/", "services/"].iter().find_map(|it| label.strip_prefix(it))
                    && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
                    && rest.trim_start().starts_with([':', '-', '–', '—', '('])
                {
                    let described = rest.trim_start_matches([':', '-', '–', '—', ' ']).replace('\n', " ");
                    let service = notes.service(name, block.line);
                    service.text.push_str(&(text.plain.clone() + "\n"));
                    if service.description.is_empty() {
                        service.description = described;
                    }
                }
                for code in text.codes().chain(text.strongs()) {
                    let is_name = is_service_name(code);
                    if is_name {
                        notes.service(code, block.line);
                    }
                }
                // `- order-service takes orders`, in a list of services
                if let (Kind::Item(..), Some((name, rest))) = (&block.kind, text.plain.trim().split_once(' '))
                    && is_service_name(name)
                    && topics::topic(document, block.section) == Some(Topic::Services)
                {
                    let described = rest.trim_start_matches([':', '-', '–', '—', ' ']).replace('\n', " ");
                    let service = notes.service(name, block.line);
                    service.text.push_str(&(text.plain.clone() + "\n"));
                    if service.description.is_empty() {
                        service.description = described;
                    }
                }
                if let (Kind::Item(..), Some((label, rest))) = (&block.kind, text.label())
                    && let Some(name) = named(label)
                    && !label.contains('/')
                    && (labels >= 2 || topics::topic(document, block.section) == Some(Topic::Services))
                {
                    let described = rest.trim_start_matches([':', '-', '–', '—', ' ']).replace('\n', " ");
                    let service = notes.service(&name, block.line);
                    service.text.push_str(&(text.plain.clone() + "\n"));
                    if service.description.is_empty() {
                        // `(Python, FastAPI): takes orders`
                        let stack = described.starts_with('(').then(|| described.split_once(')')).flatten();
                        let described = stack.map_or(described.as_str(), |it| it.1);
                        described.trim_start_matches([':', '-', '–', '—', ' ']).clone_into(&mut service.description);
                    }
                }
            }
            Kind::Table(head, rows) => {
                let is_service = |cell: &Text| {
                    let words = words::split(&cell.plain);
                    matches!(
                        words.join(" ").as_str(),
                        "service"
                            | "services"
                            | "microservice"
                            | "service name"
                            | "microservices"
                            | "bounded context"
                            | "context"
                    )
                };
                let Some(column) = head.iter().position(is_service) else { continue };
                let said = head.iter().position(|cell| {
                    ["responsibility", "responsibilities", "description", "purpose", "role"]
                        .contains(&words::split(&cell.plain).join(" ").as_str())
                });
                let services = topics::topic(document, block.section) == Some(Topic::Services) || head.len() > 1;
                // Of tables about something else, many rows may belong to one service.
                let one_row_each = column == 0 && said.is_some() && !head.iter().any(is_of_parts);
                let mut rows_of: Vec<(String, u32)> = Vec::new();
                for row in rows.iter().filter(|_| services) {
                    let Some(cell) = row.cells.get(column) else { continue };
                    let plain = cell.plain.trim();
                    let is_table_of_services = said.is_some() || is_service_name(plain) || named(plain).is_some();
                    let fits = is_table_of_services
                        && (1..=4).contains(&words::split(plain).len())
                        && !plain.contains(['/', ',']);
                    if fits && !is_external(plain) {
                        let name = named(plain).unwrap_or_else(|| plain.to_owned());
                        let description =
                            said.and_then(|at| row.cells.get(at)).map(|cell| cell.plain.trim().to_owned());
                        if let Some((_, first)) = rows_of.iter().find(|it| one_row_each && it.0 == words::kebab(&name))
                        {
                            let name = words::kebab(&name);
                            notes.issues.push(format!(
                                "WARNING: lines {first} and {} both describe a service `{name}`: they are taken for one; \
                                 give one of them another name if they are two",
                                row.line
                            ));
                        }
                        rows_of.push((words::kebab(&name), row.line));
                        let service = notes.service(&name, row.line);
                        if service.description.is_empty() {
                            service.description = description.unwrap_or_default();
                        }
                        let cells = row.cells.iter().map(|cell| cell.plain.as_str());
                        service.text.push_str(&(cells.collect::<Vec<_>>().join(" ") + "\n"));
                    }
                }
            }
            Kind::Code(..) => {}
        }
    }
    describe(document, notes);
}

/// Whether a column tells of parts of a service: its operations, its data, its messages.
fn is_of_parts(cell: &Text) -> bool {
    let parts =
        ["method", "path", "endpoint", "route", "operation", "entity", "field", "event", "topic", "channel", "table"];
    words::split(&cell.plain).iter().any(|it| parts.contains(&it.trim_end_matches('s')))
}

/// `order-service`
fn is_service_name(text: &str) -> bool {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let stem = ["-service", "-microservice", "_service"].iter().find_map(|end| lower.strip_suffix(end));
    stem.is_some_and(|stem| !stem.is_empty() && !["micro", "per", "multi", "inter", "self", "each"].contains(&stem))
        && text.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

fn coded(title: &Text) -> Option<String> {
    title.codes().find(|code| is_service_name(code)).map(str::to_owned)
}

/// Services of others.
fn is_external(text: &str) -> bool {
    let words = words::split(text);
    words.iter().any(|it| {
        ["external", "third", "stripe", "twilio", "sendgrid", "aws", "google", "paypal", "cloud"].contains(&it.as_str())
    })
}

/// The service that a heading or label names: `Service 2: order-service`, `3.1 Order Service`, `Notification Microservice`.
fn named(title: &str) -> Option<String> {
    #[rustfmt::skip]
    const NO_NAMES: &[&str] = &[
        "web", "email", "customer", "self", "terms", "of", "as", "a", "the", "each", "per", "external", "level",
        "business", "health", "windows", "domain", "application", "this", "shared", "other", "quality", "inter",
    ];
    let title = topics::without_number(title.trim()).trim_end_matches(':');
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
    let ends =
        words.last().is_some_and(|last| ["service", "microservice"].contains(&last.to_ascii_lowercase().as_str()));
    let before: Vec<String> = words.iter().map(|it| it.to_ascii_lowercase()).collect();
    let is_plain = before.first().is_some_and(|it| NO_NAMES.contains(&it.as_str())) && before.len() == 2;
    let fits = ends
        && (2..=4).contains(&words.len())
        && !is_plain
        && !is_external(title)
        && title.starts_with(char::is_uppercase);
    fits.then(|| title.to_owned())
}

/// The service that a section is about.
pub(super) fn of_section(document: &Document, notes: &Notes, section: usize) -> Option<String> {
    document.around(section).filter(|it| !document.is_heading_of_all(*it)).find_map(|it| {
        let title = &document.sections[it].title;
        let name = named(&title.plain).or_else(|| coded(title)).or_else(|| {
            let rest = title
                .plain
                .split_once("ounded Context")
                .map(|(_, rest)| rest.trim_start_matches([':', ' ', '-', '–', '—']))?;
            topics::thing_named(&Text::of(rest))
        });
        let name = name?;
        notes
            .services
            .iter()
            .find(|it| super::notes::service_key(&it.name) == super::notes::service_key(&name))
            .map(|it| it.name.clone())
    })
}

/// What each service does and is built with, from its own section.
fn describe(document: &Document, notes: &mut Notes) {
    for block in &document.blocks {
        let Some(name) = of_section(document, notes, block.section) else { continue };
        let text = match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => text.plain.replace('\n', " "),
            Kind::Table(_, rows) => rows
                .iter()
                .flat_map(|row| row.cells.iter())
                .map(|cell| cell.plain.as_str())
                .collect::<Vec<_>>()
                .join(" "),
            Kind::Code(..) => continue,
        };
        let service = notes.service(&name, block.line);
        if service.description.is_empty() && matches!(block.kind, Kind::Paragraph(_)) {
            service.description.clone_from(&text);
        }
        service.text.push_str(&text);
        service.text.push('\n');
    }
    let names: Vec<String> = notes.services.iter().map(|it| it.name.clone()).collect();
    for service in &mut notes.services {
        let said = words::split(&service.text);
        for name in names.iter().filter(|name| **name != service.name) {
            let name_words = words::split(name);
            if name_words.len() > 1 && said.windows(name_words.len()).any(|it| it == name_words.as_slice()) {
                service.needs.push(name.clone());
            }
        }
    }
}

/// Words that say what kind of document this is, or what kind of product.
#[rustfmt::skip]
const GENERIC: &[&str] = &[
    "prd", "srs", "product", "software", "requirements", "requirement", "specification", "specifications", "spec",
    "document", "documentation", "domain", "model", "data", "user", "stories", "story", "functional", "technical",
    "overview", "design", "api", "sample", "application", "version", "project", "system", "business", "brd", "frd",
    "for", "the", "of", "and", "a", "an", "mvp", "brief", "list", "full", "detailed", "doc", "docs", "v1", "high",
    "level", "microservices", "use", "cases", "case", "platform", "app", "feature", "features", "complete", "phase",
    "introduction", "non", "backend", "endpoints", "notes", "reference", "table", "contents", "models", "schemas",
    "tables", "entities", "relationships", "relationship", "v2", "draft",
];

/// What the product is called: its title without the words that any such document has, else what the text says it is.
fn product(document: &Document) -> Option<String> {
    // `# Software Requirements Specification` with `## Order Control System` right below it
    let empty = !document.blocks.iter().any(|block| block.section == 1);
    let subtitle = document.sections.iter().skip(2).take(1).filter(|it| empty && it.level == 2 && it.parent == 1);
    let titles = document.sections.iter().skip(1).take(1).chain(subtitle);
    for title in titles {
        let title = title.title.plain.split('(').next().unwrap_or("").trim_end_matches(".md").replace('_', " ");
        for part in title.split(['—', '–', ':', '|']).flat_map(|part| part.split(" - ")) {
            let words: Vec<&str> = part.split_whitespace().collect();
            let told = |word: &&str| {
                !GENERIC.contains(&words::split(word).join(" ").as_str()) && word.chars().any(char::is_alphabetic)
            };
            let telling = words.iter().filter(|it| told(it)).count();
            if telling == 0 || telling > 4 {
                continue;
            }
            let strip = |word: &&&str| {
                !told(word)
                    && !["system", "platform", "app", "application"].contains(&word.to_ascii_lowercase().as_str())
            };
            let start = words.iter().take_while(strip).count();
            let end = words.iter().rev().take_while(strip).count();
            let name = words[start..words.len() - end].join(" ");
            let is_heading =
                ["introduction", "overview", "purpose", "admin", "doctor", "context", "goal", "summary", "vision"]
                    .contains(&name.to_ascii_lowercase().as_str());
            if !name.is_empty() && !is_heading && words::split(&name).len() <= 5 {
                return Some(name);
            }
        }
    }
    said_to_be(document)
}

/// `SentinelStream provides a …`, `The Shop backend has …`, at the beginning of the first paragraphs.
fn first_subject(document: &Document) -> Option<String> {
    const VERBS: &str = "provides enables allows helps lets offers keeps supports manages aims is connects tracks";
    const KINDS: &str = "backend system platform application app api service";
    const NOBODY: &str =
        "This The It There These Here Each Every All A An In Users User We Our You Functional Requirements";
    let paragraphs = document.blocks.iter().filter_map(|block| match &block.kind {
        Kind::Paragraph(text) => Some(text.plain.as_str()),
        _ => None,
    });
    let is_in = |list: &str, word: &str| list.split_whitespace().any(|it| it == word);
    for paragraph in paragraphs.take(4) {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let words = if words.first().is_some_and(|it| *it == "The") { &words[1..] } else { &words[..] };
        let names: Vec<&str> = words
            .iter()
            .take_while(|it| {
                it.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
                    && it.chars().all(char::is_alphanumeric)
            })
            .copied()
            .collect();
        let next = words.get(names.len()).copied().unwrap_or("");
        let Some(first) = names.first().filter(|it| names.len() <= 3 && !is_in(NOBODY, it)) else { continue };
        let again = || {
            document.blocks.iter().skip(1).any(|it| match &it.kind {
                Kind::Paragraph(text) | Kind::Item(text, _) => text.plain.contains(*first),
                _ => false,
            })
        };
        let is_name =
            is_in(KINDS, next) || is_in(VERBS, next) && (names.len() > 1 || words::split(first).len() > 1 || again());
        if is_name {
            return Some(names.join(" "));
        }
    }
    None
}

/// `Trackly is a platform that …`, `for a **Property Management System**`, `to create an online storefront to …`
fn said_to_be(document: &Document) -> Option<String> {
    #[rustfmt::skip]
    const KINDS: &[&str] = &[
        "system", "platform", "application", "app", "api", "website", "marketplace", "portal", "tool", "saas", "mvp",
        "service", "solution",
    ];
    if let Some(name) = first_subject(document) {
        return Some(name);
    }
    let paragraphs = || {
        document.blocks.iter().take(60).filter_map(|block| match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => Some(text),
            _ => None,
        })
    };
    for text in paragraphs() {
        for strong in text.strongs() {
            let words: Vec<&str> = strong.split_whitespace().collect();
            let kind = words.last().is_some_and(|last| KINDS.contains(&last.to_ascii_lowercase().as_str()));
            if kind && (2..=5).contains(&words.len()) && words.iter().all(|it| it.starts_with(char::is_uppercase)) {
                return Some(strong.to_owned());
            }
        }
    }
    for line in paragraphs().flat_map(|text| text.plain.lines()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        for (at, window) in words.windows(2).enumerate() {
            if !matches!(window, ["is", "a" | "an"]) {
                continue;
            }
            let is_product = words[at + 2..].iter().take(8).any(|it| {
                KINDS.contains(&it.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase().as_str())
            });
            let names: Vec<&str> = words[..at]
                .iter()
                .rev()
                .take_while(|it| it.starts_with(char::is_uppercase) && !it.ends_with('.'))
                .copied()
                .collect();
            if is_product && (1..=3).contains(&names.len()) {
                let name = names.into_iter().rev().collect::<Vec<_>>().join(" ");
                if !["This", "It", "The", "There", "Here"].contains(&name.as_str()) {
                    return Some(name.trim_start_matches("The ").to_owned());
                }
            }
        }
        for (at, word) in words.iter().enumerate() {
            let builds = ["create", "build", "develop", "creating", "building", "developing"]
                .contains(&word.to_ascii_lowercase().as_str());
            let aimed = at.checked_sub(1).is_some_and(|before| words[before].eq_ignore_ascii_case("to"));
            // What somebody wants to create is a thing of the product.
            let wanted = words[..at].iter().any(|it| it.eq_ignore_ascii_case("i") || *it == "users");
            if builds && aimed && !wanted && matches!(words.get(at + 1), Some(&"a" | &"an")) {
                let name: Vec<&str> = words[at + 2..]
                    .iter()
                    .skip_while(|it| {
                        ["online", "simple", "new", "web", "small", "modern"]
                            .contains(&it.to_ascii_lowercase().as_str())
                    })
                    .take_while(|it| !words::ends_object(it.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'')))
                    .take(3)
                    .copied()
                    .collect();
                if !name.is_empty() {
                    return Some(name.join(" "));
                }
            }
        }
    }
    // What users use, by a name that no dictionary has: said again and again.
    let all: String = document
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => Some(text.plain.replace('\n', " ")),
            Kind::Code(language, text) if language.is_empty() => Some(text.replace('\n', " ")),
            _ => None,
        })
        .collect::<Vec<_>>()
        .join(" ");
    let words: Vec<&str> = all.split_whitespace().collect();
    for marker in ["use", "with", "using"] {
        let named = words.windows(2).filter(|it| it[0].eq_ignore_ascii_case(marker)).map(|it| it[1]);
        for name in named {
            let clean = name.trim_matches(|c: char| !c.is_alphanumeric());
            let acronym = clean.len() >= 4 && clean.chars().all(char::is_uppercase);
            let again = words.windows(2).filter(|it| it[0].eq_ignore_ascii_case(marker) && it[1] == name).count() >= 2
                && name.ends_with([',', '.']);
            if !words::is_determiner(clean) && (acronym || again) {
                return Some(clean.to_owned());
            }
        }
    }
    None
}
