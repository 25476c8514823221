//! What the objects of OpenAPI 2.0 may have, which was called Swagger.

use super::objects::{CONTACT, DOCUMENTATION};
use super::rules::{older_parameter, older_scheme, parameters, paths, requirements, responses};
use crate::contracts::form::What::{self, Anything, Flag, List, Map, Members, Own, Schema, Text, Word};
use crate::contracts::form::{Field, Object, may, must};

const TEXTS: What = List(&Text);
const DOCS: What = What::Object(&DOCUMENTATION);
const PARAMETERS: What = Own(parameters);
const SECURITY: What = Own(requirements);
const SCHEMES: What = List(&Word(&["http", "https", "ws", "wss"]));
const COLLECTION: What = Word(&["csv", "ssv", "tsv", "pipes", "multi"]);

pub(super) static ROOT: Object = Object {
    name: "a Swagger document",
    refers: false,
    also: None,
    fields: &[
        must("swagger", Anything),
        // Whether these are there is looked at for every version at once.
        may("info", What::Object(&INFO)),
        may("paths", Own(paths)),
        may("host", Text),
        may("basePath", Text),
        may("schemes", SCHEMES),
        may("consumes", TEXTS),
        may("produces", TEXTS),
        may("definitions", Map(&Schema)),
        may("parameters", Map(&What::Object(&PARAMETER))),
        may("responses", Map(&What::Object(&RESPONSE))),
        may("securityDefinitions", Map(&What::Object(&SECURITY_SCHEME))),
        may("security", SECURITY),
        may("tags", List(&What::Object(&TAG))),
        may("externalDocs", DOCS),
    ],
};

static INFO: Object = Object {
    name: "`info`",
    refers: false,
    also: None,
    fields: &[
        must("title", Text),
        may("description", Text),
        may("termsOfService", Text),
        may("contact", What::Object(&CONTACT)),
        may("license", What::Object(&LICENSE)),
        must("version", Text),
    ],
};

static LICENSE: Object =
    Object { name: "a license", refers: false, also: None, fields: &[must("name", Text), may("url", Text)] };

static TAG: Object = Object {
    name: "a tag",
    refers: false,
    also: None,
    fields: &[must("name", Text), may("description", Text), may("externalDocs", DOCS)],
};

pub(super) static PATH_ITEM: Object = Object {
    name: "a path item",
    refers: true,
    also: None,
    fields: &[
        may("$ref", Text),
        may("get", What::Object(&OPERATION)),
        may("put", What::Object(&OPERATION)),
        may("post", What::Object(&OPERATION)),
        may("delete", What::Object(&OPERATION)),
        may("options", What::Object(&OPERATION)),
        may("head", What::Object(&OPERATION)),
        may("patch", What::Object(&OPERATION)),
        may("parameters", PARAMETERS),
    ],
};

static OPERATION: Object = Object {
    name: "an operation",
    refers: true,
    also: None,
    fields: &[
        may("tags", TEXTS),
        may("summary", Text),
        may("description", Text),
        may("externalDocs", DOCS),
        may("operationId", Text),
        may("consumes", TEXTS),
        may("produces", TEXTS),
        may("parameters", PARAMETERS),
        must("responses", Own(responses)),
        may("schemes", SCHEMES),
        may("deprecated", Flag),
        may("security", SECURITY),
    ],
};

/// What parameters and headers of 2.0 have in place of a schema, with what parameters have besides.
macro_rules! value_fields {
    ($($field:expr),*) => {{
        const FIELDS: &[Field] = &[
            $($field,)*
            may("description", Text),
            may("type", Word(&["string", "number", "integer", "boolean", "array", "file"])),
            may("format", Text),
            may("items", Own(super::rules::older_items)),
            may("collectionFormat", COLLECTION),
            may("default", Anything),
            may("enum", List(&Anything)),
            may("maximum", Anything),
            may("exclusiveMaximum", Flag),
            may("minimum", Anything),
            may("exclusiveMinimum", Flag),
            may("maxLength", Anything),
            may("minLength", Anything),
            may("pattern", Text),
            may("maxItems", Anything),
            may("minItems", Anything),
            may("uniqueItems", Flag),
            may("multipleOf", Anything),
        ];
        FIELDS
    }};
}

pub(super) static PARAMETER: Object = Object {
    name: "a parameter",
    refers: true,
    also: Some(older_parameter),
    fields: value_fields![
        must("name", Text),
        must("in", Word(&["path", "query", "header", "body", "formData"])),
        may("required", Flag),
        may("schema", Schema),
        may("allowEmptyValue", Flag)
    ],
};

static HEADER: Object =
    Object { name: "a header", refers: false, also: Some(super::rules::older_value), fields: value_fields![] };

pub(super) static RESPONSE: Object = Object {
    name: "a response",
    refers: true,
    also: None,
    fields: &[
        must("description", Text),
        may("schema", Schema),
        may("headers", Map(&What::Object(&HEADER))),
        may("examples", Members),
    ],
};

static SECURITY_SCHEME: Object = Object {
    name: "a security scheme",
    refers: false,
    also: Some(older_scheme),
    fields: &[
        must("type", Word(&["basic", "apiKey", "oauth2"])),
        may("description", Text),
        may("name", Text),
        may("in", Word(&["query", "header"])),
        may("flow", Word(&["implicit", "password", "application", "accessCode"])),
        may("authorizationUrl", Text),
        may("tokenUrl", Text),
        may("scopes", Map(&Text)),
    ],
};
