//! How ASP.NET binds what clients send, as far as its frameworks have that in common: what attributes say of it, and types
//! that are bound in a way of their own.

mod forms;
mod intake;
mod reads;

use crate::evaluate::{ClassRef, Evaluator, Value, last};
use crate::frameworks::attributes::{Attribute, of_value};
use crate::frameworks::hosting::version_parameter;
use crate::frameworks::{Schemas, route_template};
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::schema::inputs::{Input, items_of};
use crate::model::program::{ClassKind, ExprKind, Stmt, StmtKind};
use crate::model::{Kind, ParameterPlace, PathTemplate, Shape, ShapeId};
use crate::text::Span;

pub(in crate::frameworks) use forms::form_fields;
pub(in crate::frameworks) use intake::Intake;
pub(in crate::frameworks) use reads::{Names, note_reads};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::frameworks) enum Source {
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
    pub(in crate::frameworks) fn is_greedy(self) -> bool {
        !matches!(self, Source::Query | Source::Path | Source::Form | Source::Any)
    }
}

/// What the attributes of something say of how it is bound.
#[derive(Clone, Debug, Default)]
pub(in crate::frameworks) struct Binding {
    pub(in crate::frameworks) source: Option<Source>,
    /// The name that it has on the wire; an error where that is not known.
    pub(in crate::frameworks) name: Option<Result<String, ()>>,
    /// Code of the program makes its value.
    pub(in crate::frameworks) is_custom: bool,
    /// `[Required]`, `[BindRequired]`
    pub(in crate::frameworks) is_required: bool,
    /// Nothing may be sent as well.
    pub(in crate::frameworks) may_be_empty: bool,
    /// `[AsParameters]`
    pub(in crate::frameworks) has_parts: bool,
}

/// Reads the attributes of one parameter or property.
pub(in crate::frameworks) fn binding<'p>(evaluator: &mut Evaluator<'p>, attributes: &[Value<'p>]) -> Binding {
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
        source = match named_source(evaluator, &attribute.value) {
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

/// `BindingSource` of an attribute of the program: `=> BindingSource.Query`.
fn named_source<'p>(evaluator: &mut Evaluator<'p>, attribute: &Value<'p>) -> Option<&'p str> {
    let Value::Instance(instance) = attribute else { return None };
    let class = instance.class.clone();
    evaluator.class_statements(&class).into_iter().find_map(|statement| {
        let StmtKind::Property(property) = &statement.kind else { return None };
        let returned = property.getter.as_ref().and_then(|getter| match getter.body.as_slice() {
            [Stmt { kind: StmtKind::Return(Some(value)), .. }] => Some(value),
            _ => None,
        });
        match &returned.or(property.value.as_ref())?.kind {
            ExprKind::Member { name, .. } if property.name == "BindingSource" => Some(name.as_str()),
            _ => None,
        }
    })
}

/// A type that is bound in a way of its own, whatever attributes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::frameworks) enum Special {
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
pub(in crate::frameworks) fn special(ty: &Value<'_>) -> Option<Special> {
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
pub(in crate::frameworks) fn is_service<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    ty: &Value<'p>,
) -> bool {
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

/// The parameter that names a version, which requests for what has versions must have where their path names none
/// (Asp.Versioning).
pub(in crate::frameworks) fn versions_of_requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    intake: &mut Intake,
    template: &str,
    site: Span,
) {
    if version_parameter(template).is_some() {
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
pub(in crate::frameworks) fn body<'p>(
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
pub(in crate::frameworks) fn names_in(path: &str) -> Vec<String> {
    PathTemplate::new(path).parameters().map(str::to_owned).collect()
}

/// A name of a path as it is spelt there.
pub(in crate::frameworks) fn in_path<'n>(names: &'n [String], name: &str) -> Option<&'n str> {
    names.iter().map(String::as_str).find(|known| known.eq_ignore_ascii_case(name))
}

/// Adds parameters of a path that nothing is bound to, where constraints say what they are.
pub(in crate::frameworks) fn by_constraints<'p>(
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
pub(in crate::frameworks) fn constraints<'p>(template: &str) -> Vec<(String, Value<'p>)> {
    let parameters = route_template::parameters(template).into_iter();
    parameters.map(|(name, kind)| (name, kind.map_or(Value::None, Value::external))).collect()
}

/// The shape of a value that is made of text.
pub(in crate::frameworks) fn shape<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    serialiser: Serialiser,
    input: &Input<'p>,
    site: Span,
) -> ShapeId {
    schemas.csharp().input_shape(serialiser, evaluator, input, site)
}
