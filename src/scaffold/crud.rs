//! Which operations keep things: a collection and its items are told by their paths and by what is sent and answered.
//! What is not told surely keeps nothing, and answers with a sample.

use serde_json::{Value, json};

use super::model::{Operation, Parameter, plain};
use super::names::{self, Scope, singular};
use super::samples::Samples;
use super::types::{Bounds, Extra, Field, ModelKind, Text, Type, Types};
use crate::model::{Literal, Method, ParameterPlace};

/// Things of one kind that a service keeps.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    /// Words for several, no other resource has them: `books`.
    pub(super) name: String,
    /// … and for one.
    pub(super) one: String,
    /// Index into the types' models.
    pub(super) model: usize,
    /// The member that tells one from the other.
    pub(super) key: String,
    pub(super) key_type: Type,
    /// One of them, for tests.
    pub(super) sample: Value,
}

/// What an operation does. Resources are told by index.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    List {
        resource: usize,
        page: Option<Page>,
        filters: Vec<Filter>,
        limit: Option<usize>,
        offset: Option<usize>,
    },
    Read {
        resource: usize,
    },
    Create {
        resource: usize,
        fills: Vec<Fill>,
        copied: Copied,
    },
    /// What is sent takes the place of what it could have said.
    Replace {
        resource: usize,
        fills: Vec<Fill>,
        copied: Copied,
    },
    Change {
        resource: usize,
        copied: Copied,
    },
    Delete {
        resource: usize,
    },
    /// Nothing is known of it: a sample is answered.
    Sample,
}

/// Members of a request that are kept.
pub(super) type Copied = Vec<String>;

/// An answer that holds things and says more about them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Page {
    pub(super) items: String,
    pub(super) others: Vec<Fill>,
}

/// A parameter (by index) that a member must equal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) parameter: usize,
    pub(super) field: String,
}

/// A member that the request does not give.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fill {
    pub(super) field: String,
    pub(super) with: With,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum With {
    /// A new UUID, a number that is not used, a new text.
    NewUuid,
    NewNumber,
    NewText,
    Now,
    Today,
    Value(Value),
    /// How many there are in all.
    Count,
    /// What a query parameter (by index) says, else this.
    Parameter(usize, Value),
}

impl Action {
    /// Resources of other contracts come before.
    pub(super) fn shift(&mut self, by: usize) {
        if let Some(resource) = self.resource_mut() {
            *resource += by;
        }
    }

    pub(super) fn resource(&self) -> Option<usize> {
        self.clone().resource_mut().copied()
    }

    fn resource_mut(&mut self) -> Option<&mut usize> {
        match self {
            Action::List { resource, .. }
            | Action::Read { resource }
            | Action::Create { resource, .. }
            | Action::Replace { resource, .. }
            | Action::Change { resource, .. }
            | Action::Delete { resource } => Some(resource),
            Action::Sample => None,
        }
    }
}

/// Finds the collections of one contract, and says of its operations what they do.
pub(super) fn recognise(
    operations: &mut [Operation],
    types: &Types,
    document: &Value,
    scope: &mut Scope,
) -> Vec<Resource> {
    let mut resources: Vec<Resource> = Vec::new();
    let paths: Vec<String> = operations.iter().map(|it| it.path.clone()).collect();
    for path in paths {
        let Some((collection, last)) = path.trim_end_matches('/').rsplit_once('/') else { continue };
        let Some(parameter) = last.strip_prefix('{').and_then(|it| it.strip_suffix('}')) else { continue };
        // Items of items belong to what is above them, which is not followed.
        let is_known = operations.iter().any(|it| it.path == path && it.action != Action::Sample);
        if is_known || collection.contains('{') || parameter.contains(['{', '}']) {
            continue;
        }
        let Some(mut resource) = resource(operations, &path, collection, types, document) else { continue };
        let at = resources.len();
        let mut is_used = false;
        for operation in operations.iter_mut() {
            let action = if operation.path == path {
                of_item(operation, &resource, at, types)
            } else if operation.path.trim_end_matches('/') == collection {
                of_collection(operation, &resource, at, types)
            } else {
                None
            };
            if let Some(action) = action {
                operation.action = action;
                is_used = true;
            }
        }
        let below = format!("{path}/");
        for operation in
            operations.iter_mut().filter(|it| is_used && it.path.starts_with(&below) && it.missing.is_some())
        {
            let parameter = operation.parameters.iter().position(|it| {
                it.place == ParameterPlace::Path && it.name == parameter && is_one_kind(&it.ty, &resource.key_type)
            });
            operation.within = parameter.map(|parameter| (at, parameter));
        }
        if is_used {
            resource.name = scope.name(&resource.name);
            resources.push(resource);
        }
    }
    resources
}

fn resource(
    operations: &[Operation],
    path: &str,
    collection: &str,
    types: &Types,
    document: &Value,
) -> Option<Resource> {
    let of_item = |method: Method| operations.iter().find(move |it| it.path == path && it.method == method);
    let in_collection = |method: Method| {
        operations.iter().find(move |it| it.path.trim_end_matches('/') == collection && it.method == method)
    };
    let answered = |operation: Option<&Operation>| match operation?.success.ty {
        Some(Type::Model(at)) if matches!(types.models[at].kind, ModelKind::Object { .. }) => Some(at),
        _ => None,
    };
    let model = answered(of_item(Method::Get))
        .or_else(|| answered(of_item(Method::Put)))
        .or_else(|| answered(in_collection(Method::Post)))?;
    let item = operations.iter().find(|it| it.path == path)?;
    let parameter = item.parameters_in(ParameterPlace::Path).last()?;
    let words = names::words(collection.rsplit('/').next().unwrap_or(""));
    let (last, before) = words.split_last()?;
    let one = [before, &[singular(last)]].concat().join(" ");
    let key = key(&types.models[model].fields().iter().collect::<Vec<_>>(), parameter, &one)?;
    let sample = Samples { document }.given(&types.models[model].pointer)?;
    plain(sample.get(&key.name)?)?;
    let (key, key_type) = (key.name.clone(), key.ty.clone());
    Some(Resource { name: words.join(" "), one, model, key, key_type, sample })
}

/// The member that the last parameter of an item's path means.
fn key<'f>(fields: &[&'f Field], parameter: &Parameter, one: &str) -> Option<&'f Field> {
    let name = names::snake(&parameter.name);
    let one = names::snake(one);
    let short = name.strip_prefix(&one).map(|it| it.trim_start_matches('_')).filter(|it| !it.is_empty());
    let candidates = [Some(name.as_str()), short, Some("id"), Some("uuid")];
    candidates.into_iter().flatten().find_map(|wanted| {
        fields
            .iter()
            .copied()
            .find(|it| it.required && names::snake(&it.name) == wanted && is_one_kind(&it.ty, &parameter.ty))
    })
}

fn is_one_kind(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Integer(_), Type::Integer(_)) => true,
        (Type::Text(one), Type::Text(other)) => one.format == other.format,
        _ => false,
    }
}

fn of_item(operation: &Operation, resource: &Resource, at: usize, types: &Types) -> Option<Action> {
    let is_answered = operation.success.ty == Some(Type::Model(resource.model)) || operation.success.is_empty();
    // Where nothing may be said of what is not there, it cannot be looked for.
    if !is_answered || (operation.missing.is_none() && operation.method != Method::Delete) {
        return None;
    }
    match operation.method {
        Method::Get if !operation.success.is_empty() => Some(Action::Read { resource: at }),
        Method::Put => {
            let copied = copied(operation, resource, types)?;
            let fills = fills(operation, resource, types, &copied, false)?;
            Some(Action::Replace { resource: at, fills, copied })
        }
        Method::Patch => Some(Action::Change { resource: at, copied: copied(operation, resource, types)? }),
        Method::Delete => Some(Action::Delete { resource: at }),
        _ => None,
    }
}

fn of_collection(operation: &Operation, resource: &Resource, at: usize, types: &Types) -> Option<Action> {
    match operation.method {
        Method::Post => {
            let is_answered = operation.success.ty == Some(Type::Model(resource.model)) || operation.success.is_empty();
            let copied = copied(operation, resource, types).filter(|_| is_answered)?;
            let fills = fills(operation, resource, types, &copied, true)?;
            Some(Action::Create { resource: at, fills, copied })
        }
        Method::Get => list(operation, resource, at, types),
        _ => None,
    }
}

/// Members of the request that are kept as they are; `None` where one could not be.
fn copied(operation: &Operation, resource: &Resource, types: &Types) -> Option<Copied> {
    let Type::Model(sent) = operation.body.as_ref()?.ty.as_ref()? else { return None };
    let kept = &types.models[resource.model];
    let ModelKind::Object { fields, extra, .. } = &types.models[*sent].kind else { return None };
    if matches!(extra, Extra::Of(_)) || !operation.body.as_ref()?.required {
        return None;
    }
    let mut copied = Vec::new();
    for field in fields {
        if let Some(place) = kept.field(&field.name) {
            if !fits(&field.ty, &place.ty) {
                return None;
            }
            copied.push(field.name.clone());
        }
    }
    Some(copied)
}

/// Whether every value of one type is of the other.
fn fits(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (_, Type::Any) => true,
        (Type::Nullable(one), Type::Nullable(other)) => fits(one, other),
        (one, Type::Nullable(other)) => fits(one, other),
        (Type::Integer(_), Type::Integer(other) | Type::Number(other)) | (Type::Number(_), Type::Number(other))
            if *other == Bounds::default() =>
        {
            true
        }
        (Type::Text(one), Type::Text(other)) => {
            one == other
                || (*other == Text { format: other.format.clone(), ..Text::default() }
                    && (other.format.is_none() || one.format == other.format))
        }
        (Type::List(one), Type::List(other)) => {
            let is_free = other.least.is_none() && other.most.is_none() && !other.unique;
            (one == other || is_free) && fits(&one.item, &other.item)
        }
        (Type::Map(one), Type::Map(other)) => fits(one, other),
        _ => one == other,
    }
}

/// What is kept of one thing and not sent; `None` where no value is known.
fn fills(
    operation: &Operation,
    resource: &Resource,
    types: &Types,
    copied: &Copied,
    is_new: bool,
) -> Option<Vec<Fill>> {
    let kept = &types.models[resource.model];
    let Type::Model(sent) = operation.body.as_ref()?.ty.as_ref()? else { return None };
    let mut fills = Vec::new();
    for field in kept.fields() {
        let is_sent =
            copied.contains(&field.name) && types.models[*sent].field(&field.name).is_some_and(|it| it.required);
        if is_sent || !field.required || (!is_new && !copied.contains(&field.name)) {
            continue;
        }
        let with = if field.name == resource.key { new_key(&field.ty)? } else { filled(field, resource, types)? };
        fills.push(Fill { field: field.name.clone(), with });
    }
    Some(fills)
}

fn new_key(ty: &Type) -> Option<With> {
    match ty {
        Type::Integer(bounds) => {
            let is_wide =
                bounds.most.as_deref().is_none_or(|it| it.parse::<f64>().is_ok_and(|it| it >= f64::from(i32::MAX)));
            let is_free = is_wide && bounds.below.is_none() && bounds.step.is_none();
            let least = bounds.least.as_deref().or(bounds.above.as_deref()).unwrap_or("0");
            (is_free && least.parse::<f64>().is_ok_and(|it| it <= 1.0)).then_some(With::NewNumber)
        }
        Type::Text(text) if text.format.as_deref() == Some("uuid") => Some(With::NewUuid),
        Type::Text(Text { format: None, pattern: None, least, most }) => {
            (least.unwrap_or(0) <= 32 && most.unwrap_or(64) >= 36).then_some(With::NewText)
        }
        _ => None,
    }
}

/// The plainest value for a member that clients do not send.
fn filled(field: &Field, resource: &Resource, types: &Types) -> Option<With> {
    if let Some(default) = field.default.as_ref().and_then(value_of) {
        return Some(With::Value(default));
    }
    Some(match &field.ty {
        Type::Nullable(_) | Type::Null => With::Value(Value::Null),
        Type::Text(text) if text.format.as_deref() == Some("date-time") => With::Now,
        Type::Text(text) if text.format.as_deref() == Some("date") => With::Today,
        Type::Integer(bounds) | Type::Number(bounds) if allows_zero(bounds) => With::Value(json!(0)),
        Type::List(list) if list.least.unwrap_or(0) == 0 => With::Value(json!([])),
        Type::Map(_) => With::Value(json!({})),
        Type::Model(at) => match &types.models[*at].kind {
            ModelKind::Values(values) => With::Value(json!(values.first()?)),
            ModelKind::Object { .. } => With::Value(resource.sample.get(&field.name)?.clone()),
        },
        Type::Values(values) => With::Value(value_of(values.first()?)?),
        _ => With::Value(resource.sample.get(&field.name)?.clone()),
    })
}

fn allows_zero(bounds: &Bounds) -> bool {
    let number = |text: &Option<String>| text.as_deref().and_then(|it| it.parse::<f64>().ok());
    number(&bounds.least).is_none_or(|it| it <= 0.0)
        && number(&bounds.above).is_none_or(|it| it < 0.0)
        && number(&bounds.most).is_none_or(|it| it >= 0.0)
        && number(&bounds.below).is_none_or(|it| it > 0.0)
}

pub(super) fn value_of(literal: &Literal) -> Option<Value> {
    match literal {
        Literal::Null => None,
        Literal::Boolean(value) => Some(json!(value)),
        Literal::Number(text) | Literal::Other(text) => serde_json::from_str(text).ok(),
        Literal::String(text) => Some(json!(text)),
    }
}

fn list(operation: &Operation, resource: &Resource, at: usize, types: &Types) -> Option<Action> {
    let kept = Type::Model(resource.model);
    let is_of_kept = |ty: &Type| matches!(ty, Type::List(list) if list.item == kept && list.least.unwrap_or(0) == 0 && list.most.is_none());
    let query = |wanted: &[&str]| {
        operation.parameters.iter().position(|it| {
            it.place == ParameterPlace::Query
                && wanted.contains(&names::snake(&it.name).as_str())
                && matches!(it.ty, Type::Integer(_))
        })
    };
    let page = match operation.success.ty.as_ref()? {
        ty if is_of_kept(ty) => None,
        Type::Model(page) => {
            let fields = types.models[*page].fields();
            let mut items = fields.iter().filter(|it| is_of_kept(&it.ty));
            let (Some(items), None) = (items.next(), items.next()) else { return None };
            let mut others = Vec::new();
            for field in fields.iter().filter(|it| it.required && it.name != items.name) {
                let said = |wanted: &[&str]| wanted.contains(&names::snake(&field.name).as_str());
                let with = match &field.ty {
                    Type::Nullable(_) => With::Value(Value::Null),
                    Type::Boolean => With::Value(json!(false)),
                    Type::Integer(bounds)
                        if allows_zero(bounds) && said(&["total", "count", "total_count", "total_items"]) =>
                    {
                        With::Count
                    }
                    Type::Integer(_) => {
                        let wanted = names::snake(&field.name);
                        let parameter = query(&[&wanted])?;
                        let default = operation.parameters[parameter].default.as_ref().and_then(value_of);
                        With::Parameter(parameter, default.or_else(|| operation.parameters[parameter].sample.clone())?)
                    }
                    _ => return None,
                };
                others.push(Fill { field: field.name.clone(), with });
            }
            Some(Page { items: items.name.clone(), others })
        }
        _ => return None,
    };
    let filters = operation.parameters.iter().enumerate().filter(|(_, it)| it.place == ParameterPlace::Query);
    let filters = filters.filter_map(|(parameter, it)| {
        let field = types.models[resource.model].field(&it.name)?;
        (field.ty.some() == &it.ty && it.default.is_none()).then(|| Filter { parameter, field: it.name.clone() })
    });
    let (limit, offset) = (query(&["limit", "page_size", "per_page"]), query(&["offset", "skip"]));
    let at_least = |wanted: Option<usize>, least: f64| {
        wanted.filter(|at| match &operation.parameters[*at].ty {
            Type::Integer(bounds) => {
                bounds.least.as_deref().and_then(|it| it.parse::<f64>().ok()).is_some_and(|it| it >= least)
            }
            _ => false,
        })
    };
    let (limit, offset) = (at_least(limit, 0.0), at_least(offset, 0.0));
    Some(Action::List { resource: at, page, filters: filters.collect(), limit, offset })
}
