//! How a serialiser is set up.

use super::converters::{converts_enumerations, names_of};
use super::names::Naming;
use super::settings::HANDED;
use crate::evaluate::{Evaluator, NodeId, Value, last};

/// What a serialiser leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) enum Ignore {
    #[default]
    Never,
    Null,
    /// Whatever has the default value of its type.
    Default,
}

/// How enumerations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(super) enum Enums {
    #[default]
    Numbers,
    Names(Naming),
    /// It is not known which.
    Unknown,
}

/// Settings of one serialiser.
#[derive(Clone)]
pub(super) struct Style<'p> {
    /// Newtonsoft.Json rather than System.Text.Json.
    pub(super) newtonsoft: bool,
    pub(super) names: Naming,
    /// The rule holds for names that attributes give, too.
    pub(super) respell: bool,
    pub(super) enums: Enums,
    pub(super) ignore: Ignore,
    pub(super) fields: bool,
    /// It reads what is sent, rather than writing.
    pub(super) reads: bool,
    /// Of one that reads: that which writes for the same settings.
    pub(super) writing: Option<usize>,
    /// Converters that were added, the first that is for a type counts.
    pub(super) converters: Vec<Value<'p>>,
}

impl<'p> Style<'p> {
    /// What ASP.NET sets up where the program says nothing.
    pub(super) fn web(newtonsoft: bool) -> Self {
        Style {
            newtonsoft,
            names: Naming::Camel,
            respell: false,
            enums: Enums::Numbers,
            ignore: Ignore::Never,
            fields: newtonsoft,
            reads: false,
            writing: None,
            converters: Vec::new(),
        }
    }

    /// Takes over what was set.
    pub(super) fn read(&mut self, evaluator: &mut Evaluator<'p>, settings: NodeId) {
        let set = |evaluator: &Evaluator<'p>, name: &str| evaluator.node(settings).attributes.get(name).cloned();
        let word = |evaluator: &Evaluator<'p>, name: &str| {
            set(evaluator, name).and_then(|value| value.as_external().map(|path| last(path).to_owned()))
        };
        // Whoever it is handed to may add converters.
        if set(evaluator, HANDED).is_some() {
            self.enums = Enums::Unknown;
        }
        if let Some(policy) = set(evaluator, "PropertyNamingPolicy") {
            self.names = Naming::of(&policy);
        }
        if let Some(resolver) = set(evaluator, "ContractResolver") {
            self.resolve(evaluator, &resolver);
        }
        match word(evaluator, "DefaultIgnoreCondition").as_deref() {
            Some("WhenWritingNull") => self.ignore = Ignore::Null,
            Some("WhenWritingDefault") => self.ignore = Ignore::Default,
            _ => {}
        }
        if matches!(set(evaluator, "IgnoreNullValues"), Some(Value::Bool(true)))
            || word(evaluator, "NullValueHandling").as_deref() == Some("Ignore")
        {
            self.ignore = Ignore::Null;
        }
        if word(evaluator, "DefaultValueHandling").is_some_and(|how| how.starts_with("Ignore")) {
            self.ignore = Ignore::Default;
        }
        self.fields |= matches!(set(evaluator, "IncludeFields"), Some(Value::Bool(true)));
        let converters = set(evaluator, "Converters").and_then(|list| list.elements()).unwrap_or_default();
        let mut named = false;
        for converter in converters {
            match names_of(evaluator, &converter) {
                Some(naming) if !named => {
                    self.enums = Enums::Names(naming);
                    named = true;
                }
                Some(_) => {}
                None => {
                    if !named && converts_enumerations(evaluator, &converter) {
                        self.enums = Enums::Unknown;
                        named = true;
                    }
                    self.converters.push(converter);
                }
            }
        }
    }

    /// Newtonsoft's `ContractResolver`, which spells names.
    fn resolve(&mut self, evaluator: &mut Evaluator<'p>, resolver: &Value<'p>) {
        let made = match resolver {
            Value::Instance(instance) => {
                let class = instance.class.clone();
                let bases = evaluator.external_bases(&class);
                let is_camel = bases.iter().any(|path| last(path) == "CamelCasePropertyNamesContractResolver");
                self.names = if is_camel { Naming::Camel } else { Naming::Unknown };
                return;
            }
            Value::Made(made) => made,
            _ => {
                self.names = Naming::Unknown;
                return;
            }
        };
        self.respell = made.name() == "CamelCasePropertyNamesContractResolver";
        self.names = match made.args.named("NamingStrategy") {
            Some(strategy) => {
                if let Value::Made(strategy) = strategy {
                    let second = strategy.args.get(1, "overrideSpecifiedNames");
                    let second = second.or_else(|| strategy.args.named("OverrideSpecifiedNames"));
                    self.respell = matches!(second, Some(Value::Bool(true)));
                }
                Naming::of(strategy)
            }
            None => Naming::of(resolver),
        };
    }

    /// What both say; where they differ, it is not known.
    pub(super) fn or(mut self, other: Style<'p>) -> Style<'p> {
        if self.newtonsoft != other.newtonsoft || self.names != other.names {
            self.names = Naming::Unknown;
        }
        if self.enums != other.enums {
            self.enums = Enums::Unknown;
        }
        if self.ignore != other.ignore {
            self.ignore = Ignore::Never;
        }
        self.converters.extend(other.converters);
        self
    }

    pub(super) fn is_same(&self, other: &Style<'p>) -> bool {
        (self.newtonsoft, self.names, self.respell, self.enums, self.ignore, self.fields, self.reads, self.writing)
            == (
                other.newtonsoft,
                other.names,
                other.respell,
                other.enums,
                other.ignore,
                other.fields,
                other.reads,
                other.writing,
            )
            && self.converters.len() == other.converters.len()
            && self.converters.iter().zip(&other.converters).all(|(one, other)| one.same(other))
    }
}
