//! `treaty scan --watch`: scans again whenever something changes that a scan reads. Files are looked at by their size and time
//! every so often: that works on every file system, and leaves out what a scan leaves out.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::args::ScanArgs;
use super::failure::Failure;
use super::{Outcome, input, scan};
use crate::config::FILE_NAME;
use crate::scan::{Options, State, state};

/// The least time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(300);
/// A save may change several files: until nothing has changed for so long, nothing is scanned.
const CALM: Duration = Duration::from_millis(120);
/// Of the time, no more than a part like this goes into looking.
const SHARE: u32 = 10;

pub(super) fn run(arguments: &ScanArgs) -> Result<Outcome, Failure> {
    #[cfg(feature = "orchestrate")]
    end_on_interrupt()?;
    let mut known = look(arguments);
    loop {
        clear();
        if let Err(failure) = scan::once(arguments) {
            // Settings may be half written: the next change mends them.
            failure.print();
        }
        let mut stderr = std::io::stderr().lock();
        // A closed pipe is no reason to complain.
        let _ = writeln!(stderr, "\nwatching for changes; Ctrl-C ends");
        drop(stderr);
        known = changed(arguments, &known);
    }
}

/// Ctrl-C is how this ends, and no failure.
#[cfg(feature = "orchestrate")]
fn end_on_interrupt() -> Result<(), Failure> {
    let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let registered = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGINT, 0, always);
    let refused = |error| Failure::said(format!("Ctrl-C cannot be waited for: {error}"), "leave `--watch` out");
    registered.map(|_| ()).map_err(refused)
}

/// Waits until something is not as it was, and nothing changes any more; how it is then.
fn changed(arguments: &ScanArgs, known: &State) -> State {
    let mut took = Duration::ZERO;
    loop {
        sleep(PAUSE.max(took * SHARE));
        let started = Instant::now();
        let mut now = look(arguments);
        took = started.elapsed();
        if now == *known {
            continue;
        }
        loop {
            sleep(CALM.max(took));
            let then = look(arguments);
            if then == now {
                return now;
            }
            now = then;
        }
    }
}

/// What a scan would read, and what says how.
fn look(arguments: &ScanArgs) -> State {
    let options = input::options(&arguments.input, false)
        .unwrap_or_else(|_| Options { paths: arguments.input.paths.clone(), ..Options::default() });
    let named = arguments
        .input
        .contracts
        .iter()
        .chain(&arguments.judged.facts)
        .chain(&arguments.baseline)
        .chain(&arguments.judged.against);
    let mut further: Vec<PathBuf> = named.cloned().collect();
    let working = [PathBuf::from(".")];
    let paths = if arguments.input.paths.is_empty() { &working[..] } else { &arguments.input.paths };
    further.extend(paths.iter().map(|path| path.join(FILE_NAME)));
    further.extend(paths.iter().filter_map(|path| crate::config::find(path)));
    further.extend(arguments.input.config.clone());
    further.extend(options.config.rules.iter().map(|rules| options.config.directory.join(rules)));
    state(&options, &further.iter().map(PathBuf::as_path).collect::<Vec<&Path>>())
}

/// On a terminal, every report begins on an empty screen.
fn clear() {
    let mut stdout = std::io::stdout().lock();
    if stdout.is_terminal() {
        // A closed pipe is no reason to complain.
        let _ = stdout.write_all(b"\x1b[2J\x1b[3J\x1b[H").and_then(|()| stdout.flush());
    }
}
