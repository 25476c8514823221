//! Tables that are no tables of Markdown: of HTML, of plus signs and strokes, of columns below rows of dashes. Each is made a table
//! of Markdown in its place.

use std::borrow::Cow;

/// No table is read that has more columns.
const MOST: usize = 40;

/// The text with tables of HTML and headings of HTML as those of Markdown; what follows a table stays on its line.
pub(super) fn with_html(text: &str) -> Cow<'_, str> {
    let lower = text.to_ascii_lowercase();
    if !lower.contains("<tr") && !lower.contains("<h2") && !lower.contains("<h3") {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    // A table that nothing closes is none.
    let closed = lower.rfind("</table>").unwrap_or(0);
    let mut fenced = false;
    let mut next = 0;
    while next < text.len() {
        let end = lower[next..].find('\n').map_or(text.len(), |it| next + it + 1);
        let (line, small) = (&text[next..end], lower[next..end].trim_start());
        fenced ^= small.starts_with("```") || small.starts_with("~~~");
        let table =
            (!fenced && next < closed && small.starts_with("<table")).then(|| lower[next..].find("</table>")).flatten();
        if let Some(length) = table {
            let end = next + length + "</table>".len();
            let lines = text[next..end].matches('\n').count();
            push_table(&mut result, &rows_of_html(&text[next..end], &lower[next..end]), lines);
            next = end;
            continue;
        }
        match heading_of_html(line.trim()).filter(|_| !fenced) {
            Some(heading) => {
                result.push_str(&heading);
                result.push('\n');
            }
            None => result.push_str(line),
        }
        next = end;
    }
    Cow::Owned(result)
}

/// `## Data` for `<h2>Data</h2>`.
fn heading_of_html(line: &str) -> Option<String> {
    let level = line.strip_prefix("<h").or_else(|| line.strip_prefix("<H"))?.chars().next()?.to_digit(10)?;
    let inner = &line[line.find('>')? + 1..];
    let inner = &inner[..inner.rfind("</")?];
    let title = plain_of_html(inner);
    ((1..=6).contains(&level) && !title.is_empty()).then(|| format!("{} {title}", "#".repeat(level as usize)))
}

/// The cells of the rows of a table, each as Markdown. A cell that goes on for several rows is empty in all but the first.
fn rows_of_html(table: &str, lower: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    // Of each column, for how many more rows its cell goes on.
    let mut spans = [0_usize; MOST];
    for (from, to) in between(lower, &["<tr"]) {
        let mut cells: Vec<String> = Vec::new();
        for (start, end) in between(&lower[from..to], &["<td", "<th"]) {
            while let Some(left) = spans.get_mut(cells.len()).filter(|it| **it > 0) {
                *left -= 1;
                cells.push(String::new());
            }
            let (cell, small) = (&table[from + start..from + end], &lower[from + start..from + end]);
            let Some(open) = cell.find('>') else { continue };
            let said = |name: &str| number_of(&small[..open], name).clamp(1, 500);
            if let Some(span) = spans.get_mut(cells.len()) {
                *span = said("rowspan") - 1;
            }
            cells.push(plain_of_html(&cell[open + 1..]));
            cells.extend((1..said("colspan").min(MOST)).map(|_| String::new()));
            if cells.len() >= MOST {
                break;
            }
        }
        if !cells.is_empty() {
            rows.push(cells);
        }
    }
    rows
}

/// The places of what follows each of some tags, up to the next of them.
fn between(lower: &str, tags: &[&str]) -> Vec<(usize, usize)> {
    let ends = |at: usize| lower[at..].starts_with(|c: char| c == '>' || c.is_whitespace());
    let mut starts: Vec<usize> = tags
        .iter()
        .flat_map(|tag| lower.match_indices(tag).map(|(at, _)| at + tag.len()))
        .filter(|at| ends(*at))
        .collect();
    starts.sort_unstable();
    let next = starts.iter().skip(1).map(|it| it - 3).chain([lower.len()]);
    starts.iter().copied().zip(next).collect()
}

/// The number that an attribute has in a tag.
fn number_of(tag: &str, name: &str) -> usize {
    let Some(at) = tag.find(name) else { return 1 };
    let digits = tag[at + name.len()..].trim_start_matches(['=', '"', '\'', ' ']);
    digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())].parse().unwrap_or(1)
}

/// Text of HTML as one line of Markdown: items of lists on lines of their own, what is bold and code as such.
fn plain_of_html(html: &str) -> String {
    let mut result = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        result.push_str(&rest[..open]);
        let Some(close) = rest[open..].find('>') else { break };
        let tag = rest[open + 1..open + close].trim_matches(['/', ' ']).to_ascii_lowercase();
        match tag.split_whitespace().next().unwrap_or("") {
            "li" | "br" if !result.trim().is_empty() && !rest[open..].starts_with("</") => result.push_str("<br>"),
            "code" => result.push('`'),
            "b" | "strong" => result.push_str("**"),
            _ => {}
        }
        rest = &rest[open + close + 1..];
    }
    result.push_str(rest);
    result.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// Adds a table of Markdown that takes as many lines as the table that it stands for had breaks of lines.
fn push_table(result: &mut String, rows: &[Vec<String>], breaks: usize) {
    let Some((head, body)) = rows.split_first() else { return result.push_str(&"\n".repeat(breaks)) };
    let line = |cells: &[String]| {
        let missing = vec![String::new(); head.len().saturating_sub(cells.len())];
        format!("| {} |", [cells, &missing].concat().join(" | "))
    };
    let rule = format!("|{}", "---|".repeat(head.len()));
    let lines: Vec<String> = [line(head), rule].into_iter().chain(body.iter().map(|it| line(it))).collect();
    let blank = result.ends_with("\n\n") || result.is_empty();
    if !blank && breaks > lines.len() {
        result.push('\n');
    }
    result.push_str(&lines.join("\n"));
    result.push_str(&"\n".repeat((breaks + 1).saturating_sub(lines.len() + usize::from(!blank)).max(1)));
}

/// The text with tables drawn by signs as tables of Markdown: those that stand in the text, and those that a block of code has with
/// nothing else than their captions.
pub(super) fn with_grids(text: &str) -> Cow<'_, str> {
    let is_rule = |it: &str| rule_of_grid(it).is_some() || dashes(it).is_some();
    if !text.lines().any(is_rule) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut result: Vec<Cow<'_, str>> = Vec::with_capacity(lines.len());
    let mut at = 0;
    // The end of the last lines that look like a grid and are none.
    let mut torn = 0;
    while at < lines.len() {
        let fence = lines[at].trim_start().get(..3).filter(|it| ["```", "~~~"].contains(it));
        if let Some(fence) = fence {
            let end = (at + 1..lines.len()).find(|it| lines[*it].trim() == fence).unwrap_or(lines.len());
            let inside = lines.get(at + 1..end).unwrap_or_default();
            match tables_alone(inside) {
                Some(made) => result.extend([Cow::Borrowed("")].into_iter().chain(made).chain([Cow::Borrowed("")])),
                None => result.extend(lines[at..lines.len().min(end + 1)].iter().map(|it| Cow::Borrowed(*it))),
            }
            at = end + 1;
        } else if at >= torn
            && let Some((length, made)) = grid(&lines[at..])
        {
            result.extend(made.into_iter().map(Cow::Owned));
            at += length;
        } else {
            if at >= torn && rule_of_grid(lines[at]).is_some() {
                torn = at + drawn(&lines[at..]);
            }
            result.push(Cow::Borrowed(lines[at]));
            at += 1;
        }
    }
    Cow::Owned(result.join("\n"))
}

/// The lines of a block of code in which nothing stands but tables, each with at most one line that leads up to the table.
fn tables_alone<'t>(lines: &[&'t str]) -> Option<Vec<Cow<'t, str>>> {
    let mut made: Vec<Cow<'t, str>> = Vec::new();
    let (mut tables, mut captions, mut at) = (0, 0, 0);
    while at < lines.len() {
        if let Some((length, rows)) = grid(&lines[at..]).or_else(|| ruled(&lines[at..])) {
            made.extend(rows.into_iter().map(Cow::Owned));
            (tables, captions, at) = (tables + 1, 0, at + length);
            continue;
        }
        let counts = lines[at].contains(" rows in set") || lines[at].trim().ends_with(" rows)");
        if !lines[at].trim().is_empty() && !counts {
            captions += 1;
            if captions > 1 || lines[at].split_whitespace().count() > 6 || at + 2 >= lines.len() {
                return None;
            }
        }
        made.push(Cow::Borrowed(if counts { "" } else { lines[at].trim_start() }));
        at += 1;
    }
    (tables > 0).then_some(made)
}

/// The places of the signs in the border of a grid: `+----+----+`.
fn rule_of_grid(line: &str) -> Option<Vec<usize>> {
    let line = line.trim_end();
    let fits = line.trim_start().starts_with("+-") || line.trim_start().starts_with("+=");
    if !fits || !line.ends_with('+') || !line.trim_start().chars().all(|c| "+-=".contains(c)) {
        return None;
    }
    let places: Vec<usize> = line.match_indices('+').map(|(at, _)| at).collect();
    (3..=MOST).contains(&places.len()).then_some(places)
}

/// How many of some lines are drawn with the signs of a grid, from the first on.
fn drawn(lines: &[&str]) -> usize {
    lines.iter().take_while(|it| it.trim_start().starts_with(['+', '|'])).count()
}

/// The table of plus signs that some lines begin with: how many of them are part of the table, and as many lines of Markdown.
fn grid(lines: &[&str]) -> Option<(usize, Vec<String>)> {
    let places = rule_of_grid(lines.first()?)?;
    let length = drawn(lines);
    let borders = lines[..length].iter().filter(|it| rule_of_grid(it).is_some()).count();
    let heavy = lines[..length].iter().any(|it| it.trim_start().starts_with("+="));
    // Rows are what stands between borders, or each line where only the head has a border below.
    let by_border = heavy || borders > 3;
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut open = false;
    for line in &lines[..length] {
        if line.trim_start().starts_with('+') {
            open = false;
            continue;
        }
        let cells: Vec<String> = line
            .trim()
            .trim_matches('|')
            .split('|')
            .map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        if cells.len() + 1 != places.len() {
            return None;
        }
        match rows.last_mut().filter(|_| open && by_border) {
            Some(last) => {
                for (cell, more) in last.iter_mut().zip(cells).filter(|it| !it.1.is_empty()) {
                    *cell = format!("{cell} {more}").trim().to_owned();
                }
            }
            None => rows.push(cells),
        }
        open = true;
    }
    (rows.len() >= 2).then(|| (length, markdown(&rows, length)))
}

/// Where columns begin below a row of dashes: `-----  ------`, `----+-----`.
fn dashes(line: &str) -> Option<Vec<usize>> {
    let line = line.trim_end();
    if line.len() < 7 || !line.chars().all(|c| "-=+ ".contains(c)) || line.starts_with('+') {
        return None;
    }
    let is_stroke = |c: u8| c == b'-' || c == b'=';
    let bytes = line.as_bytes();
    let begins = |at: &usize| is_stroke(bytes[*at]) && (*at == 0 || !is_stroke(bytes[*at - 1]));
    let places: Vec<usize> = (0..bytes.len()).filter(begins).collect();
    let wide = line.split([' ', '+']).filter(|it| !it.is_empty()).all(|it| it.len() >= 2);
    (wide && (2..=MOST).contains(&places.len())).then_some(places)
}

/// The table of columns below a row of dashes that some lines begin with, in the form that `grid` gives.
fn ruled(lines: &[&str]) -> Option<(usize, Vec<String>)> {
    let places = dashes(lines.get(1)?)?;
    let length = lines.iter().take_while(|it| !it.trim().is_empty() && !it.ends_with(" rows)")).count();
    let cells = |line: &&str| -> Vec<String> {
        let chars: Vec<char> = line.chars().collect();
        let ends = places.iter().skip(1).copied().chain([usize::MAX]);
        let part = |(from, to): (&usize, usize)| -> String {
            let part = chars.get(*from..to.min(chars.len())).unwrap_or_default();
            part.iter().collect::<String>().trim_matches([' ', '|', '\t']).replace('|', "\\|")
        };
        places.iter().zip(ends).map(part).collect()
    };
    let named = cells(lines.first()?).iter().all(|it| it.starts_with(char::is_alphabetic));
    let rows: Vec<Vec<String>> =
        lines[..length].iter().enumerate().filter(|(at, _)| *at != 1).map(|(_, it)| cells(it)).collect();
    (named && rows.len() >= 3).then(|| (length, markdown(&rows, length)))
}

/// A table of Markdown of as many lines as are given, empty ones at the end.
fn markdown(rows: &[Vec<String>], lines: usize) -> Vec<String> {
    let mut made = String::from("\n\n");
    push_table(&mut made, rows, lines);
    let mut made: Vec<String> = made[2..].lines().map(str::to_owned).collect();
    made.resize(lines.max(made.len()), String::new());
    made
}
