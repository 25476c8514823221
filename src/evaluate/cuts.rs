//! What was not looked at because a budget was used up: recorded in one place, whoever met it, so that none ends in silence.

use std::collections::BTreeMap;

use super::Evaluator;
use crate::text::Span;

/// What one kind of budget cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    pub times: usize,
    /// The first place of it.
    pub first: Option<Span>,
    /// It was met while routes were being registered: there may be more of them.
    pub registers: bool,
}

/// By what was not looked at, in words that go before "was not looked at".
pub type Cuts = BTreeMap<&'static str, Cut>;

impl Evaluator<'_> {
    /// Notes that something was not looked at.
    pub fn cut(&mut self, what: &'static str, place: Option<Span>) {
        self.note_cut(what, place, self.registers_routes());
    }

    /// The same of routes that are known, while they are read.
    pub fn cut_reading(&mut self, what: &'static str, place: Option<Span>) {
        self.note_cut(what, place, false);
    }

    fn note_cut(&mut self, what: &'static str, place: Option<Span>, registers: bool) {
        let cut = self.cuts.entry(what).or_insert(Cut { times: 0, first: place, registers });
        cut.times += 1;
        cut.registers |= registers;
    }
}

#[cfg(test)]
mod tests {
    use super::super::ProgramIndex;
    use super::*;
    use crate::text::FileId;

    #[test]
    fn cuts_are_counted_by_kind_with_the_first_place() {
        let index = ProgramIndex::default();
        let mut evaluator = Evaluator::new(&[], &index, Vec::new());
        let place = |at| Some(Span::new(FileId(0), at, at + 1));
        evaluator.cut("passes", place(1));
        evaluator.cut("passes", place(2));
        evaluator.serving.push(crate::evaluate::NodeId(0));
        evaluator.cut("answers", None);
        let found: Vec<_> = evaluator.cuts.into_iter().collect();
        assert_eq!(
            found,
            [
                ("answers", Cut { times: 1, first: None, registers: false }),
                ("passes", Cut { times: 2, first: place(1), registers: true }),
            ]
        );
    }
}
