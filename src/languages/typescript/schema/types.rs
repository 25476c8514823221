//! What a TypeScript type is, as far as it decides what is serialised. Types are lazy: a written type stands with the
//! place that its names are looked up from until somebody asks for its members.

use std::rc::Rc;

use super::locals::Locals;
use crate::evaluate::{ClassRef, Scope, Str, Value};
use crate::model::program::{Class, Expr, Function, Param, Signature};
use crate::model::{Literal, ShapeId};
use crate::text::Span;

#[derive(Clone)]
pub enum Type<'p> {
    /// Not known statically: why, and where knowledge ended.
    Unknown(Str, Option<Span>),
    /// `any`, `unknown`: every value.
    Any,
    Never,
    /// `undefined`, `void`: nothing is sent.
    Undefined,
    Null,
    Text,
    Number,
    Boolean,
    Literal(Literal),
    Date,
    Array(Rc<Type<'p>>),
    Tuple(Rc<[Type<'p>]>),
    /// Any number of members of one type.
    Map(Rc<Type<'p>>),
    Object(Rc<ObjectType<'p>>),
    /// An instance of a class or interface, or a value of an enumeration.
    Class(ClassRef<'p>, Rc<[Type<'p>]>),
    Union(Rc<[Type<'p>]>),
    /// `A & B`
    All(Rc<[Type<'p>]>),
    Function(Rc<Callable<'p>>),
    Promise(Rc<Type<'p>>),
    /// A type of a library.
    External(Str, Rc<[Type<'p>]>),
    /// What a schema of a validation library lets out.
    Schema(ShapeId),
    /// `typeof value`
    Value(Value<'p>),
    Written(Rc<Written<'p>>),
}

/// A type as it is written.
pub struct Written<'p> {
    pub expr: &'p Expr,
    pub env: Env<'p>,
    /// The alias that it is written for.
    pub name: Option<&'p str>,
}

/// Where names of types are looked up.
#[derive(Clone)]
pub struct Env<'p> {
    pub scope: Scope<'p>,
    /// What type parameters stand for.
    pub bindings: Rc<[(&'p str, Type<'p>)]>,
}

impl<'p> Env<'p> {
    pub fn of(scope: &Scope<'p>) -> Self {
        Env { scope: scope.clone(), bindings: Rc::from([]) }
    }

    pub fn with(scope: &Scope<'p>, bindings: Vec<(&'p str, Type<'p>)>) -> Self {
        Env { scope: scope.clone(), bindings: bindings.into() }
    }

    pub fn bound(&self, name: &str) -> Option<&Type<'p>> {
        self.bindings.iter().rev().find(|(known, _)| *known == name).map(|(_, bound)| bound)
    }
}

/// An object of known members.
#[derive(Clone)]
pub struct ObjectType<'p> {
    pub props: Vec<Prop<'p>>,
    /// What every further member is.
    pub index: Option<Type<'p>>,
    /// There are members that are not known: why.
    pub open: Option<(Str, Option<Span>)>,
    pub name: Option<Str>,
    pub span: Option<Span>,
}

/// One member.
#[derive(Clone)]
pub struct Prop<'p> {
    pub name: Str,
    pub ty: Type<'p>,
    pub optional: bool,
    /// Made optional by `Partial`, which says that nobody cared to tell rather than that it is left out.
    pub loose: bool,
    pub span: Option<Span>,
    /// Its decorators, and the class in whose body they stand.
    pub decorators: Option<(&'p [Expr], ClassRef<'p>)>,
}

impl<'p> Prop<'p> {
    /// A member that is always there.
    pub fn of(name: impl Into<Str>, ty: Type<'p>) -> Self {
        Prop { name: name.into(), ty, optional: false, loose: false, span: None, decorators: None }
    }
}

/// Stands for functions that give the member of an object that they are asked for by name.
pub(super) const KEYED: &str = "keyed";

/// Stands for text that is the JSON of what it applies to.
pub(super) const JSON_TEXT: &str = "text of JSON";

/// Something that can be called.
pub enum Callable<'p> {
    Program {
        function: &'p Function,
        env: Env<'p>,
        locals: Option<Rc<Locals<'p>>>,
        /// What `this` is, for methods.
        this: Option<Type<'p>>,
    },
    Signature {
        signature: &'p Signature,
        env: Env<'p>,
    },
}

impl<'p> Callable<'p> {
    /// The parameters that a caller gives, without `this`.
    pub fn parameters(&self) -> &'p [Param] {
        let all = match self {
            Callable::Program { function, .. } => &function.parameters,
            Callable::Signature { signature, .. } => &signature.parameters,
        };
        match all.split_first() {
            Some((first, rest)) if first.name == "this" => rest,
            _ => all,
        }
    }

    pub fn env(&self) -> &Env<'p> {
        match self {
            Callable::Program { env, .. } | Callable::Signature { env, .. } => env,
        }
    }
}

/// Options of a union that is still followed; one of more is unknown.
const MAX_OPTIONS: usize = 400;
/// Types within types, and bytes, of the text that types are told apart by; what is longer is the same only as itself.
const MAX_KEY_DEPTH: u32 = 12;
/// The same of longer texts.
const MAX_KEY: usize = 4_000;

impl<'p> Type<'p> {
    pub fn unknown(why: impl Into<Str>, span: Option<Span>) -> Self {
        Type::Unknown(why.into(), span)
    }

    pub fn array(items: Type<'p>) -> Self {
        Type::Array(Rc::new(items))
    }

    pub fn promise(inner: Type<'p>) -> Self {
        match inner {
            Type::Promise(_) => inner,
            inner => Type::Promise(Rc::new(inner)),
        }
    }

    pub fn class(class: ClassRef<'p>) -> Self {
        Type::Class(class, Rc::from([]))
    }

    pub fn external(path: impl Into<Str>) -> Self {
        Type::External(path.into(), Rc::from([]))
    }

    pub fn object(props: Vec<Prop<'p>>) -> Self {
        Type::Object(Rc::new(ObjectType { props, index: None, open: None, name: None, span: None }))
    }

    /// A function that gives the member of an object that it is asked for: `get("name")`.
    pub fn keyed(object: Type<'p>) -> Self {
        Type::External(Rc::from(KEYED), Rc::from([object]))
    }

    /// The JSON of a value, as text.
    pub(super) fn json_text(value: Type<'p>) -> Self {
        Type::External(Rc::from(JSON_TEXT), Rc::from([value]))
    }

    /// What text of JSON stands for.
    pub fn of_json_text(&self) -> Option<&Type<'p>> {
        match self {
            Type::External(path, args) if &**path == JSON_TEXT => args.first(),
            _ => None,
        }
    }

    /// One of several; options that say the same are joined.
    pub fn union(options: Vec<Type<'p>>) -> Self {
        let mut flat: Vec<Type<'p>> = Vec::new();
        let mut keys: Vec<String> = Vec::new();
        let mut stack: Vec<Type<'p>> = options.into_iter().rev().collect();
        while let Some(option) = stack.pop() {
            match option {
                Type::Union(inner) => stack.extend(inner.iter().rev().cloned()),
                Type::Never => {}
                Type::Any => return Type::Any,
                option => {
                    let key = option.key();
                    if !keys.contains(&key) {
                        keys.push(key);
                        flat.push(option);
                    }
                    if flat.len() > MAX_OPTIONS {
                        return Type::unknown("union of too many types", None);
                    }
                }
            }
        }
        match flat.len() {
            0 => Type::Never,
            1 => flat.remove(0),
            _ => Type::Union(flat.into()),
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Type::Unknown(..))
    }

    pub fn is_nothing(&self) -> bool {
        matches!(self, Type::Undefined | Type::Null)
    }

    /// What tells it from other types; the same text is the same type.
    pub fn key(&self) -> String {
        let mut out = String::new();
        self.write_key(&mut out, 0);
        out
    }

    fn write_key(&self, out: &mut String, depth: u32) {
        use std::fmt::Write as _;
        // Writing to a string cannot fail.
        if depth > MAX_KEY_DEPTH || out.len() > MAX_KEY {
            let _ = write!(out, "…{:p}", std::ptr::from_ref(self));
            return;
        }
        let all = |out: &mut String, types: &[Type<'p>]| {
            for ty in types {
                ty.write_key(out, depth + 1);
                out.push(',');
            }
        };
        // Writing to a string cannot fail.
        let _ = match self {
            Type::Unknown(why, span) => write!(out, "?{why}{span:?}"),
            Type::Any => write!(out, "any"),
            Type::Never => write!(out, "never"),
            Type::Undefined => write!(out, "undefined"),
            Type::Null => write!(out, "null"),
            Type::Text => write!(out, "string"),
            Type::Number => write!(out, "number"),
            Type::Boolean => write!(out, "boolean"),
            Type::Literal(literal) => write!(out, "{literal:?}"),
            Type::Date => write!(out, "Date"),
            Type::Array(items) => {
                items.write_key(out, depth + 1);
                write!(out, "[]")
            }
            Type::Tuple(items) => {
                out.push('[');
                all(out, items);
                write!(out, "]")
            }
            Type::Map(values) => {
                values.write_key(out, depth + 1);
                write!(out, "{{}}")
            }
            Type::Object(object) => write!(out, "o{:p}", Rc::as_ptr(object)),
            Type::Class(class, args) => {
                let _ = write!(out, "c{:p}<", std::ptr::from_ref::<Class>(class.node));
                all(out, args);
                write!(out, ">")
            }
            Type::Union(options) => {
                out.push('|');
                all(out, options);
                write!(out, ";")
            }
            Type::All(parts) => {
                out.push('&');
                all(out, parts);
                write!(out, ";")
            }
            Type::Function(callable) => write!(out, "f{:p}", Rc::as_ptr(callable)),
            Type::Promise(inner) => {
                out.push('~');
                inner.write_key(out, depth + 1);
                Ok(())
            }
            Type::External(path, args) => {
                let _ = write!(out, "{path}<");
                all(out, args);
                write!(out, ">")
            }
            Type::Schema(id) => write!(out, "s{}", id.0),
            Type::Value(value) => write!(out, "v{}", value_key(value)),
            Type::Written(written) => {
                let _ = write!(out, "w{:p}<", std::ptr::from_ref::<Expr>(written.expr));
                for (name, bound) in written.env.bindings.iter() {
                    out.push_str(name);
                    out.push('=');
                    bound.write_key(out, depth + 1);
                    out.push(',');
                }
                write!(out, ">")
            }
        };
    }
}

fn value_key(value: &Value) -> String {
    match value {
        Value::Class(class) => format!("c{:p}", std::ptr::from_ref::<Class>(class.node)),
        Value::Dict(dict) => format!("d{:p}", Rc::as_ptr(dict)),
        Value::Made(made) => format!("m{:p}", Rc::as_ptr(made)),
        Value::List(list) => format!("l{:p}", Rc::as_ptr(list)),
        Value::Module(module) => format!("module{}", module.0),
        other => other.describe(),
    }
}
