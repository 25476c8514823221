//! Connexion: `app.add_api("openapi.yaml")`; operations name their function by its dotted path.

use super::{Framework, no_methods};
use crate::evaluate::{Args, ContractRouting, Evaluator, Library, Made, ModuleId, NodeId, Value};
use crate::model::Naming;
use crate::model::program::{ImportStyle, Stmt, StmtKind};
use crate::text::Span;

pub(in crate::frameworks) static CONNEXION: Framework = Framework {
    name: "Connexion",
    packages: &["connexion"],
    library: &LIBRARY,
    methods: no_methods,
    responses: |_, _, _| Vec::new(),
    requests: crate::frameworks::requests::unread,
    application_kinds: &["application"],
};

static LIBRARY: Library = Library {
    name: "connexion",
    words: &["add_api"],
    application_words: &["FlaskApp", "AsyncApp"],
    node_kind,
    node_method,
    finished,
    ..Library::PYTHON
};

const PLACES: &[&str] = &["x-openapi-router-controller", "x-swagger-router-controller"];

fn node_kind(path: &str) -> Option<&'static str> {
    let is_application =
        super::is_of(path, "connexion", &["App", "FlaskApp", "AsyncApp", "AioHttpApp", "ConnexionMiddleware"]);
    is_application.then_some("application")
}

#[expect(clippy::needless_pass_by_value, reason = "every library is asked alike")]
fn node_method<'p>(
    evaluator: &mut Evaluator<'p>,
    _: NodeId,
    name: &str,
    args: Args<'p>,
    site: Span,
) -> Option<Value<'p>> {
    if name != "add_api" {
        return None;
    }
    let naming = Naming { places: PLACES, by_end: true, ..Naming::default() };
    let (naming, open) = match args.named("resolver") {
        None | Some(Value::None) => (Some(naming), args.open),
        Some(Value::Made(made)) => (resolved(made, naming), false),
        Some(_) => (None, true),
    };
    if !evaluator.routings.iter().any(|routing| routing.site == site) {
        evaluator.routings.push(ContractRouting {
            library: &LIBRARY,
            document: args.get(0, "specification").cloned().unwrap_or(Value::None),
            base: args.get(1, "base_path").cloned().unwrap_or(Value::None),
            open: open || naming.is_none(),
            naming: naming.unwrap_or(Naming { places: PLACES, by_end: true, ..Naming::default() }),
            handlers: Vec::new(),
            site,
        });
    }
    Some(Value::None)
}

/// How a resolver of the library names handlers; `None` where a function of the program does.
fn resolved(resolver: &Made, naming: Naming) -> Option<Naming> {
    let first = resolver.args.positional.first();
    match resolver.name() {
        "Resolver" if first.is_none() && resolver.args.named.is_empty() => Some(naming),
        "RelativeResolver" => {
            let root = resolver.args.get(0, "root_path")?.as_str()?;
            Some(Naming { root: root.to_owned(), ..naming })
        }
        "RestyResolver" | "RestResolver" => {
            let module = resolver.args.get(0, "default_module_name")?.as_str()?;
            let collection = match resolver.args.named("collection_endpoint_name") {
                None => "search",
                Some(name) => name.as_str()?,
            };
            Some(Naming { by_path: Some((module.to_owned(), collection.to_owned())), ..naming })
        }
        _ => None,
    }
}

/// Every function of the program may be named.
fn finished(evaluator: &mut Evaluator, modules: &[ModuleId]) {
    let is_own = |routing: &ContractRouting| routing.library.name == LIBRARY.name;
    if !evaluator.routings.iter().any(is_own) {
        return;
    }
    let modules: Vec<ModuleId> =
        modules.iter().copied().filter(|module| evaluator.index.style(*module) == ImportStyle::Dotted).collect();
    let paths: Vec<&str> = modules.iter().map(|module| evaluator.index.path(*module)).collect();
    let above = above(&paths);
    let mut names = Vec::new();
    for (module, path) in modules.iter().zip(&paths) {
        // Where modules are imported from is for who starts the program to say: any directory may be it.
        let stem = path[above..].trim_end_matches(".py").trim_end_matches("__init__").trim_matches('/');
        let dotted = stem.replace('/', ".");
        for (name, statement) in evaluator.bound_names(*module) {
            let whole = if dotted.is_empty() { name.to_owned() } else { format!("{dotted}.{name}") };
            add(&whole, statement, &mut names);
        }
    }
    for routing in evaluator.routings.iter_mut().filter(|routing| is_own(routing)) {
        routing.handlers = names.iter().map(|(name, span)| (name.clone(), None, *span)).collect();
    }
}

/// Where the name begins of the directory that holds all of these files.
fn above(paths: &[&str]) -> usize {
    let Some((first, rest)) = paths.split_first() else { return 0 };
    let shared = rest.iter().fold(first.len(), |shared, path| {
        let same = first.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        shared.min(same)
    });
    let directory =
        first.get(..shared).and_then(|shared| shared.rsplit_once('/')).map_or("", |(directory, _)| directory);
    directory.rfind('/').map_or(0, |at| at + 1)
}

fn add(name: &str, statement: &Stmt, out: &mut Vec<(String, Span)>) {
    match &statement.kind {
        StmtKind::Function(function) => out.push((name.to_owned(), function.name_span)),
        StmtKind::Class(class) => {
            out.push((name.to_owned(), class.name_span));
            for inner in &class.body {
                if let StmtKind::Function(function) = &inner.kind {
                    out.push((format!("{name}.{}", function.name), function.name_span));
                }
            }
        }
        _ => out.push((name.to_owned(), statement.span)),
    }
}
