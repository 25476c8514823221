//! What an endpoint of Starlette returns: `JSONResponse({…}, status_code=201)` and its relatives.

use crate::evaluate::{Evaluator, Value};
use crate::frameworks::returned::{self, Sent};
use crate::frameworks::returning::{self, Call, Known, Manner};
use crate::frameworks::{Route, Schemas};
use crate::languages::python::schema::called_name;
use crate::model::Response;
use crate::model::program::ExprKind;

/// Nothing but a response is returned.
const MANNER: Manner = Manner { call: known, text_is_json: false, tuple_has_status: false };

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    returning::responses(evaluator, schemas, route, MANNER)
}

/// What calls of response classes answer.
fn known<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, call: &Call<'_, 'p>) -> Option<Known<'p>> {
    let given = call.argument(1, "status_code");
    let mut status = call.value(evaluator, given);
    let content = call.argument(0, "content");
    let body = match call.name {
        name if name.ends_with("JSONResponse") => match content {
            Some(content) => call.json(evaluator, schemas, content),
            None => Sent::Unknown("a response without content".to_owned()),
        },
        "HTMLResponse" | "TemplateResponse" => Sent::Media("text/html"),
        "PlainTextResponse" => Sent::Media("text/plain"),
        "RedirectResponse" => {
            status = status.or(Some(Value::Int(307)));
            Sent::Nothing
        }
        "FileResponse" => Sent::Media("application/octet-stream"),
        "StreamingResponse" | "EventSourceResponse" => Sent::Unknown("what is streamed is not read".to_owned()),
        "Response" => {
            let media = call.argument(3, "media_type");
            let media = call.value(evaluator, media);
            match (content, media) {
                (None, _) => Sent::Nothing,
                (Some(content), Some(Value::Str(media))) if media.contains("json") => match &content.kind {
                    ExprKind::Call { callee, args, .. } if called_name(callee) == "dumps" && !args.is_empty() => {
                        call.json(evaluator, schemas, args[0].value())
                    }
                    _ => Sent::Unknown("content of a response is not known".to_owned()),
                },
                (Some(_), Some(Value::Str(media))) => Sent::Media(returned::simple_media(&media)),
                _ => Sent::Unknown("content of a response is not known".to_owned()),
            }
        }
        _ => return None,
    };
    Some(Known::Answer(status, body))
}
