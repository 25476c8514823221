//! What code does at the other end of a wire: messages that it sends, requests that it makes. Libraries say which methods
//! do such things ([`Library::wire_words`]); every function that calls a method of that name is run by itself, with what
//! stands for its parameters by their declared types, and the libraries note what they are asked for. A function that
//! hands a parameter on to such a call is one itself: its callers run, too.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::relevance::{Located, locate_all};
use super::value::{Args, ClassRef, FunctionRef, Instance, Made, Role, Scope, Str, UNKNOWN_PART, Value};
use super::{Evaluator, Library, ModuleId};
use crate::model::program::{
    Arg, BinaryOp, ClassKind, DictItem, Expr, ExprKind, Function, ImportStyle, Module, Param, Stmt, StmtKind,
};
use crate::text::Span;

/// Steps that one function may take here.
const STEPS_PER_FUNCTION: u32 = 20_000;
/// Steps that all of them may take, besides [`STEPS_PER_MODULE`] for each file.
const STEPS_PER_RUN: u64 = 10_000_000;
const STEPS_PER_MODULE: u64 = 20_000;
/// Callers of a name that are run: a name that more call says nothing.
const MAX_CALLERS: usize = 300;
/// Classes that one is run for that leaves something to them.
const MAX_EXTENDING: usize = 60;
/// Members of members that are followed by themselves.
const MAX_MEMBERS: u32 = 20;
/// Modules of types that are no library's objects.
const PLAIN: &[&str] = &["builtins.", "typing.", "typing_extensions.", "collections.", "javascript.", "System."];
/// Functions around functions that hand a parameter on.
const ROUNDS: usize = 3;
/// Things that are noted of one service.
const MAX_NOTED: usize = 50_000;
/// Things that are noted of one call of a library: what its callers give differs.
const MAX_OF_PLACE: usize = 500;

/// The word of a library of wires for functions that hand an object that describes a request to one of the program.
pub const DESCRIBED_REQUEST: &str = "{ url }";

/// Something that a library was asked for and that concerns a wire.
#[derive(Clone)]
pub struct Noted<'p> {
    pub library: &'static Library,
    /// In the library's own word: `send`, `receive`, `request`.
    pub what: &'static str,
    /// The topic or address.
    pub target: Value<'p>,
    /// As the library was given them, [`Args::receiver`] and [`Args::written`] included.
    pub args: Args<'p>,
    /// The call of the library.
    pub site: Span,
    /// Where it was come from, outermost first: the calls that lead from the function that ran by itself to `site`, which
    /// is the last.
    pub calls: Vec<Span>,
    /// The function that ran by itself; `None` at the level of a module.
    pub function: Option<FunctionRef<'p>>,
    /// It ran for a class that inherits it: nothing says that it is called there.
    pub inherited: bool,
}

/// What is known while functions run for what they do at wires.
#[derive(Default)]
pub(super) struct Wires<'p> {
    /// Above zero while they run.
    pub(super) running: bool,
    /// What runs is inherited by the class that it runs for.
    inherited: bool,
    /// The function that runs by itself.
    function: Option<FunctionRef<'p>>,
    /// The calls that lead to what runs.
    pub(super) calls: Vec<Span>,
    noted: Vec<Noted<'p>>,
    /// By the library's word, the target, and the calls that lead there.
    known: FxHashMap<(&'static str, String, Vec<Span>), usize>,
    of_place: FxHashMap<Span, usize>,
    /// What stands for the instances of classes that something else makes.
    standing: FxHashMap<*const crate::model::program::Class, Value<'p>>,
    /// Functions that came into being in what runs by itself.
    inner: Vec<FunctionRef<'p>>,
    /// Functions that ran.
    pub(super) ran: FxHashSet<*const Function>,
    /// Functions that hand a parameter on to a call of a library.
    handing: FxHashSet<*const Function>,
    /// The names of those that were found last.
    handing_names: BTreeSet<&'p str>,
    /// Methods that ran because they set a member that was asked for, of the object whose it is.
    setting: FxHashSet<(*const Function, *const Instance<'p>)>,
    /// Names of modules whose makers ran.
    naming: FxHashSet<(ModuleId, Str)>,
    /// Things that were noted with a target that is known, as often as they were.
    told: u64,
    /// What libraries remember of how the program sets something up, by their own keys.
    kept: FxHashMap<String, Value<'p>>,
    steps: u64,
    /// Calls of what is only declared, one within the other.
    pub(super) dispatching: u8,
    pub(super) extending: Option<Rc<super::implementers::Extending<'p>>>,
}

impl<'p> Evaluator<'p> {
    /// Notes what a library was asked for, once by each way to it.
    pub fn note(
        &mut self,
        library: &'static Library,
        what: &'static str,
        target: Value<'p>,
        args: Args<'p>,
        site: Span,
    ) {
        let wires = &mut self.wires;
        let mut calls = wires.calls.clone();
        calls.push(site);
        let of_place = wires.of_place.entry(site).or_insert(0);
        if wires.noted.len() >= MAX_NOTED || *of_place >= MAX_OF_PLACE {
            return;
        }
        *of_place += 1;
        let is_handed_on = is_handed_on(&target);
        wires.told += u64::from(!is_handed_on);
        if wires.running
            && is_handed_on
            && let Some(function) = &wires.function
        {
            let is_new = wires.handing.insert(std::ptr::from_ref(function.node));
            if is_new && !function.node.name.is_empty() {
                wires.handing_names.insert(&function.node.name);
            }
        }
        let (function, inherited) = (wires.function.clone(), wires.inherited);
        let noted = Noted { library, what, target, args, site, calls, function, inherited };
        match wires.known.entry((what, noted.target.describe(), noted.calls.clone())) {
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(wires.noted.len());
                wires.noted.push(noted);
            }
            std::collections::hash_map::Entry::Occupied(entry) => {
                let before = &mut wires.noted[*entry.get()];
                // What ran for something else may have been given nothing.
                let by_itself = noted.function.is_some() && before.function.is_none();
                if by_itself || (before.inherited && !noted.inherited) {
                    *before = noted;
                }
            }
        }
    }

    /// What was noted of the code of these modules, in the order of the program; of one call of a library that several
    /// others lead to, what is known of its target, where anything is, and the shortest of ways that end alike.
    pub fn noted(&self, own: &[ModuleId]) -> Vec<Noted<'p>> {
        let all = &self.wires.noted;
        let known: FxHashSet<(Span, &str)> =
            all.iter().filter(|noted| !is_handed_on(&noted.target)).map(|it| (it.site, it.what)).collect();
        let mut ways: FxHashMap<(&str, String, Span), FxHashSet<&[Span]>> = FxHashMap::default();
        for noted in all.iter().filter(|noted| noted.function.is_some() && !noted.inherited) {
            ways.entry((noted.what, noted.target.describe(), noted.site)).or_default().insert(&noted.calls);
        }
        let is_shortest = |noted: &Noted| {
            let Some(ways) = ways.get(&(noted.what, noted.target.describe(), noted.site)) else { return true };
            !noted.inherited
                && noted.function.is_some()
                && (1..noted.calls.len()).all(|from| !ways.contains(&noted.calls[from..]))
        };
        let own: FxHashSet<_> = own.iter().map(|module| self.file_of(*module)).collect();
        let sites: FxHashSet<Span> = known.iter().map(|(site, _)| *site).collect();
        let keeps = |noted: &&Noted| {
            let place = noted.calls.first().unwrap_or(&noted.site);
            // Where it is come from says more, or another way to it does.
            let is_said = || {
                known.contains(&(noted.site, noted.what))
                    || noted.calls.iter().any(|call| *call != noted.site && sites.contains(call))
            };
            own.contains(&place.file) && (!is_handed_on(&noted.target) || !is_said()) && is_shortest(noted)
        };
        let mut all: Vec<Noted<'p>> = all.iter().filter(keeps).cloned().collect();
        all.sort_by_key(|noted| (noted.calls.first().map_or(noted.site, |span| *span), noted.site));
        all
    }

    /// Remembers how the program sets something up. Of several things under one key, none is known.
    pub fn keep(&mut self, key: &str, value: Value<'p>) {
        match self.wires.kept.get(key) {
            Some(known) if known.describe() != value.describe() => {
                self.wires.kept.insert(key.to_owned(), Value::Unknown("it is set up in several ways", None));
            }
            Some(_) => {}
            None => {
                self.wires.kept.insert(key.to_owned(), value);
            }
        }
    }

    /// What was remembered.
    pub fn kept(&self, key: &str) -> Option<Value<'p>> {
        self.wires.kept.get(key).cloned()
    }

    /// Runs the functions that say a word of a library of wires.
    pub(super) fn run_wires(&mut self, roots: &[ModuleId]) {
        if self.index.relevance.wires.is_empty() {
            return;
        }
        self.wires.running = true;
        let routings = self.routings.len();
        let mut done = FxHashSet::default();
        let mut located: FxHashMap<ModuleId, Vec<Located<'p>>> = FxHashMap::default();
        // What the service is built with may hand on what it is given.
        let mut runs: FxHashSet<ModuleId> = roots.iter().copied().collect();
        runs.extend(self.beside(&runs));
        let mut round: Vec<(ModuleId, u32)> =
            self.index.relevance.wires.iter().filter(|(module, _)| runs.contains(module)).copied().collect();
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
            for name in std::mem::take(&mut self.wires.handing_names) {
                let callers = self.index.relevance.callers.get(name).map(Vec::as_slice).unwrap_or_default();
                if callers.len() > MAX_CALLERS {
                    continue;
                }
                round.extend(callers.iter().filter(|it| runs.contains(&it.0) && !done.contains(*it)));
            }
            if round.is_empty() {
                break;
            }
        }
        self.routings.truncate(routings);
        self.wires.running = false;
    }

    /// The modules that a service is built with and that are no part of it: those that it imported, and those of the
    /// projects that its own refer to.
    fn beside(&self, own: &FxHashSet<ModuleId>) -> Vec<ModuleId> {
        let in_projects = own.iter().filter(|module| self.index.style(**module) == ImportStyle::Namespace);
        let projects: FxHashSet<&str> = in_projects.map(|module| self.index.project_of(*module)).collect();
        let projects: FxHashSet<&str> =
            projects.into_iter().flat_map(|project| self.index.referenced_projects(project)).collect();
        let all = (0..self.program.len() as u32).map(ModuleId);
        all.filter(|module| !own.contains(module))
            .filter(|module| match self.index.style(*module) {
                ImportStyle::Namespace => projects.contains(self.index.project_of(*module)),
                _ => self.modules[module.0 as usize].is_some(),
            })
            .collect()
    }

    fn run_by_itself(&mut self, module: ModuleId, found: Located<'p>) {
        let most = STEPS_PER_RUN + STEPS_PER_MODULE * self.program.len() as u64;
        if self.wires.steps > most {
            return;
        }
        self.start(self.file_of(module));
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
            for below in self.implementers(&class, MAX_EXTENDING) {
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

    /// Whether a function says a word of a library of wires, or hands a parameter on to one.
    pub(super) fn is_of_wires(&self, node: &Function) -> bool {
        self.wires.running
            && (self.index.relevance.of_wires.contains(&(node.span.file, node.index))
                || self.wires.handing.contains(&std::ptr::from_ref(node)))
    }

    /// Whether a function hands a parameter on to a call of a library: it is followed wherever it is called.
    pub(super) fn hands_on(&self, node: &Function) -> bool {
        self.wires.running && self.wires.handing.contains(&std::ptr::from_ref(node))
    }

    /// Keeps a function that comes into being while another runs, in case that nothing calls it.
    pub(super) fn keep_inner(&mut self, function: &FunctionRef<'p>) {
        if self.wires.running && self.call_depth > 0 && self.is_of_wires(function.node) {
            self.wires.inner.push(function.clone());
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

    /// What stands for an instance of a class that something else makes: made once, with what stands for the parameters of
    /// its constructor.
    pub fn standing(&mut self, class: &ClassRef<'p>) -> Value<'p> {
        let key = std::ptr::from_ref(class.node);
        if let Some(known) = self.wires.standing.get(&key) {
            return known.clone();
        }
        let instance = Value::Instance(Rc::new(Instance { class: class.clone(), attributes: RefCell::default() }));
        self.wires.standing.insert(key, instance.clone());
        self.initialise_properties(class, &instance);
        if let Some(Value::Function(init)) = self.class_member(class, "__init__") {
            let args = Args { positional: vec![instance.clone()], ..Args::default() };
            self.call_function_always(&init, args);
        }
        instance
    }

    /// Whether functions run for what they do at wires.
    pub fn looks_for_wires(&self) -> bool {
        self.wires.running
    }

    /// Whether a value stands for an instance of its class or of one that extends it: what made it is not known.
    pub fn may_be_of_subclass(&mut self, value: &Value<'p>) -> bool {
        let Value::Instance(instance) = value else { return false };
        let standing = self.wires.standing.get(&std::ptr::from_ref(instance.class.node));
        let stands = matches!(standing, Some(Value::Instance(known)) if Rc::ptr_eq(known, instance));
        stands && (instance.class.node.kind == ClassKind::Interface || self.has_implementers(&instance.class))
    }

    /// What stands for a value of a declared type: an instance of a class of the program, or what a library would have
    /// made. `None` where the type says nothing of that kind.
    pub(super) fn stand_in(&mut self, annotation: &'p Expr, scope: &Scope<'p>, site: Span) -> Option<Value<'p>> {
        let declared = if self.names_types_apart(scope) {
            self.look_type_path(bare_name(annotation)?, scope)?
        } else {
            self.type_expression(annotation, scope)
        };
        self.stand_in_of(&declared, site)
    }

    fn stand_in_of(&mut self, declared: &Value<'p>, site: Span) -> Option<Value<'p>> {
        match declared {
            Value::Class(class) if self.is_enum(class) => None,
            Value::Class(class) => Some(self.standing(class)),
            // Plain data: its type says nothing of its value.
            Value::External(path) if PLAIN.iter().any(|module| path.starts_with(module)) => None,
            Value::External(path) => {
                Some(Value::Made(Rc::new(Made { path: path.clone(), receiver: None, args: Args::default(), site })))
            }
            Value::Applied(base, args) => match base.as_external().map(super::last) {
                Some("Annotated" | "Optional") => self.stand_in_of(args.first()?, site),
                _ => self.stand_in_of(base, site),
            },
            Value::Union(options) => {
                let mut rest = options.iter().filter(|option| !matches!(option, Value::None));
                let only = rest.next()?;
                if rest.next().is_some() { None } else { self.stand_in_of(only, site) }
            }
            _ => None,
        }
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
        if self.index.relevance.wire_methods.contains(name) {
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

    /// What an expression in a function stands for, with what stands for the object whose method that is and for its
    /// parameters: how `this.orders.place` is found, which nothing calls.
    pub fn at_wire(&mut self, expr: &'p Expr, function: Option<&FunctionRef<'p>>, scope: &Scope<'p>) -> Value<'p> {
        let before = std::mem::replace(&mut self.wires.running, true);
        let value = self.at_wire_within(expr, function, scope, 0);
        self.wires.running = before;
        value
    }

    fn at_wire_within(
        &mut self,
        expr: &'p Expr,
        function: Option<&FunctionRef<'p>>,
        scope: &Scope<'p>,
        depth: u32,
    ) -> Value<'p> {
        let unknown = Value::Unknown("only running tells what it is", Some(expr.span));
        match &expr.kind {
            ExprKind::Name(name) => {
                let parameter = function.and_then(|it| it.node.parameters.iter().find(|known| known.name == *name));
                match (function.and_then(|function| function.class.clone()), parameter) {
                    (Some(class), _) if name == "self" || name == "this" => self.standing(&class),
                    (_, Some(parameter)) => match &parameter.annotation {
                        Some(annotation) => self.stand_in(annotation, scope, expr.span).unwrap_or(unknown),
                        None => unknown,
                    },
                    _ => self.evaluate(expr, scope),
                }
            }
            ExprKind::Member { object, name } if depth < MAX_MEMBERS => {
                match self.at_wire_within(object, function, scope, depth + 1) {
                    Value::Unknown(..) => unknown,
                    object => self.member(&object, name, Some(expr.span)),
                }
            }
            _ => unknown,
        }
    }

    /// What a function gives that is not known otherwise: by the type that it says it gives.
    pub(super) fn standing_result(&mut self, callee: &Value<'p>, value: Value<'p>) -> Value<'p> {
        let (Value::Function(function) | Value::Bound(_, function), Value::None | Value::Unknown(..)) =
            (callee, &value)
        else {
            return value;
        };
        let Some(returns) = &function.node.returns else { return value };
        self.stand_in(returns, &function.scope, returns.span).unwrap_or(value)
    }

    /// What a decorator says of the object that it injects, as if that were made with it: `@InjectQueue("mail")`.
    pub(super) fn injected(&mut self, stand_in: Value<'p>, parameter: &'p Param, scope: &Scope<'p>) -> Value<'p> {
        let (Value::Made(made), [decorator]) = (&stand_in, parameter.decorators.as_slice()) else { return stand_in };
        match self.evaluate(decorator, scope) {
            Value::Made(says) => Value::Made(Rc::new(Made { args: says.args.clone(), ..(**made).clone() })),
            _ => stand_in,
        }
    }

    /// A member that nothing has set so far: by its declared type, else as the method leaves it that sets it.
    pub(super) fn standing_member(&mut self, value: &Value<'p>, name: &str, site: Option<Span>) -> Option<Value<'p>> {
        let Value::Instance(instance) = value else { return None };
        let mut setters = Vec::new();
        for ancestor in self.ancestry(&instance.class).iter() {
            let Value::Class(ancestor) = ancestor else { continue };
            let scope = self.body_scope(ancestor);
            for statement in self.class_statements(ancestor) {
                let annotation = match &statement.kind {
                    StmtKind::Property(property) if property.name == name => property.annotation.as_ref(),
                    StmtKind::Annotated { target, annotation, .. } if matches!(&target.kind, ExprKind::Name(known) if known == name) => {
                        Some(annotation)
                    }
                    StmtKind::Function(function) if function.name != "__init__" && sets(&function.body, name) => {
                        setters.push((ancestor.clone(), function.as_ref()));
                        None
                    }
                    _ => None,
                };
                if let Some(annotation) = annotation
                    && let Some(stand_in) = self.stand_in(annotation, &scope, site.unwrap_or(annotation.span))
                {
                    self.set_member(value, name, stand_in.clone());
                    return Some(stand_in);
                }
            }
        }
        // Settings may come from one of several places: the one whose defaults are known.
        let mut found = None;
        for (class, node) in setters {
            if !self.wires.setting.insert((std::ptr::from_ref(node), Rc::as_ptr(instance))) {
                continue;
            }
            let function = if self.names_in_namespaces(&class.scope) {
                self.function_of(&class, node)
            } else {
                match self.own_member(&class, &node.name) {
                    Some(Value::Function(function)) => function,
                    _ => continue,
                }
            };
            self.call_function_always(&function, Args { positional: vec![value.clone()], ..Args::default() });
            let set = instance.attributes.borrow().get(name).cloned();
            match set {
                Some(Value::None | Value::Unknown(..) | Value::External(_)) | None => found = found.or(set),
                Some(known) => return Some(known),
            }
        }
        found.filter(|value| !matches!(value, Value::None))
    }

    /// A name of a module that is nothing until a function makes it: by its declared type, else as the function leaves it
    /// that assigns it.
    pub(super) fn standing_name(&mut self, module: ModuleId, name: &str) -> Option<Value<'p>> {
        if !self.wires.naming.insert((module, Str::from(name))) {
            return None;
        }
        let is_named = |target: &Expr| matches!(&target.kind, ExprKind::Name(known) if known == name);
        let scope = self.module_scope(module);
        let program = self.program;
        let module_node: &'p Module = &program[module.0 as usize];
        for statement in &module_node.body {
            if let StmtKind::Annotated { target, annotation, .. } = &statement.kind
                && is_named(target)
                && let Some(stand_in) = self.stand_in(annotation, &scope, annotation.span)
            {
                self.bind_in_module(module, name, stand_in.clone());
                return Some(stand_in);
            }
        }
        let makers = locate_all(module_node).into_iter().filter(|it| it.class.is_none());
        for found in makers.filter(|it| assigns(&it.function.body, &is_named)) {
            let function = self.make_function(found.function, &scope);
            self.call_function_always(&function, Args::default());
            let made = self.bound_in_module(module, name);
            if let Some(made @ (Value::Made(_) | Value::Instance(_))) = made {
                return Some(made);
            }
        }
        None
    }

    /// Whether what a function assigns to a name of its module, which is nothing so far, stands for it from here on.
    pub(super) fn is_made_late(&self, module: ModuleId, name: &str, value: &Value<'p>) -> bool {
        self.wires.running
            && matches!(value, Value::Made(_) | Value::Instance(_))
            && self.is_bound_in(module, name)
            && matches!(self.bound_in_module(module, name), None | Some(Value::None | Value::Unknown(..)))
    }
}

/// The one name in a written type of TypeScript: `Client` of `Promise<Client<Options> | null>`.
fn bare_name(annotation: &Expr) -> Option<&Expr> {
    let is_nothing = |expr: &Expr| match &expr.kind {
        ExprKind::None => true,
        ExprKind::Name(name) => name == "undefined",
        _ => false,
    };
    let mut named = annotation;
    loop {
        named = match &named.kind {
            ExprKind::Index { object, index } => match (&object.kind, index.as_slice()) {
                (ExprKind::Name(name), [inner]) if name == "Promise" => inner,
                _ => object,
            },
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } if is_nothing(right) => left,
            ExprKind::Binary { op: BinaryOp::BitOr, left, right } if is_nothing(left) => right,
            ExprKind::Name(_) | ExprKind::Member { .. } => return Some(named),
            _ => return None,
        };
    }
}

/// Whether one of the first arguments is an object with an address: `{ url }`, `{ method, path }`.
pub(super) fn describes_request(args: &[Arg]) -> bool {
    args.iter().take(2).any(|arg| {
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

/// Whether what a library was given comes from whoever called: a parameter, or a text that begins or ends within one.
fn is_handed_on(target: &Value) -> bool {
    match target {
        Value::Unknown(..) => true,
        Value::Pattern(text) => {
            let mut before = '\u{0}';
            for letter in text.chars() {
                // A whole segment may be unknown; the beginning, or a part of a segment, is the caller's.
                if letter == UNKNOWN_PART && before != '/' && before != '\u{0}' && !matches!(before, '=' | '&' | '?') {
                    return true;
                }
                before = letter;
            }
            text.chars().all(|letter| letter == UNKNOWN_PART)
        }
        _ => false,
    }
}

/// Whether a body assigns `self.name` or `this.name`.
fn sets(block: &[Stmt], name: &str) -> bool {
    assigns(block, &|target: &Expr| match &target.kind {
        ExprKind::Member { object, name: member } => {
            member == name && matches!(&object.kind, ExprKind::Name(own) if own == "self" || own == "this")
        }
        _ => false,
    })
}

/// Whether a body, without the functions in it, assigns what is looked for.
fn assigns(block: &[Stmt], is_target: &dyn Fn(&Expr) -> bool) -> bool {
    let mut stack = vec![block];
    while let Some(block) = stack.pop() {
        for statement in block {
            match &statement.kind {
                StmtKind::Assign { targets, .. } if targets.iter().any(is_target) => return true,
                StmtKind::Annotated { target, .. } if is_target(target) => return true,
                StmtKind::If { then, otherwise, .. } => stack.extend([then.as_slice(), otherwise]),
                StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::With { body, .. } => {
                    stack.push(body);
                }
                StmtKind::Try { body, otherwise, .. } => stack.extend([body.as_slice(), otherwise]),
                _ => {}
            }
        }
    }
    false
}
