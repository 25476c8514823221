//! Where output goes: standard output or a file. A reader that closes the pipe early (`| head`) is not an error.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::Path;

use super::colours;
use super::failure::Failure;
use crate::report::Style;

/// Columns of text that does not go to a terminal.
pub(super) const PLAIN_WIDTH: usize = 100;

/// Standard output or a file.
pub(super) enum Output<'o> {
    Standard(BufWriter<StdoutLock<'o>>),
    File(BufWriter<File>),
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::File(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::File(out) => out.flush(),
        }
    }
}

/// Lets `write` write to the file, or to standard output where there is none.
pub(super) fn deliver(
    file: Option<&Path>,
    write: impl FnOnce(&mut Output<'_>) -> io::Result<()>,
) -> Result<(), Failure> {
    let place = || file.map_or_else(|| "to standard output".to_owned(), |file| file.display().to_string());
    let failed = |reason| Failure::Output { place: place(), reason };
    let mut output = match file {
        Some(file) => Output::File(BufWriter::new(File::create(file).map_err(failed)?)),
        None => Output::Standard(BufWriter::new(io::stdout().lock())),
    };
    match write(&mut output).and_then(|()| output.flush()) {
        Err(error) if file.is_none() && error.kind() == ErrorKind::BrokenPipe => {
            // What is still buffered would be tried again on the way out.
            std::mem::forget(output);
            Ok(())
        }
        result => result.map_err(failed),
    }
}

/// How text looks there. A file has colours only where the command line says so.
pub(super) fn style(file: Option<&Path>, (quiet, full): (bool, bool)) -> Style {
    let on_terminal = file.is_none() && io::stdout().is_terminal();
    let colour = if file.is_some() { colours::are_always() } else { colours::are_shown(on_terminal) };
    Style { colour, width: (!on_terminal).then_some(PLAIN_WIDTH), quiet, full }
}
