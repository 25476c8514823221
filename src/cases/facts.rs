//! What a service serves, one operation a line, for `facts` blocks.

use crate::model::{
    Action, Additional, Field, HttpCall, Kind, MessageUse, Method, Object, Operation, ParameterPlace, Request,
    Response, ShapeId, ShapeTable,
};
use crate::project::{Project, Service};
use crate::text::{Position, Span};

/// Shapes within shapes are written out this deep.
const MAX_DEPTH: usize = 5;

/// Every operation that the services serve, and what could not be resolved, one a line, sorted by place:
///
/// ```text
/// app.py:4 GET /users/{id} -> read_user 200: User{id: integer, name: string?, note?: string}
/// app.py:9 unknown: the prefix is computed
/// ```
///
/// `string?` may be null, `note?` may be left out, `[T]` is an array and `{*: T}` a map. A type that is written out
/// already stands with its name alone where it comes again inside of itself.
pub fn render_facts(project: &Project) -> String {
    let mut lines = Vec::new();
    for service in &project.services {
        for operation in &service.operations {
            let at = project.sources.positions(operation.span).0;
            let path = project.sources.path(operation.span);
            lines.push((path, at, format!("{path}:{} {}", at.line, fact(operation, service))));
        }
        for reason in &service.unknown {
            let place = reason.span.map(|span| (project.sources.path(span), project.sources.positions(span).0));
            let (path, at) = place.unwrap_or(("", Position { line: 0, column: 0 }));
            let place = if path.is_empty() { String::new() } else { format!("{path}:{} ", at.line) };
            lines.push((path, at, format!("{place}unknown: {}", reason.text)));
        }
    }
    lines.sort();
    lines.into_iter().map(|(_, _, line)| line.replace(['\n', '\r'], " ") + "\n").collect()
}

/// What every operation takes, one a line, sorted by place:
///
/// ```text
/// app.py:4 POST /users takes path id: integer, query q?: string, header x-key: string, body User{name: string}
/// app.py:9 GET /users takes query q?: string, more (read from the request by a name that is not known)
/// ```
pub fn render_requests(project: &Project) -> String {
    let lines = project.services.iter().flat_map(|service| {
        let line = |operation: &Operation| {
            let taken = taken(&operation.request, &service.shapes);
            (
                operation.span,
                format!("{} takes {}", operation.title(), if taken.is_empty() { "nothing" } else { &taken }),
            )
        };
        service.operations.iter().map(line).collect::<Vec<_>>()
    });
    placed(project, lines.collect())
}

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

fn taken(request: &Request, shapes: &ShapeTable) -> String {
    let shape = |id| Writer { shapes, open: Vec::new() }.shape(id);
    let mut parts: Vec<String> = request
        .parameters
        .iter()
        .map(|it| {
            let place = match it.place {
                ParameterPlace::Path => "path",
                ParameterPlace::Query => "query",
                ParameterPlace::Header => "header",
                ParameterPlace::Cookie => "cookie",
            };
            format!("{place} {}{}: {}", it.name, if it.required { "" } else { "?" }, shape(it.shape))
        })
        .collect();
    parts.extend(request.bodies.iter().map(|body| {
        let media = if body.is_json() { String::new() } else { format!(" {}", body.media) };
        format!("body{}{media} {}", if body.required { "" } else { "?" }, shape(body.shape))
    }));
    parts.extend(request.other_parameters.iter().map(|reason| format!("more parameters ({})", reason.text)));
    parts.extend(request.other_bodies.iter().map(|reason| format!("another body ({})", reason.text)));
    parts.join(", ")
}

fn sent(message: &MessageUse, shapes: &ShapeTable) -> String {
    let does = if message.action == Action::Send { "sends" } else { "receives" };
    let channel = match &message.channel {
        Ok(name) => format!("`{name}`"),
        Err(reason) => format!("on an unknown channel ({})", reason.text),
    };
    let name = message.message.iter().map(|name| format!(" {name}")).collect::<String>();
    let payload = message.payload.map(|id| format!(": {}", Writer { shapes, open: Vec::new() }.shape(id)));
    format!("{} {does}{name} {channel}{} ({})", message.library, payload.unwrap_or_default(), message.function)
}

fn asked(call: &HttpCall, shapes: &ShapeTable) -> String {
    let shape = |id| Writer { shapes, open: Vec::new() }.shape(id);
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
        other_bodies: None,
    };
    let given = Some(taken(&request, shapes)).filter(|given| !given.is_empty()).map(|given| format!(" with {given}"));
    let answer = call.answer.map(|id| format!(": {}", shape(id))).unwrap_or_default();
    format!("{} asks {method} {url}{}{answer} ({})", call.library, given.unwrap_or_default(), call.function)
}

fn fact(operation: &Operation, service: &Service) -> String {
    let mut parts = vec![operation.title()];
    parts.extend(operation.implementation.as_ref().map(|code| format!("-> {}", code.handler)));
    let responses = operation.responses.iter().map(|response| answer(response, &service.shapes));
    parts.extend(Some(responses.collect::<Vec<_>>().join("; ")).filter(|responses| !responses.is_empty()));
    if let Some(code) = &operation.implementation {
        let marks = [(code.hidden, "hidden"), (code.conditional, "conditional"), (!code.mounted, "not mounted")];
        parts.extend(marks.iter().filter(|(set, _)| *set).map(|(_, mark)| format!("({mark})")));
    }
    parts.join(" ")
}

fn answer(response: &Response, shapes: &ShapeTable) -> String {
    let bodies: Vec<String> = response
        .bodies
        .iter()
        .map(|body| {
            let media = if body.is_json() { String::new() } else { format!("{} ", body.media) };
            media + &Writer { shapes, open: Vec::new() }.shape(body.shape)
        })
        .collect();
    let status = response.status.name();
    if bodies.is_empty() { status } else { format!("{status}: {}", bodies.join(" or ")) }
}

struct Writer<'t> {
    shapes: &'t ShapeTable,
    /// Declarations that are being written out.
    open: Vec<ShapeId>,
}

impl Writer<'_> {
    fn shape(&mut self, id: ShapeId) -> String {
        let view = self.shapes.view(id);
        let mark = if view.nullable && !matches!(view.shape.kind, Kind::Null | Kind::Any) { "?" } else { "" };
        let name = view.shape.name.as_deref().unwrap_or("");
        if self.open.contains(&view.id) || self.open.len() >= MAX_DEPTH {
            return format!("{}{mark}", if name.is_empty() { "…" } else { name });
        }
        self.open.push(view.id);
        let text = match (&view.shape.kind, &view.shape.values) {
            (Kind::Object(object), _) => format!("{name}{{{}}}", self.members(object)),
            (_, Some(values)) => {
                let listed: Vec<String> = values.iter().map(|value| value.to_string().replace('`', "'")).collect();
                format!("({})", listed.join(" | "))
            }
            (Kind::Unknown(reason), _) => format!("unknown ({})", reason.text),
            (Kind::Any, _) => "any".to_owned(),
            (Kind::Never, _) => "never".to_owned(),
            (Kind::Null, _) => "null".to_owned(),
            (Kind::Boolean, _) => "boolean".to_owned(),
            (Kind::Integer, _) => "integer".to_owned(),
            (Kind::Number | Kind::Numeric, _) => "number".to_owned(),
            (Kind::String, _) => "string".to_owned(),
            (Kind::Array { prefix, items }, _) => {
                let mut parts: Vec<String> = prefix.iter().map(|part| self.shape(*part)).collect();
                parts.extend(items.map(|items| self.shape(items)));
                format!("[{}]", parts.join(", "))
            }
            (Kind::Either(options), _) => {
                let options: Vec<String> = options.iter().map(|option| self.shape(*option)).collect();
                format!("either {}", options.join(" or "))
            }
            (Kind::Union(union), _) => {
                let options: Vec<String> = union.options.iter().map(|option| self.shape(*option)).collect();
                format!("({})", options.join(" | "))
            }
            (Kind::All(_) | Kind::Ref(_), _) => "…".to_owned(),
        };
        self.open.pop();
        text + mark
    }

    fn members(&mut self, object: &Object) -> String {
        let member = |writer: &mut Self, field: &Field| {
            let mark = if field.always { "" } else { "?" };
            format!("{}{mark}: {}", field.name, writer.shape(field.shape))
        };
        let mut members: Vec<String> = object.fields.iter().map(|field| member(self, field)).collect();
        if let Additional::Of(value) = object.additional {
            members.push(format!("*: {}", self.shape(value)));
        }
        members.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::checks::fixture::Fixture;

    #[test]
    fn an_operation_is_one_line_with_its_shapes_written_out() {
        let node = json!({"Node": {"type": "object", "maybe": ["next"], "properties": {
            "id": {"type": "integer", "nullable": true}, "next": {"$ref": "Node"}, "kind": {"type": "string", "enum": ["a", "b"]}}}});
        let mut fixture = Fixture::new(&node, &json!({}));
        let by_name = json!({"type": "object", "additionalProperties": {"$ref": "Node"}});
        fixture.serves("GET /nodes/{id}", 200, Some(&json!({"type": "array", "items": {"$ref": "Node"}})));
        fixture.serves("GET /by-name", 200, Some(&by_name));
        let gone = fixture.serves("DELETE /nodes", 204, None);
        gone.implementation.as_mut().expect("it is code").mounted = false;
        let mut project = fixture.project();
        project.services[0].unknown.push(crate::finding::Reason::new("a prefix is computed", None));
        assert_eq!(
            render_facts(&project).lines().collect::<Vec<_>>(),
            [
                "unknown: a prefix is computed",
                "app.py:1 GET /nodes/{id} -> handler_0 200: [Node{id: integer?, next?: Node, kind: ('a' | 'b')}]",
                "app.py:1 GET /by-name -> handler_1 200: {*: Node{id: integer?, next?: Node, kind: ('a' | 'b')}}",
                "app.py:1 DELETE /nodes -> handler_2 204 (not mounted)",
            ]
        );
    }
}
