//! The walk over a Python syntax tree.

use super::kinds::Python;

/// Where an expression stands: in a place for types, a string is a forward reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Value,
    Type,
}

pub(super) type Lowering<'t> = crate::languages::tree::Lowering<'t, Python>;
pub(super) type Child<'t> = crate::languages::tree::Child<'t, Python>;
pub(super) use crate::languages::tree::Opened;
