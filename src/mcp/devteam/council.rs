//! The council: convened, heard, and what it decides.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::tool::{Call, Given, Refusal};
use super::{Nothing, told, tried};
use crate::council::{Council, Member, Submission};
use crate::devteam::{DevTeam, Stage};

pub(super) fn analyze(call: &Call<'_>, _: &Nothing) -> Result<Given, Refusal> {
    let said = call.place.team(|team| {
        let session = team.convene()?;
        let next = DevTeam::next_member(&session);
        let mut text = "The council meets. Each of five looks from one side, by itself:\n".to_owned();
        for (at, it) in Member::ALL.into_iter().enumerate() {
            let _ = writeln!(text, "{}. {}: {}", at + 1, it.name(), it.perspective());
        }
        let _ = writeln!(text, "\nWhat was tried:\n{}", tried(team, &session));
        let first = next.map_or("", Member::name);
        let council = session.now.council.clone().unwrap_or_default();
        text.push_str(&spoken(&council));
        let _ = write!(text, "Next: devteam_bug_council_submit for {first}.");
        let members: Vec<Value> =
            Member::ALL.iter().map(|it| json!({ "member": it.name(), "perspective": it.perspective() })).collect();
        Ok((
            text,
            json!({
                "members": members, "next": first, "ranking": council.is_ranking(), "analyses": analyses(&council),
                "task": session.now.task, "failureHistory": session.now.history,
            }),
        ))
    })?;
    Ok(told(said))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Submit {
    member: Member,
    findings: Vec<String>,
    /// The cause, as this member sees it.
    hypothesis: String,
    suggested_fix: String,
    /// 0 to 100.
    confidence: f64,
    /// Once all five have spoken: all members, the one whose fix is best first. Default: its own first, then by confidence.
    ranking: Option<Vec<Member>>,
}

pub(super) fn submit(call: &Call<'_>, asked: &Submit) -> Result<Given, Refusal> {
    let submission = Submission {
        member: asked.member,
        findings: asked.findings.clone(),
        hypothesis: asked.hypothesis.clone(),
        suggested_fix: asked.suggested_fix.clone(),
        confidence: asked.confidence,
        ranking: asked.ranking.clone().unwrap_or_default(),
    };
    let said = call.place.team(|team| {
        let session = team.submit(submission)?;
        if let (Stage::Executing, Some(decision)) = (session.now.stage, &session.now.decision) {
            let text = format!(
                "The council has decided for {}.\nCause: {}\nFix: {}\nAlso found:\n  {}\nNext: try this fix, then \
                 devteam_report_completion.",
                decision.winning_proposal.name(),
                decision.root_cause,
                decision.recommended_fix,
                decision.additional_context.join("\n  ")
            );
            return Ok((text, json!({ "decided": true, "decision": decision, "next": "devteam_report_completion" })));
        }
        let council = session.now.council.clone().unwrap_or_default();
        let next = council.next().map_or("", Member::name);
        let mut text = spoken(&council);
        let _ = write!(text, "Next: devteam_bug_council_submit for {next}.");
        let analyses = analyses(&council);
        Ok((text, json!({ "decided": false, "next": next, "ranking": council.is_ranking(), "analyses": analyses })))
    })?;
    Ok(told(said))
}

/// What all have said, once they have: each ranks after that.
fn spoken(council: &Council) -> String {
    let mut text = String::new();
    if council.is_ranking() {
        let _ = writeln!(text, "All five have spoken; each submits again with a ranking of all:");
        for it in &council.analyses {
            let (who, why, fix) = (it.member.name(), &it.hypothesis, &it.suggested_fix);
            let _ = writeln!(text, "{who} ({}): {why}. Fix: {fix}", it.confidence);
        }
    }
    text
}

/// The analyses once all are there: nobody sees those of others before.
fn analyses(council: &Council) -> Value {
    if council.is_ranking() { json!(council.analyses) } else { json!([]) }
}
