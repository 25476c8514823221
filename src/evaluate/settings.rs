//! Settings that a program reads and whose values are not in its code: what is not known of them has a name.

use rustc_hash::FxHashMap;

use super::Evaluator;
use super::value::{Str, Value};
use crate::text::Span;

/// Why the value of a setting is not known.
const SETTING: &str = "setting of the environment";
/// Why what is made of one is not.
const MADE_OF_SETTING: &str = "made of a setting of the environment";

impl<'p> Value<'p> {
    /// A setting whose name is not kept.
    pub(crate) fn nameless_setting(site: Option<Span>) -> Value<'p> {
        Value::Unknown(SETTING, site)
    }

    /// What is made of a value that something outside of the program sets; else what is not known for another reason.
    pub(crate) fn made_of(values: &[&Value<'p>], otherwise: &'static str, site: Span) -> Value<'p> {
        let why = if values.iter().any(|value| value.is_set_outside()) { MADE_OF_SETTING } else { otherwise };
        Value::Unknown(why, Some(site))
    }

    /// Whether it is there in other runs only.
    pub fn is_absent(&self) -> bool {
        super::decisions::is_absent(self)
    }

    /// Whether it is a setting.
    pub(crate) fn is_setting(&self) -> bool {
        matches!(self, Value::Unknown(why, _) if *why == SETTING)
    }

    /// Whether it is not known because something outside of the program sets it.
    pub(crate) fn is_set_outside(&self) -> bool {
        matches!(self, Value::Unknown(why, _) if *why == SETTING || *why == MADE_OF_SETTING)
    }
}

impl<'p> Evaluator<'p> {
    /// The value of a setting, which is not known; its name is remembered by the place where it is read.
    pub fn setting(&mut self, name: &str, site: Span) -> Value<'p> {
        self.settings.insert(site, Str::from(name));
        Value::nameless_setting(Some(site))
    }

    /// The name of the setting that a value is.
    pub fn setting_of(&self, value: &Value) -> Option<&str> {
        match value {
            Value::Unknown(_, Some(place)) => self.settings.get(place).map(|name| &**name),
            _ => None,
        }
    }

    /// The value of a setting that a file reads, where it lies beside the code.
    pub fn setting_value(&self, name: &str, site: Span) -> Option<&'p str> {
        let module = self.module_of_file(site.file)?;
        self.setting_values?.value(name, &self.program[module.0 as usize].path)
    }

    /// What a key of an object is that holds settings: `process.env.TOPIC`, `os.environ["TOPIC"]`,
    /// `configuration["Topic"]`.
    pub(super) fn setting_in(&mut self, object: &Value<'p>, key: &str, site: Span) -> Option<Value<'p>> {
        let name = self.libraries.iter().find_map(|library| (library.setting)(object, key))?;
        Some(self.setting(&name, site))
    }
}

/// Values of settings that lie beside the code, by the directory that they are for.
#[derive(Debug, Default)]
pub struct SettingValues {
    known: FxHashMap<String, FxHashMap<String, Given>>,
}

#[derive(Debug)]
struct Given {
    /// `None` where several say different things.
    value: Option<String>,
    /// The file that holds what the others change says it.
    is_base: bool,
}

impl SettingValues {
    /// One more value. What the file says that holds for all counts; else those agree that say it.
    pub fn add(&mut self, directory: &str, name: &str, value: &str, is_base: bool) {
        let known = self.known.entry(directory.to_owned()).or_default();
        let given = || Given { value: Some(value.to_owned()), is_base };
        let before = known.entry(key(name)).or_insert_with(given);
        match (before.is_base, is_base) {
            (false, true) => *before = given(),
            (true, false) => {}
            _ if before.value.as_deref() == Some(value) => {}
            _ => before.value = None,
        }
    }

    /// The value that a file reads: of the nearest directory around the file that says any.
    pub fn value(&self, name: &str, path: &str) -> Option<&str> {
        let key = key(name);
        let mut directory = path;
        while !directory.is_empty() {
            directory = directory.rsplit_once('/').map_or("", |(outer, _)| outer);
            if let Some(given) = self.known.get(directory).and_then(|known| known.get(&key)) {
                return given.value.as_deref();
            }
        }
        None
    }
}

/// `Kafka__Topic` and `Kafka:Topic` are one, however they are cased.
fn key(name: &str) -> String {
    name.replace("__", ":").to_lowercase()
}
