//! Tables that switch the stages of a run and its documents on and off.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Stages and documents, where the configuration says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scans {
    pub post_orchestration: PostOrchestrationScans,
    pub integrity: IntegrityScans,
    pub database: DatabaseScans,
    pub contract: ContractScans,
    pub end_to_end: EndToEndTesting,
    pub browser: BrowserTesting,
    pub tracking: TrackingDocuments,
}

/// `[post-orchestration-scans]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PostOrchestrationScans {
    /// Mock data in code of the product.
    pub mock_data_scan: Option<bool>,
    /// Pages against the design.
    pub ui_compliance_scan: Option<bool>,
    /// Code against its contracts.
    pub api_contract_scan: Option<bool>,
    /// Data that is lost without a word.
    pub silent_data_loss_scan: Option<bool>,
    /// Requests against the routes that they ask.
    pub endpoint_xref_scan: Option<bool>,
    /// Passes of a fix loop, where the depth does not decide.
    pub max_scan_fix_passes: Option<u32>,
}

/// `[integrity-scans]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct IntegrityScans {
    /// Compose files, images and variables against the code.
    pub deployment_scan: Option<bool>,
    /// Images, styles and scripts that are referred to.
    pub asset_scan: Option<bool>,
    /// Claims of documents against what was built.
    pub prd_reconciliation: Option<bool>,
}

/// `[database-scans]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DatabaseScans {
    /// Two ways of asking one database.
    pub dual_orm_scan: Option<bool>,
    /// Values that a row has where nothing is said.
    pub default_value_scan: Option<bool>,
    /// What rows refer to.
    pub relationship_scan: Option<bool>,
}

/// `[contract-scans]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ContractScans {
    /// What operations answer.
    pub endpoint_schema_scan: Option<bool>,
    /// Operations that nothing serves.
    pub missing_endpoint_scan: Option<bool>,
    /// Messages against their documents.
    pub event_schema_scan: Option<bool>,
    /// Models that several services have.
    pub shared_model_scan: Option<bool>,
}

/// `[e2e-testing]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EndToEndTesting {
    /// On or off, where the depth does not decide.
    pub enabled: Option<bool>,
    /// Commands in the place of those that are found.
    pub backend_command: Option<String>,
    /// Tests of the pages.
    pub frontend_command: Option<String>,
    /// Commands that start services, by name; they listen on the port that the variable `PORT` names.
    pub start: BTreeMap<String, String>,
    /// The port of the first service that is started; 0: any that is free.
    pub test_port: u16,
}

/// `[browser-testing]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BrowserTesting {
    /// On or off, where the depth does not decide.
    pub enabled: Option<bool>,
    /// Share of the end-to-end commands that must have passed, from 0 to 1.
    pub e2e_pass_rate_gate: f64,
    /// A command in the place of the one that is found.
    pub command: Option<String>,
}

impl Default for BrowserTesting {
    fn default() -> Self {
        BrowserTesting { enabled: None, e2e_pass_rate_gate: 0.7, command: None }
    }
}

/// `[tracking-documents]`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TrackingDocuments {
    /// What each pass of a fix loop did.
    pub fix_cycle_log: bool,
    /// What a milestone leaves to the next.
    pub milestone_handoff: bool,
    /// Which operation is verified, and where.
    pub contract_compliance_matrix: bool,
}

impl Default for TrackingDocuments {
    fn default() -> Self {
        TrackingDocuments { fix_cycle_log: true, milestone_handoff: true, contract_compliance_matrix: true }
    }
}

impl Scans {
    /// What a person set a switch to, by `table.key`; `None` where nobody did, or where there is no such switch.
    pub fn is_set(&self, switch: &str) -> Option<bool> {
        match switch {
            "post-orchestration-scans.mock-data-scan" => self.post_orchestration.mock_data_scan,
            "post-orchestration-scans.ui-compliance-scan" => self.post_orchestration.ui_compliance_scan,
            "post-orchestration-scans.api-contract-scan" => self.post_orchestration.api_contract_scan,
            "post-orchestration-scans.silent-data-loss-scan" => self.post_orchestration.silent_data_loss_scan,
            "post-orchestration-scans.endpoint-xref-scan" => self.post_orchestration.endpoint_xref_scan,
            "integrity-scans.deployment-scan" => self.integrity.deployment_scan,
            "integrity-scans.asset-scan" => self.integrity.asset_scan,
            "integrity-scans.prd-reconciliation" => self.integrity.prd_reconciliation,
            "database-scans.dual-orm-scan" => self.database.dual_orm_scan,
            "database-scans.default-value-scan" => self.database.default_value_scan,
            "database-scans.relationship-scan" => self.database.relationship_scan,
            "contract-scans.endpoint-schema-scan" => self.contract.endpoint_schema_scan,
            "contract-scans.missing-endpoint-scan" => self.contract.missing_endpoint_scan,
            "contract-scans.event-schema-scan" => self.contract.event_schema_scan,
            "contract-scans.shared-model-scan" => self.contract.shared_model_scan,
            "e2e-testing.enabled" => self.end_to_end.enabled,
            "browser-testing.enabled" => self.browser.enabled,
            _ => None,
        }
    }
}
