//! The tables of `treaty.toml` that `treaty orchestrate` reads.

mod api;
mod engines;
mod research;
mod scans;
mod teams;

use std::collections::BTreeMap;
use std::time::Duration;

use miette::{Diagnostic, NamedSource, SourceSpan};
use serde::Deserialize;
use toml::Spanned;

pub use api::{Api, ApiFormat};
pub use engines::{Architect, CodebaseIntelligence, ContractEngine, EngineServer};
pub use research::{DesignDepth, DesignReference, PrdChunking, Research, TechResearch};
pub use scans::{
    BrowserTesting, ContractScans, DatabaseScans, EndToEndTesting, IntegrityScans, PostOrchestrationScans, Scans,
    TrackingDocuments,
};
pub use teams::{AgentTeams, TeamAgent, TeamRole};

use crate::ledger::Prices;

/// How a run works, where the configuration says so; a table that is not there has its defaults.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub orchestrate: Orchestrate,
    pub claude: Claude,
    pub agent_teams: AgentTeams,
    pub gates: Gates,
    pub prices: Prices,
    pub convergence: Convergence,
    pub scans: Scans,
    pub api: Option<Api>,
    pub contract_engine: ContractEngine,
    pub codebase_intelligence: CodebaseIntelligence,
    pub architect: Architect,
    pub research: Research,
}

/// `[orchestrate]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Orchestrate {
    /// Who carries tasks out, where `--backend` does not say.
    pub backend: Option<String>,
    /// Template of another agent's command: `{prompt_file}`, `{worktree}`, `{model}`.
    pub command: Option<String>,
    /// Where the command's last JSON has its cost in dollars, as a JSON pointer.
    pub cost_pointer: Option<String>,
    /// Model of the tasks: of a command, an agent or an API.
    pub model: String,
    /// Attempts of a task.
    pub attempts: u32,
    /// A council looks for the cause before a task is given up. Default: from the depth `thorough`.
    pub council: Option<bool>,
    /// A model is asked to better the plan before it is carried out; the plan that follows from the requirements stays where the
    /// answer is no plan.
    pub refine_plan: bool,
    /// Passes of a fix loop, where the depth does not decide.
    pub fix_passes: Option<u32>,
    /// Variables that executors get beside the usual ones.
    pub environment: Vec<String>,
    /// Seconds that an attempt may take.
    pub time_limit: u64,
    /// Seconds that an attempt may be silent.
    pub idle_limit: u64,
    /// Another backend may go on where the chosen one cannot.
    pub fallback: bool,
}

impl Default for Orchestrate {
    fn default() -> Self {
        Orchestrate {
            backend: None,
            command: None,
            cost_pointer: None,
            model: String::new(),
            attempts: 3,
            council: None,
            refine_plan: false,
            fix_passes: None,
            environment: Vec::new(),
            time_limit: 1800,
            idle_limit: 600,
            fallback: false,
        }
    }
}

/// `[claude]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Claude {
    /// Path or name of the client.
    pub command: String,
    /// Turns of a session.
    pub max_turns: u32,
    /// Tokens of the longest answer: under a budget, as much is kept for each.
    pub max_output_tokens: u64,
    /// Commands that an agent may run, by their beginnings.
    pub commands: Vec<String>,
}

impl Default for Claude {
    fn default() -> Self {
        let commands = [
            "npm test",
            "npm run",
            "npx tsc",
            "pytest",
            "python -m pytest",
            "python3 -m pytest",
            "dotnet build",
            "dotnet test",
        ];
        Claude {
            command: "claude".to_owned(),
            max_turns: 500,
            max_output_tokens: 32_000,
            commands: commands.map(str::to_owned).to_vec(),
        }
    }
}

/// `[gates]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Gates {
    /// Gates that are run: `tests`, `typecheck`, `lint`, `security`, `coverage`.
    pub run: Vec<String>,
    /// A command before the first gate.
    pub setup: Option<String>,
    /// Seconds that a gate may take.
    pub time_limit: u64,
    /// Commands in the place of those that are found.
    pub commands: BTreeMap<String, String>,
    /// Variables that gates get beside the usual ones.
    pub environment: Vec<String>,
}

impl Default for Gates {
    fn default() -> Self {
        Gates {
            run: ["tests", "typecheck", "lint"].map(str::to_owned).to_vec(),
            setup: None,
            time_limit: 600,
            commands: BTreeMap::new(),
            environment: Vec::new(),
        }
    }
}

/// `[convergence]`: shares of the requirements, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Convergence {
    /// The share of requirements from which on a run has done what was asked.
    pub min_convergence_ratio: f64,
    /// The share below which a run has failed.
    pub degraded_threshold: f64,
}

impl Default for Convergence {
    fn default() -> Self {
        Convergence { min_convergence_ratio: 0.9, degraded_threshold: 0.5 }
    }
}

/// A table that cannot be used, with the place.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{path}: {message}")]
pub struct SettingsError {
    pub path: String,
    pub message: String,
    #[help]
    pub help: Option<String>,
    #[source_code]
    text: NamedSource<String>,
    #[label("here")]
    span: Option<SourceSpan>,
}

#[derive(Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
struct Raw {
    /// How `treaty orchestrate` has tasks carried out.
    orchestrate: Option<Orchestrate>,
    /// How the client `claude` is started.
    claude: Option<Claude>,
    /// How a team of agents works.
    #[cfg_attr(test, schemars(with = "Option<AgentTeams>"))]
    agent_teams: Option<Spanned<AgentTeams>>,
    /// The project's own checks, which every task is held against.
    #[cfg_attr(test, schemars(with = "Option<Gates>"))]
    gates: Option<Spanned<Gates>>,
    /// What models cost, by their names: dollars for a million tokens.
    prices: Option<Prices>,
    /// Shares of the requirements, from 0 to 1.
    #[cfg_attr(test, schemars(with = "Option<Convergence>"))]
    convergence: Option<Spanned<Convergence>>,
    /// Scans of what was built, each on or off.
    post_orchestration_scans: Option<PostOrchestrationScans>,
    /// Scans of deployment, assets and requirements, each on or off.
    integrity_scans: Option<IntegrityScans>,
    /// Scans of the code that asks databases, each on or off.
    database_scans: Option<DatabaseScans>,
    /// Scans of contracts, each on or off.
    contract_scans: Option<ContractScans>,
    /// Tests of the whole, after the build.
    e2e_testing: Option<EndToEndTesting>,
    /// Tests in a browser, after those of the whole.
    #[cfg_attr(test, schemars(with = "Option<BrowserTesting>"))]
    browser_testing: Option<Spanned<BrowserTesting>>,
    /// Documents that a run writes about itself.
    tracking_documents: Option<TrackingDocuments>,
    /// A chat model over HTTP.
    #[cfg_attr(test, schemars(with = "Option<Api>"))]
    api: Option<Spanned<Api>>,
    /// A contract engine elsewhere, in the place of the own one.
    contract_engine: Option<ContractEngine>,
    /// An index of the code elsewhere, in the place of the own one.
    codebase_intelligence: Option<CodebaseIntelligence>,
    /// An architect elsewhere, in the place of the own one.
    architect: Option<Architect>,
    /// What is read about the technologies that requirements name.
    tech_research: Option<TechResearch>,
    /// How long requirements are cut into parts.
    prd_chunking: Option<PrdChunking>,
    /// Pages that what is built is to look like.
    design_reference: Option<DesignReference>,
}

/// The JSON schema of the tables that are read here.
#[cfg(test)]
pub(crate) fn schema() -> schemars::Schema {
    let settings = schemars::generate::SchemaSettings::draft07().with(|it| it.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Raw>()
}

/// The tables that are read here.
pub const TABLES: [&str; 20] = [
    "contract-engine",
    "codebase-intelligence",
    "architect",
    "orchestrate",
    "claude",
    "agent-teams",
    "api",
    "gates",
    "prices",
    "convergence",
    "post-orchestration-scans",
    "integrity-scans",
    "database-scans",
    "contract-scans",
    "e2e-testing",
    "browser-testing",
    "tracking-documents",
    "tech-research",
    "prd-chunking",
    "design-reference",
];

/// Names of gates.
const GATES: [&str; 5] = ["tests", "typecheck", "lint", "security", "coverage"];

/// Reads the tables of a configuration file; the others are the scanner's.
///
/// # Errors
/// Text that is not TOML, an unknown key or gate, a threshold out of its bounds.
pub fn parse(path: &str, text: &str) -> Result<Settings, Box<SettingsError>> {
    let error = |span: Option<std::ops::Range<usize>>, message: String, help: Option<String>| {
        Box::new(SettingsError {
            path: path.to_owned(),
            message,
            help,
            text: NamedSource::new(path, text.to_owned()),
            span: span.map(Into::into),
        })
    };
    let raw: Raw = toml::from_str(text).map_err(|it| error(it.span(), it.message().to_owned(), None))?;
    if let Some(gates) = &raw.gates {
        let names = gates.get_ref().run.iter().chain(gates.get_ref().commands.keys());
        if let Some(name) = names.into_iter().find(|it| !GATES.contains(&it.as_str())) {
            let help = format!("gates are {}", GATES.join(", "));
            return Err(error(Some(gates.span()), format!("there is no gate `{name}`"), Some(help)));
        }
    }
    if let Some(convergence) = &raw.convergence {
        let Convergence { min_convergence_ratio, degraded_threshold } = *convergence.get_ref();
        let fits =
            (0.0..=1.0).contains(&min_convergence_ratio) && (0.0..=min_convergence_ratio).contains(&degraded_threshold);
        if !fits {
            let message = "thresholds are between 0 and 1, that of degraded below the other".to_owned();
            return Err(error(Some(convergence.span()), message, None));
        }
    }
    if let Some(api) = &raw.api
        && api.get_ref().search.as_ref().is_some_and(|it| !it.contains("{query}"))
    {
        let message = "`search` has `{query}` where the words of a search stand".to_owned();
        return Err(error(Some(api.span()), message, None));
    }
    if let Some(teams) = &raw.agent_teams
        && let Some(message) = teams.get_ref().mistake()
    {
        return Err(error(Some(teams.span()), message, None));
    }
    if let Some(browser) =
        raw.browser_testing.as_ref().filter(|it| !(0.0..=1.0).contains(&it.get_ref().e2e_pass_rate_gate))
    {
        let message = "`e2e-pass-rate-gate` is a share, between 0 and 1".to_owned();
        return Err(error(Some(browser.span()), message, None));
    }
    Ok(Settings {
        orchestrate: raw.orchestrate.unwrap_or_default(),
        claude: raw.claude.unwrap_or_default(),
        agent_teams: raw.agent_teams.map(Spanned::into_inner).unwrap_or_default(),
        gates: raw.gates.map(Spanned::into_inner).unwrap_or_default(),
        prices: raw.prices.unwrap_or_default(),
        convergence: raw.convergence.map(Spanned::into_inner).unwrap_or_default(),
        api: raw.api.map(Spanned::into_inner),
        scans: Scans {
            post_orchestration: raw.post_orchestration_scans.unwrap_or_default(),
            integrity: raw.integrity_scans.unwrap_or_default(),
            database: raw.database_scans.unwrap_or_default(),
            contract: raw.contract_scans.unwrap_or_default(),
            end_to_end: raw.e2e_testing.unwrap_or_default(),
            browser: raw.browser_testing.map(Spanned::into_inner).unwrap_or_default(),
            tracking: raw.tracking_documents.unwrap_or_default(),
        },
        contract_engine: raw.contract_engine.unwrap_or_default(),
        codebase_intelligence: raw.codebase_intelligence.unwrap_or_default(),
        architect: raw.architect.unwrap_or_default(),
        research: Research {
            technologies: raw.tech_research.unwrap_or_default(),
            chunking: raw.prd_chunking.unwrap_or_default(),
            design: raw.design_reference.unwrap_or_default(),
        },
    })
}

impl Orchestrate {
    pub fn limits(&self) -> (Duration, Duration) {
        (Duration::from_secs(self.time_limit), Duration::from_secs(self.idle_limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_others_passed_over() {
        let text = "select = [\"CONTRACT\"]\n[orchestrate]\ncommand = \"agent {prompt_file}\"\n[gates]\nrun = [\"tests\"]\n[prices.\"m-1\"]\ninput = 3\noutput = 15.5\n";
        let settings = parse("treaty.toml", text).expect("fits");
        assert_eq!(settings.orchestrate.command.as_deref(), Some("agent {prompt_file}"));
        assert_eq!(settings.orchestrate.attempts, 3);
        assert_eq!(settings.gates.run, ["tests"]);
        assert!((settings.prices.of("m-1").expect("known").output - 15.5).abs() < 1e-9);
    }

    #[test]
    fn mistakes_have_a_place() {
        for text in [
            "[orchestrate]\ncomand = 1\n",
            "[gates]\nrun = [\"test\"]\n",
            "[architect]\nmcp-comand = \"x\"\n",
            "[convergence]\nmin-convergence-ratio = 2\n",
            "[agent-teams]\nmax-teammates = 1\n",
            "[agent-teams.agents.one]\nrole = \"auditor\"\ntrack = \"a\"\n",
            "[database-scans]\ndual-orm = true\n",
            "[api]\nurl = \"http://127.0.0.1\"\nformat = \"smoke-signs\"\n",
            "[api]\nurl = \"http://127.0.0.1\"\nformat = \"messages\"\nkey = \"secret\"\n",
            "[api]\nurl = \"http://127.0.0.1\"\nformat = \"messages\"\nsearch = \"find\"\n",
            "[browser-testing]\ne2e-pass-rate-gate = 7\n",
        ] {
            let error = parse("treaty.toml", text).expect_err(text);
            assert!(error.span.is_some(), "{error}");
        }
    }
}
