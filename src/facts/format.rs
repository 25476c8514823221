//! The format itself: what a file of facts holds, key by key.

use serde::{Deserialize, Serialize};

/// The whole file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct File {
    /// [`super::FORMAT`]
    #[serde(rename = "treaty-facts")]
    pub(super) format: u32,
    pub(super) services: Vec<ServiceFacts>,
}

/// What tells whether a file can be read at all.
#[derive(Debug, Deserialize)]
pub(super) struct Head {
    #[serde(rename = "treaty-facts")]
    pub(super) format: u32,
}

/// File, as an index into the service's `files`, and line from 1.
pub(super) type At = (u32, u32);

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_false(value: &bool) -> bool {
    !*value
}

fn is_empty<T>(list: &[T]) -> bool {
    list.is_empty()
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ServiceFacts {
    pub(super) name: String,
    /// Its folder, from where it was scanned; its files are named from there on.
    pub(super) root: String,
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) files: Vec<String>,
    /// Shapes that have parts, a name or more to say than a word; others refer to them by their index.
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) shapes: Vec<ShapeFacts>,
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) serves: Vec<OperationFacts>,
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) calls: Vec<CallFacts>,
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) messages: Vec<MessageFacts>,
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) declares: Vec<ModelFacts>,
    /// Routes and mounts that could not be read: what may be served beside `serves`.
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) unread: Vec<UnreadFacts>,
    /// Web frameworks that are not understood.
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) unsupported: Vec<String>,
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) unknown: Vec<Why>,
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Why {
    pub(super) why: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
}

/// What is known, or why not: `"GET"`, `{"why": "…"}`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Known<T> {
    Is(T),
    Not(Why),
}

/// A shape where it is used: its index, or a word for one that has nothing else to say: `"string"`, `"integer"`,
/// `"string?"` with null, `"string:uuid"` with its format, `"string:uuid?"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum ShapeRef {
    At(u32),
    Word(String),
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ShapeFacts {
    /// `string`, `integer`, `number`, `numeric` (a number that may be whole or not), `boolean`, `null`, `any`, `never`,
    /// `unknown`, `array`, `object`, `union`, `either` (one of them, and nothing tells which), `all`, `same`.
    pub(super) is: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
    /// Null belongs to it as well.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) null: bool,
    /// Whether it does is left open.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) null_open: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) read_only: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) write_only: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) deprecated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limits: Option<LimitFacts>,
    /// Of `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<Why>,
    /// Of `array`: its first elements.
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) prefix: Vec<ShapeRef>,
    /// Of `array`: its other elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) items: Option<ShapeRef>,
    /// Of `object`.
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) fields: Vec<FieldFacts>,
    /// Of `object`: what further members are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) more: Option<ShapeRef>,
    /// Of `object`: there are no further members.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) closed: bool,
    /// Of `union`, `either` and `all`: each; of `same`: the one.
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) of: Vec<ShapeRef>,
    /// Of `union`: exactly one of them.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) exclusive: bool,
    /// Of `union`: the member that tells which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FieldFacts {
    pub(super) name: String,
    pub(super) shape: ShapeRef,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) required: bool,
    /// Whether every answer carries it, where that is not what `required` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) always: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
    /// How the type spells it, where the wire does otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) declared: Option<String>,
}

/// A value of a closed set. Numbers are text, so that they stay exact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Value {
    Null(()),
    Boolean(bool),
    Text(String),
    Number {
        number: String,
    },
    /// An array or object, as compact JSON.
    Json {
        json: String,
    },
}

/// As JSON Schema calls them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct LimitFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) minimum: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) maximum: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exclusive_minimum: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exclusive_maximum: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) multiple_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_items: Option<u64>,
    #[serde(skip_serializing_if = "is_false")]
    pub(super) unique_items: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min_properties: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max_properties: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default: Option<Value>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OperationFacts {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) at: At,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) handler: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) handler_at: Option<At>,
    #[serde(default)]
    pub(super) takes: RequestFacts,
    #[serde(default)]
    pub(super) answers: Vec<ResponseFacts>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) deprecated: bool,
    /// Left out of the documentation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) hidden: bool,
    /// Registered under a condition.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) conditional: bool,
    /// By a router that was never seen to be mounted: its path may lack a prefix.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) unmounted: bool,
    /// Served whatever the case of the letters in its path.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) any_case: bool,
    #[serde(default, skip_serializing_if = "is_empty")]
    pub(super) unknown: Vec<Why>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct RequestFacts {
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) parameters: Vec<ParameterFacts>,
    #[serde(skip_serializing_if = "is_empty")]
    pub(super) bodies: Vec<BodyFacts>,
    /// Why there may be others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) other_parameters: Option<Why>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) other_bodies: Option<Why>,
    /// Nothing checks while it runs what is sent.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) unchecked: bool,
    /// What parses bodies mostly takes forms, too.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) parsed: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ParameterFacts {
    pub(super) name: String,
    /// `path`, `query`, `header` or `cookie`.
    #[serde(rename = "in")]
    pub(super) place: String,
    pub(super) shape: ShapeRef,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) required: bool,
    pub(super) at: At,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BodyFacts {
    pub(super) media: String,
    pub(super) shape: ShapeRef,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) required: bool,
    pub(super) at: At,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ResponseFacts {
    /// `200`, `2XX`, `default`.
    pub(super) status: Known<String>,
    #[serde(default, skip_serializing_if = "is_empty")]
    pub(super) bodies: Vec<BodyFacts>,
    pub(super) at: At,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CallFacts {
    pub(super) method: Known<String>,
    pub(super) url: Known<UrlFacts>,
    #[serde(default, skip_serializing_if = "is_empty")]
    pub(super) parameters: Vec<ParameterFacts>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) other_parameters: Option<Why>,
    /// Why the body may have other members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) other_members: Option<Why>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<BodyFacts>,
    /// What the answer is taken for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<ShapeRef>,
    /// Why it may never be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) doubt: Option<Why>,
    pub(super) at: At,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) function: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct UrlFacts {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) host: Option<String>,
    pub(super) path: String,
    /// An unknown part stands in front of the path.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) partial: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MessageFacts {
    /// `send` or `receive`.
    pub(super) action: String,
    pub(super) channel: Known<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) setting: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) payload: Option<ShapeRef>,
    pub(super) at: At,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) function: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ModelFacts {
    pub(super) name: String,
    pub(super) shape: ShapeRef,
    pub(super) at: At,
    /// The base that makes a message between services of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct UnreadFacts {
    /// What is known of its path; each part that is not known stands as one U+FFFC.
    pub(super) path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) method: Option<String>,
    /// `route`, `below` or `unseen`; where it is not told, a route where there is a method, else whatever lies below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reach: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<Why>,
}
