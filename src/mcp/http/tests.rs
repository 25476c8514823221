//! Who may come in.

use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderValue, ORIGIN};

use super::{knows, may_come};

fn headers(host: &'static str, origin: &'static str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in [(HOST, host), (ORIGIN, origin)] {
        if !value.is_empty() {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    headers
}

#[test]
fn on_this_machine_pages_of_other_hosts_are_kept_out() {
    for (host, origin) in [
        ("localhost:8002", ""),
        ("127.0.0.1:8002", "http://localhost:3000"),
        ("[::1]:8002", "http://[::1]:9"),
        ("LOCALHOST", "https://127.0.0.1"),
    ] {
        assert!(may_come(&headers(host, origin), true), "{host} {origin}");
    }
    for (host, origin) in [
        ("evil.example", ""),
        ("evil.example:8002", "http://localhost"),
        ("localhost", "http://evil.example"),
        ("localhost", "null"),
        ("localhost.evil.example", ""),
        ("", ""),
    ] {
        assert!(!may_come(&headers(host, origin), true), "{host} {origin}");
    }
}

#[test]
fn elsewhere_a_page_may_ask_the_host_that_served_it() {
    assert!(may_come(&headers("treaty.example:8002", ""), false));
    assert!(may_come(&headers("treaty.example:8002", "https://treaty.example"), false));
    assert!(!may_come(&headers("treaty.example:8002", "https://evil.example"), false));
}

#[test]
fn a_token_is_asked_for_where_there_is_one() {
    let with = |text: &'static str| HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(text))]);
    assert!(knows(None, &HeaderMap::new()));
    assert!(knows(Some("secret"), &with("Bearer secret")));
    for wrong in ["Bearer secre", "Bearer secret2", "Basic secret", "secret", "Bearer"] {
        assert!(!knows(Some("secret"), &with(wrong)), "{wrong}");
    }
    assert!(!knows(Some("secret"), &HeaderMap::new()));
}
