//! What a service serves, sends and receives: what a scan understands of it, and what of its code others use.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::view::View;
use super::{Index, IndexError, rows};
use crate::config::nearest;
use crate::model::Action;
use crate::project::{NAMELESS, Service};
use crate::rules::RuleSet;
use crate::scan::{Progress, Report, scan};
use crate::store::digest;
use crate::text::Span;

/// What a service offers to others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceInterface {
    pub service_name: String,
    pub endpoints: Vec<Endpoint>,
    pub events_published: Vec<Event>,
    pub events_consumed: Vec<Event>,
    /// Functions, classes and types of its files that files of other services use.
    #[serde(default)]
    pub exported_symbols: Vec<Exported>,
    /// Routes and registrations that could not be read: there may be more endpoints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_read: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Endpoint {
    pub method: String,
    pub path: String,
    pub handler: String,
    pub file: String,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Event {
    /// The topic, queue or event, else the message's type.
    pub event: String,
    pub file: String,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Exported {
    pub symbol: String,
    pub kind: String,
    pub file: String,
    pub line: u32,
}

impl Index {
    /// What a service serves, sends and receives.
    ///
    /// # Errors
    /// Those of [`Index::refresh`]; no service of that name.
    pub fn service_interface(&mut self, name: &str, progress: &dyn Progress) -> Result<ServiceInterface, IndexError> {
        self.refresh(progress)?;
        let known = self.services(progress)?;
        let found = known.iter().find(|it| it.service_name == name);
        let Some(mut found) =
            found.or_else(|| known.iter().find(|it| it.service_name.eq_ignore_ascii_case(name))).cloned()
        else {
            self.require_service(name)?;
            // It has files, and a scan sees nothing in them that others could use.
            return Ok(ServiceInterface { service_name: name.to_owned(), ..ServiceInterface::default() });
        };
        let program = self.program();
        let view = View::new(self, program);
        found.exported_symbols = view.used_elsewhere(&found.service_name);
        let loaded = view.into_loaded();
        self.remember(loaded);
        Ok(found)
    }

    /// That there are files of a service.
    pub(super) fn require_service(&self, name: &str) -> Result<(), IndexError> {
        let names: BTreeSet<&str> = self.files.values().map(|row| row.service.as_str()).collect();
        if names.contains(name) {
            return Ok(());
        }
        let nearest = nearest(name, names).map_or_else(String::new, |it| format!(", but `{it}`"));
        Err(IndexError::NoService { name: name.to_owned(), nearest })
    }

    /// What a scan understands of every service. Scanned again only where a file has changed.
    pub(super) fn services(&mut self, progress: &dyn Progress) -> Result<Arc<Vec<ServiceInterface>>, IndexError> {
        let state = self.digest();
        if let Some((known, services)) = &self.services
            && *known == state
        {
            return Ok(Arc::clone(services));
        }
        let kept = rows::meta(self.store.connection(), "services")?;
        let kept: Option<(String, Vec<ServiceInterface>)> = kept.and_then(|text| serde_json::from_str(&text).ok());
        let services = match kept {
            Some((known, services)) if known == state => services,
            _ => {
                let rules = RuleSet::load(&[]).unwrap_or_else(|_| RuleSet::embedded());
                let report = scan(&self.options(), &rules, progress)?;
                let services = self.understood(&report);
                if !self.read_only {
                    let text = serde_json::to_string(&(&state, &services)).unwrap_or_default();
                    self.store.write(|write| rows::set_meta(write, "services", &text))?;
                }
                services
            }
        };
        let services = Arc::new(services);
        self.services = Some((state, Arc::clone(&services)));
        Ok(services)
    }

    /// What stands for the state of all files that a scan reads.
    fn digest(&self) -> String {
        let mut text = String::new();
        for row in self.files.values() {
            text.push_str(&row.path);
            text.push_str(&row.hash);
        }
        if let Some(listed) = &self.listing {
            for path in listed.listing.manifests.iter().chain(&listed.listing.documents) {
                let changed = super::refresh::time(path);
                // Writing to a string cannot fail.
                let _ = write!(text, "{}{changed}", path.display());
            }
        }
        digest(&text)
    }

    fn understood(&self, report: &Report) -> Vec<ServiceInterface> {
        let sources = &report.project.sources;
        // A scan names files as seen from the repository.
        let inside = |name: &str| {
            let own = |it: &&String| name == it.as_str() || name.ends_with(&format!("/{it}"));
            self.files.keys().filter(own).max_by_key(|it| it.len()).cloned().unwrap_or_else(|| name.to_owned())
        };
        let place = |span: Span| (inside(sources.path(span)), sources.positions(span).0.line);
        let services = report.project.services.iter().filter(|it| it.scanned);
        let services = services.map(|service| {
            let mut found = ServiceInterface { service_name: name_in(service, report), ..ServiceInterface::default() };
            for operation in &service.operations {
                let code = operation.implementation.as_ref();
                let (file, line) = place(code.and_then(|it| it.handler_span).unwrap_or(operation.span));
                found.endpoints.push(Endpoint {
                    method: operation.method.name().to_owned(),
                    path: operation.path.text().to_owned(),
                    handler: code.map_or_else(String::new, |it| it.handler.clone()),
                    file,
                    line,
                });
            }
            for message in &service.messages {
                let channel = message.channel.as_ref().ok().cloned();
                let Some(event) = channel.or_else(|| message.message.clone()).or_else(|| message.setting.clone())
                else {
                    found.not_read.push(format!("{}: a channel that is not known", sources.place(message.span)));
                    continue;
                };
                let (file, line) = place(message.span);
                let event = Event { event, file, line, message: message.message.clone() };
                match message.action {
                    Action::Send => found.events_published.push(event),
                    Action::Receive => found.events_consumed.push(event),
                }
            }
            found.not_read.extend(service.unknown.iter().map(|reason| reason.text.clone()));
            for events in [&mut found.events_published, &mut found.events_consumed] {
                events.sort();
                events.dedup();
            }
            found
                .endpoints
                .sort_by(|a, b| (&a.path, &a.method, &a.file, a.line).cmp(&(&b.path, &b.method, &b.file, b.line)));
            found.endpoints.dedup();
            found.not_read.sort();
            found.not_read.dedup();
            found
        });
        services.collect()
    }
}

/// What the index calls a service of a scan.
fn name_in(service: &Service, report: &Report) -> String {
    if service.name == NAMELESS { report.here.clone() } else { service.name.clone() }
}

impl View<'_> {
    /// What files of other services use of a service.
    fn used_elsewhere(&self, service: &str) -> Vec<Exported> {
        let of = |file: u32| self.index.files.get(self.path(file)).map_or("", |row| row.service.as_str());
        let mut found = BTreeSet::new();
        for file in (0..self.program.paths.len() as u32).filter(|file| of(*file) != service) {
            let loaded = self.loaded(file);
            for import in &loaded.record.imports {
                for thing in self.imported(file, import) {
                    let super::resolve::Thing::Symbol(at) = thing else { continue };
                    let Some(symbol) = self.symbol(at).filter(|_| of(at.file) == service) else { continue };
                    let file = self.path(at.file).to_owned();
                    let kind = symbol.kind.name().to_owned();
                    found.insert(Exported { symbol: symbol.name, kind, file, line: symbol.line });
                }
            }
        }
        found.into_iter().collect()
    }
}
