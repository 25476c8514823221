//! Threads that evaluation fits in: it recurses, and its bounds are those of their stack.

use std::cell::Cell;
use std::sync::OnceLock;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::ScanError;
use crate::evaluate::STACK_BYTES;

/// How often one thread is asked for.
const ATTEMPTS: u32 = 10;

thread_local! {
    /// Whether evaluation fits in the stack of this thread.
    static ROOMY: Cell<bool> = const { Cell::new(false) };
}

/// As many threads as the machine allows. They are no global pool, which panics where it could not be started.
///
/// # Errors
/// The machine starts none.
pub(crate) fn start() -> Result<ThreadPool, ScanError> {
    let mut threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut again = 0..ATTEMPTS;
    loop {
        let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES);
        match pool.start_handler(|_| ROOMY.set(true)).build() {
            Ok(pool) => return Ok(pool),
            Err(_) if threads > 1 => threads /= 2,
            // What was started for more than the machine allows ends by and by.
            Err(error) if again.next().is_none() => return Err(ScanError::NoThreads { reason: error.to_string() }),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Runs what evaluates: on the threads of this one where they have the room, else on threads that are started once and
/// kept, for many a process scans often.
///
/// # Errors
/// The machine starts none.
pub(super) fn with_room<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T, ScanError> {
    static KEPT: OnceLock<ThreadPool> = OnceLock::new();
    if ROOMY.get() {
        return Ok(run());
    }
    let pool = if let Some(pool) = KEPT.get() {
        pool
    } else {
        let started = start()?;
        KEPT.get_or_init(|| started)
    };
    Ok(pool.install(run))
}
