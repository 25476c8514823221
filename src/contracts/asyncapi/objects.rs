//! What the objects of AsyncAPI may have: the tables of specifications 2.0 to 2.6 and 3.x, read by [`super::form`].

/// One kind of object.
pub(super) struct Object {
    /// As messages name it: `an operation`.
    pub name: &'static str,
    pub fields: &'static [Field],
    /// Whether a `$ref` may stand instead.
    pub refers: bool,
}

pub(super) struct Field {
    pub name: &'static str,
    pub what: What,
    pub required: bool,
    /// First minor version of its major that has it.
    pub since: u32,
}

/// What may stand in a field.
#[derive(Clone, Copy)]
pub(super) enum What {
    Anything,
    Text,
    /// `null` as well.
    TextOrNull,
    /// An object of whatever members.
    Members,
    Word(&'static [&'static str]),
    Object(&'static Object),
    /// Names that somebody chose, and what each stands for.
    Map(&'static What),
    List(&'static What),
    /// A schema of AsyncAPI's own.
    Schema,
    /// A schema in the language that the field beside it names, or in version 3 a schema with its language.
    Payload,
    /// One message, or in version 2 `oneOf` several.
    Messages,
}

const fn may(name: &'static str, what: What) -> Field {
    Field { name, what, required: false, since: 0 }
}

const fn must(name: &'static str, what: What) -> Field {
    Field { name, what, required: true, since: 0 }
}

const fn later(since: u32, name: &'static str, what: What) -> Field {
    Field { name, what, required: false, since }
}

use What::{Anything, List, Map, Members, Messages, Payload, Schema, Text, TextOrNull, Word};

const TEXTS: What = List(&Text);
const TAGS: What = List(&What::Object(&TAG));
const DOCS: What = What::Object(&DOCUMENTATION);

static TAG: Object = Object {
    name: "a tag",
    refers: true,
    fields: &[must("name", Text), may("description", Text), may("externalDocs", DOCS)],
};

static DOCUMENTATION: Object =
    Object { name: "an external documentation", refers: true, fields: &[may("description", Text), must("url", Text)] };

static CONTACT: Object =
    Object { name: "a contact", refers: false, fields: &[may("name", Text), may("url", Text), may("email", Text)] };

static LICENSE: Object = Object { name: "a license", refers: false, fields: &[must("name", Text), may("url", Text)] };

static VARIABLE: Object = Object {
    name: "a server variable",
    refers: true,
    fields: &[may("enum", TEXTS), may("default", Text), may("description", Text), may("examples", TEXTS)],
};

static CORRELATION: Object =
    Object { name: "a correlation id", refers: true, fields: &[may("description", Text), must("location", Text)] };

static EXAMPLE: Object = Object {
    name: "an example of a message",
    refers: false,
    fields: &[may("headers", Anything), may("payload", Anything), may("name", Text), may("summary", Text)],
};

static FLOW: Object = Object {
    name: "a flow of OAuth",
    refers: false,
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
    fields: &[
        may("operationId", Text),
        may("summary", Text),
        may("description", Text),
        later(4, "security", List(&Members)),
        may("tags", TAGS),
        may("externalDocs", DOCS),
        may("bindings", Members),
        may("traits", List(&What::Object(&OPERATION_TRAIT_2))),
        may("message", Messages),
    ],
};

static OPERATION_TRAIT_2: Object = Object {
    name: "an operation trait",
    refers: true,
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
    fields: &[may("description", Text), may("schema", Schema), may("location", Text)],
};

pub(super) static MESSAGE_2: Object = Object {
    name: "a message",
    refers: true,
    fields: &[
        later(4, "messageId", Text),
        may("headers", Schema),
        may("payload", Payload),
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
    fields: &[
        may("address", What::Object(&REPLY_ADDRESS)),
        may("channel", What::Object(&CHANNEL_3)),
        may("messages", List(&What::Object(&MESSAGE_3))),
    ],
};

static REPLY_ADDRESS: Object = Object {
    name: "the address of a reply",
    refers: true,
    fields: &[may("description", Text), must("location", Text)],
};

pub(super) static MESSAGE_3: Object = Object {
    name: "a message",
    refers: true,
    fields: &[
        may("headers", Payload),
        may("payload", Payload),
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
    fields: &[
        may("headers", Payload),
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
    fields: &[
        may("schemas", Map(&Payload)),
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
