//! What is told of a difference: of which kind it is, and where it stands on both sides.

use crate::model::ShapeId;
use crate::text::Span;

/// What is wrong with a member, from the consumer's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DifferenceKind {
    /// A required member is never sent.
    MissingField,
    /// An optional member is never sent.
    MissingOptionalField,
    /// A member is sent that the consumer does not declare.
    ExtraField,
    /// A member is sent that the consumer rules out.
    ForbiddenField,
    /// A member is sent in another casing than promised.
    Casing,
    /// A value of another type may be sent.
    Type,
    /// A value may be sent that the consumer's closed set lacks.
    EnumValue,
    /// A required member may be left out.
    Optional,
    /// The producer leaves the member out by an option of its serialiser, although its type always has it.
    LeftOut,
    /// Null may be sent where it is not allowed.
    Nullable,
    /// Documents: a value may be sent that goes beyond a bound. `actual` is empty where the producer states none.
    Limit,
    /// Documents: a text may be sent that another pattern matches. `actual` is empty where the producer states none.
    Pattern,
    /// Documents: another keyword of the consumer's holds of what is sent, or not.
    Constraint,
    /// Documents: an alternative may be sent that the consumer does not have.
    Alternative,
    /// Documents: members that nobody names may be sent where the consumer rules them out.
    Closed,
    /// Documents: what stands for a member that is left out differs.
    Default,
    /// Documents: alternatives are told apart by another member.
    Discriminator,
    /// Documents: a member is always sent now that went the other way only.
    Exposed,
    /// Documents: the newer one calls a value deprecated. Both sides say until when it stays, if they do.
    Deprecated,
    /// Documents: what is deprecated goes earlier than the older one said, or on no day that could be read.
    Sunset,
}

impl DifferenceKind {
    pub const ALL: [DifferenceKind; 20] = [
        DifferenceKind::MissingField,
        DifferenceKind::MissingOptionalField,
        DifferenceKind::ExtraField,
        DifferenceKind::ForbiddenField,
        DifferenceKind::Casing,
        DifferenceKind::Type,
        DifferenceKind::EnumValue,
        DifferenceKind::Optional,
        DifferenceKind::LeftOut,
        DifferenceKind::Nullable,
        DifferenceKind::Limit,
        DifferenceKind::Pattern,
        DifferenceKind::Constraint,
        DifferenceKind::Alternative,
        DifferenceKind::Closed,
        DifferenceKind::Default,
        DifferenceKind::Discriminator,
        DifferenceKind::Exposed,
        DifferenceKind::Deprecated,
        DifferenceKind::Sunset,
    ];

    pub fn name(self) -> &'static str {
        match self {
            DifferenceKind::MissingField => "missing-field",
            DifferenceKind::MissingOptionalField => "missing-optional-field",
            DifferenceKind::ExtraField => "extra-field",
            DifferenceKind::ForbiddenField => "forbidden-field",
            DifferenceKind::Casing => "casing",
            DifferenceKind::Type => "type",
            DifferenceKind::EnumValue => "enum-value",
            DifferenceKind::Optional => "optional",
            DifferenceKind::LeftOut => "left-out",
            DifferenceKind::Nullable => "nullable",
            DifferenceKind::Limit => "limit",
            DifferenceKind::Pattern => "pattern",
            DifferenceKind::Constraint => "constraint",
            DifferenceKind::Alternative => "alternative",
            DifferenceKind::Closed => "closed",
            DifferenceKind::Default => "default",
            DifferenceKind::Discriminator => "discriminator",
            DifferenceKind::Exposed => "exposed",
            DifferenceKind::Deprecated => "deprecated",
            DifferenceKind::Sunset => "sunset",
        }
    }

    /// Whether a consumer that relies on its declaration can fail over it.
    pub fn breaks(self) -> bool {
        !matches!(
            self,
            DifferenceKind::MissingOptionalField
                | DifferenceKind::ExtraField
                | DifferenceKind::Closed
                | DifferenceKind::Default
                | DifferenceKind::Discriminator
                | DifferenceKind::Exposed
                | DifferenceKind::Deprecated
                | DifferenceKind::Sunset
        )
    }
}

/// One step from a value into it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    Field(String),
    Items,
    /// Any value of a map.
    Values,
}

/// `items[].name`; `*` stands for any key of a map. Empty for the value itself.
pub fn render(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Items => out.push_str("[]"),
            Step::Field(_) | Step::Values => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(if let Step::Field(name) = step { name } else { "*" });
            }
        }
    }
    out
}

/// One side of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Side {
    /// The innermost object around the member that both sides declare; `None` outside of any.
    pub owner: Option<ShapeId>,
    /// The value at the path; `None` where this side has none.
    pub shape: Option<ShapeId>,
    /// Where this side declares the member.
    pub span: Option<Span>,
}

/// One way in which the producer does not keep what the consumer was promised.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub kind: DifferenceKind,
    /// From the compared shapes.
    pub path: Vec<Step>,
    /// From the owner.
    pub member: Vec<Step>,
    pub producer: Side,
    pub consumer: Side,
    /// What the consumer was promised, in words.
    pub expected: String,
    /// What the producer sends, in words.
    pub actual: String,
}
