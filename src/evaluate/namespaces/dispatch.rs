//! Methods of objects that only run time makes: what is found by looking through the assembly and then handed a router.

use crate::evaluate::Evaluator;
use crate::evaluate::value::{Args, ClassRef, Role, Value};
use crate::model::program::{ClassKind, ExprKind, Function, Modifiers, Stmt, StmtKind};
use crate::text::Span;

/// Classes whose methods one call leads to; that there are more is told.
const MAX_CLASSES: usize = 2_000;
/// Such calls within such calls: groups map groups.
const MAX_WITHIN: u8 = 1;

impl<'p> Evaluator<'p> {
    /// A method is called on an object of which nothing is known but `declaring`, the class or interface that it is declared
    /// in, if that: every class of the service that may be meant is made, and the method called on it. Whether there is any.
    pub(in crate::evaluate) fn call_wherever_declared(
        &mut self,
        name: &str,
        args: &Args<'p>,
        declaring: Option<&ClassRef<'p>>,
        site: Span,
    ) -> bool {
        if self.dispatching > MAX_WITHIN {
            return false;
        }
        self.dispatching += 1;
        let called = self.call_all(name, args, declaring, site);
        self.dispatching -= 1;
        called
    }

    fn call_all(&mut self, name: &str, args: &Args<'p>, declaring: Option<&ClassRef<'p>>, site: Span) -> bool {
        let roots = self.roots.clone();
        let mut called = false;
        let classes = self.declared_classes(&roots);
        if classes.len() > MAX_CLASSES {
            self.cut("classes of a service that a call may lead to, beyond the 2000th", Some(site));
        }
        for class in classes.into_iter().take(MAX_CLASSES) {
            if class.node.kind != ClassKind::Class
                || class.node.modifiers.has(Modifiers::ABSTRACT)
                || class.node.modifiers.has(Modifiers::STATIC)
                || !class.node.type_parameters.is_empty()
                || class.node.bases.is_empty()
            {
                continue;
            }
            let Some(function) = self.promised(&class, name, declaring) else { continue };
            let Value::Function(function) = function else { continue };
            let receiver = self.call(&Value::Class(class.clone()), Args::default(), site);
            let mut args = args.clone();
            if function.role != Role::Static {
                args.prepend(receiver);
            }
            if self.overload_fits(&function, &args) {
                called = true;
                self.call_function_always(&function, args);
            }
        }
        called
    }

    /// The method of a class with a body, where another class or interface declares it too: the wanted one, if there is one.
    fn promised(&mut self, class: &ClassRef<'p>, name: &str, declaring: Option<&ClassRef<'p>>) -> Option<Value<'p>> {
        let mut declared = false;
        let mut found = None;
        for ancestor in self.ancestry(class).iter() {
            let Value::Class(ancestor) = ancestor else { continue };
            let named = |statement: &&'p Stmt| match &statement.kind {
                StmtKind::Function(function) => function.name == name,
                _ => false,
            };
            let Some(statement) = self.class_statements(ancestor).into_iter().find(named) else { continue };
            let StmtKind::Function(node) = &statement.kind else { continue };
            let is_wanted = declaring.is_none_or(|wanted| std::rc::Rc::ptr_eq(wanted, ancestor));
            declared |= is_wanted && (found.is_some() || is_only_declared(node));
            if found.is_none() && !is_only_declared(node) {
                found = Some(Value::Function(self.function_of(ancestor, node)));
            }
        }
        found.filter(|_| declared)
    }
}

/// Whether a function has no body: that of an interface, or an abstract one.
pub(in crate::evaluate) fn is_only_declared(function: &Function) -> bool {
    matches!(
        function.body.as_slice(),
        [Stmt { kind: StmtKind::Return(Some(value)), .. }]
            if matches!(value.kind, ExprKind::Other("declared without a body"))
    )
}
