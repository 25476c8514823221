//! The program: hand the arguments over, turn the outcome into an exit code.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(treaty::cli::run(std::env::args_os()) as u8)
}
