//! Grammar of requirements: a sentence to what it says is done, and to what. `Users can list books and add notes`, `creation
//! and editing of orders`, `As a guest, I want to book a room`.

mod calls;
mod clause;
mod grammar;
mod items;
mod named;
mod possibility;

use super::notes::OperationNote;
use super::words::{self, Deed};

pub(super) use grammar::{TELLING, acts, allows, apart, is_actor, is_later};
use grammar::{is_joint, objects, tokens, verb_at};

type Verb = (&'static str, Deed);

/// Verbs that need nothing that they are done to.
#[rustfmt::skip]
const ALONE: &[&str] = &[
    "login", "logout", "signin", "signout", "signup", "register", "checkout", "authenticate", "subscribe",
    "unsubscribe",
];

/// Operations that one place of a text asks for.
pub(super) struct Clauses {
    pub(super) line: u32,
    /// What the section is about: done to this, where a sentence does not say.
    context: Vec<String>,
    pub(super) found: Vec<OperationNote>,
    /// What an item begins with is a noun, though it could be a verb.
    pub(super) nouns: bool,
    /// The person whose actions the list tells; empty where the list belongs to nobody.
    pub(super) role: String,
}

impl Clauses {
    pub(super) fn new(line: u32, context: Option<&str>) -> Self {
        let context = context.map(|it| it.split_whitespace().map(str::to_owned).collect()).unwrap_or_default();
        Clauses { line, context, found: Vec::new(), nouns: false, role: String::new() }
    }

    pub(super) fn sentences(&mut self, text: &str) {
        // A story begins on its line, whatever stands above it: `Title: …`, `Description:`.
        let begins = |line: &str| {
            let line = line.trim_start_matches(['_', '*', '>', '"', '“', ' ']).to_ascii_lowercase();
            ["as a ", "as an ", "as the "].iter().any(|it| line.starts_with(it))
        };
        let above: usize = text.split_inclusive('\n').take_while(|it| !begins(it)).map(str::len).sum();
        if above > 0 && above < text.len() && text[..above].matches('\n').count() <= 4 {
            return self.sentences(&text[above..]);
        }
        let joined = text.replace('\n', " ");
        for sentence in apart(&joined) {
            let sentence = sentence.trim();
            if sentence.len() <= 600 && !self.story(sentence) {
                self.possibility(sentence);
            }
        }
    }

    /// What sentences say that somebody wants, and nothing else.
    pub(super) fn stories(&mut self, text: &str) {
        let joined = text.replace('\n', " ");
        for sentence in apart(&joined).into_iter().filter(|it| it.trim_start().to_ascii_lowercase().starts_with("as a"))
        {
            self.story(sentence.trim());
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
        // `When a defect has been fixed, I want to close the defect`
        if lower.starts_with("when ")
            && let Some((occasion, _)) = lower.split_once(", i want to ")
        {
            return self.story(sentence.get(occasion.len() + 2..).unwrap_or(""));
        }
        // In a paragraph of its own, or behind `As a …`
        let begins = ["i want to ", "i can ", "i need to ", "i would like to "].iter().any(|it| lower.starts_with(it));
        let said = || ["as a ", "as an ", "as the ", "as "].iter().find_map(|it| lower.find(it).filter(|at| *at < 40));
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
        // What somebody needs because of something is why.
        let why = ["because ", "so that "].iter().filter_map(|it| lower.find(it)).min().unwrap_or(lower.len());
        let wanted = WANTS.iter().filter_map(|it| wanted_at(it).map(|at| (at, *it)));
        let wanted: Vec<(usize, &str)> = wanted.filter(|(at, _)| *at < why || why < 10).collect();
        let first = wanted.iter().map(|(at, _)| *at).min();
        let Some((at, marker)) =
            wanted.into_iter().filter(|(at, _)| Some(*at) == first).max_by_key(|(_, marker)| marker.len())
        else {
            return false;
        };
        let actor = rest.get(..at).unwrap_or("").split(',').next().unwrap_or("").trim().to_owned();
        let wanted = rest.get(at + marker.len()..).unwrap_or("");
        // `I want [goal]` is how stories are written, and none.
        if wanted.trim_start().starts_with(['[', '<', '{']) {
            return true;
        }
        // Why is no wish.
        let lower = wanted.to_ascii_lowercase();
        let why = [" so that ", " so i ", " because "].iter().filter_map(|it| lower.find(it)).min();
        let wanted = &wanted[..why.unwrap_or(wanted.len())];
        if ["i want", "i need"].contains(&marker) {
            self.wanted(wanted, &actor, sentence);
        } else {
            self.clause(wanted, &actor, sentence);
        }
        true
    }

    /// What somebody wants to happen: `devices automatically discovered`, `staff to complete an inspection`.
    fn wanted(&mut self, text: &str, actor: &str, sentence: &str) {
        let tokens = tokens(text);
        let cut = tokens
            .iter()
            .position(|it| ["so", "because", "when"].contains(&it.to_ascii_lowercase().as_str()))
            .unwrap_or(tokens.len());
        let tokens = &tokens[..cut];
        if let Some(at) = tokens.iter().take(5).position(|it| it.eq_ignore_ascii_case("to")).filter(|at| {
            let adverb = tokens.get(at + 1).is_some_and(|it| it.ends_with("ly"));
            // `questions to score zero`: a deed of things is no operation that somebody asks for.
            let many = at.checked_sub(1).is_some_and(|it| words::is_plural(&tokens[it].to_ascii_lowercase()));
            (!many || is_actor(&tokens[..*at].join(" "))) && verb_at(tokens, at + 1 + usize::from(adverb)).is_some()
        }) {
            return self.clause(&tokens[at + 1..].join(" "), actor, sentence);
        }
        // What something else shall do is not looked at.
        if tokens.iter().take(10).any(|it| it.eq_ignore_ascii_case("to")) {
            return;
        }
        // A verb in the end of what is wanted, behind the thing.
        let passive = tokens
            .iter()
            .enumerate()
            .skip(1)
            .find_map(|(at, it)| Some((at, words::participle(it.rsplit('-').next().unwrap_or(it))?)));
        // What is displayed somewhere is how something looks.
        if let Some((at, verb)) = passive.filter(|(_, (_, deed))| *deed != Deed::Read).filter(|(at, _)| {
            tokens.get(at + 1).is_none_or(|it| words::ends_object(it) || it.ends_with("ly") || is_joint(it))
        }) {
            let things: Vec<&str> =
                tokens[..at].iter().copied().filter(|it| !it.ends_with("ly") && !["to", "be"].contains(it)).collect();
            for object in objects(&things) {
                self.push(verb, object, actor, sentence);
            }
        }
    }
}
