//! The council: its members look at the same time, each in a checkout of its own that nobody keeps.

use std::fmt::Write as _;
use std::thread;

use serde_json::Value;

use super::pieces::Piece;
use super::single::tried;
use super::{Drive, TeamworkError};
use crate::devteam::Session;
use crate::devteam::council::{Council, Member, Submission};

impl Drive<'_> {
    /// Has every member that has not spoken in this round speak, and hands in what they say in their order.
    pub(super) fn council(&mut self, session: &Session) -> Result<(), TeamworkError> {
        let council = session.now.council.clone().unwrap_or_default();
        let waiting = council.waiting();
        let revision = self.git.snapshot()?;
        let count = waiting.len().max(1) as u64;
        // Each council has two rounds.
        let round = session.now.councils.saturating_sub(1) * 2 + u32::from(council.is_ranking()) + 1;
        let share = session.left().map(|it| crate::ledger::Usd(it.0 / count));
        let pieces: Vec<(Member, Piece)> = waiting
            .into_iter()
            .map(|member| {
                let piece = Piece {
                    learnt: tried(session, &self.team.settings),
                    allowance: share,
                    model: self.hands.model(&self.team.settings, session.now.model),
                    ..Piece::question(
                        &format!("council-{}", member.name()),
                        round,
                        &self.asked(session, &council, member),
                    )
                };
                (member, piece)
            })
            .collect();
        for group in pieces.chunks(self.jobs) {
            let (hands, git, cancel, revision) = (&self.hands, &self.git, self.cancel, &revision);
            let answers: Vec<_> = thread::scope(|scope| {
                let begun: Vec<_> = group
                    .iter()
                    .map(|(member, piece)| (*member, scope.spawn(move || hands.ask(piece, git, revision, cancel))))
                    .collect();
                begun.into_iter().map(|(member, it)| (member, it.join())).collect()
            });
            for (member, answered) in answers {
                let Ok(answered) = answered else {
                    return Err(TeamworkError::Refused(format!("the work of {} broke off", member.name())));
                };
                let (answer, result) = answered?;
                self.book(&result, "council")?;
                // What was cut off is asked again when the session goes on.
                if self.cancel.is_wanted() {
                    return Ok(());
                }
                let submission = submission(member, answer);
                let said = match submission.ranking.first() {
                    Some(best) if council.is_ranking() => format!("trusts the fix of {} most", best.name()),
                    _ if council.is_ranking() => "ranks by confidence".to_owned(),
                    _ => submission.hypothesis.clone(),
                };
                (self.hear)(&format!("{}: {said}", member.name()));
                self.team.submit(submission)?;
            }
        }
        Ok(())
    }

    fn asked(&self, session: &Session, council: &Council, member: Member) -> String {
        let task = session.now.task.clone().unwrap_or_default();
        let own = self.team.agents.get(member.name()).map(|it| it.instructions.clone()).unwrap_or_default();
        let mut text = format!(
            "A task is stuck, and five look for the cause, each from one side. Yours: {}. {own}\n\nThe task: {}\n",
            member.perspective(),
            task.description
        );
        if council.is_ranking() {
            text.push_str("\nAll five have spoken:\n\n");
            for it in &council.analyses {
                let (who, why, fix) = (it.member.name(), &it.hypothesis, &it.suggested_fix);
                let _ = writeln!(text, "- {who} ({}): {why} Fix: {fix}", it.confidence);
            }
            text.push_str("\nAnswer `{\"ranking\": [names of all five, the one whose fix is best first]}`.");
        } else {
            text.push_str(
                "\nAnswer `{\"findings\": [texts], \"hypothesis\": \"the cause\", \"suggested_fix\": \"what to do\", \"confidence\": 0 \
                 to 100}`.",
            );
        }
        text
    }
}

/// What a member answered; an answer that cannot be read counts with no confidence, and says why.
fn submission(member: Member, answer: Result<Value, String>) -> Submission {
    let answer = answer.unwrap_or_else(|why| {
        serde_json::json!({"findings": [format!("no answer: {why}")], "hypothesis": "no answer", "suggested_fix": ""})
    });
    let text = |keys: [&str; 2]| keys.iter().find_map(|it| answer[*it].as_str()).map(str::to_owned).unwrap_or_default();
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
