//! Streamable HTTP at `/mcp`, and beside it the plain reads that older clients make.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, ORIGIN, WWW_AUTHENTICATE};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::ServeError;
use super::arguments::MOST_TEXT;
use super::handler::Handler;

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// What a connection needs.
struct Desk {
    handler: Handler,
    protocol: StreamableHttpService<Handler, LocalSessionManager>,
    token: Option<String>,
    /// Only programs of this machine can connect.
    is_local: bool,
    started: Instant,
}

/// Serves until the process is stopped. Whoever can reach an address that is not of the loopback device has to know the
/// token; on the loopback device, browsers are kept out by what they say of themselves (`Host`, `Origin`).
pub(super) async fn serve(
    handler: Handler,
    address: SocketAddr,
    token: Option<String>,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    let is_local = address.ip().is_loopback();
    if !is_local && token.is_none() {
        return Err(ServeError::Open(address));
    }
    let failed = |error: std::io::Error| ServeError::Address { address, reason: error.to_string() };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    ready(listener.local_addr().map_err(failed)?);
    // Hosts and origins are checked here, for every address.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MOST_TEXT + MOST_TEXT / 4);
    let copies = handler.clone();
    let protocol = StreamableHttpService::new(move || Ok(copies.clone()), Arc::default(), config);
    let desk = Arc::new(Desk { handler, protocol, token, is_local, started: Instant::now() });
    loop {
        // One connection that fails is no reason to stop.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        let desk = desk.clone();
        tokio::spawn(async move {
            let service = hyper::service::service_fn(move |request| {
                let desk = desk.clone();
                async move { Ok::<_, Infallible>(desk.answer(request).await) }
            });
            let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            // The client hung up.
            let _ = connection.await;
        });
    }
}

impl Desk {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        if !may_come(request.headers(), self.is_local) {
            return said(StatusCode::FORBIDDEN, &json!({ "error": "this Host or Origin is not served" }));
        }
        let path = request.uri().path().to_owned();
        if path != "/api/health" && !knows(self.token.as_deref(), request.headers()) {
            let mut answer = said(
                StatusCode::UNAUTHORIZED,
                &json!({ "error": "send `Authorization: Bearer …` with the token of TREATY_HTTP_TOKEN" }),
            );
            answer.headers_mut().insert(WWW_AUTHENTICATE, hyper::header::HeaderValue::from_static("Bearer"));
            return answer;
        }
        if path == "/mcp" {
            return self.protocol.handle(request).await;
        }
        if request.method() != Method::GET {
            return said(StatusCode::METHOD_NOT_ALLOWED, &json!({ "error": "only GET is answered here" }));
        }
        let query = request.uri().query().unwrap_or_default().to_owned();
        let handler = self.handler.clone();
        let uptime = self.started.elapsed().as_secs();
        let read = tokio::task::spawn_blocking(move || handler.served().read(&path, &query, uptime));
        match read.await {
            Ok((status, body)) => said(status, &body),
            Err(_) => said(StatusCode::INTERNAL_SERVER_ERROR, &json!({ "error": "this could not be read" })),
        }
    }
}

fn said(status: StatusCode, body: &Value) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(body.to_string())).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, hyper::header::HeaderValue::from_static("application/json"));
    answer
}

/// Whether a request does not come from a web page that somebody's browser was led to
/// (<https://modelcontextprotocol.io/specification/2026-07-28/basic/transports>): on the loopback device, it names that
/// device; elsewhere, a page is served by the host that it asks.
fn may_come(headers: &HeaderMap, is_local: bool) -> bool {
    let text = |name| headers.get(name).map(|it: &hyper::header::HeaderValue| it.to_str().unwrap_or("?"));
    let host = text(HOST).map(host_of);
    let origin = text(ORIGIN).map(|origin| host_of(origin.split_once("://").map_or("?", |(_, rest)| rest)));
    if is_local {
        host.is_some_and(is_loopback) && origin.is_none_or(is_loopback)
    } else {
        origin.is_none_or(|it| Some(it) == host || is_loopback(it))
    }
}

/// Without the port.
fn host_of(authority: &str) -> &str {
    match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => authority.split(':').next().unwrap_or(authority),
    }
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse::<std::net::IpAddr>().is_ok_and(|it| it.is_loopback())
}

/// Whether a request holds the token; compared in a time that does not depend on where they differ.
fn knows(token: Option<&str>, headers: &HeaderMap) -> bool {
    let Some(token) = token else { return true };
    let given = headers.get(AUTHORIZATION).and_then(|it| it.to_str().ok()).and_then(|it| {
        let (scheme, given) = it.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| given.trim())
    });
    given.is_some_and(|given| {
        let differences = given.bytes().zip(token.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
        given.len() == token.len() && differences == 0
    })
}

#[cfg(test)]
mod tests;
