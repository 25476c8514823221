//! What an action answers: what its attributes declare, else what its declared result and its code say.

use crate::evaluate::{Evaluator, Value};
use crate::frameworks::answered::{self, Declared};
use crate::frameworks::attributes::{Attribute, of_value};
use crate::frameworks::{Route, Schemas};
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::typing::answers::{self, Body as Sent};
use crate::model::{Response, Status};
use crate::text::Span;

/// Attributes that declare a response.
const DECLARING: &[&str] = &["ProducesResponseType", "SwaggerResponse"];

pub(super) fn responses<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
) -> Vec<Response> {
    let Value::Bound(class, function) = route.handler else { return Vec::new() };
    let site = function.node.name_span;
    let mut values: Vec<&Value<'p>> = route.draft.options.positional.iter().collect();
    // Those of the action come before those of its class.
    values.extend(route.chain.first().iter().flat_map(|options| &options.positional));
    let attributes: Vec<Attribute<'p>> = values.iter().filter_map(|value| of_value(evaluator, value)).collect();
    let mut declared: Vec<Declared<'p>> =
        attributes.iter().filter_map(|attribute| read(evaluator, attribute, site)).collect();
    let mut by_convention = false;
    // A result that is declared is documented with 200, whatever status the code gives it.
    if declared.is_empty()
        && let Some(result) = answers::declared(evaluator, function, Some(class))
    {
        let ty = match result {
            Sent::Type(ty) => ty,
            Sent::Nothing => Value::external("void"),
            Sent::NotJson(what) => Value::Unknown(what, Some(site)),
            Sent::Unknown(why, place) => Value::Unknown(why, place.or(Some(site))),
        };
        declared.push(Declared { status: Status::Code(200), ty: Some(ty), media: None, span: site });
        by_convention = true;
    }
    let seen = answers::answers(evaluator, function, Some(class));
    let mut out = answered::responses(evaluator, schemas, Serialiser::Controllers, &declared, &seen, site);
    if let (true, [Declared { ty: Some(ty), .. }]) = (by_convention, &*declared) {
        // What it surely sends where its result is declared to be of another type: `ActionResult<User>` and `Ok(true)`.
        if let Some((other, span)) = answers::otherwise(evaluator, function, Some(class), ty) {
            let body = answered::body(evaluator, schemas, Serialiser::Controllers, &other, span);
            out.push(Response { status: Status::Code(200), bodies: vec![body], span });
        }
    }
    if let Some(media) = attributes.iter().find_map(produced) {
        out.iter_mut().flat_map(|response| &mut response.bodies).for_each(|body| body.media.clone_from(&media));
    }
    out
}

/// `[ProducesResponseType(typeof(T), 200)]`, `[SwaggerResponse(200, "…", typeof(T))]`, `[Produces(typeof(T))]`.
fn read<'p>(evaluator: &mut Evaluator<'p>, attribute: &Attribute<'p>, site: Span) -> Option<Declared<'p>> {
    let span = match &attribute.value {
        Value::Made(made) => made.site,
        _ => site,
    };
    if attribute.is("Produces") {
        let declared = answered::declared(evaluator, &attribute.args, 200, span);
        return declared.ty.is_some().then_some(declared);
    }
    let declares = DECLARING.iter().any(|name| attribute.is(name));
    declares.then(|| answered::declared(evaluator, &attribute.args, 200, span))
}

/// The medium of `[Produces("text/plain")]`, where none of those that it names is JSON.
fn produced(attribute: &Attribute<'_>) -> Option<String> {
    if !attribute.is("Produces") {
        return None;
    }
    let media: Vec<&str> = attribute.args.positional.iter().filter_map(Value::as_str).collect();
    let is_json = |media: &&str| media.contains("json") || media.contains('*');
    if media.iter().any(is_json) { None } else { media.first().map(|media| (*media).to_owned()) }
}
