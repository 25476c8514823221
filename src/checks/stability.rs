//! How settled something is said to be (`x-stability-level`), and until when it stays (`deprecated` with `x-sunset`).

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

/// `2026-01-31`, or the day of a date and time (RFC 3339).
pub(super) fn day(text: &str) -> Option<&str> {
    let day = text.trim().get(..10)?;
    let rest = text.trim().get(10..)?;
    let digits = |range: std::ops::Range<usize>| day[range].bytes().all(|byte| byte.is_ascii_digit());
    let is_day =
        day.is_ascii() && digits(0..4) && &day[4..5] == "-" && digits(5..7) && &day[7..8] == "-" && digits(8..10);
    (is_day && (rest.is_empty() || rest.starts_with(['T', 't', ' ']))).then_some(day)
}

/// What became worse about the end of something that was and is deprecated, in words.
pub(super) fn sunset(
    (was_deprecated, was): (bool, Option<&str>),
    (is_deprecated, is): (bool, Option<&str>),
) -> Option<(String, String)> {
    if let Some(is) = is.filter(|is| is_deprecated && was != Some(*is) && day(is).is_none()) {
        return Some((was.unwrap_or("no stated day").to_owned(), format!("{is}, which is no day")));
    }
    let was = was.filter(|_| was_deprecated && is_deprecated)?;
    match is {
        None => Some((was.to_owned(), "no stated day".to_owned())),
        Some(is) => match (day(was), day(is)) {
            (Some(before), Some(after)) if after < before => Some((was.to_owned(), is.to_owned())),
            _ => None,
        },
    }
}

/// Whether something that is deprecated from now on goes before a notice of so many days has passed, or on no stated day.
/// What is no day is told apart, by [`sunset`].
pub(super) fn is_short(sunset: Option<&str>, today: Option<&str>, notice: u32) -> bool {
    if notice == 0 {
        return false;
    }
    let Some(sunset) = sunset else { return true };
    match (ordinal(sunset), today.and_then(ordinal)) {
        (Some(sunset), Some(today)) => sunset - today < i64::from(notice),
        _ => false,
    }
}

/// Days of a date since a day of no meaning: <https://howardhinnant.github.io/date_algorithms.html#days_from_civil>.
fn ordinal(date: &str) -> Option<i64> {
    let part = |range: std::ops::Range<usize>| day(date)?.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (part(0..4)?, part(5..7)?, part(8..10)?);
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    Some(365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day)
}

#[cfg(test)]
mod tests {
    use super::is_short;

    #[test]
    fn notice_is_counted_in_days() {
        let today = Some("2024-01-31");
        for (sunset, notice, short) in [
            (None, 0, false),
            (None, 1, true),
            (Some("2024-03-01"), 30, false),
            (Some("2024-03-01"), 31, true),
            (Some("2025-01-31T00:00:00Z"), 366, false),
            (Some("2025-01-31"), 367, true),
            (Some("2023-12-31"), 1, true),
            (Some("soon"), 10, false),
        ] {
            assert_eq!(is_short(sunset, today, notice), short, "{sunset:?} {notice}");
        }
    }
}
