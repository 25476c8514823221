//! Attributes as decorators, and modifiers.

use tree_sitter::Node;

use super::kinds::{Field, Kind, Lowering, Opened};
use crate::model::program::{Arg, Expr, ExprKind, Modifiers};

/// What an attribute is written for, where it says so: `[property: X]`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// What it stands before.
    Here,
    Property,
    /// A field behind a property, a returned value: nothing that is kept.
    Nothing,
}

impl<'t> Lowering<'t> {
    /// The attributes of a declaration that are its own.
    pub(super) fn decorators(&mut self, opened: Opened) -> Vec<Expr> {
        let mut out = Vec::new();
        for index in opened {
            let child = self.child(index);
            self.attributes_into(child.kind, child.node, &mut out);
        }
        out.into_iter().filter(|(target, _)| *target != Target::Nothing).map(|(_, decorator)| decorator).collect()
    }

    /// Attributes with their targets, where the node is a list of them or a condition around lists: both branches.
    pub(super) fn attributes_into(&mut self, kind: Kind, node: Node<'t>, out: &mut Vec<(Target, Expr)>) {
        match kind {
            Kind::AttributeList | Kind::GlobalAttribute => self.attribute_list(node, out),
            Kind::PreprocIf | Kind::PreprocElif | Kind::PreprocElse if self.enter(node) => {
                let opened = self.open(node);
                for index in opened {
                    let child = self.child(index);
                    if child.field != Field::Condition {
                        self.attributes_into(child.kind, child.node, out);
                    }
                }
                self.close(opened);
                self.leave();
            }
            _ => {}
        }
    }

    fn attribute_list(&mut self, node: Node<'t>, out: &mut Vec<(Target, Expr)>) {
        let opened = self.open(node);
        let target = match self.by_kind(opened, Kind::AttributeTarget) {
            None => Target::Here,
            Some(target) => match self.slice(target).trim_end_matches([':', ' ']) {
                "property" => Target::Property,
                "field" | "return" => Target::Nothing,
                _ => Target::Here,
            },
        };
        for index in opened {
            let child = self.child(index);
            if child.kind == Kind::Attribute {
                out.push((target, self.attribute(child.node)));
            }
        }
        self.close(opened);
    }

    /// `Name<T>(a, B = 1)` as a call, with or without arguments.
    fn attribute(&mut self, node: Node<'t>) -> Expr {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let arguments = self.by_kind(opened, Kind::AttributeArgumentList);
        self.close(opened);
        let mut callee = Box::new(self.type_part(name, node));
        let mut types = Vec::new();
        if let ExprKind::Index { object, index } = callee.kind {
            types = index;
            callee = object;
        }
        let args = arguments.map_or_else(Vec::new, |arguments| self.attribute_arguments(arguments));
        Expr { span: self.span(node), kind: ExprKind::Call { callee, types, args } }
    }

    fn attribute_arguments(&mut self, node: Node<'t>) -> Vec<Arg> {
        let opened = self.open(node);
        let mut args = Vec::new();
        for index in opened {
            let child = self.child(index);
            match child.kind {
                Kind::AttributeArgument => {
                    let inner = self.open(child.node);
                    let name = self.by_field(inner, Field::Name);
                    let value = self.last_part(inner);
                    self.close(inner);
                    let value = self.part(value, child.node);
                    args.push(match name {
                        Some(name) => Arg::Keyword(self.identifier(name), value),
                        None => Arg::Positional(value),
                    });
                }
                Kind::Error => args.push(Arg::Spread(self.unreadable(child.node))),
                _ => {}
            }
        }
        self.close(opened);
        args
    }

    pub(super) fn modifiers(&self, opened: Opened) -> Modifiers {
        let mut modifiers = Modifiers::default();
        for child in self.opened(opened).iter().filter(|child| child.kind == Kind::Modifier) {
            modifiers.add(match self.slice(child.node) {
                "public" => Modifiers::PUBLIC,
                "protected" => Modifiers::PROTECTED,
                "internal" | "file" => Modifiers::INTERNAL,
                "private" => Modifiers::PRIVATE,
                "static" => Modifiers::STATIC,
                "abstract" => Modifiers::ABSTRACT,
                "virtual" => Modifiers::VIRTUAL,
                "override" => Modifiers::OVERRIDE,
                "new" => Modifiers::HIDES,
                "partial" => Modifiers::PARTIAL,
                "required" => Modifiers::REQUIRED,
                "const" => Modifiers::CONST.with(Modifiers::STATIC).with(Modifiers::READ_ONLY),
                "readonly" => Modifiers::READ_ONLY,
                _ => continue,
            });
        }
        let access = [Modifiers::PUBLIC, Modifiers::PROTECTED, Modifiers::INTERNAL, Modifiers::PRIVATE];
        if self.extra.in_interface && !access.iter().any(|access| modifiers.has(*access)) {
            modifiers.add(Modifiers::PUBLIC);
        }
        modifiers
    }

    pub(super) fn has_modifier(&self, opened: Opened, word: &str) -> bool {
        self.opened(opened).iter().any(|child| child.kind == Kind::Modifier && self.slice(child.node) == word)
    }
}
