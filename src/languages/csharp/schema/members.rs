//! The members of a class that a serialiser looks at, those that it inherits included.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::builtin::adds_nothing;
use super::libraries::{Declared, members_of};
use super::marks::Marks;
use super::{Schemas, arguments_of};
use crate::evaluate::{ClassRef, Evaluator, MAX_ANCESTRY, Value, last};
use crate::languages::generics::{Substitution, key_of, substitute};
use crate::model::program::{ClassKind, Modifiers, Property, StmtKind};

/// One property or field.
pub(super) struct Member<'p> {
    pub(super) node: &'p Property,
    /// The class that declares it.
    pub(super) class: ClassRef<'p>,
    pub(super) kind: Value<'p>,
    pub(super) marks: Marks<'p>,
    /// Newtonsoft asks a method whether to write it.
    pub(super) asked: bool,
    /// It stands where types do not say whether they hold null.
    pub(super) is_oblivious: bool,
    /// A constructor has a parameter of its name.
    pub(super) is_constructed: bool,
}

#[derive(Default)]
pub(super) struct Members<'p> {
    /// By declared name; of several, the one that hides the others.
    pub(super) all: IndexMap<&'p str, Member<'p>>,
    /// Of a library's class, with the arguments of that.
    pub(super) of_library: Vec<(Declared, Vec<Value<'p>>)>,
    /// Parameters of the constructors of these classes, in lower case.
    constructed: FxHashSet<String>,
    /// The classes whose members are here, with their arguments.
    seen: FxHashSet<String>,
    /// Why there may be others.
    pub(super) more: Option<String>,
}

impl<'p> Schemas<'p> {
    /// Nearest class first: what it declares hides what it inherits.
    pub(super) fn members(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        substitution: &Substitution<'p>,
        depth: usize,
        found: &mut Members<'p>,
    ) {
        // Each level costs, and a hierarchy of diamonds has many: what runs out of budget is no shape at all.
        if depth > MAX_ANCESTRY || evaluator.is_exhausted() {
            found.more.get_or_insert_with(|| "too many base classes".to_owned());
            return;
        }
        // Interfaces are met on many ways.
        let mut key = format!("{:p}", Rc::as_ptr(class));
        for parameter in &class.node.type_parameters {
            if let Some(given) = substitution.get(parameter.name.as_str()) {
                key.push(' ');
                key_of(given, &mut key);
            }
        }
        if !found.seen.insert(key) {
            return;
        }
        self.own_members(evaluator, class, substitution, found);
        let is_interface = class.node.kind == ClassKind::Interface;
        for base in evaluator.bases(class) {
            let (base, args) = match &base {
                Value::Applied(base, args) => ((**base).clone(), &args[..]),
                other => (other.clone(), &[][..]),
            };
            match &base {
                Value::Class(base) if Rc::ptr_eq(base, class) => {}
                // What an interface declares, the class has itself.
                Value::Class(base) if base.node.kind == ClassKind::Interface && !is_interface => {}
                Value::Class(base) => {
                    let args: Vec<Value<'p>> = args.iter().map(|arg| substitute(arg, substitution)).collect();
                    let inner = arguments_of(base, &args);
                    evaluator.afford(found.all.len());
                    self.members(evaluator, base, &inner, depth + 1, found);
                }
                Value::External(path) => {
                    let name = last(path);
                    if let Some(members) = members_of(name) {
                        let args = args.iter().map(|arg| substitute(arg, substitution)).collect();
                        found.of_library.push((members, args));
                    } else if !adds_nothing(&base) && (is_interface || !is_interface_name(name)) {
                        found.more.get_or_insert_with(|| format!("`{name}` is not part of the scanned sources"));
                    }
                }
                Value::Unknown(why, _) => {
                    found.more.get_or_insert_with(|| (*why).to_owned());
                }
                _ => {}
            }
        }
    }

    fn own_members(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
        substitution: &Substitution<'p>,
        found: &mut Members<'p>,
    ) {
        evaluator.afford(8);
        let scope = evaluator.body_scope(class);
        let statements = evaluator.class_statements(class);
        let newtonsoft = self.style().newtonsoft;
        let own = self.marks(evaluator, &class.node.decorators, &scope, class.node.span.file);
        let opt_in = newtonsoft
            && (own.has("DataContract")
                || own.get("JsonObject").is_some_and(|args| {
                    let chosen = args.get(0, "MemberSerialization").and_then(Value::as_external);
                    chosen.is_some_and(|chosen| last(chosen) == "OptIn")
                }));
        let asks: FxHashSet<&str> = statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                StmtKind::Function(function) if newtonsoft => function.name.strip_prefix("ShouldSerialize"),
                _ => None,
            })
            .collect();
        let reads = self.style().reads;
        for statement in &statements {
            if let StmtKind::Function(function) = &statement.kind
                && function.name == "__init__"
            {
                found.constructed.extend(function.parameters.iter().map(|parameter| parameter.name.to_lowercase()));
            }
        }
        for statement in &statements {
            let StmtKind::Property(property) = &statement.kind else { continue };
            let modifiers = property.modifiers;
            // `IOther.Name` is only there for those who hold an `IOther`.
            let out_of_reach =
                property.is_static || property.name.contains('.') || found.all.contains_key(&*property.name);
            if out_of_reach || (modifiers.has(Modifiers::WRITE_ONLY) && !reads) || modifiers.has(Modifiers::CONST) {
                continue;
            }
            let marks = self.marks(evaluator, &property.decorators, &scope, property.name_span.file);
            let chosen = if newtonsoft {
                marks.has_any(&["JsonProperty", "DataMember", "JsonExtensionData"])
            } else {
                marks.has("JsonInclude")
            };
            let hidden = property.is_private || (modifiers.has(Modifiers::FIELD) && !self.style().fields);
            if (hidden || opt_in) && !chosen {
                continue;
            }
            let kind = match &property.annotation {
                Some(annotation) => substitute(&evaluator.type_expression(annotation, &scope), substitution),
                None => Value::Unknown("member without a type", Some(property.name_span)),
            };
            let asked = asks.contains(property.name.as_str());
            let module = evaluator.module_of_file(property.name_span.file);
            let is_oblivious = module.is_some_and(|module| evaluator.index.strict_nulls(module) != Some(true));
            let is_constructed = found.constructed.contains(&property.name.to_lowercase());
            let class = class.clone();
            let member = Member { node: property, class, kind, marks, asked, is_oblivious, is_constructed };
            found.all.insert(&property.name, member);
        }
    }
}

/// `IName`, as every interface of a library is named.
fn is_interface_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next() == Some('I') && chars.next().is_some_and(char::is_uppercase)
}
