//! `required-version`: which versions of treaty settings are meant for.

use semver::{Prerelease, Version, VersionReq};
use serde::Deserialize;

use super::raw::Placed;
use super::{ConfigError, Reader};

/// The one key that is read first: a version that is not the required one may not know the others.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Required {
    required_version: Option<Placed<String>>,
}

/// Whether settings may be read by this version. Text that cannot be read at all is nothing to be told here.
///
/// # Errors
/// A requirement (as Cargo's, <https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html>) that is none, or that is
/// not met.
pub(super) fn check(reader: &Reader<'_>, version: &str) -> Result<(), ConfigError> {
    let Ok(Required { required_version: Some(required) }) = toml::from_str(reader.text) else { return Ok(()) };
    let text = required.get_ref();
    let range = VersionReq::parse(text).map_err(|error| {
        let message = format!("`required-version` cannot be `{text}`: {error}");
        reader.error(&required, message, Some("write a version or a range: `0.3`, `=0.3.1`, `>=0.1, <0.3`"))
    })?;
    if Version::parse(version).is_ok_and(|it| is_met(&range, &it)) {
        return Ok(());
    }
    let message = format!("this is treaty {version}, and the settings require `{text}`");
    Err(reader.error(&required, message, Some("install a version that fits, or change `required-version`")))
}

/// What is on its way to a version counts as that version.
fn is_met(range: &VersionReq, version: &Version) -> bool {
    range.matches(version) || range.matches(&Version { pre: Prerelease::EMPTY, ..version.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(required: &str, version: &str) -> Result<(), ConfigError> {
        let text = format!("required-version = {required}\nwhat-comes-later = 1\n");
        check(&Reader { path: "treaty.toml", text: &text, directory: None }, version)
    }

    #[test]
    fn versions_are_held_against_ranges() {
        for (required, version) in [
            ("\">=0.1, <0.3\"", "0.2.7"),
            ("\"0.2\"", "0.2.7"),
            ("\"=0.2.7\"", "0.2.7"),
            ("\">=0.2\"", "0.3.0-rc.1"),
            ("\"*\"", "0.2.7"),
            // Told by whoever reads the rest.
            ("3", "0.2.7"),
        ] {
            assert!(checked(required, version).is_ok(), "{required} {version}");
        }
        for (required, version) in [("\">=0.1,<0.3\"", "0.3.0"), ("\"0.2\"", "0.3.0"), ("\"=0.2.7\"", "0.2.8")] {
            let error = checked(required, version).expect_err("another version is required");
            assert!(error.message.contains(version) && error.message.contains(required.trim_matches('"')), "{error}");
            assert!(error.range().is_some() && error.help.is_some());
        }
    }

    #[test]
    fn what_is_no_version_is_refused() {
        for wrong in ["\"\"", "\"latest\"", "\"==0.1\"", "\">=0.1 <0.3\"", "\"1.2.3.4\""] {
            let error = checked(wrong, "0.1.0").expect_err(wrong);
            assert!(error.message.starts_with("`required-version` cannot be"), "{error}");
        }
    }
}
