//! What a service serves, one operation a line, for `facts` blocks.

use crate::model::{Additional, Field, Kind, Object, Operation, Response, ShapeId, ShapeTable};
use crate::project::{Project, Service};
use crate::text::Position;

/// Shapes within shapes are written out this deep; a deeper one is its name.
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
            media + &written(body.shape, shapes)
        })
        .collect();
    let status = response.status.name();
    if bodies.is_empty() { status } else { format!("{status}: {}", bodies.join(" or ")) }
}

/// A shape of what is sent, written out.
pub(super) fn written(id: ShapeId, shapes: &ShapeTable) -> String {
    Writer { shapes, is_taken: false, open: Vec::new() }.shape(id)
}

/// A shape of what is taken, written out: members may be left out that are not required, and those that are only read
/// are none.
pub(super) fn written_taken(id: ShapeId, shapes: &ShapeTable) -> String {
    Writer { shapes, is_taken: true, open: Vec::new() }.shape(id)
}

struct Writer<'t> {
    shapes: &'t ShapeTable,
    is_taken: bool,
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
            let is_sure = if writer.is_taken { field.required } else { field.always };
            let mark = if is_sure { "" } else { "?" };
            format!("{}{mark}: {}", field.name, writer.shape(field.shape))
        };
        let (shapes, is_taken) = (self.shapes, self.is_taken);
        let fields = object.fields.iter().filter(|field| !(is_taken && shapes.get(field.shape).read_only));
        let mut members: Vec<String> = fields.map(|field| member(self, field)).collect();
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
