//! `x-stability-level`: how settled an operation or a member is said to be.

const LEVELS: [&str; 4] = ["draft", "alpha", "beta", "stable"];

/// Whether something is less settled than it was, or states a level that there is not. Nothing stated is no level.
pub(super) fn stability_decreased(before: Option<&str>, after: Option<&str>) -> bool {
    let rank = |level: &str| LEVELS.iter().position(|known| *known == level);
    let unknown = |level: Option<&str>| level.is_some_and(|level| rank(level).is_none());
    if unknown(before) || unknown(after) {
        return true;
    }
    matches!((before.and_then(rank), after.and_then(rank)), (Some(before), Some(after)) if after < before)
}

/// Whether nobody was promised that it stays.
pub(super) fn is_unsettled(level: Option<&str>) -> bool {
    matches!(level, Some("draft" | "alpha"))
}
