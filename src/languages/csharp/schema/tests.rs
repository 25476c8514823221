//! Small programs, and the shapes that come of their class `X`.

use super::Schemas;
use crate::evaluate::{Evaluator, Library, ModuleId, ProgramIndex, Specifiers, Value};
use crate::languages::csharp::lower;
use crate::model::program::Module;
use crate::model::{Additional, Kind, ShapeId, ShapeTable};
use crate::text::FileId;

static LIBRARIES: &[&Library] = &[];

/// The shape of the type `X` of the first file, written out.
fn shape_in(files: &[&str]) -> String {
    let modules: Vec<Module> = files
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let (module, problems) = lower(FileId(at as u32), &format!("src/F{at}.cs"), text);
            assert_eq!(problems, [], "{text}");
            module
        })
        .collect();
    let index = ProgramIndex::new(&modules, &[], Specifiers::default(), LIBRARIES);
    let mut evaluator = Evaluator::new(&modules, &index, Vec::new(), LIBRARIES);
    evaluator.start(FileId(0));
    let classes = evaluator.declared_classes(&[ModuleId(0)]);
    let class = classes.into_iter().find(|class| class.name() == "X").expect("there is an X");
    let site = class.name_span();
    let mut schemas = Schemas::default();
    let id = schemas.shape_of(&mut evaluator, &Value::Class(class), site);
    render(&schemas.table, id, &mut Vec::new())
}

/// The members of a class `X`.
fn members(text: &str) -> String {
    shape_in(&[&format!("class X {{ {text} }}")])
}

fn check_members(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(members(text), format!("X{{{expected}}}"), "{text}");
    }
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shape_in(&[text]), *expected, "{text}");
    }
}

fn render(table: &ShapeTable, id: ShapeId, open: &mut Vec<ShapeId>) -> String {
    let view = table.view(id);
    let mark = if view.nullable && !matches!(view.shape.kind, Kind::Null | Kind::Any) { "?" } else { "" };
    let name = view.shape.name.as_deref().unwrap_or("");
    if open.contains(&view.id) {
        return format!("^{name}{mark}");
    }
    open.push(view.id);
    let mut all = |ids: &[ShapeId]| ids.iter().map(|id| render(table, *id, open)).collect::<Vec<_>>();
    let text = match (&view.shape.kind, &view.shape.values) {
        (_, Some(values)) => {
            let listed: Vec<String> = values.iter().map(|value| value.to_string().replace('`', "'")).collect();
            format!("{name}({})", listed.join(" | "))
        }
        (Kind::Unknown(reason), _) => format!("unknown ({})", reason.text),
        (Kind::Object(object), _) => {
            let shapes = all(&object.fields.iter().map(|field| field.shape).collect::<Vec<_>>());
            let mut members: Vec<String> = object
                .fields
                .iter()
                .zip(shapes)
                .map(|(field, shape)| {
                    let required = if field.required { "!" } else { "" };
                    format!("{}{required}{}: {shape}", field.name, if field.always { "" } else { "?" })
                })
                .collect();
            if let Additional::Of(value) = object.additional {
                members.push(format!("*: {}", all(&[value]).concat()));
            }
            format!("{name}{{{}}}", members.join(", "))
        }
        (Kind::Array { items, .. }, _) => format!("{name}[{}]", all(items.as_slice()).join(", ")),
        (kind, _) => match &view.shape.format {
            Some(format) => format.clone(),
            None => format!("{name}{kind:?}").to_lowercase(),
        },
    };
    open.pop();
    text + mark
}

#[test]
fn built_in_types() {
    check_members(&[
        ("public int A { get; set; }", "a: int32"),
        ("public long A { get; set; }", "a: int64"),
        ("public decimal A { get; set; }", "a: double"),
        ("public string A { get; set; }", "a: string"),
        ("public string? A { get; set; }", "a: string?"),
        ("public int? A { get; set; }", "a: int32?"),
        ("public Nullable<int> A { get; set; }", "a: int32?"),
        ("public bool A { get; set; }", "a: boolean"),
        (
            "public Guid A { get; set; } public DateTime? B { get; set; } public DateOnly C { get; set; }",
            "a: uuid, b: date-time?, c: date",
        ),
        ("public System.DateTimeOffset A { get; set; } public TimeSpan B { get; set; }", "a: date-time, b: string"),
        ("public byte[] A { get; set; } public byte[][] B { get; set; }", "a: byte, b: [byte]"),
        (
            "public object A { get; set; } public dynamic B { get; set; } public JsonElement? C { get; set; }",
            "a: any, b: any, c: any",
        ),
        (
            "public Uri A { get; set; } public Version B { get; set; } public char C { get; set; }",
            "a: uri, b: string, c: string",
        ),
        (
            "public string[] A { get; set; } public List<int?> B { get; set; } public IEnumerable<X> C { get; set; }",
            "a: [string], b: [int32?], c: [^X]",
        ),
        (
            "public Dictionary<string, List<int>> A { get; set; } public IDictionary<int, X?> B { get; set; }",
            "a: {*: [int32]}, b: {*: ^X?}",
        ),
        (
            "public KeyValuePair<string, int> A { get; set; } public Tuple<int, string> B { get; set; }",
            "a: {key: string, value: int32}, b: {item1: int32, item2: string}",
        ),
        ("public (int A, string B) A { get; set; }", "a: {}"),
        ("public IFormFile A { get; set; }", "a: unknown (`IFormFile` is not part of the scanned sources)"),
        ("public X A { get; set; } public X? B { get; set; }", "a: ^X, b: ^X?"),
        ("public Task<int> A { get; }", "a: int32"),
    ]);
}

#[test]
fn members_are_the_public_properties_that_can_be_read() {
    check_members(&[
        (
            "public int A => 1; public int B { get { return 1; } } public int C { private get; set; } public int D { set { } }",
            "a: int32, b: int32",
        ),
        ("public static int A { get; } internal int B { get; } int C { get; } protected int D { get; }", ""),
        ("public int A; public const int B = 1; public readonly int C;", ""),
        ("public int this[int i] => i; public int F() => 1; public event EventHandler E;", ""),
        (
            "[JsonInclude] public int A; [JsonInclude] private int B { get; set; } public required int C { get; init; }",
            "a: int32, b: int32, c!: int32",
        ),
        (
            "int IA.B { get; } public Func<int> C { get; } public int D { get; private set; }",
            "c: unknown (`Func` is not part of the scanned sources), d: int32",
        ),
    ]);
    check(&[
        (
            "class B { public int A { get; set; } public virtual int V { get; } public int N { get; } } class X : B { public override int V => 1; public new string N { get; } public int O { get; } }",
            "X{v: int32, n: string, o: int32, a: int32}",
        ),
        (
            "record X(int A, [property: JsonPropertyName(\"c\")] string? B) { public int D => A; }",
            "X{a: int32, c: string?, d: int32}",
        ),
        (
            "struct S { public int A { get; } } class X { public S A { get; } public S? B { get; } }",
            "X{a: S{a: int32}, b: S{a: int32}?}",
        ),
        (
            "interface IA { int A { get; } } interface X : IA, System.IDisposable { int B { get; } }",
            "X{b: int32, a: int32}",
        ),
        ("class X : IA { int IA.B => 1; public int A { get; } } interface IA { int B { get; } }", "X{a: int32}"),
        ("class X(int b) { public int A { get; } = b; }", "X{a: int32}"),
        (
            "partial class X { public int A { get; } } partial class X { public int B { get; } }",
            "X{a: int32, b: int32}",
        ),
        ("class X { public Y A { get; } public class Y { public int B { get; } } }", "X{a: Y{b: int32}}"),
        (
            "class X : IdentityUser<int> { public int A { get; } }",
            "X{a: int32, *: unknown (`IdentityUser` is not part of the scanned sources)}",
        ),
        ("class X : IThing, IDisposable { public int A { get; } }", "X{a: int32}"),
        (
            "class X : Exception { public int A { get; } }",
            "unknown (an exception, which is written with what the library adds)",
        ),
    ]);
}

#[test]
fn generics_are_filled_in_through_bases() {
    check(&[
        (
            "class P<T> { public List<T> Items { get; } public int Total { get; } } class Y { public int A { get; } } class X { public P<Y> A { get; } public P<string?> B { get; } }",
            "X{a: YP{items: [Y{a: int32}], total: int32}, b: StringP{items: [string?], total: int32}}",
        ),
        (
            "class B<K, V> { public K Key { get; } public V Value { get; } } class C<T> : B<string, List<T>> { } class X : C<int> { }",
            "X{key: string, value: [int32]}",
        ),
        ("class X : List<Y> { public int A { get; } } class Y { public int B { get; } }", "X[Y{b: int32}]"),
        (
            "class PagedList<T> : List<T> { public int A { get; } } class X { public PagedList<int> A { get; } }",
            "X{a: Int32PagedList[int32]}",
        ),
        ("class X : IEnumerable<int> { public int Count { get; } }", "X[int32]"),
        ("class X : Dictionary<string, int> { }", "X{*: int32}"),
        (
            "class X<T> { public X<List<T>> A { get; } public T B { get; } }",
            "X{a: TListX{a: TListListX{a: TListListListX{a: TListListListListX{a: TListListListListListX{a: TListListListListListListX{a: unknown (`X` contains itself with ever larger arguments), b: [[[[[[unknown (`T` stands for any type)]]]]]]}, b: [[[[[unknown (`T` stands for any type)]]]]]}, b: [[[[unknown (`T` stands for any type)]]]]}, b: [[[unknown (`T` stands for any type)]]]}, b: [[unknown (`T` stands for any type)]]}, b: [unknown (`T` stands for any type)]}, b: unknown (`T` stands for any type)}",
        ),
    ]);
}

#[test]
fn enumerations_are_numbers_unless_a_converter_says_otherwise() {
    check(&[
        (
            "enum E { A, B = 5, C } class X { public E A { get; } public E? B { get; } }",
            "X{a: E(0 | 5 | 6), b: E(0 | 5 | 6)?}",
        ),
        ("[Flags] enum E { A = 1, B = 2 } class X { public E A { get; } }", "X{a: einteger}"),
        (
            "[JsonConverter(typeof(JsonStringEnumConverter))] enum E { FirstOne, B } class X { public E? A { get; } }",
            "X{a: E('FirstOne' | 'B')?}",
        ),
        (
            "[JsonConverter(typeof(JsonStringEnumConverter<E>))] enum E { [JsonStringEnumMemberName(\"x\")] A, [EnumMember(Value = \"y\")] B } class X { public E A { get; } }",
            "X{a: E('x' | 'B')}",
        ),
        (
            "enum E { A } class X { [JsonConverter(typeof(JsonStringEnumConverter))] public E A { get; } public E B { get; } }",
            "X{a: E('A'), b: E(0)}",
        ),
        (
            "class CamelConverter : JsonStringEnumConverter { public CamelConverter() : base(JsonNamingPolicy.CamelCase) { } } [JsonConverter(typeof(CamelConverter))] enum E { FirstOne } class X { public E A { get; } }",
            "X{a: E('firstOne')}",
        ),
    ]);
}

#[test]
fn attributes_name_and_leave_out() {
    check_members(&[
        (
            "[JsonPropertyName(\"x-y\")] public int A { get; } [JsonIgnore] public int B { get; } [JsonProperty(\"z\")] public int C { get; }",
            "x-y: int32, c: int32",
        ),
        (
            "[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string? A { get; } [JsonIgnore(Condition = JsonIgnoreCondition.Never)] public string? B { get; }",
            "a?: string, b: string?",
        ),
        (
            "[JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int A { get; } [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public string B { get; }",
            "a?: int32, b: string",
        ),
        (
            "[JsonExtensionData] public Dictionary<string, object> A { get; set; } public int B { get; }",
            "b: int32, *: unknown (members that are added at run time)",
        ),
        ("[Required] public string? A { get; } [JsonRequired] public int B { get; }", "a!: string, b!: int32"),
        ("[JsonConverter(typeof(Own))] public int A { get; }", "a: unknown (`Own` writes it in its own way)"),
    ]);
    check(&[
        ("using Newtonsoft.Json; class X { [JsonIgnore] public int A { get; } }", "X{a: int32}"),
        ("using System.Text.Json.Serialization; class X { [JsonIgnore] public int A { get; } }", "X{}"),
        ("using Newtonsoft.Json; class X { [System.Text.Json.Serialization.JsonIgnore] public int A { get; } }", "X{}"),
        (
            "[JsonDerivedType(typeof(Y), \"y\")] class X { public int A { get; } } class Y : X { public int B { get; } }",
            "X{a: int32, *: unknown (what extends `X` is written with its own members)}",
        ),
    ]);
}
