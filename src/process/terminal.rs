//! Commands that only work in a terminal: each gets one of its own, which nobody looks at.

use std::fs::{self, File};
use std::io::{Error, Read, Result, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::{GRACE, LOOK, create, end_group, pid_file, tail};

/// Bytes of a screen that are kept: a screen is drawn anew all the time.
const LONGEST_LOG: u64 = 4 << 20;

const SIZE: PtySize = PtySize { rows: 50, cols: 160, pixel_width: 0, pixel_height: 0 };

/// A command in a terminal of its own. Ended with all that it started when dropped.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    /// Whoever holds it keeps the terminal open.
    _master: Box<dyn MasterPty + Send>,
    pid: PathBuf,
    log: PathBuf,
    has_ended: bool,
}

/// Why there is no terminal to be had; nothing where there is one.
pub fn no_terminal() -> Option<String> {
    native_pty_system().openpty(SIZE).err().map(|error| format!("no terminal can be opened: {error}"))
}

impl Terminal {
    /// Starts a command, with the folder and exactly the variables that it was given. What it draws goes to `log`, the first part
    /// of it; its number is kept beside the log, as [`super::run`] does.
    ///
    /// # Errors
    /// No terminal can be opened, the command not be started, or the files not be made.
    pub fn start(command: &Command, log: &Path) -> Result<Terminal> {
        let mut file = create(log)?;
        let mut builder = CommandBuilder::new(command.get_program());
        builder.args(command.get_args());
        builder.env_clear();
        command.get_envs().filter_map(|(name, value)| Some((name, value?))).for_each(|(name, value)| {
            builder.env(name, value);
        });
        builder.env("TERM", "xterm-256color");
        if let Some(folder) = command.get_current_dir() {
            builder.cwd(folder);
        }
        let pair = native_pty_system().openpty(SIZE).map_err(Error::other)?;
        let mut reader = pair.master.try_clone_reader().map_err(Error::other)?;
        let child = pair.slave.spawn_command(builder).map_err(Error::other)?;
        // The command alone holds its end: the terminal ends with it.
        drop(pair.slave);
        let pid = pid_file(log);
        if let Some(number) = child.process_id() {
            let _ = fs::write(&pid, number.to_string());
        }
        // A screen that nobody reads stops the command.
        thread::spawn(move || copy(&mut *reader, &mut file));
        Ok(Terminal { child, _master: pair.master, pid, log: log.to_owned(), has_ended: false })
    }

    /// The exit code of a command that has ended; nothing while it is at work.
    pub fn ended(&mut self) -> Option<u32> {
        match self.child.try_wait() {
            Ok(Some(status)) => Some(status.exit_code()),
            Ok(None) => None,
            Err(_) => Some(1),
        }
    }

    /// The last words on the screen, without what draws it.
    pub fn last_words(&self) -> String {
        let words = plain(&tail(&self.log, 16 << 10));
        let words: Vec<&str> = words.split_whitespace().collect();
        words[words.len().saturating_sub(LAST_WORDS)..].join(" ")
    }

    /// Ends the command and all that it started: politely, then by force.
    pub fn end(&mut self) {
        if self.has_ended {
            return;
        }
        self.has_ended = true;
        if let Some(pid) = self.child.process_id() {
            end_group(pid, true);
            let asked = Instant::now();
            while asked.elapsed() < GRACE && self.ended().is_none() {
                thread::sleep(LOOK);
            }
            end_group(pid, false);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_file(&self.pid);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.end();
    }
}

/// Words of a screen that are told when something went wrong.
const LAST_WORDS: usize = 40;

fn copy(reader: &mut dyn Read, file: &mut File) {
    let mut piece = [0; 8 << 10];
    let mut left = LONGEST_LOG;
    // The other end is closed when the command has ended: on some systems that is an error.
    while let Ok(size @ 1..) = reader.read(&mut piece) {
        let kept = size.min(usize::try_from(left).unwrap_or(usize::MAX));
        left -= kept as u64;
        let _ = file.write_all(&piece[..kept]);
    }
}

/// Text without the sequences that move the cursor, choose colours and the like (ECMA-48): each is a space.
fn plain(screen: &str) -> String {
    let mut out = String::new();
    let mut rest = screen.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            out.push(if c.is_control() { ' ' } else { c });
            continue;
        }
        out.push(' ');
        match rest.next() {
            // Parameters, up to the letter that ends them.
            Some('[') => while rest.next().is_some_and(|it| !('@'..='~').contains(&it)) {},
            // A text, up to a bell or a sequence that ends it.
            Some(']') => while rest.next().is_some_and(|it| it != '\u{7}' && it != '\u{1b}') {},
            _ => {}
        }
    }
    out
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::command;
    use super::*;

    #[test]
    fn a_command_finds_a_terminal_and_ends_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("screen.log");
        let mut shell = command("sh", folder.path(), &[]);
        shell.args(["-c", "test -t 0 && test -t 1 && echo seen > tty; sleep 600 & echo $! > child; wait"]);
        let mut terminal = Terminal::start(&shell, &log).expect("it starts");
        let begun = Instant::now();
        while !folder.path().join("child").is_file() && begun.elapsed().as_secs() < 10 {
            thread::sleep(LOOK);
        }
        assert!(folder.path().join("tty").is_file(), "{}", terminal.last_words());
        assert!(terminal.ended().is_none() && folder.path().join("screen.pid").is_file());
        terminal.end();
        let child = fs::read_to_string(folder.path().join("child")).expect("the child was started");
        // A process that was killed is gone when the system gets to it.
        let state = || fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
        let lives = || !state().is_empty() && !state().contains(") Z");
        let ended = Instant::now();
        while lives() && ended.elapsed().as_secs() < 10 {
            thread::sleep(LOOK);
        }
        assert!(!lives(), "the child lives on: {}", state());
        assert!(!folder.path().join("screen.pid").exists());
    }

    #[test]
    fn a_screen_is_told_without_what_draws_it() {
        assert_eq!(
            plain("\u{1b}[1;31mno\u{1b}[0m \u{1b}]0;title\u{7}way").split_whitespace().collect::<Vec<_>>(),
            ["no", "way"]
        );
        assert_eq!(plain("\u{1b}["), " ");
    }
}
