//! What the base library and those that services use most say of types: members, methods, sequences.

pub(super) mod kinds;
mod linq;
mod methods;
mod services;
mod statics;

use super::generics::{generic, named};
use crate::evaluate::{Value, last};
use kinds::{plain, rank};

/// What calculating with two types of a library gives.
pub(super) fn calculated<'p>(a: &str, b: &str) -> Option<Value<'p>> {
    let (a, b) = (plain(a), plain(b));
    let both = match (rank(a), rank(b)) {
        (0, _) | (_, 0) => match (a, b) {
            ("TimeSpan", "TimeSpan") => "TimeSpan",
            // Both a moment and a duration may be taken from a moment: only the latter is known by its type.
            ("DateTime", "TimeSpan") => "DateTime",
            ("DateTimeOffset", "TimeSpan") => "DateTimeOffset",
            ("DateTime", "DateTime") | ("DateTimeOffset", "DateTimeOffset") => "TimeSpan",
            ("bool", "bool") => "bool",
            _ => return None,
        },
        (x, y) if x.max(y) <= 2 => "int",
        (x, y) if x >= y => a,
        _ => b,
    };
    Some(named(both))
}

/// What a value of a library's type has under a name that is no method.
pub(super) fn member<'p>(ty: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let (path, args): (&str, &[Value<'p>]) = match ty {
        Value::External(path) => (path, &[]),
        Value::Applied(base, args) => (base.as_external()?, args),
        _ => return None,
    };
    let found = match (plain(path), args) {
        ("KeyValuePair", [key, value]) => match name {
            "Key" => key.clone(),
            "Value" => value.clone(),
            _ => return None,
        },
        ("IGrouping", [key, _]) if name == "Key" => key.clone(),
        ("ValueTuple" | "Tuple", parts) => {
            let named = path.strip_prefix('(').and_then(|path| path.split(')').next()).unwrap_or_default();
            let at = match named.split(',').position(|known| known == name) {
                Some(at) => at,
                None => name.strip_prefix("Item")?.parse::<usize>().ok()?.checked_sub(1)?,
            };
            parts.get(at)?.clone()
        }
        ("Task" | "ValueTask", [result]) if name == "Result" => result.clone(),
        ("Lazy" | "IOptions" | "IOptionsSnapshot" | "OptionsWrapper" | "StrongBox" | "ActionResult", [value])
            if name == "Value" =>
        {
            value.clone()
        }
        ("IOptionsMonitor", [value]) if name == "CurrentValue" => value.clone(),
        ("EntityEntry", [entity]) if name == "Entity" => entity.clone(),
        ("UserManager", [user, ..]) if name == "Users" => generic("IQueryable", vec![user.clone()]),
        ("RoleManager", [role, ..]) if name == "Roles" => generic("IQueryable", vec![role.clone()]),
        ("LinkedListNode", [value]) if name == "Value" => value.clone(),
        ("Response", [message]) if name == "Message" => message.clone(),
        ("IdentityUser" | "IdentityRole", [key, ..]) if name == "Id" => key.clone(),
        (kind, _) => named(plain_member(kind, name)?),
    };
    Some(found)
}

/// Members whose type is one name.
fn plain_member(kind: &str, name: &str) -> Option<&'static str> {
    Some(match (kind, name) {
        ("string", "Length") => "int",
        (
            "DateTime" | "DateTimeOffset" | "DateOnly" | "TimeOnly",
            "Year" | "Month" | "Day" | "Hour" | "Minute" | "Second" | "Millisecond" | "DayOfYear" | "DayNumber",
        )
        | ("TimeSpan", "Days" | "Hours" | "Minutes" | "Seconds" | "Milliseconds") => "int",
        ("DateTime" | "DateTimeOffset" | "TimeSpan" | "TimeOnly", "Ticks") => "long",
        ("DateTime" | "DateTimeOffset", "Date") | ("DateTimeOffset", "DateTime" | "UtcDateTime" | "LocalDateTime") => {
            "DateTime"
        }
        ("DateTime" | "DateTimeOffset", "TimeOfDay") | ("DateTimeOffset", "Offset") => "TimeSpan",
        ("DateTime" | "DateTimeOffset" | "DateOnly", "DayOfWeek") => "DayOfWeek",
        ("TimeSpan", "TotalDays" | "TotalHours" | "TotalMinutes" | "TotalSeconds" | "TotalMilliseconds") => "double",
        ("Stopwatch", "ElapsedMilliseconds" | "ElapsedTicks") => "long",
        ("Stopwatch", "Elapsed") => "TimeSpan",
        ("IFormFile" | "FileInfo", "Length") => "long",
        ("IFormFile", "FileName" | "ContentType" | "Name" | "ContentDisposition") => "string",
        (
            "FileInfo" | "DirectoryInfo" | "FileSystemInfo" | "IFileInfo" | "IDirectoryInfo",
            "Name" | "FullName" | "Extension",
        ) => "string",
        ("Uri", "Host" | "AbsolutePath" | "AbsoluteUri" | "Scheme" | "Query" | "PathAndQuery" | "Authority") => {
            "string"
        }
        ("Claim", "Type" | "Value" | "Issuer" | "ValueType") => "string",
        ("IIdentity" | "ClaimsIdentity", "Name" | "AuthenticationType") => "string",
        ("IIdentity" | "ClaimsIdentity", "IsAuthenticated") => "bool",
        ("ClaimsPrincipal" | "IPrincipal", "Identity") => "IIdentity",
        ("ControllerBase" | "Controller" | "PageModel" | "HttpContext" | "Hub", "User") => "ClaimsPrincipal",
        ("ControllerBase" | "Controller" | "PageModel", "HttpContext") => "HttpContext",
        ("ControllerBase" | "Controller" | "PageModel" | "HttpContext", "Request") => "HttpRequest",
        ("ControllerBase" | "Controller" | "PageModel" | "HttpContext", "Response") => "HttpResponse",
        ("ControllerBase" | "Controller" | "PageModel", "ModelState") => "ModelStateDictionary",
        ("ControllerBase" | "Controller" | "PageModel", "Url") => "IUrlHelper",
        ("ModelStateDictionary", "IsValid") => "bool",
        ("HttpContext", "TraceIdentifier") => "string",
        ("HttpRequest", "Method" | "Scheme" | "Path" | "PathBase" | "ContentType" | "QueryString") => "string",
        ("HttpResponse", "StatusCode") => "int",
        ("HttpResponseMessage", "IsSuccessStatusCode") => "bool",
        ("HttpResponseMessage", "Content") => "HttpContent",
        ("HttpResponseMessage", "StatusCode") => "HttpStatusCode",
        ("IdentityResult" | "SignInResult", "Succeeded")
        | ("SignInResult", "IsLockedOut" | "IsNotAllowed" | "RequiresTwoFactor") => "bool",
        ("IdentityError", "Code" | "Description") => "string",
        (
            "IdentityUser",
            "UserName" | "NormalizedUserName" | "Email" | "NormalizedEmail" | "PasswordHash" | "SecurityStamp"
            | "ConcurrencyStamp" | "PhoneNumber" | "Id",
        )
        | ("IdentityRole", "Name" | "NormalizedName" | "Id") => "string",
        ("IdentityUser", "EmailConfirmed" | "PhoneNumberConfirmed" | "TwoFactorEnabled" | "LockoutEnabled") => "bool",
        ("IdentityUser", "AccessFailedCount") => "int",
        ("Type" | "MemberInfo", "Name" | "FullName" | "Namespace") => "string",
        (kind, "Message" | "StackTrace" | "Source") if kind.ends_with("Exception") => "string",
        (
            "IWebHostEnvironment" | "IHostEnvironment",
            "EnvironmentName" | "ApplicationName" | "ContentRootPath" | "WebRootPath",
        ) => "string",
        ("DbContext" | "IdentityDbContext", "Database") => "DatabaseFacade",
        _ => return None,
    })
}

/// The type of what a library's type has without an object: `string.Empty`, `DateTime.UtcNow`.
pub(super) fn constant<'p>(path: &str, name: &str) -> Option<Value<'p>> {
    let kind = plain(path);
    Some(named(match (kind, name) {
        ("string", "Empty") => "string",
        ("DateTime" | "DateTimeOffset", "Now" | "UtcNow" | "Today" | "MinValue" | "MaxValue" | "UnixEpoch")
        | ("DateOnly" | "TimeOnly" | "TimeSpan", "MinValue" | "MaxValue" | "Zero")
        | ("Guid", "Empty") => kind,
        (number, "MaxValue" | "MinValue" | "Epsilon" | "NaN" | "PositiveInfinity" | "NegativeInfinity")
            if rank(number) > 0 =>
        {
            number
        }
        ("decimal", "Zero" | "One" | "MinusOne") => "decimal",
        ("Math", "PI" | "E") => "double",
        ("Environment", "ProcessorCount" | "ProcessId" | "TickCount" | "ExitCode") => "int",
        ("Environment", "TickCount64" | "WorkingSet") => "long",
        ("Environment", "MachineName" | "NewLine" | "UserName" | "CurrentDirectory" | "UserDomainName") => "string",
        ("Task" | "ValueTask", "CompletedTask") => "Task",
        ("StatusCodes", name) if name.starts_with("Status") => "int",
        ("HttpStatusCode", _) => "HttpStatusCode",
        ("DayOfWeek", _) => "DayOfWeek",
        ("CancellationToken", "None") => "CancellationToken",
        _ => return None,
    }))
}

/// What the indexer of a library's type gives.
pub(super) fn indexed<'p>(ty: &Value<'p>) -> Option<Value<'p>> {
    let path = match ty {
        Value::External(path) => path.clone(),
        Value::Applied(base, args) => {
            return match (last(base.as_external()?), &**args) {
                ("ILookup" | "Lookup", [_, element]) => Some(generic("IEnumerable", vec![element.clone()])),
                _ => None,
            };
        }
        _ => return None,
    };
    match plain(&path) {
        "IConfiguration"
        | "IConfigurationSection"
        | "IConfigurationRoot"
        | "IStringLocalizer"
        | "NameValueCollection" => Some(named("string")),
        _ => None,
    }
}
