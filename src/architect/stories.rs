//! Reading: what is to be possible, wherever a document says it: user stories, sentences, lists of functions, tables of
//! requirements, what a service is responsible for.

mod bare;
mod cases;
mod labels;
mod rights;

use rustc_hash::FxHashSet;

use super::clauses::{Clauses, allows};
use super::document::{Document, Kind, Row, Section, Text};
use super::notes::{MAX_OPERATIONS, Notes, OperationNote};
use super::topics::{self, Topic};
use super::{entities, services, words};

/// What somebody does with a page on the way to something else.
const ON_PAGES: &[&str] =
    &["select", "specify", "enter", "click", "choose", "fill", "complete", "press", "tap", "open", "input"];

pub(super) fn read(document: &Document, notes: &mut Notes) {
    // A text that states endpoints says there what they do.
    let stated = notes.operations.iter().any(|it| it.endpoint.is_some());
    let labels = labels::Labels::of(document);
    for (at, block) in document.blocks.iter().enumerate() {
        calls(document, at, notes);
        let inside = topics::topic(document, block.section);
        let elsewhere = inside == Some(Topic::Payload) || inside == Some(Topic::Endpoints) && stated;
        if document.asides[block.section] || elsewhere {
            // What somebody wants is wanted wherever it stands.
            if let (Kind::Paragraph(text) | Kind::Item(text, _), false) =
                (&block.kind, document.excluded[block.section])
            {
                let mut clauses = Clauses::new(block.line, None);
                clauses.stories(&text.plain);
                clauses.found.into_iter().for_each(|it| add(notes, it));
            }
            continue;
        }
        let service = services::of_section(document, notes, block.section);
        let context = context(document, block.section);
        let mut clauses = Clauses::new(block.line, context.as_deref());
        match &block.kind {
            Kind::Paragraph(text) => {
                clauses.sentences(&text.plain);
                // `manage the following sections:`
                if text.plain.to_ascii_lowercase().contains("manage") {
                    let below = entities::below::kept_below(document, at);
                    for name in below.into_iter().filter_map(|it| entities::below::named(document, it)) {
                        ["create", "list", "update", "delete"]
                            .iter()
                            .for_each(|it| clauses.imperative(&format!("{it} {}", name.to_ascii_lowercase()), true));
                    }
                }
                // `**Intake.** Open a claim, then upload photos.` is an item without a bullet.
                if clauses.found.is_empty()
                    && inside == Some(Topic::Features)
                    && let Some((_, rest)) = text.label()
                {
                    super::clauses::apart(&rest.replace('\n', " ")).into_iter().for_each(|it| {
                        clauses.imperative(it.trim_start_matches([':', '–', '—', '-', '.', ' ']), false);
                    });
                }
                // `create a quote → accept the quote → create an order`
                let steps: Vec<&str> = text.plain.split(['→', '\u{27a1}']).flat_map(|it| it.split("->")).collect();
                if clauses.found.is_empty() && steps.len() >= 3 {
                    steps.iter().for_each(|step| clauses.imperative(step, true));
                }
            }
            Kind::Item(text, _) => {
                bare::deeds(document, at).iter().for_each(|it| clauses.imperative(it, true));
                clauses.sentences(&text.plain);
                clauses.buttons(text);
                let parent = document.parent(at).and_then(|it| match &document.blocks[it].kind {
                    Kind::Item(text, _) => Some(text.plain.as_str()),
                    _ => None,
                });
                let led = parent.or_else(|| document.lead(at).map(|lead| lead.plain.as_str())).is_some_and(allows);
                // Below somebody's name stands what they do.
                let of_role = super::clauses::is_actor(topics::without_number(document.title(block.section)))
                    || parent.is_some_and(|it| super::clauses::is_actor(it.trim_end_matches([':', ' '])));
                let certain =
                    led || of_role || matches!(inside, Some(Topic::Features | Topic::Endpoints)) || service.is_some();
                // `**Trainer**: create assignments; validate training`
                if let Some((label, rest)) = text.label()
                    && clauses.found.is_empty()
                    && super::clauses::is_actor(label.trim_end_matches(':'))
                    && rest.trim_start().starts_with([':', '–', '—', '-']) | label.ends_with(':')
                {
                    label.trim_end_matches(':').clone_into(&mut clauses.role);
                    clauses.business(rest.trim_start_matches([':', '–', '—', '-', ' ']));
                }
                // `Students: View announcements, share locations`
                if let Some((label, rest)) = text.plain.split_once(": ")
                    && clauses.found.is_empty()
                    && text.label().is_none()
                    && label.split_whitespace().count() <= 3
                    && super::clauses::is_actor(label)
                {
                    label.clone_into(&mut clauses.role);
                    clauses.business(rest);
                }
                if of_role {
                    clauses.role = parent
                        .map_or_else(
                            || topics::without_number(document.title(block.section)),
                            |it| it.trim_end_matches([':', ' ']),
                        )
                        .to_owned();
                }
                clauses.nouns = is_noun_among_nouns(document, at, &text.plain);
                if clauses.found.is_empty() && (certain || inside == Some(Topic::Services)) {
                    clauses.imperative(&text.plain, certain);
                }
                // `Clerks issue invoices.`
                if clauses.found.is_empty() && certain {
                    let plain = text.plain.replace('\n', " ");
                    super::clauses::apart(&plain).into_iter().for_each(|it| clauses.somebody(it));
                    // What is done with a page is no operation.
                    clauses.found.retain(|it| it.verb.is_none_or(|(verb, _)| !ON_PAGES.contains(&verb)));
                }
                // What stands behind the first sentence is done, too.
                if certain {
                    let plain = text.plain.replace('\n', " ");
                    super::clauses::apart(&plain).into_iter().skip(1).for_each(|it| clauses.imperative(it, false));
                }
            }
            Kind::Table(_, rows) if rights::is_matrix(rows) => {
                rights::read(rows, context.as_deref()).into_iter().for_each(|it| add(notes, it));
            }
            Kind::Table(head, rows) => {
                let firsts: Vec<Vec<&str>> =
                    rows.iter().map(|row| row.cells.iter().map(|cell| cell.plain.as_str()).collect()).collect();
                for row in rows {
                    let mut clauses = Clauses::new(row.line, context.as_deref());
                    let of_row = of_row(notes, head, &row.cells, &firsts, inside, &mut clauses);
                    for mut operation in clauses.found {
                        operation.service = of_row.clone().or_else(|| service.clone());
                        add(notes, operation);
                    }
                }
            }
            Kind::Code(language, text) => {
                for (line, label) in cases::drawn(document.title(block.section), text) {
                    let mut clauses = Clauses::new(block.line + 1 + line, context.as_deref());
                    clauses.imperative(label, true);
                    clauses.found.into_iter().for_each(|it| add(notes, it));
                }
                if ["", "text", "gherkin"].contains(&language.as_str()) {
                    // A story may be one of several lines.
                    for part in text.split("\n\n") {
                        let starts = part.trim_start().to_ascii_lowercase().starts_with("as a");
                        if starts && part.matches("As a").count() <= 1 {
                            clauses.sentences(&part.replace('\n', " "));
                        } else {
                            let lines = part.lines().filter(|line| line.to_ascii_lowercase().contains("as a"));
                            lines.for_each(|line| clauses.sentences(line));
                        }
                    }
                }
            }
        }
        if let Kind::Paragraph(text) | Kind::Item(text, _) = &block.kind {
            labels.read(document, at, text, &mut clauses);
            clauses.commands(text);
        }
        for mut operation in clauses.found {
            operation.service.clone_from(&service);
            add(notes, operation);
        }
    }
    let told = stories_in(document);
    for (at, section) in document.sections.iter().enumerate().skip(1) {
        if !told.contains(&at) {
            use_case(section, notes);
        }
        // `Upload files` below `Functional requirements`
        let above = document.around(at).nth(1).filter(|it| !document.is_heading_of_all(*it));
        if above.is_some_and(|it| document.topics[it] == Some(Topic::Features)) && !document.asides[at] {
            asked(topics::without_number(section.title.plain.trim()), section.line, notes);
        }
    }
}

/// Whether an item begins with a verb that may be a noun, and the other items of its list begin with nouns: `Sign blanks`
/// among `Vinyl rolls` and `Garments`.
fn is_noun_among_nouns(document: &Document, at: usize, text: &str) -> bool {
    /// What a list begins with says what the list is of.
    const BEGINNING: usize = 100;
    let others = document.siblings(at).take(BEGINNING).filter(|it| *it != at);
    let texts = others.filter_map(|it| match &document.blocks[it].kind {
        Kind::Item(text, _) => Some(text.plain.as_str()),
        _ => None,
    });
    is_noun_among(text, texts)
}

/// Whether a text begins with a verb that may be a noun, and most of the others begin with nouns.
fn is_noun_among<'t>(text: &str, others: impl Iterator<Item = &'t str>) -> bool {
    let word_at = |text: &str, at: usize| -> String {
        let word = text.split_whitespace().nth(at).unwrap_or("");
        word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase()
    };
    let own = word_at(text, 0);
    // `Mark the request` does something.
    if !words::is_noun_too(&own) || words::is_determiner(&word_at(text, 1)) {
        return false;
    }
    let begins: Vec<bool> = others
        .filter_map(|text| {
            let word = word_at(text, 0);
            let verb = words::verb(&word).is_some_and(|(base, _)| base == word);
            // What may be both tells nothing.
            (!words::is_noun_too(&word)).then_some(verb)
        })
        .collect();
    !begins.is_empty() && begins.iter().filter(|it| **it).count() * 2 <= begins.len()
}

/// The thing that a section is about, as `3.7 Trainers` is about trainers.
fn context(document: &Document, section: usize) -> Option<String> {
    let own = document.around(section).find(|it| document.sections[*it].level < 7)?;
    if document.is_heading_of_all(own) {
        return None;
    }
    things(topics::without_number(document.title(own)))
}

/// The things that a label is about: `Leases list + detail`, `3.7 Trainers management`.
fn things(label: &str) -> Option<String> {
    let title = label.split(['(', ':', '–', '—', '+']).next().unwrap_or("");
    let mut words: Vec<&str> = title.split_whitespace().collect();
    while words.last().is_some_and(|it| {
        [
            "management",
            "administration",
            "module",
            "feature",
            "features",
            "requirements",
            "functionality",
            "list",
            "page",
            "screen",
            "view",
        ]
        .contains(&it.to_ascii_lowercase().as_str())
    }) {
        words.pop();
    }
    let last = words.last()?.to_ascii_lowercase();
    let telling = [
        "stories",
        "requirements",
        "features",
        "questions",
        "deliverables",
        "criteria",
        "goals",
        "notes",
        "steps",
        "functions",
        "personas",
    ];
    (!telling.contains(&last.as_str())
        && (1..=3).contains(&words.len())
        && words::is_plural(&last)
        && !words::is_no_thing(&words::singular(&last))
        && !words::is_technical(&last))
    .then(|| words.join(" "))
}

/// Reads a row of requirements, and says whose business it is.
fn of_row(
    notes: &Notes,
    head: &[Text],
    cells: &[Text],
    rows: &[Vec<&str>],
    inside: Option<Topic>,
    clauses: &mut Clauses,
) -> Option<String> {
    let names: Vec<String> = head.iter().map(|cell| words::split(&cell.plain).join(" ")).collect();
    let column = |wanted: &[&str]| {
        names.iter().position(|name| {
            wanted.iter().any(|it| name == it || it.ends_with('*') && name.starts_with(it.trim_end_matches('*')))
        })
    };
    let cell = |at: usize| cells.get(at).map_or("", |it| it.plain.trim());
    // How many stories there are asks for nothing.
    if names.iter().any(|it| it.ends_with(" count") || it.ends_with(" points")) {
        return None;
    }
    // A story whose parts have columns of their own.
    if let Some(want) = column(&["i want*", "want*", "goal"])
        .filter(|_| column(&["as a*", "role", "actor", "user", "persona", "who"]).is_some())
    {
        let actor = column(&["as a*", "role", "actor", "user", "persona", "who"]).map_or("user", cell);
        clauses.clause(cell(want), actor, cell(want));
        return None;
    }
    let service = column(&["service", "microservice", "services", "service name"]);
    if let (Some(service), Some(said)) = (
        service,
        column(&["responsibility", "responsibilities", "description", "purpose", "role", "functions", "features"]),
    ) {
        clauses.business(cell(said));
        let key = super::notes::service_key(cell(service));
        return notes.services.iter().find(|it| super::notes::service_key(&it.name) == key).map(|it| it.name.clone());
    }
    if let (Some(_), Some(said)) = (
        column(&["role", "actor", "user role", "persona"]),
        column(&["description", "responsibilities", "capabilities", "permissions", "can"]),
    ) {
        clauses.business(cell(said));
        return None;
    }
    // A screen is about things, and says what is done to them.
    if let (Some(screen), Some(said)) = (
        column(&["screen", "page", "view", "screens", "pages"]),
        column(&[
            "purpose",
            "description",
            "functionality",
            "functions",
            "features",
            "actions",
            "key actions",
            "content",
        ]),
    ) && let Some(about) = things(cell(screen))
    {
        let mut own = Clauses::new(clauses.line, Some(&about));
        for sentence in super::clauses::apart(cell(said)) {
            let before = own.found.len();
            own.sentences(sentence);
            if own.found.len() == before {
                own.imperative(sentence, true);
            }
        }
        clauses.found.append(&mut own.found);
        return None;
    }
    // What is required has a column of its own; how it is checked is another matter.
    let required = column(&[
        "story",
        "user story",
        "stories",
        "user stories",
        "requirement",
        "requirements",
        "feature",
        "features",
        "use case",
        "function",
        "functionality",
        "capability",
        "functional requirement",
        "action",
        "actions",
    ])
    .filter(|at| cell(*at).split_whitespace().count() >= 2);
    let told = required
        .or_else(|| column(&["description", "details", "statement"]).filter(|_| inside == Some(Topic::Features)));
    let columns: Vec<usize> = match told {
        Some(at) => vec![at],
        // What somebody must not do is no wish.
        None if inside == Some(Topic::Features) => (0..cells.len())
            .filter(|at| {
                let said = names.get(*at).map(String::as_str).unwrap_or_default();
                !["not", "cannot", "restrict", "never", "id", "priority"]
                    .iter()
                    .any(|it| said.split(' ').any(|word| word.starts_with(it)))
            })
            .collect(),
        None => Vec::new(),
    };
    for at in columns {
        let before = clauses.found.len();
        clauses.sentences(cell(at));
        let others = || rows.iter().filter_map(|row| row.get(at).copied()).filter(|it| *it != cell(at));
        if clauses.found.len() == before && cell(at).split_whitespace().count() >= 2 {
            clauses.nouns = is_noun_among(cell(at), others());
            clauses.imperative(cell(at), true);
        }
    }
    None
}

/// Words of headings above lists of calls.
const CALLS: &[&str] = &["query", "queries", "mutation", "mutations", "rpc", "rpcs", "methods"];

/// Notes the calls of an interface that a block lists.
fn calls(document: &Document, at: usize, notes: &mut Notes) {
    let block = &document.blocks[at];
    if document.excluded[block.section] || document.asides[block.section] {
        return;
    }
    let service = services::of_section(document, notes, block.section);
    let mut clauses = Clauses::new(block.line, None);
    match &block.kind {
        Kind::Item(text, _) => {
            let said = |text: &str| words::split(text).iter().any(|it| CALLS.contains(&it.as_str()));
            let listed = said(document.title(block.section)) || document.lead(at).is_some_and(|it| said(&it.plain));
            let commands = |text: &str| words::split(text).last().is_some_and(|it| it == "commands");
            let commanded =
                document.lead(at).map_or_else(|| document.title(block.section), |it| it.plain.trim_end_matches(':'));
            if commands(commanded) {
                clauses.command(first_words(&text.plain), None);
            }
            if let Some(code) = text.codes().next().filter(|it| listed && text.plain.trim_start().starts_with(it)) {
                clauses.call(code, true);
            }
        }
        Kind::Table(head, rows) => of_moves(document, block.section, head, rows, &mut clauses),
        Kind::Code(language, text) => {
            let mut listed = false;
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                clauses.line = block.line + 1 + at as u32;
                // An annotation states the endpoint of the call.
                if lines.get(at + 1).is_some_and(|it| it.contains("google.api.http")) {
                    continue;
                }
                let open = line.trim_end().strip_suffix('{').map(words::split);
                if let Some(open) = open.filter(|it| it.first().is_none_or(|it| it != "rpc")) {
                    listed =
                        matches!(open.as_slice(), [.., one, two] if one == "type" && CALLS.contains(&two.as_str()));
                } else if listed || line.trim_start().starts_with("rpc ") {
                    clauses.call(line, listed);
                } else if ["", "text"].contains(&language.as_str())
                    && [") ->", ")  ", "→"].iter().any(|it| line.contains(it))
                {
                    clauses.call(line, false);
                }
            }
        }
        Kind::Paragraph(_) => {}
    }
    for mut operation in clauses.found {
        operation.service.clone_from(&service);
        add(notes, operation);
    }
}

/// What an item says before brackets and remarks: `Defer Donor (physician)`.
fn first_words(text: &str) -> &str {
    let end = text.find(['(', ':', '\n', '–', '—', '{', '→']).unwrap_or(text.len());
    text[..end].split(" - ").next().unwrap_or("").trim().trim_matches(['`', '*'])
}

/// What leads from state to state in a table of a thing that the heading names: a column of triggers or commands, and one of the
/// states after them.
fn of_moves(document: &Document, section: usize, head: &[Text], rows: &[Row], clauses: &mut Clauses) {
    let names: Vec<String> = head.iter().map(|cell| words::split(&cell.plain).join(" ")).collect();
    let column = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
    let Some(does) = column(&["trigger", "command", "action", "transition"]) else { return };
    if column(&["to", "to state", "new state", "next state", "target state", "to status", "new status", "next status"])
        .is_none()
    {
        return;
    }
    let Some(thing) = topics::thing_named(&document.sections[section].title) else { return };
    for row in rows {
        clauses.line = row.line;
        if let Some(cell) = row.cells.get(does) {
            clauses.command(first_words(&cell.plain), Some(&thing));
        }
    }
}

/// A heading that is a story by itself: a verb that is no noun, and few words for its object.
fn asked(title: &str, line: u32, notes: &mut Notes) {
    let first = title.split_whitespace().next().unwrap_or("").trim_end_matches(',').to_ascii_lowercase();
    let acts = words::verb(&first).is_some_and(|(base, _)| base == first) && !words::is_noun_too(&first);
    // `Resume parser` is a thing.
    let many = title.split_whitespace().last().is_some_and(|it| words::is_plural(&it.to_ascii_lowercase()));
    let titled = title.to_ascii_lowercase();
    let most = if title.contains(',') { 8 } else { 4 };
    if acts && many && !titled.ends_with("use cases") && (2..=most).contains(&title.split_whitespace().count()) {
        let mut clauses = Clauses::new(line, None);
        clauses.imperative(title, true);
        clauses.found.into_iter().for_each(|it| add(notes, it));
    }
}

/// Sections in which a story says what is wanted: their titles only repeat it.
fn stories_in(document: &Document) -> FxHashSet<usize> {
    let wants = |text: &str| {
        let lower = text.to_ascii_lowercase();
        ["as a", "as the "].iter().any(|it| lower.contains(it))
            && ["i want", "i would like", "i need to", "i can "].iter().any(|it| lower.contains(it))
    };
    let blocks = document.blocks.iter().filter(|it| match &it.kind {
        Kind::Paragraph(text) | Kind::Item(text, _) => wants(&text.plain),
        _ => false,
    });
    blocks.map(|it| it.section).collect()
}

/// `UC-03: Book an appointment`
fn use_case(section: &Section, notes: &mut Notes) {
    let title = section.title.plain.trim();
    let lower = title.to_ascii_lowercase();
    let is_case = section.numbered
        || ["use case", "story ", "user story", "uc ", "uc0", "uc1", "fr "].iter().any(|it| lower.starts_with(it));
    let rest = title.split_once([':', '–', '—']).or_else(|| title.split_once(" - "));
    // `Add Menu Item Use Case`
    let (ended, title) = match title.strip_suffix("Use Case").or_else(|| title.strip_suffix("use case")) {
        Some(rest) if rest.trim().contains(' ') => (true, rest.trim()),
        _ => (false, title),
    };
    let rest = match rest {
        _ if ended => title,
        Some((_, rest)) if !section.numbered => rest,
        None if !section.numbered => return,
        _ => title,
    };
    if is_case || ended {
        let mut clauses = Clauses::new(section.line, None);
        clauses.somebody(rest);
        if !clauses.found.is_empty() {
            clauses.found.into_iter().for_each(|it| add(notes, it));
            return;
        }
        clauses.imperative(rest, true);
        clauses.found.into_iter().for_each(|it| add(notes, it));
    }
}

/// Notes an operation once, however it is said.
pub(super) fn add(notes: &mut Notes, mut operation: OperationNote) {
    // Who is to be known signs in.
    if operation.object.is_empty() && operation.verb.is_some_and(|(verb, _)| verb == "authenticate") {
        operation.verb = words::verb("login");
    }
    operation.key = words::key(&operation.object.join(" "));
    let same = |it: &OperationNote| {
        it.verb == operation.verb
            && it.key == operation.key
            && (it.service == operation.service || operation.service.is_none())
    };
    if notes.operations.len() < MAX_OPERATIONS && !notes.operations.iter().any(same) {
        notes.operations.push(operation);
    }
}
