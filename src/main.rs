//! The program: hand the arguments over, turn the outcome into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(treaty::cli::run(std::env::args_os()) as u8)
}
