//! JSON Schema documents, draft-04 to 2020-12, as shared models: the schema that a document is, and those that it
//! defines by name.

use super::dialect::Dialect;
use super::reader::{Place, Reader};
use super::schema::form;
use super::tree::Node;
use super::{Declarations, SharedModel};

/// Whether a document says that it is a JSON Schema.
pub(super) fn is_stated(root: &Node) -> bool {
    dialect(root).is_some()
}

/// Whether a document that says nothing of itself can only be a schema: it has keywords of one.
pub(super) fn is_like(root: &Node) -> bool {
    let has = |key: &str| root.get(key).is_some();
    let typed = root.get("type").is_some_and(|word| word.text().is_some() || !word.items().is_empty());
    let composed = ["properties", "$defs", "definitions", "allOf", "anyOf", "oneOf", "enum"].into_iter().any(has);
    composed && (typed || has("$id") || has("title") || has("$defs") || has("definitions"))
}

/// By `$schema`: only what stands beside a `$ref` is read differently, and counts from 2019-09 on.
pub(super) fn dialect(root: &Node) -> Option<Dialect> {
    let stated = root.get("$schema")?.text()?;
    let (_, rest) = stated.split_once("json-schema.org/")?;
    Some(if rest.starts_with("draft-0") { Dialect::Draft07 } else { Dialect::V31 })
}

/// Reads a schema document into `declarations.models`.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &Place<'d>, declarations: &mut Declarations) {
    form::check(reader, vec![root.clone()]);
    let path = reader.sources[root.source].path;
    let mut models = Vec::new();
    let mut names: Vec<String> = Vec::new();
    names.extend(root.text("title").map(str::to_owned));
    names.extend(root.text("$id").or_else(|| root.text("id")).map(stem));
    names.push(stem(path));
    declarations.title.clone_from(&names[0]);
    let shape = reader.shape_at(root.clone());
    names.retain(|name| !name.is_empty());
    names.dedup();
    let span = root.child("title").map_or(root.span, |title| title.span);
    models.push(SharedModel { names, shape, span });
    for key in ["$defs", "definitions"] {
        let Some(defined) = root.child(key) else { continue };
        let members: Vec<_> = defined.members().collect();
        for (key, place) in members {
            let shape = reader.shape_at(place.clone());
            let mut names: Vec<String> = place.text("title").map(str::to_owned).into_iter().collect();
            names.push(key.text.clone());
            names.dedup();
            declarations.components.push((key.text.clone(), shape));
            models.push(SharedModel { names, shape, span: place.span });
        }
    }
    declarations.models = Some(models);
}

/// `payment-request` of `https://example.com/schemas/payment-request.schema.json#`.
fn stem(path: &str) -> String {
    let path = path.split(['#', '?']).next().unwrap_or("").trim_end_matches('/');
    let last = path.rsplit(['/', ':']).next().unwrap_or(path);
    last.split('.').next().unwrap_or(last).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::{Document, declare, parse, sniff};
    use super::*;
    use crate::model::Kind;
    use crate::text::FileId;
    use std::collections::BTreeMap;

    fn declared(files: &[(&str, &str)]) -> Declarations {
        let documents: BTreeMap<String, Document> = files
            .iter()
            .enumerate()
            .map(|(at, (path, text))| ((*path).to_owned(), parse(FileId(at as u32), text)))
            .collect();
        declare(&documents, files[0].0)
    }

    fn fields(declarations: &Declarations, at: usize) -> Vec<(String, bool)> {
        let models = declarations.models.as_ref().expect("a schema document");
        match &declarations.shapes.view(models[at].shape).shape.kind {
            Kind::Object(object) => object.fields.iter().map(|field| (field.name.clone(), field.required)).collect(),
            other => panic!("an object, not {other:?}"),
        }
    }

    #[test]
    fn every_draft_is_a_shared_model_with_its_names() {
        for (version, reference) in [
            ("http://json-schema.org/draft-04/schema#", "#/definitions/Line"),
            ("http://json-schema.org/draft-07/schema#", "#/definitions/Line"),
            ("https://json-schema.org/draft/2019-09/schema", "#/definitions/Line"),
            ("https://json-schema.org/draft/2020-12/schema", "#/definitions/Line"),
        ] {
            let text = format!(
                r#"{{"$schema": "{version}", "$id": "https://e.com/order-event.schema.json", "title": "OrderEvent",
                "type": "object", "required": ["id"],
                "properties": {{"id": {{"type": "integer"}}, "lines": {{"type": "array", "items": {{"$ref": "{reference}"}}}}}},
                "definitions": {{"Line": {{"type": "object", "properties": {{"sku": {{"type": "string"}}}}}}}}}}"#
            );
            assert!(sniff("order.json", &text), "{version}");
            let found = declared(&[("schemas/order.json", &text)]);
            assert_eq!(found.issues, Vec::new(), "{version}");
            let models = found.models.as_ref().expect("models");
            assert_eq!(models[0].names, ["OrderEvent", "order-event", "order"]);
            assert_eq!(models[1].names, ["Line"]);
            assert_eq!(fields(&found, 0), [("id".to_owned(), true), ("lines".to_owned(), false)]);
        }
    }

    #[test]
    fn a_document_that_states_operations_is_no_schema_whatever_its_generator_wrote_into_it() {
        let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": {"get":
            {"responses": {"200": {"description": "all"}}}}}, "$schema": "http://json-schema.org/draft-07/schema#"}"#;
        assert!(sniff("swagger-output.json", text));
        let found = declared(&[("swagger-output.json", text)]);
        assert_eq!((found.operations.len(), found.models.is_none()), (1, true));
        let unknown = declared(&[("a.json", &text.replace("3.1.0", "next"))]);
        assert!(unknown.operations.is_empty() && unknown.models.is_some(), "a version that is none states nothing");
    }

    #[test]
    fn references_lead_to_files_ids_and_anchors() {
        let order = "$schema: https://json-schema.org/draft/2020-12/schema\n$id: https://e.com/order\ntype: object\n\
            properties:\n  a: {$ref: address.yaml}\n  b: {$ref: 'https://e.com/money'}\n  c: {$ref: '#line'}\n  \
            d: {$ref: '/money'}\n$defs:\n  Line: {$anchor: line, type: string}\n";
        let address = "type: object\nproperties: {zip: {type: string}}\n";
        let money = "$schema: https://json-schema.org/draft/2020-12/schema\n$id: https://e.com/money\ntype: number\n";
        let found = declared(&[("s/order.yaml", order), ("s/address.yaml", address), ("s/x/money.yaml", money)]);
        assert_eq!(found.issues, Vec::new());
        assert_eq!(found.problems, Vec::new());
        let models = found.models.as_ref().expect("models");
        let Kind::Object(object) = &found.shapes.view(models[0].shape).shape.kind else { panic!("an object") };
        let kinds: Vec<bool> = object
            .fields
            .iter()
            .map(|field| !matches!(found.shapes.view(field.shape).shape.kind, Kind::Unknown(_) | Kind::Any))
            .collect();
        assert_eq!(kinds, [true; 4]);
    }

    #[test]
    fn other_documents_are_no_schemas() {
        for text in [
            r#"{"$schema": "https://json.schemastore.org/package", "name": "x"}"#,
            r#"{"a": {"$schema": "http://json-schema.org/draft-07/schema#"}}"#,
        ] {
            assert!(!sniff("a.json", text), "{text}");
            assert!(declared(&[("a.json", text)]).models.is_none());
        }
    }
}
