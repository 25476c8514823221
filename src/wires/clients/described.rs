//! Requests that an object describes which a function of the program is given: `request({ method: "GET", url: "/users" })`.
//! Generators of clients write them (openapi-typescript-codegen, @hey-api/openapi-ts, openapi-generator), and so do people
//! around a client of their own. The request is noted where the object is written, if following the function leads nowhere.
//! The same goes for an interface of the program that stands for a client: `get<T>(url: string): Promise<T>`.

use super::super::{Use, Wire};
use super::asked::{json, method_of};
use super::options::{at, is_literal, object_body};
use super::verbs::verb;
use super::{Asked, Query, joined, request};
use crate::evaluate::{Args, DESCRIBED_REQUEST, Evaluator, Library, Noted, Scope, UNKNOWN_PART, Value};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::languages::typescript::schema::{Env, Type};
use crate::model::program::{Arg, DictItem, Expr, ExprKind};
use crate::model::{Body, Kind, Method, Parameter, ParameterPlace, ShapeId, Status};
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static DESCRIBED: Wire =
    Wire { name: "generated clients", languages: &[Language::TypeScript], library: &LIBRARY, read };

static LIBRARY: Library = Library { name: "described", wire_words: &[DESCRIBED_REQUEST], call, ..Library::TYPESCRIPT };

/// What members that hold the query and the body are called.
const QUERY: &[&str] = &["query", "params", "searchParams"];
const BODY: &[&str] = &["body", "data", "requestBody", "json"];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if let Some(name) = path.strip_prefix("declared().") {
        return declared(evaluator, name, args, site);
    }
    let name = match path.strip_prefix("elsewhere().") {
        Some(name) if verb(name).is_some() || name == "request" => name,
        Some(_) => return None,
        None => path.strip_prefix("described().")?,
    };
    if is_part(name) {
        return None;
    }
    let options = described(args)?;
    let own = |name: &str| entry(options, name);
    let what = match (own("method"), verb(name)) {
        (Some(_), _) => "request",
        (None, Some(method)) => method.name(),
        (None, None) => return None,
    };
    let is_address = |value: &Value<'p>| {
        let text = super::address::text_of(value);
        text.is_some_and(|text| text.starts_with(['/', '{', UNKNOWN_PART]) || text.contains("://"))
    };
    let url = own("url").filter(is_address).or_else(|| own("path").filter(is_address))?;
    // What stands in front of it is known to the function.
    let base = match own("baseURL").or_else(|| own("baseUrl")) {
        Some(base @ (Value::Str(_) | Value::Pattern(_))) => base,
        _ => Value::Pattern(UNKNOWN_PART.to_string().into()),
    };
    let target = joined(Some(&base), &url, false);
    evaluator.note(&LIBRARY, what, target, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

/// Whether a function makes a part of a request, by the words of its name: `buildAuthHeaders`, `signRequest`,
/// `buildSignMessage`.
fn is_part(name: &str) -> bool {
    const PARTS: &[&str] = &["header", "headers", "sign", "signed", "signature", "hash", "hmac", "digest"];
    // `signIn` asks for something.
    const ENTRIES: &[&str] = &["in", "up", "out"];
    let mut words: Vec<String> = vec![String::new()];
    for c in name.chars() {
        if c.is_uppercase() || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("there is one").extend(c.to_lowercase());
        }
    }
    let is_entry = |at: usize| words.get(at + 1).is_some_and(|next| ENTRIES.contains(&next.as_str()));
    words.iter().enumerate().any(|(at, word)| PARTS.contains(&word.as_str()) && !is_entry(at))
}

/// A call of a method that an interface declares as a client's are: named after the method of a request, and given an
/// address first.
fn declared<'p>(evaluator: &mut Evaluator<'p>, name: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    const ADDRESS: &[&str] = &["url", "uri", "endpoint", "requestUrl", "requestUri"];
    let method = verb(name)?;
    let is_client = ADDRESS.contains(&evaluator.first_parameter(args.receiver.as_deref()?, name)?);
    if !is_client || args.values().any(|value| matches!(value, Value::Function(_) | Value::Bound(..))) {
        return None;
    }
    let url = at(args, 0);
    let target = match &url {
        // A whole path is where the client begins; what else is below something that is not known.
        Value::Str(text) | Value::Pattern(text) if text.starts_with('/') => url.clone(),
        Value::Str(_) | Value::Pattern(_) => {
            joined(Some(&Value::Pattern(UNKNOWN_PART.to_string().into())), &url, false)
        }
        _ => url.clone(),
    };
    evaluator.note(&LIBRARY, method.name(), target, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

/// The object among the arguments.
fn described<'a, 'p>(args: &'a Args<'p>) -> Option<&'a Value<'p>> {
    let has_address = |value: &&Value<'p>| entry(value, "url").or_else(|| entry(value, "path")).is_some();
    args.positional.iter().take(2).find(has_address)
}

/// A member that the object itself says, whatever else is put into it.
fn entry<'p>(options: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Dict(dict) = options else { return None };
    let dict = dict.borrow();
    let mut entries = dict.entries.iter().rev();
    entries.find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value.clone())
}

/// The object as it is written.
struct Written<'p> {
    items: &'p [DictItem],
    scope: Scope<'p>,
}

impl<'p> Written<'p> {
    fn of(noted: &Noted<'p>) -> Option<Self> {
        let (written, scope) = noted.args.written.as_ref()?;
        written.iter().take(2).find_map(|arg| match arg {
            Arg::Positional(Expr { kind: ExprKind::Record(items), .. }) => {
                Some(Written { items, scope: scope.clone() })
            }
            _ => None,
        })
    }

    fn member(&self, name: &str) -> Option<&'p Expr> {
        self.items.iter().rev().find_map(|item| match item {
            DictItem::Pair(key, value) if matches!(&key.kind, ExprKind::Str { text, .. } if text == name) => {
                Some(value)
            }
            _ => None,
        })
    }

    /// The static type of a member that comes with `...options`, where a parameter of that name says its type: as a member of
    /// it, else of what it is made for, `Options<CreateUserData>`.
    fn spread_member(
        &self,
        evaluator: &mut Evaluator<'p>,
        schemas: &mut Schemas<'p>,
        noted: &Noted<'p>,
        name: &str,
    ) -> Option<Type<'p>> {
        let parameters = &noted.function.as_ref()?.node.parameters;
        let types = schemas.typescript();
        types.start();
        for item in self.items {
            let DictItem::Spread(Expr { kind: ExprKind::Name(spread), .. }) = item else { continue };
            let Some(parameter) = parameters.iter().find(|known| known.name == *spread) else { continue };
            let annotation = parameter.annotation.as_ref()?;
            let mut ways = vec![annotation];
            if let ExprKind::Index { index, .. } = &annotation.kind {
                ways.extend(index.first());
            }
            for way in ways {
                let way = match &way.kind {
                    ExprKind::Tuple(items) => items.first()?,
                    _ => way,
                };
                let ty = types.written(evaluator, way, &Env::of(&self.scope));
                let ty = types.non_null(evaluator, &ty);
                let found = types.member(evaluator, &ty, name, Some(noted.site));
                let found = types.non_null(evaluator, &found);
                if !matches!(found, Type::Unknown(..) | Type::Any) {
                    return Some(found);
                }
            }
        }
        None
    }
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    if matches!(noted.args.receiver.as_deref(), Some(Value::Instance(_))) {
        return read_declared(evaluator, schemas, noted);
    }
    let Some(options) = described(&noted.args).cloned() else { return Vec::new() };
    let written = Written::of(noted);
    let method = match entry(&options, "method") {
        Some(method) => method_of(&method, Method::Get, site),
        None => method_of(&Value::str(noted.what), Method::Get, site),
    };
    let mut query = Query::default();
    match QUERY.iter().find_map(|name| entry(&options, name)) {
        Some(given) => query.add(evaluator, &given, site),
        None => match written.as_ref().and_then(|it| it.spread_member(evaluator, schemas, noted, "query")) {
            Some(ty) => typed_query(evaluator, schemas, &ty, &mut query, site),
            None => {
                if let Value::Dict(dict) = &options
                    && dict.borrow().open
                {
                    query.add(evaluator, &Value::Unknown("options", Some(site)), site);
                }
            }
        },
    }
    let form = entry(&options, "formData").is_some();
    let (mut body, mut is_whole) = (None, false);
    if form {
        let shape = payload::unknown(evaluator, schemas, "what a form holds", site);
        body = Some(Body { media: "multipart/form-data".to_owned(), ..json(shape, site) });
    } else if let Some((name, value)) = BODY.iter().find_map(|name| Some((*name, entry(&options, name)?))) {
        let expr = written.as_ref().and_then(|it| Some((it.member(name)?, it.scope.clone())));
        is_whole = is_literal(&value, expr.clone());
        body = object_body(evaluator, schemas, noted, &value, expr);
    } else if let Some(written) = &written {
        match written.spread_member(evaluator, schemas, noted, "body") {
            Some(ty) if ty.is_nothing() || matches!(ty, Type::Never) => {}
            Some(ty) => {
                let shape = schemas.typescript().shape_of(evaluator, &ty, Some(site));
                let kind = &schemas.typescript().table.view(shape).shape.kind;
                let is_nothing = matches!(kind, Kind::Never | Kind::Null);
                body = (!is_nothing).then(|| json(shape, site));
            }
            None if written.items.iter().any(|item| matches!(item, DictItem::Spread(_))) => {
                body = Some(json(payload::unknown(evaluator, schemas, "what the options hold", site), site));
            }
            None => {}
        }
    }
    // Text of another kind is told by a header.
    if let (Some(sent), Some(media)) = (&mut body, media_of(&options)) {
        sent.media = media;
    }
    let answer = answer_of(evaluator, schemas, noted);
    request(evaluator, schemas, "described", noted, Asked { method, query, body, is_whole, answer })
}

/// A call of an interface that stands for a client.
fn read_declared<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let method = method_of(&Value::str(noted.what), Method::Get, site);
    let mut query = Query::default();
    query.add(evaluator, &Value::Unknown("what else it is given", Some(site)), site);
    let sends = matches!(method, Ok(Method::Post | Method::Put | Method::Patch));
    let (mut body, mut is_whole) = (None, false);
    if sends {
        let (value, written) = (at(&noted.args, 1), payload::written(&noted.args, 1, ""));
        is_whole = is_literal(&value, written.clone());
        body = object_body(evaluator, schemas, noted, &value, written);
    }
    // Its own type argument may be of what it makes of the answer.
    let answer = None;
    request(evaluator, schemas, "described", noted, Asked { method, query, body, is_whole, answer })
}

/// `{ mediaType: "application/json" }`, `{ headers: { "Content-Type": "…" } }`
fn media_of(options: &Value) -> Option<String> {
    let said = entry(options, "mediaType").or_else(|| {
        let headers = entry(options, "headers")?;
        entry(&headers, "Content-Type").or_else(|| entry(&headers, "content-type"))
    })?;
    said.as_str().filter(|media| media.contains('/')).map(str::to_owned)
}

/// The members of a type are names in a query.
fn typed_query<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    ty: &Type<'p>,
    query: &mut Query<'p>,
    site: Span,
) {
    if ty.is_nothing() || matches!(ty, Type::Never) {
        return;
    }
    let shape = schemas.typescript().shape_of(evaluator, ty, Some(site));
    let kind = schemas.typescript().table.view(shape).shape.kind.clone();
    let fields = match kind {
        Kind::Object(object) => object.fields,
        Kind::Never | Kind::Null => return,
        _ => {
            query.add(evaluator, &Value::Unknown("options", Some(site)), site);
            return;
        }
    };
    query.typed.extend(fields.into_iter().map(|field| Parameter {
        name: field.name,
        place: ParameterPlace::Query,
        required: field.required,
        shape: field.shape,
        span: site,
    }));
}

/// What the answer is taken for: the type that the call is told, by status or not, else what the function around it promises.
fn answer_of<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Option<ShapeId> {
    let site = noted.site;
    if noted.args.types.is_some() {
        let shape = payload::type_argument(evaluator, schemas, &noted.args, site)?;
        let view = schemas.typescript().table.view(shape);
        let Kind::Object(object) = &view.shape.kind else { return Some(shape) };
        let status = |name: &str| name.parse::<u16>().ok().map(Status::Code);
        let by_status = !object.fields.is_empty() && object.fields.iter().all(|field| status(&field.name).is_some());
        let success = object.fields.iter().find(|field| status(&field.name).is_some_and(|it| it.is_success()));
        return if by_status { success.map(|field| field.shape) } else { Some(shape) };
    }
    let function = noted.function.as_ref()?;
    let ExprKind::Index { object, index } = &function.node.returns.as_ref()?.kind else { return None };
    let (ExprKind::Name(wrapper) | ExprKind::Member { name: wrapper, .. }) = &object.kind else { return None };
    if !wrapper.ends_with("Promise") && !wrapper.ends_with("Observable") {
        return None;
    }
    let inner = match index.as_slice() {
        [Expr { kind: ExprKind::Tuple(items), .. }] => items.first()?,
        [only] => only,
        _ => return None,
    };
    let (_, scope) = noted.args.written.as_ref()?;
    let types = schemas.typescript();
    let ty = types.written(evaluator, inner, &Env::of(scope));
    Some(types.shape_of(evaluator, &ty, Some(site)))
}

#[cfg(test)]
mod tests {
    use super::is_part;

    #[test]
    fn what_makes_a_part_of_a_request_asks_for_nothing() {
        for name in ["buildAuthHeaders", "signRequest", "buildSignMessage", "sign_request", "requestHash"] {
            assert!(is_part(name), "{name}");
        }
        for name in ["request", "signIn", "signUpUser", "sign_in", "designRequest", "assignTask", "send"] {
            assert!(!is_part(name), "{name}");
        }
    }
}
