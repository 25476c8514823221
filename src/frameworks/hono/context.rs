//! What a handler is given: the variables that middleware is declared to set, and what validators let through.

use crate::evaluate::{Evaluator, FunctionRef, Value};
use crate::frameworks::{Route, Schemas};
use crate::languages::typescript::schema::{Env, ObjectType, Prop, Type};
use crate::model::program::ExprKind;

type Types<'p> = crate::languages::typescript::schema::Schemas<'p>;

/// The type of `c` in a handler.
pub(super) fn of_handler<'p>(
    evaluator: &mut Evaluator<'p>,
    schemas: &mut Schemas<'p>,
    route: &Route<'_, 'p>,
    handler: &FunctionRef<'p>,
) -> Type<'p> {
    let types = schemas.typescript();
    let node = route.draft.node;
    let mut environments = Vec::new();
    let made: Vec<Value<'p>> =
        super::used(evaluator, node).into_iter().chain(route.draft.options.positional.clone()).collect();
    let own = evaluator.node(node).options.types.clone();
    let of_middleware = made.iter().filter_map(|value| match value {
        Value::Made(made) => made.args.types.clone(),
        _ => None,
    });
    for (given, scope) in own.into_iter().chain(of_middleware) {
        environments.extend(given.first().map(|written| Types::lazy(written, &Env::of(&scope))));
    }
    // `(c: Context<Environment>) => …`
    let written = types.callable_of(handler).parameters().first().and_then(|parameter| parameter.annotation.as_ref());
    if let Some(ExprKind::Index { index, .. }) = written.map(|written| &written.kind) {
        environments.extend(index.first().map(|written| Types::lazy(written, &Env::of(&handler.scope))));
    }
    let mut variables = Vec::new();
    for environment in environments {
        let declared = types.member(evaluator, &environment, "Variables", None);
        if let Some(declared) = types.properties(evaluator, &declared) {
            // One that is declared as optional is set by what runs before some handlers: by which is not told here.
            variables.extend(declared.props.iter().map(|prop| Prop { optional: false, ..prop.clone() }));
        }
    }
    // What is declared last is looked at first.
    variables.reverse();
    let validated = validated(evaluator, types, &made);
    let open = |props, what: &str| {
        let open = Some((what.into(), Some(route.draft.site)));
        Type::Object(ObjectType { props, index: None, open, name: None, span: None }.into())
    };
    let variables = open(variables, "variable of a context that is not declared");
    let texts = |what: Type<'p>| Type::keyed(Type::Map(what.into()));
    let perhaps = Type::union(vec![Type::Text, Type::Undefined]);
    let request = open(
        vec![
            Prop::of("valid", Type::keyed(open(validated, "what is not validated"))),
            Prop::of("param", texts(Type::Text)),
            Prop::of("query", texts(perhaps.clone())),
            Prop::of("header", texts(perhaps)),
            Prop::of("path", Type::Text),
            Prop::of("url", Type::Text),
            Prop::of("method", Type::Text),
        ],
        "a request",
    );
    let members =
        vec![Prop::of("var", variables.clone()), Prop::of("get", Type::keyed(variables)), Prop::of("req", request)];
    open(members, "a member of a context")
}

/// `zValidator("query", schema)`, `validator("json", schema)` of any library of schemas.
fn validated<'p>(evaluator: &mut Evaluator<'p>, types: &mut Types<'p>, made: &[Value<'p>]) -> Vec<Prop<'p>> {
    let mut found = Vec::new();
    for value in made {
        let Value::Made(made) = value else { continue };
        let [Value::Str(target), schema, ..] = made.args.positional.as_slice() else { continue };
        if let Some(shape) = types.shape_of_schema(evaluator, schema, Some(made.site)) {
            found.push(Prop::of(target.clone(), Type::Schema(shape)));
        }
    }
    found
}
