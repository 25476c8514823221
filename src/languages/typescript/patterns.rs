//! Variables, assignments, and the patterns that both take values apart with.

use tree_sitter::Node;

use super::expressions::binary_op;
use super::imports::Reference;
use super::kinds::{Field, Kind, Lowering};
use crate::model::program::{Expr, ExprKind, Stmt, StmtKind};

impl<'t> Lowering<'t> {
    /// `const a = 1, { b } = c`
    pub(super) fn variables(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::VariableDeclarator => self.variable(child.node, out),
                Kind::Error => self.unreadable_into(child.node, out),
                _ => {}
            }
        }
        self.close(opened);
    }

    fn variable(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let annotation = self.by_field(opened, Field::Type);
        let value = self.by_field(opened, Field::Value);
        self.close(opened);
        let Some(name) = name else { return };
        let is_pattern = matches!(self.kind(name), Kind::ObjectPattern | Kind::ArrayPattern);
        let span = self.span(node);
        if let Some(reference) = value.and_then(|value| self.module_reference(value))
            && self.bind_reference(name, &reference, out)
        {
            return;
        }
        if !is_pattern && let Some(class) = value.filter(|value| self.kind(*value) == Kind::Class) {
            let mut class = self.class(class, Vec::new());
            class.name = self.name(name);
            class.name_span = self.span(name);
            out.append(&mut self.extra.before);
            out.push(Stmt { span, kind: StmtKind::Class(Box::new(class)) });
            return;
        }
        let annotation = annotation.map(|annotation| self.type_expr(annotation));
        let mut value = value.map(|value| self.expr(value));
        out.append(&mut self.extra.before);
        if !is_pattern
            && let Some(Expr { kind: ExprKind::Lambda(function), .. }) = &mut value
            && function.name.is_empty()
        {
            function.name = self.name(name);
            function.name_span = self.span(name);
        }
        let target = if is_pattern {
            Expr { span: self.span(name), kind: ExprKind::Name(made_name(name)) }
        } else {
            self.expr(name)
        };
        match (annotation, value) {
            (None, Some(value)) if is_pattern => self.assign_pattern(name, value, out),
            (None, None) if is_pattern => {}
            (Some(annotation), value) => {
                let kind = StmtKind::Annotated { target: target.clone(), annotation, value };
                out.push(Stmt { span, kind });
                if is_pattern {
                    self.assign_pattern(name, target, out);
                }
            }
            (None, value) => {
                let value = value.unwrap_or(Expr { span, kind: ExprKind::None });
                out.push(Stmt { span, kind: StmtKind::Assign { targets: vec![target], value } });
            }
        }
    }

    /// `pattern = value`, as one assignment for each name.
    pub(super) fn assign_pattern(&mut self, pattern: Node<'t>, value: Expr, out: &mut Vec<Stmt>) {
        if !self.enter(pattern) {
            return;
        }
        match self.kind(pattern) {
            Kind::ObjectPattern => {
                let value = self.keep(pattern, value, out);
                self.object_pattern(pattern, &value, out);
            }
            Kind::ArrayPattern => self.array_pattern(pattern, value, out),
            Kind::AssignmentPattern => {
                let opened = self.open(pattern);
                let left = self.by_field(opened, Field::Left);
                let default = self.operand(opened, Field::Right, pattern);
                self.close(opened);
                if let Some(left) = left {
                    let kind = ExprKind::Or(Box::new(value), Box::new(default));
                    self.assign_pattern(left, Expr { span: self.span(pattern), kind }, out);
                }
            }
            Kind::Parenthesized | Kind::NonNull => {
                if let Some(inner) = self.first_part(pattern) {
                    self.assign_pattern(inner, value, out);
                }
            }
            _ => {
                let target = self.expr(pattern);
                out.append(&mut self.extra.before);
                out.push(Stmt { span: self.span(pattern), kind: StmtKind::Assign { targets: vec![target], value } });
            }
        }
        self.leave();
    }

    /// Gives a value a name unless it is one, so that it is evaluated once.
    fn keep(&mut self, pattern: Node<'t>, value: Expr, out: &mut Vec<Stmt>) -> Expr {
        if matches!(value.kind, ExprKind::Name(_)) {
            return value;
        }
        let span = self.span(pattern);
        let name = Expr { span, kind: ExprKind::Name(made_name(pattern)) };
        out.push(Stmt { span, kind: StmtKind::Assign { targets: vec![name.clone()], value } });
        name
    }

    fn object_pattern(&mut self, pattern: Node<'t>, value: &Expr, out: &mut Vec<Stmt>) {
        let opened = self.open(pattern);
        let mut names = Vec::new();
        for index in opened {
            let child = self.child(index);
            let node = child.node;
            let span = self.span(node);
            let member = |name: &str| Expr {
                span,
                kind: ExprKind::Member { object: Box::new(value.clone()), name: name.to_owned() },
            };
            match child.kind {
                Kind::ShorthandPattern => {
                    let name = self.name(node);
                    self.assign_pattern(node, member(&name), out);
                    names.push(name);
                }
                // `{ name = default }`
                Kind::AssignmentPattern => {
                    let left = self.first_part(node).map_or_else(String::new, |left| self.name(left));
                    self.assign_pattern(node, member(&left), out);
                    names.push(left);
                }
                Kind::PairPattern => {
                    let opened = self.open(node);
                    let key = self.by_field(opened, Field::Key);
                    let target = self.by_field(opened, Field::Value);
                    self.close(opened);
                    let key = self.key(key, node);
                    let Some(target) = target else { continue };
                    let part = match key.kind {
                        ExprKind::Str { text, .. } => {
                            let part = member(&text);
                            names.push(text);
                            part
                        }
                        _ => Expr { span, kind: ExprKind::Index { object: Box::new(value.clone()), index: vec![key] } },
                    };
                    self.assign_pattern(target, part, out);
                }
                Kind::RestPattern => {
                    if let Some(target) = self.first_part(node) {
                        let kind =
                            ExprKind::Without { value: Box::new(value.clone()), names: std::mem::take(&mut names) };
                        self.assign_pattern(target, Expr { span, kind }, out);
                    }
                }
                Kind::Error => self.unreadable_into(node, out),
                _ => {}
            }
        }
        self.close(opened);
    }

    fn array_pattern(&mut self, pattern: Node<'t>, value: Expr, out: &mut Vec<Stmt>) {
        let mut later = Vec::new();
        let target = self.array_target(pattern, &mut later);
        let kind = StmtKind::Assign { targets: vec![target], value };
        out.push(Stmt { span: self.span(pattern), kind });
        self.take_apart(later, out);
    }

    /// The targets of an array pattern; what is no plain name is assigned to one first, and to be taken apart later.
    fn array_target(&mut self, pattern: Node<'t>, later: &mut Vec<(Node<'t>, Expr)>) -> Expr {
        let opened = self.open(pattern);
        let mut targets = Vec::new();
        let mut filled = false;
        for index in opened {
            let child = self.child(index);
            let mut node = child.node;
            let span = self.span(node);
            match child.kind {
                Kind::Token => {
                    if self.slice(node) == "," && !std::mem::take(&mut filled) {
                        targets.push(Expr { span, kind: ExprKind::Other("left out") });
                    }
                    continue;
                }
                Kind::Error => continue,
                _ => filled = true,
            }
            let rest = child.kind == Kind::RestPattern;
            if rest {
                let Some(inner) = self.first_part(node) else { continue };
                node = inner;
            }
            let mut target = if self.kind(node) == Kind::Identifier {
                self.expr(node)
            } else {
                let name = match self.kind(node) {
                    Kind::AssignmentPattern => {
                        self.first_part(node).filter(|left| self.kind(*left) == Kind::Identifier)
                    }
                    _ => None,
                };
                let name = name.map_or_else(|| made_name(node), |name| self.name(name));
                let target = Expr { span, kind: ExprKind::Name(name) };
                later.push((node, target.clone()));
                target
            };
            if rest {
                target = Expr { span, kind: ExprKind::Spread(Box::new(target)) };
            }
            targets.push(target);
        }
        self.close(opened);
        Expr { span: self.span(pattern), kind: ExprKind::Tuple(targets) }
    }

    fn take_apart(&mut self, later: Vec<(Node<'t>, Expr)>, out: &mut Vec<Stmt>) {
        for (pattern, value) in later {
            self.assign_pattern(pattern, value, out);
        }
    }

    /// The target of a loop; what it is taken apart into goes to the start of the body.
    pub(super) fn loop_target(&mut self, pattern: Node<'t>, body: &mut Vec<Stmt>) -> Expr {
        match self.kind(pattern) {
            Kind::ArrayPattern => {
                let mut later = Vec::new();
                let target = self.array_target(pattern, &mut later);
                self.take_apart(later, body);
                target
            }
            Kind::ObjectPattern => {
                let target = Expr { span: self.span(pattern), kind: ExprKind::Name(made_name(pattern)) };
                self.assign_pattern(pattern, target.clone(), body);
                target
            }
            _ => self.expr(pattern),
        }
    }

    /// Whether the target is a plain name.
    pub(super) fn assigns_name(&mut self, assignment: Node<'t>) -> bool {
        let opened = self.open(assignment);
        let left = self.by_field(opened, Field::Left);
        self.close(opened);
        left.is_some_and(|left| self.kind(left) == Kind::Identifier)
    }

    /// `a = b = value` as a statement; a loop, for chains have no bound.
    pub(super) fn assignment(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        let mut targets = Vec::new();
        let mut next = Some(node);
        let mut value = None;
        while let Some(node) = next.take() {
            let opened = self.open(node);
            let left = self.by_field(opened, Field::Left);
            let right = self.by_field(opened, Field::Right);
            self.close(opened);
            targets.extend(left);
            match right {
                Some(right) if self.kind(right) == Kind::Assignment => next = Some(right),
                right => value = right,
            }
        }
        let is_pattern = |kind| matches!(kind, Kind::ObjectPattern | Kind::ArrayPattern);
        if targets.iter().any(|target| is_pattern(self.kind(*target))) {
            let mut value = self.part(value, node);
            out.append(&mut self.extra.before);
            if targets.len() > 1 {
                value = self.keep(node, value, out);
            }
            for target in targets {
                self.assign_pattern(target, value.clone(), out);
            }
            return;
        }
        let targets: Vec<Expr> = targets.into_iter().map(|target| self.target(target)).collect();
        if let [Expr { kind: ExprKind::Name(name), .. }] = targets.as_slice()
            && let Some(reference) = value.and_then(|value| self.module_reference(value))
        {
            out.push(reference.import(name.clone(), span));
            return;
        }
        let value = self.part(value, node);
        out.append(&mut self.extra.before);
        match (targets.as_slice(), &value.kind) {
            // `exports.name = name`
            ([Expr { kind: ExprKind::Name(target), .. }], ExprKind::Name(value)) if target == value => {}
            _ => out.push(Stmt { span, kind: StmtKind::Assign { targets, value } }),
        }
    }

    /// A target that is no pattern; what CommonJS exports is a name of the module.
    fn target(&mut self, node: Node<'t>) -> Expr {
        let target = self.expr(node);
        let ExprKind::Member { object, name } = &target.kind else { return target };
        let exported = match &object.kind {
            ExprKind::Name(object) if object == "module" && name == "exports" => "default",
            ExprKind::Name(object) if object == "exports" => name,
            ExprKind::Member { object, name: exports } if exports == "exports" => match &object.kind {
                ExprKind::Name(object) if object == "module" => name,
                _ => return target,
            },
            _ => return target,
        };
        Expr { span: target.span, kind: ExprKind::Name(exported.to_owned()) }
    }

    /// `a += b`, `a ??= b`
    pub(super) fn augmented_assignment(&mut self, node: Node<'t>) -> StmtKind {
        let opened = self.open(node);
        let target = self.operand(opened, Field::Left, node);
        let value = self.operand(opened, Field::Right, node);
        let operator = self.by_field(opened, Field::Operator).map_or("", |operator| self.slice(operator));
        self.close(opened);
        let operator = operator.strip_suffix('=').unwrap_or("");
        let decide = match operator {
            "&&" => ExprKind::And,
            "||" | "??" => ExprKind::Or,
            _ => return StmtKind::Augmented { target, op: binary_op(operator), value },
        };
        let value = Expr { span: self.span(node), kind: decide(Box::new(target.clone()), Box::new(value)) };
        StmtKind::Assign { targets: vec![target], value }
    }

    /// Binds what a pattern takes of a module; false where the pattern takes something else apart.
    fn bind_reference(&mut self, pattern: Node<'t>, reference: &Reference, out: &mut Vec<Stmt>) -> bool {
        match self.kind(pattern) {
            Kind::Identifier => {
                out.push(reference.import(self.name(pattern), self.span(pattern)));
                true
            }
            Kind::ObjectPattern if reference.member.is_none() => {
                let opened = self.open(pattern);
                for index in opened {
                    let child = self.child(index);
                    self.bind_member(child.node, child.kind, reference, out);
                }
                self.close(opened);
                true
            }
            _ => false,
        }
    }

    fn bind_member(&mut self, node: Node<'t>, kind: Kind, reference: &Reference, out: &mut Vec<Stmt>) {
        let span = self.span(node);
        match kind {
            Kind::ShorthandPattern => {
                let name = self.name(node);
                out.push(reference.of(&name).import(name, span));
            }
            Kind::AssignmentPattern => {
                if let Some(left) = self.first_part(node) {
                    let name = self.name(left);
                    out.push(reference.of(&name).import(name, span));
                }
            }
            Kind::PairPattern => {
                let opened = self.open(node);
                let key = self.by_field(opened, Field::Key);
                let target = self.by_field(opened, Field::Value);
                self.close(opened);
                let (Some(key), Some(target)) = (key, target) else { return };
                let member = reference.of(&self.member_name(key));
                if self.kind(target) == Kind::Identifier {
                    out.push(member.import(self.name(target), span));
                } else {
                    let name = made_name(target);
                    out.push(member.import(name.clone(), span));
                    self.assign_pattern(target, Expr { span, kind: ExprKind::Name(name) }, out);
                }
            }
            Kind::RestPattern => {
                if let Some(target) = self.first_part(node) {
                    out.push(reference.import(self.name(target), span));
                }
            }
            _ => {}
        }
    }
}

/// The name of a value that a pattern takes apart.
pub(super) fn made_name(pattern: Node<'_>) -> String {
    format!("destructured@{}", pattern.start_byte())
}
