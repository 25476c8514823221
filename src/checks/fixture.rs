//! Test data: shapes from a few words of JSON Schema, and a project of one service and one contract.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::contracts::Declarations;
use crate::finding::Reason;
use crate::model::{
    Additional, Body, Field, Implementation, Kind, Literal, Method, Object, Operation, PathTemplate, Request, Response,
    Shape, ShapeId, ShapeTable, Status, Union, Unread,
};
use crate::project::{Link, Pair, Project, Service, look_for_missing};
use crate::text::{FileId, SourceFile, Sources, Span};

/// Shapes by name; `{"$ref": "Name"}` refers to one. `"maybe"` lists members that may be left out by code.
pub(crate) struct Shapes {
    pub(crate) table: ShapeTable,
    named: BTreeMap<String, ShapeId>,
    file: FileId,
}

impl Shapes {
    pub(crate) fn new(file: FileId, named: &Value) -> Self {
        let mut shapes = Shapes { table: ShapeTable::default(), named: BTreeMap::new(), file };
        let named = named.as_object().cloned().unwrap_or_default();
        for name in named.keys() {
            let id = shapes.table.reserve();
            shapes.named.insert(name.clone(), id);
        }
        for (name, schema) in &named {
            let shape = shapes.shape(schema, &format!("/components/schemas/{name}")).named(name.clone());
            shapes.table.set(shapes.named[name], shape);
        }
        shapes
    }

    pub(crate) fn add(&mut self, schema: &Value, pointer: &str) -> ShapeId {
        if let Some(Value::String(name)) = schema.get("$ref") {
            return self.named[name];
        }
        let shape = self.shape(schema, pointer);
        self.table.add(shape)
    }

    fn shape(&mut self, schema: &Value, pointer: &str) -> Shape {
        let empty = Map::new();
        let object = schema.as_object().unwrap_or(&empty);
        let list = |key: &str| object.get(key).and_then(Value::as_array);
        let many = |shapes: &mut Self, key: &str| -> Option<Vec<ShapeId>> {
            let parts = list(key)?.iter().enumerate();
            Some(parts.map(|(at, part)| shapes.add(part, &format!("{pointer}/{key}/{at}"))).collect())
        };
        let kind = if let Some(options) = many(self, "anyOf") {
            let discriminator = object.get("tag").and_then(Value::as_str).map(str::to_owned);
            Kind::Union(Union { options, discriminator, exclusive: false })
        } else if let Some(parts) = many(self, "allOf") {
            Kind::All(parts)
        } else {
            match object.get("type").and_then(Value::as_str) {
                Some("string") => Kind::String,
                Some("integer") => Kind::Integer,
                Some("number") => Kind::Number,
                Some("boolean") => Kind::Boolean,
                Some("null") => Kind::Null,
                Some("unknown") => Kind::Unknown(Reason::new("a test says so", None)),
                Some("array") => {
                    let items = object.get("items").map(|items| self.add(items, &format!("{pointer}/items")));
                    Kind::Array { prefix: Vec::new(), items }
                }
                Some("object") => self.object(object, pointer),
                _ => Kind::Any,
            }
        };
        let mut shape = Shape::new(kind).nullable(object.get("nullable") == Some(&Value::Bool(true)));
        shape.values = list("enum").map(|values| values.iter().map(literal).collect());
        shape.title = object.get("title").and_then(Value::as_str).map(str::to_owned);
        shape.write_only = object.get("writeOnly") == Some(&Value::Bool(true));
        pointer.clone_into(&mut shape.pointer);
        shape.span = Some(Span::new(self.file, self.table.len() % 40, self.table.len() % 40 + 1));
        shape
    }

    fn object(&mut self, object: &Map<String, Value>, pointer: &str) -> Kind {
        let names = |key: &str| -> Vec<&str> {
            object.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
        };
        let (required, maybe) = (names("required"), names("maybe"));
        let mut fields = Vec::new();
        for (name, schema) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let shape = self.add(schema, &format!("{pointer}/properties/{name}"));
            fields.push(Field {
                name: name.clone(),
                shape,
                required: required.contains(&name.as_str()),
                always: !maybe.contains(&name.as_str()),
                span: None,
                declared: None,
            });
        }
        let additional = match object.get("additionalProperties") {
            None => Additional::Open,
            Some(Value::Bool(false)) => Additional::Closed,
            Some(schema) => Additional::Of(self.add(schema, &format!("{pointer}/additionalProperties"))),
        };
        Kind::Object(Object { fields, additional })
    }
}

fn literal(value: &Value) -> Literal {
    match value {
        Value::Null => Literal::Null,
        Value::Bool(value) => Literal::Boolean(*value),
        Value::Number(number) => Literal::Number(number.to_string()),
        Value::String(text) => Literal::String(text.clone()),
        other => Literal::Other(other.to_string()),
    }
}

/// Code in file 0, contract in file 1; 50 bytes each, one line a ten.
pub(crate) struct Fixture {
    pub(crate) code: Shapes,
    pub(crate) contract: Shapes,
    served: Vec<Operation>,
    declared: Vec<Operation>,
    pub(crate) ignored: Vec<usize>,
    pub(crate) unread: Vec<Unread>,
    pub(crate) base_paths: Vec<String>,
}

impl Fixture {
    pub(crate) fn new(code: &Value, contract: &Value) -> Self {
        Fixture {
            code: Shapes::new(FileId(0), code),
            contract: Shapes::new(FileId(1), contract),
            served: Vec::new(),
            declared: Vec::new(),
            ignored: Vec::new(),
            unread: Vec::new(),
            base_paths: Vec::new(),
        }
    }

    /// `serves("GET /users", 200, Some(json!(…)))`
    pub(crate) fn serves(&mut self, title: &str, status: u16, schema: Option<&Value>) -> &mut Operation {
        let span = Span::new(FileId(0), self.served.len() % 45, self.served.len() % 45 + 5);
        let body = schema.map(|schema| self.code.add(schema, ""));
        let mut operation = operation(title, status, body, span);
        operation.implementation = Some(Implementation {
            framework: "test",
            handler: format!("handler_{}", self.served.len()),
            handler_span: None,
            mounts: Vec::new(),
            hidden: false,
            conditional: false,
            when: Vec::new(),
            mounted: true,
            any_case: false,
            versions: Vec::new(),
            unknown: Vec::new(),
        });
        self.served.push(operation);
        self.served.last_mut().expect("just pushed")
    }

    pub(crate) fn promises(&mut self, title: &str, status: u16, schema: Option<&Value>) -> &mut Operation {
        let span = Span::new(FileId(1), self.declared.len() % 45, self.declared.len() % 45 + 5);
        let pointer = format!("/paths/{}", self.declared.len());
        let body = schema.map(|schema| self.contract.add(schema, &format!("{pointer}/schema")));
        let mut operation = operation(title, status, body, span);
        operation.pointer = pointer;
        self.declared.push(operation);
        self.declared.last_mut().expect("just pushed")
    }

    /// Pairs operations of one method and path, as the linker would.
    pub(crate) fn project(self) -> Project {
        let mut sources = Sources::default();
        let text = "123456789\n".repeat(5);
        sources.add(SourceFile::new("app.py", text.clone()));
        sources.add(SourceFile::new("openapi.yaml", text));
        let same = |a: &Operation, b: &Operation| a.method == b.method && a.path.key() == b.path.key();
        let mut pairs = Vec::new();
        for (declared, promise) in self.declared.iter().enumerate() {
            let served = self.served.iter().enumerate().filter(|(_, route)| same(route, promise)).map(|(at, _)| at);
            pairs.push(Pair {
                declared,
                served: served.collect(),
                ignored: self.ignored.contains(&declared),
                miss: None,
            });
        }
        let service = Service {
            name: "shop".into(),
            root: ".".into(),
            scanned: true,
            operations: self.served,
            shapes: self.code.table,
            unknown: Vec::new(),
            unread: self.unread,
            messages: Vec::new(),
            calls: Vec::new(),
            models: Vec::new(),
            routings: Vec::new(),
            frameworks: Vec::new(),
            unsupported: Vec::new(),
            files: 1,
        };
        let contract = Declarations {
            file: FileId(1),
            title: "Shop".into(),
            version: "1".into(),
            base_paths: self.base_paths,
            servers_vary: false,
            operations: self.declared,
            terms: Vec::new(),
            webhooks: Vec::new(),
            schemes: Vec::new(),
            keys: Vec::new(),
            servers: Vec::new(),
            paths: Span::new(FileId(1), 0, 0),
            events: None,
            models: None,
            wiring: None,
            table: None,
            shapes: self.contract.table,
            components: Vec::new(),
            states_null: true,
            states_null_of_references: true,
            issues: Vec::new(),
            problems: Vec::new(),
        };
        look_for_missing(&mut pairs, &contract, &service);
        let link = Link {
            service: 0,
            contract: 0,
            pairs,
            front: String::new(),
            ignored_routes: Vec::new(),
            named: false,
            unrelated: false,
            moved: None,
        };
        Project { sources, services: vec![service], contracts: vec![contract], links: vec![link], ..Project::default() }
    }
}

fn operation(title: &str, status: u16, body: Option<ShapeId>, span: Span) -> Operation {
    let (method, path) = title.split_once(' ').expect("a method and a path");
    let bodies = body.map(|shape| Body { media: "application/json".into(), shape, span, required: true });
    Operation {
        method: Method::parse(method).expect("a method"),
        path: PathTemplate::new(path),
        span,
        pointer: String::new(),
        responses: vec![Response { status: Status::Code(status), bodies: bodies.into_iter().collect(), span }],
        request: Request::default(),
        deprecated: false,
        id: None,
        extensions: Vec::new(),
        planned: false,
        implementation: None,
    }
}
