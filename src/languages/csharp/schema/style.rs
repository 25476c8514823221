//! How a serialiser is set up.

use super::names::Naming;
use crate::evaluate::Value;

/// What a serialiser leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) enum Ignore {
    #[default]
    Never,
    Null,
    /// Whatever has the default value of its type.
    Default,
}

/// How enumerations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) enum Enums {
    #[default]
    Numbers,
    Names(Naming),
    /// It is not known which.
    Unknown,
}

/// Settings of one serialiser.
#[derive(Clone)]
pub(super) struct Style<'p> {
    /// Newtonsoft.Json rather than System.Text.Json.
    pub(super) newtonsoft: bool,
    pub(super) names: Naming,
    /// The rule holds for names that attributes give, too.
    pub(super) respell: bool,
    pub(super) enums: Enums,
    pub(super) ignore: Ignore,
    pub(super) fields: bool,
    /// Converters that were added, the first that is for a type counts.
    pub(super) converters: Vec<Value<'p>>,
}

impl Style<'_> {
    /// What ASP.NET sets up where the program says nothing.
    pub(super) fn web(newtonsoft: bool) -> Self {
        Style {
            newtonsoft,
            names: Naming::Camel,
            respell: false,
            enums: Enums::Numbers,
            ignore: Ignore::Never,
            fields: newtonsoft,
            converters: Vec::new(),
        }
    }
}
