//! Services of libraries that hand out the program's own types: mediators, mappers, user managers, repositories.

use super::super::calls::Call;
use super::super::generics::{generic, named};
use super::super::{Place, Typer};
use super::kinds::{self, plain};
use crate::evaluate::Value;

/// Interfaces of a request that say what is answered.
const REQUESTS: &[&str] = &["IRequest", "IQuery", "ICommand", "IStreamRequest", "Request", "IStreamQuery"];

impl<'p> Typer<'_, 'p> {
    /// What a method of a library's service gives.
    pub(super) fn service_call(
        &mut self,
        ty: &Value<'p>,
        name: &str,
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Option<Value<'p>> {
        let (path, args): (&str, &[Value<'p>]) = match ty {
            Value::External(path) => (path, &[]),
            Value::Applied(base, args) => (base.as_external()?, args),
            _ => return None,
        };
        let task = |ty: Value<'p>| generic("Task", vec![ty]);
        match (plain(path), args) {
            ("IMediator" | "ISender" | "Mediator" | "IScopedMediator", _) => match name {
                "Send" | "SendAsync" | "Query" | "QueryAsync" => {
                    let request = self.type_of(call.arg(0)?, place);
                    self.answer_of_request(&request).map(task)
                }
                "CreateStream" => {
                    let request = self.type_of(call.arg(0)?, place);
                    self.answer_of_request(&request).map(|item| generic("IAsyncEnumerable", vec![item]))
                }
                "Publish" | "PublishAsync" => Some(named("Task")),
                _ => None,
            },
            ("IMapper" | "Mapper" | "IRuntimeMapper" | "IObjectMapper", _) => match (name, call.types, call.args.len())
            {
                ("Map", [wanted] | [_, wanted], _) => Some(self.written(wanted, place)),
                // Onto an object that is there.
                ("Map", [], 2) => Some(self.type_of(call.arg(1)?, place)),
                ("ProjectTo", [wanted], _) => {
                    let wanted = self.written(wanted, place);
                    Some(generic("IQueryable", vec![wanted]))
                }
                _ => None,
            },
            ("UserManager" | "RoleManager", [user, ..]) => Some(match name {
                "FindByIdAsync" | "FindByNameAsync" | "FindByEmailAsync" | "GetUserAsync" | "FindByLoginAsync" => {
                    task(user.clone())
                }
                "GetUsersInRoleAsync" | "GetUsersForClaimAsync" => task(generic("IList", vec![user.clone()])),
                "GetRolesAsync" => task(generic("IList", vec![named("string")])),
                "GetClaimsAsync" => task(generic("IList", vec![named("Claim")])),
                "CheckPasswordAsync"
                | "IsInRoleAsync"
                | "IsEmailConfirmedAsync"
                | "RoleExistsAsync"
                | "IsLockedOutAsync"
                | "GetTwoFactorEnabledAsync"
                | "HasPasswordAsync"
                | "VerifyUserTokenAsync" => task(named("bool")),
                "GetUserId" | "GetUserName" => named("string"),
                "GetUserIdAsync" | "GetUserNameAsync" | "GetEmailAsync" | "GetPhoneNumberAsync" => {
                    task(named("string"))
                }
                _ if name.starts_with("Generate") && name.ends_with("Async") => task(named("string")),
                _ if name.ends_with("Async")
                    && [
                        "Create",
                        "Update",
                        "Delete",
                        "AddTo",
                        "RemoveFrom",
                        "Change",
                        "Reset",
                        "Confirm",
                        "Set",
                        "Add",
                        "Remove",
                    ]
                    .iter()
                    .any(|verb| name.starts_with(verb)) =>
                {
                    task(named("IdentityResult"))
                }
                _ => return None,
            }),
            ("SignInManager", [user, ..]) => Some(match name {
                "GetTwoFactorAuthenticationUserAsync" | "ValidateSecurityStampAsync" => task(user.clone()),
                _ if name.ends_with("SignInAsync") => task(named("SignInResult")),
                _ => return None,
            }),
            // Repositories of Ardalis.Specification.
            (
                "IRepositoryBase" | "IReadRepositoryBase" | "RepositoryBase" | "IRepository" | "IReadRepository",
                [item],
            ) => self.repository_call(item, name, call, place),
            _ => None,
        }
    }

    fn repository_call(
        &mut self,
        item: &Value<'p>,
        name: &str,
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Option<Value<'p>> {
        let task = |ty: Value<'p>| generic("Task", vec![ty]);
        // A specification may say that what is found is made into something else.
        let projected = |typer: &mut Self| {
            let given = typer.type_of(call.arg(0)?, place);
            let names = ["Specification", "ISpecification", "SingleResultSpecification", "ISingleResultSpecification"];
            names
                .iter()
                .find_map(|name| typer.as_base(&given, &Value::external(*name)).filter(|args| args.len() == 2)?.pop())
        };
        Some(match name {
            "ListAsync" => {
                let item = projected(self).unwrap_or_else(|| item.clone());
                task(generic("List", vec![item]))
            }
            "GetByIdAsync" | "AddAsync" => task(item.clone()),
            "FirstOrDefaultAsync" | "SingleOrDefaultAsync" | "GetBySpecAsync" => {
                let item = projected(self).unwrap_or_else(|| item.clone());
                task(item)
            }
            "CountAsync" | "SaveChangesAsync" => task(named("int")),
            "AnyAsync" => task(named("bool")),
            _ => return None,
        })
    }

    /// What a mediator answers to a request: the `T` of the `IRequest<T>` that its class implements.
    pub(super) fn answer_of_request(&mut self, request: &Value<'p>) -> Option<Value<'p>> {
        for above in self.supertypes(request) {
            match &above {
                Value::Applied(base, args) if REQUESTS.iter().any(|name| kinds::is(base, name)) => {
                    if let [answer] = &**args {
                        return Some(answer.clone());
                    }
                }
                Value::External(_) if REQUESTS.iter().any(|name| kinds::is(&above, name)) => {
                    return Some(named("void"));
                }
                _ => {}
            }
        }
        None
    }
}
