//! How schemas are read: the dialects of JSON Schema that documents follow, told by the version that they state.

use super::tree::Node;

/// Versions in as much as they are read differently. Order is age as far as schemas go: from [`Dialect::V31`] on, what
/// stands beside a `$ref` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Dialect {
    /// JSON Schema up to draft-07, which AsyncAPI's own schema object is a superset of.
    Draft07,
    /// OpenAPI 2.0, called Swagger.
    V2,
    V30,
    /// Also JSON Schema from 2019-09 on.
    V31,
    V32,
}

impl Dialect {
    /// By the version that an OpenAPI document states; `None` where it states none that is known.
    pub(super) fn of(root: &Node) -> Option<Dialect> {
        let states = |key: &str| root.get(key).and_then(Node::scalar_text);
        if let Some(version) = states("openapi") {
            let mut numbers = version.split(['.', '-']).map(|part| part.trim().parse::<u32>().ok());
            return match (numbers.next().flatten(), numbers.next().flatten()) {
                (Some(3), Some(0)) => Some(Dialect::V30),
                (Some(3), Some(1)) => Some(Dialect::V31),
                (Some(3), Some(2)) => Some(Dialect::V32),
                _ => None,
            };
        }
        states("swagger")
            .filter(|version| version.trim() == "2" || version.trim().starts_with("2."))
            .map(|_| Dialect::V2)
    }
}
