//! What an action takes: parameters by attribute and by convention, and the parts of classes that they are bound from. Model
//! binding as ASP.NET Core documents it ("Model Binding in ASP.NET Core", "Binding source parameter inference"), names as
//! its description of the API has them (`DefaultApiDescriptionProvider`).

use super::controllers::PARAMETERS;
use crate::evaluate::{Evaluator, Value};
use crate::frameworks::attributes::{Attribute, of_value};
use crate::frameworks::binding::{
    Binding, Intake, Names, Source, Special, binding, body, by_constraints, in_path, is_service, names_in, note_reads,
    shape, special,
};
use crate::frameworks::{Route, Schemas};
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::schema::inputs::{self, Input, is_from_text, items_of};
use crate::model::{Method, ParameterPlace, Request, Shape};
use crate::text::Span;

/// Classes within classes whose properties are bound one by one; there may be other parameters then.
const MAX_DEPTH: usize = 12;
/// Parameters of one operation; there may be others then.
const MAX_PARAMETERS: usize = 2_000;

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let Value::Bound(class, function) = route.handler else { return Request::default() };
    let mut values: Vec<&Value<'p>> = route.draft.options.positional.iter().collect();
    values.extend(route.chain.first().iter().flat_map(|options| &options.positional));
    let attributes: Vec<Attribute<'p>> = values.iter().filter_map(|value| of_value(evaluator, value)).collect();
    let infers =
        attributes.iter().any(|attribute| attribute.is("ApiController") || attribute.is("IApiBehaviorMetadata"));
    let of_action: Vec<(String, Value<'p>)> = match route.draft.options.named(PARAMETERS) {
        Some(Value::Dict(known)) => {
            let known = known.borrow();
            known.entries.iter().filter_map(|(name, kind)| Some((name.as_str()?.to_owned(), kind.clone()))).collect()
        }
        _ => Vec::new(),
    };
    let site = function.node.name_span;
    let mut walk = Walk {
        evaluator,
        schemas,
        intake: Intake::default(),
        path: names_in(route.path),
        of_action: of_action.iter().map(|(name, _)| name.clone()).collect(),
        method,
        open: Vec::new(),
        found: 0,
        site,
    };
    for input in inputs::parameters(walk.evaluator, function, Some(class)) {
        walk.parameter(&input, infers);
    }
    walk.properties_of_controller(class);
    let own = if let Value::Class(class) = &**class { Some(class) } else { None };
    note_reads(walk.evaluator, &mut walk.intake, function.node, own, &Names::of_controller());
    let Walk { mut intake, path, .. } = walk;
    by_constraints(evaluator, schemas, &mut intake, &path, &of_action, site);
    let consumed = consumed(&attributes);
    intake.finish(schemas, &consumed, site)
}

/// The media of `[Consumes]`, of the action before its class.
fn consumed(attributes: &[Attribute<'_>]) -> Vec<String> {
    let Some(consumes) = attributes.iter().find(|attribute| attribute.is("Consumes")) else { return Vec::new() };
    let mut media: Vec<String> = Vec::new();
    for value in &consumes.args.positional {
        let values = value.elements().unwrap_or_else(|| vec![value.clone()]);
        media.extend(values.iter().filter_map(Value::as_str).filter(|text| text.contains('/')).map(str::to_owned));
    }
    media
}

/// What the type itself says, or the class that it is.
fn source_of_type(input: &Input<'_>, binding: &Binding) -> Option<Source> {
    match special(&input.ty) {
        Some(Special::Nothing | Special::Request) => return Some(Source::Nothing),
        Some(Special::File | Special::Files | Special::Form) => return Some(Source::File),
        Some(Special::Raw) | None => {}
    }
    binding.is_custom.then_some(Source::Custom)
}

struct Walk<'w, 'p> {
    evaluator: &'w mut Evaluator<'p>,
    schemas: &'w mut Schemas<'p>,
    intake: Intake,
    /// Names in the path that is served, and in all paths of the action.
    path: Vec<String>,
    of_action: Vec<String>,
    method: Method,
    /// Properties that are being walked, each with its source: one of its own type ends there.
    open: Vec<(Span, Option<Source>)>,
    found: usize,
    site: Span,
}

impl<'p> Walk<'_, 'p> {
    /// A parameter of an action.
    fn parameter(&mut self, input: &Input<'p>, infers: bool) {
        let mut binding = binding(self.evaluator, &input.attributes);
        if binding.source.is_none() {
            binding.source = source_of_type(input, &binding);
        }
        if binding.source.is_none() && infers {
            binding.source = Some(self.inferred(input));
        }
        if binding.source.is_none() && is_service(self.evaluator, self.schemas, &input.ty) {
            return;
        }
        self.visit(input, &binding, Source::Any, None, 0);
    }

    /// What a controller of an API infers.
    fn inferred(&mut self, input: &Input<'p>) -> Source {
        let name = input.name;
        let is_from_text = is_from_text(self.evaluator, &input.ty);
        if is_from_text != Some(true) && is_service(self.evaluator, self.schemas, &input.ty) {
            return Source::Nothing;
        }
        match is_from_text {
            Some(true) if in_path(&self.of_action, name).is_some() => Source::Path,
            Some(true) => Source::Query,
            Some(false) => Source::Body,
            None if in_path(&self.of_action, name).is_some() => Source::Path,
            None => {
                let why = "where a value of a type that is not part of the scanned sources comes from is not known";
                self.intake.other_parameters(why, input.span);
                self.intake.other_bodies(why, input.span);
                Source::Nothing
            }
        }
    }

    /// Properties of the controller that are bound as well.
    fn properties_of_controller(&mut self, class: &Value<'p>) {
        let Value::Class(class) = class else { return };
        let Some((properties, _)) = self.schemas.csharp().inputs_of(self.evaluator, &Value::Class(class.clone()))
        else {
            return;
        };
        for input in properties.iter().filter(|input| !input.attributes.is_empty()) {
            let mut bound = binding(self.evaluator, &input.attributes);
            let mut gets = true;
            for value in &input.attributes {
                if let Some(attribute) = of_value(self.evaluator, value)
                    && attribute.is("BindProperty")
                {
                    bound.source = bound.source.or(Some(Source::Any));
                    let also = attribute.setting(self.evaluator, None, "SupportsGet", "SupportsGet");
                    gets = matches!(also, Some(Value::Bool(true)));
                }
            }
            if bound.source.is_some() && (gets || self.method != Method::Get) {
                self.visit(input, &bound, Source::Any, None, 0);
            }
        }
    }

    /// Follows a value down to what is bound by itself. `container`: the names of the properties around it, where it is a
    /// property.
    fn visit(&mut self, input: &Input<'p>, bound: &Binding, ambient: Source, container: Option<&str>, depth: usize) {
        self.found += 1;
        if self.found > MAX_PARAMETERS {
            self.intake.other_parameters("more parameters than are read", input.span);
            return;
        }
        let own = match &bound.name {
            Some(Ok(name)) => name.clone(),
            None => input.name.to_owned(),
            Some(Err(())) => {
                self.intake.other_parameters("the name of a parameter is not known", input.span);
                return;
            }
        };
        let name = match container {
            Some(around) if !around.is_empty() => format!("{around}.{own}"),
            _ => own,
        };
        let source = bound.source.unwrap_or(ambient);
        let key = (input.span, bound.source);
        let is_leaf = source.is_greedy()
            || bound.is_custom
            || items_of(&input.ty).is_some()
            || is_from_text(self.evaluator, &input.ty) != Some(false)
            || self.open.contains(&key);
        let is_leaf = is_leaf || {
            if depth >= MAX_DEPTH {
                self.intake.other_parameters("parameters within parameters, nested too deep", input.span);
            }
            depth >= MAX_DEPTH
        };
        if !is_leaf && let Some((properties, more)) = self.schemas.csharp().inputs_of(self.evaluator, &input.ty) {
            if let Some(why) = more {
                self.intake.other_parameters(why, input.span);
            }
            if !properties.is_empty() {
                // The name of a parameter does not stand before those of its parts.
                let around = if container.is_some() { name } else { String::new() };
                self.open.push(key);
                for property in &properties {
                    let mut inner = binding(self.evaluator, &property.attributes);
                    if inner.source.is_none() {
                        inner.source = source_of_type(property, &inner);
                    }
                    inner.is_required = (inner.is_required || property.is_required) && around.is_empty();
                    self.visit(property, &inner, source, Some(&around), depth + 1);
                }
                self.open.pop();
                return;
            }
        }
        self.leaf(input, bound, source, &name);
    }

    /// A value that is bound by itself.
    fn leaf(&mut self, input: &Input<'p>, bound: &Binding, source: Source, name: &str) {
        let (span, required) = (input.span, bound.is_required);
        match source {
            Source::Nothing => {}
            Source::Body => {
                // Nothing at all is refused unless the action says otherwise, and documents never say so by themselves: as
                // with members, only what is said to be required is.
                let what = (input, required && !bound.may_be_empty);
                body(self.evaluator, self.schemas, &mut self.intake, Serialiser::Controllers, what, self.site);
            }
            Source::File => match special(&input.ty) {
                Some(Special::Form) => self.intake.form(span),
                kind => self.intake.file(self.schemas, name, required, kind == Some(Special::Files), span),
            },
            Source::Form => match special(&input.ty) {
                Some(Special::Form) => self.intake.form(span),
                Some(kind @ (Special::File | Special::Files)) => {
                    self.intake.file(self.schemas, name, required, kind == Special::Files, span);
                }
                _ => {
                    let shape = self.shape(input);
                    self.intake.field(name, required, shape, span);
                }
            },
            Source::Header => {
                let shape = self.shape(input);
                self.intake.parameter(ParameterPlace::Header, name, required, shape, span);
            }
            Source::Query => {
                if is_from_text(self.evaluator, &input.ty).is_none() {
                    let why = "a type that is not part of the scanned sources may have members of its own";
                    self.intake.other_parameters(why, span);
                }
                let shape = self.shape_of_parameter(input, bound);
                self.intake.parameter(ParameterPlace::Query, name, required, shape, span);
            }
            Source::Custom if !bound.is_custom => {
                self.intake.other_parameters("where a value comes from is not known", span);
                self.intake.other_bodies("where a value comes from is not known", span);
            }
            Source::Path | Source::Any | Source::Custom => {
                if let Some(spelt) = in_path(&self.path, name).map(str::to_owned) {
                    let shape = self.shape_of_parameter(input, bound);
                    self.intake.parameter(ParameterPlace::Path, &spelt, true, shape, span);
                } else if source != Source::Path && in_path(&self.of_action, name).is_none() {
                    let shape = self.shape_of_parameter(input, bound);
                    self.intake.parameter(ParameterPlace::Query, name, required, shape, span);
                    if source == Source::Any && !matches!(self.method, Method::Get | Method::Head) {
                        self.intake.other_bodies("values are taken from forms as well", span);
                    }
                }
            }
        }
    }

    fn shape(&mut self, input: &Input<'p>) -> crate::model::ShapeId {
        shape(self.evaluator, self.schemas, Serialiser::Controllers, input, self.site)
    }

    /// The same, unless code of the program makes the value of the text that is sent.
    fn shape_of_parameter(&mut self, input: &Input<'p>, bound: &Binding) -> crate::model::ShapeId {
        if bound.is_custom {
            let unknown = Shape::unknown("code of the program reads it in its own way", Some(input.span));
            return self.schemas.csharp().table.add(unknown);
        }
        self.shape(input)
    }
}
