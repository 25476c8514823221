//! From notes to what is told: things said in passing, what operations are about, which service each thing belongs to.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::json;

use super::clauses;
use super::judge;
use super::notes::{Notes, service_key};
use super::operation::{Endpoints, Operation, derived, id_of_endpoint, of_path, service_of, shape};
use super::words::{self, Deed};

/// From which chance on a deed that is not told is asked about: half of it where a wording says that the deed is to be possible.
const DOUBTFUL: f32 = 0.4;

/// Every service has a name: where the text names none, one stands for the product. Says whether that is so.
pub(super) fn services(notes: &mut Notes) -> bool {
    if !notes.services.is_empty() {
        return false;
    }
    let name =
        notes.product.as_deref().map(words::kebab).filter(|it| !it.is_empty()).unwrap_or_else(|| "service".to_owned());
    notes.service(&name, 0);
    true
}

/// The service that keeps an entity, where the text says or only one could.
pub(super) fn owners(notes: &mut Notes) {
    let services: Vec<(String, String)> =
        notes.services.iter().map(|it| (it.name.clone(), service_key(&it.name))).collect();
    for entity in &mut notes.entities {
        if entity.service.is_some() {
            continue;
        }
        if let [(only, _)] = services.as_slice() {
            entity.service = Some(only.clone());
            continue;
        }
        let key = words::key(&entity.name);
        entity.service = services.iter().find(|(_, service)| *service == key).map(|(name, _)| name.clone());
    }
    // Whoever alone serves an entity keeps the entity.
    let served: Vec<(String, String)> = notes
        .operations
        .iter()
        .filter_map(|it| Some((of_path(notes, &it.endpoint.as_ref()?.1)?, it.service.clone()?)))
        .collect();
    for entity in notes.entities.iter_mut().filter(|it| it.service.is_none()) {
        let mut services = served.iter().filter(|it| it.0 == entity.name).map(|it| &it.1);
        let first = services.next();
        if first.is_some() && services.all(|it| Some(it) == first) {
            entity.service = first.cloned();
        }
    }
    // `OrderItem` lies where `Order` does.
    let known: Vec<(String, Option<String>)> =
        notes.entities.iter().map(|it| (words::key(&it.name), it.service.clone())).collect();
    for entity in &mut notes.entities {
        if entity.service.is_none() {
            let key = words::key(&entity.name);
            entity.service = known
                .iter()
                .filter(|(it, service)| service.is_some() && key.starts_with(it.as_str()))
                .max_by_key(|(it, _)| it.len())
                .and_then(|(_, service)| service.clone());
        }
    }
}

/// Takes back things that are an enumeration by name and have no fields and no deeds, and gives fields without a type the
/// enumeration of their name.
pub(super) fn enumerations(notes: &mut Notes) {
    let values: FxHashMap<String, String> = notes.values.iter().map(|it| (words::key(&it.0), it.0.clone())).collect();
    if values.is_empty() {
        return;
    }
    let done: FxHashSet<String> =
        notes.operations.iter().filter_map(|it| Some(words::key(&notes.meant(&it.object)?.name))).collect();
    notes.entities.retain(|it| {
        let key = words::key(&it.name);
        !values.contains_key(&key) || !it.fields.is_empty() || done.contains(&key) || it.words.len() < 2
    });
    for field in notes.entities.iter_mut().flat_map(|it| &mut it.fields).filter(|it| it.kind.is_empty()) {
        if let Some(name) = values.get(&words::key(&field.name)) {
            field.kind.clone_from(name);
        }
    }
}

/// The operations of all services: those with an endpoint, and what sentences ask for beside these.
pub(super) fn operations(notes: &mut Notes) -> Vec<Operation> {
    let endpoints = Endpoints::of(notes);
    let mut found: Vec<Operation> = Vec::new();
    let all = std::mem::take(&mut notes.operations);
    for note in all.iter().filter(|it| it.endpoint.is_some()) {
        let Some((method, path)) = note.endpoint.clone() else { continue };
        let entity = of_path(notes, &path);
        let many = method == "GET" && !path.ends_with('}');
        let service = note.service.clone().unwrap_or_else(|| service_of(notes, entity.as_deref(), &path));
        let id = id_of_endpoint(&method, &path);
        // `/login` says itself what it does.
        let named = words::split(&path);
        let says = named.first().and_then(|it| words::verb(it)).is_some_and(|(base, _)| base == named[0]);
        let id = if note.guessed && says { words::camel(&named) } else { id };
        // Once below the base address and once without it.
        let below = |longer: &str, shorter: &str| {
            longer.strip_suffix(shorter).is_some_and(|base| {
                base.is_empty()
                    || base == "/api"
                    || (base.starts_with("/api/v") || base.starts_with("/v")) && base.len() <= 8
            })
        };
        let own = shape(&path);
        let same = found.iter_mut().find(|it| {
            it.method == method && it.service == service && (below(&it.shape, &own) || below(&own, &it.shape))
        });
        if let Some(known) = same {
            if own.len() > known.shape.len() {
                known.path = path;
                known.shape = own;
            }
            if known.note.request.is_none() {
                known.note.request.clone_from(&note.request);
            }
            if known.note.responses.is_empty() {
                known.note.responses.clone_from(&note.responses);
            }
        } else {
            found.push(Operation {
                service,
                method,
                path,
                shape: own,
                id,
                summary: note.summary.clone(),
                actor: note.actor.clone(),
                entity,
                many,
                stated: true,
                note: note.clone(),
            });
        }
    }
    let by_id = |it: &Operation| (it.service.clone(), String::new(), it.id.clone());
    let by_shape = |it: &Operation| (it.service.clone(), it.method.clone(), it.shape.clone());
    let mut known: FxHashSet<(String, String, String)> =
        found.iter().flat_map(|it| [by_id(it), by_shape(it)]).collect();
    let mut asked: Vec<(u32, String)> = Vec::new();
    let mut managed: Vec<String> = Vec::new();
    let mut lines: FxHashSet<u32> = FxHashSet::default();
    for note in all.iter().filter(|it| it.endpoint.is_none()) {
        let Some((verb, deed)) = note.verb else { continue };
        let entity = notes.meant(&note.object).map(|it| it.name.clone());
        let thing = entity.clone().unwrap_or_else(|| note.object.join(" "));
        if deed == Deed::Manage {
            let question = format!(
                "Line {}: “{}” – which operations on `{thing}` are meant?",
                note.line,
                shortened(&note.summary)
            );
            if note.worded && !managed.contains(&words::key(&thing)) {
                managed.push(words::key(&thing));
                asked.push((note.line, question));
            }
            continue;
        }
        // `leave requests` are what is viewed, and nobody leaves requests.
        let begins = |it: &super::notes::EntityNote| it.words.len() > 1 && it.words[0] == verb;
        if entity.as_deref().and_then(|it| notes.known(it)).is_some_and(begins) {
            continue;
        }
        let features = judge::of_deed(notes, note, entity.as_deref(), &endpoints);
        let chance = judge::of_features(&features);
        let told = judge::is_meant(notes, note, entity.as_deref(), chance);
        let operation = derived(notes, note, verb, deed, entity);
        let about =
            || json!({"method": operation.method, "path": operation.path, "id": operation.id, "said": note.summary});
        notes.trace("deed", about, chance, features);
        let doubtful = chance >= if note.worded { DOUBTFUL / 2.0 } else { DOUBTFUL };
        // Several deeds of one sentence are one question.
        if !told && (doubtful || notes.is_short() && note.worded) && lines.insert(note.line) {
            asked.push((
                note.line,
                format!("Line {}: “{}” – is an operation meant?", note.line, shortened(&note.summary)),
            ));
        }
        if !told {
            continue;
        }
        // Where a text lists its endpoints, sentences explain these. A thing that is described, and that no endpoint serves, has
        // operations of which only sentences tell.
        let served = |entity: &str| {
            notes.known(entity).is_none_or(|it| it.in_passing || it.fields.is_empty())
                || !endpoints.serving(entity).is_empty()
        };
        // A command, a call and `CRUD` say plainly what there is.
        if endpoints.are_listed() && !note.coded && operation.entity.as_deref().is_none_or(served) {
            let covered = found
                .iter()
                .take_while(|it| it.stated)
                .any(|it| it.entity.is_some() && it.entity == operation.entity && it.method == operation.method);
            if !covered && operation.entity.is_some() {
                asked.push((
                    note.line,
                    format!("Line {}: “{}” – which endpoint does this?", note.line, shortened(&note.summary)),
                ));
            }
            continue;
        }
        // An endpoint that the text states does the same.
        let covers = |it: &Operation| {
            let changes = |method: &str| ["PUT", "PATCH"].contains(&method);
            let says = || it.path.split('/').any(|it| it.eq_ignore_ascii_case(verb));
            // `/auth/register` is for those who sign in, not for what they register.
            let same = match (&it.entity, &operation.entity) {
                (Some(one), Some(other)) => one == other,
                (None, Some(other)) => clauses::is_actor(other),
                (_, None) => true,
            };
            let serves = || {
                it.entity.is_some()
                    && it.entity == operation.entity
                    && (it.method == operation.method || changes(&it.method) && changes(&operation.method))
                    && match deed {
                        Deed::Create => !it.path.ends_with('}'),
                        Deed::Read => it.many == operation.many,
                        Deed::Update | Deed::Delete => true,
                        _ => it.path.ends_with(verb),
                    }
            };
            same && says() || serves()
        };
        if found.iter().take_while(|it| it.stated).any(covers) {
            continue;
        }
        let (id, shape) = (by_id(&operation), by_shape(&operation));
        if !known.contains(&id) && !known.contains(&shape) {
            known.extend([id, shape]);
            found.push(operation);
        }
    }
    asked.truncate(40);
    notes.questions.extend(asked);
    // An identifier is one operation's.
    let mut taken: FxHashSet<(String, String)> = FxHashSet::default();
    for it in &mut found {
        let mut number = 2;
        while !taken.insert((it.service.clone(), it.id.clone())) {
            let base = it.id.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
            it.id = format!("{base}{number}");
            number += 1;
        }
    }
    found
}

pub(super) fn shortened(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= 120 { text } else { text.chars().take(119).chain(std::iter::once('…')).collect() }
}
