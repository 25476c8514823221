//! Whether a team can work here. The conditions are asked in order, and none after the first that does not hold.

use crate::settings::AgentTeams;

/// The variable that switches teams on in the client.
pub(in crate::orchestrate::executors) const VARIABLE: &str = "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS";

/// What is asked of the world: each answer says what is missing.
pub(in crate::orchestrate::executors) struct World<'w> {
    /// Value of [`VARIABLE`].
    pub(in crate::orchestrate::executors) variable: Option<String>,
    pub(in crate::orchestrate::executors) client: &'w dyn Fn() -> Option<String>,
    pub(in crate::orchestrate::executors) terminal: &'w dyn Fn() -> Option<String>,
}

/// What the conditions come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::orchestrate::executors) enum Detected {
    Teams,
    /// One session for each task, and why.
    Plain(Missing, String),
    /// Neither: a team was wanted, and nothing may take its place.
    Refused(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::orchestrate::executors) enum Missing {
    /// Nobody asked for a team.
    Wish,
    Variable,
    /// The client or a terminal: a team was begun and cannot be made.
    Means,
}

/// The table. `asked`: a team was asked for by name, which is as good as `enabled`.
pub(in crate::orchestrate::executors) fn detect(settings: &AgentTeams, asked: bool, world: &World<'_>) -> Detected {
    if !settings.enabled && !asked {
        return Detected::Plain(Missing::Wish, "not enabled in [agent-teams]".to_owned());
    }
    if world.variable.as_deref() != Some("1") {
        return Detected::Plain(Missing::Variable, format!("{VARIABLE} is not 1"));
    }
    let Some(why) = (world.client)().or_else(world.terminal) else { return Detected::Teams };
    if settings.fallback_to_cli { Detected::Plain(Missing::Means, why) } else { Detected::Refused(why) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(enabled: bool, fallback_to_cli: bool) -> AgentTeams {
        AgentTeams { enabled, fallback_to_cli, ..AgentTeams::default() }
    }

    fn never() -> Option<String> {
        panic!("this is not to be asked")
    }

    /// What comes of a value of the variable, a client and a terminal that answer as told.
    fn told(enabled: bool, asked: bool, fallback: bool, world: &World<'_>) -> Detected {
        detect(&settings(enabled, fallback), asked, world)
    }

    #[test]
    fn row_1_nobody_asked_for_a_team() {
        for fallback in [true, false] {
            let world = World { variable: Some("1".into()), client: &never, terminal: &never };
            assert!(matches!(told(false, false, fallback, &world), Detected::Plain(Missing::Wish, _)));
        }
    }

    #[test]
    fn row_2_the_variable_is_not_1() {
        for (fallback, value) in
            [(true, None), (false, None), (true, Some("0")), (false, Some("true")), (true, Some(""))]
        {
            let world = World { variable: value.map(str::to_owned), client: &never, terminal: &never };
            for asked in [true, false] {
                assert!(
                    matches!(told(true, asked, fallback, &world), Detected::Plain(Missing::Variable, _)),
                    "{value:?}"
                );
            }
        }
    }

    #[test]
    fn row_3_the_client_does_not_answer() {
        let client = || Some("no client".to_owned());
        let world = World { variable: Some("1".into()), client: &client, terminal: &never };
        assert_eq!(told(true, false, true, &world), Detected::Plain(Missing::Means, "no client".into()));
        assert_eq!(told(true, false, false, &world), Detected::Refused("no client".into()));
    }

    #[test]
    fn row_4_there_is_no_terminal() {
        let terminal = || Some("no terminal".to_owned());
        let world = World { variable: Some("1".into()), client: &|| None, terminal: &terminal };
        assert_eq!(told(false, true, true, &world), Detected::Plain(Missing::Means, "no terminal".into()));
        assert_eq!(told(false, true, false, &world), Detected::Refused("no terminal".into()));
    }

    #[test]
    fn row_5_else_a_team() {
        let world = World { variable: Some("1".into()), client: &|| None, terminal: &|| None };
        for (enabled, asked, fallback) in
            [(true, false, true), (true, false, false), (false, true, true), (false, true, false)]
        {
            assert_eq!(told(enabled, asked, fallback, &world), Detected::Teams);
        }
    }
}
