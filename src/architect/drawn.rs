//! Drawings in blocks of code: boxes of lines with a title and what stands below it, and trees of branches.

/// A text in a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// The number of the line in the block, from 0.
    pub(super) line: usize,
    pub(super) text: String,
    /// The text that this one stands below of, by its number: the title of its box, what it branches off.
    pub(super) below: Option<usize>,
}

/// A box that is open: where its sides stand, and its title.
struct Frame {
    from: usize,
    end: usize,
    title: Option<usize>,
    rows: usize,
    /// Of plus signs, whose upper and lower borders look alike.
    of_signs: bool,
}

/// No drawing has more boxes that are open at once.
const MOST: usize = 64;

/// By how many columns a row may be longer than its box.
const LONGER: usize = 16;

const SIDES: &[char] = &['│', '┃', '║', '|'];

/// What a drawing says, each text once; nothing where a block has no two boxes and no branches.
pub(super) fn texts(code: &str) -> Vec<Said> {
    let lines: Vec<Vec<char>> = code.lines().map(|it| it.chars().collect()).collect();
    let boxes = boxes(&lines);
    if boxes.iter().filter(|it| it.below.is_none()).count() >= 2 && boxes.iter().any(|it| it.below.is_some()) {
        return boxes;
    }
    let tree = branches(&lines);
    if tree.iter().any(|it| it.below.is_some()) { tree } else { Vec::new() }
}

/// Texts in boxes: the first of each is its title.
fn boxes(lines: &[Vec<char>]) -> Vec<Said> {
    let mut found = Vec::new();
    let mut open: Vec<Frame> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let edges = borders(line);
        for (from, end) in edges.iter().copied() {
            let known = open.iter().position(|it| it.from == from && it.end == end);
            let corner = line[from];
            match known {
                // A line below the title.
                Some(_) if "├╠".contains(corner) => {}
                // The lower border of the box before was none: `└─ 1:N ─┘`.
                Some(place) if "┌╔╭".contains(corner) => {
                    open[place] = Frame { from, end, title: None, rows: 0, of_signs: false };
                }
                Some(place) if corner == '+' && open[place].rows <= 1 => {}
                Some(place) => {
                    open.remove(place);
                }
                None if "┌╔╭+".contains(corner) => {
                    open.retain(|it| it.end <= from || it.from >= end || it.from < from && end < it.end);
                    if open.len() < MOST {
                        open.push(Frame { from, end, title: None, rows: 0, of_signs: corner == '+' });
                    }
                }
                None => {}
            }
        }
        let is_side = |at: usize| line.get(at).is_some_and(|it| SIDES.contains(it));
        let goes_on = |it: &Frame| is_side(it.from) || is_side(it.end) || edges.contains(&(it.from, it.end));
        open.retain(|it| !it.of_signs || it.rows == 0 || goes_on(it));
        // What stands in a box within a box is of the inner one.
        let sided: Vec<(usize, usize)> =
            open.iter().filter(|it| is_side(it.from) || is_side(it.end)).map(|it| (it.from, it.end)).collect();
        let begins: Vec<usize> = open.iter().map(|it| it.from).collect();
        for frame in &mut open {
            let is_within = |it: &(usize, usize)| frame.from < it.0 && it.1 < frame.end;
            if !sided.contains(&(frame.from, frame.end)) || sided.iter().any(is_within) {
                continue;
            }
            // A row that is too long for its box ends at the side that stands behind it.
            let behind = (frame.end..line.len().min(frame.end + LONGER)).find(|it| is_side(*it));
            let behind = behind.filter(|it| !begins.iter().any(|from| frame.end < *from && from <= it));
            let end = behind.unwrap_or(frame.end).min(line.len());
            let inner: String = line[(frame.from + 1).min(end)..end].iter().collect();
            let text = inner.trim_matches(|c: char| !c.is_alphanumeric() && !"_)]}#*".contains(c)).trim();
            // `winner: string | null` is a row of its own.
            let other = text.find(SIDES).is_some_and(|at| !text[..at].contains(": "));
            if !text.contains(char::is_alphabetic) || other {
                continue;
            }
            frame.rows += 1;
            found.push(Said { line: at, text: text.to_owned(), below: frame.title });
            frame.title = frame.title.or(Some(found.len() - 1));
        }
    }
    found
}

/// Where borders of boxes begin and end in a line: `┌───┐`, `+---+`. A line of `+---+---+` is one of a table.
fn borders(line: &[char]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = None;
    for (at, c) in line.iter().enumerate() {
        match from {
            Some(start) if "┐┘┤╗╝╣╮╯+".contains(*c) => {
                if at > start + 2 {
                    found.push((start, at));
                }
                let is_table = *c == '+' && line.get(at + 1).is_some_and(|it| "-=".contains(*it));
                if is_table {
                    return Vec::new();
                }
                from = None;
            }
            Some(_) if "─━═-┬┴┼╤╧▼▲".contains(*c) => {}
            _ => from = "┌└├╔╚╠╭╰+".contains(*c).then_some(at),
        }
    }
    found
}

/// Texts of a tree: `├── name` branches off the text that stands above the mark `├`.
fn branches(lines: &[Vec<char>]) -> Vec<Said> {
    /// A branch does not look further up.
    const NEAR: usize = 80;
    let mut found: Vec<Said> = Vec::new();
    // Where each text begins, and the mark before it.
    let mut starts: Vec<(usize, Option<usize>)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for (mark, start, text) in parts(line) {
            let above = || starts.iter().enumerate().rev().take(NEAR);
            let below = mark.and_then(|mark| {
                Some(above().find(|(_, (start, own))| *own != Some(mark) && start.abs_diff(mark) <= 1)?.0)
            });
            found.push(Said { line: at, text, below });
            starts.push((start, mark));
        }
    }
    found
}

/// The texts of a line of a tree: where the mark of the branch stands, where the text begins, and the text.
fn parts(line: &[char]) -> Vec<(Option<usize>, usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() {
        if matches!(line[at], ' ' | '│' | '|' | '\t') {
            at += 1;
            continue;
        }
        let mark = "├└┣┗╰".contains(line[at]).then_some(at);
        let start = match mark {
            Some(_) => (at + 1..line.len()).find(|it| !"─━- ".contains(line[*it])).unwrap_or(line.len()),
            None => at,
        };
        let gap = |it: &usize| line[*it] == ' ' && line.get(it + 1).is_none_or(|it| *it == ' ');
        let end = (start..line.len()).find(gap).unwrap_or(line.len());
        let text: String = line[start..end].iter().collect();
        if text.contains(char::is_alphabetic) {
            found.push((mark, start, text));
        }
        at = end.max(at + 1);
    }
    found
}

/// The labels of the nodes of a flow and of the messages of a sequence, each with the number of its line from 0, in the notation of Mermaid:
/// `A --> B[Approve the claim]`, `User->>API: Create an order`. Labels of one word and diagrams of other kinds say nothing here.
pub(super) fn labels(code: &str) -> Vec<(usize, String)> {
    let mut lines = code.lines().enumerate().filter(|(_, it)| !it.trim().is_empty() && !it.trim().starts_with("%%"));
    let kind = lines.next().and_then(|(_, it)| it.split_whitespace().next()).unwrap_or("");
    let mut found = Vec::new();
    for (at, line) in lines {
        let said: Vec<&str> = match kind {
            "flowchart" | "graph" => nodes(line),
            "sequenceDiagram" => message(line).into_iter().collect(),
            _ => return Vec::new(),
        };
        let plain = said.into_iter().map(|it| it.replace("<br/>", " ").replace("<br>", " ").replace("\\n", " "));
        found.extend(plain.filter(|it| it.contains(' ')).map(|it| (at, it)));
    }
    found
}

/// What stands in the brackets of nodes: `Approve the claim` in `B[/"Approve the claim"/]`.
fn nodes(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(open) = rest.find(['[', '{', '(']) {
        let close = match rest.as_bytes()[open] {
            b'[' => ']',
            b'{' => '}',
            _ => ')',
        };
        let inner = &rest[open + 1..];
        let Some(end) = inner.find(close) else { break };
        found.push(inner[..end].trim_matches(|c: char| !c.is_alphanumeric()));
        rest = &inner[end..];
    }
    found
}

/// What a message says: `Create an order` of `User->>API: Create an order`.
fn message(line: &str) -> Option<&str> {
    let (ends, said) = line.split_once(':')?;
    (ends.contains("->") || ends.contains("-)")).then_some(said.trim())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{labels, texts};

    /// Each text behind the one that it stands below of.
    fn told(code: &str) -> Vec<(String, String)> {
        let said = texts(code);
        said.iter().filter_map(|it| Some((said[it.below?].text.clone(), it.text.clone()))).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(title, text)| ((*title).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn boxes_side_by_side_each_have_their_own_rows() {
        let code = "\
┌──────────┐     ┌──────────┐
│  Book    │     │  Author  │
├──────────┤     ├──────────┤
│  isbn    │◀┐   │  name    │
│  title   │ └──▶│  bio     │
└──────────┘     └──────────┘
";
        let expected = [("Book", "isbn"), ("Author", "name"), ("Book", "title"), ("Author", "bio")];
        assert_eq!(told(code), pairs(&expected));
    }

    #[test]
    fn boxes_of_plus_signs_have_a_line_below_the_title() {
        let code = "\
+-------+   +--------+
| User  |   | Order  |
+-------+   +--------+
| email |   | total  |
| phone |   | status |
+-------+   +--------+
";
        let expected = [("User", "email"), ("Order", "total"), ("User", "phone"), ("Order", "status")];
        assert_eq!(told(code), pairs(&expected));
    }

    #[test]
    fn branches_belong_to_what_stands_above_them() {
        let code = "\
User                Form
├── email           ├── title
└── plan            └── owner_id
";
        let expected = [("User", "email"), ("Form", "title"), ("User", "plan"), ("Form", "owner_id")];
        assert_eq!(told(code), pairs(&expected));
        assert_eq!(told("User\n├email\n├plan\n"), pairs(&[("User", "email"), ("User", "plan")]));
    }

    #[test]
    fn a_box_within_a_box_keeps_its_rows_and_a_table_is_no_box() {
        let code = "\
┌────────────────────────────┐
│          Database          │
│ ┌──────────┐  ┌──────────┐ │
│ │  Order   │  │  Round   │ │
│ │  total   │  │  city    │ │
│ └──────────┘  └──────────┘ │
└────────────────────────────┘
";
        assert_eq!(told(code), pairs(&[("Order", "total"), ("Round", "city")]));
        assert_eq!(
            texts("+-------+------+\n| Field | Type |\n+-------+------+\n| id    | uuid |\n+-------+------+\n"),
            []
        );
    }

    #[test]
    fn what_is_no_drawing_says_nothing() {
        assert_eq!(texts("let total = a | b;\nif total > 1 { stop() }\n"), []);
    }

    #[test]
    fn nodes_of_flows_and_messages_say_what_is_done() {
        let said = |code: &str| labels(code).into_iter().map(|it| it.1).collect::<Vec<_>>();
        let flow = "flowchart TD\n  A[Open form] --> B{\"Approve the claim?\"}\n  B -->|Yes| C[/Send<br/>mail/]\n";
        assert_eq!(said(flow), ["Open form", "Approve the claim", "Send mail"]);
        assert_eq!(
            said("sequenceDiagram\n  User->>API: Create an order\n  Note over API: fast\n"),
            ["Create an order"]
        );
        assert_eq!(said("erDiagram\n  USER ||--o{ ORDER : places it\n"), [""; 0]);
    }

    proptest! {
        #[test]
        fn any_label_is_read(code in "(flowchart|graph|sequenceDiagram)\n[ a\\[\\]{}()|>:-]{0,80}") {
            labels(&code);
        }

        #[test]
        fn any_drawing_is_read(code in "[ ab|+\\-┌┐└┘├┤│─\\n]{0,200}") {
            for (at, it) in texts(&code).iter().enumerate() {
                prop_assert!(it.below.is_none_or(|below| below < at));
            }
        }
    }
}
