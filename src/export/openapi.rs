//! The API that the code serves, as OpenAPI 3.0.3: valid by construction.

use std::collections::VecDeque;

use std::cmp::Reverse;

use indexmap::IndexMap;
use openapiv3::{
    AdditionalProperties, AnySchema, ArrayType, BooleanType, Components, CookieStyle, HeaderStyle, Info, IntegerType,
    MediaType, NumberType, ObjectType, OpenAPI, Operation as Written, Parameter as WrittenParameter, ParameterData,
    ParameterSchemaOrContent, PathItem, PathStyle, QueryStyle, ReferenceOr, RequestBody, Response as WrittenResponse,
    Responses, Schema, SchemaData, SchemaKind, Server, StatusCode, StringType, Type, VariantOrUnknownOrEmpty,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{
    Additional, Implementation, Kind, Literal, Method, Object, Operation, ParameterPlace, PathTemplate, Response,
    Shape, ShapeId, ShapeTable, Status,
};
use crate::project::{Project, Service};
use crate::text::{Sources, Span};

/// One document over all services; of several routes with one method and path the first counts, as it does when the
/// service runs. Each operation carries `x-source`: file and line of its registration.
pub fn openapi(project: &Project) -> OpenAPI {
    let mut document = OpenAPI {
        openapi: "3.0.3".to_owned(),
        info: Info {
            title: project.services.iter().map(|service| service.name.as_str()).collect::<Vec<_>>().join(", "),
            description: Some("What the code serves, read from its sources".to_owned()),
            version: "0".to_owned(),
            ..Info::default()
        },
        ..OpenAPI::default()
    };
    let mut components: IndexMap<String, ReferenceOr<Schema>> = IndexMap::new();
    let mut seen: FxHashSet<(Method, String)> = FxHashSet::default();
    for (at, service) in project.services.iter().enumerate() {
        let mut writer = Writer {
            service,
            names: FxHashMap::default(),
            namesakes: FxHashMap::default(),
            components: &mut components,
            open: Vec::new(),
            waiting: VecDeque::new(),
        };
        let behind = behind(project, at);
        let relative = |operation: &Operation| {
            let (front, base) = behind?;
            let rest = operation.path.text().strip_prefix(front)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| (PathTemplate::new(rest), base))
        };
        let spelled = spelled(project, at);
        let mut operations: Vec<_> = service
            .operations
            .iter()
            .enumerate()
            .map(|(at, operation)| match spelled.get(&at) {
                Some(declared) => (None, spelt_as(operation, declared)),
                None => (relative(operation), operation.clone()),
            })
            .collect();
        operations.sort_by_key(|(relative, _)| relative.is_none());
        let likeliest = likeliest(operations.iter().map(|(_, operation)| operation));
        for (at, (relative, operation)) in operations.into_iter().enumerate() {
            if !likeliest[at] {
                continue;
            }
            let (shown, base) = relative.map_or((operation.path.clone(), None), |(path, base)| (path, Some(base)));
            if !seen.insert((operation.method, shown.key())) {
                continue;
            }
            let written = writer.operation(&operation, &project.sources);
            writer.finish();
            let path = document.paths.paths.entry(shown.text().to_owned());
            let servers = base.iter().map(|base| Server { url: (*base).to_owned(), ..Server::default() });
            let item = path
                .or_insert_with(|| ReferenceOr::Item(PathItem { servers: servers.collect(), ..PathItem::default() }));
            if let ReferenceOr::Item(item) = item {
                place(item, operation.method, written);
            }
        }
    }
    document.components = Some(Components { schemas: components, ..Components::default() });
    document
}

/// Which operations are written: of one route that is served at different addresses in different runs, the one that is
/// reached through most routers, under the fewest conditions.
fn likeliest<'a>(operations: impl Iterator<Item = &'a Operation>) -> Vec<bool> {
    let mut routes: IndexMap<(Span, Method), Vec<(usize, &Implementation)>> = IndexMap::new();
    let mut written = Vec::new();
    for (at, operation) in operations.enumerate() {
        written.push(true);
        if let Some(code) = &operation.implementation
            && !code.when.is_empty()
        {
            routes.entry((operation.span, operation.method)).or_default().push((at, code));
        }
    }
    let rank = |code: &Implementation| (Reverse(code.mounts.len()), code.when.len());
    for mut route in routes.into_values() {
        route.sort_by_key(|(at, code)| (rank(code), *at));
        for (place, (at, code)) in route.iter().enumerate() {
            let same = |(_, known): &&(usize, &Implementation)| known.handler_span == code.handler_span;
            written[*at] = !route[..place].iter().filter(same).any(|(_, known)| known.excludes(code));
        }
    }
    written
}

/// Where code serves only the end of the base path that the service's contract states, because it stands behind something
/// that adds the rest, or where the contract leaves its address to whoever serves it: that end, and the whole. Its paths
/// are written as the contract has them.
fn behind(project: &Project, service: usize) -> Option<(&str, &str)> {
    let mut links = project.links.iter().filter(|link| link.service == service && !link.unrelated);
    links.find_map(|link| {
        let front = link.front.as_str();
        let contract = &project.contracts[link.contract];
        let shortest = front.len() + usize::from(!contract.servers_vary);
        let base = contract.base_paths.iter().find(|base| base.len() >= shortest && base.ends_with(front))?;
        (!front.is_empty()).then_some((front, base.as_str()))
    })
}

/// Operations that are served whatever the case of letters, each with what the service's contract spells it like.
fn spelled(project: &Project, service: usize) -> FxHashMap<usize, &Operation> {
    let mut spelled = FxHashMap::default();
    for link in project.links.iter().filter(|link| link.service == service && !link.unrelated) {
        for pair in &link.pairs {
            let declared = &project.contracts[link.contract].operations[pair.declared];
            for at in &pair.served {
                let operation = &project.services[service].operations[*at];
                let any_case = operation.implementation.as_ref().is_some_and(|code| code.any_case);
                if any_case && operation.path.key().to_lowercase() == declared.path.key().to_lowercase() {
                    spelled.entry(*at).or_insert(declared);
                }
            }
        }
    }
    spelled
}

/// An operation with its path as a contract spells it, and the names of parameters that differ in nothing but case.
fn spelt_as(operation: &Operation, declared: &Operation) -> Operation {
    let mut spelt = Operation { path: declared.path.clone(), ..operation.clone() };
    let parameters = &declared.request.parameters;
    for parameter in &mut spelt.request.parameters {
        let same: Vec<_> = parameters
            .iter()
            .filter(|known| known.place == parameter.place && known.name.eq_ignore_ascii_case(&parameter.name))
            .collect();
        if let [only] = same.as_slice() {
            parameter.name.clone_from(&only.name);
        }
    }
    spelt
}

fn place(item: &mut PathItem, method: Method, written: Written) {
    let slot = match method {
        Method::Get => &mut item.get,
        Method::Put => &mut item.put,
        Method::Post => &mut item.post,
        Method::Delete => &mut item.delete,
        Method::Patch => &mut item.patch,
        Method::Options => &mut item.options,
        Method::Head => &mut item.head,
        Method::Trace => &mut item.trace,
        // OpenAPI 3.0 has no place for it.
        Method::Query => return,
    };
    *slot = Some(written);
}

struct Writer<'w> {
    service: &'w Service,
    names: FxHashMap<ShapeId, String>,
    /// The shapes of one name that have a component.
    namesakes: FxHashMap<String, Vec<ShapeId>>,
    components: &'w mut IndexMap<String, ReferenceOr<Schema>>,
    /// Shapes without a name that are being written.
    open: Vec<ShapeId>,
    /// Components whose place is taken, and that are still to be written.
    waiting: VecDeque<(String, ShapeId)>,
}

/// Deeper nests of what has no name are components.
const MAX_DEPTH: usize = 64;

impl Writer<'_> {
    fn shapes(&self) -> &ShapeTable {
        &self.service.shapes
    }

    fn operation(&mut self, operation: &Operation, sources: &Sources) -> Written {
        let mut responses = Responses::default();
        for response in &operation.responses {
            let status = match &response.status {
                Status::Code(code) => StatusCode::Code(*code),
                Status::Range(class) => StatusCode::Range(u16::from(*class)),
                // A success whose code is not known.
                Status::Unknown(_) => StatusCode::Range(2),
                Status::Default => {
                    responses.default = Some(ReferenceOr::Item(self.response(response)));
                    continue;
                }
            };
            // The first is what is documented; what code sends otherwise is no second answer of a document.
            if !responses.responses.contains_key(&status) {
                responses.responses.insert(status, ReferenceOr::Item(self.response(response)));
            }
        }
        let (start, _) = sources.positions(operation.span);
        let mut extensions = IndexMap::new();
        extensions.insert(
            "x-source".to_owned(),
            serde_json::json!({ "file": sources.path(operation.span), "line": start.line }),
        );
        Written {
            operation_id: operation.implementation.as_ref().map(|code| {
                let path: String =
                    operation.path.text().chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
                // Described, where it has no name.
                let handler = if code.handler.contains(' ') { "handler" } else { &code.handler };
                format!("{handler}{path}_{}", operation.method.name().to_lowercase())
            }),
            parameters: self.parameters(operation),
            request_body: self.request_body(operation),
            responses,
            deprecated: operation.deprecated,
            extensions,
            ..Written::default()
        }
    }

    /// Those of the path, in its order, then the others. OpenAPI 3.0 takes no notice of headers that it describes elsewhere
    /// (`Accept`, `Content-Type`, `Authorization`): they are written all the same.
    fn parameters(&mut self, operation: &Operation) -> Vec<ReferenceOr<WrittenParameter>> {
        let parameters = &operation.request.parameters;
        let in_path: Vec<_> = operation.path.parameters().map(str::to_owned).collect();
        let mut written = Vec::new();
        for name in in_path {
            let known = parameters.iter().find(|known| known.place == ParameterPlace::Path && known.name == name);
            let schema = known.map_or_else(text, |known| self.schema(known.shape));
            written.push(parameter(&name, ParameterPlace::Path, true, schema));
        }
        for known in parameters.iter().filter(|known| known.place != ParameterPlace::Path) {
            let schema = self.schema(known.shape);
            written.push(parameter(&known.name, known.place, known.required, schema));
        }
        written
    }

    fn request_body(&mut self, operation: &Operation) -> Option<ReferenceOr<RequestBody>> {
        let bodies = &operation.request.bodies;
        let mut written = RequestBody { required: bodies.first()?.required, ..RequestBody::default() };
        for body in bodies {
            let schema = Some(self.schema(body.shape));
            written.content.insert(body.media.clone(), MediaType { schema, ..MediaType::default() });
        }
        Some(ReferenceOr::Item(written))
    }

    fn response(&mut self, response: &Response) -> WrittenResponse {
        let mut written = WrittenResponse { description: response.status.name(), ..WrittenResponse::default() };
        for body in &response.bodies {
            let schema = Some(self.schema(body.shape));
            written.content.insert(body.media.clone(), MediaType { schema, ..MediaType::default() });
        }
        written
    }

    /// A schema in place, or a reference where the shape is a named object.
    fn schema(&mut self, id: ShapeId) -> ReferenceOr<Schema> {
        let id = self.resolved(id);
        let shape = self.shapes().get(id);
        let named =
            matches!(shape.kind, Kind::Object(_) | Kind::Union(_) | Kind::Array { .. }) || shape.values.is_some();
        match &shape.name {
            Some(name) if named => {
                let name = name.clone();
                ReferenceOr::Reference { reference: format!("#/components/schemas/{}", self.component(id, &name)) }
            }
            _ if self.names.contains_key(&id) || self.open.contains(&id) || self.open.len() >= MAX_DEPTH => {
                ReferenceOr::Reference {
                    reference: format!("#/components/schemas/{}", self.component(id, "Recursive")),
                }
            }
            _ => {
                self.open.push(id);
                let written = self.written(id);
                self.open.pop();
                ReferenceOr::Item(written)
            }
        }
    }

    /// Writes the components that were asked for, and those that they ask for.
    fn finish(&mut self) {
        while let Some((name, id)) = self.waiting.pop_front() {
            let written = self.written(id);
            self.components.insert(name, ReferenceOr::Item(written));
        }
    }

    /// References without a `null` of their own are looked through.
    fn resolved(&self, id: ShapeId) -> ShapeId {
        let mut id = id;
        for _ in 0..32 {
            match self.shapes().get(id) {
                Shape { kind: Kind::Ref(target), nullable: false, read_only: false, .. } => id = *target,
                _ => break,
            }
        }
        id
    }

    fn component(&mut self, id: ShapeId, name: &str) -> String {
        if let Some(known) = self.names.get(&id) {
            return known.clone();
        }
        let base: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
        // What is read may be declared apart from what is written, and say the same.
        let namesakes = self.namesakes.entry(base.clone()).or_default();
        if let Some(same) = namesakes.iter().find(|known| self.service.shapes.are_documented_alike(**known, id)) {
            let known = self.names[same].clone();
            self.names.insert(id, known.clone());
            return known;
        }
        namesakes.push(id);
        let mut unique = base.clone();
        let mut number = 2;
        while self.components.contains_key(&unique) {
            unique = format!("{base}__{number}");
            number += 1;
        }
        self.names.insert(id, unique.clone());
        // The place is taken before the members are written, so that a cycle ends in a reference.
        self.components.insert(unique.clone(), ReferenceOr::Item(any()));
        self.waiting.push_back((unique.clone(), id));
        unique
    }

    fn written(&mut self, id: ShapeId) -> Schema {
        let shape = self.shapes().get(id).clone();
        let mut data = SchemaData {
            nullable: shape.nullable,
            read_only: shape.read_only,
            title: shape.title.clone().or_else(|| shape.name.clone()),
            ..SchemaData::default()
        };
        if shape.nullable && !matches!(shape.kind, Kind::Ref(_)) {
            data.title = None;
        }
        let kind = match &shape.kind {
            Kind::Unknown(reason) => {
                data.extensions.insert("x-unknown".to_owned(), serde_json::Value::String(reason.text.clone()));
                SchemaKind::Any(AnySchema::default())
            }
            Kind::Any => match &shape.values {
                Some(values) => SchemaKind::Any(AnySchema {
                    enumeration: values.iter().map(json_value).collect(),
                    ..AnySchema::default()
                }),
                None => SchemaKind::Any(AnySchema::default()),
            },
            Kind::Never => SchemaKind::Not { not: Box::new(ReferenceOr::Item(any())) },
            Kind::Null => {
                data.nullable = true;
                SchemaKind::Any(AnySchema { enumeration: vec![serde_json::Value::Null], ..AnySchema::default() })
            }
            Kind::Boolean => SchemaKind::Type(Type::Boolean(BooleanType::default())),
            Kind::Integer => SchemaKind::Type(Type::Integer(IntegerType {
                enumeration: values(&shape, |value| match value {
                    Literal::Number(text) => text.parse().ok(),
                    _ => None,
                }),
                ..IntegerType::default()
            })),
            Kind::Number | Kind::Numeric => SchemaKind::Type(Type::Number(NumberType {
                enumeration: values(&shape, |value| match value {
                    Literal::Number(text) => text.parse().ok(),
                    _ => None,
                }),
                ..NumberType::default()
            })),
            Kind::String => SchemaKind::Type(Type::String(StringType {
                enumeration: values(&shape, |value| match value {
                    Literal::String(text) => Some(text.clone()),
                    _ => None,
                }),
                format: shape.format.clone().map_or(VariantOrUnknownOrEmpty::Empty, VariantOrUnknownOrEmpty::Unknown),
                ..StringType::default()
            })),
            Kind::Array { items, .. } => {
                // OpenAPI 3.0 cannot say `prefixItems`: any items.
                let items = items.map_or_else(|| ReferenceOr::Item(any()), |items| self.schema(items));
                SchemaKind::Type(Type::Array(ArrayType {
                    items: Some(boxed(items)),
                    min_items: None,
                    max_items: None,
                    unique_items: false,
                }))
            }
            Kind::Object(object) => SchemaKind::Type(Type::Object(self.object(object))),
            Kind::Union(union) => {
                let options = union.options.iter().map(|option| self.schema(*option)).collect();
                SchemaKind::AnyOf { any_of: options }
            }
            Kind::Either(options) => {
                SchemaKind::AnyOf { any_of: options.iter().map(|option| self.schema(*option)).collect() }
            }
            Kind::All(parts) => SchemaKind::AllOf { all_of: parts.iter().map(|part| self.schema(*part)).collect() },
            // A reference that adds `null`.
            Kind::Ref(target) => SchemaKind::AllOf { all_of: vec![self.schema(*target)] },
        };
        Schema { schema_data: data, schema_kind: kind }
    }

    fn object(&mut self, object: &Object) -> ObjectType {
        let mut written = ObjectType::default();
        for field in &object.fields {
            let schema = self.schema(field.shape);
            written.properties.insert(field.name.clone(), boxed(schema));
            if field.required {
                written.required.push(field.name.clone());
            }
        }
        written.additional_properties = match &object.additional {
            Additional::Open => None,
            Additional::Closed => Some(AdditionalProperties::Any(false)),
            Additional::Of(values) if object.fields.is_empty() => {
                Some(AdditionalProperties::Schema(Box::new(self.schema(*values))))
            }
            Additional::Of(_) => Some(AdditionalProperties::Any(true)),
        };
        written
    }
}

fn any() -> Schema {
    Schema { schema_data: SchemaData::default(), schema_kind: SchemaKind::Any(AnySchema::default()) }
}

fn boxed(schema: ReferenceOr<Schema>) -> ReferenceOr<Box<Schema>> {
    match schema {
        ReferenceOr::Reference { reference } => ReferenceOr::Reference { reference },
        ReferenceOr::Item(schema) => ReferenceOr::Item(Box::new(schema)),
    }
}

fn values<T>(shape: &Shape, read: impl Fn(&Literal) -> Option<T>) -> Vec<Option<T>> {
    shape.values.iter().flatten().filter_map(read).map(Some).collect()
}

fn json_value(value: &Literal) -> serde_json::Value {
    match value {
        Literal::Null => serde_json::Value::Null,
        Literal::Boolean(value) => serde_json::Value::Bool(*value),
        Literal::Number(text) | Literal::Other(text) => {
            serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::String(text.clone()))
        }
        Literal::String(text) => serde_json::Value::String(text.clone()),
    }
}

fn text() -> ReferenceOr<Schema> {
    ReferenceOr::Item(Schema {
        schema_data: SchemaData::default(),
        schema_kind: SchemaKind::Type(Type::String(StringType::default())),
    })
}

fn parameter(
    name: &str,
    place: ParameterPlace,
    required: bool,
    schema: ReferenceOr<Schema>,
) -> ReferenceOr<WrittenParameter> {
    let parameter_data = ParameterData {
        name: name.to_owned(),
        description: None,
        required,
        deprecated: None,
        format: ParameterSchemaOrContent::Schema(schema),
        example: None,
        examples: IndexMap::new(),
        explode: None,
        extensions: IndexMap::new(),
    };
    ReferenceOr::Item(match place {
        ParameterPlace::Path => WrittenParameter::Path { parameter_data, style: PathStyle::Simple },
        ParameterPlace::Query => WrittenParameter::Query {
            parameter_data,
            allow_reserved: false,
            style: QueryStyle::Form,
            allow_empty_value: None,
        },
        ParameterPlace::Header => WrittenParameter::Header { parameter_data, style: HeaderStyle::Simple },
        ParameterPlace::Cookie => WrittenParameter::Cookie { parameter_data, style: CookieStyle::Form },
    })
}
