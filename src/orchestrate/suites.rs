//! Tests made of the contracts, for whoever builds a service: they ask it while it runs, or look at messages that were recorded.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::OrchestrateError;
use super::exports;
use super::runner::Run;
use crate::events::Depth;
use crate::plan::{Contract, Service};
use crate::registry::{Registry, TestFramework};

/// In the folder of documents.
const FOLDER: &str = "contract-tests";
/// Words of a stack whose tests are written in its own language; any other service is asked from Python.
const OF_JEST: [&str; 3] = ["typescript", "javascript", "node"];

impl Run {
    /// Writes the tests of contracts that have just been registered by `ids`, in the same order; what is to be said of them.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn write_tests(
        &self,
        registry: &mut Registry,
        ids: &[String],
        contracts: &[&Contract],
        services: &[Service],
    ) -> Result<String, OrchestrateError> {
        let by_depth = self.state.started.depth >= Depth::Thorough;
        if !self.settings.engines.contract_engine.test_generation.unwrap_or(by_depth) {
            return Ok(String::new());
        }
        let folder = self.place.exports().join(FOLDER);
        let (mut written, mut note) = (0, String::new());
        for (id, contract) in ids.iter().zip(contracts) {
            let stack =
                services.iter().find(|it| it.name == contract.service).map(|it| it.stack.join(" ").to_lowercase());
            let is_of_jest = stack.is_some_and(|it| OF_JEST.iter().any(|word| it.contains(word)));
            let framework = if is_of_jest { TestFramework::Jest } else { TestFramework::Pytest };
            match registry.generate_tests(id, framework, true) {
                Ok(source) => {
                    std::fs::create_dir_all(&folder).map_err(|error| OrchestrateError::file(&folder, &error))?;
                    exports::write_whole(&folder.join(name(&contract.id, framework)), &source)?;
                    written += 1;
                }
                Err(why) => {
                    let _ = write!(note, "; no tests of {}: {why}", contract.id);
                }
            }
        }
        Ok(format!("; tests of {written} contracts in {FOLDER}{note}"))
    }
}

/// The file with the tests of a contract.
fn name(contract: &str, framework: TestFramework) -> String {
    match framework {
        TestFramework::Pytest => format!("test_{}.py", contract.replace('-', "_")),
        TestFramework::Jest => format!("{contract}.test.js"),
    }
}

/// The tests of a contract, where some were written.
pub(super) fn of(exports: &Path, contract: &str) -> Option<PathBuf> {
    let names = TestFramework::ALL.into_iter().map(|it| exports.join(FOLDER).join(name(contract, it)));
    names.into_iter().find(|it| it.is_file())
}
