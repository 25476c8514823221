//! Why a run could not be done, and how that is said.

use std::io::IsTerminal;
use std::sync::Arc;

use miette::{Diagnostic, NamedSource, SourceSpan};

use super::{colours, output};
use crate::config::ConfigError;
use crate::report::{Style, terminal};
use crate::rules::RuleError;
use crate::scan::{BaselineError, ScanError};

/// The run could not be done: exit code 2.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub(super) enum Failure {
    #[error("{message}")]
    Said {
        message: String,
        #[help]
        help: Option<String>,
    },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Config(#[from] Box<ConfigError>),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Rules(#[from] Box<RuleError>),
    #[cfg(feature = "orchestrate")]
    #[error(transparent)]
    #[diagnostic(transparent)]
    Plan(#[from] Box<crate::plan::PlanError>),
    #[cfg(feature = "orchestrate")]
    #[error(transparent)]
    #[diagnostic(transparent)]
    Settings(#[from] Box<crate::settings::SettingsError>),
    #[error("{error}")]
    #[diagnostic(help("name a file that `treaty baseline write` wrote, or write one to another file"))]
    Baseline {
        error: Box<BaselineError>,
        #[source_code]
        source_code: Arc<NamedSource<String>>,
        #[label("here")]
        at: SourceSpan,
    },
    #[error("{0}")]
    #[diagnostic(help("check the path, or name another one; `treaty scan --help` has examples"))]
    Scan(ScanError),
    #[error("cannot write {place}: {reason}")]
    Output { place: String, reason: std::io::Error },
}

impl From<ScanError> for Failure {
    fn from(error: ScanError) -> Self {
        match error {
            ScanError::NoThreads { .. } => Failure::Said {
                message: error.to_string(),
                help: Some(
                    "one is needed, with a stack of 512 MB: `ulimit -u` and `ulimit -v` say what is allowed".into(),
                ),
            },
            ScanError::Settings(error) => Failure::Config(error),
            // What git says, and what to do about it.
            ScanError::BadChanges { .. } => Failure::Said { message: error.to_string(), help: None },
            error => Failure::Scan(error),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Failure::Config(Box::new(error))
    }
}

impl From<RuleError> for Failure {
    fn from(error: RuleError) -> Self {
        Failure::Rules(Box::new(error))
    }
}

impl Failure {
    pub(super) fn said(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure::Said { message: message.into(), help: Some(help.into()) }
    }

    /// A file that is no baseline, with the place that shows it.
    pub(super) fn baseline(error: BaselineError, text: String) -> Self {
        let at = SourceSpan::from(error.at.0..error.at.1);
        let source_code = Arc::new(NamedSource::new(&error.path, text));
        Failure::Baseline { error: Box::new(error), source_code, at }
    }

    /// To standard error.
    pub(super) fn print(&self) {
        let stderr = std::io::stderr();
        let on_terminal = stderr.is_terminal();
        let style = Style {
            colour: colours::are_shown(on_terminal),
            width: (!on_terminal).then_some(output::PLAIN_WIDTH),
            quiet: false,
            full: true,
        };
        // There is nobody left to tell when standard error is gone.
        let _ = terminal::write_error(self, style, &mut stderr.lock());
    }
}
