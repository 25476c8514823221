//! Types of libraries that services answer with, or build their own on: their members, by what they are declared as.

use super::enums::{Given, Named};
use super::style::Ignore;
use super::{Schemas, builtin};
use crate::evaluate::{Evaluator, Value, last};
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId};
use crate::text::Span;

/// Name and type of each member.
pub(super) type Declared = &'static [(&'static str, &'static str)];

/// The members of a class of a library, each with its type; `TKey` is the class's argument, or a string.
pub(super) fn members_of(name: &str) -> Option<Declared> {
    let members: Declared = match name {
        // ASP.NET Core Identity.
        "IdentityUser" => &[
            ("Id", "TKey"),
            ("UserName", "string?"),
            ("NormalizedUserName", "string?"),
            ("Email", "string?"),
            ("NormalizedEmail", "string?"),
            ("EmailConfirmed", "bool"),
            ("PasswordHash", "string?"),
            ("SecurityStamp", "string?"),
            ("ConcurrencyStamp", "string?"),
            ("PhoneNumber", "string?"),
            ("PhoneNumberConfirmed", "bool"),
            ("TwoFactorEnabled", "bool"),
            ("LockoutEnd", "DateTimeOffset?"),
            ("LockoutEnabled", "bool"),
            ("AccessFailedCount", "int"),
        ],
        "IdentityRole" => {
            &[("Id", "TKey"), ("Name", "string?"), ("NormalizedName", "string?"), ("ConcurrencyStamp", "string?")]
        }
        "IdentityUserRole" => &[("UserId", "TKey"), ("RoleId", "TKey")],
        "IdentityError" => &[("Code", "string"), ("Description", "string")],
        // What `MapIdentityApi` answers.
        "AccessTokenResponse" => {
            &[("TokenType", "string"), ("AccessToken", "string"), ("ExpiresIn", "long"), ("RefreshToken", "string")]
        }
        "InfoResponse" => &[("Email", "string"), ("IsEmailConfirmed", "bool")],
        "TwoFactorResponse" => &[
            ("SharedKey", "string"),
            ("RecoveryCodesLeft", "int"),
            ("RecoveryCodes", "string[]?"),
            ("IsTwoFactorEnabled", "bool"),
            ("IsMachineRemembered", "bool"),
        ],
        // FluentValidation.
        "ValidationFailure" => &[
            ("PropertyName", "string"),
            ("ErrorMessage", "string"),
            ("AttemptedValue", "object"),
            ("CustomState", "object"),
            ("Severity", "Severity"),
            ("ErrorCode", "string"),
            ("FormattedMessagePlaceholderValues", "IDictionary"),
        ],
        _ => return None,
    };
    Some(members)
}

/// The members of an enumeration of a library; empty where they are too many to tell.
pub(super) fn enumeration(name: &str) -> Option<Vec<Named>> {
    let values: &[(&str, i64)] = match name {
        "DayOfWeek" => &[
            ("Sunday", 0),
            ("Monday", 1),
            ("Tuesday", 2),
            ("Wednesday", 3),
            ("Thursday", 4),
            ("Friday", 5),
            ("Saturday", 6),
        ],
        "LogLevel" => &[
            ("Trace", 0),
            ("Debug", 1),
            ("Information", 2),
            ("Warning", 3),
            ("Error", 4),
            ("Critical", 5),
            ("None", 6),
        ],
        "DateTimeKind" => &[("Unspecified", 0), ("Utc", 1), ("Local", 2)],
        "ListSortDirection" => &[("Ascending", 0), ("Descending", 1)],
        "Severity" => &[("Error", 0), ("Warning", 1), ("Info", 2)],
        "HttpStatusCode" | "StringComparison" | "ConsoleColor" | "JsonValueKind" | "TaskStatus" | "EntityState"
        | "UriKind" => &[],
        _ => return None,
    };
    let named = |(name, value): &(&str, i64)| Named {
        name: (*name).to_owned(),
        given: Given::Nothing,
        number: Some(value.to_string()),
    };
    Some(values.iter().map(named).collect())
}

impl<'p> Schemas<'p> {
    /// The shape of a class or enumeration of a library whose members are known.
    pub(super) fn of_library(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        name: &str,
        args: &[Value<'p>],
        site: Option<Span>,
    ) -> Option<ShapeId> {
        if let Some(values) = enumeration(name) {
            let how = self.style().enums;
            let shape = self.enumerated(&values, how).named(name);
            return Some(self.table.add(shape));
        }
        let members = members_of(name)?;
        let fields = match self.library_fields(evaluator, members, args, site) {
            Ok(fields) => fields,
            Err(why) => return Some(self.unknown(why, site)),
        };
        let object = Kind::Object(Object { fields, additional: Additional::Open });
        Some(self.table.add(Shape::new(object).named(name)))
    }

    /// Members that a class of a library declares.
    pub(super) fn library_fields(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        members: &[(&'static str, &'static str)],
        args: &[Value<'p>],
        site: Option<Span>,
    ) -> Result<Vec<Field>, String> {
        let mut fields = Vec::with_capacity(members.len());
        for (name, written) in members {
            let plain = written.trim_end_matches('?');
            let ty = match plain {
                "TKey" => args.first().cloned().unwrap_or_else(|| Value::external("string")),
                other => match other.strip_suffix("[]") {
                    Some(items) => Value::applied(Value::external("[]"), vec![Value::external(items)]),
                    None => Value::external(other),
                },
            };
            let mut shape = self.shape(evaluator, &ty, site);
            let is_value = matches!(&ty, Value::External(path) if builtin::is_value_type(last(path)));
            let left_out = match self.style().ignore {
                Ignore::Never => false,
                Ignore::Null => plain != *written,
                Ignore::Default => plain != *written || is_value,
            };
            if plain != *written && !left_out {
                shape = self.or_null(shape);
            }
            let field = self.spelt(name, shape, None).ok_or("how names are spelt is not known")?;
            fields.push(Field { always: !left_out, ..field });
        }
        Ok(fields)
    }
}
