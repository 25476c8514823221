//! How long a server wants somebody to wait, in each of the ways in which servers say that.

use std::time::{Duration, SystemTime};

use serde_json::Value;

/// Seconds, rounded up; a day at most, since nobody waits longer.
pub(super) fn whole(seconds: f64) -> Option<u64> {
    (seconds.is_finite() && seconds >= 0.0).then(|| seconds.ceil().min(86_400.0) as u64)
}

/// Seconds of a `retry-after` header: a number, or a date (RFC 9110, 10.2.3).
pub(super) fn waiting_time(text: &str, now: SystemTime) -> Option<u64> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return whole(seconds);
    }
    let then = Duration::from_secs(date(text)?);
    let now = now.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    whole(then.saturating_sub(now).as_secs_f64())
}

/// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`.
fn date(text: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, day, month, year, time, "GMT"] = words.as_slice() else { return None };
    let number = |text: &str| text.parse::<u64>().ok().filter(|it| *it < 10_000);
    let month = (MONTHS.find(month).filter(|it| it % 3 == 0 && month.len() == 3)? / 3 + 1) as u64;
    let (day, year) = (number(day)?, number(year).filter(|it| *it >= 1970)?);
    let mut clock = time.split(':').map(number);
    let (hours, minutes, seconds) = (clock.next()??, clock.next()??, clock.next()??);
    // Days from civil: years begin in March, so that the day that leap years add is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day.checked_sub(1)?;
    Some(days.checked_sub(719_468)? * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

/// Seconds that the body of a refusal names: a member, or `try again in 1m20.5s` in its text.
pub(super) fn time_in(body: &Value, said: &str) -> Option<u64> {
    let error = &body["error"];
    let member = [&error["retry_after"], &body["retry_after"]].into_iter().find_map(Value::as_f64);
    if let Some(seconds) = member {
        return whole(seconds);
    }
    let lower = said.to_lowercase();
    let (_, rest) = ["again in ", "retry in ", "retry after "].iter().find_map(|it| lower.split_once(it))?;
    let mut seconds = None;
    let mut rest = rest;
    loop {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let Ok(number) = rest[..end].parse::<f64>() else { break };
        rest = rest[end..].trim_start();
        let unit: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
        let factor = match unit.as_str() {
            "ms" | "milliseconds" => 0.001,
            "s" | "sec" | "second" | "seconds" => 1.0,
            "m" | "min" | "minute" | "minutes" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            _ => break,
        };
        seconds = Some(seconds.unwrap_or(0.0) + number * factor);
        rest = &rest[unit.len()..];
    }
    whole(seconds?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_times_are_read_in_each_form() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_770);
        assert_eq!(waiting_time("17", now), Some(17));
        assert_eq!(waiting_time("0.2", now), Some(1));
        assert_eq!(waiting_time("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(7));
        assert_eq!(waiting_time("Thu, 01 Jan 1970 00:00:00 GMT", now), Some(0));
        for text in ["", "soon", "-3", "NaN", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 ov 1994 08:49 GMT"] {
            assert_eq!(waiting_time(text, now), None, "{text}");
        }
        let said = |text: &str| time_in(&Value::Null, text);
        assert_eq!(said("Rate limit reached. Please try again in 1m20.5s."), Some(81));
        assert_eq!(said("Please retry in 34 seconds"), Some(34));
        assert_eq!(said("Please try again in 250ms"), Some(1));
        assert_eq!(said("try again in a while"), None);
        assert_eq!(time_in(&serde_json::json!({"error": {"retry_after": 3.2}}), ""), Some(4));
    }
}
