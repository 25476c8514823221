//! Which functions take part in building an API: those are followed wherever they are called, the rest only if small.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::regions::Regions;
use super::wires::DESCRIBED_REQUEST;
use super::{Evaluator, Library, ModuleId};
use crate::model::program::{
    Arg, Class, DictItem, Expr, ExprKind, Function, ImportStyle, Module, Param, Stmt, StmtKind,
};
use crate::text::FileId;

/// What takes part in building an API or does something at a wire, in each region of a program by itself.
#[derive(Debug, Default)]
pub(super) struct Relevance {
    functions: FxHashSet<(FileId, u32)>,
    /// Functions that themselves say one of the libraries' words, in program order.
    core: Vec<Core>,
    /// Functions that say a word of a library of wires that their region imports, in program order, outermost ones.
    wires: Vec<(ModuleId, u32)>,
    /// The same, inner ones too.
    pub(super) of_wires: FxHashSet<(FileId, u32)>,
    /// Of functions within others, the functions of their region that they call.
    pub(super) inner_calls: FxHashMap<(FileId, u32), Vec<String>>,
    pub(super) regions: Vec<Spoken>,
}

/// What one region of the program asks, and calls.
#[derive(Default)]
pub(super) struct Spoken {
    /// Those that are asked what calls mean.
    pub(super) libraries: Vec<&'static Library>,
    /// It imports a library of wires.
    pub(super) has_wires: bool,
    /// What the libraries of wires that it imports say.
    pub(super) wire_words: FxHashSet<&'static str>,
    /// Methods that only one library has, of those that it imports.
    pub(super) wire_methods: FxHashSet<&'static str>,
    /// Outermost functions by the functions of the region that they call, where there are any of wires.
    pub(super) callers: FxHashMap<String, Vec<(ModuleId, u32)>>,
}

impl Spoken {
    pub(super) fn of(libraries: Vec<&'static Library>) -> Self {
        Spoken {
            has_wires: libraries.iter().any(|library| !library.wire_packages.is_empty()),
            wire_methods: libraries.iter().flat_map(|library| library.wire_methods.iter().copied()).collect(),
            wire_words: libraries.iter().flat_map(|library| library.wire_words.iter().copied()).collect(),
            libraries,
            callers: FxHashMap::default(),
        }
    }
}

impl std::fmt::Debug for Spoken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.libraries.iter().map(|library| library.name)).finish()
    }
}

#[derive(Clone, Copy, Debug)]
struct Core {
    module: ModuleId,
    index: u32,
    builds_application: bool,
    /// Inside another function.
    nested: bool,
    /// The function that makes the application which this one fills: started for it alone.
    fills: Option<(ModuleId, u32)>,
}

/// Names that say nothing about what is called.
const COMMON: &[&str] = &[
    "__init__",
    "get",
    "__call__",
    "run",
    "main",
    "setup",
    "create",
    "start",
    "wrapper",
    "decorator",
    "inner",
    "init",
    "load",
    "register",
    "update",
    "build",
    "__enter__",
    "Map",
    "Add",
    "Build",
    "Configure",
    "Create",
    "Handle",
    "Main",
    "Register",
];

/// Whether a name says nothing about what is called.
pub(super) fn is_common(name: &str) -> bool {
    COMMON.contains(&name)
}

/// How many callers up relevance reaches.
const ROUNDS: usize = 3;

struct Seen<'p> {
    function: &'p Function,
    calls: FxHashSet<&'p str>,
    hit: bool,
    builds_application: bool,
    /// Registers something itself.
    registers: bool,
    nested: bool,
}

/// What libraries say, by language.
struct Vocabulary([Words; 3]);

impl Vocabulary {
    fn of(libraries: &[&'static Library]) -> Self {
        let languages = [ImportStyle::Dotted, ImportStyle::Path, ImportStyle::Namespace];
        Vocabulary(languages.map(|language| Words::of(libraries, language)))
    }

    fn of_module(&self, module: &Module) -> &Words {
        let [dotted, path, namespace] = &self.0;
        match module.imports {
            ImportStyle::Dotted => dotted,
            ImportStyle::Path => path,
            ImportStyle::Namespace => namespace,
        }
    }
}

/// What the libraries of one language say.
struct Words {
    following: FxHashSet<&'static str>,
    suffixes: Vec<&'static str>,
    decorators: FxHashSet<&'static str>,
    parameters: FxHashSet<&'static str>,
    applications: Vec<&'static str>,
    wires: FxHashSet<&'static str>,
}

impl Words {
    fn of(libraries: &[&'static Library], language: ImportStyle) -> Self {
        let spoken = || libraries.iter().filter(|library| library.language.is_none_or(|known| known == language));
        Words {
            following: spoken().flat_map(|library| library.words).copied().collect(),
            suffixes: spoken().flat_map(|library| library.word_suffixes).copied().collect(),
            decorators: spoken().flat_map(|library| library.decorator_words).copied().collect(),
            parameters: spoken().flat_map(|library| library.parameter_words).copied().collect(),
            applications: spoken().flat_map(|library| library.application_words).copied().collect(),
            wires: spoken().flat_map(|library| library.wire_words).copied().collect(),
        }
    }

    fn judge(&self, seen: &mut Seen) {
        seen.registers = seen.hit || seen.calls.iter().any(|name| self.following.contains(name));
        seen.hit |= seen.registers || seen.calls.iter().any(|name| self.suffixes.iter().any(|s| name.ends_with(s)));
        seen.builds_application =
            seen.calls.iter().any(|name| self.applications.iter().any(|word| name.ends_with(word)));
    }
}

pub(super) fn of(program: &[Module], regions: &Regions, libraries: Vec<Vec<&'static Library>>) -> Relevance {
    // Regions that use the same speak the same words.
    let mut vocabularies: Vec<(&[&'static Library], Vocabulary)> = Vec::new();
    let same = |one: &[&Library], other: &[&Library]| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| std::ptr::eq(*one, *other))
    };
    let spoken: Vec<usize> = libraries
        .iter()
        .map(|used| {
            let known = vocabularies.iter().position(|(known, _)| same(known, used));
            known.unwrap_or_else(|| {
                vocabularies.push((used, Vocabulary::of(used)));
                vocabularies.len() - 1
            })
        })
        .collect();
    let seen: Vec<Vec<Seen>> = program
        .par_iter()
        .enumerate()
        .map(|(at, module)| {
            let (open, done) = (Vec::new(), Vec::new());
            let words = vocabularies[spoken[regions.of(ModuleId(at as u32))]].1.of_module(module);
            let mut walk = Walk { open, done, words };
            walk.block(&module.body);
            walk.done.iter_mut().for_each(|seen| words.judge(seen));
            walk.done.sort_by_key(|seen| seen.function.index);
            walk.done
        })
        .collect();
    let parts: Vec<Relevance> = regions
        .modules
        .par_iter()
        .zip(&spoken)
        .map(|(modules, spoken)| {
            let region = Region {
                modules: modules.iter().map(|id| (*id, &program[id.0 as usize], &*seen[id.0 as usize])).collect(),
                vocabulary: &vocabularies[*spoken].1,
            };
            region.relevance()
        })
        .collect();
    let mut relevance = Relevance::default();
    for (part, libraries) in parts.into_iter().zip(libraries) {
        relevance.functions.extend(part.functions);
        relevance.core.extend(part.core);
        relevance.wires.extend(part.wires);
        relevance.of_wires.extend(part.of_wires);
        relevance.inner_calls.extend(part.inner_calls);
        let callers = part.regions.into_iter().next().unwrap_or_default().callers;
        relevance.regions.push(Spoken { callers, ..Spoken::of(libraries) });
    }
    relevance.core.sort_by_key(|core| core.module);
    relevance.wires.sort_unstable();
    relevance
}

/// One region of the program: its modules, each with its functions.
struct Region<'p, 's> {
    modules: Vec<(ModuleId, &'p Module, &'s [Seen<'p>])>,
    vocabulary: &'s Vocabulary,
}

impl<'p, 's> Region<'p, 's> {
    fn relevance(&self) -> Relevance {
        let mut relevance = Relevance::default();
        let mut names: FxHashSet<&str> = FxHashSet::default();
        let mut callers: FxHashMap<&str, Vec<(FileId, u32, &str)>> = FxHashMap::default();
        for (id, module, functions) in &self.modules {
            for seen in *functions {
                let key = (module.file, seen.function.index);
                if seen.hit {
                    relevance.functions.insert(key);
                    names.insert(&seen.function.name);
                    relevance.core.push(Core {
                        module: *id,
                        index: seen.function.index,
                        builds_application: seen.builds_application,
                        nested: seen.nested,
                        fills: None,
                    });
                }
                let mut calls: Vec<&str> = seen.calls.iter().copied().collect();
                calls.sort_unstable();
                for name in calls {
                    callers.entry(name).or_default().push((key.0, key.1, &seen.function.name));
                }
            }
        }
        let mut fresh: Vec<&str> = names.iter().copied().collect();
        for _ in 0..ROUNDS {
            fresh.sort_unstable();
            let mut next = Vec::new();
            for name in fresh.iter().filter(|name| !COMMON.contains(name) && !name.is_empty()) {
                for (file, index, caller) in callers.get(name).map(Vec::as_slice).unwrap_or_default() {
                    if relevance.functions.insert((*file, *index)) && names.insert(caller) {
                        next.push(*caller);
                    }
                }
            }
            fresh = next;
        }
        relevance.core.extend(self.fillers(&names));
        self.add_wires(&mut relevance);
        relevance
    }

    fn located(&self) -> impl Iterator<Item = (ModuleId, &'s Seen<'p>)> {
        self.modules.iter().flat_map(|(id, _, functions)| functions.iter().map(move |seen| (*id, seen)))
    }

    fn add_wires(&self, relevance: &mut Relevance) {
        for (id, module, functions) in &self.modules {
            let words = &self.vocabulary.of_module(module).wires;
            for seen in functions.iter().filter(|seen| seen.calls.iter().any(|name| words.contains(name))) {
                relevance.of_wires.insert((module.file, seen.function.index));
                if !seen.nested {
                    relevance.wires.push((*id, seen.function.index));
                }
            }
        }
        if relevance.wires.is_empty() {
            return;
        }
        let mut all_callers: FxHashMap<String, Vec<(ModuleId, u32)>> = FxHashMap::default();
        let declared = self.located().map(|(_, seen)| seen.function.name.as_str());
        let declared: FxHashSet<&str> = declared.filter(|name| !name.starts_with("__")).collect();
        for (id, module, functions) in &self.modules {
            for seen in functions.iter().filter(|seen| seen.nested) {
                let calls = seen.calls.iter().filter(|name| declared.contains(*name)).map(|name| (*name).to_owned());
                let calls: Vec<String> = calls.collect();
                if !calls.is_empty() {
                    relevance.inner_calls.insert((module.file, seen.function.index), calls);
                }
            }
            for seen in functions.iter().filter(|seen| !seen.nested) {
                for name in seen.calls.iter().filter(|name| declared.contains(*name)) {
                    all_callers.entry((*name).to_owned()).or_default().push((*id, seen.function.index));
                }
            }
        }
        relevance.regions.push(Spoken { callers: all_callers, ..Spoken::default() });
    }

    /// The callers of functions that make an application and leave filling it to others: `app = self.make_app()`.
    fn fillers(&self, relevant: &FxHashSet<&str>) -> Vec<Core> {
        let mut bare: FxHashMap<&str, (ModuleId, u32)> = FxHashMap::default();
        for (module, seen) in self.located() {
            let name = seen.function.name.as_str();
            let leaves_it_bare = !seen.registers && !seen.calls.iter().any(|called| relevant.contains(called));
            if seen.builds_application && leaves_it_bare && !seen.nested && !COMMON.contains(&name) {
                bare.entry(name).or_insert((module, seen.function.index));
            }
        }
        if bare.is_empty() {
            return Vec::new();
        }
        let filler = |(module, seen): (ModuleId, &Seen)| {
            let mut made: Vec<&str> = seen.calls.iter().copied().filter(|name| bare.contains_key(name)).collect();
            made.sort_unstable();
            let fills = bare.get(made.first()?).copied();
            let index = seen.function.index;
            (fills != Some((module, index))).then_some(Core {
                module,
                index,
                builds_application: true,
                nested: seen.nested,
                fills,
            })
        };
        self.located().filter_map(filler).collect()
    }
}

impl Relevance {
    /// The functions of a module that say a word of a library of wires.
    pub(super) fn wires_in(&self, module: ModuleId) -> &[(ModuleId, u32)] {
        of_module(&self.wires, module, |(known, _)| *known)
    }

    fn core_in(&self, module: ModuleId) -> &[Core] {
        of_module(&self.core, module, |core| core.module)
    }
}

/// Those of a list in the order of the program that belong to one module.
fn of_module<T>(all: &[T], module: ModuleId, its: impl Fn(&T) -> ModuleId) -> &[T] {
    let from = all.partition_point(|it| its(it) < module);
    let to = all.partition_point(|it| its(it) <= module);
    &all[from..to]
}

/// Whether one of these functions describes a parameter: `a: int = Query()`, `a: Annotated[int, Query()]`.
fn is_described(parameter: &Param, words: &FxHashSet<&str>) -> bool {
    let calls_one = |expr: &Expr| match &expr.kind {
        ExprKind::Call { callee, .. } => match &callee.kind {
            ExprKind::Name(name) | ExprKind::Member { name, .. } => words.contains(name.as_str()),
            _ => false,
        },
        _ => false,
    };
    let in_type = parameter.annotation.as_ref().is_some_and(|annotation| match &annotation.kind {
        ExprKind::Index { index, .. } => index.iter().any(|item| match &item.kind {
            ExprKind::Tuple(items) => items.iter().any(calls_one),
            _ => calls_one(item),
        }),
        _ => false,
    });
    in_type || parameter.default.as_ref().is_some_and(calls_one)
}

/// Collects, for every function, the names that it and the functions inside it call.
struct Walk<'p, 'w> {
    open: Vec<Seen<'p>>,
    done: Vec<Seen<'p>>,
    words: &'w Words,
}

impl<'p> Walk<'p, '_> {
    fn block(&mut self, statements: &'p [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn function(&mut self, function: &'p Function) {
        for decorator in &function.decorators {
            self.expr(decorator);
            if let ExprKind::Call { callee, .. } = &decorator.kind
                && let ExprKind::Member { name, .. } = &callee.kind
                && self.words.decorators.contains(name.as_str())
                && let Some(outer) = self.open.last_mut()
            {
                outer.hit = true;
            }
        }
        let nested = !self.open.is_empty();
        if let Some(outer) = self.open.last_mut() {
            outer.hit |= function.parameters.iter().any(|parameter| is_described(parameter, &self.words.parameters));
        }
        self.open.push(Seen {
            function,
            calls: FxHashSet::default(),
            hit: false,
            builds_application: false,
            registers: false,
            nested,
        });
        for parameter in &function.parameters {
            parameter.default.iter().for_each(|default| self.expr(default));
        }
        self.block(&function.body);
        if let Some(seen) = self.open.pop() {
            if let Some(outer) = self.open.last_mut() {
                outer.calls.extend(&seen.calls);
                outer.hit |= seen.hit;
            }
            self.done.push(seen);
        }
    }

    fn statement(&mut self, statement: &'p Stmt) {
        match &statement.kind {
            StmtKind::Function(function) => self.function(function),
            StmtKind::Class(class) => {
                class.decorators.iter().for_each(|decorator| self.expr(decorator));
                self.block(&class.body);
            }
            StmtKind::Expr(value) | StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::Assign { value, .. } | StmtKind::Augmented { value, .. } => self.expr(value),
            StmtKind::Annotated { value, .. } => value.iter().for_each(|value| self.expr(value)),
            StmtKind::If { test, then, otherwise } => {
                self.expr(test);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::For { iter, body, otherwise, .. } => {
                self.expr(iter);
                self.block(body);
                self.block(otherwise);
            }
            StmtKind::While { test, body } => {
                self.expr(test);
                self.block(body);
            }
            StmtKind::With { items, body } => {
                items.iter().for_each(|item| self.expr(&item.value));
                self.block(body);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.block(body);
                handlers.iter().for_each(|handler| self.block(handler));
                self.block(otherwise);
                self.block(finally);
            }
            StmtKind::Property(property) => {
                property.value.iter().for_each(|value| self.expr(value));
                property.getter.iter().for_each(|getter| self.function(getter));
            }
            StmtKind::Namespace { body, .. } => self.block(body),
            StmtKind::Match { subject, cases } => {
                self.expr(subject);
                cases.iter().for_each(|case| self.block(&case.body));
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Call { callee, args, .. } => {
                let name = match &callee.kind {
                    ExprKind::Name(name) | ExprKind::Member { name, .. } => Some(name.as_str()),
                    _ => None,
                };
                if let (Some(name), Some(open)) = (name, self.open.last_mut()) {
                    open.calls.insert(name);
                    if super::wires::describes_request(args) {
                        open.calls.insert(DESCRIBED_REQUEST);
                    }
                }
                self.expr(callee);
                args.iter().map(Arg::value).for_each(|value| self.expr(value));
            }
            ExprKind::Member { object, .. } => self.expr(object),
            ExprKind::Index { object, index } => {
                self.expr(object);
                index.iter().for_each(|item| self.expr(item));
            }
            ExprKind::List(items) | ExprKind::Tuple(items) | ExprKind::Set(items) => {
                items.iter().for_each(|item| self.expr(item));
            }
            ExprKind::Dict(items) | ExprKind::Record(items) => items.iter().for_each(|item| match item {
                DictItem::Pair(_, value) | DictItem::Spread(value) => self.expr(value),
            }),
            ExprKind::And(left, right) | ExprKind::Or(left, right) | ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional { test, then, otherwise } => {
                self.expr(test);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Lambda(function) => self.function(function),
            ExprKind::Comprehension(comprehension) => {
                self.expr(&comprehension.element);
                comprehension.value.iter().for_each(|value| self.expr(value));
                comprehension.clauses.iter().for_each(|clause| self.expr(&clause.iter));
            }
            ExprKind::Spread(inner) | ExprKind::Await(inner) | ExprKind::Named { value: inner, .. } => self.expr(inner),
            ExprKind::New { args, .. } => args.iter().map(Arg::value).for_each(|value| self.expr(value)),
            ExprKind::With { value, with } => {
                self.expr(value);
                self.expr(with);
            }
            ExprKind::Match { subject, arms } => {
                self.expr(subject);
                arms.iter().for_each(|arm| self.expr(&arm.value));
            }
            ExprKind::Cast { value, .. } | ExprKind::Without { value, .. } => self.expr(value),
            ExprKind::Yield(Some(inner)) | ExprKind::Not(inner) => self.expr(inner),
            _ => {}
        }
    }
}

impl<'p> Evaluator<'p> {
    pub(super) fn is_relevant(&self, function: &Function) -> bool {
        self.index.relevance.functions.contains(&(function.span.file, function.index))
    }

    /// Calls the factories that nothing has called, applications first, with unknown arguments.
    pub(super) fn run_factories(&mut self, roots: &[ModuleId]) {
        let index = self.index;
        let mut roots = roots.to_vec();
        roots.sort_unstable();
        roots.dedup();
        let core: Vec<Core> = roots.iter().flat_map(|root| index.relevance.core_in(*root)).copied().collect();
        // What fills an application that another function makes, then what makes one, then the rest.
        let rank = |core: &Core| (core.fills.is_none(), !core.builds_application);
        let mut located: FxHashMap<ModuleId, Vec<Located<'p>>> = FxHashMap::default();
        for wanted in [(false, false), (true, false), (true, true)] {
            for factory in core.iter().filter(|core| rank(core) == wanted && !core.nested) {
                let program = self.program;
                let mut find = |module: ModuleId, index: u32| {
                    let functions = located.entry(module).or_insert_with(|| locate(&program[module.0 as usize]));
                    functions.iter().find(|found| found.function.index == index).copied()
                };
                let made = factory.fills.and_then(|(module, index)| find(module, index));
                if made.is_some_and(|made| self.called.contains(&std::ptr::from_ref(made.function))) {
                    continue;
                }
                if let Some(found) = find(factory.module, factory.index) {
                    self.start_within(program[factory.module.0 as usize].file);
                    self.run_factory(factory.module, found.function, found.class);
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Located<'p> {
    pub(super) function: &'p Function,
    pub(super) class: Option<&'p Class>,
}

/// What [`locate`] finds, and the functions without a declaration of their own: members of object literals, arguments of
/// calls, values of properties.
pub(super) fn locate_all(module: &Module) -> Vec<Located<'_>> {
    let mut found = locate(module);
    let known: FxHashSet<u32> = found.iter().map(|located| located.function.index).collect();
    let mut unnamed = Vec::new();
    let mut stack: Vec<(&[Stmt], Option<&Class>)> = vec![(&module.body, None)];
    while let Some((block, class)) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Class(inner) => stack.push((&inner.body, Some(inner))),
                StmtKind::Namespace { body, .. } => stack.push((body, None)),
                StmtKind::If { then, otherwise, .. } => stack.extend([(then.as_slice(), class), (otherwise, class)]),
                StmtKind::Try { body, .. } => stack.push((body, class)),
                StmtKind::Assign { value, .. }
                | StmtKind::Expr(value)
                | StmtKind::Annotated { value: Some(value), .. } => lambdas(value, class, &mut unnamed),
                StmtKind::Property(property) => {
                    property.value.iter().for_each(|value| lambdas(value, class, &mut unnamed));
                }
                _ => {}
            }
        }
    }
    found.extend(unnamed.into_iter().filter(|located| !known.contains(&located.function.index)));
    found
}

/// The outermost functions within an expression.
fn lambdas<'p>(expr: &'p Expr, class: Option<&'p Class>, found: &mut Vec<Located<'p>>) {
    match &expr.kind {
        ExprKind::Lambda(function) => found.push(Located { function, class }),
        ExprKind::Call { callee, args, .. } => {
            lambdas(callee, class, found);
            args.iter().for_each(|arg| lambdas(arg.value(), class, found));
        }
        ExprKind::New { args, .. } => args.iter().for_each(|arg| lambdas(arg.value(), class, found)),
        ExprKind::Member { object, .. } => lambdas(object, class, found),
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().for_each(|item| lambdas(item, class, found)),
        ExprKind::Dict(items) | ExprKind::Record(items) => items.iter().for_each(|item| match item {
            DictItem::Pair(_, value) | DictItem::Spread(value) => lambdas(value, class, found),
        }),
        ExprKind::Await(inner) | ExprKind::Cast { value: inner, .. } => lambdas(inner, class, found),
        ExprKind::Conditional { then, otherwise, .. } => {
            lambdas(then, class, found);
            lambdas(otherwise, class, found);
        }
        _ => {}
    }
}

/// The functions of a module's top level and of its top-level classes; of all classes where names are in namespaces.
pub(super) fn locate(module: &Module) -> Vec<Located<'_>> {
    let mut found = Vec::new();
    let mut stack: Vec<(&[Stmt], Option<&Class>)> = vec![(&module.body, None)];
    while let Some((block, class)) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Function(function) => found.push(Located { function, class }),
                StmtKind::Class(inner) if class.is_none() || module.imports == ImportStyle::Namespace => {
                    stack.push((&inner.body, Some(inner)));
                }
                StmtKind::Namespace { body, .. } => stack.push((body, None)),
                StmtKind::If { then, otherwise, .. } => {
                    stack.push((then, class));
                    stack.push((otherwise, class));
                }
                StmtKind::Try { body, .. } => stack.push((body, class)),
                StmtKind::Assign { value, .. } | StmtKind::Annotated { value: Some(value), .. } => {
                    if let ExprKind::Lambda(function) = &value.kind
                        && class.is_none()
                        && !function.name.is_empty()
                    {
                        found.push(Located { function, class });
                    }
                }
                _ => {}
            }
        }
    }
    found
}
