//! Reading: things from endpoints, and their fields from the bodies of endpoints that make, change or give one: `POST /orders`
//! with `{"total": 5}`.

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::notes::{FieldNote, Notes, OperationNote};
use super::payload;
use super::words::{self, Deed};

/// Members of answers that are about the answer.
#[rustfmt::skip]
pub(super) const ENVELOPE: &[&str] = &[
    "data", "items", "results", "result", "success", "message", "error", "errors", "meta", "pagination", "total", "page",
    "limit", "count", "status_code", "statusCode", "token", "accessToken", "access_token", "refreshToken", "pageSize",
    "totalPages", "page_size", "next", "previous", "hasMore", "detail", "code",
];

pub(super) fn read(notes: &mut Notes) {
    things(notes);
    read_members(notes, true);
}

/// Notes the members of known things that bodies state.
pub(super) fn members(notes: &mut Notes) {
    read_members(notes, false);
}

/// `new` says whether bodies may tell of things that nothing else has noted: those are noted in passing.
fn read_members(notes: &mut Notes, new: bool) {
    let mut found: Vec<(String, FieldNote)> = Vec::new();
    // Names of things that bodies tell of without a doubt.
    let mut certain: FxHashSet<String> = FxHashSet::default();
    for operation in notes.operations.iter().filter(|it| !it.guessed && !it.in_passing) {
        let Some((method, path)) = &operation.endpoint else { continue };
        let given = successes(operation).map(|it| &it.1);
        let searches = path.rsplit('/').next().is_some_and(|it| ["search", "filter", "query"].contains(&it));
        let asked = operation.request.as_ref().filter(|_| !searches);
        given.chain(asked).for_each(|schema| inner(notes, schema, operation.line, 0, &mut found));
        if new {
            let given = successes(operation).map(|it| &it.1);
            let of = operation
                .endpoint
                .as_ref()
                .and_then(|it| it.1.split('/').rfind(|it| !it.is_empty() && !it.starts_with('{')));
            let of = of.filter(|it| words::is_plural(it));
            given.for_each(|schema| identified(notes, schema, operation.line, (of, false), &mut certain, &mut found));
        }
        let segments: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
        let Some(last) = segments.last() else { continue };
        let one = last.starts_with('{') || *last == "me";
        let behind = segments.len() >= 2 && !segments[segments.len() - 2].starts_with('{');
        let makes = method == "POST" && behind && !words::is_plural(last) && is_making(last);
        let collection = if one || makes { segments.iter().rev().nth(1) } else { Some(last) };
        if let Some(account) = account(notes, &segments).filter(|_| method == "POST") {
            members_of(operation.request.as_ref(), operation.line, account, &mut found);
            continue;
        }
        let known = |it: &&&str| words::is_plural(it) || notes.known(it).is_some();
        // `/clients/private`, `/leave-requests/my`: some of the clients, of the requests.
        let before = segments.iter().rev().nth(1).filter(|it| notes.known(it).is_some() && is_sort(last));
        // `/appointments/patient/{patientId}`: the appointments of one patient.
        let whose = segments.len().checked_sub(3).map(|it| &segments[it]);
        let whose = whose.filter(|it| one && words::is_plural(it) && notes.known(it).is_some());
        let of_another = collection.is_some_and(|it| !it.starts_with('{') && !words::is_plural(it));
        let collection = whose.filter(|_| of_another).or(collection);
        let plain = collection.filter(|it| !it.starts_with('{'));
        let Some(thing) = plain.filter(known).or(before).or(plain.filter(|_| single(operation))) else { continue };
        let given = || {
            let bodies = successes(operation);
            let each = method == "GET" && !words::is_no_thing(&words::key(thing));
            let kept = |body: &Value| {
                let members = body.get("properties").and_then(Value::as_object);
                members.is_some_and(|it| it.len() >= 3 && (it.contains_key("id") || it.contains_key("_id")))
            };
            let shown = bodies.filter_map(|(_, schema, _)| body(schema, thing)).any(kept);
            (each && shown || new && (single(operation) || makes_one(operation))).then(|| words::pascal(thing))
        };
        let Some(entity) = notes.known(thing).map(|it| it.name.clone()).or_else(given) else { continue };
        // Objects with identifiers that a collection answers with are stored: the thing needs no sentence that says so.
        let gives = || successes(operation).filter_map(|it| body(&it.1, thing));
        if new && method == "GET" && gives().any(|it| size(it) >= 3 && it.pointer("/properties/id").is_some()) {
            certain.insert(entity.clone());
        }
        let changes = ["PUT", "PATCH"].contains(&method.as_str());
        let asks = method == "POST" && !one || changes && (one || !words::is_plural(thing) || *thing == "settings");
        let asked = operation.request.as_ref().filter(|_| asks).map(|it| within(it, thing));
        members_of(asked, operation.line, &entity, &mut found);
        // What a deed answers is often about the deed.
        for (_, schema, _) in operation.responses.iter().filter(|it| (200..300).contains(&it.0) && !makes) {
            members_of(body(schema, thing), operation.line, &entity, &mut found);
        }
    }
    note(notes, found, new);
    notes.entities.iter_mut().filter(|it| certain.contains(&it.name)).for_each(|it| it.in_passing = false);
}

/// The answers of an operation that say that all went well, each with its status: RFC 9110, 15.3.
fn successes(operation: &OperationNote) -> impl Iterator<Item = &(u16, Value, String)> {
    operation.responses.iter().filter(|it| (200..300).contains(&it.0))
}

/// Notes the things that stand within a document of JSON: `{"id": 1, "stops": [{"city": "…", "street": "…", "at": "…"}]}`.
pub(super) fn within_document(notes: &mut Notes, text: &str, line: u32) {
    let mut found = Vec::new();
    if let Some(schema) = payload::read(text) {
        identified(notes, &schema, line, (None, true), &mut FxHashSet::default(), &mut found);
    }
    note(notes, found, false);
}

/// Notes objects within a schema that have an identifier of their own, or that a list of several holds: `{"user": {"id": 7,
/// "email": "…"}, "stops": [{"city": "…", "street": "…", "at": "…"}]}`. Each is a thing, by the name of its member; the `items` of an
/// order are order items. `of` is the name of what the schema itself describes, or of several of those; `lists` says whether lists of
/// objects without identifiers tell of things, too. Adds the names of the things to `names`, and their members to `found`.
fn identified(
    notes: &Notes,
    schema: &Value,
    line: u32,
    (of, lists): (Option<&str>, bool),
    names: &mut FxHashSet<String>,
    found: &mut Vec<(String, FieldNote)>,
) {
    // A person who did something has another name in the answer: `created_by`.
    const OTHERS: &[&str] =
        &["by", "to", "from", "owner", "author", "sender", "recipient", "assignee", "creator", "parent"];
    const SORTS: &[&str] = &["last", "latest", "current", "previous", "next", "first", "default", "selected"];
    let Some(members) = schema.get("items").unwrap_or(schema).get("properties").and_then(Value::as_object) else {
        return;
    };
    let is_envelope = members.keys().all(|it| ENVELOPE.contains(&it.as_str()));
    let is_whole = members.contains_key("id") || members.contains_key("_id");
    for (name, value) in members {
        let listed = value.get("items").is_some();
        let one = value.get("items").unwrap_or(value);
        let Some(own) = one.get("properties").and_then(Value::as_object) else { continue };
        // The `items` of an object with an identifier are parts of the object; those of a page are the things that were asked for.
        let items = name == "items" && is_whole;
        let mut said: Vec<String> = words::split(of.filter(|_| items).unwrap_or(""));
        said.extend(words::split(name));
        said.iter_mut().for_each(|it| *it = words::singular(it));
        let is_other = said.last().is_none_or(|it| OTHERS.contains(&it.as_str()));
        let has_id = own.contains_key("id") || own.contains_key("_id");
        let is_named = said.len() > 1 && items || !ENVELOPE.contains(&name.as_str());
        let fits = own.len() >= if has_id { 2 } else { 3 } && (has_id || listed && words::is_plural(name) && lists);
        let thing = said.join(" ");
        // `lastMessage` is a message.
        let is_sort = said.len() > 1 && SORTS.contains(&said[0].as_str());
        let is_thing = is_named && !is_other && !is_sort && !words::is_no_thing(&said.concat());
        if is_thing && fits && notes.known(&thing).is_none() {
            names.insert(words::pascal(&thing));
            members_of(Some(one), line, &thing, found);
        }
        let of = if is_envelope || ENVELOPE.contains(&name.as_str()) { of } else { Some(name.as_str()) };
        identified(notes, one, line, (of, lists), names, found);
    }
}

/// How many members a schema has beside those that are about the answer.
fn size(schema: &Value) -> usize {
    let members = schema.get("properties").and_then(Value::as_object);
    members.map_or(0, |it| it.keys().filter(|name| !ENVELOPE.contains(&name.as_str())).count())
}

/// Whether a path is that of one thing of which everybody has one, by what it gives or takes: `GET /cart`, `PUT /preferences`.
fn single(operation: &OperationNote) -> bool {
    let Some((method, path)) = &operation.endpoint else { return false };
    let name = path.rsplit('/').next().unwrap_or("");
    let root = |it: &str| ["api", "rest", "users", "user", "me", "v1", "v2", "v3"].contains(&it);
    let plain = !name.starts_with('{')
        && path.split('/').filter(|it| !it.is_empty()).rev().skip(1).all(root)
        && !is_sort(name)
        && words::verb(name).is_none()
        && !words::is_no_thing(&words::key(name));
    let given = successes(operation).filter_map(|it| body(&it.1, name));
    let gives = method == "GET" && given.map(size).max().is_some_and(|it| it >= 3);
    let takes =
        ["PUT", "PATCH"].contains(&method.as_str()) && operation.request.as_ref().is_some_and(|it| size(it) >= 2);
    plain && (gives || takes)
}

/// Whether a body makes one of a collection: `POST /leave-requests` with two members.
fn makes_one(operation: &OperationNote) -> bool {
    let Some((method, path)) = &operation.endpoint else { return false };
    let name = path.rsplit('/').next().unwrap_or("");
    method == "POST" && words::is_plural(name) && operation.request.as_ref().is_some_and(|it| size(it) >= 2)
}

/// Whether a segment of a path says which of the things are meant that the segment before names.
fn is_sort(segment: &str) -> bool {
    const SORTS: &[&str] = &[
        "my",
        "mine",
        "all",
        "list",
        "page",
        "private",
        "public",
        "active",
        "archived",
        "recent",
        "latest",
        "nearby",
        "featured",
        "popular",
        "current",
        "pending",
        "open",
        "closed",
        "available",
        "upcoming",
        "new",
        "trending",
        "completed",
        "me",
        "filter",
        "search",
    ];
    SORTS.contains(&segment)
}

/// Notes members of things as their fields. Things that nothing else has noted are noted in passing where `new` says so.
fn note(notes: &mut Notes, found: Vec<(String, FieldNote)>, new: bool) {
    for (entity, field) in found {
        let unknown = new && notes.known(&entity).is_none();
        if let Some(entity) = notes.entity(&entity, field.line) {
            entity.in_passing |= unknown;
            entity.field(field);
        }
    }
}

/// Members of messages that are about the message.
const OF_MESSAGES: &[&str] = &[
    "eventid",
    "eventtype",
    "occurredat",
    "timestamp",
    "correlationid",
    "version",
    "type",
    "source",
    "specversion",
    "metadata",
    "payload",
    "traceid",
    "causationid",
    "messageid",
    "aggregateid",
    "eventversion",
    "schemaversion",
    "producer",
];

/// Whether a member, by its key, tells messages apart and nothing of what they tell of: `eventId`, whatever thing is near.
pub(super) fn tells_messages_apart(key: &str) -> bool {
    OF_MESSAGES.contains(&key)
        && ["event", "message", "correlation", "causation", "trace"].iter().any(|it| key.starts_with(it))
}

/// Notes what messages carry as members of the things that they tell of: `OrderPlaced` with `{"total": 5}`. A message that carries
/// `order_id` tells of orders, whatever else the text says of them.
pub(super) fn members_of_messages(notes: &mut Notes) {
    let mut found: Vec<(String, FieldNote)> = Vec::new();
    for event in notes.events.values() {
        let mut said = words::split(&event.name);
        said.retain(|it| it != "event");
        let thing = (1..said.len()).rev().find_map(|end| notes.known(&said[..end].join(" ")));
        let Some(thing) = thing else {
            let identified = (1..said.len()).rev().map(|end| said[..end].join(" "));
            let name = identified.into_iter().find(|it| carries_id_of(event.payload.as_ref(), it));
            name.into_iter().for_each(|it| members_of(event.payload.as_ref(), event.line, &it, &mut found));
            continue;
        };
        // What has a data model has what the model says.
        if thing.fields.iter().all(|it| it.kind.is_empty()) {
            members_of(event.payload.as_ref(), event.line, &thing.name, &mut found);
        }
    }
    found.retain(|(_, field)| {
        !OF_MESSAGES.contains(&words::key(&field.name).as_str()) && !ENVELOPE.contains(&field.name.as_str())
    });
    note(notes, found, true);
}

/// Whether a payload has the identifier of a thing: `order_id` or `orderId` of an order.
fn carries_id_of(payload: Option<&Value>, thing: &str) -> bool {
    let key = format!("{}id", words::key(thing));
    let members = payload.and_then(|it| it.get("properties")).and_then(Value::as_object);
    members.is_some_and(|it| it.len() >= 2 && it.keys().any(|it| words::split(it).concat() == key))
}

/// Whether the last segment of a path says that one of the things before it is made: `/payments/process`, `/rides/request`.
fn is_making(segment: &str) -> bool {
    const OTHER: &[&str] = &[
        "search", "filter", "query", "check", "validate", "verify", "login", "logout", "refresh", "export", "import",
        "bulk", "preview", "count",
    ];
    let verb =
        words::verb(segment).is_some_and(|(base, deed)| base == segment && matches!(deed, Deed::Create | Deed::Act));
    segment == "new" || verb && !OTHER.contains(&segment)
}

/// The thing that an account is, where a path is one for registering: `/auth/register`.
fn account<'n>(notes: &'n Notes, segments: &[&str]) -> Option<&'n str> {
    let registers = ["register", "signup", "sign-up"].contains(segments.last()?);
    let plain = segments.iter().rev().skip(1).all(|it| {
        ["auth", "api", "v1", "v2", "rest", "authentication"].contains(it)
            || notes.known(it).is_some_and(|it| it.name == "User")
    });
    (registers && plain).then(|| notes.known("user").map(|it| it.name.as_str())).flatten()
}

/// The members that the schema of a thing states.
fn members_of(schema: Option<&Value>, line: u32, entity: &str, found: &mut Vec<(String, FieldNote)>) {
    let members = schema.and_then(|it| it.get("properties")).and_then(Value::as_object);
    for (name, value) in members.into_iter().flatten() {
        let kind = value.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        found.push((entity.to_owned(), FieldNote { name: name.clone(), kind, line, ..FieldNote::default() }));
    }
}

/// Notes the members of things that stand within a request or an answer under their names: `{"customer": {…}, "lines": [{…}]}`.
fn inner(notes: &Notes, schema: &Value, line: u32, depth: usize, found: &mut Vec<(String, FieldNote)>) {
    const DEEPEST: usize = 4;
    const FORMS: &[&str] = &["detail", "info", "data"];
    let members = schema.get("items").unwrap_or(schema).get("properties").and_then(Value::as_object);
    for (name, value) in members.into_iter().flatten().filter(|_| depth < DEEPEST) {
        let one = value.get("items").unwrap_or(value);
        if one.get("properties").is_none() {
            continue;
        }
        let mut said: Vec<String> = words::split(name).iter().map(|it| words::singular(it)).collect();
        if said.len() > 1 && said.last().is_some_and(|it| FORMS.contains(&it.as_str())) {
            said.pop();
        }
        if let Some(thing) = notes.known(&said.join(" ")) {
            members_of(Some(one), line, &thing.name, found);
        }
        inner(notes, one, line, depth + 1, found);
    }
}

/// The schema of one thing in that of a request: the request itself, or its only member that is called like the thing.
fn within<'s>(schema: &'s Value, things: &str) -> &'s Value {
    let only = schema.get("properties").and_then(Value::as_object).filter(|it| it.len() == 1);
    let named = only.and_then(|it| it.iter().find(|(name, _)| words::key(name) == words::key(things)));
    let inner = named.map(|(_, it)| it.get("items").unwrap_or(it)).filter(|it| it.get("properties").is_some());
    inner.unwrap_or(schema)
}

/// The schema of one thing in that of an answer: the answer itself, the elements of a list, or those of the member that is
/// called like the things.
fn body<'s>(schema: &'s Value, things: &str) -> Option<&'s Value> {
    if let Some(items) = schema.get("items") {
        return items.get("properties").is_some().then_some(items);
    }
    let members = schema.get("properties")?.as_object()?;
    let key = words::key(things);
    let named = members
        .iter()
        .find(|(name, _)| words::key(name) == key || ["data", "items", "results"].contains(&name.as_str()));
    if let Some((_, inner)) = named.filter(|(_, it)| it.get("properties").is_some() || it.get("items").is_some()) {
        return body(inner, things);
    }
    // `{ stream, token }` gives the thing itself among others.
    let wraps = members.keys().any(|it| words::key(it) == key);
    let plain = members.keys().all(|it| !ENVELOPE.contains(&it.as_str()));
    (plain && !wraps).then_some(schema)
}

/// Resources of stated endpoints that are made in a collection and have an address each: `POST /bookings`, `GET
/// /bookings/{id}`.
fn things(notes: &mut Notes) {
    let stated: Vec<(String, String, u32)> = notes
        .operations
        .iter()
        .filter(|it| !it.guessed && !it.in_passing)
        .filter_map(|it| it.endpoint.clone().map(|(method, path)| (method, path, it.line)))
        .collect();
    for (method, path, line) in &stated {
        // `/cards/request` makes one of the cards.
        let made = path.rsplit_once('/').filter(|it| is_making(it.1)).map_or(path.as_str(), |it| it.0);
        let Some(name) = made.rsplit('/').next().filter(|it| method == "POST" && words::is_plural(it)) else {
            continue;
        };
        let each = |it: &&(String, String, u32)| {
            it.1.strip_prefix(made).is_some_and(|rest| rest.starts_with("/{") && rest.matches('/').count() == 1)
        };
        let fits =
            name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') && stated.iter().any(|it| each(&it));
        let new = notes.known(name).is_none();
        if fits
            && !words::is_no_thing(&words::key(name))
            && let Some(entity) = notes.entity(name, *line)
        {
            entity.in_passing |= new;
        }
    }
}
