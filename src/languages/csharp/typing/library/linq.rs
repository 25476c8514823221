//! Methods of sequences: LINQ, those of Entity Framework, those of lists.

use super::super::calls::Call;
use super::super::generics::{generic, is_nullable, named, with_null, without_null};
use super::super::{Place, Typer};
use super::kinds;
use crate::evaluate::Value;
use crate::model::program::{Expr, ExprKind};

/// Methods that give a sequence of the same items.
#[rustfmt::skip]
const SAME: &[&str] = &[
    "Where", "OrderBy", "OrderByDescending", "ThenBy", "ThenByDescending", "Order", "OrderDescending", "Distinct",
    "DistinctBy", "Skip", "SkipWhile", "SkipLast", "Take", "TakeWhile", "TakeLast", "Reverse", "AsNoTracking",
    "AsNoTrackingWithIdentityResolution", "AsTracking", "AsSplitQuery", "AsSingleQuery", "AsEnumerable", "AsQueryable",
    "AsAsyncEnumerable", "ToAsyncEnumerable", "AsParallel", "AsSequential", "AsOrdered", "Include", "ThenInclude", "TagWith", "TagWithCallSite",
    "IgnoreQueryFilters", "IgnoreAutoIncludes", "Concat", "Union", "UnionBy", "Except", "ExceptBy", "Intersect",
    "IntersectBy", "Append", "Prepend", "DefaultIfEmpty", "FromSqlRaw", "FromSqlInterpolated", "FromSql", "WhereIf",
    "Sort", "SortBy", "SortByDescending", "Limit", "AsExpandable", "AsAsyncEnumerable", "TemporalAll",
];

/// Methods that give one of the items.
#[rustfmt::skip]
const ONE: &[&str] = &[
    "First", "FirstOrDefault", "Single", "SingleOrDefault", "Last", "LastOrDefault", "ElementAt", "ElementAtOrDefault",
    "MinBy", "MaxBy", "Find", "FindLast", "Peek", "Pop", "Dequeue",
];

#[rustfmt::skip]
const TEST: &[&str] = &[
    "Any", "All", "Contains", "SequenceEqual", "Exists", "TrueForAll", "Remove", "IsSubsetOf", "IsSupersetOf",
    "Overlaps", "SetEquals", "TryPeek", "TryDequeue", "TryPop", "TryTake", "TryAdd",
];

#[rustfmt::skip]
const NUMBER: &[&str] = &[
    "Count", "CountDocuments", "IndexOf", "LastIndexOf", "FindIndex", "FindLastIndex", "RemoveAll", "BinarySearch", "ExecuteDelete",
    "ExecuteUpdate", "EnsureCapacity", "RemoveWhere",
];

impl<'p> Typer<'_, 'p> {
    /// What a method gives that is called on a sequence of these items; none where no method of sequences has that name.
    pub(super) fn sequence_call(
        &mut self,
        ty: &Value<'p>,
        element: &Value<'p>,
        name: &str,
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Option<Value<'p>> {
        let query = self.supertypes(ty).iter().any(|above| match above {
            Value::Applied(base, _) => base.as_external().is_some_and(kinds::is_query),
            _ => false,
        });
        let sequence = |element: Value<'p>| generic(if query { "IQueryable" } else { "IEnumerable" }, vec![element]);
        // `FirstAsync` is `First` that is waited for; `SelectAwait` gives what is waited for.
        let (name, is_async) = match name.strip_suffix("Async") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let given = |value: Value<'p>| if is_async { generic("Task", vec![value]) } else { value };
        let lambda = |typer: &mut Self, at: usize, params: &[Value<'p>]| {
            let arg = call.arg(at)?;
            Some(typer.lambda_result(arg, params, place))
        };
        let arity = |at: usize| match &call.arg(at)?.kind {
            ExprKind::Lambda(function) => Some(function.parameters.len()),
            _ => None,
        };
        let item = element.clone();
        Some(match name {
            _ if SAME.contains(&name) => {
                // Null may be added to what follows.
                sequence(item)
            }
            _ if ONE.contains(&name) => given(item),
            _ if TEST.contains(&name) => given(named("bool")),
            _ if NUMBER.contains(&name) => given(named("int")),
            "LongCount" => given(named("long")),
            "Add" if self.is_set(ty) => named("bool"),
            "Add" | "Update" | "Attach" if query => given(generic("EntityEntry", vec![item])),
            "Add" | "AddRange" | "Clear" | "Insert" | "InsertRange" | "RemoveAt" | "RemoveRange" | "ForEach"
            | "Enqueue" | "Push" | "Load" | "UpdateRange" | "AttachRange" | "CopyTo" => given(named("void")),
            "ToList" => given(generic("List", vec![item])),
            "ToArray" => given(generic("[]", vec![item])),
            "ToHashSet" => given(generic("HashSet", vec![item])),
            "ToImmutableList" | "ToImmutableArray" | "ToFrozenSet" | "ToImmutableHashSet" => {
                generic("ImmutableList", vec![item])
            }
            "AsReadOnly" => generic("ReadOnlyCollection", vec![item]),
            "GetRange" | "FindAll" => generic("List", vec![item]),
            "Chunk" => sequence(generic("[]", vec![item])),
            "Select" | "Project" | "ConvertAll" => {
                let params = if arity(0) == Some(2) { vec![item, named("int")] } else { vec![item] };
                let result = lambda(self, 0, &params)?;
                if name == "ConvertAll" { generic("List", vec![result]) } else { sequence(result) }
            }
            "SelectMany" => {
                let inner = lambda(self, 0, std::slice::from_ref(&item))?;
                let inner = self.of_elements(&inner, call.site);
                match call.arg(1) {
                    Some(_) => sequence(lambda(self, 1, &[item, inner])?),
                    None => sequence(inner),
                }
            }
            "Cast" | "OfType" | "ProjectTo" | "ProjectToType" => match call.types {
                [wanted] => sequence(self.written(wanted, place)),
                _ => return None,
            },
            "Sum" | "Min" | "Max" | "Average" => {
                let ty = match call.arg(0) {
                    Some(arg) if !self.is_token(arg, place) => self.lambda_result(arg, &[item], place),
                    _ => item,
                };
                given(if name == "Average" { average(&ty) } else { ty })
            }
            "Aggregate" => match (call.arg(0), call.args.len()) {
                (Some(_), 1) => item,
                (Some(seed), 2) => self.type_of(seed, place),
                _ => return None,
            },
            "ToDictionary" | "ToImmutableDictionary" | "ToFrozenDictionary" => {
                let key = match call.arg(0) {
                    Some(arg) if !self.is_token(arg, place) => {
                        self.lambda_result(arg, std::slice::from_ref(&item), place)
                    }
                    _ => {
                        let (key, value) = match &item {
                            Value::Applied(_, args) if args.len() == 2 => (args[0].clone(), args[1].clone()),
                            _ => return None,
                        };
                        return Some(given(generic("Dictionary", vec![key, value])));
                    }
                };
                let value = match call.arg(1) {
                    Some(arg) if is_function(arg) => self.lambda_result(arg, &[item], place),
                    _ => item,
                };
                given(generic("Dictionary", vec![key, value]))
            }
            "ToLookup" | "GroupBy" => {
                let key = lambda(self, 0, std::slice::from_ref(&item))?;
                let mut value = item.clone();
                let mut result_at = 1;
                if arity(1) == Some(1) {
                    value = lambda(self, 1, &[item])?;
                    result_at = 2;
                }
                if arity(result_at) == Some(2) {
                    let group = generic("IEnumerable", vec![value]);
                    return Some(sequence(lambda(self, result_at, &[key, group])?));
                }
                if name == "ToLookup" {
                    given(generic("ILookup", vec![key, value]))
                } else {
                    sequence(generic("IGrouping", vec![key, value]))
                }
            }
            "Join" | "GroupJoin" | "LeftJoin" => {
                let other = self.type_of(call.arg(0)?, place);
                let other = self.of_elements(&other, call.site);
                let other = if name == "GroupJoin" { generic("IEnumerable", vec![other]) } else { other };
                sequence(lambda(self, 3, &[item, other])?)
            }
            "Zip" => {
                let other = self.type_of(call.arg(0)?, place);
                let other = self.of_elements(&other, call.site);
                match call.arg(1) {
                    Some(_) => sequence(lambda(self, 1, &[item, other])?),
                    None => sequence(generic("ValueTuple", vec![item, other])),
                }
            }
            "Index" => sequence(generic("ValueTuple", vec![named("int"), item])),
            "ToString" => named("string"),
            "ToQueryString" => named("string"),
            _ => return None,
        })
    }

    /// Whether an argument is the one that many methods take last, to be told to stop.
    fn is_token(&mut self, arg: &'p Expr, place: &Place<'p>) -> bool {
        !is_function(arg) && {
            let ty = self.type_of(arg, place);
            kinds::is(&ty, "CancellationToken") || matches!(arg.kind, ExprKind::Other(_))
        }
    }

    fn is_set(&mut self, ty: &Value<'p>) -> bool {
        self.supertypes(ty).iter().any(|above| match above {
            Value::Applied(base, _) => ["HashSet", "ISet", "SortedSet"].iter().any(|name| kinds::is(base, name)),
            _ => false,
        })
    }
}

fn is_function(arg: &Expr) -> bool {
    matches!(&arg.kind, ExprKind::Lambda(_))
}

fn average<'p>(ty: &Value<'p>) -> Value<'p> {
    let nullable = is_nullable(ty);
    let average = match without_null(ty) {
        Value::External(name) => match kinds::plain(&name) {
            kept @ ("decimal" | "float") => named(kept),
            _ => named("double"),
        },
        other => other,
    };
    if nullable { with_null(average) } else { average }
}
