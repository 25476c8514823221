//! Enumerations: as numbers, or as names.

use super::Schemas;
use super::names::Naming;
use super::style::Enums;
use crate::evaluate::{ClassRef, Evaluator, Value};
use crate::languages::json_schema::literal_value;
use crate::model::program::StmtKind;
use crate::model::{Kind, Literal, Shape};

/// How names of enumerations are spelt where nothing says so, the most common first.
const SPELLINGS: &[Naming] = &[
    Naming::Camel,
    Naming::Declared,
    Naming::Words { separator: '_', upper: false },
    Naming::Words { separator: '_', upper: true },
    Naming::Words { separator: '-', upper: false },
];

impl<'p> Schemas<'p> {
    /// An enumeration as it is written in a certain way.
    pub(super) fn enumeration(&mut self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, how: Enums) -> Shape {
        let scope = evaluator.body_scope(class);
        let marks = self.marks(evaluator, &class.node.decorators, &scope, class.node.span.file);
        // Several at once: numbers that have no name, names in a list.
        let combined = marks.has("Flags");
        match how {
            Enums::Unknown => {
                let mut ways: Vec<Shape> = Vec::new();
                for way in std::iter::once(Enums::Numbers).chain(SPELLINGS.iter().copied().map(Enums::Names)) {
                    let shape = self.enumeration(evaluator, class, way);
                    if !ways.contains(&shape) {
                        ways.push(shape);
                    }
                }
                Shape::new(Kind::Either(ways.into_iter().map(|shape| self.table.add(shape)).collect()))
            }
            Enums::Numbers => {
                let members = evaluator.enum_members(class);
                let values: Option<Vec<Literal>> = members.iter().map(|member| literal_value(&member.value)).collect();
                let whole = |value: &Literal| matches!(value, Literal::Number(_));
                match values.filter(|values| !combined && !values.is_empty() && values.iter().all(whole)) {
                    Some(mut values) => {
                        let mut seen = rustc_hash::FxHashSet::default();
                        values.retain(|value| seen.insert(value.clone()));
                        Shape::new(Kind::Integer).with_values(values)
                    }
                    None => Shape::new(Kind::Integer),
                }
            }
            Enums::Names(naming) => match self.member_names(evaluator, class, naming) {
                Some(names) if !combined && !names.is_empty() => {
                    Shape::new(Kind::String).with_values(names.into_iter().map(Literal::String).collect())
                }
                _ => Shape::new(Kind::String),
            },
        }
    }

    /// What each member is written as; `None` where it is not known.
    fn member_names(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        naming: Naming,
    ) -> Option<Vec<String>> {
        let newtonsoft = self.style().newtonsoft;
        let scope = evaluator.body_scope(class);
        let mut names = Vec::new();
        for statement in evaluator.class_statements(class) {
            let StmtKind::Property(member) = &statement.kind else { continue };
            let marks = self.marks(evaluator, &member.decorators, &scope, member.name_span.file);
            let given = if newtonsoft {
                marks.get("EnumMember").and_then(|args| args.named("Value"))
            } else {
                marks.get("JsonStringEnumMemberName").and_then(|args| args.get(0, "name"))
            };
            names.push(match given {
                Some(Value::Str(name)) => name.to_string(),
                Some(_) => return None,
                None => naming.spell(&member.name)?,
            });
        }
        Some(names)
    }
}
