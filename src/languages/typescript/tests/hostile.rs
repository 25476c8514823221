//! No text makes the reader panic, overflow the stack, run away or point outside of the file.

use proptest::prelude::*;

use super::super::{Dialect, lower};
use crate::finding::ProblemKind;
use crate::languages::render;
use crate::model::program::Module;
use crate::text::FileId;

const DIALECTS: [Dialect; 3] = [Dialect::TypeScript, Dialect::Tsx, Dialect::JavaScript];

/// Lowers on a stack as small as a worker's, and checks every span.
fn survive(dialect: Dialect, text: String) -> (Module, Vec<ProblemKind>) {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let (module, problems) = lower(dialect, FileId(0), "x.ts", &text);
        check_spans(&module, &text);
        drop(module.clone());
        (module, problems.into_iter().map(|problem| problem.kind).collect())
    });
    worker.expect("a thread starts").join().expect("no panic")
}

/// The debug output names every span: `start: 1,` and `end: 2,`.
fn check_spans(module: &Module, text: &str) {
    let debug = format!("{module:?}");
    let number = |rest: &str| {
        rest.split(|char: char| !char.is_ascii_digit()).next().and_then(|digits| digits.parse::<usize>().ok())
    };
    for span in debug.split("start: ").skip(1) {
        let Some(start) = number(span) else { continue };
        let end = span.split("end: ").nth(1).and_then(number).expect("a span has an end");
        assert!(start <= end && text.get(start..end).is_some(), "{start}..{end} in {text:?}");
    }
}

const SAMPLE: &str = include_str!("sample.ts");

#[test]
fn the_sample_has_everything_and_no_error() {
    let (module, problems) = survive(Dialect::TypeScript, SAMPLE.to_owned());
    assert_eq!(problems, []);
    assert!(!render::stmts(&module.body).contains("unreadable"), "{}", render::stmts(&module.body));
}

#[test]
fn deep_nesting_is_cut_off_and_told() {
    let deep = 10_000;
    let else_if = format!("if (a) b\n{}else c\n", "else if (d) e\n".repeat(deep));
    for text in [
        format!("x = {}1{}", "[".repeat(deep), "]".repeat(deep)),
        format!("x = {}1{}", "{a: ".repeat(deep), "}".repeat(deep)),
        format!("x = {}1{}", "f(".repeat(deep), ")".repeat(deep)),
        format!("x = {}1{}", "a[".repeat(deep), "]".repeat(deep)),
        format!("x = a{}", " + a".repeat(50_000)),
        format!("x = a{}", ".b".repeat(50_000)),
        format!("x = a{}", " || a".repeat(50_000)),
        format!("x = a{}", "()".repeat(50_000)),
        format!("x = {}a", "!".repeat(deep)),
        format!("x = {}a", "() => ".repeat(deep)),
        format!("x = {}a", "b ? c : ".repeat(deep)),
        "{".repeat(deep) + &"}".repeat(deep),
        format!("{}x", "for (;;) ".repeat(deep)),
        format!("{}x", "a: ".repeat(deep)),
        format!("x = {}1{}", "`${".repeat(500), "}`".repeat(500)),
        format!("let {}a{} = x", "[".repeat(deep), "]".repeat(deep)),
        format!("let {}a{} = x", "{a: ".repeat(deep), "}".repeat(deep)),
        else_if,
    ] {
        for dialect in DIALECTS {
            let (_, problems) = survive(dialect, text.clone());
            assert!(problems.contains(&ProblemKind::TooDeep), "{dialect:?} {} {problems:?}", &text[..30]);
        }
    }
    for text in [
        format!("let x: {}A{}", "A<".repeat(500), ">".repeat(500)),
        format!("let x: {}A{}", "[".repeat(deep), "]".repeat(deep)),
        format!("let x: A{}", "[]".repeat(deep)),
        format!("let x: {}A{}", "{a: ".repeat(deep), "}".repeat(deep)),
        format!("let x: {}A", "() => ".repeat(deep)),
        format!("x = a{}", " as A".repeat(deep)),
        format!("{}{}", "namespace A {".repeat(1_000), "}".repeat(1_000)),
    ] {
        let (_, problems) = survive(Dialect::TypeScript, text.clone());
        assert!(problems.contains(&ProblemKind::TooDeep), "{} {problems:?}", &text[..30]);
    }
    for text in [
        format!("x = {}a{}", "(".repeat(deep), ")".repeat(deep)),
        format!("{}1", "x = ".repeat(deep)),
        format!("x = a{}", "!".repeat(deep)),
        format!("x = [{}]", "a, ".repeat(50_000)),
        format!("x = {}", "(".repeat(deep)),
        format!("x = {}", "]".repeat(deep)),
        "(a\n".repeat(3_000),
        "function f(\n".repeat(1_000),
        "class A {\n".repeat(1_000),
        "interface A {\n".repeat(1_000),
        "`${".repeat(1_000),
        "\0".repeat(deep),
        "x = '".repeat(1_000),
        "<A>".repeat(1_000),
        "@a ".repeat(1_000),
        "export default ".repeat(1_000),
        "declare ".repeat(1_000),
        format!("let x: {}A{}", "(".repeat(1_000), ")".repeat(1_000)),
        format!("import {{ {} }} from 'x'", "a, ".repeat(10_000)),
    ] {
        for dialect in DIALECTS {
            survive(dialect, text.clone());
        }
    }
}

#[test]
fn long_unions_and_long_chains_of_branches_are_kept() {
    let union: Vec<String> = (0..5_000).map(|index| format!("'v{index}'")).collect();
    let (module, problems) = survive(Dialect::TypeScript, format!("type X = {}", union.join(" | ")));
    assert_eq!(problems, []);
    let rendered = render::stmts(&module.body);
    let places: Vec<usize> = (0..5_000).filter_map(|index| rendered.find(&format!("\"v{index}\""))).collect();
    assert!(places.len() == 5_000 && places.is_sorted());

    let branches: Vec<String> = (0..200).map(|index| format!("else if (d) e{index}\n")).collect();
    let (module, _) = survive(Dialect::JavaScript, format!("if (a) b\n{}else last\n", branches.concat()));
    let rendered = render::stmts(&module.body);
    assert!((0..200).all(|index| rendered.contains(&format!("{{e{index}}}"))), "{rendered}");
    assert!(rendered.contains("; last}"), "{rendered}");
}

#[test]
fn unusual_bytes_between_tokens_do_no_harm() {
    for text in
        ["\u{feff}x = 1", "x = 1\r\ny = 2\r\n", "\u{c}x = 1", "é = 'ü'\n日本 = é", "x=1\r", "x = 1\u{2028}y = 2"]
    {
        for dialect in DIALECTS {
            let (module, _) = survive(dialect, text.to_owned());
            assert!(!module.body.is_empty(), "{text:?}");
        }
    }
}

#[test]
fn a_file_that_ends_anywhere_is_survived() {
    for (end, _) in SAMPLE.char_indices().step_by(7) {
        survive(Dialect::TypeScript, SAMPLE[..end].to_owned());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in any::<String>(), dialect in prop::sample::select(&DIALECTS)) {
        survive(dialect, text);
    }

    #[test]
    fn any_heap_of_tokens_is_survived(
        tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60),
        dialect in prop::sample::select(&DIALECTS),
    ) {
        survive(dialect, tokens.concat());
    }

    #[test]
    fn any_damaged_file_is_survived(
        from in 0..SAMPLE.len(),
        length in 0..40usize,
        with in "[\\[\\](){}<>:;,.'\"`$=@?!\\\\ \n\tadef*|&]{0,6}",
        cut in prop::option::of(0..SAMPLE.len()),
        dialect in prop::sample::select(&DIALECTS),
    ) {
        let mut chars: Vec<char> = SAMPLE.chars().collect();
        let from = from.min(chars.len());
        let to = (from + length).min(chars.len());
        chars.splice(from..to, with.chars());
        if let Some(cut) = cut {
            chars.truncate(cut);
        }
        survive(dialect, chars.into_iter().collect());
    }
}

const TOKENS: &[&str] = &[
    "function ",
    "f",
    "(",
    ")",
    ":",
    "\n",
    "  ",
    "class ",
    "async ",
    "await ",
    "=>",
    "if ",
    "else ",
    "for ",
    " of ",
    " in ",
    "try ",
    "catch ",
    "finally ",
    "switch ",
    "case ",
    "default",
    "import ",
    "export ",
    " from ",
    ".",
    "...",
    ",",
    "=",
    "?.",
    "?",
    "??",
    "@",
    "*",
    "**",
    "[",
    "]",
    "{",
    "}",
    "'",
    "\"",
    "`",
    "${",
    "\\",
    "//",
    "/*",
    "*/",
    "1",
    "0x",
    "1e5",
    "1n",
    "x",
    "y",
    "type ",
    "interface ",
    "enum ",
    "namespace ",
    "declare ",
    "abstract ",
    "return ",
    "yield ",
    "!",
    " as ",
    " satisfies ",
    "|",
    "&",
    "null",
    "undefined",
    "<",
    ">",
    "</",
    "/>",
    "é",
    "\r\n",
    "\t",
    ";",
    "/",
    "static ",
    "get ",
    "set ",
    "readonly ",
    "private ",
    "#a",
    "new ",
    "super",
    "this",
    "const ",
    "let ",
    "keyof ",
    "typeof ",
    "infer ",
    " extends ",
    " implements ",
    "is ",
    "asserts ",
    "module.exports",
    "require('x')",
    "delete ",
];
