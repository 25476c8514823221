//! Which units say a word, and how much that counts: read of a word when it is asked for first, and kept until units change.
//! The units themselves are kept longer: those of files that have changed are read again.

use rustc_hash::FxHashMap;

use super::rows::{Snapshot, UnitFile, UnitRow};
use crate::store::StoreError;

/// Name, signature, body, class, path. These and the next two were measured with docstrings as questions
/// (`benches/search.md`).
const WEIGHTS: [f64; 5] = [5.0, 1.0, 0.5, 1.0, 1.0];
/// How much a field's length counts.
const LENGTHS: [f64; 5] = [0.5, 0.6, 0.9, 0.3, 0.6];
const SATURATION: f64 = 2.5;
/// More of what units say is not kept: 48 MB.
const MAX_KEPT: usize = 4_000_000;
/// Where so many files have changed, the units of all are read again.
const MANY: usize = 64;

/// What was read of the units, in one state of theirs.
#[derive(Default)]
pub(super) struct Words {
    state: Option<String>,
    /// By their number.
    units: Vec<UnitRow>,
    /// By the number of the file.
    files: FxHashMap<i64, UnitFile>,
    averages: [f64; 5],
    said: FxHashMap<String, Vec<Said>>,
    /// How many those are.
    kept: usize,
}

/// That a unit says a word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Said {
    /// Index into the units.
    pub(super) unit: u32,
    /// How much it says the word, from 0 to 1.
    pub(super) weight: f32,
    /// How often in its name.
    pub(super) in_name: u16,
}

impl Words {
    /// Brings the units that were read to the state of the database. Words that were read are forgotten.
    ///
    /// # Errors
    /// The database cannot be read; then nothing is kept.
    pub(super) fn follow(self, tables: &Snapshot<'_>) -> Result<Words, StoreError> {
        let state = tables.state()?;
        if self.state.is_some() && self.state == state {
            return Ok(self);
        }
        let files = tables.files()?;
        let is_known = |file: &i64| {
            let (before, now) = (self.files.get(file), files.get(file));
            before.zip(now).is_some_and(|(before, now)| (before.units, &before.hash) == (now.units, &now.hash))
        };
        let changed: Vec<i64> = files.keys().copied().filter(|file| !is_known(file)).collect();
        let mut units;
        if changed.len() > MANY {
            units = tables.units(None)?;
        } else {
            units = self.units;
            units.retain(|unit| is_known(&unit.file));
            for file in changed {
                units.extend(tables.units(Some(file))?);
            }
            units.sort_by_key(|unit| unit.id);
        }
        let mut averages = [0.0; 5];
        for unit in &units {
            averages.iter_mut().zip(unit.lengths).for_each(|(sum, length)| *sum += f64::from(length));
        }
        averages.iter_mut().for_each(|it| *it = (*it / f64::from(units.len().max(1) as u32)).max(1.0));
        Ok(Words { state, units, files, averages, ..Words::default() })
    }

    pub(super) fn units(&self) -> &[UnitRow] {
        &self.units
    }

    pub(super) fn file(&self, unit: &UnitRow) -> Option<&UnitFile> {
        self.files.get(&unit.file)
    }

    /// The units that say a word which was read.
    pub(super) fn who_says(&self, word: &str) -> &[Said] {
        self.said.get(word).map_or(&[], Vec::as_slice)
    }

    /// Reads the words that are not known yet.
    pub(super) fn read<'w>(
        &mut self,
        tables: &Snapshot<'_>,
        words: impl Iterator<Item = &'w str>,
    ) -> Result<(), StoreError> {
        if self.kept > MAX_KEPT {
            (self.said, self.kept) = (FxHashMap::default(), 0);
        }
        for word in words {
            if !self.said.contains_key(word) {
                let said = self.of_word(tables, word)?;
                self.kept += said.len();
                self.said.insert(word.to_owned(), said);
            }
        }
        Ok(())
    }

    fn of_word(&self, tables: &Snapshot<'_>, word: &str) -> Result<Vec<Said>, StoreError> {
        let mut counted: Vec<(i64, [u16; 5])> = Vec::new();
        tables.places(word, &mut |unit, field| {
            if counted.last().is_none_or(|last| last.0 != unit) {
                counted.push((unit, [0; 5]));
            }
            if let Some((_, counts)) = counted.last_mut() {
                counts[field] = counts[field].saturating_add(1);
            }
        })?;
        let mut said = Vec::with_capacity(counted.len());
        let mut from = 0;
        for (id, counts) in counted {
            let Ok(at) = self.units[from..].binary_search_by_key(&id, |unit| unit.id) else { continue };
            from += at;
            let weight = self.weight(&self.units[from], counts);
            said.push(Said { unit: from as u32, weight: weight as f32, in_name: counts[0] });
        }
        Ok(said)
    }

    fn weight(&self, unit: &UnitRow, counts: [u16; 5]) -> f64 {
        let mut found = 0.0;
        for at in (0..5).filter(|at| counts[*at] > 0) {
            let scale = 1.0 - LENGTHS[at] + LENGTHS[at] * f64::from(unit.lengths[at]) / self.averages[at];
            found += WEIGHTS[at] * f64::from(counts[at]) / scale;
        }
        found / (SATURATION + found)
    }
}
