//! Gradient-boosted trees (Friedman 2001, with logistic loss): how likely something is, by what is known of it.
//! `benches/architect/train.py` writes the trees.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Something known, by its name in the files of trees, and how much of it there is.
pub(in crate::architect) type Feature = (Cow<'static, str>, f32);

pub(super) static FIRST_THING: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("first/thing.trees")));
pub(super) static FIRST_MEMBER: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("first/member.trees")));
pub(super) static FIRST_DEED: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("first/deed.trees")));
pub(super) static THING: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("thing.trees")));
pub(super) static MEMBER: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("member.trees")));
pub(super) static RELATION: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("relation.trees")));
pub(super) static DEED: LazyLock<Model> = LazyLock::new(|| Model::read(include_str!("deed.trees")));

#[derive(Debug)]
pub(super) struct Model {
    /// Places of features by their names.
    places: FxHashMap<&'static str, usize>,
    base: f32,
    trees: Vec<Vec<Node>>,
}

/// Nodes stand before their branches: the left branch behind its node, the right one behind all of the left.
#[derive(Clone, Copy, Debug)]
enum Node {
    Leaf(f32),
    /// At most `most` of a feature leads to the left.
    Branch {
        feature: usize,
        most: f32,
        right: usize,
    },
}

impl Model {
    /// Reads a line with the names of features, one with the base, and a line for each tree.
    fn read(text: &'static str) -> Self {
        let mut lines = text.lines().filter(|it| !it.starts_with('#'));
        let names = lines.next().unwrap_or_default().split('|');
        let places = names.enumerate().map(|(place, name)| (name, place)).collect();
        let base = lines.next().and_then(|it| it.parse().ok()).unwrap_or(0.0);
        Self { places, base, trees: lines.map(tree).collect() }
    }

    /// Between 0 and 1. A feature that is not given is 0.
    pub(super) fn chance(&self, features: &[Feature]) -> f32 {
        let mut values = vec![0.0; self.places.len()];
        for (name, value) in features {
            if let Some(place) = self.places.get(&**name) {
                values[*place] = *value;
            }
        }
        let sum: f32 = self.trees.iter().map(|it| leaf(it, &values)).sum();
        1.0 / (1.0 + (-sum - self.base).exp())
    }
}

fn leaf(tree: &[Node], values: &[f32]) -> f32 {
    let mut at = 0;
    loop {
        match tree.get(at) {
            Some(Node::Branch { feature, most, right }) => {
                let left = values.get(*feature).is_none_or(|it| it <= most);
                at = if left { at + 1 } else { *right };
            }
            Some(Node::Leaf(value)) => return *value,
            None => return 0.0,
        }
    }
}

/// A tree from its line: `3:0.5` is a branch, `=0.1` a leaf.
fn tree(line: &str) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    // Branches whose right side is still to come.
    let mut open: Vec<usize> = Vec::new();
    for word in line.split(' ') {
        if let Some((feature, most)) = word.split_once(':')
            && let (Ok(feature), Ok(most)) = (feature.parse(), most.parse())
        {
            open.push(nodes.len());
            nodes.push(Node::Branch { feature, most, right: 0 });
        } else {
            nodes.push(Node::Leaf(word.trim_start_matches('=').parse().unwrap_or(0.0)));
            let next = nodes.len();
            if let Some(Node::Branch { right, .. }) = open.pop().and_then(|it| nodes.get_mut(it)) {
                *right = next;
            }
        }
    }
    nodes
}

/// Whether something is so, as a feature.
pub(super) fn yes(it: bool) -> f32 {
    f32::from(u8::from(it))
}

/// A count as a feature: the difference between 1 and 2 says more than that between 11 and 12.
pub(super) fn ln(count: usize) -> f32 {
    number(count).ln_1p()
}

/// A count. Nothing is counted so high that more would tell.
pub(super) fn number(count: usize) -> f32 {
    f32::from(u16::try_from(count).unwrap_or(u16::MAX))
}

#[cfg(test)]
mod tests {
    use super::{DEED, FIRST_DEED, FIRST_MEMBER, FIRST_THING, MEMBER, Model, Node, THING};

    #[test]
    fn a_tree_leads_to_its_leaves() {
        let model = Model::read("# none\na|b|c d\n0.5\n0:1 1:2.5 =.1 =.2 2:0 =-.3 =.4\n=1");
        let sum = |features: &[(&'static str, f32)]| {
            let features: Vec<_> = features.iter().map(|(name, value)| ((*name).into(), *value)).collect();
            let chance = model.chance(&features);
            (chance / (1.0 - chance)).ln() - 1.5
        };
        for (features, expected) in [
            (&[][..], 0.1),
            (&[("b", 3.0)], 0.2),
            (&[("a", 2.0)], -0.3),
            (&[("a", 2.0), ("c d", 1.0), ("unknown", 1.0)], 0.4),
        ] {
            assert!((sum(features) - expected).abs() < 1e-4, "{features:?}: {}", sum(features));
        }
    }

    #[test]
    fn the_trees_that_were_learnt_are_whole() {
        for model in [&FIRST_THING, &FIRST_MEMBER, &FIRST_DEED, &THING, &MEMBER, &DEED] {
            assert!(model.trees.len() >= 100 && model.places.len() >= 30);
            for tree in &model.trees {
                let branches = tree.iter().filter(|it| matches!(it, Node::Branch { .. })).count();
                assert_eq!(tree.len(), 2 * branches + 1);
                for node in tree {
                    if let Node::Branch { feature, right, .. } = node {
                        assert!(*feature < model.places.len() && *right < tree.len());
                    }
                }
            }
        }
    }
}
