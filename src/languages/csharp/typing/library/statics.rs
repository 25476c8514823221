//! Static methods of the base library: `Task.FromResult(x)`, `string.Join(…)`, `Enumerable.Range(…)`.

use super::super::calls::Call;
use super::super::generics::{generic, named};
use super::super::{Place, Typer};
use super::kinds::{self, plain};
use crate::evaluate::Value;

impl<'p> Typer<'_, 'p> {
    /// What a static method gives that the program does not declare.
    pub(in super::super) fn static_call(
        &mut self,
        ty: &Value<'p>,
        name: &str,
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Value<'p> {
        let unknown = Value::Unknown("static method of a library", Some(call.site));
        let path = match ty {
            Value::External(path) => path.clone(),
            Value::Applied(base, _) => match base.as_external() {
                Some(path) => crate::evaluate::Str::from(path),
                None => return unknown,
            },
            _ => return unknown,
        };
        if let Some(found) = self.known_static(plain(&path), name, call, place) {
            return found;
        }
        // What other libraries give by name: `JsonSerializer.Deserialize<T>(…)`.
        match self.library_call(ty, name, call, place) {
            Value::Unknown(..) => unknown,
            found => found,
        }
    }

    fn known_static(&mut self, kind: &str, name: &str, call: &Call<'p>, place: &Place<'p>) -> Option<Value<'p>> {
        let explicit = |typer: &mut Self| match call.types {
            [wanted] => Some(typer.written(wanted, place)),
            _ => None,
        };
        let array = |ty: Value<'p>| generic("[]", vec![ty]);
        Some(match (kind, name) {
            ("Task" | "ValueTask", "FromResult") => {
                let ty = match explicit(self) {
                    Some(ty) => ty,
                    None => self.type_of(call.arg(0)?, place),
                };
                generic("Task", vec![ty])
            }
            ("Task", "WhenAll") => {
                let first = self.type_of(call.arg(0)?, place);
                let task = if call.args.len() == 1 {
                    self.element(&first).unwrap_or(first)
                } else {
                    let mut types = vec![first];
                    for arg in &call.args[1..] {
                        types.push(self.type_of(arg.value(), place));
                    }
                    self.join_all(types)?
                };
                let result = Self::awaited(&task, call.site);
                generic("Task", vec![array(result)])
            }
            ("Task", "Run") => {
                let result = self.lambda_result(call.arg(0)?, &[], place);
                match &result {
                    Value::External(name) if kinds::is_task(name) => result,
                    Value::Applied(base, _) if base.as_external().is_some_and(kinds::is_task) => result,
                    _ => generic("Task", vec![result]),
                }
            }
            ("Task", "Delay") => named("Task"),
            ("string", "IsNullOrEmpty" | "IsNullOrWhiteSpace" | "Equals") => named("bool"),
            ("string", "Join" | "Format" | "Concat" | "Create" | "Intern" | "Copy") => named("string"),
            ("string", "Compare" | "CompareOrdinal") => named("int"),
            ("object", "Equals" | "ReferenceEquals") => named("bool"),
            ("Math" | "MathF", "Min" | "Max") => {
                let types = call.args.iter().map(|arg| self.type_of(arg.value(), place)).collect();
                self.join_all(types)?
            }
            ("Math", "Abs" | "Clamp") => self.type_of(call.arg(0)?, place),
            ("Math", "Sign") => named("int"),
            ("Math", "Round" | "Floor" | "Ceiling" | "Truncate") => {
                let ty = self.type_of(call.arg(0)?, place);
                if ty.is_unknown() || kinds::is(&ty, "decimal") { ty } else { named("double") }
            }
            ("Math", "Pow" | "Sqrt" | "Log" | "Log10" | "Log2" | "Exp") => named("double"),
            (number, "Parse" | "ParseExact") if kinds::is_plain(number) => named(number),
            (_, "TryParse" | "TryParseExact" | "IsDefined") => named("bool"),
            ("Guid", "NewGuid" | "CreateVersion7") => named("Guid"),
            ("DateTimeOffset", "FromUnixTimeSeconds" | "FromUnixTimeMilliseconds") => named("DateTimeOffset"),
            ("DateTime", "SpecifyKind") => named("DateTime"),
            ("DateTime", "DaysInMonth") => named("int"),
            ("DateTime", "IsLeapYear") => named("bool"),
            ("DateOnly", "FromDateTime") => named("DateOnly"),
            ("TimeOnly", "FromDateTime" | "FromTimeSpan") => named("TimeOnly"),
            ("TimeSpan", name) if name.starts_with("From") => named("TimeSpan"),
            ("Convert", name) => named(match name {
                "ToInt32" => "int",
                "ToInt64" => "long",
                "ToInt16" => "short",
                "ToDouble" => "double",
                "ToDecimal" => "decimal",
                "ToSingle" => "float",
                "ToBoolean" => "bool",
                "ToDateTime" => "DateTime",
                "ToString" | "ToBase64String" | "ToHexString" => "string",
                "FromBase64String" | "FromHexString" => return Some(array(named("byte"))),
                _ => return None,
            }),
            ("Enum", "GetNames") => array(named("string")),
            ("Enum", "GetName") => named("string"),
            ("Enum", "GetValues" | "GetValuesAsUnderlyingType") => array(explicit(self)?),
            ("Enum", "Parse") => explicit(self)?,
            ("Array" | "Enumerable" | "ImmutableArray" | "ImmutableList", "Empty") => array(explicit(self)?),
            ("Enumerable", "Range") => generic("IEnumerable", vec![named("int")]),
            ("Enumerable", "Repeat") => {
                let ty = self.type_of(call.arg(0)?, place);
                generic("IEnumerable", vec![ty])
            }
            ("KeyValuePair", "Create") => {
                let types = vec![self.type_of(call.arg(0)?, place), self.type_of(call.arg(1)?, place)];
                generic("KeyValuePair", types)
            }
            ("Tuple" | "ValueTuple", "Create") => {
                let types = call.args.iter().map(|arg| self.type_of(arg.value(), place)).collect();
                generic("ValueTuple", types)
            }
            ("JsonSerializer", "Serialize") | ("JsonConvert", "SerializeObject") => named("string"),
            ("Path", "IsPathRooted" | "HasExtension" | "Exists") | ("File" | "Directory", "Exists") => named("bool"),
            ("Path", "GetInvalidFileNameChars" | "GetInvalidPathChars") => array(named("char")),
            ("Path", _) | ("File", "ReadAllText") | ("Environment", "GetEnvironmentVariable") => named("string"),
            ("File", "ReadAllTextAsync") => generic("Task", vec![named("string")]),
            ("File", "ReadAllLines") | ("Directory", "GetFiles" | "GetDirectories") => array(named("string")),
            ("File", "ReadLines") | ("Directory", "EnumerateFiles" | "EnumerateDirectories") => {
                generic("IEnumerable", vec![named("string")])
            }
            ("File", "ReadAllBytes") => array(named("byte")),
            ("Regex", "Replace" | "Escape" | "Unescape") => named("string"),
            ("Regex", "IsMatch") => named("bool"),
            ("Random", _) => return None,
            _ => return None,
        })
    }
}
