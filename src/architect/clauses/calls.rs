//! Calls that an interface offers, each on a line with what it answers: `rpc SubmitOrder(Order) returns (Receipt)`,
//! `createOrder(input: OrderInput!): Order!`, `orders.cancel(id) -> Order`.

use super::{Clauses, Verb};
use crate::architect::words;

/// A call without what it is given.
struct Call<'t> {
    name: &'t str,
    /// The type that it answers with, as written.
    answer: &'t str,
}

impl Clauses {
    /// Notes the deed of a line that is a call. `listed` says that the text offers nothing but calls here: then the name alone of what
    /// is answered is a question for that (`orders: [Order!]!`).
    pub(in crate::architect) fn call(&mut self, line: &str, listed: bool) {
        let Some((verb, object)) = call(line, listed).and_then(|it| deed(&it, listed)) else { return };
        let before = self.found.len();
        self.push(verb, object, "the system", line);
        self.found.iter_mut().skip(before).for_each(|it| it.coded = true);
    }
}

impl Clauses {
    /// Notes a command that a text lists: `DeferDonor`, `Defer Donor`. Where all commands are of one thing, that is what each is done to.
    pub(in crate::architect) fn command(&mut self, said: &str, of: Option<&str>) {
        let named = words::split(said);
        let Some((first, object)) = named.split_first().filter(|it| it.1.len() <= 4) else { return };
        let Some(verb) = words::verb(first).filter(|(base, _)| base == first) else { return };
        let object = of.map_or_else(|| object.to_vec(), words::split);
        let before = self.found.len();
        self.push(verb, object, "the system", said);
        self.found.iter_mut().skip(before).for_each(|it| it.coded = true);
    }
}

impl Clauses {
    /// Notes the deed that a function is named for: the verb that the name begins with, and the words of the thing. A function that
    /// gets many things lists the things, one that gets a single thing shows the thing.
    pub(in crate::architect) fn function(&mut self, verb: &str, object: &[String], name: &str) {
        let many = object.last().is_some_and(|it| words::is_plural(it));
        let verbs: &[&str] = match verb {
            "get" | "fetch" | "find" | "retrieve" | "load" | "read" | "view" if many => &["list"],
            "get" | "fetch" | "find" | "retrieve" | "load" | "read" | "view" => &["view"],
            "insert" | "upsert" => &["create"],
            "manage" => &["create", "list", "update", "delete"],
            other => &[other],
        };
        let object: Vec<String> = object.iter().map(|it| words::singular(it)).collect();
        let before = self.found.len();
        for verb in verbs {
            if let Some(verb) = words::verb(verb).filter(|(base, _)| base == verb) {
                self.push(verb, object.clone(), "the system", name);
            }
        }
        self.found.iter_mut().skip(before).for_each(|it| it.coded = true);
    }
}

fn call(line: &str, listed: bool) -> Option<Call<'_>> {
    let line = line.trim().trim_start_matches(['`', '+', '-', '*', ' ']);
    let (line, is_rpc) = line.strip_prefix("rpc ").map_or((line, false), |it| (it.trim_start(), true));
    let end = line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let given = if rest.starts_with('(') { crate::architect::code::balanced(rest, '(', ')') } else { None };
    let behind = rest.get(given.unwrap_or(0)..)?.trim_start();
    let marks: &[&str] = if is_rpc { &["returns", ":"] } else { &["->", "→", "=>", ":", "returns"] };
    let answer = marks.iter().find_map(|it| behind.strip_prefix(it))?.trim();
    // What answers with a body is written in a program.
    let fits = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && (given.is_some() || listed && answer.contains(['!', '[']))
        && !answer.ends_with('{') | is_rpc
        && !answer.starts_with("Promise");
    fits.then_some(Call { name, answer })
}

/// What a call does, and to what.
fn deed(call: &Call<'_>, listed: bool) -> Option<(Verb, Vec<String>)> {
    let base = |word: &String| words::verb(word).filter(|(base, _)| base == word);
    let answered: String = call
        .answer
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .find(|it| it.starts_with(char::is_uppercase))
        .unwrap_or("")
        .to_owned();
    if let Some((of, name)) = call.name.rsplit_once('.') {
        let named = words::split(name);
        let verb = base(named.first()?)?;
        return Some((verb, words::split(of.rsplit('.').next()?).iter().map(|it| words::singular(it)).collect()));
    }
    let named = words::split(call.name);
    let (first, object) = named.split_first()?;
    match base(first) {
        // `detect_type(path) → "pdf"` is a function of a program.
        Some(verb) if !object.is_empty() && !answered.is_empty() => {
            // `approveLoan(id): LoanRequest` approves a loan request.
            let answered = words::split(&answered);
            let key = |it: &String| words::singular(it);
            let within = object.iter().map(key).all(|it| answered.iter().any(|word| key(word) == it));
            Some((verb, if within { answered } else { object.to_vec() }))
        }
        None if listed && !answered.is_empty() => {
            let verb = words::verb(if call.answer.starts_with('[') { "list" } else { "view" })?;
            Some((verb, words::split(&answered)))
        }
        _ => None,
    }
}
