//! `is`, `switch` and the patterns of both, as tests that bind names.

use tree_sitter::Node;

use super::kinds::{Field, Kind, Lowering};
use crate::model::program::{CompareOp, Expr, ExprKind, MatchArm};
use crate::text::Span;

/// When a case is taken: one of the values, and the test.
#[derive(Default)]
pub(super) struct Arm {
    pub(super) values: Vec<Expr>,
    pub(super) test: Option<Expr>,
}

impl Arm {
    /// `when guard`
    pub(super) fn guard(&mut self, guard: Expr) {
        self.test = and(self.test.take(), Some(guard));
    }
}

/// What a pattern looks at. It is evaluated once: what is more than a name gets one where it is used first.
struct Subject {
    first: Option<Expr>,
    again: Expr,
}

impl Subject {
    fn take(&mut self) -> Expr {
        self.first.take().unwrap_or_else(|| self.again.clone())
    }
}

impl<'t> Lowering<'t> {
    /// `value is pattern`
    pub(super) fn is_pattern(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let value = self.by_field(opened, Field::Expression).or_else(|| self.by_field(opened, Field::Left));
        let pattern = self.by_field(opened, Field::Pattern);
        let kind = self.by_field(opened, Field::Right);
        self.close(opened);
        let value = self.part(value, node);
        let again = name_of(&value, node);
        let mut subject = match &again {
            Some(again) => Subject { first: Some(named(value, again)), again: again.clone() },
            None => Subject { first: None, again: value },
        };
        let span = self.span(node);
        match (pattern, kind) {
            (Some(pattern), _) => self.pattern(pattern, &mut subject).map_or(ExprKind::Bool(true), |test| test.kind),
            (None, kind) => {
                let kind = self.type_part(kind, node);
                compare(CompareOp::Is, subject.take(), kind, span).kind
            }
        }
    }

    /// What a `switch` looks at, and what its patterns call it.
    pub(super) fn subject(&mut self, value: Option<Node<'t>>, node: Node<'t>) -> (Expr, Expr) {
        let value = self.part(value, node);
        match name_of(&value, node) {
            Some(again) => (named(value, &again), again),
            None => (value.clone(), value),
        }
    }

    /// `value switch { pattern when guard => result, … }`
    pub(super) fn switch(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let [value] = self.parts(opened);
        let (subject, name) = self.subject(value, node);
        let mut arms = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::SwitchArm => arms.push(self.switch_arm(child.node, &name)),
                Kind::Error => {
                    let test = Some(self.unreadable(child.node));
                    arms.push(MatchArm { values: Vec::new(), test, value: self.unreadable(child.node) });
                }
                _ => {}
            }
        }
        self.close(opened);
        ExprKind::Match { subject: Box::new(subject), arms }
    }

    fn switch_arm(&mut self, node: Node<'t>, subject: &Expr) -> MatchArm {
        let opened = self.open(node);
        let [pattern] = self.parts(opened);
        let guard = self.by_kind(opened, Kind::WhenClause);
        let value = self.part_after(opened, "=>");
        self.close(opened);
        let mut arm = pattern.map(|pattern| self.arm(pattern, subject)).unwrap_or_default();
        if let Some(guard) = guard {
            let test = self.first_part(guard);
            let test = self.part(test, guard);
            arm.guard(test);
        }
        MatchArm { values: arm.values, test: arm.test, value: self.part(value, node) }
    }

    /// When a case with this pattern is taken.
    pub(super) fn arm(&mut self, pattern: Node<'t>, subject: &Expr) -> Arm {
        if let Some(values) = self.constants(pattern) {
            return Arm { values, test: None };
        }
        let mut subject = Subject { first: None, again: subject.clone() };
        Arm { values: Vec::new(), test: self.pattern(pattern, &mut subject) }
    }

    /// `a or b or c` of constants and types; a loop, for it has no bound.
    fn constants(&mut self, pattern: Node<'t>) -> Option<Vec<Expr>> {
        let mut found = Vec::new();
        let mut next = vec![pattern];
        while let Some(pattern) = next.pop() {
            match self.kind(pattern) {
                Kind::OrPattern => {
                    let opened = self.open(pattern);
                    next.extend(self.by_field(opened, Field::Right));
                    next.extend(self.by_field(opened, Field::Left));
                    self.close(opened);
                }
                Kind::ParenthesizedPattern => next.extend(self.first_part(pattern)),
                Kind::ConstantPattern => {
                    found.push(self.first_part(pattern).filter(|inner| self.kind(*inner) != Kind::Tuple)?);
                }
                Kind::TypePattern => found.push(self.first_part(pattern)?),
                kind if is_pattern(kind) => return None,
                _ => found.push(pattern),
            }
        }
        let is_type = |kind| matches!(kind, Kind::PredefinedType | Kind::ArrayType | Kind::NullableType);
        let one = |found: Node<'t>, this: &mut Self| {
            if is_type(this.kind(found)) { this.type_expr(found) } else { this.expr(found) }
        };
        Some(found.into_iter().map(|found| one(found, self)).collect())
    }

    /// A pattern as a test; none where everything matches.
    fn pattern(&mut self, node: Node<'t>, subject: &mut Subject) -> Option<Expr> {
        let span = self.span(node);
        if !self.enter(node) {
            return Some(Expr { span, kind: ExprKind::Other("code nested too deep") });
        }
        let test = match self.kind(node) {
            Kind::Discard => None,
            Kind::ConstantPattern => self.constant_pattern(node, subject),
            Kind::TypePattern => {
                let kind = self.first_part(node);
                let kind = self.type_part(kind, node);
                Some(compare(CompareOp::Is, subject.take(), kind, span))
            }
            Kind::DeclarationPattern | Kind::VarPattern | Kind::RecursivePattern => self.shape_pattern(node, subject),
            Kind::ParenthesizedPattern => {
                let inner = self.first_part(node);
                inner.and_then(|inner| self.pattern(inner, subject))
            }
            Kind::NegatedPattern => {
                let inner = self.first_part(node);
                let inner = inner.and_then(|inner| self.pattern(inner, subject));
                Some(Expr { span, kind: negated(inner) })
            }
            Kind::AndPattern | Kind::OrPattern => {
                let opened = self.open(node);
                let left = self.by_field(opened, Field::Left);
                let right = self.by_field(opened, Field::Right);
                self.close(opened);
                let left = left.and_then(|left| self.pattern(left, subject));
                let right = right.and_then(|right| self.pattern(right, subject));
                match (self.kind(node), left, right) {
                    (Kind::AndPattern, left, right) => and(left, right),
                    (_, Some(left), Some(right)) => {
                        Some(Expr { span, kind: ExprKind::Or(Box::new(left), Box::new(right)) })
                    }
                    _ => None,
                }
            }
            Kind::RelationalPattern => {
                let opened = self.open(node);
                let [value] = self.parts(opened);
                let op = [
                    ("<", CompareOp::Less),
                    ("<=", CompareOp::LessEqual),
                    (">", CompareOp::Greater),
                    (">=", CompareOp::GreaterEqual),
                ];
                let op = op.iter().find(|(token, _)| self.has_token(opened, token)).map(|(_, op)| *op);
                self.close(opened);
                let value = self.part(value, node);
                Some(compare(op.unwrap_or(CompareOp::Less), subject.take(), value, span))
            }
            Kind::ListPattern => Some(Expr { span, kind: ExprKind::Other("list pattern") }),
            _ => {
                let value = self.expr(node);
                Some(compare(CompareOp::Equal, subject.take(), value, span))
            }
        };
        self.leave();
        test
    }

    /// `null`, `1`, `A.B`; `A` may be a type as well, which only those know who know all names: `Is`.
    fn constant_pattern(&mut self, node: Node<'t>, subject: &mut Subject) -> Option<Expr> {
        let span = self.span(node);
        let inner = self.first_part(node)?;
        if self.kind(inner) == Kind::Tuple {
            return self.tuple_pattern(inner, subject);
        }
        let value = self.expr(inner);
        let op = match value.kind {
            ExprKind::None | ExprKind::Name(_) | ExprKind::Member { .. } | ExprKind::Index { .. } => CompareOp::Is,
            _ => CompareOp::Equal,
        };
        Some(compare(op, subject.take(), value, span))
    }

    /// `(1, _)` of constants, which the grammar takes for a tuple.
    fn tuple_pattern(&mut self, node: Node<'t>, subject: &mut Subject) -> Option<Expr> {
        let opened = self.open(node);
        let (mut test, mut position) = (None, 0);
        // Each test nests the ones before it.
        let depth = self.depth;
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::Argument {
                continue;
            }
            if !self.enter(child.node) {
                break;
            }
            let span = self.span(child.node);
            let inner = self.open(child.node);
            let value = self.last_part(inner);
            self.close(inner);
            let value = self.part(value, child.node);
            if !matches!(&value.kind, ExprKind::Name(name) if name == "_") {
                let part = element(subject.take(), position, span);
                test = and(test, Some(compare(CompareOp::Equal, part, value, span)));
            }
            position += 1;
        }
        self.depth = depth;
        self.close(opened);
        test
    }

    /// `A a`, `var a`, `A { B: pattern } a`, `(pattern, pattern)`
    fn shape_pattern(&mut self, node: Node<'t>, subject: &mut Subject) -> Option<Expr> {
        let span = self.span(node);
        let opened = self.open(node);
        let kind = self.by_field(opened, Field::Type);
        let name = self.by_field(opened, Field::Name);
        let designations = self.by_kind(opened, Kind::Designations);
        let positional = self.by_kind(opened, Kind::PositionalClause);
        let properties = self.by_kind(opened, Kind::PropertyClause);
        self.close(opened);
        let kind = self.declared_type(kind);
        let again = subject.again.clone();
        let value = match (subject.take(), kind.clone()) {
            (value, Some(kind)) if name.is_some() => {
                Expr { span, kind: ExprKind::Cast { value: Box::new(value), kind: Box::new(kind) } }
            }
            (value, _) => value,
        };
        let value = match name {
            Some(name) => Expr {
                span: self.span(name),
                kind: ExprKind::Named { name: self.identifier(name), value: Box::new(value) },
            },
            None => value,
        };
        let mut test = match kind {
            Some(kind) => Some(compare(CompareOp::Is, value, kind, span)),
            None if properties.is_some() || positional.is_some() => {
                let none = Expr { span, kind: ExprKind::None };
                Some(compare(CompareOp::IsNot, value, none, span))
            }
            // Binds a name, and always holds.
            None if name.is_some() || designations.is_some() => Some(always(value)),
            None => None,
        };
        if let Some(designations) = designations {
            test = and(test, self.designated(designations, &again));
        }
        // Each test nests the ones before it.
        let depth = self.depth;
        for (clause, is_positional) in [(positional, true), (properties, false)] {
            let Some(clause) = clause else { continue };
            let opened = self.open(clause);
            let mut position = 0;
            for index in opened {
                let child = self.child(index);
                if child.kind == Kind::Subpattern && self.enter(child.node) {
                    let part = self.subpattern(child.node, &again, is_positional.then_some(position));
                    test = and(test, part);
                    position += 1;
                }
            }
            self.close(opened);
        }
        self.depth = depth;
        test
    }

    /// `(a, b)` after `var`.
    fn designated(&mut self, node: Node<'t>, subject: &Expr) -> Option<Expr> {
        let opened = self.open(node);
        let (mut test, mut position) = (None, 0);
        let depth = self.depth;
        for index in opened {
            let child = self.child(index);
            let span = self.span(child.node);
            if !self.enter(child.node) {
                break;
            }
            match child.kind {
                Kind::Identifier => {
                    let value = Box::new(element(subject.clone(), position, span));
                    let kind = ExprKind::Named { name: self.identifier(child.node), value };
                    test = and(test, Some(always(Expr { span, kind })));
                }
                Kind::Designations => {
                    let inner = element(subject.clone(), position, span);
                    test = and(test, self.designated(child.node, &inner));
                }
                _ if !child.is_part() => continue,
                _ => {}
            }
            position += 1;
        }
        self.depth = depth;
        self.close(opened);
        test
    }

    /// `A.B: pattern`, or `pattern` at a position.
    fn subpattern(&mut self, node: Node<'t>, subject: &Expr, position: Option<i64>) -> Option<Expr> {
        let opened = self.open(node);
        let name = self.has_token(opened, ":").then(|| self.parts(opened)).and_then(|[name]: [_; 1]| name);
        let pattern = self.last_part(opened);
        self.close(opened);
        let span = self.span(node);
        let part = match (name, position) {
            (Some(name), _) => {
                let member = |object, name: &str| Expr {
                    span,
                    kind: ExprKind::Member { object: Box::new(object), name: name.to_owned() },
                };
                self.dotted(name).split('.').fold(subject.clone(), member)
            }
            (None, Some(position)) => element(subject.clone(), position, span),
            (None, None) => subject.clone(),
        };
        let mut part = Subject { first: None, again: part };
        pattern.and_then(|pattern| self.pattern(pattern, &mut part))
    }
}

fn is_pattern(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::DeclarationPattern
            | Kind::RecursivePattern
            | Kind::VarPattern
            | Kind::NegatedPattern
            | Kind::RelationalPattern
            | Kind::AndPattern
            | Kind::ListPattern
            | Kind::Discard
    )
}

/// A name for a value that is more than one; none where it can be written again.
fn name_of(value: &Expr, node: Node<'_>) -> Option<Expr> {
    let simple = match &value.kind {
        ExprKind::Name(_) => true,
        ExprKind::Member { object, .. } => matches!(object.kind, ExprKind::Name(_)),
        _ => false,
    };
    let kind = ExprKind::Name(format!("matched@{}", node.start_byte()));
    (!simple).then_some(Expr { span: value.span, kind })
}

fn named(value: Expr, name: &Expr) -> Expr {
    let ExprKind::Name(name) = &name.kind else { return value };
    Expr { span: value.span, kind: ExprKind::Named { name: name.clone(), value: Box::new(value) } }
}

fn compare(op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr { span, kind: ExprKind::Compare { op, left: Box::new(left), right: Box::new(right) } }
}

fn and(left: Option<Expr>, right: Option<Expr>) -> Option<Expr> {
    match (left, right) {
        (Some(left), Some(right)) => {
            let span = Span { end: right.span.end.max(left.span.end), ..left.span };
            Some(Expr { span, kind: ExprKind::And(Box::new(left), Box::new(right)) })
        }
        (left, right) => left.or(right),
    }
}

fn negated(test: Option<Expr>) -> ExprKind {
    match test {
        None => ExprKind::Bool(false),
        Some(Expr { kind: ExprKind::Compare { op: CompareOp::Is, left, right }, .. }) => {
            ExprKind::Compare { op: CompareOp::IsNot, left, right }
        }
        Some(Expr { kind: ExprKind::Compare { op: CompareOp::Equal, left, right }, .. }) => {
            ExprKind::Compare { op: CompareOp::NotEqual, left, right }
        }
        Some(test) => ExprKind::Not(Box::new(test)),
    }
}

/// `value` evaluated, and true.
fn always(value: Expr) -> Expr {
    let span = value.span;
    let yes = Box::new(Expr { span, kind: ExprKind::Bool(true) });
    Expr { span, kind: ExprKind::Or(Box::new(value), yes) }
}

fn element(object: Expr, position: i64, span: Span) -> Expr {
    let index = vec![Expr { span, kind: ExprKind::Int(position) }];
    Expr { span, kind: ExprKind::Index { object: Box::new(object), index } }
}
