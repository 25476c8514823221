//! The tables of a requirements document (Markdown) as a contract: rows `SVC-001` are operations with what goes in and
//! out, and a table below a heading `STATUS_REGISTRY` lists the states of fields. Columns are told by their headers, else
//! by their number.

mod rows;
mod schema;

use std::collections::BTreeMap;

use super::{Declarations, SharedModel};
use crate::model::{Body, Method, Operation, PathTemplate, Request, Response, Status, name_key};
use crate::text::{FileId, Span};
use rows::{Cell, Row};

/// What a requirements document says beside its operations.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What is wrong with its rows.
    pub issues: Vec<RowIssue>,
    /// Types that its cells name, with what they are to have.
    pub types: Vec<SharedModel>,
    pub registry: Vec<Registered>,
}

/// One defect of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowIssue {
    pub kind: RowIssueKind,
    pub span: Span,
    /// `SVC-001`
    pub row: String,
    pub message: String,
    /// The other row, for duplicates.
    pub related: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowIssueKind {
    Malformed,
    DuplicateId,
    DuplicateOperation,
    UnknownType,
}

/// A field whose states are registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// `Order`; empty where the field stands alone.
    pub model: String,
    pub field: String,
    pub states: Vec<String>,
    /// Pairs of states, from and to.
    pub transitions: Vec<(String, String)>,
    pub span: Span,
}

/// Whether a path is that of a Markdown document.
pub(super) fn is_markdown(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or("");
    ["md", "markdown"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Whether a document is one of requirements: it is called so, and has a row or a registry.
pub(super) fn sniff(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let named = name.starts_with("requirements.");
    named && (text.contains(REGISTRY) || text.lines().any(|line| rows::id_of_line(line).is_some()))
}

const REGISTRY: &str = "STATUS_REGISTRY";

/// Reads a document. Never fails: what is no row is prose.
pub(super) fn read(file: FileId, text: &str) -> Declarations {
    let mut reading =
        Reading { declarations: Declarations::nothing(file), table: Table::default(), ids: BTreeMap::new(), file };
    let found = rows::read(text);
    for row in &found.services {
        reading.row(text, row);
    }
    reading.duplicates();
    reading.table.registry = rows::registry(text, file, &found.registry);
    reading.declarations.title = text
        .lines()
        .find_map(|line| line.strip_prefix("# "))
        .map_or_else(|| "requirements".to_owned(), |title| title.trim().to_owned());
    reading.declarations.table = Some(reading.table);
    reading.declarations
}

struct Reading {
    declarations: Declarations,
    table: Table,
    ids: BTreeMap<String, Span>,
    file: FileId,
}

impl Reading {
    fn span(&self, cell: &Cell) -> Span {
        Span::new(self.file, cell.start, cell.end)
    }

    fn issue(&mut self, kind: RowIssueKind, span: Span, row: &str, message: String, related: Option<Span>) {
        self.table.issues.push(RowIssue { kind, span, row: row.to_owned(), message, related });
    }

    fn row(&mut self, text: &str, row: &Row) {
        let id_span = self.span(&row.id);
        let id = row.id.text(text).trim_matches(['`', '*', ' ']).to_ascii_uppercase();
        if let Some(first) = self.ids.get(&id).copied() {
            let message = format!("`{id}` stands twice");
            return self.issue(RowIssueKind::DuplicateId, id_span, &id, message, Some(first));
        }
        self.ids.insert(id.clone(), id_span);
        let (Some(endpoint), Some(request), Some(response)) = (&row.endpoint, &row.request, &row.response) else {
            let message = format!("the row has {} cells, which are too few", row.cells);
            return self.issue(RowIssueKind::Malformed, id_span, &id, message, None);
        };
        let shown = plain(endpoint.text(text));
        if is_nothing(&shown) || shown.eq_ignore_ascii_case("internal") {
            // Nothing that goes over HTTP.
            return;
        }
        let (within, path) = match shown.split_once(char::is_whitespace) {
            Some((word, rest)) if Method::parse(word).is_some() => (Method::parse(word), rest.trim().to_owned()),
            _ => (None, shown.clone()),
        };
        let stated = row.method.as_ref().map(|cell| plain(cell.text(text))).unwrap_or_default();
        let Some(method) = Method::parse(&stated).or(within) else {
            let message = if is_nothing(&stated) {
                "the row has no method".to_owned()
            } else {
                format!("`{stated}` is no method")
            };
            let cell = row.method.as_ref().unwrap_or(endpoint);
            let span = self.span(cell);
            return self.issue(RowIssueKind::Malformed, span, &id, message, None);
        };
        let span = self.span(endpoint);
        if within.is_some_and(|within| within != method) {
            let message = format!("the endpoint says `{}` and the method `{stated}`", within.map_or("", Method::name));
            self.issue(RowIssueKind::Malformed, span, &id, message, None);
        }
        if !path.starts_with('/') || path.contains(char::is_whitespace) {
            let message = format!("`{path}` is no path");
            return self.issue(RowIssueKind::Malformed, span, &id, message, None);
        }
        let request_body = self.body(text, &id, request);
        let response_body = self.body(text, &id, response);
        let bodies = |body: Option<Body>| body.into_iter().collect::<Vec<_>>();
        let response_span = self.span(response);
        self.declarations.operations.push(Operation {
            method,
            path: PathTemplate::new(&template(&path)),
            span,
            pointer: id.clone(),
            responses: vec![Response { status: Status::Range(2), bodies: bodies(response_body), span: response_span }],
            request: Request { bodies: bodies(request_body), ..Request::default() },
            deprecated: false,
            id: Some(id),
            extensions: Vec::new(),
            planned: false,
            implementation: None,
        });
    }

    /// What a cell says of a body; nothing where it has no schema.
    fn body(&mut self, text: &str, id: &str, cell: &Cell) -> Option<Body> {
        let span = self.span(cell);
        let mut shapes = std::mem::take(&mut self.declarations.shapes);
        let read = schema::read(cell.text(text), span, &mut shapes);
        self.declarations.shapes = shapes;
        let schema::Cell { name, shape, unknown, problem } = read?;
        if let Some(problem) = problem {
            self.issue(RowIssueKind::Malformed, span, id, problem, None);
        }
        for word in unknown {
            let message = format!("`{word}` is no type that is known");
            self.issue(RowIssueKind::UnknownType, span, id, message, None);
        }
        let (object, shape) = shape?;
        if let Some(name) = name
            && !self.table.types.iter().any(|known| known.names == [name.as_str()])
        {
            self.table.types.push(SharedModel { names: vec![name], shape: object, span });
        }
        Some(Body { media: "application/json".to_owned(), shape, span, required: true })
    }

    /// Rows of one method and path.
    fn duplicates(&mut self) {
        let mut seen: BTreeMap<(Method, String), Span> = BTreeMap::new();
        let mut issues = Vec::new();
        self.declarations.operations.retain(|operation| {
            let key = (operation.method, operation.path.key());
            if let Some(first) = seen.get(&key) {
                issues.push(RowIssue {
                    kind: RowIssueKind::DuplicateOperation,
                    span: operation.span,
                    row: operation.id.clone().unwrap_or_default(),
                    message: format!("`{}` has a row already", operation.title()),
                    related: Some(*first),
                });
                return false;
            }
            seen.insert(key, operation.span);
            true
        });
        self.table.issues.extend(issues);
    }
}

/// A cell without what only marks it up.
fn plain(text: &str) -> String {
    text.replace("\\|", "|").trim_matches(|c: char| matches!(c, '`' | '*') || c.is_whitespace()).to_owned()
}

/// Whether a cell says that there is nothing.
fn is_nothing(text: &str) -> bool {
    matches!(name_key(text).as_str(), "" | "none" | "na" | "null" | "void" | "nocontent" | "empty")
}

/// `/users/:id`, `/users/<id>` and `/users/[id]` as `/users/{id}`; without a query.
fn template(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let segments = path.split('/').map(|segment| {
        let inner = segment
            .strip_prefix(':')
            .or_else(|| segment.strip_prefix('<')?.strip_suffix('>'))
            .or_else(|| segment.strip_prefix('[')?.strip_suffix(']'));
        match inner {
            Some(name) => format!("{{{}}}", name.rsplit(':').next().unwrap_or(name)),
            None => segment.to_owned(),
        }
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    fn declared(text: &str) -> Declarations {
        read(FileId(0), text)
    }

    fn titles(declarations: &Declarations) -> Vec<String> {
        declarations.operations.iter().map(Operation::title).collect()
    }

    fn fields(declarations: &Declarations, body: &Body) -> Vec<(String, bool)> {
        match &declarations.shapes.view(body.shape).shape.kind {
            Kind::Object(object) => object.fields.iter().map(|field| (field.name.clone(), field.required)).collect(),
            other => panic!("an object, not {other:?}"),
        }
    }

    #[test]
    fn rows_of_five_six_and_seven_cells_are_read() {
        let text = "# Shop\n\
            | SVC-001 | /api/users | GET | - | { id: number, name?: string } |\n\
            | SVC-002 | UserService.create | /api/users | POST | CreateUser { name: string } | User { id: number } |\n\
            | SVC-003 | internal | createOrder | POST | /orders/:id | { a: { b: string, c: \"x\" \\| \"y\" } } | - |\n";
        let found = declared(text);
        assert_eq!(titles(&found), ["GET /api/users", "POST /api/users", "POST /orders/{id}"]);
        let table = found.table.as_ref().expect("a table");
        assert_eq!(table.issues, Vec::new());
        assert_eq!(table.types.iter().map(|known| known.names[0].as_str()).collect::<Vec<_>>(), ["CreateUser", "User"]);
        let first = &found.operations[0];
        assert_eq!(
            fields(&found, &first.responses[0].bodies[0]),
            [("id".to_owned(), true), ("name".to_owned(), false)]
        );
        assert!(first.request.bodies.is_empty());
        assert_eq!(fields(&found, &found.operations[2].request.bodies[0]), [("a".to_owned(), true)]);
    }

    #[test]
    fn a_bar_between_braces_ends_no_cell() {
        let text = "| SVC-001 | /a | POST | { a: string | null, b: { c: \"x\"|\"y\" } } | { a: string |\n\
            | SVC-002 | /b | GET | { a: string | { b: number } |\n";
        let found = declared(text);
        assert_eq!(titles(&found), ["POST /a", "GET /b"]);
        let request = &found.operations[0].request.bodies[0];
        assert_eq!(fields(&found, request), [("a".to_owned(), true), ("b".to_owned(), true)]);
        let issues: Vec<_> =
            found.table.iter().flat_map(|table| &table.issues).map(|issue| issue.row.as_str()).collect();
        assert_eq!(issues, ["SVC-001", "SVC-002"]);
    }

    #[test]
    fn headers_say_what_columns_are() {
        let text = "| ID | Response | Request | Method | Endpoint | Notes |\n|---|---|---|---|---|---|\n\
            | SVC-001 | { id: int } | | PUT | `/x/<int:id>` | |\n\
            | SVC-002 | User[] | - | | GET /users | a \\| b |\n";
        let found = declared(text);
        assert_eq!(titles(&found), ["PUT /x/{id}", "GET /users"]);
        assert_eq!(found.table.as_ref().expect("a table").issues, Vec::new());
    }

    #[test]
    fn what_is_wrong_with_a_row_is_told_and_the_rest_read() {
        let text = "| SVC-001 | /a | GET | - | - |\n| SVC-001 | /b | GET | - | - |\n| SVC-002 | /a/ | GET | - | - |\n\
            | SVC-003 | /c | FETCH | - | - |\n| SVC-004 | /d |\n| SVC-005 | /e | POST | { a: number | - |\n\
            | SVC-006 | e | POST | - | { a: numbr } |\n";
        let found = declared(text);
        let table = found.table.as_ref().expect("a table");
        let kinds: Vec<_> = table.issues.iter().map(|issue| (issue.kind, issue.row.as_str())).collect();
        assert_eq!(
            kinds,
            [
                (RowIssueKind::DuplicateId, "SVC-001"),
                (RowIssueKind::Malformed, "SVC-003"),
                (RowIssueKind::Malformed, "SVC-004"),
                (RowIssueKind::Malformed, "SVC-005"),
                (RowIssueKind::Malformed, "SVC-006"),
                (RowIssueKind::DuplicateOperation, "SVC-002"),
            ]
        );
    }

    #[test]
    fn a_registry_lists_states_and_transitions() {
        let text = "## STATUS_REGISTRY\n\n| Entity | Field | States | Transitions |\n|---|---|---|---|\n\
            | Order | status | draft, paid, sent | draft -> paid, paid -> sent |\n\n- User.state: active | gone\n\n## Next\n- a.b: c\n";
        let found = declared(text);
        let registry = &found.table.as_ref().expect("a table").registry;
        assert_eq!(registry.len(), 2);
        assert_eq!(registry[0].states, ["draft", "paid", "sent"]);
        assert_eq!(registry[0].transitions.len(), 2);
        assert_eq!((registry[1].model.as_str(), registry[1].field.as_str()), ("User", "state"));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

        /// Whatever a document holds, it is read, and every place lies in it.
        #[test]
        fn any_text_is_read(text in "(\\| ?SVC-[0-9] ?(\\|[ a-zA-Z{}\\[\\]<>:?,/\"\\\\|ü-]{0,12}){0,7}\\|?\n|[|{} ü#\n-]{0,9}|## STATUS_REGISTRY\n|- a.b: c\n){0,6}") {
            let found = declared(&text);
            for operation in &found.operations {
                proptest::prop_assert!(operation.span.end as usize <= text.len());
            }
            for issue in &found.table.expect("a table").issues {
                let span = issue.span.start as usize..issue.span.end as usize;
                proptest::prop_assert!(text.get(span).is_some());
            }
        }
    }
}
