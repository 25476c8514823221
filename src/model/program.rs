//! The program tree: what every language's source file is lowered to, once, right after parsing. It keeps what
//! decides an API (imports, declarations, types, calls, literals) and the place of each, and drops the rest.
//! Owned data: no tree-sitter type leaves `languages`.

use crate::text::{FileId, Span};

/// One source file.
#[derive(Clone, Debug)]
pub struct Module {
    pub file: FileId,
    /// Path that imports are resolved by, forward slashes: `/srv/app/routers/users.py`; the file's shown path may be
    /// relative.
    pub path: String,
    pub imports: ImportStyle,
    pub body: Vec<Stmt>,
    /// What holds for all modules of its project (C#): imports and aliases that are `global`, attributes of the assembly
    /// as calls.
    pub global: Vec<Stmt>,
    /// Whether types hold null only where they say so, where the file says that (`#nullable enable`).
    pub strict_nulls: Option<bool>,
    /// Whether annotations are kept as texts (Python: `from __future__ import annotations`, PEP 563).
    pub types_are_texts: bool,
    /// Places that the parser could not read.
    pub errors: Vec<Span>,
    /// How many functions (lambdas included) and classes it has: their `index` is below this.
    pub functions: u32,
    pub classes: u32,
}

impl Module {
    /// The module of a file without a statement: what is known of the file before, or without, reading the file. `path`
    /// is the one that imports are resolved by.
    pub fn empty(file: FileId, path: String, imports: ImportStyle) -> Module {
        Module {
            file,
            path,
            imports,
            body: Vec::new(),
            global: Vec::new(),
            strict_nulls: None,
            types_are_texts: false,
            errors: Vec::new(),
            functions: 0,
            classes: 0,
        }
    }
}

/// How a module names another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStyle {
    /// `a.b.c`, with leading dots counted in [`Import::level`]: Python.
    Dotted,
    /// `./users`, `@app/users`: the specifier as written in [`Import::module`]: JavaScript and TypeScript.
    Path,
    /// `A.B`: no module but a namespace, whose names are those of every module that adds to it: C#.
    Namespace,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Expr(Expr),
    /// `a = b = value` has two targets.
    Assign {
        targets: Vec<Expr>,
        value: Expr,
    },
    /// `target: annotation = value`
    Annotated {
        target: Expr,
        annotation: Expr,
        value: Option<Expr>,
    },
    /// `target += value`
    Augmented {
        target: Expr,
        op: BinaryOp,
        value: Expr,
    },
    Import(Import),
    /// A member of a class, interface or type literal that is no method.
    Property(Box<Property>),
    Function(Box<Function>),
    Class(Box<Class>),
    /// `namespace A.B { … }`: its names are reached from other modules by the dotted name. Several add up.
    Namespace {
        name: String,
        name_span: Span,
        body: Vec<Stmt>,
    },
    If {
        test: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    For {
        target: Expr,
        iter: Expr,
        body: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    While {
        test: Expr,
        body: Vec<Stmt>,
    },
    With {
        items: Vec<WithItem>,
        body: Vec<Stmt>,
    },
    Try {
        body: Vec<Stmt>,
        handlers: Vec<Vec<Stmt>>,
        otherwise: Vec<Stmt>,
        finally: Vec<Stmt>,
    },
    Match {
        subject: Expr,
        cases: Vec<MatchCase>,
    },
    Return(Option<Expr>),
    /// `raise`, `throw`: the block ends here.
    Raise,
    Continue,
    Break,
    /// `type Name[T] = value`
    TypeAlias {
        name: String,
        parameters: Vec<TypeParameter>,
        value: Expr,
    },
}

/// One case of a `match` or `switch`.
#[derive(Clone, Debug)]
pub struct MatchCase {
    /// The values that lead here: `case "a": case "b":` has two. Empty for `default`, and for a pattern (Python's), which
    /// is not kept.
    pub values: Vec<Expr>,
    /// Without the `break` that closes it.
    pub body: Vec<Stmt>,
}

/// `@IsString() name?: string = "x"`
#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub name_span: Span,
    pub annotation: Option<Expr>,
    pub value: Option<Expr>,
    /// `name?:`
    pub optional: bool,
    pub decorators: Vec<Expr>,
    pub is_static: bool,
    /// `private`, `protected`, `#name`; in C# whatever is not `public`.
    pub is_private: bool,
    pub modifiers: Modifiers,
    /// What reading it runs, where it is no plain slot (C#): `=> a + b`, `get { … }`.
    pub getter: Option<Box<Function>>,
}

/// What a declaration says of itself, as far as other fields do not: a set of the constants below. Python and TypeScript
/// leave it empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers(u32);

impl Modifiers {
    pub const PUBLIC: Modifiers = Modifiers(1);
    pub const PROTECTED: Modifiers = Modifiers(1 << 1);
    pub const INTERNAL: Modifiers = Modifiers(1 << 2);
    pub const PRIVATE: Modifiers = Modifiers(1 << 3);
    pub const STATIC: Modifiers = Modifiers(1 << 4);
    pub const ABSTRACT: Modifiers = Modifiers(1 << 5);
    pub const VIRTUAL: Modifiers = Modifiers(1 << 6);
    pub const OVERRIDE: Modifiers = Modifiers(1 << 7);
    /// Hides what it inherits under its name: `new`.
    pub const HIDES: Modifiers = Modifiers(1 << 8);
    /// One of several declarations that are one.
    pub const PARTIAL: Modifiers = Modifiers(1 << 9);
    /// Has to be set by whoever makes the object.
    pub const REQUIRED: Modifiers = Modifiers(1 << 10);
    /// Known at compile time: `const`.
    pub const CONST: Modifiers = Modifiers(1 << 11);
    /// Nobody outside can set it once the object is made: `readonly`, no setter or one that is less visible.
    pub const READ_ONLY: Modifiers = Modifiers(1 << 12);
    /// Nobody outside can read it.
    pub const WRITE_ONLY: Modifiers = Modifiers(1 << 13);
    /// Can be set while the object is made, not later: `init`.
    pub const INIT: Modifiers = Modifiers(1 << 14);
    /// A variable of the object rather than a property, where a language tells them apart.
    pub const FIELD: Modifiers = Modifiers(1 << 15);
    /// A function that is called like a method of its first parameter.
    pub const EXTENSION: Modifiers = Modifiers(1 << 16);
    /// A class whose values are compared by their parts.
    pub const RECORD: Modifiers = Modifiers(1 << 17);
    /// A class whose values are no references: never null.
    pub const STRUCT: Modifiers = Modifiers(1 << 18);
    /// A constructor or its properties that are the parameters of the class itself.
    pub const PRIMARY: Modifiers = Modifiers(1 << 19);
    /// A function whose `this` is what it is called on, though no class is around it.
    pub const OWN_THIS: Modifiers = Modifiers(1 << 20);

    pub fn has(self, other: Modifiers) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn add(&mut self, other: Modifiers) {
        self.0 |= other.0;
    }

    #[must_use]
    pub fn with(mut self, other: Modifiers) -> Modifiers {
        self.add(other);
        self
    }
}

#[derive(Clone, Debug)]
pub struct WithItem {
    pub value: Expr,
    pub target: Option<Expr>,
}

/// One imported name; `from a import b, c` is two of them.
#[derive(Clone, Debug)]
pub struct Import {
    /// Dotted module without the leading dots of a relative import; empty for `from . import x`.
    pub module: String,
    /// Number of leading dots; 0 for an absolute import.
    pub level: u32,
    pub what: ImportWhat,
}

#[derive(Clone, Debug)]
pub enum ImportWhat {
    /// `import a.b` binds `a`.
    Module,
    /// `import a.b as c` binds `c` to `a.b`.
    ModuleAs(String),
    /// `from m import name` binds `name`; `from m import name as alias` binds `alias`.
    Name { name: String, alias: String },
    /// `from m import *`; `using A.B` takes all of a namespace.
    Star,
    /// `using static A.B`: the members of a type.
    Static,
    /// `const alias = require("m")` binds `alias` to `module.exports`, be it one value or the module's names.
    Require(String),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A string; `as_type` is the string read as an expression, where it stands in a place for types (annotation,
    /// subscript) and parses as one: a forward reference.
    Str {
        text: String,
        as_type: Option<Box<Expr>>,
    },
    Bytes,
    Int(i64),
    Float(f64),
    Bool(bool),
    None,
    Ellipsis,
    Name(String),
    Member {
        object: Box<Expr>,
        name: String,
    },
    /// `object[a, b]`; a slice stands as `Slice`.
    Index {
        object: Box<Expr>,
        index: Vec<Expr>,
    },
    Slice {
        lower: Option<Box<Expr>>,
        upper: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
    },
    /// `callee<types>(args)`; `new callee(args)` as well.
    Call {
        callee: Box<Expr>,
        types: Vec<Expr>,
        args: Vec<Arg>,
    },
    /// `new Type(args)` where types have names of their own; without a type it is the one that is asked for.
    New {
        class: Option<Box<Expr>>,
        args: Vec<Arg>,
    },
    /// `value with { a = 1 }`, `new A { a = 1 }`: `value` after its members are set (`with` is a `Record`), items are added
    /// to it (`List`) or entries put (`Dict`).
    With {
        value: Box<Expr>,
        with: Box<Expr>,
    },
    List(Vec<Expr>),
    /// A tuple's type has `Named` where its elements have names.
    Tuple(Vec<Expr>),
    Set(Vec<Expr>),
    Dict(Vec<DictItem>),
    /// An object literal: members are reached by name. Keys are `Str`, or any expression where computed.
    Record(Vec<DictItem>),
    /// A type written as its members: `{ a: string; b?: number }`.
    ObjectType(Vec<Property>),
    /// `value as T`, `value satisfies T`, `<T>value`
    Cast {
        value: Box<Expr>,
        kind: Box<Expr>,
    },
    /// `typeof value` where a type stands.
    TypeOf(Box<Expr>),
    /// `<T>(a: T) => R` where a type stands, and the type of a method that is only declared.
    FunctionType(Box<Signature>),
    /// What `...rest` takes of an object: all of `value` but these members.
    Without {
        value: Box<Expr>,
        names: Vec<String>,
    },
    /// f-string: parts in order, literal parts as `Str`.
    Template(Vec<Expr>),
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `and`, `or`: value of the deciding operand.
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    /// A chain of comparisons is `Other`.
    Compare {
        op: CompareOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Conditional {
        test: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `switch` as an expression.
    Match {
        subject: Box<Expr>,
        arms: Vec<MatchArm>,
    },
    /// `throw` as an expression: no value comes from here.
    Raise,
    Lambda(Box<Function>),
    Comprehension(Box<Comprehension>),
    /// `*value` in a list, tuple or index.
    Spread(Box<Expr>),
    Await(Box<Expr>),
    /// `name := value`
    Named {
        name: String,
        value: Box<Expr>,
    },
    Yield(Option<Box<Expr>>),
    /// Anything else; the word names the syntax, for reasons.
    Other(&'static str),
}

/// One arm of a `switch` that is an expression. Without values and test it is for all that is left.
#[derive(Clone, Debug)]
pub struct MatchArm {
    /// The values, or types, that lead here; none where a test alone decides.
    pub values: Vec<Expr>,
    /// What has to hold besides.
    pub test: Option<Expr>,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct Comprehension {
    pub kind: ComprehensionKind,
    pub element: Expr,
    /// The value of a dict comprehension, whose key is `element`.
    pub value: Option<Expr>,
    pub clauses: Vec<ComprehensionClause>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComprehensionKind {
    List,
    Set,
    Dict,
    Generator,
}

#[derive(Clone, Debug)]
pub struct ComprehensionClause {
    pub target: Expr,
    pub iter: Expr,
    pub conditions: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub enum DictItem {
    Pair(Expr, Expr),
    /// `**value`
    Spread(Expr),
}

#[derive(Clone, Debug)]
pub enum Arg {
    Positional(Expr),
    /// `*value`
    Spread(Expr),
    Keyword(String, Expr),
    /// `**value`
    KeywordSpread(Expr),
}

impl Arg {
    pub fn value(&self) -> &Expr {
        match self {
            Arg::Positional(value) | Arg::Spread(value) | Arg::Keyword(_, value) | Arg::KeywordSpread(value) => value,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
    /// `|`
    BitOr,
    /// `&`: in types, all at once.
    BitAnd,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Is,
    IsNot,
    In,
    NotIn,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// Unique in its module, in order of appearance; `Module::functions` is the count.
    pub index: u32,
    /// Empty for a lambda.
    pub name: String,
    pub name_span: Span,
    pub span: Span,
    pub parameters: Vec<Param>,
    pub returns: Option<Expr>,
    /// A lambda has one `Return`.
    pub body: Vec<Stmt>,
    pub decorators: Vec<Expr>,
    pub type_parameters: Vec<TypeParameter>,
    pub is_async: bool,
    pub is_lambda: bool,
    /// Its own body yields.
    pub is_generator: bool,
    pub modifiers: Modifiers,
}

/// A function without its body.
#[derive(Clone, Debug)]
pub struct Signature {
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<Param>,
    pub returns: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub kind: ParamKind,
    pub annotation: Option<Expr>,
    pub default: Option<Expr>,
    /// `name?`
    pub optional: bool,
    pub decorators: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Before `/`, or an ordinary parameter.
    Positional,
    /// After `*`.
    KeywordOnly,
    /// `*args`
    Rest,
    /// `**kwargs`
    KeywordRest,
}

#[derive(Clone, Debug)]
pub struct TypeParameter {
    pub name: String,
    pub bound: Option<Expr>,
    pub default: Option<Expr>,
}

/// What a class declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassKind {
    Class,
    /// Several declarations of one name add up.
    Interface,
    /// Members are `Property`s with their values; one without a value counts on.
    Enum,
}

#[derive(Clone, Debug)]
pub struct Class {
    /// Unique in its module, in order of appearance; `Module::classes` is the count.
    pub index: u32,
    pub name: String,
    pub name_span: Span,
    pub span: Span,
    pub kind: ClassKind,
    /// Base classes; a starred base is `Spread`.
    pub bases: Vec<Expr>,
    /// `metaclass=…`, `total=False`, `alias_generator=…`
    pub keywords: Vec<(String, Expr)>,
    pub body: Vec<Stmt>,
    pub decorators: Vec<Expr>,
    pub type_parameters: Vec<TypeParameter>,
    pub modifiers: Modifiers,
}
