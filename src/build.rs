//! Embeds every rule file of `rules/`, so that no list of rules is kept by hand.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or_else(|| io::Error::other(name));
    let (root, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
    println!("cargo::rerun-if-changed=rules");
    let mut files = Vec::new();
    collect(&root.join("rules"), "", &mut files)?;
    files.sort();
    let mut text = String::from("&[\n");
    for file in files {
        writeln!(
            text,
            "    ({file:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))),",
            format!("/rules/{file}")
        )
        .map_err(io::Error::other)?;
    }
    text.push(']');
    fs::write(out.join("rules.in"), text)
}

/// Rule files below `directory`, relative to the folder of all rules, with forward slashes.
fn collect(directory: &Path, prefix: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else if [".toml", ".md"].iter().any(|end| name.ends_with(end)) {
            files.push(path);
        }
    }
    Ok(())
}
