//! Services of one compose file: what they depend on, and whether anything looks after them.

use super::super::place::{listed, report};
use super::{NO_HEALTHCHECK, NO_RESTART, UNKNOWN_DEPENDENCY};
use crate::finding::Sink;
use crate::workspace::Workspace;

/// Services that depend on one that there is not: nothing starts.
pub(super) fn dependencies(files: &Workspace, sink: &mut Sink<'_>) {
    for compose in files.composes.iter().filter(|it| it.it.is_main && !it.it.is_open) {
        let names: Vec<&str> = compose.it.services.iter().map(|it| it.name.as_str()).collect();
        // What an override adds is started together with the file.
        let others = files.composes.iter().filter(|it| !it.it.is_main).flat_map(|it| &it.it.services);
        let others: Vec<&str> = others.map(|it| it.name.as_str()).collect();
        for service in &compose.it.services {
            for (needed, span) in &service.depends_on {
                if names.contains(&needed.as_str()) || others.contains(&needed.as_str()) || needed.contains('$') {
                    continue;
                }
                let (this, that) = (format!("`{}`", service.name), format!("`{needed}`"));
                let services = listed(names.iter().copied().filter(|name| *name != service.name), 6);
                let values = [("service", this.as_str()), ("name", &that), ("services", &services)];
                report(sink, UNKNOWN_DEPENDENCY, (*span, &format!("{} {needed}", service.name)), &values, &[]);
            }
        }
    }
}

/// Services that nobody asks how they are, and that stay down.
pub(super) fn care(files: &Workspace, sink: &mut Sink<'_>) {
    for compose in files.composes.iter().filter(|it| it.it.is_main) {
        for service in compose.it.services.iter().filter(|it| !it.extends) {
            let image = files.dockerfiles.iter().find(|it| Some(it.path.as_str()) == service.dockerfile.as_deref());
            let shown = format!("`{}`", service.name);
            // Others' images, and those whose file was not read, may have a check of their own.
            if !service.has_healthcheck && image.is_some_and(|it| !it.it.has_healthcheck) {
                report(sink, NO_HEALTHCHECK, (service.span, &service.name), &[("service", &shown)], &[]);
            }
            if !service.has_restart {
                report(sink, NO_RESTART, (service.span, &service.name), &[("service", &shown)], &[]);
            }
        }
    }
}
