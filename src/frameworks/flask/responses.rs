//! What a view of Flask returns: `jsonify(…)`, a dict or list, a tuple of body and status, a response.

use std::rc::Rc;

use crate::evaluate::{Evaluator, FunctionRef, Value, last};
use crate::frameworks::returned::{self, Answer, Sent};
use crate::frameworks::{Route, Schemas};
use crate::languages::python::schema::{Body as Code, called_name};
use crate::model::program::{Arg, Expr, ExprKind};
use crate::model::{Kind, Response};
use crate::text::Span;

/// Answers within answers that are read.
const MAX_DEPTH: u32 = 12;

/// What calls of a library give that only some views know, such as `marshal(data, model)`.
pub(in crate::frameworks) type Known = for<'p> fn(
    &mut Evaluator<'p>,
    &mut Schemas<'p>,
    path: &str,
    args: &'p [Arg],
    code: &Rc<Code<'p>>,
    Span,
) -> Option<Sent>;

/// How views answer that are not plain ones of Flask.
#[derive(Clone, Copy)]
pub(in crate::frameworks) struct Manner {
    pub(in crate::frameworks) known: Known,
    /// Text that is returned is written as JSON.
    pub(in crate::frameworks) text_is_json: bool,
}

/// Plain views.
pub(in crate::frameworks) const PLAIN: Manner = Manner { known: |_, _, _, _, _, _| None, text_is_json: false };

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let site = route.draft.site;
    let Some((function, class)) = returned::function_of(evaluator, route.handler) else {
        return vec![returned::unknown(schemas, "handler of the route is not known", site)];
    };
    let decorators = returned::decorators(evaluator, &function);
    if returned::may_change(&decorators) {
        return vec![returned::unknown(schemas, "a decorator may change what is sent", site)];
    }
    let code = Code::new(&function, class.as_ref());
    let answers = answers(evaluator, schemas, &function, &code, PLAIN);
    returned::responses(schemas, answers, 200, site)
}

/// What a view answers, wherever it returns.
pub(in crate::frameworks) fn answers<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    function: &FunctionRef<'p>,
    code: &Rc<Code<'p>>,
    manner: Manner,
) -> Vec<Answer<'p>> {
    if function.node.is_generator {
        return Vec::new();
    }
    let mut reader = Reader { evaluator, schemas, manner, found: Vec::new() };
    for value in code.returns().to_vec() {
        reader.read(value, code, None, 0);
    }
    reader.found
}

struct Reader<'r, 'p> {
    evaluator: &'r mut Evaluator<'p>,
    schemas: &'r mut Schemas<'p>,
    manner: Manner,
    found: Vec<Answer<'p>>,
}

impl<'p> Reader<'_, 'p> {
    fn add(&mut self, status: Option<Value<'p>>, body: Sent, span: Span) {
        // A function that returns in a hundred places answers no other than in the first.
        if self.found.len() < 200 {
            self.found.push(Answer { status, body, span });
        }
    }

    fn json(&mut self, value: &'p Expr, code: &Rc<Code<'p>>) -> Sent {
        Sent::Json(self.schemas.python().shape_of_written(self.evaluator, value, code))
    }

    fn unknown(&mut self, status: Option<Value<'p>>, why: &str, span: Span) {
        self.add(status, Sent::Unknown(why.to_owned()), span);
    }

    fn read(&mut self, value: &'p Expr, code: &Rc<Code<'p>>, status: Option<Value<'p>>, depth: u32) {
        let span = value.span;
        if depth > MAX_DEPTH {
            return self.unknown(status, "what is returned is nested too deep", span);
        }
        match &value.kind {
            ExprKind::Tuple(parts) => {
                let given = match parts.get(1).map(|part| &part.kind) {
                    None | Some(ExprKind::Dict(_)) => None,
                    Some(_) => Some(code.value(self.evaluator, &parts[1])),
                };
                match parts.first() {
                    Some(body) => self.read(body, code, status.or(given), depth + 1),
                    None => self.unknown(status, "an empty tuple is returned", span),
                }
            }
            ExprKind::Dict(_) | ExprKind::List(_) | ExprKind::Comprehension(_) => {
                let body = self.json(value, code);
                self.add(status, body, span);
            }
            ExprKind::Str { .. } | ExprKind::Template(_) | ExprKind::None if self.manner.text_is_json => {
                let body = self.json(value, code);
                self.add(status, body, span);
            }
            ExprKind::Str { text, .. } if text.is_empty() => self.add(status, Sent::Nothing, span),
            ExprKind::None => self.add(status, Sent::Nothing, span),
            ExprKind::Str { .. } | ExprKind::Template(_) => self.add(status, Sent::Media("text/html"), span),
            ExprKind::Conditional { then, otherwise, .. } => {
                self.read(then, code, status.clone(), depth + 1);
                self.read(otherwise, code, status, depth + 1);
            }
            ExprKind::Await(inner) => self.read(inner, code, status, depth + 1),
            ExprKind::Name(name) if code.is_local(name) => self.local(name, value, code, status, depth),
            ExprKind::Call { callee, args, .. } => self.call(value, callee, args, code, status, depth),
            _ => self.unknown(status, "only running tells what is returned", span),
        }
    }

    fn local(
        &mut self,
        name: &'p str,
        value: &'p Expr,
        code: &Rc<Code<'p>>,
        status: Option<Value<'p>>,
        depth: u32,
    ) {
        let set = code.attribute(name, "status_code").map(|given| code.value(self.evaluator, given));
        let status = status.or(set);
        let bound = code.bound(name).unwrap_or_default();
        let makes_answer = |value: &&'p Expr| matches!(value.kind, ExprKind::Call { .. } | ExprKind::Tuple(_) | ExprKind::Name(_));
        if bound.is_empty() {
            return self.unknown(status, "only running tells what is returned", value.span);
        }
        // What is filled after it was made is read as a whole.
        if !bound.iter().all(|(value, _)| makes_answer(value)) {
            let body = self.json(value, code);
            return self.add(status, body, value.span);
        }
        for (value, inner) in bound {
            self.read(value, &inner, status.clone(), depth + 1);
        }
    }

    fn call(
        &mut self,
        whole: &'p Expr,
        callee: &'p Expr,
        args: &'p [Arg],
        code: &Rc<Code<'p>>,
        status: Option<Value<'p>>,
        depth: u32,
    ) {
        let span = whole.span;
        if let Some((function, class)) = code.callee(self.evaluator, callee) {
            let inner = code.called(&function, class.as_ref(), args);
            let Some(inner) = inner.filter(|_| !function.node.is_generator && function.node.decorators.is_empty()) else {
                return self.unknown(status, "result of a function that is not followed", span);
            };
            if inner.returns().is_empty() {
                return self.unknown(status, "function that returns nothing", span);
            }
            for value in inner.returns().to_vec() {
                self.read(value, &inner, status.clone(), depth + 1);
            }
            return;
        }
        let first = args.iter().find_map(|arg| if let Arg::Positional(first) = arg { Some(first) } else { None });
        let named = |name: &str| {
            args.iter().find_map(|arg| match arg {
                Arg::Keyword(known, value) if known == name => Some(value),
                _ => None,
            })
        };
        let path = returned::external_callee(self.evaluator, callee, code);
        let path = path.as_deref().unwrap_or("");
        if let Some(sent) = (self.manner.known)(self.evaluator, self.schemas, path, args, code, span) {
            return self.add(status, sent, span);
        }
        // `current_app.response_class(…)`, `app.make_response(…)`
        let name = if path.is_empty() { called_name(callee) } else { last(path) };
        match name {
            "jsonify" => {
                let body = match (first, args) {
                    (Some(first), [Arg::Positional(_)]) => self.json(first, code),
                    (None, _) => {
                        let shape = self.schemas.python().written_keywords(self.evaluator, args, span, code, 0);
                        Sent::Json(shape)
                    }
                    _ => Sent::Unknown("several values as one answer".to_owned()),
                };
                self.add(status, body, span);
            }
            "make_response" => match (first, args) {
                (Some(first), [_, Arg::Positional(given), ..]) if !matches!(given.kind, ExprKind::Dict(_)) => {
                    let given = code.value(self.evaluator, given);
                    self.read(first, code, status.or(Some(given)), depth + 1);
                }
                (Some(first), _) => self.read(first, code, status, depth + 1),
                (None, _) => self.add(status, Sent::Nothing, span),
            },
            // A text that is JSON is sent as such, whatever media type is forgotten.
            "dumps" if path.is_empty() || path.contains("json") => match first {
                Some(first) => {
                    let body = self.json(first, code);
                    self.add(status, body, span);
                }
                None => self.unknown(status, "only running tells what is returned", span),
            },
            "Response" | "response_class" => {
                let given = named("status").or_else(|| positional(args, 1));
                let status = status.or_else(|| given.map(|given| code.value(self.evaluator, given)));
                let media = named("mimetype").or_else(|| named("content_type"));
                let media = media.map(|media| code.value(self.evaluator, media));
                match (first.or_else(|| named("response")), &media) {
                    (None, _) => self.add(status, Sent::Nothing, span),
                    (Some(body), _) if is_dump(body) => self.read(body, code, status, depth + 1),
                    (Some(_), Some(Value::Str(media))) if !media.contains("json") => {
                        self.add(status, Sent::Media(simple(media)), span);
                    }
                    (Some(_), _) => self.unknown(status, "content of a response is not known", span),
                }
            }
            "redirect" => self.add(Some(Value::Int(302)), Sent::Nothing, span),
            "abort" => {}
            "render_template" | "render_template_string" => self.add(status, Sent::Media("text/html"), span),
            "send_file" | "send_from_directory" => self.add(status, Sent::Media("application/octet-stream"), span),
            // What is returned as a dict or list is written as JSON: `schema.dump(…)`.
            _ => {
                let python = self.schemas.python();
                let shape = python.shape_of_written(self.evaluator, whole, code);
                match python.table.view(shape).shape.kind {
                    Kind::Object(_) | Kind::Array { .. } => self.add(status, Sent::Json(shape), span),
                    _ => self.unknown(status, "only running tells what is returned", span),
                }
            }
        }
    }
}

fn positional(args: &[Arg], at: usize) -> Option<&Expr> {
    match args.get(at) {
        Some(Arg::Positional(value)) => Some(value),
        _ => None,
    }
}

/// `json.dumps(…)`
fn is_dump(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Call { callee, .. } if called_name(callee) == "dumps")
}

fn simple(media: &str) -> &'static str {
    if media.starts_with("text/html") {
        "text/html"
    } else if media.starts_with("text/") {
        "text/plain"
    } else {
        "application/octet-stream"
    }
}
