//! What routes take, where frameworks have that in common.

use super::{Route, Schemas};
use crate::evaluate::Evaluator;
use crate::finding::Reason;
use crate::model::{Method, Request};

/// Of a framework whose requests are not read.
pub(super) fn unread<'p>(_: &mut Evaluator<'p>, _: &mut Schemas<'p>, route: &Route<'_, 'p>, _: Method) -> Request {
    Request::unknown(Reason::new("what this framework takes is not read", Some(route.draft.site)))
}
