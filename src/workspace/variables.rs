//! Variables in the values of a compose file:
//! <https://github.com/compose-spec/compose-spec/blob/main/12-interpolation.md>.

/// One `$NAME` or `${NAME…}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable<'t> {
    pub name: &'t str,
    /// What it is where nothing defines it; none where it is empty then.
    pub default: Option<&'t str>,
    /// It must be defined, and the file says so.
    pub required: bool,
    /// It decides only whether something else stands there (`${NAME:+more}`).
    pub conditional: bool,
    /// Byte offsets in the text.
    pub start: usize,
    pub end: usize,
}

/// The variables of a text, in order; those in the defaults of others too.
pub fn read(text: &str) -> Vec<Variable<'_>> {
    let mut found = Vec::new();
    scan(text, 0, &mut found, 0);
    found
}

/// Levels of defaults within defaults; variables that lie deeper are left out.
const MAX_DEPTH: usize = 8;

fn scan<'t>(text: &'t str, offset: usize, found: &mut Vec<Variable<'t>>, depth: usize) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(next) = text[at..].find('$') {
        at += next;
        match bytes.get(at + 1) {
            Some(b'$') => at += 2,
            Some(b'{') => {
                let Some(end) = closing(&text[at + 2..]) else { return };
                let inner = &text[at + 2..at + 2 + end];
                let length = name_length(inner);
                let (name, rest) = inner.split_at(length);
                if length > 0 {
                    let (operator, word) = operator(rest);
                    let is = |kinds: &[&str]| kinds.contains(&operator);
                    found.push(Variable {
                        name,
                        default: is(&[":-", "-"]).then_some(word),
                        required: is(&[":?", "?"]),
                        conditional: is(&[":+", "+"]),
                        start: offset + at,
                        end: offset + at + 3 + end,
                    });
                    if depth < MAX_DEPTH {
                        let start = at + 2 + inner.len() - word.len();
                        scan(word, offset + start, found, depth + 1);
                    }
                }
                at += 3 + end;
            }
            Some(_) => {
                let length = name_length(&text[at + 1..]);
                if length > 0 {
                    let (start, end) = (at, at + 1 + length);
                    let name = &text[at + 1..end];
                    found.push(Variable {
                        name,
                        default: None,
                        required: false,
                        conditional: false,
                        start: offset + start,
                        end: offset + end,
                    });
                }
                at += 1 + length;
            }
            None => return,
        }
    }
}

/// Where the brace that is open is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

fn name_length(text: &str) -> usize {
    let is_part = |at: usize, byte: u8| byte == b'_' || byte.is_ascii_alphabetic() || (at > 0 && byte.is_ascii_digit());
    text.bytes().enumerate().take_while(|(at, byte)| is_part(*at, *byte)).count()
}

fn operator(rest: &str) -> (&str, &str) {
    let length = match rest.as_bytes() {
        [b':', b'-' | b'?' | b'+', ..] => 2,
        [b'-' | b'?' | b'+', ..] => 1,
        _ => 0,
    };
    rest.split_at(length)
}

/// The text with every variable replaced by its default; `None` where one has none.
pub fn with_defaults(text: &str) -> Option<String> {
    filled(text, 0)
}

fn filled(text: &str, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    let mut out = String::new();
    let mut at = 0;
    for variable in read(text) {
        if variable.start < at {
            continue;
        }
        out.push_str(text.get(at..variable.start)?);
        out.push_str(&filled(variable.default?, depth + 1)?);
        at = variable.end;
    }
    out.push_str(text.get(at..)?);
    Some(out.replace("$$", "$"))
}
