//! What is handed an application and registers no routes of an API on it, by the words that its name is made of.

use super::ALL;
use crate::evaluate::Library;

/// Calls that register nothing, whichever package they come from.
pub(super) static HARMLESS: Library =
    Library { name: "harmless", registers_nothing, serves_documents, ..Library::NONE };

/// Words of what registers routes or hands requests on, whatever else its name says.
pub(super) const SERVING: &[&str] = &[
    "blueprint",
    "blueprints",
    "controller",
    "controllers",
    "crud",
    "endpoint",
    "endpoints",
    "plugin",
    "plugins",
    "resource",
    "resources",
    "router",
    "routers",
    "routes",
    "routing",
];
/// Words of what hands requests on.
pub(super) const PROXIES: &[&str] = &["forward", "forwarder", "gateway", "proxies", "proxy"];

/// Words of packages, functions and methods, in lower case: what watches requests, what answers none of its own, what
/// keeps data, and what runs, wraps or tests an application.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    // Watching.
    "apm", "audit", "datadog", "elastic", "insights", "instrument", "instrumentation", "instrumentator", "instrumentor", "log",
    "logfire", "logger", "logging", "logs", "metric", "metrics", "monitor", "monitoring", "morgan", "newrelic", "opentelemetry",
    "otel", "pino", "prometheus", "sentry", "telemetry", "trace", "tracer", "tracing", "winston",
    // Between request and handler.
    "auth0", "babel", "bcrypt", "cache", "caching", "cls", "compress", "compression", "cookie", "cookies", "cors", "csrf",
    "csurf", "error", "errors", "exception", "exceptions", "helmet", "i18n", "json", "jwt", "limit", "limiter", "limits",
    "locale", "middleware", "middlewares", "multer", "multipart", "pagination", "passport", "rate", "security", "sensible",
    "session", "sessions", "static", "statics", "talisman", "throttle", "throttler", "upload", "urlencoded", "validation",
    "validator", "whitenoise",
    // Data.
    "alchemy", "bull", "bullmq", "celery", "database", "db", "drizzle", "elasticsearch", "kafka", "knex", "kysely", "mail",
    "mailer", "marshmallow", "migrate", "migrations", "mikro", "minio", "mongo", "mongodb", "mongoengine", "mongoose", "orm",
    "peewee", "postgres", "prisma", "pymongo", "queue", "rabbitmq", "redis", "s3", "schedule", "scheduler", "sequelize",
    "sqlalchemy", "tortoise", "typeorm",
    // Documents and other sides of a service that no contract speaks of.
    "apollo", "graphql", "mcp",
    // Running, wrapping, testing, checking.
    "adapter", "argparse", "argument", "asgi", "assert", "builtins", "cbv", "client", "cluster", "config", "console", "cqrs",
    "daphne", "debug", "debugger", "emitter", "ensure", "graceful", "guard", "gunicorn", "handle", "http", "http2", "https",
    "hypercorn", "inspect", "io", "javascript", "lambda", "listen", "livereload", "login", "mangum", "microsoft", "null",
    "print", "request", "run", "serve", "server", "serverless", "shutdown", "signal", "signals", "socket", "socketio",
    "sockets", "supertest", "system", "terminus", "test", "testclient", "testing", "tests", "uvicorn", "vercel", "vite",
    "waitress", "websocket", "websockets", "ws", "wsgi",
];

/// Words of what shows documents of an API.
const DOCUMENTS: &[&str] = &["docs", "openapi", "redoc", "scalar", "swagger"];

/// Methods of an application whose library is not known that mount the router which is their argument.
const MOUNTS: &[&str] =
    &["add_api", "add_namespace", "add_router", "add_subapp", "include_router", "register_blueprint", "use"];

/// Whether a call of this path registers nothing: `flask_cors.CORS`, `@sentry/node.setupExpressErrorHandler`. Of what comes
/// from a framework's own package, the framework knows what it means.
pub(super) fn registers_nothing(path: &str) -> bool {
    let is_of = |package: &str| path.strip_prefix(package).is_some_and(|rest| rest.starts_with(['.', '/', '(']));
    if ALL.iter().flat_map(|framework| framework.packages).any(|package| is_of(package)) {
        return true;
    }
    if path.rsplit_once('.').is_some_and(|(_, method)| MOUNTS.contains(&method)) {
        return true;
    }
    let words = words_of(path);
    let says = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    (says(WORDS) || says(DOCUMENTS)) && !says(SERVING) && !says(PROXIES)
}

/// Whether a call of this path has an application serve documents of its API: `some_package.Swagger`.
fn serves_documents(path: &str) -> bool {
    let words = words_of(path);
    let says = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    says(DOCUMENTS) && !says(SERVING) && !says(PROXIES)
}

/// Whether a name says that requests are handed on.
pub(super) fn is_proxy(path: &str) -> bool {
    words_of(path).iter().any(|word| PROXIES.contains(&word.as_str()))
}

/// Whether a name says that a router is given: `some-server.router()`.
pub(super) fn is_router(path: &str) -> bool {
    words_of(path).iter().any(|word| word == "router" || word == "routers")
}

/// Whether a router of a package serves whatever resources its data has: `jsonServer.router("db.json")`.
pub(super) fn serves_data(path: &str) -> bool {
    path.starts_with("json-server.") && is_router(path)
}

/// The words of a path in lower case: its parts, and what those are made of.
pub(super) fn words_of(path: &str) -> Vec<String> {
    let mut all = Vec::new();
    for part in path.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        all.push(part.to_lowercase());
        all.extend(words(part).map(str::to_lowercase));
    }
    all
}

/// The words of `setupExpressErrorHandler` and `CORSMiddleware`.
fn words(part: &str) -> impl Iterator<Item = &str> {
    let letters: Vec<(usize, char)> = part.char_indices().collect();
    let mut starts: Vec<usize> = vec![0];
    for (at, (index, letter)) in letters.iter().enumerate().skip(1) {
        let before = letters[at - 1].1;
        let after = letters.get(at + 1).map(|(_, letter)| *letter);
        let begins = letter.is_uppercase() && (!before.is_uppercase() || after.is_some_and(char::is_lowercase));
        if begins {
            starts.push(*index);
        }
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([part.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| &part[start..end])
}

#[cfg(test)]
mod tests {
    use super::registers_nothing;

    #[test]
    fn calls_are_known_by_their_words() {
        for (path, harmless) in [
            ("flask_cors.CORS", true),
            ("flask_sqlalchemy.SQLAlchemy().init_app", true),
            ("prometheus_flask_exporter.PrometheusMetrics", true),
            ("prometheus_fastapi_instrumentator.Instrumentator().instrument", true),
            ("@sentry/node.setupExpressErrorHandler", true),
            ("some-metrics.instrument", true),
            ("opentelemetry.instrumentation.fastapi.FastAPIInstrumentor().instrument_app", true),
            ("starlette.middleware.cors.CORSMiddleware", true),
            ("starlette.routing.Mount", true),
            ("node:http.createServer", true),
            ("uvicorn.run", true),
            ("flask_migrate.Migrate", true),
            ("flask_login.LoginManager().init_app", true),
            ("fastapi_pagination.add_pagination", true),
            ("@nestjs/swagger.SwaggerModule.createDocument", true),
            ("javascript.Object.assign", true),
            ("express-rate-limit.rateLimit", true),
            ("unknown.include_router", true),
            ("some-lib.install", false),
            ("somewhere.register_everything", false),
            ("flask_admin.Admin", false),
            ("fastapi_crudrouter.mount", false),
            ("express-openapi-routes.initialize", false),
            ("http-proxy-middleware.createProxyMiddleware", false),
            ("consign().include().into", false),
            ("plugins.load_all", false),
            ("routing-controllers.useExpressServer", false),
        ] {
            assert_eq!(registers_nothing(path), harmless, "{path}");
        }
    }
}
