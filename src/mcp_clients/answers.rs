//! What engines answer, as far as a client relies on it: members that it does not know are passed over, those that are missing
//! make the answer one that is none.

use serde::Deserialize;
use serde_json::Value;

/// Names of members that some engines have in the place of ours, or beside them.
const OTHER_NAMES: [(&str, &str); 3] = [("file_path", "file"), ("contract_type", "type"), ("event_name", "event")];

/// An answer with our names: of its own members and of those of its lists, not of the documents that it holds.
pub(super) fn known_by(answer: &mut Value) {
    if let Value::Object(members) = answer {
        members.values_mut().filter(|it| it.is_array()).for_each(of_items);
    }
    of_members(answer);
    of_items(answer);
}

fn of_items(list: &mut Value) {
    list.as_array_mut().into_iter().flatten().for_each(of_members);
}

fn of_members(object: &mut Value) {
    let Value::Object(members) = object else { return };
    for (other, name) in OTHER_NAMES {
        if !members.contains_key(name)
            && let Some(value) = members.get(other).cloned()
        {
            members.insert(name.to_owned(), value);
        }
    }
}

/// A registered contract without its document.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ContractEntry {
    pub id: String,
    /// `openapi`, `asyncapi`, `json_schema`
    #[serde(rename = "type")]
    pub kind: String,
    pub version: String,
    pub service_name: String,
    #[serde(default)]
    pub spec_hash: String,
    #[serde(default)]
    pub status: String,
    #[serde(default)]
    pub build_cycle_id: Option<String>,
    #[serde(default)]
    pub updated_at: String,
}

/// Some of the contracts of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ContractPage {
    pub items: Vec<ContractEntry>,
    pub total: u32,
}

/// Whether a document is a valid one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct DocumentCheck {
    pub valid: bool,
    #[serde(default)]
    pub errors: Vec<String>,
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// Whether the answer of a service keeps its contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct AnswerCheck {
    pub valid: bool,
    pub violations: Vec<Violation>,
    /// Why nothing was compared.
    #[serde(skip)]
    pub error: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Violation {
    pub field: String,
    pub expected: String,
    pub actual: String,
}

/// What a new document would break.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct SpecChange {
    pub change: String,
    pub severity: String,
    #[serde(default)]
    pub affected_consumers: Vec<String>,
    #[serde(default)]
    pub path: String,
    #[serde(default)]
    pub old_value: Value,
    #[serde(default)]
    pub new_value: Value,
}

/// Whether evidence was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Marked {
    pub marked: bool,
    #[serde(default)]
    pub total: u32,
    #[serde(default)]
    pub all_implemented: bool,
}

/// A contract that nobody implements yet.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OpenContract {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub expected_service: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub status: String,
}

/// Where a symbol is declared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub kind: String,
    #[serde(default)]
    pub signature: String,
}

/// A place that uses a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Caller {
    pub file: String,
    pub line: u32,
    #[serde(default)]
    pub context: String,
}

/// What a file depends on, and what on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Dependencies {
    pub imports: Vec<String>,
    pub imported_by: Vec<String>,
    #[serde(default)]
    pub transitive_deps: Vec<String>,
    #[serde(default)]
    pub circular_deps: Vec<Vec<String>>,
}

/// A piece of code that says what was searched for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Hit {
    pub file: String,
    /// First and last line.
    pub lines: (u32, u32),
    pub content: String,
    pub score: f64,
}

/// What a service offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Interface {
    pub endpoints: Vec<Endpoint>,
    pub events_published: Vec<EventPlace>,
    pub events_consumed: Vec<EventPlace>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Endpoint {
    pub method: String,
    pub path: String,
    #[serde(default)]
    pub handler: String,
    #[serde(default)]
    pub file: String,
    #[serde(default)]
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EventPlace {
    pub event: String,
    #[serde(default)]
    pub file: String,
    #[serde(default)]
    pub line: u32,
}

/// Code that nobody uses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct DeadSymbol {
    pub symbol: String,
    pub file: String,
    pub line: u32,
    pub kind: String,
    #[serde(default)]
    pub confidence: String,
}

/// What an index knows of a file that was registered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Registered {
    pub indexed: bool,
    pub symbols_found: u32,
    pub dependencies_found: u32,
    #[serde(default)]
    pub errors: Vec<String>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Caller, Interface, known_by};

    #[test]
    fn members_may_have_other_names_or_both() {
        let mut answer = json!([
            { "file_path": "a.py", "line": 1, "caller_symbol": "f", "context": "A()" },
            { "file": "b.py", "file_path": "elsewhere", "line": 2 },
        ]);
        known_by(&mut answer);
        let read: Vec<Caller> = serde_json::from_value(answer).expect("callers");
        assert_eq!(read.iter().map(|it| it.file.as_str()).collect::<Vec<_>>(), ["a.py", "b.py"]);
        let event = json!({ "event_name": "lent", "file_path": "a.py" });
        let mut answer = json!({ "endpoints": [], "events_published": [event], "events_consumed": [] });
        known_by(&mut answer);
        let read: Interface = serde_json::from_value(answer).expect("an interface");
        assert_eq!((read.events_published[0].event.as_str(), read.events_published[0].file.as_str()), ("lent", "a.py"));
    }

    #[test]
    fn documents_in_an_answer_stay_as_they_are() {
        let spec = json!({ "properties": { "file_path": {} }, "file_path": 1 });
        let mut answer = json!({ "id": "7", "spec": spec });
        known_by(&mut answer);
        assert_eq!(answer["spec"], spec);
    }
}
