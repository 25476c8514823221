//! Variables: what code reads, and what compose files take from outside, against what defines any.

use std::collections::{BTreeMap, BTreeSet};

use super::super::place::report;
use super::{BLANK_VARIABLE, UNDEFINED_VARIABLE, built_around, is_around};
use crate::finding::Sink;
use crate::model::Seen;
use crate::text::Span;
use crate::workspace::{Workspace, directory, resolve};

/// What shells, platforms, build servers and bundlers define.
const BUILT_IN: &[&str] = &[
    "NODE_ENV",
    "PATH",
    "HOME",
    "USER",
    "SHELL",
    "PWD",
    "LANG",
    "TERM",
    "TZ",
    "CI",
    "DEBUG",
    "LOG_LEVEL",
    "HOSTNAME",
    "TMPDIR",
    "TEMP",
    "TMP",
    "EDITOR",
    "DISPLAY",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "COMPUTERNAME",
    "USERNAME",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "NODE_OPTIONS",
    "INIT_CWD",
    "MODE",
    "BASE_URL",
    "PROD",
    "DEV",
    "SSR",
    "PUBLIC_URL",
    "PORT",
    "NEXT_RUNTIME",
    "ASPNETCORE_ENVIRONMENT",
    "DOTNET_ENVIRONMENT",
    "COMPOSE_PROJECT_NAME",
    "FORCE_COLOR",
    "NO_COLOR",
];
const BUILT_IN_BEGINNINGS: &[&str] = &[
    "npm_",
    "GITHUB_",
    "GITLAB_",
    "CI_",
    "VERCEL_",
    "NETLIFY_",
    "RENDER_",
    "RAILWAY_",
    "HEROKU_",
    "KUBERNETES_",
    "AWS_LAMBDA_",
    "XDG_",
    "JEST_",
    "VITEST",
    "PYTEST_",
    "ANTHROPIC_",
    "OPENAI_",
];

fn is_built_in(name: &str) -> bool {
    BUILT_IN.contains(&name) || BUILT_IN_BEGINNINGS.iter().any(|start| name.starts_with(start))
}

/// Variables that code needs and nothing defines: each is told once, where it is read first.
pub(super) fn of_code(files: &Workspace, sink: &mut Sink<'_>) {
    let defined = defined(files);
    let mut missing: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    let mut optional: BTreeSet<&str> = BTreeSet::new();
    for watched in files.watched.iter().filter(|it| !it.is_test) {
        if is_tool(&watched.path) || !is_whole(files, &watched.path) {
            continue;
        }
        for sight in &watched.sights {
            match &sight.what {
                Seen::Variable { name, optional: true } => {
                    optional.insert(name);
                }
                Seen::Variable { name, optional: false } if !is_built_in(name) && !defined.contains(name.as_str()) => {
                    missing.entry(name).or_default().push(sight.span);
                }
                _ => {}
            }
        }
    }
    for (name, spans) in missing {
        // Where the code says elsewhere what holds without it, it knows that it may be missing.
        if optional.contains(name) {
            continue;
        }
        let more: Vec<(Span, &str)> = spans[1..].iter().take(3).map(|span| (*span, "read here too")).collect();
        report(sink, UNDEFINED_VARIABLE, (spans[0], name), &[("name", &format!("`{name}`"))], &more);
    }
}

/// Scripts that people run by hand, and what is only for tests.
fn is_tool(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let is_folder = |part: &&&str| {
        matches!(**part, "scripts" | "script" | "tools" | "e2e" | "cypress" | "playwright" | "docs" | "benchmarks")
    };
    parts[..parts.len().saturating_sub(1)].iter().any(|part| is_folder(&part))
        || parts.last().is_some_and(|name| {
            name.contains(".config.") || name.starts_with("playwright") || name.starts_with("cypress")
        })
}

/// Whether all that could define a variable of a file is known: it is deployed by a compose file, whose own files of
/// variables are there, or some file lists the variables.
fn is_whole(files: &Workspace, path: &str) -> bool {
    let services = built_around(files, path);
    let is_there = |named: &str| files.environments.iter().any(|it| it.path == named);
    let is_unknown = services.iter().any(|(_, service)| {
        service.extends || service.env_files.iter().any(|(path, _)| !is_there(path) && !is_listed_beside(files, path))
    });
    let is_described = files.environments.iter().any(|it| is_around(&it.path, path) && !it.it.is_empty());
    let is_given = services.iter().any(|(_, service)| !service.environment.is_empty() || !service.env_files.is_empty());
    !services.is_empty() && !is_unknown && (is_described || is_given)
}

/// Whether a file of variables that is not there has an example beside it.
fn is_listed_beside(files: &Workspace, path: &str) -> bool {
    let folder = directory(path);
    files
        .environments
        .iter()
        .any(|it| directory(&it.path) == folder && it.path.rsplit('/').next().is_some_and(is_example))
}

fn is_example(name: &str) -> bool {
    ["example", "sample", "template", "dist", "defaults"].iter().any(|word| name.contains(word))
}

/// Every name that anything defines.
fn defined(files: &Workspace) -> BTreeSet<&str> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for service in files.composes.iter().flat_map(|it| &it.it.services) {
        names.extend(service.environment.iter().map(|(name, _)| name.as_str()));
    }
    names.extend(files.composes.iter().flat_map(|it| &it.it.variables).map(|it| it.name.as_str()));
    names.extend(files.environments.iter().flat_map(|it| &it.it).map(String::as_str));
    names.extend(files.dockerfiles.iter().flat_map(|it| &it.it.variables).map(String::as_str));
    for sight in files.watched.iter().flat_map(|it| &it.sights) {
        if let Seen::Given(name) = &sight.what {
            names.insert(name);
        }
    }
    names
}

/// Variables of a compose file without a default that no file of variables around it defines: they are blank.
pub(super) fn of_compose(files: &Workspace, sink: &mut Sink<'_>) {
    for compose in files.composes.iter().filter(|it| it.it.is_main) {
        let folder = directory(&compose.path);
        let around = |path: &str| {
            let here = directory(path);
            here == folder || here == "." || resolve(folder, "..").as_deref() == Some(here)
        };
        let files_around = files.environments.iter().filter(|it| around(&it.path));
        let defined: BTreeSet<&str> = files_around.flat_map(|it| &it.it).map(String::as_str).collect();
        let mut told: BTreeSet<&str> = BTreeSet::new();
        let settled = compose.it.variables.iter().filter(|it| it.is_settled);
        let settled: BTreeSet<&str> = settled.map(|it| it.name.as_str()).collect();
        for variable in compose.it.variables.iter().filter(|it| !it.is_settled) {
            let name = variable.name.as_str();
            let is_known = is_built_in(name) || defined.contains(name) || settled.contains(name);
            if !is_known && told.insert(name) {
                report(sink, BLANK_VARIABLE, (variable.span, name), &[("name", &format!("`{name}`"))], &[]);
            }
        }
    }
}
