//! `MapIdentityApi<TUser>()`: the endpoints of ASP.NET Core Identity (`IdentityApiEndpointRouteBuilderExtensions`).

use super::endpoints;
use super::groups;
use crate::evaluate::{Evaluator, NodeId, Value};
use crate::text::Span;

/// Method, path, and the type that a success carries.
const ENDPOINTS: &[(&str, &str, &str)] = &[
    ("POST", "/register", NOTHING),
    ("POST", "/login", "AccessTokenResponse"),
    ("POST", "/refresh", "AccessTokenResponse"),
    ("GET", "/confirmEmail", NOTHING),
    ("POST", "/resendConfirmationEmail", NOTHING),
    ("POST", "/forgotPassword", NOTHING),
    ("POST", "/resetPassword", NOTHING),
    ("POST", "/manage/2fa", "TwoFactorResponse"),
    ("GET", "/manage/info", "InfoResponse"),
    ("POST", "/manage/info", "InfoResponse"),
];
const NOTHING: &str = "void";

/// Maps them all; they are a group.
pub(super) fn map<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, site: Span) -> Value<'p> {
    let group = groups::group(evaluator, id, super::GROUP_PATH, Some(Value::str("")), site);
    let Some(Value::Node(group)) = group else { return Value::None };
    for (method, path, answer) in ENDPOINTS {
        let methods = Value::list(vec![Value::str(*method)]);
        let handler = Value::external("MapIdentityApi");
        let options = endpoints::answering(vec![Value::Int(200), Value::external(*answer)], site);
        endpoints::add(evaluator, group, methods, &Value::str(*path), options, handler, site);
    }
    Value::Node(group)
}
