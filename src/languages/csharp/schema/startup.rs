//! Where programs set themselves up when they start: what is the same for all services of a run is looked for once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::places::{ClassAt, Place, calls, declarations, is_done, is_main, name_of, types_of};
use super::services::{registered, registers};
use super::settings::is_options;
use super::versioning::{Versioning, agreed, sets_up};
use crate::evaluate::{Evaluator, ModuleId};
use crate::model::program::{Arg, Expr, ExprKind, ImportStyle, Stmt};
use crate::text::Span;

/// Functions that are given one which sets options.
const CONFIGURING: &[&str] = &["AddJsonOptions", "ConfigureHttpJsonOptions", "AddNewtonsoftJson", "UseFastEndpoints"];
/// The same, where the options are named as type argument.
const CONFIGURING_TYPES: &[&str] = &["Configure", "PostConfigure", "ConfigureAll", "PostConfigureAll"];
/// Interfaces of classes that set options.
const CONFIGURERS: &[&str] = &["IConfigureOptions", "IPostConfigureOptions", "IConfigureNamedOptions"];
/// Wrappers of wrappers are followed this far; that settings further away do not count is told.
pub(super) const MAX_WRAPPED: usize = 3;

/// What is known of all programs that are read together, worked out when it is asked for first.
#[derive(Default)]
pub struct Startup<'p> {
    known: OnceLock<Known<'p>>,
    registered: OnceLock<FxHashSet<Span>>,
    versioning: OnceLock<Option<Versioning>>,
}

impl<'p> Startup<'p> {
    pub(super) fn known(&self, evaluator: &Evaluator<'p>) -> &Known<'p> {
        self.known.get_or_init(|| look(evaluator))
    }

    /// The classes that programs register as services. Types mean the same whoever asks: an evaluator of its own finds them.
    pub(super) fn registered(&self, evaluator: &Evaluator<'p>) -> &FxHashSet<Span> {
        self.registered.get_or_init(|| registered(&mut evaluator.fresh(), &self.known(evaluator).registrations))
    }

    pub(super) fn versioning(&self, evaluator: &Evaluator<'p>) -> Option<&Versioning> {
        let agreed = || agreed(&mut evaluator.fresh(), &self.known(evaluator).versionings);
        self.versioning.get_or_init(agreed).as_ref()
    }
}

/// The places where programs set themselves up.
#[derive(Default)]
pub(super) struct Known<'p> {
    /// By the directory of the project.
    pub(super) setting: BTreeMap<&'p str, Setting<'p>>,
    /// Of those, the ones that cannot be run.
    pub(super) libraries: Vec<&'p str>,
    /// Where functions are called that hand on what they are given, by their name.
    pub(super) wrapped: FxHashMap<&'p str, Vec<Place<'p>>>,
    /// Directories of the projects that can be run, each with those of the projects that it is built with.
    pub(super) entries: BTreeMap<&'p str, FxHashSet<&'p str>>,
    /// Of those that are built for the web.
    pub(super) serving: FxHashSet<&'p str>,
    /// Directories of the projects with a context of generated serialisers that writes names of enumerations.
    pub(super) naming_enums: FxHashSet<&'p str>,
    /// Where services are registered.
    registrations: Vec<Place<'p>>,
    /// Where versions of APIs are set up.
    versionings: Vec<Place<'p>>,
}

/// What sets options of serialisers in one project.
#[derive(Default)]
pub(super) struct Setting<'p> {
    pub(super) places: Vec<Place<'p>>,
    /// Classes with a method that does.
    pub(super) configurers: Vec<ClassAt<'p>>,
}

/// Goes through all modules.
fn look<'p>(evaluator: &Evaluator<'p>) -> Known<'p> {
    let index = evaluator.index;
    let modules: Vec<(ModuleId, &'p [Stmt])> = index
        .modules_below("")
        .into_iter()
        .filter(|(module, _)| index.style(*module) == ImportStyle::Namespace)
        .map(|(module, _)| (module, evaluator.statements(module)))
        .collect();
    let classes: Vec<ClassAt<'p>> = modules.iter().flat_map(|(module, body)| declarations(*module, body)).collect();
    let mut known = Known::default();
    let mut enter = |module: ModuleId| {
        let built_with = || index.referenced_projects(index.project_of(module)).into_iter().collect();
        known.entries.entry(index.project_of(module)).or_insert_with(built_with);
    };
    for (module, body) in &modules {
        if index.project_serves(*module) {
            known.serving.insert(index.project_of(*module));
        }
        if body.iter().any(is_done) {
            enter(*module);
        }
    }
    for at in &classes {
        let Some(class) = at.node() else { continue };
        if class.body.iter().any(is_main) {
            enter(at.module);
        }
        if class.decorators.iter().any(names_enums) {
            known.naming_enums.insert(index.project_of(at.module));
        }
        if class.bases.iter().any(configures) {
            known.setting.entry(index.project_of(at.module)).or_default().configurers.push(at.clone());
        }
    }
    let found = calls(index, &modules, &classes, &|name, callee, types| {
        CONFIGURING.contains(&name)
            || registers(name)
            || sets_up(name)
            || (CONFIGURING_TYPES.contains(&name) && types_of(callee, types).iter().any(is_options))
    });
    for place in found {
        let of_its_kind = match place.name {
            name if registers(name) => &mut known.registrations,
            name if sets_up(name) => &mut known.versionings,
            _ => &mut known.setting.entry(place.project).or_default().places,
        };
        of_its_kind.push(place);
    }
    known.libraries = known.setting.keys().copied().filter(|project| !known.entries.contains_key(project)).collect();
    let handing = |place: &Place<'p>| {
        let name = place.function().filter(|_| !place.handed_on().is_empty())?.name.as_str();
        (name != "__init__").then_some(name)
    };
    let mut names: FxHashSet<&str> = known.setting.values().flat_map(|it| &it.places).filter_map(handing).collect();
    for _ in 0..MAX_WRAPPED {
        names.retain(|name| !known.wrapped.contains_key(name));
        if names.is_empty() {
            break;
        }
        let found = calls(index, &modules, &classes, &|name, _, _| names.contains(name));
        names = found.iter().filter_map(handing).collect();
        for place in found {
            known.wrapped.entry(place.name).or_default().push(place);
        }
    }
    known
}

/// `[JsonSourceGenerationOptions(UseStringEnumConverter = true)]`
fn names_enums(attribute: &Expr) -> bool {
    let ExprKind::Call { callee, args, .. } = &attribute.kind else { return false };
    name_of(callee).is_some_and(|name| name.trim_end_matches("Attribute") == "JsonSourceGenerationOptions")
        && args.iter().any(|arg| {
            matches!(arg, Arg::Keyword(name, value)
                if name == "UseStringEnumConverter" && !matches!(value.kind, ExprKind::Bool(false)))
        })
}

/// `IConfigureOptions<JsonOptions>`
fn configures(base: &Expr) -> bool {
    match &base.kind {
        ExprKind::Index { object, index } => {
            name_of(object).is_some_and(|name| CONFIGURERS.contains(&name)) && index.iter().any(is_options)
        }
        _ => false,
    }
}
