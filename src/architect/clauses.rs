//! Grammar of requirements: a sentence to what it says is done, and to what. `Users can list books and add notes`, `creation
//! and editing of orders`, `As a guest, I want to book a room`.

use super::document::Text;
use super::notes::OperationNote;
use super::words::{self, Deed};

type Verb = (&'static str, Deed);

/// Verbs that need nothing that they are done to.
#[rustfmt::skip]
const ALONE: &[&str] = &[
    "login", "logout", "signin", "signout", "signup", "register", "checkout", "authenticate", "subscribe",
    "unsubscribe",
];

/// Operations that one place of a text asks for.
pub(super) struct Clauses {
    line: u32,
    /// What the section is about: done to this, where a sentence does not say.
    context: Vec<String>,
    pub(super) found: Vec<OperationNote>,
    /// What an item begins with is a noun, though it could be a verb.
    pub(super) nouns: bool,
}

impl Clauses {
    pub(super) fn new(line: u32, context: Option<&str>) -> Self {
        let context = context.map(|it| it.split_whitespace().map(str::to_owned).collect()).unwrap_or_default();
        Clauses { line, context, found: Vec::new(), nouns: false }
    }

    pub(super) fn sentences(&mut self, text: &str) {
        let joined = text.replace('\n', " ");
        for sentence in apart(&joined) {
            let sentence = sentence.trim();
            if sentence.len() <= 600 && !self.story(sentence) {
                self.possibility(sentence);
            }
        }
    }

    /// `As a guest, so that …, I want to book a room.`
    fn story(&mut self, sentence: &str) -> bool {
        #[rustfmt::skip]
        const WANTS: &[&str] = &[
            "i want to be able to", "i would like to be able to", "i should be able to", "i need to be able to",
            "i want to", "i would like to", "i'd like to", "i need to", "i can only", "i can", "i should", "i must",
            "i wish to", "i want the ability to", "want to", "i want", "i need",
        ];
        let lower = sentence.to_ascii_lowercase();
        if lower.starts_with("so that ") || lower.starts_with("so i ") {
            return true;
        }
        // In a paragraph of its own, or behind `As a …`
        let begins = ["i want to ", "i can ", "i need to ", "i would like to "].iter().any(|it| lower.starts_with(it));
        let said = || ["as a ", "as an ", "as the ", "as "].iter().find_map(|it| lower.find(it)).filter(|at| *at < 40);
        let at = if begins { Some(0) } else { said().map(|at| at + 3) };
        let Some(at) = at else { return false };
        let rest = sentence.get(at..).unwrap_or("").trim_start();
        let rest = ["a ", "an ", "the "].iter().find_map(|it| rest.strip_prefix(it)).unwrap_or(rest);
        let lower = rest.to_ascii_lowercase();
        // `so I can …` is why, not what.
        let wanted_at = |marker: &str| {
            let marker = format!("{marker} ");
            let mut places = lower
                .match_indices(&marker)
                .map(|(at, _)| at)
                .filter(|at| !["so ", "so that ", "that "].iter().any(|it| lower[..*at].ends_with(it)));
            // `so I can see what I want to buy, I want to …`
            let first = places.next()?;
            let begins = |at: usize| at == 0 || lower[..at].trim_end().ends_with([',', '.', ':']);
            Some(if begins(first) { first } else { places.find(|at| begins(*at)).unwrap_or(first) })
        };
        let Some((at, marker)) = WANTS.iter().find_map(|it| wanted_at(it).map(|at| (at, *it))) else { return false };
        let actor = rest.get(..at).unwrap_or("").split(',').next().unwrap_or("").trim().to_owned();
        let wanted = rest.get(at + marker.len()..).unwrap_or("");
        // `I want [goal]` is how stories are written, and none.
        if wanted.trim_start().starts_with(['[', '<', '{']) {
            return true;
        }
        if ["i want", "i need"].contains(&marker) {
            self.wanted(wanted, &actor, sentence);
        } else {
            self.clause(wanted, &actor, sentence);
        }
        true
    }

    /// What somebody wants to have or to happen: `devices automatically discovered`, `staff to complete an inspection`,
    /// `monthly reports`.
    fn wanted(&mut self, text: &str, actor: &str, sentence: &str) {
        let tokens = tokens(text);
        let cut = tokens
            .iter()
            .position(|it| ["so", "because", "when"].contains(&it.to_ascii_lowercase().as_str()))
            .unwrap_or(tokens.len());
        let tokens = &tokens[..cut];
        if let Some(at) = tokens
            .iter()
            .take(5)
            .position(|it| it.eq_ignore_ascii_case("to"))
            .filter(|at| verb_at(tokens, at + 1).is_some())
        {
            return self.clause(&tokens[at + 1..].join(" "), actor, sentence);
        }
        // A verb in the end of what is wanted, behind the thing.
        let passive = tokens.iter().enumerate().skip(1).find_map(|(at, it)| Some((at, words::participle(it)?)));
        if let Some((at, verb)) = passive.filter(|(at, _)| {
            tokens.get(at + 1).is_none_or(|it| words::ends_object(it) || it.ends_with("ly") || is_joint(it))
        }) {
            let things: Vec<&str> =
                tokens[..at].iter().copied().filter(|it| !it.ends_with("ly") && !["to", "be"].contains(it)).collect();
            for object in objects(&things) {
                self.push(verb, object, actor, sentence);
            }
            return;
        }
        if tokens.first().is_some_and(|it| words::verb(it).is_none_or(|(base, _)| base != it.to_ascii_lowercase())) {
            for object in objects(tokens) {
                self.push(("view", Deed::Read), object, actor, sentence);
            }
        }
    }

    /// `Users can list their orders`, `The system shall allow editing of orders`, `CRUD operations for books and authors`.
    fn possibility(&mut self, sentence: &str) {
        #[rustfmt::skip]
        const NOT: &[&str] = &[
            "cannot", "can not", "must not", "shall not", "should not", "not be able", "can only be", "will not",
            "may not", "never",
        ];
        #[rustfmt::skip]
        const MODALS: &[&str] = &[
            " should be able to ", " shall be able to ", " must be able to ", " will be able to ", " are able to ",
            " is able to ", " can also ", " can only ", " can ", " may ", " shall ", " should ", " must ", " will ",
        ];
        let lower = sentence.to_ascii_lowercase();
        if let Some(at) = lower.find("crud") {
            let rest = sentence.get(at + 4..).unwrap_or("");
            if let Some((_, things)) = [" for ", " on ", " of "].iter().find_map(|it| rest.split_once(it)) {
                return self.all(things, sentence);
            }
            let before: Vec<&str> = tokens(sentence.get(..at).unwrap_or(""));
            if (1..=3).contains(&before.len()) && rest.split_whitespace().count() <= 8 {
                return self.all(&before.join(" "), sentence);
            }
        }
        // `Librarians manage books with full create, read, update and delete rights.`
        let crud = ["create", "read", "update", "delete", "edit", "view"];
        let said: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
        let together = said.windows(4).any(|it| it.iter().filter(|it| crud.contains(*it)).count() >= 3);
        if let Some(at) =
            ["manage ", "manages "].iter().find_map(|it| lower.find(it).map(|at| at + it.len())).filter(|_| together)
        {
            let things = sentence.get(at..).unwrap_or("");
            return self.all(things.split(" with ").next().unwrap_or(things), sentence);
        }
        let reaction = ["on ", "if ", "when ", "upon "].iter().any(|it| lower.starts_with(it));
        if NOT.iter().any(|it| lower.contains(it)) {
            return;
        }
        // `The system shall allow users to …`, `The system shall …`
        for modal in [
            " shall ",
            " must ",
            " should ",
            " will ",
            " lets ",
            " allows ",
            " enables ",
            " supports ",
            " provides ",
            " can ",
            " may ",
        ] {
            let Some(at) = lower.find(modal) else { continue };
            let subject = sentence.get(..at).unwrap_or("").trim().to_ascii_lowercase();
            let subject = subject.rsplit([',', '}', ':']).next().unwrap_or("").trim();
            let is_system = [
                "system",
                "application",
                "platform",
                "app",
                "api",
                "software",
                "service",
                "module",
                "website",
                "portal",
                "dashboard",
            ]
            .iter()
            .any(|it| subject.ends_with(it))
                && subject.split_whitespace().count() <= 6
                || subject == "it";
            if !is_system {
                continue;
            }
            if !reaction {
                self.system(sentence.get(at + modal.len()..).unwrap_or(""), modal.trim(), sentence);
            }
            return;
        }
        let found = MODALS.iter().find_map(|it| lower.find(it).map(|at| (at, *it)));
        let Some((at, modal)) = found else {
            if !self.manages(sentence) {
                self.purpose(sentence);
            }
            return;
        };
        let subject = sentence.get(..at).unwrap_or("").trim();
        let subject = subject.rsplit([',', ':', ';', '}']).next().unwrap_or(subject).trim();
        // Whoever is able to do something is somebody here, and so are many who can: `Charities can publish campaigns`.
        let rest = sentence.get(at + modal.len()..).unwrap_or("");
        let many = (modal.contains("can") || modal.contains("may"))
            && subject.split_whitespace().last().is_some_and(|it| words::is_plural(&it.to_ascii_lowercase()))
            && verb_at(&tokens(rest), 0).is_some();
        let able = (modal.contains("able to") || many) && (1..=4).contains(&subject.split_whitespace().count());
        if is_actor(subject) || able {
            return self.clause(sentence.get(at + modal.len()..).unwrap_or(""), subject, sentence);
        }
        // `Reports can be exported`, `a profile should be editable`
        if self.passive(subject, modal, sentence.get(at + modal.len()..).unwrap_or(""), sentence) {
            return;
        }
        // `Checkout shall …`, `Search shall filter …`
        let alone =
            words::verb(subject).filter(|(base, _)| ALONE.contains(base) || ["search", "export"].contains(base));
        if let Some(verb) = alone.filter(|_| !modal.contains("may")) {
            let object = if ALONE.contains(&verb.0) { Vec::new() } else { self.context.clone() };
            self.push(verb, object, "", sentence);
        }
    }

    /// What may be done to the subject of a sentence; whether the sentence says so.
    fn passive(&mut self, subject: &str, modal: &str, rest: &str, sentence: &str) -> bool {
        let mut words = rest.split_whitespace().map(|it| it.trim_matches(|c: char| !c.is_alphanumeric() && c != '-'));
        if words.next() != Some("be") {
            return false;
        }
        let word = words.find(|it| !it.ends_with("ly")).unwrap_or("").to_ascii_lowercase();
        let exact = |base: &str| words::verb(base).filter(|(it, _)| *it == base);
        let able = ["able", "ible"].iter().find_map(|end| word.strip_suffix(end)).and_then(|stem| {
            exact(stem)
                .or_else(|| exact(&format!("{stem}e")))
                .or_else(|| exact(stem.get(..stem.len().checked_sub(1)?)?))
        });
        let done = words::participle(&word).filter(|_| modal.contains("can") || modal.contains("may"));
        let Some(verb) = able.or(done) else { return false };
        for object in objects(&tokens(subject)) {
            self.push(verb, object, "", sentence);
        }
        true
    }

    /// `Build a system that classifies tickets, assigns a priority and routes them`
    fn purpose(&mut self, sentence: &str) {
        let lower = sentence.to_ascii_lowercase();
        let kinds = ["system", "platform", "application", "app", "service", "api", "tool", "website", "portal", "bot"];
        let Some((before, _)) = lower.split_once(" that ") else { return };
        let about = before.split_whitespace().last().is_some_and(|it| kinds.contains(&it));
        let rest = sentence.get(before.len() + " that ".len()..).unwrap_or("");
        if !about || before.split_whitespace().count() > 14 || self.allowing(rest, sentence) {
            return;
        }
        for verb in ["allows ", "enables ", "lets "] {
            if let Some(inner) = rest.strip_prefix(verb) {
                return self.allowed(inner, sentence);
            }
        }
        self.clause(&in_base_form(rest), "system", sentence);
    }

    /// `It manages donors, campaigns and donations.`
    fn manages(&mut self, sentence: &str) -> bool {
        let all: Vec<&str> = sentence.split_whitespace().collect();
        let systems = ["it", "system", "platform", "application", "app", "service", "software"];
        let Some(at) = all.iter().take(7).position(|it| {
            let word = it.to_ascii_lowercase();
            words::verb(&word).is_some_and(|(base, deed)| {
                let tells = deed == Deed::Manage || ["send", "generate", "calculate", "notify"].contains(&base);
                base != word && tells && word.ends_with('s')
            })
        }) else {
            return false;
        };
        let subject = at.checked_sub(1).map(|it| all[it].to_ascii_lowercase()).unwrap_or_default();
        if !systems.contains(&subject.as_str()) {
            return false;
        }
        self.clause(&in_base_form(&all[at..].join(" ")), "system", sentence);
        true
    }

    /// A button that says what it does: `` A **"Scan inbox"** button ``.
    pub(super) fn buttons(&mut self, text: &Text) {
        let quoted = text.plain.split('"').skip(1).step_by(2).chain(text.plain.split(['“', '”']).skip(1).step_by(2));
        let labels: Vec<&str> = text.strongs().chain(text.codes()).chain(quoted).collect();
        for label in labels {
            let label_words = label.trim_matches(|c: char| "\"“”' ".contains(c));
            let behind = text.plain.split_once(label).map_or("", |(_, behind)| behind);
            let next =
                behind.trim_start_matches(|c: char| !c.is_alphanumeric()).split_whitespace().next().unwrap_or("");
            let next = next.trim_matches(|c: char| !c.is_alphanumeric());
            if ["button", "buttons", "action", "command", "link"].contains(&next)
                && label_words.split_whitespace().count() >= 2
            {
                self.imperative(&label_words.to_lowercase(), true);
            }
        }
    }

    /// What a system shall do, or allow.
    fn system(&mut self, rest: &str, modal: &str, sentence: &str) {
        let lower = rest.to_ascii_lowercase();
        if ["be ", "not ", "have ", "remain ", "run "].iter().any(|it| lower.starts_with(it))
            && !lower.starts_with("be able to ")
        {
            return;
        }
        if self.allowing(rest, sentence) {
            return;
        }
        match modal {
            "lets" | "allows" | "enables" => self.allowed(rest, sentence),
            "supports" | "provides" => self.nominal(rest, sentence),
            _ => self.clause(rest, "system", sentence),
        }
    }

    /// `Allow browsing of plans`, `support add, edit, delete`; whether the text begins like that.
    fn allowing(&mut self, text: &str, sentence: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let Some(word) = [
            "also allow ",
            "allow ",
            "enable ",
            "let ",
            "permit ",
            "support ",
            "supports ",
            "provide ",
            "offer ",
            "ability to ",
            "able to ",
        ]
        .iter()
        .find(|it| lower.starts_with(**it)) else {
            return false;
        };
        let inner = text.get(word.len()..).unwrap_or("");
        let before = self.found.len();
        self.allowed(inner, sentence);
        // `Support shopping cart: add product, remove line`
        if self.found.len() == before
            && let Some((_, after)) = inner.split_once(':')
        {
            self.clause(after, "", sentence);
        }
        true
    }

    /// `users to create orders`, `creation of orders`, `add, edit, delete`
    fn allowed(&mut self, inner: &str, sentence: &str) {
        if let Some((who, what)) =
            inner.split_once(" to ").filter(|(who, _)| who.split_whitespace().count() <= 5 && !nominal_start(who))
        {
            self.clause(what, who.trim_start_matches("the ").trim_start_matches("a "), sentence);
        } else if nominal_start(inner) {
            let before = self.found.len();
            self.nominal(inner, sentence);
            // `user registration and account creation`
            if self.found.len() == before {
                for part in inner.split([',', '.']).flat_map(|it| it.split(" and ")) {
                    self.named_last(part, sentence);
                }
            }
        } else {
            self.clause(inner, "", sentence);
        }
    }

    /// `creation and editing of orders`, `selecting a plan and sending it`
    pub(super) fn nominal(&mut self, text: &str, sentence: &str) {
        let tokens = tokens(text);
        let mut last: Vec<Vec<String>> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let mut verbs = Vec::new();
            while let Some(word) = tokens.get(at) {
                // `configuring operating hours` is about operating hours.
                let joined = verbs.is_empty() || at > 0 && is_joint(tokens[at - 1]);
                if let Some(verb) = words::verbal_noun(word).filter(|_| joined) {
                    verbs.push(verb);
                } else if *word == "of" && !verbs.is_empty() {
                    at += 1;
                    break;
                } else if !(is_joint(word)
                    || *word == "the"
                    || (verbs.is_empty() && at < 2 && words::is_determiner(word)))
                {
                    break;
                }
                at += 1;
            }
            if verbs.is_empty() {
                return;
            }
            let end = (at..tokens.len())
                .find(|it| {
                    is_joint(tokens[*it])
                        && tokens
                            .get(it + 1)
                            .is_some_and(|word| words::verbal_noun(word).is_some() && word.ends_with("ing"))
                })
                .unwrap_or(tokens.len());
            let mut done_to = objects(&tokens[at..end]);
            if done_to.is_empty()
                && tokens.get(at).is_some_and(|it| ["it", "them"].contains(&it.to_ascii_lowercase().as_str()))
            {
                done_to.clone_from(&last);
            }
            last.clone_from(&done_to);
            for object in done_to {
                for verb in &verbs {
                    self.push(*verb, object.clone(), "", sentence);
                }
            }
            at = (end + 1).min(tokens.len());
        }
    }

    /// An item that begins with what is done: `Add products to the cart`, `Creation of orders`.
    pub(super) fn imperative(&mut self, text: &str, certain: bool) {
        const NOUNS: &[&str] = &[
            "audit", "order", "report", "request", "test", "message", "log", "host", "schedule", "record", "access",
            "rate", "comment", "charge", "issue", "query", "return", "lease", "rent", "trigger", "scan", "filter",
            "support",
        ];
        let text = text.trim().trim_start_matches(|c: char| !c.is_alphanumeric());
        // `[FR-1]`, `US-01:`
        let text = match text.split_once([':', ']']) {
            Some((label, rest))
                if label.split_whitespace().count() <= 2 && label.chars().any(|c| c.is_ascii_digit()) =>
            {
                rest.trim()
            }
            _ => text,
        };
        let text = text.split('\n').next().unwrap_or(text);
        // `Bulk import employees`
        let text = ["Bulk ", "bulk ", "Batch ", "batch ", "Automatically ", "Optionally ", "Manually "]
            .iter()
            .find_map(|it| text.strip_prefix(it))
            .unwrap_or(text);
        if certain && self.allowing(text, text) {
            return;
        }
        let head = text.split([':', '–', '—', '→', '>']).next().unwrap_or(text).split(" - ").next().unwrap_or(text);
        let tokens = tokens(head);
        let Some(first) = tokens.first() else { return };
        // `GET never changes anything`
        if super::endpoints::METHODS.contains(first) {
            return;
        }
        let lower = first.to_ascii_lowercase();
        let alone = ALONE.contains(&lower.as_str());
        // `login to the system`
        if certain
            && alone
            && (tokens.len() == 1 || words::ends_object(tokens[1]) || is_joint(tokens[1]) && tokens.len() > 3)
        {
            return self.clause(head, "", text);
        }
        // `login and logout`
        let decorates = |it: &&str| {
            ["secure", "user", "users", "basic", "simple", "functionality", "support", "system", "feature"]
                .contains(&it.to_ascii_lowercase().as_str())
        };
        let each: Vec<&str> = tokens.iter().copied().filter(|it| !is_joint(it) && !decorates(it)).collect();
        if certain && !each.is_empty() && each.iter().all(|it| ALONE.contains(&it.to_ascii_lowercase().as_str())) {
            for verb in each.into_iter().filter_map(words::verb).collect::<Vec<_>>() {
                self.push(verb, Vec::new(), "", text);
            }
            return;
        }
        // `Creates tickets`, where somebody's deeds are listed
        let nouns = self.nouns;
        let base = words::verb(&lower).filter(|_| !nouns).filter(|(base, _)| {
            // `Claims intake` is about claims.
            *base == lower
                || certain && lower.ends_with('s') && first.starts_with(char::is_uppercase) && !words::is_noun_too(base)
        });
        // A noun that looks like a verb: `Order management`, `Search functionality`, `Audit logs`.
        let second = tokens.get(1).map(|it| it.to_ascii_lowercase()).unwrap_or_default();
        let is_noun = words::verbal_noun(&second).is_some()
            || words::deed_of(&second).is_some() && words::verb(&second).is_none_or(|(base, _)| base != second)
            || follows_noun(&second)
            || NOUNS.contains(&lower.as_str()) && (tokens.len() == 2 || second.ends_with("ing"));
        if base.is_some() && (2..=25).contains(&tokens.len()) && !alone && !is_noun {
            {
                // `Creates and edits flows` is `create and edit flows`.
                let rest: Vec<&str> = tokens
                    .iter()
                    .enumerate()
                    .map(|(at, word)| {
                        let told =
                            at == 0 || is_joint(tokens[at - 1]) && word.ends_with('s') && tokens[0].ends_with('s');
                        words::verb(word).filter(|_| told).map_or(*word, |(base, _)| base)
                    })
                    .collect();
                self.clause(&rest.join(" "), "", text);
            }
        } else if certain
            && nominal_start(first)
            && tokens.len() >= 3
            && (first.ends_with("ing") || tokens[1] == "of" || is_joint(tokens[1]))
            && tokens.iter().take(6).any(|it| *it == "of")
        {
            self.nominal(head, text);
        } else if certain && (2..=4).contains(&tokens.iter().take_while(|it| !words::ends_object(it)).count())
            || certain && tokens.len() <= 8 && tokens.iter().skip(2).take(2).any(|it| words::participle(it).is_some())
        {
            self.named_last(head, text);
        }
    }

    /// `Ticket creation`, `User login`
    fn named_last(&mut self, part: &str, sentence: &str) {
        let tokens = tokens(part);
        // `Plan management (create/update/delete)`
        if let Some((name, verbs)) = part.split_once('(').and_then(|(name, rest)| Some((name, rest.split_once(')')?.0)))
        {
            let listed: Vec<Option<Verb>> = verbs
                .split(['/', ','])
                .map(|it| words::verb(it.trim()).filter(|(base, _)| *base == it.trim().to_ascii_lowercase()))
                .collect();
            if listed.len() >= 2 && listed.iter().all(Option::is_some) {
                let named = self::tokens(name);
                let ended = named.last().is_some_and(|it| words::deed_of(it).is_some());
                for object in objects(&named[..named.len() - usize::from(ended && named.len() > 1)]) {
                    listed.iter().flatten().for_each(|verb| self.push(*verb, object.clone(), "", sentence));
                }
                return;
            }
        }
        // `User registration and login`
        if let Some(at) = tokens.iter().position(|it| is_joint(it)).filter(|at| *at + 1 < tokens.len()) {
            let (one, other) = (tokens[..at].join(" "), tokens[at + 1..].join(" "));
            if words::deed_of(tokens[at - usize::from(at > 0)]).is_some() && tokens.len() <= 8 {
                self.named_last(&one, sentence);
                self.named_last(&other, sentence);
                return;
            }
        }
        // `password reset initiated via email`
        let end =
            (1..tokens.len()).find(|at| words::ends_object(tokens[*at]) || words::participle(tokens[*at]).is_some());
        let mut kept = &tokens[..end.unwrap_or(tokens.len())];
        // `Secure login functionality`
        while kept.len() > 1
            && kept.last().is_some_and(|it| {
                ["functionality", "support", "feature", "system", "flow", "process"]
                    .contains(&it.to_ascii_lowercase().as_str())
            })
        {
            kept = &kept[..kept.len() - 1];
        }
        let Some((last, things)) = kept.split_last() else { return };
        let Some(verb) = words::deed_of(last) else { return };
        let found = objects(things);
        if ALONE.contains(&verb.0) {
            self.push(verb, Vec::new(), "", sentence);
            return;
        }
        for object in found {
            self.push(verb, object, "", sentence);
        }
    }

    /// What is listed as somebody's business: `User registration, login, profile management`, `Create, cancel, fetch orders`.
    pub(super) fn business(&mut self, text: &str) {
        for sentence in apart(text) {
            let before = self.found.len();
            self.sentences(sentence);
            if self.found.len() == before {
                self.imperative(sentence, true);
            }
            if self.found.len() > before {
                continue;
            }
            for part in sentence.split(',') {
                self.named_last(part, text);
            }
        }
    }

    /// Create, read, update and delete, of each thing.
    fn all(&mut self, things: &str, sentence: &str) {
        for object in objects(&tokens(things)) {
            for verb in ["create", "list", "view", "update", "delete"] {
                if let Some(verb) = words::verb(verb) {
                    self.push(verb, object.clone(), "", sentence);
                }
            }
        }
    }

    /// What somebody does: verbs with what they are done to. `create, edit, and delete orders` are three, `list books and
    /// add notes` two.
    pub(super) fn clause(&mut self, text: &str, actor: &str, sentence: &str) {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let skipped = [
            "to be able to ",
            "be able to ",
            "have the ability to ",
            "only need to ",
            "need to ",
            "to ",
            "only ",
            "easily ",
            "also ",
            "quickly ",
            "then ",
            "securely ",
            "automatically ",
            "optionally ",
            "manually ",
        ]
        .iter()
        .find(|it| lower.starts_with(**it));
        let tokens = tokens(text.get(skipped.map_or(0, |it| it.len())..).unwrap_or(text));
        let mut pending: Vec<Verb> = Vec::new();
        let mut last: Vec<Vec<String>> = Vec::new();
        let mut at = 0;
        let mut first = true;
        // `click on a day and request a change`
        if !actor.is_empty()
            && tokens.first().is_some_and(|it| ["click", "tap", "press", "go", "navigate", "visit"].contains(it))
        {
            at = (1..tokens.len()).find(|at| is_joint(tokens[at - 1]) && verb_at(&tokens, *at).is_some()).unwrap_or(0);
        }
        while at < tokens.len() {
            // A verb, at the beginning or behind a joint.
            while tokens.get(at).is_some_and(|it| it.ends_with("ly") && verb_at(&tokens, at + 1).is_some()) {
                at += 1;
            }
            // `… and allow patients to confirm them`
            if !first && tokens.get(at).is_some_and(|it| ["allow", "let", "enable", "permit"].contains(it)) {
                self.allowing(&tokens[at..].join(" "), sentence);
                break;
            }
            let Some((verb, next)) = verb_at(&tokens, at) else {
                // A verb that no list has is passed over with what it is done to.
                let unknown = first
                    && !actor.is_empty()
                    && tokens.get(at).is_some_and(|it| it.chars().all(|c| c.is_ascii_lowercase()));
                let end = clause_end(&tokens, at + 1);
                if !unknown || end >= tokens.len() || words::ends_object(tokens[at]) || words::is_determiner(tokens[at])
                {
                    break;
                }
                first = false;
                at = (end..tokens.len()).find(|it| !is_joint(tokens[*it])).unwrap_or(tokens.len());
                continue;
            };
            pending.push(verb);
            at = next;
            // `comment on articles`
            let toward = ["comment", "reply", "vote", "bid", "react", "respond"].contains(&verb.0);
            if toward && tokens.get(at).is_some_and(|it| ["on", "to", "for"].contains(it)) {
                at += 1;
            }
            if tokens.get(at).is_some_and(|it| is_joint(it)) {
                let after = (at..tokens.len()).find(|it| !is_joint(tokens[*it])).unwrap_or(tokens.len());
                let adverb = tokens.get(after).is_some_and(|it| it.ends_with("ly"));
                if verb_at(&tokens, after + usize::from(adverb)).is_some() {
                    at = after;
                    continue;
                }
            }
            let end = clause_end(&tokens, at);
            let mut done_to = objects(&tokens[at..end]);
            // `expose balance and history APIs`
            if pending.iter().any(|(base, _)| *base == "expose") {
                for object in done_to.iter_mut().filter(|it| it.len() > 1) {
                    if object.last().is_some_and(|it| {
                        ["api", "apis", "endpoint", "endpoints"].contains(&it.to_ascii_lowercase().as_str())
                    }) {
                        object.pop();
                    }
                }
            }
            // `sending it`
            if done_to.is_empty()
                && tokens.get(at).is_some_and(|it| ["it", "them"].contains(&it.to_ascii_lowercase().as_str()))
            {
                done_to.clone_from(&last);
            }
            let plain =
                pending.iter().all(|(_, deed)| matches!(deed, Deed::Create | Deed::Read | Deed::Update | Deed::Delete));
            if done_to.is_empty()
                && plain
                && first
                && actor.is_empty()
                && !self.context.is_empty()
                && (at >= tokens.len() || words::ends_object(tokens[at]))
            {
                done_to.push(self.context.clone());
            }
            // `provide name, description and price of a space` tells its fields.
            let records = done_to.len() > 2
                && pending.iter().all(|(base, _)| ["record", "capture", "log", "persist"].contains(base))
                && done_to.iter().all(|it| it.last().is_some_and(|it| !words::is_plural(&it.to_ascii_lowercase())));
            if records
                || done_to.len() > 1 && pending.iter().all(|(base, _)| ["provide", "enter", "specify"].contains(base))
            {
                pending.clear();
                done_to.clear();
            }
            if done_to.is_empty() {
                for verb in pending.drain(..).filter(|(base, _)| first && ALONE.contains(base)) {
                    self.push(verb, Vec::new(), actor, sentence);
                }
            }
            for object in &done_to {
                for verb in &pending {
                    self.push(*verb, object.clone(), actor, sentence);
                }
            }
            last = done_to;
            pending.clear();
            first = false;
            at = (end..tokens.len()).find(|it| !is_joint(tokens[*it])).unwrap_or(tokens.len());
            if end >= tokens.len() || !is_joint(tokens[end]) {
                break;
            }
        }
    }

    fn push(&mut self, verb: Verb, object: Vec<String>, actor: &str, sentence: &str) {
        let nothing = object.is_empty() && !ALONE.contains(&verb.0)
            // `all create and delete operations` are no things.
            || object.len() == 1
                && words::verb(&object[0]).is_some_and(|(base, deed)| {
                    base == object[0].to_ascii_lowercase() && deed != Deed::Act && !words::is_noun_too(base)
                });
        // `Build the application with …` is about the product.
        let product = ["build", "run", "test", "deploy", "create", "write", "host", "start"].contains(&verb.0)
            && object.len() == 1
            && ["application", "app", "system", "website", "platform", "project", "software", "program"]
                .contains(&object[0].to_ascii_lowercase().as_str());
        let technical = object.last().is_some_and(|it| words::is_technical(it))
            || object.iter().any(|it| it.contains(['.', '{', '<', '=', '(', '\\']));
        let long = object.len() > 4 || object.iter().any(|it| it.len() > 40);
        // `capture the status code and the timestamp` tells values, no things.
        let value = verb.1 == Deed::Create
            && object.last().is_some_and(|it| {
                ["code", "timestamp", "time", "status", "date"]
                    .contains(&words::singular(&it.to_ascii_lowercase()).as_str())
            });
        if nothing || product || technical || long || value || self.found.len() >= 200 {
            return;
        }
        // What is tracked is looked at, where it is one value; else it is left open what is done.
        let told = ["status", "progress", "history", "location"];
        let looks = verb.1 == Deed::Manage
            && ["track", "monitor"].contains(&verb.0)
            && object.last().is_some_and(|it| told.contains(&it.to_ascii_lowercase().as_str()));
        let verb = if looks { ("view", Deed::Read) } else { verb };
        let summary = sentence.trim().trim_end_matches(['.', ';']).replace("**", "");
        let actor = actor.trim().trim_start_matches("As ").to_owned();
        self.found.push(OperationNote {
            line: self.line,
            verb: Some(verb),
            object,
            actor,
            summary,
            ..OperationNote::default()
        });
    }
}

/// The sentences of a text: a point ends one where nothing follows it at once.
pub(super) fn apart(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = matches!(c, '.' | ';' | '!' | '?') && chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let abbreviated = c == '.' && ["e.g", "i.e", "etc", "vs"].iter().any(|it| text[start..at].ends_with(it));
        if ends && !abbreviated {
            found.push(&text[start..=at]);
            start = at + 1;
        }
    }
    found.push(&text[start..]);
    found
}

/// `The system will allow:`, `Users can:`
pub(super) fn allows(lead: &str) -> bool {
    let lead = lead.trim().trim_end_matches(':').to_ascii_lowercase();
    [
        "allow",
        "allows",
        "able to",
        "can",
        "may",
        "support",
        "supports",
        "enables",
        "enable",
        "following actions",
        "following operations",
        "provides",
        "i want to",
        "shall",
        "permissions",
        "will do this",
        "can do this",
    ]
    .iter()
    .any(|end| lead.ends_with(end))
}

/// Whether a subject is somebody.
pub(super) fn is_actor(subject: &str) -> bool {
    #[rustfmt::skip]
    const NOBODY: &[&str] = &[
        "order", "number", "server", "container", "folder", "filter", "parameter", "component", "document",
        "payment", "appointment", "letter", "identifier", "center", "counter", "calendar", "offer", "event",
        "comment", "shipment", "content", "department", "investment", "attachment", "equipment", "environment",
        "amount", "voucher", "printer", "header", "footer", "color", "error", "behavior", "sensor", "monitor",
        "editor", "cluster", "router", "adapter", "layer", "buffer", "timer", "banner", "newsletter", "chapter",
        "transfer", "register", "variant",
    ];
    #[rustfmt::skip]
    const SOMEBODY: &[&str] = &[
        "user", "admin", "staff", "student", "patient", "guest", "person", "client", "member", "anyone", "everyone",
        "they", "i", "we", "you", "host", "team", "parent", "tenant", "agent", "chef", "both", "applicant",
        "participant", "assistant", "accountant", "nurse", "cook", "pilot", "role", "merchant", "company",
        "organization", "hr", "librarian", "beneficiary", "charity", "secretary", "business", "shop", "store", "staff", "cashier",
    ];
    let words: Vec<String> = subject
        .split_whitespace()
        .map(|it| it.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase())
        .filter(|it| !it.is_empty())
        .collect();
    let Some(last) = words.last().filter(|_| words.len() <= 8) else { return false };
    // `Customers of the bank`
    let head = words
        .iter()
        .position(|it| it == "of")
        .and_then(|at| at.checked_sub(1))
        .and_then(|at| words.get(at))
        .unwrap_or(last);
    let one = words::singular(head);
    !NOBODY.contains(&one.as_str())
        && (SOMEBODY.contains(&one.as_str())
            || ["er", "or", "ist", "ian", "ee", "ant"].iter().any(|end| one.len() > 4 && one.ends_with(end)))
}

fn nominal_start(text: &str) -> bool {
    text.split_whitespace()
        .take(2)
        .any(|word| words::verbal_noun(word.trim_matches(|c: char| !c.is_alphanumeric())).is_some())
}

/// Words, with commas and slashes by themselves; ends at what ends a clause.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for word in text.split_whitespace() {
        // What stands in brackets is a remark.
        let (opened, closed) = (word.matches('(').count(), word.matches(')').count());
        let inside = depth > 0 || word.starts_with('(');
        depth = (depth + opened).saturating_sub(closed);
        if inside {
            continue;
        }
        if ["->", "→", "–", "—", "-", "=>", "+"].contains(&word) {
            break;
        }
        let clean = word.trim_matches(|c: char| "\"'`*_()[]“”".contains(c));
        let comma = clean.ends_with(',');
        let end = clean.ends_with(['.', ';', ':', '!', '?']);
        for (at, part) in clean.split('/').enumerate() {
            if at > 0 {
                found.push("/");
            }
            let part = part.trim_matches(|c: char| ",.;:!?\"'`*()[]".contains(c));
            if !part.is_empty() {
                found.push(part);
            }
        }
        if comma {
            found.push(",");
        }
        if end {
            break;
        }
    }
    found
}

/// `classifies tickets, routes them` as `classify tickets, route them`: verbs of what somebody does, at the beginning and
/// behind joints where more than another joint follows.
fn in_base_form(text: &str) -> String {
    let mut found: Vec<String> = Vec::new();
    let mut starts = true;
    let all: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in all.iter().enumerate() {
        let clean = word.trim_end_matches(',').to_ascii_lowercase();
        let base = words::verb(&clean).filter(|(base, _)| starts && *base != clean);
        let followed = !word.ends_with(',') && all.get(at + 1).is_some_and(|it| !is_joint(it));
        match base {
            Some((base, _)) if followed => found.push(base.to_owned()),
            Some((base, _)) if all.get(at + 1).is_some() && starts && at == 0 => {
                found.push(format!("{base}{}", if word.ends_with(',') { "," } else { "" }));
            }
            _ => found.push((*word).to_owned()),
        }
        starts = word.ends_with(',') || is_joint(word) && (starts || at > 0);
    }
    found.join(" ")
}

fn is_joint(word: &str) -> bool {
    matches!(word, "," | "/" | "&") || word.eq_ignore_ascii_case("and") || word.eq_ignore_ascii_case("or")
}

/// The verb at a place, also one of two words (`log in`), and what follows it.
fn verb_at(tokens: &[&str], at: usize) -> Option<(Verb, usize)> {
    let word = tokens.get(at)?.to_ascii_lowercase();
    let next = tokens.get(at + 1).map(|it| it.to_ascii_lowercase()).unwrap_or_default();
    let two = match (word.as_str(), next.as_str()) {
        ("log" | "sign", "in") => Some("login"),
        ("log" | "sign", "out" | "off") => Some("logout"),
        ("sign", "up") => Some("signup"),
        ("check", "out") => Some("checkout"),
        ("look", "up") => Some("lookup"),
        ("set", "up") => Some("configure"),
        _ => None,
    };
    if let Some(base) = two {
        return words::verb(base).map(|verb| (verb, at + 2));
    }
    // `initiate sign-out`
    let word = word.replace('-', "");
    if ["initiate", "perform"].contains(&word.as_str())
        && let Some((verb, _)) = verb_at(&[&next], 0).filter(|((base, _), _)| ALONE.contains(base))
    {
        return Some((verb, at + 2));
    }
    let word = match word.as_str() {
        "signin" => "login".to_owned(),
        "signout" | "signoff" | "logoff" => "logout".to_owned(),
        _ => word,
    };
    let (base, deed) = words::verb(&word)?;
    // Only the base form is what somebody can do.
    (base == word).then_some(((base, deed), at + 1))
}

/// Where what a verb is done to ends: at a joint with another verb behind it.
fn clause_end(tokens: &[&str], from: usize) -> usize {
    let allows = |at: usize| {
        ["allow", "let", "enable", "permit"].contains(&tokens[at])
            && tokens.iter().skip(at + 1).take(5).any(|it| *it == "to")
    };
    let unjoined = |from: usize| (from..tokens.len()).find(|it| !is_joint(tokens[*it])).unwrap_or(tokens.len());
    let goes_on = |after: usize, next: usize| {
        let behind = unjoined(next);
        // `view orders and filter by date`
        let narrows = ["filter", "search", "sort"].contains(&tokens[after].to_ascii_lowercase().as_str())
            && tokens.get(after + 1).is_some_and(|it| ["by", "for"].contains(&it.to_ascii_lowercase().as_str()));
        // `it` and a preposition end a noun: `orders, reports and requests for …`
        let noun = tokens.get(after + 1).is_some_and(|it| {
            follows_noun(&it.to_ascii_lowercase())
                || words::ends_object(it)
                    && !["in", "out", "up", "it", "them", "that"].contains(&it.to_ascii_lowercase().as_str())
        });
        narrows
            || next < tokens.len()
                && (!is_joint(tokens[next]) && !noun
                    || is_joint(tokens[next]) && verb_at(tokens, behind).is_some_and(|(_, it)| it < tokens.len()))
    };
    (from..tokens.len())
        .find(|at| {
            let after = unjoined(*at);
            // `with a name, reorder data and a price` goes on with what the thing has.
            let with = (from..*at).find(|it| ["with", "including", "containing"].contains(&tokens[*it]));
            let listing = with.is_some_and(|with| tokens[with..*at].iter().any(|it| is_joint(it)));
            is_joint(tokens[*at]) && after < tokens.len() && allows(after)
                || is_joint(tokens[*at])
                    && !(listing && after == *at + 1 && tokens[*at] == ",")
                    && !(with.is_some() && tokens[*at] == "/")
                    && verb_at(tokens, after).is_some_and(|(_, next)| goes_on(after, next))
        })
        .unwrap_or(tokens.len())
}

/// Words that stand behind a noun, not behind a verb: `charge status`, `order history`.
fn follows_noun(word: &str) -> bool {
    [
        "management",
        "functionality",
        "page",
        "list",
        "history",
        "status",
        "system",
        "details",
        "notification",
        "notifications",
        "tracking",
        "code",
        "type",
        "flow",
        "number",
        "results",
        "queue",
        "level",
    ]
    .contains(&word)
}

/// The things that a list of words names, each as its words.
fn objects(tokens: &[&str]) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut name: Vec<&str> = Vec::new();
    let end = |name: &mut Vec<&str>, found: &mut Vec<Vec<String>>| {
        while name.len() > 1 && name.last().is_some_and(|word| words::is_aspect(word)) {
            name.pop();
        }
        if (1..=5).contains(&name.len()) {
            found.push(name.iter().map(|word| (*word).to_owned()).collect());
        }
        name.clear();
    };
    for (at, word) in tokens.iter().enumerate() {
        let lower = word.to_ascii_lowercase();
        // `details of an order` are an order; `status of an order` is its own.
        if lower == "of" && name.len() == 1 && words::is_aspect(name[0]) {
            name.clear();
            continue;
        }
        // `all of their orders` are orders.
        if lower == "of" && name.is_empty() && at > 0 && words::is_determiner(&tokens[at - 1].to_ascii_lowercase()) {
            continue;
        }
        // `the property's calendar` is a calendar.
        if lower.ends_with("'s") || lower.ends_with("’s") || lower.ends_with("s'") {
            name.clear();
            continue;
        }
        // `distribute items, updating the counts` goes on with what else is done.
        let gerund = name.is_empty() && !found.is_empty() && lower.ends_with("ing");
        if gerund && words::verbal_noun(&lower).is_some() && at > 0 && tokens[at - 1] == "," {
            break;
        }
        if is_joint(word) {
            end(&mut name, &mut found);
        } else if name.is_empty() && ["which", "what"].contains(&lower.as_str()) && at == 0 {
            // `see which students …`
        } else if name.is_empty()
            && lower != "that"
            && lower != "of"
            && (words::is_determiner(&lower) || is_adjective(&lower))
        {
            // No part of the name.
        } else if lower == "only" && !name.is_empty()
            || words::ends_object(&lower)
            || lower == "of"
            || (name.is_empty() && found.is_empty() && at > 4)
            || !name.is_empty() && lower.ends_with("ly") && is_adjective(&lower)
        {
            break;
        } else {
            name.push(word);
        }
    }
    end(&mut name, &mut found);
    // `profitability and expense reports` are two kinds of reports.
    let owned = tokens.iter().any(|it| ["their", "his", "her", "my", "its", "your", "our"].contains(it));
    if !owned
        && let Some((last, before)) = found.split_last_mut()
        && last.len() >= 2
        && let Some(head) = last.last().filter(|head| words::is_plural(&head.to_ascii_lowercase()))
    {
        for name in before
            .iter_mut()
            .filter(|name| name.len() <= 2 && !name.last().is_some_and(|it| words::is_plural(&it.to_ascii_lowercase())))
        {
            name.push(head.clone());
        }
    }
    found
}

fn is_adjective(word: &str) -> bool {
    #[rustfmt::skip]
    const NOUNS: &[&str] = &[
        "timetable", "table", "family", "assembly", "reply", "variable", "deliverable", "receivable", "payable",
        "wearable", "supply", "anomaly", "vegetable", "consumable", "butterfly", "monopoly", "feed", "seed", "speed",
        "need", "embed", "breed",
    ];
    let ends = ["able", "ible", "ly", "ed"].iter().any(|end| word.ends_with(end));
    word.len() > 4 && ends && !NOUNS.contains(&word)
}
