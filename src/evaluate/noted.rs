//! What libraries were asked for that concerns a wire, and by which ways.

use rustc_hash::{FxHashMap, FxHashSet};

use super::value::{Args, FunctionRef, UNKNOWN_PART, Value};
use super::{Evaluator, Library, ModuleId};
use crate::model::program::ImportStyle;
use crate::text::Span;

/// Things that are noted of one service; that there are more is told.
const MAX_NOTED: usize = 50_000;
/// Things that are noted of one call of a library: what its callers give differs.
const MAX_OF_PLACE: usize = 500;

/// Something that a library was asked for and that concerns a wire.
#[derive(Clone)]
pub struct Noted<'p> {
    pub library: &'static Library,
    /// In the library's own word: `send`, `receive`, `request`.
    pub what: &'static str,
    /// The topic or address.
    pub target: Value<'p>,
    /// As the library was given them, [`Args::receiver`] and [`Args::written`] included.
    pub args: Args<'p>,
    /// The call of the library.
    pub site: Span,
    /// Where it was come from, outermost first: the calls that lead from the function that ran by itself to `site`, which
    /// is the last.
    pub calls: Vec<Span>,
    /// The function that ran by itself; `None` at the level of a module.
    pub function: Option<FunctionRef<'p>>,
    /// It ran for a class that inherits it: nothing says that it is called there.
    pub inherited: bool,
    /// Who calls the function says what the target is, or the message.
    pub is_open: bool,
    /// Who calls the function may say how the target ends: `"/api/" + path`.
    pub is_begun: bool,
    /// What tells it from others with the same target and way.
    pub told_by: Option<Span>,
}

/// What is known of the class of a message that is sent.
enum Message {
    /// It does not matter.
    Untold,
    /// Who calls says it.
    Open,
    /// Where it is declared.
    Of(Span),
}

/// The library's word, the target, what else tells it from others, and the calls that lead there.
pub(super) type Key = (&'static str, String, Option<Span>, Vec<Span>);

impl<'p> Evaluator<'p> {
    /// Notes what a library was asked for, once by each way to it.
    pub fn note(
        &mut self,
        library: &'static Library,
        what: &'static str,
        target: Value<'p>,
        args: Args<'p>,
        site: Span,
    ) {
        self.note_all(library, what, (target, Message::Untold), args, site);
    }

    /// The same of a message that is sent: where it is not known of which class the message is, its callers say it.
    pub fn note_message(
        &mut self,
        library: &'static Library,
        target: Value<'p>,
        message: &Value<'p>,
        args: Args<'p>,
        site: Span,
    ) {
        let class = match message {
            Value::Unknown(..) => Message::Open,
            Value::Instance(_) if self.may_be_of_subclass(message) => Message::Open,
            Value::Instance(instance) => Message::Of(instance.class.name_span()),
            Value::Class(class) => Message::Of(class.name_span()),
            _ => Message::Untold,
        };
        self.note_all(library, "send", (target, class), args, site);
    }

    fn note_all(
        &mut self,
        library: &'static Library,
        what: &'static str,
        (target, class): (Value<'p>, Message),
        args: Args<'p>,
        site: Span,
    ) {
        let in_namespaces =
            self.module_of_file(site.file).is_some_and(|at| self.index.style(at) == ImportStyle::Namespace);
        let wires = &mut self.wires;
        wires.idle.asked += 1;
        let mut calls = wires.calls.clone();
        calls.push(site);
        let of_place = wires.of_place.entry(site).or_insert(0);
        if wires.noted.len() >= MAX_NOTED || *of_place >= MAX_OF_PLACE {
            self.cut("messages and requests of one place beyond the 500th", Some(site));
            return;
        }
        *of_place += 1;
        let is_handed_on = is_handed_on(&target);
        wires.told += u64::from(!is_handed_on);
        let is_open = is_handed_on || matches!(class, Message::Open);
        let is_begun = !is_open && wires.function.as_ref().is_some_and(|function| is_begun(&target, function));
        // Whoever has a library of the program wait for messages waits for them itself.
        let waits = is_open && what == "receive" && in_namespaces;
        let file = calls.first().filter(|_| waits).map(|call| Span { start: 0, end: 0, ..*call });
        let told_by = if let Message::Of(place) = class { Some(place) } else { file };
        if wires.running
            && (is_open || is_begun)
            && let Some(function) = &wires.function
        {
            let is_new = wires.handing.insert(std::ptr::from_ref(function.node));
            if is_new && !function.node.name.is_empty() {
                let module = function.scope.module();
                wires.handing_names.entry(&function.node.name).or_default().insert(module);
                wires.all_handing_names.entry(&function.node.name).or_default().insert(module);
            }
        }
        let (function, inherited) = (wires.function.clone(), wires.inherited);
        let noted = Noted { library, what, target, args, site, calls, function, inherited, is_open, is_begun, told_by };
        // What is not known anyway, once.
        let says_nothing = noted.target.is_unknown() && told_by.is_none();
        let way = if says_nothing { vec![site] } else { noted.calls.clone() };
        match wires.known.entry((what, noted.target.describe(), told_by, way)) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(wires.noted.len());
                wires.noted.push(noted);
            }
            std::collections::hash_map::Entry::Occupied(entry) => {
                let before = &mut wires.noted[*entry.get()];
                // What ran for something else may have been given nothing.
                let by_itself = noted.function.is_some() && before.function.is_none();
                if by_itself || (before.inherited && !noted.inherited) {
                    *before = noted;
                }
            }
        }
    }

    /// What was noted of the code of these modules, in the order of the program; of one call of a library that several
    /// others lead to, what is known of its target, where anything is, and the shortest of ways that end alike.
    pub fn noted(&self, own: &[ModuleId]) -> Vec<Noted<'p>> {
        let all = &self.wires.noted;
        let known: FxHashSet<(Span, &str)> =
            all.iter().filter(|noted| !noted.is_open).map(|it| (it.site, it.what)).collect();
        let way = |noted: &Noted| (noted.what, noted.target.describe(), noted.site, noted.told_by);
        let mut ways: FxHashMap<_, FxHashSet<&[Span]>> = FxHashMap::default();
        for noted in all.iter().filter(|noted| noted.function.is_some() && !noted.inherited) {
            ways.entry(way(noted)).or_default().insert(&noted.calls);
        }
        let is_shortest = |noted: &Noted| {
            let Some(ways) = ways.get(&way(noted)) else { return true };
            !noted.inherited
                && noted.function.is_some()
                && (1..noted.calls.len()).all(|from| !ways.contains(&noted.calls[from..]))
        };
        // What callers make of the beginning of a target: where none leaves it as it is, it is none by itself.
        let mut ends: FxHashMap<(Span, &str), (bool, FxHashSet<String>)> = FxHashMap::default();
        for noted in all.iter().filter(|noted| noted.calls.len() > 1 && !noted.is_open) {
            let (told, targets) = ends.entry((noted.site, noted.what)).or_default();
            if !noted.is_begun {
                *told = true;
                targets.insert(noted.target.describe());
            }
        }
        let is_finished = |noted: &Noted| {
            noted.is_begun
                && ends
                    .get(&(noted.site, noted.what))
                    .is_some_and(|(told, targets)| *told && !targets.contains(&noted.target.describe()))
        };
        let own: FxHashSet<_> = own.iter().map(|module| self.file_of(*module)).collect();
        let sites: FxHashSet<Span> = known.iter().map(|(site, _)| *site).collect();
        let keeps = |noted: &&Noted| {
            let place = noted.calls.first().unwrap_or(&noted.site);
            // Where it is come from says more, or another way to it does.
            let is_said = || {
                known.contains(&(noted.site, noted.what))
                    || noted.calls.iter().any(|call| *call != noted.site && sites.contains(call))
            };
            own.contains(&place.file) && (!noted.is_open || !is_said()) && !is_finished(noted) && is_shortest(noted)
        };
        let mut all: Vec<Noted<'p>> = all.iter().filter(keeps).cloned().collect();
        all.sort_by_key(|noted| (noted.calls.first().map_or(noted.site, |span| *span), noted.site));
        all
    }

    /// Remembers how the program sets something up. Of several things under one key, none is known.
    pub fn keep(&mut self, key: &str, value: Value<'p>) {
        self.wires.idle.asked += 1;
        match self.wires.kept.get(key) {
            Some(known) if known.describe() != value.describe() => {
                self.wires.kept.insert(key.to_owned(), Value::Unknown("it is set up in several ways", None));
            }
            Some(_) => {}
            None => {
                self.wires.kept.insert(key.to_owned(), value);
            }
        }
    }

    /// What was remembered.
    pub fn kept(&self, key: &str) -> Option<Value<'p>> {
        self.wires.kept.get(key).cloned()
    }
}

/// Whether the end of an address is what a function is given that calls its parameter an address: `"/api/" + path`, which
/// its callers finish, unlike `"/users/" + id`.
fn is_begun(target: &Value, function: &FunctionRef) -> bool {
    const ADDRESSES: &[&str] = &["url", "uri", "path", "endpoint", "route", "href", "resource", "address"];
    let Value::Pattern(text) = target else { return false };
    let named = |name: &str| {
        let name = name.to_ascii_lowercase();
        ADDRESSES.iter().any(|word| name.ends_with(word))
    };
    let begins = text.strip_suffix(UNKNOWN_PART).is_some_and(|rest| rest.ends_with('/'));
    begins && function.node.parameters.iter().any(|parameter| named(&parameter.name))
}

/// Whether what a library was given comes from whoever called: a parameter, or a text that begins or ends within one.
fn is_handed_on(target: &Value) -> bool {
    match target {
        Value::Unknown(..) => true,
        Value::Pattern(text) => {
            let mut before = '\u{0}';
            for letter in text.chars() {
                // A whole segment may be unknown; the beginning, or a part of a segment, is the caller's.
                if letter == UNKNOWN_PART && before != '/' && before != '\u{0}' && !matches!(before, '=' | '&' | '?') {
                    return true;
                }
                before = letter;
            }
            text.chars().all(|letter| letter == UNKNOWN_PART)
        }
        _ => false,
    }
}
