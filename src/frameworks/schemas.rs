//! The shapes of one service, whichever languages its routes are written in.

use std::sync::Arc;

use crate::languages::{csharp, python, typescript};
use crate::model::ShapeTable;

/// What is the same for all services of a run, worked out when it is asked for first.
#[derive(Default)]
pub struct Shared<'p> {
    startup: Arc<csharp::schema::Startup<'p>>,
}

/// One table of shapes, lent to the language that is asked.
pub struct Schemas<'p> {
    python: python::schema::Schemas,
    typescript: typescript::schema::Schemas<'p>,
    csharp: csharp::schema::Schemas<'p>,
    /// Who has the table.
    holder: Holder,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Python,
    TypeScript,
    CSharp,
}

impl<'p> Schemas<'p> {
    /// `version_one`: whether its models are written for pydantic 1.
    /// `shared`: what all services of a run share.
    pub fn new(version_one: bool, shared: &Shared<'p>) -> Self {
        Schemas {
            python: python::schema::Schemas::new(version_one),
            typescript: typescript::schema::Schemas::default(),
            csharp: csharp::schema::Schemas::new(shared.startup.clone()),
            holder: Holder::Python,
        }
    }

    /// Types of Python.
    pub fn python(&mut self) -> &mut python::schema::Schemas {
        self.lend(Holder::Python);
        &mut self.python
    }

    /// Types of TypeScript and JavaScript.
    pub fn typescript(&mut self) -> &mut typescript::schema::Schemas<'p> {
        self.lend(Holder::TypeScript);
        &mut self.typescript
    }

    /// Types of C#.
    pub fn csharp(&mut self) -> &mut csharp::schema::Schemas<'p> {
        self.lend(Holder::CSharp);
        &mut self.csharp
    }

    /// The shapes that were declared so far.
    pub fn table(&mut self) -> &ShapeTable {
        self.table_of(self.holder)
    }

    /// All shapes that were declared.
    pub fn into_table(mut self) -> ShapeTable {
        std::mem::take(self.table_of(self.holder))
    }

    fn lend(&mut self, to: Holder) {
        if self.holder != to {
            let table = std::mem::take(self.table_of(self.holder));
            *self.table_of(to) = table;
            self.holder = to;
        }
    }

    fn table_of(&mut self, holder: Holder) -> &mut ShapeTable {
        match holder {
            Holder::Python => &mut self.python.table,
            Holder::TypeScript => &mut self.typescript.table,
            Holder::CSharp => &mut self.csharp.table,
        }
    }
}
