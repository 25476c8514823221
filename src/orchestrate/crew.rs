//! Threads of a run, kept for the next errand: starting a thread costs a stack and a heap, and a run has two errands a task.

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

/// Threads that wait for work. They end with the run.
#[derive(Debug, Default)]
pub(super) struct Crew {
    idle: Arc<Mutex<Vec<mpsc::Sender<Work>>>>,
}

/// An errand, and the sender that reaches the thread which runs the errand. Once the errand is done, the sender lies among
/// the idle ones of the crew; when the crew is dropped, the last sender goes, and the thread ends.
struct Work {
    errand: Box<dyn FnOnce() + Send>,
    way: mpsc::Sender<Work>,
}

impl Crew {
    /// Gives an errand to an idle thread, or to a new one where no thread is idle.
    pub(super) fn send(&self, errand: impl FnOnce() + Send + 'static) {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let way = idle.unwrap_or_else(|| self.start());
        let own = way.clone();
        // Sending cannot fail: the thread of an idle sender waits for work.
        let _ = way.send(Work { errand: Box::new(errand), way: own });
    }

    fn start(&self) -> mpsc::Sender<Work> {
        let (sender, receiver) = mpsc::channel::<Work>();
        let idle = Arc::downgrade(&self.idle);
        thread::spawn(move || {
            while let Ok(Work { errand, way }) = receiver.recv() {
                errand();
                let Some(idle) = idle.upgrade() else { return };
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(way);
            }
        });
        sender
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_kept_for_the_next_errand_and_ends_with_the_crew() {
        struct Told(mpsc::Sender<&'static str>);
        impl Drop for Told {
            fn drop(&mut self) {
                let _ = self.0.send("ended");
            }
        }
        thread_local! {
            static HELD: std::cell::RefCell<Option<Told>> = const { std::cell::RefCell::new(None) };
        }
        let crew = Crew::default();
        let (sender, heard) = mpsc::channel();
        let mut threads = Vec::new();
        for _ in 0..3 {
            let (sender, (own, known)) = (sender.clone(), mpsc::channel());
            crew.send(move || {
                HELD.set(Some(Told(sender)));
                let _ = own.send(thread::current().id());
            });
            threads.push(known.recv().expect("it works"));
            while crew.idle.lock().expect("whole").is_empty() {
                thread::yield_now();
            }
        }
        assert!(threads.iter().all(|it| *it == threads[0]), "{threads:?}");
        while heard.try_recv().is_ok() {}
        drop((crew, sender));
        assert_eq!(heard.recv(), Ok("ended"));
    }

    #[test]
    fn work_goes_on_beside_other_work() {
        let crew = Crew::default();
        let (sender, receiver) = mpsc::channel();
        let (first, second) = (mpsc::channel::<()>(), sender.clone());
        crew.send(move || {
            let _ = first.1.recv();
            let _ = sender.send(1);
        });
        crew.send(move || {
            let _ = second.send(2);
        });
        assert_eq!(receiver.recv(), Ok(2));
        drop(first.0);
        assert_eq!(receiver.recv(), Ok(1));
    }
}
