//! No text makes the reader panic, overflow the stack, run away or point outside of the file.

use proptest::prelude::*;

use super::super::lower;
use crate::finding::ProblemKind;
use crate::languages::render;
use crate::model::program::Module;
use crate::text::FileId;

/// Lowers on a stack as small as a worker's, and checks every span.
fn survive(text: String) -> (Module, Vec<ProblemKind>) {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let (module, problems) = lower(FileId(0), "x.cs", &text);
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

const SAMPLE: &str = include_str!("sample.cs");

#[test]
fn the_sample_has_everything_and_no_error() {
    let (module, problems) = survive(SAMPLE.to_owned());
    assert_eq!(
        problems,
        [],
        "{:?}",
        module.errors.iter().map(|at| &SAMPLE[at.start as usize..at.end as usize]).collect::<Vec<_>>()
    );
    assert!(!render::stmts(&module.body).contains("unreadable"), "{}", render::stmts(&module.body));
}

/// Every index is there once: nothing is lowered twice, and nothing that was lowered is copied.
#[test]
fn functions_and_classes_are_counted_once() {
    let (module, _) = survive(SAMPLE.to_owned());
    let rendered = render::stmts(&module.body);
    for (word, count) in [("def#", module.functions), ("class#", module.classes)] {
        let mut found: Vec<u32> = Vec::new();
        let words: &[&str] = if word == "def#" { &["def#", "lambda#"] } else { &["class#", "interface#", "enum#"] };
        for place in words.iter().flat_map(|word| rendered.split(word).skip(1)) {
            let digits: String = place.chars().take_while(char::is_ascii_digit).collect();
            found.extend(digits.parse::<u32>());
        }
        found.sort_unstable();
        assert_eq!(found, (0..count).collect::<Vec<_>>(), "{word}");
    }
}

#[test]
fn deep_nesting_is_cut_off_and_told() {
    let deep = 10_000;
    for text in [
        format!("x = {}1{};", "[".repeat(1_000), "]".repeat(1_000)),
        format!("x = {}1{};", "f(".repeat(1_000), ")".repeat(1_000)),
        format!("x = {}1{};", "a[".repeat(1_000), "]".repeat(1_000)),
        format!("x = a{};", " + a".repeat(deep)),
        format!("x = a{};", ".b".repeat(deep)),
        format!("x = a{};", "?.b".repeat(1_000)),
        format!("x = a{};", " || a".repeat(deep)),
        format!("x = a{};", "()".repeat(deep)),
        format!("x = {}a;", "!".repeat(1_000)),
        format!("x = {}a;", "() => ".repeat(500)),
        format!("x = {}a;", "b ? c : ".repeat(500)),
        format!("x = {};", "new A { B = ".repeat(500) + "1" + &"}".repeat(500)),
        format!("x = {}1{};", "(A)(".repeat(500), ")".repeat(500)),
        "{".repeat(deep) + &"}".repeat(deep),
        format!("{}x();", "for (;;) ".repeat(1_000)),
        format!("{}x();", "lock (a) ".repeat(1_000)),
        format!("{}A{} x;", "A<".repeat(500), ">".repeat(500)),
        format!("A{} x;", "[]".repeat(1_000)),
        format!("{}{}", "namespace A {".repeat(1_000), "}".repeat(1_000)),
        format!("{}{}", "class A {".repeat(1_000), "}".repeat(1_000)),
        format!("x = a is {}1{};", "{ B: ".repeat(500), "}".repeat(500)),
        format!("x = a is {}1;", "not ".repeat(500)),
        format!("x = a is {{ {} }};", "B: 1, ".repeat(1_000)),
        format!("if (a) b();\n{}else c();\n", "else if (d) e();\n".repeat(1_000)),
        format!("class A<T> where T : {}D {{ }}", "C, ".repeat(1_000)),
    ] {
        let (_, problems) = survive(text.clone());
        assert!(problems.contains(&ProblemKind::TooDeep), "{} {problems:?}", &text[..30]);
    }
    for text in [
        format!("x = {}a{};", "(".repeat(1_000), ")".repeat(1_000)),
        format!("{}1;", "x = ".repeat(1_000)),
        format!("x = a{};", "!".repeat(1_000)),
        format!("x = [{}];", "a, ".repeat(deep)),
        format!("x = a switch {{ {} }};", "1 => b, ".repeat(deep)),
        format!("x = {}", "(".repeat(deep)),
        format!("x = {}", "]".repeat(deep)),
        "(a\n".repeat(1_000),
        "class A {\n".repeat(500),
        "$\"{".repeat(500),
        "$$\"\"\"{".repeat(500),
        "\0".repeat(deep),
        "\"".repeat(deep),
        "<A>".repeat(1_000),
        "[a]".repeat(1_000),
        "#if A\n".repeat(500),
        format!("#if A\n{}#endif\n", "#elif B\nclass C {}\n".repeat(500)),
        "@".repeat(1_000),
        "public ".repeat(1_000),
        "namespace A;".repeat(1_000),
    ] {
        survive(text);
    }
}

#[test]
fn long_lists_are_kept() {
    let arms: Vec<String> = (0..2_000).map(|index| format!("{index} => \"v{index}\"")).collect();
    let (module, problems) = survive(format!("x = a switch {{ {} }};", arms.join(", ")));
    assert_eq!(problems, []);
    let rendered = render::stmts(&module.body);
    let places: Vec<usize> = (0..2_000).filter_map(|index| rendered.find(&format!("\"v{index}\""))).collect();
    assert!(places.len() == 2_000 && places.is_sorted());

    let members: Vec<String> = (0..2_000).map(|index| format!("V{index}")).collect();
    let (module, _) = survive(format!("enum A {{ {} }}", members.join(", ")));
    assert_eq!(render::stmts(&module.body).matches(".V").count(), 2_000);
}

#[test]
fn unusual_bytes_between_tokens_do_no_harm() {
    for text in [
        "\u{feff}class A { }",
        "class A { }\r\nclass B { }\r\n",
        "\u{c}class A { }",
        "class É { string 日本 = \"ü\"; }",
        "x = 1;\r",
    ] {
        let (module, _) = survive(text.to_owned());
        assert!(!module.body.is_empty(), "{text:?}");
    }
}

#[test]
fn a_file_that_ends_anywhere_is_survived() {
    for (end, _) in SAMPLE.char_indices().step_by(17) {
        survive(SAMPLE[..end].to_owned());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        survive(text);
    }

    #[test]
    fn any_heap_of_tokens_is_survived(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60)) {
        survive(tokens.concat());
    }

    #[test]
    fn any_damaged_file_is_survived(
        from in 0..SAMPLE.len(),
        length in 0..40usize,
        with in "[\\[\\](){}<>:;,.'\"$=@?!#\\\\ \n\tadef*|&]{0,6}",
        cut in prop::option::of(0..SAMPLE.len()),
    ) {
        let mut chars: Vec<char> = SAMPLE.chars().collect();
        let from = from.min(chars.len());
        let to = (from + length).min(chars.len());
        chars.splice(from..to, with.chars());
        if let Some(cut) = cut {
            chars.truncate(cut);
        }
        survive(chars.into_iter().collect());
    }
}

const TOKENS: &[&str] = &[
    "class ",
    "struct ",
    "record ",
    "interface ",
    "enum ",
    "namespace ",
    "using ",
    "static ",
    "global ",
    "partial ",
    "public ",
    "private ",
    "abstract ",
    "override ",
    "async ",
    "await ",
    "get; ",
    "set; ",
    "init; ",
    "required ",
    "const ",
    "readonly ",
    "params ",
    "this",
    "base",
    "where ",
    "new ",
    "new(",
    "typeof(",
    "nameof(",
    "default",
    "sizeof(",
    "is ",
    "not ",
    "and ",
    "or ",
    "as ",
    "switch ",
    "case ",
    "when ",
    "out ",
    "ref ",
    "var ",
    "int ",
    "string",
    "void ",
    "return ",
    "yield ",
    "throw ",
    "if ",
    "else ",
    "for ",
    "foreach ",
    "in ",
    "while ",
    "try ",
    "catch ",
    "finally ",
    "lock ",
    "with ",
    "from ",
    "select ",
    "null",
    "true",
    "=>",
    "=",
    "==",
    "??",
    "??=",
    "?.",
    "?",
    "!",
    "^",
    "..",
    ",",
    ";",
    ":",
    "::",
    ".",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "+",
    "-",
    "&&",
    "||",
    "A",
    "b",
    "é",
    "1",
    "0x",
    "1.5m",
    "\"",
    "'",
    "$\"",
    "@\"",
    "$@\"",
    "\"\"\"",
    "$$\"\"\"",
    "{{",
    "}}",
    "\\",
    "//",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\t",
    " ",
    "#if ",
    "#else\n",
    "#endif\n",
    "#region ",
    "#nullable ",
    "@",
    "delegate ",
    "event ",
    "operator ",
    "implicit ",
    "~",
    "[assembly: ",
    "[property: ",
    "goto ",
    "label: ",
    "extern ",
    "unsafe ",
    "*",
    "&",
    "true ",
];
