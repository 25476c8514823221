//! A progress bar on standard error, for runs that take longer than a second.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::scan::Progress;

const PATIENCE: Duration = Duration::from_secs(1);

/// Shows nothing until the run has lasted a second.
pub(super) struct Bar {
    started: Instant,
    wanted: bool,
    shown: Mutex<Option<ProgressBar>>,
}

impl Bar {
    pub(super) fn new(quiet: bool) -> Self {
        let wanted = !quiet && std::io::stderr().is_terminal();
        Bar { started: Instant::now(), wanted, shown: Mutex::new(None) }
    }

    /// Takes the bar away again.
    pub(super) fn finish(&self) {
        if let Ok(mut shown) = self.shown.lock()
            && let Some(bar) = shown.take()
        {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn tick(&self, stage: &'static str, done: usize, total: usize) {
        if !self.wanted || self.started.elapsed() < PATIENCE {
            return;
        }
        // Another thread is drawing: this tick is not missed.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        let bar = shown.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}");
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        bar.set_message(stage);
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    }
}
