//! `MapIdentityApi<TUser>()`: the endpoints of ASP.NET Core Identity (`IdentityApiEndpointRouteBuilderExtensions`).

use super::endpoints;
use super::groups;
use crate::evaluate::{Args, Evaluator, NodeId, Value};
use crate::text::Span;

const ENDPOINTS: &[(&str, &str)] = &[
    ("POST", "/register"),
    ("POST", "/login"),
    ("POST", "/refresh"),
    ("GET", "/confirmEmail"),
    ("POST", "/resendConfirmationEmail"),
    ("POST", "/forgotPassword"),
    ("POST", "/resetPassword"),
    ("POST", "/manage/2fa"),
    ("GET", "/manage/info"),
    ("POST", "/manage/info"),
];

/// Maps them all; they are a group.
pub(super) fn map<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, site: Span) -> Value<'p> {
    let group = groups::group(evaluator, id, super::GROUP_PATH, Some(Value::str("")), site);
    let Some(Value::Node(group)) = group else { return Value::None };
    for (method, path) in ENDPOINTS {
        let methods = Value::list(vec![Value::str(*method)]);
        let handler = Value::external("MapIdentityApi");
        endpoints::add(evaluator, group, methods, &Value::str(*path), Args::default(), handler, site);
    }
    Value::Node(group)
}
