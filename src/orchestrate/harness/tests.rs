//! What is put into a worktree, and taken back.

use super::*;

fn permissions() -> Permissions {
    Permissions { allow: vec!["Edit(./a/**)".to_owned()], deny: vec!["Edit(./a/b)".to_owned()] }
}

#[test]
fn other_keys_and_hooks_of_others_are_kept() {
    let old = r#"{"env": {"X": "1"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}, "permissions": {"ask": ["Bash"], "allow": ["Read"]}}"#;
    let text = merged(Some(old), Path::new("/opt/our tools/treaty"), &permissions()).expect("it is well-formed");
    let new: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(new["env"]["X"], "1");
    assert_eq!(new["hooks"]["Stop"][0]["hooks"][0]["command"], "mine");
    assert_eq!(new["hooks"]["Stop"][1]["hooks"][0]["command"], "'/opt/our tools/treaty' hook stop");
    assert_eq!(new["permissions"]["allow"], json!(["Read", "Edit(./a/**)"]));
    assert_eq!(new["permissions"]["deny"], json!(["Edit(./a/b)"]));
    assert_eq!(new["permissions"]["ask"], json!(["Bash"]));
    let again = merged(Some(&text), Path::new("/opt/our tools/treaty"), &permissions()).expect("it is well-formed");
    assert_eq!(again, text, "the same again changes nothing");
}

#[test]
fn malformed_settings_are_an_error() {
    for old in ["{", "[]", "\"x\"", r#"{"hooks": []}"#, r#"{"hooks": {"Stop": {}}}"#, r#"{"permissions": 1}"#] {
        assert!(merged(Some(old), Path::new("treaty"), &permissions()).is_err(), "{old}");
    }
    for old in [None, Some(""), Some("\u{feff} \n")] {
        assert!(merged(old, Path::new("treaty"), &permissions()).is_ok(), "{old:?}");
    }
}

#[test]
fn a_brief_stands_between_its_marks_and_the_text_around_it_stays() {
    let once = within("# Mine\n", "ours");
    assert_eq!(once, format!("# Mine\n\n{START}\nours\n{END}\n"));
    assert_eq!(within(&format!("{once}after\n"), "new"), format!("# Mine\n\n{START}\nnew\n{END}\nafter\n"));
    assert_eq!(within("", "ours"), format!("{START}\nours\n{END}\n"));
}

#[test]
fn what_was_put_is_taken_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept/settings.local.json");
    fs::create_dir(folder.path().join("kept")).expect("a folder");
    fs::write(&kept, "old").expect("a file");
    let mut harness = Harness::default();
    harness.put(&kept, "new").expect("a file");
    harness.put(&folder.path().join("new/CLAUDE.md"), "brief").expect("a file");
    harness.put(&folder.path().join("new/memory/rules/a.md"), "rules").expect("a file");
    drop(harness);
    assert_eq!(fs::read_to_string(&kept).expect("it is there"), "old");
    assert!(!folder.path().join("new").exists());
}
