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
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PostOrchestrationScans {
    pub mock_data_scan: Option<bool>,
    pub ui_compliance_scan: Option<bool>,
    pub api_contract_scan: Option<bool>,
    pub silent_data_loss_scan: Option<bool>,
    pub endpoint_xref_scan: Option<bool>,
    /// Passes of a fix loop, where the depth does not decide.
    pub max_scan_fix_passes: Option<u32>,
}

/// `[integrity-scans]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct IntegrityScans {
    pub deployment_scan: Option<bool>,
    pub asset_scan: Option<bool>,
    pub prd_reconciliation: Option<bool>,
}

/// `[database-scans]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct DatabaseScans {
    pub dual_orm_scan: Option<bool>,
    pub default_value_scan: Option<bool>,
    pub relationship_scan: Option<bool>,
}

/// `[contract-scans]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct ContractScans {
    pub endpoint_schema_scan: Option<bool>,
    pub missing_endpoint_scan: Option<bool>,
    pub event_schema_scan: Option<bool>,
    pub shared_model_scan: Option<bool>,
}

/// `[e2e-testing]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EndToEndTesting {
    pub enabled: Option<bool>,
    /// Commands in the place of those that are found.
    pub backend_command: Option<String>,
    pub frontend_command: Option<String>,
    /// Commands that start services, by name; they listen on the port that the variable `PORT` names.
    pub start: BTreeMap<String, String>,
    /// The port of the first service that is started; 0: any that is free.
    pub test_port: u16,
}

/// `[browser-testing]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct BrowserTesting {
    pub enabled: Option<bool>,
    /// Share of the end-to-end commands that must have passed, from 0 to 1.
    pub e2e_pass_rate_gate: f64,
    pub command: Option<String>,
}

impl Default for BrowserTesting {
    fn default() -> Self {
        BrowserTesting { enabled: None, e2e_pass_rate_gate: 0.7, command: None }
    }
}

/// `[tracking-documents]`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct TrackingDocuments {
    pub fix_cycle_log: bool,
    pub milestone_handoff: bool,
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
