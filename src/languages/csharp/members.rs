//! Members of classes: fields, properties, methods, constructors, operators.

use tree_sitter::Node;

use super::creation::targeted;
use super::declarations::property_names;
use super::kinds::{Field, Kind, Lowering, Opened};
use crate::model::program::{
    Arg, Class, Expr, ExprKind, Function, Modifiers, Param, ParamKind, Property, Stmt, StmtKind,
};
use crate::text::Span;

/// What the accessors of a property allow.
#[derive(Default)]
struct Accessors<'t> {
    get: bool,
    /// `set` or `init`, for everybody.
    set: bool,
    init: bool,
    /// The accessor that has code to run.
    getter: Option<Node<'t>>,
}

impl<'t> Lowering<'t> {
    /// `private readonly int a = 1, b;`
    pub(super) fn fields(&mut self, node: Node<'t>, out: &mut Vec<Stmt>) {
        let opened = self.open(node);
        let modifiers = self.modifiers(opened).with(Modifiers::FIELD);
        let decorators = self.decorators(opened);
        let declaration = self.by_kind(opened, Kind::VariableDeclaration);
        self.unreadable_parts(opened, out);
        self.close(opened);
        let Some(declaration) = declaration else { return };
        let opened = self.open(declaration);
        let annotation = self.by_field(opened, Field::Type);
        let annotation = self.declared_type(annotation);
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::VariableDeclarator {
                continue;
            }
            let (name, value) = self.declarator(child.node);
            let Some(name) = name else { continue };
            let value = value.map(|value| self.expr(value)).map(|value| targeted(value, annotation.as_ref()));
            let property = Property {
                name: self.identifier(name),
                name_span: self.span(name),
                annotation: annotation.clone(),
                value,
                optional: false,
                decorators: decorators.clone(),
                is_static: modifiers.has(Modifiers::STATIC),
                is_private: !modifiers.has(Modifiers::PUBLIC),
                modifiers,
                getter: None,
            };
            out.push(Stmt { span: self.span(node), kind: StmtKind::Property(Box::new(property)) });
        }
        self.close(opened);
    }

    /// The name (or pattern) and the value of one variable.
    pub(super) fn declarator(&mut self, node: Node<'t>) -> (Option<Node<'t>>, Option<Node<'t>>) {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name).or_else(|| self.by_kind(opened, Kind::TuplePattern));
        let value = self.part_after(opened, "=");
        self.close(opened);
        (name, value)
    }

    pub(super) fn property(&mut self, node: Node<'t>) -> Property {
        let opened = self.open(node);
        let (name, name_span) = self.member_name(opened, node);
        let mut modifiers = self.modifiers(opened);
        let decorators = self.decorators(opened);
        let kind = self.by_field(opened, Field::Type);
        let accessors = self.by_field(opened, Field::Accessors);
        let value = self.by_field(opened, Field::Value);
        self.close(opened);
        let annotation = self.declared_type(kind);
        let is_static = modifiers.has(Modifiers::STATIC);
        let (mut given, mut getter) = (None, None);
        match (accessors, value) {
            (None, Some(arrow)) => {
                modifiers.add(Modifiers::READ_ONLY);
                getter = Some(self.getter(arrow, arrow, &name, annotation.as_ref(), is_static));
            }
            (accessors, value) => {
                let accessors = accessors.map_or_else(Accessors::default, |list| self.accessors(list));
                if !accessors.set {
                    modifiers.add(Modifiers::READ_ONLY);
                }
                if accessors.init {
                    modifiers.add(Modifiers::INIT);
                }
                if !accessors.get {
                    modifiers.add(Modifiers::WRITE_ONLY);
                }
                if let Some(accessor) = accessors.getter {
                    getter = Some(self.getter(accessor, accessor, &name, annotation.as_ref(), is_static));
                }
                given = value.map(|value| self.expr(value)).map(|value| targeted(value, annotation.as_ref()));
            }
        }
        Property {
            // One that stands for an interface's is no member of the class by itself.
            is_private: !modifiers.has(Modifiers::PUBLIC) || name.contains('.'),
            name,
            name_span,
            annotation,
            value: given,
            optional: false,
            decorators,
            is_static,
            modifiers,
            getter: getter.map(Box::new),
        }
    }

    fn accessors(&mut self, node: Node<'t>) -> Accessors<'t> {
        let mut accessors = Accessors::default();
        let opened = self.open(node);
        for index in opened {
            let child = self.child(index);
            if child.kind != Kind::AccessorDeclaration {
                continue;
            }
            let inner = self.open(child.node);
            let word = self.by_field(inner, Field::Name).map_or("", |name| self.slice(name));
            let restricted = self.opened(inner).iter().any(|child| child.kind == Kind::Modifier);
            let restricted = restricted && !self.has_modifier(inner, "readonly");
            match word {
                "get" => {
                    accessors.get = !restricted;
                    accessors.getter = self.by_field(inner, Field::Body).map(|_| child.node);
                }
                "set" => accessors.set = !restricted,
                "init" => (accessors.set, accessors.init) = (!restricted, true),
                _ => {}
            }
            self.close(inner);
        }
        self.close(opened);
        accessors
    }

    /// The function that reading a property runs.
    fn getter(
        &mut self,
        node: Node<'t>,
        body: Node<'t>,
        name: &str,
        annotation: Option<&Expr>,
        is_static: bool,
    ) -> Function {
        let mut function = self.empty_function(node, !is_static);
        function.name = name.to_owned();
        function.returns = annotation.cloned();
        let outer = self.enter_function(&function);
        let opened = self.open(node);
        let block = if self.kind(body) == Kind::ArrowClause { Some(body) } else { self.by_field(opened, Field::Body) };
        self.close(opened);
        self.body_into(block, node, true, &mut function.body);
        self.leave_function(outer, &mut function);
        function
    }

    /// The name of a member; one that stands for an interface's has the interface before it: `IA.B`.
    fn member_name(&mut self, opened: Opened, node: Node<'t>) -> (String, Span) {
        let name = self.by_field(opened, Field::Name);
        let interface = self.by_kind(opened, Kind::ExplicitInterface);
        let text = name.map_or_else(String::new, |name| self.identifier(name));
        let text = match interface {
            Some(interface) => self.dotted(interface) + &text,
            None => text,
        };
        (text, self.span(name.unwrap_or(node)))
    }

    pub(super) fn method(&mut self, node: Node<'t>) -> Function {
        let opened = self.open(node);
        let (name, name_span) = self.member_name(opened, node);
        let is_static = self.has_modifier(opened, "static");
        self.close(opened);
        let mut function = self.callable(node, !is_static);
        function.name = name;
        function.name_span = name_span;
        if is_static {
            mark_static(&mut function);
        }
        function
    }

    /// Static constructors are left out.
    pub(super) fn constructor(&mut self, node: Node<'t>) -> Option<Function> {
        let opened = self.open(node);
        let name = self.by_field(opened, Field::Name);
        let is_static = self.has_modifier(opened, "static");
        let initializer = self.by_kind(opened, Kind::ConstructorInitializer);
        self.close(opened);
        if is_static {
            return None;
        }
        let first = initializer.map(|initializer| {
            let opened = self.open(initializer);
            let this = self.by_kind(opened, Kind::This).is_some();
            let list = self.by_kind(opened, Kind::ArgumentList);
            self.close(opened);
            let args = list.map_or_else(Vec::new, |list| self.arguments(list));
            constructor_call(self.span(initializer), this, args)
        });
        let mut function = self.callable(node, true);
        "__init__".clone_into(&mut function.name);
        function.name_span = self.span(name.unwrap_or(node));
        function.body.splice(0..0, first);
        Some(function)
    }

    /// What the parameters of a class itself declare: properties, and the constructor that sets them.
    pub(super) fn primary_constructor(
        &mut self,
        list: Node<'t>,
        class: &Class,
        base_args: Option<Vec<Arg>>,
    ) -> Vec<Stmt> {
        let mut function = self.empty_function(list, true);
        "__init__".clone_into(&mut function.name);
        function.name_span = class.name_span;
        function.modifiers = Modifiers::PUBLIC.with(Modifiers::PRIMARY);
        function.body.extend(base_args.map(|args| constructor_call(class.name_span, false, args)));
        let is_record = class.modifiers.has(Modifiers::RECORD);
        let settable = class.modifiers.has(Modifiers::STRUCT) && !class.modifiers.has(Modifiers::READ_ONLY);
        let modifiers = match (is_record, settable) {
            (true, true) => Modifiers::PUBLIC,
            (true, false) => Modifiers::PUBLIC.with(Modifiers::INIT),
            (false, _) => Modifiers::PRIVATE.with(Modifiers::FIELD),
        };
        let declared = property_names(&class.body);
        let mut out = Vec::new();
        for (parameter, decorators, name_span) in self.parameters_of_class(list) {
            if !declared.contains(parameter.name.as_str()) {
                let property = Property {
                    name: parameter.name.clone(),
                    name_span,
                    annotation: parameter.annotation.clone(),
                    value: None,
                    optional: false,
                    decorators,
                    is_static: false,
                    is_private: !is_record,
                    modifiers: modifiers.with(Modifiers::PRIMARY),
                    getter: None,
                };
                function.body.push(assign_member(&property));
                out.push(Stmt { span: parameter.span, kind: StmtKind::Property(Box::new(property)) });
            }
            function.parameters.push(parameter);
        }
        out.push(Stmt { span: self.span(list), kind: StmtKind::Function(Box::new(function)) });
        out
    }

    /// `this[int i]` is a method `__getitem__`, where it can be read.
    pub(super) fn indexer(&mut self, node: Node<'t>) -> Option<Function> {
        let opened = self.open(node);
        let modifiers = self.modifiers(opened);
        let decorators = self.decorators(opened);
        let kind = self.by_field(opened, Field::Type);
        let list = self.by_field(opened, Field::Parameters);
        let accessors = self.by_field(opened, Field::Accessors);
        let value = self.by_field(opened, Field::Value);
        self.close(opened);
        let parameters = list.map_or_else(Vec::new, |list| self.parameters(list));
        let annotation = self.declared_type(kind);
        let accessors = accessors.map(|list| self.accessors(list));
        if accessors.as_ref().is_some_and(|accessors| !accessors.get) {
            return None;
        }
        let body = value.or(accessors.and_then(|accessors| accessors.getter)).unwrap_or(node);
        let mut function = self.getter(body, body, "__getitem__", annotation.as_ref(), false);
        function.parameters.extend(parameters);
        function.modifiers = modifiers;
        function.decorators = decorators;
        Some(function)
    }

    /// `operator +`; a conversion is `implicit operator` or `explicit operator`.
    pub(super) fn operator_declaration(&mut self, node: Node<'t>) -> Function {
        let opened = self.open(node);
        let operator = self.by_field(opened, Field::Operator);
        let word = if self.has_token(opened, "implicit") { "implicit" } else { "explicit" };
        self.close(opened);
        let mut function = self.callable(node, false);
        function.name = match operator {
            Some(operator) => format!("operator {}", self.slice(operator)),
            None => format!("{word} operator"),
        };
        mark_static(&mut function);
        function
    }
}

/// Says that a function has no `this`, as a decorator would.
fn mark_static(function: &mut Function) {
    let kind = ExprKind::Name("staticmethod".to_owned());
    function.decorators.push(Expr { span: function.name_span, kind });
}

/// `this.name = name`
fn assign_member(property: &Property) -> Stmt {
    let span = property.name_span;
    let this = Box::new(Expr { span, kind: ExprKind::Name("this".to_owned()) });
    let target = Expr { span, kind: ExprKind::Member { object: this, name: property.name.clone() } };
    let value = Expr { span, kind: ExprKind::Name(property.name.clone()) };
    Stmt { span, kind: StmtKind::Assign { targets: vec![target], value } }
}

/// `super().__init__(args)`, `this.__init__(args)`
fn constructor_call(span: Span, this: bool, args: Vec<Arg>) -> Stmt {
    let object = if this { Expr { span, kind: ExprKind::Name("this".to_owned()) } } else { super_value(span) };
    let member = ExprKind::Member { object: Box::new(object), name: "__init__".to_owned() };
    let callee = Box::new(Expr { span, kind: member });
    let call = Expr { span, kind: ExprKind::Call { callee, types: Vec::new(), args } };
    Stmt { span, kind: StmtKind::Expr(call) }
}

/// `base` as a value: `super()`.
pub(super) fn super_value(span: Span) -> Expr {
    let callee = Box::new(Expr { span, kind: ExprKind::Name("super".to_owned()) });
    Expr { span, kind: ExprKind::Call { callee, types: Vec::new(), args: Vec::new() } }
}

/// The first parameter of a method.
pub(super) fn this_parameter(span: Span) -> Param {
    Param {
        name: "this".to_owned(),
        kind: ParamKind::Positional,
        annotation: None,
        default: None,
        optional: false,
        decorators: Vec::new(),
        span,
    }
}
