//! What a handler of aiohttp returns: `web.json_response({…}, status=201)`, `web.Response(…)`.

use super::apispec;
use crate::evaluate::{Evaluator, Value};
use crate::frameworks::returned::{self, Sent};
use crate::frameworks::returning::{self, Call, Known, Manner};
use crate::frameworks::{Route, Schemas};
use crate::languages::python::schema::called_name;
use crate::model::program::{Expr, ExprKind};
use crate::model::{Kind, Response, Status};

const MANNER: Manner = Manner { call: known, text_is_json: false, tuple_has_status: false };

/// Exceptions that are responses of success.
const SUCCESSES: &[(&str, i64)] = &[
    ("HTTPOk", 200),
    ("HTTPCreated", 201),
    ("HTTPAccepted", 202),
    ("HTTPNonAuthoritativeInformation", 203),
    ("HTTPNoContent", 204),
    ("HTTPResetContent", 205),
    ("HTTPPartialContent", 206),
];

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let sent = returning::responses(evaluator, schemas, route, MANNER);
    let is_known = |response: &Response| {
        !matches!(response.status, Status::Unknown(_))
            && response
                .bodies
                .iter()
                .all(|body| !matches!(schemas.table().view(body.shape).shape.kind, Kind::Unknown(_)))
    };
    if sent.iter().all(is_known) {
        return sent;
    }
    // What the code sends goes before what it is said to send.
    let Some((function, _)) = returned::function_of(evaluator, route.handler) else { return sent };
    let decorators = returned::decorators(evaluator, &function);
    match apispec::declared(evaluator, schemas, &decorators) {
        declared if declared.is_empty() => sent,
        declared => declared,
    }
}

fn known<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, call: &Call<'_, 'p>) -> Option<Known<'p>> {
    let mut status = call.value(evaluator, call.named("status"));
    let body = match call.name {
        "json_response" => match (call.argument(0, "data"), call.named("text").or_else(|| call.named("body"))) {
            (Some(data), _) => call.json(evaluator, schemas, data),
            (None, Some(text)) => dumped(evaluator, schemas, call, text),
            (None, None) => Sent::Unknown("a response without content".to_owned()),
        },
        "Response" => {
            let media = call.value(evaluator, call.named("content_type"));
            match (call.named("text").or_else(|| call.argument(0, "body")), media) {
                (None, _) => Sent::Nothing,
                (Some(content), Some(Value::Str(media))) if media.contains("json") => {
                    dumped(evaluator, schemas, call, content)
                }
                (Some(_), Some(Value::Str(media))) => Sent::Media(returned::simple_media(&media)),
                (Some(content), _) if is_dump(content) => dumped(evaluator, schemas, call, content),
                (Some(_), None) if call.named("headers").is_none() && call.named("text").is_some() => {
                    Sent::Media("text/plain")
                }
                (Some(_), _) => Sent::Unknown("content of a response is not known".to_owned()),
            }
        }
        "StreamResponse" | "WebSocketResponse" => Sent::Unknown("what is streamed is not read".to_owned()),
        "FileResponse" => Sent::Media("application/octet-stream"),
        name if name.starts_with("HTTP") => {
            match SUCCESSES.iter().find(|(known, _)| *known == name) {
                Some((_, code)) => status = Some(Value::Int(*code)),
                None => return Some(Known::Never),
            }
            if call.args.is_empty() {
                Sent::Nothing
            } else {
                Sent::Unknown("content of a response is not known".to_owned())
            }
        }
        _ => return None,
    };
    Some(Known::Answer(status, body))
}

/// `json.dumps(…)` as the text of a response.
fn dumped<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, call: &Call<'_, 'p>, text: &'p Expr) -> Sent {
    match &text.kind {
        ExprKind::Call { args, .. } if is_dump(text) && !args.is_empty() => {
            call.json(evaluator, schemas, args[0].value())
        }
        _ => Sent::Unknown("content of a response is not known".to_owned()),
    }
}

fn is_dump(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Call { callee, .. } if called_name(callee) == "dumps")
}
