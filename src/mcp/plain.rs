//! Reads of older clients that speak no protocol: contracts and health, as JSON over HTTP.

use std::collections::BTreeMap;

use hyper::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};

use super::handler::Served;
use super::tool::Refusal;
use crate::registry::{ListFilter, MAX_PAGE, SpecKind};

impl Served {
    /// What a path answers.
    pub(super) fn read(&self, path: &str, query: &str, uptime: u64) -> (StatusCode, Value) {
        match path.strip_prefix("/api/").map(|rest| rest.split_once('/').unwrap_or((rest, ""))) {
            Some(("health", "")) => self.health(uptime),
            Some(("contracts", "")) => answer(self.contracts(query)),
            Some(("contracts", id)) => {
                let id = decoded(id);
                answer(self.place.registry(|it| it.existing(&id)))
            }
            _ => {
                let there = "there are /mcp, /api/contracts, /api/contracts/{id} and /api/health";
                (StatusCode::NOT_FOUND, json!({ "error": there }))
            }
        }
    }

    fn health(&self, uptime: u64) -> (StatusCode, Value) {
        let database = self.place.registry(|it| it.list(&ListFilter::default()).map(drop));
        let status = if database.is_ok() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        let health = json!({
            "status": if database.is_ok() { "healthy" } else { "unhealthy" },
            "service_name": self.server.name(),
            "version": env!("CARGO_PKG_VERSION"),
            "database": match database {
                Ok(()) => "connected".to_owned(),
                Err(refusal) => refusal.message,
            },
            "uptime_seconds": uptime,
        });
        (status, health)
    }

    fn contracts(&self, query: &str) -> Result<impl Serialize + use<>, Refusal> {
        let asked = pairs(query);
        let text = |name: &str| asked.get(name).filter(|it| !it.is_empty());
        let number = |name: &str, otherwise: u32| match text(name) {
            None => Ok(otherwise),
            Some(text) => text.parse().map_err(|_| Refusal::new("invalid", format!("`{name}` is no number: {text}"))),
        };
        let filter = ListFilter {
            service_name: text("service_name").cloned(),
            kind: text("type").or(text("contract_type")).map(|it| SpecKind::parse(it)).transpose()?,
            status: text("status").cloned(),
            page: number("page", 1)?,
            page_size: number("page_size", MAX_PAGE)?,
        };
        self.place.registry(|it| it.list(&filter))
    }
}

fn answer(read: Result<impl Serialize, Refusal>) -> (StatusCode, Value) {
    match read.map(|it| serde_json::to_value(it).unwrap_or_default()) {
        Ok(value) => (StatusCode::OK, value),
        Err(refusal) => {
            let status = match refusal.code {
                "not_found" => StatusCode::NOT_FOUND,
                "invalid" => StatusCode::BAD_REQUEST,
                _ => StatusCode::INTERNAL_SERVER_ERROR,
            };
            (status, json!({ "error": refusal.message, "code": refusal.code }))
        }
    }
}

/// `service_name=a%20b&page=2`
pub(super) fn pairs(query: &str) -> BTreeMap<String, String> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decoded(name), decoded(value))
    };
    query.split('&').filter(|part| !part.is_empty()).map(pair).collect()
}

/// Text without its percent encoding (<https://url.spec.whatwg.org/#urlencoded-parsing>).
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let pair = rest.clone().next().zip(rest.clone().nth(1));
        let digit = |byte: u8| char::from(byte).to_digit(16);
        match (byte, pair.and_then(|(high, low)| Some(digit(high)? * 16 + digit(low)?))) {
            (b'%', Some(value)) => {
                bytes.push(value as u8);
                rest.nth(1);
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::pairs;

    #[test]
    fn what_a_query_says_is_read_as_it_was_meant() {
        let read = pairs("service_name=users%20%C3%A4+x&page=2&&odd&end=%4");
        let expected = [("end", "%4"), ("odd", ""), ("page", "2"), ("service_name", "users ä x")];
        assert_eq!(read.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>(), expected);
    }
}
