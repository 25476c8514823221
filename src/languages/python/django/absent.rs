//! Names that a model is known not to have: neither it nor what it comes from defines them, and no relation of another
//! model leads back under them.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::models::{is_model, model_named};
use crate::evaluate::{ClassRef, Evaluator, ModuleId, Value};
use crate::model::program::{Arg, Class, Expr, ExprKind, ImportStyle, StmtKind};

/// Where the names are kept that other code gives to models.
const NOTE: &str = "django names that models are given";
/// Stands among those names where any may be given.
const ANY: &str = "*";
/// Stands in the name of a relation for the name of its class.
const OF_CLASS: &str = "%(class)s";
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
    evaluator.class_member(class, name).is_none() && !is_given(evaluator, class, name)
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
            // What stands below the condition is among the statements.
            StmtKind::If { .. } => true,
            _ => false,
        })
}

/// `title_en`, `title_pt_br`: what translating a field makes of it.
fn is_language(word: &str) -> bool {
    word.len() == 2 || (word.len() == 5 && word.as_bytes()[2] == b'_')
}

/// `models.CharField()`: a field of the framework itself.
fn is_own_field(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Call { callee, .. } if is_of_framework(callee))
}

/// `models.CharField`
fn is_of_framework(callee: &Expr) -> bool {
    let ExprKind::Member { object, .. } = &callee.kind else { return false };
    matches!(&object.kind, ExprKind::Name(module) if module == "models")
}

/// Whether other code may give a model an attribute of a name: a relation that leads to the model, or an assignment.
fn is_given<'p>(evaluator: &mut Evaluator<'p>, model: &ClassRef<'p>, name: &str) -> bool {
    if !evaluator.notes.contains_key(NOTE) {
        let names = given(evaluator);
        let entries = names.into_iter().map(|(name, sure)| (Value::str(name), Value::Bool(sure)));
        let table = Value::dict(entries.collect());
        evaluator.notes.insert(NOTE, table);
    }
    let Some(Value::Dict(table)) = evaluator.notes.get(NOTE) else { return true };
    let mut of_relation = false;
    for (given, sure) in &table.borrow().entries {
        let Some(given) = given.as_str() else { continue };
        if given == ANY || given == name || fits(name, given) {
            if matches!(sure, Value::Bool(true)) {
                return true;
            }
            of_relation = true;
        }
    }
    of_relation && leads_back(evaluator, model, name)
}

/// Whether a name is one that `%(app_label)s_lines` stands for.
fn fits(name: &str, pattern: &str) -> bool {
    let (Some((start, _)), Some((_, end))) = (pattern.split_once('%'), pattern.rsplit_once(")s")) else { return false };
    name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
}

/// Names that other code gives to models, and whether to any model: a name that a relation states is that of the model
/// which the relation leads to.
fn given(evaluator: &mut Evaluator<'_>) -> Vec<(String, bool)> {
    let mut names: FxHashSet<(String, bool)> = FxHashSet::default();
    for module in dotted(evaluator) {
        for statement in evaluator.statements(module) {
            match &statement.kind {
                StmtKind::Class(class) => of_class(class, &mut names),
                StmtKind::Assign { targets, .. } => {
                    for target in targets {
                        if let ExprKind::Member { name, .. } = &target.kind {
                            names.insert((name.clone(), true));
                        }
                    }
                }
                StmtKind::Expr(Expr { kind: ExprKind::Call { callee, .. }, .. }) => {
                    let name = called(callee);
                    if matches!(name, "add_to_class" | "contribute_to_class" | "setattr") {
                        names.insert((ANY.to_owned(), true));
                    }
                }
                _ => {}
            }
        }
    }
    let mut names: Vec<(String, bool)> = names.into_iter().collect();
    names.sort();
    names
}

fn dotted(evaluator: &Evaluator<'_>) -> Vec<ModuleId> {
    let is_dotted = |module: &&ModuleId| evaluator.index.style(**module) == ImportStyle::Dotted;
    evaluator.roots().iter().filter(is_dotted).copied().collect()
}

/// Whether a relation that states a name leads to a model, or may do so.
fn leads_back<'p>(evaluator: &mut Evaluator<'p>, model: &ClassRef<'p>, name: &str) -> bool {
    for module in dotted(evaluator) {
        for statement in evaluator.statements(module) {
            let StmtKind::Class(class) = &statement.kind else { continue };
            let own = class.name.to_lowercase();
            let is_set = name.strip_suffix("_set") == Some(&own);
            if (is_set || name == own) && is_named_for(evaluator, (module, class), is_set, model) {
                return true;
            }
            for (args, stated) in stated(class) {
                if stated != name && !fits(name, stated) {
                    continue;
                }
                let Some(Value::Class(owner)) = evaluator.module_name(module, &class.name) else { return true };
                if (!stated.contains(OF_CLASS) || is_made(evaluator, &owner, stated, name))
                    && may_lead_to(evaluator, &owner, args, model)
                {
                    return true;
                }
            }
        }
    }
    false
}

/// Whether a relation of a class that states no name leads to a model, or may do so: `line`, or `line_set` where there
/// are many. What comes from a model and has rows of its own is a relation as well.
fn is_named_for<'p>(
    evaluator: &mut Evaluator<'p>,
    (module, class): (ModuleId, &'p Class),
    is_set: bool,
    model: &ClassRef<'p>,
) -> bool {
    let Some(Value::Class(owner)) = evaluator.module_name(module, &class.name) else { return true };
    for ancestor in evaluator.ancestry(&owner).iter() {
        let ancestor = match ancestor {
            Value::Class(ancestor) => ancestor,
            Value::External(path) if PLAIN.contains(&&**path) || is_of_language(path) => continue,
            _ => return true,
        };
        if !is_set && Rc::ptr_eq(ancestor, model) && !Rc::ptr_eq(&owner, model) {
            return true;
        }
        for (callee, args) in calls(ancestor.node) {
            let states = |arg: &Arg| matches!(arg, Arg::Keyword(name, _) if name == "related_name");
            let kind = called(callee);
            let fits = match (kind.contains("OneToOne"), kind.ends_with("Key") || kind.contains("ManyToMany")) {
                (false, false) => kind.ends_with("Field") && !is_of_framework(callee),
                (one, _) => one != is_set,
            };
            if fits && !args.iter().any(states) && may_lead_to(evaluator, ancestor, args, model) {
                return true;
            }
        }
    }
    false
}

/// Whether a base class is of the language's own library, where no relation is declared: `enum.Enum`, `builtins.str`.
fn is_of_language(path: &str) -> bool {
    matches!(path.split('.').next(), Some("abc" | "builtins" | "collections" | "enum" | "typing"))
}

/// Whether a pattern gives a name for one of the classes that come from the one in which the pattern stands.
fn is_made<'p>(evaluator: &mut Evaluator<'p>, owner: &ClassRef<'p>, pattern: &str, name: &str) -> bool {
    for module in dotted(evaluator) {
        for statement in evaluator.statements(module) {
            let StmtKind::Class(class) = &statement.kind else { continue };
            let made = pattern.replace(OF_CLASS, &class.name.to_lowercase());
            if made != name && !fits(name, &made) {
                continue;
            }
            let comes_from = |known: &Value<'p>| match known {
                Value::Class(known) => Rc::ptr_eq(known, owner),
                _ => known.is_unknown(),
            };
            match evaluator.module_name(module, &class.name) {
                Some(Value::Class(class)) if !evaluator.ancestry(&class).iter().any(comes_from) => {}
                _ => return true,
            }
        }
    }
    false
}

/// Whether a relation of a class may lead to a model, or to what shares the rows of the model.
fn may_lead_to<'p>(evaluator: &mut Evaluator<'p>, owner: &ClassRef<'p>, args: &'p [Arg], model: &ClassRef<'p>) -> bool {
    let to = args.iter().find_map(|arg| match arg {
        Arg::Keyword(name, value) if name == "to" => Some(value),
        _ => None,
    });
    let ((Some(to), _) | (None, Some(Arg::Positional(to)))) = (to, args.first()) else { return true };
    let scope = evaluator.body_scope(owner);
    let target = match evaluator.evaluate(to, &scope) {
        Value::Str(label) if &*label != "self" => model_named(evaluator, &label, Some(owner)),
        Value::Str(_) if is_abstract(evaluator, owner) => None,
        Value::Str(_) => Some(Value::Class(owner.clone())),
        other => Some(other),
    };
    let Some(Value::Class(target)) = target else { return true };
    let rows = rows_of(evaluator, model);
    rows_of(evaluator, &target).iter().any(|row| rows.iter().any(|known| Rc::ptr_eq(known, row)))
}

/// The classes whose rows a model has: the model, and what the model comes from and is no mere pattern of others.
fn rows_of<'p>(evaluator: &mut Evaluator<'p>, model: &ClassRef<'p>) -> Vec<ClassRef<'p>> {
    let ancestry = evaluator.ancestry(model);
    let classes = ancestry.iter().filter_map(|known| if let Value::Class(class) = known { Some(class) } else { None });
    classes.filter(|class| Rc::ptr_eq(class, model) || !is_abstract(evaluator, class)).cloned().collect()
}

/// `class Meta: abstract = True`
fn is_abstract<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    let Some(Value::Class(meta)) = evaluator.own_member(class, "Meta") else { return !is_model(evaluator, class) };
    !matches!(evaluator.own_member(&meta, "abstract"), None | Some(Value::Bool(false)))
}

/// Names under which relations of a class lead back to it: stated ones, and those that are made of its own name.
fn of_class(class: &Class, names: &mut FxHashSet<(String, bool)>) {
    let own = class.name.to_lowercase();
    for (_, args) in calls(class) {
        for arg in args {
            match arg {
                Arg::Keyword(name, value) if name == "related_name" => match &value.kind {
                    ExprKind::Str { text, .. } => names.insert((text.clone(), false)),
                    _ => names.insert((ANY.to_owned(), true)),
                },
                _ => continue,
            };
        }
    }
    let is_relation = |name: &str| name.ends_with("Key") || name.ends_with("Field");
    let may_state = |(callee, args): (&Expr, &[Arg])| {
        is_relation(called(callee)) && args.iter().any(|arg| matches!(arg, Arg::KeywordSpread(_)))
    };
    if calls(class).any(may_state) {
        names.insert((ANY.to_owned(), true));
    }
    names.insert((format!("{own}_set"), false));
    names.insert((own, false));
}

/// The relations of a class that state the name which leads back: what they are given, and the name.
fn stated(class: &Class) -> impl Iterator<Item = (&[Arg], &str)> {
    calls(class).filter_map(|(_, args)| {
        let name = args.iter().find_map(|arg| match arg {
            Arg::Keyword(name, Expr { kind: ExprKind::Str { text, .. }, .. }) if name == "related_name" => Some(text),
            _ => None,
        })?;
        Some((args, name.as_str()))
    })
}

/// The calls that names in the body of a class stand for: what is called, with what.
fn calls(class: &Class) -> impl Iterator<Item = (&Expr, &[Arg])> {
    class.body.iter().filter_map(|statement| match &statement.kind {
        StmtKind::Assign { value, .. } | StmtKind::Annotated { value: Some(value), .. } => match &value.kind {
            ExprKind::Call { callee, args, .. } => Some((&**callee, args.as_slice())),
            _ => None,
        },
        _ => None,
    })
}

fn called(callee: &Expr) -> &str {
    match &callee.kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => name,
        _ => "",
    }
}
