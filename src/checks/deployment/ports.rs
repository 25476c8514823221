//! Ports: where code listens against what containers have, and ports of the machine that are published twice.

use std::collections::BTreeSet;

use super::super::place::{listed, report};
use super::{LISTENS_ELSEWHERE, SAME_HOST_PORT, built_around};
use crate::finding::Sink;
use crate::model::Seen;
use crate::workspace::{Published, Service, Workspace};

/// Code that listens where no container can be reached. Only services that are built from a folder around the code are
/// asked, and only where all of their ports are known.
pub(super) fn listens(files: &Workspace, sink: &mut Sink<'_>) {
    for watched in files.watched.iter().filter(|it| !it.is_test) {
        let ports = watched.sights.iter().filter_map(|sight| match sight.what {
            Seen::Port { port, guarded } => Some((port, guarded, sight.span)),
            _ => None,
        });
        for (port, guarded, span) in ports {
            let services = built_around(files, &watched.path);
            let images = |service: &Service| {
                let of_service =
                    files.dockerfiles.iter().find(|it| Some(it.path.as_str()) == service.dockerfile.as_deref());
                of_service.map(|it| &it.it)
            };
            let is_unclear = services.iter().any(|(_, service)| {
                service.on_host
                    || service.extends
                    || service.has_unknown_port
                    || images(service).is_some_and(|it| it.has_unknown_port)
            });
            // A server that starts only if its file is the program says nothing where another program runs.
            let file = watched.path.rsplit('/').next().unwrap_or("");
            let runs_it = services.iter().any(|(_, service)| {
                service.runs.contains(file)
                    || service.runs.is_empty() && images(service).is_some_and(|it| it.runs.contains(file))
            });
            if services.is_empty() || is_unclear || (guarded && !runs_it) {
                continue;
            }
            // Another service's port will do as well: who forwards to whom is not known.
            let every = files.composes.iter().flat_map(|it| &it.it.services).flat_map(|it| &it.container);
            let exposed = files.dockerfiles.iter().flat_map(|it| &it.it.ports);
            if every.clone().any(|range| range.has(port)) || exposed.clone().any(|known| *known == port) {
                continue;
            }
            let mut known: BTreeSet<u16> = BTreeSet::new();
            for (_, service) in &services {
                known.extend(service.container.iter().map(|range| range.from));
                known.extend(images(service).into_iter().flat_map(|it| &it.ports));
            }
            if known.is_empty() {
                continue;
            }
            let ports: Vec<String> = known.iter().map(u16::to_string).collect();
            let ports = listed(ports.iter().map(String::as_str), 4);
            let (compose, service) = services[0];
            let values = [("port", format!("`{port}`")), ("service", format!("`{}`", service.name)), ("ports", ports)];
            let values: Vec<(&'static str, &str)> =
                values.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let place = service.published.first().map_or(service.span, |it| it.span);
            let related = [(place, "the ports of the container")];
            report(sink, LISTENS_ELSEWHERE, (span, &format!("{} {port}", compose.path)), &values, &related);
        }
    }
}

/// Two services of one file that publish one port of the machine: the second one cannot start.
pub(super) fn published_twice(files: &Workspace, sink: &mut Sink<'_>) {
    for compose in files.composes.iter().filter(|it| it.it.is_main) {
        let services = compose.it.services.iter().filter(|it| it.profiles.is_empty() && !it.on_host);
        let mut taken: Vec<(&Service, &Published)> = Vec::new();
        for service in services {
            for published in &service.published {
                let Some(host) = published.host else { continue };
                let other = taken.iter().find(|(_, other)| {
                    other.protocol == published.protocol
                        && other.host.is_some_and(|known| known.overlaps(host))
                        && (other.address == published.address
                            || other.address.is_empty()
                            || published.address.is_empty())
                });
                // A range of the machine for one port of the container: any free one of them is taken.
                let is_any = |it: &Published| {
                    it.container.from == it.container.to && it.host.is_some_and(|host| host.from != host.to)
                };
                match other {
                    // Where one of them chooses from a range, another port is free.
                    Some((first, known)) if !is_any(known) && !is_any(published) => {
                        let port = format!("`{}`", host.from.max(known.host.map_or(0, |it| it.from)));
                        let (this, that) = (format!("`{}`", service.name), format!("`{}`", first.name));
                        let values = [("port", port.as_str()), ("service", &this), ("name", &that)];
                        let subject = format!("{} {} {port}", first.name, service.name);
                        report(
                            sink,
                            SAME_HOST_PORT,
                            (published.span, &subject),
                            &values,
                            &[(known.span, "published here first")],
                        );
                    }
                    _ => taken.push((service, published)),
                }
            }
        }
    }
}
