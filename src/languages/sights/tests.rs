//! What is seen of each language, and that any text is read.

use proptest::prelude::*;

use crate::languages::{Language, lower_looking, sights, sights_of_markup};
use crate::model::{Seen, Sight};
use crate::text::FileId;

fn shown(text: &str, sights: &[Sight]) -> Vec<String> {
    let one = |sight: &Sight| {
        let place = &text[sight.span.start as usize..sight.span.end as usize];
        match &sight.what {
            Seen::Variable { name, optional } => format!("{name}{}", if *optional { "?" } else { "" }),
            Seen::Given(name) => format!("{name}="),
            Seen::Port { port, guarded } => format!(":{port}{}", if *guarded { " guarded" } else { "" }),
            Seen::Origin(origin) => origin.clone(),
            Seen::Host { host, to } => format!("{to}@{host}"),
            Seen::Asset { path, how } => format!("{how:?} {path}"),
            Seen::Classes => format!("class {place}"),
            Seen::Style { property } => format!("{property}: {place}"),
            Seen::Text => format!("text {}", place.trim()),
        }
    };
    sights.iter().map(one).collect()
}

/// What is seen in a file, its template included.
fn all(language: Language, text: &str) -> Vec<Sight> {
    let mut found = Vec::new();
    lower_looking(language, FileId(0), "a", text, &mut |parsed| found = sights(language, FileId(0), text, parsed));
    if language == Language::Component {
        found.extend(sights_of_markup(FileId(0), text).0);
        found.sort_by_key(|sight| (sight.span.start, sight.span.end));
    }
    found
}

fn code(language: Language, text: &str) -> Vec<String> {
    shown(text, &all(language, text))
}

#[test]
fn python() {
    let text = "import os, redis\nA = os.environ['A']\nB = os.getenv('B')\nif not B:\n    B = 1\nC = os.environ.get('C', '')\n\
                D = int(os.getenv('D') or 5)\nos.environ['E'] = '1'\nF = f'postgres://{u}:{p}@db/x'\nr = redis.Redis(host='cache')\n\
                try:\n    G = os.environ['G']\nexcept KeyError:\n    G = 1\nH = bool(os.getenv('H'))\n\
                if __name__ == '__main__':\n    app.run(port=5000)\n# os.environ['Z']\nz = \"os.environ['Z']\"\n";
    let expected = ["A", "B?", "C?", "D?", "E=", "postgres@db", "redis@cache", "G?", "H?", ":5000 guarded"];
    assert_eq!(code(Language::Python, text), expected);
}

#[test]
fn typescript() {
    let text = "import { Pool } from 'pg';\nconst PORT = 3000;\nconst a = process.env.A;\nconst b = process.env.B ?? 'x';\n\
                const { C, D = 1 } = process.env;\nif (process.env['E']) { process.env.F = '1'; }\nconst g = process.env.G!;\n\
                if (!g) throw new Error();\nnew Pool({ host: 'db' });\nconst other = { host: 'no' };\napp.listen(PORT);\n\
                app.use(cors({ origin: ['http://a.example.com'] }));\nconst h = import.meta.env.VITE_H?.trim();\n\
                // process.env.Z\nconst z = 'process.env.Z';\n";
    let found = code(Language::TypeScript, text);
    let expected = ["A", "B?", "C", "E?", "F=", "G?", "postgresql@db", ":3000", "http://a.example.com", "VITE_H?"];
    assert_eq!(found, expected);
}

#[test]
fn elements() {
    let text = "export const A = () => <p className={cn('a b', on && 'c')} style={{ paddingTop: 9, color: '#fff' }}>\n\
                <img src=\"./a.png\" alt=\"x\" />words</p>;\nimport logo from './logo.svg';\n";
    let expected =
        ["class a b", "class c", "padding-top: 9", "color: #fff", "Link ./a.png", "text words", "Import ./logo.svg"];
    assert_eq!(code(Language::Tsx, text), expected);
}

#[test]
fn components() {
    let text = "<template>\n<p class=\"a\" :class=\"b\">words</p>\n</template>\n<script setup lang=\"ts\">\n\
                const a = import.meta.env.VITE_A;\n</script>\n<style scoped>\np { color: red; }\n</style>\n";
    assert_eq!(code(Language::Component, text), ["class a", "text words", "VITE_A", "color: red"]);
}

#[test]
fn csharp() {
    let text = "var a = Environment.GetEnvironmentVariable(\"A\");\nvar b = Environment.GetEnvironmentVariable(\"B\") ?? \"x\";\n\
                builder.WebHost.UseUrls(\"http://*:5000\");\nbuilder.WithOrigins(\"http://a.example.com\");\n";
    assert_eq!(code(Language::CSharp, text), ["A", "B?", ":5000", "http://a.example.com"]);
}

#[test]
fn pages_and_stylesheets() {
    let text = "<!-- <img src=\"no.png\"> --><a href=\"a.pdf#page=2\" style=\"color: #fff; margin: 3px\">more</a>\
                <style>.b { background: url(b.png) }</style><img src=\"{{ c }}.png\">";
    let expected =
        ["Link a.pdf#page=2", "color: #fff", "margin: 3px", "text more", "background: url(b.png)", "Style b.png"];
    assert_eq!(shown(text, &super::read_markup(FileId(0), text)), expected);
    let text = "$brand: #0a7d5c;\n:root { --x: 1px; }\n.a { &:hover { padding: 2px 3px !important; } // color: no\n@include b; }\n";
    let expected = ["$brand: #0a7d5c", "--x: 1px", "padding: 2px 3px !important"];
    assert_eq!(shown(text, &super::read_styles(FileId(0), text)), expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn places_of_any_text_lie_in_it(text in "([a-z#.:;{}()<>=\"'$ \n-]|url\\(|style=\"|<p |ü|process\\.env\\.A|os\\.environ\\[){0,60}", at in 0_usize..6) {
        let languages = [Language::Python, Language::Tsx, Language::JavaScript, Language::CSharp, Language::Component];
        let sights = match languages.get(at) {
            Some(language) => all(*language, &text),
            None => [super::read_markup(FileId(0), &text), super::read_styles(FileId(0), &text)].concat(),
        };
        for sight in sights {
            prop_assert!(text.get(sight.span.start as usize..sight.span.end as usize).is_some(), "{sight:?}");
        }
    }
}
