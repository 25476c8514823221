//! Types of expressions, and what handlers answer.

use super::answers::{Answer, Body, answers};
use super::{Typer, walk};
use crate::evaluate::{ClassRef, Evaluator, Library, ModuleId, ProgramIndex, Specifiers, Value};
use crate::languages::csharp::lower;
use crate::model::program::{Expr, ExprKind, Module, StmtKind};
use crate::text::FileId;

static LIBRARIES: &[&Library] = &[];

/// Asks something of the class `X` of a small program.
fn asked<R>(text: &str, ask: impl for<'p> FnOnce(&mut Evaluator<'p>, ClassRef<'p>) -> R) -> R {
    let (module, problems) = lower(FileId(0), "src/App.cs", text);
    assert_eq!(problems, [], "{text}");
    let modules: Vec<Module> = vec![module];
    let index = ProgramIndex::new(&modules, &[], Specifiers::default(), LIBRARIES, &[]);
    let mut evaluator = Evaluator::new(&modules, &index, Vec::new());
    evaluator.start(FileId(0));
    let classes = evaluator.declared_classes(&[ModuleId(0)]);
    let class = classes.into_iter().find(|class| class.name() == "X").expect("there is an X");
    ask(&mut evaluator, class)
}

fn written(ty: &Value<'_>) -> String {
    match ty {
        Value::Unknown(why, _) => format!("?{why}"),
        Value::None => "null".to_owned(),
        Value::External(path) => path.to_string(),
        Value::Class(class) => class.name().to_owned(),
        Value::TypeVar(variable) => format!("'{}", variable.name),
        Value::Applied(base, args) => {
            let args: Vec<String> = args.iter().map(written).collect();
            format!("{}<{}>", written(base), args.join(", "))
        }
        Value::Union(options) => options.iter().map(written).collect::<Vec<_>>().join("|"),
        Value::Dynamic(class) => {
            let fields: Vec<String> =
                class.fields.iter().map(|(name, ty)| format!("{name}: {}", written(ty))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.describe(),
    }
}

/// What stands after `return` in the method `M` of `X`.
fn type_in(text: &str) -> String {
    asked(text, |evaluator, class| {
        let function = evaluator.overloads(&class, "M").remove(0);
        let value = walk::returned(function.node).pop().expect("it returns something");
        let mut typer = Typer::new(evaluator);
        let place = typer.place(&function, None);
        let ty = typer.type_of(value, &place);
        written(&ty)
    })
}

const MODELS: &str = "
using System.Linq;
public enum Color { Red, Green }
public class Address { public string Street { get; set; } public int? No { get; set; } }
public class Base { public int Id { get; set; } public static Base Empty() => null; }
public class User : Base {
  public string Name; public Address Home { get; set; } public List<Post> Posts { get; set; }
  public Color Color { get; set; } public bool? Active { get; set; } public decimal Balance { get; set; }
  public Dictionary<string, Post> ByTag { get; set; }
}
public class Post { public int Id { get; set; } public string Title { get; set; } public User Author { get; set; } public DateTime At { get; set; } }
public record UserDto(int Id, string Name);
public class Page<T> { public List<T> Items { get; set; } public int Total { get; set; } public T this[int i] => Items[i];
  public static Page<T> Of(List<T> items) => null; public Page<R> Map<R>(Func<T, R> f) => null; }
public class Many : List<Post> { }
public class Db : DbContext { public DbSet<User> Users { get; set; } public DbSet<Post> Posts => Set<Post>(); }
public interface IRepo<T> { Task<T> Get(int id); Task<IReadOnlyList<T>> All(); }
public interface IUsers : IRepo<User> { bool Has(int id, out User user); Task<User?> Maybe(); }
public static class Ext {
  public static UserDto ToDto(this User user) => null;
  public static IEnumerable<UserDto> ToDtos(this IEnumerable<User> users) => null;
  public static Page<T> Paged<T>(this IQueryable<T> query, int size) => null;
  public static R Then<T, R>(this T value, Func<T, R> f) => default;
}
public interface IQuery<T> : IRequest<T> { }
public record GetUser(int Id) : IQuery<UserDto>;
public record Remove(int Id) : IRequest;
public interface IDispatcher { Task<T> Ask<T>(IQuery<T> query); }
public delegate T Maker<T>(int seed);
";

/// The type of the last value of a body.
fn body(text: &str) -> String {
    type_in(&format!(
        "{MODELS} public partial class X(Db db, IUsers users, IMediator mediator, IDispatcher asks, IMapper mapper) : ControllerBase {{
           private readonly User _user; public int Count {{ get; set; }} static readonly List<Post> All = new();
           public T Pick<T>(T a, T b) => a; (User Who, List<Post> Posts) Pair() => default;
           User Told() => null; T Told<T>() => default; public UserDto Over(int a) => null; public Post Over(string a) => null;
           public async Task<object> M(int id, User user, List<User> list, string text, Maker<Post> maker) {{ {text} }} }}"
    ))
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let text = if text.contains("return") { (*text).to_owned() } else { format!("return {text};") };
        assert_eq!(body(&text), *expected, "{text}");
    }
}

#[test]
fn literals_and_operators() {
    check(&[
        ("1", "int"),
        ("1.5", "double"),
        ("\"a\" + id", "string"),
        ("$\"{id}\"", "string"),
        ("id + 1", "int"),
        ("id * 1.5", "double"),
        ("user.Balance * 2", "decimal"),
        ("!true && id > 1", "bool"),
        ("user.Home.No + 1", "int|null"),
        ("null", "null"),
        ("id > 1 ? user : null", "User|null"),
        ("id > 1 ? 1 : 2.5", "double"),
        ("id > 1 ? user : new Base()", "Base"),
        ("id > 1 ? user : throw new E()", "User"),
        ("id > 1 ? text : user", "?one of several types"),
        ("user.Home.No ?? 0", "int"),
        ("user.Active ?? false", "bool"),
        ("id switch { 1 => user.Name, 2 => null, _ => throw new E() }", "string|null"),
        ("(User)x", "User"),
        ("x as User[]", "[]<User>"),
        ("nameof(user.Name)", "string"),
        ("new[] { user, null }", "[]<User|null>"),
        ("new User { Id = 1 }", "User"),
        ("new List<User>()", "List<User>"),
        ("(id, user.Name)", "(id,Name).ValueTuple<int, string>"),
        ("(id, user.Name).Name", "string"),
        ("Pair().Posts", "List<Post>"),
        ("Pair().Item1", "User"),
        ("var (a, b) = Pair(); return b;", "List<Post>"),
        ("Told()", "User"),
        ("new { user.Id, Who = user.Home, Deep = new { user.Name } }", "{Id: int, Who: Address, Deep: {Name: string}}"),
    ]);
}

#[test]
fn names_are_variables_members_and_types() {
    check(&[
        ("var u = user; return u;", "User"),
        ("User u = F(); return u;", "User"),
        ("return _user.Home.Street;", "string"),
        ("this._user.Posts", "List<Post>"),
        ("Count", "int"),
        ("All", "List<Post>"),
        ("X.All", "List<Post>"),
        ("user.Color", "Color"),
        ("Color.Red", "Color"),
        ("user.Color.ToString()", "string"),
        ("foreach (var u in list) { return u; }", "User"),
        ("foreach (var p in user.Posts) { if (p.Id > 1) { return p.Author; } }", "User"),
        ("var (a, b) = (1, user); return b;", "User"),
        ("var (a, b) = new UserDto(1, text); return b;", "string"),
        ("foreach (var (k, v) in user.ByTag) return v;", "Post"),
        ("if (x is User u) return u;", "User"),
        ("users.Has(1, out var found); return found;", "User"),
        ("if (user.ByTag.TryGetValue(text, out var post)) return post;", "Post"),
        ("if (!int.TryParse(text, out var n)) return n;", "int"),
        ("var x = x + 1; return x;", "?defined in terms of itself"),
        ("user.ByTag[text].Title", "string"),
        ("user.Posts[0]", "Post"),
        ("new Page<User>()[0]", "User"),
        ("new Page<User>().Items", "List<User>"),
        ("new Many()[0].At.Year", "int"),
        ("user.ByTag.Values.ToList()", "List<Post>"),
        ("DateTime.UtcNow.AddDays(1)", "DateTime"),
        ("string.Empty", "string"),
        ("string.Join(\",\", list)", "string"),
        ("text.Split(',')[0].Trim()", "string"),
        ("HttpContext.TraceIdentifier", "string"),
    ]);
}

#[test]
fn calls_of_the_program() {
    check(&[
        ("Over(1)", "UserDto"),
        ("Over(text)", "Post"),
        ("this.Over(a: 1)", "UserDto"),
        ("Pick(user, user)", "User"),
        ("Pick<Base>(user, user)", "Base"),
        ("Base.Empty()", "Base"),
        ("user.ToDto()", "UserDto"),
        ("list.ToDtos().First().Name", "string"),
        ("list.Select(u => u.ToDto()).ToList()", "List<UserDto>"),
        ("Ext.ToDto(user)", "UserDto"),
        ("db.Users.Where(u => u.Id > 1).Paged(10)", "Page<User>"),
        ("user.Then(u => u.Posts)", "List<Post>"),
        ("new Page<User>().Map(u => u.Name)", "Page<string>"),
        ("Page<Post>.Of(All)", "Page<Post>"),
        ("await users.Get(1)", "User"),
        ("await users.All()", "IReadOnlyList<User>"),
        ("await asks.Ask(new GetUser(1))", "UserDto"),
        ("maker(1)", "Post"),
        ("Func<int, User> f = i => null; return f(1);", "User"),
        ("var f = (int i) => user; return f(1);", "User"),
        ("User Inner() => null; return Inner();", "User"),
        ("Unknown(1)", "?call of what is not declared"),
        ("var u = await users.Maybe(); return new { u };", "{u: User|null}"),
        ("var u = await users.Maybe(); if (u == null) throw new E(); return new { u };", "{u: User}"),
    ]);
}

#[test]
fn calls_of_libraries() {
    check(&[
        ("await db.Users.ToListAsync()", "List<User>"),
        ("await db.Users.Include(u => u.Posts).FirstOrDefaultAsync(u => u.Id == id)", "User"),
        ("await db.Users.FindAsync(id)", "User"),
        (
            "await db.Posts.AsNoTracking().Select(p => new { p.Id, p.Author.Name }).ToArrayAsync()",
            "[]<{Id: int, Name: string}>",
        ),
        ("list.SelectMany(u => u.Posts).Where(p => p.Id > 1)", "IEnumerable<Post>"),
        ("list.SelectMany(u => u.Posts, (u, p) => new { u.Id, p.Title })", "IEnumerable<{Id: int, Title: string}>"),
        (
            "list.GroupBy(u => u.Color).Select(g => new { g.Key, Count = g.Count(), First = g.First() })",
            "IEnumerable<{Key: Color, Count: int, First: User}>",
        ),
        ("list.ToDictionary(u => u.Id)", "Dictionary<int, User>"),
        ("list.ToDictionary(u => u.Id, u => u.Name)", "Dictionary<int, string>"),
        ("list.ToDictionary(u => u.Id)[1]", "User"),
        ("list.Any()", "bool"),
        ("await db.Users.CountAsync()", "int"),
        ("list.Sum(u => u.Balance)", "decimal"),
        ("list.Average(u => u.Id)", "double"),
        ("list.Max(u => u.Posts.Count)", "int"),
        ("list.OfType<Base>().ToList()", "List<Base>"),
        ("list.Select((u, i) => i)", "IEnumerable<int>"),
        ("list.Select(u => u.Name).Select(Path.GetFileName)", "IEnumerable<string>"),
        ("await cache.GetOrAddAsync(text, () => users.Get(1))", "User"),
        ("list.Select(Ext.ToDto)", "IEnumerable<UserDto>"),
        (
            "from u in list where u.Id > 1 from p in u.Posts select new { u.Name, p.Id }",
            "IQueryable<{Name: string, Id: int}>",
        ),
        ("await Task.WhenAll(list.Select(async u => await users.Get(u.Id)))", "[]<User>"),
        ("Task.FromResult(user)", "Task<User>"),
        ("mapper.Map<List<UserDto>>(list)", "List<UserDto>"),
        ("mapper.Map<User, UserDto>(user)", "UserDto"),
        ("user.Adapt<UserDto>()", "UserDto"),
        ("await db.Users.ProjectTo<UserDto>(mapper.ConfigurationProvider).ToListAsync()", "List<UserDto>"),
        ("await mediator.Send(new GetUser(1))", "UserDto"),
        ("await mediator.Send(new Remove(1))", "void"),
        ("Enumerable.Range(1, 5).Select(i => new UserDto(i, text)).ToArray()", "[]<UserDto>"),
        ("library.Do(1)", "?static method of a library"),
        ("user.Name.Frobnicate()", "?method of a type of a library"),
    ]);
}

/// What the method `M` of a controller answers.
fn answered(members: &str) -> String {
    let text = format!(
        "{MODELS} public class X(Db db, IUsers users, IMediator mediator, IMapper mapper) : Own<User> {{ {members} }}
         public abstract class Own<T> : ControllerBase {{
           protected class Teapot : ObjectResult {{ public Teapot(object value) : base(value) {{ StatusCode = 418; }} }}
           protected class Stored : FileResult {{ }}
           protected ActionResult Handle<R>(R value) {{ if (value == null) return NotFound(); return Ok(value); }}
           protected IActionResult Wrap(object data) => Ok(new {{ success = true, data }});
           public virtual ActionResult<T> Inherited() => default;
         }}"
    );
    asked(&text, |evaluator, class| {
        let function = evaluator.overloads(&class, "M").remove(0);
        let found = answers(evaluator, &function, None);
        found.iter().map(one).collect::<Vec<_>>().join("; ")
    })
}

fn one(answer: &Answer<'_>) -> String {
    let status = answer.status.map_or("?".to_owned(), |status| status.to_string());
    let body = match &answer.body {
        Body::Type(ty) => written(ty),
        Body::Nothing => "-".to_owned(),
        Body::NotJson(what) => format!("({what})"),
        Body::Unknown(why, _) => format!("?{why}"),
    };
    format!("{status} {body}")
}

fn check_answers(cases: &[(&str, &str)]) {
    for (members, expected) in cases {
        assert_eq!(answered(members), *expected, "{members}");
    }
}

#[test]
fn declared_results() {
    check_answers(&[
        ("public User M() => null;", "200 User"),
        ("public async Task<List<User>> M() { return null; }", "200 List<User>"),
        ("public void M() { }", "200 -"),
        ("public async Task M() { }", "200 -"),
        ("public ActionResult<User> M() { return null; }", "200 User"),
        ("public ActionResult<User> M() { if (a) return NotFound(); return b; }", "404 -; 200 User"),
        (
            "public async Task<ActionResult<Base>> M() { return CreatedAtAction(\"x\", new { id = 1 }, F()); }",
            "201 Base",
        ),
        ("public ActionResult<IEnumerable<UserDto>> M() => Ok(F());", "200 IEnumerable<UserDto>"),
        ("public ActionResult<UserDto> M() => Ok(new Post());", "200 Post"),
        ("public ActionResult<Base> M() => Ok(new User());", "200 Base"),
        ("public ActionResult<User?> M() => null;", "200 User"),
        ("public FileStreamResult M() => null;", "200 (file)"),
        (
            "public Task<Results<Ok<UserDto>, NotFound, BadRequest<string>, Created<Post>>> M() => null;",
            "200 UserDto; 404 -; 400 string; 201 Post",
        ),
        ("public NoContent M() => null;", "204 -"),
        ("public Results<JsonHttpResult<User>, ProblemHttpResult> M() => null;", "? User; ? ProblemDetails"),
        ("public Ok<Page<User>> M() => null;", "200 Page<User>"),
    ]);
}

#[test]
fn returned_results() {
    check_answers(&[
        ("public IActionResult M() { return Ok(new UserDto(1, \"a\")); }", "200 UserDto"),
        ("public IActionResult M() { if (a) return BadRequest(\"no\"); if (b) return Unauthorized(); return NoContent(); }", "400 string; 401 -; 204 -"),
        ("public async Task<IActionResult> M(int id) { var user = await db.Users.FindAsync(id); if (user == null) { return NotFound(new { message = \"x\" }); } return Ok(user); }", "404 {message: string}; 200 User"),
        ("public IActionResult M() => a ? Ok(new User()) : NotFound();", "200 User; 404 -"),
        ("public IActionResult M() => x switch { 1 => Ok(new User()), 2 => Conflict(), _ => throw new E() };", "200 User; 409 -"),
        ("public IActionResult M() => StatusCode(StatusCodes.Status418ImATeapot, new User());", "418 User"),
        ("public IActionResult M() => StatusCode((int)HttpStatusCode.Accepted);", "202 -"),
        ("public IActionResult M() => StatusCode(code, 1);", "? int"),
        ("public IActionResult M() => new ObjectResult(new User()) { StatusCode = 201 };", "201 User"),
        ("public IActionResult M() => new JsonResult(new { a = 1 });", "200 {a: int}"),
        ("public IActionResult M() => Json(db.Users.ToList());", "200 List<User>"),
        ("public IActionResult M() => Created(\"/x\", new User());", "201 User"),
        ("public IActionResult M() => CreatedAtRoute(\"x\", new { id = 1 }, new User());", "201 User"),
        ("public IActionResult M() => Accepted(new User());", "202 User"),
        ("public IActionResult M() => Accepted(\"/x\");", "202 -"),
        ("public IActionResult M() => File(bytes, \"image/png\");", "200 (file)"),
        ("public IActionResult M() => Content(\"<a>\", \"text/html\");", "200 (text)"),
        ("public IActionResult M() => Redirect(\"/\");", "302 -"),
        ("public IActionResult M() => Problem(\"no\", statusCode: 404);", "404 ProblemDetails"),
        ("public IActionResult M() => Problem();", "500 ProblemDetails"),
        ("public IActionResult M() { IActionResult result = Ok(new User()); if (a) { result = NotFound(); } return result; }", "200 User; 404 -"),
        ("public IActionResult M() { if (a) return Ok(new User()); return Ok(F()); }", "200 ?call of what is not declared"),
        ("public IActionResult M() { if (a) return Ok(new User()); return Ok(new Post()); }", "200 User|Post"),
        ("public IActionResult M() { if (a) return Ok(new User()); return Ok(); }", "200 User"),
        ("public Task<IActionResult> M() => Task.FromResult<IActionResult>(Ok(new User()));", "200 User"),
        ("public async Task<IActionResult> M() { return Ok(await mediator.Send(new GetUser(1))); }", "200 UserDto"),
        ("public IActionResult M() => Handle(new Post());", "404 -; 200 Post"),
        ("public IActionResult M() => Wrap(new Post());", "200 {success: bool, data: Post}"),
        ("public IActionResult M() => Inner(); private IActionResult Inner() { return Ok(new Post()); }", "200 Post"),
        (
            "public IActionResult M() { if (Fails(1, out var result)) return result; return Ok(new Post()); }
             bool Fails(int a, out IActionResult failure) { failure = null; if (a > 1) { failure = NotFound(); } return true; }",
            "404 -; 200 Post",
        ),
        (
            "public IActionResult M() { if (a) return Fail(404, \"x\"); return Ok(new Post()); }
             IActionResult Fail(int status, string why) => StatusCode(status, new { why });",
            "404 {why: string}; 200 Post",
        ),
        (
            "public Task<IActionResult> M() => Run(async (User user) => { await F(); return Ok(user.Posts); });
             async Task<IActionResult> Run(Func<User, Task<IActionResult>> action) { if (a) return Forbid(); return await action(x); }",
            "403 -; 200 List<Post>",
        ),
        (
            "public IActionResult M() { var code = a ? 201 : StatusCodes.Status202Accepted; return StatusCode(code, 1); }",
            "201 int; 202 int",
        ),
        (
            "public IActionResult M(ErrorOr<User> found) => found.Match(Ok, Failed);
             IActionResult Failed(List<Error> errors) => BadRequest(\"no\");",
            "200 User; 400 string",
        ),
        ("public IActionResult M() => new Teapot(new Post());", "418 Post"),
        ("public IActionResult M() => new Stored();", "200 (file)"),
        ("public IActionResult M() => new TooManyRequestsResult(1);", "? ?result that is made elsewhere"),
        ("public IActionResult M() => M();", "? ?functions that hand their answers on too often"),
        ("public IActionResult M() { throw new E(); }", ""),
        ("public object M() { return new { a = 1 }; }", "200 {a: int}"),
        ("public IActionResult M() => Ok(1); public Post Ok(int a) => null;", "200 Post"),
        ("public IResult M() => Results.Ok(new User());", "200 User"),
        ("public IResult M() => a is null ? TypedResults.NotFound() : TypedResults.Created($\"/{a}\", new User());", "404 -; 201 User"),
        ("public IResult M() => Results.Json(new { a = 1 }, statusCode: 202);", "202 {a: int}"),
        ("public IResult M() => F().Match(a => Results.Ok(1), b => Results.Problem());", "200 int; 500 ProblemDetails"),
    ]);
}

#[test]
fn inherited_actions_answer_for_the_controller() {
    let text = format!(
        "{MODELS} public class X : Own<User> {{ }}
         public abstract class Own<T> : ControllerBase {{ public ActionResult<List<T>> M() => default; }}"
    );
    let answer = asked(&text, |evaluator, class| {
        let base = match evaluator.ancestry(&class).get(1) {
            Some(Value::Class(base)) => base.clone(),
            _ => panic!("it extends a class"),
        };
        let function = evaluator.overloads(&base, "M").remove(0);
        let found = answers(evaluator, &function, Some(&Value::Class(class)));
        one(&found[0])
    });
    assert_eq!(answer, "200 List<User>");
}

#[test]
fn lambdas_see_the_names_around_them() {
    let text = format!(
        "var page = new Page<User>(); app.Get(\"/\", (Db db) => Results.Ok(new {{ page.Items, Own = db.Posts.First() }})); {MODELS} class X {{ }}"
    );
    let answer = asked(&text, |evaluator, _| {
        let statement = evaluator.statements(ModuleId(0)).iter().find_map(|statement| match &statement.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Call { args, .. }, .. }) => args.get(1),
            _ => None,
        });
        let scope = evaluator.module_scope(ModuleId(0));
        let lambda = evaluator.evaluate(statement.expect("a call").value(), &scope);
        let Value::Function(function) = lambda else { panic!("a function") };
        one(&answers(evaluator, &function, None)[0])
    });
    assert_eq!(answer, "200 {Items: List<User>, Own: Post}");
}

#[test]
fn whatever_is_written_is_typed_in_time() {
    let nested =
        |depth: usize, text: &str, inner: &str| (0..depth).fold(inner.to_owned(), |inner, _| text.replace('@', &inner));
    let many = |count: usize, text: &str| {
        let one = |at: usize| text.replace('@', &at.to_string()).replace('#', &(at + 1).to_string());
        (0..count).map(one).collect::<Vec<_>>().concat()
    };
    let doubled = many(60, "var v# = Pick(v@, v@);");
    let chain = format!("return list{};", ".Where(u => u.Id > 1).Select(u => u)".repeat(20));
    let lambdas = format!("return {};", nested(20, "list.Select(u => @)", "1"));
    let choices = format!("return {};", nested(40, "(id > 1 ? @ : user)", "user"));
    let looped = "var a = b; var b = a; return a;".to_owned();
    let values = format!("var v0 = user; {doubled} return v59;");
    for text in [chain, lambdas, choices, looped, values] {
        body(&text);
    }
    let bases = many(120, "class C@<T> : C#<List<T>>, I@<T> { } interface I@<T> { } ");
    let text =
        format!("{MODELS} {bases} public class X : C0<int> {{ public object M() {{ return this.Unknown.More; }} }}");
    type_in(&text);
    let calls = many(200, "IActionResult F@() { if (a) return F#(); return F#(); }");
    answered(&format!("public IActionResult M() => F0(); {calls}"));
}
