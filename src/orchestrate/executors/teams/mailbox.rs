//! What a team's client keeps in files, as measured of Claude Code 2.1.197 and 2.1.330: `teams/session-…/config.json` with the
//! members, `teams/session-…/inboxes/NAME.json` with messages, `tasks/session-…/N.json` with the tasks. Tasks that lie there before
//! the client starts are its own, and a message wakes an agent that waits.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::clock;

/// A task of a team.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TeamTask {
    pub(super) id: String,
    pub(super) subject: String,
    pub(super) description: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) owner: String,
    /// `pending`, `in_progress`, `completed`
    pub(super) status: String,
    pub(super) blocks: Vec<String>,
    pub(super) blocked_by: Vec<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub(super) metadata: Map<String, Value>,
}

/// The files of one team.
#[derive(Clone, Debug)]
pub(super) struct Mailbox {
    team: PathBuf,
    tasks: PathBuf,
}

/// Who our messages come from.
const LEAD: &str = "team-lead";
/// How long somebody else may hold an inbox.
const PATIENCE: Duration = Duration::from_secs(2);

impl Mailbox {
    /// Of the session with this id (a UUID), in the client's folder.
    pub(super) fn new(folder: &Path, session: &str) -> Mailbox {
        let name = format!("session-{}", session.chars().take(8).collect::<String>());
        Mailbox { team: folder.join("teams").join(&name), tasks: folder.join("tasks").join(&name) }
    }

    /// Names of the agents that have been made, without the lead; none while there is no team.
    pub(super) fn members(&self) -> Vec<String> {
        let config = read(&self.team.join("config.json"));
        let members = config["members"].as_array().into_iter().flatten();
        members.filter_map(|it| it["name"].as_str()).filter(|it| *it != LEAD).map(str::to_owned).collect()
    }

    /// Writes a task as a whole.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn put(&self, task: &TeamTask) -> io::Result<()> {
        fs::create_dir_all(&self.tasks)?;
        let text = serde_json::to_string_pretty(task).unwrap_or_default();
        write(&self.tasks.join(format!("{}.json", task.id)), &text)
    }

    /// A task as it is now; none where it is not there or just being written.
    pub(super) fn task(&self, id: &str) -> Option<TeamTask> {
        let text = fs::read_to_string(self.tasks.join(format!("{id}.json"))).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Puts a message into an agent's inbox. Says whether there is such an agent and the message lies there.
    pub(super) fn send(&self, to: &str, text: &str) -> bool {
        if !self.members().iter().any(|it| it == to) {
            return false;
        }
        let path = self.team.join("inboxes").join(format!("{to}.json"));
        let message = json!({"from": LEAD, "text": text, "timestamp": clock::now(), "type": "message", "read": false});
        let lock = self.team.join("inboxes").join(format!("{to}.json.lock"));
        let add = || -> io::Result<()> {
            fs::create_dir_all(self.team.join("inboxes"))?;
            let held = hold(&lock);
            let mut all = match read(&path) {
                Value::Array(all) => all,
                _ => Vec::new(),
            };
            all.push(message);
            let written = write(&path, &Value::Array(all).to_string());
            if held {
                let _ = fs::remove_dir(&lock);
            }
            written
        };
        add().is_ok()
    }

    /// Asks every agent to end.
    pub(super) fn ask_to_end(&self) {
        for name in self.members() {
            let request = json!({
                "type": "shutdown_request",
                "requestId": format!("shutdown-{}@{name}", uuid::Uuid::new_v4().simple()),
                "from": LEAD,
                "reason": "the work is done",
                "timestamp": clock::now(),
            });
            self.send(&name, &request.to_string());
        }
    }

    /// Takes the files away: the client leaves its tasks behind.
    pub(super) fn remove(&self) {
        let _ = fs::remove_dir_all(&self.tasks);
        let _ = fs::remove_dir_all(&self.team);
    }
}

fn read(path: &Path) -> Value {
    fs::read_to_string(path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension(format!("json.tmp.{}", std::process::id()));
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
}

/// Takes a lock as the client does: a folder that only one can make. Whoever holds it for too long has died.
fn hold(lock: &Path) -> bool {
    let begun = Instant::now();
    loop {
        match fs::create_dir(lock) {
            Ok(()) => return true,
            Err(_) if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(20)),
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reaches_an_agent_that_is_there_and_nobody_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let mailbox = Mailbox::new(folder.path(), "0123abcd-0000-4000-8000-000000000000");
        assert!(!mailbox.send("one", "hello"), "there is no team");
        let team = folder.path().join("teams/session-0123abcd");
        fs::create_dir_all(team.join("inboxes")).expect("a folder");
        fs::write(team.join("config.json"), r#"{"members": [{"name": "team-lead"}, {"name": "one"}]}"#)
            .expect("a file");
        fs::write(team.join("inboxes/one.json"), r#"[{"from": "other", "text": "first"}]"#).expect("a file");
        assert_eq!(mailbox.members(), ["one"]);
        assert!(mailbox.send("one", "hello") && !mailbox.send("two", "hello"));
        let inbox = read(&team.join("inboxes/one.json"));
        assert_eq!(
            (&inbox[0]["text"], &inbox[1]["text"], &inbox[1]["read"]),
            (&"first".into(), &"hello".into(), &false.into())
        );
        assert!(!team.join("inboxes/one.json.lock").exists());
    }

    #[test]
    fn what_a_client_writes_to_a_task_is_read_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let mailbox = Mailbox::new(folder.path(), "0123abcd-0000-4000-8000-000000000000");
        let task = TeamTask { id: "1".into(), subject: "s".into(), status: "pending".into(), ..TeamTask::default() };
        mailbox.put(&task).expect("written");
        assert_eq!(mailbox.task("1"), Some(task));
        let text = r#"{"id": "1", "subject": "s", "status": "completed", "owner": "o", "blocks": ["2"], "blockedBy": [], "metadata": {"passed": true}, "activeForm": "x"}"#;
        fs::write(folder.path().join("tasks/session-0123abcd/1.json"), text).expect("a file");
        let read = mailbox.task("1").expect("there");
        assert_eq!((read.status.as_str(), read.blocks.len(), &read.metadata["passed"]), ("completed", 1, &true.into()));
    }
}
