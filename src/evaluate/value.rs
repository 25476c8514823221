//! What an expression may evaluate to. Values are cheap to clone; everything shared is behind `Rc`.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::decisions::{Choice, DecisionId};
pub(super) use super::scope::Frame;
pub use super::scope::{Scope, WrittenArgs};
use crate::model::program;
use crate::text::Span;

pub type Str = Rc<str>;

/// Stands in a [`Value::Pattern`] for text that is not known (the object replacement character).
pub const UNKNOWN_PART: char = crate::model::UNKNOWN_PART;

/// Values within values that are compared before two of them count as different; what differs is kept apart, and
/// nothing is lost.
const MAX_COMPARED: u32 = 20_000;
/// Values deep within values count as different, too.
const MAX_COMPARED_DEPTH: u32 = 200;
/// Parts of a type that is still followed: unions of unions of generics grow fast.
const MAX_TYPE_PARTS: usize = 1_000;

/// Index of a module in the evaluated program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub u32);

/// Index of a [`Node`](super::Node): a router or an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

#[derive(Clone)]
pub enum Value<'p> {
    /// Not known statically: why, and where knowledge ended.
    Unknown(&'static str, Option<Span>),
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Str),
    /// A string of which parts are not known: each stands as [`UNKNOWN_PART`].
    Pattern(Str),
    List(Rc<RefCell<Vec<Value<'p>>>>),
    Tuple(Rc<[Value<'p>]>),
    Dict(Rc<RefCell<Dict<'p>>>),
    Module(ModuleId),
    /// A directory that is a package without a file of its own.
    Package(Str),
    /// A name outside the program, by its dotted path: `fastapi.APIRouter`.
    External(Str),
    /// What calling an external name gave, with the arguments: `Field(alias="x")`.
    Made(Rc<Made<'p>>),
    Class(ClassRef<'p>),
    Function(FunctionRef<'p>),
    /// A function and its first argument.
    Bound(Rc<Value<'p>>, FunctionRef<'p>),
    /// A method of something that is not a class of the program: `"a".join`, `router.get`.
    Native(Rc<Value<'p>>, Str),
    Partial(Rc<Value<'p>>, Rc<Args<'p>>),
    /// `super()`: the class whose bases are searched, and the receiver.
    Super(ClassRef<'p>, Rc<Value<'p>>),
    Instance(Rc<Instance<'p>>),
    /// A router or application of a framework.
    Node(NodeId),
    /// A route that waits for its handler: `router.get("/x")` before it decorates.
    Route(Rc<RouteDraft<'p>>),
    /// `base[args]`
    Applied(Rc<Value<'p>>, Rc<[Value<'p>]>),
    Union(Rc<[Value<'p>]>),
    TypeVar(Rc<TypeVar<'p>>),
    /// `type Name<T> = …` where types are not evaluated: what is written, and where.
    Alias(Rc<Alias<'p>>),
    /// A model made by a call: `create_model("X", a=(int, ...))`.
    Dynamic(Rc<DynamicClass<'p>>),
    /// A published entry point: group, name and the `module:attribute` it leads to.
    EntryPoint(Rc<EntryPoint>),
    /// One of two values, by a decision that is open: see [`super::decisions`].
    Choice(Rc<Choice<'p>>),
    /// An imported name that nobody has asked for yet. Never leaves a lookup.
    Imported(Rc<Imported>),
}

pub struct Imported {
    pub from: Found,
    pub name: Str,
}

/// What a module name leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    Module(ModuleId),
    /// A directory without a file that speaks for it.
    Package(Str),
    /// Outside the program, dotted.
    External(Str),
}

pub type ClassRef<'p> = Rc<Class<'p>>;
pub type FunctionRef<'p> = Rc<Function<'p>>;

/// An insertion-ordered map; keys are compared by [`Value::same`].
#[derive(Clone, Default)]
pub struct Dict<'p> {
    pub entries: Vec<(Value<'p>, Value<'p>)>,
    /// Something unknown was merged in: a key that is not here may still exist.
    pub open: bool,
    /// An object literal: its keys are members.
    pub record: bool,
    /// Where the members of an object literal are written; the last of several counts.
    pub places: Vec<(Str, Span)>,
}

impl<'p> Dict<'p> {
    pub fn get(&self, key: &Value<'p>) -> Option<&Value<'p>> {
        self.entries.iter().find(|(known, _)| known.same(key)).map(|(_, value)| value)
    }

    pub fn get_str(&self, key: &str) -> Option<&Value<'p>> {
        self.entries.iter().find(|(known, _)| known.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// Whether it has no key but those that are here.
    pub fn is_whole(&self) -> bool {
        !self.open && self.entries.iter().all(|(key, _)| key.is_plain())
    }

    pub fn set(&mut self, key: Value<'p>, value: Value<'p>) {
        match self.entries.iter_mut().find(|(known, _)| known.same(&key)) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((key, value)),
        }
    }

    /// Takes in the entries of another; text keys, which long tables are made of, are not searched for one by one.
    pub fn merge(&mut self, other: &Dict<'p>) {
        let mut texts = self.texts();
        for (key, value) in &other.entries {
            match key {
                Value::Str(text) => {
                    if let Some(at) = texts.get(text) {
                        self.entries[*at].1 = value.clone();
                    } else {
                        texts.insert(text.clone(), self.entries.len());
                        self.entries.push((key.clone(), value.clone()));
                    }
                }
                _ => self.set(key.clone(), value.clone()),
            }
        }
        self.open |= other.open;
        self.places.extend(other.places.iter().cloned());
        if self.places.len() > 2 * self.entries.len() + 16 {
            let mut seen = rustc_hash::FxHashSet::default();
            let last: Vec<_> = self.places.drain(..).rev().filter(|(name, _)| seen.insert(name.clone())).collect();
            self.places.extend(last.into_iter().rev());
        }
    }

    /// How much work [`Dict::merge`] is.
    pub(super) fn merge_cost(&self, other: &Dict<'p>) -> usize {
        let searched = other.entries.iter().filter(|(key, _)| !matches!(key, Value::Str(_))).count();
        let total = self.entries.len() + other.entries.len();
        total.saturating_mul(1 + searched)
    }

    /// Where each text key stands.
    pub(super) fn texts(&self) -> FxHashMap<Str, usize> {
        let texts = self.entries.iter().enumerate();
        texts
            .filter_map(|(at, (key, _))| if let Value::Str(text) = key { Some((text.clone(), at)) } else { None })
            .collect()
    }
}

/// Evaluated arguments of a call.
#[derive(Clone, Default)]
pub struct Args<'p> {
    pub positional: Vec<Value<'p>>,
    pub named: Vec<(Str, Value<'p>)>,
    /// `**unknown` was among them.
    pub open: bool,
    /// `call<A, B>(…)`: the types, and where their names are looked up.
    pub types: Option<(&'p [program::Expr], Scope<'p>)>,
    /// Positions of arguments that are only what is there where nobody sets anything.
    pub soft: u64,
    /// What the method is called on, where a library made that.
    pub receiver: Option<Rc<Value<'p>>>,
    /// The arguments as they are written, and where; kept while a handler runs and where wires are looked for.
    pub written: Option<(&'p [program::Arg], Scope<'p>)>,
}

impl<'p> Args<'p> {
    /// Whether the same was given, as far as it is written by name.
    pub fn same(&self, other: &Args<'p>) -> bool {
        self.named.len() == other.named.len()
            && self.named.iter().zip(&other.named).all(|((a, x), (b, y))| a == b && x.same(y))
    }

    /// Puts what a method is called on in front.
    pub fn prepend(&mut self, receiver: Value<'p>) {
        self.positional.insert(0, receiver);
        self.soft <<= 1;
    }

    pub fn named(&self, name: &str) -> Option<&Value<'p>> {
        self.named.iter().rev().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }

    /// The argument at a position or of a name.
    pub fn get(&self, position: usize, name: &str) -> Option<&Value<'p>> {
        self.positional.get(position).or_else(|| self.named(name))
    }

    /// The argument at a position or of a name as it is written, and where its names are looked up; nothing where that
    /// is not kept.
    pub fn written_at(&self, position: usize, name: &str) -> Option<(&'p program::Expr, Scope<'p>)> {
        let (written, scope) = self.written.as_ref()?;
        let by_name = written.iter().find_map(|arg| match arg {
            program::Arg::Keyword(known, value) if known == name => Some(value),
            _ => None,
        });
        let value = by_name.or_else(|| match written.get(position) {
            Some(program::Arg::Positional(value)) => Some(value),
            _ => None,
        })?;
        Some((value, scope.clone()))
    }

    pub fn set(&mut self, name: &str, value: Value<'p>) {
        match self.named.iter_mut().find(|(known, _)| &**known == name) {
            Some(entry) => entry.1 = value,
            None => self.named.push((Rc::from(name), value)),
        }
    }

    pub fn remove(&mut self, name: &str) -> Option<Value<'p>> {
        let at = self.named.iter().position(|(known, _)| &**known == name)?;
        Some(self.named.remove(at).1)
    }

    pub fn values(&self) -> impl Iterator<Item = &Value<'p>> {
        self.positional.iter().chain(self.named.iter().map(|(_, value)| value))
    }
}

#[derive(Clone)]
pub struct Made<'p> {
    /// `zod.object`; of a method of what was made before, `zod.object().optional`.
    pub path: Str,
    /// What the method was called on, where [`Library::chained`](super::Library::chained) keeps it.
    pub receiver: Option<Value<'p>>,
    pub args: Args<'p>,
    pub site: Span,
}

impl Made<'_> {
    /// The last part of the path.
    pub fn name(&self) -> &str {
        last(&self.path)
    }
}

/// The last part of a dotted path.
pub fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

impl From<Found> for Value<'_> {
    fn from(found: Found) -> Self {
        match found {
            Found::Module(module) => Value::Module(module),
            Found::Package(directory) => Value::Package(directory),
            Found::External(dotted) => Value::External(dotted),
        }
    }
}

pub struct Class<'p> {
    pub node: &'p program::Class,
    /// Further declarations of the same interface.
    pub(super) more: RefCell<Vec<&'p program::Class>>,
    /// Where it is defined.
    pub scope: Scope<'p>,
    pub(super) bases: OnceCell<Vec<Value<'p>>>,
    pub(super) bases_busy: Cell<bool>,
    pub(super) mro: OnceCell<Rc<[Value<'p>]>>,
    pub(super) mro_busy: Cell<bool>,
    pub(super) enum_members: OnceCell<Rc<[super::EnumMember<'p>]>>,
    /// Attributes set from outside its body, and members already evaluated.
    pub(super) members: RefCell<FxHashMap<Str, Option<Value<'p>>>>,
    pub(super) extra: RefCell<FxHashMap<Str, Value<'p>>>,
    /// The decisions that conditions in its body are, and the side on which each is true.
    pub(super) decided: RefCell<FxHashMap<Span, (DecisionId, bool)>>,
}

impl Class<'_> {
    pub fn name(&self) -> &str {
        &self.node.name
    }

    /// Where its name stands.
    pub fn name_span(&self) -> Span {
        self.node.name_span
    }
}

pub struct Function<'p> {
    pub node: &'p program::Function,
    pub scope: Scope<'p>,
    /// The class in whose body it stands.
    pub class: Option<ClassRef<'p>>,
    pub role: Role,
    /// What was set on it: `function.name = value`.
    pub attributes: RefCell<FxHashMap<Str, Value<'p>>>,
}

impl<'p> Function<'p> {
    pub fn new(
        node: &'p program::Function,
        scope: Scope<'p>,
        class: Option<ClassRef<'p>>,
        role: Role,
    ) -> FunctionRef<'p> {
        Rc::new(Function { node, scope, class, role, attributes: RefCell::default() })
    }

    /// The same function where it sees other names.
    pub(super) fn within(&self, scope: Scope<'p>) -> FunctionRef<'p> {
        let attributes = self.attributes.clone();
        Rc::new(Function { node: self.node, scope, class: self.class.clone(), role: self.role, attributes })
    }
}

/// How a function of a class is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    Static,
    ClassMethod,
    Property,
}

pub struct Instance<'p> {
    pub class: ClassRef<'p>,
    pub attributes: RefCell<FxHashMap<Str, Value<'p>>>,
}

/// A type alias as it is written.
pub struct Alias<'p> {
    pub name: &'p str,
    pub parameters: &'p [program::TypeParameter],
    pub value: &'p program::Expr,
    pub scope: Scope<'p>,
}

pub struct TypeVar<'p> {
    pub name: Str,
    pub bound: Option<Value<'p>>,
    pub default: Option<Value<'p>>,
}

pub struct DynamicClass<'p> {
    pub name: Str,
    pub bases: Vec<Value<'p>>,
    /// Name and what was given for it: a `(type, default)` tuple, or a type.
    pub fields: Vec<(Str, Value<'p>)>,
    pub site: Span,
}

pub struct EntryPoint {
    pub group: String,
    pub name: String,
    pub target: String,
}

/// A route before and after it has its handler.
#[derive(Clone)]
pub struct RouteDraft<'p> {
    pub node: NodeId,
    /// Method names, in any casing; unknown ones are left to the framework.
    pub methods: Value<'p>,
    pub path: Value<'p>,
    /// Everything that was passed by name.
    pub options: Args<'p>,
    pub site: Span,
}

impl<'p> Value<'p> {
    pub fn str(text: impl Into<Str>) -> Self {
        Value::Str(text.into())
    }

    pub fn list(items: Vec<Value<'p>>) -> Self {
        Value::List(Rc::new(RefCell::new(items)))
    }

    pub fn dict(entries: Vec<(Value<'p>, Value<'p>)>) -> Self {
        Value::Dict(Rc::new(RefCell::new(Dict { entries, ..Dict::default() })))
    }

    /// An object without members so far.
    pub fn record() -> Self {
        Value::Dict(Rc::new(RefCell::new(Dict { record: true, ..Dict::default() })))
    }

    pub fn external(path: impl Into<Str>) -> Self {
        Value::External(path.into())
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Value::Unknown(..))
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_external(&self) -> Option<&str> {
        match self {
            Value::External(path) => Some(path),
            _ => None,
        }
    }

    /// The elements of a list or tuple.
    pub fn elements(&self) -> Option<Vec<Value<'p>>> {
        match self {
            Value::List(items) => Some(items.borrow().clone()),
            Value::Tuple(items) => Some(items.to_vec()),
            _ => None,
        }
    }

    /// Python's truth of values that have one; everything else counts as true.
    pub fn truth(&self) -> bool {
        match self {
            Value::None | Value::Bool(false) | Value::Int(0) => false,
            Value::Float(value) => *value != 0.0,
            Value::Str(text) => !text.is_empty(),
            Value::List(items) => !items.borrow().is_empty(),
            Value::Tuple(items) => !items.is_empty(),
            Value::Dict(dict) => !dict.borrow().entries.is_empty() || dict.borrow().open,
            _ => true,
        }
    }

    /// Plain data, whose truth and equality are known.
    pub fn is_plain(&self) -> bool {
        matches!(
            self,
            Value::None
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::Str(_)
                | Value::List(_)
                | Value::Tuple(_)
                | Value::Dict(_)
        )
    }

    /// Equality of plain data, identity of the rest. Data that contains itself, or is too large to compare, is not the
    /// same as anything else.
    pub fn same(&self, other: &Value<'p>) -> bool {
        self.same_within(other, &mut { MAX_COMPARED }, 0)
    }

    fn same_within(&self, other: &Value<'p>, left: &mut u32, depth: u32) -> bool {
        *left = left.saturating_sub(1);
        if *left == 0 || depth > MAX_COMPARED_DEPTH {
            return false;
        }
        let all_same = |a: &[Value<'p>], b: &[Value<'p>], left: &mut u32| {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same_within(y, left, depth + 1))
        };
        match (self, other) {
            (Value::None, Value::None) | (Value::Ellipsis, Value::Ellipsis) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Str(a), Value::Str(b))
            | (Value::External(a), Value::External(b))
            | (Value::Package(a), Value::Package(b)) => a == b,
            (Value::Module(a), Value::Module(b)) => a == b,
            (Value::Node(a), Value::Node(b)) => a == b,
            (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
            (Value::Function(a), Value::Function(b)) => std::ptr::eq(a.node, b.node),
            (Value::Instance(a), Value::Instance(b)) => Rc::ptr_eq(a, b),
            (Value::Made(a), Value::Made(b)) => {
                let same_receiver = match (&a.receiver, &b.receiver) {
                    (Some(a), Some(b)) => a.same_within(b, left, depth + 1),
                    (None, None) => true,
                    _ => false,
                };
                let (x, y) = (&a.args, &b.args);
                Rc::ptr_eq(a, b)
                    || (a.path == b.path
                        && a.site == b.site
                        && same_receiver
                        && x.types.is_none()
                        && x.written.is_none()
                        && (y.types.is_none() && y.written.is_none() && x.open == y.open)
                        && all_same(&x.positional, &y.positional, left)
                        && x.named.len() == y.named.len()
                        && x.named
                            .iter()
                            .zip(&y.named)
                            .all(|((name, x), (known, y))| name == known && x.same_within(y, left, depth + 1)))
            }
            (Value::Dynamic(a), Value::Dynamic(b)) => Rc::ptr_eq(a, b),
            (Value::Applied(a, x), Value::Applied(b, y)) => a.same_within(b, left, depth + 1) && all_same(x, y, left),
            (Value::Union(x), Value::Union(y)) | (Value::Tuple(x), Value::Tuple(y)) => {
                Rc::ptr_eq(x, y) || all_same(x, y, left)
            }
            (Value::List(x), Value::List(y)) => Rc::ptr_eq(x, y) || all_same(&x.borrow(), &y.borrow(), left),
            (Value::Dict(x), Value::Dict(y)) => Rc::ptr_eq(x, y),
            (Value::TypeVar(a), Value::TypeVar(b)) => a.name == b.name,
            (Value::Alias(a), Value::Alias(b)) => std::ptr::eq(a.value, b.value),
            (Value::Choice(a), Value::Choice(b)) => {
                a.decision == b.decision
                    && a.yes.same_within(&b.yes, left, depth + 1)
                    && a.no.same_within(&b.no, left, depth + 1)
            }
            (Value::Imported(a), Value::Imported(b)) => a.from == b.from && a.name == b.name,
            _ => false,
        }
    }

    /// `base[args]`; a type of too many parts is not followed.
    pub fn applied(base: Value<'p>, args: Vec<Value<'p>>) -> Self {
        bounded(Value::Applied(Rc::new(base), args.into()))
    }

    /// `a | b | …`; a type of too many parts is not followed.
    pub fn union(options: Vec<Value<'p>>) -> Self {
        bounded(Value::Union(options.into()))
    }

    /// Parts of a type, counted up to `limit`.
    pub fn parts(&self, limit: usize) -> usize {
        let mut count = 0;
        let mut stack = vec![self];
        while let Some(value) = stack.pop()
            && count < limit
        {
            count += 1;
            match value {
                Value::Applied(base, args) => {
                    stack.push(base);
                    stack.extend(args.iter().take(limit));
                }
                Value::Union(options) => stack.extend(options.iter().take(limit)),
                _ => {}
            }
        }
        count
    }

    /// A short name for messages and traces.
    pub fn describe(&self) -> String {
        match self {
            Value::Unknown(why, _) => format!("unknown ({why})"),
            Value::None => "None".to_owned(),
            Value::Ellipsis => "...".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) => value.to_string(),
            Value::Str(text) => format!("{text:?}"),
            Value::Pattern(text) => format!("{:?}", text.replace(UNKNOWN_PART, "…")),
            Value::List(_) => "a list".to_owned(),
            Value::Tuple(_) => "a tuple".to_owned(),
            Value::Dict(_) => "a dict".to_owned(),
            Value::Module(_) | Value::Package(_) => "a module".to_owned(),
            Value::External(path) => path.to_string(),
            Value::Made(made) => format!("{}(…)", made.name()),
            Value::Class(class) => class.name().to_owned(),
            Value::Function(function) | Value::Bound(_, function) => function.node.name.clone(),
            Value::Native(_, name) => name.to_string(),
            Value::Partial(inner, _) => inner.describe(),
            Value::Super(..) => "super()".to_owned(),
            Value::Instance(instance) => format!("{}()", instance.class.name()),
            Value::Node(_) => "a router".to_owned(),
            Value::Route(_) => "a route".to_owned(),
            Value::Applied(base, args) => {
                format!("{}[{}]", base.describe(), args.iter().map(Value::describe).collect::<Vec<_>>().join(", "))
            }
            Value::Union(options) => options.iter().map(Value::describe).collect::<Vec<_>>().join(" | "),
            Value::TypeVar(variable) => variable.name.to_string(),
            Value::Alias(alias) => alias.name.to_owned(),
            Value::Dynamic(class) => class.name.to_string(),
            Value::EntryPoint(point) => point.target.clone(),
            Value::Choice(choice) => format!("{} or {}", choice.yes.describe(), choice.no.describe()),
            Value::Imported(imported) => imported.name.to_string(),
        }
    }
}

fn bounded(value: Value<'_>) -> Value<'_> {
    if value.parts(MAX_TYPE_PARTS) < MAX_TYPE_PARTS { value } else { Value::Unknown("type of too many parts", None) }
}

/// A list of values with a length that is known, for iteration.
pub(super) type Items<'p> = Vec<Value<'p>>;
