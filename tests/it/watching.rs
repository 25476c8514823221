//! `treaty scan --watch`: it scans, waits, scans again when something changes, and ends when it is ended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::{APP, PING, folder, write};

/// Longer than anything takes on the slowest machine; nothing is measured by it.
const GUARD: Duration = Duration::from_mins(4);

/// A program that watches, ended with the test.
struct Watching {
    child: Child,
    captured: tempfile::TempDir,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watching {
    fn start(folder: &Path) -> Self {
        let captured = tempfile::tempdir().expect("a folder");
        let file = |name: &str| fs::File::create(captured.path().join(name)).expect("a file for the output");
        let child = Command::new(env!("CARGO_BIN_EXE_treaty"))
            .args(["scan", "--watch", "--format", "concise"])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(file("out"))
            .stderr(file("err"))
            .spawn()
            .expect("the program starts");
        Watching { child, captured }
    }

    fn said(&self, name: &str) -> String {
        fs::read_to_string(self.captured.path().join(name)).unwrap_or_default()
    }

    /// Waits until something is so; what it gives.
    fn wait<T>(&mut self, what: &str, look: impl Fn(&Self) -> Option<T>) -> T {
        let started = Instant::now();
        loop {
            if let Some(seen) = look(self) {
                return seen;
            }
            let status = self.child.try_wait().expect("the program can be asked");
            assert!(status.is_none(), "it ended by itself: {status:?}: {}{}", self.said("out"), self.said("err"));
            assert!(started.elapsed() < GUARD, "{what}: {}{}", self.said("out"), self.said("err"));
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The report with this number, counted from 1; the last line of each counts what is in it. Settings that cannot be read make
    /// none.
    fn report(&mut self, number: usize) -> String {
        self.wait(&format!("no report {number}"), |it| {
            let mut reports = vec![String::new()];
            for line in it.said("out").lines() {
                let last = reports.last_mut().expect("one is there");
                last.push_str(line);
                last.push('\n');
                if line.ends_with(" files") {
                    reports.push(String::new());
                }
            }
            // Behind a whole one stands the next, which may be empty.
            (reports.len() > number).then(|| reports.swap_remove(number - 1))
        })
    }
}

fn project() -> (tempfile::TempDir, PathBuf) {
    let folder = folder([("app.py", APP.as_bytes()), ("openapi.yaml", PING.as_bytes())]);
    let path = folder.path().to_path_buf();
    (folder, path)
}

#[test]
fn a_change_is_seen_and_the_end_is_clean() {
    let (_folder, path) = project();
    let mut watching = Watching::start(&path);
    let first = watching.report(1);
    assert!(first.contains("clean: no findings"), "{first}");
    write(&path, "app.py", APP.replace("-> str", "-> int"));
    let second = watching.report(2);
    assert!(second.contains("app.py:") && second.contains("CONTRACT-001") && second.contains("1 error"), "{second}");
    // Settings count, too, and half a file of them ends nothing.
    write(&path, "treaty.toml", "ignore = [");
    watching.wait("settings that cannot be read are told", |it| it.said("err").contains("treaty.toml:1").then_some(()));
    write(&path, "treaty.toml", "ignore = [\"CONTRACT-001\"]\n");
    let third = watching.report(3);
    assert!(third.contains("clean: no findings"), "{third}");
    fs::remove_file(path.join("treaty.toml")).expect("it can be removed");
    let fourth = watching.report(4);
    assert!(fourth.contains("1 error"), "{fourth}");
    assert!(watching.said("err").matches("watching for changes").count() >= 4, "{}", watching.said("err"));
    #[cfg(all(unix, feature = "orchestrate"))]
    {
        let asked = Command::new("kill").args(["-INT", &watching.child.id().to_string()]).status();
        assert!(asked.expect("`kill` starts").success());
        let started = Instant::now();
        let status = loop {
            if let Some(status) = watching.child.try_wait().expect("the program can be asked") {
                break status;
            }
            assert!(started.elapsed() < GUARD, "Ctrl-C does not end it");
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(status.code(), Some(0), "Ctrl-C is how it ends, and no failure");
    }
}
