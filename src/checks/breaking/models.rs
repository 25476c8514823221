//! Schemas that are shared by themselves: whoever has one may write by it and read by it, so both ways count. What was
//! valid must stay valid, and what is valid now must have been.

use super::members::{self, Whole};
use super::{Change, Changes, Comparers, Touched, Versions};
use crate::checks::shape::Direction;
use crate::contracts::SharedModel;

pub(super) fn compare(versions: Versions<'_>, comparers: &mut Comparers<'_>, changes: &mut Changes) {
    let (old, new) = (versions.old.models, versions.new.models);
    // The document itself is the same whatever it is called; what it defines goes by its key.
    let twin = |list: &[SharedModel], at: usize, model: &SharedModel| match at {
        0 => (!list.is_empty()).then_some(0),
        _ => (1..list.len()).find(|other| list[*other].names.last() == model.names.last()),
    };
    for (at, model) in old.iter().enumerate() {
        let name = model.names.first().cloned().unwrap_or_default();
        let Some(now) = twin(new, at, model) else {
            if let Some(first) = new.first() {
                let mut gone = change("schema-removed", &name, first);
                gone.before = Some((model.span, "it was declared here".to_owned()));
                changes.add((gone.kind, None, None, name.clone()), name, gone);
            }
            continue;
        };
        let now = &new[now];
        let whole = Whole {
            words: format!("`{name}`"),
            span: now.span,
            pointer: String::new(),
            old_span: model.span,
            is_parameter: false,
            is_json: true,
            touched: Touched::Schema,
        };
        let requests = comparers.requests.differences(model.shape, now.shape);
        let responses = comparers.responses.differences(now.shape, model.shape);
        for (direction, found) in [(Direction::Request, requests), (Direction::Response, responses)] {
            members::add((versions, &name), direction, (model.shape, now.shape), &whole, &found, changes);
        }
    }
    for (at, model) in new.iter().enumerate() {
        if !old.is_empty() && twin(old, at, model).is_none() {
            let name = model.names.first().cloned().unwrap_or_default();
            let added = change("schema-added", &name, model);
            changes.add((added.kind, None, None, name.clone()), name, added);
        }
    }
}

fn change(kind: &'static str, name: &str, at: &SharedModel) -> Change {
    Change {
        kind,
        span: at.span,
        pointer: String::new(),
        label: "here".to_owned(),
        before: None,
        field: None,
        subject: format!("the schema `{name}`"),
        was: String::new(),
        is: String::new(),
        exchanged: "",
        at_most: None,
        touched: Touched::Nothing,
    }
}
