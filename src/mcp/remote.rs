//! Another contract engine, asked over HTTP before the own registry is.

use std::time::Duration;

use serde_json::Value;

use crate::registry::{Role, ServiceContract, SpecKind};

const CONNECT: Duration = Duration::from_secs(5);
const READ: Duration = Duration::from_secs(30);

/// The contracts of a service, as `GET {engine}/api/contracts?service_name=` lists them: an array, or a page of `items`.
///
/// # Errors
/// Why the engine gave no list.
pub(super) fn contracts(engine: &str, service: &str) -> Result<Vec<ServiceContract>, String> {
    let agent: ureq::Agent =
        ureq::Agent::config_builder().timeout_connect(Some(CONNECT)).timeout_global(Some(READ)).build().into();
    let address = format!("{}/api/contracts", engine.trim_end_matches('/'));
    let mut answer =
        agent.get(&address).query("service_name", service).call().map_err(|error| format!("{address}: {error}"))?;
    let listed: Value = answer.body_mut().read_json().map_err(|error| format!("{address}: {error}"))?;
    let items = listed.as_array().or_else(|| listed.get("items")?.as_array());
    let items = items.ok_or_else(|| format!("{address}: its answer is no list of contracts"))?;
    Ok(items.iter().filter_map(|item| contract(item, service, engine)).collect())
}

fn contract(item: &Value, service: &str, engine: &str) -> Option<ServiceContract> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let kind = SpecKind::parse(text("type").or_else(|| text("contract_type"))?).ok()?;
    let owner = text("service_name").unwrap_or(service);
    let (role, counterparty) = if owner == service { (Role::Provider, "") } else { (Role::Consumer, owner) };
    let version = text("version").unwrap_or("of no version");
    Some(ServiceContract {
        id: text("id").or_else(|| text("contract_id"))?.to_owned(),
        role,
        kind,
        counterparty: counterparty.to_owned(),
        summary: format!("{} contract {version} of `{owner}`, at {engine}", kind.name()),
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::contracts;

    /// An engine that answers one request.
    fn engine(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut asked = [0; 2048];
            let _ = stream.read(&mut asked);
            let length = answer.len();
            let _ = write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{answer}");
        });
        format!("http://{address}/")
    }

    #[test]
    fn another_engine_may_answer_with_a_list_or_with_a_page() {
        let list = r#"[{"id": "7", "type": "openapi", "version": "1.0.0", "service_name": "books"}, {"id": "8"}]"#;
        let page = r#"{"items": [{"contract_id": "7", "contract_type": "openapi", "version": "1.0.0"}], "total": 1}"#;
        for answer in [list, page] {
            let found = contracts(&engine(answer), "books").expect("it answers");
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].id.as_str(), found[0].counterparty.as_str()), ("7", ""));
        }
    }

    #[test]
    fn an_engine_that_cannot_be_used_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let gone = format!("http://{}", listener.local_addr().expect("an address"));
        drop(listener);
        let said = contracts(&gone, "books").expect_err("nobody is there");
        assert!(said.starts_with(&format!("{gone}/api/contracts: ")), "{said}");
        let said = contracts(&engine("\"no\""), "books").expect_err("no list");
        assert!(said.ends_with("no list of contracts"), "{said}");
        assert!(contracts("nonsense", "books").is_err());
    }
}
