//! `MapIdentityApi<TUser>()`: the endpoints of ASP.NET Core Identity (`IdentityApiEndpointRouteBuilderExtensions`).

use std::rc::Rc;

use super::endpoints;
use super::groups;
use crate::evaluate::{DynamicClass, Evaluator, NodeId, Value};
use crate::text::Span;

/// Names with types; query parameters that may be left out end in `?`.
type Members = &'static [(&'static str, &'static str)];

struct Endpoint {
    method: &'static str,
    path: &'static str,
    query: Members,
    body: Members,
    /// The type that a success carries.
    answer: &'static str,
}

const fn post(path: &'static str, body: Members, answer: &'static str) -> Endpoint {
    Endpoint { method: "POST", path, query: &[], body, answer }
}

const ENDPOINTS: &[Endpoint] = &[
    post("/register", &[("Email", "string"), ("Password", "string")], NOTHING),
    Endpoint {
        query: &[("useCookies?", "bool"), ("useSessionCookies?", "bool")],
        ..post(
            "/login",
            &[("Email", "string"), ("Password", "string"), ("TwoFactorCode", TEXT), ("TwoFactorRecoveryCode", TEXT)],
            TOKENS,
        )
    },
    post("/refresh", &[("RefreshToken", "string")], TOKENS),
    Endpoint {
        method: "GET",
        path: "/confirmEmail",
        query: &[("userId", "string"), ("code", "string"), ("changedEmail?", "string")],
        body: &[],
        answer: NOTHING,
    },
    post("/resendConfirmationEmail", &[("Email", "string")], NOTHING),
    post("/forgotPassword", &[("Email", "string")], NOTHING),
    post("/resetPassword", &[("Email", "string"), ("ResetCode", "string"), ("NewPassword", "string")], NOTHING),
    post(
        "/manage/2fa",
        &[
            ("Enable", "bool?"),
            ("TwoFactorCode", TEXT),
            ("ResetSharedKey", "bool"),
            ("ResetRecoveryCodes", "bool"),
            ("ForgetMachine", "bool"),
        ],
        "TwoFactorResponse",
    ),
    Endpoint { method: "GET", path: "/manage/info", query: &[], body: &[], answer: "InfoResponse" },
    post("/manage/info", &[("NewEmail", TEXT), ("NewPassword", TEXT), ("OldPassword", TEXT)], "InfoResponse"),
];
const TOKENS: &str = "AccessTokenResponse";
const TEXT: &str = "string?";
const NOTHING: &str = "void";

/// Maps them all; they are a group.
pub(super) fn map<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, site: Span) -> Value<'p> {
    let group = groups::group(evaluator, id, super::GROUP_PATH, Some(Value::str("")), site);
    let Some(Value::Node(group)) = group else { return Value::None };
    for Endpoint { method, path, query, body, answer } in ENDPOINTS {
        let methods = Value::list(vec![Value::str(*method)]);
        let handler = Value::external("MapIdentityApi");
        let mut options = endpoints::answering(vec![Value::Int(200), Value::external(*answer)], site);
        let mut takes: Vec<(Value<'p>, Value<'p>)> =
            query.iter().map(|(name, ty)| (Value::str(*name), Value::external(*ty))).collect();
        if !body.is_empty() {
            let fields = body.iter().map(|(name, ty)| (Rc::from(*name), type_of(ty))).collect();
            let body = DynamicClass { name: Rc::from(""), bases: Vec::new(), fields, site };
            takes.push((Value::str(""), Value::Dynamic(Rc::new(body))));
        }
        options.set(endpoints::TAKES, Value::dict(takes));
        endpoints::add(evaluator, group, methods, &Value::str(*path), options, handler, site);
    }
    Value::Node(group)
}

fn type_of<'p>(written: &str) -> Value<'p> {
    match written.strip_suffix('?') {
        Some(name) => Value::union(vec![Value::external(name), Value::None]),
        None => Value::external(written),
    }
}
