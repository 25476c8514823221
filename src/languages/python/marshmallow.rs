//! What calls of marshmallow mean: fields stay what they are called with, also through `flask_marshmallow` and the like.

use std::rc::Rc;

use crate::evaluate::{Args, Evaluator, Library, Made, Value, last};
use crate::text::Span;

/// marshmallow and the packages that hand its names on.
pub static MARSHMALLOW: Library = Library { name: "marshmallow", call, chained, value_member, ..Library::NONE };

/// Whether a name belongs to marshmallow, or to a package that hands its names on.
pub(super) fn is_ours(path: &str) -> bool {
    let top = path.split('.').next().unwrap_or(path);
    top.starts_with("marshmallow")
        || top.starts_with("flask_marshmallow")
        || (matches!(top, "apiflask" | "webargs" | "flask_smorest") && path.contains(".fields."))
        || (top == "apiflask" && (last(path) == "Schema" || path.contains(".validators.")))
}

/// `Schema.from_dict({…})` is a class.
fn chained(path: &str) -> bool {
    path.ends_with("Schema.from_dict")
}

fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let name = last(path);
    let is_kept = (is_ours(path) && name.starts_with(char::is_uppercase)) || path.ends_with("Schema.from_dict");
    is_kept.then(|| Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

/// `ma = Marshmallow(app)`: its members are marshmallow's own.
fn value_member<'p>(_: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    let Value::Made(made) = value else { return None };
    if last(&made.path) != "Marshmallow" || !made.path.starts_with("flask_marshmallow") {
        return None;
    }
    Some(Value::external(match name {
        "Schema" => "marshmallow.Schema".to_owned(),
        name if name.ends_with("Schema") => format!("marshmallow_sqlalchemy.{name}"),
        name => format!("marshmallow.fields.{name}"),
    }))
}
