//! Tables of handlers: `[(r"/users/(\d+)", UserHandler), url(…)]`, given to an application, or found by name in modules
//! that it loads.

use std::rc::Rc;

use super::{APPLICATION, LIBRARY, TABLE_PATH};
use crate::evaluate::{
    Args, ClassRef, Evaluator, Item, ModuleId, MountKind, Node, NodeId, Opaque, RouteDraft, UNKNOWN_PART, Value, last,
};
use crate::finding::Reason;
use crate::frameworks::patterns::{Reading, paths};
use crate::model::program::{Stmt, StmtKind};
use crate::text::Span;

/// Tables within tables; that there are deeper ones is told.
const MAX_DEPTH: u32 = 8;

/// One line of a table.
struct Entry<'p> {
    pattern: Value<'p>,
    handler: Value<'p>,
    site: Span,
}

/// A line as it is written: a tuple, `url(…)`, `Rule(PathMatches(…), …)`.
fn entry<'p>(value: &Value<'p>, table: Span) -> Option<Entry<'p>> {
    match value {
        Value::Tuple(_) | Value::List(_) => {
            let parts = value.elements()?;
            let handler = parts.get(1)?.clone();
            let site = match &handler {
                Value::Class(class) => class.name_span(),
                _ => table,
            };
            Some(Entry { pattern: pattern(parts.first()?), handler, site })
        }
        Value::Made(made) if matches!(last(&made.path), "url" | "URLSpec" | "Rule") => {
            let handler = made.args.get(1, "handler").or_else(|| made.args.named("target"))?.clone();
            let given = made.args.get(0, "pattern").or_else(|| made.args.named("matcher"))?;
            Some(Entry { pattern: pattern(given), handler, site: made.site })
        }
        _ => None,
    }
}

fn pattern<'p>(value: &Value<'p>) -> Value<'p> {
    match value {
        Value::Made(made) if last(&made.path) == "PathMatches" => {
            made.args.positional.first().cloned().unwrap_or(Value::str(""))
        }
        other => other.clone(),
    }
}

/// Adds the lines of a table to a node.
pub(super) fn take<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, table: &Value<'p>, site: Span, depth: u32) {
    if depth > MAX_DEPTH {
        evaluator.cut("tables of routes within tables, more than 8 deep", Some(site));
        return;
    }
    for line in table.elements().unwrap_or_default() {
        let Some(entry) = entry(&line, site) else { continue };
        match &entry.handler {
            Value::Class(_) | Value::Unknown(..) => add(evaluator, id, &entry),
            // A table of its own, or another application.
            Value::List(_) => take(evaluator, id, &entry.handler, site, depth + 1),
            Value::Node(child) => {
                let child = *child;
                evaluator.add_mount(id, child, Value::str(""), Args::default(), site, MountKind::Application);
            }
            _ => {}
        }
    }
}

fn add<'p>(evaluator: &mut Evaluator<'p>, id: NodeId, entry: &Entry<'p>) {
    let (text, below) = match &entry.pattern {
        Value::Str(text) => (text.clone(), id),
        // What stands before every path is told when the program starts.
        Value::Pattern(text)
            if text.starts_with(UNKNOWN_PART) && !text[UNKNOWN_PART.len_utf8()..].contains(UNKNOWN_PART) =>
        {
            let Some(child) = behind_unknown(evaluator, id, entry.site) else { return };
            (Rc::from(&text[UNKNOWN_PART.len_utf8()..]), child)
        }
        Value::Class(_) => return,
        other => {
            let reason = Reason::new(format!("path of a handler is {}", other.describe()), Some(entry.site));
            let opaque = Opaque::below(Value::str(""), reason);
            if !matches!(entry.handler, Value::Unknown(..)) {
                evaluator.node_mut(id).opaque.push(opaque);
            }
            return;
        }
    };
    if matches!(entry.handler, Value::Unknown(..)) {
        return;
    }
    for path in paths(&text, Reading { choices: true, closing_slash: false }).noted(evaluator, entry.site) {
        let mut options = Args::default();
        for (name, chosen) in path.chosen {
            options.set(&name, Value::str(chosen));
        }
        let (methods, path) = (Value::None, Value::str(path.template));
        let draft = RouteDraft { node: below, methods, path, options, site: entry.site };
        evaluator.add_route(&Rc::new(draft), entry.handler.clone());
    }
}

/// The node below one for paths that something unknown stands before.
fn behind_unknown(evaluator: &mut Evaluator<'_>, id: NodeId, site: Span) -> Option<NodeId> {
    let known = evaluator.node(id).items.iter().find_map(|item| match item {
        Item::Mount { child, prefix: Value::Unknown(..), .. } => Some(*child),
        _ => None,
    });
    if known.is_some() {
        return known;
    }
    let child = evaluator.make_node(TABLE_PATH, Args::default(), None, site)?;
    let prefix = Value::Unknown("it is put before every path when the program starts", Some(site));
    evaluator.add_mount(id, child, prefix, Args::default(), site, MountKind::Include);
    Some(child)
}

/// Whether a class answers requests: it comes from one of tornado.
fn is_handler<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    evaluator.external_bases(class).iter().any(|path| path.starts_with("tornado.") && last(path).ends_with("Handler"))
}

/// Tables that stand in modules under a name and that no application was seen to take: an application that loads modules
/// by name takes them.
pub(super) fn finish<'p>(evaluator: &mut Evaluator<'p>, modules: &[ModuleId]) {
    let imports = |statement: &Stmt| match &statement.kind {
        StmtKind::Import(import) => import.level == 0 && import.module.split('.').next() == Some("tornado"),
        _ => false,
    };
    if !modules.iter().any(|module| evaluator.statements(*module).iter().any(imports)) {
        return;
    }
    let mut named: Vec<(ModuleId, &'p str, Span)> = Vec::new();
    let mut classes: Vec<(ModuleId, &'p str)> = Vec::new();
    for module in modules {
        for (name, statement) in evaluator.bound_names(*module) {
            match &statement.kind {
                StmtKind::Assign { .. } | StmtKind::Annotated { .. } => named.push((*module, name, statement.span)),
                StmtKind::Class(class) if !class.bases.is_empty() => classes.push((*module, name)),
                _ => {}
            }
        }
    }
    make_applications(evaluator, &classes);
    let known = handled(evaluator);
    let mut tables = Vec::new();
    for (module, name, span) in named {
        let Some(value @ Value::List(_)) = evaluator.module_name(module, name) else { continue };
        let lines = value.elements().unwrap_or_default();
        let mut fresh = Vec::new();
        for line in lines {
            let Some(Entry { handler: Value::Class(class), .. }) = entry(&line, span) else { continue };
            if is_handler(evaluator, &class) && !known.contains(&class.name_span()) {
                fresh.push(line);
            }
        }
        if !fresh.is_empty() {
            tables.push((Value::list(fresh), span));
        }
    }
    let Some((_, first)) = tables.first() else { return };
    let Some(id) = evaluator.make_node(TABLE_PATH, Args::default(), None, *first) else { return };
    for (table, span) in &tables {
        take(evaluator, id, table, *span, 0);
    }
    if let Some(application) = application(evaluator) {
        evaluator.add_mount(application, id, Value::str(""), Args::default(), *first, MountKind::Include);
        // Modules of other packages may be loaded as well.
        let reason = Reason::new("handlers that are loaded by name may be more than are seen", Some(*first));
        let prefix = Value::str(UNKNOWN_PART.to_string());
        evaluator.node_mut(application).opaque.push(Opaque::below(prefix, reason));
    }
}

/// Makes one of each class of applications that nothing was seen to make.
fn make_applications<'p>(evaluator: &mut Evaluator<'p>, classes: &[(ModuleId, &'p str)]) {
    for (module, name) in classes {
        let Some(value @ Value::Class(class)) = &evaluator.module_name(*module, name) else { continue };
        let site = class.name_span();
        let is_application = evaluator.external_bases(class).iter().any(|path| &**path == "tornado.web.Application");
        let is_made = |node: &Node| node.class.as_ref().is_some_and(|made| made.name_span() == site);
        if is_application && !evaluator.nodes().iter().any(is_made) {
            evaluator.start(site.file);
            evaluator.call(value, Args::default(), site);
        }
    }
}

fn application(evaluator: &Evaluator) -> Option<NodeId> {
    let is_one = |node: &Node| std::ptr::eq(node.library, &raw const LIBRARY) && node.kind == APPLICATION;
    evaluator.nodes().iter().position(is_one).map(|at| NodeId(at as u32))
}

/// Where the classes are named that an application takes.
fn handled(evaluator: &Evaluator) -> rustc_hash::FxHashSet<Span> {
    let nodes = evaluator.nodes().iter().filter(|node| std::ptr::eq(node.library, &raw const LIBRARY));
    let items = nodes.flat_map(|node| &node.items);
    items
        .filter_map(|item| match item {
            Item::Route { handler: Value::Class(class), .. } => Some(class.name_span()),
            _ => None,
        })
        .collect()
}
