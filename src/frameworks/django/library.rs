//! Views of libraries that stand in addresses without a class of the program.

use super::pages;
use super::responses::{answer, merged, unclear};
use crate::evaluate::{Args, Evaluator, ModuleId, Value, last};
use crate::languages::python::schema::Schemas;
use crate::model::{Additional, Field, Kind, Object, Response, Shape, Status};
use crate::text::Span;

/// What views of well-known libraries answer.
pub(super) fn of_library<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas,
    path: &str,
    options: &Args<'p>,
    site: Span,
) -> Vec<Response> {
    // `ListAPIView.as_view(queryset=…, serializer_class=…)`
    if let Some(serializer) = options.named("serializer_class") {
        let method = options.named("method").and_then(Value::as_str).unwrap_or_default();
        let items = schemas.declared_shape(evaluator, &serializer.clone(), site);
        let (status, body) = match method {
            "delete" => (204, None),
            "post" => (201, Some(items)),
            "get" if last(path).contains("List") => {
                let paginator = match options.named("pagination_class") {
                    Some(Value::None) => None,
                    Some(class) => Some(class.clone()),
                    None => pages::of_settings(evaluator, route_module(evaluator, site)),
                };
                (200, Some(pages::list_with(evaluator, schemas, paginator, items, site)))
            }
            _ => (200, Some(items)),
        };
        return merged(schemas, vec![answer(Status::Code(status), body, site)]);
    }
    let names: &[&str] = match last(path) {
        "TokenObtainPairView" => &["access", "refresh"],
        "ObtainAuthToken" => &["token"],
        "TokenRefreshView" => &["access"],
        "TokenVerifyView" | "TokenBlacklistView" => &[],
        "TokenCreateView" if path.starts_with("djoser.") => &["auth_token"],
        _ => {
            let unclear = unclear(schemas, "a view of a library", site);
            return merged(schemas, vec![unclear]);
        }
    };
    let text = schemas.table.add(Shape::new(Kind::String));
    let field = |name: &&str| Field {
        name: (*name).to_owned(),
        shape: text,
        required: true,
        always: true,
        span: Some(site),
        declared: None,
    };
    let fields = names.iter().map(field).collect();
    let shape = Shape::new(Kind::Object(Object { fields, additional: Additional::Open })).at(Some(site));
    let shape = schemas.table.add(shape);
    merged(schemas, vec![answer(Status::Code(200), Some(shape), site)])
}

fn route_module(evaluator: &Evaluator, site: Span) -> Option<ModuleId> {
    evaluator.module_of_file(site.file)
}
