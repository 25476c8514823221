//! What the operations of a service take, one operation a line, for `requests` blocks.

use super::facts::written_taken as written;
use crate::model::{Request, ShapeTable};
use crate::project::Project;

/// What every operation of the services takes, one a line, sorted by place; of the path only those parameters of which
/// more than the name is known:
///
/// ```text
/// app.py:4 PUT /users/{id}: path id: integer; query page?: integer; body User{name: string}
/// app.py:9 GET /users: nothing
/// app.py:9 GET /any: other parameters (the handler reads the request itself); other bodies (the same)
/// ```
///
/// `page?` and `body?` may be left out; a media type that is not JSON stands before its shape. What is called `other …`
/// may be taken besides, for the reason in brackets.
pub fn render_requests(project: &Project) -> String {
    let mut lines = Vec::new();
    for service in &project.services {
        for operation in &service.operations {
            let at = project.sources.positions(operation.span).0;
            let path = project.sources.path(operation.span);
            let taken = taken(&operation.request, &service.shapes);
            lines.push((path, at, format!("{path}:{} {}: {taken}", at.line, operation.title())));
        }
    }
    lines.sort();
    lines.into_iter().map(|(_, _, line)| line.replace(['\n', '\r'], " ") + "\n").collect()
}

pub(super) fn taken(request: &Request, shapes: &ShapeTable) -> String {
    let mark = |required: bool| if required { "" } else { "?" };
    let mut parts: Vec<String> = request
        .parameters
        .iter()
        .map(|parameter| {
            let place = parameter.place.name();
            let shape = written(parameter.shape, shapes);
            format!("{place} {}{}: {shape}", parameter.name, mark(parameter.required))
        })
        .collect();
    let bodies: Vec<String> = request
        .bodies
        .iter()
        .map(|body| {
            let media = if body.is_json() { String::new() } else { format!("{} ", body.media) };
            media + &written(body.shape, shapes)
        })
        .collect();
    if let Some(first) = request.bodies.first() {
        parts.push(format!("body{} {}", mark(first.required), bodies.join(" or ")));
    }
    let others = [("other parameters", &request.other_parameters), ("other bodies", &request.other_bodies)];
    let others = others.iter().filter_map(|(what, why)| Some(format!("{what} ({})", why.as_ref()?.text)));
    parts.extend(others);
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}
