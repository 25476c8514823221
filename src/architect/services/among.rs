//! Services of a text that speaks of microservices, however it names them: in its headings, as labels, in a diagram, in a sentence.

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::catalogue;
use super::names::{among, is_service_name, without_bracket};
use crate::architect::document::{Document, Kind, Text};
use crate::architect::notes::Notes;
use crate::architect::{drawn, events, stack, topics, words};

/// Tells of the services of a document that one form of texts names, each with its line.
type Reading = fn(&Document, &mut dyn FnMut(String, u32));

/// Notes services that are named in a looser way than elsewhere, in a text that speaks of microservices and names several.
pub(super) fn read(document: &Document, notes: &mut Notes) {
    for reading in [by_parts as Reading, by_headings, by_messages] {
        let mut found: IndexMap<String, u32> = IndexMap::new();
        reading(document, &mut |name, line| {
            found.entry(name).or_insert(line);
        });
        if found.len() >= 2 {
            for (name, line) in &found {
                notes.service(name, *line);
            }
        }
    }
    if !speaks_of_them(document) {
        return;
    }
    // Names by their keys, each with its line.
    let mut found: IndexMap<String, u32> = IndexMap::new();
    let mut note = |name: Option<String>, line: u32| {
        if let Some(name) = name {
            found.entry(name).or_insert(line);
        }
    };
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if !document.asides[at] && !document.is_heading_of_all(at) {
            note(among(&section.title.plain), section.line);
        }
    }
    for block in document.blocks.iter().filter(|it| !document.asides[it.section]) {
        match &block.kind {
            Kind::Item(text, _) => {
                note(
                    text.codes().find(|it| ["api-gateway", "gateway"].contains(it)).map(|_| "API Gateway".to_owned()),
                    block.line,
                );
                note(text.label().and_then(|(label, _)| among(label)), block.line);
                note(among(&text.plain), block.line);
                said(text, |name| note(Some(name), block.line));
            }
            Kind::Paragraph(text) => {
                for line in text.plain.lines() {
                    note(among(line.trim_start_matches(['-', '*', '•', ' '])), block.line);
                }
                said(text, |name| note(Some(name), block.line));
            }
            // `subgraph Auth["Auth service"]`, `| Order Service |` in a drawing
            Kind::Code(language, code) if ["", "mermaid", "text", "txt", "plantuml"].contains(&language.as_str()) => {
                // A box with `Order` and `Service` below. The first line of a block is that of its language.
                let number = |at: usize| block.line + 1 + u32::try_from(at).unwrap_or(0);
                let boxes = drawn::texts(code);
                for it in
                    boxes.iter().filter(|it| ["service", "microservice"].contains(&it.text.to_lowercase().as_str()))
                {
                    let title = it.below.map(|it| boxes[it].text.as_str()).unwrap_or_default();
                    note(among(&format!("{title} Service")), number(it.line));
                }
                for (at, line) in code.lines().enumerate() {
                    for part in parts(line) {
                        note(among(without_database(part)).filter(|_| part.contains(' ')), number(at));
                    }
                }
            }
            Kind::Table(..) | Kind::Code(..) => {}
        }
    }
    // A plural may mean the services of a kind; `**User Services**:` is one where its list names all so.
    let plural = |name: &str| name.ends_with(['s', 'S']);
    let plurals = found.keys().filter(|it| plural(it)).count();
    let singles = found.keys().filter(|it| !plural(it)).filter(|it| !it.ends_with("Gateway")).count();
    let all_plural = plurals >= 2 && singles == 0;
    found.retain(|name, _| all_plural || !plural(name));
    let one = |name: &str| name.strip_suffix("ervices").map_or_else(|| name.to_owned(), |it| format!("{it}ervice"));
    if notes.services.len() + found.keys().filter(|it| !it.ends_with("Gateway")).count() >= 2 {
        for (name, line) in &found {
            notes.service(&one(name), *line);
        }
        notes.services.sort_by_key(|it| it.line);
    }
}

fn speaks_of_them(document: &Document) -> bool {
    let says = |text: &str| {
        let text = text.to_lowercase();
        ["microservice", "micro-service", "inter-service", "cross-service", "per-service", "per service"]
            .iter()
            .any(|it| text.contains(it))
    };
    document.sections.iter().any(|it| says(&it.title.plain))
        || document.blocks.iter().any(|it| match &it.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => says(&text.plain),
            Kind::Code(language, code) => language == "mermaid" && draws_them(code),
            Kind::Table(..) => false,
        })
}

/// Whether a diagram has three services, and a gateway before them or a database of each.
fn draws_them(code: &str) -> bool {
    let parts: Vec<&str> = code.lines().flat_map(parts).filter(|it| it.contains(' ')).collect();
    let several = |names: FxHashSet<String>| names.iter().filter(|it| !it.ends_with("Gateway")).count() >= 3;
    let kept = parts.iter().filter(|it| without_database(it) != **it);
    code.to_lowercase().contains("gateway") && several(parts.iter().filter_map(|it| among(it)).collect())
        || several(kept.filter_map(|it| among(without_database(it))).collect())
}

/// The service in `Order Service DB`.
fn without_database(part: &str) -> &str {
    [" DB", " Database", " database"].iter().find_map(|it| part.strip_suffix(it)).unwrap_or(part)
}

/// The texts of a line of a diagram.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || " &".contains(c))).map(str::trim)
}

/// Services by what they send and take: cells of columns `Producer` and `Consumers` and lines with these labels, and lists
/// `Services: Order service, …`.
fn by_parts(document: &Document, note: &mut dyn FnMut(String, u32)) {
    for block in document.blocks.iter().filter(|it| !document.asides[it.section]) {
        match &block.kind {
            Kind::Table(head, rows) => {
                let columns: Vec<usize> = (0..head.len()).filter(|it| is_of_parties(&head[*it].plain)).collect();
                let of_event = |it: &Text| words::split(&it.plain).iter().any(|it| it.trim_end_matches('s') == "event");
                // A book has a publisher, too.
                let bare = columns.len() >= 2 || !columns.is_empty() && head.iter().any(of_event);
                for row in rows {
                    for cell in columns.iter().filter_map(|it| row.cells.get(*it)) {
                        let parts = cell.plain.split([',', ';', '\n', '/']);
                        parts.filter_map(|it| party(it, bare)).for_each(|it| note(it, row.line));
                    }
                }
            }
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                for line in text.plain.lines() {
                    let Some((label, rest)) = line.split_once(':') else { continue };
                    if is_of_parties(label) {
                        rest.split([',', ';']).filter_map(|it| party(it, false)).for_each(|it| note(it, block.line));
                    }
                    let listed = ["services", "microservices"].contains(&label.trim().to_lowercase().as_str());
                    let parts: Vec<&str> = rest.split(',').map(str::trim).collect();
                    let ends = |it: &&&str| {
                        it.split_whitespace().count() >= 2 && it.to_lowercase().ends_with(" service")
                            || is_service_name(it)
                    };
                    if listed && parts.iter().filter(ends).count() * 2 > parts.len() && parts.len() >= 2 {
                        parts.iter().filter(ends).for_each(|it| note(without_bracket(it), block.line));
                    }
                }
            }
            Kind::Code(..) => {}
        }
    }
}

/// Whether a column or label has those who send or take messages.
fn is_of_parties(text: &str) -> bool {
    const PARTIES: &[&str] =
        &["producer", "publisher", "consumer", "subscriber", "producers", "publishers", "consumers", "subscribers"];
    let said = words::split(text.split('(').next().unwrap_or(""));
    said.len() <= 2 && said.last().is_some_and(|it| PARTIES.contains(&it.as_str()))
}

/// The service that stands among those who send or take messages: `Order Service`, `media-worker service`, and `billing` where `bare`
/// says that names alone are those of services.
fn party(part: &str, bare: bool) -> Option<String> {
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        "all", "any", "none", "both", "each", "every", "everyone", "anyone", "other", "others", "various", "multiple", "several", "internal",
        "external", "client", "clients", "frontend", "ui", "web", "browser", "mobile", "app", "user", "users", "admin", "cron", "scheduler",
        "kafka", "rabbitmq", "redis", "system", "tbd", "future", "same", "self", "n", "na", "third", "the", "a", "yes", "no",
    ];
    let name = part.split('(').next().unwrap_or("").trim().trim_matches(['`', '*', '.']);
    let one = is_service_name(name) || !name.contains(' ') && among(name).is_some();
    if let Some(found) = one.then(|| words::split(name).join(" ")).or_else(|| among(name)) {
        return Some(found);
    }
    let (stem, called) = name.strip_suffix(" service").map_or((name, false), |it| (it, true));
    let said = words::split(stem);
    let fits = (1..=3).contains(&said.len())
        && stem.len() >= 3
        && !stem.contains(' ')
        && stem.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        && !said.iter().any(|it| OTHERS.contains(&it.as_str()));
    (fits && (called || bare)).then(|| stem.to_owned())
}

/// Services that send or take messages: in sentences such as `The Payment Service publishes OrderPaid`, on lines such as
/// `OrderService → OrderPlaced → StockService`, and in catalogues.
fn by_messages(document: &Document, note: &mut dyn FnMut(String, u32)) {
    for block in document.blocks.iter().filter(|it| !document.asides[it.section]) {
        match &block.kind {
            Kind::Paragraph(text) | Kind::Item(text, _) => {
                for line in text.plain.lines() {
                    let steps: Vec<&str> = line.split(['→', '⇒']).flat_map(|it| it.split("->")).collect();
                    let parts = steps.iter().skip_while(|_| steps.len() < 3).flat_map(|it| it.split([',', ':']));
                    parts.filter_map(among).for_each(|it| note(it, block.line));
                }
                if events::is_about(&text.plain) {
                    said(text, |name| note(name, block.line));
                    senders(text).for_each(|it| note(it.to_owned(), block.line));
                }
            }
            Kind::Code(language, code) => {
                for it in catalogue::read(language, code) {
                    note(it.service, block.line + 1 + it.line);
                }
                for (name, line) in events::drawn_parties(code) {
                    let named = is_service_name(name).then(|| name.to_owned()).or_else(|| among(name));
                    named.into_iter().for_each(|it| note(it, block.line + 1 + line));
                }
            }
            Kind::Table(..) => {}
        }
    }
}

/// Services by the headings of their sections: `service Payment`, and names in one word whose text says what service each is:
/// `## telegram-gateway`, `account-api`.
fn by_headings(document: &Document, note: &mut dyn FnMut(String, u32)) {
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        let title = topics::without_number(section.title.plain.trim());
        if document.asides[at] {
            continue;
        }
        let behind = ["service ", "microservice ", "Microservice "].iter().find_map(|it| title.strip_prefix(it));
        if let Some(name) = behind.filter(|it| (1..=3).contains(&it.split_whitespace().count()))
            && name.starts_with(char::is_uppercase)
            && name.chars().all(|c| c.is_alphabetic() || " -&".contains(c))
        {
            note(format!("{name} service"), section.line);
        }
        let is_word =
            title.contains('-') && title.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        let mut blocks =
            document.blocks.iter().filter(|it| it.section == at || document.sections[it.section].parent == at);
        if let Some(Kind::Paragraph(text) | Kind::Item(text, _)) =
            is_word.then(|| blocks.next()).flatten().map(|it| &it.kind)
            && words::split(text.plain.lines().next().unwrap_or(""))
                .iter()
                .any(|it| ["service", "microservice"].contains(&it.as_str()))
        {
            note(title.to_owned(), section.line);
        }
    }
}

/// Names that are marked and of which a text says that they send or take messages: `` `billing` publishes `InvoicePaid` ``.
fn senders(text: &Text) -> impl Iterator<Item = &str> {
    const DO: &[&str] = &["publishes", "emits", "consumes", "subscribes", "listens", "raises", "produces"];
    let is_name = |it: &&str| it.len() >= 3 && it.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let does = |name: &&str| {
        let behind = text.plain.find(*name).and_then(|at| text.plain.get(at + name.len()..)).unwrap_or("");
        let mut words = behind.split_whitespace();
        behind.starts_with(' ')
            && words
                .next()
                .map(|it| if it == "also" { words.next().unwrap_or("") } else { it })
                .is_some_and(|it| DO.contains(&it))
    };
    text.strongs().chain(text.codes()).filter(is_name).filter(does)
}

/// Names within sentences: `both the Student Service and the University Service`.
fn said(text: &Text, mut note: impl FnMut(String)) {
    let words: Vec<&str> = text.plain.split_whitespace().collect();
    let bare = |at: usize| words[at].trim_matches(|c: char| !c.is_alphanumeric());
    for at in 0..words.len() {
        if bare(at) != "Service" {
            continue;
        }
        let named = |it: &usize| {
            // `"Order Service"`
            let word = words[*it].trim_start_matches(['"', '“', '\'', '(']);
            word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphanumeric) && it + 4 > at
        };
        let first = (0..at).rev().take_while(named).last();
        // The first word of a sentence may be in capitals without being of the name.
        let sentence = |it: usize| it == 0 || words[it - 1].ends_with(['.', ':', '!', '?']);
        let Some(mut first) = first else { continue };
        if sentence(first)
            && at - first > 1
            && ["The", "Each", "Our", "Both", "A", "An", "If", "When", "Once"].contains(&words[first])
        {
            first += 1;
        }
        // `a fast Go Booking Service` says with what the service is built; its name stands elsewhere.
        if at - first > 1 && stack::is_built_with(bare(first)) {
            continue;
        }
        let name: Vec<&str> = (first..=at).map(bare).collect();
        if let Some(name) = among(&name.join(" ")) {
            note(name);
        }
    }
}
