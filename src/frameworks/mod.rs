//! Web frameworks. A framework sees no file: it is asked what a call of its library means, with evaluated arguments,
//! and what a route answers. Everything that crosses files is the evaluator's job, done once for all frameworks.
//!
//! To add one: a folder with a [`Framework`] and its `cases.md`, and a line in [`ALL`].

mod aiohttp;
mod answered;
mod apiflask;
mod aspnet;
mod attributes;
mod binding;
mod by_contract;
mod by_hand;
mod class_views;
mod colon;
mod declared;
mod decorated;
mod django;
mod django_ninja;
mod express;
mod fast_endpoints;
mod fastapi;
mod fastify;
mod flask;
mod flask_restx;
mod flask_smorest;
mod handed_on;
mod handlers;
mod harmless;
mod hono;
mod hosting;
mod koa;
mod litestar;
mod located;
mod minimal_api;
mod models;
mod nestjs;
mod nextjs;
mod own_servers;
mod patterns;
mod reads;
mod replies;
mod requests;
mod returned;
mod returning;
mod route_template;
mod routes;
mod schemas;
mod served;
mod shared_reads;
mod starlette;
mod statuses;
mod taken;
mod tornado;
mod tsoa;
mod unparsed;

use std::sync::LazyLock;

use crate::evaluate::{Args, Evaluator, Library, Node, RouteDraft, Value};
use crate::languages::python::django::DJANGO;
use crate::languages::python::environs::ENVIRONS;
use crate::languages::python::files::FILES;
use crate::languages::python::marshmallow::MARSHMALLOW;
use crate::languages::python::pydantic::PYDANTIC;
use crate::languages::python::standard::STANDARD;
use crate::languages::{csharp, typescript};
use crate::model::{Method, Request, Response};

pub use minimal_api::said_of_endpoints;
pub use models::{Wanted, is_message_base, models};
pub use own_servers::{OWN_SERVER, SERVER_PACKAGES, own_server};
pub use routes::{Served, served};
pub use schemas::{Schemas, Shared};
pub use unparsed::may_register;

/// One web framework.
pub struct Framework {
    pub name: &'static str,
    /// Top-level packages whose import says that a service uses it.
    pub packages: &'static [&'static str],
    pub library: &'static Library,
    /// The methods that a route answers.
    pub methods: for<'p> fn(&RouteDraft<'p>) -> Vec<Method>,
    /// What a route answers, given the options of the routers around it, innermost first.
    pub responses: for<'p> fn(&mut Evaluator<'p>, &mut Schemas<'p>, &Route<'_, 'p>) -> Vec<Response>,
    /// What a route takes with one of its methods.
    pub requests: for<'p> fn(&mut Evaluator<'p>, &mut Schemas<'p>, &Route<'_, 'p>, Method) -> Request,
    /// Kinds of nodes that serve by themselves rather than through a parent.
    pub application_kinds: &'static [&'static str],
}

/// A route in its place.
pub struct Route<'r, 'p> {
    pub draft: &'r RouteDraft<'p>,
    pub handler: &'r Value<'p>,
    /// The full path that it serves, and what that was made of: with constraints, and versions not filled in.
    pub path: &'r str,
    pub template: &'r str,
    /// Options of the mounts and routers around it, innermost first.
    pub chain: &'r [Args<'p>],
}

/// Every framework that can be read.
#[rustfmt::skip]
pub static ALL: &[&Framework] = &[
    &fastapi::FASTAPI,
    &django::DJANGO,
    &django_ninja::DJANGO_NINJA,
    &starlette::STARLETTE,
    &flask::FLASK,
    &flask_restx::FLASK_RESTX,
    &flask_smorest::FLASK_SMOREST,
    &apiflask::APIFLASK,
    &tornado::TORNADO,
    &aiohttp::AIOHTTP,
    &litestar::LITESTAR,
    &express::EXPRESS,
    &nestjs::NESTJS,
    &tsoa::TSOA,
    &fastify::FASTIFY,
    &hono::HONO,
    &nextjs::NEXTJS,
    &koa::KOA,
    &aspnet::ASPNET,
    &minimal_api::MINIMAL_API,
    &fast_endpoints::FAST_ENDPOINTS,
    &own_servers::OWN,
    &own_servers::OWN_ROUTER,
    &by_contract::OPENAPI_BACKEND,
    &by_contract::OPENAPI_VALIDATOR,
    &by_contract::CONTROLLERS,
    &by_contract::CONNEXION,
];

/// The languages' standard and type libraries.
#[rustfmt::skip]
static OF_LANGUAGES: &[&Library] = &[
    &FILES,
    &STANDARD,
    &PYDANTIC,
    &DJANGO,
    &ENVIRONS,
    &MARSHMALLOW,
    &typescript::standard::STANDARD,
    &typescript::files::FILES,
    &typescript::containers::CONTAINERS,
    &typescript::paths::PATHS,
    &typescript::zod::ZOD,
    &typescript::typebox::TYPEBOX,
    &typescript::valibot::VALIBOT,
    &typescript::trpc::TRPC,
    &typescript::schema::decorators::DECORATORS,
    &csharp::standard::STANDARD,
    &csharp::reflection::REFLECTION,
    &csharp::container::CONTAINER,
    &csharp::schema::SERIALISERS,
    &statuses::STATUSES,
    &harmless::HARMLESS,
];

/// What the evaluator is told about: the libraries of the languages, then the frameworks.
pub fn libraries() -> &'static [&'static Library] {
    static LIBRARIES: LazyLock<Vec<&'static Library>> =
        LazyLock::new(|| OF_LANGUAGES.iter().copied().chain(ALL.iter().map(|framework| framework.library)).collect());
    &LIBRARIES
}

/// Web frameworks that are known to exist and are not read yet, by top-level package.
pub const UNREAD: &[(&str, &str)] = &[
    ("sanic", "Sanic"),
    ("falcon", "Falcon"),
    ("bottle", "Bottle"),
    ("pyramid", "Pyramid"),
    ("robyn", "Robyn"),
    ("@hapi/hapi", "hapi"),
    ("restify", "Restify"),
    ("elysia", "Elysia"),
    ("@adonisjs/core", "AdonisJS"),
    ("@feathersjs/feathers", "Feathers"),
    ("sails", "Sails"),
    ("polka", "Polka"),
    ("@loopback/rest", "LoopBack"),
    ("routing-controllers", "routing-controllers"),
    ("@ts-rest/core", "ts-rest"),
    ("@remix-run/node", "Remix"),
    ("@sveltejs/kit", "SvelteKit"),
    ("h3", "h3"),
    ("Nancy", "Nancy"),
    ("ServiceStack", "ServiceStack"),
    ("System.Web.Http", "ASP.NET Web API 2"),
    ("Microsoft.Azure.Functions.Worker", "Azure Functions"),
];

fn of_node(node: &Node) -> Option<&'static Framework> {
    of_library(node.library)
}

fn of_library(library: &'static Library) -> Option<&'static Framework> {
    ALL.iter().copied().find(|framework| std::ptr::eq(framework.library, library))
}
