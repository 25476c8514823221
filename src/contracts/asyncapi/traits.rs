//! Traits: what several messages or operations share, merged into each (AsyncAPI 3.0, "Traits Merge Mechanism"). In
//! version 2 the last trait wins over the others and over the object itself; in version 3 the object itself wins.

use super::Version;
use crate::contracts::reader::{Place, Reader};

/// An object and its traits; what comes first wins.
pub(super) struct Layers<'d> {
    layers: Vec<Place<'d>>,
}

impl<'d> Layers<'d> {
    /// `place` is no reference.
    pub(super) fn of(reader: &mut Reader<'d>, version: Version, place: Place<'d>) -> Self {
        let listed: Vec<_> = place.child("traits").map(|list| list.items().collect()).unwrap_or_default();
        let mut layers: Vec<_> = listed.into_iter().filter_map(|layer| reader.follow(layer)).collect();
        layers.reverse();
        let own = if version.major == 2 { layers.len() } else { 0 };
        layers.insert(own, place);
        Layers { layers }
    }

    /// The field that counts.
    pub(super) fn find(&self, key: &str) -> Option<Place<'d>> {
        self.layers.iter().find_map(|layer| layer.child(key))
    }

    /// Every layer's field, what wins first: for objects, which are merged member by member.
    pub(super) fn all(&self, key: &str) -> Vec<Place<'d>> {
        self.layers.iter().filter_map(|layer| layer.child(key)).collect()
    }

    pub(super) fn text(&self, key: &str) -> Option<&'d str> {
        self.find(key).and_then(|place| place.node.text())
    }
}
