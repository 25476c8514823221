//! Words of a sentence: where it ends, which of them are verbs and things, and who somebody is.

use super::{ALONE, Verb};
use crate::architect::words;

/// The sentences of a text: a point ends one where nothing follows it at once.
pub(in crate::architect) fn apart(text: &str) -> Vec<&str> {
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
pub(in crate::architect) fn allows(lead: &str) -> bool {
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

/// Whether a sentence (in lower case) says that what it tells comes later: `export reports (future)`.
pub(in crate::architect) fn is_later(lower: &str) -> bool {
    lower.contains("(future)") || lower.starts_with("future:")
}

/// Whether a subject is somebody.
pub(in crate::architect) fn is_actor(subject: &str) -> bool {
    #[rustfmt::skip]
    const NOBODY: &[&str] = &[
        "order", "number", "server", "container", "folder", "filter", "parameter", "component", "document",
        "payment", "appointment", "letter", "identifier", "center", "counter", "calendar", "offer", "event",
        "comment", "shipment", "content", "department", "investment", "attachment", "equipment", "environment",
        "amount", "voucher", "printer", "header", "footer", "color", "error", "behavior", "sensor", "monitor",
        "editor", "cluster", "router", "adapter", "layer", "buffer", "timer", "banner", "newsletter", "chapter",
        "transfer", "register", "variant", "answer", "paper", "poster", "sticker", "marker", "slider",
    ];
    #[rustfmt::skip]
    const SOMEBODY: &[&str] = &[
        "user", "admin", "staff", "student", "patient", "guest", "person", "client", "member", "anyone", "everyone",
        "they", "he", "she", "i", "we", "you", "host", "team", "parent", "tenant", "agent", "chef", "both", "applicant",
        "participant", "assistant", "accountant", "nurse", "cook", "pilot", "role", "merchant", "company",
        "clerk", "registrar", "citizen", "resident", "pupil", "coach", "captain", "attorney", "mechanic", "crew",
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

/// The actor at the beginning of a sentence, and the rest of the sentence from the verb on: `Chef` and `creates a recipe`, `Clerks` and
/// `issue invoices`.
pub(super) fn somebody_acts(sentence: &str) -> Option<(String, String)> {
    let all: Vec<&str> = sentence.split_whitespace().collect();
    let own = all.first() == Some(&"I");
    let plain = |at: usize| own || words::is_plural(&all[at - 1].to_ascii_lowercase());
    let acts = |at: &usize| {
        words::verb(all[*at]).is_some_and(|(base, _)| plain(*at) == (base == all[*at].to_ascii_lowercase()))
    };
    let at = (1..all.len().min(4)).find(acts)?;
    let subject = all[..at].join(" ");
    is_actor(&subject).then(|| (subject, all[at..].join(" ")))
}

/// Whether a sentence says what somebody does: `Chef creates a recipe`.
pub(in crate::architect) fn acts(sentence: &str) -> bool {
    somebody_acts(sentence).is_some()
}

pub(super) fn nominal_start(text: &str) -> bool {
    text.split_whitespace()
        .take(2)
        .any(|word| words::verbal_noun(word.trim_matches(|c: char| !c.is_alphanumeric())).is_some())
}

/// Words, with commas and slashes by themselves; ends at what ends a clause.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for word in text.split_whitespace() {
        // What stands in brackets is a remark.
        let (opened, closed) = (word.matches('(').count(), word.matches(')').count());
        let inside = depth > 0 || word.starts_with('(');
        depth = (depth + opened).saturating_sub(closed);
        if inside {
            if depth == 0 && word.ends_with("),") {
                found.push(",");
            }
            continue;
        }
        if ["->", "→", "–", "—", "-", "=>", "+"].contains(&word) {
            break;
        }
        // `ask "what was recommended on this call?"`: what is quoted is no name.
        let quoted = word.trim_start_matches(['_', '*']);
        let opens =
            |it: &str| it.starts_with(['"', '“']) && !it.trim_end_matches(['_', '*', ',', '.']).ends_with(['"', '”']);
        if opens(quoted)
            && !found.is_empty()
            && text.split_once(word).is_some_and(|(_, rest)| {
                rest.split_once(['"', '”']).is_some_and(|(inner, _)| inner.split_whitespace().count() >= 3)
            })
        {
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
    // At the end nothing follows the remark.
    if text.trim_end().ends_with("),") && found.last() == Some(&",") {
        found.pop();
    }
    found
}

/// `classifies tickets, routes them` as `classify tickets, route them`: verbs of what somebody does, at the beginning and
/// behind joints where more than another joint follows.
pub(super) fn in_base_form(text: &str) -> String {
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

pub(super) fn is_joint(word: &str) -> bool {
    matches!(word, "," | "/" | "&") || ["and", "or", "then"].iter().any(|it| word.eq_ignore_ascii_case(it))
}

/// The verb at a place, also one of two words (`log in`), and what follows it.
pub(super) fn verb_at(tokens: &[&str], at: usize) -> Option<(Verb, usize)> {
    let word = tokens.get(at)?.to_ascii_lowercase();
    let next = tokens.get(at + 1).map(|it| it.to_ascii_lowercase()).unwrap_or_default();
    let two = match (word.as_str(), next.as_str()) {
        ("log" | "sign", "in") => Some("login"),
        ("log" | "sign", "out" | "off") => Some("logout"),
        ("sign", "up") => Some("signup"),
        ("check", "out") => Some("checkout"),
        ("look", "up") => Some("lookup"),
        ("turn", "down") => Some("reject"),
        ("call", "off") => Some("cancel"),
        ("set", "up") => Some("configure"),
        ("break", "down") => Some("break"),
        _ => None,
    };
    if let Some(base) = two {
        return words::verb(base).map(|verb| (verb, at + 2));
    }
    // `initiate sign-out`
    // `auto-generate reports`
    let word = word.strip_prefix("auto-").unwrap_or(&word);
    // `re-enable` is `enable`, where it is no verb by itself.
    let again = word
        .strip_prefix("re-")
        .filter(|it| words::verb(&word.replace('-', "")).is_none() && words::verb(it).is_some());
    let word = again.unwrap_or(word).replace('-', "");
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
pub(super) fn clause_end(tokens: &[&str], from: usize) -> usize {
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
                    && !["in", "out", "up", "it", "them", "that", "even"].contains(&it.to_ascii_lowercase().as_str())
        });
        // `segments, message templates and updates`
        let named = words::is_noun_too(tokens[after])
            && tokens.get(after + 1).is_some_and(|it| {
                !["it", "them"].contains(it)
                    && !words::is_determiner(it)
                    && !is_joint(it)
                    && !words::is_plural(&it.to_ascii_lowercase())
            })
            && tokens[from..after].iter().any(|it| is_joint(it));
        if named && !narrows {
            return false;
        }
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
            // `wellness/book clubs` are two kinds of clubs.
            let kinds = tokens[*at] == "/" && *at > from && words::verb(tokens[*at - 1]).is_none();
            is_joint(tokens[*at]) && after < tokens.len() && allows(after)
                || is_joint(tokens[*at])
                    && !kinds
                    && !(listing && after == *at + 1 && tokens[*at] == ",")
                    && !(with.is_some() && tokens[*at] == "/")
                    && verb_at(tokens, after).is_some_and(|(_, next)| goes_on(after, next))
        })
        .unwrap_or(tokens.len())
}

/// Words that stand behind a noun, not behind a verb: `charge status`, `order history`.
pub(super) fn follows_noun(word: &str) -> bool {
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

/// Participles before the members of a thing: `an expense, giving its amount`.
#[rustfmt::skip]
pub(in crate::architect) const TELLING: &[&str] = &[
    "specifying", "giving", "stating", "providing", "entering", "indicating", "naming", "noting", "supplying",
    "choosing", "selecting", "including", "mentioning", "setting", "typing", "filling",
];

/// The things that a list of words names, each as its words.
pub(super) fn objects(tokens: &[&str]) -> Vec<Vec<String>> {
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
        if lower == "of" && name.len() == 1 && (words::is_aspect(name[0]) || name[0].eq_ignore_ascii_case("count")) {
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
        // `a pizza, its price` is a pizza and what it has.
        if lower == "its" && name.is_empty() && !found.is_empty() {
            break;
        }
        let gerund = name.is_empty() && lower.ends_with("ing");
        if gerund && words::verbal_noun(&lower).is_some() && at > 0 && tokens[at - 1] == "," {
            break;
        }
        // `students grouped by class`, `reports shared by patients`
        let done = !name.is_empty()
            && words::participle(&lower).is_some()
            && tokens.get(at + 1).is_none_or(|it| words::ends_object(it));
        // `an expense, giving its amount`, `a member specifying a name`
        let tells = at > 0 && TELLING.contains(&lower.as_str());
        if done || tells {
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
        } else if ["only", "any"].contains(&lower.as_str()) && !name.is_empty()
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

pub(super) fn is_adjective(word: &str) -> bool {
    #[rustfmt::skip]
    const NOUNS: &[&str] = &[
        "timetable", "table", "family", "assembly", "reply", "variable", "deliverable", "receivable", "payable",
        "wearable", "supply", "anomaly", "vegetable", "consumable", "butterfly", "monopoly", "feed", "seed", "speed",
        "need", "embed", "breed",
    ];
    // How software is praised.
    #[rustfmt::skip]
    const PRAISE: &[&str] = &[
        "smart", "advanced", "simple", "quick", "fast", "easy", "intelligent", "dynamic", "flexible", "robust", "automatic",
        "clear", "instant", "immediate", "gentle", "better", "seamless", "intuitive", "comprehensive", "powerful",
        "efficient", "effective", "friendly", "actionable", "meaningful", "accurate", "modern", "consistent",
    ];
    let ends = ["able", "ible", "ly", "ed"].iter().any(|end| word.ends_with(end));
    word.len() > 4 && ends && !NOUNS.contains(&word) || PRAISE.contains(&word)
}
