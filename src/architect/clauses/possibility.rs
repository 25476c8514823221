//! What a sentence says is possible: `Users can …`, `The system shall allow …`, `Reports can be exported`.

use super::grammar::{in_base_form, is_actor, is_later, nominal_start, objects, somebody_acts, tokens, verb_at};
use super::{ALONE, Clauses};
use crate::architect::words;
use crate::architect::words::Deed;

impl Clauses {
    /// `Users can list their orders`, `The system shall allow editing of orders`, `CRUD operations for books and authors`.
    pub(super) fn possibility(&mut self, sentence: &str) {
        #[rustfmt::skip]
        const NOT: &[&str] = &[
            "cannot", "can not", "must not", "shall not", "should not", "not be able", "can only be", "will not",
            "may not", "never",
        ];
        #[rustfmt::skip]
        const MODALS: &[&str] = &[
            " should be able to ", " will able to ", " shall be able to ", " must be able to ", " will be able to ", " are able to ",
            " is able to ", " can also ", " can only ", " must can ", " can ", " may ", " shall ", " should ", " must ", " will ",
            " wants to ", " want to ",
        ];
        let lower = sentence.to_ascii_lowercase();
        // `bulk edit operations on customers`
        if let Some((before, things)) =
            lower.split_once(" operations on ").or_else(|| lower.split_once(" operations for "))
            && !lower.contains("crud")
        {
            let verbs = before.rsplit([' ', ',', '/']).map_while(words::verb).filter(|(_, deed)| *deed != Deed::Act);
            let verbs: Vec<_> = verbs.collect();
            for object in objects(&tokens(things)) {
                verbs.iter().for_each(|verb| self.push(*verb, object.clone(), "user", sentence));
            }
            if !verbs.is_empty() {
                return;
            }
        }
        // What comes later is not asked for.
        if is_later(&lower) {
            return;
        }
        self.occasion(sentence, &lower);
        // `manage menus, including adding or removing dishes`
        for marker in ["including ", "such as ", "like "] {
            if let Some(rest) = lower.find(marker).and_then(|at| sentence.get(at + marker.len()..))
                && rest.split_whitespace().next().is_some_and(|it| {
                    let word = it.trim_end_matches(',').to_ascii_lowercase();
                    word.ends_with("ing") && words::verbal_noun(&word).is_some()
                })
            {
                self.nominal(rest, sentence);
            }
        }
        if let Some(at) = lower.find("crud") {
            let rest = sentence.get(at + 4..).unwrap_or("");
            if let Some((_, things)) = [" for ", " on ", " of "].iter().find_map(|it| rest.split_once(it)) {
                return self.all(things, sentence);
            }
            let before: Vec<&str> = tokens(sentence.get(..at).unwrap_or(""));
            // `CRUD operations` below `Categories`
            if before.is_empty() && rest.split_whitespace().count() <= 2 && !self.context.is_empty() {
                let context = self.context.join(" ");
                return self.all(&context, sentence);
            }
            // `CRUD routes`
            let named = tokens(rest);
            if before.is_empty()
                && (1..=2).contains(&named.len())
                && named.iter().all(|it| it.chars().all(char::is_alphanumeric))
            {
                return self.all(rest, sentence);
            }
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
        // `We provide the ability for users to create buckets`
        for marker in ["ability for ", "ability to ", "capability to ", "option to ", "possibility to "] {
            let Some(at) = lower.find(marker).map(|at| at + marker.len()) else { continue };
            let rest = sentence.get(at..).unwrap_or("");
            let rest = if marker.ends_with("for ") { rest.split_once(" to ").map_or("", |(_, it)| it) } else { rest };
            let before = self.found.len();
            if !NOT.iter().any(|it| lower.contains(it)) {
                self.clause(rest, "user", sentence);
            }
            if self.found.len() > before {
                return;
            }
        }
        // `a panel with controls for approving or rejecting submissions`
        for marker in [
            " controls for ",
            " tools for ",
            " interface for ",
            " form for ",
            " page for ",
            " screen for ",
            " options for ",
        ] {
            let Some(rest) = lower.find(marker).and_then(|at| sentence.get(at + marker.len()..)) else { continue };
            let first = rest.split([' ', '/', ',']).next().unwrap_or("");
            if first.ends_with("ing") && words::verbal_noun(first).is_some() {
                self.nominal(rest.split(';').next().unwrap_or(rest), sentence);
            }
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
                "solution",
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
        // `FR-3: Must generate an application`
        let unlabelled = match sentence.rsplit_once(": ") {
            Some((label, rest)) if label.split_whitespace().count() <= 5 => rest,
            _ => sentence,
        };
        if let Some(rest) =
            ["Must ", "Shall ", "Should "].iter().find_map(|it| unlabelled.trim_start().strip_prefix(it))
        {
            return self.system(rest, "must", sentence);
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
        // `File organization should include folder creation and deletion`
        if let Some(rest) = ["include ", "cover ", "support "].iter().find_map(|it| rest.strip_prefix(it)) {
            return self.named_last(rest, sentence);
        }
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

    /// `When an expert rejects a consignment then the system shall inform the seller`: what somebody does before the system does
    /// something, somebody can do. So is the step of a scenario: `Given a draft When I publish the draft Then …`.
    fn occasion(&mut self, sentence: &str, lower: &str) {
        let step = lower.starts_with("given ").then(|| sentence.find(" When ")).flatten().map(|at| at + " when ".len());
        let begins = ["when ", "if ", "once "].iter().find(|it| lower.starts_with(**it)).map(|it| it.len());
        let Some(from) = step.or(begins) else { return };
        let said = lower.get(from..).unwrap_or("");
        let ends = [" then ", ", the system ", " the system shall ", ", then the system "];
        let end = ends.iter().filter_map(|it| said.find(it)).min();
        // A step stands alone; what else follows a comma is another reaction.
        if let Some(end) = end.or_else(|| (!said.contains(',') && lower.starts_with("when ")).then_some(said.len()))
            && let Some(said) = sentence.get(from..from + end)
        {
            self.somebody(said);
        }
    }

    /// What may be done to the subject of a sentence; whether the sentence says so.
    pub(super) fn passive(&mut self, subject: &str, modal: &str, rest: &str, sentence: &str) -> bool {
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
    pub(super) fn purpose(&mut self, sentence: &str) {
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
        self.clause(&in_base_form(rest), "the system", sentence);
    }

    /// `Chef creates a recipe`: somebody, and what they do.
    pub(in crate::architect) fn somebody(&mut self, sentence: &str) {
        if let Some((subject, deed)) = somebody_acts(sentence) {
            self.clause(&in_base_form(&deed), &subject, sentence);
        }
    }

    /// `It manages donors, campaigns and donations.`
    pub(super) fn manages(&mut self, sentence: &str) -> bool {
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

    /// What a system shall do, or allow.
    pub(super) fn system(&mut self, rest: &str, modal: &str, sentence: &str) {
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
    pub(super) fn allowing(&mut self, text: &str, sentence: &str) -> bool {
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
    pub(super) fn allowed(&mut self, inner: &str, sentence: &str) {
        if let Some((who, what)) =
            inner.split_once(" to ").filter(|(who, _)| who.split_whitespace().count() <= 5 && !nominal_start(who))
        {
            self.clause(what, who.trim_start_matches("the ").trim_start_matches("a "), sentence);
        } else if self.deeds_of_one(&tokens(inner), sentence) {
            // `order creation, update and deletion`
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
}
