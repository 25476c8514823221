//! Files of the environment: `.env` and its like, as `docker compose` and the libraries called dotenv read them.

/// Names that are given a value, in order; an empty value counts, as does a name without one.
pub fn read(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        // A line that is commented out (`# NAME=value`) documents its variable: the name counts as given.
        let line = line.trim_start_matches('#').trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.trim();
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_name || name.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        names.push(name.to_owned());
        // A quoted value may go on over lines.
        let value = value.trim_start();
        for quote in ['"', '\''] {
            if let Some(rest) = value.strip_prefix(quote)
                && !rest.contains(quote)
            {
                let ahead = lines.clone().take(200).position(|line| line.contains(quote));
                if let Some(at) = ahead {
                    lines.nth(at);
                }
            }
        }
    }
    names
}
