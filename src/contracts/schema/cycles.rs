//! Declarations that a merged view cannot be made of: a schema that is, by `$ref` and `allOf` alone, a part of itself,
//! and `allOf`s that multiply without end. Both become unknown before anybody looks at them.

use crate::contracts::IssueKind;
use crate::contracts::reader::Reader;
use crate::finding::{Problem, ProblemKind};
use crate::model::{Kind, Shape, ShapeId};

/// Parts that one merged view may visit; one that visits more is unknown, which is told.
const MAX_PARTS: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    /// With the number of shapes that a view of it visits.
    Done(usize),
}

/// Cuts every cycle at the shape that closes it.
pub(in crate::contracts) fn cut(reader: &mut Reader<'_>) {
    let mut states = vec![State::New; reader.shapes.len()];
    for start in 0..states.len() {
        visit(reader, ShapeId(start as u32), &mut states);
    }
}

fn visit(reader: &mut Reader<'_>, start: ShapeId, states: &mut [State]) {
    if states[start.0 as usize] != State::New {
        return;
    }
    // Each entry: a shape and how many of its parts were entered.
    let mut stack = vec![(start, 0_usize)];
    states[start.0 as usize] = State::Open;
    while let Some((id, entered)) = stack.last_mut() {
        let id = *id;
        let next = parts(&reader.shapes.get(id).kind).get(*entered).copied();
        *entered += 1;
        match next {
            Some(part) if states[part.0 as usize] == State::New => {
                states[part.0 as usize] = State::Open;
                stack.push((part, 0));
            }
            Some(part) if states[part.0 as usize] == State::Open => {
                close(reader, id);
                states[id.0 as usize] = State::Done(1);
                stack.pop();
            }
            Some(_) => {}
            None => {
                let visits = parts(&reader.shapes.get(id).kind)
                    .iter()
                    .map(|part| match states[part.0 as usize] {
                        State::Done(visits) => visits,
                        State::New | State::Open => 1,
                    })
                    .fold(1, usize::saturating_add);
                states[id.0 as usize] = State::Done(if visits > MAX_PARTS { refuse(reader, id) } else { visits });
                stack.pop();
            }
        }
    }
}

fn parts(kind: &Kind) -> &[ShapeId] {
    match kind {
        Kind::Ref(target) => std::slice::from_ref(target),
        Kind::All(parts) => parts,
        _ => &[],
    }
}

fn close(reader: &mut Reader<'_>, id: ShapeId) {
    let shape = reader.shapes.get(id).clone();
    if let Some(span) = shape.span {
        let message = "this schema is a part of itself".to_owned();
        let help = "a schema may contain itself in a property or in items, not through `$ref` and `allOf` alone";
        reader.issue(IssueKind::InvalidValue, span, &shape.pointer, message, Some(help));
    }
    replace(reader, id, shape, "the schema is a part of itself");
}

fn refuse(reader: &mut Reader<'_>, id: ShapeId) -> usize {
    let shape = reader.shapes.get(id).clone();
    let message = format!("`allOf` comes to more than {MAX_PARTS} schemas");
    let problem = Problem { span: shape.span, ..Problem::new(ProblemKind::TooLarge, reader.sources[0].path, message) };
    reader.problems.push(problem);
    replace(reader, id, shape, "`allOf` of too many schemas");
    1
}

fn replace(reader: &mut Reader<'_>, id: ShapeId, shape: Shape, reason: &str) {
    let kind = Shape::unknown(reason, shape.span).kind;
    reader.shapes.set(id, Shape { kind, ..shape });
}
