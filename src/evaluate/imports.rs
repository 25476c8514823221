//! Which packages a module imports, and which libraries the parts of a program use.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::regions::Regions;
use super::{Library, package_name};
use crate::model::program::{Arg, Expr, ExprKind, Import, ImportStyle, ImportWhat, Module, StmtKind};

/// Whether an imported name is a package, or part of it: namespaces within a namespace belong to its package.
pub fn is_of_package(module: &Module, imported: &str, package: &str) -> bool {
    let rest = imported.strip_prefix(package);
    rest.is_some_and(|rest| rest.is_empty() || (module.imports == ImportStyle::Namespace && rest.starts_with('.')))
}

/// The libraries that each region may ask for something, by their places in `libraries`: those of its languages, and those
/// of messages and requests only where it imports them.
pub(super) fn used_libraries(
    program: &[Module],
    regions: &Regions,
    libraries: &[&'static Library],
) -> Vec<Vec<&'static Library>> {
    let mut known: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, library) in libraries.iter().enumerate() {
        library.wire_packages.iter().for_each(|package| known.entry(package).or_default().push(at));
    }
    let imported = |module: &Module| {
        let mut found: Vec<usize> = Vec::new();
        for package in imported_packages(module) {
            found.extend(known.get(package).into_iter().flatten());
            if module.imports == ImportStyle::Namespace {
                let around = package.match_indices('.').map(|(at, _)| &package[..at]);
                found.extend(around.filter_map(|around| known.get(around)).flatten());
            }
        }
        found
    };
    let of_region = |modules: &Vec<super::ModuleId>| {
        let modules = || modules.iter().map(|module| &program[module.0 as usize]);
        let languages: Vec<ImportStyle> = [ImportStyle::Dotted, ImportStyle::Path, ImportStyle::Namespace]
            .into_iter()
            .filter(|style| modules().any(|module| module.imports == *style))
            .collect();
        let imported: FxHashSet<usize> = modules().flat_map(imported).collect();
        let is_used = |(at, library): &(usize, &&'static Library)| {
            library.language.is_none_or(|language| languages.contains(&language))
                && (library.wire_packages.is_empty() || imported.contains(at))
        };
        libraries.iter().enumerate().filter(is_used).map(|(_, library)| *library).collect()
    };
    regions.modules.par_iter().map(of_region).collect()
}

/// Top-level packages that a module imports, at any level of its body but not inside functions.
pub fn imported_packages(module: &Module) -> Vec<&str> {
    let mut packages = Vec::new();
    for_each_import(module, &mut |import, required| {
        let Some(import) = import else {
            packages.extend(required.map(|specifier| package_name(specifier).0));
            return;
        };
        if import.level > 0 {
            return;
        }
        let top = match module.imports {
            ImportStyle::Dotted => import.module.split('.').next().unwrap_or(&import.module),
            ImportStyle::Path => package_name(&import.module).0,
            ImportStyle::Namespace => &import.module,
        };
        if !matches!(import.what, ImportWhat::Name { .. }) || !packages.contains(&top) {
            packages.push(top);
        }
    });
    packages
}

/// Calls a function for each import of a module, or with the specifier that an expression requires.
pub(super) fn for_each_import<'m>(module: &'m Module, each: &mut dyn FnMut(Option<&'m Import>, Option<&'m str>)) {
    let mut stack = vec![module.body.as_slice(), module.global.as_slice()];
    while let Some(block) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Namespace { body, .. } => stack.push(body),
                StmtKind::Import(import) => each(Some(import), None),
                StmtKind::Expr(value) | StmtKind::Assign { value, .. } => each(None, required(value)),
                StmtKind::If { then, otherwise, .. } => stack.extend([then.as_slice(), otherwise]),
                StmtKind::Try { body, handlers, otherwise, .. } => {
                    stack.extend([body.as_slice(), otherwise]);
                    stack.extend(handlers.iter().map(Vec::as_slice));
                }
                StmtKind::With { body, .. } => stack.push(body),
                StmtKind::Function(function) => stack.push(&function.body),
                StmtKind::Class(class) => stack.push(&class.body),
                _ => {}
            }
        }
    }
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
                    return Some(text);
                }
                expr = callee;
            }
            ExprKind::Member { object, .. } => expr = object,
            _ => return None,
        }
    }
}
