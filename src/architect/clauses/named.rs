//! What names ask for that have a deed in them: `Ticket creation`, `order creation, update and deletion`, `Secure sign-up and
//! login`.

use super::grammar::{apart, in_base_form, is_joint, objects, tokens};
use super::{ALONE, Clauses, Verb};
use crate::architect::words;

impl Clauses {
    /// `Secure sign-up and login functionality`: nothing but verbs that need no thing. Says whether it is that.
    pub(super) fn signs(&mut self, text: &str) -> bool {
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
    pub(super) fn verbs_alone(&mut self, text: &str) -> bool {
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
        // The deeds stand in brackets behind the thing: `Plan management (create/update/delete)`.
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

    /// What is done to a thing that a row names.
    pub(in crate::architect) fn of_thing(&mut self, verbs: &[&str], thing: &str) {
        for object in objects(&tokens(thing)) {
            for verb in verbs.iter().filter_map(|it| words::verb(it)) {
                self.push(verb, object.clone(), "user", thing);
            }
        }
    }

    /// What the buttons of a form do, to what the form is about where they name nothing: `Save draft, Send, Cancel`.
    pub(in crate::architect) fn buttons_of(&mut self, text: &str, about: Option<&str>, leaving: &[&str]) {
        let context: Vec<String> = about.unwrap_or("").split_whitespace().map(str::to_owned).collect();
        let outside = without_brackets(text);
        let buttons = outside.split([',', ';', '|', '·']).map(|it| it.trim_matches(|c: char| !c.is_alphanumeric()));
        let buttons: Vec<&str> = buttons.filter(|it| !it.is_empty()).collect();
        let acts = |it: &str| words::verb(it).is_some_and(|(base, _)| base == it.to_ascii_lowercase());
        for button in buttons {
            let mut said = button.split_whitespace();
            let (first, second) = (said.next().unwrap_or(""), said.next());
            let verb = words::verb(first).filter(|_| acts(first) && !leaving.contains(&&*first.to_ascii_lowercase()));
            // `Save draft`, `Save changes`
            let whole =
                second.is_none_or(|it| ["draft", "changes"].contains(&it)) && button.split_whitespace().count() <= 2;
            match (verb, second) {
                (Some(verb), _) if whole && !context.is_empty() => self.push(verb, context.clone(), "user", text),
                (Some(_), Some(_)) => self.clause(&button.to_lowercase(), "user", text),
                _ => {}
            }
        }
    }

    /// What somebody does, each part with its verb: `browses the collection, buys a ticket`.
    pub(in crate::architect) fn does(&mut self, text: &str, actor: &str) {
        for sentence in apart(text) {
            let outside = without_brackets(sentence);
            let mut before = String::new();
            for part in outside.split(',') {
                let part = part.trim().trim_start_matches("and ").trim_start_matches("or ");
                before.push_str(part);
                // `adds, edits and deletes orders`
                if part.split_whitespace().count() == 1 {
                    before.push_str(", ");
                    continue;
                }
                let first = before.split([' ', ',']).next().unwrap_or("");
                if words::verb(first).is_some_and(|(base, _)| base != first.to_ascii_lowercase()) {
                    self.clause(&in_base_form(&before), actor, sentence);
                }
                before.clear();
            }
        }
    }

    /// Create, read, update and delete, of each thing.
    pub(super) fn all(&mut self, things: &str, sentence: &str) {
        // `CRUD for students (name, birthday)`: brackets say what each has.
        let things = things.split('(').next().unwrap_or(things);
        let before = self.found.len();
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
        self.found.iter_mut().skip(before).for_each(|it| it.coded |= sentence.contains("CRUD"));
    }
}

/// A text without what stands in brackets.
fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut outside = |c: char| {
        depth += usize::from(c == '(');
        let is_outside = depth == 0;
        depth = depth.saturating_sub(usize::from(c == ')'));
        is_outside
    };
    text.chars().filter(|c| outside(*c)).collect()
}
