//! jQuery: `$.ajax({ url, method, data })`, `$.getJSON(url)`.

use super::super::{Use, Wire};
use super::asked::{json, method_of};
use super::options::at;
use super::{Asked, Query, request};
use crate::evaluate::{Args, Evaluator, Library, Noted, Value};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Method;
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static JQUERY: Wire =
    Wire { name: "jQuery", languages: &[Language::TypeScript], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "jQuery",
    wire_packages: &["jquery"],
    wire_words: &["ajax", "getJSON"],
    call,
    ..Library::TYPESCRIPT
};

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let (what, url) = match path.strip_prefix("jquery.")? {
        "ajax" => ("ajax", evaluator.member(&at(args, 0), "url", Some(site))),
        "getJSON" => ("getJSON", at(args, 0)),
        _ => return None,
    };
    let url = if matches!(url, Value::None) { Value::Unknown("no address is given", Some(site)) } else { url };
    evaluator.note(&LIBRARY, what, url, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let options = at(&noted.args, 0);
    let mut query = Query::default();
    let (mut method, mut body) = (Ok(Method::Get), None);
    if noted.what == "ajax" {
        let mut named = evaluator.member(&options, "method", Some(site));
        if matches!(named, Value::None) {
            named = evaluator.member(&options, "type", Some(site));
        }
        method = method_of(&named, Method::Get, site);
        // What is sent is a query or a body, as the method has it.
        let data = evaluator.member(&options, "data", Some(site));
        match (&method, &data) {
            (_, Value::None) => {}
            (Ok(Method::Get | Method::Head), data) => query.add(evaluator, data, site),
            _ => {
                let shape = payload::unknown(evaluator, schemas, "a text or a form is sent", site);
                body = Some(json(shape, site));
            }
        }
    } else {
        query.add(evaluator, &at(&noted.args, 1), site);
    }
    request(evaluator, schemas, "jQuery", noted, Asked { method, query, body, is_whole: false, answer: None })
}
