//! What is registered, as clients see it: the field names are the protocol.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::RegistryError;
use crate::config::nearest;
use crate::contracts::MAX_BYTES;

/// Which kind of document a contract is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpecKind {
    Openapi,
    Asyncapi,
    JsonSchema,
}

impl SpecKind {
    pub const ALL: [SpecKind; 3] = [SpecKind::Openapi, SpecKind::Asyncapi, SpecKind::JsonSchema];

    pub fn name(self) -> &'static str {
        match self {
            SpecKind::Openapi => "openapi",
            SpecKind::Asyncapi => "asyncapi",
            SpecKind::JsonSchema => "json_schema",
        }
    }

    /// # Errors
    /// A name that no kind has.
    pub fn parse(name: &str) -> Result<Self, RegistryError> {
        SpecKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let near = nearest(name, SpecKind::ALL.map(SpecKind::name));
            let meant = near.map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
            RegistryError::invalid(
                format!("`{name}` is no type of a contract"),
                format!("types are openapi, asyncapi and json_schema{meant}"),
            )
        })
    }

    /// What a document says that it is; JSON Schema where it says nothing of the others.
    pub fn of(spec: &Value) -> Self {
        match spec {
            _ if spec.get("openapi").is_some() || spec.get("swagger").is_some() => SpecKind::Openapi,
            _ if spec.get("asyncapi").is_some() => SpecKind::Asyncapi,
            _ => SpecKind::JsonSchema,
        }
    }
}

/// What is to be registered.
#[derive(Clone, Debug)]
pub struct NewContract {
    pub service_name: String,
    pub kind: SpecKind,
    /// `1.4.0`
    pub version: String,
    pub spec: Value,
    /// Within one build cycle a version stays what it is.
    pub build_cycle_id: Option<String>,
}

/// Characters that the name of a service may have.
const LONGEST_NAME: usize = 100;

impl NewContract {
    /// # Errors
    /// Names, a version or a document that no contract can have.
    pub(super) fn check(&self) -> Result<(), RegistryError> {
        let NewContract { service_name, kind, version, spec, .. } = self;
        check_name("service_name", service_name)?;
        if !is_version(version) {
            let what = format!("`{version}` is no version of a contract");
            return Err(RegistryError::invalid(what, "give three numbers, such as `1.0.0`"));
        }
        let Some(members) = spec.as_object() else {
            let what = "`spec` must be an object: the contract document itself";
            return Err(RegistryError::invalid(what, "hand in the document as JSON, not as text in quotes"));
        };
        let bytes = spec.to_string().len();
        if bytes > MAX_BYTES {
            let what = format!("{bytes} bytes are more than a contract may have ({MAX_BYTES})");
            return Err(RegistryError::invalid(what, "split the document by services"));
        }
        let told = SpecKind::of(spec);
        if members.is_empty() || (told != *kind && *kind != SpecKind::JsonSchema) {
            let what = format!("`spec` is no {} document", kind.name());
            let next = match told {
                _ if members.is_empty() => "it is empty; `validate_spec` says what a document needs".to_owned(),
                SpecKind::JsonSchema => format!("it has no key `{}` with a version", kind.name()),
                other => format!("its keys say that it is {}: give that type", other.name()),
            };
            return Err(RegistryError::invalid(what, next));
        }
        Ok(())
    }
}

/// # Errors
/// A text that is no name of a service; `field` says where it comes from.
pub(super) fn check_name(field: &str, name: &str) -> Result<(), RegistryError> {
    let length = name.chars().count();
    if name.trim().is_empty() || length > LONGEST_NAME || name.chars().any(char::is_control) {
        let what = format!("`{field}` is no name of a service: it has {length} characters");
        return Err(RegistryError::invalid(what, "give 1 to 100 printable characters"));
    }
    Ok(())
}

/// `1.4.0`, `2.0.0-rc.1`, `1.0.0+build.5`
fn is_version(text: &str) -> bool {
    let (numbers, rest) = text.split_at(text.find(['-', '+']).unwrap_or(text.len()));
    let is_number = |part: &str| (1..=9).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let label = |c: char| c.is_ascii_alphanumeric() || "-+.".contains(c);
    numbers.split('.').count() == 3
        && numbers.split('.').all(is_number)
        && rest.len() != 1
        && rest.len() <= LONGEST_NAME
        && rest.chars().all(label)
}

/// A registered contract with its document.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contract {
    #[serde(flatten)]
    pub entry: Entry,
    pub spec: Value,
}

/// A registered contract without its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: SpecKind,
    pub version: String,
    pub service_name: String,
    pub spec_hash: String,
    /// `active`
    pub status: String,
    pub build_cycle_id: Option<String>,
    /// `2026-01-31T12:00:00.000Z`
    pub created_at: String,
    pub updated_at: String,
}

/// Which contracts are asked for, and how many at once.
#[derive(Clone, Debug)]
pub struct ListFilter {
    pub service_name: Option<String>,
    pub kind: Option<SpecKind>,
    pub status: Option<String>,
    /// The first one is 1.
    pub page: u32,
    /// 1 to 100.
    pub page_size: u32,
}

impl Default for ListFilter {
    fn default() -> Self {
        ListFilter { service_name: None, kind: None, status: None, page: 1, page_size: 20 }
    }
}

/// Contracts that one page has.
pub const MAX_PAGE: u32 = 100;

impl ListFilter {
    pub(super) fn check(&self) -> Result<(), RegistryError> {
        if self.page == 0 {
            return Err(RegistryError::invalid("there is no page 0", "the first page is 1"));
        }
        if !(1..=MAX_PAGE).contains(&self.page_size) {
            let what = format!("a page of {} contracts cannot be given", self.page_size);
            return Err(RegistryError::invalid(what, format!("`page_size` is 1 to {MAX_PAGE}")));
        }
        Ok(())
    }
}

/// Some of the contracts that were asked for, without their documents, oldest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Page {
    pub items: Vec<Entry>,
    /// On all pages.
    pub total: u32,
    pub page: u32,
    pub page_size: u32,
}
