//! Structs of msgspec: fields are renamed by class, may be left out, and a class may tell its name.

use super::fields::{Declared, Fields};
use super::{Schemas, flat_options, models};
use crate::evaluate::{ClassRef, Evaluator, Value, last};
use crate::languages::Side;
use crate::languages::python::methods::title;
use crate::model::program::Expr;
use crate::model::{Additional, Kind, Literal, Object, Shape, ShapeId};

/// What the keywords of a class, or of a class that it extends, say.
fn keyword<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> Option<Value<'p>> {
    for ancestor in evaluator.ancestry(class).iter() {
        let Value::Class(ancestor) = ancestor else { continue };
        let keywords: &'p [(String, Expr)] = &ancestor.node.keywords;
        if let Some((_, value)) = keywords.iter().find(|(known, _)| known == name) {
            let scope = ancestor.scope.clone();
            return Some(evaluator.evaluate(value, &scope));
        }
    }
    None
}

impl Schemas {
    /// The object that a struct of these fields becomes.
    pub(super) fn struct_shape<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        fields: Fields<'p>,
    ) -> Shape {
        let site = Some(class.name_span());
        if matches!(keyword(evaluator, class, "array_like"), Some(Value::Bool(true))) {
            return Shape::unknown("struct that is written as an array", site);
        }
        let rename = keyword(evaluator, class, "rename");
        let omits = matches!(keyword(evaluator, class, "omit_defaults"), Some(Value::Bool(true)));
        let mut object = Object { fields: Vec::new(), additional: Additional::Open };
        if let Some(tag) = tag(evaluator, class) {
            let name = keyword(evaluator, class, "tag_field");
            let name = name.as_ref().and_then(Value::as_str).unwrap_or("type").to_owned();
            let shape = self.table.add(Shape::new(Kind::String).with_values(vec![Literal::String(tag)]));
            object.fields.push(models::field(&name, shape, true));
        }
        for (name, declared) in fields {
            let given = declared.info.as_ref().and_then(|info| info.args.named("name"));
            let wire = match (given, &rename) {
                (Some(Value::Str(given)), _) => given.to_string(),
                (_, None | Some(Value::None)) => name.clone(),
                (_, Some(rename)) => match renamed(evaluator, rename, &name, &declared) {
                    Some(wire) => wire,
                    None => return Shape::unknown("names that `rename` makes are not known", site),
                },
            };
            let (shape, may_lack) = self.set_or_not(evaluator, &declared);
            let required = !declared.has_default && !may_lack;
            let mut field = models::field(&wire, shape, required);
            field.always = !may_lack && (required || (self.side == Side::Output && !omits));
            field.span = Some(declared.span);
            field.declared = (wire != name).then_some(name);
            object.fields.push(field);
        }
        Shape::new(Kind::Object(object))
    }

    /// The type of a field without `UnsetType`, and whether that was part of it.
    fn set_or_not<'p>(&mut self, evaluator: &mut Evaluator<'p>, declared: &Declared<'p>) -> (ShapeId, bool) {
        let site = Some(declared.span);
        let is_unset = |option: &Value| option.as_external().is_some_and(|path| last(path) == "UnsetType");
        let options = flat_options(std::slice::from_ref(&declared.kind));
        if !options.iter().any(is_unset) {
            return (self.shape_of(evaluator, &declared.kind, site), false);
        }
        let set: Vec<Value<'p>> = options.into_iter().filter(|option| !is_unset(option)).collect();
        (self.union(evaluator, &set, site), true)
    }
}

/// `tag=True` is the name of the class; a class of a tagged one is tagged as well.
fn tag<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<String> {
    match keyword(evaluator, class, "tag") {
        Some(Value::Str(tag)) => Some(tag.to_string()),
        Some(Value::Bool(true)) => Some(class.name().to_owned()),
        None if keyword(evaluator, class, "tag_field").is_some() => Some(class.name().to_owned()),
        _ => None,
    }
}

fn renamed<'p>(
    evaluator: &mut Evaluator<'p>,
    rename: &Value<'p>,
    name: &str,
    declared: &Declared<'p>,
) -> Option<String> {
    let pascal = |name: &str| title(name).replace('_', "");
    match rename {
        Value::Str(style) => match &**style {
            "lower" => Some(name.to_lowercase()),
            "upper" => Some(name.to_uppercase()),
            "kebab" => Some(name.replace('_', "-")),
            "pascal" => Some(pascal(name)),
            "camel" => {
                let (first, rest) = name.split_once('_').unwrap_or((name, ""));
                Some(format!("{first}{}", pascal(rest)))
            }
            _ => None,
        },
        Value::Dict(names) => Some(match names.borrow().get_str(name) {
            Some(wire) => wire.as_str()?.to_owned(),
            None => name.to_owned(),
        }),
        generator => super::naming::alias(evaluator, generator, name, Side::Output, declared.span)
            .ok()
            .map(|wire| wire.unwrap_or_else(|| name.to_owned())),
    }
}
