//! The time of day in words.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, RFC 3339, UTC, to the millisecond.
pub(super) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    words(since.as_secs(), since.subsec_millis())
}

fn words(seconds: u64, milliseconds: u32) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Civil date of a day (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms"): years begin in March, eras have 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn days_are_counted_as_people_do() {
        assert_eq!(words(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(words(951_782_399, 7), "2000-02-28T23:59:59.007Z");
        assert_eq!(words(951_782_400, 0), "2000-02-29T00:00:00.000Z");
        assert_eq!(words(4_107_542_400, 0), "2100-03-01T00:00:00.000Z");
    }
}
