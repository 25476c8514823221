//! Results of ASP.NET by name: the helper methods of controllers, `Results` and `TypedResults`, and result classes.

use super::answers::Body;
use super::generics::named;
use super::kinds;
use crate::evaluate::{Value, last};

/// What a helper method answers.
pub(super) struct Helper {
    pub(super) status: Status,
    pub(super) body: Given,
}

#[derive(Clone, Copy)]
pub(super) enum Status {
    Is(u16),
    /// In an argument of a name, else at a position; the default where there is none.
    Argument(&'static str, usize, Option<u16>),
}

/// Where the body is among the arguments.
#[derive(Clone, Copy)]
pub(super) enum Given {
    Nothing,
    /// By name, else at a position; nothing where it is left out.
    Argument(&'static str, usize),
    /// The last of at least so many.
    Last(usize),
    /// The only one, unless it is an address; the second of two.
    AfterAddress,
    Problem,
    ValidationProblem,
    /// Text with a content type at this position.
    Text(usize),
    NotJson(&'static str),
}

/// A helper by its name. `typed`: of `TypedResults`, where some arguments stand in another order.
pub(super) fn helper(name: &str, typed: bool) -> Option<Helper> {
    use Given::{AfterAddress, Argument, Last, NotJson, Nothing, Problem, Text, ValidationProblem};
    use Status::Is;
    let (status, body) = match name {
        "Ok" => (Is(200), Argument("value", 0)),
        "Created" => (Is(201), Argument("value", 1)),
        "CreatedAtAction" => (Is(201), Last(2)),
        "CreatedAtRoute" if typed => (Is(201), Argument("value", 0)),
        "CreatedAtRoute" => (Is(201), Last(2)),
        "Accepted" => (Is(202), AfterAddress),
        "AcceptedAtRoute" if typed => (Is(202), Argument("value", 0)),
        "AcceptedAtAction" | "AcceptedAtRoute" => (Is(202), Last(2)),
        "NoContent" => (Is(204), Nothing),
        "BadRequest" => (Is(400), Argument("error", 0)),
        "Unauthorized" => (Is(401), Argument("value", 0)),
        "Challenge" => (Is(401), Nothing),
        "Forbid" => (Is(403), Nothing),
        "NotFound" => (Is(404), Argument("value", 0)),
        "Conflict" => (Is(409), Argument("error", 0)),
        "UnprocessableEntity" => (Is(422), Argument("error", 0)),
        "InternalServerError" => (Is(500), Argument("error", 0)),
        "StatusCode" => (Status::Argument("statusCode", 0, None), Argument("value", 1)),
        "Json" => (Status::Argument("statusCode", 3, Some(200)), Argument("data", 0)),
        "Problem" => (Status::Argument("statusCode", 2, Some(500)), Problem),
        "ValidationProblem" => (Status::Argument("statusCode", 2, Some(400)), ValidationProblem),
        "Content" | "Text" => (Status::Argument("statusCode", 3, Some(200)), Text(1)),
        "File" | "PhysicalFile" | "VirtualFile" | "Stream" | "Bytes" => (Is(200), NotJson("file")),
        "ServerSentEvents" => (Is(200), NotJson("stream of events")),
        "View" | "PartialView" | "ViewComponent" | "Page" | "RazorSlice" => (Is(200), NotJson("page")),
        "Empty" | "SignIn" | "SignOut" => (Is(200), Nothing),
        "Redirect" | "LocalRedirect" | "RedirectToAction" | "RedirectToRoute" | "RedirectToPage" => (Is(302), Nothing),
        "RedirectPermanent"
        | "LocalRedirectPermanent"
        | "RedirectToActionPermanent"
        | "RedirectToRoutePermanent"
        | "RedirectToPagePermanent" => (Is(301), Nothing),
        "RedirectPreserveMethod"
        | "LocalRedirectPreserveMethod"
        | "RedirectToActionPreserveMethod"
        | "RedirectToRoutePreserveMethod" => (Is(307), Nothing),
        "RedirectPermanentPreserveMethod" | "LocalRedirectPermanentPreserveMethod" => (Is(308), Nothing),
        _ => return None,
    };
    Some(Helper { status, body })
}

/// A result class that is made with `new`.
pub(super) fn result_class(name: &str) -> Option<Helper> {
    use Given::{Argument, Last, NotJson, Nothing, Text};
    use Status::Is;
    let (status, body) = match name {
        "ObjectResult" | "JsonResult" => (Status::Argument("StatusCode", usize::MAX, Some(200)), Argument("value", 0)),
        "OkObjectResult" => (Is(200), Argument("value", 0)),
        "BadRequestObjectResult" => (Is(400), Argument("error", 0)),
        "UnauthorizedObjectResult" => (Is(401), Argument("value", 0)),
        "NotFoundObjectResult" => (Is(404), Argument("value", 0)),
        "ConflictObjectResult" => (Is(409), Argument("error", 0)),
        "UnprocessableEntityObjectResult" => (Is(422), Argument("error", 0)),
        "CreatedResult" => (Is(201), Argument("value", 1)),
        "CreatedAtActionResult" | "CreatedAtRouteResult" => (Is(201), Last(2)),
        "AcceptedResult" => (Is(202), Given::AfterAddress),
        "AcceptedAtActionResult" | "AcceptedAtRouteResult" => (Is(202), Last(2)),
        "StatusCodeResult" => (Status::Argument("statusCode", 0, None), Nothing),
        "ContentResult" => (Status::Argument("StatusCode", usize::MAX, Some(200)), Text(usize::MAX)),
        "FileStreamResult" | "FileContentResult" | "PhysicalFileResult" | "VirtualFileResult" => {
            (Is(200), NotJson("file"))
        }
        "ViewResult" | "PartialViewResult" | "PageResult" => (Is(200), NotJson("page")),
        "RedirectResult"
        | "LocalRedirectResult"
        | "RedirectToActionResult"
        | "RedirectToRouteResult"
        | "RedirectToPageResult" => (Is(302), Nothing),
        name => {
            let (status, body) = of_class(name, &[])?;
            match body {
                Body::Nothing => (Is(status?), Nothing),
                _ => return None,
            }
        }
    };
    Some(Helper { status, body })
}

/// What a result's type says by itself: status, where it is known, and body.
pub(super) fn of_type<'p>(ty: &Value<'p>) -> Option<(Option<u16>, Body<'p>)> {
    match ty {
        Value::External(path) => of_class(last(path), &[]),
        Value::Applied(base, args) => of_class(last(base.as_external()?), args),
        _ => None,
    }
}

fn of_class<'p>(name: &str, args: &[Value<'p>]) -> Option<(Option<u16>, Body<'p>)> {
    let given = || args.first().map_or(Body::Nothing, |ty| Body::Type(ty.clone()));
    Some(match name {
        "Ok" => (Some(200), given()),
        "Created" | "CreatedAtRoute" => (Some(201), given()),
        "Accepted" | "AcceptedAtRoute" => (Some(202), given()),
        "BadRequest" => (Some(400), given()),
        "NotFound" => (Some(404), given()),
        "Conflict" => (Some(409), given()),
        "UnprocessableEntity" => (Some(422), given()),
        "InternalServerError" => (Some(500), given()),
        "JsonHttpResult" => (None, given()),
        "ProblemHttpResult" => (None, Body::Type(named("ProblemDetails"))),
        "ValidationProblem" => (Some(400), Body::Type(named("ValidationProblemDetails"))),
        "OkResult" | "EmptyResult" | "EmptyHttpResult" => (Some(200), Body::Nothing),
        "CreatedResult" => (Some(201), Body::Nothing),
        "NoContent" | "NoContentResult" => (Some(204), Body::Nothing),
        "BadRequestResult" => (Some(400), Body::Nothing),
        "UnauthorizedResult" | "UnauthorizedHttpResult" | "ChallengeResult" | "ChallengeHttpResult" => {
            (Some(401), Body::Nothing)
        }
        "ForbidResult" | "ForbidHttpResult" => (Some(403), Body::Nothing),
        "NotFoundResult" => (Some(404), Body::Nothing),
        "ConflictResult" => (Some(409), Body::Nothing),
        "UnsupportedMediaTypeResult" => (Some(415), Body::Nothing),
        "UnprocessableEntityResult" => (Some(422), Body::Nothing),
        "StatusCodeHttpResult" => (None, Body::Nothing),
        "RedirectHttpResult" | "RedirectToRouteHttpResult" => (Some(302), Body::Nothing),
        "FileStreamHttpResult"
        | "FileContentHttpResult"
        | "PhysicalFileHttpResult"
        | "VirtualFileHttpResult"
        | "PushStreamHttpResult"
        | "FileResult"
        | "FileStreamResult"
        | "FileContentResult"
        | "PhysicalFileResult"
        | "VirtualFileResult" => (Some(200), Body::NotJson("file")),
        "ContentHttpResult" | "Utf8ContentHttpResult" => (None, Body::NotJson("text")),
        "ServerSentEventsResult" => (Some(200), Body::NotJson("stream of events")),
        "ViewResult" | "PartialViewResult" | "ViewComponentResult" | "PageResult" | "RazorComponentResult" => {
            (Some(200), Body::NotJson("page"))
        }
        _ => return None,
    })
}

/// Whether a type that is not known is a result by its name.
pub(super) fn is_foreign(ty: &Value<'_>) -> bool {
    let name = match ty {
        Value::External(path) => Some(last(path)),
        Value::Applied(base, _) => base.as_external().map(last),
        _ => None,
    };
    name.is_some_and(|name| name.ends_with("Result")) && of_type(ty).is_none()
}

/// Whether a type says nothing of what is answered, but that something is.
pub(super) fn is_open(ty: &Value<'_>) -> bool {
    const OPEN: &[&str] = &[
        "IActionResult",
        "ActionResult",
        "IResult",
        "ObjectResult",
        "JsonResult",
        "OkObjectResult",
        "BadRequestObjectResult",
        "NotFoundObjectResult",
        "StatusCodeResult",
        "CreatedAtActionResult",
        "CreatedAtRouteResult",
        "ContentResult",
        "IStatusCodeActionResult",
        "IConvertToActionResult",
        "object",
        "dynamic",
    ];
    OPEN.iter().any(|name| kinds::is(ty, name))
}
