//! Words of frames: who has something, what is kept, and how.

/// Words that say that a thing has what follows.
#[rustfmt::skip]
pub(super) const HAS: &[&str] = &[
    "has", "have", "contain", "contains", "include", "includes", "comprise", "comprises", "store", "stores", "record",
    "records", "hold", "holds", "carry", "carries", "retain", "retains", "capture", "captures", "require", "requires",
    "define", "defines", "specify", "specifies", "need", "needs", "feature", "features", "link", "links", "expose",
    "exposes", "support", "supports", "consist", "consists", "track", "tracks", "keep", "keeps", "show", "shows",
    "display", "displays", "lists", "list", "states", "remembers", "indicates", "names", "notes", "mentions",
];

/// Words of these that say the same of what belongs to another: `A ticket has the guest's name`.
pub(super) const OWN: &[&str] =
    &["has", "have", "contain", "contains", "include", "includes", "comprise", "comprises", "hold", "holds"];

/// Words behind a thing that say what the thing has.
pub(super) const SHOWING: &[&str] = &[
    "featuring",
    "displaying",
    "showing",
    "containing",
    "listing",
    "holding",
    "storing",
    "capturing",
    "recording",
    "detailing",
    "specifying",
];

/// What was done with a thing `with` or `by` its members.
#[rustfmt::skip]
pub(super) const DONE: &[&str] = &[
    "tracked", "described", "stored", "recorded", "identified", "defined", "characterized", "characterised", "saved",
    "listed", "shown", "displayed", "kept", "captured", "logged", "made", "composed", "persisted", "registered",
    "known",
];

/// What somebody does with the members of a thing.
#[rustfmt::skip]
pub(super) const WRITES: &[&str] = &[
    "store", "stores", "record", "records", "capture", "captures", "keep", "keeps", "save", "saves", "persist",
    "persists", "log", "logs", "track", "tracks", "hold", "holds", "collect", "collects", "show", "shows", "display",
    "displays", "enter", "enters", "provide", "provides", "fill", "fills", "specify", "specifies", "supply", "supplies",
    "give", "gives", "input", "inputs", "set", "sets", "retain", "retains", "maintain", "maintains", "list", "lists",
    "view", "see", "sees", "include", "includes", "choose", "chooses", "write", "writes", "note", "notes", "need",
    "know", "has", "have", "define", "defines", "select", "selects",
];

/// What somebody does with members that are known: `change the title and the date of an article`.
pub(super) const CHANGES: &[&str] =
    &["change", "changes", "update", "updates", "edit", "edits", "modify", "modifies", "adjust", "adjusts"];

/// What somebody does to a thing that gets what follows: `assigns each parcel a number and a date`.
pub(super) const GIVES: &[&str] =
    &["assign", "assigns", "give", "gives", "gets", "issue", "issues", "allocate", "allocates"];

/// Words that say what is shown of a thing or what a thing can do at least as often as what is kept.
pub(super) const SHOWS: &[&str] = &[
    "show", "shows", "display", "displays", "support", "supports", "expose", "exposes", "feature", "features", "need",
    "needs", "require", "requires",
];

/// Names of what has values, states or parts of a text, no members.
#[rustfmt::skip]
pub(super) const KINDS: &[&str] = &[
    "status", "state", "type", "mode", "option", "value", "level", "category", "role", "permission", "term", "glossary",
    "vocabulary", "concept", "wish", "rule", "output", "input", "message", "error", "card", "landing", "widget",
    "language", "format", "result", "field", "summary", "chart", "filter", "block", "cell", "log", "data",
    "information", "detail", "setting", "verification", "functionality", "capability", "test", "tool", "component",
    "layer",
];

/// Names of what keeps things, or of parts of a text: none of these is a thing that a sentence gives members to.
#[rustfmt::skip]
pub(super) const KEEPERS: &[&str] = &[
    "output", "input", "option", "state", "status", "mode", "value", "language", "format", "result", "landing",
    "widget", "system", "app", "application", "platform", "database", "api", "server", "backend", "service", "software",
    "tool", "website", "site", "portal", "product", "response", "request", "page", "screen", "dashboard", "user", "it",
    "they", "we", "form", "ui", "interface", "module", "table", "header", "section", "view", "modal", "dialog", "panel",
    "menu", "sidebar", "footer", "document", "mvp", "project", "requirement", "feature", "scope", "phase", "release",
    "version", "story", "epic", "step", "example",
];

/// Keepers that are things where a sentence speaks of each: `Each project has a title`.
pub(super) const MAY_BE_ONE: &[&str] = &[
    "project", "product", "document", "result", "service", "request", "module", "section", "form", "table", "story",
    "epic", "step", "phase", "release", "version", "user", "page", "feature", "option", "message", "response",
    "example", "site", "item", "view", "tool", "menu",
];

/// Verbs, in their base form, of somebody who makes a thing by telling what the thing has.
#[rustfmt::skip]
pub(super) const RECORDS: &[&str] = &[
    "record", "request", "report", "submit", "book", "file", "open", "log", "register", "announce", "write", "post", "propose", "assign",
    "enter", "define", "save", "issue", "order",
];
