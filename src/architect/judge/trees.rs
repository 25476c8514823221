//! Gradient-boosted trees (Friedman 2001, with logistic loss): how likely something is, by what is known of it.
//! `benches/architect/train.py` writes the trees.
//!
//! All trees are walked at once, feature by feature (Lucchese et al., "QuickScorer", SIGIR 2015): each branch that leads to the
//! right rules out the leaves on its left, and of the leaves that remain the first one of each tree is meant.

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
    /// The branches of all trees, by their features and what they let to the left.
    branches: Vec<Branch>,
    /// Where the branches of each feature end.
    ends: Vec<usize>,
    /// The leaves of all trees, each tree from left to right.
    leaves: Vec<f32>,
    /// The first leaf of each tree.
    starts: Vec<usize>,
}

/// More than `most` of a feature leads to the right.
#[derive(Clone, Copy, Debug)]
struct Branch {
    feature: u16,
    tree: u16,
    most: f32,
    /// The leaves of the tree without those on the left of the branch, the first one as the lowest bit.
    right: u32,
}

impl Model {
    /// Reads a line with the names of features, one with the base, and a line for each tree.
    fn read(text: &'static str) -> Self {
        let mut lines = text.lines().filter(|it| !it.starts_with('#'));
        let names = lines.next().unwrap_or_default().split('|');
        let places: FxHashMap<&str, usize> = names.enumerate().map(|(place, name)| (name, place)).collect();
        let base = lines.next().and_then(|it| it.parse().ok()).unwrap_or(0.0);
        let (mut branches, mut leaves, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for (number, line) in (0..).zip(lines) {
            starts.push(leaves.len());
            tree(line, number, &mut branches, &mut leaves);
        }
        branches.sort_by(|a: &Branch, b| a.feature.cmp(&b.feature).then(a.most.total_cmp(&b.most)));
        let ends =
            (0..places.len()).map(|it| branches.partition_point(|branch| usize::from(branch.feature) <= it)).collect();
        Self { places, base, branches, ends, leaves, starts }
    }

    /// Between 0 and 1. A feature that is not given is 0.
    pub(super) fn chance(&self, features: &[Feature]) -> f32 {
        let mut values = vec![0.0; self.places.len()];
        for (name, value) in features {
            if let Some(place) = self.places.get(&**name) {
                values[*place] = *value;
            }
        }
        let mut left = vec![u32::MAX; self.starts.len()];
        let mut from = 0;
        for (value, end) in values.iter().zip(&self.ends) {
            for branch in self.branches[from..*end].iter().take_while(|it| *value > it.most) {
                left[usize::from(branch.tree)] &= branch.right;
            }
            from = *end;
        }
        let leaf = |(start, left): (&usize, &u32)| self.leaves.get(start + left.trailing_zeros() as usize);
        let sum: f32 = self.starts.iter().zip(&left).filter_map(leaf).sum();
        1.0 / (1.0 + (-sum - self.base).exp())
    }
}

/// Reads a tree from its line, nodes before their branches and the left branch first: `3:0.5` is a branch, `=0.1` a leaf.
fn tree(line: &str, number: u16, branches: &mut Vec<Branch>, leaves: &mut Vec<f32>) {
    let start = leaves.len();
    // The leaves before one, as bits.
    let before = |leaf: usize| 1_u32.checked_shl((leaf - start) as u32).unwrap_or(0).wrapping_sub(1);
    // Branches whose right side is still to come.
    let mut open: Vec<usize> = Vec::new();
    for word in line.split(' ') {
        if let Some((feature, most)) = word.split_once(':')
            && let (Ok(feature), Ok(most)) = (feature.parse(), most.parse())
        {
            open.push(branches.len());
            branches.push(Branch { feature, most, tree: number, right: before(leaves.len()) });
        } else {
            leaves.push(word.trim_start_matches('=').parse().unwrap_or(0.0));
            if let Some(branch) = open.pop().and_then(|it| branches.get_mut(it)) {
                // Leaves before the branch stay, leaves that were read since the branch are on the left.
                branch.right |= !before(leaves.len());
            }
        }
    }
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
    use super::{DEED, FIRST_DEED, FIRST_MEMBER, FIRST_THING, MEMBER, Model, RELATION, THING};

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
        for model in [&FIRST_THING, &FIRST_MEMBER, &FIRST_DEED, &THING, &MEMBER, &DEED, &RELATION] {
            assert!(model.starts.len() >= 100 && model.places.len() >= 30);
            assert!(
                model.branches.iter().all(|it| usize::from(it.feature) < model.places.len() && it.most.is_finite())
            );
            for (tree, start) in model.starts.iter().enumerate() {
                let end = model.starts.get(tree + 1).copied().unwrap_or(model.leaves.len());
                let branches = model.branches.iter().filter(|it| usize::from(it.tree) == tree).count();
                // More leaves than bits would be lost.
                assert!(end - start == branches + 1 && branches < 32);
            }
        }
    }
}
