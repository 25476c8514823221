//! Holds the objects of a document to the tables of its format: fields that are there, required, of the right kind and
//! known to the version that the document states. The tables are data; what holds between fields is a [`Hook`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::reader::{Place, Reader};
use super::schema::form as schema_form;
use super::tree::Value;
use super::{Issue, IssueKind};
use crate::text::Span;

/// One kind of object.
pub(super) struct Object {
    /// As messages name it: `an operation`.
    pub name: &'static str,
    pub fields: &'static [Field],
    /// Whether a `$ref` may stand instead.
    pub refers: bool,
    /// What else holds of it.
    pub also: Option<Hook>,
}

pub(super) struct Field {
    pub name: &'static str,
    pub what: What,
    /// The last minor version that requires it.
    pub required: Option<u32>,
    /// First minor version of its major that has it.
    pub since: u32,
}

/// What may stand in a field.
#[derive(Clone, Copy)]
pub(super) enum What {
    Anything,
    Text,
    /// `null` as well.
    TextOrNull,
    Flag,
    /// An object of whatever members.
    Members,
    Word(&'static [&'static str]),
    Object(&'static Object),
    /// Names that somebody chose, and what each stands for.
    Map(&'static What),
    List(&'static What),
    /// A schema of the format's own.
    Schema,
    /// What no table says.
    Own(Hook),
}

/// Looks at one place, and adds what it finds to be looked at.
pub(super) type Hook = for<'r, 'd> fn(&mut Form<'r, 'd>, &Place<'d>);

pub(super) const fn may(name: &'static str, what: What) -> Field {
    Field { name, what, required: None, since: 0 }
}

pub(super) const fn must(name: &'static str, what: What) -> Field {
    Field { name, what, required: Some(u32::MAX), since: 0 }
}

/// Required up to a minor version.
pub(super) const fn must_until(last: u32, name: &'static str, what: What) -> Field {
    Field { name, what, required: Some(last), since: 0 }
}

pub(super) const fn later(since: u32, name: &'static str, what: What) -> Field {
    Field { name, what, required: None, since }
}

/// The format of a document, in the version that it states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edition {
    pub format: &'static str,
    pub major: u32,
    pub minor: u32,
}

/// Checks the document below `root`, wherever its references lead.
pub(super) fn check<'d>(reader: &mut Reader<'d>, edition: Edition, object: &'static Object, root: Place<'d>) {
    let start = root.clone();
    let mut form = Form { reader, edition, root, seen: FxHashSet::default(), queue: Vec::new(), schemas: Vec::new() };
    form.queue.push((start, What::Object(object)));
    while let Some((place, what)) = form.queue.pop() {
        form.visit(place, what);
    }
    let schemas = std::mem::take(&mut form.schemas);
    schema_form::check(reader, schemas);
}

pub(super) struct Form<'r, 'd> {
    pub reader: &'r mut Reader<'d>,
    pub edition: Edition,
    /// The entry document.
    pub root: Place<'d>,
    /// Objects that were checked, by document, place and kind: several references or aliases may lead to one.
    seen: FxHashSet<(usize, Span, &'static str)>,
    pub queue: Vec<(Place<'d>, What)>,
    pub schemas: Vec<Place<'d>>,
}

impl<'d> Form<'_, 'd> {
    fn visit(&mut self, place: Place<'d>, what: What) {
        match what {
            What::Anything => {}
            What::Text => self.text(&place),
            What::TextOrNull if place.node.is_null() => {}
            What::TextOrNull => self.text(&place),
            What::Flag => self.expect(&place, matches!(place.node.value, Value::Bool(_)), "true or false"),
            What::Members => self.expect(&place, place.node.is_object(), "an object"),
            What::Word(words) => match place.node.text() {
                Some(word) if words.contains(&word) => {}
                found => {
                    let found = found.unwrap_or(place.node.type_name());
                    let message = format!("`{}` must not be `{found}`", last(&place));
                    let help = format!("it may be {}", words.join(", "));
                    self.issue(&place, message, Some(&help));
                }
            },
            What::Object(object) => self.object(&place, object),
            What::Map(of) => {
                let members = self.members(&place);
                self.queue.extend(members.into_iter().map(|(_, member)| (member, *of)));
            }
            What::List(of) => {
                self.expect(&place, matches!(place.node.value, Value::Array(_)), "a list");
                if let What::Object(object) = of
                    && object.name == "a tag"
                {
                    self.tags(&place);
                }
                self.queue.extend(place.items().map(|item| (item, *of)));
            }
            What::Schema => self.schemas.push(place),
            What::Own(hook) => hook(self, &place),
        }
    }

    /// What a map of chosen names holds, extensions left out. A whole map may stand elsewhere.
    pub(super) fn members(&mut self, place: &Place<'d>) -> Vec<(&'d str, Place<'d>)> {
        let target = if place.node.entries().len() == 1 && place.text("$ref").is_some() {
            self.reader.follow(place.clone())
        } else {
            Some(place.clone())
        };
        let Some(place) = target else { return Vec::new() };
        self.expect(&place, place.node.is_object(), "an object");
        let members = place.members().filter(|(key, _)| !key.text.starts_with("x-"));
        members.map(|(key, member)| (key.text.as_str(), member)).collect()
    }

    fn object(&mut self, place: &Place<'d>, object: &'static Object) {
        if !self.seen.insert((place.source, place.node.span, object.name)) {
            return;
        }
        if self.is_broken(place) {
            return;
        }
        if !place.node.is_object() {
            let message = format!("{} must be an object, found {}", object.name, place.node.type_name());
            let fields: Vec<&str> = object.fields.iter().map(|field| field.name).collect();
            let help =
                format!("its fields are {}{}", fields.join(", "), if object.refers { ", or `$ref` alone" } else { "" });
            self.issue(place, message, Some(&help));
            return;
        }
        let has_field = |key: &str| object.fields.iter().any(|field| field.name == key);
        if let Some((key, reference)) = place.node.entry("$ref")
            && reference.text().is_some()
        {
            if !object.refers {
                let message = format!("a `$ref` is not allowed in place of {}", object.name);
                let pointer = format!("{}/$ref", place.pointer);
                let help = Some("write it out at this place");
                self.reader.issue(IssueKind::InvalidValue, key.span, &pointer, message, help);
            } else if let Some(target) = self.reader.follow(place.clone()) {
                self.queue.push((target, What::Object(object)));
            }
            if !has_field("$ref") {
                return;
            }
        }
        for field in object.fields {
            let Some(member) = place.child(field.name) else {
                if field.required.is_some_and(|last| self.edition.minor <= last) && !place.node.cut {
                    let message = format!("{} must have `{}`", object.name, field.name);
                    let Edition { format, major, .. } = self.edition;
                    let help = format!("add `{}`, which {format} {major} requires here", field.name);
                    self.reader.issue(IssueKind::MissingField, place.span, &place.pointer, message, Some(&help));
                }
                continue;
            };
            if field.since > self.edition.minor {
                let Edition { format, major, .. } = self.edition;
                let message =
                    format!("`{}` is a field of {} from {format} {major}.{} on", field.name, object.name, field.since);
                let help = format!("state version {major}.{}.0, or leave it out", field.since);
                self.issue(&member, message, Some(&help));
            }
            self.queue.push((member, field.what));
        }
        for (key, member) in place.members() {
            if !key.text.starts_with("x-") && !has_field(&key.text) {
                let message = format!("`{}` is no field of {}", key.text, object.name);
                let fields = object.fields.iter().map(|field| field.name);
                let meant = near(&key.text, fields).map(|name| format!("did you mean `{name}`? "));
                let help =
                    meant.unwrap_or_default() + "remove it, or give its name the prefix `x-` if it is an extension";
                self.issue(&member, message, Some(&help));
            }
        }
        if let Some(also) = object.also {
            also(self, place);
        }
    }

    /// The names of tags are unique in their list.
    fn tags(&mut self, list: &Place<'d>) {
        let mut names: FxHashMap<&str, Place<'d>> = FxHashMap::default();
        for tag in list.items() {
            let Some(name) = tag.child("name") else { continue };
            let Some(text) = name.node.text() else { continue };
            if let Some(first) = names.get(text) {
                self.reader.issues.push(Issue {
                    kind: IssueKind::InvalidValue,
                    span: name.node.span,
                    pointer: name.pointer,
                    message: format!("tag `{text}` stands twice in one list"),
                    help: Some("remove one".to_owned()),
                    related: Some((first.node.span, "the first is here".to_owned())),
                });
            } else {
                names.insert(text, name);
            }
        }
    }

    /// A number that stands unquoted in YAML is taken for text by most, and was meant so.
    fn text(&mut self, place: &Place<'d>) {
        let is_number = matches!(place.node.value, Value::Number(_));
        if is_number && !self.reader.sources[place.source].is_json() {
            return;
        }
        self.expect(place, matches!(place.node.value, Value::String(_)), "text");
    }

    /// The text breaks off here: what is there is not what was meant.
    fn is_broken(&self, place: &Place<'d>) -> bool {
        let tree = &self.reader.sources[place.source].parsed.tree;
        (place.node.cut && !place.node.is_object()) || (place.node.is_null() && tree.syntax_error().is_some())
    }

    pub(super) fn expect(&mut self, place: &Place<'d>, fits: bool, what: &str) {
        if !fits && !self.is_broken(place) {
            let message = format!("`{}` must be {what}, found {}", last(place), place.node.type_name());
            let help = format!("write {what} here, or leave `{}` out", last(place));
            self.issue(place, message, Some(&help));
        }
    }

    pub(super) fn issue(&mut self, place: &Place<'d>, message: String, help: Option<&str>) {
        self.reader.issue(IssueKind::InvalidValue, place.span, &place.pointer, message, help);
    }
}

/// The last part of a place's pointer, for messages.
pub(super) fn last(place: &Place<'_>) -> String {
    let last = place.pointer.rsplit('/').next().unwrap_or("");
    last.replace("~1", "/").replace("~0", "~")
}

/// The field that a key was probably meant to be: the same but for case, or for one letter that is missing, added,
/// exchanged or swapped with its neighbour.
fn near<'f>(key: &str, fields: impl Iterator<Item = &'f str>) -> Option<&'f str> {
    let key = key.to_ascii_lowercase();
    let mut fields = fields.filter(|field| field.len().abs_diff(key.len()) <= 1);
    fields.find(|field| {
        let field = field.to_ascii_lowercase();
        let start = field.bytes().zip(key.bytes()).take_while(|(a, b)| a == b).count();
        let (a, b) = (&field.as_bytes()[start..], &key.as_bytes()[start..]);
        let rest = |bytes: &'_ [u8], by: usize| bytes.get(by..).map(<[u8]>::to_vec);
        let swapped = a.len() >= 2 && b.len() >= 2 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..];
        let (a1, b1) = (rest(a, 1), rest(b, 1));
        swapped || a == b || a1.as_deref() == Some(b) || b1.as_deref() == Some(a) || (a1.is_some() && a1 == b1)
    })
}
