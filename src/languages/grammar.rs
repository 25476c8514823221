//! A grammar's node kinds and fields as enums, looked up once by name: comparing numbers while walking is several times
//! faster than comparing names, and a grammar that renumbers its symbols changes nothing here.

use std::fmt::Debug;
use std::num::NonZeroU16;

use tree_sitter::{Language, Node};

/// Declares an enum with a variant for each name of the grammar that lowering looks at; `Unlisted` for the rest.
macro_rules! names {
    ($(#[$about:meta])* $vis:vis enum $enum:ident, $lookup:ident { $($(#[$note:meta])* $variant:ident = $($name:literal)|+,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $enum {
            Unlisted,
            $($(#[$note])* $variant,)*
        }

        fn $lookup(name: &str) -> $enum {
            match name {
                $($($name)|+ => $enum::$variant,)*
                _ => $enum::Unlisted,
            }
        }

        #[cfg(test)]
        #[allow(dead_code, reason = "not every table's tests go through its names")]
        impl $enum {
            pub(super) const NAMES: &[&str] = &[$($($name),+),*];
        }
    };
}
pub(super) use names;

/// What the walk has to know of a language's enums.
pub(super) trait Grammar: 'static {
    type Kind: Copy + PartialEq + Debug;
    type Field: Copy + PartialEq;
    /// State of lowering that only this language has.
    type Extra: Default;

    /// Keywords and punctuation.
    const TOKEN: Self::Kind;
    /// What the parser could not read.
    const ERROR: Self::Kind;
    /// The field of a child without one.
    const NO_FIELD: Self::Field;

    fn kind(name: &str) -> Self::Kind;
    /// A keyword that stands for a value has a kind of its own.
    fn token(_name: &str) -> Self::Kind {
        Self::TOKEN
    }
    fn field(name: &str) -> Self::Field;
    /// Comments and the like, which stand anywhere.
    fn is_skipped(kind: Self::Kind) -> bool;
    /// Whether it is read as a statement wherever it stands, be it inside of something unreadable. An error is.
    fn is_statement(kind: Self::Kind) -> bool;
    /// What is not lowered, whatever it holds: nothing is missed where it could not be read.
    fn is_opaque(_kind: Self::Kind) -> bool {
        false
    }
}

/// Number to enum, for every kind and field of a grammar.
pub(super) struct Tables<G: Grammar> {
    kinds: Vec<G::Kind>,
    fields: Vec<G::Field>,
}

impl<G: Grammar> Tables<G> {
    pub(super) fn new(grammar: &Language) -> Self {
        let kinds = (0..grammar.node_kind_count() as u16).map(|id| {
            let name = grammar.node_kind_for_id(id).unwrap_or("");
            if grammar.node_kind_is_named(id) { G::kind(name) } else { G::token(name) }
        });
        let fields =
            (0..=grammar.field_count() as u16).map(|id| grammar.field_name_for_id(id).map_or(G::NO_FIELD, G::field));
        Tables { kinds: kinds.collect(), fields: fields.collect() }
    }

    pub(super) fn kind(&self, node: Node<'_>) -> G::Kind {
        // The parser's own kind for what it could not read has a number beyond the grammar's.
        self.kinds.get(node.kind_id() as usize).copied().unwrap_or(G::ERROR)
    }

    pub(super) fn field(&self, id: Option<NonZeroU16>) -> G::Field {
        id.and_then(|id| self.fields.get(id.get() as usize).copied()).unwrap_or(G::NO_FIELD)
    }

    #[cfg(test)]
    pub(super) fn kinds(&self) -> &[G::Kind] {
        &self.kinds
    }

    #[cfg(test)]
    pub(super) fn fields(&self) -> &[G::Field] {
        &self.fields
    }
}
