//! Operations of services: those that a text states with an endpoint, and those that a sentence asks for, at an address that is
//! proposed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::notes::{Notes, OperationNote, service_key};
use super::words::{self, Deed};

/// An operation of a service: stated with its endpoint, or one that sentences ask for.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub(super) service: String,
    pub(super) method: String,
    pub(super) path: String,
    /// The path without the names of its parameters.
    pub(super) shape: String,
    pub(super) id: String,
    pub(super) summary: String,
    pub(super) actor: String,
    pub(super) entity: Option<String>,
    /// One of them, several, or neither.
    pub(super) many: bool,
    pub(super) stated: bool,
    pub(super) note: OperationNote,
}

/// An operation that a sentence asks for, with a proposed method and path.
pub(super) fn derived(
    notes: &Notes,
    note: &OperationNote,
    verb: &'static str,
    deed: Deed,
    entity: Option<String>,
) -> Operation {
    let last = note.object.last().map(|it| it.to_ascii_lowercase()).unwrap_or_default();
    let lists = ["list", "browse", "search", "filter", "find", "query"].contains(&verb);
    let many = deed == Deed::Read && (lists || words::is_plural(&last));
    let name = entity.clone().unwrap_or_else(|| note.object.join(" "));
    let things = words::kebab_plural(&name);
    let thing: Vec<String> = {
        let mut thing = words::split(&name);
        if let Some(last) = thing.last_mut() {
            *last = if many { words::plural(&words::singular(last)) } else { words::singular(last) };
        }
        thing
    };
    let id = format!("{}Id", words::camel(&words::split(&words::pascal(&name))));
    let known = entity.is_some();
    let (method, path, verb) = match deed {
        _ if note.object.is_empty() => ("POST", format!("/api/{verb}"), verb),
        Deed::Create => ("POST", format!("/api/{things}"), if known { "create" } else { verb }),
        Deed::Read if many => ("GET", format!("/api/{things}"), "list"),
        Deed::Read => ("GET", format!("/api/{things}/{{{id}}}"), "get"),
        Deed::Update => ("PATCH", format!("/api/{things}/{{{id}}}"), "update"),
        Deed::Delete => ("DELETE", format!("/api/{things}/{{{id}}}"), "delete"),
        Deed::Tell => ("GET", format!("/api/{things}/{verb}"), verb),
        // What makes a thing has none to begin with.
        Deed::Act
            if ["generate", "submit", "upload", "place", "issue", "send", "request", "import"].contains(&verb) =>
        {
            ("POST", format!("/api/{things}/{verb}"), verb)
        }
        Deed::Act | Deed::Manage if known => ("POST", format!("/api/{things}/{{{id}}}/{verb}"), verb),
        Deed::Act | Deed::Manage => ("POST", format!("/api/{things}/{verb}"), verb),
    };
    let mut words_of_id = vec![verb.to_owned()];
    words_of_id.extend(thing);
    let service = note.service.clone().unwrap_or_else(|| service_of(notes, entity.as_deref(), &path));
    Operation {
        service,
        method: method.to_owned(),
        shape: shape(&path),
        path,
        id: words::camel(&words_of_id),
        summary: note.summary.clone(),
        actor: note.actor.clone(),
        entity,
        many,
        stated: false,
        note: note.clone(),
    }
}

/// Endpoints from which on a text is taken to list all of them.
const LISTED: usize = 3;

/// The endpoints that a text states. The deeds that sentences ask for are compared with these endpoints.
pub(super) struct Endpoints {
    /// How many are stated, and how many are only told of or guessed.
    pub(super) listed: usize,
    pub(super) others: usize,
    /// Methods by the entity that the path is about.
    serving: FxHashMap<String, Vec<String>>,
    /// The segments of all paths.
    segments: FxHashSet<String>,
}

impl Endpoints {
    pub(super) fn of(notes: &Notes) -> Self {
        let mut found = Self { listed: 0, others: 0, serving: FxHashMap::default(), segments: FxHashSet::default() };
        for note in &notes.operations {
            let Some((method, path)) = &note.endpoint else { continue };
            let listed = !note.guessed && !note.in_passing;
            found.listed += usize::from(listed);
            found.others += usize::from(!listed);
            found.segments.extend(path.split('/').map(str::to_ascii_lowercase));
            if let Some(entity) = of_path(notes, path) {
                found.serving.entry(entity).or_default().push(method.clone());
            }
        }
        found
    }

    /// Whether the text lists its endpoints.
    pub(super) fn are_listed(&self) -> bool {
        self.listed >= LISTED
    }

    /// The methods of those that are about an entity.
    pub(super) fn serving(&self, entity: &str) -> &[String] {
        self.serving.get(entity).map_or(&[], Vec::as_slice)
    }

    /// Whether a segment of a stated path is this verb: `/auth/login`, `/orders/{}/cancel`.
    pub(super) fn says(&self, verb: &str) -> bool {
        self.segments.contains(verb)
    }
}

/// Whether the method of an endpoint fits a deed: `POST` creates, `GET` reads.
pub(super) fn does(method: &str, deed: Deed) -> bool {
    match deed {
        Deed::Create | Deed::Act | Deed::Manage => method == "POST",
        Deed::Read | Deed::Tell => method == "GET",
        Deed::Update => ["PUT", "PATCH"].contains(&method),
        Deed::Delete => method == "DELETE",
    }
}

/// A path without the names of its parameters.
pub(super) fn shape(path: &str) -> String {
    path.split('/').map(|it| if it.starts_with('{') { "{}" } else { it }).collect::<Vec<_>>().join("/")
}

/// The entity that a path is about: its last segment that names one.
pub(super) fn of_path(notes: &Notes, path: &str) -> Option<String> {
    path.split('/')
        .rev()
        .filter(|it| !it.is_empty() && !it.starts_with('{'))
        .find_map(|it| notes.known(it))
        .map(|it| it.name.clone())
}

/// The service that does something: where the thing lies, else the one that is called like the path, else the first.
pub(super) fn service_of(notes: &Notes, entity: Option<&str>, path: &str) -> String {
    let owner = entity.and_then(|it| notes.known(it)).and_then(|it| it.service.clone());
    let called = || {
        path.split('/').filter(|it| !it.is_empty()).find_map(|segment| {
            let key = words::key(segment);
            notes.services.iter().find(|it| service_key(&it.name) == key).map(|it| it.name.clone())
        })
    };
    owner.or_else(called).or_else(|| notes.services.first().map(|it| it.name.clone())).unwrap_or_default()
}

/// `getOrdersById` for `GET /orders/{id}`
pub(super) fn id_of_endpoint(method: &str, path: &str) -> String {
    let mut words = vec![method.to_ascii_lowercase()];
    for segment in path.split('/').filter(|it| !it.is_empty()) {
        match segment.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            Some(name) => {
                words.push("by".to_owned());
                words.extend(words::split(name));
            }
            None => words.extend(words::split(segment)),
        }
    }
    words::camel(&words)
}
