//! What a handler answers, told from its declared result and from where it returns.

use super::Typer;
use super::generics::{same, without_null};
use crate::evaluate::{Evaluator, FunctionRef, Value};
use crate::text::Span;

/// One thing that a handler may answer.
#[derive(Clone)]
pub struct Answer<'p> {
    /// None where it is not known.
    pub status: Option<u16>,
    pub body: Body<'p>,
    pub span: Span,
}

#[derive(Clone)]
pub enum Body<'p> {
    /// What is written for a value of this type.
    Type(Value<'p>),
    Nothing,
    /// A file, a page, plain text: what it is.
    NotJson(&'static str),
    /// Why it is not known, and where knowledge ended.
    Unknown(&'static str, Option<Span>),
}

/// Everything that a handler answers, one for each status. `receiver` is the type that it is called on, where that says
/// more than the class that declares it: of an inherited action, the controller.
pub fn answers<'p>(
    evaluator: &mut Evaluator<'p>,
    handler: &FunctionRef<'p>,
    receiver: Option<&Value<'p>>,
) -> Vec<Answer<'p>> {
    let mut typer = Typer::new(evaluator);
    let place = typer.place(handler, receiver);
    let found = typer.handler(handler.node, &place);
    let mut found = merged(&found);
    // What is known comes first.
    found.sort_by_key(|answer| answer.status.is_none());
    found
}

/// What the declared result of a handler says that a success carries; `None` where it says nothing.
pub fn declared<'p>(
    evaluator: &mut Evaluator<'p>,
    handler: &FunctionRef<'p>,
    receiver: Option<&Value<'p>>,
) -> Option<Body<'p>> {
    let mut typer = Typer::new(evaluator);
    let place = typer.place(handler, receiver);
    typer.declared_success(handler.node, &place)
}

/// What a handler sends with 200 that is surely not of the type that it declares, and where.
pub fn otherwise<'p>(
    evaluator: &mut Evaluator<'p>,
    handler: &FunctionRef<'p>,
    receiver: Option<&Value<'p>>,
    declared: &Value<'p>,
) -> Option<(Value<'p>, Span)> {
    let mut typer = Typer::new(evaluator);
    let place = typer.place(handler, receiver);
    let found = typer.handler(handler.node, &place);
    let declared = without_null(declared);
    found.into_iter().filter(|answer| answer.status == Some(200)).find_map(|answer| match settled(&answer.body) {
        Body::Type(ty) if !same(&ty, &declared) => Some((ty, answer.span)),
        _ => None,
    })
}

/// One answer for each status: of several bodies all that may be, which is not known where one of them is not.
fn merged<'p>(found: &[Answer<'p>]) -> Vec<Answer<'p>> {
    let mut out: Vec<Answer<'p>> = Vec::new();
    for answer in found {
        let answer = Answer { body: settled(&answer.body), ..answer.clone() };
        match out.iter_mut().find(|known| known.status == answer.status && answer.status.is_some()) {
            None => out.push(answer),
            Some(known) => known.body = both(&known.body, &answer.body),
        }
    }
    out
}

/// Null is not written but leaves the body empty; what cannot be known is said so.
fn settled<'p>(body: &Body<'p>) -> Body<'p> {
    match body {
        Body::Type(ty) => match without_null(ty) {
            Value::Unknown(why, at) => Body::Unknown(why, at),
            Value::None => Body::Nothing,
            ty => Body::Type(ty),
        },
        other => other.clone(),
    }
}

fn both<'p>(a: &Body<'p>, b: &Body<'p>) -> Body<'p> {
    match (a, b) {
        (Body::Unknown(..), _) => a.clone(),
        (_, Body::Unknown(..)) => b.clone(),
        // Where there is a body, it is this one.
        (Body::Nothing | Body::NotJson(_), other) | (other, Body::Nothing | Body::NotJson(_)) => other.clone(),
        (Body::Type(x), Body::Type(y)) => {
            let mut options: Vec<Value<'p>> = match x {
                Value::Union(options) => options.to_vec(),
                one => vec![one.clone()],
            };
            if options.iter().any(|known| same(known, y)) {
                return a.clone();
            }
            options.push(y.clone());
            match Value::union(options) {
                Value::Unknown(why, at) => Body::Unknown(why, at),
                union => Body::Type(union),
            }
        }
    }
}
