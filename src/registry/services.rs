//! Which contracts a service has to do with: those that it keeps, and those of others that it uses.

use std::collections::BTreeSet;

use serde::Serialize;

use super::contract::{Contract, Entry, SpecKind};
use super::{Registry, RegistryError, rows, scanned};
use crate::model::{Action, PathTemplate};

/// One contract from the side of one service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServiceContract {
    pub id: String,
    pub role: Role,
    #[serde(rename = "type")]
    pub kind: SpecKind,
    /// Who is at the other end: of what it provides, those who are known to use it.
    pub counterparty: String,
    /// One line: what it is, its version, how much it promises.
    pub summary: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Provider,
    Consumer,
}

/// Addresses that a document says are sent to, and received from.
struct Directions {
    sent: BTreeSet<String>,
    received: BTreeSet<String>,
}

impl Registry {
    /// The contracts that a service provides or consumes; none where nobody knows it.
    ///
    /// # Errors
    /// Those of the database.
    pub fn of_service(&self, service: &str) -> Result<Vec<ServiceContract>, RegistryError> {
        let it = self.store.connection();
        let entries = rows::entries(it, None)?;
        let events: Vec<(Entry, Directions)> = rows::documents(it, SpecKind::Asyncapi)?
            .into_iter()
            .filter_map(|contract| {
                let directions = directions(&contract)?;
                Some((contract.entry, directions))
            })
            .collect();
        let mut found = Vec::new();
        for entry in entries {
            let mut consumers: BTreeSet<String> =
                rows::implementations(it, &entry.id)?.into_iter().map(|it| it.service_name).collect();
            if let Some((_, own)) = events.iter().find(|(known, _)| known.id == entry.id) {
                let receive = events.iter().filter(|(_, theirs)| !own.sent.is_disjoint(&theirs.received));
                consumers.extend(receive.map(|(other, _)| other.service_name.clone()));
            }
            consumers.remove(&entry.service_name);
            let (role, counterparty) = match () {
                () if entry.service_name == service => {
                    (Role::Provider, consumers.into_iter().collect::<Vec<_>>().join(", "))
                }
                () if consumers.contains(service) => (Role::Consumer, entry.service_name.clone()),
                () => continue,
            };
            let Some(contract) = rows::get(it, &entry.id)? else { continue };
            found.push(ServiceContract {
                role,
                counterparty,
                summary: summary(&contract),
                id: entry.id,
                kind: entry.kind,
            });
        }
        Ok(found)
    }
}

fn directions(contract: &Contract) -> Option<Directions> {
    let events = scanned::declared(SpecKind::Asyncapi, &contract.spec).events?;
    let of = |action: Action| {
        let exchanges = events.operations.iter().filter(|exchange| exchange.action == action);
        let channels = exchanges.filter_map(|exchange| events.channels.get(exchange.channel));
        channels.map(|it| PathTemplate::new(it.address.as_deref().unwrap_or(&it.name)).key()).collect()
    };
    Some(Directions { sent: of(Action::Send), received: of(Action::Receive) })
}

/// `Users 1.2.0: 3 operations`
fn summary(contract: &Contract) -> String {
    let declared = scanned::declared(contract.entry.kind, &contract.spec);
    let count = |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
    let promises = match (&declared.events, &declared.models) {
        (Some(events), _) => count(events.channels.len(), "channel"),
        (None, Some(models)) => count(models.len(), "model"),
        (None, None) => count(declared.operations.len(), "operation"),
    };
    let title = if declared.title.is_empty() { &contract.entry.service_name } else { &declared.title };
    format!("{title} {}: {promises}", contract.entry.version)
}
