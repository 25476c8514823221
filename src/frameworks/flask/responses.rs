//! What a view of Flask returns: `jsonify(…)`, a dict or list, a tuple of body and status, a response.

use super::CHANGED;
use crate::evaluate::{Evaluator, Value};
use crate::frameworks::returned::{self, Sent};
use crate::frameworks::returning::{self, Call, Known, Manner};
use crate::frameworks::{Route, Schemas};
use crate::languages::python::schema::called_name;
use crate::model::Response;
use crate::model::program::{Arg, Expr, ExprKind};

/// Plain views.
pub(in crate::frameworks) const PLAIN: Manner = Manner { call: known, text_is_json: false, tuple_has_status: true };

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    if route.draft.options.named(CHANGED).is_some() {
        return vec![returned::unknown(schemas, "a decorator may change what is sent", route.draft.site)];
    }
    returning::responses(evaluator, schemas, route, PLAIN)
}

/// What calls of Flask answer, `current_app.response_class(…)` and `app.make_response(…)` among them.
pub(in crate::frameworks) fn known<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    call: &Call<'_, 'p>,
) -> Option<Known<'p>> {
    let first = match call.args.first() {
        Some(Arg::Positional(first)) => Some(first),
        _ => None,
    };
    Some(match call.name {
        "jsonify" => Known::Answer(
            None,
            match (first, call.args) {
                (Some(first), [_]) => call.json(evaluator, schemas, first),
                (None, _) => {
                    Sent::Json(schemas.python().written_keywords(evaluator, call.args, call.span, call.code, 0))
                }
                _ => Sent::Unknown("several values as one answer".to_owned()),
            },
        ),
        "make_response" => match (first, call.args) {
            (Some(first), [_, Arg::Positional(given), ..]) if !matches!(given.kind, ExprKind::Dict(_)) => {
                Known::Value(first, Some(call.code.value(evaluator, given)))
            }
            (Some(first), _) => Known::Value(first, None),
            (None, _) => Known::Answer(None, Sent::Nothing),
        },
        // A text that is JSON is sent as such, whatever media type is forgotten.
        "dumps" if call.path.is_empty() || call.path.contains("json") => {
            Known::Answer(None, call.json(evaluator, schemas, first?))
        }
        "Response" | "response_class" => {
            let given = call.argument(1, "status");
            let status = call.value(evaluator, given);
            let media = call.named("mimetype").or_else(|| call.named("content_type"));
            let media = call.value(evaluator, media);
            match (call.argument(0, "response"), &media) {
                (None, _) => Known::Answer(status, Sent::Nothing),
                (Some(body), _) if is_dump(body) => Known::Value(body, status),
                (Some(_), Some(Value::Str(media))) if !media.contains("json") => {
                    Known::Answer(status, Sent::Media(returned::simple_media(media)))
                }
                (Some(_), _) => Known::Answer(status, Sent::Unknown("content of a response is not known".to_owned())),
            }
        }
        "redirect" => Known::Answer(Some(Value::Int(302)), Sent::Nothing),
        "abort" => Known::Never,
        "render_template" | "render_template_string" => Known::Answer(None, Sent::Media("text/html")),
        "send_file" | "send_from_directory" => Known::Answer(None, Sent::Media("application/octet-stream")),
        _ => return None,
    })
}

/// `json.dumps(…)`
fn is_dump(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Call { callee, .. } if called_name(callee) == "dumps")
}
