//! Whether output has colours: as the command line says, else as the environment does, else on terminals.

use std::ffi::OsString;
use std::sync::atomic::{AtomicU8, Ordering};

use clap::{ColorChoice, ValueEnum};

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Colours {
    /// On terminals, unless the environment says otherwise (`NO_COLOR`, `CLICOLOR_FORCE`, `FORCE_COLOR`)
    #[default]
    Auto,
    Always,
    Never,
}

/// What the command line says; the program is started once.
static CHOSEN: AtomicU8 = AtomicU8::new(Colours::Auto as u8);

/// Holds for all that is printed from now on.
pub(super) fn choose(colours: Colours) {
    CHOSEN.store(colours as u8, Ordering::Relaxed);
}

/// Whether the command line asks for colours, wherever output goes.
pub(super) fn are_always() -> bool {
    CHOSEN.load(Ordering::Relaxed) == Colours::Always as u8
}

/// Whether standard output or standard error has colours.
pub(super) fn are_shown(on_terminal: bool) -> bool {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    let is = |colours: Colours| chosen == colours as u8;
    is(Colours::Always) || (!is(Colours::Never) && environment(|name| std::env::var_os(name), on_terminal))
}

/// What the environment says, the first that says anything: `NO_COLOR` (<https://no-color.org>), `CLICOLOR_FORCE`
/// (<https://bixense.com/clicolors/>), `FORCE_COLOR` (<https://force-color.org>, where `0` and `false` mean nothing, as in
/// Node), `CLICOLOR=0`, a terminal that cannot.
fn environment(variable: impl Fn(&str) -> Option<OsString>, on_terminal: bool) -> bool {
    let said = |name: &str| variable(name).filter(|value| !value.is_empty());
    let is_on = |name: &str| said(name).is_some_and(|value| value != "0" && value != "false");
    if said("NO_COLOR").is_some() {
        return false;
    }
    if is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR") {
        return true;
    }
    on_terminal && said("CLICOLOR").is_none_or(|value| value != "0") && said("TERM").is_none_or(|value| value != "dumb")
}

/// What the arguments ask for, before they are understood: their own help and errors have colours too.
pub(super) fn asked(arguments: &[OsString]) -> ColorChoice {
    let mut words = arguments.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--");
    let mut asked = ColorChoice::Auto;
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--color") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        asked = match value {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            _ => asked,
        };
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_read_in_its_order() {
        for (variables, on_terminal, on_pipe) in [
            (&[][..], true, false),
            (&[("NO_COLOR", "1")], false, false),
            (&[("NO_COLOR", "")], true, false),
            (&[("NO_COLOR", "1"), ("FORCE_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false, false),
            (&[("FORCE_COLOR", "1")], true, true),
            (&[("FORCE_COLOR", "3")], true, true),
            (&[("FORCE_COLOR", "0")], true, false),
            (&[("FORCE_COLOR", "")], true, false),
            (&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], true, true),
            (&[("CLICOLOR_FORCE", "0")], true, false),
            (&[("CLICOLOR", "0")], false, false),
            (&[("CLICOLOR", "1")], true, false),
            (&[("TERM", "dumb")], false, false),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(*value))
            };
            assert_eq!(environment(variable, true), on_terminal, "{variables:?}");
            assert_eq!(environment(variable, false), on_pipe, "{variables:?}");
        }
    }

    #[test]
    fn the_arguments_say_it_wherever_they_do() {
        let asked = |words: &[&str]| super::asked(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(asked(&["treaty", "scan", "--color", "never", "--help"]), ColorChoice::Never);
        assert_eq!(asked(&["treaty", "--color=always", "scan"]), ColorChoice::Always);
        assert_eq!(asked(&["treaty", "scan", "--", "--color=always"]), ColorChoice::Auto);
        assert_eq!(asked(&["treaty", "scan", "--color=red", "--color"]), ColorChoice::Auto);
    }
}
