//! What an endpoint takes: the properties of its request, each from where its attributes say, else from the path, the query
//! or the body (fast-endpoints.com/docs/model-binding).

use super::definition::{ACCEPTS, BINDER, FORMS, list};
use crate::evaluate::{Evaluator, FunctionRef, Value, last};
use crate::finding::Reason;
use crate::frameworks::attributes::of_value;
use crate::frameworks::binding::{
    Intake, Names, Special, by_constraints, constraints, in_path, names_in, note_reads, shape, special,
};
use crate::frameworks::{Route, Schemas};
use crate::languages::csharp::expressions;
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::schema::inputs::{self, Input};
use crate::languages::csharp::typing::supertypes;
use crate::model::program::{ExprKind, Function};
use crate::model::{Kind, Method, Object, ParameterPlace, Request, Shape, ShapeId};
use crate::text::Span;

pub(super) fn requests<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    method: Method,
) -> Request {
    let site = route.draft.site;
    let unknown = |why: &str| Request::unknown(Reason::new(why, Some(site)));
    let Value::Bound(class, function) = route.handler else { return unknown("what the endpoint takes is not known") };
    let endpoint = match route.draft.options.positional.first() {
        Some(Value::Node(id)) => Some(*id),
        _ => None,
    };
    let said = |evaluator: &Evaluator<'p>, name: &str| endpoint.map(|id| list(evaluator, id, name)).unwrap_or_default();
    if !said(evaluator, BINDER).is_empty() {
        return unknown("code of the program binds the request");
    }
    let mut walk = Walk {
        has_form: !said(evaluator, FORMS).is_empty(),
        path: names_in(route.path),
        has_body: !matches!(method, Method::Get | Method::Head),
        is_text: false,
        evaluator,
        schemas,
        intake: Intake::default(),
        in_body: Vec::new(),
        site,
    };
    if let Some(ty) = request_type(walk.evaluator, class, function, site) {
        walk.request(&ty);
    }
    walk.reads(function, class);
    let mut media = media(&said(walk.evaluator, ACCEPTS));
    if walk.is_text && media.is_empty() {
        media.push("text/plain".to_owned());
    }
    let Walk { evaluator, schemas, mut intake, path, .. } = walk;
    by_constraints(evaluator, schemas, &mut intake, &path, &constraints(route.template), site);
    intake.finish(schemas, &media, site)
}

/// The media of `Accepts<T>("text/plain")`.
fn media(said: &[Value<'_>]) -> Vec<String> {
    let made = said.iter().filter_map(|value| if let Value::Made(made) = value { Some(made) } else { None });
    let given = made.flat_map(|made| &made.args.positional);
    given.filter_map(Value::as_str).filter(|text| text.contains('/') && *text != "*/*").map(str::to_owned).collect()
}

/// The type that an endpoint tells its base class that it takes; `None` where it takes nothing of its own.
fn request_type<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &Value<'p>,
    function: &FunctionRef<'p>,
    site: Span,
) -> Option<Input<'p>> {
    const TAKING: &[&str] =
        &["Endpoint", "EndpointWithMapper", "EndpointWithMapping", "RefreshTokenService", "Req", "Ep.Req"];
    let above = supertypes(evaluator, class);
    let told = above.iter().find_map(|base| {
        let Value::Applied(base, args) = base else { return None };
        let path = base.as_external()?;
        TAKING.contains(&last(path)).then(|| args.first().cloned()).flatten()
    });
    let parameters = inputs::parameters(evaluator, function, Some(class));
    let given = parameters.iter().find(|input| special(&input.ty).is_none());
    let span = given.map_or(site, |input| input.span);
    let ty = told.or_else(|| given.map(|input| input.ty.clone()))?;
    let says_nothing = ty.as_external().is_some_and(|path| matches!(last(path), "EmptyRequest" | "object"));
    (!says_nothing).then(|| Input {
        name: "req",
        ty,
        attributes: Vec::new(),
        has_default: false,
        is_required: true,
        is_oblivious: false,
        is_read_only: false,
        span,
    })
}

struct Walk<'w, 'p> {
    evaluator: &'w mut Evaluator<'p>,
    schemas: &'w mut Schemas<'p>,
    intake: Intake,
    path: Vec<String>,
    /// Forms are taken, too.
    has_form: bool,
    has_body: bool,
    /// The body is taken as it is.
    is_text: bool,
    /// Properties that are left for the body.
    in_body: Vec<Input<'p>>,
    site: Span,
}

/// What the attributes of a property say.
#[derive(Default)]
struct Said {
    name: Option<String>,
    header: Option<String>,
    cookie: Option<String>,
    /// It alone is the body, or the query, or a form.
    is_body: bool,
    is_query: bool,
    is_form: bool,
    only_query: bool,
    only_path: bool,
    /// From nowhere in the request.
    is_absent: bool,
    /// From wherever it is sent, too.
    is_elsewhere: bool,
    required: bool,
}

impl<'p> Walk<'_, 'p> {
    fn request(&mut self, request: &Input<'p>) {
        let properties = self.schemas.csharp().inputs_of(self.evaluator, &request.ty);
        let is_list = inputs::items_of(&request.ty).is_some();
        let Some((properties, more)) = properties.filter(|_| !is_list) else {
            if is_list && self.has_body {
                self.whole_body(request);
            } else {
                let why = "the request is of a type that is not part of the scanned sources";
                self.intake.other_parameters(why, request.span);
                self.intake.other_bodies(why, request.span);
            }
            return;
        };
        if let Some(why) = more {
            self.intake.other_parameters(why.clone(), request.span);
            self.intake.other_bodies(why, request.span);
        }
        let is_text = supertypes(self.evaluator, &request.ty)
            .iter()
            .any(|base| base.as_external().is_some_and(|path| last(path) == "IPlainTextRequest"));
        self.has_form |=
            properties.iter().any(|property| matches!(special(&property.ty), Some(Special::File | Special::Files)));
        for property in &properties {
            let is_body = is_text && property.name == "Content";
            if !(is_body || property.is_read_only) {
                self.property(property);
            }
        }
        let left = std::mem::take(&mut self.in_body);
        if !self.has_body {
            return;
        }
        if !left.is_empty() {
            self.intake.other_parameters("members of the request are taken from the query as well", request.span);
        }
        if is_text {
            let text = self.schemas.csharp().table.add(Shape::new(Kind::String));
            self.intake.body(text, false, request.span);
            self.is_text = true;
        } else if self.has_form {
            for property in &left {
                self.field(property);
            }
        } else if left.len() == properties.len() && !left.is_empty() {
            self.whole_body(request);
        } else if !left.is_empty() {
            let names: Vec<&str> = left.iter().map(|property| property.name).collect();
            let shape = self.schemas.csharp().taken_by(Serialiser::Endpoints, self.evaluator, &request.ty, self.site);
            let shape = self.with_members(shape, &names);
            self.intake.body(shape, false, request.span);
        }
    }

    fn whole_body(&mut self, request: &Input<'p>) {
        let shape = self.schemas.csharp().taken_by(Serialiser::Endpoints, self.evaluator, &request.ty, self.site);
        // Without a body all members have their defaults.
        self.intake.body(shape, false, request.span);
    }

    /// An object with some of its members.
    fn with_members(&mut self, shape: ShapeId, names: &[&str]) -> ShapeId {
        let table = &mut self.schemas.csharp().table;
        let view = table.view(shape);
        let Kind::Object(object) = &view.shape.kind else { return shape };
        let kept = |name: &str| names.contains(&name);
        let fields = object.fields.iter().filter(|field| kept(field.declared.as_deref().unwrap_or(&field.name)));
        let part = Object { fields: fields.cloned().collect(), additional: object.additional.clone() };
        let mut part = Shape::new(Kind::Object(part)).at(view.shape.span);
        part.name.clone_from(&view.shape.name);
        table.add(part)
    }

    fn property(&mut self, property: &Input<'p>) {
        let said = self.said(property);
        let span = property.span;
        if said.is_elsewhere {
            self.intake.other_parameters("a member is taken from wherever it is sent", span);
            self.intake.other_bodies("a member is taken from wherever it is sent", span);
        }
        if let Some(name) = &said.header {
            let shape = self.shape(property);
            return self.intake.parameter(ParameterPlace::Header, name, said.required, shape, span);
        }
        if let Some(name) = &said.cookie {
            let shape = self.shape(property);
            return self.intake.parameter(ParameterPlace::Cookie, name, said.required, shape, span);
        }
        if said.is_body {
            if self.has_body {
                self.whole_body(property);
            }
            return;
        }
        if said.is_form {
            let Some((parts, _)) = self.schemas.csharp().inputs_of(self.evaluator, &property.ty) else {
                return self.intake.form(span);
            };
            for part in &parts {
                self.field(part);
            }
            return;
        }
        if said.is_query {
            return self.intake.other_parameters("an object is taken from the query, part by part", span);
        }
        let name = said.name.clone().or_else(|| self.spelt(property.name));
        let plain = said.name.as_deref().unwrap_or(property.name);
        if let Some(spelt) = in_path(&self.path, plain).map(str::to_owned)
            && !said.only_query
        {
            let shape = self.shape(property);
            return self.intake.parameter(ParameterPlace::Path, &spelt, true, shape, span);
        }
        if said.is_absent || said.only_path {
            return;
        }
        if !said.only_query && self.path.iter().any(|name| name.starts_with('@')) {
            // `Get("/items/{@id}", r => new { r.Id })`
            return self.intake.other_parameters("which member a name of the path stands for is not read", span);
        }
        if said.only_query || !self.has_body {
            return self.in_query(property, name, said.required);
        }
        self.in_body.push(property.clone());
    }

    /// A field of a form, or a file.
    fn field(&mut self, property: &Input<'p>) {
        let name = self.said(property).name.or_else(|| self.spelt(property.name));
        let Some(name) = name else { return self.intake.form(property.span) };
        match special(&property.ty) {
            Some(kind @ (Special::File | Special::Files)) => {
                self.intake.file(self.schemas, &name, false, kind == Special::Files, property.span);
            }
            Some(_) => {}
            None => {
                let shape = self.shape(property);
                self.intake.field(&name, false, shape, property.span);
            }
        }
    }

    fn in_query(&mut self, property: &Input<'p>, name: Option<String>, required: bool) {
        let Some(name) = name else {
            self.intake.other_parameters("how names are spelt is not known", property.span);
            return;
        };
        let shape = self.shape(property);
        self.intake.parameter(ParameterPlace::Query, &name, required, shape, property.span);
    }

    /// Reads the attributes of a property.
    fn said(&mut self, property: &Input<'p>) -> Said {
        let mut said = Said::default();
        for value in &property.attributes {
            let Some(attribute) = of_value(self.evaluator, value) else { continue };
            let named = |evaluator: &mut Evaluator<'p>, parameter: &str| {
                let given = attribute.setting(evaluator, Some(0), parameter, "Name");
                given.as_ref().and_then(Value::as_str).map(str::to_owned)
            };
            let is_required = attribute.args.named("IsRequired").or_else(|| attribute.args.named("isRequired"));
            let is_required = is_required
                .or_else(|| attribute.args.positional.iter().find(|value| matches!(value, Value::Bool(_))))
                .map(|value| matches!(value, Value::Bool(true)));
            let places = ["FromHeader", "FromCookie", "FromClaim", "From", "HasPermission"];
            said.is_elsewhere |= is_required == Some(false) && places.iter().any(|place| attribute.is(place));
            if attribute.is("BindFrom") {
                said.name = named(self.evaluator, "name");
            } else if attribute.is("FromHeader") {
                let name = named(self.evaluator, "headerName").or_else(|| self.spelt(property.name));
                said.header = Some(name.unwrap_or_else(|| property.name.to_owned()));
                said.required = is_required != Some(false);
            } else if attribute.is("FromCookie") {
                let name = named(self.evaluator, "cookieName").or_else(|| self.spelt(property.name));
                said.cookie = Some(name.unwrap_or_else(|| property.name.to_owned()));
                said.required = is_required != Some(false);
            } else if attribute.is("FromBody") {
                said.is_body = true;
            } else if attribute.is("FromForm") {
                said.is_form = true;
            } else if attribute.is("FromQuery") {
                said.is_query = true;
            } else if attribute.is("QueryParam") {
                said.only_query = true;
                said.required = is_required == Some(true);
            } else if attribute.is("RouteParam") {
                said.only_path = true;
            } else if attribute.is("FormField") {
                self.has_form = true;
            } else if attribute.is("FromClaim") || attribute.is("From") || attribute.is("HasPermission") {
                said.is_absent = is_required != Some(false);
            } else if attribute.is("JsonIgnore") || attribute.is("HideFromDocs") {
                said.is_absent = true;
            }
        }
        said
    }

    /// A name as the serialiser writes it; what is bound is of any case.
    fn spelt(&mut self, name: &str) -> Option<String> {
        self.schemas.csharp().spelt_name(Serialiser::Endpoints, self.evaluator, name, self.site)
    }

    fn shape(&mut self, input: &Input<'p>) -> ShapeId {
        shape(self.evaluator, self.schemas, Serialiser::Endpoints, input, self.site)
    }

    /// `Query<int>("page")` in the code of a handler.
    fn reads(&mut self, function: &FunctionRef<'p>, class: &Value<'p>) {
        let intake = &mut self.intake;
        expressions(&function.node.body, &mut |inner| {
            let ExprKind::Call { callee, .. } = &inner.kind else { return };
            match &callee.kind {
                ExprKind::Name(name) if name == "Query" => {
                    intake.other_parameters("the handler reads the query by itself", inner.span);
                }
                _ => {}
            }
        });
        let own = if let Value::Class(class) = class { Some(class) } else { None };
        let function: &'p Function = function.node;
        note_reads(
            self.evaluator,
            &mut self.intake,
            function,
            own,
            &Names { request: Vec::new(), ..Names::of_controller() },
        );
    }
}
