//! Whether a text is a regular expression (ECMA-262, section 22.2.1), as far as brackets, repetitions and ranges go. What
//! other dialects have besides (inline flags, named groups of Python) is let pass: tools that know them read them.

/// What is wrong with a pattern; `None` where nothing is.
pub(super) fn wrong(pattern: &str) -> Option<&'static str> {
    let text: Vec<char> = pattern.chars().collect();
    let mut open = 0_usize;
    // Whether there is something before that can be repeated.
    let mut atom = false;
    let mut at = 0;
    while let Some(c) = text.get(at).copied() {
        at += 1;
        match c {
            '\\' if at == text.len() => return Some("it ends in a backslash"),
            '\\' => {
                at += 1;
                atom = true;
            }
            '[' => match class(&text, at) {
                Ok(end) => {
                    at = end;
                    atom = true;
                }
                Err(wrong) => return Some(wrong),
            },
            '(' => {
                open += 1;
                at = group(&text, at);
                atom = false;
            }
            ')' if open == 0 => return Some("a `)` closes nothing"),
            ')' => {
                open -= 1;
                atom = true;
            }
            '*' | '+' | '?' if !atom => return Some("there is nothing to repeat"),
            '*' | '+' | '?' => {
                at += usize::from(text.get(at) == Some(&'?'));
                atom = false;
            }
            '{' => match repetition(&text, at) {
                None => atom = true,
                Some(_) if !atom => return Some("there is nothing to repeat"),
                Some((least, most, _)) if least > most => {
                    return Some("a repetition has its bounds the wrong way round");
                }
                Some((.., end)) => {
                    at = end + usize::from(text.get(end) == Some(&'?'));
                    atom = false;
                }
            },
            '|' | '^' | '$' => atom = false,
            _ => atom = true,
        }
    }
    (open > 0).then_some("a `(` is not closed")
}

/// Where the inside of a group begins: behind `?:`, `?=`, `?<!`, `?<name>` or flags.
fn group(text: &[char], mut at: usize) -> usize {
    let is = |at: usize, among: &[char]| text.get(at).is_some_and(|c| among.contains(c));
    if !is(at, &['?']) {
        return at;
    }
    at += 1;
    while text.get(at).is_some_and(|c| c.is_ascii_alphabetic() || *c == '-') {
        at += 1;
    }
    if is(at, &['<']) && !is(at + 1, &['=', '!']) {
        return text.get(at..).and_then(|rest| rest.iter().position(|c| *c == '>')).map_or(at, |end| at + end + 1);
    }
    at += usize::from(is(at, &['<']));
    at + usize::from(is(at, &[':', '=', '!']))
}

/// Where a class ends that began before `at`.
fn class(text: &[char], mut at: usize) -> Result<usize, &'static str> {
    at += usize::from(text.get(at) == Some(&'^'));
    // The character before, where a range could begin with it.
    let mut before: Option<char> = None;
    loop {
        match text.get(at..).unwrap_or_default() {
            [] => return Err("a `[` is not closed"),
            [']', ..] => return Ok(at + 1),
            ['\\', _, ..] => {
                before = None;
                at += 2;
            }
            ['-', last, ..] if before.is_some() && !matches!(last, ']' | '\\') => {
                if before.is_some_and(|first| first > *last) {
                    return Err("a range has its ends the wrong way round");
                }
                before = None;
                at += 2;
            }
            [c, ..] => {
                before = Some(*c);
                at += 1;
            }
        }
    }
}

/// `2,5}` behind a brace: both bounds, and where it ends. Anything else is text.
fn repetition(text: &[char], at: usize) -> Option<(u64, u64, usize)> {
    let length = text.get(at..)?.iter().position(|c| *c == '}')?;
    let inner: String = text[at..at + length].iter().collect();
    let (least, most) = inner.split_once(',').unwrap_or((&inner, &inner));
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let most = if most.is_empty() { Some(u64::MAX) } else { number(most) };
    Some((number(least)?, most?, at + length + 1))
}

#[cfg(test)]
mod tests {
    use super::wrong;

    #[test]
    fn patterns_are_told_from_what_is_none() {
        for pattern in [
            "",
            "^[a-z]+$",
            "^(?:a|b)*?$",
            "a{2,}b{3}c{1,2}?",
            "{id}",
            "a{,2}",
            "[]a]",
            "[^\\]-]",
            "[a-]",
            "[\\w-z]",
            "(?<year>\\d{4})",
            "(?i)x",
            "\\p{L}+",
            "\\(",
            "(?=x)",
            "[*+?(]",
        ] {
            assert_eq!(wrong(pattern), None, "{pattern}");
        }
        for pattern in ["^[a-z", "(abc", "abc)", "*x", "a|+", "a{2,1}", "[z-a]", "x\\", "^*", "(?:*)", "a**"] {
            assert!(wrong(pattern).is_some(), "{pattern}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_ends(pattern in "[a-c*+?(){}\\[\\]^$|,0-9\\\\-]{0,16}") {
            let _ = wrong(&pattern);
        }
    }
}
