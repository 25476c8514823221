//! The project: what every service serves, which contract speaks for it, and which operation answers which promise.

mod before;
mod calls;
mod exchanged;
mod keepers;
mod missing;
mod moved;
mod nearest;
mod pairing;
mod paths;
mod routed;
#[cfg(test)]
mod tests;
mod unread;
mod wired;

use std::collections::BTreeMap;

use crate::contracts::{Declarations, Mark};
use crate::finding::Reason;
use crate::model::{HttpCall, MessageUse, Model, Operation, Routing, ShapeTable, Sighting, Unread};
use crate::text::{Sources, Span};
use crate::workspace::Workspace;

pub use before::{Before, Caller, callers};
pub use calls::{Answer, Asked, Home, MAX_PROVIDERS, ask, may_answer};
pub use exchanged::{channel_name, exchanged};
pub use keepers::{Keeper, keepers};
pub use missing::Miss;
#[cfg(test)]
pub use missing::look_for_missing;
pub use moved::Moved;
pub use nearest::Nearness;
pub use pairing::{Claim, link};
pub use routed::route_by_contract;
pub use unread::{Seen, may_serve};
pub use wired::{Imported, WiredFacts, middleware_key, wired};

/// Everything the checks may look at.
#[derive(Debug, Default)]
pub struct Project {
    pub sources: Sources,
    pub services: Vec<Service>,
    pub contracts: Vec<Declarations>,
    pub links: Vec<Link>,
    /// The same for the tables of requirements documents, which are contracts of a kind of their own.
    pub table_links: Vec<Link>,
    /// What the requests of all services ask for, in order.
    pub asked: Vec<Asked>,
    /// Which services keep which documents about events.
    pub keepers: Vec<Keeper>,
    /// Earlier versions that contracts are held against.
    pub earlier: Vec<Earlier>,
    /// What the modules that contracts about wiring name really do, by path.
    pub wired: BTreeMap<String, WiredFacts>,
    /// What the services were at an earlier version of their code.
    pub before: Option<Before>,
    /// Contracts that documents say are implemented.
    pub marks: Vec<Marked>,
    /// Files other than code and contracts, as far as the rules of the run look at them.
    pub workspace: Workspace,
    /// Places in code that rules about source look for.
    pub sightings: Vec<Sighting>,
}

impl Project {
    /// Leaves only what services do at places that are asked for. What their requests ask for is no longer known.
    pub fn narrow(&mut self, is_asked: impl Fn(Span) -> bool) {
        self.asked.clear();
        let mut moved: Vec<Vec<Option<usize>>> = Vec::with_capacity(self.services.len());
        for service in &mut self.services {
            service.messages.retain(|it| is_asked(it.span));
            service.calls.retain(|it| is_asked(it.span));
            service.models.retain(|it| is_asked(it.span));
            let mut left = 0..;
            let stays = |it: &Operation| if is_asked(it.span) { left.next() } else { None };
            moved.push(service.operations.iter().map(stays).collect());
            service.operations.retain(|it| is_asked(it.span));
        }
        for link in self.links.iter_mut().chain(&mut self.table_links) {
            let to = &moved[link.service];
            let served = link.pairs.iter_mut().map(|pair| &mut pair.served);
            for list in served.chain([&mut link.ignored_routes]) {
                *list = list.iter().filter_map(|at| to[*at]).collect();
            }
        }
    }
}

/// A contract that a document says is implemented.
#[derive(Debug)]
pub struct Marked {
    pub mark: Mark,
    /// Index into [`Project::contracts`]; none where its document is not there.
    pub contract: Option<usize>,
    /// Whether its evidence is there.
    pub found: bool,
}

/// What a contract promised before.
#[derive(Debug)]
pub struct Earlier {
    /// Index into [`Project::contracts`]: the version of now.
    pub contract: usize,
    pub declarations: Declarations,
    /// The day of the run, `2026-01-31`, where it is known.
    pub today: Option<String>,
    /// Days that must lie between a deprecation and the end of what is deprecated; 0 where none must.
    pub notice: u32,
}

/// One deployable unit: the code under one root.
#[derive(Debug)]
pub struct Service {
    pub name: String,
    /// As shown to the user; `"."` for the directory that names are relative to.
    pub root: String,
    /// Its code is part of the run. What is known from facts is the other end only: nothing is reported there.
    pub scanned: bool,
    /// Every route that was found. Several may have the same method and path.
    pub operations: Vec<Operation>,
    /// Messages that it sends or receives.
    pub messages: Vec<MessageUse>,
    /// Requests that it makes.
    pub calls: Vec<HttpCall>,
    /// Types that it declares, where they were asked for.
    pub models: Vec<Model>,
    /// Shapes of all of them.
    pub shapes: ShapeTable,
    /// Routes, mounts and registrations that could not be resolved.
    pub unknown: Vec<Reason>,
    /// Parts that could not be read, and may serve something.
    pub unread: Vec<Unread>,
    /// What leaves routing to a contract.
    pub routings: Vec<Routing>,
    /// Web frameworks that it uses.
    pub frameworks: Vec<String>,
    /// Web frameworks it imports that there is no extractor for.
    pub unsupported: Vec<String>,
    /// Source files that were read.
    pub files: usize,
}

/// What a service is called that is all there is, and that nothing names.
pub const NAMELESS: &str = "this folder";

impl Service {
    /// Whether nothing names it.
    pub fn is_nameless(&self) -> bool {
        self.root == "." && self.name == NAMELESS
    }
}

/// One contract held against one service.
#[derive(Debug)]
pub struct Link {
    /// Index into [`Project::services`].
    pub service: usize,
    /// Index into [`Project::contracts`].
    pub contract: usize,
    /// One entry for every operation of the contract, in the contract's order.
    pub pairs: Vec<Pair>,
    /// What stands in front of the contract's paths in code: a base path of the contract, its end, or nothing.
    pub front: String,
    /// Indices into the service's operations: routes that the configuration ignores.
    pub ignored_routes: Vec<usize>,
    /// The user named the contract for this service.
    pub named: bool,
    /// Nothing of the contract was found in the service. Checks skip it: a Problem was recorded, or it is `moved`.
    pub unrelated: bool,
    /// Nothing of the contract was found, all of the service was read, and much is served below another prefix.
    pub moved: Option<Moved>,
}

impl Link {
    /// Whether less than half of what is expected was found.
    pub fn is_mostly_missing(&self) -> bool {
        let expected = self.pairs.iter().filter(|pair| !pair.ignored);
        let found = expected.clone().filter(|pair| !pair.served.is_empty()).count();
        found * 2 < expected.count()
    }
}

#[derive(Debug)]
pub struct Pair {
    /// Index into the contract's operations.
    pub declared: usize,
    /// Indices into the service's operations: every route of this method and path.
    pub served: Vec<usize>,
    /// Ignored by configuration, or planned by the contract: not expected.
    pub ignored: bool,
    /// No route was found, and one is expected.
    pub miss: Option<Miss>,
}
