//! What a service sends, waits for and asks, for `wires` blocks.

use super::facts::written;
use super::requests::taken;
use crate::model::{Action, HttpCall, MessageUse, Method, Request, ShapeTable};
use crate::project::Project;
use crate::text::{Position, Span};

/// What is sent, waited for and asked, one a line, sorted by place:
///
/// ```text
/// app.py:4 kafka sends `orders`: Order{id: integer} (place_order)
/// app.py:9 fetch asks GET /users/{p1}: User{name: string} (load)
/// ```
pub fn render_wires(project: &Project) -> String {
    let lines = project.services.iter().flat_map(|service| {
        let messages = service.messages.iter().map(|message| (message.span, sent(message, &service.shapes)));
        let calls = service.calls.iter().map(|call| (call.span, asked(call, &service.shapes)));
        messages.chain(calls).collect::<Vec<_>>()
    });
    placed(project, lines.collect())
}

fn placed(project: &Project, lines: Vec<(Span, String)>) -> String {
    let sources = &project.sources;
    let place = |span: Span| (sources.path(span), sources.positions(span).0);
    let mut lines: Vec<_> = lines.into_iter().map(|(span, line)| (place(span), line)).collect();
    lines.sort();
    let written = |((path, at), line): ((&str, Position), String)| format!("{path}:{} {line}", at.line);
    lines.into_iter().map(|line| written(line).replace(['\n', '\r'], " ") + "\n").collect()
}

fn sent(message: &MessageUse, shapes: &ShapeTable) -> String {
    let does = if message.action == Action::Send { "sends" } else { "receives" };
    let channel = match &message.channel {
        Ok(name) => format!("`{name}`"),
        Err(reason) => format!("on an unknown channel ({})", reason.text),
    };
    let name = message.message.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    let payload = message.payload.map(|id| format!(": {}", written(id, shapes)));
    format!("{} {does}{name} {channel}{} ({})", message.library, payload.unwrap_or_default(), message.function)
}

fn asked(call: &HttpCall, shapes: &ShapeTable) -> String {
    let method = call.method.as_ref().map_or("?", |method| Method::name(*method));
    let url = match &call.url {
        Ok(url) => {
            let front = url.host.clone().unwrap_or_else(|| if url.whole { String::new() } else { "…".to_owned() });
            format!("{front}{}", url.path.text())
        }
        Err(reason) => format!("an unknown address ({})", reason.text),
    };
    let request = Request {
        parameters: call.parameters.clone(),
        bodies: call.body.iter().cloned().collect(),
        other_parameters: call.other_parameters.clone(),
        ..Request::default()
    };
    let given = Some(taken(&request, shapes)).filter(|given| given != "nothing").map(|given| format!(" with {given}"));
    let answer = call.answer.map(|id| format!(": {}", written(id, shapes))).unwrap_or_default();
    format!("{} asks {method} {url}{}{answer} ({})", call.library, given.unwrap_or_default(), call.function)
}
