//! The words around nouns and names of members: before and behind each, on its line and in the headings above. A weight for each such
//! word, learnt from documents by `benches/architect/train.py` (a logistic regression), says how much the word speaks for a thing
//! or a member.

use std::sync::LazyLock;

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::units::{Form, Unit};
use crate::architect::document::Document;
use crate::architect::notes::Notes;
use crate::architect::words;

/// Where a word stands to a noun. These are the names in files of weights.
const PLACES: &[&str] =
    &["-1", "-2", "+1", "+2", "-", "+", "line", "first", "lead", "heading", "above", "form", "name", "owner", "column"];

/// The same, in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Before,
    SecondBefore,
    Behind,
    SecondBehind,
    NearBefore,
    NearBehind,
    Line,
    First,
    Lead,
    Heading,
    Above,
    Form,
    /// In the name of a member itself.
    Name,
    /// The last word of the thing that may have the member.
    Owner,
    /// In the head of the column that a cell stands in.
    Column,
}

/// How many words before and behind a noun are near.
const NEAR: usize = 4;

/// A line with more different words says nothing of each of its nouns: all words would be around all nouns.
const LONGEST: usize = 300;

/// Of a word, a weight for each place.
type OfWord = [f32; PLACES.len()];

/// Weights by the words.
struct Weights {
    base: f32,
    words: FxHashMap<&'static str, OfWord>,
}

static THING: LazyLock<Weights> = LazyLock::new(|| Weights::read(include_str!("first/thing.words")));
static MEMBER: LazyLock<Weights> = LazyLock::new(|| Weights::read(include_str!("first/member.words")));

/// What words around speak for.
#[derive(Clone, Copy, Debug)]
pub(super) enum For {
    Thing,
    Member,
}

impl Weights {
    /// Reads the base, then a line for each word: `order -1:.5 line:-.1`.
    fn read(text: &'static str) -> Self {
        let mut lines = text.lines().skip_while(|it| it.starts_with("# "));
        let base = lines.next().and_then(|it| it.parse().ok()).unwrap_or(0.0);
        let word = |line: &'static str| {
            let (word, weights) = line.split_once(' ')?;
            let mut of: OfWord = [0.0; PLACES.len()];
            for (place, weight) in weights.split(' ').filter_map(|it| it.split_once(':')) {
                of[PLACES.iter().position(|it| *it == place)?] = weight.parse().ok()?;
            }
            Some((word, of))
        };
        Self { base, words: lines.filter_map(word).collect() }
    }
}

/// The words of a sentence, each by its number.
#[derive(Debug, Default)]
struct Sentence {
    words: Vec<usize>,
    /// Where each word of the unit begins here, and the end: `dueDate` is two words.
    starts: Vec<usize>,
    first: usize,
    form: usize,
    /// Which of the lines the sentence is on.
    line: usize,
    /// The sentence above that leads to the sentence.
    lead: Option<usize>,
    section: usize,
    /// The words of the head of its column.
    column: Vec<usize>,
}

/// The names of services in words, by the first word of each.
struct Services(FxHashMap<String, Vec<Vec<String>>>);

impl Services {
    fn of(notes: &Notes) -> Self {
        let mut found: FxHashMap<String, Vec<Vec<String>>> = FxHashMap::default();
        for name in notes.services.iter().map(|it| words::split(&it.name)) {
            if let Some(first) = name.first() {
                found.entry(first.clone()).or_default().push(name);
            }
        }
        Self(found)
    }

    fn are_named_in(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let said = words::split(text);
        let starts =
            |at: usize| self.0.get(&said[at]).is_some_and(|it| it.iter().any(|name| said[at..].starts_with(name)));
        (0..said.len()).any(starts)
    }
}

/// The words of a document.
pub(super) struct Around {
    numbers: IndexSet<String>,
    sentences: Vec<Sentence>,
    /// The places of each word: in which sentence and where there.
    places: Vec<Vec<(usize, usize)>>,
    /// The sentences by their lines in the document.
    on_lines: FxHashMap<u32, Vec<usize>>,
    /// The words of each line, each once.
    lines: Vec<Vec<usize>>,
    /// The words of the heading of each section, and those of the headings around the section.
    headings: Vec<(Vec<usize>, Vec<usize>)>,
    begin: usize,
    end: usize,
    /// Of each word its weights, and the base, for things and for members.
    weights: [(Vec<Option<&'static OfWord>>, f32); 2],
}

impl Around {
    pub(super) fn of(document: &Document, units: &[Unit], notes: &Notes) -> Self {
        let mut found = Self {
            numbers: IndexSet::new(),
            sentences: Vec::new(),
            places: Vec::new(),
            on_lines: FxHashMap::default(),
            lines: Vec::new(),
            headings: Vec::new(),
            begin: 0,
            end: 0,
            weights: Default::default(),
        };
        (found.begin, found.end) = (found.number("^"), found.number("$"));
        let service = found.number("#service");
        let services = Services::of(notes);
        let names_service = |text: &str| services.are_named_in(text);
        for section in &document.sections {
            let mut own = found.words(&section.title.plain);
            own.extend(names_service(&section.title.plain).then_some(service));
            let own = once(own);
            found.headings.push((own, Vec::new()));
        }
        for at in 0..document.sections.len() {
            let mut above = Vec::new();
            let mut section = at;
            while document.sections[section].parent != section {
                section = document.sections[section].parent;
                above.extend_from_slice(&found.headings[section].0);
            }
            let own = &found.headings[at].0;
            above.retain(|it| !own.contains(it));
            found.headings[at].1 = once(above);
        }
        for (at, unit) in units.iter().enumerate() {
            let mut words: Vec<usize> = Vec::new();
            let mut starts = vec![0];
            for word in &unit.words {
                words.extend(of_word(&word.text).iter().map(|it| found.number(it)));
                starts.push(words.len());
            }
            for (place, word) in words.iter().enumerate() {
                found.places[*word].push((at, place));
            }
            let form = found.number(match unit.form {
                Form::Heading => "#heading",
                Form::Paragraph => "#paragraph",
                Form::Item => "#item",
                Form::Cell => "#cell",
                Form::Code => "#code",
            });
            found.on_lines.entry(unit.line).or_default().push(at);
            let same = at.checked_sub(1).filter(|it| units[*it].line == unit.line && units[*it].form == unit.form);
            if same.is_none() {
                found.lines.push(Vec::new());
            }
            let line = found.lines.len() - 1;
            found.lines[line].extend_from_slice(&words);
            let first = found.lines[line].first().copied().unwrap_or(found.end);
            found.lines[line].extend(names_service(&unit.text).then_some(service));
            // Above a heading stands the heading of the section around.
            let section =
                if unit.form == Form::Heading { document.sections[unit.section].parent } else { unit.section };
            let lead = unit.lead.filter(|_| matches!(unit.form, Form::Item | Form::Paragraph));
            // A head that is longer says nothing of what each cell is.
            let head = unit.cell.as_ref().filter(|it| it.head.len() <= 200);
            let column = head.map_or_else(Vec::new, |it| found.words(&it.head));
            found.sentences.push(Sentence { words, starts, first, form, line, lead, section, column });
        }
        for line in &mut found.lines {
            *line = once(std::mem::take(line));
        }
        found.weights = [&THING, &MEMBER]
            .map(|it| (found.numbers.iter().map(|word| it.words.get(word.as_str())).collect(), it.base));
        found
    }

    fn number(&mut self, word: &str) -> usize {
        if let Some(known) = self.numbers.get_index_of(word) {
            return known;
        }
        self.places.push(Vec::new());
        self.numbers.insert_full(word.to_owned()).0
    }

    fn words(&mut self, text: &str) -> Vec<usize> {
        let words: Vec<String> =
            text.split_whitespace().flat_map(words::split).map(|it| words::singular(&it)).collect();
        words.iter().map(|it| self.number(it)).collect()
    }

    /// How much the words around a noun or a name speak for a thing or a member there, as log odds.
    pub(super) fn weight(&self, of: For, around: &[(Place, usize)]) -> f32 {
        let (weights, base) = &self.weights[of as usize];
        let weight = |(place, word): &(Place, usize)| weights[*word].map_or(0.0, |it| it[*place as usize]);
        base + around.iter().map(weight).sum::<f32>()
    }

    /// Words around, each behind the name of its place, for whoever learns weights.
    pub(super) fn told(&self, around: &[(Place, usize)]) -> Vec<String> {
        let told = |(place, word): &(Place, usize)| {
            Some(format!("{} {}", PLACES[*place as usize], self.numbers.get_index(*word)?))
        };
        around.iter().filter_map(told).collect()
    }

    /// The words around a noun wherever the document says the noun, each once for a place.
    pub(super) fn noun(&self, name: &[String]) -> Vec<(Place, usize)> {
        let mut found = FxHashSet::default();
        let name: Option<Vec<usize>> = name.iter().map(|it| self.numbers.get_index_of(it)).collect();
        if let Some(name) = name
            // Many names may begin with one word: the rarest word of the name is looked for.
            && let Some((at, rarest)) = name.iter().enumerate().min_by_key(|(_, it)| self.places[**it].len())
        {
            for (sentence, place) in &self.places[*rarest] {
                let Some(from) = place.checked_sub(at) else { continue };
                let end = from + name.len();
                if self.sentences[*sentence].words.get(from..end) == Some(name.as_slice()) {
                    self.beside(*sentence, from, end, &mut found);
                    self.along(*sentence, &mut found);
                }
            }
        }
        sorted(found)
    }

    /// The words around a name that a thing may have, at the given places (a sentence, the first word there and the one behind the
    /// last), or else on the given line of the document.
    pub(super) fn member(
        &self,
        owner: &str,
        name: &str,
        places: &[(usize, usize, usize)],
        line: u32,
    ) -> Vec<(Place, usize)> {
        let mut found = FxHashSet::default();
        for (sentence, from, end) in places {
            let starts = &self.sentences[*sentence].starts;
            self.beside(*sentence, starts[*from], starts[*end], &mut found);
            self.along(*sentence, &mut found);
        }
        if places.is_empty() {
            for sentence in self.on_lines.get(&line).into_iter().flatten() {
                self.along(*sentence, &mut found);
            }
        }
        let number = |it: &String| self.numbers.get_index_of(&words::singular(it));
        found.extend(words::split(name).iter().filter_map(number).map(|it| (Place::Name, it)));
        found.extend(words::split(owner).last().and_then(number).map(|it| (Place::Owner, it)));
        sorted(found)
    }

    /// The words before and behind what stands in a sentence.
    fn beside(&self, sentence: usize, from: usize, end: usize, found: &mut FxHashSet<(Place, usize)>) {
        let words = &self.sentences[sentence].words;
        let (before, behind) = (&words[..from], &words[end..]);
        let back = |step: usize| from.checked_sub(step).map_or(self.begin, |place| words[place]);
        let ahead = |step: usize| behind.get(step).copied().unwrap_or(self.end);
        found.extend([
            (Place::Before, back(1)),
            (Place::SecondBefore, back(2)),
            (Place::Behind, ahead(0)),
            (Place::SecondBehind, ahead(1)),
        ]);
        found.extend(before.iter().rev().take(NEAR).map(|it| (Place::NearBefore, *it)));
        found.extend(behind.iter().take(NEAR).map(|it| (Place::NearBehind, *it)));
    }

    /// The words of a sentence, those that lead to it, and those of the headings above.
    fn along(&self, sentence: usize, found: &mut FxHashSet<(Place, usize)>) {
        let it = &self.sentences[sentence];
        found.extend([(Place::First, it.first), (Place::Form, it.form)]);
        let line = self.lines[it.line].as_slice();
        found.extend(line.iter().filter(|_| line.len() <= LONGEST).map(|it| (Place::Line, *it)));
        let lead = it.lead.map(|it| self.sentences[it].words.as_slice());
        found.extend(lead.unwrap_or_default().iter().map(|it| (Place::Lead, *it)));
        found.extend(it.column.iter().map(|it| (Place::Column, *it)));
        let (own, above) = &self.headings[it.section];
        found.extend(own.iter().map(|it| (Place::Heading, *it)));
        found.extend(above.iter().map(|it| (Place::Above, *it)));
    }
}

/// Words by their places, in one order, so that sums of weights are the same each time.
fn sorted(found: FxHashSet<(Place, usize)>) -> Vec<(Place, usize)> {
    let mut found: Vec<(Place, usize)> = found.into_iter().collect();
    found.sort_unstable_by_key(|(place, word)| (*place as usize, *word));
    found
}

/// The words of a word: `dueDate` is two; marks and numbers stay.
fn of_word(text: &str) -> Vec<String> {
    if text.chars().all(|it| it.is_ascii_digit()) {
        return vec!["0".to_owned()];
    }
    let said = words::split(text);
    if said.is_empty() { vec![text.to_owned()] } else { said.iter().map(|it| words::singular(it)).collect() }
}

fn once(mut words: Vec<usize>) -> Vec<usize> {
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::{Around, For, MEMBER, PLACES, THING, Weights};
    use crate::architect::document::Document;
    use crate::architect::judge::units;
    use crate::architect::notes::Notes;

    fn around(text: &str) -> Around {
        let document = Document::read(text);
        Around::of(&document, &units::of(&document).0, &Notes::default())
    }

    const TEXT: &str = "# Shop\n\n## Orders\n\nCustomers can view their orders today.\n\n- Staff delete an order\n";

    #[test]
    fn words_stand_before_and_behind_a_noun_and_in_the_headings_above() {
        let around = around(TEXT);
        let told = around.told(&around.noun(&["order".to_owned()]));
        for expected in [
            "-1 their",
            "-2 view",
            "+1 today",
            "+2 .",
            "-1 an",
            "- delete",
            "+1 $",
            "-1 ^",
            "line staff",
            "first customer",
            "heading order",
            "above shop",
            "form #item",
            "form #paragraph",
            "form #heading",
        ] {
            assert!(told.contains(&expected.to_owned()), "{expected} is not in {told:?}");
        }
        assert!(!told.iter().any(|it| it.starts_with("name ")), "{told:?}");
        assert_eq!(around.noun(&["nobody".to_owned()]), []);
    }

    #[test]
    fn members_have_the_words_of_their_names_and_things() {
        let around = around(TEXT);
        let told = around.told(&around.member("Staff", "order today", &[(1, 4, 5)], 5));
        for expected in ["-1 their", "name order", "name today", "owner staff", "heading order"] {
            assert!(told.contains(&expected.to_owned()), "{expected} is not in {told:?}");
        }
        let told = around.told(&around.member("Staff", "order", &[], 7));
        assert!(told.contains(&"line delete".to_owned()) && !told.iter().any(|it| it.starts_with("-1 ")), "{told:?}");
    }

    #[test]
    fn weights_are_summed() {
        let weights = Weights::read("# none\n-1.5\norder -1:.5 line:-.25\n# name:2\n");
        assert_eq!((weights.base, weights.words.len()), (-1.5, 2));
        let mut around = around(TEXT);
        let number = around.numbers.get_index_of("order").expect("the text says it");
        around.weights[0] = (vec![None; around.numbers.len()], weights.base);
        around.weights[0].0[number] = Some(Box::leak(Box::new(weights.words["order"])));
        let said = around.noun(&["today".to_owned()]);
        // `orders` stands before `today` and on its line.
        assert!((around.weight(For::Thing, &said) - -1.25).abs() < 1e-6);
    }

    #[test]
    fn the_weights_that_were_learnt_are_whole() {
        for weights in [&THING, &MEMBER] {
            assert!(weights.words.len() > 1000 && weights.base.is_finite());
            assert!(weights.words.values().all(|it| it.len() == PLACES.len() && it.iter().any(|it| *it != 0.0)));
        }
    }
}
