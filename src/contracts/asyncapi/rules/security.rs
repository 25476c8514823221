//! Security requirements of version 2: the schemes that they name are defined, and the scopes are those of the scheme.
//! Version 3 refers to schemes by `$ref`, which is checked as any reference.

use super::super::Version;
use super::named;
use crate::contracts::IssueKind;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::Node;

/// Scopes that are named as those that there are; the help names no more.
const MAX_NAMED: usize = 10;

pub(super) fn check<'d>(reader: &mut Reader<'d>, version: Version, root: &Place<'d>) {
    if version.major > 2 {
        return;
    }
    for server in named(reader, root, "servers") {
        requirements(reader, root, &server.target);
    }
    for channel in named(reader, root, "channels") {
        for word in ["subscribe", "publish"] {
            let operation = channel.target.child(word).and_then(|operation| reader.follow(operation));
            if let Some(operation) = operation {
                requirements(reader, root, &operation);
            }
        }
    }
}

fn requirements<'d>(reader: &mut Reader<'d>, root: &Place<'d>, of: &Place<'d>) {
    let schemes = root.child("components").and_then(|components| components.child("securitySchemes"));
    let listed: Vec<_> = of.child("security").map(|list| list.items().collect()).unwrap_or_default();
    let required: Vec<_> = listed.iter().flat_map(Place::members).collect();
    for (name, scopes) in required {
        let Some(scheme) = schemes.as_ref().and_then(|schemes| schemes.child(&name.text)) else {
            let message = format!("security scheme `{}` is not defined", name.text);
            let help = "define it in `components.securitySchemes`";
            reader.issue(IssueKind::InvalidValue, scopes.span, &scopes.pointer, message, Some(help));
            continue;
        };
        let Some(scheme) = reader.follow(scheme).filter(|scheme| scheme.text("type") == Some("oauth2")) else {
            continue;
        };
        let flows = scheme.child("flows");
        let known: Vec<&Node> = ["implicit", "password", "clientCredentials", "authorizationCode"]
            .iter()
            .filter_map(|flow| flows.as_ref()?.node.get(flow)?.get("scopes"))
            .collect();
        for scope in scopes.items() {
            let Some(text) = scope.node.text() else { continue };
            if !known.iter().any(|scopes| scopes.get(text).is_some()) {
                let message = format!("scope `{text}` is not defined by the security scheme `{}`", name.text);
                let names = known.iter().flat_map(|scopes| scopes.entries()).take(MAX_NAMED);
                let names: Vec<&str> = names.map(|(name, _)| name.text.as_str()).collect();
                let help = format!("it has {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
                reader.issue(IssueKind::InvalidValue, scope.span, &scope.pointer, message, Some(&help));
            }
        }
    }
}
