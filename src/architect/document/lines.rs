//! Lines before they are read as Markdown: what looks like a mark of Markdown and is none, and numbers of requirements.

use std::borrow::Cow;

/// Where a text begins behind the box that is ticked (`[x]`) and the number of the requirement (`R1.2`, `FR-001:`,
/// `US-3.`), and whether there is such a number. A number needs a sign that it is one: inner points, a hyphen, or what ends
/// it. `S3 buckets` are no requirement.
pub(super) fn label_end(text: &str) -> (usize, bool) {
    let mut at = text.len() - text.trim_start().len();
    let rest = &text[at..];
    if let Some(tick) = ["[ ]", "[]", "[x]", "[X]"].iter().find(|it| rest.starts_with(**it)) {
        at += tick.len() + rest[tick.len()..].len() - rest[tick.len()..].trim_start().len();
    }
    let rest = &text[at..];
    let open = rest.starts_with('[') || rest.starts_with('(');
    let label = &rest[usize::from(open)..];
    // `FR-001`, `FR-INV-01`
    let mut letters = label.bytes().take_while(u8::is_ascii_uppercase).count();
    if letters > 0 && label[letters..].starts_with('-') {
        let more = label[letters + 1..].bytes().take_while(u8::is_ascii_uppercase).count();
        if more > 0 && label[letters + 1 + more..].starts_with('-') {
            letters += 1 + more;
        }
    }
    let joined = label[letters..].starts_with(['-', '_']) || letters > 1 && label[letters..].starts_with(' ');
    let digits_from = letters + usize::from(joined);
    let digits = label[digits_from..].bytes().take_while(|it| it.is_ascii_digit() || matches!(it, b'.' | b'-')).count();
    let number = &label[digits_from..digits_from + digits];
    let behind = &label[digits_from + digits..];
    let ended = number.ends_with(['.', '-']) || behind.starts_with([':', ')', ']', '–', '—']);
    let spaced = behind.starts_with([' ', ':', ')', ']', '–', '—']);
    // `V1.2` is a version.
    let is_number =
        (1..=6).contains(&letters) && !label.starts_with(['V']) && number.starts_with(|c: char| c.is_ascii_digit());
    let told = joined && !label[letters..].starts_with(' ') || number.trim_end_matches('.').contains('.') || ended;
    let after = behind.trim_start_matches([':', ')', ']', '–', '—', '-', ' ']);
    if is_number && spaced && told && after.chars().any(char::is_alphanumeric) {
        (text.len() - after.len(), true)
    } else if at > 0 && text[at..].chars().any(char::is_alphanumeric) && !text[..at].trim().is_empty() {
        (at, false)
    } else {
        (0, false)
    }
}

/// A text whose blocks of code are fenced by marks with backslashes before them, as in a string of a program: these are fences
/// where the text has no others.
pub(super) fn with_fences(text: &str) -> Cow<'_, str> {
    const MARK: &str = "\\`\\`\\`";
    let fenced = || text.lines().any(|it| it.trim_start().starts_with("```"));
    if text.contains(MARK) && !fenced() { Cow::Owned(text.replace(MARK, "```")) } else { Cow::Borrowed(text) }
}

/// A text that is as a whole one block of Markdown, as it was pasted, without the fence of the block. Lines keep their numbers.
pub(super) fn without_wrapping(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    let mark: String = trimmed.chars().take_while(|it| *it == '`').collect();
    let language = trimmed[mark.len()..].lines().next().unwrap_or("").trim_end();
    let wraps = mark.len() >= 3
        && ["markdown", "md"].contains(&language)
        && trimmed.len() > mark.len() * 2 + language.len()
        && trimmed.ends_with(&mark);
    if !wraps {
        return Cow::Borrowed(text);
    }
    let before = text.len() - text.trim_start().len();
    let inner = &trimmed[mark.len() + language.len()..trimmed.len() - mark.len()];
    Cow::Owned(format!("{}{inner}\n", &text[..before]))
}

/// Whether a line says that what stands around it comes later: `Priority: Future`.
pub(super) fn is_later(text: &str) -> bool {
    let lower = text.trim().to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("priority:") else { return false };
    ["future", "later", "won't", "out of scope", "deferred"]
        .iter()
        .any(|it| rest.trim().trim_matches('*').trim().starts_with(it))
}

/// Whether a line is an item of a list without its mark: a few words, and no sentence.
pub(super) fn is_bare_item(line: &str) -> bool {
    let line = line.trim();
    is_short(line)
        && line.split_whitespace().count() <= 5
        && line.len() <= 50
        && line.starts_with(char::is_alphabetic)
        && !line.ends_with('-')
        && !line.contains(['|', '=', '{', '}', '<', '>', '/', '\n', ':'])
}

/// What stands in a box of MkDocs (`!!! note "…"`, and four columns to the right what is in it) as if it stood outside.
pub(super) fn without_admonitions(text: &str) -> Cow<'_, str> {
    let begins = |line: &str| ["!!! ", "??? ", "???+ "].iter().any(|it| line.trim_start().starts_with(it));
    if !text.lines().any(begins) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut inside = None;
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        if begins(line) {
            inside = Some(depth);
        } else if let Some(outer) = inside.filter(|_| !line.trim().is_empty()) {
            if depth >= outer + 4 {
                result.push_str(line.get(4..).unwrap_or(""));
            } else {
                inside = None;
                result.push_str(line);
            }
        } else {
            result.push_str(line);
        }
        result.push('\n');
    }
    Cow::Owned(result)
}

/// Lines that begin with a sign that is no mark of Markdown and looks like one (`•`, `✓`), as items.
pub(super) fn with_bullets(text: &str) -> Cow<'_, str> {
    const SIGNS: [char; 9] = ['•', '✓', '✔', '●', '▪', '◦', '‣', '○', '☐'];
    if !text.contains(SIGNS) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    for line in text.lines() {
        let trimmed = line.trim_start();
        // `## • Orders` is an item, too.
        let marked = trimmed.trim_start_matches('#').trim_start();
        let trimmed = if marked.starts_with(SIGNS) { marked } else { trimmed };
        let line = if marked.starts_with(SIGNS) { marked } else { line };
        match trimmed.strip_prefix(SIGNS) {
            Some(rest) => {
                result.push_str(&line[..line.len() - trimmed.len()]);
                result.push_str("- ");
                result.push_str(rest.trim_start());
            }
            None => result.push_str(line),
        }
        result.push('\n');
    }
    Cow::Owned(result)
}

/// Lines that begin with a letter in brackets (`a) name,`, `(b) date`) as items, where three or more follow one another.
pub(super) fn with_letters(text: &str) -> Cow<'_, str> {
    const FEWEST: usize = 3;
    let lines: Vec<&str> = text.lines().collect();
    // The letter and what is behind its bracket.
    let lettered = |line: &str| -> Option<(char, usize)> {
        let body = line.trim_start();
        let inner = body.strip_prefix('(').unwrap_or(body);
        let letter = inner.chars().next().filter(char::is_ascii_lowercase)?;
        let rest = inner[1..].strip_prefix([')', '.'])?;
        rest.starts_with(' ').then(|| (letter, line.len() - rest.trim_start().len()))
    };
    let mut items: Vec<Option<usize>> = vec![None; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        let run: Vec<(char, usize)> = lines[at..].iter().map_while(|it| lettered(it)).collect();
        let in_order =
            run.windows(2).all(|it| it[1].0 as u32 == it[0].0 as u32 + 1) && run.first().is_some_and(|it| it.0 == 'a');
        if in_order && run.len() >= FEWEST {
            items[at..at + run.len()].iter_mut().zip(&run).for_each(|(item, it)| *item = Some(it.1));
        }
        at += run.len().max(1);
    }
    if items.iter().all(Option::is_none) {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len() + lines.len());
    for (line, item) in lines.iter().zip(items) {
        match item {
            Some(from) => {
                result.push_str("- ");
                let said = line[from..].trim_end().trim_end_matches([',', ';', '.']);
                result.push_str(said.strip_suffix(" and").map_or(said, |it| it.trim_end_matches([',', ';'])));
            }
            None => result.push_str(line),
        }
        result.push('\n');
    }
    Cow::Owned(result)
}

/// Lines one below the other that begin with numbers of requirements (`BR-01  A loan ends …`), as items.
pub(super) fn with_labels(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.lines().collect();
    let mut fenced = false;
    let labelled: Vec<bool> = lines
        .iter()
        .map(|line| {
            fenced ^= line.trim_start().starts_with("```");
            !fenced && line.starts_with(char::is_uppercase) && label_end(line).1
        })
        .collect();
    let beside = |at: usize| at.checked_sub(1).is_some_and(|it| labelled[it]) || labelled.get(at + 1) == Some(&true);
    let is_item: Vec<bool> = (0..lines.len()).map(|at| labelled[at] && beside(at)).collect();
    if !is_item.contains(&true) {
        return Cow::Borrowed(text);
    }
    let marked =
        lines.iter().zip(&is_item).map(|(line, is_item)| format!("{}{line}", if *is_item { "- " } else { "" }));
    Cow::Owned(marked.collect::<Vec<_>>().join("\n"))
}

/// A text without headings that only count pages: `# Page 2`.
pub(super) fn without_pages(text: &str) -> Cow<'_, str> {
    let counts = |line: &str| {
        let rest = line.trim_start_matches('#').trim();
        line.starts_with('#')
            && rest.len() > 5
            && rest.get(..5).is_some_and(|it| it.eq_ignore_ascii_case("page "))
            && rest[5..].chars().all(|c| c.is_ascii_digit())
    };
    if !text.lines().any(counts) {
        return Cow::Borrowed(text);
    }
    let kept = text.lines().map(|line| if counts(line) { "" } else { line });
    Cow::Owned(kept.collect::<Vec<_>>().join("\n"))
}

/// Lists that are set as blocks of code without a language, as lists; lines stay where they are.
pub(super) fn with_lists(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.lines().collect();
    let fence = |at: usize| lines[at].trim() == "```";
    let is_item = |line: &&str| ["- ", "* "].iter().any(|it| line.trim_start().starts_with(it));
    let mut drop = vec![false; lines.len()];
    let mut at = 0;
    while at < lines.len() {
        if !lines[at].trim_start().starts_with("```") {
            at += 1;
            continue;
        }
        let Some(end) = (at + 1..lines.len()).find(|it| fence(*it)) else { break };
        let said: Vec<&str> = lines[at + 1..end].iter().copied().filter(|it| !it.trim().is_empty()).collect();
        let items = said.iter().filter(|it| is_item(it)).count();
        let led = said.iter().filter(|it| it.trim_end().ends_with(':')).count();
        if fence(at) && items >= 2 && items + led == said.len() {
            (drop[at], drop[end]) = (true, true);
        }
        at = end + 1;
    }
    if !drop.contains(&true) {
        return Cow::Borrowed(text);
    }
    let kept = lines.iter().zip(&drop).map(|(line, drop)| if *drop { "" } else { line });
    Cow::Owned(kept.collect::<Vec<_>>().join("\n"))
}

/// Lines that begin with a name in bold and list what it has, two or more in a row, as items: ``**loans** — `id`, `due_on` ``.
pub(super) fn with_names(text: &str) -> Cow<'_, str> {
    let lists = |line: &str| {
        let (name, rest) = line.strip_prefix("**")?.split_once("**")?;
        let rest = rest.trim_start();
        let list = rest.strip_prefix([':', '—', '–', '(']).or_else(|| rest.strip_prefix("- "));
        let list = list.or_else(|| name.ends_with(':').then_some(rest))?;
        let named = (1..=3).contains(&name.split_whitespace().count());
        let short = |it: &str| (1..=4).contains(&it.split_whitespace().count());
        (named && list.matches(',').count() >= 1 && list.trim_end_matches('.').split(',').all(short)).then_some(())
    };
    let lines: Vec<&str> = text.lines().collect();
    let is: Vec<bool> = lines.iter().map(|it| lists(it).is_some()).collect();
    let next = |at: usize| at > 0 && is[at - 1] || is.get(at + 1).is_some_and(|it| *it);
    if !(0..lines.len()).any(|at| is[at] && next(at)) {
        return Cow::Borrowed(text);
    }
    let marked =
        |at: usize| if is[at] && next(at) { Cow::Owned(format!("- {}", lines[at])) } else { Cow::Borrowed(lines[at]) };
    Cow::Owned((0..lines.len()).map(marked).collect::<Vec<_>>().join("\n"))
}

/// A text that has no heading of Markdown, with those lines as headings that stand alone and look like one: short, with a
/// capital or a number, without an end of a sentence. Lines stay where they are.
pub(super) fn with_headings(text: &str) -> Cow<'_, str> {
    let mut fenced = false;
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim_start();
        fenced ^= trimmed.starts_with("```") || trimmed.starts_with("~~~");
        let underlined = lines.get(at + 1).is_some_and(|next| {
            let next = next.trim_end();
            next.len() > 2 && (next.chars().all(|c| c == '=') || next.chars().all(|c| c == '-'))
        });
        let is_atx = trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ');
        if !fenced && (is_atx || (underlined && !trimmed.is_empty() && !trimmed.starts_with('|'))) {
            return Cow::Borrowed(text);
        }
    }
    // A text that is cut by rules has a heading behind each of them.
    let rule = |line: &str| {
        line.trim().len() >= 3
            && ["_", "*", "-", "="].iter().any(|it| line.trim().trim_matches(|c| it.starts_with(c)).is_empty())
    };
    let ruled = lines.iter().filter(|line| rule(line)).count() >= 3;
    let mut result = String::with_capacity(text.len() + 64);
    let mut after_rule = false;
    // Short lines below one with a colon are a list: `Add notes of a visit:`, `Symptoms`, `Diagnosis`.
    let mut listing = false;
    let mut fenced = false;
    for (at, line) in lines.iter().enumerate() {
        let fence = ["```", "~~~"].iter().any(|it| line.trim_start().starts_with(it));
        fenced ^= fence;
        if fenced || fence {
            result.push_str(line);
            result.push('\n');
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or("");
        let after = lines.get(at + 1).copied().unwrap_or("");
        let short = is_short(line);
        let level = heading_level(line, before, after);
        let numbered = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        listing = match line.trim() {
            "" => listing,
            said => said.ends_with(':') || listing && short && !numbered,
        };
        match level {
            _ if !ruled && listing && short && before.trim().is_empty() => {
                result.push_str("- ");
                result.push_str(line.trim());
            }
            _ if ruled && after_rule && short => {
                result.push_str("## ");
                result.push_str(line.trim());
            }
            Some(level) if !ruled => {
                result.push_str(&"#".repeat(level));
                result.push(' ');
                result.push_str(line.trim());
            }
            _ if ruled && short && (is_short(before) || is_short(after)) => {
                result.push_str("- ");
                result.push_str(line.trim());
            }
            _ => result.push_str(line),
        }
        after_rule = rule(line) || after_rule && line.trim().is_empty();
        result.push('\n');
    }
    Cow::Owned(result)
}

/// A line that is no sentence: an item of a list without its mark.
fn is_short(line: &str) -> bool {
    let line = line.trim();
    let spoken = ["As ", "I ", "So ", "If ", "When ", "Given ", "Then ", "And "].iter().any(|it| line.starts_with(it));
    !spoken
        && !line.is_empty()
        && line.split_whitespace().count() <= 7
        && line.starts_with(char::is_alphanumeric)
        && !line.ends_with(['.', ':', ';', ',', '!', '?', '"'])
}

fn heading_level(line: &str, before: &str, after: &str) -> Option<usize> {
    let text = line.trim();
    let numbered = |line: &str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let number: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let rest = text[number.len()..].trim_start_matches(')').trim_start();
    let fits = text.len() <= 70
        && (1..=8).contains(&rest.split_whitespace().count())
        && rest.starts_with(char::is_uppercase)
        && !text.ends_with(['.', ',', ';', ':', '?', '!', '|'])
        && !rest.contains(['/', '{', '=', '|'])
        && before.trim().is_empty();
    if !fits {
        return None;
    }
    if number.is_empty() {
        return after.trim().is_empty().then_some(3);
    }
    let depth = number.split('.').filter(|part| !part.is_empty()).count();
    (!numbered(after)).then_some((depth + 1).min(6))
}
