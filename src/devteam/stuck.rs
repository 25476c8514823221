//! Signs that another attempt of the same kind leads nowhere.

use super::records::Failure;

/// Failures in a row that show it.
const TIMES: usize = 3;

/// Why the work is stuck, by the failures since the last council, oldest first; none where it is not.
pub(super) fn stuck(failures: &[Failure]) -> Option<String> {
    let last = failures.len().checked_sub(TIMES).map(|from| &failures[from..])?;
    let (first, rest) = last.split_first()?;
    let same = first.errors.iter().map(|it| normalized(it)).find(|error| {
        !error.is_empty() && rest.iter().all(|failure| failure.errors.iter().any(|it| normalized(it) == *error))
    });
    if let Some(error) = same {
        return Some(format!("the same error {TIMES} times: {error}"));
    }
    let is_no_better = last.windows(2).all(|pair| pair[1].error_count >= pair[0].error_count);
    let is_same = !first.files.is_empty() && rest.iter().all(|it| it.files == first.files);
    (is_same && is_no_better).then(|| format!("the same files were changed {TIMES} times, and no error went away"))
}

/// An error without what changes from run to run: numbers, addresses, times, quotes and space.
pub(super) fn normalized(error: &str) -> String {
    let mut out = String::with_capacity(error.len());
    for word in error.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        let word = word.trim_matches(|c: char| "\"'`".contains(c)).to_lowercase();
        let mut in_number = false;
        let is_hex = word.strip_prefix("0x").is_some_and(|it| it.chars().all(|c| c.is_ascii_hexdigit()));
        for c in word.chars() {
            let is_digit = is_hex || c.is_ascii_digit();
            if !is_digit {
                out.push(c);
            } else if !in_number {
                out.push('#');
            }
            in_number = is_digit;
        }
    }
    out
}
