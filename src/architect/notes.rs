//! What was noted of a text so far. Each reading adds to it; things are known by their names in whatever spelling.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::endpoints::METHODS;
use super::fields;
use super::judge::{self, Feature, Traced};
use super::words;

#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    pub(super) product: Option<String>,
    /// Keys of the names of parts of the product that are to do something.
    pub(super) systems: FxHashSet<String>,
    pub(super) services: Vec<ServiceNote>,
    pub(super) entities: Vec<EntityNote>,
    pub(super) operations: Vec<OperationNote>,
    /// By what different spellings of their names have in common.
    pub(super) events: IndexMap<String, EventNote>,
    /// Whether the text has a catalogue of events: an `event` is none of its things then.
    pub(super) lists_events: bool,
    pub(super) relations: Vec<RelationNote>,
    pub(super) machines: Vec<MachineNote>,
    /// Sets of values that have a name: enumerations.
    pub(super) values: Vec<(String, Vec<String>)>,
    /// Names of functions by which the text tells what is done.
    pub(super) functions: FxHashSet<String>,
    /// Lists of fields whose headings and captions name no thing that the fields are of.
    pub(super) unowned: Vec<Vec<FieldNote>>,
    /// What is to be asked, and the line it is about.
    pub(super) questions: Vec<(u32, String)>,
    pub(super) issues: Vec<String>,
    /// All words of the text in the order of the text, each in the singular.
    pub(super) said: Vec<String>,
    /// Where each of them stands.
    pub(super) places: FxHashMap<String, Vec<usize>>,
    /// Keys of what the headings name.
    pub(super) headed: Vec<String>,
    /// How likely each noun is a thing, by its key.
    pub(super) chances: FxHashMap<String, f32>,
    /// What the text says of each noun, by its key.
    pub(super) seen: FxHashMap<String, Vec<Feature>>,
    /// What stands around a verb and a thing, by the verb and the name of the thing.
    pub(super) pairs: FxHashMap<(&'static str, String), Vec<Feature>>,
    /// What was judged, kept only where somebody asks for it.
    pub(super) traced: Option<Vec<Traced>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ServiceNote {
    /// `order-service`
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) description: String,
    /// Text that is about this service alone, for what it is built with.
    pub(super) text: String,
    /// Services that it needs, as the text says.
    pub(super) needs: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct EntityNote {
    /// `OrderItem`
    pub(super) name: String,
    /// What its name has in common with other spellings.
    key: String,
    /// The words of its name, each in the singular.
    pub(super) words: Vec<String>,
    pub(super) line: u32,
    pub(super) description: String,
    pub(super) service: Option<String>,
    pub(super) fields: Vec<FieldNote>,
    /// Only said in passing: what is done to it makes it a thing.
    pub(super) in_passing: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FieldNote {
    pub(super) name: String,
    /// As written; empty where the text does not say.
    pub(super) kind: String,
    pub(super) required: Option<bool>,
    pub(super) description: String,
    pub(super) values: Vec<String>,
    pub(super) line: u32,
    /// A notation states the field, so that nothing is left to judge.
    pub(super) stated: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct OperationNote {
    pub(super) line: u32,
    pub(super) service: Option<String>,
    /// The text states the path, and not the method.
    pub(super) guessed: bool,
    /// The endpoint is only said in the middle of a sentence.
    pub(super) in_passing: bool,
    /// What it is told from others by: its path without names of parameters, or what it is done to.
    pub(super) key: String,
    /// Where the text states an endpoint.
    pub(super) endpoint: Option<(String, String)>,
    pub(super) verb: Option<(&'static str, words::Deed)>,
    /// Words of what it is done to, as written.
    pub(super) object: Vec<String>,
    pub(super) actor: String,
    pub(super) summary: String,
    pub(super) request: Option<Value>,
    pub(super) responses: Vec<(u16, Value, String)>,
    /// What the text says of the request and of the answers without stating members: `Order`, `200 Order[], 404`.
    pub(super) said_request: String,
    pub(super) said_responses: String,
    /// `SVC-001`
    pub(super) id: Option<String>,
    /// A reading of wordings that say what is to be possible has found the deed.
    pub(super) worded: bool,
    /// The text sets the name of the command as code.
    pub(super) coded: bool,
    pub(super) heard: Heard,
}

/// How a text says a deed.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    /// As a verb and its object.
    pub(super) as_verb: bool,
    /// How often.
    pub(super) times: usize,
    /// How often as a noun: `order creation`.
    pub(super) nominal: usize,
    /// A heading says so.
    pub(super) headed: bool,
    /// The wider verb that stands for this one and others: `manage`.
    pub(super) managed: Option<Managed>,
}

/// How a text says a wider verb.
#[derive(Clone, Copy, Debug)]
pub(super) struct Managed {
    pub(super) verb: &'static str,
    pub(super) nominal: bool,
    pub(super) worded: bool,
    pub(super) headed: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct EventNote {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) channel: Option<String>,
    pub(super) payload: Option<Value>,
    pub(super) publishers: Vec<String>,
    pub(super) consumers: Vec<String>,
    pub(super) description: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RelationNote {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) kind: &'static str,
    pub(super) cardinality: &'static str,
    pub(super) line: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct MachineNote {
    pub(super) entity: String,
    pub(super) states: Vec<String>,
    /// From, to, trigger.
    pub(super) moves: Vec<(String, String, String)>,
    pub(super) initial: Option<String>,
}

/// What one document holds at most; that more was left out is told (`tell_limits`), here and below.
pub(super) const MAX_ENTITIES: usize = 1_000;
/// More is told, not kept.
pub(super) const MAX_OPERATIONS: usize = 2_000;
/// Of one entity; more is told, not kept.
const MAX_FIELDS: usize = 500;
/// More is told, not kept.
const MAX_SERVICES: usize = 200;

impl Notes {
    /// The entity of this name, noted now if it was not.
    pub(super) fn entity(&mut self, name: &str, line: u32) -> Option<&mut EntityNote> {
        // `For each order` speaks of orders.
        let name = ["each ", "Each ", "every ", "Every "].iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
        let key = words::key(name);
        if words::is_quality(&key)
            || key.is_empty()
            || words::pascal(name).chars().next().is_none_or(char::is_numeric)
            || is_numbered(&key)
        {
            return None;
        }
        let known = self.entities.iter().position(|it| it.key == key);
        if known.is_none() && self.entities.len() >= MAX_ENTITIES {
            return None;
        }
        let at = known.unwrap_or_else(|| {
            let name = words::pascal(name);
            let words = words::split(&name).iter().map(|it| words::singular(it)).collect();
            self.entities.push(EntityNote { name, key, words, line, ..EntityNote::default() });
            self.entities.len() - 1
        });
        self.entities.get_mut(at)
    }

    pub(super) fn known(&self, name: &str) -> Option<&EntityNote> {
        self.of_key(&words::key(name))
    }

    fn of_key(&self, key: &str) -> Option<&EntityNote> {
        self.entities.iter().find(|it| it.key == key)
    }

    /// Notes all words of the text.
    pub(super) fn note_words(&mut self, words: Vec<String>) {
        for (at, word) in words.iter().enumerate() {
            self.places.entry(word.clone()).or_default().push(at);
        }
        self.said = words;
    }

    /// Keeps what was judged, where somebody asks for it.
    pub(super) fn trace(
        &mut self,
        model: &'static str,
        about: impl FnOnce() -> Value,
        chance: f32,
        features: Vec<Feature>,
    ) {
        if let Some(traced) = &mut self.traced {
            traced.push(Traced { model, about: about(), chance, features });
        }
    }

    /// Whether the text is too short for counts to say much.
    pub(super) fn is_short(&self) -> bool {
        self.said.len() < judge::SHORT
    }

    /// How often the text says a name.
    pub(super) fn times(&self, name: &[String]) -> usize {
        let parts: Vec<String> = words::split(&name.join(" ")).iter().map(|it| words::singular(it)).collect();
        let Some(places) = parts.first().and_then(|it| self.places.get(it)) else { return 0 };
        places.iter().filter(|at| self.said[**at..].starts_with(&parts)).count()
    }

    /// Whether a heading names a thing, as `Module: Orders` does.
    pub(super) fn is_headed(&self, name: &[String]) -> bool {
        self.headed.contains(&words::key(&name.join(" ")))
    }

    /// The entity that words mean: by its whole name, else the only one whose name ends like that.
    pub(super) fn meant(&self, name: &[String]) -> Option<&EntityNote> {
        let whole = words::key(&name.join(" "));
        if whole.is_empty() {
            return None;
        }
        if let Some(found) = self.of_key(&whole) {
            return Some(found);
        }
        let end: Vec<String> = words::split(&name.join(" ")).iter().map(|it| words::singular(it)).collect();
        let longer = || self.entities.iter().filter(|it| it.words.len() > end.len() && it.words.ends_with(&end));
        // An `allowance` is a `LeaveAllowance`, beside which there is an `EmployeeLeaveAllowance`.
        let plainest = longer().min_by_key(|it| it.words.len());
        if let Some(plainest) = plainest.filter(|one| longer().all(|it| it.words.ends_with(&one.words))) {
            return Some(plainest);
        }
        // `employee records` are employees, a `potential tenant` is a tenant.
        let kept = ["record", "records", "entry", "entries", "profile", "account", "status", "history"];
        let shown = |it: &String| words::is_aspect(it) || kept.contains(&it.to_ascii_lowercase().as_str());
        let without = name
            .split_last()
            .filter(|(last, _)| shown(last))
            .and_then(|(_, it)| self.of_key(&words::key(&it.join(" "))));
        without.or_else(|| (1..name.len()).find_map(|from| self.of_key(&words::key(&name[from..].join(" ")))))
    }

    /// Issues for what there is so much of that the rest was left out.
    pub(super) fn tell_limits(&mut self) {
        let fields = self.entities.iter().map(|it| it.fields.len()).max().unwrap_or(0);
        // What merely stands beside a thing is judged, and counts only where told.
        let noted = self.operations.iter().filter(|it| it.worded).count();
        for (what, found, most) in [
            ("entities", self.entities.len(), MAX_ENTITIES),
            ("operations", noted, MAX_OPERATIONS),
            ("fields of one entity", fields, MAX_FIELDS),
            ("services", self.services.len(), MAX_SERVICES),
        ] {
            if found >= most {
                self.issues.push(format!("ERROR: no more than {most} {what} are kept: hand in the document in parts"));
            }
        }
    }

    /// The service of this name, noted now if it was not.
    pub(super) fn service(&mut self, name: &str, line: u32) -> &mut ServiceNote {
        let key = service_key(name);
        let full = self.services.len() >= MAX_SERVICES;
        let known = self.services.iter().position(|it| service_key(&it.name) == key);
        let at = known.or(full.then_some(0)).unwrap_or_else(|| {
            self.services.push(ServiceNote { name: words::kebab(name), line, ..ServiceNote::default() });
            self.services.len() - 1
        });
        &mut self.services[at]
    }

    /// The name by which a service is known.
    pub(super) fn known_service(&self, name: &str) -> Option<&str> {
        let key = service_key(name);
        self.services.iter().find(|it| service_key(&it.name) == key).map(|it| it.name.as_str())
    }

    /// The name of a known service that a text says: the longest of several.
    pub(super) fn service_in(&self, text: &str) -> Option<&str> {
        self.services_in(text).max_by_key(|it| it.1.len()).map(|it| it.1)
    }

    /// The name of the known service that a text says last.
    pub(super) fn last_service_in(&self, text: &str) -> Option<&str> {
        self.services_in(text).max_by_key(|it| (it.0, it.1.len())).map(|it| it.1)
    }

    /// The known services that a text says, each with the number of the word behind the last place where the text says it.
    fn services_in(&self, text: &str) -> impl Iterator<Item = (usize, &str)> {
        let text = words::split(text);
        self.services.iter().filter_map(move |it| {
            let name = words::split(&it.name);
            let last = text.windows(name.len().max(1)).rposition(|window| window == name.as_slice())?;
            Some((last + name.len(), it.name.as_str()))
        })
    }
}

impl EntityNote {
    /// Notes a field once; what is said of it later adds to what was.
    pub(super) fn field(&mut self, mut field: FieldNote) {
        /// Keys of words that say that fields follow.
        const SAYS: &[&str] = &["attribute", "field", "column", "has", "have", "contains"];
        // `id SERIAL PRIMARY KEY` names the column and its type.
        if let Some((name, kind)) = field.name.split_once(' ')
            && let Some(kind) = kind.split_whitespace().next().filter(|it| is_sql(it))
        {
            field = FieldNote { name: name.to_owned(), kind: kind.to_owned(), ..field };
        }
        if field.kind.is_empty() && SAYS.contains(&words::key(&field.name).as_str()) {
            return;
        }
        let key = words::split(&field.name);
        if key.is_empty() || is_index(&field) || is_remark(&field.name) {
            return;
        }
        if self.fields.len() >= MAX_FIELDS {
            return;
        }
        match self.fields.iter_mut().find(|it| words::split(&it.name) == key) {
            Some(known) => {
                if known.kind.is_empty() {
                    known.kind = field.kind;
                }
                if known.values.is_empty() {
                    known.values = field.values;
                }
                if known.description.is_empty() {
                    known.description = field.description;
                }
                known.required = known.required.or(field.required);
                known.stated |= field.stated;
            }
            None => self.fields.push(field),
        }
    }
}

/// Whether a word is a type in capitals, as SQL is written: `VARCHAR(100)`, `INTEGER`.
fn is_sql(word: &str) -> bool {
    let name = word.split('(').next().unwrap_or(word);
    // `apply URL` is one name.
    name.len() > 2
        && !name.contains(char::is_lowercase)
        && !["URL", "URI", "UUID"].contains(&name)
        && fields::is_type(word)
}

/// Parts of a document, no things: `Phase 2`.
fn is_numbered(key: &str) -> bool {
    let parts = [
        "feature",
        "phase",
        "step",
        "part",
        "section",
        "milestone",
        "task",
        "story",
        "epic",
        "module",
        "sprint",
        "week",
        "tier",
        "level",
    ];
    let name = key.trim_end_matches(|c: char| c.is_ascii_digit());
    name.len() < key.len() && parts.contains(&name)
}

/// `order-service`, `Order Service` and `order` are one service.
pub(super) fn service_key(name: &str) -> String {
    let mut words = words::split(name);
    if words.len() > 1
        && words
            .last()
            .is_some_and(|last| ["service", "microservice", "services", "svc", "api"].contains(&last.as_str()))
    {
        words.pop();
    }
    if words.len() > 1 && words.last().is_some_and(|last| last == "micro") {
        words.pop();
    }
    words::key(&words.join(" "))
}

/// Whether a field without a type has the name of an index or constraint of a database: `idx_orders_status`.
fn is_index(field: &FieldNote) -> bool {
    let lower = field.name.to_ascii_lowercase();
    let kind = field.kind.to_ascii_lowercase();
    (kind.is_empty() || ["index", "unique", "constraint"].contains(&kind.as_str()))
        && ["idx_", "ix_", "uidx_", "uq_"].iter().any(|it| lower.starts_with(it))
}

/// Whether a text in the place of a field's name is no name: `POST /orders`, `max 200 characters`.
fn is_remark(name: &str) -> bool {
    let mut said = name.split_whitespace();
    let (Some(first), Some(second)) = (said.next(), said.next()) else { return false };
    METHODS.contains(&first) && second.starts_with('/')
        || ["stores", "contains", "includes", "records", "shows", "displays"].contains(&first)
        || ["max", "min", "maximum", "minimum"].contains(&first.to_ascii_lowercase().as_str())
            && second.starts_with(|c: char| c.is_ascii_digit())
}
