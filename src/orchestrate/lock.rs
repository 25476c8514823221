//! One run at a time in a directory.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::SystemTime;

use super::OrchestrateError;

/// Held while a run works. The system gives it back when the process ends, however that ends.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock of a directory. Says who held it and was ended before it was given back.
    ///
    /// # Errors
    /// Another process holds it: its number, the run and its age are named.
    pub(super) fn take(folder: &Path, run: &str) -> Result<(Lock, Option<String>), OrchestrateError> {
        let path = folder.join("run.lock");
        let failed = |error: &std::io::Error| OrchestrateError::file(&path, error);
        fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(|error| failed(&error))?;
        let mut owner = String::new();
        let _ = file.read_to_string(&mut owner);
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!("a run is at work here already: {}{}", owner.trim(), age(&path));
                let help = "`treaty orchestrate status` shows it, `treaty orchestrate cancel` ends it";
                return Err(OrchestrateError::refused(message, help));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&error)),
        }
        let stale = Some(owner.trim().to_owned()).filter(|it| !it.is_empty());
        let mut written = || -> std::io::Result<()> {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            write!(file, "run {run}, process {}", std::process::id())
        };
        written().map_err(|error| failed(&error))?;
        Ok((Lock { file }, stale))
    }

    /// Whether somebody works here.
    pub(super) fn is_held(folder: &Path) -> bool {
        let file = File::open(folder.join("run.lock"));
        file.is_ok_and(|it| matches!(it.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.file.set_len(0);
    }
}

fn age(path: &Path) -> String {
    let since =
        fs::metadata(path).and_then(|it| it.modified()).ok().and_then(|it| SystemTime::now().duration_since(it).ok());
    since.map_or_else(String::new, |it| format!(", since {} s", it.as_secs()))
}
