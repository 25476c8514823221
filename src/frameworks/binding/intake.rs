//! What an operation takes, collected and put together.

use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::frameworks::taken::{self, JSON, MULTIPART, URLENCODED};
use crate::model::{Body, Field, Parameter, ParameterPlace, Request, ShapeId};
use crate::text::Span;

/// What an operation takes, as it is found.
#[derive(Default)]
pub(in crate::frameworks) struct Intake {
    request: Request,
    fields: Vec<Field>,
    /// All of the form, whatever it has.
    form: Option<Span>,
    has_files: bool,
    body: Option<(ShapeId, Span, bool)>,
}

impl Intake {
    pub(in crate::frameworks) fn parameter(
        &mut self,
        place: ParameterPlace,
        name: &str,
        required: bool,
        shape: ShapeId,
        span: Span,
    ) {
        taken::add(&mut self.request, Parameter { name: name.to_owned(), place, required, shape, span });
    }

    pub(in crate::frameworks) fn field(&mut self, name: &str, required: bool, shape: ShapeId, span: Span) {
        if self.fields.iter().all(|known| known.name != name) {
            self.fields.push(taken::field(name, shape, required, span));
        }
    }

    /// One or several files in a form.
    pub(in crate::frameworks) fn file(
        &mut self,
        schemas: &mut Schemas,
        name: &str,
        required: bool,
        several: bool,
        span: Span,
    ) {
        self.has_files = true;
        let shape = taken::file(&mut schemas.csharp().table, several, span);
        self.field(name, required, shape, span);
    }

    /// Whatever is in a form.
    pub(in crate::frameworks) fn form(&mut self, span: Span) {
        self.form.get_or_insert(span);
    }

    pub(in crate::frameworks) fn body(&mut self, shape: ShapeId, required: bool, span: Span) {
        self.body.get_or_insert((shape, span, required));
    }

    /// Why more may be taken than is listed, beside the body.
    pub(in crate::frameworks) fn other_parameters(&mut self, why: impl Into<String>, span: Span) {
        self.request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(span)));
    }

    /// Why another body may be taken.
    pub(in crate::frameworks) fn other_bodies(&mut self, why: impl Into<String>, span: Span) {
        self.request.other_bodies.get_or_insert_with(|| Reason::new(why, Some(span)));
    }

    /// All of it. `media`: those that are named; without, what the framework takes by itself.
    pub(in crate::frameworks) fn finish(mut self, schemas: &mut Schemas, media: &[String], site: Span) -> Request {
        let (shape, span, required, own): (_, _, _, &[&str]) = if let Some((shape, span, required)) = self.body {
            (shape, span, required, &[JSON])
        } else if !self.fields.is_empty() || self.form.is_some() {
            let required = self.fields.iter().any(|field| field.required);
            let span = self.fields.first().and_then(|field| field.span).or(self.form).unwrap_or(site);
            let open = self.form.map(|span| Reason::new("what code reads of the form is not known", Some(span)));
            let shape = taken::object(&mut schemas.csharp().table, self.fields, open, span);
            (shape, span, required, if self.has_files { &[MULTIPART] } else { &[MULTIPART, URLENCODED] })
        } else {
            return self.request;
        };
        let own: Vec<String> = own.iter().map(|media| (*media).to_owned()).collect();
        let media = if media.is_empty() { own.as_slice() } else { media };
        let bodies = media.iter().map(|media| Body { media: media.clone(), shape, span, required });
        self.request.bodies.extend(bodies);
        self.request
    }
}
