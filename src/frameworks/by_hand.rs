//! What handlers of Python read of a request by themselves: `request.args.get("page")`, `(await request.json())["name"]`.
//! The names are known; that nothing else is taken is not, because whatever is called may read the request too.

use rustc_hash::FxHashMap;

use super::{Route, Schemas, returned, taken};
use crate::evaluate::{Evaluator, FunctionRef, Scope, Value, last};
use crate::finding::Reason;
use crate::languages::walk;
use crate::model::program::{Arg, CompareOp, Expr, ExprKind, Stmt, StmtKind};
use crate::model::{Additional, Body, Field, Kind, Method, Object, Parameter, ParameterPlace, Request, Shape, ShapeId};
use crate::text::Span;

/// Blocks within blocks that are read; that there are deeper ones is told.
const MAX_DEPTH: u32 = 60;
/// Reads of one handler; that there are more is told.
const MAX_READS: usize = 500;

/// How handlers reach the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// It is their first parameter, or a member of the view.
    Parameter,
    /// It is a name of the library.
    Global,
    /// The handler itself is asked: `self.get_argument("page")`.
    Handler,
}

/// Where a value was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Query,
    Header,
    Cookie,
    Form,
    File,
    Json,
}

struct Read {
    source: Source,
    name: String,
    required: bool,
    shape: Shape,
    span: Span,
}

/// What a route takes with one of its methods, as far as its handler reads it by itself.
pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
    reach: Reach,
) -> Request {
    let site = route.draft.site;
    let Some((function, _)) = returned::function_of(evaluator, route.handler) else {
        return Request::unknown(Reason::new("handler of the route is not known", Some(site)));
    };
    let mut request = Request::default();
    read(evaluator, schemas, &function, reach, method, &mut request);
    request
}

/// Adds what a handler reads by itself; it may read more.
pub(super) fn read<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    reach: Reach,
    method: Method,
    request: &mut Request,
) {
    let mut parameters = function.node.parameters.iter().map(|parameter| parameter.name.as_str());
    let first = parameters.find(|name| !matches!(*name, "self" | "cls")).filter(|_| reach == Reach::Parameter);
    let mut walk = Walk {
        evaluator,
        schemas,
        scope: function.scope.clone(),
        first,
        reach,
        locals: FxHashMap::default(),
        reads: Vec::new(),
        whole: None,
        asked: false,
    };
    walk.block(&function.node.body, true, 0);
    let Walk { reads, whole, asked, .. } = walk;
    let span = function.node.name_span;
    let has_body = !matches!(method, Method::Get | Method::Head);
    let mut bodies: [(Source, Vec<Field>); 3] =
        [(Source::Json, Vec::new()), (Source::Form, Vec::new()), (Source::File, Vec::new())];
    let table = &mut schemas.python().table;
    for found in reads {
        let Read { source, name, required, shape, span } = found;
        let place = match source {
            Source::Query => ParameterPlace::Query,
            Source::Header => ParameterPlace::Header,
            Source::Cookie => ParameterPlace::Cookie,
            body => {
                if let Some((_, fields)) = bodies.iter_mut().find(|(known, _)| *known == body) {
                    put(fields, name, required, || table.add(shape), span);
                }
                continue;
            }
        };
        let same = |known: &&mut Parameter| known.place == place && known.name == name;
        if let Some(known) = request.parameters.iter_mut().find(same) {
            known.required |= required;
        } else {
            let shape = table.add(shape);
            taken::add(request, Parameter { name, place, required, shape, span });
        }
    }
    let why = "what a handler calls may read the request too";
    if has_body {
        let [(_, json), (_, mut form), (_, files)] = bodies;
        let mut object = |fields: Vec<Field>| {
            let rest = table.add(Shape::unknown(why, Some(span)));
            table.add(Shape::new(Kind::Object(Object { fields, additional: Additional::Of(rest) })))
        };
        let mut add = |media: &str, shape: ShapeId| {
            request.bodies.push(Body { media: media.to_owned(), shape, span, required: false });
        };
        if let Some(shape) = whole {
            add(taken::JSON, shape);
        } else if asked || !json.is_empty() {
            add(taken::JSON, object(json));
        }
        let media = if files.is_empty() { taken::URLENCODED } else { taken::MULTIPART };
        form.extend(files);
        if !form.is_empty() {
            add(media, object(form));
        }
        request.other_bodies.get_or_insert_with(|| Reason::new(why, Some(span)));
    }
    request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(span)));
}

fn put(fields: &mut Vec<Field>, name: String, required: bool, shape: impl FnOnce() -> ShapeId, span: Span) {
    if let Some(field) = fields.iter_mut().find(|field| field.name == name) {
        field.required |= required;
        field.always |= required;
    } else {
        let shape = shape();
        fields.push(Field { name, shape, required, always: required, span: Some(span), declared: None });
    }
}

struct Walk<'w, 'p> {
    evaluator: &'w mut Evaluator<'p>,
    schemas: &'w mut Schemas<'p>,
    scope: Scope<'p>,
    /// The parameter that is the request.
    first: Option<&'p str>,
    reach: Reach,
    /// Names that stand for a part of the request.
    locals: FxHashMap<&'p str, Source>,
    reads: Vec<Read>,
    /// The shape of the whole body, where a model reads it.
    whole: Option<ShapeId>,
    /// The body is read as JSON.
    asked: bool,
}

impl<'p> Walk<'_, 'p> {
    /// `certain`: whether the block runs whatever is sent.
    fn block(&mut self, block: &'p [Stmt], certain: bool, depth: u32) {
        if depth > MAX_DEPTH {
            let place = block.first().map(|statement| statement.span);
            self.evaluator.cut_reading("blocks of a handler, more than 60 within one another", place);
            return;
        }
        let mut certain = certain;
        for statement in block {
            let mut found: Vec<&'p Expr> = Vec::new();
            walk::expressions(statement, &mut |expr| found.push(expr));
            for expr in found {
                self.expression(expr, certain);
            }
            if let StmtKind::Assign { targets, value } = &statement.kind
                && let [Expr { kind: ExprKind::Name(name), .. }] = targets.as_slice()
            {
                match self.source(value) {
                    Some(source) => drop(self.locals.insert(name, source)),
                    None => drop(self.locals.remove(name.as_str())),
                }
            }
            let within = certain && matches!(statement.kind, StmtKind::With { .. });
            let mut blocks: Vec<&'p [Stmt]> = Vec::new();
            walk::blocks(statement, &mut |inner| blocks.push(inner));
            if let StmtKind::Function(inner) = &statement.kind {
                blocks.push(&inner.body);
            }
            // What follows runs only where nothing was returned before.
            certain &= within || !blocks.iter().any(|inner| returns(inner));
            for inner in blocks {
                self.block(inner, within, depth + 1);
            }
        }
    }

    fn expression(&mut self, expr: &'p Expr, certain: bool) {
        let mut left = vec![(expr, certain)];
        while let Some((expr, certain)) = left.pop() {
            self.look(expr, certain);
            let decides = matches!(
                expr.kind,
                ExprKind::Conditional { .. } | ExprKind::Or(..) | ExprKind::And(..) | ExprKind::Comprehension(_)
            );
            walk::inner(expr, &mut |inner| left.push((inner, certain && !decides)));
        }
    }

    fn add(&mut self, source: Source, name: &'p Expr, required: bool, kind: Shape) {
        if self.reads.len() >= MAX_READS {
            self.evaluator.cut("what one handler reads of requests beyond 500 places", Some(name.span));
            return;
        }
        if let Value::Str(text) = self.evaluator.evaluate(name, &self.scope) {
            self.reads.push(Read { source, name: text.to_string(), required, shape: kind, span: name.span });
        }
    }

    /// One expression, not those inside of it.
    fn look(&mut self, expr: &'p Expr, certain: bool) {
        match &expr.kind {
            ExprKind::Index { object, index } => {
                if let (Some(source), [name]) = (self.source(object), index.as_slice()) {
                    self.add(source, name, certain, plain(source));
                }
            }
            ExprKind::Compare { op: CompareOp::In | CompareOp::NotIn, left, right } => {
                if let Some(source) = self.source(right) {
                    self.add(source, left, false, plain(source));
                }
            }
            ExprKind::Call { callee, args, .. } => self.call(expr, callee, args, certain),
            _ => {}
        }
        if self.source(expr) == Some(Source::Json) {
            self.asked = true;
        }
    }

    fn call(&mut self, expr: &'p Expr, callee: &'p Expr, args: &'p [Arg], certain: bool) {
        let first = match args.first() {
            Some(Arg::Positional(first) | Arg::KeywordSpread(first)) => Some(first),
            _ => None,
        };
        if let (ExprKind::Member { object, name }, Some(first)) = (&callee.kind, first) {
            if let Some(source) = self.source(object) {
                match name.as_str() {
                    "get" | "pop" => {
                        let shape = typed(args).unwrap_or_else(|| plain(source));
                        self.add(source, first, false, shape);
                    }
                    "getlist" | "getall" | "get_all" | "get_list" => {
                        self.add(source, first, false, Shape::new(Kind::Any));
                    }
                    _ => {}
                }
            }
            // `self.get_argument("page", None)` of tornado.
            if self.reach == Reach::Handler && matches!(&object.kind, ExprKind::Name(name) if name == "self") {
                let source = match name.as_str() {
                    "get_argument" | "get_query_argument" => Some((Source::Query, Kind::String)),
                    "get_arguments" | "get_query_arguments" => Some((Source::Query, Kind::Any)),
                    "get_body_argument" => Some((Source::Form, Kind::String)),
                    "get_cookie" | "get_secure_cookie" => Some((Source::Cookie, Kind::String)),
                    _ => None,
                };
                if let Some((source, kind)) = source {
                    let required =
                        certain && args.len() == 1 && matches!(kind, Kind::String) && source != Source::Cookie;
                    self.add(source, first, required, Shape::new(kind));
                }
            }
        }
        if let Some(first) = first
            && self.source(first) == Some(Source::Json)
            && let Some(shape) = self.model(callee, expr.span)
        {
            self.whole.get_or_insert(shape);
        }
    }

    /// What reads the whole body: `schema.load(data)`, `Model(**data)`, `Model.model_validate(data)`.
    fn model(&mut self, callee: &'p Expr, span: Span) -> Option<ShapeId> {
        let python = self.schemas.python();
        match &callee.kind {
            ExprKind::Member { object, name } if name == "load" => {
                let schema = self.evaluator.evaluate(object, &self.scope);
                python.taken_marshmallow(self.evaluator, &schema, Some(span))
            }
            ExprKind::Member { object, name } if matches!(name.as_str(), "model_validate" | "parse_obj") => {
                let model = self.evaluator.evaluate(object, &self.scope);
                crate::languages::python::schema::is_model(self.evaluator, &model)
                    .then(|| python.taken_shape(self.evaluator, &model, Some(span)))
            }
            ExprKind::Name(_) => {
                let model = self.evaluator.evaluate(callee, &self.scope);
                crate::languages::python::schema::is_model(self.evaluator, &model)
                    .then(|| python.taken_shape(self.evaluator, &model, Some(span)))
            }
            _ => None,
        }
    }

    /// Whether an expression is the request.
    fn is_request(&mut self, expr: &'p Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) if self.first == Some(name) => true,
            ExprKind::Name(name) if self.reach == Reach::Global && name.contains("request") => {
                let value = self.evaluator.evaluate(expr, &self.scope);
                value.as_external().is_some_and(|path| {
                    matches!(path.split('.').next(), Some("flask" | "quart")) && last(path) == "request"
                })
            }
            ExprKind::Member { object, name } => {
                let of = if self.reach == Reach::Global { "flask" } else { "self" };
                name == "request" && matches!(&object.kind, ExprKind::Name(object) if object == of)
            }
            _ => false,
        }
    }

    /// Which part of the request an expression stands for.
    fn source(&mut self, expr: &'p Expr) -> Option<Source> {
        let mut expr = expr;
        loop {
            match &expr.kind {
                ExprKind::Await(inner) | ExprKind::Named { value: inner, .. } => expr = inner,
                // `request.get_json() or {}`
                ExprKind::Or(first, _) => expr = first,
                _ => break,
            }
        }
        match &expr.kind {
            ExprKind::Name(name) => self.locals.get(name.as_str()).copied(),
            ExprKind::Member { object, name } => {
                let source = match name.as_str() {
                    "args" | "query_params" | "query" | "values" => Source::Query,
                    "headers" => Source::Header,
                    "cookies" => Source::Cookie,
                    "form" if self.reach == Reach::Global => Source::Form,
                    "files" => Source::File,
                    "json" if self.reach == Reach::Global => Source::Json,
                    _ => return None,
                };
                let object = match &object.kind {
                    ExprKind::Member { object, name } if matches!(name.as_str(), "rel_url" | "url") => object,
                    _ => object,
                };
                self.is_request(object).then_some(source)
            }
            ExprKind::Call { callee, args, .. } => match &callee.kind {
                ExprKind::Member { object, name } => match name.as_str() {
                    "get_json" | "json" if self.is_request(object) => Some(Source::Json),
                    "form" | "post" if self.is_request(object) => Some(Source::Form),
                    "get_json_body" if matches!(&object.kind, ExprKind::Name(name) if name == "self") => {
                        Some(Source::Json)
                    }
                    "loads" | "json_decode" => self.raw_body(args.first()?.value()).then_some(Source::Json),
                    _ => None,
                },
                ExprKind::Name(name) if matches!(name.as_str(), "loads" | "json_decode") => {
                    self.raw_body(args.first()?.value()).then_some(Source::Json)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `request.body`, `request.data`, `await request.text()`
    fn raw_body(&mut self, expr: &'p Expr) -> bool {
        let expr = if let ExprKind::Await(inner) = &expr.kind { inner } else { expr };
        let member = if let ExprKind::Call { callee, .. } = &expr.kind { callee } else { expr };
        match &member.kind {
            ExprKind::Member { object, name } => {
                matches!(name.as_str(), "body" | "data" | "text" | "read" | "get_data") && self.is_request(object)
            }
            _ => false,
        }
    }
}

/// Whether a block, or one inside of it, returns.
fn returns(block: &[Stmt]) -> bool {
    let mut left = vec![block];
    while let Some(block) = left.pop() {
        for statement in block {
            if matches!(statement.kind, StmtKind::Return(_)) {
                return true;
            }
            walk::blocks(statement, &mut |inner| left.push(inner));
        }
    }
    false
}

/// What a single value of a source is.
fn plain(source: Source) -> Shape {
    match source {
        Source::Json => Shape::new(Kind::Any),
        Source::File => {
            let mut shape = Shape::new(Kind::String);
            shape.format = Some("binary".to_owned());
            shape
        }
        _ => Shape::new(Kind::String),
    }
}

/// `get("page", type=int)`
fn typed(args: &[Arg]) -> Option<Shape> {
    args.iter().find_map(|arg| match arg {
        Arg::Keyword(name, Expr { kind: ExprKind::Name(kind), .. }) if name == "type" => {
            Some(Shape::new(match kind.as_str() {
                "int" => Kind::Integer,
                "float" => Kind::Number,
                "str" => Kind::String,
                _ => Kind::Any,
            }))
        }
        _ => None,
    })
}
