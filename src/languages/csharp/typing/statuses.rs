//! Names of status codes in .NET.

/// `StatusCodes.Status404NotFound`, `HttpStatusCode.NotFound`.
pub(in crate::languages::csharp) fn status_code(class: &str, name: &str) -> Option<u16> {
    match class {
        "StatusCodes" => {
            let rest = name.strip_prefix("Status")?;
            rest.get(..3)?.parse().ok()
        }
        "HttpStatusCode" => Some(match name {
            "Continue" => 100,
            "OK" => 200,
            "Created" => 201,
            "Accepted" => 202,
            "NonAuthoritativeInformation" => 203,
            "NoContent" => 204,
            "ResetContent" => 205,
            "PartialContent" => 206,
            "MultiStatus" => 207,
            "Moved" | "MovedPermanently" => 301,
            "Found" | "Redirect" => 302,
            "SeeOther" | "RedirectMethod" => 303,
            "NotModified" => 304,
            "TemporaryRedirect" | "RedirectKeepVerb" => 307,
            "PermanentRedirect" => 308,
            "BadRequest" => 400,
            "Unauthorized" => 401,
            "PaymentRequired" => 402,
            "Forbidden" => 403,
            "NotFound" => 404,
            "MethodNotAllowed" => 405,
            "NotAcceptable" => 406,
            "RequestTimeout" => 408,
            "Conflict" => 409,
            "Gone" => 410,
            "LengthRequired" => 411,
            "PreconditionFailed" => 412,
            "RequestEntityTooLarge" => 413,
            "UnsupportedMediaType" => 415,
            "ExpectationFailed" => 417,
            "MisdirectedRequest" => 421,
            "UnprocessableEntity" | "UnprocessableContent" => 422,
            "Locked" => 423,
            "FailedDependency" => 424,
            "UpgradeRequired" => 426,
            "PreconditionRequired" => 428,
            "TooManyRequests" => 429,
            "InternalServerError" => 500,
            "NotImplemented" => 501,
            "BadGateway" => 502,
            "ServiceUnavailable" => 503,
            "GatewayTimeout" => 504,
            _ => return None,
        }),
        _ => None,
    }
}
