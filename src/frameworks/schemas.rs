//! The shapes of one service, whichever languages its routes are written in.

use crate::languages::{python, typescript};
use crate::model::ShapeTable;

/// One table of shapes, lent to the language that is asked.
pub struct Schemas<'p> {
    python: python::schema::Schemas,
    typescript: typescript::schema::Schemas<'p>,
    /// Who has the table.
    holder: Holder,
}

#[derive(PartialEq, Eq)]
enum Holder {
    Python,
    TypeScript,
}

impl<'p> Schemas<'p> {
    /// `version_one`: whether its models are written for pydantic 1.
    pub fn new(version_one: bool) -> Self {
        Schemas {
            python: python::schema::Schemas::new(version_one),
            typescript: typescript::schema::Schemas::default(),
            holder: Holder::Python,
        }
    }

    /// Types of Python.
    pub fn python(&mut self) -> &mut python::schema::Schemas {
        if self.holder != Holder::Python {
            self.python.table = std::mem::take(&mut self.typescript.table);
            self.holder = Holder::Python;
        }
        &mut self.python
    }

    /// Types of TypeScript and JavaScript.
    pub fn typescript(&mut self) -> &mut typescript::schema::Schemas<'p> {
        if self.holder != Holder::TypeScript {
            self.typescript.table = std::mem::take(&mut self.python.table);
            self.holder = Holder::TypeScript;
        }
        &mut self.typescript
    }

    /// All shapes that were declared.
    pub fn into_table(mut self) -> ShapeTable {
        std::mem::take(&mut self.python().table)
    }
}
