//! What each statement and expression becomes, and that no text does harm.

mod hostile;

use super::{lower, parse_expression};
use crate::languages::render;
use crate::model::program::{Module, StmtKind};
use crate::text::{FileId, Span};

fn module(text: &str) -> Module {
    let (module, problems) = lower(FileId(3), "app.py", text);
    assert_eq!(problems, [], "{text}");
    module
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(render::stmts(&module(text).body), *expected, "{text}");
    }
}

#[test]
fn simple_statements_are_lowered() {
    check(&[
        ("", ""),
        ("# only a comment\n", ""),
        ("f(x)\n", "f(x)"),
        ("a, b\n", "(a, b,)"),
        ("a,\n", "(a,)"),
        ("x = 1; y = 2\n", "x = 1; y = 2"),
        ("a = b = c = f()", "a = b = c = f()"),
        ("a, *b = c\n", "(a, *b,) = c"),
        ("(a, b) = [c, d] = e, f", "(a, b,) = [c, d] = (e, f,)"),
        ("a.b[0] = 1", "a.b[0] = 1"),
        ("x: int", "x: int"),
        ("x: int = 1", "x: int = 1"),
        ("self.x: list[int] = y = z", "self.x: list[int] = <assignment>"),
        ("x += 1\ny |= z\nq >>= 1", "x Add= 1; y BitOr= z; q Other= 1"),
        ("x = yield\nx = yield a, b\nyield from c", "x = yield; x = yield (a, b,); yield c"),
        ("def f():\n    return\n    return 1\n    return a, b", "def#0 f() {return; return 1; return (a, b,)}"),
        ("while x:\n    break\n    continue\nelse:\n    y", "while x {break; continue}; y"),
        ("pass\nassert x, 'y'\ndel a, b\nglobal q\nnonlocal w", ""),
        ("raise\nraise X\nraise X(1) from e", "raise; raise; raise"),
        ("type X = int | 'Y'", "type X = (int BitOr \"Y\"<Y>)"),
        ("type X[T: int, *Ts, **P] = dict[str, T]", "type X[T: int, Ts, P] = dict[str, T]"),
        ("type = 1\nmatch = type(match)\nmatch.x", "type = 1; match = type(match); match.x"),
        ("type(x).y = z", "type(x).y = z"),
        ("print 'x', y\nprint >>out, x\nprint\nprint(1)", "print(\"x\", y); print(x); print; print(1)"),
        ("exec 'x' in y", ""),
    ]);
}

#[test]
fn imports_become_one_statement_for_each_name() {
    check(&[
        ("import a.b, c as d, e.f as g", "import a.b; import c as d; import e.f as g"),
        ("from a . b import (\n  c,  # why\n  d as e,\n)", "from a.b import c; from a.b import d as e"),
        ("from . import a", "from . import a"),
        ("from ...a.b import c", "from ...a.b import c"),
        ("from .. a import *", "from ..a import *"),
        ("from a import b, \\\n  c", "from a import b; from a import c"),
        ("from __future__ import annotations\nimport a", "import a"),
        ("try:\n  import a\nexcept ImportError:\n  a = None", "try {import a} except {a = None}"),
    ]);
}

#[test]
fn blocks_are_lowered() {
    check(&[
        (
            "if a: b\nelif c:\n  # nothing\n  d\nelif e: f\nelse:\n  g",
            "if a {b} else {if c {d} else {if e {f} else {g}}}",
        ),
        ("for x, y in a, b:\n  c\nelse:\n  d", "for (x, y,) in (a, b,) {c} else {d}"),
        ("async def f():\n  async for x in y: z\n  await z", "async def#0 f() {for x in y {z}; await z}"),
        (
            "try:\n  a\nexcept (B, C) as d:\n  e\nexcept:\n  f\nelse:\n  g\nfinally:\n  h",
            "try {a} except {e} except {f} else {g} finally {h}",
        ),
        ("try:\n  a\nexcept* B as b:\n  c", "try {a} except {c}"),
        ("with a() as b, c:\n  d", "with a() as b, c {d}"),
        ("with (a() as b, c as (d, e),):\n  f", "with a() as b, c as (d, e,) {f}"),
        ("with (a):\n  b", "with a {b}"),
        ("async def f():\n  async with a as b: c", "async def#0 f() {with a as b {c}}"),
        (
            "match x, y:\n  case [A(b=1), *_] if c:\n    d\n  case {'k': v, **r} | None:\n    e\n  case _: pass",
            "match (x, y,) case {d} case {e} case {}",
        ),
        ("if (yield x): pass", "if yield x {}"),
    ]);
}

#[test]
fn functions_and_classes_are_lowered() {
    check(&[
        (
            "@a\n@b.c('x', y=1)  # why\nasync def f(a, b: int, /, c=1, *, d: 'D' = None, **k: V) -> 'R[S]':\n  return a",
            "@a @b.c(\"x\", y=1) async def#0 f(a, b: int, c = 1, ~d: \"D\"<D> = None, **k: V) -> \"R[S]\"<R[S]> {return a}",
        ),
        ("def f(*args: int, x, y=2): ...", "def#0 f(*args: int, ~x, ~y = 2) {...}"),
        ("def f[T: (int, str), **P](x: T) -> T: pass", "def#0 f[T: (int, str,), P](x: T) -> T {}"),
        ("def f((a, b), c): pass", "def#0 f((a, b), c) {}"),
        ("def f(*args: *Ts): pass", "def#0 f(*args: *Ts) {}"),
        (
            "@d\nclass A[T](B['C'], *bases, metaclass=M, **kw):\n  '''Doc.'''\n  x: int = 1\n  class E(F): pass\n  def g(self): pass",
            "@d class#0 A[T](B[\"C\"<C>], *bases, metaclass=M, **=kw) {\"Doc.\"; x: int = 1; class#1 E(F) {}; def#0 g(self) {}}",
        ),
        ("class A: pass\nclass B(): x", "class#0 A() {}; class#1 B() {x}"),
        (
            "def f():\n  def g(): pass\n  h = lambda x, *y, z=1: x\ndef i(): pass",
            "def#0 f() {def#1 g() {}; h = lambda#2(x, *y, ~z = 1) {return x}}; def#3 i() {}",
        ),
        ("@deco(lambda: 1)\ndef f(): pass", "@deco(lambda#0() {return 1}) def#1 f() {}"),
    ]);
    let text = "def f():\n  class A:\n    x = lambda: (lambda: 1)\n";
    assert_eq!((module(text).functions, module(text).classes), (3, 1));
}

#[test]
fn expressions_are_lowered() {
    check(&[
        ("a.b.c[d](e)", "a.b.c[d](e)"),
        ("f(a, *b, c=d, **e)", "f(a, *b, c=d, **e)"),
        ("f(x for x in y)", "f(generator(x for x in y))"),
        ("f(\n  a,  # why\n  b,\n)", "f(a, b)"),
        ("a[1:2, ::3, ..., *b]", "a[1:2:, ::3, ..., *b]"),
        ("a[:]", "a[::]"),
        ("a[b:c]", "a[b:c:]"),
        ("a[1,]", "a[1]"),
        ("[1, *a, (b, c), ()]", "[1, *a, (b, c,), (,)]"),
        ("{1, 2}", "{1, 2}"),
        ("{'a': 1, **b, c: (d)}", "{\"a\": 1, **b, c: d}"),
        ("{}", "{}"),
        ("[x for x, y in z if a if b for c in d]", "list(x for (x, y,) in z if a if b for c in d)"),
        ("{k: v for k, v in z}", "dict(k: v for (k, v,) in z)"),
        ("{x async for x in y}", "set(x for x in y)"),
        ("(x for x in y)", "generator(x for x in y)"),
        (
            "a + b - c * d / e // f % g ** h | i",
            "(((a Add b) Subtract ((((c Multiply d) Divide e) FloorDivide f) Modulo (g Power h))) BitOr i)",
        ),
        ("a @ b\na & b\na ^ b\na << b >> c", "(a Other b); (a Other b); (a Other b); ((a Other b) Other c)"),
        ("a and b or not c", "((a and b) or not c)"),
        ("-1\n+a\n~b\n--c", "-1; a; <bitwise operator>; --c"),
        (
            "a == b\na != b\na <> b\na < b\na <= b\na > b\na >= b",
            "(a Equal b); (a NotEqual b); (a NotEqual b); (a Less b); (a LessEqual b); (a Greater b); (a GreaterEqual b)",
        ),
        (
            "a in b\na not in b\na is b\na is not b\n(a not\n in b)",
            "(a In b); (a NotIn b); (a Is b); (a IsNot b); (a NotIn b)",
        ),
        ("a < b < c", "<chained comparison>"),
        ("a if b else c if d else e", "(b ? a : (d ? c : e))"),
        ("(x := f(1))", "(x := f(1))"),
        ("[y := 1, lambda: (yield)]", "[(y := 1), lambda#0() {return yield}]"),
        ("((((a))))", "a"),
        ("True, False, None, ...", "(true, false, None, ...,)"),
        ("0, 1_000, 0xFF, 0o17, 0b1_1, 017, 1L", "(0, 1000, 255, 15, 3, 15, 1,)"),
        ("9223372036854775807, 9223372036854775808", "(9223372036854775807, <large integer>,)"),
        ("1.5, 1e3, .5, 5., 1_0.0_1", "(1.5, 1000.0, 0.5, 5.0, 10.01,)"),
        ("1j, 1.5J", "(<complex number>, <complex number>,)"),
        ("a \\\n  .b", "a.b"),
        ("print(file=x, *a)", "print(file=x, *a)"),
        ("async_ = await_", "async_ = await_"),
    ]);
}

#[test]
fn strings_are_decoded_and_joined() {
    check(&[
        (r#"'a' "b" r'\n' u'c'"#, r#""ab\\nc""#),
        ("('a'  # why\n 'b')", "\"ab\""),
        ("'''a\n'b' \"c\"'''", r#""a\n'b' \"c\"""#),
        ("'''a\r\nb'''\r\n", r#""a\nb""#),
        (r"'\x41\u00e9\n\q'", r#""Aé\n\\q""#),
        (r"r'\\'", r#""\\\\""#),
        ("b'a' b'b'", "bytes"),
        ("rb'\\x00'", "bytes"),
        ("''", "\"\""),
        ("f'plain {{x}}'", "\"plain {x}\""),
        ("f'a{b.c!r:>{width}}d{e(1)}'", "f(\"a\", b.c, \"d\", e(1))"),
        ("'/x' f'/{a}/b' '/c'", "f(\"/x/\", a, \"/b/c\")"),
        ("f'{a}{b}'", "f(a, b)"),
        ("f'{x, y}{z=}'", "f((x, y,), \"z=\", z)"),
        ("rf'\\d{a}'", "f(\"\\\\d\", a)"),
        ("f'{f\"{a}\"}'", "f(f(a))"),
        ("f'''{\n  a  # why\n}'''", "f(a)"),
    ]);
}

#[test]
fn strings_in_places_for_types_are_forward_references() {
    check(&[
        ("x: 'A'", "x: \"A\"<A>"),
        ("x: 'a.B | None'", "x: \"a.B | None\"<(a.B BitOr None)>"),
        ("x: \"List['A']\"", "x: \"List['A']\"<List[\"A\"<A>]>"),
        ("x: Optional['A[b.C, None, ...]']", "x: Optional[\"A[b.C, None, ...]\"<A[b.C, None, ...]>]"),
        ("x: ' A '", "x: \" A \"<A>"),
        ("x: '''dict[\n  str, A]'''", "x: \"dict[\\n  str, A]\"<dict[str, A]>"),
        ("x: Callable[['A'], 'B']", "x: Callable[[\"A\"<A>], \"B\"<B>]"),
        ("x: 'A' | B", "x: (\"A\"<A> BitOr B)"),
        ("x: Annotated['A', Field('B')]", "x: Annotated[\"A\"<A>, Field(\"B\")]"),
        ("x: \"Annotated[int, Field(gt=-1)]\"", "x: \"Annotated[int, Field(gt=-1)]\"<Annotated[int, Field(gt=-1)]>"),
        ("x: a.b['C']", "x: a.b[\"C\"<C>]"),
        ("x: Literal['a', 'b-c', 'in', 'd e', 'f(g']", "x: Literal[\"a\"<a>, \"b-c\", \"in\", \"d e\", \"f(g\"]"),
        ("f(Response['A'], 'B')", "f(Response[\"A\"<A>], \"B\")"),
        ("x = List['A']", "x = List[\"A\"<A>]"),
        ("x = 'A'", "x = \"A\""),
        (
            "def f(x: 'lambda: 1', y: 'f()', z: 'a = 1', w: 'import x'): pass",
            "def#0 f(x: \"lambda: 1\", y: \"f()\", z: \"a = 1\", w: \"import x\") {}",
        ),
    ]);
}

#[test]
fn spans_are_those_of_the_source() {
    let text =
        "@deco\nasync def name(a: 'T'):\n    return (a)\n\nclass C(B):\n    x = lambda: 1\nfrom a import (b as c)\n";
    let module = module(text);
    let at = |span: Span| &text[span.start as usize..span.end as usize];
    let StmtKind::Function(function) = &module.body[0].kind else { panic!("a function") };
    assert!(at(module.body[0].span).starts_with("@deco\nasync def"));
    assert!(at(function.span).starts_with("async def name") && at(function.span).ends_with("return (a)"));
    assert_eq!(at(function.name_span), "name");
    assert_eq!(at(function.decorators[0].span), "deco");
    assert_eq!(at(function.parameters[0].span), "a: 'T'");
    assert_eq!(at(function.parameters[0].annotation.as_ref().expect("annotated").span), "'T'");
    assert_eq!(at(function.body[0].span), "return (a)");
    let StmtKind::Class(class) = &module.body[1].kind else { panic!("a class") };
    assert_eq!((at(class.name_span), at(class.bases[0].span)), ("C", "B"));
    assert_eq!(at(class.body[0].span), "x = lambda: 1");
    assert_eq!(at(module.body[2].span), "b as c");
    assert_eq!(module.body[2].span.file, FileId(3));
}

#[test]
fn a_text_is_read_as_one_expression() {
    let span = Span::new(FileId(1), 5, 9);
    let read = |text: &str| parse_expression(FileId(1), span, text).map(|expr| render::expr(&expr));
    assert_eq!(read("a.B['C'] | None").as_deref(), Some("(a.B[\"C\"<C>] BitOr None)"));
    assert_eq!(read("f(x=1)").as_deref(), Some("f(x=1)"));
    assert_eq!(read(" a,\n b").as_deref(), Some("(a, b,)"));
    for text in ["", "a b", "a = 1", "a; b", "lambda: 1", "pass", "a[", "import a", "def f(): pass"] {
        assert_eq!(read(text), None, "{text}");
    }
    assert_eq!(parse_expression(FileId(1), span, "a.b").map(|expr| expr.span), Some(span));
}

#[test]
fn what_stands_around_an_error_is_still_lowered() {
    let text = "import a\n\ndef f(x):\n    return x\n\nx = = 3\n\n@a.b\ndef g():\n    y = (1 +\n    return y\n\nclass C:\n    z: int\n";
    let (module, problems) = lower(FileId(0), "app/x.py", text);
    let rendered = render::stmts(&module.body);
    assert!(rendered.starts_with("import a; def#0 f(x) {return x}"), "{rendered}");
    assert!(rendered.contains("class#0 C() {z: int}"), "{rendered}");
    assert!(!module.errors.is_empty());
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].path, "app/x.py");
    assert!(problems[0].message.starts_with("line 6 "), "{}", problems[0].message);
    assert_eq!(problems[0].span, Some(module.errors[0]));
}

#[test]
fn what_stands_between_brackets_may_stand_left_of_its_block() {
    let text =
        "def f():\n    x = g(\n        a={'b':\nc,  # d\n})\n    return x\n\n@get('/two')\ndef two():\n    return 1\n";
    let (module, problems) = lower(FileId(0), "x.py", text);
    assert_eq!(problems, []);
    assert!(module.errors.is_empty());
    let rendered = render::stmts(&module.body);
    assert!(rendered.starts_with("def#0 f() {x = g(a={\"b\": c}); return x}"), "{rendered}");
    let StmtKind::Function(two) = &module.body[1].kind else { panic!("{rendered}") };
    assert_eq!(&text[two.span.start as usize..][..7], "def two", "every place stays where it is");
}

#[test]
fn a_gap_is_marked_and_not_closed() {
    let check = |text: &str, expected: &str| {
        let (module, problems) = lower(FileId(0), "x.py", text);
        assert_eq!(render::stmts(&module.body), expected, "{text}");
        assert_eq!(problems.len(), 1, "{text}");
    };
    check("x = f(a, b=1 c=2 3)", "x = f(a, b=1, **<unreadable syntax>)");
    check("x = {'a': 1, b c: 2}", "x = {\"a\": 1, **<unreadable syntax>, c: 2}");
    check("x = [1 2, 3]", "x = [*<unreadable syntax>, 2, 3]");
    let text = "@get('/two')\ndef two(a: int:\n    return 1\n\n@get('/three')\ndef three():\n    return x\n";
    let (module, _) = lower(FileId(0), "x.py", text);
    let rendered = render::stmts(&module.body);
    assert!(!rendered.contains("@get(\"/two\") def#0 three"), "{rendered}");
}

#[test]
fn a_place_that_cannot_be_read_is_no_larger_than_it_is() {
    // The parser makes one error node of this whole file.
    let text = "import a\n\nclass A:\n    def f(self):\n        (b.\n    c d e)\n        d\n\nclass B:\n    e: int\n";
    let (module, problems) = lower(FileId(0), "x.py", text);
    let places: Vec<&str> = module.errors.iter().map(|span| &text[span.start as usize..span.end as usize]).collect();
    assert!(!places.is_empty() && places.iter().all(|place| place.len() < 20), "{places:?}");
    assert!(!problems[0].message.contains("import a"), "{}", problems[0].message);
    let rendered = render::stmts(&module.body);
    assert!(rendered.contains("import a") && rendered.contains("def#0 f(self)"), "{rendered}");
}
