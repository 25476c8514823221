//! Engine `presence`: a contracted operation that no route serves, with the nearest miss. Operations of a resource of which
//! nothing was read are told together: whole resources are missed by the reading far more often than they are missing.

use std::collections::{BTreeMap, BTreeSet};

use super::{KindInfo, Of};
use crate::contracts::Declarations;
use crate::finding::{ContractPlace, Evidence, Label, Severity, Sink};
use crate::model::{Operation, Unread};
use crate::project::{Link, Moved, Nearness, Project, Service};

/// `of = "tables"` for the tables of requirements documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Presence {
    #[serde(default)]
    of: Of,
}

const MISSING: &str = "missing";
const RESOURCE: &str = "missing-resource";
const NOT_READ: &str = "not-read";
const OTHER_METHOD: &str = "other-method";
const OTHER_PREFIX: &str = "other-prefix";
const MOVED: &str = "moved";

pub(super) const KINDS: &[KindInfo] = &[
    KindInfo {
        name: MISSING,
        severity: Severity::Error,
        about: "no route serves the operation",
        gaps: &["operation", "service", "advice"],
    },
    KindInfo {
        name: RESOURCE,
        severity: Severity::Error,
        about: "no route serves anything of a resource",
        gaps: &["operation", "service", "advice", "resource", "count"],
    },
    KindInfo {
        name: NOT_READ,
        severity: Severity::Warning,
        about: "nothing of a resource was found in what was read, and so much is missing that the reading may be at fault",
        gaps: &["operation", "service", "advice", "resource", "count"],
    },
    KindInfo {
        name: OTHER_METHOD,
        severity: Severity::Error,
        about: "the path is served with another method, which the contract does not have",
        gaps: &["operation", "service", "advice", "nearest"],
    },
    KindInfo {
        name: OTHER_PREFIX,
        severity: Severity::Error,
        about: "the path is served under another prefix",
        gaps: &["operation", "service", "advice", "nearest"],
    },
    KindInfo {
        name: MOVED,
        severity: Severity::Error,
        about: "nothing of the contract is served where it says, and much of it below one other prefix",
        gaps: &["operation", "service", "advice", "count", "fitting", "from", "to"],
    },
];

/// A contracted operation that no route serves.
pub(super) struct Miss<'p> {
    pub(super) declared: &'p Operation,
    /// Index into the contracts.
    contract: usize,
    /// Index into the services: the first of those that keep the contract.
    service: usize,
    near: Option<(Nearness, &'p Operation)>,
    /// The resource of which nothing was read.
    resource: Option<&'p str>,
    /// A part of the service that could not be read may serve it.
    doubtful: bool,
}

impl<'p> Miss<'p> {
    /// The route that was probably meant, with what it says already.
    pub(super) fn meant(&self) -> Option<&'p Operation> {
        let near = self.near.filter(|(nearness, _)| *nearness != Nearness::SamePath && !self.doubtful);
        near.map(|(_, route)| route)
    }
}

pub(super) fn judge(params: &Presence, project: &Project, sink: &mut Sink<'_>) {
    let links = params.of.links(project);
    for link in links {
        if let Some(moved) = &link.moved
            && let Some(evidence) = elsewhere(link, moved, project)
        {
            sink.report(evidence);
        }
    }
    let mut resources: BTreeMap<(usize, &str), Vec<&Miss<'_>>> = BTreeMap::new();
    let misses = misses(links, project);
    let is_of_scripts: Vec<bool> = project.contracts.iter().map(|contract| of_scripts(&contract.operations)).collect();
    let is_ours = |miss: &&Miss<'_>| !is_of_scripts[miss.contract] && !is_script(miss.declared);
    for miss in misses.iter().filter(|miss| !miss.doubtful).filter(is_ours) {
        match miss.resource.filter(|_| miss.meant().is_none()) {
            Some(resource) => resources.entry((miss.contract, resource)).or_default().push(miss),
            None => sink.report(evidence(miss, project)),
        }
    }
    let mut grouped: BTreeMap<usize, usize> = BTreeMap::new();
    for ((contract, _), group) in &resources {
        *grouped.entry(*contract).or_default() += group.len();
    }
    for ((contract, resource), group) in resources {
        let service = &project.services[group[0].service];
        let all = project.contracts[contract].operations.len();
        let is_unread = service.unread.iter().any(Unread::is_gap) || !service.unsupported.is_empty();
        let is_much = grouped[&contract] * TOO_MANY > all && (all >= TOO_MANY || is_unread);
        sink.report(match group.as_slice() {
            [miss] if !is_much => evidence(miss, project),
            group => evidence_of_resource(resource, group, service, is_much),
        });
    }
}

/// Whether the path names a file of a language that is not read, which a web server runs: `/users.php`.
fn is_script(declared: &Operation) -> bool {
    let last = declared.path.text().rsplit('/').next().unwrap_or("");
    let ending = last.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["php", "jsp", "asp", "aspx", "ashx", "cgi", "pl"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Whether most operations of a contract name scripts, which none of the languages that are read answers.
fn of_scripts(operations: &[Operation]) -> bool {
    operations.iter().filter(|operation| is_script(operation)).count() * 2 > operations.len()
}

/// One operation of so many may be missing with its whole resource; where more are, the reading is in doubt. In a contract
/// of fewer operations, the share that is missing says nothing.
const TOO_MANY: usize = 5;

/// Every operation that is expected and not served, in the contracts' order.
pub(super) fn misses<'p>(links: &'p [Link], project: &'p Project) -> Vec<Miss<'p>> {
    let mut out = Vec::new();
    let mut by_contract: BTreeMap<usize, Vec<&Link>> = BTreeMap::new();
    for link in links.iter().filter(|link| !link.unrelated) {
        by_contract.entry(link.contract).or_default().push(link);
    }
    for (contract, links) in by_contract {
        // A contract may be kept by several services together.
        let pairs = links.iter().flat_map(|link| &link.pairs);
        let settled: BTreeSet<usize> = pairs.filter(|pair| pair.miss.is_none()).map(|pair| pair.declared).collect();
        for (at, pair) in links[0].pairs.iter().enumerate().filter(|(_, pair)| !settled.contains(&pair.declared)) {
            let of_links = || {
                let misses = links.iter().filter_map(|link| Some((link.service, link.pairs.get(at)?.miss.as_ref()?)));
                misses.map(|(service, miss)| (&project.services[service], miss))
            };
            let near = of_links().filter_map(|(service, miss)| {
                let (nearness, route) = miss.near?;
                Some((nearness, service.operations.get(route)?))
            });
            let is_unseen = of_links().all(|(_, miss)| miss.resource.is_some());
            out.push(Miss {
                declared: &project.contracts[contract].operations[pair.declared],
                contract,
                service: links[0].service,
                near: near.min_by_key(|near| near.0),
                resource: pair.miss.as_ref().and_then(|miss| miss.resource.as_deref()).filter(|_| is_unseen),
                doubtful: of_links().any(|(_, miss)| miss.doubt.is_some()),
            });
        }
    }
    out
}

/// All that is missing of a resource.
fn evidence_of_resource(resource: &str, group: &[&Miss<'_>], service: &Service, is_much: bool) -> Evidence {
    let first = group[0].declared;
    let titles: Vec<String> = group.iter().map(|miss| miss.declared.title()).collect();
    let advice = if is_much {
        "if the code serves them, `treaty why` tells what of it was read; otherwise add the routes, or take the \
         operations out of the contract"
    } else {
        "add the routes, or take the operations out of the contract"
    };
    let related = group.iter().skip(1).map(|miss| Label { span: miss.declared.span, text: "promised too".to_owned() });
    let count = if titles.len() == 1 { "1 operation".to_owned() } else { format!("{} operations", titles.len()) };
    Evidence {
        kind: if is_much { NOT_READ } else { RESOURCE },
        span: first.span,
        label: "promised here".to_owned(),
        related: related.collect(),
        field: None,
        contract: Some(ContractPlace { span: first.span, pointer: first.pointer.clone() }),
        subject: resource.to_owned(),
        values: vec![
            ("operation", and_more(&titles)),
            ("service", format!("`{}`", service.name)),
            ("advice", advice.to_owned()),
            ("resource", format!("`{resource}`")),
            ("count", count),
        ],
        operations: titles,
        at_most: None,
    }
}

/// `` `GET /a` and 4 more``
fn and_more(titles: &[String]) -> String {
    let first = titles.first().map(|title| format!("`{title}`")).unwrap_or_default();
    if titles.len() > 1 { format!("{first} and {} more", titles.len() - 1) } else { first }
}

/// A contract that is served below another prefix.
fn elsewhere(link: &Link, moved: &Moved, project: &Project) -> Option<Evidence> {
    let contract: &Declarations = &project.contracts[link.contract];
    let service = &project.services[link.service];
    let expected = link.pairs.iter().filter(|pair| !pair.ignored).map(|pair| &contract.operations[pair.declared]);
    let operations: Vec<&Operation> = expected.collect();
    let (first, route) = (operations.first()?, service.operations.get(moved.route)?);
    let shown = |prefix: &str| if prefix.is_empty() { "no prefix".to_owned() } else { format!("`{prefix}`") };
    let advice = format!("serve them below {}, or set `base-path` if a gateway adds it", shown(&moved.from));
    let label = format!("served below {}", shown(&moved.to));
    let titles: Vec<String> = operations.iter().map(|operation| operation.title()).collect();
    Some(Evidence {
        kind: MOVED,
        span: first.span,
        label: format!("promised below {}", shown(&moved.from)),
        related: vec![Label { span: route.span, text: label }],
        field: None,
        contract: Some(ContractPlace { span: first.span, pointer: first.pointer.clone() }),
        subject: format!("{} {}", moved.from, moved.to),
        values: vec![
            ("operation", and_more(&titles)),
            ("service", format!("`{}`", service.name)),
            ("advice", advice),
            ("count", titles.len().to_string()),
            ("fitting", moved.fitting.to_string()),
            (
                "from",
                if moved.from.is_empty() {
                    "at the paths as they are written".to_owned()
                } else {
                    format!("below {}", shown(&moved.from))
                },
            ),
            ("to", shown(&moved.to)),
        ],
        operations: titles,
        at_most: None,
    })
}

/// An operation as the contract names it; behind the contract's base path where the route that comes nearest is the same
/// without it.
fn asked_for(miss: &Miss<'_>, project: &Project) -> String {
    let declared = miss.declared;
    let is_same = miss.near.is_some_and(|(_, route)| route.title() == declared.title());
    let base = project.contracts[miss.contract].base_paths.iter().find(|base| !base.is_empty());
    match base.filter(|_| is_same) {
        Some(base) => format!("{} {}", declared.method.name(), declared.path.under(base).text()),
        None => declared.title(),
    }
}

fn evidence(miss: &Miss<'_>, project: &Project) -> Evidence {
    let Miss { declared, near, .. } = *miss;
    let service = &project.services[miss.service];
    let nearest = near.map(|(_, route)| format!("`{}`", route.title())).unwrap_or_default();
    let (kind, label) = match near.map(|near| near.0) {
        None => (MISSING, ""),
        Some(Nearness::OtherMethod) => (OTHER_METHOD, "the same path with another method"),
        Some(Nearness::OtherPrefix) => (OTHER_PREFIX, "the same path under another prefix"),
        Some(Nearness::OtherSegment) => (MISSING, "a similar path"),
        Some(Nearness::SamePath) => (MISSING, "the path is served, without this method"),
    };
    let never_mounted = |route: &Operation| route.implementation.as_ref().is_some_and(|code| !code.mounted);
    let advice = match near {
        None => "add the route, or take the operation out of the contract".to_owned(),
        Some((Nearness::OtherMethod, _)) => format!("change the method of {nearest}, or the contract"),
        Some((Nearness::OtherPrefix, route)) if never_mounted(route) => {
            format!("mount the router of {nearest}: no application includes it")
        }
        Some((Nearness::OtherPrefix, _)) => {
            format!("serve {nearest} under the contract's prefix, or set `base-path` if a gateway adds it")
        }
        Some((Nearness::OtherSegment, _)) => format!("compare with {nearest}, which the contract does not have"),
        Some((Nearness::SamePath, _)) => format!("add the method beside {nearest}, or take it out of the contract"),
    };
    Evidence {
        kind,
        span: declared.span,
        label: "promised here".to_owned(),
        related: near.map(|(_, route)| Label { span: route.span, text: label.to_owned() }).into_iter().collect(),
        operations: vec![declared.title()],
        field: None,
        contract: Some(ContractPlace { span: declared.span, pointer: declared.pointer.clone() }),
        subject: declared.title(),
        values: vec![
            ("operation", format!("`{}`", asked_for(miss, project))),
            ("service", format!("`{}`", service.name)),
            ("nearest", nearest),
            ("advice", advice),
        ],
        at_most: None,
    }
}
