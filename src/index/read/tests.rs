//! Records of texts.

use proptest::prelude::*;

use super::read;
use crate::languages::Language;

fn symbols(language: Language, text: &str) -> Vec<String> {
    let record = read(language, "a", text);
    let show = |at: usize| {
        let it = &record.symbols[at];
        let mark = if it.exported { "" } else { "-" };
        format!("{mark}{} {}:{} {}", it.kind.name(), it.line, it.column, record.qualified(at as u32))
    };
    (0..record.symbols.len()).map(show).collect()
}

#[test]
fn symbols_of_python_are_those_that_others_can_name() {
    let text = "LIMIT = 3\n_hidden = 1\nclass A:\n    size: int = 1\n    def __init__(self):\n        self.b = 2\n    def _own(self): pass\ndef f(x):\n    y = 1\n    def inner(): pass\n";
    assert_eq!(
        symbols(Language::Python, text),
        [
            "variable 1:1 LIMIT",
            "-variable 2:1 _hidden",
            "class 3:7 A",
            "function 8:5 f",
            "variable 4:5 A.size",
            "method 5:9 A.__init__",
            "-method 7:9 A._own",
            "variable 6:14 A.b",
            "-function 10:9 f.inner",
        ]
    );
}

#[test]
fn what_typescript_exports_is_known() {
    let text = "export const a = () => 1\nconst b = 2\nfunction c() {}\nexport { c as d, b }\nexport default class E { #x = 1; m() {} }\ninterface F { g(): void }\nexport enum H { I }\n";
    let found = symbols(Language::TypeScript, text);
    for symbol in
        ["function 1:14 a", "variable 2:7 b", "class 5:22 E", "method 5:34 E.m", "-interface 6:11 F", "enum 7:13 H"]
    {
        assert!(found.contains(&symbol.to_owned()), "{symbol}: {found:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_has_a_record(text in "(?s)([ a-z(){}\\[\\]<>.:;=@,'\"/*\n]|class |def |import |from |export |const |=> |async |\u{fc}){0,120}") {
        for language in [Language::Python, Language::TypeScript, Language::Tsx, Language::JavaScript, Language::Component, Language::CSharp] {
            let record = read(language, "a", &text);
            let json = serde_json::to_string(&record).expect("it can be written");
            let back: crate::index::Record = serde_json::from_str(&json).expect("it can be read");
            prop_assert_eq!(&back, &record);
            let terms = record.terms.len() as u32;
            prop_assert!(record.uses.iter().all(|it| it.term < terms));
            prop_assert!(record.symbols.iter().all(|it| it.parent.is_none_or(|parent| (parent as usize) < record.symbols.len())));
        }
    }
}
