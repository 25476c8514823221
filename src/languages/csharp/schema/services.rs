//! The classes that a program registers as services, which functions are given whatever a request holds.

use rustc_hash::FxHashSet;

use super::Schemas;
use super::places::Place;
use crate::evaluate::{ClassRef, Evaluator, Value};
use crate::model::program::{Arg, ExprKind};
use crate::text::Span;

/// Functions that register the types which they are given as type arguments, as `typeof(…)`, or as what is made for them.
const REGISTERING: &[&str] = &[
    "AddScoped",
    "AddTransient",
    "AddSingleton",
    "TryAddScoped",
    "TryAddTransient",
    "TryAddSingleton",
    "AddKeyedScoped",
    "AddKeyedTransient",
    "AddKeyedSingleton",
    "AddDbContext",
    "AddDbContextPool",
    "AddDbContextFactory",
    "AddPooledDbContextFactory",
    "AddHttpClient",
    "AddHostedService",
    "AddGrpcClient",
    "AddActivatedSingleton",
    "RegisterType",
    "RegisterInstance",
];

/// Whether a function registers services, by its name.
pub(super) fn registers(name: &str) -> bool {
    REGISTERING.contains(&name) || (name.starts_with("Add") && name.ends_with("DbContext"))
}

impl<'p> Schemas<'p> {
    /// Whether the program registers a class of its own as a service.
    pub fn is_registered(&mut self, evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
        self.startup.registered(evaluator).contains(&class.name_span())
    }
}

/// The classes of the program that these calls register.
pub(super) fn registered<'p>(evaluator: &mut Evaluator<'p>, places: &[Place<'p>]) -> FxHashSet<Span> {
    let mut found = FxHashSet::default();
    for place in places {
        evaluator.start(place.span.file);
        let scope = place.scope(evaluator);
        let made = place.args.iter().filter_map(|arg| match &arg.value().kind {
            ExprKind::TypeOf(written) => Some(&**written),
            ExprKind::New { class: Some(written), .. } if matches!(arg, Arg::Positional(_)) => Some(&**written),
            _ => None,
        });
        for written in place.types.iter().chain(made) {
            let ty = match evaluator.type_expression(written, &scope) {
                Value::Applied(base, _) => (*base).clone(),
                other => other,
            };
            if let Value::Class(class) = ty {
                found.insert(class.name_span());
            }
        }
    }
    found
}
