//! `treaty.toml`: found, read with positions, validated into a checked type. Reading it has no effect beyond its values.

mod find;
mod nearest;
mod raw;
mod version;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use miette::{Diagnostic, NamedSource, SourceSpan};
use toml::Spanned;

pub use find::{find, plain_path, repository};
pub use nearest::nearest;

use raw::{Placed, RawConfig, RawOverride, RawService};

use crate::finding::{Depth, Severity};

/// Name of the configuration file.
pub const FILE_NAME: &str = "treaty.toml";
/// Name of its JSON schema, which `treaty init` writes beside it.
pub const SCHEMA_NAME: &str = "treaty.schema.json";

/// A larger file is not a configuration.
pub const MAX_BYTES: u64 = 1 << 20;

/// Methods that an operation can have.
const METHODS: [&str; 9] = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "QUERY"];

/// The checked configuration.
#[derive(Clone, Debug, Default)]
pub struct Config {
    pub services: Vec<ServiceConfig>,
    /// Further directories that a `$ref` may lead into (a central contracts folder), as shown to the user; relative
    /// to `directory` where they are relative.
    pub contract_roots: Vec<String>,
    /// Directory of the configuration file, which its paths are relative to: `.` for the working directory, empty where
    /// there is no file.
    pub directory: PathBuf,
    /// The earlier version that the contract is held against, relative to `directory`, below it.
    pub against: Option<String>,
    /// Days that must lie between a deprecation in a contract and the end of what is deprecated; 0 where none must.
    pub notice: u32,
    /// Whether null is held against contracts; where nothing is said, against those that state it anywhere.
    pub check_null: Option<bool>,
    /// Codes or families to run, whatever their tier; what the depth runs where empty.
    pub select: Vec<String>,
    /// Codes or families to run besides.
    pub extend_select: Vec<String>,
    /// How thoroughly is looked.
    pub depth: Option<Depth>,
    /// Codes or families not to run, those of severity `off` included.
    pub ignore: Vec<String>,
    pub fail_on: Option<FailOn>,
    /// Globs of paths not to scan, in the syntax of `.gitignore`, relative to `directory`.
    pub exclude: Vec<String>,
    /// Scan what is skipped by its name or because git leaves it out, too.
    pub no_skip: bool,
    /// Directory of the user's own rules, relative to `directory`, below it.
    pub rules: Option<String>,
    /// Severities that replace the rules' own, by code; sorted by code.
    pub severities: Vec<(String, Severity)>,
    /// What holds for a part of the files; later ones decide.
    pub overrides: Vec<Override>,
}

/// `[[override]]`, or the settings of a folder below those in force: what holds for some files.
#[derive(Clone, Debug, Default)]
pub struct Override {
    /// Globs of these files, in the syntax of `.gitignore`, relative to the directory of the settings; all below it, if empty.
    pub paths: Vec<String>,
    /// As those of [`Config`].
    pub select: Vec<String>,
    pub extend_select: Vec<String>,
    pub ignore: Vec<String>,
    pub depth: Option<Depth>,
    pub severities: Vec<(String, Severity)>,
}

/// `[[service]]`
#[derive(Clone, Debug, Default)]
pub struct ServiceConfig {
    pub name: String,
    /// Directory of the service, relative to the configuration file's directory, forward slashes, no `..` out of it.
    pub root: String,
    /// Contract files, relative likewise.
    pub contracts: Vec<String>,
    /// A prefix that callers use and the code does not know (a gateway): `/api/v2`.
    pub base_path: Option<String>,
    /// Operations that are planned or served elsewhere: `GET /metrics`, `* /admin/{x}`, trailing `*` in a path matches any rest.
    pub ignore_operations: Vec<String>,
    /// Addresses at which clients ask it: `https://api.example.com/v1`.
    pub urls: Vec<String>,
}

/// From which severity on findings fail a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    Error,
    Warning,
    Never,
}

impl Config {
    /// Whether no configuration file is in force.
    pub fn is_default(&self) -> bool {
        self.directory.as_os_str().is_empty()
    }
}

impl FailOn {
    /// Whether a finding of this severity fails the run.
    pub fn is_reached(self, severity: Severity) -> bool {
        match self {
            FailOn::Error => severity >= Severity::Error,
            FailOn::Warning => severity >= Severity::Warning,
            FailOn::Never => false,
        }
    }
}

/// A configuration that cannot be used, with the place.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{path}: {message}")]
pub struct ConfigError {
    pub path: String,
    pub message: String,
    #[help]
    pub help: Option<String>,
    #[source_code]
    source_text: Arc<NamedSource<String>>,
    #[label("here")]
    span: Option<SourceSpan>,
}

impl ConfigError {
    /// Byte range of the guilty text.
    pub fn range(&self) -> Option<std::ops::Range<usize>> {
        self.span.map(|span| span.offset()..span.offset() + span.len())
    }
}

/// Reads the text of a configuration file. `path` is the file's own path, as shown to the user.
///
/// # Errors
/// Text that is not TOML, an unknown key, a value that is not allowed, a path that leads out of the file's directory, another
/// version of treaty than the one that is required.
pub fn parse(path: &str, text: &str) -> Result<Config, ConfigError> {
    read(path, text, None)
}

/// The same, where what the settings name is looked for in `directory`.
fn read(path: &str, text: &str, directory: Option<&Path>) -> Result<Config, ConfigError> {
    let reader = Reader { path, text, directory };
    version::check(&reader, env!("CARGO_PKG_VERSION"))?;
    let raw: RawConfig = toml::from_str(text).map_err(|error| reader.syntax(&error))?;
    let mut config = Config {
        directory: Path::new(path)
            .parent()
            .filter(|it| !it.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_owned(),
        contract_roots: plain(&raw.contract_roots),
        select: plain(&raw.select),
        extend_select: plain(&raw.extend_select),
        ignore: plain(&raw.ignore),
        ..Config::default()
    };
    for root in &raw.contract_roots {
        reader.is_there(root)?;
    }
    reader.codes(raw.select.iter().chain(&raw.extend_select).chain(&raw.ignore))?;
    config.fail_on = raw.fail_on.as_ref().map(|value| reader.fail_on(value)).transpose()?;
    config.depth = raw.depth.as_ref().map(|value| reader.depth(value)).transpose()?;
    config.against = raw.against.as_ref().map(|value| reader.inside(value)).transpose()?;
    config.notice = raw.deprecation_notice.unwrap_or(0);
    config.no_skip = raw.no_skip;
    config.check_null = raw.check_null;
    config.rules = raw.rules.as_ref().map(|value| reader.inside(value)).transpose()?;
    for glob in &raw.exclude {
        reader.glob(glob)?;
        config.exclude.push(glob.get_ref().clone());
    }
    config.severities = reader.severities(&raw.severity, &mut config.ignore)?;
    config.overrides = raw.overrides.iter().map(|part| reader.part(part)).collect::<Result<_, _>>()?;
    for service in &raw.service {
        let checked = reader.service(service)?;
        if config.services.iter().any(|known| known.name == checked.name) {
            let message = format!("two services are named `{}`", checked.name);
            return Err(reader.error(&service.name, message, Some("give each service its own name")));
        }
        config.services.push(checked);
    }
    Ok(config)
}

/// Keys of the settings of a folder that hold where a scan begins above it, too.
const OF_FOLDERS: [&str; 3] = ["required-version", "ignore", "severity"];

/// Reads settings of a folder below those in force. What they say of rules holds for the files in it; the keys that hold only where a
/// scan begins in the folder are given besides, as written.
///
/// # Errors
/// What [`parse`] returns.
pub fn parse_part(path: &str, text: &str) -> Result<(Override, Vec<String>), ConfigError> {
    let Config { ignore, severities, .. } = parse(path, text)?;
    let keys: toml::Table = toml::from_str(text).unwrap_or_default();
    let rest = keys.keys().filter(|key| !OF_FOLDERS.contains(&key.as_str())).cloned().collect();
    Ok((Override { ignore, severities, ..Override::default() }, rest))
}

/// Reads a configuration file.
///
/// # Errors
/// A file that cannot be read, or what [`parse`] returns.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let shown = path.to_string_lossy().replace('\\', "/");
    let unreadable = |reason: String| ConfigError {
        path: shown.clone(),
        message: format!("cannot read the configuration: {reason}"),
        help: None,
        source_text: Arc::new(NamedSource::new(&shown, String::new())),
        span: None,
    };
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if !metadata.is_file() {
        return Err(unreadable("it is not a file".to_owned()));
    }
    if metadata.len() > MAX_BYTES {
        return Err(unreadable(format!("it has {} bytes, which no configuration needs", metadata.len())));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    let directory = path.parent().unwrap_or(Path::new(""));
    read(&shown, text.strip_prefix('\u{feff}').unwrap_or(&text), Some(directory))
}

fn plain(values: &[Placed<String>]) -> Vec<String> {
    values.iter().map(|value| value.get_ref().clone()).collect()
}

/// The JSON schema of what is read here; tables of a run are objects of which nothing is said.
#[cfg(all(test, feature = "orchestrate"))]
pub(crate) fn schema() -> schemars::Schema {
    // Whole in itself: it is one schema to whoever reads it.
    let settings = schemars::generate::SchemaSettings::draft07().with(|it| it.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<RawConfig>()
}

/// What every error needs.
struct Reader<'t> {
    path: &'t str,
    text: &'t str,
    /// Where directories that the settings name must be.
    directory: Option<&'t Path>,
}

impl Reader<'_> {
    fn at(&self, span: Option<std::ops::Range<usize>>, message: String, help: Option<&str>) -> ConfigError {
        ConfigError {
            path: self.path.to_owned(),
            message,
            help: help.map(str::to_owned),
            source_text: Arc::new(NamedSource::new(self.path, self.text.to_owned())),
            span: span.map(SourceSpan::from),
        }
    }

    fn error(&self, value: &Spanned<String>, message: String, help: Option<&str>) -> ConfigError {
        self.at(Some(value.span()), message, help)
    }

    /// TOML and type errors. serde's text for an unknown key names the key, then what is expected, all in backticks.
    fn syntax(&self, error: &toml::de::Error) -> ConfigError {
        let message = error.message().trim();
        if let Some(listed) = message.strip_prefix("unknown field ") {
            let names: Vec<&str> = listed.split('`').skip(1).step_by(2).collect();
            if let Some((unknown, expected)) = names.split_first() {
                let help = match nearest(unknown, expected.iter().copied()) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => format!("known keys here: {}", expected.join(", ")),
                };
                return self.at(error.span(), format!("unknown key `{unknown}`"), Some(&help));
            }
        }
        self.at(error.span(), message.replace('\n', ", ").replace("field", "key"), None)
    }

    fn fail_on(&self, value: &Spanned<String>) -> Result<FailOn, ConfigError> {
        match value.get_ref().as_str() {
            "error" => Ok(FailOn::Error),
            "warning" => Ok(FailOn::Warning),
            "never" => Ok(FailOn::Never),
            other => {
                let message = format!("`fail-on` cannot be `{other}`");
                Err(self.error(value, message, Some("use `error`, `warning` or `never`")))
            }
        }
    }

    fn depth(&self, value: &Spanned<String>) -> Result<Depth, ConfigError> {
        Depth::ALL.into_iter().find(|depth| depth.name() == value.get_ref()).ok_or_else(|| {
            let message = format!("`depth` cannot be `{}`", value.get_ref());
            self.error(value, message, Some("use `quick`, `standard`, `thorough` or `exhaustive`"))
        })
    }

    fn severity(&self, value: &Spanned<String>) -> Result<Option<Severity>, ConfigError> {
        match value.get_ref().as_str() {
            "error" => Ok(Some(Severity::Error)),
            "warning" => Ok(Some(Severity::Warning)),
            "info" => Ok(Some(Severity::Info)),
            "off" => Ok(None),
            other => {
                let message = format!("a severity cannot be `{other}`");
                Err(self.error(value, message, Some("use `error`, `warning`, `info` or `off`")))
            }
        }
    }

    /// Severities by code; a rule that is off is added to those that do not run.
    fn severities(
        &self,
        raw: &BTreeMap<String, Placed<String>>,
        ignore: &mut Vec<String>,
    ) -> Result<Vec<(String, Severity)>, ConfigError> {
        let mut severities = Vec::new();
        for (code, value) in raw {
            match self.severity(value)? {
                Some(severity) => severities.push((code.clone(), severity)),
                None => ignore.push(code.clone()),
            }
        }
        Ok(severities)
    }

    fn codes<'v>(&self, mut codes: impl Iterator<Item = &'v Placed<String>>) -> Result<(), ConfigError> {
        match codes.find(|code| code.get_ref().trim().is_empty()) {
            Some(code) => {
                let help = "`treaty rules list` shows the codes";
                Err(self.error(code, "an empty rule code".to_owned(), Some(help)))
            }
            None => Ok(()),
        }
    }

    fn part(&self, raw: &RawOverride) -> Result<Override, ConfigError> {
        self.codes(raw.select.iter().chain(&raw.extend_select).chain(&raw.ignore))?;
        raw.paths.get_ref().iter().try_for_each(|glob| self.glob(glob))?;
        if raw.paths.get_ref().is_empty() {
            let message = "an override that holds for no path".to_owned();
            return Err(self.at(
                Some(raw.paths.span()),
                message,
                Some("name some: `paths = [\"services/legacy/**\"]`"),
            ));
        }
        let mut ignore = plain(&raw.ignore);
        let severities = self.severities(&raw.severity, &mut ignore)?;
        Ok(Override {
            paths: plain(raw.paths.get_ref()),
            select: plain(&raw.select),
            extend_select: plain(&raw.extend_select),
            ignore,
            depth: raw.depth.as_ref().map(|value| self.depth(value)).transpose()?,
            severities,
        })
    }

    fn glob(&self, value: &Spanned<String>) -> Result<(), ConfigError> {
        let added = ignore::gitignore::GitignoreBuilder::new("").add_line(None, value.get_ref()).map(|_| ());
        added.map_err(|error| {
            let message = format!("`{}` is not a glob: {error}", value.get_ref());
            self.error(value, message, Some("paths are patterns as in .gitignore, such as `legacy/**`"))
        })
    }

    fn service(&self, raw: &RawService) -> Result<ServiceConfig, ConfigError> {
        if raw.name.get_ref().trim().is_empty() {
            return Err(self.error(&raw.name, "a service without a name".to_owned(), Some("name it as people do")));
        }
        raw.root.as_ref().map(|root| self.inside(root).and_then(|_| self.is_there(root))).transpose()?;
        let base_path = raw.base_path.as_ref().map(|value| self.base_path(value)).transpose()?;
        for operation in &raw.ignore_operations {
            self.operation(operation)?;
        }
        if let Some(url) = raw.urls.iter().find(|url| !url.get_ref().contains("://")) {
            let message = format!("`{}` is no address", url.get_ref());
            return Err(self.error(url, message, Some("write it whole: `https://api.example.com/v1`")));
        }
        Ok(ServiceConfig {
            name: raw.name.get_ref().clone(),
            root: raw.root.as_ref().map_or_else(|| Ok(".".to_owned()), |root| self.inside(root))?,
            contracts: raw.contracts.iter().map(|path| self.inside(path)).collect::<Result<_, _>>()?,
            base_path,
            ignore_operations: plain(&raw.ignore_operations),
            urls: plain(&raw.urls),
        })
    }

    /// A directory that settings name must be there: a misspelt one would leave out what it names without a word.
    fn is_there(&self, value: &Spanned<String>) -> Result<(), ConfigError> {
        let is_there = self.directory.is_none_or(|directory| directory.join(value.get_ref()).is_dir());
        if is_there {
            return Ok(());
        }
        let message = format!("there is no directory `{}`", value.get_ref());
        Err(self.error(value, message, Some("write it as seen from the directory of the settings")))
    }

    /// A path that stays inside the file's directory, without `.` and `..`, forward slashes; `.` for the directory.
    fn inside(&self, value: &Spanned<String>) -> Result<String, ConfigError> {
        let text = value.get_ref().replace('\\', "/");
        let help = Some(
            "paths are relative to the configuration file and stay below it; only `contract-roots` may lead elsewhere",
        );
        let absolute = text.starts_with('/') || text.as_bytes().get(1) == Some(&b':');
        if text.is_empty() || absolute {
            let what = if absolute { "is absolute" } else { "is empty" };
            return Err(self.error(value, format!("the path `{}` {what}", value.get_ref()), help));
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        let message =
                            format!("the path `{}` leads out of the configuration's directory", value.get_ref());
                        return Err(self.error(value, message, help));
                    }
                }
                name => parts.push(name),
            }
        }
        Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
    }

    fn base_path(&self, value: &Spanned<String>) -> Result<String, ConfigError> {
        let text = value.get_ref().trim_end_matches('/');
        if text.is_empty() || text.starts_with('/') {
            Ok(text.to_owned())
        } else {
            let message = format!("the base path `{text}` does not start with a slash");
            Err(self.error(value, message, Some("write the path only, such as `/api/v2`, without scheme and host")))
        }
    }

    fn operation(&self, value: &Spanned<String>) -> Result<(), ConfigError> {
        let known = value.get_ref().split_once(' ').is_some_and(|(method, path)| {
            (method == "*" || METHODS.contains(&method)) && path.trim_start().starts_with('/')
        });
        if known {
            Ok(())
        } else {
            let message = format!("`{}` is not an operation", value.get_ref());
            Err(self.error(value, message, Some("write a method and a path: `GET /metrics`, `* /admin/*`")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(text: &str) -> (String, String, String) {
        let error = parse("conf/treaty.toml", text).expect_err("the configuration is wrong");
        let guilty = error.range().map_or(String::new(), |range| text[range].to_owned());
        (error.message, error.help.unwrap_or_default(), guilty)
    }

    #[test]
    fn everything_is_read() {
        let config = parse(
            "conf/treaty.toml",
            r#"
select = ["CONTRACT"]
ignore = ["CONTRACT-004"]
fail-on = "warning"
exclude = ["legacy/**", "*_pb2.py"]
contract-roots = ["../contracts"]
rules = "treaty-rules"
check-null = false

[severity]
CONTRACT-005 = "off"
CONTRACT-002 = "warning"

[[service]]
name = "books"
root = "./services//books/"
contracts = ["contracts/a/../books.yaml"]
base-path = "/api/v2/"
ignore-operations = ["GET /metrics", "* /admin/*"]

[[service]]
name = "whole"
"#,
        )
        .expect("the configuration is right");
        assert_eq!(config.directory, Path::new("conf"));
        assert_eq!(config.select, ["CONTRACT"]);
        assert_eq!(config.ignore, ["CONTRACT-004", "CONTRACT-005"]);
        assert_eq!(config.fail_on, Some(FailOn::Warning));
        assert_eq!(config.exclude, ["legacy/**", "*_pb2.py"]);
        assert_eq!(config.contract_roots, ["../contracts"]);
        assert_eq!(config.rules.as_deref(), Some("treaty-rules"));
        assert_eq!(config.check_null, Some(false));
        assert_eq!(config.severities, [("CONTRACT-002".to_owned(), Severity::Warning)]);
        let books = &config.services[0];
        assert_eq!(
            (books.root.as_str(), books.contracts.as_slice()),
            ("services/books", &["contracts/books.yaml".to_owned()][..])
        );
        assert_eq!(books.base_path.as_deref(), Some("/api/v2"));
        assert_eq!(config.services[1].root, ".");
        assert!(parse("treaty.toml", "").expect("empty is right").services.is_empty());
    }

    #[test]
    fn an_unknown_key_is_named_with_its_place_and_the_nearest_one() {
        let (message, help, guilty) = failure("selct = [\"A\"]\n");
        assert_eq!(
            (message.as_str(), help.as_str(), guilty.as_str()),
            ("unknown key `selct`", "did you mean `select`?", "selct")
        );
        let (message, help, guilty) = failure("[[service]]\nname = \"a\"\nbasepath = \"/x\"\n");
        assert_eq!(
            (message.as_str(), help.as_str(), guilty.as_str()),
            ("unknown key `basepath`", "did you mean `base-path`?", "basepath")
        );
        let (_, help, _) = failure("[something-else]\n");
        assert!(help.starts_with("known keys here: required-version, service, "), "{help}");
    }

    #[test]
    fn wrong_values_are_shown_where_they_stand() {
        for (text, message, guilty) in [
            ("fail-on = \"info\"", "`fail-on` cannot be `info`", "\"info\""),
            ("[severity]\nX-001 = \"loud\"", "a severity cannot be `loud`", "\"loud\""),
            ("exclude = [\"a{b\"]", "is not a glob", "\"a{b\""),
            ("select = [\"\"]", "an empty rule code", "\"\""),
            ("[[service]]\nname = \"a\"\nroot = \"../b\"", "leads out of the configuration's directory", "\"../b\""),
            ("[[service]]\nname = \"a\"\nroot = \"x/../../b\"", "leads out", "\"x/../../b\""),
            ("[[service]]\nname = \"a\"\nroot = \"/etc\"", "is absolute", "\"/etc\""),
            ("[[service]]\nname = \"a\"\ncontracts = [\"C:\\\\x\"]", "is absolute", "\"C:\\\\x\""),
            ("[[service]]\nname = \"a\"\nbase-path = \"api\"", "does not start with a slash", "\"api\""),
            (
                "[[service]]\nname = \"a\"\nignore-operations = [\"/metrics\"]",
                "`/metrics` is not an operation",
                "\"/metrics\"",
            ),
            ("[[service]]\nname = \"a\"\n[[service]]\nname = \"a\"", "two services are named `a`", "\"a\""),
            ("select = 3", "invalid type", "3"),
            ("select = [", "", ""),
            ("[[service]]\nroot = \"a\"", "missing key `name`", ""),
        ] {
            let failed = failure(text);
            assert!(failed.0.contains(message), "{text}: {failed:?}");
            assert!(failed.2.contains(guilty), "{text}: {failed:?}");
        }
    }

    #[test]
    fn a_configuration_is_found_up_to_the_root_of_its_repository() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let deep = folder.path().join("repo/services/books");
        std::fs::create_dir_all(&deep).expect("folders");
        std::fs::write(folder.path().join(FILE_NAME), "").expect("a file above");
        assert_eq!(find(&deep), None, "what lies above without a repository does not count");
        std::fs::create_dir(folder.path().join("repo/.git")).expect("a repository");
        assert_eq!(find(&deep), None, "what lies above the repository does not count");
        std::fs::write(folder.path().join("repo/treaty.toml"), "").expect("a file");
        assert_eq!(find(&deep), Some(folder.path().join("repo/treaty.toml")));
        std::fs::write(deep.join(FILE_NAME), "").expect("a nearer file");
        assert_eq!(find(&deep), Some(deep.join(FILE_NAME)));
    }

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("fail_on", ["fail-on", "select"]), Some("fail-on"));
        assert_eq!(nearest("zebra", ["fail-on", "select"]), None);
        assert_eq!(nearest(&"x".repeat(10_000), ["select"]), None);
    }
}
