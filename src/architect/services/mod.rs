//! Reading: which services there are, what they are built with, and what the product is called.

mod among;
mod catalogue;
mod names;
mod product;
mod tables;

use rustc_hash::FxHashSet;

use super::document::{Document, Kind, Text};
use super::notes::Notes;
use super::topics::{self, Topic};
use super::words;
pub(super) use catalogue::read as catalogue;
use names::{coded, is_service_name, named};

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
    contexts(document, notes);
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
            Kind::Table(head, rows) => tables::read(document, block, head, rows, notes),
            Kind::Code(..) => {}
        }
    }
    among::read(document, notes);
    describe(document, notes);
}

/// The name in `Bounded Context: Orders`.
fn context(title: &Text) -> Option<String> {
    let (_, rest) = title.plain.split_once("ounded Context").filter(|it| !it.1.starts_with('s'))?;
    topics::thing_named(&Text::of(rest.trim_start_matches([':', ' ', '-', '–', '—'])))
}

/// Bounded contexts that have a section each, `Billing Context`: where two of them at least have sections of what they own or publish.
fn contexts(document: &Document, notes: &mut Notes) {
    let tells = |title: &Text| {
        let words = words::split(&title.plain);
        words.first().is_some_and(|it| ["aggregate", "owned", "published", "consumed"].contains(&it.as_str()))
    };
    let telling: FxHashSet<usize> =
        document.sections.iter().filter(|it| tells(&it.title)).map(|it| it.parent).filter(|it| *it > 0).collect();
    let mut found: Vec<(String, u32)> = Vec::new();
    let mut telling_found = 0;
    for (at, section) in document.sections.iter().enumerate() {
        let title = topics::without_number(section.title.plain.trim());
        let Some(name) = title.strip_suffix(" Context").filter(|_| !document.asides[at]) else { continue };
        let name = name.strip_suffix(" Bounded").unwrap_or(name);
        if (1..=3).contains(&name.split_whitespace().count()) {
            found.push((name.to_owned(), section.line));
            telling_found += usize::from(telling.contains(&at));
        }
    }
    if telling_found > 1 {
        for (name, line) in found {
            notes.service(&name, line);
        }
    }
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
