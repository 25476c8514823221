//! The members of NestJS' enumerations of numbers.

use crate::evaluate::last;
use crate::frameworks::statuses::HTTP_STATUS;

/// `HttpStatus.CREATED`, `VersioningType.URI`, `RequestMethod.GET`
pub(super) fn constant(path: &str, name: &str) -> Option<i64> {
    if !path.starts_with(super::COMMON) {
        return None;
    }
    let table = match last(path) {
        "HttpStatus" => HTTP_STATUS,
        "VersioningType" => VERSIONING_TYPE,
        "RequestMethod" => REQUEST_METHOD,
        _ => return None,
    };
    table.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
}

/// The name of a member of `RequestMethod`.
pub(super) fn request_method(number: i64) -> Option<&'static str> {
    REQUEST_METHOD.iter().find(|(_, known)| *known == number).map(|(name, _)| *name)
}

pub(super) const URI_VERSIONING: i64 = 0;

const VERSIONING_TYPE: &[(&str, i64)] = &[("URI", URI_VERSIONING), ("HEADER", 1), ("MEDIA_TYPE", 2), ("CUSTOM", 3)];

const REQUEST_METHOD: &[(&str, i64)] = &[
    ("GET", 0),
    ("POST", 1),
    ("PUT", 2),
    ("DELETE", 3),
    ("PATCH", 4),
    ("ALL", 5),
    ("OPTIONS", 6),
    ("HEAD", 7),
    ("SEARCH", 8),
];
