//! What the product is called.

use rustc_hash::FxHashSet;

use crate::architect::document::{Document, Kind};
use crate::architect::words;

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
pub(super) fn product(document: &Document) -> Option<String> {
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

/// Keys of what the text calls its parts: who does something in `THE Expense_Tracker SHALL display …`, written as one word.
pub(super) fn systems(document: &Document) -> FxHashSet<String> {
    let mut found = FxHashSet::default();
    for block in &document.blocks {
        let (Kind::Paragraph(text) | Kind::Item(text, _)) = &block.kind else { continue };
        let words: Vec<&str> = text.plain.split_whitespace().collect();
        for pair in words.windows(2) {
            let shall = ["shall", "must"].contains(&pair[1].to_ascii_lowercase().as_str());
            if shall && pair[0].contains('_') && pair[0].starts_with(char::is_uppercase) {
                found.insert(words::key(pair[0]));
            }
        }
    }
    found
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
