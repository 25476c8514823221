//! Members that no class declares and its constructor gives, as JavaScript does: `this.name = value`.

use std::rc::Rc;

use super::Schemas;
use super::classes::{class_env, put};
use super::locals::Locals;
use super::members::widened;
use super::replies::says_little;
use super::types::{ObjectType, Prop, Type};
use super::typing::Place;
use crate::evaluate::{ClassRef, Evaluator, Value};
use crate::languages::walk;
use crate::model::program::{Arg, ClassKind, Expr, ExprKind, Function, Stmt, StmtKind};

/// What a constructor does, in source order.
enum Step<'p> {
    /// `this.name = value`, and whether a condition decides that it runs.
    Sets(&'p str, &'p Expr, bool),
    /// `Object.assign(this, …)`
    TakesIn(&'p Expr),
    /// `super(…)`
    Base(&'p [Arg]),
}

impl<'p> Schemas<'p> {
    /// What the constructor of a class is given is kept with the type, where it says what the members are.
    pub(super) fn constructed(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &'p [Arg],
        place: Option<&Place<'p>>,
    ) -> Vec<Type<'p>> {
        let Some(place) = place else { return Vec::new() };
        if !class.node.type_parameters.is_empty() || args.iter().any(|arg| !matches!(arg, Arg::Positional(_))) {
            return Vec::new();
        }
        let ancestry = ev.ancestry(class);
        let gives = ancestry.iter().any(|ancestor| match ancestor {
            Value::Class(ancestor) => steps(ev, ancestor)
                .iter()
                .any(|step| matches!(step, Step::Sets(name, ..) if !declares(ev, ancestor, name))),
            _ => false,
        });
        if gives { self.given_to(ev, class, args, place) } else { Vec::new() }
    }

    /// What the constructor gives besides what is declared.
    pub(super) fn constructed_properties(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Type<'p>],
        object: &mut ObjectType<'p>,
    ) {
        let Some(constructor) = constructor(ev, class) else { return };
        let place = in_constructor(class, constructor, args);
        for step in steps(ev, class) {
            match step {
                Step::Sets(name, value, conditional) if !name.starts_with('#') && !declares(ev, class, name) => {
                    let ty = self.type_of(ev, value, &place);
                    let ty = widened(ty);
                    if matches!(ty, Type::Function(_)) {
                        continue;
                    }
                    let again = object.props.iter().find(|prop| &*prop.name == name).map(|prop| prop.ty.clone());
                    let (ty, optional) = match again {
                        Some(before) if conditional => (Type::union(vec![before, ty]), false),
                        _ => (ty, conditional),
                    };
                    let name = Rc::from(name);
                    put(
                        &mut object.props,
                        Prop { name, ty, optional, loose: false, span: Some(value.span), decorators: None },
                    );
                }
                // What is declared says which members are taken in.
                Step::TakesIn(value) if object.props.is_empty() => {
                    object.open = Some((Rc::from("members are taken in from another object"), Some(value.span)));
                }
                _ => {}
            }
        }
    }

    /// The base of a class with what its constructor is given.
    pub(super) fn constructed_base(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Type<'p>],
        base: Type<'p>,
    ) -> Type<'p> {
        match base {
            Type::Class(base, none) if none.is_empty() && class.node.kind == ClassKind::Class => {
                let given = self.given_to_base(ev, class, args, &base);
                Type::Class(base, given.into())
            }
            base => base,
        }
    }

    /// What the base of a class is given by its constructor, which may be that of the base itself.
    fn given_to_base(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &[Type<'p>],
        base: &ClassRef<'p>,
    ) -> Vec<Type<'p>> {
        let Some(constructor) = constructor(ev, class) else { return args.to_vec() };
        let place = in_constructor(class, constructor, args);
        let given = steps(ev, class).into_iter().find_map(|step| match step {
            Step::Base(args) => Some(args),
            _ => None,
        });
        given.map(|given| self.given_to(ev, base, given, &place)).unwrap_or_default()
    }

    /// The arguments of the constructor that a class has or inherits.
    fn given_to(
        &mut self,
        ev: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        args: &'p [Arg],
        place: &Place<'p>,
    ) -> Vec<Type<'p>> {
        let ancestry = ev.ancestry(class);
        let constructor = ancestry.iter().find_map(|ancestor| match ancestor {
            Value::Class(ancestor) => constructor(ev, ancestor),
            _ => None,
        });
        let Some(constructor) = constructor else { return Vec::new() };
        let mut own = constructor.parameters.iter().filter(|parameter| parameter.name != "this");
        args.iter()
            .map(|arg| match own.next() {
                Some(parameter) => self.taken_apart(ev, arg, (constructor, parameter), place),
                None => self.of_arg(ev, arg, place),
            })
            .collect()
    }
}

fn in_constructor<'p>(class: &ClassRef<'p>, constructor: &'p Function, args: &[Type<'p>]) -> Place<'p> {
    let mut locals = Locals::of(constructor, None, None);
    locals.this = Some(Type::Class(class.clone(), args.into()));
    if class.node.type_parameters.is_empty() {
        let own = constructor.parameters.iter().filter(|parameter| parameter.name != "this");
        for (parameter, given) in own.zip(args).filter(|(parameter, _)| says_little(parameter)) {
            locals.given.borrow_mut().insert(&parameter.name, given.clone());
        }
    }
    Place { env: class_env(class, args), locals: Some(Rc::new(locals)) }
}

fn constructor<'p>(ev: &Evaluator<'p>, class: &ClassRef<'p>) -> Option<&'p Function> {
    ev.class_statements(class).into_iter().find_map(|statement| match &statement.kind {
        StmtKind::Function(function) if function.name == "__init__" => Some(&**function),
        _ => None,
    })
}

/// Whether a class says by itself that it has a member.
fn declares<'p>(ev: &Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> bool {
    ev.class_statements(class).into_iter().any(|statement| match &statement.kind {
        StmtKind::Property(property) => property.name == name,
        StmtKind::Function(function) => function.name == name,
        _ => false,
    })
}

fn steps<'p>(ev: &Evaluator<'p>, class: &ClassRef<'p>) -> Vec<Step<'p>> {
    let mut found = Vec::new();
    if let Some(constructor) = constructor(ev, class) {
        steps_of(&constructor.body, false, &mut found);
    }
    found
}

fn steps_of<'p>(block: &'p [Stmt], conditional: bool, found: &mut Vec<Step<'p>>) {
    let is_this = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name == "this");
    for statement in block {
        match &statement.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    if let ExprKind::Member { object, name } = &target.kind
                        && is_this(object)
                    {
                        found.push(Step::Sets(name, value, conditional));
                    }
                }
            }
            StmtKind::Expr(Expr { kind: ExprKind::Call { callee, args, .. }, .. }) => {
                if let ExprKind::Member { name, .. } = &callee.kind {
                    match (name.as_str(), args.first()) {
                        ("__init__", _) => found.push(Step::Base(args)),
                        ("assign", Some(Arg::Positional(first))) if is_this(first) => found.push(Step::TakesIn(first)),
                        _ => {}
                    }
                }
            }
            _ => walk::blocks(statement, &mut |inner| steps_of(inner, true, found)),
        }
    }
}
