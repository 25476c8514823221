//! No text makes the reader panic, overflow the stack, run away or point outside of the file.

use proptest::prelude::*;

use super::lower;
use crate::finding::ProblemKind;
use crate::languages::render;
use crate::model::program::Module;
use crate::text::FileId;

/// Lowers on a stack as small as a worker's, and checks every span.
fn survive(text: String) -> (Module, Vec<ProblemKind>) {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let (module, problems) = lower(FileId(0), "x.py", &text);
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

const SAMPLE: &str = include_str!("sample.py");

#[test]
fn the_sample_has_everything_and_no_error() {
    let (module, problems) = survive(SAMPLE.to_owned());
    assert_eq!(problems, []);
    assert!(!render::stmts(&module.body).contains("unreadable"), "{}", render::stmts(&module.body));
}

#[test]
fn deep_nesting_is_cut_off_and_told() {
    let deep = 10_000;
    let else_if = format!("if a: b\n{}else: c\n", "elif d: e\n".repeat(deep));
    let mut blocks = String::new();
    for level in 0..400 {
        blocks.push_str(&" ".repeat(level));
        blocks.push_str("if x:\n");
    }
    for text in [
        format!("x = {}1{}", "[".repeat(deep), "]".repeat(deep)),
        format!("x = {}1{}", "{'a': ".repeat(deep), "}".repeat(deep)),
        format!("x = {}1{}", "f(".repeat(deep), ")".repeat(deep)),
        format!("x = {}1{}", "a[".repeat(deep), "]".repeat(deep)),
        format!("x = a{}", " + a".repeat(50_000)),
        format!("x = 'a'{}", " + 'a'".repeat(50_000)),
        format!("x = a{}", ".b".repeat(50_000)),
        format!("x = a{}", " or a".repeat(50_000)),
        format!("x = a{}", "()".repeat(50_000)),
        format!("x = {}a", "not ".repeat(deep)),
        format!("x = {}a", "-".repeat(deep)),
        format!("x = {}a", "lambda: ".repeat(deep)),
        format!("x = a{}", " if b else c".repeat(deep)),
        format!("x: {}int{}", "List[".repeat(deep), "]".repeat(deep)),
        format!("x: int{}", " | A".repeat(deep)),
        blocks + &" ".repeat(400) + "y\n",
        else_if,
    ] {
        let (_, problems) = survive(text.clone());
        assert!(problems.contains(&ProblemKind::TooDeep), "{} {problems:?}", &text[..30]);
    }
    for text in [
        format!("x = {}a{}", "(".repeat(deep), ")".repeat(deep)),
        format!("{}1", "x = ".repeat(deep)),
        format!("x = {}", "'a' ".repeat(50_000)),
        format!("x = [{}]", "a, ".repeat(50_000)),
        format!("x = {}", "(".repeat(deep)),
        format!("x = {}", "]".repeat(deep)),
        "(a\n".repeat(3_000),
        "def f(\n".repeat(1_000),
        "class A:\n".repeat(1_000),
        "f'{".repeat(1_000),
        "\\\n".repeat(deep),
        "\0".repeat(deep),
        "x = '".repeat(1_000),
        "x = '''".repeat(1_001),
        format!("x = {}{}", "f'{".repeat(1_000), "}'".repeat(1_000)),
        format!("x: '{}'", "List[".repeat(500)),
    ] {
        survive(text);
    }
}

#[test]
fn every_branch_of_a_long_chain_is_kept() {
    let branches: Vec<String> = (0..200).map(|index| format!("elif d: e{index}\n")).collect();
    let branches = branches.concat();
    let (module, _) = survive(format!("if a: b\n{branches}else: last\n"));
    let rendered = render::stmts(&module.body);
    assert!((0..200).all(|index| rendered.contains(&format!("{{e{index}}}"))), "{rendered}");
    assert!(rendered.contains("; last}"), "{rendered}");
}

#[test]
fn unusual_bytes_between_tokens_do_no_harm() {
    for text in [
        "\u{feff}x = 1",
        "x = 1\r\ny = 2\r\n",
        "\u{c}x = 1",
        "if a:\n\tx = 1\n",
        "x = 1\n\u{1a}",
        "é = 'ü'\n日本 = é",
        "x=1\r",
    ] {
        let (module, _) = survive(text.to_owned());
        assert!(!module.body.is_empty(), "{text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        survive(text);
    }

    #[test]
    fn any_heap_of_tokens_is_survived(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60)) {
        survive(tokens.concat());
    }

    #[test]
    fn any_damaged_file_is_survived(from in 0..SAMPLE.len(), length in 0..40usize, with in "[\\[\\](){}:,.'\"f=@\\\\ \n\tadef*]{0,6}", cut in prop::option::of(0..SAMPLE.len())) {
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
    "def ", "f", "(", ")", ":", "\n", "  ", "    ", "class ", "async ", "await ", "lambda ", "if ", "elif ", "else",
    "for ", " in ", "try", "except ", "finally", "with ", " as ", "import ", "from ", ".", "...", ",", "=", ":=", "->",
    "@", "*", "**", "[", "]", "{", "}", "'", "\"", "'''", "f'", "rb'", "\\", "#", "1", "0x", "1e5", "1j", "x", "y",
    "type ", "match ", "case ", "return ", "yield ", "not ", " is ", "|", "None", "print ", "exec ", "é", "\r\n", "\t",
    ";", "/", "!r", "global ", "del ", "raise ",
];
