//! Places in a document that is JSON already: values with their pointers, behind references.

use serde_json::Value;

use super::AnswerError;
use crate::contracts::tree::push_segment;

/// References that lead to references are followed this far; longer chains lead nowhere.
const MAX_HOPS: usize = 32;

/// A value and its way there.
#[derive(Clone, Debug)]
pub(super) struct Place<'s> {
    root: &'s Value,
    pub pointer: String,
    pub value: &'s Value,
}

impl<'s> Place<'s> {
    pub(super) fn root(root: &'s Value) -> Self {
        Place { root, pointer: String::new(), value: root }
    }

    /// The value at a pointer of the same document.
    pub(super) fn at(&self, pointer: &str) -> Option<Place<'s>> {
        let value = self.root.pointer(pointer)?;
        Some(Place { root: self.root, pointer: pointer.to_owned(), value })
    }

    pub(super) fn child(&self, key: &str) -> Option<Place<'s>> {
        let value = self.value.as_object()?.get(key)?;
        let mut pointer = self.pointer.clone();
        push_segment(&mut pointer, key);
        Some(Place { root: self.root, pointer, value })
    }

    /// Members of an object with their keys.
    pub(super) fn members(&self) -> impl Iterator<Item = (&'s str, Place<'s>)> {
        let members = self.value.as_object();
        members.into_iter().flatten().map(|(key, value)| {
            let mut pointer = self.pointer.clone();
            push_segment(&mut pointer, key);
            (key.as_str(), Place { root: self.root, pointer, value })
        })
    }

    pub(super) fn text(&self, key: &str) -> Option<&'s str> {
        self.value.get(key).and_then(Value::as_str)
    }

    /// The place behind any chain of `$ref` within the document.
    ///
    /// # Errors
    /// A reference that leads nowhere, elsewhere or to itself.
    pub(super) fn follow(self) -> Result<Place<'s>, AnswerError> {
        let mut place = self;
        for _ in 0..MAX_HOPS {
            let Some(text) = place.text("$ref") else { return Ok(place) };
            place = place.target(text).ok_or_else(|| nowhere(text, &place.pointer))?;
        }
        Err(AnswerError::malformed(format!("`$ref` at `{}` leads back to itself", place.pointer)))
    }

    /// What a reference within the document means; `None` where there is nothing, or it leads elsewhere.
    pub(super) fn target(&self, text: &str) -> Option<Place<'s>> {
        self.at(&pointer_of(text)?)
    }
}

/// `/a/b` of `#/a/b`, percent-decoded; `None` for any other reference.
pub(super) fn pointer_of(text: &str) -> Option<String> {
    let fragment = text.strip_prefix('#')?;
    (fragment.is_empty() || fragment.starts_with('/')).then(|| crate::contracts::percent_decode(fragment))
}

pub(super) fn nowhere(text: &str, pointer: &str) -> AnswerError {
    AnswerError::malformed(format!("`$ref` to `{text}` at `{pointer}` leads nowhere within the document"))
}
