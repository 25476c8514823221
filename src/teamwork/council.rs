//! The council: its members look at the same time, each in a checkout of its own that nobody keeps.

use std::thread;

use super::pieces::Piece;
use super::single::tried;
use super::{Drive, TeamworkError};
use crate::council::{Member, Submission};
use crate::devteam::Session;

impl Drive<'_> {
    /// Has every member that has not spoken in this round speak, and hands in what they say in their order.
    pub(super) fn council(&mut self, session: &Session) -> Result<(), TeamworkError> {
        let council = session.now.council.clone().unwrap_or_default();
        let waiting = council.waiting();
        let task = session.now.task.clone().unwrap_or_default();
        let agents = &self.team.agents;
        let own = |member: Member| agents.get(member.name()).map(|it| it.instructions.clone()).unwrap_or_default();
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
                        &council.question(member, &own(member), &task.description),
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
                let submission = Submission::of(member, answer);
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
}
