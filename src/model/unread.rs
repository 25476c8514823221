//! Parts of a service that could not be read.

use super::operation::Method;
use crate::finding::Reason;

/// Stands in [`Unread::path`] for what is not known.
pub const UNKNOWN_PART: char = '\u{fffc}';

/// A part of a service that could not be read, and may serve something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unread {
    /// What is known of its path; each part that is not known stands as one U+FFFC.
    pub path: String,
    /// The method, where it is known.
    pub method: Option<Method>,
    pub reach: Reach,
    /// Why it could not be read, and where it stands.
    pub reason: Reason,
}

impl Unread {
    /// Whether routes of the API may be missing from what was read because of it.
    pub fn is_gap(&self) -> bool {
        self.reach != Reach::Documents
    }
}

/// What may be served by a part of a service that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reach {
    /// One route, at a path that is known in part.
    Route,
    /// Whatever lies below its path.
    Below,
    /// Below its path, resources of which nothing is read otherwise: nobody spreads one resource over what is written out
    /// and what is not.
    Unseen,
    /// Anything, of whatever resource: code that looks at paths by itself.
    Anything,
    /// Documents of the API and the pages that show them: no gap in what is read of the API itself.
    Documents,
}

impl Reach {
    pub const ALL: [Reach; 5] = [Reach::Route, Reach::Below, Reach::Unseen, Reach::Anything, Reach::Documents];

    /// `below`
    pub fn name(self) -> &'static str {
        match self {
            Reach::Route => "route",
            Reach::Below => "below",
            Reach::Unseen => "unseen",
            Reach::Anything => "anything",
            Reach::Documents => "documents",
        }
    }

    pub fn parse(text: &str) -> Option<Reach> {
        Reach::ALL.into_iter().find(|reach| reach.name() == text)
    }
}
