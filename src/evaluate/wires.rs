//! What code does at the other end of a wire: messages that it sends, requests that it makes. Libraries say which methods
//! do such things ([`Library::wire_words`]); every function that calls a method of that name is run by itself, with what
//! stands for its parameters by their declared types, and the libraries note what they are asked for. A function that
//! hands a parameter on to such a call is one itself: its callers run, too.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::noted::{Key, Noted};
use super::relevance::{Located, is_common, locate_all};
use super::value::{Args, ClassRef, FunctionRef, Instance, Role, Scope, Str, Value};
use super::{Evaluator, ModuleId};
use crate::model::program::{Arg, ClassKind, DictItem, Expr, ExprKind, Function, ImportStyle, Param, Stmt, StmtKind};
use crate::text::Span;

/// Calls of one small function that are followed from one that runs by itself; what a further one gives is unknown;
/// those that send or ask are always followed.
const MAX_FOLLOWED: u32 = 64;
/// Steps that one function may take here.
const STEPS_PER_FUNCTION: u32 = 20_000;
/// Steps that all of them may take, besides [`STEPS_PER_MODULE`] for each file.
const STEPS_PER_RUN: u64 = 10_000_000;
const STEPS_PER_MODULE: u64 = 20_000;
/// Callers of a name that are run: a name that more call says nothing.
const MAX_CALLERS: usize = 300;
/// Classes that one is run for that leaves something to them; that there are more is told.
const MAX_EXTENDING: usize = 60;
/// Functions around functions that hand a parameter on.
const ROUNDS: usize = 3;

/// The word of a library of wires for functions that hand an object that describes a request to one of the program.
pub const DESCRIBED_REQUEST: &str = "{ url }";

/// What is known while functions run for what they do at wires.
#[derive(Default)]
pub(super) struct Wires<'p> {
    /// Above zero while they run.
    pub(super) running: bool,
    /// What runs is inherited by the class that it runs for.
    pub(super) inherited: bool,
    /// The function that runs by itself.
    pub(super) function: Option<FunctionRef<'p>>,
    /// The calls that lead to what runs.
    pub(super) calls: Vec<Span>,
    pub(super) noted: Vec<Noted<'p>>,
    pub(super) known: FxHashMap<Key, usize>,
    pub(super) of_place: FxHashMap<Span, usize>,
    /// What stands for the instances of classes that something else makes.
    pub(super) standing: FxHashMap<*const crate::model::program::Class, Value<'p>>,
    /// Functions that came into being in what runs by itself.
    inner: Vec<FunctionRef<'p>>,
    pub(super) idle: super::idle::Idle<'p>,
    /// How often small functions were followed from the one that runs by itself.
    followed: FxHashMap<*const Function, u32>,
    /// Functions that ran.
    pub(super) ran: FxHashSet<*const Function>,
    /// Functions that hand a parameter on to a call of a library.
    pub(super) handing: FxHashSet<*const Function>,
    /// The names of those that were found last.
    pub(super) handing_names: BTreeMap<&'p str, BTreeSet<ModuleId>>,
    /// All of them, each with the modules that declare one.
    pub(super) all_handing_names: FxHashMap<&'p str, BTreeSet<ModuleId>>,
    /// What modules import, as far as it was asked for.
    pub(super) imports: RefCell<FxHashMap<ModuleId, Rc<FxHashSet<ModuleId>>>>,
    /// Methods that ran because they set a member that was asked for, of the object whose it is.
    pub(super) setting: FxHashMap<*const Function, Vec<Rc<Instance<'p>>>>,
    /// Names of modules whose makers ran.
    pub(super) naming: FxHashSet<(ModuleId, Str)>,
    /// Things that were noted with a target that is known, as often as they were.
    pub(super) told: u64,
    /// What libraries remember of how the program sets something up, by their own keys.
    pub(super) kept: FxHashMap<String, Value<'p>>,
    steps: u64,
    /// The modules of the service and of the projects that it is built with.
    pub(super) runs: FxHashSet<ModuleId>,
    /// By the place of the object that messages come from, what they are read as.
    pub(super) read: FxHashMap<Span, Vec<super::received::Read<'p>>>,
    /// Classes that generic functions were called with, by their names.
    pub(super) given_types: FxHashMap<String, Vec<ClassRef<'p>>>,
    /// Calls of what is only declared, one within the other.
    pub(super) dispatching: u8,
}

impl Wires<'_> {
    /// Whether a small function is followed once more: one that is called over and over (a setting that is asked for, a
    /// port that is tried) says the same each time.
    pub(super) fn follows_again(&mut self, node: &Function) -> bool {
        let times = self.followed.entry(std::ptr::from_ref(node)).or_default();
        *times += 1;
        *times <= MAX_FOLLOWED
    }
}

impl<'p> Evaluator<'p> {
    /// Runs the functions that say a word of a library of wires.
    pub(super) fn run_wires(&mut self, roots: &[ModuleId]) {
        let index = self.index;
        self.wires.running = true;
        let routings = self.routings.len();
        let mut done = FxHashSet::default();
        let mut located: FxHashMap<ModuleId, Vec<Located<'p>>> = FxHashMap::default();
        // What the service is built with may hand on what it is given.
        let mut runs: FxHashSet<ModuleId> = roots.iter().copied().collect();
        runs.extend(self.beside(&runs));
        self.wires.runs.clone_from(&runs);
        let mut round: Vec<(ModuleId, u32)> =
            runs.iter().flat_map(|module| index.relevance.wires_in(*module)).copied().collect();
        round.sort_unstable();
        for _ in 0..=ROUNDS {
            for (module, index) in std::mem::take(&mut round) {
                let program = self.program;
                let functions = located.entry(module).or_insert_with(|| locate_all(&program[module.0 as usize]));
                let found = functions.iter().find(|found| found.function.index == index).copied();
                if let Some(found) = found
                    && done.insert((module, index))
                {
                    self.run_by_itself(module, found);
                }
            }
            // Those that call what hands a parameter on.
            for (name, makers) in std::mem::take(&mut self.wires.handing_names) {
                let callers = self.spoken.callers.get(name).map(Vec::as_slice).unwrap_or_default();
                let mut callers: Vec<(ModuleId, u32)> =
                    callers.iter().filter(|it| runs.contains(&it.0) && !done.contains(*it)).copied().collect();
                if is_common(name) || callers.len() > MAX_CALLERS {
                    callers.retain(|(module, _)| self.can_name(*module, &makers));
                }
                if callers.len() <= MAX_CALLERS {
                    round.extend(callers);
                } else {
                    self.cut("callers of a function that sends, receives or asks, more than 300 of one name", None);
                }
            }
            if round.is_empty() {
                break;
            }
        }
        if !round.is_empty() {
            self.cut("callers of callers of what sends, receives or asks, more than three deep", None);
        }
        if !self.wires.handing.is_empty() {
            roots.iter().for_each(|module| self.run_top_level(*module));
        }
        self.routings.truncate(routings);
        self.wires.running = false;
    }

    /// Begins something of a module that runs by itself.
    fn begin(&mut self, module: ModuleId) {
        self.start(self.file_of(module));
        self.wires.followed.clear();
    }

    /// Statements at the level of a module that a program begins with call what hands a parameter on, too; routers and
    /// applications stay what they are.
    fn run_top_level(&mut self, module: ModuleId) {
        let body = self.statements(module);
        let runs = |statement: &Stmt| matches!(statement.kind, StmtKind::Expr(_) | StmtKind::Assign { .. });
        if self.index.style(module) != ImportStyle::Namespace || !body.iter().any(runs) {
            return;
        }
        self.begin(module);
        let before = self.all_steps;
        let scope = self.module_scope(module).inner(None, None);
        for statement in body {
            let target = match &statement.kind {
                StmtKind::Assign { targets, .. } => targets.first(),
                StmtKind::Annotated { target, .. } => Some(target),
                StmtKind::Function(_) | StmtKind::Class(_) | StmtKind::Import(_) | StmtKind::TypeAlias { .. } => {
                    continue;
                }
                _ => None,
            };
            let is_router = target.is_some_and(|target| match &target.kind {
                ExprKind::Name(name) => matches!(self.module_name(module, name), Some(Value::Node(_))),
                _ => false,
            });
            if !is_router {
                self.execute(statement, &scope);
            }
        }
        self.run_inner();
        self.wires.steps += self.all_steps - before;
    }

    /// The modules that a service is built with and that are no part of it: those that it imported, and those of the
    /// projects that its own refer to.
    fn beside(&self, own: &FxHashSet<ModuleId>) -> Vec<ModuleId> {
        let in_projects = own.iter().filter(|module| self.index.style(**module) == ImportStyle::Namespace);
        let projects: FxHashSet<&str> = in_projects.map(|module| self.index.project_of(*module)).collect();
        let projects: BTreeSet<&str> =
            projects.into_iter().flat_map(|project| self.index.referenced_projects(project)).collect();
        let of_projects = projects.into_iter().flat_map(|project| self.index.modules_of_project(project));
        let of_projects = of_projects.filter(|module| self.index.style(**module) == ImportStyle::Namespace).copied();
        let imported = self.touched.iter().copied();
        let imported = imported.filter(|module| self.index.style(*module) != ImportStyle::Namespace);
        let beside: BTreeSet<ModuleId> = of_projects.chain(imported).filter(|module| !own.contains(module)).collect();
        beside.into_iter().collect()
    }

    fn run_by_itself(&mut self, module: ModuleId, found: Located<'p>) {
        let most = STEPS_PER_RUN + STEPS_PER_MODULE * self.program.len() as u64;
        if self.wires.steps > most {
            self.cut("functions around messages and requests: there are too many", Some(found.function.name_span));
            return;
        }
        self.begin(module);
        let before = self.all_steps;
        let scope = self.module_scope(module);
        let (function, receiver) = match found.class {
            None => (self.make_function(found.function, &scope), None),
            Some(declaring) => {
                let Some(class) = self.declaring_class(module, declaring, &scope) else { return };
                if self.node_base(&class).is_some() && !self.names_types_apart(&scope) {
                    return;
                }
                let receiver = self.standing(&class);
                let function = if self.names_in_namespaces(&scope) {
                    self.function_of(&class, found.function)
                } else {
                    match self.own_member(&class, &found.function.name) {
                        Some(Value::Function(function)) if std::ptr::eq(function.node, found.function) => function,
                        // A member that is a function: it knows its receiver from around it.
                        _ => match self.member(&receiver, &found.function.name, None) {
                            Value::Function(function) if std::ptr::eq(function.node, found.function) => {
                                self.wires.function = Some(function.clone());
                                self.call_function_always(&function, Args::default());
                                self.run_inner();
                                self.wires.function = None;
                                self.wires.steps += self.all_steps - before;
                                return;
                            }
                            _ => return,
                        },
                    }
                };
                (function, Some(receiver))
            }
        };
        let takes_receiver = receiver.is_some() && function.role != Role::Static;
        let positional = receiver.filter(|_| takes_receiver).into_iter().collect();
        self.wires.function = Some(function.clone());
        self.call_function_always(&function, Args { positional, ..Args::default() });
        self.run_inner();
        // What a class leaves to those that extend it: `this.route` is known in each of them.
        if takes_receiver
            && self.hands_on(function.node)
            && let Some(class) = function.class.clone()
        {
            for below in self.implementers(&class, MAX_EXTENDING, false) {
                if self.class_member(&below, &function.node.name).is_some_and(|own| !is_function(&own, function.node)) {
                    continue;
                }
                let positional = vec![self.standing(&below)];
                self.wires.inherited = true;
                self.call_function_always(&function, Args { positional, ..Args::default() });
                self.run_inner();
                self.wires.inherited = false;
            }
        }
        self.wires.function = None;
        self.wires.steps += self.all_steps - before;
    }

    /// The most steps that what runs now may take.
    pub(super) fn most_steps(&self) -> u32 {
        if self.wires.running { STEPS_PER_FUNCTION } else { super::STEPS_PER_ROOT }
    }

    /// Whether a function says a word of a library of wires, or hands a parameter on to one; within another function, whether
    /// it calls one that does.
    pub(super) fn is_of_wires(&self, node: &Function) -> bool {
        let key = (node.span.file, node.index);
        let relevance = &self.index.relevance;
        let hands_on = |name: &String| {
            let makers = self.wires.all_handing_names.get(name.as_str());
            makers.is_some_and(|makers| {
                let module = self.module_of_file(node.span.file);
                !is_common(name) || module.is_some_and(|module| self.can_name(module, makers))
            })
        };
        self.wires.running
            && (relevance.of_wires.contains(&key)
                || self.wires.handing.contains(&std::ptr::from_ref(node))
                || relevance.inner_calls.get(&key).is_some_and(|calls| calls.iter().any(hands_on)))
    }

    /// Whether code of a module can mean what one of others declares: it is one of them, imports one, or imports what does.
    /// Where no names are imported, a name that says nothing means nothing.
    fn can_name(&self, module: ModuleId, makers: &BTreeSet<ModuleId>) -> bool {
        if makers.contains(&module) {
            return true;
        }
        let direct = self.imports_of(module);
        direct.iter().any(|import| makers.contains(import))
            || direct.iter().any(|import| self.imports_of(*import).iter().any(|import| makers.contains(import)))
    }

    /// The modules that one imports at its level.
    fn imports_of(&self, module: ModuleId) -> Rc<FxHashSet<ModuleId>> {
        if let Some(known) = self.wires.imports.borrow().get(&module) {
            return known.clone();
        }
        let body = &self.program[module.0 as usize].body;
        let found = body.iter().filter_map(|statement| match &statement.kind {
            StmtKind::Import(import) => self.index.imported_module(module, import),
            _ => None,
        });
        let found = Rc::new(found.collect::<FxHashSet<_>>());
        self.wires.imports.borrow_mut().insert(module, found.clone());
        found
    }

    /// Whether a function hands a parameter on to a call of a library: it is followed wherever it is called.
    pub(super) fn hands_on(&self, node: &Function) -> bool {
        self.wires.running && self.wires.handing.contains(&std::ptr::from_ref(node))
    }

    /// Keeps a function that comes into being while another runs, in case that nothing calls it.
    pub(super) fn keep_inner(&mut self, function: &FunctionRef<'p>) {
        if self.wires.running && self.call_depth > 0 && self.is_of_wires(function.node) {
            self.wires.inner.push(function.clone());
            self.wires.idle.asked += 1;
        }
    }

    /// Functions that came into being in what ran and that nothing called, as callbacks are.
    fn run_inner(&mut self) {
        let mut at = 0;
        while let Some(function) = self.wires.inner.get(at).cloned() {
            at += 1;
            if !self.wires.ran.contains(&std::ptr::from_ref(function.node)) {
                self.call_function_always(&function, Args::default());
            }
        }
        self.wires.inner.clear();
    }

    /// Whether functions run for what they do at wires.
    pub fn looks_for_wires(&self) -> bool {
        self.wires.running
    }

    /// A method that the program does not define: of an object whose class comes from a library's
    /// (`this.emit(…)`), of a function of the program (`task.delay(…)`), or of what is not known
    /// (`channel.basic_publish(…)`), where only one library has a method of that name.
    pub(super) fn call_at_wire(
        &mut self,
        object: &'p Expr,
        name: &str,
        args: &Args<'p>,
        scope: &Scope<'p>,
        site: Span,
    ) -> Option<Value<'p>> {
        // Evaluated before, on the way to the method: only what costs nothing is evaluated again.
        let mut root = object;
        while let ExprKind::Member { object, .. } = &root.kind {
            root = object;
        }
        let receiver = match &root.kind {
            ExprKind::Name(_) => self.evaluate(object, scope),
            _ => Value::Unknown("what a call gives", Some(object.span)),
        };
        let mut paths = Vec::new();
        match &receiver {
            Value::Instance(instance) => {
                let bases = self.external_bases(&instance.class.clone());
                paths.extend(bases.into_iter().map(|base| format!("{base}().{name}")));
                if instance.class.node.kind == ClassKind::Interface {
                    paths.push(format!("declared().{name}"));
                }
            }
            Value::Function(_) | Value::Bound(..) => paths.push(format!("function().{name}")),
            _ => {}
        }
        if self.spoken.wire_methods.contains(name) {
            paths.push(format!("?().{name}"));
        }
        let args = Args { receiver: Some(Rc::new(receiver)), ..args.clone() };
        paths.iter().find_map(|path| self.libraries.iter().find_map(|library| (library.call)(self, path, &args, site)))
    }

    /// The first parameter of a method that the class of an object declares, by its name.
    pub fn first_parameter(&mut self, object: &Value<'p>, method: &str) -> Option<&'p str> {
        let Value::Instance(instance) = object else { return None };
        let named = |parameters: &'p [Param]| {
            let own = |parameter: &&Param| parameter.name != "this" && parameter.name != "self";
            parameters.iter().find(own).map(|parameter| parameter.name.as_str())
        };
        for ancestor in self.ancestry(&instance.class).iter() {
            let Value::Class(ancestor) = ancestor else { continue };
            for statement in self.class_statements(ancestor) {
                match &statement.kind {
                    StmtKind::Function(function) if function.name == method => return named(&function.parameters),
                    StmtKind::Property(property) if property.name == method => {
                        let Some(Expr { kind: ExprKind::FunctionType(signature), .. }) = &property.annotation else {
                            return None;
                        };
                        return named(&signature.parameters);
                    }
                    _ => {}
                }
            }
        }
        None
    }

    /// A function is given an object that describes a request, `request({ method: "GET", url: "/users" })`. Where following it
    /// leads to no address, the libraries are asked as if it were one of theirs: `described().name` where it may be of the
    /// program, `elsewhere().name` where it belongs to a package that no library knows.
    pub(super) fn call_described(&mut self, callee: &Value<'p>, name: &str, args: &Args<'p>, site: Span) -> Value<'p> {
        let told = self.wires.told;
        let value = self.call(callee, args.clone(), site);
        if self.wires.told == told {
            let whose = match callee {
                Value::Native(..) | Value::External(_) => "elsewhere",
                _ => "described",
            };
            let path = format!("{whose}().{name}");
            self.libraries.iter().find_map(|library| (library.call)(self, &path, args, site));
        }
        value
    }

    /// `object.name += handler`: the library that made the object may call the handler. It is asked as if a method of that
    /// name, with `+=` after it, were called.
    pub(super) fn listen(&mut self, object: &'p Expr, name: &str, handler: &Value<'p>, scope: &Scope<'p>, site: Span) {
        let receiver = self.evaluate(object, scope);
        let Value::Made(made) = &receiver else { return };
        let path = format!("{}().{name}+=", made.path);
        let receiver = Some(Rc::new(receiver.clone()));
        let args = Args { positional: vec![handler.clone()], receiver, ..Args::default() };
        self.libraries.iter().find_map(|library| (library.call)(self, &path, &args, site));
    }

    /// A library was given a function that it will call, with what it gives it: what that does at wires is found, too.
    pub fn hand_to_library(&mut self, handler: &Value<'p>, given: Vec<Value<'p>>, site: Span) {
        if !self.wires.running {
            // As whatever else is handed out, first: it may register routes.
            let args = Args { positional: vec![handler.clone()], ..Args::default() };
            self.hand_over(&args, site);
        }
        if let Value::Function(function) | Value::Bound(_, function) = handler {
            let before = std::mem::replace(&mut self.wires.running, true);
            if !given.is_empty() || self.is_of_wires(function.node) {
                self.call_always(handler, Args { positional: given, ..Args::default() }, site);
            }
            self.wires.running = before;
        }
    }

    /// A function is decorated with what a library made, or with a method of that: the library may wait for messages with
    /// it. It is asked as if the decorator were called.
    pub(super) fn decorate_at_wire(&mut self, decorator: &Value<'p>, handler: &Value<'p>, site: Span) {
        let (path, receiver) = match decorator {
            Value::Made(made) => (format!("{}()", made.path), decorator.clone()),
            Value::Native(receiver, name) => match &**receiver {
                Value::Made(made) => (format!("{}().{name}", made.path), (**receiver).clone()),
                _ => return,
            },
            Value::External(path) => (path.to_string(), Value::None),
            _ => return,
        };
        let args = Args { positional: vec![handler.clone()], receiver: Some(Rc::new(receiver)), ..Args::default() };
        for library in self.libraries.iter().filter(|library| !library.wire_packages.is_empty()) {
            if (library.call)(self, &path, &args, site).is_some() {
                return;
            }
        }
    }
}

/// Whether one of the first arguments is an object with an address: `{ url }`, `{ method, path }`.
pub(super) fn describes_request(args: &[Arg]) -> bool {
    let is_message = |arg: &Arg| matches!(arg.value().kind, ExprKind::Str { .. } | ExprKind::Template(_));
    let first: Vec<&Arg> = args.iter().take(2).collect();
    // What is logged of a request stands beside a message.
    !first.iter().any(|arg| is_message(arg))
        && first.iter().any(|arg| {
            let Arg::Positional(Expr { kind: ExprKind::Record(items), .. }) = arg else { return false };
            let has = |wanted: &str| {
                let named = |key: &Expr| matches!(&key.kind, ExprKind::Str { text, .. } if text == wanted);
                items.iter().any(|item| matches!(item, DictItem::Pair(key, _) if named(key)))
            };
            !has("handler") && (has("url") || (has("path") && has("method")))
        })
}

/// Whether a value is this function.
fn is_function(value: &Value, node: &Function) -> bool {
    matches!(value, Value::Function(function) | Value::Bound(_, function) if std::ptr::eq(function.node, node))
}
