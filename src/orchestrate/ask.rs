//! The phase in which each contracted operation is asked: services are started, a request that the contract allows is sent to
//! each operation, and the answer is held against the contract.

use std::collections::BTreeMap;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::events::{AskedRow, AskedVerdict};
use crate::gates::{Start, start_of};
use crate::plan::{Contract, Plan, Service};
use crate::process::{Cancel, Ended, Limits, command, run, tail};
use crate::registry::{Question, Questions, otherwise, questions};

/// How long a service may take until it listens.
const START: Duration = Duration::from_mins(1);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(30);
const LOOK: Duration = Duration::from_millis(50);
/// Of an answer, as much is read; a longer one is told as such.
const MAX_BODY: u64 = 1 << 20;

/// What asking needs to know.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    /// The checkout of everything that was merged.
    pub root: std::path::PathBuf,
    pub logs: std::path::PathBuf,
    /// The command that installs what a service needs, in its folder.
    pub setup: Option<String>,
    /// Commands by service, where the settings name some.
    pub commands: BTreeMap<String, String>,
    /// The first port; 0: any that is free.
    pub port: u16,
    pub environment: Vec<String>,
}

/// Asks every operation that the services of a plan serve. What could not be asked is there, too, with the reason.
pub(super) fn ask(plan: &Plan, contracts: &[Contract], asking: &Asking, cancel: &Cancel) -> Vec<AskedRow> {
    let mut rows = Vec::new();
    for (at, service) in plan.services.iter().enumerate() {
        let served: Vec<&Contract> = contracts.iter().filter(|it| service.serves.contains(&it.id)).collect();
        if served.is_empty() || cancel.is_wanted() {
            continue;
        }
        let port = asking.port.checked_add(at as u16).filter(|_| asking.port > 0).or_else(free_port).unwrap_or(0);
        match with_service(service, port, asking, cancel, &mut || of_service(&served, port, cancel)) {
            Ok(found) => rows.extend(found),
            Err(reason) => rows.extend(served.iter().flat_map(|it| not_asked(it, &reason))),
        }
    }
    rows
}

/// Starts a service, waits until it listens, does the work, and ends the service.
fn with_service(
    service: &Service,
    port: u16,
    asking: &Asking,
    cancel: &Cancel,
    work: &mut dyn FnMut() -> Vec<AskedRow>,
) -> Result<Vec<AskedRow>, String> {
    let folder = asking.root.join(&service.folder);
    let failed = |error: std::io::Error| format!("{}: {error}", asking.logs.display());
    fs::create_dir_all(&asking.logs).map_err(failed)?;
    let log = |what: &str| asking.logs.join(format!("{}-{what}.log", service.name));
    let shell = |line: &str| {
        let mut it = command("sh", &folder, &asking.environment);
        it.args(["-c", line]).env("PORT", port.to_string()).env("HOST", "127.0.0.1").env("CI", "1");
        it.env("PYTHONDONTWRITEBYTECODE", "1");
        it
    };
    let limits = Limits { time: Duration::from_mins(10), idle: Duration::from_mins(10) };
    let done_first = |what: &str, line: &str| {
        let log = log(what);
        match run(shell(line), &log, limits, cancel).map_err(failed)? {
            Ended::Exited(status) if status.success() => Ok(()),
            _ => Err(format!("`{line}` fails: {}", last_line(&log))),
        }
    };
    if let Some(line) = &asking.setup {
        done_first("setup", line)?;
    }
    // How a service is started may depend on what is installed.
    let Start { build, command: line } = match asking.commands.get(&service.name) {
        Some(line) => Start { build: None, command: line.clone() },
        None => start_of(&folder)?,
    };
    if let Some(line) = &build {
        done_first("build", line)?;
    }
    let (log, done, ready) = (log("service"), Cancel::default(), Cancel::default());
    let (process, their_log, their_done) = (shell(&line), log.clone(), done.clone());
    let has_ended = ready.clone();
    let handle = thread::spawn(move || {
        let ended = run(process, &their_log, limits, &their_done);
        has_ended.now();
        ended
    });
    let begun = Instant::now();
    let listens = loop {
        if TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), LOOK).is_ok() {
            break true;
        }
        if ready.is_wanted() || cancel.is_wanted() || begun.elapsed() > START {
            break false;
        }
        thread::sleep(LOOK);
    };
    let rows =
        if listens { Ok(work()) } else { Err(format!("`{line}` does not listen on port {port}: {}", last_line(&log))) };
    done.now();
    let _ = handle.join();
    rows
}

fn last_line(log: &Path) -> String {
    let said = tail(log, 4096);
    said.lines().rev().map(str::trim).find(|it| !it.is_empty()).unwrap_or("it said nothing").to_owned()
}

fn free_port() -> Option<u16> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|it| it.local_addr()).ok().map(|it| it.port())
}

fn of_service(contracts: &[&Contract], port: u16, cancel: &Cancel) -> Vec<AskedRow> {
    // An answer with an error's status is an answer.
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(ANSWER))
        .http_status_as_error(false)
        .max_redirects(0)
        .build()
        .into();
    let mut rows = Vec::new();
    for contract in contracts {
        let Questions { asked, skipped } = match questions(&contract.document) {
            Ok(found) => found,
            Err(error) => {
                rows.extend(not_asked(contract, &error.to_string()));
                continue;
            }
        };
        for question in asked.iter().take_while(|_| !cancel.is_wanted()) {
            let (verdict, notes) = match send(&agent, question, port) {
                Ok((status, body)) => {
                    let wrong = otherwise(&contract.document, question, status, &body);
                    (if wrong.is_empty() { AskedVerdict::Passed } else { AskedVerdict::Failed }, wrong)
                }
                Err(reason) => (AskedVerdict::Failed, vec![reason]),
            };
            rows.push(AskedRow {
                contract: contract.id.clone(),
                operation: question.operation.clone(),
                verdict,
                notes,
            });
        }
        rows.extend(skipped.into_iter().map(|(operation, reason)| AskedRow {
            contract: contract.id.clone(),
            operation,
            verdict: AskedVerdict::NotAsked,
            notes: vec![reason],
        }));
    }
    rows
}

fn send(agent: &ureq::Agent, question: &Question, port: u16) -> Result<(u16, String), String> {
    let mut request = ureq::http::Request::builder()
        .method(question.method.as_str())
        .uri(format!("http://127.0.0.1:{port}{}", question.url));
    for (name, value) in &question.headers {
        request = request.header(name, value);
    }
    let request = request.body(question.body.clone().unwrap_or_default()).map_err(|error| error.to_string())?;
    // Some methods carry no body by themselves; a contract may want one all the same.
    let request = agent.configure_request(request).allow_non_standard_methods(true).build();
    let mut response = agent.run(request).map_err(|error| format!("no answer: {error}"))?;
    let status = response.status().as_u16();
    let body = response.body_mut().with_config().limit(MAX_BODY).read_to_string();
    Ok((status, body.map_err(|error| format!("the answer with {status} cannot be read: {error}"))?))
}

fn not_asked(contract: &Contract, reason: &str) -> Vec<AskedRow> {
    let operations = crate::plan::operation_names(&contract.document).into_iter();
    let row = |operation| AskedRow {
        contract: contract.id.clone(),
        operation,
        verdict: AskedVerdict::NotAsked,
        notes: vec![reason.to_owned()],
    };
    operations.map(row).collect()
}

/// `CONTRACT_E2E_RESULTS.md`
pub(super) fn results(project: &str, rows: &[AskedRow]) -> String {
    use std::fmt::Write as _;
    let of = |verdict: AskedVerdict| rows.iter().filter(|it| it.verdict == verdict).count();
    let (passed, failed) = (of(AskedVerdict::Passed), of(AskedVerdict::Failed));
    let mut out = format!("# Contracts end to end: {project}\n\n{}\n", said(rows));
    for (verdict, title) in [(AskedVerdict::Failed, "Not as promised"), (AskedVerdict::NotAsked, "Not asked")] {
        let mut of_kind = rows.iter().filter(|it| it.verdict == verdict).peekable();
        if of_kind.peek().is_some() {
            let _ = writeln!(out, "\n## {title}\n");
        }
        for it in of_kind {
            let _ = writeln!(out, "- `{}` ({}): {}", it.operation, it.contract, it.notes.join("; "));
        }
    }
    let _ = writeln!(out, "\n- Validated: {}\n- Passed: {passed}\n- Failed: {failed}", passed + failed);
    out
}

/// `12 operations asked, 11 answered as promised, 1 otherwise; 2 not asked`
pub(super) fn said(rows: &[AskedRow]) -> String {
    let of = |verdict: AskedVerdict| rows.iter().filter(|it| it.verdict == verdict).count();
    let (passed, failed, skipped) = (of(AskedVerdict::Passed), of(AskedVerdict::Failed), of(AskedVerdict::NotAsked));
    let asked = passed + failed;
    format!("{asked} operations asked, {passed} answered as promised, {failed} otherwise; {skipped} not asked")
}
