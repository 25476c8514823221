//! Alternatives: each one the producer may send must be one that the consumer accepts.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::members::surplus;
use super::words::list;
use super::{
    Comparer, Cost, Difference, DifferenceKind, Form, MAX_PROBES, Members, PROBE_SIZE, Place, Reader, Seen, Step, Walk,
    describe,
};
use crate::model::{Kind, Limits, Literal, Shape, ShapeId};
use crate::text::Span;

/// Alternatives of one value that are looked at; that there are more is told.
const MAX_OPTIONS: usize = 512;
/// Alternatives within alternatives are opened this deep; nothing is known of a deeper one.
const MAX_DEPTH: usize = 16;

const MANY_OPTIONS: &str = "alternatives of one value, beyond the 512th";

/// A member of one value that tells alternatives apart.
struct Tag {
    name: String,
    shape: ShapeId,
    span: Option<Span>,
    value: Literal,
    /// What the consumer's alternatives say there.
    allowed: Vec<Literal>,
}

/// What a value may be, null apart.
struct Options<'t> {
    list: Vec<(ShapeId, Rc<Seen<'t>>)>,
    null: bool,
    null_open: bool,
    discriminator: Option<String>,
    /// `oneOf`: exactly one of them.
    exclusive: bool,
    /// There are more of them.
    cut: bool,
}

fn options<'t>(reader: &mut Reader<'t>, raw: ShapeId, seen: &Rc<Seen<'t>>) -> Options<'t> {
    let mut out =
        Options { list: Vec::new(), null: false, null_open: false, discriminator: None, exclusive: false, cut: false };
    gather(reader, raw, seen, 0, &mut out);
    out
}

fn gather<'t>(reader: &mut Reader<'t>, raw: ShapeId, seen: &Rc<Seen<'t>>, depth: usize, out: &mut Options<'t>) {
    out.null |= seen.nullable || seen.shape.values.as_ref().is_some_and(|values| values.contains(&Literal::Null));
    out.null_open |= seen.null_open;
    match &seen.shape.kind {
        Kind::Null => out.null = true,
        Kind::Union(union) if depth < MAX_DEPTH => {
            out.exclusive |= union.exclusive;
            if out.discriminator.is_none() {
                out.discriminator.clone_from(&union.discriminator);
            }
            for option in &union.options {
                if out.list.len() >= MAX_OPTIONS {
                    out.cut = true;
                } else {
                    let seen = reader.see(*option);
                    gather(reader, *option, &seen, depth + 1, out);
                }
            }
        }
        _ => out.list.push((raw, Rc::clone(seen))),
    }
}

/// The members that the alternatives have among them.
fn members_of(options: &Options<'_>) -> Members {
    let mut names = FxHashSet::default();
    for (_, option) in &options.list {
        match &option.shape.kind {
            Kind::Object(object) => names.extend(object.fields.iter().map(|field| field.name.clone())),
            _ if vague(&option.shape) => return Members::Any,
            _ => {}
        }
    }
    if options.cut { Members::Any } else { Members::Named(names) }
}

/// A declaration of its own, which is reached through its name.
fn is_reference(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::Ref(_)) || shape.name.is_some()
}

/// Whether nothing can be said against whatever stands there.
fn vague(shape: &Shape) -> bool {
    match shape.kind {
        Kind::Any => shape.values.is_none(),
        // The last three are alternatives nested beyond sense.
        Kind::Unknown(_) | Kind::Either(_) | Kind::Union(_) | Kind::All(_) | Kind::Ref(_) => true,
        _ => false,
    }
}

fn form(shape: &Shape) -> Option<Form> {
    match shape.kind {
        Kind::Integer => Some(Form::Number),
        Kind::String => Some(Form::Text),
        _ => None,
    }
}

impl<'t> Comparer<'t> {
    pub(super) fn alternatives(
        &mut self,
        (sent, mine): (ShapeId, &Rc<Seen<'t>>),
        (promised, theirs): (ShapeId, &Rc<Seen<'t>>),
        place: Place,
        walk: &mut Walk,
    ) {
        let own = options(&mut self.producer, sent, mine);
        let other = options(&mut self.consumer, promised, theirs);
        if own.cut || other.cut {
            self.cuts.insert(MANY_OPTIONS);
            // The one that fits may be among those that were left out.
            if other.cut {
                return;
            }
        }
        if self.documents
            && let (Some(was), Some(is)) = (&own.discriminator, &other.discriminator)
            && was != is
        {
            let words = (format!("`{is}`"), format!("`{was}`"));
            walk.note(DifferenceKind::Discriminator, (Some(sent), Some(promised)), place, words);
        }
        if other.list.iter().any(|(_, option)| vague(&option.shape)) {
            return;
        }
        let may_say = self.policy.null_of_references || !is_reference(self.consumer.table.get(promised));
        if own.null_open && !own.null && self.policy.null && may_say {
            *(if other.null { &mut self.habits.null } else { &mut self.habits.no_null }) += 1;
        }
        let may_be_null = own.null || (own.null_open && self.policy.open_null);
        if may_be_null && !(other.null || other.null_open) && self.policy.null && may_say {
            let words = (describe(self.consumer.table, promised), describe(self.producer.table, sent));
            walk.note(DifferenceKind::Nullable, (Some(sent), Some(promised)), place, words);
        }
        let (before, pairs) = (walk.local.found.len(), walk.local.children.len());
        // `integer or string` with a pattern of digits is what generators say of a reader that takes both for a number.
        let is_number_in_text =
            self.is_request_of_code() && own.list.len() > 1 && states_numbers_only(mine.shape.limits.as_deref());
        for (raw, option) in &own.list {
            if is_number_in_text && matches!(option.shape.kind, Kind::String) {
                continue;
            }
            if let Kind::Either(possible) = &option.shape.kind {
                self.whichever(possible, promised, place, walk);
                continue;
            }
            if vague(&option.shape) || matches!(option.shape.kind, Kind::Never) {
                if self.documents && matches!(option.shape.kind, Kind::Any) {
                    let words = (describe(self.consumer.table, promised), describe(self.producer.table, sent));
                    walk.note(DifferenceKind::Type, (Some(sent), Some(promised)), place, words);
                }
                continue;
            }
            if !self.documents
                && matches!(option.shape.kind, Kind::String)
                && other.list.iter().any(|(_, option)| option.shape.from_text)
            {
                continue;
            }
            if self.documents && own.list.len() > 1 && self.is_gone((*raw, option), &own, &other) {
                let words = (describe(self.consumer.table, promised), describe(self.producer.table, *raw));
                walk.note(DifferenceKind::Alternative, (Some(*raw), Some(promised)), place, words);
                continue;
            }
            match &other.list[..] {
                [(target, shape)] => self.plain((*raw, option), (*target, shape), place, walk),
                several => {
                    let alone = own.list.len() == 1;
                    self.one_of_several((*raw, option), (promised, several, &other), alone, place, walk);
                }
            }
        }
        // Of several on both sides, each has the one that is meant for it.
        if !self.documents && own.list.len() > 1 && (other.list.len() == 1 || self.is_request_of_code()) {
            let among = Rc::new(members_of(&own));
            let steps = walk.steps.clone();
            for child in walk.local.children[pairs..].iter_mut().filter(|child| child.steps == steps) {
                child.among = Some(Rc::clone(&among));
            }
            let mut at = 0;
            walk.local.found.retain(|found| {
                at += 1;
                at <= before || !found.is_member_of(&among, &steps)
            });
        }
    }

    /// Of two documents: an alternative that the producer names is none of the consumer's, and none that is new there
    /// takes its place under another name. Clients tell alternatives by their names.
    fn is_gone(&mut self, (raw, option): (ShapeId, &Rc<Seen<'t>>), own: &Options<'t>, other: &Options<'t>) -> bool {
        let is_object = |seen: &Seen<'_>| matches!(seen.shape.kind, Kind::Object(_));
        let has_name = option.shape.name.is_some() || option.shape.title.is_some();
        if !has_name || !is_object(option) || other.list.iter().any(|(_, known)| same_name(&option.shape, &known.shape))
        {
            return false;
        }
        let is_new = |known: &Seen<'_>| !own.list.iter().any(|(_, mine)| same_name(&mine.shape, &known.shape));
        let new: Vec<_> = other.list.iter().filter(|(_, known)| is_new(known)).collect();
        !new.into_iter().any(|(target, known)| self.cost((raw, option), (*target, known)).0 == 0)
    }

    /// One of several shapes is sent, and nothing tells which: silent where any of them keeps the promise, else what the
    /// nearest one gets wrong.
    fn whichever(&mut self, possible: &[ShapeId], promised: ShapeId, place: Place, walk: &mut Walk) {
        if !self.may_probe() {
            return;
        }
        let forms: Vec<Option<Form>> = possible.iter().map(|option| form(&self.producer.see(*option).shape)).collect();
        // Numbers, or texts that stand for them.
        let is_open = forms.contains(&Some(Form::Number)) && forms.contains(&Some(Form::Text));
        if is_open {
            match form(&self.consumer.see(promised).shape) {
                Some(Form::Number) => self.habits.numbers += 1,
                Some(Form::Text) => self.habits.texts += 1,
                None => {}
            }
        }
        let decided = self.policy.form.filter(|_| is_open);
        let mut best: Option<((usize, Cost), ShapeId)> = None;
        if possible.len() > MAX_OPTIONS {
            self.cuts.insert(MANY_OPTIONS);
        }
        for (option, form) in possible.iter().zip(forms).take(MAX_OPTIONS) {
            if decided.is_some() && form != decided {
                continue;
            }
            self.probes += 1;
            let root = self.local(|comparer, walk| comparer.value(*option, promised, Place::default(), walk));
            let found = self.walk(Rc::new(root), PROBE_SIZE);
            self.probes -= 1;
            let breaking = found.iter().filter(|difference| difference.kind.breaks()).count();
            if breaking == 0 {
                return;
            }
            // One of another type altogether is not meant, if there is a better one; of those that get as much wrong, one
            // with fewer wrong values.
            let is_other = |found: &&Difference| found.kind == DifferenceKind::Type && found.path.is_empty();
            let wrong = found.iter().map(|found| found.actual.len()).sum();
            let cost = (found.iter().filter(is_other).count(), (breaking, wrong));
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, *option));
            }
        }
        if let Some((_, option)) = best {
            self.value(option, promised, place, walk);
        }
    }

    /// Finds the consumer's alternative that a value is meant to be. Silent where any of them takes it.
    fn one_of_several(
        &mut self,
        (sent, mine): (ShapeId, &Rc<Seen<'t>>),
        (promised, several, other): (ShapeId, &[(ShapeId, Rc<Seen<'t>>)], &Options<'t>),
        alone: bool,
        place: Place,
        walk: &mut Walk,
    ) {
        let fitting: Vec<_> = several.iter().filter(|(_, option)| self.suits(&mine.shape, &option.shape)).collect();
        let shapes = (Some(sent), Some(promised));
        if fitting.is_empty() {
            let words = (describe(self.consumer.table, promised), describe(self.producer.table, sent));
            return walk.note(DifferenceKind::Type, shapes, place, words);
        }
        if !matches!(mine.shape.kind, Kind::Object(_) | Kind::Array { .. }) {
            let sets: Option<Vec<&[Literal]>> =
                fitting.iter().map(|(_, option)| option.shape.values.as_deref()).collect();
            let surplus = sets.map_or_else(Vec::new, |sets| surplus(mine.shape.values.as_deref(), &sets));
            let open = self.is_any_value_sent()
                && mine.shape.values.is_none()
                && fitting.iter().all(|(_, option)| option.shape.values.is_some());
            if !surplus.is_empty() {
                let words = (describe(self.consumer.table, promised), list(&surplus));
                walk.note(DifferenceKind::EnumValue, shapes, place, words);
            } else if open {
                let words = (describe(self.consumer.table, promised), describe(self.producer.table, sent));
                walk.note(DifferenceKind::EnumValue, shapes, place, words);
            }
            return;
        }
        if self.documents && !fitting.iter().any(|(_, option)| same_name(&mine.shape, &option.shape)) {
            let mut taking = 0;
            for (target, option) in &fitting {
                taking += usize::from(self.cost((sent, mine), (*target, option)).0 == 0);
            }
            // `oneOf` refuses what several take.
            let refused = other.exclusive && taking > 1 && alone;
            if refused || (taking == 0 && mine.shape.name.is_some()) {
                let words = (describe(self.consumer.table, promised), describe(self.producer.table, sent));
                return walk.note(DifferenceKind::Alternative, shapes, place, words);
            }
        }
        // `dataType: "TEXT"` is meant for the alternative that says so, discriminator or not.
        let told: Vec<_> =
            fitting.iter().copied().filter(|(_, option)| !self.contradicts(&mine.shape, &option.shape)).collect();
        if told.is_empty()
            && let Some(tag) = self.tag_of_none(&mine.shape, &fitting)
        {
            // What else the nearest alternative says differently follows from taking it for meant.
            let allowed = list(&tag.allowed);
            let expected = if tag.allowed.len() == 1 { allowed } else { format!("one of {allowed}") };
            let place = Place { producer: tag.span, consumer: place.consumer };
            walk.steps.push(Step::Field(tag.name));
            let words = (expected, list(&[tag.value]));
            walk.note(DifferenceKind::EnumValue, (Some(tag.shape), Some(promised)), place, words);
            walk.steps.pop();
            return;
        }
        let fitting = if told.is_empty() { fitting } else { told };
        if self.is_request_of_code() && fitting.len() > 1 {
            return self.wrong_for_all((sent, mine), &fitting, place, walk);
        }
        let named = self.named((sent, mine), &fitting);
        let meant = named.or_else(|| {
            let tag = other.discriminator.as_deref()?;
            fitting.iter().copied().find(|(_, option)| self.same_tag(tag, &mine.shape, &option.shape))
        });
        if let Some((target, option)) = meant
            && self.cost((sent, mine), (*target, option)).0 == 0
        {
            return self.plain((sent, mine), (*target, option), place, walk);
        }
        let mut best: Option<(Cost, &(ShapeId, Rc<Seen<'t>>))> = None;
        for option in &fitting {
            let cost = self.cost((sent, mine), (option.0, &option.1));
            if cost.0 == 0 {
                return;
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, *option));
            }
        }
        if let Some((target, option)) = meant.or(best.map(|(_, option)| option)) {
            self.plain((sent, mine), (*target, option), place, walk);
        }
    }

    /// The alternative that is called as what is sent is; of several (`Cat`, and `allOf` of `Cat` and more), the nearest.
    fn named<'o>(
        &mut self,
        (sent, mine): (ShapeId, &Rc<Seen<'t>>),
        fitting: &[&'o (ShapeId, Rc<Seen<'t>>)],
    ) -> Option<&'o (ShapeId, Rc<Seen<'t>>)> {
        let mut named = fitting.iter().copied().filter(|(_, option)| same_name(&mine.shape, &option.shape));
        let first = named.next()?;
        let rest: Vec<_> = named.collect();
        if rest.is_empty() {
            return Some(first);
        }
        let costs =
            std::iter::once(first).chain(rest).map(|option| (self.cost((sent, mine), (option.0, &option.1)), option));
        costs.min_by_key(|(cost, _)| *cost).map(|(_, option)| option)
    }

    /// One object of a document may be any of the alternatives that code takes, depending on its values: only what is wrong
    /// for all of them is, and closed sets of the alternatives add up.
    fn wrong_for_all(
        &mut self,
        (sent, mine): (ShapeId, &Rc<Seen<'t>>),
        fitting: &[&(ShapeId, Rc<Seen<'t>>)],
        place: Place,
        walk: &mut Walk,
    ) {
        let mut shared: Option<Vec<Difference>> = None;
        for (target, option) in fitting {
            if !self.may_probe() {
                return;
            }
            self.probes += 1;
            let root =
                self.local(|comparer, walk| comparer.plain((sent, mine), (*target, option), Place::default(), walk));
            let found = self.walk(Rc::new(root), PROBE_SIZE);
            self.probes -= 1;
            if !found.iter().any(|difference| difference.kind.breaks()) {
                return;
            }
            shared = Some(match shared {
                None => found,
                Some(mut known) => {
                    let theirs: FxHashSet<_> = found.iter().map(|found| (found.kind, &found.path)).collect();
                    known.retain(|difference| theirs.contains(&(difference.kind, &difference.path)));
                    known
                }
            });
        }
        for found in shared.into_iter().flatten().filter(|found| found.kind != DifferenceKind::EnumValue) {
            let depth = walk.steps.len();
            walk.steps.extend(found.path);
            let place = Place {
                producer: found.producer.span.or(place.producer),
                consumer: found.consumer.span.or(place.consumer),
            };
            walk.note(found.kind, (found.producer.shape, found.consumer.shape), place, (found.expected, found.actual));
            walk.steps.truncate(depth);
        }
    }

    /// Whether one more alternative may be weighed within those that are being weighed.
    fn may_probe(&mut self) -> bool {
        let fits = self.probes < MAX_PROBES;
        if !fits {
            self.cuts.insert("alternatives within alternatives, more than 8 deep");
        }
        fits
    }

    fn cost(&mut self, (sent, mine): (ShapeId, &Rc<Seen<'t>>), (promised, theirs): (ShapeId, &Rc<Seen<'t>>)) -> Cost {
        let pair = (mine.id, theirs.id);
        if let Some(known) = self.costs.get(&pair) {
            return *known;
        }
        if !self.may_probe() {
            return (0, 0);
        }
        self.probes += 1;
        let root = self.local(|comparer, walk| {
            comparer.plain((sent, mine), (promised, theirs), Place::default(), walk);
        });
        let found = self.walk(Rc::new(root), PROBE_SIZE);
        self.probes -= 1;
        let cost = (found.iter().filter(|difference| difference.kind.breaks()).count(), found.len());
        self.costs.insert(pair, cost);
        cost
    }

    /// A member that is always one value, which no alternative allows there.
    fn tag_of_none(&mut self, sent: &Shape, several: &[&(ShapeId, Rc<Seen<'t>>)]) -> Option<Tag> {
        let Kind::Object(own) = &sent.kind else { return None };
        own.fields.iter().find_map(|field| {
            let value = match self.producer.see(field.shape).shape.values.as_deref() {
                Some([only]) => only.clone(),
                _ => return None,
            };
            let mut allowed: Vec<Literal> = Vec::new();
            for (_, option) in several {
                let Kind::Object(other) = &option.shape.kind else { return None };
                let twin = other.fields.iter().find(|twin| twin.name == field.name)?;
                let promised = self.consumer.see(twin.shape);
                let values = promised.shape.values.as_deref()?;
                if values.contains(&value) {
                    return None;
                }
                allowed.extend(values.iter().filter(|value| !allowed.contains(value)).cloned().collect::<Vec<_>>());
            }
            Some(Tag { name: field.name.clone(), shape: field.shape, span: field.span, value, allowed })
        })
    }

    /// A member that is always one value on the producer's side has other values on the consumer's.
    fn contradicts(&mut self, sent: &Shape, promised: &Shape) -> bool {
        let (Kind::Object(own), Kind::Object(other)) = (&sent.kind, &promised.kind) else { return false };
        own.fields.iter().any(|field| {
            let Some(twin) = other.fields.iter().find(|twin| twin.name == field.name) else { return false };
            let (sent, promised) = (self.producer.see(field.shape), self.consumer.see(twin.shape));
            match (sent.shape.values.as_deref(), promised.shape.values.as_deref()) {
                (Some([only]), Some(promised)) => !promised.contains(only),
                _ => false,
            }
        })
    }

    /// The discriminator's value is the same on both sides.
    fn same_tag(&mut self, tag: &str, sent: &Shape, promised: &Shape) -> bool {
        let member = |shape: &Shape| match &shape.kind {
            Kind::Object(object) => object.fields.iter().find(|field| field.name == tag).map(|field| field.shape),
            _ => None,
        };
        let (Some(sent), Some(promised)) = (member(sent), member(promised)) else { return false };
        let (sent, promised) = (self.producer.see(sent), self.consumer.see(promised));
        match (&sent.shape.values, &promised.shape.values) {
            (Some(sent), Some(promised)) => !sent.is_empty() && sent.iter().all(|value| promised.contains(value)),
            _ => false,
        }
    }
}

/// Whether a pattern has nothing but digits, signs, points and exponents, as `^-?(?:0|[1-9]\d*)$` has.
fn states_numbers_only(limits: Option<&Limits>) -> bool {
    let Some(pattern) = limits.and_then(|limits| limits.pattern.as_deref()) else { return false };
    let mut chars = pattern.chars();
    let mut digits = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('d') => digits = true,
                Some('.' | '-' | '+') => {}
                _ => return false,
            },
            '0'..='9' => digits = true,
            '^' | '$' | '-' | '+' | '?' | '*' | '(' | ')' | ':' | '|' | '[' | ']' | '{' | '}' | ',' | 'e' | 'E' => {}
            _ => return false,
        }
    }
    digits
}

/// Both carry one name; what generators append to tell directions apart does not count.
fn same_name(sent: &Shape, promised: &Shape) -> bool {
    fn names(shape: &Shape) -> impl Iterator<Item = &str> {
        let plain = |name| str::trim_end_matches(str::trim_end_matches(name, "-Output"), "-Input");
        [&shape.name, &shape.title].into_iter().flatten().map(move |name| plain(name.as_str()))
    }
    names(sent).any(|name| !name.is_empty() && names(promised).any(|other| other == name))
}
