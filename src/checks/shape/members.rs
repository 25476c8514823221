//! Two values, member by member, down to the next pair of objects.

use rustc_hash::{FxHashMap, FxHashSet};

use super::words::list;
use super::{Child, Comparer, DifferenceKind, Direction, Pair, Place, Seen, Step, Walk, describe};
use crate::model::{Additional, Field, Kind, Literal, Object, Shape, ShapeId};

/// Arrays of arrays and alternatives of alternatives are followed this deep between two objects; that there are deeper
/// ones is told.
const MAX_NESTING: usize = 32;

impl Comparer<'_> {
    /// Compares two values as they are referred to: null first, then what else they may be.
    pub(super) fn value(&mut self, sent: ShapeId, promised: ShapeId, place: Place, walk: &mut Walk) {
        let (mine, theirs) = (self.producer.see(sent), self.consumer.see(promised));
        let pair = (mine.id, theirs.id);
        if walk.open.contains(&pair) || !self.spend() {
            return;
        }
        if walk.open.len() > MAX_NESTING {
            self.cuts.insert("arrays of arrays and alternatives of alternatives, more than 32 deep");
            return;
        }
        walk.open.push(pair);
        if self.documents {
            self.constraints((sent, &mine.shape), (promised, &theirs.shape), place, walk);
        }
        self.alternatives((sent, &mine), (promised, &theirs), place, walk);
        walk.open.pop();
    }

    /// Compares two values that are neither null nor alternatives, and that are known.
    pub(super) fn plain(
        &mut self,
        (sent, mine): (ShapeId, &Seen<'_>),
        (promised, theirs): (ShapeId, &Seen<'_>),
        place: Place,
        walk: &mut Walk,
    ) {
        match (&mine.shape.kind, &theirs.shape.kind) {
            (Kind::Object(own), Kind::Object(other)) => {
                if !self.suits(&mine.shape, &theirs.shape) {
                    let words = (format_words(&theirs.shape), format_words(&mine.shape));
                    walk.note(DifferenceKind::Type, (Some(sent), Some(promised)), place, words);
                }
                self.two_objects((mine, own), (theirs, other), walk);
            }
            (Kind::Array { prefix, items }, Kind::Array { prefix: promised_prefix, items: promised_items }) => {
                walk.steps.push(Step::Items);
                for (at, element) in prefix.iter().enumerate() {
                    if let Some(target) = promised_prefix.get(at).or(promised_items.as_ref()) {
                        self.value(*element, *target, place, walk);
                    }
                }
                if let (Some(items), Some(target), true) = (items, promised_items, promised_prefix.is_empty()) {
                    self.value(*items, *target, place, walk);
                }
                walk.steps.pop();
            }
            _ if !self.suits(&mine.shape, &theirs.shape) => {
                let mut words = (describe(self.consumer.table, promised), describe(self.producer.table, sent));
                if words.0 == words.1 {
                    words = (format_words(&theirs.shape), format_words(&mine.shape));
                }
                walk.note(DifferenceKind::Type, (Some(sent), Some(promised)), place, words);
            }
            // `const` is told where the keywords are.
            _ if self.documents && theirs.shape.limits.as_ref().is_some_and(|limits| limits.states("const")) => {}
            _ => {
                let allowed = theirs.shape.values.as_deref();
                let surplus =
                    allowed.map_or_else(Vec::new, |allowed| surplus(mine.shape.values.as_deref(), &[allowed]));
                if !surplus.is_empty() {
                    let words = (describe(self.consumer.table, promised), list(&surplus));
                    walk.note(DifferenceKind::EnumValue, (Some(sent), Some(promised)), place, words);
                } else if self.is_any_value_sent() && allowed.is_some() && mine.shape.values.is_none() {
                    let words = (describe(self.consumer.table, promised), describe(self.producer.table, sent));
                    walk.note(DifferenceKind::EnumValue, (Some(sent), Some(promised)), place, words);
                }
            }
        }
    }

    fn two_objects(
        &mut self,
        (mine, own): (&Seen<'_>, &Object),
        (theirs, other): (&Seen<'_>, &Object),
        walk: &mut Walk,
    ) {
        if self.documents {
            walk.local.children.push(Child { steps: walk.steps.clone(), pair: (mine.id, theirs.id), among: None });
            return;
        }
        let is_nameless = mine.shape.name.is_none() && !matches!(own.additional, Additional::Closed);
        if own.fields.is_empty() && (is_nameless || matches!(own.additional, Additional::Of(_))) {
            // A map, whose keys nobody knows: only its values can be held against those of another map.
            if let (Additional::Of(value), Additional::Of(target), true) =
                (&own.additional, &other.additional, other.fields.is_empty())
            {
                walk.steps.push(Step::Values);
                self.value(*value, *target, Place::default(), walk);
                walk.steps.pop();
            }
            return;
        }
        if !(other.fields.is_empty() && matches!(other.additional, Additional::Open)) {
            walk.local.children.push(Child { steps: walk.steps.clone(), pair: (mine.id, theirs.id), among: None });
        }
    }

    /// The members of two objects, of which the producer's are known by name.
    pub(super) fn members(&mut self, (producer, consumer): Pair, walk: &mut Walk) {
        let (mine, theirs) = (self.producer.see(producer), self.consumer.see(consumer));
        let (Kind::Object(own), Kind::Object(other)) = (&mine.shape.kind, &theirs.shape.kind) else { return };
        let sent: FxHashMap<&str, &Field> = own.fields.iter().map(|field| (field.name.as_str(), field)).collect();
        let declared: FxHashMap<&str, &Field> = other.fields.iter().map(|field| (field.name.as_str(), field)).collect();
        let mut recased: FxHashMap<String, &Field> = FxHashMap::default();
        for field in &own.fields {
            if !self.documents
                && !declared.contains_key(field.name.as_str())
                && !self.producer.see(field.shape).hidden(self.direction)
            {
                recased.entry(folded(&field.name)).or_insert(field);
            }
        }
        let mut taken: FxHashSet<&str> = FxHashSet::default();
        for field in &other.fields {
            if self.consumer.see(field.shape).hidden(self.direction) {
                if self.documents
                    && let Some(twin) = sent.get(field.name.as_str()).filter(|twin| twin.required)
                    && !self.producer.see(twin.shape).hidden(self.direction)
                {
                    walk.steps.push(Step::Field(field.name.clone()));
                    let words = (String::new(), describe(self.producer.table, twin.shape));
                    walk.note(
                        DifferenceKind::Exposed,
                        (Some(twin.shape), Some(field.shape)),
                        place(twin, field),
                        words,
                    );
                    walk.steps.pop();
                }
                continue;
            }
            walk.steps.push(Step::Field(field.name.clone()));
            if let Some(twin) = sent.get(field.name.as_str()) {
                if !self.producer.see(twin.shape).hidden(self.direction) {
                    self.member(twin, field, walk);
                }
            } else if let Some(twin) = recased.get(&folded(&field.name)) {
                let words = (field.name.clone(), twin.name.clone());
                walk.note(DifferenceKind::Casing, (Some(twin.shape), Some(field.shape)), place(twin, field), words);
                self.value(twin.shape, field.shape, place(twin, field), walk);
                taken.insert(&twin.name);
            } else if !self.may_have_more(own) {
                let required = self.is_relied_on(field);
                let kind = if required { DifferenceKind::MissingField } else { DifferenceKind::MissingOptionalField };
                let words = (describe(self.consumer.table, field.shape), String::new());
                let place = Place { producer: None, consumer: field.span };
                walk.note(kind, (None, Some(field.shape)), place, words);
            }
            walk.steps.pop();
        }
        for field in &own.fields {
            let name = field.name.as_str();
            if declared.contains_key(name)
                || taken.contains(name)
                || self.producer.see(field.shape).hidden(self.direction)
            {
                continue;
            }
            walk.steps.push(Step::Field(field.name.clone()));
            self.undeclared(field, &other.additional, walk);
            walk.steps.pop();
        }
        if self.documents {
            self.further((own, &mine), (other, &theirs), walk);
        }
    }

    /// Whether the producer has members that are not known, as those of a base class outside of the sources.
    fn may_have_more(&mut self, own: &Object) -> bool {
        match own.additional {
            Additional::Of(value) => matches!(self.producer.see(value).shape.kind, Kind::Unknown(_)),
            Additional::Open | Additional::Closed => false,
        }
    }

    /// Whether the consumer needs a member.
    fn is_relied_on(&self, promised: &Field) -> bool {
        let required = promised.required && (!self.enforced || promised.always);
        required || (self.versions && self.direction == Direction::Response && promised.always)
    }

    fn member(&mut self, sent: &Field, promised: &Field, walk: &mut Walk) {
        // What a server fills in for those who leave it out, its older clients did leave out.
        let always = if self.versions && self.direction == Direction::Request { sent.required } else { sent.always };
        if self.is_relied_on(promised) && !always {
            let words = (describe(self.consumer.table, promised.shape), describe(self.producer.table, sent.shape));
            let shapes = (Some(sent.shape), Some(promised.shape));
            let kind = if sent.required { DifferenceKind::LeftOut } else { DifferenceKind::Optional };
            walk.note(kind, shapes, place(sent, promised), words);
        }
        self.value(sent.shape, promised.shape, place(sent, promised), walk);
    }

    fn undeclared(&mut self, sent: &Field, additional: &Additional, walk: &mut Walk) {
        let place = Place { producer: sent.span, consumer: None };
        let kind = match additional {
            Additional::Of(value) => return self.value(sent.shape, *value, place, walk),
            Additional::Open => DifferenceKind::ExtraField,
            // What a server refuses to take says nothing about what its clients do with what they get.
            Additional::Closed if self.versions && self.direction == Direction::Response => DifferenceKind::ExtraField,
            Additional::Closed => DifferenceKind::ForbiddenField,
        };
        let words = (String::new(), describe(self.producer.table, sent.shape));
        walk.note(kind, (Some(sent.shape), None), place, words);
    }
}

fn place(sent: &Field, promised: &Field) -> Place {
    Place { producer: sent.span, consumer: promised.span }
}

/// ``format `uuid` ``
fn format_words(shape: &Shape) -> String {
    shape.format.as_ref().map_or_else(|| "of no format".to_owned(), |format| format!("of format `{format}`"))
}

/// `userId`, `user_id` and `User-ID` are one word.
fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// Whether the type of one plain value is the other's, members and values aside.
pub(super) fn fits(sent: &Shape, promised: &Shape) -> bool {
    match (&sent.kind, &promised.kind) {
        (Kind::Unknown(_) | Kind::Any | Kind::Never, _)
        | (_, Kind::Unknown(_) | Kind::Any)
        | (Kind::Integer, Kind::Number | Kind::Numeric)
        | (Kind::Number, Kind::Numeric)
        | (Kind::Numeric, Kind::Integer | Kind::Number) => true,
        (sent, promised) => std::mem::discriminant(sent) == std::mem::discriminant(promised),
    }
}

/// The producer's values that are in none of the consumer's sets. A producer without a closed set could send anything,
/// which says nothing. Null is looked at elsewhere.
pub(super) fn surplus(sent: Option<&[Literal]>, allowed: &[&[Literal]]) -> Vec<Literal> {
    let Some(sent) = sent else { return Vec::new() };
    let known: Vec<Literal> = allowed.iter().flat_map(|values| values.iter().map(plain_number)).collect();
    sent.iter().filter(|value| **value != Literal::Null && !known.contains(&plain_number(value))).cloned().collect()
}

/// `1.0` is the number `1`.
fn plain_number(value: &Literal) -> Literal {
    match value {
        Literal::Number(text) => match text.split_once('.') {
            Some((whole, rest)) if rest.bytes().all(|digit| digit == b'0') => Literal::Number(whole.to_owned()),
            _ => value.clone(),
        },
        other => other.clone(),
    }
}
