//! Fields as they are made: by a class of a library, or by one of the program that comes from one.

use crate::evaluate::{Args, ClassRef, Evaluator, Value, last};
use crate::text::Span;

/// A field of a model or a serializer with what it was made with.
#[derive(Clone)]
pub(super) struct Call<'p> {
    /// The name of the library's class: `CharField`.
    pub(super) name: String,
    pub(super) args: Args<'p>,
    /// The program's own class.
    pub(super) class: Option<ClassRef<'p>>,
    pub(super) site: Span,
}

impl<'p> Call<'p> {
    /// A field of a library's own model.
    pub(super) fn of_library(path: &str) -> Self {
        let site = Span { file: crate::text::FileId(0), start: 0, end: 0 };
        Call { name: last(path).to_owned(), args: Args::default(), class: None, site }
    }

    pub(super) fn named(&self, name: &str) -> Option<Value<'p>> {
        self.args.named(name).cloned()
    }

    pub(super) fn get(&self, position: usize, name: &str) -> Option<Value<'p>> {
        self.args.get(position, name).cloned()
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        matches!(self.args.named(name), Some(Value::Bool(true)))
    }
}

/// The field that a value is, where its name is one that is known.
pub(super) fn call_of<'p>(
    evaluator: &mut Evaluator<'p>,
    value: &Value<'p>,
    known: impl Fn(&str) -> bool,
) -> Option<Call<'p>> {
    match value {
        Value::Made(made) if made.receiver.is_none() && known(made.name()) => {
            Some(Call { name: made.name().to_owned(), args: made.args.clone(), class: None, site: made.site })
        }
        Value::Instance(instance) => {
            let external = evaluator.external_bases(&instance.class);
            let base = external.iter().map(|path| last(path)).find(|name| known(name))?;
            let mut args = Args::default();
            let mut attributes: Vec<_> =
                instance.attributes.borrow().iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            attributes.sort_by(|a, b| a.0.cmp(&b.0));
            args.named = attributes;
            let site = instance.class.name_span();
            Some(Call { name: base.to_owned(), args, class: Some(instance.class.clone()), site })
        }
        _ => None,
    }
}
