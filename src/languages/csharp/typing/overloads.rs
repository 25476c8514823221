//! Which of several functions of a name a call means, and which argument is for which parameter.

use std::rc::Rc;

use super::calls::Call;
use super::generics::{mentions, substitute};
use super::members::{Candidate, is_default};
use super::{Place, Typer, kinds};
use crate::evaluate::{Str, Value};
use crate::model::program::{Arg, Expr, ExprKind, Param, ParamKind};

impl<'p> Typer<'_, 'p> {
    /// The one function that a call means.
    pub(super) fn choose(
        &mut self,
        candidates: Vec<Candidate<'p>>,
        call: &Call<'p>,
        place: &Place<'p>,
    ) -> Result<Candidate<'p>, &'static str> {
        let mut left: Vec<Candidate<'p>> = applicable(candidates, call);
        if left.len() > 1 {
            left = self.best(left, call, place);
        }
        if left.is_empty() {
            return Err("no function that the arguments fit");
        }
        // An override comes before what it overrides, a class before what it implements.
        let first = left.remove(0);
        let class = first.function.class.clone();
        let same_class = left.iter().filter(|other| match (&class, &other.function.class) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        });
        let rivals: Vec<Candidate<'p>> = same_class.cloned().collect();
        if !rivals.is_empty() {
            let result = self.result(&first, call, place);
            for rival in rivals {
                let other = self.result(&rival, call, place);
                if !super::same(&result, &other) {
                    return Err("one of several functions of a name");
                }
            }
        }
        Ok(first)
    }

    /// Those whose parameters the types of the arguments fit best.
    fn best(&mut self, candidates: Vec<Candidate<'p>>, call: &Call<'p>, place: &Place<'p>) -> Vec<Candidate<'p>> {
        let mut scored = Vec::new();
        for candidate in candidates {
            let Some(pairs) = pairs(&candidate, call) else { continue };
            let names = names_of(&candidate);
            let mut score = 0_i32;
            let mut fits = true;
            for (param, arg) in pairs {
                let Some(wanted) = self.wanted(&candidate, param) else { continue };
                match self.agrees(&wanted, arg, &names, place) {
                    Some(points) => score += points,
                    None => fits = false,
                }
            }
            // Parameters that are left to their defaults count against it.
            let extra = candidate.function.node.parameters.len().saturating_sub(call.args.len());
            score -= i32::try_from(extra.min(8)).unwrap_or(8);
            if fits {
                scored.push((score, candidate));
            }
        }
        let best = scored.iter().map(|(score, _)| *score).max();
        scored.into_iter().filter(|(score, _)| Some(*score) == best).map(|(_, candidate)| candidate).collect()
    }

    /// The type of a parameter, type parameters of the function itself left open.
    pub(super) fn wanted(&mut self, candidate: &Candidate<'p>, param: &'p Param) -> Option<Value<'p>> {
        let annotation = param.annotation.as_ref()?;
        let ty = self.ev.type_expression(annotation, &candidate.function.scope);
        let ty = substitute(&ty, &candidate.given);
        match (param.kind, &ty) {
            (ParamKind::Rest, Value::Applied(_, args)) if args.len() == 1 => Some(args[0].clone()),
            _ => Some(ty),
        }
    }

    /// Points for an argument that fits a parameter; none where it does not.
    fn agrees(&mut self, wanted: &Value<'p>, arg: &'p Expr, names: &[Str], place: &Place<'p>) -> Option<i32> {
        match &arg.kind {
            ExprKind::Lambda(lambda) => {
                let Some((params, _)) = self.delegate(wanted) else {
                    return if kinds::is(wanted, "Delegate") || matches!(wanted, Value::TypeVar(_)) {
                        Some(0)
                    } else {
                        None
                    };
                };
                return (params.len() == lambda.parameters.len()).then_some(4);
            }
            ExprKind::New { class: None, .. } | ExprKind::List(_) => return Some(0),
            _ if is_default(arg) => return Some(0),
            ExprKind::Named { value, .. } if matches!(value.kind, ExprKind::Other(_)) => return Some(0),
            _ => {}
        }
        let ty = self.type_of(arg, place);
        if ty.is_unknown() {
            return Some(0);
        }
        if mentions(wanted, names) {
            return if self.may_be(&ty, wanted) { Some(2) } else { None };
        }
        if super::same(&ty, wanted) {
            return Some(5);
        }
        match self.converts(&ty, wanted) {
            Some(true) => Some(if kinds::is(wanted, "object") { 1 } else { 3 }),
            Some(false) => None,
            None => Some(0),
        }
    }
}

/// The parameters that a call gives something for.
pub(super) fn own_params<'p>(candidate: &Candidate<'p>) -> impl Iterator<Item = &'p Param> + use<'p> {
    let node = candidate.function.node;
    let skipped = usize::from(
        candidate.extends.is_some()
            || node.parameters.first().is_some_and(|first| first.name == "this" && first.annotation.is_none()),
    );
    node.parameters.iter().skip(skipped)
}

pub(super) fn names_of(candidate: &Candidate<'_>) -> Vec<Str> {
    candidate.function.node.type_parameters.iter().map(|parameter| Rc::from(parameter.name.as_str())).collect()
}

/// Whether a name stands in a type.
fn names_type(written: &Expr, name: &str) -> bool {
    match &written.kind {
        ExprKind::Name(known) => known == name,
        ExprKind::Index { index, .. } => index.iter().any(|written| names_type(written, name)),
        ExprKind::Binary { left, right, .. } => names_type(left, name) || names_type(right, name),
        ExprKind::Tuple(items) => items.iter().any(|written| names_type(written, name)),
        ExprKind::Named { value, .. } => names_type(value, name),
        _ => false,
    }
}

/// Each argument with its parameter; none where they do not fit.
pub(super) fn pairs<'p>(candidate: &Candidate<'p>, call: &Call<'p>) -> Option<Vec<(&'p Param, &'p Expr)>> {
    let node = candidate.function.node;
    if !call.types.is_empty() && call.types.len() != node.type_parameters.len() {
        return None;
    }
    // Type parameters that nothing tells have to be given.
    let told = |name: &str| {
        node.parameters.iter().filter_map(|param| param.annotation.as_ref()).any(|written| names_type(written, name))
    };
    if call.types.is_empty() && !node.type_parameters.iter().all(|parameter| told(&parameter.name)) {
        return None;
    }
    let params: Vec<&'p Param> = own_params(candidate).collect();
    let mut found: Vec<(&'p Param, &'p Expr)> = Vec::new();
    for (at, arg) in call.args.iter().enumerate() {
        match arg {
            Arg::Keyword(name, value) => {
                let param = params.iter().find(|param| param.name == *name)?;
                found.push((param, value));
            }
            Arg::Positional(value) => {
                let param = params.get(at).or_else(|| params.last().filter(|last| last.kind == ParamKind::Rest))?;
                found.push((param, value));
            }
            Arg::Spread(_) | Arg::KeywordSpread(_) => return None,
        }
    }
    let given = |param: &&&'p Param| found.iter().any(|(known, _)| std::ptr::eq(*known, **param));
    let missing = params.iter().filter(|param| !given(param));
    let mut missing =
        missing.filter(|param| param.default.is_none() && !param.optional && param.kind != ParamKind::Rest);
    missing.next().is_none().then_some(found)
}

/// Those that the number, names and kinds of the arguments fit.
pub(super) fn applicable<'p>(candidates: Vec<Candidate<'p>>, call: &Call<'p>) -> Vec<Candidate<'p>> {
    candidates.into_iter().filter(|candidate| pairs(candidate, call).is_some()).collect()
}
