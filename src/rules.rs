//! Rules: data that configure a check, name the defect and carry the wording.

/// All rules of a run.
#[derive(Debug, Default)]
pub struct RuleSet {}
