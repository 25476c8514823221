//! A bounded abstract interpreter over program trees. It follows imports, folds constants, calls small and relevant
//! functions with what is known of their arguments, runs both branches of a condition that it cannot decide, and
//! records every router, mount and route that comes into being. Nothing of the scanned program is executed.
//!
//! What a *library* means (that `APIRouter(prefix=…)` makes a router, that `.get("/x")` adds a route) is not known
//! here: each library is a [`Library`] descriptor, asked about values only.

mod branches;
mod calls;
mod classes;
mod condition_keys;
mod creation;
mod cuts;
mod decisions;
mod declarations;
mod expressions;
mod filled;
mod functions;
mod idle;
mod implementers;
mod importers;
mod imports;
mod members;
mod modules;
mod namespaces;
mod nodes;
mod noted;
mod operators;
mod program_index;
mod received;
mod regions;
mod relevance;
mod scope;
mod scripts;
mod settings;
mod settled;
mod specifiers;
mod standing;
mod statements;
mod tables;
#[cfg(test)]
mod tests;
mod types;
mod unfollowed;
mod value;
mod wires;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::program::{CompareOp, Expr, Function as FunctionNode, Import, ImportStyle, Module, Stmt};
use crate::text::{FileId, Span};

pub use classes::EnumMember;
pub use cuts::{Cut, Cuts};
pub use decisions::{Choice, Decision, DecisionId, Guard};
pub use declarations::Declaration;
pub use imports::{imported_packages, is_of_package};
pub use nodes::{ContractRouting, Item, MountKind, Node, Opaque};
pub use noted::Noted;
pub use program_index::{ProgramIndex, Project};
pub use received::{Read, as_received};
pub use settings::SettingValues;
pub use settled::World;
pub use specifiers::{Package, PathConfig, Specifiers, normal_path, package_name};
pub use value::{
    Alias, Args, Class, ClassRef, Dict, DynamicClass, EntryPoint, Found, Function, FunctionRef, Instance, Made,
    ModuleId, NodeId, Role, RouteDraft, Scope, Str, TypeVar, UNKNOWN_PART, Value, WrittenArgs, last,
};
pub use wires::DESCRIBED_REQUEST;

/// Gives the paths of a route.
pub type Paths = for<'p> fn(&RouteDraft<'p>, &[Args<'p>], &str) -> Vec<(String, bool)>;

/// What the evaluator has to know about one library or framework. All functions answer `None` for what is not theirs.
pub struct Library {
    pub name: &'static str,
    /// How the language that it is for names other modules: modules of others have nothing to do with it. `None`: of
    /// several languages.
    pub language: Option<ImportStyle>,
    /// Names known without an import, as `builtins` are; their path is `name` + `.` + the word.
    pub globals: &'static [&'static str],
    /// A function that calls one of these takes part in building an API and is always followed.
    pub words: &'static [&'static str],
    /// The same, by the end of the called name.
    pub word_suffixes: &'static [&'static str],
    /// Methods whose use as a decorator of an inner function makes the outer one relevant.
    pub decorator_words: &'static [&'static str],
    /// Functions whose call is the default of a parameter of an inner function, or stands in its type, makes the outer one
    /// relevant.
    pub parameter_words: &'static [&'static str],
    /// Functions that call one of these build a whole application: evaluated first where nobody calls them.
    pub application_words: &'static [&'static str],
    /// Which kind of node calling (or subclassing) this external name makes.
    pub node_kind: fn(path: &str) -> Option<&'static str>,
    /// Fills in a new node from its constructor's arguments.
    pub created: for<'p> fn(&mut Evaluator<'p>, NodeId),
    /// A method call on a node.
    pub node_method: for<'p> fn(&mut Evaluator<'p>, NodeId, &str, Args<'p>, Span) -> Option<Value<'p>>,
    /// `node.prefix` is a method and not the prefix.
    pub prefix_is_method: bool,
    /// Routes are found whatever the case of the letters in a path, and so is what they take by name.
    pub any_case: bool,
    /// The methods that register a route on a node, given path, handler and options; a subclass may override one.
    pub register_method: Option<&'static str>,
    /// A call of an external name.
    pub call: for<'p> fn(&mut Evaluator<'p>, &str, &Args<'p>, Span) -> Option<Value<'p>>,
    /// The number that a member of an external name stands for, such as a status code constant.
    pub constant: fn(path: &str, name: &str) -> Option<i64>,
    /// A class was defined, with the values of its decorators in order; asked only where decorators are no functions that
    /// register something themselves.
    pub class_defined: for<'p> fn(&mut Evaluator<'p>, &ClassRef<'p>, &[Value<'p>]),
    /// The external name of the router that calling a class of the program makes, where the class looks like a router itself.
    pub class_node: for<'p> fn(&mut Evaluator<'p>, &ClassRef<'p>) -> Option<&'static str>,
    /// The whole program ran: what lies in files of meaningful names can be added.
    pub finished: for<'p> fn(&mut Evaluator<'p>, &[ModuleId]),
    /// Whether methods of what calling this name made are kept as they are called: `z.object({…}).partial()`.
    pub chained: fn(path: &str) -> bool,
    /// A member that is read and not called, of what a library made (`schema.shape`) or of one of its names
    /// (`settings.DEBUG`), or one that a class, instance or node which comes from it does not define itself
    /// (`View.as_view`).
    pub member: for<'p> fn(&mut Evaluator<'p>, &Value<'p>, &str) -> Option<Value<'p>>,
    /// Whether calling this external name, which is not followed, registers no route on a router that it is given.
    pub registers_nothing: fn(path: &str) -> bool,
    /// Whether calling this external name with an application has it serve documents of its API, and pages that show them.
    pub serves_documents: fn(path: &str) -> bool,
    /// A node was handed to something that is not followed.
    pub handed: for<'p> fn(&mut Evaluator<'p>, NodeId, Span),
    /// The paths that a route stands for, given the options of the nodes around it, innermost first, and its whole path as
    /// it is written; each with whether it is another form that documents leave out.
    pub paths: Paths,
    /// The versions of the API in which a route is served, `1` and `2.1`; empty where none are told apart.
    pub versions: for<'p> fn(&RouteDraft<'p>, &[Args<'p>]) -> Vec<String>,
    /// Methods and functions of it that send messages, wait for them or make requests: what calls one of these names is run
    /// by itself, if the program imports one of `wire_packages`.
    pub wire_words: &'static [&'static str],
    /// Those among them that only this library has: they are told by their name alone where nothing says what they are
    /// called on; the path is `?().name` then.
    pub wire_methods: &'static [&'static str],
    /// Empty: part of the language.
    pub wire_packages: &'static [&'static str],
    /// The name of the setting that a key of an object stands for: `TOPIC` of `os.environ["TOPIC"]`.
    pub setting: fn(object: &Value, key: &str) -> Option<String>,
    /// What comparing something of the language's own with a value gives, whatever runs the program.
    pub compared: fn(CompareOp, &Value, &Value) -> Option<bool>,
    /// A method call on plain data, such as `"a".join(…)`.
    pub value_method: for<'p> fn(&mut Evaluator<'p>, &Value<'p>, &str, &Args<'p>) -> Option<Value<'p>>,
}

/// Libraries that answer nothing: what the others are made from, by language (`..Library::PYTHON`).
impl Library {
    pub const PYTHON: Library = Library { language: Some(ImportStyle::Dotted), ..Self::NONE };
    pub const TYPESCRIPT: Library = Library { language: Some(ImportStyle::Path), ..Self::NONE };
    pub const CSHARP: Library = Library { language: Some(ImportStyle::Namespace), ..Self::NONE };
    pub const NONE: Library = Library {
        name: "",
        language: None,
        globals: &[],
        words: &[],
        word_suffixes: &[],
        decorator_words: &[],
        parameter_words: &[],
        application_words: &[],
        node_kind: |_| None,
        created: |_, _| {},
        node_method: |_, _, _, _, _| None,
        prefix_is_method: false,
        any_case: false,
        register_method: None,
        call: |_, _, _, _| None,
        constant: |_, _| None,
        chained: |_| false,
        member: |_, _, _| None,
        class_defined: |_, _, _| {},
        class_node: |_, _| None,
        finished: |_, _| {},
        registers_nothing: |_| false,
        serves_documents: |_| false,
        handed: |_, _, _| {},
        paths: |_, _, path| vec![(path.to_owned(), false)],
        versions: |_, _| Vec::new(),
        wire_words: &[],
        wire_methods: &[],
        wire_packages: &[],
        setting: |_, _| None,
        compared: |_, _, _| None,
        value_method: |_, _, _, _| None,
    };
}

/// Steps that one statement of a module body, one factory, or the types of one route may take.
const STEPS_PER_ROOT: u32 = 1_500_000;
/// Steps that one file may take.
const STEPS_PER_FILE: u32 = 4_000_000;
/// Steps that a whole run may take, besides [`STEPS_PER_MODULE`] for each file.
const STEPS_PER_RUN: u64 = 40_000_000;
const STEPS_PER_MODULE: u64 = 100_000;
/// Steps of one handler after which only functions are followed that are given its response, or stand within others.
const STEPS_PER_HANDLER: u64 = 30_000;
/// Classes in the ancestry of one class; in the place of the others stands one that is unknown.
pub const MAX_ANCESTRY: usize = 512;
/// Nested calls of program functions; what a deeper call gives is unknown, and where it builds an API, that is told.
const MAX_CALL_DEPTH: u32 = 25;
/// Nested evaluation of any kind: keeps the native stack bounded.
const MAX_DEPTH: u32 = 1_500;
/// Passes over one loop; that there are more is told.
const MAX_ITERATIONS: usize = 500;
/// What of a longer loop is left out.
pub const PASSES: &str = "passes of a loop beyond the 500th";
/// Native stack of the thread that evaluates; `MAX_DEPTH` levels fit many times.
pub const STACK_BYTES: usize = 512 << 20;

pub struct Evaluator<'p> {
    pub index: &'p ProgramIndex,
    program: &'p [Module],
    libraries: &'p [&'static Library],
    /// What is asked and called where the service is that is evaluated.
    spoken: &'p relevance::Spoken,
    /// The modules of the service that is evaluated.
    roots: Vec<ModuleId>,
    modules: Vec<Option<Box<modules::ModuleState<'p>>>>,
    /// Those of which anything was asked.
    touched: Vec<ModuleId>,
    nodes: Vec<Node<'p>>,
    /// What leaves routing to a contract.
    pub routings: Vec<ContractRouting<'p>>,
    called: FxHashSet<*const FunctionNode>,
    /// Functions that ran because they were handed to something that is not followed.
    handed: FxHashSet<*const FunctionNode>,
    /// Types at the level of namespaces.
    types: namespaces::Types<'p>,
    active: FxHashMap<*const FunctionNode, u8>,
    small: FxHashMap<*const FunctionNode, bool>,
    /// Where imports lead: functions that run often import often.
    targets: FxHashMap<*const Import, Found>,
    entry_points: Vec<Rc<EntryPoint>>,
    depth: u32,
    call_depth: u32,
    /// What is not decided, and the sides of it that hold where the program is now: see [`decisions`].
    decisions: Vec<Decision>,
    guard: Guard,
    known_decisions: FxHashMap<String, DecisionId>,
    /// Names that functions of a module assign to, each with the spans of those functions.
    assigned: FxHashMap<ModuleId, FxHashMap<&'p str, Vec<Span>>>,
    decisions_at: FxHashMap<Span, DecisionId>,
    /// Set while routes are read, each in one world.
    settles: bool,
    /// The decisions that were met meanwhile.
    met: Guard,
    /// Values read so far that hang on a decision.
    projections: u64,
    /// What hangs on decisions in each thing that is being worked out, one within the other.
    worlds: Vec<settled::World>,
    /// Alternatives that run one within the other.
    fan: usize,
    /// Above zero while a branch runs that may not be taken.
    uncertain: u32,
    /// The same of the callers.
    uncertain_callers: u32,
    /// Routes that were given a handler so far.
    registered: usize,
    /// Where the route was written that is being registered through an override.
    registering: Option<Span>,
    /// What stands for the responses that handlers are filling right now: see [`Evaluator::serve`].
    serving: Vec<NodeId>,
    /// Until then, handlers follow what has nothing to do with their response.
    serving_until: u64,
    /// Calls of what is declared anywhere, one within the other.
    dispatching: u8,
    /// Above zero in what runs after an exception.
    rescuing: u32,
    /// Set while a handler runs, when a function that was called ended with an exception.
    thrown: bool,
    /// Set when a value was read that only a setting or default decides.
    soft: bool,
    /// Set when a value was read that something set around the program decides: names that are bound to what is made of it
    /// are only defaults, too.
    set_outside: bool,
    /// Of this root, of its file, and of all.
    steps: u32,
    file_steps: u32,
    all_steps: u64,
    root_file: Option<FileId>,
    exhausted: bool,
    /// Files whose budget ran out.
    pub out_of_budget: Vec<FileId>,
    /// What was not looked at for other budgets' sake.
    pub cuts: Cuts,
    /// What libraries found out about the whole program, each under a name of its own.
    pub notes: FxHashMap<&'static str, Value<'p>>,
    /// Above zero while decorators are evaluated, whose options are what they are written to be.
    decorating: u32,
    /// Above zero while every value is wanted that a function may return: what one of two branches binds is not known.
    gathering: u32,
    wires: wires::Wires<'p>,
    /// Names of settings by the places where they are read.
    settings: FxHashMap<Span, Str>,
    /// Values of settings that lie beside the code.
    pub setting_values: Option<&'p SettingValues>,
}

impl<'p> Evaluator<'p> {
    pub fn new(program: &'p [Module], index: &'p ProgramIndex, entry_points: Vec<EntryPoint>) -> Self {
        let modules = program.iter().map(|_| None).collect();
        Evaluator {
            index,
            program,
            libraries: &index.all.libraries,
            spoken: &index.all,
            roots: Vec::new(),
            modules,
            touched: Vec::new(),
            nodes: Vec::new(),
            routings: Vec::new(),
            called: FxHashSet::default(),
            handed: FxHashSet::default(),
            types: namespaces::Types::default(),
            active: FxHashMap::default(),
            small: FxHashMap::default(),
            targets: FxHashMap::default(),
            entry_points: entry_points.into_iter().map(Rc::new).collect(),
            depth: 0,
            call_depth: 0,
            decisions: Vec::new(),
            guard: Guard::new(),
            known_decisions: FxHashMap::default(),
            assigned: FxHashMap::default(),
            decisions_at: FxHashMap::default(),
            settles: false,
            met: Guard::new(),
            projections: 0,
            worlds: Vec::new(),
            fan: 1,
            uncertain: 0,
            uncertain_callers: 0,
            registered: 0,
            registering: None,
            serving: Vec::new(),
            serving_until: 0,
            dispatching: 0,
            rescuing: 0,
            thrown: false,
            soft: false,
            set_outside: false,
            steps: 0,
            file_steps: 0,
            all_steps: 0,
            root_file: None,
            exhausted: false,
            out_of_budget: Vec::new(),
            cuts: Cuts::default(),
            notes: FxHashMap::default(),
            decorating: 0,
            gathering: 0,
            wires: wires::Wires::default(),
            settings: FxHashMap::default(),
            setting_values: None,
        }
    }

    /// Another one of the same program, which knows nothing yet.
    #[must_use]
    pub fn fresh(&self) -> Self {
        let mut fresh = Self::new(self.program, self.index, Vec::new());
        (fresh.spoken, fresh.libraries) = (self.spoken, self.libraries);
        fresh
    }

    /// Says of which service what follows is: only what has to do with its modules is asked and called.
    pub fn of_service(&mut self, roots: &[ModuleId]) {
        if let Some(root) = roots.first() {
            self.spoken = self.index.spoken(*root);
            self.libraries = &self.spoken.libraries;
        }
    }

    /// Evaluates every module body of `roots`, then the factories that nothing has called.
    pub fn run(&mut self, roots: &[ModuleId]) {
        self.of_service(roots);
        self.roots = roots.to_vec();
        for module in roots {
            for statement in 0..self.program[module.0 as usize].body.len() {
                self.start_within(self.program[module.0 as usize].file);
                self.force(*module, statement);
            }
        }
        self.run_declared(roots);
        self.run_imported_routers(roots);
        self.run_factories(roots);
        for library in self.libraries {
            (library.finished)(self, roots);
        }
        self.run_wires(roots);
    }

    /// Routers that come from a module of another service: its body registers their routes.
    fn run_imported_routers(&mut self, roots: &[ModuleId]) {
        let mut run: FxHashSet<ModuleId> = roots.iter().copied().collect();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            at += 1;
            if let Some(module) = self.index.module_of_file(node.site.file)
                && run.insert(module)
            {
                self.start(self.file_of(module));
                for statement in 0..self.program[module.0 as usize].body.len() {
                    self.force(module, statement);
                }
            }
        }
    }

    /// The modules of the service that is evaluated.
    pub fn roots(&self) -> &[ModuleId] {
        &self.roots
    }

    pub fn nodes(&self) -> &[Node<'p>] {
        &self.nodes
    }

    pub fn entry_points(&self) -> &[Rc<EntryPoint>] {
        &self.entry_points
    }

    pub fn is_uncertain(&self) -> bool {
        self.uncertain + self.uncertain_callers > 0
    }

    /// What stands for the response of the handler that runs.
    pub fn served(&self) -> Option<NodeId> {
        self.serving.last().copied()
    }

    /// Whether what runs now handles an exception.
    pub fn is_rescuing(&self) -> bool {
        self.rescuing > 0
    }

    /// The value of a decorator. Nobody changes its options before it is called: members that they lack are not there.
    pub fn decorator(&mut self, decorator: &'p Expr, scope: &Scope<'p>) -> Value<'p> {
        self.decorating += 1;
        let value = self.evaluate(decorator, scope);
        self.decorating -= 1;
        value
    }

    /// Marks that a value was read which a setting decides, so that no branch is pruned by it.
    pub fn mark_soft(&mut self) {
        self.soft = true;
        self.set_outside = true;
    }

    /// Marks that what was read says the same whatever a setting decides.
    pub fn unmark_soft(&mut self) {
        self.soft = false;
        self.set_outside = false;
    }

    pub fn file_of(&self, module: ModuleId) -> FileId {
        self.program[module.0 as usize].file
    }

    /// The statements at the level of a module.
    pub fn statements(&self, module: ModuleId) -> &'p [Stmt] {
        &self.program[module.0 as usize].body
    }

    /// Whether a module keeps its annotations as texts.
    pub fn types_are_texts(&self, module: ModuleId) -> bool {
        self.program[module.0 as usize].types_are_texts
    }

    pub fn module_of_file(&self, file: FileId) -> Option<ModuleId> {
        self.index.module_of_file(file)
    }

    /// Begins something that has a budget of its own: whatever ran before it does not spoil it.
    pub fn start(&mut self, file: FileId) {
        self.root_file = Some(file);
        self.file_steps = 0;
        self.start_within(file);
    }

    /// Begins a further statement or factory of a file.
    fn start_within(&mut self, file: FileId) {
        if self.root_file != Some(file) {
            self.root_file = Some(file);
            self.file_steps = 0;
        }
        self.exhausted = false;
        self.steps = 0;
        self.depth = 0;
    }

    /// Whether the budget of what was begun last is used up: what was found since then may be incomplete.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Counts one step; false when the budget is used up.
    fn tick(&mut self, file: FileId) -> bool {
        self.spend(1, Some(file))
    }

    /// Counts the work of looking at `values` values (or some bytes of text) in one step; false when the budget is used
    /// up. Asked before they are copied, it bounds memory too.
    pub fn afford(&mut self, values: usize) -> bool {
        self.spend(u32::try_from(values / 8).unwrap_or(u32::MAX), None)
    }

    fn spend(&mut self, steps: u32, file: Option<FileId>) -> bool {
        if self.exhausted {
            return false;
        }
        let run = STEPS_PER_RUN + STEPS_PER_MODULE * self.program.len() as u64;
        let fits = self.steps.saturating_add(steps) <= self.most_steps()
            && self.file_steps.saturating_add(steps) <= STEPS_PER_FILE
            && self.all_steps + u64::from(steps) <= run;
        if fits {
            self.steps += steps;
            self.file_steps += steps;
            self.all_steps += u64::from(steps);
        } else {
            // What is too much for the rest of the budget is not done, so it costs nothing.
            self.exhausted = true;
            let file = file.or(self.root_file);
            if self.wires.running {
                let place = file.map(|file| Span::new(file, 0, 0));
                self.cut("code around messages and requests that takes too many steps", place);
            } else if let Some(file) = file
                && !self.out_of_budget.contains(&file)
            {
                self.out_of_budget.push(file);
            }
        }
        !self.exhausted
    }
}
