//! Who an agent is for a task: what it is told, and which tools it may use.

use std::fmt::Write as _;
use std::fs;

use super::excerpt;
use super::executors::Job;
use crate::mcp::Server;
use crate::plan::Kind;

/// A role of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Architect,
    CodeWriter,
    CodeReviewer,
    TestEngineer,
    WiringVerifier,
}

impl Role {
    pub const ALL: [Role; 5] =
        [Role::Architect, Role::CodeWriter, Role::CodeReviewer, Role::TestEngineer, Role::WiringVerifier];

    /// Who carries out a task of this kind.
    pub fn of(kind: Kind) -> Role {
        match kind {
            Kind::Tests => Role::TestEngineer,
            _ => Role::CodeWriter,
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Role::Architect => "Architect",
            Role::CodeWriter => "Code Writer",
            Role::CodeReviewer => "Code Reviewer",
            Role::TestEngineer => "Test Engineer",
            Role::WiringVerifier => "Wiring Verifier",
        }
    }

    fn told(self) -> &'static str {
        match self {
            Role::Architect => include_str!("roles/architect.md"),
            Role::CodeWriter => include_str!("roles/code-writer.md"),
            Role::CodeReviewer => include_str!("roles/code-reviewer.md"),
            Role::TestEngineer => include_str!("roles/test-engineer.md"),
            Role::WiringVerifier => include_str!("roles/wiring-verifier.md"),
        }
    }

    /// Whether it changes files.
    pub fn edits(self) -> bool {
        matches!(self, Role::Architect | Role::CodeWriter | Role::TestEngineer)
    }

    /// Whether it runs commands.
    pub fn runs(self) -> bool {
        matches!(self, Role::CodeWriter | Role::TestEngineer)
    }

    /// What holds for it beside its own instructions.
    fn standards(self) -> Vec<&'static str> {
        let mut texts = Vec::new();
        if matches!(self, Role::Architect | Role::CodeWriter | Role::CodeReviewer) {
            texts.push(include_str!("roles/contract-compliance.md"));
        }
        if matches!(self, Role::CodeWriter | Role::CodeReviewer) {
            texts.push(include_str!("roles/integration.md"));
        }
        texts
    }
}

/// Contracts that a brief names; the others are counted.
pub(super) const MOST_CONTRACTS: usize = 20;

/// The brief of a role for the service of a task: who the agent is and what holds for all that it does. What the task asks for
/// is not in it. `servers`: those whose tools the agent has; `most`: how many contracts are named.
pub(super) fn brief(role: Role, job: &Job<'_>, servers: &[Server], most: usize) -> String {
    let service = job.plan.service(&job.task.service);
    let name = service.map_or("the project", |it| it.name.as_str());
    let mut sections = vec![format!("## Role\n\n{}", role.told())];
    if let Some(service) = service {
        let stack = if service.stack.is_empty() { "not said".to_owned() } else { service.stack.join(", ") };
        let mut text =
            format!("## Service\n\n- folder: `{}`\n- port: {}\n- stack: {stack}\n", service.folder, service.port);
        if !service.asks.is_empty() {
            let _ = writeln!(text, "- depends on: `{}`", service.asks.join("`, `"));
        }
        sections.push(text);
        let part = |ids: &[String], role: &'static str| -> Vec<(String, &'static str)> {
            ids.iter().map(|id| (id.clone(), role)).collect()
        };
        let mut contracts = part(&service.serves, "provider");
        contracts.extend(part(&service.publishes, "provider"));
        contracts.extend(part(&service.receives, "consumer"));
        contracts.extend(part(&service.asks, "consumer"));
        contracts.dedup();
        if !contracts.is_empty() {
            sections.push(contracts_section(role, job, &contracts, servers, most));
        }
    }
    let tools: Vec<String> = servers.iter().map(|it| tools(*it)).filter(|it| !it.is_empty()).collect();
    if !tools.is_empty() {
        sections.push(format!("## Available MCP Tools\n\n{}", tools.concat()));
    }
    let standards = role.standards();
    if !standards.is_empty() {
        sections.push(format!("## Quality Standards\n\n{}", standards.join("\n")));
    }
    sections.push(format!(
        "## Convergence Mandates\n\n- At least {:.0} % of the requirements are met, with evidence, before the work is called done.\n\
         - No task is done before the requirements that it claims are.\n\
         - Operations are validated against their contracts, and new files registered.\n\
         - No mock, no placeholder, no hard-coded count.\n",
        job.convergence * 100.0
    ));
    if let Some(map) = codebase(job) {
        sections.push(format!("## Codebase Context\n\n{map}\n"));
    }
    format!("# {} Instructions — {name}\n\n{}", role.title(), sections.join("\n---\n\n"))
}

/// Bytes of the codebase map that a brief holds; what is left out is said.
const MOST_OF_MAP: usize = 4_000;

/// The beginning of the codebase map, where the run has made one.
fn codebase(job: &Job<'_>) -> Option<String> {
    if !job.engines.codebase_intelligence.enabled {
        return None;
    }
    let map = fs::read_to_string(job.exports.join("CODEBASE_MAP.md")).ok()?;
    // The headings of the map stand below that of the section.
    let map = map.replace("\n#", "\n##");
    let map = map.trim_start_matches("# Codebase map").trim();
    (!map.is_empty()).then(|| excerpt::bounded(map, MOST_OF_MAP, "the map"))
}

fn contracts_section(
    role: Role,
    job: &Job<'_>,
    contracts: &[(String, &str)],
    servers: &[Server],
    most: usize,
) -> String {
    let mut text = "## Contracts\n\n".to_owned();
    for (id, side) in contracts.iter().take(most) {
        let kind = job.contracts.iter().find(|it| it.id == *id);
        let (kind, path) = kind.map_or(("contract", ""), |it| (it.kind.as_str(), it.path.as_str()));
        let _ = writeln!(text, "- **{id}** ({kind}, {side}): `{path}`");
    }
    let more = contracts.len().saturating_sub(most);
    let has_engine = servers.contains(&Server::ContractEngine);
    if more > 0 {
        let way = if has_engine { ": `get_contract` fetches them" } else { " in `contracts/`" };
        let _ = writeln!(text, "\n{more} more{way}.");
    }
    if matches!(role, Role::CodeWriter | Role::CodeReviewer) {
        text.push_str(
            "\n**Critical**: code matches its contract exactly: names, types, required members, status codes.",
        );
        if has_engine {
            text.push_str(" Check with `validate_endpoint`.");
        }
        text.push('\n');
    }
    text
}

/// The tools of a server that a brief names.
fn tools(server: Server) -> String {
    let names: &[&str] = match server {
        Server::ContractEngine => {
            &["get_contract", "validate_endpoint", "generate_tests", "mark_implemented", "get_unimplemented_contracts"]
        }
        Server::CodebaseIntelligence => {
            &["find_definition", "find_callers", "find_dependencies", "search_semantic", "register_artifact"]
        }
        Server::Architect | Server::All | Server::DevTeam => &[],
    };
    if names.is_empty() { String::new() } else { format!("- {}: `{}`\n", server.name(), names.join("`, `")) }
}
