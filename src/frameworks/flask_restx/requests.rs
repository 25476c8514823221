//! What a resource of Flask-RESTX takes: models and parsers that it expects, parameters that it documents, parsers that its
//! methods run, and what they read by themselves.

use rustc_hash::FxHashSet;

use super::{ARGUMENTS, models, responses};
use crate::evaluate::{Evaluator, Made, NodeId, Value, last};
use crate::frameworks::by_hand::{self, Reach};
use crate::frameworks::{Route, Schemas, returned, taken};
use crate::languages::json_schema::literal_value;
use crate::languages::walk;
use crate::model::program::{Expr, ExprKind, Stmt};
use crate::model::{
    Additional, Body, Field, Kind, Method, Object, Parameter, ParameterPlace, PathTemplate, Request, Shape, ShapeId,
};
use crate::text::Span;

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let mut request = by_hand::requests(evaluator, schemas, route, method, Reach::Global);
    let in_path: FxHashSet<String> = PathTemplate::new(route.path).parameters().map(str::to_owned).collect();
    let mut reader =
        Reader { evaluator, schemas, request: &mut request, in_path, fields: Vec::new(), has_files: false };
    for decorators in responses::decorators_of(reader.evaluator, route.handler) {
        for decorator in decorators {
            if let Value::Made(made) = decorator {
                reader.decorator(&made, method);
            }
        }
    }
    if let Some(Value::Dict(doc)) = route.draft.options.named("doc") {
        let doc = doc.borrow();
        if let Some(parameters) = doc.get_str("params") {
            reader.documented(parameters, route.draft.site);
        }
    }
    if let Some((function, _)) = returned::function_of(reader.evaluator, route.handler) {
        let parsers = run_parsers(reader.evaluator, &function.node.body, &function.scope);
        for parser in parsers {
            reader.parser(parser);
        }
    }
    reader.finish();
    request
}

/// The parsers whose `parse_args()` a function calls.
fn run_parsers<'p>(evaluator: &mut Evaluator<'p>, body: &'p [Stmt], scope: &crate::evaluate::Scope<'p>) -> Vec<NodeId> {
    let mut asked: Vec<&'p Expr> = Vec::new();
    let mut blocks: Vec<&'p [Stmt]> = vec![body];
    while let Some(block) = blocks.pop() {
        for statement in block {
            let mut left: Vec<&'p Expr> = Vec::new();
            walk::expressions(statement, &mut |expr| left.push(expr));
            walk::blocks(statement, &mut |inner| blocks.push(inner));
            while let Some(expr) = left.pop() {
                if let ExprKind::Call { callee, .. } = &expr.kind
                    && let ExprKind::Member { object, name } = &callee.kind
                    && name == "parse_args"
                {
                    asked.push(object);
                }
                walk::inner(expr, &mut |inner| left.push(inner));
            }
        }
    }
    let mut found = Vec::new();
    for object in asked {
        if let Value::Node(id) = evaluator.evaluate(object, scope)
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    found
}

struct Reader<'r, 'p> {
    evaluator: &'r mut Evaluator<'p>,
    schemas: &'r mut Schemas<'p>,
    request: &'r mut Request,
    in_path: FxHashSet<String>,
    /// Fields of a form that parsers read.
    fields: Vec<Field>,
    has_files: bool,
}

impl<'p> Reader<'_, 'p> {
    fn decorator(&mut self, made: &Made<'p>, method: Method) {
        let has_body = !matches!(method, Method::Get | Method::Head);
        match last(&made.path) {
            "expect" => {
                for expected in made.args.positional.clone() {
                    self.expected(&expected, has_body, made.site);
                }
            }
            "doc" => {
                if let Some(parameters) = made.args.named("params") {
                    self.documented(&parameters.clone(), made.site);
                }
                for name in ["body", "parser", "expect"] {
                    let given = made.args.named(name).cloned();
                    let several = given.as_ref().and_then(Value::elements).filter(|_| name == "expect");
                    for one in several.unwrap_or_else(|| given.into_iter().collect()) {
                        self.expected(&one, has_body, made.site);
                    }
                }
            }
            "param" => {
                let Some(Value::Str(name)) = made.args.get(0, "name") else { return };
                let place = made.args.get(2, "_in").and_then(Value::as_str).unwrap_or("query").to_owned();
                let required = matches!(made.args.named("required"), Some(Value::Bool(true)));
                let kind = made.args.named("type").cloned();
                self.parameter(name, &place, kind.as_ref(), required, made.site);
            }
            _ => {}
        }
    }

    /// A model, a list of one, or a parser.
    fn expected(&mut self, expected: &Value<'p>, has_body: bool, site: Span) {
        let expected = match expected {
            // With a description.
            Value::Tuple(parts) => parts.first().cloned().unwrap_or(Value::None),
            other => other.clone(),
        };
        match &expected {
            Value::Node(parser) => self.parser(*parser),
            Value::Bool(_) | Value::None => {}
            model if has_body => {
                let shape = models::shape(self.evaluator, self.schemas.python(), model, Some(site), 0);
                let shape = taken_of(self.schemas, shape);
                self.request.other_bodies = None;
                self.request.bodies = vec![Body { media: taken::JSON.to_owned(), shape, span: site, required: true }];
            }
            _ => {}
        }
    }

    /// `params={"id": "words", "page": {"in": "query", "type": "integer"}}`
    fn documented(&mut self, parameters: &Value<'p>, site: Span) {
        let Value::Dict(parameters) = parameters else { return };
        for (name, given) in &parameters.borrow().entries {
            let Some(name) = name.as_str() else { continue };
            let (place, kind, required) = match given {
                Value::Dict(given) => {
                    let given = given.borrow();
                    let place = given.get_str("in").and_then(Value::as_str).unwrap_or("query").to_owned();
                    let required = matches!(given.get_str("required"), Some(Value::Bool(true)));
                    (place, given.get_str("type").cloned(), required)
                }
                _ => ("query".to_owned(), None, false),
            };
            self.parameter(name, &place, kind.as_ref(), required, site);
        }
    }

    fn parameter(&mut self, name: &str, place: &str, kind: Option<&Value<'p>>, required: bool, span: Span) {
        let shape = plain(kind);
        if self.in_path.contains(name) {
            return;
        }
        let place = match place {
            "header" => ParameterPlace::Header,
            "cookie" => ParameterPlace::Cookie,
            "query" => ParameterPlace::Query,
            "formData" => return self.field(name, shape, required, span),
            _ => return,
        };
        let shape = self.schemas.python().table.add(shape);
        taken::declare(self.request, Parameter { name: name.to_owned(), place, required, shape, span });
    }

    fn field(&mut self, name: &str, shape: Shape, required: bool, span: Span) {
        let shape = self.schemas.python().table.add(shape);
        self.fields.retain(|known| known.name != name);
        let (name, always) = (name.to_owned(), required);
        self.fields.push(Field { name, shape, required, always, span: Some(span), declared: None });
    }

    fn parser(&mut self, parser: NodeId) {
        let arguments = self.evaluator.node(parser).attributes.get(ARGUMENTS).and_then(Value::elements);
        let mut body: Vec<Field> = Vec::new();
        for argument in arguments.unwrap_or_default() {
            let Value::Made(made) = argument else { continue };
            let (Some(Value::Str(name)), span) = (made.args.get(0, "name"), made.site) else { continue };
            let required = matches!(made.args.named("required"), Some(Value::Bool(true)));
            let mut shape = plain(made.args.named("type"));
            if let Some(values) = made.args.named("choices").and_then(Value::elements) {
                shape.values = values.iter().map(literal_value).collect::<Option<Vec<_>>>().filter(|it| !it.is_empty());
            }
            if matches!(made.args.named("action").and_then(Value::as_str), Some("append" | "split")) {
                let items = self.schemas.python().table.add(shape);
                shape = Shape::new(Kind::Array { prefix: Vec::new(), items: Some(items) });
            }
            match made.args.named("location").and_then(Value::as_str) {
                Some("json") => {
                    let shape = self.schemas.python().table.add(shape);
                    let (name, always) = (name.to_string(), required);
                    body.push(Field { name, shape, required, always, span: Some(span), declared: None });
                }
                Some("form") => self.field(name, shape, required, span),
                Some("files") => {
                    self.has_files = true;
                    shape.format = Some("binary".to_owned());
                    shape.kind = Kind::String;
                    self.field(name, shape, required, span);
                }
                location => {
                    let place = match location {
                        Some("headers") => ParameterPlace::Header,
                        Some("cookies") => ParameterPlace::Cookie,
                        _ => ParameterPlace::Query,
                    };
                    let shape = self.schemas.python().table.add(shape);
                    taken::declare(self.request, Parameter { name: name.to_string(), place, required, shape, span });
                }
            }
        }
        if let Some(span) = body.first().and_then(|field| field.span) {
            let shape = Shape::new(Kind::Object(Object { fields: body, additional: Additional::Open }));
            let shape = self.schemas.python().table.add(shape);
            self.request.bodies.retain(|body| body.media != taken::JSON);
            self.request.bodies.push(Body { media: taken::JSON.to_owned(), shape, span, required: true });
        }
    }

    /// Puts the fields of a form together.
    fn finish(&mut self) {
        let fields = std::mem::take(&mut self.fields);
        let Some(span) = fields.first().and_then(|field| field.span) else { return };
        let required = fields.iter().any(|field| field.required);
        let media = if self.has_files { taken::MULTIPART } else { taken::URLENCODED };
        let shape = Shape::new(Kind::Object(Object { fields, additional: Additional::Open }));
        let shape = self.schemas.python().table.add(shape);
        self.request.bodies.retain(|body| body.media != media);
        self.request.bodies.push(Body { media: media.to_owned(), shape, span, required });
    }
}

/// The type that a parser or the documentation names.
fn plain(kind: Option<&Value>) -> Shape {
    let name = match kind {
        None => return Shape::new(Kind::String),
        Some(Value::External(path)) => last(path).to_owned(),
        Some(Value::Str(name)) => name.to_string(),
        Some(_) => return Shape::new(Kind::Any),
    };
    Shape::new(match name.as_str() {
        "int" | "integer" | "positive" | "natural" => Kind::Integer,
        "float" | "number" => Kind::Number,
        "bool" | "boolean" => Kind::Boolean,
        "str" | "string" | "FileStorage" => Kind::String,
        _ => Kind::Any,
    })
}

/// What a model takes: nothing is there but what is required.
fn taken_of(schemas: &mut Schemas, id: ShapeId) -> ShapeId {
    let python = schemas.python();
    let mut shape = python.table.view(id).shape.into_owned();
    match &mut shape.kind {
        Kind::Object(object) => {
            object.fields.iter_mut().for_each(|field| field.always = field.required);
            python.table.add(shape)
        }
        _ => id,
    }
}
