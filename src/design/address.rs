//! Addresses of pages: whose a page is, and where a reference on one leads.

/// The scheme and authority of an address, and the rest, which begins with `/`; none where the address is no page of the web.
pub fn parts(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once("://")?;
    if !matches!(scheme, "http" | "https") {
        return None;
    }
    let host = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let end = scheme.len() + 3 + host;
    (host > 0).then(|| (&address[..end], if address.len() == end { "/" } else { &address[end..] }))
}

/// Where a reference on a page leads (RFC 3986 section 5.2), without its fragment; none where that is another scheme
/// (`mailto:`), or only a place on the page.
pub fn follow(page: &str, reference: &str) -> Option<String> {
    let reference = reference.split('#').next().unwrap_or_default().trim();
    if reference.is_empty() {
        return None;
    }
    if parts(reference).is_some() {
        return Some(reference.to_owned());
    }
    let (origin, path) = parts(page)?;
    if let Some(rest) = reference.strip_prefix("//") {
        let scheme = origin.split_once("://")?.0;
        return Some(format!("{scheme}://{rest}")).filter(|it| parts(it).is_some());
    }
    let before_path = reference.split(['/', '?']).next().unwrap_or_default();
    if before_path.contains(':') {
        return None;
    }
    let (target, query) = reference.split_once('?').map_or((reference, None), |(path, query)| (path, Some(query)));
    let base = path.split(['?', '#']).next().unwrap_or_default();
    let whole = match target {
        "" => base.to_owned(),
        it if it.starts_with('/') => it.to_owned(),
        it => format!("{}/{it}", base.rsplit_once('/').map_or("", |it| it.0)),
    };
    let query = query.map(|it| format!("?{it}")).unwrap_or_default();
    Some(format!("{origin}{}{query}", without_dots(&whole)))
}

/// A path without `.` and `..` (RFC 3986 section 5.2.4).
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.trim_start_matches('/').split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn references_lead_where_a_browser_would_go() {
        let page = "https://a.example/shop/list?p=1";
        let cases = [
            ("cart", "https://a.example/shop/cart"),
            ("../x/./y", "https://a.example/x/y"),
            ("/css/a.css?v=2", "https://a.example/css/a.css?v=2"),
            ("?p=2", "https://a.example/shop/list?p=2"),
            ("//b.example/f.css", "https://b.example/f.css"),
            ("http://c.example", "http://c.example"),
            ("../../..", "https://a.example/"),
            ("a/b:c", "https://a.example/shop/a/b:c"),
        ];
        for (reference, to) in cases {
            assert_eq!(follow(page, reference).as_deref(), Some(to), "{reference}");
        }
        for nowhere in ["#top", "", "mailto:a@b.c", "javascript:void(0)", "data:text/html,a"] {
            assert_eq!(follow(page, nowhere), None, "{nowhere}");
        }
        assert_eq!(follow("https://a.example", "b").as_deref(), Some("https://a.example/b"));
        assert_eq!(parts("file:///etc/passwd"), None);
    }

    proptest! {
        #[test]
        fn what_is_followed_is_a_page_again(page in "https?://[a-z.]{1,5}[/a-z?#.]{0,8}", reference in "[/a-z?#.:é]{0,10}") {
            if let Some(to) = follow(&page, &reference) {
                prop_assert!(parts(&to).is_some(), "{to}");
            }
        }
    }
}
