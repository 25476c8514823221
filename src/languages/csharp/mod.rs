//! C# as a program tree: one walk over the syntax tree of one file.

mod attributes;
mod blocks;
mod conditional;
pub mod container;
mod creation;
mod declarations;
mod expressions;
mod functions;
mod kinds;
mod members;
mod patterns;
pub mod reflection;
pub mod schema;
pub mod standard;
mod statements;
mod strings;
mod types;
pub mod typing;

pub use schema::expressions;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

pub(super) use kinds::grammar;
use tree_sitter::{Parser, Tree};

use super::errors;
use crate::finding::Problem;
use crate::model::program::{ImportStyle, Module};
use crate::text::FileId;
use kinds::Lowering;

thread_local! {
    /// Making a parser costs more than reading a small file with it.
    static PARSER: RefCell<Parser> = RefCell::new(parser());
}

/// Lowers one file. Never fails and never panics; see [`super::lower`].
///
/// Names. `namespace A.B` is [`StmtKind::Namespace`](crate::model::program::StmtKind::Namespace), be it a block or the rest
/// of the file. `using A.B` is an import `Star` of the namespace, `using static A.B` is `Static`, `using X = A.B<C>` is a
/// `TypeAlias`. Those that are `global`, and attributes of the assembly (as calls), are in `Module::global`. `global::A` is
/// `A`; `@class` is `class`. Imports, types and functions stand at the start of their block.
///
/// Types. `List<int>` is an index, `A.B<C>.D` a member of an index; `T?` is `T | None`, for values and references alike;
/// `T[]` is `[][T]` and `T[,]` is `[,][T]`: the object is a `Name` that no source can write. A tuple's elements are `Named`
/// where they have names. No annotation where the source has `var`. Constraints of a type parameter are its bound, joined by
/// `BitAnd` (`class`, `struct`, `notnull` are names; `new()` is left out). `typeof(T)` is `TypeOf(T)`, `typeof(A<,>)` has
/// an empty index.
///
/// Classes. Structs have the modifier `STRUCT`, records `RECORD` (a `record struct` both); partial ones stay apart. `bases`
/// holds base class and interfaces alike, of an enum the number. Fields (with `FIELD`) and properties are `Property`: not
/// public is `is_private`, members of interfaces are public by themselves. `READ_ONLY`: no setter for everybody; `INIT`;
/// `WRITE_ONLY`; `CONST` goes with `STATIC`. `getter` is the code that reading runs (`=> a`, `get { … }`); setters are left
/// out, as are events, destructors and static constructors. A member that stands for an interface's is named `IA.B`.
/// `delegate` is a `TypeAlias` of a `FunctionType`.
///
/// Parameters of the class itself become, before all other members, one `Property` each (`PRIMARY`; public and `INIT` in a
/// record, else a private `FIELD`), unless the body declares one of that name, and an `__init__` with `PRIMARY` that calls
/// `super().__init__(…)` with the arguments of the base and sets them. Attributes stay with the parameter; those with the
/// target `property:` go to the property (`field:` and `return:` are left out). Initialisers in the body may name them.
///
/// Attributes are decorators, each a `Call` (also without arguments) whose callee is the name as written, without
/// `Attribute`; `A = 1` and `a: 1` are `Keyword`s, type arguments are the call's `types`.
///
/// Functions. Methods have `this` as their first parameter, or the decorator `staticmethod` (a plain name) besides
/// `STATIC`; names in a body stand alone, as in the source: `count` may be `this.count`. A method whose first parameter is
/// marked `this` has `EXTENSION`. Constructors are `__init__`, several if there are; `: base(…)` is `super().__init__(…)`,
/// `: this(…)` is `this.__init__(…)`; `base` is `super()`. Indexers are `__getitem__`, operators `operator +`, conversions
/// `implicit operator`. `=> value` returns it, unless the function is `void`, a constructor or an async `Task`. One without
/// body has one statement, `return <declared without a body>`. Overloads are all there. `params` is `Rest`.
///
/// Values. `new A(…)` is `New`, whose class is a type, never a value; `new(…)` has the class of the variable, field,
/// property or function (`return`; within `Task<T>` where async) it is for, and none elsewhere. `{ … }` after it and `with`
/// make a [`With`](crate::model::program::ExprKind::With). `new { a.B }` is a `Record` with the key `B`. `new T[] { a }` is
/// `With` of a `New` of the array type, `new[] { a }`, `[a, ..b]` and `{ a }` are `List`s. `nameof(a.B)` is the string `B`.
/// `a?.b` and `a!` are plain; `??` is `Or`; `throw` is `Raise` where a value stands; `(T)a` and `a as T` are `Cast`;
/// `default(T)` is a `Cast` of `<default value>`. `out var a` is `Named` with an unknown value, cast to its type if it has
/// one. `ref` and `in` are left out, as are names of tuple values. A part of an interpolated string with a format is
/// `<formatted value>`. `"…"u8` is `Bytes`. Queries are generators, unless they join, group or continue.
///
/// Patterns are tests: `a is B b` is `(b := (a as B)) Is B`, `is null` is `Is None`, a literal is `Equal`; `Is` with a name
/// may mean a type or a constant, which only those tell who know all names. What is looked at more than once is named
/// `matched@<offset>`. An arm of a `switch` has its constants and types as values, everything else as a test; neither is for
/// all that is left. A case of a `switch` statement that is a pattern has no values, and its body starts with the test.
///
/// Statements. `using`, `lock`, `checked` are what is inside; `foreach (A a in b)` starts its body with `a: A = a`, `catch
/// (A a)` with `a: A = <caught error>`. `yield break` is `return`. Of `#if` all declarations count, statements are an `if`
/// of a test that is not known; where the grammar has no place for it, the way is read that a release takes.
///
/// Where something could not be read, the tree says so: an expression `Other("unreadable syntax")` stands as a statement
/// in the block, as a spread among arguments, items and members of objects.
///
/// Spans: a declaration's is its own (attributes included), that of an import is the name's, an expression in parentheses
/// has the span of what is inside.
pub fn lower(file: FileId, path: &str, text: &str) -> (Module, Vec<Problem>) {
    lower_looking(file, path, text, &mut |_| {})
}

/// The same; `look` sees the syntax tree, where there is one.
pub(super) fn lower_looking(
    file: FileId,
    path: &str,
    text: &str,
    look: &mut dyn FnMut(&super::Parsed<'_>),
) -> (Module, Vec<Problem>) {
    let mut module = Module::empty(file, path.to_owned(), ImportStyle::Namespace);
    module.strict_nulls = strict_nulls(text);
    let mut problems = Vec::new();
    let tables = kinds::tables();
    let Some(mut tree) = parse(text) else {
        problems.push(errors::unparsed("C#", path));
        return (module, problems);
    };
    let mut text = text;
    let way;
    if tree.root_node().has_error() {
        module.errors = errors::collect(tables, file, tree.root_node());
        // What the compiler sees, where conditions stand in places that the grammar does not know.
        if let Some(one_way) = conditional::one_way(text)
            && let Some(other) = parse(&one_way)
        {
            let root = other.root_node();
            let errors = if root.has_error() { errors::collect(tables, file, root) } else { Vec::new() };
            if errors.len() < module.errors.len() {
                (module.errors, tree, way) = (errors, other, one_way);
                text = &way;
            }
        }
        problems.extend(errors::problem("C#", path, text, &module.errors));
    }
    let root = tree.root_node();
    look(&super::Parsed { tree: &tree, text, syntax: super::Syntax::CSharp });
    let mut lowering = Lowering::new(tables, file, text, root, None, 0);
    module.body = lowering.unit(root);
    module.global = std::mem::take(&mut lowering.extra.global);
    module.functions = lowering.functions;
    module.classes = lowering.classes;
    problems.extend(lowering.too_deep.map(|span| errors::too_deep(path, text, span)));
    (module, problems)
}

/// The first `#nullable enable` or `#nullable disable`.
fn strict_nulls(text: &str) -> Option<bool> {
    text.lines().filter_map(|line| line.trim_start().strip_prefix('#')).find_map(|directive| {
        let mut words = directive.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some("nullable"), Some("enable")) => Some(true),
            (Some("nullable"), Some("disable")) => Some(false),
            _ => None,
        }
    })
}

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&kinds::grammar()).expect("the grammar was generated for this version of the parser");
    parser
}

fn parse(text: &str) -> Option<Tree> {
    PARSER.with(|parser| parser.borrow_mut().parse(text, None))
}
