//! Facts to services. Whatever a file holds, something comes of it: what cannot be read is a problem.

use rustc_hash::FxHashMap;

use super::format::{
    At, BodyFacts, CallFacts, File, Head, Known, LimitFacts, MessageFacts, OperationFacts, ParameterFacts,
    RequestFacts, ResponseFacts, ServiceFacts, ShapeFacts, ShapeRef, Value, Why,
};
use super::{FORMAT, prefix};
use crate::finding::{Problem, ProblemKind, Reason};
use crate::model::{
    Action, Additional, Body, Field, HttpCall, Implementation, Kind, Limits, Literal, MessageUse, Method, Model,
    Object, Operation, Parameter, ParameterPlace, PathTemplate, Reach, Request, Response, Shape, ShapeId, ShapeTable,
    Status, Union, Unread, Url,
};
use crate::project::Service;
use crate::text::{FileId, SourceFile, Sources, Span};

/// What facts stand for where code names a library or framework.
const ELSEWHERE: &str = "facts";
/// Why a part of a service is not known where its facts do not tell.
const NOT_READ: &str = "a part of the service could not be read";

/// Reads a file of facts; `path` is how it is called in problems. The files that its services name are added to
/// `sources`, without text.
pub fn read(path: &str, text: &str, sources: &mut Sources) -> (Vec<Service>, Vec<Problem>) {
    let problem = |message: String| {
        let help = "write it anew with `treaty extract --as facts`";
        (Vec::new(), vec![Problem::new(ProblemKind::InvalidFacts, path, message).with_help(help)])
    };
    match serde_json::from_str::<Head>(text) {
        Err(error) => return problem(format!("it holds no facts: {error}")),
        Ok(Head { format }) if format != FORMAT => {
            return problem(format!("its format is {format}, and {FORMAT} is what this version reads"));
        }
        Ok(_) => {}
    }
    let file: File = match serde_json::from_str(text) {
        Ok(file) => file,
        Err(error) => return problem(format!("its facts cannot be read: {error}")),
    };
    let mut problems = Vec::new();
    let services = file.services.iter().map(|facts| {
        let mut reader = Reader::new(facts, sources);
        let service = reader.service(facts);
        let about = format!("{} of `{}` cannot be read", reader.wrong.join(", "), facts.name);
        problems.extend((!reader.wrong.is_empty()).then(|| Problem::new(ProblemKind::InvalidFacts, path, about)));
        service
    });
    (services.collect(), problems)
}

struct Reader {
    files: Vec<FileId>,
    /// Stands for a file that is named nowhere.
    nowhere: FileId,
    shapes: ShapeTable,
    /// Shapes of the file; the first ones of the table.
    count: usize,
    words: FxHashMap<String, ShapeId>,
    wrong: Vec<&'static str>,
}

impl Reader {
    fn new(facts: &ServiceFacts, sources: &mut Sources) -> Self {
        let mut add = |path: &str| sources.add(SourceFile::elsewhere(format!("{}{path}", prefix(&facts.name))));
        let files: Vec<FileId> = facts.files.iter().map(|path| add(path)).collect();
        let nowhere = files.first().copied().unwrap_or_else(|| add("?"));
        let mut shapes = ShapeTable::default();
        facts.shapes.iter().for_each(|_| {
            shapes.reserve();
        });
        let count = facts.shapes.len();
        Reader { files, nowhere, shapes, count, words: FxHashMap::default(), wrong: Vec::new() }
    }

    fn service(&mut self, facts: &ServiceFacts) -> Service {
        for (at, shape) in facts.shapes.iter().enumerate() {
            let shape = self.full(shape);
            self.shapes.set(ShapeId(at as u32), shape);
        }
        let operations = facts.serves.iter().filter_map(|it| self.operation(it)).collect();
        let calls = facts.calls.iter().map(|it| self.call(it)).collect();
        let messages = facts.messages.iter().filter_map(|it| self.message(it)).collect();
        let model = |it: &super::format::ModelFacts| Model {
            name: it.name.clone(),
            shape: self.shape(&it.shape),
            span: self.span(it.at),
            message: it.message.clone(),
        };
        let models = facts.declares.iter().map(model).collect();
        let unknown = facts.unknown.iter().map(|it| self.reason(it)).collect();
        let unread = facts.unread.iter().map(|it| {
            let method = it.method.as_deref().and_then(Method::parse);
            let usual = if method.is_some() { Reach::Route } else { Reach::Below };
            let reach = it.reach.as_deref().and_then(Reach::parse).unwrap_or(usual);
            let reason = it.reason.as_ref().map_or_else(|| Reason::new(NOT_READ, None), |why| self.reason(why));
            Unread { path: it.path.clone(), method, reach, reason }
        });
        let unread = unread.collect();
        Service {
            name: facts.name.clone(),
            root: facts.root.clone(),
            scanned: false,
            operations,
            messages,
            calls,
            models,
            shapes: std::mem::take(&mut self.shapes),
            unknown,
            unread,
            routings: Vec::new(),
            frameworks: Vec::new(),
            unsupported: facts.unsupported.clone(),
            files: facts.files.len(),
        }
    }

    /// Notes once that something of this kind is wrong.
    fn note(&mut self, what: &'static str) {
        if !self.wrong.contains(&what) {
            self.wrong.push(what);
        }
    }

    fn span(&mut self, (file, line): At) -> Span {
        let file = if let Some(file) = self.files.get(file as usize) {
            *file
        } else {
            self.note("a place in a file that is not listed");
            self.nowhere
        };
        Span { file, start: line, end: line }
    }

    fn reason(&mut self, why: &Why) -> Reason {
        Reason { text: why.why.clone(), span: why.at.map(|at| self.span(at)) }
    }

    fn operation(&mut self, facts: &OperationFacts) -> Option<Operation> {
        let Some(method) = Method::parse(&facts.method) else {
            self.note("a method");
            return None;
        };
        Some(Operation {
            method,
            path: PathTemplate::new(&facts.path),
            span: self.span(facts.at),
            pointer: String::new(),
            responses: facts.answers.iter().map(|it| self.response(it)).collect(),
            request: self.request(&facts.takes),
            deprecated: facts.deprecated,
            id: None,
            extensions: Vec::new(),
            planned: false,
            implementation: Some(Implementation {
                framework: ELSEWHERE,
                handler: facts.handler.clone(),
                handler_span: facts.handler_at.map(|at| self.span(at)),
                mounts: Vec::new(),
                hidden: facts.hidden,
                conditional: facts.conditional,
                when: Vec::new(),
                mounted: !facts.unmounted,
                any_case: facts.any_case,
                versions: Vec::new(),
                unknown: facts.unknown.iter().map(|it| self.reason(it)).collect(),
            }),
        })
    }

    fn request(&mut self, facts: &RequestFacts) -> Request {
        Request {
            parameters: facts.parameters.iter().filter_map(|it| self.parameter(it)).collect(),
            bodies: facts.bodies.iter().map(|it| self.body(it)).collect(),
            other_parameters: facts.other_parameters.as_ref().map(|it| self.reason(it)),
            other_bodies: facts.other_bodies.as_ref().map(|it| self.reason(it)),
            unchecked: facts.unchecked,
            parsed: facts.parsed,
        }
    }

    fn parameter(&mut self, facts: &ParameterFacts) -> Option<Parameter> {
        let Some(place) = ParameterPlace::parse(&facts.place) else {
            self.note("the place of a parameter");
            return None;
        };
        Some(Parameter {
            name: facts.name.clone(),
            place,
            required: facts.required,
            shape: self.shape(&facts.shape),
            span: self.span(facts.at),
        })
    }

    fn body(&mut self, facts: &BodyFacts) -> Body {
        let (shape, span) = (self.shape(&facts.shape), self.span(facts.at));
        Body { media: facts.media.clone(), shape, span, required: facts.required }
    }

    fn response(&mut self, facts: &ResponseFacts) -> Response {
        let status = match &facts.status {
            Known::Not(why) => Status::Unknown(self.reason(why)),
            Known::Is(text) => match (text.as_str(), text.parse(), text.strip_suffix("XX").map(str::parse)) {
                ("default", ..) => Status::Default,
                (_, Ok(code), _) => Status::Code(code),
                (_, _, Some(Ok(class))) => Status::Range(class),
                _ => {
                    self.note("a status");
                    Status::Unknown(Reason::new("the facts name no status", None))
                }
            },
        };
        let bodies = facts.bodies.iter().map(|it| self.body(it)).collect();
        Response { status, bodies, span: self.span(facts.at) }
    }

    fn call(&mut self, facts: &CallFacts) -> HttpCall {
        let method = match &facts.method {
            Known::Is(text) => Method::parse(text).ok_or_else(|| {
                self.note("a method");
                Reason::new("the facts name no method", None)
            }),
            Known::Not(why) => Err(self.reason(why)),
        };
        let url = match &facts.url {
            Known::Is(url) => {
                let path = PathTemplate::new(&url.path);
                Ok(Url { host: url.host.clone(), whole: !url.partial, path })
            }
            Known::Not(why) => Err(self.reason(why)),
        };
        HttpCall {
            library: ELSEWHERE,
            method,
            url,
            origin: None,
            parameters: facts.parameters.iter().filter_map(|it| self.parameter(it)).collect(),
            other_parameters: facts.other_parameters.as_ref().map(|it| self.reason(it)),
            body: facts.body.as_ref().map(|it| self.body(it)),
            other_members: facts.other_members.as_ref().map(|it| self.reason(it)),
            answer: facts.answer.as_ref().map(|it| self.shape(it)),
            doubt: facts.doubt.as_ref().map(|it| self.reason(it)),
            span: self.span(facts.at),
            function: facts.function.clone(),
        }
    }

    fn message(&mut self, facts: &MessageFacts) -> Option<MessageUse> {
        let action = match facts.action.as_str() {
            "send" => Action::Send,
            "receive" => Action::Receive,
            _ => {
                self.note("what is done with a message");
                return None;
            }
        };
        let channel = match &facts.channel {
            Known::Is(channel) => Ok(channel.clone()),
            Known::Not(why) => Err(self.reason(why)),
        };
        Some(MessageUse {
            library: ELSEWHERE,
            action,
            channel,
            setting: facts.setting.clone(),
            message: facts.message.clone(),
            payload: facts.payload.as_ref().map(|it| self.shape(it)),
            span: self.span(facts.at),
            function: facts.function.clone(),
        })
    }

    fn shape(&mut self, facts: &ShapeRef) -> ShapeId {
        match facts {
            ShapeRef::At(at) if (*at as usize) < self.count => ShapeId(*at),
            ShapeRef::At(_) => {
                self.note("a shape that is not listed");
                self.shapes.add(Shape::unknown("the facts do not list it", None))
            }
            ShapeRef::Word(word) => {
                if let Some(known) = self.words.get(word) {
                    return *known;
                }
                let shape = self.of_word(word);
                let id = self.shapes.add(shape);
                self.words.insert(word.clone(), id);
                id
            }
        }
    }

    fn of_word(&mut self, word: &str) -> Shape {
        let (plain, nullable) = word.strip_suffix('?').map_or((word, false), |plain| (plain, true));
        let (kind, format) = plain.split_once(':').map_or((plain, None), |(kind, format)| (kind, Some(format)));
        let kind = self.leaf(kind);
        Shape { nullable, format: format.map(str::to_owned), ..Shape::new(kind) }
    }

    fn leaf(&mut self, word: &str) -> Kind {
        match word {
            "string" => Kind::String,
            "integer" => Kind::Integer,
            "number" => Kind::Number,
            "numeric" => Kind::Numeric,
            "boolean" => Kind::Boolean,
            "null" => Kind::Null,
            "any" => Kind::Any,
            "never" => Kind::Never,
            _ => {
                self.note("a kind of shape");
                Kind::Unknown(Reason::new("the facts name no kind of shape that is known", None))
            }
        }
    }

    fn full(&mut self, facts: &ShapeFacts) -> Shape {
        let mut all = |list: &[ShapeRef]| -> Vec<ShapeId> { list.iter().map(|it| self.shape(it)).collect() };
        let kind = match facts.is.as_str() {
            "unknown" => Kind::Unknown(match &facts.why {
                Some(why) => self.reason(why),
                None => Reason::new("the facts do not say why", None),
            }),
            "array" => {
                let prefix = all(&facts.prefix);
                Kind::Array { prefix, items: facts.items.as_ref().map(|it| self.shape(it)) }
            }
            "object" => Kind::Object(self.object(facts)),
            "union" => Kind::Union(Union {
                options: all(&facts.of),
                discriminator: facts.by.clone(),
                exclusive: facts.exclusive,
            }),
            "either" => Kind::Either(all(&facts.of)),
            "all" => Kind::All(all(&facts.of)),
            "same" => match all(&facts.of).as_slice() {
                [only] => Kind::Ref(*only),
                _ => self.leaf("same as nothing"),
            },
            word => self.leaf(word),
        };
        Shape {
            nullable: facts.null,
            null_open: facts.null_open,
            name: facts.name.clone(),
            title: facts.title.clone(),
            format: facts.format.clone(),
            values: facts.values.as_ref().map(|values| values.iter().map(literal).collect()),
            read_only: facts.read_only,
            write_only: facts.write_only,
            deprecated: facts.deprecated,
            limits: facts.limits.as_ref().map(|it| Box::new(limits(it))),
            span: facts.at.map(|at| self.span(at)),
            ..Shape::new(kind)
        }
    }

    fn object(&mut self, facts: &ShapeFacts) -> Object {
        let mut fields = Vec::with_capacity(facts.fields.len());
        for field in &facts.fields {
            fields.push(Field {
                name: field.name.clone(),
                shape: self.shape(&field.shape),
                required: field.required,
                always: field.always.unwrap_or(field.required),
                span: field.at.map(|at| self.span(at)),
                declared: field.declared.clone(),
            });
        }
        let additional = match (&facts.more, facts.closed) {
            (Some(more), _) => Additional::Of(self.shape(more)),
            (None, true) => Additional::Closed,
            (None, false) => Additional::Open,
        };
        Object { fields, additional }
    }
}

fn literal(value: &Value) -> Literal {
    match value {
        Value::Null(()) => Literal::Null,
        Value::Boolean(value) => Literal::Boolean(*value),
        Value::Text(text) => Literal::String(text.clone()),
        Value::Number { number } => Literal::Number(number.clone()),
        Value::Json { json } => Literal::Other(json.clone()),
    }
}

fn limits(facts: &LimitFacts) -> Limits {
    let facts = facts.clone();
    Limits {
        minimum: facts.minimum,
        maximum: facts.maximum,
        exclusive_minimum: facts.exclusive_minimum,
        exclusive_maximum: facts.exclusive_maximum,
        multiple_of: facts.multiple_of,
        min_length: facts.min_length,
        max_length: facts.max_length,
        min_items: facts.min_items,
        max_items: facts.max_items,
        unique_items: facts.unique_items,
        min_properties: facts.min_properties,
        max_properties: facts.max_properties,
        pattern: facts.pattern,
        default: facts.default.as_ref().map(literal),
        keywords: Vec::new(),
    }
}
