//! Five members look for the cause of failures; instant-runoff voting decides whose fix is tried
//! (<https://en.wikipedia.org/wiki/Instant-runoff_voting>).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::Value;

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

impl Decision {
    /// In words for whoever tries the fix.
    pub fn told(&self) -> String {
        format!("Cause: {}\nFix: {}\n{}", self.root_cause, self.recommended_fix, self.additional_context.join("\n"))
    }
}

impl Submission {
    /// Of the JSON that a member answered. An answer that cannot be read counts with no confidence, and says why.
    pub fn of(member: Member, answer: Result<Value, String>) -> Submission {
        let answer = match answer {
            Ok(answer) => answer,
            Err(why) => serde_json::json!({"findings": [format!("no answer: {why}")], "hypothesis": "no answer"}),
        };
        let text =
            |keys: [&str; 2]| keys.iter().find_map(|it| answer[*it].as_str()).map(str::to_owned).unwrap_or_default();
        let list = |key: &str| -> Vec<String> {
            answer[key].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let mut ranking: Vec<Member> = Vec::new();
        for name in list("ranking") {
            let named = Member::ALL.into_iter().find(|it| it.name() == name.replace('-', "_"));
            ranking.extend(named.filter(|it| !ranking.contains(it)));
        }
        Submission {
            member,
            findings: list("findings"),
            hypothesis: text(["hypothesis", "rootCause"]),
            suggested_fix: text(["suggested_fix", "suggestedFix"]),
            confidence: answer["confidence"].as_f64().unwrap_or(0.0).clamp(0.0, 100.0),
            ranking,
        }
    }
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
    /// The question to a member in this round: its analysis, or its ranking. `own`: what the member is told about itself; `task`: what
    /// is stuck.
    pub fn question(&self, member: Member, own: &str, task: &str) -> String {
        let mut text = format!(
            "A task is stuck, and five look for the cause, each from one side. Yours: {}. {own}\n\nThe task: {task}\n",
            member.perspective(),
        );
        if !self.is_ranking() {
            text.push_str(
                "\nAnswer `{\"findings\": [texts], \"hypothesis\": \"the cause\", \"suggested_fix\": \"what to do\", \"confidence\": 0 \
                 to 100}`.",
            );
            return text;
        }
        text.push_str("\nAll five have spoken:\n\n");
        for it in &self.analyses {
            let (who, why, fix) = (it.member.name(), &it.hypothesis, &it.suggested_fix);
            let _ = writeln!(text, "- {who} ({}): {why} Fix: {fix}", it.confidence);
        }
        text.push_str("\nAnswer `{\"ranking\": [names of all five, the one whose fix is best first]}`.");
        text
    }

    /// Whether all have analysed, and nobody knows of a fix: there is nothing to rank.
    pub fn is_at_a_loss(&self) -> bool {
        self.is_ranking() && self.analyses.iter().all(|it| it.suggested_fix.trim().is_empty())
    }

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
