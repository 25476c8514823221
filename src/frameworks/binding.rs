//! How ASP.NET binds what clients send, as far as its frameworks have that in common: what attributes say of it, and types
//! that are bound in a way of their own.

use super::attributes::{Attribute, of_value};
use super::hosting::version_parameter;
use super::{Schemas, route_template};
use crate::evaluate::{ClassRef, Evaluator, Value, last};
use crate::finding::Reason;
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::schema::inputs::{Input, is_from_text, items_of};
use crate::model::program::{ClassKind, ExprKind, Function};
use crate::model::{
    Additional, Body, Field, Kind, Object, Parameter, ParameterPlace, PathTemplate, Request, Shape, ShapeId,
};
use crate::text::Span;

pub(super) const JSON: &str = "application/json";
pub(super) const MULTIPART: &str = "multipart/form-data";
const URL_ENCODED: &str = "application/x-www-form-urlencoded";

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Query,
    Path,
    Header,
    Body,
    Form,
    File,
    /// From whichever of path, query and form has it.
    Any,
    /// Code of the program reads it.
    Custom,
    /// Not from the request.
    Nothing,
}

impl Source {
    /// Whether a value is bound as a whole, whatever its type has inside.
    pub(super) fn is_greedy(self) -> bool {
        !matches!(self, Source::Query | Source::Path | Source::Form | Source::Any)
    }
}

/// What the attributes of something say of how it is bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Binding {
    pub(super) source: Option<Source>,
    /// The name that it has on the wire; an error where that is not known.
    pub(super) name: Option<Result<String, ()>>,
    /// Code of the program makes its value.
    pub(super) is_custom: bool,
    /// `[Required]`, `[BindRequired]`
    pub(super) is_required: bool,
    /// Nothing may be sent as well.
    pub(super) may_be_empty: bool,
    /// `[AsParameters]`
    pub(super) has_parts: bool,
}

/// Reads the attributes of one parameter or property.
pub(super) fn binding<'p>(evaluator: &mut Evaluator<'p>, attributes: &[Value<'p>]) -> Binding {
    let mut binding = Binding::default();
    for value in attributes {
        let Some(attribute) = of_value(evaluator, value) else { continue };
        add(evaluator, &attribute, &mut binding);
    }
    binding
}

fn add<'p>(evaluator: &mut Evaluator<'p>, attribute: &Attribute<'p>, binding: &mut Binding) {
    let sources = [
        ("FromQuery", Source::Query),
        ("FromRoute", Source::Path),
        ("FromHeader", Source::Header),
        ("FromBody", Source::Body),
        ("FromForm", Source::Form),
        ("FromServices", Source::Nothing),
        ("FromKeyedServices", Source::Nothing),
        ("BindNever", Source::Nothing),
        ("FromUri", Source::Query),
    ];
    let mut source = sources.iter().find(|(name, _)| attribute.is(name)).map(|(_, source)| *source);
    let mut is_named = source.is_some();
    if attribute.is("ModelBinder") {
        let given = attribute.setting(evaluator, Some(0), "binderType", "BinderType");
        binding.is_custom |= given.is_some() || attribute.args.types.is_some();
        is_named = true;
    } else if attribute.is("BindProperty") || attribute.is("IModelNameProvider") {
        is_named = true;
    }
    if source.is_none() && attribute.is("IBindingSourceMetadata") {
        source = match evaluator.member(&attribute.value, "BindingSource", None).as_external().map(last) {
            Some("Query") => Some(Source::Query),
            Some("Path") => Some(Source::Path),
            Some("Header") => Some(Source::Header),
            Some("Body") => Some(Source::Body),
            Some("Form") => Some(Source::Form),
            Some("FormFile") => Some(Source::File),
            Some("Services" | "Special") => Some(Source::Nothing),
            Some("ModelBinding") => Some(Source::Any),
            _ => Some(Source::Custom),
        };
    }
    binding.source = binding.source.or(source);
    if is_named
        && binding.name.is_none()
        && let Some(name) = attribute.setting(evaluator, None, "Name", "Name")
    {
        binding.name = match &name {
            Value::Str(name) if name.is_empty() => None,
            Value::Str(name) => Some(Ok(name.to_string())),
            Value::None => None,
            _ => Some(Err(())),
        };
    }
    if attribute.is("FromBody") {
        let how = attribute.setting(evaluator, None, "EmptyBodyBehavior", "EmptyBodyBehavior");
        let allowed = attribute.setting(evaluator, None, "AllowEmpty", "AllowEmpty");
        binding.may_be_empty |= how.is_some_and(|how| how.as_external().is_some_and(|path| last(path) == "Allow"))
            || matches!(allowed, Some(Value::Bool(true)));
    }
    binding.is_required |= attribute.is("Required") || attribute.is("BindRequired");
    binding.has_parts |= attribute.is("AsParameters");
}

/// A type that is bound in a way of its own, whatever attributes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// Not from the request.
    Nothing,
    /// The request itself, of which code may read anything.
    Request,
    File,
    Files,
    /// All of a form.
    Form,
    /// The body as it comes.
    Raw,
}

/// What is special about a type.
pub(super) fn special(ty: &Value<'_>) -> Option<Special> {
    let named = |ty: &Value<'_>| match ty {
        Value::External(path) => match last(path) {
            "CancellationToken" | "HttpResponse" | "ClaimsPrincipal" | "IPrincipal" | "ApiVersion" => {
                Some(Special::Nothing)
            }
            "HttpContext" | "HttpRequest" => Some(Special::Request),
            "IFormFile" => Some(Special::File),
            "IFormFileCollection" => Some(Special::Files),
            "IFormCollection" => Some(Special::Form),
            "Stream" | "PipeReader" => Some(Special::Raw),
            _ => None,
        },
        _ => None,
    };
    if let Value::Union(options) = ty {
        return options.iter().find_map(named);
    }
    match items_of(ty) {
        Some(items) if named(&items) == Some(Special::File) => Some(Special::Files),
        Some(_) => None,
        None => named(ty),
    }
}

/// Whether a type is a service that functions are given, as far as that can be told.
pub(super) fn is_service<'p>(evaluator: &mut Evaluator<'p>, schemas: &mut Schemas<'p>, ty: &Value<'p>) -> bool {
    let class: ClassRef<'p> = match ty {
        Value::Union(options) => {
            let others: Vec<Value<'p>> =
                options.iter().filter(|option| !matches!(option, Value::None)).cloned().collect();
            return others.len() == 1 && others.iter().any(|ty| is_service(evaluator, schemas, ty));
        }
        Value::External(path) => return is_named_as_service(last(path)),
        Value::Class(class) => class.clone(),
        Value::Applied(base, _) => match &**base {
            Value::External(path) => return items_of(ty).is_none() && is_named_as_service(last(path)),
            Value::Class(class) => class.clone(),
            _ => return false,
        },
        _ => return false,
    };
    if class.node.kind == ClassKind::Interface || schemas.csharp().is_registered(evaluator, &class) {
        return true;
    }
    let bases = evaluator.external_bases(&class);
    bases.iter().any(|path| {
        let name = last(path);
        name.ends_with("DbContext") || name.ends_with("Controller") || matches!(name, "BackgroundService" | "Hub")
    })
}

/// What services of libraries are named as.
fn is_named_as_service(name: &str) -> bool {
    const ENDS: &[&str] = &[
        "Accessor",
        "Bus",
        "Cache",
        "Channel",
        "Client",
        "Configuration",
        "Connection",
        "Context",
        "DataSource",
        "Database",
        "Environment",
        "Factory",
        "Generator",
        "Logger",
        "Manager",
        "Mediator",
        "Monitor",
        "Provider",
        "Publisher",
        "Repository",
        "Sender",
        "Service",
        "Session",
        "Store",
        "Options",
    ];
    let mut chars = name.chars();
    let is_interface = chars.next() == Some('I') && chars.next().is_some_and(char::is_uppercase);
    let is_collection = ["Enumerable", "List", "Collection", "Dictionary", "Set"].iter().any(|end| name.ends_with(end));
    (is_interface && !is_collection && !name.starts_with("IForm")) || ENDS.iter().any(|end| name.ends_with(end))
}

/// What an operation takes, as it is found.
#[derive(Default)]
pub(super) struct Intake {
    request: Request,
    fields: Vec<Field>,
    /// All of the form, whatever it has.
    form: Option<Span>,
    has_files: bool,
    body: Option<(ShapeId, Span, bool)>,
}

impl Intake {
    pub(super) fn parameter(&mut self, place: ParameterPlace, name: &str, required: bool, shape: ShapeId, span: Span) {
        let known = self.request.parameters.iter().any(|known| {
            known.place == place
                && (known.name == name || (place == ParameterPlace::Header && known.name.eq_ignore_ascii_case(name)))
        });
        if !known {
            self.request.parameters.push(Parameter { name: name.to_owned(), place, required, shape, span });
        }
    }

    pub(super) fn field(&mut self, name: &str, required: bool, shape: ShapeId, span: Span) {
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
    pub(super) fn file(&mut self, schemas: &mut Schemas, name: &str, required: bool, several: bool, span: Span) {
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
    pub(super) fn form(&mut self, span: Span) {
        self.form.get_or_insert(span);
    }

    pub(super) fn body(&mut self, shape: ShapeId, required: bool, span: Span) {
        self.body.get_or_insert((shape, span, required));
    }

    /// Why more may be taken than is listed, beside the body.
    pub(super) fn other_parameters(&mut self, why: impl Into<String>, span: Span) {
        self.request.other_parameters.get_or_insert_with(|| Reason::new(why, Some(span)));
    }

    /// Why another body may be taken.
    pub(super) fn other_bodies(&mut self, why: impl Into<String>, span: Span) {
        self.request.other_bodies.get_or_insert_with(|| Reason::new(why, Some(span)));
    }

    /// All of it. `media`: those that are named; without, what the framework takes by itself.
    pub(super) fn finish(mut self, schemas: &mut Schemas, media: &[String], site: Span) -> Request {
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

/// Classes within classes of a form that are looked into, and values of one form.
const MAX_DEPTH: usize = 8;
const MAX_FIELDS: usize = 2_000;

/// A value of a form, or what it is made of, property by property: `a`, `b.c`.
pub(super) fn form_fields<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    intake: &mut Intake,
    serialiser: Serialiser,
    input: &Input<'p>,
    site: Span,
) {
    let mut left: Vec<(Input<'p>, String, usize)> = vec![(input.clone(), String::new(), 0)];
    let mut seen = 0;
    while let Some((input, around, depth)) = left.pop() {
        seen += 1;
        if seen > MAX_FIELDS {
            break;
        }
        let own = match binding(evaluator, &input.attributes).name {
            Some(Ok(name)) => name,
            _ => input.name.to_owned(),
        };
        let name = if around.is_empty() { own } else { format!("{around}.{own}") };
        match special(&input.ty) {
            Some(kind @ (Special::File | Special::Files)) => {
                intake.file(schemas, &name, !input.may_be_null(), kind == Special::Files, input.span);
                continue;
            }
            Some(_) => continue,
            None => {}
        }
        let has_parts =
            depth < MAX_DEPTH && items_of(&input.ty).is_none() && is_from_text(evaluator, &input.ty) == Some(false);
        if has_parts && let Some((properties, more)) = schemas.csharp().inputs_of(evaluator, &input.ty) {
            if let Some(why) = more {
                intake.other_bodies(why, input.span);
            }
            let around = if depth == 0 { String::new() } else { name };
            left.extend(properties.into_iter().rev().map(|property| (property, around.clone(), depth + 1)));
            continue;
        }
        let required = !input.has_default && !input.may_be_null() && items_of(&input.ty).is_none() && around.is_empty();
        let shape = shape(evaluator, schemas, serialiser, &input, site);
        intake.field(&name, required, shape, input.span);
    }
}

/// The parameter that names a version, which requests for what has versions must have where their path names none
/// (Asp.Versioning).
pub(super) fn versions_of_requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    intake: &mut Intake,
    template: Option<&str>,
    path: &str,
    site: Span,
) {
    if template.is_some_and(|template| version_parameter(template).is_some()) || version_parameter(path).is_some() {
        return;
    }
    let Some(versioning) = schemas.csharp().versioning(evaluator) else {
        intake.other_parameters("how requests name a version is not known", site);
        return;
    };
    let text = schemas.csharp().table.add(Shape::new(Kind::String));
    // With several ways, each of them is enough.
    let required = !versioning.assumes_default && versioning.query.is_some() != versioning.header.is_some();
    if let Some(name) = &versioning.query {
        intake.parameter(ParameterPlace::Query, name, required, text, site);
    }
    if let Some(name) = &versioning.header {
        intake.parameter(ParameterPlace::Header, name, required, text, site);
    }
}

/// Adds what a serialiser reads of the body.
pub(super) fn body<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    intake: &mut Intake,
    serialiser: Serialiser,
    (input, required): (&Input<'p>, bool),
    site: Span,
) {
    let shape = schemas.csharp().taken_by(serialiser, evaluator, &input.ty, site);
    intake.body(shape, required, input.span);
}

/// The names in a path.
pub(super) fn names_in(path: &str) -> Vec<String> {
    PathTemplate::new(path).parameters().map(str::to_owned).collect()
}

/// A name of a path as it is spelt there.
pub(super) fn in_path<'n>(names: &'n [String], name: &str) -> Option<&'n str> {
    names.iter().map(String::as_str).find(|known| known.eq_ignore_ascii_case(name))
}

/// Adds parameters of a path that nothing is bound to, where constraints say what they are.
pub(super) fn by_constraints<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    intake: &mut Intake,
    path: &[String],
    constraints: &[(String, Value<'p>)],
    site: Span,
) {
    for (name, kind) in constraints {
        if let (Some(name), Value::External(_)) = (in_path(path, name), kind) {
            // What documents say of it is a text as likely as not.
            let shape = schemas.csharp().shape_by(Serialiser::Controllers, evaluator, kind, site);
            let table = &mut schemas.csharp().table;
            let text = table.add(Shape::new(Kind::String));
            let shape = table.add(Shape::new(Kind::Either(vec![shape, text])));
            intake.parameter(ParameterPlace::Path, name, true, shape, site);
        }
    }
}

/// The constraints of a template, as types.
pub(super) fn constraints<'p>(template: &str) -> Vec<(String, Value<'p>)> {
    let parameters = route_template::parameters(template).into_iter();
    parameters.map(|(name, kind)| (name, kind.map_or(Value::None, Value::external))).collect()
}

/// What code reads of the request by itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reads {
    pub(super) parameters: Option<Span>,
    pub(super) bodies: Option<Span>,
}

/// Looks for `Request.Query`, `Request.Headers`, `Request.Form` and their like in a function.
pub(super) fn reads(function: &Function) -> Reads {
    let mut reads = Reads::default();
    crate::languages::csharp::expressions(&function.body, &mut |inner| {
        let ExprKind::Member { object, name } = &inner.kind else { return };
        let is_request = match &object.kind {
            ExprKind::Name(on) => on == "Request" || on == "request",
            ExprKind::Member { name: on, .. } => on == "Request",
            _ => false,
        };
        if !is_request {
            return;
        }
        match name.as_str() {
            "Query" | "QueryString" | "Headers" | "Cookies" | "GetTypedHeaders" | "RouteValues" => {
                reads.parameters.get_or_insert(inner.span);
            }
            "Form" | "Body" | "BodyReader" | "ReadFormAsync" | "ReadFromJsonAsync" | "EnableBuffering" => {
                reads.bodies.get_or_insert(inner.span);
            }
            _ => {}
        }
    });
    reads
}

/// Notes what a function reads of the request by itself.
pub(super) fn note_reads(intake: &mut Intake, function: &Function) {
    let reads = reads(function);
    if let Some(span) = reads.parameters {
        intake.other_parameters("code reads of the request what it likes", span);
    }
    if let Some(span) = reads.bodies {
        intake.other_bodies("code reads the body by itself", span);
    }
}

/// The shape of a value that is made of text.
pub(super) fn shape<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    serialiser: Serialiser,
    input: &Input<'p>,
    site: Span,
) -> ShapeId {
    schemas.csharp().input_shape(serialiser, evaluator, input, site)
}
