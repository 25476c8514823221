//! Small programs, and the shapes that come of their class `X`.

use std::sync::Arc;

use super::{SERIALISERS, Schemas, Serialiser};
use crate::evaluate::{Evaluator, Library, ModuleId, ProgramIndex, Specifiers, Value};
use crate::languages::csharp::lower;
use crate::model::program::Module;
use crate::model::{Additional, Kind, ShapeId, ShapeTable};
use crate::text::FileId;

static LIBRARIES: &[&Library] = &[&SERIALISERS];

/// A program that sets up nothing.
const HOST: &str = "var app = WebApplication.Create(); app.Run();";

/// The shape of the type `X` of the first file, written out.
fn shape_in(files: &[&str]) -> String {
    shape_by(Serialiser::Controllers, files)
}

fn shape_by(serialiser: Serialiser, files: &[&str]) -> String {
    let modules: Vec<Module> = files
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let (module, problems) = lower(FileId(at as u32), &format!("src/F{at}.cs"), text);
            assert_eq!(problems, [], "{text}");
            module
        })
        .collect();
    let index = ProgramIndex::new(&modules, &[], Specifiers::default(), LIBRARIES, &[]);
    let mut evaluator = Evaluator::new(&modules, &index, Vec::new());
    evaluator.start(FileId(0));
    let classes = evaluator.declared_classes(&[ModuleId(0)]);
    let class = classes.into_iter().find(|class| class.name() == "X").expect("there is an X");
    let site = class.name_span();
    let mut schemas = Schemas::new(Arc::default());
    let id = schemas.shape_by(serialiser, &mut evaluator, &Value::Class(class), site);
    render(&schemas.table, id, &mut Vec::new())
}

/// The members of a class `X`.
fn members(text: &str) -> String {
    shape_in(&[&format!("class X {{ {text} }}"), HOST])
}

fn check_members(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(members(text), format!("X{{{expected}}}"), "{text}");
    }
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shape_in(&[text, HOST]), *expected, "{text}");
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
        (Kind::Either(ways), _) => format!("either {}", all(ways).join(" or ")),
        (Kind::Array { items, .. }, _) => format!("{name}[{}]", all(items.as_slice()).join(", ")),
        (kind, _) => match &view.shape.format {
            Some(format) => format.clone(),
            None => format!("{name}{kind:?}").to_lowercase(),
        },
    };
    open.pop();
    let limits = view.shape.limits.as_deref().map_or_else(String::new, |limits| {
        let lengths = [limits.min_length, limits.max_length].map(|length| length.map(|length| length.to_string()));
        let [least, most] = lengths;
        let (least, most) = (least.or(limits.minimum.clone()), most.or(limits.maximum.clone()));
        format!(" {}..{}", least.unwrap_or_default(), most.unwrap_or_default())
    });
    text + mark + &limits
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
            "class X : LibraryBase<int> { public int A { get; } }",
            "X{a: int32, *: unknown (`LibraryBase` is not part of the scanned sources)}",
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

const MODEL: &str = "
    enum Color { DarkRed }
    class Y { public string Id { get; } }
    class X { public Color FirstColor { get; } public string? ANote { get; } public Y? Other { get; } public int Count; }";

/// `X` as a program writes it that is set up so.
fn check_setup(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shape_in(&[MODEL, text]), *expected, "{text}");
    }
}

#[test]
fn what_the_program_sets_up_counts() {
    let plain = "X{firstColor: Color(0), aNote: string?, other: Y{id: string}?}";
    check_setup(&[
        (HOST, plain),
        (
            "builder.Services.AddControllers().AddJsonOptions(o => o.JsonSerializerOptions.PropertyNamingPolicy = null);",
            "X{FirstColor: Color(0), ANote: string?, Other: Y{Id: string}?}",
        ),
        (
            "services.AddMvc().AddJsonOptions(options => { var o = options.JsonSerializerOptions;
               o.PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower; o.IncludeFields = true;
               o.DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull;
               o.Converters.Add(new JsonStringEnumConverter(JsonNamingPolicy.CamelCase)); });",
            "X{first_color: Color('darkRed'), a_note?: string, other?: Y{id: string}, count: int32}",
        ),
        // Those of minimal APIs are others.
        (
            "builder.Services.ConfigureHttpJsonOptions(o => o.SerializerOptions.PropertyNamingPolicy = null); app.Run();",
            plain,
        ),
        (
            "services.Configure<Microsoft.AspNetCore.Mvc.JsonOptions>(o => { o.JsonSerializerOptions.PropertyNamingPolicy = JsonNamingPolicy.KebabCaseUpper; });",
            "X{FIRST-COLOR: Color(0), A-NOTE: string?, OTHER: Y{ID: string}?}",
        ),
        (
            "services.AddOptions<JsonOptions>().Configure(o => { o.JsonSerializerOptions.PropertyNamingPolicy = null; });",
            "X{FirstColor: Color(0), ANote: string?, Other: Y{Id: string}?}",
        ),
        (
            "services.AddControllers().AddJsonOptions(o => o.JsonSerializerOptions.PropertyNamingPolicy = new Mine()); class Mine : JsonNamingPolicy { }",
            "X{*: unknown (the name of `FirstColor` on the wire is not known)}",
        ),
        (
            "app.Run(); [JsonSourceGenerationOptions(UseStringEnumConverter = false)] partial class Own : JsonSerializerContext { }",
            plain,
        ),
        // Which types a generated serialiser is asked for is not followed.
        (
            "app.Run(); [JsonSourceGenerationOptions(UseStringEnumConverter = true)] partial class Own : JsonSerializerContext { }",
            "X{firstColor: either ('darkRed') or ('DarkRed') or ('dark_red') or ('DARK_RED') or ('dark-red') or (0), aNote: string?, other: Y{id: string}?}",
        ),
    ]);
}

#[test]
fn options_are_followed_into_functions_and_through_wrappers() {
    let named = "X{FirstColor: Color('DarkRed'), ANote: string?, Other: Y{Id: string}?}";
    check_setup(&[
        (
            "class Program { static void Main() { } }
             class Startup { public void ConfigureServices(IServiceCollection services) {
               services.AddControllers().AddJsonOptions(o => o.JsonSerializerOptions.SetUp()); } }
             static class E { public static void SetUp(this JsonSerializerOptions options) {
               options.PropertyNamingPolicy = null; options.Converters.Add(new JsonStringEnumConverter()); } }",
            named,
        ),
        (
            "services.AddControllers().AddOwn(o => { o.PropertyNamingPolicy = null; o.Converters.Insert(0, new JsonStringEnumConverter()); });
             static class E { public static IMvcBuilder AddOwn(this IMvcBuilder builder, Action<JsonSerializerOptions> configure) {
               builder.AddJsonOptions(o => configure(o.JsonSerializerOptions)); return builder; } }",
            named,
        ),
        (
            "app.Run(); class Own : IConfigureOptions<JsonOptions> { public void Configure(JsonOptions options) {
               options.JsonSerializerOptions.PropertyNamingPolicy = null; options.JsonSerializerOptions.Converters.Add(new JsonStringEnumConverter()); } }",
            named,
        ),
        (
            "services.AddControllers().AddJsonOptions(o => { var own = Defaults.Pascal; o.JsonSerializerOptions.PropertyNamingPolicy = own.PropertyNamingPolicy;
               foreach (var converter in own.Converters) { o.JsonSerializerOptions.Converters.Add(converter); } });
             static class Defaults { private static readonly JsonSerializerOptions _all = new() { Converters = { new JsonStringEnumConverter() } };
               private static readonly JsonSerializerOptions _pascal = new(_all) { PropertyNamingPolicy = null };
               public static JsonSerializerOptions Pascal => _pascal; }",
            named,
        ),
        (
            "services.AddControllers().AddJsonOptions(o => Elsewhere.Apply(o.JsonSerializerOptions));",
            "X{firstColor: either ('darkRed') or ('DarkRed') or ('dark_red') or ('DARK_RED') or ('dark-red') or (0), aNote: string?, other: Y{id: string}?}",
        ),
    ]);
    // Nothing here says who runs it.
    assert_eq!(
        shape_in(&[MODEL]),
        "X{firstColor: either ('darkRed') or ('DarkRed') or ('dark_red') or ('DARK_RED') or ('dark-red') or (0), aNote: string?, other: Y{id: string}?}"
    );
    let http = "builder.Services.ConfigureHttpJsonOptions(o => { o.SerializerOptions.PropertyNamingPolicy = null; });";
    assert_eq!(
        shape_by(Serialiser::Endpoints, &[MODEL, http]),
        "X{FirstColor: Color(0), ANote: string?, Other: Y{Id: string}?}"
    );
}

#[test]
fn newtonsoft_reads_its_own_attributes() {
    let model = "using Newtonsoft.Json; using System.Runtime.Serialization;
        enum Color { [EnumMember(Value = \"dark\")] DarkRed }
        abstract class B { public int InB { get; } }
        class X { public Color A { get; } [JsonProperty(\"Named\")] public string C { get; } [JsonProperty(PropertyName = \"d_d\", NullValueHandling = NullValueHandling.Ignore)]
          public string? D { get; } [JsonIgnore] public int E { get; } public int Field; public B F { get; } [JsonPropertyName(\"no\")] public int G { get; } public bool ShouldSerializeG() => true;
          public (int, string) H { get; } }";
    let cases = [
        (
            "services.AddControllers().AddNewtonsoftJson();",
            "X{a: Color(0), Named: string, d_d?: string, field: int32, f: B{inB: int32, *: unknown (what extends `B` is written with its own members)}, g?: int32, h: {item1: int32, item2: string}}",
        ),
        (
            "services.AddControllers().AddNewtonsoftJson(o => { o.SerializerSettings.ContractResolver = new DefaultContractResolver { NamingStrategy = new SnakeCaseNamingStrategy() };
               o.SerializerSettings.Converters.Add(new StringEnumConverter()); });",
            "X{a: Color('dark'), Named: string, d_d?: string, field: int32, f: B{in_b: int32, *: unknown (what extends `B` is written with its own members)}, g?: int32, h: {item1: int32, item2: string}}",
        ),
        (
            "services.AddMvc().AddJsonOptions(o => o.SerializerSettings.ContractResolver = new CamelCasePropertyNamesContractResolver());",
            "X{a: Color(0), named: string, d_d?: string, field: int32, f: B{inB: int32, *: unknown (what extends `B` is written with its own members)}, g?: int32, h: {item1: int32, item2: string}}",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(shape_in(&[model, text]), expected, "{text}");
    }
    let contract = "[DataContract] class X { [DataMember(Name = \"b\")] public int A { get; } public int C { get; } }";
    assert_eq!(shape_in(&[contract, cases[0].0]), "X{b: int32}");
    assert_eq!(shape_in(&[contract, HOST]), "X{a: int32, c: int32}");
}

#[test]
fn converters_of_the_program_decide_what_their_types_are_written_as() {
    let text = "services.AddControllers().AddJsonOptions(o => { o.JsonSerializerOptions.Converters.Add(new Own()); o.JsonSerializerOptions.Converters.Add(new Dates()); o.JsonSerializerOptions.Converters.Add(new Many()); });
        class Own : JsonConverter<Y> { public override void Write(Utf8JsonWriter writer, Y value, JsonSerializerOptions options) { Own.Put(writer, value); }
          static void Put(Utf8JsonWriter writer, Y value) { if (value == null) { writer.WriteNullValue(); } else { writer.WriteStringValue(value.Id); } } }
        class Dates : JsonConverter<DateTime> { public override void Write(Utf8JsonWriter writer, DateTime value, JsonSerializerOptions options) => writer.WriteNumberValue(value.Ticks); }
        class Many : JsonConverterFactory { public override bool CanConvert(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Z<>); }";
    let model = "class Y { public int Id { get; } } class Z<T> { public T A { get; } } class X { public Y A { get; } public DateTime? B { get; } public Z<int> C { get; } }";
    assert_eq!(shape_in(&[model, text]), "X{a: ystring, b: numeric?, c: unknown (`Many` writes it in its own way)}");
}

#[test]
fn members_of_well_known_classes_of_libraries_are_known() {
    let role = "id: int32, name: string?, normalizedName: string?, concurrencyStamp: string?";
    check(&[
        (
            "class X : IdentityRole<int> { public int A { get; } public string ConcurrencyStamp { get; } }",
            "X{a: int32, concurrencyStamp: string, id: int32, name: string?, normalizedName: string?}",
        ),
        ("class X { public IdentityRole<int> A { get; } }", &format!("X{{a: IdentityRole{{{role}}}}}")),
        ("class X { public DayOfWeek? A { get; } }", "X{a: DayOfWeek(0 | 1 | 2 | 3 | 4 | 5 | 6)?}"),
    ]);
    let names = "services.AddControllers().AddJsonOptions(o => o.JsonSerializerOptions.Converters.Add(new JsonStringEnumConverter()));";
    assert_eq!(
        shape_in(&["class X { public DateTimeKind A { get; } public HttpStatusCode B { get; } }", names]),
        "X{a: DateTimeKind('Unspecified' | 'Utc' | 'Local'), b: httpstatuscodestring}"
    );
}

#[test]
fn converters_of_the_settings_come_before_those_of_types() {
    let model = "[JsonConverter(typeof(JsonStringEnumConverter))] enum E { OneTwo } class X { public E A { get; } [JsonConverter(typeof(JsonStringEnumConverter))] public E B { get; } }";
    let settings = "services.AddControllers().AddJsonOptions(o => Own.SetUp(o.JsonSerializerOptions));
        static class Own { public static void SetUp(JsonSerializerOptions options) { ArgumentNullException.ThrowIfNull(options);
            options.Converters.Add(new JsonStringEnumConverter(JsonNamingPolicy.CamelCase)); } }";
    assert_eq!(shape_in(&[model, settings]), "X{a: E('oneTwo'), b: E('OneTwo')}");
    let own = "services.AddControllers().AddJsonOptions(o => o.JsonSerializerOptions.Converters.Add(new Strict()));
        class Strict : JsonConverterFactory { public override bool CanConvert(Type type) => type.IsEnum; }";
    let model = "enum E { One } class X { public E A { get; } }";
    assert_eq!(shape_in(&[model, own]), "X{a: either ('one') or ('One') or ('ONE') or (0)}");
}

#[test]
fn large_hierarchies_end() {
    let mut text = String::from("class X : I60 { public int A { get; } } interface I0 { int Z { get; } }");
    for at in 1..=60 {
        let below = at - 1;
        let more = format!(
            "interface I{at} : J{at}, K{at} {{ }} interface J{at} : I{below} {{ }} interface K{at} : I{below} {{ }}"
        );
        text.push_str(&more);
    }
    text.push_str("class Y { public I60 B { get; } }");
    assert_eq!(shape_in(&[&text, HOST]), "X{a: int32}");
    let wide = text.replace("class X : I60 {", "class X { public I60 B { get; }");
    assert_eq!(shape_in(&[&wide, HOST]), "X{b: I60{z: int32}, a: int32}");
    let mut deep = String::from("class X : C2000 { } class C0 { public int A { get; } }");
    for at in 1..=2000 {
        let more = format!("class C{at} : C{} {{ }}", at - 1);
        deep.push_str(&more);
    }
    let shape =
        std::thread::Builder::new().stack_size(crate::evaluate::STACK_BYTES).spawn(move || shape_in(&[&deep, HOST]));
    assert!(shape.expect("a thread").join().expect("it ends").starts_with('X'));
    let members: Vec<String> = (0..3000).map(|at| format!("public int A{at} {{ get; }}")).collect();
    let members = members.concat();
    assert_eq!(self::members(&members).matches("int32").count(), 3000);
}

#[test]
fn annotations_are_limits() {
    check_members(&[
        (
            "[EmailAddress] public string A { get; } [StringLength(5, MinimumLength = 2), RegularExpression(\"a+\")] public string B { get; }",
            "a: email, b: string 2..5",
        ),
        ("[Range(1, 10)] public int A { get; } [Obsolete] public X B { get; }", "a: int32 1..10, b: ^X"),
    ]);
}
