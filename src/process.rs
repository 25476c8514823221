//! Commands of others: started in a group of their own, with limits, their output in a file, ended as a whole.

mod terminal;

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub use terminal::{Terminal, no_terminal};

/// Said by the runner when the work is to end.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn now(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Waits, not beyond the end of the work. Says whether the work is to go on.
    pub fn pause(&self, wait: Duration) -> bool {
        let end = Instant::now() + wait;
        while Instant::now() < end && !self.is_wanted() {
            thread::sleep(LOOK.min(end.saturating_duration_since(Instant::now())));
        }
        !self.is_wanted()
    }

    /// The flag itself, for a handler of signals.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

/// How long a command may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// All in all.
    pub time: Duration,
    /// Without a byte of output.
    pub idle: Duration,
}

/// How a command ended.
#[derive(Debug)]
pub enum Ended {
    Exited(ExitStatus),
    TimedOut,
    /// It said nothing for too long.
    Idle,
    Cancelled,
    /// Whoever listened to it had heard enough.
    Enough,
}

/// Listens to what a command says, in pieces as they come. Says whether the command is to go on.
pub type Listener<'l> = &'l mut dyn FnMut(&[u8]) -> bool;

/// How often a running command is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How long a command that was asked to end may take, before it is ended.
const GRACE: Duration = Duration::from_secs(3);

/// Variables that every command gets, where they are set. Whatever else is there may be a secret.
const KEPT: [&str; 16] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "TMP",
    "TEMP",
    "USER",
    "SHELL",
    "VIRTUAL_ENV",
    "NODE_PATH",
    "NVM_DIR",
    "DOTNET_ROOT",
    "SYSTEMROOT",
    "PATHEXT",
];

/// A command with a filtered environment: what is usual, and what is named.
pub fn command(program: &str, folder: &Path, passed: &[String]) -> Command {
    let mut command = found(program);
    command.current_dir(folder).env_clear();
    let kept = KEPT.iter().copied().chain(passed.iter().map(String::as_str));
    kept.filter_map(|name| Some((name, std::env::var_os(name)?))).for_each(|(name, value)| {
        command.env(name, value);
    });
    command.stdin(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// A program by its place, where it is one of `PATH`: then the system starts it without a copy of this process, which the
/// standard library makes where it is to look in the `PATH` of another environment.
#[cfg(unix)]
fn found(program: &str) -> Command {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;

    let path = std::env::var_os("PATH").filter(|_| !program.contains('/')).unwrap_or_default();
    let is_program = |it: &PathBuf| {
        it.is_absolute() && fs::metadata(it).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    let Some(place) = std::env::split_paths(&path).map(|it| it.join(program)).find(is_program) else {
        return Command::new(program);
    };
    let mut command = Command::new(place);
    command.arg0(program);
    command
}

#[cfg(not(unix))]
fn found(program: &str) -> Command {
    Command::new(program)
}

/// Runs a command to its end. What it says goes to `log`, and `pid` names it while it runs, so that somebody who comes later
/// can end what was left behind.
///
/// # Errors
/// The command could not be started, or the files not be made.
pub fn run(mut command: Command, log: &Path, limits: Limits, cancel: &Cancel) -> std::io::Result<Ended> {
    let file = create(log)?;
    command.stdout(file.try_clone()?).stderr(file);
    start(command, log, limits, cancel, &mut |_| true)
}

/// The same, with somebody who listens to the standard output as it grows, to its end. Standard error goes to a file of its own.
///
/// # Errors
/// The command could not be started, or the files not be made.
pub fn run_heard(
    mut command: Command,
    log: &Path,
    errors: &Path,
    limits: Limits,
    cancel: &Cancel,
    listener: Listener<'_>,
) -> std::io::Result<Ended> {
    command.stdout(create(log)?).stderr(create(errors)?);
    start(command, log, limits, cancel, listener)
}

fn create(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create(path)
}

fn start(
    mut command: Command,
    log: &Path,
    limits: Limits,
    cancel: &Cancel,
    listener: Listener<'_>,
) -> std::io::Result<Ended> {
    let mut said = File::open(log)?;
    let mut child = command.spawn()?;
    let pid = pid_file(log);
    let _ = fs::write(&pid, child.id().to_string());
    let ended = watch(&mut child, &mut said, limits, cancel, listener);
    let _ = fs::remove_file(pid);
    ended
}

fn pid_file(log: &Path) -> PathBuf {
    log.with_extension("pid")
}

fn watch(
    child: &mut Child,
    said: &mut File,
    limits: Limits,
    cancel: &Cancel,
    listener: Listener<'_>,
) -> std::io::Result<Ended> {
    let started = Instant::now();
    let mut heard = Instant::now();
    loop {
        let ended = child.try_wait()?;
        let mut enough = false;
        if hear(said, listener, &mut enough)? > 0 {
            heard = Instant::now();
        }
        if let Some(status) = ended {
            // Whatever the command left behind ends with it.
            end_group(child.id(), false);
            return Ok(if enough { Ended::Enough } else { Ended::Exited(status) });
        }
        let reason = if cancel.is_wanted() {
            Some(Ended::Cancelled)
        } else if enough {
            Some(Ended::Enough)
        } else if started.elapsed() > limits.time {
            Some(Ended::TimedOut)
        } else if heard.elapsed() > limits.idle {
            Some(Ended::Idle)
        } else {
            None
        };
        if let Some(reason) = reason {
            end(child);
            hear(said, listener, &mut enough)?;
            return Ok(reason);
        }
        thread::sleep(LOOK);
    }
}

/// Hands on what was said since the last look: how many bytes.
fn hear(said: &mut File, listener: Listener<'_>, enough: &mut bool) -> std::io::Result<usize> {
    let mut piece = [0; 8 << 10];
    let mut all = 0;
    loop {
        let size = said.read(&mut piece)?;
        if size == 0 {
            return Ok(all);
        }
        all += size;
        *enough |= !listener(&piece[..size]);
    }
}

/// Ends a command and all that it started: politely, then by force.
pub fn end(child: &mut Child) {
    end_group(child.id(), true);
    let asked = Instant::now();
    while asked.elapsed() < GRACE {
        if matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
            break;
        }
        thread::sleep(LOOK);
    }
    end_group(child.id(), false);
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(unix)]
fn end_group(pid: u32, politely: bool) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = if politely { Signal::TERM } else { Signal::KILL };
    if let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, signal);
    }
}

#[cfg(not(unix))]
fn end_group(_pid: u32, _politely: bool) {}

/// Ends what an earlier run left behind: the command whose output this file is. A number that belongs to another program by
/// now is left alone: the leader of its group would have to be that number, too.
pub fn end_left_behind(log: &Path) {
    let file = pid_file(log);
    let Some(pid) = fs::read_to_string(&file).ok().and_then(|it| it.trim().parse::<u32>().ok()) else { return };
    if started_before(pid, &file) {
        end_group(pid, false);
    }
    let _ = fs::remove_file(file);
}

/// Whether the process of this number is the one that the file was written for, and not a later one.
fn started_before(pid: u32, file: &Path) -> bool {
    let written = fs::metadata(file).and_then(|it| it.modified());
    let started = fs::metadata(format!("/proc/{pid}")).and_then(|it| it.modified());
    match (written, started) {
        (Ok(written), Ok(started)) => started <= written + Duration::from_secs(2),
        _ => false,
    }
}

/// A word for a shell, whatever is in it.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The end of a file, at most so many bytes, as text.
pub fn tail(path: &Path, bytes: u64) -> String {
    let read = || -> std::io::Result<String> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(bytes)))?;
        let mut text = Vec::new();
        file.take(bytes).read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    read().unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn limits(milliseconds: u64) -> Limits {
        Limits { time: Duration::from_millis(milliseconds), idle: Duration::from_mins(1) }
    }

    fn shell(script: &str, folder: &Path) -> Command {
        let mut command = command("sh", folder, &[]);
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_command_is_ended_with_all_that_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        let command = shell("sleep 600 & echo $! > child; wait", folder.path());
        let ended = run(command, &log, limits(300), &Cancel::default()).expect("it starts");
        assert!(matches!(ended, Ended::TimedOut));
        let child = fs::read_to_string(folder.path().join("child")).expect("the child was started");
        let state = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z"), "the child lives on: {state}");
    }

    #[test]
    fn a_path_with_a_quote_stays_one_word() {
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word("/usr/bin/treaty"), "/usr/bin/treaty");
        assert_eq!(shell_word(""), "''");
    }

    #[test]
    fn secrets_do_not_reach_a_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        run(shell("env", folder.path()), &log, limits(5000), &Cancel::default()).expect("it starts");
        let said = tail(&log, 10_000);
        assert!(said.contains("PATH="));
        assert!(!said.contains("CARGO_"), "{said}");
    }

    #[test]
    fn a_command_is_listened_to_until_somebody_has_heard_enough() {
        let folder = tempfile::tempdir().expect("a folder");
        let (log, errors) = (folder.path().join("log"), folder.path().join("errors"));
        let mut heard = Vec::new();
        // The error comes first: the command is ended as soon as the listener has heard one piece.
        let command = shell("echo two >&2; echo one; sleep 600", folder.path());
        let ended = run_heard(command, &log, &errors, limits(60_000), &Cancel::default(), &mut |piece| {
            heard.extend_from_slice(piece);
            false
        });
        assert!(matches!(ended, Ok(Ended::Enough)));
        assert_eq!((heard.as_slice(), tail(&errors, 100).as_str()), (b"one\n".as_slice(), "two\n"));
    }

    #[test]
    fn silence_and_cancelling_end_a_command() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        let idle = Limits { time: Duration::from_mins(1), idle: Duration::from_millis(200) };
        let ended = run(shell("sleep 600", folder.path()), &log, idle, &Cancel::default()).expect("it starts");
        assert!(matches!(ended, Ended::Idle));
        let cancel = Cancel::default();
        cancel.now();
        let ended = run(shell("sleep 600", folder.path()), &log, limits(60_000), &cancel).expect("it starts");
        assert!(matches!(ended, Ended::Cancelled));
    }
}
