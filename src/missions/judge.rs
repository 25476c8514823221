//! How good a result is: a number from 0 to 100 against the criteria.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::Made;
use super::mission::Criterion;

/// Who judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// The validators alone: what they cannot look at counts for nothing.
    #[default]
    Validators,
    Model,
}

/// A score, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    pub score: f64,
    pub issues: Vec<String>,
    pub suggestions: Vec<String>,
    pub judged: Judged,
    /// Criteria that nobody could look at.
    pub unjudged: Vec<String>,
}

/// The share of the criteria that a result meets, by their weights, as far as they can be checked without a model. Where none can
/// be, the score is 100 if nothing is lacking (`lacks`), else 0.
pub fn score(criteria: &[Criterion], lacks: &[String], made: Made<'_>) -> Judgement {
    let mut judgement = Judgement { issues: lacks.to_vec(), ..Judgement::default() };
    let (mut met, mut all) = (0.0, 0.0);
    for it in criteria {
        let Some(check) = &it.check else {
            judgement.unjudged.push(it.criterion.clone());
            continue;
        };
        all += it.weight;
        match check.run(made) {
            Ok(()) => met += it.weight,
            Err(why) => judgement.issues.push(format!("{}: {why}", it.criterion)),
        }
    }
    judgement.score = match (all > 0.0, lacks.is_empty()) {
        (true, _) => 100.0 * met / all,
        (false, true) => 100.0,
        (false, false) => 0.0,
    };
    judgement
}

impl Judgement {
    /// What a model answered: `{overall_score, criteria_scores, issues, suggestions}`. Where it scores each criterion, their
    /// weighted mean is the score, whatever it says of the whole.
    ///
    /// # Errors
    /// The answer has no score from 0 to 100.
    pub fn of_model(answer: &Value, criteria: &[Criterion]) -> Result<Judgement, String> {
        let texts = |key: &str| -> Vec<String> {
            answer[key].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let is_score = |it: &f64| (0.0..=100.0).contains(it);
        let each: Option<Vec<f64>> = criteria
            .iter()
            .map(|it| answer["criteria_scores"].get(&it.criterion).and_then(Value::as_f64).filter(is_score))
            .collect();
        let mean = each
            .filter(|it| !it.is_empty())
            .map(|each| each.iter().zip(criteria).map(|(score, it)| score * it.weight).sum::<f64>());
        let whole = answer["overall_score"].as_f64().filter(is_score);
        let score = mean.or(whole).ok_or("the answer of the judge has no score from 0 to 100")?;
        Ok(Judgement {
            score,
            issues: texts("issues"),
            suggestions: texts("suggestions"),
            judged: Judged::Model,
            unjudged: Vec::new(),
        })
    }
}
