//! Names that a model is known not to have: neither it nor what it comes from defines them, and no relation of another
//! model leads back under them.

use rustc_hash::FxHashSet;

use crate::evaluate::{ClassRef, Evaluator, Value};
use crate::model::program::{Arg, Class, Expr, ExprKind, ImportStyle, StmtKind};

/// Where the names are kept that other code gives to models.
const NOTE: &str = "django names that models are given";
/// Stands among those names where any may be given.
const ANY: &str = "*";
/// Stands in the name of a relation for the name of its class.
const OF_CLASS: &str = "%(class)s";
/// More names that are made so are not looked through.
const MAX_PATTERNS: usize = 20;
/// Bases of libraries whose attributes are known.
const PLAIN: &[&str] = &["django.db.models.Model", "django.db.models.base.Model", "builtins.object", "abc.ABC"];

/// Whether a model is known to have no attribute of a name.
pub fn lacks<'p>(evaluator: &mut Evaluator<'p>, model: &Value<'p>, name: &str) -> bool {
    let Value::Class(class) = model else { return false };
    for ancestor in evaluator.ancestry(class).iter() {
        let is_plain = match ancestor {
            Value::Class(ancestor) => is_plain(evaluator, ancestor, name),
            Value::External(path) => PLAIN.contains(&&**path),
            _ => false,
        };
        if !is_plain {
            return false;
        }
    }
    evaluator.class_member(class, name).is_none() && !is_given(evaluator, name)
}

/// Whether nothing but the body of a class gives it attributes. Some fields bring others whose names begin with theirs.
fn is_plain<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> bool {
    let node: &Class = class.node;
    let is_built =
        |name: &str| matches!(name, "pk" | "id" | "objects") || name.starts_with("get_") || name.ends_with("_id");
    node.decorators.is_empty()
        && node.keywords.is_empty()
        && !is_built(name)
        && evaluator.class_statements(class).iter().all(|statement| match &statement.kind {
            StmtKind::Assign { targets, value } => targets.iter().all(|target| match &target.kind {
                ExprKind::Name(known) => {
                    let further = name.strip_prefix(known.as_str()).and_then(|rest| rest.strip_prefix('_'));
                    further.is_none_or(|further| is_own_field(value) && !is_language(further))
                }
                _ => false,
            }),
            StmtKind::Annotated { .. } | StmtKind::Function(_) | StmtKind::Class(_) => true,
            StmtKind::Expr(expr) => !matches!(expr.kind, ExprKind::Call { .. }),
            _ => false,
        })
}

/// `title_en`, `title_pt_br`: what translating a field makes of it.
fn is_language(word: &str) -> bool {
    word.len() == 2 || (word.len() == 5 && word.as_bytes()[2] == b'_')
}

/// `models.CharField()`: a field of the framework itself.
fn is_own_field(value: &Expr) -> bool {
    let ExprKind::Call { callee, .. } = &value.kind else { return false };
    let ExprKind::Member { object, .. } = &callee.kind else { return false };
    matches!(&object.kind, ExprKind::Name(module) if module == "models")
}

/// Whether other code may give models an attribute of a name: a relation that leads to them, or an assignment.
fn is_given(evaluator: &mut Evaluator<'_>, name: &str) -> bool {
    if !evaluator.notes.contains_key(NOTE) {
        let names = given(evaluator);
        let entries = names.into_iter().map(|name| (Value::str(name), Value::Bool(true)));
        let table = Value::dict(entries.collect());
        evaluator.notes.insert(NOTE, table);
    }
    let Some(Value::Dict(table)) = evaluator.notes.get(NOTE) else { return true };
    let table = table.borrow();
    let mut given = table.entries.iter().filter_map(|(given, _)| given.as_str());
    given.any(|given| given == ANY || given == name || fits(name, given))
}

/// Whether a name is one that `%(app_label)s_lines` stands for.
fn fits(name: &str, pattern: &str) -> bool {
    let (Some((start, _)), Some((_, end))) = (pattern.split_once('%'), pattern.rsplit_once(")s")) else { return false };
    name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
}

fn given(evaluator: &mut Evaluator<'_>) -> Vec<String> {
    let mut names: FxHashSet<String> = FxHashSet::default();
    let mut classes: Vec<String> = Vec::new();
    for module in evaluator.roots().to_vec() {
        if evaluator.index.style(module) != ImportStyle::Dotted {
            continue;
        }
        for statement in evaluator.statements(module) {
            match &statement.kind {
                StmtKind::Class(class) => {
                    of_class(class, &mut names);
                    classes.push(class.name.to_lowercase());
                }
                StmtKind::Assign { targets, .. } => {
                    for target in targets {
                        if let ExprKind::Member { name, .. } = &target.kind {
                            names.insert(name.clone());
                        }
                    }
                }
                StmtKind::Expr(Expr { kind: ExprKind::Call { callee, .. }, .. }) => {
                    let name = called(callee);
                    if matches!(name, "add_to_class" | "contribute_to_class" | "setattr") {
                        names.insert(ANY.to_owned());
                    }
                }
                _ => {}
            }
        }
    }
    let (of_each, plain): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| name.contains(OF_CLASS));
    let made =
        of_each.iter().take(MAX_PATTERNS).flat_map(|name| classes.iter().map(|class| name.replace(OF_CLASS, class)));
    let mut names: Vec<String> = plain.into_iter().chain(made).collect();
    if of_each.len() > MAX_PATTERNS {
        names.push(ANY.to_owned());
    }
    names.sort();
    names.dedup();
    names
}

/// Names under which relations of a class lead back to it: stated ones, and those that are made of its own name.
fn of_class(class: &Class, names: &mut FxHashSet<String>) {
    let own = class.name.to_lowercase();
    for statement in &class.body {
        let (StmtKind::Assign { value, .. } | StmtKind::Annotated { value: Some(value), .. }) = &statement.kind else {
            continue;
        };
        let ExprKind::Call { callee, args, .. } = &value.kind else { continue };
        let is_relation = called(callee).ends_with("Key") || called(callee).ends_with("Field");
        for arg in args {
            match arg {
                Arg::Keyword(name, value) if name == "related_name" => match &value.kind {
                    ExprKind::Str { text, .. } => names.insert(text.clone()),
                    _ => names.insert(ANY.to_owned()),
                },
                Arg::KeywordSpread(_) if is_relation => names.insert(ANY.to_owned()),
                _ => continue,
            };
        }
    }
    names.insert(format!("{own}_set"));
    names.insert(own);
}

fn called(callee: &Expr) -> &str {
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name,
        _ => "",
    }
}
