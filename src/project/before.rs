//! The services at an earlier version of their code, and who asks for what they served.

use std::collections::BTreeMap;

use super::calls::{Answer, Home, ask};
use super::{Project, Service};
use crate::model::ShapeTable;
use crate::text::FileId;

/// The services at an earlier version of their code.
#[derive(Debug)]
pub struct Before {
    /// A git revision or a folder, as the user wrote it.
    pub name: String,
    pub services: Vec<Service>,
    /// The file of now that a file of back then is, where it is still there.
    pub same: BTreeMap<FileId, FileId>,
    pub callers: Vec<Caller>,
}

/// A request of now that an operation of back then answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Index into [`Project::services`], and into the requests of that service.
    pub service: usize,
    pub call: usize,
    /// Index into [`Before::services`], and into the operations of that one.
    pub asked: usize,
    pub operation: usize,
}

/// Which operations of `before` the requests of `now` ask for. `homes` are of `before`.
pub fn callers(before: &[Service], now: &[Service], homes: &[Home]) -> Vec<Caller> {
    let answering = |service: &Service| Service { operations: service.operations.clone(), ..empty(service) };
    let asking = |service: &Service| Service { calls: service.calls.clone(), ..empty(service) };
    let services = before.iter().map(answering).chain(now.iter().map(asking)).collect();
    let project = Project { services, ..Project::default() };
    let mut found = Vec::new();
    for asked in ask(&project, homes) {
        if let (Some(service), Answer::Found { of, operations, doubt: None }) =
            (asked.service.checked_sub(before.len()), asked.code)
        {
            let call = asked.call;
            found.extend(operations.into_iter().map(|operation| Caller { service, call, asked: of, operation }));
        }
    }
    found
}

/// The same service, as far as it is known without what it does.
fn empty(service: &Service) -> Service {
    Service {
        name: service.name.clone(),
        root: service.root.clone(),
        scanned: service.scanned,
        operations: Vec::new(),
        messages: Vec::new(),
        calls: Vec::new(),
        models: Vec::new(),
        shapes: ShapeTable::default(),
        unknown: Vec::new(),
        unread: service.unread.clone(),
        routings: Vec::new(),
        frameworks: service.frameworks.clone(),
        unsupported: service.unsupported.clone(),
        files: service.files,
    }
}
