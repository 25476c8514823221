//! The types of the language and its base library, by name.

use super::libraries;
use crate::evaluate::{Value, last};
use crate::model::Kind;

/// Types that are one plain value, with the format that documents give.
pub(super) fn scalar(name: &str) -> Option<(Kind, Option<&'static str>)> {
    let found = match name {
        "int" | "Int32" | "short" | "Int16" | "byte" | "Byte" | "sbyte" | "SByte" | "ushort" | "UInt16" => {
            (Kind::Integer, Some("int32"))
        }
        "long" | "Int64" | "uint" | "UInt32" | "ulong" | "UInt64" => (Kind::Integer, Some("int64")),
        "Int128" | "UInt128" => (Kind::Integer, None),
        "float" | "Single" | "Half" => (Kind::Number, Some("float")),
        "double" | "Double" | "decimal" | "Decimal" => (Kind::Number, Some("double")),
        "bool" | "Boolean" => (Kind::Boolean, None),
        "string" | "String" | "char" | "Char" | "Version" | "Rune" => (Kind::String, None),
        "Guid" => (Kind::String, Some("uuid")),
        "DateTime" | "DateTimeOffset" => (Kind::String, Some("date-time")),
        "DateOnly" => (Kind::String, Some("date")),
        "TimeOnly" => (Kind::String, Some("time")),
        "TimeSpan" => (Kind::String, None),
        "Uri" => (Kind::String, Some("uri")),
        _ => return None,
    };
    Some(found)
}

/// Values of these are never null, unless `?` says so.
pub(super) fn is_value_type(name: &str) -> bool {
    match name {
        "string" | "String" | "Version" | "Uri" => false,
        _ => scalar(name).is_some() || name == "KeyValuePair" || libraries::enumeration(name).is_some(),
    }
}

/// Anything may stand there.
pub(super) fn is_anything(name: &str) -> bool {
    matches!(
        name,
        "object"
            | "Object"
            | "dynamic"
            | "JsonElement"
            | "JsonNode"
            | "JsonDocument"
            | "JsonValue"
            | "JToken"
            | "JValue"
            | "JRaw"
    )
}

/// Objects whose members are not declared.
pub(super) fn is_free_object(name: &str) -> bool {
    matches!(name, "JsonObject" | "JObject" | "ExpandoObject" | "Hashtable" | "IDictionary" | "ListDictionary")
}

/// What waits for a value, and is serialised as it.
pub(super) fn is_wrapper(name: &str) -> bool {
    matches!(name, "Nullable" | "Task" | "ValueTask" | "ActionResult")
}

/// Written as an array of their last type argument.
pub(super) fn is_list(name: &str) -> bool {
    matches!(
        name,
        "[]" | "List"
            | "IList"
            | "IEnumerable"
            | "ICollection"
            | "IReadOnlyList"
            | "IReadOnlyCollection"
            | "IAsyncEnumerable"
            | "IQueryable"
            | "IOrderedQueryable"
            | "IOrderedEnumerable"
            | "Collection"
            | "ReadOnlyCollection"
            | "ObservableCollection"
            | "ReadOnlyObservableCollection"
            | "KeyedCollection"
            | "HashSet"
            | "SortedSet"
            | "ISet"
            | "IReadOnlySet"
            | "FrozenSet"
            | "Queue"
            | "Stack"
            | "LinkedList"
            | "ConcurrentBag"
            | "ConcurrentQueue"
            | "ConcurrentStack"
            | "BlockingCollection"
            | "ImmutableArray"
            | "ImmutableList"
            | "IImmutableList"
            | "ImmutableHashSet"
            | "IImmutableSet"
            | "ImmutableSortedSet"
            | "ImmutableQueue"
            | "ImmutableStack"
            | "ArraySegment"
            | "DbSet"
            | "BindingList"
            | "SynchronizedCollection"
            | "ArrayList"
            | "JsonArray"
            | "JArray"
            | "BitArray"
            | "StringCollection"
    )
}

/// Written as an object whose keys are values of the first type argument, and whose values are those of the second.
pub(super) fn is_map(name: &str) -> bool {
    matches!(
        name,
        "Dictionary"
            | "IDictionary"
            | "IReadOnlyDictionary"
            | "ReadOnlyDictionary"
            | "SortedDictionary"
            | "SortedList"
            | "ConcurrentDictionary"
            | "OrderedDictionary"
            | "ImmutableDictionary"
            | "IImmutableDictionary"
            | "ImmutableSortedDictionary"
            | "FrozenDictionary"
    )
}

/// A class or interface that gives whoever extends it no members that are written.
pub(super) fn adds_nothing(value: &Value) -> bool {
    let Some(name) = value.as_external().map(last) else { return false };
    matches!(
        name,
        "object"
            | "Object"
            | "ValueType"
            | "EventArgs"
            | "MarshalByRefObject"
            | "ObservableObject"
            | "BindableBase"
            | "IDisposable"
            | "IAsyncDisposable"
            | "ICloneable"
            | "IEquatable"
            | "IComparable"
            | "IComparer"
            | "IFormattable"
            | "IConvertible"
            | "IParsable"
            | "ISpanParsable"
            | "ISerializable"
            | "INotifyPropertyChanged"
            | "INotifyPropertyChanging"
            | "IValidatableObject"
            | "IRequest"
            | "IBaseRequest"
            | "INotification"
            | "ICommand"
            | "IQuery"
            | "IMapFrom"
            | "IAdditionOperators"
            | "IEqualityOperators"
    )
}
