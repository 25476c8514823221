//! The attributes of a type or member that change what is written of it.

use crate::evaluate::{Args, Evaluator, Scope, Value, last};
use crate::model::program::{Expr, ImportWhat, Stmt, StmtKind};
use crate::text::FileId;

use super::Schemas;

/// Names that attributes of both System.Text.Json and Newtonsoft.Json have.
const OF_BOTH: &[&str] = &["JsonIgnore", "JsonConverter", "JsonExtensionData", "JsonRequired", "JsonConstructor"];

/// The attributes of one declaration that count for a serialiser.
#[derive(Default)]
pub(super) struct Marks<'p> {
    all: Vec<(String, Args<'p>)>,
}

impl<'p> Marks<'p> {
    pub(super) fn get(&self, name: &str) -> Option<&Args<'p>> {
        self.all.iter().find(|(known, _)| known == name).map(|(_, args)| args)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The same, of several names.
    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }
}

/// Which of the two libraries a file imports: Newtonsoft.Json, System.Text.Json.
#[derive(Clone, Copy, Default)]
pub(super) struct Imports {
    newtonsoft: bool,
    system: bool,
}

impl<'p> Schemas<'p> {
    /// The attributes of a declaration in a file, as far as the serialiser minds them that the shape is for.
    pub(super) fn marks(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        written: &'p [Expr],
        scope: &Scope<'p>,
        file: FileId,
    ) -> Marks<'p> {
        if written.is_empty() {
            return Marks::default();
        }
        let values = evaluator.attributes(written, scope);
        self.marks_of(evaluator, &values, file)
    }

    /// The same, of attributes that are evaluated.
    pub(super) fn marks_of(&mut self, evaluator: &mut Evaluator<'p>, values: &[Value<'p>], file: FileId) -> Marks<'p> {
        let mut marks = Marks::default();
        let newtonsoft = self.style().newtonsoft;
        for value in values {
            let Some((path, args)) = named(evaluator, value) else { continue };
            let name = last(&path);
            let name = name.strip_suffix("Attribute").unwrap_or(name);
            if OF_BOTH.contains(&name) && self.is_newtonsoft(evaluator, &path, file) == Some(!newtonsoft) {
                continue;
            }
            marks.all.push((name.to_owned(), args));
        }
        marks
    }

    /// Whose attribute it is; `None` where both may be.
    fn is_newtonsoft(&mut self, evaluator: &Evaluator<'p>, path: &str, file: FileId) -> Option<bool> {
        if path.starts_with("Newtonsoft.") {
            return Some(true);
        }
        if path.contains("Text.Json") {
            return Some(false);
        }
        let imports = self.imports.entry(file).or_insert_with(|| {
            let mut found = Imports::default();
            if let Some(module) = evaluator.module_of_file(file) {
                read(evaluator.statements(module), &mut found);
            }
            found
        });
        (imports.newtonsoft != imports.system).then_some(imports.newtonsoft)
    }
}

fn read(block: &[Stmt], found: &mut Imports) {
    for statement in block {
        match &statement.kind {
            StmtKind::Import(import) if matches!(import.what, ImportWhat::Star) => {
                found.newtonsoft |= import.module.starts_with("Newtonsoft.Json");
                found.system |= import.module == "System.Text.Json.Serialization";
            }
            StmtKind::Namespace { body, .. } => read(body, found),
            _ => {}
        }
    }
}

/// The name of an attribute with its arguments; of one that the program declares, those of the library's that it extends.
fn named<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> Option<(String, Args<'p>)> {
    match value {
        Value::Made(made) => Some((made.path.to_string(), made.args.clone())),
        Value::Instance(instance) => {
            if let Some(made) = evaluator.base_call(value) {
                return Some((made.path.to_string(), made.args.clone()));
            }
            let class = instance.class.clone();
            let path = evaluator.external_bases(&class).first()?.to_string();
            Some((path, Args::default()))
        }
        _ => None,
    }
}
