//! What a handler reads off the request that it is given: members of its query, headers and body, by name, wherever the
//! request or a part of it goes; schemas that a part is parsed by, and types that it is said to be of.

mod parts;
mod walk;

use rustc_hash::FxHashSet;

use super::Schemas;
use super::types::{Env, Type};
use super::typing::{Place, outer_locals};
use crate::evaluate::{Evaluator, FunctionRef, Scope};
use crate::model::ShapeId;
use crate::model::program::{Expr, Function};
use crate::text::Span;

pub use parts::{Part, Source};

/// What is read off a request.
#[derive(Default)]
pub struct Reads<'p> {
    /// Members by name.
    pub members: Vec<Read>,
    /// Parts that are parsed by a schema: what it takes.
    pub parsed: Vec<(Source, ShapeId, Span)>,
    /// Parts that are said to be of a type.
    pub typed: Vec<Typed<'p>>,
    /// Parts that go where they are not followed; the request itself is none of the sources.
    pub whole: Vec<(Option<Source>, Span)>,
}

impl<'p> Reads<'p> {
    /// What another function reads besides.
    pub fn add(&mut self, more: Reads<'p>) {
        for member in more.members {
            let same = |known: &&mut Read| known.source == member.source && known.name == member.name;
            match self.members.iter_mut().find(same) {
                Some(known) => known.parsed = known.parsed.or(member.parsed),
                None => self.members.push(member),
            }
        }
        self.parsed.extend(more.parsed);
        self.typed.extend(more.typed);
        self.whole.extend(more.whole);
    }
}

/// A part that is said to be of a type.
pub struct Typed<'p> {
    pub source: Source,
    pub ty: Type<'p>,
    /// Any of its members may be left out.
    pub partial: bool,
    /// Members that come from elsewhere.
    pub without: Vec<String>,
    pub span: Span,
}

/// A member that is read by its name.
pub struct Read {
    pub source: Source,
    pub name: String,
    /// What it is parsed by, and whether that refuses what is left out.
    pub parsed: Option<(ShapeId, bool)>,
    pub span: Span,
}

impl<'p> Schemas<'p> {
    /// What a handler reads through its parameter at `position` (`this` not counted), which stands for `part`, where the
    /// request has this method; `None` is any.
    pub fn reads(
        &mut self,
        ev: &mut Evaluator<'p>,
        function: &FunctionRef<'p>,
        position: usize,
        part: Part,
        method: Option<&str>,
    ) -> Reads<'p> {
        let callable = self.callable_of(function);
        let Some(parameter) = callable.parameters().get(position) else { return Reads::default() };
        let place = self.place_of(function);
        let mut walk = walk::Walk::new(self, ev, method);
        walk.function(function.node, place, vec![(parameter.name.as_str(), part)]);
        walk.found
    }

    /// The same of functions that ran: those whose scopes lie around a place.
    pub fn reads_around(
        &mut self,
        ev: &mut Evaluator<'p>,
        scopes: &[Scope<'p>],
        method: Option<&str>,
        part: impl Fn(&Scope<'p>, &str) -> Option<Part>,
    ) -> Reads<'p> {
        let mut seen: FxHashSet<*const Function> = FxHashSet::default();
        let mut running: Vec<(&'p Function, Scope<'p>)> = Vec::new();
        for scope in scopes {
            let mut next = Some(scope.clone());
            while let Some(here) = next {
                if let Some(function) = here.function()
                    && seen.insert(std::ptr::from_ref(function))
                {
                    running.push((function, here.clone()));
                }
                next = here.parent().cloned();
            }
        }
        let mut walk = walk::Walk::new(self, ev, method);
        for (function, scope) in running {
            let roots: Vec<(&'p str, Part)> = function
                .parameters
                .iter()
                .filter_map(|parameter| Some((parameter.name.as_str(), part(&scope, &parameter.name)?)))
                .collect();
            if !roots.is_empty() {
                let place = Place { env: Env::of(&scope), locals: outer_locals(&scope) };
                walk.function(function, place, roots);
            }
        }
        walk.found
    }
}

/// An expression without casts and waiting around it.
fn bare(expr: &Expr) -> &Expr {
    use crate::model::program::ExprKind;
    let mut expr = expr;
    while let ExprKind::Cast { value: inner, .. } | ExprKind::Await(inner) = &expr.kind {
        expr = inner;
    }
    expr
}
