//! What an operation takes, collected and put together.

use crate::finding::Reason;
use crate::frameworks::Schemas;
use crate::model::{Additional, Body, Field, Kind, Object, Parameter, ParameterPlace, Request, Shape, ShapeId};
use crate::text::Span;

const JSON: &str = "application/json";
const MULTIPART: &str = "multipart/form-data";
const URL_ENCODED: &str = "application/x-www-form-urlencoded";

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
        let known = self.request.parameters.iter().any(|known| {
            known.place == place
                && (known.name == name || (place == ParameterPlace::Header && known.name.eq_ignore_ascii_case(name)))
        });
        if !known {
            self.request.parameters.push(Parameter { name: name.to_owned(), place, required, shape, span });
        }
    }

    pub(in crate::frameworks) fn field(&mut self, name: &str, required: bool, shape: ShapeId, span: Span) {
        if self.fields.iter().all(|known| known.name != name) {
            self.fields.push(Field {
                name: name.to_owned(),
                shape,
                required,
                always: required,
                span: Some(span),
                declared: None,
            });
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
        let table = &mut schemas.csharp().table;
        let mut file = Shape::new(Kind::String);
        file.format = Some("binary".to_owned());
        let mut shape = table.add(file);
        if several {
            shape = table.add(Shape::new(Kind::Array { prefix: Vec::new(), items: Some(shape) }));
        }
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
        if let Some((shape, span, required)) = self.body {
            let media = if media.is_empty() { &[JSON.to_owned()][..] } else { media };
            let bodies = media.iter().map(|media| Body { media: media.clone(), shape, span, required });
            self.request.bodies.extend(bodies);
        } else if !self.fields.is_empty() || self.form.is_some() {
            let table = &mut schemas.csharp().table;
            let required = self.fields.iter().any(|field| field.required);
            let additional = match self.form {
                Some(span) => {
                    Additional::Of(table.add(Shape::unknown("what code reads of the form is not known", Some(span))))
                }
                None => Additional::Open,
            };
            let span = self.fields.first().and_then(|field| field.span).or(self.form).unwrap_or(site);
            let object = Kind::Object(Object { fields: self.fields, additional });
            let shape = table.add(Shape::new(object).at(Some(span)));
            let own = if self.has_files { vec![MULTIPART] } else { vec![MULTIPART, URL_ENCODED] };
            let own: Vec<String> = own.into_iter().map(str::to_owned).collect();
            let media = if media.is_empty() { own.as_slice() } else { media };
            let bodies = media.iter().map(|media| Body { media: media.clone(), shape, span, required });
            self.request.bodies.extend(bodies);
        }
        self.request
    }
}
