//! Views: which methods a class or function answers, and what is meant by members that a view does not define itself.

use std::rc::Rc;

use super::actions::{self, ACTIONS};
use super::{bodies, declared, forms, packaged, routers};
use crate::evaluate::{Args, ClassRef, Evaluator, FunctionRef, Made, Value, last};
use crate::languages::python::django::imported_string;
use crate::text::Span;

/// Stands for what `as_view` gives.
pub(super) const VIEW: &str = "django.views.as_view()";
/// The methods that a contract may speak of.
const VERBS: &[&str] = &["get", "post", "put", "patch", "delete"];

/// What answers an address.
pub(super) struct Target<'p> {
    kind: Kind<'p>,
    /// It may answer more methods than are known.
    pub(super) open: bool,
}

enum Kind<'p> {
    /// A class; a view set with the actions of its methods.
    Class {
        class: ClassRef<'p>,
        mapping: Option<Vec<(String, String)>>,
        given: Args<'p>,
    },
    Function(FunctionRef<'p>),
    /// A view of a library, with what `as_view` is given.
    Library(String, Args<'p>),
}

/// One method of an address.
pub(super) struct Served<'p> {
    pub(super) method: &'static str,
    pub(super) handler: Value<'p>,
    pub(super) options: Args<'p>,
}

impl<'p> Target<'p> {
    pub(super) fn of_view(class: ClassRef<'p>, mapping: Option<Vec<(String, String)>>, open: bool) -> Self {
        Target { kind: Kind::Class { class, mapping, given: Args::default() }, open }
    }
}

/// The view that a value is, decorators opened.
pub(super) fn target<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Span) -> Option<Target<'p>> {
    target_within(evaluator, value, site, 8)
}

fn target_within<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Span, left: u32) -> Option<Target<'p>> {
    let left = left.checked_sub(1)?;
    match value {
        Value::Made(made) if &*made.path == VIEW => {
            let Some(Value::Class(class)) = &made.receiver else { return None };
            let mapping = match made.args.get(0, "actions") {
                Some(Value::Dict(mapping)) => Some(
                    mapping
                        .borrow()
                        .entries
                        .iter()
                        .filter_map(|(method, action)| {
                            Some((method.as_str()?.to_lowercase(), action.as_str()?.to_owned()))
                        })
                        .collect(),
                ),
                _ => None,
            };
            let open = is_open(evaluator, class);
            Some(Target { kind: Kind::Class { class: class.clone(), mapping, given: made.args.clone() }, open })
        }
        Value::Made(made) if made.name() == "as_view" => {
            let path = made.path.trim_end_matches(".as_view").to_owned();
            Some(Target { kind: Kind::Library(path, made.args.clone()), open: false })
        }
        // `obtain_auth_token`: a function that a library makes of a view of its own.
        Value::External(path) => {
            let view = match last(path) {
                "obtain_auth_token" => "ObtainAuthToken",
                "obtain_jwt_token" | "refresh_jwt_token" | "verify_jwt_token" => "ObtainJSONWebToken",
                _ => return None,
            };
            Some(Target { kind: Kind::Library(format!("{path}.{view}"), Args::default()), open: false })
        }
        // `cache_page(60)(view)`, `csrf_exempt(view)`
        Value::Made(made) => made.args.positional.iter().find_map(|inner| target_within(evaluator, inner, site, left)),
        Value::Function(function) => Some(match wrapped(evaluator, function, site, left) {
            Some(inner) => inner,
            None => Target { kind: Kind::Function(function.clone()), open: false },
        }),
        Value::Bound(_, function) => Some(Target { kind: Kind::Function(function.clone()), open: false }),
        Value::Str(dotted) => {
            let from = evaluator.module_of_file(site.file)?;
            let found = imported_string(evaluator, from, dotted);
            target_within(evaluator, &found, site, left)
        }
        _ => None,
    }
}

/// The view in the function that a decorator of the program made of it.
fn wrapped<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>, site: Span, left: u32) -> Option<Target<'p>> {
    let outer = function.scope.function()?;
    let names: Vec<&'p str> = outer.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let scope = function.scope.clone();
    names.into_iter().find_map(|name| match scope.own(name)? {
        value @ (Value::Function(_) | Value::Made(_)) => target_within(evaluator, &value, site, left),
        _ => None,
    })
}

/// The methods that a view answers, each with what answers it.
pub(super) fn served<'p>(evaluator: &mut Evaluator<'p>, target: &Target<'p>) -> Vec<Served<'p>> {
    match &target.kind {
        Kind::Class { class, mapping, given } => of_class(evaluator, class, mapping.as_deref(), given),
        Kind::Function(function) => of_function(evaluator, function),
        Kind::Library(path, given) => of_library(path, given),
    }
}

fn of_class<'p>(
    evaluator: &mut Evaluator<'p>,
    class: &ClassRef<'p>,
    mapping: Option<&[(String, String)]>,
    given: &Args<'p>,
) -> Vec<Served<'p>> {
    let external = evaluator.external_bases(class);
    let allowed = given.named("http_method_names").cloned();
    let allowed = match allowed {
        Some(allowed) => Some(allowed),
        None => evaluator.class_member(class, "http_method_names"),
    };
    let allowed = allowed.and_then(|names| names.elements());
    let is_page = external.iter().any(|path| path.starts_with("django.")) && !external.iter().any(|path| is_api(path));
    let mut out = Vec::new();
    for verb in VERBS {
        let is_allowed = |allowed: &Vec<Value>| {
            allowed.iter().any(|name| name.as_str().is_none_or(|name| name.eq_ignore_ascii_case(verb)))
        };
        if !allowed.as_ref().is_none_or(is_allowed) {
            continue;
        }
        let action = match mapping {
            Some(mapping) => match mapping.iter().find(|(method, _)| method == verb) {
                Some((_, action)) => action.clone(),
                None => continue,
            },
            None => (*verb).to_owned(),
        };
        let own = evaluator.class_member(class, &action);
        let package = external.iter().find(|path| packaged::brings(path, &action)).filter(|_| own.is_none());
        if let Some(package) = package {
            out.push(of_package(package, verb));
            continue;
        }
        let handler = match own {
            Some(Value::Function(function)) => Value::Function(function),
            Some(Value::None) => continue,
            Some(other) if !other.is_unknown() => other,
            _ if external.iter().any(|path| brings(path, &action)) => Value::Class(class.clone()),
            _ => continue,
        };
        let mut options = Args::default();
        options.set("view", Value::Class(class.clone()));
        options.set("action", Value::str(action));
        if mapping.is_some() {
            options.set("viewset", Value::Bool(true));
        }
        options.set("method", Value::str(*verb));
        let action = options.named("action").and_then(Value::as_str).unwrap_or(verb).to_owned();
        if is_page || declared::of_method(evaluator, class, &action, verb).iter().any(|declared| declared.excluded) {
            options.set("include_in_schema", Value::Bool(false));
        }
        out.push(Served { method: verb, handler, options });
    }
    out
}

/// Whether a name belongs to a framework that is read in another folder.
fn is_of_other_framework(path: &str) -> bool {
    let top = path.split('.').next().unwrap_or(path);
    let mut others = crate::frameworks::ALL.iter().filter(|framework| framework.name != super::DJANGO.name);
    others.any(|framework| framework.packages.contains(&top))
}

/// Whether a base class of a library makes a view part of an API, rather than a page.
fn is_api(path: &str) -> bool {
    !path.starts_with("django.") && !is_of_other_framework(path) && {
        let name = last(path);
        name.ends_with("APIView")
            || name.ends_with("ViewSet")
            || name.ends_with("ViewSetMixin")
            || name.ends_with("ModelMixin")
            || path.starts_with("rest_framework.")
            || name.ends_with("View")
    }
}

/// Whether a class may answer more than what is known of it: a base of it is not known, or of another library.
pub(super) fn is_open<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    const KNOWN: &[&str] = &["django", "rest_framework", "drf_", "builtins", "typing", "abc"];
    let external = evaluator.external_bases(class);
    let is_known = |path: &str| {
        KNOWN.iter().any(|known| path.starts_with(known)) || last(path).ends_with("Mixin") || packaged::is_known(path)
    };
    evaluator.unknown_base(class) || !external.iter().all(|path| is_known(path))
}

/// Whether a base class of a library answers a method or an action.
fn brings(path: &str, action: &str) -> bool {
    let name = last(path);
    if ACTIONS.contains(&action) {
        return routers::library_actions(path).contains(&action);
    }
    if path.starts_with("django.") {
        return match action {
            "get" => matches!(
                name,
                "TemplateView"
                    | "RedirectView"
                    | "ListView"
                    | "DetailView"
                    | "CreateView"
                    | "UpdateView"
                    | "DeleteView"
                    | "FormView"
                    | "ArchiveIndexView"
                    | "LoginView"
                    | "LogoutView"
                    | "PasswordResetView"
            ),
            "post" => matches!(
                name,
                "CreateView" | "UpdateView" | "DeleteView" | "FormView" | "LoginView" | "LogoutView" | "RedirectView"
            ),
            _ => false,
        };
    }
    if name == "RetrieveUpdateDestroyAPIView" {
        return matches!(action, "get" | "put" | "patch" | "delete");
    }
    let Some(kind) = name.strip_suffix("APIView") else {
        return library_methods(name).iter().any(|(method, _)| *method == action);
    };
    match action {
        "get" => kind.contains("List") || kind.contains("Retrieve"),
        "post" => kind.contains("Create"),
        "put" | "patch" => kind.contains("Update"),
        "delete" => kind.contains("Destroy"),
        _ => false,
    }
}

/// Views of well-known libraries, with the methods that they answer.
pub(super) fn library_methods(name: &str) -> &'static [(&'static str, u16)] {
    match name {
        "TokenObtainPairView"
        | "TokenRefreshView"
        | "TokenObtainSlidingView"
        | "TokenRefreshSlidingView"
        | "TokenVerifyView"
        | "TokenBlacklistView"
        | "ObtainAuthToken"
        | "ObtainJSONWebToken" => &[("post", 200)],
        "SpectacularAPIView"
        | "SpectacularJSONAPIView"
        | "SpectacularYAMLAPIView"
        | "SpectacularSwaggerView"
        | "SpectacularRedocView"
        | "SpectacularSwaggerSplitView"
        | "TemplateView"
        | "RedirectView" => &[("get", 200)],
        _ => &[],
    }
}

fn of_library<'p>(path: &str, given: &Args<'p>) -> Vec<Served<'p>> {
    let name = last(path);
    let generic = path.starts_with("rest_framework.generics.");
    let known = library_methods(name).iter().map(|(method, _)| *method);
    let methods: Vec<&'static str> =
        if generic { VERBS.iter().copied().filter(|verb| brings(path, verb)).collect() } else { known.collect() };
    let serve = |method: &'static str| {
        let mut options = Args::default();
        options.set("library", Value::str(path));
        options.set("method", Value::str(method));
        for name in ["serializer_class", "pagination_class"] {
            if let Some(value) = given.named(name) {
                options.set(name, value.clone());
            }
        }
        if name.starts_with("Spectacular") || path.starts_with("django.") {
            options.set("include_in_schema", Value::Bool(false));
        }
        Served { method, handler: Value::external(path), options }
    };
    methods.into_iter().map(serve).collect()
}

/// What a library serves by itself, which documents may leave out.
pub(super) fn of_package<'p>(view: &str, method: &'static str) -> Served<'p> {
    let mut options = Args::default();
    options.set("library", Value::str(view));
    options.set("method", Value::str(method));
    options.set("include_in_schema", Value::Bool(false));
    Served { method, handler: Value::external(view), options }
}

fn of_function<'p>(evaluator: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Vec<Served<'p>> {
    let mut methods: Option<Vec<&'static str>> = None;
    let mut is_api = false;
    let verbs = |names: &[Value<'p>]| -> Vec<&'static str> {
        let named =
            |verb: &&&str| names.iter().any(|name| name.as_str().is_some_and(|name| name.eq_ignore_ascii_case(verb)));
        VERBS.iter().filter(named).copied().collect()
    };
    for decorator in actions::decorators(evaluator, function) {
        let (name, args) = match &decorator {
            Value::Made(made) => (made.name().to_owned(), made.args.clone()),
            Value::External(path) => (last(path).to_owned(), Args::default()),
            _ => continue,
        };
        let listed = args.positional.first().and_then(Value::elements);
        match name.as_str() {
            "api_view" => {
                is_api = true;
                let listed = listed.or_else(|| args.named("http_method_names").and_then(Value::elements));
                methods = Some(verbs(&listed.unwrap_or_else(|| vec![Value::str("GET")])));
            }
            "require_http_methods" => methods = listed.map(|names| verbs(&names)),
            "require_GET" | "require_safe" => methods = Some(vec!["get"]),
            "require_POST" => methods = Some(vec!["post"]),
            _ => {}
        }
    }
    let methods = methods.unwrap_or_else(|| VERBS.to_vec());
    let serve = |method: &'static str| {
        let mut options = Args::default();
        options.set("method", Value::str(method));
        let declared = declared::of_function(evaluator, function, method);
        if !is_api || declared.iter().any(|declared| declared.excluded) {
            options.set("include_in_schema", Value::Bool(false));
        }
        Served { method, handler: Value::Function(function.clone()), options }
    };
    methods.into_iter().map(serve).collect()
}

/// Members that a view or a router has of its library.
pub(super) fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    match value {
        Value::Class(class) if name == "as_view" => {
            may_be_view(evaluator, class).then(|| Value::Native(Rc::new(value.clone()), Rc::from(name)))
        }
        Value::Instance(instance) if bodies::is_answered(name) => {
            let class = instance.class.clone();
            let external = evaluator.external_bases(&class);
            external
                .iter()
                .any(|path| is_api(path) && !last(path).ends_with("Serializer"))
                .then(|| Value::Native(Rc::new(value.clone()), Rc::from(name)))
        }
        Value::Node(id) if name == "urls" && evaluator.node(*id).kind == "router" => {
            Some(routers::urls_of(evaluator, *id))
        }
        _ => forms::member(evaluator, value, name),
    }
}

/// Whether a class may be a view: it comes from a library that is no other framework.
fn may_be_view<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    let ancestry = evaluator.ancestry(class);
    let is_other = ancestry.iter().filter_map(Value::as_external).any(is_of_other_framework);
    !is_other && ancestry.iter().any(|base| !matches!(base, Value::Class(_)))
}

/// What methods of views give that come from the library.
pub(super) fn value_method<'p>(
    evaluator: &mut Evaluator<'p>,
    receiver: &Value<'p>,
    name: &str,
    args: &Args<'p>,
) -> Option<Value<'p>> {
    match receiver {
        Value::Class(class) if name == "as_view" => may_be_view(evaluator, class).then(|| as_view(class, args)),
        Value::Super(_, inner) => match &**inner {
            Value::Class(class) if name == "as_view" => may_be_view(evaluator, class).then(|| as_view(class, args)),
            Value::Instance(instance) if bodies::is_answered(name) => {
                let class = instance.class.clone();
                let external = evaluator.external_bases(&class);
                if !external.iter().any(|path| is_api(path)) {
                    return None;
                }
                Some(bodies::answered(evaluator, inner, name, args, true))
            }
            _ => None,
        },
        Value::Instance(_) if bodies::is_answered(name) => {
            Some(bodies::answered(evaluator, receiver, name, args, false))
        }
        _ => None,
    }
}

/// `extend_schema(…)(View).as_view()`: what a decorator of a library gives of a view is that view.
pub(super) fn decorated<'p>(
    evaluator: &mut Evaluator<'p>,
    path: &str,
    args: &Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    let Some(Value::Made(made)) = args.receiver.as_deref().filter(|_| path.ends_with("()().as_view")) else {
        return None;
    };
    let [view] = made.args.positional.as_slice() else { return None };
    match view {
        Value::Class(class) => may_be_view(evaluator, class).then(|| as_view(class, args)),
        Value::External(path) if last(path).ends_with("View") => {
            let args = Args { receiver: None, ..args.clone() };
            let path = Rc::from(format!("{path}.as_view"));
            Some(Value::Made(Rc::new(Made { path, receiver: None, args, site })))
        }
        _ => None,
    }
}

fn as_view<'p>(class: &ClassRef<'p>, args: &Args<'p>) -> Value<'p> {
    let site = class.name_span();
    let receiver = Some(Value::Class(class.clone()));
    Value::Made(Rc::new(Made { path: Rc::from(VIEW), receiver, args: args.clone(), site }))
}
