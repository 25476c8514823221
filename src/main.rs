//! The program: hand the arguments over, turn the outcome into an exit code.

use std::process::ExitCode;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(treaty::cli::run(std::env::args_os()) as u8)
}
