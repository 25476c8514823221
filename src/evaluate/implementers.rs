//! Where wires are looked for: what a method that its class only declares really does, in the classes that implement it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::value::{Args, ClassRef, FunctionRef, Role, Value};
use super::{Evaluator, ModuleId};
use crate::model::program::{Class, Expr, ExprKind, Function, ImportStyle, Module, Stmt, StmtKind};
use crate::text::Span;

/// Classes whose method one call leads to; that there are more is told.
const MAX_CLASSES: usize = 8;
/// Classes below one that are asked for a member; where there are more, one of them may have another.
const MAX_BELOW: usize = 64;
/// Such calls within such calls; that there are deeper ones is told.
const MAX_WITHIN: u8 = 3;

/// The classes of a program by the names of what they extend and implement, as they are written.
pub(super) type Extending = FxHashMap<String, Vec<Place>>;

/// Where a class is declared: its module, and its index in each block from the module's down.
#[derive(Debug)]
pub(super) struct Place {
    module: ModuleId,
    path: Vec<u32>,
}

impl Place {
    fn class<'p>(&self, program: &'p [Module]) -> Option<&'p Class> {
        let mut block = program[self.module.0 as usize].body.as_slice();
        let (last, around) = self.path.split_last()?;
        for at in around {
            block = match &block.get(*at as usize)?.kind {
                StmtKind::Class(class) => &class.body,
                StmtKind::Namespace { body, .. } => body,
                _ => return None,
            };
        }
        match &block.get(*last as usize)?.kind {
            StmtKind::Class(class) => Some(class),
            _ => None,
        }
    }
}

impl<'p> Evaluator<'p> {
    /// A method that a class only declares is called on what stands for an instance of each class that implements it.
    /// `args` come without a receiver. What all of them give, where there is any.
    pub(super) fn call_implementers(
        &mut self,
        function: &FunctionRef<'p>,
        args: &Args<'p>,
        site: Span,
    ) -> Option<Value<'p>> {
        let class = &function.class.clone()?;
        let name = function.node.name.as_str();
        let several = Value::Unknown("what one of several classes returns", Some(site));
        if self.note_handlers(class, name, args) {
            return Some(several);
        }
        if self.wires.dispatching >= MAX_WITHIN {
            self.cut("calls of what is only declared, more than three within one another", Some(site));
            return None;
        }
        self.wires.dispatching += 1;
        let mut given: Option<Value<'p>> = None;
        for class in self.implementers(class, MAX_CLASSES, false) {
            let Some(Value::Function(function)) = self.class_member(&class, name) else { continue };
            if only_declares(function.node) {
                continue;
            }
            let function = self.overload(&function, args);
            let mut args = args.clone();
            if function.role != Role::Static {
                let receiver = self.standing(&class);
                args.prepend(receiver);
            }
            self.wires.calls.push(site);
            let value = self.call_function_always(&function, args);
            self.wires.calls.pop();
            // What was gathered here may be empty only because it is not known: it decides nothing.
            let decides =
                matches!(value, Value::None | Value::Bool(_) | Value::Int(_) | Value::List(_) | Value::Dict(_));
            let value = if decides { several.clone() } else { value };
            given = match given {
                Some(known) if !known.same(&value) => Some(several.clone()),
                _ => Some(value),
            };
        }
        self.wires.dispatching -= 1;
        given
    }

    /// Whether a class extends or implements it.
    pub(super) fn has_implementers(&mut self, class: &ClassRef<'p>) -> bool {
        !self.some_implementers(class, 1, true).0.is_empty()
    }

    /// Whether a class below has another member of a name, as far as the program tells.
    pub fn is_overridden(&mut self, class: &ClassRef<'p>, name: &str) -> bool {
        let (below, cut) = self.some_implementers(class, MAX_BELOW, true);
        let own = self.class_member(class, name);
        cut || below.iter().any(|below| match (&own, self.class_member(below, name)) {
            (Some(own), Some(member)) => !own.same(&member),
            (own, member) => own.is_some() != member.is_some(),
        })
    }

    /// The classes that extend or implement a class, however far below, in the order of the program; not more than `most`.
    /// Of projects that it is not built with, a service makes no object: they count where `anywhere` is set.
    pub(super) fn implementers(&mut self, class: &ClassRef<'p>, most: usize, anywhere: bool) -> Vec<ClassRef<'p>> {
        let (found, cut) = self.some_implementers(class, most, anywhere);
        if cut {
            self.cut("classes that extend or implement one, beyond the first few", Some(class.name_span()));
        }
        found
    }

    /// The same, and whether there are more.
    fn some_implementers(&mut self, class: &ClassRef<'p>, most: usize, anywhere: bool) -> (Vec<ClassRef<'p>>, bool) {
        let extending = self.index.extending(self.program);
        let mut found: Vec<ClassRef<'p>> = Vec::new();
        let mut seen: FxHashSet<*const Class> = FxHashSet::default();
        let mut next = vec![class.clone()];
        while let Some(above) = next.pop() {
            for place in extending.get(above.name()).map(Vec::as_slice).unwrap_or_default() {
                let module = &place.module;
                if !anywhere && self.index.style(*module) == ImportStyle::Namespace && !self.wires.runs.contains(module)
                {
                    continue;
                }
                let Some(node) = place.class(self.program) else { continue };
                if !seen.insert(std::ptr::from_ref(node)) {
                    continue;
                }
                if found.len() >= most {
                    return (found, true);
                }
                let scope = self.module_scope(*module);
                let Some(below) = self.declaring_class(*module, node, &scope) else { continue };
                if !std::ptr::eq(below.node, node) || !self.is_written_base(&below, &above) {
                    continue;
                }
                found.push(below.clone());
                next.push(below);
            }
        }
        (found, false)
    }

    /// Whether what a class says that it extends or implements is `above`, and not another of that name.
    fn is_written_base(&mut self, class: &ClassRef<'p>, above: &ClassRef<'p>) -> bool {
        let scope = class.scope.clone();
        written_bases(class.node).into_iter().any(|base| {
            let base = named(base);
            let value = if self.names_types_apart(&scope) {
                self.look_type_path(base, &scope)
            } else {
                Some(self.type_expression(base, &scope))
            };
            let value = match value {
                Some(Value::Applied(base, _)) => Some((*base).clone()),
                value => value,
            };
            match value {
                Some(Value::Class(known)) => std::ptr::eq(known.node, above.node),
                // A generic without what it is given.
                _ => last_name(base) == Some(above.name()) && !above.node.type_parameters.is_empty(),
            }
        })
    }
}

/// Whether a function has no body, or one that does nothing: that of an interface, or an abstract one.
pub(super) fn only_declares(function: &Function) -> bool {
    let does_nothing = |statement: &Stmt| match &statement.kind {
        StmtKind::Raise => true,
        StmtKind::Expr(value) => matches!(value.kind, ExprKind::Ellipsis | ExprKind::Str { .. }),
        StmtKind::Return(Some(value)) => matches!(value.kind, ExprKind::Other("declared without a body")),
        _ => false,
    };
    !function.is_lambda && function.body.iter().all(does_nothing)
}

pub(super) fn extending(program: &[Module]) -> Extending {
    let mut found = Extending::default();
    for (at, module) in program.iter().enumerate() {
        let module_id = ModuleId(at as u32);
        let mut stack: Vec<(&[Stmt], Vec<u32>)> = vec![(&module.body, Vec::new())];
        while let Some((block, around)) = stack.pop() {
            for (at, statement) in block.iter().enumerate() {
                let path = || around.iter().copied().chain([at as u32]).collect::<Vec<u32>>();
                match &statement.kind {
                    StmtKind::Class(class) => {
                        for name in written_bases(class).into_iter().filter_map(last_name) {
                            let place = Place { module: module_id, path: path() };
                            found.entry(name.to_owned()).or_default().push(place);
                        }
                        stack.push((&class.body, path()));
                    }
                    StmtKind::Namespace { body, .. } => stack.push((body, path())),
                    _ => {}
                }
            }
        }
    }
    found
}

fn written_bases(class: &Class) -> Vec<&Expr> {
    let implemented = class.keywords.iter().filter(|(word, _)| word == "implements").map(|(_, base)| base);
    class.bases.iter().chain(implemented).collect()
}

/// `A` of `A<B>`
fn named(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let ExprKind::Index { object, .. } = &expr.kind {
        expr = object;
    }
    expr
}

fn last_name(expr: &Expr) -> Option<&str> {
    match &named(expr).kind {
        ExprKind::Name(name) | ExprKind::Member { name, .. } => Some(name),
        _ => None,
    }
}
