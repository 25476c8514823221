//! Which major version of pydantic a program is written for. Version 1 serialises durations and decimals as numbers, and
//! takes `Optional` without a default as not required (pydantic docs, "Migration Guide").

use crate::model::program::{ImportWhat, Module, Stmt, StmtKind};

/// Names that only version 2 has.
const TWO: &[&str] = &[
    "field_validator",
    "model_validator",
    "ConfigDict",
    "computed_field",
    "field_serializer",
    "model_serializer",
    "TypeAdapter",
    "RootModel",
    "AliasGenerator",
    "AliasChoices",
    "AliasPath",
    "PlainSerializer",
    "WrapSerializer",
    "BeforeValidator",
    "AfterValidator",
    "PlainValidator",
    "WrapValidator",
    "WithJsonSchema",
    "StringConstraints",
    "AwareDatetime",
    "NaiveDatetime",
    "ValidationInfo",
    "SerializationInfo",
    "RootModel",
    "validate_call",
];
/// Names that only version 1 has, or that version 2 keeps for migration.
const ONE: &[&str] = &["validator", "root_validator", "BaseSettings", "parse_obj_as", "validate_arguments"];

/// Whether the modules speak pydantic 1. In doubt they speak 2.
pub fn is_version_one<'m>(modules: impl IntoIterator<Item = &'m Module>) -> bool {
    let (mut one, mut two) = (false, false);
    for module in modules {
        visit(&module.body, &mut one, &mut two);
        if two {
            return false;
        }
    }
    one
}

fn visit(block: &[Stmt], one: &mut bool, two: &mut bool) {
    for statement in block {
        match &statement.kind {
            StmtKind::Import(import) if import.level == 0 => {
                let module = import.module.as_str();
                if module == "pydantic_settings" || module.starts_with("pydantic_core") {
                    *two = true;
                }
                if module == "pydantic.generics" || module.starts_with("pydantic.v1") {
                    *one = true;
                }
                if let ImportWhat::Name { name, .. } = &import.what
                    && (module == "pydantic" || module.starts_with("pydantic."))
                {
                    *two |= TWO.contains(&name.as_str());
                    *one |= ONE.contains(&name.as_str());
                }
            }
            StmtKind::If { then, otherwise, .. } => {
                visit(then, one, two);
                visit(otherwise, one, two);
            }
            StmtKind::Try { body, .. } => visit(body, one, two),
            _ => {}
        }
    }
}
