//! Object literals.

use tree_sitter::Node;

use super::kinds::{Field, Kind, Lowering};
use crate::model::program::{DictItem, Expr, ExprKind};

impl<'t> Lowering<'t> {
    pub(super) fn object(&mut self, node: Node<'t>) -> ExprKind {
        let opened = self.open(node);
        let mut items = Vec::new();
        for index in opened {
            let child = self.child(index);
            let node = child.node;
            match child.kind {
                Kind::Pair => {
                    let opened = self.open(node);
                    let key = self.by_field(opened, Field::Key);
                    let key = self.key(key, node);
                    let value = self.operand(opened, Field::Value, node);
                    self.close(opened);
                    items.push(DictItem::Pair(key, value));
                }
                Kind::ShorthandProperty => {
                    let key = self.key(Some(node), node);
                    items.push(DictItem::Pair(key, self.expr(node)));
                }
                Kind::MethodDefinition => items.extend(self.object_method(node)),
                Kind::SpreadElement => {
                    let inner = self.first_part(node);
                    let value = self.part(inner, node);
                    items.push(DictItem::Spread(value));
                }
                Kind::Error => items.push(DictItem::Spread(self.unreadable(node))),
                _ => {}
            }
        }
        self.close(opened);
        ExprKind::Record(items)
    }

    /// A getter is the value that it returns; a setter says nothing.
    fn object_method(&mut self, node: Node<'t>) -> Option<DictItem> {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let (getter, setter) = (self.has_token(opened, "get"), self.has_token(opened, "set"));
        self.close(opened);
        if setter {
            return None;
        }
        let key = self.key(name, node);
        let span = self.span(node);
        let mut value = Expr { span, kind: self.lambda(node) };
        if getter {
            value =
                Expr { span, kind: ExprKind::Call { callee: Box::new(value), types: Vec::new(), args: Vec::new() } };
        }
        Some(DictItem::Pair(key, value))
    }

    /// The name of a member: a string, or an expression where it is computed. `node` is its parent.
    pub(super) fn key(&mut self, name: Option<Node<'t>>, node: Node<'t>) -> Expr {
        let Some(name) = name else { return self.unreadable(node) };
        if self.kind(name) == Kind::ComputedName {
            let inner = self.first_part(name);
            return self.part(inner, name);
        }
        Expr { span: self.span(name), kind: ExprKind::Str { text: self.member_name(name), as_type: None } }
    }

    /// The name of a member as far as it is known without computing: `[x]` stands for itself.
    pub(super) fn member_name(&mut self, name: Node<'t>) -> String {
        match self.kind(name) {
            Kind::String => self.string_text(name),
            Kind::ComputedName => match self.first_part(name).map(|inner| (self.kind(inner), inner)) {
                Some((Kind::String, text)) => self.string_text(text),
                _ => self.name(name),
            },
            _ => self.name(name),
        }
    }
}
