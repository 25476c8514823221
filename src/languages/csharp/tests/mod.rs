//! What each declaration, statement, expression and type becomes, and that no text does harm.

mod hostile;

use super::lower;
use crate::languages::render;
use crate::model::program::{Module, StmtKind};
use crate::text::{FileId, Span};

fn module(text: &str) -> Module {
    let (module, problems) = lower(FileId(3), "src/App.cs", text);
    assert_eq!(problems, [], "{text}");
    module
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(render::stmts(&module(text).body), *expected, "{text}");
    }
}

/// Members of a class `A`.
fn check_members(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let rendered = render::stmts(&module(&format!("class A {{ {text} }}")).body);
        assert_eq!(rendered, format!("class#0 A() {{{expected}}}"), "{text}");
    }
}

/// Expressions, each as the value of a variable.
fn check_values(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let rendered = render::stmts(&module(&format!("x = {text};")).body);
        assert_eq!(rendered, format!("x = {expected}"), "{text}");
    }
}

#[test]
fn usings_are_imports_and_aliases() {
    check(&[
        ("using A.B;", "from A.B import *"),
        ("using static A.B;", "static import A.B"),
        ("using A = B.C<int>;", "type A = B.C[int]"),
        ("using global::A.B;", "from A.B import *"),
        ("namespace N; using A;", "namespace N {from A import *}"),
        ("namespace N { using A = B; }", "namespace N {type A = B}"),
        ("extern alias X;", ""),
    ]);
    let module =
        module("global using A.B;\nglobal using static C;\nglobal using D = E.F;\n[assembly: G, H(1)]\nusing I;");
    assert_eq!(render::stmts(&module.global), "from A.B import *; static import C; type D = E.F; G(); H(1)");
    assert_eq!(render::stmts(&module.body), "from I import *");
}

#[test]
fn namespaces_hold_what_is_declared_in_them() {
    check(&[
        (
            "namespace A.B { class C { } namespace D { class E { } } }",
            "namespace A.B {class#0 C() {}; namespace D {class#1 E() {}}}",
        ),
        (
            "using X; namespace A.B; class C { } class D { }",
            "from X import *; namespace A.B {class#0 C() {}; class#1 D() {}}",
        ),
        ("class C { class D { } }", "class#0 C() {class#1 D() {}}"),
    ]);
}

#[test]
fn types_are_classes_with_modifiers() {
    check(&[
        (
            "public abstract partial class A<T, U> : B<T>, C.D where T : class?, E, new() where U : notnull { }",
            "public abstract partial class#0 A[T: (class BitAnd E), U: notnull](B[T], C.D) {}",
        ),
        ("internal sealed class A;", "internal class#0 A() {}"),
        ("static class A { }", "static class#0 A() {}"),
        ("public struct A { }", "public struct class#0 A() {}"),
        ("interface A<in T> : B { }", "interface#0 A[T](B) {}"),
        ("[X, Y(1, Z = 2, w: 3)] [V<int>] class A { }", "@X() @Y(1, Z=2, w=3) @V<int>() class#0 A() {}"),
        (
            "public enum A : byte { [X(\"b\")] B = 1, C, D = B | C }",
            "public enum#0 A(byte) {@X(\"b\") public const readonly .B = 1; public const readonly .C; \
             public const readonly .D = (B BitOr C)}",
        ),
        ("delegate Task<T> F<T>(int a, params T[] b) where T : X;", "type F[T: X] = fn(a: int, *b: [][T]) -> Task[T]"),
    ]);
}

#[test]
fn parameters_of_a_class_are_properties_and_a_constructor() {
    check(&[
        (
            "public record A(int B, [property: J(\"c\")] [R] string? C = null);",
            "public record class#0 A() {public init primary .B: int; \
             @J(\"c\") public init primary .C: (string BitOr None); \
             public primary def#0 __init__(this, B: int, @R() C: (string BitOr None) = None) {this.B = B; this.C = C}}",
        ),
        (
            "record struct A(int B); readonly record struct C(int D);",
            "record struct class#0 A() {public primary .B: int; public primary def#0 __init__(this, B: int) {this.B = B}}; \
             readonly record struct class#1 C() {public init primary .D: int; \
             public primary def#1 __init__(this, D: int) {this.D = D}}",
        ),
        (
            "record A(int B) : C<int>(B, 1), D { public int B { get; } = B; }",
            "record class#0 A(C[int], D) {public primary def#0 __init__(this, B: int) {super().__init__(B, 1)}; \
             public readonly .B: int = B}",
        ),
        (
            "class A(IB b) : C(b) { public int D => b.E; }",
            "class#0 A(C) {private field primary .b: IB; \
             public primary def#1 __init__(this, b: IB) {super().__init__(b); this.b = b}; \
             public readonly .D: int get def#0 D(this) -> int {return b.E}}",
        ),
    ]);
}

#[test]
fn properties_say_who_reads_and_sets_them() {
    check_members(&[
        ("public int A { get; set; }", "public .A: int"),
        ("public required int A { get; init; } = 1;", "public required init .A: int = 1"),
        ("int A { get; }", "readonly .A: int"),
        ("public int A { get; private set; }", "public readonly .A: int"),
        ("public int A { private get; set; }", "public writeonly .A: int"),
        ("public int A { set { b = value; } }", "public writeonly .A: int"),
        ("public static A B { get; } = new(1);", "public static readonly .B: A = new A(1)"),
        ("public A? B { get; set; } = new() { C = 1 };", "public .B: (A BitOr None) = (new A() with record{\"C\": 1})"),
        ("public int A => b + 1;", "public readonly .A: int get def#0 A(this) -> int {return (b Add 1)}"),
        ("public static int A { get { return b; } set { } }", "public static .A: int get def#0 A() -> int {return b}"),
        ("int I<C>.A => 1;", "readonly .I<C>.A: int get def#0 I<C>.A(this) -> int {return 1}"),
        ("[J(\"a\")] public virtual new int A { get; set; }", "@J(\"a\") public virtual hides .A: int"),
        ("[field: X] [property: Y] public int A { get; set; }", "@Y() public .A: int"),
        ("public override int A { get => 1; }", "public override readonly .A: int get def#0 A(this) -> int {return 1}"),
    ]);
    check(&[(
        "interface A { int B { get; } private int C => 1; }",
        "interface#0 A() {public readonly .B: int; \
        private readonly .C: int get def#0 C(this) -> int {return 1}}",
    )]);
    let body = module("class A { internal int B { get; set; } int I.C { get; } public int D; }").body;
    let StmtKind::Class(class) = &body[0].kind else { panic!("a class") };
    let private: Vec<bool> = class
        .body
        .iter()
        .map(|statement| matches!(&statement.kind, StmtKind::Property(property) if property.is_private))
        .collect();
    assert_eq!(private, [true, true, false]);
}

#[test]
fn fields_are_properties() {
    check_members(&[
        ("private readonly int a = 1, b;", "private readonly field .a: int = 1; private readonly field .b: int"),
        (
            "public const string A = B.C + \"/\" + nameof(D.E);",
            "public static const readonly field .A: string = ((B.C Add \"/\") Add \"E\")",
        ),
        ("static readonly A b = new();", "static readonly field .b: A = new A()"),
        ("event E F; public event E G { add { } remove { } }", ""),
    ]);
}

#[test]
fn methods_are_functions() {
    check_members(&[
        (
            "[HttpGet(\"{id}\")] public virtual async Task<B> C<T>([F] int id, D? d = null, E e = default) where T : G { return new(); }",
            "@HttpGet(\"{id}\") public virtual async def#0 C[T: G](this, @F() id: int, d: (D BitOr None) = None, \
             e: E = <default value>) -> Task[B] {return new B()}",
        ),
        (
            "public static int B(this C c, params int[] d) => c.D;",
            "@staticmethod public static extension def#0 B(c: C, *d: [][int]) -> int {return c.D}",
        ),
        ("void B() => C();", "def#0 B(this) -> void {C()}"),
        ("async Task B() => await C();", "async def#0 B(this) -> Task {await C()}"),
        ("int B() => throw new C();", "def#0 B(this) -> int {raise}"),
        ("protected abstract int B();", "protected abstract def#0 B(this) -> int {return <declared without a body>}"),
        ("void I.B() { }", "def#0 I.B(this) -> void {}"),
        ("public override string B() => base.B();", "public override def#0 B(this) -> string {return super().B()}"),
        ("public new partial void B() { }", "public hides partial def#0 B(this) -> void {}"),
        ("A(int b) : base(b, 1) { c = b; }", "def#0 __init__(this, b: int) {super().__init__(b, 1); c = b}"),
        ("public A() : this(1) => c = 2;", "public def#0 __init__(this) {this.__init__(1); c = 2}"),
        ("static A() { } ~A() { }", ""),
        ("int this[string a] => b[a];", "def#0 __getitem__(this, a: string) -> int {return b[a]}"),
        (
            "public int this[int a] { get { return 1; } set { } }",
            "public def#0 __getitem__(this, a: int) -> int {return 1}",
        ),
        (
            "public static implicit operator A(B b) => new(b); public static bool operator ==(A a, A b) => true;",
            "@staticmethod public static def#0 implicit operator(b: B) -> A {return new A(b)}; \
             @staticmethod public static def#1 operator ==(a: A, b: A) -> bool {return true}",
        ),
        (
            "IEnumerable<int> B() { yield return 1; yield break; }",
            "def#0 B(this) -> IEnumerable[int] {yield 1; return}",
        ),
        (
            "int B() { return C(1); int C(int d) => d; }",
            "def#0 B(this) -> int {def#1 C(d: int) -> int {return d}; return C(1)}",
        ),
    ]);
}

#[test]
fn conditional_compilation_keeps_both_ways() {
    check_members(&[
        ("\n#if X\nint A;\n#elif Y\nint B;\n#else\nint C;\n#endif\n", "field .A: int; field .B: int; field .C: int"),
        ("\n#if false\nint A;\n#else\nint B;\n#endif\n", "field .B: int"),
        (
            "void B() {\n#if X\nc();\n#elif Y\nd();\n#else\ne();\n#endif\n}",
            "def#0 B(this) -> void {if <conditional compilation> {c()} else {if <conditional compilation> {d()} else {e()}}}",
        ),
        ("void B() {\n#if X\nc();\n#endif\n}", "def#0 B(this) -> void {if <conditional compilation> {c()}}"),
    ]);
    check(&[
        ("#if X\nusing A;\n#else\nusing B;\n#endif\nclass C { }", "from A import *; from B import *; class#0 C() {}"),
        // A comma in the branch is more than the grammar knows: one way is read.
        ("enum A {\n#if !X\nB,\n#endif\nC }", "enum#0 A() {public const readonly .B; public const readonly .C}"),
    ]);
}

/// `#if` may stand anywhere; the grammar knows it among declarations and statements.
#[test]
fn conditions_inside_of_expressions_are_decided() {
    check(&[
        ("f(\n#if NETSTANDARD2_0\n1,\n#else\n2,\n#endif\n3); g();", "f(2, 3); g()"),
        ("a = b\n#if DEBUG\n.c()\n#endif\n.d();", "a = b.d()"),
    ]);
}

#[test]
fn statements_are_lowered() {
    check(&[
        ("int a = 1, b; var c = a; const string d = \"e\";", "a: int = 1; b: int; c = a; d: string = \"e\""),
        (
            "A a = new(1); B? b = new() { C = 1 };",
            "a: A = new A(1); b: (B BitOr None) = (new B() with record{\"C\": 1})",
        ),
        ("using var a = b; await using C d = e;", "a = b; d: C = e"),
        ("var (a, (b, _)) = c; (d, var e) = f; (int g, _) = h;", "(a, (b, _,),) = c; (d, e,) = f; (g, _,) = h"),
        ("a = b = c; a.b = c; a[0] = b; a += b; a ??= b;", "a = b = c; a.b = c; a[0] = b; a Add= b; a = (a or b)"),
        ("i++; --i; ; f(x);", "f(x)"),
        ("if (a) b(); else if (c) { d(); } else e();", "if a {b()} else {if c {d()} else {e()}}"),
        ("foreach (var a in b) c();", "for a in b {c()}"),
        ("foreach (A a in b) { }", "for a in b {a: A = a}"),
        ("await foreach (var (a, b) in c) { continue; }", "for (a, b,) in c {continue}"),
        ("for (int i = 0, j = 1; i < j; i += 2, j--) f();", "i: int = 0; j: int = 1; while (i Less j) {f(); i Add= 2}"),
        ("for (;;) break;", "while true {break}"),
        ("while (a) { } do { b(); } while (c);", "while a {}; while c {b()}"),
        (
            "try { a(); } catch (E e) when (e.f) { b(); } catch { throw; } finally { c(); }",
            "try {a()} except {e: E = <caught error>; b()} except {raise} finally {c()}",
        ),
        ("using (var a = b) { c(); } using (d) e();", "a = b; c(); d; e()"),
        ("lock (a) { b(); } checked { c(); } unsafe { d(); } e: f(); goto e;", "b(); c(); d(); f()"),
        ("return; throw new E();", "return; raise"),
        (
            "switch (a) { case 1: case B.C: d(); break; case E f when f.G: return; case null: default: h(); break; }",
            "match a case 1 B.C {d()} case {(((f := (a as E)) Is E) and f.G); return} case {h()}",
        ),
        ("switch (f()) { case > 1: g(); break; }", "match (matched@0 := f()) case {(matched@0 Greater 1); g()}"),
        ("f(); int f() => 1;", "def#0 f() -> int {return 1}; f()"),
        ("f(); class A { }", "class#0 A() {}; f()"),
        (
            "#if A\nf();\nclass B { }\n#else\ng();\n#endif",
            "class#0 B() {}; if <conditional compilation> {f()} else {g()}",
        ),
    ]);
}

#[test]
fn types_are_lowered() {
    for (text, expected) in [
        ("string", "string"),
        ("int?", "(int BitOr None)"),
        ("A.B<C>.D", "A.B[C].D"),
        ("global::A.B", "A.B"),
        ("X::A.B", "X.A.B"),
        ("List<string?>?", "(List[(string BitOr None)] BitOr None)"),
        ("A[]", "[][A]"),
        ("A?[]?", "([][(A BitOr None)] BitOr None)"),
        ("int[][]", "[][[][int]]"),
        ("int[,]", "[,][int]"),
        ("(int A, string)", "((A := int), string,)"),
        ("dynamic", "dynamic"),
        ("Dictionary<string, List<(int, A?)>>", "Dictionary[string, List[(int, (A BitOr None),)]]"),
        ("@class", "class"),
    ] {
        check(&[(&format!("{text} a;"), &format!("a: {expected}"))]);
    }
    check_members(&[("int* a; ref int B() => ref c;", "field .a: <pointer>; def#0 B(this) -> int {return c}")]);
}

#[test]
fn expressions_are_lowered() {
    check_values(&[
        ("a.b?.c?[0]?.d()!.e", "a.b.c[0].d().e"),
        ("this.a + base.b()", "(this.a Add super().b())"),
        ("f<A, B>(c, d: e) + a.b<C>(d)", "(f<A, B>(c, d=e) Add a.b<C>(d))"),
        ("a?.b<C>(d)", "a.b<C>(d)"),
        ("string.Empty + int.Parse(a)", "(string.Empty Add int.Parse(a))"),
        (
            "f(out var a, out int b, out c, out _, ref d, in e)",
            "f((a := <`out` argument>), (b := (<`out` argument> as int)), (c := <`out` argument>), <`out` argument>, d, e)",
        ),
        ("nameof(A.B<C>) + nameof(a) + nameof(A<B>)", "((\"B\" Add \"a\") Add \"A\")"),
        ("typeof(A<B>)", "typeof A[B]"),
        ("typeof(A<,>)", "typeof A[]"),
        ("default(A)", "(<default value> as A)"),
        ("f(default, sizeof(int))", "f(<default value>, <`sizeof`>)"),
        ("(A)b", "(b as A)"),
        ("b as A[]", "(b as [][A])"),
        ("(int)A.B", "(A.B as int)"),
        ("a ?? throw new E()", "(a or raise)"),
        ("a ? b : c", "(a ? b : c)"),
        ("a && b || !c", "((a and b) or not c)"),
        ("a == b != (c <= d)", "((a Equal b) NotEqual (c LessEqual d))"),
        ("-1 + +a + ~b", "((-1 Add a) Add <bitwise operator>)"),
        ("a[1..^2] + b[^1] + c[..]", "((a[1:-2:] Add b[-1]) Add c[::])"),
        ("(a, b: 2)", "(a, 2,)"),
        ("await f()", "await f()"),
        ("checked(a)", "a"),
        ("f(a = b, c.d = e, i++, g ??= h)", "f((a := b), e, <increment>, (g := (g or h)))"),
        ("a => a.b", "lambda#0(a) {return a.b}"),
        (
            "async (int a, B b = null) => { await c; return a; }",
            "async lambda#0(a: int, b: B = None) {await c; return a}",
        ),
        ("[X] static int ([Y] a, _) => a", "@X() lambda#0(@Y() a, _) -> int {return a}"),
        ("() => this.a = 1", "lambda#0() {this.a = 1}"),
        ("delegate (int a) { return a; }", "lambda#0(a: int) {return a}"),
        (
            "from a in b where a.c from d in a.e orderby d let f = d.g select f.h",
            "generator(f.h for a in b if a.c for d in a.e for f in [d.g])",
        ),
        ("from a in b group a by a.c", "<query>"),
    ]);
}

#[test]
fn objects_are_made() {
    check_values(&[
        ("new A.B<C>(d, e: f)", "new A.B[C](d, e=f)"),
        (
            "new A { B = 1, C = { D = 2 }, E = { 3 } }",
            "(new A() with record{\"B\": 1, \"C\": record{\"D\": 2}, \"E\": [3]})",
        ),
        ("new(1)", "new (1)"),
        ("new List<int> { 1, 2 }", "(new List[int]() with [1, 2])"),
        ("new D<string, int> { { \"a\", 1 }, { \"b\", 2 } }", "(new D[string, int]() with {\"a\": 1, \"b\": 2})"),
        ("new D { [\"a\"] = 1, B = 2 }", "((new D() with record{\"B\": 2}) with {\"a\": 1})"),
        ("new { a, b.C, D = 1, e?.F }", "record{\"a\": a, \"C\": b.C, \"D\": 1, \"F\": e.F}"),
        ("new[] { 1, 2 }", "[1, 2]"),
        ("new A[] { b }", "(new [][A]() with [b])"),
        ("new int[3]", "new [][int](3)"),
        ("[a, ..b, 1]", "[a, *b, 1]"),
        ("[]", "[]"),
        ("a with { B = 1, C = d }", "(a with record{\"B\": 1, \"C\": d})"),
    ]);
    check(&[("int[] a = { 1, 2 }; A b = [];", "a: [][int] = [1, 2]; b: A = []")]);
}

#[test]
fn patterns_are_tests_that_bind() {
    check_values(&[
        ("a is null", "(a Is None)"),
        ("a is not null", "(a IsNot None)"),
        ("a is B", "(a Is B)"),
        ("a is int", "(a Is int)"),
        ("a is B b && b.C", "(((b := (a as B)) Is B) and b.C)"),
        ("a is \"x\" or \"y\"", "((a Equal \"x\") or (a Equal \"y\"))"),
        ("a is > 1 and <= 2", "((a Greater 1) and (a LessEqual 2))"),
        ("a is not (1 or 2)", "not ((a Equal 1) or (a Equal 2))"),
        ("a is var b", "((b := a) or true)"),
        (
            "a.b is { C: 1, D.E: var f } g",
            "((((g := a.b) IsNot None) and (a.b.C Equal 1)) and ((f := a.b.D.E) or true))",
        ),
        ("f() is B { C: null }", "(((matched@4 := f()) Is B) and (matched@4.C Is None))"),
        ("a is (1, _)", "(a[0] Equal 1)"),
        ("a is B(var c, > 2)", "(((a Is B) and ((c := a[0]) or true)) and (a[1] Greater 2))"),
        ("a is [1, ..]", "<list pattern>"),
        (
            "a switch { 1 or 2 => b, C.D => e, F f when f.G => h, null => throw new E(), _ => i }",
            "(match a case 1 2 {b} case C.D {e} case if (((f := (a as F)) Is F) and f.G) {h} case None {raise} case {i})",
        ),
        ("f() switch { > 1 => a, _ => b }", "(match (matched@4 := f()) case if (matched@4 Greater 1) {a} case {b})"),
        ("a switch { int => b, string s => s }", "(match a case int {b} case if ((s := (a as string)) Is string) {s})"),
    ]);
}

#[test]
fn literals_are_decoded() {
    check_values(&[
        (r#""a\"\n\t\\\x41\u00e9\U0001F600\0""#, "\"a\\\"\\n\\t\\\\Aé😀\\0\""),
        (r#"@"a\b""c""#, r#""a\\b\"c""#),
        ("'c'", "\"c\""),
        ("'\\n'", "\"\\n\""),
        ("\"a\"u8", "bytes"),
        ("\"\"\"a \"b\" c\"\"\"", "\"a \\\"b\\\" c\""),
        ("\"\"\"\n    a\n      b\n\n    c\n    \"\"\"", "\"a\\n  b\\n\\nc\""),
        ("$\"a{{b}}{c}d\\n{e.F}\"", "f(\"a{b}\", c, \"d\\n\", e.F)"),
        ("$\"a\" + $\"b\"", "(\"a\" Add \"b\")"),
        ("$@\"a\\b\"\"{c}\"", "f(\"a\\\\b\\\"\", c)"),
        ("$\"{a:D2}{b,5}{this.c}\"", "f(<formatted value>, <formatted value>, this.c)"),
        ("$$\"\"\"a{b}{{c}}\"\"\"", "f(\"a{b}\", c)"),
        ("$\"\"\"\n  a\n   {b}\n  c\n  \"\"\"", "f(\"a\\n \", b, \"\\nc\")"),
        ("[1_000, 0xFF, 0b11, 1L, 2UL, 1.5, .5f, 1e3, 2m, 3d]", "[1000, 255, 3, 1, 2, 1.5, 0.5, 1000.0, 2.0, 3.0]"),
        ("18446744073709551615", "<large integer>"),
        ("f(true, false, null)", "f(true, false, None)"),
    ]);
}

#[test]
fn nullable_directives_are_told() {
    for (text, expected) in [
        ("class A { }", None),
        ("#nullable enable\nclass A { }", Some(true)),
        ("\u{feff}// x\n# nullable disable\nclass A { }", Some(false)),
    ] {
        assert_eq!(module(text).strict_nulls, expected, "{text}");
    }
}

#[test]
fn what_cannot_be_read_leaves_a_mark_and_the_rest() {
    for (text, expected) in [
        ("class A { int a; ??? ; public int B { get; set; } }", ".B: int"),
        ("f(1, %%, 2); g();", "g()"),
        ("class A { void B() { c(); } } @@@ class D { }", " D() {}"),
    ] {
        let (module, problems) = lower(FileId(0), "x.cs", text);
        let rendered = render::stmts(&module.body);
        assert_eq!(problems.len(), 1, "{text}");
        assert!(problems[0].message.contains("not valid C#"), "{}", problems[0].message);
        assert!(!module.errors.is_empty(), "{text}");
        assert!(rendered.contains("unreadable syntax") && rendered.contains(expected), "{text}: {rendered}");
    }
}

#[test]
fn spans_are_those_of_the_source() {
    let text = "using A.B;\nnamespace N;\n[D]\npublic class C {\n  [E] public string F { get; set; }\n  [G(1)] void H() {}\n}\n";
    let module = module(text);
    let at = |span: Span| &text[span.start as usize..span.end as usize];
    assert_eq!(at(module.body[0].span), "A.B");
    let StmtKind::Namespace { name_span, body, .. } = &module.body[1].kind else { panic!("a namespace") };
    assert_eq!(at(*name_span), "N");
    assert!(at(module.body[1].span).starts_with("namespace N;") && at(module.body[1].span).ends_with('}'));
    let StmtKind::Class(class) = &body[0].kind else { panic!("a class") };
    assert_eq!((at(class.name_span), class.span.file), ("C", FileId(3)));
    assert!(at(class.span).starts_with("[D]\npublic class C"));
    let StmtKind::Property(property) = &class.body[0].kind else { panic!("a property") };
    assert_eq!((at(property.name_span), at(property.decorators[0].span)), ("F", "E"));
    let StmtKind::Function(method) = &class.body[1].kind else { panic!("a method") };
    assert_eq!((at(method.name_span), at(method.decorators[0].span)), ("H", "G(1)"));
    assert_eq!((module.functions, module.classes), (1, 1));
}
