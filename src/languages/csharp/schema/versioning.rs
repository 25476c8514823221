//! How requests name the version of an API that they are for: `AddApiVersioning(options => …)` of Asp.Versioning.

use super::Schemas;
use super::calls::expression;
use super::places::{Place, name_of};
use crate::evaluate::{Evaluator, Value};
use crate::model::program::{Expr, ExprKind};

/// Where a version is read from, where it is not part of the path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Versioning {
    /// Name of a query parameter.
    pub query: Option<String>,
    /// Name of a header.
    pub header: Option<String>,
    /// What names no version has one all the same.
    pub assumes_default: bool,
}

/// Whether a function sets it up, by its name.
pub(super) fn sets_up(name: &str) -> bool {
    name == "AddApiVersioning"
}

impl<'p> Schemas<'p> {
    /// How versions are named; `None` where the program does not say, or says several things.
    pub fn versioning(&mut self, evaluator: &mut Evaluator<'p>) -> Option<Versioning> {
        self.startup.versioning(evaluator).cloned()
    }
}

/// What all calls that set it up say; `None` where there is none, or they differ.
pub(super) fn agreed<'p>(evaluator: &mut Evaluator<'p>, places: &[Place<'p>]) -> Option<Versioning> {
    let mut found: Option<Versioning> = None;
    let mut differ = false;
    for place in places {
        evaluator.start(place.span.file);
        let read = read(evaluator, place);
        differ |= read.is_none() || found.as_ref().is_some_and(|known| Some(known) != read.as_ref());
        found = read;
    }
    found.filter(|_| !differ)
}

/// What one call says; `None` where its options are set elsewhere.
fn read<'p>(evaluator: &mut Evaluator<'p>, place: &Place<'p>) -> Option<Versioning> {
    let mut versioning = Versioning::default();
    let mut readers: Vec<(&'p str, Option<&'p Expr>)> = Vec::new();
    for arg in place.args {
        if !matches!(arg.value().kind, ExprKind::Lambda(_)) {
            return None;
        }
        expression(arg.value(), &mut |inner| match &inner.kind {
            ExprKind::Member { name, .. } if name == "AssumeDefaultVersionWhenUnspecified" => {
                versioning.assumes_default = true;
            }
            ExprKind::New { class: Some(class), args } => {
                if let Some(name) = name_of(class).filter(|name| name.ends_with("ApiVersionReader")) {
                    readers.push((name, args.first().map(crate::model::program::Arg::value)));
                }
            }
            _ => {}
        });
    }
    if readers.is_empty() {
        versioning.query = Some("api-version".to_owned());
        return Some(versioning);
    }
    let scope = place.scope(evaluator);
    for (reader, given) in readers {
        let given = given.map(|written| evaluator.evaluate(written, &scope));
        let name = match given {
            None => None,
            Some(Value::Str(name)) => Some(name.to_string()),
            Some(_) => return None,
        };
        match reader {
            "QueryStringApiVersionReader" => versioning.query = name.or_else(|| Some("api-version".to_owned())),
            "HeaderApiVersionReader" => versioning.header = name,
            _ => {}
        }
    }
    Some(versioning)
}
