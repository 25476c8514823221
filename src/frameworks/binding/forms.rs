//! Values of forms: classes are taken apart.

use super::{Intake, Special, binding, shape, special};
use crate::evaluate::Evaluator;
use crate::frameworks::Schemas;
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::schema::inputs::{Input, is_from_text, items_of};
use crate::text::Span;

/// Classes within classes of a form that are looked into; a deeper one is one field, and there may be others.
const MAX_DEPTH: usize = 8;
/// Values of one form; with more, there may be others.
const MAX_FIELDS: usize = 2_000;

/// A value of a form, or what it is made of, property by property: `a`, `b.c`.
pub(in crate::frameworks) fn form_fields<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    intake: &mut Intake,
    serialiser: Serialiser,
    input: &Input<'p>,
    site: Span,
) {
    let mut left: Vec<(Input<'p>, String, usize)> = vec![(input.clone(), String::new(), 0)];
    let mut seen = 0;
    while let Some((input, around, depth)) = left.pop() {
        seen += 1;
        if seen > MAX_FIELDS {
            intake.other_bodies("form of too many fields", input.span);
            break;
        }
        let bound = binding(evaluator, &input.attributes);
        let own = match bound.name {
            Some(Ok(name)) => name,
            _ => input.name.to_owned(),
        };
        let name = if around.is_empty() { own } else { format!("{around}.{own}") };
        match special(&input.ty) {
            Some(kind @ (Special::File | Special::Files)) => {
                intake.file(schemas, &name, !input.may_be_null(), kind == Special::Files, input.span);
                continue;
            }
            Some(_) => continue,
            None => {}
        }
        let has_parts = items_of(&input.ty).is_none() && is_from_text(evaluator, &input.ty) == Some(false);
        if has_parts && depth >= MAX_DEPTH {
            intake.other_bodies("form of classes within classes, nested too deep", input.span);
        } else if has_parts && let Some((properties, more)) = schemas.csharp().inputs_of(evaluator, &input.ty) {
            if let Some(why) = more {
                intake.other_bodies(why, input.span);
            }
            let around = if depth == 0 { String::new() } else { name };
            left.extend(properties.into_iter().rev().map(|property| (property, around.clone(), depth + 1)));
            continue;
        }
        let required = if depth == 0 {
            !input.has_default && !input.may_be_null() && items_of(&input.ty).is_none()
        } else {
            around.is_empty() && (input.is_required || bound.is_required)
        };
        let shape = shape(evaluator, schemas, serialiser, &input, site);
        intake.field(&name, required, shape, input.span);
    }
}
