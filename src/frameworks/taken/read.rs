//! What handlers of TypeScript and JavaScript read of a request, added to what is declared of it.

use super::{JSON, MULTIPART, add, body, field, members, object};
use crate::evaluate::{Evaluator, Value};
use crate::finding::Reason;
use crate::languages::typescript::schema::{Part, Reads, Source, Type};
use crate::model::{Kind, Method, Parameter, ParameterPlace, Request, Shape, ShapeId, ShapeTable, is_of_the_way};
use crate::text::Span;

type Types<'p> = crate::languages::typescript::schema::Schemas<'p>;

/// What is known of a route before its handler is looked at.
pub(in crate::frameworks) struct Reading<'r> {
    pub(in crate::frameworks) method: Method,
    /// Names that stand in the path, where they are read as those of the query.
    pub(in crate::frameworks) in_path: &'r [String],
    /// The author declares what is taken: headers and cookies that are read besides are none of the operation's own.
    pub(in crate::frameworks) declares: bool,
}

/// Adds what a handler reads to what is declared; places that are declared stay as they are.
pub(in crate::frameworks) fn read<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    request: &mut Request,
    reads: &Reads<'p>,
    reading: &Reading,
) {
    let of = |place| match place {
        ParameterPlace::Path => Source::Path,
        ParameterPlace::Query => Source::Query,
        ParameterPlace::Header => Source::Header,
        ParameterPlace::Cookie => Source::Cookie,
    };
    let declares = reading.declares || !reads.parsed.is_empty();
    let declared = |request: &Request, place| request.parameters.iter().any(|known| known.place == place);
    for place in [ParameterPlace::Path, ParameterPlace::Query, ParameterPlace::Header, ParameterPlace::Cookie] {
        let source = of(place);
        let was_declared = declared(request, place);
        let mut said = was_declared;
        if !was_declared {
            let (shapes, unchecked) = said_of(evaluator, types, reads, source);
            request.unchecked |= unchecked;
            for (shape, span) in shapes {
                members(request, &types.table, shape, place, span);
                said = true;
            }
        }
        for member in reads.members.iter().filter(|member| member.source == source) {
            let travels = place == ParameterPlace::Header && is_of_the_way(&member.name);
            if travels || (said && member.parsed.is_none()) {
                continue;
            }
            if declares && matches!(place, ParameterPlace::Header | ParameterPlace::Cookie) {
                let why = "the handler reads headers that are not declared";
                request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(member.span)));
                continue;
            }
            let (shape, required) = match member.parsed {
                Some(parsed) => parsed,
                None => (types.table.add(Shape::new(Kind::Any).at(Some(member.span))), false),
            };
            let required = required || place == ParameterPlace::Path;
            add(request, Parameter { name: member.name.clone(), place, required, shape, span: member.span });
        }
        let whole = reads.whole.iter().find(|(whole, _)| *whole == Some(source));
        if let (Some((_, span)), false, true) = (whole, said, place != ParameterPlace::Path) {
            let why = match place {
                ParameterPlace::Query => "the handler takes the query as a whole",
                _ => "the handler takes headers as a whole",
            };
            request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(*span)));
        }
    }
    request.parameters.retain(|known| known.place != ParameterPlace::Query || !reading.in_path.contains(&known.name));
    let handed = reads.whole.iter().find(|(whole, _)| whole.is_none());
    let handed = handed.map(|(_, span)| Reason::new("the handler hands its request on", Some(*span)));
    if request.other_parameters.is_none() {
        request.other_parameters.clone_from(&handed);
    }
    if matches!(reading.method, Method::Get | Method::Head) || !request.bodies.is_empty() {
        return;
    }
    for (source, media) in [(Source::Form, MULTIPART), (Source::Body, JSON)] {
        read_body(evaluator, types, request, reads, source, media, handed.as_ref());
    }
    if request.bodies.is_empty() && request.other_bodies.is_none() {
        request.other_bodies = handed;
    }
}

/// What schemas and types say of a part of the request, and whether it is types, which nothing checks.
fn said_of<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    reads: &Reads<'p>,
    source: Source,
) -> (Vec<(ShapeId, Span)>, bool) {
    let mut said: Vec<(ShapeId, Span)> = Vec::new();
    for (_, shape, span) in reads.parsed.iter().filter(|(of, ..)| *of == source) {
        if !said.iter().any(|(known, at)| known == shape || at == span) {
            said.push((*shape, *span));
        }
    }
    if said.is_empty() {
        let whole = reads.whole.iter().any(|(whole, _)| *whole == Some(source));
        for typed in reads.typed.iter().filter(|typed| typed.source == source) {
            let forced = types.force(evaluator, &typed.ty);
            // A map or any value says less than what is read of it.
            if matches!(forced, Type::Any | Type::Unknown(..) | Type::Map(_) | Type::External(..) | Type::Never) {
                continue;
            }
            let mut shape = types.taken_shape(evaluator, &typed.ty, Some(typed.span));
            if typed.partial || !whole || !typed.without.is_empty() {
                let read =
                    |name: &str| reads.members.iter().any(|member| member.source == source && member.name == name);
                let given = |name: &str| typed.without.iter().any(|known| known == name);
                shape = only(&mut types.table, shape, |name| (whole && !given(name)) || read(name), typed.partial);
            }
            return (vec![(shape, typed.span)], true);
        }
    }
    (said, false)
}

/// An object with some of its members, each of which may be left out where it is only part of one.
fn only(table: &mut ShapeTable, shape: ShapeId, keep: impl Fn(&str) -> bool, partial: bool) -> ShapeId {
    let mut kept = table.view(shape).shape.into_owned();
    let Kind::Object(object) = &mut kept.kind else { return shape };
    let all = object.fields.len();
    object.fields.retain(|field| keep(&field.name));
    if !partial && object.fields.len() == all {
        return shape;
    }
    for field in &mut object.fields {
        field.required &= !partial;
        field.always &= !partial;
    }
    kept.name = None;
    table.add(kept)
}

fn read_body<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    request: &mut Request,
    reads: &Reads<'p>,
    source: Source,
    media: &str,
    handed: Option<&Reason>,
) {
    let (said, unchecked) = said_of(evaluator, types, reads, source);
    request.unchecked |= unchecked;
    let whole = reads.whole.iter().find(|(whole, _)| *whole == Some(source)).map(|(_, span)| *span);
    let members: Vec<_> = reads.members.iter().filter(|member| member.source == source).collect();
    let (shape, span) = match (said.as_slice(), members.first()) {
        ([(shape, span)], _) => (*shape, *span),
        ([(_, span), ..], _) => {
            let options = said.iter().map(|(shape, _)| *shape).collect();
            (types.table.add(Shape::new(Kind::Either(options)).at(Some(*span))), *span)
        }
        ([], Some(first)) => {
            let mut fields = Vec::new();
            for member in &members {
                let (shape, required) = match member.parsed {
                    Some(parsed) => parsed,
                    None => (types.table.add(Shape::new(Kind::Any).at(Some(member.span))), false),
                };
                fields.push(field(&member.name, shape, required, member.span));
            }
            let open = match whole {
                Some(span) => Some(Reason::new("the handler takes the body as a whole", Some(span))),
                None => handed.cloned(),
            };
            (object(&mut types.table, fields, open, first.span), first.span)
        }
        ([], None) => {
            let Some(span) = whole else { return };
            (types.unknown("the handler takes the body as a whole", Some(span)), span)
        }
    };
    body(request, &types.table, media, shape, span);
}

/// What handlers and the middleware before them read through their first parameter, which stands for `part`.
pub(in crate::frameworks) fn reads_of<'p>(
    evaluator: &mut Evaluator<'p>,
    types: &mut Types<'p>,
    handlers: &[Value<'p>],
    part: Part,
    method: Method,
    site: Span,
) -> Reads<'p> {
    let mut all = Reads::default();
    let last = handlers.len().saturating_sub(1);
    for (at, handler) in handlers.iter().enumerate() {
        match handler {
            Value::Function(function) | Value::Bound(_, function) => {
                let reads = types.reads(evaluator, function, 0, part, Some(method.name()));
                all.add(reads);
            }
            Value::Partial(inner, _) => {
                let inner = reads_of(evaluator, types, std::slice::from_ref(inner), part, method, site);
                all.add(inner);
            }
            // What a library makes of a handler.
            Value::Made(made) if at == last => {
                let inner: Vec<Value<'p>> =
                    made.args.values().filter(|value| matches!(value, Value::Function(_))).cloned().collect();
                match inner.as_slice() {
                    [] => all.whole.push((None, site)),
                    inner => all.add(reads_of(evaluator, types, inner, part, method, site)),
                }
            }
            _ if at == last => all.whole.push((None, site)),
            _ => {}
        }
    }
    all
}
