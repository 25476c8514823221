//! Angular: `HttpClient`, injected: `http.get<User[]>(url, { params })`, `http.post<User>(url, body, options)`.

use super::super::{Use, Wire};
use super::asked::method_of;
use super::options::{at, is_literal, object_body};
use super::verbs::verb;
use super::{Asked, Query, request};
use crate::evaluate::{Args, Evaluator, Library, Made, Noted, Value};
use crate::frameworks::Schemas;
use crate::languages::Language;
use crate::model::Method;
use crate::text::Span;
use crate::wires::payload;

pub(in crate::wires) static ANGULAR: Wire =
    Wire { name: "Angular HttpClient", languages: &[Language::TypeScript], library: &LIBRARY, read };

static LIBRARY: Library = Library {
    name: "Angular",
    wire_packages: &["@angular/common"],
    wire_words: &["get", "post", "put", "patch", "delete", "head", "options", "request"],
    call,
    chained,
    ..Library::TYPESCRIPT
};

const CLIENT: &str = "@angular/common/http.HttpClient";

fn chained(path: &str) -> bool {
    path.starts_with("@angular/common/http.HttpParams")
}

fn call<'p>(evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    // `private http = inject(HttpClient)`
    if path == "@angular/core.inject" {
        return match args.positional.first()? {
            Value::Class(class) => Some(evaluator.standing(class)),
            Value::External(path) => {
                let args = Args::default();
                Some(Value::Made(std::rc::Rc::new(Made { path: path.clone(), receiver: None, args, site })))
            }
            _ => None,
        };
    }
    let name = path.strip_prefix(CLIENT)?.strip_prefix("().")?;
    let (what, position) = match verb(name) {
        Some(method) => (method.name(), 0),
        None if name == "request" => ("request", 1),
        None => return None,
    };
    let url = args.positional.get(position).cloned();
    let url = url.unwrap_or(Value::Unknown("no address is given", Some(site)));
    evaluator.note(&LIBRARY, what, url, args.clone(), site);
    Some(Value::Unknown("what a server answers", Some(site)))
}

fn read<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, noted: &Noted<'p>) -> Vec<Use> {
    let site = noted.site;
    let method = match noted.what {
        "request" => method_of(&at(&noted.args, 0), Method::Get, site),
        what => method_of(&Value::str(what), Method::Get, site),
    };
    let sends = matches!(method, Ok(Method::Post | Method::Put | Method::Patch)) && noted.what != "request";
    let first = usize::from(noted.what == "request");
    let options = at(&noted.args, first + 1 + usize::from(sends));
    let mut query = Query::default();
    let mut is_json = true;
    let mut body = None;
    let mut is_whole = false;
    if !matches!(options, Value::None) {
        let params = evaluator.member(&options, "params", Some(site));
        query.add(evaluator, &params, site);
        let kind = evaluator.member(&options, "responseType", Some(site));
        is_json = matches!(&kind, Value::None) || kind.as_str() == Some("json");
        if !sends {
            let value = evaluator.member(&options, "body", Some(site));
            let written = super::options::member(payload::written(&noted.args, first + 1, ""), "body");
            is_whole = is_literal(&value, written.clone());
            body = object_body(evaluator, schemas, noted, &value, written);
        }
    }
    if sends {
        let written = payload::written(&noted.args, first + 1, "");
        let value = at(&noted.args, first + 1);
        is_whole = is_literal(&value, written.clone());
        body = object_body(evaluator, schemas, noted, &value, written);
    }
    let answer = if is_json { payload::type_argument(evaluator, schemas, &noted.args, site) } else { None };
    request(evaluator, schemas, "Angular HttpClient", noted, Asked { method, query, body, is_whole, answer })
}
