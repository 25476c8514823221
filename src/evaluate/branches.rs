//! Where code branches: conditions, cases, loops, exceptions. Both sides of what is not decided run, see
//! [`super::decisions`]; how they end says under which guard the rest runs.

use super::decisions::{DecisionId, Test, is_absent};
use super::value::{Scope, Value, last};
use super::{Evaluator, MAX_ITERATIONS};
use crate::model::program::{Expr, ExprKind, ImportWhat, MatchCase, Stmt, StmtKind};
use crate::text::Span;

/// How a block ended, where it went on longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    Next,
    Continue,
    Break,
    /// What it returned is kept in the frame of the call.
    Return,
    /// An exception: the rest of the block does not run.
    Raise,
}

/// What goes on runs on one side of a decision only, up to where the other side meets it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    decision: DecisionId,
    side: bool,
    /// How the other side ended.
    until: End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) end: End,
    limits: Vec<Limit>,
}

impl Flow {
    pub(super) const NEXT: Flow = Flow { end: End::Next, limits: Vec::new() };

    pub(super) fn ended(end: End) -> Flow {
        Flow { end, limits: Vec::new() }
    }

    /// Those who ended like this meet the others again here.
    fn meet(&mut self, end: End) {
        self.limits.retain(|limit| limit.until > end);
    }
}

impl<'p> Evaluator<'p> {
    pub(super) fn block(&mut self, statements: &'p [Stmt], scope: &Scope<'p>) -> Flow {
        let before = self.guard.len();
        let mut whole = Flow::NEXT;
        for statement in statements {
            let flow = self.execute(statement, scope);
            self.go_on(&flow, &mut whole);
            if flow.end != End::Next {
                whole.end = flow.end;
                break;
            }
        }
        self.guard.truncate(before);
        whole
    }

    /// What comes next runs where the flow goes on.
    fn go_on(&mut self, flow: &Flow, whole: &mut Flow) {
        for limit in &flow.limits {
            if !self.guard.iter().any(|(known, _)| *known == limit.decision) {
                self.guard.push((limit.decision, limit.side));
                whole.limits.push(*limit);
            }
        }
    }

    /// Runs what each side of a decision runs.
    pub(super) fn fork(
        &mut self,
        decision: DecisionId,
        yes: impl FnOnce(&mut Self) -> Flow,
        no: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        self.uncertain += 1;
        let yes = self.within(decision, true, yes);
        let no = self.within(decision, false, no);
        self.uncertain -= 1;
        self.thrown = false;
        match (yes, no) {
            (Some(yes), Some(no)) => self.meeting(decision, yes, no),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Flow::NEXT,
        }
    }

    /// How two sides of a decision go on together. What ends with an exception is no run of the program any more.
    fn meeting(&mut self, decision: DecisionId, yes: Flow, no: Flow) -> Flow {
        match (yes.end, no.end) {
            (End::Raise, _) => return no,
            (_, End::Raise) => return yes,
            _ if yes == no => return yes,
            _ => {}
        }
        if yes.end == no.end {
            // Each side goes on under other conditions: whether the next statement is reached is a decision of its own.
            let until = yes.limits.iter().chain(&no.limits).map(|limit| limit.until).min().unwrap_or(End::Next);
            let test = self.decision(decision).test;
            let reached = self.decide(test, None);
            return Flow { end: yes.end, limits: vec![Limit { decision: reached, side: true, until }] };
        }
        let (side, longer, until) = if yes.end < no.end { (true, yes, no.end) } else { (false, no, yes.end) };
        let mut limits = vec![Limit { decision, side, until }];
        limits.extend(longer.limits);
        Flow { end: longer.end, limits }
    }

    /// Runs something for each alternative of a value.
    fn for_alternatives(&mut self, value: Value<'p>, act: &mut dyn FnMut(&mut Self, Value<'p>) -> Flow) -> Flow {
        let value = self.projected(value);
        match &value {
            Value::Choice(choice) => {
                let choice = choice.clone();
                self.uncertain += 1;
                let yes =
                    self.within(choice.decision, true, |evaluator| evaluator.for_alternatives(choice.yes.clone(), act));
                let no =
                    self.within(choice.decision, false, |evaluator| evaluator.for_alternatives(choice.no.clone(), act));
                self.uncertain -= 1;
                match (yes, no) {
                    (Some(yes), Some(no)) => self.meeting(choice.decision, yes, no),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => Flow::NEXT,
                }
            }
            absent if is_absent(absent) => Flow::NEXT,
            _ => act(self, value),
        }
    }

    pub(super) fn branch(
        &mut self,
        test: &'p Expr,
        then: &'p [Stmt],
        otherwise: &'p [Stmt],
        scope: &Scope<'p>,
    ) -> Flow {
        if is_type_checking(test) {
            return self.type_checking(then, otherwise, scope);
        }
        if self.serves_by_itself(test, then) {
            return self.block(then, scope);
        }
        match self.test(test, scope) {
            Test::Known(truth) => self.block(if truth { then } else { otherwise }, scope),
            Test::Open(decision, sense) => {
                let (yes, no) = if sense { (then, otherwise) } else { (otherwise, then) };
                self.fork(decision, |evaluator| evaluator.block(yes, scope), |evaluator| evaluator.block(no, scope))
            }
        }
    }

    /// `if TYPE_CHECKING:`: what runs counts, where it is known and no object that stands for a late import; else what the
    /// author tells type checkers.
    fn type_checking(&mut self, then: &'p [Stmt], otherwise: &'p [Stmt], scope: &Scope<'p>) -> Flow {
        let flow = self.block(then, scope);
        let declared: Vec<(String, Value<'p>)> = bound_names(otherwise)
            .filter_map(|name| self.own_binding(name, scope).map(|value| (name.to_owned(), value)))
            .collect();
        self.uncertain += 1;
        self.block(otherwise, scope);
        self.uncertain -= 1;
        self.thrown = false;
        for (name, value) in declared {
            let stands_in =
                |now: &Value| matches!(now, Value::None | Value::Unknown(..) | Value::Instance(_) | Value::Made(_));
            if self.own_binding(&name, scope).is_none_or(|now| stands_in(&now)) {
                self.assign_name(&name, value, scope);
            }
        }
        flow
    }

    /// `match`, `switch`: a chain of conditions, the default last.
    pub(super) fn choose(&mut self, subject: &'p Expr, cases: &'p [MatchCase], scope: &Scope<'p>) -> Flow {
        let outer = std::mem::replace(&mut self.soft, false);
        let value = self.evaluate(subject, scope);
        let soft = std::mem::replace(&mut self.soft, outer);
        let (tested, open): (Vec<&'p MatchCase>, Vec<&'p MatchCase>) =
            cases.iter().partition(|case| !case.values.is_empty());
        let ordered: Vec<&'p MatchCase> = tested.into_iter().chain(open).collect();
        let mut flow = self
            .for_alternatives(value, &mut |evaluator, value| evaluator.cases(subject, &value, soft, &ordered, scope));
        flow.meet(End::Break);
        if flow.end == End::Break {
            flow.end = End::Next;
        }
        flow
    }

    fn cases(
        &mut self,
        subject: &'p Expr,
        value: &Value<'p>,
        soft: bool,
        cases: &[&'p MatchCase],
        scope: &Scope<'p>,
    ) -> Flow {
        let Some((case, rest)) = cases.split_first() else { return Flow::NEXT };
        let mut leads = Some(false);
        for given in &case.values {
            let given = self.evaluate(given, scope);
            if given.same(value) {
                leads = Some(true);
            } else if leads == Some(false) && !(given.is_plain() && value.is_plain()) {
                leads = None;
            }
        }
        if case.values.is_empty() {
            // A pattern has no values and is no default; the last of them is.
            leads = rest.is_empty().then_some(true);
        }
        match leads {
            Some(true) if !soft || case.values.is_empty() => self.block(&case.body, scope),
            Some(false) if !soft => self.cases(subject, value, soft, rest, scope),
            known => {
                let decision = self.case_decision(subject, case, known, scope);
                if self.depth > super::MAX_DEPTH {
                    return Flow::NEXT;
                }
                self.depth += 1;
                let flow = self.fork(
                    decision,
                    |evaluator| evaluator.block(&case.body, scope),
                    |evaluator| evaluator.cases(subject, value, soft, rest, scope),
                );
                self.depth -= 1;
                flow
            }
        }
    }

    pub(super) fn repeat(
        &mut self,
        target: &'p Expr,
        iter: &'p Expr,
        (body, otherwise): (&'p [Stmt], &'p [Stmt]),
        scope: &Scope<'p>,
    ) -> Flow {
        let iterable = self.evaluate(iter, scope);
        let mut flow = self.for_alternatives(iterable, &mut |evaluator, iterable| {
            let Some(items) = evaluator.iterate(&iterable) else {
                let runs = evaluator.loop_decision(iter.span);
                return evaluator.fork(
                    runs,
                    |evaluator| {
                        let unknown = Value::Unknown("loop over what is not known", Some(iter.span));
                        evaluator.assign(target, unknown, scope);
                        let mut flow = evaluator.block(body, scope);
                        flow.meet(End::Continue);
                        if flow.end == End::Continue {
                            flow.end = End::Next;
                        }
                        flow
                    },
                    |_| Flow::NEXT,
                );
            };
            evaluator.passes(target, items, body, scope)
        });
        if flow.end == End::Break {
            flow.end = End::Next;
        } else if flow.end < End::Return && !otherwise.is_empty() {
            flow = self.unless_broken(flow, otherwise, scope);
        } else if flow.end == End::Continue {
            flow.end = End::Next;
        }
        flow.meet(End::Break);
        flow
    }

    /// What runs after a loop that nothing broke off.
    fn unless_broken(&mut self, flow: Flow, otherwise: &'p [Stmt], scope: &Scope<'p>) -> Flow {
        let broken: Vec<Limit> = flow.limits.iter().filter(|limit| limit.until == End::Break).copied().collect();
        let last = self.followed_by(flow, otherwise, scope);
        match (last.end, broken.as_slice()) {
            (End::Next, _) | (_, []) => last,
            // Where the loop was broken off, the program goes on behind what ended here.
            (end, [only]) => Flow { end: End::Next, limits: vec![Limit { side: !only.side, until: end, ..*only }] },
            (end, [first, ..]) => {
                let test = self.decision(first.decision).test;
                let decision = self.decide(test, None);
                Flow { end: End::Next, limits: vec![Limit { decision, side: true, until: end }] }
            }
        }
    }

    /// One pass of a loop for each element.
    fn passes(&mut self, target: &'p Expr, items: Vec<Value<'p>>, body: &'p [Stmt], scope: &Scope<'p>) -> Flow {
        let before = self.guard.len();
        let mut whole = Flow::NEXT;
        if items.len() > MAX_ITERATIONS {
            self.cut(super::PASSES, Some(target.span));
        }
        // Each pass has names of its own, which functions made in it keep.
        let own_names = self.names_types_apart(scope);
        for item in items.into_iter().take(MAX_ITERATIONS) {
            let pass = if own_names { scope.of_pass() } else { scope.clone() };
            if own_names {
                declare_target(target, &pass);
            }
            let mut flow = self.for_alternatives(item, &mut |evaluator, item| {
                evaluator.assign(target, item, &pass);
                evaluator.block(body, &pass)
            });
            flow.meet(End::Continue);
            self.go_on(&flow, &mut whole);
            if flow.end > End::Continue {
                whole.end = flow.end;
                break;
            }
        }
        self.guard.truncate(before);
        whole
    }

    /// A loop that may run: one pass of it.
    pub(super) fn may_repeat(&mut self, test: &'p Expr, body: &'p [Stmt], scope: &Scope<'p>) -> Flow {
        let test_of_loop = self.test(test, scope);
        if let Test::Open(decision, _) = test_of_loop {
            self.decisions[decision.index()].many = true;
        }
        let mut flow = match test_of_loop {
            Test::Open(decision, true) => self.fork(decision, |evaluator| evaluator.block(body, scope), |_| Flow::NEXT),
            Test::Open(decision, false) => {
                self.fork(decision, |_| Flow::NEXT, |evaluator| evaluator.block(body, scope))
            }
            Test::Known(_) => {
                let runs = self.loop_decision(test.span);
                self.fork(runs, |evaluator| evaluator.block(body, scope), |_| Flow::NEXT)
            }
        };
        flow.meet(End::Break);
        if matches!(flow.end, End::Continue | End::Break) {
            flow.end = End::Next;
        }
        flow
    }

    /// `try`: where the body asks for a package that may not be there, whether that is so decides; else the body is what
    /// runs, and the handlers are what may run besides.
    pub(super) fn attempt(
        &mut self,
        (body, handlers): (&'p [Stmt], &'p [Vec<Stmt>]),
        (otherwise, finally): (&'p [Stmt], &'p [Stmt]),
        scope: &Scope<'p>,
    ) -> Flow {
        let mut flow = match self.package_asked_for(body, scope) {
            Some((at, site)) if !handlers.is_empty() => {
                let (before, body) = body.split_at(at);
                let first = self.block(before, scope);
                if first.end != End::Next {
                    return first;
                }
                let there = self.open_decision(site, None);
                self.fork(
                    there,
                    |evaluator| {
                        let flow = evaluator.block(body, scope);
                        if flow.end == End::Next { evaluator.block(otherwise, scope) } else { flow }
                    },
                    |evaluator| evaluator.rescue(handlers, scope),
                )
            }
            _ => {
                let flow = self.block(body, scope);
                if !self.serving.is_empty() && flow.end == End::Raise {
                    let mut flow = flow;
                    for handler in handlers {
                        self.rescuing += 1;
                        flow = self.block(handler, scope);
                        self.rescuing -= 1;
                    }
                    flow
                } else {
                    let raised = handlers
                        .first()
                        .filter(|_| body.iter().any(may_raise))
                        .and_then(|handler| handler.first())
                        .map(|first| self.open_decision(first.span, Some(false)));
                    if let Some(raised) = raised {
                        self.fork(raised, |evaluator| evaluator.rescue(handlers, scope), |_| Flow::NEXT);
                    }
                    match flow.end {
                        End::Next => self.followed_by(flow, otherwise, scope),
                        End::Raise => Flow::NEXT,
                        _ => flow,
                    }
                }
            }
        };
        if flow.end != End::Next {
            return flow;
        }
        flow = self.followed_by(flow, finally, scope);
        flow
    }

    /// What runs after something that may have gone on under a guard.
    fn followed_by(&mut self, flow: Flow, then: &'p [Stmt], scope: &Scope<'p>) -> Flow {
        if then.is_empty() {
            return flow;
        }
        let before = self.guard.len();
        let mut whole = Flow::NEXT;
        self.go_on(&flow, &mut whole);
        let last = self.block(then, scope);
        self.go_on(&last, &mut whole);
        self.guard.truncate(before);
        whole.end = last.end;
        whole
    }

    /// The handlers of exceptions, of which one runs.
    fn rescue(&mut self, handlers: &'p [Vec<Stmt>], scope: &Scope<'p>) -> Flow {
        let Some((handler, rest)) = handlers.split_first() else { return Flow::ended(End::Raise) };
        self.rescuing += 1;
        let flow = if rest.is_empty() {
            self.block(handler, scope)
        } else {
            let Some(first) = handler.first() else { return Flow::NEXT };
            let this = self.open_decision(first.span, None);
            self.fork(this, |evaluator| evaluator.block(handler, scope), |evaluator| evaluator.rescue(rest, scope))
        };
        self.rescuing -= 1;
        flow
    }

    /// The first statement of a block that imports what is not part of the program, where it stands.
    fn package_asked_for(&mut self, body: &'p [Stmt], scope: &Scope<'p>) -> Option<(usize, Span)> {
        let module = scope.module();
        body.iter().enumerate().find_map(|(at, statement)| {
            let StmtKind::Import(import) = &statement.kind else { return None };
            let found = self.target(module, import);
            matches!(found, super::Found::External(_)).then_some((at, statement.span))
        })
    }
}

/// Names the variables of a loop in one pass of it, whatever else has their names.
fn declare_target(target: &Expr, pass: &Scope) {
    match &target.kind {
        ExprKind::Name(name) => pass.bind(name, Value::Unknown("variable of a loop", Some(target.span))),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| declare_target(item, pass)),
        ExprKind::Spread(inner) => declare_target(inner, pass),
        _ => {}
    }
}

/// Whether running a statement may end with an exception: not where a name is bound to a constant.
fn may_raise(statement: &Stmt) -> bool {
    let StmtKind::Assign { value, .. } = &statement.kind else { return true };
    !matches!(
        value.kind,
        ExprKind::Str { .. } | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::None
    )
}

fn is_type_checking(test: &Expr) -> bool {
    matches!(&test.kind, ExprKind::Name(name) | ExprKind::Member { name, .. } if last(name) == "TYPE_CHECKING")
}

/// Names that the statements of a block bind at its top level.
fn bound_names(block: &[Stmt]) -> impl Iterator<Item = &str> {
    block.iter().filter_map(|statement| match &statement.kind {
        StmtKind::Assign { targets, .. } => match targets.first().map(|target| &target.kind) {
            Some(ExprKind::Name(name)) => Some(name.as_str()),
            _ => None,
        },
        StmtKind::Annotated { target: Expr { kind: ExprKind::Name(name), .. }, .. } => Some(name.as_str()),
        StmtKind::Import(import) => match &import.what {
            ImportWhat::Module => import.module.split('.').next(),
            ImportWhat::ModuleAs(alias) | ImportWhat::Require(alias) | ImportWhat::Name { alias, .. } => {
                Some(alias.as_str())
            }
            ImportWhat::Star | ImportWhat::Static => None,
        },
        StmtKind::Function(function) => Some(function.name.as_str()),
        StmtKind::Class(class) => Some(class.name.as_str()),
        _ => None,
    })
}
