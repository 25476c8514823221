//! Types of the base library by name: numbers, texts, sequences, maps, tasks.

use crate::evaluate::{Value, last};

/// Whether a type is the external one of a name, however it is qualified.
pub(in super::super) fn is(ty: &Value<'_>, name: &str) -> bool {
    ty.as_external().is_some_and(|path| plain(path) == name)
}

/// The name without its namespace, as a keyword where there is one.
pub(in super::super) fn plain(path: &str) -> &str {
    match last(path) {
        "String" => "string",
        "Boolean" => "bool",
        "Int32" => "int",
        "Int64" => "long",
        "Int16" => "short",
        "Byte" => "byte",
        "SByte" => "sbyte",
        "UInt16" => "ushort",
        "UInt32" => "uint",
        "UInt64" => "ulong",
        "Single" => "float",
        "Double" => "double",
        "Decimal" => "decimal",
        "Char" => "char",
        "Object" => "object",
        name => name,
    }
}

pub(in super::super) fn same_name(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

pub(in super::super) fn is_number(name: &str) -> bool {
    rank(name) > 0
}

/// Of two numbers, the one with the higher rank is what calculating with both gives; 0 for what is no number.
pub(in super::super) fn rank(name: &str) -> u32 {
    match plain(name) {
        "byte" | "sbyte" | "short" | "ushort" | "char" => 1,
        "int" => 2,
        "uint" => 3,
        "long" => 4,
        "ulong" => 5,
        "float" => 6,
        "double" => 7,
        "decimal" => 8,
        _ => 0,
    }
}

pub(in super::super) fn is_text(name: &str) -> bool {
    plain(name) == "string"
}

/// Types that are never null.
pub(in super::super) fn is_value(name: &str) -> bool {
    let name = plain(name);
    is_number(name)
        || matches!(name, "bool" | "Guid" | "DateTime" | "DateTimeOffset" | "DateOnly" | "TimeOnly" | "TimeSpan")
}

/// Types that extend nothing that matters, and nothing extends them.
pub(in super::super) fn is_plain(name: &str) -> bool {
    is_value(name) || matches!(plain(name), "string" | "Uri" | "Version" | "void")
}

/// Generic types that are sequences of their only argument (of the last one, for groups).
pub(in super::super) fn element_name(name: &str) -> bool {
    matches!(
        last(name),
        "[]" | "[,]"
            | "IEnumerable"
            | "IAsyncEnumerable"
            | "ICollection"
            | "IList"
            | "ISet"
            | "IReadOnlyCollection"
            | "IReadOnlyList"
            | "IReadOnlySet"
            | "IQueryable"
            | "IOrderedQueryable"
            | "IOrderedEnumerable"
            | "IIncludableQueryable"
            | "IGrouping"
            | "List"
            | "HashSet"
            | "SortedSet"
            | "LinkedList"
            | "Queue"
            | "Stack"
            | "Collection"
            | "ObservableCollection"
            | "ReadOnlyCollection"
            | "ConcurrentBag"
            | "ConcurrentQueue"
            | "ConcurrentStack"
            | "BlockingCollection"
            | "PriorityQueue"
            | "ImmutableArray"
            | "ImmutableList"
            | "ImmutableHashSet"
            | "IImmutableList"
            | "IImmutableSet"
            | "FrozenSet"
            | "DbSet"
            | "ArraySegment"
            | "Memory"
            | "ReadOnlyMemory"
            | "Span"
            | "ReadOnlySpan"
            | "ParallelQuery"
            | "ParallelOrderedEnumerable"
            | "IMongoQueryable"
            | "IFindFluent"
    )
}

/// Generic types of a key and a value.
pub(in super::super) fn is_map(name: &str) -> bool {
    matches!(
        last(name),
        "Dictionary"
            | "IDictionary"
            | "IReadOnlyDictionary"
            | "ConcurrentDictionary"
            | "SortedDictionary"
            | "SortedList"
            | "ReadOnlyDictionary"
            | "ImmutableDictionary"
            | "ImmutableSortedDictionary"
            | "IImmutableDictionary"
            | "FrozenDictionary"
            | "OrderedDictionary"
    )
}

/// Sequences of a query that is run elsewhere.
pub(in super::super) fn is_query(name: &str) -> bool {
    matches!(last(name), "IQueryable" | "IOrderedQueryable" | "IIncludableQueryable" | "DbSet" | "IMongoQueryable")
}

/// `Task<T>` and `ValueTask<T>`.
pub(in super::super) fn is_task(name: &str) -> bool {
    matches!(last(name), "Task" | "ValueTask")
}

/// Whether null is among the values.
pub(in super::super) fn is_null_or(ty: &Value<'_>) -> bool {
    matches!(ty, Value::Union(options) if options.iter().any(|option| matches!(option, Value::None)))
}

/// `class`, `struct` and the like, as constraints.
pub(in super::super) fn is_bound_word(ty: &Value<'_>) -> bool {
    ["class", "struct", "notnull", "unmanaged"].iter().any(|word| is(ty, word))
}

/// Whether two types of libraries have the same name, whatever they are applied to.
pub(in super::super) fn same_last(a: &Value<'_>, b: &Value<'_>) -> bool {
    fn name<'v>(ty: &'v Value<'_>) -> Option<&'v str> {
        match ty {
            Value::External(path) => Some(plain(path)),
            Value::Applied(base, _) => name(base),
            _ => None,
        }
    }
    name(a).is_some() && name(a) == name(b)
}
