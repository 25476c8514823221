//! From a TypeScript type to the shape of what is serialised: declared types, types that follow from how a value is
//! made, schemas that are values, and the places where a handler answers.

pub mod answers;
mod callbacks;
mod calls;
mod classes;
mod constructed;
mod decided;
mod declared;
pub mod decorators;
mod filled;
mod frames;
mod functions;
mod libraries;
mod locals;
mod members;
mod narrowing;
mod openapi;
mod procedures;
mod reads;
mod records;
mod replies;
mod settled;
mod shapes;
mod types;
mod typing;
pub(super) mod values;
mod written;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::evaluate::{Evaluator, FunctionRef, Value};
use crate::model::program::{Expr, Function};
use crate::model::{Shape, ShapeId, ShapeTable};
use crate::text::Span;

pub use reads::{Part, Read, Reads, Source, Typed};
pub use replies::{Reply, ReplyBody};
pub use types::{Callable, Env, ObjectType, Prop, Type};
pub use typing::Place;
pub use values::Side;

/// Types within types that are followed; a deeper one is unknown.
const MAX_DEPTH: u32 = 150;
/// Steps that the types of one route may take; what takes longer is unknown.
const MAX_STEPS: u32 = 400_000;

/// Shapes of one service, declared once for each type.
#[derive(Default)]
pub struct Schemas<'p> {
    pub table: ShapeTable,
    /// Values pass through class-transformer before they are sent.
    pub transforms: bool,
    /// Text that is the JSON of a value is told from other text, so that what is sent can be read.
    pub keeps_text: bool,
    /// Which side of classes and schemas is wanted: what is sent, or what is taken.
    side: Side,
    /// Shapes of types by key, with the types: their keys name addresses.
    known: FxHashMap<String, (ShapeId, Type<'p>)>,
    objects: FxHashMap<String, Option<Rc<ObjectType<'p>>>>,
    module_values: FxHashMap<*const Expr, Type<'p>>,
    returns: FxHashMap<*const Function, Type<'p>>,
    /// Functions whose result is being inferred, and variables whose value is being looked at.
    inferring: Vec<*const Function>,
    active: Vec<*const Expr>,
    depth: u32,
    steps: u32,
    values: values::Known<'p>,
}

impl<'p> Schemas<'p> {
    pub fn unknown(&mut self, why: impl Into<String>, site: Option<Span>) -> ShapeId {
        self.table.add(Shape::unknown(why, site))
    }

    /// Begins a route, which has a budget of its own.
    pub fn start(&mut self) {
        self.depth = 0;
        self.steps = 0;
    }

    /// The shape of what is taken where a type is declared: what decorators say of reading counts, and the input side of
    /// schemas.
    pub fn taken_shape(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, site: Option<Span>) -> ShapeId {
        self.taking(|schemas| schemas.shape_of(ev, ty, site))
    }

    /// The type that options of a schema declare where it is taken.
    pub fn taken_declared(&mut self, ev: &mut Evaluator<'p>, options: &Value<'p>, site: Span) -> Option<Type<'p>> {
        self.taking(|schemas| schemas.declared_by(ev, options, site))
    }

    fn taking<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.side, Side::Input);
        let found = read(self);
        self.side = before;
        found
    }

    /// What a type is remembered under, which differs by side.
    fn key_of(&self, ty: &Type<'p>) -> String {
        let key = ty.key();
        if self.side == Side::Input { format!("taken {key}") } else { key }
    }

    /// One level deeper; false where that is too deep or takes too long, and then nothing is to be left.
    fn enter(&mut self) -> bool {
        self.steps += 1;
        if self.depth >= MAX_DEPTH || self.steps > MAX_STEPS {
            return false;
        }
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn too_deep(&self, site: Span) -> Type<'p> {
        let why = if self.steps > MAX_STEPS { "types of the route take too long" } else { "types nested too deep" };
        Type::unknown(why, Some(site))
    }

    /// What a function gives, promises waited for: its declared result, else what it returns.
    pub fn returned_type(&mut self, ev: &mut Evaluator<'p>, function: &FunctionRef<'p>) -> Type<'p> {
        let callable = self.callable_of(function);
        let ty = self.result_of(ev, &Type::Function(Rc::new(callable)), &[], &[], None, function.node.name_span);
        self.awaited(ev, &ty)
    }
}
