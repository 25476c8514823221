//! Security schemes: where keys are, and what clients must do to be let in.

use crate::contracts::Scheme;
use crate::contracts::dialect::Dialect;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::Node;
use crate::model::ParameterPlace;
use crate::text::Span;

/// Where a document that was exported without its security schemes says that they have their keys.
const KEYS: &str = "x-keys";

/// Where security schemes of type `apiKey` have their key.
pub(super) fn keys<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> Vec<(ParameterPlace, String)> {
    let key = |scheme: &Place<'d>| {
        let place = match scheme.text("in")? {
            "query" => ParameterPlace::Query,
            "header" => ParameterPlace::Header,
            "cookie" => ParameterPlace::Cookie,
            _ => return None,
        };
        Some((place, scheme.text("name")?.to_owned()))
    };
    let mut found: Vec<_> = all(reader, root).iter().filter_map(|(_, _, scheme)| key(scheme)).collect();
    found.extend(root.child(KEYS).iter().flat_map(Place::items).filter_map(|it| key(&it)));
    found
}

/// What each scheme asks of clients.
pub(super) fn schemes<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> Vec<Scheme> {
    let scheme = |(name, span, place): (String, Span, Place<'d>)| {
        let text = |key: &str| place.text(key).unwrap_or("");
        let mut addresses: Vec<String> = Vec::new();
        let mut address = |owner: &Node| {
            for key in ["authorizationUrl", "tokenUrl", "refreshUrl", "openIdConnectUrl", "openIdConnectURL"] {
                addresses.extend(owner.get(key).and_then(Node::text).map(|url| format!("`{key}: {url}`")));
            }
        };
        address(place.node);
        let words = match text("type").to_ascii_lowercase().as_str() {
            "apikey" => format!("a key in the {} `{}`", text("in"), text("name")),
            "http" => format!("HTTP {}", text("scheme").to_ascii_lowercase()),
            "basic" => "HTTP basic".to_owned(),
            "openidconnect" => "OpenID Connect".to_owned(),
            "mutualtls" => "a certificate of the client".to_owned(),
            "oauth2" => {
                let mut flows: Vec<&str> = place.text("flow").into_iter().collect();
                for (flow, described) in place.node.get("flows").map(Node::entries).unwrap_or_default() {
                    if !flow.text.starts_with("x-") {
                        flows.push(&flow.text);
                        address(described);
                    }
                }
                // 2.0 has other names for two of them.
                let name = |flow: &&str| {
                    match *flow {
                        "accessCode" => "authorizationCode",
                        "application" => "clientCredentials",
                        other => other,
                    }
                    .to_owned()
                };
                let mut flows: Vec<String> = flows.iter().map(name).collect();
                flows.sort_unstable();
                format!("OAuth 2 ({})", flows.join(", "))
            }
            other => format!("`{other}`"),
        };
        Scheme { name, words, addresses, span }
    };
    all(reader, root).into_iter().map(scheme).collect()
}

/// Every scheme with its name.
fn all<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> Vec<(String, Span, Place<'d>)> {
    let schemes = match reader.dialect(root) {
        Dialect::V2 => root.child("securityDefinitions"),
        _ => root.child("components").and_then(|all| all.child("securitySchemes")),
    };
    let Some(schemes) = schemes.and_then(|schemes| reader.follow(schemes)) else { return Vec::new() };
    let members: Vec<_> = schemes.members().collect();
    let described =
        members.into_iter().filter_map(|(key, scheme)| Some((key.text.clone(), key.span, reader.follow(scheme)?)));
    described.collect()
}
