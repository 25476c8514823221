//! `@nestjs/config`: what `ConfigService` gives for a key, where the program itself says so: factories that are
//! registered under a name or loaded, and defaults (docs.nestjs.com/techniques/configuration).

use super::{LOADED, NAMESPACE};
use crate::evaluate::{Args, Evaluator, NodeId, Value};
use crate::frameworks::decorated::option;
use crate::text::Span;

/// `config.get('app.prefix', 'api')`
pub(super) fn get<'p>(evaluator: &mut Evaluator<'p>, args: &Args<'p>, site: Span) -> Value<'p> {
    evaluator.mark_soft();
    let key = args.positional.first().and_then(Value::as_str).unwrap_or("").to_owned();
    let parts: Vec<&str> = key.split('.').collect();
    let known = if key.is_empty() { None } else { find(evaluator, &parts, site) };
    let default = args.positional.get(1).filter(|default| !matches!(default, Value::Dict(_)));
    match (known, default) {
        (Some(value), _) if !value.is_unknown() => value,
        (_, Some(default)) => default.clone(),
        _ => Value::Unknown("setting that is known at run time", Some(site)),
    }
}

fn find<'p>(evaluator: &mut Evaluator<'p>, parts: &[&str], site: Span) -> Option<Value<'p>> {
    let mut factories: Vec<(Value<'p>, usize)> = Vec::new();
    for id in 0..evaluator.nodes().len() as u32 {
        let node = evaluator.node(NodeId(id));
        let given = &node.options.positional;
        match (node.kind, given.first()) {
            // `registerAs('app', () => ({ … }))`
            (NAMESPACE, Some(name)) if name.as_str() == parts.first().copied() => {
                factories.extend(given.get(1).map(|factory| (factory.clone(), 1)));
            }
            // `ConfigModule.forRoot({ load: [() => ({ … })] })`
            (LOADED, Some(options)) => {
                let load = option(options, "load").and_then(|list| list.elements()).unwrap_or_default();
                factories.extend(load.into_iter().map(|factory| (factory, 0)));
            }
            _ => {}
        }
    }
    factories.into_iter().find_map(|(factory, skipped)| {
        let Value::Function(_) = factory else { return None };
        let mut value = evaluator.call_always(&factory, Args::default(), site);
        for part in &parts[skipped..] {
            value = option(&value, part)?;
        }
        Some(value)
    })
}
