#nullable enable
global using System.Linq;
using System;
using static Shop.Core.Limits;
using Ids = System.Collections.Generic.List<int>;
[assembly: ApiController]
[assembly: InternalsVisibleTo("Tests"), CLSCompliant(false)]

namespace Shop.Api;

public enum Kind : byte { [EnumMember(Value = "a")] A = 1, B, C = A | B }

public delegate Task<T> Handler<T>(T value, params int[] rest) where T : class;

public readonly record struct Point(int X, int Y = 0);

public sealed record Item<T>([property: JsonPropertyName("id")] int Id, [Required] string? Name = null) : Base<T>(Id), INamed
    where T : class, INamed, new()
{
    public required string Title { get; init; } = "a" + Limits.Name;
    public Dictionary<string, List<(int Count, string)>>? Map { get; private set; } = new();
    string INamed.Name => Name!;
}

internal abstract partial class Users<T>(IService service, ILogger<Users<T>> logger) : ControllerBase, IDisposable
{
    private const string Root = "api/" + nameof(Users<T>) + "/{id:int}", Other = @"c:\x""y";
    private static readonly JsonOptions Options = new() { Policy = JsonPolicy.Camel, Converters = { new EnumConverter(), } };
    public event EventHandler? Changed;
    private int[,] grid = new int[2, 3];
    public string this[int index] { get { return items[index]; } set => items[index] = value; }
    protected Users(int a) : this(null!, logger: default(ILogger<Users<T>>)) => count = a;
    static Users() { }
    ~Users() { }

    [HttpGet("{id}", Name = Root), ProducesResponseType<Item<T>>(200)]
    [ProducesResponseType(typeof(Item<int>[]), (int)HttpStatusCode.NotFound)]
    public virtual async Task<ActionResult<Item<T>>> Get([FromRoute] int id, [FromQuery(Name = "q")] string? query = null, CancellationToken token = default)
    {
        if (!cache.TryGetValue(id, out var found) && int.TryParse(query, out int number)) return NotFound();
        else if (found is Item<T> { Id: > 0, Name: not null, Title: var title } item && title is "a" or "b") { throw new ArgumentException($"no {id:D2} {{x}}\n"); }
        var (a, b) = (1, 2);
        (count, var rest) = Split(ref a, in b);
        foreach (var (key, value) in map) { continue; }
        foreach (Item<T> one in items) { if (one?.Tags?[0]?.Name?.Trim() is null) break; }
        for (int i = 0, j = ^1; i < 3; i++, j--) { i += 2; }
        using (var file = Open()) lock (file) { file.Read(); }
        await using var scope = factory.Create();
        int? size = found as int? ?? throw new Exception();
        switch (query)
        {
            case "a": case "b": size = 1; break;
            case { Length: > 3 } text when text != "c": return Ok(text[1..^1]);
            default: goto case "a";
        }
        var kind = found switch { Kind.A or Kind.B => "x", int n when n > 1 => $"{n}", (1, _) => "t", null => throw new Exception(), _ => query switch { var q => q } };
#if DEBUG
        Log($$"""a {b} {{id}}""");
#elif TRACE
        Log("""
            raw "text"
              more
            """);
#else
        Log('c', '\u0041', 1_000L, 0xFF, 1.5m, true, null);
#endif
        try { checked { count++; } } catch (Exception e) when (e is not null) { throw; } catch { } finally { count ??= 1; }
        var anonymous = new { id, item.Name, found?.Title, Total = (long)count, Empty = default(T?) };
        int[] numbers = { 1, 2 }, more = [0, ..numbers, this.count];
        var list = new Ids { 1, 2 };
        var map = new Dictionary<string, object> { { "a", 1 }, ["b"] = new[] { 1 } };
        var copy = item with { Name = "x" };
        var query2 = from u in users where u.Active orderby u.Name let n = u.Name select new { n };
        static int Twice(int x) => x * 2;
        Func<int, Task<int>> f = async (int x) => { await Task.Delay(x); return Twice(x); };
        app.MapGet("/x", [Authorize] ([FromServices] IService s, int? page) => TypedResults.Ok(s.List<Item<T>>(page ?? 1))).Produces<Item<T>>(200);
        done: return base.Ok(new Item<T>(Id: 1, "n") { Title = "t" });
    }

    public static IEnumerable<int> Numbers(this IEnumerable<int> source) { foreach (var x in source) yield return x; yield break; }
    protected abstract Task<T> Load<TKey>(TKey key) where TKey : struct;
    public static implicit operator int(Users<T> users) => users.count;
    public static Users<T> operator +(Users<T> a, Users<T> b) => a;
    public int Count => count;
    public void Dispose() => GC.SuppressFinalize(this);
#pragma warning disable 1
    #region inner
    public unsafe struct Inner { public global::System.Int32* Pointer; public readonly ref int Ref() => ref value; }
    public interface INested<out T> { T Value { get; } void Run() { } static abstract T Make(); }
    #endregion
}
