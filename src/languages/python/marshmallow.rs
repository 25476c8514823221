//! What calls of marshmallow mean: fields stay what they are called with, also through `flask_marshmallow` and the like.

use std::rc::Rc;

use crate::evaluate::{Args, ClassRef, Evaluator, Library, Made, Value, last};
use crate::model::program::ExprKind;
use crate::text::Span;

/// marshmallow and the packages that hand its names on.
pub static MARSHMALLOW: Library = Library { name: "marshmallow", call, chained, member, ..Library::PYTHON };

/// `User.Schema` of a dataclass of marshmallow_dataclass; its receiver is the class.
pub(super) const OF_DATACLASS: &str = "marshmallow_dataclass.Schema";

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
    path.ends_with("Schema.from_dict") || path == OF_DATACLASS
}

fn call<'p>(_: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    let name = last(path);
    let is_kept = (is_ours(path) && name.starts_with(char::is_uppercase)) || path.ends_with("Schema.from_dict");
    is_kept.then(|| Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

/// `ma = Marshmallow(app)`: its members are marshmallow's own. `User.Schema` of a dataclass.
fn member<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>, name: &str) -> Option<Value<'p>> {
    if let Value::Class(class) = value {
        let is_made = name == "Schema" && is_dataclass(evaluator, class);
        return is_made.then(|| {
            let (receiver, site) = (Some(value.clone()), class.name_span());
            Value::Made(Rc::new(Made { path: Rc::from(OF_DATACLASS), receiver, args: Args::default(), site }))
        });
    }
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

/// Whether a class has the decorator of marshmallow_dataclass.
fn is_dataclass<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    class.node.decorators.iter().any(|decorator| {
        let callee = if let ExprKind::Call { callee, .. } = &decorator.kind { callee } else { decorator };
        let value = evaluator.evaluate(callee, &class.scope);
        value.as_external().is_some_and(|path| path.starts_with("marshmallow_dataclass."))
    })
}
