//! Five members look for the cause of failures; instant-runoff voting decides whose fix is tried
//! (<https://en.wikipedia.org/wiki/Instant-runoff_voting>).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Who sits in the council, in the order in which they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "serve", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Member {
    RootCauseAnalyst,
    CodeArchaeologist,
    PatternMatcher,
    SystemsThinker,
    AdversarialTester,
}

impl Member {
    pub const ALL: [Member; 5] = [
        Member::RootCauseAnalyst,
        Member::CodeArchaeologist,
        Member::PatternMatcher,
        Member::SystemsThinker,
        Member::AdversarialTester,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Member::RootCauseAnalyst => "root_cause_analyst",
            Member::CodeArchaeologist => "code_archaeologist",
            Member::PatternMatcher => "pattern_matcher",
            Member::SystemsThinker => "systems_thinker",
            Member::AdversarialTester => "adversarial_tester",
        }
    }

    /// What the member looks at.
    pub fn perspective(self) -> &'static str {
        match self {
            Member::RootCauseAnalyst => "analysis of the errors, and hypotheses",
            Member::CodeArchaeologist => "history of the code, and regressions",
            Member::PatternMatcher => "similar bugs, and patterns that are known to fail",
            Member::SystemsThinker => "dependencies and architecture",
            Member::AdversarialTester => "edge cases and attacks",
        }
    }
}

/// What a member found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    pub member: Member,
    pub findings: Vec<String>,
    pub hypothesis: String,
    pub suggested_fix: String,
    /// 0 to 100.
    pub confidence: f64,
    /// Members by how much their fixes are trusted, the best first.
    pub ranking: Vec<Member>,
}

/// A council at work: first everyone's analysis, then everyone's ranking of all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Council {
    pub analyses: Vec<Submission>,
    pub rankings: Vec<(Member, Vec<Member>)>,
}

/// What a council found, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    pub winning_proposal: Member,
    pub votes: BTreeMap<Member, Vec<Member>>,
    /// Who was left out in each round.
    pub eliminated: Vec<Member>,
    pub root_cause: String,
    pub recommended_fix: String,
    /// The findings of all.
    pub additional_context: Vec<String>,
}

impl Council {
    /// Who is asked next; none where everyone has ranked.
    pub fn next(&self) -> Option<Member> {
        self.waiting().first().copied()
    }

    /// Who has not spoken in this round, in the order in which they are asked.
    pub fn waiting(&self) -> Vec<Member> {
        let is_ranking = self.is_ranking();
        let has_spoken = |it: &Member| {
            if is_ranking {
                self.rankings.iter().any(|ranking| ranking.0 == *it)
            } else {
                self.analyses.iter().any(|analysis| analysis.member == *it)
            }
        };
        Member::ALL.into_iter().filter(|it| !has_spoken(it)).collect()
    }

    /// Whether everyone has analysed, and rankings are asked for.
    pub fn is_ranking(&self) -> bool {
        self.analyses.len() == Member::ALL.len()
    }

    /// Takes an analysis, or a ranking once all analyses are there.
    ///
    /// # Errors
    /// A member that has spoken in this round, a ranking that names somebody twice, a confidence that is none.
    pub fn take(&mut self, submission: Submission) -> Result<(), String> {
        if !(0.0..=100.0).contains(&submission.confidence) {
            return Err("`confidence` is a number from 0 to 100".to_owned());
        }
        let ranking = &submission.ranking;
        if let Some(twice) = ranking.iter().enumerate().find(|(at, it)| ranking[..*at].contains(it)) {
            return Err(format!("`ranking` names {} twice", twice.1.name()));
        }
        let member = submission.member;
        let round = if self.is_ranking() { "its ranking" } else { "its analysis" };
        let has_spoken = if self.is_ranking() {
            self.rankings.iter().any(|it| it.0 == member)
        } else {
            self.analyses.iter().any(|it| it.member == member)
        };
        if has_spoken {
            let next = self.next().map_or("nobody", Member::name);
            return Err(format!("{} has given {round}; {next} is next", member.name()));
        }
        if self.is_ranking() {
            let whole = self.whole(member, &submission.ranking);
            self.rankings.push((member, whole));
        } else {
            self.analyses.push(submission);
        }
        Ok(())
    }

    /// A ranking of all: who is not named follows, its own fix first and then by confidence.
    fn whole(&self, member: Member, named: &[Member]) -> Vec<Member> {
        let mut ranking = named.to_vec();
        let mut rest: Vec<Member> = Member::ALL.into_iter().filter(|it| !ranking.contains(it)).collect();
        rest.sort_by(|a, b| {
            let own = (*b == member).cmp(&(*a == member));
            own.then(self.confidence(*b).total_cmp(&self.confidence(*a))).then(a.cmp(b))
        });
        ranking.extend(rest);
        ranking
    }

    fn confidence(&self, member: Member) -> f64 {
        self.analyses.iter().find(|it| it.member == member).map_or(0.0, |it| it.confidence)
    }

    /// The decision; none before everyone has ranked.
    pub fn decision(&self) -> Option<Decision> {
        if self.next().is_some() {
            return None;
        }
        let mut left = Member::ALL.to_vec();
        let mut eliminated = Vec::new();
        loop {
            let first = |ranking: &[Member]| ranking.iter().find(|it| left.contains(it)).copied();
            let votes = |it: Member| self.rankings.iter().filter(|ranking| first(&ranking.1) == Some(it)).count();
            // Of those with as many votes the one that is surest stays longest.
            let by_votes = |a: &&Member, b: &&Member| {
                votes(**a).cmp(&votes(**b)).then(self.confidence(**a).total_cmp(&self.confidence(**b))).then(b.cmp(a))
            };
            let best = *left.iter().max_by(by_votes)?;
            if votes(best) * 2 > self.rankings.len() || left.len() == 1 {
                return self.won(best, eliminated);
            }
            let last = *left.iter().min_by(by_votes)?;
            left.retain(|it| *it != last);
            eliminated.push(last);
        }
    }

    fn won(&self, winner: Member, eliminated: Vec<Member>) -> Option<Decision> {
        let analysis = self.analyses.iter().find(|it| it.member == winner)?;
        let findings = |it: &Submission| -> Vec<String> {
            it.findings.iter().map(|finding| format!("{}: {finding}", it.member.name())).collect()
        };
        Some(Decision {
            winning_proposal: winner,
            votes: self.rankings.iter().cloned().collect(),
            eliminated,
            root_cause: analysis.hypothesis.clone(),
            recommended_fix: analysis.suggested_fix.clone(),
            additional_context: self.analyses.iter().flat_map(findings).collect(),
        })
    }
}
