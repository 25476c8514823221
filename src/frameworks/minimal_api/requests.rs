//! What an endpoint takes: the parameters of its handler, by attribute, by type and by name. Follows "Parameter binding in
//! Minimal API applications" of ASP.NET Core's documentation.

use super::endpoints::{ACCEPTS, TAKES};
use super::groups;
use super::responses::class_of;
use crate::evaluate::{Args, Evaluator, FunctionRef, Value, last};
use crate::finding::Reason;
use crate::frameworks::binding::{
    self, Binding, Intake, Names, Source, Special, binding, by_constraints, constraints, form_fields, in_path,
    is_service, names_in, note_reads, shape, special, versions_of_requests,
};
use crate::frameworks::{Route, Schemas};
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::schema::inputs::{self, Input, has_static, is_from_text, items_of};
use crate::model::program::{ClassKind, Function, Modifiers};
use crate::model::{Method, ParameterPlace, Request};
use crate::text::Span;

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let site = route.draft.site;
    let path = names_in(route.path);
    let of_template = constraints(route.template).into_iter().map(|(name, _)| name).collect();
    let mut walk = Walk {
        evaluator,
        schemas,
        intake: Intake::default(),
        path,
        of_template,
        takes_body: matches!(method, Method::Post | Method::Put | Method::Patch),
        candidates: Vec::new(),
        site,
    };
    match route.handler {
        Value::Function(function) => walk.handler(function, None),
        Value::Bound(receiver, function) => walk.handler(function, class_of(receiver).as_ref()),
        Value::External(_) => walk.of_library(route),
        _ => return Request::unknown(Reason::new("what the handler takes is not known", Some(site))),
    }
    walk.settle();
    let media = walk.accepted(route);
    let Walk { evaluator, schemas, mut intake, path, .. } = walk;
    by_constraints(evaluator, schemas, &mut intake, &path, &constraints(route.template), site);
    if !groups::versions(route.draft, route.chain).0.is_empty() {
        versions_of_requests(evaluator, schemas, &mut intake, route.template, site);
    }
    intake.finish(schemas, &media, site)
}

struct Walk<'w, 'p> {
    evaluator: &'w mut Evaluator<'p>,
    schemas: &'w mut Schemas<'p>,
    intake: Intake,
    /// Names in the path that is served, and in its template, of which parts may be left out.
    path: Vec<String>,
    of_template: Vec<String>,
    /// Whether the method takes what is bound from a body without an attribute that says so.
    takes_body: bool,
    /// What may be the body: of several that no attribute tells apart, services are all but one.
    candidates: Vec<Input<'p>>,
    site: Span,
}

impl<'p> Walk<'_, 'p> {
    fn handler(&mut self, function: &FunctionRef<'p>, receiver: Option<&Value<'p>>) {
        let parameters = inputs::parameters(self.evaluator, function, receiver);
        let mut names = Names::default();
        // `context => …`
        if let [only] = parameters.as_slice()
            && function.node.parameters.last().is_some_and(|last| last.annotation.is_none())
        {
            names.context.push(only.name.to_owned());
        } else {
            for input in &parameters {
                match input.ty.as_external().map(last) {
                    Some("HttpContext") => names.context.push(input.name.to_owned()),
                    Some("HttpRequest") => names.request.push(input.name.to_owned()),
                    _ => self.parameter(input, false),
                }
            }
        }
        let function: &'p Function = function.node;
        note_reads(self.evaluator, &mut self.intake, function, None, &names);
    }

    /// A parameter of a handler, or a property that stands for one.
    fn parameter(&mut self, input: &Input<'p>, is_property: bool) {
        let bound = binding(self.evaluator, &input.attributes);
        let name = match &bound.name {
            Some(Ok(name)) => name.clone(),
            None => input.name.to_owned(),
            Some(Err(())) => {
                self.intake.other_parameters("the name of a parameter is not known", input.span);
                return;
            }
        };
        if bound.has_parts && !is_property {
            return self.parts(input);
        }
        let required = !input.has_default && !input.may_be_null();
        match bound.source {
            Some(source) => self.by_attribute(input, &bound, source, &name, required),
            None => self.by_type(input, &name, required),
        }
    }

    /// `[AsParameters]`
    fn parts(&mut self, input: &Input<'p>) {
        let Some((properties, more)) = self.schemas.csharp().inputs_of(self.evaluator, &input.ty) else {
            let why = "parameters are of a type that is not part of the scanned sources";
            self.intake.other_parameters(why, input.span);
            self.intake.other_bodies(why, input.span);
            return;
        };
        if let Some(why) = more {
            self.intake.other_parameters(why, input.span);
        }
        for property in &properties {
            self.parameter(property, true);
        }
    }

    fn by_attribute(&mut self, input: &Input<'p>, bound: &Binding, source: Source, name: &str, required: bool) {
        let span = input.span;
        match source {
            Source::Query | Source::Header => {
                let place = if source == Source::Query { ParameterPlace::Query } else { ParameterPlace::Header };
                let required = required && items_of(&input.ty).is_none();
                let shape = self.shape(input);
                self.intake.parameter(place, name, required, shape, span);
            }
            Source::Path => self.in_path(input, name),
            Source::Body => {
                self.body(input, required && !bound.may_be_empty);
            }
            Source::Form | Source::File => self.form(input, name, required),
            Source::Nothing | Source::Any | Source::Custom => {}
        }
    }

    /// Of a form: a file, a value, or a class whose properties are fields of it.
    fn form(&mut self, input: &Input<'p>, name: &str, required: bool) {
        match special(&input.ty) {
            Some(Special::Form) => self.intake.form(input.span),
            Some(kind @ (Special::File | Special::Files)) => {
                self.intake.file(self.schemas, name, required, kind == Special::Files, input.span);
            }
            _ => form_fields(self.evaluator, self.schemas, &mut self.intake, Serialiser::Endpoints, input, self.site),
        }
    }

    fn by_type(&mut self, input: &Input<'p>, name: &str, required: bool) {
        match special(&input.ty) {
            Some(Special::Nothing) => return,
            Some(Special::Request) => {
                self.intake.other_parameters("the handler is given the request", input.span);
                self.intake.other_bodies("the handler is given the request", input.span);
                return;
            }
            Some(Special::File | Special::Files | Special::Form) => return self.form(input, name, required),
            Some(Special::Raw) => {
                self.intake.other_bodies("the handler is given the body as it comes", input.span);
                return;
            }
            None => {}
        }
        if let Value::Class(class) = &input.ty
            && has_static(self.evaluator, class, "BindAsync")
        {
            self.intake.other_parameters("code of the program binds it", input.span);
            self.intake.other_bodies("code of the program binds it", input.span);
            return;
        }
        let is_in_path = in_path(&self.of_template, name).is_some();
        match is_from_text(self.evaluator, &input.ty) {
            Some(true) if is_in_path => return self.in_path(input, name),
            Some(true) => return self.in_query(input, name, required),
            _ => {}
        }
        let items = items_of(&input.ty);
        let is_list = match &items {
            Some(items) => is_from_text(self.evaluator, items) == Some(true),
            None => matches!(&input.ty, Value::External(path) if last(path) == "StringValues"),
        };
        if is_list && !self.takes_body {
            return self.in_query(input, name, false);
        }
        if items.is_none() && is_service(self.evaluator, self.schemas, &input.ty) {
            return;
        }
        if is_in_path && !matches!(input.ty, Value::Class(_)) {
            return self.in_path(input, name);
        }
        if self.takes_body {
            self.candidates.push(input.clone());
        } else if is_from_text(self.evaluator, &input.ty).is_none() {
            // A service as likely as not.
            let why = "where a value of a type that is not part of the scanned sources comes from is not known";
            self.intake.other_parameters(why, input.span);
        }
    }

    fn in_path(&mut self, input: &Input<'p>, name: &str) {
        if let Some(spelt) = in_path(&self.path, name).map(str::to_owned) {
            let shape = self.shape(input);
            self.intake.parameter(ParameterPlace::Path, &spelt, true, shape, input.span);
        }
    }

    fn in_query(&mut self, input: &Input<'p>, name: &str, required: bool) {
        let shape = self.shape(input);
        self.intake.parameter(ParameterPlace::Query, name, required, shape, input.span);
    }

    /// Finds the body among what may be it.
    fn settle(&mut self) {
        let mut candidates = std::mem::take(&mut self.candidates);
        let mut data: Vec<bool> = candidates.iter().map(|input| self.is_data(input) == Some(true)).collect();
        if candidates.len() > 1 && data.contains(&true) {
            let mut kept = data.iter();
            candidates.retain(|_| kept.next() == Some(&true));
            data.retain(|is_data| *is_data);
        }
        match (candidates.as_slice(), data.as_slice()) {
            ([], _) => {}
            ([body], [true]) => {
                let required = !body.has_default && !body.may_be_null();
                let body = body.clone();
                self.body(&body, required);
            }
            ([other, ..], _) => {
                let why = "whether a value is the body or a service of the program is not known";
                self.intake.other_bodies(why, other.span);
            }
        }
    }

    /// Whether a type holds data that is sent, rather than being a service; `None` where it cannot be known.
    fn is_data(&mut self, input: &Input<'p>) -> Option<bool> {
        if is_from_text(self.evaluator, &input.ty) == Some(false) && !matches!(input.ty, Value::Class(_)) {
            return Some(true);
        }
        let (properties, more) = self.schemas.csharp().inputs_of(self.evaluator, &input.ty)?;
        if properties.iter().any(|property| !property.is_read_only || property.is_required) {
            return Some(true);
        }
        match &input.ty {
            Value::Class(class) if class.node.kind == ClassKind::Class => {
                let is_record = class.node.modifiers.has(Modifiers::RECORD);
                (more.is_none() || is_record).then_some(is_record || !properties.is_empty())
            }
            _ => Some(true),
        }
    }

    fn shape(&mut self, input: &Input<'p>) -> crate::model::ShapeId {
        shape(self.evaluator, self.schemas, Serialiser::Endpoints, input, self.site)
    }

    fn body(&mut self, input: &Input<'p>, required: bool) {
        let serialiser = Serialiser::Endpoints;
        binding::body(self.evaluator, self.schemas, &mut self.intake, serialiser, (input, required), self.site);
    }

    /// What the endpoints of a library take, where that is known.
    fn of_library(&mut self, route: &Route<'_, 'p>) {
        for (name, ty) in route.draft.options.named(TAKES).and_then(pairs).unwrap_or_default() {
            let shape = self.schemas.csharp().shape_by(Serialiser::Endpoints, self.evaluator, &ty, self.site);
            if name.is_empty() {
                self.intake.body(shape, true, self.site);
            } else {
                let required = !name.ends_with('?');
                let name = name.trim_end_matches('?');
                self.intake.parameter(ParameterPlace::Query, name, required, shape, self.site);
            }
        }
    }

    /// `Accepts<T>("application/json")`: the media that are named, and the body where the handler has none of its own.
    fn accepted(&mut self, route: &Route<'_, 'p>) -> Vec<String> {
        let mut media = Vec::new();
        let all = std::iter::once(&route.draft.options).chain(route.chain);
        let said: Vec<Value<'p>> =
            all.filter_map(|options| options.named(ACCEPTS)).filter_map(Value::elements).flatten().collect();
        for value in &said {
            let Value::Made(made) = value else { continue };
            media.extend(named_media(&made.args));
            let ty = if let Some((types, scope)) = &made.args.types {
                types.first().map(|written| self.evaluator.type_expression(written, scope))
            } else {
                let mut given = made.args.positional.iter().chain(made.args.named("requestType"));
                given.find(|value| matches!(value, Value::Class(_) | Value::Applied(..))).cloned()
            };
            let Some(ty) = ty.filter(|ty| special(ty).is_none()) else { continue };
            let optional = matches!(made.args.named("isOptional"), Some(Value::Bool(true)))
                || made.args.positional.iter().any(|value| matches!(value, Value::Bool(true)));
            let shape = self.schemas.csharp().taken_by(Serialiser::Endpoints, self.evaluator, &ty, made.site);
            self.intake.body(shape, !optional, made.site);
        }
        media
    }
}

fn named_media(args: &Args<'_>) -> Vec<String> {
    let given = args.positional.iter().chain(args.named("contentType"));
    given.filter_map(Value::as_str).filter(|text| text.contains('/')).map(str::to_owned).collect()
}

/// Names and types, as a dict.
fn pairs<'p>(value: &Value<'p>) -> Option<Vec<(String, Value<'p>)>> {
    let Value::Dict(known) = value else { return None };
    let known = known.borrow();
    Some(known.entries.iter().filter_map(|(name, ty)| Some((name.as_str()?.to_owned(), ty.clone()))).collect())
}
