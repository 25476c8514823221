//! Addresses: hosts that clients connect to against the services that there are, and origins that code is written for.

use std::collections::BTreeSet;

use super::super::place::{listed, report};
use super::{PLAIN_ORIGIN, UNKNOWN_HOST, built_around};
use crate::finding::Sink;
use crate::model::{Seen, host_of};
use crate::project::Project;
use crate::text::Span;
use crate::workspace::Workspace;

/// Names that mean this machine, or that nobody means.
const NOBODY: &[&str] = &[
    "localhost",
    "host",
    "hostname",
    "server",
    "example",
    "your-host",
    "yourhost",
    "myhost",
    "dbhost",
    "db_host",
    "user",
    "username",
    "cluster0",
    "address",
    "ip",
];

/// Origins over plain HTTP that are not this machine.
pub(super) fn origins(files: &Workspace, sink: &mut Sink<'_>) {
    for watched in files.watched.iter().filter(|it| !it.is_test) {
        for sight in &watched.sights {
            let Seen::Origin(origin) = &sight.what else { continue };
            let Some(rest) = origin.strip_prefix("http://") else { continue };
            let host = rest.split(['/', '?', '#']).next().unwrap_or("");
            let host = host
                .rsplit_once(':')
                .filter(|(_, port)| port.bytes().all(|it| it.is_ascii_digit()))
                .map_or(host, |it| it.0);
            let is_here =
                matches!(host, "localhost" | "127.0.0.1" | "0.0.0.0" | "[::1]" | "host.docker.internal" | "10.0.2.2")
                    || host.ends_with(".localhost");
            // A name without dots is that of a container.
            if host.is_empty() || is_here || host.contains(['*', '$', '{']) || !host.contains('.') {
                continue;
            }
            report(sink, PLAIN_ORIGIN, (sight.span, origin), &[("name", &format!("`{origin}`"))], &[]);
        }
    }
}

/// Hosts of databases, caches and brokers that no service is called.
pub(super) fn hosts(project: &Project, sink: &mut Sink<'_>) {
    let files = &project.workspace;
    if files.composes.iter().any(|it| it.it.is_open) {
        return;
    }
    let services = || files.composes.iter().flat_map(|it| &it.it.services);
    let known: BTreeSet<&str> =
        services().flat_map(|it| std::iter::once(&it.name).chain(&it.aliases)).map(String::as_str).collect();
    if known.is_empty() {
        return;
    }
    let names = listed(services().map(|it| it.name.as_str()).collect::<BTreeSet<_>>(), 6);
    let mut tell = |span: Span, host: &str, to: &str| {
        if known.contains(host) || NOBODY.contains(&host) {
            return;
        }
        let (shown, what) = (format!("`{host}`"), to.to_owned());
        let values = [("host", shown.as_str()), ("what", &what), ("services", &names)];
        report(sink, UNKNOWN_HOST, (span, &format!("{host} {to}")), &values, &[]);
    };
    for watched in files.watched.iter().filter(|it| !it.is_test) {
        if built_around(files, &watched.path).is_empty() {
            continue;
        }
        for sight in &watched.sights {
            if let Seen::Host { host, to } = &sight.what {
                tell(sight.span, host, to);
            }
        }
    }
    for service in files.composes.iter().filter(|it| it.it.is_main).flat_map(|it| &it.it.services) {
        for (value, span) in service.environment.iter().filter_map(|(_, value)| value.as_ref()) {
            if let Some((host, to)) = host_of(value) {
                tell(*span, host, to);
            }
        }
    }
}
