//! AsyncAPI 2.0 to 2.6 and 3.x to [`Events`]. The tables in `objects` say what a document may hold, `rules` what holds
//! between its parts; both majors are lowered to one model. Version 2 tells operations from the other side: what it calls
//! `publish`, the described application receives.

mod channels;
mod form;
mod format;
mod objects;
mod rules;
mod traits;

use super::form::Edition as Version;
use super::reader::{Place, Reader};
use super::tree::Node;
use super::{Declarations, IssueKind};

/// Versions that were published.
const KNOWN: [&str; 9] = ["2.0.0", "2.1.0", "2.2.0", "2.3.0", "2.4.0", "2.5.0", "2.6.0", "3.0.0", "3.1.0"];

/// Whether a document says that it is AsyncAPI.
pub(super) fn is_stated(root: &Node) -> bool {
    root.get("asyncapi").is_some() && root.get("openapi").is_none() && root.get("swagger").is_none()
}

/// Reads an AsyncAPI document into `declarations.events`.
pub(super) fn read<'d>(reader: &mut Reader<'d>, root: &Place<'d>, declarations: &mut Declarations) {
    let Some(version) = version(reader, root) else { return };
    let object = if version.major == 2 { &objects::ROOT_2 } else { &objects::ROOT_3 };
    super::form::check(reader, version, object, root.clone());
    rules::check(reader, version, root);
    declarations.events = Some(channels::read(reader, version, root));
    declarations.components = components(reader, root);
}

/// The version that a document states, as far as it can be read: a later one of a known major is read as its last.
fn version<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> Option<Version> {
    let stated = root.child("asyncapi")?;
    let text = stated.node.scalar_text().unwrap_or("").trim();
    let mut numbers = text.split(['.', '-']).map(|part| part.parse::<u32>().ok());
    let read = match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major @ (2 | 3)), Some(minor)) => Some(Version { format: "AsyncAPI", major, minor }),
        _ => None,
    };
    if !KNOWN.contains(&text) {
        let text = if text.is_empty() { stated.node.type_name() } else { text };
        let message = format!("version `{text}` of AsyncAPI is not known");
        let help = "state `asyncapi: 3.0.0`, or the version that it is written in";
        reader.issue(IssueKind::NotAContract, stated.span, &stated.pointer, message, Some(help));
    }
    read
}

/// `components.schemas` in the languages that are read.
fn components<'d>(reader: &mut Reader<'d>, root: &Place<'d>) -> Vec<(String, crate::model::ShapeId)> {
    let schemas = root.child("components").and_then(|components| components.child("schemas"));
    let members: Vec<_> = schemas.iter().flat_map(Place::members).collect();
    let mut components = Vec::new();
    for (key, place) in members {
        if key.text.starts_with("x-") {
            continue;
        }
        let described = format::described(reader, place, None);
        if described.dialect.is_some() {
            components.push((key.text.clone(), reader.shape_at(described.schema)));
        }
    }
    components
}

#[cfg(test)]
mod tests;
