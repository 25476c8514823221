//! What an item of a list asks for without a sentence: `Add products to the cart`, `Invoice generation`.

use super::grammar::{apart, follows_noun, is_joint, nominal_start, objects, tokens};
use super::{ALONE, Clauses, Verb};
use crate::architect::document::Text;
use crate::architect::words;

#[rustfmt::skip]
const LOOKS: &[&str] = &[
    "includes", "shows", "requires", "contains", "displays", "has", "button", "icon", "accepts", "validates",
];

impl Clauses {
    /// A button that says what it does: `` A **"Scan inbox"** button ``.
    pub(in crate::architect) fn buttons(&mut self, text: &Text) {
        let quoted = text.plain.split('"').skip(1).step_by(2).chain(text.plain.split(['“', '”']).skip(1).step_by(2));
        let labels: Vec<&str> = text.strongs().chain(text.codes()).chain(quoted).collect();
        for label in labels {
            let label_words = label.trim_matches(|c: char| "\"“”' ".contains(c));
            let (before, behind) = text.plain.split_once(label).unwrap_or(("", ""));
            if self.pressed(before, label_words) {
                continue;
            }
            let next =
                behind.trim_start_matches(|c: char| !c.is_alphanumeric()).split_whitespace().next().unwrap_or("");
            let next = next.trim_matches(|c: char| !c.is_alphanumeric());
            if ["button", "buttons", "action", "command", "link"].contains(&next)
                && (label_words.split_whitespace().count() >= 2 || behind.contains(" to "))
            {
                // `An "Edit" button to change products` says more than its label.
                if let Some((_, rest)) =
                    behind.split_once(" to ").filter(|(before, _)| before.split_whitespace().count() <= 2)
                {
                    self.clause(rest, "", label_words);
                    continue;
                }
                // A button is always about what is done.
                self.clause(&label_words.to_lowercase(), "", label_words);
            }
        }
    }

    /// What is pressed: `The admin clicks **Approve request**`, `goes to **Orders → New Order**`. Says whether it is.
    fn pressed(&mut self, before: &str, label: &str) -> bool {
        let said: Vec<String> = before
            .split_whitespace()
            .rev()
            .take(2)
            .map(|it| it.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase())
            .filter(|it| !it.is_empty())
            .collect();
        let pressed = said.first().is_some_and(|it| {
            ["click", "tap", "press", "select", "choose"]
                .iter()
                .any(|verb| it.strip_prefix(verb).is_some_and(|end| ["", "s", "es", "ing"].contains(&end)))
        });
        let went = said.first().is_some_and(|it| it == "to")
            && said.get(1).is_some_and(|it| ["goes", "go", "navigates", "navigate"].contains(&it.as_str()));
        let shown = label.rsplit(['→', '>']).next().unwrap_or(label).trim();
        let mut words = shown.split_whitespace();
        let Some(first) = words.next().filter(|_| pressed || went) else { return false };
        let rest: Vec<&str> = words.collect();
        let first = first.to_ascii_lowercase();
        let verb = if first == "new" { "create".to_owned() } else { first };
        let acts = words::verb(&verb).is_some_and(|(base, _)| base == verb);
        if !acts || rest.is_empty() || rest.len() > 3 {
            return false;
        }
        self.clause(&format!("{verb} {}", rest.join(" ").to_lowercase()), "", shown);
        true
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

    /// Names of commands that a text sets as code: `Maps to: `MarkItemReady`, `DeliverOrder``.
    pub(in crate::architect) fn commands(&mut self, text: &Text) {
        if text.codes().next().is_none() {
            return;
        }
        // `tasks.publish_post`: what runs by itself, at the beginning of its item.
        if let Some((label, _)) = text.label()
            && text.codes().next() == Some(label)
            && let [_, name] = label.split('.').collect::<Vec<_>>().as_slice()
            && let [verb, object @ ..] = words::split(name).as_slice()
            && name.contains('_')
            && (1..=4).contains(&object.len())
            && let Some(verb) = words::verb(verb).filter(|(base, _)| base == verb)
        {
            self.push(verb, object.to_vec(), "the system", &text.plain);
        }
        let about = words::split(&text.plain);
        let said = [
            "command",
            "commands",
            "query",
            "queries",
            "maps",
            "handler",
            "handlers",
            "operation",
            "operations",
            "mutation",
        ];
        if !about.iter().any(|it| said.contains(&it.as_str())) {
            return;
        }
        for code in
            text.codes().filter(|it| it.chars().all(char::is_alphanumeric) && it.starts_with(char::is_uppercase))
        {
            let parts = words::split(code);
            let ended =
                parts.last().is_some_and(|it| ["command", "query", "handler", "mutation"].contains(&it.as_str()));
            let parts = &parts[..parts.len() - usize::from(ended && parts.len() > 2)];
            if let [verb, object @ ..] = parts
                && (1..=4).contains(&object.len())
                && let Some(verb) = words::verb(verb).filter(|(base, _)| base == verb)
            {
                self.push(verb, object.to_vec(), "the system", &text.plain);
            }
        }
    }

    /// An item that begins with what is done: `Add products to the cart`, `Creation of orders`.
    pub(in crate::architect) fn imperative(&mut self, text: &str, certain: bool) {
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
        let text =
            ["Bulk ", "bulk ", "Soft ", "soft ", "Batch ", "batch ", "Automatically ", "Optionally ", "Manually "]
                .iter()
                .find_map(|it| text.strip_prefix(it))
                .unwrap_or(text);
        if certain && (self.allowing(text, text) || self.verbs_alone(text)) {
            return;
        }
        let head = text.split([':', '–', '—', '→', '>']).next().unwrap_or(text).split(" - ").next().unwrap_or(text);
        // `Manage appointments: Allow the user to cancel existing ones`
        if certain
            && let Some((label, rest)) = text.split_once(": ")
            && label.split_whitespace().count() <= 4
            && self.allowing(rest, text)
        {
            return;
        }
        // `Health tracking: Record observations` says behind its label what is done.
        if let Some((label, rest)) = text.split_once(": ")
            && label.split_whitespace().count() <= 4
            && !label.ends_with('s')
            && rest.split_whitespace().next().is_some_and(|it| {
                let word = it.trim_matches(',').to_ascii_lowercase();
                words::verb(&word).is_some_and(|(base, _)| base == word) && !words::is_noun_too(&word)
            })
            && certain
            && label
                .split_whitespace()
                .next()
                .is_none_or(|it| words::verb(it).is_none_or(|(base, _)| base != it.to_ascii_lowercase()))
        {
            return self.clause(rest, "", text);
        }
        // `photo classification: 0.85` is a value.
        if text.split_once(": ").is_some_and(|(_, rest)| rest.trim_start().starts_with(|c: char| c.is_ascii_digit())) {
            return;
        }
        let lower = text.to_ascii_lowercase();
        let mut said = lower.split_whitespace();
        // `React pages for orders` says what is built with, `React to an event` does not.
        let technology =
            said.next().is_some_and(crate::architect::entities::is_technology) && said.next() != Some("to");
        if lower.contains("(future)") || lower.starts_with("future:") || technology {
            return;
        }
        // `Email authentication: Secure sign-up and login system`
        if certain
            && let Some((_, rest)) = text.split_once(": ")
            && self.signs(rest)
        {
            return;
        }
        let tokens = tokens(head);
        let Some(first) = tokens.first() else { return };
        // `Booking form includes: …`, `Delete button removes …` tell how something looks.
        if tokens.iter().skip(1).take(3).any(|it| LOOKS.contains(&it.to_ascii_lowercase().as_str())) {
            return;
        }
        // `**Group Statistics**: …`, `Project Templates`: a title, with a noun that could be a verb.
        let title = (2..=3).contains(&tokens.len()) && tokens.iter().all(|it| it.starts_with(char::is_uppercase));
        if title && words::is_noun_too(first) {
            return;
        }
        // `Stock decreases as …` describes an effect; nobody asks for an operation.
        if words::is_noun_too(first)
            && tokens.get(1).is_some_and(|it| {
                words::verb(it).is_some_and(|(base, _)| base != *it && !words::is_noun_too(base) && it.ends_with('s'))
            })
        {
            return;
        }
        // `Automatic resizing of tasks` is done by nobody.
        if first.eq_ignore_ascii_case("automatic") || first.eq_ignore_ascii_case("automated") {
            return;
        }
        // `Clear tracking of progress`, `Complete documentation`: how something is done, not what.
        let object =
            tokens.iter().skip(1).take_while(|it| !words::ends_object(it) && !is_joint(it) && **it != "of").last();
        if ["clear", "complete", "open", "direct", "separate", "correct", "live"]
            .contains(&first.to_ascii_lowercase().as_str())
            && tokens.get(1).is_some_and(|it| !words::is_determiner(it))
            && object.is_some_and(|it| {
                let it = it.to_ascii_lowercase();
                it.ends_with("tion") || it.ends_with("ing") && words::verbal_noun(&it).is_some()
            })
        {
            return;
        }
        // `GET never changes anything`
        if crate::architect::endpoints::METHODS.contains(first) {
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
        if certain && self.signs(head) {
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
        let is_noun = words::verbal_noun(&second).is_some() && (words::is_noun_too(&lower) || !second.ends_with("ing"))
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
        } else if certain
            && first.ends_with("ing")
            && words::verbal_noun(first).is_some()
            && (2..=6).contains(&tokens.len())
            && !self.role.is_empty() | tokens[1..].iter().any(|it| words::is_plural(&it.to_ascii_lowercase()))
        {
            // `Cancelling accounts`
            self.nominal(head, text);
        } else if certain && (2..=4).contains(&tokens.iter().take_while(|it| !words::ends_object(it)).count())
            || certain && tokens.len() <= 8 && tokens.iter().skip(2).take(2).any(|it| words::participle(it).is_some())
        {
            self.named_last(head, text);
        }
    }

    /// `Secure sign-up and login functionality`: nothing but verbs that need no thing. Says whether it is that.
    fn signs(&mut self, text: &str) -> bool {
        #[rustfmt::skip]
        const DECORATES: &[&str] = &[
            "secure", "user", "users", "basic", "simple", "functionality", "support", "system", "feature", "flow",
        ];
        let mut verbs = Vec::new();
        for word in tokens(text).into_iter().filter(|it| !is_joint(it)) {
            let word = word.to_ascii_lowercase().replace('-', "");
            if DECORATES.contains(&word.as_str()) {
                continue;
            }
            let Some(verb) = words::verb(&word).filter(|(base, _)| *base == word && ALONE.contains(base)) else {
                return false;
            };
            verbs.push(verb);
        }
        verbs.iter().for_each(|verb| self.push(*verb, Vec::new(), "", text));
        !verbs.is_empty()
    }

    /// `Browse, filter by status` and `Create, edit, sign` below `Leases`: verbs without what they are done to, where the
    /// heading or the row says it. Says whether the text is that.
    fn verbs_alone(&mut self, text: &str) -> bool {
        let tokens = tokens(text);
        let end = tokens.iter().position(|it| words::ends_object(it)).unwrap_or(tokens.len());
        let said: Vec<&str> = tokens[..end].iter().copied().filter(|it| !is_joint(it)).collect();
        let verbs: Vec<Option<Verb>> = said
            .iter()
            .map(|it| words::verb(it).filter(|(base, _)| *base == it.to_ascii_lowercase() && !ALONE.contains(base)))
            .collect();
        // `License view` and `Access level` are names.
        let apart = tokens[..end].windows(2).all(|it| is_joint(it[0]) || is_joint(it[1]));
        let noun = verbs.first().copied().flatten().is_some_and(|(base, _)| words::is_noun_too(base));
        if self.context.is_empty() || verbs.len() < 2 || verbs.iter().any(Option::is_none) || !apart || noun {
            return false;
        }
        for verb in verbs.into_iter().flatten() {
            self.push(verb, self.context.clone(), "", text);
        }
        true
    }

    /// `order creation, update and deletion`: the thing once, and what is done to it. Says whether it is that.
    pub(super) fn deeds_of_one(&mut self, tokens: &[&str], sentence: &str) -> bool {
        let parts: Vec<&[&str]> = tokens.split(|it| is_joint(it)).filter(|it| !it.is_empty()).collect();
        let [[things @ .., first], others @ ..] = parts.as_slice() else { return false };
        let deed = |it: &&[&str]| match it {
            [only] => words::deed_of(only)
                .or_else(|| words::verb(only).filter(|(base, _)| *base == only.to_ascii_lowercase())),
            _ => None,
        };
        let Some(verb) = words::deed_of(first).filter(|_| !things.is_empty() && !others.is_empty()) else {
            return false;
        };
        let Some(more) = others.iter().map(deed).collect::<Option<Vec<Verb>>>() else { return false };
        // `User registration and login` need nothing that they are done to.
        if std::iter::once(&verb).chain(&more).any(|(base, _)| ALONE.contains(base)) {
            return false;
        }
        for object in objects(things) {
            std::iter::once(&verb).chain(&more).for_each(|it| self.push(*it, object.clone(), "", sentence));
        }
        true
    }

    /// `Ticket creation`, `User login`
    pub(super) fn named_last(&mut self, part: &str, sentence: &str) {
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
        if self.deeds_of_one(&tokens, sentence) {
            return;
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
        // `User receives confirmation` is no confirmation of something.
        let told = |it: &&str| {
            words::verb(it).is_some_and(|(base, _)| base != it.to_ascii_lowercase() && !words::is_noun_too(base))
        };
        let asked = things.first().is_some_and(|it| {
            words::verb(it).is_some_and(|(base, _)| *base == it.to_ascii_lowercase() && !words::is_noun_too(base))
        });
        if things.iter().skip(1).any(told) || asked && things.len() > 1 {
            return;
        }
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
    pub(in crate::architect) fn business(&mut self, text: &str) {
        // `Can create loans, register borrowers`
        let text =
            ["Can ", "May ", "can ", "may "].iter().find_map(|it| text.trim_start().strip_prefix(it)).unwrap_or(text);
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
    pub(super) fn all(&mut self, things: &str, sentence: &str) {
        for mut object in objects(&tokens(things)) {
            // `GroupService with CRUD operations` keeps groups.
            let name = words::split(&object.join(" "));
            let part = ["service", "repository", "controller", "management", "manager", "module"];
            if name.len() > 1 && name.last().is_some_and(|it| part.contains(&it.as_str())) {
                object = name[..name.len() - 1].to_vec();
            }
            for verb in ["create", "list", "view", "update", "delete"] {
                if let Some(verb) = words::verb(verb) {
                    self.push(verb, object.clone(), "", sentence);
                }
            }
        }
    }
}
