//! Methods of values of the base library: texts, moments, numbers, maps, tasks.

use super::super::calls::Call;
use super::super::generics::{generic, named, without_null};
use super::super::{Place, Typer};
use super::kinds::{self, plain};
use crate::evaluate::{Value, last};
use crate::model::program::{Arg, ExprKind};

impl<'p> Typer<'_, 'p> {
    /// What a method gives that the program does not declare.
    pub(in super::super) fn library_call(
        &mut self,
        ty: &Value<'p>,
        name: &str,
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Value<'p> {
        let ty = without_null(ty);
        let above = self.supertypes(&ty);
        if let Some(found) = self.map_call(&ty, name, call) {
            return found;
        }
        for above in &above {
            if let Some(found) = value_call(above, name, &ty) {
                return found;
            }
            if let Some(found) = self.service_call(above, name, call, place) {
                return found;
            }
        }
        if let Some(element) = self.element(&ty)
            && let Some(found) = self.sequence_call(&ty, &element, name, call, place)
        {
            return found;
        }
        if let Some(found) = self.by_name(&ty, name, call, place) {
            return found;
        }
        match ty {
            Value::Unknown(why, at) => Value::Unknown(why, at),
            Value::External(_) | Value::Applied(..) => Value::Unknown("method of a type of a library", Some(call.site)),
            _ => Value::Unknown("method that the type does not declare", Some(call.site)),
        }
    }

    fn map_call(&mut self, ty: &Value<'p>, name: &str, _call: &Call<'p>) -> Option<Value<'p>> {
        let (_, value) = self.entry(ty)?;
        Some(match name {
            "TryGetValue" | "ContainsKey" | "ContainsValue" | "TryAdd" | "TryRemove" | "TryUpdate" | "Remove" => {
                named("bool")
            }
            "GetValueOrDefault" | "GetOrAdd" | "AddOrUpdate" => value,
            _ => return None,
        })
    }

    /// Methods that are told by their name, whatever they are called on.
    fn by_name(&mut self, ty: &Value<'p>, name: &str, call: &Call<'p>, place: &Place<'p>) -> Option<Value<'p>> {
        Some(match (name, call.types) {
            ("ToString" | "ToLowerInvariant" | "ToUpperInvariant", []) => named("string"),
            ("Equals", []) => named("bool"),
            ("GetHashCode" | "CompareTo", []) => named("int"),
            ("GetType", []) => named("Type"),
            ("GetValueOrDefault", []) => ty.clone(),
            ("ConfigureAwait" | "WaitAsync" | "AsTask", []) => ty.clone(),
            ("GetAwaiter", []) => generic("TaskAwaiter", vec![Self::awaited(ty, call.site)]),
            // AutoMapper and Mapster, which make a value of one type from one of another.
            ("Map" | "Adapt", [wanted] | [_, wanted]) => self.written(wanted, place),
            ("MapAsync" | "AdaptAsync" | "AdaptToTypeAsync", [wanted] | [_, wanted]) => {
                let wanted = self.written(wanted, place);
                generic("Task", vec![wanted])
            }
            ("Adapt" | "AdaptToType", []) if call.args.len() == 1 => self.type_of(call.arg(0)?, place),
            ("ProjectTo" | "ProjectToType", [wanted]) => {
                let wanted = self.written(wanted, place);
                generic("IQueryable", vec![wanted])
            }
            (
                "GetRequiredService"
                | "GetService"
                | "GetRequiredKeyedService"
                | "GetKeyedService"
                | "Deserialize"
                | "DeserializeObject"
                | "GetValue"
                | "ToObject"
                | "CreateInstance"
                | "GetCustomAttribute"
                | "QueryFirst"
                | "QueryFirstOrDefault"
                | "QuerySingle"
                | "QuerySingleOrDefault"
                | "ExecuteScalar",
                [wanted],
            ) => self.written(wanted, place),
            ("Get", [wanted]) if call.args.len() <= 1 => self.written(wanted, place),
            (
                "ReadFromJsonAsync"
                | "GetFromJsonAsync"
                | "DeserializeAsync"
                | "QueryFirstAsync"
                | "QueryFirstOrDefaultAsync"
                | "QuerySingleAsync"
                | "QuerySingleOrDefaultAsync"
                | "ExecuteScalarAsync"
                | "InvokeAsync",
                [wanted],
            ) => {
                let wanted = self.written(wanted, place);
                generic("Task", vec![wanted])
            }
            ("QueryAsync", [wanted]) => {
                let wanted = self.written(wanted, place);
                generic("Task", vec![generic("IEnumerable", vec![wanted])])
            }
            ("Query" | "SqlQuery" | "SqlQueryRaw", [wanted]) => {
                let wanted = self.written(wanted, place);
                generic("IQueryable", vec![wanted])
            }
            ("Set", [wanted]) if call.args.is_empty() => {
                let wanted = self.written(wanted, place);
                generic("DbSet", vec![wanted])
            }
            ("GetCollection", [wanted]) => {
                let wanted = self.written(wanted, place);
                generic("IMongoCollection", vec![wanted])
            }
            ("GetOrCreate" | "GetOrCreateAsync" | "GetOrSetAsync" | "GetOrSet", [wanted]) => {
                let wanted = self.written(wanted, place);
                if name.ends_with("Async") { generic("Task", vec![wanted]) } else { wanted }
            }
            // A cache makes what it does not have: the first function says what.
            ("GetOrCreate" | "GetOrCreateAsync" | "GetOrAdd" | "GetOrAddAsync" | "GetOrSet" | "GetOrSetAsync", []) => {
                let made = call.args.iter().map(Arg::value).find(|arg| matches!(arg.kind, ExprKind::Lambda(_)))?;
                let result = self.lambda_result(made, &[named("ICacheEntry")], place);
                let is_task = match &result {
                    Value::Applied(base, _) => base.as_external().is_some_and(kinds::is_task),
                    _ => false,
                };
                if name.ends_with("Async") && !is_task { generic("Task", vec![result]) } else { result }
            }
            ("ReadToEndAsync" | "ReadLineAsync", []) => generic("Task", vec![named("string")]),
            ("ReadToEnd" | "ReadLine", []) => named("string"),
            _ => return None,
        })
    }
}

/// Methods of one of the base library's own types.
fn value_call<'p>(ty: &Value<'p>, name: &str, receiver: &Value<'p>) -> Option<Value<'p>> {
    let (path, args): (&str, &[Value<'p>]) = match ty {
        Value::External(path) => (path, &[]),
        Value::Applied(base, args) => (base.as_external()?, args),
        _ => return None,
    };
    let found = match (plain(path), args) {
        ("string", _) => match name {
            "Split" => return Some(generic("[]", vec![named("string")])),
            "ToCharArray" => return Some(generic("[]", vec![named("char")])),
            "Contains" | "StartsWith" | "EndsWith" | "Equals" | "IsNormalized" => "bool",
            "IndexOf" | "LastIndexOf" | "IndexOfAny" | "CompareTo" | "GetHashCode" => "int",
            "Trim" | "TrimStart" | "TrimEnd" | "ToLower" | "ToUpper" | "ToLowerInvariant" | "ToUpperInvariant"
            | "Replace" | "Substring" | "Insert" | "Remove" | "PadLeft" | "PadRight" | "Normalize" | "ToString"
            | "ReplaceLineEndings" | "Clone" => "string",
            _ => return None,
        },
        ("DateTime" | "DateTimeOffset" | "DateOnly" | "TimeOnly" | "TimeSpan", _) => match name {
            "ToString" | "ToShortDateString" | "ToLongDateString" | "ToShortTimeString" | "ToLongTimeString" => {
                "string"
            }
            "ToUnixTimeSeconds" | "ToUnixTimeMilliseconds" | "ToFileTime" | "ToBinary" => "long",
            "ToDateTime" => "DateTime",
            "ToOffset" => "DateTimeOffset",
            _ if name.starts_with("Add")
                || matches!(name, "ToUniversalTime" | "ToLocalTime" | "Negate" | "Duration") =>
            {
                return Some(receiver.clone());
            }
            _ => return None,
        },
        ("Guid", _) => match name {
            "ToByteArray" => return Some(generic("[]", vec![named("byte")])),
            "ToString" => "string",
            _ => return None,
        },
        ("TaskAwaiter", [result]) if name == "GetResult" => return Some(result.clone()),
        ("Task" | "ValueTask", _) if matches!(name, "ConfigureAwait" | "WaitAsync" | "AsTask") => {
            return Some(receiver.clone());
        }
        ("ClaimsPrincipal", _) => match name {
            "FindFirstValue" => "string",
            "IsInRole" | "HasClaim" => "bool",
            "FindFirst" => "Claim",
            _ => return None,
        },
        ("HttpContent", _) => match name {
            "ReadAsStringAsync" => return Some(generic("Task", vec![named("string")])),
            "ReadAsByteArrayAsync" => {
                return Some(generic("Task", vec![generic("[]", vec![named("byte")])]));
            }
            _ => return None,
        },
        ("IUrlHelper", _) => "string",
        ("StringBuilder", _) => match name {
            "ToString" => "string",
            _ => "StringBuilder",
        },
        ("IConfiguration" | "IConfigurationSection", _) => match name {
            "GetSection" | "GetRequiredSection" => "IConfigurationSection",
            "GetConnectionString" => "string",
            _ => return None,
        },
        ("DbContext" | "IdentityDbContext", _) => match name {
            "SaveChangesAsync" => return Some(generic("Task", vec![named("int")])),
            "SaveChanges" => "int",
            _ => return None,
        },
        ("IMongoCollection", [item]) => match name {
            "Find" => return Some(generic("IFindFluent", vec![item.clone()])),
            "AsQueryable" => return Some(generic("IQueryable", vec![item.clone()])),
            "FindOneAndUpdateAsync" | "FindOneAndReplaceAsync" | "FindOneAndDeleteAsync" => {
                return Some(generic("Task", vec![item.clone()]));
            }
            "CountDocumentsAsync" => return Some(generic("Task", vec![named("long")])),
            _ => return None,
        },
        (number, _) if kinds::is_number(number) => match name {
            "ToString" => "string",
            "CompareTo" => "int",
            "Equals" => "bool",
            _ => return None,
        },
        _ => return None,
    };
    let _ = last(path);
    Some(named(found))
}
