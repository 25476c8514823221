//! Addresses that well-known libraries bring along: what is served where their modules are included, and what a view set of
//! the program answers that is made of theirs.

use super::actions::{ACTIONS, Added};

/// An address below the place where a library's module is included, with the view that answers it and its methods.
pub(super) struct Packaged {
    pub(super) path: String,
    pub(super) view: &'static str,
    pub(super) methods: &'static [&'static str],
}

const USERS: &str = "djoser.views.UserViewSet";

/// What djoser's view set of users adds to the actions of the framework (djoser.readthedocs.io, "Base Endpoints"). The last
/// ones are named after what users are identified by, a name or an address as a rule.
const USER_ACTIONS: &[(&str, &[&str])] = &[
    ("me", &["get", "put", "patch", "delete"]),
    ("activation", &["post"]),
    ("resend_activation", &["post"]),
    ("set_password", &["post"]),
    ("reset_password", &["post"]),
    ("reset_password_confirm", &["post"]),
    ("set_username", &["post"]),
    ("reset_username", &["post"]),
    ("reset_username_confirm", &["post"]),
    ("set_email", &["post"]),
    ("reset_email", &["post"]),
    ("reset_email_confirm", &["post"]),
];

/// A path, a view, methods.
type Row = (&'static str, &'static str, &'static [&'static str]);

const DJOSER_TOKENS: &[Row] = &[
    ("token/login/", "djoser.views.TokenCreateView", &["post"]),
    ("token/logout/", "djoser.views.TokenDestroyView", &["post"]),
];

const DJOSER_JWT: &[Row] = &[
    ("jwt/create/", "rest_framework_simplejwt.views.TokenObtainPairView", &["post"]),
    ("jwt/refresh/", "rest_framework_simplejwt.views.TokenRefreshView", &["post"]),
    ("jwt/verify/", "rest_framework_simplejwt.views.TokenVerifyView", &["post"]),
];

/// dj-rest-auth.readthedocs.io, "API endpoints".
const REST_AUTH: &[Row] = &[
    ("login/", "dj_rest_auth.views.LoginView", &["post"]),
    ("logout/", "dj_rest_auth.views.LogoutView", &["get", "post"]),
    ("user/", "dj_rest_auth.views.UserDetailsView", &["get", "put", "patch"]),
    ("password/change/", "dj_rest_auth.views.PasswordChangeView", &["post"]),
    ("password/reset/", "dj_rest_auth.views.PasswordResetView", &["post"]),
    ("password/reset/confirm/", "dj_rest_auth.views.PasswordResetConfirmView", &["post"]),
    ("token/verify/", "rest_framework_simplejwt.views.TokenVerifyView", &["post"]),
    ("token/refresh/", "rest_framework_simplejwt.views.TokenRefreshView", &["post"]),
];

const REST_AUTH_REGISTRATION: &[Row] = &[
    ("", "dj_rest_auth.registration.views.RegisterView", &["post"]),
    ("verify-email/", "dj_rest_auth.registration.views.VerifyEmailView", &["post"]),
    ("resend-email/", "dj_rest_auth.registration.views.ResendEmailVerificationView", &["post"]),
];

/// What the patterns of a library's module serve, by its dotted name.
pub(super) fn patterns(module: &str) -> Option<Vec<Packaged>> {
    let rows = match module {
        "djoser.urls" | "djoser.urls.base" => return Some(users()),
        "djoser.urls.authtoken" => DJOSER_TOKENS,
        "djoser.urls.jwt" => DJOSER_JWT,
        "dj_rest_auth.urls" | "rest_auth.urls" => REST_AUTH,
        "dj_rest_auth.registration.urls" | "rest_auth.registration.urls" => REST_AUTH_REGISTRATION,
        _ => return None,
    };
    Some(rows.iter().map(|(path, view, methods)| Packaged { path: (*path).to_owned(), view, methods }).collect())
}

fn users() -> Vec<Packaged> {
    let of = |path: String, methods| Packaged { path, view: USERS, methods };
    let mut out = vec![of("users/".to_owned(), &["get", "post"])];
    out.extend(USER_ACTIONS.iter().map(|(name, methods)| of(format!("users/{name}/"), methods)));
    out.push(of("users/{id}/".to_owned(), &["get", "put", "patch", "delete"]));
    out
}

/// Whether all of what a class of a library answers is known here.
pub(super) fn is_known(class: &str) -> bool {
    class == USERS
}

/// Whether a class of a library answers an action.
pub(super) fn brings(class: &str, action: &str) -> bool {
    is_known(class) && (ACTIONS.contains(&action) || USER_ACTIONS.iter().any(|(name, _)| *name == action))
}

/// The actions that a view set of a library adds to those of the framework.
pub(super) fn added(class: &str) -> impl Iterator<Item = Added> {
    let rows = if is_known(class) { USER_ACTIONS } else { &[] };
    rows.iter().map(|(name, methods)| Added {
        url_path: (*name).to_owned(),
        detail: false,
        mapping: methods.iter().map(|method| ((*method).to_owned(), (*name).to_owned())).collect(),
    })
}
