//! Who may call an operation: what a call has to bring, as dependencies of its handler.

use minijinja::{Value as Data, context};

use super::Writer;
use crate::scaffold::model::{Guard, Operation};
use crate::scaffold::python::{self, Imports};

impl Writer<'_> {
    pub(super) fn guard_name(&self, operation: &Operation) -> Option<String> {
        let all = self.guarded();
        let own = guard_key(operation)?;
        let at = all.iter().position(|it| *it == own)?;
        Some(if at == 0 { "known_client".to_owned() } else { format!("known_client{}", at + 1) })
    }

    pub(super) fn guarded(&self) -> Vec<(Vec<Guard>, String)> {
        let mut all = Vec::new();
        for key in self.service.operations.iter().filter_map(guard_key) {
            if !all.contains(&key) {
                all.push(key);
            }
        }
        all
    }

    fn guards(&self) -> Vec<Data> {
        let written = |(at, (guards, refusal)): (usize, (Vec<Guard>, String))| {
            let name = if at == 0 { "known_client".to_owned() } else { format!("known_client{}", at + 1) };
            let given: Vec<Data> = guards
                .iter()
                .enumerate()
                .map(|(at, guard)| {
                    let own = |base: &str| if at == 0 { base.to_owned() } else { format!("{base}{}", at + 1) };
                    let key = |kind: &str, name: &str| {
                        let ty = format!(
                            "Annotated[str | None, Security({kind}(name={}, auto_error=False))]",
                            python::text(name)
                        );
                        (own("key"), ty, "{} or \"\"".replace("{}", &own("key")))
                    };
                    let (name, ty, secret) = match guard {
                        Guard::Scheme(scheme) if scheme == "Bearer" => (
                            own("bearer"),
                            "Annotated[HTTPAuthorizationCredentials | None, Security(HTTPBearer(auto_error=False))]"
                                .to_owned(),
                            format!("{0}.credentials if {0} else \"\"", own("bearer")),
                        ),
                        Guard::Scheme(scheme) => (
                            own("authorization"),
                            "Annotated[str, Header(alias=\"Authorization\")]".to_owned(),
                            format!("_secret({}, {})", own("authorization"), python::text(scheme)),
                        ),
                        Guard::Header(name) => key("APIKeyHeader", name),
                        Guard::Query(name) => key("APIKeyQuery", name),
                        Guard::Cookie(name) => key("APIKeyCookie", name),
                    };
                    let default =
                        if matches!(guard, Guard::Scheme(scheme) if scheme != "Bearer") { " = \"\"" } else { "" };
                    context! { parameter => format!("{name}: {ty}{default}"), secret, is_last => !default.is_empty() }
                })
                .collect();
            context! { name, given, refusal }
        };
        self.guarded().into_iter().enumerate().map(written).collect()
    }

    pub(super) fn security(&self) -> Data {
        let mut imports = Imports::default();
        imports.add("typing", "Annotated");
        let mut has_other = false;
        for guard in self.guarded().iter().flat_map(|(guards, _)| guards) {
            let names: &[&str] = match guard {
                Guard::Scheme(scheme) if scheme == "Bearer" => &["HTTPAuthorizationCredentials", "HTTPBearer"],
                Guard::Scheme(_) => {
                    imports.add("fastapi", "Header");
                    has_other = true;
                    continue;
                }
                Guard::Header(_) => &["APIKeyHeader"],
                Guard::Query(_) => &["APIKeyQuery"],
                Guard::Cookie(_) => &["APIKeyCookie"],
            };
            imports.add("fastapi", "Security");
            names.iter().for_each(|name| imports.add("fastapi.security", name));
        }
        imports.add("app.errors", "Refused");
        context! { guards => self.guards(), has_other, imports => imports.lines() }
    }
}

fn guard_key(operation: &Operation) -> Option<(Vec<Guard>, String)> {
    operation.unauthorised.as_ref().map(|answer| (operation.guards.clone(), Writer::refusal(answer)))
}
