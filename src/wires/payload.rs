//! Shapes of what is sent: by static types where a language has them, else by what is written, else by the value. Text
//! that a serialiser made is looked through to the value that it stands for.

mod python;

use crate::evaluate::{Args, Evaluator, Scope, Value};
use crate::frameworks::Schemas;
use crate::languages::csharp::schema::Serialiser;
use crate::languages::csharp::typing::Typer;
use crate::languages::typescript::schema::{Env, Type};
use crate::model::program::{Expr, ImportStyle};
use crate::model::{Kind, ShapeId};
use crate::text::Span;

/// How a library writes what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As JSON, by itself.
    Json,
    /// As bytes or text that the caller makes.
    Bytes,
}

/// An argument as it is written, with where its names are looked up.
pub(super) fn written<'p>(args: &Args<'p>, position: usize, name: &str) -> Option<(&'p Expr, Scope<'p>)> {
    args.written_at(position, name)
}

/// The JSON that a value becomes. `written` is the expression that it comes from.
pub(super) fn shape_of<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    value: &Value<'p>,
    written: Option<(&'p Expr, Scope<'p>)>,
    site: Span,
) -> ShapeId {
    shape_within(evaluator, schemas, (value, written), &[], Form::Json, site)
}

/// The JSON that a part of a value becomes: `steps` lead there, by names of members and `[]` for any element.
pub(super) fn shape_within<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    (value, written): (&Value<'p>, Option<(&'p Expr, Scope<'p>)>),
    steps: &[&str],
    form: Form,
    site: Span,
) -> ShapeId {
    let Some(module) = evaluator.module_of_file(site.file) else {
        return schemas.python().unknown("it is not part of the program", Some(site));
    };
    let (shape, is_json) = match evaluator.index.style(module) {
        ImportStyle::Path => typed(evaluator, schemas, (value, written), steps, site),
        ImportStyle::Dotted => python::shape_within(evaluator, schemas, (value, written), steps, site),
        ImportStyle::Namespace => {
            let ty = type_of(evaluator, value, written, site);
            return schemas.csharp().shape_by(Serialiser::Client, evaluator, &ty, site);
        }
    };
    if form == Form::Bytes && !is_json {
        let table = &mut schemas.python().table;
        if matches!(table.view(shape).shape.kind, Kind::String) {
            return schemas.python().unknown("text that is not seen to be JSON", Some(site));
        }
    }
    shape
}

/// The type of C# that a value is of.
pub(super) fn type_of<'p>(
    evaluator: &mut Evaluator<'p>,
    value: &Value<'p>,
    written: Option<(&'p Expr, Scope<'p>)>,
    site: Span,
) -> Value<'p> {
    match (value, written) {
        (Value::Instance(instance), _) => Value::Class(instance.class.clone()),
        (_, Some((expr, scope))) => {
            let mut typer = Typer::new(evaluator);
            let place = typer.place_in(&scope);
            typer.type_of(expr, &place)
        }
        (_, None) => Value::Unknown("what is sent is not known", Some(site)),
    }
}

/// By the static types of TypeScript, and whether a serialiser was seen.
fn typed<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    (value, written): (&Value<'p>, Option<(&'p Expr, Scope<'p>)>),
    steps: &[&str],
    site: Span,
) -> (ShapeId, bool) {
    let types = schemas.typescript();
    types.start();
    types.keeps_text = true;
    let mut ty = match written {
        Some((expr, scope)) => {
            let place = types.place_in(evaluator, &scope);
            types.type_of(evaluator, expr, &place)
        }
        None => types.of_value(value),
    };
    for step in steps {
        let whole = types.non_null(evaluator, &ty);
        ty = match *step {
            "[]" => types.element(evaluator, &whole, site),
            name => types.member(evaluator, &whole, name, Some(site)),
        };
    }
    let ty = types.awaited(evaluator, &ty);
    let inner = text_of(&ty);
    let is_json = inner.is_some();
    let shape = types.shape_of(evaluator, &inner.unwrap_or(ty), Some(site));
    types.keeps_text = false;
    (shape, is_json)
}

/// What text of JSON stands for, whichever of several it is.
fn text_of<'p>(ty: &Type<'p>) -> Option<Type<'p>> {
    match ty {
        Type::Union(options) => {
            let options = options.iter().filter(|option| !option.is_nothing());
            let inner: Option<Vec<Type<'p>>> = options.map(|option| option.of_json_text().cloned()).collect();
            inner.filter(|inner| !inner.is_empty()).map(Type::union)
        }
        ty => ty.of_json_text().cloned(),
    }
}

/// What is not known, in the language of a place.
pub(super) fn unknown<'p>(evaluator: &Evaluator<'p>, schemas: &mut Schemas<'p>, why: &str, site: Span) -> ShapeId {
    let style = evaluator.module_of_file(site.file).map(|module| evaluator.index.style(module));
    match style {
        Some(ImportStyle::Path) => schemas.typescript().unknown(why, Some(site)),
        _ => schemas.python().unknown(why, Some(site)),
    }
}

/// The type that a call is told to answer with: `get<User[]>(…)`.
pub(super) fn type_argument<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    args: &Args<'p>,
    site: Span,
) -> Option<ShapeId> {
    let (types, scope) = args.types.as_ref()?;
    let written = types.first()?;
    let module = evaluator.module_of_file(site.file)?;
    match evaluator.index.style(module) {
        ImportStyle::Path => {
            let ty = schemas.typescript().written(evaluator, written, &Env::of(scope));
            Some(schemas.typescript().shape_of(evaluator, &ty, Some(site)))
        }
        ImportStyle::Namespace => {
            let ty = evaluator.type_expression(written, scope);
            Some(schemas.csharp().shape_by(Serialiser::Client, evaluator, &ty, site))
        }
        ImportStyle::Dotted => None,
    }
}

/// The data of the success among answers that are told apart by their status: `{ status: 200; data: User }`.
pub(super) fn generated_answer<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    args: &Args<'p>,
    site: Span,
) -> Option<ShapeId> {
    let (types, scope) = args.types.as_ref()?;
    let types_of = schemas.typescript();
    let written = types_of.written(evaluator, types.first()?, &Env::of(scope));
    let first = match types_of.force(evaluator, &written) {
        Type::Union(options) => options.first().cloned()?,
        other => other,
    };
    let data = types_of.member(evaluator, &first, "data", Some(site));
    Some(types_of.shape_of(evaluator, &data, Some(site)))
}

/// Whether a shape is that of a text.
pub(super) fn is_text(schemas: &mut Schemas<'_>, shape: ShapeId) -> bool {
    matches!(schemas.typescript().table.view(shape).shape.kind, Kind::String)
}
