//! Services to facts.

use std::collections::VecDeque;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::format::{
    At, BodyFacts, CallFacts, FieldFacts, File, Known, LimitFacts, MessageFacts, ModelFacts, OperationFacts,
    ParameterFacts, RequestFacts, ResponseFacts, ServiceFacts, ShapeFacts, ShapeRef, UnreadFacts, UrlFacts, Value, Why,
};
use super::{FORMAT, prefix};
use crate::finding::Reason;
use crate::model::{
    Action, Additional, Body, HttpCall, Kind, Limits, Literal, MessageUse, Method, Operation, Parameter, Response,
    Shape, ShapeId, Status,
};
use crate::project::{Project, Service};
use crate::text::{Sources, Span};

/// Chains of references that say nothing are looked through this far; the rest of a longer one is written as it is.
const MAX_CHAIN: usize = 64;

/// The facts of every service that has any, as compact JSON. `here` is the name of the directory that names are relative
/// to, for a service that is known by no other.
pub fn write(project: &Project, here: &str) -> String {
    let services = project.services.iter().filter(|service| has_any(service));
    let services = services.map(|service| Writer::new(service, &project.sources).service(here)).collect();
    let file = File { format: FORMAT, services };
    // Strings, numbers and lists of them: nothing that could not be written.
    serde_json::to_string(&file).unwrap_or_default() + "\n"
}

fn has_any(service: &Service) -> bool {
    !(service.operations.is_empty()
        && service.messages.is_empty()
        && service.calls.is_empty()
        && service.models.is_empty()
        && service.unread.is_empty())
}

struct Writer<'w> {
    service: &'w Service,
    sources: &'w Sources,
    files: IndexMap<String, ()>,
    /// Numbers of shapes, and those that are still to be written.
    numbers: FxHashMap<ShapeId, u32>,
    waiting: VecDeque<ShapeId>,
    count: u32,
}

impl<'w> Writer<'w> {
    fn new(service: &'w Service, sources: &'w Sources) -> Self {
        Writer {
            service,
            sources,
            files: IndexMap::new(),
            numbers: FxHashMap::default(),
            waiting: VecDeque::new(),
            count: 0,
        }
    }

    fn service(mut self, here: &str) -> ServiceFacts {
        let service = self.service;
        let mut facts = ServiceFacts {
            name: if service.is_nameless() { here } else { &service.name }.to_owned(),
            root: if service.root.starts_with('/') { String::new() } else { service.root.clone() },
            unsupported: service.unsupported.clone(),
            ..ServiceFacts::default()
        };
        facts.serves = service.operations.iter().map(|operation| self.operation(operation)).collect();
        facts.calls = service.calls.iter().map(|call| self.call(call)).collect();
        facts.messages = service.messages.iter().map(|message| self.message(message)).collect();
        for model in &service.models {
            let (shape, at) = (self.shape(model.shape), self.at(model.span));
            facts.declares.push(ModelFacts { name: model.name.clone(), shape, at, message: model.message.clone() });
        }
        let method = |method: Option<Method>| method.map(|method| method.name().to_owned());
        let unread = service.unread.iter();
        facts.unread = unread
            .map(|it| UnreadFacts {
                path: it.path.clone(),
                method: method(it.method),
                reach: Some(it.reach.name().to_owned()),
                reason: Some(self.why(&it.reason)),
            })
            .collect();
        facts.unknown = service.unknown.iter().map(|reason| self.why(reason)).collect();
        while let Some(id) = self.waiting.pop_front() {
            let shape = self.full(id);
            facts.shapes.push(shape);
        }
        facts.files = self.files.into_keys().collect();
        facts
    }

    fn at(&mut self, span: Span) -> At {
        let path = self.sources.path(span);
        // From its folder on: where that lies is of no matter elsewhere.
        let front = if self.service.scanned { format!("{}/", self.service.root) } else { prefix(&self.service.name) };
        let path = path.strip_prefix(&front).unwrap_or(path);
        let at = match self.files.get_index_of(path) {
            Some(at) => at,
            None => self.files.insert_full(path.to_owned(), ()).0,
        };
        (at as u32, self.sources.positions(span).0.line)
    }

    fn why(&mut self, reason: &Reason) -> Why {
        Why { why: reason.text.clone(), at: reason.span.map(|span| self.at(span)) }
    }

    fn known<T, F>(&mut self, value: &Result<T, Reason>, write: impl Fn(&T) -> F) -> Known<F> {
        match value {
            Ok(value) => Known::Is(write(value)),
            Err(reason) => Known::Not(self.why(reason)),
        }
    }

    fn operation(&mut self, operation: &Operation) -> OperationFacts {
        let code = operation.implementation.as_ref();
        let request = &operation.request;
        OperationFacts {
            method: operation.method.name().to_owned(),
            path: operation.path.text().to_owned(),
            at: self.at(operation.span),
            handler: code.map(|code| code.handler.clone()).unwrap_or_default(),
            handler_at: code.and_then(|code| code.handler_span).map(|span| self.at(span)),
            takes: RequestFacts {
                parameters: request.parameters.iter().map(|it| self.parameter(it)).collect(),
                bodies: request.bodies.iter().map(|it| self.body(it)).collect(),
                other_parameters: request.other_parameters.as_ref().map(|reason| self.why(reason)),
                other_bodies: request.other_bodies.as_ref().map(|reason| self.why(reason)),
                unchecked: request.unchecked,
                parsed: request.parsed,
            },
            answers: operation.responses.iter().map(|it| self.response(it)).collect(),
            deprecated: operation.deprecated,
            hidden: code.is_some_and(|code| code.hidden),
            conditional: code.is_some_and(|code| code.conditional),
            unmounted: code.is_some_and(|code| !code.mounted),
            any_case: code.is_some_and(|code| code.any_case),
            unknown: code.map(|code| code.unknown.iter().map(|it| self.why(it)).collect()).unwrap_or_default(),
        }
    }

    fn parameter(&mut self, parameter: &Parameter) -> ParameterFacts {
        let place = parameter.place.name();
        ParameterFacts {
            name: parameter.name.clone(),
            place: place.to_owned(),
            shape: self.shape(parameter.shape),
            required: parameter.required,
            at: self.at(parameter.span),
        }
    }

    fn body(&mut self, body: &Body) -> BodyFacts {
        let (shape, at) = (self.shape(body.shape), self.at(body.span));
        BodyFacts { media: body.media.clone(), shape, required: body.required, at }
    }

    fn response(&mut self, response: &Response) -> ResponseFacts {
        let status = match &response.status {
            Status::Unknown(reason) => Known::Not(self.why(reason)),
            known => Known::Is(known.name()),
        };
        let bodies = response.bodies.iter().map(|it| self.body(it)).collect();
        ResponseFacts { status, bodies, at: self.at(response.span) }
    }

    fn call(&mut self, call: &HttpCall) -> CallFacts {
        CallFacts {
            method: self.known(&call.method, |method| method.name().to_owned()),
            url: self.known(&call.url, |url| UrlFacts {
                host: url.host.clone(),
                path: url.path.text().to_owned(),
                partial: !url.whole,
            }),
            parameters: call.parameters.iter().map(|it| self.parameter(it)).collect(),
            other_parameters: call.other_parameters.as_ref().map(|reason| self.why(reason)),
            other_members: call.other_members.as_ref().map(|reason| self.why(reason)),
            body: call.body.as_ref().map(|body| self.body(body)),
            answer: call.answer.map(|answer| self.shape(answer)),
            doubt: call.doubt.as_ref().map(|reason| self.why(reason)),
            at: self.at(call.span),
            function: call.function.clone(),
        }
    }

    fn message(&mut self, message: &MessageUse) -> MessageFacts {
        let action = match message.action {
            Action::Send => "send",
            Action::Receive => "receive",
        };
        MessageFacts {
            action: action.to_owned(),
            channel: self.known(&message.channel, Clone::clone),
            setting: message.setting.clone(),
            message: message.message.clone(),
            payload: message.payload.map(|payload| self.shape(payload)),
            at: self.at(message.span),
            function: message.function.clone(),
        }
    }

    /// A word, or the number of a shape that is written in its turn.
    fn shape(&mut self, id: ShapeId) -> ShapeRef {
        let mut id = id;
        for _ in 0..MAX_CHAIN {
            match self.service.shapes.get(id) {
                shape @ Shape { kind: Kind::Ref(target), .. } if says_nothing(shape) && !shape.nullable => id = *target,
                _ => break,
            }
        }
        if let Some(word) = word(self.service.shapes.get(id)) {
            return ShapeRef::Word(word);
        }
        if let Some(known) = self.numbers.get(&id) {
            return ShapeRef::At(*known);
        }
        let number = self.count;
        self.count += 1;
        self.numbers.insert(id, number);
        self.waiting.push_back(id);
        ShapeRef::At(number)
    }

    fn full(&mut self, id: ShapeId) -> ShapeFacts {
        let shape = self.service.shapes.get(id);
        let mut facts = ShapeFacts {
            is: kind_word(&shape.kind).to_owned(),
            name: shape.name.clone(),
            title: shape.title.clone(),
            at: shape.span.map(|span| self.at(span)),
            null: shape.nullable,
            null_open: shape.null_open,
            format: shape.format.clone(),
            values: shape.values.as_ref().map(|values| values.iter().map(value).collect()),
            read_only: shape.read_only,
            write_only: shape.write_only,
            deprecated: shape.deprecated,
            limits: shape.limits.as_deref().map(limits),
            ..ShapeFacts::default()
        };
        match &shape.kind {
            Kind::Unknown(reason) => facts.why = Some(self.why(reason)),
            Kind::Array { prefix, items } => {
                facts.prefix = prefix.iter().map(|it| self.shape(*it)).collect();
                facts.items = items.map(|it| self.shape(it));
            }
            Kind::Object(object) => {
                for field in &object.fields {
                    let field = FieldFacts {
                        name: field.name.clone(),
                        shape: self.shape(field.shape),
                        required: field.required,
                        always: (field.always != field.required).then_some(field.always),
                        at: field.span.map(|span| self.at(span)),
                        declared: field.declared.clone(),
                    };
                    facts.fields.push(field);
                }
                match object.additional {
                    Additional::Open => {}
                    Additional::Closed => facts.closed = true,
                    Additional::Of(more) => facts.more = Some(self.shape(more)),
                }
            }
            Kind::Union(union) => {
                facts.of = union.options.iter().map(|it| self.shape(*it)).collect();
                facts.exclusive = union.exclusive;
                facts.by.clone_from(&union.discriminator);
            }
            Kind::Either(parts) | Kind::All(parts) => facts.of = parts.iter().map(|it| self.shape(*it)).collect(),
            Kind::Ref(target) => facts.of = vec![self.shape(*target)],
            _ => {}
        }
        facts
    }
}

/// Whether nothing is said beside the kind, the format and null. The place of a shape that has no name is that of who
/// uses it.
fn says_nothing(shape: &Shape) -> bool {
    let Shape { null_open, name, title, values, read_only, write_only, deprecated, limits, .. } = shape;
    !(*null_open || *read_only || *write_only || *deprecated)
        && name.is_none()
        && title.is_none()
        && values.is_none()
        && limits.is_none()
}

/// `string:uuid?`, where that says it all.
fn word(shape: &Shape) -> Option<String> {
    let is_leaf = matches!(
        shape.kind,
        Kind::Any
            | Kind::Never
            | Kind::Null
            | Kind::Boolean
            | Kind::Integer
            | Kind::Number
            | Kind::Numeric
            | Kind::String
    );
    let format = shape.format.as_deref();
    if !is_leaf || !says_nothing(shape) || format.is_some_and(|format| format.is_empty() || format.ends_with('?')) {
        return None;
    }
    let (colon, format) = format.map_or(("", ""), |format| (":", format));
    Some(format!("{}{colon}{format}{}", kind_word(&shape.kind), if shape.nullable { "?" } else { "" }))
}

pub(super) fn kind_word(kind: &Kind) -> &'static str {
    match kind {
        Kind::Unknown(_) => "unknown",
        Kind::Any => "any",
        Kind::Never => "never",
        Kind::Null => "null",
        Kind::Boolean => "boolean",
        Kind::Integer => "integer",
        Kind::Number => "number",
        Kind::Numeric => "numeric",
        Kind::String => "string",
        Kind::Array { .. } => "array",
        Kind::Object(_) => "object",
        Kind::Union(_) => "union",
        Kind::Either(_) => "either",
        Kind::All(_) => "all",
        Kind::Ref(_) => "same",
    }
}

fn value(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Null(()),
        Literal::Boolean(value) => Value::Boolean(*value),
        Literal::Number(text) => Value::Number { number: text.clone() },
        Literal::String(text) => Value::Text(text.clone()),
        Literal::Other(text) => Value::Json { json: text.clone() },
    }
}

fn limits(limits: &Limits) -> LimitFacts {
    let limits = limits.clone();
    LimitFacts {
        minimum: limits.minimum,
        maximum: limits.maximum,
        exclusive_minimum: limits.exclusive_minimum,
        exclusive_maximum: limits.exclusive_maximum,
        multiple_of: limits.multiple_of,
        min_length: limits.min_length,
        max_length: limits.max_length,
        min_items: limits.min_items,
        max_items: limits.max_items,
        unique_items: limits.unique_items,
        min_properties: limits.min_properties,
        max_properties: limits.max_properties,
        pattern: limits.pattern,
        default: limits.default.as_ref().map(value),
    }
}
