//! What whole sections are about: those of nothing that is to be built, those of stories, those that list fields.

use super::{Topic, is_about, parts_of};
use crate::architect::document::{Document, Kind, Section, Text};
use crate::architect::{fields, words};

/// Of each section, whether it is about what is not built, or not now.
pub(in crate::architect) fn excluded(document: &Document) -> Vec<bool> {
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
pub(in crate::architect) fn fielded(document: &Document) -> Vec<bool> {
    let mut found = vec![false; document.sections.len()];
    for block in &document.blocks {
        if let Kind::Paragraph(text) = &block.kind {
            found[block.section] |= text.plain.trim_end().ends_with(':') && says_fields(&text.plain);
        }
    }
    found
}

/// Whether a caption calls what follows fields.
pub(in crate::architect) fn says_fields(caption: &str) -> bool {
    const WORDS: &[&str] = &["field", "fields", "attributes", "columns", "properties"];
    words::split(caption).iter().any(|it| WORDS.contains(&it.as_str()))
}

/// Whether a caption announces the values of one member, and no members: `Transaction types:`.
pub(in crate::architect) fn says_values(caption: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] =
        &["types", "kinds", "statuses", "states", "roles", "modes", "levels", "priorities", "reasons", "methods", "actions"];
    words::split(caption).last().is_some_and(|it| WORDS.contains(&it.as_str()))
}

/// Of each section, whether the section describes a table of a database: its heading is a name in code, or stands below one about
/// data, and columns follow. Such a section is no aside, also below the heading `Tasks, milestones & dependencies`.
pub(in crate::architect) fn tables_by_name(document: &Document) -> Vec<bool> {
    let named = |it: &Section| {
        let name = it.title.plain.trim();
        it.title.codes().eq([name]) && name.chars().all(|it| it.is_alphanumeric() || it == '_')
    };
    let named: Vec<bool> = document.sections.iter().map(named).collect();
    let below = |at: usize| document.around(at).skip(1).any(|it| document.topics[it] == Some(Topic::Data));
    let below: Vec<bool> = (0..named.len()).map(below).collect();
    let mut found = vec![false; named.len()];
    let mut columns = vec![0; named.len()];
    for block in document.blocks.iter().filter(|it| named[it.section] || below[it.section]) {
        found[block.section] |= match &block.kind {
            Kind::Table(head, rows) => {
                let says = |it: &Text, said: &[&str]| said.contains(&it.plain.trim().to_ascii_lowercase().as_str());
                let typed = head.iter().any(|it| says(it, &["type", "data type", "datatype"]));
                let first = head.first();
                rows.len() > 1
                    && first.is_some_and(|it| {
                        says(it, &["column", "field"]) || typed && says(it, &["name", "attribute", "property"])
                    })
            }
            Kind::Paragraph(text) => text.plain.contains('·') && text.codes().nth(2).is_some(),
            Kind::Item(text, _) => {
                let field = fields::of_line(text, block.line).filter(|it| fields::is_identifier(&it.name));
                let coded = |name: &str| {
                    text.codes().next() == Some(name) && name.starts_with(|c: char| c.is_ascii_lowercase())
                };
                columns[block.section] += usize::from(field.is_some_and(|it| !it.kind.is_empty() || coded(&it.name)));
                columns[block.section] > 1
            }
            Kind::Code(..) => false,
        };
    }
    found
}

/// Of each section, whether it is about nothing that is to be built.
pub(in crate::architect) fn asides(document: &Document) -> Vec<bool> {
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
    let tables = &document.tables;
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
