//! What the objects of AsyncAPI may have: the tables of specifications 2.0 to 2.6 and 3.x, read by [`super::form`].

use super::form::{described_payload, message, messages};
use crate::contracts::form::What::{self, Anything, List, Map, Members, Schema, Text, TextOrNull, Word};
use crate::contracts::form::{Object, later, may, must};

/// A schema in the language that is stated with it.
const PAYLOAD: What = What::Own(described_payload);
/// One message, or in version 2 `oneOf` several.
const MESSAGES: What = What::Own(messages);
const TEXTS: What = List(&Text);
const TAGS: What = List(&What::Object(&TAG));
const DOCS: What = What::Object(&DOCUMENTATION);

static TAG: Object = Object {
    name: "a tag",
    refers: true,
    also: None,
    fields: &[must("name", Text), may("description", Text), may("externalDocs", DOCS)],
};

static DOCUMENTATION: Object = Object {
    name: "an external documentation",
    refers: true,
    also: None,
    fields: &[may("description", Text), must("url", Text)],
};

static CONTACT: Object = Object {
    name: "a contact",
    refers: false,
    also: None,
    fields: &[may("name", Text), may("url", Text), may("email", Text)],
};

static LICENSE: Object =
    Object { name: "a license", refers: false, also: None, fields: &[must("name", Text), may("url", Text)] };

static VARIABLE: Object = Object {
    name: "a server variable",
    refers: true,
    also: None,
    fields: &[may("enum", TEXTS), may("default", Text), may("description", Text), may("examples", TEXTS)],
};

static CORRELATION: Object = Object {
    name: "a correlation id",
    refers: true,
    also: None,
    fields: &[may("description", Text), must("location", Text)],
};

static EXAMPLE: Object = Object {
    name: "an example of a message",
    refers: false,
    also: None,
    fields: &[may("headers", Anything), may("payload", Anything), may("name", Text), may("summary", Text)],
};

static FLOW: Object = Object {
    name: "a flow of OAuth",
    refers: false,
    also: None,
    fields: &[
        may("authorizationUrl", Text),
        may("tokenUrl", Text),
        may("refreshUrl", Text),
        may("scopes", Members),
        may("availableScopes", Members),
    ],
};

static FLOWS: Object = Object {
    name: "`flows`",
    refers: false,
    also: None,
    fields: &[
        may("implicit", What::Object(&FLOW)),
        may("password", What::Object(&FLOW)),
        may("clientCredentials", What::Object(&FLOW)),
        may("authorizationCode", What::Object(&FLOW)),
    ],
};

static SECURITY_SCHEME: Object = Object {
    name: "a security scheme",
    refers: true,
    also: None,
    fields: &[
        must(
            "type",
            Word(&[
                "userPassword",
                "apiKey",
                "X509",
                "symmetricEncryption",
                "asymmetricEncryption",
                "httpApiKey",
                "http",
                "oauth2",
                "openIdConnect",
                "plain",
                "scramSha256",
                "scramSha512",
                "gssapi",
            ]),
        ),
        may("description", Text),
        may("name", Text),
        may("in", Word(&["user", "password", "query", "header", "cookie"])),
        may("scheme", Text),
        may("bearerFormat", Text),
        may("flows", What::Object(&FLOWS)),
        may("openIdConnectUrl", Text),
        may("scopes", TEXTS),
    ],
};

/// AsyncAPI 2.0 to 2.6.
pub(super) static ROOT_2: Object = Object {
    name: "an AsyncAPI document",
    refers: false,
    also: None,
    fields: &[
        must("asyncapi", Text),
        may("id", Text),
        must("info", What::Object(&INFO_2)),
        may("servers", Map(&What::Object(&SERVER_2))),
        may("defaultContentType", Text),
        must("channels", Map(&What::Object(&CHANNEL_2))),
        may("components", What::Object(&COMPONENTS_2)),
        may("tags", TAGS),
        may("externalDocs", DOCS),
    ],
};

static INFO_2: Object = Object {
    name: "`info`",
    refers: false,
    also: None,
    fields: &[
        must("title", Text),
        must("version", Text),
        may("description", Text),
        may("termsOfService", Text),
        may("contact", What::Object(&CONTACT)),
        may("license", What::Object(&LICENSE)),
    ],
};

static SERVER_2: Object = Object {
    name: "a server",
    refers: true,
    also: None,
    fields: &[
        must("url", Text),
        must("protocol", Text),
        may("protocolVersion", Text),
        may("description", Text),
        may("variables", Map(&What::Object(&VARIABLE))),
        may("security", List(&Members)),
        later(5, "tags", TAGS),
        may("bindings", Members),
    ],
};

static CHANNEL_2: Object = Object {
    name: "a channel",
    refers: true,
    also: None,
    fields: &[
        may("description", Text),
        later(2, "servers", TEXTS),
        may("subscribe", What::Object(&OPERATION_2)),
        may("publish", What::Object(&OPERATION_2)),
        may("parameters", Map(&What::Object(&PARAMETER_2))),
        may("bindings", Members),
    ],
};

static OPERATION_2: Object = Object {
    name: "an operation",
    refers: true,
    also: None,
    fields: &[
        may("operationId", Text),
        may("summary", Text),
        may("description", Text),
        later(4, "security", List(&Members)),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
        may("traits", List(&What::Object(&OPERATION_TRAIT_2))),
        may("message", MESSAGES),
    ],
};

static OPERATION_TRAIT_2: Object = Object {
    name: "an operation trait",
    refers: true,
    also: None,
    fields: &[
        may("operationId", Text),
        may("summary", Text),
        may("description", Text),
        later(4, "security", List(&Members)),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
    ],
};

static PARAMETER_2: Object = Object {
    name: "a channel parameter",
    refers: true,
    also: None,
    fields: &[may("description", Text), may("schema", Schema), may("location", Text)],
};

pub(super) static MESSAGE_2: Object = Object {
    name: "a message",
    refers: true,
    also: Some(message),
    fields: &[
        later(4, "messageId", Text),
        may("headers", Schema),
        may("payload", Anything),
        may("correlationId", What::Object(&CORRELATION)),
        may("schemaFormat", Text),
        may("contentType", Text),
        may("name", Text),
        may("title", Text),
        may("summary", Text),
        may("description", Text),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
        may("examples", List(&What::Object(&EXAMPLE))),
        may("traits", List(&What::Object(&MESSAGE_TRAIT_2))),
    ],
};

static MESSAGE_TRAIT_2: Object = Object {
    name: "a message trait",
    refers: true,
    also: None,
    fields: &[
        later(4, "messageId", Text),
        may("headers", Schema),
        may("correlationId", What::Object(&CORRELATION)),
        may("schemaFormat", Text),
        may("contentType", Text),
        may("name", Text),
        may("title", Text),
        may("summary", Text),
        may("description", Text),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
        may("examples", List(&What::Object(&EXAMPLE))),
    ],
};

static COMPONENTS_2: Object = Object {
    name: "`components`",
    refers: false,
    also: None,
    fields: &[
        may("schemas", Map(&Schema)),
        later(3, "servers", Map(&What::Object(&SERVER_2))),
        later(4, "serverVariables", Map(&What::Object(&VARIABLE))),
        later(3, "channels", Map(&What::Object(&CHANNEL_2))),
        may("messages", Map(&What::Object(&MESSAGE_2))),
        may("securitySchemes", Map(&What::Object(&SECURITY_SCHEME))),
        may("parameters", Map(&What::Object(&PARAMETER_2))),
        may("correlationIds", Map(&What::Object(&CORRELATION))),
        may("operationTraits", Map(&What::Object(&OPERATION_TRAIT_2))),
        may("messageTraits", Map(&What::Object(&MESSAGE_TRAIT_2))),
        may("serverBindings", Map(&Members)),
        may("channelBindings", Map(&Members)),
        may("operationBindings", Map(&Members)),
        may("messageBindings", Map(&Members)),
    ],
};

/// AsyncAPI 3.x.
pub(super) static ROOT_3: Object = Object {
    name: "an AsyncAPI document",
    refers: false,
    also: None,
    fields: &[
        must("asyncapi", Text),
        may("id", Text),
        must("info", What::Object(&INFO_3)),
        may("servers", Map(&What::Object(&SERVER_3))),
        may("defaultContentType", Text),
        may("channels", Map(&What::Object(&CHANNEL_3))),
        may("operations", Map(&What::Object(&OPERATION_3))),
        may("components", What::Object(&COMPONENTS_3)),
    ],
};

static INFO_3: Object = Object {
    name: "`info`",
    refers: false,
    also: None,
    fields: &[
        must("title", Text),
        must("version", Text),
        may("description", Text),
        may("termsOfService", Text),
        may("contact", What::Object(&CONTACT)),
        may("license", What::Object(&LICENSE)),
        may("tags", TAGS),
        may("externalDocs", DOCS),
    ],
};

static SERVER_3: Object = Object {
    name: "a server",
    refers: true,
    also: None,
    fields: &[
        must("host", Text),
        must("protocol", Text),
        may("protocolVersion", Text),
        may("pathname", Text),
        may("title", Text),
        may("summary", Text),
        may("description", Text),
        may("variables", Map(&What::Object(&VARIABLE))),
        may("security", List(&What::Object(&SECURITY_SCHEME))),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
    ],
};

static CHANNEL_3: Object = Object {
    name: "a channel",
    refers: true,
    also: None,
    fields: &[
        may("address", TextOrNull),
        may("messages", Map(&What::Object(&MESSAGE_3))),
        may("title", Text),
        may("summary", Text),
        may("description", Text),
        may("servers", List(&What::Object(&SERVER_3))),
        may("parameters", Map(&What::Object(&PARAMETER_3))),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
    ],
};

static PARAMETER_3: Object = Object {
    name: "a channel parameter",
    refers: true,
    also: None,
    fields: &[
        may("enum", TEXTS),
        may("default", Text),
        may("description", Text),
        may("examples", TEXTS),
        may("location", Text),
    ],
};

static OPERATION_3: Object = Object {
    name: "an operation",
    refers: true,
    also: None,
    fields: &[
        must("action", Word(&["send", "receive"])),
        must("channel", What::Object(&CHANNEL_3)),
        may("title", Text),
        may("summary", Text),
        may("description", Text),
        may("security", List(&What::Object(&SECURITY_SCHEME))),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
        may("traits", List(&What::Object(&OPERATION_TRAIT_3))),
        may("messages", List(&What::Object(&MESSAGE_3))),
        may("reply", What::Object(&REPLY)),
    ],
};

static OPERATION_TRAIT_3: Object = Object {
    name: "an operation trait",
    refers: true,
    also: None,
    fields: &[
        may("title", Text),
        may("summary", Text),
        may("description", Text),
        may("security", List(&What::Object(&SECURITY_SCHEME))),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
    ],
};

static REPLY: Object = Object {
    name: "a reply",
    refers: true,
    also: None,
    fields: &[
        may("address", What::Object(&REPLY_ADDRESS)),
        may("channel", What::Object(&CHANNEL_3)),
        may("messages", List(&What::Object(&MESSAGE_3))),
    ],
};

static REPLY_ADDRESS: Object = Object {
    name: "the address of a reply",
    refers: true,
    also: None,
    fields: &[may("description", Text), must("location", Text)],
};

pub(super) static MESSAGE_3: Object = Object {
    name: "a message",
    refers: true,
    also: Some(message),
    fields: &[
        may("headers", Anything),
        may("payload", Anything),
        may("correlationId", What::Object(&CORRELATION)),
        may("contentType", Text),
        may("name", Text),
        may("title", Text),
        may("summary", Text),
        may("description", Text),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
        may("examples", List(&What::Object(&EXAMPLE))),
        may("traits", List(&What::Object(&MESSAGE_TRAIT_3))),
    ],
};

static MESSAGE_TRAIT_3: Object = Object {
    name: "a message trait",
    refers: true,
    also: None,
    fields: &[
        may("headers", PAYLOAD),
        may("correlationId", What::Object(&CORRELATION)),
        may("contentType", Text),
        may("name", Text),
        may("title", Text),
        may("summary", Text),
        may("description", Text),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
        may("examples", List(&What::Object(&EXAMPLE))),
    ],
};

static COMPONENTS_3: Object = Object {
    name: "`components`",
    refers: false,
    also: None,
    fields: &[
        may("schemas", Map(&PAYLOAD)),
        may("servers", Map(&What::Object(&SERVER_3))),
        may("channels", Map(&What::Object(&CHANNEL_3))),
        may("operations", Map(&What::Object(&OPERATION_3))),
        may("messages", Map(&What::Object(&MESSAGE_3))),
        may("securitySchemes", Map(&What::Object(&SECURITY_SCHEME))),
        may("serverVariables", Map(&What::Object(&VARIABLE))),
        may("parameters", Map(&What::Object(&PARAMETER_3))),
        may("correlationIds", Map(&What::Object(&CORRELATION))),
        may("replies", Map(&What::Object(&REPLY))),
        may("replyAddresses", Map(&What::Object(&REPLY_ADDRESS))),
        may("externalDocs", Map(&DOCS)),
        may("tags", Map(&What::Object(&TAG))),
        may("operationTraits", Map(&What::Object(&OPERATION_TRAIT_3))),
        may("messageTraits", Map(&What::Object(&MESSAGE_TRAIT_3))),
        may("serverBindings", Map(&Members)),
        may("channelBindings", Map(&Members)),
        may("operationBindings", Map(&Members)),
        may("messageBindings", Map(&Members)),
    ],
};
