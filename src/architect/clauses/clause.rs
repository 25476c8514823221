//! Verbs with what they are done to: `create, edit and delete orders, and send them`.

use super::grammar::{clause_end, is_actor, is_joint, objects, tokens, verb_at};
use super::{ALONE, Clauses, Verb};
use crate::architect::notes::OperationNote;
use crate::architect::words;
use crate::architect::words::Deed;

#[rustfmt::skip]
const DEEDS: &[&str] = &[
    "identify", "implement", "create", "add", "ensure", "include", "provide", "update", "delete", "remove", "save",
    "enable", "allow", "receive", "submit", "cancel", "reject",
];

/// Parts of programs that are the things of programs about them: who watches servers looks at servers.
#[rustfmt::skip]
const KEPT: &[&str] = &[
    "server", "container", "repository", "test", "script", "pipeline", "environment", "deployment", "workflow", "flow",
];

/// Whether words are part of a sentence and no name of a thing: `log records the actions`, `complex claims arrive`.
fn is_no_name(object: &[String]) -> bool {
    #[rustfmt::skip]
    const ENDS: &[&str] = &[
        "allowed", "shown", "present", "needed", "others", "fresh", "high", "low", "anytime", "arrive", "easily",
    ];
    let lower: Vec<String> = object.iter().map(|it| it.to_ascii_lowercase()).collect();
    let Some((first, rest)) = lower.split_first() else { return false };
    let spoken = |it: &str| {
        if ["views", "imports", "exports", "feeds", "lists", "records"].contains(&it) {
            return false;
        }
        words::verb(it).is_some_and(|(base, _)| base != it && it.ends_with('s') && !words::is_noun_too(base))
    };
    let article = rest.iter().any(|it| ["the", "a", "an", "to", "all", "its"].contains(&it.as_str()));
    let bare = DEEDS.contains(&first.as_str());
    let superlative = rest.is_empty()
        && first.len() > 5
        && first.ends_with("est")
        && !["request", "interest", "harvest"].contains(&first.as_str());
    lower.iter().any(|it| it == "system")
        || article
        || rest.iter().any(|it| spoken(it))
        || lower.last().is_some_and(|it| ENDS.contains(&it.as_str()))
        || bare
        || superlative
}

impl Clauses {
    /// What somebody does: verbs with what they are done to. `create, edit, and delete orders` are three, `list books and
    /// add notes` two.
    pub(in crate::architect) fn clause(&mut self, text: &str, actor: &str, sentence: &str) {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let skipped = [
            "to be able to ",
            "be able to ",
            "request to ",
            "ask to ",
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
        // `implement the ability to delete orders`, `have an option to export them`
        let able = tokens
            .windows(2)
            .take(5)
            .position(|it| ["ability", "option", "possibility", "capability"].contains(&it[0]) && it[1] == "to");
        let mut tokens = tokens[able.map_or(0, |it| it + 2)..].to_vec();
        // `either approve or return them`
        tokens.retain(|it| !["either"].contains(it));
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
            // `list a new room` offers the room.
            let made = tokens.get(next..).is_some_and(|it| matches!(it, ["a", "new", ..]));
            let verb = if made && verb.0 == "list" { words::verb("create").unwrap_or(verb) } else { verb };
            pending.push(verb);
            at = next;
            // `hand back a case`, `write off items`: the second half of a verb.
            if tokens.get(at).is_some_and(|it| ["off", "back", "down", "over", "away"].contains(it))
                && tokens.get(at + 1).is_some_and(|it| !is_joint(it) && !words::ends_object(it))
            {
                at += 1;
            }
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
            // `create, version, and archive flows`: a word between joints among verbs is one, too.
            while let Some(word) = tokens
                .get(at)
                .filter(|it| is_joint(it))
                .and_then(|_| (at..tokens.len()).find(|it| !is_joint(tokens[*it])))
            {
                let behind = (word + 1..tokens.len()).find(|it| !is_joint(tokens[*it]));
                let alone = tokens.get(word + 1).is_some_and(|it| is_joint(it));
                let goes_on = behind.is_some_and(|it| verb_at(&tokens, it).is_some());
                if !alone || !goes_on || words::is_determiner(tokens[word]) || verb_at(&tokens, word).is_some() {
                    break;
                }
                at = word + 1;
            }
            if tokens.get(at).is_some_and(|it| is_joint(it))
                && let Some(next) = (at..tokens.len()).find(|it| !is_joint(tokens[*it]))
                && verb_at(&tokens, next).is_some()
                && tokens.get(at.wrapping_sub(1)).is_some_and(|it| words::verb(it).is_none())
            {
                at = next;
                continue;
            }
            // `assign them roles` is about roles.
            if tokens.get(at).is_some_and(|it| ["them", "him", "her", "it"].contains(it))
                && tokens.get(at + 1).is_some_and(|it| !is_joint(it) && !words::ends_object(it))
            {
                at += 1;
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
            // `add tasks or modify existing ones`
            if let [only] = done_to.as_slice()
                && matches!(only.as_slice(), [word] if word == "ones")
            {
                done_to.clone_from(&last);
            }
            // `revises flows and resubmits`
            let several = done_to.len() > 1;
            done_to.retain(|it| {
                !several
                    || !matches!(it.as_slice(), [word] if words::verb(word).is_some_and(|(base, _)| {
                        base != word && word.ends_with('s') && !words::is_noun_too(base) && !words::is_common(word)
                    }))
            });
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

    pub(super) fn push(&mut self, verb: Verb, mut object: Vec<String>, actor: &str, sentence: &str) {
        #[rustfmt::skip]
        const FORMATS: &[&str] = &["PDF", "DOCX", "DOC", "CSV", "JSON", "XML", "PNG", "JPG", "XLSX", "HTML"];
        // `parse PDF resume formats` parses resumes.
        if object.len() > 1 && object.iter().any(|it| FORMATS.contains(&it.as_str())) {
            object.retain(|it| !FORMATS.contains(&it.as_str()));
            if object.len() > 1
                && object.last().is_some_and(|it| ["format", "formats", "file", "files"].contains(&it.as_str()))
            {
                object.pop();
            }
        }
        let nothing = object.is_empty() && !ALONE.contains(&verb.0)
            // `all create and delete operations` are no things.
            || object.len() == 1
                && words::verb(&object[0]).is_some_and(|(base, deed)| {
                    base == object[0].to_ascii_lowercase() && deed != Deed::Act && !words::is_noun_too(base)
                });
        // `Build the application with …` is about the product.
        let product =
            ["build", "run", "test", "deploy", "create", "write", "host", "start", "deliver", "design", "launch"]
                .contains(&verb.0)
                && object.last().is_some_and(|it| {
                    [
                        "application",
                        "app",
                        "system",
                        "website",
                        "platform",
                        "software",
                        "program",
                        "chatbot",
                        "solution",
                        "portal",
                    ]
                    .contains(&it.to_ascii_lowercase().as_str())
                });
        // What pupils take is no test of software.
        let said = |word: &str| object.iter().any(|it| it.eq_ignore_ascii_case(word));
        let school = object.last().is_some_and(|it| words::singular(&it.to_ascii_lowercase()) == "test")
            && !["run", "write", "execute", "perform", "implement", "pass"].contains(&verb.0)
            && !["unit", "integration", "e2e", "automated", "load", "regression", "security"].iter().any(|it| said(it));
        // Somebody may make a dashboard.
        let made = (matches!(verb.1, Deed::Create | Deed::Update | Deed::Delete)
            || ["share", "save"].contains(&verb.0))
            && object.last().is_some_and(|it| words::singular(&it.to_ascii_lowercase()) == "dashboard");
        // Whatever somebody adds, renames and deletes is a thing to them.
        let owned = !actor.is_empty()
            && !actor.ends_with("system")
            && !["developer", "engineer"].iter().any(|it| actor.ends_with(it))
            && (matches!(verb.1, Deed::Create | Deed::Update | Deed::Delete)
                || verb.1 == Deed::Read
                    && object.last().is_some_and(|it| KEPT.contains(&words::singular(it).as_str())));
        let technical = !school && !made && !owned && object.last().is_some_and(|it| words::is_technical(it))
            || object.iter().any(|it| it.contains(['.', '{', '<', '=', '(', '\\']));
        // `enable users`, `see what happens`
        let nobody = ["enable", "allow", "provide", "let", "permit"].contains(&verb.0) && is_actor(&object.join(" "))
            || object
                .first()
                .is_some_and(|it| ["what", "how", "why", "whether"].contains(&it.to_ascii_lowercase().as_str()));
        let long = object.len() > 4 || object.iter().any(|it| it.len() > 40);
        // `capture the status code and the timestamp` tells values, no things.
        let format = matches!(object.as_slice(), [only] if FORMATS.contains(&only.as_str()));
        let value = format
            || verb.1 == Deed::Create
                && object.last().is_some_and(|it| {
                    ["code", "timestamp", "time", "status", "date"]
                        .contains(&words::singular(&it.to_ascii_lowercase()).as_str())
                });
        if nobody || nothing || product || technical || long || value || is_no_name(&object) || self.found.len() >= 200
        {
            return;
        }
        // What is tracked is looked at, where it is one value; else it is left open what is done.
        let told = ["status", "progress", "history", "location"];
        let looks = verb.1 == Deed::Manage
            && ["track", "monitor"].contains(&verb.0)
            && object.last().is_some_and(|it| told.contains(&it.to_ascii_lowercase().as_str()));
        let verb = if looks { ("view", Deed::Read) } else { verb };
        let summary = sentence.trim().trim_end_matches(['.', ';']).replace("**", "");
        let actor = if actor.is_empty() { &self.role } else { actor };
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
