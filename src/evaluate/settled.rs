//! Reading in one world: what a route answers where the decisions that the program made while it started fell in one way.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::decisions::DecisionId;
use super::expressions::frame_of;
use super::value::{Found, ModuleId, Scope, Value};
use super::{Evaluator, Guard};
use crate::model::program::{Expr, ExprKind, Function, Stmt, StmtKind};
use crate::model::walk;
use crate::text::Span;

/// Something that was read and hangs on a decision: how that fell, `None` where it was left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    decision: DecisionId,
    /// How it falls where nothing is said of it.
    better: bool,
    side: Option<bool>,
}

/// The decisions that something hung on while it was worked out: it is the same wherever they fall like this.
#[derive(Clone, Debug, Default)]
pub struct World {
    readings: Vec<Reading>,
    /// Too much was read to be told apart from other worlds.
    is_cut: bool,
}

/// What hangs on more decisions is worked out each time.
const MAX_READINGS: usize = 16;

impl World {
    fn note(&mut self, reading: Reading) {
        if self.readings.contains(&reading) {
            return;
        }
        if self.readings.len() < MAX_READINGS {
            self.readings.push(reading);
        } else {
            self.is_cut = true;
        }
    }
}

impl<'p> Evaluator<'p> {
    /// Works something out, and tells in which world that holds.
    pub fn in_world<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, World) {
        self.worlds.push(World::default());
        let result = run(self);
        let world = self.worlds.pop().unwrap_or_default();
        if let Some(around) = self.worlds.last_mut() {
            world.readings.iter().for_each(|reading| around.note(*reading));
            around.is_cut |= world.is_cut;
        }
        (result, world)
    }

    /// Whether what was worked out in a world holds in the one that is read now, which then hangs on it, too.
    pub fn is_in(&mut self, world: &World) -> bool {
        let holds = |it: &Reading| it.side == self.side_now(it.decision, it.better);
        if world.is_cut || !world.readings.iter().all(holds) {
            return false;
        }
        for reading in &world.readings {
            if self.side_of(reading.decision).is_none() && reading.side.is_some() {
                self.fallen(reading.decision, reading.better);
            }
            self.read(*reading);
        }
        true
    }

    /// How a decision falls now, without meeting it.
    fn side_now(&self, decision: DecisionId, better: bool) -> Option<bool> {
        self.side_of(decision).or_else(|| {
            let is_open = !self.settles || self.decision(decision).each_time;
            (!is_open).then(|| self.side_met(decision, better))
        })
    }

    fn read(&mut self, reading: Reading) {
        self.projections += 1;
        if let Some(world) = self.worlds.last_mut() {
            world.note(reading);
        }
    }

    /// The value as it is under the guard that holds now. While routes are read ([`Evaluator::settled`]), what the guard
    /// leaves open is taken as it is by default, and noted.
    pub fn projected(&mut self, value: Value<'p>) -> Value<'p> {
        let mut value = value;
        while let Value::Choice(choice) = &value {
            let decision = choice.decision;
            // Where nothing is the default, the side that says something.
            let says_nothing = |value: &Value| matches!(value, Value::None | Value::Unknown(..));
            let better = !says_nothing(&choice.yes) || says_nothing(&choice.no);
            let side = match self.side_of(decision) {
                Some(side) => Some(side),
                None if self.settles && !self.decision(decision).each_time => Some(self.fallen(decision, better)),
                None => None,
            };
            self.read(Reading { decision, better, side });
            let Some(side) = side else { break };
            value = if side { choice.yes.clone() } else { choice.no.clone() };
        }
        value
    }

    /// How a decision falls in the world that is read, which is noted.
    fn fallen(&mut self, decision: DecisionId, better: bool) -> bool {
        let side = self.side_met(decision, better);
        if !self.met.iter().any(|(known, _)| *known == decision) {
            self.met.push((decision, side));
        }
        side
    }

    fn side_met(&self, decision: DecisionId, better: bool) -> bool {
        let met = self.met.iter().find(|(known, _)| *known == decision);
        met.map_or_else(|| self.decision(decision).default.unwrap_or(better), |(_, side)| *side)
    }

    /// Reads something in one world: decisions that `guard` leaves open fall as they do by default. The decisions that it
    /// hung on, in the order in which they were met, with the side that was taken.
    pub fn settled<T>(&mut self, guard: &[(DecisionId, bool)], run: impl FnOnce(&mut Self) -> T) -> (T, Guard) {
        let outer = (std::mem::replace(&mut self.settles, true), std::mem::take(&mut self.met));
        let former = std::mem::replace(&mut self.guard, guard.to_vec());
        let result = run(self);
        self.guard = former;
        let met = std::mem::replace(&mut self.met, outer.1);
        self.settles = outer.0;
        (result, met)
    }

    /// Whether routes are read in one world.
    pub fn settles(&self) -> bool {
        self.settles
    }

    /// How often a value was read that hangs on a decision: what was worked out meanwhile holds in one world only.
    pub fn touched(&self) -> u64 {
        self.projections
    }

    /// How a condition falls in the world that is read, where it is the process that decides it and no request: what it
    /// says of names of `scope` is known, or hangs on what is set around the program. `None` where it may fall either way
    /// for each request.
    pub fn settled_test(&mut self, test: &'p Expr, scope: &Scope<'p>) -> Option<bool> {
        if !self.settles {
            return None;
        }
        if let ExprKind::Not(inner) = &test.kind {
            return self.settled_test(inner, scope).map(|truth| !truth);
        }
        if let ExprKind::And(left, right) | ExprKind::Or(left, right) = &test.kind {
            let decides = matches!(test.kind, ExprKind::Or(..));
            let left = self.settled_test(left, scope);
            return if left == Some(decides) {
                left
            } else {
                self.settled_test(right, scope).filter(|_| left.is_some())
            };
        }
        let before = (self.projections, self.soft, self.set_outside);
        (self.soft, self.set_outside) = (false, false);
        let value = self.evaluate(test, scope);
        let (soft, set_outside) = (self.soft, self.set_outside);
        (self.soft, self.set_outside) = (before.1, before.2);
        let chosen = self.projections != before.0;
        if chosen && value.is_setting() {
            return Some(true);
        }
        if value.is_plain() && (chosen || !soft) {
            return (chosen || is_constant(&value) && self.stays(test, scope)).then(|| value.truth());
        }
        if !(value.is_set_outside() || set_outside) {
            return None;
        }
        let key = self.condition_key(test, scope)?;
        let default = value.is_plain().then(|| value.truth());
        let known = self.known_decisions.get(&key).copied();
        let decision = known.unwrap_or_else(|| self.decide(test.span, default));
        self.known_decisions.insert(key, decision);
        let decided = &mut self.decisions[decision.index()];
        (decided.each_time, decided.by_setting) = (false, true);
        let side = match self.side_of(decision) {
            Some(side) => side,
            None => self.fallen(decision, true),
        };
        self.read(Reading { decision, better: true, side: Some(side) });
        Some(side)
    }
}

impl<'p> Evaluator<'p> {
    /// Whether the names in an expression stand for what they stand for now whenever it is asked: no function that runs later
    /// assigns to them.
    fn stays(&mut self, expr: &'p Expr, scope: &Scope<'p>) -> bool {
        let mut next = vec![expr];
        while let Some(expr) = next.pop() {
            match &expr.kind {
                ExprKind::Name(name) if self.is_assigned_later(name, scope) => return false,
                ExprKind::Name(_)
                | ExprKind::Compare { .. }
                | ExprKind::Str { .. }
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Bool(_)
                | ExprKind::None => {}
                _ => return false,
            }
            walk::inner(expr, &mut |inner| next.push(inner));
        }
        true
    }

    /// Whether a function assigns to a name that a function around it, or the module, has.
    pub fn is_assigned_later(&mut self, name: &str, scope: &Scope<'p>) -> bool {
        let mut next = Some(scope.clone());
        let mut within = None;
        while let Some(here) = next {
            if !here.is_module() && here.own(name).is_some() {
                within = frame_of(&here).and_then(|frame| frame.function());
                break;
            }
            next = here.parent().cloned();
        }
        let module = match (within, self.bound_in_module(scope.module(), name)) {
            (None, Some(Value::Imported(imported))) => match &imported.from {
                Found::Module(module) => *module,
                _ => return false,
            },
            _ => scope.module(),
        };
        let program = self.program;
        let assigned = self.assigned.entry(module).or_insert_with(|| assigned_in(&program[module.0 as usize].body));
        let Some(places) = assigned.get(name) else { return false };
        let inside = |place: &Span, function: &Function| {
            function.span.file == place.file && function.span.start < place.start && place.end <= function.span.end
        };
        places.iter().any(|place| within.is_none_or(|function| inside(place, function)))
    }
}

impl Evaluator<'_> {
    /// Whether several statements of a module bind a name.
    pub fn is_bound_again(&mut self, module: ModuleId, name: &str) -> bool {
        self.state(module).binders.get(name).is_some_and(|statements| statements.len() > 1)
    }
}

/// A name that holds a value: its module, the function that has it, if one does, and what it is called.
type Holder<'p> = (ModuleId, Option<&'p Function>, String);

impl<'p> Evaluator<'p> {
    pub fn modules(&self) -> Vec<ModuleId> {
        (0..self.program.len() as u32).map(ModuleId).collect()
    }

    /// The names that hold a value which a name of a scope stands for, as far as they can be seen from there.
    pub fn holders(&self, name: &str, value: &Value<'p>, scope: &Scope<'p>) -> Vec<Holder<'p>> {
        let module = scope.module();
        let mut found: Vec<Holder<'p>> = Vec::new();
        let mut next = Some(scope.clone());
        while let Some(here) = next {
            if !here.is_module() {
                let function = frame_of(&here).and_then(|frame| frame.function());
                let names = here.0.names.borrow();
                let holding = names.iter().filter(|(_, held)| is_in(value, held));
                found.extend(holding.map(|(known, _)| (module, function, known.to_string())));
            }
            next = here.parent().cloned();
        }
        let names = self.modules[module.0 as usize].iter().flat_map(|state| &state.names);
        found.extend(names.filter(|(_, held)| is_in(value, held)).map(|(known, _)| (module, None, known.to_string())));
        if let Some(Value::Imported(imported)) = self.bound_in_module(module, name)
            && let Found::Module(from) = &imported.from
        {
            found.push((*from, None, imported.name.to_string()));
        }
        found.sort_by(|(_, _, one), (_, _, other)| one.cmp(other));
        if found.is_empty() {
            found.push((module, None, name.to_owned()));
        }
        found
    }
}

/// Whether one of the alternatives of a name is just this value.
fn is_in<'p>(value: &Value<'p>, held: &Value<'p>) -> bool {
    match (value, held) {
        (_, Value::Choice(choice)) => is_in(value, &choice.yes) || is_in(value, &choice.no),
        (Value::Dict(value), Value::Dict(held)) => Rc::ptr_eq(value, held),
        (Value::List(value), Value::List(held)) => Rc::ptr_eq(value, held),
        (Value::Tuple(value), Value::Tuple(held)) => Rc::ptr_eq(value, held),
        _ => false,
    }
}

/// Names that functions assign to, each with the spans of those functions.
fn assigned_in(body: &[Stmt]) -> FxHashMap<&str, Vec<Span>> {
    let mut found: FxHashMap<&str, Vec<Span>> = FxHashMap::default();
    let mut blocks: Vec<(&[Stmt], Option<Span>)> = vec![(body, None)];
    while let Some((block, function)) = blocks.pop() {
        for statement in block {
            let mut exprs = Vec::new();
            walk::expressions(statement, &mut |expr| exprs.push(expr));
            walk::blocks(statement, &mut |inner| blocks.push((inner, function)));
            match &statement.kind {
                StmtKind::Function(inner) => blocks.push((&inner.body, Some(inner.span))),
                StmtKind::Class(class) => blocks.push((&class.body, function)),
                StmtKind::Assign { targets, .. } => {
                    for target in targets {
                        if let (ExprKind::Name(name), Some(function)) = (&target.kind, function) {
                            found.entry(name).or_default().push(function);
                        }
                    }
                }
                _ => {}
            }
            while let Some(expr) = exprs.pop() {
                if let ExprKind::Lambda(inner) = &expr.kind {
                    blocks.push((&inner.body, Some(inner.span)));
                }
                walk::inner(expr, &mut |inner| exprs.push(inner));
            }
        }
    }
    found
}

/// What no running code changes: nothing yet may become something.
fn is_constant(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_))
}
