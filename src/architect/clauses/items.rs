//! What an item of a list asks for without a sentence: `Add products to the cart`, `Invoice generation`.

use super::grammar::{follows_noun, is_joint, is_later, nominal_start, objects, tokens};
use super::{ALONE, Clauses};
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
        let before = self.found.len();
        self.coded(text);
        self.found.iter_mut().skip(before).for_each(|it| it.coded = true);
    }

    fn coded(&mut self, text: &Text) {
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
        if is_later(&lower) || technology {
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
        // Nobody does `Automatic resizing of tasks`: the system does.
        if first.eq_ignore_ascii_case("automatic") || first.eq_ignore_ascii_case("automated") {
            return;
        }
        // `Clear tracking of progress`, `Complete documentation`: the first word says how a thing is done, and is no deed.
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
}
