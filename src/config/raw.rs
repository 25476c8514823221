//! `treaty.toml` as it is written. The JSON schema that editors read is made of these types and their comments.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

/// A value with its place.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Placed<T>(Spanned<T>);

impl<T> Deref for Placed<T> {
    type Target = Spanned<T>;

    fn deref(&self) -> &Spanned<T> {
        &self.0
    }
}

/// Settings of treaty, which checks that services keep their contracts.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawConfig {
    /// Versions of treaty that may be used: `0.3`, `=0.3.1`, `>=0.1, <0.3`. Another one ends with an error.
    #[serde(default, rename = "required-version")]
    _required_version: Option<Placed<String>>,
    /// A service and what holds for it; as many as there are. Services are found by their manifests where none is named.
    #[serde(default)]
    pub(super) service: Vec<RawService>,
    /// Further directories that a `$ref` may lead into, inside of the repository.
    #[serde(default)]
    pub(super) contract_roots: Vec<Placed<String>>,
    /// Codes or families of rules to run, whatever their tier; what `depth` runs, if left out.
    #[serde(default)]
    pub(super) select: Vec<Placed<String>>,
    /// Codes or families of rules to run besides.
    #[serde(default)]
    pub(super) extend_select: Vec<Placed<String>>,
    /// Codes or families of rules not to run.
    #[serde(default)]
    pub(super) ignore: Vec<Placed<String>>,
    /// How thoroughly to look. Rules that are worth stopping a commit for, if left out.
    #[cfg_attr(test, schemars(extend("enum" = ["quick", "standard", "thorough", "exhaustive"])))]
    pub(super) depth: Option<Placed<String>>,
    /// The least severity that fails a run; `error`, if left out.
    #[cfg_attr(test, schemars(extend("enum" = ["error", "warning", "never"])))]
    pub(super) fail_on: Option<Placed<String>>,
    /// A directory of your own rules.
    pub(super) rules: Option<Placed<String>>,
    /// The earlier version that the contract is held against: what it promised and is not kept is reported, too.
    pub(super) against: Option<Placed<String>>,
    /// Days that what a contract deprecates must stay; none, if left out.
    pub(super) deprecation_notice: Option<u32>,
    /// Hold null against every contract, or against none; against those that state it, if left out.
    pub(super) check_null: Option<bool>,
    /// Paths not to scan, as in `.gitignore`, from the directory of this file.
    #[serde(default)]
    pub(super) exclude: Vec<Placed<String>>,
    /// Scan what is skipped otherwise, as `--no-skip` does: what git leaves out, tests, fixtures, what is built or copied.
    #[serde(default)]
    pub(super) no_skip: bool,
    /// Severities in the place of the rules' own, by code; `off` does not run the rule.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("additionalProperties" = {"type": "string", "enum": ["error", "warning", "info", "off"]})))]
    pub(super) severity: BTreeMap<String, Placed<String>>,
    /// What holds for some paths; where several hold for a file, later ones decide.
    #[serde(default, rename = "override")]
    pub(super) overrides: Vec<RawOverride>,
    // Tables of `treaty orchestrate`, which reads them by itself.
    #[serde(default, rename = "orchestrate")]
    _orchestrate: Elsewhere,
    #[serde(default, rename = "claude")]
    _claude: Elsewhere,
    #[serde(default, rename = "gates")]
    _gates: Elsewhere,
    #[serde(default, rename = "prices")]
    _prices: Elsewhere,
    #[serde(default, rename = "agent-teams")]
    _agent_teams: Elsewhere,
    #[serde(default, rename = "convergence")]
    _convergence: Elsewhere,
    #[serde(default, rename = "api")]
    _api: Elsewhere,
    #[serde(default, rename = "post-orchestration-scans")]
    _post_orchestration_scans: Elsewhere,
    #[serde(default, rename = "integrity-scans")]
    _integrity_scans: Elsewhere,
    #[serde(default, rename = "database-scans")]
    _database_scans: Elsewhere,
    #[serde(default, rename = "contract-scans")]
    _contract_scans: Elsewhere,
    #[serde(default, rename = "e2e-testing")]
    _e2e_testing: Elsewhere,
    #[serde(default, rename = "browser-testing")]
    _browser_testing: Elsewhere,
    #[serde(default, rename = "tracking-documents")]
    _tracking_documents: Elsewhere,
    #[serde(default, rename = "tech-research")]
    _tech_research: Elsewhere,
    #[serde(default, rename = "prd-chunking")]
    _prd_chunking: Elsewhere,
    #[serde(default, rename = "design-reference")]
    _design_reference: Elsewhere,
    #[serde(default, rename = "contract-engine")]
    _contract_engine: Elsewhere,
    #[serde(default, rename = "codebase-intelligence")]
    _codebase_intelligence: Elsewhere,
    #[serde(default, rename = "architect")]
    _architect: Elsewhere,
}

/// A table that somebody else reads.
#[derive(Default, Deserialize)]
#[serde(transparent)]
struct Elsewhere {
    _table: IgnoredAny,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawService {
    /// What the service is called, as people do.
    pub(super) name: Placed<String>,
    /// Its directory, from that of this file; that of this file, if left out.
    pub(super) root: Option<Placed<String>>,
    /// Its contracts; they are looked for, if left out.
    #[serde(default)]
    pub(super) contracts: Vec<Placed<String>>,
    /// A prefix that callers use and the code does not know, since a gateway takes it off: `/api/v2`.
    pub(super) base_path: Option<Placed<String>>,
    /// Operations that are planned or served elsewhere: `GET /metrics`, `* /admin/*`.
    #[serde(default)]
    pub(super) ignore_operations: Vec<Placed<String>>,
    /// Addresses at which clients ask it: `https://api.example.com/v1`.
    #[serde(default)]
    pub(super) urls: Vec<Placed<String>>,
}

#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawOverride {
    /// The paths that it holds for, as in `.gitignore`, from the directory of this file: `services/legacy/**`. What is found in a file is
    /// judged by what holds for that file.
    #[cfg_attr(test, schemars(extend("minItems" = 1)))]
    pub(super) paths: Placed<Vec<Placed<String>>>,
    /// Codes or families of rules that run there, whatever their tier; instead of those that run elsewhere.
    #[serde(default)]
    pub(super) select: Vec<Placed<String>>,
    /// Codes or families of rules that run there besides, though they are ignored elsewhere.
    #[serde(default)]
    pub(super) extend_select: Vec<Placed<String>>,
    /// Codes or families of rules that do not run there.
    #[serde(default)]
    pub(super) ignore: Vec<Placed<String>>,
    /// How thoroughly to look there.
    #[cfg_attr(test, schemars(extend("enum" = ["quick", "standard", "thorough", "exhaustive"])))]
    pub(super) depth: Option<Placed<String>>,
    /// Severities there, by code; `off` does not run the rule.
    #[serde(default)]
    #[cfg_attr(test, schemars(extend("additionalProperties" = {"type": "string", "enum": ["error", "warning", "info", "off"]})))]
    pub(super) severity: BTreeMap<String, Placed<String>>,
}

#[cfg(test)]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{Elsewhere, Placed};

    impl<T: JsonSchema> JsonSchema for Placed<T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            T::schema_name()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            T::json_schema(generator)
        }
    }

    impl JsonSchema for Elsewhere {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Elsewhere".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "object"})
        }
    }
}
