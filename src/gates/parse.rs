//! What the output of a gate says: which errors, and how many.

/// Beginnings of lines that tell one failure, of the common tools.
const FAILURES: [&str; 10] = ["FAILED ", "ERROR ", "not ok ", "✕ ", "✖ ", "× ", "● ", "--- FAIL:", "FAIL ", "E   "];

/// Errors that a failed command told, and how many there are by its own count.
pub(super) fn errors(gate: &str, said: &str) -> (Vec<String>, usize) {
    let lines = || said.lines().map(str::trim).filter(|it| !it.is_empty());
    let is_failure = |line: &&str| {
        FAILURES.iter().any(|it| line.starts_with(it))
            || line.contains(": error ")
            || line.contains("error TS")
            || line.contains(": error:")
    };
    let mut found: Vec<String> = lines().filter(is_failure).map(str::to_owned).collect();
    found.dedup();
    if found.is_empty() && gate == "lint" {
        // `file:line:column: text`
        let is_place = |line: &&str| line.splitn(4, ':').skip(1).take(2).all(|it| it.parse::<u32>().is_ok());
        found = lines().filter(is_place).map(str::to_owned).collect();
    }
    let count = counted(said).unwrap_or(found.len());
    if found.is_empty() {
        // The end of what was said is where most tools tell what is wrong.
        let all: Vec<&str> = lines().collect();
        found = all[all.len().saturating_sub(10)..].iter().map(|it| (*it).to_owned()).collect();
    }
    (found, count)
}

/// `3 failed`, `Found 2 errors`, `# fail 4`: the last number that a tool gave.
fn counted(said: &str) -> Option<usize> {
    let mut last = None;
    for line in said.lines() {
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || ",:()=".contains(c)).filter(|it| !it.is_empty()).collect();
        for pair in words.windows(2) {
            let number = match pair {
                [number, "failed" | "errors" | "error" | "failing" | "problems"] => number.parse::<usize>().ok(),
                ["fail", number] => number.parse::<usize>().ok(),
                _ => None,
            };
            last = number.or(last);
        }
    }
    last
}

/// Lines that warn.
pub(super) fn warnings(said: &str) -> Vec<String> {
    let warns = |line: &&str| line.to_lowercase().contains("warning");
    said.lines().map(str::trim).filter(warns).take(super::MAX_ERRORS).map(str::to_owned).collect()
}

/// Whether a security tool found something critical.
pub(super) fn has_critical(said: &str) -> bool {
    said.lines().any(|line| {
        let line = line.to_lowercase();
        line.contains("critical") && !line.contains("0 critical") && !line.contains("critical: 0")
    })
}
