//! Which packages a module imports, and which libraries a program uses.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Library, package_name};
use crate::model::program::{Arg, Expr, ExprKind, ImportStyle, ImportWhat, Module, StmtKind};

/// Whether an imported name is a package, or part of it: namespaces within a namespace belong to its package.
pub fn is_of_package(module: &Module, imported: &str, package: &str) -> bool {
    let rest = imported.strip_prefix(package);
    rest.is_some_and(|rest| rest.is_empty() || (module.imports == ImportStyle::Namespace && rest.starts_with('.')))
}

/// The libraries that a program may ask for something: those of its languages, and those of messages and requests only
/// where it imports them.
pub(super) fn used_libraries(program: &[Module], libraries: &[&'static Library]) -> Vec<&'static Library> {
    let has_language = |style: ImportStyle| program.iter().any(|module| module.imports == style);
    let is_spoken = |library: &&&'static Library| library.language.is_none_or(has_language);
    let libraries: Vec<&'static Library> = libraries.iter().filter(is_spoken).copied().collect();
    let known: Vec<&str> = libraries.iter().flat_map(|library| library.wire_packages.iter().copied()).collect();
    if known.is_empty() {
        return libraries;
    }
    let imported: FxHashSet<&str> = program
        .par_iter()
        .flat_map_iter(|module| {
            let packages = imported_packages(module);
            let is_imported = move |known: &&str| packages.iter().any(|package| is_of_package(module, package, known));
            known.iter().copied().filter(is_imported)
        })
        .collect();
    let is_used = |library: &&'static Library| {
        library.wire_packages.is_empty() || library.wire_packages.iter().any(|package| imported.contains(package))
    };
    libraries.into_iter().filter(is_used).collect()
}

/// Top-level packages that a module imports, at any level of its body but not inside functions.
pub fn imported_packages(module: &Module) -> Vec<&str> {
    let mut packages = Vec::new();
    let mut stack = vec![module.body.as_slice(), module.global.as_slice()];
    while let Some(block) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Namespace { body, .. } => stack.push(body),
                StmtKind::Import(import) if import.level == 0 => {
                    let top = match module.imports {
                        ImportStyle::Dotted => import.module.split('.').next().unwrap_or(&import.module),
                        ImportStyle::Path => package_name(&import.module).0,
                        ImportStyle::Namespace => &import.module,
                    };
                    if !matches!(import.what, ImportWhat::Name { .. }) || !packages.contains(&top) {
                        packages.push(top);
                    }
                }
                StmtKind::Expr(value) | StmtKind::Assign { value, .. } => packages.extend(required(value)),
                StmtKind::If { then, otherwise, .. } => stack.extend([then.as_slice(), otherwise]),
                StmtKind::Try { body, otherwise, .. } => stack.extend([body.as_slice(), otherwise]),
                StmtKind::Function(function) => stack.push(&function.body),
                StmtKind::Class(class) => stack.push(&class.body),
                _ => {}
            }
        }
    }
    packages
}

/// The package that an expression begins with: `require("fastify")({ … })`.
fn required(expr: &Expr) -> Option<&str> {
    let mut expr = expr;
    loop {
        match &expr.kind {
            ExprKind::Call { callee, args, .. } => {
                if let (ExprKind::Name(name), [Arg::Positional(Expr { kind: ExprKind::Str { text, .. }, .. })]) =
                    (&callee.kind, args.as_slice())
                    && name == "require"
                {
                    return Some(package_name(text).0);
                }
                expr = callee;
            }
            ExprKind::Member { object, .. } => expr = object,
            _ => return None,
        }
    }
}
