//! Settings that a program reads and whose values are not in its code: what is not known of them has a name.

use super::Evaluator;
use super::value::{Str, Value};
use crate::text::Span;

impl<'p> Evaluator<'p> {
    /// The value of a setting, which is not known; its name is remembered by the place where it is read.
    pub fn setting(&mut self, name: &str, site: Span) -> Value<'p> {
        self.settings.insert(site, Str::from(name));
        Value::Unknown("setting of the environment", Some(site))
    }

    /// The name of the setting that a value is.
    pub fn setting_of(&self, value: &Value) -> Option<&str> {
        match value {
            Value::Unknown(_, Some(place)) => self.settings.get(place).map(|name| &**name),
            _ => None,
        }
    }

    /// What a key of an object is that holds settings: `process.env.TOPIC`, `os.environ["TOPIC"]`,
    /// `configuration["Topic"]`.
    pub(super) fn setting_in(&mut self, object: &Value<'p>, key: &str, site: Span) -> Option<Value<'p>> {
        let name = self.libraries.iter().find_map(|library| (library.setting)(object, key))?;
        Some(self.setting(&name, site))
    }
}
