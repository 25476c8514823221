//! Enumerations: as numbers, or as names.

use rustc_hash::FxHashSet;

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

/// What an attribute says of a name.
pub(super) enum Given {
    Nothing,
    Name(String),
    Unknown,
}

/// One member of an enumeration.
pub(super) struct Named {
    pub(super) name: String,
    /// What an attribute says that it is written as.
    pub(super) given: Given,
    /// Its number, where it is known.
    pub(super) number: Option<String>,
}

impl<'p> Schemas<'p> {
    /// An enumeration as it is written in a certain way.
    pub(super) fn enumeration(&mut self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, how: Enums) -> Shape {
        let scope = evaluator.body_scope(class);
        let own = self.marks(evaluator, &class.node.decorators, &scope, class.node.span.file);
        let newtonsoft = self.style().newtonsoft;
        let numbers = evaluator.enum_members(class);
        let mut members = Vec::with_capacity(numbers.len());
        for statement in evaluator.class_statements(class) {
            let StmtKind::Property(member) = &statement.kind else { continue };
            let marks = self.marks(evaluator, &member.decorators, &scope, member.name_span.file);
            let given = if newtonsoft {
                marks.get("EnumMember").and_then(|args| args.named("Value"))
            } else {
                marks.get("JsonStringEnumMemberName").and_then(|args| args.get(0, "name"))
            };
            let number = numbers.get(members.len()).and_then(|known| match literal_value(&known.value) {
                Some(Literal::Number(number)) => Some(number),
                _ => None,
            });
            members.push(Named {
                name: member.name.clone(),
                given: match given {
                    None => Given::Nothing,
                    Some(Value::Str(name)) => Given::Name(name.to_string()),
                    Some(_) => Given::Unknown,
                },
                number,
            });
        }
        // Several at once: numbers that have no name, names in a list.
        let members = if own.has("Flags") { Vec::new() } else { members };
        self.enumerated(&members, how)
    }

    /// An enumeration with these members; without any, values are not known.
    pub(super) fn enumerated(&mut self, members: &[Named], how: Enums) -> Shape {
        let (kind, values): (_, Option<Vec<Literal>>) = match how {
            Enums::Unknown => {
                let mut ways: Vec<Shape> = Vec::new();
                for way in SPELLINGS.iter().copied().map(Enums::Names).chain([Enums::Numbers]) {
                    let shape = self.enumerated(members, way);
                    if !ways.contains(&shape) {
                        ways.push(shape);
                    }
                }
                return Shape::new(Kind::Either(ways.into_iter().map(|shape| self.table.add(shape)).collect()));
            }
            Enums::Numbers => {
                (Kind::Integer, members.iter().map(|member| member.number.clone().map(Literal::Number)).collect())
            }
            Enums::Names(naming) => {
                let spelt = |member: &Named| match &member.given {
                    Given::Nothing => naming.spell(&member.name),
                    Given::Name(name) => Some(name.clone()),
                    Given::Unknown => None,
                };
                (Kind::String, members.iter().map(|member| spelt(member).map(Literal::String)).collect())
            }
        };
        match values.filter(|values| !values.is_empty()) {
            Some(mut values) => {
                let mut seen = FxHashSet::default();
                values.retain(|value| seen.insert(value.clone()));
                Shape::new(kind).with_values(values)
            }
            None => Shape::new(kind),
        }
    }
}
