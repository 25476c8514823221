//! Where a program hands over what sets up serialisers.

use rustc_hash::FxHashSet;

use super::calls::{expression, expressions};
use crate::evaluate::{ClassRef, Evaluator, ModuleId, Scope};
use crate::model::program::{Arg, Expr, ExprKind, Function, Modifiers, Stmt, StmtKind};
use crate::text::Span;

/// A call that hands over what sets options, or whoever hands it on.
pub(super) struct Place<'p> {
    pub(super) project: String,
    pub(super) module: ModuleId,
    pub(super) around: Option<(ClassRef<'p>, &'p Function)>,
    pub(super) name: &'p str,
    pub(super) types: &'p [Expr],
    pub(super) args: &'p [Arg],
    pub(super) span: Span,
}

impl<'p> Place<'p> {
    pub(super) fn scope(&self, evaluator: &mut Evaluator<'p>) -> Scope<'p> {
        match &self.around {
            Some((class, function)) => evaluator.function_of(class, function).scope.clone(),
            None => evaluator.module_scope(self.module),
        }
    }

    /// The parameters of the function around it that are handed on, by position.
    pub(super) fn handed_on(&self) -> Vec<(usize, &'p str)> {
        let Some((_, function)) = &self.around else { return Vec::new() };
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

/// The calls that a test is for, by name, callee and type arguments.
pub(super) fn calls<'p>(
    evaluator: &mut Evaluator<'p>,
    modules: &[ModuleId],
    classes: &[ClassRef<'p>],
    wanted: &dyn Fn(&str, &Expr, &[Expr]) -> bool,
) -> Vec<Place<'p>> {
    let mut found = Vec::new();
    let index = evaluator.index;
    let mut search = |block: &'p [Stmt], module: ModuleId, around: Option<(&ClassRef<'p>, &'p Function)>| {
        expressions(block, &mut |inner| {
            let ExprKind::Call { callee, args, types } = &inner.kind else { return };
            let (ExprKind::Name(name) | ExprKind::Member { name, .. }) = &callee.kind else { return };
            if wanted(name, callee, types) {
                found.push(Place {
                    project: index.project_of(module).to_owned(),
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
    for module in modules {
        search(evaluator.statements(*module), *module, None);
    }
    for class in classes {
        for statement in evaluator.class_statements(class) {
            if let StmtKind::Function(function) = &statement.kind
                && let Some(module) = evaluator.module_of_file(function.span.file)
            {
                search(&function.body, module, Some((class, function)));
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
