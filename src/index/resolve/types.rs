//! What objects of a written type are.

use super::{MAX_DEPTH, Thing, Value};
use crate::index::record::{SymbolKind, Term, TermId};
use crate::index::refresh::style;
use crate::index::view::View;
use crate::model::program::ImportStyle;

/// Types that stand for what is in their brackets.
const TRANSPARENT: &[&str] = &[
    "Optional",
    "Annotated",
    "Promise",
    "PromiseLike",
    "Awaitable",
    "Coroutine",
    "Task",
    "ValueTask",
    "Readonly",
    "Required",
    "Partial",
    "NonNullable",
    "Awaited",
    "Final",
    "ClassVar",
    "Mapped",
    "Omit",
    "Pick",
    "InstanceType",
    "Nullable",
    "Lazy",
    "Depends",
    "Ref",
    "ActionResult",
    "AsyncContextManager",
    "ContextManager",
    "AbstractAsyncContextManager",
    "AbstractContextManager",
    "Self",
];
/// Types that hold several of what is in their brackets, the last of it.
const HOLDING: &[&str] = &[
    "list",
    "List",
    "set",
    "Set",
    "frozenset",
    "FrozenSet",
    "tuple",
    "Tuple",
    "Sequence",
    "MutableSequence",
    "Iterable",
    "Iterator",
    "Collection",
    "Generator",
    "AsyncGenerator",
    "AsyncIterator",
    "AsyncIterable",
    "dict",
    "Dict",
    "Mapping",
    "MutableMapping",
    "defaultdict",
    "DefaultDict",
    "OrderedDict",
    "deque",
    "Deque",
    "Array",
    "ReadonlyArray",
    "Map",
    "ReadonlyMap",
    "Record",
    "IEnumerable",
    "IList",
    "ICollection",
    "IReadOnlyList",
    "IReadOnlyCollection",
    "IQueryable",
    "HashSet",
    "Dictionary",
    "IDictionary",
    "IAsyncEnumerable",
    "DbSet",
    "ConcurrentDictionary",
    "Queue",
    "Stack",
];

impl View<'_> {
    /// Values of a written type.
    pub(super) fn instances(&self, file: u32, kind: TermId) -> Vec<Value> {
        if self.depth.get() >= MAX_DEPTH {
            self.cut.set(true);
            return Vec::new();
        }
        self.depth.set(self.depth.get() + 1);
        let found = self.find_instances(file, kind);
        self.depth.set(self.depth.get() - 1);
        found
    }

    fn find_instances(&self, file: u32, kind: TermId) -> Vec<Value> {
        let loaded = self.loaded(file);
        let record = &loaded.record;
        match record.terms.get(kind as usize) {
            Some(Term::Index(base, args)) => {
                let name = record.name_of(*base);
                let first = args.first().copied();
                if name == "Union" {
                    return args.iter().flat_map(|it| self.instances(file, *it)).collect();
                }
                if TRANSPARENT.contains(&name) {
                    let argument = if name == "Coroutine" { args.last().copied() } else { first };
                    return argument.map(|it| self.instances(file, it)).unwrap_or_default();
                }
                if HOLDING.contains(&name) {
                    let item =
                        if name == "Generator" || name == "AsyncGenerator" { first } else { args.last().copied() };
                    return vec![Value::Many(item.map(|it| self.instances(file, it)).unwrap_or_default())];
                }
                if matches!(name, "type" | "Type") {
                    let classes = first.map(|it| self.instances(file, it)).unwrap_or_default();
                    return classes
                        .into_iter()
                        .map(|it| if let Value::Object(at) = it { Value::Itself(at) } else { it })
                        .collect();
                }
                self.instances(file, *base)
            }
            Some(Term::Either(several)) => several.iter().flat_map(|it| self.instances(file, *it)).collect(),
            Some(Term::List(item)) => vec![Value::Many(self.instances(file, *item))],
            Some(Term::Bound(_) | Term::Free(..) | Term::Member(..)) => {
                let things = self.things(file, kind);
                things.iter().flat_map(|thing| self.instance_of(thing)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn instance_of(&self, thing: &Thing) -> Vec<Value> {
        match thing {
            Thing::Symbol(at) => {
                let Some(symbol) = self.symbol(*at) else { return Vec::new() };
                match symbol.kind {
                    SymbolKind::Class | SymbolKind::Interface | SymbolKind::Enum => vec![Value::Object(*at)],
                    SymbolKind::Type => {
                        let meant: Vec<Value> =
                            symbol.values.iter().flat_map(|value| self.instances(at.file, *value)).collect();
                        if meant.is_empty() { vec![Value::Object(*at)] } else { meant }
                    }
                    SymbolKind::Variable if style(self.language(at.file)) == ImportStyle::Dotted => {
                        symbol.values.iter().flat_map(|value| self.instances(at.file, *value)).collect()
                    }
                    // `typeof value`
                    SymbolKind::Variable => self.given(*at),
                    _ => Vec::new(),
                }
            }
            // A parameter of a type stands for its bound.
            Thing::Local(file, binding) => {
                let loaded = self.loaded(*file);
                let values = loaded.record.bindings.get(*binding as usize).map(|it| it.values.clone());
                values.unwrap_or_default().iter().flat_map(|value| self.instances(*file, *value)).collect()
            }
            Thing::Foreign => vec![Value::Foreign],
            _ => Vec::new(),
        }
    }
}
