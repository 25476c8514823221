//! What an endpoint answers.

use crate::evaluate::Evaluator;
use crate::frameworks::{Route, Schemas};
use crate::model::Response;

/// What an endpoint answers.
pub(super) fn responses<'p>(_: &mut Evaluator<'p>, _: &mut Schemas<'p>, _: &Route<'_, 'p>) -> Vec<Response> {
    Vec::new()
}
