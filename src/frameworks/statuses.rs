//! Packages that give names to status codes: `StatusCodes.CREATED`.

use crate::evaluate::Library;

/// Names of status codes, whichever package they come from.
pub(super) static STATUSES: Library = Library { name: "statuses", constant, ..Library::NONE };

const PACKAGES: &[&str] = &["http-status-codes", "http-status", "stoker/http-status-codes", "http2"];

fn constant(path: &str, name: &str) -> Option<i64> {
    let package = path.split('.').next().unwrap_or(path);
    if !PACKAGES.contains(&package) {
        return None;
    }
    let name = name.strip_prefix("HTTP_STATUS_").unwrap_or(name);
    HTTP_STATUS.iter().chain(FURTHER).find(|(known, _)| *known == name).map(|(_, code)| *code)
}

/// Names that only some packages have.
const FURTHER: &[(&str, i64)] = &[
    ("EARLY_HINTS", 103),
    ("NON_AUTHORITATIVE", 203),
    ("IM_USED", 226),
    ("MULTIPLE_CHOICES", 300),
    ("MOVED_TEMPORARILY", 302),
    ("REQUEST_TOO_LONG", 413),
    ("REQUEST_URI_TOO_LONG", 414),
    ("TEAPOT", 418),
    ("IM_A_TEAPOT", 418),
    ("UPGRADE_REQUIRED", 426),
    ("REQUEST_HEADER_FIELDS_TOO_LARGE", 431),
    ("UNAVAILABLE_FOR_LEGAL_REASONS", 451),
    ("NETWORK_AUTHENTICATION_REQUIRED", 511),
];

/// As NestJS has them, which are the names of nearly all.
pub(super) const HTTP_STATUS: &[(&str, i64)] = &[
    ("CONTINUE", 100),
    ("SWITCHING_PROTOCOLS", 101),
    ("PROCESSING", 102),
    ("EARLYHINTS", 103),
    ("OK", 200),
    ("CREATED", 201),
    ("ACCEPTED", 202),
    ("NON_AUTHORITATIVE_INFORMATION", 203),
    ("NO_CONTENT", 204),
    ("RESET_CONTENT", 205),
    ("PARTIAL_CONTENT", 206),
    ("MULTI_STATUS", 207),
    ("ALREADY_REPORTED", 208),
    ("CONTENT_DIFFERENT", 210),
    ("AMBIGUOUS", 300),
    ("MOVED_PERMANENTLY", 301),
    ("FOUND", 302),
    ("SEE_OTHER", 303),
    ("NOT_MODIFIED", 304),
    ("TEMPORARY_REDIRECT", 307),
    ("PERMANENT_REDIRECT", 308),
    ("BAD_REQUEST", 400),
    ("UNAUTHORIZED", 401),
    ("PAYMENT_REQUIRED", 402),
    ("FORBIDDEN", 403),
    ("NOT_FOUND", 404),
    ("METHOD_NOT_ALLOWED", 405),
    ("NOT_ACCEPTABLE", 406),
    ("PROXY_AUTHENTICATION_REQUIRED", 407),
    ("REQUEST_TIMEOUT", 408),
    ("CONFLICT", 409),
    ("GONE", 410),
    ("LENGTH_REQUIRED", 411),
    ("PRECONDITION_FAILED", 412),
    ("PAYLOAD_TOO_LARGE", 413),
    ("URI_TOO_LONG", 414),
    ("UNSUPPORTED_MEDIA_TYPE", 415),
    ("REQUESTED_RANGE_NOT_SATISFIABLE", 416),
    ("EXPECTATION_FAILED", 417),
    ("I_AM_A_TEAPOT", 418),
    ("MISDIRECTED", 421),
    ("UNPROCESSABLE_ENTITY", 422),
    ("LOCKED", 423),
    ("FAILED_DEPENDENCY", 424),
    ("PRECONDITION_REQUIRED", 428),
    ("TOO_MANY_REQUESTS", 429),
    ("UNRECOVERABLE_ERROR", 456),
    ("INTERNAL_SERVER_ERROR", 500),
    ("NOT_IMPLEMENTED", 501),
    ("BAD_GATEWAY", 502),
    ("SERVICE_UNAVAILABLE", 503),
    ("GATEWAY_TIMEOUT", 504),
    ("HTTP_VERSION_NOT_SUPPORTED", 505),
    ("INSUFFICIENT_STORAGE", 507),
    ("LOOP_DETECTED", 508),
];
