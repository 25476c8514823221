//! Pages as requirements.

use super::*;

#[test]
fn pages_become_requirements() {
    let text = "<title>The shop</title><style>h1{color:#0af;font-family:Inter}:root{--gap:8px}</style>\
        <main><h1>Things</h1><h2>New</h2><a href=b>Cart</a><form><input name=mail type=email><button>Send</button></form></main>";
    let site = Site {
        address: "https://a.example/".to_owned(),
        pages: vec![Page::read("https://a.example/".to_owned(), text)],
        sheets: vec!["h1{color:#0AF}".to_owned()],
        problems: vec!["https://a.example/b: 404".to_owned()],
    };
    insta::assert_snapshot!(document("Shop", std::slice::from_ref(&site), true));
    let short = document("Shop", &[site], false);
    assert!(short.contains("`#0af` (2)") && !short.contains("form with"), "{short}");
}

#[test]
fn nothing_on_a_page_is_markup_of_the_document() {
    let text = "<title># a <script>`x`</title><h1>[b](javascript:1)</h1><style>a{--x:`|`}</style>";
    let site = Site { pages: vec![Page::read("https://a.example/".to_owned(), text)], ..Site::default() };
    let out = document("<b>\n# P", &[site], true);
    assert!(
        !out.contains("<b>") && !out.contains("<script") && !out.contains("\n# P\n") && !out.contains("[b]("),
        "{out}"
    );
}
