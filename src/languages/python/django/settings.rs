//! Which module holds the settings, and what they say.

use crate::evaluate::{Evaluator, ModuleId, Scope, Value};
use crate::model::program::{Arg, Expr, ExprKind, ImportStyle, Stmt, StmtKind};

/// The variable that names the module.
const VARIABLE: &str = "DJANGO_SETTINGS_MODULE";
/// Where it is kept once it was found.
const NOTE: &str = "django settings";
/// Files that say which module it is, the most telling first.
const STARTING: &[&str] = &["wsgi.py", "asgi.py", "manage.py", "celery.py", "__main__.py", "server.py", "main.py"];

/// Why a setting is not known that has its default.
pub const NOT_NAMED: &str = "setting that the settings do not name";

/// What a setting says; `None` where there are no settings, unknown where they do not name it.
pub fn setting<'p>(evaluator: &mut Evaluator<'p>, name: &str) -> Option<Value<'p>> {
    let value = match settings_module(evaluator)? {
        Value::Module(module) => evaluator.module_name(module, name),
        Value::Class(class) => evaluator.class_member(&class, name),
        _ => return None,
    };
    Some(value.unwrap_or(Value::Unknown(NOT_NAMED, None)))
}

/// The module (or class) with the settings.
pub fn settings_module<'p>(evaluator: &mut Evaluator<'p>) -> Option<Value<'p>> {
    if let Some(known) = evaluator.notes.get(NOTE) {
        return Some(known.clone()).filter(|known| !matches!(known, Value::None));
    }
    // What is asked for meanwhile has no settings.
    evaluator.notes.insert(NOTE, Value::None);
    let found = find(evaluator);
    evaluator.notes.insert(NOTE, found.clone().unwrap_or(Value::None));
    found
}

fn find<'p>(evaluator: &mut Evaluator<'p>) -> Option<Value<'p>> {
    let modules: Vec<ModuleId> = evaluator
        .roots()
        .iter()
        .copied()
        .filter(|module| evaluator.index.style(*module) == ImportStyle::Dotted)
        .collect();
    let mut starting: Vec<(usize, usize, ModuleId)> = Vec::new();
    for module in &modules {
        let path = evaluator.index.path(*module);
        let file = path.rsplit('/').next().unwrap_or(path);
        if let Some(rank) = STARTING.iter().position(|known| *known == file) {
            starting.push((rank, path.matches('/').count(), *module));
        }
    }
    starting.sort_unstable();
    for (_, _, module) in starting {
        let mut named = Vec::new();
        named_in(evaluator.statements(module), &mut named);
        for expr in named {
            let scope: Scope<'p> = evaluator.module_scope(module);
            let Value::Str(dotted) = evaluator.evaluate(expr, &scope) else { continue };
            if let Value::Module(found) = evaluator.import_module(module, &dotted, None) {
                let settings = with_class(evaluator, found);
                if matches!(settings, Value::Class(_)) || evaluator.module_name(found, "ROOT_URLCONF").is_some() {
                    return Some(settings);
                }
            }
        }
    }
    // No file says it: a module that names the root of the addresses.
    let mut naming: Vec<(usize, ModuleId)> = Vec::new();
    for module in &modules {
        if evaluator.binder(*module, "ROOT_URLCONF").is_some() {
            naming.push((evaluator.index.path(*module).len(), *module));
        }
    }
    naming.sort_unstable();
    if let Some((_, module)) = naming.first() {
        return Some(Value::Module(*module));
    }
    let classes: Vec<Value<'p>> = modules
        .iter()
        .map(|module| with_class(evaluator, *module))
        .filter(|found| matches!(found, Value::Class(_)))
        .collect();
    classes.into_iter().next()
}

/// Settings as classes: the last class of the module that names the root of the addresses, else the module.
fn with_class<'p>(evaluator: &mut Evaluator<'p>, module: ModuleId) -> Value<'p> {
    let holds = |class: &crate::model::program::Class| {
        class.body.iter().any(|statement| match &statement.kind {
            StmtKind::Assign { targets, .. } => {
                targets.iter().any(|target| matches!(&target.kind, ExprKind::Name(name) if name == "ROOT_URLCONF"))
            }
            _ => false,
        })
    };
    let statements = evaluator.statements(module).iter().rev();
    let name = statements.filter_map(|statement| match &statement.kind {
        StmtKind::Class(class) if holds(class) => Some(class.name.as_str()),
        _ => None,
    });
    let Some(name) = name.into_iter().next() else { return Value::Module(module) };
    evaluator.module_name(module, name).unwrap_or(Value::Module(module))
}

/// Values that are given for the variable: `os.environ.setdefault(VARIABLE, …)`, `os.environ[VARIABLE] = …`.
fn named_in<'p>(block: &'p [Stmt], out: &mut Vec<&'p Expr>) {
    let is_variable = |expr: &Expr| matches!(&expr.kind, ExprKind::Str { text, .. } if text == VARIABLE);
    let mut stack: Vec<&'p Stmt> = block.iter().rev().collect();
    while let Some(statement) = stack.pop() {
        match &statement.kind {
            StmtKind::Expr(Expr { kind: ExprKind::Call { args, .. }, .. }) => {
                if let [Arg::Positional(name), Arg::Positional(value)] = args.as_slice()
                    && is_variable(name)
                {
                    out.push(value);
                }
            }
            StmtKind::Assign { targets, value } => {
                if let [Expr { kind: ExprKind::Index { index, .. }, .. }] = targets.as_slice()
                    && index.iter().any(is_variable)
                {
                    out.push(value);
                }
            }
            StmtKind::If { then, otherwise, .. } => stack.extend(otherwise.iter().rev().chain(then.iter().rev())),
            StmtKind::Function(function) => stack.extend(function.body.iter().rev()),
            StmtKind::Try { body, .. } | StmtKind::With { body, .. } => stack.extend(body.iter().rev()),
            _ => {}
        }
    }
}

/// What a dotted name in text leads to.
pub fn imported_string<'p>(evaluator: &mut Evaluator<'p>, from: ModuleId, dotted: &str) -> Value<'p> {
    let Some((module, name)) = dotted.rsplit_once('.') else {
        return evaluator.import_module(from, dotted, None);
    };
    match evaluator.import_module(from, module, None) {
        Value::Module(module) => evaluator.member(&Value::Module(module), name, None),
        Value::External(path) => evaluator.member(&Value::External(path), name, None),
        _ => Value::Unknown("name in text that leads nowhere", None),
    }
}
