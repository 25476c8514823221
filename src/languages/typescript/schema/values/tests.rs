//! Small modules whose constants are schemas, and the shapes that come of them.

use super::{Schemas, Side};
use crate::evaluate::{Evaluator, Library, ModuleId, ProgramIndex, Specifiers, Value};
use crate::languages::typescript::standard::STANDARD;
use crate::languages::typescript::trpc::TRPC;
use crate::languages::typescript::typebox::TYPEBOX;
use crate::languages::typescript::valibot::VALIBOT;
use crate::languages::typescript::zod::ZOD;
use crate::languages::typescript::{Dialect, lower};
use crate::model::program::Module;
use crate::model::{Additional, Kind, ShapeId, ShapeTable};
use crate::text::FileId;

static LIBRARIES: &[&Library] =
    &[&crate::languages::python::standard::STANDARD, &STANDARD, &ZOD, &TYPEBOX, &VALIBOT, &TRPC];

/// Lowers the modules of a small program: path and text.
fn program(files: &[(&str, &str)]) -> Vec<Module> {
    let lowered = files.iter().enumerate().map(|(at, (path, text))| {
        let (module, problems) = lower(Dialect::TypeScript, FileId(at as u32), path, text);
        assert_eq!(problems, [], "{text}");
        module
    });
    lowered.collect()
}

/// Asks something of the evaluated program.
fn evaluated<R>(files: &[(&str, &str)], ask: impl for<'p> FnOnce(&mut Evaluator<'p>, &mut Schemas<'p>) -> R) -> R {
    let modules = program(files);
    let index = ProgramIndex::new(&modules, &[], Specifiers::default(), LIBRARIES, &[]);
    let mut evaluator = Evaluator::new(&modules, &index, Vec::new());
    evaluator.start(FileId(0));
    ask(&mut evaluator, &mut Schemas::default())
}

/// The shape of the constant `X` of the first module, written out.
fn shape_in(files: &[(&str, &str)], side: Side) -> String {
    evaluated(files, |evaluator, schemas| {
        let value = evaluator.module_name(ModuleId(0), "X").expect("there is an X");
        match schemas.shape_of_side(evaluator, &value, side, None) {
            Some(id) => render(&schemas.table, id, &mut Vec::new()),
            None => format!("no schema: {}", value.describe()),
        }
    })
}

fn zod(text: &str) -> String {
    let header = "import { z } from 'zod'\nimport { Status } from './db'";
    shape_in(&[("a.ts", &format!("{header}\n{text}")), ("db.ts", "export * from '@prisma/client'")], Side::Output)
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(zod(&format!("const X = {text}")), *expected, "{text}");
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
            let member = |field: &crate::model::Field, shape: String| {
                format!("{}{}: {shape}", field.name, if field.always { "" } else { "?" })
            };
            let shapes = all(&object.fields.iter().map(|field| field.shape).collect::<Vec<_>>());
            let mut members: Vec<String> =
                object.fields.iter().zip(shapes).map(|(field, shape)| member(field, shape)).collect();
            match object.additional {
                Additional::Of(value) => members.push(format!("*: {}", all(&[value]).concat())),
                Additional::Open => members.push("*".to_owned()),
                Additional::Closed => {}
            }
            format!("{name}{{{}}}", members.join(", "))
        }
        (Kind::Array { prefix, items }, _) => {
            let mut parts = all(prefix);
            parts.extend(all(items.as_slice()));
            format!("[{}]", parts.join(", "))
        }
        (Kind::Union(union), _) => {
            let tag = union.discriminator.as_ref().map(|tag| format!("{tag}: ")).unwrap_or_default();
            format!("{name}({tag}{})", all(&union.options).join(" | "))
        }
        (kind, _) => match &view.shape.format {
            Some(format) => format.clone(),
            None => format!("{kind:?}").to_lowercase(),
        },
    };
    open.pop();
    text + mark
}

#[test]
fn scalars_and_formats() {
    check(&[
        ("z.string()", "string"),
        ("z.string().min(1).email().trim()", "email"),
        ("z.email()", "email"),
        ("z.iso.datetime()", "date-time"),
        ("z.iso.date()", "date"),
        ("z.string().datetime({ offset: true })", "date-time"),
        ("z.string().uuid()", "uuid"),
        ("z.cuid2()", "string"),
        ("z.date()", "date-time"),
        ("z.coerce.date()", "date-time"),
        ("z.coerce.number().int().min(0)", "integer"),
        ("z.number().min(0).int()", "integer"),
        ("z.number().check(z.int())", "integer"),
        ("z.int()", "integer"),
        ("z.number()", "numeric"),
        ("z.boolean()", "boolean"),
        ("z.any()", "any"),
        ("z.unknown()", "any"),
        ("z.null()", "null"),
        ("z.bigint()", "unknown (a bigint, for which JSON has no form)"),
        ("z.string().transform((v) => v.length)", "numeric"),
        ("z.string().transform((v): Date => elsewhere(v))", "date-time"),
        ("z.string().email().transform((v) => v.split(',').map((x) => x.trim()))", "[string]"),
        ("z.string().optional().transform((v) => v?.toLowerCase() ?? null)", "string?"),
        ("z.object({ a: z.string().transform((v) => (v ? v : undefined)) })", "X{a?: string}"),
        ("z.int().transform(String)", "string"),
        ("z.custom<{ a: string; b?: number }>((v) => !!v)", "{a: string, b?: numeric, *}"),
        ("z.custom()", "unknown (a type that only its author knows)"),
        ("z.instanceof(Date)", "date-time"),
        ("z.string().transform((v, c) => (v ? v.length : z.NEVER))", "numeric"),
        ("z.string().transform((v) => v ? Status.Open : Status.Closed)", "('Open' | 'Closed')"),
        ("z.pipe(z.string(), z.transform((v) => v.length > 0))", "boolean"),
        ("z.string().transform((v) => elsewhere(v))", "unknown (name is not defined in the program)"),
        ("z.string().transform(Number).pipe(z.number().int())", "integer"),
        ("z.preprocess((v) => v, z.string())", "string"),
        ("z.string().nullable()", "string?"),
        ("z.string().nonsense()", "unknown (`nonsense` of a schema of zod)"),
    ]);
}

#[test]
fn members_may_be_left_out_or_null() {
    check(&[(
        "z.object({ a: z.string().optional(), b: z.string().nullish(), c: z.string().nullable(), d: z.string().optional().default('x'), \
         e: z.optional(z.string()), f: z.any(), g: z.undefined(), h: z.string().default('x').optional(), \
         i: z.union([z.string(), z.undefined()]), j: z.string().catch('') })",
        "X{a?: string, b?: string?, c: string?, d: string, e?: string, f: any, g?: never, h?: string, i?: string, j: string}",
    )]);
    let text = "import { z } from 'zod'\nconst X = z.object({ a: z.string().default('x'), b: z.coerce.number(), c: z.string().transform(f), d: z.preprocess(f, z.string()) })";
    assert_eq!(
        shape_in(&[("a.ts", text)], Side::Input),
        "X{a?: string, b: (numeric | string)?, c: string, d?: unknown (what is prepared before it is read), *}"
    );
}

#[test]
fn objects_are_put_together() {
    let base = "const A = z.object({ a: z.string(), b: z.number().int() })\nconst B = z.object({ b: z.string(), c: z.boolean() }).passthrough()\n";
    let passed = "*: unknown (members that are not declared pass)";
    for (text, expected) in [
        ("A", "A{a: string, b: integer}"),
        ("A.extend({ c: z.null() })", "X{a: string, b: integer, c: null}"),
        ("A.extend(B.shape)", "X{a: string, b: string, c: boolean}"),
        ("A.merge(B)", &format!("X{{a: string, b: string, c: boolean, {passed}}}")),
        ("z.object({ ...A.shape, d: A.shape.b })", "X{a: string, b: integer, d: integer}"),
        ("A.pick({ a: true })", "X{a: string}"),
        ("A.omit({ a: true })", "X{b: integer}"),
        ("A.omit(mask)", "unknown (members of an object after `omit` are not known)"),
        ("A.partial()", "X{a?: string, b?: integer}"),
        ("A.partial({ a: true })", "X{a?: string, b: integer}"),
        ("A.partial().required({ b: true })", "X{a?: string, b: integer}"),
        ("z.object({ in: A.array() }).deepPartial()", "X{in?: [{a?: string, b?: integer}]}"),
        ("A.catchall(z.string())", "X{a: string, b: integer, *: string}"),
        ("A.strict().describe('x')", "X{a: string, b: integer}"),
        ("A.keyof()", "X('a' | 'b')"),
        ("A.shape.b", "integer"),
        ("z.extend(A, { c: z.int() })", "X{a: string, b: integer, c: integer}"),
        ("z.looseObject({ a: A })", &format!("X{{a: A{{a: string, b: integer}}, {passed}}}")),
        (
            "z.object({ ...unknown, a: z.string() })",
            "X{a: string, *: unknown (members that are spread in are not known)}",
        ),
        ("z.array(A).element", "A{a: string, b: integer}"),
        ("A.nullish().unwrap().unwrap()", "A{a: string, b: integer}"),
    ] {
        assert_eq!(zod(&format!("{base}const X = {text}")), expected, "{text}");
    }
}

#[test]
fn sets_of_values() {
    let base = "enum Role { Admin = 'admin', User = 'user' }\nconst LEVELS = ['low', 'high'] as const\nconst KIND = { A: 'a', B: 'b' } as const\n\
                const E = z.enum(['x', 'y', 'z'])\n";
    for (text, expected) in [
        ("z.enum(LEVELS)", "X('low' | 'high')"),
        ("z.enum([...LEVELS, 'other'])", "X('low' | 'high' | 'other')"),
        ("z.nativeEnum(Role)", "X('admin' | 'user')"),
        ("z.enum(KIND)", "X('a' | 'b')"),
        ("z.literal(Role.Admin)", "X('admin')"),
        ("z.literal([1, 2, null])", "X(1 | 2)?"),
        ("z.union([z.literal('a'), z.literal('b'), z.null()])", "X('a' | 'b')?"),
        ("z.literal(E.enum.x)", "X('x')"),
        ("z.enum(E.options)", "X('x' | 'y' | 'z')"),
        ("E.extract(['x', 'y'])", "X('x' | 'y')"),
        ("E.exclude(['x'])", "X('y' | 'z')"),
        ("z.enum(['a', ...elsewhere])", "string"),
        ("z.nativeEnum(Elsewhere)", "unknown (values of the enumeration are not known)"),
        ("z.enum(Status)", "string"),
        ("z.literal(Status.Open)", "X('Open')"),
        ("z.enum(Object.values(KIND) as [string, ...string[]])", "X('a' | 'b')"),
    ] {
        assert_eq!(zod(&format!("{base}const X = {text}")), expected, "{text}");
    }
}

#[test]
fn containers_and_alternatives() {
    check(&[
        ("z.array(z.string())", "[string]"),
        ("z.string().array().nonempty()", "[string]"),
        ("z.tuple([z.string(), z.int()]).rest(z.boolean())", "[string, integer, boolean]"),
        ("z.record(z.string(), z.int())", "X{*: integer}"),
        ("z.record(z.int())", "X{*: integer}"),
        ("z.set(z.string())", "unknown (a Map or Set, for which JSON has no form)"),
        ("z.string().or(z.int())", "X(string | integer)"),
        ("z.union([z.string(), z.union([z.int(), z.null()])])", "X(string | integer)?"),
        (
            "z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b'), n: z.int() })])",
            "X(type: {type: ('a')} | {type: ('b'), n: integer})",
        ),
        ("z.object({ a: z.string() }).and(z.object({ b: z.int() }))", "X{a: string, b: integer}"),
        (
            "z.intersection(z.object({ a: z.int() }), z.union([z.object({ b: z.int() }), z.object({ c: z.int() })]))",
            "X({a: integer, b: integer} | {a: integer, c: integer})",
        ),
        ("z.promise(z.string())", "string"),
    ]);
}

#[test]
fn schemas_that_contain_themselves_end() {
    let tree = "const X = z.object({ name: z.string(), children: z.lazy(() => X.array()) })";
    assert_eq!(zod(tree), "X{name: string, children: [^X]}");
    let getter = "const X = z.object({ get parent() { return X.optional() } })";
    assert_eq!(zod(getter), "X{parent?: ^X}");
    let lazy = "const X: z.ZodType<Node> = z.lazy(() => z.object({ children: z.array(X) }))";
    assert_eq!(zod(lazy), "X{children: [^X]}");
    let anew = "const tree = () => z.object({ child: z.lazy(() => tree()).optional() })\nconst X = tree()";
    assert!(zod(anew).contains("schema that is made anew inside of itself"), "{}", zod(anew));
    assert_eq!(zod("const X = z.lazy(() => X)"), "unknown (chain of references never ends)");
}

#[test]
fn functions_of_the_program_make_schemas() {
    let paginated = "const paginated = <T extends z.ZodTypeAny>(item: T) => z.object({ data: z.array(item), next: z.string().nullable() })\n\
                     const User = z.object({ id: z.string() })\nexport const X = paginated(User)";
    assert_eq!(zod(paginated), "{data: [User{id: string}], next: string?}");
    let nested = "function optionalArray(item) { return z.array(item).optional() }\nconst X = z.object({ a: optionalArray(z.int()) })";
    assert_eq!(zod(nested), "X{a?: [integer]}");
}

#[test]
fn names_and_places() {
    check(&[("z.object({}).openapi('User')", "User{}"), ("z.object({}).meta({ id: 'User' }).nullable()", "User{}?")]);
    let text = "import { z } from 'zod'\nconst A = z.object({ id: z.string() })\nconst X = z.object({ a: A, b: A, ...A.shape })";
    evaluated(&[("a.ts", text)], |evaluator, schemas| {
        let value = evaluator.module_name(ModuleId(0), "X").expect("there is an X");
        let id = schemas.shape_of_schema(evaluator, &value, None).expect("it is a schema");
        let Kind::Object(object) = &schemas.table.get(id).kind else { panic!("an object") };
        assert_eq!(object.fields[0].shape, object.fields[1].shape);
        let places: Vec<&str> = object
            .fields
            .iter()
            .map(|field| field.span.map_or("", |span| &text[span.start as usize..span.end as usize]))
            .collect();
        assert_eq!(places, ["a", "b", "id"]);
        assert!(object.fields[2].span.is_some_and(|span| (span.start as usize) < text.find("const X").unwrap_or(0)));
    });
}

#[test]
fn zod_comes_by_several_names() {
    for import in [
        "import * as z from 'zod'",
        "import z from 'zod'",
        "import { z } from 'zod/v4'",
        "import * as z from 'zod/mini'",
        "import { z } from '@hono/zod-openapi'",
        "const { z } = require('zod')",
    ] {
        let text = format!("{import}\nconst X = z.object({{ a: z.optional(z.string()) }})");
        assert_eq!(shape_in(&[("a.ts", &text)], Side::Output), "X{a?: string}", "{import}");
    }
    let input = "import { z } from 'zod'\nconst A = z.object({ a: z.string().default('x') })\nfunction X(): z.input<typeof A> { return f() }";
    assert_eq!(returned_in(&[("a.ts", input)]), "A{a?: string, *}");
    let other = "import { z } from './own'\nconst X = z.object({})";
    assert!(shape_in(&[("a.ts", other)], Side::Output).starts_with("no schema"));
    assert!(zod("const X = z.object({}).parse(1)").starts_with("no schema"));
}

#[test]
fn schemas_come_through_barrels() {
    let files = [
        (
            "a.ts",
            "import { z } from 'zod'\nimport { A, paged } from './shared'\nconst X = z.object({ a: A, ...paged })",
        ),
        ("shared/index.ts", "export * from './other'\nexport * from './domain'\nexport * from './paged'"),
        (
            "shared/domain.ts",
            "import { z } from 'zod'\nimport { limit } from './index'\nexport const A = z.object({ limit })",
        ),
        (
            "shared/paged.ts",
            "import { z } from 'zod'\nexport const limit = z.int()\nexport const paged = { page: limit }",
        ),
    ];
    assert_eq!(shape_in(&files, Side::Output), "X{a: A{limit: integer}, page: integer}");
}

/// The shape of what the function `X` of the first module returns.
fn returned_in(files: &[(&str, &str)]) -> String {
    evaluated(files, |evaluator, schemas| {
        let value = evaluator.module_name(ModuleId(0), "X").expect("there is an X");
        let Value::Function(function) = &value else { panic!("X is a function") };
        let ty = schemas.returned_type(evaluator, function);
        let id = schemas.shape_of(evaluator, &ty, None);
        render(&schemas.table, id, &mut Vec::new())
    })
}

#[test]
fn callers_of_routers_answer_what_procedures_let_out() {
    let trpc = "import { initTRPC } from '@trpc/server'\nconst t = initTRPC.context<Context>().create({ transformer })\n\
                export const router = t.router\nexport const { createCallerFactory } = t\n\
                export const authedProcedure = t.procedure.use(isAuthed)\n\
                export const scoped = (name: string) => authedProcedure.use(scope(name))";
    let bookmarks = "import { z } from 'zod'\nimport { router, authedProcedure, scoped } from './trpc'\n\
                     const zBookmark = z.object({ id: z.string(), title: z.string().nullish() })\n\
                     const procedure = scoped('bookmarks')\n\
                     export const bookmarks = router({\n\
                     get: procedure.input(z.object({ id: z.string() })).output(zBookmark).query(async ({ ctx }) => load(ctx)),\n\
                     drop: authedProcedure.mutation(async () => {}),\n\
                     count: authedProcedure.input(z.object({ of: z.string() })).query(({ input }) => ({ of: input.of, at: new Date() })),\n\
                     nested: { list: authedProcedure.output(z.array(zBookmark)).query(load) } })";
    let app = "import { router } from './trpc'\nimport { bookmarks } from './bookmarks'\nexport const appRouter = router({ bookmarks })";
    let main = |text: &str| {
        let header = "import { createCallerFactory } from './trpc'\nimport { appRouter } from './app'\n";
        let text = format!("{header}{text}");
        returned_in(&[("a.ts", text.as_str()), ("trpc.ts", trpc), ("bookmarks.ts", bookmarks), ("app.ts", app)])
    };
    let bookmark = "zBookmark{id: string, title?: string?}";
    let create = "const createCaller = createCallerFactory(appRouter)\n";
    assert_eq!(
        main(&format!(
            "{create}async function X(ctx) {{ const api = createCaller(ctx); return await api.bookmarks.get({{ id: 'a' }}) }}"
        )),
        bookmark
    );
    assert_eq!(
        main(&format!(
            "{create}type Api = ReturnType<typeof createCaller>\nasync function X(api: Api) {{ return api.bookmarks.nested.list() }}"
        )),
        format!("[{bookmark}]")
    );
    assert_eq!(
        main("const X = async (ctx) => await appRouter.createCaller(ctx).bookmarks.count({ of: 'a' })"),
        "{of: string, at: date-time, *}"
    );
    assert_eq!(
        main(&format!(
            "{create}async function X(ctx) {{ const found = await createCaller(ctx).bookmarks.get(); return {{ found: found.title ?? 'none' }} }}"
        )),
        "{found: string, *}"
    );
    assert!(
        main(&format!("{create}async function X(ctx) {{ return createCaller(ctx).bookmarks.unheard() }}"))
            .starts_with("unknown")
    );
}

#[test]
fn procedures_of_modules_that_are_not_here_are_kept() {
    let text = "import { z } from 'zod'\nimport { router, publicProcedure, createScopedProcedure, createCallerFactory } from '@acme/trpc'\n\
                const r = router({ a: publicProcedure.output(z.int()).query(load), b: createScopedProcedure('b').input(z.string()).output(z.string()).query(load), \
                c: publicProcedure.query(() => 1) })\nconst create = createCallerFactory(r)\n\
                async function X(ctx) { const api = create(ctx); return { a: await api.a(), b: await api.b('x'), c: await api.c() } }";
    assert_eq!(returned_in(&[("a.ts", text)]), "{a: integer, b: string, c: numeric, *}");
}

#[test]
fn typebox_says_it_with_functions() {
    let base = "import { Type, Static } from '@sinclair/typebox'\nenum Role { A = 'a', B = 'b' }\n\
                const User = Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.Optional(Type.String()) })\n\
                const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])\n";
    for (text, expected) in [
        ("Type.Array(User)", "[User{id: uuid, name?: string}]"),
        ("Type.Partial(User)", "X{id?: uuid, name?: string}"),
        ("Type.Required(User)", "X{id: uuid, name: string}"),
        ("Type.Omit(User, ['name'])", "X{id: uuid}"),
        ("Type.Pick(User, Type.Literal('name'))", "X{name?: string}"),
        ("Type.Composite([User, Type.Object({ n: Type.Integer() })])", "X{id: uuid, name?: string, n: integer}"),
        ("Type.Intersect([User, Type.Object({ n: Type.Number() })])", "X{id: uuid, name?: string, n: number}"),
        ("Type.Union([Type.Literal('a'), Type.Literal('b')])", "X('a' | 'b')"),
        ("Type.Enum(Role)", "X('a' | 'b')"),
        ("Type.Record(Type.String(), Type.Integer())", "X{*: integer}"),
        (
            "Type.Object({ at: Nullable(Type.Date()), u: Nullable(User) })",
            "X{at: date-time?, u: User{id: uuid, name?: string}?}",
        ),
        ("Type.Recursive((This) => Type.Object({ nodes: Type.Array(This) }))", "X{nodes: [^X]}"),
        ("Type.Unsafe<string>({ type: 'string', enum: ['a'] })", "('a')"),
        ("Type.Object({ ...User.properties, e: Type.Index(User, ['id']) })", "X{id: uuid, name?: string, e: uuid}"),
        ("Type.Object({ a: Type.Boolean() }, { additionalProperties: Type.String() })", "X{a: boolean, *: string}"),
        (
            "{ type: 'object', required: ['u'], properties: { u: User, l: { type: 'array', items: User } } } as const",
            "{u: User{id: uuid, name?: string}, l?: [User{id: uuid, name?: string}], *}",
        ),
    ] {
        assert_eq!(shape_in(&[("a.ts", &format!("{base}const X = {text}"))], Side::Output), expected, "{text}");
    }
}

#[test]
fn conditions_and_literals_say_more_than_types() {
    let page = "type Page = { items: string[]; next?: { id: string } | null; note?: string }\n";
    let narrowed = "function X(page: Page) { const { next, ...rest } = page; if (!next) { return page } return { ...rest, next: next.id } }";
    assert_eq!(
        returned_in(&[("a.ts", &format!("{page}{narrowed}"))]),
        "Page{items: [string], note?: string, next?: string?, *}"
    );
    let generic = "function adapt<T extends { next: object | null }>(page: T) { const { next, ...rest } = page; if (!next) return page; return rest }\n\
                   function X(page: Page) { return adapt(page) }";
    assert!(returned_in(&[("a.ts", &format!("{page}{generic}"))]).contains("next?: null"), "{generic}");
    let member = "function X(page: Page) { if (page.next == null) return page; return null }";
    assert_eq!(
        returned_in(&[("a.ts", &format!("{page}{member}"))]),
        "Page{items: [string], next?: null, note?: string, *}?"
    );
    let literal = "function X(id: string | null, more?: string) { const page: Page = { items: [], next: id ? { id } : null, note: more }; return page }";
    assert_eq!(
        returned_in(&[("a.ts", &format!("{page}{literal}"))]),
        "Page{items: [string], next: {id: string, *}?, note?: string, *}"
    );
}

#[test]
fn valibot_says_it_with_functions_of_functions() {
    let base = "import * as v from 'valibot'\nconst User = v.object({ id: v.pipe(v.string(), v.uuid()), name: v.optional(v.string()) })\n";
    for (text, expected) in [
        ("v.array(User)", "[User{id: uuid, name?: string}]"),
        ("v.partial(User)", "X{id?: uuid, name?: string}"),
        ("v.required(v.pick(User, ['name']))", "X{name: string}"),
        (
            "v.object({ ...User.entries, n: v.pipe(v.number(), v.integer(), v.minValue(1)) })",
            "X{id: uuid, name?: string, n: integer}",
        ),
        (
            "v.variant('t', [v.object({ t: v.literal('a') }), v.object({ t: v.literal('b') })])",
            "X(t: {t: ('a')} | {t: ('b')})",
        ),
        (
            "v.object({ a: v.nullish(v.string()), b: v.optional(v.string(), 'x'), c: v.nullable(v.string()) })",
            "X{a?: string?, b: string, c: string?}",
        ),
        ("v.picklist(['a', 'b'])", "X('a' | 'b')"),
        ("v.pipe(v.string(), v.transform((s) => s.length))", "numeric"),
        ("v.pipe(v.string(), v.nonEmpty('message'), v.maxLength(3))", "string"),
        ("v.pipe(v.string(), v.isoTimestamp(), v.transform((s) => new Date(s)))", "date-time"),
        ("v.intersect([User, v.object({ n: v.boolean() })])", "X{id: uuid, name?: string, n: boolean}"),
        ("v.record(v.string(), v.number())", "X{*: numeric}"),
        ("v.lazy(() => v.object({ in: v.array(X) }))", "X{in: [^X]}"),
    ] {
        assert_eq!(shape_in(&[("a.ts", &format!("{base}const X = {text}"))], Side::Output), expected, "{text}");
    }
}

/// Programs that would be too much if every part were read wherever it stands.
#[test]
fn hostile_schemas_end() {
    let stack = std::thread::Builder::new().stack_size(crate::evaluate::STACK_BYTES);
    stack.spawn(read_hostile_schemas).expect("a thread starts").join().expect("reading ends");
}

fn lines(of: std::ops::Range<u32>, line: impl Fn(u32) -> String) -> String {
    of.map(line).collect::<Vec<_>>().concat()
}

fn read_hostile_schemas() {
    let doubling = lines(1..60, |at| format!("const A{at} = A{}.merge(A{})\n", at - 1, at - 1));
    let merged = zod(&format!("const A0 = z.object({{ a: z.string() }})\n{doubling}const X = A59"));
    assert_eq!(merged, "unknown (members of an object after `merge` are not known)");
    let nested = lines(1..60, |at| format!("const A{at} = z.object({{ l: A{}, r: A{} }})\n", at - 1, at - 1));
    let modules = format!("import {{ z }} from 'zod'\nconst A0 = z.string()\n{nested}const X = A59");
    evaluated(&[("a.ts", &modules)], |evaluator, schemas| {
        let value = evaluator.module_name(ModuleId(0), "X").expect("there is an X");
        schemas.shape_of_schema(evaluator, &value, None);
        assert!(schemas.table.len() < 1_000);
    });
    let chain = lines(1..2_000, |at| format!("const A{at} = A{}.optional().nullable()\n", at - 1));
    zod(&format!("const A0 = z.string()\n{chain}const X = A1999"));
    let deep = lines(1..3_000, |at| format!("const A{at} = z.array(A{})\n", at - 1));
    assert!(zod(&format!("const A0 = z.string()\n{deep}const X = A2999")).contains("nested too deep"));
    let partial =
        lines(1..40, |at| format!("const A{at} = z.object({{ l: A{}, r: A{} }}).deepPartial()\n", at - 1, at - 1));
    let modules =
        format!("import {{ z }} from 'zod'\nconst A0 = z.object({{ a: z.string() }})\n{partial}const X = A39");
    evaluated(&[("a.ts", &modules)], |evaluator, schemas| {
        let value = evaluator.module_name(ModuleId(0), "X").expect("there is an X");
        schemas.shape_of_schema(evaluator, &value, None);
    });
    let spread = lines(1..200, |at| format!("const A{at} = {{ ...A{}, ...A{}, m{at}: z.string() }}\n", at - 1, at - 1));
    zod(&format!("const A0 = {{ a: z.string() }}\n{spread}const X = z.object(A199)"));
    zod("const X = z.object({ a: z.lazy(() => z.object({ a: z.lazy(() => X.merge(X).deepPartial()) })) })");
    zod("const X = X.extend(X.shape)");
    zod("const X = z.union([z.lazy(() => X), z.lazy(() => X.and(X))])");
}
