//! What the objects of OpenAPI 3.0 to 3.2 may have: the tables of its specifications, read by [`crate::contracts::form`].

use super::rules::{
    callback, component_names, parameter, parameters, paths, requirements, responses, scheme, variable,
};
use crate::contracts::form::What::{self, Anything, Flag, List, Map, Members, Own, Schema, Text, Word};
use crate::contracts::form::{Object, later, may, must, must_until};

const TEXTS: What = List(&Text);
const TAGS: What = List(&What::Object(&TAG));
const DOCS: What = What::Object(&DOCUMENTATION);
const SERVERS: What = List(&What::Object(&SERVER));
const PARAMETERS: What = Own(parameters);
const EXAMPLES: What = Map(&What::Object(&EXAMPLE));
const CALLBACKS: What = Map(&Own(callback));
const SECURITY: What = Own(requirements);
const STYLE: What =
    Word(&["matrix", "label", "form", "simple", "spaceDelimited", "pipeDelimited", "deepObject", "cookie"]);

pub(super) static ROOT: Object = Object {
    name: "an OpenAPI document",
    refers: false,
    also: None,
    fields: &[
        must("openapi", Anything),
        later(2, "$self", Text),
        later(1, "jsonSchemaDialect", Text),
        // Whether it is there is looked at for every version at once.
        may("info", What::Object(&INFO)),
        may("servers", SERVERS),
        may("paths", Own(paths)),
        later(1, "webhooks", Map(&What::Object(&PATH_ITEM))),
        may("components", What::Object(&COMPONENTS)),
        may("security", SECURITY),
        may("tags", TAGS),
        may("externalDocs", DOCS),
    ],
};

static INFO: Object = Object {
    name: "`info`",
    refers: false,
    also: None,
    fields: &[
        must("title", Text),
        later(1, "summary", Text),
        may("description", Text),
        may("termsOfService", Text),
        may("contact", What::Object(&CONTACT)),
        may("license", What::Object(&LICENSE)),
        must("version", Text),
    ],
};

pub(super) static CONTACT: Object = Object {
    name: "a contact",
    refers: false,
    also: None,
    fields: &[may("name", Text), may("url", Text), may("email", Text)],
};

static LICENSE: Object = Object {
    name: "a license",
    refers: false,
    also: None,
    fields: &[must("name", Text), later(1, "identifier", Text), may("url", Text)],
};

static SERVER: Object = Object {
    name: "a server",
    refers: false,
    also: None,
    fields: &[
        must("url", Text),
        later(2, "name", Text),
        may("description", Text),
        may("variables", Map(&What::Object(&VARIABLE))),
    ],
};

static VARIABLE: Object = Object {
    name: "a server variable",
    refers: false,
    also: Some(variable),
    fields: &[may("enum", TEXTS), must("default", Text), may("description", Text)],
};

static TAG: Object = Object {
    name: "a tag",
    refers: false,
    also: None,
    fields: &[
        must("name", Text),
        later(2, "summary", Text),
        may("description", Text),
        may("externalDocs", DOCS),
        later(2, "parent", Text),
        later(2, "kind", Text),
    ],
};

pub(super) static DOCUMENTATION: Object = Object {
    name: "an external documentation",
    refers: false,
    also: None,
    fields: &[may("description", Text), must("url", Text)],
};

pub(super) static PATH_ITEM: Object = Object {
    name: "a path item",
    refers: true,
    also: None,
    fields: &[
        may("$ref", Text),
        may("summary", Text),
        may("description", Text),
        may("get", What::Object(&OPERATION)),
        may("put", What::Object(&OPERATION)),
        may("post", What::Object(&OPERATION)),
        may("delete", What::Object(&OPERATION)),
        may("options", What::Object(&OPERATION)),
        may("head", What::Object(&OPERATION)),
        may("patch", What::Object(&OPERATION)),
        may("trace", What::Object(&OPERATION)),
        later(2, "query", What::Object(&OPERATION)),
        later(2, "additionalOperations", Map(&What::Object(&OPERATION))),
        may("servers", SERVERS),
        may("parameters", PARAMETERS),
    ],
};

/// No version allows a reference in its place, but tools that join files follow it.
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
        may("parameters", PARAMETERS),
        may("requestBody", What::Object(&REQUEST_BODY)),
        must_until(0, "responses", Own(responses)),
        may("callbacks", CALLBACKS),
        may("deprecated", Flag),
        may("security", SECURITY),
        may("servers", SERVERS),
    ],
};

pub(super) static PARAMETER: Object = Object {
    name: "a parameter",
    refers: true,
    also: Some(parameter),
    fields: &[
        must("name", Text),
        must("in", Word(&["path", "query", "header", "cookie", "querystring"])),
        may("description", Text),
        may("required", Flag),
        may("deprecated", Flag),
        may("allowEmptyValue", Flag),
        may("style", STYLE),
        may("explode", Flag),
        may("allowReserved", Flag),
        may("schema", Schema),
        may("example", Anything),
        may("examples", EXAMPLES),
        may("content", Map(&What::Object(&MEDIA))),
    ],
};

static HEADER: Object = Object {
    name: "a header",
    refers: true,
    also: Some(parameter),
    fields: &[
        may("description", Text),
        may("required", Flag),
        may("deprecated", Flag),
        may("allowEmptyValue", Flag),
        may("style", STYLE),
        may("explode", Flag),
        may("allowReserved", Flag),
        may("schema", Schema),
        may("example", Anything),
        may("examples", EXAMPLES),
        may("content", Map(&What::Object(&MEDIA))),
    ],
};

static REQUEST_BODY: Object = Object {
    name: "a request body",
    refers: true,
    also: None,
    fields: &[may("description", Text), must("content", Map(&What::Object(&MEDIA))), may("required", Flag)],
};

static MEDIA: Object = Object {
    name: "a media type",
    refers: true,
    also: None,
    fields: &[
        may("schema", Schema),
        later(2, "itemSchema", Schema),
        may("example", Anything),
        may("examples", EXAMPLES),
        may("encoding", Map(&What::Object(&ENCODING))),
        later(2, "prefixEncoding", List(&What::Object(&ENCODING))),
        later(2, "itemEncoding", What::Object(&ENCODING)),
    ],
};

static ENCODING: Object = Object {
    name: "an encoding",
    refers: false,
    also: None,
    fields: &[
        may("contentType", Text),
        may("headers", Map(&What::Object(&HEADER))),
        may("style", STYLE),
        may("explode", Flag),
        may("allowReserved", Flag),
        later(2, "encoding", Map(&What::Object(&ENCODING))),
        later(2, "prefixEncoding", List(&What::Object(&ENCODING))),
        later(2, "itemEncoding", What::Object(&ENCODING)),
    ],
};

pub(super) static RESPONSE: Object = Object {
    name: "a response",
    refers: true,
    also: None,
    fields: &[
        later(2, "summary", Text),
        must_until(1, "description", Text),
        may("headers", Map(&What::Object(&HEADER))),
        may("content", Map(&What::Object(&MEDIA))),
        may("links", Map(&What::Object(&LINK))),
    ],
};

static EXAMPLE: Object = Object {
    name: "an example",
    refers: true,
    also: None,
    fields: &[
        may("summary", Text),
        may("description", Text),
        may("value", Anything),
        may("externalValue", Text),
        later(2, "dataValue", Anything),
        later(2, "serializedValue", Text),
    ],
};

static LINK: Object = Object {
    name: "a link",
    refers: true,
    also: None,
    fields: &[
        may("operationRef", Text),
        may("operationId", Text),
        may("parameters", Members),
        may("requestBody", Anything),
        may("description", Text),
        may("server", What::Object(&SERVER)),
    ],
};

static SECURITY_SCHEME: Object = Object {
    name: "a security scheme",
    refers: true,
    also: Some(scheme),
    fields: &[
        must("type", Word(&["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"])),
        may("description", Text),
        may("name", Text),
        may("in", Word(&["query", "header", "cookie"])),
        may("scheme", Text),
        may("bearerFormat", Text),
        may("flows", What::Object(&FLOWS)),
        may("openIdConnectUrl", Text),
        later(2, "oauth2MetadataUrl", Text),
        later(2, "deprecated", Flag),
    ],
};

static FLOWS: Object = Object {
    name: "`flows`",
    refers: false,
    also: None,
    fields: &[
        may("implicit", What::Object(&IMPLICIT)),
        may("password", What::Object(&TOKEN)),
        may("clientCredentials", What::Object(&TOKEN)),
        may("authorizationCode", What::Object(&CODE)),
        later(2, "deviceAuthorization", What::Object(&DEVICE)),
    ],
};

const SCOPES: What = Map(&Text);

static IMPLICIT: Object = Object {
    name: "an implicit flow",
    refers: false,
    also: None,
    fields: &[must("authorizationUrl", Text), may("refreshUrl", Text), must("scopes", SCOPES)],
};

static TOKEN: Object = Object {
    name: "a flow with a token",
    refers: false,
    also: None,
    fields: &[must("tokenUrl", Text), may("refreshUrl", Text), must("scopes", SCOPES)],
};

static CODE: Object = Object {
    name: "a flow with an authorization code",
    refers: false,
    also: None,
    fields: &[must("authorizationUrl", Text), must("tokenUrl", Text), may("refreshUrl", Text), must("scopes", SCOPES)],
};

static DEVICE: Object = Object {
    name: "a flow of a device",
    refers: false,
    also: None,
    fields: &[
        must("deviceAuthorizationUrl", Text),
        must("tokenUrl", Text),
        may("refreshUrl", Text),
        must("scopes", SCOPES),
    ],
};

static COMPONENTS: Object = Object {
    name: "`components`",
    refers: false,
    also: Some(component_names),
    fields: &[
        may("schemas", Map(&Schema)),
        may("responses", Map(&What::Object(&RESPONSE))),
        may("parameters", Map(&What::Object(&PARAMETER))),
        may("examples", EXAMPLES),
        may("requestBodies", Map(&What::Object(&REQUEST_BODY))),
        may("headers", Map(&What::Object(&HEADER))),
        may("securitySchemes", Map(&What::Object(&SECURITY_SCHEME))),
        may("links", Map(&What::Object(&LINK))),
        may("callbacks", CALLBACKS),
        later(1, "pathItems", Map(&What::Object(&PATH_ITEM))),
        later(2, "mediaTypes", Map(&What::Object(&MEDIA))),
    ],
};
