//! A member in which a type in code and a schema of a contract differ: its places and names on both sides, and what makes
//! several such differences one.

use super::causes::{Cause, contract_place};
use super::shape::{Difference, DifferenceKind, Side, Step, render};
use crate::contracts::Declarations;
use crate::finding::ContractPlace;
use crate::model::{ShapeId, ShapeTable};
use crate::text::Span;

/// What a difference is about: which side is code, and what stands around it there and in the contract.
pub(super) struct Around<'a> {
    pub(super) code: &'a ShapeTable,
    pub(super) contract: &'a Declarations,
    /// Whether code is what sends.
    pub(super) sends: bool,
    /// The schema that was compared, and where it stands.
    pub(super) whole: (ShapeId, Span),
    /// The place in code that stands for all of it: outside of any object a difference is that place's own, whatever
    /// shapes it shares with others.
    pub(super) at: Span,
}

impl Around<'_> {
    /// Code and contract.
    fn sides<'d>(&self, difference: &'d Difference) -> (&'d Side, &'d Side) {
        if self.sends {
            (&difference.producer, &difference.consumer)
        } else {
            (&difference.consumer, &difference.producer)
        }
    }
}

/// One difference with its places and names.
pub(super) struct Member {
    /// The type around it in code.
    pub(super) type_name: Option<String>,
    /// From that type.
    pub(super) name: String,
    /// As a finding names it: a declared type stands in several places of many payloads, so that its member is named as
    /// it has it.
    pub(super) path: String,
    pub(super) span: Span,
    pub(super) place: ContractPlace,
    /// The schema around it.
    pub(super) schema_name: Option<String>,
    /// What one side wants and the other has, ready to stand in a sentence.
    pub(super) expected: String,
    pub(super) actual: String,
    /// The type and the schema.
    owners: (Option<Span>, Option<Span>, String),
}

impl Member {
    pub(super) fn of(around: &Around<'_>, difference: &Difference) -> Self {
        let Around { code, contract, sends, whole, at } = *around;
        let (own, theirs) = around.sides(difference);
        let owner = own.owner.map(|id| code.get(id));
        let type_name = owner.and_then(|owner| owner.name.clone());
        let type_span = owner.and_then(|owner| owner.span);
        let own_span = own.shape.filter(|_| owner.is_some()).and_then(|id| code.get(id).span);
        let mut spelt = difference.member.clone();
        // What code takes is spelt otherwise where it is sent.
        if let (false, DifferenceKind::Casing, Some(last)) = (sends, difference.kind, spelt.last_mut()) {
            *last = Step::Field(difference.actual.clone());
        }
        let place = contract_place(contract, whole, theirs, &spelt);
        let schema = contract.shapes.view(theirs.owner.unwrap_or(whole.0));
        let name = render(&difference.member);
        let in_words = |text: &str| match difference.kind {
            DifferenceKind::Casing => format!("`{text}`"),
            _ => text.to_owned(),
        };
        let code_span = if owner.is_some() { type_span } else { Some(at) };
        Member {
            path: if type_name.is_some() { name.clone() } else { render(&difference.path) },
            span: own.span.or(type_span).or(own_span).unwrap_or(at),
            schema_name: schema.shape.name.clone().or_else(|| schema.shape.title.clone()),
            expected: in_words(&difference.expected),
            actual: in_words(&difference.actual),
            owners: (code_span, schema.shape.span.or(Some(place.span)), schema.shape.pointer.clone()),
            type_name,
            name,
            place,
        }
    }

    /// What makes it one with others of its kind.
    pub(super) fn cause(&self, kind: &'static str) -> Cause {
        let (code, schema, pointer) = self.owners.clone();
        (kind, code, self.type_name.clone().unwrap_or_default(), self.name.clone(), schema, pointer)
    }

    /// `User.name`; of what has no declared type, its path in `whole`.
    pub(super) fn subject(&self, whole: &str) -> String {
        match &self.type_name {
            Some(type_name) => format!("{type_name}.{}", self.name),
            None => format!("{whole} {}", self.path),
        }
    }

    /// The member in a sentence; `whole` where it is all of it.
    pub(super) fn shown(&self, whole: &str) -> String {
        quoted(Some(&self.name).filter(|name| !name.is_empty()), whole)
    }

    /// The path, where there is one.
    pub(super) fn field(&self) -> Option<String> {
        Some(self.path.clone()).filter(|path| !path.is_empty())
    }
}

/// A name in a sentence, or what stands for it where there is none.
pub(super) fn quoted(name: Option<&String>, otherwise: &str) -> String {
    name.map_or_else(|| otherwise.to_owned(), |name| format!("`{name}`"))
}

/// A named set of values against a named schema is one cause, whichever members are of that type; with the set's name.
pub(super) fn closed_set(around: &Around<'_>, kind: &'static str, difference: &Difference) -> Option<(String, Cause)> {
    if difference.kind != DifferenceKind::EnumValue {
        return None;
    }
    let (own, theirs) = around.sides(difference);
    let own = around.code.view(own.shape?);
    let theirs = around.contract.shapes.view(theirs.shape?);
    let name = own.shape.name.clone()?;
    theirs.shape.name.as_ref()?;
    let cause = (kind, own.shape.span, name.clone(), String::new(), theirs.shape.span, theirs.shape.pointer.clone());
    Some((name, cause))
}

/// What the two places show where code sends less, more or something else than was promised.
pub(super) fn labels_of_sent(kind: DifferenceKind, field: &str, expected: &str, actual: &str) -> (String, String) {
    let is_required = format!("{field} is required here");
    match kind {
        DifferenceKind::MissingField => (format!("has no {field}"), is_required),
        DifferenceKind::MissingOptionalField => (format!("has no {field}"), format!("{field} is declared here")),
        DifferenceKind::ExtraField => (format!("sends {field}"), format!("declared without {field}")),
        DifferenceKind::ForbiddenField => (format!("sends {field}"), "no further members are allowed here".to_owned()),
        DifferenceKind::Optional | DifferenceKind::LeftOut => ("may be left out".to_owned(), is_required),
        DifferenceKind::Nullable => ("may be null".to_owned(), "null is not allowed here".to_owned()),
        _ => (format!("sends {actual}"), format!("promises {expected}")),
    }
}
