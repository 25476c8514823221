//! Methods and attributes by which a serializer decides itself which fields it has and how those of its model are built
//! (`rest_framework.serializers.ModelSerializer`): what they decide is not known.

use super::tables::Column;
use crate::evaluate::{ClassRef, Evaluator, Value, last};

/// What decides which fields there are.
const NAMING: &[&str] = &[
    "fields",
    "_readable_fields",
    "_writable_fields",
    "get_field_names",
    "get_default_field_names",
    "get_extra_kwargs",
    "include_extra_kwargs",
];
/// Serializers of libraries whose objects are what their fields write.
const PLAIN: &[&str] = &["drf_writable_nested", "rest_flex_fields", "drf_dynamic_fields", "drf_queryfields", "taggit"];
/// What makes something else of a list of objects than a list of them.
const LISTING: &[&str] = &["to_representation", "data"];

/// Which fields of a model are built in a way of the program's own.
#[derive(Default)]
pub(super) struct Built {
    standard: bool,
    relations: bool,
    choices: bool,
}

impl Built {
    pub(super) fn of_class<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Self {
        let mut says = |name: &str| evaluator.class_member(class, name).is_some();
        let all = says("build_field");
        let standard = all || says("build_standard_field") || says("serializer_field_mapping");
        Built {
            standard,
            relations: all || says("build_relational_field") || says("serializer_related_field"),
            choices: standard || says("serializer_choice_field"),
        }
    }

    /// Whether a field for this column is.
    pub(super) fn has(&self, column: Option<&Column<'_>>) -> bool {
        match column {
            Some(column) if column.is_relation() => self.relations,
            Some(column) if column.call.args.named("choices").is_some() => self.choices,
            _ => self.standard,
        }
    }
}

/// Why a serializer may have other fields than are written.
pub(super) fn naming<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<String> {
    let own = NAMING.iter().find(|name| evaluator.class_member(class, name).is_some())?;
    Some(format!("`{own}` of `{}` decides which fields there are", class.name()))
}

/// The base class of a library that may write its objects in a way of its own.
pub(super) fn foreign_base<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> Option<String> {
    let external = evaluator.external_bases(class);
    let is_foreign = |path: &&crate::evaluate::Str| {
        let top = path.split('.').next().unwrap_or(path);
        last(path).ends_with("Serializer") && top != "rest_framework" && !PLAIN.contains(&top)
    };
    external.iter().find(is_foreign).map(ToString::to_string)
}

/// Whether a list of objects is written as something else than the list of them.
pub fn lists_otherwise<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    if evaluator.class_member(class, "many_init").is_some() {
        return true;
    }
    let Some(Value::Class(meta)) = evaluator.class_member(class, "Meta") else { return false };
    match evaluator.class_member(&meta, "list_serializer_class") {
        None | Some(Value::None) => false,
        Some(Value::Class(list)) => {
            evaluator.unknown_base(&list) || LISTING.iter().any(|name| evaluator.class_member(&list, name).is_some())
        }
        Some(Value::External(path)) => !path.starts_with("rest_framework"),
        Some(_) => true,
    }
}
