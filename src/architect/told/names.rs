//! Names in a list without what only explains them.

use crate::architect::notes::FieldNote;
use crate::architect::{fields, words};

/// Words before a name in a list that are no part of the name.
pub(super) const LEADS: &[&str] = &[
    "exactly",
    "own",
    "at",
    "least",
    "multiple",
    "a",
    "an",
    "the",
    "its",
    "their",
    "his",
    "her",
    "one",
    "optional",
    "unique",
    "required",
    "valid",
    "or",
    "optionally",
    "my",
    "your",
    "enter",
    "enters",
];

/// The parts of a list, each up to what only explains it.
pub(super) fn split(list: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut depth = 0_usize;
    let mut part = String::new();
    for c in list.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    // `location/link` are two.
    let parts: Vec<String> = parts
        .iter()
        .flat_map(|part| {
            let own: Vec<&str> =
                part.split_whitespace().filter(|it| !LEADS.contains(it) && !["and", "&"].contains(it)).collect();
            let two = if let [only] = own.as_slice() { only.split_once('/') } else { None };
            match two {
                // `price/kg` is one.
                Some((one, other)) if one.len() > 2 && other.len() > 2 => vec![one.to_owned(), other.to_owned()],
                _ => vec![part.clone()],
            }
        })
        .collect();
    let last = parts.len() - 1;
    let mut found: Vec<String> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let part = part.trim();
        let part = part.strip_prefix("and ").or_else(|| part.strip_prefix("or ")).unwrap_or(part);
        let mut words: Vec<&str> = part.split_whitespace().collect();
        let joint = words.iter().position(|it| ["and", "&"].contains(it)).filter(|_| at == last);
        let cut = |words: &mut Vec<&str>| {
            let leads = words.iter().take_while(|it| LEADS.contains(&it.to_ascii_lowercase().as_str())).count();
            words.drain(..leads.min(words.len().saturating_sub(1)));
            if is_done_by(words) {
                return;
            }
            if let Some(end) = (1..words.len())
                .filter(|it| it + 1 < words.len() || !words[*it].ends_with("ed"))
                .find(|it| words::ends_object(words[*it].trim_matches([',', '.'])))
            {
                words.truncate(end);
            }
        };
        let second = joint.map(|it| words.split_off(it)).map(|it| it[1..].to_vec());
        cut(&mut words);
        found.push(words.join(" "));
        if let Some(mut second) = second {
            cut(&mut second);
            found.push(second.join(" "));
        }
    }
    found.retain(|it| !it.is_empty());
    // One part that is no name says nothing of the others.
    let is_name =
        |it: &String| it.split('(').next().is_some_and(|it| it.split_whitespace().count() <= 3 && !it.contains('/'));
    let good = found.iter().filter(|it| is_name(it)).count();
    if good >= 3 && good * 4 >= found.len() * 3 {
        found.retain(is_name);
    }
    found
}

/// `performed by`, `assigned to`: who did it, as a name.
fn is_done_by(words: &[&str]) -> bool {
    matches!(words, [done, by] if done.ends_with("ed") && ["by", "to", "at", "on", "from"].contains(by))
}

/// A list up to what is done next: `a username and password, and apply for a loan`.
pub(super) fn before_verb(list: &str) -> &str {
    let mut from = 0;
    while let Some(at) = list[from..].find(" and ").map(|at| at + from) {
        let behind = &list[at + 5..];
        let mut words = behind.split_whitespace();
        let first = words.next().unwrap_or("");
        let verb = ["contain", "include", "have"].contains(&first)
            || words::verb(first).is_some_and(|(base, _)| base == first) && !words::is_common(first)
            || first.ends_with("ing") && words::verbal_noun(first).is_some();
        if verb && words.next().is_some_and(|it| !it.starts_with('(')) {
            return list[..at].trim_end_matches(',');
        }
        from = at + 5;
    }
    list
}

/// Names without the words before them that are no part of them.
pub(super) fn names(list: &str, line: u32) -> Vec<FieldNote> {
    // `… and a date, then upload photos` goes on with what is done,
    // and `… and an image, to learn more` with why.
    let list = [", then ", ", to ", ", when ", ", which ", ", where "]
        .iter()
        .fold(list, |list, end| list.split(end).next().unwrap_or(list))
        .trim();
    // `details such as a name and a price`
    let lower = list.to_ascii_lowercase();
    let introduced = ["such as ", "like ", "including ", "e.g. "].iter().find_map(|it| {
        let at = lower.find(it).filter(|at| lower[..*at].split_whitespace().count() <= 3)?;
        let said = lower[..at].split_whitespace().last()?;
        ["details", "information", "data", "fields", "attributes", "info"].contains(&said).then_some(at + it.len())
    });
    let list = list.get(introduced.unwrap_or(0)..).unwrap_or(list);
    // `a date as well as a fee`
    let list = &list.replace(", as well as ", ", ").replace(" as well as ", ", ");
    let list = before_verb(list.trim_end_matches(['.', ';', ':']));
    // `username and password`
    let two = list.split_once(" and ").filter(|_| !list.contains(','));
    let parts = match two {
        Some((one, other)) => format!("{one}, {other}"),
        None => list.to_owned(),
    };
    // `quantity according to type` is a quantity.
    let parts: Vec<String> = split(&parts);
    let mut found = fields::of_list(&parts.join(", "), line);
    for field in &mut found {
        let mut words: Vec<&str> =
            field.name.split_whitespace().skip_while(|it| LEADS.contains(&it.to_ascii_lowercase().as_str())).collect();
        // `password input`
        if words.len() > 1 && words.last().is_some_and(|it| ["input", "inputs", "field", "fields"].contains(it)) {
            words.pop();
        }
        field.name = words.join(" ");
    }
    // `how it was paid for` has no name.
    found.retain(|it| {
        let first = it.name.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        !["how", "who", "what", "which", "whether", "why", "where", "when"].contains(&first.as_str())
    });
    // A service of the system is no field of a thing: `status management`.
    found.retain(|it| {
        let last = words::split(&it.name).pop().unwrap_or_default();
        ![
            "management",
            "tracking",
            "functionality",
            "support",
            "integration",
            "button",
            "buttons",
            "controls",
            "toggle",
        ]
        .contains(&last.as_str())
    });
    // `reorder data` may be one among others.
    let spoken = |it: &FieldNote| {
        let words: Vec<&str> = it.name.split_whitespace().collect();
        words.len() > 1
            && words::verb(words[0]).is_some_and(|(base, _)| base == words[0])
            && !words::is_common(&it.name)
    };
    let many = found.iter().filter(|it| spoken(it)).count() * 4 > found.len();
    let fits = found.iter().all(|it| {
        let words: Vec<&str> = it.name.split_whitespace().collect();
        (1..=3).contains(&words.len())
            && (is_done_by(&words) || !words.iter().skip(1).any(|it| words::ends_object(it) && !it.ends_with("ed")))
            && !many
    });
    if fits { found } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_names_with_a_stroke_are_two() {
        let names = |list: &str| super::names(list, 1).into_iter().map(|it| it.name).collect::<Vec<_>>();
        assert_eq!(names("type, timestamp, and optional notes/comments."), ["type", "timestamp", "notes", "comments"]);
        assert_eq!(names("a name, an address, and a phone/fax"), ["name", "address", "phone", "fax"]);
    }
}
