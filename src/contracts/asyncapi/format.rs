//! `schemaFormat`: the language that a payload is described in (AsyncAPI 3.0, "Multi Format Schema Object").

use crate::contracts::dialect::Dialect;
use crate::contracts::reader::{Place, Reader};
use crate::contracts::tree::Node;

/// How a schema of this format is read; `None` where its language is not read: Avro, Protobuf, RAML, XML Schema.
pub(super) fn dialect(format: Option<&str>) -> Option<Dialect> {
    let Some(format) = format else { return Some(Dialect::Draft07) };
    let format = format.to_ascii_lowercase();
    let mut parts = format.split(';').map(str::trim);
    let name = parts.next().unwrap_or("").trim_end_matches("+json").trim_end_matches("+yaml");
    let version = parts.find_map(|part| part.strip_prefix("version=")).unwrap_or("").trim_matches('"');
    match name {
        "application/vnd.aai.asyncapi" | "application/vnd.asyncapi" => Some(Dialect::Draft07),
        "application/schema" if version.starts_with("20") => Some(Dialect::V31),
        "application/schema" => Some(Dialect::Draft07),
        "application/vnd.oai.openapi" if version.starts_with("3.0") => Some(Dialect::V30),
        "application/vnd.oai.openapi" if version.starts_with('2') => Some(Dialect::V2),
        "application/vnd.oai.openapi" => Some(Dialect::V31),
        _ => None,
    }
}

/// A schema and its language.
#[derive(Clone)]
pub(super) struct Described<'d> {
    pub schema: Place<'d>,
    /// As written; `None` for AsyncAPI's own.
    pub format: Option<&'d str>,
    /// `None` where the language is not read.
    pub dialect: Option<Dialect>,
}

/// What a `payload` or `headers` holds: a schema in the language `stated` beside it, or one with its language (3.x).
/// A schema in a language that is not read is never followed.
pub(super) fn described<'d>(reader: &mut Reader<'d>, place: Place<'d>, stated: Option<&'d str>) -> Described<'d> {
    let mut dialect = self::dialect(stated);
    let (mut schema, mut format) = (place, stated);
    if dialect.is_some() {
        let target = if is_multi_format(schema.node) {
            Some(schema.clone())
        } else if schema.text("$ref").is_some() {
            reader.follow(schema.clone()).filter(|target| is_multi_format(target.node))
        } else {
            None
        };
        if let Some(target) = target
            && let Some(inner) = target.child("schema")
        {
            format = target.text("schemaFormat");
            dialect = self::dialect(format);
            schema = inner;
        }
    }
    if let Some(dialect) = dialect {
        schema = reader.read_as(schema, dialect);
    }
    Described { schema, format, dialect }
}

/// `{schemaFormat, schema}`
pub(super) fn is_multi_format(node: &Node) -> bool {
    node.get("schema").is_some() && node.get("schemaFormat").is_some_and(|format| format.text().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_name_and_version() {
        for (format, expected) in [
            ("application/vnd.aai.asyncapi;version=2.6.0", Some(Dialect::Draft07)),
            ("application/vnd.aai.asyncapi+yaml;version=3.0.0", Some(Dialect::Draft07)),
            ("application/schema+json;version=draft-07", Some(Dialect::Draft07)),
            ("application/schema+yaml; version=2020-12", Some(Dialect::V31)),
            ("application/vnd.oai.openapi;version=3.0.0", Some(Dialect::V30)),
            ("application/vnd.oai.openapi+json;version=3.1.0", Some(Dialect::V31)),
            ("application/vnd.apache.avro+json;version=1.9.0", None),
            ("application/raml+yaml;version=1.0", None),
            ("application/vnd.google.protobuf;version=3", None),
            ("", None),
        ] {
            assert_eq!(dialect(Some(format)), expected, "{format}");
        }
        assert_eq!(dialect(None), Some(Dialect::Draft07));
    }
}
