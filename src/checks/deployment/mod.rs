//! Engine `deployment`: how services are deployed against what their code expects. Everything needs a compose file; what may
//! be decided elsewhere is never reported.

mod addresses;
mod ports;
mod services;
mod variables;

use super::KindInfo;
use crate::finding::{Severity, Sink};
use crate::project::Project;
use crate::workspace::{Compose, Read, Service, Workspace, directory};

/// It has no parameters: a rule says which kinds it reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deployment {}

pub(super) const LISTENS_ELSEWHERE: &str = "listens-elsewhere";
pub(super) const UNDEFINED_VARIABLE: &str = "undefined-variable";
pub(super) const PLAIN_ORIGIN: &str = "plain-origin";
pub(super) const UNKNOWN_HOST: &str = "unknown-host";
pub(super) const SAME_HOST_PORT: &str = "same-host-port";
pub(super) const UNKNOWN_DEPENDENCY: &str = "unknown-dependency";
pub(super) const BLANK_VARIABLE: &str = "blank-variable";
pub(super) const NO_HEALTHCHECK: &str = "no-healthcheck";
pub(super) const NO_RESTART: &str = "no-restart";

const GAPS: &[&str] = &["name", "service", "port", "ports", "host", "services", "what"];

const fn kind(name: &'static str, severity: Severity, about: &'static str) -> KindInfo {
    KindInfo { name, severity, about, gaps: GAPS }
}

pub(super) const KINDS: &[KindInfo] = &[
    kind(LISTENS_ELSEWHERE, Severity::Warning, "code listens on a port that no container has"),
    kind(UNDEFINED_VARIABLE, Severity::Warning, "code needs a variable that nothing defines"),
    kind(PLAIN_ORIGIN, Severity::Warning, "an origin of a web page over plain HTTP is written into the code"),
    kind(UNKNOWN_HOST, Severity::Warning, "a client connects to a host that no service is called"),
    kind(SAME_HOST_PORT, Severity::Error, "two services publish the same port of the machine"),
    kind(UNKNOWN_DEPENDENCY, Severity::Error, "a service depends on one that there is not"),
    kind(BLANK_VARIABLE, Severity::Warning, "a compose file needs a variable that nothing defines"),
    kind(NO_HEALTHCHECK, Severity::Info, "nothing tells whether a service works"),
    kind(NO_RESTART, Severity::Info, "a service that fails stays down"),
];

pub(super) fn judge(_: &Deployment, project: &Project, sink: &mut Sink<'_>) {
    let files = &project.workspace;
    if sink.wants(PLAIN_ORIGIN) && !files.composes.is_empty() {
        addresses::origins(files, sink);
    }
    if !files.composes.iter().any(|it| it.it.is_main) {
        return;
    }
    if sink.wants(LISTENS_ELSEWHERE) {
        ports::listens(files, sink);
    }
    if sink.wants(SAME_HOST_PORT) {
        ports::published_twice(files, sink);
    }
    if sink.wants(UNDEFINED_VARIABLE) {
        variables::of_code(files, sink);
    }
    if sink.wants(BLANK_VARIABLE) {
        variables::of_compose(files, sink);
    }
    if sink.wants(UNKNOWN_HOST) {
        addresses::hosts(project, sink);
    }
    if sink.wants(UNKNOWN_DEPENDENCY) {
        services::dependencies(files, sink);
    }
    if sink.wants(NO_HEALTHCHECK) || sink.wants(NO_RESTART) {
        services::care(files, sink);
    }
}

/// Services whose image is built from a folder around a file: those of the nearest such folder.
fn built_around<'w>(files: &'w Workspace, path: &str) -> Vec<(&'w Read<Compose>, &'w Service)> {
    let all = files.composes.iter().flat_map(|file| file.it.services.iter().map(move |service| (file, service)));
    let around: Vec<(usize, &Read<Compose>, &Service)> = all
        .filter_map(|(file, service)| {
            let context = service.context.as_deref()?;
            is_below(path, context).then_some((if context == "." { 0 } else { context.len() }, file, service))
        })
        .collect();
    let nearest = around.iter().map(|it| it.0).max();
    around.into_iter().filter(|it| Some(it.0) == nearest).map(|(_, file, service)| (file, service)).collect()
}

fn is_below(path: &str, folder: &str) -> bool {
    folder == "." && !path.starts_with('/') || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Files of variables that lie in a folder or around it.
fn is_around(folder_of: &str, path: &str) -> bool {
    let folder = directory(folder_of);
    folder == "." || is_below(path, folder)
}
