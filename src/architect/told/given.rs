//! What is given when a thing is made or shown: `create books with title and price`.

use super::names::names;
use super::{is_many_of, is_told, passing, thing};
use crate::architect::clauses::is_actor;
use crate::architect::notes::Notes;
use crate::architect::words;
use crate::architect::words::Deed;

/// What is given when a thing is made: `Create workout plans (exercises, sets, weight)`, `add books with title, author and
/// price`, `register with a username and password`.
pub(super) fn given(notes: &mut Notes, sentence: &str, line: u32) {
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    let clean = |at: usize| tokens[at].trim_matches(|c: char| ",.;:`*\"".contains(c)).to_ascii_lowercase();
    for at in 0..tokens.len() {
        let word = clean(at);
        let making = words::verb(&word)
            .filter(|(base, deed)| {
                // `The admin creates an order`
                let done = at > 0 && at < 4 && word.ends_with('s') && is_actor(&tokens[..at].join(" "));
                *base == word || (*deed == Deed::Read || done) && !words::is_noun_too(base)
            })
            .or_else(|| words::verbal_noun(&word));
        let keeping = ["store", "stores", "keep", "keeps", "hold", "holds"].contains(&word.as_str());
        let Some((verb, deed)) = making.or(keeping.then_some(("store", Deed::Act))) else { continue };
        // `a book with title and author` books nothing.
        if at > 0 && words::is_determiner(&clean(at - 1)) {
            continue;
        }
        let makes = matches!(deed, Deed::Create | Deed::Update | Deed::Manage)
            || ["submit", "define", "save", "upload", "schedule", "provide", "configure", "signup"].contains(&verb);
        // `display user details including name and role`
        let shows = deed == Deed::Read && !["search", "filter", "find", "query", "browse"].contains(&verb);
        let sign_up = word == "sign" && tokens.get(at + 1).is_some_and(|it| it.starts_with("up"));
        let keeps = ["store", "stores", "keep", "keeps", "hold", "holds", "track", "tracks"].contains(&word.as_str());
        if !makes && !sign_up && !shows && !keeps {
            continue;
        }
        let from = at + 1 + usize::from(sign_up);
        let registering = sign_up || ["register", "signup"].contains(&verb);
        // The thing, up to what introduces its fields.
        let mut thing: Vec<String> = Vec::new();
        // `an expense or income with amount and date`
        let mut others: Vec<Vec<String>> = Vec::new();
        let mut listed = None;
        for next in from..tokens.len().min(from + 7) {
            let word = clean(next);
            if let Some(inner) = tokens[next].strip_prefix('(') {
                let text = format!("{inner} {}", tokens[next + 1..].join(" "));
                listed = text.split(')').next().map(str::to_owned).map(|it| (it, true));
                break;
            }
            if ["with", "including", "using", "containing", "specifying", "providing"].contains(&word.as_str()) {
                // `holidays` are among the hours, no field of them.
                let members = ["including", "using"].contains(&word.as_str())
                    && !thing
                        .last()
                        .is_some_and(|it| words::is_aspect(it) || ["profile", "profiles"].contains(&it.as_str()));
                listed = (!members || registering).then(|| (tokens[next + 1..].join(" "), false));
                break;
            }
            // `register a request by entering a name and a number`
            if word == "by"
                && tokens
                    .get(next + 1)
                    .is_some_and(|it| ["entering", "providing", "specifying", "supplying"].contains(it))
            {
                listed = Some((tokens[next + 2..].join(" "), false));
                break;
            }
            // `add an entry: quantity, unit and notes`
            if tokens[next].ends_with(':')
                && super::leads::KEEPS.contains(&word.as_str())
                    | ["requires", "shows", "displays", "accepts"].contains(&word.as_str())
            {
                break;
            }
            if tokens[next].ends_with(':') && (makes || keeps) {
                if !words::is_determiner(&word) {
                    thing.push(word);
                }
                listed = Some((tokens[next + 1..].join(" "), false));
                break;
            }
            // `profiles, including preferences`
            let introduced = tokens.get(next + 1).is_some_and(|it| ["including", "with"].contains(it));
            if introduced && tokens[next].ends_with(',') && !words::is_determiner(&word) {
                thing.push(word);
                continue;
            }
            if word == "and"
                || word == "or"
                || tokens[next].ends_with([',', '.', ';', ':']) && !tokens[next].ends_with("),")
            {
                let other = std::mem::take(&mut thing);
                others.extend(Some(other).filter(|it| word == "or" && !it.is_empty()));
                if tokens[next].ends_with(['.', ';', ':']) {
                    break;
                }
                continue;
            }
            // `store partner fields needed for care: name, phone and city`
            let needed = thing.len() > 1 && ["needed", "required", "used"].contains(&word.as_str());
            if words::ends_object(&word) || needed {
                // `a programme for members with details on name, kind and cost`
                let rest = &tokens[next..tokens.len().min(next + 7)];
                let details = rest.windows(3).position(|it| {
                    it[0] == "with"
                        && ["details", "information", "data", "fields"].contains(&it[1])
                        && ["on", "about", "like", "for", "of", "such"].contains(&it[2])
                });
                if let Some(at) = details.filter(|_| word == "for" && !thing.is_empty()) {
                    let from = next + at + 3 + usize::from(rest[at + 2] == "such");
                    listed = tokens.get(from..).map(|it| (it.join(" "), false));
                    break;
                }
                // `a schedule for an entry: amount, frequency and times`
                let colon = (next..tokens.len().min(next + 7)).find(|it| tokens[*it].ends_with(':'));
                if let Some(colon) = colon.filter(|_| {
                    (makes || keeps)
                        && !thing.is_empty()
                        && (needed || ["for", "of", "in", "on"].contains(&word.as_str()))
                }) {
                    listed = Some((tokens[colon + 1..].join(" "), false));
                }
                break;
            }
            let joined =
                next > from && (["and", "or", "/"].contains(&tokens[next - 1]) || tokens[next - 1].ends_with(','));
            if thing.is_empty() && joined && words::verb(&word).is_some_and(|(base, _)| base == word) {
                continue;
            }
            if !words::is_determiner(&word) {
                thing.push(word);
            }
        }
        let Some((list, in_brackets)) = listed else { continue };
        let lower = list.trim_start().to_ascii_lowercase();
        if ["e.g", "i.e", "via", "by ", "for "].iter().any(|it| lower.starts_with(it)) {
            continue;
        }
        let list = list.split([';', ':', '–', '—']).next().unwrap_or("").split(". ").next().unwrap_or("");
        // `with title and price, and assign them …`
        let found = names(list, line);
        let common = found.iter().filter(|it| words::is_common(&it.name)).count();
        let proper = found
            .iter()
            .any(|it| it.name.chars().nth(1).is_some_and(char::is_uppercase) && !words::is_common(&it.name));
        let headed = notes.is_headed(&thing) && found.len() >= 3 && common > 0;
        let enough =
            if in_brackets { found.len() >= 3 && common * 2 >= found.len() } else { is_told(&found) || headed };
        // `view orders (date, status)` may be what is shown of something else.
        let enough = enough && !(shows && (in_brackets || found.len() < 3));
        if found.len() < 2 || !enough || proper {
            continue;
        }
        let registers = sign_up || ["register", "signup"].contains(&verb);
        let name = if thing.is_empty() && registers {
            let actor: Vec<String> = tokens[..at]
                .iter()
                .map(|it| it.trim_matches([',', '*', '`']).to_ascii_lowercase())
                .take_while(|it| !words::ends_object(it) || it == "of")
                .take_while(|it| it != "of")
                .filter(|it| !words::is_determiner(it))
                .collect();
            if common < found.len() {
                continue;
            }
            let anyone = ["visitor", "visitors", "guest", "guests", "anyone", "everyone", "person", "people", "users"];
            let somebody = is_actor(&actor.join(" ")) && actor.len() <= 2;
            if somebody && !actor.iter().any(|it| anyone.contains(&it.as_str())) {
                actor.join(" ")
            } else {
                "user".to_owned()
            }
        } else {
            thing.join(" ")
        };
        let words: Vec<String> = name.split_whitespace().map(str::to_owned).collect();
        for words in std::iter::once(words).chain(others) {
            let Some(name) = self::thing(notes, &words) else { continue };
            let found = found.iter().filter(|it| !is_many_of(notes, &it.name)).cloned().collect();
            passing(notes, &name, line, found);
        }
    }
}
