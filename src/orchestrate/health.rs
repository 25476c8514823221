//! How far requirements and contracts are kept.

use super::state::{Standing, State};
use crate::events::Health;

/// Thresholds of the verdict, as shares of what was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    pub healthy: f64,
    pub degraded: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds { healthy: 0.9, degraded: 0.5 }
    }
}

/// Boxes of requirements, ticked and all, and how often they were reviewed at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Boxes {
    pub checked: usize,
    pub total: usize,
    pub review_cycles: u32,
}

/// The word for a ratio: `healthy` from the first threshold on, `degraded` where it was reviewed and reaches the second, else
/// `failed`; `unknown` where nothing was asked for.
fn word(ratio: Option<f64>, review_cycles: u32, thresholds: Thresholds) -> &'static str {
    match ratio {
        None => "unknown",
        Some(it) if it >= thresholds.healthy => "healthy",
        Some(it) if review_cycles > 0 && it >= thresholds.degraded => "degraded",
        Some(_) => "failed",
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of requirements")]
fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The health of a run: the smaller of the ratio of its boxes and that of its contracts.
pub(super) fn health(
    state: &State,
    boxes: Boxes,
    contracts: (usize, usize),
    errors: usize,
    thresholds: Thresholds,
) -> Health {
    let (verified, promised) = contracts;
    let ratios = [ratio(boxes.checked, boxes.total), ratio(verified, promised)];
    let smaller = ratios.into_iter().flatten().reduce(f64::min);
    let mut verdict = word(smaller, boxes.review_cycles, thresholds);
    let mut notes = Vec::new();
    if boxes.total > 0 && boxes.review_cycles == 0 {
        notes.push("nothing was reviewed".to_owned());
    }
    if errors > 0 {
        notes.push(format!("{errors} errors of the scan are left"));
        if verdict == "healthy" {
            verdict = "degraded";
        }
    }
    let failed = state.tasks.iter().filter(|it| matches!(it.standing, Standing::Failed(_))).count();
    if failed > 0 {
        notes.push(format!("{failed} tasks failed"));
    }
    Health {
        verdict: verdict.to_owned(),
        requirements_checked: boxes.checked,
        requirements_total: boxes.total,
        contracts_verified: verified,
        contracts_total: promised,
        ratio: smaller,
        notes,
        promises: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_depends_on_ratio_and_review() {
        let word = |checked, total, cycles| word(ratio(checked, total), cycles, Thresholds::default());
        assert_eq!(word(0, 0, 3), "unknown");
        assert_eq!(word(9, 10, 0), "healthy");
        assert_eq!(word(8, 10, 1), "degraded");
        assert_eq!(word(8, 10, 0), "failed");
        assert_eq!(word(4, 10, 5), "failed");
    }
}
