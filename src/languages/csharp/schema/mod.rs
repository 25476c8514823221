//! Types of C# to shapes: what a serialiser writes for a value of a type. Built-in types and generics here, classes in
//! `classes.rs`. Follows the documentation of System.Text.Json ("How to serialize and deserialize JSON in .NET") and of
//! Newtonsoft.Json ("Serialization Guide"), with the defaults that ASP.NET sets up.

mod builtin;
mod calls;
mod classes;
mod collections;
mod converters;
mod declared;
mod enums;
mod fields;
pub mod inputs;
mod libraries;
mod marks;
mod members;
mod names;
mod places;
mod services;
mod settings;
mod startup;
mod style;
mod taken;
#[cfg(test)]
mod tests;
mod versioning;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::evaluate::{ClassRef, DynamicClass, Evaluator, Value, last};
use crate::languages::generics::Substitution;
use crate::model::{Additional, Field, Kind, Object, Shape, ShapeId, ShapeTable};
use crate::text::{FileId, Span};
use marks::Imports;
use style::{Ignore, Style};

pub use calls::expressions;
pub use settings::{SERIALISERS, Serialiser, serialiser_of};
pub use startup::Startup;

/// Deeper types are given up as unknown.
const MAX_DEPTH: u32 = 80;
/// Shapes of one service; a program that declares more is built to.
const MAX_SHAPES: usize = 400_000;

/// The shapes of one service, declared once for each type.
pub struct Schemas<'p> {
    pub table: ShapeTable,
    known: FxHashMap<String, ShapeId>,
    imports: FxHashMap<FileId, Imports>,
    /// Shared by all services of a run.
    startup: Arc<Startup<'p>>,
    /// The styles that projects have.
    of_projects: FxHashMap<(&'p str, Serialiser), usize>,
    /// The types that each converter of the program is for.
    converts: FxHashMap<Span, Rc<[Value<'p>]>>,
    /// Ways of serialising; types are declared once for each.
    styles: Vec<Rc<Style<'p>>>,
    /// The one that counts right now.
    style: usize,
    depth: u32,
    /// Stands for everything once there are too many shapes.
    exhausted: Option<ShapeId>,
    /// How often each generic class is being declared right now, with one argument within the other.
    nested: FxHashMap<Span, u32>,
}

impl<'p> Schemas<'p> {
    /// `startup`: of all programs that are read together.
    pub fn new(startup: Arc<Startup<'p>>) -> Self {
        Schemas {
            table: ShapeTable::default(),
            known: FxHashMap::default(),
            imports: FxHashMap::default(),
            startup,
            of_projects: FxHashMap::default(),
            converts: FxHashMap::default(),
            styles: vec![Rc::new(Style::web(false))],
            style: 0,
            depth: 0,
            exhausted: None,
            nested: FxHashMap::default(),
        }
    }

    /// What is written for a value of a type, which comes as [`Evaluator::type_expression`] gives it, by what serialises
    /// for the controllers where `site` stands. Never fails: what is not understood is unknown with its reason.
    pub fn shape_of(&mut self, evaluator: &mut Evaluator<'p>, ty: &Value<'p>, site: Span) -> ShapeId {
        self.shape_by(Serialiser::Controllers, evaluator, ty, site)
    }

    /// The same, by one serialiser or the other.
    pub fn shape_by(
        &mut self,
        serialiser: Serialiser,
        evaluator: &mut Evaluator<'p>,
        ty: &Value<'p>,
        site: Span,
    ) -> ShapeId {
        self.style = self.style_at(evaluator, site, serialiser);
        self.shape(evaluator, ty, Some(site))
    }

    /// A member that is always written, under the name that the style gives it.
    fn spelt(&self, name: &str, shape: ShapeId, span: Option<Span>) -> Option<Field> {
        let wire = self.style().names.spell(name)?;
        let declared = (wire != name).then(|| name.to_owned());
        Some(Field { name: wire, declared, shape, required: false, always: true, span })
    }

    fn style(&self) -> &Rc<Style<'p>> {
        &self.styles[self.style]
    }

    fn shape(&mut self, evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Option<Span>) -> ShapeId {
        if self.depth > MAX_DEPTH {
            return self.unknown("type nested too deep", site);
        }
        if self.table.len() > MAX_SHAPES {
            return match self.exhausted {
                Some(id) => id,
                None => {
                    *self.exhausted.insert(self.table.add(Shape::unknown("more types than one service may have", site)))
                }
            };
        }
        if evaluator.is_exhausted() {
            return self.unknown("evaluation budget of the file used up", site);
        }
        if let Value::External(_) | Value::Applied(..) = value
            && let Some(place) = site
            && !self.style().converters.is_empty()
            && let Some(shape) = self.converted_globally(evaluator, value, place)
        {
            return self.table.add(shape);
        }
        self.depth += 1;
        let id = match value {
            Value::Unknown(why, place) => self.unknown(*why, place.or(site)),
            Value::None => self.plain(Kind::Null),
            Value::Union(options) => self.union(evaluator, options, site),
            Value::External(path) => self.external(evaluator, path, site),
            Value::Class(class) => self.class(evaluator, class, &[], site),
            Value::Applied(base, args) => self.applied(evaluator, base, args, site),
            Value::TypeVar(variable) => self.unknown(format!("`{}` stands for any type", variable.name), site),
            Value::Alias(alias) => self.unknown(format!("`{}` is a delegate", alias.name), site),
            Value::Dynamic(class) => self.anonymous(evaluator, class),
            other => self.unknown(format!("{} stands where a type is expected", other.describe()), site),
        };
        self.depth -= 1;
        id
    }

    fn unknown(&mut self, why: impl Into<String>, site: Option<Span>) -> ShapeId {
        self.table.add(Shape::unknown(why, site))
    }

    fn plain(&mut self, kind: Kind) -> ShapeId {
        self.table.add(Shape::new(kind))
    }

    fn array(&mut self, items: ShapeId) -> ShapeId {
        self.plain(Kind::Array { prefix: Vec::new(), items: Some(items) })
    }

    fn map(&mut self, values: ShapeId) -> ShapeId {
        self.plain(Kind::Object(Object { fields: Vec::new(), additional: Additional::Of(values) }))
    }

    /// `T?`; several types where a handler answers with one or the other.
    fn union(&mut self, evaluator: &mut Evaluator<'p>, options: &[Value<'p>], site: Option<Span>) -> ShapeId {
        let others: Vec<&Value<'p>> = options.iter().filter(|option| !matches!(option, Value::None)).collect();
        if let [only] = others.as_slice() {
            let id = self.shape(evaluator, only, site);
            return self.or_null(id);
        }
        let shapes: Vec<ShapeId> = others.iter().map(|option| self.shape(evaluator, option, site)).collect();
        let either = self.plain(Kind::Either(shapes));
        if others.len() < options.len() { self.or_null(either) } else { either }
    }

    fn or_null(&mut self, id: ShapeId) -> ShapeId {
        let shape = self.table.get(id);
        if shape.nullable {
            return id;
        }
        let nullable = match &shape.kind {
            Kind::Object(_) | Kind::Ref(_) | Kind::Union(_) | Kind::Either(_) | Kind::Unknown(_) => {
                Shape::new(Kind::Ref(id))
            }
            _ => shape.clone(),
        };
        self.table.add(nullable.nullable(true))
    }

    fn external(&mut self, evaluator: &mut Evaluator<'p>, path: &str, site: Option<Span>) -> ShapeId {
        let name = last(path);
        if let Some((kind, format)) = builtin::scalar(name) {
            let mut shape = Shape::new(kind);
            shape.format = format.map(str::to_owned);
            // Both serialisers read numbers from texts, as ASP.NET sets them up.
            shape.from_text = self.style().reads && matches!(shape.kind, Kind::Integer | Kind::Number);
            return self.table.add(shape);
        }
        if builtin::is_anything(name) {
            return self.plain(Kind::Any);
        }
        if builtin::is_free_object(name) {
            let values = self.plain(Kind::Any);
            return self.map(values);
        }
        if builtin::is_list(name) {
            let items = self.plain(Kind::Any);
            return self.array(items);
        }
        match name {
            // A value without members.
            "Unit" => self.plain(Kind::Object(Object { fields: Vec::new(), additional: Additional::Open })),
            "ProblemDetails" | "ValidationProblemDetails" | "HttpValidationProblemDetails" => self.problem(name),
            _ => match self.of_library(evaluator, name, &[], site) {
                Some(known) => known,
                None => self.unknown(format!("`{name}` is not part of the scanned sources"), site),
            },
        }
    }

    /// RFC 7807, as ASP.NET writes it: what is not set is left out.
    fn problem(&mut self, name: &str) -> ShapeId {
        let text = self.plain(Kind::String);
        let number = self.plain(Kind::Integer);
        let anything = self.unknown("members that are added at run time", None);
        let field = |name: &str, shape| Field {
            name: name.to_owned(),
            shape,
            required: false,
            always: false,
            span: None,
            declared: None,
        };
        let mut fields: Vec<Field> =
            ["type", "title", "detail", "instance"].iter().map(|name| field(name, text)).collect();
        fields.push(field("status", number));
        if name != "ProblemDetails" {
            let texts = self.array(text);
            let errors = self.map(texts);
            fields.push(Field { always: true, ..field("errors", errors) });
        }
        let object = Kind::Object(Object { fields, additional: Additional::Of(anything) });
        self.table.add(Shape::new(object).named(name))
    }

    fn applied(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        base: &Value<'p>,
        args: &[Value<'p>],
        site: Option<Span>,
    ) -> ShapeId {
        let path = match base {
            Value::External(path) => path.clone(),
            Value::Class(class) => return self.class(evaluator, class, args, site),
            Value::Unknown(why, place) => return self.unknown(*why, place.or(site)),
            other => return self.unknown(format!("{}<…> as a type", other.describe()), site),
        };
        let name = last(&path);
        let Some(item) = args.last() else { return self.external(evaluator, &path, site) };
        if matches!(name, "[]" | "Memory" | "ReadOnlyMemory") && is_byte(item) {
            let mut shape = Shape::new(Kind::String);
            shape.format = Some("byte".to_owned());
            return self.table.add(shape);
        }
        if builtin::is_wrapper(name) {
            let id = self.shape(evaluator, item, site);
            return if name == "Nullable" { self.or_null(id) } else { id };
        }
        if builtin::is_map(name) && args.len() == 2 {
            let values = self.shape(evaluator, item, site);
            return self.map(values);
        }
        if builtin::is_list(name) || matches!(name, "Memory" | "ReadOnlyMemory") {
            let items = self.shape(evaluator, item, site);
            return self.array(items);
        }
        match name {
            "ILookup" => {
                let items = self.shape(evaluator, item, site);
                let group = self.array(items);
                self.array(group)
            }
            "IGrouping" => {
                let items = self.shape(evaluator, item, site);
                self.array(items)
            }
            "KeyValuePair" => self.elements(evaluator, &["Key", "Value"], args, site),
            "Tuple" if args.len() < 8 => {
                let names = ["Item1", "Item2", "Item3", "Item4", "Item5", "Item6", "Item7"];
                self.elements(evaluator, &names, args, site)
            }
            // Its elements are fields, which System.Text.Json leaves out.
            "ValueTuple" if args.len() < 8 => {
                let names = ["Item1", "Item2", "Item3", "Item4", "Item5", "Item6", "Item7"];
                let args = if self.style().fields { args } else { &[] };
                self.elements(evaluator, &names, args, site)
            }
            // `int[,]`
            _ if name.starts_with("[,") => self.unknown("array of several dimensions", site),
            _ => match self.of_library(evaluator, name, args, site) {
                Some(known) => known,
                None => self.unknown(format!("`{name}` is not part of the scanned sources"), site),
            },
        }
    }

    /// `new { a, b.C }`, as [`typing`](super::typing) gives its type.
    fn anonymous(&mut self, evaluator: &mut Evaluator<'p>, class: &DynamicClass<'p>) -> ShapeId {
        let site = Some(class.site);
        let mut fields = Vec::new();
        for (name, ty) in &class.fields {
            let mut shape = self.shape(evaluator, ty, site);
            let left_out = match self.style().ignore {
                Ignore::Never => false,
                Ignore::Null => self.table.get(shape).nullable,
                Ignore::Default => true,
            };
            if left_out {
                shape = self.never_null(shape);
            }
            match self.spelt(name, shape, site) {
                Some(field) => fields.push(Field { always: !left_out, ..field }),
                None => return self.unknown("how names are spelt is not known", site),
            }
        }
        self.table.add(Shape::new(Kind::Object(Object { fields, additional: Additional::Open })).at(site))
    }

    /// An object with members of these names and types.
    fn elements(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        names: &[&str],
        types: &[Value<'p>],
        site: Option<Span>,
    ) -> ShapeId {
        let mut fields = Vec::new();
        for (name, ty) in names.iter().zip(types) {
            let shape = self.shape(evaluator, ty, site);
            match self.spelt(name, shape, None) {
                Some(field) => fields.push(field),
                None => return self.unknown("how names are spelt is not known", site),
            }
        }
        self.plain(Kind::Object(Object { fields, additional: Additional::Open }))
    }
}

fn is_byte(value: &Value) -> bool {
    value.as_external().is_some_and(|path| matches!(last(path), "byte" | "Byte"))
}

/// Type parameters of a class with what was given for them.
fn arguments_of<'p>(class: &ClassRef<'p>, args: &[Value<'p>]) -> Substitution<'p> {
    let names = class.node.type_parameters.iter().map(|parameter| Rc::from(parameter.name.as_str()));
    names.zip(args.iter().cloned()).collect()
}
