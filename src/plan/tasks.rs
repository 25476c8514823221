//! Requirements that were taken apart become services, contracts and tasks.

use serde_json::Value;

use super::{Kind, Milestone, Plan, Scope, Service, Task};
use crate::architect::Decomposition;

/// A contract that the services of a plan keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// `order-service-api`
    pub id: String,
    /// `openapi` or `asyncapi`
    pub kind: String,
    /// The service that provides it.
    pub service: String,
    /// Path below the root, forward slashes.
    pub path: String,
    pub document: Value,
}

/// A criterion that only a run of the tests can meet.
pub const TESTS_PASS: &str = "the tests pass";

/// Ports of services, from this one on.
const FIRST_PORT: u16 = 8001;

/// Contracts to begin with: the stubs of a decomposition, by the ids that its service map gives them.
pub fn contracts(decomposition: &Decomposition) -> Vec<Contract> {
    let stubs = decomposition.contract_stubs.iter().filter(|it| operations(&it.spec) + messages(&it.spec) > 0);
    let named = stubs.map(|stub| {
        let id = format!("{}-{}", stub.service_id, if stub.kind == "asyncapi" { "events" } else { "api" });
        Contract {
            path: format!("contracts/{id}.json"),
            id,
            kind: stub.kind.clone(),
            service: stub.service_id.clone(),
            document: stub.spec.clone(),
        }
    });
    named.collect()
}

/// Services of a decomposition; with names, those alone. A contract that a service needs and none provides is passed over:
/// the questions of the decomposition name it.
pub fn services(decomposition: &Decomposition, contracts: &[Contract], only: &[String]) -> Vec<Service> {
    let wanted = |name: &String| only.is_empty() || only.contains(name);
    let services = decomposition.service_map.services.iter().enumerate().filter(|(_, it)| wanted(&it.name));
    let made = services.map(|(at, it)| {
        let own = contracts.iter().filter(|contract| contract.service == it.name);
        let own =
            |does: &dyn Fn(&Contract) -> bool| own.clone().filter(|it| does(it)).map(|it| it.id.clone()).collect();
        let asks =
            it.consumes_contracts.iter().filter(|id| contracts.iter().any(|c| c.id == **id && c.kind == "openapi"));
        Service {
            name: it.name.clone(),
            folder: format!("services/{}", it.name),
            stack: [&it.stack.language, &it.stack.framework].into_iter().flatten().cloned().collect(),
            // Beyond the last port there is none: services that share one are told apart by their settings.
            port: FIRST_PORT.saturating_add(at as u16),
            serves: own(&|it| it.kind == "openapi"),
            publishes: own(&|it| !message_names(&it.document, "send").is_empty()),
            receives: own(&|it| !message_names(&it.document, "receive").is_empty()),
            asks: asks.cloned().collect(),
            is_frontend: it.is_frontend,
        }
    });
    made.collect()
}

/// The plan that follows from services and their contracts: one milestone a service, its tasks in the order data model,
/// operations of each contract, events, consumers, tests, deployment. Services know each other by their contracts alone, so no
/// task waits for another service.
pub fn tasks(project: &str, services: Vec<Service>, contracts: &[Contract], decomposition: &Decomposition) -> Plan {
    let mut plan = Plan { project: project.to_owned(), ..Plan::default() };
    for (at, service) in services.iter().enumerate() {
        let milestone = format!("M{}", at + 1);
        let described = decomposition.service_map.services.iter().find(|it| it.name == service.name);
        plan.milestones.push(Milestone {
            id: milestone.clone(),
            title: service.name.clone(),
            service: service.name.clone(),
            description: described.map(|it| one_line(&it.description)).unwrap_or_default(),
            depends_on: Vec::new(),
        });
        let entities: Vec<&str> = decomposition
            .domain_model
            .entities
            .iter()
            .filter(|it| it.owning_service.as_deref() == Some(&service.name))
            .map(|it| it.name.as_str())
            .collect();
        Making { plan: &mut plan, service, milestone, contracts, entities, before: Vec::new(), keeps: Vec::new() }
            .all();
    }
    plan.services = services;
    plan
}

/// Tasks of one service, one after the other.
struct Making<'m> {
    plan: &'m mut Plan,
    service: &'m Service,
    milestone: String,
    contracts: &'m [Contract],
    entities: Vec<&'m str>,
    /// Tasks of the service so far.
    before: Vec<String>,
    /// Contracts that the service keeps by then.
    keeps: Vec<String>,
}

impl Making<'_> {
    fn all(mut self) {
        let name = &self.service.name;
        if self.service.is_frontend {
            let criteria = vec![
                "every page of the requirements can be reached".to_owned(),
                "requests are those that the contracts of the services promise".to_owned(),
            ];
            let description = "Pages, forms and requests, as the requirements describe them.".to_owned();
            self.add(Kind::Frontend, format!("Frontend {name}"), description, criteria, 10);
            return;
        }
        let entities =
            if self.entities.is_empty() { "those of the contracts".to_owned() } else { self.entities.join(", ") };
        let criteria = vec!["members are named and typed as the schemas of the contracts say".to_owned()];
        let weight = 1 + self.entities.len() / 2;
        self.add(Kind::Model, format!("Data model of {name}"), format!("Types of {entities}."), criteria, weight);
        // Operations send messages: what sends them comes first.
        self.messages(Kind::Events, &self.service.publishes, "send", "sent");
        for id in &self.service.serves {
            let Some(contract) = self.contracts.iter().find(|it| it.id == *id) else { continue };
            let promised = operation_names(&contract.document);
            let weight = 2 + promised.len() / 3;
            let criteria = promised.into_iter().map(|it| format!("{it} answers as {} says", contract.path)).collect();
            self.keeps.push(id.clone());
            let description = format!("Routes, validation and answers of every operation of {}.", contract.path);
            self.add(Kind::Operations, format!("Operations of {id}"), description, criteria, weight);
        }
        self.messages(Kind::Consumers, &self.service.receives, "receive", "received and handled");
        let weight = 2 + self.keeps.len();
        let criteria = vec!["every operation and message has a test that can fail".to_owned(), TESTS_PASS.to_owned()];
        self.add(
            Kind::Tests,
            format!("Tests of {name}"),
            "Tests of what the service does.".to_owned(),
            criteria,
            weight,
        );
        let criteria = vec![
            format!("the service listens on port {} unless PORT says otherwise", self.service.port),
            "the README says how to run the service and its tests".to_owned(),
        ];
        let description = "Container, compose file, settings and README.".to_owned();
        self.add(Kind::Deployment, format!("Deployment of {name}"), description, criteria, 2);
    }

    /// The task of a service's messages, if it sends or receives any: by the documents of these ids.
    fn messages(&mut self, kind: Kind, ids: &[String], action: &str, verb: &str) {
        let mut criteria = Vec::new();
        let mut paths = Vec::new();
        for contract in ids.iter().filter_map(|id| self.contracts.iter().find(|it| it.id == *id)) {
            paths.push(contract.path.as_str());
            let names = message_names(&contract.document, action);
            criteria.extend(names.into_iter().map(|it| format!("{it} is {verb} as {} says", contract.path)));
        }
        if !paths.is_empty() {
            let (what, weight) = (paths.join(", "), 2 + criteria.len() / 3);
            let description = format!("Messages of {what} are {verb}.");
            let title = if kind == Kind::Events {
                format!("Events of {}", self.service.name)
            } else {
                format!("Consumers of {}", self.service.name)
            };
            // The document of a service that sends and receives is kept when it does both.
            let waits = |id: &&String| kind == Kind::Events && self.service.receives.contains(id);
            self.keeps.extend(ids.iter().filter(|id| !waits(id)).cloned());
            self.add(kind, title, description, criteria, weight);
        }
    }

    fn add(&mut self, kind: Kind, title: String, description: String, criteria: Vec<String>, weight: usize) {
        let id = format!("TASK-{:03}", self.plan.tasks.len() + 1);
        self.plan.tasks.push(Task {
            id: id.clone(),
            title,
            parent: self.milestone.clone(),
            service: self.service.name.clone(),
            kind,
            description,
            criteria,
            scope: Scope {
                allowed: vec![format!("{}/**", self.service.folder)],
                forbidden: vec!["contracts/**".to_owned(), "treaty.toml".to_owned()],
            },
            depends_on: self.before.last().cloned().into_iter().collect(),
            keeps: self.keeps.clone(),
            complexity: weight.clamp(1, 14) as u8,
            line: 0,
        });
        self.before.push(id);
    }
}

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// `GET /orders`, in the order of the document.
pub fn operation_names(document: &Value) -> Vec<String> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let named = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten().map(|(method, _)| method);
        methods.filter(|it| METHODS.contains(&it.as_str())).map(move |it| format!("{} {path}", it.to_uppercase()))
    });
    named.collect()
}

/// Addresses of the channels on which a service acts so (`send`, `receive`; AsyncAPI 3.0, Operation Object), in the order of the
/// document.
pub fn message_names(document: &Value, action: &str) -> Vec<String> {
    let operations = document["operations"].as_object().into_iter().flatten();
    let acting = operations.filter(|(_, it)| it["action"] == action);
    let mut names: Vec<String> = Vec::new();
    for (_, operation) in acting {
        let Some(channel) = operation["channel"]["$ref"].as_str().and_then(|it| it.strip_prefix("#/channels/")) else {
            continue;
        };
        let name = document["channels"][channel]["address"].as_str().unwrap_or(channel);
        if !names.iter().any(|it| it == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn operations(document: &Value) -> usize {
    operation_names(document).len()
}

fn messages(document: &Value) -> usize {
    message_names(document, "send").len() + message_names(document, "receive").len()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
