//! Which part of a request a type is for, as FastAPI tells by the type alone: `field_annotation_is_scalar` and its
//! relatives in `fastapi._compat`.

use super::sorts::{Sort, is_scalar, sort_of};
use super::{DICTS, LISTS, Schemas};
use crate::evaluate::{ClassRef, Evaluator, Value, last};
use crate::languages::json_schema::Shapes;
use crate::languages::python::pydantic::SCHEMA;
use crate::model::{Field, Kind, Object, Shape, ShapeId, ShapeTable};
use crate::text::Span;

/// Where a value of a type is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// One text is enough for it.
    Scalar,
    Body,
    File,
}

/// Where a value of a type is taken from if nothing else says so; `None` where the type is not known.
pub fn taken_as<'p>(evaluator: &mut Evaluator<'p>, kind: &Value<'p>) -> Option<Taken> {
    match kind {
        Value::None | Value::Ellipsis => Some(Taken::Scalar),
        Value::Union(options) => of_options(evaluator, options),
        Value::TypeVar(variable) => match variable.default.as_ref().or(variable.bound.as_ref()) {
            Some(known) => taken_as(evaluator, known),
            None => Some(Taken::Scalar),
        },
        Value::Dynamic(_) => Some(Taken::Body),
        Value::Class(class) => of_class(evaluator, class),
        Value::External(path) => of_external(path),
        Value::Applied(base, args) => match &**base {
            Value::External(path) => match last(path) {
                "Optional" | "Union" => of_options(evaluator, args),
                "Annotated" => taken_as(evaluator, args.first()?),
                "Literal" | "Json" | "Type" | "type" => Some(Taken::Scalar),
                name if LISTS.contains(&name) || matches!(name, "tuple" | "Tuple") => {
                    match args.first().map(|item| taken_as(evaluator, item)) {
                        Some(Some(Taken::File)) => Some(Taken::File),
                        _ => Some(Taken::Body),
                    }
                }
                name if DICTS.contains(&name) => Some(Taken::Body),
                _ => None,
            },
            Value::Class(class) => of_class(evaluator, class),
            Value::Union(options) => of_options(evaluator, options),
            _ => None,
        },
        _ => None,
    }
}

fn of_options<'p>(evaluator: &mut Evaluator<'p>, options: &[Value<'p>]) -> Option<Taken> {
    let mut taken = Some(Taken::Scalar);
    for option in options {
        match taken_as(evaluator, option) {
            Some(Taken::Scalar) => {}
            Some(other) => return Some(other),
            None => taken = None,
        }
    }
    taken
}

fn of_external(path: &str) -> Option<Taken> {
    let name = last(path);
    if name == "UploadFile" {
        return Some(Taken::File);
    }
    let is_list = LISTS.contains(&name) || matches!(name, "tuple" | "Tuple") || name.starts_with("con");
    if (is_list && !matches!(name, "conint" | "confloat" | "constr" | "condecimal" | "condate"))
        || DICTS.contains(&name)
        || name == "BaseModel"
    {
        return Some(Taken::Body);
    }
    let known = super::STRINGS.iter().any(|(known, _)| *known == name)
        || super::INTEGERS.contains(&name)
        || super::NUMBERS.contains(&name)
        || matches!(name, "bool" | "StrictBool" | "Any" | "object" | "None" | "NoneType" | "Json");
    known.then_some(Taken::Scalar)
}

fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<Taken> {
    match sort_of(evaluator, class) {
        Sort::Enum => Some(Taken::Scalar),
        Sort::Root | Sort::TypedDict | Sort::Model | Sort::NamedTuple | Sort::Dataclass | Sort::Struct => {
            Some(Taken::Body)
        }
        Sort::Scalar => {
            let external = evaluator.external_bases(class);
            let scalar = external.iter().find(|path| is_scalar(path))?;
            of_external(scalar)
        }
        Sort::Other if evaluator.external_bases(class).iter().any(|path| last(path) == "UploadFile") => {
            Some(Taken::File)
        }
        Sort::Other if evaluator.unknown_base(class) => None,
        // Pydantic takes no class that does not say how it is read: whoever has one is given it from elsewhere.
        Sort::Other => {
            let says = ["__get_pydantic_core_schema__", "__get_validators__", "__modify_schema__"];
            says.iter().any(|name| evaluator.class_member(class, name).is_some()).then_some(Taken::Scalar)
        }
    }
}

/// Schemas as plain data in which those of models may stand: `Model.model_json_schema()`.
struct Written<'s, 'e, 'p> {
    schemas: &'s mut Schemas,
    evaluator: &'e mut Evaluator<'p>,
}

impl<'p> Shapes<'p> for Written<'_, '_, 'p> {
    fn table(&mut self) -> &mut ShapeTable {
        &mut self.schemas.table
    }

    fn other(&mut self, value: &Value<'p>, site: Option<Span>) -> Option<ShapeId> {
        let Value::Made(made) = value else { return None };
        let model = made.args.positional.first().filter(|_| &*made.path == SCHEMA)?;
        Some(self.schemas.taken_shape(self.evaluator, model, site))
    }
}

impl Schemas {
    /// The same object of which every member may be left out.
    pub fn partial(&mut self, shape: ShapeId) -> ShapeId {
        let whole = self.table.view(shape).shape.into_owned();
        let Kind::Object(object) = whole.kind else { return shape };
        let fields = object.fields.into_iter().map(|field| Field { required: false, always: false, ..field });
        let kind = Kind::Object(Object { fields: fields.collect(), additional: object.additional });
        self.table.add(Shape { kind, name: whole.name.map(|name| format!("Patched{name}")), ..whole })
    }

    /// Reads something with schemas that say what is taken, as they are written.
    pub fn with_written<'p, T>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        read: impl FnOnce(&mut dyn Shapes<'p>) -> T,
    ) -> T {
        read(&mut Written { schemas: self, evaluator })
    }
}

/// Whether a type is a single model, whose members can stand for it.
pub fn is_model<'p>(evaluator: &mut Evaluator<'p>, kind: &Value<'p>) -> bool {
    match kind {
        Value::Class(class) => matches!(sort_of(evaluator, class), Sort::Model | Sort::Root),
        Value::Dynamic(class) => !class.bases.iter().any(|base| matches!(base, Value::External(_))),
        Value::Applied(base, args) => match &**base {
            Value::Class(_) => is_model(evaluator, base),
            Value::External(path) if last(path) == "Annotated" => {
                args.first().is_some_and(|inner| is_model(evaluator, inner))
            }
            _ => false,
        },
        _ => false,
    }
}
