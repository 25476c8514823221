//! English as requirements use it: names, their number and case, and the verbs that say what is done.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

/// The words of a name, lower case: `order_item`, `OrderItem`, `order-item` and `Order Items` alike.
pub(super) fn split(name: &str) -> Vec<String> {
    let mut begins = Vec::new();
    let letters = lowered(name, |at| begins.push(at));
    let ends = begins.iter().skip(1).copied().chain([letters.len()]);
    begins.iter().zip(ends).map(|(from, end)| letters[*from..end].to_owned()).collect()
}

/// What two spellings of one thing have in common, whatever their case and number.
pub(super) fn key(name: &str) -> String {
    let (mut letters, last) = lowered_to_last(name);
    let one = single(&letters[last..]);
    if one != letters[last..] {
        let one = one.into_owned();
        letters.truncate(last);
        letters += &one;
    }
    letters
}

/// The letters and digits of a name in lower case; `begins` is told where each word begins there.
fn lowered(name: &str, begins: impl FnMut(usize)) -> String {
    if name.is_ascii() {
        lowered_of(name.as_bytes(), begins)
    } else {
        lowered_of(&name.chars().collect::<Vec<char>>(), begins)
    }
}

/// The letters of a name as [`lowered`] gives them, and where the last word begins.
fn lowered_to_last(name: &str) -> (String, usize) {
    let mut last = 0;
    (lowered(name, |at| last = at), last)
}

fn lowered_of<C: Copy + Into<char>>(name: &[C], mut begins: impl FnMut(usize)) -> String {
    let at = |place: usize| name.get(place).map(|it| (*it).into());
    let mut letters = String::with_capacity(name.len());
    let mut before: Option<char> = None;
    for (place, c) in name.iter().enumerate() {
        let c: char = (*c).into();
        let is_letter = c.is_alphanumeric();
        let begins_word = match before {
            Some(it) if it.is_alphanumeric() => {
                // `HTTPServer` is two words, `APIs` is one.
                let many = || at(place + 1) == Some('s') && !at(place + 2).is_some_and(char::is_alphanumeric);
                let ends_capitals = || it.is_uppercase() && at(place + 1).is_some_and(char::is_lowercase) && !many();
                c.is_uppercase() && (it.is_lowercase() || it.is_numeric() || ends_capitals())
            }
            _ => true,
        };
        before = Some(c);
        if !is_letter {
            continue;
        }
        if begins_word {
            begins(letters.len());
        }
        if c.is_ascii() {
            letters.push(c.to_ascii_lowercase());
        } else {
            letters.extend(c.to_lowercase());
        }
    }
    letters
}

/// `OrderItem`
pub(super) fn pascal(name: &str) -> String {
    let mut words = split(name);
    if let Some(last) = words.last_mut() {
        *last = singular(last);
    }
    words.iter().map(|word| capitalised(word)).collect()
}

/// `orderItem`, in the number it has.
pub(super) fn camel(words: &[String]) -> String {
    let mut name = String::new();
    for word in words {
        name += &if name.is_empty() { word.clone() } else { capitalised(word) };
    }
    name
}

/// `order-items`, in the number it has.
pub(super) fn kebab(name: &str) -> String {
    split(name).join("-")
}

/// `order-items`
pub(super) fn kebab_plural(name: &str) -> String {
    let mut words = split(name);
    if let Some(last) = words.last_mut() {
        *last = plural(&singular(last));
    }
    words.join("-")
}

pub(super) fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Words that end in `s` and name one thing, and others that rules get wrong.
#[rustfmt::skip]
const SAME: &[&str] = &[
    "status", "address", "bus", "gas", "news", "series", "analysis", "basis", "process", "access", "class",
    "progress", "business", "pass", "canvas", "bonus", "campus", "virus", "sms", "gps", "dns", "css", "aws", "https",
    "success", "process", "address", "this", "is", "was", "has", "its", "tls", "sos", "always", "previous",
    "various", "saas", "analytics", "settings", "pos", "cms", "os", "crs", "lms", "alias", "loss", "process",
    "stress", "wireless", "apis", "species",
];

#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("menus", "menu"), ("quizzes", "quiz"),
    ("people", "person"), ("children", "child"), ("men", "man"), ("women", "woman"), ("criteria", "criterion"),
    ("indices", "index"), ("matrices", "matrix"), ("vertices", "vertex"), ("analyses", "analysis"),
    ("statuses", "status"), ("addresses", "address"), ("aliases", "alias"), ("buses", "bus"), ("movies", "movie"),
    ("cookies", "cookie"), ("caches", "cache"), ("expenses", "expense"), ("licenses", "license"),
    ("responses", "response"), ("databases", "database"), ("purchases", "purchase"), ("releases", "release"),
    ("courses", "course"), ("houses", "house"), ("warehouses", "warehouse"), ("cases", "case"), ("phases", "phase"),
    ("leases", "lease"), ("uses", "use"), ("exercises", "exercise"), ("invoices", "invoice"), ("leaves", "leave"),
    ("moves", "move"), ("heroes", "hero"), ("calories", "calorie"), ("shelves", "shelf"), ("halves", "half"),
    ("knives", "knife"), ("wolves", "wolf"), ("calves", "calf"), ("loaves", "loaf"),
];

pub(super) fn singular(word: &str) -> String {
    single(word).into_owned()
}

/// A word in the singular: the word itself where that is how it ends.
fn single(word: &str) -> Cow<'_, str> {
    static ONE: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
        let same = SAME.iter().map(|it| (*it, *it));
        same.chain(IRREGULAR.iter().copied()).collect()
    });
    if let Some(one) = ONE.get(word) {
        return Cow::Borrowed(*one);
    }
    let Some(stem) = word.strip_suffix('s').filter(|_| word.len() >= 4 && word.is_ascii()) else {
        return Cow::Borrowed(word);
    };
    if let Some(stem) = word.strip_suffix("ies") {
        return Cow::Owned(format!("{stem}y"));
    }
    for ending in ["sses", "shes", "ches", "xes", "zzes"] {
        if word.ends_with(ending) {
            return Cow::Borrowed(&word[..word.len() - 2]);
        }
    }
    let is_one = stem.ends_with(['s', 'u', 'i']);
    Cow::Borrowed(if is_one { word } else { stem })
}

pub(super) fn plural(word: &str) -> String {
    if let Some((many, _)) = IRREGULAR.iter().find(|(_, one)| *one == word) {
        return (*many).to_owned();
    }
    let consonant_y = word.ends_with('y') && !word.ends_with(['a', 'e', 'o', 'u']) && {
        let before = word.chars().rev().nth(1);
        !before.is_some_and(|c| "aeiou".contains(c))
    };
    if consonant_y {
        return format!("{}ies", &word[..word.len() - 1]);
    }
    if ["s", "x", "ch", "sh", "z"].iter().any(|end| word.ends_with(end)) {
        return if word == "analytics" || word == "settings" { word.to_owned() } else { format!("{word}es") };
    }
    format!("{word}s")
}

/// A word with its ASCII letters in lower case.
fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().any(|it| it.is_ascii_uppercase()) {
        Cow::Owned(word.to_ascii_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

/// Whether a word is in the plural.
pub(super) fn is_plural(word: &str) -> bool {
    single(word) != word
}

/// What is done to a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    Create,
    Read,
    Update,
    Delete,
    /// All of them, or which is left open.
    Manage,
    /// Anything else, that changes something.
    Act,
    /// Anything else, that only tells something.
    Tell,
}

/// Verbs in their base form, by what they do: the first line that has a verb counts.
static VERBS: LazyLock<FxHashMap<&'static str, Deed>> = LazyLock::new(|| {
    let mut verbs = FxHashMap::default();
    for line in include_str!("words/verbs.txt").lines() {
        let Some((deed, listed)) = line.split_once(':').filter(|(deed, _)| !deed.starts_with('#')) else { continue };
        let deed = match deed {
            "create" => Deed::Create,
            "read" => Deed::Read,
            "update" => Deed::Update,
            "delete" => Deed::Delete,
            "manage" => Deed::Manage,
            "tell" => Deed::Tell,
            "noun" => continue,
            _ => Deed::Act,
        };
        for verb in listed.split_whitespace() {
            verbs.entry(verb).or_insert(deed);
        }
    }
    verbs
});

/// Things of programs and their delivery, which no operation of a service is about.
pub(super) fn is_technical(word: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "endpoint", "api", "apis", "limiting", "pipeline", "server", "compose", "docker", "yml", "yaml", "config",
        "gateway", "cache", "tracing", "logging", "middleware", "schema", "migration", "migrations", "framework",
        "test", "tests", "integration", "architecture", "codebase", "repository", "repo", "deployment", "container",
        "containers", "index", "indexing", "constraint", "constraints", "transaction isolation", "infrastructure",
        "microservices", "ui", "ux", "layout", "page", "pages", "screen", "button", "theme", "performance",
        "script", "scripts", "scalability", "security", "compliance", "consistency", "integrity", "concurrency", "latency", "uptime",
        "availability", "downtime", "time", "experience", "efficiency", "productivity", "accuracy", "quality",
        "usability", "accessibility", "reliability", "encryption", "https", "tls", "standards", "standard",
        "coverage", "functionality", "support", "ability", "banner", "clock", "sidebar", "dropdown", "grid",
        "dialog", "animation", "toggle", "toggles", "header", "footer", "tab", "tabs", "bar", "bars", "modal", "popup", "tooltip", "carousel", "widget", "widgets", "navbar", "indicator", "state", "states", "operation", "operations", "command", "commands", "endpoints", "servers", "dashboards", "workflow", "flow", "logic", "support",
        "environment", "environments", "db", "json", "orm", "typescript", "postgresql", "booking conflicts", "races",
    ];
    WORDS.contains(&&*lower(word))
}

/// The base form of a verb that ends in `ed`: `generated`, `planned`.
pub(super) fn participle(word: &str) -> Option<(&'static str, Deed)> {
    let word = lower(word);
    let stem = word.strip_suffix("ed").filter(|it| it.is_ascii() && it.len() > 1)?;
    let exact = |base: &str| verb(base).filter(|(it, _)| *it == base);
    let y = stem.strip_suffix('i').map(|it| format!("{it}y"));
    exact(&format!("{stem}e"))
        .or_else(|| exact(stem))
        .or_else(|| exact(&stem[..stem.len() - 1]))
        .or_else(|| y.and_then(|it| exact(&it)))
}

/// Nouns that say what is done: `creation of orders`.
#[rustfmt::skip]
const NOUNS: &[(&str, &str)] = &[
    ("creation", "create"), ("addition", "add"), ("entry", "enter"), ("registration", "register"),
    ("management", "manage"), ("maintenance", "maintain"), ("deletion", "delete"), ("removal", "remove"),
    ("modification", "modify"), ("cancellation", "cancel"), ("approval", "approve"), ("rejection", "reject"),
    ("submission", "submit"), ("generation", "generate"), ("assignment", "assign"), ("retrieval", "retrieve"),
    ("verification", "verify"), ("activation", "activate"), ("deactivation", "deactivate"),
    ("confirmation", "confirm"), ("recording", "record"), ("customisation", "customise"),
    ("customization", "customize"), ("login", "login"), ("logout", "logout"), ("cancelation", "cancel"),
    ("reservation", "reserve"), ("publication", "publish"), ("selection", "select"), ("reset", "reset"),
    ("upload", "upload"), ("export", "export"), ("checkout", "checkout"), ("authentication", "authenticate"),
    ("processing", "process"), ("administration", "administer"), ("setup", "configure"), ("enrollment", "enroll"),
    ("enrolment", "enrol"), ("issuance", "issue"), ("acceptance", "accept"), ("closure", "close"),
    ("redemption", "redeem"), ("delivery", "deliver"), ("recovery", "recover"), ("discovery", "discover"),
    ("analysis", "analyze"), ("purchase", "purchase"), ("signup", "register"), ("revocation", "revoke"),
    ("oversight", "oversee"),
];

/// The base form of a verb, and what it does; none for words that are no verbs of operations.
pub(super) fn verb(word: &str) -> Option<(&'static str, Deed)> {
    let word = lower(word);
    let known =
        |base: &str| -> Option<(&'static str, Deed)> { VERBS.get_key_value(base).map(|(verb, deed)| (*verb, *deed)) };
    if let Some(found) = known(&word) {
        return Some(found);
    }
    // `creates`, `applies`, `accesses`
    let many = word.strip_suffix('s')?;
    let y = word.strip_suffix("ies").and_then(|stem| known(&format!("{stem}y")));
    y.or_else(|| known(many)).or_else(|| word.strip_suffix("es").and_then(known))
}

/// The verb in a noun that ends like what is done, where a thing stands before the noun: `article translation`.
pub(super) fn deed_of(word: &str) -> Option<(&'static str, Deed)> {
    // Nouns that are things as well.
    const THINGS: &[&str] = &[
        "organization",
        "organisation",
        "location",
        "donation",
        "invitation",
        "recommendation",
        "notification",
        "application",
        "station",
        "position",
        "promotion",
        "collection",
        "evaluation",
        "publication",
        "presentation",
        "section",
        "session",
        "version",
        "document",
        "equipment",
        "department",
        "payment",
        "shipment",
        "investment",
        "comment",
        "question",
        "session",
        "action",
        "option",
        "station",
        "region",
        "mission",
        "profession",
        "rotation",
        "quotation",
        "subscription",
        "transaction",
        "description",
        "production",
        "education",
        "edition",
        "operation",
        "information",
        "consultation",
        "aggregation",
    ];
    if let Some(found) = verbal_noun(word) {
        return Some(found);
    }
    let word = lower(word);
    if THINGS.contains(&&*word) || !word.is_ascii() {
        return None;
    }
    let exact = |base: String| verb(&base).filter(|(it, _)| *it == base);
    let stems = |end: &str, ends: &[&str]| {
        let stem = word.strip_suffix(end)?;
        ends.iter().find_map(|it| exact(format!("{stem}{it}")))
    };
    stems("ication", &["y"])
        .or_else(|| stems("ation", &["ate", "e", ""]))
        .or_else(|| stems("ission", &["it"]))
        .or_else(|| stems("ption", &["be"]))
        .or_else(|| stems("sion", &["t", "d", "de", "se"]))
        .or_else(|| stems("ion", &["e", ""]))
        .or_else(|| stems("ment", &["", "e"]))
        .or_else(|| stems("al", &["", "e"]))
}

/// The verb in a word that is one as a noun: `creating`, `creation`.
pub(super) fn verbal_noun(word: &str) -> Option<(&'static str, Deed)> {
    let word = lower(word);
    if let Some((_, base)) = NOUNS.iter().find(|(noun, _)| **noun == *word) {
        return verb(base);
    }
    let stem = word.strip_suffix("ing").filter(|_| word != "following")?;
    let exact = |base: &str| verb(base).filter(|(it, _)| *it == base);
    let undoubled = || {
        let mut chars = stem.chars().rev();
        (chars.next().is_some() && chars.next() == stem.chars().last()).then(|| &stem[..stem.len() - 1])
    };
    exact(&format!("{stem}e"))
        .or_else(|| exact(stem))
        .or_else(|| stem.is_ascii().then(undoubled).flatten().and_then(exact))
}

/// Words that end what a verb is done to.
pub(super) fn ends_object(word: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "for", "by", "with", "in", "on", "at", "to", "from", "into", "onto", "that", "which", "who", "when", "where",
        "while", "under", "using", "via", "through", "so", "if", "as", "because", "before", "after", "during", "per",
        "based", "including", "such", "without", "within", "between", "across", "against", "until", "unless", "than",
        "is", "are", "was", "were", "has", "have", "can", "must", "should", "will", "shall", "may", "upon", "once",
        "then", "but", "whether", "how", "what", "whose", "be", "it", "them", "whenever", "along", "over",
        "together", "concurrently", "attached", "linked", "associated", "created", "assigned", "submitted", "according", "about", "like", "i",
        "we", "they", "you", "close", "nearby", "directly", "easily", "quickly", "securely", "online",
        "inside", "successfully", "available", "it's", "not", "they're", "e.g", "i.e", "etc", "subject", "due", "made",
        "placed", "regarding", "used", "providing", "containing", "showing", "specifying", "indicating", "stating", "cannot", "vs", "faster", "quicker", "better", "instantly", "anytime", "inline", "active", "inactive", "remotely", "directly", "explicitly", "automatically", "digitally",
        "manually", "even", "instead", "later", "rather", "again", "immediately", "afterwards",
    ];
    let lower = lower(word);
    // `tasks I've been avoiding` are tasks.
    let before =
        lower.split(['\'', '’']).next().filter(|it| ["i", "we", "they", "you", "it", "he", "she"].contains(it));
    WORDS.contains(&before.unwrap_or(&*lower))
}

/// Words before a noun that do not belong to its name.
pub(super) fn is_determiner(word: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "a", "an", "the", "my", "their", "his", "her", "its", "our", "your", "all", "any", "each", "every", "new",
        "existing", "some", "these", "those", "this", "that", "own", "multiple", "several", "many", "more", "other",
        "one", "two", "three", "single", "specific", "individual", "various", "different", "relevant", "selected",
        "chosen", "created", "certain", "another", "both", "current", "particular", "of", "only", "full", "complete",
        "initial", "additional", "necessary", "required", "following", "same", "stored", "given", "up", "out",
        "everything", "assigned", "saved", "own", "basic", "detailed", "unlimited", "open", "potential", "upcoming",
        "previous", "past", "active", "inactive", "pending", "completed", "recent", "archived", "confirmed",
        "available", "real-time", "personal", "authenticated", "existing", "allowed", "invalid", "entire", "overall", "next", "last", "latest",
        "first",
    ];
    WORDS.contains(&&*lower(word))
}

/// Verbs that are nouns as often.
static NOUNS_TOO: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("words/verbs.txt").lines().filter_map(|it| it.strip_prefix("noun:"));
    lines.flat_map(str::split_whitespace).collect()
});

/// Whether a verb in its base form may be a noun: `order`, `print`.
pub(super) fn is_noun_too(word: &str) -> bool {
    NOUNS_TOO.contains(&*lower(word))
}

/// Whether a word is a verb in its base form, and no noun: `create`.
pub(super) fn is_only_verb(word: &str) -> bool {
    verb(word).is_some_and(|(base, _)| base == word) && !is_noun_too(word)
}

/// Last words of names that things commonly have.
static ATTRIBUTES: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("words/attributes.txt").lines().filter(|it| !it.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Whether a name ends like what things commonly have.
pub(super) fn is_common(name: &str) -> bool {
    let (letters, last) = lowered_to_last(name);
    let last = &letters[last..];
    !last.is_empty() && (ATTRIBUTES.contains(last) || ATTRIBUTES.contains(&*single(last)))
}

/// Nouns that say how a thing is shown, not which: `order details` are an order.
pub(super) fn is_aspect(word: &str) -> bool {
    const WORDS: &[&str] =
        &["detail", "details", "information", "info", "data", "list", "lists", "specifics", "operations"];
    WORDS.contains(&&*lower(word))
}

/// Words before a name that say which state or kind of the thing is meant; none of them names a thing.
pub(super) fn is_quality(word: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "invalid", "valid", "duplicate", "already", "built-in", "successful", "free", "public", "private",
        "internal", "external", "direct", "local", "automatic", "manual", "digital", "physical", "online", "offline",
        "daily", "weekly", "monthly", "annual", "custom", "default", "main", "real-time", "persistent", "draft",
        "missing", "optional", "global", "remote", "related",
    ];
    WORDS.contains(&word)
}

/// Last words of names that say something of a thing, and are no thing.
pub(super) fn is_no_end(word: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "status", "page", "screen", "dashboard", "history", "metric", "detail", "setting", "information", "summary",
        "count", "rate", "average", "total", "percentage", "breakdown", "analysis", "trend", "change", "event", "limit",
        "interval", "duration", "zone", "preference", "view", "link", "name", "time", "date", "day", "hour", "option",
        "usage", "availability", "size", "number", "reason", "level", "mode", "access", "action", "result", "filter",
        "creation", "format", "need", "experience", "username", "address", "relationship", "button", "field", "form", "window", "period", "range", "value",
    ];
    WORDS.contains(&word)
}

/// Things of a screen or a text, or of software in general, that no domain consists of.
pub(super) fn is_no_thing(key: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "", "system", "application", "app", "platform", "page", "screen", "button", "dashboard", "ui", "interface",
        "menu", "form", "website", "site", "browser", "detail", "data", "information", "list", "thing", "way",
        "time", "date", "status", "state", "password", "email", "error", "change", "action", "feature", "access",
        "search", "option", "setting", "settings", "preference", "history", "result", "view", "filter", "sort",
        "api", "endpoint", "database", "table", "field", "value", "type", "name", "role", "permission", "number",
        "amount", "quantity", "price", "id", "key", "token", "ability", "functionality", "operation", "use",
        "user experience", "help", "support", "login", "logout", "everything", "anything", "something", "progress",
        "overview", "link", "work", "process", "processing", "workflow", "code", "test", "component",
        "module detail", "chart", "graph", "metric", "statistic", "timestamp", "log", "backup", "performance", "security",
        "analytics", "visibility", "flow", "mode", "entity", "language", "theme", "version", "step", "requirement", "level",
        "limit", "rule", "range", "content", "text", "image", "icon", "color", "item list", "me", "i", "us",
        "others", "other", "account detail", "activity", "object", "unique", "constraint", "primary", "foreign", "function",
    ];
    WORDS.contains(&key)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_the_same_however_they_are_cased_and_in_whatever_number() {
        for name in ["order_items", "OrderItem", "order-item", "Order Items", "ORDER_ITEMS", "orderItems"] {
            assert_eq!(key(name), "orderitem", "{name}");
            assert_eq!(pascal(name), "OrderItem", "{name}");
        }
        assert_eq!(split("HTTPServer APIs"), ["http", "server", "apis"]);
        assert_eq!(kebab_plural("Category"), "categories");
        assert_eq!(kebab_plural("OrderStatus"), "order-statuses");
    }

    proptest! {
        /// Bytes of ASCII are read as characters are, and no letter is lost.
        #[test]
        fn words_of_a_name_are_its_letters(name in "[a-zA-Z0-9_. '-]{0,12}", other in "\\PC{0,12}") {
            let words = |chars: &[char]| {
                let mut begins = Vec::new();
                (lowered_of(chars, |at| begins.push(at)), begins)
            };
            for name in [&name, &other] {
                let mut begins = Vec::new();
                let letters = lowered(name, |at| begins.push(at));
                prop_assert_eq!((letters.clone(), begins), words(&name.chars().collect::<Vec<char>>()));
                let all: String = name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect();
                prop_assert_eq!(split(name).concat(), all);
                prop_assert!(split(name).iter().all(|it| !it.is_empty()));
            }
        }
    }

    #[test]
    fn singular_undoes_plural() {
        for word in ["order", "category", "box", "status", "expense", "person", "match", "key", "bus", "movie"] {
            assert_eq!(singular(&plural(word)), word);
        }
    }

    #[test]
    fn verbs_are_known_in_their_forms() {
        let base = |found: Option<(&'static str, Deed)>| found.map(|(base, _)| base);
        assert_eq!(base(verb("creates")), Some("create"));
        assert_eq!(base(verb("applies")), Some("apply"));
        assert_eq!(base(verbal_noun("editing")), Some("edit"));
        assert_eq!(base(verbal_noun("submitting")), Some("submit"));
        assert_eq!(base(verbal_noun("uploading")), Some("upload"));
        assert_eq!(base(verbal_noun("cancellation")), Some("cancel"));
        assert_eq!(base(verb("customer")), None);
    }
}
