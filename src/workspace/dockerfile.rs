//! `Dockerfile`: which ports an image exposes, which variables it gives, what it runs
//! (<https://docs.docker.com/reference/dockerfile/>).

/// What an image says of itself, all stages together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dockerfile {
    pub ports: Vec<u16>,
    /// A port that cannot be told stands there.
    pub has_unknown_port: bool,
    /// Names that `ENV` and `ARG` give.
    pub variables: Vec<String>,
    pub has_healthcheck: bool,
    /// The arguments of `CMD` and `ENTRYPOINT`, as they are written.
    pub runs: String,
}

/// Reads the text. Never fails: an instruction that is not understood says nothing.
pub fn read(text: &str) -> Dockerfile {
    let mut found = Dockerfile::default();
    for instruction in instructions(text) {
        let instruction = instruction.trim();
        let (word, rest) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
        let rest = rest.trim();
        match word.to_ascii_uppercase().as_str() {
            "EXPOSE" => rest.split_whitespace().for_each(|port| {
                let number = port.split('/').next().unwrap_or(port);
                let (from, to) = number.split_once('-').unwrap_or((number, number));
                match (from.parse::<u16>(), to.parse::<u16>()) {
                    (Ok(from), Ok(to)) if from <= to && to - from < 1000 => found.ports.extend(from..=to),
                    _ => found.has_unknown_port = true,
                }
            }),
            "ENV" | "ARG" => found.variables.extend(names(rest)),
            "HEALTHCHECK" => found.has_healthcheck |= !rest.eq_ignore_ascii_case("none"),
            "CMD" | "ENTRYPOINT" => {
                found.runs.push_str(rest);
                found.runs.push('\n');
            }
            _ => {}
        }
    }
    found
}

/// `A=1 B="2 3"`, or the older `A 1`.
fn names(text: &str) -> Vec<String> {
    let first = text.split_whitespace().next().unwrap_or("");
    if !first.contains('=') {
        return if first.is_empty() { Vec::new() } else { vec![first.to_owned()] };
    }
    let mut names = Vec::new();
    let (mut quote, mut start, mut begins) = (None, 0, true);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, c) if c.is_whitespace() => begins = true,
            (None, '=') if !begins => {
                let name = &text[start..at];
                if !name.contains('=') && !name.contains(char::is_whitespace) {
                    names.push(name.to_owned());
                }
            }
            _ => {}
        }
        if begins && !c.is_whitespace() {
            start = at;
            begins = false;
        }
    }
    names
}

/// Lines that belong together are one instruction; comments and the bodies of here-documents are left out.
fn instructions(text: &str) -> Vec<String> {
    let mut escape = '\\';
    let mut found: Vec<String> = Vec::new();
    let mut open: Option<String> = None;
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let mut at_start = true;
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if at_start && let Some(directive) = trimmed.strip_prefix('#') {
            if let Some(value) = directive.trim().strip_prefix("escape=") {
                escape = if value.trim() == "`" { '`' } else { '\\' };
            }
            continue;
        }
        if trimmed.starts_with('#') || (trimmed.is_empty() && open.is_some()) {
            continue;
        }
        at_start = at_start && trimmed.is_empty();
        let goes_on = trimmed.ends_with(escape);
        let part = trimmed.trim_end_matches(escape);
        let whole = match open.take() {
            Some(before) => before + " " + part,
            None => part.to_owned(),
        };
        if goes_on {
            open = Some(whole);
            continue;
        }
        if let Some(end) = here_document(&whole) {
            let rest = lines.clone();
            let length = rest.take(10_000).position(|line| line.trim() == end);
            if let Some(length) = length {
                lines.nth(length);
            }
        }
        found.push(whole);
    }
    found.extend(open);
    found
}

/// `RUN <<EOF`: what the lines that follow end with.
fn here_document(instruction: &str) -> Option<String> {
    let word = instruction.split_whitespace().next()?.to_ascii_uppercase();
    if !matches!(word.as_str(), "RUN" | "COPY" | "ADD") {
        return None;
    }
    let rest = instruction.split_once("<<")?.1;
    let name: String = rest
        .trim_start_matches(['-', '"', '\''])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect();
    (!name.is_empty()).then_some(name)
}
