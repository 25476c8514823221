//! The standard library, as far as it decides an API: methods of strings and of types.

use std::rc::Rc;

use super::typing::status_code;
use crate::evaluate::{Args, Evaluator, Library, UNKNOWN_PART, Value, last};
use crate::text::Span;

/// What is known without an import.
pub static STANDARD: Library = Library { name: "System", call, constant, member, value_method, ..Library::CSHARP };

/// Status codes: `HttpStatusCode.NotFound`, `StatusCodes.Status404NotFound`.
fn constant(path: &str, name: &str) -> Option<i64> {
    status_code(last(path), name).map(i64::from)
}

/// `MediaTypeNames.Application.Json`
fn member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let (class, kind) = value.as_external()?.rsplit_once('.')?;
    if last(class) != "MediaTypeNames" {
        return None;
    }
    MEDIA.iter().find(|(of, known, _)| *of == kind && *known == name).map(|(_, _, media)| Value::str(*media))
}

/// `System.Net.Mime.MediaTypeNames`: its classes, their constants, and what those are.
/// (<https://learn.microsoft.com/dotnet/api/system.net.mime.mediatypenames>)
#[rustfmt::skip]
const MEDIA: &[(&str, &str, &str)] = &[
    ("Application", "FormUrlEncoded", "application/x-www-form-urlencoded"),
    ("Application", "GZip", "application/gzip"),
    ("Application", "Json", "application/json"),
    ("Application", "JsonPatch", "application/json-patch+json"),
    ("Application", "JsonSequence", "application/json-seq"),
    ("Application", "Manifest", "application/manifest+json"),
    ("Application", "Octet", "application/octet-stream"),
    ("Application", "Pdf", "application/pdf"),
    ("Application", "ProblemJson", "application/problem+json"),
    ("Application", "ProblemXml", "application/problem+xml"),
    ("Application", "Rtf", "application/rtf"),
    ("Application", "Soap", "application/soap+xml"),
    ("Application", "Wasm", "application/wasm"),
    ("Application", "Xml", "application/xml"),
    ("Application", "XmlDtd", "application/xml-dtd"),
    ("Application", "XmlPatch", "application/xml-patch+xml"),
    ("Application", "Zip", "application/zip"),
    ("Image", "Avif", "image/avif"),
    ("Image", "Bmp", "image/bmp"),
    ("Image", "Gif", "image/gif"),
    ("Image", "Icon", "image/x-icon"),
    ("Image", "Jpeg", "image/jpeg"),
    ("Image", "Png", "image/png"),
    ("Image", "Svg", "image/svg+xml"),
    ("Image", "Tiff", "image/tiff"),
    ("Image", "Webp", "image/webp"),
    ("Multipart", "ByteRanges", "multipart/byteranges"),
    ("Multipart", "FormData", "multipart/form-data"),
    ("Multipart", "Mixed", "multipart/mixed"),
    ("Multipart", "Related", "multipart/related"),
    ("Text", "Css", "text/css"),
    ("Text", "Csv", "text/csv"),
    ("Text", "EventStream", "text/event-stream"),
    ("Text", "Html", "text/html"),
    ("Text", "JavaScript", "text/javascript"),
    ("Text", "Markdown", "text/markdown"),
    ("Text", "Plain", "text/plain"),
    ("Text", "RichText", "text/richtext"),
    ("Text", "Rtf", "text/rtf"),
    ("Text", "Xml", "text/xml"),
];

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (class, name) = path.rsplit_once('.')?;
    if name == "GetEnvironmentVariable" && last(class) == "Environment" {
        return Some(evaluator.setting(args.positional.first()?.as_str()?, site));
    }
    if !matches!(last(class), "string" | "String") {
        return None;
    }
    match name {
        "Concat" => Some(text_of(&args.positional)),
        "Format" => format(&args.positional),
        "Join" => {
            let [separator, rest @ ..] = args.positional.as_slice() else { return None };
            let parts = match rest {
                [Value::List(list)] => list.borrow().clone(),
                rest => rest.to_vec(),
            };
            let mut all = Vec::new();
            for (at, part) in parts.into_iter().enumerate() {
                if at > 0 {
                    all.push(separator.clone());
                }
                all.push(part);
            }
            Some(text_of(&all))
        }
        _ => None,
    }
}

/// Parts put together: what is not known stands as such.
fn text_of<'p>(parts: &[Value<'p>]) -> Value<'p> {
    let mut out = String::new();
    let mut whole = true;
    for part in parts {
        match part {
            Value::Str(text) => out.push_str(text),
            Value::Int(number) => out.push_str(&number.to_string()),
            Value::None => {}
            Value::Pattern(text) => {
                whole = false;
                out.push_str(text);
            }
            _ => {
                whole = false;
                out.push(UNKNOWN_PART);
            }
        }
    }
    if whole { Value::str(out) } else { Value::Pattern(Rc::from(out)) }
}

/// `string.Format("{0}/x", a)`
fn format<'p>(args: &[Value<'p>]) -> Option<Value<'p>> {
    let (Value::Str(template), given) = args.split_first()? else { return None };
    let mut parts = Vec::new();
    let mut rest: &str = template;
    while let Some((before, after)) = rest.split_once('{') {
        parts.push(Value::str(before));
        let (hole, after) = after.split_once('}')?;
        let number: String = hole.chars().take_while(char::is_ascii_digit).collect();
        parts.push(given.get(number.parse::<usize>().ok()?)?.clone());
        rest = after;
    }
    parts.push(Value::str(rest));
    Some(text_of(&parts))
}

fn value_method<'p>(
    evaluator: &mut Evaluator<'p>,
    receiver: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    match receiver {
        Value::Instance(_) if name == "GetType" && evaluator.may_be_of_subclass(receiver) => {
            Some(Value::Unknown("type of what one of several classes made", None))
        }
        Value::Instance(instance) if name == "GetType" => Some(Value::Class(instance.class.clone())),
        Value::Str(text) => of_text(text, name, args).map(Value::str),
        Value::Pattern(text) if matches!(name, "ToLower" | "ToLowerInvariant" | "ToString") => {
            Some(Value::Pattern(Rc::from(text.to_lowercase())))
        }
        _ => None,
    }
}

fn of_text(text: &str, name: &str, args: &Args) -> Option<String> {
    let given = |at: usize| args.positional.get(at).and_then(Value::as_str);
    let trimmed: Vec<char> = args.positional.iter().filter_map(Value::as_str).flat_map(str::chars).collect();
    let is_trimmed = |c: char| if args.positional.is_empty() { c.is_whitespace() } else { trimmed.contains(&c) };
    Some(match name {
        "ToLower" | "ToLowerInvariant" => text.to_lowercase(),
        "ToUpper" | "ToUpperInvariant" => text.to_uppercase(),
        "ToString" if args.positional.is_empty() => text.to_owned(),
        "Trim" => text.trim_matches(is_trimmed).to_owned(),
        "TrimStart" => text.trim_start_matches(is_trimmed).to_owned(),
        "TrimEnd" => text.trim_end_matches(is_trimmed).to_owned(),
        "Replace" if !given(0)?.is_empty() => text.replace(given(0)?, given(1).unwrap_or_default()),
        "Substring" => {
            let at = |position: usize| match args.positional.get(position) {
                Some(Value::Int(number)) => usize::try_from(*number).ok(),
                _ => None,
            };
            let rest: String = text.chars().skip(at(0)?).collect();
            if args.positional.len() > 1 { rest.chars().take(at(1)?).collect() } else { rest }
        }
        _ => return None,
    })
}
