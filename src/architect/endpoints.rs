//! Reading: endpoints that the text states, with what goes in and out, and the rows of `SVC-001` tables.

mod bases;
mod halves;
mod marked;
mod outline;
mod programs;
mod rows;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::document::{Document, Kind, Text};
use super::notes::{MAX_OPERATIONS, Notes, OperationNote};
use super::operation::shape;
use super::topics;
use super::words::Deed;
use super::{bodies, fields, payload, services, words};
use bases::Bases;
use halves::{Halves, METHOD, PATH, half, halves_of, path_of_title, states_path};
use marked::{coded, is_in_sentence, marked, routed, stated};
use rows::{OfRow, is_bare, of_columns, of_row};

pub(super) const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// The endpoint that a text states: its method, its path, and the text around them.
pub(super) fn in_text(text: &str) -> Option<(String, String, String)> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let clean = |token: &str| {
        let plain = token.trim_matches(|c: char| "`*[]():,\"'|.;–—".contains(c));
        // `Index ([get] /orders)`
        if token.contains('[') && token.contains(']') { plain.to_ascii_uppercase() } else { plain.to_owned() }
    };
    let methods: Vec<usize> = (0..tokens.len()).filter(|at| METHODS.contains(&clean(tokens[*at]).as_str())).collect();
    let here = |token: &str| {
        let token = token.trim_matches(|c: char| "`*(),\"'|;–—".contains(c));
        let bare = token.len() > 2
            && token.ends_with('/')
            && token[..token.len() - 1].chars().all(|c| c.is_ascii_lowercase() || "_-".contains(c));
        bare || is_path(token) || without_host(token) == "/" && tokens.len() <= 3
    };
    // `GET / – all orders`
    let root = |at: usize| at == 1 && methods.first() == Some(&0) && tokens[1].trim_matches('`') == "/";
    let paths: Vec<usize> = (0..tokens.len()).filter(|at| here(tokens[*at]) || root(*at)).collect();
    let (method, path) = match (methods.as_slice(), paths.as_slice()) {
        ([method], [path]) => (*method, *path),
        ([method, ..], [path, ..]) if *path == *method + 1 => (*method, *path),
        _ => return None,
    };
    let around: Vec<&str> = tokens
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != method && *at != path)
        .map(|(_, token)| *token)
        .filter(|token| token.chars().any(char::is_alphanumeric))
        .collect();
    Some((clean(tokens[method]), template(tokens[path]), around.join(" ")))
}

/// The rest of a line behind the path that the line states.
fn behind_path(line: &str) -> &str {
    let path = line.split_whitespace().find(|it| it.trim_start_matches('`').starts_with('/'));
    path.and_then(|it| line.get(line.find(it)? + it.len()..)).unwrap_or("")
}

/// Whether a word is the path of an endpoint: `/orders/{id}`, `https://shop.example/orders`.
fn is_path(token: &str) -> bool {
    let token = without_host(token);
    token.len() > 1
        && token.starts_with('/')
        && token[1..].starts_with(|c: char| c.is_alphanumeric() || "{:[<".contains(c))
        && !token.contains("//")
}

/// A path with its parameters in braces, without a query.
pub(super) fn template(path: &str) -> String {
    let path = without_host(path.trim_matches(|c: char| "`*(),\"'|;.–—".contains(c)).trim_end_matches(':'));
    let path = path.trim_end_matches('`').split(['?', '#']).next().unwrap_or(path);
    // The segments in brackets may be left out: `/orders[/:id]`, `/orders[...]`.
    let optional = path.find('[').filter(|at| !path[..*at].ends_with('/'));
    let path = optional.map_or(path, |at| &path[..at]);
    let path = format!("/{}", path.trim_start_matches('/'));
    let segments = path.split('/').map(|segment| {
        // `${id}` of a template
        let segment = segment.strip_prefix('$').filter(|it| it.starts_with('{')).unwrap_or(segment);
        let inner = segment
            .strip_prefix(':')
            .or_else(|| segment.strip_prefix('<')?.strip_suffix('>'))
            .or_else(|| segment.strip_prefix('[')?.strip_suffix(']'))
            .or_else(|| segment.strip_prefix('{').map(|it| it.split('}').next().unwrap_or(it)));
        match inner {
            Some(name) => {
                let name: String = name
                    .rsplit(':')
                    .next()
                    .unwrap_or(name)
                    .chars()
                    .filter(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                if name.is_empty() { "{id}".to_owned() } else { format!("{{{name}}}") }
            }
            None if is_example(segment) => "{id}".to_owned(),
            None => segment.chars().filter(|c| c.is_alphanumeric() || "-_.~@$!+".contains(*c)).collect(),
        }
    });
    // What is left of a segment may be nothing.
    let segments: Vec<String> = segments.filter(|it| !it.is_empty()).collect();
    format!("/{}", segments.join("/"))
}

/// Whether a segment of a path is an identifier that an example fills in: a number, a UUID (RFC 9562), 24 or more hexadecimal digits.
fn is_example(segment: &str) -> bool {
    let hex = |it: &str| it.bytes().all(|it| it.is_ascii_hexdigit());
    let mut parts = segment.split('-').map(str::len);
    let uuid = [8, 4, 4, 4, 12].iter().all(|it| parts.next() == Some(*it)) && parts.next().is_none();
    !segment.is_empty() && segment.bytes().all(|it| it.is_ascii_digit())
        || uuid && segment.split('-').all(hex)
        || segment.len() >= 24 && hex(segment)
}

/// A path without the host before it: `{{host}}/orders`, `http://localhost:3000/orders`, `:3000/orders`.
fn without_host(path: &str) -> &str {
    let is_port = |it: &str| it.len() >= 2 && it.bytes().all(|it| it.is_ascii_digit());
    let behind_port = path.strip_prefix(':').and_then(|it| it.find('/').filter(|at| is_port(&it[..*at])));
    let rest = if let Some(at) = behind_port {
        path.get(at + 1..)
    } else if let Some(rest) = path.strip_prefix("{{") {
        rest.split_once("}}").map(|it| it.1)
    } else {
        let rest = path.strip_prefix("http://").or_else(|| path.strip_prefix("https://"));
        rest.map(|it| it.find('/').map_or("", |at| &it[at..]))
    };
    rest.filter(|it| it.starts_with('/')).unwrap_or(path)
}

/// The most endpoints of one row or paragraph: with more, the row or paragraph is generated, and is not searched to its end.
const MOST: usize = 100;

pub(super) fn read(document: &Document, notes: &mut Notes) {
    let bases = Bases::of(document);
    let mut halves = Halves::default();
    let mut last: Option<(usize, usize)> = None;
    let mut seen_section = 0;
    for (at, block) in document.blocks.iter().enumerate() {
        let service = services::of_section(document, notes, block.section);
        // Headings between the last block and this one.
        let opened: Vec<usize> = (seen_section + 1..=block.section).collect();
        seen_section = seen_section.max(block.section);
        for section in opened {
            let title = &document.sections[section].title;
            if let Some((method, path, said)) = in_text(&title.plain) {
                let service = services::of_section(document, notes, section);
                let line = document.sections[section].line;
                // `GET /orders & POST /orders`: what stands below is said of the first.
                let plainly = title.plain.split(['(', '[']).next().unwrap_or("");
                let mut several = stated(plainly).into_iter().take(MOST);
                let first = several.next().filter(|_| several.len() > 0).unwrap_or((method, path));
                let found = add(notes, &bases, first, line, service.clone(), &clean(&said));
                for other in several {
                    add(notes, &bases, other, line, service.clone(), "");
                }
                last = Some((found, section));
            } else if let Some(path) = path_of_title(title) {
                // `### Register `/register`` with `Method: POST` below.
                halves = Halves { section, titled: Some(path), ..Halves::default() };
            }
        }
        if let Some((_, section)) = last
            && !document.around(block.section).any(|it| it == section)
        {
            last = None;
        }
        // `#### Method` and `#### Endpoint` stand below the heading of their operation.
        let title = document.title(block.section);
        let label = if title.len() <= 20 { words::split(title).join(" ") } else { String::new() };
        let named = [METHOD, PATH].iter().any(|it| it.contains(&label.as_str()));
        let of = if named { document.sections[block.section].parent } else { block.section };
        if halves.section != of && !document.around(block.section).any(|it| it == halves.section && it != 0) {
            halves = Halves { section: of, ..Halves::default() };
        }
        match &block.kind {
            Kind::Item(text, _) | Kind::Paragraph(text) => {
                halves_of(&text.plain, &mut halves);
                if named {
                    text.plain.lines().for_each(|it| half(&format!("{title}: {it}"), &mut halves));
                }
            }
            // `| Method | POST |` in a table of labels
            Kind::Table(head, rows) if head.len() == 2 => {
                let rows = std::iter::once(head.as_slice()).chain(rows.iter().map(|it| it.cells.as_slice()));
                for cells in rows {
                    if let [label, said] = cells {
                        half(&format!("{}: {}", label.plain, said.plain), &mut halves);
                    }
                }
            }
            _ => {}
        }
        let whole = halves.path.clone().filter(|_| !halves.methods.is_empty());
        // The heading has the path where no line below states one.
        let says = matches!(block.kind, Kind::Item(..) | Kind::Paragraph(_)) && !halves.methods.is_empty();
        let whole = whole.or_else(|| halves.titled.take_if(|_| says && !states_path(document, at)));
        if let Some(path) = whole {
            for method in std::mem::take(&mut halves.methods) {
                let found = add(notes, &bases, (method, path.clone()), block.line, service.clone(), document.title(of));
                last = Some((found, of));
            }
            halves = Halves { section: of, ..Halves::default() };
        }
        match &block.kind {
            Kind::Item(text, depth) => {
                if let Some((operation, _)) = last
                    && let Some(fields) = bodies::listed(document, at)
                {
                    notes.operations[operation].request.get_or_insert(bodies::of_fields(&fields));
                }
                if let Some(endpoint) = outline::of_item(document, at).filter(|_| !document.excluded[block.section]) {
                    let said = clean(first_line(&text.plain).split_once([' ', ',']).map_or("", |it| it.1));
                    let found = add(notes, &bases, endpoint, block.line, service, &said);
                    last = Some((found, block.section));
                    part(notes, found, &format!("body: {}", text.plain));
                    continue;
                }
                for endpoint in marked(text).into_iter().take(MOST) {
                    if !document.excluded[block.section] {
                        let known = notes.operations.len();
                        let passing = is_in_sentence(&text.plain, &endpoint.0);
                        let found = add(notes, &bases, endpoint, block.line, service.clone(), "");
                        if found == known {
                            let operation = &mut notes.operations[found];
                            operation.in_passing = passing;
                            operation.summary = clean(first_line(&text.plain));
                        }
                    }
                }
                if let Some((method, path, said)) = in_text(first_line(&text.plain)) {
                    if !document.excluded[block.section] {
                        let asked = bodies::behind(&method, behind_path(first_line(&text.plain)), block.line);
                        let said = clean(&said);
                        let known = notes.operations.len();
                        let passing = is_in_sentence(&text.plain, &method);
                        let found = add(notes, &bases, (method, path), block.line, service, &said);
                        notes.operations[found].request = notes.operations[found].request.take().or(asked);
                        notes.operations[found].in_passing |= passing && found == known;
                        last = Some((found, block.section));
                        part(notes, found, &text.plain);
                    }
                } else if let Some(paths) = paths_alone(text).filter(|_| stated(&text.plain).is_empty()) {
                    for path in paths {
                        let verb = path
                            .rsplit('/')
                            .find(|it| !it.is_empty() && !it.starts_with('{'))
                            .and_then(|it| words::verb(it).filter(|(base, _)| *base == it));
                        let method = match verb {
                            Some((_, Deed::Read | Deed::Tell)) | None => "GET",
                            Some((_, Deed::Delete)) => "DELETE",
                            Some((_, Deed::Update)) => "PUT",
                            Some(_) => "POST",
                        };
                        let found = add(notes, &bases, (method.to_owned(), path), block.line, service.clone(), "");
                        notes.operations[found].guessed = true;
                    }
                } else if let Some((operation, _)) = last
                    && (*depth > 0
                        || in_text(document.title(block.section)).is_some()
                        || document.around(block.section).any(|it| in_text(document.title(it)).is_some()))
                {
                    part(notes, operation, &text.plain);
                }
            }
            Kind::Paragraph(text) => {
                let mut any = false;
                for line in text.plain.lines() {
                    let routes = routed(line);
                    if !routes.is_empty() {
                        for endpoint in routes {
                            let found = add(notes, &bases, endpoint, block.line, service.clone(), "");
                            last = Some((found, block.section));
                        }
                        any = true;
                        continue;
                    }
                    // In a sentence an endpoint is told of; on a line of its own it is stated.
                    let alone = line.split_whitespace().count() <= 12
                        || METHODS.iter().any(|it| line.trim_start().starts_with(it));
                    let all = if document.excluded[block.section] { Vec::new() } else { stated(line) };
                    if let (Some((method, path, said)), true) = (in_text(line), alone && all.len() <= 1) {
                        let asked = bodies::behind(&method, behind_path(line), block.line);
                        let found = add(notes, &bases, (method, path), block.line, service.clone(), &clean(&said));
                        notes.operations[found].request = notes.operations[found].request.take().or(asked);
                        last = Some((found, block.section));
                        any = true;
                        continue;
                    }
                    for endpoint in all.into_iter().take(MOST) {
                        let known = notes.operations.len();
                        let found = add(notes, &bases, endpoint, block.line, service.clone(), "");
                        notes.operations[found].in_passing |= !alone && found == known;
                    }
                }
                if !document.excluded[block.section] {
                    for endpoint in coded(text).into_iter().take(MOST) {
                        let known = notes.operations.len();
                        let passing = is_in_sentence(&text.plain, &endpoint.0);
                        let found = add(notes, &bases, endpoint, block.line, service.clone(), "");
                        notes.operations[found].in_passing |= passing && found == known;
                    }
                }
                if let (false, Some((operation, _))) = (any, last) {
                    let operation_note = &mut notes.operations[operation];
                    if operation_note.summary.is_empty() && !text.plain.trim_end().ends_with(':') {
                        operation_note.summary = text.plain.replace('\n', " ");
                    }
                    // `Body: {…}` and `Response: {…}` on lines of their own
                    let labelled =
                        |line: &str| line.split_once(':').is_some_and(|it| it.0.split_whitespace().count() <= 3);
                    if text.plain.lines().all(labelled) {
                        text.plain.lines().for_each(|it| part(notes, operation, it));
                    } else {
                        part(notes, operation, &text.plain);
                    }
                }
            }
            Kind::Table(head, rows) => {
                for row in rows {
                    let OfRow { endpoints, said, actor } = of_row(head, &row.cells);
                    if endpoints.is_empty() {
                        continue;
                    }
                    let service = service.clone().or_else(|| of_columns(notes, head, &row.cells));
                    for endpoint in endpoints.into_iter().take(MOST) {
                        let found = add(notes, &bases, endpoint, row.line, service.clone(), &said);
                        let operation = &mut notes.operations[found];
                        operation.actor.clone_from(&actor);
                        bodies::of_row(head, &row.cells, operation);
                    }
                }
                if let (Some((operation, _)), Some(fields)) = (last, super::fields::of_table(head, rows)) {
                    let title = format!(
                        "{} {}",
                        document.title(block.section),
                        document.lead(at).map_or("", |lead| lead.plain.as_str())
                    )
                    .to_ascii_lowercase();
                    let schema = bodies::of_fields(&fields);
                    let operation = &mut notes.operations[operation];
                    if title.contains("response") || title.contains("returns") {
                        operation.responses.push((200, schema, String::new()));
                    } else if title.contains("body") || title.contains("request") || title.contains("payload") {
                        operation.request.get_or_insert(schema);
                    }
                }
            }
            Kind::Code(language, text) => {
                let lead = document.lead(at).map_or("", |lead| lead.plain.as_str()).to_ascii_lowercase();
                let mut any = false;
                let shell = ["bash", "sh", "shell", "console", "zsh", ""].contains(&language.as_str());
                for command in shell.then(|| programs::commands(text)).into_iter().flatten().take(MOST) {
                    let line = block.line + 1 + command.line;
                    let known = notes.operations.len();
                    let found =
                        add(notes, &bases, command.endpoint, line, service.clone(), document.title(block.section));
                    // A command for an endpoint that the text describes is an example.
                    if found == known {
                        any = true;
                        if let Some(sent) = command.sent {
                            part(notes, found, &format!("request: {sent}"));
                        }
                    }
                }
                // `- POST /orders` in a list of YAML
                let listed =
                    text.lines().enumerate().filter_map(|(at, it)| Some((at, it.trim_start().strip_prefix("- ")?)));
                for (offset, line) in listed.take(MOST) {
                    let starts = line.split_whitespace().next().is_some_and(|it| METHODS.contains(&it));
                    if let Some((method, path, said)) = in_text(line).filter(|_| starts) {
                        let line = block.line + 1 + offset as u32;
                        add(notes, &bases, (method, path), line, service.clone(), &clean(&said));
                        any = true;
                    }
                }
                for (offset, endpoint) in programs::routes(text).into_iter().take(MOST) {
                    add(notes, &bases, endpoint, block.line + 1 + offset, service.clone(), "");
                    any = true;
                }
                for (offset, endpoint, said) in outline::of_lines(text).into_iter().take(MOST) {
                    add(notes, &bases, endpoint, block.line + 1 + offset, service.clone(), &clean(&said));
                    any = true;
                }
                if any {
                    continue;
                }
                let first = text.split_whitespace().next().is_some_and(|it| METHODS.contains(&it));
                if first
                    || !["bash", "sh", "shell", "yaml", "yml", "typescript", "python", "js", "javascript", "ts"]
                        .contains(&language.as_str())
                {
                    for (offset, line) in text.lines().enumerate() {
                        let starts = line.split_whitespace().next().is_some_and(|it| METHODS.contains(&it));
                        // Lines of a log say which protocol.
                        if !starts && !line.contains(" HTTP/") && ["", "text", "mermaid"].contains(&language.as_str()) {
                            for endpoint in stated(line) {
                                add(notes, &bases, endpoint, block.line + 1 + offset as u32, service.clone(), "");
                            }
                        }
                        // `POST orders/{id}/lines`, as `artisan route:list` prints it
                        let words: Vec<&str> = line.split_whitespace().collect();
                        let bare = || match words.as_slice() {
                            [method, path, rest @ ..] if is_bare(path) => {
                                Some(((*method).to_owned(), template(path), rest.join(" ")))
                            }
                            _ => None,
                        };
                        if let (true, Some((method, path, said))) = (starts, in_text(line).or_else(bare)) {
                            let said = said.trim_start_matches(['#', '-', '/', '—', '–', ' ']).to_owned();
                            let found = add(
                                notes,
                                &bases,
                                (method, path),
                                block.line + 1 + offset as u32,
                                service.clone(),
                                &said,
                            );
                            last = Some((found, block.section));
                            any = true;
                        }
                    }
                }
                // What a request sends stands behind an empty line: RFC 9112, 2.1.
                if let (true, Some((operation, _)), Some((_, sent))) = (any && first, last, text.split_once("\n\n"))
                    && sent.trim_start().starts_with(['{', '['])
                {
                    part(notes, operation, &format!("request: {}", sent.trim()));
                }
                if let (false, Some((operation, _))) = (any, last) {
                    let title = document.title(block.section);
                    // A block right below the endpoint is what goes in, or what comes out where nothing goes in.
                    let bare = in_text(title).is_some() && (lead.is_empty() || !lead.trim_end().ends_with(':'));
                    let gets = notes.operations[operation].endpoint.as_ref().is_some_and(|it| it.0 == "GET");
                    // `Query Parameters:` within the block
                    let within = text.trim_start().lines().next().unwrap_or("").trim().strip_suffix(':');
                    let label = match bare {
                        _ if within.is_some() => within.unwrap_or("").to_ascii_lowercase(),
                        true if gets => "response".to_owned(),
                        true => "request".to_owned(),
                        false if lead.is_empty() => title.to_ascii_lowercase(),
                        false => lead,
                    };
                    part(notes, operation, &format!("{label}: {}", sent(text).unwrap_or(text)));
                }
            }
        }
    }
    // Headings behind the last block.
    for section in seen_section + 1..document.sections.len() {
        if let Some((method, path, said)) = in_text(&document.sections[section].title.plain) {
            let service = services::of_section(document, notes, section);
            add(notes, &bases, (method, path), document.sections[section].line, service, &clean(&said));
        }
    }
    bases.join(notes);
}

/// Paths that a text lists without methods: `` REST APIs: `/register`, `/login` ``.
fn paths_alone(text: &Text) -> Option<Vec<String>> {
    let paths: Vec<String> = text
        .codes()
        .filter(|it| it.starts_with('/') && it.len() > 1 && !it.contains([' ', '.', '*']))
        .map(template)
        .collect();
    let said = words::split(&text.plain);
    let labelled = text.plain.split_once(':').is_some_and(|(label, _)| {
        let label = words::split(label);
        label.len() <= 4
            && label.iter().any(|it| ["api", "apis", "endpoint", "endpoints", "routes", "route"].contains(&it.as_str()))
    });
    // `expose an endpoint `/status` …`
    let told = said.iter().any(|it| it == "endpoint" || it == "endpoints") && said.len() <= 30;
    ((labelled || told) && !paths.is_empty()).then_some(paths)
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or(text)
}

/// What is said of an endpoint, without what only connects.
fn clean(said: &str) -> String {
    let said = said.trim().trim_matches(|c: char| "-–—:*`→()[] ".contains(c));
    let said = topics::without_number(said);
    said.replace("**", "").replace('`', "").trim().to_owned()
}

/// Notes an endpoint once a service.
fn add(
    notes: &mut Notes,
    bases: &Bases,
    (method, path): (String, String),
    line: u32,
    service: Option<String>,
    said: &str,
) -> usize {
    // `GET /` below two headings are two endpoints.
    let key = shape(&path);
    let key = bases.before(line, &path).map(|base| format!("{base}{key}")).unwrap_or(key);
    let same = |it: &OperationNote| {
        it.key == key
            && it.endpoint.as_ref().is_some_and(|(known, _)| *known == method)
            && (it.service == service || service.is_none() || it.service.is_none())
    };
    if let Some(at) = notes.operations.iter().position(same) {
        let known = &mut notes.operations[at];
        if known.summary.is_empty() {
            said.clone_into(&mut known.summary);
        }
        known.service = known.service.take().or(service);
        return at;
    }
    if notes.operations.len() >= MAX_OPERATIONS {
        return notes.operations.len() - 1;
    }
    notes.operations.push(OperationNote {
        line,
        service,
        key,
        endpoint: Some((method, path)),
        summary: said.to_owned(),
        ..OperationNote::default()
    });
    notes.operations.len() - 1
}

/// Takes back fields that the text names in paths alone: `{orderId}` of `/orders/{orderId}` says which order is meant.
pub(super) fn without_parameters(text: &str, notes: &mut Notes) {
    let mut elsewhere: FxHashMap<&str, bool> = FxHashMap::default();
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    while let Some(from) = text[at..].find(part).map(|it| at + it) {
        let end = text[from..].find(|c: char| !part(c)).map_or(text.len(), |it| from + it);
        let named = ["/{", "/:", "/[", "/<"].iter().any(|it| text[..from].ends_with(it))
            || text[..from].ends_with('{') && text[end..].starts_with('}');
        *elsewhere.entry(&text[from..end]).or_insert(false) |= !named;
        at = end;
    }
    let in_path = |name: &str| elsewhere.get(name).is_some_and(|it| !it);
    for entity in &mut notes.entities {
        entity.fields.retain(|it| {
            !it.kind.is_empty() || it.stated || it.name == "id" || !fields::is_key(&it.name) || !in_path(&it.name)
        });
    }
}

/// What a command sends: `curl … -d '{"name": "Ann"}'`.
fn sent(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix("curl ")?;
    let at = ["-d '", "--data '", "--data-raw '", "-d \""].iter().find_map(|it| Some(rest.find(it)? + it.len()))?;
    Some(&rest[at..])
}

/// Notes what a text says of the body of an operation: `Request Body: {…}`, `Response 201: {…}`.
fn part(notes: &mut Notes, operation: usize, text: &str) {
    let (label, rest) = text.split_once([':', '→']).unwrap_or((text, text));
    let label = label.to_ascii_lowercase();
    let is = |words: &[&str]| words.iter().any(|word| label.contains(word));
    let Some(operation) = notes.operations.get_mut(operation) else { return };
    if is(&["header", "query", "params", "parameter"]) {
        return;
    }
    let status = label
        .split(|c: char| !c.is_ascii_digit())
        .find_map(|it| it.parse::<u16>().ok())
        .filter(|it| (200..600).contains(it));
    let Some(schema) = payload::read(rest) else {
        bodies::of_line(&label, rest, operation);
        return;
    };
    if is(&["response", "returns", "output", "result", "success", "answer"]) || status.is_some() {
        let status = status.unwrap_or(200);
        if !operation.responses.iter().any(|(known, ..)| *known == status) {
            operation.responses.push((status, schema, String::new()));
        }
    } else if is(&["request", "body", "input", "payload", "accepts"]) {
        match operation.request.as_mut().and_then(|it| it.get_mut("properties")?.as_object_mut()) {
            // Another body of the same request may have more members: `Body (group)`.
            Some(known) if label.contains("body (") => {
                for (name, value) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                    known.entry(name).or_insert_with(|| value.clone());
                }
            }
            _ => {
                operation.request.get_or_insert(schema);
            }
        }
    }
}
