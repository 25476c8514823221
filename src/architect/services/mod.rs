//! Reading: which services there are, what they are built with, and what the product is called.

mod among;
mod catalogue;
mod names;
mod product;

use super::document::{Document, Kind, Text};
use super::notes::Notes;
use super::topics::{self, Topic};
use super::words;
pub(super) use catalogue::read as catalogue;
use names::{coded, is_external, is_service_name, named};

pub(super) fn read(document: &Document, notes: &mut Notes) {
    notes.product = product::product(document);
    notes.systems = product::systems(document);
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if document.asides[at] || document.is_heading_of_all(at) {
            continue;
        }
        if let Some(name) = named(&section.title.plain).or_else(|| coded(&section.title)) {
            notes.service(&name, section.line);
        } else if let Some(context) = context(&section.title) {
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
        if document.asides[block.section] {
            continue;
        }
        match &block.kind {
            Kind::Item(text, _) | Kind::Paragraph(text) => {
                // `apps/control-plane`: NestJS, port 3000
                if let (Kind::Item(..), Some((label, rest))) = (&block.kind, text.label())
                    && let Some(name) = ["apps/", "services/"].iter().find_map(|it| label.strip_prefix(it))
                    && !name.is_empty()
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
                for name in names::parties(text) {
                    notes.service(&name, block.line);
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
                    ["responsibility", "responsibilities", "description", "purpose", "role", "owns"]
                        .contains(&words::split(&cell.plain).join(" ").as_str())
                });
                let services = topics::topic(document, block.section) == Some(Topic::Services) || head.len() > 1;
                // Of tables about something else, many rows may belong to one service.
                let one_row_each = column == 0 && said.is_some() && !head.iter().any(is_of_parts);
                let mut rows_of: Vec<(String, u32)> = Vec::new();
                let names_one = |cell: &Text| is_service_name(cell.plain.trim()) || named(cell.plain.trim()).is_some();
                let naming = rows.iter().filter(|it| it.cells.get(column).is_some_and(names_one)).count();
                let mostly = naming >= 2 && naming * 2 >= rows.len();
                for row in rows.iter().filter(|_| services) {
                    let Some(cell) = row.cells.get(column) else { continue };
                    // `**Core API** ([`backend/`](../backend/))`
                    let plain = cell.plain.split('(').next().unwrap_or("").trim();
                    let is_table_of_services = said.is_some() || mostly || names_one(cell);
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
    among::read(document, notes);
    describe(document, notes);
}

/// Whether a column tells of parts of a service: its operations, its data, its messages.
fn is_of_parts(cell: &Text) -> bool {
    let parts =
        ["method", "path", "endpoint", "route", "operation", "entity", "field", "event", "topic", "channel", "table"];
    words::split(&cell.plain).iter().any(|it| parts.contains(&it.trim_end_matches('s')))
}

/// The name in `Bounded Context: Orders`.
fn context(title: &Text) -> Option<String> {
    let (_, rest) = title.plain.split_once("ounded Context").filter(|it| !it.1.starts_with('s'))?;
    topics::thing_named(&Text::of(rest.trim_start_matches([':', ' ', '-', '–', '—'])))
}

/// The service that a section is about.
pub(super) fn of_section(document: &Document, notes: &Notes, section: usize) -> Option<String> {
    document.around(section).filter(|it| !document.is_heading_of_all(*it)).find_map(|it| {
        let title = &document.sections[it].title;
        let name = named(&title.plain)
            .or_else(|| coded(title))
            .or_else(|| names::among(&title.plain))
            .or_else(|| context(title));
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
