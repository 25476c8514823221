//! Operations of code that leaves routing to a contract: each is there if the handler is that the contract names for it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Claim, Service};
use crate::contracts::Declarations;
use crate::finding::Reason;
use crate::model::{
    Body, Handler, Implementation, MountStep, Naming, Operation, PathTemplate, Request, Response, Routing, Shape,
    ShapeTable, Status,
};
use crate::text::{Sources, Span};

/// Adds to each service the operations that a contract which it may keep leads to its handlers.
pub fn route_by_contract(services: &mut [Service], contracts: &[Declarations], claims: &[Claim], sources: &Sources) {
    let mut done: FxHashSet<(usize, usize)> = FxHashSet::default();
    let paths: Vec<&str> = contracts.iter().map(|contract| sources.get(contract.file).path.as_str()).collect();
    for claim in claims {
        let contract = &contracts[claim.contract];
        let path = &sources.get(contract.file).path;
        for candidate in &claim.candidates {
            if !done.insert((*candidate, claim.contract)) {
                continue;
            }
            let service = &mut services[*candidate];
            let found: Vec<Operation> = service
                .routings
                .iter()
                .filter(|routing| match &routing.document {
                    None => true,
                    Some(document) if paths.iter().any(|path| is_at(path, document)) => is_at(path, document),
                    // Written by a build from another document, which is told by its handlers.
                    Some(_) => is_mostly_handled(routing, contract),
                })
                .flat_map(|routing| operations(routing, contract, &mut service.shapes))
                .collect();
            service.operations.extend(found);
        }
    }
}

/// Whether at least half of a contract's operations name a handler that exists.
fn is_mostly_handled(routing: &Routing, contract: &Declarations) -> bool {
    let names = Names::new(routing);
    let is_handled =
        |declared: &&Operation| name_of(&routing.naming, declared).is_some_and(|name| names.find(&name).is_some());
    let handled = contract.operations.iter().filter(is_handled).count();
    handled > 0 && handled * 2 >= contract.operations.len()
}

/// Whether two paths may be of one file: as far as both say where it is, they say the same.
fn is_at(path: &str, document: &str) -> bool {
    let parts = |path: &'_ str| -> Vec<String> {
        path.split('/')
            .rev()
            .take_while(|part| *part != "..")
            .filter(|part| !matches!(*part, "" | "."))
            .map(str::to_owned)
            .collect()
    };
    parts(path).iter().zip(&parts(document)).all(|(a, b)| a == b)
}

fn operations(routing: &Routing, contract: &Declarations, shapes: &mut ShapeTable) -> Vec<Operation> {
    let names = Names::new(routing);
    let base = routing.base.as_ref().or(contract.base_paths.first()).map_or("", String::as_str);
    let mut each = |declared: &Operation| {
        let name = name_of(&routing.naming, declared);
        let handler = name.as_ref().and_then(|name| names.find(name));
        let outside = name.as_ref().is_some_and(|name| names.is_outside(name));
        if handler.is_none() && !routing.open && !outside {
            return None;
        }
        let mut found = operation(routing, declared, base, name, handler);
        if found.responses.is_empty() {
            found.responses.push(unknown_response(found.span, handler.is_some(), shapes));
        }
        Some(found)
    };
    contract.operations.iter().filter_map(&mut each).collect()
}

fn unknown_response(span: Span, is_known: bool, shapes: &mut ShapeTable) -> Response {
    let why =
        if is_known { "what the handler returns is not read" } else { "handler is not part of the scanned sources" };
    let shape = shapes.add(Shape::unknown(why, Some(span)));
    let body = Body { media: "application/json".to_owned(), shape, span, required: true };
    Response { status: Status::Unknown(Reason::new(why, Some(span))), bodies: vec![body], span }
}

fn operation(
    routing: &Routing,
    declared: &Operation,
    base: &str,
    name: Option<String>,
    handler: Option<&Handler>,
) -> Operation {
    let span = handler.map_or(routing.span, |handler| handler.span);
    Operation {
        method: declared.method,
        path: declared.path.under(base),
        span,
        pointer: String::new(),
        responses: handler.map(|handler| handler.responses.clone()).unwrap_or_default(),
        request: Request::unknown(Reason::new("what a handler that a contract names takes is not read", Some(span))),
        deprecated: false,
        id: None,
        extensions: Vec::new(),
        planned: false,
        implementation: Some(Implementation {
            framework: routing.framework,
            handler: name.unwrap_or_else(|| "a handler that is not known".to_owned()),
            handler_span: handler.map(|handler| handler.span),
            mounts: vec![MountStep {
                span: routing.span,
                what: "routing by the contract".to_owned(),
                prefix: PathTemplate::new(base).text().trim_end_matches('/').to_owned(),
            }],
            hidden: false,
            conditional: handler.is_none(),
            when: Vec::new(),
            mounted: true,
            any_case: false,
            versions: Vec::new(),
            unknown: Vec::new(),
        }),
    }
}

/// The name of the handler that an operation asks for; `None` where it asks for none.
fn name_of(naming: &Naming, operation: &Operation) -> Option<String> {
    let extension = |key: &&str| operation.extensions.iter().find(|(known, _)| known == *key).map(|(_, text)| text);
    let place = naming.places.iter().find_map(extension);
    let name = naming.names.iter().find_map(extension).or(operation.id.as_ref());
    let Some(name) = name else {
        let (module, collection) = naming.by_path.as_ref()?;
        return Some(by_path(module, collection, place, operation));
    };
    if place.is_none() && naming.needs_place {
        return None;
    }
    let parts = [Some(&naming.root).filter(|root| !root.is_empty()), place, Some(name)];
    Some(parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join("."))
}

/// `GET /user-groups` is `module.user_groups.search`, `GET /user-groups/{id}` is `module.user_groups.get`.
fn by_path(module: &str, collection: &str, place: Option<&String>, operation: &Operation) -> String {
    let path = operation.path.text().trim_start_matches('/');
    let (resource, rest) = path.split_once('/').unwrap_or((path, ""));
    let lists = operation.method == crate::model::Method::Get && !resource.is_empty() && rest.is_empty();
    let function = if lists { collection.to_owned() } else { operation.method.name().to_lowercase() };
    match place {
        Some(place) => format!("{place}.{function}"),
        None if resource.is_empty() => format!("{module}.{function}"),
        None => format!("{module}.{}.{function}", resource.replace('-', "_")),
    }
}

/// Handlers by what leads to them.
struct Names<'r> {
    by_end: bool,
    handlers: FxHashMap<&'r str, &'r Handler>,
    /// Every part of every name.
    parts: FxHashSet<&'r str>,
}

impl<'r> Names<'r> {
    fn new(routing: &'r Routing) -> Self {
        let by_end = routing.naming.by_end;
        let mut names = Names { by_end, handlers: FxHashMap::default(), parts: FxHashSet::default() };
        for handler in &routing.handlers {
            names.handlers.insert(&handler.name, handler);
        }
        if by_end {
            for handler in &routing.handlers {
                names.parts.extend(handler.name.split('.'));
                for (at, _) in handler.name.match_indices('.') {
                    names.handlers.entry(&handler.name[at + 1..]).or_insert(handler);
                }
            }
        }
        names
    }

    fn find(&self, name: &str) -> Option<&'r Handler> {
        let known = self.handlers.get(name).copied();
        known.or_else(|| {
            let (place, _) = name.rsplit_once('.')?;
            self.handlers.get(format!("{place}.*").as_str()).copied()
        })
    }

    /// Whether a dotted name begins with nothing of the program.
    fn is_outside(&self, name: &str) -> bool {
        self.by_end && name.split('.').next().is_some_and(|first| !self.parts.contains(first))
    }
}
