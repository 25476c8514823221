//! Where a program hands over what sets up serialisers.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::calls::{expression, expressions};
use crate::evaluate::{ClassRef, Evaluator, ModuleId, ProgramIndex, Scope};
use crate::model::program::{Arg, Class, Expr, ExprKind, Function, Modifiers, Stmt, StmtKind};
use crate::text::Span;

/// A call that hands over what sets options, or whoever hands it on.
pub(super) struct Place<'p> {
    pub(super) project: &'p str,
    module: ModuleId,
    around: Option<(ClassAt<'p>, &'p Function)>,
    pub(super) name: &'p str,
    pub(super) types: &'p [Expr],
    pub(super) args: &'p [Arg],
    pub(super) span: Span,
}

/// A declaration of a class: its module, and the classes around it, the outermost first, itself last.
#[derive(Clone)]
pub(super) struct ClassAt<'p> {
    pub(super) module: ModuleId,
    path: Arc<[&'p Class]>,
}

impl<'p> ClassAt<'p> {
    pub(super) fn class(&self, evaluator: &mut Evaluator<'p>) -> Option<ClassRef<'p>> {
        evaluator.class_within(self.module, &self.path)
    }

    pub(super) fn node(&self) -> Option<&'p Class> {
        self.path.last().copied()
    }
}

/// All declarations of classes in a module of C#, those within others after them.
pub(super) fn declarations<'p>(module: ModuleId, body: &'p [Stmt]) -> Vec<ClassAt<'p>> {
    let mut found = Vec::new();
    let mut next: Vec<(&'p [Stmt], Vec<&'p Class>)> = vec![(body, Vec::new())];
    while let Some((block, around)) = next.pop() {
        for statement in block.iter().rev() {
            if let StmtKind::Namespace { body, .. } = &statement.kind {
                next.push((body, around.clone()));
            }
        }
        for statement in block {
            if let StmtKind::Class(class) = &statement.kind {
                let path: Vec<&'p Class> = around.iter().copied().chain([&**class]).collect();
                found.push(ClassAt { module, path: path.as_slice().into() });
                next.push((&class.body, path));
            }
        }
    }
    found
}

impl<'p> Place<'p> {
    pub(super) fn scope(&self, evaluator: &mut Evaluator<'p>) -> Scope<'p> {
        let around = self.around.as_ref().and_then(|(at, function)| Some((at.class(evaluator)?, *function)));
        match around {
            Some((class, function)) => evaluator.function_of(&class, function).scope.clone(),
            None => evaluator.module_scope(self.module),
        }
    }

    /// The function around it.
    pub(super) fn function(&self) -> Option<&'p Function> {
        self.around.as_ref().map(|(_, function)| *function)
    }

    /// The parameters of the function around it that are handed on, by position.
    pub(super) fn handed_on(&self) -> Vec<(usize, &'p str)> {
        let Some(function) = self.function() else { return Vec::new() };
        let mut mentioned: FxHashSet<&str> = FxHashSet::default();
        for arg in self.args {
            expression(arg.value(), &mut |inner| {
                if let ExprKind::Name(name) = &inner.kind {
                    mentioned.insert(name);
                }
            });
        }
        let parameters = function.parameters.iter().enumerate();
        parameters.filter(|(_, p)| mentioned.contains(&*p.name)).map(|(at, p)| (at, &*p.name)).collect()
    }

    /// What it gives a parameter of a function that it calls.
    pub(super) fn given(&self, function: &Function, at: usize) -> Option<&'p Expr> {
        let parameter = &function.parameters[at].name;
        let named = self.args.iter().find(|arg| matches!(arg, Arg::Keyword(name, _) if name == parameter));
        // The first parameter of an extension stands before the dot, `this` nowhere.
        let receiver = function.parameters.first().is_some_and(|first| first.name == "this");
        let before = usize::from(receiver || function.modifiers.has(Modifiers::EXTENSION));
        named.or_else(|| self.args.get(at.checked_sub(before)?)).map(Arg::value)
    }
}

/// The calls that a test is for, by name, callee and type arguments: those at the level of modules first.
pub(super) fn calls<'p>(
    index: &'p ProgramIndex,
    modules: &[(ModuleId, &'p [Stmt])],
    classes: &[ClassAt<'p>],
    wanted: &dyn Fn(&str, &Expr, &[Expr]) -> bool,
) -> Vec<Place<'p>> {
    let mut found = Vec::new();
    let mut search = |block: &'p [Stmt], module: ModuleId, around: Option<(&ClassAt<'p>, &'p Function)>| {
        expressions(block, &mut |inner| {
            let ExprKind::Call { callee, args, types } = &inner.kind else { return };
            let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &callee.kind else { return };
            if wanted(name, callee, types) {
                found.push(Place {
                    project: index.project_of(module),
                    module,
                    around: around.map(|(class, function)| (class.clone(), function)),
                    name,
                    types,
                    args,
                    span: inner.span,
                });
            }
        });
    };
    for (module, body) in modules {
        search(body, *module, None);
    }
    for at in classes {
        for statement in at.node().into_iter().flat_map(|class| &class.body) {
            if let StmtKind::Function(function) = &statement.kind {
                search(&function.body, at.module, Some((at, function)));
            }
        }
    }
    found
}

/// `Configure<JsonOptions>(…)`, `AddOptions<JsonOptions>().Configure(…)`
pub(super) fn types_of<'e>(callee: &'e Expr, types: &'e [Expr]) -> &'e [Expr] {
    match &callee.kind {
        ExprKind::Member { object, .. } if types.is_empty() => match &object.kind {
            ExprKind::Call { types, .. } => types,
            _ => &[],
        },
        _ => types,
    }
}

pub(super) fn name_of(written: &Expr) -> Option<&str> {
    match &written.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => Some(name),
        _ => None,
    }
}

/// Whether a statement at the level of a module does something: the program starts there.
pub(super) fn is_done(statement: &Stmt) -> bool {
    matches!(
        statement.kind,
        StmtKind::Expr(_)
            | StmtKind::Assign { .. }
            | StmtKind::Annotated { .. }
            | StmtKind::If { .. }
            | StmtKind::Try { .. }
            | StmtKind::Return(_)
            | StmtKind::For { .. }
    )
}

/// `static void Main`
pub(super) fn is_main(statement: &Stmt) -> bool {
    matches!(&statement.kind, StmtKind::Function(function)
        if function.name == "Main" && function.modifiers.has(Modifiers::STATIC))
}
